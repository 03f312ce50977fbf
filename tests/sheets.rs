//! `houserule cards`: what stands on the sheets of every shipped game is what the game has, and nothing leaves its card.
use crate::cli::{cli, cli_args};
use crate::support::{game, games, source};
use houserule::cli::Exit;
use houserule::ide::Analysis;
use houserule::ide::cards::list_cards;
use houserule::model::hir::{ComponentSort, KindId, KindSort, Member, Model};
use houserule::play::{Game, Setup};
use houserule::program::ir::Program;
use houserule::sheets::read_svg;
use regex_lite::Regex;
use std::collections::BTreeMap;
use std::path::Path;
use usvg::Node;

/// Pixels of a millimetre in the trees of usvg.
const PIXELS: f32 = 96.0 / 25.4;

/// A card or counter on a page: its box, and what stands in it without blanks.
struct Piece {
    x: f32,
    y: f32,
    width: f32,
    height: f32,
    text: String,
}

/// The pages of a folder by name.
fn read_pages(folder: &Path) -> BTreeMap<String, String> {
    let entries = std::fs::read_dir(folder).expect("the folder").filter_map(Result::ok);
    let read = |e: std::fs::DirEntry| {
        let name = e.file_name().to_string_lossy().into_owned();
        (name, std::fs::read_to_string(e.path()).expect("a page"))
    };
    entries.map(read).collect()
}

/// The parts of a page that are cut out.
fn list_pieces(svg: &str) -> Vec<Piece> {
    let head =
        Regex::new(r#"^<svg x="([0-9.-]+)" y="([0-9.-]+)" width="([0-9.]+)" height="([0-9.]+)""#).unwrap();
    let text = Regex::new(r"<text [^>]*>([^<]*)</text>").unwrap();
    let mut out: Vec<Piece> = Vec::new();
    let mut open = false;
    for line in svg.lines() {
        if let Some(found) = head.captures(line) {
            let n = |k: usize| found[k].parse::<f32>().unwrap();
            out.push(Piece { x: n(1), y: n(2), width: n(3), height: n(4), text: String::new() });
            open = true;
        } else if line == "</svg>" {
            open = false;
        } else if let (true, Some(found), Some(piece)) = (open, text.captures(line), out.last_mut()) {
            let plain = found[1].replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">");
            piece.text.extend(plain.replace("&amp;", "&").chars().filter(|c| !c.is_whitespace()));
        }
    }
    out
}

/// The program of the set-up that the command prints: the first scenario, as many players as possible.
fn largest_program(game: &Game) -> std::sync::Arc<Program> {
    let (least, most) = game.model().seat_range(None);
    let tried = (least..=most).rev().map(|n| game.lower_setup(&Setup::default().with_players(n)));
    let plain = game.lower_setup(&Setup::default());
    tried.chain([plain]).find_map(Result::ok).expect("a set-up")
}

/// Whether a kind is a card, and lies among the kinds below one of that name.
fn is_card_of(model: &Model, kind: KindId, top: &str) -> bool {
    let parent = |k: &KindId| model.kinds[k.index()].parent;
    let mut line = std::iter::successors(Some(kind), parent).map(|k| &model.kinds[k.index()]);
    let card = model.kinds[kind.index()].sort == KindSort::Component(ComponentSort::Card);
    card && line.any(|k| *k.name == *top)
}

/// For each face of a card that the set-up has: the kind at the top, its word, and how many there are.
fn count_cards(game: &Game, program: &Program) -> BTreeMap<(String, String), usize> {
    let mut out = BTreeMap::new();
    for comps in &program.comps {
        let kind = &program.universes[comps.universe.index()].name;
        for face in &comps.initial {
            let word = &program.universes[comps.faces.index()].things[usize::from(*face)].word;
            let name = word.split('(').next().unwrap_or_default();
            // In one deck there may be several kinds, also such that are no cards.
            let is_card = |m: &Member| *m.name == *name && is_card_of(game.model(), m.kind, kind);
            if !game.model().members.iter().any(is_card) {
                continue;
            }
            *out.entry((kind.to_string(), word.to_string())).or_default() += 1;
        }
    }
    out
}

fn print(game: &str, more: &str, folder: &Path) -> BTreeMap<String, String> {
    let done = cli(&format!("cards {game} {more} --svg {}", folder.display()));
    assert_eq!(done.exit, Exit::Fine, "{game}: {}{}", done.out, done.err);
    read_pages(folder)
}

