//! The requests that the parts of the Play pane return while they are shown.
use crate::command::play::Act;
use crate::settings::Pace;
use houserule::play::Spot;
use std::ops::Range;

/// What is wanted inside Play.
#[derive(Clone, PartialEq, Debug)]
pub enum Want {
    /// Take a row of the list.
    Pick(usize),
    /// Take something on the board.
    Click(Spot),
    /// The cursor has come there.
    Cursor(Spot),
    /// The pointer is over a row or a line of the log that names these.
    Point(Vec<Spot>),
    /// The pointer is over this on the board.
    Over(Spot),
    /// Take the choice that was picked.
    Confirm,
    /// Put the last pick back.
    Unpick,
    /// Answer this question instead.
    Question(u32),
    /// What stands in the field.
    Typed(String),
    /// Take a choice in words.
    Say(String),
    /// Tell why not.
    WhyNot(Spot),
    /// Enough of that.
    CloseWhy,
    /// Show a seat's view.
    ViewAs(usize),
    /// Go to a step.
    Scrub(usize),
    /// Begin another line.
    Fork,
    /// Name the step.
    Mark(String),
    /// Go on with a line.
    Line(usize),
    /// Make a test, of a refusal if words are given.
    MakeTest(Option<String>),
    /// Go to a rule.
    GoTo(String, Range<usize>),
    /// Start the next game of the campaign.
    NextGame,
    /// Let bots answer so fast.
    Pace(Pace),
    /// Do a command.
    Act(Act),
}
