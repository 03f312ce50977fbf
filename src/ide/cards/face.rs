//! The face of a card: what its `look` draws, sorted by part.
use crate::draw::parse_colour;
use std::sync::Arc;

/// What a look draws of a card. Empty texts are left out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CardFace {
    /// What it is filled with: red, green, blue.
    pub fill: Option<[u8; 3]>,
    /// Its edge.
    pub edge: Option<[u8; 3]>,
    /// Its shape: a name, or path data.
    pub shape: Option<String>,
    /// By how many degrees the shape is turned, clockwise.
    pub turn: i32,
    /// What it is called, if the look says so.
    pub title: Option<String>,
    /// What stands on it, line by line.
    pub text: Vec<String>,
    /// What stands on the left of its title.
    pub corner: Vec<String>,
    /// What stands on the right of its title.
    pub badge: Vec<String>,
}

impl CardFace {
    /// Sorts the rows of a look.
    pub(super) fn from_parts(rows: &[(Arc<str>, String)]) -> CardFace {
        let mut out = CardFace::default();
        for (slot, text) in rows {
            let some = || Some(text.clone()).filter(|t| !t.is_empty());
            match &**slot {
                "fill" => out.fill = parse_colour(text).or(out.fill),
                "edge" => out.edge = parse_colour(text).or(out.edge),
                "shape" => out.shape = some(),
                "turn" => out.turn = text.parse().unwrap_or_default(),
                "title" => out.title = Some(text.clone()),
                "text" => out.text.extend(some()),
                "corner" => out.corner.extend(some()),
                "badge" => out.badge.extend(some()),
                _ => {}
            }
        }
        out
    }
}
