//! What a guard may know: options are worked out from the asked seat's view, so a guard must not look where that seat may not.
//!
//! For every expression that gives components this follows where they may lie. A read of something printed on one that lies hidden is reported, with the zone
//! and the place where it is declared hidden. How many there are, whether there is one, and a component's number are no secrets. A condition that makes sure
//! that the one who looks knows a thing (`sees(me, c) and …`), or that it lies face up (`c.up and …`), allows the reads behind it. A name stands for what it was
//! worked out from.
use super::seen::{self, Holds};
use super::{codes, flow, secrets, types, walk};
use crate::model::hir::*;
use crate::text::{Diagnostic, Report, Span};
use std::collections::{HashMap, HashSet};

/// How deep values are followed into values.
const DEPTH: usize = 12;

/// Where components may lie: open to the one who looks, or in a zone that is not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lies {
    /// Nothing is hidden from the one who looks.
    Open,
    /// They may lie in that zone.
    In(ZoneId),
    /// They may lie face down in that zone, which is open to the one who looks.
    Down(ZoneId),
    /// Of that kind, wherever they lie.
    Anywhere(KindId),
}

impl Lies {
    fn or(self, other: Lies) -> Lies {
        if self == Lies::Open { other } else { self }
    }
}

/// A read of something hidden.
#[derive(Clone, Debug)]
pub struct Leak {
    /// The place of the read (in the guard itself, also where a value further down does the reading).
    pub span: Span,
    /// The zone.
    pub zone: ZoneId,
    /// Whether they lie face down there, in a zone that the one who looks sees into.
    pub down: bool,
    /// What is read: `rank`, `the face`.
    pub what: String,
    /// The value inside which it is read, if any.
    pub inside: Option<ValueId>,
    /// Where it was worked out, if it was given a name there.
    pub named: Option<Span>,
}

/// Something that a condition has made sure of.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Sure {
    /// The one who looks knows the face of the thing of this path.
    Known(String),
    /// The thing of this path lies face up.
    Up(String),
    /// The player of this path is not the one who looks.
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
    /// Paths of what is the one who looks.
    mine: HashSet<String>,
    lies: HashMap<LocalId, Lies>,
    /// What names were worked out from.
    made: HashMap<LocalId, Vec<&'a Expr>>,
    /// Names that were followed already.
    followed: HashSet<LocalId>,
    /// What the conditions passed so far have made sure of.
    sure: Vec<Sure>,
    /// What was found.
    pub leaks: Vec<Leak>,
    /// Hooks that are called on the way, with the place in the guard.
    pub hooks: Vec<(HookId, Span)>,
    /// The outermost call while inside a value.
    outer: Option<(Span, ValueId)>,
    /// The use of a name and the place where it was worked out, while inside what it was worked out from.
    name: Option<(Span, Span)>,
    depth: usize,
}

impl<'a> Look<'a> {
    /// A look by whoever is one of these locals (nobody, if there are none: then everything that somebody may not see is hidden).
    pub fn new(model: &'a Model, mine: impl IntoIterator<Item = LocalId>) -> Self {
        Look {
            model,
            mine: mine.into_iter().map(of_local).collect(),
            lies: HashMap::new(),
            made: HashMap::new(),
            followed: HashSet::new(),
            sure: Vec::new(),
            leaks: Vec::new(),
            hooks: Vec::new(),
            outer: None,
            name: None,
            depth: 0,
        }
    }

    /// Tells where what a local stands for may lie.
    pub fn bind(&mut self, local: LocalId, lies: Lies) {
        self.lies.insert(local, lies);
    }

    /// Tells what names were worked out from: they are followed where they are used.
    pub fn follow(&mut self, made: &HashMap<LocalId, Vec<&'a Expr>>) {
        self.made.clone_from(made);
    }

    fn is_mine(&self, e: &Expr) -> bool {
        flow::path(e).is_some_and(|p| self.mine.contains(&p))
    }

    fn is_sure(&self, what: fn(String) -> Sure, e: &Expr) -> bool {
        !self.sure.is_empty() && flow::path(e).is_some_and(|p| self.sure.contains(&what(p)))
    }

