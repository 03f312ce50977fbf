//! Saves and replays: the set-up of a match and its choices in words. Loading one plays it again and checks every step.
//!
//! A save is RON, one choice a line, so that people can read, compare and mend it. Every choice carries a check sum over everything before it: a line that was
//! edited is found at its place, not where play later happens to part. A file that is cut off or broken in the middle is replayed up to there; one of other rules as
//! far as it agrees; one of another game, or of a newer format, is refused.
use super::game::Game;
use super::matches::{Ending, Match};
use super::refused::Illegal;
use super::setup::Setup;
use super::words::{NOT_DONE, TIME_UP};
use houserule_engine::{MIXER, thing_word};
use houserule_model::hir::ScopeKind;
use houserule_text::Report;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The newest format that is known; older ones are read, newer ones refused.
pub const FORMAT: u32 = 3;

/// The oldest format that holds a match.
const PLAIN: u32 = 1;

/// The oldest that holds one that began in a given state; where time is measured, the newest is needed.
const GIVEN: u32 = 2;

/// A save as it stands in the file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Save {
    /// The version of the format.
    pub format: u32,
    /// The mixer of random numbers.
    pub mixer: String,
    /// The game's word.
    pub game: String,
    /// The fingerprint of rules and set-up, in hexadecimal digits.
    pub rules: String,
    /// The scenario's word.
    #[serde(default)]
    pub scenario: Option<String>,
    /// Variants that are on.
    #[serde(default)]
    pub variants: Vec<String>,
    /// Titles of the mods in force.
    #[serde(default)]
    pub mods: Vec<String>,
    /// Options that were given.
    #[serde(default)]
    pub options: BTreeMap<String, String>,
    /// How many players.
    pub players: u32,
    /// Their names, if they were given any.
    #[serde(default)]
    pub names: Vec<String>,
    /// Who sat there, as the command line names them.
    #[serde(default)]
    pub seats: Vec<String>,
    /// Of all chance.
    pub seed: u64,
    /// Whether time was measured.
    #[serde(default)]
    pub timed: bool,
    /// The text of the state in which it began, if that is not the game's beginning.
    #[serde(default)]
    pub given: Option<String>,
    /// What was chosen.
    #[serde(default)]
    pub choices: Vec<SavedChoice>,
    /// Draws of all streams at the end.
    #[serde(default)]
    pub draws: Option<u64>,
    /// How it stood at the end, if it was over.
    #[serde(default)]
    pub result: Option<String>,
}

/// One choice.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SavedChoice {
    /// The seat that answered, from 0.
    pub seat: usize,
    /// The word of the player on whose behalf.
    pub player: String,
    /// The choice in words.
    pub says: String,
    /// Over all that comes before it, and itself. Absent: not checked (written by hand).
    #[serde(default)]
    pub check: Option<u32>,
}

/// Why nothing could be loaded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LoadError {
    /// It is no save, or too little is left of it.
    Unreadable {
        /// From 1.
        line: usize,
        /// From 1.
        column: usize,
        /// What is wrong there.
        message: String,
    },
    /// It is of another game, or of a format that is not known here.
    Foreign(String),
    /// The set-up that it names cannot be made.
    Setup(Report),
    /// The state in which it began cannot be made.
    Given {
        /// In the save, from 1.
        line: usize,
        /// From 1.
        column: usize,
        /// What is wrong there.
        message: String,
    },
}

impl std::fmt::Display for LoadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LoadError::Unreadable { line, column, message } => write!(f, "{line}:{column}: {message}"),
            LoadError::Foreign(why) => f.write_str(why),
            LoadError::Given { line, column, message } => {
                write!(f, "{line}:{column}: the state in which it began cannot be made: {message}")
            }
            LoadError::Setup(r) => {
                let all: Vec<&str> = r.findings.iter().map(|d| d.message.as_str()).collect();
                write!(f, "it cannot be set up: {}", all.join("; "))
            }
        }
    }
}

