//! Matches as people play them: words and their mistakes, undo, logs by seat, saves that are cut off, edited or foreign.
use crate::support::{game, games};
use houserule::bots::{self, Beam, Breadth, Greedy, Policy, Random};
use houserule::engine::{Event, EventKind, Stream};
use houserule::lab::retrace::replay_first_game;
use houserule::lab::simulate::{SimulationPlan, Summary, simulate};
use houserule::lab::tally::Tally;
use houserule::play::{Ending, Game, Illegal, LoadError, Match, NoUndo, Save, Setup, UndoMode};
use houserule::text::{File, Files};
use std::any::Any;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64};

fn start(name: &str, seed: u64) -> Match {
    game(name).start(&Setup::with_seed(seed)).unwrap_or_else(|r| panic!("{name}: {:?}", r.findings))
}

/// Plays so many choices by chance.
fn play_on(m: &mut Match, choices: usize) {
    let mut bot = Random::new(11);
    for _ in 0..choices {
        let Some(q) = m.questions().first().copied() else { return };
        let seat = q.seats.trailing_zeros() as usize;
        bots::answer_question(m, seat, q.id, &mut bot).expect("an answer");
    }
}

#[test]
fn a_game_is_played_in_words() {
    let mut m = start("tic-tac-toe", 1);
    let d = m.decisions().expect("decisions");
    assert_eq!((d.len(), d[0].player, d[0].count, d[0].seats.clone()), (1, 0, 9, vec![0]));
    let all = m.list_options(d[0].question, 0, 100).expect("options");
    let words: Vec<&str> = all.iter().map(|o| o.words.as_str()).collect();
    assert_eq!(
        words,
        [
            "place(A1)",
            "place(B1)",
            "place(C1)",
            "place(A2)",
            "place(B2)",
            "place(C2)",
            "place(A3)",
            "place(B3)",
            "place(C3)"
        ]
    );
    for (seat, says) in
        [(0, "place(A1)"), (1, "PLACE( b1 )"), (0, "place(A2)"), (1, "place(B2)"), (0, "place(A3)")]
    {
        m.choose_in_words(seat, says).unwrap_or_else(|e| panic!("{says}: {e}"));
    }
    let Some(Ending::Over(outcome)) = m.ending() else { panic!("it is over") };
    assert_eq!(outcome.text, "three in a row");
    assert_eq!(m.result_line().as_deref(), Some("crosses won, noughts lost"));
    assert_eq!(m.choose_in_words(1, "place(C3)"), Err(Illegal::Over));
    let log: Vec<String> = m.log(None).into_iter().map(|l| l.text).collect();
    assert!(log.iter().any(|l| l.contains("crosses") && l.contains("A1")), "{log:?}");
}

#[test]
fn what_cannot_be_said_is_told_with_its_place() {
    let mut m = start("tic-tac-toe", 1);
    m.choose_in_words(0, "place(B2)").expect("it is free");
    let told = |m: &mut Match, says: &str| m.choose_in_words(1, says).expect_err("it is refused").to_string();
    assert_eq!(told(&mut m, "plcae(A1)"), "there is no action `plcae` (at column 1); did you mean `place`?");
    assert_eq!(told(&mut m, "place( A9)"), "there is no Cell `A9` (at column 8); did you mean `A1`?");
    assert_eq!(told(&mut m, "place(A1"), "a bracket is not closed (at column 1)");
    assert_eq!(told(&mut m, "place(A1, B1)"), "this action takes one argument: c (at column 1)");
    assert_eq!(told(&mut m, ""), "no answer is given (at column 1)");
    assert!(
        matches!(m.choose_in_words(1, "place(B2)"), Err(Illegal::Refused(reasons)) if !reasons.is_empty())
    );
    assert!(matches!(m.choose_in_words(0, "place(A1)"), Err(Illegal::NotYours { seats }) if seats == [1]));
    assert!(matches!(m.choose_in_words(7, "place(A1)"), Err(Illegal::NotYours { .. })));
    assert_eq!(m.step(), 1, "nothing of this was taken");
}

#[test]
fn why_not_is_told_in_the_rules_words() {
    let mut m = start("othello", 1);
    let q = m.questions()[0].id;
    let why = m.why_not_in_words(None, q, "place(A1)").expect("it can be read");
    assert_eq!(why[0].text, "A1 turns nothing over");
    assert!(m.why_not_in_words(None, q, "place(D3)").expect("it can be read").is_empty());
}

#[test]
fn any_text_is_read_or_refused() {
    // Odd texts for every kind of question: what comes back does not matter, only that it comes back.
    for name in games() {
        let mut m = start(&name, 3);
        for round in 0..12 {
            let Some(q) = m.questions().first().copied() else { break };
            let seat = q.seats.trailing_zeros() as usize;
            for odd in [
                "(",
                ")",
                "()",
                "{",
                "{}",
                "{,}",
                "a,b",
                "#",
                "x#0",
                "x#99999999999999999999",
                "-1",
                "99999999999",
                "\u{0}",
                "é(ß)",
                "lay({guard})",
                "  ,  ",
                "none",
                "done",
                "yes",
            ] {
                let _ = m.parse_choice(q.id, odd);
                let _ = m.why_not_in_words(None, q.id, odd);
            }
            let _ = (round, m.fork().choose_in_words(seat, "none"));
            play_on(&mut m, 1);
        }
    }
}

