//! How games end, and seats with several players: what is told of scores and rankings, and who may answer for whom.
use crate::cli::{cli, cli_in, lines};
use crate::support::small;
use houserule::engine::{Cell, Sheet};
use houserule::play::outcome_text::{EndLine, end_lines};
use houserule::play::{Ending, Game, Match, Setup};
use houserule::text::{File, Files};
use serde_json::json;

fn game(name: &str) -> Game {
    let found = small("ends").into_iter().find(|(n, _)| n == name);
    found.unwrap_or_else(|| panic!("there is no {name}")).1
}

fn file(name: &str) -> String {
    format!("{}/tests/suite/ends/{name}.rules", env!("CARGO_MANIFEST_DIR"))
}

fn start(name: &str, setup: &Setup) -> Match {
    game(name).start(setup).unwrap_or_else(|r| panic!("{:?}", r.findings))
}

/// Plays on with the first option of every question, each answered by the first seat that may.
fn to_the_end(m: &mut Match) {
    while !m.is_over() {
        let q = m.questions().first().copied().expect("somebody is asked");
        let first = m.list_options(q.id, 0, 1).expect("options").remove(0).choice;
        m.choose(q.seats.trailing_zeros() as usize, q.id, &first).expect("an option is an answer");
    }
}

#[test]
fn a_seat_answers_for_its_players_and_for_no_others() {
    let mut m = start("seats", &Setup { seed: 3, ..Setup::default().with_players(2) });
    assert_eq!((m.seat_count(), m.player_count()), (2, 4));
    assert_eq!(m.program().answered, [0b01, 0b10, 0b01, 0b10]);
    for player in 0..4usize {
        let q = m.questions().first().copied().expect("a turn");
        assert_eq!((q.player as usize, q.seats), (player, 1 << (player % 2)));
        assert!(m.choose_in_words(1 - player % 2, "pass").is_err());
        m.choose_in_words(player % 2, "pass").expect("its own seat");
    }
    // All at once: each seat has two questions, and answers them in any order.
    let asked: Vec<_> = m.questions().iter().map(|q| (q.id, q.player, q.seats)).collect();
    assert_eq!(asked.len(), 4);
    let answer = |m: &mut Match, (id, player, _): (u32, u8, u32)| {
        let first = m.list_options(id, 0, 1).expect("options").remove(0).choice;
        assert!(m.choose(1 - player as usize % 2, id, &first).is_err());
        m.choose(player as usize % 2, id, &first).expect("its own seat");
    };
    let mut other = start("seats", &Setup { seed: 3, ..Setup::default().with_players(2) });
    for player in 0..4 {
        other.choose_in_words(player % 2, "pass").expect("a turn");
    }
    asked.iter().for_each(|q| answer(&mut m, *q));
    asked.iter().rev().for_each(|q| answer(&mut other, *q));
    assert!(m.state() == other.state(), "the order of answers does not show");
    let text = m.save();
    assert!(text.contains("players: 2") && text.contains("player: \"yellow\""), "{text}");
    let again = Match::load(&game("seats"), &text).unwrap_or_else(|e| panic!("{e}"));
    assert!(again.parted.is_none() && again.game.state() == m.state());
}

#[test]
fn a_seat_sees_what_any_of_its_players_sees() {
    let mut m = start("seats", &Setup { seed: 3, ..Setup::default().with_players(2) });
    let view = m.view(0);
    let known = |player: usize| {
        let hold = view.players[player].piles.iter().find(|p| &*p.zone == "hold").expect("a hold");
        hold.cards.iter().filter(|c| c.face.is_some()).count()
    };
    assert_eq!([known(0), known(1), known(2), known(3)], [2, 0, 2, 0]);
    assert_eq!(view.answered, [vec![0], vec![1], vec![0], vec![1]]);
}

