//! Reads the members of component kinds as cards: the face that the rules' `look` draws, a form of what each says of itself, its copies and where it stands. `plan` writes them.
//!
//! ```text
//! Analysis ─ list_cards ─▶ CardSet ─ open_card ─▶ OpenCard { fields, uses }
//!                             └── write_table ─▶ CSV ─ read_table ─▶ CardTable ─▶ plan (Intent::ImportCards)
//! ```
//!
//! A [`CardSet`] is plain data, made from the texts of one moment, like a drawing.
mod csv_text;
mod fields;
mod printed;
mod source;
mod table;
#[cfg(test)]
mod tests;

pub use csv_text::{CardTable, MOST_BYTES, TableFault, TableRow, read_table};
pub use fields::{CardField, CardKey, list_card_fields};
pub use printed::{Back, PlainKind, list_backs, list_plain_kinds};
pub use table::{WrittenTable, write_table};

pub(crate) use fields::{KindField, Place, find_written, list_kind_fields};
pub(crate) use source::{Declared, Form, Texts};

use super::analysis::Analysis;
use super::draw::{Finding, Looks, list_signs};
use super::references::{Reference, find_references_of};
use houserule_model::hir::{
    AttrId, Expr, ExprKind, Kind, KindId, KindSort, Member, MemberId, Model, ScopeKind,
};
use houserule_model::sentences::describe_member;
use houserule_model::{Def, LookParts, LookSign};
use houserule_text::{Severity, Span};
use std::sync::Arc;

/// How many faces of one family are listed: a family may have a thousand.
const MOST_OF_FAMILY: i32 = 200;

/// Which card.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CardId {
    /// Its kind, by its name in the rules.
    pub kind: Arc<str>,
    /// The member's name.
    pub name: Arc<str>,
    /// Which face of a family.
    pub key: Option<i32>,
}

impl std::fmt::Display for CardId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.key {
            Some(key) => write!(f, "{}({key})", self.name),
            None => f.write_str(&self.name),
        }
    }
}

/// A face of a component.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Card {
    /// Which.
    pub id: CardId,
    /// For people.
    pub title: String,
    /// How many components show it: a number, or the expression as written.
    pub copies: String,
    /// How the rules draw it.
    pub face: LookParts,
    /// What its declaration says, in sentences.
    pub sentences: Vec<String>,
    /// What `##` lines above it say.
    pub doc: Option<String>,
    /// Values as written or inherited, as `name value`, for the filter.
    pub values: Vec<String>,
    /// In which mod, variant, part or scenario it is declared; none: in the game.
    pub within: Option<String>,
    /// Its name where it is declared.
    pub name_span: Span,
    /// Its declaration: the member, or its row in a list.
    pub span: Span,
}

impl Card {
    /// Whether a filter finds it: each of its words occurs in the name, the title, the kind or a value.
    pub fn is_found(&self, kind_title: &str, filter: &str) -> bool {
        let mut text = format!("{}\n{}\n{}\n{kind_title}\n", self.id, self.title, self.id.kind);
        self.values.iter().for_each(|v| {
            text.push_str(v);
            text.push('\n');
        });
        let text = text.to_lowercase();
        filter.split_whitespace().all(|word| text.contains(&word.to_lowercase()))
    }

    /// The copies as they stand on a card: `x3`; empty for one.
    pub fn copies_text(&self) -> String {
        match self.copies.as_str() {
            "1" => String::new(),
            n if n.bytes().all(|b| b.is_ascii_digit()) => format!("x{n}"),
            other => format!("x({other})"),
        }
    }
}

/// The cards of one kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CardGroup {
    /// The kind's name in the rules.
    pub kind: Arc<str>,
    /// For people.
    pub title: String,
    /// Its cards, in the order of the texts.
    pub cards: Vec<Card>,
}

/// All cards of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CardSet {
    /// By kind, in the order of the texts. A kind without members is left out.
    pub groups: Vec<CardGroup>,
    /// The words that are drawn as signs in texts.
    pub signs: Vec<LookSign>,
}

impl CardSet {
    /// A card with its group.
    pub fn find(&self, id: &CardId) -> Option<(&CardGroup, &Card)> {
        let group = self.groups.iter().find(|g| g.kind == id.kind)?;
        Some((group, group.cards.iter().find(|c| c.id == *id)?))
    }

    /// How many cards there are, each once.
    pub fn count(&self) -> usize {
        self.groups.iter().map(|g| g.cards.len()).sum()
    }
}

/// A card with all that is shown when it is opened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpenCard {
    /// Title, copies, attributes and values.
    pub fields: Vec<CardField>,
    /// Its text, from the beginning of its first line.
    pub source: String,
    /// Where that begins.
    pub source_span: Span,
    /// Where its name is used.
    pub uses: Vec<Reference>,
    /// What the checker says of its text.
    pub findings: Vec<Finding>,
}

/// Whether a kind has cards.
pub(crate) fn is_card_kind(model: &Model, kind: KindId) -> bool {
    model.kinds.get(kind.index()).is_some_and(|k| matches!(k.sort, KindSort::Component(_)) && !k.joined)
}

/// The kinds of components, in the order of the texts.
pub(crate) fn list_card_kinds(model: &Model) -> Vec<KindId> {
    (0..model.kinds.len() as u32).map(KindId).filter(|k| is_card_kind(model, *k)).collect()
}

/// A member by the card that it is.
pub(crate) fn find_member<'a>(model: &'a Model, id: &CardId) -> Option<(MemberId, &'a Member)> {
    let is = |m: &Member| {
        let kind = model.kinds.get(m.kind.index());
        m.name == id.name && kind.is_some_and(|k| k.name == id.kind) && is_card_kind(model, m.kind)
    };
    let n = model.members.iter().position(is)?;
    Some((MemberId(n as u32), model.members.get(n)?))
}

