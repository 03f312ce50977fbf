//! The formatter: one layout for all rules, with the author's line breaks.
//!
//! - Line breaks stay where the author put them; of several empty lines two stay, none at the beginning and the end of a file.
//! - An entry stands two blanks deeper than the line that opens its bracket. If something follows that bracket in its line, entries below may be
//!   aligned with it; they stay so. A closing bracket that begins a line stands where the line of its opening bracket begins.
//! - A line that goes on with an entry keeps what it was indented beyond the entry's first line, and stands at least two deeper.
//! - One blank round operators and between words, behind commas and colons, inside `{ }`; none inside `( )` and `[ ]`, round dots, behind a sign.
//!   A bracket that touches the name before it goes on touching it, for that is what makes it a call.
//! - Two or more blanks stay where they line something up with a line nearby, and before `else "…"`, `because "…"`, other texts and behind `;`;
//!   else they become one.
//! - A remark behind code keeps its column if it can.
//! - Drawn maps stay byte for byte, texts but for the blanks at the ends of holes. Line ends become the file's first one; a byte order mark stays.
//!
//! Nothing but blanks and line ends is changed: a result whose other tokens differ from the source's is thrown away.
use super::lex::{TokenKind, lex};
use super::parse::parse;
use houserule_text::{Diagnostic, FileId};

/// How often a text is laid out again until nothing changes. Lining up may need a second round; more than three have not been seen.
const ROUNDS: usize = 10;

/// How many lines away something may be lined up with.
const NEARBY: usize = 12;

/// Lays a text out. The result is a fixed point, and says the same: same tokens, same comments. A text with errors is not touched: they are the error.
pub fn format_text(text: &str) -> Result<String, Vec<Diagnostic>> {
    format_file(FileId(0), text)
}

/// Formats the text of a file with that number, which the findings name.
pub fn format_file(file: FileId, text: &str) -> Result<String, Vec<Diagnostic>> {
    let mut now = lay_out_once(file, text, true)?;
    for n in 0..ROUNDS {
        // The last rounds line nothing up: they cannot but come to rest.
        let next = lay_out_once(file, &now, n < ROUNDS / 2)?;
        if next == now {
            return Ok(now);
        }
        now = next;
    }
    Ok(now)
}

fn lay_out_once(file: FileId, text: &str, align: bool) -> Result<String, Vec<Diagnostic>> {
    let parsed = parse(file, text);
    if parsed.findings.iter().any(Diagnostic::is_error) {
        return Err(parsed.findings);
    }
    let lines = split_lines(text, parsed.tree.tokens());
    let done = Layout::new(&lines, align).run(text);
    Ok(if has_same_tokens(text, &done) { done } else { text.to_string() })
}

/// Whether two texts differ in blanks and line ends only.
fn has_same_tokens(a: &str, b: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let silent = |k: TokenKind| matches!(k, TokenKind::Blank | TokenKind::Newline);
        lex(text)
            .iter()
            .filter(|t| !silent(t.kind))
            .map(|t| text.get(t.start as usize..t.end as usize).unwrap_or("").trim_end().to_string())
            .collect()
    };
    words(a) == words(b)
}

/// A token with its place in the source.
struct Tok<'t> {
    kind: TokenKind,
    text: &'t str,
    /// Characters before it in its line.
    col: usize,
    /// Blanks before it.
    before: usize,
}

impl Tok<'_> {
    fn is_token(&self, kind: TokenKind, text: &str) -> bool {
        self.kind == kind && self.text == text
    }

    fn is_opening(&self) -> bool {
        self.kind == TokenKind::Bracket && matches!(self.text, "{" | "(" | "[")
    }

    fn is_closing(&self) -> bool {
        self.kind == TokenKind::Bracket && matches!(self.text, "}" | ")" | "]")
    }

    fn is_remark(&self) -> bool {
        matches!(self.kind, TokenKind::Comment | TokenKind::Doc)
    }

    fn is_wordlike(&self) -> bool {
        matches!(self.kind, TokenKind::Word | TokenKind::Kind | TokenKind::Int)
    }
}

