//! Plans what a patch prints on a space: one mark of its row in a list is written, changed or taken out. The other cells of the row stay in their columns where there is room.
//!
//! ```text
//! list Tile | 1          | 2    {          # `cave` on the second space of the ridge
//!   ridge   | rock       | rock            #   ridge   | rock       | rock, cave
//! ```
use super::{Desk, place, to_edit_set};
use crate::draw::{PatchSet, PrintSort, PrintValue, list_patches};
use crate::edit::{EditSet, Refusal};
use houserule_syntax::ast::{Cell, ExprKind, ItemKind, ListRow, Mark, RowName};
use std::ops::Range;

/// What is to be printed, and where.
pub(super) struct Wish<'a> {
    /// The map that is laid out of the patches.
    pub map: &'a str,
    /// The patch, by its name.
    pub patch: &'a str,
    /// The column of the list: the number of a space, or the direction of a side.
    pub column: &'a str,
    /// What is printed, by its name.
    pub print: &'a str,
    /// Its value.
    pub value: &'a PrintValue,
}

pub(super) fn plan_print(desk: &Desk<'_>, wish: &Wish<'_>) -> Result<EditSet, Refusal> {
    let Wish { map, patch, column, print, value } = wish;
    let sets = list_patches(desk.analysis, &desk.layers);
    let set = sets.iter().find(|s| &*s.map == *map);
    let set = set.ok_or_else(|| Refusal::with_reason(format!("{map} is not laid out of patches")))?;
    let listed = set.patches.iter().find(|p| &*p.name == *patch);
    let listed = listed.ok_or_else(|| Refusal::with_reason(format!("there is no patch `{patch}` here")))?;
    let found = set.prints.iter().enumerate().find(|(_, p)| &*p.name == *print);
    let (n, declared) =
        found.ok_or_else(|| Refusal::with_reason(format!("a {} prints no `{print}`", set.kind)))?;
    if set.printed(listed, column, n) == Some(*value) {
        return Ok(EditSet::default());
    }
    let Some(cell) = find_cell(desk, &set.kind, patch, column) else {
        let why = format!("no row of a list says what `{patch}` prints in the column `{column}`");
        return Err(Refusal { why, offers: vec![desk.go_to(listed.span)] });
    };
    let row = cell.row;
    desk.check_readable(row.span)?;
    if **value == PrintValue::Nothing && declared.needed {
        let why = format!("a {} must print `{print}` on each of its spaces", set.kind);
        return Err(Refusal::with_reason(why));
    }
    let usual = **value == PrintValue::Nothing || declared.default.as_ref() == Some(*value);
    let new = (!usual).then(|| set.write_print(n, value));
    let text = desk.text_of(row.span.file);
    let old = cell.marks.iter().position(|m| is_about(set, n, m));
    let Some(pieces) = rewrite_cell(text, &cell, old, new.as_deref()) else {
        let why = format!("the row of `{patch}` is written over several lines: change it in the text");
        return Err(Refusal { why, offers: vec![desk.go_to(row.span)] });
    };
    let place = match declared.by_side {
        true => format!("on the {column} side of {}", listed.title),
        false => format!("on space {column} of {}", listed.title),
    };
    let what = new.unwrap_or_else(|| format!("no {print}"));
    let edits = pieces.into_iter().map(|(range, text)| desk.make_edit(row.span.file, range, text));
    to_edit_set(format!("print {what} {place}"), edits.collect())
}

/// A cell of a list.
struct ListCell<'a> {
    row: &'a ListRow,
    /// The end of the bar before it.
    bar: usize,
    marks: &'a [Mark],
}

