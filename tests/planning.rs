//! Plans, edit by edit: what exactly changes in a text, and what is refused with which way out.
use houserule::ide::draw::{Drawing, FieldKey, SheetId, Spot, State, brush};
use houserule::ide::plan::{Intent, MarkWish, Sides, plan};
use houserule::ide::{Analysis, Offer, Refusal};
use houserule::text::{File, Files};

const GAME: &str = r#"game Isle "Isle" { players 2; outcome win }
enum Ground { grass, sand, rock }
card Tile
Tile hill "Hill"
map Land squares
space Cell on Land { ground: Ground = grass; camp: bool = no; slot tile: Tile }
legend Land { g: grass; s: sand; r: rock; c: camp; gc: grass, camp; H: sand, hill }
option long "A long game": bool = no
option turns "How many turns": 1..20 = 8
part base for Isle { turns = 4 }
round once { }
"#;

const SCENARIO: &str = r#"# Mine.
scenario mine "Mine" for Isle with base {
  seats 2                   # for two
  map Land """
    g  g  s
    .  s  r
  """

  # Why it is long.
  long = yes                # really
  # Stands apart.

  needs count(players) == 2 else "two"
}

test "names" on mine with Ann, Bo { expect A1.ground == sand and C2.ground == sand }
"#;

fn known(game: &str, scenario: &str) -> Analysis {
    let mut files = Files::new();
    files.add(File::new("isle.rules", game));
    files.add(File::new("mine.scenario", scenario));
    Analysis::from_source(&files)
}

fn sheet() -> SheetId {
    SheetId::Scenario("mine".into())
}

fn land() -> std::sync::Arc<str> {
    "Land".into()
}

/// The scenario's text afterwards.
fn after(scenario: &str, intent: &Intent) -> Result<String, Refusal> {
    let a = known(GAME, scenario);
    let set = plan(&a, intent)?;
    assert!(set.edits().iter().all(|e| &*e.file == "mine.scenario"), "{set:?}");
    Ok(set.apply_to_text("mine.scenario", scenario).expect("it fits"))
}

fn paint(at: &[&str], sign: &str) -> Intent {
    let spots = at.iter().map(|s| Spot::from_name(s).expect("a place")).collect();
    Intent::Paint {
        sheet: sheet(),
        map: land(),
        strokes: brush::with_sign(&spots, sign),
        what: format!("paint {sign}"),
    }
}

#[test]
fn a_sign_takes_its_bytes_and_the_blanks_it_needs() {
    let got = after(SCENARIO, &paint(&["B2"], "gc")).unwrap();
    assert_eq!(got, SCENARIO.replace("g  g  s", "g  gc s"));
    let got = after(SCENARIO, &paint(&["A1", "C2"], "r")).unwrap();
    assert_eq!(got, SCENARIO.replace("g  g  s\n    .  s", "g  g  r\n    r  s"));
    assert_eq!(after(SCENARIO, &paint(&["A2", "B2"], "g")).unwrap(), SCENARIO);
}

#[test]
fn a_longer_sign_widens_its_column_and_no_other() {
    let narrow = SCENARIO.replace("g  g  s", "g g s").replace(".  s  r", ". s r");
    let got = after(&narrow, &paint(&["A2"], "gc")).unwrap();
    assert_eq!(got, narrow.replace("g g s", "gc g s").replace(". s r", ".  s r"));
    let back = after(&got, &paint(&["A2"], "g")).unwrap();
    assert_eq!(back, got.replace("gc g s", "g  g s"));
}

#[test]
fn what_is_not_there_is_refused() {
    let why = |r: Result<String, Refusal>| r.unwrap_err().why;
    assert_eq!(why(after(SCENARIO, &paint(&["D9"], "g"))), "the map has no D9: it ends before it");
    assert_eq!(
        why(after(SCENARIO, &paint(&["A1"], "zz"))),
        "no legend explains the sign `zz`: add a row for it first"
    );
    assert!(why(after(SCENARIO, &paint(&["A1"], "a b"))).contains("cannot be a sign"));
}

