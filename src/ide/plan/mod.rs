//! Plans the edits for what somebody does to a drawing or a form: the smallest edits that carry it out, or a refusal with a reason. The reading half is `draw`.
//!
//! Four laws hold of every plan. A gesture that changes nothing edits nothing. The new text, read again, says what was meant. Bytes outside the ranges stay, and a comment goes
//! only with its declaration. The inverse restores the text byte for byte.
mod card_row;
mod card_table;
mod card_text;
mod cards;
mod fields;
mod legend;
mod paint;
mod picture;
mod place;
mod prints;
mod rename;
mod resize;
mod rewrite;
mod shift;

pub use card_table::{AddedCard, ChangedCard, ChangedValue, TableDiff, compare_table};
pub use card_text::suggest_name;
pub use legend::MarkWish;
pub use shift::Shift;

use super::analysis::Analysis;
use super::cards::{CardId, CardKey, CardTable};
use super::draw::brush::Strokes;
use super::draw::{Broken, FieldKey, Layers, PrintValue, SheetId, Spot};
use super::edit::{Edit, EditSet, Offer, Refusal};
use houserule_text::{FileId, Span};
use std::collections::BTreeSet;
use std::sync::Arc;

/// What is meant by a gesture.
#[derive(Clone, PartialEq, Debug)]
pub enum Intent {
    /// Signs are written on a map: whatever a brush, a fill or a piece put down covers.
    Paint {
        /// Which sheet.
        sheet: SheetId,
        /// Which map.
        map: Arc<str>,
        /// The sign of each place; `.` erases.
        strokes: Strokes,
        /// What is done, as undo shows it; the places are told behind it.
        what: String,
    },
    /// A mark is put on places or taken from them: the sign that says the rest and this is found in the legend.
    Mark {
        /// Which sheet.
        sheet: SheetId,
        /// Which map.
        map: Arc<str>,
        /// Where.
        spots: BTreeSet<Spot>,
        /// The mark, as the legend writes it.
        mark: Arc<str>,
        /// Put there, or taken away.
        wish: MarkWish,
    },
    /// A row's name is written, or taken away.
    NameRow {
        /// Which sheet.
        sheet: SheetId,
        /// Which map.
        map: Arc<str>,
        /// From the south.
        row: u32,
        /// The sign; none takes it away.
        sign: Option<Arc<str>>,
    },
    /// Rows and columns are added, or, with numbers below nought, taken away.
    Resize {
        /// Which sheet.
        sheet: SheetId,
        /// Which map.
        map: Arc<str>,
        /// At which sides, by how many.
        by: Sides,
        /// What the new places have.
        sign: Arc<str>,
    },
    /// The picture of what the sheet is built on is drawn here, too, so that it can be changed here.
    DrawHere {
        /// Which sheet.
        sheet: SheetId,
        /// Which map.
        map: Arc<str>,
    },
    /// A whole picture is drawn, in place of the sheet's own or as its first.
    SetPicture {
        /// Which sheet.
        sheet: SheetId,
        /// Which map.
        map: Arc<str>,
        /// Its signs, row by row from the north.
        rows: Vec<Vec<Arc<str>>>,
        /// What is done, as undo shows it.
        what: String,
    },
    /// A field of the form is written.
    SetField {
        /// Which sheet.
        sheet: SheetId,
        /// Which field.
        field: FieldKey,
        /// Its value as written; of texts without quotes.
        text: String,
    },
    /// What is written here of a field is taken out, so that it is inherited again.
    ResetField {
        /// Which sheet.
        sheet: SheetId,
        /// Which field.
        field: FieldKey,
    },
    /// A field of several forms is written, or reset, in one step.
    SetFields {
        /// Which sheets.
        sheets: Vec<SheetId>,
        /// Which field.
        field: FieldKey,
        /// Its value as written; none resets it.
        text: Option<String>,
    },
    /// A row of a legend is written, new or in place of the sheet's own.
    SetLegend {
        /// Which sheet.
        sheet: SheetId,
        /// Which map.
        map: Arc<str>,
        /// The sign.
        sign: Arc<str>,
        /// Its marks as written: `sand, camp`.
        marks: String,
    },
    /// The sheet's own row for a sign is taken out.
    ResetLegend {
        /// Which sheet.
        sheet: SheetId,
        /// Which map.
        map: Arc<str>,
        /// The sign.
        sign: Arc<str>,
    },
    /// What a patch prints on a space, or on a side of one, is written into its row of a list.
    SetPrint {
        /// Which sheet.
        sheet: SheetId,
        /// The map that is laid out of the patches.
        map: Arc<str>,
        /// The patch, by its name in the rules.
        patch: Arc<str>,
        /// The column of the list: the number of the space, or the direction of the side.
        column: Arc<str>,
        /// What is printed, by its name.
        print: Arc<str>,
        /// Its value.
        value: PrintValue,
    },
    /// A declaration is added behind its last sibling.
    AddItem {
        /// Which sheet.
        sheet: SheetId,
        /// As written.
        text: String,
    },
    /// A declaration is written anew. Comments inside it stay where they are.
    SetItem {
        /// Which sheet.
        sheet: SheetId,
        /// Its place among the sheet's items.
        item: usize,
        /// As written.
        text: String,
    },
    /// A declaration is taken out, with its comments.
    RemoveItem {
        /// Which sheet.
        sheet: SheetId,
        /// Its place among the sheet's items.
        item: usize,
    },
    /// A field of a card is written.
    SetCard {
        /// Which card.
        card: CardId,
        /// Which field.
        field: CardKey,
        /// Its value as written; of texts without quotes.
        text: String,
    },
    /// What a card itself says of a field is taken out, so that what it inherits holds again.
    ResetCard {
        /// Which card.
        card: CardId,
        /// Which field.
        field: CardKey,
    },
    /// A copy of a card's text is put behind it, under a name of its own.
    CopyCard {
        /// Which card.
        card: CardId,
        /// The name of the new card.
        name: String,
        /// Its title; none: as its name says.
        title: Option<String>,
    },
    /// A card that nothing uses is taken out, with its comments.
    RemoveCard {
        /// Which card.
        card: CardId,
    },
    /// What a table says of the cards of a kind is written: new cards, and values that differ.
    ImportCards {
        /// The kind, by its name in the rules.
        kind: Arc<str>,
        /// The table.
        table: CardTable,
        /// What is done, as undo shows it.
        what: String,
    },
}

