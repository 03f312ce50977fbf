//! Finds what an expression reads of hidden things (information flow analysis of expressions).
//!
//! For every expression that gives components this follows where they may lie; a read of something printed on one that lies hidden is noted, with the zone. How
//! many there are, whether there is one, and a component's number are no secrets. A condition that makes sure that the observer knows a thing
//! (`sees(me, c) and …`), or that it lies face up (`c.up and …`), allows the reads behind it. Names, values and results of rules stand for what they were worked
//! out from ([`super::taint`]).
use super::boxed;
use super::seen::{self, Holds};
use super::taint::{Arg, Callee, Calls, Definition, Found, FrameId, Node, bound_names, path_of_local};
pub use super::taint::{Lies, Read};
use super::{flow, types, walk};
use crate::hir::*;
use houserule_text::Span;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

/// What is read of a thing by whether what it brings is in force.
pub const BY_EFFECT: &str = "the face, by what it does,";

/// Something that a condition has made sure of.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Sure {
    /// The one who looks knows the face of the thing of this path.
    Known(String),
    /// The thing of this path lies face up.
    Up(String),
    /// The player of this path is not the observer.
    Other(String),
    /// The thing of this path lies there.
    At(String, Lies),
    /// The thing of this path lies in a zone of a player.
    Held(String),
    /// The thing of this path lies on a space.
    OnSpace(String),
}

/// One look through expressions.
pub struct Look<'a> {
    model: &'a Model,
    calls: Rc<Calls<'a>>,
    /// Paths of what is the observer.
    mine: HashSet<String>,
    lies: HashMap<LocalId, Lies>,
    /// Whose names these are.
    frame: Option<FrameId>,
    /// What is worked out: who calls something is worked out again when that turns out otherwise.
    node: Option<Node>,
    /// Names whose reads were noted already.
    followed: HashSet<LocalId>,
    /// What the conditions passed so far have made sure of.
    sure: Vec<Sure>,
    /// What was found.
    pub reads: Vec<Read>,
    /// Parameters that count.
    pub given: BTreeSet<usize>,
    /// Hooks that are called on the way, with the place in the guard.
    pub hooks: Vec<(HookId, Span)>,
}

impl<'a> Look<'a> {
    /// A look by the player of one of these locals. Without locals, everything that some player may not see is hidden.
    pub fn new(calls: &Rc<Calls<'a>>, mine: impl IntoIterator<Item = LocalId>) -> Self {
        Look {
            model: calls.model,
            calls: calls.clone(),
            mine: mine.into_iter().map(path_of_local).collect(),
            lies: HashMap::default(),
            frame: None,
            node: None,
            followed: HashSet::default(),
            sure: Vec::new(),
            reads: Vec::new(),
            given: BTreeSet::new(),
            hooks: Vec::new(),
        }
    }

    /// A look with the names of a body, by the observer of its frame.
    pub fn in_frame(calls: &Rc<Calls<'a>>, frame: FrameId, node: Option<Node>) -> Self {
        let bound = calls.bound_of(frame);
        let mut look = Look { frame: Some(frame), node, ..Look::new(calls, []) };
        look.mine.extend(bound.mine);
        look.lies.extend(bound.lies);
        look.sure.extend(bound.others.into_iter().map(|l| Sure::Other(path_of_local(l))));
        look
    }

    /// Notes what is worked out by this look.
    pub fn set_node(&mut self, node: Node) {
        self.node = Some(node);
    }

    /// Tells where what a local stands for may lie.
    pub fn bind(&mut self, local: LocalId, lies: Lies) {
        self.lies.insert(local, lies);
    }

    /// What was found, of what is to be worked out for others.
    pub fn into_found(self, lies: Lies) -> Found {
        Found::new(lies, self.reads, self.given, self.hooks.into_iter().map(|(h, _)| h))
    }

    fn is_mine(&self, e: &Expr) -> bool {
        flow::path(e).is_some_and(|p| self.mine.contains(&p))
    }

    fn is_sure(&self, what: fn(String) -> Sure, e: &Expr) -> bool {
        !self.sure.is_empty() && flow::path(e).is_some_and(|p| self.sure.contains(&what(p)))
    }

    /// Where the thing lies that a name stands for, if that is known.
    pub fn lies_of(&self, l: LocalId) -> Lies {
        self.lies.get(&l).copied().unwrap_or_default()
    }

