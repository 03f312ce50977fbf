//! Builder for the code of one function: allocates registers as a stack, places labels, binds names, records source spans. Lowering fills it; `finish` resolves the jumps.
use crate::ir::*;
use houserule_model::body::flow::Fact;
use houserule_model::hir::{Expr, LocalId, Ty, ValueId};
use houserule_text::Span;
use rustc_hash::FxHashMap as HashMap;
use std::rc::Rc;

/// A jump target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Label(pub usize);

/// What a name is bound to while code is made.
#[derive(Clone, Debug)]
pub enum Bind {
    /// A register; of a set, its first register.
    Reg(R),
    /// An expression that is evaluated at each use of the name, in the environment with that number.
    Alias(Rc<Expr>, usize),
    /// A pure function that is called at each use of the name; its arguments are expressions of the environment with that number.
    Call(FuncId, Rc<Vec<Expr>>, usize),
    /// The variable over which a condition is lifted.
    Lifted,
}

/// The value of `no action`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoAction {
    /// Known at compile time.
    Known(bool),
    /// Held in a register.
    In(R),
}

/// Target of `proceed`: the function, the registers of its parameters with their widths, and the width of its result.
pub type Proceed = (FuncId, Vec<(R, u8)>, u8);

/// An available expression: a call of a value whose result is in a register.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Available {
    /// The value that is called.
    pub value: ValueId,
    /// Registers of its arguments.
    pub of: Vec<R>,
    /// Register of the result.
    pub at: R,
}

/// A set that a guard of an action needs: the things for which a value is true.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TrialSet {
    /// The value.
    pub value: ValueId,
    /// The universe of the things.
    pub of: UniverseId,
    /// Whether a condition needs it itself, and not only through another such value.
    pub directly: bool,
}

/// The state of one function while its code is made.
pub struct FnBuild {
    /// The code so far; jumps hold label numbers until [`FnBuild::finish`].
    pub code: Vec<Ins>,
    /// Source spans of the code.
    pub spans: Vec<(u32, Span)>,
    /// Every place of the text for which code was made, including places whose code belongs to an inner expression. [`crate::passes::coverage`] marks them.
    pub places: Vec<(u32, Span)>,
    labels: Vec<Option<u32>>,
    /// The first free register.
    pub next: u16,
    /// The highest number of registers in use so far.
    pub most: u16,
    /// Bindings of names, one map for each environment. Each inlined value has an environment of its own.
    pub envs: Vec<HashMap<LocalId, Bind>>,
    /// The environment of the expression that is lowered now.
    pub env: usize,
    /// Where a statement jumps to when a value that it needs is none; `None` in pure code.
    pub none_label: Option<Label>,
    /// The acting player, in effects.
    pub me: Option<R>,
    /// Where `stop` and `give` jump to.
    pub exit_label: Option<Label>,
    /// Registers of the result.
    pub result: Option<R>,
    /// Target of `proceed`.
    pub proceed: Option<Proceed>,
    /// Register of `usual`.
    pub usual: Option<R>,
    /// In a modified value: the value and the number of its modifications that are already applied.
    pub below: Option<(ValueId, usize)>,
    /// The value of `no action`.
    pub no_action: Option<NoAction>,
    /// Whether the code runs after an effect on trial: the position is not in the history yet.
    pub is_behind_trial: bool,
    /// In turns that go on until all pass: the register that records whether somebody has acted.
    pub acted: Option<R>,
    /// Whether the function is an effect.
    pub is_effect: bool,
    /// Whether the function is an effect on trial: called rules are inlined.
    pub is_trial: bool,
    /// Whether it is the body of `setup`, where a `needs` that does not hold refuses the set-up.
    pub is_setup: bool,
    /// Depth of inlining.
    pub depth: usize,
    /// Names of the type player that may be none: owners of components that nobody holds.
    pub maybe_players: Vec<LocalId>,
    /// Number of registers that hold arguments and are never overwritten.
    pub argument_words: R,
    /// Available expressions: values of the function's own arguments.
    pub available: Vec<Available>,
    /// Whether sets and values that do not depend on parameters are cached for the other actions of the menu.
    pub is_noting: bool,
    /// Available sets: for a value and a universe, the register of the set of things for which the value is true.
    pub available_sets: Vec<((ValueId, UniverseId), R)>,
    /// While lowering on trial: the sets that would be needed.
    pub trial_sets: Vec<TrialSet>,
    /// While lowering on trial: the values that would be needed, each with whether it is needed on every path; and the code position where the trial began.
    pub trial_values: Option<(Vec<(Available, bool)>, usize)>,
    /// While a set is filtered: that set and its universe. A vectorised condition need not be right for things outside of it.
    pub cut_set: Option<(R, UniverseId)>,
    /// While a condition that may fault is vectorised: the nonempty set of things for which it is evaluated.
    pub lifted_over: Option<(R, UniverseId)>,
    /// Facts that hold here because guards have been passed, by environment.
    pub facts: Vec<(usize, Fact)>,
    /// The domain of the first parameter, if it is computed already.
    pub first_domain: Option<R>,
    /// A set of spaces: things found by their space are wanted only if they lie on one of these. The code that uses it takes it out.
    pub wanted_spaces: Option<(R, UniverseId)>,
    /// Types of mutable names that hold sets and lists, by environment.
    pub stored_types: HashMap<(usize, LocalId), Ty>,
    /// Names, by environment, whose value depends on what not everybody sees; with whether even none or the empty set is a secret.
    pub secret_names: HashMap<(usize, LocalId), bool>,
}

