//! Every map that ships, exported for Tiled and imported again: nothing is edited, and nothing is left out.
use crate::support;
use houserule::ide::Analysis;
use houserule::ide::draw::{Drawing, list_sheets};
use houserule::ide::exchange::{TilePicture, fit_map, guess_mapping, read_maps, write_tmx};
use houserule::ide::plan::{Intent, plan};

#[test]
fn every_shipped_map_comes_back_from_tmx_as_it_is() {
    let mut maps = 0;
    for game in support::games() {
        let analysis = Analysis::from_source(&support::source(&game));
        for sheet in list_sheets(&analysis) {
            let Some(drawing) = Drawing::from_analysis(&analysis, &sheet.id) else { continue };
            for board in drawing.boards.iter().filter(|b| b.grid.is_some()) {
                let what = format!("{game}: {} of {}", board.name, sheet.title);
                let tmx = write_tmx(board, &TilePicture::from_board(board, "tiles.png"));
                let none = |name: &str| Err(format!("there is no {name}"));
                let read =
                    read_maps("out.tmx", tmx.as_bytes(), &none).unwrap_or_else(|e| panic!("{what}: {e}"));
                let mapping = guess_mapping(&read[0], board);
                let fitted =
                    fit_map(&read[0], &drawing, board, &mapping).unwrap_or_else(|e| panic!("{what}: {e}"));
                assert!(fitted.dropped.is_empty(), "{what}: {:?}", fitted.dropped);
                // What another sheet draws is not drawn here.
                if !board.origin.is_own() {
                    continue;
                }
                let rows = fitted.rows;
                let (sheet, map) = (sheet.id.clone(), board.name.clone());
                let set = plan(&analysis, &Intent::SetPicture { sheet, map, rows, what: "import".into() });
                let set = set.unwrap_or_else(|r| panic!("{what}: {}", r.why));
                assert!(set.is_empty(), "{what}: {:?}", set.edits());
                maps += 1;
            }
        }
    }
    assert!(maps >= 18, "only {maps} maps were tried");
}
