//! Which layers of a drawn map are shown. What is hidden is neither painted nor changed: a sign of several letters is split into those that are seen and those that are not.
//!
//! With components hidden, the legend `g: grass; c: camp` and a brush with `s: sand`:
//!
//! ```text
//! gc   is seen as  g    and becomes  sc
//! c    is seen as  a space alone, and becomes  sc
//! ```
use super::board::{Board, Cell};
use super::brush::Strokes;
use super::lattice::Spot;
use super::legend::{Entry, MarkSort};
use std::collections::BTreeSet;
use std::sync::Arc;

/// What can be shown and hidden of a map.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MapLayer {
    /// Words of its spaces, such as their ground.
    Ground,
    /// What stands and lies there, and whose it is.
    Components,
    /// Numbers and other values.
    Values,
    /// What names of rows put on the spaces of their rows.
    Rows,
    /// The signs themselves.
    Signs,
    /// What is wrong with spaces.
    Findings,
}

/// The layers that are hidden.
pub type HiddenLayers = BTreeSet<MapLayer>;

impl MapLayer {
    /// All of them, in the order in which a person is shown them.
    pub const ALL: [MapLayer; 6] = [
        MapLayer::Ground,
        MapLayer::Components,
        MapLayer::Values,
        MapLayer::Rows,
        MapLayer::Signs,
        MapLayer::Findings,
    ];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            MapLayer::Ground => "Ground and words",
            MapLayer::Components => "Components",
            MapLayer::Values => "Values",
            MapLayer::Rows => "What rows say",
            MapLayer::Signs => "Signs",
            MapLayer::Findings => "Findings",
        }
    }

    /// The layer of what a mark puts on a space.
    pub fn of_mark(sort: MarkSort) -> MapLayer {
        match sort {
            MarkSort::Thing | MarkSort::Drawn | MarkSort::Player => MapLayer::Components,
            MarkSort::Word => MapLayer::Ground,
            MarkSort::Value => MapLayer::Values,
        }
    }
}

/// Whether a sign of the palette puts something on spaces that is hidden.
fn has_hidden(e: &Entry, hidden: &HiddenLayers) -> bool {
    e.meaning.marks.iter().any(|(_, sort)| hidden.contains(&MapLayer::of_mark(*sort)))
}

/// Whether all that it puts there is hidden.
fn is_hidden(e: &Entry, hidden: &HiddenLayers) -> bool {
    let mut marks = e.meaning.marks.iter();
    !e.meaning.marks.is_empty() && marks.all(|(_, sort)| hidden.contains(&MapLayer::of_mark(*sort)))
}

impl Board {
    /// The entries of which a sign is put together: its own, or one for each of its letters.
    fn entries_of(&self, sign: &str) -> Vec<&Entry> {
        match self.entry_of(sign) {
            Some(e) if !e.letters => vec![e],
            _ => sign.chars().filter_map(|c| self.entry_of(c.encode_utf8(&mut [0; 4]))).collect(),
        }
    }

    /// What is seen of a sign: the letters of which not all is hidden. Empty: nothing of it.
    pub fn seen_sign(&self, sign: &str, hidden: &HiddenLayers) -> Arc<str> {
        let all = self.entries_of(sign);
        if !all.iter().any(|e| is_hidden(e, hidden)) {
            return sign.into();
        }
        let seen: String = all.iter().filter(|e| !is_hidden(e, hidden)).map(|e| &*e.sign).collect();
        seen.into()
    }

    /// What is seen of the marks of a place, in the words of the legend, with commas.
    pub fn seen_marks(&self, cell: &Cell, hidden: &HiddenLayers) -> String {
        let Some(meaning) = &cell.meaning else { return String::new() };
        let of_row = self.rows.iter().find(|r| r.row == cell.at.row).map_or(0, |r| r.marks);
        let seen = meaning.marks.iter().enumerate().filter(|(n, (_, sort))| {
            let layer = if *n < of_row { MapLayer::Rows } else { MapLayer::of_mark(*sort) };
            !hidden.contains(&layer)
        });
        seen.map(|(_, (mark, _))| &**mark).collect::<Vec<_>>().join(", ")
    }

    /// On how many spaces there is something of a layer that can be hidden by itself.
    pub fn count_marked(&self, layer: MapLayer) -> usize {
        let all = HiddenLayers::from(MapLayer::ALL);
        let others: HiddenLayers = all.into_iter().filter(|l| *l != layer).collect();
        self.cells.iter().filter(|c| !self.seen_marks(c, &others).is_empty()).count()
    }

    /// Strokes that leave alone what is hidden, and how many places keep their sign because it cannot be kept apart there.
    pub fn spare_hidden(&self, mut strokes: Strokes, hidden: &HiddenLayers) -> (Strokes, usize) {
        let before = strokes.len();
        if !hidden.is_empty() {
            strokes.retain(|spot, sign| match self.spare_at(*spot, sign, hidden) {
                Some(spared) => {
                    *sign = spared;
                    true
                }
                None => false,
            });
        }
        let kept = before - strokes.len();
        (strokes, kept)
    }

    /// What is written in place of a sign, so that what is hidden at a place stays; none if that cannot be.
    fn spare_at(&self, spot: Spot, sign: &Arc<str>, hidden: &HiddenLayers) -> Option<Arc<str>> {
        let now = self.sign_at(spot).unwrap_or(".");
        let new = self.entries_of(sign);
        if now == &**sign {
            return Some(sign.clone());
        }
        // What is put there would not be seen.
        if new.iter().any(|e| has_hidden(e, hidden)) {
            return None;
        }
        let here = self.entries_of(now);
        let stays: Vec<&&Entry> = here.iter().filter(|e| has_hidden(e, hidden)).collect();
        if stays.is_empty() {
            return Some(sign.clone());
        }
        let one = |e: &Entry| e.space && e.sign.chars().count() == 1;
        let apart = stays.iter().all(|e| one(e) && is_hidden(e, hidden)) && new.iter().all(|e| one(e));
        // A space alone says nothing beside what stays.
        let new = if &**sign == "." && apart { Vec::new() } else { new };
        let all: String = new.iter().chain(stays).map(|e| &*e.sign).collect();
        // Together they may be a sign that means something else.
        let other = self.entry_of(&all).is_some_and(|e| !e.letters);
        (apart && !other).then(|| all.into())
    }
}