    /// How the one who looks stands to a zone's holder.
    fn holds(&self, base: Option<&Expr>) -> Holds {
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

    /// Whether a set holds players other than the one who looks alone.
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
    pub fn range_over(&mut self, l: LocalId, over: &Expr, lies: Lies) {
        if self.are_others(over) {
            self.sure.push(Sure::Other(of_local(l)));
        }
        self.lies.insert(l, lies);
    }

    /// Notes what is sure where a condition holds, or does not.
    pub fn assume(&mut self, e: &Expr, holds: bool) {
        match &*e.kind {
            ExprKind::And(a, b) if holds => {
                self.assume(a, true);
                self.assume(b, true);
            }
            ExprKind::Or(a, b) if !holds => {
                self.assume(a, false);
                self.assume(b, false);
            }
            ExprKind::Not(x) => self.assume(x, !holds),
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
                let lies = self.look(s);
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
    fn read(&mut self, e: &Expr) -> Lies {
        match self.look(e) {
            Lies::Open => Lies::Open,
            lies => match flow::path(e) {
                Some(path) => self.narrowed(&path, lies),
                None => self.resolved(lies, |_| true),
            },
        }
    }

    /// Where the thing of a path may lie, after what is sure of it.
    fn narrowed(&self, path: &str, lies: Lies) -> Lies {
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
        match self.resolved(lies, of) {
            Lies::Down(_) if self.sure.contains(&Sure::Up(path.to_string())) => Lies::Open,
            lies => lies,
        }
    }

    /// Of things that may lie anywhere, a zone among those that may be meant where they are hidden.
    fn resolved(&self, lies: Lies, of: impl Fn(&Zone) -> bool) -> Lies {
        let Lies::Anywhere(k) = lies else { return lies };
        let holds = |z: &Zone| {
            z.holds.iter().any(|h| types::is_a(self.model, *h, k) || types::is_a(self.model, k, *h))
        };
        let zones = || self.model.zones.iter().enumerate().filter(|(_, z)| holds(z) && of(z));
        let hidden = zones().find(|(_, z)| !seen::is_seen(self.model, z, Holds::Unknown));
        match (hidden, zones().find(|(_, z)| self.may_lie_down(z))) {
            (Some((i, _)), _) => Lies::In(ZoneId(i as u32)),
            (None, Some((i, _))) => Lies::Down(ZoneId(i as u32)),
            _ => Lies::Open,
        }
    }

    /// Whether something may lie face down in a zone.
    fn may_lie_down(&self, zone: &Zone) -> bool {
        zone.holds.iter().any(|k| {
            let root = types::line_of(self.model, *k).last().copied().unwrap_or(*k);
            self.model.face_down.contains(&root)
        })
    }

    fn leak(&mut self, lies: Lies, span: Span, what: impl Into<String>) {
        let (zone, down) = match lies {
            Lies::Open | Lies::Anywhere(_) => return,
            Lies::In(zone) => (zone, false),
            Lies::Down(zone) => (zone, true),
        };
        let (span, inside) = match self.outer {
            Some((s, v)) => (s, Some(v)),
            None => (span, None),
        };
        let (span, named) = match self.name {
            Some((used, made)) => (used, Some(made)),
            None => (span, None),
        };
        self.leaks.push(Leak { span, zone, down, what: what.into(), inside, named });
    }

    /// Follows a name to what it was worked out from. What somebody has chosen was told by the answer.
    fn named(&mut self, l: LocalId, used: Span) -> Lies {
        let known = self.lies.get(&l).copied();
        if !self.followed.insert(l) {
            return known.unwrap_or(Lies::Open);
        }
        let mut out = known.unwrap_or(Lies::Open);
        for e in self.made.get(&l).cloned().unwrap_or_default() {
            let chosen = walk::any(e, &mut |x| matches!(&*x.kind, ExprKind::Choose(_)));
            let leaks = self.leaks.len();
            let outer = self.name;
            self.name.get_or_insert((used, e.span));
            out = out.or(self.look(e));
            self.name = outer;
            if chosen {
                self.leaks.truncate(leaks);
            }
        }
        self.lies.insert(l, out);
        out
    }

    fn all(&mut self, es: &[&Expr]) -> Lies {
        let mut out = Lies::Open;
        for e in es {
            out = out.or(self.look(e));
        }
        out
    }

    /// Looks through an expression; gives where the components that it stands for may lie.
    pub fn look(&mut self, e: &Expr) -> Lies {
        use ExprKind::*;
        match &*e.kind {
            Local(l) => self.named(*l, e.span),
            Zone(base, z, index) => {
                for p in base.iter().chain(index) {
                    self.look(p);
                }
                let Some(zone) = self.model.zones.get(z.index()) else { return Lies::Open };
                let holds = self.holds(base.as_ref());
                if !seen::is_seen(self.model, zone, holds) {
                    return Lies::In(*z);
                }
                if holds != Holds::Own && self.may_lie_down(zone) { Lies::Down(*z) } else { Lies::Open }
            }
            Attr(base, a) => {
                let lies = self.read(base);
                if let Some(attr) = self.model.attrs.get(a.index())
                    && attr.side != AttrSide::Back
                {
                    self.leak(lies, e.span, format!("`{}`", attr.name));
                }
                Lies::Open
            }
            IsFace(base, _, key) => {
                let lies = self.read(base);
                if let Some(k) = key {
                    self.look(k);
                }
                self.leak(lies, e.span, "the face");
                Lies::Open
            }
            IsKind(base, k) => {
                let lies = self.look(base);
                // Of what a kind's zone holds it is known to all; else the face says it.
                if !types::kinds_of(&types::plain(&base.ty)).iter().all(|x| types::is_a(self.model, *x, *k)) {
                    self.leak(lies, e.span, "the kind");
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
                let lies = self.look(x);
                self.leak(lies, e.span, "the kind");
                Lies::Open
            }
            Builtin(b, args) => {
                use crate::model::hir::Builtin as B;
                let mut lies = Lies::Open;
                for a in args {
                    lies = lies.or(self.read(a));
                }
                match b {
                    B::FaceOf | B::Sides => self.leak(lies, e.span, "the face"),
                    B::DieValue => self.leak(lies, e.span, "`value`"),
                    B::NameOf => self.leak(lies, e.span, "`name`"),
                    B::KeyOf => self.leak(lies, e.span, "`key`"),
                    B::Only | B::Reversed | B::AsSet | B::Gather => return lies,
                    _ => {}
                }
                Lies::Open
            }
            In(x, s) if matches!(s.ty, Ty::Filter(_)) => {
                let lies = self.read(x);
                self.look(s);
                self.leak(lies, e.span, "the face");
                Lies::Open
            }
            Where(s, l, p) => {
                let lies = self.look(s);
                let sure = self.sure.len();
                self.range_over(*l, s, lies);
                self.look(p);
                self.assume(p, true);
                let lies = self.after(*l, lies);
                self.sure.truncate(sure);
                lies
            }
            And(a, b) | Or(a, b) => {
                self.look(a);
                let sure = self.sure.len();
                self.assume(a, matches!(&*e.kind, And(..)));
                self.look(b);
                self.sure.truncate(sure);
                Lies::Open
            }
            Fold(f) => {
                let lies = self.look(&f.over);
                let sure = self.sure.len();
                self.range_over(f.var, &f.over, lies);
                if let Some(c) = &f.cond {
                    self.look(c);
                    self.assume(c, true);
                }
                let bodies = self.all(&f.bodies.iter().collect::<Vec<_>>());
                let lies = self.after(f.var, lies);
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
                    self.mine.insert(of_local(*l));
                }
                self.look(b)
            }
            If(c, a, b) => {
                self.look(c);
                let sure = self.sure.len();
                self.assume(c, true);
                let yes = self.read(a);
                self.sure.truncate(sure);
                self.assume(c, false);
                let no = self.read(b);
                self.sure.truncate(sure);
                yes.or(no)
            }
            Choose(c) => self.look(&c.from),
            All(k) if types::is_component(self.model, *k) => Lies::Anywhere(*k),
            First { n, of, .. } => {
                if let Some(n) = n {
                    self.look(n);
                }
                self.look(of)
            }
            The(of) => self.look(of),
            Nth(of, n) => {
                self.look(n);
                self.look(of)
            }
            Union(a, b) | Default(a, b) => self.all(&[a, b]),
            Without(a, b) => {
                self.look(b);
                self.look(a)
            }
            Set(es) | List(es) => self.all(&es.iter().collect::<Vec<_>>()),
            Value(v, args) => self.value(e.span, *v, args),
            Hook(h, args) => {
                self.hooks.push((*h, self.outer.map_or(e.span, |o| o.0)));
                self.all(&args.iter().collect::<Vec<_>>());
                Lies::Open
            }
            _ => {
                for p in walk::parts(e) {
                    self.look(p);
                }
                Lies::Open
            }
        }
    }

    /// Where those of a set lie that have passed a condition on the name for each.
    fn after(&self, l: LocalId, lies: Lies) -> Lies {
        if lies == Lies::Open {
            return lies;
        }
        let narrowed = self.narrowed(&of_local(l), lies);
        // Of what may still lie anywhere, a later condition may say more.
        if narrowed == self.resolved(lies, |_| true) { lies } else { narrowed }
    }

    /// Looks into a value's body with what its arguments stand for.
    fn value(&mut self, span: Span, v: ValueId, args: &[Expr]) -> Lies {
        let lies: Vec<Lies> = args.iter().map(|a| self.read(a)).collect();
        let others: Vec<bool> = args.iter().map(|a| self.holds(Some(a)) == Holds::Others).collect();
        let mine: HashSet<String> = args
            .iter()
            .enumerate()
            .filter(|(_, a)| self.is_mine(a))
            .map(|(i, _)| of_local(LocalId(i as u32)))
            .collect();
        if self.depth >= DEPTH {
            return Lies::Open;
        }
        let model = self.model;
        // The value's own body, what members fill it with, and what may modify it.
        let own = model.values.get(v.index()).and_then(|d| d.body.body.as_ref());
        let fills =
            model.members.iter().flat_map(|m| &m.fills).filter(|(f, _)| *f == v).map(|(_, b)| &b.body);
        let mut out = Lies::Open;
        for body in own.into_iter().chain(fills) {
            let here = lies.iter().enumerate().map(|(i, l)| (LocalId(i as u32), *l)).collect();
            let sure = others.iter().enumerate().filter(|(_, o)| **o);
            let sure = sure.map(|(i, _)| Sure::Other(of_local(LocalId(i as u32)))).collect();
            out = out.or(self.inside(span, v, mine.clone(), here, sure, body));
        }
        for a in &model.attachments {
            let AttachKind::Modify(_, e) = &a.what else { continue };
            for h in a.heads.iter().filter(|h| h.target == Target::Value(v)) {
                let (mut known, mut here) = (HashSet::new(), HashMap::new());
                for (i, p) in h.patterns.iter().enumerate() {
                    if let Pattern::Bind(l) | Pattern::Test(l, _) = p {
                        here.insert(*l, lies.get(i).copied().unwrap_or(Lies::Open));
                        if mine.contains(&of_local(LocalId(i as u32))) {
                            known.insert(of_local(*l));
                        }
                    }
                }
                for e in a.when.iter().chain([e]) {
                    out = out.or(self.inside(span, v, known.clone(), here.clone(), Vec::new(), e));
                }
            }
        }
        out
    }

    /// Looks into a body with names of its own.
    fn inside(
        &mut self,
        span: Span,
        v: ValueId,
        mine: HashSet<String>,
        lies: HashMap<LocalId, Lies>,
        sure: Vec<Sure>,
        body: &'a Expr,
    ) -> Lies {
        let outer_sure = std::mem::replace(&mut self.sure, sure);
        let outer_made = std::mem::take(&mut self.made);
        let outer_followed = std::mem::take(&mut self.followed);
        let outer_mine = std::mem::replace(&mut self.mine, mine);
        let outer_lies = std::mem::replace(&mut self.lies, lies);
        let outer_call = self.outer;
        self.outer.get_or_insert((span, v));
        self.depth += 1;
        let out = self.look(body);
        self.depth -= 1;
        self.outer = outer_call;
        self.lies = outer_lies;
        self.mine = outer_mine;
        self.sure = outer_sure;
        self.made = outer_made;
        self.followed = outer_followed;
        out
    }
}

/// The path of a local.
fn of_local(l: LocalId) -> String {
    format!("l{}", l.0)
}

/// Who asks: told in the message.
#[derive(Clone, Copy)]
pub(super) enum Guarded {
    Option,
    Choice,
    Look,
}

/// Reports what was found to be looked at though it is hidden, and hooks on the way.
pub(super) fn tell(model: &Model, look: &mut Look<'_>, sort: Guarded, out: &mut Report) {
    let mut told = HashSet::new();
    for leak in std::mem::take(&mut look.leaks) {
        let Some(zone) = model.zones.get(leak.zone.index()) else { continue };
        if !told.insert((leak.span, leak.zone)) {
            continue;
        }
        let whose_zone = match zone.seen {
            _ if leak.down => format!("may lie face down in `{}`", zone.name),
            Seen::Nobody => format!("lies in `{}`, which nobody may see", zone.name),
            Seen::Owner => format!("lies in `{}`, which only its owner may see", zone.name),
            _ => format!("lies in `{}`, which not everybody may see", zone.name),
        };
        let whose = match sort {
            Guarded::Option => "what is offered is worked out from what the acting player may know",
            Guarded::Look => "a look is drawn for everybody",
            Guarded::Choice => "what can be chosen is worked out from what the chooser may know",
        };
        let through = match leak.inside.and_then(|v| model.values.get(v.index())) {
            Some(v) => format!("`{}` reads {}", v.name, leak.what),
            None if leak.named.is_some() => format!("this was worked out from {}", leak.what),
            None => format!("this reads {}", leak.what),
        };
        let mut finding = Diagnostic::error(
            codes::HIDDEN_IN_GUARD,
            leak.span,
            format!("{through} of what {whose_zone}; {whose}"),
        )
        .label("looks at what is hidden")
        .also(zone.span, if leak.down { "it may lie here" } else { "declared hidden here" });
        if let Some(made) = leak.named {
            finding = finding.also(made, "worked out here");
        }
        out.push(finding.help(match sort {
            Guarded::Look if leak.down => "draw it only if it lies face up, as in `if c.up then …`",
            Guarded::Look => {
                "draw what everybody may know; a card's own face is drawn only for those who know it"
            }
            _ if leak.down => "ask first whether it lies face up (`c.up and …`), or whether the player knows it (`sees(me, c) and …`)",
            _ => "ask about `my` own, about how many there are, or about what the player knows (`sees(me, c) and …`); an effect may look anywhere, a guard may not",
        }));
    }
    for (h, span) in std::mem::take(&mut look.hooks) {
        if let Some(hook) = model.hooks.get(h.index()) {
            out.push(
                Diagnostic::error(
                    codes::HOOK_IN_GUARD,
                    span,
                    format!("the hook `{}` stands in a guard", hook.name),
                )
                .label("worked out while options are looked for")
                .also(hook.span, "the hook is declared here")
                .help("say it in the language, or let a rule call the hook"),
            );
        }
    }
}

/// Judges every guard of the game.
pub fn check(model: &Model, out: &mut Report) {
    let offering = offering_parameters(model);
    for a in &model.actions {
        let mut look = Look::new(model, [a.me]);
        for (i, p) in a.params.iter().enumerate() {
            // A component's own action is taken where it lies in force, by who holds it.
            let carried = a.carrier.is_some() && i == 0;
            let lies = if carried { Lies::Open } else { look.look(&p.from) };
            look.range_over(p.local, &p.from, lies);
            if let Some(f) = &p.filter {
                look.look(f);
                look.assume(f, true);
            }
            if let Many::Subset { min, max } = &p.many {
                for e in min.iter().chain(max) {
                    look.look(e);
                }
            }
        }
        if let Some(w) = &a.when {
            look.look(w);
        }
        for s in &a.head {
            match s {
                HeadStep::Let(l, e) => {
                    let lies = look.look(e);
                    look.bind(*l, lies);
                }
                HeadStep::Needs(g) => guard(&mut look, g),
                HeadStep::MustLeave(_) => {}
            }
        }
        tell(model, &mut look, Guarded::Option, out);
        let mut made: Made<'_> = a
            .params
            .iter()
            .skip(usize::from(a.carrier.is_some()))
            .map(|p| (p.local, vec![&p.from]))
            .collect();
        for s in &a.head {
            if let HeadStep::Let(l, e) = s {
                made.insert(*l, vec![e]);
            }
        }
        Body { model, offering: &offering, me: Some(a.me), made, under: Vec::new(), out }.block(&a.body);
    }
    for m in &model.menus {
        let mut look = Look::new(model, [LocalId(0)]);
        for e in m.done.iter().chain(&m.pass) {
            if let Some(w) = &e.when {
                look.look(w);
            }
        }
        if let Some((c, _)) = &m.open {
            look.look(c);
        }
        for g in &m.needs {
            guard(&mut look, g);
        }
        tell(model, &mut look, Guarded::Option, out);
    }
    for r in &model.rules {
        if let Some(b) = &r.body.body {
            Body { model, offering: &offering, me: Some(r.me), made: Made::new(), under: Vec::new(), out }
                .block(b);
        }
    }
    for m in &model.members {
        for (_, b) in &m.rule_fills {
            Body { model, offering: &offering, me: None, made: Made::new(), under: Vec::new(), out }
                .block(&b.body);
        }
    }
    for (_, b) in &model.setups {
        Body { model, offering: &offering, me: None, made: Made::new(), under: Vec::new(), out }
            .block(&b.body);
    }
    if let Some(r) = &model.round {
        Body { model, offering: &offering, me: None, made: Made::new(), under: Vec::new(), out }
            .block(&r.body.body);
    }
    for a in &model.attachments {
        if let AttachKind::Before(b) | AttachKind::After(b) | AttachKind::Instead(b) = &a.what {
            Body { model, offering: &offering, me: a.me, made: Made::new(), under: Vec::new(), out }.block(b);
        }
        // A prohibition or a change of what stands in guards is judged with the rule that it is about.
        if let AttachKind::Forbid(_) = &a.what {
            let mut look = Look::new(model, a.me.into_iter().chain(a.owner));
            if let Some(w) = &a.when {
                look.look(w);
            }
            tell(model, &mut look, Guarded::Option, out);
        }
    }
    for (k, kind) in model.kinds.iter().enumerate() {
        for row in &kind.look {
            let mut look = Look::new(model, []);
            // A face is drawn for those who know it; a back for all, wherever the thing may lie.
            let hides = |z: &Zone| !matches!(z.seen, Seen::All) && z.holds.contains(&KindId(k as u32));
            if let Some(zone) = model.zones.iter().position(hides)
                && row.back
            {
                look.bind(LocalId(0), Lies::In(ZoneId(zone as u32)));
            }
            look.look(&row.expr.body);
            tell(model, &mut look, Guarded::Look, out);
        }
    }
}

fn guard(look: &mut Look<'_>, g: &Guard) {
    look.look(&g.cond);
    look.assume(&g.cond, true);
    for h in g.reason.iter().flat_map(walk::holes) {
        look.look(h);
    }
}

/// Notes which families of components the rules turn or lay face down.
pub fn mark_face_down(model: &mut Model) {
    let mut found = HashSet::new();
    let mut families = |e: &Expr| {
        let of = types::element(model, &types::plain(&e.ty)).unwrap_or_else(|| types::plain(&e.ty));
        let root = |k: &KindId| types::line_of(model, *k).last().copied().unwrap_or(*k);
        found.extend(types::kinds_of(&of).iter().map(root));
    };
    secrets::rule_blocks(model, &mut |b| {
        walk::every_stmt(b, &mut |s| match &s.kind {
            StmtKind::Flip(x, None | Some(false)) => families(x),
            StmtKind::Move(m) if m.face == Some(false) => families(&m.what),
            _ => {}
        });
    });
    model.face_down = found;
}

/// What names were worked out from.
type Made<'a> = HashMap<LocalId, Vec<&'a Expr>>;

/// Parameters of rules from which a question's answers are worked out, by themselves or by handing them on.
fn offering_parameters(model: &Model) -> HashSet<(RuleId, usize)> {
    let mut found = HashSet::new();
    loop {
        let before = found.len();
        for (i, r) in model.rules.iter().enumerate() {
            let id = RuleId(i as u32);
            let fills = model.members.iter().flat_map(|m| &m.rule_fills).filter(|(f, _)| *f == id);
            for body in r.body.body.iter().chain(fills.map(|(_, b)| &b.body)) {
                let offered = offered_locals(body, &found);
                found.extend(
                    offered.into_iter().filter(|l| l.index() < r.body.params).map(|l| (id, l.index())),
                );
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// Names in a block from which a question's answers are worked out.
fn offered_locals(b: &[Stmt], offering: &HashSet<(RuleId, usize)>) -> HashSet<LocalId> {
    let mut out: HashSet<LocalId> = HashSet::new();
    let names = |e: &Expr, out: &mut HashSet<LocalId>| {
        walk::every(e, &mut |x| {
            if let ExprKind::Local(l) = &*x.kind {
                out.insert(*l);
            }
        });
    };
    loop {
        let before = out.len();
        walk::every_in(b, &mut |e| match &*e.kind {
            ExprKind::Choose(c) if matches!(c.by, Chooser::Player(_)) => names(&c.from, &mut out),
            ExprKind::Rule(r, _, args) => {
                args.iter()
                    .enumerate()
                    .filter(|(i, _)| offering.contains(&(*r, *i)))
                    .for_each(|(_, a)| names(a, &mut out));
            }
            _ => {}
        });
        walk::every_stmt(b, &mut |s| match &s.kind {
            StmtKind::Let(l, e) | StmtKind::For(l, e, _) | StmtKind::Assign(Lhs::Local(l), _, e)
                if out.contains(l) =>
            {
                names(e, &mut out);
            }
            StmtKind::Call(r, _, args) => {
                args.iter()
                    .enumerate()
                    .filter(|(i, _)| offering.contains(&(*r, *i)))
                    .for_each(|(_, a)| names(a, &mut out));
            }
            _ => {}
        });
        if out.len() == before {
            return out;
        }
    }
}

/// The sets of `choose` in a body, each from its chooser's side.
struct Body<'a, 'o> {
    model: &'a Model,
    offering: &'o HashSet<(RuleId, usize)>,
    me: Option<LocalId>,
    made: Made<'a>,
    /// What decided that we are here: a name that is set here was worked out from it, too.
    under: Vec<&'a Expr>,
    out: &'o mut Report,
}

impl<'a> Body<'a, '_> {
    fn block(&mut self, b: &'a Block) {
        for s in b {
            let (es, bs) = walk::inside(s);
            for e in &es {
                self.expr(e);
            }
            if let StmtKind::Call(r, by, args) = &s.kind {
                self.call(*r, by.as_ref(), args);
            }
            match &s.kind {
                StmtKind::Let(l, e) | StmtKind::For(l, e, _) => {
                    self.made.insert(*l, vec![e]);
                }
                StmtKind::Assign(Lhs::Local(l), _, e) => {
                    let from = self.made.entry(*l).or_default();
                    from.push(e);
                    from.extend(&self.under);
                }
                _ => {}
            }
            let outer = self.me;
            match &s.kind {
                StmtKind::Everyone(e) => self.me = Some(e.me),
                StmtKind::As(me, ..) => self.me = Some(*me),
                StmtKind::May(m) => self.me = Some(m.me),
                _ => {}
            }
            let deep = self.under.len();
            if !bs.is_empty() {
                self.under.extend(&es);
            }
            for b in bs {
                self.block(b);
            }
            self.under.truncate(deep);
            self.me = outer;
        }
    }

    fn expr(&mut self, e: &'a Expr) {
        walk::every(e, &mut |e| match &*e.kind {
            ExprKind::Choose(c) => {
                let Chooser::Player(p) = &c.by else { return };
                // Several choosers may know no more than all of them do.
                let mine = flow::path(p).filter(|_| types::plain(&p.ty) == types::player());
                self.judge(mine, &c.from);
            }
            ExprKind::Rule(r, by, args) => self.call(*r, by.as_ref(), args),
            _ => {}
        });
    }

    /// Arguments from which the rule that is called works out a question's answers, from the side of who acts there.
    fn call(&mut self, r: RuleId, by: Option<&'a Expr>, args: &'a [Expr]) {
        for (i, e) in args.iter().enumerate() {
            if self.offering.contains(&(r, i)) {
                let mine = match by {
                    Some(by) => flow::path(by),
                    None => self.me.map(of_local),
                };
                self.judge(mine, e);
            }
        }
    }

    fn judge(&mut self, mine: Option<String>, from: &'a Expr) {
        let mut look = Look::new(self.model, []);
        look.mine.extend(mine);
        look.follow(&self.made);
        look.look(from);
        tell(self.model, &mut look, Guarded::Choice, self.out);
    }
}
