//! `mods`: what house rules change of a game, one by one and in full, and where two of them meet.
use super::args::{Format, ModsArgs, SetupArgs};
use super::explain::to_pretty_json;
use super::io::{Exit, Failure, Io};
use super::report;
use super::setup::{self, Loaded};
use super::sim::figures::count_text;
use houserule_model::meetings::{Entry, Meeting, ModText, declared_name, find_meetings, list_entries};
use houserule_syntax::ast::{Item, ItemKind, RowName};
use houserule_syntax::read;
use houserule_text::{FileId, Span};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A house rule.
struct Rule {
    title: String,
    file: FileId,
    entries: Vec<Entry>,
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
    let (rules, meetings, base) = read_rules(&loaded);
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

/// What each house rule says, the oldest first; where two of them meet; and where the game declares what has a name.
fn read_rules(loaded: &Loaded) -> (Vec<Rule>, Vec<Meeting>, BTreeMap<String, Span>) {
    let mut base = BTreeMap::new();
    let trees: Vec<_> = loaded.game.files().iter().map(|(id, f)| read(id, &f.text).0).collect();
    let mut texts: Vec<ModText<'_>> = Vec::new();
    for item in trees.iter().flat_map(|tree| &tree.items) {
        match &item.kind {
            ItemKind::Mod(text) => texts.push(ModText { text, span: item.span }),
            _ => note_declared(item, &mut base),
        }
    }
    // The checker has put them into order.
    let scopes = &loaded.game.model().scopes;
    texts.sort_by_key(|m| scopes.iter().position(|s| s.extent == m.span));
    let rule = |m: &ModText<'_>| {
        let title = m.text.title.literal().unwrap_or_default();
        Rule { title, file: m.span.file, entries: list_entries(m.text) }
    };
    (texts.iter().map(rule).collect(), find_meetings(&texts), base)
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
