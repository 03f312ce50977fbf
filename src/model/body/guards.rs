//! What a guard may know: options are worked out from the asked seat's view, so a guard must not look where that seat may not.
//!
//! Of every expression that gives components it is followed where they may lie; a read of something printed on one that lies hidden is told, with the zone
//! and the place where it is declared hidden. How many there are, whether there is one, and a component's number are no secrets.
use super::codes;
use super::flow;
use super::types;
use super::walk;
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
    /// What is read: `rank`, `the face`.
    pub what: String,
    /// The value inside which it is read, if any.
    pub inside: Option<ValueId>,
}

/// One look through expressions.
pub struct Look<'a> {
    model: &'a Model,
    /// Paths of what is the one who looks.
    mine: HashSet<String>,
    lies: HashMap<LocalId, Lies>,
    /// What was found.
    pub leaks: Vec<Leak>,
    /// Hooks that are called on the way, with the place in the guard.
    pub hooks: Vec<(HookId, Span)>,
    /// The outermost call while inside a value.
    outer: Option<(Span, ValueId)>,
    depth: usize,
}

impl<'a> Look<'a> {
    /// A look by whoever is one of these locals (nobody, if there are none: then everything that somebody may not see is hidden).
    pub fn new(model: &'a Model, mine: impl IntoIterator<Item = LocalId>) -> Self {
        Look {
            model,
            mine: mine.into_iter().map(of_local).collect(),
            lies: HashMap::new(),
            leaks: Vec::new(),
            hooks: Vec::new(),
            outer: None,
            depth: 0,
        }
    }

    /// Tells where what a local stands for may lie.
    pub fn bind(&mut self, local: LocalId, lies: Lies) {
        self.lies.insert(local, lies);
    }

    fn is_mine(&self, e: &Expr) -> bool {
        flow::path(e).is_some_and(|p| self.mine.contains(&p))
    }

