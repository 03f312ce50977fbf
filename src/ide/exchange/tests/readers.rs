//! The readers, on files as Tiled 1.11 and LDtk 1.5 write them, and on files that mean no good.
use super::*;

#[test]
fn every_encoding_of_tiled_says_the_same() {
    let elements = "  <data>\n   <tile gid=\"1\"/><tile gid=\"2\"/><tile/>\n   <tile gid=\"2147483650\"/><tile gid=\"1\"/><tile gid=\"1\"/>\n  </data>";
    let base64 =
        |packing: &str, text: &str| format!("  <data encoding=\"base64\"{packing}>\n   {text}\n  </data>");
    for data in [
        CSV,
        elements,
        &base64("", "AQAAAAIAAAAAAAAAAgAAgAEAAAABAAAA"),
        &base64(" compression=\"zlib\"", "eJxjZGBgYGKAACDdwAikQRgABPwAiA=="),
        &base64(" compression=\"gzip\"", "H4sIAAAAAAACA2NkYGBgYoAAIN3ACKRBGACgIFIWGAAAAA=="),
        // With a file's name in its head.
        &base64(" compression=\"gzip\"", "H4sICAAAAAAC/21hcABjZGBgYGKAACDdwAikQRgAoCBSFhgAAAA="),
    ] {
        let map = read("isle.tmx", &tmx(data)).unwrap();
        assert_eq!((map.columns, map.rows, map.shape, &*map.name), (3, 2, ForeignShape::Squares, "isle"));
        assert_eq!(labels(&map, 0), CELLS, "{data}");
        assert_eq!(
            map.dropped,
            [
                "Layer “notes” is an object layer with 1 object: it is left out.",
                "1 tile is flipped or turned, first in column 1 of row 2 from the top: they stand unturned.",
            ]
        );
    }
}

#[test]
fn json_says_what_xml_does() {
    let map = |layer: &str| {
        format!(
            "{{ \"compressionlevel\":-1, \"height\":2, \"width\":3, \"infinite\":false, \"layers\":[{layer}, {{\"type\":\"objectgroup\", \"name\":\"notes\", \"draworder\":\"topdown\", \"objects\":[{{\"id\":1, \"x\":8, \"y\":8}}]}}], \"orientation\":\"orthogonal\", \"tilesets\":[{{\"columns\":2, \"firstgid\":1, \"image\":\"land.png\", \"name\":\"land\", \"tilecount\":2, \"tiles\":[{{\"id\":0, \"type\":\"grass\"}}, {{\"id\":1, \"properties\":[{{\"name\":\"name\", \"type\":\"string\", \"value\":\"sand\"}}]}}]}}], \"type\":\"map\", \"version\":\"1.10\" }}"
        )
    };
    let numbers = "{\"type\":\"tilelayer\", \"name\":\"ground\", \"visible\":true, \"opacity\":1, \"width\":3, \"height\":2, \"data\":[1,2,0, 2147483650,1,1]}";
    let packed = "{\"type\":\"tilelayer\", \"name\":\"ground\", \"visible\":true, \"encoding\":\"base64\", \"compression\":\"zlib\", \"data\":\"eJxjZGBgYGKAACDdwAikQRgABPwAiA==\"}";
    let xml = read("isle.tmx", &tmx(CSV)).unwrap();
    assert_eq!(read("isle.tmj", &map(numbers)).unwrap(), xml);
    assert_eq!(read("isle.json", &map(packed)).unwrap(), xml);
    let why = read("isle.tmj", &map(&packed.replace("zlib", "zstd"))).unwrap_err();
    assert!(why.contains("packed by zstd") && why.contains("Tile Layer Format: CSV"), "{why}");
}

#[test]
fn an_infinite_map_is_what_its_chunks_hold() {
    let chunk = |x: i32, y: i32, gids: &str| {
        format!("   <chunk x=\"{x}\" y=\"{y}\" width=\"2\" height=\"2\">\n{gids}\n</chunk>\n")
    };
    let data = format!(
        "  <data encoding=\"csv\">\n{}{}  </data>",
        chunk(-2, -2, "0,0,\n0,2"),
        chunk(0, 0, "1,0,\n0,0")
    );
    let text = tmx(&data).replace("infinite=\"0\"", "infinite=\"1\"");
    let map = read("isle.tmx", &text).unwrap();
    assert_eq!((map.columns, map.rows), (2, 2));
    assert_eq!(labels(&map, 0), ["sand", "", "", "grass"]);
    // Of hexes the parity of a row is counted from the file's own row 0.
    let hexes = text.replace(
        "orientation=\"orthogonal\"",
        "orientation=\"hexagonal\" staggeraxis=\"y\" staggerindex=\"odd\"",
    );
    assert_eq!(read("isle.tmx", &hexes).unwrap().shape, ForeignShape::Hexes { first_east: true });
}

