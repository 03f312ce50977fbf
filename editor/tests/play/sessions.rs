//! Whole matches through this layer: picking by rows and on the board, the time line, forks, saves, starts.
use super::games;
use houserule::engine::{Stream, below};
use houserule::play::{Setup, Spot};
use houserule_editor::play::{Begin, Session, Sitter, Start, time_line, why};

fn start(name: &str, start: Start) -> Session {
    let (game, files) = games::game(name);
    Session::start(&game, &files, &start).unwrap_or_else(|e| panic!("{name}: {:?}", e.told))
}

/// Somebody who picks by chance whatever is lit or listed, until a choice is made.
fn pick_something(s: &mut Session, rng: &mut Stream) {
    let before = s.generation();
    for _ in 0..60 {
        let c = s.list_choices().expect("this seat is asked");
        let lit: Vec<Spot> = c.lit.keys().copied().collect();
        let done = below(4, || rng.draw());
        if c.complete.is_some() && (done == 0 || c.rows.is_empty()) {
            s.confirm().expect("what is complete is taken");
        } else if !lit.is_empty() && done < 3 {
            let spot = lit[below(lit.len() as u64, || rng.draw()) as usize];
            assert!(
                s.click_spot(spot).expect("what is lit can be taken"),
                "{spot:?} is lit, but means nothing"
            );
        } else if !c.rows.is_empty() {
            let row = below(c.rows.len() as u64, || rng.draw()) as usize;
            s.pick_row(row).expect("what is listed can be taken");
        } else {
            assert!(s.unpick(), "there is nothing to pick and nothing to put back");
        }
        if s.generation() != before {
            return;
        }
    }
    // Round and round: whatever is listed first.
    while s.unpick() {}
    let words = first_words(s);
    s.choose_in_words(&words).expect("the first option is taken");
}

fn first_words(s: &mut Session) -> String {
    let seat = s.view_as();
    let d = s
        .the_match_mut()
        .decisions()
        .expect("decisions")
        .into_iter()
        .find(|d| d.seats.contains(&seat))
        .expect("asked");
    s.the_match_mut().list_options(d.question, 0, 1).expect("options")[0].words.clone()
}

#[test]
fn every_game_is_played_by_what_is_lit_and_listed() {
    for name in games::names() {
        let (game, files) = games::game(&name);
        for setup in games::setups(&game) {
            let mut rng = Stream::new(5, u64::from(setup.players.unwrap_or(2)));
            let begin = Start { setup: Setup { seed: 5, ..setup }, ..Start::default() };
            let mut s =
                Session::start(&game, &files, &begin).unwrap_or_else(|e| panic!("{name}: {:?}", e.told));
            for _ in 0..60 {
                s.turn_to_asked();
                if s.the_match().is_over() {
                    break;
                }
                pick_something(&mut s, &mut rng);
                for seat in 0..s.the_match().seat_count() {
                    let ticks = time_line::list_ticks(&s, seat);
                    assert!(ticks.iter().any(|t| t.here), "{name}: the line shows where play stands");
                }
            }
            // What was played is saved, and loaded as it was.
            let text = s.to_save();
            let again = Start { begin: Begin::Saved(text.clone()), ..Start::default() };
            let mut again =
                Session::start(&game, &files, &again).unwrap_or_else(|e| panic!("{name}: {:?}", e.told));
            assert_eq!(again.parted, None, "{name}");
            assert_eq!(again.to_save(), text, "{name}");
        }
    }
}

#[test]
fn bots_play_a_whole_game_and_it_ends() {
    let setup = Setup::with_seed(2).with_players(3);
    let mut s =
        start("love-letter", Start { setup, sitters: vec![Sitter::Bot("greedy"); 3], begin: Begin::Start });
    while s.step_bot().expect("the rules do not fail") {}
    assert!(s.the_match().is_over());
    let board = s.make_board();
    assert_eq!(board.ending.first().map(String::as_str), Some("The game is over."));
}

#[test]
fn where_nobody_has_chosen_nothing_is_taken_back() {
    let seats = vec![Sitter::Bot("random"), Sitter::Person];
    let mut s = start("tic-tac-toe", Start { sitters: seats, ..Start::default() });
    assert!(s.step_bot().expect("the rules go well"));
    let (step, generation) = (s.the_match().step(), s.generation());
    assert_eq!(step, 1);
    assert!(!s.undo(), "the bot's choice is nobody's to take back");
    assert_eq!((s.the_match().step(), s.generation()), (step, generation));
    // What a person has chosen is, with what the bot answered.
    pick_something(&mut s, &mut Stream::new(1, 0));
    assert!(s.step_bot().expect("the rules go well"));
    assert_eq!(s.the_match().step(), 3);
    assert!(s.undo());
    assert_eq!(s.the_match().step(), 1);
}

