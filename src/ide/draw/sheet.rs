//! Which scenarios there are, and what each is built on: the game, parts, other scenarios.
use crate::ide::analysis::Analysis;
use crate::syntax::ast::{File, Item, ItemKind, MapDecl, Shape};
use crate::text::Span;
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
}

impl SheetId {
    /// The scenario's name; the game's own sheet has none.
    pub fn scenario(&self) -> Option<&Arc<str>> {
        match self {
            SheetId::Game => None,
            SheetId::Scenario(name) | SheetId::Built(name, _) => Some(name),
        }
    }
}

/// A scenario, or the game itself.
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
    /// On what it may be built, if there is a choice: one of them at a time is in force.
    pub choices: Vec<Arc<str>>,
}

impl Sheet {
    /// That one of the several on which it may be built that is in force here.
    pub fn built_on(&self) -> Option<&Arc<str>> {
        match &self.id {
            SheetId::Built(_, on) => self.choices.iter().find(|c| *c == on).or(self.choices.first()),
            _ => self.choices.first(),
        }
    }
}

/// All sheets: first the game, if it has maps, then its scenarios in the order of the texts.
pub fn sheets(analysis: &Analysis) -> Vec<Sheet> {
    let mut ids = vec![SheetId::Game];
    for f in &analysis.asts {
        for i in &f.items {
            if let ItemKind::Scenario(s) = &i.kind {
                let id = SheetId::Scenario(s.name.text.as_str().into());
                if !ids.contains(&id) {
                    ids.push(id);
                }
            }
        }
    }
    let layers = ids.iter().filter_map(|id| Layers::of(analysis, id));
    let drawn = layers.filter(|l| l.id != SheetId::Game || !l.maps().is_empty());
    drawn.map(|l| l.sheet(analysis)).collect()
}

/// One of those on which a sheet is built.
#[derive(Clone, Copy)]
pub(in crate::ide) struct Layer<'a> {
    /// The declaration; none: the game, whose items stand in all files.
    pub item: Option<&'a Item>,
    files: &'a [Arc<File>],
}

impl<'a> Layer<'a> {
    /// Its items, in the order of the texts.
    pub fn items(self) -> Vec<&'a Item> {
        let Some(item) = self.item else { return self.files.iter().flat_map(|f| &f.items).collect() };
        match &item.kind {
            ItemKind::Scenario(s) => s.items.iter().collect(),
            ItemKind::Part(p) => p.items.iter().collect(),
            _ => Vec::new(),
        }
    }

    /// Its maps.
    pub fn maps(self) -> Vec<(&'a Item, &'a MapDecl)> {
        let map = |i: &'a Item| if let ItemKind::Map(m) = &i.kind { Some((i, m)) } else { None };
        self.items().into_iter().filter_map(map).collect()
    }
}

/// What is in force for a sheet: the game first, the sheet itself last.
pub(in crate::ide) struct Layers<'a> {
    /// Which sheet.
    pub id: SheetId,
    /// The game first.
    pub all: Vec<Layer<'a>>,
}

/// A map that a sheet may draw.
#[derive(Clone)]
pub(in crate::ide) struct DrawnMap<'a> {
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
    /// What is in force for a sheet; of several that may be taken in, the one that the sheet names, else the first one.
    pub fn of(analysis: &'a Analysis, id: &SheetId) -> Option<Layers<'a>> {
        let files = analysis.asts.as_slice();
        let find = |name: &str, parts: bool| {
            files.iter().flat_map(|f| &f.items).find(|i| match &i.kind {
                ItemKind::Scenario(s) => s.name.text == name,
                ItemKind::Part(p) => parts && p.name.text == name,
                _ => false,
            })
        };
        let mut all = Vec::new();
        if let Some(name) = id.scenario() {
            let mut chosen = if let SheetId::Built(_, on) = id { Some(&**on) } else { None };
            let mut next = Some(find(name, false)?);
            while let Some(item) = next.filter(|_| all.len() < DEEPEST) {
                // Built on itself: the checker says so.
                if all.iter().any(|l: &Layer<'_>| l.item.is_some_and(|i| std::ptr::eq(i, item))) {
                    break;
                }
                all.push(Layer { item: Some(item), files });
                next = match &item.kind {
                    ItemKind::Scenario(s) => {
                        let named = chosen.take().and_then(|on| s.with.iter().find(|n| n.text == on));
                        named.or(s.with.first()).and_then(|n| find(&n.text, true))
                    }
                    _ => None,
                };
            }
        }
        all.push(Layer { item: None, files });
        all.reverse();
        Some(Layers { id: id.clone(), all })
    }

    /// The sheet itself.
    pub fn own(&self) -> Option<Layer<'a>> {
        self.all.last().copied()
    }

    /// Where the sheet is declared: the scenario, or the file of the game's head.
    pub fn sheet(&self, analysis: &Analysis) -> Sheet {
        let named = |span: Span| analysis.files.get(span.file).map_or("", |f| f.name.as_str()).into();
        let draws = self.own().map_or_else(Vec::new, Layer::maps);
        let draws =
            draws.iter().filter(|(_, m)| m.picture.is_some()).map(|(_, m)| m.name.text.as_str().into());
        let draws = draws.collect();
        if let Some(item) = self.own().and_then(|l| l.item)
            && let ItemKind::Scenario(s) = &item.kind
        {
            return Sheet {
                id: self.id.clone(),
                title: s.title.literal().unwrap_or_else(|| s.name.text.clone()),
                game: s.game.text.clone(),
                file: named(item.span),
                doc: item.doc.as_ref().map(|d| d.text.clone()),
                span: item.span,
                draws,
                choices: match s.with.as_slice() {
                    [] | [_] => Vec::new(),
                    several => several.iter().map(|n| n.text.as_str().into()).collect(),
                },
            };
        }
        let items = self.all.first().map_or_else(Vec::new, |l| l.items());
        let head =
            items.iter().find_map(|i| if let ItemKind::Game(g) = &i.kind { Some((i, g)) } else { None });
        // The game's sheet is where its first map stands.
        let maps = self.maps();
        let span = maps.first().map(|m| m.decl.span).or(head.map(|(i, _)| i.span)).unwrap_or_default();
        Sheet {
            id: SheetId::Game,
            title: head.and_then(|(_, g)| g.title.literal()).unwrap_or_default(),
            game: head.map(|(_, g)| g.name.text.clone()).unwrap_or_default(),
            file: named(span),
            doc: head.and_then(|(i, _)| i.doc.as_ref()).map(|d| d.text.clone()),
            span,
            draws,
            choices: Vec::new(),
        }
    }

    /// The maps of squares and hexes that are declared, with the picture of each that holds for the sheet.
    pub fn maps(&self) -> Vec<DrawnMap<'a>> {
        use crate::syntax::ast::Layout;
        let mut maps: Vec<DrawnMap<'a>> = Vec::new();
        for layer in &self.all {
            for (decl, m) in layer.maps() {
                let Some(shape) = &m.shape else { continue };
                let known = maps.iter().any(|k| k.name == m.name.text);
                if !known && matches!(shape.layout, Layout::Squares | Layout::Hexes) {
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
