//! Splits a drawn map into rows and signs with their byte ranges, so that one sign can be changed and nothing else.

/// One sign, as a byte range of the picture's inner text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sign {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// How many characters stand before it in its line (a tab is one).
    pub indent: u32,
}

/// One row of signs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The sign before `|`, if there is one.
    pub label: Option<Sign>,
    /// The signs from the left, without the label.
    pub cells: Vec<Sign>,
    /// First byte of the line.
    pub start: usize,
    /// One past the last byte of the line, without its end.
    pub end: usize,
}

/// The rows of a picture's inner text (without the quotes), from the top. Lines without a sign at the beginning and the end are no rows.
pub fn split_rows(inner: &str) -> Vec<Row> {
    let mut all = Vec::new();
    let mut at = 0;
    for line in inner.split_inclusive('\n') {
        let end = at + line.trim_end_matches(['\n', '\r']).len();
        all.push(split_row(inner, at, end));
        at += line.len();
    }
    let is_empty = |r: &Row| r.cells.is_empty() && r.label.is_none();
    while all.last().is_some_and(is_empty) {
        all.pop();
    }
    let first = all.iter().position(|r| !is_empty(r)).unwrap_or(0);
    all.drain(..first);
    all
}

fn split_row(inner: &str, start: usize, end: usize) -> Row {
    let mut signs: Vec<Sign> = Vec::new();
    let mut open = false;
    for (indent, (at, c)) in inner.get(start..end).unwrap_or("").char_indices().enumerate() {
        let at = start + at;
        if c.is_whitespace() {
            open = false;
        } else if let (true, Some(sign)) = (open, signs.last_mut()) {
            sign.end = at + c.len_utf8();
        } else {
            open = true;
            signs.push(Sign { start: at, end: at + c.len_utf8(), indent: indent as u32 });
        }
    }
    let bar = signs.get(1).is_some_and(|s| inner.get(s.start..s.end) == Some("|"));
    if bar {
        let label = signs.first().copied();
        Row { label, cells: signs.split_off(2), start, end }
    } else {
        Row { label: None, cells: signs, start, end }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_with_their_places() {
        let inner = "\n  J |  w .\r\n    I |  vE\n  ";
        let rows = split_rows(inner);
        let cut = |s: &Sign| &inner[s.start..s.end];
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[0].label.as_ref().map(cut), Some("J"));
        assert_eq!(rows[0].cells.iter().map(cut).collect::<Vec<_>>(), ["w", "."]);
        assert_eq!(rows[1].cells.iter().map(|s| s.indent).collect::<Vec<_>>(), [9]);
        assert_eq!(&inner[rows[0].start..rows[0].end], "  J |  w .");
    }

    #[test]
    fn empty_lines_inside_are_rows() {
        assert_eq!(split_rows("\n a\n\n b\n").len(), 3);
        assert!(split_rows("").is_empty());
    }
}