#[test]
fn scrubbing_and_choosing_anew_forks_and_loses_nothing() {
    let mut s = start("tic-tac-toe", Start::default());
    for _ in 0..4 {
        s.turn_to_asked();
        s.pick_row(0).expect("a choice");
    }
    s.mark_step("the middle");
    assert!(s.go_to_step(2));
    assert_eq!(time_line::list_ticks(&s, 0).len(), 5, "what comes later is still there");
    s.turn_to_asked();
    // The same choice again goes along the line.
    s.pick_row(0).expect("a choice");
    assert_eq!((s.lines().0.len(), s.the_match().step()), (1, 3));
    assert!(s.go_to_step(2));
    s.turn_to_asked();
    s.pick_row(3).expect("another choice");
    assert_eq!((s.lines().0.len(), s.lines().1, s.the_match().step()), (2, 1, 3));
    assert!(s.go_to_line(0));
    assert_eq!(s.the_match().steps().len(), 4, "the first line is whole");
    assert_eq!(s.line().marks[0].name, "the middle");
    assert!(s.go_to_step(4));
    assert_eq!(
        time_line::list_ticks(&s, 1).last().and_then(|t| t.mark.clone()).as_deref(),
        Some("the middle")
    );
}

#[test]
fn a_choice_is_picked_on_the_board_thing_by_thing() {
    let mut s = start("chess", Start::default());
    let cell = |s: &mut Session, name: &str| {
        let board = s.make_board();
        let space = board.maps[0].cells.iter().position(|c| c.place == name).expect("a space");
        Spot::Space { map: 0, space }
    };
    let (e2, e4, e5) = (cell(&mut s, "E2"), cell(&mut s, "E4"), cell(&mut s, "E5"));
    assert!(s.make_board().cell(e2).expect("E2").lit.is_some());
    assert!(s.make_board().cell(e4).expect("E4").lit.is_none());
    assert!(s.click_spot(e2).expect("a pick"));
    let board = s.make_board();
    assert!(board.cell(e2).expect("E2").held && board.cell(e4).expect("E4").lit.is_some());
    assert!(board.cell(e4).expect("E4").said.contains("offered"), "{}", board.cell(e4).expect("E4").said);
    assert!(!s.click_spot(e5).expect("no fault"), "nothing goes there");
    assert!(s.click_spot(e4).expect("a pick"));
    assert_eq!(s.the_match().step(), 1);
}

#[test]
fn why_not_tells_the_reason_with_its_numbers() {
    let setup = Setup::with_seed(7).with_players(3);
    let sitters = vec![Sitter::Person, Sitter::Bot("greedy"), Sitter::Bot("greedy")];
    let mut s = start("fuji", Start { setup, sitters, begin: Begin::Start });
    // Until the plans are made.
    while !s.the_match().questions().is_empty()
        && !s.list_choices().is_some_and(|c| c.rows.iter().any(|r| r.title.contains("Place marker")))
    {
        if !s.step_bot().expect("the rules do not fail") {
            s.pick_row(0).expect("a choice");
        }
    }
    let board = s.make_board();
    let space = board.maps[0].cells.iter().position(|c| c.place == "G1").expect("G1");
    let why = why::explain_refusal(s.the_match_mut(), 0, Spot::Space { map: 0, space });
    assert_eq!(why.about, "G1");
    let all: Vec<&str> = why.actions.iter().flat_map(|a| &a.against).map(|a| a.text.as_str()).collect();
    assert!(all.iter().any(|t| t.contains("steps away; you have")), "{why:?}");
    let placed =
        why.actions.iter().flat_map(|a| &a.against).find(|a| a.text.contains("steps away")).expect("it");
    let (file, range) = placed.place.clone().expect("a place");
    assert_eq!(file, "rules/fuji/fuji.rules");
    assert!(s.files().iter().any(|(_, f)| f.name == file && f.text.get(range.clone()).is_some()));
}