#[test]
fn marks_find_the_sign_that_says_them() {
    let mark = |at: &str, mark: &str, wish| Intent::Mark {
        sheet: sheet(),
        map: land(),
        spots: [Spot::from_name(at).unwrap()].into(),
        mark: mark.into(),
        wish,
    };
    let got = after(SCENARIO, &mark("A2", "camp", MarkWish::Put)).unwrap();
    assert!(got.contains("    gc g  s\n"), "{got}");
    assert_eq!(after(&got, &mark("A2", "camp", MarkWish::Take)).unwrap(), SCENARIO);
    // Letters add up.
    assert!(after(SCENARIO, &mark("C1", "camp", MarkWish::Put)).unwrap().contains(".  s  rc\n"));
    // No sign says it: a row that does is offered.
    let refusal = after(SCENARIO, &mark("C1", "hill", MarkWish::Put)).unwrap_err();
    assert_eq!(refusal.why, "Land has no sign that means exactly `hill, rock`");
    let Some(Offer::Instead(set)) = refusal.offers.first() else { panic!("{refusal:?}") };
    let got = set.apply_to_text("mine.scenario", SCENARIO).unwrap();
    assert!(got.contains(".  s  ra\n") && got.contains("\n  legend Land { ra: hill, rock }\n"), "{got}");
    assert_eq!(known(GAME, &got).report.findings, known(GAME, SCENARIO).report.findings);
}

#[test]
fn a_field_that_is_reset_goes_with_its_comments() {
    let key = FieldKey::Option("long".into());
    let got = after(SCENARIO, &Intent::ResetField { sheet: sheet(), field: key }).unwrap();
    assert_eq!(got, SCENARIO.replace("  # Why it is long.\n  long = yes                # really\n", ""));
    let seats = Intent::ResetField { sheet: sheet(), field: FieldKey::Seats };
    assert_eq!(
        after(SCENARIO, &seats).unwrap(),
        SCENARIO.replace("  seats 2                   # for two\n", "")
    );
    // Inherited: nothing to take out.
    let turns = Intent::ResetField { sheet: sheet(), field: FieldKey::Option("turns".into()) };
    assert_eq!(after(SCENARIO, &turns).unwrap(), SCENARIO);
}

#[test]
fn what_is_inherited_is_set_here_behind_its_last_sibling() {
    let a = known(GAME, SCENARIO);
    let d = Drawing::from_analysis(&a, &sheet()).unwrap();
    let states: Vec<(&str, &str, State)> =
        d.fields.iter().map(|f| (f.label.as_str(), f.text.as_str(), f.state)).collect();
    assert_eq!(
        states,
        [
            ("Title", "Mine", State::Own),
            ("Built on", "base", State::Own),
            ("Seats", "2", State::Own),
            ("Players", "2", State::Inherited),
            ("A long game", "yes", State::Own),
            ("How many turns", "4", State::Inherited),
        ]
    );
    let set = |text: &str| Intent::SetField {
        sheet: sheet(),
        field: FieldKey::Option("turns".into()),
        text: text.into(),
    };
    let got = after(SCENARIO, &set("12")).unwrap();
    assert_eq!(got, SCENARIO.replace("# really\n", "# really\n  turns = 12\n"));
    assert_eq!(after(SCENARIO, &set("21")).unwrap_err().why, "How many turns goes from 1 to 20");
    assert!(after(SCENARIO, &set("3 }")).is_err());
    // What is worked out is not written over without a question.
    let worked = SCENARIO.replace("long = yes", "long = not no");
    let over = Intent::SetField { sheet: sheet(), field: FieldKey::Option("long".into()), text: "no".into() };
    let refusal = after(&worked, &over).unwrap_err();
    let Some(Offer::Instead(set)) = refusal.offers.get(1) else { panic!("{refusal:?}") };
    assert_eq!(set.apply_to_text("mine.scenario", &worked).unwrap(), worked.replace("not no", "no"));
}

