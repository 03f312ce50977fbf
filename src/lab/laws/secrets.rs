//! Laws of secrets: what a seat may not know changes nothing of what it gets.
//!
//! Two worlds are made of one position: in the second, what a seat cannot know is permuted, or chance to come is another. Then the same choices are made in both,
//! and everything the seat gets is compared, byte by byte: view, who is asked, its prompts and options, why it cannot do what it cannot, its log. The rules may disclose something: a step in which
//! the seat is told something else *and* sees something else, or in which somebody says or does something else, ends the pair. A step in which the seat sees
//! something else without being told, or is told what has moved between places into which it cannot look, is a leak.
use super::course::{Broken, Checked, Course, Limits, difference, got_by, seats, words};
use super::options::tuples;
use crate::bots::{Bot, Breadth, Sight};
use crate::engine::{
    Choice, Event, EventKind, Machine, QuestionKind, SeededFault, View, below, chosen_things, in_mask,
};
use crate::play::words::{Wording, bits};
use crate::play::{Game, Setup};
use crate::program::ir::{AttrIx, AttrSlot, Place, Program, SeenBy, UniverseSort};

/// Choices that a pair of worlds is followed for.
const FOLLOWED: usize = 12;
/// Choices that are drawn again when one is legal in one world only.
const AGAIN: usize = 6;

/// Two worlds that differ only in what a seat may not know give that seat the same bytes.
///
/// # Errors
/// The first leak.
pub fn worlds(game: &Game, setup: &Setup, limits: Limits) -> Result<Checked, Broken> {
    worlds_with(game, setup, limits, None)
}

/// The same with a leak put in on purpose, to show that the law finds it.
///
/// # Errors
/// The first leak.
#[doc(hidden)]
pub fn worlds_with(
    game: &Game,
    setup: &Setup,
    limits: Limits,
    fault: Option<SeededFault>,
) -> Result<Checked, Broken> {
    let mut c = Course::new(game, setup, limits)?;
    c.machine.seed_fault(fault);
    let mut checked = Checked::default();
    let mut a = game.machine(c.machine.program().clone(), 0);
    let mut b = game.machine(c.machine.program().clone(), 0);
    a.seed_fault(fault);
    b.seed_fault(fault);
    while c.goes_on() {
        for seat in 0..seats(c.machine.program()) {
            hidden_has_no_name(&c, &c.machine.state().clone(), &mut a, seat)?;
            for chance in [false, true] {
                a.set_state(c.machine.state());
                b.set_state(c.machine.state());
                b.swap_hidden(seat, &mut c.rng);
                if chance {
                    // Chance to come is another, too.
                    let seed = c.rng.draw();
                    b.reseed(seed);
                }
                follow(&mut c, &mut a, &mut b, seat, &mut checked)?;
            }
        }
        c.machine.take_events();
        c.go()?;
        shuffled_is_unknown(&mut c)?;
    }
    Ok(checked)
}

/// Who does not see into what was shuffled in the last step knows nothing there but what has come there since, or was shown.
fn shuffled_is_unknown(c: &mut Course) -> Result<(), Broken> {
    let p = c.machine.program().clone();
    let log: Vec<(EventKind, String)> =
        c.machine.take_events().iter().map(|e| (e.kind.clone(), e.text(None).unwrap_or_default())).collect();
    for seat in 0..seats(&p) {
        let view = c.machine.view(seat);
        for pile in piles(&view) {
            let Some(place) = p.places.get(usize::from(pile.place)).filter(|pl| !sees(&p, pl, seat)) else {
                continue;
            };
            let name = crate::engine::place_title(&p, usize::from(pile.place));
            let shuffled = format!("{name} is ");
            let last = log.iter().rposition(|(k, t)| *k == EventKind::Shuffled && t.starts_with(&shuffled));
            let Some(last) = last.filter(|_| place.zone != u16::MAX) else { continue };
            if log.iter().skip(last).any(|(kind, _)| *kind == EventKind::Shown) {
                continue;
            }
            let came = log.iter().skip(last).filter(|(_, t)| t.contains(&format!("→ {name}"))).count();
            if pile.cards.len() - pile.hidden > came {
                return Err(
                    c.broken(format!("seat {seat} still knows what lies in {name}, which was shuffled"))
                );
            }
        }
    }
    Ok(())
}

