//! The start page: pictures of the games, recent work, tiles as wide as the window.
use crate::support::frames::{self, Series};
use crate::support::{app, fills, open, shipped, shows, window};
use egui::Key;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use houserule::shipped::Template;
use houserule_editor::App;
use houserule_editor::command::{Act, Command};
use houserule_editor::panels::Pane;
use houserule_editor::panels::start::Picture;
use houserule_editor::play::choices::{ChoiceRow, Does};
use houserule_editor::style;
use std::sync::Arc;

/// Games on a board, with cards, with dice, without anything to be seen, and one that cannot be read.
fn games() -> Vec<(Arc<str>, String)> {
    let game = |word: &str, rest: &str| {
        format!("game {word} \"{word}\" {{ players 2; outcome win }}\nround once {{ }}\n{rest}")
    };
    let board = "map Field squares 3 by 2\nspace Cell on Field { mark: player? }\n";
    let cards =
        "card Card { rank: 0..9 = 0 }\nCard red \"Red\" x3 { rank: 4 }\nCard blue \"Blue\" { rank: 5 }\n";
    [
        ("Board", board),
        ("Cards", cards),
        ("Dice", "die Cube { faces: 1..6 }\nCube bone x2\n"),
        ("Nothing", ""),
        ("Wrong", "value one: int = nonesuch\nvalue two: int = nothing\n"),
    ]
    .map(|(word, rest)| (format!("rules/{word}.rules").into(), game(word, rest)))
    .to_vec()
}

#[test]
fn each_game_has_its_picture() {
    let mut h = window(app(games()));
    h.run_steps(8);
    let of = |name: &str| h.state().panes.start.picture(&format!("rules/{name}.rules")).unwrap();
    let Picture::Board { grid, tiles, .. } = of("Board") else { panic!("{:?}", of("Board")) };
    assert_eq!((grid.columns, grid.rows, tiles.len()), (3, 2, 6));
    let Picture::Cards(cards, _) = of("Cards") else { panic!("{:?}", of("Cards")) };
    assert_eq!(cards.iter().map(|c| &*c.title).collect::<Vec<_>>(), ["Red", "Blue"]);
    assert!(matches!(of("Dice"), Picture::Dice(sides) if *sides == ["6", "5", "4"]), "{:?}", of("Dice"));
    assert!(matches!(of("Nothing"), Picture::Nothing), "{:?}", of("Nothing"));
    assert!(matches!(of("Wrong"), Picture::Broken(2)), "{:?}", of("Wrong"));
    assert!(shows(&h, "Its rules have 2 errors."));
}

#[test]
fn a_picture_follows_the_rules() {
    let mut h = window(app(games()));
    h.run_steps(8);
    open(&mut h, "rules/Board.rules");
    let text = h.state().document.text("rules/Board.rules").unwrap();
    let at = text.find("3 by 2").unwrap();
    let set = houserule::ide::EditSet::from_edit(
        "a larger board",
        houserule::ide::Edit::new("rules/Board.rules", at..at + 1, "4"),
    );
    let revision = h.state().document.revision();
    h.state_mut().carry_out(houserule_editor::command::apply_edits(revision, set));
    h.state_mut().carry_out(Command::Do(Act::ShowStart));
    h.run_steps(6);
    let picture = h.state().panes.start.picture("rules/Board.rules");
    assert!(matches!(picture, Some(Picture::Board { grid, .. }) if grid.columns == 4), "{picture:?}");
}

/// A window of that width with many games, which are not looked at.
fn wide(width: f32) -> Harness<'static, App> {
    let mut h = Harness::builder()
        .with_size([width, 900.0])
        .with_context_setup(style::set_up)
        .build_ui_state(|ui, app: &mut App| app.ui(ui), app(shipped()));
    h.run_steps(2);
    h
}

