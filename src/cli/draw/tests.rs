//! Tests of drawing, on views made by hand.
use super::*;
use houserule_engine::{Card, Description, Drawn, HolderView, MapView, Pile, Seen, WordSign};

fn named(word: &str, title: &str) -> Description {
    Description { word: word.into(), title: title.into() }
}

fn holder(word: &str, title: &str) -> HolderView {
    HolderView {
        kind: "".into(),
        number: 0,
        name: named(word, title),
        attrs: vec![],
        standing: Vec::new(),
        piles: vec![],
        look: vec![],
    }
}

fn seen(name: &str, word: &str, text: &str, number: Option<i64>) -> Seen {
    Seen { name: name.into(), text: text.into(), word: word.into(), number }
}

fn map(columns: u16, rows: u16, hexes: bool) -> MapView {
    let mut spaces = Vec::new();
    let mut at = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            let word = format!("{}{}", char::from(b'A' + column as u8), row + 1);
            spaces.push(HolderView { number: spaces.len() as u32, ..holder(&word, &word) });
            at.push((column, row));
        }
    }
    MapView {
        name: "Field".into(),
        size: (columns.into(), rows.into()),
        from: (0, 0),
        hexes,
        at,
        ways: Vec::new(),
        spaces,
    }
}

fn view(maps: Vec<MapView>) -> View {
    View {
        seat: 0,
        round: 1,
        turns: 1,
        turn: Some(0),
        phases: vec![],
        table: holder("", ""),
        players: vec![holder("red", "Red"), holder("royal", "Royal blue")],
        answered: Vec::new(),
        maps,
        others: vec![],
        signs: vec![],
        outcome: None,
    }
}

const PLAIN: Style = Style { color: false, unicode: true, width: 60, players: [None; 8] };

fn text(view: &View, slanted: &[bool], marks: &[(usize, usize)], style: Style) -> String {
    view_lines(view, slanted, &marks.iter().copied().collect(), usize::MAX, style).join("\n")
}

/// A long text of a space is shortened by the titles that the rules give to signs; other words keep away from them.
#[test]
fn signs_have_the_titles_of_the_rules() {
    let mut field = map(2, 1, false);
    for (space, text) in [(0, "violet and even"), (1, "plum or 5 or even")] {
        field.spaces[space].look.push(Drawn { slot: "text".into(), text: text.into() });
    }
    let mut view = view(vec![field]);
    for (word, title) in [("violet", "e"), ("plum", "u")] {
        let look = vec![Drawn { slot: "title".into(), text: title.into() }];
        let name = Description { word: word.into(), title: word.into() };
        view.signs.push(WordSign { kind: "Colour".into(), name, look });
    }
    let shown = text(&view, &[false], &[], PLAIN);
    assert!(shown.contains("e&ev") && shown.contains("u|5|ev"), "{shown}");
    assert!(shown.contains("e violet") && shown.contains("ev even"), "{shown}");
}

/// The `fill` of a player's look is the background of the player's signs. A player without one has a default colour.
#[test]
fn players_have_the_colours_of_the_rules() {
    let mut field = map(2, 1, false);
    field.spaces[0].attrs.push(seen("by", "red", "Red", Some(0)));
    field.spaces[1].attrs.push(seen("by", "royal", "Royal blue", Some(1)));
    let mut view = view(vec![field]);
    view.players[0].look.push(Drawn { slot: "fill".into(), text: "#ff0000".into() });
    let fills = player_fills(&view);
    assert_eq!(fills[..2], [Some([255, 0, 0]), None]);
    let style = Style { color: true, players: fills, ..PLAIN };
    let got = text(&view, &[], &[], style);
    for (code, sign) in [("38;5;231;48;5;196", "R"), ("1;33", "Ro")] {
        let shown = style.paint_text(code, sign);
        assert!(got.contains(&shown), "{shown:?} in {got:?}");
    }
}

#[test]
fn squares_with_players_and_numbers() {
    let mut field = map(3, 2, false);
    field.spaces[0].attrs.push(seen("by", "red", "Red", Some(0)));
    field.spaces[5].attrs.push(seen("by", "royal", "Royal blue", Some(1)));
    field.spaces[5].attrs.push(seen("height", "3", "3", Some(3)));
    field.spaces[1].attrs.push(seen("by", "none", "none", None));
    let got = text(&view(vec![field]), &[], &[(0, 1)], PLAIN);
    let want = "2  ·   ·   Ro3\n1  R   ∘   ·\n   A   B   C\n  R Red, Ro Royal blue, ∘ may be named now";
    assert_eq!(got, want);
    // Where all that may be named has a text, no sign is drawn, and none is explained.
    let mut field = map(2, 1, false);
    field.spaces[0].attrs.push(seen("height", "3", "3", Some(3)));
    assert_eq!(text(&view(vec![field]), &[], &[(0, 0)], PLAIN), "1  3 ·\n   A B");
}

