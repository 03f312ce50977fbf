//! Tries a choice in a situation with many seeds, and groups what comes of it. Nothing is hidden here: what any of the players sees is told.
//!
//! ```text
//! Trial { given { … }, lay(lamp), 20 seeds } ─▶ run ─▶ Tried { 12 of 20: Ann: coins 5 → 8, 8 of 20: … }
//! ```
use super::board::{Board, Piece};
use super::session::Session;
use houserule::engine::EventKind;
use houserule::ide::cards::Card;
use houserule::lab::given::{GivenError, NAME, Situation};
use houserule::lab::record::{names_for_players, record_given};
use houserule::model::hir::{KindId, KindSort, Model, ScopeId, ScopeKind, Zone};
use houserule::play::setup::player_range;
use houserule::play::{Illegal, Match, Setup};
use houserule::text::{Diagnostic, Files};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::ops::Range;

/// The fewest and most seeds.
pub const RUNS: std::ops::RangeInclusive<u32> = 1..=1000;

/// So many answers to a question are looked through, and so many are listed.
const LOOKED_THROUGH: usize = 3000;
const LISTED: usize = 60;

/// Longer parts of a change are cut.
const LONG: usize = 60;

/// So many situations are tried before one is proposed.
const PROPOSED: usize = 12;

/// A choice by what it is called, so that it is found again when the rules have changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chosen {
    /// Who chooses.
    pub seat: usize,
    /// In words, as they can be typed.
    pub words: String,
    /// For people, with the player: `Ann: Lay Lamp`.
    pub title: String,
}

/// What is chosen in the situation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Pick {
    /// The first choice that names the card, else the first; nothing if nobody is asked.
    #[default]
    Usual,
    /// Nothing: what happens by itself until somebody is asked.
    Nothing,
    /// This.
    Choice(Chosen),
}

/// What is tried.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trial {
    /// The situation: `given { … }`, or only its statements. None: one in which the card can be used is looked for.
    pub situation: Option<String>,
    /// The set-up, as far as the situation does not say it.
    pub setup: Setup,
    /// What is chosen.
    pub pick: Pick,
    /// With how many seeds.
    pub runs: u32,
}

/// Something that is wrong with the situation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wrong {
    /// The line of the situation, from 1; none if it is somewhere else.
    pub line: Option<usize>,
    /// What is wrong, with what to write instead where that is known.
    pub text: String,
    /// The place in the game's texts.
    pub place: Option<(String, Range<usize>)>,
}

/// What came of a trial.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tried {
    /// What was tried, with the situation and the choice that were found for it.
    pub trial: Trial,
    /// The situation as it was played: with what chance brought in it.
    block: String,
    /// What is on offer, those that name the card first.
    pub offers: Vec<Chosen>,
    /// How many of them name the card.
    pub naming: usize,
    /// How many more there are.
    pub more: u64,
    /// Whether the chosen one is on offer.
    pub is_offered: bool,
    /// Whether the situation itself differs from seed to seed.
    pub varies: bool,
    /// What came of it, the commonest first.
    pub outcomes: Vec<Outcome>,
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// The choice was taken, and play went on to the next question.
    Taken,
    /// The rules refused it, for this reason.
    Refused(String),
    /// The rules failed: what is told, and where.
    Fault(String, Option<(String, Range<usize>)>),
}

/// What came of some of the runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// How they ended.
    pub ending: Ending,
    /// What was told.
    pub told: Vec<String>,
    /// What changed, a place each: `Ann: coins 5 → 8`.
    pub changes: Vec<String>,
    /// What was rolled or shuffled in the first of them.
    pub chance: Vec<String>,
    /// The seeds of these runs.
    pub seeds: Vec<u64>,
}

/// A place as it can be seen: what it is called, and what is there.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Place {
    name: String,
    parts: Vec<String>,
    /// How much of it is not seen.
    hidden: usize,
}

/// What one run brought, before it is compared with the others.
struct Run {
    seed: u64,
    ending: Ending,
    told: Vec<String>,
    chance: Vec<String>,
    before: Vec<Place>,
    after: Vec<Place>,
}

