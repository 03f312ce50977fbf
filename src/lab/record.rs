//! A test out of what was played: its set-up, what chance brought, the choices, and what came of the last one. It is run before it is handed over, so it passes at once.
//!
//! Chance is said, not drawn: rolls stand before the choice that they answer, what was dealt is laid down, what is drawn from a shuffled place is brought to its top before. To find
//! out what hangs on chance, every stretch is played again under other seeds from the state in which it began, and compared. What chance decides in a way that a test cannot say (who
//! begins, how often something is repeated) leaves one way: the test is bound to the seed that was played, and says so.
use super::testing;
use crate::engine::{Choice, EventKind, Look, Machine, QuestionKind, State, Verdict, thing_word, value_text};
use crate::model::hir::ScopeKind;
use crate::play::words::{bits, low};
use crate::play::{Game, Match, Setup};
use crate::program::ir::{AttrSlot, Domain, NONE, Place, Program, Show, UniverseId, UniverseSort};
use crate::text::{File, FileId, Files, Span};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::ops::Range;
use std::sync::Arc;

/// What a test is to show.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Wish {
    /// Its title; empty: the last choice in words.
    pub title: String,
    /// A choice, in words, that must be refused where the line ends, and by which seat: then that is what it shows.
    pub refused: Option<(usize, String)>,
}

/// A test that passes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recorded {
    /// The file that it belongs into.
    pub file: String,
    /// Where in it.
    pub at: usize,
    /// What is to be put there, blank lines included.
    pub text: String,
    /// Its title, and where that stands in the text that is put in.
    pub title: String,
    /// See `title`.
    pub title_at: Range<usize>,
    /// Whether it hangs on the seed.
    pub seeded: bool,
    /// What is to be said of it.
    pub notes: Vec<String>,
}

/// Names of players where the match has none that can stand in a test.
const CAST: [&str; 12] = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ida", "Jon", "Kay", "Lou"];

/// Seeds that every stretch is played again under.
const SEEDS: [u64; 6] = [1009, 2003, 3001, 4001, 5003, 6007];

/// The test is tried under so many seeds before it is said to hang on none.
const TRIED: u32 = 6;

/// Longest line that statements are put into.
const WIDTH: usize = 110;

/// So many expectations are made.
const EXPECTED: usize = 14;

/// So many answers are named as all that is offered.
const OFFERED: u64 = 8;

/// What belongs to one choice.
#[derive(Clone, Default)]
struct Stretch {
    /// Statements before it.
    before: Vec<String>,
    /// Rolls, as a statement.
    rolls: Option<String>,
    /// The choice, or how the match starts.
    says: String,
    /// Statements after it.
    after: Vec<String>,
}

/// Makes a test of a match from its beginning to where it stands. `files` are the game's texts, as it was loaded from them.
///
/// # Errors
/// Why what was played cannot be said as a test, in a sentence.
pub fn record(m: &Match, files: &Files, wish: &Wish) -> Result<Recorded, String> {
    let mut played = Played::again(m)?;
    let mut notes = Vec::new();
    let mut stretches = Vec::new();
    let mut loose: BTreeSet<usize> = BTreeSet::new();
    let mut bound = None;
    for step in 0..=played.steps {
        let (stretch, why) = played.stretch(step, &mut loose)?;
        bound = bound.or(why);
        stretches.push(stretch);
    }
    let expected = played.expected(wish)?;
    let place = Home::of(m, files, &played.rule());
    let mut title =
        if wish.title.trim().is_empty() { played.last_words() } else { wish.title.trim().to_string() };
    title = title.replace('"', "'").replace(['{', '}', '\\'], "");
    title = unused(m.game(), &title);
    let head = played.head(&title);
    let draft = |seeds: &str, plain: bool, expected: &[String]| Draft {
        head: format!("{head}{seeds} {{"),
        lines: body(&played.given, &played.options, &stretches, plain),
        expected: expected.to_vec(),
    };
    if bound.is_none() {
        let seeds = format!(" seeds 1..{TRIED}");
        match settle(files, &place, &title, draft(&seeds, false, &expected)) {
            Ok(kept) => {
                let last = Draft { expected: kept, ..draft("", false, &[]) };
                return Ok(place.recorded(&last, title, false, notes));
            }
            Err(why) => bound = Some(why),
        }
    }
    let seed = m.setup().seed;
    if u32::try_from(seed).is_err() {
        return Err(format!(
            "it hangs on chance, and a test cannot name the seed {seed}: {}",
            bound.unwrap_or_default()
        ));
    }
    let seeds = format!(" seeds {seed}..{seed}");
    let kept = settle(files, &place, &title, draft(&seeds, true, &expected))?;
    notes.push(format!("it hangs on the seed {seed}: {}", bound.unwrap_or_default()));
    let last = Draft { expected: kept, ..draft(&seeds, true, &[]) };
    Ok(place.recorded(&last, title, true, notes))
}

