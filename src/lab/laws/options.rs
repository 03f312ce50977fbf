//! Laws about options and compilation: a choice is an option exactly if no guard rejects it, and plain and optimised code give the same game.
use super::random_match::{
    Broken, Checked, LawLimits, RandomMatch, count_seats, first_difference, output_for, read_new_log,
};
use houserule_engine::{Choice, QuestionKind, Reason, Words, below};
use houserule_model::body::walk;
use houserule_model::hir::{Expr, ExprKind, HeadStep, ValueId};
use houserule_play::words::{Wording, set_bits};
use houserule_play::{Game, Setup};
use houserule_program::ir::{ActionIx, Domain, Program};
use houserule_program::{LowerOptions, Pass, PassSet, TOO_MANY_WORDS};
use houserule_text::Report;
use std::collections::BTreeSet;

/// Checks that a choice, or one interchangeable with it, is an option exactly if no plain guard refuses it.
///
/// # Errors
/// The first choice of which this is not so.
pub fn check_reasons(game: &Game, setup: &Setup, limits: LawLimits) -> Result<Checked, Broken> {
    let mut c = RandomMatch::new(game, setup, limits)?;
    let mut checked = Checked::default();
    while c.has_next() {
        checked.states += 1;
        for q in 0..c.machine.questions().len() {
            check_position(&mut c, game, q, &mut checked)?;
        }
        c.advance()?;
    }
    Ok(checked)
}

fn check_position(c: &mut RandomMatch, game: &Game, q: usize, checked: &mut Checked) -> Result<(), Broken> {
    let Some(question) = c.machine.questions().get(q).copied() else { return Ok(()) };
    let QuestionKind::Menu(offer) = question.kind else { return Ok(()) };
    let p = c.machine.program().clone();
    let options = c.machine.options(q).cloned();
    let options = options.map_err(|f| c.to_rule_error(f))?;
    let menus = p.offers.get(offer.index()).map_or(&[][..], |o| &o.menus);
    for (menu, _) in menus {
        let Some(m) = p.menus.get(menu.index()) else { continue };
        // What an offer gives to its menu cannot be chosen: with parameters, only what the options hold is tried.
        let tuples = m.params == 0 && m.open.is_none();
        for action in &m.actions {
            let mut all: Vec<Words> = options
                .iter()
                .take(500)
                .filter_map(|o| match o {
                    Choice::Action { action: a, params } if a == *action => Some(params),
                    _ => None,
                })
                .collect();
            if tuples {
                all.extend(self::draw_tuples(c, &p, *action, &all.clone()));
            }
            for params in all {
                let choice = Choice::Action { action: *action, params: params.clone() };
                let plain = c.machine.why_not(question.player as usize, *action, &params);
                let offered = c.machine.why_not_choice(q, &choice).is_empty();
                checked.cases += 1;
                if plain.is_empty() != offered {
                    // `first of` names one of several alike things: whoever means another has that one.
                    if offered
                        && !options.iter().any(|o| o == choice)
                        && needs_first_or_last(game, &p, *action)
                    {
                        continue;
                    }
                    let wording = Wording::new(c.machine.look(), &question, &options);
                    let text = wording.choice_text(&choice);
                    let what = match plain.first() {
                        Some(r) => format!("{text} is on offer, but its guards say “{}”", r.text),
                        None => format!("the guards of {text} say nothing, but it is not on offer"),
                    };
                    return Err(c.to_broken(what));
                }
            }
        }
    }
    Ok(())
}

/// Whether a guard of an action, or the domain of a parameter, needs the first or last of something.
fn needs_first_or_last(game: &Game, p: &Program, action: ActionIx) -> bool {
    let m = game.model();
    let decl = p.actions.get(action.index()).and_then(|a| p.decls.get(a.decl.index()));
    let Some(a) = m.actions.iter().find(|a| decl.is_some_and(|d| d.span == a.span)) else { return false };
    let head = a.head.iter().map(|h| match h {
        HeadStep::Let(_, e) => e,
        HeadStep::Needs(g) | HeadStep::MustLeave(g) => &g.cond,
    });
    let mut open: Vec<&Expr> = head.chain(&a.when).chain(a.params.iter().flat_map(|p| &p.filter)).collect();
    let mut seen: BTreeSet<ValueId> = BTreeSet::new();
    let mut found = false;
    while let Some(e) = open.pop() {
        walk::visit_exprs(e, &mut |x| match &*x.kind {
            ExprKind::First { .. } => found = true,
            ExprKind::Value(v, _) if seen.insert(*v) => {
                open.extend(m.values.get(v.index()).and_then(|v| v.body.body.as_ref()));
            }
            _ => {}
        });
    }
    found
}