    /// Where things lie that are brought to a place.
    pub fn lies_at(&self, place: &Expr) -> Lies {
        match &*place.kind {
            ExprKind::PlaceOf(base, z, _) => self.lies_in(base.as_ref(), *z),
            _ => Lies::Open,
        }
    }

    /// Where the things of a zone lie: open, or hidden there.
    fn lies_in(&self, base: Option<&Expr>, z: ZoneId) -> Lies {
        let Some(zone) = self.model.zones.get(z.index()) else { return Lies::Open };
        let holds = self.holder_relation(base);
        if !seen::is_seen(self.model, zone, holds) {
            return Lies::In(z);
        }
        if holds != Holds::Own && self.may_lie_down(z) { Lies::Down(z) } else { Lies::Open }
    }

    /// Where the things of a kind in the box lie: open, or as what came there hidden.
    fn lies_in_box(&self, k: KindId) -> Lies {
        let related = |x: &KindId| types::is_a(self.model, *x, k) || types::is_a(self.model, k, *x);
        let boxed = self.calls.boxed.get_or_init(|| boxed::find(&self.calls));
        boxed.iter().find(|(x, _)| related(x)).map_or(Lies::Open, |(_, z)| Lies::Boxed(*z))
    }

    /// How the observer stands to a zone's holder.
    fn holder_relation(&self, base: Option<&Expr>) -> Holds {
        let other = |b: &Expr| {
            let opponent = matches!(&*b.kind, ExprKind::Builtin(Builtin::Opponent, a) if a.first().is_some_and(|x| self.is_mine(x)));
            opponent || self.is_sure(Sure::Other, b)
        };
        match base {
            Some(b) if self.is_mine(b) => Holds::Own,
            Some(b) if other(b) => Holds::Others,
            _ => Holds::Unknown,
        }
    }

    /// Whether a set holds players other than the observer alone.
    fn are_others(&self, e: &Expr) -> bool {
        match &*e.kind {
            ExprKind::Builtin(Builtin::Others, a) => a.first().is_some_and(|x| self.is_mine(x)),
            ExprKind::Builtin(Builtin::AsSet | Builtin::Reversed, a) => {
                a.first().is_some_and(|x| self.are_others(x))
            }
            ExprKind::Without(_, x) => {
                let x = match &*x.kind {
                    ExprKind::Set(one) if one.len() == 1 => one.first().unwrap_or(x),
                    _ => x,
                };
                self.is_mine(x)
            }
            ExprKind::Where(s, ..) => self.are_others(s),
            _ => false,
        }
    }

    /// A name for each of a set, one after the other.
    pub fn bind_elements(&mut self, l: LocalId, over: &Expr, lies: Lies) {
        if self.are_others(over) {
            self.sure.push(Sure::Other(path_of_local(l)));
        }
        self.lies.insert(l, lies);
    }

    /// Notes what is sure where a condition holds, or does not.
    pub fn assume_cond(&mut self, e: &Expr, holds: bool) {
        match &*e.kind {
            ExprKind::And(a, b) if holds => {
                self.assume_cond(a, true);
                self.assume_cond(b, true);
            }
            ExprKind::Or(a, b) if !holds => {
                self.assume_cond(a, false);
                self.assume_cond(b, false);
            }
            ExprKind::Not(x) => self.assume_cond(x, !holds),
            ExprKind::Builtin(Builtin::Sees, a) if holds => {
                if let [p, x] = a.as_slice()
                    && self.is_mine(p)
                {
                    self.sure.extend(flow::path(x).map(Sure::Known));
                }
            }
            ExprKind::IsSome(x) if holds => {
                if let ExprKind::Builtin(which @ (Builtin::Holder | Builtin::At), a) = &*x.kind {
                    let sure = if *which == Builtin::At { Sure::OnSpace } else { Sure::Held };
                    self.sure.extend(a.first().and_then(flow::path).map(sure));
                }
            }
            ExprKind::In(x, s) if holds && matches!(&*s.kind, ExprKind::Zone(..)) => {
                let lies = self.look_at(s);
                self.sure.extend(flow::path(x).map(|p| Sure::At(p, lies)));
            }
            ExprKind::Builtin(Builtin::Up, a) if holds => {
                self.sure.extend(a.first().and_then(flow::path).map(Sure::Up));
            }
            ExprKind::Compare(how @ (Comparison::Eq | Comparison::Ne), a, b)
                if holds == (*how == Comparison::Ne) =>
            {
                for (x, y) in [(a, b), (b, a)] {
                    if self.is_mine(x) {
                        self.sure.extend(flow::path(y).map(Sure::Other));
                    }
                }
            }
            _ => {}
        }
    }