#[test]
fn growing_in_the_south_renames_what_names_its_spaces() {
    let by = |north, east, south, west| Intent::Resize {
        sheet: sheet(),
        map: land(),
        by: Sides { north, east, south, west },
        sign: "g".into(),
    };
    assert_eq!(
        after(SCENARIO, &by(1, 0, 0, 0)).unwrap(),
        SCENARIO.replace("    g  g  s\n", "    g  g  g\n    g  g  s\n")
    );
    let got = after(SCENARIO, &by(0, 0, 1, 1)).unwrap();
    let want = SCENARIO
        .replace("    g  g  s\n    .  s  r\n", "    g  g  g  s\n    g  .  s  r\n    g  g  g  g\n")
        .replace("A1.ground", "B2.ground")
        .replace("C2.ground", "D3.ground");
    assert_eq!(got, want);
    assert!(known(GAME, &got).report.findings.len() == known(GAME, SCENARIO).report.findings.len());
    // A space that is named cannot go.
    let refusal = after(SCENARIO, &by(0, -1, 0, 0)).unwrap_err();
    assert!(refusal.why.contains("names C2, which would be removed"), "{refusal:?}");
    assert!(matches!(refusal.offers.first(), Some(Offer::GoTo(..))));
}

#[test]
fn hexes_keep_their_neighbours_when_rows_are_added_below() {
    let game = GAME.replace("map Land squares", "map Land hexes");
    let drawn = "    g   r   s\n      .   s   r\n    g   g   s\n";
    let scenario = SCENARIO.replace("    g  g  s\n    .  s  r\n", drawn);
    let a = known(&game, &scenario);
    let by = Sides { south: 1, ..Sides::default() };
    let set = plan(&a, &Intent::Resize { sheet: sheet(), map: land(), by, sign: "g".into() }).unwrap();
    let got = set.apply_to_text("isle.rules", &game).unwrap();
    assert_eq!(got, game);
    let got = set.apply_to_text("mine.scenario", &scenario).unwrap();
    // The middle row was odd and is even now: it gets a place in the west, and the others are set in.
    let new = "      g   r   s\n    .   .   s   r\n      g   g   s\n    g   g   g   g\n";
    let want =
        scenario.replace(drawn, new).replace("A1.ground", "A2.ground").replace("C2.ground", "D3.ground");
    assert_eq!(got, want);
}

#[test]
fn what_is_drawn_elsewhere_can_be_drawn_here() {
    let game = GAME.replace(
        "part base for Isle { turns = 4 }",
        "part base for Isle {\n  turns = 4\n  map Land \"\"\"\n      g  s\n      s  g\n  \"\"\"\n}",
    );
    let scenario = "scenario mine \"Mine\" for Isle with base { }\n";
    let a = known(&game, scenario);
    let refusal = plan(&a, &paint(&["A1"], "r")).unwrap_err();
    assert!(refusal.why.starts_with("Land is drawn elsewhere, in isle.rules:"), "{refusal:?}");
    let Some(Offer::Instead(set)) = refusal.offers.first() else { panic!("{refusal:?}") };
    let got = set.apply_to_text("mine.scenario", scenario).unwrap();
    assert_eq!(
        got,
        "scenario mine \"Mine\" for Isle with base {\n  map Land \"\"\"\n    g  s\n    s  g\n  \"\"\"\n}\n"
    );
    assert!(plan(&known(&game, &got), &paint(&["A1"], "r")).is_ok());
}

#[test]
fn a_declared_size_is_kept() {
    let game = GAME.replace("map Land squares", "map Land squares 3 by 2");
    let a = known(&game, SCENARIO);
    let by = Sides { north: 1, ..Sides::default() };
    let refusal =
        plan(&a, &Intent::Resize { sheet: sheet(), map: land(), by, sign: "g".into() }).unwrap_err();
    assert!(refusal.why.contains("declared as squares 3 by 2"), "{refusal:?}");
}

