//! The symbol table: what the words of a game stand for. Made once from the declarations, used for every body.
use super::types;
use crate::hir::*;
use crate::uses::{Def, Notes};
use houserule_text::Span;
use rustc_hash::FxHashMap as HashMap;

/// What a word may stand for wherever bodies stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Thing {
    /// An attribute of the table.
    TableAttr(AttrId),
    /// A zone or slot of the table.
    TableZone(ZoneId),
    /// A value that is of no kind.
    Value(ValueId),
    /// A rule or phase that is of no kind.
    Rule(RuleId),
    /// A menu.
    Menu(MenuId),
    /// An action.
    Action(ActionId),
    /// A member: a word of an enum, a face, a player's name.
    Member(MemberId),
    /// A choice at set-up.
    Option(OptionId),
    /// A variant: whether it is on.
    Variant(ScopeId),
    /// A hook.
    Hook(HookId),
    /// A kind.
    Kind(KindId),
    /// A map.
    Map(MapId),
}

impl Thing {
    /// The declaration.
    pub fn def(self) -> Def {
        match self {
            Thing::TableAttr(a) => Def::Attr(a),
            Thing::TableZone(z) => Def::Zone(z),
            Thing::Value(v) => Def::Value(v),
            Thing::Rule(r) => Def::Rule(r),
            Thing::Menu(m) => Def::Menu(m),
            Thing::Action(a) => Def::Action(a),
            Thing::Member(m) => Def::Member(m),
            Thing::Option(o) => Def::Option(o),
            Thing::Variant(s) => Def::Scope(s),
            Thing::Hook(h) => Def::Hook(h),
            Thing::Kind(k) => Def::Kind(k),
            Thing::Map(m) => Def::Map(m),
        }
    }

    /// The sort, in the reader's words.
    pub fn sort(self, model: &Model) -> &'static str {
        match self {
            Thing::TableAttr(_) => "an attribute of the table",
            Thing::TableZone(_) => "a zone",
            Thing::Value(_) => "a value",
            Thing::Rule(r) => {
                if model.rules.get(r.index()).is_some_and(|r| r.phase) {
                    "a phase"
                } else {
                    "a rule"
                }
            }
            Thing::Menu(_) => "a menu",
            Thing::Action(_) => "an action",
            Thing::Member(_) => "a member",
            Thing::Option(_) => "an option",
            Thing::Variant(_) => "a variant",
            Thing::Hook(_) => "a hook",
            Thing::Kind(_) => "a kind",
            Thing::Map(_) => "a map",
        }
    }
}

/// What a word after a thing's dot may stand for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// An attribute.
    Attr(AttrId),
    /// A zone or slot.
    Zone(ZoneId),
    /// A value of the kind.
    Value(ValueId),
    /// A rule of the kind.
    Rule(RuleId),
}

impl Part {
    /// The declaration.
    pub fn def(self) -> Def {
        match self {
            Part::Attr(a) => Def::Attr(a),
            Part::Zone(z) => Def::Zone(z),
            Part::Value(v) => Def::Value(v),
            Part::Rule(r) => Def::Rule(r),
        }
    }
}

/// Built-in words that stand alone.
pub const WORDS: &[&str] = &[
    "players",
    "seats",
    "others",
    "opponent",
    "nobody",
    "turn",
    "turns",
    "round",
    "phase",
    "box",
    "straight",
    "slant",
    "all",
    "north",
    "northeast",
    "east",
    "southeast",
    "south",
    "southwest",
    "west",
    "northwest",
];

/// The eight directions, clockwise.
pub const DIRECTIONS: &[&str] =
    &["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"];

/// Words that every component has after its dot.
pub const OF_COMPONENTS: &[&str] = &["at", "holder", "owner", "name", "title", "key", "up", "value", "faces"];

