//! Tests of cards: the faces and forms that are read, and the edits that are planned. Each edit is applied, the text is read again, and the edit is taken back.
use super::*;
use crate::draw::{Origin, State};
use crate::edit::{EditSet, Offer};
use crate::plan::{Intent, plan, suggest_name};
use crate::testing::{GAME, analyse_texts};
use std::collections::BTreeMap;

mod printed;
mod tables;

/// Kinds with attributes and a value, members of all forms, and a list.
const CARDS: &str = r##"enum Suit { suns "Suns", moons "Moons" }
card Card { suit: Suit = moons; rank: 1..9 = 1; note: text = ""; value worth: int = rank * 2; rule play() }
card Charm is Card { rank = 4; back stars: 0..5 = 0 }
look Card {
  title: "{this}"; corner: rank; text: "worth {worth}"
  fill: case suit { suns: "#ff0000", moons: "#0000ff" }
  shape: if rank > 5 then "sun" else ""
}
# The highest card.
Card queen "Queen" { rank: 9; play { say "queen" } } # ours
Card fool "Fool" x3
Card beggar x2, thief "Thief", monk x(1 + 1)   # three of them
Card wide "Wide" {
  rank: 5   # middling
  suit: suns

  play { say "wide" }
}
Card number(n: 2..4) "No {n}" x2 { rank: n }
Charm lamp "Lamp" 3 { worth = 7 }
list Card | suit  | rank {
  ## A pebble.
  pebble "Pebble" x4 | moons | 1
  comet  "Comet"     | suns  | 5 { note: "far" }
}
value royal(c: Card): bool = c is queen
"##;

fn cards() -> Analysis {
    let a = analyse_texts(&[("game.rules", GAME), ("t.rules", CARDS)]);
    assert!(a.sound, "{:?}", a.report.findings);
    a
}

fn id(kind: &str, name: &str) -> CardId {
    CardId { kind: kind.into(), name: name.into(), key: None }
}

fn card(name: &str) -> CardId {
    id("Card", name)
}

fn value(name: &str) -> CardKey {
    CardKey::Value(name.into())
}

fn set(of: &str, key: CardKey, text: &str) -> Intent {
    let kind = if of == "lamp" { "Charm" } else { "Card" };
    Intent::SetCard { card: id(kind, of), field: key, text: text.into() }
}

fn reset(of: &str, key: CardKey) -> Intent {
    let kind = if of == "lamp" { "Charm" } else { "Card" };
    Intent::ResetCard { card: id(kind, of), field: key }
}

fn texts_of(a: &Analysis) -> BTreeMap<Arc<str>, String> {
    a.files.iter().map(|(_, f)| (f.name.as_str().into(), f.text.clone())).collect()
}

/// Applies edits, checks that they can be taken back byte for byte, and gives the new analysis.
fn apply(a: &Analysis, set: &EditSet) -> Analysis {
    let mut texts = texts_of(a);
    let back = set.apply_to(&mut texts).unwrap();
    let new = a.with_texts(&texts);
    back.apply_to(&mut texts).unwrap();
    assert_eq!(texts, texts_of(a), "undo gives the exact bytes");
    new
}

/// Plans and applies, and gives the line pairs that differ.
fn done(a: &Analysis, intent: &Intent) -> (Analysis, String) {
    let set = plan(a, intent).unwrap_or_else(|r| panic!("{intent:?}: {r:?}"));
    let new = apply(a, &set);
    let (old, now) = (&a.file("t.rules").unwrap().1.text, &new.file("t.rules").unwrap().1.text);
    let same = |x: &str, y: &str| x == y;
    let (was, is): (Vec<&str>, Vec<&str>) = (old.lines().collect(), now.lines().collect());
    let front = was.iter().zip(&is).take_while(|(x, y)| same(x, y)).count();
    let back =
        was[front..].iter().rev().zip(is[front..].iter().rev()).take_while(|(x, y)| same(x, y)).count();
    let changed = is[front..is.len() - back].join("\n");
    (new, changed)
}

