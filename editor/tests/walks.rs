//! Whole walks with one hand: by the mouse alone, and by the keyboard alone. Nothing is asked of the program but what is shown, and it gets nothing but events of the mouse and of keys.
use crate::support::{app, shipped, window};
use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, PointerButton, Pos2};
use egui_kittest::Harness;
use egui_kittest::kittest::{AccessKitNode, NodeT, Queryable};
use houserule_editor::App;
use houserule_editor::play::choices::ChoiceRow;

/// A window with the shipped games whose folders begin so.
fn with_games(folders: &[&str]) -> Harness<'static, App> {
    let own = |name: &str| folders.iter().any(|f| name.starts_with(f));
    let mut h = window(app(shipped().into_iter().filter(|(name, _)| own(name)).collect()));
    h.run_steps(6);
    h
}

/// Presses and releases a button of the mouse there.
fn click_at(h: &mut Harness<App>, at: Pos2) {
    h.event(Event::PointerMoved(at));
    h.run_steps(1);
    for pressed in [true, false] {
        let button = PointerButton::Primary;
        h.event(Event::PointerButton { pos: at, button, pressed, modifiers: Modifiers::NONE });
        h.run_steps(1);
    }
    h.run_steps(4);
}

/// Clicks on what a label begins with; it must be in sight.
fn click(h: &mut Harness<App>, label: &str) {
    let begins = |node: &AccessKitNode<'_>| {
        let said = node.label().or(node.value()).unwrap_or_default();
        said == label || said.strip_prefix(label).is_some_and(|r| r.starts_with([':', ' ', ',']))
    };
    let at = {
        let found: Vec<_> = h.query_all_by(begins).collect();
        // What can be pressed before its name beside it.
        let mut seen: Vec<_> = found.iter().filter(|n| n.accesskit_node().bounding_box().is_some()).collect();
        seen.sort_by_key(|n| matches!(n.accesskit_node().role(), Role::Label | Role::TextRun));
        let node = seen.first();
        node.unwrap_or_else(|| panic!("nothing is called {label}")).rect().center()
    };
    assert!(h.ctx.content_rect().contains(at), "{label} is out of sight at {at:?}");
    click_at(h, at);
}

fn press(h: &mut Harness<App>, key: Key) {
    h.key_press(key);
    h.run_steps(3);
}

fn typed(h: &mut Harness<App>, text: &str) {
    for c in text.chars() {
        h.event(Event::Text(c.to_string()));
        h.run_steps(1);
    }
    h.run_steps(2);
}

fn ending(h: &Harness<App>) -> String {
    h.state().panes.play.data().map_or(String::new(), |d| d.board.ending.join(" "))
}

fn rows(h: &Harness<App>) -> Vec<ChoiceRow> {
    let data = h.state().panes.play.data();
    data.and_then(|d| d.choices.as_ref()).map_or(Vec::new(), |c| c.rows.clone())
}

#[test]
fn chess_to_checkmate_by_mouse_alone() {
    let mut h = with_games(&["rules/classics/chess", "scenarios/chess"]);
    click(&mut h, "Read Chess");
    click(&mut h, "Play (tab)");
    // The second seat is a person, too.
    click(&mut h, "black");
    click(&mut h, "person");
    click(&mut h, "Start");
    for place in ["F2", "F3", "E7", "E5", "G2", "G4", "D8", "H4"] {
        click(&mut h, place);
    }
    assert!(ending(&h).contains("black won"), "{:?} {:?}", ending(&h), rows(&h).len());
}

