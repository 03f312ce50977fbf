//! Cards in the window, driven by label, role and keys: the gallery, the form of a card, copies, and tables.
use crate::support::{app, app_with, fills, folder, nameless, open, shipped, shows, window};
use egui::{Key, Modifiers, Role};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use houserule::ide::cards::{Card, list_card_fields, list_cards, read_table, write_table};
use houserule::ide::draw::State;
use houserule::ide::plan::{Intent, compare_table, plan, suggest_name};
use houserule::ide::{Analysis, EditSet};
use houserule_editor::App;
use houserule_editor::command::{Command, cards::Act};
use houserule_editor::dialogs::Given;
use houserule_editor::jobs::Jobs;
use houserule_editor::panels::Pane;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

const FILE: &str = "rules/court/court.rules";

/// A game with two kinds of cards, a look, a family, a list and a mod.
const GAME: &str = r##"game Court "Court" { players 2; outcome win }
round once { say "so" }
enum Suit { suns "Suns", moons "Moons" }
card Card { suit: Suit = moons; rank: 1..9 = 1; royal: bool = no; rule play() }
card Charm is Card { rank = 4 }
look Card { title: "{this}"; corner: rank; text: "of {suit}"; fill: case suit { suns: "#f2d98c", moons: "#c8d0e8" } }

# The highest one.
Card queen "Queen" { rank: 9; royal: yes; play { say "queen" } }   # ours
Card fool "Fool" x3
Card number(n: 2..4) { rank: n }
list Card | suit  | rank {
  pebble "Pebble" x4 | moons | 1
  comet  "Comet"     | suns  | 5
}
Charm lamp "Lamp"
value high(c: Card): bool = c is queen
"##;

fn cards_of(app: App, file: &str) -> Harness<'static, App> {
    let mut h = window(app);
    open(&mut h, file);
    h.state_mut().carry_out(Command::ShowAlone(Pane::Cards));
    h.run_steps(4);
    h
}

fn court() -> Harness<'static, App> {
    cards_of(app(vec![(FILE.into(), GAME.to_string())]), FILE)
}

/// The court, with the answers of the system's dialogs.
fn court_with(answers: Vec<PathBuf>) -> Harness<'static, App> {
    let mut h = court();
    h.state_mut().dialogs = Box::new(Given(answers));
    h
}

fn text(h: &Harness<App>) -> String {
    h.state().document.text(FILE).unwrap().to_string()
}

fn said(h: &Harness<App>) -> String {
    h.state().message.text.clone()
}

fn press(h: &mut Harness<App>, modifiers: Modifiers, key: Key) {
    h.key_press_modifiers(modifiers, key);
    h.run_steps(4);
}

fn click(h: &mut Harness<App>, label: &str) {
    h.get_by_role_and_label(Role::Button, label).click();
    h.run_steps(6);
}

fn act(h: &mut Harness<App>, act: Act) {
    h.state_mut().carry_out(Command::Cards(act));
    h.run_steps(6);
}

/// Opens a card by its label in the gallery.
fn open_card(h: &mut Harness<App>, label: &str) {
    click(h, label);
    assert!(shows(h, &format!("The face of {}", label.split(',').next().unwrap())), "{label} is open");
}

/// Writes another text into a field.
fn write(h: &mut Harness<App>, field: &str, new: &str) {
    h.get_by_role_and_label(Role::TextInput, field).focus();
    h.run_steps(1);
    h.key_press_modifiers(Modifiers::COMMAND, Key::A);
    h.run_steps(1);
    h.get_by_role_and_label(Role::TextInput, field).type_text(new);
    h.run_steps(1);
    press(h, Modifiers::NONE, Key::Enter);
    h.run_steps(4);
}

fn undo(h: &mut Harness<App>) {
    press(h, Modifiers::COMMAND, Key::Z);
}

/// The label of what has the keyboard.
fn focused(h: &Harness<App>) -> String {
    let root = h.root();
    let here = root.children_recursive().find(|n| n.accesskit_node().is_focused());
    here.and_then(|n| n.accesskit_node().label()).unwrap_or_default()
}

