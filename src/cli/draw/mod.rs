//! Draws what a seat sees as lines of text: maps with named columns and rows, then the table and the players with their zones. Used by `play` and `view`.
mod cards;
mod fitting;
mod folds;
mod holders;
mod maps;
mod sheets;

#[cfg(test)]
mod tests;

pub use holders::{outcome_lines, read_cards};
pub use maps::map_lines;
pub use sheets::sheet_lines;

use crate::io::{PlayerFills, style_text};
use folds::Folds;
use holders::holder_lines;
use houserule_engine::{Drawn, View};
use houserule_model::LookParts;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The colours that the rules give the players of a view.
pub fn player_fills(view: &View) -> PlayerFills {
    let mut out = PlayerFills::default();
    for (fill, player) in out.iter_mut().zip(&view.players) {
        *fill = LookParts::from_rows(player.look.iter().map(Drawn::row)).fill;
    }
    out
}

/// How to draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// With ANSI colours.
    pub color: bool,
    /// With more than ASCII.
    pub unicode: bool,
    /// How many columns a line may have.
    pub width: usize,
    /// Colours of players.
    pub players: PlayerFills,
}

impl Style {
    /// A text in an ANSI style where colours are on.
    pub fn paint_text(self, style: &str, text: &str) -> String {
        if self.color && !text.is_empty() { style_text(style, text) } else { text.into() }
    }

    /// A player's colour, as an ANSI style. A colour from the rules becomes the background, so that it is readable on light and dark terminals; without one, the player has a default text colour.
    pub fn player_style(self, n: usize) -> Cow<'static, str> {
        if let Some(Some(fill)) = self.players.get(n) {
            return Cow::Owned(maps::background_style(*fill));
        }
        const STYLES: [&str; 8] = ["1;36", "1;33", "1;35", "1;32", "1;31", "1;34", "1;37", "36"];
        Cow::Borrowed(STYLES.get(n % STYLES.len()).copied().unwrap_or("1"))
    }
}

pub use houserule_play::points::Marks;

/// The whole of a view, without the prompt. If it has more lines than `most`, so much of what lies beside the maps is folded that it fits, or all that can be.
pub fn view_lines(view: &View, slanted: &[bool], marks: &Marks, most: usize, style: Style) -> Vec<String> {
    let mut out = Vec::new();
    for (i, map) in view.maps.iter().enumerate() {
        let slant = slanted.get(i).copied().unwrap_or(false);
        let spaces = map.spaces.iter().enumerate();
        let here: BTreeSet<usize> =
            spaces.filter(|(_, s)| marks.contains(&(i, s.number as usize))).map(|(k, _)| k).collect();
        let title = (view.maps.len() > 1).then_some(map.name.as_ref());
        out.extend(map_lines(view, map, slant, title, &here, style));
        out.push(String::new());
    }
    let mut folds = Folds::default();
    let draw = |folds: &Folds| {
        let mut lines = holder_lines(view, folds, style);
        lines.extend(folds.hint_line(view, style));
        lines
    };
    let mut rest = draw(&folds);
    while out.len() + rest.len() > most && folds.fold_next(view, style) {
        rest = draw(&folds);
    }
    if out.len() + rest.len() > most {
        out.retain(|line| !line.is_empty());
    }
    if rest.is_empty() {
        while out.last().is_some_and(String::is_empty) {
            out.pop();
        }
    }
    out.extend(rest);
    out
}

/// How many columns a text takes, colours not counted.
pub fn display_width(text: &str) -> usize {
    let mut n = 0;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c == '\u{1b}' {
            for c in chars.by_ref() {
                if c.is_ascii_alphabetic() {
                    break;
                }
            }
        } else {
            n += 1;
        }
    }
    n
}

/// Pieces in lines, broken between pieces; one that is longer than half a line, between its words, too. Later lines are indented.
pub fn flow_pieces(head: &str, pieces: &[String], columns: usize) -> Vec<String> {
    const INDENT: &str = "    ";
    let mut lines = Vec::new();
    let mut line = head.to_string();
    let mut add = |text: &str, line: &mut String| {
        let gap = if line.is_empty() || line.ends_with(' ') { "" } else { " " };
        if display_width(line) > INDENT.len()
            && display_width(line) + gap.len() + display_width(text) > columns
        {
            lines.push(line.trim_end().to_string());
            *line = format!("{INDENT}{text}");
        } else {
            line.push_str(gap);
            line.push_str(text);
        }
    };
    for piece in pieces {
        if display_width(piece) <= columns / 2 {
            add(piece, &mut line);
        } else {
            piece.split(' ').for_each(|word| add(word, &mut line));
        }
    }
    if !line.trim().is_empty() {
        lines.push(line.trim_end().to_string());
    }
    lines
}

/// Pieces with a sign behind all but the last.
pub fn separate_pieces(pieces: Vec<String>, sign: &str) -> Vec<String> {
    let last = pieces.len().saturating_sub(1);
    pieces.into_iter().enumerate().map(|(i, p)| if i < last { p + sign } else { p }).collect()
}
