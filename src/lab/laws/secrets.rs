//! Laws about secrets (non-interference): what a seat may not know changes nothing of what it is shown.
//!
//! Two worlds are made of one position: in the second, what a seat cannot know is permuted, or chance to come is another. Then the same choices are made in both,
//! and everything the seat gets is compared, byte by byte: view, who is asked, its prompts and options and which things those mean, why it cannot do what it cannot, what is said of words that
//! mean nothing, its log, whether it may take its choice back, what it gets when it has, and where and why the rules fail. Where somebody else's answer is written down hidden, the second world has another answer.
//!
//! The rules may disclose something: a step in which the seat sees something else and is told something else ends the pair, unless the line of a choice is all that tells
//! it. Where the seat sees the same, only a line that discloses something by itself ends it ([`super::disclosure`]). All else is a leak.
use super::disclosure::{
    Differ, ToldLine, compare_logs, find_open_shuffle, find_revealing, is_shuffled_under_things,
};
use super::knowledge::{
    check_hidden_has_no_name, check_mixed_is_unknown, is_drawn_from_known_pile, list_known_piles,
};
use super::options::draw_tuples;
use super::random_match::{
    Broken, Channel, Checked, Got, LawLimits, RandomMatch, choice_text, count_seats, first_difference,
    output_for,
};
use houserule_bots::{Bot, Breadth, Sight};
use houserule_engine::{
    Chanced, Choice, Event, EventKind, Machine, Question, QuestionKind, Refusal, SeededFault, State, below,
    chosen_things, in_mask, value_text,
};
use houserule_play::words::{Wording, set_bits};
use houserule_play::{Game, Setup, fault_finding, is_uncovering};
use houserule_program::ir::{AttrIx, Domain, Show, UniverseId, UniverseSort};
use houserule_text::Span;

/// Choices that a pair of worlds is followed for.
const FOLLOWED: usize = 12;
/// Choices that are drawn again when one is legal in one world only.
const AGAIN: usize = 6;
/// Components whose names are tried as answers.
const NAMES: usize = 4;

/// What the comparison of worlds has found in one match.
#[derive(Clone, Debug, Default)]
pub struct WorldsCompared {
    /// What was looked at.
    pub checked: Checked,
    /// What the rules told a seat that it did not know.
    pub disclosures: Vec<Disclosure>,
    /// What ended the match too early: a leak, or an error of the rules.
    pub broken: Option<Broken>,
}

/// A step in which the rules tell a seat something that it did not know: no leak, as rules may.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Disclosure {
    /// Who is told.
    pub seat: usize,
    /// By what kind of event.
    pub kind: EventKind,
    /// The line of its log.
    pub text: String,
    /// The rule that tells it.
    pub at: Span,
    /// How many seats read the whole line; 0: no single line tells it.
    pub readers: usize,
}

/// How many seats read an event with everything in it.
fn count_readers(e: &Event, seats: usize) -> usize {
    let whole = e.text(None);
    (0..seats).filter(|s| in_mask(e.seats, *s) && e.text(Some(*s)) == whole).count()
}

/// Checks that two worlds that differ only in what a seat may not know give that seat the same bytes (non-interference).
///
/// # Errors
/// The first leak.
pub fn check_worlds(game: &Game, setup: &Setup, limits: LawLimits) -> Result<Checked, Broken> {
    check_worlds_with(game, setup, limits, None)
}

/// Checks the law with a seeded leak in the engine, to show that the law finds it.
///
/// # Errors
/// The first leak.
#[doc(hidden)]
pub fn check_worlds_with(
    game: &Game,
    setup: &Setup,
    limits: LawLimits,
    fault: Option<SeededFault>,
) -> Result<Checked, Broken> {
    let mut out = WorldsCompared::default();
    compare_match(game, setup, limits, fault, &mut out)?;
    Ok(out.checked)
}

/// Compares the worlds of one random match, and lists what the rules tell. `fault`: a leak that is put into the engine, to show that it is found.
pub fn compare_worlds(
    game: &Game,
    setup: &Setup,
    limits: LawLimits,
    fault: Option<SeededFault>,
) -> WorldsCompared {
    let mut out = WorldsCompared::default();
    out.broken = compare_match(game, setup, limits, fault, &mut out).err();
    out
}

