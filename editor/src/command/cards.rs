//! The named commands of the Cards pane.
use super::info::{Info, alt, ctrl, key};
use egui::Key;
use egui_material_icons::icons;

/// Cards' commands that have a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Act {
    /// Write into the filter.
    Filter,
    /// Make a new card like the chosen one.
    New,
    /// Put a copy of the chosen card behind it.
    Duplicate,
    /// Delete the chosen card, unless something uses it.
    Delete,
    /// Open the card before the open one.
    Previous,
    /// Open the card behind the open one.
    Next,
    /// Go back to all cards.
    Back,
    /// Try the open card in a situation, many times.
    TryIt,
    /// Import cards from a CSV file.
    Import,
    /// Export the cards of a kind as a CSV file.
    Export,
}

impl Act {
    /// All of them.
    pub const ALL: &[Act] = &[
        Act::Filter,
        Act::New,
        Act::Duplicate,
        Act::Delete,
        Act::Previous,
        Act::Next,
        Act::Back,
        Act::TryIt,
        Act::Import,
        Act::Export,
    ];

    /// What is known of it.
    pub const fn info(self) -> Info {
        let (id, name, icon, about, shortcut) = match self {
            Act::Filter => (
                "cards.filter",
                "Filter the cards",
                "",
                "Find cards by name, title, kind and values.",
                ctrl(Key::F),
            ),
            Act::New => (
                "cards.new",
                "New card …",
                icons::ICON_ADD.codepoint,
                "Make a new card with the text of the chosen one, under a title of its own.",
                key(Key::Insert),
            ),
            Act::Duplicate => (
                "cards.duplicate",
                "Duplicate card",
                "",
                "Put a copy of the chosen card behind it, and open it.",
                ctrl(Key::D),
            ),
            Act::Delete => (
                "cards.delete",
                "Delete card",
                "",
                "Delete the chosen card. If something uses it, the places are listed instead.",
                key(Key::Delete),
            ),
            Act::Previous => (
                "cards.previous",
                "Previous card",
                icons::ICON_CHEVRON_LEFT.codepoint,
                "Open the card before this one.",
                key(Key::PageUp),
            ),
            Act::Next => (
                "cards.next",
                "Next card",
                icons::ICON_CHEVRON_RIGHT.codepoint,
                "Open the card behind this one.",
                key(Key::PageDown),
            ),
            Act::Back => (
                "cards.back",
                "All cards",
                icons::ICON_GRID_VIEW.codepoint,
                "Go back to all cards.",
                key(Key::Escape),
            ),
            Act::TryIt => (
                "cards.try",
                "Try it",
                icons::ICON_SCIENCE.codepoint,
                "Play a choice with this card many times from one situation, and list what comes of it.",
                alt(Key::T),
            ),
            Act::Import => (
                "cards.import",
                "Import cards …",
                "",
                "Read cards from a CSV file, and show what it would change.",
                None,
            ),
            Act::Export => {
                ("cards.export", "Export cards …", "", "Write all cards of a kind as a CSV file.", None)
            }
        };
        Info { id, name, icon, about, shortcut }
    }
}
