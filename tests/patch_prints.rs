//! What a patch prints, as Draw reads it and as a plan writes it into the row of a list.
use houserule::ide::draw::{Drawing, PatchSet, PrintSort, PrintValue, SheetId, side_name};
use houserule::ide::plan::{Intent, plan};
use houserule::ide::{Analysis, EditSet, Refusal};
use houserule::text::{File, Files};

const TILES: &str = r#"game Isle "Isle" { players 2; outcome win }
enum Ground { grass, rock, lake }
enum Shade { dark, pale }
enum Sky { pale, bright }
patch Tile of 2 { prints { ground: Ground; shade: Shade?; sky: Sky = bright; cave: bool = no; dry: bool = yes; gold: 0..3 = 0 } }
map Land squares of Tile """
  a a b b
"""
space Cell on Land { }
space Site for Tile { slot tile: Tile }
list Tile | 1                   | 2 {
  camp    | grass               | rock, cave, gold: 2     # the first
  moor x2 | lake, dark, dry: no | grass
  bog     | cave,
            lake                | rock, shade: pale; fen | grass | lake
}
round once { }
"#;

const WALLS: &str = r#"game Walls "Walls" { players 2; outcome win }
enum Edge { field, wall }
patch Tile of 1 { prints { edge: Edge per direction; well: bool = no } }
map Land squares within 9 by 9 of Tile
space Cell on Land { slot tile: Tile }
list Tile | 1    | north | east  | south | west {
  corner x9 |      | wall  | field | field | wall
  well      | well | field | field | field | field
}
setup { move Tile to E5.tile }
round once { }
"#;

fn known(text: &str) -> Analysis {
    let mut files = Files::new();
    files.add(File::new("own.rules", text));
    Analysis::from_source(&files)
}

fn patches(a: &Analysis) -> PatchSet {
    assert!(!a.report.has_errors(), "{:?}", a.report);
    let drawing = Drawing::from_analysis(a, &SheetId::Game).expect("the game's own maps");
    drawing.patches.first().expect("a map of patches").clone()
}

fn set(a: &Analysis, patch: &str, column: &str, print: &str, value: PrintValue) -> Result<EditSet, Refusal> {
    let (patch, column, print) = (patch.into(), column.into(), print.into());
    plan(a, &Intent::SetPrint { sheet: SheetId::Game, map: "Land".into(), patch, column, print, value })
}

/// The line of the text that is different afterwards, and what the step is called.
fn line(text: &str, patch: &str, column: &str, print: &str, value: PrintValue) -> (String, String) {
    let edits = set(&known(text), patch, column, print, value).expect("it is planned");
    let after = edits.apply_to_text("own.rules", text).expect("it fits");
    let mut changed = text.lines().zip(after.lines()).filter(|(a, b)| a != b).map(|(_, b)| b.to_string());
    let first = changed.next().expect("a line changes");
    assert_eq!(changed.next(), None, "only that line changes");
    (first, edits.label)
}

fn word(w: &str) -> PrintValue {
    PrintValue::Word(w.into())
}

#[test]
fn a_mark_is_written_changed_and_taken_out_where_it_stands() {
    let on = |patch, column, print, value| line(TILES, patch, column, print, value).0;
    let yes = || PrintValue::Truth(true);
    assert_eq!(
        on("camp", "1", "ground", word("lake")),
        "  camp    | lake                | rock, cave, gold: 2     # the first"
    );
    assert_eq!(
        on("camp", "1", "cave", yes()),
        "  camp    | grass, cave         | rock, cave, gold: 2     # the first"
    );
    assert_eq!(
        on("camp", "2", "cave", PrintValue::Truth(false)),
        "  camp    | grass               | rock, gold: 2     # the first"
    );
    assert_eq!(
        on("camp", "2", "gold", PrintValue::Number(0)),
        "  camp    | grass               | rock, cave     # the first"
    );
    // What may be of two prints is written with its name.
    assert_eq!(on("moor", "1", "shade", word("pale")), "  moor x2 | lake, shade: pale, dry: no | grass");
    assert_eq!(on("moor", "1", "shade", PrintValue::Nothing), "  moor x2 | lake, dry: no       | grass");
    assert_eq!(on("moor", "1", "dry", yes()), "  moor x2 | lake, dark          | grass");
    assert_eq!(on("moor", "2", "sky", word("pale")), "  moor x2 | lake, dark, dry: no | grass, sky: pale");
    assert_eq!(
        on("fen", "1", "gold", PrintValue::Number(3)),
        "            lake                | rock, shade: pale; fen | grass, gold: 3 | lake"
    );
    // A cell without marks, and a side.
    let on = |patch, column, print, value| line(WALLS, patch, column, print, value);
    assert_eq!(on("corner", "1", "well", yes()).0, "  corner x9 | well | wall  | field | field | wall");
    assert_eq!(
        on("well", "1", "well", PrintValue::Truth(false)).0,
        "  well      |      | field | field | field | field"
    );
    let (text, label) = on("corner", "east", "edge", word("wall"));
    assert_eq!(text, "  corner x9 |      | wall  | wall  | field | wall");
    assert_eq!(label, "print wall on the east side of corner");
    assert_eq!(line(TILES, "camp", "2", "gold", PrintValue::Number(1)).1, "print gold: 1 on space 2 of camp");
}

