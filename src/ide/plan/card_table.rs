//! Compares a table with the cards of a kind, and plans what it changes as one set of edits. Empty values, unknown columns and cards that the table does not name are left alone.
use super::card_row::list_bars;
use super::card_text::{check_name, put_behind};
use super::cards::{Subject, is_foreign, plan_changes, written_text};
use super::fields::check_value;
use super::place::{end_of_opening, eol, indent_of, line_end_behind, trimmed};
use super::{Desk, to_edit_set};
use crate::analysis::Analysis;
use crate::cards::{
    CardField, CardId, CardKey, CardTable, Form, TableFault, TableRow, Texts, find_member, list_card_fields,
    list_kind_fields,
};
use crate::draw::{FieldType, Origin, SheetId, State};
use crate::edit::{Edit, EditSet, Refusal};
use houserule_model::hir::{KindId, MemberId};
use houserule_syntax::ast::{Item, ItemKind, ListDecl};
use std::sync::Arc;

/// What a table changes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TableDiff {
    /// Cards that are new, in the order of the table.
    pub added: Vec<AddedCard>,
    /// Cards of which a value differs.
    pub changed: Vec<ChangedCard>,
    /// How many cards of the table are as it says.
    pub same: usize,
    /// Columns that are no attribute of the kind: left out.
    pub unknown_columns: Vec<String>,
    /// Values that cannot be taken, each with its line and column: left out.
    pub left_out: Vec<TableFault>,
    /// Cards of the kind that the table does not name: they stay as they are.
    pub absent: Vec<Arc<str>>,
}

impl TableDiff {
    /// Whether an import would change nothing.
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.changed.is_empty()
    }
}

/// A card that a table adds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AddedCard {
    /// Its name.
    pub name: String,
    /// What it gets.
    pub values: Vec<(CardKey, String)>,
}

/// A card that a table changes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChangedCard {
    /// Which.
    pub id: CardId,
    /// What.
    pub values: Vec<ChangedValue>,
}

/// A value that a table changes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChangedValue {
    /// Which field.
    pub key: CardKey,
    /// What it is called.
    pub label: String,
    /// As it is.
    pub old: String,
    /// As the table has it.
    pub new: String,
}

/// Compares a table with the cards of a kind.
pub fn compare_table(analysis: &Analysis, kind: &str, table: &CardTable) -> TableDiff {
    match Desk::from_sheet(analysis, &SheetId::Game) {
        Ok(desk) => compare(&desk, kind, table),
        Err(_) => TableDiff::default(),
    }
}

/// The field of which a column is.
fn key_of(head: &str, fields: &[CardField]) -> Option<CardKey> {
    let is = |f: &&CardField| match &f.key {
        CardKey::Title => head == "title",
        CardKey::Copies => head == "copies",
        CardKey::Value(name) => name.to_lowercase() == head,
    };
    fields.iter().find(is).map(|f| f.key.clone())
}

/// A value of a table as the rules write it: spreadsheets say TRUE for `yes`.
fn read_value(field: &CardField, cell: &str) -> String {
    match (&field.ty, cell.to_lowercase().as_str()) {
        (FieldType::Truth, "true") => String::from("yes"),
        (FieldType::Truth, "false") => String::from("no"),
        _ => cell.to_string(),
    }
}

fn compare(desk: &Desk<'_>, kind: &str, table: &CardTable) -> TableDiff {
    let model = &desk.analysis.model;
    let mut out = TableDiff::default();
    let Some(k) = model.kinds.iter().position(|k| *k.name == *kind).map(|n| KindId(n as u32)) else {
        return out;
    };
    let blank = blank_fields(desk.analysis, k);
    out.unknown_columns = table.columns.iter().filter(|c| key_of(c, &blank).is_none()).cloned().collect();
    for row in &table.rows {
        let id = CardId { kind: kind.into(), name: row.name.as_str().into(), key: None };
        match find_member(model, &id) {
            Some((_, member)) if member.family.is_some() => {
                let why = format!("`{}` is a family: change it in the text", row.name);
                out.left_out.push(TableFault { line: row.line, column: 0, head: String::new(), why });
            }
            Some(_) => {
                let fields = list_card_fields(desk.analysis, &id);
                let values = changed_values(desk, table, row, &fields, &mut out.left_out);
                match values.is_empty() {
                    true => out.same += 1,
                    false => out.changed.push(ChangedCard { id, values }),
                }
            }
            None => match check_name(desk.analysis, &row.name) {
                Ok(()) => {
                    let values = changed_values(desk, table, row, &blank, &mut out.left_out);
                    let values = values.into_iter().map(|v| (v.key, v.new)).collect();
                    out.added.push(AddedCard { name: row.name.clone(), values });
                }
                Err(refusal) => out.left_out.push(TableFault {
                    line: row.line,
                    column: 0,
                    head: String::new(),
                    why: format!("{}: this card is left out", refusal.why),
                }),
            },
        }
    }
    let members = model.kinds.get(k.index()).map_or(&[][..], |k| &k.members);
    let names =
        members.iter().filter_map(|m: &MemberId| model.members.get(m.index())).map(|m| m.name.clone());
    out.absent = names.filter(|n| !table.rows.iter().any(|r| r.name == **n)).collect();
    out
}