/// The text as a block. Statements alone are put between braces, in the line in which they begin.
fn to_block(situation: &str) -> String {
    let is_word = |t: &str| t.strip_prefix("given").is_some_and(|r| !r.starts_with(char::is_alphanumeric));
    let code = situation.lines().map(str::trim).find(|l| !l.is_empty() && !l.starts_with('#'));
    match code.is_some_and(is_word) {
        true => situation.to_string(),
        false => format!("given {{ {situation}\n}}"),
    }
}

/// Findings about a situation, for people.
fn to_wrong(e: &GivenError) -> Vec<Wrong> {
    let one = |d: &Diagnostic| {
        let span = d.at.span;
        let file = e.files.get(span.file);
        let own = file.is_none_or(|f| f.name == NAME);
        let line = file.filter(|_| own).map(|f| f.line_col(span.start as usize).line);
        let help = d.help.as_ref().map(|h| format!(" – {h}")).unwrap_or_default();
        Wrong {
            line,
            text: format!("{}{help}", d.message),
            place: file.filter(|_| !own).map(|f| (f.name.clone(), span.range())),
        }
    };
    e.report.findings.iter().map(one).collect()
}

/// Tries a card. `files` are the game's texts; `stop` tells whether nobody waits for it any more.
///
/// # Errors
/// What is wrong with the situation.
pub fn run(
    model: &Model,
    files: &Files,
    card: &Card,
    trial: &Trial,
    stop: &dyn Fn() -> bool,
) -> Result<Tried, Vec<Wrong>> {
    let text = match &trial.situation {
        Some(text) => text.clone(),
        None => propose_situation(model, files, card, &trial.setup, stop),
    };
    let mut block = to_block(&text);
    let mut situation = Situation::read(files, &block, &trial.setup).map_err(|e| to_wrong(&e))?;
    let mut first = situation.begin(1).map_err(|e| to_wrong(&e))?;
    let mut offers = Offers::list(&mut first, card);
    let pick = match (&trial.pick, offers.all.first()) {
        (Pick::Usual, Some(first)) => Pick::Choice(first.clone()),
        (Pick::Usual, None) => Pick::Nothing,
        (pick, _) => pick.clone(),
    };
    // Every run is to begin in the same situation: what chance brought in it is written into it. Where nothing is chosen, that is what is tried.
    if pick != Pick::Nothing
        && first.state().draws().iter().any(|n| *n != 0)
        && let Ok(kept) = record_given(&first, files)
        && let Ok(same) = Situation::read(files, &kept, &trial.setup)
        && let Ok(mut m) = same.begin(1)
    {
        offers = Offers::list(&mut m, card);
        (block, situation) = (kept, same);
    }
    let is_offered = match &pick {
        Pick::Choice(c) => offers.has(c),
        _ => true,
    };
    let mut runs = Vec::new();
    for seed in 1..=u64::from(trial.runs.clamp(*RUNS.start(), *RUNS.end())) {
        if stop() {
            break;
        }
        runs.push(play_once(&situation, &pick, seed));
    }
    let base = runs.iter().find(|r| !r.before.is_empty()).map(|r| r.before.clone()).unwrap_or_default();
    Ok(Tried {
        varies: pick != Pick::Nothing && runs.iter().any(|r| !r.before.is_empty() && r.before != base),
        outcomes: group_runs(runs, &pick),
        trial: Trial { situation: Some(text), pick, ..trial.clone() },
        block,
        offers: offers.all,
        naming: offers.naming,
        more: offers.more,
        is_offered,
    })
}

/// Plays one run as a match that can be shown: it stands behind the choice, or before it if it was not taken.
///
/// # Errors
/// Why it cannot be, in a sentence.
pub fn replay(files: &Files, tried: &Tried, seed: u64) -> Result<Session, String> {
    let trial = &tried.trial;
    let told = |e: GivenError| e.first_finding().map_or_else(String::new, |d| d.message.clone());
    let situation = Situation::read(files, &tried.block, &trial.setup).map_err(told)?;
    let mut m = situation.begin(seed).map_err(told)?;
    if let Pick::Choice(c) = &trial.pick {
        // Why it was not taken is shown with the outcome.
        m.choose_in_words(c.seat, &c.words).ok();
    }
    let mut session = Session::from_match(m, files, Vec::new());
    session.turn_to_asked();
    Ok(session)
}

