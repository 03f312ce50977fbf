//! What must hold of every shipped game (see `houserule::lab::laws`), and that each law can fail.
use crate::support::{game, games, setups};
use houserule::engine::SeededFault as Leak;
use houserule::lab::laws::{self, Broken, Checked, LawLimits};
use houserule::play::{Game, Setup};
use houserule::program::{LowerOptions, SeededFault};
use houserule::text::{File, Files};

/// Whether every seed is wanted on every set-up of every game.
fn all_wanted() -> bool {
    std::env::var("HOUSERULE_LAWS").is_ok_and(|wish| wish == "all")
}

/// A law on every shipped game; cases in all.
fn on_all(law: laws::Law, seeds: std::ops::RangeInclusive<u64>, choices: usize, tuples: usize) -> u64 {
    on_games(games(), law, seeds, choices, tuples)
}

fn on_games(
    names: Vec<String>,
    law: laws::Law,
    seeds: std::ops::RangeInclusive<u64>,
    choices: usize,
    tuples: usize,
) -> u64 {
    let mut cases = 0;
    let all = all_wanted();
    for name in names {
        let begun = std::time::Instant::now();
        let game = game(&name);
        let setups = setups(&game);
        // In a game with three set-ups or more, each set-up takes every other seed, in turn, unless all are wanted.
        let turn =
            |i: usize, seed: u64| all || setups.len() < 3 || (seed - seeds.start()) % 2 == i as u64 % 2;
        for (i, setup) in setups.iter().enumerate() {
            for seed in seeds.clone().filter(|seed| turn(i, *seed)) {
                match law(&game, setup, LawLimits { seed, choices, tuples }) {
                    Ok(c) => cases += c.cases,
                    Err(b) => panic!("{name}: {b}"),
                }
            }
        }
        eprintln!("{name}: {:.1?}", begun.elapsed());
    }
    eprintln!("{cases} cases");
    cases
}

#[test]
fn guards_and_options_agree() {
    assert!(on_all(laws::check_reasons, 1..=2, 80, 80) > 10_000);
}

#[test]
fn plain_code_gives_the_same_bytes() {
    assert!(on_all(laws::check_lowering, 1..=2, 80, 0) > 1_000);
}

#[test]
fn a_pass_that_is_left_out_changes_no_game() {
    let games = ["othello", "love-letter", "fuji"].map(String::from).to_vec();
    assert!(on_games(games, laws::check_passes, 1..=1, 12, 0) > 1_000);
    let limits = LawLimits { seed: 1, choices: 20, tuples: 20 };
    for name in ["crowds", "rows", "turned", "kept"] {
        laws::check_passes(&little(name), &Setup::default(), limits)
            .unwrap_or_else(|b| panic!("{name}: {b}"));
    }
}

#[test]
fn clones_equal_originals() {
    assert!(on_all(laws::check_clones, 1..=3, 120, 0) > 1_000);
}

#[test]
fn saves_load_to_the_same() {
    assert!(on_all(laws::check_saves, 1..=2, 120, 0) > 500);
}

#[test]
fn undo_and_redo_are_exact() {
    assert!(on_all(laws::check_undo, 1..=2, 80, 0) > 1_000);
}

#[test]
fn the_order_of_simultaneous_answers_does_not_matter() {
    assert!(on_all(laws::check_simultaneous, 1..=3, 80, 0) > 20);
}

#[test]
fn seats_cannot_tell_worlds_apart_that_differ_in_secrets() {
    // The games that take by far the longest are played with one seed, unless all are wanted.
    let seeds = if all_wanted() { 1..=2 } else { 1..=1 };
    let heavy = ["discover", "fog", "fuji", "tsuro"].map(String::from).to_vec();
    let light = games().into_iter().filter(|name| !heavy.contains(name)).collect();
    assert!(on_games(light, laws::check_worlds, 1..=2, 40, 0) > 1_000);
    assert!(on_games(heavy, laws::check_worlds, seeds, 40, 0) > 1_000);
}

/// Also the games that were made for the laws: each shows a leak that was there once, or a line of the log that discloses something.
#[test]
fn nor_in_the_small_games() {
    let folder = crate::support::root().join("tests/suite/laws");
    let mut cases = 0;
    for file in std::fs::read_dir(folder).expect("the small games") {
        let path = file.expect("a file").path();
        let name = path.file_stem().and_then(|n| n.to_str()).expect("a name").to_string();
        let game = little(&name);
        for seed in 1..=3 {
            let limits = LawLimits { seed, choices: 25, tuples: 20 };
            let told = laws::check_worlds(&game, &Setup::default(), limits);
            cases += told.unwrap_or_else(|b| panic!("{name}: {b}")).cases;
        }
    }
    assert!(cases > 5_000, "{cases}");
}

