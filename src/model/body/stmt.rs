//! Reads statements: from the syntax tree to typed ones.
use super::attach;
use super::build::{self, cond, expr};
use super::calls::Param;
use super::codes;
use super::cx::{Cx, Me, Mode};
use super::index::{Part, Thing};
use super::types;
use super::walk;
use crate::hir::*;
use crate::uses::Def;
use houserule_syntax::ast;
use houserule_text::{Diagnostic, Span};

/// What blocks of an action's or rule's body share.
impl<'a> Cx<'a> {
    /// Reads a block in a scope of its own.
    pub fn read_block(&mut self, b: &ast::Block) -> Block {
        self.read_in_scope(|cx| cx.read_stmts(&b.stmts))
    }

    /// Reads statements one after the other.
    pub fn read_stmts(&mut self, stmts: &[ast::Stmt]) -> Block {
        let mut out = Block::new();
        let mut ended: Option<Span> = None;
        for s in stmts {
            if let Some(at) = ended.take() {
                self.push(
                    Diagnostic::warning(codes::UNREACHABLE, s.span, "this is never reached")
                        .label("never reached")
                        .also(at, "this ends the rule or the game"),
                );
            }
            let before = out.len();
            self.read_stmt(s, &mut out);
            if out.len() > before && out[before..].iter().any(|s| self.is_ending(s)) {
                ended = Some(s.span);
            }
        }
        out
    }

    /// Whether nothing after the statement is done.
    fn is_ending(&self, s: &Stmt) -> bool {
        match &s.kind {
            StmtKind::Stop | StmtKind::Give(_) => true,
            // Where each plays for himself the others go on.
            StmtKind::Verdict(..) => !self.within.test && !matches!(self.model().outcome, Outcome::Each),
            StmtKind::If(_, a, b) => !b.is_empty() && self.is_block_ending(a) && self.is_block_ending(b),
            _ => false,
        }
    }

    fn is_block_ending(&self, b: &Block) -> bool {
        b.iter().any(|s| self.is_ending(s))
    }