#[test]
fn every_option_is_found_again_by_its_words() {
    for name in games() {
        let mut m = start(&name, 5);
        for _ in 0..60 {
            let Some(q) = m.questions().first().copied() else { break };
            let all = m.list_options(q.id, 0, 200).expect("options");
            for (i, o) in all.iter().enumerate() {
                assert_eq!(m.parse_choice(q.id, &o.words).as_ref(), Ok(&o.choice), "{name}: {}", o.words);
                assert!(
                    all[..i].iter().all(|x| x.words != o.words),
                    "{name}: `{}` stands for two choices",
                    o.words
                );
            }
            play_on(&mut m, 1);
        }
    }
}

/// What people read may be typed, too: several things side by side, and none of them.
#[test]
fn every_answer_of_several_things_is_found_again_by_its_title() {
    let rules = "game G \"G\" { players 1..2; outcome win }\nenum Colour { red \"Deep red\", green, blue }\n\
        table { n: 0..9 = 0 }\nround once { everyone in turn { n = count(choose any of Colour) } }\n";
    let mut files = Files::new();
    files.add(File::new("g.rules", rules));
    let game = Game::load(&files).unwrap_or_else(|r| panic!("{:?}", r.findings));
    let mut m = game.start(&Setup::with_seed(1)).expect("it starts");
    let q = m.questions()[0].id;
    let all = m.list_options(q, 0, 100).expect("options");
    assert_eq!(all.len(), 8);
    let titles: Vec<&str> = all.iter().map(|o| o.title.as_str()).collect();
    assert!(titles.contains(&"nothing") && titles.contains(&"Deep red, blue"), "{titles:?}");
    for o in &all {
        assert_eq!(m.parse_choice(q, &o.title).as_ref(), Ok(&o.choice), "{}", o.title);
        assert_eq!(m.parse_choice(q, &o.words).as_ref(), Ok(&o.choice), "{}", o.words);
    }
}

#[test]
fn fair_undo_stops_at_what_was_uncovered_and_at_others_choices() {
    let mut m = start("tic-tac-toe", 1);
    assert_eq!(m.undo(UndoMode::Free), Err(NoUndo::Nothing));
    m.choose_in_words(0, "place(A1)").expect("free");
    assert_eq!(m.undo(UndoMode::Fair { seat: 0 }), Ok(()), "nothing was uncovered");
    m.choose_in_words(0, "place(A1)").expect("free");
    m.choose_in_words(1, "place(B1)").expect("free");
    assert_eq!(m.undo(UndoMode::Fair { seat: 0 }), Err(NoUndo::OthersChoice));
    assert_eq!(m.undo(UndoMode::Free), Ok(()));
    assert_eq!(m.undo(UndoMode::Free), Ok(()));
    assert!(m.redo() && m.redo() && !m.redo());
    m.undo(UndoMode::Free).expect("there is one");
    m.choose_in_words(1, "place(C1)").expect("free");
    assert!(!m.redo(), "what was taken back is forgotten");
    // Laying a letter has the next player draw one: that is uncovered to somebody.
    let mut m = start("love-letter", 2);
    play_on(&mut m, 6);
    let last = m.steps().last().expect("a step").clone();
    assert!(m.steps().iter().any(|s| s.reveals), "cards are drawn all the time");
    if last.reveals {
        assert_eq!(m.undo(UndoMode::Fair { seat: last.seat }), Err(NoUndo::Revealed));
    }
}

/// What a fair table says of a choice that drew nothing, in a game whose action does this.
fn taken_back(body: &str) -> Result<(), NoUndo> {
    taken_back_with("", body)
}

/// The same with further declarations.
fn taken_back_with(more: &str, body: &str) -> Result<(), NoUndo> {
    let rules = format!(
        "game Lots \"Lots\" {{ players 2; outcome highest points }}\n\
         card Card {{ rank: 1..9 }}\n\
         Card number(n: 1..9) {{ rank: n }}\n\
         table {{ zone deck: Card seen by nobody; zone pile: Card }}\n\
         player {{ zone hand: Card seen by owner; points: 0..9 = 0 clamped; x: player? }}\n\
         setup {{ move Card to deck; shuffle deck; for p in players {{ move first 4 of deck to p.hand }} }}\n\
         round 3 times {{ everyone in turn {{ offer act }} }}\n\
         menu act {{ done }}\n\
         rule lots() {{ my.x = choose one of players by chance }}\n\
         rule lots_for(c: Card) {{ if c.rank + my.points > 17 {{ lots() }} }}\n\
         {more}\n\
         action go() in act {{ {body} }}"
    );
    let mut files = Files::new();
    files.add(File::new("lots/lots.rules", rules));
    let game = Game::load(&files).unwrap_or_else(|r| panic!("{:?}", r.findings));
    let mut m = game.start(&Setup::with_seed(1)).expect("a match");
    m.choose_in_words(0, "go").expect("it is on offer");
    m.undo(UndoMode::Fair { seat: 0 })
}

