//! Replays the match from which a test is made: with names that can stand in rules, and without each `done` that was taken back.
use super::differ::{StateSnapshot, list_changes};
use super::{CAST, GivenBlock, Played};
use crate::given;
use houserule_engine::{Choice, Question, QuestionKind};
use houserule_model::hir::{Model, Test};
use houserule_play::{Game, Match, Setup, Step};
use houserule_text::{Files, Report};

/// Whether two questions are the same one, in matches that count them otherwise.
pub(super) fn is_same_question(a: &Question, b: &Question) -> bool {
    (a.player, a.anybody, a.kind, a.span) == (b.player, b.anybody, b.kind, b.span)
}

impl Played {
    /// Plays a match again, up to where it stands.
    ///
    /// # Errors
    /// Why it cannot be.
    pub(super) fn replay_match(m: &Match) -> Result<Played, String> {
        let model = m.game().model();
        let set = m.setup();
        let block = m.given_text().and_then(|_| model.tests.iter().find(|t| *t.title == *given::TITLE));
        let mut given = None;
        if let Some(text) = m.given_text() {
            let Some((_, body)) = given::split_block(text) else {
                return Err(String::from("the state at the beginning of the match cannot be read"));
            };
            given = Some(GivenBlock { body, text: text.to_string() });
        }
        let own: Vec<&str> =
            model.named_players().filter_map(|id| model.members.get(id.index())).map(|x| &*x.name).collect();
        let seats = m.seat_count();
        // Whoever played it: people's own names belong into no rules, and not each of them could stand there.
        let mut names = Vec::new();
        let cast: Vec<String> = match block {
            Some(t) if !t.cast.is_empty() => t.cast.iter().map(ToString::to_string).collect(),
            _ if own.is_empty() => {
                names = choose_names(model, given.as_ref(), seats);
                names.clone()
            }
            // Players with names of their own are named where the fewest would be others.
            _ if fewest_players(m.game(), set) != seats => {
                own.into_iter().take(seats).map(String::from).collect()
            }
            _ => Vec::new(),
        };
        let (steps, left_out) = choices_kept(m.steps().get(..m.step()).unwrap_or(&[]));
        let named = block.is_some_and(|t| !t.cast.is_empty());
        let again = match &given {
            // The very match can be told.
            Some(_) if named && left_out == 0 => m.fork(),
            _ => {
                let names = if named { set.names.clone() } else { names };
                let again = Setup { names, players: Some(seats as u32), ..set.clone() };
                let mut again = begin_again(m, given.as_ref(), &again)?;
                replay_choices(m, &steps, &mut again)?;
                if left_out > 0 {
                    check_agreement(&mut m.fork(), &mut again)?;
                }
                again
            }
        };
        // What is in force stands in the program; a scenario that was not named is the first.
        let first = || model.first_scenario().map(|s| s.name.to_string());
        let scenario = set.scenario.clone().or_else(first);
        let mut with = cast;
        with.extend(set.variants.iter().cloned());
        // Those that the block sets stand in it.
        let inside = |word: &str| block.is_some_and(|t| is_option_set(model, t, word));
        let options = set.options.iter().filter(|(k, _)| !inside(k)).map(|(k, v)| format!("{k} = {v}"));
        Ok(Played {
            steps: steps.len(),
            options: options.collect(),
            m: again,
            given,
            scenario,
            with,
            left_out,
        })
    }

    /// What is said of the `done`s that are left out.
    pub(super) fn describe_left_out(&self) -> Option<String> {
        let told = match self.left_out {
            0 => return None,
            1 => "a `done` that was taken back is left out",
            _ => "each `done` that was taken back is left out",
        };
        Some(String::from(told))
    }
}

/// Whether a test sets an option.
fn is_option_set(model: &Model, t: &Test, word: &str) -> bool {
    t.options.iter().any(|(o, _)| model.options.get(o.index()).is_some_and(|o| *o.name == *word))
}

/// Names that mean nothing else in the rules, nor in the block that the match began in.
pub(super) fn choose_names(model: &Model, given: Option<&GivenBlock>, seats: usize) -> Vec<String> {
    let body = given.map_or("", |g| g.body.as_str());
    let words: Vec<&str> = body.split(|c: char| !(c.is_alphanumeric() || c == '_')).collect();
    let taken = |name: &String| {
        model.kinds.iter().any(|k| *k.name == **name)
            || model.members.iter().any(|x| *x.name == **name)
            || words.contains(&name.as_str())
    };
    let all = CAST.iter().map(|s| String::from(*s)).chain((1..).map(|n| format!("P{n}")));
    all.filter(|name| !taken(name)).take(seats).collect()
}

/// As how few a set-up is played.
fn fewest_players(game: &Game, set: &Setup) -> usize {
    let fewest = game.lower_setup(&Setup { players: None, names: Vec::new(), ..set.clone() });
    fewest.map_or(0, |p| usize::from(p.seats))
}

/// A match from its beginning, or from the block that it began in.
fn begin_again(m: &Match, given: Option<&GivenBlock>, again: &Setup) -> Result<Match, String> {
    let told = |r: Report| r.findings.first().map_or_else(String::new, |d| d.message.clone());
    let Some(block) = given else { return m.game().start(again).map_err(told) };
    let mut files = Files::new();
    for (_, f) in m.game().files().iter().filter(|(_, f)| f.name != given::NAME) {
        files.add(f.clone());
    }
    given::begin_match(&files, &block.text, again).map_err(|w| told(w.report))
}

/// The choices without each `done` that was taken back, and how many these were.
fn choices_kept(steps: &[Step]) -> (Vec<usize>, usize) {
    let mut out: Vec<usize> = Vec::new();
    let mut left = 0;
    for (i, s) in steps.iter().enumerate() {
        let own = |n: &usize| steps.get(*n).is_some_and(|x| x.player == s.player && x.choice == Choice::Done);
        match out.iter().rposition(own).filter(|_| s.choice == Choice::NotDone) {
            Some(done) => {
                out.remove(done);
                left += 1;
            }
            None => out.push(i),
        }
    }
    (out, left)
}

/// Plays choices of a match again.
fn replay_choices(m: &Match, steps: &[usize], again: &mut Match) -> Result<(), String> {
    let mut was = m.fork();
    let told = |e: String| format!("it cannot be played again: {e}");
    for i in steps {
        let gone = || told(format!("there is no choice {}", i + 1));
        let s = m.steps().get(*i).ok_or_else(gone)?;
        let of = if was.at(*i) { was.questions().iter().find(|q| q.id == s.question).copied() } else { None };
        let like = |q: &&Question| of.is_some_and(|of| is_same_question(q, &of));
        // Where nothing is left out both count alike.
        let now = again.questions().iter().find(|q| q.id == s.question && like(q));
        let now = now.or(again.questions().iter().find(like)).map_or(s.question, |q| q.id);
        again.choose(s.seat, now, &s.choice).map_err(|e| told(e.to_string()))?;
    }
    Ok(())
}

/// Whether play stands where it stood, without what was left out.
fn check_agreement(m: &mut Match, again: &mut Match) -> Result<(), String> {
    let asked = |m: &Match| -> Vec<(u8, bool, QuestionKind)> {
        m.questions().iter().map(|q| (q.player, q.anybody, q.kind)).collect()
    };
    let (then, now) =
        (StateSnapshot::from_look(m.machine().look()), StateSnapshot::from_look(again.machine().look()));
    if asked(m) == asked(again) && list_changes(m.program(), &then, &now).is_empty() {
        return Ok(());
    }
    Err(String::from("a `done` was taken back, and without the two of them play would stand elsewhere"))
}
