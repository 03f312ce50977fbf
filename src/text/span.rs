//! Spans: a file's number and a half-open range of byte offsets; lines and columns of offsets.

/// The number of a file in [`Files`](super::Files), in load order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct FileId(pub u16);

/// A half-open range of bytes `start..end` in one file. Owned and small: it outlives the tree and the text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// A span from byte `start` to byte `end` of `file`.
    pub fn new(file: FileId, start: usize, end: usize) -> Self {
        Span { file, start: start as u32, end: end as u32 }
    }

    /// The least span that holds both; `other` must be of the same file (else `self` is returned).
    pub fn to(self, other: Span) -> Span {
        if self.file != other.file {
            return self;
        }
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The bytes as a range, to cut a `str` with.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Whether `offset` lies in the span or just behind it.
    pub fn is_touching(self, offset: usize) -> bool {
        self.start as usize <= offset && offset <= self.end as usize
    }
}

/// A line and a column for people, both from 1; the column counts characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineCol {
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub col: usize,
}

/// Where the lines of one file begin.
#[derive(Clone, Debug)]
pub struct LineIndex {
    starts: Vec<u32>,
    /// How many characters begin before each [`STEP`]th byte.
    chars: Vec<u32>,
}

/// How far apart characters are counted beforehand, so that a column in a long line costs no more than one in a short.
const STEP: usize = 1024;

impl LineIndex {
    /// Counts the lines of `text`.
    pub fn new(text: &str) -> Self {
        let mut starts = vec![0];
        starts.extend(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1));
        let mut chars = vec![0];
        let mut n = 0;
        for piece in text.as_bytes().chunks(STEP) {
            n += count_chars(piece);
            chars.push(n);
        }
        LineIndex { starts, chars }
    }

    /// Line and column of a byte offset of `text` (the text that the index was made from).
    pub fn line_col(&self, text: &str, offset: usize) -> LineCol {
        let offset = offset.min(text.len());
        let line = self.starts.partition_point(|s| *s as usize <= offset) - 1;
        let start = self.starts[line] as usize;
        let before = |at: usize| {
            let piece = text.as_bytes().get(at / STEP * STEP..at).unwrap_or_default();
            self.chars.get(at / STEP).copied().unwrap_or(0) + count_chars(piece)
        };
        LineCol { line: line + 1, col: (before(offset) - before(start)) as usize + 1 }
    }

    /// The number of the line, from 0, that holds a byte.
    pub fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|s| *s as usize <= offset) - 1
    }

    /// How many lines there are; at least one.
    pub fn count(&self) -> usize {
        self.starts.len()
    }

    /// The bytes of a line, counted from 0, without its end, in a text of so many bytes.
    pub fn range(&self, line: usize, len: usize) -> std::ops::Range<usize> {
        let start = self.starts.get(line).map_or(len, |s| *s as usize);
        let end = self.starts.get(line + 1).map_or(len, |s| *s as usize - 1);
        start..end.max(start)
    }
}

/// How many characters begin in a stretch of UTF-8.
fn count_chars(bytes: &[u8]) -> u32 {
    bytes.iter().filter(|b| **b & 0xc0 != 0x80).count() as u32
}