impl std::error::Error for LoadError {}

/// Where a replay left what was saved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parted {
    /// After so many choices.
    pub step: usize,
    /// The line of the file, from 1, where it is known.
    pub line: Option<usize>,
    /// Whose choice cannot be taken again; none at the end of what was saved.
    pub seat: Option<usize>,
    /// Why. It may hold the words of that choice.
    pub why: String,
}

impl Parted {
    /// Leaves out what a reader may not know: the words of others' choices, and what was drawn. Without a seat the reader may know everything.
    pub fn redact_for(&self, reader: Option<usize>) -> Parted {
        let why = match (reader, self.seat) {
            (None, _) => self.why.clone(),
            (Some(r), Some(s)) if r == s => self.why.clone(),
            (Some(_), Some(s)) => format!("the choice of seat {} cannot be taken again", s + 1),
            (Some(_), None) => String::from("the file is incomplete, or it does not fit the rules"),
        };
        Parted { why, ..self.clone() }
    }
}

impl std::fmt::Display for Parted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}, after {} choices: {}", self.step, self.why),
            None => write!(f, "after {} choices: {}", self.step, self.why),
        }
    }
}

/// A match that was loaded.
pub struct Loaded {
    /// The match, after the last choice that agrees.
    pub game: Match,
    /// Where it parts from what was saved, if it does.
    pub parted: Option<Parted>,
    /// The rules are not those that it was saved with.
    pub other_rules: bool,
}

impl std::fmt::Debug for Loaded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "Loaded {{ step: {}, parted: {:?}, other_rules: {} }}",
            self.game.step(),
            self.parted,
            self.other_rules
        )
    }
}

/// A save that was read, with what is missing of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Read {
    /// What could be read.
    pub save: Save,
    /// The line where the file is cut off or broken, and why.
    pub broken: Option<(usize, String)>,
}

impl Save {
    /// Reads a file. What is cut off or broken among the choices is left out, and told.
    ///
    /// # Errors
    /// What is wrong, and where, if not even the set-up can be read.
    pub fn read(text: &str) -> Result<Read, LoadError> {
        let e = match parse_save(text) {
            Ok(save) => return Ok(Read { save, broken: None }),
            Err(e) => e,
        };
        // Choices that stand before the place of the error are whole; the rest of the file is given up.
        let lines: Vec<&str> = text.lines().collect();
        let whole = lines.iter().take(e.line.saturating_sub(1)).rposition(|l| is_choice(l));
        let opened = lines.iter().rposition(|l| l.trim() == OPENED);
        let last = match (whole, opened) {
            (Some(w), _) => w,
            (None, Some(o)) if o + 1 < e.line.max(lines.len()) => o,
            _ => return Err(LoadError::Unreadable { line: e.line, column: e.column, message: e.message }),
        };
        let mut kept: String = lines.iter().take(last + 1).fold(String::new(), |mut s, l| {
            s.push_str(l);
            s.push('\n');
            s
        });
        kept.push_str("],\n)\n");
        match parse_save(&kept) {
            Ok(save) => Ok(Read { save, broken: Some((last + 2, e.message)) }),
            Err(_) => Err(LoadError::Unreadable { line: e.line, column: e.column, message: e.message }),
        }
    }

    /// The set-up that it names.
    pub fn to_setup(&self) -> Setup {
        Setup {
            scenario: self.scenario.clone(),
            players: Some(self.players),
            seed: self.seed,
            options: self.options.clone(),
            variants: self.variants.clone(),
            mods: Some(self.mods.clone()),
            names: self.names.clone(),
            seats: self.seats.clone(),
            timed: self.timed,
        }
    }