/// By how many places a map grows at each side; below nought it shrinks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Sides {
    /// Rows at the top.
    pub north: i32,
    /// Columns at the right.
    pub east: i32,
    /// Rows at the bottom: the numbers of all rows change.
    pub south: i32,
    /// Columns at the left: the letters of all columns change.
    pub west: i32,
}

/// The edits that carry an intent out on the texts of an analysis. Nothing to change gives an empty set.
///
/// # Errors
/// A reason why it is not done, with what can be done instead.
pub fn plan(analysis: &Analysis, intent: &Intent) -> Result<EditSet, Refusal> {
    let on = |sheet: &SheetId| Desk::from_sheet(analysis, sheet);
    match intent {
        Intent::Paint { sheet, map, strokes, what } => paint::plan_paint(&on(sheet)?, map, strokes, what),
        Intent::Mark { sheet, map, spots, mark, wish } => {
            legend::plan_mark(&on(sheet)?, map, spots, mark, *wish)
        }
        Intent::NameRow { sheet, map, row, sign } => paint::name_row(&on(sheet)?, map, *row, sign.as_deref()),
        Intent::Resize { sheet, map, by, sign } => resize::plan_resize(&on(sheet)?, map, *by, sign),
        Intent::DrawHere { sheet, map } => paint::draw_here(&on(sheet)?, map),
        Intent::SetPicture { sheet, map, rows, what } => picture::plan_picture(&on(sheet)?, map, rows, what),
        Intent::SetField { sheet, field, text } => fields::plan_set(&on(sheet)?, field, text),
        Intent::ResetField { sheet, field } => fields::plan_reset(&on(sheet)?, field),
        Intent::SetFields { sheets, field, text } => {
            let all = sheets.iter().map(on).collect::<Result<Vec<_>, _>>()?;
            fields::set_all(&all, field, text.as_deref())
        }
        Intent::SetLegend { sheet, map, sign, marks } => legend::plan_set(&on(sheet)?, map, sign, marks),
        Intent::ResetLegend { sheet, map, sign } => legend::plan_reset(&on(sheet)?, map, sign),
        Intent::SetPrint { sheet, map, patch, column, print, value } => {
            let wish = prints::Wish { map, patch, column, print, value };
            prints::plan_print(&on(sheet)?, &wish)
        }
        Intent::AddItem { sheet, text } => fields::add_item(&on(sheet)?, text),
        Intent::SetItem { sheet, item, text } => fields::set_item(&on(sheet)?, *item, text),
        Intent::RemoveItem { sheet, item } => fields::remove_item(&on(sheet)?, *item),
        Intent::SetCard { card, field, text } => {
            cards::plan_set(&on(&SheetId::Game)?, card, field, Some(text))
        }
        Intent::ResetCard { card, field } => cards::plan_set(&on(&SheetId::Game)?, card, field, None),
        Intent::CopyCard { card, name, title } => {
            card_text::plan_copy(&on(&SheetId::Game)?, card, name, title.as_deref())
        }
        Intent::RemoveCard { card } => card_text::plan_remove(&on(&SheetId::Game)?, card),
        Intent::ImportCards { kind, table, what } => {
            card_table::plan_import(&on(&SheetId::Game)?, kind, table, what)
        }
    }
}

