//! Everything that has a body, and the order in which bodies are read.
//!
//! Whoever collects the declarations fills a [`Model`] with shells (names, types and parameters, no bodies) and, beside it, a [`Jobs`]: for each body the tree it
//! is made of and what it belongs to. [`Jobs::run`] reads them all and puts the results into the model.
use super::action;
use super::attach;
use super::cx::Mode;
use super::decl::{self, Binds, Shared};
use super::guards;
use super::index::Index;
use super::secrets;
use super::test;
use super::types;
use super::walk;
use crate::model::hir::*;
use crate::syntax::ast;
use crate::text::{Report, Span};
use std::sync::Arc;

/// The bodies of a game.
#[derive(Default)]
pub struct Jobs<'t> {
    /// Values, heuristics and lines of scores with an expression. Their shells have parameters (`this` first, of a kind) and a type.
    pub values: Vec<(ValueId, &'t ast::Expr)>,
    /// Rules and phases with a block. Their shells have parameters, `gives`, and `me`: a parameter (`by p`) or the local behind the last parameter.
    pub rules: Vec<(RuleId, &'t ast::Block)>,
    /// Members' fillings of value slots, with the names of the parameters where said.
    pub value_fills: Vec<(MemberId, ValueId, Option<&'t [ast::Name]>, &'t ast::Expr)>,
    /// Members' fillings of rule slots.
    pub rule_fills: Vec<(MemberId, RuleId, Option<&'t [ast::Name]>, &'t ast::Block)>,
    /// The names of families' keys.
    pub family_keys: Vec<(MemberId, String)>,
    /// Members' values of attributes; a family's key is known by its name.
    pub member_sets: Vec<(MemberId, AttrId, &'t ast::Expr)>,
    /// Members' numbers of copies.
    pub member_copies: Vec<(MemberId, &'t ast::Expr)>,
    /// Who answers for a named player.
    pub member_answered: Vec<(MemberId, &'t ast::Expr)>,
    /// Values of attributes at the start.
    pub attr_defaults: Vec<(AttrId, &'t ast::Expr)>,
    /// `seen by e [when C]`.
    pub zone_seen: Vec<(ZoneId, &'t ast::Expr, Option<&'t ast::Expr>)>,
    /// `active when C`.
    pub zone_active: Vec<(ZoneId, &'t ast::Expr)>,
    /// `up to n`.
    pub zone_capacity: Vec<(ZoneId, &'t ast::Expr)>,
    /// `refill { … }`.
    pub zone_refill: Vec<(ZoneId, &'t ast::Block)>,
    /// `discards to e`.
    pub kind_discards: Vec<(KindId, &'t ast::Expr)>,
    /// `out when C`.
    pub kind_out: Vec<(KindId, &'t ast::Expr)>,
    /// `x5` at a kind.
    pub kind_copies: Vec<(KindId, &'t ast::Expr)>,
    /// Rows of looks: of the back, slot, place, what is drawn.
    pub looks: Vec<(KindId, bool, &'t ast::Name, Option<&'t ast::Name>, &'t ast::Expr)>,
    /// Menus.
    pub menus: Vec<(MenuId, &'t ast::MenuDecl)>,
    /// Actions; their shells know their menus.
    pub actions: Vec<(ActionId, &'t ast::ActionDecl)>,
    /// Attachments: whose, in which scope. They are put into the model in this order.
    pub attachments: Vec<(Option<Carrier>, ScopeId, &'t ast::Attach)>,
    /// Set-up blocks.
    pub setups: Vec<(ScopeId, &'t ast::Block)>,
    /// The rounds.
    pub round: Option<(&'t ast::RoundDecl, Span)>,
    /// `win when …` and the like at the top.
    pub endings: Vec<(ScopeId, &'t ast::Ending, Span)>,
    /// Conditions on the set-up; of the game (scope 0) or another scope.
    pub needs: Vec<(ScopeId, &'t ast::Needs)>,
    /// Values of options unless said.
    pub option_defaults: Vec<(OptionId, &'t ast::Expr)>,
    /// Values that a scope gives to options.
    pub set_options: Vec<(ScopeId, OptionId, &'t ast::Expr)>,
    /// Invariants.
    pub invariants: Vec<(ScopeId, &'t ast::Invariant, Span)>,
    /// `score v "text"` of the header.
    pub score: Option<(&'t ast::Expr, Option<&'t ast::Text>)>,
    /// `ends when C "text"` of the header.
    pub ends: Vec<(&'t ast::Expr, Option<&'t ast::Text>)>,
    /// `answered by` of the header.
    pub answered: Option<&'t ast::Expr>,
    /// Tests.
    pub tests: Vec<(ScopeId, &'t ast::Test, Span)>,
}

impl Jobs<'_> {
    /// Reads every body into the model; findings go to `out`.
    pub fn run(&self, model: &mut Model, out: &mut Report) {
        let shared = Shared { discards: self.kind_discards.iter().map(|(k, _)| *k).collect() };
        self.menus(model, &shared, out);
        self.actions(model, &shared, out);
        self.declarations(model, &shared, out);
        self.members(model, &shared, out);
        self.game(model, &shared, out);
        self.rules(model, &shared, out);
        self.attached(model, &shared, out);
        let tests: Vec<Test> = {
            let ix = Index::new(model);
            self.tests
                .iter()
                .map(|(s, t, span)| Test { span: *span, ..test::test(&ix, &shared, out, t, *s) })
                .collect()
        };
        model.tests.extend(tests);
        mark_assigned(model);
        guards::check(model, out);
        secrets::check(model, out);
        attach::unordered(model, out);
    }

    fn menus(&self, model: &mut Model, shared: &Shared, out: &mut Report) {
        let read: Vec<_> = {
            let ix = Index::new(model);
            self.menus.iter().map(|(id, m)| (*id, action::menu(&ix, shared, out, *id, m))).collect()
        };
        for (id, p) in read {
            if let Some(m) = model.menus.get_mut(id.index()) {
                m.locals = p.locals;
                m.params = p.params;
                m.done = p.done;
                m.pass = p.pass;
                m.open = p.open;
                m.endings = p.endings;
                m.needs = p.needs;
            }
        }
    }

    fn actions(&self, model: &mut Model, shared: &Shared, out: &mut Report) {
        let read: Vec<_> = {
            let ix = Index::new(model);
            self.actions
                .iter()
                .filter_map(|(id, a)| {
                    let menus = model.actions.get(id.index())?.menus.clone();
                    Some((*id, action::action(&ix, shared, out, a, &menus)))
                })
                .collect()
        };
        for (id, p) in read {
            if let Some(a) = model.actions.get_mut(id.index()) {
                a.locals = p.locals;
                a.me = LocalId(0);
                a.params = p.params;
                a.head = p.head;
                a.when = p.when;
                a.once = p.once;
                a.body = p.body;
            }
        }
    }

    /// Expressions of kinds, attributes, zones and values.
    fn declarations(&self, model: &mut Model, shared: &Shared, out: &mut Report) {
        let this = |k: KindId| Binds::none().with("this", Ty::Of(k));
        let (mut values, mut attrs, mut seen, mut active, mut capacity, mut refill) =
            (vec![], vec![], vec![], vec![], vec![], vec![]);
        let (mut discards, mut outs, mut copies, mut looks) = (vec![], vec![], vec![], vec![]);
        {
            let ix = Index::new(model);
            for (id, e) in &self.values {
                if let Some(v) = model.values.get(id.index()) {
                    values.push((*id, decl::value(&ix, shared, out, v, e)));
                }
            }
            for (id, e) in &self.attr_defaults {
                let Some(a) = model.attrs.get(id.index()) else { continue };
                let binds = a.of.map_or_else(Binds::none, this);
                attrs.push((
                    *id,
                    decl::expression(
                        &ix,
                        shared,
                        out,
                        "a default",
                        &binds,
                        e,
                        Some(&a.ty),
                        &format!("`{}`", a.name),
                    ),
                ));
            }
            for (id, by, when) in &self.zone_seen {
                let Some(z) = model.zones.get(id.index()) else { continue };
                seen.push((*id, see(&ix, shared, out, z, by, *when)));
            }
            for (id, c) in &self.zone_active {
                let Some(z) = model.zones.get(id.index()) else { continue };
                let binds =
                    Binds::none().with("this", types::any_of(z.holds.clone())).with("owner", types::player());
                active.push((
                    *id,
                    decl::expression(
                        &ix,
                        shared,
                        out,
                        "a condition",
                        &binds,
                        c,
                        Some(&Ty::Bool),
                        "when it is active",
                    ),
                ));
            }
            for (id, n) in &self.zone_capacity {
                let Some(z) = model.zones.get(id.index()) else { continue };
                let binds = z.of.map_or_else(Binds::none, this);
                capacity.push((
                    *id,
                    decl::expression(
                        &ix,
                        shared,
                        out,
                        "a value",
                        &binds,
                        n,
                        Some(&Ty::Int(0, i32::MAX)),
                        "how many it holds",
                    ),
                ));
            }
            for (id, b) in &self.zone_refill {
                let Some(z) = model.zones.get(id.index()) else { continue };
                let binds = z.of.map_or_else(Binds::none, this);
                refill.push((*id, decl::block(&ix, shared, out, "a zone fills itself", &binds, b)));
            }
            for (k, e) in &self.kind_discards {
                let binds = Binds::none().with("this", Ty::Of(*k)).with("owner", types::player());
                discards.push((*k, decl::place(&ix, shared, out, &binds, e, "where it is discarded to")));
            }
            for (k, e) in &self.kind_out {
                outs.push((
                    *k,
                    decl::expression(
                        &ix,
                        shared,
                        out,
                        "a condition",
                        &this(*k),
                        e,
                        Some(&Ty::Bool),
                        "who is out",
                    ),
                ));
            }
            for (k, e) in &self.kind_copies {
                let b = decl::expression(
                    &ix,
                    shared,
                    out,
                    "a number",
                    &Binds::none(),
                    e,
                    Some(&Ty::Int(0, i32::MAX)),
                    "how many there are",
                );
                copies.push((*k, b.body));
            }
            for (k, back, slot, place, e) in &self.looks {
                let expr = decl::expression(&ix, shared, out, "a look", &this(*k), e, None, "what is drawn");
                let place = place.map(|p| Arc::from(p.text.as_str()));
                looks.push((*k, LookRow { back: *back, slot: slot.text.as_str().into(), place, expr }));
            }
        }
        for (id, b) in values {
            if let Some(v) = model.values.get_mut(id.index()) {
                v.body = b;
            }
        }
        for (id, b) in attrs {
            if let Some(a) = model.attrs.get_mut(id.index()) {
                a.default = Some(b);
            }
        }
        for (id, s) in seen {
            if let Some(z) = model.zones.get_mut(id.index()) {
                z.seen = s;
            }
        }
        for (id, b) in active {
            if let Some(z) = model.zones.get_mut(id.index()) {
                z.active = Active::When(b);
            }
        }
        for (id, b) in capacity {
            if let Some(z) = model.zones.get_mut(id.index()) {
                z.capacity = Some(b);
            }
        }
        for (id, b) in refill {
            if let Some(z) = model.zones.get_mut(id.index()) {
                z.refill = Some(b);
            }
        }
        for (k, b) in discards {
            if let Some(k) = model.kinds.get_mut(k.index()) {
                k.discards = Some(b);
            }
        }
        for (k, b) in outs {
            if let Some(k) = model.kinds.get_mut(k.index()) {
                k.out_when = Some(b);
            }
        }
        for (k, e) in copies {
            if let Some(k) = model.kinds.get_mut(k.index()) {
                k.copies = Some(e);
            }
        }
        for (k, row) in looks {
            if let Some(k) = model.kinds.get_mut(k.index()) {
                k.look.push(row);
            }
        }
    }

    fn members(&self, model: &mut Model, shared: &Shared, out: &mut Report) {
        let (mut sets, mut copies, mut answered, mut fills, mut rule_fills) =
            (vec![], vec![], vec![], vec![], vec![]);
        {
            let ix = Index::new(model);
            let key = |id: MemberId, m: &Member| match (
                m.family,
                self.family_keys.iter().find(|(f, _)| *f == id),
            ) {
                (Some((_, lo, hi)), Some((_, name))) => Binds::none().with(name, Ty::Int(lo, hi)),
                _ => Binds::none(),
            };
            for (id, a, e) in &self.member_sets {
                let (Some(m), Some(attr)) = (model.members.get(id.index()), model.attrs.get(a.index()))
                else {
                    continue;
                };
                let role = format!("`{}`", attr.name);
                sets.push((
                    *id,
                    *a,
                    decl::expression(
                        &ix,
                        shared,
                        out,
                        "a member's value",
                        &key(*id, m),
                        e,
                        Some(&attr.ty),
                        &role,
                    ),
                ));
            }
            for (id, e) in &self.member_copies {
                let Some(m) = model.members.get(id.index()) else { continue };
                let ty = Ty::Int(0, i32::MAX);
                copies.push((
                    *id,
                    decl::expression(
                        &ix,
                        shared,
                        out,
                        "a number",
                        &key(*id, m),
                        e,
                        Some(&ty),
                        "how many there are",
                    ),
                ));
            }
            for (id, e) in &self.member_answered {
                answered.push((
                    *id,
                    decl::expression(&ix, shared, out, "a value", &Binds::none(), e, None, "who answers")
                        .body,
                ));
            }
            for (id, v, names, e) in &self.value_fills {
                let Some(value) = model.values.get(v.index()) else { continue };
                fills.push((*id, *v, decl::value_fill(&ix, shared, out, value, *names, e)));
            }
            for (id, r, names, b) in &self.rule_fills {
                let Some(rule) = model.rules.get(r.index()) else { continue };
                rule_fills.push((*id, *r, decl::rule_fill(&ix, shared, out, *r, rule, *names, b)));
            }
        }
        for (id, a, b) in sets {
            if let Some(m) = model.members.get_mut(id.index()) {
                m.sets.push((a, b));
            }
        }
        for (id, b) in copies {
            if let Some(m) = model.members.get_mut(id.index()) {
                m.copies = Some(b);
            }
        }
        for (id, e) in answered {
            if let Some(m) = model.members.get_mut(id.index()) {
                m.answered = Some(e);
            }
        }
        for (id, v, b) in fills {
            if let Some(m) = model.members.get_mut(id.index()) {
                m.fills.push((v, b));
            }
        }
        for (id, r, b) in rule_fills {
            if let Some(m) = model.members.get_mut(id.index()) {
                m.rule_fills.push((r, b));
            }
        }
    }

    /// Options, conditions, set-ups, rounds, endings, what the header says.
    fn game(&self, model: &mut Model, shared: &Shared, out: &mut Report) {
        let why = "nobody acts in the set-up: `everyone` or `as` says who does";
        let ix = Index::new(model);
        let lone = |out: &mut Report, e: &ast::Expr, ty: Option<&Ty>, role: &str| {
            decl::expression(&ix, shared, out, "a condition", &Binds::none(), e, ty, role).body
        };
        let mut options = Vec::new();
        for (id, e) in &self.option_defaults {
            let Some(o) = model.options.get(id.index()) else { continue };
            options.push((*id, lone(out, e, Some(&o.ty), &format!("`{}`", o.name))));
        }
        let mut set = Vec::new();
        for (s, id, e) in &self.set_options {
            let Some(o) = model.options.get(id.index()) else { continue };
            set.push((*s, *id, lone(out, e, Some(&o.ty), &format!("`{}`", o.name))));
        }
        let mut needs = Vec::new();
        for (s, n) in &self.needs {
            let c = lone(out, &n.cond, Some(&Ty::Bool), "what `needs` asks");
            let t = n.reason.as_ref().map(|t| decl::text(&ix, shared, out, t));
            needs.push((*s, c, t));
        }
        let setups: Vec<_> = self
            .setups
            .iter()
            .map(|(s, b)| (*s, decl::block(&ix, shared, out, why, &Binds::none(), b)))
            .collect();
        let round = self.round.map(|(r, span)| {
            let until = match &r.how {
                ast::RoundHow::Always => RoundUntil::Forever,
                ast::RoundHow::Once => RoundUntil::Once,
                ast::RoundHow::Times(n) => {
                    RoundUntil::Times(lone(out, n, Some(&Ty::Int(0, i32::MAX)), "how many rounds there are"))
                }
                ast::RoundHow::Until(c) => {
                    RoundUntil::Cond(lone(out, c, Some(&Ty::Bool), "until when rounds are played"))
                }
            };
            let why = "nobody acts in the round itself: `everyone` or `as` says who does";
            Round { until, body: decl::block(&ix, shared, out, why, &Binds::none(), &r.body), span }
        });
        let endings: Vec<_> = self
            .endings
            .iter()
            .map(|(s, e, span)| (*s, decl::game_ending(&ix, shared, out, e, *span)))
            .collect();
        let invariants: Vec<_> = self
            .invariants
            .iter()
            .map(|(scope, i, span)| Invariant {
                title: i.title.literal().unwrap_or_default().as_str().into(),
                cond: decl::expression(
                    &ix,
                    shared,
                    out,
                    "an invariant",
                    &Binds::none(),
                    &i.cond,
                    Some(&Ty::Bool),
                    "an invariant",
                ),
                span: *span,
                scope: *scope,
            })
            .collect();
        let score = self.score.map(|(e, t)| {
            let e = lone(out, e, None, "the score");
            (e, t.map(|t| decl::text(&ix, shared, out, t)))
        });
        let ends: Vec<_> = self
            .ends
            .iter()
            .map(|(c, t)| {
                (lone(out, c, Some(&Ty::Bool), "when it ends"), t.map(|t| decl::text(&ix, shared, out, t)))
            })
            .collect();
        let answered = self.answered.map(|e| {
            let list = types::list_of(Ty::Int(1, i32::MAX));
            lone(out, e, Some(&list), "which seat answers for each player")
        });
        for (id, e) in options {
            if let Some(o) = model.options.get_mut(id.index()) {
                o.default = Some(e);
            }
        }
        for (s, id, e) in set {
            if let Some(s) = model.scopes.get_mut(s.index()) {
                s.options.push((id, e));
            }
        }
        for (s, c, t) in needs {
            match model.scopes.get_mut(s.index()) {
                Some(scope) if s != ScopeId(0) => scope.needs.push((c, t)),
                _ => model.needs.push((c, t)),
            }
        }
        model.setups.extend(setups);
        model.round = round.or(model.round.take());
        model.endings.extend(endings);
        model.invariants.extend(invariants);
        model.score = score.or(model.score.take());
        model.ends.extend(ends);
        model.answered = answered.or(model.answered.take());
    }

    fn rules(&self, model: &mut Model, shared: &Shared, out: &mut Report) {
        let read: Vec<_> = {
            let ix = Index::new(model);
            self.rules
                .iter()
                .filter_map(|(id, b)| {
                    Some((*id, decl::rule(&ix, shared, out, *id, model.rules.get(id.index())?, b)))
                })
                .collect()
        };
        for (id, (body, me)) in read {
            if let Some(r) = model.rules.get_mut(id.index()) {
                r.body = body;
                r.me = me;
            }
        }
    }

    fn attached(&self, model: &mut Model, shared: &Shared, out: &mut Report) {
        let read: Vec<Attachment> = {
            let ix = Index::new(model);
            let mut all = Vec::new();
            for (carrier, scope, a) in &self.attachments {
                let mut cx = decl::reading(&ix, shared, out, Mode::Pure("an attachment"), &[]);
                if let Some(mut a) = attach::attachment(&mut cx, a, carrier.clone(), *scope) {
                    a.locals = cx.locals;
                    all.push(a);
                }
            }
            all
        };
        model.attachments.extend(read);
    }
}

/// `seen by e [when C]`: the usual words as they are, anything else as a set of players worked out for the holder (`owner`) and the thing (`it`).
fn see(
    ix: &Index<'_>,
    shared: &Shared,
    out: &mut Report,
    z: &Zone,
    by: &ast::Expr,
    when: Option<&ast::Expr>,
) -> Seen {
    if when.is_none() {
        match &*by.kind {
            ast::ExprKind::Owner => return Seen::Owner,
            ast::ExprKind::Name(n) if n.text == "nobody" => return Seen::Nobody,
            ast::ExprKind::Name(n) if matches!(n.text.as_str(), "all" | "players" | "seats") => {
                return Seen::All;
            }
            _ => {}
        }
    }
    let owner =
        if z.of == Some(builtin_kinds::PLAYER) { types::player() } else { types::maybe(types::player()) };
    let binds = Binds::none().with("owner", owner).with("it", types::any_of(z.holds.clone()));
    let set = types::set_of(types::player());
    let mut b = decl::seen(ix, shared, out, &binds, by, &set);
    if let Some(c) = when {
        // Otherwise all see it.
        let cond = decl::expression(
            ix,
            shared,
            out,
            "a condition",
            &binds,
            c,
            Some(&Ty::Bool),
            "when only they see it",
        );
        let all = super::build::players(c.span);
        let shift = b.locals.len().saturating_sub(b.params) as u32;
        let _ = shift;
        if cond.locals.len() == cond.params {
            let inner = std::mem::replace(&mut b.body, super::build::error(c.span));
            b.body = super::build::expr(set, c.span, ExprKind::If(cond.body, inner, all));
        }
    }
    Seen::By(b)
}

/// Tells of each attribute whether anything ever sets it.
fn mark_assigned(model: &mut Model) {
    let mut set: Vec<AttrId> = Vec::new();
    {
        let mut block = |b: &[Stmt]| {
            walk::every_stmt(b, &mut |s| {
                if let StmtKind::Assign(Lhs::Attr(_, a) | Lhs::TableAttr(a), ..) = &s.kind {
                    set.push(*a);
                }
            });
        };
        every_block(model, &mut block);
    }
    for a in set {
        if let Some(a) = model.attrs.get_mut(a.index()) {
            a.assigned = true;
        }
    }
}

/// Calls `f` with every block of the game (blocks inside blocks not again).
pub fn every_block<'m>(model: &'m Model, f: &mut dyn FnMut(&'m [Stmt])) {
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
    for z in &model.zones {
        if let Some(b) = &z.refill {
            f(&b.body);
        }
    }
    for a in &model.attachments {
        if let AttachKind::Before(b) | AttachKind::After(b) | AttachKind::Instead(b) = &a.what {
            f(b);
        }
    }
    for t in &model.tests {
        steps(&t.steps, f);
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
