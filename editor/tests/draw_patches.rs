//! The patches of a map in Draw: listed with what they print, turned, face down; and the slots on the map.
use crate::support::{app, open, shipped, shows, window};
use egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use houserule_editor::App;
use houserule_editor::command::Command;
use houserule_editor::panels::Pane;
use houserule_editor::panels::draw::{Data, PatchList};
use std::sync::Arc;

const RULES: &str = "rules/own/own.rules";

/// Draw in front, with that file open.
fn drawing(texts: Vec<(Arc<str>, String)>, file: &str) -> Harness<'static, App> {
    let mut h = window(app(texts));
    h.state_mut().carry_out(Command::Show(Pane::Draw));
    open(&mut h, file);
    h.run_steps(3);
    h
}

/// A game of the book's page on maps.
fn book(game: &str) -> Harness<'static, App> {
    let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/book/reference/maps.md");
    let page = std::fs::read_to_string(page).unwrap();
    let begins = format!("game {game} ");
    let mut blocks = page.split("```rules\n").filter_map(|b| b.split("```").next());
    let text = blocks.find(|b| b.starts_with(&begins)).expect("the page has the game");
    own(text)
}

/// A game of its own.
fn own(text: &str) -> Harness<'static, App> {
    drawing(vec![(RULES.into(), text.to_string())], RULES)
}

fn data<'a>(h: &'a Harness<'_, App>) -> &'a Data {
    h.state().panes.draw.data().expect("something is shown")
}

fn list<'a>(h: &'a Harness<'_, App>) -> &'a PatchList {
    data(h).patches.first().expect("the map is laid out of patches")
}

/// Shows the tab.
fn show_patches(h: &mut Harness<'_, App>) {
    h.get_by_label("Patches").click();
    h.run_steps(3);
}

/// The names of the patches that are listed, as a screen reader says them.
fn listed(h: &Harness<'_, App>) -> Vec<String> {
    let all = h.query_all_by_role(Role::Button).filter_map(|n| n.accesskit_node().label());
    all.filter(|l| l.starts_with("Tile ")).collect()
}

#[test]
fn the_patches_that_are_in_force_are_listed_with_what_they_print() {
    let h = drawing(shipped(), "scenarios/discover/cry.scenario");
    insta::assert_snapshot!("patches_island", list(&h).to_text(0, false));
    let h = drawing(shipped(), "scenarios/discover/dust.scenario");
    let dust = list(&h).to_text(0, false);
    assert!(dust.contains("canyon") && !dust.contains("Landing place"), "those of the other part:\n{dust}");
    assert!(data(&h).to_text().contains(&dust), "they are a part of what is shown");
}

#[test]
fn patches_are_turned_as_in_play() {
    let h = book("Explorers");
    let text = |turns| list(&h).to_text(turns, false);
    insta::assert_snapshot!("patches_explorers", format!("{}turned once:\n{}", text(0), text(1)));
    let h = book("Walls");
    let text = |turns| list(&h).to_text(turns, false);
    insta::assert_snapshot!("patches_walls", format!("{}turned once:\n{}", text(0), text(1)));
    let sides = |turns| list(&h).patches[0].tiles(turns, false)[0].bands.clone();
    assert_eq!(sides(0).iter().map(|b| b.0).collect::<Vec<_>>(), [0, 2, 4, 6]);
    assert_ne!(sides(0), sides(1));
    assert_eq!(sides(0), sides(4), "the fourth turn leads back");
}

#[test]
fn the_look_of_the_rules_paints_a_patch() {
    let h = drawing(shipped(), "scenarios/discover/cry.scenario");
    let reef = list(&h).patches.iter().find(|p| &*p.name == "reef").expect("the reef");
    let seen = |turns: u32| -> Vec<_> {
        let tiles = reef.tiles(turns, false).iter();
        tiles.map(|t| (t.text.clone(), t.below.clone(), t.fill.map(|c| c.to_hex()))).collect()
    };
    let tile = |text: &str, below: &str, fill: &str| (text.into(), below.into(), Some(format!("{fill}ff")));
    let (sea, beach) = ("#3d7ea6", "#e9d8a6");
    let flat = [("sea", "", sea), ("beach", "shell", beach), ("sea", "shell", sea), ("beach", "leaf", beach)];
    let flat = flat.map(|(t, b, f)| tile(t, b, f));
    assert_eq!(seen(0), flat);
    let turned: Vec<_> = flat.iter().rev().cloned().collect();
    assert_eq!(seen(1), turned, "a half turn of a rhombus");
}

