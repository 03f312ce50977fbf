//! `mods`: what house rules change of a game, one by one and in full, and where two of them meet.
use super::args::{Format, ModsArgs, SetupArgs};
use super::explain::to_pretty_json;
use super::io::{Exit, Failure, Io};
use super::report;
use super::setup::{self, Loaded};
use super::sim::figures::count_text;
use houserule_syntax::ast::{
    Around, Attach, AttachKind, ChangeTarget, Item, ItemKind, ModifyHow, Name, RowName,
};
use houserule_syntax::read;
use houserule_text::{FileId, Span};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// How a house rule touches a thing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Touch {
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
    fn key(self) -> &'static str {
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

/// One thing that a house rule does.
#[derive(Debug)]
struct Entry {
    touch: Touch,
    /// The name of what is touched; empty if it has none.
    name: String,
    /// The declaration.
    span: Span,
}

/// A house rule.
struct Rule {
    title: String,
    file: FileId,
    entries: Vec<Entry>,
}

/// Two house rules that touch one thing.
struct Meeting {
    name: String,
    /// What comes of it.
    told: String,
    /// The two places, that of the older one first.
    places: [Span; 2],
}

/// Runs the command.
pub fn run(args: &ModsArgs, io: &mut Io) -> Result<Exit, Failure> {
    if args.mods.is_empty() {
        let message =
            String::from("name the house rules: --mod FILE, or the name of a shipped one, once for each");
        return Err(Failure::Usage(message));
    }
    let setup = SetupArgs { mods: args.mods.clone(), ..SetupArgs::default() };
    let loaded = setup::load_game(&args.game, &setup, io)?;
    let (rules, base) = read_rules(&loaded);
    let meetings = find_meetings(&rules);
    if args.format == Format::Json {
        io.write_line(&to_pretty_json(&to_json(&loaded, &rules, &base, &meetings)))?;
        return Ok(Exit::Fine);
    }
    for rule in &rules {
        let head = io.to_bold(&rule.title);
        let many = count_text(rule.entries.len(), "place");
        io.write_line(&format!("{head} changes {} in {many}", loaded.game.title()))?;
        for entry in &rule.entries {
            let place = io.to_faint(&place(&loaded, entry.span));
            io.write_line(&format!("  {}  {place}", first_line(&loaded, entry.span)))?;
        }
        io.write_line("")?;
    }
    for m in &meetings {
        let head = io.to_bold(&m.name);
        io.write_line(&format!("{head}: {}", m.told))?;
        for span in m.places {
            let place = io.to_faint(&place(&loaded, span));
            io.write_line(&format!("  {}  {place}", first_line(&loaded, span)))?;
        }
        io.write_line("")?;
    }
    if !args.brief {
        show_in_full(&loaded, &rules, &base, io)?;
    }
    Ok(Exit::Fine)
}

/// Each thing of the game that is changed: as the game declares it, and below that what each house rule makes of it.
fn show_in_full(
    loaded: &Loaded,
    rules: &[Rule],
    base: &BTreeMap<String, Span>,
    io: &mut Io,
) -> Result<(), Failure> {
    let mut names: Vec<(&String, &Span)> = base.iter().collect();
    names.sort_by_key(|(_, span)| (span.file.0, span.start));
    for (name, span) in names {
        let of: Vec<(&Rule, &Entry)> = rules
            .iter()
            .flat_map(|r| r.entries.iter().filter(|e| e.name == *name).map(move |e| (r, e)))
            .collect();
        if of.is_empty() {
            continue;
        }
        let mut parts = vec![(loaded.game.title().to_string(), *span)];
        parts.extend(of.iter().map(|(r, e)| (r.title.clone(), e.span)));
        for (title, span) in parts {
            let head = io.to_bold(&title);
            let place = io.to_faint(&place(loaded, span));
            io.write_line(&format!("{head}  {place}"))?;
            for line in whole_text(loaded, span).lines() {
                io.write_line(&format!("  {line}"))?;
            }
        }
        io.write_line("")?;
    }
    Ok(())
}

/// What each house rule says, in the order of loading; and where the game declares what has a name.
fn read_rules(loaded: &Loaded) -> (Vec<Rule>, BTreeMap<String, Span>) {
    let (mut rules, mut base) = (Vec::new(), BTreeMap::new());
    for (file, text) in loaded.game.files().iter().map(|(id, f)| (id, &f.text)) {
        let (tree, _) = read(file, text);
        for item in tree.items {
            if let ItemKind::Mod(m) = &item.kind {
                let title = m.title.literal().unwrap_or_default();
                let entries = m.items.iter().flat_map(list_entries).collect();
                rules.push(Rule { title, file, entries });
            } else {
                note_declared(&item, &mut base);
            }
        }
    }
    (rules, base)
}

