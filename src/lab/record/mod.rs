//! A test out of what was played: its set-up, what chance brought, the choices, and what came of the last one. It is run before it is handed over, so it passes at once.
//!
//! Chance is said, not drawn: rolls stand before the choice that they answer, what was dealt is laid down, what is drawn from a shuffled place is brought to its top before. To find
//! out what hangs on chance, every stretch is played again under other seeds from the state in which it began, and compared. What chance decides in a way that a test cannot say (who
//! begins, how often something is repeated) leaves one way: the test is bound to the seed that was played, and says so.
mod differ;
mod draft;
mod words;

use crate::engine::{Choice, EventKind, Machine, State, Verdict, thing_word};
use crate::model::hir::ScopeKind;
use crate::play::{Game, Match, Setup};
use crate::program::ir::Program;
use crate::text::{Files, Span};
use differ::{Seen, changed, compare, drawn_from, laid_down};
use draft::{Draft, Home, body, settle};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::ops::Range;
use std::sync::Arc;
use words::said;

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
            let last = self.m.log_since(None, self.steps.max(1)).into_iter().rfind(|l| acts(&l.kind));
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
