//! What may be chosen is found without loops where set operations can, and counted and drawn without being listed.
use crate::support::{game, modded};
use houserule::engine::Stream;
use houserule::play::{Game, Setup};
use houserule::program::dump::{dump, residual_loops};
use houserule::program::ir::ActionIx;
use houserule::program::{LowerOptions, SeededFault};
use houserule::text::{File, Files};

fn loops(game: &Game) -> Vec<(String, usize)> {
    let p = game.lower_setup(&Setup::default()).expect("a program");
    p.actions
        .iter()
        .enumerate()
        .map(|(i, a)| (a.name.to_string(), residual_loops(&p, ActionIx(i as u16))))
        .collect()
}

#[test]
fn the_boards_have_no_residual_loops() {
    let boards = [("tic-tac-toe", "place"), ("connect-four", "drop"), ("othello", "place")];
    for (name, action) in boards.into_iter().chain([("breakthrough", "go"), ("hex", "place")]) {
        assert_eq!(loops(&game(name)), [(action.to_string(), 0)], "{name}");
    }
    // The count bites: unlifted, the same enumerators loop.
    for (name, _) in boards {
        let plain = game(name).with_lowering(LowerOptions { lift: false, ..LowerOptions::default() });
        assert!(loops(&plain)[0].1 > 0, "{name}");
    }
}

/// Where the player goes, whose pawns there are and what is empty is the same for every pawn.
#[test]
fn what_is_the_same_in_every_round_stands_before_the_loop() {
    let p = game("breakthrough").lower_setup(&Setup::default()).expect("a program");
    let text = dump(&p, None, false);
    let options: Vec<&str> = text.lines().skip_while(|l| !l.contains("go (options)")).skip(1).collect();
    let options: Vec<&str> = options.into_iter().take_while(|l| !l.contains(" Ret")).collect();
    let word = |l: &str| l.split_whitespace().nth(1).unwrap_or_default().to_string();
    let back = options.last().and_then(|l| l.rsplit("to=").next()).expect("the end of a loop");
    let begins = options.iter().position(|l| l.split_whitespace().next() == Some(back)).expect("its begin");
    let (before, rounds) = options.split_at(begins);
    assert!(
        before.iter().any(|l| word(l) == "SEach") && word(rounds[rounds.len() - 1]) == "SMore",
        "{options:?}"
    );
    for once in ["LdTable", "PlaneI", "Plane"] {
        assert!(before.iter().any(|l| word(l) == once), "no {once} before the loop: {options:?}");
        assert!(!rounds.iter().any(|l| word(l) == once), "{once} in every round: {options:?}");
    }
    assert!(rounds.len() <= 8, "{options:?}");
}

#[test]
fn a_house_rule_is_a_guard_like_any_other() {
    assert_eq!(loops(&modded("tic-tac-toe", &["gravity"]))[0].0, "place");
}

#[test]
fn a_dump_names_what_it_shows() {
    let g = game("othello");
    let p = g.lower_setup(&Setup::default()).expect("a program");
    let text = dump(&p, Some(g.files()), false);
    for word in
        ["RunSrc", "action place: 1 parameters", "othello.rules:25", "StMany", "attribute Cell.disc: 0..1"]
    {
        assert!(text.contains(word), "the dump has no {word}");
    }
    assert!(dump(&p, None, true).lines().count() < 12);
}

/// Sixty cards in hand: 2^60 - 1 subsets.
const HAND: &str = r#"
game Discards "Discards" { players 2; outcome highest kept }
card Card { rank: 1..60 }
Card number(n: 1..60) { rank: n }
table { zone heap: Card }
player { zone hand: Card seen by owner; coins: 0..1000 = 900; bid: 0..900 = 0 }
setup { move Card to (first of players).hand }
value kept(p: player): int = count(p.hand)
round once { everyone in turn { offer turn } }
menu turn { pass }
action throw(cards: 1.. of my.hand) in turn { move cards to heap }
action bid(n: one of 0..900) in turn { needs n <= my.coins; my.bid = n }
"#;

#[test]
fn subsets_and_amounts_are_counted_and_drawn_without_listing() {
    let mut files = Files::new();
    files.add(File::new("discards.rules", HAND));
    let g = Game::load(&files).unwrap_or_else(|r| panic!("{:?}", r.findings));
    let p = g.lower_setup(&Setup::default()).expect("a program");
    let mut m = g.make_machine(p, 1);
    m.start().expect("it starts");
    let options = m.options(0).expect("options").clone();
    assert_eq!(options.count(), (1u64 << 60) - 1 + 901 + 1);
    // For the uniform policy all subsets are one option.
    assert_eq!(options.weight(), 1 + 901 + 1);
    assert!(options.words.len() < 128, "{} words for 2^60 answers", options.words.len());
    let mut rng = Stream::new(9, 0);
    let mut sizes = 0;
    for _ in 0..400 {
        let choice = options.draw(&mut rng).expect("an answer");
        let k = options.index_of(&choice).expect("it is one of them");
        assert_eq!(options.nth(k), Some(choice));
        sizes += 1;
    }
    assert_eq!(sizes, 400);
    // The last of all subsets is the whole hand: it can be taken.
    let whole = options.nth((1u64 << 60) - 2).expect("the whole hand");
    m.choose(0, &whole).expect("it can be thrown");
    assert_eq!(m.look().place(0, 0), m.look().place(0, 59));
}

