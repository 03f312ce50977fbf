//! What the Draw pane shows, as plain data: the sheets of a game, and one of them as tiles. Made when the texts have changed.
use crate::canvas::{Edge, Grid, Signs, Tile};
use crate::document::Revision;
use egui::Color32;
use houserule::ide::Analysis;
use houserule::ide::draw::{
    Board, Cell, Drawing, Finding, HiddenLayers, Lattice, MapLayer, Patch, PatchSet, PatchSpace, Sheet,
    SheetId, Spot, Topology, list_sheets,
};
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
    /// The patches of each map that is laid out of some, as in the drawing.
    pub patches: Vec<PatchList>,
}

/// The patches of which a map is laid out, as they are listed.
#[derive(Clone, Debug)]
pub struct PatchList {
    /// The map's name.
    pub map: Arc<str>,
    /// What the rules call such a patch.
    pub kind: Arc<str>,
    /// How the spaces of one lie.
    pub grid: Grid,
    /// In how many ways one can lie; 1: it cannot be turned.
    pub turns: u32,
    /// The patches.
    pub patches: Vec<ListedPatch>,
}

/// A patch of the list.
#[derive(Clone, Debug)]
pub struct ListedPatch {
    /// Its name in the rules.
    pub name: Arc<str>,
    /// What is known of it face up: its title, and how many there are.
    pub front: String,
    /// What is known of it face down.
    pub back: String,
    /// Its attributes on the back.
    pub attrs: String,
    /// Where it is declared.
    pub span: Span,
    /// What it shows, for each way in which it can lie.
    pub faces: Vec<Vec<Tile>>,
    /// What its back shows.
    pub cover: Vec<Tile>,
}

impl PatchList {
    /// All that is shown of them if they are turned so often, or lie face down, as text.
    pub fn to_text(&self, turns: u32, covered: bool) -> String {
        let mut out = format!("patches {} of {}, each in {} ways:\n", self.kind, self.map, self.turns);
        for p in &self.patches {
            let _ = writeln!(out, "  {}", p.describe(turns, covered));
        }
        out
    }
}

impl ListedPatch {
    /// What it shows if it is turned so often, or lies face down.
    pub fn tiles(&self, turns: u32, covered: bool) -> &[Tile] {
        let face = self.faces.get(turns as usize % self.faces.len().max(1)).filter(|_| !covered);
        face.unwrap_or(&self.cover)
    }

    /// All that is seen of it, in words.
    pub fn describe(&self, turns: u32, covered: bool) -> String {
        let mut out = if covered { &self.back } else { &self.front }.clone();
        if !self.attrs.is_empty() {
            let _ = write!(out, " ({})", self.attrs);
        }
        let said: Vec<&str> = self.tiles(turns, covered).iter().map(|t| t.said.as_str()).collect();
        if !covered {
            let _ = write!(out, ". {}", said.join("; "));
        }
        out
    }
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
        let slots = |b: &Board| drawing.patches_of(&b.name).is_some_and(|p| !p.slots.is_empty());
        let colours: Vec<_> = drawing.boards.iter().map(|b| sign_colours(b, slots(b))).collect();
        let tiles = drawing.boards.iter().enumerate();
        let tiles =
            tiles.map(|(n, b)| make_tiles(&drawing, n, b, colours.get(n), &HiddenLayers::new())).collect();
        let patches = drawing.patches.iter().map(list_patches).collect();
        Data {
            revision,
            looked: revision,
            analysis: analysis.clone(),
            sheets,
            drawing,
            stale: None,
            tiles,
            colours,
            patches,
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
        out.tiles = boards
            .map(|(n, b)| make_tiles(&out.drawing, n, b, out.colours.get(n), &HiddenLayers::new()))
            .collect();
        out
    }

    /// The tiles of a board with some layers hidden.
    pub fn tiles_without(&self, n: usize, hidden: &HiddenLayers) -> Vec<Tile> {
        let board = self.drawing.boards.get(n);
        board.map_or_else(Vec::new, |b| make_tiles(&self.drawing, n, b, self.colours.get(n), hidden))
    }

