//! Records which word of the texts means which declaration, while names are resolved. `ide` reads it.
//!
//! One table serves going to a definition, references, renaming, hovering and colouring. It is made on every check: noting a pair of numbers costs
//! next to nothing beside finding out what the word means.
use super::hir::*;
use houserule_text::{Files, Span};
use rustc_hash::FxHashMap as HashMap;
use std::cell::RefCell;
use std::sync::Arc;

/// What a word means.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Def {
    /// The game itself.
    Game,
    /// A variant, scenario or part.
    Scope(ScopeId),
    /// A kind; also its name in small letters where that names its thing.
    Kind(KindId),
    /// A member: an enum's word, a face, a named player.
    Member(MemberId),
    /// An attribute, or state (`has`).
    Attr(AttrId),
    /// A zone or slot.
    Zone(ZoneId),
    /// A map.
    Map(MapId),
    /// A value, a heuristic, a score, a ranking or a line of these.
    Value(ValueId),
    /// A rule or phase.
    Rule(RuleId),
    /// A menu.
    Menu(MenuId),
    /// An action.
    Action(ActionId),
    /// A choice at set-up.
    Option(OptionId),
    /// A hook.
    Hook(HookId),
    /// A name bound in one body, by the place where it is bound.
    Local(Span),
}

/// What is written down while names are resolved.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notes(RefCell<Noted>);

#[derive(Clone, Debug, Default)]
struct Noted {
    uses: Vec<(Span, Def)>,
    bound: Vec<(Span, Arc<str>, Ty)>,
    same: Vec<(Span, Def)>,
    could: Vec<(Span, Vec<String>)>,
    on_maps: Vec<(Span, MapId)>,
    /// How many words have been listed for unknown ones.
    listed: usize,
}

/// How many words are listed for all unknown words of a game together, to find what was meant: who misspells more gets no advice on the rest.
const MOST_LISTED: usize = 1 << 18;

impl Notes {
    /// Whether that many words may be listed for an unknown one.
    pub fn may_list(&self, words: usize) -> bool {
        let mut noted = self.0.borrow_mut();
        noted.listed = noted.listed.saturating_add(words);
        noted.listed <= MOST_LISTED
    }

    /// The word there means that.
    pub fn note(&self, at: Span, def: Def) {
        self.0.borrow_mut().uses.push((at, def));
    }

    /// A name is bound there.
    pub fn note_bound(&self, at: Span, name: &Arc<str>, ty: &Ty) {
        if !matches!(&**name, "it" | "me" | "this" | "owner") {
            self.0.borrow_mut().bound.push((at, name.clone(), ty.clone()));
        }
    }

    /// The name bound there is another one's: a pattern is called like the parameter that it stands for.
    pub fn note_same(&self, at: Span, def: Def) {
        self.0.borrow_mut().same.push((at, def));
    }

    /// The word there means nothing; these would.
    pub fn note_could(&self, at: Span, words: Vec<String>) {
        self.0.borrow_mut().could.push((at, words));
    }

    /// The word there is a space or a column of that map.
    pub fn note_on_map(&self, at: Span, map: MapId) {
        self.0.borrow_mut().on_maps.push((at, map));
    }

    /// Adds all that another one noted.
    pub fn take_notes(&self, other: Notes) {
        let (mut own, mut other) = (self.0.borrow_mut(), other.0.into_inner());
        own.uses.append(&mut other.uses);
        own.bound.append(&mut other.bound);
        own.same.append(&mut other.same);
        own.could.append(&mut other.could);
        own.on_maps.append(&mut other.on_maps);
    }

