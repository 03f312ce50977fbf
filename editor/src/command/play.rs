//! The named commands of the Play pane.
use super::info::{Info, alt, ctrl, key};
use egui::Key;
use egui_material_icons::icons;
use houserule::play::Spot;
use std::ops::Range;

/// Play's commands that have a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Act {
    /// Start the game of the open file, or start it again.
    Start,
    /// Go back to the form.
    Stop,
    /// Go back to the match that was left last.
    Before,
    /// Take back a person's last choice.
    TakeBack,
    /// One choice back on the time line.
    Earlier,
    /// One choice on.
    Later,
    /// Begin another line here.
    Fork,
    /// Let bots wait, or go on.
    Pause,
    /// Let bots answer at once until a person is asked.
    Skip,
    /// Show the next seat's view.
    NextView,
    /// Tell why what the cursor is on is not on offer.
    WhyNot,
    /// Make a test of the present line.
    MakeTest,
    /// Type a choice.
    TypeChoice,
    /// Save the match to a file.
    Save,
    /// Go on with a saved match.
    Load,
    /// Go on with the match as the changed rules play it.
    NewRules,
    /// Go on with the match as it was, under the rules that it was started with.
    OldRules,
}

impl Act {
    /// All of them.
    pub const ALL: &[Act] = &[
        Act::Start,
        Act::Stop,
        Act::Before,
        Act::TakeBack,
        Act::Earlier,
        Act::Later,
        Act::Fork,
        Act::Pause,
        Act::Skip,
        Act::NextView,
        Act::WhyNot,
        Act::MakeTest,
        Act::TypeChoice,
        Act::Save,
        Act::Load,
        Act::NewRules,
        Act::OldRules,
    ];

    /// What is known of it.
    pub const fn info(self) -> Info {
        let (id, name, icon, about, shortcut) = match self {
            Act::Start => (
                "play.start",
                "Start the game",
                icons::ICON_PLAY_ARROW.codepoint,
                "Start the game of the open file, or start it again; the match that is played is kept.",
                key(Key::F5),
            ),
            Act::Stop => (
                "play.stop",
                "New game",
                icons::ICON_RESTART_ALT.codepoint,
                "Leave this game, and go back to the form of its set-up.",
                alt(Key::F5),
            ),
            Act::Before => (
                "play.before",
                "Back to the match before",
                "",
                "Go back to the match that was left last; the one that is played is kept in its place.",
                None,
            ),
            Act::TakeBack => (
                "play.take_back",
                "Take back",
                icons::ICON_UNDO.codepoint,
                "Take back your last choice, with what bots have chosen since.",
                alt(Key::Z),
            ),
            Act::Earlier => (
                "play.earlier",
                "One choice back",
                icons::ICON_CHEVRON_LEFT.codepoint,
                "Go one choice back on the time line.",
                alt(Key::Comma),
            ),
            Act::Later => (
                "play.later",
                "One choice on",
                icons::ICON_CHEVRON_RIGHT.codepoint,
                "Go one choice on along the time line.",
                alt(Key::Period),
            ),
            Act::Fork => (
                "play.fork",
                "Fork",
                icons::ICON_CALL_SPLIT.codepoint,
                "Begin another line here; this one is kept.",
                alt(Key::F),
            ),
            Act::Pause => (
                "play.pause",
                "Bots wait or go on",
                icons::ICON_PAUSE.codepoint,
                "Let bots wait, or go on.",
                alt(Key::P),
            ),
            Act::Skip => (
                "play.skip",
                "Skip to your choice",
                icons::ICON_FAST_FORWARD.codepoint,
                "Let bots answer at once until you are asked, or the game ends.",
                alt(Key::N),
            ),
            Act::NextView => (
                "play.next_view",
                "View as the next seat",
                icons::ICON_VISIBILITY.codepoint,
                "Show what the next seat sees, and nothing else.",
                alt(Key::V),
            ),
            Act::WhyNot => (
                "play.why_not",
                "Why not?",
                icons::ICON_HELP.codepoint,
                "Tell which rules forbid what is at the cursor.",
                alt(Key::W),
            ),
            Act::MakeTest => (
                "play.make_test",
                "Make a test of this",
                icons::ICON_SCIENCE.codepoint,
                "Write the current line, up to here, into the rules as a test.",
                alt(Key::T),
            ),
            Act::TypeChoice => {
                ("play.type", "Type a choice", "", "Type a choice, or a part of it.", key(Key::Slash))
            }
            Act::Save => (
                "play.save",
                "Save the match …",
                icons::ICON_SAVE.codepoint,
                "Save the match to a file that the command line can read, too.",
                ctrl(Key::M),
            ),
            Act::Load => (
                "play.load",
                "Go on with a saved match …",
                icons::ICON_FOLDER_OPEN.codepoint,
                "Go on with a saved match, also one that the command line wrote.",
                None,
            ),
            Act::NewRules => (
                "play.new_rules",
                "Go on with the new rules",
                icons::ICON_ARROW_FORWARD.codepoint,
                "Go on with the match as the changed rules play it, from where they part; the match as it was is kept.",
                alt(Key::G),
            ),
            Act::OldRules => (
                "play.old_rules",
                "Stay with the old rules",
                "",
                "Go on with the match as it was, under the rules that it was started with, until the texts change again.",
                None,
            ),
        };
        Info { id, name, icon, about, shortcut }
    }
}

/// What Play is asked to do beside its commands that have a name.
#[derive(Clone, PartialEq, Debug)]
pub enum Request {
    /// Take a row of the list.
    Pick(usize),
    /// Take something on the board.
    Click(Spot),
    /// The cursor has come there.
    Cursor(Spot),
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
}