/// The name that an entry of a text declares.
fn note_declared(item: &Item, base: &mut BTreeMap<String, Span>) {
    if let Some(name) = declared_name(item) {
        base.entry(name.text.clone()).or_insert(item.span);
    }
    match &item.kind {
        ItemKind::List(list) => {
            for row in &list.rows {
                if let RowName::Named(name) = &row.name {
                    base.entry(name.text.clone()).or_insert(row.span);
                }
            }
        }
        ItemKind::Player(_) => drop(base.entry(String::from("player")).or_insert(item.span)),
        ItemKind::Table(_) => drop(base.entry(String::from("table")).or_insert(item.span)),
        ItemKind::Setup(_) => drop(base.entry(String::from("setup")).or_insert(item.span)),
        ItemKind::Round(_) => drop(base.entry(String::from("round")).or_insert(item.span)),
        _ => {}
    }
}

fn declared_name(item: &Item) -> Option<&Name> {
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

/// What an entry of a house rule does; a test does nothing.
fn list_entries(item: &Item) -> Vec<Entry> {
    let span = item.span;
    let one = |touch: Touch, name: &str| Entry { touch, name: name.to_string(), span };
    match &item.kind {
        ItemKind::Test(_) => Vec::new(),
        ItemKind::Attach(attach) => {
            let heads = attach.heads.iter().filter_map(|h| h.path.last());
            heads.map(|name| one(touch_of(attach), &name.text)).collect()
        }
        ItemKind::Remove(names) => names.iter().map(|n| one(Touch::Remove, &n.text)).collect(),
        ItemKind::Change(c) => vec![match &c.target {
            ChangeTarget::Kind(name) | ChangeTarget::Member(name) => one(Touch::Change, &name.text),
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

/// Where two house rules touch one thing so that one of them has less to say, or nothing.
fn find_meetings(rules: &[Rule]) -> Vec<Meeting> {
    let mut out = Vec::new();
    for (i, newer) in rules.iter().enumerate() {
        for (older, a) in rules.iter().take(i).flat_map(|r| r.entries.iter().map(move |e| (r, e))) {
            for b in newer.entries.iter().filter(|b| b.name == a.name && !a.name.is_empty()) {
                let (old, new) = (&older.title, &newer.title);
                use Touch::*;
                let told = match (a.touch, b.touch) {
                    (Set, Set) => {
                        format!("both set it; {new} decides where both apply, as it is loaded later")
                    }
                    (Instead, Instead) => format!(
                        "both act in its place; {new} does, as it is loaded later, and its `proceed()` goes on to {old}"
                    ),
                    (Forbid, Instead | Beside) => format!("what {old} forbids {new} does not see happen"),
                    (Instead | Beside, Forbid) => format!("what {new} forbids {old} does not see happen"),
                    (Change, Change) => {
                        format!(
                            "both change it; what {new} says holds where both say the same of it, as it is loaded later"
                        )
                    }
                    (Remove, _) => format!("{old} removes it, and {new} speaks of it"),
                    (_, Remove) => format!("{new} removes it, and {old} speaks of it"),
                    _ => continue,
                };
                out.push(Meeting { name: a.name.clone(), told, places: [a.span, b.span] });
            }
        }
    }
    out
}

fn place(loaded: &Loaded, span: Span) -> String {
    report::place_text(&loaded.bundle, loaded.game.files(), span)
}

/// A declaration as it is written, its lines moved to the left alike.
fn whole_text(loaded: &Loaded, span: Span) -> String {
    let Some(file) = loaded.game.files().get(span.file) else { return String::new() };
    let (start, end) = (span.start as usize, span.end as usize);
    let indent =
        file.text.get(..start).map_or(0, |before| before.chars().rev().take_while(|c| *c == ' ').count());
    let text = file.text.get(start..end).unwrap_or_default();
    let cut = |line: &str| {
        let blanks = line.chars().take_while(|c| *c == ' ').count().min(indent);
        line.get(blanks..).unwrap_or(line).to_string()
    };
    text.lines().map(cut).collect::<Vec<_>>().join("\n")
}

/// The first line of a declaration, without the bracket that opens the rest.
fn first_line(loaded: &Loaded, span: Span) -> String {
    let text = whole_text(loaded, span);
    let line = text.lines().next().unwrap_or_default().trim_end();
    let more = text.lines().count() > 1;
    if more { format!("{} …", line.trim_end_matches('{').trim_end()) } else { line.to_string() }
}

/// For machines.
fn to_json(loaded: &Loaded, rules: &[Rule], base: &BTreeMap<String, Span>, meetings: &[Meeting]) -> Value {
    let text_of = |span: Span| json!({ "place": place(loaded, span), "text": whole_text(loaded, span) });
    let entry = |e: &Entry| {
        json!({
            "does": e.touch.key(), "name": e.name, "place": place(loaded, e.span), "text": whole_text(loaded, e.span),
            "base": base.get(&e.name).map(|span| text_of(*span)),
        })
    };
    let rule = |r: &Rule| {
        let file =
            loaded.game.files().get(r.file).map_or(String::new(), |f| loaded.bundle.shown_name(&f.name));
        json!({ "title": r.title, "file": file, "says": r.entries.iter().map(entry).collect::<Vec<_>>() })
    };
    let meeting = |m: &Meeting| json!({ "name": m.name, "told": m.told, "places": m.places.map(|span| place(loaded, span)) });
    json!({
        "version": 1, "game": loaded.bundle.name, "mods": rules.iter().map(rule).collect::<Vec<_>>(),
        "meetings": meetings.iter().map(meeting).collect::<Vec<_>>(),
    })
}