    /// Where a thing may lie, after what is sure of it.
    pub fn read(&mut self, e: &Expr) -> Lies {
        match self.look_at(e) {
            Lies::Open => Lies::Open,
            lies => match flow::path(e) {
                Some(path) => self.narrow_lies(&path, lies),
                None => self.resolve_anywhere(lies, |_| true),
            },
        }
    }

    /// Where the thing of a path may lie, after what is sure of it.
    fn narrow_lies(&self, path: &str, lies: Lies) -> Lies {
        let (mut lies, mut held, mut on_space) = (lies, false, false);
        for sure in &self.sure {
            match sure {
                Sure::Known(p) if p == path => return Lies::Open,
                Sure::At(p, there) if p == path && matches!(lies, Lies::Anywhere(_)) => lies = *there,
                Sure::Held(p) => held |= p == path,
                Sure::OnSpace(p) => on_space |= p == path,
                _ => {}
            }
        }
        let of = |z: &Zone| {
            let player = z.of == Some(builtin_kinds::PLAYER);
            let space = z.of.is_some_and(|k| types::is_space(self.model, k));
            (!held || player) && (!on_space || space)
        };
        match self.resolve_anywhere(lies, of) {
            Lies::Down(_) if self.sure.contains(&Sure::Up(path.to_string())) => Lies::Open,
            Lies::Given(i, false) => Lies::Given(i, self.sure.contains(&Sure::Up(path.to_string()))),
            lies => lies,
        }
    }

    /// Of things that may lie anywhere, a zone among those that may be meant where they are hidden.
    fn resolve_anywhere(&self, lies: Lies, of: impl Fn(&Zone) -> bool) -> Lies {
        let Lies::Anywhere(k) = lies else { return lies };
        let holds = |z: &Zone| {
            z.holds.iter().any(|h| types::is_a(self.model, *h, k) || types::is_a(self.model, k, *h))
        };
        let zones = || self.model.zones.iter().enumerate().filter(|(_, z)| holds(z) && of(z));
        let hidden = zones().find(|(_, z)| !seen::is_seen(self.model, z, Holds::Unknown));
        match (hidden, zones().find(|(i, _)| self.may_lie_down(ZoneId(*i as u32)))) {
            (Some((i, _)), _) => Lies::In(ZoneId(i as u32)),
            (None, Some((i, _))) => Lies::Down(ZoneId(i as u32)),
            _ => Lies::Open,
        }
    }

    /// Whether something may lie face down in a zone.
    fn may_lie_down(&self, zone: ZoneId) -> bool {
        self.model.face_down.contains(&zone)
    }

    /// An attachment that is in force on a hidden card reveals the card to those who do not see it.
    pub fn note_in_force(&mut self, a: &Attachment) {
        let holds = if self.is_of_holder(a) { Holds::Own } else { Holds::Unknown };
        if let Some(carrier) = &a.carrier {
            self.note_carrier(carrier, holds, a.span);
        }
    }

