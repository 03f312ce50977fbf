//! The settings of a person, kept between runs as text that can be read and changed by hand.
use crate::pane::Pane;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

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

/// How fast bots answer where somebody looks on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Pace {
    /// As fast as they can.
    AtOnce,
    /// So that each answer is seen.
    #[default]
    Quick,
    /// So that each answer can be thought about.
    Slow,
}

impl Pace {
    /// All of them.
    pub const ALL: [Pace; 3] = [Pace::AtOnce, Pace::Quick, Pace::Slow];

    /// How long one answer follows the other at least.
    pub fn delay(self) -> Duration {
        Duration::from_millis(match self {
            Pace::AtOnce => 0,
            Pace::Quick => 350,
            Pace::Slow => 1200,
        })
    }

    /// For people.
    pub fn title(self) -> &'static str {
        match self {
            Pace::AtOnce => "bots at once",
            Pace::Quick => "bots quick",
            Pace::Slow => "bots slow",
        }
    }
}

/// Where panes stand, one in the other.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum PaneLayout {
    /// One pane.
    Pane(Pane),
    /// One behind the other.
    Tabs {
        /// From left to right.
        all: Vec<PaneLayout>,
        /// Which of them is in front.
        front: usize,
    },
    /// Side by side, each with its part of the width.
    Row(Vec<(f32, PaneLayout)>),
    /// One below the other, each with its part of the height.
    Column(Vec<(f32, PaneLayout)>),
}

/// What stands where in the window, and how large.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Layout {
    /// The panes; none: as at first.
    pub panes: Option<PaneLayout>,
    /// How wide the list on the left is, in points.
    pub side: Option<f32>,
    /// How high the list of findings is, in points, and whether it is shown.
    pub findings: (Option<f32>, bool),
    /// The window's width and height in points, at its usual size.
    pub window: Option<(f32, f32)>,
}

/// A piece of a map that is kept under a name, to be put down again on any map.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Stamp {
    /// What it is called.
    pub name: String,
    /// Whether it is of hexes; else of squares.
    pub hexes: bool,
    /// Signs that stand side by side: columns and rows from where it is held, as steps, and the signs with blanks between them.
    pub runs: Vec<(i32, i32, String)>,
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
    /// How fast bots answer in Play.
    pub pace: Pace,
    /// Whether pieces slide, dice tumble and cards turn; none: unless the system asks for reduced motion.
    pub moves: Option<bool>,
    /// Whether the system asks for reduced motion.
    #[serde(skip)]
    pub still: bool,
    /// Pieces of maps that are kept under a name.
    pub stamps: Vec<Stamp>,
    /// What stands where.
    pub layout: Layout,
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
            pace: Pace::default(),
            moves: None,
            still: false,
            stamps: Vec::new(),
            layout: Layout::default(),
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
    pub fn to_text(&self) -> String {
        let pretty = ron::ser::PrettyConfig::new().new_line("\n");
        ron::ser::to_string_pretty(self, pretty).unwrap_or_default()
    }

    /// Whether anything moves: as was chosen, else as the system wants it.
    pub fn has_motion(&self) -> bool {
        self.moves.unwrap_or(!self.still)
    }

    /// Makes a folder the last one opened.
    pub fn note_folder(&mut self, folder: &str) {
        note_recent(&mut self.recent, folder);
    }

    /// Makes a file the last one opened.
    pub fn note_file(&mut self, file: &str) {
        note_recent(&mut self.recent_files, file);
    }

    /// A file has another name.
    pub fn rename_file(&mut self, file: &str, to: &str) {
        for f in self.recent_files.iter_mut().filter(|f| *f == file) {
            *f = to.to_string();
        }
    }
}

fn note_recent(list: &mut Vec<String>, name: &str) {
    list.retain(|n| n != name);
    list.insert(0, name.to_string());
    list.truncate(RECENT);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn motion_is_as_the_system_wants_until_somebody_chooses() {
        let with = |moves, still| Settings { moves, still, ..Settings::default() }.has_motion();
        assert_eq!([with(None, false), with(None, true)], [true, false]);
        assert_eq!([with(Some(true), true), with(Some(false), false)], [true, false]);
        // The system's wish is asked for anew each time.
        let kept = Settings::read(&Settings { still: true, ..Settings::default() }.to_text()).0;
        assert!(!kept.still);
    }

    #[test]
    fn what_is_chosen_is_kept() {
        let mut s = Settings { theme: Theme::Dark, zoom: 150, ..Settings::default() };
        s.shortcuts.insert("edit.undo".into(), "Ctrl+U".into());
        s.note_folder("b");
        s.note_folder("a");
        s.note_folder("b");
        assert_eq!(s.recent, ["b", "a"]);
        s.stamps.push(Stamp { name: "hut \"1\"".into(), hexes: true, runs: vec![(-1, 2, "g sa+".into())] });
        assert_eq!(Settings::read(&s.to_text()), (s, None));
        assert_eq!(Settings::read("(theme: Dark)").0.theme, Theme::Dark);
        let (d, why) = Settings::read("(theme: 3");
        assert!(d == Settings::default() && why.is_some());
    }
}
