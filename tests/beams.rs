//! The bot that plans: lines of its own choices through whole turns, told nothing that its seat does not know.
use crate::cli::cli;
use houserule::bots::{self, Bot, Policy};
use houserule::cli::Exit;
use houserule::play::{Ending, Game, Match, Setup};
use houserule::text::{File, Files};

/// One walks alone. What lies near is worth less than what lies behind the swamp, and the way there costs at first: whoever looks one step ahead stays where he is.
const SWAMP: &str = r#"game Swamp "Swamp" { seats 1; players walker answered by [1]; outcome highest score }
player { at: 0..9 = 2; purse: -20..90 = 0; steps: 0..3 = 0 }
value score(p: player): int = p.purse
heuristic wealth(p: player): int = p.purse
round 4 times { as walker { my.steps = 2; offer walk } }
menu walk { done }
action on() in walk { needs my.steps > 0; needs my.at < 9; my.steps -= 1; my.at += 1; pay_for() }
action back() in walk { needs my.steps > 0; needs my.at > 0; my.steps -= 1; my.at -= 1; pay_for() }
rule pay_for() { my.purse += case my.at { 0: 2, 1: 1, 3..7: -1, 8: 30, else: 0 } }
"#;

/// Dice that are rolled behind a choice: what comes of them cannot be planned, but what is likely can.
const DICE: &str = r#"game Risk "Risk" { players 2; outcome highest score }
player { points: -50..200 = 0 }
value score(p: player): int = p.points
heuristic mine(p: player): int = p.points
round 10 times { everyone in turn { offer bet } }
menu bet
action safe() in bet { my.points += 2 }
action bold() in bet { my.points += (choose one of [1, 2, 3, 4, 5, 6, 7, 8] by chance) }
action mad() in bet { my.points -= (choose one of [1, 2, 3, 4, 5] by chance) }
"#;

fn load(name: &str, rules: &str) -> Game {
    let mut files = Files::new();
    files.add(File::new(format!("{name}/{name}.rules"), rules));
    Game::load(&files).unwrap_or_else(|r| panic!("{:?}", r.findings))
}

fn play(game: &Game, seed: u64, seats: &[&str]) -> (Vec<String>, Vec<i64>) {
    let mut m: Match = game.start(&Setup::with_seed(seed)).expect("a match");
    let bot = |word: &&str| Bot::from_word(word).expect("a bot").make_policy(seed);
    let mut all: Vec<Box<dyn Policy>> = seats.iter().map(bot).collect();
    while !m.is_over() {
        let q = m.questions()[0];
        let seat = q.seats.trailing_zeros() as usize;
        bots::answer_question(&mut m, seat, q.id, all[seat].as_mut()).unwrap_or_else(|e| panic!("{e}"));
    }
    let said = m.steps().iter().map(|s| s.words.clone()).collect();
    match m.ending() {
        Some(Ending::Over(o)) => (said, o.scores.iter().map(|s| s[0]).collect()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn it_goes_through_the_swamp() {
    let game = load("swamp", SWAMP);
    let (said, points) = play(&game, 1, &["beam:60"]);
    assert_eq!(points, [25 + 30], "there, one step beyond and back: {said:?}");
    let (_, greedy) = play(&game, 1, &["greedy"]);
    assert!(greedy[0] < 15, "{greedy:?}");
    // One turn alone does not show what lies behind the swamp.
    let (_, short) = play(&game, 1, &["beam:60:1"]);
    assert!(short[0] < 15, "{short:?}");
    // As few positions as one are hardly enough, and as few answers as three are none.
    assert!(play(&game, 1, &["beam:1"]).1[0] <= 55 && play(&game, 1, &["beam:60:9:3"]).1[0] < 55);
}

#[test]
fn it_is_the_same_again_for_the_same_seed() {
    let game = load("risk", DICE);
    for seed in 1..4 {
        assert_eq!(play(&game, seed, &["beam:5", "beam:5"]), play(&game, seed, &["beam:5", "beam:5"]));
    }
}

#[test]
fn it_bets_on_what_is_likely() {
    let game = load("risk", DICE);
    let (mut beam, mut random) = (0, 0);
    for seed in 1..13 {
        let (said, points) = play(&game, seed, &["beam:5", "random"]);
        let mad = said.iter().step_by(2).filter(|w| *w == "mad").count();
        assert_eq!(mad, 0, "never what always costs: {said:?}");
        beam += points[0];
        random += points[1];
    }
    assert!(beam > random + 100, "{beam} to {random}");
}

#[test]
fn it_plays_shipped_games_on_the_command_line() {
    let done = cli("sim tic-tac-toe --games 40 --seats beam:10:3,random --seed 3 --format json --jobs 1");
    assert_eq!(done.exit, Exit::Fine, "{}{}", done.out, done.err);
    let json: serde_json::Value = serde_json::from_str(&done.out).expect("JSON");
    assert_eq!(json["players"][0]["policy"], "beam:10:3:1000000", "{}", done.out);
    let done = cli("sim love-letter --games 3 --seats beam:4:2:200,greedy --seed 3 --jobs 1");
    assert_eq!(done.exit, Exit::Fine, "{}{}", done.out, done.err);
    for wrong in ["beam:0", "beam:x", "beam:1:2:3:4", "random:3", "beams"] {
        assert_eq!(cli(&format!("sim tic-tac-toe --games 1 --seats {wrong}")).exit, Exit::Usage, "{wrong}");
    }
    // A broader plan may try more answers, unless it is said how many.
    assert_eq!(Bot::from_word("beam:100").map(Bot::to_word).as_deref(), Some("beam:100:1000:5000000"));
    for word in ["random", "greedy", "beam", "beam:7:8:9"] {
        assert_eq!(Bot::from_word(word).map(Bot::to_word).as_deref(), Some(word));
    }
}
