//! What a `look` draws, and for whom.
use houserule::engine::{Drawn, View};
use houserule::play::{Game, Match, Setup};
use houserule::text::{File, Files};

const RULES: &str = r##"
game Hills "Hills" { players red, blue; outcome win }
map Board squares 2 by 2
space Cell on Board { mark: player?; height: 0..9 = 3 }
card Card { rank: 1..9 = 1 }
card Spell is Card { power: 0..9 = 0 }
Card stone "Stone"
Spell bolt "Bolt" { power: 7 }
player { zone hand: Card seen by owner }
setup { move stone to red.hand; move bolt to blue.hand }
round { everyone in turn { offer move } }
menu move { tie when no action }
action climb(c: Cell where it.mark is none) in move { c.mark = me; c.height += 1 }
look Cell { fill: if height > 3 then "#8c1f12" else "#7fb069"; text: case mark { red: "R{height}", blue: "B{height}", else: "" }; corner: mark }
look Card { title: "{this}"; corner: rank; badge: if owner is some then "of {owner}" else "nobody's"; back { shape: "card" } }
look Spell { title: "{this}!"; badge: power; back { shape: "star"; turn: 45 } }
"##;

fn start() -> Match {
    start_game(RULES)
}

fn start_game(rules: &str) -> Match {
    let mut files = Files::new();
    files.add(File::new("hills.rules", rules));
    let game = Game::load(&files).unwrap_or_else(|r| panic!("{:?}", r.findings));
    game.start(&Setup::with_seed(1)).unwrap_or_else(|r| panic!("{:?}", r.findings))
}

fn line(look: &[Drawn]) -> String {
    let one = |d: &Drawn| format!("{}: {}", d.slot, d.text);
    look.iter().map(one).collect::<Vec<_>>().join("; ")
}

fn hands(view: &View) -> Vec<String> {
    view.players.iter().map(|p| p.piles[0].cards.iter().map(|c| line(&c.look)).collect()).collect()
}

#[test]
fn spaces_and_cards_are_drawn_as_the_rules_say() {
    let mut m = start();
    let (red, blue) = (m.view(0), m.view(1));
    // A face for those who know it, by the deepest kind's look; a back for the others, whose kind is no secret.
    assert_eq!(hands(&red), ["title: Stone; corner: 1; badge: of red", "shape: star; turn: 45"]);
    assert_eq!(hands(&blue), ["shape: card", "title: Bolt!; badge: 7"]);
    assert_eq!(line(&red.maps[0].spaces[0].look), "fill: #7fb069; text: ; corner: ");
    m.choose_in_words(0, "climb(A1)").expect("it is free");
    let view = m.view(1);
    assert_eq!(line(&view.maps[0].spaces[0].look), "fill: #8c1f12; text: R4; corner: red");
    assert_eq!(line(&view.maps[0].spaces[1].look), "fill: #7fb069; text: ; corner: ");
}

/// Lists keep their order and what they hold twice; a text within a text has its holes filled.
#[test]
fn lists_and_texts_within_texts_are_drawn_as_written() {
    let mut m = start_game(
        r##"
game Path "Path" { players 1; outcome win }
player { best: 0..9 = 3 }
map Board squares 2 by 2
space Cell on Board { n: 0..9 = 2 }
value path(k: 0..9): list of 0..9 = [3, k, 3, 0]
round { everyone in turn { offer go } }
menu go { tie when no action }
action stay() in go { }
look Cell { badge: "{path(n)} from {reversed([A1, B2])}"; text: path(0) }
look player { badge: "{if best > 1 then "best {best} of {path(1)[1]}" else "-"}"; corner: case best { 3: "three, {best}", else: "" } }
"##,
    );
    let view = m.view(0);
    assert_eq!(
        line(&view.maps[0].spaces[0].look),
        "badge: 3, 2, 3 and 0 from B2 and A1; text: 3, 0, 3 and 0"
    );
    assert_eq!(line(&view.players[0].look), "badge: best 3 of 3; corner: three, 3");
}

#[test]
fn a_map_that_grows_shows_what_is_in_play() {
    let (_, game) =
        crate::support::small("boards").into_iter().find(|(name, _)| name == "growing").expect("it is there");
    let mut m = game.start(&Setup::with_seed(1)).unwrap_or_else(|r| panic!("{:?}", r.findings));
    let shown = |m: &mut Match| {
        let map = &m.view(0).maps[0];
        let names: Vec<&str> = map.spaces.iter().map(|s| &*s.name.word).collect();
        (names.join(" "), map.from, map.size, map.at.len())
    };
    assert_eq!(shown(&mut m), ("C3".into(), (2, 2), (1, 1), 1));
    m.choose_in_words(0, "lay(C3)").expect("it is in play");
    assert_eq!(shown(&mut m), ("C2 B3 C3 D3 C4".into(), (1, 1), (3, 3), 5));
    m.choose_in_words(1, "lay(D3)").expect("it is in play");
    assert_eq!(shown(&mut m), ("C2 D2 B3 C3 D3 E3 C4 D4".into(), (1, 1), (4, 3), 8));
}

/// The score of a game that ends with `outcome highest worth`, as a player's look draws it; none if it is not drawn.
fn drawn_score(more: &str) -> Option<String> {
    let rules = "game Purses \"Purses\" { players red, blue; outcome highest worth }\n\
        card Card { rank: 1..9 = 4 }\nplayer { coins: 0..9 = 3; zone hand: Card seen by owner }\n\
        Card stone \"Stone\"\nsetup { move stone to red.hand }\nround once { everyone in turn { offer move } }\n\
        menu move { }\naction rest() in move { my.coins += 1 }\n";
    let mut m = start_game(&format!("{rules}{more}"));
    let view = m.view(1);
    view.players[0].look.iter().find(|d| &*d.slot == "score").map(|d| d.text.clone())
}