    /// The text of the file.
    pub fn to_text(&self) -> String {
        let mut out = format!(
            "// A match of {}. Choices stand in words; loading plays them again and checks them.\n(\n",
            self.game
        );
        let q = |s: &str| quote(s);
        let list = |all: &[String]| format!("[{}]", all.iter().map(|s| q(s)).collect::<Vec<_>>().join(", "));
        let _ = writeln!(out, "    format: {},\n    mixer: {},", self.format, q(&self.mixer));
        let _ = writeln!(out, "    game: {},\n    rules: {},", q(&self.game), q(&self.rules));
        let scenario =
            self.scenario.as_ref().map_or_else(|| String::from("None"), |s| format!("Some({})", q(s)));
        let _ = writeln!(out, "    scenario: {scenario},\n    variants: {},", list(&self.variants));
        let options: Vec<String> = self.options.iter().map(|(k, v)| format!("{}: {}", q(k), q(v))).collect();
        let _ = writeln!(out, "    mods: {},\n    options: {{{}}},", list(&self.mods), options.join(", "));
        let _ = writeln!(out, "    players: {},\n    names: {},", self.players, list(&self.names));
        let _ = writeln!(out, "    seats: {},\n    seed: {},", list(&self.seats), self.seed);
        if self.timed {
            let _ = writeln!(out, "    timed: true,");
        }
        if let Some(given) = &self.given {
            let _ = writeln!(out, "    given: Some({}),", raw_string(given));
        }
        let _ = writeln!(out, "    {OPENED}");
        for c in &self.choices {
            let check = c.check.map_or_else(String::new, |n| format!(", check: Some({n})"));
            let _ = writeln!(
                out,
                "        (seat: {}, player: {}, says: {}{check}),",
                c.seat,
                q(&c.player),
                q(&c.says)
            );
        }
        let draws = self.draws.map_or_else(|| String::from("None"), |n| format!("Some({n})"));
        let result = self.result.as_ref().map_or_else(|| String::from("None"), |s| format!("Some({})", q(s)));
        let _ = writeln!(out, "    ],\n    draws: {draws},\n    result: {result},\n)");
        out
    }

    /// The check sum before the first choice: over the set-up.
    fn first_check(&self) -> u32 {
        let setup = format!(
            "{:?}",
            (&self.game, &self.scenario, &self.variants, &self.mods, &self.options, self.players, self.seed)
        );
        let sum = add_fnv(0x811c_9dc5, &setup);
        let sum = if self.timed { add_fnv(sum, "timed") } else { sum };
        self.given.as_ref().map_or(sum, |text| add_fnv(sum, text))
    }
}

/// The line that the choices stand behind.
const OPENED: &str = "choices: [";

/// A text of several lines as RON writes it so that the lines stay.
pub(crate) fn raw_string(s: &str) -> String {
    if !s.contains('\n') || s.contains(|c: char| c.is_control() && !matches!(c, '\n' | '\t')) {
        return quote(s);
    }
    let longest = s.split('"').skip(1).map(|rest| rest.bytes().take_while(|b| *b == b'#').count()).max();
    let fence = "#".repeat(longest.map_or(1, |n| n + 1));
    format!("r{fence}\"{s}\"{fence}")
}

/// Where byte `at` of a given text stands in the save that holds it: line and column, from 1.
pub fn place_of_given(save: &str, given: &str, at: usize) -> (usize, usize) {
    let field = save.find("given: Some(").unwrap_or(0);
    let start = save.get(field..).and_then(|rest| rest.find(given)).map_or(field, |i| field + i + at);
    let before = save.get(..start).unwrap_or("");
    let line = before.rsplit('\n').next().unwrap_or("");
    (before.matches('\n').count() + 1, line.chars().count() + 1)
}

/// A text as RON writes it.
fn quote(s: &str) -> String {
    ron::to_string(s).unwrap_or_else(|_| format!("{s:?}"))
}

fn is_choice(line: &str) -> bool {
    let l = line.trim();
    l.starts_with("(seat:") && l.ends_with("),")
}

struct Unread {
    line: usize,
    column: usize,
    message: String,
}

fn parse_save(text: &str) -> Result<Save, Unread> {
    ron::from_str::<Save>(text).map_err(|e| Unread {
        line: e.span.start.line.max(1),
        column: e.span.start.col.max(1),
        message: e.code.to_string(),
    })
}