#[test]
fn chess_to_checkmate_by_keyboard_alone() {
    let mut h = with_games(&["rules/classics/chess", "scenarios/chess"]);
    h.key_press_modifiers(Modifiers::COMMAND, Key::P);
    h.run_steps(3);
    typed(&mut h, "chess.rules");
    press(&mut h, Key::Enter);
    h.key_press_modifiers(Modifiers::ALT, Key::Num3);
    h.run_steps(4);
    // To the list of the second seat, and to a person in it.
    let focused = |h: &Harness<App>| {
        let node = h.query_all_by(|n| n.is_focused()).next();
        node.map_or(String::new(), |n| n.accesskit_node().label().unwrap_or_default())
    };
    let go_to = |h: &mut Harness<App>, label: &str, back: bool| {
        let mut passed = Vec::new();
        for _ in 0..80 {
            passed.push(focused(h));
            if passed.last().is_some_and(|l| l == label) {
                return;
            }
            h.key_press_modifiers(if back { Modifiers::SHIFT } else { Modifiers::NONE }, Key::Tab);
            h.run_steps(3);
        }
        panic!("{label} is not reached by Tab: {passed:?}");
    };
    go_to(&mut h, "black", true);
    press(&mut h, Key::Space);
    go_to(&mut h, "person", false);
    press(&mut h, Key::Space);
    go_to(&mut h, "Start", false);
    press(&mut h, Key::Space);
    h.run_steps(4);
    for words in ["move(F2, F3)", "move(E7, E5)", "move(G2, G4)", "move(D8, H4)"] {
        press(&mut h, Key::Slash);
        typed(&mut h, words);
        press(&mut h, Key::Enter);
    }
    assert!(ending(&h).contains("black won"), "{:?} {:?}", ending(&h), rows(&h).len());
}

#[test]
fn the_fog_is_drafted_and_its_first_round_played_by_mouse_alone() {
    let mut h = with_games(&["rules/fog", "scenarios/fog"]);
    click(&mut h, "Play The FOG");
    h.run_steps(8);
    let round =
        |h: &Harness<App>| h.state().panes.play.data().map_or(String::new(), |d| d.board.clock.clone());
    assert!(!round(&h).is_empty(), "it has begun");
    let mut clicks = 0;
    while !round(&h).starts_with("Round 2") && clicks < 200 {
        // What is lit on the board or among the pieces is clicked; else a row of the bar.
        let lit = {
            let is_offered = |node: &AccessKitNode<'_>| {
                node.label().is_some_and(|l| l.contains(" – offered: ")) && node.bounding_box().is_some()
            };
            let found: Vec<Pos2> = h.query_all_by(is_offered).map(|n| n.rect().center()).collect();
            found.get(clicks * 7 % found.len().max(1)).copied()
        };
        match lit.filter(|_| clicks % 9 != 8) {
            Some(at) => click_at(&mut h, at),
            None => {
                let Some(row) = rows(&h).last().map(|r| r.title.clone()) else {
                    h.run_steps(4);
                    clicks += 1;
                    continue;
                };
                click(&mut h, &row);
            }
        }
        clicks += 1;
    }
    assert!(round(&h).starts_with("Round 2"), "{} after {clicks} clicks: {:?}", round(&h), rows(&h));
}

/// What the status bar says.
fn said(h: &Harness<App>) -> String {
    h.state().message.text.clone()
}

fn shows_any(h: &Harness<App>, text: &str) -> bool {
    h.query_all_by(|n| n.label().or(n.value()).is_some_and(|l| l.contains(text))).next().is_some()
}

fn keys(h: &mut Harness<App>, held: Modifiers, key: Key) {
    h.key_press_modifiers(held, key);
    h.run_steps(8);
}

/// Opens a file of that name as the palette finds it.
fn find_file(h: &mut Harness<App>, name: &str) {
    keys(h, Modifiers::COMMAND, Key::P);
    typed(h, name);
    press(h, Key::Enter);
    h.run_steps(4);
}

