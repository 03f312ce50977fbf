//! The meaning of attachments, as small games with tests of their own: `tests/suite/attachments/*.rules`, one game a file.
use crate::support::{add, files_in, root};
use houserule::lab::laws::{self, Limits};
use houserule::lab::testing;
use houserule::play::{Game, Setup};
use houserule::text::Files;

#[test]
fn attachments_mean_what_the_book_says() {
    let (mut ran, mut wrong) = (0, Vec::new());
    for path in files_in(&root().join("tests/suite/attachments")) {
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let mut files = Files::new();
        add(&mut files, [path]);
        let game = match Game::load(&files) {
            Ok(game) => game,
            Err(report) => {
                let told = report
                    .findings
                    .iter()
                    .map(|d| format!("{} {} {}", files.place(d.at.span), d.code.0, d.message));
                wrong.extend(told.map(|t| format!("{name}: {t}")));
                continue;
            }
        };
        for result in testing::run(&game, None) {
            ran += 1;
            if let Some(f) = result.failure {
                wrong.push(format!("{name}: \"{}\": {} ({})", result.title, f.message, f.place));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {ran} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(ran >= 20, "only {ran} tests were run");
}

#[test]
fn the_laws_hold_where_cards_attach() {
    let all: [(&str, laws::Law); 6] = [
        ("reasons", laws::reasons),
        ("lowering", laws::lowering),
        ("clones", laws::clones),
        ("saves", laws::saves),
        ("undo", laws::undo),
        ("worlds", laws::worlds),
    ];
    let mut cases = 0;
    for name in ["actions", "layers", "brought"] {
        let mut files = Files::new();
        add(&mut files, [root().join(format!("tests/suite/attachments/{name}.rules"))]);
        let game = Game::load(&files).unwrap_or_else(|r| panic!("{name}: {:?}", r.findings));
        for (law, holds) in all {
            for seed in 1..=3 {
                let setup = Setup::default().players(2 + (seed % 2) as u32);
                match holds(&game, &setup, Limits { seed, choices: 40, tuples: 40 }) {
                    Ok(c) => cases += c.cases,
                    Err(b) => panic!("{name}, {law}, seed {seed}: {b}"),
                }
            }
        }
    }
    assert!(cases > 1_000, "only {cases} cases");
}