#[test]
fn play_starts_where_a_test_ends_and_is_saved() {
    let title = "F071: two empty cards change places";
    let (game, files) = games::game("fuji");
    let begin = Start { begin: Begin::Test(title.into()), ..Start::default() };
    let mut s = Session::start(&game, &files, &begin).unwrap_or_else(|e| panic!("{:?}", e.told));
    assert_eq!((s.the_match().seat_count(), s.the_match().player_name(0).as_str()), (3, "Clara"));
    s.turn_to_asked();
    let words = first_words(&mut s);
    s.choose_in_words(&words).expect("play goes on");
    let text = s.to_save();
    let again = Start { begin: Begin::Saved(text), ..Start::default() };
    let again = Session::start(&game, &files, &again).unwrap_or_else(|e| panic!("{:?}", e.told));
    assert_eq!((again.lines().0.len(), again.parted), (1, None));
}

#[test]
fn a_bots_answer_to_an_older_state_is_not_taken() {
    let sitters = vec![Sitter::Bot("random"), Sitter::Bot("random")];
    let mut s = start("tic-tac-toe", Start { sitters, ..Start::default() });
    s.step_bot().expect("a choice");
    let task = s.take_bot_task().expect("a bot is asked");
    assert!(s.take_bot_task().is_none(), "it thinks already");
    s.go_to_step(0);
    let answer = task.run();
    assert!(!s.take_bot_answer(answer).expect("no fault"));
    s.go_to_step(1);
    assert!(s.step_bot().expect("a choice"), "the bot has come back");
}

#[test]
fn what_is_not_seen_is_told_by_a_title_for_people() {
    let (game, files) = games::game("fuji");
    let start = Start {
        setup: Setup::with_seed(7).with_players(3),
        sitters: vec![Sitter::Bot("random"); 3],
        begin: Begin::Start,
    };
    let mut s = Session::start(&game, &files, &start).unwrap_or_else(|e| panic!("{:?}", e.told));
    for _ in 0..60 {
        s.step_bot().unwrap_or_else(|e| panic!("{e}"));
    }
    // Words of kinds that have another title for people.
    let kinds =
        s.the_match().game().model().kinds.iter().filter(|k| k.name != k.title).map(|k| k.name.to_string());
    let kinds: Vec<String> = kinds.collect();
    for seat in 0..3 {
        for l in time_line::list_log(s.the_match(), &files, seat) {
            let words = l.text.split(|c: char| !c.is_alphanumeric() && c != '_');
            let found: Vec<&str> = words.filter(|w| kinds.iter().any(|k| k == w)).collect();
            assert!(found.is_empty(), "{seat}: {:?} in {}", found, l.text);
        }
    }
}

/// While somebody chooses, others act: what has been picked stays picked, and rows keep their places and keys.
#[test]
fn what_a_person_has_picked_survives_the_answers_of_bots() {
    let setup = Setup { seed: 7, players: Some(3), ..Setup::default() };
    let sitters = vec![Sitter::Person, Sitter::Bot("greedy"), Sitter::Bot("greedy")];
    let mut s = start("fuji", Start { setup, sitters, begin: Begin::Start });
    let (mut kept, mut waited) = (0, 0);
    for _ in 0..200 {
        if s.the_match().is_over() || kept > 3 {
            break;
        }
        s.set_view_as(0);
        let piece = |c: &houserule_editor::play::Choices| {
            c.rows.iter().position(|r| matches!(r.does, houserule_editor::play::choices::Does::Go(..)))
        };
        let row = s.list_choices().as_ref().and_then(piece);
        let before = s.generation();
        if let Some(row) = row
            && s.is_bot_asked()
        {
            s.pick_row(row).expect("a row");
            if s.generation() == before {
                let shown = s.list_choices().expect("choices");
                let picked = s.picker.clone();
                s.step_bot().expect("an answer");
                let now = s.list_choices();
                if let Some(now) = now.filter(|now| now.question == shown.question) {
                    assert_eq!(s.picker, picked, "the pick is gone");
                    for row in &shown.rows {
                        let again = now.rows.iter().find(|r| r.words == row.words);
                        assert!(again.is_none_or(|r| r.key == row.key), "{} has another key", row.words);
                    }
                    kept += 1;
                }
                s.picker = houserule_editor::play::Picker::default();
            }
        }
        if s.is_bot_asked() {
            s.step_bot().expect("an answer");
        } else {
            waited += 1;
            let words = first_words(&mut s);
            s.choose_in_words(&words).expect("a choice");
        }
    }
    assert!(kept > 2, "a pick was kept {kept} times, a person answered {waited} times");
}