/// The labels of all cards of the gallery.
fn faces(h: &Harness<App>) -> Vec<String> {
    let all = h.state().panes.cards.data().expect("cards").set.groups.iter().flat_map(|g| &g.cards);
    let told: Vec<String> = all.map(|c| c.title.clone()).collect();
    let buttons = h.query_all_by_role(Role::Button).filter_map(|n| n.accesskit_node().label());
    buttons.filter(|l| told.iter().any(|t| l == t || l.starts_with(&format!("{t}, ")))).collect()
}

#[test]
fn the_gallery_shows_every_card_by_kind() {
    let h = court();
    let expect = [
        "Queen, 9, of Moons",
        "Fool, x3, 1, of Moons",
        "number 2, 2, of Moons",
        "number 3, 3, of Moons",
        "number 4, 4, of Moons",
        "Pebble, x4, 1, of Moons",
        "Comet, 5, of Suns",
        "Lamp, 4, of Moons",
    ];
    assert_eq!(faces(&h), expect);
    assert!(shows(&h, "Card: 7 cards, 12 in all") && shows(&h, "Charm: 1 card"));
    assert!(nameless(&h).is_empty(), "{:?}", nameless(&h));
}

#[test]
fn the_filter_finds_by_name_title_kind_and_value() {
    let mut h = court();
    let mut find = |filter: &str| {
        act(&mut h, Act::Filter);
        press(&mut h, Modifiers::COMMAND, Key::A);
        if filter.is_empty() {
            press(&mut h, Modifiers::NONE, Key::Backspace);
        }
        fills(&mut h, "Filter", filter);
        h.run_steps(2);
        faces(&h).iter().map(|l| l.split(',').next().unwrap().to_string()).collect::<Vec<_>>()
    };
    assert_eq!(find("que"), ["Queen"]);
    assert_eq!(find("charm"), ["Lamp"]);
    assert_eq!(find("suit suns"), ["Comet"]);
    assert_eq!(find("royal yes"), ["Queen"]);
    assert_eq!(find("number(3)"), ["number 3"]);
    assert_eq!(find("dragon"), Vec::<String>::new());
    assert!(shows(&h, "None of 8 cards is found by “dragon”."));
    press(&mut h, Modifiers::NONE, Key::Escape);
    press(&mut h, Modifiers::NONE, Key::Escape);
    assert_eq!(faces(&h).len(), 8, "Escape takes the filter away");
}

#[test]
fn the_keyboard_alone_walks_opens_and_goes_back() {
    let mut h = window(app(vec![(FILE.into(), GAME.to_string())]));
    open(&mut h, FILE);
    press(&mut h, Modifiers::ALT, Key::Num5);
    assert_eq!(h.state().front(), Pane::Cards);
    press(&mut h, Modifiers::ALT, Key::Num5);
    assert!(shows(&h, "All panes"), "the key again gives the pane the window");
    assert_eq!(focused(&h), "Queen, 9, of Moons");
    press(&mut h, Modifiers::NONE, Key::ArrowRight);
    assert_eq!(focused(&h), "Fool, x3, 1, of Moons");
    press(&mut h, Modifiers::NONE, Key::End);
    assert_eq!(focused(&h), "Lamp, 4, of Moons");
    press(&mut h, Modifiers::NONE, Key::ArrowUp);
    assert_eq!(focused(&h), "Queen, 9, of Moons", "seven cards have one line");
    press(&mut h, Modifiers::NONE, Key::ArrowDown);
    assert_eq!(focused(&h), "Lamp, 4, of Moons");
    press(&mut h, Modifiers::NONE, Key::Home);
    press(&mut h, Modifiers::NONE, Key::Enter);
    assert!(shows(&h, "The face of Queen"));
    press(&mut h, Modifiers::NONE, Key::PageDown);
    assert!(shows(&h, "The face of Fool"));
    press(&mut h, Modifiers::NONE, Key::PageUp);
    press(&mut h, Modifiers::NONE, Key::PageUp);
    assert_eq!(said(&h), "There is no further card");
    press(&mut h, Modifiers::NONE, Key::Escape);
    assert_eq!(focused(&h), "Queen, 9, of Moons", "back to where one was");
    assert_eq!(text(&h), GAME);
}