/// A title that no test of the game has.
fn unused(game: &Game, title: &str) -> String {
    let taken = |t: &str| game.model().tests.iter().any(|x| *x.title == *t);
    let mut n = 1;
    let mut out = title.to_string();
    while taken(&out) {
        n += 1;
        out = format!("{title} ({n})");
    }
    out
}

// ── What was played ────────────────────────────────────────────────────────────────────────────────────────────────

/// The match, played again with names that can stand in a test.
struct Played {
    m: Match,
    /// Choices up to where it stands.
    steps: usize,
    /// The body of the block that it began in.
    given: Option<(String, String)>,
    /// Options as statements.
    options: Vec<String>,
    scenario: Option<String>,
    /// Names and variants behind `with`.
    with: Vec<String>,
}

fn word(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic())
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

impl Played {
    fn again(m: &Match) -> Result<Played, String> {
        let steps = m.step();
        let setup = m.setup();
        if let Some(given) = m.given() {
            let inside = given.split_once('{').and_then(|(head, rest)| {
                Some((
                    head.trim().strip_prefix("given")?.trim().to_string(),
                    rest.rsplit_once('}')?.0.trim().to_string(),
                ))
            });
            let Some((head, mut body)) = inside else {
                return Err(String::from("the state in which it began cannot be read"));
            };
            if !body.contains("start at") {
                body.push_str("\nstart at round");
            }
            return Ok(Played {
                m: m.fork(),
                steps,
                given: Some((head, body)),
                options: Vec::new(),
                scenario: None,
                with: Vec::new(),
            });
        }
        let game = m.game();
        let model = game.model();
        let own: Vec<String> = model
            .named_players()
            .filter_map(|id| model.members.get(id.index()))
            .map(|x| x.name.to_string())
            .collect();
        let seats = m.seats();
        let mut cast: Vec<String> = Vec::new();
        let mut names = setup.names.clone();
        if own.is_empty() {
            let fine = names.len() == seats && names.iter().all(|n| word(n));
            if !fine {
                let all =
                    CAST.iter().map(|s| String::from(*s)).chain((CAST.len() + 1..).map(|n| format!("P{n}")));
                names = all.take(seats).collect();
            }
            cast.clone_from(&names);
        } else {
            names.clear();
            let fewest = game.program(&Setup { players: None, names: Vec::new(), ..setup.clone() });
            let fewest = fewest.map_or(0, |p| usize::from(p.seats));
            if fewest != seats {
                cast = own.into_iter().take(seats).collect();
            }
        }
        let again = Setup { names, players: Some(seats as u32), ..setup.clone() };
        let told =
            |r: crate::text::Report| r.findings.first().map_or_else(String::new, |d| d.message.clone());
        let mut played = game.start(&again).map_err(told)?;
        for s in m.steps().iter().take(steps) {
            let taken = played.choose(s.seat, s.question, &s.choice);
            taken.map_err(|e| format!("it cannot be played again: {e}"))?;
        }
        // What is in force stands in the program; a scenario that was not named is the first.
        let scenario = setup.scenario.clone().or_else(|| {
            let needs = crate::play::setup::needs_scenario(model);
            let first = model.scopes.iter().find(|s| s.kind == ScopeKind::Scenario);
            first.filter(|_| needs).map(|s| s.name.to_string())
        });
        let mut with = cast;
        with.extend(setup.variants.iter().cloned());
        let options = setup.options.iter().map(|(k, v)| format!("{k} = {v}")).collect();
        Ok(Played { m: played, steps, given: None, options, scenario, with })
    }

    fn head(&self, title: &str) -> String {
        let mut out = format!("test \"{title}\"");
        if let Some((head, _)) = &self.given {
            if !head.is_empty() {
                let _ = write!(out, " {head}");
            }
            return out;
        }
        if let Some(s) = &self.scenario {
            let _ = write!(out, " on {s}");
        }
        if !self.with.is_empty() {
            let _ = write!(out, " with {}", self.with.join(", "));
        }
        out
    }

    /// The last choice, as a title.
    fn last_words(&self) -> String {
        let last = self.steps.checked_sub(1).and_then(|i| self.m.steps().get(i));
        last.map_or_else(
            || String::from("how it begins"),
            |s| format!("{} plays {}", self.m.player_name(s.player), s.words.replace('_', " ")),
        )
    }

    /// Where the rule stands that told of the last choice.
    fn rule(&self) -> Option<Span> {
        self.m.log_since(None, self.steps).last().map(|l| l.span).filter(|s| !s.range().is_empty())
    }

    fn program(&self) -> Arc<Program> {
        self.m.program().clone()
    }

    /// The state after so many choices.
    fn state(&mut self, step: usize) -> Result<State, String> {
        if !self.m.at(step) {
            return Err(format!("step {step} cannot be played again"));
        }
        Ok(self.m.state().clone())
    }