#[test]
fn where_hidden_cards_decide_whether_lots_are_drawn_nothing_is_taken_back() {
    for body in [
        "if any(c in deck: c.rank + my.points > 17) { lots() }",
        "for c in deck where it.rank + my.points > 17 { lots() }",
        "for c in opponent.hand { lots_for(c) }",
        "let n = count(c in deck where c.rank + my.points > 17); if n > 0 { lots() }",
        "if any(c in opponent.hand: c.rank + my.points > 17) { show my.hand to opponent }",
        "for c in choose count(c in deck where c.rank + my.points > 17) of pile by chance { my.points += 1 }",
        "if any(c in deck: c.rank + my.points > 17) { stop }; if my.points > 8 { lots() }",
    ] {
        assert_eq!(taken_back(body), Err(NoUndo::HiddenLots), "{body}");
    }
    for body in [
        "if my.points > 8 { lots() }",
        "if count(deck) > 20 { lots() }",
        "if any(c in deck: c.rank + my.points > 17) { my.points += 1 }",
        "if any(c in pile: c.rank + my.points > 17) { shuffle deck }",
    ] {
        assert_eq!(taken_back(body), Ok(()), "{body}");
    }
    assert_eq!(taken_back("lots()"), Err(NoUndo::Revealed));
    // What lay in a zone of a phase comes to the box when the phase ends.
    for (inside, lots) in [
        ("move first of deck to heap.laid; show heap.laid", NoUndo::Revealed),
        (
            "move first of deck to heap.laid; if my.points > 8 { win me }; show heap.laid; my.points += 1",
            NoUndo::Revealed,
        ),
        ("move first of deck to heap.laid; show heap.laid; if my.points > 8 { win me }", NoUndo::Revealed),
        ("show pile; move first of deck to heap.laid", NoUndo::HiddenLots),
        ("show heap.laid; move first of deck to heap.laid", NoUndo::HiddenLots),
        ("move first of deck to heap.laid; if my.points > 8 { stop }; show heap.laid", NoUndo::HiddenLots),
        ("move first of deck to heap.laid; needs my.points < 8; show heap.laid", NoUndo::HiddenLots),
        ("move first of deck to heap.laid; if my.points < 8 { show heap.laid }", NoUndo::HiddenLots),
        ("move first of deck to heap.laid; show heap.laid; lay()", NoUndo::HiddenLots),
    ] {
        let more = format!(
            "phase heap() {{ has zone laid: Card seen by nobody; {inside} }}{}",
            if inside.contains("lay()") { "\nrule lay() { move first of deck to heap.laid }" } else { "" }
        );
        let body = "heap(); move first of box where it.rank > 3 to my.hand";
        assert_eq!(taken_back_with(&more, body), Err(lots), "{inside}");
    }
    let such: Vec<_> = games().into_iter().filter(|name| game(name).has_hidden_lots()).collect();
    assert!(such.is_empty(), "no shipped game does so: {such:?}");
}

#[test]
fn the_log_of_a_seat_holds_no_others_secrets() {
    let m = start("kuhn", 4);
    let text = |seat| m.log(seat).into_iter().map(|l| l.text).collect::<Vec<_>>().join("\n");
    let (all, first, second) = (text(None), text(Some(0)), text(Some(1)));
    let faces = |t: &str| t.matches("number ").count() + t.matches("number(").count();
    assert!(faces(&all) >= 2, "{all}");
    assert!(faces(&first) < faces(&all) && faces(&second) < faces(&all), "{first}\n{second}");
    assert!(m.log(None).iter().all(|l| !l.rule.is_empty()));
}

#[test]
fn a_cap_leaves_a_match_unfinished() {
    let mut m = start("othello", 1).with_cap(5);
    play_on(&mut m, 10);
    assert_eq!((m.step(), m.is_over()), (5, true));
    assert!(matches!(m.ending(), Some(Ending::Unfinished(why)) if why.contains('5')));
    assert!(matches!(m.choose_in_words(0, "place(A1)"), Err(Illegal::Capped(5))));
}

