//! Prints the patches of which maps are laid out, at the size of their spaces, packed in rows.
use super::board::{Geometry, Placed, Tile, draw_tiles};
use super::color::Color;
use super::contents::BoardPart;
use super::pen::Pen;
use super::svg::{Rect, Svg};
use houserule_ide::draw::{Patch, PatchSet, PatchSpace, Topology};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The colours of words to which the rules give none.
const COLORS: [Color; 8] = [
    [186, 205, 158],
    [222, 203, 150],
    [158, 190, 214],
    [214, 168, 150],
    [190, 170, 205],
    [205, 205, 195],
    [160, 205, 195],
    [230, 190, 205],
];

/// A patch, ready to be printed.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct PatchToPrint {
    /// For people.
    pub title: String,
    /// How its spaces lie.
    pub geometry: Geometry,
    /// Its spaces.
    pub tiles: Vec<Tile>,
}

/// The patches of a map, each as often as there are some.
pub(crate) fn list_patches(set: &PatchSet, counts: &BTreeMap<Arc<str>, usize>) -> Vec<PatchToPrint> {
    let spaces = || set.patches.iter().filter_map(|p| p.faces.first()).flatten();
    let mut words: Vec<&str> = Vec::new();
    for word in spaces().flat_map(|s| s.word.as_deref().into_iter().chain(s.sides.iter().map(|(_, w)| &**w)))
    {
        if !words.contains(&word) {
            words.push(word);
        }
    }
    let color = |word: &str| {
        let n = words.iter().position(|w| *w == word)?;
        COLORS.get(n % COLORS.len()).copied()
    };
    let (hexes, slanted) = match set.lattice.topology {
        Topology::Squares { .. } => (false, false),
        Topology::Hexes { rhombus } => (true, rhombus),
    };
    let size = (set.lattice.columns, set.lattice.rows);
    let geometry = Geometry::of(&BoardPart { hexes, slanted, size, ..BoardPart::default() });
    let print = |patch: &Patch| {
        let tiles =
            patch.faces.first().into_iter().flatten().map(|s| make_tile(s, &patch.title, &color)).collect();
        PatchToPrint { title: patch.title.clone(), geometry, tiles }
    };
    let times = |p: &&Patch| counts.get(&p.name).copied().unwrap_or(0);
    set.patches.iter().flat_map(|p| std::iter::repeat_n(print(p), times(&p))).collect()
}

/// A space of a patch: the look of the rules, else the first word that is printed there, and the others below it.
fn make_tile(s: &PatchSpace, title: &str, color: &dyn Fn(&str) -> Option<Color>) -> Tile {
    let (first, others) = s.prints.split_first().map_or(("", &[][..]), |(f, o)| (f.as_str(), o));
    // What the rules write says the word of the ground; the other prints stand below it.
    let says_word = s.word.as_deref() == Some(first);
    let below = if s.text.is_some() && !says_word { &s.prints } else { others };
    Tile {
        at: (s.at.column, s.at.row),
        name: title.to_string(),
        fill: s.colour.or_else(|| color(s.word.as_deref()?)),
        text: s.text.clone().unwrap_or_else(|| first.to_string()),
        below: below.join(", "),
        corner: s.corner.clone(),
        badge: s.badge.clone(),
        bands: s.sides.iter().filter_map(|(side, w)| Some((*side, color(w)?))).collect(),
        figure: None,
    }
}

/// The box around the spaces of a patch whose map would begin at the origin.
pub(crate) fn bounds(patch: &PatchToPrint, scale: f64) -> Rect {
    let place = Placed { geometry: patch.geometry, from: (0.0, 0.0), scale };
    let rects = patch.tiles.iter().map(|t| place.rect(t.at));
    let all = rects.fold(None, |all: Option<Rect>, r| {
        let Some(a) = all else { return Some(r) };
        let (x, y) = (a.x.min(r.x), a.y.min(r.y));
        let (right, low) = ((a.x + a.width).max(r.x + r.width), (a.y + a.height).max(r.y + r.height));
        Some(Rect::new(x, y, right - x, low - y))
    });
    all.unwrap_or(Rect::new(0.0, 0.0, scale, scale))
}

/// Draws a patch with the upper left corner of its box at a point. Returns the names of tiles on which a text has no room.
pub(crate) fn draw_patch(
    pen: &Pen,
    svg: &mut Svg,
    patch: &PatchToPrint,
    at: (f64, f64),
    scale: f64,
) -> Vec<String> {
    let own = bounds(patch, scale);
    let place = Placed { geometry: patch.geometry, from: (at.0 - own.x, at.1 - own.y), scale };
    draw_tiles(pen, svg, &place, &patch.tiles, &[])
}