    /// One choice with what chance brought; why it hangs on the seed, if it does.
    fn stretch(
        &mut self,
        step: usize,
        loose: &mut BTreeSet<usize>,
    ) -> Result<(Stretch, Option<String>), String> {
        let p = self.program();
        let before = match step.checked_sub(1) {
            Some(b) => Some(self.state(b)?),
            None => None,
        };
        let mut out = Stretch::default();
        let chosen = step.checked_sub(1).and_then(|i| self.m.steps().get(i)).cloned();
        if let Some(s) = &chosen {
            out.says = self.answer(s)?;
        } else if self.given.is_none() {
            out.says = String::from("start at setup");
        }
        let after = self.state(step)?;
        self.m.at(self.steps);
        let rolled: Vec<String> = self
            .m
            .log_of_line(None)
            .into_iter()
            .filter(|l| l.step == step && l.kind == EventKind::Rolled)
            .map(|l| l.text)
            .collect();
        if step == 0 && self.given.is_some() {
            // The block itself says what was given; what it leaves to chance it leaves.
            return Ok((out, None));
        }
        let rolls: Option<Vec<i64>> = rolled.iter().map(|t| number_in(t)).collect();
        let Some(rolls) = rolls else {
            return Ok((out, Some(String::from("what was rolled cannot be said as a number"))));
        };
        if !rolls.is_empty() {
            let all: Vec<String> = rolls.iter().map(i64::to_string).collect();
            out.rolls = Some(format!("table rolls {}", all.join(", ")));
        }
        if let Some(b) = &before {
            out.before = drawn_from(&p, b, &after, loose);
        }
        // The same under other seeds.
        let mut apart: BTreeSet<usize> = BTreeSet::new();
        for seed in SEEDS {
            let mut other = self.m.game().machine(p.clone(), seed);
            let ordered: Vec<u64> = rolls.iter().map(|r| *r as u64).collect();
            let done = match (&before, &chosen) {
                (Some(b), Some(s)) => {
                    other.set_state(b);
                    other.reseed(seed);
                    other.rig(&ordered);
                    again(&mut other, s.question, &s.choice)
                }
                _ => {
                    other.rig(&ordered);
                    other.start().is_ok()
                }
            };
            if !done {
                return Ok((out, Some(String::from("under another seed the same choice is not open"))));
            }
            let here = self.m.game().machine(p.clone(), seed);
            let there = compare(&p, &after, other.state(), here);
            if let Some(why) = there.apart {
                return Ok((out, Some(why)));
            }
            apart.extend(there.contents);
            loose.extend(there.order);
        }
        if !apart.is_empty() {
            match laid_down(&p, &after, &apart, self.m.game().machine(p.clone(), 1)) {
                Some((lines, pool)) => {
                    out.after = lines;
                    loose.insert(pool);
                }
                None => return Ok((out, Some(String::from("what was dealt cannot be laid down")))),
            }
        }
        Ok((out, None))
    }

    /// A choice as a test says it, in the state before it, in which the match stands.
    fn answer(&mut self, s: &crate::play::Step) -> Result<String, String> {
        let p = self.program();
        if s.choice == Choice::NotDone {
            return Err(String::from("a `done` that was taken back cannot stand in a test"));
        }
        let q = self.m.questions().iter().find(|q| q.id == s.question).copied();
        let Some(q) = q else { return Err(String::from("a choice cannot be played again")) };
        let who = match q.anybody {
            true => String::from("table"),
            false => thing_word(&p, p.player_universe, i64::from(q.player)),
        };
        Ok(format!("{who}: {}", said(self.m.machine().look(), q.kind, &s.choice)))
    }

    /// What holds where the line ends, a statement each, the strongest first.
    fn expected(&mut self, wish: &Wish) -> Result<Vec<String>, String> {
        let p = self.program();
        let before = match self.steps.checked_sub(1) {
            Some(b) => Some(self.state(b)?),
            None => None,
        };
        let after = self.state(self.steps)?;
        let mut out = Vec::new();
        if let Some((seat, words)) = &wish.refused {
            out.push(self.refusal(*seat, words)?);
        }
        let mut machine = self.m.game().machine(p.clone(), 1);
        if let Some(b) = before.filter(|_| wish.refused.is_none()) {
            machine.set_state(&b);
            let then = Seen::of(machine.look());
            machine.set_state(&after);
            let now = Seen::of(machine.look());
            out.extend(changed(&p, &then, &now));
        }
        if let Some(outcome) = self.m.machine().outcome().cloned() {
            let because = if outcome.text.is_empty() {
                String::new()
            } else {
                format!(" because \"{}\"", plain(&outcome.text))
            };
            for (i, v) in outcome.verdicts.iter().enumerate() {
                let who = thing_word(&p, p.player_universe, i as i64);
                let how = match v {
                    Verdict::Won => "won",
                    Verdict::Lost => "lost",
                    Verdict::Tied => "tied",
                };
                out.push(format!("expect {who} {how}{because}"));
            }
        } else {
            out.extend(self.offers());
        }
        if wish.refused.is_none() {
            let acts = |k: &EventKind| {
                matches!(k, EventKind::Acted(_) | EventKind::Answered | EventKind::Done | EventKind::Passed)
            };
            let last =
                self.m.log_since(None, self.steps.max(1)).into_iter().filter(|l| acts(&l.kind)).next_back();
            out.extend(
                last.map(|l| plain(&l.text)).filter(|t| !t.is_empty()).map(|t| format!("logged \"{t}\"")),
            );
        }
        Ok(out)
    }

