//! The book of the language: F1 in Write shows the section that explains a word; links lead on, Escape closes it.
use crate::support::{app, shows, window};
use egui::{Key, Modifiers, Role};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use houserule_editor::App;
use houserule_editor::command::Command;
use houserule_editor::document::TextPlace;

const FILE: &str = "rules/small.rules";
const TEXT: &str =
    "game Small \"Small\" { players 2; outcome win }\nplayer { coins: 0..9 = 0 clamped }\nround once { }\n";

/// Write with the caret in the middle of a word.
fn at_word(word: &str) -> Harness<'static, App> {
    let mut h = window(app(vec![(FILE.into(), TEXT.to_string())]));
    let at = TEXT.find(word).unwrap() + 1;
    h.state_mut().carry_out(Command::GoTo(TextPlace::new(FILE, at..at)));
    h.run_steps(3);
    h
}

fn press(h: &mut Harness<App>, key: Key) {
    h.key_press_modifiers(Modifiers::NONE, key);
    h.run_steps(4);
}

fn place(h: &Harness<App>) -> Option<(&'static str, Option<String>)> {
    h.state().panes.book.place().map(|p| (p.page, p.anchor.clone()))
}

#[test]
fn f1_shows_the_section_of_a_word() {
    let mut h = at_word("clamped");
    press(&mut h, Key::F1);
    assert_eq!(place(&h), Some(("kinds", Some("attributes".into()))));
    // Its heading is in sight, though it stands far down the page.
    let heading = h.get_all_by_role_and_label(Role::Label, "Attributes").next().unwrap().rect();
    assert!((0.0..700.0).contains(&heading.top()), "{heading:?}");
    // Links lead on, and one goes back.
    h.get_by_label("All words").click();
    h.run_steps(3);
    assert_eq!(place(&h), Some(("words", None)));
    h.get_all_by_role_and_label(Role::Link, "menus").next().unwrap().click();
    h.run_steps(3);
    assert_eq!(place(&h).map(|(page, _)| page), Some("menus"));
    for _ in 0..2 {
        h.get_by_label("← Page before").click();
        h.run_steps(3);
    }
    assert_eq!(place(&h), Some(("kinds", Some("attributes".into()))));
    press(&mut h, Key::Escape);
    assert_eq!(place(&h), None);
    assert!(!shows(&h, "All words"), "it is closed");
}

#[test]
fn a_name_of_the_game_is_told_from_a_word() {
    let mut h = at_word("coins");
    press(&mut h, Key::F1);
    assert_eq!(place(&h), None);
    assert!(shows(&h, "coins is no word of the language"));
    // Elsewhere F1 lists all words.
    let end = TEXT.len();
    h.state_mut().carry_out(Command::GoTo(TextPlace::new(FILE, end..end)));
    h.run_steps(3);
    press(&mut h, Key::F1);
    assert_eq!(place(&h), Some(("words", None)));
    assert_eq!(h.state().document.text(FILE), Some(TEXT));
}
