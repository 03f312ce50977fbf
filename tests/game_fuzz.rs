//! `houserule fuzz GAME`: defects in copies of shipped games are found and shrunk to few choices, and shipped games have none.
use crate::cli::cli_args;
use houserule::cli::Exit;
use houserule::lab::game_fuzz::{GameFuzzPlan, GameFuzzed, fuzz_game};
use houserule::lab::testing;
use houserule::play::{Game, Setup};
use houserule::text::{File, Files};
use std::sync::atomic::AtomicU64;

/// Games that are played to find a defect.
const GAMES: u64 = 3_000;

/// A failure must be shown by so few choices.
const SHORT: usize = 12;

/// A defect of the suite.
#[derive(Default)]
struct Defect {
    title: String,
    old: String,
    new: String,
    /// What is added.
    more: String,
}

impl Defect {
    fn game(&self) -> &str {
        self.title.split(": ").next().unwrap_or("")
    }

    /// The game's files, with the defect or without.
    fn files(&self, defective: bool) -> Files {
        let source = crate::support::source(self.game());
        let holds = |f: &File| f.text.contains(&self.old);
        let at: Vec<bool> = source.iter().map(|(_, f)| holds(f)).collect();
        assert_eq!(at.iter().filter(|x| **x).count(), 1, "{}: {}", self.title, self.old);
        let mut out = Files::new();
        for ((_, f), here) in source.iter().zip(at) {
            let mut text = f.text.clone();
            if here {
                assert_eq!(text.matches(&self.old).count(), 1, "{}", self.title);
                if defective {
                    text = text.replace(&self.old, &self.new);
                }
                text.push_str(&self.more);
            }
            out.add(File::new(f.name.clone(), text));
        }
        out
    }
}

fn read_defects() -> Vec<Defect> {
    let path = crate::support::root().join("tests/suite/fuzzed/defects.md");
    let text = std::fs::read_to_string(path).expect("the defects");
    let mut out: Vec<Defect> = Vec::new();
    for line in text.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            out.push(Defect { title: title.into(), ..Defect::default() });
        }
        let Some(d) = out.last_mut() else { continue };
        let join = |to: &mut String, line: &str| {
            if !to.is_empty() {
                to.push('\n');
            }
            to.push_str(line);
        };
        match line.split_at_checked(1) {
            Some(("-", rest)) => join(&mut d.old, rest.strip_prefix(' ').unwrap_or(rest)),
            Some(("+", rest)) => join(&mut d.new, rest.strip_prefix(' ').unwrap_or(rest)),
            Some(("=", rest)) => d.more += &format!("\n{}\n", rest.trim_start()),
            _ => {}
        }
    }
    out
}

fn fuzz(game: &Game, games: u64) -> GameFuzzed {
    let model = game.model();
    let (least, most) = houserule::play::setup::player_range(model, None);
    let scenario = model.first_scenario().map(|s| s.name.to_string());
    let setup = |n: u32| Setup { scenario: scenario.clone(), ..Setup::default() }.with_players(n);
    let plan = GameFuzzPlan {
        setups: [least, most].into_iter().map(setup).collect(),
        seed: 7,
        games,
        cap: 300,
        tries: 600,
    };
    fuzz_game(game, &plan, &|| true, &AtomicU64::new(0)).unwrap_or_else(|r| panic!("{:?}", r.findings))
}