    /// `refuse …` of a choice in words, by a seat.
    fn refusal(&mut self, seat: usize, words: &str) -> Result<String, String> {
        let p = self.program();
        let asked = self.m.questions().iter().filter(|q| seat < 32 && q.seats >> seat & 1 == 1).copied();
        let mut told = String::from("this seat is asked nothing there");
        for q in asked.collect::<Vec<_>>() {
            // The names of players may be others here.
            match self.m.parse(q.id, words) {
                Ok(choice) => {
                    let reasons = self.m.why_not_said(q.id, words).map_err(|e| e.to_string())?;
                    let Some(first) = reasons.iter().find(|r| !r.text.is_empty()).or(reasons.first()) else {
                        return Err(format!("nothing is against {words}"));
                    };
                    let who = match q.anybody {
                        true => String::from("table"),
                        false => thing_word(&p, p.player_universe, i64::from(q.player)),
                    };
                    let because = if first.text.is_empty() {
                        String::new()
                    } else {
                        format!(" because \"{}\"", plain(&first.text))
                    };
                    return Ok(format!(
                        "refuse {who}: {}{because}",
                        said(self.m.machine().look(), q.kind, &choice)
                    ));
                }
                Err(e) => told = e.to_string(),
            }
        }
        Err(told)
    }

    /// What is asked of whom, where that is little.
    fn offers(&mut self) -> Vec<String> {
        let p = self.program();
        let mut out = Vec::new();
        for q in self.m.questions().to_vec().into_iter().take(2) {
            let who = match q.anybody {
                true => String::from("table"),
                false => thing_word(&p, p.player_universe, i64::from(q.player)),
            };
            let count = self
                .m
                .decisions()
                .ok()
                .and_then(|d| d.into_iter().find(|d| d.question == q.id))
                .map_or(0, |d| d.count);
            if (1..=OFFERED).contains(&count) {
                let all = self.m.options(q.id, 0, OFFERED as usize).unwrap_or_default();
                let look = self.m.machine().look();
                let mut said: Vec<String> = all.iter().map(|o| said(look, q.kind, &o.choice)).collect();
                said.dedup();
                out.push(format!("offered {who}: {}", said.join(", ")));
            }
            // Who is asked is little, but can be said where the answers cannot.
            out.push(format!("asked {who} \"\""));
        }
        out
    }
}

/// A text that may stand between quotes in a test.
fn plain(text: &str) -> String {
    // A text may hold holes and quotes; what stands before the first of them is enough.
    let end = text.find(['"', '{', '}', '\\', '\n']).unwrap_or(text.len());
    text.get(..end).unwrap_or("").trim().to_string()
}

/// Answers a question on a machine.
fn again(m: &mut Machine, question: u32, choice: &Choice) -> bool {
    let q = m.questions().iter().position(|q| q.id == question);
    q.is_some_and(|q| m.choose(q, choice).is_ok())
}

/// The one number in a text behind its colon.
fn number_in(text: &str) -> Option<i64> {
    let rest = text.rsplit_once(": ").map_or(text, |(_, r)| r);
    let mut all =
        rest.split(|c: char| !(c.is_alphanumeric() || c == '-')).filter_map(|w| w.parse::<i64>().ok());
    let first = all.next()?;
    all.next().is_none().then_some(first)
}

// ── Choices and things in words ────────────────────────────────────────────────────────────────────────────────────

/// A choice as a test writes it.
fn said(look: Look<'_>, kind: QuestionKind, choice: &Choice) -> String {
    let p = look.program;
    match choice {
        Choice::Done => String::from("done"),
        Choice::NotDone => String::from("not done"),
        Choice::Pass => String::from("pass"),
        Choice::TimeUp => String::from("time up"),
        Choice::Truth(yes) => String::from(if *yes { "yes" } else { "no" }),
        Choice::One(v) => match kind {
            QuestionKind::One(_, u) => thing(look, u, *v),
            _ => v.to_string(),
        },
        Choice::Subset(set) => match kind {
            QuestionKind::Subset(_, u) => list(look, u, set),
            _ => String::from("none"),
        },
        Choice::Action { action, params } => {
            let Some(slot) = p.actions.get(action.index()) else { return String::from("?") };
            let mut args = Vec::new();
            let mut at = 0;
            for param in &slot.params {
                let w = param.domain.words(p) as usize;
                let value = params.get(at..at + w).unwrap_or(&[]);
                at += w;
                let first = value.first().map_or(NONE, |x| *x as i64);
                args.push(match param.domain {
                    Domain::Number => first.to_string(),
                    Domain::Thing(u) => thing(look, u, first),
                    Domain::Subset(u) => list(look, u, value),
                });
            }
            format!("{}({})", slot.name, args.join(", "))
        }
    }
}