/// One run.
fn play_once(situation: &Situation, pick: &Pick, seed: u64) -> Run {
    let mut run = Run {
        seed,
        ending: Ending::Taken,
        told: Vec::new(),
        chance: Vec::new(),
        before: Vec::new(),
        after: Vec::new(),
    };
    let mut m = match situation.begin(seed) {
        Ok(m) => m,
        Err(e) => {
            let first = to_wrong(&e).into_iter().next();
            run.ending = first.map_or(Ending::Fault(String::new(), None), |w| {
                let line = w.line.map(|n| format!("line {n} of the situation: ")).unwrap_or_default();
                Ending::Fault(format!("{line}{}", w.text), w.place)
            });
            return run;
        }
    };
    let mut from = 0;
    if let Pick::Choice(c) = pick {
        run.before = list_places(&mut m);
        from = 1;
        if let Err(e) = m.choose_in_words(c.seat, &c.words) {
            run.ending = describe_refusal(&mut m, c, e);
            return run;
        }
    }
    run.after = list_places(&mut m);
    for l in m.log_since(None, from) {
        let is_choice =
            matches!(l.kind, EventKind::Acted(_) | EventKind::Answered | EventKind::Done | EventKind::Passed);
        match l.kind {
            EventKind::Rolled(_) | EventKind::Shuffled => run.chance.push(l.text),
            // These are seen in the places.
            EventKind::Round(_) | EventKind::Turn | EventKind::Phase(_) | EventKind::Moved => {}
            _ if is_choice || !l.is_news() => {}
            _ => run.told.push(l.text),
        }
    }
    run
}

/// Why a choice was not taken.
fn describe_refusal(m: &mut Match, chosen: &Chosen, e: Illegal) -> Ending {
    match e {
        Illegal::Fault(d) => {
            let file = m.game().files().get(d.at.span.file).filter(|f| f.name != NAME);
            let place = m.game().files().place(d.at.span);
            let at = file.map(|f| (f.name.clone(), d.at.span.range()));
            Ending::Fault(format!("{place}: {}", d.message), at)
        }
        Illegal::NotPending | Illegal::NotYours { .. } => {
            let who = m.player_name(m.player_of(chosen.seat));
            Ending::Refused(format!("{who} is not asked anything then"))
        }
        // Its words were those of a choice: what they name is not there.
        Illegal::Words(_) => Ending::Refused(String::from("this is not on offer")),
        e => Ending::Refused(e.to_string()),
    }
}

/// What can be chosen.
#[derive(Default)]
struct Offers {
    all: Vec<Chosen>,
    naming: usize,
    more: u64,
    /// Every choice that was looked through.
    words: Vec<(usize, String)>,
}

impl Offers {
    fn list(m: &mut Match, card: &Card) -> Offers {
        let mut out = Offers::default();
        let (mut naming, mut others) = (Vec::new(), Vec::new());
        for d in m.decisions().unwrap_or_default() {
            let (Some(seat), name) = (d.seats.first().copied(), d.name) else { continue };
            let listed = m.list_options_for(Some(seat), d.question, 0, LOOKED_THROUGH).unwrap_or_default();
            out.more = out.more.saturating_add(d.count.saturating_sub(listed.len() as u64));
            for o in listed {
                let names = has_word(&o.words, &card.id.to_string()) || has_word(&o.title, &card.title);
                out.words.push((seat, o.words.clone()));
                let chosen = Chosen { seat, title: format!("{name}: {}", o.title), words: o.words };
                if names { &mut naming } else { &mut others }.push(chosen);
            }
        }
        out.naming = naming.len().min(LISTED);
        naming.append(&mut others);
        out.more = out.more.saturating_add(naming.len().saturating_sub(LISTED) as u64);
        naming.truncate(LISTED);
        out.all = naming;
        out
    }

    fn has(&self, chosen: &Chosen) -> bool {
        self.words.iter().any(|(seat, words)| (*seat, words) == (chosen.seat, &chosen.words))
    }
}

/// Whether a text holds a word, or words, as a whole.
fn has_word(text: &str, word: &str) -> bool {
    let inside = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    !word.is_empty()
        && text.match_indices(word).any(|(at, found)| {
            let before = text.get(..at).and_then(|t| t.chars().next_back());
            let behind = text.get(at + found.len()..).and_then(|t| t.chars().next());
            !inside(before) && !inside(behind)
        })
}