#[test]
fn hundreds_of_cards_have_nodes_and_only_the_visible_ones_are_painted() {
    let many: String =
        (0..400).map(|n| format!("Card c{n} \"No {n}\" {{ rank: {} }}\n", n % 9 + 1)).collect();
    let mut h = cards_of(app(vec![(FILE.into(), format!("{GAME}{many}"))]), FILE);
    assert_eq!(faces(&h).len(), 408);
    let shapes = |h: &Harness<App>| h.output().shapes.len();
    let few = shapes(&court());
    let all = shapes(&h);
    assert!(all < few * 12, "{all} shapes for 408 cards, {few} for 8");
    press(&mut h, Modifiers::NONE, Key::PageDown);
    assert_eq!(focused(&h), "No 14, 6, of Moons", "three lines further");
    press(&mut h, Modifiers::NONE, Key::PageUp);
    assert_eq!(focused(&h), "Queen, 9, of Moons");
    press(&mut h, Modifiers::NONE, Key::End);
    assert!(focused(&h).starts_with("Lamp"), "{}", focused(&h));
    let node = h.get_by_role_and_label(Role::Button, "Lamp, 4, of Moons");
    let rect = node.rect();
    assert!(rect.min.y > 0.0 && rect.max.y < 900.0, "it is scrolled into view: {rect:?}");
}

#[test]
fn a_value_is_edited_and_one_undo_takes_it_back() {
    let mut h = court();
    open_card(&mut h, "Queen, 9, of Moons");
    write(&mut h, "rank, set here", "7");
    assert_eq!(text(&h), GAME.replace("rank: 9", "rank: 7"));
    assert_eq!(h.state().document.history().done.len(), 1);
    assert!(h.state().document.history().done[0].describe().contains("set rank of queen to 7"));
    assert!(shows(&h, "The face of Queen"), "the card stays open");
    undo(&mut h);
    assert_eq!(text(&h), GAME, "the exact bytes");
    // Nothing is written where nothing changes.
    write(&mut h, "rank, set here", "9");
    assert!(text(&h) == GAME && h.state().document.history().done.is_empty());
    // A word and a truth.
    h.get_by_role_and_label(Role::CheckBox, "royal, set here").click();
    h.run_steps(6);
    assert_eq!(text(&h), GAME.replace("royal: yes", "royal: no"));
    h.get_by_role_and_label(Role::ComboBox, "suit, default").click();
    h.run_steps(2);
    h.get_by_label("Suns").click();
    h.run_steps(6);
    assert!(text(&h).contains("{ rank: 9; royal: no; suit: suns; play"), "{}", text(&h));
    undo(&mut h);
    undo(&mut h);
    assert_eq!(text(&h), GAME);
    write(&mut h, "Title, set here", "Old queen");
    write(&mut h, "Copies, default", "2");
    assert!(text(&h).contains("Card queen \"Old queen\" x2 { rank: 9;"), "{}", text(&h));
}

#[test]
fn a_long_text_is_written_in_several_lines_and_ended_by_enter() {
    let long = "It hatches after the third sleep, whoever carries it then";
    let game = GAME.replace("rule play() }", "note: text = \"\"; rule play() }");
    let game = game.replace("\"Fool\" x3", &format!("\"Fool\" x3 {{ note: \"{long}\" }}"));
    let mut h = cards_of(app(vec![(FILE.into(), game.clone())]), FILE);
    open_card(&mut h, "Fool, x3, 1, of Moons");
    let field = "note, set here";
    h.get_by_role_and_label(Role::MultilineTextInput, field).focus();
    h.run_steps(1);
    press(&mut h, Modifiers::COMMAND, Key::End);
    h.get_by_role_and_label(Role::MultilineTextInput, field).type_text(", or not");
    press(&mut h, Modifiers::NONE, Key::Enter);
    assert_eq!(text(&h), game.replace(long, &format!("{long}, or not")), "{}", said(&h));
    undo(&mut h);
    assert_eq!(text(&h), game);
}

