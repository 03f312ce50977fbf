//! Tests out of what was played: they pass at once, hang on no seed where they need not, and fail when the rule that they show is gone.
use super::games;
use houserule::lab::record::Wish;
use houserule::lab::testing;
use houserule::play::{Game, Setup};
use houserule::text::{File, Files};
use houserule_editor::play::made::{Made, make_test};
use houserule_editor::play::{Begin, Session, Sitter, Start};
use std::collections::BTreeMap;
use std::sync::Arc;

fn with(files: &Files, made: &Made) -> Files {
    let mut texts: BTreeMap<Arc<str>, String> =
        files.iter().map(|(_, f)| (f.name.as_str().into(), f.text.to_string())).collect();
    made.edits.apply(&mut texts).expect("the edit fits");
    let mut out = Files::new();
    for (name, text) in texts {
        out.add(File::new(name.to_string(), text));
    }
    out
}

fn replaced(files: &Files, a: &str, b: &str) -> Files {
    let mut out = Files::new();
    let mut found = 0;
    for (_, f) in files.iter() {
        found += f.text.matches(a).count();
        out.add(File::new(f.name.clone(), f.text.replacen(a, b, 1)));
    }
    assert!(found > 0, "`{a}` stands nowhere");
    out
}

/// How a test goes: none if it passes.
fn goes(files: &Files, title: &str) -> Option<String> {
    let game = Game::load(files).unwrap_or_else(|r| panic!("{:?}", r.findings));
    let result =
        testing::run(&game, Some(title)).into_iter().find(|r| r.title == title).expect("the test is there");
    result.failure.map(|f| f.to_string())
}

fn make(s: &Session, wish: &Wish) -> Made {
    let files = s.files().clone();
    let made = make_test(s.m(), &files, wish).unwrap_or_else(|e| panic!("{e}"));
    println!("{}: {}\n{}", made.test.file, made.test.notes.join("; "), made.test.text);
    assert_eq!(goes(&with(&files, &made), &made.test.title), None);
    made
}

fn played(name: &str, setup: Setup, says: &[&str]) -> Session {
    let (game, files) = games::game(name);
    let start = Start { setup, sitters: Vec::new(), begin: Begin::Start };
    let mut s = Session::start(&game, &files, &start).unwrap_or_else(|e| panic!("{:?}", e.told));
    for words in says {
        s.turn_to_asked();
        s.say(words).unwrap_or_else(|e| panic!("{words}: {e}"));
    }
    s
}

fn bots(name: &str, setup: Setup, choices: usize) -> Session {
    let (game, files) = games::game(name);
    let start = Start { setup, sitters: vec![Sitter::Bot("random"); 8], begin: Begin::Start };
    let mut s = Session::start(&game, &files, &start).unwrap_or_else(|e| panic!("{:?}", e.told));
    for _ in 0..choices {
        s.step_bot().unwrap_or_else(|e| panic!("{e}"));
    }
    s
}

#[test]
fn a_game_without_chance() {
    let s = played("othello", Setup::default(), &["place(D3)", "place(C3)"]);
    let made = make(&s, &Wish { title: "white turns one over".into(), refused: None });
    assert!(!made.test.seeded);
    let files = with(s.files(), &made);
    let broken = replaced(&files, "for x in flips(c, me) + c { x.disc = me }", "c.disc = me");
    assert!(goes(&broken, "white turns one over").is_some());
}

#[test]
fn castling_in_chess() {
    let line = ["go(G1, F3)", "go(A7, A6)", "go(G2, G3)", "go(B7, B6)", "go(F1, G2)", "go(C7, C6)"];
    let mut s = played("chess", Setup::default(), &line);
    s.turn_to_asked();
    let castle = s.choices().expect("white is asked");
    println!("{:?}", castle.rows.iter().map(|r| r.words.clone()).collect::<Vec<_>>());
    let d = s.m_mut().decisions().expect("decisions")[0].clone();
    let all = s.m_mut().options(d.question, 0, 100).expect("options");
    let castle =
        all.iter().find(|o| o.words.contains("castle") || o.words == "go(E1, G1)").expect("castling");
    let words = castle.words.clone();
    s.say(&words).expect("castling");
    let made = make(&s, &Wish { title: "white castles".into(), refused: None });
    assert!(!made.test.seeded && made.test.text.contains("expect F1"), "{}", made.test.text);
}

#[test]
fn a_refused_choice_in_fuji() {
    let mut s = bots("fuji", Setup::seed(7).players(3), 9);
    let seat = (0..3).find(|seat| {
        s.set_view_as(*seat);
        s.choices().is_some_and(|c| c.rows.iter().any(|r| r.title.contains("place marker")))
    });
    let seat = seat.expect("somebody plans");
    let wish =
        Wish { title: "too far for a marker".into(), refused: Some((seat, "place_marker(G1)".into())) };
    let made = make(&s, &wish);
    assert!(made.test.text.contains("steps away"), "{}", made.test.text);
    let files = with(s.files(), &made);
    // Without the rule that it shows it fails.
    let rule = "steps away; you have";
    let line = files.iter().find_map(|(_, f)| {
        f.text.lines().find(|l| l.contains(rule) && l.contains("needs")).map(String::from)
    });
    let line = line.expect("the rule");
    let broken = replaced(&files, &line, "");
    assert!(goes(&broken, "too far for a marker").is_some());
}

#[test]
fn what_was_dealt_is_laid_down() {
    let s = bots("love-letter", Setup::seed(5).players(3), 5);
    let made = make(&s, &Wish::default());
    assert!(!made.test.seeded, "{:?}", made.test.notes);
    assert!(made.test.text.contains("move first of deck where"), "{}", made.test.text);
}

#[test]
fn every_game_gives_tests_that_pass() {
    let (mut seeded, mut failed) = (Vec::new(), Vec::new());
    for name in games::names() {
        let (game, _) = games::game(&name);
        let Some(setup) = games::setups(&game).into_iter().next() else { continue };
        for n in [1, 6] {
            let s = bots(&name, Setup { seed: 3, ..setup.clone() }, n);
            let files = s.files().clone();
            match make_test(s.m(), &files, &Wish::default()) {
                Ok(made) => {
                    assert_eq!(goes(&with(&files, &made), &made.test.title), None, "{name}");
                    if made.test.seeded {
                        println!("{name} after {n}: {:?}", made.test.notes);
                        seeded.push(name.clone());
                    }
                }
                Err(e) => failed.push(format!("{name} after {n}: {e}")),
            }
        }
    }
    println!("bound to seeds: {seeded:?}");
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
