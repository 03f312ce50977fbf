//! Reads legends: the meaning of each sign, and the palette made of them.
use super::Origin;
use super::layers::Layers;
use super::look::{Looks, to_plain_text};
use crate::analysis::Analysis;
use houserule_model::hir::{KindSort, Model};
use houserule_syntax::TokenKind;
use houserule_syntax::ast::{self, ExprKind, Item, ItemKind};
use houserule_text::Span;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What sort of thing a mark puts on a space.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MarkSort {
    /// A component out of the box.
    Thing,
    /// The first of a zone of the table.
    Drawn,
    /// A player: whose the component beside it is, whose the space is, or who starts there.
    Player,
    /// A word for an attribute of the space, such as its ground.
    Word,
    /// A number or `attribute: value`.
    Value,
}

/// What a sign puts on its space.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Meaning {
    /// Its marks in the words of the legend, with commas; empty, if it puts nothing there.
    pub says: String,
    /// The same mark by mark.
    pub marks: Vec<(Arc<str>, MarkSort)>,
    /// Under which condition.
    pub when: Option<String>,
}

/// A sign that can be painted.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The sign.
    pub sign: Arc<str>,
    /// What it puts there.
    pub meaning: Meaning,
    /// Titles of what it puts there, where they say more than the words.
    pub title: Option<String>,
    /// What a remark behind its row says.
    pub doc: Option<String>,
    /// What the rules fill such a space with: red, green, blue.
    pub colour: Option<[u8; 3]>,
    /// Where the legend says it: own, inherited, or nowhere.
    pub origin: Origin,
    /// Whether it is put together of letters that have rows.
    pub letters: bool,
    /// Whether it makes a space.
    pub space: bool,
    /// How many places of the board have it.
    pub used: usize,
}

/// A row of a legend, for one of its signs.
#[derive(Clone, Copy)]
pub(crate) struct LegendRow<'a> {
    /// The sign.
    pub sign: &'a ast::Name,
    /// The whole row.
    pub row: &'a ast::LegendRow,
    /// Whether it stands in the sheet itself.
    pub own: bool,
}

/// All rows in force for a map, in the order in which they hold: the last one for a sign.
pub(crate) struct Legends<'a> {
    analysis: &'a Analysis,
    /// The rows.
    pub rows: Vec<LegendRow<'a>>,
    /// The legends of the sheet itself, with their items.
    pub own: Vec<(&'a Item, &'a ast::Legend)>,
    /// How many columns of letters are known: signs by name.
    last: BTreeMap<&'a str, usize>,
    /// Whether each sign is a slot for a patch, which needs no row.
    pub slots: bool,
}

/// Whether a legend is of a map: it names it, or there is only one.
pub(crate) fn is_of_map(l: &ast::Legend, map: &str, alone: bool) -> bool {
    l.map.as_ref().map_or(alone, |n| n.text == map)
}