impl FnBuild {
    /// Adds an environment: a copy of the present one with one more name. Facts are copied too. Returns its number.
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

    /// Creates an empty function.
    pub fn new(effect: bool) -> Self {
        FnBuild {
            code: Vec::with_capacity(32),
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
            is_setup: false,
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

    /// Allocates `n` consecutive registers. If the window is full, marks the function as too large and begins again at 0; such code is never run.
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

    /// Appends an instruction.
    pub fn emit(&mut self, ins: Ins) {
        self.code.push(ins);
    }

    /// Appends an instruction that puts its result into `n` new registers; returns the first of them.
    pub fn emit_new(&mut self, n: u8, make: impl FnOnce(R) -> Ins) -> R {
        let d = self.alloc(n);
        self.emit(make(d));
        d
    }

    /// Sets the source span of the code that follows.
    pub fn set_span(&mut self, span: Span) {
        self.places.push((self.code.len() as u32, span));
        self.resume_span(span);
    }

    /// Goes on with a place that was begun before its parts.
    pub fn resume_span(&mut self, span: Span) {
        let here = self.code.len() as u32;
        match self.spans.last_mut() {
            Some((c, s)) if *c == here => *s = span,
            Some((_, s)) if *s == span => {}
            _ => self.spans.push((here, span)),
        }
    }

    /// Creates a label without a position.
    pub fn new_label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() - 1)
    }

    /// Places a label at the present position.
    pub fn place_label(&mut self, l: Label) {
        self.labels[l.0] = Some(self.code.len() as u32);
    }

    /// Whether the present position is reached from position `from` on every path: no jump in between leads past it.
    pub fn is_straight_from(&self, from: usize) -> bool {
        let open = |l: u32| self.labels.get(l as usize).is_none_or(Option::is_none);
        !self.code.iter().skip(from).filter_map(Ins::target).any(open)
    }

    /// Number of values and sets that the trial has recorded.
    pub fn trial_mark(&self) -> (usize, usize) {
        (self.trial_values.as_ref().map_or(0, |(all, _)| all.len()), self.trial_sets.len())
    }

    /// Drops what the trial has recorded since that mark: the code that needed it was given up.
    pub fn reset_trial(&mut self, (before, sets): (usize, usize)) {
        self.trial_sets.truncate(sets);
        if let Some((all, _)) = &mut self.trial_values {
            all.truncate(before);
        }
    }

    /// Emits a jump.
    pub fn jmp(&mut self, l: Label) {
        self.emit(Ins::Jmp { to: l.0 as u32 });
    }
    /// Emits a jump if false.
    pub fn jz(&mut self, a: R, l: Label) {
        self.emit(Ins::Jz { a, to: l.0 as u32 });
    }
    /// Emits a jump if true.
    pub fn jnz(&mut self, a: R, l: Label) {
        self.emit(Ins::Jnz { a, to: l.0 as u32 });
    }
    /// Emits a jump if the truth value is `when`.
    pub fn jump_if(&mut self, a: R, when: bool, l: Label) {
        if when { self.jnz(a, l) } else { self.jz(a, l) }
    }
    /// Emits a jump if none.
    pub fn jnone(&mut self, a: R, l: Label) {
        self.emit(Ins::JNone { a, to: l.0 as u32 });
    }

