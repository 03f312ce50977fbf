//! Keeps the columns of a list when cells of one row change: a longer cell takes blanks before the next bar, a shorter one gives some.
//!
//! ```text
//! salt "Salt" x3 | 1  | no        # the title becomes `"Sea salt"`
//! salt "Sea salt" x3 | 1  | no    # there was no room; the second bar stays as far from the first
//! ```
use super::Desk;
use houserule_syntax::ast::ListRow;
use std::ops::Range;

/// A piece of a text put in place of another.
pub(super) type Piece = (Range<usize>, String);

/// The bars of a row: the first byte of each.
pub(super) fn list_bars(desk: &Desk<'_>, row: &ListRow) -> Vec<usize> {
    let Some(tree) = desk.analysis.trees.get(row.span.file.0 as usize) else { return Vec::new() };
    let text = desk.text_of(row.span.file);
    let inside = tree.tokens().iter().filter(|t| row.span.start <= t.start && t.end <= row.span.end);
    let bars = inside.filter(|t| text.get(t.start as usize..t.end as usize) == Some("|"));
    bars.map(|t| t.start as usize).collect()
}

/// Adds to the changes of a row those of the blanks before its bars.
pub(super) fn keep_columns(desk: &Desk<'_>, row: &ListRow, pieces: &mut Vec<Piece>) {
    let text = desk.text_of(row.span.file);
    let mut from = row.span.start as usize;
    let mut pads = Vec::new();
    for bar in list_bars(desk, row) {
        let within = pieces.iter().filter(|(r, _)| from <= r.start && r.end <= bar);
        let grows: isize = within
            .map(|(r, new)| {
                let old = text.get(r.clone()).unwrap_or("");
                new.chars().count() as isize - old.chars().count() as isize
            })
            .sum();
        let before = text.get(from..bar).unwrap_or("");
        let blanks = before.len() - before.trim_end_matches(' ').len();
        // One blank stays before the bar.
        let less = usize::try_from(grows).unwrap_or(0).min(blanks.saturating_sub(1));
        let more = usize::try_from(-grows).unwrap_or(0);
        let one_line = !before.contains('\n');
        if one_line && (less > 0 || more > 0) {
            pads.push((bar - less..bar, " ".repeat(more)));
        }
        from = bar;
    }
    pieces.extend(pads);
}
