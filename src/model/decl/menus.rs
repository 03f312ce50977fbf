//! Reads the bodies of menus and actions: entries, clocks, parameters, guards, titles.
use super::bodies::{Apply, Reader, report_unknown};
use crate::body::cx::{Cx, Me, Mode};
use crate::body::index::Index;
use crate::body::{self, build, types};
use crate::codes;
use crate::hir::*;
use crate::uses::Def;
use houserule_syntax::ast;
use houserule_text::{Diagnostic, Report, Span};

impl Reader<'_> {
    pub(super) fn read_ending(&self, cx: &mut Cx<'_>, e: &ast::Ending, span: Span) -> MenuEnding {
        let who = e.who.as_ref().map(|w| cx.read_as(w, &types::player(), "who it is about"));
        let when = cx.read_cond(&e.when, "when it ends");
        let text = e.text.as_ref().map(|t| cx.read_text(t));
        MenuEnding { verdict: e.outcome.map(body::stmt::to_verdict), who, when, text, span }
    }

    pub(super) fn read_menu(
        &self,
        ix: &Index<'_>,
        out: &mut Report,
        id: MenuId,
        d: &ast::MenuDecl,
    ) -> Option<Apply> {
        let mut menu = ix.model.menus.get(id.index())?.clone();
        let mut cx = self.new_cx(ix, out, Mode::Pure("a menu"));
        let me = cx.new_local("me", types::player(), d.name.span);
        cx.me = Me::Is(me);
        cx.in_menu = true;
        for p in d.params.iter().flatten() {
            let asks = match &p.kind {
                ast::ParamKind::Choice { from, .. } => Some(from.span),
                ast::ParamKind::Typed { of, filter, .. } => of.as_ref().or(filter.as_ref()).map(|e| e.span),
            };
            if let Some(span) = asks {
                let _ = cx.report_not_played(span, "conditions on parameters of menus");
            }
            if let Some(p) = read_param(&mut cx, p) {
                menu.params.push(p);
            }
        }
        for p in &d.parts {
            use ast::MenuPartKind as P;
            let way = |cx: &mut Cx<'_>, w: &ast::Way| Ending {
                title: w.title.as_ref().map(|t| cx.read_text(t)),
                when: w.when.as_ref().map(|e| cx.read_cond(e, "the condition of `needs`")),
                reason: w.reason.as_ref().map(|t| cx.read_lenient_text(t)),
                span: p.span,
            };
            let again = match &p.kind {
                P::Done(_) if menu.done.is_some() => Some("done"),
                P::Pass(_) if menu.pass.is_some() => Some("pass"),
                P::Open { .. } if menu.open.is_some() => Some("open"),
                P::NoDeadEnds(_) if menu.no_dead_ends.is_some() => Some("no dead ends"),
                P::Cost(c) if self.costs.get(&id).is_some_and(|first| first.what.span != c.what.span) => {
                    Some("cost")
                }
                _ => None,
            };
            if let Some(word) = again {
                cx.push(body::hints::report_said_twice(p.span, word));
            }
            match &p.kind {
                P::Done(w) => menu.done = Some(way(&mut cx, w)),
                P::Pass(w) => menu.pass = Some(way(&mut cx, w)),
                // Behind the menu's guards: where one of them says no, nothing more is asked.
                P::Open { when, reason } => {
                    let c = cx.read_in_scope(|cx| {
                        menu.needs.iter().for_each(|g| cx.learn(&g.cond, true));
                        cx.read_cond(when, "the condition of `open when`")
                    });
                    let c = menu.needs.iter().rev().fold(c, |c, g| {
                        let no = ExprKind::Not(g.cond.clone());
                        let no = build::expr(Ty::Bool, g.cond.span, no);
                        build::expr(Ty::Bool, c.span, ExprKind::Or(no, c))
                    });
                    menu.open = Some((c, reason.as_ref().map(|t| cx.read_lenient_text(t))));
                }
                P::Ending(e) => menu.endings.push(self.read_ending(&mut cx, e, p.span)),
                P::Needs(n) => {
                    let guard = cx.read_in_scope(|cx| {
                        menu.needs.iter().for_each(|g| cx.learn(&g.cond, true));
                        cx.read_guard(n, p.span)
                    });
                    menu.needs.push(guard);
                }
                P::Bad => {}
                // Each action reads it, too: who acts there pays.
                P::Cost(c) => drop(cx.read_cost(c)),
                P::Clock(all) => self.read_clock(&mut cx, &mut menu, all, p.span),
                P::NoDeadEnds(reason) => {
                    menu.no_dead_ends = Some((p.span, reason.as_ref().map(|t| cx.read_lenient_text(t))));
                }
                P::Must(ast::Must::Leave(n)) => menu.leaves.push(cx.read_must_leave(n, p.span)),
                P::Must(ast::Must::Minimise(..) | ast::Must::Maximise(..)) if menu.best.is_some() => {
                    let d = Diagnostic::error(
                        body::codes::WRONG_FORM,
                        p.span,
                        "a menu has at most one `must minimise` or `must maximise`",
                    );
                    cx.push(d.help(
                        "write a second number after `then`: `must minimise V, then W`; `-W` reverses its order",
                    ));
                }
                P::Must(
                    must @ (ast::Must::Minimise(values, reason) | ast::Must::Maximise(values, reason)),
                ) => {
                    let role = "the value after `must minimise` or `must maximise`";
                    menu.best = Some(Best {
                        least: matches!(must, ast::Must::Minimise(..)),
                        values: values.iter().map(|e| cx.read_number_of(e, role)).collect(),
                        reason: reason.as_ref().map(|t| cx.read_lenient_text(t)),
                        span: p.span,
                    });
                }
                P::Has(_) => drop(cx.report_not_played(p.span, "state of a menu's own")),
            }
        }
        if let (Some(clock), None, None) = (&menu.clock, &menu.done, &menu.pass) {
            let message = "when the clock runs out, the player leaves the menu; this menu has neither `done` nor `pass`";
            let d = Diagnostic::error(body::codes::WRONG_FORM, clock.span, message);
            cx.push(d.help("write when the player may leave the menu: `done when …`"));
        }
        if let (Some((span, _)), None) = (&menu.no_dead_ends, &menu.done) {
            let d = Diagnostic::error(
                body::codes::WRONG_FORM,
                *span,
                "`no dead ends` needs `done`: a menu without `done` ends with its first action",
            );
            cx.push(d.help("write when the player may leave the menu: `done when …`"));
        }
        menu.locals = cx.locals;
        Some(Box::new(move |m| m.menus[id.index()] = menu))
    }

    /// `clock e seconds or f choices`.
    fn read_clock(&self, cx: &mut Cx<'_>, menu: &mut Menu, all: &[(ast::Expr, ast::ClockUnit)], span: Span) {
        if menu.clock.is_some() {
            let d = Diagnostic::error(body::codes::WRONG_FORM, span, "a menu has at most one `clock`");
            cx.push(d.help("write seconds and choices in one line: `clock 60 seconds or 8 choices`"));
            return;
        }
        let mut clock = MenuClock { seconds: None, choices: None, span };
        for (e, unit) in all {
            let e = cx.read_number_or_none(e, "the limit of a clock");
            if types::bounds(&e.ty).is_some_and(|(_, hi)| hi < 1) {
                let d = Diagnostic::error(
                    body::codes::OUTSIDE,
                    e.span,
                    "a clock runs for at least one second or one choice",
                );
                cx.push(d.help("write `none` for a clock that does not run"));
            }
            let place = match unit {
                ast::ClockUnit::Seconds => &mut clock.seconds,
                ast::ClockUnit::Choices => &mut clock.choices,
            };
            if place.is_some() {
                let d = Diagnostic::error(body::codes::WRONG_FORM, e.span, "this limit is given twice");
                cx.push(d.help("write seconds, choices, or both: `clock 60 seconds or 8 choices`"));
            }
            *place = Some(e);
        }
        menu.clock = Some(clock);
    }

    /// The cost that an action has of its menu. It is read where only the menu's names are known.
    pub(in crate::decl) fn read_menu_cost(
        &self,
        cx: &mut Cx<'_>,
        menus: &[MenuId],
        d: &ast::ActionDecl,
    ) -> Option<body::cost::Cost> {
        if d.clauses.iter().any(|c| matches!(c, ast::ActionClause::Cost(_))) {
            return None;
        }
        let cost = menus.iter().find_map(|m| self.costs.get(m))?;
        if menus.len() > 1 {
            let message =
                format!("`{}` is in several menus, and its cost would depend on the menu", d.name.text);
            let e = Diagnostic::error(crate::codes::MENU_COST, d.name.span, message)
                .also(cost.what.span, "the cost of a menu");
            cx.push(
                e.help("write what this action costs behind its menus: `cost 1 coins`, or `cost nothing`"),
            );
            return None;
        }
        // What is wrong with it is told at the menu.
        let told = cx.out.findings.len();
        let read = cx.read_cost(cost);
        cx.out.findings.truncate(told);
        Some(read)
    }

    /// Reads an action, or its parameters alone.
    pub(super) fn read_action(
        &self,
        ix: &Index<'_>,
        out: &mut Report,
        id: ActionId,
        d: &ast::ActionDecl,
        params_alone: bool,
    ) -> Option<Apply> {
        let mut action = ix.model.actions.get(id.index())?.clone();
        action.params.clear();
        for n in &d.menus {
            match ix
                .things(&n.text)
                .iter()
                .find_map(|t| if let body::index::Thing::Menu(m) = t { Some(*m) } else { None })
            {
                Some(m) => {
                    ix.notes.note(n.span, Def::Menu(m));
                    if action.menus.contains(&m) {
                        out.push(body::hints::report_said_twice(n.span, &n.text));
                    } else {
                        action.menus.push(m);
                    }
                }
                None => {
                    let names: Vec<&str> = ix.model.menus.iter().map(|m| &*m.name).collect();
                    report_unknown(
                        ix,
                        out,
                        codes::UNKNOWN_MENU,
                        n,
                        format!("there is no menu `{}`", n.text),
                        &names,
                    );
                }
            }
        }
        let mut cx = self.new_cx(ix, out, Mode::Pure("a guard"));
        let me = cx.new_local("me", types::player(), d.name.span);
        cx.me = Me::Is(me);
        // A menu's parameters come first; the action knows them by their names.
        if let Some(menu) = action.menus.first().and_then(|m| ix.model.menus.get(m.index())) {
            let mut names = vec![(LocalId(0), me)];
            for p in &menu.params {
                if let Some(l) = menu.locals.get(p.local.index()) {
                    let l2 = cx.new_local(&l.name, l.ty.clone(), l.span);
                    cx.call_it(&l.name, l2);
                    names.push((p.local, l2));
                }
            }
            // Its guards are asked first.
            menu.needs.iter().for_each(|g| cx.learn_as(&g.cond, &names));
        }
        let usual = self.read_menu_cost(&mut cx, &action.menus, d);
        // An action of a component has one more parameter, first: the component, called like its kind.
        let carrier = match &action.carrier {
            Some(Carrier::Kind(k)) => Some(*k),
            Some(Carrier::Member(id)) => ix.model.members.get(id.index()).map(|m| m.kind),
            None => None,
        };
        if let Some(k) = carrier {
            let ty = Ty::Of(k);
            let this = cx.new_local(&body::types::name(ix.model, k).to_lowercase(), ty.clone(), d.name.span);
            let of = |kind, ty| build::expr(ty, d.name.span, kind);
            let this_is = build::local(this, ty.clone(), d.name.span);
            let owner = cx.new_local("owner", body::types::player(), d.name.span);
            let holder = ExprKind::Builtin(Builtin::Holder, vec![this_is.clone()]);
            action.head.push(HeadStep::Let(owner, of(holder, body::types::maybe(body::types::player()))));
            action.params.push(Param {
                local: this,
                from: cx.everything(k, d.name.span),
                many: Many::One,
                filter: None,
                span: d.name.span,
            });
            // No name in the rules stands for it, so it need not be used.
            if let Some(n) = cx.uses.get_mut(this.index()) {
                *n += 1;
            }
            cx.this = Some(this_is);
            cx.member = if let Some(Carrier::Member(m)) = &action.carrier { Some(*m) } else { None };
            cx.owner = Some(build::local(owner, body::types::player(), d.name.span));
        }
        for p in &d.params {
            if let Some(p) = read_param(&mut cx, p) {
                action.params.push(p);
            }
        }
        if params_alone {
            let (params, locals) = (action.params, cx.locals);
            return Some(Box::new(move |m| {
                (m.actions[id.index()].params, m.actions[id.index()].locals) = (params, locals);
            }));
        }
        action.said = read_title(&mut cx, d.title.as_ref(), &action);
        if let Some(t) = &d.title {
            let mut before = t.parts.iter().map_while(|p| match p {
                ast::TextPart::Literal(s, _) => Some(s.trim()),
                ast::TextPart::Hole(_) => None,
            });
            if let Some(s) = before.find(|s| !s.is_empty()) {
                action.title = s.into();
            }
        }
        let mut paid = Block::new();
        for c in &d.clauses {
            match c {
                ast::ActionClause::Cost(e) => {
                    let cost = cx.read_cost(e);
                    paid.extend(cost.charge(&mut action));
                }
                ast::ActionClause::Once(o) => {
                    o.per.iter().for_each(|n| cx.read_per(n, false));
                    if action.once.is_some() {
                        cx.push(body::hints::report_said_twice(d.name.span, "once"));
                    }
                    action.once = Some(body::attach::read_once(o));
                }
                ast::ActionClause::When(e) => {
                    let when = cx.read_cond(e, "the condition of `when`");
                    cx.learn(&when, true);
                    action.when = Some(Cx::and_opt(action.when.take(), when));
                }
            }
        }
        if let Some(cost) = usual {
            paid.extend(cost.charge(&mut action));
        }
        if let Some(b) = &d.body {
            body::assign::collect_assigned(b, &mut cx.reassigned);
            let head = b
                .stmts
                .iter()
                .take_while(|s| {
                    matches!(
                        s.kind,
                        ast::StmtKind::Let(..)
                            | ast::StmtKind::Needs(_)
                            | ast::StmtKind::Must(_)
                            | ast::StmtKind::Pay(_)
                    )
                })
                .count();
            // A `let` behind the last guard belongs to the effect.
            let last = b.stmts[..head]
                .iter()
                .rposition(|s| !matches!(s.kind, ast::StmtKind::Let(..)))
                .map_or(0, |i| i + 1);
            for s in &b.stmts[..last] {
                let mut read = Block::new();
                let pays = matches!(s.kind, ast::StmtKind::Pay(_));
                cx.read_stmt(s, &mut read);
                for s in read {
                    match s.kind {
                        StmtKind::Needs(g) => action.head.push(HeadStep::Needs(g)),
                        _ if pays => paid.push(s),
                        StmtKind::Let(l, e) => action.head.push(HeadStep::Let(l, e)),
                        StmtKind::MustLeave(g) => action.head.push(HeadStep::MustLeave(g)),
                        _ => {}
                    }
                }
            }
            cx.mode = Mode::Effect;
            let rest = &b.stmts[last..];
            if let Some(s) =
                rest.iter().find(|s| matches!(s.kind, ast::StmtKind::Needs(_) | ast::StmtKind::Pay(_)))
            {
                let d = Diagnostic::error(
                    body::codes::LATE_GUARD,
                    s.span,
                    "a guard must come before the action's first effect",
                );
                cx.push(d.help("move `needs` up, before the first statement that changes something"));
            }
            action.body = cx.read_stmts(rest);
            cx.warn_unused(0, "the name");
        }
        // Paid before anything else is done.
        action.body.splice(0..0, paid);
        action.locals = cx.locals;
        let menus = action.menus.clone();
        Some(Box::new(move |m| {
            m.actions[id.index()] = action;
            for menu in menus {
                m.menus[menu.index()].actions.push(id);
            }
        }))
    }
}