/// All cards of a game, by kind.
pub fn list_cards(analysis: &Analysis) -> CardSet {
    let model = &*analysis.model;
    let texts = Texts::from_analysis(analysis);
    let mut groups = Vec::new();
    for k in list_card_kinds(model) {
        let Some(kind) = model.kinds.get(k.index()) else { continue };
        let mut looks = Looks::from_kind(analysis, k);
        let form = list_kind_fields(analysis, k);
        let mut cards = Vec::new();
        for m in &kind.members {
            let Some(member) = model.members.get(m.index()) else { continue };
            let Some(declared) = texts.find(member) else { continue };
            let mut values = fields::list_values(&texts, &form, &declared);
            values.extend(list_sides(model, member, kind).map(|sides| format!("sides {sides}")));
            for key in list_keys(member) {
                let id = CardId { kind: kind.name.clone(), name: member.name.clone(), key };
                let title = looks.title_of(*m, key).unwrap_or_else(|| id.to_string());
                cards.push(Card {
                    title,
                    copies: copies_of(analysis, &mut looks, member, key),
                    face: LookParts::from_rows(
                        looks.draw_face(*m, key).iter().map(|(slot, text)| (&**slot, text.as_str())),
                    )
                    .with_image(&model.images),
                    doc: declared.doc().or_else(|| member.doc.as_ref().map(|d| d.to_string())),
                    sentences: describe_member(model, *m, key),
                    values: values.clone(),
                    within: scope_title(model, member),
                    name_span: member.span,
                    span: declared.span(),
                    id,
                });
            }
        }
        if !cards.is_empty() {
            groups.push(CardGroup { kind: kind.name.clone(), title: kind.title.to_string(), cards });
        }
    }
    CardSet { groups, signs: list_signs(analysis) }
}

/// A card as it is shown when it is opened. None: there is no such card.
pub fn open_card(analysis: &Analysis, id: &CardId) -> Option<OpenCard> {
    let (m, member) = find_member(&analysis.model, id)?;
    let texts = Texts::from_analysis(analysis);
    let declared = texts.find(member)?;
    let span = declared.span();
    let inside = |s: Span| s.file == span.file && span.start <= s.start && s.start < span.end;
    let found = analysis.report.findings.iter().filter(|d| inside(d.at.span));
    let text = analysis.files.get(span.file).map_or("", |f| &f.text);
    let start = text.get(..span.start as usize).and_then(|t| t.rfind('\n')).map_or(0, |n| n + 1);
    let lead = text.get(start..span.start as usize).unwrap_or("");
    // What stands before it in its line is another declaration's.
    let start = if lead.trim().is_empty() { start } else { span.start as usize };
    let source_span = Span::new(span.file, start, span.end as usize);
    Some(OpenCard {
        fields: list_card_fields(analysis, id),
        source: analysis.slice(source_span).trim_end().to_string(),
        source_span,
        uses: find_references_of(analysis, Def::Member(m)).into_iter().filter(|r| !r.declares).collect(),
        findings: found
            .map(|d| Finding {
                error: d.severity == Severity::Error,
                message: d.message.clone(),
                help: d.help.clone(),
                span: d.at.span,
                spots: Vec::new(),
            })
            .collect(),
    })
}

/// The keys of a family; of any other member one face without a key.
fn list_keys(member: &Member) -> Vec<Option<i32>> {
    match member.family {
        Some((_, first, last)) => {
            (first..=last.min(first.saturating_add(MOST_OF_FAMILY - 1))).map(Some).collect()
        }
        None => vec![None],
    }
}

/// How many components show a face, as far as it is known without a set-up; else the expression.
fn copies_of(analysis: &Analysis, looks: &mut Looks<'_>, member: &Member, key: Option<i32>) -> String {
    let Some(body) = &member.copies else { return String::from("1") };
    match &*body.body.kind {
        ExprKind::Int(n) => n.to_string(),
        _ => match looks.constant_of(body, key) {
            Some(n) => n,
            None => {
                let text = analysis.slice(body.body.span).trim();
                let inner = text.strip_prefix('(').and_then(|t| t.strip_suffix(')'));
                inner.unwrap_or(text).to_string()
            }
        },
    }
}

/// The sides of a die, in the words in which rules write them.
fn list_sides(model: &Model, member: &Member, kind: &Kind) -> Option<String> {
    let sides = if member.sides.is_empty() { &kind.sides } else { &member.sides };
    let word = |e: &Expr, a: &AttrId| match &*e.kind {
        ExprKind::Member(m) => model.members.get(m.index()).map(|m| m.name.to_string()),
        ExprKind::Bool(true) => model.attrs.get(a.index()).map(|a| a.name.to_string()),
        ExprKind::Int(n) => Some(n.to_string()),
        _ => None,
    };
    let told = sides.iter().map(|side| {
        let number = (side.numbered || side.marks.is_empty()).then(|| side.value.to_string());
        let marks = side.marks.iter().filter_map(|(a, e)| word(e, a));
        number.into_iter().chain(marks).collect::<Vec<_>>().join(" ")
    });
    let told: Vec<String> = told.collect();
    (!told.is_empty()).then(|| told.join(", "))
}

/// In which mod, variant, part or scenario a member is declared.
fn scope_title(model: &Model, member: &Member) -> Option<String> {
    let scope = model.scopes.get(member.scope.index())?;
    let sort = match scope.kind {
        ScopeKind::Game => return None,
        ScopeKind::Variant => "variant",
        ScopeKind::Scenario => "scenario",
        ScopeKind::Part => "part",
        ScopeKind::Mod => "mod",
    };
    Some(format!("{sort} {}", scope.name))
}