fn check(intent: &Intent, lines: &str) -> Analysis {
    let a = cards();
    let (new, changed) = done(&a, intent);
    assert_eq!(changed, lines);
    assert!(new.sound, "{lines}: {:?}", new.report.findings);
    new
}

fn field(a: &Analysis, of: &CardId, key: &CardKey) -> CardField {
    list_card_fields(a, of).into_iter().find(|f| f.key == *key).unwrap()
}

fn refusal(a: &Analysis, intent: &Intent) -> crate::edit::Refusal {
    plan(a, intent).expect_err("a refusal")
}

#[test]
fn cards_are_listed_by_kind_with_faces() {
    let set = list_cards(&cards());
    let names: Vec<String> =
        set.groups[0].cards.iter().map(|c| format!("{} {}", c.id, c.copies_text())).collect();
    let expect = [
        "queen ",
        "fool x3",
        "beggar x2",
        "thief ",
        "monk x2",
        "wide ",
        "number(2) x2",
        "number(3) x2",
        "number(4) x2",
        "pebble x4",
        "comet ",
    ];
    assert_eq!(names, expect);
    assert_eq!((set.groups.len(), set.count()), (2, 12));
    let (_, queen) = set.find(&card("queen")).unwrap();
    assert_eq!(queen.face.title.as_deref(), Some("Queen"));
    assert_eq!((queen.face.corner.join(""), queen.face.text.join("")), ("9".into(), "worth 18".into()));
    assert_eq!((queen.face.fill, queen.face.shape.as_deref()), (Some([0, 0, 255]), Some("sun")));
    let family = CardId { key: Some(3), ..card("number") };
    let (_, three) = set.find(&family).unwrap();
    assert_eq!((three.title.as_str(), three.face.corner.join("")), ("No 3", "3".into()));
    let (charms, lamp) = set.find(&id("Charm", "lamp")).unwrap();
    assert_eq!(lamp.face.text.join(""), "worth 7", "what the member fills");
    assert!(lamp.is_found(&charms.title, "rank 4") && lamp.is_found(&charms.title, "LAMP charm"));
    assert!(!lamp.is_found(&charms.title, "rank 5") && !lamp.is_found(&charms.title, "lamp queen"));
    let (_, pebble) = set.find(&card("pebble")).unwrap();
    assert_eq!(pebble.doc.as_deref(), Some("A pebble."));
}

#[test]
fn a_die_tells_its_sides() {
    let dice = "enum Hue { red, blue }\ndie Cube { faces: 1..3; face hue: Hue?; face star: bool }\n\
                Cube plain\nCube odd { faces: 1 red, 2 blue, 3 star }\n";
    let a = analyse_texts(&[("game.rules", GAME), ("t.rules", dice)]);
    assert!(a.sound, "{:?}", a.report.findings);
    let told: Vec<_> = list_cards(&a).groups[0].cards.iter().map(|c| c.values.clone()).collect();
    assert_eq!(told, [["sides 1, 2, 3"], ["sides 1 red, 2 blue, 3 star"]]);
}

#[test]
fn a_look_may_read_numbers_lists_and_the_key() {
    let cards = "card Card { }\nCard way(n: 1..2) \"Way\"\n\
                 value ends(n: int): list of int = if n == 1 then [4, 2] else [3, 1]\n\
                 look Card { text: \"{ends(key)[1]}{ends(key)[2]}\"; corner: (key + 5) mod 4; badge: -key }\n";
    let a = analyse_texts(&[("game.rules", GAME), ("t.rules", cards)]);
    assert!(a.sound, "{:?}", a.report.findings);
    let all = &list_cards(&a).groups[0].cards;
    let told: Vec<_> = all
        .iter()
        .map(|c| (c.title.as_str(), c.face.text.join(""), c.face.corner.join(""), c.face.badge.join("")))
        .collect();
    let say = |t: &'static str, a: &str, b: &str, c: &str| (t, a.to_string(), b.to_string(), c.to_string());
    assert_eq!(told, [say("Way 1", "42", "2", "-1"), say("Way 2", "31", "3", "-2")]);
}

