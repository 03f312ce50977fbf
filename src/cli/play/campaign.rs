//! `play --campaign`: the next game of a campaign, which is added to its file when it has ended.
use crate::args::PlayArgs;
use crate::io::{Failure, Io};
use crate::replay;
use crate::save;
use crate::setup::Loaded;
use crate::store::write_whole;
use houserule_play::{Campaign, CampaignError, Ending, Match, NO_CAMPAIGN, Opened};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A campaign on its way.
pub struct Way {
    file: PathBuf,
    /// What it has come to.
    pub opened: Opened,
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
        return Err(Failure::Usage(NO_CAMPAIGN.into()));
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
    let way = Way { file: file.to_path_buf(), opened };
    if args.json {
        if way.opened.is_over() {
            return Err(Failure::Wrong(format!("{}: the campaign is over", file.display())));
        }
        return Ok(way);
    }
    for (i, line) in way.opened.told.iter().enumerate() {
        io.write_line(&format!("Game {}, {line}", i + 1))?;
    }
    if way.opened.is_over() {
        io.write_line("The campaign is over.")?;
    }
    Ok(way)
}

impl Way {
    /// Adds a game that has ended to the file, and tells what it hands on.
    pub fn end_game(mut self, mut m: Match, io: &mut Io) -> Result<(), Failure> {
        if !matches!(m.ending(), Some(Ending::Over(_))) {
            io.write_remark("The game has not come to its end: the campaign stays as it was.");
            return Ok(());
        }
        if let Err(e) = self.opened.add(&mut m) {
            // The finished game is saved beside the file of the campaign, so that nothing is lost.
            let beside = self.file.with_extension("save");
            let kept = save::write(&mut m, &beside).map(|()| beside.display().to_string());
            let kept = kept.map_or_else(|e| e, |file| format!("the game is saved as {file}"));
            return Err(Failure::Wrong(format!("{e}; {kept}")));
        }
        write_whole(&self.file, self.opened.campaign.to_text().as_bytes())
            .map_err(|e| Failure::Wrong(format!("{}: {e}", self.file.display())))?;
        let Some(handed) = self.opened.handed else { return Ok(()) };
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

/// What the last game of a campaign has handed on, for machines: options with their values, and the next game; null before the first one has ended.
pub fn handed_to_json(opened: &Opened) -> Value {
    let Some(handed) = &opened.handed else { return Value::Null };
    let options: BTreeMap<&String, &String> = handed.options.iter().map(|(o, v)| (o, v)).collect();
    let next = handed.next.as_ref().map(|next| json!({ "scenario": next.scenario, "options": next.options }));
    json!({ "options": options, "next": next })
}
