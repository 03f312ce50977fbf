//! Play: the game.
use crate::command::{Command, Info};
use crate::panels::{Context, empty};

/// Play's commands that have a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Act {}

impl Act {
    /// All of them.
    pub const ALL: &[Act] = &[];

    /// What is known of it.
    pub const fn info(self) -> Info {
        match self {}
    }
}

/// What Play keeps between frames.
#[derive(Debug, Default)]
pub struct State {}

impl State {
    /// Shows the pane, and gives what is wanted.
    pub fn ui(&mut self, ui: &mut egui::Ui, _cx: &Context) -> Vec<Command> {
        empty(
            ui,
            "No game is being played",
            "Open a game or a scenario in the list on the left, then start it here.",
        );
        Vec::new()
    }

    /// Does one of its commands. What that means for texts comes back.
    pub fn act(&mut self, act: Act, _cx: &Context) -> Vec<Command> {
        match act {}
    }
}