/// Draws tuples of parameters: all if there are few, else some by chance, near to options where there are any.
pub(super) fn draw_tuples(
    c: &mut RandomMatch,
    p: &Program,
    action: ActionIx,
    options: &[Words],
) -> Vec<Words> {
    let Some(slot) = p.actions.get(action.index()) else { return Vec::new() };
    let sizes: Vec<u64> = slot
        .params
        .iter()
        .map(|q| match q.domain {
            Domain::Thing(u) => p.universes.get(u.index()).map_or(0, |u| u64::from(u.n)),
            Domain::Number => NUMBERS,
            Domain::Subset(_) => u64::MAX,
        })
        .collect();
    let product = sizes.iter().fold(1u64, |a, n| a.saturating_mul(*n));
    if product <= c.limits.tuples as u64 {
        return (0..product)
            .map(|mut k| {
                let mut words = Words::new();
                for (q, n) in slot.params.iter().zip(&sizes) {
                    words.push(nth_value(q.domain, k % n));
                    k /= n;
                }
                words
            })
            .collect();
    }
    let mut out = Vec::new();
    for _ in 0..c.limits.tuples {
        // Half of them differ from an option in one parameter only: there the two meanings are likeliest to part.
        let near = (!options.is_empty() && c.rng.draw() & 1 == 0)
            .then(|| options.get(below(options.len() as u64, || c.rng.draw()) as usize))
            .flatten();
        let changed = below(slot.params.len().max(1) as u64, || c.rng.draw()) as usize;
        let mut words = Words::new();
        for (i, (q, n)) in slot.params.iter().zip(&sizes).enumerate() {
            let w = q.domain.words(p) as usize;
            let at = words.len();
            let kept = near.filter(|_| i != changed).and_then(|o| o.get(at..at + w));
            match (kept, q.domain) {
                (Some(kept), _) => words.extend_from_slice(kept),
                (None, Domain::Subset(u)) => {
                    let size = p.universes.get(u.index()).map_or(0, |u| u.n);
                    let from = near.and_then(|o| o.get(at..at + w)).unwrap_or(&[]);
                    let mut set = Words::from_elem(0, w);
                    set_bits(from).for_each(|b| flip_bit(&mut set, b));
                    for _ in 0..=below(3, || c.rng.draw()) {
                        flip_bit(&mut set, below(u64::from(size.max(1)), || c.rng.draw()) as usize);
                    }
                    words.extend(set);
                }
                (None, d) => {
                    let k = below(*n, || c.rng.draw());
                    words.push(nth_value(d, k));
                }
            }
        }
        out.push(words);
    }
    out
}

/// Numbers that are tried for a parameter that is one: a few below zero and above.
const NUMBERS: u64 = 24;

fn nth_value(d: Domain, k: u64) -> u64 {
    match d {
        Domain::Number => (k as i64 - 4) as u64,
        _ => k,
    }
}

fn flip_bit(set: &mut Words, bit: usize) {
    if let Some(w) = set.get_mut(bit / 64) {
        *w ^= 1 << (bit % 64);
    }
}

/// Reasons why the actions of a menu that somebody stands at cannot be taken, with arguments that are on offer and some others, in plain and in optimised code.
fn compare_reasons(a: &mut RandomMatch, b: &mut RandomMatch, q: usize) -> Result<(), Broken> {
    for (player, action, params) in draw_attempts(a, q)? {
        let here = a.machine.why_not(player, action, &params);
        let there = b.machine.why_not(player, action, &params);
        let texts = |all: &[Reason]| all.iter().map(|r| r.text.clone()).collect::<Vec<_>>();
        if texts(&here) != texts(&there) {
            let what = format!("{:?} against {:?}", texts(&here), texts(&there));
            return Err(a.to_broken(format!("plain code gives other reasons: {what}")));
        }
    }
    Ok(())
}