fn compare_match(
    game: &Game,
    setup: &Setup,
    limits: LawLimits,
    fault: Option<SeededFault>,
    out: &mut WorldsCompared,
) -> Result<(), Broken> {
    let mut c = RandomMatch::new(game, setup, limits)?;
    c.machine.seed_fault(fault);
    let mut a = game.make_machine(c.machine.program().clone(), 0);
    let mut b = game.make_machine(c.machine.program().clone(), 0);
    a.seed_fault(fault);
    b.seed_fault(fault);
    while c.has_next() {
        for seat in 0..count_seats(c.machine.program()) {
            check_hidden_has_no_name(&c, &c.machine.state().clone(), &mut a, seat)?;
            for chance in [false, true] {
                a.set_state(c.machine.state());
                b.set_state(c.machine.state());
                b.swap_hidden(seat, &mut c.rng);
                if chance {
                    // Chance to come is another, too.
                    let seed = c.rng.draw();
                    b.reseed(seed);
                }
                follow_worlds(&mut c, game, (&mut a, &mut b), seat, chance, out)?;
            }
        }
        c.machine.take_events();
        let before = c.machine.state().clone();
        c.advance()?;
        check_mixed_is_unknown(&mut c, &before)?;
    }
    Ok(())
}

/// `chance`: the chance to come is another, too.
fn follow_worlds(
    c: &mut RandomMatch,
    game: &Game,
    (a, b): (&mut Machine, &mut Machine),
    seat: usize,
    chance: bool,
    out: &mut WorldsCompared,
) -> Result<(), Broken> {
    // What chance tells was nobody's secret.
    let secret = !chance;
    let seats = count_seats(c.machine.program());
    let mut disclose = |line: ToldLine, log_a: &[Event], log_b: &[Event]| {
        let ToldLine { kind, text, span } = line;
        if secret {
            let of = |e: &&Event| e.span == span && e.text(Some(seat)).as_ref() == Some(&text);
            let readers = log_a.iter().chain(log_b).find(of).map_or(0, |e| count_readers(e, seats));
            out.disclosures.push(Disclosure { seat, kind, text, at: span, readers });
        }
    };
    let checked = &mut out.checked;
    // The rule at which the last choice was made.
    let mut asked_at = None;
    a.record(true);
    b.record(true);
    a.take_events();
    b.take_events();
    a.log_chance(true);
    b.log_chance(true);
    let mut may_undo = (false, false);
    let mut otherwise = false;
    // Whether chance has told, in the one world or the other, which of the cards that all see lies where.
    let mut shuffled = false;
    let mut piles = list_known_piles(a, seat);
    for step in 0..FOLLOWED {
        checked.states += 1;
        checked.cases += 1;
        let (here, there) = (
            output_for(a, seat).map_err(|e| c.to_rule_error(e))?,
            output_for(b, seat).map_err(|e| c.to_rule_error(e))?,
        );
        let (log_a, log_b) = (a.take_events(), b.take_events());
        let drawn = has_drawn_components(a) | has_drawn_components(b);
        let chance = chance || drawn;
        let same_view = here == there;
        let in_the_open = find_open_shuffle(c.machine.program(), &log_a, seat).is_some();
        let under_things = is_shuffled_under_things(c.machine.program(), &log_a, seat);
        shuffled |= chance && (in_the_open || under_things);
        let told = |log: &[Event]| log.iter().filter_map(|e| e.text(Some(seat))).collect::<Vec<_>>();
        let same_log = told(&log_a) == told(&log_b);
        let revealing = || find_revealing(c.machine.program(), &log_a, seat, otherwise || chance);
        let logs = || compare_logs(c.machine.program(), &log_a, &log_b, seat, chance);
        match (same_view, same_log) {
            (true, true) if may_undo.0 != may_undo.1 && !game.has_hidden_lots() => {
                let what = format!("seat {seat} may take its choice back in one world only");
                return Err(c.to_leak(Channel::Undo, asked_at, what));
            }
            (true, true) => {}
            // Chance was disclosed where the seat looks on: the two worlds go on with other draws.
            (false, true) if shuffled || in_the_open => return Ok(()),
            (false, true) if chance && is_drawn_from_known_pile(a, &log_a, &piles, seat) => {
                return Ok(());
            }
            (false, true) => {
                // So was a die that reads as it did, or a card on which something else was written, or another of two that read alike was drawn.
                if let Some(line) = revealing() {
                    disclose(line, &log_a, &log_b);
                    return Ok(());
                }
                let what = first_difference(&here.to_text(), &there.to_text());
                let what = format!("seat {seat} sees what it may not know, {step} choices on: {what}");
                let (channel, at) = find_cause((a, &here, &log_a), (b, &there, &log_b), asked_at);
                return Err(c.to_leak(channel, at, what));
            }
            (true, false) => {
                return match logs() {
                    Differ::Disclosed(line) => {
                        disclose(line, &log_a, &log_b);
                        Ok(())
                    }
                    Differ::Changed(line) | Differ::Chosen(line) => {
                        let what = format!("the log tells seat {seat} what it may not know: {}", line.text);
                        Err(c.to_leak(Channel::Log, Some(line.span), what))
                    }
                };
            }
            (false, false) => {
                // One world waits for somebody who was not asked in the other, though up to there both told the same: silence would tell.
                let (x, y) = (told(&log_a), told(&log_b));
                let (short, waits, goes_on) = if x.len() < y.len() { (&x, &*a, &*b) } else { (&y, &*b, &*a) };
                // That the game ends, everybody is to know.
                let long = if x.len() < y.len() { &log_b } else { &log_a };
                let next = long.iter().filter(|e| e.text(Some(seat)).is_some()).nth(short.len());
                let ends = next.is_some_and(|e| matches!(e.kind, EventKind::Verdict(_)));
                let prefix = !ends && x.len() != y.len() && x.iter().zip(&y).all(|(x, y)| x == y);
                // Chance may ask as it likes. Where it brings no change in one of them, both ask the same.
                let asked =
                    |m: &Machine| m.questions().iter().map(|q| (q.player, q.kind)).collect::<Vec<_>>();
                if prefix
                    && !chance
                    && asked(waits) != asked(goes_on)
                    && let Some(q) = waits.questions().first()
                {
                    let what = format!(
                        "seat {seat} can tell by whether player {} is asked, after {} events: {}",
                        q.player,
                        short.len(),
                        first_difference(&here.to_text(), &there.to_text())
                    );
                    return Err(c.to_leak(Channel::Questions, Some(q.span), what));
                }
                return match logs() {
                    Differ::Chosen(line) => {
                        let difference = first_difference(&here.to_text(), &there.to_text());
                        let what = format!(
                            "seat {seat} sees what only the line of a choice tells: {}: {difference}",
                            line.text
                        );
                        Err(c.to_leak(Channel::View, Some(line.span), what))
                    }
                    Differ::Disclosed(line) | Differ::Changed(line) => {
                        disclose(line, &log_a, &log_b);
                        Ok(())
                    }
                };
            }
        }
        if a.is_over() || b.is_over() || a.questions().is_empty() {
            return Ok(());
        }
        if step == 0 {
            check_same_reasons(c, a, b, seat)?;
            check_same_things(c, a, b, seat)?;
            check_same_words(c, a, b, seat)?;
        }
        piles = list_known_piles(a, seat);
        match choose_in_both(c, a, b, seat)? {
            JointChoice::Both(again, before, other, at) => {
                asked_at = Some(at);
                checked.redrawn += again;
                otherwise |= other;
                if let Some(before) = before {
                    let (x, y) = &*before;
                    may_undo =
                        (is_uncovering(a.program(), x, a.state()), is_uncovering(b.program(), y, b.state()));
                    if step == 0 {
                        check_undo_in_worlds(c, (&mut *a, x), (&mut *b, y), seat)?;
                    }
                }
            }
            JointChoice::Apart(again) => {
                checked.redrawn += again;
                return Ok(());
            }
        }
    }
    Ok(())
}

