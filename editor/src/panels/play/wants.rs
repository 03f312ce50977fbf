//! What the parts of the Play pane want while they are shown: commands, and what the pointer is over.
use crate::command::Command;
use crate::command::play::{Act, Request};
use crate::settings::Pace;
use houserule::play::Spot;

/// What is wanted in one frame.
#[derive(Default)]
pub struct Wants {
    commands: Vec<Command>,
    /// What the row or log line under the pointer names on the board.
    pub named: Vec<Spot>,
    /// What is under the pointer on the board.
    pub over: Option<Spot>,
}

impl Wants {
    /// Asks Play for something, if there is something to ask for.
    pub fn ask(&mut self, request: impl Into<Option<Request>>) {
        self.commands.extend(request.into().map(Command::AskPlay));
    }

    /// Wants one of Play's commands that have a name.
    pub fn act(&mut self, act: Act) {
        self.commands.push(Command::Play(act));
    }

    /// Lets bots answer so fast.
    pub fn pace(&mut self, pace: Pace) {
        self.commands.push(Command::Pace(pace));
    }

    /// A row or a line of the log under the pointer names these; the first of a frame counts.
    pub fn point(&mut self, spots: Vec<Spot>) {
        if self.named.is_empty() {
            self.named = spots;
        }
    }

    /// The pointer is over this on the board; the first of a frame counts.
    pub fn over(&mut self, spot: impl Into<Option<Spot>>) {
        self.over = self.over.or(spot.into());
    }

    /// The commands in the order in which they were given.
    pub fn into_commands(self) -> Vec<Command> {
        self.commands
    }
}