    /// All uses and declarations in order of the texts.
    pub fn into_uses(self, files: &Files, model: &Model) -> Uses {
        let noted = self.0.into_inner();
        let same: HashMap<Span, Def> = noted.same.into_iter().collect();
        let real = |d: Def| match d {
            Def::Local(at) => same.get(&at).copied().unwrap_or(d),
            d => d,
        };
        let mut locals: HashMap<Span, Ty> = HashMap::default();
        let mut list: Vec<(Span, Def)> = noted.uses.into_iter().map(|(at, d)| (at, real(d))).collect();
        for (at, name, ty) in noted.bound {
            if files.slice(at) == &*name {
                list.push((at, real(Def::Local(at))));
                locals.entry(at).or_insert(ty);
            }
        }
        let mut uses = Uses { list: Vec::new(), locals, could: noted.could, on_maps: noted.on_maps };
        // Whatever stands for a word that is not written there (a helper's name, a generated one) is nobody's to click on.
        list.retain(|(at, d)| {
            let word = files.slice(*at);
            let name = uses.name_of(*d, files, model);
            !word.is_empty() && (word == name || matches!(d, Def::Kind(_)) && word.eq_ignore_ascii_case(name))
        });
        uses.list = list;
        let own: Vec<(Span, Def)> = declarations(model)
            .filter(|(at, d)| {
                let word = files.slice(*at);
                !word.is_empty() && word == uses.name_of(*d, files, model)
            })
            .collect();
        uses.list.extend(own);
        // What a patch prints is a value of its spaces and of the patch, declared once.
        let mut printed: HashMap<Span, Def> = HashMap::default();
        for (_, def) in &mut uses.list {
            if let Def::Value(v) = *def
                && let Some(value) = model.values.get(v.index())
                && matches!(value.role, ValueRole::Patch)
            {
                *def = *printed.entry(value.span).or_insert(*def);
            }
        }
        // The latest note counts; the sort is stable.
        uses.list.sort_by_key(|(at, _)| *at);
        uses.list.reverse();
        uses.list.dedup_by_key(|(at, _)| *at);
        uses.list.reverse();
        uses.could.sort_by_key(|(at, _)| *at);
        uses.on_maps.sort_by_key(|(at, _)| *at);
        uses
    }
}

/// Every declaration with the place of its name.
fn declarations(m: &Model) -> impl Iterator<Item = (Span, Def)> + '_ {
    fn all<'a, T, D: 'a>(
        list: &'a [T],
        span: fn(&T) -> Span,
        def: fn(u32) -> D,
    ) -> impl Iterator<Item = (Span, D)> + 'a {
        list.iter().enumerate().map(move |(i, x)| (span(x), def(i as u32)))
    }
    all(&m.scopes, |x| x.span, |i| if i == 0 { Def::Game } else { Def::Scope(ScopeId(i)) })
        .chain(all(&m.kinds, |x| x.span, |i| Def::Kind(KindId(i))))
        .chain(all(&m.members, |x| x.span, |i| Def::Member(MemberId(i))))
        .chain(all(&m.attrs, |x| x.span, |i| Def::Attr(AttrId(i))))
        .chain(all(&m.zones, |x| x.span, |i| Def::Zone(ZoneId(i))))
        .chain(all(&m.maps, |x| x.span, |i| Def::Map(MapId(i))))
        .chain(all(&m.values, |x| x.span, |i| Def::Value(ValueId(i))))
        .chain(all(&m.rules, |x| x.span, |i| Def::Rule(RuleId(i))))
        .chain(all(&m.menus, |x| x.span, |i| Def::Menu(MenuId(i))))
        .chain(all(&m.actions, |x| x.span, |i| Def::Action(ActionId(i))))
        .chain(all(&m.options, |x| x.span, |i| Def::Option(OptionId(i))))
        .chain(all(&m.hooks, |x| x.span, |i| Def::Hook(HookId(i))))
}

/// Every word that means a declaration, with what it means; declarations' own names, too.
#[derive(Clone, Debug, Default)]
pub struct Uses {
    /// By place; each place once.
    list: Vec<(Span, Def)>,
    locals: HashMap<Span, Ty>,
    could: Vec<(Span, Vec<String>)>,
    on_maps: Vec<(Span, MapId)>,
}

impl Uses {
    /// All of them, in order of file and place.
    pub fn all(&self) -> &[(Span, Def)] {
        &self.list
    }

