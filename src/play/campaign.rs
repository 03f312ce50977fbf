//! Campaigns: games in a row, each set up by what the end of the one before has handed on (`legacy`).
//!
//! The file of a campaign is RON and contains the save of each finished game. Reading it plays them all again: a game that the rules here play otherwise, or that
//! does not begin as the one before it says, is told with its number.
use super::codes;
use super::faults::unmet_finding;
use super::game::Game;
use super::matches::{Ending, Match};
use super::save::{LoadError, raw_string};
use super::setup::{Setup, resolve_setup};
use super::values::Values;
use houserule_engine::Legacy;
use houserule_model::hir::{LegacyKind, LegacyRow, OptionId, ScopeKind};
use houserule_program::ir::{LegacySlot, Program};
use houserule_text::{Diagnostic, Report, Span};
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

/// The newest format of campaign files.
const FORMAT: u32 = 1;

/// The most games of a campaign: then it is over.
pub const MOST_GAMES: usize = 1000;

/// Why a game cannot be played as a campaign.
pub const NO_CAMPAIGN: &str =
    "the rules do not say what a game hands on: a game that is played as a campaign has `legacy { … }`";

/// A campaign as it stands in its file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Campaign {
    /// The version of the format.
    pub campaign: u32,
    /// The texts of the saves of its finished games, in their order.
    pub games: Vec<String>,
}

impl Default for Campaign {
    fn default() -> Self {
        Campaign { campaign: FORMAT, games: Vec::new() }
    }
}

/// Why a campaign cannot go on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CampaignError {
    /// The file is no campaign.
    Unreadable {
        /// From 1.
        line: usize,
        /// From 1.
        column: usize,
        /// What is wrong there.
        message: String,
    },
    /// The format of the file is not known here.
    Format(u32),
    /// It has that many games, which are too many.
    TooLong(usize),
    /// One of its games, from 1, and why it cannot be one of this campaign.
    Game(usize, String),
    /// A rule error in a row of `legacy`, or a value that its option cannot have.
    Legacy(String),
}

impl std::fmt::Display for CampaignError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            CampaignError::Unreadable { line, column, message } => {
                write!(f, "{line}:{column}: this is no file of a campaign: {message}")
            }
            CampaignError::Format(n) => {
                write!(f, "this file has format {n}; this version reads format {FORMAT}")
            }
            CampaignError::TooLong(n) => {
                write!(f, "this campaign has {n} games; a campaign has {MOST_GAMES} at most")
            }
            CampaignError::Game(n, why) => write!(f, "game {n} of the campaign: {why}"),
            CampaignError::Legacy(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for CampaignError {}

/// What the end of a match hands on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HandedOn {
    /// The options that it sets, by word, with their values in words.
    pub options: Vec<(String, String)>,
    /// How the next game is set up, with the seed of this one; none if the campaign is over.
    pub next: Option<Setup>,
}

/// A campaign, and what it has come to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Opened {
    /// As its file holds it.
    pub campaign: Campaign,
    /// A line for each finished game: its scenario and how it ended.
    pub told: Vec<String>,
    /// What the last game has handed on; none before the first one has ended.
    pub handed: Option<HandedOn>,
    /// The rules are not those with which a game was played, yet all games play as they did.
    pub other_rules: bool,
}

impl Opened {
    /// Whether no game is left to play.
    pub fn is_over(&self) -> bool {
        self.handed.as_ref().is_some_and(|h| h.next.is_none())
    }

    /// How its next game is set up: as the last one has handed on, else as this says. Seed, seats and whether time is measured are as this says.
    pub fn next_setup(&self, setup: &Setup) -> Setup {
        match self.handed.as_ref().and_then(|h| h.next.as_ref()) {
            Some(next) => {
                Setup { seed: setup.seed, seats: setup.seats.clone(), timed: setup.timed, ..next.clone() }
            }
            None => setup.clone(),
        }
    }

    /// Adds a game that has ended.
    ///
    /// # Errors
    /// See [`Match::hand_on`]; the campaign is then as it was.
    pub fn add(&mut self, m: &mut Match) -> Result<(), CampaignError> {
        let mut handed = m.hand_on()?;
        self.campaign.games.push(m.save());
        if self.campaign.games.len() >= MOST_GAMES {
            handed.next = None;
        }
        self.told.push(format!("{}: {}", scenario_title(m), m.result_line().unwrap_or_default()));
        self.handed = Some(handed);
        Ok(())
    }
}

impl Campaign {
    /// Reads the text of a file.
    ///
    /// # Errors
    /// Where it is broken, or that its format is not known.
    pub fn read(text: &str) -> Result<Campaign, CampaignError> {
        let found: Campaign = ron::from_str(text).map_err(|e| CampaignError::Unreadable {
            line: e.span.start.line.max(1),
            column: e.span.start.col.max(1),
            message: e.code.to_string(),
        })?;
        match (found.campaign, found.games.len()) {
            (FORMAT, ..=MOST_GAMES) => Ok(found),
            (FORMAT, n) => Err(CampaignError::TooLong(n)),
            (format, _) => Err(CampaignError::Format(format)),
        }
    }

    /// The text of the file.
    pub fn to_text(&self) -> String {
        let mut out =
            String::from("// A campaign: the saves of its finished games. Reading it plays them again.\n(\n");
        let _ = writeln!(out, "    campaign: {},\n    games: [", self.campaign);
        for save in &self.games {
            let _ = writeln!(out, "{},", raw_string(save));
        }
        out.push_str("    ],\n)\n");
        out
    }

