//! Reads scenarios, variants and mods as drawings: which maps each draws, what each space says and where that stands in the text, its legend and its form. `plan` writes them.
//!
//! A [`Drawing`] is plain data, made from the texts of one moment. It reads the trees and not the checked game wherever it can, so that it stays whole while something else is
//! being written; the checked game says what the words of legends and options mean.
mod board;
mod broken;
pub mod brush;
mod fields;
mod lattice;
mod layers;
mod legend;
mod look;
mod look_faces;
mod patches;
mod propose;
mod sheet;
mod sheet_id;
mod visibility;

pub use board::{Board, Cell, RowName};
pub use broken::Broken;
pub use fields::{Field, FieldKey, FieldType, ListedDeclaration, ListedSort, State};
pub use lattice::{Lattice, Spot, Symmetry, Topology, Turn, Vector, column_name};
pub use legend::{Entry, MarkSort, Meaning};
pub use look_faces::list_signs;
pub use patches::{
    Patch, PatchPrint, PatchSet, PatchSpace, PrintSort, PrintValue, PrintedValue, Slot, side_name,
};
pub use propose::propose_signs;
pub use sheet::{Around, Sheet, find_sheet_around, list_sheets, rewrite_to_one_base};
pub use sheet_id::SheetId;
pub use visibility::{HiddenLayers, MapLayer};

pub(crate) use board::find_own_picture;
pub(crate) use broken::{find_broken, find_first_broken};
pub(crate) use fields::{field_type, header_value, is_literal, list_fields as fields_of};
pub(crate) use lattice::{declared_size, drawn_size, to_topology};
pub(crate) use layers::{DrawnMap, Layers};
pub(crate) use legend::Legends;
pub(crate) use look::{LookValue, Looks, list_line};
pub(crate) use patches::list_patches;
pub(crate) use sheet_id::inner_items;

use super::analysis::Analysis;
use houserule_model::LookSign;
use houserule_model::codes::{SIGN, SLOTS};
use houserule_text::{Severity, Span};
use std::sync::Arc;

/// Where the value of something drawn stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// It is written there, by itself: it can be changed in place.
    Literal(Span),
    /// It is a sign of a picture: it can be changed in place.
    Cell {
        /// The picture, with its quotes.
        grid: Span,
        /// From the west.
        column: u32,
        /// From the south.
        row: u32,
        /// The sign itself.
        span: Span,
    },
    /// Nothing is written; that is what the declaration gives, if there is one.
    Default(Option<Span>),
    /// It is worked out.
    Computed(Span),
    /// It is written in what the scenario is built on: in the game, a part, another scenario.
    FromOther(Span),
}

impl Origin {
    /// Where it stands, or where it is declared.
    pub fn span(self) -> Option<Span> {
        match self {
            Origin::Literal(s) | Origin::Computed(s) | Origin::FromOther(s) => Some(s),
            Origin::Cell { span, .. } => Some(span),
            Origin::Default(s) => s,
        }
    }

    /// Whether it can be changed where it stands without a question.
    pub fn is_own(self) -> bool {
        matches!(self, Origin::Literal(_) | Origin::Cell { .. })
    }
}

/// Something that the checker says of what is drawn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// Whether the game cannot be played with it.
    pub error: bool,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
    /// Where.
    pub span: Span,
    /// The spaces on which it lies: number of the board, place.
    pub spots: Vec<(usize, Spot)>,
}

/// A scenario, a variant or mod over one, or the game's own maps, to be drawn and filled in.
#[derive(Clone, Debug)]
pub struct Drawing {
    /// Which.
    pub sheet: Sheet,
    /// Its maps, in the order of their declaration.
    pub boards: Vec<Board>,
    /// The patches of which maps are laid out. A map that grows in play has no board.
    pub patches: Vec<PatchSet>,
    /// What its form holds.
    pub fields: Vec<Field>,
    /// What else is declared in it.
    pub listed: Vec<ListedDeclaration>,
    /// What is wrong with it.
    pub findings: Vec<Finding>,
    /// Why nothing can be drawn now: part of it cannot be read.
    pub broken: Option<Broken>,
    /// The words that are drawn as signs in texts.
    pub signs: Vec<LookSign>,
}

