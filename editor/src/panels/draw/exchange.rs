//! The tab *From file* of Draw: maps the tiles of a file to signs, shows a preview, and makes the files that an export writes.
use super::data::describe_sign;
use super::{Act, Data, Side, State, to_at};
use crate::canvas::{self, Grid, Tile};
use crate::command::{Command, MapFormat};
use crate::document::Revision;
use crate::panels::Context;
use egui::Ui;
use houserule::ide::draw::{Board, Entry, SheetId, Spot};
use houserule::ide::exchange::{
    FittedMap, ForeignMap, Mapping, TilePicture, fit_map, guess_mapping, write_tmx,
};
use houserule::ide::plan::Intent;
use std::collections::BTreeMap;
use std::sync::Arc;

/// How wide a space is in a picture that is exported, in points.
const EXPORT_SCALE: f32 = 64.0;

/// A map of another tool that is not imported yet.
#[derive(Debug)]
pub(super) struct Import {
    /// The file's name.
    file: String,
    /// The maps in it.
    maps: Vec<ForeignMap>,
    /// Which of them.
    chosen: usize,
    mapping: Mapping,
    /// For which sheet and map the mapping was guessed.
    of: Option<(SheetId, Arc<str>)>,
    fitted: Option<(Revision, Mapping, Result<Arc<Fitted>, String>)>,
}

/// What would be drawn.
#[derive(Debug)]
struct Fitted {
    map: FittedMap,
    grid: Grid,
    tiles: Vec<Tile>,
}

/// A file of an export.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExportFile {
    /// Its name beside the file that was chosen; none: it is that file.
    pub name: Option<String>,
    /// What it holds.
    pub content: Content,
}

/// What a file of an export holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// A text as it is.
    Text(String),
    /// Pixels, drawn from this SVG.
    Picture(String),
}

impl Import {
    /// Guesses the mapping anew for another map or sheet, and fits the map again after a change.
    fn update(&mut self, data: &Data, n: usize, board: &Board) {
        let Some(map) = self.maps.get(self.chosen) else { return };
        let of = (data.drawing.sheet.id.clone(), board.name.clone());
        if self.of.as_ref() != Some(&of) {
            self.mapping = guess_mapping(map, board);
            (self.of, self.fitted) = (Some(of), None);
        }
        if self.fitted.as_ref().is_some_and(|(r, m, _)| *r == data.revision && *m == self.mapping) {
            return;
        }
        let fitted = fit_map(map, &data.drawing, board, &self.mapping).map(|map| {
            let rows = map.rows.len() as u32;
            let columns = map.rows.first().map_or(0, Vec::len) as u32;
            let tile = |row: u32, column: u32| {
                let line = map.rows.get((rows - 1 - row) as usize)?;
                let sign = line.get(column as usize)?;
                Some(make_tile(data, n, board, Spot::new(column, row), sign))
            };
            let places = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
            let tiles = places.filter_map(|(row, column)| tile(row, column)).collect();
            let grid = Grid { columns, rows, ..Data::grid(board) };
            Arc::new(Fitted { map, grid, tiles })
        });
        self.fitted = Some((data.revision, self.mapping.clone(), fitted));
    }
}

/// A place with a sign: one of the palette, or one of letters that are in the palette.
pub(super) fn make_tile(data: &Data, n: usize, board: &Board, at: Spot, sign: &str) -> Tile {
    let entries: Vec<&Entry> = match board.entry_of(sign) {
        Some(e) => vec![e],
        None => sign.chars().filter_map(|c| board.entry_of(c.encode_utf8(&mut [0; 4]))).collect(),
    };
    if !entries.iter().any(|e| e.space) {
        let said = format!("{}: no space", at.name());
        return Tile { at: to_at(at), text: ".".into(), said, ..Tile::default() };
    }
    let colours = data.colours.get(n);
    let words: Vec<&str> = entries.iter().map(|e| &*e.meaning.says).filter(|w| !w.is_empty()).collect();
    let below = words.join(", ");
    let told = if below.is_empty() { "empty" } else { &below };
    Tile {
        at: to_at(at),
        space: true,
        fill: entries.iter().find_map(|e| colours?.get(&e.sign)).copied(),
        text: sign.to_string(),
        said: format!("{}: {sign}, {told}", at.name()),
        below,
        ..Tile::default()
    }
}

