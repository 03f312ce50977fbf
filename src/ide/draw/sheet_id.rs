//! Names of sheets, and the declarations that they stand for.
use crate::analysis::Analysis;
use houserule_syntax::ast::{Item, ItemKind, Text};
use std::sync::Arc;

/// Which sheet.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SheetId {
    /// The game's own maps.
    Game,
    /// A scenario by its name.
    Scenario(Arc<str>),
    /// A scenario by its name, built on that one of the several on which it may be built.
    Built(Arc<str>, Arc<str>),
    /// A variant by its name, and over what it lies: a scenario, if one is played, then other variants that are on.
    Variant(Arc<str>, Vec<Arc<str>>),
    /// A mod by its title, and over what it lies, in the same words.
    Mod(Arc<str>, Vec<Arc<str>>),
}

impl SheetId {
    /// The scenario's name; no other sheet has one.
    pub fn scenario(&self) -> Option<&Arc<str>> {
        match self {
            SheetId::Scenario(name) | SheetId::Built(name, _) => Some(name),
            SheetId::Game | SheetId::Variant(..) | SheetId::Mod(..) => None,
        }
    }

    /// Whether both are of one declaration, whatever each lies over.
    pub fn is_of(&self, other: &SheetId) -> bool {
        match (self, other) {
            (SheetId::Game, SheetId::Game) => true,
            (SheetId::Variant(a, _), SheetId::Variant(b, _)) | (SheetId::Mod(a, _), SheetId::Mod(b, _)) => {
                a == b
            }
            _ => self.scenario().is_some() && self.scenario() == other.scenario(),
        }
    }

    /// The id of this declaration over a scenario, or over the game alone.
    pub(super) fn with_base(&self, scenario: Option<&Arc<str>>) -> SheetId {
        let under = scenario.into_iter().cloned().collect();
        match self {
            SheetId::Variant(name, _) => SheetId::Variant(name.clone(), under),
            SheetId::Mod(title, _) => SheetId::Mod(title.clone(), under),
            other => other.clone(),
        }
    }
}

/// The sheet of a variant or mod.
pub(super) fn id_of_item(item: &Item) -> Option<SheetId> {
    match &item.kind {
        ItemKind::Variant(v) => Some(SheetId::Variant(v.name.text.as_str().into(), Vec::new())),
        ItemKind::Mod(m) => Some(SheetId::Mod(title_or(&m.title, ""), Vec::new())),
        _ => None,
    }
}

/// A title for people; else what stands for it.
pub(super) fn title_or(title: &Text, name: &str) -> Arc<str> {
    title.literal().unwrap_or_else(|| name.to_string()).into()
}

/// The declarations inside a declaration that holds some.
pub(crate) fn inner_items(item: &Item) -> &[Item] {
    match &item.kind {
        ItemKind::Scenario(s) => &s.items,
        ItemKind::Part(p) => &p.items,
        ItemKind::Variant(v) => &v.items,
        ItemKind::Mod(m) => &m.items,
        _ => &[],
    }
}

/// A variant or mod, with what it stands in.
#[derive(Clone, Copy)]
pub(super) struct Found<'a> {
    pub item: &'a Item,
    pub outer: Option<&'a Item>,
}

impl<'a> Found<'a> {
    /// The declaration of a sheet that is a variant or a mod.
    pub fn find_declaration(analysis: &'a Analysis, id: &SheetId) -> Option<Found<'a>> {
        let is = |i: &&Item| id_of_item(i).is_some_and(|own| own.is_of(id));
        let top = || analysis.asts.iter().flat_map(|f| &f.items);
        let found = top().find(is).map(|item| Found { item, outer: None });
        found.or_else(|| {
            top().find_map(|outer| {
                let item = inner_items(outer).iter().find(is)?;
                Some(Found { item, outer: Some(outer) })
            })
        })
    }
}