impl Drawing {
    /// Draws a sheet. `None`: there is no such scenario, or it cannot be read at all.
    pub fn from_analysis(analysis: &Analysis, id: &SheetId) -> Option<Drawing> {
        let layers = Layers::from_sheet(analysis, id)?;
        let sheet = layers.describe_sheet(analysis);
        let boards: Vec<Board> =
            layers.maps().iter().map(|m| Board::from_map(analysis, &layers, m)).collect();
        let (fields, listed) =
            (fields::list_fields(analysis, &layers), fields::list_declarations(analysis, &layers));
        let broken = find_broken(analysis, sheet.span);
        let findings = list_findings(analysis, &sheet, &boards);
        let patches = patches::list_patches(analysis, &layers);
        let signs = list_signs(analysis);
        Some(Drawing { sheet, boards, patches, fields, listed, findings, broken, signs })
    }

    /// A board by the name of its map.
    pub fn board_of(&self, map: &str) -> Option<&Board> {
        self.boards.iter().find(|b| &*b.name == map)
    }

    /// The patches of which a map is laid out.
    pub fn patches_of(&self, map: &str) -> Option<&PatchSet> {
        self.patches.iter().find(|p| &*p.map == map)
    }

    /// A field by its key.
    pub fn field_of(&self, key: &FieldKey) -> Option<&Field> {
        self.fields.iter().find(|f| f.key == *key)
    }
}

/// Lists the form of a sheet alone, to compare several; empty for the game's own sheet and for an unknown one.
pub fn list_form(analysis: &Analysis, id: &SheetId) -> Vec<Field> {
    Layers::from_sheet(analysis, id).map(|l| fields::list_fields(analysis, &l)).unwrap_or_default()
}

/// What is found in a sheet's text, and on which spaces it lies.
fn list_findings(analysis: &Analysis, sheet: &Sheet, boards: &[Board]) -> Vec<Finding> {
    let inside = |s: Span| {
        s.file == sheet.span.file && s.start < sheet.span.end && sheet.span.start < s.end.max(s.start + 1)
    };
    let drawn = |s: Span| {
        boards
            .iter()
            .any(|b| b.grid.is_some_and(|g| g.file == s.file && g.start <= s.start && s.end <= g.end))
    };
    let whole = matches!(sheet.id, SheetId::Game);
    let all = analysis.report.findings.iter();
    // Of the game's own sheet only what lies on its maps is told: the rest is the text's.
    let of_it = all.filter(|d| drawn(d.at.span) || !whole && inside(d.at.span));
    of_it
        .map(|d| {
            let mut spots = Vec::new();
            for (n, b) in boards.iter().enumerate() {
                let hit = |c: &&Cell| match c.origin {
                    Origin::Cell { span, .. } => {
                        span.file == d.at.span.file
                            && span.start < d.at.span.end.max(d.at.span.start + 1)
                            && d.at.span.start < span.end
                    }
                    _ => false,
                };
                let on: Vec<&Cell> = b.cells.iter().filter(hit).collect();
                // A sign that nothing explains is told once, and lies wherever it stands.
                let one = |sign: &Option<Arc<str>>| {
                    b.cells.iter().filter(|c| c.sign == *sign).map(|c| (n, c.at)).collect::<Vec<_>>()
                };
                match on.as_slice() {
                    [only] if matches!(d.code, SIGN | SLOTS) => spots.extend(one(&only.sign)),
                    all if all.len() < b.cells.len() || all.len() == 1 => {
                        spots.extend(all.iter().map(|c| (n, c.at)))
                    }
                    _ => {}
                }
            }
            Finding {
                error: d.severity == Severity::Error,
                message: d.message.clone(),
                help: d.help.clone(),
                span: d.at.span,
                spots,
            }
        })
        .collect()
}
