//! Visitors of typed expressions and statements: the parts of each, in evaluation order.
use crate::hir::*;
use houserule_text::Span;

/// The expressions directly inside one, in the order in which they are worked out.
pub fn parts(e: &Expr) -> Vec<&Expr> {
    use ExprKind::*;
    match &*e.kind {
        Int(_)
        | Bool(_)
        | ExprKind::None
        | Member(_)
        | Space(..)
        | Line(..)
        | Direction(_)
        | Local(_)
        | All(_)
        | Faces(_)
        | Option(_)
        | VariantOn(_)
        | TableAttr(_)
        | Box(_)
        | Roll(_)
        | NoAction
        | Usual
        | Running(_)
        | PhaseNow
        | Phase(_)
        | PositionSeen(..)
        | Error => Vec::new(),
        Text(t) => holes(t),
        Face(_, k) | Component(_, k) => k.iter().collect(),
        Attr(b, _) | Not(b) | IsSome(b) | IsEmpty(b) | IsKind(b, _) | Neg(b) | The(b) => vec![b],
        Zone(b, _, i) | PlaceOf(b, _, i) => b.iter().chain(i).collect(),
        Value(_, a) | Hook(_, a) | Builtin(_, a) | Set(a) | List(a) => a.iter().collect(),
        Where(a, _, b)
        | And(a, b)
        | Or(a, b)
        | Compare(_, a, b)
        | In(a, b)
        | Arith(_, a, b)
        | Union(a, b)
        | Without(a, b)
        | Range(a, b)
        | Let(_, a, b)
        | Default(a, b)
        | Step(a, b)
        | Nth(a, b) => vec![a, b],
        Filter(_, _, b) => vec![b],
        Fold(f) => std::iter::once(&f.over).chain(&f.cond).chain(&f.bodies).collect(),
        IsFace(b, _, k) => std::iter::once(b).chain(k).collect(),
        If(a, b, c) => vec![a, b, c],
        First { n, of, .. } => n.iter().chain(std::iter::once(of)).collect(),
        Choose(c) => {
            let mut out = Vec::new();
            if let Many::Subset { min, max } = &c.many {
                out.extend(min);
                out.extend(max);
            }
            out.push(&c.from);
            if let Chooser::Player(p) = &c.by {
                out.push(p);
            }
            if let Some(t) = &c.prompt {
                out.extend(holes(t));
            }
            out
        }
        Rule(_, by, a) | CanRule(_, by, a) => by.iter().chain(a).collect(),
        CanMenu(p, _, a) => std::iter::once(p).chain(a).collect(),
    }
}

/// The expressions in a text's holes.
pub fn holes(t: &Text) -> Vec<&Expr> {
    t.holes()
}

/// Calls `f` with the expression and everything inside it, outermost first.
pub fn every<'a>(e: &'a Expr, f: &mut dyn FnMut(&'a Expr)) {
    f(e);
    for p in parts(e) {
        every(p, f);
    }
}

/// Whether the expression or anything inside it is such.
pub fn any(e: &Expr, f: &mut dyn FnMut(&Expr) -> bool) -> bool {
    f(e) || parts(e).into_iter().any(|p| any(p, f))
}

/// Whether something is chosen, rolled or done within an expression.
pub fn acts(e: &Expr) -> bool {
    any(e, &mut |x| matches!(&*x.kind, ExprKind::Choose(_) | ExprKind::Roll(_) | ExprKind::Rule(..)))
}

/// The expressions and blocks directly inside a statement, expressions first.
pub fn inside(s: &Stmt) -> (Vec<&Expr>, Vec<&Block>) {
    let does = s.kind.does();
    (does.exprs, does.blocks)
}

/// Calls `f` with every expression of a block, of the blocks in it, and of what is inside the expressions.
pub fn every_in<'a>(b: &'a [Stmt], f: &mut dyn FnMut(&'a Expr)) {
    for s in b {
        let (es, bs) = inside(s);
        for e in es {
            every(e, f);
        }
        for b in bs {
            every_in(b, f);
        }
    }
}

/// Calls `f` with every statement of a block and of the blocks in it.
pub fn every_stmt<'a>(b: &'a [Stmt], f: &mut dyn FnMut(&'a Stmt)) {
    for s in b {
        f(s);
        for b in inside(s).1 {
            every_stmt(b, f);
        }
    }
}