/// Tokens by line, without blanks. A drawn map is one token.
fn split_lines<'t>(text: &'t str, tokens: &[super::Token]) -> Vec<Vec<Tok<'t>>> {
    let mut all: Vec<Vec<Tok<'t>>> = vec![Vec::new()];
    let (mut col, mut before, mut picture) = (0, 0, None);
    for token in tokens {
        let (start, end) = (token.start as usize, token.end as usize);
        let piece = text.get(start..end).unwrap_or("");
        let width = piece.chars().count();
        match token.kind {
            TokenKind::Bom => continue,
            TokenKind::Newline => {
                all.push(Vec::new());
                (col, before) = (0, 0);
                continue;
            }
            TokenKind::Blank => {
                (col, before) = (col + width, before + width);
                continue;
            }
            TokenKind::PictureQuote if picture.is_none() => {
                picture = Some((start, col, before));
                continue;
            }
            TokenKind::Cell | TokenKind::CellBar | TokenKind::CellBlank | TokenKind::CellNewline => continue,
            _ => {}
        }
        let Some(line) = all.last_mut() else { continue };
        match picture.take() {
            Some((from, at, blanks)) => {
                let piece = text.get(from..end).unwrap_or("");
                line.push(Tok { kind: TokenKind::PictureQuote, text: piece, col: at, before: blanks });
                col = piece.rsplit('\n').next().unwrap_or("").chars().count();
            }
            None => {
                let piece = if token.kind == TokenKind::Chars { piece } else { piece.trim_end() };
                line.push(Tok { kind: token.kind, text: piece, col, before });
                col += width;
            }
        }
        before = 0;
    }
    all
}

/// An open bracket.
struct Frame {
    curly: bool,
    /// Indentation of the line that opens it, in the result.
    indent: usize,
    /// What follows it in its line: column in the source and in the result.
    hang: Option<(usize, usize)>,
    /// The next token follows it in its line.
    awaits: bool,
    /// The entry that it stands in: column in the source and in the result.
    outer: Option<(usize, usize)>,
    /// The present entry is an attachment whose block has not begun: a line may go on with `may`.
    around: bool,
    /// Where the present entry begins: column in the source and in the result.
    entry: Option<(usize, usize)>,
}

struct Layout<'a, 't> {
    lines: &'a [Vec<Tok<'t>>],
    align: bool,
    out: String,
    frames: Vec<Frame>,
    /// Column of each token of the line above in the source, and where it stands in the result.
    above: Vec<(usize, usize)>,
    /// The entry goes on: its last token cannot end it.
    hanging: bool,
    /// An entry has begun and not ended.
    inside: bool,
    last_comma: bool,
    after_block: bool,
}

/// Words with which a line goes on.
const GO_ON: &[&str] = &[
    "and", "or", "where", "else", "when", "by", "during", "once", "per", "default", "in", "is", "then",
    "times", "step", "under", "to", "of",
];

/// Words behind which an expression must go on.
const HANG: &[&str] =
    &["and", "or", "not", "then", "else", "in", "is", "where", "of", "default", "step", "mod", "if"];

