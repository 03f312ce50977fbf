//! Variants and mods that draw maps over the game's and its scenarios': their sheets, and what is planned on them.
use houserule::ide::draw::{
    Drawing, FieldKey, SheetId, Spot, State, brush, find_sheet_around, list_sheets, rewrite_to_one_base,
};
use houserule::ide::plan::{Intent, Sides, plan};
use houserule::ide::{Analysis, Refusal};
use houserule::play::{Game, Setup};
use houserule::text::{File, Files};
use std::sync::Arc;

const GAME: &str = r#"game Isle "Isle" { players 2; outcome win }
enum Ground { grass, sand, rock }
map Land squares
space Cell on Land { ground: Ground = grass }
legend Land { g: grass; s: sand; r: rock }
option long "A long game": bool = no
round once { }
"#;

const TEXT: &str = r#"scenario mine "Mine" for Isle {
  map Land """
    g  g
    s  g
  """

  variant low "Low tide" {
    map Land """
      s  g
      s  s
    """
    test "ebb" on mine with Ann, Bo { expect A1.ground == sand }
  }
}

scenario far "Far" for Isle with mine { long = yes }
scenario other "Other" for Isle {
  map Land """
    r  r
  """
}

variant wide "Wide" {
  # As wide as it gets.
  legend Land { q: rock }
  map Land """
    g  s  q
    g  g  g
  """

  test "inside" { expect C2.ground == rock }
}
variant calm "Calm" { }

test "names" on mine with Ann, Bo { expect A1.ground == sand }
test "wide" on mine with Ann, Bo, calm, wide { expect C2.ground == rock }
test "both" on mine with Ann, Bo, wide, low { expect A2.ground == sand }
"#;

fn known(game: &str, text: &str) -> Analysis {
    let mut files = Files::new();
    files.add(File::new("isle.rules", game));
    files.add(File::new("mine.rules", text));
    Analysis::from_source(&files)
}

fn variant(name: &str, under: &[&str]) -> SheetId {
    SheetId::Variant(name.into(), under.iter().map(|n| Arc::from(*n)).collect())
}

/// The rows of the map of a sheet, from the north.
fn rows(a: &Analysis, id: &SheetId) -> Vec<String> {
    let d = Drawing::from_analysis(a, id).unwrap_or_else(|| panic!("{id:?} is no sheet"));
    let b = &d.boards[0];
    let sign = |c: u32, r: u32| b.sign_at(Spot::new(c, r)).unwrap_or("-").to_string();
    let row = |r: u32| (0..b.lattice.columns).map(|c| sign(c, r)).collect::<Vec<_>>().join(" ");
    (0..b.lattice.rows).rev().map(row).collect()
}

fn after(text: &str, intent: &Intent) -> Result<String, Refusal> {
    let a = known(GAME, text);
    assert!(a.sound, "{:?}", a.report.findings);
    let set = plan(&a, intent)?;
    assert!(set.edits().iter().all(|e| &*e.file == "mine.rules"), "{set:?}");
    let got = set.apply_to_text("mine.rules", text).expect("it fits");
    assert!(known(GAME, &got).sound, "{got}");
    Ok(got)
}

fn land() -> Arc<str> {
    "Land".into()
}

fn choices(a: &Analysis, id: &SheetId) -> (Vec<String>, Option<String>) {
    let s = Drawing::from_analysis(a, id).unwrap().sheet;
    (s.choices.iter().map(|(n, _)| n.to_string()).collect(), s.built_on().map(|n| n.to_string()))
}

#[test]
fn variants_stand_behind_the_scenarios() {
    let a = known(GAME, TEXT);
    let all: Vec<String> = list_sheets(&a).into_iter().map(|s| s.title).collect();
    assert_eq!(all, ["Isle", "Mine", "Far", "Other", "Low tide", "Wide", "Calm"]);
}

