//! The state of a game: flat blocks of words, so that a clone is a few memory copies and, once warm, no allocation.
use crate::base::window::WINDOW;
use crate::data::decision::Choice;
use houserule_program::ir::{AskIx, LeaseScope, OfferIx, Program, R, VerdictCode};

/// The scalar fields of a state, copied as one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Head {
    /// The seed of all streams.
    pub seed: u64,
    /// Rounds begun.
    pub round: i32,
    /// Turns begun.
    pub turns: i32,
    /// Whose turn it is, or none.
    pub turn: i64,
    /// The next question's number.
    pub next_question: u32,
    /// The next layer's number.
    pub next_layer: u32,
    /// Whether the game is over.
    pub over: bool,
    /// Whether the root is a test's fiber: its end is not the game's end.
    pub test_root: bool,
    /// Whether a game runs from its set-up on, not a test's statements: no round has begun during the set-up.
    pub whole_game: bool,
}

/// A call that waits for its callee.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Link {
    pub pc: u32,
    pub base: u32,
    pub func: u16,
    /// Register of the caller that gets [`houserule_program::ir::OFFER_ACTED`] when an action that was chosen has ended; `u16::MAX` otherwise.
    pub acted: u16,
}

/// What state a fiber is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Status {
    /// Not in use.
    #[default]
    Free,
    /// Can run.
    Ready,
    /// Waits for answers.
    Asking,
    /// Answered; waits for the other fibers.
    Held,
    /// Waits for its children.
    Joining,
}

/// What a fiber waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Wait {
    #[default]
    Nothing,
    Menu {
        d: R,
        at: R,
        offer: OfferIx,
    },
    Ask {
        d: R,
        s: R,
        ask: AskIx,
    },
}

/// An execution of rules that can wait for an answer, with its own stack.
#[derive(Clone, Debug, Default)]
pub struct Fiber {
    pub status: Status,
    pub wait: Wait,
    pub pc: u32,
    pub base: u32,
    pub func: u16,
    /// Words of `stack` in use, and copied.
    pub top: u32,
    /// The player for whom it runs; none for the table's.
    pub me: i64,
    /// The fiber that forked it; `u16::MAX` for a root.
    pub parent: u16,
    /// Whether it and its siblings act in any order.
    pub freely: bool,
    /// Of a freely acting fiber: the depth of its calls at its first question, the menu of its actions.
    pub home: u16,
    /// Number of the (first) question that it waits with.
    pub question: u32,
    /// Players whose answers are missing (bits).
    pub missing: u32,
    /// Players who are asked (bits).
    pub asked: u32,
    /// Answers held: player, choice.
    pub held: Vec<(u8, Choice)>,
    pub links: Vec<Link>,
    /// Open layers: writes end with the innermost one's scope.
    pub leases: Vec<Until>,
    pub stack: Vec<u64>,
}

/// How many registers a function has.
pub(crate) fn frame(p: &Program, func: u16) -> u32 {
    p.funcs.get(func as usize).map_or(256, |f| u32::from(f.frame).min(256))
}

impl Fiber {
    /// Extends the saved part of the stack to the end of the current frame: a fiber that waits needs its own frame and those of its callers.
    pub(crate) fn save_frame(&mut self, p: &Program) {
        self.top = self.base + frame(p, self.func);
    }

    /// Makes this one like another without allocating once warm.
    fn copy(&mut self, o: &Fiber) {
        self.status = o.status;
        if o.status == Status::Free {
            return;
        }
        self.wait = o.wait;
        self.pc = o.pc;
        self.base = o.base;
        self.func = o.func;
        self.top = o.top;
        self.me = o.me;
        self.parent = o.parent;
        self.freely = o.freely;
        self.home = o.home;
        self.question = o.question;
        self.missing = o.missing;
        self.asked = o.asked;
        self.held.clone_from(&o.held);
        self.links.clone_from(&o.links);
        self.leases.clone_from(&o.leases);
        let top = o.top as usize;
        if self.stack.len() < top + WINDOW {
            self.stack.resize(o.stack.len().max(top + WINDOW), 0);
        }
        if let (Some(a), Some(b)) = (self.stack.get_mut(..top), o.stack.get(..top)) {
            a.copy_from_slice(b);
        }
    }