fn add_fnv(mut h: u32, text: &str) -> u32 {
    for b in text.bytes().chain([0]) {
        h = (h ^ u32::from(b)).wrapping_mul(0x0100_0193);
    }
    h
}

fn next_check(before: u32, seat: usize, player: &str, says: &str) -> u32 {
    add_fnv(add_fnv(add_fnv(before, &seat.to_string()), player), says)
}

impl Match {
    /// The match up to now as a save.
    pub fn to_save(&mut self) -> Save {
        let model = self.game().model();
        let setup = self.setup().clone();
        let mods = match &setup.mods {
            Some(mods) => mods.clone(),
            None => {
                model.scopes.iter().filter(|s| s.kind == ScopeKind::Mod).map(|s| s.name.to_string()).collect()
            }
        };
        let program = self.program().clone();
        let mut save = Save {
            format: match (setup.timed, self.given_text()) {
                (true, _) => FORMAT,
                (false, Some(_)) => GIVEN,
                (false, None) => PLAIN,
            },
            mixer: String::from(MIXER),
            game: self.game().name().to_string(),
            rules: format!("{:016x}", program.fingerprint),
            scenario: setup.scenario,
            variants: setup.variants,
            mods,
            options: setup.options,
            players: u32::from(program.seats),
            names: setup.names,
            seats: setup.seats,
            seed: setup.seed,
            timed: setup.timed,
            given: self.given_text().map(String::from),
            choices: Vec::new(),
            draws: Some(self.state().draws().iter().fold(0, |a, b| a.wrapping_add(*b))),
            result: self.result_line(),
        };
        let mut check = save.first_check();
        for s in self.steps().iter().take(self.step()) {
            let player = asked_word(&program, s.player as i64, s.anybody);
            check = next_check(check, s.seat, &player, &s.words);
            save.choices.push(SavedChoice {
                seat: s.seat,
                player,
                says: s.words.clone(),
                check: Some(check),
            });
        }
        save
    }

    /// The match up to now as a file's text.
    pub fn save(&mut self) -> String {
        self.to_save().to_text()
    }

    /// How it ended, in a line; `None` while it goes on.
    pub fn result_line(&mut self) -> Option<String> {
        let ending = self.ending()?;
        Some(match ending {
            Ending::Unfinished(why) => why,
            Ending::Over(o) => {
                let all: Vec<String> = o
                    .verdicts
                    .iter()
                    .enumerate()
                    .map(|(i, v)| {
                        let score = o.scores.get(i).and_then(|s| s.first());
                        let score = score.map_or_else(String::new, |s| format!(" ({s})"));
                        let how = match v {
                            houserule_engine::Verdict::Won => "won",
                            houserule_engine::Verdict::Lost => "lost",
                            houserule_engine::Verdict::Tied => "tied",
                        };
                        format!("{} {how}{score}", self.player_name(i))
                    })
                    .collect();
                all.join(", ")
            }
        })
    }

    /// Plays a save again that began at the game's beginning; [`Match::load_from`] is for all.
    ///
    /// # Errors
    /// Why nothing of it can be played.
    pub fn load(game: &Game, text: &str) -> Result<Loaded, LoadError> {
        Self::load_from(game, text, |_, _| {
            Err(LoadError::Foreign(String::from(
                "this match began in a given state (`given`), which cannot be used here",
            )))
        })
    }

