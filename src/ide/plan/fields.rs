//! Plans edits of a form: writes or resets a field, adds or removes a declaration.
use super::place::{Sort, insert_line, items_of, title_of, trimmed, with_comments};
use super::{Desk, place, rewrite};
use crate::draw::{Field, FieldKey, FieldType, Origin, State, header_value};
use crate::edit::{EditSet, Offer, Refusal};
use houserule_syntax as syntax;
use houserule_syntax::ast::{self, Item, ItemKind};
use houserule_text::{FileId, Span};

/// The field of a sheet's form.
fn find_field(desk: &Desk<'_>, key: &FieldKey) -> Result<Field, Refusal> {
    desk.own_declaration()?;
    let all = crate::draw::fields_of(desk.analysis, &desk.layers);
    let found = all.into_iter().find(|f| f.key == *key);
    found.ok_or_else(|| Refusal::with_reason("there is no such field"))
}

/// Writes a field.
pub(super) fn set_text(ty: &FieldType, text: &str) -> String {
    match ty {
        FieldType::Text => format!(
            "\"{}\"",
            text.replace('\\', "\\\\").replace('"', "\\\"").replace('{', "\\{").replace('}', "\\}")
        ),
        _ => text.to_string(),
    }
}

/// Refuses a value that cannot stand there.
pub(super) fn check_value(desk: &Desk<'_>, label: &str, ty: &FieldType, text: &str) -> Result<(), Refusal> {
    let no = |why: String| Err(Refusal::with_reason(why));
    if text.contains(['\n', '\r']) {
        return no("a value must be written in one line".into());
    }
    let word = text.trim();
    if word.is_empty() && *ty != FieldType::Text {
        return no(format!("{} cannot be empty: reset it instead", label));
    }
    match ty {
        FieldType::Truth if !is_expression(word) => no(format!("write yes or no, not `{word}`")),
        FieldType::Number(a, b) => match word.parse::<i32>() {
            Ok(n) if !(*a..=*b).contains(&n) => no(format!("{} goes from {a} to {b}", label)),
            Ok(_) => Ok(()),
            Err(_) if is_expression(word) && word.parse::<i64>().is_err() => Ok(()),
            Err(_) => no(format!("`{word}` is not a number from {a} to {b}")),
        },
        FieldType::Bounds => {
            let number =
                |t: &str| t.parse::<u32>().is_ok_and(|n| n <= 64) && t.bytes().all(|b| b.is_ascii_digit());
            let sound = match word.split_once("..") {
                Some((a, b)) => number(a) && number(b) && a.parse::<u32>().ok() <= b.parse::<u32>().ok(),
                None => number(word),
            };
            if sound { Ok(()) } else { no(format!("`{word}` is not a number of people: write 2 or 2..4")) }
        }
        FieldType::Names(known) => {
            let mut all = word.split(" or ");
            if all.clone().all(|n| known.iter().any(|k| **k == *n.trim())) && all.next().is_some() {
                Ok(())
            } else {
                no(format!("`{word}` is not a part or scenario"))
            }
        }
        FieldType::Text if !is_title(&set_text(ty, text)) => no(format!("`{text}` cannot be a title")),
        FieldType::Text => Ok(()),
        _ if !is_expression(word) => no(format!("`{word}` cannot be read as a value")),
        FieldType::Words(known)
            if is_word(word) && !known.iter().any(|(w, _)| **w == *word) && !is_option(desk, word) =>
        {
            no(format!("`{word}` is not a word of {}", label))
        }
        _ => Ok(()),
    }
}

