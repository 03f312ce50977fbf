//! Random games are as long as published: tic-tac-toe 7.63 plies, Connect Four 21.3, Othello 60.4 with forced passes counted.
use crate::support::game;
use houserule::lab::simulate::{Plan, simulate};
use houserule::play::Setup;
use std::sync::atomic::{AtomicBool, AtomicU64};

fn mean(name: &str, games: u64) -> (f64, f64) {
    let plan = Plan { setup: Setup::seed(7), games, seats: Vec::new(), jobs: 0, cap: 10_000, uses: false };
    let s = simulate(&game(name), &plan, &AtomicBool::new(false), &AtomicU64::new(0)).expect("games");
    assert_eq!(s.finished(), games);
    let lengths = s.lengths();
    (lengths.mean(), lengths.margin())
}

#[test]
fn lengths_agree_with_published_means() {
    for (name, games, published, slack) in
        [("tic-tac-toe", 4000, 7.63, 0.01), ("connect-four", 2000, 21.3, 0.1), ("othello", 600, 60.4, 0.1)]
    {
        let (mean, margin) = mean(name, games);
        // The seed is fixed: this cannot be flaky; three margins say that it is no accident either.
        assert!(
            (mean - published).abs() < 1.5 * margin + slack,
            "{name}: {mean} ± {margin}, published {published}"
        );
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let game = game("love-letter");
    let run = |jobs| {
        let plan = Plan {
            setup: Setup::seed(3).players(3),
            games: 60,
            seats: Vec::new(),
            jobs,
            cap: 10_000,
            uses: true,
        };
        simulate(&game, &plan, &AtomicBool::new(false), &AtomicU64::new(0)).expect("games").games
    };
    let one = run(1);
    assert_eq!(one, run(2));
    assert!(one.iter().any(|g| g.uses.iter().any(|(name, _)| name.starts_with("card "))));
}