/// Everything that any player sees, place by place, each as whoever sees most of it.
fn list_places(m: &mut Match) -> Vec<Place> {
    let mut out: Vec<Place> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    let mut add = |name: String, parts: Vec<String>, hidden: usize| match known.get(&name) {
        Some(at) => {
            if let Some(place) = out.get_mut(*at).filter(|p| p.hidden > hidden) {
                *place = Place { name, parts, hidden };
            }
        }
        None => {
            known.insert(name.clone(), out.len());
            out.push(Place { name, parts, hidden });
        }
    };
    let unknown = |pieces: &[Piece]| pieces.iter().filter(|p| p.title.is_none()).count();
    for seat in 0..m.seat_count() {
        let board = Board::from_match(m, seat, None);
        let several = board.maps.len() > 1;
        for map in &board.maps {
            for c in &map.cells {
                let name = if several { format!("{} {}", map.name, c.place) } else { c.place.clone() };
                let said = c.said.strip_prefix(&c.place).unwrap_or(&c.said).trim_start_matches(": ");
                let parts = said.split(", ").filter(|p| !p.is_empty()).map(String::from);
                add(name, parts.collect(), unknown(&c.pieces));
            }
        }
        for h in board.table.iter().chain(&board.players).chain(&board.others) {
            add(h.title.clone(), h.lines.clone(), 1000_usize.saturating_sub(h.lines.len()));
            for p in &h.piles {
                let more = p.count.saturating_sub(p.pieces.len());
                let more = (more > 0).then(|| format!("{more} more"));
                let parts = p.pieces.iter().map(Piece::describe).chain(more);
                add(format!("{}, {}", h.title, p.zone), parts.collect(), p.hidden);
            }
        }
        add(String::from("Now"), board.clock.split(" · ").map(String::from).collect(), 0);
        add(String::from("End"), board.ending, 0);
    }
    let asked = m.decisions().unwrap_or_default().into_iter();
    let asked = asked.map(|d| match d.prompt.as_str() {
        "" => format!("{} is asked", d.name),
        prompt => format!("{} is asked: {prompt}", d.name),
    });
    add(String::from("Then"), asked.collect(), 0);
    out
}

/// What is only in the first of two lists, as often as it is there more often.
fn subtract(these: &[String], those: &[String]) -> Vec<String> {
    let mut left: Vec<&String> = those.iter().collect();
    let mut out = Vec::new();
    for part in these {
        match left.iter().position(|p| *p == part) {
            Some(at) => drop(left.remove(at)),
            None => out.push(part.clone()),
        }
    }
    out
}

/// A change of a place in one line; none if nothing of it has changed.
fn describe_change(name: &str, before: &[String], after: &[String]) -> Option<String> {
    if before == after {
        return None;
    }
    let (gone, come) = (subtract(before, after), subtract(after, before));
    Some(match (gone.as_slice(), come.as_slice()) {
        ([], []) => format!("{name}: in another order"),
        ([], come) => format!("{name}: + {}", join_parts(come)),
        (gone, []) => format!("{name}: − {}", join_parts(gone)),
        (gone, come) => {
            let pairs = gone
                .iter()
                .zip(come)
                .map(|(g, c)| Some(format!("{} → {}", shorten(g), shorten(cut_beginning(g, c)?))));
            let pairs = (gone.len() == come.len()).then(|| pairs.collect::<Option<Vec<String>>>()).flatten();
            let whole = || format!("{} → {}", join_parts(gone), join_parts(come));
            format!("{name}: {}", pairs.map_or_else(whole, |pairs| pairs.join(", ")))
        }
    })
}

/// A value without the name that it has in common with its old value: `8` of `coins 5` and `coins 8`. None if they are not values of one name.
fn cut_beginning<'a>(old: &str, new: &'a str) -> Option<&'a str> {
    let named = |text: &'a str, sign: &str| text.rfind(sign).map(|at| at + sign.len());
    let same = |at: &usize| old.get(..*at) == new.get(..*at);
    let end = named(new, ": ").filter(same).or(named(new, " ").filter(same).filter(|at| {
        // A longer text is no value.
        old.get(*at..).is_some_and(|rest| !rest.contains(' '))
    }))?;
    new.get(end..)
}

/// A part that is too long to be read in a list, cut.
fn shorten(part: &str) -> String {
    match part.char_indices().nth(LONG) {
        Some((at, _)) => format!("{}…", part.get(..at).unwrap_or(part).trim_end()),
        None => part.to_string(),
    }
}