#[test]
fn a_variant_shows_its_own_picture_or_what_it_lies_over() {
    let a = known(GAME, TEXT);
    assert_eq!(rows(&a, &variant("wide", &[])), ["g s q", "g g g"]);
    assert_eq!(rows(&a, &variant("low", &[])), ["s g", "s s"]);
    assert_eq!(rows(&a, &variant("calm", &[])), ["g g", "s g"], "the first scenario's");
    assert_eq!(rows(&a, &variant("calm", &["other"])), ["r r"]);
    assert_eq!(rows(&a, &variant("calm", &["other", "wide"])), ["g s q", "g g g"], "another variant is on");
    // Where only scenarios draw the map one is always played; one that draws it itself can do without.
    assert_eq!(
        choices(&a, &variant("calm", &["other"])),
        (vec!["mine".into(), "far".into(), "other".into()], Some("other".into()))
    );
    assert_eq!(
        choices(&a, &variant("wide", &[])),
        (
            vec!["the game alone".into(), "mine".into(), "far".into(), "other".into()],
            Some("the game alone".into())
        )
    );
    // What stands in a scenario is played on that, and on what is built on it.
    assert_eq!(
        choices(&a, &variant("low", &["far"])),
        (vec!["mine".into(), "far".into()], Some("far".into()))
    );
    assert_eq!(choices(&a, &variant("low", &["other"])).1, Some("mine".into()));
    let d = Drawing::from_analysis(&a, &variant("low", &["far"])).unwrap();
    assert_eq!(d.sheet.scenario.as_deref(), Some("far"));
    let long = d.field_of(&FieldKey::Option("long".into())).unwrap();
    assert_eq!((long.text.as_str(), long.state), ("yes", State::Inherited));
}

#[test]
fn what_is_shown_is_what_is_played() {
    let mut files = Files::new();
    files.add(File::new("isle.rules", GAME));
    files.add(File::new("mine.rules", TEXT));
    let game = Game::load(&files).unwrap_or_else(|r| panic!("{:?}", r.findings));
    let a = known(GAME, TEXT);
    for id in [
        variant("wide", &[]),
        variant("wide", &["mine"]),
        variant("low", &["far"]),
        variant("calm", &["mine"]),
        variant("calm", &["other", "wide"]),
        variant("low", &["mine", "wide"]),
        variant("wide", &["mine", "low"]),
    ] {
        let d = Drawing::from_analysis(&a, &id).unwrap();
        let setup = Setup {
            scenario: d.sheet.scenario.as_ref().map(|s| s.to_string()),
            variants: d.sheet.variants.iter().map(|v| v.to_string()).collect(),
            ..Setup::with_seed(1)
        };
        let program = game.lower_setup(&setup).unwrap_or_else(|r| panic!("{id:?}: {:?}", r.findings));
        let n = program.universes.get(program.maps[0].spaces.index()).unwrap().n;
        assert_eq!(d.boards[0].cells.iter().filter(|c| c.space).count(), n as usize, "{id:?}");
    }
}

#[test]
fn painting_a_variant_writes_in_its_picture() {
    let paint = |id: SheetId, spot: &str, sign: &str| {
        let strokes = brush::with_sign(&[Spot::from_name(spot).unwrap()].into(), &Arc::from(sign));
        after(TEXT, &Intent::Paint { sheet: id, map: land(), strokes, what: "paint".into() })
    };
    assert_eq!(
        paint(variant("wide", &[]), "A1", "q").unwrap(),
        TEXT.replace("    g  g  g\n", "    q  g  g\n")
    );
    assert_eq!(
        paint(variant("low", &["far"]), "B2", "r").unwrap(),
        TEXT.replace("      s  g\n      s  s", "      s  r\n      s  s")
    );
    let refusal = paint(variant("calm", &["other"]), "A1", "g").unwrap_err();
    assert!(refusal.why.contains("drawn elsewhere") && refusal.offers.len() == 2, "{refusal:?}");
}

#[test]
fn the_map_that_a_variant_lies_over_can_be_drawn_in_it() {
    let here = |id: SheetId| after(TEXT, &Intent::DrawHere { sheet: id, map: land() }).unwrap();
    let with = "variant calm \"Calm\" {\n  map Land \"\"\"\n    r  r\n  \"\"\"\n}";
    assert_eq!(here(variant("calm", &["other"])), TEXT.replace("variant calm \"Calm\" { }", with));
    assert_eq!(here(variant("low", &[])), TEXT);
}

