//! Records a match as a `test` block: its set-up, the draws of chance, the choices, and what the last one changed. The test is run before it is returned, so it passes.
//!
//! Chance is said, not drawn: what was rolled, drawn and shuffled stands before the choice that it came on (`table rolls`, `table draws`, `table shuffles`), so the test hangs on no
//! seed. Where that cannot be said (a thing of which there are several that only their places tell apart) one way is left: the test is bound to the seed that was played, and says so.
mod chance;
mod differ;
mod draft;
mod replay;
mod words;

use crate::given;
use chance::{Depth, Lots};
use differ::{StateSnapshot, list_changes};
use draft::{Draft, Home, make_body, run_draft, try_draft};
use houserule_engine::{Chanced, Choice, EventKind, Question, State, Verdict, thing_word};
use houserule_model::hir::Model;
use houserule_play::setup::player_range;
use houserule_play::{Game, Match, Setup};
use houserule_program::ir::Program;
use houserule_text::{Files, Span};
use std::fmt::Write as _;
use std::ops::Range;
use std::sync::Arc;
use words::write_choice;

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

/// Names of players in tests, whoever played.
const CAST: [&str; 12] = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ida", "Jon", "Kay", "Lou"];

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
    /// What chance brought on it.
    lots: Lots,
    /// The choice, or how the match starts.
    says: String,
}

/// The `given` block in which a match began.
struct GivenBlock {
    /// Its statements.
    body: String,
    /// All of it, as the match that is told began in it.
    text: String,
}

/// Makes a test of a match from its beginning to where it stands. `files` are the game's texts, as it was loaded from them.
///
/// # Errors
/// Why what was played cannot be said as a test, in a sentence.
pub fn record_test(m: &Match, files: &Files, wish: &Wish) -> Result<Recorded, String> {
    let mut played = Played::replay_match(m)?;
    let left_out = played.describe_left_out();
    let (stretches, unsaid) = played.list_stretches(files)?;
    let refusal = match &wish.refused {
        Some((seat, words)) => Some(played.make_refusal(m, *seat, words)?),
        None => None,
    };
    let expected = played.list_expectations(refusal)?;
    let place = Home::find_home(m, files, &played.last_rule());
    let mut title =
        if wish.title.trim().is_empty() { played.last_choice_title() } else { wish.title.trim().to_string() };
    title = unused_title(m.game(), &to_title(&title));
    let head = played.make_head(&title);
    let draft = |seeds: &str, chance: Option<Depth>, expected: &[String]| Draft {
        head: format!("{head}{seeds} {{"),
        lines: make_body(&played.given, &played.options, &stretches, chance),
        expected: expected.to_vec(),
    };
    let mut why = unsaid.clone();
    for depth in [Depth::Touched, Depth::Whole].into_iter().filter(|_| unsaid.is_none()) {
        let seeds = format!(" seeds 1..{TRIED}");
        match run_draft(files, &place, &title, draft(&seeds, Some(depth), &expected)) {
            Ok(kept) => {
                let last = Draft { expected: kept, ..draft("", Some(depth), &[]) };
                return Ok(place.to_recorded(&last, title, false, left_out));
            }
            Err(e) => why = why.or(Some(e)),
        }
    }
    let why = why.unwrap_or_default();
    let seed = m.setup().seed;
    if u32::try_from(seed).is_err() {
        return Err(format!("it depends on chance, and a test cannot name the seed {seed}: {why}"));
    }
    let seeds = format!(" seeds {seed}..{seed}");
    let kept = run_draft(files, &place, &title, draft(&seeds, None, &expected))?;
    let mut notes = vec![format!("it depends on the seed {seed}: {why}")];
    notes.extend(left_out);
    let last = Draft { expected: kept, ..draft(&seeds, None, &[]) };
    Ok(place.to_recorded(&last, title, true, notes))
}

