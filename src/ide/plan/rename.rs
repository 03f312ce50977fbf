//! Plans the renaming of spaces in all texts when a map grows at its south or west side and its spaces get other names.
use super::Desk;
use super::shift::Shift;
use crate::draw::{Lattice, Spot, inner_items};
use crate::edit::{Edit, Refusal};
use houserule_syntax::ast::{Item, ItemKind};
use houserule_syntax::{NodeKind, TokenKind};
use houserule_text::{FileId, Span};
use std::collections::{BTreeMap, BTreeSet};

/// The edits by which every text that speaks of this sheet's map names the same spaces as before.
pub(super) fn plan_renames(
    desk: &Desk<'_>,
    map: &str,
    l: &Lattice,
    shift: &Shift,
) -> Result<Vec<Edit>, Refusal> {
    if l.spots().all(|s| shift.moved_place(s) == Some(s)) {
        return Ok(Vec::new());
    }
    let scope = Scope::from_desk(desk, map);
    let known = declared_names(desk);
    let mut edits = Vec::new();
    let analysis = desk.analysis;
    for (file, _) in analysis.files.iter() {
        let Some(tree) = analysis.trees.get(file.0 as usize) else { continue };
        let tokens = tree.tokens();
        for (n, t) in tokens.iter().enumerate() {
            if !matches!(t.kind, TokenKind::Kind | TokenKind::Word) {
                continue;
            }
            let span = Span { file, start: t.start, end: t.end };
            let word = analysis.slice(span);
            let whose = scope.owner_at(file, t.start);
            if known.contains(word) || whose == Whose::Others {
                continue;
            }
            // What the checker knows to be of another map is not of this one, whatever it is called.
            let of = analysis.uses.map_at(span).and_then(|m| analysis.model.maps.get(m.index()));
            if of.is_some_and(|m| *m.name != *map) {
                continue;
            }
            let spot = Spot::from_name(word).filter(|s| l.has_spot(*s));
            let line = || is_line(desk, tokens.get(n + 1), word, file, l);
            let moved = match spot {
                Some(s) => shift.moved_place(s) != Some(s),
                None => match line() {
                    Some(true) => shift.is_moving_columns(),
                    Some(false) => shift.is_moving_rows(),
                    None => false,
                },
            };
            let kind = tree.kind(tree.node_at(t.start as usize));
            if !moved || matches!(kind, NodeKind::Numbered | NodeKind::NotPlayed) {
                continue;
            }
            let refuse = |why: String| Refusal { why, offers: vec![desk.go_to(span)] };
            let place = analysis.files.place(span);
            let Some(s) = spot else {
                return Err(refuse(format!(
                    "{place} names a whole row or column by its number, which would change"
                )));
            };
            if whose == Whose::All {
                return Err(refuse(format!(
                    "{place} names {word} for all scenarios, but it would be another space here"
                )));
            }
            if of.is_none() && desk.layers.maps().len() > 1 {
                return Err(refuse(format!("{place} names {word}, but several maps may have this space")));
            }
            let Some(to) = shift.moved_place(s) else {
                return Err(refuse(format!("{place} names {word}, which would be removed")));
            };
            edits.push(desk.make_edit(file, span.range(), &*to.name()));
        }
    }
    Ok(edits)
}

/// Whether a word speaks of a whole column (yes) or row (no).
fn is_line(
    desk: &Desk<'_>,
    next: Option<&houserule_syntax::Token>,
    word: &str,
    file: FileId,
    l: &Lattice,
) -> Option<bool> {
    let bracket = next.is_some_and(|t| desk.analysis.slice(Span { file, start: t.start, end: t.end }) == "(");
    match word {
        "row" if bracket => Some(false),
        "column" if bracket => Some(true),
        _ => {
            let letters = word.len() <= 2 && !word.is_empty() && word.bytes().all(|b| b.is_ascii_uppercase());
            let spot = letters.then(|| Spot::from_name(&format!("{word}1"))).flatten()?;
            (spot.column < l.columns).then_some(true)
        }
    }
}

/// Names that are declared, and so name no space; also those of people in tests.
fn declared_names(desk: &Desk<'_>) -> BTreeSet<String> {
    let model = &desk.analysis.model;
    let mut all: BTreeSet<String> = model.members.iter().map(|m| m.name.to_string()).collect();
    all.extend(model.kinds.iter().map(|k| k.name.to_string()));
    fn add_casts(items: &[Item], all: &mut BTreeSet<String>) {
        for i in items {
            match &i.kind {
                ItemKind::Test(t) => all.extend(t.with.iter().map(|n| n.text.clone())),
                ItemKind::Scenario(s) => add_casts(&s.items, all),
                ItemKind::Part(p) => add_casts(&p.items, all),
                ItemKind::Variant(v) => add_casts(&v.items, all),
                ItemKind::Mod(m) => add_casts(&m.items, all),
                _ => {}
            }
        }
    }
    for f in &desk.analysis.asts {
        add_casts(&f.items, &mut all);
    }
    all
}

/// Which map a text means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Whose {
    /// Of this sheet's.
    Own,
    /// Of this sheet's and others'.
    All,
    /// Of others'.
    Others,
}