#[test]
fn edited_saves_are_replayed_as_far_as_they_agree() {
    let game = game("othello");
    let mut m = game.start(&Setup::with_seed(9)).expect("a match");
    play_on(&mut m, 20);
    let text = m.save();
    let line = |t: &str, says: &str| t.lines().position(|l| l.contains(says)).map(|i| i + 1);
    // The tenth choice, changed.
    let tenth = m.steps()[9].words.clone();
    let edited = text.replacen(&format!("says: \"{tenth}\""), "says: \"place(A1)\"", 1);
    let loaded = Match::load(&game, &edited).expect("as far as it agrees");
    let parted = loaded.parted.expect("it parts");
    assert_eq!((parted.step, parted.line, loaded.game.step()), (9, line(&text, &tenth), 9));
    assert!(parted.why.contains("changed after the match was saved"), "{parted}");
    // The same without check sums, as by hand: the rules find it.
    let by_hand = |t: &str| {
        t.lines()
            .map(|l| {
                l.split(", check:")
                    .next()
                    .map_or(l.into(), |h| if h == l { l.into() } else { format!("{h}),") })
            })
            .collect::<Vec<String>>()
            .join("\n")
    };
    let plain = by_hand(&text);
    assert!(Match::load(&game, &plain).expect("it loads").parted.is_none());
    let parted = Match::load(&game, &by_hand(&edited)).expect("it loads").parted.expect("it parts");
    assert_eq!(parted.step, 9);
    assert!(parted.why.contains("`place(A1)` cannot be chosen here"), "{parted}");
    // A choice left out.
    let less: String = text
        .lines()
        .filter(|l| !l.contains(&format!("says: \"{tenth}\"")))
        .fold(String::new(), |s, l| s + l + "\n");
    assert_eq!(Match::load(&game, &less).expect("it loads").parted.map(|p| p.step), Some(9));
    // Another seed.
    let seed = text.replace("seed: 9", "seed: 10");
    assert_eq!(Match::load(&game, &seed).expect("it loads").parted.map(|p| p.step), Some(0));
    // Another player's name.
    let other = by_hand(&text).replacen("player: \"black\"", "player: \"white\"", 1);
    let parted = Match::load(&game, &other).expect("it loads").parted.expect("it parts");
    assert!(parted.why.contains("white is not asked at this point, but black"), "{parted}");
    // Other numbers at the end.
    let draws = text.replace("draws: Some(0)", "draws: Some(3)");
    assert_ne!(draws, text);
    assert!(Match::load(&game, &draws).expect("it loads").parted.is_some());
}

#[test]
fn a_save_that_is_cut_off_is_replayed_up_to_there() {
    let game = game("love-letter");
    let mut m = game
        .start(&Setup { names: vec!["Ann".into(), "Bo".into(), "Cy".into()], ..Setup::with_seed(4) })
        .expect("a match");
    play_on(&mut m, 12);
    let text = m.save();
    let whole = Match::load(&game, &text).expect("it loads");
    assert!(whole.parted.is_none() && whole.game.state() == m.state(), "{whole:?}");
    let mut longest = 0;
    for cut in (0..text.len()).filter(|i| text.is_char_boundary(*i)).step_by(13) {
        match Match::load(&game, &text[..cut]) {
            Ok(l) => {
                assert!(l.game.step() >= longest, "more text, less match");
                longest = l.game.step();
                assert!(l.parted.is_some() || l.game.step() == 12);
                assert!(m.at(longest) && m.state() == l.game.state());
            }
            Err(e) => assert!(matches!(e, LoadError::Unreadable { .. }) && longest == 0, "{e}"),
        }
    }
    assert!(longest > 9);
}

#[test]
fn foreign_saves_are_refused() {
    let mut m = start("tic-tac-toe", 1);
    play_on(&mut m, 3);
    let text = m.save();
    let told = |game: &Game, text: &str| match Match::load(game, text) {
        Err(e) => e.to_string(),
        Ok(l) => panic!("it was loaded: {l:?}"),
    };
    assert!(told(&game("othello"), &text).contains("a match of TicTacToe, not of Othello"));
    let own = game("tic-tac-toe");
    assert!(told(&own, &text.replace("format: 1", "format: 4")).contains("this file has format 4"));
    assert!(told(&own, &text.replace("hr-mix-1", "dice")).contains("random numbers"));
    assert!(told(&own, &text.replace("scenario: None", "scenario: Some(\"x\")")).contains("no scenario `x`"));
    assert!(told(&own, "nonsense").starts_with("1:1:"));
    assert!(told(&own, "").contains(':'));
    let loaded = Match::load(&own, &text.replace("rules: \"", "rules: \"0")).expect("it agrees");
    assert!(loaded.other_rules && loaded.parted.is_none());
    let read = Save::read(&text).expect("a save").save;
    assert_eq!((read.choices.len(), read.players), (3, 2));
}

#[test]
fn greedy_beats_random() {
    // Not a law, but a bot that does not is none: of 40 games of the line-up game the one who looks ahead loses few.
    let game = game("tic-tac-toe");
    let (mut won, mut lost) = (0, 0);
    for seed in 0..40 {
        let mut m = game.start(&Setup::with_seed(seed)).expect("a match");
        let (mut greedy, mut random) = (Greedy::new(seed), Random::new(seed));
        let first = seed as usize % 2;
        while let Some(q) = m.questions().first().copied() {
            let seat = q.seats.trailing_zeros() as usize;
            let done = if seat == first {
                bots::answer_question(&mut m, seat, q.id, &mut greedy)
            } else {
                bots::answer_question(&mut m, seat, q.id, &mut random)
            };
            done.expect("an answer");
        }
        let Some(Ending::Over(o)) = m.ending() else { panic!("it ends") };
        match o.verdicts[first] {
            houserule::engine::Verdict::Won => won += 1,
            houserule::engine::Verdict::Lost => lost += 1,
            houserule::engine::Verdict::Tied => {}
        }
    }
    // Two who draw win 44 in 100 each, over both seats.
    assert!(won >= 22 && won > 2 * lost, "won {won}, lost {lost} of 40");
}