#[test]
fn ascii_where_nothing_else_can_be_drawn() {
    let got = text(&view(vec![map(2, 2, false)]), &[], &[(0, 0)], Style { unicode: false, ..PLAIN });
    assert_eq!(got, "2  . .\n1  + .\n   A B\n  + may be named now");
    assert!(got.is_ascii());
}

#[test]
fn hexes_stand_between_each_other() {
    let got = text(&view(vec![map(3, 3, true)]), &[false], &[], PLAIN);
    assert_eq!(got, "3  ·   ·   ·\n2    ·   ·   ·\n1  ·   ·   ·\n   A   B   C");
    let slanted = text(&view(vec![map(3, 3, true)]), &[true], &[], PLAIN);
    assert_eq!(slanted, "3      ·   ·   ·\n2    ·   ·   ·\n1  ·   ·   ·\n   A   B   C");
}

#[test]
fn cards_of_a_hand_and_hidden_ones() {
    let card = |face: Option<&str>| Card {
        kind: "Card".into(),
        face: face.map(|f| named(f, f)),
        face_number: None,
        owner: None,
        back: 0,
        up: None,
        side: None,
        shows: None,
        look: vec![],
        attrs: vec![],
    };
    let pile = |zone: &str, cards: Vec<Card>| pile_at(zone, None, cards);
    let mut v = view(vec![]);
    v.table.piles.push(pile("stock", vec![card(None), card(None)]));
    v.players[0].piles.push(pile("hand", vec![card(Some("Two")), card(Some("Two")), card(Some("Five"))]));
    v.players[0].attrs.push(seen("points", "7", "7", Some(7)));
    v.players[1].piles.push(pile("hand", vec![]));
    let want = "Table: stock (2 hidden)\nRed ◂: hand Two x2, Five; points 7\nRoyal blue: –";
    assert_eq!(text(&v, &[], &[], PLAIN), want);
    // What stands on a back tells hidden cards apart; in a pile with an order the places count.
    let marked = |n: &str| Card { attrs: vec![seen("told", n, n, None)], ..card(None) };
    v.players[0].piles[0] = pile("hand", vec![marked("4"), card(None), marked("4"), marked("none")]);
    v.players[1].piles[0] =
        Pile { ordered: true, ..pile("hand", vec![card(None), marked("4"), card(None), card(None)]) };
    let want = "Table: stock (2 hidden)\nRed ◂: hand ? [told 4] x2, (2 more, hidden); points 7\nRoyal blue: hand ?, ? [told 4], ? x2";
    assert_eq!(text(&v, &[], &[], PLAIN), want);
}

#[test]
fn long_lines_are_broken_between_pieces() {
    let pieces = separate_pieces((1..=6).map(|i| format!("piece {i}")).collect(), ";");
    let want = ["Head: piece 1; piece 2;", "    piece 3; piece 4; piece 5;", "    piece 6"];
    assert_eq!(flow_pieces("Head:", &pieces, 30), want);
}

#[test]
fn what_a_space_simply_is_gets_a_sign_that_is_no_letter() {
    let mut field = map(2, 1, false);
    field.spaces[0].attrs.push(seen("burnt", "yes", "yes", Some(1)));
    field.spaces[1].attrs.push(seen("burnt", "no", "no", Some(0)));
    let v = view(vec![field]);
    assert_eq!(text(&v, &[], &[], PLAIN), "1  ■ ·\n   A B\n  ■ burnt");
    assert_eq!(text(&v, &[], &[], Style { unicode: false, ..PLAIN }), "1  x .\n   A B\n  x burnt");
}

#[test]
fn what_the_rules_write_stands_above_who_is_there() {
    let drawn = |slot: &str, text: &str| houserule_engine::Drawn { slot: slot.into(), text: text.into() };
    let mut field = map(2, 1, false);
    field.spaces[0].look = vec![drawn("text", "red and odd"), drawn("badge", "+1")];
    field.spaces[0].standing = vec![0];
    field.spaces[1].look = vec![drawn("text", "odd")];
    let mut v = view(vec![field]);
    v.players[0].name = named("Player1", "Player 1");
    v.players[0].attrs = vec![seen("at", "A1", "A1", Some(0)), seen("goal", "B1", "B1", Some(1))];
    v.players[0].look = vec![drawn("text", "brave")];
    let want = "1  red&odd +1 odd\n   P1         >P1\n   A          B\n  P1 Player 1, > goal, & and\n\nPlayer 1 ◂: brave\nRoyal blue: –";
    assert_eq!(text(&v, &[], &[], PLAIN), want);
}

