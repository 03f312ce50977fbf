//! What members bring of their own, what actions cost, ways over a map, components as options: small games with tests of their own, `tests/suite/members/*.rules`.
use crate::support::{add, files_in, root};
use houserule::lab::laws::{self, Limits};
use houserule::lab::testing;
use houserule::play::{Game, Setup};
use houserule::text::Files;

fn games() -> Vec<(String, Game)> {
    let mut out = Vec::new();
    for path in files_in(&root().join("tests/suite/members")) {
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let mut files = Files::new();
        add(&mut files, [path]);
        match Game::load(&files) {
            Ok(game) => out.push((name, game)),
            Err(report) => {
                let told: Vec<String> = report
                    .findings
                    .iter()
                    .map(|d| format!("{} {} {}", files.place(d.at.span), d.code.0, d.message))
                    .collect();
                panic!("{name}:\n{}", told.join("\n"));
            }
        }
    }
    assert!(!out.is_empty());
    out
}

#[test]
fn what_members_have_means_what_the_book_says() {
    let (mut ran, mut wrong) = (0, Vec::new());
    for (name, game) in games() {
        for result in testing::run(&game, None) {
            ran += 1;
            if let Some(f) = result.failure {
                wrong.push(format!("{name}: \"{}\": {} ({})", result.title, f.message, f.place));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {ran} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_laws_hold_where_members_have_their_own() {
    let all: [(&str, laws::Law); 6] = [
        ("reasons", laws::reasons),
        ("lowering", laws::lowering),
        ("clones", laws::clones),
        ("saves", laws::saves),
        ("undo", laws::undo),
        ("worlds", laws::worlds),
    ];
    for (name, game) in games() {
        let mut cases = 0;
        for (law, holds) in all {
            for seed in 1..=2 {
                let setup = Setup::default().players(2 + (seed % 2) as u32);
                match holds(&game, &setup, Limits { seed, choices: 40, tuples: 40 }) {
                    Ok(c) => cases += c.cases,
                    Err(b) => panic!("{name}, {law}, seed {seed}: {b}"),
                }
            }
        }
        assert!(cases > 100, "{name}: only {cases} cases");
    }
}