#[test]
fn each_component_is_printed_once_with_its_title() {
    let mut printed_games = 0;
    for name in games() {
        let game = game(&name);
        let program = largest_program(&game);
        let counts = count_cards(&game, &program);
        let all: usize = counts.values().sum();
        if all == 0 {
            continue;
        }
        printed_games += 1;
        let folder = tempfile::tempdir().expect("a folder");
        let pages = print(&name, "--what cards", folder.path());
        let pieces: Vec<Piece> = pages.values().flat_map(|svg| list_pieces(svg)).collect();
        assert_eq!(pieces.len(), all, "{name}");
        assert_eq!(pages.len(), all.div_ceil(9), "{name}");
        // A card of a set of each player is there several times, and so are alike cards: titles are counted.
        let set = list_cards(&Analysis::from_source(&source(&name)));
        let plain = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        for ((_, word), count) in &counts {
            let cards = set.groups.iter().flat_map(|g| &g.cards);
            let Some(card) = cards.into_iter().find(|c| c.id.to_string() == *word) else { continue };
            let title = card.face.title.as_deref().filter(|t| !t.is_empty()).unwrap_or(&card.title);
            // Words that are drawn as signs are no letters.
            if set.signs.iter().any(|s| title.contains(&s.title)) {
                continue;
            }
            let found = pieces.iter().filter(|p| p.text.contains(&plain(title))).count();
            assert!(found >= *count, "{name}: {title} stands on {found} of {count} cards");
        }
    }
    assert!(printed_games > 15, "{printed_games}");
}

fn visit_texts(node: &Node, seen: &mut dyn FnMut(f32, f32, f32, f32)) {
    match node {
        Node::Group(group) => group.children().iter().for_each(|n| visit_texts(n, seen)),
        Node::Text(text) => {
            let b = text.abs_bounding_box();
            seen(b.x() / PIXELS, b.y() / PIXELS, b.width() / PIXELS, b.height() / PIXELS);
        }
        _ => {}
    }
}

#[test]
fn no_text_leaves_its_card() {
    for name in ["love-letter", "fuji", "dominion", "fog", "fever-roads", "discover"] {
        let folder = tempfile::tempdir().expect("a folder");
        let pages = print(name, "--what cards,tokens --bleed 0 --backs", folder.path());
        let mut texts = 0;
        for (page, svg) in pages.iter().filter(|(page, _)| !page.starts_with("patches")) {
            let tree = read_svg(svg).unwrap_or_else(|e| panic!("{name} {page}: {e}"));
            let pieces = list_pieces(svg);
            for node in tree.root().children() {
                visit_texts(node, &mut |x, y, width, height| {
                    let (mx, my) = (x + width / 2.0, y + height / 2.0);
                    let inside =
                        |p: &&Piece| mx > p.x && mx < p.x + p.width && my > p.y && my < p.y + p.height;
                    // The line at the foot of the page stands on no card.
                    let Some(p) = pieces.iter().find(inside) else { return };
                    texts += 1;
                    let fits = x >= p.x + 1.0
                        && x + width <= p.x + p.width - 1.0
                        && y >= p.y
                        && y + height <= p.y + p.height;
                    assert!(
                        fits,
                        "{name} {page}: a text at {x} {y} of {width} × {height} on {} {}: {}",
                        p.x, p.y, p.text
                    );
                });
            }
        }
        assert!(texts > 20, "{name}: {texts}");
    }
}

#[test]
fn a_pdf_has_the_pages_that_are_told_and_the_same_bytes_each_time() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, more) in
        [("love-letter", "--backs"), ("fuji", "--paper letter"), ("atoll", "--tile"), ("chess", "")]
    {
        let make = |file: &str| {
            let path = folder.path().join(file);
            let done = cli(&format!("cards {name} {more} --pdf {}", path.display()));
            assert_eq!(done.exit, Exit::Fine, "{}", done.err);
            (done.out, std::fs::read(path).expect("the PDF"))
        };
        let ((out, first), (_, second)) = (make("a.pdf"), make("b.pdf"));
        // The bytes are of no use to a reader.
        assert!(first == second, "{name}: two PDFs of one game differ");
        let told = Regex::new(r"a\.pdf: ([0-9]+) page").unwrap();
        let told: usize = told.captures(&out).expect(&out)[1].parse().unwrap();
        let bytes = String::from_utf8_lossy(&first);
        let pages = Regex::new(r"/Type\s*/Page[^s]").unwrap().find_iter(&bytes).count();
        assert_eq!(pages, told, "{name}: {out}");
        assert!(bytes.starts_with("%PDF-") && bytes.contains("Ubuntu"), "{name}: the font is in it");
    }
}

