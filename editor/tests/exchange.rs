//! Import and export of maps in Draw: the user maps the tiles of a file to signs of the legend, imports them in one step, and exports the drawn map.
use crate::support::{app, folder, nameless, open, opened, shipped, shows, tree, window};
use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use houserule_editor::App;
use houserule_editor::command::{Command, MapFormat};
use houserule_editor::dialogs::Given;
use houserule_editor::panels::Pane;
use houserule_editor::panels::draw::Act;
use std::path::PathBuf;

const MINE: &str = "scenarios/isle/mine.scenario";

const GAME: &str = "game Isle \"Isle\" { players 2; outcome win }\nenum Ground { grass, sand, rock }\nmap Land hexes\n\
    space Cell on Land { ground: Ground = grass; camp: bool = no }\nlegend Land { g: grass; s: sand; r: rock; c: camp }\nround once { }\n";

const SCENARIO: &str = "# Mine.\nscenario mine \"Mine\" for Isle {\n  map Land \"\"\"\n      g   s\n    g   g\n  \"\"\"   # hexes\n}\n";

/// A map of hexes of Tiled 1.11. Rows 1 and 3 from the top lie further to the east: of four rows here the others do. One tile is turned, one has no name that the legend knows.
const TMX: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<map version=\"1.10\" tiledversion=\"1.11.0\" orientation=\"hexagonal\" renderorder=\"right-down\" width=\"3\" height=\"4\" tilewidth=\"14\" tileheight=\"12\" infinite=\"0\" hexsidelength=\"6\" staggeraxis=\"y\" staggerindex=\"odd\" nextlayerid=\"4\" nextobjectid=\"2\">\n \
    <tileset firstgid=\"1\" name=\"hexes\" tilewidth=\"14\" tileheight=\"12\" tilecount=\"3\" columns=\"3\">\n  <image source=\"hexes.png\" width=\"42\" height=\"12\"/>\n  <tile id=\"0\" type=\"Grass\"/>\n  <tile id=\"1\" type=\"mud\"/>\n  <tile id=\"2\" type=\"camp\"/>\n </tileset>\n \
    <layer id=\"1\" name=\"ground\" width=\"3\" height=\"4\">\n  <data encoding=\"csv\">\n1,1,2,\n1,536870913,1,\n1,0,1,\n2,1,1\n</data>\n </layer>\n \
    <layer id=\"2\" name=\"camps\" width=\"3\" height=\"4\">\n  <data encoding=\"csv\">\n3,0,0,\n0,0,0,\n0,0,0,\n0,0,0\n</data>\n </layer>\n \
    <objectgroup id=\"3\" name=\"notes\">\n  <object id=\"1\" x=\"8\" y=\"8\"/>\n </objectgroup>\n</map>\n";

/// Draw with the small game of hexes, and dialogs that answer with these files.
fn isle(answers: Vec<PathBuf>) -> Harness<'static, App> {
    let texts = vec![("rules/isle/isle.rules".into(), GAME.to_string()), (MINE.into(), SCENARIO.to_string())];
    draw(app(texts), MINE, answers)
}

fn draw(mut app: App, file: &str, answers: Vec<PathBuf>) -> Harness<'static, App> {
    app.dialogs = Box::new(Given(answers));
    let mut h = window(app);
    h.state_mut().carry_out(Command::Show(Pane::Draw));
    open(&mut h, file);
    h.run_steps(3);
    h
}

/// Takes a line of a list.
fn choose(h: &mut Harness<'_, App>, list: &str, line: &str) {
    h.get_by_role_and_label(Role::ComboBox, list).click();
    h.run_steps(3);
    h.get_by_label(line).click();
    h.run_steps(4);
}

fn click(h: &mut Harness<'_, App>, label: &str) {
    h.get_by_label(label).click();
    h.run_steps(6);
}

fn act(h: &mut Harness<'_, App>, act: Act) {
    h.state_mut().carry_out(Command::Draw(act));
    h.run_steps(6);
}

fn mine<'a>(h: &'a Harness<'_, App>) -> &'a str {
    h.state().document.text(MINE).expect("the file")
}

fn said<'a>(h: &'a Harness<'_, App>) -> &'a str {
    &h.state().message.text
}