    /// The board of that number; the first one if there are fewer.
    pub fn board(&self, n: usize) -> Option<&Board> {
        self.drawing.boards.get(n).or(self.drawing.boards.first())
    }

    /// How a board lies on the canvas.
    pub fn grid(board: &Board) -> Grid {
        to_grid(board.lattice)
    }

    /// The lists of patches that belong to a board, and those of maps that have none because they grow in play.
    pub fn patches_of(&self, board: usize) -> Vec<&PatchList> {
        let shown = self.board(board).map(|b| &b.name);
        let other = |map: &str| self.drawing.board_of(map).is_none();
        self.patches.iter().filter(|p| Some(&p.map) == shown || other(&p.map)).collect()
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
        for list in &self.patches {
            out.push_str(&list.to_text(0, false));
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

fn make_tiles(
    d: &Drawing,
    n: usize,
    b: &Board,
    colours: Option<&BTreeMap<Arc<str>, Color32>>,
    hidden: &HiddenLayers,
) -> Vec<Tile> {
    let mut wrong: BTreeMap<Spot, (bool, Vec<&str>)> = BTreeMap::new();
    let findings = d.findings.iter().filter(|_| !hidden.contains(&MapLayer::Findings));
    for f in findings {
        for (_, s) in f.spots.iter().filter(|(k, _)| *k == n) {
            let w = wrong.entry(*s).or_default();
            w.0 |= f.error;
            w.1.push(&f.message);
        }
    }
    let slots = d.patches_of(&b.name).map_or(&[][..], |p| &p.slots);
    let signs = Signs::from_looks(&d.signs);
    let one = |c: &Cell| {
        let slot = slots.iter().position(|s| c.sign.as_ref() == Some(&s.name));
        let found = wrong.get(&c.at);
        let edge = match found {
            Some((true, _)) => Edge::Wrong,
            Some((false, _)) => Edge::Doubtful,
            None => Edge::Plain,
        };
        let mut said = format!("{}: ", c.at.name());
        let seen = c.sign.as_ref().filter(|_| c.space).map(|sign| b.seen_sign(sign, hidden));
        let sign = seen.as_deref().or(c.sign.as_deref()).unwrap_or(".");
        let says = b.seen_marks(c, hidden);
        match &c.meaning {
            _ if let Some(s) = slot.and_then(|n| slots.get(n)) => {
                said.push_str(&format!("slot {sign}"));
                let title = s.title.iter().map(|t| format!("“{t}”"));
                title.chain(s.attrs.iter().cloned()).for_each(|t| said.push_str(&format!(", {t}")));
            }
            Some(_) if sign.is_empty() && says.is_empty() => said.push_str("a space"),
            Some(_) if says.is_empty() => said.push_str(&format!("{sign}, empty")),
            Some(_) if sign.is_empty() => said.push_str(&says),
            Some(_) => said.push_str(&format!("{sign}, {says}")),
            None if !c.space => said.push_str("no space"),
            None if c.sign.is_none() => said.push_str("a space, not drawn"),
            None => said.push_str(&format!("{sign}, which no legend explains")),
        }
        for why in found.iter().flat_map(|(_, why)| why) {
            said.push_str(&format!(". Wrong: {why}"));
        }
        let whole = seen == c.sign;
        let fill = c.colour.filter(|_| whole).map(|[r, g, b]| Color32::from_rgb(r, g, b));
        let fill = fill.or_else(|| seen.as_ref().and_then(|s| colours?.get(s).copied()));
        let fill = fill.filter(|_| !hidden.contains(&MapLayer::Ground));
        Tile {
            at: to_at(c.at),
            space: c.space,
            fill,
            text: if hidden.contains(&MapLayer::Signs) || !c.space && sign != "." || c.sign.is_none() {
                String::new()
            } else {
                sign.to_string()
            },
            below: if c.space { says } else { String::new() },
            edge,
            group: slot.map_or(0, |n| n as u32 + 1),
            signs: signs.clone(),
            said,
            ..Tile::default()
        }
    };
    b.cells.iter().map(one).collect()
}

/// A lattice on the canvas.
fn to_grid(lattice: Lattice) -> Grid {
    let (hexes, slanted) = match lattice.topology {
        Topology::Squares { .. } => (false, false),
        Topology::Hexes { rhombus } => (true, rhombus),
    };
    Grid { hexes, slanted, columns: lattice.columns, rows: lattice.rows }
}

fn list_patches(set: &PatchSet) -> PatchList {
    let faces = || set.patches.iter().flat_map(|p| &p.faces).flatten();
    let mut own: BTreeMap<&str, Color32> = BTreeMap::new();
    for word in faces().flat_map(|s| s.word.as_deref().into_iter().chain(s.sides.iter().map(|(_, w)| &**w))) {
        let next = own.len() as u32;
        own.entry(word).or_insert_with(|| own_colour(next));
    }
    let one = |p: &Patch| {
        let copies = if p.copies == "1" { String::new() } else { format!(" ×{}", p.copies) };
        let faces = p.faces.iter().map(|face| {
            face.iter().enumerate().map(|(n, s)| make_patch_tile(n, s, face.len() > 1, &own)).collect()
        });
        let to_rgb = |[r, g, b]: [u8; 3]| Color32::from_rgb(r, g, b);
        let cover = p.faces.first().into_iter().flatten().map(|s| Tile {
            at: to_at(s.at),
            space: true,
            fill: p.back_colour.map(to_rgb),
            group: 1,
            ..Tile::default()
        });
        ListedPatch {
            name: p.name.clone(),
            front: format!("{}{copies}", p.title),
            back: p.back.clone(),
            attrs: p.attrs.join(", "),
            span: p.span,
            faces: faces.collect(),
            cover: cover.collect(),
        }
    };
    PatchList {
        map: set.map.clone(),
        kind: set.kind.clone(),
        grid: to_grid(set.lattice),
        turns: set.turns,
        patches: set.patches.iter().map(one).collect(),
    }
}

/// A space of a patch: the look of the rules, else the first word that is printed there, and the others below it.
fn make_patch_tile(n: usize, s: &PatchSpace, several: bool, own: &BTreeMap<&str, Color32>) -> Tile {
    let fill = s.colour.map(|[r, g, b]| Color32::from_rgb(r, g, b));
    let word = |w: &str| own.get(w).copied();
    let prints = s.describe_prints();
    let (first, others) = s.prints.split_first().map_or(("", &[][..]), |(f, o)| (f.as_str(), o));
    // What the rules write says the word of the ground; the other prints stand below it.
    let shows_word = s.word.as_deref() == Some(first);
    let below = if s.text.is_some() && !shows_word { &s.prints } else { others };
    Tile {
        at: to_at(s.at),
        space: true,
        fill: fill.or_else(|| s.word.as_deref().and_then(word)),
        text: s.text.clone().unwrap_or_else(|| first.to_string()),
        below: below.join(", "),
        corner: s.corner.clone(),
        badge: s.badge.clone(),
        group: 1,
        bands: s.sides.iter().filter_map(|(side, w)| Some((*side, word(w)?))).collect(),
        said: if several { format!("{}: {prints}", n + 1) } else { prints },
        ..Tile::default()
    }
}

/// A colour for each sign: the rules' own, else one of its own that is far from the others.
fn sign_colours(b: &Board, slots: bool) -> BTreeMap<Arc<str>, Color32> {
    let mut out = BTreeMap::new();
    let mut next = 0u32;
    for e in &b.palette {
        if let Some([r, g, bl]) = e.colour {
            out.insert(e.sign.clone(), Color32::from_rgb(r, g, bl));
        } else if e.space && (slots || !e.meaning.says.is_empty()) {
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