#[test]
fn tilesets_beside_the_map_give_names_and_others_are_named() {
    let text = |source: &str| {
        let whole = tmx(CSV);
        let (from, to) = (whole.find(" <tileset").unwrap(), whole.find(" <layer").unwrap());
        whole.replace(&whole[from..to], &format!(" <tileset firstgid=\"1\" source=\"{source}\"/>\n"))
    };
    let beside = |name: &str| {
        match name {
        "sets/land.tsx" => Ok(b"<tileset name=\"land\" tilecount=\"2\"><tile id=\"0\" class=\"grass\"/><tile id=\"1\" type=\"sand\"/></tileset>".to_vec()),
        "land.tsj" => Ok(b"{\"name\":\"land\", \"tiles\":[{\"id\":0, \"type\":\"grass\"}, {\"id\":1, \"type\":\"sand\"}]}".to_vec()),
        // One that names itself is not followed.
        "ring.tsx" => Ok(b"<tileset firstgid=\"1\" source=\"ring.tsx\"/>".to_vec()),
        _ => Err(String::from("there is no such file")),
    }
    };
    let read = |source: &str| read_maps("isle.tmx", text(source).as_bytes(), &beside).unwrap().remove(0);
    for source in ["sets/land.tsx", "land.tsj"] {
        assert_eq!(labels(&read(source), 0), CELLS, "{source}");
    }
    for (source, why) in [
        ("../land.tsx", "it does not lie in the folder of the map"),
        ("/etc/passwd", "it does not lie in the folder of the map"),
        ("C:\\land.tsx", "it does not lie in the folder of the map"),
        ("none.tsx", "there is no such file"),
    ] {
        let map = read(source);
        assert!(labels(&map, 0).contains(&&*format!("{} 0", split_name(source).0)), "{map:?}");
        let told = format!("The tileset {source} is not read ({why})");
        assert!(map.dropped.iter().any(|d| d.starts_with(&told)), "{:?}", map.dropped);
    }
    assert_eq!(labels(&read("ring.tsx"), 0)[0], "tiles 0");
}

#[test]
fn hostile_files_are_refused_in_a_sentence() {
    let refused = |name: &str, text: &str, what: &str| {
        let why = read(name, text).expect_err(text);
        assert!(why.contains(what), "{why}");
    };
    let size = |w: &str, h: &str| {
        tmx(CSV).replace("width=\"3\" height=\"2\" tilew", &format!("width=\"{w}\" height=\"{h}\" tilew"))
    };
    refused("a.tmx", &size("2000000000", "2000000000"), "it has 2000000000 columns");
    refused("a.tmx", &size("-3", "2"), "it has -3 columns");
    refused("a.tmx", &size("99999999999999999999", "2"), "it has 0 columns");
    refused("a.tmx", &size("30", "20"), "its data is not 600 cells");
    refused("a.tmx", &tmx(CSV)[..400], "its XML cannot be read");
    refused("a.tmx", &tmx(&CSV.replace(",1,1", ",1")), "layer “ground”: its data is not 6 cells");
    refused("a.tmx", &tmx(&CSV.replace("2,0", "2,x")), "`x` is no number of a tile");
    refused("a.tmx", "<html/>", "it holds a `html` and no map of Tiled");
    let bomb = "<!DOCTYPE map [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><map>&b;</map>";
    refused("a.tmx", bomb, "its XML cannot be read");
    // Twenty thousand bytes in the room of 24.
    let packed = "  <data encoding=\"base64\" compression=\"zlib\">eJztwTEBAAAAwqD1T20ND6AAAAAAAAAAAAAAAAAAAAAAAAAAeDBOIAAB</data>";
    refused("a.tmx", &tmx(packed), "is larger than the map");
    refused("a.tmx", &tmx(&packed.replace("eJzt", "e~zt")), "its base64 data is damaged");
    let groups = format!("{}{}", "<group name=\"g\">".repeat(40), "</group>".repeat(40));
    refused("a.tmx", &tmx(CSV).replace(" <layer", &format!("{groups} <layer")), "nested too deep");
    let layers = "<layer name=\"l\"><data encoding=\"csv\">1,1,1,1,1,1</data></layer>".repeat(70);
    refused("a.tmx", &tmx(CSV).replace(" <layer", &format!("{layers} <layer")), "more than 64 layers");
    let other = |axis: &str| tmx(CSV).replace("orientation=\"orthogonal\"", axis);
    refused("a.tmx", &other("orientation=\"hexagonal\" staggeraxis=\"x\""), "Stagger Axis: Y");
    refused("a.tmx", &other("orientation=\"staggered\" staggeraxis=\"y\""), "its orientation is `staggered`");
    refused("a.tmj", "{\"layers\": 7}", "it is no map of Tiled in JSON");
    refused("a.tmj", &"[".repeat(100_000), "it is no map of Tiled in JSON");
    refused("a.csv", "1,2,\n1,\n", "line 2 has 1 cells");
    refused("a.csv", "1,two,\n", "line 1: `two` is no number");
    refused("a.csv", "", "it has 0 columns");
    refused("a.csv", &"1,".repeat(300), "it has 300 columns");
    let many: String = (1..=150).map(|n| format!("{n},{},{},{}\n", n + 200, n + 400, n + 600)).collect();
    refused("a.csv", &many, "it uses 600 kinds of tiles");
    refused("a.ldtk", "{\"defs\":{\"layers\":[]},\"levels\":[]}", "the project has no level");
    refused("a.rules", "game", "files that end in `.rules` are not maps");
    assert!(read_maps("a.tmx", &[0xff, 0xfe, 0], &no_file).unwrap_err().contains("UTF-8"));
    assert!(read_maps("a.csv", &vec![b'1'; MOST_BYTES + 1], &no_file).unwrap_err().contains("16 MB"));
}