    /// Reports the face of a component that brings an action or an attachment, if it may be in force in a zone that the observer does not see, and what the
    /// zone's `active when` reads.
    pub fn note_carrier(&mut self, carrier: &Carrier, holds: Holds, span: Span) {
        let kind = match carrier {
            Carrier::Kind(k) => Some(*k),
            Carrier::Member(m) => self.model.members.get(m.index()).map(|m| m.kind),
        };
        let Some(kind) = kind else { return };
        let active = |z: &Zone| {
            let may_lie = |k: &KindId| types::is_a(self.model, *k, kind) || types::is_a(self.model, kind, *k);
            !matches!(z.active, Active::Never) && z.holds.iter().any(may_lie)
        };
        let zones = || self.model.zones.iter().enumerate().filter(|(_, z)| active(z));
        let hidden = zones().find(|(_, z)| !seen::is_seen(self.model, z, holds));
        // What lies face down is known to who holds it, and acts on if `active when` asks for its face to be up.
        let down = zones().find(|(i, z)| {
            let own = holds == Holds::Own && z.of == Some(builtin_kinds::PLAYER);
            !own && self.may_lie_down(ZoneId(*i as u32)) && !active_condition(z).is_some_and(is_up)
        });
        let lies = match (hidden, down) {
            (Some((z, _)), _) => Lies::In(ZoneId(z as u32)),
            (None, Some((z, _))) => Lies::Down(ZoneId(z as u32)),
            (None, None) => Lies::Open,
        };
        let limits: Vec<&Expr> = zones().filter_map(|(_, z)| active_condition(z)).collect();
        self.note_leak(lies, span, BY_EFFECT);
        // The condition has names of its own: the thing, and who holds it.
        for limit in limits {
            let owner = (holds == Holds::Own).then_some(LocalId(1));
            let mut look = Look { node: self.node.clone(), ..Look::new(&self.calls, owner) };
            look.look_at(limit);
            self.reads.append(&mut look.reads);
            self.hooks.append(&mut look.hooks);
        }
    }

    /// Whether an attachment concerns its owner alone, who is the observer.
    pub fn is_of_holder(&self, a: &Attachment) -> bool {
        let Some(owner) = a.owner.map(path_of_local) else { return false };
        let is_owner = |e: &Expr| flow::path(e).as_ref() == Some(&owner);
        let acts = a.me.is_some_and(|me| self.mine.contains(&path_of_local(me)));
        let same = |c: &Expr| match &*c.kind {
            ExprKind::Compare(Comparison::Eq, x, y) => {
                is_owner(x) && self.is_mine(y) || is_owner(y) && self.is_mine(x)
            }
            _ => false,
        };
        acts && a.by.as_ref().is_some_and(is_owner)
            || a.when.as_ref().is_some_and(|w| walk::joined_conditions(w).into_iter().any(same))
    }

    /// Makes the player of a path the observer.
    pub fn add_mine(&mut self, l: LocalId) {
        self.mine.insert(path_of_local(l));
    }

    /// Notes a read of something that lies there.
    pub fn note_leak(&mut self, lies: Lies, span: Span, what: impl Into<Arc<str>>) {
        if !matches!(lies, Lies::Open | Lies::Anywhere(_)) {
            self.reads.push(Read { lies, what: what.into(), span, inside: None, named: None });
        }
    }

    /// Takes over what was found in a name or a call, as read at this place.
    fn take_found(&mut self, found: &Found, span: Span, inside: Option<&Arc<str>>) -> Lies {
        let named = inside.is_none();
        self.reads.extend(found.reads.iter().map(|r| Read {
            span,
            inside: inside.cloned().or_else(|| r.inside.clone().filter(|_| named)),
            named: named.then_some(r.span),
            ..r.clone()
        }));
        self.given.extend(&found.given);
        self.hooks.extend(found.hooks.iter().map(|h| (*h, span)));
        found.lies
    }

    /// A name stands for what it was worked out from.
    fn look_at_local(&mut self, l: LocalId, used: Span) -> Lies {
        if let Some(lies) = self.lies.get(&l) {
            if let Lies::Given(i, _) = lies {
                self.given.insert(*i);
            }
            return *lies;
        }
        let Some(frame) = self.frame.filter(|f| self.calls.is_made(*f, l)) else { return Lies::Open };
        let found = self.calls.ask_node(Node::Name(frame, l), self.node.as_ref());
        if self.followed.insert(l) { self.take_found(&found, used, None) } else { found.lies }
    }

    /// Looks into what is called, with what its arguments stand for.
    fn look_at_call(&mut self, span: Span, callee: Callee, args: &[Expr], acts: bool) -> Lies {
        let given = args
            .iter()
            .map(|a| Arg {
                lies: self.read(a),
                mine: self.is_mine(a),
                other: self.holder_relation(Some(a)) == Holds::Others,
            })
            .collect();
        let found = self.calls.ask_node(Node::Call { callee, given, acts }, self.node.as_ref());
        let name = self.calls.name_of(callee);
        self.take_found(&found, span, Some(&name))
    }

    fn look_at_all(&mut self, es: &[&Expr]) -> Lies {
        let mut out = Lies::Open;
        for e in es {
            out = out.join(self.look_at(e));
        }
        out
    }

