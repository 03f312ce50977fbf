//! Lists the sheets of a game (scenarios, variants and mods that can be drawn) and describes each.
use super::layers::{Layer, Layers};
use super::patches::has_patches;
use super::sheet_id::{Found, SheetId, id_of_item, inner_items, title_or};
use crate::analysis::Analysis;
use crate::edit::{Edit, EditSet};
use houserule_syntax::ast::{Item, ItemKind};
use houserule_text::Span;
use std::ops::Range;
use std::sync::Arc;

/// A scenario, a variant, a mod, or the game itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sheet {
    /// Which.
    pub id: SheetId,
    /// For people.
    pub title: String,
    /// The game's name in the rules.
    pub game: String,
    /// The file in which it stands.
    pub file: Arc<str>,
    /// What `##` lines above it say.
    pub doc: Option<String>,
    /// Its declaration, without the doc.
    pub span: Span,
    /// Maps that it draws itself.
    pub draws: Vec<Arc<str>>,
    /// Over what it may lie, if there is a choice, and the sheet that it is then: one of them at a time is in force.
    pub choices: Vec<(Arc<str>, SheetId)>,
    /// Which of them is in force.
    chosen: usize,
    /// The scenario that is played with it, if one is.
    pub scenario: Option<Arc<str>>,
    /// The variants that are on with it.
    pub variants: Vec<Arc<str>>,
}

impl Sheet {
    /// Which of its possible bases is in force here.
    pub fn built_on(&self) -> Option<&Arc<str>> {
        self.choices.get(self.chosen).map(|(name, _)| name)
    }
}

/// What the choice is called in which a variant lies over no scenario.
const ALONE: &str = "the game alone";

/// All sheets: first the game, if it has maps, then its scenarios in the order of the texts; then, if it has maps, its variants and the mods that are in force.
pub fn list_sheets(analysis: &Analysis) -> Vec<Sheet> {
    let mut ids = vec![SheetId::Game];
    let mut over = Vec::new();
    let top = || analysis.asts.iter().flat_map(|f| &f.items);
    for item in top() {
        if let ItemKind::Scenario(s) = &item.kind {
            let id = SheetId::Scenario(s.name.text.as_str().into());
            if !ids.contains(&id) {
                ids.push(id);
            }
        }
        over.extend(id_of_item(item));
        over.extend(inner_items(item).iter().filter_map(id_of_item));
    }
    for id in over {
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    let layers = ids.iter().filter_map(|id| Layers::from_sheet(analysis, id));
    let drawn = layers.filter(|l| l.id.scenario().is_some() || l.shows_map(analysis));
    drawn.map(|l| l.describe_sheet(analysis)).collect()
}

/// The sheet in which a place of a text stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Around {
    /// Which.
    pub id: SheetId,
    /// The scenario that is played with it, if one is.
    pub scenario: Option<Arc<str>>,
    /// Whether the place itself says over what the sheet lies: a test does, a declaration leaves it to whoever looks at it.
    pub settled: bool,
}

impl Around {
    /// Whether a sheet is the one that is meant here.
    pub fn is_sheet(&self, id: &SheetId) -> bool {
        if self.settled && self.id.scenario().is_none() { self.id == *id } else { self.id.is_of(id) }
    }
}

/// The sheet of the declaration of a file that holds a place, if one does: of a test the scenario and the variants that it is played with. Whether a range of the text holds the
/// place is asked, as the place may be of a later text.
pub fn find_sheet_around(
    analysis: &Analysis,
    file: &str,
    holds: impl Fn(Range<usize>) -> bool,
) -> Option<Around> {
    let (id, _) = analysis.file(file)?;
    let ast = analysis.asts.get(id.0 as usize)?;
    let holds = |i: &&Item| holds(i.span.range());
    let outer = ast.items.iter().find(holds)?;
    let inner = inner_items(outer).iter().find(holds);
    let deep = inner.and_then(|i| inner_items(i).iter().find(holds));
    let all: Vec<&Item> = [Some(outer), inner, deep].into_iter().flatten().collect();
    let mut settled = false;
    let id = match all.last().map(|i| &i.kind) {
        Some(ItemKind::Test(t)) => {
            settled = true;
            // Who plays has a name with a capital, a variant one without; what a test stands in is on in it.
            let mut on: Vec<Arc<str>> = t.with.iter().map(|n| n.text.as_str().into()).collect();
            for i in &all {
                if let ItemKind::Variant(v) = &i.kind
                    && !on.iter().any(|n| **n == *v.name.text)
                {
                    on.insert(0, v.name.text.as_str().into());
                }
            }
            let find =
                |name: &str| Found::find_declaration(analysis, &SheetId::Variant(name.into(), Vec::new()));
            on.retain(|n| find(n).is_some());
            let scenario: Option<Arc<str>> = t.on.as_ref().map(|n| n.text.as_str().into());
            // The last one that draws a map has its picture shown, and can be drawn.
            let draws = |n: &Arc<str>| {
                find(n)
                    .is_some_and(|f| inner_items(f.item).iter().any(|i| matches!(i.kind, ItemKind::Map(_))))
            };
            let last = on.iter().rposition(draws).map(|n| on.remove(n));
            match (last, scenario) {
                (Some(name), on_it) => SheetId::Variant(name, on_it.into_iter().chain(on).collect()),
                (None, Some(name)) => SheetId::Scenario(name),
                (None, None) => SheetId::Game,
            }
        }
        _ => all.iter().rev().find_map(|i| match &i.kind {
            ItemKind::Scenario(s) => Some(SheetId::Scenario(s.name.text.as_str().into())),
            _ => id_of_item(i),
        })?,
    };
    let layers = Layers::from_sheet(analysis, &id)?;
    let scenario = layers.scenario().map(Arc::from);
    let shown = id.scenario().is_some() || layers.shows_map(analysis);
    shown.then_some(Around { id, scenario, settled })
}