/// The README's walk: a scenario is opened, copied, drawn on, played, tested and measured, and the cards of its game are looked at.
#[test]
fn the_walk_of_the_readme_by_keyboard_alone() {
    let mut h = with_games(&["rules/fuji", "scenarios/fuji"]);
    find_file(&mut h, "fuji_1");
    keys(&mut h, Modifiers::COMMAND, Key::N);
    typed(&mut h, "Back garden");
    press(&mut h, Key::Enter);
    h.run_steps(8);
    let file = h.state().open_file().expect("it is open").to_string();
    assert_eq!(file, "scenarios/fuji/back_garden.scenario");
    let text = |h: &Harness<App>| h.state().document.text(&file).expect("a text").to_string();
    let before = text(&h);
    keys(&mut h, Modifiers::ALT, Key::Num2);
    // A sign of the palette by its number, then a walk over the map.
    keys(&mut h, Modifiers::NONE, Key::Num2);
    for key in [Key::ArrowRight, Key::ArrowUp, Key::Space] {
        keys(&mut h, Modifiers::NONE, key);
    }
    let drawn = text(&h);
    assert_ne!(drawn, before, "{}", said(&h));
    keys(&mut h, Modifiers::COMMAND, Key::Z);
    assert_eq!(text(&h), before);
    keys(&mut h, Modifiers::ALT, Key::Num3);
    press(&mut h, Key::F5);
    h.run_steps(12);
    press(&mut h, Key::Num1);
    let step = |h: &Harness<App>| h.state().panes.play.data().map_or(0, |d| d.step.0);
    assert!(step(&h) > 0, "{:?}", rows(&h));
    let seat = |h: &Harness<App>| h.state().panes.play.data().map(|d| d.view_as);
    let first = seat(&h);
    keys(&mut h, Modifiers::ALT, Key::V);
    assert_ne!(seat(&h), first, "another seat's view");
    keys(&mut h, Modifiers::ALT, Key::T);
    h.run_steps(20);
    press(&mut h, Key::Enter);
    h.run_steps(8);
    let tested = h
        .state()
        .document
        .texts()
        .iter()
        .any(|(_, text)| text.contains("test \"") && text.contains("Back garden"));
    assert!(tested || shows_any(&h, "test"), "{}", said(&h));
    keys(&mut h, Modifiers::ALT, Key::Num4);
    press(&mut h, Key::F5);
    h.run_steps(6);
    assert!(h.state().panes.measure.is_running() || h.state().panes.measure.data().games > 0);
    keys(&mut h, Modifiers::ALT, Key::Num5);
    press(&mut h, Key::Enter);
    assert!(shows_any(&h, "The face of "));
}

/// The same without the name, for which there are no buttons: the scenario that ships is drawn on.
#[test]
fn the_walk_of_the_readme_by_mouse_alone() {
    let mut h = with_games(&["rules/fuji", "scenarios/fuji"]);
    click(&mut h, "Fuji");
    click(&mut h, "Practice");
    let file = h.state().open_file().expect("it is open").to_string();
    let text = |h: &Harness<App>| h.state().document.text(&file).expect("a text").to_string();
    let before = text(&h);
    click(&mut h, "Draw (tab)");
    click(&mut h, "B2");
    assert_ne!(text(&h), before, "{}", said(&h));
    click(&mut h, "Undo");
    assert_eq!(text(&h), before);
    click(&mut h, "Play (tab)");
    click(&mut h, "Start");
    h.run_steps(12);
    let row = rows(&h).first().map(|r| r.title.clone()).expect("something is offered");
    click(&mut h, &row);
    assert!(h.state().panes.play.data().is_some_and(|d| d.step.0 > 0), "{:?}", rows(&h));
    click(&mut h, "Make a test of this");
    h.run_steps(20);
    click(&mut h, "Measure (tab)");
    click(&mut h, "Run");
    assert!(h.state().panes.measure.is_running() || h.state().panes.measure.data().games > 0);
    click(&mut h, "Cards (tab)");
    let card = {
        let is_card = |n: &AccessKitNode<'_>| {
            n.role() == Role::Button
                && n.label().is_some_and(|l| l.contains(", "))
                && n.bounding_box().is_some()
        };
        let all: Vec<Pos2> =
            h.query_all_by(is_card).filter(|n| n.rect().height() > 60.0).map(|n| n.rect().center()).collect();
        *all.first().expect("a card")
    };
    click_at(&mut h, card);
    assert!(shows_any(&h, "The face of "));
}

const TAVERN: &str = "game Tavern \"Tavern\" { players 2; outcome highest coins }
card Card { rich: bool = no; rule play() }
Card lamp \"Lamp\" { rich: no; play { my.coins += if rich then 3 else 1 } }
table { zone row: Card }
player { coins: 0..99 = 0 }
setup { move box where Card to row }
round 3 times { everyone in turn { offer turn_menu } }
menu turn_menu { pass \"Rest\" }
action lay(c: one of row) \"Lay {c}\" in turn_menu { c.play() }
";

const TAVERN_FILE: &str = "rules/tavern/tavern.rules";

fn tavern() -> Harness<'static, App> {
    let mut h = window(app(vec![(TAVERN_FILE.into(), TAVERN.to_string())]));
    h.run_steps(6);
    h
}

fn tavern_text(h: &Harness<App>) -> String {
    h.state().document.text(TAVERN_FILE).expect("a text").to_string()
}

/// What stands with the first player.
fn first_player(h: &Harness<App>) -> String {
    h.state().panes.play.data().map_or(String::new(), |d| d.board.players[0].lines.join(" "))
}