    /// Looks through an expression; gives where the components that it stands for may lie.
    pub fn look_at(&mut self, e: &Expr) -> Lies {
        use ExprKind::*;
        match &*e.kind {
            Local(l) => self.look_at_local(*l, e.span),
            Zone(base, z, index) => {
                for p in base.iter().chain(index) {
                    self.look_at(p);
                }
                self.lies_in(base.as_ref(), *z)
            }
            Box(k) => self.lies_in_box(*k),
            Attr(base, a) => {
                let lies = self.read(base);
                if let Some(attr) = self.model.attrs.get(a.index())
                    && attr.side != AttrSide::Back
                {
                    // What the checker notes of a thing says what the thing does.
                    let own = self.model.is_own(*a);
                    let what = if own { BY_EFFECT.into() } else { format!("`{}`", attr.name) };
                    self.note_leak(lies, e.span, what);
                }
                Lies::Open
            }
            IsFace(base, _, key) => {
                let lies = self.read(base);
                if let Some(k) = key {
                    self.look_at(k);
                }
                self.note_leak(lies, e.span, "the face");
                Lies::Open
            }
            IsKind(base, k) => {
                let lies = self.look_at(base);
                // Of what a kind's zone holds it is known to all; else the face says it.
                if !types::kinds_of(&types::plain(&base.ty)).iter().all(|x| types::is_a(self.model, *x, *k)) {
                    self.note_leak(lies, e.span, "the kind");
                }
                Lies::Open
            }
            In(x, s)
                if let All(k) = &*s.kind
                    && types::is_component(self.model, *k)
                    && !types::kinds_of(&types::plain(&x.ty))
                        .iter()
                        .all(|y| types::is_a(self.model, *y, *k)) =>
            {
                let lies = self.look_at(x);
                self.note_leak(lies, e.span, "the kind");
                Lies::Open
            }
            Builtin(b, args) => {
                let mut lies = Lies::Open;
                for a in args {
                    lies = lies.join(self.read(a));
                }
                match b.facts().shows {
                    builtins::Shows::Printed(what) => self.note_leak(lies, e.span, what),
                    builtins::Shows::Components => return lies,
                    builtins::Shows::Nothing => {}
                }
                Lies::Open
            }
            In(x, s) if matches!(s.ty, Ty::Filter(_)) => {
                let lies = self.read(x);
                self.look_at(s);
                self.note_leak(lies, e.span, "the face");
                Lies::Open
            }
            Where(s, l, p) => {
                let lies = self.look_at(s);
                let sure = self.sure.len();
                self.bind_elements(*l, s, lies);
                self.look_at(p);
                self.assume_cond(p, true);
                let lies = self.lies_after(*l, lies);
                self.sure.truncate(sure);
                lies
            }
            And(a, b) | Or(a, b) => {
                self.look_at(a);
                let sure = self.sure.len();
                self.assume_cond(a, matches!(&*e.kind, And(..)));
                self.look_at(b);
                self.sure.truncate(sure);
                Lies::Open
            }
            Fold(f) => {
                let lies = self.look_at(&f.over);
                let sure = self.sure.len();
                self.bind_elements(f.var, &f.over, lies);
                if let Some(c) = &f.cond {
                    self.look_at(c);
                    self.assume_cond(c, true);
                }
                let bodies = self.look_at_all(&f.bodies.iter().collect::<Vec<_>>());
                let lies = self.lies_after(f.var, lies);
                self.sure.truncate(sure);
                match f.op {
                    FoldOp::Least | FoldOp::Most => lies,
                    FoldOp::Union | FoldOp::Collect => bodies,
                    _ => Lies::Open,
                }
            }
            Let(l, x, b) => {
                let lies = self.read(x);
                self.lies.insert(*l, lies);
                if self.is_mine(x) {
                    self.mine.insert(path_of_local(*l));
                }
                self.look_at(b)
            }
            If(c, a, b) => {
                self.look_at(c);
                let sure = self.sure.len();
                self.assume_cond(c, true);
                let yes = self.read(a);
                self.sure.truncate(sure);
                self.assume_cond(c, false);
                let no = self.read(b);
                self.sure.truncate(sure);
                yes.join(no)
            }
            Choose(c) => {
                let (reads, given) = (self.reads.len(), self.given.clone());
                let lies = self.look_at(&c.from);
                if matches!(c.by, Chooser::Player(_)) {
                    // It was told by the answer.
                    self.reads.truncate(reads);
                    self.given = given;
                }
                lies
            }
            All(k) if types::is_component(self.model, *k) => Lies::Anywhere(*k),
            First { n, of, .. } => {
                if let Some(n) = n {
                    self.look_at(n);
                }
                self.look_at(of)
            }
            The(of) => self.look_at(of),
            Nth(of, n) => {
                self.look_at(n);
                self.look_at(of)
            }
            Union(a, b) | Default(a, b) => self.look_at_all(&[a, b]),
            Without(a, b) => {
                self.look_at(b);
                self.look_at(a)
            }
            Set(es) | List(es) => self.look_at_all(&es.iter().collect::<Vec<_>>()),
            Value(v, args) => self.look_at_call(e.span, Callee::Value(*v), args, false),
            Rule(r, by, args) => {
                let acts = by.as_ref().map_or_else(|| self.calls.is_acting(self.frame), |p| self.is_mine(p));
                self.look_at_call(e.span, Callee::Result(*r), args, acts)
            }
            CanRule(r, by, args) => {
                let acts = by.as_ref().map_or_else(|| self.calls.is_acting(self.frame), |p| self.is_mine(p));
                self.look_at_call(e.span, Callee::Head(*r), args, acts);
                Lies::Open
            }
            CanMenu(p, menu, args) => {
                let acts = self.is_mine(p);
                self.look_at(p);
                self.look_at_call(e.span, Callee::Menu(*menu), args, acts);
                Lies::Open
            }
            Hook(h, args) => {
                self.hooks.push((*h, e.span));
                self.look_at_all(&args.iter().collect::<Vec<_>>());
                Lies::Open
            }
            _ => {
                for p in walk::subexprs(e) {
                    self.look_at(p);
                }
                Lies::Open
            }
        }
    }

