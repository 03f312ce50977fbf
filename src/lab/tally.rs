//! Counts uses of actions, declarations and faces while a simulated game runs. The machine tells what happens ([`Watcher`]).
use houserule_engine::{Choice, Look, Watcher};
use houserule_play::words::set_bits;
use houserule_program::ir::{
    ActionIx, ActionSlot, DeclIx, Domain, ParamSlot, Program, UniverseId, UniverseSort,
};

/// How often things were used in a game.
#[derive(Default, Debug)]
pub struct Tally {
    /// How often each action was taken; after how many choices the code of each declaration had something to log; how often a component with each face was chosen, by kind and face.
    counts: Vec<u32>,
    /// Where in them the declarations begin.
    decls: usize,
    /// Where in them the faces of each kind of components begin, and where the last one ends.
    faces: Vec<usize>,
    /// By action: where its parameters that are components, or sets of them, stand among its words, and of which kind of components each is.
    chosen_in: Vec<Vec<Chosen>>,
    /// Declarations that logged something since the last choice; each is counted once when the choice has taken effect.
    logged: Vec<DeclIx>,
    /// Whether a choice was made; what is logged before the first one is counted with it.
    chosen: bool,
}

/// A parameter that is a component or a set of them.
#[derive(Debug)]
struct Chosen {
    /// Its words among those of all parameters.
    words: std::ops::Range<usize>,
    /// Whether it is a set.
    set: bool,
    /// The kind, by its number among the kinds of components.
    kind: usize,
}

impl Chosen {
    /// The parameters of an action that are components or sets of them.
    fn list(p: &Program, action: &ActionSlot) -> Vec<Chosen> {
        let mut end = 0;
        let of_slot = |slot: &ParamSlot| {
            let words = end..end + slot.domain.words(p) as usize;
            end = words.end;
            let (u, set) = match slot.domain {
                Domain::Number => return None,
                Domain::Thing(u) => (u, false),
                Domain::Subset(u) => (u, true),
            };
            Some(Chosen { words, set, kind: kind_of(p, u)? })
        };
        action.params.iter().filter_map(of_slot).collect()
    }
}

/// The number of a universe of components among the kinds of components.
fn kind_of(p: &Program, u: UniverseId) -> Option<usize> {
    match p.universes.get(u.index())?.sort {
        UniverseSort::Components(kind) => Some(usize::from(kind)),
        _ => None,
    }
}

impl Tally {
    /// For games of that program.
    pub fn new(p: &Program) -> Tally {
        let decls = p.actions.len();
        let mut faces = vec![decls + p.decls.len()];
        for kind in &p.comps {
            let n = p.universes.get(kind.faces.index()).map_or(0, |u| u.things.len());
            faces.push(faces.last().copied().unwrap_or(0) + n);
        }
        let chosen_in = p.actions.iter().map(|a| Chosen::list(p, a)).collect();
        let counts = vec![0; faces.last().copied().unwrap_or(0)];
        Tally { counts, decls, faces, chosen_in, ..Tally::default() }
    }

    /// Sets all counters to 0, for a game in which these declarations have logged something.
    pub fn begin(&mut self, logged: &[DeclIx]) {
        self.counts.fill(0);
        self.logged.clear();
        self.logged.extend_from_slice(logged);
        self.chosen = false;
    }

    /// How often each action was taken, then after how many choices each declaration had something to log, then how often components were chosen, by kind and face.
    pub fn counts(&self) -> &[u32] {
        &self.counts
    }

    /// Counts what was logged since the choice before, when the next one is made or the game has ended.
    pub fn end_choice(&mut self) {
        if std::mem::replace(&mut self.chosen, true) {
            for decl in self.logged.drain(..) {
                bump(self.counts.get_mut(self.decls + decl.index()));
            }
        }
    }

    /// The declarations that logged something since the last choice.
    pub fn logged_so_far(&self) -> &[DeclIx] {
        &self.logged
    }
}

/// Counts the faces of chosen components; `begins` as in [`Tally`].
fn count_faces(
    counts: &mut [u32],
    begins: &[usize],
    look: Look<'_>,
    kind: usize,
    chosen: impl Iterator<Item = usize>,
) {
    let (Some(first), Some(end)) = (begins.get(kind), begins.get(kind + 1)) else { return };
    let Some(faces) = counts.get_mut(*first..*end) else { return };
    for face in chosen.filter_map(|c| look.face(kind, c)) {
        bump(faces.get_mut(face));
    }
}

fn bump(count: Option<&mut u32>) {
    if let Some(count) = count {
        *count += 1;
    }
}

impl Watcher for Tally {
    fn action(&mut self, look: Look<'_>, action: ActionIx, params: &[u64]) {
        self.end_choice();
        bump(self.counts.get_mut(action.index()));
        let Tally { counts, faces, chosen_in, .. } = self;
        for param in chosen_in.get(action.index()).into_iter().flatten() {
            let words = params.get(param.words.clone()).unwrap_or_default();
            if param.set {
                count_faces(counts, faces, look, param.kind, set_bits(words));
            } else {
                count_faces(counts, faces, look, param.kind, words.iter().map(|x| *x as usize));
            }
        }
    }

    fn answer(&mut self, look: Look<'_>, of: Option<UniverseId>, choice: Option<&Choice>) {
        self.end_choice();
        let Some(kind) = of.and_then(|u| kind_of(look.program, u)) else { return };
        let Tally { counts, faces, .. } = self;
        match choice {
            Some(Choice::One(x)) => count_faces(counts, faces, look, kind, std::iter::once(*x as usize)),
            Some(Choice::Subset(words)) => count_faces(counts, faces, look, kind, set_bits(words)),
            _ => {}
        }
    }

    fn logged(&mut self, decl: DeclIx) {
        if !self.logged.contains(&decl) {
            self.logged.push(decl);
        }
    }
}