/// A world, what a seat gets in it, and what happened in the last step.
type World<'w> = (&'w mut Machine, &'w Got, &'w [Event]);

/// Where two worlds differ first for a seat whose log tells nothing, and the rule that causes it. `asked`: where the last choice was made.
fn find_cause(
    (a, here, log_a): World<'_>,
    (b, there, log_b): World<'_>,
    asked: Option<Span>,
) -> (Channel, Option<Span>) {
    let (channel, question) = here.find_difference(there);
    let at = match (channel, question) {
        (Channel::Options, Some(q)) => {
            find_one_sided_option(a, b, q).or_else(|| a.questions().get(q).map(|q| q.span))
        }
        (_, Some(q)) => a.questions().get(q).or(b.questions().get(q)).map(|q| q.span),
        // What happened in one world only, or what happened last.
        (_, None) => {
            let differ = log_a.iter().zip(log_b).find(|(x, y)| x.text(None) != y.text(None));
            let last = || log_a.get(log_b.len()).or(log_b.get(log_a.len())).or(log_a.last());
            differ.map(|(x, _)| x).or_else(last).map(|e| e.span).or(asked)
        }
    };
    (channel, at)
}

/// The rule that forbids in one world what is offered in the other.
fn find_one_sided_option(a: &mut Machine, b: &mut Machine, q: usize) -> Option<Span> {
    let list = |m: &mut Machine| -> Option<Vec<(String, Choice)>> {
        let question = m.questions().get(q).copied()?;
        let options = m.options(q).cloned().ok()?;
        Some(options.iter().take(300).map(|c| (choice_text(m, &question, &options, &c), c)).collect())
    };
    let (here, there) = (list(a)?, list(b)?);
    let missing = |from: &[(String, Choice)], of: &[(String, Choice)]| {
        of.iter().find(|(said, _)| from.iter().all(|(other, _)| other != said)).map(|(_, c)| c.clone())
    };
    match missing(&there, &here) {
        Some(choice) => find_refusing_rule(b, q, &choice),
        None => find_refusing_rule(a, q, &missing(&here, &there)?),
    }
}