    /// Where those of a set lie that have passed a condition on the name for each.
    fn lies_after(&self, l: LocalId, lies: Lies) -> Lies {
        if lies == Lies::Open {
            return lies;
        }
        let narrowed = self.narrow_lies(&path_of_local(l), lies);
        // Of what may still lie anywhere, a later condition may say more.
        if narrowed == self.resolve_anywhere(lies, |_| true) { lies } else { narrowed }
    }

    /// Looks through the guards of an action, in order.
    pub fn look_at_action(&mut self, a: &'a Action) {
        for (i, p) in a.params.iter().enumerate() {
            // A component's own action is taken where it lies in force, by who holds it: there it must be seen.
            let carrier = a.carrier.as_ref().filter(|_| i == 0);
            let lies = match carrier {
                Some(carrier) => {
                    self.note_carrier(carrier, Holds::Own, a.span);
                    Lies::Open
                }
                None => self.look_at(&p.from),
            };
            self.bind_elements(p.local, &p.from, lies);
            if let Some(f) = &p.filter {
                self.look_at(f);
                self.assume_cond(f, true);
            }
            if let Many::Subset { min, max } = &p.many {
                for e in min.iter().chain(max) {
                    self.look_at(e);
                }
            }
        }
        if let Some(w) = &a.when {
            self.look_at(w);
        }
        for s in &a.head {
            match s {
                HeadStep::Let(l, e) => {
                    let lies = self.look_at(e);
                    self.bind(*l, lies);
                }
                HeadStep::Needs(g) => self.look_at_guard(g),
                HeadStep::MustLeave(_) => {}
            }
        }
    }

    /// Looks through one guard and the text of its reason.
    pub fn look_at_guard(&mut self, g: &'a Guard) {
        self.look_at(&g.cond);
        self.assume_cond(&g.cond, true);
        self.look_at_text(g.reason.as_ref());
    }

    /// Looks through what a text shows.
    pub fn look_at_text(&mut self, t: Option<&'a Text>) {
        for h in t.into_iter().flat_map(walk::hole_exprs) {
            self.look_at(h);
        }
    }
}