fn plan(games: u64, uses: bool) -> SimulationPlan {
    SimulationPlan {
        setup: Setup::with_seed(6).with_players(2),
        first: 0,
        games,
        seats: Vec::new(),
        jobs: 1,
        cap: 1000,
        uses,
    }
}

fn simulated(game: &Game, plan: &SimulationPlan) -> Summary {
    simulate(game, plan, &AtomicBool::new(false), &AtomicU64::new(0)).expect("games")
}

#[test]
fn counting_uses_does_not_change_the_games() {
    for (name, players) in
        [("goofspiel", 2), ("love-letter", 2), ("chess", 2), ("go", 2), ("fog", 2), ("fuji", 3)]
    {
        let game = game(name);
        let plan = |uses| {
            let plan = plan(if name == "love-letter" { 12 } else { 3 }, uses);
            SimulationPlan { setup: Setup::with_seed(6).with_players(players), ..plan }
        };
        let (plain, counted) = (simulated(&game, &plan(false)), simulated(&game, &plan(true)));
        for (a, b) in plain.games.iter().zip(counted.games.iter()) {
            assert_eq!((a.choices, a.verdicts, a.scores), (b.choices, b.verdicts, b.scores), "{name}");
            // Played again choice by choice, a game is the same, and uses the same.
            let again = replay_first_game(&game, &SimulationPlan { first: b.game, ..plan(true) });
            let again = again.ok().map(|r| r.record);
            assert_eq!(again.as_ref().and_then(|r| r.first()), Some(b), "{name}");
        }
        let used = |what: &str| {
            let names = counted.games.iter().flat_map(|g| g.uses).map(|(name, _)| *name as usize);
            names.map(|i| &counted.use_names[i]).any(|name| name.starts_with(what))
        };
        assert!(used("card ") || matches!(name, "chess" | "go" | "fuji"), "{name}");
        assert!(name != "love-letter" || (used("action lay") && used("rule knock_out")), "{name}");
    }
}

#[test]
fn uses_of_things_of_one_name_are_added() {
    let rules = "game Two \"Two\" { players 2; outcome win }\n\
        card Leaf { }\nLeaf red\nLeaf blue\ntoken Stone { }\nStone red\nStone blue\n\
        table { zone leaves: Leaf; zone stones: Stone }\n\
        setup { move Leaf to leaves; move Stone to stones }\n\
        round once { everyone in turn { show choose one of leaves; show choose one of stones } }\n";
    let mut files = Files::new();
    files.add(File::new("two.rules", rules));
    let game = Game::load(&files).unwrap_or_else(|r| panic!("{:?}", r.findings));
    let all = simulated(&game, &plan(20, true));
    assert_eq!(all.use_names.iter().filter(|n| n.starts_with("card ")).count(), 2, "{:?}", all.use_names);
    for g in all.games.iter() {
        let cards = g.uses.iter().filter(|(name, _)| all.use_names[*name as usize].starts_with("card "));
        assert_eq!(cards.map(|(_, times)| times).sum::<u32>(), 4, "two players choose two things each");
    }
}

#[test]
fn a_declaration_is_used_where_it_logs_something() {
    for (name, players) in [("love-letter", 3), ("backgammon", 2), ("liars-dice", 2), ("fog", 2), ("fuji", 3)]
    {
        let game = game(name);
        let program = game.lower_setup(&Setup::with_seed(1).with_players(players)).expect("a program");
        let mut m = game.make_machine(program.clone(), 5);
        m.record(true);
        let mut tally = Box::new(Tally::new(&program));
        tally.begin(&[]);
        m.set_watcher(Some(tally));
        m.start().expect("a first question");
        let mut rng = Stream::new(7, 0);
        let mut logged = vec![0; program.decls.len()];
        while !m.is_over() {
            let choice = m.draw(0, &mut rng).expect("options").expect("an option");
            m.choose(0, &choice).expect("an option that is taken");
            // A round, a turn and the end of the game come from no declaration.
            let own = |e: &Event| !matches!(e.kind, EventKind::Round(_) | EventKind::Turn | EventKind::Ended);
            let decls: BTreeSet<usize> =
                m.take_events().iter().filter(|e| own(e)).map(|e| e.decl.index()).collect();
            decls.into_iter().for_each(|d| logged[d] += 1);
        }
        let watcher: Box<dyn Any> = m.set_watcher(None).expect("a watcher");
        let mut tally = watcher.downcast::<Tally>().expect("a tally");
        tally.end_choice();
        let decls = tally.counts().iter().skip(program.actions.len()).take(program.decls.len());
        assert!(decls.eq(&logged), "{name}");
    }
}

