//! What a person has chosen, kept between runs; as text, so that it can be read and mended by hand.
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Light or dark.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Theme {
    /// As the system is.
    #[default]
    System,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

/// What a person has chosen.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Light or dark.
    pub theme: Theme,
    /// How much larger everything is than the system's size, in percent.
    pub zoom: u16,
    /// Shortcuts that are other than by default, by a command's id; empty for none.
    pub shortcuts: BTreeMap<String, String>,
    /// Folders opened lately, the last one first.
    pub recent: Vec<String>,
    /// Files open lately, the last one first.
    pub recent_files: Vec<String>,
    /// Whether what is changed is saved by itself after a while.
    pub autosave: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            theme: Theme::System,
            zoom: 100,
            shortcuts: BTreeMap::new(),
            recent: Vec::new(),
            recent_files: Vec::new(),
            autosave: false,
        }
    }
}

/// How many folders and files are remembered.
const RECENT: usize = 12;

impl Settings {
    /// Reads them; what is not understood is as by default, and the reason is given.
    pub fn read(text: &str) -> (Settings, Option<String>) {
        match ron::from_str(text) {
            Ok(settings) => (settings, None),
            Err(e) => (Settings::default(), Some(e.to_string())),
        }
    }

    /// As text.
    pub fn written(&self) -> String {
        let pretty = ron::ser::PrettyConfig::new().new_line("\n");
        ron::ser::to_string_pretty(self, pretty).unwrap_or_default()
    }

    /// Makes a folder the last one opened.
    pub fn opened(&mut self, folder: &str) {
        note(&mut self.recent, folder);
    }

    /// Makes a file the last one opened.
    pub fn opened_file(&mut self, file: &str) {
        note(&mut self.recent_files, file);
    }
}

fn note(list: &mut Vec<String>, name: &str) {
    list.retain(|n| n != name);
    list.insert(0, name.to_string());
    list.truncate(RECENT);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_chosen_is_kept() {
        let mut s = Settings { theme: Theme::Dark, zoom: 150, ..Settings::default() };
        s.shortcuts.insert("edit.undo".into(), "Ctrl+U".into());
        s.opened("b");
        s.opened("a");
        s.opened("b");
        assert_eq!(s.recent, ["b", "a"]);
        assert_eq!(Settings::read(&s.written()), (s, None));
        assert_eq!(Settings::read("(theme: Dark)").0.theme, Theme::Dark);
        let (d, why) = Settings::read("(theme: 3");
        assert!(d == Settings::default() && why.is_some());
    }
}
