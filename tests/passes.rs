//! Each pass at work, as text: a function of tests/passes/small.rules before the pass, and behind it. Positions count from the beginning of the function.
use houserule::play::{Game, Setup};
use houserule::program::dump;
use houserule::program::{LowerOptions, Pass, PassSet};
use houserule::text::Files;
use std::collections::BTreeMap;

fn small() -> Game {
    let mut files = Files::new();
    crate::support::add(&mut files, [crate::support::root().join("tests/passes/small.rules")]);
    Game::load(&files).unwrap_or_else(|r| panic!("{:?}", r.findings))
}

/// The listing of each function, by its name, with positions from 0.
fn functions(game: &Game, passes: PassSet) -> BTreeMap<String, Vec<String>> {
    let game = game.with_lowering(LowerOptions { passes, ..game.lowering() });
    let program = game.lower_setup(&Setup::default()).unwrap_or_else(|r| panic!("{:?}", r.findings));
    let text = dump::dump(&program, None, false);
    let mut out = BTreeMap::new();
    for block in text.split("\n\n").filter(|b| b.starts_with("pure ") || b.starts_with("effect ")) {
        let mut lines = block.lines();
        let head = lines.next().unwrap_or_default().split(':').next().unwrap_or_default().to_string();
        let code: Vec<(u64, &str)> = lines
            .filter_map(|line| {
                let (at, ins) = line.trim_start().split_once("  ")?;
                Some((at.parse().ok()?, ins.split("    #").next().unwrap_or(ins)))
            })
            .collect();
        let start = code.first().map_or(0, |(at, _)| *at);
        let listing = code.iter().map(|(at, ins)| format!("{:3}  {}", at - start, relative(ins, start)));
        out.insert(head, listing.collect());
    }
    out
}

/// An instruction whose jump counts from the beginning of its function.
fn relative(ins: &str, start: u64) -> String {
    let words =
        ins.split(' ').map(|word| match word.strip_prefix("to=").and_then(|to| to.parse::<u64>().ok()) {
            Some(to) => format!("to={}", to.saturating_sub(start)),
            None => word.to_string(),
        });
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn each_pass_changes_code_as_written_down() {
    let game = small();
    let mut before = PassSet::NONE;
    for (name, pass) in Pass::ALL {
        let after = PassSet::ALL.up_to(pass);
        let (old, new) = (functions(&game, before), functions(&game, after));
        before = after;
        let changed = new.iter().filter_map(|(f, code)| Some((f, old.get(f)?, code)));
        // The shortest function that the pass changes shows it best.
        let shortest = changed.filter(|(_, a, b)| a != b).min_by_key(|(_, a, _)| a.len());
        let (f, a, b) =
            shortest.unwrap_or_else(|| panic!("{name} changes nothing in tests/passes/small.rules"));
        let text = format!("{f}\n\nbefore\n{}\n\nafter {name}\n{}\n", a.join("\n"), b.join("\n"));
        insta::assert_snapshot!(format!("pass_{name}"), text);
    }
}
