//! What is printed, and on which paper.

/// The widest bleed, in millimetres: with more of it nine cards have no room on a page.
pub const MOST_BLEED: f64 = 3.0;

/// The most pages that are made.
pub const MOST_PAGES: usize = 2000;

/// A size of paper.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Paper {
    /// 210 × 297 mm.
    #[default]
    A4,
    /// 8.5 × 11 inches.
    Letter,
}

impl Paper {
    /// Width and height of an upright page, in millimetres.
    pub fn size(self) -> (f64, f64) {
        match self {
            Paper::A4 => (210.0, 297.0),
            Paper::Letter => (215.9, 279.4),
        }
    }
}

/// A part of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// Cards.
    Cards,
    /// Everything else that is a component, and the pieces of players.
    Tokens,
    /// Maps.
    Boards,
}

/// What is printed.
#[derive(Clone, PartialEq, Debug)]
pub struct PrintOptions {
    /// Which parts.
    pub parts: Vec<Part>,
    /// Only components of this kind, by the name of the kind in the rules.
    pub kind: Option<String>,
    /// The paper.
    pub paper: Paper,
    /// How far the ground of a card goes over its edge, in millimetres.
    pub bleed: f64,
    /// Whether a page with the backs follows each page of cards.
    pub backs: bool,
    /// Whether boards are printed at their true size over several pages.
    pub tile: bool,
}

impl Default for PrintOptions {
    fn default() -> PrintOptions {
        PrintOptions {
            parts: vec![Part::Cards, Part::Tokens, Part::Boards],
            kind: None,
            paper: Paper::A4,
            bleed: 2.0,
            backs: false,
            tile: false,
        }
    }
}