/// Calls of rules in a statement (not in the blocks in it), each with who acts, arguments and place.
pub fn called(s: &Stmt) -> Vec<(RuleId, Option<&Expr>, &[Expr], Span)> {
    let mut out = Vec::new();
    if let StmtKind::Call(r, by, args) = &s.kind {
        out.push((*r, by.as_ref(), args.as_slice(), s.span));
    }
    for e in inside(s).0 {
        every(e, &mut |x| {
            if let ExprKind::Rule(r, by, args) = &*x.kind {
                out.push((*r, by.as_ref(), args.as_slice(), x.span));
            }
        });
    }
    out
}

/// Calls of rules in a statement, with their arguments.
pub fn calls(s: &Stmt) -> Vec<(RuleId, &[Expr])> {
    called(s).into_iter().map(|(r, _, args, _)| (r, args)).collect()
}

/// Calls `f` with every block of the game, its tests included (blocks inside blocks not again).
pub fn every_block<'m>(model: &'m Model, f: &mut dyn FnMut(&'m [Stmt])) {
    rule_blocks(model, f);
    for t in &model.tests {
        steps(&t.steps, f);
    }
}

/// Calls `f` with every block of the game's rules (blocks inside blocks not again).
pub fn rule_blocks<'m>(model: &'m Model, f: &mut dyn FnMut(&'m [Stmt])) {
    for r in &model.rules {
        if let Some(b) = &r.body.body {
            f(b);
        }
    }
    for m in &model.members {
        for (_, b) in &m.rule_fills {
            f(&b.body);
        }
    }
    for a in &model.actions {
        f(&a.body);
    }
    for (_, b) in &model.setups {
        f(&b.body);
    }
    if let Some(r) = &model.round {
        f(&r.body.body);
    }
    for a in &model.attachments {
        if let AttachKind::Before(b) | AttachKind::After(b) | AttachKind::Instead(b) = &a.what {
            f(b);
        }
    }
}

fn steps<'m>(all: &'m [TestStep], f: &mut dyn FnMut(&'m [Stmt])) {
    for s in all {
        match &s.kind {
            TestStepKind::Do(s) => f(std::slice::from_ref(s)),
            TestStepKind::For(_, _, b) | TestStepKind::Repeat(_, b) => steps(b, f),
            TestStepKind::If(_, a, b) => {
                steps(a, f);
                steps(b, f);
            }
            _ => {}
        }
    }
}

/// The conditions that all hold where a condition does: of `a and b` those of both.
pub fn both(e: &Expr) -> Vec<&Expr> {
    let (mut out, mut open) = (Vec::new(), vec![e]);
    while let Some(e) = open.pop() {
        match &*e.kind {
            ExprKind::And(a, b) => open.extend([b, a]),
            _ => out.push(e),
        }
    }
    out
}

/// The conditions on the arguments in a head's patterns.
pub fn tested(h: &Head) -> Vec<&Expr> {
    h.patterns.iter().filter_map(|p| if let Pattern::Test(_, e) = p { Some(e) } else { None }).collect()
}

/// The expressions and blocks directly inside an attachment.
pub fn attachment(a: &Attachment) -> (Vec<&Expr>, Vec<&Block>) {
    let mut out: Vec<&Expr> = Vec::new();
    out.extend(a.heads.iter().flat_map(tested));
    out.extend(a.by.iter().chain(&a.when));
    if let Some((by, text)) = &a.may {
        out.extend(by);
        out.extend(text.iter().flat_map(holes));
    }
    match &a.what {
        AttachKind::Modify(_, e) => out.push(e),
        AttachKind::Before(b) | AttachKind::After(b) | AttachKind::Instead(b) => return (out, vec![b]),
        AttachKind::Forbid(t) => out.extend(t.iter().flat_map(holes)),
    }
    (out, vec![])
}

/// Calls `f` with every expression of an attachment, of those in its layers too.
pub fn every_of<'a>(a: &'a Attachment, f: &mut dyn FnMut(&'a Expr)) {
    let (es, bs) = attachment(a);
    for e in es {
        every(e, f);
    }
    for b in bs {
        every_in(b, f);
        let mut inner = Vec::new();
        every_stmt(b, &mut |s| {
            if let StmtKind::Attach(a) = &s.kind {
                inner.push(&**a);
            }
        });
        for a in inner {
            every_of(a, f);
        }
    }
}

/// A walk through a whole game.
struct Whole<'m, 'f> {
    expr: &'f mut dyn FnMut(&'m Expr),
    stmt: &'f mut dyn FnMut(&'m Stmt),
    text: &'f mut dyn FnMut(&'m Text),
}

