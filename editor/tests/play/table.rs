//! The table round the board: bars of players, ticks, the log and the board that light each other, how fast bots answer, and what moves.
use super::window::{labels, playing, seat, start, start_small};
use crate::support::frames::{self, Series};
use crate::support::{app, open, shows, window};
use egui::{Key, Role};
use egui_kittest::kittest::{NodeT, Queryable};
use houserule::play::Spot;
use houserule_editor::command::Command;
use houserule_editor::panels::{Pane, play};
use houserule_editor::play::Sitter;
use houserule_editor::play::choices::Does;
use houserule_editor::settings::Pace;
use std::time::Duration;

const HEARTS: (&[&str], &str) = (&["rules/classics/hearts"], "rules/classics/hearts/hearts.rules");
const TIC: (&[&str], &str) =
    (&["rules/classics/tic-tac-toe"], "rules/classics/tic-tac-toe/tic-tac-toe.rules");

/// A set is picked by ticks: what is picked stays where it stands and can be put back, by a click on its row, too.
#[test]
fn a_set_is_ticked() {
    let mut h = playing(HEARTS.0, HEARTS.1);
    start(&mut h);
    seat(&mut h, vec![Sitter::Person; 4]);
    h.run_steps(2);
    let rows = |h: &egui_kittest::Harness<houserule_editor::App>| {
        let choices = h.state().panes.play.data().expect("play").choices.clone().expect("it is asked");
        let ticked = choices.rows.iter().filter(|r| matches!(r.does, Does::PutBack(_))).count();
        (choices.rows.iter().map(|r| r.title.clone()).collect::<Vec<_>>(), ticked)
    };
    let (all, ticked) = rows(&h);
    assert_eq!((all.len(), ticked), (13, 0));
    assert!(shows(&h, "(pick 3; 0 so far)"), "{:?}", labels(&h));
    for n in [1, 4] {
        h.get_by_role_and_label(Role::CheckBox, &all[n]).click();
        h.run_steps(2);
    }
    assert_eq!(rows(&h), (all.clone(), 2), "rows stay where they are");
    assert!(shows(&h, "(pick 3; 2 so far)"));
    let is_on = |h: &egui_kittest::Harness<houserule_editor::App>, n: usize| {
        let node = h.get_by_role_and_label(Role::CheckBox, &all[n]);
        node.accesskit_node().toggled() == Some(egui::accesskit::Toggled::True)
    };
    assert!(is_on(&h, 1) && is_on(&h, 4) && !is_on(&h, 0));
    // A second click puts back, and so does the key of the row.
    h.get_by_role_and_label(Role::CheckBox, &all[1]).click();
    h.run_steps(2);
    assert!(!is_on(&h, 1) && is_on(&h, 4));
    h.key_press(Key::Num5);
    h.run_steps(2);
    assert_eq!(rows(&h), (all.clone(), 0));
    // The third takes the set, because no more can be added.
    let step =
        |h: &egui_kittest::Harness<houserule_editor::App>| h.state().panes.play.data().expect("play").step;
    let before = step(&h);
    for n in [0, 1, 2] {
        h.get_by_role_and_label(Role::CheckBox, &all[n]).click();
        h.run_steps(2);
    }
    assert_eq!(step(&h), (before.0 + 1, before.1 + 1));
}

/// Whoever is asked sees so at the own bar; zones in which nothing lies are not shown.
#[test]
fn bars_say_whose_turn_it_is() {
    let mut h = playing(HEARTS.0, HEARTS.1);
    start(&mut h);
    // Where nobody has chosen, the first is a person and the others are bots that settle.
    let sitters: Vec<Sitter> =
        h.state().panes.play.data().expect("play").seats.iter().map(|s| s.sitter.clone()).collect();
    assert_eq!(
        sitters,
        [Sitter::Person, Sitter::Bot("greedy"), Sitter::Bot("greedy"), Sitter::Bot("greedy")]
    );
    seat(&mut h, vec![Sitter::Person; 4]);
    h.run_steps(2);
    assert!(shows(&h, "you are asked") && shows(&h, " asked "), "{:?}", labels(&h));
    assert!(shows(&h, "hand:") && !shows(&h, "taken:"));
    let mut h = playing(TIC.0, TIC.1);
    start(&mut h);
    seat(&mut h, vec![Sitter::Person; 2]);
    h.run_steps(2);
    assert!(shows(&h, "your turn"));
    h.state_mut().carry_out(Command::Play(play::Act::NextView));
    h.run_steps(2);
    assert!(!shows(&h, "your turn") && shows(&h, " turn "));
}

