//! What mods touch, read off their text alone, and where two of them meet: one of the two then has less to say, or nothing.
use houserule_syntax::ast::{
    Around, Attach, AttachKind, ChangeTarget, Item, ItemKind, ModDecl, ModifyHow, Name, Part, PartKind,
};
use houserule_text::Span;

/// How a mod touches a thing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Touch {
    /// `modify V = e`
    Set,
    /// Any other `modify`.
    Modify,
    /// `before`, `after`
    Beside,
    /// `instead of`
    Instead,
    /// `forbid`
    Forbid,
    /// `change`
    Change,
    /// `remove`
    Remove,
    /// Something new, or what has no name: a set-up, an ending.
    Add,
}

impl Touch {
    /// For machines.
    pub fn key(self) -> &'static str {
        match self {
            Touch::Set => "set",
            Touch::Modify => "modify",
            Touch::Beside => "beside",
            Touch::Instead => "instead",
            Touch::Forbid => "forbid",
            Touch::Change => "change",
            Touch::Remove => "remove",
            Touch::Add => "add",
        }
    }
}

/// One thing that a mod does.
#[derive(Clone, Debug)]
pub struct Entry {
    /// How.
    pub touch: Touch,
    /// The name of what is touched; empty if it has none.
    pub name: String,
    /// The attributes of a member that a `change` sets.
    pub sets: Vec<String>,
    /// The declaration.
    pub span: Span,
}

/// A mod as it is written.
#[derive(Clone, Copy)]
pub struct ModText<'t> {
    /// Its declaration.
    pub text: &'t ModDecl,
    /// Where.
    pub span: Span,
}

/// Two mods that touch one thing.
#[derive(Clone, Debug)]
pub struct Meeting {
    /// The thing.
    pub name: String,
    /// What comes of it.
    pub told: String,
    /// Whether one of the two has less to say than alone.
    pub loses: bool,
    /// The two mods, by their number in the list, the older one first.
    pub mods: [usize; 2],
    /// The two places, in the same order.
    pub places: [Span; 2],
}

/// The name that an entry of a text declares.
pub fn declared_name(item: &Item) -> Option<&Name> {
    Some(match &item.kind {
        ItemKind::Option(x) => &x.name,
        ItemKind::Enum(x) => &x.name,
        ItemKind::Component(x) => &x.name,
        ItemKind::PlayerMember(x) => &x.name,
        ItemKind::Member(x) => &x.name,
        ItemKind::Value(x) | ItemKind::Heuristic(x) => &x.name,
        ItemKind::Hook(x) => &x.name,
        ItemKind::Rule(x) => &x.name,
        ItemKind::Phase(x) => &x.name,
        ItemKind::Menu(x) => &x.name,
        ItemKind::Action(x) => &x.name,
        ItemKind::Score(x) | ItemKind::Ranking(x) => &x.name,
        _ => return None,
    })
}

/// What the entries of a mod do. Tests and what it says of other mods do nothing.
pub fn list_entries(m: &ModDecl) -> Vec<Entry> {
    m.items.iter().flat_map(entries_of).collect()
}

fn entries_of(item: &Item) -> Vec<Entry> {
    let span = item.span;
    let one = |touch: Touch, name: &str| Entry { touch, name: name.to_string(), sets: Vec::new(), span };
    match &item.kind {
        ItemKind::Test(_) | ItemKind::ModLine(_) => Vec::new(),
        ItemKind::Attach(attach) => {
            let heads = attach.heads.iter().filter_map(|h| h.path.last());
            heads.map(|name| one(touch_of(attach), &name.text)).collect()
        }
        ItemKind::Remove(names) => names.iter().map(|n| one(Touch::Remove, &n.text)).collect(),
        ItemKind::Change(c) => vec![match &c.target {
            ChangeTarget::Kind(name) => one(Touch::Change, &name.text),
            ChangeTarget::Member(name) => {
                let set = |p: &Part| {
                    if let PartKind::Set(name, _) = &p.kind { Some(name.text.clone()) } else { None }
                };
                Entry { sets: c.parts.iter().filter_map(set).collect(), ..one(Touch::Change, &name.text) }
            }
            ChangeTarget::Player(_) => one(Touch::Change, "player"),
            ChangeTarget::Table(_) => one(Touch::Change, "table"),
        }],
        _ => vec![one(Touch::Add, declared_name(item).map_or("", |n| &n.text))],
    }
}

fn touch_of(attach: &Attach) -> Touch {
    match &attach.kind {
        AttachKind::Modify(ModifyHow::Set, _) => Touch::Set,
        AttachKind::Modify(..) => Touch::Modify,
        AttachKind::Around { when: Around::Instead, .. } => Touch::Instead,
        AttachKind::Around { .. } => Touch::Beside,
        AttachKind::Forbid(_) => Touch::Forbid,
    }
}

/// Where two mods touch one thing so that one of them has less to say, or nothing. The mods are in the order of loading.
pub fn find_meetings(mods: &[ModText<'_>]) -> Vec<Meeting> {
    let all: Vec<(String, Vec<Entry>)> =
        mods.iter().map(|m| (m.text.title.literal().unwrap_or_default(), list_entries(m.text))).collect();
    let mut out = Vec::new();
    for (j, (new, newer)) in all.iter().enumerate() {
        for (i, (old, older)) in all.iter().enumerate().take(j) {
            for a in older {
                for b in newer.iter().filter(|b| b.name == a.name && !a.name.is_empty()) {
                    if let Some((loses, told)) = tell_meeting(a, b, old, new) {
                        out.push(Meeting {
                            name: a.name.clone(),
                            told,
                            loses,
                            mods: [i, j],
                            places: [a.span, b.span],
                        });
                    }
                }
            }
        }
    }
    out
}

/// What comes of it that an older and a newer mod touch a thing in these ways, and whether one of them has less to say then than alone. Nothing if each says all that it says alone.
fn tell_meeting(a: &Entry, b: &Entry, old: &str, new: &str) -> Option<(bool, String)> {
    use Touch::*;
    let later = "as it is loaded later";
    Some(match (a.touch, b.touch) {
        (Set, Set) => (true, format!("both set it; “{new}” decides where both apply, {later}")),
        (Instead, Instead) => (
            true,
            format!("both act in its place; “{new}” does, {later}, and its `proceed()` goes on to “{old}”"),
        ),
        // What is attached to a rule that is forbidden at times sees it happen at the others.
        (Forbid, Instead | Beside) => (false, format!("what “{old}” forbids “{new}” does not see happen")),
        (Instead | Beside, Forbid) => (false, format!("what “{new}” forbids “{old}” does not see happen")),
        (Change, Change) => {
            let both: Vec<&str> = a.sets.iter().filter(|x| b.sets.contains(x)).map(String::as_str).collect();
            if both.is_empty() {
                return None;
            }
            (true, format!("both set its `{}`; “{new}” decides, {later}", both.join("`, `")))
        }
        (Remove, Remove) => return None,
        (Remove, _) => (true, format!("“{old}” removes it, and “{new}” speaks of it")),
        (_, Remove) => (true, format!("“{new}” removes it, and “{old}” speaks of it")),
        _ => return None,
    })
}
