//! Reads statements: from the syntax tree to typed ones.
use super::attach;
use super::calls::Param;
use super::codes;
use super::cx::{Cx, Me, Mode};
use super::index::Thing;
use super::types;
use super::walk;
use crate::hir::*;
use crate::uses::Def;
use houserule_syntax::ast;
use houserule_text::{Diagnostic, Span};
use std::sync::Arc;

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
            // Where each plays for himself the others go on. A result for nobody ends nothing.
            StmtKind::Verdict(_, who, _) => {
                !self.within.test
                    && !matches!(self.model().outcome, Outcome::Each)
                    && who.as_ref().is_none_or(|w| self.is_for_somebody(w))
            }
            StmtKind::If(_, a, b) => !b.is_empty() && self.is_block_ending(a) && self.is_block_ending(b),
            _ => false,
        }
    }

    /// Whether a player or a set of players cannot be none or empty.
    fn is_for_somebody(&self, who: &Expr) -> bool {
        let is_set = types::element(self.model(), &who.ty).is_some();
        !types::is_maybe(&who.ty) && (!is_set || self.is_not_empty(who))
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
                self.check_phase_zone(z);
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
                Some(StmtKind::Move(m)) => Some(self.move_from_supply(m, span, out)),
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
                        if self.model().maps.get(m.index()).is_some_and(|m| m.slots.is_some()) {
                            let message = format!("the slots of {} are there from the beginning", map.text);
                            let d = Diagnostic::error(crate::codes::SLOTS, map.span, message);
                            self.push(d.help("leave out `build`, and lay the patches in `setup`"));
                        }
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
            | A::Handed(_)
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
                through: Vec::new(),
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
        if walk::is_acting(&c) {
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

    pub(super) fn current_span(&self) -> Span {
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

    fn read_players_or_one(&mut self, p: &ast::Expr, role: &str) -> Expr {
        let e = self.read_expr(p, Some(&types::player()));
        if types::element(self.model(), &types::plain(&e.ty)).is_some() {
            let _ = self.need_value(&e, role);
            return self.fit_to(e, &types::set_of(types::player()), role);
        }
        self.fit_to(e, &types::player(), role)
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
        match Arc::unwrap_or_clone(got.kind) {
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
        StmtKind::If(_, a, b) => {
            super::leaving::is_end(a) || has_gives_everywhere(a) && has_gives_everywhere(b)
        }
        StmtKind::As(_, _, b) => has_gives_everywhere(b),
        _ => false,
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
