//! Visitors of typed expressions and statements: the parts of each, in evaluation order.
use super::build;
use crate::hir::*;
use houserule_text::Span;

/// The expressions directly inside one, in the order in which they are worked out.
pub fn subexprs(e: &Expr) -> Vec<&Expr> {
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
        Text(t) => hole_exprs(t),
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
                out.extend(hole_exprs(t));
            }
            out
        }
        Rule(_, by, a) | CanRule(_, by, a) => by.iter().chain(a).collect(),
        CanMenu(p, _, a) => std::iter::once(p).chain(a).collect(),
    }
}

/// The expressions in a text's holes.
pub fn hole_exprs(t: &Text) -> Vec<&Expr> {
    t.holes()
}

/// Calls `f` with the expression and everything inside it, outermost first.
pub fn visit_exprs<'a>(e: &'a Expr, f: &mut dyn FnMut(&'a Expr)) {
    f(e);
    for p in subexprs(e) {
        visit_exprs(p, f);
    }
}

/// Whether the expression or anything inside it is such.
pub fn any_expr(e: &Expr, f: &mut dyn FnMut(&Expr) -> bool) -> bool {
    f(e) || subexprs(e).into_iter().any(|p| any_expr(p, f))
}

/// Whether something is chosen, rolled or done within an expression.
pub fn is_acting(e: &Expr) -> bool {
    any_expr(e, &mut |x| matches!(&*x.kind, ExprKind::Choose(_) | ExprKind::Roll(_) | ExprKind::Rule(..)))
}

/// The expressions and blocks directly inside a statement, expressions first.
pub fn stmt_parts(s: &Stmt) -> (Vec<&Expr>, Vec<&Block>) {
    let does = s.kind.does();
    (does.exprs, does.blocks)
}

/// Calls `f` with every expression of a block, of the blocks in it, and of what is inside the expressions.
pub fn visit_block_exprs<'a>(b: &'a [Stmt], f: &mut dyn FnMut(&'a Expr)) {
    for s in b {
        let (es, bs) = stmt_parts(s);
        for e in es {
            visit_exprs(e, f);
        }
        for b in bs {
            visit_block_exprs(b, f);
        }
    }
}

/// Calls `f` with every statement of a block and of the blocks in it.
pub fn visit_stmts<'a>(b: &'a [Stmt], f: &mut dyn FnMut(&'a Stmt)) {
    for s in b {
        f(s);
        for b in stmt_parts(s).1 {
            visit_stmts(b, f);
        }
    }
}

/// The phases with a title that a round goes through by itself, in the order of its text; those that another rule or phase begins are not among them.
pub fn phases_of_round(model: &Model) -> Vec<RuleId> {
    let mut out = Vec::new();
    let Some(round) = &model.round else { return out };
    visit_stmts(&round.body.body, &mut |s| {
        if let StmtKind::Call(r, ..) = &s.kind
            && model.rules.get(r.index()).is_some_and(|r| r.phase && r.title.is_some())
            && !out.contains(r)
        {
            out.push(*r);
        }
    });
    out
}

/// Calls of rules in a statement (not in the blocks in it), each with who acts, arguments and place.
pub fn rule_calls_with_actors(s: &Stmt) -> Vec<(RuleId, Option<&Expr>, &[Expr], Span)> {
    let mut out = Vec::new();
    if let StmtKind::Call(r, by, args) = &s.kind {
        out.push((*r, by.as_ref(), args.as_slice(), s.span));
    }
    for e in stmt_parts(s).0 {
        visit_exprs(e, &mut |x| {
            if let ExprKind::Rule(r, by, args) = &*x.kind {
                out.push((*r, by.as_ref(), args.as_slice(), x.span));
            }
        });
    }
    out
}

/// Calls of rules in a statement, with their arguments.
pub fn rule_calls(s: &Stmt) -> Vec<(RuleId, &[Expr])> {
    rule_calls_with_actors(s).into_iter().map(|(r, _, args, _)| (r, args)).collect()
}

/// Calls `f` with every block of the game, its tests included (blocks inside blocks not again).
pub fn visit_blocks<'m>(model: &'m Model, f: &mut dyn FnMut(&'m [Stmt])) {
    visit_rule_blocks(model, f);
    for t in &model.tests {
        steps(&t.steps, f);
    }
}