#[test]
fn a_reset_takes_the_attribute_out() {
    let mut h = court();
    open_card(&mut h, "Queen, 9, of Moons");
    click(&mut h, "Reset rank");
    assert_eq!(text(&h), GAME.replace("rank: 9; ", ""));
    assert!(shows(&h, "rank, default"), "the default holds, and is written nowhere");
    undo(&mut h);
    assert_eq!(text(&h), GAME);
    assert!(h.query_by_role_and_label(Role::Button, "Reset suit").is_none(), "nothing to reset");
}

#[test]
fn inherited_values_are_named_and_lead_to_their_place() {
    let mut h = court();
    open_card(&mut h, "Lamp, 4, of Moons");
    assert!(shows(&h, "rank, set by the kind Charm") && shows(&h, "↑ set by the kind Charm"));
    click(&mut h, "Go to where rank is set");
    let here = h.state().here().unwrap().clone();
    assert_eq!(&text(&h)[here.range.start - 7..here.range.end], "rank = 4");
    // A value of a list leads to its cell.
    h.state_mut().carry_out(Command::ShowAlone(Pane::Cards));
    h.run_steps(3);
    press(&mut h, Modifiers::NONE, Key::Escape);
    open_card(&mut h, "Comet, 5, of Suns");
    assert!(shows(&h, "rank, set in the list"));
    click(&mut h, "Go to where rank is set");
    let here = h.state().here().unwrap().clone();
    assert_eq!(&text(&h)[here.range.start - 8..here.range.end], "suns  | 5");
    // What a family sets is refused, and a person may mean all of it.
    h.state_mut().carry_out(Command::ShowAlone(Pane::Cards));
    h.run_steps(3);
    press(&mut h, Modifiers::NONE, Key::Escape);
    open_card(&mut h, "number 3, 3, of Moons");
    assert!(shows(&h, "= 3"), "what it comes to for this card");
    write(&mut h, "rank, set by the family number", "6");
    assert_eq!(said(&h), "rank is set by the family number");
    assert_eq!(text(&h), GAME);
    assert!(shows(&h, &format!("Go to {FILE}:11")));
}

#[test]
fn the_text_beside_a_card_is_gone_to() {
    let mut h = court();
    open_card(&mut h, "Queen, 9, of Moons");
    let line = "Text of Queen, line 9: Card queen \"Queen\" { rank: 9; royal: yes; play { say \"queen\" } }";
    h.get_by_role_and_label(Role::Link, line).click();
    h.run_steps(4);
    let here = h.state().here().unwrap().clone();
    assert!(text(&h)[here.range].starts_with("Card queen"));
    h.state_mut().carry_out(Command::ShowAlone(Pane::Cards));
    h.run_steps(4);
    assert!(shows(&h, "Used once"));
    h.get_by_role_and_label(Role::Link, &format!("{FILE}:17  value high(c: Card): bool = c is queen"))
        .click();
    h.run_steps(4);
    let here = h.state().here().unwrap().clone();
    assert_eq!(&text(&h)[here.range], "queen");
}

#[test]
fn a_card_is_duplicated_and_opened() {
    let mut h = court();
    open_card(&mut h, "Comet, 5, of Suns");
    press(&mut h, Modifiers::COMMAND, Key::D);
    h.run_steps(4);
    let row = "  comet  \"Comet\"     | suns  | 5\n";
    let copy = "  comet_2  \"Comet 2\"     | suns  | 5\n";
    assert_eq!(text(&h), GAME.replace(row, &format!("{row}{copy}")));
    assert!(shows(&h, "The face of Comet 2"), "the copy is open");
    undo(&mut h);
    assert_eq!(text(&h), GAME);
    assert_eq!(faces(&h).len(), 8, "the copy is gone, and all cards are shown");
}

