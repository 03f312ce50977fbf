//! Finds where a new declaration goes in a text, and which bytes go with one that is removed.
use super::Desk;
use crate::edit::Edit;
use houserule_syntax::TokenKind;
use houserule_syntax::ast::{HeaderKind, Item, ItemKind};
use houserule_text::{FileId, Span};
use std::ops::Range;

/// What sort of declaration is put in: behind the last of its sort, or behind those that stand before it by custom.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Sort {
    /// `seats`, `players`.
    Header,
    /// `option = value`.
    Option,
    /// `map`
    Map,
    /// `legend`
    Legend,
    /// Everything else.
    Other,
}

/// Which sort an item is.
fn sort_of(item: &Item) -> Sort {
    match &item.kind {
        ItemKind::Header(h) if matches!(h.kind, HeaderKind::Bad) => Sort::Other,
        ItemKind::Header(_) => Sort::Header,
        ItemKind::SetOption(_) => Sort::Option,
        ItemKind::Map(_) => Sort::Map,
        ItemKind::Legend(_) => Sort::Legend,
        _ => Sort::Other,
    }
}

/// The items of a scenario, a variant or a mod.
pub(super) fn items_of(sheet: &Item) -> &[Item] {
    crate::draw::inner_items(sheet)
}

/// What a scenario, a part, a variant or a mod is called when a gesture is named.
pub(super) fn title_of(sheet: &Item) -> String {
    match &sheet.kind {
        ItemKind::Scenario(s) => s.name.text.clone(),
        ItemKind::Part(p) => p.name.text.clone(),
        ItemKind::Variant(v) => v.name.text.clone(),
        ItemKind::Mod(m) => m.title.literal().unwrap_or_default(),
        _ => String::from("the game"),
    }
}

/// A declaration of several lines: those between stand one step deeper.
pub(super) struct Block {
    pub head: String,
    pub lines: Vec<String>,
    pub tail: String,
}