/// A command by its name, as the palette finds it.
fn find_command(h: &mut Harness<App>, name: &str) {
    keys(h, Modifiers::COMMAND | Modifiers::SHIFT, Key::P);
    typed(h, name);
    press(h, Key::Enter);
    h.run_steps(8);
}

#[test]
fn a_card_is_made_tried_and_played_by_keyboard_alone() {
    let mut h = tavern();
    find_file(&mut h, "tavern");
    keys(&mut h, Modifiers::ALT, Key::Num5);
    press(&mut h, Key::Enter);
    assert!(shows_any(&h, "The face of Lamp"));
    keys(&mut h, Modifiers::COMMAND, Key::D);
    assert!(shows_any(&h, "The face of Lamp 2"), "{}", said(&h));
    find_command(&mut h, "Try it");
    h.run_steps(12);
    assert!(shows_any(&h, "1 outcome in 20 runs"), "{}", said(&h));
    press(&mut h, Key::F5);
    h.run_steps(12);
    press(&mut h, Key::Slash);
    typed(&mut h, "lay lamp 2");
    press(&mut h, Key::Enter);
    h.run_steps(4);
    assert!(first_player(&h).contains("coins 1"), "{} {:?}", first_player(&h), rows(&h));
}

#[test]
fn a_card_is_made_tried_and_played_by_mouse_alone() {
    let mut h = tavern();
    click(&mut h, "Read Tavern");
    click(&mut h, "Cards (tab)");
    click(&mut h, "Lamp");
    click(&mut h, "Duplicate");
    assert!(shows_any(&h, "The face of Lamp 2"), "{}", said(&h));
    click(&mut h, "Try it");
    h.run_steps(12);
    assert!(shows_any(&h, "1 outcome in 20 runs"), "{}", said(&h));
    click(&mut h, "Play (tab)");
    click(&mut h, "Start");
    click(&mut h, "Lay Lamp 2");
    assert!(first_player(&h).contains("coins 1"), "{} {:?}", first_player(&h), rows(&h));
}

#[test]
fn a_rule_is_changed_in_play_by_keyboard_alone() {
    let mut h = tavern();
    find_file(&mut h, "tavern");
    press(&mut h, Key::F5);
    h.run_steps(12);
    press(&mut h, Key::Num1);
    assert!(first_player(&h).contains("coins 1"), "{} {:?}", first_player(&h), rows(&h));
    keys(&mut h, Modifiers::ALT, Key::Num1);
    // To the end of the line with the card's rule, and back before its last number.
    keys(&mut h, Modifiers::COMMAND, Key::Home);
    for _ in 0..2 {
        keys(&mut h, Modifiers::NONE, Key::ArrowDown);
    }
    keys(&mut h, Modifiers::NONE, Key::End);
    for _ in 0..4 {
        keys(&mut h, Modifiers::NONE, Key::ArrowLeft);
    }
    typed(&mut h, "2");
    assert!(tavern_text(&h).contains("else 12 "), "{}", tavern_text(&h));
    h.run_steps(12);
    keys(&mut h, Modifiers::ALT, Key::Num3);
    assert!(shows_any(&h, "the match parts at choice 1"), "{}", said(&h));
    keys(&mut h, Modifiers::ALT, Key::G);
    keys(&mut h, Modifiers::ALT, Key::Period);
    assert!(first_player(&h).contains("coins 12"), "{}", first_player(&h));
}

#[test]
fn a_rule_is_changed_in_play_by_mouse_alone() {
    let mut h = tavern();
    click(&mut h, "Play Tavern");
    h.run_steps(12);
    click(&mut h, "Lay Lamp");
    assert!(first_player(&h).contains("coins 1"), "{} {:?}", first_player(&h), rows(&h));
    if shows_any(&h, "All panes") {
        click(&mut h, "All panes");
    }
    click(&mut h, "Cards (tab)");
    click(&mut h, "Lamp");
    click(&mut h, "rich, set here");
    assert!(tavern_text(&h).contains("rich: yes"), "{}", tavern_text(&h));
    h.run_steps(12);
    click(&mut h, "Play (tab)");
    click(&mut h, "Go on with the new rules");
    click(&mut h, "One choice on");
    assert!(first_player(&h).contains("coins 3"), "{}", first_player(&h));
}
