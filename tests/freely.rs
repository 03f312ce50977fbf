//! *Everyone freely*: done lapses when it no longer holds, and can be taken back until all are done.
use crate::cli::{cli_in, lines};
use houserule::engine::EventKind;
use houserule::lab::given;
use houserule::lab::laws::{self, LawLimits};
use houserule::lab::record::{Recorded, Wish, record_test};
use houserule::lab::simulate::{SimulationPlan, simulate};
use houserule::play::{Game, Illegal, Match, Setup};
use houserule::text::{File, Files};
use std::sync::atomic::{AtomicBool, AtomicU64};

/// Everybody takes what lies in the middle; who has at least as many as each other may be done. To give is an action with a question to somebody else within.
const RULES: &str = r#"game Share "Share" { players 2..3; outcome highest score }
table { middle: 0..20 = 4; ends: 0..9 = 0 }
player { coins: 0..20 = 0; order: 0..9 = 0 }
value score(p: player): int = p.coins
round 2 times { everyone freely { offer take; ends += 1; my.order = ends } }
menu take { done when my.coins >= max(q in players: q.coins) - 1 else "somebody has more" }
action grab() in take { needs middle > 0 else "nothing is left"; middle -= 1; my.coins += 1 }
action rob(q: one of others) in take {
  needs q.coins > 1 else "{q} is poor"
  let sure = choose one of players by q "Who is to have it?"
  q.coins -= 1
  if sure is some { sure.coins += 1 }
}
"#;

fn game() -> Game {
    let mut files = Files::new();
    files.add(File::new("share/share.rules", RULES));
    Game::load(&files).unwrap_or_else(|r| panic!("{:?}", r.findings))
}

fn begun(players: u32) -> Match {
    game().start(&Setup::with_seed(3).with_players(players)).expect("a match")
}

fn asked(m: &Match) -> Vec<u8> {
    m.questions().iter().map(|q| q.player).collect()
}

fn done(m: &Match) -> Vec<usize> {
    m.list_dones().iter().map(|d| d.player).collect()
}

fn say(m: &mut Match, seat: usize, words: &str) {
    m.choose_in_words(seat, words).unwrap_or_else(|e| panic!("{seat} {words}: {e}"));
}

#[test]
fn done_waits_for_the_others_and_lapses() {
    let mut m = begun(2);
    say(&mut m, 0, "done");
    assert_eq!((asked(&m), done(&m)), (vec![1], vec![0]));
    say(&mut m, 1, "grab");
    assert_eq!((asked(&m), done(&m)), (vec![1], vec![0]), "one more is not enough");
    say(&mut m, 1, "grab");
    assert_eq!((asked(&m), done(&m)), (vec![0, 1], vec![]), "it no longer holds");
    assert!(m.log(None).iter().any(|l| l.kind == EventKind::Reopened && l.player == Some(0)));
    assert!(
        matches!(m.choose_in_words(0, "done"), Err(Illegal::Refused(r)) if r[0].text == "somebody has more")
    );
    say(&mut m, 1, "done");
    say(&mut m, 0, "grab");
    // All are done: what stands behind the menu runs, in seat order, and the next round begins.
    say(&mut m, 0, "done");
    assert_eq!((asked(&m), done(&m), m.state().round()), (vec![0, 1], vec![], 2));
    let view = serde_json::to_string(&m.view(0)).expect("JSON");
    assert!(view.contains("order"), "{view}");
    assert_eq!(m.log(None).iter().filter(|l| l.text.starts_with("ends")).count(), 2);
}

#[test]
fn done_is_taken_back_until_all_are_done() {
    let mut m = begun(2);
    say(&mut m, 1, "done");
    assert!(matches!(m.choose_in_words(0, "not done"), Err(Illegal::NotPending)), "who is not done");
    assert!(matches!(m.take_back(0, m.list_dones()[0].question), Err(Illegal::NotYours { .. })));
    let before = m.questions().to_vec();
    say(&mut m, 1, "not done");
    assert_eq!((asked(&m), done(&m)), (vec![0, 1], vec![]));
    assert!(before.iter().all(|q| m.questions().iter().any(|x| x == q)), "the others' questions stay");
    say(&mut m, 1, "grab");
    say(&mut m, 1, "done");
    say(&mut m, 0, "done");
    assert!(m.list_dones().is_empty(), "all were done");
    assert!(matches!(m.choose_in_words(1, "not done"), Err(Illegal::NotPending)));
    // The time line, a save and a copy know it.
    let end = m.state().clone();
    let text = m.save();
    assert!(text.contains("says: \"not done\""), "{text}");
    let loaded = Match::load(m.game(), &text).expect("it loads");
    assert!(loaded.parted.is_none() && *loaded.game.state() == end, "{loaded:?}");
    for step in 0..=m.step() {
        assert!(m.at(step), "step {step}");
    }
    assert!(*m.state() == end && m.at(2) && asked(&m) == [0, 1]);
}

#[test]
fn while_one_acts_nobody_takes_anything_back() {
    let mut m = begun(3);
    say(&mut m, 1, "grab");
    say(&mut m, 1, "grab");
    say(&mut m, 1, "done");
    assert_eq!((asked(&m), done(&m)), (vec![0, 2], vec![1]));
    say(&mut m, 0, "rob(Player2)");
    // The question within the action is the only one, and it is for one who is done.
    assert_eq!((asked(&m), done(&m)), (vec![1], vec![]));
    assert!(matches!(m.choose_in_words(1, "not done"), Err(Illegal::NotPending)));
    say(&mut m, 1, "Player1");
    // Now each has at most one more than another: nothing lapses.
    assert_eq!((asked(&m), done(&m)), (vec![0, 2], vec![1]));
}

