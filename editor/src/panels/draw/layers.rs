//! The tab *Layers* of Draw: shows and hides what a map consists of. It is a matter of the view alone: no text has it.
use super::{Data, State};
use crate::canvas::Tile;
use egui::Ui;
use houserule::ide::draw::{Board, HiddenLayers, MapLayer};
use std::sync::Arc;

/// The tiles of a map with some layers hidden, and of what they were made.
#[derive(Debug)]
pub(super) struct SeenTiles {
    data: Arc<Data>,
    board: usize,
    hidden: HiddenLayers,
    tiles: Arc<Vec<Tile>>,
}

impl SeenTiles {
    /// The tiles.
    pub fn tiles(&self) -> &Vec<Tile> {
        &self.tiles
    }
}

impl State {
    /// The tiles of a map as they are seen. They are made again when the map or the layers change.
    pub(super) fn seen_tiles(&mut self, data: &Arc<Data>, n: usize) -> Arc<Vec<Tile>> {
        let hidden = &self.hand.hidden;
        if let Some(seen) = &self.seen
            && Arc::ptr_eq(&seen.data, data)
            && (seen.board, &seen.hidden) == (n, hidden)
        {
            return seen.tiles.clone();
        }
        let tiles = Arc::new(data.tiles_without(n, hidden));
        let seen = SeenTiles { data: data.clone(), board: n, hidden: hidden.clone(), tiles: tiles.clone() };
        self.seen = Some(seen);
        tiles
    }

    /// Which layers are hidden, in words; none if none is.
    pub(super) fn describe_hidden(&self) -> Option<String> {
        let names: Vec<&str> = self.hand.hidden.iter().map(|l| l.name()).collect();
        (!names.is_empty()).then(|| format!("Hidden: {}", names.join(", ")))
    }
}

pub(super) fn show_layers(state: &mut State, ui: &mut Ui) {
    let Some(data) = state.data.clone() else { return };
    let Some(board) = data.board(state.board) else { return };
    for layer in MapLayer::ALL {
        let n = count_spaces(&data, board, layer);
        let hidden = state.hand.hidden.contains(&layer);
        // A layer that is hidden can be shown again, even if the map has nothing of it now.
        if n == 0 && !hidden {
            continue;
        }
        let mut shown = !hidden;
        let spaces = if n == 1 { "space" } else { "spaces" };
        if ui.checkbox(&mut shown, format!("{} ({n} {spaces})", layer.name())).changed() {
            match shown {
                true => state.hand.hidden.remove(&layer),
                false => state.hand.hidden.insert(layer),
            };
        }
    }
    ui.add_space(4.0);
    ui.weak("Tools do not change hidden layers. The text does not say which layers are hidden.");
    if !state.hand.hidden.is_empty() && ui.button("Show all").clicked() {
        state.hand.hidden.clear();
    }
}

/// On how many spaces there is something of a layer.
fn count_spaces(data: &Data, board: &Board, layer: MapLayer) -> usize {
    let n = data.drawing.boards.iter().position(|b| b.name == board.name).unwrap_or(0);
    match layer {
        MapLayer::Signs => board.cells.iter().filter(|c| c.space && c.sign.is_some()).count(),
        MapLayer::Findings => {
            let tiles = data.tiles.get(n).map_or(&[][..], |t| t.as_slice());
            tiles.iter().filter(|t| t.edge != crate::canvas::Edge::Plain).count()
        }
        _ => board.count_marked(layer),
    }
}