/// The values of a row that differ from those of a card and can be written.
fn changed_values(
    desk: &Desk<'_>,
    table: &CardTable,
    row: &TableRow,
    fields: &[CardField],
    faults: &mut Vec<TableFault>,
) -> Vec<ChangedValue> {
    let mut out = Vec::new();
    for (n, (head, cell)) in table.columns.iter().zip(&row.cells).enumerate() {
        let Some(key) = key_of(head, fields).filter(|_| !cell.is_empty()) else { continue };
        let Some(field) = fields.iter().find(|f| f.key == key) else { continue };
        let new = read_value(field, cell);
        if field.state != State::Unset && field.text == new {
            continue;
        }
        let mut leave = |why: String| {
            let column = table.numbers.get(n).copied().unwrap_or(0);
            faults.push(TableFault { line: row.line, column, head: head.clone(), why });
        };
        if is_foreign(field) {
            leave(format!("{} of {} is {}: left as it is", field.label, row.name, field.note));
        } else if matches!(field.origin, Origin::Computed(_)) {
            leave(format!("{} of {} is calculated, `{}`: left as it is", field.label, row.name, field.text));
        } else if let Err(refusal) = check_value(desk, &field.label, &field.ty, &new) {
            leave(format!("{}: left out", refusal.why));
        } else {
            let (label, old) = (field.label.clone(), field.text.clone());
            out.push(ChangedValue { key, label, old, new });
        }
    }
    out
}

/// The fields of a card of a kind of which nothing is written.
fn blank_fields(analysis: &Analysis, kind: KindId) -> Vec<CardField> {
    let blank = |key: CardKey, label: &str, ty: FieldType, text: &str, state: State| CardField {
        key,
        label: label.to_string(),
        doc: None,
        ty,
        text: text.to_string(),
        shown: None,
        state,
        note: String::new(),
        origin: Origin::Default(None),
    };
    let mut out = vec![
        blank(CardKey::Title, "Title", FieldType::Text, "", State::Unset),
        blank(CardKey::Copies, "Copies", FieldType::Number(0, 1000), "1", State::Default),
    ];
    let texts = Texts::from_analysis(analysis);
    for f in list_kind_fields(analysis, kind) {
        out.push(f.to_blank(&texts));
    }
    out
}

/// Writes what a table changes.
pub(super) fn plan_import(
    desk: &Desk<'_>,
    kind: &str,
    table: &CardTable,
    what: &str,
) -> Result<EditSet, Refusal> {
    let diff = compare(desk, kind, table);
    let count = |n: usize, word: &str| (n > 0).then(|| format!("{n} {word}"));
    let told = [count(diff.added.len(), "added"), count(diff.changed.len(), "changed")];
    let label = format!("{what}: {}", told.into_iter().flatten().collect::<Vec<_>>().join(", "));
    let mut edits = Vec::new();
    for card in &diff.changed {
        let subject = Subject::find(desk, &card.id)?;
        let changes: Vec<_> = card.values.iter().map(|v| (v.key.clone(), Some(v.new.clone()))).collect();
        let done = plan_changes(desk, &subject, &changes, &label);
        edits.extend(done.map_err(|r| Refusal { why: format!("{}: {}", card.id, r.why), offers: r.offers })?);
    }
    if !diff.added.is_empty() {
        add_cards(desk, kind, &diff.added, &mut edits)?;
    }
    to_edit_set(label, edits)
}

/// Where new cards go: behind the last one of the kind, else behind the kind.
struct Anchor<'a> {
    item: &'a Item,
    /// The list and its last row, where the last card stands in a list.
    list: Option<&'a ListDecl>,
}

fn find_anchor<'a>(desk: &Desk<'a>, kind: KindId) -> Result<Anchor<'a>, Refusal> {
    let model = &desk.analysis.model;
    let texts = Texts::from_analysis(desk.analysis);
    let members = model.kinds.get(kind.index()).map_or(&[][..], |k| &k.members);
    let mut found = members.iter().filter_map(|m| texts.find(model.members.get(m.index())?)).map(|d| d.own);
    // Cards of a mod or a scenario are none of the game's.
    if let Some(last) = found.rfind(|s| s.outer.is_none()) {
        let list = if let Form::Row(list, _) = last.form { Some(list) } else { None };
        return Ok(Anchor { item: last.item, list });
    }
    let name = model.kinds.get(kind.index()).map_or("", |k| &k.name);
    let mut items = desk.analysis.asts.iter().flat_map(|f| &f.items);
    let is = |i: &&Item| match &i.kind {
        ItemKind::Component(c) => c.name.text == name,
        ItemKind::Patch(p) => p.name.text == name,
        _ => false,
    };
    let item = items.find(is).ok_or_else(|| Refusal::with_reason(format!("there is no kind {name}")))?;
    Ok(Anchor { item, list: None })
}