/// The title of an action: its texts and the numbers of the parameters in its holes. Parameters that no hole names follow behind. Without a title the action's name begins it,
/// and a space behind another parameter is where that goes: `run(x, goal)` reads "Run Ada to E9".
fn read_title(cx: &mut Cx<'_>, t: Option<&ast::Text>, action: &Action) -> Vec<TitlePart> {
    let of_menu =
        action.menus.first().and_then(|m| cx.model().menus.get(m.index())).map_or(0, |m| m.params.len());
    // The locals of the menu's parameters come right after `me`.
    let locals = (1..=of_menu as u32).map(LocalId).chain(action.params.iter().map(|p| p.local));
    let locals: Vec<LocalId> = locals.collect();
    let mut out = Vec::new();
    if t.is_none() {
        out.push(TitlePart::Text(action.title.clone()));
    }
    for part in t.iter().flat_map(|t| &t.parts) {
        match part {
            ast::TextPart::Literal(s, _) => out.push(TitlePart::Text(s.as_str().into())),
            ast::TextPart::Hole(e) => {
                let read = cx.read_expr(e, None);
                let at = match &*read.kind {
                    ExprKind::Local(l) => locals.iter().position(|x| x == l),
                    ExprKind::Error => continue,
                    _ => None,
                };
                let Some(at) = at else {
                    let message = "a title shows only the parameters of its action";
                    let d = Diagnostic::error(body::codes::WRONG_FORM, e.span, message);
                    cx.push(d.help("write the name of a parameter in the hole; to log more, write `say \"…\"` in the action"));
                    continue;
                };
                let part = TitlePart::Param(at as u8);
                if out.contains(&part) {
                    let message = "the title shows this parameter twice";
                    let d = Diagnostic::error(body::codes::WRONG_FORM, e.span, message);
                    cx.push(d.help("leave one of the holes out"));
                }
                out.push(part);
            }
        }
    }
    let unnamed = locals.iter().enumerate().filter(|(i, _)| !out.contains(&TitlePart::Param(*i as u8)));
    let unnamed: Vec<(usize, LocalId)> = unnamed.map(|(i, l)| (i, *l)).collect();
    let mut goes = t.is_some();
    for (n, (i, l)) in unnamed.into_iter().enumerate() {
        let ty = cx.locals.get(l.index()).map(|l| body::types::kinds_of(&body::types::plain(&l.ty)));
        let is_space = ty.is_some_and(|k| k.first().is_some_and(|k| body::types::is_space(cx.model(), *k)));
        let between = match n {
            0 if t.is_some() => ": ",
            0 => " ",
            _ if is_space && !goes => {
                goes = true;
                " to "
            }
            _ => ", ",
        };
        out.push(TitlePart::Text(between.into()));
        out.push(TitlePart::Param(i as u8));
    }
    out
}