/// A hidden component has neither number nor attributes in a view, but those of its back, and hidden ones tell nothing by their order.
fn hidden_has_no_name(
    c: &Course,
    state: &crate::engine::State,
    m: &mut Machine,
    seat: usize,
) -> Result<(), Broken> {
    m.set_state(state);
    let v = m.view(seat);
    let p = c.machine.program();
    for pile in piles(&v) {
        let mut hidden = false;
        for card in &pile.cards {
            let of_back = |name: &str| {
                let own = |a: &AttrSlot| {
                    a.of.is_some_and(|u| p.universes.get(u.index()).is_some_and(|u| u.name == card.kind))
                };
                p.attrs.iter().any(|a| a.back && &*a.name == name && own(a))
            };
            if card.face.is_none()
                && (card.face_number.is_some()
                    || card.side.is_some()
                    || card.attrs.iter().any(|a| !of_back(&a.name)))
            {
                return Err(c.broken(format!(
                    "seat {seat} cannot see a card in {}, but can tell which it is",
                    pile.zone
                )));
            }
            if !pile.ordered && hidden && card.face.is_some() {
                return Err(
                    c.broken(format!("hidden cards in {} show seat {seat} where they lie", pile.zone))
                );
            }
            hidden |= card.face.is_none();
        }
    }
    Ok(())
}

fn piles(v: &View) -> impl Iterator<Item = &crate::engine::Pile> {
    std::iter::once(&v.table)
        .chain(&v.players)
        .chain(&v.others)
        .chain(v.maps.iter().flat_map(|m| &m.spaces))
        .flat_map(|h| &h.piles)
}

