//! Shows on the map itself how often choices named each space: the more often, the stronger its colour.
use crate::canvas::{self, Grid, Map, Moving, Overlay, Tile, Viewport, Way};
use crate::command::Command;
use crate::command::measure::Request;
use crate::play::board::MapBoard;
use egui::{Color32, Ui};
use houserule::lab::figures::Figures;
use houserule::lab::game_records::Visits;
use houserule::lab::stats::Share;
use std::collections::BTreeMap;

/// A map with the places of its spaces.
pub(super) struct HeatMap {
    name: String,
    grid: Grid,
    ways: Vec<Way>,
    named: bool,
    tiles: Vec<Tile>,
    /// Where the visits of its spaces begin among those of all maps.
    first: usize,
    /// By space: column and row.
    at: Vec<(u32, u32)>,
    /// By space: what it is called.
    places: Vec<String>,
}

impl HeatMap {
    /// Of a map of a board; `at` are column and row by space.
    pub fn new(map: &MapBoard, mut tiles: Vec<Tile>, first: usize, at: &[(u16, u16)]) -> HeatMap {
        // Only the ground is shown: what stood there at the beginning would hide the colours.
        for tile in &mut tiles {
            tile.tokens.clear();
            (tile.below, tile.corner, tile.badge) = Default::default();
        }
        let at: Vec<(u32, u32)> = at
            .iter()
            .map(|a| map.drawn_at(*a, at.len()))
            .map(|(x, y)| (u32::from(x), u32::from(y)))
            .collect();
        let place = |at: &(u32, u32)| {
            let cell = map.cells.iter().find(|c| (u32::from(c.at.0), u32::from(c.at.1)) == *at);
            cell.map_or(String::new(), |c| c.place.clone())
        };
        HeatMap {
            name: map.name.clone(),
            grid: Grid { hexes: map.hexes, slanted: map.slanted, columns: map.size.0, rows: map.size.1 },
            ways: map.ways.clone(),
            named: !map.folded,
            places: at.iter().map(place).collect(),
            tiles,
            first,
            at,
        }
    }

    fn visits<'f>(&self, figures: &'f Figures) -> &'f [Visits] {
        let end = (self.first + self.at.len()).min(figures.visits.len());
        figures.visits.get(self.first..end).unwrap_or_default()
    }

    /// Whether it has a picture and choices have named some of its spaces.
    pub fn has_visits(&self, figures: &Figures) -> bool {
        !self.tiles.is_empty() && self.visits(figures).iter().any(|v| v.times > 0)
    }
}

/// What is kept between frames.
#[derive(Default)]
pub(super) struct State {
    map: usize,
    view: Viewport,
}

/// Shows the visits of one map, with a choice of the others.
pub(super) fn show_heat(
    ui: &mut Ui,
    maps: &[HeatMap],
    figures: &Figures,
    state: &mut State,
    out: &mut Vec<Command>,
) {
    let shown: Vec<usize> =
        maps.iter().enumerate().filter(|(_, m)| m.has_visits(figures)).map(|(i, _)| i).collect();
    let Some(first) = shown.first() else { return };
    if !shown.contains(&state.map) {
        state.map = *first;
    }
    ui.horizontal_wrapped(|ui| {
        ui.strong("Where choices went");
        ui.weak("times a game; a click shows a game");
        if shown.len() > 1 {
            for i in &shown {
                let name = maps.get(*i).map_or("", |m| &m.name);
                if ui.selectable_value(&mut state.map, *i, name).clicked() {
                    state.view = Viewport::default();
                }
            }
        }
    });
    let Some(map) = maps.get(state.map) else { return };
    let visits = map.visits(figures);
    let most = visits.iter().map(|v| v.times).max().unwrap_or(0).max(1) as f64;
    let games = figures.games.max(1);
    let (cold, hot) = (ui.visuals().faint_bg_color, Color32::from_rgb(214, 69, 38));
    let mut tiles = map.tiles.clone();
    let mut over = BTreeMap::new();
    let mut games_at: BTreeMap<(u32, u32), (u64, String)> = BTreeMap::new();
    for (space, v) in visits.iter().enumerate() {
        let Some(at) = map.at.get(space) else { continue };
        let Some(tile) = tiles.get_mut((at.1 * map.grid.columns + at.0) as usize).filter(|t| t.space) else {
            continue;
        };
        let place = map.places.get(space).map_or("", String::as_str);
        let mean = v.times as f64 / games as f64;
        let share = Share { count: v.games, of: figures.games }.value() * 100.0;
        tile.said = format!("{place}: chosen {mean:.2} times a game, in {share:.1} % of the games");
        // The root shows differences among the spaces that are chosen seldom.
        let heat = (v.times as f64 / most).sqrt() as f32;
        let text = if v.times == 0 { String::new() } else { short_number(mean) };
        over.insert(*at, Overlay { text: text.into(), fill: Some(cold.lerp_to_gamma(hot, heat)) });
        if v.games > 0 {
            games_at.insert(*at, (v.first, format!("a game in which {place} was chosen")));
        }
    }
    let high = (ui.available_width() * 0.7).clamp(220.0, 460.0);
    let shown = Map {
        name: &map.name,
        grid: map.grid,
        tiles: &tiles,
        ways: &map.ways,
        named: map.named,
        over: &over,
        chosen: &|_| false,
        moving: Moving::default(),
        grey: false,
    };
    let size = egui::vec2(ui.available_width(), high);
    // The whole map is always shown: the wheel moves the page.
    state.view.fit = true;
    let done = ui.allocate_ui(size, |ui| canvas::show_map(ui, &shown, &mut state.view)).inner;
    state.view.cursor = done.pressed.or(state.view.cursor);
    if let Some((game, told)) = done.pressed.or(done.acted).and_then(|at| games_at.remove(&at)) {
        out.push(Command::AskMeasure(Request::Games(told, vec![game])));
    }
}

/// A number with two digits that count.
fn short_number(x: f64) -> String {
    match x {
        x if x >= 9.95 => format!("{x:.0}"),
        x if x >= 0.995 => format!("{x:.1}"),
        x => format!("{x:.2}").trim_start_matches('0').to_string(),
    }
}
