//! What a guard may know: options are worked out from the asked seat's view, so a guard must not look where that seat may not (E0502).
//!
//! [`super::look`] finds what an expression reads of what lies hidden. Here stand the guards that are declared: of actions, menus and prohibitions, and looks. What
//! stands in effects is judged in [`super::secrets`].
use super::look::{self, Lies, Look};
use super::secrets::Judge;
use super::seen::Holds;
use super::taint::{Bound, Calls};
use super::{codes, types, walk};
use crate::hir::*;
use houserule_text::{Diagnostic, Report, Span};
use std::collections::HashSet;
use std::rc::Rc;

/// What is worked out from secrets: told in the message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Guarded {
    /// What is offered.
    Option,
    /// What can be chosen.
    Choice,
    /// What is drawn.
    Look,
    /// Who is asked, and whether.
    Asked,
    /// Whether a menu is put before somebody.
    Open,
    /// Whether somebody is done, where all act freely.
    Done,
    /// Who sees what lies in a zone.
    Seen,
}

/// What was reported already: place and zone.
pub(super) type Told = HashSet<(Span, ZoneId)>;

/// Reports what was found to be looked at though it is hidden, and hooks on the way.
pub(super) fn tell(model: &Model, look: &mut Look<'_>, sort: Guarded, told: &mut Told, out: &mut Report) {
    for leak in std::mem::take(&mut look.reads) {
        let (Lies::In(id) | Lies::Down(id)) = leak.lies else { continue };
        let down = matches!(leak.lies, Lies::Down(_));
        let Some(zone) = model.zones.get(id.index()) else { continue };
        if !told.insert((leak.span, id)) {
            continue;
        }
        let whose_zone = match zone.seen {
            _ if down => format!("may lie face down in `{}`", zone.name),
            Seen::Nobody => format!("lies in `{}`, which nobody may see", zone.name),
            Seen::Owner => format!("lies in `{}`, which only its owner may see", zone.name),
            _ => format!("lies in `{}`, which not everybody may see", zone.name),
        };
        let whose = match sort {
            Guarded::Option => "what is offered or refused would tell the acting player what lies there",
            Guarded::Look => "everybody sees what a look draws",
            Guarded::Choice => "what can be chosen would tell the chooser what lies there",
            Guarded::Asked | Guarded::Open => "all see whether somebody is asked, and who",
            Guarded::Done => "where everyone acts freely all see who is done, and who no longer is",
            Guarded::Seen => "whoever sees a thing, or does not, would know it",
        };
        let through = match &leak.inside {
            Some(name) => format!("`{name}` reads {}", leak.what),
            None if leak.named.is_some() => format!("this was worked out from {}", leak.what),
            None => format!("this reads {}", leak.what),
        };
        let mut finding = Diagnostic::error(
            codes::HIDDEN_IN_GUARD,
            leak.span,
            format!("{through} of what {whose_zone}; {whose}"),
        )
        .label("looks at what is hidden")
        .also(zone.span, if down { "it may lie here" } else { "declared hidden here" });
        if let Some(made) = leak.named {
            finding = finding.also(made, "worked out here");
        }
        out.push(finding.help(match sort {
            Guarded::Look if down => "draw it only if it lies face up, as in `if c.up then …`",
            Guarded::Look => {
                "draw what everybody may know; a card's own face is drawn only for those who know it"
            }
            Guarded::Asked => "ask whatever lies there, and look at it behind the answer; or let all see it first (`show`)",
            Guarded::Open => "say `needs` in place of `open when`: whoever can do nothing is then asked for `done` or `pass`",
            Guarded::Done => "let `done` stand without a condition, or with one of what all may know",
            Guarded::Seen => "name the players by what all may know: whose zone it is, an attribute of a player, how many there are",
            _ if down && *leak.what == *look::BY_EFFECT => {
                "let it be in force only while it lies face up: `active when this.up` at the zone"
            }
            _ if down => "ask first whether it lies face up (`c.up and …`), or whether the player knows it (`sees(me, c) and …`)",
            _ => "read only what the acting player sees: `my` own, how many there are, or what the player knows (`sees(me, c) and …`); or move the test into the action's effect, which may read anything",
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

/// Looks through the guards of an action, in order.
pub fn action<'a>(look: &mut Look<'a>, a: &'a Action) {
    for (i, p) in a.params.iter().enumerate() {
        // A component's own action is taken where it lies in force, by who holds it: there it must be seen.
        let carrier = a.carrier.as_ref().filter(|_| i == 0);
        let lies = match carrier {
            Some(carrier) => {
                look.carried(carrier, Holds::Own, a.span);
                Lies::Open
            }
            None => look.look(&p.from),
        };
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
            HeadStep::Needs(g) => guard(look, g),
            HeadStep::MustLeave(_) => {}
        }
    }
}

fn guard<'a>(look: &mut Look<'a>, g: &'a Guard) {
    look.look(&g.cond);
    look.assume(&g.cond, true);
    text(look, g.reason.as_ref());
}

fn text<'a>(look: &mut Look<'a>, t: Option<&'a Text>) {
    for h in t.into_iter().flat_map(walk::holes) {
        look.look(h);
    }
}

/// Looks through what a menu says for all its actions.
fn menu<'a>(look: &mut Look<'a>, m: &'a Menu) {
    for e in m.done.iter().chain(&m.pass) {
        if let Some(w) = &e.when {
            look.look(w);
        }
        text(look, e.title.as_ref());
        text(look, e.reason.as_ref());
    }
    if let Some((c, why)) = &m.open {
        look.look(c);
        text(look, why.as_ref());
    }
    for g in &m.needs {
        guard(look, g);
    }
    for e in m.clock.iter().flat_map(|c| c.seconds.iter().chain(&c.choices)) {
        look.look(e);
    }
}

