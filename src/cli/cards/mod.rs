//! `cards`: prints a game's cards, tokens and boards on sheets, as PDF or SVG.
mod contents;

use crate::args::{CardsArgs, PaperSize, PrintedPart, SetupArgs};
use crate::io::{Exit, Failure, Io};
use crate::setup::{self, Loaded};
use crate::store::{to_slashed, write_whole};
use contents::read_contents;
use houserule_ide::Analysis;
use houserule_model::hir::ScopeKind;
use houserule_play::setup::player_range;
use houserule_play::{Match, Setup};
use houserule_sheets::{
    Contents, KindCount, MOST_BLEED, MOST_PAGES, Paper, Part, PrintOptions, SheetFault, Sheets, lay_out,
    to_pdf,
};
use std::path::Path;

/// Runs the command.
pub fn run(args: &CardsArgs, io: &mut Io) -> Result<Exit, Failure> {
    if !(0.0..=MOST_BLEED).contains(&args.bleed) {
        let text = format!(
            "--bleed {}: give 0 to {MOST_BLEED} millimetres; with more, nine cards have no room",
            args.bleed
        );
        return Err(Failure::Usage(text));
    }
    let loaded = setup::load_game(&args.game, &args.setup, io)?;
    let mut begun = begin(&args.setup, &loaded, io)?;
    let contents = read_contents(&mut begun);
    let analysis = Analysis::from_source(&loaded.bundle.files);
    let sheets = lay_out(&analysis, &contents, &read_options(args)).map_err(describe_fault)?;
    list_parts(&sheets, &contents, begun.setup(), &loaded, io)?;
    for remark in &sheets.remarks {
        io.write_remark(remark);
    }
    if sheets.pages.is_empty() {
        return Err(Failure::Wrong(String::from("there is nothing to print")));
    }
    if let Some(file) = &args.pdf {
        let bytes = to_pdf(&sheets.pages, &contents.title).map_err(Failure::Wrong)?;
        write_file(file, &bytes)?;
        io.write_line(&format!("wrote {}: {}", to_slashed(file), count_text(sheets.pages.len(), "page")))?;
    }
    if let Some(folder) = &args.svg {
        std::fs::create_dir_all(folder).map_err(|e| unwritable(folder, &e))?;
        for page in &sheets.pages {
            write_file(&folder.join(format!("{}.svg", page.name)), page.svg.as_bytes())?;
        }
        io.write_line(&format!("wrote {}: {}", to_slashed(folder), count_text(sheets.pages.len(), "file")))?;
    }
    Ok(Exit::Fine)
}

/// Begins a match with the wanted set-up. Where nobody says how many players there are, there are as many as possible, so that the sheets have enough for all of them.
fn begin(args: &SetupArgs, loaded: &Loaded, io: &mut Io) -> Result<Match, Failure> {
    let setup = setup::make_setup(args, loaded, 1, None)?;
    if setup.players.is_none() && setup.names.is_empty() {
        let model = loaded.game.model();
        let scenario = model.scopes.iter().position(|s| {
            s.kind == ScopeKind::Scenario && setup.scenario.as_deref().is_some_and(|w| *s.name == *w)
        });
        let (least, most) = player_range(model, scenario.map(|n| houserule_model::hir::ScopeId(n as u32)));
        for players in (least..=most).rev() {
            if let Ok(begun) = loaded.game.start(&Setup { players: Some(players), ..setup.clone() }) {
                return Ok(begun);
            }
        }
    }
    loaded.game.start(&setup).map_err(|report| loaded.to_failure(&report, io))
}

fn read_options(args: &CardsArgs) -> PrintOptions {
    let part = |p: &PrintedPart| match p {
        PrintedPart::Cards => Part::Cards,
        PrintedPart::Tokens => Part::Tokens,
        PrintedPart::Boards => Part::Boards,
    };
    let all = PrintOptions::default();
    PrintOptions {
        parts: if args.what.is_empty() { all.parts } else { args.what.iter().map(part).collect() },
        kind: args.kind.clone(),
        paper: match args.paper {
            PaperSize::A4 => Paper::A4,
            PaperSize::Letter => Paper::Letter,
        },
        bleed: args.bleed,
        backs: args.backs,
        tile: args.tile,
    }
}

fn describe_fault(fault: SheetFault) -> Failure {
    Failure::Usage(match fault {
        SheetFault::TooManyPages(pages) => {
            format!(
                "that is {pages} pages; {MOST_PAGES} are made at most. --what and --kind print a part of the game"
            )
        }
        SheetFault::NoKind(kinds) if kinds.is_empty() => String::from("--kind: the game has no components"),
        SheetFault::NoKind(kinds) => {
            format!("--kind: there is no such kind; the kinds are {}", kinds.join(", "))
        }
    })
}

/// Lists what is printed: a line for each kind, below a line for each part.
fn list_parts(
    sheets: &Sheets,
    contents: &Contents,
    setup: &Setup,
    loaded: &Loaded,
    io: &mut Io,
) -> Result<(), Failure> {
    let players = count_text(contents.players.len(), "player");
    let scenario = setup::scenario_title(loaded, setup).map_or_else(String::new, |s| format!(", {s}"));
    io.write_line(&format!("{} for {players}{scenario}", contents.title))?;
    for part in &sheets.parts {
        io.write_line(&format!("  {}: {}", part.name, count_text(part.pages, "page")))?;
        for kind in &part.kinds {
            io.write_line(&format!("    {}", describe_kind(part.name, kind)))?;
        }
    }
    Ok(())
}

fn describe_kind(part: &str, kind: &KindCount) -> String {
    let KindCount { title, faces, copies, .. } = kind;
    match part {
        "boards" => format!("{title}: {}", count_text(*faces, "space")),
        _ if faces == copies => format!("{title}: {copies}"),
        _ => format!("{title}: {copies} with {}", count_text(*faces, "face")),
    }
}

/// How many, with the word for one or several.
fn count_text(n: usize, one: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {one}s") }
}

fn write_file(file: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if let Some(folder) = file.parent().filter(|p| !p.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(|e| unwritable(folder, &e))?;
    }
    write_whole(file, bytes).map_err(|e| unwritable(file, &e))
}

fn unwritable(file: &Path, e: &std::io::Error) -> Failure {
    Failure::Unreadable(format!("cannot write {}: {e}", to_slashed(file)))
}