/// What a card accepts of dice is known without a game: a look may write it, and so does the sentence of a card without a look's text.
#[test]
fn a_filter_stands_on_a_card_in_words() {
    let rules = |look: &str| {
        let more = format!(
            "die Cube {{ faces: 1..6 }}\n\
             card Task {{ wants: filter of Cube = all }}\nTask wash \"Wash\" {{ wants: odd or 2..4 }}\nTask rest \"Rest\"\n{look}"
        );
        let a = analyse_texts(&[("game.rules", GAME), ("t.rules", &more)]);
        assert!(a.sound, "{:?}", a.report.findings);
        let set = list_cards(&a);
        let tasks = set.groups.iter().find(|g| &*g.kind == "Task").unwrap();
        tasks.cards.iter().map(|c| (c.face.text.join(""), c.sentences.join(" "))).collect::<Vec<_>>()
    };
    let say = |a: &str, b: &str| (a.to_string(), b.to_string());
    assert_eq!(rules(""), [say("", "Wants: odd or 2..4."), say("", "")]);
    let look = "look Task { text: \"{wants}\" }\n";
    assert_eq!(rules(look), [say("odd or 2..4", "Wants: odd or 2..4."), say("all", "")]);
}

#[test]
fn members_of_an_enum_with_a_look_are_signs() {
    let more = "enum Wood { oak \"Old oak\", fir }\nenum Stone { flint }\n\
                look Wood { shape: case this { oak: \"tree\", else: \"\" }; fill: \"#102030\"; title: if this == fir then \"f\" else none }\n";
    let a = analyse_texts(&[("game.rules", GAME), ("t.rules", more)]);
    assert!(a.sound, "{:?}", a.report.findings);
    let signs = list_cards(&a).signs;
    let told: Vec<_> = signs
        .iter()
        .map(|s| (s.word.as_str(), s.title.as_str(), s.look.shape.as_deref(), s.look.title.as_deref()))
        .collect();
    assert_eq!(told, [("oak", "Old oak", Some("tree"), Some("")), ("fir", "fir", None, Some("f"))]);
    assert!(signs.iter().all(|s| s.look.fill == Some([0x10, 0x20, 0x30])));
}

#[test]
fn a_patch_tells_what_it_prints() {
    let tiles = "enum Ground { town, field }\npatch Tile of 1 { prints { each side edge: Ground = field } }\n\
                 list Tile | north | east {\n  gate \"Gate\" x2 | town | field\n}\n\
                 map Land squares 3 by 3 of Tile\nspace Cell on Land\n";
    let a = analyse_texts(&[("game.rules", GAME), ("t.rules", tiles)]);
    let set = list_cards(&a);
    let (_, gate) = set.find(&id("Tile", "gate")).unwrap_or_else(|| panic!("{:?}", a.report.findings));
    assert_eq!(gate.values, ["north town", "east field"], "{:?}", a.report.findings);
}

#[test]
fn a_form_names_whose_each_value_is() {
    let a = cards();
    let told = |of: &CardId, key: &str| {
        let f = field(&a, of, &value(key));
        (f.text, f.state, f.note)
    };
    let say = |text: &str, state: State, note: &str| (text.to_string(), state, note.to_string());
    assert_eq!(told(&card("queen"), "rank"), say("9", State::Own, "set here"));
    assert_eq!(told(&card("queen"), "suit"), say("moons", State::Default, "default"));
    assert_eq!(told(&card("queen"), "worth"), say("rank * 2", State::Default, "default"));
    assert_eq!(told(&id("Charm", "lamp"), "rank"), say("4", State::Inherited, "set by the kind Charm"));
    assert_eq!(told(&id("Charm", "lamp"), "stars"), say("3", State::Own, "set here"));
    assert_eq!(told(&card("comet"), "rank"), say("5", State::Own, "set in the list"));
    assert_eq!(told(&card("comet"), "note"), say("far", State::Own, "set here"));
    let family = CardId { key: Some(3), ..card("number") };
    assert_eq!(told(&family, "rank"), say("n", State::Inherited, "set by the family number"));
    assert_eq!(field(&a, &family, &value("rank")).shown.as_deref(), Some("3"));
    assert_eq!(field(&a, &card("fool"), &CardKey::Copies).text, "3");
    let title = field(&a, &card("beggar"), &CardKey::Title);
    assert_eq!((title.text.as_str(), title.state), ("beggar", State::Default));
}