/// Players, actions and arguments of which the reasons are asked at a question.
pub(super) fn draw_attempts(c: &mut RandomMatch, q: usize) -> Result<Vec<(usize, ActionIx, Words)>, Broken> {
    let mut out = Vec::new();
    let Some(question) = c.machine.questions().get(q).copied() else { return Ok(out) };
    let QuestionKind::Menu(offer) = question.kind else { return Ok(out) };
    let p = c.machine.program().clone();
    let options = c.machine.options(q).cloned().map_err(|f| c.to_rule_error(f))?;
    let menus = p.offers.get(offer.index()).map_or(&[][..], |o| &o.menus);
    for m in menus.iter().filter_map(|(menu, _)| p.menus.get(menu.index())) {
        // What an offer gives to its menu cannot be chosen.
        for action in m.actions.iter().filter(|_| m.params == 0 && m.open.is_none()) {
            let offered: Vec<Words> = options
                .iter()
                .take(100)
                .filter_map(|o| match o {
                    Choice::Action { action: a, params } if a == *action => Some(params),
                    _ => None,
                })
                .collect();
            let all = draw_tuples(c, &p, *action, &offered);
            out.extend(all.into_iter().map(|params| (usize::from(question.player), *action, params)));
        }
    }
    Ok(out)
}

/// Checks that optimised code gives every seat the same bytes and the same reasons as plain code.
///
/// # Errors
/// The first difference.
pub fn check_lowering(game: &Game, setup: &Setup, limits: LawLimits) -> Result<Checked, Broken> {
    let options = LowerOptions { lift: false, passes: PassSet::NONE, ..LowerOptions::default() };
    compare_lowerings(game, &game.with_lowering(options), setup, limits)
}

/// Code that left out one pass, or that went through the passes up to one of them only, gives the same bytes as optimised code.
///
/// # Errors
/// The first difference.
pub fn check_passes(game: &Game, setup: &Setup, limits: LawLimits) -> Result<Checked, Broken> {
    let mut all = Checked::default();
    for (name, pass) in Pass::ALL {
        for passes in [PassSet::ALL.without(pass), PassSet::ALL.up_to(pass)] {
            let other = game.with_lowering(LowerOptions { passes, ..game.lowering() });
            let checked = compare_lowerings(game, &other, setup, limits);
            all.cases += checked.map_err(|b| Broken { what: format!("pass {name}: {}", b.what), ..b })?.cases;
        }
    }
    Ok(all)
}

/// Compares two ways of compiling a game: both give the same games.
fn compare_lowerings(game: &Game, plain: &Game, setup: &Setup, limits: LawLimits) -> Result<Checked, Broken> {
    let mut a = RandomMatch::new(game, setup, limits)?;
    let mut checked = Checked::default();
    // Code that is less optimised may need more words at once than there are.
    let too_many = |r: Report| r.findings.iter().all(|d| d.code == TOO_MANY_WORDS);
    if plain.lower_setup(setup).is_err_and(too_many) {
        checked.unsupported += 1;
        return Ok(checked);
    }
    let mut b = RandomMatch::new(plain, setup, limits)?;
    loop {
        checked.states += 1;
        let n = count_seats(a.machine.program());
        for seat in 0..n {
            let here = output_for(&mut a.machine, seat).map_err(|e| a.to_rule_error(e))?;
            let there = output_for(&mut b.machine, seat).map_err(|e| b.to_rule_error(e))?;
            checked.cases += 1;
            if here != there {
                return Err(a.to_broken(format!(
                    "seat {seat} sees another thing with plain code: {}",
                    first_difference(&here.to_text(), &there.to_text())
                )));
            }
        }
        let (here, there) = (read_new_log(&mut a.machine, None), read_new_log(&mut b.machine, None));
        if here != there {
            let what = first_difference(&here.join(" / "), &there.join(" / "));
            return Err(a.to_broken(format!("plain code tells another story: {what}")));
        }
        if a.machine.state().draws() != b.machine.state().draws() {
            return Err(a.to_broken("plain code draws other numbers of random numbers"));
        }
        for q in 0..a.machine.questions().len() {
            compare_reasons(&mut a, &mut b, q)?;
        }
        if !a.has_next() {
            return Ok(checked);
        }
        let q = a.pick_question();
        let choice = a.draw_choice(q)?;
        let taken = b.machine.choose(q, &choice);
        a.take_choice(q, &choice)?;
        b.step += 1;
        if let Err(e) = taken {
            return Err(a.to_broken(format!("plain code refuses {choice:?}: {e:?}")));
        }
    }
}
