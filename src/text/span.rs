//! Where something stands: a file's number and a half-open range of byte offsets.

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
    pub fn touches(self, offset: usize) -> bool {
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
}

impl LineIndex {
    /// Counts the lines of `text`.
    pub fn new(text: &str) -> Self {
        let mut starts = vec![0];
        starts.extend(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1));
        LineIndex { starts }
    }

    /// Line and column of a byte offset of `text` (the text that the index was made from).
    pub fn line_col(&self, text: &str, offset: usize) -> LineCol {
        let offset = offset.min(text.len());
        let line = self.starts.partition_point(|s| *s as usize <= offset) - 1;
        let start = self.starts[line] as usize;
        let col = text.get(start..offset).map_or(offset - start, |s| s.chars().count());
        LineCol { line: line + 1, col: col + 1 }
    }
}