impl State {
    /// Shows a map of another tool, to be mapped to the signs of the map that is shown.
    pub fn begin_import(&mut self, file: String, maps: Vec<ForeignMap>, cx: &Context<'_>) -> Vec<Command> {
        self.refresh(cx);
        if self.shown_board().is_none() {
            return vec![Command::Say(format!("{file} is not imported: Draw shows no map"))];
        }
        let mapping = Mapping { signs: Vec::new(), empty: ".".into(), layers: Vec::new() };
        self.import = Some(Import { file, maps, chosen: 0, mapping, of: None, fitted: None });
        self.side = Side::File;
        self.view.fit = true;
        Vec::new()
    }

    /// Forgets the map that is being imported. Whether there was one to be seen.
    pub(super) fn cancel_import(&mut self) -> bool {
        let shown = self.side == Side::File && self.import.take().is_some();
        if shown {
            self.side = Side::Palette;
            self.view.fit = true;
        }
        shown
    }

    /// What would be drawn, in place of the map. Whether a map is being imported at all.
    pub(super) fn show_import_preview(&mut self, ui: &mut Ui) -> bool {
        if self.side != Side::File {
            return false;
        }
        self.update_import();
        let Some(Import { fitted: Some((_, _, Ok(fitted))), .. }) = &self.import else { return false };
        let (fitted, over) = (fitted.clone(), BTreeMap::new());
        let map = canvas::Map {
            name: "as it would be imported",
            grid: fitted.grid,
            tiles: &fitted.tiles,
            ways: &[],
            named: true,
            over: &over,
            chosen: &|_| false,
            moving: canvas::Moving::default(),
            grey: false,
        };
        canvas::show_map(ui, &map, &mut self.view);
        true
    }

    fn update_import(&mut self) {
        let (Some(data), Some(import)) = (self.data.clone(), self.import.as_mut()) else { return };
        let Some(board) = data.board(self.board) else { return };
        let n = data.drawing.boards.iter().position(|b| b.name == board.name).unwrap_or(0);
        import.update(&data, n, board);
    }

    /// The files of the map that is shown in a format, of which the first has that name without its ending. None if no map is shown.
    pub fn make_export(&self, format: MapFormat, stem: &str) -> Vec<ExportFile> {
        let (Some(data), Some(board)) = (&self.data, self.shown_board()) else { return Vec::new() };
        let n = data.drawing.boards.iter().position(|b| b.name == board.name).unwrap_or(0);
        if format == MapFormat::Tmx {
            let file = format!("{stem}-tiles.png");
            let picture = TilePicture::from_board(board, &file);
            let signs = TilePicture::signs(board);
            let tiles: Vec<Tile> =
                signs.iter().map(|e| make_tile(data, n, board, Spot::new(0, 0), &e.sign)).collect();
            let (wide, high) = (picture.wide as f32, picture.high as f32);
            let sheet = canvas::to_tile_sheet(&tiles, board.lattice.is_hexes(), wide, high);
            return vec![
                ExportFile { name: None, content: Content::Text(write_tmx(board, &picture)) },
                ExportFile { name: Some(file), content: Content::Picture(sheet) },
            ];
        }
        let (none, over) = (Vec::new(), BTreeMap::new());
        let map = canvas::Map {
            name: &data.drawing.sheet.title,
            grid: Data::grid(board),
            tiles: data.tiles.get(n).unwrap_or(&none),
            ways: &[],
            named: true,
            over: &over,
            chosen: &|_| false,
            moving: canvas::Moving::default(),
            grey: false,
        };
        let svg = canvas::to_svg(&map, EXPORT_SCALE);
        let content = if format == MapFormat::Png { Content::Picture(svg) } else { Content::Text(svg) };
        vec![ExportFile { name: None, content }]
    }

    /// Asks for a file to import or for a place to export to.
    pub(super) fn exchange_map(&self, act: Act) -> Command {
        let (Some(data), Some(board)) = (&self.data, self.shown_board()) else {
            return Command::Say("Draw shows no map: first open a scenario".into());
        };
        match act {
            Act::ExportMap(format) => {
                let stem = data.drawing.sheet.id.scenario().unwrap_or(&board.name);
                Command::ExportMap { format, name: format!("{stem}.{}", format.ending()) }
            }
            _ => Command::ChooseMap,
        }
    }
}

