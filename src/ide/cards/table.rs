//! Writes the cards of a kind as comma-separated values: one line a card, with name, title, copies and what its kind declares.
use super::{CardKey, list_card_fields, list_card_kinds, list_cards};
use crate::analysis::Analysis;

/// A table of cards, ready to be saved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrittenTable {
    /// As comma-separated values.
    pub text: String,
    /// How many cards it has.
    pub cards: usize,
    /// Cards that a table cannot name: families, and rows of lists without a name.
    pub left_out: Vec<String>,
}

/// Writes the cards of a kind, but not those of the kinds below it. None: there is no such kind, or the values cannot be written.
pub fn write_table(analysis: &Analysis, kind: &str) -> Option<WrittenTable> {
    let model = &*analysis.model;
    list_card_kinds(model)
        .into_iter()
        .find(|k| model.kinds.get(k.index()).is_some_and(|k| *k.name == *kind))?;
    let set = list_cards(analysis);
    let group = set.groups.iter().find(|g| *g.kind == *kind)?;
    let mut csv = csv::WriterBuilder::new().from_writer(Vec::new());
    let mut left_out: Vec<String> = Vec::new();
    let (mut cards, mut headed) = (0, false);
    for card in &group.cards {
        if card.id.key.is_some() || !is_named(analysis, card) {
            let name = card.id.name.to_string();
            if !left_out.contains(&name) {
                left_out.push(name);
            }
            continue;
        }
        let fields = list_card_fields(analysis, &card.id);
        if !headed {
            let head = fields.iter().map(|f| match &f.key {
                CardKey::Title => "title",
                CardKey::Copies => "copies",
                CardKey::Value(name) => name,
            });
            csv.write_record(std::iter::once("name").chain(head)).ok()?;
            headed = true;
        }
        let values = fields.iter().map(|f| f.text.as_str());
        csv.write_record(std::iter::once(&*card.id.name).chain(values)).ok()?;
        cards += 1;
    }
    let text = String::from_utf8(csv.into_inner().ok()?).ok()?;
    Some(WrittenTable { text, cards, left_out })
}

/// Whether a card's name stands in the text.
fn is_named(analysis: &Analysis, card: &super::Card) -> bool {
    analysis.slice(card.name_span) == &*card.id.name
}