/// The cell of a patch in the last list that has the column.
fn find_cell<'a>(desk: &Desk<'a>, kind: &str, patch: &str, column: &str) -> Option<ListCell<'a>> {
    let items = desk.layers.all.iter().rev().flat_map(|l| l.items().into_iter().rev());
    let lists = items.filter_map(|i| if let ItemKind::List(l) = &i.kind { Some(l) } else { None });
    lists.filter(|l| l.of.text == kind).find_map(|l| {
        let n = l.columns.iter().position(|c| c.text == column)?;
        let is = |r: &&ListRow| !r.bad && matches!(&r.name, RowName::Named(name) if name.text == patch);
        let row = l.rows.iter().find(is)?;
        match row.cells.get(n)? {
            Cell::Marks(marks) => Some(ListCell { row, bar: find_bar(desk, row, n)?, marks }),
            Cell::Rule(_) => None,
        }
    })
}

/// The end of the bar before a cell.
fn find_bar(desk: &Desk<'_>, row: &ListRow, cell: usize) -> Option<usize> {
    let tokens = desk.analysis.trees.get(row.span.file.0 as usize)?.tokens();
    let text = desk.text_of(row.span.file);
    let inside = tokens.iter().filter(|t| row.span.start <= t.start && t.end <= row.span.end);
    let mut bars = inside.filter(|t| text.get(t.start as usize..t.end as usize) == Some("|"));
    bars.nth(cell).map(|t| t.end as usize)
}

/// Whether a mark says what a patch prints under that number.
fn is_about(set: &PatchSet, n: usize, mark: &Mark) -> bool {
    let Some(print) = set.prints.get(n) else { return false };
    match (&mark.attr, &*mark.value.kind) {
        (Some(name), _) => name.text == *print.name,
        (None, ExprKind::Int(_)) => matches!(print.sort, PrintSort::Number(..)),
        // The name of what is printed or not goes before a word of an enum.
        (None, ExprKind::Name(word)) => match &print.sort {
            PrintSort::Truth => word.text == *print.name,
            PrintSort::Words(words) => {
                let truth = |p: &crate::draw::PatchPrint| {
                    p.by_side == print.by_side && p.sort == PrintSort::Truth && *p.name == *word.text
                };
                words.iter().any(|w| **w == *word.text) && !set.prints.iter().any(truth)
            }
            PrintSort::Number(..) => false,
        },
        _ => false,
    }
}

/// The bytes that go and what comes for them, if a mark of a cell is written, changed or taken out. None: a line ends within them.
fn rewrite_cell(
    text: &str,
    cell: &ListCell<'_>,
    old: Option<usize>,
    new: Option<&str>,
) -> Option<Vec<(Range<usize>, String)>> {
    let range = |m: &Mark| {
        let start = m.span.start as usize;
        start..start + place::trimmed(text, m.span).len()
    };
    let all: Vec<Range<usize>> = cell.marks.iter().map(range).collect();
    let end = all.last().map_or(cell.bar, |r| r.end);
    let own = old.and_then(|n| all.get(n).cloned());
    let (gone, come) = match (own, new, old) {
        (Some(own), Some(new), _) => (own, new.to_string()),
        // The comma goes, too.
        (Some(own), None, Some(n)) => match (n.checked_sub(1).and_then(|p| all.get(p)), all.get(n + 1)) {
            (Some(before), _) => (before.end..own.end, String::new()),
            (None, Some(next)) => (own.start..next.start, String::new()),
            (None, None) => (own, String::new()),
        },
        (_, Some(new), _) if all.is_empty() => (end..end, format!(" {new}")),
        (_, Some(new), _) => (end..end, format!(", {new}")),
        _ => return Some(Vec::new()),
    };
    let was = text.get(gone.clone())?;
    if was.contains('\n') {
        return None;
    }
    let grows = come.chars().count() as isize - was.chars().count() as isize;
    let mut pieces = vec![(gone, come)];
    // The next bar stays where it is, if there is one in the line and a blank is left before it.
    let rest = text.get(end..)?;
    let blanks = rest.len() - rest.trim_start_matches(' ').len();
    if rest.get(blanks..)?.starts_with('|') {
        let less = usize::try_from(grows).unwrap_or(0).min(blanks.saturating_sub(1));
        let more = usize::try_from(-grows).unwrap_or(0);
        if less > 0 || more > 0 {
            pieces.push((end..end + less, " ".repeat(more)));
        }
    }
    Some(pieces)
}