/// Parts as a list, alike ones counted.
fn join_parts(parts: &[String]) -> String {
    let mut counted: Vec<(&String, usize)> = Vec::new();
    for part in parts {
        match counted.iter_mut().find(|(p, _)| *p == part) {
            Some((_, n)) => *n += 1,
            None => counted.push((part, 1)),
        }
    }
    let texts =
        counted.into_iter().map(|(p, n)| if n > 1 { format!("{n} × {}", shorten(p)) } else { shorten(p) });
    texts.collect::<Vec<_>>().join(", ")
}

/// The changes from one list of places to another. A place that is not there is empty.
fn list_changes(before: &[Place], after: &[Place]) -> Vec<String> {
    let parts = |all: &[Place], name: &str| {
        all.iter().find(|p| p.name == name).map(|p| p.parts.clone()).unwrap_or_default()
    };
    let gone = before.iter().filter(|b| !after.iter().any(|a| a.name == b.name));
    let all = gone.chain(after);
    all.filter_map(|p| describe_change(&p.name, &parts(before, &p.name), &parts(after, &p.name))).collect()
}

/// Groups runs by what came of them, the commonest first.
fn group_runs(runs: Vec<Run>, pick: &Pick) -> Vec<Outcome> {
    // Where nothing is chosen, what all runs have in common is no change.
    let common: Vec<Place> = match (pick, runs.iter().find(|r| r.ending == Ending::Taken)) {
        (Pick::Nothing, Some(first)) => {
            let same =
                |p: &&Place| runs.iter().filter(|r| r.ending == Ending::Taken).all(|r| r.after.contains(p));
            first.after.iter().filter(same).cloned().collect()
        }
        _ => Vec::new(),
    };
    let mut out: Vec<Outcome> = Vec::new();
    let mut known: HashMap<(Ending, Vec<String>, Vec<String>), usize> = HashMap::new();
    for run in runs {
        let changes = match (pick, &run.ending) {
            (Pick::Nothing, _) => {
                let own = run.after.iter().filter(|p| !common.contains(p));
                own.map(|p| match p.parts.as_slice() {
                    [] => format!("{}: empty", p.name),
                    parts => format!("{}: {}", p.name, join_parts(parts)),
                })
                .collect()
            }
            (_, Ending::Taken) => list_changes(&run.before, &run.after),
            _ => Vec::new(),
        };
        let key = (run.ending.clone(), run.told.clone(), changes.clone());
        let at = *known.entry(key).or_insert(out.len());
        match out.get_mut(at) {
            Some(outcome) => outcome.seeds.push(run.seed),
            None => out.push(Outcome {
                ending: run.ending,
                told: run.told,
                changes,
                chance: run.chance,
                seeds: vec![run.seed],
            }),
        }
    }
    out.sort_by_key(|o| std::cmp::Reverse(o.seeds.len()));
    out
}

// ── A situation to begin from ────────────────────────────────────────────────────────────────────────────────────

/// The kind, and whatever it is a kind of.
fn list_ancestors(model: &Model, name: &str) -> Vec<KindId> {
    let first = model.kinds.iter().position(|k| *k.name == *name).map(|i| KindId(i as u32));
    let parent = |k: &KindId| model.kinds.get(k.index()).and_then(|k| k.parent);
    // No kind is its own parent; a broken model ends all the same.
    std::iter::successors(first, parent).take(model.kinds.len()).collect()
}