#[test]
fn every_page_of_every_shipped_game_can_be_read() {
    for name in games() {
        let folder = tempfile::tempdir().expect("a folder");
        let done = cli(&format!("cards {name} --backs --svg {}", folder.path().display()));
        // A game of numbers alone has nothing to print.
        if done.err.contains("there is nothing to print") {
            assert_eq!(done.exit, Exit::Findings, "{name}");
            continue;
        }
        assert_eq!(done.exit, Exit::Fine, "{name}: {}{}", done.out, done.err);
        assert!(
            !done.err.contains("has no room") && !done.err.contains("no font has"),
            "{name}: {}",
            done.err
        );
        for (page, svg) in read_pages(folder.path()) {
            let tree = read_svg(&svg).unwrap_or_else(|e| panic!("{name} {page}: {e}"));
            let (width, height) = (tree.size().width() / PIXELS, tree.size().height() / PIXELS);
            assert!((width + height - 507.0).abs() < 0.1, "{name} {page}: {width} × {height} is no A4");
        }
    }
}

/// A game whose cards have the texts that are given, with a set-up of two players.
fn make_game(cards: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = format!(
        "game Tiny \"Tiny\" {{ players 2; outcome highest points }}\nplayer {{ points: 0..9 = 0 }}\ncard Card {{ says: text = \"\"; back sort: 1..9 = 1 }}\n{cards}\nlook Card {{ text: says }}\nround once {{ everyone in turn {{ offer move }} }}\nmenu move\naction score() in move {{ my.points += 1 }}\n"
    );
    std::fs::write(folder.path().join("tiny.rules"), rules).expect("written");
    folder
}

#[test]
fn texts_that_have_no_room_and_signs_that_no_font_has_are_told() {
    let long = "Take a long walk. ".repeat(300);
    let game = make_game(&format!(
        "Card long \"Long\" {{ says: \"{long}\" }}\nCard odd \"Odd 字\" {{ says: \"<b>&amp; 'x' 字\" }}\nCard plain \"Plain\""
    ));
    let folder = tempfile::tempdir().expect("a folder");
    let done = cli(&format!("cards {} --svg {}", game.path().display(), folder.path().display()));
    assert_eq!(done.exit, Exit::Fine, "{}", done.err);
    assert_eq!(done.err.matches("has no room").count(), 1, "{}", done.err);
    assert!(done.err.contains("the text of “Long” has no room"), "{}", done.err);
    assert_eq!(done.err.matches("字 (U+5B57)").count(), 1, "{}", done.err);
    let svg = &read_pages(folder.path())["cards-01.svg"];
    assert!(read_svg(svg).is_ok() && svg.contains("&lt;b&gt;&amp;amp;"), "{svg}");
}

#[test]
fn backs_lie_behind_their_fronts() {
    let cards: Vec<String> = (1..=5).map(|n| format!("Card c{n} \"Front {n}\" {{ sort: {n} }}")).collect();
    let game = make_game(&cards.join("\n"));
    let folder = tempfile::tempdir().expect("a folder");
    let done = cli(&format!("cards {} --backs --svg {}", game.path().display(), folder.path().display()));
    assert_eq!(done.exit, Exit::Fine, "{}", done.err);
    let pages = read_pages(folder.path());
    let (fronts, backs) = (list_pieces(&pages["cards-01.svg"]), list_pieces(&pages["cards-01-back.svg"]));
    assert_eq!((fronts.len(), backs.len()), (5, 5));
    for n in 1..=5 {
        let front = fronts.iter().find(|p| p.text.contains(&format!("Front{n}"))).expect("a front");
        let back = backs.iter().find(|p| p.text.contains(&format!("sort{n}"))).expect("a back");
        assert!((front.x + front.width - (210.0 - back.x)).abs() < 0.01 && front.y == back.y, "{n}");
    }
}

#[test]
fn a_house_rule_brings_its_card() {
    let count = |more: &str| {
        let done = cli(&format!("cards fuji --what cards --kind Equipment {more}"));
        assert_eq!(done.exit, Exit::Fine, "{}", done.err);
        let found = Regex::new(r"Equipment: ([0-9]+)").unwrap();
        found.captures(&done.out).expect(&done.out)[1].parse::<usize>().unwrap()
    };
    assert_eq!(count("--mod thermos"), count("") + 1);
}

#[test]
fn copies_that_depend_on_the_players_are_those_of_the_set_up() {
    let game = make_game("Card gem \"Gem\" x(count(players) + 1)");
    let rules = game.path().join("tiny.rules");
    let text = std::fs::read_to_string(&rules).expect("the rules").replace("players 2;", "players 2..4;");
    std::fs::write(&rules, text).expect("written");
    let told = |more: &str| cli(&format!("cards {} {more}", game.path().display())).out;
    assert!(told("").contains("for 4 players\n") && told("").contains("Card: 5 with 1 face"), "{}", told(""));
    assert!(told("--players 2").contains("Card: 3 with 1 face"), "{}", told("--players 2"));
}

