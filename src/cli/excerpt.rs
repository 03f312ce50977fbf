//! Cuts the lines of a file that a finding shows: long lines are cut around what is marked, control characters are written as escapes.
//!
//! The drawing library gets these lines alone, so drawing a finding costs the same wherever it stands and however long its line is.
use houserule_text::{File, Span, to_visible};
use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};
use std::ops::Range;

/// How many lines around a mark are shown.
pub const AROUND: usize = 1;
/// How many bytes of a line are shown; of longer lines, what is around the first mark in it.
const WIDEST: usize = 240;
/// How many bytes before the first mark are shown of such a line.
const BEFORE: usize = 80;
/// How many lines a mark may cover; of a taller one its first and its last line are marked.
const TALLEST: usize = 4;

/// Lines that stand behind one another in the file.
#[derive(Debug)]
struct Block {
    /// Where it begins in the excerpt.
    start: usize,
    /// The number of its first line, from 0.
    line: usize,
}

/// The shown lines of one file.
#[derive(Debug)]
pub struct Excerpt {
    name: String,
    text: String,
    blocks: Vec<Block>,
    /// Where the first mark begins in the excerpt, and in which column of its line, from 0.
    first: (usize, usize),
}

/// One line as it is shown.
struct Shown {
    /// The bytes of the file.
    from: Range<usize>,
    /// Where it begins in the excerpt.
    at: usize,
    /// What comes before the first byte that is shown.
    head: &'static str,
    /// The bytes of the file that are shown.
    part: Range<usize>,
}

impl Excerpt {
    /// The lines around some marks, the main one first, and where these marks are in it.
    pub fn new(name: String, file: &File, marks: &[Span], unicode: bool) -> (Excerpt, Vec<SourceSpan>) {
        let text = &file.text;
        let dots = if unicode { "…" } else { "..." };
        let marks: Vec<Range<usize>> = marks
            .iter()
            .map(|s| {
                let start = char_floor(text, s.start as usize);
                start..char_floor(text, s.end as usize).max(start)
            })
            .collect();
        let mut wanted: Vec<(usize, usize)> = marks
            .iter()
            .map(|m| {
                let last = file.line_of(m.end.saturating_sub(1).max(m.start));
                (file.line_of(m.start).saturating_sub(AROUND), (last + AROUND).min(file.line_count() - 1))
            })
            .collect();
        wanted.sort_unstable();
        let visible = |part: Range<usize>| to_visible(text.get(part).unwrap_or("").trim_end_matches('\r'));
        let mut out = Excerpt { name, text: String::new(), blocks: Vec::new(), first: (0, 0) };
        let mut shown: Vec<Shown> = Vec::new();
        let mut next = 0;
        for (a, b) in wanted {
            let from = if out.blocks.is_empty() { a } else { a.max(next) };
            if out.blocks.is_empty() || a > next {
                out.blocks.push(Block { start: out.text.len(), line: a });
            }
            for line in from..=b {
                let from = file.line_range(line);
                let part = shown_part(text, &from, &marks);
                let head = if part.start > from.start { dots } else { "" };
                let tail = if part.end < from.end { dots } else { "" };
                let at = out.text.len();
                out.text.push_str(head);
                out.text.push_str(&visible(part.clone()));
                out.text.push_str(tail);
                out.text.push('\n');
                shown.push(Shown { from, at, head, part });
            }
            next = next.max(b + 1);
        }
        let place = |offset: usize| -> usize {
            let n = shown.partition_point(|s| s.from.start <= offset).saturating_sub(1);
            let Some(s) = shown.get(n) else { return 0 };
            let upto = offset.clamp(s.part.start, s.part.end);
            s.at + s.head.len() + visible(s.part.start..upto).len()
        };
        let spans = marks.iter().map(|m| SourceSpan::from(place(m.start)..place(m.end))).collect::<Vec<_>>();
        if let (Some(mark), Some(span)) = (marks.first(), spans.first()) {
            out.first = (span.offset(), file.line_col(mark.start).col - 1);
        }
        (out, spans)
    }
}

/// The first and the last line of a mark that covers too many lines to be shown.
pub fn split_long_mark(file: &File, mark: Span) -> Option<(Span, Span)> {
    let (start, end) =
        (char_floor(&file.text, mark.start as usize), char_floor(&file.text, mark.end as usize));
    let (first, last) = (file.line_of(start), file.line_of(end.saturating_sub(1).max(start)));
    if last - first < TALLEST {
        return None;
    }
    let whole = file.line_range(last);
    let indent = file.text.get(whole.clone()).map_or(0, |l| l.len() - l.trim_start().len());
    let begun = file.text.get(start..file.line_range(first).end).map_or(0, |l| l.trim_end().len());
    Some((
        Span::new(mark.file, start, start + begun),
        Span::new(mark.file, (whole.start + indent).min(end), end),
    ))
}

/// The nearest beginning of a character at or before an offset.
fn char_floor(text: &str, offset: usize) -> usize {
    let mut at = offset.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The part of a line that is shown.
fn shown_part(text: &str, line: &Range<usize>, marks: &[Range<usize>]) -> Range<usize> {
    if line.len() <= WIDEST {
        return line.clone();
    }
    let mark = marks.iter().map(|m| m.start).find(|at| line.start <= *at && *at <= line.end);
    let start = char_floor(text, mark.unwrap_or(line.start).saturating_sub(BEFORE)).max(line.start);
    start..char_floor(text, start + WIDEST).min(line.end)
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let n = self.blocks.partition_point(|b| b.start <= span.offset()).saturating_sub(1);
        let block = self.blocks.get(n).ok_or(MietteError::OutOfBounds)?;
        let end = self.blocks.get(n + 1).map_or(self.text.len(), |b| b.start);
        let text = self.text.get(block.start..end).unwrap_or("");
        let within = SourceSpan::from((span.offset() - block.start, span.len()));
        let found = text.read_span(&within, before, after)?;
        let offset = block.start + found.span().offset();
        let column = if before == 0 && span.offset() == self.first.0 { self.first.1 } else { found.column() };
        Ok(Box::new(MietteSpanContents::new_named(
            self.name.clone(),
            found.data(),
            SourceSpan::from((offset, found.span().len())),
            block.line + found.line(),
            column,
            found.line_count(),
        )))
    }
}