fn is_word(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

fn is_option(desk: &Desk<'_>, word: &str) -> bool {
    desk.analysis.model.options.iter().any(|o| *o.name == *word)
}

/// The items of a text that stands inside a scenario, a variant or a mod, if nothing is wrong with its form.
fn parse_as(text: &str) -> Option<Vec<Item>> {
    let whole = format!("scenario s \"\" for G {{\n{text}\n}}\n");
    let parsed = syntax::parse(FileId(0), &whole);
    if parsed.findings.iter().any(houserule_text::Diagnostic::is_error) || parsed.ast.items.len() != 1 {
        return None;
    }
    match parsed.ast.items.into_iter().next()?.kind {
        ItemKind::Scenario(s) => Some(s.items),
        _ => None,
    }
}

/// Whether a text is one expression, and nothing more that the text around it would swallow.
fn is_expression(text: &str) -> bool {
    let whole = parse_as(&format!("x = {text}"));
    let one = whole.as_deref().is_some_and(|i| matches!(i, [Item { kind: ItemKind::SetOption(_), .. }]));
    one && !text.contains('#')
}

fn is_title(quoted: &str) -> bool {
    let parsed = syntax::parse(FileId(0), &format!("scenario s {quoted} for G {{ }}\n"));
    let literal = |i: &Item| if let ItemKind::Scenario(s) = &i.kind { s.title.literal() } else { None };
    parsed.findings.iter().all(|f| !f.is_error())
        && parsed.ast.items.len() == 1
        && parsed.ast.items.first().and_then(literal).is_some()
}

/// Refuses a legend's row that cannot be read.
pub(super) fn check_row(desk: &Desk<'_>, map: &str, sign: &str, marks: &str) -> Result<(), Refusal> {
    let _ = desk;
    let items = parse_as(&format!("legend {map} {{ {sign}: {marks} }}"));
    let sound = match items.as_deref() {
        Some([Item { kind: ItemKind::Legend(l), .. }]) => {
            let one = l.rows.len() == 1 && !marks.contains(['\n', '#', ';']);
            one && l.rows.iter().all(|r| !r.bad && r.signs.iter().map(|s| s.text.as_str()).eq([sign]))
        }
        _ => false,
    };
    if sound {
        Ok(())
    } else {
        Err(Refusal::with_reason(format!("`{sign}: {marks}` cannot be read as a row of a legend")))
    }
}

/// Writes a field of the form.
pub(super) fn plan_set(desk: &Desk<'_>, key: &FieldKey, text: &str) -> Result<EditSet, Refusal> {
    let field = find_field(desk, key)?;
    let scenario = desk.own_declaration()?;
    let text = if field.ty == FieldType::Text { text } else { text.trim() };
    if field.state == State::Own && field.text == text {
        return Ok(EditSet::default());
    }
    check_value(desk, &field.label, &field.ty, text)?;
    desk.check_readable(scenario.span)?;
    // Said once more it would be said twice here, and would not hold.
    if let (Origin::FromOther(span), true) =
        (field.origin, items_of(scenario).iter().any(|i| is_setting(i, key)))
    {
        let why = format!(
            "{} is set in {}, but something that applies after it sets another value",
            field.label,
            title_of(scenario)
        );
        return Err(Refusal { why, offers: vec![desk.go_to(span)] });
    }
    let written = set_text(&field.ty, text);
    let label = format!("set {} of {} to {text}", field.label, title_of(scenario));
    let in_place = |span: Span| {
        let now = trimmed(desk.text_of(span.file), span).len();
        let start = span.start as usize;
        EditSet::from_edit(label.clone(), desk.make_edit(span.file, start..start + now, written.clone()))
    };
    match (field.state, field.origin) {
        (State::Own, Origin::Literal(span)) => Ok(in_place(span)),
        (State::Own, Origin::Computed(span)) => Err(Refusal {
            why: format!("{} is calculated: `{}`", field.label, field.text),
            offers: vec![desk.go_to(span), Offer::Instead(in_place(span))],
        }),
        _ => {
            let edit = match key {
                FieldKey::Title => {
                    return Err(Refusal::with_reason("a title can only be changed where it is written"));
                }
                FieldKey::With => {
                    let ItemKind::Scenario(s) = &scenario.kind else { return Ok(EditSet::default()) };
                    let at = s.game.span.end as usize;
                    desk.make_edit(scenario.span.file, at..at, format!(" with {written}"))
                }
                FieldKey::Seats => insert_line(desk, scenario, Sort::Header, &format!("seats {written}")),
                FieldKey::Players => insert_line(desk, scenario, Sort::Header, &format!("players {written}")),
                FieldKey::Option(name) => {
                    insert_line(desk, scenario, Sort::Option, &format!("{name} = {written}"))
                }
            };
            Ok(EditSet::from_edit(label, edit))
        }
    }
}

/// Whether a declaration sets an option or a line of the head.
fn is_setting(item: &Item, key: &FieldKey) -> bool {
    match (&item.kind, key) {
        (ItemKind::SetOption(s), FieldKey::Option(name)) => s.name.text == **name,
        (ItemKind::Header(h), _) => header_value(h, key).is_some(),
        _ => false,
    }
}

/// Takes out what is written here of a field.
pub(super) fn plan_reset(desk: &Desk<'_>, key: &FieldKey) -> Result<EditSet, Refusal> {
    let field = find_field(desk, key)?;
    let scenario = desk.own_declaration()?;
    if field.state != State::Own && !items_of(scenario).iter().any(|i| is_setting(i, key)) {
        return Ok(EditSet::default());
    }
    desk.check_readable(scenario.span)?;
    let label = format!("reset {} of {}", field.label, title_of(scenario));
    let file = scenario.span.file;
    match key {
        FieldKey::Title => Err(Refusal::with_reason("a title cannot be reset: write another one")),
        FieldKey::With => {
            let ItemKind::Scenario(s) = &scenario.kind else { return Ok(EditSet::default()) };
            let Some(last) = s.with.last() else { return Ok(EditSet::default()) };
            Ok(EditSet::from_edit(
                label,
                desk.make_edit(file, s.game.span.end as usize..last.span.end as usize, ""),
            ))
        }
        _ => {
            let mut edits = Vec::new();
            for i in items_of(scenario).iter().filter(|i| is_setting(i, key)) {
                edits.push(desk.make_edit(file, removed_range(desk, scenario, i), ""));
            }
            super::to_edit_set(label, edits)
        }
    }
}

/// Writes a field of several forms, or resets it in all of them; if it cannot be done in one, it is done in none.
pub(super) fn set_all(all: &[Desk<'_>], key: &FieldKey, text: Option<&str>) -> Result<EditSet, Refusal> {
    if let ([_, _, ..], FieldKey::Title) = (all, key) {
        return Err(Refusal::with_reason("each scenario needs its own title"));
    }
    let (mut edits, mut touched) = (Vec::new(), 0);
    let mut label = String::new();
    let mut seen: Vec<Span> = Vec::new();
    for desk in all {
        let scenario = desk.own_declaration()?;
        // One scenario may be named twice, built on this and on that.
        if seen.contains(&scenario.span) {
            continue;
        }
        seen.push(scenario.span);
        // Of several those that have the value anyway, by whatever they are built on, are left as they are.
        let has =
            |t: &str| find_field(desk, key).is_ok_and(|f| f.state != State::Unset && f.text == t.trim());
        if all.len() > 1 && text.is_some_and(has) {
            continue;
        }
        let done = match text {
            Some(text) => plan_set(desk, key, text),
            None => plan_reset(desk, key),
        };
        let one = done.map_err(|r| {
            let why = format!("{}: {}", title_of(scenario), r.why);
            Refusal { why, offers: r.offers }
        })?;
        touched += usize::from(!one.is_empty());
        edits.extend(one.edits().iter().cloned());
        if label.is_empty() {
            label = one.label;
        }
    }
    if let (Some(desk), true) = (all.first(), touched > 1) {
        let name = find_field(desk, key)?.label;
        label = match text {
            Some(text) => format!("set {name} of {touched} scenarios to {}", text.trim()),
            None => format!("reset {name} of {touched} scenarios"),
        };
    }
    super::to_edit_set(label, edits)
}

/// The bytes that go with an item of a scenario.
fn removed_range(desk: &Desk<'_>, scenario: &Item, item: &Item) -> std::ops::Range<usize> {
    with_comments(
        desk,
        item.span,
        item.doc.as_ref().map(|d| d.span),
        Some(place::end_of_opening(desk, scenario)),
    )
}

/// Adds a declaration behind the last one.
pub(super) fn add_item(desk: &Desk<'_>, text: &str) -> Result<EditSet, Refusal> {
    let scenario = desk.own_declaration()?;
    desk.check_readable(scenario.span)?;
    let text = text.trim();
    let items = read_items(text)?;
    let of = items.first().map_or(Sort::Other, |i| match &i.kind {
        ItemKind::Header(_) => Sort::Header,
        ItemKind::SetOption(_) => Sort::Option,
        ItemKind::Map(_) => Sort::Map,
        ItemKind::Legend(_) => Sort::Legend,
        _ => Sort::Other,
    });
    let label = format!("add `{}` to {}", first_line(text), title_of(scenario));
    Ok(EditSet::from_edit(label, insert_line(desk, scenario, of, text)))
}

/// Writes a declaration anew.
pub(super) fn set_item(desk: &Desk<'_>, item: usize, text: &str) -> Result<EditSet, Refusal> {
    let scenario = desk.own_declaration()?;
    desk.check_readable(scenario.span)?;
    let Some(old) = items_of(scenario).get(item) else {
        return Err(Refusal::with_reason("there is no such declaration"));
    };
    let text = text.trim();
    let now = trimmed(desk.text_of(old.span.file), old.span);
    if now == text {
        return Ok(EditSet::default());
    }
    read_items(text)?;
    let label = format!("write `{}` in {}", first_line(text), title_of(scenario));
    let start = old.span.start as usize;
    match rewrite::rewrite_around_remarks(now, text) {
        Some(edits) => {
            let at = |e: rewrite::Piece| {
                desk.make_edit(old.span.file, start + e.range.start..start + e.range.end, e.text)
            };
            super::to_edit_set(label, edits.into_iter().map(at).collect())
        }
        None => {
            let why = "the comments inside it would be lost: change it in the text";
            Err(Refusal { why: why.into(), offers: vec![desk.go_to(old.span)] })
        }
    }
}

/// Takes a declaration out.
pub(super) fn remove_item(desk: &Desk<'_>, item: usize) -> Result<EditSet, Refusal> {
    let scenario = desk.own_declaration()?;
    desk.check_readable(scenario.span)?;
    let Some(old) = items_of(scenario).get(item) else {
        return Err(Refusal::with_reason("there is no such declaration"));
    };
    let label = format!(
        "take `{}` out of {}",
        first_line(trimmed(desk.text_of(old.span.file), old.span)),
        title_of(scenario)
    );
    Ok(EditSet::from_edit(label, desk.make_edit(old.span.file, removed_range(desk, scenario, old), "")))
}

fn first_line(text: &str) -> String {
    let line = text.lines().next().unwrap_or("").trim_end_matches(['{', ' ']);
    if line.chars().count() > 40 {
        format!("{}…", line.chars().take(40).collect::<String>())
    } else {
        line.to_string()
    }
}

/// One declaration, and nothing that would swallow what stands behind it.
fn read_items(text: &str) -> Result<Vec<Item>, Refusal> {
    let sound = |i: &ast::Item| !matches!(i.kind, ItemKind::Bad) && !i.span.range().is_empty();
    match parse_as(text) {
        Some(items) if items.len() == 1 && items.iter().all(sound) && !text.trim_end().ends_with('#') => {
            // A remark at its end would be fine alone, but what follows in the line would be lost in it.
            let last = text.lines().last().unwrap_or("");
            if is_syntax_comment(last) {
                Err(Refusal::with_reason("write comments in the text"))
            } else {
                Ok(items)
            }
        }
        _ => Err(Refusal::with_reason(format!("`{}` cannot be read as one declaration", first_line(text)))),
    }
}

fn is_syntax_comment(line: &str) -> bool {
    let parsed = syntax::parse(FileId(0), line);
    parsed.tree.tokens().iter().any(|t| matches!(t.kind, syntax::TokenKind::Comment | syntax::TokenKind::Doc))
}