/// Writes a match up to where it stands as a block, from which matches can begin ([`given::Situation`]). What was rolled, drawn and uncovered is said. What still lies hidden where it was
/// shuffled is not: another seed shuffles that otherwise.
///
/// # Errors
/// Why it cannot be said, in a sentence.
pub fn record_given(m: &Match, files: &Files) -> Result<String, String> {
    let mut played = Played::replay_match(m)?;
    let (stretches, unsaid) = played.list_stretches(files)?;
    let mut why = unsaid.clone();
    for depth in [Depth::Touched, Depth::Whole].into_iter().filter(|_| unsaid.is_none()) {
        let lines = make_body(&played.given, &played.options, &stretches, Some(depth));
        let head = format!("given{} {{", played.words_of_setup());
        let text = Draft { head, lines, expected: Vec::new() }.to_text("");
        match given::Situation::read(files, &text, m.setup()).and_then(|s| s.begin(1).and(s.begin(2))) {
            Ok(_) => return Ok(text),
            Err(wrong) => why = why.or(wrong.first_finding().map(|d| d.message.clone())),
        }
    }
    Err(why.unwrap_or_default())
}

/// Makes a test of a match that ends where the rules fail: in what stands after its last choice, or in `last`, a choice that cannot be made without it. The test fails
/// as the match does, with a message that contains `message`; without one it is not run.
///
/// # Errors
/// Why what was played cannot be said as a test that fails so.
pub fn record_failure(
    m: &Match,
    files: &Files,
    last: Option<(&Question, &Choice)>,
    title: &str,
    message: Option<&str>,
) -> Result<String, String> {
    let mut played = Played::replay_match(m)?;
    let (mut stretches, unsaid) = played.list_stretches(files)?;
    if let Some((q, choice)) = last {
        stretches.push(played.list_failing_stretch(q, choice)?);
    }
    let title = unused_title(m.game(), &to_title(title));
    let place = Home::find_home(m, files, &None);
    let head = played.make_head(&title);
    let seed = m.setup().seed;
    let mut why = unsaid.clone().unwrap_or_default();
    let said = [Some(Depth::Touched), Some(Depth::Whole)].into_iter().filter(|_| unsaid.is_none());
    for chance in said.chain([None]) {
        let seeds = if chance.is_none() { format!(" seeds {seed}..{seed}") } else { String::new() };
        let draft = Draft {
            head: format!("{head}{seeds} {{"),
            lines: make_body(&played.given, &played.options, &stretches, chance),
            expected: Vec::new(),
        };
        let Some(message) = message else { return Ok(draft.to_text("")) };
        match try_draft(files, &place, &title, &draft)? {
            Some((_, told)) if told.contains(message) => return Ok(draft.to_text("")),
            Some((_, told)) => why = told,
            None => why = String::from("it passes"),
        }
    }
    Err(why)
}

/// Makes a test of a match whose rules fail before anybody is asked; it fails so, too, with a message that contains `message`.
///
/// # Errors
/// Why it cannot be said as a test that fails so.
pub fn record_failing_start(
    game: &Game,
    files: &Files,
    setup: &Setup,
    title: &str,
    message: &str,
) -> Result<String, String> {
    let model = game.model();
    let seats = setup.players.unwrap_or_else(|| player_range(model, None).0) as usize;
    let named = model.named_players().filter_map(|id| model.members.get(id.index()));
    let mut with: Vec<String> = named.take(seats).map(|x| x.name.to_string()).collect();
    if with.is_empty() {
        with = names_for_players(model, seats);
    }
    with.extend(setup.variants.iter().cloned());
    let on = setup.scenario.as_ref().map_or(String::new(), |s| format!(" on {s}"));
    let title = unused_title(game, &to_title(title));
    let (seed, who) = (setup.seed, with.join(", "));
    let mut lines: Vec<String> =
        setup.options.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    lines.push(String::from("start at setup"));
    let head = format!("test \"{title}\"{on} with {who} seeds {seed}..{seed} {{");
    let draft = Draft { head, lines, expected: Vec::new() };
    match try_draft(files, &Home::at_the_end(files), &title, &draft)? {
        Some((_, told)) if told.contains(message) => Ok(draft.to_text("")),
        Some((_, told)) => Err(told),
        None => Err(String::from("it passes")),
    }
}

