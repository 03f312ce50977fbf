//! Shows the maps of a game, and how it ended. Offered spaces are lit up, and each has a text for screen readers.
use super::Wants;
use super::data::Data;
use super::motion::Motion;
use super::pieces::{lit_stroke, respond};
use crate::canvas::{self, Grid, Map, Viewport};
use crate::command::play::Request;
use crate::play::board::{Cell, MapBoard};
use egui::Ui;
use houserule::play::Spot;

/// Shows how the game ended, and its number by which it can be played again.
pub fn show_end(ui: &mut Ui, data: &Data) {
    for line in &data.board.ending {
        ui.heading(line);
    }
    if let Some(seed) = data.seed {
        ui.weak(format!("Seed {seed}"));
    }
    if !data.board.sheets.is_empty() {
        show_sheets(ui, data);
    }
}

/// Shows maps that are no grids: spaces that stand nowhere in particular.
pub fn show_loose_maps(ui: &mut Ui, data: &Data, cursor: Option<Spot>, wants: &mut Wants) {
    for (n, map) in data.board.maps.iter().enumerate().filter(|(n, _)| !data.is_grid(*n)) {
        if data.board.maps.len() > 1 {
            ui.label(&map.name);
        }
        show_spaces(ui, map, n, cursor, wants);
    }
}

fn show_sheets(ui: &mut Ui, data: &Data) {
    for sheet in &data.board.sheets {
        egui::Grid::new(("sheet", &*sheet.name)).striped(true).show(ui, |ui| {
            ui.label("");
            for column in &sheet.columns {
                let names: Vec<&str> =
                    column.iter().filter_map(|p| data.players.get(*p)).map(String::as_str).collect();
                ui.strong(names.join(" + "));
            }
            ui.end_row();
            for row in crate::play::board::sheet_rows(sheet) {
                for cell in row {
                    ui.label(cell);
                }
                ui.end_row();
            }
        });
    }
}

/// Shows a map in what is left of the pane. `motion` is what moves, and how far it is.
#[allow(clippy::too_many_arguments)]
pub fn show_map(
    ui: &mut Ui,
    data: &Data,
    n: usize,
    view: &mut Viewport,
    cursor: Option<Spot>,
    pointed: &[Spot],
    motion: (&Motion, Option<f32>),
    wants: &mut Wants,
) {
    let (Some(map), Some(tiles)) = (data.board.maps.get(n), data.tiles.get(n)) else { return };
    let spot = |at: (u32, u32)| {
        let here = |c: &Cell| (u32::from(c.at.0), u32::from(c.at.1)) == at;
        map.cells.iter().position(here).map(|space| Spot::Space { map: n, space })
    };
    let on =
        cursor.and_then(|s| data.board.cell(s).filter(|_| matches!(s, Spot::Space { map, .. } if map == n)));
    let on = on.map(|c| (u32::from(c.at.0), u32::from(c.at.1)));
    let place = |spot: &Spot| match spot {
        Spot::Space { map, .. } if *map == n => data.board.cell(*spot).map(|c| c.at),
        _ => None,
    };
    let pointed: Vec<(u32, u32)> =
        pointed.iter().filter_map(place).map(|at| (u32::from(at.0), u32::from(at.1))).collect();
    let over = std::collections::BTreeMap::new();
    let shown = Map {
        name: &map.name,
        grid: Grid { hexes: map.hexes, slanted: map.slanted, columns: map.size.0, rows: map.size.1 },
        tiles,
        ways: &map.ways,
        named: !map.folded,
        over: &over,
        chosen: &|at| on == Some(at) || pointed.contains(&at),
        moving: canvas::Moving {
            slides: motion.1.map_or(&[], |_| motion.0.slides(n)),
            progress: motion.1.unwrap_or(1.0),
            last: motion.0.last(n),
        },
        grey: false,
    };
    let done = canvas::show_map(ui, &shown, view);
    // The keyboard goes on from where the pointer was.
    view.cursor = done.pressed.or(view.cursor);
    wants.over(done.hovered.and_then(spot));
    wants.ask(done.moved.and_then(spot).map(Request::Cursor));
    // While a set is being picked, a blank picks and Enter takes what is picked.
    if done.entered && data.choices.as_ref().is_some_and(|c| c.complete.is_some() && !c.held.is_empty()) {
        wants.ask(Request::Confirm);
    } else {
        wants.ask(done.pressed.or(done.acted).and_then(spot).map(Request::Click));
    }
    wants.ask(done.secondary.and_then(spot).map(Request::WhyNot));
}

/// Spaces that stand nowhere in particular.
fn show_spaces(ui: &mut Ui, map: &MapBoard, n: usize, cursor: Option<Spot>, wants: &mut Wants) {
    ui.horizontal_wrapped(|ui| {
        for (i, cell) in map.cells.iter().enumerate() {
            let spot = Spot::Space { map: n, space: i };
            let button = egui::Button::new(&cell.said).selected(cell.held || cursor == Some(spot));
            let button = if cell.lit.is_some() { button.stroke(lit_stroke(ui)) } else { button };
            let r = ui.add(button);
            respond(r, &cell.said, spot, wants).on_hover_text(&cell.said);
        }
    });
}