#[test]
fn a_map_of_hexes_is_imported_through_a_mapping_and_taken_back() {
    let dir = folder(&[("bay.tmx", TMX)]);
    let mut h = isle(vec![dir.path().join("bay.tmx")]);
    click(&mut h, "Import, export");
    click(&mut h, "Import a map …");
    assert!(said(&h).contains("Choose the sign of each tile of bay.tmx"), "{}", said(&h));
    assert!(shows(&h, "Import bay.tmx into Land") && shows(&h, "3 columns, 4 rows in the file"));
    // Equal names are mapped; what is left out is listed.
    assert!(shows(&h, "Layer “notes” is an object layer with 1 object: it is left out."));
    assert!(shows(&h, "1 tile is flipped or turned, first in column 2 of row 2 from the top"));
    assert!(shows(&h, "Tile “mud” has no sign: 2 cells left out."));
    assert!(shows(&h, "every second row is moved by one column"));
    assert_eq!(nameless(&h), [""; 0]);
    // The preview shows what would be drawn, and a layer can be left out.
    assert!(shows(&h, "A4: gc, "), "letters stand together");
    choose(&mut h, "mud ×2", "s: sand");
    assert!(!shows(&h, "has no sign") && shows(&h, "C4: s, sand") && shows(&h, "A1: no space"));
    click(&mut h, "Layer camps");
    assert!(shows(&h, "Layer “camps” is not taken: 1 tile left out.") && shows(&h, "A4: g, grass"));
    click(&mut h, "Layer camps");
    assert_eq!(mine(&h), SCENARIO, "nothing is written before it is imported");
    h.get_by_role_and_label(Role::Button, "Import").click();
    h.run_steps(6);
    let drawn: Vec<Vec<&str>> =
        mine(&h).lines().skip(3).take(4).map(|l| l.split_whitespace().collect()).collect();
    assert_eq!(
        drawn,
        [
            vec!["gc", "g", "s", "."],
            vec![".", "g", "g", "g"],
            vec!["g", ".", "g", "."],
            vec![".", "s", "g", "g"],
        ],
        "{}",
        mine(&h)
    );
    assert!(mine(&h).starts_with("# Mine.\n") && mine(&h).ends_with("  \"\"\"   # hexes\n}\n"));
    assert!(shows(&h, "A4: gc, grass, camp") && !shows(&h, "Import bay.tmx into Land"));
    // One step of the history, named and taken back byte for byte.
    assert_eq!(h.state().document.history().done.len(), 1);
    assert!(h.state().document.history().done[0].describe().contains("import bay.tmx"));
    h.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    h.run_steps(6);
    assert_eq!(mine(&h), SCENARIO);
}

#[test]
fn what_is_exported_and_imported_again_edits_nothing() {
    for file in [
        "scenarios/fuji/fuji_1.scenario",
        "scenarios/fog/solo_1.scenario",
        "scenarios/chess/endgame.scenario",
        "rules/classics/moorwalk/moorwalk.rules",
    ] {
        let dir = folder(&[]);
        let path = dir.path().join("out.tmx");
        let mut h = draw(app(shipped()), file, vec![path.clone(), path.clone()]);
        act(&mut h, Act::ExportMap(MapFormat::Tmx));
        assert!(said(&h).starts_with("Exported to "), "{file}: {}", said(&h));
        let png = std::fs::read(dir.path().join("out-tiles.png")).unwrap();
        assert!(png.starts_with(b"\x89PNG"), "the tiles' picture");
        act(&mut h, Act::ImportMap);
        assert!(shows(&h, "Nothing of the file is left out."), "{file}: {}", said(&h));
        h.get_by_role_and_label(Role::Button, "Import").click();
        h.run_steps(6);
        assert_eq!(said(&h), "The map is already as in the file: nothing was changed", "{file}");
        assert!(h.state().document.history().done.is_empty(), "{file}");
    }
}