fn list(look: Look<'_>, u: UniverseId, set: &[u64]) -> String {
    let lo = low(look.program, u);
    let all: Vec<String> = bits(set).map(|i| thing(look, u, i as i64 + lo)).collect();
    match all.as_slice() {
        [] => String::from("none"),
        all => format!("[{}]", all.join(", ")),
    }
}

/// A thing that is no component, as a test writes it. Spaces of a board of one row have no names of their own there.
fn named(p: &Program, u: UniverseId, value: i64) -> String {
    let universe = p.universes.get(u.index());
    if let Some((name, UniverseSort::Spaces(Some(map)))) = universe.map(|x| (&x.name, &x.sort))
        && p.maps.get(map.index()).is_some_and(|m| m.size.1 == 1)
        && value != NONE
    {
        return format!("{name}({})", value + 1);
    }
    thing_word(p, u, value)
}

/// A thing as a test writes it: a component by its face, a die by what it shows.
fn thing(look: Look<'_>, u: UniverseId, value: i64) -> String {
    let p = look.program;
    match p.universes.get(u.index()).map(|x| &x.sort) {
        Some(UniverseSort::Components(ci)) if value != NONE => {
            let ci = usize::from(*ci);
            let die = p.comps.get(ci).filter(|k| k.showing.is_some()).and_then(|comps| {
                let c = usize::try_from(value).ok()?;
                let face = look.face(ci, c)?;
                // Dice of several members are told apart by these, others by what they show.
                if p.universes.get(comps.faces.index()).is_some_and(|f| f.n > 1) {
                    return Some(named(p, comps.faces, face as i64));
                }
                let side = look.side(ci, c)? % comps.most_sides();
                comps.sides.get(face)?.get(side).map(i32::to_string)
            });
            die.unwrap_or_else(|| value_text(look, Show::Thing(u), &[value as u64], None, false))
        }
        _ => named(p, u, value),
    }
}

/// A place as rules write it: `Ann.hand`, `deck`, `Ann.stacks[2]`.
fn place_word(p: &Program, n: usize) -> Option<String> {
    let place = p.places.get(n)?;
    let zone = p.zones.get(usize::from(place.zone))?;
    let index = if zone.indexes > 1 {
        let k =
            (n as i64 - i64::from(zone.first)).rem_euclid(i64::from(zone.indexes)) + i64::from(zone.index_lo);
        format!("[{k}]")
    } else {
        String::new()
    };
    Some(match zone.of {
        Some(u) => format!("{}.{}{index}", named(p, u, i64::from(place.owner)), zone.name),
        None => format!("{}{index}", zone.name),
    })
}

fn face_word(look: Look<'_>, place: &Place, c: usize) -> Option<String> {
    let comps = look.program.comps.get(usize::from(place.comps))?;
    let face = look.face(usize::from(place.comps), c)?;
    Some(named(look.program, comps.faces, face as i64))
}

// ── What differs ───────────────────────────────────────────────────────────────────────────────────────────────────

/// What is to be seen of a state: attributes of things that are no components, and what lies where.
#[derive(PartialEq)]
struct Seen {
    /// By attribute and thing.
    attrs: BTreeMap<(usize, usize), Option<i64>>,
    /// Faces (and sides) at each place, in order.
    places: Vec<Vec<(Option<usize>, Option<usize>)>>,
}

fn of_components(p: &Program, a: &AttrSlot) -> bool {
    let sort = a.of.and_then(|u| p.universes.get(u.index())).map(|u| &u.sort);
    matches!(sort, Some(UniverseSort::Components(_)))
}

