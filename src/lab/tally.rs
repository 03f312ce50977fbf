//! Counts uses of actions, declarations and faces while a simulated game runs. The machine tells what happens ([`Watcher`]).
use houserule_engine::{Choice, Look, Watcher};
use houserule_play::words::set_bits;
use houserule_program::ir::{ActionIx, DeclIx, Domain, Program, UniverseId, UniverseSort};

/// How often things were used in a game.
#[derive(Default, Debug)]
pub struct Tally {
    /// By action: how often it was taken.
    pub actions: Vec<u32>,
    /// By declaration: after how many choices its code had something to log.
    pub decls: Vec<u32>,
    /// By kind of components and face: how often such a component was chosen.
    pub faces: Vec<Vec<u32>>,
    /// Declarations that logged something since the last choice; each is counted once when the choice has taken effect.
    logged: Vec<DeclIx>,
    /// Whether a choice was made; what is logged before the first one is counted with it.
    chosen: bool,
}

impl Tally {
    /// Sets all counters to 0, for a game of that program in which these declarations have logged something.
    pub fn begin(&mut self, p: &Program, logged: &[DeclIx]) {
        let clear = |counts: &mut Vec<u32>, n: usize| {
            counts.clear();
            counts.resize(n, 0);
        };
        clear(&mut self.actions, p.actions.len());
        clear(&mut self.decls, p.decls.len());
        self.faces.resize(p.comps.len(), Vec::new());
        for (faces, kind) in self.faces.iter_mut().zip(&p.comps) {
            clear(faces, p.universes.get(kind.faces.index()).map_or(0, |u| u.things.len()));
        }
        self.logged.clear();
        self.logged.extend_from_slice(logged);
        self.chosen = false;
    }

    /// Counts what was logged since the choice before, when the next one is made or the game has ended.
    pub fn end_choice(&mut self) {
        if std::mem::replace(&mut self.chosen, true) {
            for decl in self.logged.drain(..) {
                bump(self.decls.get_mut(decl.index()));
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
        for face in chosen.filter_map(|c| look.face(k, c)) {
            bump(self.faces.get_mut(k).and_then(|faces| faces.get_mut(face)));
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
        bump(self.actions.get_mut(action.index()));
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
