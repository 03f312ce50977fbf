//! Tests of backs, and of kinds whose components have no names.
use super::*;
use crate::testing::analyse_texts;

const PRINTED: &str = r##"enum Suit { suns "Suns", moons "Moons" }
card Card { back suit: Suit = moons; back stars: 0..5 = 0; rank: 1..9 = 1 }
card Charm is Card
look Card { text: rank; back { fill: case suit { suns: "#ff0000", moons: "#0000ff" } } }
Card queen "Queen" { suit: suns; stars: 2 }
Charm lamp "Lamp" { rank: 3 }
card Plain
Plain page "Page"
card Named { back stars: 0..5 = 1 }
look Named { text: "x"; back { corner: "" } }
Named one "One"
token Coin x40
look Coin { shape: "coin"; fill: "#d9b26b" }
token Mark { worth: 1..3 = 1 }
Mark red "Red" x2
"##;

#[test]
fn backs_have_their_look_and_the_attributes_that_stand_on_them() {
    let a = analyse_texts(&[("game.rules", GAME), ("t.rules", PRINTED)]);
    assert!(a.sound, "{:?}", a.report.findings);
    let backs = list_backs(&a);
    let queen = &backs[&id("Card", "queen")];
    assert_eq!((queen.look.fill, queen.look.text.len()), (Some([255, 0, 0]), 0));
    assert_eq!(queen.marks, ["Suns", "stars 2"]);
    let lamp = &backs[&id("Charm", "lamp")];
    assert_eq!((lamp.look.fill, lamp.marks.join(", ")), (Some([0, 0, 255]), String::from("Moons, stars 0")));
    assert!(!backs.contains_key(&id("Plain", "page")), "nothing stands on it");
    let one = &backs[&id("Named", "one")];
    assert!(one.look.told && one.marks.is_empty(), "the look says what stands there: nothing");
}

#[test]
fn kinds_without_names_have_the_look_of_their_kind() {
    let a = analyse_texts(&[("game.rules", GAME), ("t.rules", PRINTED)]);
    let plain = list_plain_kinds(&a);
    let [coin] = plain.as_slice() else { panic!("{plain:?}") };
    assert_eq!(
        (&*coin.kind, coin.face.shape.as_deref(), coin.face.fill),
        ("Coin", Some("coin"), Some([217, 178, 107]))
    );
}
