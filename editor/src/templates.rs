//! The small whole games from which a game of one's own begins: texts in `editor/templates`, each with a place for its title and its word.
//!
//! ```text
//! # @TITLE: each player moves a row of men across a board. …      the sentence by which the game is offered
//! game @WORD "@TITLE" { players white, black; outcome win }
//! ```

/// A game to begin from.
#[derive(Clone, Copy, Debug)]
pub struct Template {
    /// How it is offered.
    pub name: &'static str,
    text: &'static str,
}

impl Template {
    /// All of them.
    pub const ALL: &[Template] = &[
        Template { name: "Board", text: include_str!("../templates/board.rules") },
        Template { name: "Cards", text: include_str!("../templates/cards.rules") },
        Template { name: "Dice", text: include_str!("../templates/dice.rules") },
        Template { name: "Hexes", text: include_str!("../templates/hexes.rules") },
        Template { name: "Co-operative", text: include_str!("../templates/together.rules") },
        Template { name: "Hidden roles", text: include_str!("../templates/roles.rules") },
    ];

    /// What it is, in a sentence: the first one of its text, behind the title.
    pub fn about(&self) -> String {
        let line = self.text.lines().next().unwrap_or_default();
        let told = line.split_once(": ").map_or(line, |(_, rest)| rest);
        let told = told.strip_suffix(" A beginning: change what you like.").unwrap_or(told);
        let mut letters = told.chars();
        letters.next().map(|c| c.to_uppercase().chain(letters).collect()).unwrap_or_default()
    }

    /// Its text, with a title and the word by which rules name the game.
    pub fn make_text(&self, title: &str, word: &str) -> String {
        self.text.replace("@TITLE", title).replace("@WORD", word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserule::ide::{Analysis, format_text};
    use houserule::lab::simulate::{SimulationPlan, simulate};
    use houserule::lab::testing;
    use houserule::play::{Game, Setup, find_unplayable};
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
            let game: Game = crate::analyses::make_game(&analysis).unwrap();
            let results = testing::run(&game, None);
            assert!(results.len() >= 2, "{name}");
            for r in &results {
                assert!(r.failure.is_none(), "{name}, {}: {:?}", r.title, r.failure);
            }
            let setup = Setup::with_seed(1);
            let plan = SimulationPlan {
                setup,
                first: 0,
                games: 50,
                seats: Vec::new(),
                jobs: 1,
                cap: 2_000,
                uses: true,
            };
            let all = simulate(&game, &plan, &AtomicBool::new(false), &AtomicU64::new(0)).unwrap();
            assert_eq!((all.finished(), all.faults().count()), (50, 0), "{name}");
        }
    }
}
