//! The table of an information flow analysis: which hidden things names, values and results of rules may depend on. An entry is computed once for each context in which
//! it is used, and again when an entry that it depends on changes. So the work grows with the length of the text and not with the depth of calls.
//!
//! This file holds the data; [`super::look`] computes the entries.
use super::walk;
use crate::hir::*;
use houserule_text::Span;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

/// Contexts of one value or rule that have entries of their own; further ones share one entry.
const WAYS: usize = 64;
/// Reads that are kept of one name or call.
const READS: usize = 4;

/// Where components may lie: open to the observer, or in a zone that is not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Lies {
    /// Nothing is hidden from the observer.
    #[default]
    Open,
    /// They may lie in that zone.
    In(ZoneId),
    /// They may lie face down in that zone, which is open to the observer.
    Down(ZoneId),
    /// They may lie in the box and have come there hidden, out of that zone.
    Boxed(ZoneId),
    /// Of that kind, wherever they lie.
    Anywhere(KindId),
    /// Where the parameter of that number lies, which is judged where it is handed over; and whether it is sure to lie face up.
    Given(usize, bool),
}

impl Lies {
    pub fn join(self, other: Lies) -> Lies {
        if self == Lies::Open { other } else { self }
    }
}

/// A read of something that may be hidden.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Read {
    /// Where that lies.
    pub lies: Lies,
    /// What is read: `rank`, `the face`.
    pub what: Arc<str>,
    /// The place of the read: of the name or the call, where one of these does the reading.
    pub span: Span,
    /// The value or rule inside which it is read, if any.
    pub inside: Option<Arc<str>>,
    /// Where it was worked out, if it was given a name there.
    pub named: Option<Span>,
}

/// What is called.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Callee {
    /// A value.
    Value(ValueId),
    /// What a rule gives.
    Result(RuleId),
    /// The guards at a rule's head.
    Head(RuleId),
    /// Whether anything of a menu can be done.
    Menu(MenuId),
}

/// What is known of an argument.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Arg {
    /// Where it lies.
    pub lies: Lies,
    /// Whether it is the observer.
    pub mine: bool,
    /// Whether it is certainly somebody else.
    pub other: bool,
}

/// A body with what its first names stand for; see [`Calls::new_frame`].
pub type FrameId = usize;

/// What is worked out once.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A name of a body.
    Name(FrameId, LocalId),
    /// A way to a place in a body: what was decided before it is reached.
    Way(FrameId, usize),
    /// A call; `acts`: who acts there is the observer.
    Call { callee: Callee, given: Vec<Arg>, acts: bool },
}

/// What may be in something.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Found {
    /// Where the components that it stands for may lie.
    pub lies: Lies,
    /// What it reads.
    pub reads: Vec<Read>,
    /// Parameters that it is made of.
    pub given: BTreeSet<usize>,
    /// Hooks that it calls.
    pub hooks: Vec<HookId>,
}

impl Found {
    /// What one look has found.
    pub fn new(
        lies: Lies,
        reads: Vec<Read>,
        given: BTreeSet<usize>,
        hooks: impl Iterator<Item = HookId>,
    ) -> Found {
        let mut found = Found { lies, given, ..Found::default() };
        reads.into_iter().for_each(|r| found.add_read(r));
        hooks.for_each(|h| found.add_hook(h));
        found
    }

    fn add_read(&mut self, r: Read) {
        let new = |x: &Read| (x.lies, &x.what) != (r.lies, &r.what);
        if self.reads.iter().all(new) && (self.reads.len() < READS || matches!(r.lies, Lies::Given(..))) {
            self.reads.push(r);
        }
    }

    /// Which face the first thing handed over shows decides what is worked out.
    pub(super) fn note_face_told(&mut self, given: &[Arg]) {
        let lies = given.first().map_or(Lies::Open, |a| a.lies);
        if !matches!(lies, Lies::Open | Lies::Anywhere(_)) {
            self.add_read(Read {
                lies,
                what: "the face".into(),
                span: Span::default(),
                inside: None,
                named: None,
            });
        }
    }

    fn add_hook(&mut self, h: HookId) {
        if !self.hooks.contains(&h) {
            self.hooks.push(h);
        }
    }