/// The rule that forbids a choice.
fn find_refusing_rule(m: &mut Machine, q: usize, choice: &Choice) -> Option<Span> {
    m.why_not_choice(q, choice).into_iter().map(|r| r.span).find(|s| *s != Span::default())
}

/// Whether chance has drawn components since this was last asked. It draws by their numbers, which differ in two worlds: so the draws may differ, too, as if chance were another.
fn has_drawn_components(m: &mut Machine) -> bool {
    let drawn = m.take_chance();
    let component = |u: &UniverseId| {
        let universe = m.program().universes.get(u.index());
        universe.is_some_and(|u| matches!(u.sort, UniverseSort::Components(_)))
    };
    drawn.iter().any(|x| matches!(x, Chanced::Drawn { of, .. } if component(of)))
}

/// Checks that both worlds give the seat the same reasons for what it cannot do.
fn check_same_reasons(
    c: &mut RandomMatch,
    a: &mut Machine,
    b: &mut Machine,
    seat: usize,
) -> Result<(), Broken> {
    let p = c.machine.program().clone();
    for question in a.questions().to_vec() {
        let QuestionKind::Menu(offer) = question.kind else { continue };
        if !in_mask(question.seats, seat) {
            continue;
        }
        let menus = p.offers.get(offer.index()).map_or(&[][..], |o| &o.menus);
        let actions = menus.iter().filter_map(|(m, _)| p.menus.get(m.index())).filter(|m| m.params == 0);
        for action in actions.flat_map(|m| &m.actions) {
            for params in draw_tuples(c, &p, *action, &[]) {
                let player = usize::from(question.player);
                let (here, there) =
                    (a.why_not(player, *action, &params), b.why_not(player, *action, &params));
                if here != there {
                    let name = p.actions.get(action.index()).map_or("", |a| &a.name);
                    let at = here.iter().zip(&there).find(|(x, y)| x != y).map(|(x, _)| x.span);
                    let at = at.or_else(|| here.first().or(there.first()).map(|r| r.span));
                    let what = format!(
                        "seat {seat} is told other reasons against {name}: {here:?} against {there:?}"
                    );
                    return Err(c.to_leak(Channel::Reasons, at, what));
                }
            }
        }
    }
    Ok(())
}