#[test]
fn a_patch_is_picked_turned_and_covered() {
    let mut h = drawing(shipped(), "scenarios/discover/cry.scenario");
    assert!(listed(&h).is_empty());
    show_patches(&mut h);
    let reef = "Tile Reef (pile: 1). 1: ocean; 2: beach, shell; 3: ocean, shell; 4: beach, leaf";
    assert_eq!(listed(&h).iter().filter(|l| *l == reef).count(), 1, "{:?}", listed(&h));
    h.get_by_role_and_label(Role::Button, reef).click();
    h.run_steps(4);
    let here = h.state().here().expect("a text is open");
    let rules = h.state().document.text("rules/discover/island.rules").unwrap();
    assert_eq!((&*here.file, rules.get(here.range.clone())), ("rules/discover/island.rules", Some("reef")));
    // The patch that is picked says of each space what is printed there.
    assert!(h.query_by_role_and_label(Role::Button, "3: ocean, shell").is_some());
    h.get_by_label("↻ Turn").click();
    h.run_steps(3);
    assert!(shows(&h, "turned once"));
    assert!(h.query_by_role_and_label(Role::Label, "2: ocean, shell").is_some());
    h.get_by_label("↻ Turn").click();
    h.run_steps(3);
    assert!(shows(&h, "not turned") && listed(&h).iter().any(|l| l == reef));
    h.get_by_label("Face down").click();
    h.run_steps(3);
    let backs = listed(&h);
    assert!(backs.len() > 9 && backs.iter().all(|l| l.starts_with("Tile Tile (pile: ")), "{backs:?}");
    for secret in ["Reef", "ocean", "beach"] {
        assert!(!shows(&h, secret), "{secret} is not to be seen on a back");
    }
    assert!(
        list(&h).patches.iter().flat_map(|p| p.tiles(0, true)).all(|t| t.fill.is_none() && t.text.is_empty())
    );
    h.check_accessibility();
}

#[test]
fn the_map_names_its_slots() {
    let mut h = drawing(shipped(), "scenarios/discover/cry.scenario");
    assert!(shows(&h, "B7: slot a, pile: 2") && shows(&h, "A6: slot e"));
    let tiles = &data(&h).tiles[0];
    let group = |at: (u32, u32)| tiles.iter().find(|t| t.at == at).expect("a place").group;
    assert_eq!((group((0, 7)), group((1, 6))), (group((1, 7)), group((0, 6))), "the four spaces of a slot");
    assert!(group((0, 7)) != group((2, 7)) && group((9, 7)) == 0);
    // A title, and attributes that are written with the slot and not in a legend.
    h = own("game Bay \"Bay\" { players 2; outcome win }\nenum Ground { grass, sea }\n\
        look Tile { back { title: \"mark {mark}\" } }\n\
        patch Tile of 2 { back mark: 0..3 = 2; prints { ground: Ground } }\n\
        map Land squares of Tile \"\"\"\n  a a b b\n\"\"\"\nspace Cell on Land { }\n\
        space Site for Tile { slot tile: Tile; far: 0..2 = 0; start: bool = no }\n\
        Site a \"The bay\" { far: 2; start: yes }\nlist Tile | 1 | 2 { one x3 | grass | sea }\nround once { }\n");
    assert!(
        shows(&h, "A1: slot a, “The bay”, far: 2, start") && shows(&h, "C1: slot b, far: 0"),
        "{}",
        data(&h).to_text()
    );
    let front = list(&h).to_text(0, false);
    assert!(front.contains("one ×3 (mark: 2). 1: grass; 2: sea"), "{front}");
    assert!(list(&h).to_text(0, true).ends_with(":\n  mark 2 (mark: 2)\n"), "{}", list(&h).to_text(0, true));
}