    /// Reads a statement.
    pub fn read_stmt(&mut self, s: &ast::Stmt, out: &mut Block) {
        use ast::StmtKind as A;
        self.skips = false;
        let span = s.span;
        let mut effect = true;
        let kind = match &s.kind {
            A::Let(name, e) => {
                effect = false;
                self.read_let(name, e)
            }
            A::If { arms, otherwise } => {
                effect = false;
                self.read_if_stmt(arms, otherwise.as_ref(), span)
            }
            A::For(name, over, by, body) => Some(self.read_for(name, over, by.as_ref(), body)),
            A::RepeatTimes(n, body) => {
                let n = self.read_number_of(n, "the count of `repeat`");
                self.forget();
                Some(StmtKind::Repeat(n, self.read_block(body)))
            }
            A::RepeatUntil(c, body) => {
                self.forget();
                let c = self.read_purely("a condition", |cx| cx.read_cond(c, "the condition of `until`"));
                let body = self.read_block(body);
                self.warn_endless(&c, &body, span);
                Some(StmtKind::RepeatUntil(c, body))
            }
            A::Until(p, body) => self.read_layer(p, body),
            A::Everyone(e) => Some(self.read_everyone(e)),
            A::Either(ways) => {
                let (chosen, by_way) = self.read_either(ways, span);
                out.push(Stmt { span, kind: chosen });
                Some(by_way)
            }
            A::May(m, body) => {
                let by = m.by.as_ref().map(|p| self.read_as(p, &types::player(), "the asked player"));
                if by.is_none() {
                    let _ = self.read_me(m.span);
                }
                let prompt = m.prompt.as_ref().map(|t| self.read_text(t));
                let me = self.new_local("me", types::player(), m.span);
                let body = self.read_acting(me, |cx| cx.read_block(body));
                Some(StmtKind::May(Box::new(May { by, prompt, me, body })))
            }
            A::As(p, body) => {
                let p = self.read_as(p, &types::player(), "the player who acts");
                let me = self.new_local("me", types::player(), p.span);
                let body = self.read_acting(me, |cx| cx.read_block(body));
                Some(StmtKind::As(me, p, body))
            }
            A::Needs(n) => {
                effect = false;
                let g = self.read_guard(n, span);
                self.learn(&g.cond, true);
                Some(StmtKind::Needs(g))
            }
            A::Must(ast::Must::Leave(n)) if self.mode != Mode::Effect => {
                effect = false;
                Some(StmtKind::MustLeave(self.read_must_leave(n, span)))
            }
            A::Must(ast::Must::Leave(_)) => {
                let d = Diagnostic::error(
                    codes::LATE_GUARD,
                    span,
                    "`must leave` can only be used before the first effect of an action, or in a menu",
                );
                self.push(d.help(
                    "move it up, before the action's first effect; it is judged after the effect anyway",
                ));
                None
            }
            A::Must(_) => {
                let _ = self.report_not_played(span, "legality by outcome (`must …`)");
                None
            }
            A::Has(ast::Has::Zone(z)) => {
                let _ = self.report_not_played(z.name.span, "zones of a phase's own");
                None
            }
            A::Has(ast::Has::Attr(a)) => self.read_phase_state(a, span),
            A::Attach(a) => {
                if !self.within.layer {
                    let d = Diagnostic::error(
                        codes::NOT_IN_LAYER,
                        span,
                        "an attachment in a rule must be inside `until end of … { }`",
                    )
                    .help("write how long it lasts: `until end of turn { … }`");
                    self.push(d);
                    return;
                }
                attach::read_attachment_in_layer(self, a).map(|a| StmtKind::Attach(Box::new(a)))
            }
            A::Move(m) => match self.read_move(m, span) {
                Some(StmtKind::Move(m)) => Some(self.refill_and_move(m, span, out)),
                other => other,
            },
            A::Deal(d) => self.read_deal(d, span),
            A::Swap(a, b) => {
                let (x, y) = (self.read_swapped(a), self.read_swapped(b));
                Some(StmtKind::Swap(x, y))
            }
            A::Flip(x, lying) => {
                let x = self.read_things(x, "the thing to flip");
                Some(StmtKind::Flip(x, lying.map(|l| l == ast::Lying::Up)))
            }
            A::Show(x, to) => {
                let x = self.read_things(x, "the thing to show");
                let to = to.as_ref().map(|to| self.read_players_or_one(to, "the player who sees it"));
                Some(StmtKind::Show(x, to))
            }
            A::Offer(menus) => self.read_offer(menus, span),
            A::Becomes(x, face) => {
                let want = self.wanted_component_type(x);
                let x = self.read_expr(x, want.as_ref());
                let x = self.to_component(x);
                match types::plain(&x.ty) {
                    Ty::Error => None,
                    Ty::Of(k) if types::is_component(self.model(), k) => {
                        let _ = self.need_value(&x, "only a component can have `becomes`");
                        let face = self.read_as(face, &Ty::Face(k), "the new face");
                        Some(StmtKind::Becomes(x, face))
                    }
                    other => {
                        let is = self.show(&other);
                        let _ = self.fail(
                            codes::NOT_MOVABLE,
                            x.span,
                            format!("only a component has faces, but this is {is}"),
                            "write a card, token, piece or die; other things change by their attributes, as in `x.attr = …`",
                        );
                        None
                    }
                }
            }
            A::Shuffle(zones) => {
                let zones =
                    zones.iter().filter_map(|z| self.read_zone_place(z, "the zone to shuffle")).collect();
                Some(StmtKind::Shuffle(zones))
            }
            A::Roll(x) => {
                let want = self.wanted_component_type(x);
                let x = self.read_expr(x, want.as_ref());
                let x = self.to_component(x);
                let el = types::element(self.model(), &x.ty).unwrap_or_else(|| types::plain(&x.ty));
                let dice = types::kinds_of(&el).iter().all(|k| {
                    matches!(
                        types::kind(self.model(), *k).map(|k| &k.sort),
                        Some(KindSort::Component(ComponentSort::Die))
                    )
                });
                if x.ty == Ty::Error {
                    None
                } else if dice && !types::kinds_of(&el).is_empty() {
                    Some(StmtKind::Roll(x))
                } else {
                    let is = self.show(&x.ty);
                    let _ = self.fail(
                        codes::NOT_MOVABLE,
                        x.span,
                        format!("only dice can be rolled, but this is {is}"),
                        "write the dice, as in `roll ZONE`; for a number by chance, `choose one of 1..6 by chance`",
                    );
                    None
                }
            }
            A::Discard(x) => {
                let x = self.read_things(x, "the thing to discard");
                self.check_discards(&x);
                Some(StmtKind::Discard(x))
            }
            A::Pay(e) if self.within.layer => {
                let _ = self.read_cost(e);
                let d = Diagnostic::error(codes::NOT_IN_LAYER, span, "a payment cannot be inside `until`");
                self.push(d.help("write `pay …` in front of `until … { }`"));
                None
            }
            A::Pay(e) => {
                let cost = self.read_purely("a cost", |cx| cx.read_cost(e));
                let guards = cost.guards.into_iter().map(|g| Stmt { span, kind: StmtKind::Needs(g) });
                out.extend(guards);
                let mut payments = cost.payments;
                let last = payments.pop();
                out.extend(payments);
                last.map(|s| s.kind)
            }
            A::Build(map) => {
                let found = self
                    .ix
                    .things(&map.text)
                    .iter()
                    .find_map(|t| if let Thing::Map(m) = t { Some(*m) } else { None });
                match found {
                    Some(m) => {
                        self.note(map.span, Def::Map(m));
                        Some(StmtKind::Build(m))
                    }
                    None => {
                        let words = self
                            .ix
                            .words(|t| matches!(t, Thing::Map(_)))
                            .into_iter()
                            .map(str::to_string)
                            .collect();
                        let _ = self.report_unknown(
                            codes::NO_NAME,
                            map,
                            format!("there is no map `{}`", map.text),
                            words,
                        );
                        None
                    }
                }
            }
            A::Say(t) => {
                effect = false;
                Some(StmtKind::Say(self.read_text(t)))
            }
            A::Give(e) => self.read_give(e, span),
            A::End(phase, e) => self.read_end(phase, e.as_ref(), span),
            A::Result { outcome, who, text } => {
                let who = who.as_ref().map(|p| self.read_players_or_one(p, "the player"));
                let text = text.as_ref().map(|t| self.read_text(t));
                Some(StmtKind::Verdict(to_verdict(*outcome), who, text))
            }
            A::Stop => Some(StmtKind::Stop),
            A::Assign(l, op, r) => self.read_assignment(l, *op, r, span),
            A::Call(e, by) => self.read_call_stmt(e, by.as_ref(), span),
            A::Expect(_)
            | A::ExpectOutcome(..)
            | A::ExpectRefused(..)
            | A::Refuse(..)
            | A::Offered(..)
            | A::Asked(..)
            | A::Logged(_)
            | A::StartAt(_)
            | A::RunTo(_)
            | A::Rolls(..)
            | A::Draws(..)
            | A::Shuffles(..)
            | A::TimeUp(_)
            | A::Answer(_) => {
                let _ = self.fail(
                    codes::TEST_STEP,
                    span,
                    "this can only be used in a `test`",
                    "move it into a `test \"…\" with A, B { … }`",
                );
                None
            }
            A::Bad => None,
        };
        if effect {
            self.forget();
        }
        if self.within.layer
            && let Some(k) = &kind
            && !k.does().undone
        {
            let d = Diagnostic::error(
                codes::NOT_IN_LAYER,
                span,
                "`until … { }` can only contain attachments, moves and `x = …`, because it takes them back",
            );
            let die = matches!(k, StmtKind::Assign(..));
            self.push(if die {
                d.help("`until … { }` cannot turn a die back: turn the die outside of it")
            } else {
                d.help("move it in front of `until … { }`, or behind it")
            });
        }
        if let Some(
            StmtKind::Let(_, drawn)
            | StmtKind::For(_, drawn, _)
            | StmtKind::Show(drawn, _)
            | StmtKind::Discard(drawn)
            | StmtKind::Flip(drawn, _),
        ) = &kind
        {
            out.extend(self.refill_before(drawn, span));
        }
        if let Some(kind) = kind {
            out.push(Stmt { span, kind });
        }
    }