/// Checks that the seat is offered the same things in the same order in both worlds, also where they read alike.
fn check_same_things(c: &RandomMatch, a: &mut Machine, b: &mut Machine, seat: usize) -> Result<(), Broken> {
    let things = |m: &mut Machine, q: usize, question: &Question| -> Result<Vec<_>, Broken> {
        let options = m.options(q).cloned().map_err(|f| c.to_rule_error(f))?;
        let of = universe_of(question.kind);
        Ok(options.iter().take(300).map(|choice| chosen_things(m.program(), &choice, of)).collect())
    };
    for (q, question) in a.questions().to_vec().iter().enumerate() {
        if in_mask(question.seats, seat) && things(a, q, question)? != things(b, q, question)? {
            let what = format!("what seat {seat} is offered stands for other things");
            return Err(c.to_leak(Channel::Options, Some(question.span), what));
        }
    }
    Ok(())
}

/// Checks that what a seat types is understood, refused and explained alike in both worlds, including the names of things that it does not know.
fn check_same_words(
    c: &mut RandomMatch,
    a: &mut Machine,
    b: &mut Machine,
    seat: usize,
) -> Result<(), Broken> {
    for (q, question) in a.questions().to_vec().iter().enumerate() {
        if !in_mask(question.seats, seat) {
            continue;
        }
        for said in names_to_try(c, a, question) {
            let heard = |m: &mut Machine| {
                let options = m.options(q).cloned().map_err(|f| f.to_string())?;
                let wording = Wording { seat: Some(seat), ..Wording::new(m.look(), question, &options) };
                let choice = wording.parse_choice(&said).map_err(|e| e.to_string())?;
                match options.index_of(&choice) {
                    Some(_) => Ok(Vec::new()),
                    None => Ok(m.why_not_choice(q, &choice).into_iter().map(|r| r.text).collect()),
                }
            };
            let (here, there): (Result<Vec<String>, String>, _) = (heard(a), heard(b));
            if here != there {
                let what =
                    format!("seat {seat} says {said} and is told other things: {here:?} against {there:?}");
                return Err(c.to_leak(Channel::Reasons, Some(question.span), what));
            }
        }
    }
    Ok(())
}

/// Some components by their names, as answers to a question: hidden ones, too.
fn names_to_try(c: &mut RandomMatch, m: &Machine, question: &Question) -> Vec<String> {
    let p = m.program();
    let mut out = Vec::new();
    let mut name = |u: UniverseId, around: &dyn Fn(String) -> String| {
        let Some(universe) = p.universes.get(u.index()) else { return };
        if !matches!(universe.sort, UniverseSort::Components(_)) || universe.n == 0 {
            return;
        }
        for _ in 0..NAMES {
            let thing = below(u64::from(universe.n), || c.rng.draw());
            out.push(around(value_text(m.look(), Show::Thing(u), &[thing], None, false)));
        }
    };
    match question.kind {
        QuestionKind::One(_, u) => name(u, &|x| x),
        QuestionKind::Subset(_, u) => name(u, &|x| format!("{{{x}}}")),
        QuestionKind::Truth(_) => {}
        QuestionKind::Menu(offer) => {
            let menus = p.offers.get(offer.index()).map_or(&[][..], |o| &o.menus);
            let actions = menus.iter().filter_map(|(m, _)| p.menus.get(m.index())).flat_map(|m| &m.actions);
            for action in actions.filter_map(|a| p.actions.get(a.index())) {
                if let [param] = action.params.as_slice()
                    && let Domain::Thing(u) = param.domain
                {
                    name(u, &|x| format!("{}({x})", action.name));
                }
            }
        }
    }
    out
}

/// Checks that a seat gets the same in both worlds after it has taken its choice back.
fn check_undo_in_worlds(
    c: &RandomMatch,
    (a, before_a): (&mut Machine, &State),
    (b, before_b): (&mut Machine, &State),
    seat: usize,
) -> Result<(), Broken> {
    let back = |m: &mut Machine, before: &State| {
        let after = m.state().clone();
        m.set_state(before);
        let got = output_for(m, seat).map_err(|e| c.to_rule_error(e));
        m.set_state(&after);
        got
    };
    let (here, there) = (back(a, before_a)?, back(b, before_b)?);
    if here == there {
        return Ok(());
    }
    let what = first_difference(&here.to_text(), &there.to_text());
    let what = format!("seat {seat} sees what it may not know when it takes its choice back: {what}");
    Err(c.to_leak(Channel::Undo, None, what))
}