#[test]
fn without_patches_there_is_no_such_tab() {
    let h = drawing(shipped(), "scenarios/fuji/practice.scenario");
    assert!(h.query_by_label("Patches").is_none() && shows(&h, "Palette"));
    let mut h = book("Walls");
    assert!(shows(&h, "The map of this game grows in play"));
    show_patches(&mut h);
    let lane = "Tile lane ×9. north wall, east field, south wall, west field";
    assert!(listed(&h).iter().any(|l| l == lane), "{:?}", listed(&h));
}

/// The row of a list that begins so, without blanks between its words.
fn row(h: &Harness<'_, App>, begins: &str) -> String {
    let text = h.state().document.text(RULES).expect("the rules");
    let line = text.lines().find(|l| l.trim_start().starts_with(begins)).expect("the row");
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn click(h: &mut Harness<'_, App>, role: Role, label: &str) {
    h.get_by_role_and_label(role, label).click();
    h.run_steps(4);
}

#[test]
fn what_a_patch_prints_is_changed_by_a_click_as_one_step() {
    let mut h = book("Explorers");
    let before = h.state().document.text(RULES).unwrap().to_string();
    show_patches(&mut h);
    let ridge =
        |h: &Harness<'_, App>| listed(h).iter().find(|l| l.starts_with("Tile ridge")).expect("it").clone();
    let name = ridge(&h);
    click(&mut h, Role::Button, &name);
    click(&mut h, Role::Button, "3: grass");
    assert!(shows(&h, "ground: rock") && shows(&h, "gold"), "the choices are shown");
    click(&mut h, Role::Button, "ground: lake");
    assert_eq!(row(&h, "ridge"), "ridge | rock | rock, cave, gold: 2 | lake | rock");
    assert!(ridge(&h).contains("3: lake"), "the list shows what the text says");
    assert!(shows(&h, "print lake on space 3 of ridge"), "the step says what and where");
    // The choices stay until somebody clicks elsewhere.
    click(&mut h, Role::CheckBox, "cave");
    assert_eq!(row(&h, "ridge"), "ridge | rock | rock, cave, gold: 2 | lake, cave | rock");
    h.get_by_role_and_label(Role::SpinButton, "gold").click();
    h.run_steps(2);
    h.get_by_role_and_label(Role::SpinButton, "gold").type_text("3");
    h.key_press(egui::Key::Enter);
    h.run_steps(4);
    assert_eq!(row(&h, "ridge"), "ridge | rock | rock, cave, gold: 2 | lake, cave, gold: 3 | rock");
    h.key_press(egui::Key::Escape);
    h.run_steps(3);
    assert!(!shows(&h, "ground: rock"), "Escape closes the choices");
    for _ in 0..3 {
        h.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::Z);
        h.run_steps(3);
    }
    assert_eq!(h.state().document.text(RULES).unwrap(), before, "three steps");
    h.check_accessibility();
}

#[test]
fn the_sides_of_a_patch_are_changed_by_a_click() {
    let mut h = book("Walls");
    show_patches(&mut h);
    click(&mut h, Role::Button, "Tile lane ×9. north wall, east field, south wall, west field");
    click(&mut h, Role::Button, "north wall, east field, south wall, west field");
    click(&mut h, Role::Button, "edge east: wall");
    click(&mut h, Role::CheckBox, "well");
    assert_eq!(row(&h, "lane"), "lane x9 | well | wall | wall | wall | field");
    // Turned, the columns of the list are not what is seen.
    h.key_press(egui::Key::Escape);
    h.run_steps(3);
    click(&mut h, Role::Button, "↻ Turn");
    assert!(
        h.query_by_role_and_label(Role::Label, "well, north field, east wall, south wall, west wall")
            .is_some()
    );
}
