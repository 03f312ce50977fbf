//! Code of one function while it is made: registers as a stack, labels, spans.
use crate::ir::*;
use houserule_model::body::flow::Fact;
use houserule_model::hir::{Expr, LocalId, Ty, ValueId};
use houserule_text::Span;
use rustc_hash::FxHashMap as HashMap;
use std::rc::Rc;

/// A place in the code that jumps go to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Label(pub usize);

/// What a name stands for while code is made.
#[derive(Clone, Debug)]
pub enum Bind {
    /// A register (sets: the first of theirs).
    Reg(R),
    /// An expression that is worked out wherever the name stands, with the names of where it was written.
    Alias(Rc<Expr>, usize),
    /// A pure function of expressions of another environment, called wherever the name stands.
    Call(FuncId, Rc<Vec<Expr>>, usize),
    /// The variable that is being lifted.
    Lifted,
}

/// What `no action` is, as far as it is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoAction {
    /// So.
    Known(bool),
    /// What a register holds.
    In(R),
}

/// How `proceed` goes on: the function, where its parameters stand with their words, and how many words it gives.
pub type Proceed = (FuncId, Vec<(R, u8)>, u8);

/// A value of what stands in some registers, and the register where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Available {
    /// Which.
    pub value: ValueId,
    /// Registers of its arguments.
    pub of: Vec<R>,
    /// Where it stands.
    pub at: R,
}

/// A set that a condition of an action's guards asks for: of which things a value is yes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TrialSet {
    /// Which.
    pub value: ValueId,
    /// Of the things of which universe.
    pub of: UniverseId,
    /// By a condition itself, not only by another such value.
    pub directly: bool,
}

/// One function in the making.
pub struct FnBuild {
    /// Code so far; jumps hold label numbers until [`FnBuild::finish`].
    pub code: Vec<Ins>,
    /// Spans of the code.
    pub spans: Vec<(u32, Span)>,
    /// Every place that code was made for, also where what stands inside it has taken its code over: what [`crate::passes::coverage`] marks.
    pub places: Vec<(u32, Span)>,
    labels: Vec<Option<u32>>,
    /// First free register.
    pub next: u16,
    /// Most registers used.
    pub most: u16,
    /// Names by environment: inlined values have their own.
    pub envs: Vec<HashMap<LocalId, Bind>>,
    /// The environment of what is being read.
    pub env: usize,
    /// Where a statement that meets none goes on; `None` in pure code.
    pub none_label: Option<Label>,
    /// Who acts, in effects.
    pub me: Option<R>,
    /// Where `stop` and `give` go, with the registers of what is given.
    pub exit_label: Option<Label>,
    /// Registers of the result.
    pub result: Option<R>,
    /// How `proceed` goes on.
    pub proceed: Option<Proceed>,
    /// What `usual` is.
    pub usual: Option<R>,
    /// While a value is modified: which value, and how many of its modifications lie below.
    pub below: Option<(ValueId, usize)>,
    /// What `no action` is.
    pub no_action: Option<NoAction>,
    /// Whether what is judged now has been tried: the position is not kept yet.
    pub is_behind_trial: bool,
    /// In turns that go on until all pass: the register that notes that somebody took an action.
    pub acted: Option<R>,
    /// Whether effects are made.
    pub is_effect: bool,
    /// Whether they are made to be tried: rules that are called stand in them.
    pub is_trial: bool,
    /// Depth of inlined values.
    pub depth: usize,
    /// Names that stand for a player but may be none: owners of what nobody holds.
    pub maybe_players: Vec<LocalId>,
    /// How many registers hold arguments that nothing overwrites.
    pub argument_words: R,
    /// Values of a function's own arguments that stand in registers already.
    pub available: Vec<Available>,
    /// Whether sets and values that do not hang on parameters are noted for the other actions of the menu.
    pub is_noting: bool,
    /// Values as sets of all things of a universe that stand in registers already.
    pub available_sets: Vec<((ValueId, UniverseId), R)>,
    /// In a trial: such sets as they are asked for.
    pub trial_sets: Vec<TrialSet>,
    /// In a trial: such values as they are asked for, with whether that is so whatever comes before; and from where on.
    pub trial_values: Option<(Vec<(Available, bool)>, usize)>,
    /// While a set of a universe is cut with what conditions say: the set. What is found for them need not go beyond it.
    pub cut_set: Option<(R, UniverseId)>,
    /// While a condition is vectorised that may fault: the set of the things of which it is asked, which has something in it.
    pub lifted_over: Option<(R, UniverseId)>,
    /// What guards have made certain for the code that comes, by environment.
    pub facts: Vec<(usize, Fact)>,
    /// What the first parameter is picked from, where that has been found.
    pub first_domain: Option<R>,
    /// What is being found by what lies on spaces is to lie on one of these; taken by whoever heeds it.
    pub wanted_spaces: Option<(R, UniverseId)>,
    /// Types of the names, by environment, that stand for sets and lists and may change.
    pub stored_types: HashMap<(usize, LocalId), Ty>,
    /// Names, by environment, of what was found by looking at what not all see; with whether even that nothing was found is a secret.
    pub secret_names: HashMap<(usize, LocalId), bool>,
}

impl FnBuild {
    /// A copy of the names of the present environment, with one more. What is certain of them is certain of the copy.
    pub fn extended_env(&mut self, name: LocalId, bind: Bind) -> Option<usize> {
        let mut names = self.envs.get(self.env)?.clone();
        names.insert(name, bind);
        self.envs.push(names);
        let (old, new) = (self.env, self.envs.len() - 1);
        let known: Vec<Fact> =
            self.facts.iter().filter(|(env, _)| *env == old).map(|(_, f)| f.clone()).collect();
        self.facts.extend(known.into_iter().map(|fact| (new, fact)));
        Some(new)
    }