    /// Takes another's in; `result`: what it stands for, too.
    pub(super) fn add_found(&mut self, other: Found, result: bool) {
        if result {
            self.lies = self.lies.join(other.lies);
        }
        other.reads.into_iter().for_each(|r| self.add_read(r));
        self.given.extend(other.given);
        other.hooks.into_iter().for_each(|h| self.add_hook(h));
    }
}

/// A definition of a name or result: an expression, and the decisions on the path to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Definition<'a> {
    pub from: &'a Expr,
    pub way: Option<usize>,
    /// Whether it is what a player picked from it. The log shows a pick to all, whatever the options depend on.
    pub picked: bool,
}

/// A decision on the way to a place.
#[derive(Debug)]
pub(super) struct Decision<'a> {
    pub by: Vec<&'a Expr>,
    pub before: Option<usize>,
}

/// What the names of a body are made of, and what it gives.
#[derive(Default, Debug)]
pub struct Flow<'a> {
    pub(super) made: HashMap<LocalId, Vec<Definition<'a>>>,
    pub(super) ways: Vec<Decision<'a>>,
    pub(super) gives: Vec<Definition<'a>>,
}

impl<'a> Flow<'a> {
    /// The names of a block.
    pub fn from_block(block: &'a [Stmt]) -> Flow<'a> {
        let mut flow = Flow::default();
        flow.go_through_block(block, None);
        flow
    }

    /// A name that is known from elsewhere: a parameter of an action.
    pub fn add_name(&mut self, l: LocalId, from: &'a Expr) {
        self.made.entry(l).or_default().push(Definition { from, way: None, picked: false });
    }

    /// Goes through a block; gives the way on which it goes on behind it.
    fn go_through_block(&mut self, block: &'a [Stmt], mut way: Option<usize>) -> Option<usize> {
        for s in block {
            let mut make = |l: LocalId, from: &'a Expr, way| {
                self.made.entry(l).or_default().push(Definition { from, way, picked: false })
            };
            match &s.kind {
                StmtKind::Let(l, e) | StmtKind::For(l, e, _) | StmtKind::As(l, e, _) => make(*l, e, None),
                StmtKind::Assign(Lhs::Local(l), _, e) => make(*l, e, way),
                StmtKind::Everyone(e) => make(e.me, &e.who, None),
                StmtKind::May(m) => m.by.iter().for_each(|p| make(m.me, p, None)),
                StmtKind::Give(e) => self.gives.push(Definition { from: e, way, picked: false }),
                StmtKind::Needs(g) => {
                    self.ways.push(Decision { by: vec![&g.cond], before: way });
                    way = Some(self.ways.len() - 1);
                }
                _ => {}
            }
            let (by, inner) = walk::stmt_parts(s);
            if inner.is_empty() {
                continue;
            }
            self.ways.push(Decision { by, before: way });
            let deeper = self.ways.len() - 1;
            for b in inner {
                let end = self.go_through_block(b, Some(deeper));
                // What ends the rule in there decides what comes behind.
                if end != Some(deeper) || is_ending(b) {
                    way = end;
                }
            }
        }
        way
    }
}

/// Whether a block itself ends the rule.
fn is_ending(b: &[Stmt]) -> bool {
    b.iter().any(|s| matches!(s.kind, StmtKind::Give(_) | StmtKind::Stop))
}

/// What the first names of a body stand for.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Bound {
    /// Paths of what is the observer.
    pub mine: Vec<String>,
    /// Where things lie.
    pub lies: Vec<(LocalId, Lies)>,
    /// Those who are certainly somebody else.
    pub others: Vec<LocalId>,
    /// Who acts there.
    pub me: Option<LocalId>,
}

/// A body with what its first names stand for.
pub(super) struct Frame<'a> {
    pub flow: Rc<Flow<'a>>,
    bound: Bound,
}

/// What is known of a node so far.
#[derive(Default)]
pub(super) struct Entry {
    pub found: Found,
    /// Who is made of it.
    pub used_by: HashSet<Node>,
}

#[derive(Default)]
pub(super) struct Table {
    pub entries: HashMap<Node, Entry>,
    /// Those to be worked out (again).
    pub open: Vec<Node>,
    ways: HashMap<Callee, usize>,
}