#[test]
fn what_cannot_be_written_is_refused_with_the_way_there() {
    let a = known(TILES);
    let why = |r: Result<EditSet, Refusal>| r.expect_err("it is refused").why;
    let lines = set(&a, "bog", "1", "cave", PrintValue::Truth(false));
    assert_eq!(lines.as_ref().expect_err("it is refused").offers.len(), 1);
    assert!(why(lines).contains("over several lines"));
    assert!(why(set(&a, "camp", "1", "ground", PrintValue::Nothing)).contains("must print `ground`"));
    assert!(why(set(&a, "camp", "3", "ground", word("lake"))).contains("no row of a list"));
    assert!(why(set(&a, "hill", "1", "ground", word("lake"))).contains("no patch `hill`"));
    assert!(why(set(&a, "camp", "1", "silver", PrintValue::Number(1))).contains("prints no `silver`"));
}

/// Every value of every print in every column: the text says it when it is read again, all else is printed as before, and the inverse brings the text back.
#[test]
fn what_is_written_is_read_again() {
    for text in [TILES, WALLS] {
        let a = known(text);
        let before = patches(&a);
        let sides = [0, 2, 4, 6].map(side_name);
        let mut tried = 0;
        for patch in &before.patches {
            for (n, print) in before.prints.iter().enumerate() {
                let spaces: Vec<String> = (1..=patch.faces[0].len()).map(|s| s.to_string()).collect();
                let columns: Vec<&str> =
                    if print.by_side { sides.to_vec() } else { spaces.iter().map(|s| &**s).collect() };
                let mut values: Vec<PrintValue> = match &print.sort {
                    PrintSort::Words(words) => words.iter().map(|w| PrintValue::Word(w.clone())).collect(),
                    PrintSort::Number(low, high) => (*low..=*high).map(PrintValue::Number).collect(),
                    PrintSort::Truth => vec![PrintValue::Truth(false), PrintValue::Truth(true)],
                };
                values.extend(print.default.clone());
                for (column, value) in columns.iter().flat_map(|c| values.iter().map(move |v| (*c, v))) {
                    let is = before.printed(patch, column, n) == Some(value);
                    let edits = match set(&a, &patch.name, column, &print.name, value.clone()) {
                        Err(r) if r.why.contains("over several lines") => continue,
                        other => other.expect("it is planned"),
                    };
                    assert_eq!(edits.is_empty(), is, "{} {column} {value:?}", patch.name);
                    let after = edits.apply_to_text("own.rules", text).expect("it fits");
                    let then = patches(&known(&after));
                    for (p, q) in before.patches.iter().zip(&then.patches) {
                        for (k, c) in
                            (0..before.prints.len()).flat_map(|k| columns.iter().map(move |c| (k, *c)))
                        {
                            let meant = p.name == patch.name && k == n && c == column;
                            let was = if meant { Some(value) } else { before.printed(p, c, k) };
                            assert_eq!(then.printed(q, c, k), was, "{} {column} {value:?}:\n{after}", p.name);
                        }
                    }
                    let mut texts = [("own.rules".into(), text.to_string())].into();
                    let inverse = edits.apply_to(&mut texts).expect("it fits");
                    inverse.apply_to(&mut texts).expect("it fits");
                    assert_eq!(texts.get("own.rules").map(String::as_str), Some(text));
                    tried += 1;
                }
            }
        }
        assert!(tried > 20, "{tried}");
    }
}