    /// Plays a save again; `begin` makes the beginning of one that began in a given state, out of its text.
    ///
    /// # Errors
    /// Why nothing of it can be played.
    pub fn load_from(
        game: &Game,
        text: &str,
        begin: impl FnOnce(&Save, &str) -> Result<Match, LoadError>,
    ) -> Result<Loaded, LoadError> {
        let read = Save::read(text)?;
        let mut loaded = Self::replay_save(game, &read.save, begin)?;
        let opened = text.lines().collect::<Vec<_>>().iter().rposition(|l| l.trim() == OPENED).unwrap_or(0);
        let lines: Vec<usize> = text
            .lines()
            .enumerate()
            .skip(opened)
            .filter(|(_, l)| l.trim().starts_with("(seat:"))
            .map(|(i, _)| i + 1)
            .collect();
        if let Some(p) = &mut loaded.parted {
            p.line = lines.get(p.step).copied();
        } else if let Some((line, why)) = read.broken {
            let why = format!("the file is incomplete or damaged here: {why}");
            loaded.parted = Some(Parted { step: loaded.game.step(), line: Some(line), seat: None, why });
        }
        Ok(loaded)
    }

    fn replay_save(
        game: &Game,
        save: &Save,
        begin: impl FnOnce(&Save, &str) -> Result<Match, LoadError>,
    ) -> Result<Loaded, LoadError> {
        if save.format == 0 || save.format > FORMAT {
            return Err(LoadError::Foreign(format!(
                "this file has format {}; this version reads formats up to {FORMAT}",
                save.format
            )));
        }
        if save.game != game.name() {
            return Err(LoadError::Foreign(format!(
                "this is a match of {}, not of {}",
                save.game,
                game.name()
            )));
        }
        if save.mixer != MIXER {
            return Err(LoadError::Foreign(format!(
                "its random numbers are of `{}`; here they are of `{MIXER}`",
                save.mixer
            )));
        }
        let mut m = match &save.given {
            Some(text) => begin(save, text)?,
            None => game.start(&save.to_setup()).map_err(LoadError::Setup)?,
        };
        let other_rules = save.rules != format!("{:016x}", m.program().fingerprint);
        let mut check = save.first_check();
        let mut parted = None;
        for (step, c) in save.choices.iter().enumerate() {
            check = next_check(check, c.seat, &c.player, &c.says);
            let why = if c.check.is_some_and(|saved| saved != check) {
                let what = if step == 0 { "this choice, or the set-up," } else { "this choice" };
                Some(format!("{what} was changed after the match was saved: the check sum differs"))
            } else {
                m.retake_choice(c).err()
            };
            if let Some(why) = why {
                parted = Some(Parted { step, line: None, seat: Some(c.seat), why });
                break;
            }
        }
        if parted.is_none() {
            let draws = m.state().draws().iter().fold(0u64, |a, b| a.wrapping_add(*b));
            let result = m.result_line();
            let why = match (save.draws, &save.result) {
                (Some(n), _) if n != draws => Some(format!("{draws} random numbers were drawn, not {n}")),
                (_, Some(r)) if save.draws.is_some() && result.as_deref() != Some(r.as_str()) => Some(
                    format!("it ended otherwise: {}", result.unwrap_or_else(|| String::from("it goes on"))),
                ),
                _ => None,
            };
            parted = why.map(|why| Parted { step: m.step(), line: None, seat: None, why });
        }
        Ok(Loaded { game: m, parted, other_rules })
    }

    /// Takes a saved choice; else why not.
    fn retake_choice(&mut self, c: &SavedChoice) -> Result<(), String> {
        if self.is_over() {
            return Err(String::from("the match is over already"));
        }
        let program = self.program().clone();
        let word = |player: u8, anybody: bool| asked_word(&program, i64::from(player), anybody);
        if c.says == NOT_DONE {
            let done = self.list_dones().into_iter().find(|d| word(d.player as u8, false) == c.player);
            let Some(done) = done else { return Err(format!("{} is not done at this point", c.player)) };
            return self.take_back(c.seat, done.question).map_err(|e| format!("`{}`: {e}", c.says));
        }
        let late = c.says == TIME_UP;
        let asked: Vec<(u32, String, u32)> =
            self.questions().iter().map(|q| (q.id, word(q.player, q.anybody), q.seats)).collect();
        let Some((question, _, seats)) = asked.iter().find(|(_, who, _)| *who == c.player).cloned() else {
            let who: Vec<&str> = asked.iter().map(|(_, who, _)| who.as_str()).collect();
            let who = if who.is_empty() { String::from("nobody") } else { who.join(", ") };
            return Err(format!("{} is not asked at this point, but {who}", c.player));
        };
        if c.seat >= 32 || seats >> c.seat & 1 == 0 {
            return Err(format!("seat {} does not answer for {}", c.seat, c.player));
        }
        if late {
            return self.time_up(c.seat, question).map_err(|e| format!("`{}`: {e}", c.says));
        }
        let taken =
            self.parse_choice(question, &c.says).and_then(|choice| self.choose(c.seat, question, &choice));
        taken.map_err(|e| match e {
            Illegal::Refused(_) => format!("`{}` cannot be chosen here: {e}", c.says),
            e => format!("`{}`: {e}", c.says),
        })
    }
}

