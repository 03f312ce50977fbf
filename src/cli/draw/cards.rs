//! What is told of a card in the terminal: its name, and what stands on it.
use super::Style;
use super::maps::foreground_style;
use houserule_engine::{Card, Pile};
use houserule_model::parse_color;
use std::collections::BTreeSet;

/// Of a pile of the table with more different cards than this it is not told what stands on them; nor of one of which some are hidden.
pub const READ: usize = 3;
/// Without colours, where only it counts whether there is a text.
const PLAIN: Style = Style { color: false, unicode: true, width: usize::MAX, players: [None; 8] };
/// What a card is called whose face is hidden.
pub const UNKNOWN: &str = "?";

/// How much is told of what stands on cards.
#[derive(Clone, Copy, PartialEq)]
pub enum Told {
    /// All of it.
    Whole,
    /// Not the texts of large or half-hidden piles.
    Short,
    /// No texts; a sign stands for them.
    Folded,
}

/// How many different faces lie open in a pile.
pub fn count_faces(pile: &Pile) -> usize {
    let faces: BTreeSet<Option<u32>> = pile.cards.iter().map(|c| c.face_number).collect();
    faces.len()
}

/// Whether all cards of a pile are hidden, and nothing on their backs is told.
pub fn is_hidden_pile(pile: &Pile) -> bool {
    let is_told = |c: &Card| card_text(c, Told::Whole, PLAIN).is_some();
    !pile.cards.is_empty() && pile.hidden == pile.cards.len() && !pile.cards.iter().any(is_told)
}

/// Whether some text of a pile's cards is shown, and could be left out.
pub fn shows_text(pile: &Pile, told: Told) -> bool {
    let whole = told == Told::Whole || pile.hidden == 0 && count_faces(pile) <= READ;
    let has = |card: &Card| card.look.iter().any(|d| &*d.slot == "text" && !d.text.is_empty());
    whole && pile.cards.iter().any(has)
}

/// A text in the colour that the rules fill the card with.
pub fn tint_text(card: &Card, text: String, style: Style) -> String {
    let fill = card.look.iter().find(|d| &*d.slot == "fill").filter(|_| card.side.is_some());
    match fill.and_then(|d| parse_color(&d.text)) {
        Some(rgb) => style.paint_text(&foreground_style(rgb), &text),
        None => text,
    }
}

/// The name of a card and what stands on it; none for a hidden card without a mark on its back.
pub fn card_text(card: &Card, told: Told, style: Style) -> Option<String> {
    let title = card.look.iter().find(|d| &*d.slot == "title" && !d.text.is_empty()).map(|d| d.text.as_str());
    let mut text = match (&card.face, card.side) {
        (Some(face), Some(side)) => match (title, &card.shows) {
            (None, Some(shows)) => shows.title.to_string(),
            (title, _) => format!("{} {side}", title.unwrap_or(&face.title)),
        },
        (Some(face), None) => title.unwrap_or(&face.title).to_string(),
        (None, Some(side)) => format!("{} {side}", card.kind),
        (None, None) => String::from(UNKNOWN),
    };
    let bare = text.len();
    if card.up == Some(false) && is_known(card) {
        text.push_str(" (face down)");
    }
    let said = |slot: &'static str| card.look.iter().filter(move |d| &*d.slot == slot);
    let slots = ["corner", "badge", "text"];
    if slots.iter().any(|s| said(s).next().is_some()) {
        // The rules say what stands on the card.
        let wanted = slots.iter().filter(|s| told == Told::Whole || **s != "text");
        let mut texts: Vec<&str> =
            wanted.flat_map(|s| said(s)).map(|d| d.text.as_str()).filter(|t| !t.is_empty()).collect();
        if told == Told::Folded && said("text").any(|d| !d.text.is_empty()) {
            texts.push(if style.unicode { "…" } else { "..." });
        }
        if !texts.is_empty() {
            text.push_str(&format!(" [{}]", texts.join(", ")));
        }
        return (is_known(card) || text.len() > bare).then_some(text);
    }
    let attrs: Vec<String> = card
        .attrs
        .iter()
        .filter(|a| !matches!(a.word.as_str(), "no" | "none" | "0"))
        .map(|a| if a.word == "yes" { a.name.to_string() } else { format!("{} {}", a.name, a.text) })
        .collect();
    if !attrs.is_empty() {
        text.push_str(&format!(" [{}]", attrs.join(", ")));
    }
    (is_known(card) || text.len() > bare).then_some(text)
}

fn is_known(card: &Card) -> bool {
    card.face.is_some() || card.side.is_some()
}