#[test]
fn who_looks_on_by_a_value_knows_no_more_than_it_says() {
    let game = little("seen-by-a-value");
    for seed in 1..=6 {
        let limits = LawLimits { seed, choices: 60, tuples: 40 };
        let told = laws::check_worlds(&game, &Setup::default(), limits);
        assert!(told.as_ref().is_ok_and(|c| c.cases > 20), "seed {seed}: {told:?}");
        laws::check_reasons(&game, &Setup::default(), limits).unwrap_or_else(|b| panic!("seed {seed}: {b}"));
    }
}

#[test]
fn what_chance_tells_everybody_is_no_leak() {
    let game = little("open-shuffle");
    for seed in 1..=6 {
        let told = laws::check_worlds(&game, &Setup::default(), LawLimits { seed, choices: 60, tuples: 40 });
        assert!(told.as_ref().is_ok_and(|c| c.cases > 20), "seed {seed}: {told:?}");
    }
}

#[test]
fn which_of_two_alike_cards_came_back_is_no_matter_of_order() {
    let game = little("open-hands");
    let mut cases = 0;
    for seed in 1..=6 {
        let limits = LawLimits { seed, choices: 60, tuples: 40 };
        let told = laws::check_worlds(&game, &Setup::default(), limits);
        cases += told.unwrap_or_else(|b| panic!("seed {seed}: {b}")).cases;
        laws::check_greedy_is_fair(&game, &Setup::default(), limits)
            .unwrap_or_else(|b| panic!("seed {seed}: {b}"));
    }
    assert!(cases > 1000, "{cases}");
}

#[test]
fn any_of_several_alike_things_may_be_named_among_many_options() {
    let limits = LawLimits { seed: 1, choices: 1, tuples: 60 };
    let told = laws::check_reasons(&little("many-options"), &Setup::default(), limits);
    assert!(told.unwrap_or_else(|b| panic!("{b}")).cases > 50);
}

#[test]
fn what_lies_somewhere_is_found_in_sets_as_it_is_one_by_one() {
    found_alike("where-they-lie");
}

#[test]
fn what_is_known_of_pairs_is_found_in_sets_as_it_is_one_by_one() {
    found_alike("turned");
}

#[test]
fn what_is_said_of_one_of_two_things_is_found_in_sets_as_it_is_one_by_one() {
    found_alike("crowds");
}

#[test]
fn what_is_judged_before_play_or_once_a_list_is_what_is_found_one_by_one() {
    found_alike("rows");
}

/// What sets find of a little game's options, and what is found one by one, are the same, and so are its games.
fn found_alike(name: &str) {
    let game = little(name);
    let (mut options, mut games) = (0, 0);
    for seed in 1..=12 {
        let limits = LawLimits { seed, choices: 80, tuples: 80 };
        let reasons = laws::check_reasons(&game, &Setup::default(), limits);
        options += reasons.unwrap_or_else(|b| panic!("seed {seed}: {b}")).cases;
        let same = laws::check_lowering(&game, &Setup::default(), limits);
        games += same.unwrap_or_else(|b| panic!("seed {seed}: {b}")).cases;
    }
    assert!(options > 1000 && games > 100, "{options} options, {games} choices");
}

/// A game made for the laws.
fn little(name: &str) -> Game {
    let mut files = houserule::text::Files::new();
    let path = crate::support::root().join(format!("tests/suite/laws/{name}.rules"));
    crate::support::add(&mut files, [path]);
    Game::load(&files).unwrap_or_else(|r| panic!("{:?}", r.findings))
}

#[test]
fn the_greedy_bot_knows_no_secrets() {
    assert!(on_all(laws::check_greedy_is_fair, 1..=1, 40, 0) > 100);
}

#[test]
fn no_bot_knows_what_others_have_written_on_hidden_things() {
    let game = little("notes");
    for seed in 1..=6 {
        let limits = LawLimits { seed, choices: 40, tuples: 0 };
        let fair = [laws::check_greedy_is_fair, laws::check_beam_is_fair];
        for told in fair.map(|law| law(&game, &Setup::default(), limits)) {
            assert!(told.as_ref().is_ok_and(|c| c.cases > 6), "seed {seed}: {told:?}");
        }
    }
}

