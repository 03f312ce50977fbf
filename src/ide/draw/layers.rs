//! Finds the declarations that are in force for a sheet, in order: the game, what the sheet is built on, the sheet itself, and mods.
use super::lattice::declared_size;
use super::sheet_id::{Found, SheetId, id_of_item, inner_items};
use crate::analysis::Analysis;
use houserule_model::hir::{Model, ScopeId};
use houserule_syntax::ast::{File, Item, ItemKind, Layout, MapDecl, Shape};
use houserule_text::Span;
use std::sync::Arc;

/// One of those on which a sheet is built.
#[derive(Clone, Copy)]
pub(crate) struct Layer<'a> {
    /// The declaration; none: the game, whose items stand in all files.
    pub item: Option<&'a Item>,
    files: &'a [Arc<File>],
}

impl<'a> Layer<'a> {
    /// Its items, in the order of the texts.
    pub fn items(self) -> Vec<&'a Item> {
        match self.item {
            None => self.files.iter().flat_map(|f| &f.items).collect(),
            Some(item) => inner_items(item).iter().collect(),
        }
    }

    /// Its maps.
    pub fn maps(self) -> Vec<(&'a Item, &'a MapDecl)> {
        let map = |i: &'a Item| if let ItemKind::Map(m) = &i.kind { Some((i, m)) } else { None };
        self.items().into_iter().filter_map(map).collect()
    }
}

/// What is in force for a sheet: the game first, then what the sheet lies over, the sheet itself, and mods, which lie over everything.
pub(crate) struct Layers<'a> {
    /// Which sheet.
    pub id: SheetId,
    /// The game first.
    pub all: Vec<Layer<'a>>,
    /// Which of them is the sheet itself.
    own: usize,
    /// Over what a variant or mod may lie.
    pub(super) bases: Vec<Option<Arc<str>>>,
}

/// A map that a sheet may draw.
#[derive(Clone)]
pub(crate) struct DrawnMap<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its declaration.
    pub decl: &'a Item,
    /// Its shape.
    pub shape: &'a Shape,
    /// The last picture of it, with its declaration and the number of its layer.
    pub picture: Option<(usize, &'a Item, &'a MapDecl)>,
}

/// How many scenarios may be built one on the other.
const DEEPEST: usize = 16;

impl<'a> Layers<'a> {
    /// What is in force for a sheet; of several that it may lie over, what the sheet names, else the first.
    pub fn from_sheet(analysis: &'a Analysis, id: &SheetId) -> Option<Layers<'a>> {
        let files = analysis.asts.as_slice();
        let layer = |item: &'a Item| Layer { item: Some(item), files };
        let mut all = vec![Layer { item: None, files }];
        let (mut own, mut bases) = (0, Vec::new());
        match id {
            SheetId::Game => {}
            SheetId::Scenario(name) | SheetId::Built(name, _) => {
                let chosen = if let SheetId::Built(_, on) = id { Some(&**on) } else { None };
                all.extend(scenario_line(files, name, chosen).into_iter().map(layer));
                // There may be no such scenario.
                own = all.len().checked_sub(1).filter(|n| *n > 0)?;
            }
            SheetId::Variant(_, under) | SheetId::Mod(_, under) => {
                let found = Found::find_declaration(analysis, id)?;
                bases = bases_of(files, found);
                let named = under.iter().map(|n| Some(n.clone())).find(|n| bases.contains(n));
                // Whoever names something else than scenarios names none.
                let none = || bases.iter().find(|b| b.is_none()).cloned();
                let scenario = named.or_else(none).or_else(|| bases.first().cloned()).flatten();
                if let Some(name) = &scenario {
                    all.extend(scenario_line(files, name, None).into_iter().map(layer));
                }
                for name in under {
                    let other =
                        Found::find_declaration(analysis, &SheetId::Variant(name.clone(), Vec::new()));
                    all.extend(other.map(|o| o.item).filter(|o| !std::ptr::eq(*o, found.item)).map(layer));
                }
                if matches!(id, SheetId::Variant(..)) {
                    own = all.len();
                    all.push(layer(found.item));
                }
            }
        }
        for item in files.iter().flat_map(|f| &f.items).filter(|i| matches!(i.kind, ItemKind::Mod(_))) {
            if id_of_item(item).is_some_and(|own| own.is_of(id)) {
                own = all.len();
            }
            all.push(layer(item));
        }
        Some(Layers { id: id.clone(), all, own, bases })
    }

    /// The sheet itself.
    pub fn own_layer(&self) -> Option<Layer<'a>> {
        self.all.get(self.own).copied()
    }

    /// Whether the layer of that number is the sheet itself.
    pub fn is_own(&self, layer: usize) -> bool {
        layer == self.own
    }

    /// Whether the layer of that number holds over the sheet itself: a mod's does.
    pub fn is_over(&self, layer: usize) -> bool {
        layer > self.own
    }