/// Calls `expr` with every expression of the game, and `stmt` with every statement.
pub fn whole<'m>(model: &'m Model, expr: &mut dyn FnMut(&'m Expr), stmt: &mut dyn FnMut(&'m Stmt)) {
    let mut w = Whole { expr, stmt, text: &mut |_| {} };
    w.model(model);
    w.tests(model);
}

/// Calls `expr` and `stmt` with everything but the tests: what decides how a game is played.
pub fn rules<'m>(model: &'m Model, expr: &mut dyn FnMut(&'m Expr), stmt: &mut dyn FnMut(&'m Stmt)) {
    Whole { expr, stmt, text: &mut |_| {} }.model(model);
}

/// Calls `text` with every text with holes that people are shown: reasons, titles, prompts, what is said, and texts within expressions.
pub fn texts<'m>(model: &'m Model, text: &mut dyn FnMut(&'m Text)) {
    let text = std::cell::RefCell::new(text);
    let mut expr = |e: &'m Expr| {
        if let ExprKind::Text(t) = &*e.kind {
            (text.borrow_mut())(t);
        }
    };
    let mut stmt = |s: &'m Stmt| {
        if let StmtKind::Say(t) = &s.kind {
            (text.borrow_mut())(t);
        }
    };
    Whole { expr: &mut expr, stmt: &mut stmt, text: &mut |t| (text.borrow_mut())(t) }.model(model);
}