impl<'a> Legends<'a> {
    /// The legends of a map that are in force for a sheet.
    pub fn from_layers(analysis: &'a Analysis, layers: &Layers<'a>, map: &str) -> Legends<'a> {
        let alone = layers.maps().len() == 1;
        let mut rows = Vec::new();
        let mut own = Vec::new();
        for (n, layer) in layers.all.iter().enumerate() {
            let is_own = layers.is_own(n);
            for item in layer.items() {
                let ItemKind::Legend(l) = &item.kind else { continue };
                if !is_of_map(l, map, alone) {
                    continue;
                }
                if is_own {
                    own.push((item, l));
                }
                for row in l.rows.iter().filter(|r| !r.bad) {
                    rows.extend(row.signs.iter().map(|sign| LegendRow { sign, row, own: is_own }));
                }
            }
        }
        let last = rows.iter().enumerate().map(|(n, r)| (r.sign.text.as_str(), n)).collect();
        let slots = analysis.model.maps.iter().any(|m| *m.name == *map && m.slots.is_some());
        Legends { analysis, rows, own, last, slots }
    }

    /// The row that holds for a sign as a whole.
    pub fn row_of(&self, sign: &str) -> Option<LegendRow<'a>> {
        self.last.get(sign).and_then(|n| self.rows.get(*n)).copied()
    }

    /// The rows that explain a sign: its own, or those of its letters. Empty: none does.
    pub fn explaining_rows(&self, sign: &str) -> Vec<LegendRow<'a>> {
        if let Some(r) = self.row_of(sign) {
            return vec![r];
        }
        let letters: Option<Vec<LegendRow<'a>>> =
            sign.chars().map(|c| self.row_of(c.encode_utf8(&mut [0; 4]))).collect();
        letters.filter(|l| l.len() > 1).unwrap_or_default()
    }

    /// What a sign says; none, if nothing explains it.
    pub fn meaning_of(&self, sign: &str) -> Option<Meaning> {
        let rows = self.explaining_rows(sign);
        if rows.is_empty() && (sign == "." || !self.slots) {
            return None;
        }
        let mut marks = Vec::new();
        let mut when = Vec::new();
        for r in rows {
            marks.extend(
                r.row
                    .marks
                    .iter()
                    .map(|m| (self.analysis.slice(m.span).trim().into(), mark_sort(&self.analysis.model, m))),
            );
            when.extend(r.row.when.iter().map(|w| self.analysis.slice(w.span).trim().to_string()));
        }
        let words: Vec<&str> = marks.iter().map(|(m, _): &(Arc<str>, _)| &**m).collect();
        let says = words.join(", ");
        Some(Meaning { says, marks, when: (!when.is_empty()).then(|| when.join(" and ")) })
    }

    /// What a place says by its row's name and its sign.
    pub fn meaning_of_cell(&self, row: Option<&str>, sign: &str) -> Option<Meaning> {
        let mut own = self.meaning_of(sign)?;
        let Some(row) = row.and_then(|r| self.meaning_of(r)) else { return Some(own) };
        own.says =
            [row.says, own.says].iter().filter(|s| !s.is_empty()).cloned().collect::<Vec<_>>().join(", ");
        own.marks.splice(0..0, row.marks);
        Some(own)
    }

    /// Where the signs stand by whose rows a sign is explained, and whether the row holds always.
    pub fn mark_spans(&self, sign: &str) -> Vec<(Span, bool)> {
        self.explaining_rows(sign).iter().map(|r| (r.sign.span, r.row.when.is_none())).collect()
    }

    /// The palette of a board whose cells have these signs.
    pub(super) fn make_palette<'s>(
        &'s self,
        drawn: impl Iterator<Item = &'s str>,
        looks: &Looks<'_>,
    ) -> Vec<Entry> {
        let mut used: BTreeMap<&str, usize> = BTreeMap::new();
        for sign in drawn {
            *used.entry(sign).or_default() += 1;
        }
        let mut signs: Vec<&str> = vec!["."];
        let legend = self.rows.iter().map(|r| r.sign.text.as_str());
        for sign in legend.chain(used.keys().copied()) {
            if !signs.contains(&sign) {
                signs.push(sign);
            }
        }
        let entry = |sign: &str| {
            let row = self.row_of(sign);
            let meaning = self.meaning_of(sign);
            let space = sign != "." || row.is_some();
            Entry {
                sign: sign.into(),
                title: self.sign_title(sign),
                doc: row.and_then(|r| remark_behind(self.analysis, r.row.span)),
                colour: if space { looks.find_fill(&self.mark_spans(sign)) } else { None },
                origin: match row {
                    Some(r) if r.own => Origin::Literal(r.row.span),
                    Some(r) => Origin::FromOther(r.row.span),
                    None => Origin::Default(None),
                },
                letters: row.is_none() && meaning.is_some(),
                meaning: meaning.unwrap_or(Meaning { says: String::new(), marks: Vec::new(), when: None }),
                space,
                used: used.get(sign).copied().unwrap_or(0),
            }
        };
        signs.into_iter().map(entry).collect()
    }

    /// Titles of what a sign puts there, if any of it has one that differs from its word.
    fn sign_title(&self, sign: &str) -> Option<String> {
        let model = &self.analysis.model;
        let mut told = false;
        let names: Vec<String> = self
            .explaining_rows(sign)
            .iter()
            .flat_map(|r| &r.row.marks)
            .map(|m| {
                let word = self.analysis.slice(m.span).trim();
                match mark_title(model, m) {
                    Some(t) if t != word => {
                        told = true;
                        t
                    }
                    _ => word.to_string(),
                }
            })
            .collect();
        told.then(|| names.join(", "))
    }
}

/// The name that a mark is, if it is one.
fn mark_word(m: &ast::Mark) -> Option<&str> {
    match &*m.value.kind {
        ExprKind::Name(n) | ExprKind::Kind(n) if m.attr.is_none() => Some(&n.text),
        _ => None,
    }
}

/// The title of what a mark puts there.
fn mark_title(model: &Model, m: &ast::Mark) -> Option<String> {
    let word = mark_word(m)?;
    if let Some(member) = model.members.iter().find(|x| &*x.name == word) {
        return to_plain_text(&member.title).filter(|t| !t.is_empty());
    }
    model.kinds.iter().find(|k| &*k.name == word).map(|k| k.title.to_string())
}

/// What sort of thing a mark puts on a space.
fn mark_sort(model: &Model, m: &ast::Mark) -> MarkSort {
    let of_kind = |k: houserule_model::hir::KindId| match model.kinds.get(k.index()).map(|k| &k.sort) {
        Some(KindSort::Component(_)) => MarkSort::Thing,
        Some(KindSort::Player) => MarkSort::Player,
        _ => MarkSort::Word,
    };
    let Some(word) = mark_word(m) else { return MarkSort::Value };
    if let Some(member) = model.members.iter().find(|x| &*x.name == word) {
        return of_kind(member.kind);
    }
    if model.zones.iter().any(|z| z.of.is_none() && &*z.name == word) {
        return MarkSort::Drawn;
    }
    let kind = model.kinds.iter().position(|k| &*k.name == word);
    kind.map_or(MarkSort::Word, |k| of_kind(houserule_model::hir::KindId(k as u32)))
}

/// The remark behind what ends a line: `# who has not moved yet`.
pub(super) fn remark_behind(analysis: &Analysis, span: Span) -> Option<String> {
    let tokens = analysis.trees.get(span.file.0 as usize)?.tokens();
    let first = tokens.partition_point(|t| t.start < span.end);
    for t in tokens.iter().skip(first) {
        match t.kind {
            TokenKind::Blank | TokenKind::Semicolon => {}
            TokenKind::Comment => {
                let text = analysis.slice(Span { file: span.file, start: t.start, end: t.end });
                return Some(text.trim_start_matches('#').trim().to_string()).filter(|t| !t.is_empty());
            }
            _ => return None,
        }
    }
    None
}