#[test]
fn an_invariant_that_breaks_ends_a_simulated_game() {
    let rules = "game Count \"Count\" { players 2; outcome win }\n\
        table { n: 0..9 = 0 }\n\
        round 8 times { everyone in turn { offer walk } }\n\
        menu walk\n\
        action more() in walk { n += 1 }\n\
        action rest() in walk { }\n\
        invariant \"few\" { n < 5 }\n";
    let mut files = Files::new();
    files.add(File::new("count.rules", rules));
    let game = Game::load(&files).unwrap_or_else(|r| panic!("{:?}", r.findings));
    let all = simulated(&game, &plan(40, false)).games;
    let broken = all.iter().filter(|g| g.unfinished == Some("the invariant “few” does not hold")).count();
    // Of 16 coins five or more come up heads nearly always.
    assert!(broken > 35 && all.iter().all(|g| g.unfinished.is_none() || g.choices >= 5), "{broken} of 40");
}

#[test]
fn an_invariant_that_breaks_between_two_choices_alone_ends_the_game_there() {
    let rules = "game Count \"Count\" { players 2; outcome win }\n\
        table { n: 0..99 = 0 }\n\
        round 8 times { everyone in turn { offer walk } }\n\
        menu walk\n\
        action one() in walk { n += 1 }\n\
        action same() in walk { n = n + 1 }\n\
        invariant \"never five\" { n != 5 }\n";
    let mut files = Files::new();
    files.add(File::new("count.rules", rules));
    let game = Game::load(&files).unwrap_or_else(|r| panic!("{:?}", r.findings));
    for uses in [false, true] {
        let all = simulated(&game, &plan(10, uses)).games;
        assert!(all.iter().all(|g| g.choices == 5 && g.fault.is_some()), "{:?}", all.first());
    }
}

#[test]
fn a_stopped_simulation_keeps_what_is_finished() {
    let done = AtomicU64::new(0);
    let stopped =
        simulate(&game("tic-tac-toe"), &plan(50, false), &AtomicBool::new(true), &done).expect("games");
    assert!(stopped.games.is_empty() && done.into_inner() == 0);
}

#[test]
fn what_one_of_two_who_may_answer_sees_it_calls_by_its_face() {
    let setup = Setup {
        scenario: Some("practice".into()),
        variants: vec!["third_meeple".into()],
        ..Setup::with_seed(3)
    };
    let mut m = game("fuji").start(&setup.with_players(2)).unwrap_or_else(|r| panic!("{:?}", r.findings));
    let of_third =
        |m: &Match| m.questions().iter().find(|q| q.player == 2).map(|q| q.id).expect("it is asked");
    for (player, words) in [(0, "place_marker(C1)"), (1, "place_marker(D1)"), (2, "place_marker(C2)")] {
        for words in [words, "done"] {
            let q = *m.questions().iter().find(|q| q.player == player).expect("it is asked");
            let choice = m.parse_choice(q.id, words).unwrap_or_else(|e| panic!("{words}: {e}"));
            m.choose(q.seats.trailing_zeros() as usize, q.id, &choice)
                .unwrap_or_else(|e| panic!("{words}: {e}"));
        }
    }
    let q = of_third(&m);
    let die = |words: &str| Some(words.strip_prefix("reroll(")?.strip_suffix(')')?.to_string());
    let ones = |m: &mut Match, seat: Option<usize>| -> Vec<String> {
        let all = m.list_options_for(seat, q, 0, 100).expect("options");
        all.iter().filter_map(|o| die(&o.words)).filter(|d| !d.contains(',')).collect()
    };
    // Nobody knows all six; each sees three.
    assert!(ones(&mut m, None).iter().all(|d| d.starts_with("FujiDie")));
    let (left, right) = (ones(&mut m, Some(0)), ones(&mut m, Some(1)));
    let hidden = |d: &String| d.starts_with("FujiDie");
    assert_eq!((left.len(), right.len()), (6, 6));
    for (l, r) in left.iter().zip(&right) {
        assert!(hidden(l) != hidden(r), "{left:?} {right:?}");
    }
    for seat in [0, 1] {
        for o in m.list_options_for(Some(seat), q, 0, 100).expect("options") {
            assert_eq!(m.parse_choice_for(Some(seat), q, &o.words), Ok(o.choice.clone()), "{}", o.words);
            let saved = m.choice_words(q, &o.choice).expect("words");
            assert_eq!(m.parse_choice_for(Some(seat), q, &saved), Ok(o.choice), "{saved}");
        }
    }
    // The words of one seat alone are not the other's, and not those of saves.
    let seen = left.iter().find(|d| !hidden(d)).expect("three are seen");
    let words = format!("reroll({seen})");
    let choice = m.parse_choice_for(Some(0), q, &words).expect("what it sees");
    assert!(!right.contains(seen) || m.parse_choice_for(Some(1), q, &words) != Ok(choice.clone()));
    m.choose(0, q, &choice).expect("one reroll");
    let told = m.log(Some(1)).iter().map(|l| l.text.clone()).collect::<Vec<_>>().join("\n");
    assert!(
        !told.contains(seen.split('#').next().unwrap_or(seen))
            || right.iter().any(|d| d.starts_with(seen.as_str())),
        "{told}"
    );
}