#[test]
fn tiles_fill_the_window() {
    for (width, columns) in [(1024.0, 2), (1500.0, 4), (2560.0, 8)] {
        let h = wide(width);
        let rects: Vec<egui::Rect> =
            h.query_all_by_label_contains("Picture of ").map(|node| node.rect()).collect();
        let first = rects.iter().map(|r| r.top()).fold(f32::MAX, f32::min);
        let line: Vec<_> = rects.iter().filter(|r| r.top() == first).collect();
        assert_eq!(line.len(), columns, "at {width}: {line:?}");
        let right = line.iter().map(|r| r.right()).fold(0.0, f32::max);
        assert!(width - right < 45.0, "at {width} they end at {right}");
        for (n, a) in rects.iter().enumerate() {
            assert!(rects.iter().skip(n + 1).all(|b| !a.intersects(*b)), "at {width}, {a:?}");
        }
    }
}

#[test]
fn recent_work_stands_first_and_is_one_click_away() {
    let mut h = window(app(games()));
    assert!(!shows(&h, "Go on with"));
    open(&mut h, "rules/Cards.rules");
    open(&mut h, "rules/Board.rules");
    h.state_mut().carry_out(Command::Do(Act::ShowStart));
    h.run_steps(3);
    let lately = h.get_by_label("Go on with").rect();
    assert!(lately.top() < h.get_by_label("Choose a game to begin with").rect().top());
    let link = |h: &Harness<App>, label: &str| h.get_by_role_and_label(egui::Role::Link, label).rect();
    assert!(link(&h, "Board").left() < link(&h, "Cards").left(), "the last one is first");
    h.get_by_role_and_label(egui::Role::Link, "Cards").click();
    h.run_steps(3);
    assert_eq!(h.state().open_file().as_deref(), Some("rules/Cards.rules"));
}

/// Makes a game of each template, finds it on the start page and plays it to its end.
#[test]
fn each_template_is_played_from_the_start_page() {
    for template in Template::ALL {
        let mut h = window(app(games()));
        h.get_by_label("A game of your own …").click();
        h.run_steps(3);
        h.get_by_role_and_label(egui::Role::RadioButton, template.name).click();
        h.run_steps(2);
        fills(&mut h, "Title", "My own");
        h.key_press(Key::Enter);
        h.run_steps(4);
        assert_eq!(h.state().open_file().as_deref(), Some("rules/my-own/my-own.rules"), "{}", template.name);
        h.state_mut().carry_out(Command::Do(Act::ShowStart));
        h.run_steps(3);
        h.get_by_label("Play My own").click_accesskit();
        h.run_steps(6);
        assert_eq!(h.state().front(), Pane::Play);
        let mut over = false;
        for _ in 0..400 {
            let play = h.state().panes.play.data().unwrap_or_else(|| panic!("{} is played", template.name));
            over = play.over;
            if over {
                break;
            }
            // The first row that is not ticked already.
            let open = |r: &&ChoiceRow| !matches!(r.does, Does::PutBack(_));
            let row = play.choices.as_ref().and_then(|c| c.rows.iter().find(open)).and_then(|r| r.key);
            if let Some(key) = row {
                h.key_press(Key::from_name(&key.to_ascii_uppercase().to_string()).expect("a key"));
            }
            h.run_steps(1);
            h.key_press(Key::Enter);
            h.run_steps(2);
        }
        assert!(over, "{} comes to its end", template.name);
    }
}

/// How long a frame of the start page takes. A measurement, not a test:
/// `cargo test --release -p houserule-editor --test ui frames -- --ignored --nocapture --test-threads 1`.
#[test]
#[ignore = "a measurement"]
fn frames_of_the_start_page() {
    let mut h = Harness::builder()
        .with_size([2560.0, 1400.0])
        .with_context_setup(style::set_up)
        .build_ui_state(|ui, app: &mut App| app.ui(ui), app(shipped()));
    h.run_steps(60);
    let mut series = Series::default();
    for _ in 0..frames::TURNS {
        series.begin();
        for _ in 0..60 {
            series.frame(|| h.run_steps(1));
        }
    }
    series.print("The start page");
}