    /// An empty function.
    pub fn new(effect: bool) -> Self {
        FnBuild {
            code: Vec::new(),
            spans: Vec::new(),
            places: Vec::new(),
            labels: Vec::new(),
            next: 0,
            most: 0,
            envs: vec![HashMap::default()],
            env: 0,
            none_label: None,
            me: None,
            exit_label: None,
            result: None,
            proceed: None,
            usual: None,
            below: None,
            no_action: None,
            is_behind_trial: false,
            acted: None,
            is_effect: effect,
            is_trial: false,
            depth: 0,
            maybe_players: Vec::new(),
            argument_words: 0,
            available: Vec::new(),
            trial_values: None,
            is_noting: false,
            available_sets: Vec::new(),
            trial_sets: Vec::new(),
            cut_set: None,
            lifted_over: None,
            facts: Vec::new(),
            wanted_spaces: None,
            first_domain: None,
            stored_types: HashMap::default(),
            secret_names: HashMap::default(),
        }
    }

    /// `n` fresh registers in a row. Beyond what a window holds the function is marked as too large and the numbers begin anew: its code is never run.
    pub fn alloc(&mut self, n: u8) -> R {
        if self.next + u16::from(n) > MOST_REGISTERS {
            self.most = u16::MAX;
            self.next = 0;
        }
        let r = self.next;
        self.next += u16::from(n);
        self.most = self.most.max(self.next);
        r as R
    }

    /// Adds an instruction.
    pub fn emit(&mut self, ins: Ins) {
        self.code.push(ins);
    }

    /// What follows was made from there.
    pub fn set_span(&mut self, span: Span) {
        let here = self.code.len() as u32;
        self.places.push((here, span));
        match self.spans.last_mut() {
            Some((c, s)) if *c == here => *s = span,
            Some((_, s)) if *s == span => {}
            _ => self.spans.push((here, span)),
        }
    }

    /// A label to be placed later.
    pub fn new_label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() - 1)
    }

    /// The label is here.
    pub fn place_label(&mut self, l: Label) {
        self.labels[l.0] = Some(self.code.len() as u32);
    }

    /// Whether what comes now is run whatever the code from a position on finds: no jump from there leads past here.
    pub fn is_straight_from(&self, from: usize) -> bool {
        let open = |l: u32| self.labels.get(l as usize).is_none_or(Option::is_none);
        !self.code.iter().skip(from).filter_map(Ins::target).any(open)
    }

    /// How much has been asked for in a trial.
    pub fn trial_mark(&self) -> (usize, usize) {
        (self.trial_values.as_ref().map_or(0, |(all, _)| all.len()), self.trial_sets.len())
    }

    /// What was asked for since was for code that has been given up.
    pub fn reset_trial(&mut self, (before, sets): (usize, usize)) {
        self.trial_sets.truncate(sets);
        if let Some((all, _)) = &mut self.trial_values {
            all.truncate(before);
        }
    }

    /// Whether some label has been placed there.
    pub fn labels_at(&self, at: u32) -> bool {
        self.labels.contains(&Some(at))
    }

    /// Jumps.
    pub fn jmp(&mut self, l: Label) {
        self.emit(Ins::Jmp { to: l.0 as u32 });
    }
    /// Jumps if false.
    pub fn jz(&mut self, a: R, l: Label) {
        self.emit(Ins::Jz { a, to: l.0 as u32 });
    }
    /// Jumps if true.
    pub fn jnz(&mut self, a: R, l: Label) {
        self.emit(Ins::Jnz { a, to: l.0 as u32 });
    }
    /// Jumps if none.
    pub fn jnone(&mut self, a: R, l: Label) {
        self.emit(Ins::JNone { a, to: l.0 as u32 });
    }

    /// A register with a number.
    pub fn load_number(&mut self, k: i64) -> R {
        let d = self.alloc(1);
        self.emit(Ins::Li { d, k: k as i32 });
        d
    }

    /// Binds a name in the present environment.
    pub fn bind(&mut self, l: LocalId, b: Bind) {
        let env = self.env;
        self.envs[env].insert(l, b);
    }

    /// A loop over a set: `i` runs through its elements (as they stand in the set); `body` then `next`.
    pub fn begin_loop(&mut self, s: R, w: u8) -> (R, Label, Label) {
        let i = self.load_number(NONE);
        let (top, end) = (self.new_label(), self.new_label());
        self.place_label(top);
        self.emit(Ins::SNext { i, s, w, to: end.0 as u32 });
        (i, top, end)
    }

    /// As [`FnBuild::begin_loop`] over the components in `s`, which is used up, in the order of what they show.
    pub fn begin_shown_loop(&mut self, s: R, u: u8) -> (R, Label, Label) {
        let i = self.alloc(1);
        let (top, end) = (self.new_label(), self.new_label());
        self.place_label(top);
        self.emit(Ins::TakeFirst { d: i, s, u, last: false });
        self.jnone(i, end);
        (i, top, end)
    }

    /// Code with jumps resolved, from position 0 on.
    pub fn finish(mut self) -> (Vec<Ins>, Vec<(u32, Span)>, u16) {
        let labels = std::mem::take(&mut self.labels);
        let end = self.code.len() as u32;
        for to in self.code.iter_mut().filter_map(Ins::target_mut) {
            *to = labels.get(*to as usize).copied().flatten().unwrap_or(end);
        }
        (self.code, self.spans, self.most)
    }
}
