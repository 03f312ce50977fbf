//! The streams of a run (input, output, errors), whether colours are used, and the exit codes.
use houserule_text::{is_control, to_visible};
use std::borrow::Cow;
use std::hash::BuildHasher;
use std::io::{self, BufRead, IsTerminal, Write};
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Instant;

/// How a run ended; each has its exit code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// Nothing to complain about.
    Fine,
    /// The run worked, and found something wrong: errors in rules, failing tests, files not formatted.
    Findings,
    /// The arguments make no sense.
    Usage,
    /// A file could not be read or written.
    Unreadable,
}

impl Exit {
    /// The process's exit code.
    pub fn code(self) -> u8 {
        match self {
            Exit::Fine => 0,
            Exit::Findings => 1,
            Exit::Usage => 2,
            Exit::Unreadable => 3,
        }
    }
}

/// Why a run could not go on.
#[derive(Debug)]
pub enum Failure {
    /// The arguments make no sense, with what to do instead.
    Usage(String),
    /// A file could not be read or written.
    Unreadable(String),
    /// What was wrong has been shown already.
    Shown(Exit),
    /// Something went wrong in what the rules or a file say.
    Wrong(String),
    /// A stream of the run broke.
    Stream(io::Error),
}

impl Failure {
    /// How the run ends.
    pub fn exit(&self) -> Exit {
        match self {
            Failure::Usage(_) => Exit::Usage,
            Failure::Unreadable(_) => Exit::Unreadable,
            Failure::Shown(exit) => *exit,
            Failure::Wrong(_) => Exit::Findings,
            // Whoever reads has read enough.
            Failure::Stream(e) if e.kind() == io::ErrorKind::BrokenPipe => Exit::Fine,
            Failure::Stream(_) => Exit::Unreadable,
        }
    }

    /// What is to be said about it, if anything.
    pub fn failure_text(&self) -> Option<String> {
        match self {
            Failure::Usage(t) | Failure::Unreadable(t) | Failure::Wrong(t) => Some(t.clone()),
            Failure::Shown(_) => None,
            Failure::Stream(e) if e.kind() == io::ErrorKind::BrokenPipe => None,
            Failure::Stream(e) => Some(e.to_string()),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(e: io::Error) -> Self {
        Failure::Stream(e)
    }
}

/// When to colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub enum Color {
    // On a terminal, unless NO_COLOR is set.
    #[default]
    Auto,
    // Always.
    Always,
    // Never.
    Never,
}

/// The colours that the rules give the first players: red, green, blue.
pub type PlayerFills = [Option<[u8; 3]>; 8];

/// The streams of a run and what they can show.
pub struct Io {
    /// Where answers come from.
    pub input: Box<dyn BufRead + Send>,
    /// Where results go.
    pub out: Box<dyn Write + Send>,
    /// Where remarks go.
    pub err: Box<dyn Write + Send>,
    /// Whether a person sits at both ends.
    pub interactive: bool,
    /// Whether remarks go to a terminal, so that a progress bar makes sense.
    pub progress: bool,
    /// Whether colours may be used.
    pub color: bool,
    /// Whether more than ASCII may be drawn.
    pub unicode: bool,
    /// How many columns a line may have.
    pub width: usize,
    /// Colours of players in the game that is shown.
    pub players: PlayerFills,
    /// How many lines a screen may have.
    pub height: usize,
    /// What is written is for people: where only ASCII can be drawn, other signs are written with ASCII.
    pub people: bool,
    /// Whether Ctrl-C may be caught: not in tests, where the process is not ours.
    pub signals: bool,
    /// Lines as they come in from a thread of their own, once somebody has waited for one no longer than so long.
    lines: Option<Receiver<io::Result<Option<RawLine>>>>,
}

/// How many lines a screen may have unless the terminal is higher.
pub const SCREEN: usize = 40;

/// The longest line that is read, in bytes.
pub const LINE: u64 = 1 << 20;

/// What is said of a longer one.
pub const TOO_LONG: &str = "a line must not be longer than 1 MiB";

/// A line that was waited for.
pub enum Waited {
    /// It came.
    Line(String),
    /// One came that is longer than [`LINE`]; it has been passed over whole.
    TooLong,
    /// Nothing comes any more.
    End,
    /// Time was up before.
    Late,
}

/// A line as it was read, and whether it was too long: then it is empty.
type RawLine = (Vec<u8>, bool);

fn read_raw_line(input: &mut dyn BufRead) -> io::Result<Option<RawLine>> {
    let mut bytes = Vec::new();
    // One byte more, for the line's end.
    let n = io::Read::take(&mut *input, LINE + 1).read_until(b'\n', &mut bytes)?;
    if n as u64 <= LINE || bytes.ends_with(b"\n") {
        return Ok((n > 0).then_some((bytes, false)));
    }
    loop {
        let rest = input.fill_buf()?;
        let end = rest.iter().position(|b| *b == b'\n');
        let n = end.map_or(rest.len(), |i| i + 1);
        input.consume(n);
        if end.is_some() || n == 0 {
            return Ok(Some((Vec::new(), true)));
        }
    }
}

impl Io {
    /// The process's own streams; colours and signs as the surroundings ask for.
    pub fn from_process() -> Io {
        let tty = io::stdout().is_terminal();
        let var = |name: &str| std::env::var(name).ok().filter(|v| !v.is_empty());
        let plain = var("NO_COLOR").is_some() || var("TERM").is_some_and(|t| t == "dumb");
        let locale = var("LC_ALL").or_else(|| var("LC_CTYPE")).or_else(|| var("LANG"));
        let unicode = match locale {
            Some(l) => {
                let l = l.to_ascii_lowercase();
                l.contains("utf-8") || l.contains("utf8")
            }
            None => cfg!(not(unix)),
        };
        let told = terminal_size::terminal_size().map(|(w, h)| (usize::from(w.0), usize::from(h.0)));
        // Less is folded on a high terminal; a low one can be scrolled.
        let height = told.map_or(SCREEN, |(_, h)| h.max(SCREEN));
        let width = told
            .map(|(w, _)| w)
            .or(var("COLUMNS").and_then(|v| v.parse().ok()))
            .filter(|w| (20..=1000).contains(w));
        Io {
            input: Box::new(io::BufReader::new(io::stdin())),
            out: Box::new(io::BufWriter::new(io::stdout())),
            err: Box::new(io::stderr()),
            interactive: tty && io::stdin().is_terminal(),
            progress: io::stderr().is_terminal(),
            color: tty && !plain,
            unicode,
            width: width.unwrap_or(100),
            players: PlayerFills::default(),
            height,
            people: false,
            signals: true,
            lines: None,
        }
    }

