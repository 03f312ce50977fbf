//! Compares the reasons for refused actions with the reference interpreter: a guard is given as a reason exactly if it does not hold there.
use super::options::draw_attempts;
use super::random_match::RandomMatch;
use super::reference::{Compared, Position, arguments_of};
use houserule_engine::QuestionKind;
use houserule_model::body::types;
use houserule_model::hir::*;
use houserule_program::ir::{ActionSlot, Domain, GuardSlot, Show, UniverseSort};
use houserule_reference::{Datum, Evaluator, Frame, Stop};
use houserule_text::Span;

/// Tuples of arguments that are compared at a question.
const MOST: usize = 40;

/// A guard as the reference judges it: where it stands, whether it holds (if that can be said), and its reason where that is plain text.
struct JudgedGuard {
    span: Span,
    holds: Option<bool>,
    text: Option<String>,
}

/// The guards, those at one place as one: what a bag costs is a guard for each of its words.
fn join_guards(all: Vec<JudgedGuard>) -> Vec<JudgedGuard> {
    let mut out: Vec<JudgedGuard> = Vec::new();
    for guard in all {
        match out.iter_mut().find(|g| g.span == guard.span) {
            Some(g) => {
                g.holds = g.holds.zip(guard.holds).map(|(a, b)| a && b);
                g.text = None;
            }
            None => out.push(guard),
        }
    }
    out
}

impl Position<'_> {
    /// Reasons at every menu that somebody stands at.
    pub(super) fn compare_guards(&self, c: &mut RandomMatch, out: &mut Compared) {
        for q in 0..c.machine.questions().len() {
            let is_menu = |k: QuestionKind| matches!(k, QuestionKind::Menu(_));
            if !c.machine.questions().get(q).is_some_and(|q| is_menu(q.kind)) {
                continue;
            }
            let Ok(mut all) = draw_attempts(c, q) else { continue };
            // Of many some, from everywhere among them.
            let step = all.len().div_ceil(MOST).max(1);
            let mut at = 0usize;
            all.retain(|_| {
                at += 1;
                (at - 1).is_multiple_of(step)
            });
            for (player, action, words) in all {
                let p = c.machine.program().clone();
                let Some(slot) = p.actions.get(action.index()) else { continue };
                let span = p.decls[slot.decl.index()].span;
                let Some(a) = self.game.model().actions.iter().find(|a| a.span == span) else { continue };
                let Ok(args) = arguments_of(self.numbers, action, &words) else { continue };
                if a.carrier.is_some() || !self.can_be_picked(c, a, slot, &args) {
                    continue;
                }
                let judged = join_guards(self.judge_guards(a, &Datum::Thing(0, player as u32), &args));
                let told = c.machine.why_not(player, action, &words);
                for j in judged {
                    let reason = told.iter().find(|r| r.span == j.span);
                    let guards: Vec<_> = slot.guards.iter().filter(|g| g.span == j.span).collect();
                    let Some(holds) = j.holds.filter(|_| guards.iter().all(|g| !g.wary)) else { continue };
                    // A guard may rely on others, and fail where they do not hold: then it is not told.
                    let relies = |g: &GuardSlot, c: &mut RandomMatch| {
                        let upto = slot.params.iter().take(usize::from(g.upto));
                        let n: usize = upto.map(|x| usize::from(x.domain.words(&p))).sum();
                        let args = [&[player as u64], words.get(..n).unwrap_or(&words)].concat();
                        c.machine.eval(g.func, &args, &mut [0]).is_err()
                    };
                    if reason.is_none() && !holds && guards.iter().any(|g| relies(g, c)) {
                        continue;
                    }
                    out.cases += 1;
                    let other = match (reason, j.text) {
                        (Some(_), _) if holds => "is told as a reason, and holds in the reference",
                        (None, _) if !holds => "is not told as a reason, and does not hold in the reference",
                        (Some(r), Some(text)) if r.text != text => "is told in other words",
                        _ => continue,
                    };
                    let (call, place) = (self.call_text(&a.name, &args), self.game.files().place(j.span));
                    out.broken.push(c.to_broken(format!("of {call} a guard {other} ({place})")));
                }
            }
        }
    }

    /// Whether the arguments are of the parameters' types.
    fn can_be_picked(&self, c: &mut RandomMatch, a: &Action, slot: &ActionSlot, args: &[Datum]) -> bool {
        let universes = &c.machine.program().clone().universes;
        a.params.len() == args.len()
            && a.params.iter().zip(&slot.params).zip(args).all(|((param, slot), d)| {
                let ty = &a.locals[param.local.index()].ty;
                let Domain::Thing(u) = slot.domain else { return matches!(param.many, Many::Subset { .. }) };
                match (universes.get(u.index()).map(|u| &u.sort), d, types::bounds(ty)) {
                    (Some(UniverseSort::Numbers { .. }), Datum::Int(n), Some((lo, hi))) => {
                        (i64::from(lo)..=i64::from(hi)).contains(n)
                    }
                    (Some(UniverseSort::Numbers { .. } | UniverseSort::Truth), ..) => false,
                    _ => self.sample_type(c, ty, Show::Thing(u)).contains(d),
                }
            })
    }

    /// The guards of an action but what is forbidden and what must be left.
    fn judge_guards(&self, a: &Action, me: &Datum, args: &[Datum]) -> Vec<JudgedGuard> {
        let m = self.game.model();
        let mut eval = Evaluator::new(self.numbers, self.world.clone());
        eval.me = me.clone();
        let mut out = Vec::new();
        let mut add = |span: Span, holds: Result<bool, Stop>, text: Option<String>| {
            out.push(JudgedGuard { span, holds: holds.ok(), text });
        };
        if let Some(menu) = a.menus.first() {
            let mut f = Frame::acting(me, &[], &[], &[]);
            for g in &m.menus[menu.index()].needs {
                let holds = eval.truth(&g.cond, &mut f);
                add(g.span, holds, find_reason(&mut eval, g, &mut f));
            }
        }
        let mut f = Frame::acting(me, &[], &a.params, args);
        if a.once.is_some() {
            add(a.span, eval.is_used(a.span, me).map(|used| !used), None);
        }
        if let Some(when) = &a.when {
            add(when.span, eval.truth(when, &mut f), None);
        }
        for h in &a.head {
            match h {
                HeadStep::Let(l, e) if eval.bind_late(*l, e, &mut f).is_err() => break,
                HeadStep::Needs(g) => {
                    let holds = eval.truth(&g.cond, &mut f);
                    add(g.span, holds, find_reason(&mut eval, g, &mut f));
                }
                HeadStep::Let(..) | HeadStep::MustLeave(_) => {}
            }
        }
        out
    }
}

/// The reason for which a guard does not hold, where it is plain text: its own, or why the rule cannot begin that it asks for.
fn find_reason(eval: &mut Evaluator<'_>, g: &Guard, f: &mut Frame) -> Option<String> {
    if let Some(reason) = &g.reason {
        return to_plain_text(reason);
    }
    let ExprKind::CanRule(r, by, args) = &*g.cond.kind else { return None };
    let by = eval.maybe(by.as_ref(), f).ok()?.unwrap_or(eval.me.clone());
    let args = eval.each(args, f).ok()?;
    let acting = std::mem::replace(&mut eval.me, by);
    let hindered = eval.hindered(*r, args).ok();
    eval.me = acting;
    hindered.flatten().flatten().and_then(to_plain_text)
}

/// A text without holes.
fn to_plain_text(t: &Text) -> Option<String> {
    t.parts.iter().map(|part| if let TextPart::Literal(x) = part { Some(&**x) } else { None }).collect()
}