#[test]
fn signs_of_the_rules_are_explained() {
    let drawn = |slot: &str, text: &str| Drawn { slot: slot.into(), text: text.into() };
    let mut field = map(4, 1, false);
    field.spaces[0].look = vec![drawn("text", "^^"), drawn("shape", "tree"), drawn("legend", "")];
    field.spaces[1].look = vec![drawn("text", "="), drawn("legend", "ab who stands there")];
    field.spaces[1].attrs =
        vec![seen("height", "2", "2", Some(2)), seen("ground", "pier", "the pier", Some(1))];
    // What others have, too, explains nothing.
    field.spaces[2].look = vec![drawn("text", "~"), drawn("legend", "ab who stands there")];
    field.spaces[2].attrs = vec![seen("ground", "shore", "shore", Some(2))];
    field.spaces[3].look = vec![drawn("text", "full")];
    field.spaces[3].attrs = vec![seen("ground", "shore", "shore", Some(2))];
    let want = "1  ^^   =    ~    full\n   A    B    C    D\n  = the pier, ^^ tree, ab who stands there";
    assert_eq!(text(&view(vec![field]), &[], &[], PLAIN), want);
}

/// Piles in which nothing lies are left out; a player who has nothing else is named, if another has something.
#[test]
fn what_is_empty_is_not_told() {
    let mut v = view(vec![]);
    v.players[0].piles = vec![pile_at("hand", None, vec![])];
    assert_eq!(text(&v, &[], &[], PLAIN), "");
    v.players[1].piles = vec![pile_at("hand", None, vec![card_with_text(1, "Ace", "one")])];
    assert_eq!(text(&v, &[], &[], PLAIN), "Red ◂: –\nRoyal blue: hand Ace [one]");
}

#[test]
fn a_line_longer_than_the_terminal_is_drawn_in_strips() {
    let narrow = Style { width: 30, ..PLAIN };
    let drawn = text(&view(vec![map(24, 1, false)]), &[false], &[], narrow);
    let feet: Vec<&str> = drawn.lines().filter(|l| l.contains('A') || l.contains('M')).collect();
    assert!(drawn.lines().all(|l| l.chars().count() <= 30), "{drawn}");
    assert_eq!(feet, ["   A B C D E F G H I J K L", "   M N O P Q R S T U V W X"], "{drawn}");
    // A board keeps its rows whole.
    let board = text(&view(vec![map(24, 2, false)]), &[false], &[], narrow);
    assert_eq!(board.lines().filter(|l| l.contains('X')).count(), 1, "{board}");
}

/// A card with a face of its own and a text.
fn card_with_text(n: u32, title: &str, says: &str) -> Card {
    let drawn = Drawn { slot: "text".into(), text: says.into() };
    Card { face: Some(named(title, title)), face_number: Some(n), look: vec![drawn], ..Card::default() }
}

fn pile_at(zone: &str, called: Option<&str>, cards: Vec<Card>) -> Pile {
    Pile {
        zone: zone.into(),
        index: None,
        called: called.map(|c| named(c, c)),
        place: 0,
        slot: false,
        ordered: false,
        unlimited: false,
        hidden: cards.iter().filter(|c| c.face.is_none()).count(),
        cards,
    }
}

#[test]
fn places_of_a_zone_stand_together_and_texts_of_large_piles_are_left_out() {
    let hidden = |n: usize| vec![Card { kind: "Card".into(), ..Card::default() }; n];
    let cards =
        |n: u32| (1..=n).map(|i| card_with_text(i, &format!("Card {i}"), "Draw one.")).collect::<Vec<_>>();
    let mut v = view(vec![]);
    v.table.piles = vec![
        pile_at("deck", Some("wind"), hidden(3)),
        pile_at("deck", Some("rain"), hidden(4)),
        pile_at("deck", Some("sun"), cards(2)),
        pile_at("past", None, cards(4)),
        pile_at("open", None, cards(3)),
    ];
    v.players.truncate(1);
    v.players[0].piles = vec![pile_at("hand", None, cards(4))];
    let wide = Style { width: 400, ..PLAIN };
    let want = "Table: deck wind (3 hidden), rain (4 hidden); deck sun Card 1 [Draw one.], Card 2 [Draw one.]; \
                past Card 1, Card 2, Card 3, Card 4; \
                open Card 1 [Draw one.], Card 2 [Draw one.], Card 3 [Draw one.]\n\
                Red ◂: hand Card 1 [Draw one.], Card 2 [Draw one.], Card 3 [Draw one.], Card 4 [Draw one.]";
    assert_eq!(text(&v, &[], &[], wide), want);
    // They can be read all the same: a pile, or a card wherever it lies.
    assert_eq!(read_cards(&v, "PAST", wide).len(), 4);
    assert_eq!(read_cards(&v, "card 4", wide), ["past: Card 4 [Draw one.]", "Red: hand: Card 4 [Draw one.]"]);
    assert!(read_cards(&v, "snow", wide).is_empty());
}