    /// Reads something in which another player is `me`.
    pub fn read_acting<T>(&mut self, me: LocalId, read: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.me, Me::Is(me));
        let out = read(self);
        self.me = outer;
        out
    }

    /// `needs C else "…"`.
    pub fn read_guard(&mut self, n: &ast::Needs, span: Span) -> Guard {
        let cond = self.read_purely("a guard", |cx| cx.read_cond(&n.cond, "the condition of `needs`"));
        let reason = n.reason.as_ref().map(|t| {
            // The reason is shown when the condition does not hold.
            self.read_in_scope(|cx| {
                cx.learn(&cond, false);
                cx.read_lenient_text(t)
            })
        });
        Guard { cond, reason, span }
    }

    /// `must leave C else "…"`: the condition is evaluated after the effect was tried, so no fact about the state holds in it; the reason is evaluated before the effect.
    pub fn read_must_leave(&mut self, n: &ast::Needs, span: Span) -> Guard {
        let cond = self.read_in_scope(|cx| {
            cx.forget();
            let outer = std::mem::replace(&mut cx.in_tried, true);
            let cond = cx.read_purely("the condition of `must leave`", |cx| {
                cx.read_cond(&n.cond, "the condition of `must leave`")
            });
            cx.in_tried = outer;
            cond
        });
        let reason = n.reason.as_ref().map(|t| self.read_lenient_text(t));
        Guard { cond, reason, span }
    }

    /// A text in which a hole may stay empty.
    pub fn read_lenient_text(&mut self, t: &ast::Text) -> Text {
        let outer = std::mem::replace(&mut self.mode, Mode::Effect);
        let skips = self.skips;
        let out = self.read_text(t);
        self.mode = outer;
        self.skips = skips;
        out
    }

    fn read_let(&mut self, name: &ast::Name, e: &ast::Expr) -> Option<StmtKind> {
        // A pile keeps its order under its name, numbers that are written out are a list; what is changed later is a set.
        let keeps = !self.reassigned.contains(&name.text);
        self.each_counts = keeps && matches!(&*e.kind, ast::ExprKind::Set(_));
        let mut e = self.read_expr(e, None);
        self.each_counts = false;
        if matches!(e.ty, Ty::Set(_)) && keeps && self.has_own_order(&e) {
            e = self.make_list(e);
        }
        let mut ty = e.ty.clone();
        match ty {
            Ty::Nothing => {
                let _ = self.fail(
                    codes::GIVES_NOTHING,
                    e.span,
                    "this gives no value, so `let` has nothing to name",
                    "call it without `let`; or give the rule a type, as in `rule r(): int`, and end it with `give`",
                );
                ty = Ty::Error;
            }
            Ty::None => {
                let _ = self.fail(
                    codes::IS_NONE,
                    e.span,
                    format!("`{}` is always none", name.text),
                    "leave out the `let`, and write `none` where the name stands",
                );
                ty = Ty::Error;
            }
            _ => {}
        }
        // What is set anew later may become any number, or none.
        if self.reassigned.contains(&name.text) {
            ty = match ty {
                Ty::Int(..) => types::WIDE,
                Ty::Maybe(t) if matches!(*t, Ty::Int(..)) => types::maybe(types::WIDE),
                t => t,
            };
        }
        // What is skipped gives none, or nothing of a set.
        if self.skips && self.acts() && !matches!(ty, Ty::Set(_) | Ty::List(_)) {
            ty = types::maybe(ty);
        }
        let full = self.is_not_empty(&e);
        let l = self.bind(name, ty);
        if keeps {
            self.note_unique(l, &e);
        }
        self.lets.insert(l);
        if super::folds::is_gathered(&e) {
            self.gathered.insert(l);
        }
        if full {
            let mut facts = Vec::new();
            std::mem::swap(&mut facts, &mut self.facts);
            facts.push(super::flow::Fact {
                path: format!("l{}", l.0),
                known: super::flow::Known::NotEmpty,
                fleeting: false,
            });
            self.facts = facts;
        }
        Some(StmtKind::Let(l, e))
    }

    fn read_if_stmt(
        &mut self,
        arms: &[(ast::Expr, ast::Block)],
        otherwise: Option<&ast::Block>,
        span: Span,
    ) -> Option<StmtKind> {
        let ((c, block), rest) = arms.split_first()?;
        let c = self.read_cond(c, "the condition of `if`");
        if let ExprKind::Bool(b) = &*c.kind {
            self.push(Diagnostic::warning(
                codes::ALWAYS,
                c.span,
                format!("this is always {}", if *b { "yes" } else { "no" }),
            ));
        }
        if walk::acts(&c) {
            self.forget();
        }
        let yes = self.read_in_scope(|cx| {
            cx.learn(&c, true);
            cx.read_stmts(&block.stmts)
        });
        let no = self.read_in_scope(|cx| {
            cx.learn(&c, false);
            if rest.is_empty() {
                otherwise.map(|b| cx.read_block(b)).unwrap_or_default()
            } else {
                let inner = rest.first().map_or(span, |(c, _)| c.span);
                cx.read_if_stmt(rest, otherwise, span)
                    .map(|kind| vec![Stmt { span: inner.to(span), kind }])
                    .unwrap_or_default()
            }
        });
        let (yes_ends, no_ends) = (self.is_block_ending(&yes), self.is_block_ending(&no));
        let acts = |b: &Block| b.iter().any(|s| !matches!(s.kind, StmtKind::Let(..) | StmtKind::Say(_)));
        if acts(&yes) && !yes_ends || acts(&no) && !no_ends {
            self.forget();
        }
        if yes_ends {
            self.learn(&c, false);
        } else if no_ends {
            self.learn(&c, true);
        }
        self.skips = false;
        Some(StmtKind::If(c, yes, no))
    }

    fn read_for(
        &mut self,
        name: &ast::Name,
        over: &ast::Expr,
        by: Option<&ast::Expr>,
        body: &ast::Block,
    ) -> StmtKind {
        let over = match &*over.kind {
            ast::ExprKind::Where(s, p) => self.read_where(s, p, over.span, None),
            ast::ExprKind::Set(_) => self.read_sequence(over),
            _ => self.read_source(over, None, None),
        };
        let over = self.read_collection(over, "the set of `for`");
        let el = types::element(self.model(), &over.ty).unwrap_or(Ty::Error);
        let sorted = by.map(|by| self.sort_by(&over, &el, name, by));
        self.forget();
        self.read_in_scope(|cx| {
            let l = cx.bind(name, el);
            cx.note_unique(l, &over);
            let body = cx.read_stmts(&body.stmts);
            match sorted {
                None => StmtKind::For(l, over, body),
                Some((mut before, list)) => {
                    let span = over.span;
                    before.push(Stmt { span, kind: StmtKind::For(l, list, body) });
                    StmtKind::If(cond(span, ExprKind::Bool(true)), before, Vec::new())
                }
            }
        })
    }

    /// The statements that make a list of what `for x in S by e` goes through, the lowest e first, and the list. Equal ones stay in the order of S.
    fn sort_by(&mut self, over: &Expr, el: &Ty, name: &ast::Name, by: &ast::Expr) -> (Vec<Stmt>, Expr) {
        let span = over.span;
        let (var, key) = self.read_in_scope(|cx| {
            let var = cx.bind(name, el.clone());
            (var, cx.read_purely("the order of `for`", |cx| cx.read_number_of(by, "the order of `for`")))
        });
        let listed = types::list_of(el.clone());
        let rest = if matches!(over.ty, Ty::List(_)) { listed.clone() } else { types::set_of(el.clone()) };
        let (left, next, row) = (
            self.new_local("it", rest.clone(), span),
            self.new_local("it", el.clone(), span),
            self.new_local("it", listed.clone(), span),
        );
        let left_now = || build::local(left, rest.clone(), span);
        let number = types::maybe(key.ty.clone());
        let lowest = Fold { op: FoldOp::Min, var, over: left_now(), cond: None, bodies: vec![key.clone()] };
        let lowest = expr(number.clone(), span, ExprKind::Fold(Box::new(lowest)));
        let least = self.new_local("it", number.clone(), span);
        let test = cond(span, ExprKind::Compare(Comparison::Eq, key, build::local(least, number, span)));
        // Unlike a fold, a filter keeps the order of a list.
        let equal = expr(rest.clone(), span, ExprKind::Where(left_now(), var, test));
        let first = expr(el.clone(), span, ExprKind::First { of: equal, last: false, n: None });
        let it = || build::local(next, el.clone(), span);
        let one = |ty: &Ty| {
            let listed = matches!(ty, Ty::List(_));
            let all = vec![it()];
            expr(ty.clone(), span, if listed { ExprKind::List(all) } else { ExprKind::Set(all) })
        };
        let stmt = |kind| Stmt { span, kind };
        let steps = vec![
            stmt(StmtKind::Let(least, lowest)),
            stmt(StmtKind::Let(next, first)),
            stmt(StmtKind::Assign(Lhs::Local(row), Change::Add, one(&listed))),
            stmt(StmtKind::Assign(Lhs::Local(left), Change::Sub, one(&rest))),
        ];
        let done = cond(span, ExprKind::IsEmpty(build::local(left, rest, span)));
        let before = vec![
            stmt(StmtKind::Let(left, over.clone())),
            stmt(StmtKind::Let(row, expr(listed.clone(), span, ExprKind::List(Vec::new())))),
            stmt(StmtKind::RepeatUntil(done, steps)),
        ];
        (before, build::local(row, listed, span))
    }

    /// Warns of a repetition whose end nothing in it can bring about.
    fn warn_endless(&mut self, c: &Expr, body: &Block, span: Span) {
        let mut looks_out = false;
        let mut locals = Vec::new();
        walk::every(c, &mut |e| match &*e.kind {
            ExprKind::Local(l) => locals.push(*l),
            ExprKind::Attr(..)
            | ExprKind::TableAttr(_)
            | ExprKind::Zone(..)
            | ExprKind::Box(_)
            | ExprKind::Value(..)
            | ExprKind::Hook(..)
            | ExprKind::Builtin(..)
            | ExprKind::CanMenu(..)
            | ExprKind::CanRule(..)
            | ExprKind::PhaseNow
            | ExprKind::IsFace(..) => looks_out = true,
            _ => {}
        });
        let (mut acts, mut leaves, mut set) = (false, false, Vec::new());
        walk::every_stmt(body, &mut |s| match &s.kind {
            StmtKind::Assign(Lhs::Local(l), ..) => set.push(*l),
            k if k.does().leaves => leaves = true,
            StmtKind::Let(..)
            | StmtKind::If(..)
            | StmtKind::For(..)
            | StmtKind::Repeat(..)
            | StmtKind::RepeatUntil(..)
            | StmtKind::Say(_) => {}
            _ => acts = true,
        });
        walk::every_in(body, &mut |e| {
            if matches!(&*e.kind, ExprKind::Choose(_) | ExprKind::Roll(_) | ExprKind::Rule(..)) {
                acts = true;
            }
        });
        let changes = (looks_out && acts) || locals.iter().any(|l| set.contains(l));
        if !changes && !leaves && c.ty != Ty::Error {
            self.push(
                Diagnostic::warning(
                    codes::ENDLESS,
                    span,
                    "nothing in the block can make this condition true",
                )
                .label("this repeats for ever, or never begins")
                .also(c.span, "nothing in the block changes this"),
            );
        }
    }

    fn read_layer(&mut self, p: &ast::Point, body: &ast::Block) -> Option<StmtKind> {
        let until = self.read_point(p)?;
        let outer = std::mem::replace(&mut self.within.layer, true);
        let body = self.read_block(body);
        self.within.layer = outer;
        Some(StmtKind::Until(until, body))
    }

    /// `end of round`, `start of my turn`.
    pub fn read_point(&mut self, p: &ast::Point) -> Option<Until> {
        use ast::PointWhich as W;
        let word = p.scope.text.as_str();
        Some(match (p.start, p.which, word) {
            (true, W::My, "turn") => Until::StartOfTurn(self.read_me(p.span)),
            (false, W::This, "turn") => Until::EndOfTurn,
            (false, W::This, "round") => Until::EndOfRound,
            (false, W::Next, "round") => Until::EndOfNextRound,
            (false, W::This, "phase") => Until::EndOfPhase,
            (false, W::This, "game") => Until::EndOfGame,
            (false, W::This, _) => {
                let r = self.find_phase(&p.scope)?;
                Until::EndOf(r)
            }
            _ => {
                let _ = self.report_not_played(
                    p.span,
                    &format!("`{} of {word}`", if p.start { "start" } else { "end" }),
                );
                return None;
            }
        })
    }

    /// The phase of that name.
    pub fn find_phase(&mut self, n: &ast::Name) -> Option<RuleId> {
        let found = self.ix.things(&n.text).iter().find_map(|t| match t {
            Thing::Rule(r) if self.model().rules.get(r.index()).is_some_and(|r| r.phase) => Some(*r),
            _ => None,
        });
        if let Some(r) = found {
            self.note(n.span, Def::Rule(r));
        }
        if found.is_none() {
            let model = self.model();
            let mut words: Vec<String> =
                model.rules.iter().filter(|r| r.phase).map(|r| r.name.to_string()).collect();
            words.extend(["turn", "round", "phase", "game"].map(String::from));
            let _ = self.report_unknown(codes::NO_PHASE, n, format!("there is no phase `{}`", n.text), words);
        }
        found
    }

    fn read_everyone(&mut self, e: &ast::Everyone) -> StmtKind {
        let who = match &e.of {
            Some(of) => {
                let s = self.read_expr(of, Some(&types::set_of(types::player())));
                let s = self.read_collection(s, "the players of `everyone`");
                match types::element(self.model(), &s.ty) {
                    Some(t) if t == types::player() || t == Ty::Error => s,
                    _ => self.fit_to(s, &types::set_of(types::player()), "the players of `everyone`"),
                }
            }
            None => build::players(Span { ..self.current_span() }),
        };
        let from = e.from.as_ref().map(|p| self.read_as(p, &types::player(), "the player who begins"));
        let mode = match e.order {
            ast::TurnOrder::InTurn => Mode2::InTurn,
            ast::TurnOrder::OneByOne => Mode2::OneByOne,
            ast::TurnOrder::AnyOrder => Mode2::AnyOrder,
            ast::TurnOrder::AtOnce => Mode2::AtOnce,
            ast::TurnOrder::Freely => Mode2::Freely,
        };
        let turns = matches!(mode, Mode2::InTurn | Mode2::OneByOne | Mode2::AnyOrder);
        if let Some(from) = e.from.as_ref().filter(|_| !turns || mode == Mode2::AnyOrder) {
            let _ = self.report_not_played(from.span, "`from` of players who do not act in turn");
        }
        self.forget();
        let (until, passing) = match &e.until {
            None => (None, None),
            Some(ast::EveryoneUntil::AllPass { span, .. }) if !turns => {
                let message = "these players do not act one after the other, so nobody passes";
                let help = match mode {
                    Mode2::Freely => {
                        "leave out `until all pass` and write `done` in the menu: whoever is done may go on until all are done"
                    }
                    _ => "write `in turn`, `one by one` or `in any order`; at once, each answers alone",
                };
                self.push(Diagnostic::error(codes::WRONG_FORM, *span, message).help(help));
                (None, None)
            }
            Some(ast::EveryoneUntil::AllPass { but_one, .. }) => {
                (None, Some(if *but_one { Passing::AllButOne } else { Passing::All }))
            }
            Some(ast::EveryoneUntil::Cond(c)) => {
                let outer = std::mem::replace(
                    &mut self.me,
                    Me::Nobody("the condition is tested between the players' turns"),
                );
                let c = self.read_purely("a condition", |cx| cx.read_cond(c, "the condition of `until`"));
                self.me = outer;
                (Some(c), None)
            }
        };
        let me = self.new_local("me", types::player(), e.body.span);
        let gives = self.within.gives.take();
        let everyone = std::mem::replace(&mut self.within.everyone, true);
        let body = self.read_acting(me, |cx| cx.read_block(&e.body));
        (self.within.gives, self.within.everyone) = (gives, everyone);
        if let (Some(_), Some(ast::EveryoneUntil::AllPass { span, .. })) = (passing, &e.until)
            && !has_offer(&body)
        {
            let message = "nobody can pass here: the block contains no `offer`";
            let d = Diagnostic::error(codes::ALL_PASS, *span, message);
            self.push(d.help("offer a menu with `pass` in the block, or end it by a condition: `until C`"));
        }
        StmtKind::Everyone(Box::new(Everyone { who, from, mode, until, passing, me, body }))
    }

    fn current_span(&self) -> Span {
        self.locals.last().map(|l| l.span).unwrap_or_default()
    }

    fn read_offer(&mut self, menus: &[ast::Expr], span: Span) -> Option<StmtKind> {
        let me = self.read_me(span);
        let mut out = Vec::new();
        for m in menus {
            let (name, args): (&ast::Name, &[ast::Arg]) = match &*m.kind {
                ast::ExprKind::Name(n) => (n, &[]),
                ast::ExprKind::Call(c, args) => match &*c.kind {
                    ast::ExprKind::Name(n) => (n, args),
                    _ => continue,
                },
                ast::ExprKind::Bad => continue,
                _ => {
                    let _ = self.fail(
                        codes::WRONG_FORM,
                        m.span,
                        "`offer` needs the name of a menu",
                        "declare one, as in `menu move`, put actions in it, as in `action go() in move { … }`, and write `offer move`",
                    );
                    continue;
                }
            };
            let Some(id) = self.find_menu(name) else { continue };
            let Some(d) = self.model().menus.get(id.index()) else { continue };
            let params: Vec<Param> = d
                .params
                .iter()
                .filter_map(|p| d.locals.get(p.local.index()))
                .map(|l| Param { name: l.name.to_string(), ty: l.ty.clone(), span: l.span })
                .collect();
            if let Some(args) = self.read_arguments(&params, Vec::new(), args, m.span, &name.text) {
                out.push((id, args));
            }
        }
        (me.ty != Ty::Error && !out.is_empty()).then_some(StmtKind::Offer(me, out))
    }

    /// Components: one, none, a set or a list.
    pub fn read_things(&mut self, x: &ast::Expr, role: &str) -> Expr {
        let want = self.wanted_component_type(x);
        let e = self.read_expr(x, want.as_ref());
        self.are_things(e, role)
    }

    fn are_things(&mut self, e: Expr, role: &str) -> Expr {
        let e = self.to_component(e);
        let el = types::element(self.model(), &types::plain(&e.ty)).unwrap_or_else(|| types::plain(&e.ty));
        let kinds = types::kinds_of(&el);
        let fine = !kinds.is_empty() && kinds.iter().all(|k| types::is_component(self.model(), *k));
        if fine || matches!(el, Ty::Error | Ty::None) {
            return e;
        }
        let is = self.show(&e.ty);
        let mut d = Diagnostic::error(
            codes::NOT_MOVABLE,
            e.span,
            format!("{role} must be a component, but this is {is}"),
        );
        if let Ty::Face(k) = &el {
            let name = types::name(self.model(), *k);
            d = d.help(format!(
                "several {name} may show this face; write which one: `the {name} where …`, or `first of ZONE where …`"
            ));
        } else {
            let zones = self.hint_for_place(&el);
            d = d.help(zones.unwrap_or_else(|| {
                "write a card, token, piece or die, or a zone, as in `first of ZONE` or `ZONE where …`".into()
            }));
        }
        self.push(d);
        build::error(e.span)
    }

    /// The component type wanted where a member's bare name stands for the component itself.
    pub fn wanted_component_type(&self, x: &ast::Expr) -> Option<Ty> {
        let n = match &*x.kind {
            ast::ExprKind::Name(n) => n,
            ast::ExprKind::Call(c, _) => match &*c.kind {
                ast::ExprKind::Name(n) => n,
                _ => return None,
            },
            _ => return None,
        };
        if self.find_local(&n.text).is_some() {
            return None;
        }
        self.ix.things(&n.text).iter().find_map(|t| match t {
            Thing::Member(m) => {
                let k = self.model().members.get(m.index())?.kind;
                types::is_component(self.model(), k).then_some(Ty::Of(k))
            }
            _ => None,
        })
    }

    fn read_move(&mut self, m: &ast::Move, span: Span) -> Option<StmtKind> {
        let what = self.read_expr(&m.what, self.wanted_component_type(&m.what).as_ref());
        if types::plain(&what.ty) == types::player()
            || types::element(self.model(), &what.ty) == Some(types::player())
        {
            return self.read_stand(what, m, span);
        }
        let what = self.are_things(what, "the thing to move");
        if m.from.is_some() {
            let _ = self.report_not_played(span, "`move … from …`");
        }
        let to = self.read_place(&m.to, "the target of `move`");
        self.check_holds(&what, &to);
        let face = m.lying.map(|l| l == ast::Lying::Up);
        Some(StmtKind::Move(Box::new(Move { what, to, under: m.under, face })))
    }

    /// `deal n of Z to zone of S`: n times round the table, each gets the first of Z. The checked statement is made of loops and a move.
    fn read_deal(&mut self, d: &ast::Deal, span: Span) -> Option<StmtKind> {
        let n = self.read_number_of(&d.count, "how many each gets");
        let whom = match &d.whom {
            Some(s) => self.read_as(s, &types::set_of(types::player()), "to whom is dealt"),
            None => build::players(span),
        };
        self.forget();
        let first = ast::ExprKind::FirstOf { last: false, count: None, from: d.from.clone() };
        let what = self.read_expr(&ast::Expr::new(first, d.from.span), None);
        let what = self.are_things(what, "what is dealt");
        let each = self.new_local("it", types::player(), span);
        let Some(Part::Zone(z)) = self.find_part(&types::player(), &d.to.text) else {
            let parts = self.ix.parts_of(builtin_kinds::PLAYER).into_iter();
            let zones = parts.filter(|(_, p)| matches!(p, Part::Zone(_))).map(|(w, _)| w.to_string());
            let message = format!("players have no zone or slot `{}`", d.to.text);
            let _ = self.report_unknown(codes::NO_PART, &d.to, message, zones.collect());
            return None;
        };
        self.note(d.to.span, Part::Zone(z).def());
        if self.model().zones.get(z.index()).is_some_and(|z| z.index.is_some()) {
            let message = format!("`{}` has an index: which of them gets the cards?", d.to.text);
            let help =
                format!("deal in a loop: `for p in players {{ move first of … to p.{}[1] }}`", d.to.text);
            let _ = self.fail(codes::WRONG_FORM, d.to.span, message, help);
            return None;
        }
        let of = build::local(each, types::player(), span);
        let to = build::expr(Ty::Place, d.to.span, ExprKind::PlaceOf(Some(of), z, None));
        self.check_holds(&what, &to);
        let face = d.lying.map(|l| l == ast::Lying::Up);
        let mut one = self.refill_before(&what, span);
        one.push(Stmt { span, kind: StmtKind::Move(Box::new(Move { what, to, under: false, face })) });
        let round = StmtKind::For(each, whom, one);
        Some(match *n.kind {
            ExprKind::Int(1) => round,
            _ => StmtKind::Repeat(n, vec![Stmt { span, kind: round }]),
        })
    }

    /// `move p to SPACE`: players stand where their `at` says, and nowhere in the box if that may be none.
    fn read_stand(&mut self, what: Expr, m: &ast::Move, span: Span) -> Option<StmtKind> {
        let to = self.read_place(&m.to, "the target of `move`");
        let Some(at) = types::standing(self.model()) else {
            let d =
                Diagnostic::error(codes::STANDING, what.span, "players have no place on a map in this game");
            self.push(
                d.help("declare it: `player { at: SPACES }`, or `at: SPACES?` if a player may stand nowhere"),
            );
            return None;
        };
        if m.under || m.lying.is_some() || m.from.is_some() {
            let _ = self.fail(
                codes::STANDING,
                span,
                "a player has no face and cannot lie under something",
                "write `move p to c` alone",
            );
        }
        self.check_stands_on(&to, at);
        Some(StmtKind::Move(Box::new(Move { what, to, under: false, face: None })))
    }

    /// Whether a player can stand there.
    fn check_stands_on(&mut self, to: &Expr, at: AttrId) {
        let Some(attr) = self.model().attrs.get(at.index()) else { return };
        let (ty, declared) = (attr.ty.clone(), attr.span);
        let spaces = types::plain(&ty);
        let called = match &spaces {
            Ty::Of(k) => types::name(self.model(), *k),
            _ => String::from("SPACES"),
        };
        let (message, help) = match &*to.kind {
            ExprKind::If(_, a, b) => {
                self.check_stands_on(a, at);
                self.check_stands_on(b, at);
                return;
            }
            ExprKind::Box(_) if types::is_maybe(&ty) => return,
            ExprKind::Box(_) => (
                String::from("players cannot leave the map in this game"),
                format!("to allow it, declare `at: {called}?`"),
            ),
            _ if types::plain(&to.ty) == spaces || matches!(to.ty, Ty::Error | Ty::None) => return,
            _ => (format!("a player must stand on a {called}"), format!("write which {called}")),
        };
        let d = Diagnostic::error(codes::STANDING, to.span, message).also(declared, "declared here");
        self.push(d.help(help));
    }

    /// Whether a place takes such things.
    fn check_holds(&mut self, what: &Expr, to: &Expr) {
        let ExprKind::PlaceOf(_, z, _) = &*to.kind else { return };
        let el =
            types::element(self.model(), &types::plain(&what.ty)).unwrap_or_else(|| types::plain(&what.ty));
        let kinds = types::kinds_of(&el);
        let Some(zone) = self.model().zones.get(z.index()) else { return };
        let takes = |k: &KindId| {
            zone.holds.iter().any(|h| types::is_a(self.model(), *k, *h) || types::is_a(self.model(), *h, *k))
        };
        if kinds.is_empty() || kinds.iter().any(takes) {
            return;
        }
        let holds: Vec<String> = zone.holds.iter().map(|k| types::name(self.model(), *k)).collect();
        let is = self.show(&el);
        let more = kinds.iter().map(|k| types::name(self.model(), *k));
        let wider = holds.iter().cloned().chain(more).collect::<Vec<_>>().join(" or ");
        self.push(
            Diagnostic::error(
                codes::NOT_HELD,
                what.span,
                format!("`{}` holds {}, but this is {is}", zone.name, holds.join(" or ")),
            )
            .label(is)
            .also(zone.span, "declared here")
            .help(format!(
                "move it to a zone for such things, or let this one hold them: `zone {}: {}`",
                zone.name, wider
            )),
        );
    }

    fn read_swapped(&mut self, x: &ast::Expr) -> Expr {
        let e = self.read_expr(x, None);
        let span = e.span;
        if let ExprKind::Zone(of, z, i) = *e.kind {
            return expr(Ty::Place, span, ExprKind::PlaceOf(of, z, i));
        }
        let e = self.to_component(e);
        let el = types::element(self.model(), &types::plain(&e.ty)).unwrap_or_else(|| types::plain(&e.ty));
        let fine = el == Ty::Place
            || el == Ty::Error
            || types::kinds_of(&el)
                .iter()
                .any(|k| types::is_component(self.model(), *k) || types::is_space(self.model(), *k));
        if fine {
            return e;
        }
        let is = self.show(&e.ty);
        self.fail(
            codes::NOT_MOVABLE,
            span,
            format!("only zones, places and components can be swapped, but this is {is}"),
            "to swap two attributes, write `let x = a.attr`, then `a.attr = b.attr` and `b.attr = x`",
        )
    }

    pub(super) fn read_zone_place(&mut self, z: &ast::Expr, role: &str) -> Option<Expr> {
        let e = self.read_expr(z, None);
        let span = e.span;
        match *e.kind {
            ExprKind::Zone(of, id, i) => {
                if let Some(zone) = self.model().zones.get(id.index())
                    && zone.slot
                {
                    let d = Diagnostic::warning(
                        codes::ALWAYS,
                        span,
                        format!("`{}` holds at most one thing, so it cannot be shuffled", zone.name),
                    );
                    self.push(d);
                }
                Some(expr(Ty::Place, span, ExprKind::PlaceOf(of, id, i)))
            }
            ExprKind::Error => None,
            _ => {
                let is = self.show(&e.ty);
                let help = self.hint_for_place(&e.ty).unwrap_or_else(|| {
                    "write the name of a zone, as in `deck` of `table { zone deck: Card }`".into()
                });
                let message = format!("{role} must be a zone, but this is {is}");
                let _ = self.fail(codes::NOT_A_PLACE, span, message, help);
                None
            }
        }
    }

    fn read_players_or_one(&mut self, p: &ast::Expr, role: &str) -> Expr {
        let e = self.read_expr(p, Some(&types::player()));
        if types::element(self.model(), &types::plain(&e.ty)).is_some() {
            let _ = self.need_value(&e, role);
            return self.fit_to(e, &types::set_of(types::player()), role);
        }
        self.fit_to(e, &types::player(), role)
    }

    fn check_discards(&mut self, x: &Expr) {
        let el = types::element(self.model(), &types::plain(&x.ty)).unwrap_or_else(|| types::plain(&x.ty));
        for k in types::kinds_of(&el) {
            let somewhere = types::line_of(self.model(), k)
                .iter()
                .any(|k| types::kind(self.model(), *k).is_some_and(|k| !k.discards.is_empty()))
                || self.discards.contains(&k);
            if !somewhere && let Some(d) = types::kind(self.model(), k) {
                self.push(
                    Diagnostic::error(
                        codes::NO_DISCARD,
                        x.span,
                        format!("there is no place to which a {} is discarded", d.name),
                    )
                    .also(d.span, "declared here")
                    .help("write it in the kind: `discards to …`"),
                );
            }
        }
    }

    fn read_give(&mut self, e: &ast::Expr, span: Span) -> Option<StmtKind> {
        match self.within.gives.clone() {
            Some(ty) if ty != Ty::Nothing => {
                let e = self.check_held(e, &ty, "the result");
                Some(StmtKind::Give(e))
            }
            _ => {
                let _ = self.read_expr(e, None);
                let d = if self.within.everyone {
                    Diagnostic::error(codes::NO_GIVE, span, "what each player does cannot give the rule's value")
                        .help("keep it in a `let` before `everyone`, and `give` it behind; `stop` ends what this player does")
                } else {
                    Diagnostic::error(codes::NO_GIVE, span, "this rule has no type, so it cannot give a value")
                    .help("write the type after the brackets: `rule name(…): int { … }`; or end the rule with `stop`")
                };
                self.push(d);
                None
            }
        }
    }

    fn read_end(&mut self, phase: &ast::Name, e: Option<&ast::Expr>, span: Span) -> Option<StmtKind> {
        let r = self.find_phase(phase)?;
        let gives = self.model().rules.get(r.index()).map(|r| r.gives.clone()).unwrap_or(Ty::Nothing);
        let e = match (e, &gives) {
            (Some(e), Ty::Nothing) => {
                let e = self.read_expr(e, None);
                let _ = self.fail(
                    codes::NO_GIVE,
                    e.span,
                    format!("`{}` gives no value", phase.text),
                    format!("leave the value out, or declare what it gives: `phase {}(): type`", phase.text),
                );
                None
            }
            (Some(e), ty) => {
                let ty = ty.clone();
                Some(self.check_held(e, &ty, "the result of the phase"))
            }
            (None, _) => None,
        };
        let _ = (
            e,
            self.report_not_played(
                span,
                "`end` of a phase with a value (in the phase itself write `give` or `stop`)",
            ),
        );
        None
    }

    fn read_call_stmt(&mut self, e: &ast::Expr, by: Option<&ast::Expr>, span: Span) -> Option<StmtKind> {
        if let ast::ExprKind::Call(callee, args) = &*e.kind
            && let ast::ExprKind::Name(n) = &*callee.kind
            && n.text == "proceed"
            && !self.ix.things("proceed").iter().any(|t| matches!(t, Thing::Rule(_)))
        {
            return self.read_proceed(n, args, span);
        }
        if let ast::ExprKind::Name(n) = &*e.kind
            && self.find_local(&n.text).is_none()
            && self.ix.things(&n.text).iter().any(|t| matches!(t, Thing::Rule(_)))
        {
            let d = Diagnostic::error(
                codes::WRONG_FORM,
                e.span,
                format!("`{}` needs brackets to be called", n.text),
            )
            .suggest(format!("{}()", n.text));
            self.push(d);
            return None;
        }
        let by = by.map(|p| self.read_as(p, &types::player(), "the player who acts"));
        let got = self.read_expr(e, None);
        match *got.kind {
            ExprKind::Rule(r, _, args) => Some(StmtKind::Call(r, by, args)),
            ExprKind::Hook(h, args) => Some(StmtKind::CallHook(h, args)),
            ExprKind::Error => None,
            _ => {
                let d =
                    Diagnostic::error(codes::NO_EFFECT, span, "this is not a statement: it changes nothing")
                        .label("its value is not used")
                        .help("to keep the value, write `let name = …`");
                self.push(d);
                None
            }
        }
    }

    fn read_proceed(&mut self, n: &ast::Name, args: &[ast::Arg], span: Span) -> Option<StmtKind> {
        let Some(params) = self.within.proceed.clone() else {
            let d = Diagnostic::error(
                codes::NO_PROCEED,
                n.span,
                "`proceed` can only be used in `instead of … { }`",
            );
            self.push(d.help("leave it out: around a rule, `before` and `after` let the rule run by itself"));
            return None;
        };
        let mut out = Vec::new();
        for a in args {
            match a {
                ast::Arg::Named(name, e) => match params.iter().position(|(p, ..)| *p == name.text) {
                    Some(i) => {
                        let (_, ty, def) = params[i].clone();
                        if let Some(def) = def {
                            self.note(name.span, def);
                        }
                        let e = self.read_as(e, &ty, &format!("`{}`", name.text));
                        out.push((i, e));
                    }
                    None => {
                        let words = params.iter().map(|(p, ..)| p.clone()).collect();
                        let _ = self.report_unknown(
                            codes::NO_ARG,
                            name,
                            format!("the replaced rule has no parameter `{}`", name.text),
                            words,
                        );
                    }
                },
                ast::Arg::Plain(ast::Expr { span, .. }) | ast::Arg::Fold(ast::Fold { span, .. }) => {
                    let _ = self.fail(
                        codes::WRONG_FORM,
                        *span,
                        "`proceed` needs the names of its arguments",
                        "write the name before the value: `proceed(n: n - 1)`",
                    );
                }
            }
        }
        let _ = span;
        Some(StmtKind::Proceed(out))
    }
}

