//! `doc`: writes a rulebook from the rules, as Markdown or HTML.
mod positions;

use crate::args::DocArgs;
use crate::io::{Exit, Failure, Io};
use crate::setup;
use crate::store::{to_slashed, write_whole};
use houserule_ide::Analysis;
use houserule_ide::rulebook::{make_rulebook, to_html, to_markdown};
use std::path::Path;

/// Runs the command.
pub fn run(args: &DocArgs, io: &mut Io) -> Result<Exit, Failure> {
    let loaded = setup::load_game(&args.game, &args.setup, io)?;
    let analysis = Analysis::from_source(loaded.game.files());
    let mut book = make_rulebook(&analysis);
    if args.examples > 0 {
        let examples = positions::make_section(&loaded, args.examples);
        // In front of the words that are explained at the end.
        let at = book.sections.iter().position(|s| s.title == "What is worked out");
        let at = at.unwrap_or(book.sections.len());
        if !examples.is_empty() {
            book.sections.insert(at, examples);
        }
    }
    let write = |file: &Path, text: String| {
        write_whole(file, text.as_bytes())
            .map_err(|e| Failure::Unreadable(format!("cannot write {}: {e}", to_slashed(file))))
    };
    for (file, make) in
        [(&args.html, to_html as fn(&_) -> String), (&args.markdown, to_markdown as fn(&_) -> String)]
    {
        if let Some(file) = file {
            write(file, make(&book))?;
            io.write_remark(&format!("The rulebook is in {}.", to_slashed(file)));
        }
    }
    if args.html.is_none() && args.markdown.is_none() {
        io.write_raw(&to_markdown(&book))?;
    }
    Ok(Exit::Fine)
}