/// Computes the entries of names and calls, which depend on those of other names and calls, to a fixed point.
impl<'a> Calls<'a> {
    /// What a name or call depends on, as far as it is known; the whole result outside of a running computation.
    pub fn ask_node(self: &Rc<Self>, node: Node, by: Option<&Node>) -> Found {
        let node = self.widen(node);
        {
            let mut table = self.table.borrow_mut();
            let table = &mut *table;
            if !table.entries.contains_key(&node) {
                table.open.push(node.clone());
            }
            let entry = table.entries.entry(node.clone()).or_default();
            if let Some(by) = by {
                entry.used_by.insert(by.clone());
                return entry.found.clone();
            }
        }
        loop {
            let Some(next) = self.table.borrow_mut().open.pop() else { break };
            let found = self.work_out(&next);
            let mut table = self.table.borrow_mut();
            let table = &mut *table;
            let Some(entry) = table.entries.get_mut(&next) else { continue };
            let mut all = entry.found.clone();
            all.add_found(found, true);
            if all != entry.found {
                entry.found = all;
                table.open.extend(entry.used_by.iter().cloned());
            }
        }
        self.table.borrow().entries.get(&node).map(|e| e.found.clone()).unwrap_or_default()
    }

    fn work_out(self: &Rc<Self>, node: &Node) -> Found {
        match node {
            Node::Name(frame, l) => {
                let Some(flow) = self.frames.borrow().get(*frame).map(|f| f.flow.clone()) else {
                    return Found::default();
                };
                let mut out = Found::default();
                for made in flow.made.get(l).into_iter().flatten() {
                    self.work_out_made(*frame, made, node, &mut out);
                }
                out
            }
            Node::Way(frame, way) => {
                let Some(flow) = self.frames.borrow().get(*frame).map(|f| f.flow.clone()) else {
                    return Found::default();
                };
                let mut out = Found::default();
                if let Some(way) = flow.ways.get(*way) {
                    for e in &way.by {
                        self.work_out_expr(*frame, e, node, &mut out, false);
                    }
                    if let Some(before) = way.before {
                        out.add_found(self.ask_node(Node::Way(*frame, before), Some(node)), false);
                    }
                }
                out
            }
            Node::Call { callee, given, acts } => self.work_out_call(*callee, given, *acts, node),
        }
    }

    fn work_out_made(self: &Rc<Self>, frame: FrameId, made: &Definition<'a>, node: &Node, out: &mut Found) {
        if made.picked {
            let mut look = Look::in_frame(self, frame, Some(node.clone()));
            out.add_found(Found { lies: look.look_at(made.from), ..Found::default() }, true);
        } else {
            self.work_out_expr(frame, made.from, node, out, true);
        }
        if let Some(way) = made.way {
            out.add_found(self.ask_node(Node::Way(frame, way), Some(node)), false);
        }
    }

    fn work_out_expr(
        self: &Rc<Self>,
        frame: FrameId,
        e: &'a Expr,
        node: &Node,
        out: &mut Found,
        result: bool,
    ) {
        let mut look = Look::in_frame(self, frame, Some(node.clone()));
        let lies = look.look_at(e);
        for r in &mut look.reads {
            r.span = e.span;
        }
        out.add_found(look.into_found(lies), result);
    }