/// The texts that speak of this sheet's map.
struct Scope {
    /// Declarations, with whose they are; the innermost holds.
    spans: Vec<(Span, Whose)>,
    /// What stands in none of them.
    rest: Whose,
}

impl Scope {
    fn from_desk(desk: &Desk<'_>, map: &str) -> Scope {
        let files = &desk.analysis.asts;
        let draws = |items: &[Item]| {
            items
                .iter()
                .any(|i| matches!(&i.kind, ItemKind::Map(m) if m.name.text == map && m.picture.is_some()))
        };
        let top = || files.iter().flat_map(|f| &f.items);
        let sheet = desk.layers.own_layer().and_then(|l| l.item);
        let game = sheet.is_none();
        // Scenarios that show the picture that is resized.
        let mut own: BTreeSet<&str> = BTreeSet::new();
        if let Some(ItemKind::Scenario(s)) = sheet.map(|i| &i.kind) {
            own.insert(&s.name.text);
        }
        let scenarios =
            || top().filter_map(|i| if let ItemKind::Scenario(s) = &i.kind { Some((i, s)) } else { None });
        // Built on one of them, or, of the game's picture, on none that draws.
        for _ in 0..16 {
            for (_, s) in scenarios().filter(|(_, s)| !draws(&s.items)) {
                let on = s.with.iter().any(|w| own.contains(w.text.as_str()));
                let free = game
                    && !s
                        .with
                        .iter()
                        .any(|w| scenarios().any(|(_, o)| o.name.text == w.text && draws(&o.items)));
                if on || free {
                    own.insert(&s.name.text);
                }
            }
        }
        // A variant or mod lies over scenarios: what these say holds with it and without it.
        let over = matches!(sheet.map(|i| &i.kind), Some(ItemKind::Variant(_) | ItemKind::Mod(_)));
        let shows = |name: &str| if own.contains(name) { Whose::Own } else { Whose::Others };
        let whose = |name: &str| if over { Whose::All } else { shows(name) };
        let is_sheet = |i: &Item| sheet.is_some_and(|s| std::ptr::eq(s, i));
        // One that draws the map itself speaks of its own picture, and so does whatever is played with it.
        let held = || top().flat_map(|i| std::iter::once(i).chain(inner_items(i)));
        let drawing = || {
            let over = held().filter(|i| matches!(i.kind, ItemKind::Variant(_) | ItemKind::Mod(_)));
            over.filter(|i| draws(inner_items(i)))
        };
        let drawn: BTreeMap<&str, Whose> = drawing()
            .filter_map(|i| match &i.kind {
                ItemKind::Variant(v) => Some((v.name.text.as_str(), i)),
                _ => None,
            })
            .map(|(name, i)| (name, if is_sheet(i) { Whose::Own } else { Whose::Others }))
            .collect();
        let mut spans = Vec::new();
        let by_mod =
            |i: &Item| draws(inner_items(i)).then_some(if is_sheet(i) { Whose::Own } else { Whose::Others });
        let mut tests = |items: &[Item], around: Option<Whose>, by_mod: Option<Whose>| {
            for i in items {
                if let ItemKind::Test(t) = &i.kind {
                    // Of several variants that draw it the last one's picture is shown.
                    let with = t.with.iter().rev().find_map(|w| drawn.get(w.text.as_str()));
                    let of = match &t.on {
                        // What a mod draws lies over all that is on with it.
                        _ if by_mod.is_some() => by_mod,
                        _ if with.is_some() => with.copied(),
                        _ if around.is_some() => around,
                        // Whoever plays without it sees another picture; a game's tests are not a mod's to change.
                        _ if over => Some(Whose::Others),
                        Some(n) => Some(whose(&n.text)),
                        None if game => Some(Whose::Own),
                        None => None,
                    };
                    spans.extend(of.map(|of| (i.span, of)));
                }
            }
        };
        // Of what is held twice here the first holds: as what stands in something, then by itself.
        for i in held() {
            match &i.kind {
                ItemKind::Test(_) => tests(std::slice::from_ref(i), None, None),
                // Its tests are played with it.
                ItemKind::Variant(v) => tests(&v.items, drawn.get(v.name.text.as_str()).copied(), None),
                ItemKind::Mod(_) => {
                    tests(inner_items(i), None, by_mod(i));
                    for own in inner_items(i) {
                        if let ItemKind::Variant(v) = &own.kind {
                            tests(&v.items, drawn.get(v.name.text.as_str()).copied(), by_mod(i));
                        }
                    }
                }
                ItemKind::Scenario(_) | ItemKind::Part(_) => tests(inner_items(i), None, None),
                _ => {}
            }
        }
        spans.extend(drawing().map(|i| (i.span, if is_sheet(i) { Whose::Own } else { Whose::Others })));
        spans.extend(scenarios().map(|(i, s)| (i.span, whose(&s.name.text))));
        Scope { spans, rest: if game { Whose::Own } else { Whose::All } }
    }

    fn owner_at(&self, file: FileId, start: u32) -> Whose {
        let holds = |s: &Span| s.file == file && s.start <= start && start < s.end;
        self.spans.iter().find(|(s, _)| holds(s)).map_or(self.rest, |(_, w)| *w)
    }
}
