//! What is said on the screen: news, the board, the question and its choices.
use super::marks;
use crate::cli::draw::{self, Style, width};
use crate::cli::io::{Failure, Io};
use crate::engine::EventKind;
use crate::play::{Decision, Ending, LogLine, Match, Offered};

/// How many choices are looked through for what they point at.
const POINTED: usize = 400;

/// How many choices are listed unasked.
pub const LISTED: usize = 30;

/// How many choices `list` shows.
pub const MOST: usize = 2000;

/// What the terminal can draw.
pub fn style(io: &Io) -> Style {
    Style { color: io.color, unicode: io.unicode, width: io.width }
}

/// What happened since a step, as a seat may read it. What the drawing shows anyway is left out: attributes that change, and what is set out at the beginning.
pub fn news(m: &Match, seat: Option<usize>, since: usize, io: &mut Io) -> Result<(), Failure> {
    for line in m.log_since(seat, since) {
        let drawn = match line.kind {
            EventKind::Changed => true,
            EventKind::Moved => line.step == 0,
            _ => false,
        };
        if !drawn {
            let text = log_line(m, &line, style(io));
            io.line(&text)?;
        }
    }
    Ok(())
}

/// Everything that has happened, as a seat may know it.
pub fn whole_log(m: &Match, seat: Option<usize>, io: &mut Io) -> Result<(), Failure> {
    for line in m.log(seat) {
        let text = log_line(m, &line, style(io));
        io.line(&text)?;
    }
    Ok(())
}

/// Whether a line says what a player chose.
pub fn is_act(line: &LogLine) -> bool {
    matches!(line.kind, EventKind::Acted(_) | EventKind::Done | EventKind::Passed | EventKind::Answered)
}

/// A line of the log, with the player who acted.
pub fn log_line(m: &Match, line: &LogLine, style: Style) -> String {
    let sign = style.paint("2", if style.unicode { "·" } else { "-" });
    match line.player {
        Some(n) if is_act(line) => {
            format!("{sign} {}: {}", style.paint(style.player(n), &m.player_name(n)), line.text)
        }
        _ => format!("{sign} {}", line.text),
    }
}

/// Board, cards and secrets of a seat, with what a decision points at.
pub fn board(m: &mut Match, seat: usize, decision: Option<&Decision>, io: &mut Io) -> Result<(), Failure> {
    let style = style(io);
    let program = m.program().clone();
    let mut points = draw::Marks::new();
    if let Some(d) = decision
        && let Ok(offered) = m.options(d.question, 0, POINTED)
    {
        points = marks::spaces(&program, d.kind, &offered);
    }
    let view = m.view(seat);
    io.line("")?;
    for line in draw::view_lines(&view, &marks::slanted(&program), &points, style) {
        io.line(&line)?;
    }
    io.line("")
}

/// The question and what may be answered.
pub fn question(m: &mut Match, d: &Decision, io: &mut Io) -> Result<(), Failure> {
    let style = style(io);
    let name = if d.anybody { d.name.clone() } else { style.paint(style.player(d.player), &d.name) };
    let prompt = if d.prompt.is_empty() { String::from("your choice") } else { d.prompt.clone() };
    let head = io.bold(&prompt);
    io.line(&format!("{name}: {head}"))?;
    match m.options(d.question, 0, LISTED) {
        Ok(offered) => {
            let plain = asks_for_number(m, d);
            list(&offered, plain, io)?;
            if d.count > offered.len() as u64 {
                let rest = d.count - offered.len() as u64;
                let count = if d.count == u64::MAX { String::from("very many") } else { rest.to_string() };
                io.line(&format!("  and {count} more; `list` shows them, `list WORD` those with that word"))?;
            }
            Ok(())
        }
        Err(e) => Err(Failure::Wrong(e.to_string())),
    }
}

/// Whether answers are numbers themselves, so that their places in a list must not be confused with them.
pub fn asks_for_number(m: &mut Match, d: &Decision) -> bool {
    let first = m.options(d.question, 0, 1).unwrap_or_default();
    first.first().is_some_and(|o| o.words.parse::<i64>().is_ok())
}

/// Choices with their numbers from 1, in columns; `plain` leaves the numbers out.
fn list(offered: &[Offered], plain: bool, io: &mut Io) -> Result<(), Failure> {
    let numbered: Vec<(u64, &Offered)> = offered.iter().enumerate().map(|(i, o)| (i as u64 + 1, o)).collect();
    list_numbered(&numbered, plain, io)
}

/// Choices with numbers, in columns; `plain` leaves the numbers out.
pub fn list_numbered(offered: &[(u64, &Offered)], plain: bool, io: &mut Io) -> Result<(), Failure> {
    let style = style(io);
    let digits = offered.iter().map(|(n, _)| n.to_string().len()).max().unwrap_or(1);
    let texts: Vec<String> = offered
        .iter()
        .map(|(n, o)| {
            let number = if plain { String::new() } else { style.paint("1", &format!("{n:>digits$} ")) };
            let title = if same(&o.words, &o.title) {
                String::new()
            } else {
                format!("  {}", style.paint("2", &o.title))
            };
            format!("{number}{}{title}", o.words)
        })
        .collect();
    let widest = texts.iter().map(|t| width(t)).max().unwrap_or(1) + 3;
    let columns = (io.width.saturating_sub(2) / widest).clamp(1, 8);
    for row in texts.chunks(columns) {
        let mut line = String::from("  ");
        for text in row {
            line.push_str(text);
            line.push_str(&" ".repeat(widest.saturating_sub(width(text))));
        }
        let line = line.trim_end().to_string();
        io.line(&line)?;
    }
    Ok(())
}

/// Whether a title says no more than the words.
fn same(words: &str, title: &str) -> bool {
    let bare = |s: &str| -> String {
        s.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    bare(words) == bare(title)
}

/// How the match ended.
pub fn ending(m: &mut Match, seat: usize, ending: &Ending, io: &mut Io) -> Result<(), Failure> {
    match ending {
        Ending::Unfinished(why) => io.line(&format!("Unfinished: {why}.")),
        Ending::Over(outcome) => {
            let view = m.view(seat);
            let head = io.bold("The game is over.");
            io.line(&head)?;
            for line in draw::outcome_lines(&view, outcome, style(io)) {
                io.line(&format!("  {line}"))?;
            }
            Ok(())
        }
    }
}
