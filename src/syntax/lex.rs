//! The lexer: splits any text into tokens without a gap. The lossless tree is made of them.

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TokenKind {
    /// Blanks, tabs, carriage returns.
    Blank,
    /// One line feed.
    Newline,
    /// `# …` without its line end.
    Comment,
    /// `## …` without its line end.
    Doc,
    /// The byte order mark.
    Bom,
    /// A word in small letters.
    Word,
    /// A word with a capital.
    Kind,
    /// Digits.
    Int,
    /// `"` at either end of a text.
    Quote,
    /// Characters of a text.
    Chars,
    /// `{` of a hole.
    HoleOpen,
    /// `}` of a hole.
    HoleClose,
    /// `"""` at either end of a drawn map.
    PictureQuote,
    /// A sign in a drawn map.
    Cell,
    /// The `|` behind a row's label in a drawn map.
    CellBar,
    /// Blanks in a drawn map.
    CellBlank,
    /// A line feed in a drawn map.
    CellNewline,
    /// A sign before the colon in a legend's row.
    Sign,
    /// `{ } ( ) [ ]`
    Bracket,
    /// `,`
    Comma,
    /// `;`
    Semicolon,
    /// `:`
    Colon,
    /// An operator between two things; `=`, `+=`, `-=` and `|` too.
    Operator,
    /// `-` before one thing.
    Prefix,
    /// `.`, `..`, `?`: touch their neighbours.
    Tight,
    /// Anything else.
    Unknown,
}

impl TokenKind {
    /// Whether it says nothing to the rules: blanks, line ends, comments, the byte order mark.
    pub fn is_trivia(self) -> bool {
        matches!(self, TokenKind::Blank | TokenKind::Newline | TokenKind::Comment | TokenKind::Bom)
    }
}

/// A token: a range of bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Code,
    Legend,
    Hole,
    Text,
}

struct Lexer<'t> {
    text: &'t str,
    bytes: &'t [u8],
    i: usize,
    out: Vec<Token>,
    modes: Vec<Mode>,
    /// Which of `modes` is the outermost text.
    outer_text: Option<usize>,
    legend: bool,
    fresh: bool,
}

/// The tokens of a text: their ranges follow one another without a gap.
pub(super) fn lex(text: &str) -> Vec<Token> {
    let mut lexer = Lexer {
        text,
        bytes: text.as_bytes(),
        i: 0,
        out: Vec::new(),
        modes: Vec::new(),
        outer_text: None,
        legend: false,
        fresh: true,
    };
    if text.starts_with('\u{FEFF}') {
        lexer.push_token(TokenKind::Bom, 3);
    }
    while lexer.i < text.len() {
        lexer.next();
    }
    lexer.out
}