#[test]
fn where_a_row_of_hexes_ends_early_nothing_is_drawn_when_it_moves() {
    let game = GAME.replace("map Land squares", "map Land hexes");
    let scenario = "scenario mine \"Mine\" for Isle {\n  map Land \"\"\"\n    g   g   g\n      g   g\n    s   s   s\n  \"\"\"\n}\n";
    let by = Sides { south: -1, east: 1, ..Sides::default() };
    let set =
        plan(&known(&game, scenario), &Intent::Resize { sheet: sheet(), map: land(), by, sign: "r".into() });
    let got = set.unwrap().apply_to_text("mine.scenario", scenario).unwrap();
    let a = known(&game, &got);
    let b = Drawing::from_analysis(&a, &sheet()).unwrap().boards.remove(0);
    let row = |r: u32| {
        (0..b.lattice.columns)
            .map(|c| b.sign_at(Spot::new(c, r)).unwrap_or("-"))
            .collect::<Vec<_>>()
            .join(" ")
    };
    // The row that was the second is the first, half a hex further to the west: all of it moves, its empty end, too.
    assert_eq!((row(1).as_str(), row(0).as_str()), ("g g g r", ". g g ."));
}

#[test]
fn windows_line_ends_stay() {
    let text = SCENARIO.replace('\n', "\r\n");
    let by = Sides { north: 1, south: 1, ..Sides::default() };
    let got = after(&text, &Intent::Resize { sheet: sheet(), map: land(), by, sign: "g".into() }).unwrap();
    assert_eq!(got.matches('\n').count(), got.matches("\r\n").count());
    let set = Intent::SetField { sheet: sheet(), field: FieldKey::Option("turns".into()), text: "3".into() };
    assert!(after(&text, &set).unwrap().contains("# really\r\n  turns = 3\r\n"));
}

/// A game of two maps: which of them a space is on is known by what is wanted there, not by what it is called.
const TWO: &str = r#"game Isle "Isle" { players 2; outcome win }
enum Ground { grass, sand }
map Land squares
map Sea squares
space Cell on Land { ground: Ground = grass }
space Wave on Sea { deep: 0..9 = 0 }
legend Land { g: grass; s: sand }
legend Sea { w: deep: 1; v: deep: 2 }
value ground_of(c: Cell): Ground = c.ground
value depth_of(w: Wave): 0..9 = w.deep
round once { }
"#;

const TWO_DRAWN: &str = r#"scenario mine "Mine" for Isle {
  map Land """
    g  g
    s  g
  """
  map Sea """
    w  w
    v  w
  """
}

test "names" on mine with Ann, Bo {
  expect ground_of(A1) == sand and depth_of(A1) == 2
  expect A2.ground == grass
}
"#;

#[test]
fn of_two_maps_only_what_is_on_the_one_that_grows_is_renamed() {
    let a = known(TWO, TWO_DRAWN);
    assert_eq!(a.report.findings, [], "a space is of the map that is wanted");
    let by = Sides { south: 1, ..Sides::default() };
    let grow = |map: &str, sign: &str| {
        let intent = Intent::Resize { sheet: sheet(), map: map.into(), by, sign: sign.into() };
        let set = plan(&a, &intent).unwrap();
        let got = set.apply_to_text("mine.scenario", TWO_DRAWN).unwrap();
        assert_eq!(known(TWO, &got).report.findings, []);
        got
    };
    let land = TWO_DRAWN
        .replace("    s  g\n", "    s  g\n    g  g\n")
        .replace("ground_of(A1)", "ground_of(A2)")
        .replace("A2.ground", "A3.ground");
    assert_eq!(grow("Land", "g"), land);
    let sea = TWO_DRAWN.replace("    v  w\n", "    v  w\n    w  w\n").replace("depth_of(A1)", "depth_of(A2)");
    assert_eq!(grow("Sea", "w"), sea);
}

#[test]
fn where_nobody_knows_the_map_a_resize_is_refused() {
    // What cannot be understood is of no map that is known.
    let broken = TWO_DRAWN.replace("A2.ground == grass", "nonesuch(A2)");
    let by = Sides { south: 1, ..Sides::default() };
    let a = known(TWO, &broken);
    let refusal =
        plan(&a, &Intent::Resize { sheet: sheet(), map: land(), by, sign: "g".into() }).unwrap_err();
    assert!(refusal.why.contains("several maps may have this space"), "{refusal:?}");
}