    /// Plays all games again.
    ///
    /// # Errors
    /// Which game is not as it was, or what it cannot hand on.
    pub fn open(&self, game: &Game) -> Result<Opened, CampaignError> {
        let mut out = Opened::default();
        for (i, text) in self.games.iter().enumerate() {
            let wrong = |why: String| CampaignError::Game(i + 1, why);
            let loaded = Match::load(game, text).map_err(|e: LoadError| wrong(e.to_string()))?;
            if let Some(parted) = loaded.parted {
                return Err(wrong(parted.to_string()));
            }
            let mut m = loaded.game;
            let begins = match &out.handed {
                None => true,
                Some(HandedOn { next: Some(next), .. }) => begins_alike(m.setup(), next),
                Some(_) => return Err(wrong(String::from("the campaign was over before it"))),
            };
            if !begins {
                return Err(wrong(format!("it does not begin as game {i} has handed on")));
            }
            out.add(&mut m).map_err(|e| wrong(e.to_string()))?;
            out.other_rules |= loaded.other_rules;
        }
        out.campaign = self.clone();
        Ok(out)
    }
}

/// Whether two set-ups begin the same game, whatever the seed and whoever sits there.
pub fn begins_alike(a: &Setup, b: &Setup) -> bool {
    let mods = |s: &Setup| s.mods.clone().unwrap_or_default();
    let same_players = a.players.is_none() || b.players.is_none() || a.players == b.players;
    (&a.scenario, &a.options, &a.variants, &a.names) == (&b.scenario, &b.options, &b.variants, &b.names)
        && (a.mods.is_none() || b.mods.is_none() || mods(a) == mods(b))
        && same_players
}

fn scenario_title(m: &Match) -> String {
    let model = m.game().model();
    let is_played = |s: &&houserule_model::hir::Scope| {
        s.kind == ScopeKind::Scenario && m.setup().scenario.as_deref() == Some(&*s.name)
    };
    model.scopes.iter().find(is_played).map_or_else(|| model.title.to_string(), |s| s.title.to_string())
}

impl Game {
    /// Whether the rules say what the end of a game hands on, so that it can be played as a campaign.
    pub fn has_campaign(&self) -> bool {
        !self.model().legacy.is_empty()
    }
}

impl Game {
    /// What a game that is over hands on, worked out in its set-up: `legacy` is what the engine says.
    ///
    /// # Errors
    /// A value that its option cannot have, or a set-up whose words are not those of the rules.
    pub fn hand_on(
        &self,
        setup: &Setup,
        program: &Program,
        legacy: Legacy,
    ) -> Result<HandedOn, Box<Diagnostic>> {
        let (model, mut next) = (self.model(), setup.clone());
        let set = resolve_setup(model, &next).map_err(first_finding)?;
        let mut options = Vec::new();
        for (id, value) in legacy.options {
            let Some(option) = model.options.get(id.index()) else { continue };
            let Some(values) = Values::from_type(model, &set, &option.ty) else { continue };
            let Some(word) = values.word_of(value) else {
                let (name, range) = (&option.name, values.describe());
                let message = format!("`legacy` gives the option `{name}` the value {value}: it is {range}");
                let d = Diagnostic::error(codes::HANDED_ON, row_of_option(program, id), message);
                return Err(Box::new(d.help(format!("bound it, as in `{name} = min([most, …])`"))));
            };
            next.options.insert(option.name.to_string(), word.clone());
            options.push((option.name.to_string(), word));
        }
        // Rules that never name a scenario play the same one again, until they say that none is next.
        let names_one = |row: &LegacyRow| matches!(row.kind, LegacyKind::Next(Some(_), _));
        let goes_on = match legacy.next {
            Some(Some(word)) => {
                next.scenario = Some(word.to_string());
                true
            }
            Some(None) => false,
            None => !model.legacy.iter().any(names_one),
        };
        Ok(HandedOn { options, next: Some(next).filter(|_| goes_on) })
    }
}

/// What is wrong with a set-up, in one finding.
fn first_finding(report: Report) -> Box<Diagnostic> {
    let found = report.findings.into_iter().next();
    Box::new(found.unwrap_or_else(|| unmet_finding(Span::default(), String::new())))
}

/// The row that gives an option its value.
fn row_of_option(p: &Program, option: OptionId) -> Span {
    let func = p.legacy.iter().find_map(|row| match row {
        LegacySlot::Option(o, func) if *o == option => p.funcs.get(func.index()),
        _ => None,
    });
    func.and_then(|f| p.decls.get(f.decl.index())).map_or_else(Span::default, |d| d.span)
}

impl Match {
    /// What this match hands to the next one.
    ///
    /// # Errors
    /// That the game is not over, a rule error in a row of `legacy`, or a value that its option cannot have.
    pub fn hand_on(&mut self) -> Result<HandedOn, CampaignError> {
        let told = |why: String| CampaignError::Legacy(why);
        if !matches!(self.ending(), Some(Ending::Over(_))) {
            return Err(told(String::from("the game has not come to its end, so it hands nothing on")));
        }
        let legacy = self.legacy().map_err(told)?;
        self.game().hand_on(self.setup(), self.program(), legacy).map_err(|d| told(d.message))
    }
}