#[test]
fn a_variant_has_a_form() {
    let long = FieldKey::Option("long".into());
    let id = variant("wide", &[]);
    let d = Drawing::from_analysis(&known(GAME, TEXT), &id).unwrap();
    assert_eq!(d.fields.iter().map(|f| f.label.as_str()).collect::<Vec<_>>(), ["Title", "A long game"]);
    let set = Intent::SetField { sheet: id.clone(), field: long.clone(), text: "yes".into() };
    let got = after(TEXT, &set).unwrap();
    assert!(got.contains("variant wide \"Wide\" {\n  long = yes\n"), "{got}");
    assert_eq!(after(&got, &Intent::ResetField { sheet: id.clone(), field: long }).unwrap(), TEXT);
    let title = Intent::SetField { sheet: id.clone(), field: FieldKey::Title, text: "Wider".into() };
    assert_eq!(after(TEXT, &title).unwrap(), TEXT.replace("\"Wide\"", "\"Wider\""));
    // What only variants and mods may say can be added.
    let change = Intent::AddItem { sheet: id, text: "change Cell { wet: bool = no }".into() };
    assert!(after(TEXT, &change).unwrap().contains("\n  change Cell { wet: bool = no }\n"));
}

#[test]
fn a_resize_of_a_variant_renames_what_is_played_with_it() {
    let by = Sides { south: 1, ..Sides::default() };
    let grow = |name: &str| {
        after(TEXT, &Intent::Resize { sheet: variant(name, &[]), map: land(), by, sign: "g".into() }).unwrap()
    };
    let wide = TEXT.replace("    g  g  g\n", "    g  g  g\n    g  g  g\n").replace("C2.ground", "C3.ground");
    assert_eq!(grow("wide"), wide);
    // Of two variants the last one's picture is played.
    let low = TEXT
        .replace("      s  s\n", "      s  s\n      g  g\n")
        .replace("low { expect A2", "low { expect A3")
        .replace("\"ebb\" on mine with Ann, Bo { expect A1", "\"ebb\" on mine with Ann, Bo { expect A2");
    assert_eq!(grow("low"), low);
    // The scenario's own picture is none of theirs.
    let mine = TEXT
        .replace("    s  g\n  \"\"\"\n\n  variant low", "    s  g\n    g  g\n  \"\"\"\n\n  variant low")
        .replace("\"names\" on mine with Ann, Bo { expect A1", "\"names\" on mine with Ann, Bo { expect A2");
    let sheet = SheetId::Scenario("mine".into());
    assert_eq!(after(TEXT, &Intent::Resize { sheet, map: land(), by, sign: "g".into() }).unwrap(), mine);
}

#[test]
fn what_a_scenario_says_of_spaces_keeps_a_variant_from_moving_them() {
    let text = TEXT.replace("long = yes }", "long = yes; before setup { A1.ground = rock } }");
    let by = Sides { south: 1, ..Sides::default() };
    let refusal =
        after(&text, &Intent::Resize { sheet: variant("wide", &[]), map: land(), by, sign: "g".into() })
            .unwrap_err();
    assert!(refusal.why.contains("names A1 for all scenarios"), "{refusal:?}");
}

#[test]
fn a_declared_size_is_kept_for_a_variant() {
    let game = GAME.replace("map Land squares", "map Land squares 2 by 1 \"\"\"\n  g  g\n\"\"\"");
    let text = "scenario shore \"Shore\" for Isle { variant low \"Low tide\" { map Land \"\"\"\n    s  s\n  \"\"\" } }\n";
    let a = known(&game, text);
    assert!(a.sound, "{:?}", a.report.findings);
    let by = Sides { north: 1, ..Sides::default() };
    let why = |sheet: SheetId| {
        plan(&a, &Intent::Resize { sheet, map: land(), by, sign: "g".into() }).unwrap_err().why
    };
    assert_eq!(why(SheetId::Game), "low draws Land in this size, too");
    assert!(why(variant("low", &[])).contains("declared as squares 2 by 1"));
}

#[test]
fn a_mod_is_drawn_and_lies_over_everything() {
    let more = "mod \"Sandstorm\" for Isle {\n  legend Land { d: sand }\n  map Land \"\"\"\n    d  d\n  \"\"\"\n  variant dune \"Dune\" {\n    map Land \"\"\"\n      s\n    \"\"\"\n  }\n}\n";
    let text = format!("{TEXT}{more}");
    let a = known(GAME, &text);
    let id = SheetId::Mod("Sandstorm".into(), Vec::new());
    assert_eq!(rows(&a, &id), ["d d"]);
    assert_eq!(rows(&a, &SheetId::Scenario("mine".into())), ["d d"], "it is in force");
    assert_eq!(rows(&a, &variant("dune", &[])), ["d d"], "over its own variant, too");
    let strokes = brush::with_sign(&[Spot::new(0, 0)].into(), &Arc::from("s"));
    let paint = Intent::Paint { sheet: id, map: land(), strokes, what: "paint".into() };
    assert_eq!(after(&text, &paint).unwrap(), text.replace("    d  d\n", "    s  d\n"));
}

