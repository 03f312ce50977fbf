//! The named commands of the Measure pane.
use super::info::{Info, alt, ctrl, key};
use egui::Key;
use egui_material_icons::icons;

/// Measure's commands that have a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Act {
    /// Play the games that the form says.
    Run,
    /// Stop; the games played so far are kept.
    Stop,
    /// Keep these figures to compare the next run with them.
    Keep,
    /// Compare with nothing any more.
    Forget,
    /// Save the figures as a table.
    SaveTable,
}

impl Act {
    /// All of them.
    pub const ALL: &[Act] = &[Act::Run, Act::Stop, Act::Keep, Act::Forget, Act::SaveTable];

    /// What is known of it.
    pub const fn info(self) -> Info {
        let (id, name, icon, about, shortcut) = match self {
            Act::Run => (
                "measure.run",
                "Run the games",
                icons::ICON_PLAY_ARROW.codepoint,
                "Play many games of the open file between bots, with its texts as they are now.",
                key(Key::F5),
            ),
            Act::Stop => (
                "measure.stop",
                "Stop the run",
                icons::ICON_STOP.codepoint,
                "Stop; the games played so far are kept.",
                alt(Key::F5),
            ),
            Act::Keep => (
                "measure.keep",
                "Keep for comparison",
                "",
                "Keep these figures: the next run is shown beside them, with what has changed.",
                alt(Key::K),
            ),
            Act::Forget => (
                "measure.forget",
                "Stop comparing",
                "",
                "Forget the figures that were kept for comparison.",
                None,
            ),
            Act::SaveTable => (
                "measure.save",
                "Save the figures …",
                "",
                "Save all figures that are shown as a CSV file.",
                ctrl(Key::M),
            ),
        };
        Info { id, name, icon, about, shortcut }
    }
}

/// What Measure is asked to do beside its commands that have a name.
#[derive(Clone, PartialEq, Debug)]
pub enum Request {
    /// Show one of these games in Play; a second time the next of them.
    Games(String, Vec<u64>),
    /// Go to the place of a rule error, by its number among those of the run.
    Fault(usize),
}
