//! `play --campaign`: the next game of a campaign, which is added to its file when it has ended.
use crate::args::PlayArgs;
use crate::io::{Failure, Io};
use crate::replay;
use crate::save;
use crate::setup::Loaded;
use crate::store::write_whole;
use houserule_play::campaign::Opened;
use houserule_play::{Campaign, CampaignError, Ending, Match, Setup};
use std::path::{Path, PathBuf};

/// A campaign on its way.
pub struct Way {
    file: PathBuf,
    campaign: Campaign,
    opened: Opened,
}

fn to_failure(file: &Path, e: &CampaignError) -> Failure {
    match e {
        CampaignError::Unreadable { .. } => Failure::Unreadable(format!("{}:{e}", file.display())),
        _ => Failure::Wrong(format!("{}: {e}", file.display())),
    }
}

/// Opens the file, or begins a campaign if there is none, and tells how it stands.
pub fn open(file: &Path, args: &PlayArgs, loaded: &Loaded, io: &mut Io) -> Result<Way, Failure> {
    if !loaded.game.has_campaign() {
        let text = "the rules do not say what a game hands on: a game that is played as a campaign has `legacy { … }`";
        return Err(Failure::Usage(text.into()));
    }
    let campaign = match file.exists() {
        true => Campaign::read(&replay::read(file)?).map_err(|e| to_failure(file, &e))?,
        false => Campaign::default(),
    };
    let opened = campaign.open(&loaded.game).map_err(|e| to_failure(file, &e))?;
    if opened.other_rules {
        io.write_remark(&format!(
            "{}: the rules have changed since; its games still end as they did",
            file.display()
        ));
    }
    let s = &args.setup;
    let chosen = [
        ("--scenario", s.scenario.is_some()),
        ("--option", !s.options.is_empty()),
        ("--variant", !s.variants.is_empty()),
        ("--players", s.players.is_some()),
        ("--names", !s.names.is_empty()),
    ];
    if let Some((word, _)) = chosen.iter().find(|(_, said)| *said && opened.handed.is_some()) {
        let text =
            format!("the campaign says how its next game is set up: leave {word} out, or begin another file");
        return Err(Failure::Usage(text));
    }
    for (i, line) in opened.told.iter().enumerate() {
        io.write_line(&format!("Game {}, {line}", i + 1))?;
    }
    let way = Way { file: file.to_path_buf(), campaign, opened };
    if way.is_over() {
        io.write_line("The campaign is over.")?;
    }
    Ok(way)
}

impl Way {
    /// Whether no game is left to play.
    pub fn is_over(&self) -> bool {
        self.opened.handed.as_ref().is_some_and(|h| h.next.is_none())
    }

    /// Sets the next game up as the last one has handed on.
    pub fn set_up(&self, setup: &mut Setup) {
        if let Some(next) = self.opened.handed.as_ref().and_then(|h| h.next.as_ref()) {
            *setup =
                Setup { seed: setup.seed, seats: setup.seats.clone(), timed: setup.timed, ..next.clone() };
        }
    }

    /// Adds a game that has ended to the file, and tells what it hands on.
    pub fn end_game(mut self, mut m: Match, io: &mut Io) -> Result<(), Failure> {
        if !matches!(m.ending(), Some(Ending::Over(_))) {
            io.write_remark("The game has not come to its end: the campaign stays as it was.");
            return Ok(());
        }
        let handed = match m.hand_on() {
            Ok(handed) => handed,
            Err(e) => {
                // The finished game is saved beside the file of the campaign, so that nothing is lost.
                let beside = self.file.with_extension("save");
                let kept = save::write(&mut m, &beside).map(|()| beside.display().to_string());
                let kept = kept.map_or_else(|e| e, |file| format!("the game is saved as {file}"));
                return Err(Failure::Wrong(format!("{e}; {kept}")));
            }
        };
        self.campaign.games.push(m.save());
        write_whole(&self.file, self.campaign.to_text().as_bytes())
            .map_err(|e| Failure::Wrong(format!("{}: {e}", self.file.display())))?;
        if !handed.options.is_empty() {
            let all: Vec<String> = handed.options.iter().map(|(o, v)| format!("{o} {v}")).collect();
            io.write_line(&format!("Handed on: {}.", all.join(", ")))?;
        }
        match handed.next {
            None => io.write_line("The campaign is over."),
            Some(next) => {
                let scenario = next.scenario.map_or(String::new(), |s| format!(" is {s}"));
                io.write_line(&format!("The next game{scenario}: play it with the same command."))
            }
        }
    }
}