/// The word for the player who was asked, or for the table.
fn asked_word(p: &houserule_program::ir::Program, player: i64, anybody: bool) -> String {
    if anybody { String::from("table") } else { thing_word(p, p.player_universe, player) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn save() -> Save {
        let mut s = Save {
            format: 1,
            mixer: MIXER.into(),
            game: "Pile".into(),
            rules: "00ff".into(),
            scenario: Some("hill \"1\"".into()),
            variants: vec!["warm".into()],
            mods: Vec::new(),
            options: BTreeMap::from([(String::from("size"), String::from("3"))]),
            players: 2,
            names: vec!["Ann".into(), "Zoë\\".into()],
            seats: Vec::new(),
            seed: u64::MAX,
            timed: false,
            given: None,
            choices: Vec::new(),
            draws: Some(4),
            result: None,
        };
        let mut check = s.first_check();
        for (seat, player, says) in [(0, "Ann", "take(A1)"), (1, "Zoë\\", "{a, b}"), (0, "Ann", "done")] {
            check = next_check(check, seat, player, says);
            s.choices.push(SavedChoice {
                seat,
                player: player.into(),
                says: says.into(),
                check: Some(check),
            });
        }
        s
    }

    #[test]
    fn what_is_written_is_read() {
        let s = save();
        assert_eq!(Save::read(&s.to_text()), Ok(Read { save: s.clone(), broken: None }));
        assert_eq!(s.to_setup().seed, u64::MAX);
    }

    #[test]
    fn a_file_that_is_cut_off_anywhere_is_read_as_far_as_it_goes_or_refused_with_the_place() {
        let s = save();
        let text = s.to_text();
        let header = text.find("choices: [").unwrap();
        for cut in (0..text.len() - 1).filter(|i| text.is_char_boundary(*i)) {
            match Save::read(&text[..cut]) {
                Ok(read) => {
                    if let Some((line, _)) = &read.broken {
                        assert!(*line <= text.lines().count() + 1);
                    }
                    assert_eq!(read.save.choices[..], s.choices[..read.save.choices.len()], "cut at {cut}");
                    // Everything that stands there whole is kept.
                    let whole = text[..cut].lines().filter(|l| is_choice(l)).count();
                    assert!(
                        read.save.choices.len() + 1 >= whole,
                        "cut at {cut}: {} of {whole}",
                        read.save.choices.len()
                    );
                }
                Err(LoadError::Unreadable { line, column, .. }) => {
                    assert!(line >= 1 && column >= 1);
                    assert!(cut < header + 12, "cut at {cut} of {} is not read", text.len());
                }
                Err(e) => panic!("{e}"),
            }
        }
    }

    #[test]
    fn a_broken_line_ends_it() {
        let s = save();
        let text = s.to_text().replace("says: \"{a, b}\"", "says: {a, b}");
        let read = Save::read(&text).unwrap();
        assert_eq!(read.save.choices, s.choices[..1]);
        let line = text.lines().position(|l| l.contains("says: {a")).unwrap() + 1;
        assert_eq!(read.broken.map(|b| b.0), Some(line));
    }
}
