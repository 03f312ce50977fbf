//! What the Draw pane shows, as plain data: the sheets of a game, and one of them as tiles. Made when the texts have changed.
use crate::canvas::{Edge, Grid, Tile};
use crate::document::Revision;
use egui::Color32;
use houserule::ide::Analysis;
use houserule::ide::draw::{Board, Cell, Drawing, Finding, Sheet, SheetId, Spot, Topology, list_sheets};
use houserule::lab::conditions::Unmet;
use houserule::text::Span;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

/// What Draw shows.
#[derive(Clone, Debug)]
pub struct Data {
    /// The texts' revision of which its places are.
    pub revision: Revision,
    /// The revision that was looked at last; newer, if nothing could be drawn of it.
    pub looked: Revision,
    /// What it was made of.
    pub analysis: Arc<Analysis>,
    /// All sheets of the game.
    pub sheets: Vec<Sheet>,
    /// The one that is shown.
    pub drawing: Drawing,
    /// Why what is shown is not what is there now: something in it cannot be read.
    pub stale: Option<String>,
    /// The tiles of each board.
    pub tiles: Vec<Vec<Tile>>,
    /// The colour of each sign of each board.
    pub colours: Vec<BTreeMap<Arc<str>, Color32>>,
}

/// A canvas's place as a map's.
pub fn to_spot(at: (u32, u32)) -> Spot {
    Spot::new(at.0, at.1)
}

/// A map's place as a canvas's.
pub fn to_at(s: Spot) -> (u32, u32) {
    (s.column, s.row)
}

impl Data {
    /// What is to be shown of a sheet. If it cannot be read now, what was shown last of it, greyed.
    pub fn from_analysis(
        analysis: &Arc<Analysis>,
        revision: Revision,
        id: &SheetId,
        last: Option<&Data>,
    ) -> Option<Data> {
        let all = list_sheets(analysis);
        let found = Drawing::from_analysis(analysis, id);
        let why = match &found {
            Some(d) => d.broken.as_ref().map(|b| format!("{} ({})", b.why, analysis.files.place(b.span))),
            None => Some("it cannot be read at all".to_string()),
        };
        if let Some(why) = why {
            let last = last.filter(|l| l.drawing.sheet.id == *id);
            let shown = match (last, found) {
                (Some(last), _) => Data { looked: revision, stale: Some(why), ..last.clone() },
                (None, Some(d)) => {
                    Data { stale: Some(why), ..Data::from_drawing(analysis, revision, all, d) }
                }
                (None, None) => return None,
            };
            return Some(shown);
        }
        Some(Data::from_drawing(analysis, revision, all, found?))
    }

    fn from_drawing(
        analysis: &Arc<Analysis>,
        revision: Revision,
        sheets: Vec<Sheet>,
        drawing: Drawing,
    ) -> Data {
        let colours: Vec<_> = drawing.boards.iter().map(sign_colours).collect();
        let tiles = drawing.boards.iter().enumerate();
        let tiles = tiles.map(|(n, b)| make_tiles(&drawing, n, b, colours.get(n))).collect();
        Data {
            revision,
            looked: revision,
            analysis: analysis.clone(),
            sheets,
            drawing,
            stale: None,
            tiles,
            colours,
        }
    }

    /// Adds the conditions that the scenario does not meet where it begins, on the map and in the list.
    pub fn with_unmet(&self, unmet: &[Unmet]) -> Data {
        let mut out = self.clone();
        for u in unmet {
            let board = |map: &str| out.drawing.boards.iter().position(|b| *b.name == *map);
            let spot = |(map, space): &(Arc<str>, String)| Some((board(map)?, Spot::from_name(space)?));
            let spots = u.spaces.iter().filter_map(spot).collect();
            out.drawing.findings.push(Finding {
                error: false,
                message: u.finding.message.clone(),
                help: u.finding.help.clone(),
                span: Some(u.finding.at.span)
                    .filter(|s| *s != Span::default())
                    .unwrap_or(out.drawing.sheet.span),
                spots,
            });
        }
        let boards = out.drawing.boards.iter().enumerate();
        out.tiles = boards.map(|(n, b)| make_tiles(&out.drawing, n, b, out.colours.get(n))).collect();
        out
    }

    /// The board of that number; the first one if there are fewer.
    pub fn board(&self, n: usize) -> Option<&Board> {
        self.drawing.boards.get(n).or(self.drawing.boards.first())
    }

    /// How a board lies on the canvas.
    pub fn grid(board: &Board) -> Grid {
        let (hexes, slanted) = match board.lattice.topology {
            Topology::Squares { .. } => (false, false),
            Topology::Hexes { rhombus } => (true, rhombus),
        };
        Grid { hexes, slanted, columns: board.lattice.columns, rows: board.lattice.rows }
    }

