//! Mappings, hexes of both parities, the edits of an import, and the way there and back.
use super::*;
use crate::analysis::Analysis;
use crate::draw::{Drawing, SheetId};
use crate::edit::EditSet;
use crate::plan::{Intent, plan};
use crate::testing::analyse_texts;
use proptest::strategy::Strategy as _;
use std::collections::BTreeMap;
use std::sync::Arc;

const GAME: &str = "game Isle \"Isle\" { players 2; outcome win }\nenum Ground { grass, sand, rock }\nmap Land squares\nspace Cell on Land { ground: Ground = grass; camp: bool = no }\n\
    map Sea hexes\nspace Hex on Sea { deep: bool = no }\nlegend Land { g: grass; s: sand; r: rock; c: camp; <&: rock, camp }\nlegend Sea { o: deep; _: }\nround once { say \"so\" }\n";

fn isle(scenario: &str) -> Analysis {
    analyse_texts(&[("game.rules", GAME), ("mine.scenario", scenario)])
}

fn drawing(a: &Analysis) -> Drawing {
    Drawing::from_analysis(a, &SheetId::Scenario("mine".into())).unwrap()
}

/// A scenario that draws the land and the sea so.
fn scenario(land: &str, sea: &str) -> String {
    format!(
        "scenario mine \"Mine\" for Isle {{\n  map Land \"\"\"\n{land}  \"\"\"   # the land\n  map Sea \"\"\"\n{sea}  \"\"\"\n}}\n"
    )
}

const LAND: &str = "    g   s  .\n    gc  r  g\n";
const SEA: &str = "      o   _\n    _   o\n";

fn fit(a: &Analysis, map: &str, foreign: &ForeignMap) -> Result<FittedMap, String> {
    let d = drawing(a);
    let board = d.board_of(map).unwrap();
    fit_map(foreign, &d, board, &guess_mapping(foreign, board))
}

/// Plans the import of a map.
fn import(a: &Analysis, map: &str, rows: Vec<Vec<Arc<str>>>) -> EditSet {
    let sheet = SheetId::Scenario("mine".into());
    plan(a, &Intent::SetPicture { sheet, map: map.into(), rows, what: "import".into() }).unwrap()
}

fn apply(a: &Analysis, set: &EditSet) -> String {
    let (_, file) = a.file("mine.scenario").unwrap();
    let mut texts: BTreeMap<Arc<str>, String> =
        a.files.iter().map(|(_, f)| (f.name.as_str().into(), f.text.clone())).collect();
    let back = set.apply_to(&mut texts).unwrap();
    let after = texts["mine.scenario"].clone();
    back.apply_to(&mut texts).unwrap();
    assert_eq!(texts["mine.scenario"], file.text, "undo");
    after
}

/// What is wrong with the scenario, such as hexes that are drawn elsewhere than they lie.
fn findings(a: &Analysis) -> Vec<&str> {
    let (id, _) = a.file("mine.scenario").unwrap();
    a.findings(id).map(|d| d.message.as_str()).collect()
}

