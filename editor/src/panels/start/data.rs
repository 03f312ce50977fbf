//! What the start page shows, as plain data.
use crate::document::Document;
use crate::shipped::Renewal;
use std::sync::Arc;

/// A game of the folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameEntry {
    /// Its title.
    pub title: String,
    /// What its rules say of themselves: the sentence that the file with its `game` line begins with; may be empty.
    pub about: String,
    /// That file.
    pub rules: Arc<str>,
    /// Its first scenario.
    pub scenario: Option<Arc<str>>,
    /// How many scenarios it has.
    pub scenarios: usize,
}

impl GameEntry {
    /// The file from which it is played: its first scenario, or its rules where it has none.
    pub fn start_file(&self) -> &Arc<str> {
        self.scenario.as_ref().unwrap_or(&self.rules)
    }

    /// How much there is of it: `3 scenarios`.
    pub fn size_text(&self) -> String {
        match self.scenarios {
            0 => String::new(),
            1 => String::from("1 scenario"),
            n => format!("{n} scenarios"),
        }
    }
}

/// All of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Data {
    /// Games: those with the most scenarios first, then by title.
    pub games: Vec<GameEntry>,
    /// Folders opened lately, but the one that is open.
    pub recent: Vec<String>,
    /// What could be renewed, if this is the working copy of the games that ship.
    pub renewal: Option<Renewal>,
}

impl Data {
    /// Of the folder that is open, if one is; `recent` are the folders opened lately, the last one first.
    pub fn from_document(
        document: &Document,
        recent: &[String],
        open: Option<&str>,
        renewal: Option<&Renewal>,
    ) -> Data {
        let mut games: Vec<GameEntry> = document
            .games()
            .games
            .iter()
            .map(|g| GameEntry {
                title: g.title.to_string(),
                about: document.text(&g.file).map(|t| description_of(t, &g.title)).unwrap_or_default(),
                rules: g.file.clone(),
                scenario: g.scenarios.first().map(|(.., file)| file.clone()),
                scenarios: g.scenarios.len(),
            })
            .collect();
        games.sort_by_key(|g| (std::cmp::Reverse(g.scenarios), g.title.to_lowercase()));
        let recent = recent.iter().filter(|r| Some(r.as_str()) != open).cloned().collect();
        Data { games, recent, renewal: renewal.cloned() }
    }

    /// What is said of the renewal, and what the button for it is called.
    pub fn renewal_offer(&self) -> Option<(String, String)> {
        let r = self.renewal.as_ref()?;
        let stays = match r.kept.as_slice() {
            [] => String::new(),
            [one] => format!(" {one} has changes of yours, or may have, and stays as it is."),
            several => {
                format!(
                    " These have changes of yours, or may have, and stay as they are: {}.",
                    several.join(", ")
                )
            }
        };
        let button = match r.change_count() {
            0 => String::from("Leave them as they are"),
            1 => String::from("Renew 1 file"),
            n => format!("Renew {n} files"),
        };
        Some((format!("This program comes with other games than this copy of them has.{stays}"), button))
    }
}

/// What a text says of its game: the first sentence of the remark that it begins with, without the game's title before a colon.
fn description_of(text: &str, title: &str) -> String {
    let first = first_remark(text);
    let rest = first.strip_prefix(title).and_then(|r| r.strip_prefix(": "));
    let mut letters = rest.unwrap_or(&first).chars();
    letters.next().map(|c| c.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// The first sentence of the remark that a text begins with.
fn first_remark(text: &str) -> String {
    let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
    let remark: Vec<&str> =
        lines.map_while(|l| l.strip_prefix('#')).map(|l| l.trim_start_matches('#').trim()).collect();
    let all = remark.join(" ");
    match all.find(". ") {
        Some(end) => all.get(..=end).unwrap_or(&all).to_string(),
        None => all,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_tells_of_itself() {
        assert_eq!(
            first_remark("# One game, no cube. Each counts.\n# More.\n\ngame X"),
            "One game, no cube."
        );
        assert_eq!(first_remark("\u{feff}## A walk\n## on two lines\ngame X"), "A walk on two lines");
        assert_eq!(first_remark("game X # no\n"), "");
        assert_eq!(first_remark(""), "");
        assert_eq!(description_of("# Ant: all walk. Rule 1.", "Ant"), "All walk.");
        assert_eq!(description_of("# Antics of all", "Ant"), "Antics of all");
    }

    #[test]
    fn those_with_the_most_to_see_come_first() {
        let game = |w: &str| {
            format!("# {w} is small.\ngame {w} \"{w}\" {{ players 2; outcome win }}\nround once {{ }}\n")
        };
        let texts = [
            ("rules/a/a.rules", game("Ant")),
            ("rules/b/b.rules", game("Bee")),
            ("scenarios/b/x.scenario", String::from("scenario x \"X\" for Bee { }\n")),
        ];
        let document = Document::new(texts.map(|(n, t)| (Arc::from(n), t)));
        let lately = ["here".into(), "before".into()];
        let data = Data::from_document(&document, &lately, Some("here"), None);
        let told: Vec<_> = data
            .games
            .iter()
            .map(|g| (g.title.as_str(), g.about.as_str(), &**g.start_file(), g.size_text()))
            .collect();
        assert_eq!(
            told,
            [
                ("Bee", "Bee is small.", "scenarios/b/x.scenario", "1 scenario".to_string()),
                ("Ant", "Ant is small.", "rules/a/a.rules", String::new())
            ]
        );
        assert_eq!(data.recent, ["before"]);
        assert_eq!(Data::from_document(&document, &lately, None, None).recent, lately, "none is open");
    }
}
