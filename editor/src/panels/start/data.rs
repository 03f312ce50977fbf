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
    /// The file of its first scenario.
    pub scenario: Option<Arc<str>>,
    /// What the rules call that scenario.
    pub scenario_word: Option<Arc<str>>,
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

/// A file that was open lately.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecentFile {
    /// Its game or scenario by its title, else its own name.
    pub title: String,
    /// The title of the game that it belongs to, where that is something else.
    pub game: Option<String>,
    /// Its name.
    pub file: Arc<str>,
}

/// So many files that were open lately are offered.
const FILES: usize = 6;

/// All of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Data {
    /// Files of this folder that were open lately, the last one first.
    pub files: Vec<RecentFile>,
    /// Games: those with the most scenarios first, then by title.
    pub games: Vec<GameEntry>,
    /// Folders opened lately, but the one that is open.
    pub recent: Vec<String>,
    /// What could be renewed, if this is the working copy of the games that ship.
    pub renewal: Option<Renewal>,
}

impl Data {
    /// Of the folder that is open, if one is; `files` and `recent` are the files and folders opened lately, the last one first.
    pub fn from_document(
        document: &Document,
        files: &[String],
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
                scenario_word: g.scenarios.first().map(|(word, ..)| word.clone()),
                scenarios: g.scenarios.len(),
            })
            .collect();
        games.sort_by_key(|g| (std::cmp::Reverse(g.scenarios), g.title.to_lowercase()));
        let recent = recent.iter().filter(|r| Some(r.as_str()) != open).cloned().collect();
        let files = files.iter().filter(|f| document.text(f).is_some()).take(FILES);
        let files = files.map(|f| describe_file(document, f)).collect();
        Data { files, games, recent, renewal: renewal.cloned() }
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

/// A file by the title of what it is.
fn describe_file(document: &Document, file: &str) -> RecentFile {
    let own = file.rsplit('/').next().unwrap_or(file).to_string();
    let subject = document.subject(file);
    let game = subject.as_ref().and_then(|s| document.game(s));
    let scenario = game.and_then(|g| g.scenarios.iter().find(|(.., f)| **f == *file && g.file != *f));
    let title = match (game, scenario) {
        (Some(g), _) if *g.file == *file => g.title.to_string(),
        (_, Some((_, title, _))) => title.to_string(),
        _ => own,
    };
    let game = game.map(|g| g.title.to_string()).filter(|g| *g != title);
    RecentFile { title, game, file: file.into() }
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
        let files = ["gone.rules", "scenarios/b/x.scenario", "rules/a/a.rules"].map(String::from);
        let data = Data::from_document(&document, &files, &lately, Some("here"), None);
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
        let files_of = |data: &Data| -> Vec<(String, Option<String>)> {
            data.files.iter().map(|f| (f.title.clone(), f.game.clone())).collect()
        };
        assert_eq!(files_of(&data), [("X".into(), Some("Bee".into())), ("Ant".into(), None)]);
        assert_eq!(Data::from_document(&document, &[], &lately, None, None).recent, lately, "none is open");
    }
}