impl<'a, 't> Layout<'a, 't> {
    fn new(lines: &'a [Vec<Tok<'t>>], align: bool) -> Self {
        let top = Frame {
            curly: true,
            indent: 0,
            hang: None,
            awaits: false,
            outer: None,
            around: false,
            entry: None,
        };
        Layout {
            lines,
            align,
            out: String::new(),
            frames: vec![top],
            above: Vec::new(),
            hanging: false,
            inside: false,
            last_comma: false,
            after_block: false,
        }
    }

    fn run(mut self, text: &str) -> String {
        let end = if text.split('\n').next().is_some_and(|l| l.ends_with('\r')) { "\r\n" } else { "\n" };
        let mut gap = 0;
        for n in 0..self.lines.len() {
            if self.lines.get(n).is_none_or(Vec::is_empty) {
                gap += 1;
                self.above.clear();
                continue;
            }
            if !self.out.is_empty() {
                self.out.extend(std::iter::repeat_n(end, gap.min(2)));
            }
            gap = 0;
            self.write_line(n);
            self.out.push_str(end);
        }
        if text.starts_with('\u{FEFF}') { format!("\u{FEFF}{}", self.out) } else { self.out }
    }

    /// Whether a token is lined up with another: with one of the line above or below, or of a line nearby that is indented alike.
    fn is_lined_up(&self, n: usize, tok: &Tok<'t>, first: usize) -> bool {
        let fits = |(away, line): (usize, &Vec<Tok<'t>>)| {
            (away == 0 || line.first().is_some_and(|t| t.col == first))
                && line.iter().skip(1).any(|t| t.col == tok.col && t.before > 0)
        };
        let holds = |l: &&Vec<Tok<'t>>| !l.is_empty();
        let above = self.lines.get(..n).unwrap_or_default().iter().rev();
        let below = self.lines.get(n + 1..).unwrap_or_default().iter();
        above.take_while(holds).take(NEARBY).enumerate().any(fits)
            || below.take_while(holds).take(NEARBY).enumerate().any(fits)
    }

    /// Whether the line goes on with the entry of the lines above.
    fn is_continuation(&self, first: &Tok<'t>, second: Option<&Tok<'t>>) -> bool {
        let colon = second.is_some_and(|t| t.kind == TokenKind::Colon);
        let goes_on = !colon
            && match first.kind {
                TokenKind::Word if first.text == "may" => self.frames.last().is_some_and(|f| f.around),
                TokenKind::Word => GO_ON.contains(&first.text),
                TokenKind::Operator | TokenKind::Comma | TokenKind::Quote | TokenKind::Tight => true,
                _ => first.is_token(TokenKind::Bracket, "{"),
            };
        !first.is_remark() && (self.hanging || (self.inside && goes_on))
    }

    /// `else` or `or` behind a block: the next arm stands where the first does.
    fn is_next_arm(&self, first: &Tok<'t>) -> bool {
        self.after_block && first.kind == TokenKind::Word && matches!(first.text, "else" | "or")
    }

    /// Where the line begins in the result.
    fn indent_of(&self, first: &Tok<'t>, continues: bool) -> usize {
        let Some(frame) = self.frames.last() else { return 0 };
        if first.is_closing() {
            return match frame.outer {
                Some((source, result)) if source == first.col => result,
                _ => frame.indent,
            };
        }
        let base = if self.frames.len() == 1 { 0 } else { frame.indent + 2 };
        let fresh = match frame.hang {
            Some((source, result)) if source == first.col => result,
            _ => match frame.outer {
                Some((source, result)) if source + 2 == first.col => result + 2,
                _ => base,
            },
        };
        match frame.entry {
            Some((source, result)) if continues || !frame.curly => {
                if first.col > source {
                    result + (first.col - source)
                } else if first.is_token(TokenKind::Bracket, "{")
                    || self.is_next_arm(first)
                    || (first.col == source && (self.last_comma || !frame.curly))
                {
                    result
                } else if frame.curly {
                    result + 2
                } else {
                    fresh
                }
            }
            _ => fresh,
        }
    }

    fn write_line(&mut self, n: usize) {
        let lines = self.lines;
        let Some(line) = lines.get(n) else { return };
        let Some(first) = line.first() else { return };
        let continues = self.is_continuation(first, line.get(1));
        if self.frames.last().is_some_and(|f| f.curly)
            && !continues
            && !first.is_remark()
            && !first.is_closing()
        {
            self.inside = false;
        }
        let indent = self.indent_of(first, continues);
        let start = self.out.len();
        self.out.extend(std::iter::repeat_n(' ', indent));
        let mut col = indent;
        let mut placed: Vec<(usize, usize)> = Vec::new();
        let mut in_text = 0usize;
        for (i, tok) in line.iter().enumerate() {
            if let Some(last) = i.checked_sub(1).and_then(|i| line.get(i)) {
                let least = least_blanks(last, tok, in_text % 2 == 1);
                let want = self.blanks_before(n, last, tok, least, col, indent, first.col);
                self.out.extend(std::iter::repeat_n(' ', want));
                col += want;
            }
            placed.push((tok.col, col));
            self.out.push_str(tok.text);
            match tok.text.rsplit_once('\n') {
                Some((_, tail)) => col = tail.chars().count(),
                None => col += tok.text.chars().count(),
            }
            let at = placed.last().copied().unwrap_or_default();
            match tok.kind {
                // The first quote opens, the second closes; holes nest.
                TokenKind::Quote => in_text ^= 1,
                TokenKind::HoleOpen => in_text += 1,
                TokenKind::HoleClose => in_text = in_text.saturating_sub(1),
                _ => {}
            }
            self.track_brackets(tok, at, indent, line.get(i + 1));
        }
        // A remark of its own has no part in what goes on.
        while self.out.len() > start && self.out.ends_with(' ') {
            self.out.pop();
        }
        if line.iter().any(|t| !t.is_remark()) {
            let last = line.iter().rev().find(|t| !t.is_remark());
            self.hanging = last.is_some_and(is_hanging);
            self.after_block = last.is_some_and(|t| t.is_token(TokenKind::Bracket, "}"));
            self.last_comma = last.is_some_and(|t| t.kind == TokenKind::Comma);
        }
        self.above = placed;
    }

    /// How many blanks stand before a token.
    #[expect(clippy::too_many_arguments, reason = "all of it is one line's state")]
    fn blanks_before(
        &self,
        n: usize,
        last: &Tok<'t>,
        tok: &Tok<'t>,
        least: usize,
        col: usize,
        indent: usize,
        first: usize,
    ) -> usize {
        let shifted = (tok.col + indent).saturating_sub(first).saturating_sub(col);
        if tok.is_remark() {
            let least = tok.before.clamp(1, 2);
            return if self.align { shifted.max(least) } else { least };
        }
        if least == 0 || tok.before < 2 || !self.align {
            return least;
        }
        // Reasons, and what `;` parts, may stand off without being lined up.
        let apart = last.kind == TokenKind::Semicolon
            || tok.kind == TokenKind::Quote
            || (tok.kind == TokenKind::Word && matches!(tok.text, "else" | "because"));
        if self.is_lined_up(n, tok, first) {
            let anchor = self.above.iter().find(|(source, _)| *source == tok.col).map(|(_, result)| *result);
            anchor.map_or(shifted, |a| a.saturating_sub(col)).max(least)
        } else if apart {
            shifted.max(least)
        } else {
            least
        }
    }

    /// Keeps brackets and entries.
    fn track_brackets(&mut self, tok: &Tok<'t>, at: (usize, usize), indent: usize, next: Option<&Tok<'t>>) {
        if tok.is_remark() {
            return;
        }
        if tok.is_closing() {
            if self.frames.len() > 1 {
                self.frames.pop();
            }
            self.inside = true;
            return;
        }
        if let Some(frame) = self.frames.last_mut() {
            if std::mem::take(&mut frame.awaits) {
                frame.hang = Some(at);
            }
            if tok.kind != TokenKind::Semicolon && (frame.entry.is_none() || (frame.curly && !self.inside)) {
                frame.entry = Some(at);
                frame.around =
                    tok.kind == TokenKind::Word && matches!(tok.text, "before" | "after" | "instead");
            }
        }
        self.inside = tok.kind != TokenKind::Semicolon;
        if tok.is_opening() {
            let awaits = next.is_some_and(|t| !t.is_remark());
            let curly = tok.text == "{";
            let outer = self.frames.last_mut().and_then(|f| {
                f.around &= !curly;
                f.entry
            });
            let frame = Frame { curly, indent, hang: None, awaits, outer, around: false, entry: None };
            self.frames.push(frame);
            self.inside = false;
        }
    }
}

