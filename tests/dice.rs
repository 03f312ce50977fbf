//! Dice and filters, as small games with tests of their own: `tests/suite/dice/*.rules`, one game a file; the laws hold there, too.
use crate::support::{add, files_in, root};
use houserule::lab::laws::{self, Limits};
use houserule::lab::testing;
use houserule::play::{Game, Setup};
use houserule::text::Files;

fn games() -> Vec<(String, Game)> {
    let mut out = Vec::new();
    for path in files_in(&root().join("tests/suite/dice")) {
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let mut files = Files::new();
        add(&mut files, [path]);
        match Game::load(&files) {
            Ok(game) => out.push((name, game)),
            Err(r) => panic!("{name}: {:?}", r.findings),
        }
    }
    out
}

#[test]
fn dice_mean_what_the_book_says() {
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
    assert!(ran >= 5, "only {ran} tests were run");
}

#[test]
fn the_laws_hold_with_dice() {
    let all: [(&str, laws::Law); 6] = [
        ("reasons", laws::reasons),
        ("lowering", laws::lowering),
        ("clones", laws::clones),
        ("saves", laws::saves),
        ("undo", laws::undo),
        ("worlds", laws::worlds),
    ];
    let mut cases = 0;
    for (name, game) in games() {
        for (law, holds) in all {
            for seed in 1..=2 {
                match holds(&game, &Setup::default(), Limits { seed, choices: 40, tuples: 40 }) {
                    Ok(c) => cases += c.cases,
                    Err(b) => panic!("{name}, {law}, seed {seed}: {b}"),
                }
            }
        }
    }
    assert!(cases > 300, "only {cases} cases");
}
