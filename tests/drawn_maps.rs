//! What a drawn map may show: no more than the box holds.
use houserule::play::{Game, Setup};
use houserule::text::{File, Files};

#[test]
fn a_map_shows_no_more_than_the_box_holds() {
    let head = "game It \"It\" { players black, white; outcome win; begins on it }\n\
                map Board squares\nspace Cell on Board { slot man: Man; slot tile: Tile }\n\
                piece Man of player\nMan peg x2\nMan king\ncard Tile x2\ntable { zone pile: Tile }\n\
                legend Board { P: peg; M: Man; k: king; B: black; W: white; r: Tile; z: pile; b: peg, black }\n\
                round once { }\n";
    for (picture, found) in [
        ("BP BP WP WP Bk r", None),
        ("P P P P M M", None),
        ("z z z", None),
        ("bP bP WP", None),
        ("BP BP BP WP", Some("Board shows 3 of `peg`, but there are only 2")),
        ("P P P P P", Some("Board shows 5 of `peg`, but there are only 4")),
        ("r r r", Some("Board shows 3 of `Tile`, but there are only 2")),
        ("BM BM BM Bk", Some("there are not enough of `king` for this sign")),
    ] {
        for builds in ["", "setup { build Board }\n"] {
            let text = format!(
                "{head}{builds}scenario it \"It\" for It {{ map Board \"\"\"\n  {picture}\n\"\"\" }}\n"
            );
            let mut files = Files::new();
            files.add(File::new("it.rules", text));
            let game = Game::load(&files).unwrap_or_else(|r| panic!("{:?}", r.findings));
            let report = game.lower_setup(&Setup::default()).err();
            let messages: Vec<String> =
                report.iter().flat_map(|r| &r.findings).map(|d| d.message.clone()).collect();
            assert_eq!(messages, Vec::from_iter(found.map(String::from)), "{picture}");
        }
    }
}