impl Seen {
    fn of(look: Look<'_>) -> Seen {
        let p = look.program;
        let mut attrs = BTreeMap::new();
        for (i, a) in p.attrs.iter().enumerate() {
            if a.set_at.is_some() || of_components(p, a) {
                continue;
            }
            let n = a.of.and_then(|u| p.universes.get(u.index())).map_or(1, |u| u.n as usize);
            for t in 0..n {
                attrs.insert((i, t), look.attr(crate::program::ir::AttrIx(i as u16), t));
            }
        }
        let mut places: Vec<Vec<(Option<usize>, Option<usize>)>> = vec![Vec::new(); p.places.len()];
        for (ci, comps) in p.comps.iter().enumerate() {
            let n = p.universes.get(comps.universe.index()).map_or(0, |u| u.n as usize);
            for c in 0..n {
                if let Some(all) = look.place(ci, c).and_then(|place| places.get_mut(place)) {
                    all.push((look.face(ci, c), look.side(ci, c)));
                }
            }
        }
        for (n, place) in p.places.iter().enumerate() {
            let Some(all) = places.get_mut(n) else { continue };
            let zone = p.zones.get(usize::from(place.zone));
            if all.len() > 1 && zone.is_some_and(|z| z.ordered) {
                let ci = usize::from(place.comps);
                *all = look.lying_at(n).into_iter().map(|c| (look.face(ci, c), look.side(ci, c))).collect();
            } else {
                all.sort_unstable();
            }
        }
        Seen { attrs, places }
    }
}

/// What another seed makes of a stretch.
#[derive(Default)]
struct Apart {
    /// Why it cannot be mended.
    apart: Option<String>,
    /// Places in which other things lie.
    contents: BTreeSet<usize>,
    /// Places in which the same things lie in another order.
    order: BTreeSet<usize>,
}

fn compare(p: &Program, here: &State, there: &State, mut m: Machine) -> Apart {
    let mut out = Apart::default();
    m.set_state(there);
    let b = Seen::of(m.look());
    let asked =
        |m: &Machine| m.questions().iter().map(|q| (q.player, q.anybody, q.seats)).collect::<Vec<_>>();
    let (other, over) = (asked(&m), m.is_over());
    m.set_state(here);
    let a = Seen::of(m.look());
    if asked(&m) != other
        || m.is_over() != over
        || here.round() != there.round()
        || here.turns() != there.turns()
    {
        out.apart = Some(String::from("chance decides who is asked"));
        return out;
    }
    if let Some(((attr, t), _)) = a.attrs.iter().find(|(k, v)| b.attrs.get(k) != Some(v)) {
        let name = p.attrs.get(*attr).map_or("?", |a| &a.name);
        let of = p
            .attrs
            .get(*attr)
            .and_then(|a| a.of)
            .map_or(String::new(), |u| format!(" of {}", named(p, u, *t as i64)));
        out.apart = Some(format!("chance decides {name}{of}"));
        return out;
    }
    for (i, (x, y)) in a.places.iter().zip(&b.places).enumerate() {
        if x == y {
            continue;
        }
        let faces = |all: &[(Option<usize>, Option<usize>)]| {
            let mut f: Vec<_> = all.to_vec();
            f.sort_unstable();
            f
        };
        if faces(x) == faces(y) {
            out.order.insert(i);
        } else {
            out.contents.insert(i);
        }
    }
    out
}

/// Statements that bring to the top of a shuffled place what is drawn from it in a stretch, the last first.
fn drawn_from(p: &Arc<Program>, before: &State, after: &State, loose: &BTreeSet<usize>) -> Vec<String> {
    let mut out = Vec::new();
    let mut m = Machine::new(p.clone(), 0);
    m.set_state(after);
    let gone = |place: usize, c: usize| {
        m.look().place(usize::from(p.places.get(place).map_or(0, |x| x.comps)), c) != Some(place)
    };
    let mut then = Machine::new(p.clone(), 0);
    then.set_state(before);
    for place in loose {
        let lying = then.look().lying_at(*place);
        let Some(last) = lying.iter().rposition(|c| gone(*place, *c)) else { continue };
        let (Some(slot), Some(name)) = (p.places.get(*place), place_word(p, *place)) else { continue };
        for c in lying.iter().take(last + 1).rev() {
            let Some(face) = face_word(then.look(), slot, *c) else { continue };
            out.push(format!("move first of {name} where {face} to {name}"));
        }
    }
    out
}

/// Statements that lay down what lies at some places, out of the one of them that holds most; with that place.
fn laid_down(
    p: &Program,
    state: &State,
    places: &BTreeSet<usize>,
    mut m: Machine,
) -> Option<(Vec<String>, usize)> {
    m.set_state(state);
    let look = m.look();
    let mut out = Vec::new();
    let mut pools = None;
    let kinds: BTreeSet<u16> = places.iter().filter_map(|n| p.places.get(*n)).map(|pl| pl.comps).collect();
    for kind in kinds {
        let of_kind = |n: &&usize| p.places.get(**n).is_some_and(|pl| pl.comps == kind);
        let all: Vec<usize> = places.iter().filter(of_kind).copied().collect();
        let named = |n: &&usize| place_word(p, **n).is_some();
        let slot = |n: usize| {
            p.places.get(n).and_then(|pl| p.zones.get(usize::from(pl.zone))).is_some_and(|z| z.slot)
        };
        let pool =
            all.iter().filter(named).filter(|n| !slot(**n)).max_by_key(|n| look.lying_at(**n).len()).copied();
        // Dice that show something else lie where they should.
        let pool = pool?;
        let pool_name = place_word(p, pool)?;
        let mut lay = Vec::new();
        for n in all.iter().filter(|n| **n != pool) {
            let name = place_word(p, *n)?;
            let place = p.places.get(*n)?;
            let take = if slot(*n) {
                format!("if {name} is some {{ move {name} to {pool_name} }}")
            } else {
                format!("move {name} to {pool_name}")
            };
            out.push(take);
            // The top one comes last.
            for c in look.lying_at(*n).into_iter().rev() {
                lay.push(format!("move first of {pool_name} where {} to {name}", face_word(look, place, c)?));
            }
        }
        out.extend(lay);
        pools = Some(pool);
    }
    Some((out, pools?))
}

