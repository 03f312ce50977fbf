//! The named commands of the whole window.
use super::info::{Info, alt, ctrl, ctrl_shift, key, shift};
use egui::Key;
use egui_material_icons::icons;

/// Commands of the window as a whole.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Act {
    /// Take back the last step, wherever it was made.
    Undo,
    /// Do again what was taken back last.
    Redo,
    /// Find any command by its name.
    Palette,
    /// Open a file by its name.
    GoToFile,
    /// Write the open file to the disk.
    Save,
    /// Write every changed file to the disk.
    SaveAll,
    /// Save changes automatically when nothing was typed for two seconds; on or off.
    Autosave,
    /// Open a folder with rules and scenarios.
    OpenFolder,
    /// Make a new game, which begins as a small game that can be played.
    NewGame,
    /// Make a new scenario, empty or as a copy of another.
    NewScenario,
    /// Give the open file another name or folder.
    MoveFile,
    /// Remove the open file; Undo brings it back.
    RemoveFile,
    /// Close the window; if something is not saved, you are asked.
    Close,
    /// Show the start page with all games of the folder.
    ShowStart,
    /// Bring the text to the front; again: give it the whole window, or take it back.
    ShowWrite,
    /// Bring the map to the front; again: give it the whole window, or take it back.
    ShowDraw,
    /// Bring the game to the front; again: give it the whole window, or take it back.
    ShowPlay,
    /// Bring the figures of many games to the front; again: give them the whole window, or take it back.
    ShowMeasure,
    /// Bring the cards to the front; again: give them the whole window, or take it back.
    ShowCards,
    /// Move the keyboard to the next of Write, Draw, Play, Measure and Cards.
    NextPane,
    /// List games and their files on the left.
    ShowFiles,
    /// Search, and replace, in all files.
    ShowSearch,
    /// List every step, to go back to any of them.
    ShowHistory,
    /// List what is wrong with the game, or hide the list.
    ShowFindings,
    /// Go to the next place where something is wrong.
    NextFinding,
    /// Go to the place before where something is wrong.
    PreviousFinding,
    /// Go back to where you were before.
    Back,
    /// Go again to where you went back from.
    Forward,
    /// Change between light and dark.
    Theme,
    /// Motion on or off.
    Motion,
    /// Make everything larger.
    ZoomIn,
    /// Make everything smaller.
    ZoomOut,
    /// Show everything in its usual size.
    ZoomReset,
    /// Read and change the keys of all commands.
    Shortcuts,
    /// Open the book of the language at the list of all words.
    Book,
    /// Begin the tour.
    Tour,
    /// Leave the present step of the tour out.
    SkipStep,
    /// End the tour.
    EndTour,
}

impl Act {
    /// All of them, as the palette lists them.
    pub const ALL: &[Act] = &[
        Act::Undo,
        Act::Redo,
        Act::Palette,
        Act::GoToFile,
        Act::Save,
        Act::SaveAll,
        Act::Autosave,
        Act::OpenFolder,
        Act::NewGame,
        Act::NewScenario,
        Act::MoveFile,
        Act::RemoveFile,
        Act::Close,
        Act::ShowStart,
        Act::ShowWrite,
        Act::ShowDraw,
        Act::ShowPlay,
        Act::ShowMeasure,
        Act::ShowCards,
        Act::NextPane,
        Act::ShowFiles,
        Act::ShowSearch,
        Act::ShowHistory,
        Act::ShowFindings,
        Act::NextFinding,
        Act::PreviousFinding,
        Act::Back,
        Act::Forward,
        Act::Theme,
        Act::Motion,
        Act::ZoomIn,
        Act::ZoomOut,
        Act::ZoomReset,
        Act::Shortcuts,
        Act::Book,
        Act::Tour,
        Act::SkipStep,
        Act::EndTour,
    ];

