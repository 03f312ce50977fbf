//! Evaluates the `look` of components for the faces of cards, part by part, without a game.
use super::look::{
    DEEPEST, LookValue, Looks, SpaceContents, front_rows, list_line, list_modified, no_locals,
};
use crate::analysis::Analysis;
use houserule_model::hir::*;
use houserule_model::{LookParts, LookSign};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The members of enums that are drawn as signs in texts.
pub fn list_signs(analysis: &Analysis) -> Vec<LookSign> {
    let model = &*analysis.model;
    let mut out = Vec::new();
    for (k, kind) in model.kinds.iter().enumerate() {
        if kind.sort != KindSort::Enum || kind.look.is_empty() {
            continue;
        }
        let mut looks = Looks::from_kind(analysis, KindId(k as u32));
        for member in &kind.members {
            let Some(m) = model.members.get(member.index()) else { continue };
            let rows = looks.draw_face(*member, None);
            let look = LookParts::from_rows(rows.iter().map(|(slot, text)| (&**slot, text.as_str())));
            out.push(LookSign {
                word: m.name.to_string(),
                title: looks.title_of(*member, None).unwrap_or_default(),
                look: look.with_image(&model.images),
            });
        }
    }
    out
}

impl<'a> Looks<'a> {
    /// How the components of a kind look: the look of the kind, else that of the nearest kind above it that has one.
    pub fn from_kind(analysis: &'a Analysis, kind: KindId) -> Looks<'a> {
        let model = &*analysis.model;
        let line = list_line(model, kind).into_iter().filter_map(|k| model.kinds.get(k.index()));
        let rows = line.map(front_rows).find(|rows| !rows.is_empty()).unwrap_or_default();
        Looks { model, map: None, key: None, rows, modified: list_modified(model) }
    }

    /// How the backs of the components of a kind look: the `back` rows of the kind, else those of the nearest kind above it that has some.
    pub fn from_back(analysis: &'a Analysis, kind: KindId) -> Looks<'a> {
        let model = &*analysis.model;
        let line = list_line(model, kind).into_iter().filter_map(|k| model.kinds.get(k.index()));
        let backs = |kind: &'a Kind| kind.look.iter().filter(|r| r.back).collect::<Vec<_>>();
        let rows = line.map(backs).find(|rows| !rows.is_empty()).unwrap_or_default();
        Looks { model, map: None, key: None, rows, modified: list_modified(model) }
    }

    /// What the look draws of a component of a kind that has no name. A part whose value is not known without a game is left out.
    pub fn draw_kind(&mut self, kind: KindId) -> Vec<(Arc<str>, String)> {
        self.key = None;
        self.draw_rows(&LookValue::Thing(kind, None))
    }

    /// What the look draws of a face, part by part; of a family the face with that number. A part whose value is not known without a game is left out.
    pub fn draw_face(&mut self, member: MemberId, key: Option<i32>) -> Vec<(Arc<str>, String)> {
        self.key = key;
        let Some(kind) = self.model.members.get(member.index()).map(|m| m.kind) else { return Vec::new() };
        let is_word = self.model.kinds.get(kind.index()).is_some_and(|k| k.sort == KindSort::Enum);
        let thing = if is_word { LookValue::Word(member) } else { LookValue::Thing(kind, Some(member)) };
        self.draw_rows(&thing)
    }

    fn draw_rows(&self, thing: &LookValue) -> Vec<(Arc<str>, String)> {
        let draw = |row: &&LookRow| {
            let text = match self.evaluate_for(&row.expr, thing)? {
                LookValue::Nothing => String::new(),
                value => self.to_words(&value)?,
            };
            Some((row.slot.clone(), text))
        };
        self.rows.iter().filter_map(draw).collect()
    }

    /// The title of a face; of a family the title of the face with that number.
    pub fn title_of(&mut self, member: MemberId, key: Option<i32>) -> Option<String> {
        self.key = key;
        self.member_title(member)
    }

    /// The value of a constant of a face, as a text shows it.
    pub fn constant_of(&mut self, body: &Body<Expr>, key: Option<i32>) -> Option<String> {
        self.key = key;
        let mut locals = self.key_locals(body.locals.len());
        let value = self.evaluate(&body.body, &SpaceContents::default(), &mut locals, DEEPEST)?;
        self.to_words(&value)
    }

    pub(super) fn member_title(&self, member: MemberId) -> Option<String> {
        let member = self.model.members.get(member.index())?;
        let mut locals = if member.family.is_some() { self.key_locals(1) } else { BTreeMap::new() };
        let mut out = String::new();
        for part in &member.title.parts {
            match part {
                TextPart::Literal(t) => out.push_str(t),
                TextPart::Hole(e) => {
                    let value = self.evaluate(e, &SpaceContents::default(), &mut locals, DEEPEST)?;
                    out.push_str(&self.to_words(&value)?);
                }
            }
        }
        let holes = member.title.parts.iter().any(|p| matches!(p, TextPart::Hole(_)));
        Some(match self.key.filter(|_| member.family.is_some() && !holes) {
            Some(key) => format!("{out} {key}"),
            None => out,
        })
    }

    /// So many locals, of which the first is the number of the face that is drawn.
    pub(super) fn key_locals(&self, many: usize) -> BTreeMap<LocalId, Option<LookValue>> {
        let mut locals = no_locals(many);
        if let Some(key) = self.key {
            locals.insert(LocalId(0), Some(LookValue::Int(i64::from(key))));
        }
        locals
    }
}