    fn work_out_call(self: &Rc<Self>, callee: Callee, given: &[Arg], acts: bool, node: &Node) -> Found {
        let model = self.model;
        let mut out = Found::default();
        let plainly: Vec<(usize, LocalId)> = (0..given.len()).map(|i| (i, LocalId(i as u32))).collect();
        match callee {
            Callee::Value(v) => {
                let own = model.values.get(v.index()).and_then(|d| d.body.body.as_ref());
                let fills = model
                    .members
                    .iter()
                    .flat_map(|m| &m.fills)
                    .filter(|(f, _)| *f == v)
                    .map(|(_, b)| &b.body);
                if fills.clone().next().is_some() {
                    out.note_face_told(given);
                }
                for body in own.into_iter().chain(fills) {
                    let frame = self.bind_arguments(&self.empty, &plainly, given, None);
                    self.work_out_expr(frame, body, node, &mut out, true);
                }
                let games = model.attachments.iter().map(|a| (a, &self.empty));
                for (a, flow) in games.chain(self.layered.iter().map(|(a, f)| (*a, f))) {
                    let AttachKind::Modify(_, e) = &a.what else { continue };
                    for h in a.heads.iter().filter(|h| h.target == Target::Value(v)) {
                        let frame = self.bind_arguments(flow, &bound_names(h), given, None);
                        let mut look = Look::in_frame(self, frame, Some(node.clone()));
                        look.note_in_force(a);
                        out.add_found(look.into_found(Lies::Open), false);
                        for e in
                            walk::pattern_conditions(h).into_iter().chain(&a.by).chain(&a.when).chain([e])
                        {
                            self.work_out_expr(frame, e, node, &mut out, true);
                        }
                    }
                }
            }
            Callee::Result(r) => {
                self.rule_heads(r, |a| matches!(a, AttachKind::Instead(_)), given, acts, node, &mut out);
                for (block, names, me) in self.bodies_of(r) {
                    let frame =
                        self.bind_arguments(&self.flow_of_block(block), &names, given, me.filter(|_| acts));
                    let flow = self.flow_of_block(block);
                    for made in &flow.gives {
                        self.work_out_made(frame, made, node, &mut out);
                    }
                }
            }
            Callee::Head(r) => {
                for (block, names, me) in self.bodies_of(r) {
                    let frame =
                        self.bind_arguments(&self.flow_of_block(block), &names, given, me.filter(|_| acts));
                    for s in block {
                        match &s.kind {
                            StmtKind::Let(..) => {}
                            StmtKind::Needs(g) => self.work_out_expr(frame, &g.cond, node, &mut out, false),
                            _ => break,
                        }
                    }
                }
                let decides = |a: &_| matches!(a, AttachKind::Forbid(_) | AttachKind::Instead(_));
                self.rule_heads(r, decides, given, acts, node, &mut out);
            }
            Callee::Menu(menu) => {
                for a in model.actions.iter().filter(|a| a.menus.contains(&menu)) {
                    let mut look = Look::new(self, acts.then_some(a.me));
                    look.set_node(node.clone());
                    for (i, arg) in given.iter().enumerate() {
                        look.bind(LocalId(i as u32 + 1), arg.lies);
                    }
                    look.look_at_action(a);
                    out.add_found(look.into_found(Lies::Open), false);
                }
            }
        }
        out
    }

    /// What decides which body of a rule runs: the face, where members have their own, and what the heads of its attachments of a sort read.
    fn rule_heads(
        self: &Rc<Self>,
        rule: RuleId,
        sort: fn(&AttachKind) -> bool,
        given: &[Arg],
        acts: bool,
        node: &Node,
        out: &mut Found,
    ) {
        if self.model.members.iter().any(|m| m.rule_fills.iter().any(|(f, _)| *f == rule)) {
            out.note_face_told(given);
        }
        let games = self.model.attachments.iter().map(|a| (a, &self.empty));
        for (a, flow) in games.chain(self.layered.iter().map(|(a, f)| (*a, f))).filter(|(a, _)| sort(&a.what))
        {
            for h in a.heads.iter().filter(|h| h.target == Target::Rule(rule)) {
                let frame = self.bind_arguments(flow, &bound_names(h), given, a.me.filter(|_| acts));
                for e in walk::pattern_conditions(h).into_iter().chain(&a.by).chain(&a.when) {
                    self.work_out_expr(frame, e, node, out, false);
                }
            }
        }
    }
}

/// Where the things lie that an action's parameters stand for, as who acts sees them, or somebody.
pub(super) fn lies_of_params(calls: &Rc<Calls<'_>>, id: ActionId, acts: bool) -> Vec<Lies> {
    let Some(a) = calls.model.actions.get(id.index()) else { return Vec::new() };
    let mut look = Look::new(calls, acts.then_some(a.me));
    look.look_at_action(a);
    a.params.iter().map(|p| look.lies_of(p.local)).collect()
}

/// The condition under which a zone is active, if it has one.
fn active_condition(z: &Zone) -> Option<&Expr> {
    if let Active::When(b) = &z.active { Some(&b.body) } else { None }
}

/// Whether a zone's `active when` asks that what lies there lies face up.
fn is_up(limit: &Expr) -> bool {
    let asks = |c: &&Expr| matches!(&*c.kind, ExprKind::Builtin(Builtin::Up, a) if a.first().and_then(flow::path) == Some(path_of_local(LocalId(0))));
    walk::joined_conditions(limit).iter().any(asks)
}