/// The line end of a file.
pub(super) fn eol(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// The first byte of the line of an offset.
pub(super) fn line_start(text: &str, at: usize) -> usize {
    text.get(..at).and_then(|t| t.rfind('\n')).map_or(0, |n| n + 1)
}

/// The end of the line of an offset, without its line end.
pub(super) fn line_end(text: &str, at: usize) -> usize {
    let end = text.get(at..).and_then(|t| t.find('\n')).map_or(text.len(), |n| at + n);
    if end > at && text.as_bytes().get(end - 1) == Some(&b'\r') { end - 1 } else { end }
}

/// The blanks with which the line of an offset begins.
pub(super) fn indent_of(text: &str, at: usize) -> &str {
    let start = line_start(text, at);
    let line = text.get(start..line_end(text, at)).unwrap_or("");
    line.get(..line.len() - line.trim_start_matches([' ', '\t']).len()).unwrap_or("")
}

/// An edit that puts a declaration of one line into a scenario.
pub(super) fn insert_line(desk: &Desk<'_>, scenario: &Item, sort: Sort, text: &str) -> Edit {
    insert_block(
        desk,
        scenario,
        sort,
        &Block { head: text.to_string(), lines: Vec::new(), tail: String::new() },
    )
}

/// An edit that puts a declaration into a scenario: behind the last one that belongs before it, in a line of its own with that one's indent.
pub(super) fn insert_block(desk: &Desk<'_>, scenario: &Item, of: Sort, block: &Block) -> Edit {
    let file = scenario.span.file;
    let text = desk.text_of(file);
    let eol = eol(text);
    let written = |indent: &str| {
        let mut out = block.head.clone();
        for l in &block.lines {
            out.push_str(&format!("{eol}{indent}  {l}"));
        }
        if !block.lines.is_empty() {
            out.push_str(&format!("{eol}{indent}"));
        }
        out.push_str(&block.tail);
        out
    };
    let before = items_of(scenario).iter().filter(|i| sort_of(i) <= of);
    // Of those of its own sort the last; else the last of those that stand before it at the beginning of the scenario.
    let same = before.clone().rfind(|i| sort_of(i) == of);
    let sibling = same.or_else(|| {
        let leading = items_of(scenario).iter().take_while(|i| sort_of(i) <= of);
        leading.last()
    });
    if let Some(s) = sibling {
        let end = s.span.start as usize + trimmed(text, s.span).len();
        let line = line_start(text, s.span.start as usize);
        let alone = text.get(line..s.span.start as usize).is_some_and(|t| t.trim().is_empty());
        let indent = if alone {
            indent_of(text, s.span.start as usize).to_string()
        } else {
            indent_of_items(text, scenario)
        };
        let at = line_end_behind(desk, file, end);
        // Something else in that line: the new one stands between them.
        return match at {
            Some(at) => desk.make_edit(file, at..at, format!("{eol}{indent}{}", written(&indent))),
            None if block.lines.is_empty() => {
                desk.make_edit(file, end..end, format!("; {}", written(&indent)))
            }
            None => desk.make_edit(file, end..end, format!("{eol}{indent}{}{eol}{indent}", written(&indent))),
        };
    }
    // At the beginning, right behind the bracket.
    let open = end_of_opening(desk, scenario);
    let indent = indent_of_items(text, scenario);
    match (line_end_behind(desk, file, open), items_of(scenario).is_empty()) {
        (Some(at), _) => desk.make_edit(file, at..at, format!("{eol}{indent}{}", written(&indent))),
        (None, empty) => {
            // `{ }` or `{ first; second }` in one line.
            let close = text.get(open..).unwrap_or("");
            let blanks = close.len() - close.trim_start_matches([' ', '\t']).len();
            let outer = self::indent_of(text, scenario.span.start as usize).to_string();
            let (range, tail) = match empty {
                true => (open..open + blanks, format!("{eol}{outer}")),
                false => (open..open + blanks, format!("{eol}{indent}")),
            };
            desk.make_edit(file, range, format!("{eol}{indent}{}{tail}", written(&indent)))
        }
    }
}

/// The text of a span without blanks and line ends at its end.
pub(super) fn trimmed(text: &str, span: Span) -> &str {
    text.get(span.range()).unwrap_or("").trim_end()
}

/// The indent of the items of a scenario.
fn indent_of_items(text: &str, scenario: &Item) -> String {
    let first = items_of(scenario).first().map(|i| i.span.start as usize);
    let own = indent_of(text, scenario.span.start as usize);
    match first {
        Some(at) if line_start(text, at) > line_start(text, scenario.span.start as usize) => {
            indent_of(text, at).to_string()
        }
        _ => format!("{own}  "),
    }
}

/// The byte behind the bracket that opens a scenario's items.
pub(super) fn end_of_opening(desk: &Desk<'_>, scenario: &Item) -> usize {
    let file = scenario.span.file;
    let Some(tree) = desk.analysis.trees.get(file.0 as usize) else { return scenario.span.end as usize };
    let text = desk.text_of(file);
    let mut inside =
        tree.tokens().iter().filter(|t| t.start >= scenario.span.start && t.end <= scenario.span.end);
    let open = inside
        .find(|t| t.kind == TokenKind::Bracket && text.get(t.start as usize..t.end as usize) == Some("{"));
    open.map_or(scenario.span.end as usize, |t| t.end as usize)
}

/// The end of the line behind an offset, if nothing but a `;` and a remark stands there: behind the remark, for it belongs to what is before it.
pub(super) fn line_end_behind(desk: &Desk<'_>, file: FileId, at: usize) -> Option<usize> {
    let tokens = desk.analysis.trees.get(file.0 as usize)?.tokens();
    let first = tokens.partition_point(|t| (t.start as usize) < at);
    let mut end = at;
    for t in tokens.iter().skip(first) {
        match t.kind {
            TokenKind::Newline => return Some(end),
            TokenKind::Blank => {}
            TokenKind::Comment | TokenKind::Semicolon => end = t.end as usize,
            _ => return None,
        }
    }
    Some(end)
}

/// The bytes that go with a declaration: its `##` lines, remarks that touch it from above, the remark behind it, its line end. A remark that stands apart or belongs to a
/// neighbour in the same line stays.
pub(super) fn with_comments(
    desk: &Desk<'_>,
    item: Span,
    doc: Option<Span>,
    first_of_scenario: Option<usize>,
) -> Range<usize> {
    let text = desk.text_of(item.file);
    let mut start = doc.map_or(item.start, |d| d.start.min(item.start)) as usize;
    let end = item.start as usize + trimmed(text, item).len();
    let line = line_start(text, start);
    let alone = text.get(line..start).is_some_and(|t| t.trim().is_empty());
    let Some(end_of_line) = line_end_behind(desk, item.file, end) else {
        // Others behind it in the line: with its separator, as far as they.
        let rest = text.get(end..).unwrap_or("");
        let blanks = |t: &str| t.len() - t.trim_start_matches([' ', '\t']).len();
        let gap = blanks(rest);
        let after = rest.get(gap..).unwrap_or("");
        if after.starts_with(';') {
            return start..end + gap + 1 + blanks(after.get(1..).unwrap_or(""));
        }
        // The bracket closes behind it: the separator before it goes instead.
        return start_with_separator(text, start)..end;
    };
    if !alone {
        // Others before it in the line: the remark at the end stays theirs.
        return start_with_separator(text, start)..end;
    }
    start = line;
    // Remarks that touch it from above, as long as they stand in lines of their own; those above the first declaration of a scenario touch only if they are inside it.
    let least = first_of_scenario.unwrap_or(0);
    while start > least {
        let above = line_start(text, start - 1);
        let content = text.get(above..start).unwrap_or("").trim();
        if above < least || !content.starts_with('#') {
            break;
        }
        start = above;
    }
    let end = line_end(text, end_of_line);
    let rest = text.get(end..).unwrap_or("");
    let eol = if rest.starts_with("\r\n") { 2 } else { usize::from(rest.starts_with('\n')) };
    start..end + eol
}

/// The beginning of what goes with something that others stand before in its line: the separator and the blanks.
fn start_with_separator(text: &str, start: usize) -> usize {
    let lead = text.get(..start).unwrap_or("");
    let kept = lead.trim_end_matches([' ', '\t']);
    match kept.strip_suffix(';') {
        Some(t) => t.len(),
        None => kept.len(),
    }
}
