//! Saved matches that show something: here, that our own bot wins every solo scenario at the rank that the rulebook calls the rescuers' third.
use crate::cli::cli;
use houserule::cli::Exit;
use houserule::play::Save;

/// The number behind a line's title in the sheet that ends a replay.
fn line(text: &str, title: &str) -> i64 {
    let found = text.lines().find_map(|l| l.trim().strip_prefix(title)).unwrap_or_else(|| panic!("{text}"));
    found.trim().parse().unwrap_or_else(|e| panic!("{e}: {found}"))
}

#[test]
fn every_solo_scenario_of_the_fog_is_won_in_a_saved_match_of_a_bot() {
    for (number, points, rank) in SOLO {
        let file = format!("{}/tests/replays/fog_solo_{number}.save", env!("CARGO_MANIFEST_DIR"));
        let save = Save::read(&std::fs::read_to_string(&file).expect("a saved match")).expect("it is whole");
        assert!(save.broken.is_none() && save.save.seats[0].starts_with("beam:"), "{:?}", save.save.seats);
        let done = cli(&format!("replay {file}"));
        assert_eq!(done.exit, Exit::Fine, "solo {number}: {}{}", done.out, done.err);
        assert_eq!(line(&done.out, "Rescue points"), points, "{}", done.out);
        assert!(points >= 125 && done.out.contains(rank), "{}", done.out);
    }
}

/// What each match comes to.
const SOLO: [(u32, i64, &str); 3] = [(1, 125, "Rescue-Pro"), (2, 130, "Rescue-Pro"), (3, 137, "Rescue-Pro")];