    /// All that is shown, as text.
    pub fn to_text(&self) -> String {
        let mut out = String::new();
        let d = &self.drawing;
        let _ = writeln!(out, "{} ({})", d.sheet.title, d.sheet.file);
        if let Some(why) = &self.stale {
            let _ = writeln!(out, "stale: {why}");
        }
        for (board, tiles) in d.boards.iter().zip(&self.tiles) {
            let l = board.lattice;
            let _ = writeln!(out, "map {}: {} by {}", board.name, l.columns, l.rows);
            for row in tiles.chunks(l.columns.max(1) as usize).rev() {
                let signs: Vec<&str> = row.iter().map(|t| t.text.as_str()).collect();
                let _ = writeln!(out, "  {}", signs.join(" "));
            }
            let _ = writeln!(out, "palette:");
            for e in &board.palette {
                let own = if e.origin.is_own() { ", own" } else { "" };
                let doc = e.doc.as_deref().map(|d| format!(" # {d}")).unwrap_or_default();
                let _ = writeln!(out, "  {} = {} (used {}{own}){doc}", e.sign, describe_sign(e), e.used);
            }
        }
        if !d.fields.is_empty() {
            let _ = writeln!(out, "form:");
        }
        for f in &d.fields {
            let _ = writeln!(out, "  {} = {} ({})", f.label, f.text, f.state.name());
        }
        for l in &d.listed {
            let whose = if l.item.is_some() { "" } else { " (inherited)" };
            let _ = writeln!(out, "  {}{whose}", l.text);
        }
        for f in &d.findings {
            let spots: Vec<Arc<str>> = f.spots.iter().take(4).map(|(_, s)| s.name()).collect();
            let _ = writeln!(out, "found: {} {}", f.message, spots.join(" "));
        }
        out
    }
}

/// What a sign of the palette says, in words.
pub fn describe_sign(e: &houserule::ide::draw::Entry) -> String {
    let when = e.meaning.when.as_deref().map(|w| format!(" when {w}")).unwrap_or_default();
    if !e.space {
        return "no space".into();
    }
    let says = if e.meaning.says.is_empty() { "empty" } else { &e.meaning.says };
    format!("{says}{when}")
}

fn make_tiles(d: &Drawing, n: usize, b: &Board, colours: Option<&BTreeMap<Arc<str>, Color32>>) -> Vec<Tile> {
    let mut wrong: BTreeMap<Spot, (bool, Vec<&str>)> = BTreeMap::new();
    for f in &d.findings {
        for (_, s) in f.spots.iter().filter(|(k, _)| *k == n) {
            let w = wrong.entry(*s).or_default();
            w.0 |= f.error;
            w.1.push(&f.message);
        }
    }
    let one = |c: &Cell| {
        let found = wrong.get(&c.at);
        let edge = match found {
            Some((true, _)) => Edge::Wrong,
            Some((false, _)) => Edge::Doubtful,
            None => Edge::Plain,
        };
        let mut said = format!("{}: ", c.at.name());
        let sign = c.sign.as_deref().unwrap_or(".");
        match &c.meaning {
            Some(m) if m.says.is_empty() => said.push_str(&format!("{sign}, empty")),
            Some(m) => said.push_str(&format!("{sign}, {}", m.says)),
            None if !c.space => said.push_str("no space"),
            None if c.sign.is_none() => said.push_str("a space, not drawn"),
            None => said.push_str(&format!("{sign}, which no legend explains")),
        }
        for why in found.iter().flat_map(|(_, why)| why) {
            said.push_str(&format!(". Wrong: {why}"));
        }
        let fill = c.colour.map(|[r, g, b]| Color32::from_rgb(r, g, b));
        let fill =
            fill.or_else(|| c.sign.as_ref().filter(|_| c.space).and_then(|s| colours?.get(s).copied()));
        Tile {
            at: to_at(c.at),
            space: c.space,
            fill,
            text: if c.space || sign == "." {
                c.sign.as_deref().unwrap_or("").to_string()
            } else {
                String::new()
            },
            below: c.meaning.as_ref().filter(|_| c.space).map(|m| m.says.clone()).unwrap_or_default(),
            edge,
            said,
            ..Tile::default()
        }
    };
    b.cells.iter().map(one).collect()
}

/// A colour for each sign: the rules' own, else one of its own that is far from the others.
fn sign_colours(b: &Board) -> BTreeMap<Arc<str>, Color32> {
    let mut out = BTreeMap::new();
    let mut next = 0u32;
    for e in &b.palette {
        if let Some([r, g, bl]) = e.colour {
            out.insert(e.sign.clone(), Color32::from_rgb(r, g, bl));
        } else if e.space && !e.meaning.says.is_empty() {
            out.insert(e.sign.clone(), own_colour(next));
            next += 1;
        }
    }
    out
}

/// The colour of that number: hues a golden angle apart, light and dark in turn, never shrill.
fn own_colour(n: u32) -> Color32 {
    let hue = (0.58 + n as f32 * 0.618_034).fract();
    let value = [0.86, 0.62, 0.74][n as usize % 3];
    egui::ecolor::Hsva::new(hue, 0.38, value, 1.0).into()
}
