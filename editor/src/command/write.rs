//! The named commands of the Write pane.
use super::info::{Info, alt, ctrl, ctrl_shift, key};
use egui::{Key, KeyboardShortcut, Modifiers};
use houserule::ide::Insert;

/// Write's commands that have a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Act {
    /// Opens the find bar.
    Find,
    /// Opens it with a field for what comes instead.
    Replace,
    /// To the next place found.
    FindNext,
    /// To the one before.
    FindPrevious,
    /// To a line by its number.
    GoToLine,
    /// To a declaration by its name.
    GoToName,
    /// Lists what could be written.
    Complete,
    /// Opens the book at the section that explains a word of the language.
    Explain,
    /// To where a word is declared.
    Definition,
    /// Lists where it is used.
    References,
    /// Gives it another name.
    Rename,
    /// Lays the text out.
    Format,
    /// What a finding offers.
    Fix,
    /// Closes or opens a fold.
    Fold,
    /// Closes or opens all.
    FoldAll,
    /// Makes comments of lines.
    Comment,
    /// Closes the file's tab.
    CloseTab,
    /// The next tab.
    NextTab,
    /// Inserts a declaration to begin from.
    Insert(Insert),
}

impl Act {
    /// All of them.
    pub const ALL: &[Act] = &[
        Act::Find,
        Act::Replace,
        Act::FindNext,
        Act::FindPrevious,
        Act::GoToLine,
        Act::GoToName,
        Act::Complete,
        Act::Explain,
        Act::Definition,
        Act::References,
        Act::Rename,
        Act::Format,
        Act::Fix,
        Act::Fold,
        Act::FoldAll,
        Act::Comment,
        Act::CloseTab,
        Act::NextTab,
        Act::Insert(Insert::Card),
        Act::Insert(Insert::Action),
        Act::Insert(Insert::Test),
        Act::Insert(Insert::Look),
        Act::Insert(Insert::Scenario),
    ];

    /// What is known of it.
    pub const fn info(self) -> Info {
        const SHIFT_F3: Option<KeyboardShortcut> = Some(KeyboardShortcut::new(Modifiers::SHIFT, Key::F3));
        const SHIFT_F12: Option<KeyboardShortcut> = Some(KeyboardShortcut::new(Modifiers::SHIFT, Key::F12));
        let (id, name, icon, about, shortcut) = match self {
            Act::Find => ("write.find", "Find", "", "Find a text in this file.", ctrl(Key::F)),
            Act::Replace => {
                ("write.replace", "Replace", "", "Find a text in this file and replace it.", ctrl(Key::H))
            }
            Act::FindNext => {
                ("write.find_next", "Find next", "", "Go to the next place that is found.", key(Key::F3))
            }
            Act::FindPrevious => (
                "write.find_previous",
                "Find previous",
                "",
                "Go to the place before that is found.",
                SHIFT_F3,
            ),
            Act::GoToLine => ("write.line", "Go to line", "", "Go to a line by its number.", ctrl(Key::G)),
            Act::GoToName => (
                "write.name",
                "Go to name",
                "",
                "Go to any declaration of the game by its name.",
                ctrl_shift(Key::O),
            ),
            Act::Complete => {
                ("write.complete", "Complete", "", "List what could be written here.", ctrl(Key::Space))
            }
            Act::Explain => (
                "write.explain",
                "Explain word",
                "",
                "Open the book at the section that explains the word at the caret.",
                key(Key::F1),
            ),
            Act::Definition => (
                "write.definition",
                "Go to declaration",
                "",
                "Go to where the word at the caret is declared.",
                key(Key::F12),
            ),
            Act::References => (
                "write.references",
                "Find all uses",
                "",
                "List where the word at the caret is used.",
                SHIFT_F12,
            ),
            Act::Rename => (
                "write.rename",
                "Rename",
                "",
                "Rename what the word at the caret means, in all files of the game.",
                key(Key::F2),
            ),
            Act::Format => {
                ("write.format", "Lay out", "", "Lay the text out in the common way.", ctrl_shift(Key::I))
            }
            Act::Fix => {
                ("write.fix", "Mend", "", "List the fixes for the finding at the caret.", ctrl(Key::Period))
            }
            Act::Fold => {
                ("write.fold", "Fold", "", "Close or open the fold at the caret.", ctrl(Key::OpenBracket))
            }
            Act::FoldAll => (
                "write.fold_all",
                "Fold all",
                "",
                "Close all folds, or open all.",
                ctrl_shift(Key::OpenBracket),
            ),
            Act::Comment => (
                "write.comment",
                "Comment",
                "",
                "Turn the lines into comments, or comments into lines.",
                ctrl(Key::Slash),
            ),
            Act::CloseTab => {
                ("write.close", "Close file", "", "Close the tab of the open file.", ctrl(Key::W))
            }
            Act::Insert(Insert::Card) => (
                "write.insert_card",
                "Insert card",
                "",
                "Write a new card behind the declaration at the caret.",
                None,
            ),
            Act::Insert(Insert::Action) => (
                "write.insert_action",
                "Insert action",
                "",
                "Write a new action behind the declaration at the caret.",
                None,
            ),
            Act::Insert(Insert::Test) => (
                "write.insert_test",
                "Insert test",
                "",
                "Write a new test behind the declaration at the caret.",
                None,
            ),
            Act::Insert(Insert::Look) => (
                "write.insert_look",
                "Insert look",
                "",
                "Write how a kind is drawn behind the declaration at the caret.",
                None,
            ),
            Act::Insert(Insert::Scenario) => (
                "write.insert_scenario",
                "Insert scenario",
                "",
                "Write a new scenario behind the declaration at the caret.",
                None,
            ),
            Act::NextTab => {
                ("write.next_tab", "Next file", "", "Show the next open file.", alt(Key::PageDown))
            }
        };
        Info { id, name, icon, about, shortcut }
    }
}