#[test]
fn a_place_of_the_text_leads_to_its_sheet() {
    let a = known(GAME, TEXT);
    let around = |what: &str| {
        let n = TEXT.find(what).unwrap_or_else(|| panic!("{what}"));
        find_sheet_around(&a, "mine.rules", |r| r.start <= n && n <= r.end)
    };
    let at = |what: &str| around(what).map(|a| a.id);
    let scenario = |n: &str| Some(SheetId::Scenario(n.into()));
    assert_eq!(at("long = yes"), scenario("far"));
    assert_eq!(at("q: rock"), Some(variant("wide", &[])));
    assert_eq!(at("s  s\n"), Some(variant("low", &[])), "the innermost");
    assert_eq!(at("test \"names\""), scenario("mine"));
    // Tests: the picture that they are played on, with all variants that are on.
    assert_eq!(at("expect C2.ground == rock }\n}"), Some(variant("wide", &[])));
    assert_eq!(at("test \"wide\""), Some(variant("wide", &["mine", "calm"])));
    assert_eq!(at("test \"both\""), Some(variant("low", &["mine", "wide"])));
    assert_eq!(at("expect A1.ground == sand }\n  }"), Some(variant("low", &["mine"])));
    assert_eq!(rows(&a, &at("test \"both\"").unwrap()), ["s g", "s s"]);
    assert_eq!(find_sheet_around(&a, "isle.rules", |r| r.start == 0), None);
    // What is played with it; and whether that is for whoever looks at it to say.
    let on =
        |what: &str| around(what).map(|a| (a.scenario.map_or("none".into(), |s| s.to_string()), a.settled));
    let told = |s: &str, settled: bool| Some((s.to_string(), settled));
    assert_eq!(on("long = yes"), told("far", false));
    assert_eq!(on("s  s\n"), told("mine", false));
    assert_eq!(on("expect A1.ground == sand }\n  }"), told("mine", true));
    assert_eq!(on("expect C2.ground == rock }\n}"), told("none", true));
    let (wide, both) = (around("q: rock").unwrap(), around("test \"wide\"").unwrap());
    assert!(wide.is_sheet(&variant("wide", &["mine"])) && !wide.is_sheet(&variant("low", &[])));
    assert!(both.is_sheet(&both.id) && !both.is_sheet(&variant("wide", &[])));
}

#[test]
fn what_may_be_built_on_several_is_settled_on_the_one_that_is_drawn() {
    let text = TEXT.replace("for Isle with mine {", "for Isle with mine or other {");
    let a = known(GAME, &text);
    let settled = |id: SheetId| {
        let sheet = Drawing::from_analysis(&a, &id).unwrap().sheet;
        rewrite_to_one_base(&a, &sheet).apply_to_text("mine.rules", &text).unwrap()
    };
    let on = |n: &str| text.replace("with mine or other {", &format!("with {n:13} {{"));
    assert_eq!(settled(SheetId::Scenario("far".into())), on("mine"));
    assert_eq!(settled(SheetId::Built("far".into(), "other".into())), on("other"));
    assert_eq!(settled(SheetId::Scenario("mine".into())), on("mine"), "another's is built on its first");
    assert!(
        Game::load(&{
            let mut files = Files::new();
            files.add(File::new("isle.rules", GAME));
            files.add(File::new("mine.rules", settled(SheetId::Built("far".into(), "other".into()))));
            files
        })
        .is_ok()
    );
}

/// A mod that draws the map and sets the option, with tests of its own.
const OVER: &str = r#"mod "Sandstorm" for Isle {
  long = no
  map Land """
    s  s
    s  s
  """
  variant dune "Dune" {
    test "dune" on mine with Ann, Bo, dune { expect A1.ground == sand }
  }
  test "storm" on mine with Ann, Bo { expect A1.ground == sand }
}
"#;