/// The texts of the table are folded first, then its hidden piles, then what other players have. A line names what is folded, and `look` shows it.
#[test]
fn what_has_no_room_is_folded_and_said() {
    let cards =
        |n: u32| (1..=n).map(|i| card_with_text(i, &format!("Card {i}"), "Draw one.")).collect::<Vec<_>>();
    let hidden = vec![Card { kind: "Card".into(), ..Card::default() }; 3];
    let mut v = view(vec![]);
    v.table.piles = vec![
        pile_at("deck", None, hidden.clone()),
        pile_at("supply", None, hidden),
        pile_at("open", None, cards(3)),
        pile_at("past", None, cards(9)),
    ];
    for (player, n) in v.players.iter_mut().zip([4, 6]) {
        player.piles = vec![pile_at("hand", None, cards(n)), pile_at("kept", None, cards(1))];
    }
    v.answered = vec![vec![0], vec![1]];
    let piles = v.table.piles.iter_mut().chain(v.players.iter_mut().flat_map(|p| &mut p.piles));
    piles.zip(0..).for_each(|(pile, n)| pile.place = n);
    let drawn = |most: usize| view_lines(&v, &[], &Marks::default(), most, PLAIN);
    let text = |most: usize| drawn(most).join("\n");
    let whole = drawn(usize::MAX).len();
    assert!(!text(whole).contains("Folded"), "{}", text(whole));
    let less = text(whole - 1);
    assert!(
        less.contains("open Card 1 […], Card 2 […]") && less.contains("hand Card 1 [Draw one.]"),
        "{less}"
    );
    assert!(less.contains("Table: (2 hidden piles); ") && less.contains("past (9 folded)"), "{less}");
    assert!(less.ends_with("Folded, `look WORD` shows it: open, past, hidden"), "{less}");
    let least = text(1);
    assert!(least.contains("Royal blue: (2 folded piles)"), "{least}");
    assert!(least.contains("Red ◂: hand Card 1 […]") && !least.contains("Draw one."), "{least}");
    assert!(least.ends_with("shows it: open, past, hand, kept, hidden"), "{least}");
    assert_eq!(read_cards(&v, "supply", PLAIN), ["supply: (3 hidden)"]);
    assert_eq!(read_cards(&v, "table", PLAIN).len(), 14);
}

#[test]
fn long_texts_are_broken_between_their_words() {
    let pieces = [
        "short;".to_string(),
        "Lamp [a text that is longer than half a line];".to_string(),
        "end".to_string(),
    ];
    let want = ["Head: short; Lamp [a text that", "    is longer than half a line];", "    end"];
    assert_eq!(flow_pieces("Head:", &pieces, 32), want);
}

/// What lies face down on a space has the sign of its back, if the rules call the back something.
#[test]
fn things_face_down_are_told_apart_by_their_backs() {
    let mut field = map(2, 1, false);
    let back = |title: &str| {
        let drawn = Drawn { slot: "title".into(), text: title.into() };
        Card { kind: "Card".into(), look: vec![drawn], ..Card::default() }
    };
    field.spaces[0].piles =
        vec![pile_at("lies", None, vec![back("leaf"), Card { kind: "Card".into(), ..Card::default() }])];
    field.spaces[1].piles = vec![pile_at("lies", None, vec![back("paw")])];
    let seen = text(&view(vec![field]), &[], &[], PLAIN);
    assert!(seen.starts_with("1  #L# #P") && seen.contains("#L leaf, #P paw"), "{seen}");
}

/// Where the terminal is not wide enough, words on spaces are shortened, and what has no room there stands below the map.
#[test]
fn a_map_that_is_too_wide_is_drawn_narrower() {
    let drawn = |slot: &str, text: &str| Drawn { slot: slot.into(), text: text.into() };
    let mut field = map(6, 2, true);
    for space in &mut field.spaces {
        space.look = vec![drawn("text", "canyon"), drawn("corner", "27")];
    }
    field.spaces[1].standing = vec![0, 1];
    field.spaces[1].piles =
        vec![pile_at("lies", None, ["Camp", "Den", "Well"].map(|t| card_with_text(1, t, "")).to_vec())];
    let seen = text(&view(vec![field]), &[], &[(0, 2)], PLAIN);
    assert!(seen.lines().all(|line| line.chars().count() <= PLAIN.width), "{seen}");
    assert!(seen.contains("cany 27 cany 27 cany 27") && seen.contains("R Ro+3"), "{seen}");
    assert!(seen.contains("can 27∘"), "{seen}");
    assert!(seen.contains("B1: R Ro C D W"), "{seen}");
}