#[test]
fn a_new_card_is_made_from_another() {
    let mut h = court();
    press(&mut h, Modifiers::NONE, Key::Home);
    act(&mut h, Act::New);
    let field = "New card with the text of Queen. Its title";
    h.get_by_role_and_label(Role::TextInput, field).type_text("Old king");
    h.run_steps(2);
    assert!(shows(&h, "is called old_king in the rules"));
    click(&mut h, "Make card");
    assert!(text(&h).contains(
        "   # ours\nCard old_king \"Old king\" { rank: 9; royal: yes; play { say \"queen\" } }\nCard fool"
    ));
    assert!(shows(&h, "The face of Old king"));
    undo(&mut h);
    assert_eq!(text(&h), GAME);
}

#[test]
fn a_card_that_is_used_is_not_deleted() {
    let mut h = court();
    press(&mut h, Modifiers::NONE, Key::Home);
    press(&mut h, Modifiers::NONE, Key::Delete);
    assert!(shows(&h, "The face of Queen") && shows(&h, "Used once"), "its uses are listed");
    assert_eq!(said(&h), format!("queen is used once, so it is not deleted: {FILE}:17"));
    assert_eq!(text(&h), GAME);
    press(&mut h, Modifiers::NONE, Key::Escape);
    open_card(&mut h, "Fool, x3, 1, of Moons");
    press(&mut h, Modifiers::NONE, Key::Delete);
    h.run_steps(4);
    assert_eq!(text(&h), GAME.replace("Card fool \"Fool\" x3\n", ""));
    assert_eq!(faces(&h).len(), 7, "all others are shown");
    undo(&mut h);
    assert_eq!(text(&h), GAME);
}

#[test]
fn a_table_is_shown_as_a_diff_and_imported_as_one_step() {
    let table =
        "name,title,copies,rank,suit,power\nqueen,Queen,,8,,3\nfool,,2,,suns,\nknight,Knight,2,10,suns,\n";
    let dir = folder(&[("cards.csv", table)]);
    let mut h = court_with(vec![dir.path().join("cards.csv")]);
    act(&mut h, Act::Import);
    assert!(shows(&h, "Import cards.csv") && said(&h) == "Read what cards.csv would change, then Import");
    for line in [
        "1 new, 2 changed, 0 as in the file, 3 not in the file",
        "Left out: 2 things",
        "• The column power is no attribute of the kind.",
        "• line 4, column 4 (rank): rank goes from 1 to 9: left out",
        "+ knight: title Knight, copies 2, suit suns",
        "queen: rank 9 → 8",
        "fool: copies 3 → 2",
        "fool: suit moons → suns",
        "Not in the file, left as they are: 3",
    ] {
        assert!(shows(&h, line), "{line}");
    }
    assert_eq!(text(&h), GAME, "nothing is written before it is imported");
    assert!(nameless(&h).is_empty(), "{:?}", nameless(&h));
    click(&mut h, "Import");
    let expect = GAME
        .replace("rank: 9", "rank: 8")
        .replace("Card fool \"Fool\" x3", "Card fool \"Fool\" x2 { suit: suns }")
        .replace("| suns  | 5\n}\n", "| suns  | 5\n}\nCard knight \"Knight\" x2 { suit: suns }\n");
    assert_eq!(text(&h), expect);
    assert_eq!(h.state().document.history().done.len(), 1);
    assert!(h.state().document.history().done[0].describe().contains("import cards.csv: 1 added, 2 changed"));
    assert_eq!(faces(&h).len(), 9, "all cards are shown");
    undo(&mut h);
    assert_eq!(text(&h), GAME);
}