/// What has changed, as expectations.
fn changed(p: &Program, then: &Seen, now: &Seen) -> Vec<String> {
    let mut out = Vec::new();
    for ((i, t), v) in &now.attrs {
        if then.attrs.get(&(*i, *t)) == Some(v) {
            continue;
        }
        let Some(a) = p.attrs.get(*i) else { continue };
        let of = a.of.map_or(String::new(), |u| format!("{}.", named(p, u, *t as i64)));
        let value = match (v, a.show) {
            (None, _) => String::from("none"),
            (Some(v), Show::Thing(u)) => named(p, u, *v),
            (Some(v), Show::Truth) => String::from(if *v == 0 { "no" } else { "yes" }),
            (Some(v), _) => v.to_string(),
        };
        out.push(match (v, a.show) {
            (Some(v), Show::Truth) => format!("expect {}{of}{}", if *v == 0 { "not " } else { "" }, a.name),
            (None, _) => format!("expect {of}{} is none", a.name),
            _ => format!("expect {of}{} == {value}", a.name),
        });
    }
    for (n, (x, y)) in then.places.iter().zip(&now.places).enumerate() {
        if x == y {
            continue;
        }
        let (Some(name), Some(place)) = (place_word(p, n), p.places.get(n)) else { continue };
        let slot = p.zones.get(usize::from(place.zone)).is_some_and(|z| z.slot);
        let faces = p.comps.get(usize::from(place.comps)).map(|c| c.faces);
        let word = |f: &(Option<usize>, Option<usize>)| Some(named(p, faces?, f.0? as i64));
        if slot {
            out.push(match y.first().and_then(word) {
                Some(face) => format!("expect {name} is {face}"),
                None => format!("expect {name} is none"),
            });
            continue;
        }
        if x.len() != y.len() {
            out.push(format!("expect count({name}) == {}", y.len()));
        }
        for f in y
            .iter()
            .filter(|f| y.iter().filter(|g| g.0 == f.0).count() > x.iter().filter(|g| g.0 == f.0).count())
        {
            if let Some(face) = word(f) {
                out.push(format!(
                    "expect count({name} where {face}) == {}",
                    y.iter().filter(|g| g.0 == f.0).count()
                ));
            }
        }
    }
    out.dedup();
    out.truncate(EXPECTED);
    out
}

// ── The text ───────────────────────────────────────────────────────────────────────────────────────────────────────

/// A test on its way.
struct Draft {
    head: String,
    lines: Vec<String>,
    expected: Vec<String>,
}

fn body(
    given: &Option<(String, String)>,
    options: &[String],
    stretches: &[Stretch],
    plain: bool,
) -> Vec<String> {
    let mut out: Vec<String> = options.to_vec();
    if let Some((_, body)) = given {
        out.extend(body.lines().map(|l| l.trim_end().to_string()));
    }
    for s in stretches {
        if !plain {
            flow(&s.before, &mut out);
            out.extend(s.rolls.clone());
        }
        if !s.says.is_empty() {
            out.push(s.says.clone());
        }
        if !plain {
            flow(&s.after, &mut out);
        }
    }
    out
}

/// Short statements side by side.
fn flow(all: &[String], out: &mut Vec<String>) {
    let mut line = String::new();
    for s in all {
        if !line.is_empty() && line.len() + 2 + s.len() > WIDTH {
            out.push(std::mem::take(&mut line));
        }
        line.push_str(if line.is_empty() { "" } else { "; " });
        line.push_str(s);
    }
    out.extend((!line.is_empty()).then_some(line));
}

impl Draft {
    fn text(&self, indent: &str) -> String {
        let mut out = format!("{indent}{}\n", self.head);
        for line in self.lines.iter().chain(&self.expected) {
            let _ = writeln!(out, "{indent}  {}", line.trim());
        }
        let _ = writeln!(out, "{indent}}}");
        out
    }
}

/// Where a test belongs.
struct Home {
    file: String,
    at: usize,
    indent: &'static str,
    /// Whether a line break is missing before it.
    breaks: &'static str,
    /// What must stand behind it.
    behind: &'static str,
}

