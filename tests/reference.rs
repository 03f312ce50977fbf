//! Code means what the reference evaluator says (`houserule::lab::laws::reference`): values, menus and effects of small and of shipped games, in random games.
use crate::support::{game, games, setups, small};
use houserule::lab::laws::{Compared, LawLimits, compare_reference, compare_tests};
use houserule::play::{Game, Setup};

/// What is known to differ: the game, what is done, and why.
const APART: &[(&str, &str)] = &[
    // Who looks into a zone by a value that changes meanwhile: when seats look anew is not settled.
    ("seen-by-a-value", "turn_up("),
];

/// Compares a game's set-ups; what differs is a failure.
fn compare(name: &str, game: &Game, setups: Vec<Setup>, limits: LawLimits, every: usize) -> Compared {
    let mut out = Compared::default();
    for setup in setups {
        match compare_reference(game, &setup, limits, every, 20) {
            Ok(found) => out.add_counts(found),
            Err(b) => panic!("{name}: {b}"),
        }
    }
    let known = |what: &str| APART.iter().any(|(of, done)| *of == name && what.contains(done));
    if let Some(b) = out.broken.iter().find(|b| !known(&b.what)) {
        panic!("{name}: {b}");
    }
    out
}

fn agree_in(folder: &str, least: u64) {
    let mut all = Compared::default();
    for (name, game) in small(folder) {
        let tests = compare_tests(&game);
        assert!(tests.broken.is_empty(), "{name}: {}", tests.broken[0]);
        all.add_counts(tests);
        let limits = LawLimits { seed: 1, choices: 4, tuples: 8 };
        all.add_counts(compare(&name, &game, setups(&game), limits, 1));
    }
    eprintln!("{folder}: {} cases; not covered: {:?}", all.cases, all.unsupported);
    assert!(all.cases >= least, "only {} cases", all.cases);
}

#[test]
fn reference_and_code_agree_where_cards_attach() {
    agree_in("attachments", 200);
}

#[test]
fn reference_and_code_agree_on_boards() {
    agree_in("boards", 300);
}

#[test]
fn reference_and_code_agree_on_dice() {
    agree_in("dice", 100);
}

#[test]
fn reference_and_code_agree_on_members_and_ends() {
    agree_in("members", 100);
    agree_in("ends", 100);
}

#[test]
fn reference_and_code_agree_on_people() {
    agree_in("people", 100);
}

#[test]
fn reference_and_code_agree_on_what_is_tried() {
    agree_in("trying", 100);
}

#[test]
fn reference_and_code_agree_on_games_made_for_laws() {
    agree_in("laws", 300);
}

/// Every value, rule, action and menu of every shipped game. What is printed: how many of them were compared, and how often what the reference does not cover came up.
#[test]
fn reference_and_code_agree_on_shipped_games() {
    let mut all = Compared::default();
    for name in games() {
        let game = game(&name);
        // Of games of many rules some positions of a longer match are looked at.
        let large = game.model().values.len() > 20;
        let (choices, tuples, every) = if large { (60, 2, 15) } else { (6, 8, 1) };
        let some = setups(&game).into_iter().take(1).collect();
        let found = compare(&name, &game, some, LawLimits { seed: 1, choices, tuples }, every);
        let never = found.list_never_compared();
        eprintln!(
            "{name}: {} cases; {} of {} parts compared, never {never:?}; not covered: {:?}",
            found.cases,
            found.parts.len() - never.len(),
            found.parts.len(),
            found.unsupported
        );
        all.add_counts(found);
    }
    assert!(all.cases >= 2_000, "only {} cases", all.cases);
    assert!(
        all.list_never_compared().len() * 4 <= all.parts.len(),
        "never compared: {:?}",
        all.list_never_compared()
    );
}