#[test]
fn a_hostile_table_is_told_with_line_and_column() {
    let long = format!("name,rank\nqueen,{}\n", "9".repeat(100_000));
    let dir = folder(&[
        ("twice.csv", "name,rank\nqueen,8\nfool\nqueen,7\n"),
        ("long.csv", &long),
        ("empty.csv", ""),
    ]);
    std::fs::write(dir.path().join("bytes.csv"), b"name,title\nqueen,Q\xffn\nfool,F\0l\n").unwrap();
    let file = |n: &str| dir.path().join(n);
    let mut h = court_with(
        ["twice.csv", "long.csv", "empty.csv", "bytes.csv", "none.csv"].iter().map(|n| file(n)).collect(),
    );
    let all: [&[&str]; 4] = [
        &[
            "• line 3, column 2 (rank): this line has 1 values, and the first line has 2 heads",
            "• line 4, column 1 (name): `queen` is already in line 2",
        ],
        &["• line 2, column 2 (rank): this value has 100000 bytes"],
        &["• the file is empty"],
        &[
            "• line 2, column 2 (title): this is not a text in UTF-8",
            "• line 3, column 2 (title): there is a NUL sign in this value",
        ],
    ];
    for lines in all {
        act(&mut h, Act::Import);
        assert!(said(&h).contains(".csv cannot be imported: "), "{}", said(&h));
        assert!(h.query_by_role_and_label(Role::Button, "Import").is_none());
        for line in lines {
            assert!(shows(&h, line), "{line}");
        }
        click(&mut h, "Close");
        assert_eq!(faces(&h).len(), 8);
    }
    act(&mut h, Act::Import);
    assert!(said(&h).starts_with("none.csv cannot be imported: "), "{}", said(&h));
    act(&mut h, Act::Import);
    assert_eq!(said(&h), "No table was chosen");
    assert_eq!(text(&h), GAME);
}

#[test]
fn what_is_exported_and_imported_again_edits_nothing() {
    let dir = folder(&[]);
    let path = dir.path().join("card.csv");
    let mut h = court_with(vec![path.clone(), path.clone()]);
    act(&mut h, Act::Export);
    assert!(said(&h).starts_with("There are cards of several kinds"), "{}", said(&h));
    open_card(&mut h, "Queen, 9, of Moons");
    act(&mut h, Act::Export);
    assert_eq!(said(&h), format!("Saved to {}", path.display()));
    let table = std::fs::read_to_string(&path).unwrap();
    assert_eq!(
        table,
        "name,title,copies,suit,rank,royal\nqueen,Queen,1,moons,9,yes\nfool,Fool,3,moons,1,no\n\
         pebble,Pebble,4,moons,1,no\ncomet,Comet,1,suns,5,no\n"
    );
    act(&mut h, Act::Import);
    assert!(shows(&h, "0 new, 0 changed, 4 as in the file, 1 not in the file"));
    let button = h.get_by_role_and_label(Role::Button, "Import");
    assert!(button.accesskit_node().is_disabled(), "there is nothing to import");
    press(&mut h, Modifiers::NONE, Key::Escape);
    assert_eq!(text(&h), GAME);
}

#[test]
fn every_shipped_game_shows_its_cards_and_no_text_changes() {
    let texts = shipped();
    let games: Vec<Arc<str>> = texts
        .iter()
        .filter(|(_, t)| t.lines().any(|l| l.starts_with("game ")))
        .map(|(n, _)| n.clone())
        .collect();
    let mut h = cards_of(app_with(texts.clone(), Jobs::at_once()), &games[0]);
    let mut shown = 0;
    for game in &games {
        open(&mut h, game);
        h.state_mut().carry_out(Command::ShowAlone(Pane::Cards));
        h.run_steps(3);
        let first = faces(&h).first().cloned();
        shown += usize::from(first.is_some());
        if first.is_some() {
            press(&mut h, Modifiers::NONE, Key::Home);
            press(&mut h, Modifiers::NONE, Key::Enter);
            assert!(shows(&h, "The face of "), "{game}");
            assert!(nameless(&h).is_empty(), "{game}: {:?}", nameless(&h));
            press(&mut h, Modifiers::NONE, Key::Escape);
        } else {
            assert!(shows(&h, "this game has none yet"), "{game}");
        }
    }
    assert!(shown >= 8, "{shown} games have cards");
    for (name, was) in &texts {
        assert_eq!(h.state().document.text(name), Some(was.as_str()), "{name}");
    }
}

/// Applies an edit, and checks that it can be taken back byte for byte.
fn apply_and_undo(a: &Analysis, set: &EditSet) -> Analysis {
    let texts: BTreeMap<Arc<str>, String> =
        a.files.iter().map(|(_, f)| (f.name.as_str().into(), f.text.clone())).collect();
    let mut new = texts.clone();
    let back = set.apply_to(&mut new).unwrap();
    let read = a.with_texts(&new);
    back.apply_to(&mut new).unwrap();
    assert!(new == texts, "undo of {}", set.label);
    read
}