fn follow(
    c: &mut Course,
    a: &mut Machine,
    b: &mut Machine,
    seat: usize,
    checked: &mut Checked,
) -> Result<(), Broken> {
    a.record(true);
    b.record(true);
    a.take_events();
    b.take_events();
    for step in 0..FOLLOWED {
        checked.states += 1;
        checked.cases += 1;
        let (here, there) =
            (got_by(a, seat).map_err(|e| c.broken(e))?, got_by(b, seat).map_err(|e| c.broken(e))?);
        let (log_a, log_b) = (a.take_events(), b.take_events());
        let same_view = here == there;
        let told = |log: &[Event]| log.iter().filter_map(|e| e.text(Some(seat))).collect::<Vec<_>>();
        let same_log = told(&log_a) == told(&log_b);
        match (same_view, same_log) {
            (true, true) => {}
            // Chance was disclosed where the seat looks on: the two worlds go on with other draws.
            (false, true) if shuffled_in_the_open(c.machine.program(), &log_a, seat) => return Ok(()),
            // So was a die that reads as it did.
            (false, true)
                if log_a.iter().any(|e| e.kind == EventKind::Shown && e.text(Some(seat)).is_some()) =>
            {
                return Ok(());
            }
            (false, true) => {
                let what = difference(&here.bytes(), &there.bytes());
                return Err(
                    c.broken(format!("seat {seat} sees what it may not know, {step} choices on: {what}"))
                );
            }
            (true, false) => {
                return match first_difference(&log_a, &log_b, seat) {
                    Some((Some(EventKind::Moved), text))
                        if !in_the_open(c.machine.program(), &text, seat) =>
                    {
                        Err(c.broken(format!("the log tells seat {seat} what it may not know: {text}")))
                    }
                    _ => Ok(()),
                };
            }
            (false, false) => {
                // One world waits for somebody who was not asked in the other, though up to there both told the same: silence would tell.
                let (x, y) = (told(&log_a), told(&log_b));
                let (short, waits) = if x.len() < y.len() { (&x, &*a) } else { (&y, &*b) };
                let prefix = x.len() != y.len() && x.iter().zip(&y).all(|(x, y)| x == y);
                if prefix && let Some(q) = waits.questions().first() {
                    let who = q.player;
                    return Err(c.broken(format!(
                        "seat {seat} can tell by whether player {who} is asked, after {} events: {}",
                        short.len(),
                        difference(&here.bytes(), &there.bytes())
                    )));
                }
                // Something was disclosed.
                return Ok(());
            }
        }
        if a.is_over() || b.is_over() || a.questions().is_empty() {
            return Ok(());
        }
        if step == 0 {
            same_reasons(c, a, b, seat)?;
        }
        match both_choose(c, a, b, seat)? {
            Taken::Both(again) => checked.redrawn += again,
            Taken::Apart(again) => {
                checked.redrawn += again;
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Whatever the seat asks for that it cannot do, both worlds give it the same reasons.
fn same_reasons(c: &mut Course, a: &mut Machine, b: &mut Machine, seat: usize) -> Result<(), Broken> {
    let p = c.machine.program().clone();
    for question in a.questions().to_vec() {
        let QuestionKind::Menu(offer) = question.kind else { continue };
        if !in_mask(question.seats, seat) {
            continue;
        }
        let menus = p.offers.get(offer.index()).map_or(&[][..], |o| &o.menus);
        let actions = menus.iter().filter_map(|(m, _)| p.menus.get(m.index())).filter(|m| m.params == 0);
        for action in actions.flat_map(|m| &m.actions) {
            for params in tuples(c, &p, *action, &[]) {
                let player = usize::from(question.player);
                let (here, there) =
                    (a.why_not(player, *action, &params), b.why_not(player, *action, &params));
                if here != there {
                    let name = p.actions.get(action.index()).map_or("", |a| &a.name);
                    return Err(c.broken(format!(
                        "seat {seat} is told other reasons against {name}: {here:?} against {there:?}"
                    )));
                }
            }
        }
    }
    Ok(())
}

/// Whether an event told of a move from or to a place into which the seat may look: then its face was open, if only in passing.
fn in_the_open(p: &Program, text: &str, seat: usize) -> bool {
    p.places.iter().enumerate().any(|(i, place)| {
        let name = crate::engine::place_title(p, i);
        let there = text.contains(&format!(": {name} →")) || text.contains(&format!("→ {name}”"));
        there && sees(p, place, seat)
    })
}

/// Whether something was shuffled where the seat sees what lies there, or what stands on its back.
fn shuffled_in_the_open(p: &Program, log: &[Event], seat: usize) -> bool {
    let texts: Vec<String> =
        log.iter().filter(|e| e.kind == EventKind::Shuffled).filter_map(|e| e.text(Some(seat))).collect();
    !texts.is_empty()
        && p.places.iter().enumerate().any(|(i, place)| {
            let name = crate::engine::place_title(p, i);
            let marked = p.comps.get(usize::from(place.comps)).is_some_and(|c| {
                let several = c.backs.iter().any(|b| Some(b) != c.backs.first());
                several || p.attrs.iter().any(|a| a.back && a.of == Some(c.universe))
            });
            (marked || sees(p, place, seat)) && texts.iter().any(|t| t.starts_with(&format!("{name} is ")))
        })
}

/// Whether a seat sees what lies at a place, as far as the place alone says.
fn sees(p: &Program, place: &Place, seat: usize) -> bool {
    let Some(zone) = p.zones.get(place.zone as usize) else { return false };
    let holder = usize::try_from(place.holder).ok().and_then(|h| p.answered.get(h)).copied().unwrap_or(0);
    match zone.seen {
        SeenBy::All => true,
        SeenBy::Owner => in_mask(holder, seat),
        SeenBy::Nobody => false,
        // Worked out from the state: not judged here.
        SeenBy::Func(_) => true,
    }
}

/// The first events in which two logs differ: their kind, if it is the same.
fn first_difference(a: &[Event], b: &[Event], seat: usize) -> Option<(Option<EventKind>, String)> {
    let text = |log: &[Event]| -> Vec<(EventKind, String)> {
        log.iter().filter_map(|e| e.text(Some(seat)).map(|t| (e.kind.clone(), t))).collect()
    };
    let (a, b) = (text(a), text(b));
    let n = a.iter().zip(&b).take_while(|(x, y)| x.1 == y.1).count();
    match (a.get(n), b.get(n)) {
        (Some((k, x)), Some((l, y))) => Some(((k == l).then(|| k.clone()), format!("“{x}” against “{y}”"))),
        (Some((_, x)), None) | (None, Some((_, x))) => Some((None, format!("“{x}” in one world only"))),
        (None, None) => None,
    }
}

enum Taken {
    /// In both worlds, after so many redraws.
    Both(u64),
    /// No choice was legal in both.
    Apart(u64),
}

/// The same choice in both worlds. What the seat itself may choose must be the same in both; what others may need not be.
fn both_choose(c: &mut Course, a: &mut Machine, b: &mut Machine, seat: usize) -> Result<Taken, Broken> {
    let mut redrawn = 0;
    for _ in 0..AGAIN {
        let n = a.questions().len() as u64;
        let q = below(n, || c.rng.draw()) as usize;
        let Some(question) = a.questions().get(q).copied() else { break };
        let Some(r) =
            b.questions().iter().position(|x| x.player == question.player && x.kind == question.kind)
        else {
            redrawn += 1;
            continue;
        };
        let drawn = a.draw(q, &mut c.rng).map_err(|f| c.broken(format!("the rules fail: {f}")))?;
        let Some(choice) = drawn else { break };
        let options = a.options(q).cloned().map_err(|f| c.broken(format!("the rules fail: {f}")))?;
        let said = words(a, &question, &options, &choice);
        let own = in_mask(question.seats, seat);
        let Some(same) = said_in(b, r, &said) else {
            if own {
                return Err(c.broken(format!("seat {seat} may choose {said} in one world only")));
            }
            redrawn += 1;
            continue;
        };
        // Of two things that read alike for who chooses, this seat may know one and not the other, or see another back: then the two worlds go on with different acts, which is no leak.
        if !own && known_of(a, &choice, question.kind, seat) != known_of(b, &same, question.kind, seat) {
            redrawn += 1;
            continue;
        }
        let (kept_a, kept_b) = (a.state().clone(), b.state().clone());
        if a.choose(q, &choice).is_ok() && b.choose(r, &same).is_ok() {
            return Ok(Taken::Both(redrawn));
        }
        // A rule that fails in one of them is no leak; another choice is tried from the same position.
        a.set_state(&kept_a);
        b.set_state(&kept_b);
        redrawn += 1;
    }
    Ok(Taken::Apart(redrawn))
}

/// Of the components in a choice, in order: whether a seat knows their faces, and what stands on their backs.
fn known_of(m: &Machine, choice: &Choice, kind: QuestionKind, seat: usize) -> Vec<(bool, Vec<Option<i64>>)> {
    let p = m.program();
    let of = match kind {
        QuestionKind::One(_, u) | QuestionKind::Subset(_, u) => Some(u),
        _ => None,
    };
    let mut out = Vec::new();
    for (u, things) in chosen_things(p, choice, of) {
        if let Some(UniverseSort::Components(ci)) = p.universes.get(u.index()).map(|u| &u.sort) {
            let of_back = |c: usize| {
                let all = p.attrs.iter().enumerate().filter(|(_, a)| a.back && a.of == Some(u));
                all.map(|(k, _)| m.look().attr(AttrIx(k as u16), c)).collect()
            };
            out.extend(bits(&things).map(|c| (m.look().knows(seat, usize::from(*ci), c), of_back(c))));
        }
    }
    out
}

/// A choice by its words, if it is an option.
fn said_in(m: &mut Machine, q: usize, said: &str) -> Option<Choice> {
    let question = m.questions().get(q).copied()?;
    let options = m.options(q).cloned().ok()?;
    let wording = Wording::new(m.look(), &question, &options);
    wording.parse(said).ok().filter(|c| options.index_of(c).is_some())
}

/// The greedy bot's choice does not change when what it may not know is permuted.
///
/// # Errors
/// The first choice that does.
pub fn greedy_is_fair(game: &Game, setup: &Setup, limits: Limits) -> Result<Checked, Broken> {
    is_fair(game, setup, limits, Bot::Greedy)
}

/// The same of the bot that plans.
///
/// # Errors
/// The first choice in which it shows that it knows more.
pub fn beam_is_fair(game: &Game, setup: &Setup, limits: Limits) -> Result<Checked, Broken> {
    is_fair(game, setup, limits, Bot::Beam(Breadth { width: 4, turns: 2, nodes: 200 }))
}

fn is_fair(game: &Game, setup: &Setup, limits: Limits, bot: Bot) -> Result<Checked, Broken> {
    let mut c = Course::new(game, setup, limits)?;
    let mut b = game.machine(c.machine.program().clone(), 0);
    let hooks = game.hooks(c.machine.program());
    let mut checked = Checked::default();
    while c.goes_on() {
        let q = c.question();
        let seat = c.machine.questions().get(q).map_or(0, |q| q.seats.trailing_zeros() as usize);
        let seed = c.rng.draw();
        b.set_state(c.machine.state());
        b.swap_hidden(seat, &mut c.rng);
        let choose = |m: &mut Machine| -> Option<String> {
            let choice = bot.policy(seed).choose(&mut Sight::new(m, hooks.clone(), seat, q)?).ok()??;
            let question = m.questions().get(q).copied()?;
            let options = m.options(q).cloned().ok()?;
            Some(words(m, &question, &options, &choice))
        };
        let (here, there) = (choose(&mut c.machine), choose(&mut b));
        checked.cases += 1;
        if here != there {
            return Err(c.broken(format!("it chooses {here:?}, and {there:?} where only secrets differ")));
        }
        c.go()?;
    }
    Ok(checked)
}