/// A parameter of a menu or action, bound as the next local.
fn read_param(cx: &mut Cx<'_>, p: &ast::Param) -> Option<Param> {
    if let Some(e) = &p.default {
        let _ = cx.report_not_played(e.span, "parameters with a default");
    }
    let (from, many, filter) = match &p.kind {
        ast::ParamKind::Choice { many, from } => {
            let set = match &*from.kind {
                ast::ExprKind::Where(s, f) => cx.read_where(s, f, from.span, None),
                _ => cx.read_source(from, None, None),
            };
            let set = cx.read_collection(set, "what is chosen from");
            (set, cx.read_many(many, "how many are chosen"), None)
        }
        ast::ParamKind::Typed { ty, of, filter } => {
            let set = match (&ty.kind, of) {
                (ast::TypeKind::Named(k), Some(owner)) => cx.read_kind_of(k, owner, p.span),
                (ast::TypeKind::Named(k), None) => {
                    let name = ast::Expr::new(
                        if k.is_kind() {
                            ast::ExprKind::Kind(k.clone())
                        } else {
                            ast::ExprKind::Name(k.clone())
                        },
                        ty.span,
                    );
                    if k.text == "player" {
                        build::players(ty.span)
                    } else if k.text == "bool" {
                        let d = cx.report_not_played(ty.span, "yes and no as parameters");
                        build::error(d.span)
                    } else if k.text == "team" {
                        let message = "an action cannot have a team as a parameter";
                        let d = Diagnostic::error(body::codes::WRONG_FORM, ty.span, message);
                        cx.push(d.help("write a player, `p: player`, and use `team(p)`"));
                        build::error(ty.span)
                    } else {
                        cx.read_source(&name, None, None)
                    }
                }
                (ast::TypeKind::Range(a, b), None) => {
                    let range = ast::Expr::new(ast::ExprKind::Range(Some(a.clone()), b.clone()), ty.span);
                    cx.read_expr(&range, None)
                }
                (ast::TypeKind::Or(kinds), None) => {
                    let mut all = kinds.iter().map(|t| match &t.kind {
                        ast::TypeKind::Named(k) if k.is_kind() => {
                            Some(ast::Expr::new(ast::ExprKind::Kind(k.clone()), t.span))
                        }
                        _ => None,
                    });
                    let first = all.next().flatten();
                    let plus = |a: Option<ast::Expr>, b: Option<ast::Expr>| {
                        let sum = ast::ExprKind::Binary(ast::BinaryOp::Add, a?, b?);
                        Some(ast::Expr::new(sum, ty.span))
                    };
                    match all.fold(first, plus) {
                        Some(sum) => cx.read_source(&sum, None, None),
                        None => cx.report_not_played(ty.span, "parameters of this type"),
                    }
                }
                _ => cx.report_not_played(ty.span, "parameters of this type"),
            };
            (set, Many::One, filter.as_ref())
        }
    };
    let element = types::element(cx.model(), &from.ty).unwrap_or(Ty::Error);
    let ty = match many {
        Many::One => element.clone(),
        Many::Subset { .. } => types::set_of(element.clone()),
    };
    let local = cx.bind(&p.name, ty.clone());
    cx.note_unique(local, &from);
    let filter = filter.map(|f| {
        let it = build::local(local, ty, p.name.span);
        cx.read_candidate_filter(f, it)
    });
    // What is picked has passed its filter.
    if let Some(f) = &filter {
        cx.learn(f, true);
    }
    if matches!(many, Many::One) {
        cx.learn_member(&from, local);
    }
    Some(Param { local, from, many, filter, span: p.span })
}