#[test]
fn seeded_faults_of_the_lowering_change_what_is_offered() {
    // Each fault makes code that differs: what the laws are shown to catch is really there.
    let g = game("othello");
    let right = dump(&g.lower_setup(&Setup::default()).expect("a program"), None, false);
    for fault in [SeededFault::GuardDropped, SeededFault::RunNeedNotClose, SeededFault::FilterDropped] {
        let wrong = g.with_lowering(LowerOptions { fault: Some(fault), ..LowerOptions::default() });
        assert_ne!(
            dump(&wrong.lower_setup(&Setup::default()).expect("a program"), None, false),
            right,
            "{fault:?}"
        );
    }
}

/// Cards on spaces, some of them spoilt; players who stand there.
const GARDEN: &str = r#"
game Garden "Garden" { players 2..3; outcome each }
enum Soil { clay, sand, rock }
card Plant { soil: Soil = clay; spoilt: bool = no }
Plant rose x4 { soil: clay }
Plant reed x4 { soil: sand }
Plant moss x4 { soil: rock }
map Land squares """
  a a a a
  b b . b
  c c c c
"""
space Bed on Land { slot plant: Plant }
legend Land { a: rose; b: reed; c: moss }
player { at: Bed }
value good(b: Bed): bool = b.plant is ((clay or sand) and not spoilt)
value bare(b: Bed): bool = b.plant is none and no(p in players: p.at == b)
setup { build Land; move players to A1 }
round { everyone in turn { offer work } }
menu work { pass }
action walk(b: Bed) in work { needs distance(my.at, b, through: good) is some; move me to b }
action stroll(b: Bed where good) in work { needs (distance(my.at, b, through: good) default 9) <= 2; move me to b }
action spoil(b: Bed where good) in work { needs no(p in players: p.at == b); b.plant.spoilt = yes }
action weed(b: Bed) in work { needs not bare(b) and b.plant is (rock or spoilt); move b.plant to box }
action plant(b: Bed where bare) in work { move first of box where Plant to b.plant }
"#;

#[test]
fn conditions_on_slots_distances_and_other_players_leave_no_loop_over_spaces() {
    let mut files = Files::new();
    files.add(File::new("garden.rules", GARDEN));
    let g = Game::load(&files).unwrap_or_else(|r| panic!("{:?}", r.findings));
    // What is left runs over the players, and over each once.
    let left = loops(&g);
    let most = |name: &str| usize::from(matches!(name, "spoil" | "weed" | "plant"));
    assert_eq!(left.len(), 5);
    assert!(left.iter().all(|(name, n)| *n <= most(name)), "{left:?}");
    let plain = g.clone().with_lowering(LowerOptions { lift: false, ..LowerOptions::default() });
    assert!(loops(&plain).iter().all(|(name, n)| *n > most(name)), "{:?}", loops(&plain));
    for players in 2..=3 {
        let setup = Setup::default().with_players(players);
        let limits = houserule::lab::laws::LawLimits { seed: 1, choices: 60, tuples: 60 };
        for law in [houserule::lab::laws::check_lowering, houserule::lab::laws::check_reasons] {
            law(&g, &setup, limits).unwrap_or_else(|b| panic!("{b}"));
        }
    }
}

#[test]
fn where_one_may_go_on_a_slope_of_cards_is_found_by_sets() {
    let left = loops(&game("fuji"));
    // What is left goes through the players next to one, and through what is attached; there were 25 with loops over the board.
    let of = |name: &str| left.iter().find(|(n, _)| n == name).map(|(_, n)| *n);
    assert!(of("place_marker").is_some_and(|n| n <= 17), "{left:?}");
}

/// A value that asks for another one twice.
const SHARES: &str = r#"
game Shares "Shares" { players 2; outcome highest wealth }
card Bond { worth: 1..6 }
Bond bond(n: 1..6) { worth: n }
player { zone hand: Bond }
table { zone heap: Bond }
value weight(p: player, n: int): int = sum(b in p.hand where b.worth >= n: b.worth * n)
value rest(p: player): int = if weight(p, 2) == 0 then 0 else 600 / weight(p, 2)
value wealth(p: player): int = count(p.hand)
setup { move first 4 of box where Bond to (first of players).hand; move box where Bond to heap }
round once { everyone in turn { offer turn } }
menu turn { pass }
action sell() in turn { needs rest(me) > 9; move my.hand to heap }
"#;

#[test]
fn a_call_that_stands_twice_in_a_value_is_made_once() {
    let load = |text: &str| {
        let mut files = Files::new();
        files.add(File::new("shares.rules", text));
        Game::load(&files).unwrap_or_else(|r| panic!("{:?}", r.findings))
    };
    let twice = load(SHARES);
    let once = load(&SHARES.replace("weight(p, 2) == 0", "count(p.hand) == 0"));
    let sell = |g: &Game| loops(g).iter().find(|(n, _)| n == "sell").map(|(_, n)| *n);
    assert_eq!(sell(&twice), sell(&once), "{:?}", loops(&twice));
    assert!(sell(&twice).is_some_and(|n| n > 0));
    let limits = houserule::lab::laws::LawLimits { seed: 1, choices: 20, tuples: 20 };
    houserule::lab::laws::check_lowering(&twice, &Setup::default(), limits).unwrap_or_else(|b| panic!("{b}"));
}
