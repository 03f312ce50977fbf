//! Places in the protocol and in texts: lines with UTF-16 columns (or UTF-8, if the client can) against bytes; URIs against paths.
use lsp_types::{Position, Range, Uri};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// In which units a client counts columns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Columns {
    /// As the protocol says unless something else is agreed on.
    Utf16,
    /// Bytes.
    Utf8,
}

/// A text with the beginnings of its lines.
pub struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
    columns: Columns,
}

impl<'t> Lines<'t> {
    /// Counts the lines of a text.
    pub fn new(text: &'t str, columns: Columns) -> Lines<'t> {
        let mut starts = vec![0];
        starts.extend(text.match_indices('\n').map(|(i, _)| i + 1));
        Lines { text, starts, columns }
    }

    /// A byte as the client counts.
    pub fn to_position(&self, offset: usize) -> Position {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.starts.partition_point(|s| *s <= offset).saturating_sub(1);
        let start = self.starts.get(line).copied().unwrap_or(0);
        let before = self.text.get(start..offset).unwrap_or("");
        let column = match self.columns {
            Columns::Utf8 => before.len(),
            Columns::Utf16 => before.encode_utf16().count(),
        };
        Position { line: line as u32, character: column as u32 }
    }

    /// Bytes as the client counts.
    pub fn to_range(&self, range: std::ops::Range<usize>) -> Range {
        Range { start: self.to_position(range.start), end: self.to_position(range.end) }
    }

    /// The byte that a client means; behind the end of a line it is that end, behind the text the end of the text.
    pub fn to_offset(&self, at: Position) -> usize {
        let line = at.line as usize;
        let Some(start) = self.starts.get(line).copied() else { return self.text.len() };
        let end = self.starts.get(line + 1).map_or(self.text.len(), |next| next - 1);
        let own = self.text.get(start..end).unwrap_or("");
        let mut column = 0;
        for (i, c) in own.char_indices() {
            if column >= at.character as usize {
                return start + i;
            }
            column += match self.columns {
                Columns::Utf8 => c.len_utf8(),
                Columns::Utf16 => c.len_utf16(),
            };
        }
        end
    }

    /// The bytes that a client means.
    pub fn to_bytes(&self, range: Range) -> std::ops::Range<usize> {
        let (start, end) = (self.to_offset(range.start), self.to_offset(range.end));
        start.min(end)..end
    }
}

/// The path of a `file:` URI.
pub fn to_path(uri: &Uri) -> Option<PathBuf> {
    let rest = uri.as_str().strip_prefix("file://")?;
    // A host is `localhost` or missing.
    let path = rest.get(rest.find('/')?..)?;
    let mut bytes = Vec::new();
    let mut all = path.bytes();
    while let Some(b) = all.next() {
        let hex = |b: u8| char::from(b).to_digit(16);
        bytes.push(match b {
            b'%' => (hex(all.next()?)? * 16 + hex(all.next()?)?) as u8,
            _ => b,
        });
    }
    let text = String::from_utf8(bytes).ok()?;
    // `/c:/games` is `c:/games`.
    let drive =
        text.as_bytes().get(2) == Some(&b':') && text.as_bytes().get(1).is_some_and(u8::is_ascii_alphabetic);
    Some(PathBuf::from(if drive { text.get(1..)? } else { &text }))
}

/// The URI of a whole path.
pub fn to_uri(path: &Path) -> Option<Uri> {
    let text = path.to_str()?.replace('\\', "/");
    let mut uri = String::from(if text.starts_with('/') { "file://" } else { "file:///" });
    for b in text.bytes() {
        match b {
            b'/' | b'-' | b'.' | b'_' | b'~' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => {
                uri.push(char::from(b))
            }
            _ => uri.push_str(&format!("%{b:02X}")),
        }
    }
    Uri::from_str(&uri).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_counted_as_the_client_counts() {
        let text = "a\näöü𝄞x\n\nend";
        let wide = Lines::new(text, Columns::Utf16);
        let at = |line, character| Position { line, character };
        let x = text.find('x').unwrap();
        assert_eq!(wide.to_position(x), at(1, 5));
        assert_eq!(wide.to_offset(at(1, 5)), x);
        assert_eq!(Lines::new(text, Columns::Utf8).to_position(x), at(1, 10));
        for columns in [Columns::Utf16, Columns::Utf8] {
            let lines = Lines::new(text, columns);
            for (i, _) in text.char_indices() {
                assert_eq!(lines.to_offset(lines.to_position(i)), i);
            }
            // Behind a line, and behind the text.
            assert_eq!(lines.to_offset(at(1, 99)), text.find("\n\n").unwrap());
            assert_eq!(lines.to_offset(at(99, 0)), text.len());
            assert_eq!(lines.to_position(9999), at(3, 3));
        }
    }

    #[test]
    fn paths_come_back_from_their_uris() {
        for path in ["/games/my game/ä#1.rules", "/a%20b/c.rules"] {
            let uri = to_uri(Path::new(path)).unwrap();
            assert!(!uri.as_str().contains(' ') && !uri.as_str().contains('#'), "{}", uri.as_str());
            assert_eq!(to_path(&uri).unwrap(), Path::new(path));
        }
        let windows = Uri::from_str("file:///c%3A/games/a.rules").unwrap();
        assert_eq!(to_path(&windows).unwrap(), Path::new("c:/games/a.rules"));
        assert_eq!(to_path(&Uri::from_str("untitled:Untitled-1").unwrap()), None);
        assert_eq!(
            to_path(&Uri::from_str("file:///a%").unwrap_or_else(|_| Uri::from_str("x:y").unwrap())),
            None
        );
    }
}