enum JointChoice {
    /// In both worlds, after so many redraws; the positions before it, if the seat itself has chosen; whether somebody's sealed answer is another; where it was asked.
    Both(u64, Option<Box<(State, State)>>, bool, Span),
    /// No choice was legal in both.
    Apart(u64),
}

/// The same choice in both worlds. What the seat itself may choose must be the same in both; what others may need not be.
fn choose_in_both(
    c: &mut RandomMatch,
    a: &mut Machine,
    b: &mut Machine,
    seat: usize,
) -> Result<JointChoice, Broken> {
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
        let drawn = a.draw(q, &mut c.rng).map_err(|f| c.to_rule_error(f))?;
        let Some(choice) = drawn else { break };
        let options = a.options(q).cloned().map_err(|f| c.to_rule_error(f))?;
        let said = choice_text(a, &question, &options, &choice);
        let own = in_mask(question.seats, seat);
        let Some(mut same) = find_choice(b, r, &said) else {
            if own {
                let at = find_refusing_rule(b, r, &choice).or(Some(question.span));
                let what = format!("seat {seat} may choose {said} in one world only");
                return Err(c.to_leak(Channel::Options, at, what));
            }
            redrawn += 1;
            continue;
        };
        let sealed = if own { None } else { find_other_sealed_answer(c, b, r, &same) };
        let otherwise = sealed.is_some();
        same = sealed.unwrap_or(same);
        // Of two things that read alike for who chooses, this seat may know one and not the other, or see another back: then the two worlds go on with different acts, which is no leak.
        if !own && list_known(a, &choice, question.kind, seat) != list_known(b, &same, question.kind, seat) {
            redrawn += 1;
            continue;
        }
        let (kept_a, kept_b) = (a.state().clone(), b.state().clone());
        match (a.choose(q, &choice), b.choose(r, &same)) {
            (Ok(()), Ok(())) => {
                let kept = own.then(|| Box::new((kept_a, kept_b)));
                return Ok(JointChoice::Both(redrawn, kept, otherwise, question.span));
            }
            (Err(Refusal::Fault(f)), Err(Refusal::Fault(g))) if own => {
                let told = |f: &_| fault_finding(f, a.program()).message;
                if (told(&f), f.span) != (told(&g), g.span) {
                    let what = format!(
                        "seat {seat} is told another error of the rules: {} against {}",
                        told(&f),
                        told(&g)
                    );
                    return Err(c.to_leak(Channel::Errors, Some(f.span), what));
                }
            }
            (Err(Refusal::Illegal(_)), Ok(())) | (Ok(()), Err(Refusal::Illegal(_))) if own => {
                let what = format!("seat {seat} is refused {said} in one world only");
                return Err(c.to_leak(Channel::Options, Some(question.span), what));
            }
            // A rule that fails in one of them is no leak; another choice is tried from the same position.
            _ => {}
        }
        a.set_state(&kept_a);
        b.set_state(&kept_b);
        redrawn += 1;
    }
    Ok(JointChoice::Apart(redrawn))
}

/// The universe of what a question asks for, if it asks for no action.
fn universe_of(kind: QuestionKind) -> Option<UniverseId> {
    match kind {
        QuestionKind::One(_, u) | QuestionKind::Subset(_, u) => Some(u),
        _ => None,
    }
}

/// Finds another answer, if the rules write the answer down where not everybody may read: then it is a secret of the seat that gives it.
fn find_other_sealed_answer(
    c: &mut RandomMatch,
    m: &mut Machine,
    q: usize,
    choice: &Choice,
) -> Option<Choice> {
    let p = m.program().clone();
    let kind = m.questions().get(q)?.kind;
    let same_but_sealed = |other: &Choice| match (kind, choice, other) {
        (QuestionKind::One(ask, _), Choice::One(_), Choice::One(_)) => {
            p.asks.get(ask.index()).is_some_and(|a| a.sealed)
        }
        (
            QuestionKind::Menu(_),
            Choice::Action { action, params },
            Choice::Action { action: b, params: others },
        ) => {
            let Some(a) = p.actions.get(action.index()).filter(|_| action == b) else { return false };
            let mut at = 0;
            a.params.iter().all(|param| {
                let words = at..at + param.domain.words(&p) as usize;
                at = words.end;
                param.sealed || params.get(words.clone()) == others.get(words)
            })
        }
        _ => false,
    };
    let all = m.options(q).cloned().ok()?;
    let others: Vec<Choice> = all.iter().take(60).filter(|o| o != choice && same_but_sealed(o)).collect();
    let n = others.len() as u64;
    if n == 0 { None } else { others.into_iter().nth(below(n, || c.rng.draw()) as usize) }
}