/// Where the places of a map would be after a resize, without the edits: what a preview needs at each step.
///
/// # Errors
/// Why there can be no map of that size.
pub fn compute_shift(analysis: &Analysis, sheet: &SheetId, map: &str, by: Sides) -> Result<Shift, Refusal> {
    resize::compute_shift(&Desk::from_sheet(analysis, sheet)?, map, by)
}

/// What planning reads: the analysis, the sheet and its layers.
struct Desk<'a> {
    analysis: &'a Analysis,
    layers: Layers<'a>,
}

impl<'a> Desk<'a> {
    fn from_sheet(analysis: &'a Analysis, id: &SheetId) -> Result<Desk<'a>, Refusal> {
        let Some(layers) = Layers::from_sheet(analysis, id) else {
            let (sort, name) = match id {
                SheetId::Game => return Err(Refusal::with_reason("there is no game")),
                SheetId::Scenario(name) | SheetId::Built(name, _) => ("scenario", name),
                SheetId::Variant(name, _) => ("variant", name),
                SheetId::Mod(title, _) => ("mod", title),
            };
            let mut refusal = Refusal::with_reason(format!("there is no {sort} {name} that can be read"));
            // Very likely it is there, and something in it cannot be read.
            let files = analysis.files.iter().filter(|(_, f)| f.text.contains(&**name)).map(|(id, _)| id);
            if let Some(b) = files.filter_map(|f| super::draw::find_first_broken(analysis, f)).next() {
                refusal = refuse_broken(analysis, &b, refusal.why);
            }
            return Err(refusal);
        };
        Ok(Desk { analysis, layers })
    }

    /// The text of a file.
    fn text_of(&self, file: FileId) -> &'a str {
        self.analysis.files.get(file).map_or("", |f| &f.text)
    }

    /// The name of a file.
    fn name_of(&self, file: FileId) -> Arc<str> {
        self.analysis.files.get(file).map_or("", |f| f.name.as_str()).into()
    }

    /// An edit of a file.
    fn make_edit(&self, file: FileId, range: std::ops::Range<usize>, text: impl Into<String>) -> Edit {
        Edit::new(self.name_of(file), range, text)
    }

    /// An offer to go to a place.
    fn go_to(&self, span: Span) -> Offer {
        Offer::GoTo(self.name_of(span.file), span.range())
    }

    /// Refuses if what stands there cannot be read.
    fn check_readable(&self, span: Span) -> Result<(), Refusal> {
        match super::draw::find_broken(self.analysis, span) {
            Some(b) => Err(refuse_broken(
                self.analysis,
                &b,
                "this cannot be changed, because a part of it cannot be read".into(),
            )),
            None => Ok(()),
        }
    }

    /// The sheet's own declaration; the game has none.
    fn own_declaration(&self) -> Result<&'a houserule_syntax::ast::Item, Refusal> {
        let own = self.layers.own_layer().and_then(|l| l.item);
        own.ok_or_else(|| Refusal::with_reason("this is the game itself: change its rules in the text"))
    }
}

/// A refusal because of something that cannot be read, with the way there.
fn refuse_broken(analysis: &Analysis, b: &Broken, why: String) -> Refusal {
    let place = analysis.files.place(b.span);
    let name = analysis.files.get(b.span.file).map_or("", |f| f.name.as_str());
    Refusal {
        why: format!("{why}: {} ({place})", b.why),
        offers: vec![Offer::GoTo(name.into(), b.span.range())],
    }
}

/// Edits as one set.
fn to_edit_set(label: String, edits: Vec<Edit>) -> Result<EditSet, Refusal> {
    EditSet::new(label, edits)
        .map_err(|o| Refusal::with_reason(format!("two changes of {} are in the same place", o.file)))
}

/// The places of a gesture in a few words: `D5`, `3 spaces from B2 to D5`.
fn describe_places<'s>(spots: impl Iterator<Item = &'s Spot> + Clone) -> String {
    let (first, last) = (spots.clone().min(), spots.clone().max());
    match (first, last, spots.count()) {
        (Some(a), _, 1) => a.name().to_string(),
        (Some(a), Some(b), n) => format!("{n} spaces from {} to {}", a.name(), b.name()),
        _ => String::from("nothing"),
    }
}