    /// Streams in memory, without colours: for tests. What is written is thrown away unless the caller hands in his own writers.
    pub fn in_memory(input: &str, out: Box<dyn Write + Send>, err: Box<dyn Write + Send>) -> Io {
        Io {
            input: Box::new(io::Cursor::new(input.as_bytes().to_vec())),
            out,
            err,
            interactive: false,
            progress: false,
            color: false,
            unicode: true,
            width: 100,
            height: SCREEN,
            players: PlayerFills::default(),
            people: false,
            signals: false,
            lines: None,
        }
    }

    /// A line of the input, waited for until then. What comes later is the next line. What is no text is read as well as it can be.
    ///
    /// # Errors
    /// The input broke.
    pub fn wait_for_line(&mut self, until: Option<Instant>) -> Result<Waited, Failure> {
        let text = |line: Option<RawLine>| match line {
            Some((_, true)) => Waited::TooLong,
            Some((bytes, false)) => Waited::Line(String::from_utf8_lossy(&bytes).into_owned()),
            None => Waited::End,
        };
        if until.is_some() && self.lines.is_none() {
            let mut input = std::mem::replace(&mut self.input, Box::new(io::empty()));
            let (send, receive) = channel();
            // It ends with the input, or when nobody listens any more.
            std::thread::spawn(move || {
                loop {
                    let line = read_raw_line(&mut *input);
                    let last = !matches!(line, Ok(Some(_)));
                    if send.send(line).is_err() || last {
                        break;
                    }
                }
            });
            self.lines = Some(receive);
        }
        let Some(lines) = &self.lines else { return Ok(text(read_raw_line(&mut *self.input)?)) };
        let got = match until {
            Some(until) => lines.recv_timeout(until.saturating_duration_since(Instant::now())),
            None => lines.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match got {
            Ok(line) => Ok(text(line?)),
            Err(RecvTimeoutError::Timeout) => Ok(Waited::Late),
            Err(RecvTimeoutError::Disconnected) => Ok(Waited::End),
        }
    }

    /// Takes over what the arguments say about colours and signs.
    pub(super) fn set_style(&mut self, color: Color, ascii: bool) {
        match color {
            Color::Auto => {}
            Color::Always => self.color = true,
            Color::Never => self.color = false,
        }
        self.unicode &= !ascii;
    }

    /// Writes a line of the result.
    pub fn write_line(&mut self, text: &str) -> Result<(), Failure> {
        self.write_text(text)?;
        Ok(self.out.write_all(b"\n")?)
    }

    /// Writes a piece of the result. Control characters in it are shown as escapes.
    pub fn write_text(&mut self, text: &str) -> Result<(), Failure> {
        let text = if self.people && !self.unicode && !text.is_ascii() {
            Cow::Owned(to_ascii(text))
        } else {
            Cow::Borrowed(text)
        };
        Ok(self.out.write_all(to_shown(&text).as_bytes())?)
    }

    /// Writes a piece of the result byte for byte: the text of a file, findings that are drawn already, what steers the terminal.
    pub fn write_raw(&mut self, text: &str) -> Result<(), Failure> {
        Ok(self.out.write_all(text.as_bytes())?)
    }

    /// Lets everything written be seen.
    pub fn flush_output(&mut self) -> Result<(), Failure> {
        Ok(self.out.flush()?)
    }

    /// Says what went wrong. If even that cannot be written, nothing is left to do.
    pub fn write_error(&mut self, text: &str) {
        self.out.flush().ok();
        let head = if self.color { "\u{1b}[1;31merror\u{1b}[0m" } else { "error" };
        writeln!(self.err, "{head}: {}", to_shown(text)).ok();
    }

    /// Says something that is no result: progress, a hint.
    pub fn write_remark(&mut self, text: &str) {
        self.out.flush().ok();
        writeln!(self.err, "{}", to_shown(text)).ok();
    }

    /// Writes findings that are drawn already where remarks go. If even that cannot be written, nothing is left to do.
    pub fn write_findings(&mut self, text: &str) {
        self.out.flush().ok();
        self.err.write_all(text.as_bytes()).ok();
    }

    /// A text in bold where colours are on.
    pub fn to_bold(&self, text: &str) -> String {
        self.paint_text("1", text)
    }

    /// A text in faint where colours are on.
    pub fn to_faint(&self, text: &str) -> String {
        self.paint_text("2", text)
    }

    /// A text in an ANSI style where colours are on.
    pub fn paint_text(&self, style: &str, text: &str) -> String {
        if self.color && !text.is_empty() { style_text(style, text) } else { text.to_string() }
    }
}

/// What begins the styles of this run. Nobody who writes rules can guess it, so no text can pass for a style.
fn style_mark() -> &'static str {
    static MARK: OnceLock<String> = OnceLock::new();
    MARK.get_or_init(|| {
        let chance = std::collections::hash_map::RandomState::new().hash_one(0);
        format!("\u{1b}{chance:020}")
    })
}

/// A text in an ANSI style, as the streams of a run take it: [`Io::write_text`] writes it as a terminal knows it.
pub fn style_text(style: &str, text: &str) -> String {
    let mark = style_mark();
    format!("{mark}[{style}m{text}{mark}[0m")
}

/// A text as it is written: with its styles, other control characters as escapes.
pub fn to_shown(text: &str) -> Cow<'_, str> {
    if !text.contains('\u{1b}') {
        return to_visible(text);
    }
    let mut pieces = text.split(style_mark());
    let mut out = to_visible(pieces.next().unwrap_or("")).into_owned();
    for piece in pieces {
        let (style, rest) = piece.split_at(piece.find('m').map_or(0, |i| i + 1));
        out.push('\u{1b}');
        out.push_str(style);
        out.push_str(&to_visible(rest));
    }
    Cow::Owned(out)
}

/// A JSON value in one line; what a terminal could take for a command is escaped.
pub fn to_json(value: &serde_json::Value) -> String {
    escape_json(value.to_string())
}

/// JSON without control characters: they stand in texts only, where JSON has escapes for them.
pub fn escape_json(text: String) -> String {
    if !text.contains(is_control) {
        return text;
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_control(c) {
            out.push_str(&format!("\\u{:04x}", u32::from(c)));
        } else {
            out.push(c);
        }
    }
    out
}

/// A text with ASCII signs only.
fn to_ascii(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '→' => out.push_str("->"),
            '←' => out.push_str("<-"),
            '…' => out.push_str("..."),
            '–' | '—' | '−' => out.push('-'),
            '·' | '•' => out.push('.'),
            '“' | '”' | '„' => out.push('"'),
            '‘' | '’' => out.push('\''),
            '×' => out.push('x'),
            c if c.is_ascii() => out.push(c),
            _ => out.push('?'),
        }
    }
    out
}
