//! How components look where a card's front does not say it: their backs, and the kinds whose components have no names.
use super::{CardId, list_card_kinds, list_keys};
use crate::analysis::Analysis;
use crate::draw::{LookValue, Looks, list_line};
use houserule_model::LookParts;
use houserule_model::hir::{Attr, AttrId, AttrSide, KindId, Model};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A kind with components that have no names, such as `token Coin x40`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlainKind {
    /// Its name in the rules.
    pub kind: Arc<str>,
    /// For people.
    pub title: String,
    /// How the rules draw one.
    pub face: LookParts,
}

/// The back of a face.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Back {
    /// How the rules draw it.
    pub look: LookParts,
    /// The attributes that stand on it, as `name value`; empty where the look says what stands there.
    pub marks: Vec<String>,
}

/// The backs of all faces on which something stands, or for which the rules draw one.
pub fn list_backs(analysis: &Analysis) -> BTreeMap<CardId, Back> {
    let model = &*analysis.model;
    let mut out = BTreeMap::new();
    for k in list_card_kinds(model) {
        let Some(kind) = model.kinds.get(k.index()) else { continue };
        let mut looks = Looks::from_back(analysis, k);
        let printed = list_printed(model, k);
        for m in &kind.members {
            let Some(member) = model.members.get(m.index()) else { continue };
            for key in list_keys(member) {
                let rows = looks.draw_face(*m, key);
                let look = LookParts::from_rows(rows.iter().map(|(slot, text)| (&**slot, text.as_str())));
                let thing = LookValue::Thing(k, Some(*m));
                let mark = |(a, attr): &(AttrId, &Attr)| {
                    let name = attr.name.replace('_', " ");
                    Some(match looks.attr_of(&thing, *a)? {
                        LookValue::Bool(true) => name,
                        LookValue::Bool(false) | LookValue::Nothing => return None,
                        LookValue::Int(n) => format!("{name} {n}"),
                        value => looks.to_words(&value)?,
                    })
                };
                let marks: Vec<String> =
                    if look.told { Vec::new() } else { printed.iter().filter_map(mark).collect() };
                if !rows.is_empty() || !marks.is_empty() {
                    let id = CardId { kind: kind.name.clone(), name: member.name.clone(), key };
                    out.insert(id, Back { look: look.with_image(&model.images), marks });
                }
            }
        }
    }
    out
}

/// The attributes of a kind that are printed on backs: those that nothing changes.
fn list_printed(model: &Model, kind: KindId) -> Vec<(AttrId, &Attr)> {
    let kinds = list_line(model, kind).into_iter().rev().filter_map(|k| model.kinds.get(k.index()));
    let all = kinds.flat_map(|k| &k.attrs).filter_map(|a| Some((*a, model.attrs.get(a.index())?)));
    all.filter(|(_, a)| a.side == AttrSide::Back && !a.assigned && !a.is_part).collect()
}

/// The kinds whose components have no names.
pub fn list_plain_kinds(analysis: &Analysis) -> Vec<PlainKind> {
    let model = &*analysis.model;
    let kinds = list_card_kinds(model).into_iter().filter_map(|k| Some((k, model.kinds.get(k.index())?)));
    let plain = kinds.filter(|(_, kind)| kind.copies.is_some());
    let made = plain.map(|(k, kind)| {
        let rows = Looks::from_kind(analysis, k).draw_kind(k);
        let face = LookParts::from_rows(rows.iter().map(|(slot, text)| (&**slot, text.as_str())));
        PlainKind {
            kind: kind.name.clone(),
            title: kind.title.to_string(),
            face: face.with_image(&model.images),
        }
    });
    made.collect()
}