/// A title without what a text cannot hold.
fn to_title(text: &str) -> String {
    text.replace('"', "'").replace(['{', '}', '\\'], "")
}

/// Names of players that mean nothing else in the rules; empty if players have names of their own.
pub fn names_for_players(model: &Model, seats: usize) -> Vec<String> {
    match model.named_players().next() {
        Some(_) => Vec::new(),
        None => replay::choose_names(model, None, seats),
    }
}

/// A title that no test of the game has.
fn unused_title(game: &Game, title: &str) -> String {
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

/// The match, played again with names that can stand in a test ([`Played::replay_match`]).
struct Played {
    m: Match,
    /// Choices up to where it stands.
    steps: usize,
    /// The block that it began in.
    given: Option<GivenBlock>,
    /// Options as statements.
    options: Vec<String>,
    scenario: Option<String>,
    /// Names and variants behind `with`.
    with: Vec<String>,
    /// So many `done`s that were taken back are left out.
    left_out: usize,
}

impl Played {
    fn make_head(&self, title: &str) -> String {
        format!("test \"{title}\"{}", self.words_of_setup())
    }

    /// ` on SCENARIO with WHO, VARIANT`, as far as there are any.
    fn words_of_setup(&self) -> String {
        let mut out = String::new();
        if let Some(s) = &self.scenario {
            let _ = write!(out, " on {s}");
        }
        if !self.with.is_empty() {
            let _ = write!(out, " with {}", self.with.join(", "));
        }
        out
    }

    /// The last choice, as a title.
    fn last_choice_title(&self) -> String {
        let last = self.steps.checked_sub(1).and_then(|i| self.m.steps().get(i));
        last.map_or_else(
            || String::from("how it begins"),
            |s| format!("{} plays {}", self.m.player_name(s.player), s.words.replace('_', " ")),
        )
    }

    /// The choices with what chance brought on each, and why that cannot be said, if it cannot.
    fn list_stretches(&mut self, files: &Files) -> Result<(Vec<Stretch>, Option<String>), String> {
        let told = self.collect_lots(files);
        let mut stretches = Vec::new();
        for step in 0..=self.steps {
            stretches.push(Stretch { lots: Lots::default(), says: self.describe_step(step)? });
        }
        let unsaid = match told {
            Ok(lots) => {
                for (s, lots) in stretches.iter_mut().zip(lots) {
                    s.lots = lots;
                }
                None
            }
            Err(why) => Some(why),
        };
        Ok((stretches, unsaid))
    }

    /// Where the rule stands that told of the last choice.
    fn last_rule(&self) -> Option<Span> {
        self.m.log_since(None, self.steps).last().map(|l| l.span).filter(|s| !s.range().is_empty())
    }

    fn program(&self) -> Arc<Program> {
        self.m.program().clone()
    }

    /// The state after so many choices.
    fn state_after(&mut self, step: usize) -> Result<State, String> {
        if !self.m.at(step) {
            return Err(format!("step {step} cannot be played again"));
        }
        Ok(self.m.state().clone())
    }

    /// What chance brought on each choice, the first of them on the start.
    ///
    /// # Errors
    /// What of it cannot be said.
    fn collect_lots(&mut self, files: &Files) -> Result<Vec<Lots>, String> {
        let p = self.program();
        let told = |lots: Vec<Chanced>| Lots::from_chance(&p, &lots);
        let mut machine = self.m.game().make_machine(p.clone(), self.m.setup().seed);
        let mut out = Vec::new();
        if let Some(given) = &self.given {
            out.push(told(given::chance_of_block(files, &given.text, self.m.setup()))?);
            let first = self.state_after(0)?;
            machine.set_state(&first);
            machine.log_chance(true);
        } else {
            machine.log_chance(true);
            machine.start().map_err(|_| String::from("it cannot be started again"))?;
            out.push(told(machine.take_chance())?);
        }
        for step in 1..=self.steps {
            let chosen = self.m.steps().get(step - 1).cloned();
            let Some(s) = chosen else { break };
            // A clock goes to a state that was there before: nothing is left to chance.
            if s.choice == Choice::TimeUp {
                let after = self.state_after(step)?;
                machine.set_state(&after);
            } else {
                let q = machine.questions().iter().position(|q| q.id == s.question);
                let taken = q.is_some_and(|q| machine.choose(q, &s.choice).is_ok());
                if !taken {
                    return Err(format!("step {step} cannot be played again"));
                }
            }
            out.push(told(machine.take_chance())?);
        }
        let shuffled: Vec<usize> =
            (0..out.len()).filter(|i| out.get(*i).is_some_and(Lots::has_shuffled)).collect();
        for step in shuffled.first().copied().unwrap_or(usize::MAX)..=self.steps {
            let state = self.state_after(step)?;
            machine.set_state(&state);
            for i in shuffled.iter().copied().filter(|i| *i <= step) {
                let (to, since) = out.split_at_mut(i + 1);
                if let Some(lots) = to.last_mut() {
                    lots.note_depth(machine.look(), since.get(..step - i).unwrap_or(&[]));
                }
            }
        }
        Ok(out)
    }

    /// A choice that brings a failure, with what chance brings on it before that.
    fn list_failing_stretch(&mut self, q: &Question, choice: &Choice) -> Result<Stretch, String> {
        let state = self.state_after(self.steps)?;
        let own = self.m.questions().iter().copied().find(|own| replay::is_same_question(own, q));
        let own = own.ok_or_else(|| String::from("the last choice cannot be played again"))?;
        let says = self.write_answer_to(&own, choice);
        let p = self.program();
        let mut machine = self.m.game().make_machine(p.clone(), self.m.setup().seed);
        machine.set_state(&state);
        machine.log_chance(true);
        let at = machine.questions().iter().position(|x| x.id == own.id);
        if let Some(at) = at {
            // It fails; what was rolled before that is wanted.
            let _ = machine.choose(at, choice);
        }
        let lots = Lots::from_chance(&p, &machine.take_chance()).unwrap_or_default();
        Ok(Stretch { lots, says })
    }

    /// What is said of a choice: how the match starts, or the choice itself.
    fn describe_step(&mut self, step: usize) -> Result<String, String> {
        let Some(before) = step.checked_sub(1) else {
            return Ok(String::from(if self.given.is_none() { "start at setup" } else { "" }));
        };
        self.state_after(before)?;
        match self.m.steps().get(before).cloned() {
            Some(s) => self.write_answer(&s),
            None => Ok(String::new()),
        }
    }

    /// A choice as a test says it, in the state before it, in which the match stands.
    fn write_answer(&mut self, s: &houserule_play::Step) -> Result<String, String> {
        let q = self.m.questions().iter().find(|q| q.id == s.question).copied();
        let Some(q) = q else { return Err(String::from("a choice cannot be played again")) };
        Ok(self.write_answer_to(&q, &s.choice))
    }

    /// A choice as a test says it, as the answer to a question that is put where the match stands.
    fn write_answer_to(&mut self, q: &Question, choice: &Choice) -> String {
        let p = self.program();
        let who = match q.anybody {
            true => String::from("table"),
            false => thing_word(&p, p.player_universe, i64::from(q.player)),
        };
        format!("{who}: {}", write_choice(self.m.machine().look(), q.kind, choice))
    }

    /// What holds where the line ends, a statement each, the strongest first.
    fn list_expectations(&mut self, refusal: Option<String>) -> Result<Vec<String>, String> {
        let p = self.program();
        let before = match self.steps.checked_sub(1) {
            Some(b) => Some(self.state_after(b)?),
            None => None,
        };
        let after = self.state_after(self.steps)?;
        let mut out = Vec::new();
        let acted = refusal.is_none();
        out.extend(refusal);
        let mut machine = self.m.game().make_machine(p.clone(), 1);
        if let Some(b) = before.filter(|_| acted) {
            machine.set_state(&b);
            let then = StateSnapshot::from_look(machine.look());
            machine.set_state(&after);
            let now = StateSnapshot::from_look(machine.look());
            out.extend(list_changes(&p, &then, &now));
        }
        if let Some(outcome) = self.m.machine().outcome().cloned() {
            for (i, v) in outcome.verdicts.iter().enumerate() {
                let who = thing_word(&p, p.player_universe, i as i64);
                let how = match v {
                    Verdict::Won => "won",
                    Verdict::Lost => "lost",
                    Verdict::Tied => "tied",
                };
                let because = match outcome.text_of(i) {
                    "" => String::new(),
                    text => format!(" because \"{}\"", to_plain_text(text)),
                };
                out.push(format!("expect {who} {how}{because}"));
            }
        } else {
            out.extend(self.list_offers());
        }
        if acted {
            let acts = |k: &EventKind| {
                matches!(k, EventKind::Acted(_) | EventKind::Answered | EventKind::Done | EventKind::Passed)
            };
            let last = self.m.log_since(None, self.steps.max(1)).into_iter().rfind(|l| acts(&l.kind));
            out.extend(
                last.map(|l| to_plain_text(&l.text))
                    .filter(|t| !t.is_empty())
                    .map(|t| format!("logged \"{t}\"")),
            );
        }
        Ok(out)
    }

    /// `refuse …` of a choice in words, by a seat. The words are those of the match that was played, whose players may have other names.
    fn make_refusal(&mut self, m: &Match, seat: usize, words: &str) -> Result<String, String> {
        let p = self.program();
        self.state_after(self.steps)?;
        let mut spoken = m.fork();
        let mut told = String::from("this seat is not asked anything there");
        for (i, q) in self.m.questions().to_vec().into_iter().enumerate() {
            if seat >= 32 || q.seats >> seat & 1 == 0 {
                continue;
            }
            let Some(own) =
                spoken.questions().iter().find(|own| replay::is_same_question(own, &q)).map(|own| own.id)
            else {
                continue;
            };
            let choice = match spoken.parse_choice(own, words) {
                Ok(choice) => choice,
                Err(e) => {
                    told = e.to_string();
                    continue;
                }
            };
            let reasons = self.m.machine().why_not_choice(i, &choice);
            let Some(first) = reasons.iter().find(|r| !r.text.is_empty()).or(reasons.first()) else {
                return Err(format!("nothing forbids {words}"));
            };
            let who = match q.anybody {
                true => String::from("table"),
                false => thing_word(&p, p.player_universe, i64::from(q.player)),
            };
            let because = if first.text.is_empty() {
                String::new()
            } else {
                format!(" because \"{}\"", to_plain_text(&first.text))
            };
            return Ok(format!(
                "refuse {who}: {}{because}",
                write_choice(self.m.machine().look(), q.kind, &choice)
            ));
        }
        Err(told)
    }

    /// What is asked of whom, where that is little.
    fn list_offers(&mut self) -> Vec<String> {
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
                let all = self.m.list_options(q.id, 0, OFFERED as usize).unwrap_or_default();
                let look = self.m.machine().look();
                let mut said: Vec<String> =
                    all.iter().map(|o| write_choice(look, q.kind, &o.choice)).collect();
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
fn to_plain_text(text: &str) -> String {
    // A text may hold holes and quotes; what stands before the first of them is enough.
    let end = text.find(['"', '{', '}', '\\', '\n']).unwrap_or(text.len());
    text.get(..end).unwrap_or("").trim().to_string()
}