#[test]
fn who_has_nothing_to_do_is_done_and_whoever_may_not_be_done_goes_on() {
    // Nothing in the middle: a menu without an action.
    let rules = RULES.replace("middle: 0..20 = 4", "middle: 0..20 = 1");
    let mut files = Files::new();
    files.add(File::new("share/share.rules", rules));
    let game = Game::load(&files).unwrap_or_else(|r| panic!("{:?}", r.findings));
    let mut m = game.start(&Setup::with_seed(3)).expect("a match");
    assert_eq!(asked(&m), [0, 1]);
    say(&mut m, 0, "grab");
    assert!(m.is_over(), "nobody can do anything in either round");
}

#[test]
fn games_of_bots_end_and_laws_hold() {
    let game = game();
    let plan = SimulationPlan {
        setup: Setup::with_seed(5).with_players(3),
        first: 0,
        games: 40,
        seats: Vec::new(),
        jobs: 1,
        cap: 5000,
        uses: true,
    };
    let all = simulate(&game, &plan, &AtomicBool::new(false), &AtomicU64::new(0)).expect("games");
    assert_eq!(all.finished(), 40, "{:?}", all.games.iter().find(|g| g.unfinished.is_some()));
    for (name, law) in laws::ALL {
        // Who comes first is part of the record here.
        if name == "simultaneous" {
            continue;
        }
        for seed in 1..=2 {
            let limits = LawLimits { seed, choices: 60, tuples: 20 };
            law(&game, &Setup::default().with_players(3), limits).unwrap_or_else(|b| panic!("{name}: {b}"));
        }
    }
}

#[test]
fn the_conversation_and_the_terminal_offer_it() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("share.rules"), RULES).expect("written");
    let game = folder.path().display();
    let input = [
        r#"{"do": "choose", "seat": 1, "choice": "done"}"#,
        r#"{"do": "choose", "choice": "not done", "seat": 0}"#,
        r#"{"do": "choose", "choice": "not done"}"#,
        r#"{"do": "choose", "seat": 0, "choice": "done"}"#,
        r#"{"do": "undo"}"#,
    ];
    let said = lines(&cli_in(&format!("play {game} --json --seed 1"), &input.join("\n")).out);
    let names = |i: usize| said[i]["done"].as_array().map_or(0, Vec::len);
    assert_eq!((names(2), &said[2]["done"][0]["name"]), (1, &"Player 2".into()));
    assert_eq!(said[3]["kind"], "question");
    assert_eq!((names(4), said[4]["decisions"].as_array().map(Vec::len)), (0, Some(2)));
    assert_eq!((names(5), names(6)), (1, 0));
    let typed = "done\nnot done Player 2\nnot done\ngrab\n";
    let done = cli_in(&format!("play {game} --seats you,you --seed 1"), typed);
    assert!(done.out.contains("done: Player 1 (`not done` takes it back)"), "{}", done.out);
    assert!(done.out.contains("No player here that this could mean is done."), "{}", done.out);
    assert!(done.out.contains("is not done any more"), "{}", done.out);
}

fn files() -> Files {
    let mut files = Files::new();
    files.add(File::new("share/share.rules", RULES));
    files
}

fn recorded(m: &Match, wish: &Wish) -> Recorded {
    // It has been run, and passes.
    record_test(m, &files(), wish).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn a_done_that_was_taken_back_is_left_out_of_a_test() {
    let block = "given { middle = 3; start at round }";
    let from = |block: Option<&str>| match block {
        None => begun(2),
        Some(b) => given::begin_match(&files(), b, &Setup::with_seed(3).with_players(2)).expect("a match"),
    };
    for block in [None, Some(block)] {
        let mut m = from(block);
        for (seat, words) in [(1, "done"), (0, "grab"), (1, "not done"), (1, "grab"), (0, "done")] {
            say(&mut m, seat, words);
        }
        let r = recorded(&m, &Wish::default());
        assert_eq!(r.notes, ["a `done` that was taken back is left out"]);
        let choices: Vec<&str> =
            r.text.lines().map(str::trim).filter(|l| l.starts_with("Ann:") || l.starts_with("Bo:")).collect();
        assert_eq!(choices, ["Ann: grab()", "Bo: grab()", "Ann: done"], "{}", r.text);
        assert_eq!(r.text.contains("middle = 3"), block.is_some());
        // One that was not taken back stays, also of somebody whose other was.
        say(&mut m, 1, "done");
        let r = recorded(&m, &Wish::default());
        assert!(r.text.contains("Bo: done") && r.notes.len() == 1, "{}", r.text);
    }
    // The last choice of all, and the only one.
    let mut m = begun(2);
    say(&mut m, 1, "done");
    say(&mut m, 1, "not done");
    assert!(recorded(&m, &Wish::default()).title.starts_with("how it begins"));
    // What is refused there is told of the question as it is counted there.
    say(&mut m, 0, "grab");
    say(&mut m, 0, "grab");
    let refused = Wish { title: "not yet".into(), refused: Some((1, "done".into())) };
    assert!(recorded(&m, &refused).text.contains("refuse Bo: done because \"somebody has more\""));
}