    /// What is known of it.
    pub const fn info(self) -> Info {
        let (id, name, icon, about, shortcut) = match self {
            Act::Undo => (
                "edit.undo",
                "Undo",
                icons::ICON_UNDO.codepoint,
                "Take back the last step, wherever it was made.",
                ctrl(Key::Z),
            ),
            Act::Redo => (
                "edit.redo",
                "Redo",
                icons::ICON_REDO.codepoint,
                "Do again what was taken back last.",
                ctrl_shift(Key::Z),
            ),
            Act::Palette => (
                "view.palette",
                "All commands",
                icons::ICON_SEARCH.codepoint,
                "Find any command by its name.",
                ctrl_shift(Key::P),
            ),
            Act::GoToFile => ("file.go_to", "Go to file", "", "Open a file by its name.", ctrl(Key::P)),
            Act::Save => ("file.save", "Save", "", "Write the open file to the disk.", ctrl(Key::S)),
            Act::SaveAll => (
                "file.save_all",
                "Save all",
                icons::ICON_SAVE.codepoint,
                "Write every changed file to the disk.",
                ctrl_shift(Key::S),
            ),
            Act::Autosave => (
                "file.autosave",
                "Save by itself",
                "",
                "Save changes automatically when nothing was typed for two seconds; on or off.",
                None,
            ),
            Act::OpenFolder => (
                "file.open_folder",
                "Open folder …",
                "",
                "Open a folder with rules and scenarios.",
                ctrl(Key::O),
            ),
            Act::NewGame => (
                "file.new_game",
                "New game …",
                "",
                "Make a new game, which begins as a small game that can be played.",
                ctrl_shift(Key::N),
            ),
            Act::NewScenario => (
                "file.new_scenario",
                "New scenario …",
                "",
                "Make a new scenario, empty or as a copy of another.",
                ctrl(Key::N),
            ),
            Act::MoveFile => (
                "file.move",
                "Rename or move file …",
                "",
                "Give the open file another name or folder; what refers to it is changed, too.",
                None,
            ),
            Act::RemoveFile => {
                ("file.remove", "Remove file", "", "Remove the open file; Undo brings it back.", None)
            }
            Act::Close => (
                "file.close",
                "Close window",
                "",
                "Close the window; if something is not saved, you are asked.",
                ctrl(Key::Q),
            ),
            Act::ShowStart => {
                ("view.start", "Start page", "", "Show the start page with all games of the folder.", None)
            }
            Act::ShowWrite => (
                "view.write",
                "Show Write",
                icons::ICON_NOTES.codepoint,
                "Bring the text to the front.",
                alt(Key::Num1),
            ),
            Act::ShowDraw => (
                "view.draw",
                "Show Draw",
                icons::ICON_GRID_ON.codepoint,
                "Bring the map to the front.",
                alt(Key::Num2),
            ),
            Act::ShowPlay => (
                "view.play",
                "Show Play",
                icons::ICON_PLAY_ARROW.codepoint,
                "Bring the game to the front.",
                alt(Key::Num3),
            ),
            Act::ShowMeasure => (
                "view.measure",
                "Show Measure",
                icons::ICON_BAR_CHART.codepoint,
                "Bring the figures of many games to the front.",
                alt(Key::Num4),
            ),
            Act::ShowCards => (
                "view.cards",
                "Show Cards",
                icons::ICON_STYLE.codepoint,
                "Bring the cards to the front.",
                alt(Key::Num5),
            ),
            Act::NextPane => (
                "view.next_pane",
                "Next pane",
                "",
                "Move the keyboard to the next of Write, Draw, Play, Measure and Cards.",
                key(Key::F6),
            ),
            Act::ShowFiles => (
                "view.files",
                "Show files",
                "",
                "List games and their files on the left.",
                ctrl_shift(Key::E),
            ),
            Act::ShowSearch => (
                "view.search",
                "Find in all files",
                "",
                "Search, and replace, in all files.",
                ctrl_shift(Key::F),
            ),
            Act::ShowHistory => (
                "view.history",
                "Show history",
                "",
                "List every step, to go back to any of them.",
                ctrl_shift(Key::H),
            ),
            Act::ShowFindings => (
                "view.findings",
                "Show findings",
                "",
                "List what is wrong with the game, or hide the list.",
                ctrl_shift(Key::M),
            ),
            Act::NextFinding => (
                "go.next_finding",
                "Next finding",
                "",
                "Go to the next place where something is wrong.",
                key(Key::F8),
            ),
            Act::PreviousFinding => (
                "go.previous_finding",
                "Previous finding",
                "",
                "Go to the place before where something is wrong.",
                shift(Key::F8),
            ),
            Act::Back => (
                "go.back",
                "Back",
                icons::ICON_ARROW_BACK.codepoint,
                "Go back to where you were before.",
                alt(Key::ArrowLeft),
            ),
            Act::Forward => (
                "go.forward",
                "Forward",
                icons::ICON_ARROW_FORWARD.codepoint,
                "Go again to where you went back from.",
                alt(Key::ArrowRight),
            ),
            Act::Theme => (
                "view.theme",
                "Light or dark",
                icons::ICON_CONTRAST.codepoint,
                "Change between light and dark.",
                None,
            ),
            Act::Motion => (
                "view.motion",
                "Motion on or off",
                "",
                "Let pieces slide, dice tumble and cards turn in Play, or show each change at once. At first it is as the system wants it.",
                None,
            ),
            Act::ZoomIn => ("view.zoom_in", "Larger", "", "Make everything larger.", ctrl(Key::Plus)),
            Act::ZoomOut => ("view.zoom_out", "Smaller", "", "Make everything smaller.", ctrl(Key::Minus)),
            Act::ZoomReset => {
                ("view.zoom_reset", "Usual size", "", "Show everything in its usual size.", ctrl(Key::Num0))
            }
            Act::Shortcuts => (
                "view.shortcuts",
                "Shortcuts …",
                "",
                "Read and change the keys of all commands.",
                ctrl(Key::Comma),
            ),
            Act::Book => (
                "help.book",
                "All words of the language",
                "",
                "Open the book of the language at the list of all words.",
                key(Key::F1),
            ),
            Act::Tour => (
                "help.tour",
                "Learn in three minutes",
                "",
                "A tour of map, text, play and figures, with a small scenario.",
                None,
            ),
            Act::SkipStep => ("help.skip_step", "Skip step", "", "Go on to the next step of the tour.", None),
            Act::EndTour => ("help.end_tour", "End tour", "", "End the tour; what you did stays.", None),
        };
        Info { id, name, icon, about, shortcut }
    }
}