/// What a seat knows of a component: its face, if it knows it, and what stands on its back.
type Known = (Option<Option<usize>>, Vec<Option<i64>>);

/// What a seat knows of the components in a choice, in order.
fn list_known(m: &Machine, choice: &Choice, kind: QuestionKind, seat: usize) -> Vec<Known> {
    let p = m.program();
    let mut out = Vec::new();
    for (u, things) in chosen_things(p, choice, universe_of(kind)) {
        if let Some(UniverseSort::Components(ci)) = p.universes.get(u.index()).map(|u| &u.sort) {
            let of_back = |c: usize| {
                let all = p.attrs.iter().enumerate().filter(|(_, a)| a.back && a.of == Some(u));
                all.map(|(k, _)| m.look().attr(AttrIx(k as u16), c)).collect()
            };
            let ci = usize::from(*ci);
            let known = |c: usize| m.look().knows(seat, ci, c).then(|| m.look().face(ci, c));
            out.extend(set_bits(&things).map(|c| (known(c), of_back(c))));
        }
    }
    out
}

/// A choice by its words, if it is an option.
fn find_choice(m: &mut Machine, q: usize, said: &str) -> Option<Choice> {
    let question = m.questions().get(q).copied()?;
    let options = m.options(q).cloned().ok()?;
    let wording = Wording::new(m.look(), &question, &options);
    wording.parse_choice(said).ok().filter(|c| options.index_of(c).is_some())
}

/// Checks that the choice of the greedy bot does not change when what it may not know is permuted.
///
/// # Errors
/// The first choice that does.
pub fn check_greedy_is_fair(game: &Game, setup: &Setup, limits: LawLimits) -> Result<Checked, Broken> {
    check_fairness(game, setup, limits, Bot::Greedy)
}

/// Checks that the choice of the planning bot does not change when what it may not know is permuted.
///
/// # Errors
/// The first choice in which it shows that it knows more.
pub fn check_beam_is_fair(game: &Game, setup: &Setup, limits: LawLimits) -> Result<Checked, Broken> {
    check_fairness(game, setup, limits, Bot::Beam(Breadth { width: 4, turns: 2, nodes: 200 }))
}

fn check_fairness(game: &Game, setup: &Setup, limits: LawLimits, bot: Bot) -> Result<Checked, Broken> {
    let mut c = RandomMatch::new(game, setup, limits)?;
    let mut b = game.make_machine(c.machine.program().clone(), 0);
    let hooks = game.make_hooks(c.machine.program());
    let mut checked = Checked::default();
    while c.has_next() {
        let q = c.pick_question();
        let seat = c.machine.questions().get(q).map_or(0, |q| q.seats.trailing_zeros() as usize);
        let seed = c.rng.draw();
        b.set_state(c.machine.state());
        b.swap_hidden(seat, &mut c.rng);
        b.redraw_hidden_attributes(seat, &mut c.rng);
        let choose = |m: &mut Machine| -> Option<String> {
            let choice = bot.make_policy(seed).choose(&mut Sight::new(m, hooks.clone(), seat, q)?).ok()??;
            let question = m.questions().get(q).copied()?;
            let options = m.options(q).cloned().ok()?;
            Some(choice_text(m, &question, &options, &choice))
        };
        let (here, there) = (choose(&mut c.machine), choose(&mut b));
        checked.cases += 1;
        if here != there {
            return Err(c.to_broken(format!("it chooses {here:?}, and {there:?} where only secrets differ")));
        }
        c.advance()?;
    }
    Ok(checked)
}
