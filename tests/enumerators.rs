//! What may be chosen is found without loops where set operations can, and counted and drawn without being listed.
use crate::support::{game, modded};
use houserule::engine::Stream;
use houserule::play::{Game, Setup};
use houserule::program::dump::{dump, residual_loops};
use houserule::program::ir::ActionIx;
use houserule::program::{LowerOptions, SeededFault};
use houserule::text::{File, Files};

fn loops(game: &Game) -> Vec<(String, usize)> {
    let p = game.program(&Setup::default()).expect("a program");
    p.actions
        .iter()
        .enumerate()
        .map(|(i, a)| (a.name.to_string(), residual_loops(&p, ActionIx(i as u16))))
        .collect()
}

#[test]
fn the_boards_have_no_residual_loops() {
    for (name, action) in [("tic-tac-toe", "place"), ("connect-four", "drop"), ("othello", "place")] {
        assert_eq!(loops(&game(name)), [(action.to_string(), 0)], "{name}");
    }
    // The count bites: unlifted, the same enumerators loop.
    for name in ["tic-tac-toe", "connect-four", "othello"] {
        let plain = game(name).with_lowering(LowerOptions { lift: false, ..LowerOptions::default() });
        assert!(loops(&plain)[0].1 > 0, "{name}");
    }
}

#[test]
fn a_house_rule_is_a_guard_like_any_other() {
    assert_eq!(loops(&modded("tic-tac-toe", &["gravity"]))[0].0, "place");
}

#[test]
fn a_dump_names_what_it_shows() {
    let g = game("othello");
    let p = g.program(&Setup::default()).expect("a program");
    let text = dump(&p, Some(g.files()), false);
    for word in
        ["RunSrc", "action place: 1 parameters", "othello.rules:24", "StMany", "attribute Cell.disc: 0..1"]
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
    let p = g.program(&Setup::default()).expect("a program");
    let mut m = g.machine(p, 1);
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
    let right = dump(&g.program(&Setup::default()).expect("a program"), None, false);
    for fault in [SeededFault::GuardDropped, SeededFault::RunNeedNotClose, SeededFault::FilterDropped] {
        let wrong = g.with_lowering(LowerOptions { fault: Some(fault), ..LowerOptions::default() });
        assert_ne!(
            dump(&wrong.program(&Setup::default()).expect("a program"), None, false),
            right,
            "{fault:?}"
        );
    }
}