    fn leak(&mut self, lies: Lies, span: Span, what: impl Into<String>) {
        if let Lies::In(zone) = lies {
            let (span, inside) = match self.outer {
                Some((s, v)) => (s, Some(v)),
                None => (span, None),
            };
            self.leaks.push(Leak { span, zone, what: what.into(), inside });
        }
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
            Local(l) => self.lies.get(l).copied().unwrap_or(Lies::Open),
            Zone(base, z, index) => {
                for p in base.iter().chain(index) {
                    self.look(p);
                }
                let Some(zone) = self.model.zones.get(z.index()) else { return Lies::Open };
                let own = base.as_ref().is_some_and(|b| self.is_mine(b));
                match zone.seen {
                    Seen::All => Lies::Open,
                    Seen::Owner | Seen::By(_) if own => Lies::Open,
                    _ => Lies::In(*z),
                }
            }
            Attr(base, a) => {
                let lies = self.look(base);
                if let Some(attr) = self.model.attrs.get(a.index())
                    && attr.side != AttrSide::Back
                {
                    self.leak(lies, e.span, format!("`{}`", attr.name));
                }
                Lies::Open
            }
            IsFace(base, _, key) => {
                let lies = self.look(base);
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
                let lies = self.all(&args.iter().collect::<Vec<_>>());
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
                let lies = self.look(x);
                self.look(s);
                self.leak(lies, e.span, "the face");
                Lies::Open
            }
            Where(s, l, p) => {
                let lies = self.look(s);
                self.lies.insert(*l, lies);
                self.look(p);
                lies
            }
            Fold(f) => {
                let lies = self.look(&f.over);
                self.lies.insert(f.var, lies);
                if let Some(c) = &f.cond {
                    self.look(c);
                }
                let bodies = self.all(&f.bodies.iter().collect::<Vec<_>>());
                match f.op {
                    FoldOp::Least | FoldOp::Most => lies,
                    FoldOp::Union | FoldOp::Collect => bodies,
                    _ => Lies::Open,
                }
            }
            Let(l, x, b) => {
                let lies = self.look(x);
                self.lies.insert(*l, lies);
                if self.is_mine(x) {
                    self.mine.insert(of_local(*l));
                }
                self.look(b)
            }
            If(c, a, b) => {
                self.look(c);
                self.all(&[a, b])
            }
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

    /// Looks into a value's body with what its arguments stand for.
    fn value(&mut self, span: Span, v: ValueId, args: &[Expr]) -> Lies {
        let lies: Vec<Lies> = args.iter().map(|a| self.look(a)).collect();
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
            out = out.or(self.inside(span, v, mine.clone(), here, body));
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
                    out = out.or(self.inside(span, v, known.clone(), here.clone(), e));
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
        body: &'a Expr,
    ) -> Lies {
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
        let who = match zone.seen {
            Seen::Nobody => "nobody may see",
            _ => "only its owner may see",
        };
        let whose = match sort {
            Guarded::Option => "what is offered is worked out from what the acting player may know",
            Guarded::Look => "a look is drawn for everybody",
            Guarded::Choice => "what can be chosen is worked out from what the chooser may know",
        };
        let through = match leak.inside.and_then(|v| model.values.get(v.index())) {
            Some(v) => format!("`{}` reads {}", v.name, leak.what),
            None => format!("this reads {}", leak.what),
        };
        out.push(
            Diagnostic::error(
                codes::HIDDEN_IN_GUARD,
                leak.span,
                format!("{through} of what lies in `{}`, which {who}; {whose}", zone.name),
            )
            .label("looks at what is hidden")
            .also(zone.span, "declared hidden here")
            .help(match sort {
                Guarded::Look => "draw what everybody may know; a card's own face is drawn only for those who know it",
                _ => "ask about `my` own, or about how many there are; an effect may look anywhere, a guard may not",
            }),
        );
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
    for a in &model.actions {
        let mut look = Look::new(model, [a.me]);
        for p in &a.params {
            let lies = look.look(&p.from);
            look.bind(p.local, lies);
            if let Some(f) = &p.filter {
                look.look(f);
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
        let lies = look.lies;
        let mut body = Body { model, me: Some(a.me), lies, out };
        body.block(&a.body);
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
            Body { model, me: Some(r.me), lies: HashMap::new(), out }.block(b);
        }
    }
    for m in &model.members {
        for (_, b) in &m.rule_fills {
            Body { model, me: None, lies: HashMap::new(), out }.block(&b.body);
        }
    }
    for (_, b) in &model.setups {
        Body { model, me: None, lies: HashMap::new(), out }.block(&b.body);
    }
    if let Some(r) = &model.round {
        Body { model, me: None, lies: HashMap::new(), out }.block(&r.body.body);
    }
    for a in &model.attachments {
        if let AttachKind::Before(b) | AttachKind::After(b) | AttachKind::Instead(b) = &a.what {
            Body { model, me: a.me, lies: HashMap::new(), out }.block(b);
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
    for h in g.reason.iter().flat_map(walk::holes) {
        look.look(h);
    }
}

/// The sets of `choose` in a body, each from its chooser's side.
struct Body<'a> {
    model: &'a Model,
    me: Option<LocalId>,
    lies: HashMap<LocalId, Lies>,
    out: &'a mut Report,
}

impl Body<'_> {
    fn block(&mut self, b: &Block) {
        for s in b {
            let (es, bs) = walk::inside(s);
            for e in es {
                self.expr(e);
            }
            match &s.kind {
                StmtKind::Let(l, e) | StmtKind::For(l, e, _) => {
                    let mut look = Look::new(self.model, self.me);
                    look.lies = self.lies.clone();
                    let lies = look.look(e);
                    self.lies.insert(*l, lies);
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
            for b in bs {
                self.block(b);
            }
            self.me = outer;
        }
    }

    fn expr(&mut self, e: &Expr) {
        walk::every(e, &mut |e| {
            let ExprKind::Choose(c) = &*e.kind else { return };
            let Chooser::Player(p) = &c.by else { return };
            // Several choosers may know no more than all of them do.
            let mine = flow::path(p).filter(|_| types::plain(&p.ty) == types::player());
            let mut look = Look::new(self.model, []);
            look.mine.extend(mine);
            look.lies = self.lies.clone();
            look.look(&c.from);
            tell(self.model, &mut look, Guarded::Choice, self.out);
        });
    }
}
