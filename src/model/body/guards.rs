//! Checks guards for leaks: options are computed from the asked seat's view, so a guard must not read what that seat may not see (E0502).
//!
//! [`super::look`] finds what an expression reads of what lies hidden. Here stand the guards that are declared: of actions, menus and prohibitions, and looks. What
//! stands in effects is judged in [`super::secrets`]; [`check_secrets`] judges both.
use super::leaks::Guarded;
use super::look::{Look, lies_of_params};
use super::secrets::{Judge, Of};
use super::taint::{Bound, Lies, bound_names, path_of_local};
use super::walk;
use crate::hir::*;
use houserule_text::Report;
use rustc_hash::FxHashSet as HashSet;
use std::rc::Rc;

/// Judges the whole game: declared guards, looks and effects.
pub fn check_secrets(model: &Model, out: &mut Report) {
    let mut judge = Judge::new(model, Of::Questions);
    judge.note_faces();
    while std::mem::take(&mut judge.grown) {
        judge_offers(&mut judge);
        judge.judge_blocks();
    }
    judge.out = Some(out);
    judge_offers(&mut judge);
    judge.judge_blocks();
    judge_prohibitions(&mut judge);
}

/// Looks through the guards of an action, in order.
pub fn look_at_action<'a>(look: &mut Look<'a>, a: &'a Action) {
    look.look_at_action(a);
}

/// Looks through what a menu says for all its actions.
fn look_at_menu<'a>(look: &mut Look<'a>, m: &'a Menu) {
    for e in m.done.iter().chain(&m.pass) {
        if let Some(w) = &e.when {
            look.look_at(w);
        }
        look.look_at_text(e.title.as_ref());
        look.look_at_text(e.reason.as_ref());
    }
    if let Some((c, why)) = &m.open {
        look.look_at(c);
        look.look_at_text(why.as_ref());
    }
    for g in &m.needs {
        look.look_at_guard(g);
    }
    for e in m.clock.iter().flat_map(|c| c.seconds.iter().chain(&c.choices)) {
        look.look_at(e);
    }
}

/// The names of a menu's parameters, in it and in its actions, and where what is handed over lies.
fn handed_names(n: usize) -> impl Iterator<Item = (LocalId, Lies)> {
    (0..n).map(|i| (LocalId(i as u32 + 1), Lies::Given(i, false)))
}

/// Judges the guards of actions and menus; what depends on a menu's parameters is noted, to be judged where it is offered.
fn judge_offers<'a>(judge: &mut Judge<'a, '_>) {
    let model = judge.calls.model;
    for a in &model.actions {
        let mut look = Look::new(&judge.calls, [a.me]);
        let menus: Vec<MenuId> = a.menus.clone();
        let n = menus.iter().filter_map(|m| model.menus.get(m.index())).map(|m| m.params.len()).max();
        handed_names(n.unwrap_or(0)).for_each(|(l, lies)| look.bind(l, lies));
        look_at_action(&mut look, a);
        menus.iter().for_each(|m| judge.note_menu(*m, &look));
        judge.report_look(&mut look, Guarded::Option);
    }
    let freely = freely_offered_menus(model);
    for (i, m) in model.menus.iter().enumerate() {
        let mut look = Look::new(&judge.calls, [LocalId(0)]);
        handed_names(m.params.len()).for_each(|(l, lies)| look.bind(l, lies));
        look_at_menu(&mut look, m);
        judge.note_menu(MenuId(i as u32), &look);
        judge.report_look(&mut look, Guarded::Option);
        // Whether a menu is open, and for how long, shows the others something of what the asked player knows.
        let mut look = Look::new(&judge.calls, []);
        if let Some((c, _)) = &m.open {
            look.look_at(c);
        }
        judge.report_look(&mut look, Guarded::Open);
        if freely.contains(&MenuId(i as u32)) {
            for w in m.done.iter().filter_map(|e| e.when.as_ref()) {
                look.look_at(w);
            }
            judge.report_look(&mut look, Guarded::Done);
        }
        for e in m.clock.iter().flat_map(|c| c.seconds.iter().chain(&c.choices)) {
            look.look_at(e);
        }
        judge.report_look(&mut look, Guarded::Asked);
    }
}

