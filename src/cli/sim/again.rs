//! The commands by which a game of a simulation can be looked at, and simulations that cannot be run.
use crate::args::SimArgs;
use crate::io::{Failure, Io};
use crate::setup::Loaded;
use crate::store::has_end;
use houserule_lab::simulate::SimError;
use std::path::{Path, PathBuf};

/// The file that a game, or a campaign, is proposed to be saved in.
pub fn file_of(args: &SimArgs, number: u64) -> PathBuf {
    let (what, end) = if args.campaign { ("campaign", "campaign") } else { ("game", "save") };
    PathBuf::from(format!("{what}-{number}.{end}"))
}

/// The command that plays that game, or campaign, of the simulation again and saves it.
pub fn replay_command(args: &SimArgs, number: u64) -> String {
    let mut words = vec![String::from("houserule"), String::from("sim"), args.game.clone()];
    let mut say = |flag: &str, value: &str| words.extend([flag.to_string(), value.to_string()]);
    let s = &args.setup;
    s.scenario.iter().for_each(|x| say("--scenario", x));
    s.options.iter().for_each(|x| say("--option", x));
    s.variants.iter().for_each(|x| say("--variant", x));
    s.mods.iter().for_each(|x| say("--mod", x));
    s.players.iter().for_each(|x| say("--players", &x.to_string()));
    if !s.names.is_empty() {
        say("--names", &s.names.join(","));
    }
    say("--seats", &args.seats.join(","));
    say("--seed", &args.seed.to_string());
    say("--cap", &args.cap.to_string());
    if args.campaign {
        say("--longest", &args.longest.to_string());
    }
    say("--only", &number.to_string());
    say("--save", &file_of(args, number).to_string_lossy());
    words.extend(args.campaign.then(|| String::from("--campaign")));
    words.iter().map(|w| quote_for_shell(w)).collect::<Vec<_>>().join(" ")
}

/// The command that goes on with a saved game, every seat a person's.
pub fn play_command(args: &SimArgs, file: &Path, seats: usize) -> String {
    let mut words = vec![String::from("houserule"), String::from("play"), args.game.clone()];
    for m in &args.setup.mods {
        words.extend([String::from("--mod"), m.clone()]);
    }
    // A scenario that lies elsewhere is not found by its word.
    if let Some(file) = args.setup.scenario.as_ref().filter(|s| has_end(Path::new(s), "scenario")) {
        words.extend([String::from("--scenario"), file.clone()]);
    }
    words.extend([String::from("--seats"), vec!["you"; seats].join(",")]);
    words.extend([String::from("--load"), file.to_string_lossy().into_owned()]);
    words.iter().map(|w| quote_for_shell(w)).collect::<Vec<_>>().join(" ")
}

/// A word as a shell reads it.
pub fn quote_for_shell(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,+@".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_string();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// A simulation that cannot be run.
pub fn to_failure(e: &SimError, loaded: &Loaded, io: &mut Io) -> Failure {
    match e {
        SimError::Setup(report) => loaded.to_failure(report, io),
        SimError::Policy(name) => Failure::Usage(format!("there is no bot {name}")),
    }
}