#[test]
fn so_many_players_play_as_the_game_says() {
    let game = game("seats");
    for (seats, players) in [(1, 3), (2, 4), (3, 3), (4, 4)] {
        let m =
            game.start(&Setup::default().with_players(seats)).unwrap_or_else(|r| panic!("{:?}", r.findings));
        assert_eq!((m.seat_count(), m.player_count()), (seats as usize, players));
    }
    assert!(game.lower_setup(&Setup::default().with_players(5)).is_err());
    let named = Setup { names: vec!["Ann".into(), "Bo".into()], ..Setup::default() };
    let m = game.start(&named).unwrap_or_else(|r| panic!("{:?}", r.findings));
    assert_eq!((m.player_name(2).as_str(), m.player_name(3).as_str()), ("yellow (Ann)", "white (Bo)"));
}

#[test]
fn a_result_has_places_and_each_line_of_the_scores() {
    // The first seed that tells the two apart.
    let ended = |seed: u64| {
        let mut m = start("seats", &Setup { seed, ..Setup::default().with_players(2) });
        to_the_end(&mut m);
        m.sheets()
    };
    let apart = |s: &Vec<Sheet>| s[1].lines[0].cells[0] != s[1].lines[0].cells[1];
    let sheets = (1..50).map(ended).find(apart).expect("some seed tells them apart");
    let [total, last] = sheets.as_slice() else { panic!("{sheets:?}") };
    assert_eq!((&*total.name, total.ranking, &*last.name, last.ranking), ("total", false, "final", true));
    assert_eq!(total.columns, [[0], [1], [2], [3]]);
    assert_eq!(last.columns, [[0, 2], [1, 3]]);
    for (i, sum) in total.sum.iter().enumerate() {
        let lines = total.lines.iter().map(|l| match l.cells[i] {
            Cell::Number(n) => n,
            Cell::Text(_) => panic!("numbers add up"),
        });
        assert_eq!(lines.sum::<i64>(), *sum);
    }
    // Of two colours the lower one counts; the first place is the higher number's.
    let points = |team: usize| last.columns[team].iter().map(|p| total.sum[*p]).min();
    assert_eq!(last.lines[0].cells, [0, 1].map(|t| Cell::Number(points(t).unwrap_or(0))));
    let better = points(0) > points(1);
    assert_eq!(last.places, if better { [1, 2] } else { [2, 1] });
    assert!(matches!(&last.lines[2].cells[0], Cell::Text(_)));
}

#[test]
fn the_terminal_and_machines_are_told_line_by_line() {
    let line = format!("play {} --players 2 --seats random,random --seed 5", file("seats"));
    let done = cli(&line);
    let shown = |part: &str| assert!(done.out.contains(part), "{part}: {}", done.out);
    let lot = |l: &str| ["won (", "lost (", "tied ("].iter().any(|w| l.contains(w));
    assert!(done.out.lines().any(|l| l.trim().starts_with("black + yellow ") && lot(l)), "{}", done.out);
    shown("black  pink  yellow  white");
    shown("  Unloaded");
    shown("  = total");
    shown("final   black + yellow  pink + white");
    shown("  Place");
    let said = lines(&cli_in(&format!("{line} --json"), "{\"do\": \"quit\"}\n").out);
    assert_eq!(said[0]["answered"], json!([[0], [1], [0], [1]]));
    let result = &said[1]["result"];
    assert_eq!(result["places"].as_array().map(Vec::len), Some(4));
    assert_eq!(result["places"][0], result["places"][2]);
    let sheet = &result["sheets"][1];
    assert_eq!((&sheet["name"], &sheet["columns"]), (&json!("final"), &json!([[0, 2], [1, 3]])));
    assert_eq!(sheet["lines"][0]["title"], "Points");
    // On the way `why` tells each line, those of variants with them.
    let why = cli(&format!("why {} total(Player1) --variant market", file("lines")));
    assert!(why.out.contains("Fruit (fruit): 0") && why.out.contains("(stand): 0"), "{}", why.out);
}

#[test]
fn simulations_count_players_by_the_policy_of_their_seat() {
    let line = format!("sim {} --players 2 --seats greedy,random --games 4 --format json", file("seats"));
    let all: serde_json::Value = serde_json::from_str(&cli(&line).out).expect("JSON");
    let policies: Vec<_> = (0..4).map(|i| all["players"][i]["policy"].clone()).collect();
    assert_eq!(policies, ["greedy", "random", "greedy", "random"]);
    assert_eq!(all["players"][0]["won"]["count"], all["players"][2]["won"]["count"]);
}