#[test]
fn of_several_on_which_it_may_be_built_one_is_drawn() {
    let game = GAME.replace(
        "part base for Isle { turns = 4 }",
        "part base for Isle {\n  turns = 4\n  map Land \"\"\"\n    g  s\n  \"\"\"\n}\n\
         part other for Isle {\n  turns = 9\n  legend Land { q: rock }\n  map Land \"\"\"\n    q  q  q\n  \"\"\"\n}",
    );
    let scenario = "scenario mine \"Mine\" for Isle with base or other { }\n";
    let a = known(&game, scenario);
    let drawn = |id: SheetId| {
        let d = Drawing::from_analysis(&a, &id).unwrap();
        let turns = d.field_of(&FieldKey::Option("turns".into())).unwrap().text.clone();
        (d.boards[0].lattice.columns, turns, d.sheet.built_on().map(|s| s.to_string()))
    };
    let choices = Drawing::from_analysis(&a, &sheet()).unwrap().sheet.choices;
    assert_eq!(choices.iter().map(|(n, _)| &**n).collect::<Vec<_>>(), ["base", "other"]);
    assert_eq!(drawn(sheet()), (2, "4".into(), Some("base".into())));
    let built = |on: &str| SheetId::Built("mine".into(), on.into());
    assert_eq!(drawn(built("other")), (3, "9".into(), Some("other".into())));
    // What it is not built on is not drawn: the first one is.
    assert_eq!(drawn(built("nonesuch")), (2, "4".into(), Some("base".into())));
    // What is planned there is of what is drawn.
    let here = plan(&a, &Intent::DrawHere { sheet: built("other"), map: land() }).unwrap();
    assert!(here.apply_to_text("mine.scenario", scenario).unwrap().contains("    q  q  q\n"));
}

#[test]
fn a_field_is_set_in_several_scenarios_as_one_step() {
    let second = "scenario second \"Second\" for Isle { long = no }\n";
    let both = format!("{SCENARIO}{second}");
    let sheets = vec![sheet(), SheetId::Scenario("second".into())];
    let key = FieldKey::Option("turns".into());
    let set = |text: Option<&str>| Intent::SetFields {
        sheets: sheets.clone(),
        field: key.clone(),
        text: text.map(String::from),
    };
    let got = after(&both, &set(Some("12"))).unwrap();
    let want = both
        .replace("# really\n", "# really\n  turns = 12\n")
        .replace("long = no }", "long = no; turns = 12 }");
    assert_eq!(got, want);
    let a = known(GAME, &both);
    assert_eq!(plan(&a, &set(Some("12"))).unwrap().label, "set How many turns of 2 scenarios to 12");
    assert_eq!(after(&got, &set(None)).unwrap(), both);
    // Where one of them has it already, only the other is written.
    let one = both.replace("long = no }", "long = no; turns = 12 }");
    assert_eq!(after(&one, &set(Some("12"))).unwrap(), want);
    // So is who inherits it: what it is built on says so.
    assert_eq!(after(&both, &set(Some("4"))).unwrap(), both.replace("long = no }", "long = no; turns = 4 }"));
    // All or none, and it says which would not do.
    let refusal = after(&both, &set(Some("99"))).unwrap_err();
    assert_eq!(refusal.why, "mine: How many turns goes from 1 to 20");
    let title = Intent::SetFields { sheets: sheets.clone(), field: FieldKey::Title, text: Some("x".into()) };
    assert!(after(&both, &title).unwrap_err().why.contains("its own title"));
}

#[test]
fn a_sheet_that_is_named_twice_is_written_once() {
    let twice = |sheets: Vec<SheetId>| {
        let field = FieldKey::Option("turns".into());
        after(SCENARIO, &Intent::SetFields { sheets, field, text: Some("12".into()) }).unwrap()
    };
    let built = SheetId::Built("mine".into(), "base".into());
    let once = twice(vec![sheet()]);
    assert!(once.contains("\n  turns = 12\n"));
    assert_eq!(twice(vec![sheet(), sheet(), built]), once);
}