/// A PNG of one red pixel.
const PIXEL: [u8; 69] = [
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52, 0x00,
    0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x02, 0x00, 0x00, 0x00, 0x90, 0x77, 0x53, 0xde, 0x00,
    0x00, 0x00, 0x0c, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0xf8, 0xcf, 0xc0, 0x00, 0x00, 0x03, 0x01,
    0x01, 0x00, 0xc9, 0xfe, 0x92, 0xef, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60,
    0x82,
];

#[test]
fn images_beside_the_rules_are_drawn() {
    let game = make_game("Card cart \"Cart\"\ntoken Dot x2\nlook Dot { shape: \"dot.png\" }");
    let rules = game.path().join("tiny.rules");
    let text = std::fs::read_to_string(&rules)
        .expect("the rules")
        .replace("text: says", "text: says; shape: \"cart.svg\"");
    std::fs::write(&rules, text).expect("written");
    std::fs::write(game.path().join("dot.png"), PIXEL).expect("written");
    let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 2 1\"><rect width=\"2\" height=\"1\"/></svg>";
    std::fs::write(game.path().join("cart.svg"), svg).expect("written");
    let folder = tempfile::tempdir().expect("a folder");
    let pages = print(&game.path().display().to_string(), "", folder.path());
    for (page, many) in [("cards-01.svg", 1), ("tokens-01.svg", 2)] {
        let tree = read_svg(&pages[page]).expect("a page");
        assert_eq!(count_images(tree.root()), many, "{page}");
    }
    let pdf = folder.path().join("a.pdf");
    assert_eq!(cli(&format!("cards {} --pdf {}", game.path().display(), pdf.display())).exit, Exit::Fine);
    let bytes = std::fs::read(pdf).expect("the PDF");
    assert!(String::from_utf8_lossy(&bytes).contains("/Subtype/Image"), "the PNG is in it");
}

fn count_images(group: &usvg::Group) -> usize {
    let count = |n: &Node| match n {
        Node::Group(group) => count_images(group),
        Node::Image(_) => 1,
        _ => 0,
    };
    group.children().iter().map(count).sum()
}

#[test]
fn boards_have_the_colours_and_texts_of_their_look_and_no_pieces() {
    let folder = tempfile::tempdir().expect("a folder");
    let pages = print("fuji", "--what boards", folder.path());
    let slope = &pages["board-01.svg"];
    assert_eq!(slope.matches(">rubble</text>").count(), 2, "{slope}");
    assert!(slope.contains(">volcano</text>") && slope.contains("#8c1f12"), "{slope}");
    let other = print("fuji", "--what boards --scenario fuji_2", &folder.path().join("other"));
    assert_ne!(slope, &other["board-01.svg"], "each scenario has a map of its own");
    let chess = print("chess", "--what boards", &folder.path().join("chess"));
    let board = &chess["board-01.svg"];
    assert_eq!((board.matches("<polygon").count(), board.matches("<path").count()), (64, 0), "{board}");
    let tiled = print("fog", "--what boards --tile --paper letter", &folder.path().join("fog"));
    assert_eq!(tiled.len(), 4);
    assert!(tiled["board-01-01.svg"].contains(">glue the next page here</text>"));
    assert!(tiled["board-01-04.svg"].contains("row 2 of 2, column 2 of 2"));
}

#[test]
fn what_makes_no_sense_is_refused() {
    for (line, why) in [
        ("cards love-letter --bleed 9", "give 0 to 3 millimetres"),
        ("cards love-letter --bleed NaN", "give 0 to 3 millimetres"),
        ("cards love-letter --kind Knight", "the kinds are Letter"),
        ("cards love-letter --paper a3", "a4"),
        ("cards love-letter --what everything", "cards"),
        ("cards no-such-game", "there is no game"),
    ] {
        let done = cli(line);
        assert_eq!(done.exit, Exit::Usage, "{line}: {}", done.err);
        assert!(done.err.contains(why), "{line}: {}", done.err);
    }
    let folder = tempfile::tempdir().expect("a folder");
    let below = folder.path().join("file");
    std::fs::write(&below, "x").expect("written");
    let inside = below.join("a.pdf").display().to_string();
    let done = cli_args(&["cards", "love-letter", "--pdf", &inside]);
    assert_eq!(done.exit, Exit::Unreadable, "{}", done.err);
    let kinds: Vec<String> = (0..20).map(|n| format!("card K{n}\nK{n} m{n} \"M\" x1000")).collect();
    let game = make_game(&kinds.join("\n"));
    let done = cli(&format!("cards {}", game.path().display()));
    assert_eq!(done.exit, Exit::Usage, "{}", done.out);
    assert!(done.err.contains("2000 are made at most"), "{}", done.err);
}
