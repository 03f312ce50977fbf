//! Shows the table: maps, cards, dice, players. Offered things are lit up, and each has a text for screen readers.
use super::Want;
use super::data::Data;
use super::pieces::{Shown, lit_stroke, respond, show_pile};
use crate::canvas::{self, Grid, Map, Viewport};
use crate::play::board::{Cell, Holder, MapBoard};
use egui::{Color32, Sense, Stroke, Ui, Vec2};
use houserule::play::Spot;

/// A dot in a player's colour, with an edge that is seen on any ground.
fn paint_dot(ui: &mut Ui, color: Color32) {
    let (rect, _) = ui.allocate_exact_size(Vec2::splat(14.0), Sense::hover());
    let edge = Stroke::new(1.0, ui.visuals().weak_text_color());
    ui.painter().circle(rect.center(), 6.0, color, edge);
}

/// Shows everything that lies on no map. `pointed` is what the row under the pointer names.
pub fn show_table(ui: &mut Ui, data: &Data, cursor: Option<Spot>, pointed: &[Spot], wants: &mut Vec<Want>) {
    let shown = Shown { colors: &data.colors, pointed };
    for line in &data.board.ending {
        ui.heading(line);
    }
    if let Some(seed) = data.seed {
        ui.weak(format!("Seed {seed}"));
    }
    if !data.board.sheets.is_empty() {
        show_sheets(ui, data);
    }
    for (n, map) in data.board.maps.iter().enumerate().filter(|(n, _)| !data.is_grid(*n)) {
        if data.board.maps.len() > 1 {
            ui.label(&map.name);
        }
        show_spaces(ui, map, n, cursor, wants);
    }
    for h in data.board.table.iter().chain(&data.board.players).chain(&data.board.others) {
        show_holder(ui, h, &shown, wants);
    }
    for line in &data.board.asked {
        ui.weak(line);
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

/// Shows a map in what is left of the pane.
pub fn show_map(
    ui: &mut Ui,
    data: &Data,
    n: usize,
    view: &mut Viewport,
    cursor: Option<Spot>,
    pointed: &[Spot],
    wants: &mut Vec<Want>,
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
        over: &over,
        chosen: &|at| on == Some(at) || pointed.contains(&at),
        grey: false,
    };
    let done = canvas::show_map(ui, &shown, view);
    // The keyboard goes on from where the pointer was.
    view.cursor = done.pressed.or(view.cursor);
    wants.extend(done.hovered.and_then(spot).map(Want::Over));
    wants.extend(done.moved.and_then(spot).map(Want::Cursor));
    // While a set is being picked, a blank picks and Enter takes what is picked.
    if done.entered && data.choices.as_ref().is_some_and(|c| c.complete.is_some() && !c.held.is_empty()) {
        wants.push(Want::Confirm);
    } else {
        wants.extend(done.pressed.or(done.acted).and_then(spot).map(Want::Click));
    }
    wants.extend(done.secondary.and_then(spot).map(Want::WhyNot));
}

/// Spaces that stand nowhere in particular.
fn show_spaces(ui: &mut Ui, map: &MapBoard, n: usize, cursor: Option<Spot>, wants: &mut Vec<Want>) {
    ui.horizontal_wrapped(|ui| {
        for (i, cell) in map.cells.iter().enumerate() {
            let spot = Spot::Space { map: n, space: i };
            let button = egui::Button::new(&cell.said).selected(cell.held || cursor == Some(spot));
            let button = if cell.lit.is_some() { button.stroke(lit_stroke(ui)) } else { button };
            let r = ui.add(button);
            respond(r, &cell.said, spot, wants);
        }
    });
}

fn show_holder(ui: &mut Ui, h: &Holder, shown: &Shown<'_>, wants: &mut Vec<Want>) {
    let frame = egui::Frame::group(ui.style()).inner_margin(6);
    frame.show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        ui.horizontal_wrapped(|ui| {
            if let Some(color) = h.player.and_then(|p| shown.colors.get(p)) {
                paint_dot(ui, *color);
            }
            let title = egui::RichText::new(&h.title).strong();
            match h.spot {
                Some(spot) if h.lit.is_some() => {
                    let r = ui.add(egui::Button::new(title).stroke(lit_stroke(ui)).selected(h.held));
                    respond(r, &h.describe(), spot, wants);
                }
                spot => {
                    let r = ui.add(egui::Label::new(title).sense(Sense::click()));
                    if r.secondary_clicked() {
                        wants.extend(spot.map(Want::WhyNot));
                    }
                }
            }
            if h.turn {
                ui.label("◂ turn");
            }
            ui.label(h.lines.join(" · "));
        });
        for pile in &h.piles {
            show_pile(ui, pile, shown, wants);
        }
    });
}