    /// Whether both wait at the same place in the code, with the same callers and answers. Registers are not compared: dead ones differ if one machine had a result in its memo
    /// and the other computed it.
    fn same(&self, o: &Fiber) -> bool {
        if self.status == Status::Free || o.status == Status::Free {
            return self.status == o.status;
        }
        self.status == o.status
            && self.wait == o.wait
            && (self.pc, self.base, self.func, self.top) == (o.pc, o.base, o.func, o.top)
            && (self.me, self.parent, self.freely, self.home) == (o.me, o.parent, o.freely, o.home)
            && (self.question, self.missing, self.asked) == (o.question, o.missing, o.asked)
            && self.held == o.held
            && self.links == o.links
            && self.leases == o.leases
    }
}

/// A running phase.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Running {
    pub phase: u16,
    pub fiber: u16,
}

/// What a layer changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LayerOp {
    /// A cell of an attribute.
    Put { attr: u16, thing: u32, old: i32, new: i32 },
    /// A component's place.
    Moved { u: u16, c: u32, old: u16, new: u16 },
    /// An attachment with captured words.
    Attached { what: u16, at: u32, n: u8 },
}

/// A change that ends with a scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layer {
    /// Its number; a later layer has a greater one.
    pub seq: u32,
    pub until: Until,
    pub op: LayerOp,
}

/// When a layer ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Until {
    pub scope: LeaseScope,
    /// Phase's number, player, or rounds begun.
    pub arg: i32,
}

/// The state of a game. Other rooms clone, compare and restore it.
#[derive(Debug, Default)]
pub struct State {
    pub head: Head,
    pub planes: Vec<u64>,
    pub cells: Vec<i32>,
    /// Draws made by the table's stream, then by the players'.
    pub(crate) streams: Vec<u64>,
    /// Per player: none, or a verdict.
    pub verdicts: Vec<Option<VerdictCode>>,
    pub(crate) phases: Vec<Running>,
    pub layers: Vec<Layer>,
    pub layer_words: Vec<u64>,
    /// The texts of verdicts, in order: for each the set of its players, the text's number, and the registers that the text reads, hole by hole.
    pub(crate) verdict_words: Vec<u64>,
    /// Turns within which the present turn is taken, outermost first.
    pub outer_turns: Vec<i64>,
    /// Rolls that a test has ordered, each with its player, or none for any player.
    pub rigged: Vec<(i64, u64)>,
    /// Draws and shuffles that a test has ordered.
    pub orders: Vec<crate::data::chance_order::Order>,
    /// By history: the hashes of its positions.
    pub(crate) seen: Vec<Vec<[u64; 2]>>,
    pub fibers: Vec<Fiber>,
}

impl Clone for State {
    fn clone(&self) -> State {
        let mut s = State::default();
        s.clone_from(self);
        s
    }

    fn clone_from(&mut self, o: &State) {
        self.head = o.head;
        self.planes.clone_from(&o.planes);
        self.cells.clone_from(&o.cells);
        self.streams.clone_from(&o.streams);
        self.verdicts.clone_from(&o.verdicts);
        self.phases.clone_from(&o.phases);
        self.layers.clone_from(&o.layers);
        self.layer_words.clone_from(&o.layer_words);
        self.verdict_words.clone_from(&o.verdict_words);
        self.outer_turns.clone_from(&o.outer_turns);
        self.rigged.clone_from(&o.rigged);
        self.orders.clone_from(&o.orders);
        self.seen.clone_from(&o.seen);
        while self.fibers.len() < o.fibers.len() {
            self.fibers.push(Fiber::default());
        }
        for (i, f) in self.fibers.iter_mut().enumerate() {
            match o.fibers.get(i) {
                Some(g) => f.copy(g),
                None => f.status = Status::Free,
            }
        }
    }
}