impl Lexer<'_> {
    fn byte_at(&self, ahead: usize) -> u8 {
        self.bytes.get(self.i + ahead).copied().unwrap_or(0)
    }

    fn push_token(&mut self, kind: TokenKind, len: usize) {
        let end = (self.i + len.max(1)).min(self.bytes.len());
        self.out.push(Token { kind, start: self.i as u32, end: end as u32 });
        self.i = end;
    }

    /// How many bytes from here on satisfy `f`.
    fn run(&self, f: impl Fn(u8) -> bool) -> usize {
        self.bytes.get(self.i..).map_or(0, |b| b.iter().position(|b| !f(*b)).unwrap_or(b.len()))
    }

    fn current_mode(&self) -> Mode {
        self.modes.last().copied().unwrap_or(Mode::Code)
    }

    /// Leaves the innermost mode.
    fn leave_mode(&mut self) -> Option<Mode> {
        let mode = self.modes.pop();
        self.outer_text = self.outer_text.filter(|at| *at < self.modes.len());
        mode
    }

    fn next(&mut self) {
        if self.current_mode() == Mode::Text {
            return self.lex_text();
        }
        match self.byte_at(0) {
            b'\n' => {
                self.push_token(TokenKind::Newline, 1);
                self.fresh = true;
                // A text ends with its line, whether it is closed or not.
                if let Some(at) = self.outer_text.take() {
                    self.modes.truncate(at);
                }
                return;
            }
            b' ' | b'\t' | b'\r' => {
                let n = self.run(|b| matches!(b, b' ' | b'\t' | b'\r'));
                return self.push_token(TokenKind::Blank, n);
            }
            b'#' => {
                let kind = if self.byte_at(1) == b'#' { TokenKind::Doc } else { TokenKind::Comment };
                let line = self.text.get(self.i..).unwrap_or("").split('\n').next().unwrap_or("");
                let n = line.trim_end_matches('\r').len();
                return self.push_token(kind, n);
            }
            _ => {}
        }
        if self.current_mode() == Mode::Legend
            && self.fresh
            && !matches!(self.byte_at(0), b'{' | b'}' | b';')
            && self.lex_signs()
        {
            return;
        }
        self.lex_code();
    }

    fn lex_code(&mut self) {
        let fresh = std::mem::replace(&mut self.fresh, false);
        match self.byte_at(0) {
            b'"' if self.byte_at(1) == b'"' && self.byte_at(2) == b'"' => self.lex_picture(),
            b'"' => {
                self.push_token(TokenKind::Quote, 1);
                if self.modes.len() < 1000 {
                    self.outer_text.get_or_insert(self.modes.len());
                    self.modes.push(Mode::Text);
                }
            }
            b'{' => {
                let legend = std::mem::take(&mut self.legend);
                self.modes.push(if legend { Mode::Legend } else { Mode::Code });
                self.push_token(TokenKind::Bracket, 1);
                self.fresh = true;
            }
            b'}' => {
                let kind = match self.leave_mode() {
                    Some(Mode::Hole) => TokenKind::HoleClose,
                    _ => TokenKind::Bracket,
                };
                self.push_token(kind, 1);
            }
            b'(' | b')' | b'[' | b']' => self.push_token(TokenKind::Bracket, 1),
            b',' => self.push_token(TokenKind::Comma, 1),
            b';' => {
                self.push_token(TokenKind::Semicolon, 1);
                self.fresh = true;
            }
            b':' => self.push_token(TokenKind::Colon, 1),
            b'.' if self.byte_at(1) == b'.' => self.push_token(TokenKind::Tight, 2),
            b'.' | b'?' => self.push_token(TokenKind::Tight, 1),
            b'=' | b'!' | b'<' | b'>' | b'+' | b'-' if self.byte_at(1) == b'=' => {
                self.push_token(TokenKind::Operator, 2)
            }
            b'-' if self.byte_at(1) == b'>' => self.push_token(TokenKind::Operator, 2),
            b'=' | b'<' | b'>' | b'+' | b'-' | b'*' | b'/' | b'|' => self.push_token(TokenKind::Operator, 1),
            b'0'..=b'9' => {
                let n = self.run(|b| b.is_ascii_digit());
                self.push_token(TokenKind::Int, n);
            }
            b'a'..=b'z' | b'A'..=b'Z' => {
                let kind =
                    if self.byte_at(0).is_ascii_uppercase() { TokenKind::Kind } else { TokenKind::Word };
                let n = self.run(|b| b.is_ascii_alphanumeric() || b == b'_');
                self.legend |= fresh && self.bytes.get(self.i..self.i + n) == Some(b"legend".as_slice());
                self.push_token(kind, n);
            }
            _ => {
                let n = self.text.get(self.i..).and_then(|t| t.chars().next()).map_or(1, char::len_utf8);
                self.push_token(TokenKind::Unknown, n);
            }
        }
    }

    fn lex_text(&mut self) {
        match self.byte_at(0) {
            b'"' => {
                self.push_token(TokenKind::Quote, 1);
                self.leave_mode();
            }
            b'{' => {
                self.push_token(TokenKind::HoleOpen, 1);
                self.modes.push(Mode::Hole);
            }
            b'\n' => {
                self.leave_mode();
            }
            _ => {
                let bytes = self.bytes.get(self.i..).unwrap_or_default();
                let mut n = 0;
                while let Some(b) = bytes.get(n) {
                    match b {
                        b'"' | b'{' | b'\n' => break,
                        b'\\' if matches!(bytes.get(n + 1), Some(b) if *b != b'\n') => n += 2,
                        _ => n += 1,
                    }
                }
                // An escape may have cut a character in two.
                while self.i + n < self.text.len() && !self.text.is_char_boundary(self.i + n) {
                    n += 1;
                }
                self.push_token(TokenKind::Chars, n);
            }
        }
    }

    /// The signs of a legend's row up to its colon; false if there is no colon.
    fn lex_signs(&mut self) -> bool {
        let line = self.text.get(self.i..).unwrap_or("").split('\n').next().unwrap_or("");
        let stop = line.find(['{', '}', ';', '#']).unwrap_or(line.len());
        let Some(colon) = line.get(..stop).and_then(|l| l.find(':')) else { return false };
        self.fresh = false;
        let colon = match line.get(..stop).map(|l| l.trim_start().starts_with(':')) {
            // The sign `:` itself, before its colon.
            Some(true) => {
                line.get(colon + 1..stop).and_then(|l| l.find(':')).map_or(colon, |n| colon + 1 + n)
            }
            _ => colon,
        };
        let end = self.i + colon;
        while self.i < end {
            let blank = self.run(|b| matches!(b, b' ' | b'\t' | b'\r')).min(end - self.i);
            if blank > 0 {
                self.push_token(TokenKind::Blank, blank);
            } else {
                let n = self.run(|b| !matches!(b, b' ' | b'\t' | b'\r')).min(end - self.i);
                self.push_token(TokenKind::Sign, n);
            }
        }
        self.push_token(TokenKind::Colon, 1);
        true
    }

    fn lex_picture(&mut self) {
        self.push_token(TokenKind::PictureQuote, 3);
        let rest = self.text.get(self.i..).unwrap_or("");
        let Some(end) = rest.find("\"\"\"").map(|n| self.i + n) else { return };
        let mut labelled = 0;
        while self.i < end {
            match self.byte_at(0) {
                b'\n' => {
                    self.push_token(TokenKind::CellNewline, 1);
                    labelled = 0;
                }
                b' ' | b'\t' | b'\r' => {
                    let n = self.run(|b| matches!(b, b' ' | b'\t' | b'\r')).min(end - self.i);
                    self.push_token(TokenKind::CellBlank, n);
                }
                _ => {
                    let rest = self.text.get(self.i..end).unwrap_or("");
                    let n = rest.find(char::is_whitespace).unwrap_or(rest.len());
                    labelled += 1;
                    let bar = labelled == 2 && rest.get(..n) == Some("|");
                    self.push_token(if bar { TokenKind::CellBar } else { TokenKind::Cell }, n.max(1));
                }
            }
        }
        if self.i == end {
            self.push_token(TokenKind::PictureQuote, 3);
        }
    }
}