/// The mapping beside the preview, what is dropped, and the button that imports.
pub(super) fn show_import(state: &mut State, ui: &mut Ui, wanted: &mut Vec<Command>) {
    state.update_import();
    let (Some(data), Some(mut import)) = (state.data.clone(), state.import.take()) else { return };
    let Some(board) = data.board(state.board) else { return };
    ui.strong(format!("Import {} into {}", import.file, board.name));
    if import.maps.len() > 1 {
        show_levels(&mut import, ui);
    }
    let fitted = import.fitted.as_ref().map(|(_, _, fitted)| fitted.clone());
    let ready = fitted.as_ref().and_then(|f| f.as_ref().ok());
    let (mut over, mut done) = (false, None);
    // Above the tiles, of which there may be many.
    ui.horizontal(|ui| {
        if ui.add_enabled(ready.is_some(), crate::style::primary_button("Import")).clicked() {
            done = ready.cloned();
        }
        over = ui.button("Cancel").clicked();
    });
    match &fitted {
        Some(Ok(fitted)) => show_dropped(ui, fitted),
        Some(Err(why)) => {
            ui.colored_label(ui.visuals().warn_fg_color, why);
        }
        None => {}
    }
    ui.separator();
    if let Some(map) = import.maps.get(import.chosen) {
        ui.label(format!("{} columns, {} rows in the file", map.columns, map.rows));
        show_mapping(ui, map, board, &mut import.mapping);
    }
    let what = format!("import {}", import.file);
    state.import = Some(import);
    if let Some(fitted) = done {
        let intent = Intent::SetPicture {
            sheet: data.drawing.sheet.id.clone(),
            map: board.name.clone(),
            rows: fitted.map.rows.clone(),
            what,
        };
        let commands = state.plan_intent(&intent);
        // A refusal leaves the mapping open, to be changed.
        over = !commands.iter().any(|c| matches!(c, Command::Refuse { .. }));
        if commands.is_empty() {
            wanted.push(Command::Say("The map is already as in the file: nothing was changed".into()));
        }
        wanted.extend(commands);
    }
    if over {
        state.cancel_import();
    }
}

fn show_levels(import: &mut Import, ui: &mut Ui) {
    let before = import.chosen;
    let label = ui.label("Level");
    let shown = import.maps.get(before).map_or("", |m| m.name.as_str());
    egui::ComboBox::from_id_salt("level")
        .selected_text(shown)
        .show_ui(ui, |ui| {
            for (n, map) in import.maps.iter().enumerate() {
                ui.selectable_value(&mut import.chosen, n, &map.name);
            }
        })
        .response
        .labelled_by(label.id);
    if import.chosen != before {
        (import.of, import.fitted) = (None, None);
    }
}

/// Which layers are taken, and which sign each tile is.
fn show_mapping(ui: &mut Ui, map: &ForeignMap, board: &Board, mapping: &mut Mapping) {
    for (layer, on) in map.layers.iter().zip(&mut mapping.layers) {
        ui.checkbox(on, format!("Layer {}", layer.name));
    }
    ui.label("Each tile of the file, and its sign here:");
    egui::Grid::new("mapping").num_columns(2).show(ui, |ui| {
        for (n, (tile, sign)) in map.tiles.iter().zip(&mut mapping.signs).enumerate() {
            let label = ui.label(format!("{} ×{}", tile.label, tile.used));
            show_signs(ui, n, board, label.id, sign);
            ui.end_row();
        }
        let label = ui.label("Empty cells");
        let mut empty = Some(mapping.empty.clone());
        show_signs(ui, usize::MAX, board, label.id, &mut empty);
        mapping.empty = empty.unwrap_or_else(|| ".".into());
        ui.end_row();
    });
}

/// The signs of the palette, to choose one.
fn show_signs(ui: &mut Ui, n: usize, board: &Board, label: egui::Id, sign: &mut Option<Arc<str>>) {
    let named = |e: &Entry| format!("{}: {}", e.sign, describe_sign(e));
    let shown = match sign {
        Some(s) => board.entry_of(s).map_or_else(|| s.to_string(), named),
        None => String::from("left out"),
    };
    egui::ComboBox::from_id_salt(("sign of", n))
        .selected_text(shown)
        .width(110.0)
        .show_ui(ui, |ui| {
            if n != usize::MAX {
                ui.selectable_value(sign, None, "left out");
            }
            for e in &board.palette {
                ui.selectable_value(sign, Some(e.sign.clone()), named(e));
            }
        })
        .response
        .labelled_by(label);
}

fn show_dropped(ui: &mut Ui, fitted: &Fitted) {
    let all = &fitted.map.dropped;
    ui.label(match all.len() {
        0 => String::from("Nothing of the file is left out."),
        1 => String::from("1 thing is left out or moved:"),
        n => format!("{n} things are left out or moved:"),
    });
    egui::ScrollArea::vertical().id_salt("dropped").max_height(160.0).show(ui, |ui| {
        for what in all {
            ui.label(format!("• {what}"));
        }
    });
}