/// That something `once per turn` has been done is the engine's own note: the next offer says it, the log does not.
#[test]
fn what_is_done_once_is_told_once() {
    let rules = r#"game Poke "Poke" { players 2; outcome highest n }
card Card { }
Card oak x2 { action poke() in act once per turn { owner.n += 1 } }
player { n: 0..9 = 0; zone hand: Card active }
setup { for p in players { move first of box where Card to p.hand } }
round 2 times { everyone in turn { offer act } }
menu act { done }
action take() in act once per turn { my.n += 1 }
"#;
    let mut files = Files::new();
    files.add(File::new("poke/poke.rules", rules));
    let game = Game::load(&files).unwrap_or_else(|r| panic!("{:?}", r.findings));
    let mut m = game.start(&Setup::with_seed(1)).expect("a match");
    for said in ["take", "poke(oak)"] {
        m.choose_in_words(0, said).expect("it is on offer");
    }
    let told: Vec<String> = m.log_since(None, 1).into_iter().map(|l| l.text).collect();
    assert_eq!(told, ["Take", "Player 1's n is now 1", "Poke oak", "Player 1's n is now 2"]);
}

/// Where things of several kinds lie, what lies face down is called by the kind that its back shows.
#[test]
fn what_moves_face_down_is_called_by_its_back() {
    let rules = r#"game Cellar "Cellar" { players 2; outcome highest n }
card Note { }
token Bead { }
Note letter x2
Bead pearl x2
table { zone dark: Note or Bead seen by nobody; zone shelf: Note or Bead }
player { n: 0..9 = 0 }
setup { move Note to dark; move Bead to dark; shuffle dark }
round 2 times { everyone in turn { offer act } }
menu act { done }
action dig() in act { repeat 4 times { move first of dark to shelf face down } }
"#;
    let mut files = Files::new();
    files.add(File::new("cellar/cellar.rules", rules));
    let game = Game::load(&files).unwrap_or_else(|r| panic!("{:?}", r.findings));
    let mut m = game.start(&Setup::with_seed(1)).expect("a match");
    m.choose_in_words(0, "dig").expect("it is on offer");
    let moved = |seat: Option<usize>| -> Vec<String> {
        let lines = m.log_since(seat, 1).into_iter().filter(|l| l.kind == EventKind::Moved);
        let mut told: Vec<String> = lines.map(|l| l.text).collect();
        told.sort_unstable();
        told
    };
    let of_kinds =
        ["Bead", "Bead", "Note", "Note"].map(|kind| format!("{kind} goes from the dark to the shelf"));
    assert_eq!(moved(Some(1)), of_kinds);
}

/// Dice that are set in the box, to be moved to the table, are told when they come there.
#[test]
fn what_is_turned_in_the_box_is_no_news() {
    let rules = r#"game Cup "Cup" { players 2; outcome highest n }
die D6 "die" x2 { faces: 1..6 }
table { zone tray: D6 }
player { n: 0..9 = 2 }
round 2 times { everyone in turn { offer act } }
menu act { done }
action lay() in act { for d in first 1 of box where D6 { d.value = 4; move d to tray } }
action turn() in act { for d in tray { d.value = 5 } }
"#;
    let mut files = Files::new();
    files.add(File::new("cup/cup.rules", rules));
    let game = Game::load(&files).unwrap_or_else(|r| panic!("{:?}", r.findings));
    let mut m = game.start(&Setup::with_seed(1)).expect("a match");
    for said in ["lay", "turn"] {
        m.choose_in_words(0, said).expect("it is on offer");
    }
    let turned = |news: bool| -> Vec<String> {
        let lines = m.log_since(Some(1), 1).into_iter().filter(|l| matches!(l.kind, EventKind::Turned(_)));
        lines.filter(|l| l.is_news() || !news).map(|l| l.text).collect()
    };
    assert_eq!(turned(false), ["die is turned to 4", "die is turned to 5"]);
    assert_eq!(turned(true), ["die is turned to 5"]);
}

/// A layer that set a number to what it was leaves no line when it ends: it would tell whom chance has named.
#[test]
fn a_layer_that_changed_nothing_ends_without_a_word() {
    let rules = r#"game Rest "Rest" { players 2; outcome highest n }
player { n: 0..9 = 2 }
round 2 times { everyone in turn { offer act } }
menu act { done }
action rest() in act { let p = choose one of players by chance; until end of turn { p.n = 2 } }
action dip() in act { until end of turn { my.n = 1 } }
"#;
    let mut files = Files::new();
    files.add(File::new("rest/rest.rules", rules));
    let game = Game::load(&files).unwrap_or_else(|r| panic!("{:?}", r.findings));
    let mut m = game.start(&Setup::with_seed(1)).expect("a match");
    for said in ["rest", "dip", "done"] {
        m.choose_in_words(0, said).expect("it is on offer");
    }
    let mut told: Vec<String> = m.log_since(None, 1).into_iter().map(|l| l.text).collect();
    told.retain(|line| line.contains("n is now"));
    assert_eq!(told, ["Player 1's n is now 1", "Player 1's n is now 2"]);
}