/// A body with the names of its parameters, by their numbers, and of who acts.
pub(super) type RuleBody<'a> = (&'a [Stmt], Vec<(usize, LocalId)>, Option<LocalId>);

/// Names and calls of a game, as far as they were asked for.
pub struct Calls<'a> {
    /// The game.
    pub model: &'a Model,
    pub(super) frames: RefCell<Vec<Frame<'a>>>,
    numbers: RefCell<HashMap<(*const Flow<'a>, Bound), FrameId>>,
    /// Of a body without names.
    pub(super) empty: Rc<Flow<'a>>,
    flows: RefCell<HashMap<*const u8, Rc<Flow<'a>>>>,
    pub(super) table: RefCell<Table>,
    /// The kinds that may come to the box hidden, and out of which zones.
    pub(super) boxed: OnceCell<Vec<(KindId, ZoneId)>>,
    /// What is attached in layers, with the names of the block that makes the layer.
    pub layered: Vec<(&'a Attachment, Rc<Flow<'a>>)>,
}

impl<'a> Calls<'a> {
    /// Of a game, nothing worked out yet.
    pub fn new(model: &'a Model) -> Rc<Calls<'a>> {
        let mut layered = Vec::new();
        walk::visit_rule_blocks(model, &mut |b| {
            let mut flow = None;
            walk::visit_stmts(b, &mut |s| {
                if let StmtKind::Attach(a) = &s.kind {
                    layered.push((&**a, flow.get_or_insert_with(|| Rc::new(Flow::from_block(b))).clone()));
                }
            });
        });
        Rc::new(Calls {
            model,
            frames: RefCell::default(),
            numbers: RefCell::default(),
            empty: Rc::default(),
            flows: RefCell::default(),
            table: RefCell::default(),
            boxed: OnceCell::new(),
            layered,
        })
    }

    /// A body with what its first names stand for.
    pub fn new_frame(&self, flow: &Rc<Flow<'a>>, bound: Bound) -> FrameId {
        let mut frames = self.frames.borrow_mut();
        *self.numbers.borrow_mut().entry((Rc::as_ptr(flow), bound)).or_insert_with_key(|(_, bound)| {
            frames.push(Frame { flow: flow.clone(), bound: bound.clone() });
            frames.len() - 1
        })
    }

    /// What the first names of a frame stand for.
    pub fn bound_of(&self, frame: FrameId) -> Bound {
        self.frames.borrow().get(frame).map(|f| f.bound.clone()).unwrap_or_default()
    }

    /// Whether a name is made of something in a frame's body.
    pub fn is_made(&self, frame: FrameId, l: LocalId) -> bool {
        self.frames.borrow().get(frame).is_some_and(|f| f.flow.made.contains_key(&l))
    }

    /// Whether who acts in a frame is the observer.
    pub fn is_acting(&self, frame: Option<FrameId>) -> bool {
        let frames = self.frames.borrow();
        let frame = frame.and_then(|f| frames.get(f));
        frame.is_some_and(|f| f.bound.me.is_some_and(|me| f.bound.mine.contains(&path_of_local(me))))
    }

    /// How something that is called is named.
    pub fn name_of(&self, callee: Callee) -> Arc<str> {
        let m = self.model;
        let name = match callee {
            Callee::Value(v) => m.values.get(v.index()).map(|v| &v.name),
            Callee::Result(r) | Callee::Head(r) => m.rules.get(r.index()).map(|r| &r.name),
            Callee::Menu(x) => m.menus.get(x.index()).map(|m| &m.name),
        };
        name.cloned().unwrap_or_else(|| "".into())
    }

    /// A call that is used in too many ways is taken as the worst of them.
    pub(super) fn widen(&self, node: Node) -> Node {
        let Node::Call { callee, given, acts } = node else { return node };
        let mut table = self.table.borrow_mut();
        let node = Node::Call { callee, given, acts };
        if table.entries.contains_key(&node) {
            return node;
        }
        let n = table.ways.entry(callee).or_default();
        *n += 1;
        if *n <= WAYS {
            return node;
        }
        let Node::Call { given, .. } = node else { return node };
        let lies = given.iter().fold(Lies::Open, |l, a| l.join(a.lies));
        Node::Call { callee, given: vec![Arg { lies, ..Arg::default() }; given.len()], acts: false }
    }

    /// A frame in which names stand for arguments.
    pub(super) fn bind_arguments(
        &self,
        flow: &Rc<Flow<'a>>,
        names: &[(usize, LocalId)],
        given: &[Arg],
        me: Option<LocalId>,
    ) -> FrameId {
        let of = |i: usize| given.get(i).cloned().unwrap_or_default();
        let mine =
            names.iter().filter(|(i, _)| of(*i).mine).map(|(_, l)| *l).chain(me).map(path_of_local).collect();
        let lies = names.iter().map(|(i, l)| (*l, of(*i).lies)).collect();
        let others = names.iter().filter(|(i, _)| of(*i).other).map(|(_, l)| *l).collect();
        self.new_frame(flow, Bound { mine, lies, others, me })
    }

    /// The names of a block.
    pub fn flow_of_block(&self, block: &'a [Stmt]) -> Rc<Flow<'a>> {
        let Some(first) = block.first() else { return self.empty.clone() };
        self.flows
            .borrow_mut()
            .entry(std::ptr::from_ref(first).cast())
            .or_insert_with(|| Rc::new(Flow::from_block(block)))
            .clone()
    }

    /// The names of an action's body: its parameters and the names of its head, too.
    pub fn flow_of_action(&self, a: &'a Action) -> Rc<Flow<'a>> {
        let make = || {
            let mut flow = Flow::from_block(&a.body);
            for p in a.params.iter().skip(usize::from(a.carrier.is_some())) {
                flow.made.entry(p.local).or_default().push(Definition {
                    from: &p.from,
                    way: None,
                    picked: true,
                });
            }
            for s in &a.head {
                if let HeadStep::Let(l, e) = s {
                    flow.add_name(*l, e);
                }
            }
            Rc::new(flow)
        };
        self.flows.borrow_mut().entry(std::ptr::from_ref(a).cast()).or_insert_with(make).clone()
    }

    /// The names of a block that stands in a layer, with those of the rule that makes the layer.
    pub fn join_flows(&self, outer: &Rc<Flow<'a>>, block: &'a [Stmt]) -> Rc<Flow<'a>> {
        let Some(first) = block.first() else { return outer.clone() };
        let make = || {
            let mut flow = Flow::from_block(block);
            flow.made.extend(
                outer
                    .made
                    .iter()
                    .map(|(l, m)| (*l, m.iter().map(|m| Definition { way: None, ..*m }).collect())),
            );
            Rc::new(flow)
        };
        self.flows.borrow_mut().entry(std::ptr::from_ref(first).cast()).or_insert_with(make).clone()
    }

    /// The bodies of a rule, each with the names of its parameters and of who acts: its own, those of members, and what stands in its place.
    pub(super) fn bodies_of(&self, r: RuleId) -> Vec<RuleBody<'a>> {
        let model = self.model;
        let Some(rule) = model.rules.get(r.index()) else { return Vec::new() };
        let plainly: Vec<(usize, LocalId)> = (0..rule.body.params).map(|i| (i, LocalId(i as u32))).collect();
        let fills = model.members.iter().flat_map(|m| &m.rule_fills).filter(|(f, _)| *f == r);
        let own = rule.body.body.as_ref().map(|b| (b, Some(rule.me)));
        let mut out: Vec<RuleBody<'a>> = own
            .into_iter()
            .chain(fills.map(|(_, b)| (&b.body, None)))
            .map(|(b, me)| (b.as_slice(), plainly.clone(), me))
            .collect();
        for a in &model.attachments {
            if let AttachKind::Instead(b) = &a.what {
                let heads = a.heads.iter().filter(|h| h.target == Target::Rule(r));
                out.extend(heads.map(|h| (b.as_slice(), bound_names(h), a.me)));
            }
        }
        out
    }
}

/// The names that a head gives to arguments.
pub fn bound_names(h: &Head) -> Vec<(usize, LocalId)> {
    let named = |(i, p): (usize, &Pattern)| match p {
        Pattern::Bind(l) | Pattern::Test(l, _) => Some((i, *l)),
        Pattern::Any => None,
    };
    h.patterns.iter().enumerate().filter_map(named).collect()
}

/// The path of a local.
pub fn path_of_local(l: LocalId) -> String {
    format!("l{}", l.0)
}