#[test]
fn a_value_is_set_where_it_is_written() {
    check(
        &set("queen", value("rank"), "3"),
        "Card queen \"Queen\" { rank: 3; play { say \"queen\" } } # ours",
    );
    check(&set("wide", value("rank"), " 6 "), "  rank: 6   # middling");
    check(&set("lamp", value("stars"), "5"), "Charm lamp \"Lamp\" 5 { worth = 7 }");
    check(&set("lamp", value("worth"), "8"), "Charm lamp \"Lamp\" 3 { worth = 8 }");
    check(&set("fool", CardKey::Title, "A {x} \"y\""), "Card fool \"A \\{x\\} \\\"y\\\"\" x3");
    check(&set("fool", CardKey::Copies, "12"), "Card fool \"Fool\" x12");
    // A cell keeps its column.
    check(&set("comet", value("suit"), "moons"), "  comet  \"Comet\"     | moons | 5 { note: \"far\" }");
    check(&set("pebble", value("suit"), "suns"), "  pebble \"Pebble\" x4 | suns  | 1");
    check(&set("comet", CardKey::Title, "Old comet"), "  comet  \"Old comet\" | suns  | 5 { note: \"far\" }");
    check(&set("comet", CardKey::Copies, "2"), "  comet  \"Comet\" x2  | suns  | 5 { note: \"far\" }");
    check(&set("comet", value("note"), "near"), "  comet  \"Comet\"     | suns  | 5 { note: \"near\" }");
}

#[test]
fn a_new_value_is_put_behind_the_others() {
    check(
        &set("queen", value("suit"), "suns"),
        "Card queen \"Queen\" { rank: 9; suit: suns; play { say \"queen\" } } # ours",
    );
    check(&set("fool", value("rank"), "2"), "Card fool \"Fool\" x3 { rank: 2 }");
    check(&set("wide", value("note"), "w"), "  note: \"w\"");
    check(&set("wide", value("worth"), "1"), "  worth = 1");
    check(&set("lamp", value("rank"), "2"), "Charm lamp \"Lamp\" 3 { worth = 7; rank: 2 }");
    check(&set("pebble", value("note"), "x"), "  pebble \"Pebble\" x4 | moons | 1 { note: \"x\" }");
    let rest = "   # three of them";
    check(
        &set("beggar", value("rank"), "2"),
        &format!("Card beggar x2 {{ rank: 2 }}\nCard thief \"Thief\", monk x(1 + 1){rest}"),
    );
    check(
        &set("thief", value("rank"), "2"),
        &format!("Card beggar x2\nCard thief \"Thief\" {{ rank: 2 }}\nCard monk x(1 + 1){rest}"),
    );
    check(
        &set("monk", value("rank"), "2"),
        &format!("Card beggar x2, thief \"Thief\"\nCard monk x(1 + 1) {{ rank: 2 }}{rest}"),
    );
    check(
        &set("thief", CardKey::Copies, "4"),
        &format!("Card beggar x2, thief \"Thief\" x4, monk x(1 + 1){rest}"),
    );
    check(
        &set("beggar", CardKey::Title, "B"),
        &format!("Card beggar \"B\" x2, thief \"Thief\", monk x(1 + 1){rest}"),
    );
}

#[test]
fn a_reset_takes_the_value_out_and_never_writes_the_default() {
    check(&reset("queen", value("rank")), "Card queen \"Queen\" { play { say \"queen\" } } # ours");
    check(&reset("lamp", value("worth")), "Charm lamp \"Lamp\" 3");
    check(&reset("lamp", value("stars")), "Charm lamp \"Lamp\" { worth = 7 }");
    check(&reset("fool", CardKey::Copies), "Card fool \"Fool\"");
    check(&reset("fool", CardKey::Title), "Card fool x3");
    check(&reset("monk", CardKey::Copies), "Card beggar x2, thief \"Thief\", monk   # three of them");
    check(&reset("pebble", value("rank")), "  pebble \"Pebble\" x4 | moons");
    check(&reset("comet", value("note")), "  comet  \"Comet\"     | suns  | 5");
    // A comment goes with its declaration.
    let new = check(&reset("wide", value("rank")), "");
    assert!(!new.file("t.rules").unwrap().1.text.contains("middling"));
    let r = refusal(&cards(), &reset("pebble", value("suit")));
    assert!(r.why.contains("a cell for each column") && matches!(r.offers[..], [Offer::GoTo(..)]), "{r:?}");
}