impl<'m> Whole<'m, '_> {
    fn e(&mut self, e: &'m Expr) {
        every(e, &mut *self.expr);
    }

    fn es(&mut self, es: impl IntoIterator<Item = &'m Expr>) {
        for e in es {
            self.e(e);
        }
    }

    fn text(&mut self, t: &'m Text) {
        (self.text)(t);
        self.es(holes(t));
    }

    fn texts(&mut self, ts: impl IntoIterator<Item = &'m Text>) {
        for t in ts {
            self.text(t);
        }
    }

    fn block(&mut self, b: &'m [Stmt]) {
        for s in b {
            (self.stmt)(s);
            let (es, bs) = inside(s);
            self.es(es);
            if let StmtKind::Attach(a) = &s.kind {
                self.attachment(a);
            }
            for b in bs {
                self.block(b);
            }
        }
    }

    fn guard(&mut self, g: &'m Guard) {
        self.e(&g.cond);
        self.texts(&g.reason);
    }

    fn params(&mut self, params: &'m [Param]) {
        for p in params {
            self.e(&p.from);
            self.es(&p.filter);
            if let Many::Subset { min, max } = &p.many {
                self.es(min.iter().chain(max));
            }
        }
    }

    fn ending(&mut self, e: &'m MenuEnding) {
        self.es(&e.who);
        self.e(&e.when);
        self.texts(&e.text);
    }

    fn attachment(&mut self, a: &'m Attachment) {
        for p in a.heads.iter().flat_map(|h| &h.patterns) {
            if let Pattern::Test(_, e) = p {
                self.e(e);
            }
        }
        self.es(a.by.iter().chain(&a.when));
        if let Some((by, text)) = &a.may {
            self.es(by);
            self.texts(text);
        }
        match &a.what {
            AttachKind::Modify(_, e) => self.e(e),
            AttachKind::Before(b) | AttachKind::After(b) | AttachKind::Instead(b) => self.block(b),
            AttachKind::Forbid(t) => self.texts(t),
        }
    }

    fn model(&mut self, m: &'m Model) {
        self.es(&m.answered);
        for (e, t) in m.score.iter() {
            self.e(e);
            self.texts(t);
        }
        for (e, t) in m.ends.iter().chain(&m.needs).chain(m.scopes.iter().flat_map(|s| &s.needs)) {
            self.e(e);
            self.texts(t);
        }
        self.es(m.scopes.iter().flat_map(|s| &s.options).map(|(_, e)| e));
        self.es(m.options.iter().filter_map(|o| o.default.as_ref()));
        for k in &m.kinds {
            self.es(&k.copies);
            self.es(k.discards.iter().chain(&k.out_when).map(|(_, b)| &b.body));
            self.es(k.look.iter().map(|l| &l.expr.body));
            self.es(k.sides.iter().flat_map(|s| &s.marks).map(|(_, e)| e));
        }
        for d in &m.members {
            self.text(&d.title);
            self.es(d.copies.iter().map(|b| &b.body));
            self.es(d.sets.iter().map(|(_, b)| &b.body));
            self.es(d.fills.iter().map(|(_, b)| &b.body));
            self.es(d.sides.iter().flat_map(|s| &s.marks).map(|(_, e)| e));
            self.es(&d.answered);
            for (_, b) in &d.rule_fills {
                self.block(&b.body);
            }
        }
        self.es(m.attrs.iter().filter_map(|a| a.default.as_ref()).map(|b| &b.body));
        for z in &m.zones {
            if let Seen::By(b) = &z.seen {
                self.e(&b.body);
            }
            if let Active::When(b) = &z.active {
                self.e(&b.body);
            }
            self.es(z.capacity.iter().map(|b| &b.body));
        }
        for c in m.maps.iter().flat_map(|m| &m.legend) {
            self.es(&c.when);
            for k in &c.marks {
                if let Mark::Set(_, e) | Mark::Player(_, e) | Mark::Whose(e) = k {
                    self.e(e);
                }
            }
        }
        self.es(m.values.iter().filter_map(|v| v.body.body.as_ref()));
        for v in &m.values {
            if let ValueRole::Line(_, t) = &v.role {
                self.text(t);
            }
        }
        for r in &m.rules {
            if let Some(b) = &r.body.body {
                self.block(b);
            }
        }
        for menu in &m.menus {
            self.params(&menu.params);
            for e in menu.done.iter().chain(&menu.pass) {
                self.es(&e.when);
                self.texts(e.title.iter().chain(&e.reason));
            }
            if let Some((c, t)) = &menu.open {
                self.e(c);
                self.texts(t);
            }
            menu.endings.iter().for_each(|e| self.ending(e));
            menu.needs.iter().chain(&menu.leaves).for_each(|g| self.guard(g));
            if let Some(best) = &menu.best {
                best.values.iter().for_each(|e| self.e(e));
                self.texts(&best.reason);
            }
            self.texts(menu.no_dead_ends.iter().flat_map(|(_, t)| t));
            if let Some(clock) = &menu.clock {
                self.es(clock.seconds.iter().chain(&clock.choices));
            }
        }
        for a in &m.actions {
            self.params(&a.params);
            self.es(&a.when);
            for s in &a.head {
                match s {
                    HeadStep::Let(_, e) => self.e(e),
                    HeadStep::Needs(g) | HeadStep::MustLeave(g) => self.guard(g),
                }
            }
            self.block(&a.body);
        }
        m.attachments.iter().for_each(|a| self.attachment(a));
        m.setups.iter().for_each(|(_, b)| self.block(&b.body));
        if let Some(r) = &m.round {
            match &r.until {
                RoundUntil::Times(e) | RoundUntil::Cond(e) => self.e(e),
                RoundUntil::Forever | RoundUntil::Once => {}
            }
            self.block(&r.body.body);
        }
        m.endings.iter().for_each(|(_, b)| self.ending(&b.body));
    }

    /// Tests, and what holds in all positions that they reach.
    fn tests(&mut self, m: &'m Model) {
        self.es(m.invariants.iter().map(|i| &i.cond.body));
        m.tests.iter().for_each(|t| self.steps(&t.steps));
    }

    fn answer(&mut self, a: &'m Answer) {
        match a {
            Answer::Action(_, es) => self.es(es),
            Answer::Value(e) => self.e(e),
            Answer::Done | Answer::Pass | Answer::Yes(_) => {}
        }
    }

    fn steps(&mut self, steps: &'m [TestStep]) {
        for s in steps {
            match &s.kind {
                TestStepKind::Do(s) => self.block(std::slice::from_ref(s)),
                TestStepKind::For(_, e, b) | TestStepKind::Repeat(e, b) => {
                    self.e(e);
                    self.steps(b);
                }
                TestStepKind::If(c, a, b) => {
                    self.e(c);
                    self.steps(a);
                    self.steps(b);
                }
                TestStepKind::Expect(e) => self.e(e),
                TestStepKind::ExpectOver(who, ..)
                | TestStepKind::Asked(who, _)
                | TestStepKind::TimeUp(who) => self.es(who),
                TestStepKind::Answer(who, a) | TestStepKind::Refuse(who, a, _) => {
                    self.es(who);
                    self.answer(a);
                }
                TestStepKind::Offered(who, all) => {
                    self.es(who);
                    all.iter().for_each(|a| self.answer(a));
                }
                TestStepKind::Rolls(who, all) => {
                    self.es(who);
                    self.es(all);
                }
                TestStepKind::Draws(who, all) => {
                    self.es(who);
                    all.iter().for_each(|draw| self.es(draw));
                }
                TestStepKind::Shuffles(who, place, all) => {
                    self.es(who);
                    self.e(place);
                    self.es(all);
                }
                TestStepKind::Logged(_) | TestStepKind::StartAt(_) | TestStepKind::RunTo(_) => {}
            }
        }
    }
}