#[test]
fn pictures_are_written_and_no_text_of_the_folder_changes() {
    let game = folder(&[("rules/isle/isle.rules", GAME), (MINE, SCENARIO)]);
    let before = tree(game.path());
    let out = folder(&[]);
    // A name without an ending gets it, and that of a text is not written over.
    let text = game.path().join(MINE);
    let answers = vec![
        out.path().join("isle.svg"),
        out.path().join("isle"),
        out.path().join("isle.rules"),
        text.clone(),
    ];
    let mut h = draw(opened(game.path()), MINE, answers);
    act(&mut h, Act::ExportMap(MapFormat::Svg));
    let svg = std::fs::read_to_string(out.path().join("isle.svg")).unwrap();
    assert!(svg.contains("<title>Mine</title>") && svg.matches("<polygon").count() == 4, "{svg}");
    act(&mut h, Act::ExportMap(MapFormat::Png));
    assert!(std::fs::read(out.path().join("isle.png")).unwrap().starts_with(b"\x89PNG"));
    act(&mut h, Act::ExportMap(MapFormat::Svg));
    assert!(out.path().join("isle.rules.svg").exists());
    assert_eq!(tree(game.path()), before);
    act(&mut h, Act::ExportMap(MapFormat::Tmx));
    assert!(said(&h).ends_with("mine.scenario.tmx"), "{}", said(&h));
    assert_eq!(std::fs::read_to_string(&text).unwrap(), SCENARIO);
    act(&mut h, Act::ExportMap(MapFormat::Png));
    assert_eq!(said(&h), "Not exported: no place was chosen");
}

#[test]
fn what_cannot_be_imported_is_told_and_nothing_changes() {
    let square = TMX.replace("orientation=\"hexagonal\"", "orientation=\"orthogonal\"");
    let dir = folder(&[("cut.tmx", &TMX[..TMX.len() - 30]), ("squares.tmx", &square), ("set.tmx", TMX)]);
    let file = |name: &str| dir.path().join(name);
    let mut h = isle(vec![file("cut.tmx"), file("none.tmx"), file("squares.tmx"), file("set.tmx")]);
    act(&mut h, Act::ImportMap);
    assert!(said(&h).starts_with("cut.tmx cannot be imported: its XML cannot be read"), "{}", said(&h));
    act(&mut h, Act::ImportMap);
    assert!(said(&h).starts_with("none.tmx cannot be imported: "), "{}", said(&h));
    act(&mut h, Act::ImportMap);
    assert!(shows(&h, "The file has squares, and Land has hexes"));
    let button = h.get_by_role_and_label(Role::Button, "Import");
    assert!(button.accesskit_node().is_disabled());
    click(&mut h, "Cancel");
    assert!(!shows(&h, "From file"));
    // Escape closes it, too.
    act(&mut h, Act::ImportMap);
    assert!(shows(&h, "From file") && shows(&h, "Import set.tmx into Land"));
    h.state_mut().carry_out(Command::Show(Pane::Draw));
    h.run_steps(2);
    h.key_press(Key::Escape);
    h.run_steps(4);
    assert!(!shows(&h, "From file") && said(&h) == "The map is not imported", "{}", said(&h));
    assert_eq!(mine(&h), SCENARIO);
    act(&mut h, Act::ImportMap);
    assert_eq!(said(&h), "No map was chosen");
}

#[test]
fn a_level_of_ldtk_is_chosen_and_its_values_are_mapped() {
    let level = |name: &str, cells: &str| {
        format!(
            "{{\"identifier\":\"{name}\",\"layerInstances\":[{{\"__identifier\":\"Ground\",\"__type\":\"IntGrid\",\"__cWid\":2,\"__cHei\":1,\"layerDefUid\":1,\"intGridCsv\":[{cells}]}}]}}"
        )
    };
    let project = format!(
        "{{\"defs\":{{\"layers\":[{{\"uid\":1,\"intGridValues\":[{{\"value\":1,\"identifier\":\"rock\"}},{{\"value\":2,\"identifier\":null}}]}}]}},\"levels\":[{},{}]}}",
        level("Level_0", "1,0"),
        level("Level_1", "1,2")
    );
    let dir = folder(&[("isle.ldtk", &project)]);
    let game = GAME.replace("hexes", "squares");
    let texts = vec![("rules/isle/isle.rules".into(), game), (MINE.into(), SCENARIO.to_string())];
    let mut h = draw(app(texts), MINE, vec![dir.path().join("isle.ldtk")]);
    act(&mut h, Act::ImportMap);
    assert!(shows(&h, "rock ×1") && shows(&h, "A1: r, rock"));
    choose(&mut h, "Level", "Level_1");
    choose(&mut h, "Ground 2 ×1", "s: sand");
    h.get_by_role_and_label(Role::Button, "Import").click();
    h.run_steps(6);
    assert_eq!(mine(&h), SCENARIO.replace("      g   s\n    g   g\n", "    r s\n"));
}