#[test]
fn setting_and_resetting_gives_the_text_as_it_was() {
    let a = cards();
    for (of, key, text) in [
        ("fool", "rank", "2"),
        ("queen", "suit", "suns"),
        ("wide", "note", "x"),
        ("lamp", "rank", "2"),
        ("pebble", "note", "x"),
    ] {
        let (new, _) = done(&a, &set(of, value(key), text));
        let kind = if of == "lamp" { "Charm" } else { "Card" };
        let now = field(&new, &id(kind, of), &value(key));
        assert_eq!((now.text.as_str(), now.state), (text, State::Own), "read again, it says what was meant");
        let (back, _) = done(&new, &reset(of, value(key)));
        assert_eq!(back.file("t.rules").unwrap().1.text, CARDS, "{of}.{key}");
    }
}

#[test]
fn what_changes_nothing_edits_nothing() {
    let a = cards();
    for intent in [
        set("queen", value("rank"), "9"),
        set("queen", value("suit"), "moons"),
        set("lamp", value("rank"), "4"),
        set("beggar", CardKey::Title, "beggar"),
        set("fool", CardKey::Copies, "3"),
        reset("queen", value("suit")),
        reset("lamp", value("rank")),
        reset("beggar", CardKey::Title),
    ] {
        assert!(plan(&a, &intent).unwrap().is_empty(), "{intent:?}");
    }
}

#[test]
fn what_cannot_be_written_is_refused() {
    let a = cards();
    for (intent, why) in [
        (set("queen", value("rank"), "10"), "rank goes from 1 to 9"),
        (set("queen", value("rank"), "2 }"), "is not a number"),
        (set("queen", value("rank"), ""), "cannot be empty"),
        (set("queen", value("suit"), "stars"), "is not a word of suit"),
        (set("queen", value("note"), "a\nb"), "one line"),
        (set("queen", value("none"), "1"), "no such field"),
        (set("nobody", value("rank"), "1"), "no card nobody"),
        (set("monk", CardKey::Copies, "2"), "is calculated"),
    ] {
        let r = refusal(&a, &intent);
        assert!(r.why.contains(why), "{intent:?}: {r:?}");
    }
    // The whole family is meant only where a person says so.
    let three = CardId { key: Some(3), ..card("number") };
    let r = refusal(&a, &Intent::SetCard { card: three, field: value("rank"), text: "5".into() });
    assert!(r.why.contains("set by the family number"));
    let [Offer::GoTo(..), Offer::Instead(set)] = &r.offers[..] else { panic!("{:?}", r.offers) };
    let new = apply(&a, set);
    assert!(new.file("t.rules").unwrap().1.text.contains("x2 { rank: 5 }"));
    // A broken declaration is not changed.
    let broken = CARDS.replace("Card fool \"Fool\" x3", "Card fool \"Fool\" x3 { rank: }");
    let a = analyse_texts(&[("game.rules", GAME), ("t.rules", &broken)]);
    let r = refusal(&a, &set_fool());
    assert!(r.why.contains("cannot be read"), "{r:?}");
}

fn set_fool() -> Intent {
    set("fool", value("rank"), "2")
}