    /// What the word at an offset means, with its place; a cursor behind the word is at it, too.
    pub fn use_at(&self, file: houserule_text::FileId, offset: usize) -> Option<(Span, Def)> {
        let n = self.list.partition_point(|(s, _)| (s.file, s.start as usize) <= (file, offset));
        let (at, def) = *self.list.get(n.checked_sub(1)?)?;
        (at.file == file && at.is_touching(offset)).then_some((at, def))
    }

    /// Where a declaration is used, its own name among them.
    pub fn uses_of(&self, def: Def) -> impl Iterator<Item = Span> + '_ {
        self.list.iter().filter(move |(_, d)| *d == def).map(|(s, _)| *s)
    }

    /// The type of a name bound in a body.
    pub fn local_type(&self, bound: Span) -> Option<&Ty> {
        self.locals.get(&bound)
    }

    /// The map whose space or column the word there names; the latest note counts.
    pub fn map_at(&self, at: Span) -> Option<MapId> {
        let behind = self.on_maps.partition_point(|(s, _)| *s <= at);
        let (s, map) = *self.on_maps.get(behind.checked_sub(1)?)?;
        (s == at).then_some(map)
    }

    /// What could stand where an unknown word stands.
    pub fn candidates_at(&self, at: Span) -> Option<&[String]> {
        self.could.iter().find(|(s, _)| *s == at).map(|(_, w)| w.as_slice())
    }

    /// The place of a declaration's name; none for what is built in.
    pub fn place_of(&self, def: Def, m: &Model) -> Option<Span> {
        let at = match def {
            Def::Game => m.scopes.first().map(|s| s.span),
            Def::Scope(i) => m.scopes.get(i.index()).map(|x| x.span),
            Def::Kind(i) => m.kinds.get(i.index()).map(|x| x.span),
            Def::Member(i) => m.members.get(i.index()).map(|x| x.span),
            Def::Attr(i) => m.attrs.get(i.index()).map(|x| x.span),
            Def::Zone(i) => m.zones.get(i.index()).map(|x| x.span),
            Def::Map(i) => m.maps.get(i.index()).map(|x| x.span),
            Def::Value(i) => m.values.get(i.index()).map(|x| x.span),
            Def::Rule(i) => m.rules.get(i.index()).map(|x| x.span),
            Def::Menu(i) => m.menus.get(i.index()).map(|x| x.span),
            Def::Action(i) => m.actions.get(i.index()).map(|x| x.span),
            Def::Option(i) => m.options.get(i.index()).map(|x| x.span),
            Def::Hook(i) => m.hooks.get(i.index()).map(|x| x.span),
            Def::Local(at) => Some(at),
        }?;
        (at != Span::default()).then_some(at)
    }

    /// The name of a declaration as the texts use it.
    pub fn name_of<'a>(&self, def: Def, files: &'a Files, m: &'a Model) -> &'a str {
        let name = match def {
            Def::Game => Some(&m.name),
            Def::Scope(i) => m.scopes.get(i.index()).map(|x| &x.name),
            Def::Kind(i) => m.kinds.get(i.index()).map(|x| &x.name),
            Def::Member(i) => m.members.get(i.index()).map(|x| &x.name),
            Def::Attr(i) => m.attrs.get(i.index()).map(|x| &x.name),
            Def::Zone(i) => m.zones.get(i.index()).map(|x| &x.name),
            Def::Map(i) => m.maps.get(i.index()).map(|x| &x.name),
            Def::Value(i) => m.values.get(i.index()).map(|x| match &x.role {
                ValueRole::Line(own, _) => own,
                _ => &x.name,
            }),
            Def::Rule(i) => m.rules.get(i.index()).map(|x| &x.name),
            Def::Menu(i) => m.menus.get(i.index()).map(|x| &x.name),
            Def::Action(i) => m.actions.get(i.index()).map(|x| &x.name),
            Def::Option(i) => m.options.get(i.index()).map(|x| &x.name),
            Def::Hook(i) => m.hooks.get(i.index()).map(|x| &x.name),
            Def::Local(at) => return files.slice(at),
        };
        name.map_or("", |n| n)
    }
}