/// A line of the log lights the spaces that it names.
#[test]
fn a_line_of_the_log_lights_its_spaces() {
    let mut h = playing(TIC.0, TIC.1);
    start(&mut h);
    seat(&mut h, vec![Sitter::Person; 2]);
    h.run_steps(2);
    h.get_by_label("Mark B2").click();
    h.run_steps(2);
    if shows(&h, "Open the log") {
        h.get_by_label("Open the log").click();
        h.run_steps(2);
    }
    let line = labels(&h).into_iter().find(|l| l.ends_with(": Mark B2")).expect("a line of the log");
    h.get_by_role_and_label(Role::Link, &line).hover();
    h.run_steps(2);
    assert_eq!(h.state().panes.play.pointed().0, [Spot::Space { map: 0, space: 4 }]);
    h.get_by_label("Close the log").click();
    h.run_steps(2);
    assert!(h.query_by_role_and_label(Role::Link, &line).is_none());
}

/// A bot's answer follows the choice before it after a while, if it is to be seen; *skip* does not wait.
#[test]
fn bots_answer_at_the_chosen_pace() {
    let mut h = playing(TIC.0, TIC.1);
    start(&mut h);
    h.state_mut().carry_out(Command::Pace(Pace::Slow));
    seat(&mut h, vec![Sitter::Bot("random"); 2]);
    let step =
        |h: &egui_kittest::Harness<houserule_editor::App>| h.state().panes.play.data().expect("play").step.0;
    let wait = |h: &mut egui_kittest::Harness<houserule_editor::App>, ms: u64| {
        h.state().jobs.pass_time(Duration::from_millis(ms));
        h.run_steps(3);
        step(h)
    };
    let first = wait(&mut h, 1300);
    assert!((1..=2).contains(&first), "{first}");
    assert_eq!(wait(&mut h, 300), first, "it waits");
    assert_eq!(wait(&mut h, 1000), first + 1);
    assert_eq!(wait(&mut h, 1300), first + 2);
    h.state_mut().carry_out(Command::Play(play::Act::Skip));
    h.run_steps(6);
    assert!(h.state().panes.play.data().expect("play").over, "skipped to the end");
    assert_eq!(h.state().settings.pace, Pace::Slow, "the next game is as slow");
}

/// What moves ends after a moment, the mark of the last move stays; without motion there is the mark alone.
#[test]
fn a_piece_slides_and_the_last_move_is_marked() {
    let rules = "game Walk \"Walk\" { players 1; outcome win }\nmap Board squares 3 by 3\nspace Cell on Board\n\
        player { at: Cell? }\nlook player { shape: \"meeple\" }\nsetup { for p in players { move p to A1 } }\n\
        round 3 times { everyone in turn { offer go } }\nmenu go \"Where to?\" { }\n\
        action step(c: one of neighbours(my.at)) \"Step to {c}\" in go { move me to c }\n";
    let file = "rules/walk/walk.rules";
    for motion in [true, false] {
        let mut h = window(app(vec![(file.into(), rules.to_string())]));
        h.state_mut().settings.moves = Some(motion);
        open(&mut h, file);
        h.state_mut().carry_out(Command::Show(Pane::Play));
        h.run_steps(3);
        start(&mut h);
        assert!(h.state().panes.play.motion().expect("play").last(0).is_empty());
        h.get_by_label("Step to A2").click();
        h.run_steps(2);
        let moved = h.state().panes.play.motion().expect("play");
        assert_eq!(moved.slides(0).iter().map(|s| (s.from, s.to)).collect::<Vec<_>>(), [((0, 0), (0, 1))]);
        assert_eq!(moved.last(0), [(0, 0), (0, 1)]);
        assert_eq!(moved.is_moving(), motion);
        h.run_steps(40);
        let moved = h.state().panes.play.motion().expect("play");
        assert!(!moved.is_moving() && moved.last(0) == [(0, 0), (0, 1)]);
    }
}

/// An image beside the rules is painted for a player and for a piece; without the file the game is not played.
#[test]
fn an_image_beside_the_rules_is_drawn() {
    let rules = "game Walk \"Walk\" { players 1; outcome win }\nmap Board squares 3 by 3\n\
        space Cell on Board { zone here: Crate }\npiece Crate of player x1\nlook Crate { shape: \"cart.svg\" }\n\
        player { at: Cell? }\nlook player { shape: \"cart.svg\" }\n\
        setup { for p in players { move p to A1; move first of Crate of p to C2.here } }\n\
        round 3 times { everyone in turn { offer go } }\nmenu go \"Where to?\" { }\n\
        action step(c: one of neighbours(my.at)) \"Step to {c}\" in go { move me to c }\n";
    let image = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\"><circle cx=\"4\" cy=\"4\" r=\"4\"/></svg>";
    let file = "rules/walk/walk.rules";
    let images = |h: &egui_kittest::Harness<houserule_editor::App>| {
        let font = egui::TextureId::default();
        let is_image = |s: &egui::Shape| matches!(s, egui::Shape::Mesh(m) if m.texture_id != font);
        h.output().shapes.iter().filter(|c| is_image(&c.shape)).count()
    };
    for (texts, drawn) in [(vec!["rules/walk/images/cart.svg"], true), (vec![], false)] {
        let mut all = vec![(file.into(), rules.to_string())];
        all.extend(texts.into_iter().map(|name| (name.into(), image.to_string())));
        let mut h = window(app(all));
        open(&mut h, file);
        h.state_mut().carry_out(Command::Show(Pane::Play));
        h.run_steps(3);
        if drawn {
            start(&mut h);
            assert_eq!(images(&h), 2);
            // What each player has a set of lies on its owner's colour.
            let tiles = &h.state().panes.play.data().expect("play").tiles[0];
            let rings = tiles.iter().flat_map(|t| &t.tokens).filter(|t| t.ring.is_some()).count();
            assert_eq!(rings, 1);
        } else {
            assert!(shows(&h, "the image `cart.svg` was not found"), "{:?}", labels(&h));
            assert!(h.state().panes.play.data().is_none());
        }
    }
}