/// Of players the score is drawn as it stands, if all may know it and the rules say nothing else of players.
#[test]
fn a_score_is_drawn_if_it_tells_no_secret() {
    let open = "value worth(p: player): int = p.coins * 2 + count(p.hand)\n";
    assert_eq!(drawn_score(open).as_deref(), Some("7"));
    let deep = "value half(p: player): int = p.coins\nvalue worth(p: player): int = half(p)\n";
    assert_eq!(drawn_score(deep).as_deref(), Some("3"));
    let secret =
        "value inner(p: player): int = sum(c in p.hand: c.rank)\nvalue worth(p: player): int = inner(p)\n";
    assert_eq!(drawn_score(secret), None);
    let said = "look player { text: \"{coins} coins\" }\n";
    assert_eq!(drawn_score(&format!("{open}{said}")), None);
    let filled = "look player { fill: \"#102030\" }\n";
    assert_eq!(drawn_score(&format!("{open}{filled}")).as_deref(), Some("7"));
}

/// A view tells each member of an enum with a look, drawn by it; without a look there are none.
#[test]
fn members_of_an_enum_are_drawn_as_signs() {
    let rules = "game Purses \"Purses\" { players red, blue; outcome win }\nenum Wood { oak \"Old oak\", fir }\n\
        round once { everyone in turn { offer move } }\nmenu move { }\naction rest(w: Wood) in move { win me }\n";
    let look = "look Wood { shape: \"tree\"; fill: case this { oak: \"#102030\", else: \"#405060\" } }\n";
    let signs = |more: &str| {
        let mut m = start_game(&format!("{rules}{more}"));
        let drawn = |s: &houserule::engine::WordSign| {
            let look: Vec<&str> = s.look.iter().map(|d| d.text.as_str()).collect();
            format!("{} {} {}: {}", s.kind, s.name.word, s.name.title, look.join(" "))
        };
        m.view(0).signs.iter().map(drawn).collect::<Vec<_>>()
    };
    assert_eq!(signs(look), ["Wood oak Old oak: tree #102030", "Wood fir fir: tree #405060"]);
    assert!(signs("").is_empty());
}

/// A shape may be an image beside the rules or in the folder `images` there; one that is missing, is no image or differs from another of its name is refused with its place.
#[test]
fn images_are_looked_over() {
    let check = |images: &[(&str, &str)]| {
        let rules = RULES.replace("shape: \"card\"", "shape: \"back.svg\"");
        let part = "look player { shape: \"back.svg\" }\n";
        let mut files = Files::new();
        files.add(File::new("a/hills.rules", rules));
        files.add(File::new("b/more.rules", part));
        for (name, text) in images {
            files.add(File::new(*name, *text));
        }
        match Game::load(&files) {
            Ok(game) => game.model().images.iter().map(|i| format!("drawn: {}", i.name)).collect::<Vec<_>>(),
            Err(report) => report
                .findings
                .iter()
                .filter(|d| d.is_error())
                .map(|d| format!("{} {}", d.code.0, d.message))
                .collect(),
        }
    };
    let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\"/>";
    let other = "<svg xmlns=\"http://www.w3.org/2000/svg\"><g/></svg>";
    assert_eq!(check(&[("a/back.svg", svg), ("b/images/back.svg", svg)]), ["drawn: back.svg"]);
    assert_eq!(check(&[("a/images/back.svg", svg)]), ["E0543 the image `back.svg` was not found"]);
    assert_eq!(
        check(&[("a/back.svg", svg), ("b/back.svg", other)]),
        ["E0543 `back.svg` is another image here than elsewhere"]
    );
    let hostile = check(&[("a/back.svg", "<svg/>"), ("b/back.svg", "<svg/>")]);
    assert_eq!(
        hostile,
        [
            "E0543 the image `back.svg` is no SVG image: it begins with `<svg xmlns=\"http://www.w3.org/2000/svg\"`"
        ]
    );
}

/// Of a piece of which each player has a set everybody sees whose it is; of a card that lies hidden, only who knows its face.
#[test]
fn whose_a_piece_is_is_seen_with_its_face() {
    let rules = "game Carts \"Carts\" { players red, blue; outcome win }\nmap Board squares 2 by 2\n\
        space Cell on Board { zone here: Cart }\npiece Cart of player x1\ncard Ticket of player x1\n\
        player { zone hand: Ticket seen by owner }\nsetup {\n\
        for p in players { move Cart of p to A1.here; move Ticket of p to p.hand } }\n\
        round once { everyone in turn { offer move } }\nmenu move { pass }\n";
    let mut m = start_game(rules);
    let view = m.view(1);
    let owners = |cards: &[houserule::engine::Card]| cards.iter().map(|c| c.owner).collect::<Vec<_>>();
    let mut on_board = owners(&view.maps[0].spaces[0].piles[0].cards);
    on_board.sort_unstable();
    assert_eq!(on_board, [Some(0), Some(1)]);
    assert_eq!(owners(&view.players[0].piles[0].cards), [None]);
    assert_eq!(owners(&view.players[1].piles[0].cards), [Some(1)]);
}
