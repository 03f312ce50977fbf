//! Counts uses of actions, declarations, faces and spaces while a simulated game runs, and by whom. The machine tells what happens ([`Watcher`]).
use houserule_engine::{Choice, Look, Watcher};
use houserule_play::words::set_bits;
use houserule_program::ir::{
    ActionIx, ActionSlot, DeclIx, Domain, ParamSlot, Program, UniverseId, UniverseSort,
};

/// How often things were used in a game.
#[derive(Default, Debug)]
pub struct Tally {
    /// How often each action was taken; after how many choices the code of each declaration had something to log; how often a component with each face was chosen, by kind and face; how often each space was chosen, by map.
    counts: Vec<u32>,
    /// For each counter, which players it counted, as bits. A declaration is counted for the player of the choice after which it logged something.
    users: Vec<u32>,
    /// Where in them the declarations begin.
    decls: usize,
    /// Where in them the faces of each kind of components begin, and where the last one ends.
    faces: Vec<usize>,
    /// Where in them the spaces of each map begin, and where the last one's end.
    spaces: Vec<usize>,
    /// By action: where its parameters that are components or spaces, or sets of them, stand among its words, and of what each is.
    chosen_in: Vec<Vec<Chosen>>,
    /// Declarations that logged something since the last choice; each is counted once when the choice has taken effect.
    logged: Vec<DeclIx>,
    /// Whether a choice was made; what is logged before the first one is counted with it.
    chosen: bool,
    /// Who made the last choice.
    chooser: usize,
}

/// A parameter that is a component or a space, or a set of them.
#[derive(Debug)]
struct Chosen {
    /// Its words among those of all parameters.
    words: std::ops::Range<usize>,
    /// Whether it is a set.
    set: bool,
    /// Of what.
    of: Counted,
}

/// What is counted of a universe.
#[derive(Clone, Copy, Debug)]
enum Counted {
    /// The faces of components of this kind, by its number among the kinds of components.
    Faces(usize),
    /// The spaces of this map.
    Spaces(usize),
}

impl Chosen {
    /// The parameters of an action that are components or spaces, or sets of them.
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
            Some(Chosen { words, set, of: counted_of(p, u)? })
        };
        action.params.iter().filter_map(of_slot).collect()
    }
}

/// What is counted of a universe's things; none if it is of no components and of no map.
fn counted_of(p: &Program, u: UniverseId) -> Option<Counted> {
    match p.universes.get(u.index())?.sort {
        UniverseSort::Components(kind) => Some(Counted::Faces(usize::from(kind))),
        UniverseSort::Spaces(Some(map)) => Some(Counted::Spaces(map.index())),
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
        let mut spaces = vec![faces.last().copied().unwrap_or(0)];
        for map in &p.maps {
            spaces.push(spaces.last().copied().unwrap_or(0) + map.at.len());
        }
        let counts = vec![0; spaces.last().copied().unwrap_or(0)];
        let users = counts.clone();
        Tally { counts, users, decls, faces, spaces, chosen_in, ..Tally::default() }
    }

    /// Sets all counters to 0, for a game in which these declarations have logged something.
    pub fn begin(&mut self, logged: &[DeclIx]) {
        self.counts.fill(0);
        self.users.fill(0);
        self.logged.clear();
        self.logged.extend_from_slice(logged);
        self.chosen = false;
    }

    /// How often each action was taken, then after how many choices each declaration had something to log, then how often components were chosen, by kind and face, then how often spaces were, by map.
    pub fn counts(&self) -> &[u32] {
        &self.counts
    }

    /// For each counter, the players whom it counted, as bits.
    pub fn users(&self) -> &[u32] {
        &self.users
    }

    /// How often each space was chosen, map after map.
    pub fn spaces(&self) -> &[u32] {
        let first = self.spaces.first().copied().unwrap_or(0);
        self.counts.get(first..).unwrap_or_default()
    }

    /// Counts what was logged since the choice before, when the next one is made or the game has ended.
    pub fn end_choice(&mut self) {
        if std::mem::replace(&mut self.chosen, true) {
            let user = to_bit(self.chooser);
            for decl in self.logged.drain(..) {
                let counter = self.decls + decl.index();
                bump(self.counts.get_mut(counter));
                mark(self.users.get_mut(counter), user);
            }
        }
    }

    /// Ends the choice before, and begins one of this player.
    fn begin_choice(&mut self, player: usize) {
        self.end_choice();
        self.chooser = player;
    }

    /// Counts the things of a universe that the player chose.
    fn count_chosen(&mut self, look: Look<'_>, of: Counted, chosen: impl Iterator<Item = usize>) {
        let (begins, index) = match of {
            Counted::Faces(kind) => (&self.faces, kind),
            Counted::Spaces(map) => (&self.spaces, map),
        };
        let (Some(first), Some(end)) = (begins.get(index).copied(), begins.get(index + 1).copied()) else {
            return;
        };
        let (Some(counts), Some(users)) = (self.counts.get_mut(first..end), self.users.get_mut(first..end))
        else {
            return;
        };
        let user = to_bit(self.chooser);
        for thing in chosen {
            let counter = match of {
                Counted::Faces(kind) => look.face(kind, thing),
                Counted::Spaces(_) => Some(thing),
            };
            let Some(counter) = counter else { continue };
            bump(counts.get_mut(counter));
            mark(users.get_mut(counter), user);
        }
    }

    /// The declarations that logged something since the last choice.
    pub fn logged_so_far(&self) -> &[DeclIx] {
        &self.logged
    }
}

fn bump(count: Option<&mut u32>) {
    if let Some(count) = count {
        *count += 1;
    }
}

/// A player as a bit; none beyond what a word holds.
fn to_bit(player: usize) -> u32 {
    u32::try_from(player).ok().and_then(|p| 1u32.checked_shl(p)).unwrap_or(0)
}

fn mark(users: Option<&mut u32>, user: u32) {
    if let Some(users) = users {
        *users |= user;
    }
}

impl Watcher for Tally {
    fn action(&mut self, look: Look<'_>, player: usize, action: ActionIx, params: &[u64]) {
        self.begin_choice(player);
        bump(self.counts.get_mut(action.index()));
        mark(self.users.get_mut(action.index()), to_bit(player));
        let chosen_in = std::mem::take(&mut self.chosen_in);
        for param in chosen_in.get(action.index()).into_iter().flatten() {
            let words = params.get(param.words.clone()).unwrap_or_default();
            if param.set {
                self.count_chosen(look, param.of, set_bits(words));
            } else {
                self.count_chosen(look, param.of, words.iter().map(|x| *x as usize));
            }
        }
        self.chosen_in = chosen_in;
    }

    fn answer(&mut self, look: Look<'_>, player: usize, of: Option<UniverseId>, choice: Option<&Choice>) {
        self.begin_choice(player);
        let Some(of) = of.and_then(|u| counted_of(look.program, u)) else { return };
        match choice {
            Some(Choice::One(x)) => self.count_chosen(look, of, std::iter::once(*x as usize)),
            Some(Choice::Subset(words)) => self.count_chosen(look, of, set_bits(words)),
            _ => {}
        }
    }

    fn logged(&mut self, decl: DeclIx) {
        if !self.logged.contains(&decl) {
            self.logged.push(decl);
        }
    }
}