/// Calls `f` with every block of the game's rules, those attached in layers too (blocks inside blocks not again).
pub fn visit_rule_blocks<'m>(model: &'m Model, f: &mut dyn FnMut(&'m [Stmt])) {
    let rules = model.rules.iter().filter_map(|r| r.body.body.as_ref());
    let fills = model.members.iter().flat_map(|m| &m.rule_fills).map(|(_, b)| &b.body);
    let actions = model.actions.iter().map(|a| &a.body);
    let setups = model.setups.iter().map(|(_, b)| &b.body);
    let round = model.round.iter().map(|r| &r.body.body);
    let attached = model.attachments.iter().filter_map(attached_block);
    let all = rules.chain(fills).chain(actions).chain(setups).chain(round).chain(attached);
    all.for_each(|b| visit_layers(b, f));
}

/// A block, and those that its layers attach.
fn visit_layers<'m>(b: &'m [Stmt], f: &mut dyn FnMut(&'m [Stmt])) {
    f(b);
    let mut attached = Vec::new();
    visit_stmts(b, &mut |s| {
        if let StmtKind::Attach(a) = &s.kind {
            attached.extend(attached_block(a));
        }
    });
    attached.into_iter().for_each(|b| visit_layers(b, f));
}

fn attached_block(a: &Attachment) -> Option<&Block> {
    match &a.what {
        AttachKind::Before(b) | AttachKind::After(b) | AttachKind::Instead(b) => Some(b),
        _ => None,
    }
}

