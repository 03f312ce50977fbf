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
