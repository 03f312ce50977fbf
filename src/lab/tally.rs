//! Counts uses of actions, declarations and faces while a simulated game runs. The machine tells what happens ([`Watcher`]).
use houserule_engine::{Choice, Look, Watcher};
use houserule_play::words::set_bits;
use houserule_program::ir::{ActionIx, DeclIx, Domain, Program, UniverseId, UniverseSort};

/// How often things were used in a game.
#[derive(Default, Debug)]
pub struct Tally {
    /// How often each action was taken; after how many choices the code of each declaration had something to log; how often a component with each face was chosen, by kind and face.
    counts: Vec<u32>,
    /// Where in them the declarations begin.
    decls: usize,
    /// Where in them the faces of each kind of components begin, and where the last one ends.
    faces: Vec<usize>,
    /// Declarations that logged something since the last choice; each is counted once when the choice has taken effect.
    logged: Vec<DeclIx>,
    /// Whether a choice was made; what is logged before the first one is counted with it.
    chosen: bool,
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
        Tally { counts: vec![0; faces.last().copied().unwrap_or(0)], decls, faces, ..Tally::default() }
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

    fn count_faces(&mut self, look: Look<'_>, u: UniverseId, chosen: impl Iterator<Item = usize>) {
        let sort = look.program.universes.get(u.index()).map(|u| &u.sort);
        let Some(UniverseSort::Components(k)) = sort else { return };
        let k = usize::from(*k);
        let (Some(first), Some(end)) = (self.faces.get(k), self.faces.get(k + 1)) else { return };
        let Some(faces) = self.counts.get_mut(*first..*end) else { return };
        for face in chosen.filter_map(|c| look.face(k, c)) {
            bump(faces.get_mut(face));
        }
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
        let Some(a) = look.program.actions.get(action.index()) else { return };
        let mut rest = params;
        for slot in &a.params {
            let (words, others) = rest.split_at(rest.len().min(slot.domain.words(look.program) as usize));
            rest = others;
            match slot.domain {
                Domain::Number => {}
                Domain::Thing(u) => self.count_faces(look, u, words.iter().map(|x| *x as usize)),
                Domain::Subset(u) => self.count_faces(look, u, set_bits(words)),
            }
        }
    }

    fn answer(&mut self, look: Look<'_>, of: Option<UniverseId>, choice: Option<&Choice>) {
        self.end_choice();
        match (choice, of) {
            (Some(Choice::One(x)), Some(u)) => self.count_faces(look, u, std::iter::once(*x as usize)),
            (Some(Choice::Subset(words)), Some(u)) => self.count_faces(look, u, set_bits(words)),
            _ => {}
        }
    }

    fn logged(&mut self, decl: DeclIx) {
        if !self.logged.contains(&decl) {
            self.logged.push(decl);
        }
    }
}
