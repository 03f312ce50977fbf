//! The small whole games from which a game of one's own begins: texts in `src/shipped/templates`, each with a place for its title and its word.
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
    /// How it is named on a command line.
    pub word: &'static str,
    text: &'static str,
}

impl Template {
    /// All of them.
    pub const ALL: &[Template] = &[
        Template { name: "Board", word: "board", text: include_str!("templates/board.rules") },
        Template { name: "Cards", word: "cards", text: include_str!("templates/cards.rules") },
        Template { name: "Dice", word: "dice", text: include_str!("templates/dice.rules") },
        Template { name: "Hexes", word: "hexes", text: include_str!("templates/hexes.rules") },
        Template {
            name: "Co-operative",
            word: "co-operative",
            text: include_str!("templates/together.rules"),
        },
        Template { name: "Hidden roles", word: "hidden-roles", text: include_str!("templates/roles.rules") },
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
