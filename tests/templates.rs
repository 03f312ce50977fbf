//! The small whole games from which a game of one's own begins.
use houserule::ide::{Analysis, format_text};
use houserule::lab::simulate::{SimulationPlan, simulate};
use houserule::lab::testing;
use houserule::play::{Game, Setup, find_unplayable};
use houserule::shipped::Template;
use houserule::text::{File, Files};
use std::sync::atomic::{AtomicBool, AtomicU64};

fn files_of(t: &Template) -> Files {
    let mut files = Files::new();
    files.add(File::new("a.rules", t.make_text("My game", "MyGame").as_str()));
    files
}

#[test]
fn each_template_is_a_whole_game() {
    for t in Template::ALL {
        let name = t.name;
        let text = t.make_text("My game", "MyGame");
        assert!(!text.contains('@'), "{name}");
        assert_eq!(format_text("a.rules", &text).unwrap().edits(), [], "{name} is laid out");
        let analysis = Analysis::from_source(&files_of(t));
        assert!(analysis.report.findings.is_empty(), "{name}: {:?}", analysis.report.findings);
        assert_eq!(find_unplayable(&analysis.model), [], "{name}");
        assert!(text.contains("\n## ") && text.contains("\nlook "), "{name}");
        assert!(t.about().ends_with('.') && t.about().len() > 40, "{name}: {}", t.about());
    }
}

#[test]
fn the_tests_of_each_template_pass_and_its_games_end() {
    for t in Template::ALL {
        let name = t.name;
        let analysis = Analysis::from_source(&files_of(t));
        let game: Game =
            Game::from_checked(analysis.model.clone(), analysis.files.clone(), analysis.report.clone());
        let results = testing::run(&game, None);
        assert!(results.len() >= 2, "{name}");
        for r in &results {
            assert!(r.failure.is_none(), "{name}, {}: {:?}", r.title, r.failure);
        }
        let setup = Setup::with_seed(1);
        let plan =
            SimulationPlan { setup, first: 0, games: 50, seats: Vec::new(), jobs: 1, cap: 2_000, uses: true };
        let all = simulate(&game, &plan, &AtomicBool::new(false), &AtomicU64::new(0)).unwrap();
        assert_eq!((all.finished(), all.faults().count()), (50, 0), "{name}");
    }
}
