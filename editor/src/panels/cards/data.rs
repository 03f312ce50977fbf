//! What the Cards pane shows, as plain data: all cards of a game, those that a filter finds, and the words by which each is told.
use crate::canvas::Signs;
use crate::document::Revision;
use houserule::ide::Analysis;
use houserule::ide::cards::{Card, CardGroup, CardId, CardSet, list_cards};
use std::sync::Arc;

/// What Cards shows.
#[derive(Clone, Debug)]
pub struct Data {
    /// The texts' revision of which its places are.
    pub revision: Revision,
    /// What it was made of.
    pub analysis: Arc<Analysis>,
    /// All cards.
    pub set: CardSet,
    /// What is drawn in the place of words.
    pub signs: Signs,
}

/// Cards that a filter finds, in groups.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Found {
    /// For each group with some, its number, and the numbers of its cards.
    pub groups: Vec<(usize, Vec<usize>)>,
}

impl Found {
    /// How many cards were found.
    pub fn count(&self) -> usize {
        self.groups.iter().map(|(_, cards)| cards.len()).sum()
    }
}

impl Data {
    /// The cards of an analysis.
    pub fn from_analysis(analysis: &Arc<Analysis>, revision: Revision) -> Data {
        let set = list_cards(analysis);
        Data { revision, analysis: analysis.clone(), signs: Signs::from_looks(&set.signs), set }
    }

    /// The cards that a filter finds, of one kind or of all.
    pub fn find(&self, filter: &str, kind: Option<&str>) -> Found {
        let groups = self.set.groups.iter().enumerate().filter(|(_, g)| kind.is_none_or(|k| *g.kind == *k));
        let found = groups.filter_map(|(n, g)| {
            let cards = g.cards.iter().enumerate().filter(|(_, c)| c.is_found(&g.title, filter));
            let cards: Vec<usize> = cards.map(|(n, _)| n).collect();
            (!cards.is_empty()).then_some((n, cards))
        });
        Found { groups: found.collect() }
    }

    /// A card by the numbers of its group and of itself.
    pub fn card(&self, group: usize, card: usize) -> Option<&Card> {
        self.set.groups.get(group)?.cards.get(card)
    }

    /// The cards that were found, one behind the other.
    pub fn list<'a>(&'a self, found: &'a Found) -> impl Iterator<Item = &'a Card> {
        let of = move |(group, cards): &'a (usize, Vec<usize>)| {
            cards.iter().filter_map(move |n| self.card(*group, *n))
        };
        found.groups.iter().flat_map(of)
    }

    /// The card before or behind another one, of those that were found.
    pub fn neighbour(&self, found: &Found, of: &CardId, next: bool) -> Option<CardId> {
        let all: Vec<&CardId> = self.list(found).map(|c| &c.id).collect();
        let at = all.iter().position(|id| *id == of)?;
        let to = if next { at + 1 } else { at.checked_sub(1)? };
        all.get(to).map(|id| (*id).clone())
    }
}

/// How many, with the word for one or several.
pub fn count_text(n: usize, one: &str, many: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {many}") }
}

/// How many cards a group has, and how many components show them, if that is known.
pub fn describe_group(group: &CardGroup, shown: usize) -> String {
    let all = group.cards.len();
    let faces = match shown == all {
        true => count_text(all, "card", "cards"),
        false => format!("{shown} of {}", count_text(all, "card", "cards")),
    };
    let copies = group.cards.iter().map(|c| c.copies.parse::<usize>().ok()).collect::<Option<Vec<_>>>();
    match copies.map(|c| c.iter().sum::<usize>()).filter(|n| *n != all) {
        Some(n) => format!("{faces}, {n} in all"),
        None => faces,
    }
}

/// Whether a value is worth a line on a face that has no look.
fn is_worth_saying(value: &str) -> bool {
    let last = value.rsplit(' ').next().unwrap_or("");
    !matches!(last, "none" | "no" | "0" | "" | "[]")
}

/// What stands on the face of a card: what its look says, else what its declaration says in sentences, else its values.
pub fn face_lines(card: &Card) -> Vec<String> {
    let face = &card.face;
    let told = !(face.text.is_empty() && face.corner.is_empty() && face.badge.is_empty());
    if !face.text.is_empty() {
        return face.text.clone();
    }
    if !card.sentences.is_empty() {
        return card.sentences.clone();
    }
    if told {
        return Vec::new();
    }
    let own = card.values.iter().filter(|v| is_worth_saying(v));
    // An attribute that is yes is said by its name.
    own.map(|v| v.strip_suffix(" yes").unwrap_or(v).replace('_', " ")).collect()
}

/// The name on a face.
pub fn name_of(card: &Card) -> &str {
    card.face.title.as_deref().filter(|t| !t.is_empty()).unwrap_or(&card.title)
}

/// A card in words: its name, how many there are, and what stands on it.
pub fn describe_card(card: &Card) -> String {
    let mut out = card.title.clone();
    let copies = card.copies_text();
    if !copies.is_empty() {
        out.push_str(&format!(", {copies}"));
    }
    let lines: Vec<String> = card.face.corner.iter().chain(&card.face.badge).cloned().collect();
    for line in lines.iter().chain(&face_lines(card)) {
        out.push_str(&format!(", {}", line.trim_end_matches('.')));
    }
    if let Some(within) = &card.within {
        out.push_str(&format!(", in the {within}"));
    }
    out
}