fn steps<'m>(all: &'m [TestStep], f: &mut dyn FnMut(&'m [Stmt])) {
    for s in all {
        match &s.kind {
            TestStepKind::Do(s) => visit_layers(std::slice::from_ref(s), f),
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
pub fn joined_conditions(e: &Expr) -> Vec<&Expr> {
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
pub fn pattern_conditions(h: &Head) -> Vec<&Expr> {
    h.patterns.iter().filter_map(|p| if let Pattern::Test(_, e) = p { Some(e) } else { None }).collect()
}

/// The expressions and blocks directly inside an attachment.
pub fn attachment_parts(a: &Attachment) -> (Vec<&Expr>, Vec<&Block>) {
    let mut out: Vec<&Expr> = Vec::new();
    out.extend(a.heads.iter().flat_map(pattern_conditions));
    out.extend(a.by.iter().chain(&a.when));
    if let Some((by, text)) = &a.may {
        out.extend(by);
        out.extend(text.iter().flat_map(hole_exprs));
    }
    match &a.what {
        AttachKind::Modify(_, e) => out.push(e),
        AttachKind::Before(b) | AttachKind::After(b) | AttachKind::Instead(b) => return (out, vec![b]),
        AttachKind::Forbid(t) => out.extend(t.iter().flat_map(hole_exprs)),
    }
    (out, vec![])
}

/// Calls `f` with every expression of an attachment, of those in its layers too.
pub fn visit_attachment_exprs<'a>(a: &'a Attachment, f: &mut dyn FnMut(&'a Expr)) {
    let (es, bs) = attachment_parts(a);
    for e in es {
        visit_exprs(e, f);
    }
    for b in bs {
        visit_block_exprs(b, f);
        let mut inner = Vec::new();
        visit_stmts(b, &mut |s| {
            if let StmtKind::Attach(a) = &s.kind {
                inner.push(&**a);
            }
        });
        for a in inner {
            visit_attachment_exprs(a, f);
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
pub fn visit_game<'m>(model: &'m Model, expr: &mut dyn FnMut(&'m Expr), stmt: &mut dyn FnMut(&'m Stmt)) {
    let mut w = Whole { expr, stmt, text: &mut |_| {} };
    w.model(model);
    w.tests(model);
}

/// Calls `expr` and `stmt` with everything but the tests: what decides how a game is played.
pub fn visit_rules<'m>(model: &'m Model, expr: &mut dyn FnMut(&'m Expr), stmt: &mut dyn FnMut(&'m Stmt)) {
    Whole { expr, stmt, text: &mut |_| {} }.model(model);
}

/// Calls `text` with every text with holes that people are shown: reasons, titles, prompts, what is said, and texts within expressions.
pub fn visit_texts<'m>(model: &'m Model, text: &mut dyn FnMut(&'m Text)) {
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
    fn visit_one(&mut self, e: &'m Expr) {
        visit_exprs(e, &mut *self.expr);
    }

    fn visit_all(&mut self, es: impl IntoIterator<Item = &'m Expr>) {
        for e in es {
            self.visit_one(e);
        }
    }

    fn text(&mut self, t: &'m Text) {
        (self.text)(t);
        self.visit_all(hole_exprs(t));
    }

    fn texts(&mut self, ts: impl IntoIterator<Item = &'m Text>) {
        for t in ts {
            self.text(t);
        }
    }

    fn block(&mut self, b: &'m [Stmt]) {
        for s in b {
            (self.stmt)(s);
            let (es, bs) = stmt_parts(s);
            self.visit_all(es);
            if let StmtKind::Attach(a) = &s.kind {
                self.attachment(a);
            }
            for b in bs {
                self.block(b);
            }
        }
    }

    fn guard(&mut self, g: &'m Guard) {
        self.visit_one(&g.cond);
        self.texts(&g.reason);
    }

    fn params(&mut self, params: &'m [Param]) {
        for p in params {
            self.visit_one(&p.from);
            self.visit_all(&p.filter);
            if let Many::Subset { min, max } = &p.many {
                self.visit_all(min.iter().chain(max));
            }
        }
    }

    fn ending(&mut self, e: &'m MenuEnding) {
        self.visit_all(&e.who);
        self.visit_one(&e.when);
        self.texts(&e.text);
    }

    fn attachment(&mut self, a: &'m Attachment) {
        for p in a.heads.iter().flat_map(|h| &h.patterns) {
            if let Pattern::Test(_, e) = p {
                self.visit_one(e);
            }
        }
        self.visit_all(a.by.iter().chain(&a.when));
        if let Some((by, text)) = &a.may {
            self.visit_all(by);
            self.texts(text);
        }
        match &a.what {
            AttachKind::Modify(_, e) => self.visit_one(e),
            AttachKind::Before(b) | AttachKind::After(b) | AttachKind::Instead(b) => self.block(b),
            AttachKind::Forbid(t) => self.texts(t),
        }
    }

    fn model(&mut self, m: &'m Model) {
        self.visit_all(&m.answered);
        for (e, t) in m.score.iter() {
            self.visit_one(e);
            self.texts(t);
        }
        for (e, t) in m.ends.iter().chain(&m.needs).chain(m.scopes.iter().flat_map(|s| &s.needs)) {
            self.visit_one(e);
            self.texts(t);
        }
        for row in &m.legacy {
            match &row.kind {
                LegacyKind::Option(_, e) | LegacyKind::Next(_, NextWhen::Holds(e)) => self.visit_one(e),
                LegacyKind::Next(..) => {}
            }
        }
        self.visit_all(m.scopes.iter().flat_map(|s| &s.options).map(|(_, e)| e));
        self.visit_all(m.options.iter().filter_map(|o| o.default.as_ref()));
        self.visit_all(m.maps.iter().filter_map(|m| m.computed.as_ref()).flat_map(|(w, h)| [w, h]));
        for k in &m.kinds {
            self.visit_all(&k.copies);
            self.visit_all(k.discards.iter().map(|(_, b)| &b.body));
            self.visit_all(k.look.iter().map(|l| &l.expr.body));
            self.visit_all(k.sides.iter().flat_map(|s| &s.marks).map(|(_, e)| e));
        }
        for d in &m.members {
            self.text(&d.title);
            self.visit_all(d.copies.iter().map(|b| &b.body));
            self.visit_all(d.sets.iter().map(|(_, b)| &b.body));
            self.visit_all(d.fills.iter().map(|(_, b)| &b.body));
            self.visit_all(d.sides.iter().flat_map(|s| &s.marks).map(|(_, e)| e));
            self.visit_all(&d.answered);
            for (_, b) in &d.rule_fills {
                self.block(&b.body);
            }
        }
        self.visit_all(m.attrs.iter().filter_map(|a| a.default.as_ref()).map(|b| &b.body));
        for z in &m.zones {
            if let Seen::By(b) = &z.seen {
                self.visit_one(&b.body);
            }
            if let Active::When(b) = &z.active {
                self.visit_one(&b.body);
            }
            self.visit_all(z.capacity.iter().map(|b| &b.body));
        }
        for c in m.maps.iter().flat_map(|m| &m.legend) {
            self.visit_all(&c.when);
            for k in &c.marks {
                if let Mark::Set(_, e) | Mark::Player(_, e) | Mark::Whose(e) = k {
                    self.visit_one(e);
                }
            }
        }
        self.visit_all(m.values.iter().filter_map(|v| v.body.body.as_ref()));
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
                self.visit_all(&e.when);
                self.texts(e.title.iter().chain(&e.reason));
            }
            if let Some((c, t)) = &menu.open {
                self.visit_one(c);
                self.texts(t);
            }
            menu.endings.iter().for_each(|e| self.ending(e));
            menu.needs.iter().chain(&menu.leaves).for_each(|g| self.guard(g));
            if let Some(best) = &menu.best {
                best.values.iter().for_each(|e| self.visit_one(e));
                self.texts(&best.reason);
            }
            self.texts(menu.no_dead_ends.iter().flat_map(|(_, t)| t));
            if let Some(clock) = &menu.clock {
                self.visit_all(clock.seconds.iter().chain(&clock.choices));
            }
        }
        for a in &m.actions {
            self.params(&a.params);
            self.visit_all(&a.when);
            for s in &a.head {
                match s {
                    HeadStep::Let(_, e) => self.visit_one(e),
                    HeadStep::Needs(g) | HeadStep::MustLeave(g) => self.guard(g),
                }
            }
            self.block(&a.body);
        }
        m.attachments.iter().for_each(|a| self.attachment(a));
        m.setups.iter().for_each(|(_, b)| self.block(&b.body));
        if let Some(r) = &m.round {
            match &r.until {
                RoundUntil::Times(e) | RoundUntil::Cond(e) => self.visit_one(e),
                RoundUntil::Forever | RoundUntil::Once => {}
            }
            self.block(&r.body.body);
        }
        m.endings.iter().for_each(|(_, b)| self.ending(&b.body));
    }

    /// Tests, and what holds in all positions that they reach.
    fn tests(&mut self, m: &'m Model) {
        self.visit_all(m.invariants.iter().map(|i| &i.cond.body));
        m.tests.iter().for_each(|t| self.steps(&t.steps));
    }

    fn answer(&mut self, a: &'m Answer) {
        match a {
            Answer::Action(_, es) => self.visit_all(es),
            Answer::Value(e) => self.visit_one(e),
            Answer::Done | Answer::Pass | Answer::Yes(_) => {}
        }
    }

    fn steps(&mut self, steps: &'m [TestStep]) {
        for s in steps {
            match &s.kind {
                TestStepKind::Do(s) => self.block(std::slice::from_ref(s)),
                TestStepKind::For(_, e, b) | TestStepKind::Repeat(e, b) => {
                    self.visit_one(e);
                    self.steps(b);
                }
                TestStepKind::If(c, a, b) => {
                    self.visit_one(c);
                    self.steps(a);
                    self.steps(b);
                }
                TestStepKind::Expect(e) => self.visit_one(e),
                TestStepKind::Handed(all, _) => self.visit_all(all.iter().map(|(_, e)| e)),
                TestStepKind::ExpectOver(who, ..)
                | TestStepKind::Asked(who, _)
                | TestStepKind::TimeUp(who) => self.visit_all(who),
                TestStepKind::Answer(who, a) | TestStepKind::Refuse(who, a, _) => {
                    self.visit_all(who);
                    self.answer(a);
                }
                TestStepKind::Offered(who, all) => {
                    self.visit_all(who);
                    all.iter().for_each(|a| self.answer(a));
                }
                TestStepKind::Rolls(who, all) => {
                    self.visit_all(who);
                    self.visit_all(all);
                }
                TestStepKind::Draws(who, all) => {
                    self.visit_all(who);
                    all.iter().for_each(|draw| self.visit_all(draw));
                }
                TestStepKind::Shuffles(who, place, all) => {
                    self.visit_all(who);
                    self.visit_one(place);
                    self.visit_all(all);
                }
                TestStepKind::Logged(_) | TestStepKind::StartAt(_) | TestStepKind::RunTo(_) => {}
            }
        }
    }
}

/// The expression with each of its parts rewritten; none if a part has no new form, or if the expression is of a kind that binds names or acts.
pub fn rewrite_parts(e: &Expr, new: &mut dyn FnMut(&Expr) -> Option<Expr>) -> Option<Expr> {
    let kind = match &*e.kind {
        ExprKind::And(a, b) => ExprKind::And(new(a)?, new(b)?),
        ExprKind::Or(a, b) => ExprKind::Or(new(a)?, new(b)?),
        ExprKind::Not(a) => ExprKind::Not(new(a)?),
        ExprKind::IsSome(a) => ExprKind::IsSome(new(a)?),
        ExprKind::IsEmpty(a) => ExprKind::IsEmpty(new(a)?),
        ExprKind::IsFace(a, m, None) => ExprKind::IsFace(new(a)?, *m, None),
        ExprKind::IsKind(a, k) => ExprKind::IsKind(new(a)?, *k),
        ExprKind::Attr(a, attr) => ExprKind::Attr(new(a)?, *attr),
        ExprKind::Zone(Some(a), z, None) => ExprKind::Zone(Some(new(a)?), *z, None),
        ExprKind::Compare(op, a, b) => ExprKind::Compare(*op, new(a)?, new(b)?),
        ExprKind::In(a, b) => ExprKind::In(new(a)?, new(b)?),
        ExprKind::Builtin(b, args) => ExprKind::Builtin(*b, args.iter().map(new).collect::<Option<_>>()?),
        ExprKind::Value(v, args) => ExprKind::Value(*v, args.iter().map(new).collect::<Option<_>>()?),
        _ => return None,
    };
    Some(build::expr(e.ty.clone(), e.span, kind))
}
