//! Warnings about the course of play: turns within a turn, menus that may run dry, menus that open themselves, questions to nobody. Runs on a checked game.
use super::{codes, walk};
use crate::hir::*;
use houserule_text::{Diagnostic, Report, Span};
use rustc_hash::FxHashSet as HashSet;

/// Warns of what is played otherwise than it reads, or ends in a rule error.
pub fn check_course(model: &Model, out: &mut Report) {
    let (mut exprs, mut stmts) = (Vec::new(), Vec::new());
    walk::visit_rules(model, &mut |e| exprs.push(e), &mut |s| stmts.push(s));
    warn_nested_turns(model, &stmts, out);
    warn_dry_menus(model, out);
    warn_own_menus(model, out);
    warn_equal_titles(model, out);
    warn_asked_nobody(model, &exprs, &stmts, out);
}

fn is_turns(e: &Everyone) -> bool {
    matches!(e.mode, Mode::InTurn | Mode::AnyOrder)
}

/// All statements that run when a block does: those of the rules that it calls with what stands round them, and, through `menus`, of the actions that it offers.
fn reachable_stmts<'m>(model: &'m Model, from: &'m Block, menus: bool) -> Vec<&'m Stmt> {
    let (mut rules, mut actions) = (HashSet::default(), HashSet::default());
    let (mut queue, mut out): (Vec<&'m Block>, Vec<&'m Stmt>) = (vec![from], Vec::new());
    while let Some(block) = queue.pop() {
        let mut here = Vec::new();
        walk::visit_stmts(block, &mut |s| here.push(s));
        let mut called = Vec::new();
        for s in &here {
            match &s.kind {
                StmtKind::Call(r, ..) => called.push(*r),
                StmtKind::Offer(_, offered) if menus => {
                    for (m, _) in offered {
                        for a in model.menus.get(m.index()).map_or(&[][..], |m| &m.actions) {
                            if actions.insert(*a) {
                                queue.extend(model.actions.get(a.index()).map(|a| &a.body));
                                queue.extend(attached_blocks(model, |t| *t == Target::Action(*a)));
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        walk::visit_block_exprs(block, &mut |e| {
            if let ExprKind::Rule(r, ..) = &*e.kind {
                called.push(*r);
            }
        });
        for r in called.into_iter().filter(|r| rules.insert(*r)) {
            queue.extend(model.rules.get(r.index()).and_then(|r| r.body.body.as_ref()));
            let fills = model.members.iter().flat_map(|d| &d.rule_fills);
            queue.extend(fills.filter(|(x, _)| *x == r).map(|(_, b)| &b.body));
            queue.extend(attached_blocks(model, |t| *t == Target::Rule(r)));
        }
        out.extend(here);
    }
    out
}

/// What stands before, after and instead of something.
fn attached_blocks(model: &Model, is: impl Fn(&Target) -> bool) -> Vec<&Block> {
    let on = model.attachments.iter().filter(|a| a.heads.iter().any(|h| is(&h.target)));
    on.filter_map(|a| match &a.what {
        AttachKind::Before(b) | AttachKind::After(b) | AttachKind::Instead(b) => Some(b),
        _ => None,
    })
    .collect()
}

/// Turns that begin within a turn, where something goes by turns.
fn warn_nested_turns(model: &Model, stmts: &[&Stmt], out: &mut Report) {
    let per_turn = |per: &Option<std::sync::Arc<str>>| per.as_deref() == Some("turn");
    let what = if model.attrs.iter().any(|a| per_turn(&a.per)) {
        "attributes `per turn` are reset"
    } else if model.actions.iter().any(|a| a.once.as_ref().is_some_and(|o| per_turn(&o.per))) {
        "actions `once per turn` can be taken again"
    } else {
        return;
    };
    let mut told = HashSet::default();
    for s in stmts {
        let StmtKind::Everyone(outer) = &s.kind else { continue };
        if !is_turns(outer) {
            continue;
        }
        for inner in reachable_stmts(model, &outer.body, true) {
            let StmtKind::Everyone(e) = &inner.kind else { continue };
            if !is_turns(e) || inner.span == s.span || !told.insert(inner.span) {
                continue;
            }
            let message = format!("this begins turns within a player's turn: {what}");
            out.push(
                Diagnostic::warning(codes::TURNS_IN_A_TURN, inner.span, message)
                    .also(s.span, "the outer turns begin here")
                    .help("to let players act without turns, write `everyone one by one { … }` or `everyone at once { … }`"),
            );
        }
    }
}

/// Menus of rounds without end that leave everybody with nothing to do: nothing is asked any more, and nothing ends the game.
fn warn_dry_menus(model: &Model, out: &mut Report) {
    let Some(round) = model.round.as_ref().filter(|r| matches!(r.until, RoundUntil::Forever)) else { return };
    if !model.ends.is_empty() || !model.endings.is_empty() || model.scopes.len() > 1 {
        return;
    }
    let mut offered = Vec::new();
    for s in reachable_stmts(model, &round.body.body, false) {
        match &s.kind {
            StmtKind::Offer(_, menus) => offered.extend(menus.iter().map(|(m, _)| *m)),
            StmtKind::Verdict(..) | StmtKind::May(_) | StmtKind::CallHook(..) => return,
            StmtKind::Everyone(e) if e.mode == Mode::AnyOrder => return,
            _ => {}
        }
        let mut asks = false;
        for e in walk::stmt_parts(s).0 {
            asks |= walk::any_expr(e, &mut |x| matches!(&*x.kind, ExprKind::Choose(_)));
        }
        if asks {
            return;
        }
    }
    // Where an action may end the game it may be that it always does before the menu is empty.
    let ends = |s: &&Stmt| matches!(s.kind, StmtKind::Verdict(..));
    if reachable_stmts(model, &round.body.body, true).iter().any(ends) {
        return;
    }
    let menus: Vec<&Menu> = offered.iter().filter_map(|m| model.menus.get(m.index())).collect();
    let goes_on = |m: &Menu| m.done.is_some() || m.pass.is_some() || !m.endings.is_empty();
    let always = |m: &Menu| {
        m.open.is_none()
            && m.needs.is_empty()
            && m.leaves.is_empty()
            && m.actions.iter().filter_map(|a| model.actions.get(a.index())).any(is_always_possible)
    };
    if menus.iter().any(|m| goes_on(m) || always(m)) {
        return;
    }
    if let Some(m) = menus.first() {
        let message = format!("`{}` does not say what happens when nobody can do anything", m.name);
        out.push(
            Diagnostic::warning(codes::RUNS_DRY, m.span, message)
                .help("write `pass when no action`, or end the game: `lose me when no action \"…\"`, `ends when no action`; otherwise the game stops there with a rule error"),
        );
    }
}

/// Warns of a game that is played round after round, and that nothing ends. Nothing is said of a game whose menu may run dry: that menu is to say how it ends.
pub fn warn_no_end(model: &Model, out: &mut Report) {
    if out.findings.iter().any(|d| d.is_error() || d.code == codes::RUNS_DRY) {
        return;
    }
    let mut verdicts = false;
    walk::visit_rules(model, &mut |_| {}, &mut |s| verdicts |= matches!(s.kind, StmtKind::Verdict(..)));
    let forever = model.round.as_ref().is_some_and(|r| matches!(r.until, RoundUntil::Forever));
    let ends = !model.ends.is_empty()
        || !model.endings.is_empty()
        || model.menus.iter().any(|m| !m.endings.is_empty())
        || model.kinds.iter().any(|k| !k.out_when.is_empty())
        || verdicts;
    if !forever || ends {
        return;
    }
    let at = model.scopes.first().map_or(Span::default(), |game| game.span);
    let d = Diagnostic::warning(crate::codes::NO_END, at, "nothing ends this game");
    out.push(d.help(
        "write when it ends: `round until C { … }`, `win me` in an action or a rule, or `ends when C` in the header",
    ));
}

fn is_always_possible(a: &Action) -> bool {
    let fixed = |p: &Param| {
        p.filter.is_none()
            && matches!(&*p.from.kind, ExprKind::All(_) | ExprKind::Builtin(Builtin::Players, _))
    };
    a.carrier.is_none()
        && a.when.is_none()
        && a.once.is_none()
        && a.head.iter().all(|h| matches!(h, HeadStep::Let(..)))
        && a.params.iter().all(fixed)
}

/// Actions that open the menu in which they stand once more.
fn warn_own_menus(model: &Model, out: &mut Report) {
    for a in &model.actions {
        walk::visit_stmts(&a.body, &mut |s| {
            let StmtKind::Offer(_, menus) = &s.kind else { return };
            let own = menus.iter().find(|(m, _)| a.menus.contains(m));
            let Some(m) = own.and_then(|(m, _)| model.menus.get(m.index())) else { return };
            if m.done.is_none() {
                return;
            }
            let message = format!("the action `{}` offers its own menu `{}` again", a.name, m.name);
            out.push(
                Diagnostic::warning(codes::OWN_MENU, s.span, message)
                    .also(m.span, "a menu with `done` is offered again after each action")
                    .help("leave out this `offer`"),
            );
        });
    }
}

/// Actions of one menu whose options read alike: the same title with parameters of the same types.
fn warn_equal_titles(model: &Model, out: &mut Report) {
    let types =
        |a: &Action| -> Vec<_> { a.params.iter().map(|p| &a.locals[p.local.index()].ty).cloned().collect() };
    for m in &model.menus {
        let actions: Vec<_> = m.actions.iter().filter_map(|a| model.actions.get(a.index())).collect();
        for (i, a) in actions.iter().enumerate() {
            let alike = |b: &&&Action| b.has_title && a.has_title && b.said == a.said && types(b) == types(a);
            let Some(first) = actions.iter().take(i).find(alike) else { continue };
            let message = format!("in the menu `{}` two actions have this title", m.name);
            out.push(
                Diagnostic::warning(codes::EQUAL_TITLES, a.span, message)
                    .also(first.span, "the other")
                    .help("whoever chooses reads only the titles: give one of the actions another title"),
            );
        }
    }
}

/// Questions to a player for whom nobody answers.
fn warn_asked_nobody(model: &Model, exprs: &[&Expr], stmts: &[&Stmt], out: &mut Report) {
    let nobody = |e: &Expr| match &*e.kind {
        ExprKind::Member(m) => {
            let answered = model.members.get(m.index())?.answered.as_ref()?;
            matches!(&*answered.kind, ExprKind::Set(s) if s.is_empty()).then_some(*m)
        }
        _ => None,
    };
    let mut tell = |who: MemberId, at: Span, what: &str| {
        let name = model.members.get(who.index()).map_or("", |m| &*m.name);
        let message = format!("nobody answers for `{name}`: {what}");
        out.push(
            Diagnostic::warning(codes::ASKED_NOBODY, at, message)
                .help("let another player choose, or draw it: `by chance`"),
        );
    };
    for e in exprs {
        if let ExprKind::Choose(c) = &*e.kind
            && let Chooser::Player(p) = &c.by
            && let Some(m) = nobody(p)
        {
            let none =
                if matches!(c.many, Many::One) { "this is always none" } else { "this is always empty" };
            tell(m, e.span, none);
        }
    }
    for s in stmts {
        match &s.kind {
            StmtKind::May(m) if let Some(who) = m.by.as_ref().and_then(&nobody) => {
                tell(who, s.span, "this never happens")
            }
            StmtKind::Offer(who, _) if let Some(who) = nobody(who) => {
                tell(who, s.span, "this menu is skipped")
            }
            _ => {}
        }
    }
}