#[test]
fn what_a_mod_sets_says_so_and_is_gone_to() {
    let night = "mod \"Night\" for Tiny {\n  change queen { rank: 7 }\n  Card owl \"Owl\" { rank: 2 }\n}\n";
    let text = CARDS.replace("{ rank: 9; play", "{ play");
    let a = analyse_texts(&[("game.rules", GAME), ("t.rules", &text), ("night.rules", night)]);
    let f = field(&a, &card("queen"), &value("rank"));
    assert_eq!((f.text.as_str(), f.state, f.note.as_str()), ("7", State::Inherited, "set by the mod Night"));
    let r = refusal(&a, &set("queen", value("rank"), "3"));
    let Some(Offer::GoTo(file, range)) = r.offers.first() else { panic!("{r:?}") };
    assert_eq!((&**file, &night[range.clone()]), ("night.rules", "7"));
    assert!(refusal(&a, &reset("queen", value("rank"))).why.contains("the mod Night"));
    let set_list = list_cards(&a);
    let (_, owl) = set_list.find(&card("owl")).unwrap();
    assert_eq!(owl.within.as_deref(), Some("mod Night"));
    // Its own cards are changed in it.
    let set = plan(&a, &set("owl", value("rank"), "3")).unwrap();
    let new = apply(&a, &set);
    assert!(new.file("night.rules").unwrap().1.text.contains("Card owl \"Owl\" { rank: 3 }"));
}

fn copy(of: &str, name: &str, title: Option<&str>) -> Intent {
    Intent::CopyCard { card: card(of), name: name.into(), title: title.map(String::from) }
}

#[test]
fn a_copy_stands_behind_its_card() {
    check(&copy("queen", "king", Some("King")), "Card king \"King\" { rank: 9; play { say \"queen\" } }");
    check(&copy("fool", "jester", None), "Card jester x3");
    check(
        &copy("wide", "broad", Some("Broad")),
        "Card broad \"Broad\" {\n  rank: 5   # middling\n  suit: suns\n\n  play { say \"wide\" }\n}",
    );
    check(&copy("pebble", "stone", Some("Stone")), "  stone \"Stone\" x4 | moons | 1");
    let rest = "   # three of them";
    check(
        &copy("beggar", "tramp", Some("Tramp")),
        &format!("Card beggar x2, tramp \"Tramp\" x2, thief \"Thief\", monk x(1 + 1){rest}"),
    );
    check(
        &copy("thief", "rogue", None),
        &format!("Card beggar x2, thief \"Thief\", rogue, monk x(1 + 1){rest}"),
    );
    let new = check(&copy("number", "figure", None), "Card figure(n: 2..4) x2 { rank: n }");
    assert_eq!(list_cards(&new).count(), 15);
    for (name, why) in [
        ("fool", "already"),
        ("rank", "already"),
        ("Fool", "small letter"),
        ("choose", "a word of the language"),
        ("x3", "copies"),
    ] {
        let r = refusal(&cards(), &copy("queen", name, None));
        assert!(r.why.contains(why), "{name}: {r:?}");
    }
    let a = cards();
    assert_eq!(suggest_name(&a, "Queen"), "queen_2");
    assert_eq!(suggest_name(&a, "2 of a kind"), "card_2_of_a_kind");
    assert_eq!(suggest_name(&a, "Éclair"), "eclair");
}

#[test]
fn a_copy_speaks_of_itself_by_its_new_name() {
    let text = CARDS
        .replace("Card fool \"Fool\" x3", "Card fool { value lone: bool = count(Card where fool) == 1 }");
    let text = text.replace(
        "Card fool { value lone: bool = count(Card where fool) == 1 }",
        "Card fool { worth = count(Card where fool) }",
    );
    let a = analyse_texts(&[("game.rules", GAME), ("t.rules", &text)]);
    assert!(a.sound, "{:?}", a.report.findings);
    let (_, made) = done(&a, &copy("fool", "jester", None));
    assert_eq!(made, "Card jester { worth = count(Card where jester) }");
}