#[test]
fn each_defect_is_found_and_shown_by_few_choices() {
    let defects = read_defects();
    assert!(defects.len() >= 20, "{}", defects.len());
    let mut wrong = Vec::new();
    let only = std::env::var("HOUSERULE_DEFECT").unwrap_or_default();
    for d in defects.iter().filter(|d| d.title.contains(&only)) {
        let begun = std::time::Instant::now();
        let load =
            |files: &Files| Game::load(files).unwrap_or_else(|r| panic!("{}: {:?}", d.title, r.findings));
        if !d.more.is_empty() {
            let sound = fuzz(&load(&d.files(false)), 64);
            assert!(
                sound.found.is_empty(),
                "{}: what is added does not hold without the defect: {}",
                d.title,
                sound.found[0].finding.message
            );
        }
        let files = d.files(true);
        let game = load(&files);
        let mut played = 8;
        let fuzzed = loop {
            let fuzzed = fuzz(&game, played);
            if !fuzzed.found.is_empty() || played >= GAMES {
                break fuzzed;
            }
            played *= 8;
        };
        eprintln!("{}: {:.1?}", d.title, begun.elapsed());
        let best = fuzzed.found.iter().min_by_key(|f| f.choices.len());
        match best {
            None => wrong.push(format!("{}: not found in {played} games", d.title)),
            Some(f) if f.choices.len() > SHORT => {
                wrong.push(format!(
                    "{}: {} choices (of {}): {}",
                    d.title,
                    f.choices.len(),
                    f.unshrunk,
                    f.finding.message
                ));
            }
            // The test that is made of it fails as the game does: that is part of making it.
            Some(f) => match f.to_test(&game, &files) {
                Ok(test) => eprintln!(
                    "{}: {} choices of {}, {:.1?}\n{test}",
                    d.title,
                    f.choices.len(),
                    f.unshrunk,
                    begun.elapsed()
                ),
                Err(why) => wrong.push(format!("{}: no test: {why}", d.title)),
            },
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn shipped_games_have_no_failures() {
    for name in crate::support::games() {
        let game = crate::support::game(&name);
        let found = fuzz(&game, 24).found;
        assert!(found.is_empty(), "{name}: {}", found[0].finding.message);
    }
}

/// The same numbers find the same, whatever is played at once; the test that is printed is one of the game and fails.
#[test]
fn what_is_found_is_told_with_a_test() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = "game Steps \"Steps\" { players 2; outcome win }\nplayer { n: 0..9 = 0 }\ndie Cube { faces: 1..6 }\n\
                 menu walk { }\naction go() in walk { my.n += roll(Cube) }\naction rest() in walk { }\nround 9 times { everyone in turn { offer walk } }\n";
    let path = folder.path().join("steps.rules");
    std::fs::write(&path, rules).expect("it is written");
    let path = path.to_str().expect("a path");
    let json = |seed: &str| {
        let done = cli_args(&["fuzz", path, "-n", "200", "--seed", seed, "--format", "json"]);
        assert_eq!(done.exit, Exit::Findings, "{}", done.err);
        serde_json::from_str::<serde_json::Value>(&done.out).expect("JSON")
    };
    let one = json("1");
    assert_eq!(one, json("1"));
    let found = &one["found"][0];
    assert!(found["choices"].as_u64() <= Some(4), "{one}");
    let test = found["test"].as_str().expect("a test");
    assert!(test.starts_with("test \"found by fuzzing: ") && test.contains("go()"), "{test}");
    let mut files = Files::new();
    files.add(File::new("steps.rules", format!("{rules}\n{test}")));
    let results = testing::run(&Game::load(&files).expect("rules"), None);
    let failure = results[0].failure.as_ref().expect("it fails");
    assert!(
        failure.message.contains(found["finding"]["message"].as_str().expect("a message")),
        "{}",
        failure.message
    );
    let human = cli_args(&["fuzz", path, "-n", "200"]);
    assert!(human.out.contains(test.trim_end()) && human.out.contains("1 failure"), "{}", human.out);
    let fine = cli_args(&["fuzz", "tic-tac-toe", "-n", "50"]);
    assert!(
        fine.exit == Exit::Fine && fine.out.contains("50 games") && fine.out.contains("nothing found"),
        "{}",
        fine.out
    );
    for wrong in [&["fuzz"][..], &["fuzz", "tic-tac-toe", "--time", "soon"], &["fuzz", "no-such-game"]] {
        assert_eq!(cli_args(wrong).exit, Exit::Usage, "{wrong:?}");
    }
}