impl PartialEq for State {
    fn eq(&self, o: &State) -> bool {
        let n = self.fibers.len().max(o.fibers.len());
        let free = Fiber::default();
        self.head == o.head
            && self.planes == o.planes
            && self.cells == o.cells
            && self.streams == o.streams
            && self.verdicts == o.verdicts
            && self.phases == o.phases
            && self.layers == o.layers
            && self.layer_words == o.layer_words
            && self.verdict_words == o.verdict_words
            && self.outer_turns == o.outer_turns
            && self.rigged == o.rigged
            && self.orders == o.orders
            && self.seen == o.seen
            && (0..n).all(|i| self.fibers.get(i).unwrap_or(&free).same(o.fibers.get(i).unwrap_or(&free)))
    }
}
impl Eq for State {}

impl State {
    /// Bytes that a clone of it copies.
    pub fn bytes(&self) -> usize {
        let fibers: usize = self
            .fibers
            .iter()
            .filter(|f| f.status != Status::Free)
            .map(|f| size_of::<Fiber>() + f.top as usize * 8 + f.links.len() * size_of::<Link>())
            .sum();
        size_of::<State>()
            + self.planes.len() * 8
            + self.cells.len() * 4
            + self.streams.len() * 8
            + self.verdicts.len()
            + self.layers.len() * size_of::<Layer>()
            + self.layer_words.len() * 8
            + self.seen.iter().map(|s| s.len() * 16).sum::<usize>()
            + fibers
    }

    /// Cuts each history back to a length.
    pub(crate) fn forget_seen(&mut self, lengths: &[u32]) {
        for (seen, n) in self.seen.iter_mut().zip(lengths) {
            seen.truncate(*n as usize);
        }
    }

    /// Makes this state like another, except for the fibers, which are moved out during speculative execution, and the histories, which only grow ([`State::forget_seen`]).
    pub(crate) fn copy_from(&mut self, o: &State) {
        fn same<T: Copy>(a: &mut Vec<T>, b: &[T]) {
            // Most are empty on both sides: that costs one test.
            if a.len() == b.len() {
                if !b.is_empty() {
                    a.copy_from_slice(b);
                }
            } else {
                a.clear();
                a.extend_from_slice(b);
            }
        }
        self.head = o.head;
        same(&mut self.planes, &o.planes);
        same(&mut self.cells, &o.cells);
        same(&mut self.streams, &o.streams);
        same(&mut self.verdicts, &o.verdicts);
        same(&mut self.phases, &o.phases);
        same(&mut self.layers, &o.layers);
        same(&mut self.layer_words, &o.layer_words);
        same(&mut self.verdict_words, &o.verdict_words);
        same(&mut self.outer_turns, &o.outer_turns);
        same(&mut self.rigged, &o.rigged);
        same(&mut self.orders, &o.orders);
    }

    /// Whether two states differ at most in the seed, that is, in chance that is still to come.
    pub fn same_but_chance(&self, other: &State) -> bool {
        let mut mine = self.clone();
        mine.head.seed = other.head.seed;
        mine == *other
    }

    /// How often each stream has drawn: the table's, then the players'.
    pub fn draws(&self) -> &[u64] {
        &self.streams
    }

    /// Rounds begun.
    pub fn round(&self) -> i32 {
        self.head.round
    }

    /// Turns begun.
    pub fn turns(&self) -> i32 {
        self.head.turns
    }

    /// Whose turn it is.
    pub fn turn(&self) -> Option<usize> {
        usize::try_from(self.head.turn).ok()
    }

    /// Numbers of the running phases, outermost first.
    pub fn phases(&self) -> impl Iterator<Item = u16> + '_ {
        self.phases.iter().map(|p| p.phase)
    }
}

/// How many words a set over a universe takes; 1 for one that does not exist.
pub(crate) fn words_of(p: &Program, u: usize) -> usize {
    p.universes.get(u).map_or(1, |u| u.w as usize)
}

/// No fiber.
pub(crate) const NOBODY: u16 = u16::MAX;