#[test]
fn the_laws_hold_for_cards_of_every_shipped_game() {
    let app = app(shipped());
    let (mut resets, mut refused, mut copies, mut written) = (0, 0, 0, 0);
    for game in &app.document.games().games {
        let subject = app.document.subject(&game.file).unwrap();
        let a = Analysis::from_source(&app.document.files(&subject));
        let errors = |a: &Analysis| a.report.findings.iter().filter(|d| d.is_error()).count();
        let all: Vec<Card> = list_cards(&a).groups.into_iter().flat_map(|g| g.cards).collect();
        for card in all.iter().step_by(all.len() / 6 + 1) {
            let at = format!("{} of {}", card.id, game.title);
            for f in list_card_fields(&a, &card.id) {
                let (id, key) = (card.id.clone(), f.key.clone());
                let same = Intent::SetCard { card: id.clone(), field: key.clone(), text: f.text.clone() };
                if f.state != State::Unset {
                    assert!(plan(&a, &same).unwrap().is_empty(), "{at}: {} as it is", f.label);
                }
                let reset = Intent::ResetCard { card: id.clone(), field: key.clone() };
                match plan(&a, &reset) {
                    Ok(set) => {
                        assert_eq!(set.is_empty(), f.state != State::Own, "{at}: {} {f:?}", f.label);
                        if !set.is_empty() {
                            let new = apply_and_undo(&a, &set);
                            let now = list_card_fields(&new, &id).into_iter().find(|n| n.key == key).unwrap();
                            assert!(now.state != State::Own, "{at}: {} is reset: {now:?}", f.label);
                            resets += 1;
                            // What was taken out is written again.
                            let again = Intent::SetCard {
                                card: id.clone(),
                                field: key.clone(),
                                text: f.text.clone(),
                            };
                            if let Ok(set) = plan(&new, &again) {
                                let new = apply_and_undo(&new, &set);
                                let now =
                                    list_card_fields(&new, &id).into_iter().find(|n| n.key == key).unwrap();
                                assert_eq!(now.text, f.text, "{at}: {}", f.label);
                                assert_eq!(errors(&new), errors(&a), "{at}: {} {:?}", f.label, set);
                                written += 1;
                            }
                        }
                    }
                    Err(refusal) => {
                        assert!(!refusal.offers.is_empty(), "{at}: {refusal:?}");
                        refused += 1;
                    }
                }
            }
            let name = suggest_name(&a, &card.title);
            let copy = Intent::CopyCard { card: card.id.clone(), name: name.clone(), title: None };
            if let Ok(set) = plan(&a, &copy) {
                let new = apply_and_undo(&a, &set);
                assert!(list_cards(&new).count() > all.len(), "{at} is copied");
                assert!(errors(&new) <= errors(&a) + 1, "{at}: {:?}", new.report.findings);
                copies += 1;
            }
        }
    }
    assert!(resets > 50 && written > 50 && copies > 30, "{resets} {written} {copies} {refused}");
}

#[test]
fn the_tables_of_every_shipped_game_are_read_again_without_a_change() {
    let app = app(shipped());
    let mut cards = 0;
    for game in &app.document.games().games {
        let subject = app.document.subject(&game.file).unwrap();
        let a = Analysis::from_source(&app.document.files(&subject));
        for group in list_cards(&a).groups {
            let written = write_table(&a, &group.kind).unwrap();
            if written.cards == 0 {
                continue;
            }
            let table =
                read_table(written.text.as_bytes()).unwrap_or_else(|f| panic!("{}: {f:?}", group.kind));
            let diff = compare_table(&a, &group.kind, &table);
            assert!(diff.is_empty() && diff.left_out.is_empty(), "{} {diff:#?}", group.kind);
            assert_eq!(diff.same, written.cards, "{}", group.kind);
            cards += written.cards;
        }
    }
    assert!(cards > 200, "{cards}");
}