/// The words of a game.
pub struct Index<'a> {
    /// The declarations.
    pub model: &'a Model,
    /// Which word means which declaration, as far as read.
    pub(crate) notes: Notes,
    /// Attributes read of a face that several components may show.
    pub(crate) face_reads: std::cell::RefCell<Vec<(AttrId, Span)>>,
    /// Reads that a guard has narrowed.
    pub(crate) narrowed: std::cell::RefCell<HashMap<Span, Narrowed>>,
    /// The values that something modifies, by name, with a place where that is done.
    pub(crate) modified: HashMap<String, Span>,
    things: HashMap<&'a str, Vec<Thing>>,
    parts: HashMap<(KindId, &'a str), Part>,
    own: HashMap<(MemberId, &'a str), AttrId>,
}

impl<'a> Index<'a> {
    /// Reads the declarations.
    pub fn new(model: &'a Model) -> Self {
        let mut things: HashMap<&'a str, Vec<Thing>> = HashMap::default();
        let mut parts = HashMap::default();
        let mut own = HashMap::default();
        let mut add = |name: &'a str, thing: Thing| things.entry(name).or_default().push(thing);
        for (i, a) in model.attrs.iter().enumerate().filter(|(_, a)| !a.is_part) {
            let id = AttrId(i as u32);
            match (a.of, a.has_of) {
                (_, Some(HasOf::Member(m))) => {
                    own.entry((m, &*a.name)).or_insert(id);
                }
                (Some(k), _) => {
                    parts.entry((k, &*a.name)).or_insert(Part::Attr(id));
                }
                (None, None) => add(&a.name, Thing::TableAttr(id)),
                (None, Some(_)) => {}
            }
        }
        for (i, z) in model.zones.iter().enumerate() {
            let id = ZoneId(i as u32);
            match z.of {
                Some(k) => {
                    parts.entry((k, &*z.name)).or_insert(Part::Zone(id));
                }
                None if z.has_of.is_some() => {}
                None => add(&z.name, Thing::TableZone(id)),
            }
        }
        for (i, v) in model.values.iter().enumerate() {
            let id = ValueId(i as u32);
            match v.of {
                Some(k) => {
                    parts.entry((k, &*v.name)).or_insert(Part::Value(id));
                }
                None if matches!(v.role, ValueRole::Line(..) | ValueRole::InPlay) => {}
                None => add(&v.name, Thing::Value(id)),
            }
        }
        for (i, r) in model.rules.iter().enumerate() {
            let id = RuleId(i as u32);
            match r.of {
                _ if model.said_for(id) != id => {}
                Some(k) => {
                    parts.entry((k, &*r.name)).or_insert(Part::Rule(id));
                }
                None => add(&r.name, Thing::Rule(id)),
            }
        }
        for (i, m) in model.menus.iter().enumerate() {
            add(&m.name, Thing::Menu(MenuId(i as u32)));
        }
        for (i, a) in model.actions.iter().enumerate() {
            add(&a.name, Thing::Action(ActionId(i as u32)));
        }
        for (i, m) in model.members.iter().enumerate() {
            add(&m.name, Thing::Member(MemberId(i as u32)));
        }
        for (i, o) in model.options.iter().enumerate() {
            add(&o.name, Thing::Option(OptionId(i as u32)));
        }
        for (i, h) in model.hooks.iter().enumerate() {
            add(&h.name, Thing::Hook(HookId(i as u32)));
        }
        for (i, s) in model.scopes.iter().enumerate() {
            if s.kind == ScopeKind::Variant {
                add(&s.name, Thing::Variant(ScopeId(i as u32)));
            }
        }
        for (i, k) in model.kinds.iter().enumerate() {
            add(&k.name, Thing::Kind(KindId(i as u32)));
        }
        for (i, m) in model.maps.iter().enumerate() {
            add(&m.name, Thing::Map(MapId(i as u32)));
        }
        Index {
            model,
            notes: Notes::default(),
            face_reads: Default::default(),
            narrowed: Default::default(),
            modified: HashMap::default(),
            things,
            parts,
            own,
        }
    }

    /// The state of a member's own of that name.
    pub fn own_attr(&self, member: MemberId, word: &str) -> Option<AttrId> {
        self.own.get(&(member, word)).copied()
    }

    /// Whether any member has state of its own of that name.
    pub fn has_own_attr_somewhere(&self, word: &str) -> bool {
        self.own.keys().any(|(_, w)| *w == word)
    }

    /// Everything that the word may stand for.
    pub fn things(&self, word: &str) -> &[Thing] {
        self.things.get(word).map_or(&[], Vec::as_slice)
    }

    /// What the word is after a thing of that kind.
    pub fn part(&self, kind: KindId, word: &str) -> Option<Part> {
        types::line_of(self.model, kind).into_iter().find_map(|k| self.parts.get(&(k, word)).copied())
    }

    /// Every word that may stand after a thing of that kind.
    pub fn parts_of(&self, kind: KindId) -> Vec<(&'a str, Part)> {
        let line = types::line_of(self.model, kind);
        self.parts.iter().filter(|((k, _), _)| line.contains(k)).map(|((_, w), p)| (*w, *p)).collect()
    }

    /// Every word that stands for something of these sorts.
    pub fn words(&self, mut of: impl FnMut(Thing) -> bool) -> Vec<&'a str> {
        if !self.notes.may_list(self.things.len()) {
            return Vec::new();
        }
        self.things.iter().filter(|(_, t)| t.iter().any(|t| of(*t))).map(|(w, _)| *w).collect()
    }

    /// The option of that name, where the name is nothing of the table's.
    pub fn option(&self, word: &str) -> Option<OptionId> {
        let things = self.things(word);
        if things.iter().any(|t| matches!(t, Thing::TableAttr(_))) {
            return None;
        }
        things.iter().find_map(|t| if let Thing::Option(o) = t { Some(*o) } else { None })
    }

    /// The kind of that name.
    pub fn kind(&self, word: &str) -> Option<KindId> {
        self.things(word).iter().find_map(|t| if let Thing::Kind(k) = t { Some(*k) } else { None })
    }

    /// Every component kind that is not a subkind's parent only: those whose things can lie somewhere.
    pub fn component_kinds(&self) -> Vec<KindId> {
        (0..self.model.kinds.len() as u32)
            .map(KindId)
            .filter(|k| types::is_component(self.model, *k))
            .collect()
    }
}