/// The edits by which each scenario is built on one alone, of several on which it may be: that of the sheet on the one that is in force there. No byte behind them moves.
pub fn rewrite_to_one_base(analysis: &Analysis, sheet: &Sheet) -> EditSet {
    let mut edits = Vec::new();
    for item in analysis.asts.iter().flat_map(|f| &f.items) {
        let ItemKind::Scenario(s) = &item.kind else { continue };
        let [first, .., last] = s.with.as_slice() else { continue };
        let own = sheet.id.scenario().is_some_and(|n| **n == *s.name.text);
        let on = sheet.built_on().filter(|_| own).map_or(first.text.as_str(), |n| n);
        let range = first.span.range().start..last.span.range().end;
        let name = analysis.files.get(item.span.file).map_or("", |f| f.name.as_str());
        let blanks = " ".repeat(range.len().saturating_sub(on.len()));
        edits.push(Edit::new(name, range, format!("{on}{blanks}")));
    }
    EditSet::new("build each scenario on one", edits).unwrap_or_default()
}

impl Layers<'_> {
    /// Whether there is a map to be drawn, or patches of one that grows in play.
    fn shows_map(&self, analysis: &Analysis) -> bool {
        !self.maps().is_empty() || has_patches(analysis, self)
    }

    /// Where the sheet is declared: the scenario, variant or mod, or the file of the game's head.
    pub fn describe_sheet(&self, analysis: &Analysis) -> Sheet {
        let named = |span: Span| analysis.files.get(span.file).map_or("", |f| f.name.as_str()).into();
        let draws = self.own_layer().map_or_else(Vec::new, Layer::maps);
        let draws =
            draws.iter().filter(|(_, m)| m.picture.is_some()).map(|(_, m)| m.name.text.as_str().into());
        let draws = draws.collect();
        let items = self.all.first().map_or_else(Vec::new, |l| l.items());
        let head =
            items.iter().find_map(|i| if let ItemKind::Game(g) = &i.kind { Some((i, g)) } else { None });
        let word = head.map(|(_, g)| g.name.text.clone()).unwrap_or_default();
        if let Some(item) = self.own_layer().and_then(|l| l.item) {
            let (title, game) = match &item.kind {
                ItemKind::Scenario(s) => (title_or(&s.title, &s.name.text), s.game.text.clone()),
                ItemKind::Variant(v) => (title_or(&v.title, &v.name.text), word),
                ItemKind::Mod(m) => (title_or(&m.title, ""), m.game.text.clone()),
                _ => (Arc::from(""), word),
            };
            let (choices, chosen) = self.list_bases(item);
            return Sheet {
                id: self.id.clone(),
                title: title.to_string(),
                game,
                file: named(item.span),
                doc: item.doc.as_ref().map(|d| d.text.clone()),
                span: item.span,
                draws,
                choices,
                chosen,
                scenario: self.scenario().map(Arc::from),
                variants: self.variants(),
            };
        }
        // The game's sheet is where its first map stands.
        let maps = self.maps();
        let span = maps.first().map(|m| m.decl.span).or(head.map(|(i, _)| i.span)).unwrap_or_default();
        Sheet {
            id: SheetId::Game,
            title: head.and_then(|(_, g)| g.title.literal()).unwrap_or_default(),
            game: word,
            file: named(span),
            doc: head.and_then(|(i, _)| i.doc.as_ref()).map(|d| d.text.clone()),
            span,
            draws,
            choices: Vec::new(),
            chosen: 0,
            scenario: None,
            variants: Vec::new(),
        }
    }

    /// Over what the sheet may lie, if there is a choice, and the number of what is in force.
    fn list_bases(&self, item: &Item) -> (Vec<(Arc<str>, SheetId)>, usize) {
        if let ItemKind::Scenario(s) = &item.kind {
            let several = if s.with.len() > 1 { s.with.as_slice() } else { &[] };
            let built = |n: &str| SheetId::Built(s.name.text.as_str().into(), n.into());
            let all = several.iter().map(|n| (n.text.as_str().into(), built(&n.text))).collect();
            let chosen = match &self.id {
                SheetId::Built(_, on) => several.iter().position(|n| *n.text == **on).unwrap_or(0),
                _ => 0,
            };
            return (all, chosen);
        }
        if self.bases.len() < 2 {
            return (Vec::new(), 0);
        }
        let shown = |b: &Option<Arc<str>>| {
            (b.clone().unwrap_or_else(|| Arc::from(ALONE)), self.id.with_base(b.as_ref()))
        };
        let chosen = self.bases.iter().position(|b| b.as_deref() == self.scenario());
        (self.bases.iter().map(shown).collect(), chosen.unwrap_or(0))
    }
}