#[test]
fn nor_does_the_one_that_plans() {
    let setups = [("open-shuffle", 20), ("open-hands", 20)];
    for (name, choices) in setups {
        let limits = LawLimits { seed: 3, choices, tuples: 0 };
        let told = laws::check_beam_is_fair(&little(name), &Setup::default(), limits);
        assert!(told.as_ref().is_ok_and(|c| c.cases > 5), "{name}: {told:?}");
    }
}

/// A game of a few lines in which `!=` meets none, which the shipped ones avoid.
const MARKS: &str = "game Marks \"Marks\" { players 2; outcome win }\n\
    map Board squares 4 by 4\n\
    space Cell on Board { mark: player? }\n\
    round 12 times { everyone in turn { offer move } }\n\
    menu move { pass when no action }\n\
    action place(c: Cell where it.mark != me) in move { c.mark = me }\n";

/// A game of a few lines in which it is a secret how many cards can be chosen.
const HANDS: &str = "game Hands \"Hands\" { players 2; outcome win }\n\
    card Card { rank: 1..3 }\n\
    Card number(n: 1..3) x4 { rank: n }\n\
    table { zone deck: Card seen by nobody; zone gone: Card seen by nobody }\n\
    player { zone hand: Card seen by owner }\n\
    setup { move Card to deck; shuffle deck; for p in players { move first 4 of deck to p.hand } }\n\
    round 3 times { everyone in turn { move choose one of most(c in my.hand: c.rank) \"Which of your best?\" to gone } }\n";

/// Some game, set-up and seed in which a law is broken; it must hold there without the mistake, which `law` is told of by its last argument.
fn breaks(
    law: impl Fn(&Game, &Setup, LawLimits, bool) -> Result<Checked, Broken>,
    seeds: u64,
) -> Option<String> {
    let small = [("marks", MARKS), ("hands", HANDS)].map(|(name, text)| {
        let mut files = Files::new();
        files.add(File::new(format!("{name}.rules"), text));
        (Game::load(&files).unwrap_or_else(|r| panic!("{name}: {:?}", r.findings)), name.to_string())
    });
    let little = ["open-hands", "marked-backs"].map(|name| (little(name), name.to_string()));
    let small = small.into_iter().chain(little);
    let mut shipped: Vec<(Game, String)> = games().into_iter().map(|name| (game(&name), name)).collect();
    shipped.sort_by_key(|(g, _)| g.files().iter().map(|f| f.1.text.len()).sum::<usize>());
    // The little ones first: most mistakes show there, and they are quick.
    for (game, name) in small.chain(shipped) {
        for setup in setups(&game) {
            for seed in 1..=seeds {
                let limits = LawLimits { seed, choices: 40, tuples: 100 };
                if let Err(b) = law(&game, &setup, limits, true) {
                    let right = law(&game, &setup, limits, false);
                    assert!(right.is_ok(), "{name}: the law is broken without a mistake: {right:?}");
                    return Some(format!("{name}: {b}"));
                }
            }
        }
    }
    None
}

#[test]
fn every_seeded_leak_is_found() {
    for leak in [
        Leak::ViewShowsFaces,
        Leak::ShuffleKeepsKnown,
        Leak::LogUnfiltered,
        Leak::SilentAnswer,
        Leak::HandlesKept,
        Leak::NumberedOptions,
    ] {
        let found = breaks(|g, s, l, on| laws::check_worlds_with(g, s, l, on.then_some(leak)), 6);
        assert!(found.is_some(), "{leak:?} is not found");
    }
}

#[test]
fn every_seeded_mistake_of_the_lowering_is_found() {
    for fault in [
        SeededFault::NotEqualForgetsNone,
        SeededFault::GuardDropped,
        SeededFault::RunNeedNotClose,
        SeededFault::SomeIsNone,
        SeededFault::FilterDropped,
    ] {
        let found = breaks(
            |g, s, l, on| {
                let wrong =
                    g.with_lowering(LowerOptions { fault: on.then_some(fault), ..LowerOptions::default() });
                laws::check_reasons(&wrong, s, l)?;
                laws::check_lowering(&wrong, s, l)
            },
            2,
        );
        assert!(found.is_some(), "{fault:?} is not found");
    }
}
