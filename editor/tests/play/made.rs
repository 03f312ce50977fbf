//! Tests out of what was played: they pass at once, hang on no seed where they need not, and fail when the rule that they show is gone.
use super::games;
use houserule::lab::record::Wish;
use houserule::lab::testing;
use houserule::play::{Game, Setup, Spot};
use houserule::text::{File, Files};
use houserule_editor::play::make_test::{MadeTest, make_test};
use houserule_editor::play::why::explain_refusal;
use houserule_editor::play::{Begin, Board, Session, Sitter, Start};
use std::collections::BTreeMap;
use std::sync::Arc;

fn with(files: &Files, made: &MadeTest) -> Files {
    let mut texts: BTreeMap<Arc<str>, String> =
        files.iter().map(|(_, f)| (f.name.as_str().into(), f.text.to_string())).collect();
    made.edits.apply_to(&mut texts).expect("the edit fits");
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

fn make(s: &Session, wish: &Wish) -> MadeTest {
    let files = s.files().clone();
    let made = make_test(s.the_match(), &files, wish).unwrap_or_else(|e| panic!("{e}"));
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
        s.choose_in_words(words).unwrap_or_else(|e| panic!("{words}: {e}"));
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
    let broken = replaced(&files, "for x in flips(c, me) { x.disc = me }\n  ", "");
    assert!(goes(&broken, "white turns one over").is_some());
}

#[test]
fn castling_in_chess() {
    let line = ["go(G1, F3)", "go(A7, A6)", "go(G2, G3)", "go(B7, B6)", "go(F1, G2)", "go(C7, C6)"];
    let mut s = played("chess", Setup::default(), &line);
    s.turn_to_asked();
    let castle = s.list_choices().expect("white is asked");
    println!("{:?}", castle.rows.iter().map(|r| r.words.clone()).collect::<Vec<_>>());
    let d = s.the_match_mut().decisions().expect("decisions")[0].clone();
    let all = s.the_match_mut().list_options(d.question, 0, 100).expect("options");
    let castle =
        all.iter().find(|o| o.words.contains("castle") || o.words == "go(E1, G1)").expect("castling");
    let words = castle.words.clone();
    s.choose_in_words(&words).expect("castling");
    let made = make(&s, &Wish { title: "white castles".into(), refused: None });
    assert!(!made.test.seeded && made.test.text.contains("expect F1"), "{}", made.test.text);
}

#[test]
fn a_refused_choice_in_fuji() {
    let mut s = bots("fuji", Setup::with_seed(7).with_players(3), 9);
    let seat = (0..3).find(|seat| {
        s.set_view_as(*seat);
        s.list_choices().is_some_and(|c| c.rows.iter().any(|r| r.title.contains("Place marker")))
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

/// Refused choices by what is against them: of all that is asked about on the board the first whose reason is a guard `needs …` of the rules; with the file and the condition's place.
fn refusals(s: &mut Session, most: usize) -> Vec<(usize, String, String, std::ops::Range<usize>)> {
    let mut out: Vec<(usize, String, String, std::ops::Range<usize>)> = Vec::new();
    for seat in 0..s.the_match().seat_count() {
        let spots: Vec<Spot> = Board::from_match(s.the_match_mut(), seat, None)
            .maps
            .iter()
            .enumerate()
            .flat_map(|(map, m)| (0..m.cells.len()).map(move |space| Spot::Space { map, space }))
            .collect();
        for spot in spots {
            for about in explain_refusal(s.the_match_mut(), seat, spot).actions {
                let [one] = about.against.as_slice() else { continue };
                let Some((file, range)) = one.place.clone().filter(|_| !about.words.is_empty()) else {
                    continue;
                };
                let text = s.files().iter().find(|(_, f)| f.name == file).map(|(_, f)| f.text.to_string());
                let text = text.expect("the file");
                // The condition alone, also where the place is that of the whole guard.
                let range = match text[range.clone()].strip_prefix("needs") {
                    Some(rest) => {
                        let till = rest.find(" else").unwrap_or(rest.len());
                        range.start + 6..range.start + 5 + till
                    }
                    None => range,
                };
                let guard = text[..range.start].trim_end().ends_with("needs");
                if guard && out.iter().all(|(.., r)| *r != range) {
                    out.push((seat, about.words, file, range));
                }
                if out.len() >= most {
                    return out;
                }
            }
        }
    }
    out
}

/// A test of a refusal passes, and fails when its rule is gone: for each game as many rules as are found.
fn refusals_bite(name: &str, setup: Setup, choices: usize, least: usize) {
    let mut s = bots(name, setup, choices);
    let all = refusals(&mut s, 3);
    let mut bitten = 0;
    for (seat, words, file, range) in all {
        let wish = Wish { title: "what is refused".into(), refused: Some((seat, words.clone())) };
        let made = make(&s, &wish);
        assert!(!made.test.seeded, "{name}: {:?}", made.test.notes);
        assert!(made.test.text.contains("refuse "), "{}", made.test.text);
        let mut without = Files::new();
        for (_, f) in s.files().iter() {
            let mut text = f.text.to_string();
            if f.name == file {
                text.replace_range(range.clone(), "1 == 1");
            }
            without.add(File::new(f.name.clone(), text));
        }
        // The edit's places are those of the files as they were: the test is put in first.
        let cut = range.end - range.start;
        let mut texts: BTreeMap<Arc<str>, String> =
            without.iter().map(|(_, f)| (f.name.as_str().into(), f.text.to_string())).collect();
        let at = if made.test.file == file && made.test.at >= range.end {
            made.test.at + 6 - cut
        } else {
            made.test.at
        };
        texts.get_mut(made.test.file.as_str()).expect("the file").insert_str(at, &made.test.text);
        let mut broken = Files::new();
        for (name, text) in texts {
            broken.add(File::new(name.to_string(), text));
        }
        let told = goes(&broken, &made.test.title);
        assert!(told.is_some(), "{name}: {words} is refused without the rule, too");
        bitten += 1;
    }
    assert!(bitten >= least, "{name}: only {bitten} refusals were found");
}

#[test]
fn tests_of_refusals_fail_without_their_rules() {
    refusals_bite("othello", Setup::default(), 6, 1);
    refusals_bite("fuji", Setup::with_seed(7).with_players(3), 9, 1);
    refusals_bite("fog", Setup { seed: 3, ..games::setups(&games::game("fog").0)[0].clone() }, 60, 1);
}

#[test]
fn a_refusal_in_chess_is_shown_by_a_test_that_fails_without_its_rule() {
    let s = played("chess", Setup::default(), &["go(E2, E4)", "go(E7, E5)", "go(D1, H5)"]);
    // The pawn stands between its king and the queen.
    let wish = Wish { title: "pinned".into(), refused: Some((1, "go(F7, F6)".into())) };
    let made = make(&s, &wish);
    assert!(made.test.text.contains("refuse black: go(F7, F6) because \"your king would be in check\""));
    let files = with(s.files(), &made);
    let line = files
        .iter()
        .find_map(|(_, f)| f.text.lines().find(|l| l.contains("must leave not check(me)")).map(String::from));
    let broken = replaced(&files, &line.expect("the rule"), "");
    assert!(goes(&broken, "pinned").is_some());
}

/// What chance brought is said, and the test of what came of it fails when the rule is another one.
#[test]
fn a_test_of_the_fog_says_how_the_bay_was_laid_out() {
    let setup = Setup { seed: 3, ..games::setups(&games::game("fog").0)[0].clone() };
    let s = bots("fog", setup, 44);
    let made = make(&s, &Wish { title: "in the fog".into(), refused: None });
    assert!(!made.test.seeded && !made.test.text.contains("seeds"), "{:?}", made.test.notes);
    assert!(
        made.test.text.contains("table draws") && made.test.text.contains("table rolls"),
        "{}",
        made.test.text
    );
    let files = with(s.files(), &made);
    // Another number of rocks in the bay is another bay.
    let broken = replaced(&files, "count(Hex where rocky) == 15", "count(Hex where rocky) == 14");
    assert!(goes(&broken, "in the fog").is_some());
}

#[test]
fn a_test_of_fuji_fails_when_the_rule_that_it_shows_is_gone() {
    let mut s = bots("fuji", Setup::with_seed(7).with_players(3), 4);
    let seat = (0..3).find(|seat| {
        s.set_view_as(*seat);
        s.list_choices().is_some_and(|c| c.rows.iter().any(|r| r.title.contains("Place marker")))
    });
    s.set_view_as(seat.expect("somebody plans"));
    let words = (b'A'..=b'G').flat_map(|c| (1..=9).map(move |r| format!("place_marker({}{r})", c as char)));
    let said = words.into_iter().find(|w| s.choose_in_words(w).is_ok());
    assert!(said.is_some(), "a marker is placed somewhere");
    let made = make(&s, &Wish { title: "a marker lies where it is placed".into(), refused: None });
    assert!(!made.test.seeded, "{:?}", made.test.notes);
    let files = with(s.files(), &made);
    let broken = replaced(&files, "  my.marker = goal\n", "");
    assert!(goes(&broken, "a marker lies where it is placed").is_some());
}

#[test]
fn a_test_of_chess_fails_when_the_rule_that_it_shows_is_gone() {
    let s = played("chess", Setup::default(), &["go(E2, E4)", "go(D7, D5)", "go(E4, D5)"]);
    let made = make(&s, &Wish { title: "a pawn takes".into(), refused: None });
    let files = with(s.files(), &made);
    let broken = replaced(&files, "  play(c, goal, man)\n", "");
    assert!(goes(&broken, "a pawn takes").is_some());
}

/// Names of people are in no test, and words with them are understood.
#[test]
fn people_stay_out_of_tests() {
    let names = ["Maximiliane", "Guard", "queen of hearts"].map(String::from).to_vec();
    let mut s = bots("love-letter", Setup { names, ..Setup::with_seed(5).with_players(3) }, 5);
    let made = make(&s, &Wish::default());
    assert!(made.test.text.contains("with Ann, Bo, Cy"), "{}", made.test.text);
    for name in ["Maximiliane", "hearts"] {
        assert!(!made.test.text.contains(name), "{}", made.test.text);
    }
    // A refusal that names one of them in the words of the match.
    for _ in 0..12 {
        let seat = s.the_match().questions()[0].seats.trailing_zeros() as usize;
        let other = s.the_match().player_name((seat + 1) % 3);
        if let Ok(made) = make_test(
            s.the_match(),
            &s.files().clone(),
            &Wish { title: "not him".into(), refused: Some((seat, other)) },
        ) {
            assert!(!made.test.text.contains("Maximiliane"), "{}", made.test.text);
        }
        if !s.step_bot().unwrap_or_else(|e| panic!("{e}")) {
            break;
        }
    }
}

#[test]
fn a_shuffled_deck_is_said_as_far_as_it_was_dealt() {
    let s = bots("love-letter", Setup::with_seed(5).with_players(3), 5);
    let made = make(&s, &Wish::default());
    assert!(!made.test.seeded, "{:?}", made.test.notes);
    let line = made.test.text.lines().find(|l| l.contains("table shuffles deck to")).expect("the deck");
    assert_eq!(line.matches(',').count() + 1, 10, "as many as were dealt, and no more: {line}");
}

#[test]
fn what_chance_brought_in_a_test_that_was_begun_from_is_said_too() {
    let (game, files) = games::game("love-letter");
    let text = "given with Ann, Bo {\n  start at setup\n}";
    let start = Start { setup: Setup::with_seed(9), sitters: Vec::new(), begin: Begin::Given(text.into()) };
    let mut s = Session::start(&game, &files, &start).unwrap_or_else(|e| panic!("{:?}", e.told));
    s.seat_sitters(vec![Sitter::Bot("random"); 2]);
    for _ in 0..3 {
        s.step_bot().unwrap_or_else(|e| panic!("{e}"));
    }
    let made = make(&s, &Wish::default());
    assert!(!made.test.seeded && made.test.text.contains("table shuffles deck to"), "{}", made.test.text);
}

#[test]
fn every_game_gives_tests_that_pass_and_hang_on_no_seed() {
    let mut failed = Vec::new();
    for name in games::names() {
        let (game, _) = games::game(&name);
        let Some(setup) = games::setups(&game).into_iter().next() else { continue };
        for (seed, n) in [(3, 1), (8, 12)] {
            let s = bots(&name, Setup { seed, ..setup.clone() }, n);
            let files = s.files().clone();
            match make_test(s.the_match(), &files, &Wish::default()) {
                Ok(made) if made.test.seeded => {
                    failed.push(format!("{name} after {n}: {:?}", made.test.notes))
                }
                Ok(made) => assert_eq!(goes(&with(&files, &made), &made.test.title), None, "{name}"),
                Err(e) => failed.push(format!("{name} after {n}: {e}")),
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn a_match_begun_from_a_test_without_names_gives_one_with_as_many_as_played() {
    let (game, files) = games::game("love-letter");
    // More than the fewest, and nobody is named in the block.
    let text = "given {\n  start at setup\n}";
    let start = Start {
        setup: Setup::with_seed(9).with_players(3),
        sitters: Vec::new(),
        begin: Begin::Given(text.into()),
    };
    let mut s = Session::start(&game, &files, &start).unwrap_or_else(|e| panic!("{:?}", e.told));
    s.seat_sitters(vec![Sitter::Bot("random"); 3]);
    for _ in 0..4 {
        s.step_bot().unwrap_or_else(|e| panic!("{e}"));
    }
    let made = make(&s, &Wish::default());
    assert!(made.test.text.contains(" with Ann, Bo, Cy {"), "{}", made.test.text);
}

#[test]
fn what_was_chosen_beside_the_test_stands_in_the_head_of_the_new_one() {
    let (game, files) = games::game("fuji");
    let text = "given {\n  start at setup\n}";
    let mut setup = Setup::with_seed(4).with_players(3);
    setup.scenario = Some("fuji_2".into());
    let start = Start { setup, sitters: Vec::new(), begin: Begin::Given(text.into()) };
    let mut s = Session::start(&game, &files, &start).unwrap_or_else(|e| panic!("{:?}", e.told));
    s.seat_sitters(vec![Sitter::Bot("random"); 3]);
    for _ in 0..3 {
        s.step_bot().unwrap_or_else(|e| panic!("{e}"));
    }
    let made = make(&s, &Wish::default());
    assert!(made.test.text.contains(" on fuji_2 with Ann, Bo, Cy"), "{}", made.test.text);
}