use crate::hir::Mode as Mode2;

/// The verdict of a word.
pub fn to_verdict(o: ast::Outcome) -> Verdict {
    match o {
        ast::Outcome::Win => Verdict::Win,
        ast::Outcome::Lose => Verdict::Lose,
        ast::Outcome::Tie => Verdict::Tie,
    }
}

/// Whether every way through the block gives.
fn has_gives_everywhere(b: &Block) -> bool {
    b.iter().any(|s| match &s.kind {
        StmtKind::Give(_) | StmtKind::Verdict(..) => true,
        StmtKind::If(_, a, b) => has_gives_everywhere(a) && has_gives_everywhere(b),
        StmtKind::As(_, _, b) => has_gives_everywhere(b),
        _ => false,
    })
}

/// Whether a menu is offered in a block itself, not only to others who act in it together.
fn has_offer(b: &Block) -> bool {
    b.iter().any(|s| match &s.kind {
        StmtKind::Offer(..) => true,
        StmtKind::Everyone(_) => false,
        _ => super::walk::inside(s).1.into_iter().any(has_offer),
    })
}

/// Tells if a rule that gives something may end without.
pub fn must_give(cx: &mut Cx<'_>, r: &Rule, body: &Block, span: Span) {
    if matches!(r.gives, Ty::Nothing | Ty::Error | Ty::Maybe(_) | Ty::Set(_)) || has_gives_everywhere(body) {
        return;
    }
    let d = Diagnostic::error(
        codes::MISSING_GIVE,
        r.span,
        format!("`{}` may end without `give`, but it must give {}", r.name, cx.show(&r.gives)),
    )
    .also(Span { start: span.end.saturating_sub(1), ..span }, "it may end here");
    let what = cx.show(&r.gives);
    cx.push(d.help(format!(
        "end every branch with `give` and {what}; or leave out the type, if it is to give nothing"
    )));
}