/// A project as LDtk 1.5 writes it, with what is not read left out.
const LDTK: &str = r##"{
  "__header__": { "fileType": "LDtk Project JSON", "app": "LDtk" }, "jsonVersion": "1.5.3", "worldLayout": "Free",
  "defs": { "layers": [ { "__type": "IntGrid", "identifier": "Ground", "type": "IntGrid", "uid": 1, "gridSize": 16,
    "intGridValues": [ { "value": 1, "identifier": "grass", "color": "#00FF00", "tile": null, "groupUid": 0 }, { "value": 2, "identifier": null, "color": "#0000FF", "tile": null, "groupUid": 0 } ] } ] },
  "levels": [
    { "identifier": "Level_0", "uid": 0, "pxWid": 48, "pxHei": 32, "externalRelPath": null, "layerInstances": [
      { "__identifier": "Things", "__type": "Entities", "__cWid": 3, "__cHei": 2, "__gridSize": 16, "layerDefUid": 2, "visible": true, "intGridCsv": [], "autoLayerTiles": [], "gridTiles": [], "entityInstances": [ { "__identifier": "Chest" } ] },
      { "__identifier": "Ground", "__type": "IntGrid", "__cWid": 3, "__cHei": 2, "__gridSize": 16, "layerDefUid": 1, "visible": true, "intGridCsv": [1,2,0,2,1,1], "autoLayerTiles": [], "gridTiles": [], "entityInstances": [] } ] },
    { "identifier": "Level_1", "uid": 1, "pxWid": 16, "pxHei": 16, "externalRelPath": "world/Level_1.ldtkl", "layerInstances": null } ],
  "worlds": []
}"##;

#[test]
fn int_grids_of_ldtk_are_read_from_projects_and_csv() {
    let level = r#"{ "identifier": "Level_1", "externalRelPath": null, "layerInstances": [ { "__identifier": "Ground", "__type": "IntGrid", "__cWid": 1, "__cHei": 1, "layerDefUid": 1, "intGridCsv": [2] } ] }"#;
    let beside = |name: &str| match name {
        "world/Level_1.ldtkl" => Ok(level.as_bytes().to_vec()),
        _ => no_file(name),
    };
    let all = read_maps("isle.ldtk", LDTK.as_bytes(), &beside).unwrap();
    assert_eq!(all.iter().map(|m| &*m.name).collect::<Vec<_>>(), ["Level_0", "Level_1"]);
    assert_eq!(labels(&all[0], 0), ["grass", "Ground 2", "", "Ground 2", "grass", "grass"]);
    assert_eq!(all[0].dropped, ["Layer “Things” is no int grid, and has 1 entity: it is left out."]);
    assert_eq!(labels(&all[1], 0), ["Ground 2"]);
    let why = read_maps("isle.ldtk", LDTK.as_bytes(), &no_file).unwrap_err();
    assert!(why.contains("the level Level_1 stands in world/Level_1.ldtkl"), "{why}");
    let short = LDTK.replace("[1,2,0,2,1,1]", "[1,2]");
    assert!(read_maps("isle.ldtk", short.as_bytes(), &beside).unwrap_err().contains("has 2 cells"));
    let csv = read("Ground.csv", "1,2,0,\r\n2,1,1,\r\n").unwrap();
    assert_eq!((csv.columns, csv.rows), (3, 2));
    assert_eq!(labels(&csv, 0), ["Ground 1", "Ground 2", "", "Ground 2", "Ground 1", "Ground 1"]);
}

proptest::proptest! {
    #[test]
    fn no_file_ends_the_program(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..200), cut in 0usize..2000, at in 0usize..2000, with in "[0-9<>\",\\-{}a-z]{1,4}") {
        for name in ["a.tmx", "a.tmj", "a.ldtk", "a.csv"] {
            let _ = read_maps(name, &bytes, &no_file);
        }
        // A file of which a piece is missing, and one in which something else stands.
        for (name, text) in [("a.tmx", tmx(CSV)), ("a.ldtk", LDTK.to_string()), ("a.csv", "1,2,\n3,4,\n".into())] {
            let near = |n: usize| (0..=n.min(text.len())).rev().find(|n| text.is_char_boundary(*n)).unwrap_or(0);
            let _ = read(name, &text[..near(cut)]);
            let (head, tail) = text.split_at(near(at));
            let _ = read(name, &format!("{head}{with}{}", tail.get(with.len()..).unwrap_or("")));
        }
    }
}