impl Home {
    /// Beside the rule that it shows, if tests stand in that file; else where most tests stand; with mods in force, in the last of these.
    fn of(m: &Match, files: &Files, rule: &Option<Span>) -> Home {
        let model = m.game().model();
        let mut in_force = model.scopes.iter().filter(|s| {
            let on = m.setup().mods.as_ref().is_none_or(|all| all.iter().any(|x| **x == *s.name));
            s.kind == ScopeKind::Mod && on
        });
        let name = |id: FileId| m.game().files().get(id).map(|f| f.name.clone());
        let held = |n: &str| files.iter().find(|(_, f)| f.name == n).map(|(_, f)| f);
        if let Some(scope) = in_force.next_back()
            && let Some(f) = name(scope.span.file).and_then(|n| held(&n).cloned())
            && let Some(at) = f.text.rfind('}')
        {
            return Home { file: f.name, at, indent: "  ", breaks: "\n", behind: "" };
        }
        let mut tests: BTreeMap<String, usize> = BTreeMap::new();
        for t in &model.tests {
            let own = model.scopes.get(t.scope.index()).is_some_and(|s| s.kind == ScopeKind::Game);
            if let Some(n) = name(t.span.file).filter(|n| own && held(n).is_some()) {
                *tests.entry(n).or_default() += 1;
            }
        }
        let beside = rule.and_then(|r| name(r.file)).filter(|n| tests.contains_key(n));
        let most = || tests.iter().max_by_key(|(_, n)| **n).map(|(f, _)| f.clone());
        let main = || model.scopes.first().and_then(|s| name(s.span.file));
        let file = beside.or_else(most).or_else(main).unwrap_or_default();
        let text = held(&file).map_or("", |f| &f.text);
        let breaks = if text.is_empty() || text.ends_with("\n\n") {
            ""
        } else if text.ends_with('\n') {
            "\n"
        } else {
            "\n\n"
        };
        Home { at: text.len(), file, indent: "", breaks, behind: "" }
    }

    fn insertion(&self, d: &Draft) -> String {
        format!("{}{}{}", self.breaks, d.text(self.indent), self.behind)
    }

    fn recorded(&self, d: &Draft, title: String, seeded: bool, notes: Vec<String>) -> Recorded {
        let text = self.insertion(d);
        let from = text.find(&title).unwrap_or(0);
        let title_at = from..from + title.len();
        Recorded { file: self.file.clone(), at: self.at, text, title, title_at, seeded, notes }
    }
}

/// Runs a draft; expectations that cannot be said or do not hold are left out. Gives those that are left.
///
/// # Errors
/// Why the test does not pass, or that nothing is left to be expected.
fn settle(files: &Files, home: &Home, title: &str, mut d: Draft) -> Result<Vec<String>, String> {
    let mut last = String::new();
    for _ in 0..2 * EXPECTED + 8 {
        if d.expected.is_empty() {
            return Err(format!("nothing that came of it can be said as a test{last}"));
        }
        let put = home.insertion(&d);
        let mut all = Files::new();
        let mut id = None;
        for (_, f) in files.iter() {
            let mut f = f.clone();
            if f.name == home.file {
                let mut text = f.text.clone();
                if !text.is_char_boundary(home.at.min(text.len())) {
                    return Err(String::from("the file has changed"));
                }
                text.insert_str(home.at.min(text.len()), &put);
                f = File::new(f.name.clone(), text);
                id = Some(all.add(f));
                continue;
            }
            all.add(f);
        }
        let Some(id) = id else { return Err(format!("there is no file {} to put it in", home.file)) };
        // The line of the draft that a place belongs to, from 0.
        let line = |span: Span| {
            let at = span.range().start.checked_sub(home.at)?;
            let before = put.get(..at)?;
            (span.file == id).then(|| before.get(home.breaks.len()..).unwrap_or("").matches('\n').count())
        };
        let wrong = match Game::load_with_files(&all) {
            Err((files, report)) => {
                let first = report.findings.into_iter().find(|x| x.is_error());
                first.map(|x| (line(x.at.span), format!("{}: {}", files.place(x.at.span), x.message)))
            }
            Ok(game) => {
                let results = testing::run(&game, Some(title));
                let mine = results.into_iter().find(|r| r.title == title);
                match mine {
                    None => Some((None, String::from("the test is not there"))),
                    Some(r) => r.failure.map(|f| (line(f.span), f.to_string())),
                }
            }
        };
        let Some((line, why)) = wrong else { return Ok(d.expected) };
        // The head is line 0.
        let expectation =
            line.and_then(|l| l.checked_sub(1 + d.lines.len())).filter(|i| *i < d.expected.len());
        match expectation {
            // What is to be shown must hold.
            Some(i) if !d.expected.get(i).is_some_and(|e| e.starts_with("refuse")) => {
                d.expected.remove(i);
                last = format!(": {why}");
            }
            _ => return Err(why),
        }
    }
    Err(String::from("too little of what came of it can be said as a test"))
}