/// The menus that are offered where everyone acts freely, there or in a rule called there.
fn freely_offered_menus(model: &Model) -> HashSet<MenuId> {
    let (mut menus, mut open, mut called) = (HashSet::default(), Vec::new(), HashSet::default());
    walk::visit_rule_blocks(model, &mut |b| {
        walk::visit_stmts(b, &mut |s| match &s.kind {
            StmtKind::Everyone(e) if e.mode == Mode::Freely => open.push(&e.body),
            _ => {}
        });
    });
    while let Some(b) = open.pop() {
        walk::visit_stmts(b, &mut |s| {
            if let StmtKind::Offer(_, offered) = &s.kind {
                menus.extend(offered.iter().map(|(m, _)| *m));
            }
            for (r, ..) in walk::rule_calls_with_actors(s) {
                if called.insert(r) {
                    open.extend(model.rules.get(r.index()).and_then(|r| r.body.body.as_ref()));
                    open.extend(model.fills_of(r));
                }
            }
        });
    }
    menus
}

/// Judges prohibitions of actions, from the side of who acts, and looks.
fn judge_prohibitions(judge: &mut Judge<'_, '_>) {
    let model = judge.calls.model;
    let empty = Rc::default();
    let games: Vec<_> = model.attachments.iter().map(|a| (a, Rc::clone(&empty))).collect();
    for (a, flow) in games.into_iter().chain(judge.calls.layered.clone()) {
        let AttachKind::Forbid(why) = &a.what else { continue };
        for h in &a.heads {
            let lies = match h.target {
                Target::Action(id) => lies_of_params(&judge.calls, id, true),
                _ => Vec::new(),
            };
            let of = |i: usize| lies.get(i).copied().unwrap_or_default();
            let bound = Bound {
                mine: a.me.into_iter().map(path_of_local).collect(),
                lies: bound_names(h).into_iter().map(|(i, l)| (l, of(i))).collect(),
                ..Bound::default()
            };
            let frame = judge.calls.new_frame(&flow, bound);
            let mut look = Look::in_frame(&judge.calls, frame, None);
            look.note_in_force(a);
            if look.is_of_holder(a) {
                a.owner.into_iter().for_each(|l| look.add_mine(l));
            }
            for e in walk::pattern_conditions(h).into_iter().chain(&a.by).chain(&a.when) {
                look.look_at(e);
            }
            look.look_at_text(why.as_ref());
            judge.report_look(&mut look, Guarded::Option);
        }
    }
    for z in &model.zones {
        if let Seen::By(b) = &z.seen {
            let mut look = Look::new(&judge.calls, []);
            look.look_at(&b.body);
            judge.report_look(&mut look, Guarded::Seen);
        }
    }
    for (k, kind) in model.kinds.iter().enumerate() {
        // Who is out is passed over.
        for (_, out) in &kind.out_when {
            let mut look = Look::new(&judge.calls, []);
            if let Some(out) = model.values.get(out.index()).and_then(|v| v.body.body.as_ref()) {
                look.look_at(out);
            }
            judge.report_look(&mut look, Guarded::Asked);
        }
        for row in &kind.look {
            let mut look = Look::new(&judge.calls, []);
            // A face is drawn for those who know it; a back for all, wherever the thing may lie.
            let hides = |z: &Zone| !matches!(z.seen, Seen::All) && z.holds.contains(&KindId(k as u32));
            if let Some(zone) = model.zones.iter().position(hides)
                && row.back
            {
                look.bind(LocalId(0), Lies::In(ZoneId(zone as u32)));
            }
            look.look_at(&row.expr.body);
            judge.report_look(&mut look, Guarded::Look);
        }
    }
}