#[test]
fn what_a_mod_lies_over_is_not_changed_unseen() {
    let text = format!("{TEXT}{OVER}");
    let a = known(GAME, &text);
    assert!(a.sound, "{:?}", a.report.findings);
    for (id, name) in [
        (SheetId::Scenario("mine".into()), "mine"),
        (SheetId::Scenario("far".into()), "far"),
        (variant("wide", &[]), "wide"),
    ] {
        let b = Drawing::from_analysis(&a, &id).unwrap().boards.remove(0);
        assert!(!b.origin.is_own(), "{name}: the mod's picture is shown");
        let strokes = brush::with_sign(&[Spot::new(0, 0)].into(), &Arc::from("r"));
        let by = Sides { north: 1, ..Sides::default() };
        for intent in [
            Intent::Paint { sheet: id.clone(), map: land(), strokes, what: "paint".into() },
            Intent::Resize { sheet: id.clone(), map: land(), by, sign: "g".into() },
            Intent::DrawHere { sheet: id.clone(), map: land() },
        ] {
            let refusal = plan(&a, &intent).expect_err(name);
            assert!(refusal.why.contains("something that applies after it"), "{name}: {refusal:?}");
            assert_eq!(refusal.offers.len(), 1, "it leads to that picture");
        }
    }
}

#[test]
fn an_option_that_a_mod_sets_is_not_set_twice_in_a_scenario() {
    let text = format!("{TEXT}{OVER}");
    let a = known(GAME, &text);
    let id = SheetId::Scenario("far".into());
    let long = FieldKey::Option("long".into());
    let d = Drawing::from_analysis(&a, &id).unwrap();
    assert_eq!(d.field_of(&long).unwrap().state, State::Inherited, "the mod says it");
    let set = Intent::SetField { sheet: id.clone(), field: long.clone(), text: "yes".into() };
    let refusal = plan(&a, &set).unwrap_err();
    assert!(refusal.why.contains("something that applies after it"), "{refusal:?}");
    // What is said here can be taken out all the same.
    let got = plan(&a, &Intent::ResetField { sheet: id, field: long }).unwrap();
    assert_eq!(
        got.apply_to_text("mine.rules", &text).unwrap(),
        text.replace("with mine { long = yes }", "with mine { }")
    );
}

#[test]
fn tests_in_a_mod_that_draws_the_map_speak_of_its_picture() {
    let text = format!("{TEXT}{OVER}");
    let by = Sides { south: 1, ..Sides::default() };
    let grow = |text: &str, sheet: SheetId| {
        let a = known(GAME, text);
        let set = plan(&a, &Intent::Resize { sheet, map: land(), by, sign: "g".into() });
        set.unwrap_or_else(|r| panic!("{r:?}")).apply_to_text("mine.rules", text).unwrap()
    };
    let want = text
        .replace(
            "    s  s\n    s  s\n  \"\"\"\n  variant dune",
            "    s  s\n    s  s\n    g  g\n  \"\"\"\n  variant dune",
        )
        .replace("dune { expect A1", "dune { expect A2")
        .replace("\"storm\" on mine with Ann, Bo { expect A1", "\"storm\" on mine with Ann, Bo { expect A2");
    assert_eq!(grow(&text, SheetId::Mod("Sandstorm".into(), Vec::new())), want);
}

#[test]
fn however_far_apart_those_stand_on_which_it_may_be_built() {
    let far = format!("mine # {}\n  or other", "so ".repeat(30_000));
    let text = TEXT.replace("for Isle with mine {", &format!("for Isle with {far} {{"));
    let a = known(GAME, &text);
    let sheet = Drawing::from_analysis(&a, &SheetId::Built("far".into(), "other".into())).unwrap().sheet;
    let got = rewrite_to_one_base(&a, &sheet).apply_to_text("mine.rules", &text).unwrap();
    assert_eq!(got.len(), text.len());
    assert!(!got.contains("# so") && got.contains("for Isle with other "));
    // So are the blanks before a row of a picture.
    let wide = TEXT.replace("    r  r\n", &format!("{}r  r\n    r  r\n", " ".repeat(70_000)));
    let a = known(GAME, &wide);
    let here = Intent::DrawHere { sheet: variant("calm", &["other"]), map: land() };
    assert!(plan(&a, &here).unwrap().apply_to_text("mine.rules", &wide).unwrap().len() > wide.len() + 60_000);
}

#[test]
fn a_part_that_draws_a_map_in_a_declared_size_is_called_by_its_name() {
    let game = GAME.replace("map Land squares", "map Land squares 2 by 1 \"\"\"\n  g  g\n\"\"\"");
    let text = "part shore for Isle {\n  map Land \"\"\"\n    s  s\n  \"\"\"\n}\n";
    let by = Sides { north: 1, ..Sides::default() };
    let refusal = plan(
        &known(&game, text),
        &Intent::Resize { sheet: SheetId::Game, map: land(), by, sign: "g".into() },
    );
    assert_eq!(refusal.unwrap_err().why, "shore draws Land in this size, too");
}