/// Where the rules name several phases of a round, they stand above the board, the one that runs marked; the score stands with each player.
#[test]
fn phases_and_scores_are_in_sight() {
    let rules = "game Shop \"Shop\" { players 2; outcome highest worth }\nplayer { coins: 0..9 = 3 }\n\
        value worth(p: player): int = p.coins * 2\nround 2 times { morning(); evening() }\n\
        phase morning() \"The morning\" { everyone in turn { offer stall } }\n\
        phase evening() \"The evening\" { everyone in turn { offer stall } }\n\
        menu stall \"At the stall\" { }\naction sell() \"Sell\" in stall { my.coins += 1 }\n";
    let mut h = start_small(rules, Command::ShowAlone(Pane::Play));
    seat(&mut h, vec![Sitter::Person; 2]);
    h.run_steps(2);
    let at = |h: &egui_kittest::Harness<houserule_editor::App>, label: &str| shows(h, label);
    assert!(at(&h, "The morning, now") && !at(&h, "The evening, now"), "{:?}", labels(&h));
    assert!(at(&h, "score 6"), "{:?}", labels(&h));
    for _ in 0..2 {
        h.get_by_role_and_label(Role::Button, "Sell").click();
        h.run_steps(2);
    }
    assert!(at(&h, "The evening, now") && !at(&h, "The morning, now"), "{:?}", labels(&h));
    assert!(at(&h, "score 8"), "{:?}", labels(&h));
}

/// A card that the keyboard is on is shown large, as under the pointer.
#[test]
fn a_card_with_the_keyboard_is_large() {
    let mut h = playing(HEARTS.0, HEARTS.1);
    start(&mut h);
    let named = |h: &egui_kittest::Harness<houserule_editor::App>| {
        let texts = h.output().shapes.iter().filter(|s| match &s.shape {
            egui::Shape::Text(t) => t.galley.job.text == "2 of clubs",
            _ => false,
        });
        texts.count()
    };
    let before = named(&h);
    assert!(before > 0);
    let label =
        labels(&h).into_iter().find(|l| l.starts_with("2 of clubs") && l.contains("offered")).expect("it");
    h.get_all_by_label(&label).next().expect("the card").focus();
    h.run_steps(3);
    assert_eq!(named(&h), before + 1, "once more, large");
}

/// How long a frame takes while a hundred pieces slide at once. A measurement, not a test:
/// `cargo test --release -p houserule-editor --test ui frames -- --ignored --nocapture --test-threads 1`.
#[test]
#[ignore = "a measurement"]
fn frames_while_a_hundred_pieces_move() {
    let rules = "game Sweep \"Sweep\" { players 1; outcome win }\nmap Board squares 20 by 10\n\
        space Cell on Board { zone here: Stone }\npiece Stone x100\nlook Stone { shape: \"pawn\"; fill: \"#c0392b\" }\n\
        setup { for c in Cell where it.row <= 5 { move first of box where Stone to c.here } }\n\
        round 9 times { everyone in turn { offer go } }\nmenu go \"What now?\" { }\n\
        action sweep() \"Sweep north\" in go { for c in Cell where it.row <= 5 {\n\
        move c.here to (c step north step north step north step north step north).here } }\n";
    let mut h = start_small(rules, Command::ShowAlone(Pane::Play));
    h.get_by_label("Sweep north").click();
    h.run_steps(2);
    let moved = h.state().panes.play.motion().expect("play");
    assert!(moved.is_moving() && moved.slides(0).len() == 100, "{} slide", moved.slides(0).len());
    // To and fro on the time line: they slide each time.
    let mut series = Series::default();
    for _ in 0..frames::TURNS {
        series.begin();
        for act in [play::Act::Earlier, play::Act::Later].into_iter().cycle().take(60) {
            h.run_steps(3);
            h.state_mut().carry_out(Command::Play(act));
            h.run_steps(1);
            while h.state().panes.play.motion().expect("play").is_moving() {
                series.frame(|| h.step());
            }
        }
    }
    series.print("A hundred moving pieces");
}