/// What another seat is asked is not listed, read or explained to a seat: it would tell what lies in that hand.
#[test]
fn a_question_is_answered_for_the_seats_that_are_asked() {
    let mut m = start("love-letter", 1);
    let q = *m.questions().first().expect("a question");
    let asked = q.seats.trailing_zeros() as usize;
    let other = (asked + 1) % 2;
    assert!(!m.list_options_for(Some(asked), q.id, 0, 9).expect("its own").is_empty());
    let refused = |e: Illegal| matches!(e, Illegal::NotYours { seats } if seats == [asked]);
    assert!(refused(m.list_options_for(Some(other), q.id, 0, 9).expect_err("another's")));
    assert!(refused(m.parse_choice_for(Some(other), q.id, "lay(nobody)").expect_err("another's")));
    assert!(refused(m.why_not_in_words(Some(other), q.id, "lay(nobody)").expect_err("another's")));
}

/// Ten pebbles go in and out of two bags for nothing, four at a time; to be done is the worst that can be done.
const PEBBLES: &str = r#"game Pebbles "Pebbles" { seats 1; players ann answered by [1]; outcome highest score }
card Pebble { }
Pebble a; Pebble b; Pebble c; Pebble d; Pebble e; Pebble f; Pebble g; Pebble h; Pebble i; Pebble j
player { score_now: 0..9 = 5; zone left: Pebble; zone right: Pebble up to 4 }
value score(p: player): int = p.score_now
heuristic busy(p: player): int = p.score_now
setup { move Pebble to ann.left }
round 2 times { as ann { offer shifting; my.score_now -= 1 } }
menu shifting { done }
action put(x: one of my.left) in shifting { needs count(my.right) < 4; move x to my.right }
action take(x: one of my.right) in shifting { move x to my.left }
"#;

/// What costs nothing and can be undone has an end all the same: a bot is done after so many choices of a turn.
#[test]
fn greedy_does_not_go_round_in_circles_for_ever() {
    let mut files = Files::new();
    files.add(File::new("pebbles/pebbles.rules".to_string(), PEBBLES));
    let game = Game::load(&files).unwrap_or_else(|r| panic!("{:?}", r.findings));
    let mut m = game.start(&Setup::with_seed(1)).expect("a match");
    let mut bot = bots::policy_by_name("greedy", 1).expect("a bot");
    let mut made = 0;
    while !m.is_over() {
        let q = m.questions()[0].id;
        bots::answer_question(&mut m, 0, q, bot.as_mut()).unwrap_or_else(|e| panic!("{e}"));
        made += 1;
        assert!(made < 300, "no end");
    }
    assert!(made > 100, "it was not tempted: {made} choices");
}

/// Where players act freely, a bot that has answered is done until somebody else changes something: the planning of Fuji is not a row of markers that go to and fro.
#[test]
fn bots_settle_where_players_act_freely() {
    settle("greedy", (400, 5), &|seed| Box::new(Greedy::new(seed)));
    let breadth = Breadth { width: 2, turns: 1, nodes: 300 };
    settle("beam", (400, 2), &|seed| Box::new(Beam::new(seed, breadth)));
}

fn settle(name: &str, (steps, least): (usize, usize), make: &dyn Fn(u64) -> Box<dyn Policy>) {
    let game = game("fuji");
    let setup = Setup { seed: 3, players: Some(3), ..Setup::default() };
    let mut m = game.start(&setup).unwrap_or_else(|r| panic!("{:?}", r.findings));
    let mut all: Vec<Box<dyn Policy>> = (0..3).map(make).collect();
    // How often each player put a marker down in a round.
    let mut placed: std::collections::BTreeMap<(i32, usize), usize> = std::collections::BTreeMap::new();
    while !m.is_over() && m.step() < steps {
        let Some(q) = m.questions().first().copied() else { break };
        let seat = q.seats.trailing_zeros() as usize;
        let round = m.machine().state().round();
        bots::answer_question(&mut m, seat, q.id, all[seat].as_mut()).unwrap_or_else(|e| panic!("{e}"));
        if m.steps().last().is_some_and(|s| s.words.starts_with("place")) {
            *placed.entry((round, seat)).or_default() += 1;
        }
    }
    let most = placed.values().max().copied().unwrap_or(0);
    assert!(placed.len() > least, "{name}: markers were placed in {} rounds of players", placed.len());
    // It answers again when others have changed something: of three, each may do so a few times.
    assert!(most <= 4, "{name}: a marker was placed {most} times in one round: {placed:?}");
}