    /// Emits a call of an effect function with the acting player (or none) and values that are in registers, each with its width. Returns the register of the result.
    pub fn call(&mut self, func: FuncId, me: Option<R>, args: &[(R, u8)], results: u8) -> R {
        let words: u8 = args.iter().map(|(_, w)| w).sum();
        let at = self.alloc((1 + words).max(results).max(1));
        self.emit(match me {
            Some(a) => Ins::Mov { d: at, a },
            None => Ins::Li { d: at, k: NONE as i32 },
        });
        let mut d = at + 1;
        for (a, n) in args {
            self.emit(Ins::MovN { d, a: *a, n: *n });
            d += n;
        }
        self.emit(Ins::Call { at, f: func });
        at
    }

    /// Emits the end of the function or of the inlined rule: what `stop` does.
    pub fn leave(&mut self) {
        match self.exit_label {
            Some(exit) => self.jmp(exit),
            None => self.emit(Ins::Ret),
        }
    }

    /// Loads a number into a new register.
    pub fn load_number(&mut self, k: i64) -> R {
        self.emit_new(1, |d| Ins::Li { d, k: k as i32 })
    }

    /// Loads the index of the first or last component of the ordered place in register `p` into a new register.
    pub fn load_end_index(&mut self, p: R, last: bool) -> R {
        let i = self.load_number(0);
        if last {
            self.emit(Ins::ZLen { d: i, p });
            self.emit(Ins::AddK { d: i, a: i, k: -1 });
        }
        i
    }

    /// Binds a name in the present environment.
    pub fn bind(&mut self, l: LocalId, b: Bind) {
        let env = self.env;
        self.envs[env].insert(l, b);
    }

    /// Begins a loop over a set. Returns the register of the element (as it stands in the set) and the labels of the next round and of the end.
    pub fn begin_loop(&mut self, s: R, w: u8) -> (R, Label, Label) {
        let i = self.load_number(NONE);
        let (top, end) = (self.new_label(), self.new_label());
        self.place_label(top);
        self.emit(Ins::SNext { i, s, w, to: end.0 as u32 });
        (i, top, end)
    }

    /// Like [`FnBuild::begin_loop`] over the components in `s`, in the order of what they show. It empties `s`.
    pub fn begin_shown_loop(&mut self, s: R, u: u8) -> (R, Label, Label) {
        let i = self.alloc(1);
        let (top, end) = (self.new_label(), self.new_label());
        self.place_label(top);
        self.emit(Ins::TakeFirst { d: i, s, u, last: false });
        self.jnone(i, end);
        (i, top, end)
    }

    /// Like [`FnBuild::begin_loop`] over the elements of a list, in its order.
    pub fn begin_list_loop(&mut self, l: R) -> (R, Label, Label) {
        let (at, i) = (self.load_number(0), self.alloc(1));
        let (top, end) = (self.new_label(), self.new_label());
        self.place_label(top);
        self.emit(Ins::LGet { d: i, l, i: at });
        self.jnone(i, end);
        self.emit(Ins::AddK { d: at, a: at, k: 1 });
        (i, top, end)
    }

    /// A register becomes none where code jumps to the label; code that comes here by itself goes round that.
    pub fn none_from(&mut self, d: R, label: Label) {
        let end = self.new_label();
        self.jmp(end);
        self.place_label(label);
        self.emit(Ins::Li { d, k: NONE as i32 });
        self.place_label(end);
    }

    /// Resolves the jumps, counted from position 0. Returns code, spans and the number of registers.
    pub fn finish(mut self) -> (Vec<Ins>, Vec<(u32, Span)>, u16) {
        let labels = std::mem::take(&mut self.labels);
        let end = self.code.len() as u32;
        for to in self.code.iter_mut().filter_map(Ins::target_mut) {
            *to = labels.get(*to as usize).copied().flatten().unwrap_or(end);
        }
        (self.code, self.spans, self.most)
    }
}
