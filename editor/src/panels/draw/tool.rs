//! The drawing tools: which spaces each covers and what is written there. Preview and result come from one function.
use crate::command::draw::Tool;
use houserule::ide::draw::brush::{self, Clip, LARGEST, Strokes};
use houserule::ide::draw::{Board, HiddenLayers, Spot, Symmetry, Turn};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A stroke that is not finished.
#[derive(Clone, PartialEq, Debug)]
pub struct Stroke {
    /// Where it began.
    pub from: Spot,
    /// Where it is.
    pub to: Spot,
    /// What it has covered so far.
    pub spots: BTreeSet<Spot>,
    /// Begun by keyboard: it is finished by the next act, not by letting go.
    pub keyed: bool,
}

/// A piece in the hand.
#[derive(Clone, PartialEq, Debug)]
pub struct HeldPiece {
    /// What it is.
    pub clip: Clip,
    /// Where it was taken from, if it is to go from there.
    pub from: Option<BTreeSet<Spot>>,
    /// The stamp's name, if it is one.
    pub name: Option<Arc<str>>,
}

/// What is held and how it is set.
#[derive(Clone, PartialEq, Debug)]
pub struct Hand {
    /// The tool.
    pub tool: Tool,
    /// The brush's size.
    pub size: u32,
    /// What is painted.
    pub sign: Arc<str>,
    /// Which copies are made at once.
    pub symmetry: Symmetry,
    /// Signs to be mixed by chance, by weight.
    pub weights: Vec<(Arc<str>, u32)>,
    /// Layers that are not shown, and not changed.
    pub hidden: HiddenLayers,
    /// Whether every tool that paints mixes them, not only Scatter.
    pub mix: bool,
    /// Which chance; another after every stroke.
    pub seed: u64,
    /// What is selected.
    pub selection: BTreeSet<Spot>,
    /// What is to be put down.
    pub held: Option<HeldPiece>,
    /// What is being drawn.
    pub stroke: Option<Stroke>,
}

impl Default for Hand {
    fn default() -> Self {
        Hand {
            tool: Tool::Brush,
            size: 1,
            // None yet: the first of the map that is shown is taken.
            sign: "".into(),
            symmetry: Symmetry::Off,
            weights: Vec::new(),
            hidden: HiddenLayers::new(),
            mix: false,
            seed: 1,
            selection: BTreeSet::new(),
            held: None,
            stroke: None,
        }
    }
}

/// What is seen of the sign at a place.
fn seen_at<'s>(seen: &'s BTreeMap<&str, Arc<str>>, b: &Board, at: Spot) -> Option<&'s str> {
    seen.get(b.sign_at(at)?).map(|s| &**s)
}

impl Hand {
    /// The brush, one larger or smaller.
    pub fn resize_brush(&mut self, larger: bool) {
        self.size = if larger { self.size + 1 } else { self.size.saturating_sub(1) }.clamp(1, LARGEST);
    }

    /// The places that a brush covers at a place, with their images.
    fn brush_places(&self, b: &Board, s: Spot) -> BTreeSet<Spot> {
        brush::mirror_places(&b.lattice, &brush::stamp_places(&b.lattice, s, self.size), self.symmetry)
    }

    /// The places that the tool covers from the first place of a stroke to the last; brushes cover what they have passed, too.
    fn covered_places(&self, b: &Board, from: Spot, to: Spot, passed: &BTreeSet<Spot>) -> BTreeSet<Spot> {
        let l = &b.lattice;
        match self.tool {
            Tool::Brush | Tool::Scatter | Tool::Erase => {
                passed.iter().copied().chain(self.brush_places(b, to)).collect()
            }
            Tool::Line => {
                brush::line_places(l, from, to).into_iter().flat_map(|s| self.brush_places(b, s)).collect()
            }
            Tool::Rectangle | Tool::Rim => brush::mirror_places(
                l,
                &brush::rectangle_places(l, from, to, self.tool == Tool::Rim),
                self.symmetry,
            ),
            Tool::Fill => {
                let seen = self.seen_signs(b);
                brush::mirror_places(l, &brush::fill_places(l, to, |s| seen_at(&seen, b, s)), self.symmetry)
            }
            Tool::Replace => {
                let seen = self.seen_signs(b);
                let wanted = seen_at(&seen, b, to).unwrap_or(".");
                brush::places_with_sign(l, wanted, |s| seen_at(&seen, b, s))
            }
            Tool::Pick | Tool::Select => BTreeSet::new(),
        }
    }