/// Proposes a situation: the card lies where some choice names it, at the beginning of a round or of the game. If no place is like that, the first in which it can lie; else an empty block.
fn propose_situation(
    model: &Model,
    files: &Files,
    card: &Card,
    setup: &Setup,
    stop: &dyn Fn() -> bool,
) -> String {
    // A mod is in force anyway.
    let (on, within) = match card.within.as_deref().and_then(|w| w.split_once(' ')) {
        Some(("scenario", name)) => (Some(name.to_string()), None),
        Some(("variant" | "part", name)) => (None, Some(name.to_string())),
        _ => (None, None),
    };
    let played = on.as_deref().or(model.first_scenario().map(|s| &*s.name));
    let scenario = model
        .scopes
        .iter()
        .position(|s| s.kind == ScopeKind::Scenario && Some(&*s.name) == played)
        .map(|i| ScopeId(i as u32));
    let names = names_for_players(model, player_range(model, scenario).0 as usize);
    let first =
        model.named_players().find_map(|id| model.members.get(id.index())).map(|x| x.name.to_string());
    let first = names.first().cloned().or(first).unwrap_or_default();
    let mut head = String::from("given");
    if let Some(on) = on {
        let _ = write!(head, " on {on}");
    }
    let with: Vec<String> = names.into_iter().chain(within).collect();
    if !with.is_empty() {
        let _ = write!(head, " with {}", with.join(", "));
    }
    let kinds = list_ancestors(model, &card.id.kind);
    let fits =
        |z: &&Zone| z.index.is_none() && z.has_of.is_none() && z.holds.iter().any(|k| kinds.contains(k));
    let is_players =
        |z: &Zone| z.of.and_then(|k| model.kinds.get(k.index())).is_some_and(|k| k.sort == KindSort::Player);
    let mut places: Vec<(bool, String)> = model
        .zones
        .iter()
        .filter(fits)
        .filter(|z| z.of.is_none() || is_players(z))
        .map(|z| {
            (z.of.is_none(), if z.of.is_none() { z.name.to_string() } else { format!("{first}.{}", z.name) })
        })
        .collect();
    places.sort_by_key(|(table, _)| *table);
    let one = match card.copies.as_str() {
        "1" => card.id.to_string(),
        _ => format!("first of {} where {}", card.id.kind, card.id),
    };
    let about = "  # How things stand before the choice.\n";
    let mut fallback = None;
    let tries = ["", "  start at setup\n", "  start at round\n"];
    let candidates = places.iter().flat_map(|(_, place)| tries.iter().map(move |start| (place, *start)));
    for (place, start) in candidates.take(PROPOSED) {
        if stop() {
            break;
        }
        let text = format!("{head} {{\n{about}{start}  move {one} to {place}\n}}");
        let Ok(situation) = Situation::read(files, &text, setup) else { continue };
        let Ok(mut m) = situation.begin(1) else { continue };
        if Offers::list(&mut m, card).naming > 0 {
            return text;
        }
        fallback = fallback.or(Some(text));
    }
    fallback.unwrap_or_else(|| format!("{head} {{\n{about}}}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(before: &[&str], after: &[&str]) -> Option<String> {
        let list = |parts: &[&str]| parts.iter().map(|p| String::from(*p)).collect::<Vec<_>>();
        describe_change("Ann", &list(before), &list(after))
    }

    #[test]
    fn a_change_says_what_was_and_what_is() {
        let told = |before: &[&str], after: &[&str]| change(before, after).expect("a change");
        assert_eq!(change(&["coins 5"], &["coins 5"]), None);
        assert_eq!(told(&["coins 5", "buys 1"], &["coins 8", "buys 1"]), "Ann: coins 5 → 8");
        assert_eq!(told(&["coins 5", "buys 1"], &["coins 8", "buys 2"]), "Ann: coins 5 → 8, buys 1 → 2");
        assert_eq!(told(&["Rope", "Rope", "Lamp"], &["Lamp"]), "Ann: − 2 × Rope");
        assert_eq!(told(&["Lamp"], &["Lamp", "Rope"]), "Ann: + Rope");
        assert_eq!(told(&["Lamp"], &["Rope", "Tent"]), "Ann: Lamp → Rope, Tent");
        assert_eq!(told(&["Lamp", "Rope"], &["Rope", "Lamp"]), "Ann: in another order");
        assert_eq!(told(&["Which one?"], &["Which of them all?"]), "Ann: Which one? → Which of them all?");
        assert_eq!(
            told(&["Bo is asked: who?"], &["Bo is asked: why so?"]),
            "Ann: Bo is asked: who? → why so?"
        );
    }

    #[test]
    fn statements_alone_keep_their_lines() {
        assert_eq!(to_block("# so\ngiven { }"), "# so\ngiven { }");
        assert_eq!(to_block("a = 1\nb = 2"), "given { a = 1\nb = 2\n}");
        assert_eq!(to_block("givens = 1"), "given { givens = 1\n}");
    }

    #[test]
    fn a_word_is_found_as_a_whole() {
        assert!(has_word("lay(rope)", "rope") && has_word("play(number(3))", "number(3)"));
        assert!(
            !has_word("lay(ropes)", "rope") && !has_word("lay(tight_rope)", "rope") && !has_word("x", "")
        );
    }
}