fn add_cards(desk: &Desk<'_>, kind: &str, added: &[AddedCard], edits: &mut Vec<Edit>) -> Result<(), Refusal> {
    let model = &desk.analysis.model;
    let k = model.kinds.iter().position(|k| *k.name == *kind).map(|n| KindId(n as u32));
    let k = k.ok_or_else(|| Refusal::with_reason(format!("there is no kind {kind}")))?;
    let anchor = find_anchor(desk, k)?;
    let file = anchor.item.span.file;
    desk.check_readable(anchor.item.span)?;
    let text = desk.text_of(file);
    let blank = blank_fields(desk.analysis, k);
    let fills: Vec<Arc<str>> =
        list_kind_fields(desk.analysis, k).into_iter().filter(|f| f.fills).map(|f| f.name).collect();
    let write = |key: &CardKey, value: &str| {
        let field = blank.iter().find(|f| f.key == *key);
        field.map_or_else(|| value.to_string(), |f| written_text(f, value))
    };
    let end = anchor.item.span.start as usize + trimmed(text, anchor.item.span).len();
    for card in added {
        let value = |key: &CardKey| card.values.iter().find(|(k, _)| k == key).map(|(k, v)| write(k, v));
        let mut head = String::new();
        head.push_str(&card.name);
        if let Some(title) = value(&CardKey::Title) {
            head.push_str(&format!(" {title}"));
        }
        if let Some(copies) = value(&CardKey::Copies) {
            head.push_str(&format!(" x{copies}"));
        }
        let named = |key: &CardKey| if let CardKey::Value(name) = key { Some(name.clone()) } else { None };
        let own: Vec<(Arc<str>, String)> =
            card.values.iter().filter_map(|(k, v)| Some((named(k)?, write(k, v)))).collect();
        let body = |entries: &[&(Arc<str>, String)]| {
            let all = entries.iter().map(|(name, v)| match fills.contains(name) {
                true => format!("{name} = {v}"),
                false => format!("{name}: {v}"),
            });
            let all: Vec<String> = all.collect();
            if all.is_empty() { String::new() } else { format!(" {{ {} }}", all.join("; ")) }
        };
        // A row of the list, if the table has a value for each of its columns.
        let cells = anchor.list.and_then(|list| {
            let cell = |c: &houserule_syntax::ast::Name| own.iter().find(|(name, _)| **name == *c.text);
            list.columns.iter().map(cell).collect::<Option<Vec<_>>>()
        });
        if let (Some(list), Some(cells)) = (anchor.list, cells) {
            let rest: Vec<&(Arc<str>, String)> =
                own.iter().filter(|(name, _)| !list.columns.iter().any(|c| c.text == **name)).collect();
            let cells: Vec<&str> = cells.iter().map(|(_, v)| v.as_str()).collect();
            let row = format!("{}{}", lay_out_row(desk, list, &head, &cells), body(&rest));
            edits.push(add_row(desk, anchor.item, list, &row));
        } else {
            let made = format!("{kind} {head}{}", body(&own.iter().collect::<Vec<_>>()));
            edits.push(put_behind(desk, anchor.item.span, end, &made));
        }
    }
    Ok(())
}

/// A row whose bars stand as those of the last row, where there is room.
fn lay_out_row(desk: &Desk<'_>, list: &ListDecl, head: &str, cells: &[&str]) -> String {
    let last = list.rows.last();
    let text = last.map_or("", |r| desk.text_of(r.span.file));
    let start = last.map_or(0, |r| r.span.start as usize);
    let bars = last.map(|r| list_bars(desk, r)).unwrap_or_default();
    let column = |n: usize| bars.get(n).and_then(|b| text.get(start..*b)).map_or(0, |t| t.chars().count());
    let mut out = head.to_string();
    for (n, cell) in cells.iter().enumerate() {
        let gap = column(n).saturating_sub(out.chars().count()).max(1);
        out.push_str(&format!("{}| {cell}", " ".repeat(gap)));
    }
    out
}

/// Puts a row behind the last one of a list.
fn add_row(desk: &Desk<'_>, item: &Item, list: &ListDecl, row: &str) -> Edit {
    let file = item.span.file;
    let text = desk.text_of(file);
    match list.rows.last() {
        Some(last) => {
            let end = last.span.start as usize + trimmed(text, last.span).len();
            put_behind(desk, last.span, end, row)
        }
        None => {
            let open = end_of_opening(desk, item);
            let indent = indent_of(text, item.span.start as usize);
            let at = line_end_behind(desk, file, open).unwrap_or(open);
            let tail = if at == open && !text.get(open..).is_some_and(|t| t.starts_with(['\r', '\n'])) {
                format!("{}{indent}", eol(text))
            } else {
                String::new()
            };
            desk.make_edit(file, at..at, format!("{}{indent}  {row}{tail}", eol(text)))
        }
    }
}
