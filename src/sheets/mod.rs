//! Print-and-play sheets: a game's cards, counters and maps on pages of paper, as SVG and as PDF.
//!
//! ```text
//! Analysis (faces, backs, looks) ─┐
//! Contents (copies, maps)        ─┼─ lay_out ─▶ Sheets { pages: SVG, parts, remarks } ─ to_pdf ─▶ bytes
//! PrintOptions (paper, bleed)    ─┘
//! ```
//!
//! What a card shows comes from the same `look` that the editor draws. All functions are pure, and the same game always gives the same pages.
mod board;
mod card;
mod color;
mod contents;
mod faces;
mod fonts;
mod grid;
mod maps;
mod options;
mod page;
mod pages;
mod patches;
mod pdf;
mod pen;
mod svg;
mod token;
mod words;

pub use contents::{BoardPart, Contents, FaceCount, PlayerPart, SpacePart, Way};
pub use faces::{KindCount, shorten_side};
pub use options::{MOST_BLEED, MOST_PAGES, Paper, Part, PrintOptions};
pub use page::Page;
pub use pages::{PrintedPart, SheetFault, Sheets, lay_out};
pub use pdf::{read_svg, to_pdf};