/// The lines of how a game of these rules ended, each with the players whose side it is about.
fn told(rules: &str, players: u32) -> Vec<(Vec<usize>, String)> {
    let mut files = Files::new();
    files.add(File::new("told.rules", rules));
    let game = Game::load(&files).unwrap_or_else(|r| panic!("{:?}", r.findings));
    let mut m =
        game.start(&Setup::with_seed(1).with_players(players)).unwrap_or_else(|r| panic!("{:?}", r.findings));
    to_the_end(&mut m);
    let Some(Ending::Over(outcome)) = m.ending() else { panic!("it is over") };
    let (view, sheets) = (m.view(0), m.sheets());
    let line = |line: EndLine| match line {
        EndLine::Side { players, how } => (players, how),
        EndLine::All(text, _) => (Vec::new(), text),
    };
    end_lines(&view, &outcome, false, &sheets).into_iter().map(line).collect()
}

#[test]
fn of_the_lines_about_the_end_the_best_sides_come_first() {
    let points = "player { points: 0..9 = 0 }\nsetup { for p in players { p.points = case index(players, p) { 1: 2, 2: 9, 3: 5, else: 1 } } }\n";
    let alone = format!(
        "game Told \"Told\" {{ players 4; outcome highest score }}\n{points}value score(p: player): int = p.points\nround once {{ }}\n"
    );
    let side = |n: usize, how: &str| (vec![n], how.to_string());
    assert_eq!(
        told(&alone, 4),
        [side(1, "won (9)"), side(2, "lost (5)"), side(0, "lost (2)"), side(3, "lost (1)")]
    );
    // Teams have a line each: the first and the third against the second and the fourth.
    let teams = format!(
        "game Told \"Told\" {{ players 4; outcome ranking best }}\n{points}modify team(p) = if index(players, p) is odd then 1 else 2\n\
         ranking best(t: team) {{ points \"Points\": sum(p in t.players: p.points) }}\nround once {{ }}\n"
    );
    let told = told(&teams, 4);
    assert_eq!(told.iter().map(|(p, _)| p.clone()).collect::<Vec<_>>(), [vec![1, 3], vec![0, 2]], "{told:?}");
    assert!(told[0].1.starts_with("won") && told[1].1.starts_with("lost"), "{told:?}");
}

#[test]
fn what_all_reached_together_is_their_score() {
    let rules = r#"game Camp "Camp" { players 2; outcome together; score sticks() "{sticks()} sticks" }
player { sticks: 0..9 = 0 }
value sticks(): int = sum(p in players: p.sticks)
win when sticks() >= 2 "the fire burns"
table { nights: 0..9 = 0 }
lose when nights == 3 "it is cold"
round { nights += 1; everyone in turn { offer gather } }
menu gather { pass }
action pick() in gather { my.sticks += 1 }
"#;
    let mut files = houserule::text::Files::new();
    files.add(houserule::text::File::new("it.rules", rules));
    let game = houserule::play::Game::load(&files).unwrap_or_else(|r| panic!("{:?}", r.findings));
    let end = |words: &str| {
        let mut m = game.start(&Setup::with_seed(1)).unwrap_or_else(|r| panic!("{:?}", r.findings));
        while !m.is_over() {
            let seat = m.questions().first().map_or(0, |q| q.seats.trailing_zeros() as usize);
            m.choose_in_words(seat, words).unwrap_or_else(|e| panic!("{e}"));
        }
        match m.ending() {
            Some(houserule::play::Ending::Over(o)) => o,
            other => panic!("{other:?}"),
        }
    };
    let won = end("pick()");
    assert_eq!((won.scores, won.text.as_str()), (vec![vec![2], vec![2]], "the fire burns Score 2: 2 sticks"));
    assert!(end("pass").scores.is_empty());
}
