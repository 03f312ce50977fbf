//! A rule is edited while its game is played: the match goes on, or it is shown where it parts.
use super::window::{labels, start};
use crate::support::{app, open, shows, window};
use egui::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use houserule::ide::{Edit, EditSet};
use houserule_editor::App;
use houserule_editor::command::Command;
use houserule_editor::document::Manner;
use houserule_editor::panels::Pane;
use houserule_editor::play::session::Sitter;

const FILE: &str = "rules/walk.rules";

/// Two walk along a strip; a step brings points.
const WALK: &str = "## Mark fields.
game Walk \"Walk\" { players 2; outcome highest points }
map Path squares 5 by 1
space Field on Path { mark: player? }
player { points: 0..99 = 0 }
round 6 times { everyone in turn { offer walking } }
menu walking \"Walk or rest\"
action walk(field: Field) \"Mark {field}\" in walking {
  needs field.mark is none else \"somebody was there\"
  field.mark = me
  my.points += 2
}
action rest() \"Rest\" in walking { my.points += 1 }
";

fn played() -> Harness<'static, App> {
    let mut h = window(app(vec![(FILE.into(), WALK.to_string())]));
    open(&mut h, FILE);
    h.state_mut().carry_out(Command::Show(Pane::Play));
    h.run_steps(4);
    start(&mut h);
    h.state_mut().panes.play.session().expect("play").seat_sitters(vec![Sitter::Person; 2]);
    h.state_mut().panes.play.refresh();
    for words in ["walk(A1)", "walk(B1)", "walk(C1)"] {
        h.state_mut().panes.play.session().expect("play").turn_to_asked();
        h.state_mut().panes.play.session().expect("play").choose_in_words(words).expect(words);
    }
    h.state_mut().panes.play.session().expect("play").turn_to_asked();
    h.state_mut().panes.play.refresh();
    h.run_steps(3);
    assert_eq!(h.state().panes.play.data().expect("play").step, (3, 3));
    h
}

/// Writes something else in the rules, as somebody does who types.
fn edit(h: &mut Harness<App>, from: &str, to: &str) {
    let text = h.state().document.text(FILE).expect("open").to_string();
    let at = text.find(from).expect("it stands there");
    let set = EditSet::from_edit("typing", Edit::new(FILE, at..at + from.len(), to));
    let since = h.state().document.revision();
    h.state_mut().carry_out(Command::Apply { since, set, manner: Manner::Step });
    h.run_steps(8);
}

fn points(h: &Harness<App>) -> Vec<String> {
    let data = h.state().panes.play.data().expect("play");
    data.board.players.iter().map(|p| p.lines.join(" ")).collect()
}

#[test]
fn what_changes_nothing_that_was_seen_goes_on_at_once() {
    let mut h = played();
    edit(&mut h, "space Field", "# a comment\nspace Field");
    assert!(h.state().panes.play.parting().is_none());
    assert!(!shows(&h, "The texts have changed"), "{:?}", labels(&h));
    // An action of its own, above the others: choices are found by what they are called, not by their place.
    edit(&mut h, "action walk", "action jump() \"Jump\" in walking { my.points += 5 }\naction walk");
    let data = h.state().panes.play.data().expect("play");
    assert_eq!(data.step, (3, 3));
    assert!(data.choices.as_ref().expect("asked").rows.iter().any(|r| r.title.contains("Jump")));
    assert!(!shows(&h, "The texts have changed"));
    assert!(shows(&h, "it goes on with the changed rules"), "{:?}", labels(&h));
}

#[test]
fn where_something_else_comes_of_a_choice_both_sides_are_shown() {
    let mut h = played();
    edit(&mut h, "my.points += 2", "my.points += 3");
    let parting = h.state().panes.play.parting().expect("it parts").clone();
    assert_eq!((parting.step, parting.all, parting.refused), (1, 3, None));
    let told = |lines: &[String]| lines.join("\n");
    assert!(
        told(&parting.old).contains("Points: 2") || told(&parting.old).contains("points 2"),
        "{:?}",
        parting.old
    );
    assert!(
        told(&parting.new).contains('3') && !told(&parting.new).contains("points 2"),
        "{:?}",
        parting.new
    );
    assert!(shows(&h, "the match parts at choice 1 of 3"), "{:?}", labels(&h));
    // The match that is shown is still the old one, until somebody says so.
    assert!(points(&h)[0].contains('4'), "{:?}", points(&h));
    h.get_by_role_and_label(Role::Button, "Go on with the new rules").click();
    h.run_steps(4);
    let data = h.state().panes.play.data().expect("play");
    assert_eq!(data.step, (0, 3), "it stands before the choice where they part, and has all of them");
    assert!(!shows(&h, "The texts have changed") && h.state().panes.play.parting().is_none());
    assert!(h.state_mut().panes.play.session().expect("play").go_to_step(3));
    h.state_mut().panes.play.refresh();
    h.run_steps(2);
    assert!(points(&h)[0].contains('6'), "{:?}", points(&h));
}

#[test]
fn a_choice_that_is_refused_now_says_why() {
    let mut h = played();
    edit(&mut h, "  field.mark = me", "  needs field != B1 else \"there is a hole\"\n  field.mark = me");
    let parting = h.state().panes.play.parting().expect("it parts").clone();
    assert_eq!((parting.step, parting.all), (2, 3));
    assert!(shows(&h, "the match parts at choice 2 of 3"), "{:?}", labels(&h));
    assert_eq!(parting.choice.as_deref(), Some("Player 2: Mark B1"));
    assert_eq!((parting.old.first().map(String::as_str), parting.new.len()), (Some("Player 2: Mark B1"), 0));
    assert!(parting.refused.as_ref().expect("why").contains("there is a hole"), "{parting:?}");
    // Whoever looks on as another seat is not told what forbids it.
    h.state_mut().panes.play.session().expect("play").set_view_as(0);
    h.state_mut().panes.play.refresh();
    h.run_steps(4);
    let other = h.state().panes.play.parting().expect("it parts").clone();
    assert_eq!(other.step, 2);
    assert!(!other.refused.expect("why").contains("hole"));
    assert!(!shows(&h, "there is a hole"), "{:?}", labels(&h));
    h.get_by_role_and_label(Role::Button, "Stay with the old rules").click();
    h.run_steps(4);
    assert_eq!(h.state().panes.play.data().expect("play").step, (3, 3));
    assert!(shows(&h, "The texts have changed since this game was started."), "{:?}", labels(&h));
    edit(&mut h, "a hole", "a pit");
    h.get_by_role_and_label(Role::Button, "Go on with the new rules").click();
    h.run_steps(4);
    assert_eq!(h.state().panes.play.data().expect("play").step, (1, 1));
}

#[test]
fn rules_with_a_mistake_leave_the_match_as_it_is() {
    let mut h = played();
    edit(&mut h, "my.points += 2", "my.points +=");
    assert_eq!(h.state().panes.play.data().expect("play").step, (3, 3));
    assert!(shows(&h, "The texts have changed since this game was started."));
    edit(&mut h, "my.points +=", "my.points += 2");
    assert!(!shows(&h, "The texts have changed"), "{:?}", labels(&h));
}