#[test]
fn a_card_is_removed_unless_it_is_used() {
    let remove = |of: &str| Intent::RemoveCard { card: card(of) };
    let rest = "   # three of them";
    check(&remove("beggar"), &format!("Card thief \"Thief\", monk x(1 + 1){rest}"));
    check(&remove("thief"), &format!("Card beggar x2, monk x(1 + 1){rest}"));
    check(&remove("monk"), &format!("Card beggar x2, thief \"Thief\"{rest}"));
    let new = check(&remove("fool"), "");
    assert!(!new.file("t.rules").unwrap().1.text.contains("fool"));
    let new = check(&remove("pebble"), "");
    let text = &new.file("t.rules").unwrap().1.text;
    assert!(!text.contains("A pebble.") && text.contains("  comet"));
    let r = refusal(&cards(), &remove("queen"));
    assert!(r.why.contains("used once") && r.why.contains("t.rules:"), "{r:?}");
    let Some(Offer::GoTo(_, range)) = r.offers.first() else { panic!("{r:?}") };
    assert_eq!(&CARDS[range.clone()], "queen");
    let open = open_card(&cards(), &card("queen")).unwrap();
    assert_eq!(open.uses.len(), 1);
    assert!(open.source.starts_with("Card queen") && open.source.ends_with('}'), "{:?}", open.source);
}

#[test]
fn values_are_literal_only_where_they_are_the_cards_own() {
    let a = cards();
    for c in list_cards(&a).groups.iter().flat_map(|g| &g.cards) {
        for f in list_card_fields(&a, &c.id) {
            let own = f.state == State::Own;
            assert_eq!(own, matches!(f.origin, Origin::Literal(_) | Origin::Computed(_)), "{} {f:?}", c.id);
        }
    }
}

#[test]
fn a_kind_that_a_mod_changes_is_named_with_the_mod() {
    let night = "mod \"Night\" for Tiny {\n  change Charm { suit = suns }\n}\n";
    let a = analyse_texts(&[("game.rules", GAME), ("t.rules", CARDS), ("night.rules", night)]);
    assert!(a.sound, "{:?}", a.report.findings);
    let f = field(&a, &id("Charm", "lamp"), &value("suit"));
    assert_eq!((f.text.as_str(), f.note.as_str()), ("suns", "set by the kind Charm, in the mod Night"));
}

#[test]
fn what_stands_behind_a_name_stays_a_number_or_a_word() {
    let r = refusal(&cards(), &set("lamp", value("stars"), "1 + 1"));
    assert!(r.why.contains("only numbers and words"), "{r:?}");
}

#[test]
fn line_ends_of_other_systems_stay() {
    let text = CARDS.replace('\n', "\r\n");
    let a = analyse_texts(&[("game.rules", GAME), ("t.rules", &text)]);
    for intent in [
        set("wide", value("note"), "x"),
        set("beggar", value("rank"), "2"),
        copy("wide", "broad", None),
        copy("pebble", "stone", None),
        reset("wide", value("rank")),
        Intent::RemoveCard { card: card("fool") },
    ] {
        let new = apply(&a, &plan(&a, &intent).unwrap());
        let text = &new.file("t.rules").unwrap().1.text;
        assert!(new.sound, "{intent:?}: {:?}", new.report.findings);
        assert_eq!(text.matches('\n').count(), text.matches("\r\n").count(), "{intent:?}");
    }
}

#[test]
fn a_row_without_cells_gets_its_values_in_braces() {
    let text = format!("{CARDS}list Charm | suit {{\n  ring \"Ring\" x(1 + 1) {{ rank: 2 }}\n  bell\n}}\n");
    let a = analyse_texts(&[("game.rules", GAME), ("t.rules", &text)]);
    assert!(a.sound, "{:?}", a.report.findings);
    let charm = |of: &str| Intent::SetCard { card: id("Charm", of), field: value("note"), text: "x".into() };
    assert_eq!(done(&a, &charm("ring")).1, "  ring \"Ring\" x(1 + 1) { rank: 2; note: \"x\" }");
    assert_eq!(done(&a, &charm("bell")).1, "  bell { note: \"x\" }");
}

#[test]
fn what_the_checker_declares_itself_is_no_field() {
    let cards = "table { fire: 0..9 = 5; zone about: Peril active }\nrule dusk() { fire -= 1 }\n\
                 card Peril { discards to about }\nPeril wind { after dusk() { fire -= 1 } }\n";
    let a = analyse_texts(&[("game.rules", GAME), ("t.rules", cards)]);
    let labels: Vec<String> =
        list_card_fields(&a, &id("Peril", "wind")).into_iter().map(|f| f.label).collect();
    assert_eq!(labels, ["Title", "Copies"], "{:?}", a.report.findings);
}