/// How many blanks must stand between two tokens of one line; `exact` inside a text.
fn least_blanks(a: &Tok<'_>, b: &Tok<'_>, exact: bool) -> usize {
    let kept = b.before.min(1);
    let opens = |t: &Tok<'_>| t.kind == TokenKind::Bracket && matches!(t.text, "(" | "[");
    let closes = |t: &Tok<'_>| t.kind == TokenKind::Bracket && matches!(t.text, ")" | "]");
    let range = a.text == ".." || b.text == "..";
    let none = exact
        || a.kind == TokenKind::HoleOpen
        || b.kind == TokenKind::HoleClose
        || matches!(b.kind, TokenKind::Comma | TokenKind::Semicolon | TokenKind::Colon)
        || opens(a)
        || closes(b)
        || a.kind == TokenKind::Prefix
        || (!range && (a.is_token(TokenKind::Tight, ".") || b.kind == TokenKind::Tight));
    // A bracket that touches what is before it is a call or an index.
    let keep = range
        || (opens(b) && (a.is_wordlike() || closes(a) || a.kind == TokenKind::Quote))
        || (a.is_wordlike() && b.is_wordlike());
    if none {
        0
    } else if keep {
        kept
    } else {
        1
    }
}

/// Whether a line that ends in this token must go on.
fn is_hanging(tok: &Tok<'_>) -> bool {
    match tok.kind {
        TokenKind::Operator | TokenKind::Comma | TokenKind::Colon | TokenKind::Prefix => true,
        TokenKind::Word => HANG.contains(&tok.text),
        _ => false,
    }
}