    /// The scopes that are in force.
    pub fn scopes(&self, model: &Model) -> Vec<ScopeId> {
        let declared = |l: &Layer<'_>| match l.item.map(|i| &i.kind) {
            None => Some(ScopeId(0)),
            Some(ItemKind::Scenario(s)) => find_scope(model, s.name.span),
            Some(ItemKind::Part(p)) => find_scope(model, p.name.span),
            Some(ItemKind::Variant(v)) => find_scope(model, v.name.span),
            Some(ItemKind::Mod(m)) => find_scope(model, m.title.span),
            Some(_) => None,
        };
        self.all.iter().filter_map(declared).collect()
    }

    /// The scenario that is played: of a line of them the last.
    pub(super) fn scenario(&self) -> Option<&'a str> {
        self.all.iter().rev().find_map(|l| match l.item.map(|i| &i.kind) {
            Some(ItemKind::Scenario(s)) => Some(s.name.text.as_str()),
            _ => None,
        })
    }

    /// The variants that are on.
    pub(super) fn variants(&self) -> Vec<Arc<str>> {
        let variant = |l: &Layer<'_>| match l.item.map(|i| &i.kind) {
            Some(ItemKind::Variant(v)) => Some(Arc::from(v.name.text.as_str())),
            _ => None,
        };
        self.all.iter().filter_map(variant).collect()
    }

    /// The maps of squares and hexes that are declared, with the picture of each that holds for the sheet.
    pub fn maps(&self) -> Vec<DrawnMap<'a>> {
        let mut maps: Vec<DrawnMap<'a>> = Vec::new();
        for layer in &self.all {
            for (decl, m) in layer.maps() {
                let Some(shape) = &m.shape else { continue };
                let known = maps.iter().any(|k| k.name == m.name.text);
                if !known && is_drawn(shape) {
                    maps.push(DrawnMap { name: &m.name.text, decl, shape, picture: None });
                }
            }
        }
        for map in &mut maps {
            for (n, layer) in self.all.iter().enumerate() {
                let mut drawn =
                    layer.maps().into_iter().filter(|(_, m)| m.name.text == map.name && m.picture.is_some());
                // Of two in one place the first one holds, and the second is an error.
                if let Some((item, m)) = drawn.next() {
                    map.picture = Some((n, item, m));
                }
            }
        }
        maps
    }
}

/// The scope that is declared at a place.
fn find_scope(model: &Model, span: Span) -> Option<ScopeId> {
    model.scopes.iter().position(|s| s.span == span).map(|n| ScopeId(n as u32))
}

/// Whether maps of a shape are drawn: those of squares and of hexes are, unless they grow.
fn is_drawn(shape: &Shape) -> bool {
    !shape.grows && matches!(shape.layout, Layout::Squares | Layout::Hexes)
}

/// The name of a scenario or part.
fn name_of(item: &Item) -> Option<&str> {
    match &item.kind {
        ItemKind::Scenario(s) => Some(&s.name.text),
        ItemKind::Part(p) => Some(&p.name.text),
        _ => None,
    }
}

/// A scenario behind all on which it is built; of several that it names the chosen one, else the first. Empty: there is none of that name.
fn scenario_line<'a>(files: &'a [Arc<File>], name: &str, chosen: Option<&str>) -> Vec<&'a Item> {
    let find = |name: &str, parts: bool| {
        let is = |i: &&Item| (parts || matches!(i.kind, ItemKind::Scenario(_))) && name_of(i) == Some(name);
        files.iter().flat_map(|f| &f.items).find(is)
    };
    let mut all: Vec<&'a Item> = Vec::new();
    let mut chosen = chosen;
    let mut next = find(name, false);
    while let Some(item) = next.filter(|_| all.len() < DEEPEST) {
        // Built on itself: the checker says so.
        if all.iter().any(|i| std::ptr::eq(*i, item)) {
            break;
        }
        all.push(item);
        next = match &item.kind {
            ItemKind::Scenario(s) => {
                let named = chosen.take().and_then(|on| s.with.iter().find(|n| n.text == on));
                named.or(s.with.first()).and_then(|n| find(&n.text, true))
            }
            _ => None,
        };
    }
    all.reverse();
    all
}

/// Over what a variant or mod may lie: over the game alone, unless only scenarios draw its maps; over each scenario, but what stands in one only over that and those built on it.
fn bases_of(files: &[Arc<File>], found: Found<'_>) -> Vec<Option<Arc<str>>> {
    let top = || files.iter().flat_map(|f| &f.items);
    let outer = found.outer.filter(|o| matches!(o.kind, ItemKind::Scenario(_)));
    let names = top().filter(|i| matches!(i.kind, ItemKind::Scenario(_))).filter_map(name_of);
    let fits = |name: &&str| {
        outer.is_none_or(|o| scenario_line(files, name, None).iter().any(|i| std::ptr::eq(*i, o)))
    };
    let mut scenarios: Vec<Option<Arc<str>>> = names.filter(fits).map(|n| Some(n.into())).collect();
    // What it stands in comes first.
    let first = outer.and_then(name_of);
    scenarios.sort_by_key(|n| n.as_deref() != first);
    let own = |i: &&Item| std::ptr::eq(*i, found.item) || found.outer.is_some_and(|o| std::ptr::eq(*i, o));
    let drawn = |name: &str| {
        let held =
            top().filter(own).flat_map(inner_items).chain([found.item].into_iter().flat_map(inner_items));
        top().chain(held).any(|i| {
            matches!(&i.kind, ItemKind::Map(m) if m.name.text == name
                && (m.picture.is_some() || m.shape.as_ref().is_some_and(|s| declared_size(s).is_some())))
        })
    };
    let alone = outer.is_none()
        && top().all(|i| match &i.kind {
            ItemKind::Map(m) => !m.shape.as_ref().is_some_and(is_drawn) || drawn(&m.name.text),
            _ => true,
        });
    if alone || scenarios.is_empty() {
        scenarios.insert(0, None);
    }
    scenarios
}