fn signs(a: &Analysis, map: &str) -> Vec<String> {
    let d = drawing(a);
    let b = d.board_of(map).unwrap();
    let sign = |c: &crate::draw::Cell| c.sign.as_deref().unwrap_or(".").to_string();
    let rows = b.cells.chunks(b.lattice.columns as usize).rev();
    rows.map(|r| r.iter().map(sign).collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn an_import_draws_the_picture_and_keeps_what_is_around_it() {
    let a = isle(&scenario(LAND, SEA));
    assert_eq!(findings(&a), [""; 0]);
    // Of the same size: the signs that differ.
    let map = read("isle.tmx", &tmx(CSV)).unwrap();
    let after = apply(&a, &import(&a, "Land", fit(&a, "Land", &map).unwrap().rows));
    assert_eq!(after, scenario("    g   s  .\n    s   g  g\n", SEA));
    // Of another size: the lines between the quotes.
    let csv = read("Ground.csv", "1,2,0,1\n2,1,1,1\n1,1,1,1\n").unwrap();
    let d = drawing(&a);
    let land = d.board_of("Land").unwrap();
    let mut mapping = guess_mapping(&csv, land);
    assert_eq!(mapping.signs, [None, None], "numbers name nothing");
    mapping.signs = vec![Some("g".into()), Some("gc".into())];
    let rows = fit_map(&csv, &d, land, &mapping).unwrap().rows;
    let set = import(&a, "Land", rows);
    assert_eq!(set.label, "import: 4 by 3 on Land");
    let after = apply(&a, &set);
    assert_eq!(after, scenario("    g  gc . g\n    gc g  g g\n    g  g  g g\n", SEA));
    let again = isle(&after);
    assert_eq!(signs(&again, "Land"), ["g gc . g", "gc g g g", "g g g g"]);
    assert_eq!(findings(&again), [""; 0]);
    // Where nothing is drawn yet, a new picture.
    let a = isle("scenario mine \"Mine\" for Isle {\n  players 2\n}\n");
    let map = read("isle.tmx", &tmx(CSV)).unwrap();
    let after = apply(&a, &import(&a, "Land", fit(&a, "Land", &map).unwrap().rows));
    assert_eq!(
        after,
        "scenario mine \"Mine\" for Isle {\n  players 2\n  map Land \"\"\"\n    g s .\n    s g g\n  \"\"\"\n}\n"
    );
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let a = isle(&scenario(LAND, SEA));
    let map = read("isle.tmx", &tmx(CSV)).unwrap();
    let why = fit(&a, "Sea", &map).unwrap_err();
    assert!(why.contains("Sea has hexes") && why.contains("Orientation: Hexagonal"), "{why}");
    let sheet = SheetId::Scenario("mine".into());
    let refuse = |rows: Vec<Vec<Arc<str>>>| {
        let intent =
            Intent::SetPicture { sheet: sheet.clone(), map: "Land".into(), rows, what: "import".into() };
        plan(&a, &intent).unwrap_err().why
    };
    assert!(refuse(vec![vec!["q".into()]]).contains("no legend explains the sign `q`"));
    assert!(refuse(Vec::new()).contains("of one space at least"));
    assert!(refuse(vec![vec!["g".into(); 2], vec!["g".into()]]).contains("of the same length"));
    assert!(refuse(vec![vec!["g".into(); 101]]).contains("at most 100 columns"));
    // A declared size is the size of every picture.
    let a = analyse_texts(&[
        ("game.rules", &GAME.replace("map Land squares", "map Land squares 4 by 4")),
        ("mine.scenario", "scenario mine \"Mine\" for Isle { }"),
    ]);
    let why = fit(&a, "Land", &map).unwrap_err();
    assert!(why.contains("3 columns and 2 rows") && why.contains("4 columns and 4 rows"), "{why}");
}

#[test]
fn layers_stand_together_where_the_legend_reads_letters() {
    let second = "<layer id=\"4\" name=\"camps\" width=\"3\" height=\"2\"><data encoding=\"csv\">3,0,3,0,4,0</data></layer> <objectgroup";
    let set = "<tileset firstgid=\"3\" name=\"more\"><tile id=\"0\" type=\"camp\"/><tile id=\"1\" type=\"rock\"/></tileset>\n <layer id=\"1\"";
    let text = tmx(CSV).replacen("<objectgroup", second, 1).replacen("<layer id=\"1\"", set, 1);
    let a = isle(&scenario(LAND, SEA));
    let map = read("isle.tmx", &text).unwrap();
    let fitted = fit(&a, "Land", &map).unwrap();
    let rows: Vec<String> = fitted.rows.iter().map(|r| r.join(" ")).collect();
    // `gr` is read letter by letter, too: what it means is for the checker.
    assert_eq!(rows, ["gc s c", "s gr g"]);
    // A layer that is not shown is not taken, and a tile without a sign leaves the cell to the layer below.
    let hidden =
        text.replace("name=\"camps\"", "name=\"camps\" visible=\"0\"").replace("\"sand\"", "\"mud\"");
    let fitted = fit(&a, "Land", &read("isle.tmx", &hidden).unwrap()).unwrap();
    let rows: Vec<String> = fitted.rows.iter().map(|r| r.join(" ")).collect();
    assert_eq!(rows, ["g . .", ". g g"]);
    assert!(fitted.dropped.contains(&"Layer “camps” is not taken: 3 tiles left out.".to_string()));
    assert!(fitted.dropped.contains(&"Tile “mud” has no sign: 2 cells left out.".to_string()));
    // A sign that is no letter covers what is below it.
    let covering = text.replace("type=\"rock\"", "type=\"rock, camp\"");
    let fitted = fit(&a, "Land", &read("isle.tmx", &covering).unwrap()).unwrap();
    assert_eq!(fitted.rows[1].join(" "), "s <& g");
    assert!(
        fitted
            .dropped
            .iter()
            .any(|d| d.starts_with("1 cell has tiles in several layers, first in column 2 of row 2"))
    );
}

/// A map of hexes in Tiled, three columns wide; `o` is deep, `_` is not.
fn hexes(index: &str, rows: &[&str]) -> ForeignMap {
    let gid = |c: char| match c {
        'o' => "1",
        '_' => "2",
        _ => "0",
    };
    let lines: Vec<String> = rows.iter().map(|r| r.chars().map(gid).collect::<Vec<_>>().join(",")).collect();
    let text = tmx(&format!("<data encoding=\"csv\">{}</data>", lines.join(",\n")))
        .replace(
            "orientation=\"orthogonal\"",
            &format!("orientation=\"hexagonal\" staggeraxis=\"y\" staggerindex=\"{index}\""),
        )
        .replace("width=\"3\" height=\"2\"", &format!("width=\"3\" height=\"{}\"", rows.len()))
        .replace("type=\"grass\"", "type=\"deep\"")
        .replace("value=\"sand\"", "value=\"_\"");
    read("sea.tmx", &text).unwrap()
}

/// Pairs of hexes that touch in Tiled, by their numbers: in the rows `east`, which lie half a hex to the east, the others' neighbours are one column further.
fn touching(map: &ForeignMap) -> Vec<(usize, usize)> {
    let ForeignShape::Hexes { first_east } = map.shape else { return Vec::new() };
    let w = map.columns as usize;
    let half = |n: usize| 2 * (n % w) + usize::from((n / w).is_multiple_of(2) == first_east);
    let all = 0..w * map.rows as usize;
    let beside = |a: usize, b: usize| match (b / w).abs_diff(a / w) {
        0 => half(a).abs_diff(half(b)) == 2,
        1 => half(a).abs_diff(half(b)) == 1,
        _ => false,
    };
    all.clone()
        .flat_map(|a| all.clone().map(move |b| (a, b)))
        .filter(|(a, b)| a < b && beside(*a, *b))
        .collect()
}

#[test]
fn hexes_keep_their_neighbours_at_both_parities() {
    let a = isle(&scenario(LAND, SEA));
    for (index, rows, want, moved) in [
        ("even", vec!["o__", "_o_"], vec!["o _ _", "_ o _"], false),
        ("odd", vec!["o__", "_o_", "___"], vec!["o _ _", "_ o _", "_ _ _"], false),
        // The other parity: one column more,
        ("odd", vec!["o__", "_o_"], vec!["o _ _ .", ". _ o _"], true),
        ("even", vec!["o__", "_o_", "__o"], vec![". o _ _", "_ o _ .", ". _ _ o"], true),
        // or none, where the first column or the last of the rows that move is empty.
        ("odd", vec![".o_", "_o_"], vec!["o _ .", "_ o _"], true),
        ("odd", vec!["o__", "_o."], vec!["o _ _", ". _ o"], true),
    ] {
        let map = hexes(index, &rows);
        let fitted = fit(&a, "Sea", &map).unwrap();
        let got: Vec<String> = fitted.rows.iter().map(|r| r.join(" ")).collect();
        assert_eq!(got, want, "{index} {rows:?}");
        let told = fitted.dropped.iter().any(|d| d.contains("All hexes keep their neighbours"));
        assert_eq!(told, moved, "{:?}", fitted.dropped);
        // In the text that is written, filled hexes touch as they did.
        let after = isle(&apply(&a, &import(&a, "Sea", fitted.rows.clone())));
        assert_eq!(findings(&after), [""; 0]);
        let d = drawing(&after);
        let b = d.board_of("Sea").unwrap();
        // In reading order the filled ones are the same.
        let mut here: Vec<_> = b.cells.iter().filter(|c| c.space).map(|c| c.at).collect();
        here.sort_by_key(|s| (std::cmp::Reverse(s.row), s.column));
        let filled: Vec<usize> =
            map.layers[0].cells.iter().enumerate().filter(|(_, c)| c.is_some()).map(|(n, _)| n).collect();
        assert_eq!(here.len(), filled.len());
        let place = |n: &usize| filled.iter().position(|f| f == n);
        let before: Vec<_> =
            touching(&map).iter().filter_map(|(a, b)| Some((place(a)?, place(b)?))).collect();
        let now: Vec<(usize, usize)> = (0..here.len())
            .flat_map(|x| (0..here.len()).map(move |y| (x, y)))
            .filter(|(x, y)| x < y && b.lattice.neighbours(here[*x]).contains(&here[*y]))
            .collect();
        assert_eq!(now, before, "{index} {rows:?}");
    }
}

#[test]
fn what_is_exported_and_imported_again_is_the_same() {
    let a = isle(&scenario(LAND, SEA));
    let d = drawing(&a);
    for map in ["Land", "Sea"] {
        let board = d.board_of(map).unwrap();
        let text = write_tmx(board, &TilePicture::from_board(board, "mine-tiles.png"));
        let foreign = read("mine.tmx", &text).unwrap();
        let fitted = fit(&a, map, &foreign).unwrap();
        assert_eq!(fitted.dropped, [""; 0]);
        assert!(import(&a, map, fitted.rows.clone()).is_empty(), "{map}: {text}");
    }
    let land = d.board_of("Land").unwrap();
    let text = write_tmx(land, &TilePicture::from_board(land, "mine-tiles.png"));
    assert!(text.contains("type=\"rock, camp\"") && text.contains("value=\"&lt;&amp;\""), "{text}");
    assert!(text.contains("width=\"3\" height=\"2\"") && text.contains("mine-tiles.png"), "{text}");
}

proptest::proptest! {
    #[test]
    fn any_drawn_map_comes_back(
        (columns, rows, picks) in (1usize..12, 1usize..9).prop_flat_map(|(c, r)| {
            (proptest::strategy::Just(c), proptest::strategy::Just(r), proptest::collection::vec(0usize..6, c * r))
        }),
        map in 0usize..3,
    ) {
        let (map, all) = [("Land", &["g", "s", "gc", "<&", ".", "grc"]), ("Sea", &["o", "_", ".", "o", ".", "_"]), ("Slope", &["o", "_", ".", "o", ".", "_"])][map];
        // A row and a column of which nothing is drawn is no part of a rhombus from elsewhere, so it begins with a space.
        let mut grid: Vec<Vec<&str>> = picks.chunks(columns).map(|r| r.iter().map(|n| all[*n]).collect()).collect();
        grid[rows - 1][0] = all[0];
        let game = GAME.replace("legend Sea", "map Slope hexes rhombus\nspace Lot on Slope { low: bool = no }\nlegend Slope { o: low; _: }\nlegend Sea");
        let draw = |grid: &[Vec<&str>], lean: bool| -> String {
            let line = |(n, r): (usize, &Vec<&str>)| {
                let shift = if lean && (rows - 1 - n) % 2 == 1 { "  " } else { "" };
                format!("    {shift}{}\n", r.iter().map(|s| format!("{s:<4}")).collect::<String>().trim_end())
            };
            format!("scenario mine \"Mine\" for Isle {{\n  map {map} \"\"\"\n{}  \"\"\"\n}}\n", grid.iter().enumerate().map(line).collect::<String>())
        };
        let text = draw(&grid, map == "Sea");
        let a = analyse_texts(&[("game.rules", &game), ("mine.scenario", &text)]);
        let d = drawing(&a);
        let board = d.board_of(map).unwrap();
        let tmx = write_tmx(board, &TilePicture::from_board(board, "t.png"));
        let foreign = read("mine.tmx", &tmx).unwrap();
        let fitted = fit(&a, map, &foreign).unwrap();
        proptest::prop_assert_eq!(&fitted.rows, &grid.iter().map(|r| r.iter().map(|s| Arc::from(*s)).collect::<Vec<Arc<str>>>()).collect::<Vec<_>>());
        proptest::prop_assert!(import(&a, map, fitted.rows.clone()).is_empty());
        // On an empty map of that size, and on none, the same signs are drawn.
        let blank: Vec<Vec<&str>> = grid.iter().map(|r| vec!["."; r.len()]).collect();
        for text in [draw(&blank, map == "Sea"), String::from("scenario mine \"Mine\" for Isle { }\n")] {
            let b = analyse_texts(&[("game.rules", &game), ("mine.scenario", &text)]);
            let after = apply(&b, &import(&b, map, fitted.rows.clone()));
            let after = analyse_texts(&[("game.rules", &game), ("mine.scenario", &after)]);
            proptest::prop_assert_eq!(signs(&after, map), grid.iter().map(|r| r.join(" ")).collect::<Vec<_>>());
        }
    }
}