    /// What is seen of each sign of the map.
    fn seen_signs<'b>(&self, b: &'b Board) -> BTreeMap<&'b str, Arc<str>> {
        let signs: BTreeSet<&str> = b.cells.iter().filter_map(|c| c.sign.as_deref()).collect();
        signs.into_iter().map(|s| (s, b.seen_sign(s, &self.hidden))).collect()
    }

    /// What would be written if the hand acted at a place now.
    pub fn proposed_strokes(&self, b: &Board, at: Spot) -> Strokes {
        self.propose(b, at).0
    }

    /// The same, and how many places keep their sign because something that is hidden stands there.
    pub fn propose(&self, b: &Board, at: Spot) -> (Strokes, usize) {
        b.spare_hidden(self.covered_strokes(b, at), &self.hidden)
    }

    /// What would be written if nothing were hidden.
    fn covered_strokes(&self, b: &Board, at: Spot) -> Strokes {
        if let Some(held) = &self.held {
            return match &held.from {
                Some(from) => held.clip.move_to(&b.lattice, from, at).0,
                None => held.clip.put_down(&b.lattice, at).0,
            };
        }
        let none = BTreeSet::new();
        let spots = match &self.stroke {
            Some(s) => self.covered_places(b, s.from, at, &s.spots),
            None => self.covered_places(b, at, at, &none),
        };
        match self.tool {
            Tool::Erase => brush::with_sign(&spots, "."),
            _ => self.paint_places(b, &spots),
        }
    }

    /// What is painted on places: the chosen sign, or several by chance. The seed is the same until the stroke is written, so that is what was seen.
    pub fn paint_places(&self, b: &Board, spots: &BTreeSet<Spot>) -> Strokes {
        if !self.is_mixing() {
            return brush::with_sign(spots, &self.sign);
        }
        brush::scatter_signs(spots, &self.mixed_signs(b), self.seed)
    }

    /// Whether signs are chosen by chance.
    pub fn is_mixing(&self) -> bool {
        self.mix || self.tool == Tool::Scatter
    }

    /// The signs that have a weight, as far as this map has them.
    pub fn mixed_signs(&self, b: &Board) -> Vec<(Arc<str>, u32)> {
        self.weights.iter().filter(|(sign, _)| b.explains(sign)).cloned().collect()
    }

    /// The places that would be selected if the hand acted at a place now.
    pub fn proposed_selection(&self, b: &Board, at: Spot) -> BTreeSet<Spot> {
        let from = self.stroke.as_ref().map_or(at, |s| s.from);
        brush::rectangle_places(&b.lattice, from, at, false)
    }

    /// Goes on with a stroke: what lies between the last place and this is passed.
    pub fn continue_stroke(&mut self, b: &Board, to: Spot) {
        let Some(mut s) = self.stroke.take() else { return };
        if matches!(self.tool, Tool::Brush | Tool::Scatter | Tool::Erase) {
            for p in brush::line_places(&b.lattice, s.to, to) {
                s.spots.extend(self.brush_places(b, p));
            }
        }
        s.to = to;
        self.stroke = Some(s);
    }

    /// What a stroke is called when it is undone.
    pub fn label(&self) -> String {
        let sign = if self.mix { "by chance" } else { &*self.sign };
        match (&self.held, self.tool) {
            (Some(h), _) if h.from.is_some() => "move".into(),
            (Some(HeldPiece { name: Some(name), .. }), _) => format!("stamp {name}"),
            (Some(_), _) => "copy".into(),
            (_, Tool::Erase) => "erase".into(),
            (_, Tool::Scatter) => "scatter".into(),
            (_, Tool::Fill) => format!("fill {sign}"),
            (_, Tool::Replace) if self.mix => "replace by chance".into(),
            (_, Tool::Replace) => format!("replace by {sign}"),
            _ => format!("paint {sign}"),
        }
    }

    /// What is selected, as a piece that is held at its first place; none if nothing is.
    pub fn selected_clip(&self, b: &Board) -> Option<Clip> {
        let first = self.selection.iter().next().copied()?;
        let seen = self.seen_signs(b);
        let mut clip = Clip::from_places(&b.lattice, &self.selection, first, |s| seen_at(&seen, b, s));
        // Where all is hidden nothing is taken.
        clip.signs.retain(|(_, sign)| !sign.is_empty());
        Some(clip)
    }

    /// Takes the selection into the hand.
    pub fn take_up(&mut self, b: &Board, moving: bool) -> bool {
        let Some(clip) = self.selected_clip(b) else { return false };
        self.held = Some(HeldPiece { clip, from: moving.then(|| self.selection.clone()), name: None });
        self.stroke = None;
        true
    }

    /// Turns what is in the hand; if there is nothing, what is selected is taken up to be moved.
    pub fn turn_held(&mut self, b: &Board, turn: Turn) -> bool {
        if self.held.is_none() && !self.take_up(b, true) {
            return false;
        }
        if let Some(h) = &mut self.held {
            h.clip = h.clip.turn(&b.lattice, turn);
        }
        true
    }

    /// Forgets what was begun.
    pub fn cancel_gesture(&mut self) {
        if self.stroke.take().is_none() && self.held.take().is_none() {
            self.selection.clear();
        }
    }
}