#[test]
fn a_declaration_is_written_around_its_remarks() {
    let block =
        "  setup {\n    # Nobody begins alone.\n    A1.ground = sand   # really\n    B1.ground = rock\n  }\n";
    let with = SCENARIO.replace("  needs count", &format!("{block}\n  needs count"));
    let a = known(GAME, &with);
    let d = Drawing::from_analysis(&a, &sheet()).unwrap();
    let item = d.listed.iter().find(|l| l.text.starts_with("setup")).unwrap().item.unwrap();
    let write = |text: &str| after(&with, &Intent::SetItem { sheet: sheet(), item, text: text.into() });
    assert_eq!(
        write("setup { A1.ground = grass; B1.ground = rock }").unwrap(),
        with.replace("A1.ground = sand", "A1.ground = grass")
    );
    assert_eq!(
        write("setup { A1.ground = sand; B1.ground = rock; C1.ground = sand }").unwrap(),
        with.replace("    B1.ground = rock\n", "    B1.ground = rock; C1.ground = sand\n")
    );
    // Who writes it with its remarks puts them where he likes.
    let own = block.trim().replace("rock", "grass");
    assert_eq!(write(&own).unwrap(), with.replace("B1.ground = rock", "B1.ground = grass"));
    // A remark is never lost.
    let lost = block.trim().replace("   # really", "");
    assert!(write(&lost).unwrap_err().why.contains("comments"));
}

#[test]
fn a_row_without_marks_keeps_its_end() {
    let with =
        SCENARIO.replace("  seats 2", "  legend Land {\n    e:;  f: rock\n    h: sand\n  }\n  seats 2");
    assert_eq!(known(GAME, &with).report.findings, known(GAME, SCENARIO).report.findings);
    let reset = Intent::ResetLegend { sheet: sheet(), map: land(), sign: "f".into() };
    let got = after(&with, &reset).unwrap();
    assert_eq!(got, with.replace("e:;  f: rock\n", "e:;\n"));
    assert_eq!(known(GAME, &got).report.findings, known(GAME, SCENARIO).report.findings);
}

#[test]
fn what_is_played_with_a_variant_that_draws_the_map_itself_is_left_alone() {
    let more = "variant wide \"Wide\" {\n  map Land \"\"\"\n    g s\n    g g\n    g g\n  \"\"\"\n\n  test \"inside\" { expect B2.ground == grass }\n}\n\n\
                test \"wide\" on mine with Ann, Bo, wide { expect B2.ground == grass }\n";
    let text = format!("{SCENARIO}\n{more}");
    let by = Sides { south: 1, ..Sides::default() };
    let got = after(&text, &Intent::Resize { sheet: sheet(), map: land(), by, sign: "g".into() }).unwrap();
    assert!(got.contains("A2.ground == sand and C3.ground == sand"), "{got}");
    assert!(got.ends_with(more), "the variant's picture is as high as it was: {got}");
}

#[test]
fn a_sign_on_a_map_of_patches_needs_no_row_of_a_legend() {
    let game = r#"game Isle "Isle" { players 2; outcome win }
patch Sheet of 2 { prints { dry: bool = no } }
map Land squares of Sheet
space Cell on Land { }
space Plot for Sheet { slot sheet: Sheet }
round once { }
"#;
    let scenario =
        "scenario mine \"Mine\" for Isle {\n  map Land \"\"\"\n    a  a  b  b\n    .  .  .  .\n  \"\"\"\n}\n";
    let a = known(game, scenario);
    assert!(!a.report.has_errors(), "{:?}", a.report);
    let set = plan(&a, &paint(&["C1", "D1"], "bay")).expect("a new slot");
    let text = set.apply_to_text("mine.scenario", scenario).expect("it fits");
    assert!(text.contains("bay bay"), "{text}");
    assert!(!known(game, &text).report.has_errors(), "{text}");
    // Half a slot is found, at each of its spaces.
    let half = plan(&a, &paint(&["C1"], "bay")).expect("it can be painted");
    let text = half.apply_to_text("mine.scenario", scenario).expect("it fits");
    assert!(known(game, &text).report.findings.iter().any(|d| d.message.contains("covers 2")), "{text}");
}
