//! Escapes control characters, so that no text from a file can steer a terminal.
use std::borrow::Cow;

/// Whether a terminal may take a character for a command, or show what follows it in another order. Line ends and tabs are none.
pub fn is_control(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\t'))
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A text whose control characters are written as escapes, such as `\u{1b}`. A carriage return before a line end is left out.
pub fn to_visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_control) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\r' if chars.peek() == Some(&'\n') => {}
            c if is_control(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::to_visible;

    #[test]
    fn control_characters_become_escapes() {
        assert_eq!(to_visible("A\u{1b}[31mB\u{7}\r\nC\tD"), "A\\u{1b}[31mB\\u{7}\nC\tD");
        assert_eq!(to_visible("\u{9b}2J \u{202e}x"), "\\u{9b}2J \\u{202e}x");
        assert_eq!(to_visible("Zoë → ♞"), "Zoë → ♞");
    }
}
