//! Examples of a rulebook: the tests of the rules, each with the position in which it begins.
use crate::draw::{Marks, Style, player_fills, view_lines};
use crate::io::to_shown;
use crate::setup::Loaded;
use houserule_ide::rulebook::{Part, Section};
use houserule_lab::examples::{find_position, is_example};

/// Tests with more steps are no examples.
const LONGEST: usize = 16;

/// How many columns a position takes.
const WIDTH: usize = 100;

/// A section with so many examples at most.
pub fn make_section(loaded: &Loaded, most: usize) -> Section {
    let mut out = Section::plain("Examples");
    let tests = loaded.game.model().tests.iter().enumerate().filter(|(_, t)| is_example(t, LONGEST));
    for (index, test) in tests {
        if out.inside.len() == most {
            break;
        }
        let Some(position) = find_position(&loaded.game, index) else { continue };
        let draw = |color: bool| {
            let style = Style { color, unicode: true, width: WIDTH, players: player_fills(&position.view) };
            view_lines(&position.view, &position.slanted, &Marks::new(), usize::MAX, style).join("\n")
        };
        let mut section = Section::plain(test.title.to_string());
        let html = ansi_to_html::convert(&to_shown(&draw(true))).unwrap_or_else(|_| escape(&draw(false)));
        section.parts.push(Part::Position(draw(false), html));
        section.parts.push(Part::Rules(loaded.game.files().slice(test.span).trim().to_string()));
        out.inside.push(section);
    }
    out
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