/// The names of a menu's parameters, in it and in its actions, and where what is handed over lies.
fn handed(n: usize) -> impl Iterator<Item = (LocalId, Lies)> {
    (0..n).map(|i| (LocalId(i as u32 + 1), Lies::Given(i, false)))
}

/// Judges the guards of actions and menus; what depends on a menu's parameters is noted, to be judged where it is offered.
pub(super) fn offers<'a>(judge: &mut Judge<'a, '_>) {
    let model = judge.calls.model;
    for a in &model.actions {
        let mut look = Look::new(&judge.calls, [a.me]);
        let menus: Vec<MenuId> = a.menus.clone();
        let n = menus.iter().filter_map(|m| model.menus.get(m.index())).map(|m| m.params.len()).max();
        handed(n.unwrap_or(0)).for_each(|(l, lies)| look.bind(l, lies));
        action(&mut look, a);
        menus.iter().for_each(|m| judge.note_menu(*m, &look));
        judge.tell(&mut look, Guarded::Option);
    }
    let freely = offered_freely(model);
    for (i, m) in model.menus.iter().enumerate() {
        let mut look = Look::new(&judge.calls, [LocalId(0)]);
        handed(m.params.len()).for_each(|(l, lies)| look.bind(l, lies));
        menu(&mut look, m);
        judge.note_menu(MenuId(i as u32), &look);
        judge.tell(&mut look, Guarded::Option);
        // Also what the one who is asked knows tells the others: that a menu is open, and for how long.
        let mut look = Look::new(&judge.calls, []);
        if let Some((c, _)) = &m.open {
            look.look(c);
        }
        judge.tell(&mut look, Guarded::Open);
        if freely.contains(&MenuId(i as u32)) {
            for w in m.done.iter().filter_map(|e| e.when.as_ref()) {
                look.look(w);
            }
            judge.tell(&mut look, Guarded::Done);
        }
        for e in m.clock.iter().flat_map(|c| c.seconds.iter().chain(&c.choices)) {
            look.look(e);
        }
        judge.tell(&mut look, Guarded::Asked);
    }
}

/// The menus that are offered where everyone acts freely, there or in a rule called there.
fn offered_freely(model: &Model) -> HashSet<MenuId> {
    let (mut menus, mut open, mut called) = (HashSet::new(), Vec::new(), HashSet::new());
    walk::rule_blocks(model, &mut |b| {
        walk::every_stmt(b, &mut |s| match &s.kind {
            StmtKind::Everyone(e) if e.mode == Mode::Freely => open.push(&e.body),
            _ => {}
        });
    });
    while let Some(b) = open.pop() {
        walk::every_stmt(b, &mut |s| {
            if let StmtKind::Offer(_, offered) = &s.kind {
                menus.extend(offered.iter().map(|(m, _)| *m));
            }
            for (r, ..) in walk::called(s) {
                if called.insert(r) {
                    open.extend(model.rules.get(r.index()).and_then(|r| r.body.body.as_ref()));
                }
            }
        });
    }
    menus
}

/// Where the things lie that an action's parameters stand for, as who acts sees them, or somebody.
pub(super) fn lies_of_params(calls: &Rc<Calls<'_>>, id: ActionId, acts: bool) -> Vec<Lies> {
    let Some(a) = calls.model.actions.get(id.index()) else { return Vec::new() };
    let mut look = Look::new(calls, acts.then_some(a.me));
    action(&mut look, a);
    a.params.iter().map(|p| look.lies_of(p.local)).collect()
}

/// Judges prohibitions of actions, from the side of who acts, and looks.
pub(super) fn others(judge: &mut Judge<'_, '_>) {
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
                mine: a.me.into_iter().map(super::look::of_local).collect(),
                lies: super::taint::bound_names(h).into_iter().map(|(i, l)| (l, of(i))).collect(),
                ..Bound::default()
            };
            let frame = judge.calls.frame(&flow, bound);
            let mut look = Look::within(&judge.calls, frame, None);
            look.in_force(a);
            if look.is_of_holder(a) {
                a.owner.into_iter().for_each(|l| look.add_mine(l));
            }
            for e in walk::tested(h).into_iter().chain(&a.by).chain(&a.when) {
                look.look(e);
            }
            text(&mut look, why.as_ref());
            judge.tell(&mut look, Guarded::Option);
        }
    }
    for z in &model.zones {
        if let Seen::By(b) = &z.seen {
            let mut look = Look::new(&judge.calls, []);
            look.look(&b.body);
            judge.tell(&mut look, Guarded::Seen);
        }
    }
    for (k, kind) in model.kinds.iter().enumerate() {
        // Who is out is passed over.
        for (_, out) in &kind.out_when {
            let mut look = Look::new(&judge.calls, []);
            look.look(&out.body);
            judge.tell(&mut look, Guarded::Asked);
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
            look.look(&row.expr.body);
            judge.tell(&mut look, Guarded::Look);
        }
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
    walk::rule_blocks(model, &mut |b| {
        walk::every_stmt(b, &mut |s| match &s.kind {
            StmtKind::Flip(x, None | Some(false)) => families(x),
            StmtKind::Move(m) if m.face == Some(false) => families(&m.what),
            _ => {}
        });
    });
    model.face_down = found;
}
