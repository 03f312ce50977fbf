//! Plans changes of a card's fields: each is one small edit of the text that declares the card. What a family, a mod or another declaration sets is refused, with the way there.
//!
//! ```text
//! Card queen "Queen" { rank: 9 }                 # `suit` is set
//! Card queen "Queen" { rank: 9; suit: suns }     # `rank` is reset
//! Card queen "Queen" { suit: suns }
//! ```
use super::card_row::{Piece, keep_columns, list_bars};
use super::fields::{check_value, set_text};
use super::place::{eol, indent_of, line_end_behind, line_start, trimmed, with_comments};
use super::{Desk, to_edit_set};
use crate::cards::{
    CardField, CardId, CardKey, Declared, Form, KindField, Place, Texts, find_member, find_written,
    list_card_fields, list_kind_fields,
};
use crate::draw::{FieldType, Origin, State};
use crate::edit::{Edit, EditSet, Offer, Refusal};
use houserule_syntax::TokenKind;
use houserule_syntax::ast::{Cell, ItemKind, Member, PartKind};
use houserule_text::{FileId, Span};

/// A card with what its texts say.
pub(super) struct Subject<'a> {
    /// What its texts say.
    pub declared: Declared<'a>,
    /// Its form.
    pub fields: Vec<CardField>,
    form: Vec<KindField>,
}

impl<'a> Subject<'a> {
    /// Looks a card up.
    pub fn find(desk: &Desk<'a>, id: &CardId) -> Result<Subject<'a>, Refusal> {
        let none = || Refusal::with_reason(format!("there is no card {id} that can be read"));
        let (_, member) = find_member(&desk.analysis.model, id).ok_or_else(none)?;
        let texts = Texts::from_analysis(desk.analysis);
        let declared = texts.find(member).ok_or_else(none)?;
        let fields = list_card_fields(desk.analysis, id);
        Ok(Subject { declared, fields, form: list_kind_fields(desk.analysis, member.kind) })
    }

    fn field(&self, key: &CardKey) -> Result<&CardField, Refusal> {
        let found = self.fields.iter().find(|f| f.key == *key);
        found.ok_or_else(|| Refusal::with_reason("there is no such field"))
    }

    fn file(&self) -> FileId {
        self.declared.own.span().file
    }
}

/// Writes a field of a card; no text resets it.
pub(super) fn plan_set(
    desk: &Desk<'_>,
    id: &CardId,
    key: &CardKey,
    text: Option<&String>,
) -> Result<EditSet, Refusal> {
    let subject = Subject::find(desk, id)?;
    let label = match text {
        Some(text) => format!("set {} of {id} to {}", subject.field(key)?.label, text.trim()),
        None => format!("reset {} of {id}", subject.field(key)?.label),
    };
    let edits = plan_changes(desk, &subject, &[(key.clone(), text.cloned())], &label)?;
    to_edit_set(label, edits)
}

/// Writes and resets fields of one card; entries that are new come together.
pub(super) fn plan_changes(
    desk: &Desk<'_>,
    subject: &Subject<'_>,
    changes: &[(CardKey, Option<String>)],
    label: &str,
) -> Result<Vec<Edit>, Refusal> {
    let file = subject.file();
    let mut pieces: Vec<Piece> = Vec::new();
    let mut entries: Vec<String> = Vec::new();
    for (key, text) in changes {
        let field = subject.field(key)?;
        match text {
            Some(text) => {
                let text = if field.ty == FieldType::Text { text.as_str() } else { text.trim() };
                if field.state != State::Unset && field.text == text {
                    continue;
                }
                desk.check_readable(subject.declared.span())?;
                check_value(desk, &field.label, &field.ty, text)?;
                write_field(desk, subject, field, text, label, &mut pieces, &mut entries)?;
            }
            None => reset_field(desk, subject, field, &mut pieces)?,
        }
    }
    if !entries.is_empty() {
        add_entries(desk, subject, &entries, &mut pieces);
    }
    if let Form::Row(_, row) = subject.declared.own.form {
        keep_columns(desk, row, &mut pieces);
    }
    Ok(pieces.into_iter().map(|(range, text)| desk.make_edit(file, range, text)).collect())
}

/// The text of a field as it stands in the rules.
pub(super) fn written_text(field: &CardField, text: &str) -> String {
    match field.key {
        CardKey::Copies if !text.bytes().all(|b| b.is_ascii_digit()) && !text.starts_with('(') => {
            format!("({text})")
        }
        _ => set_text(&field.ty, text),
    }
}

fn write_field(
    desk: &Desk<'_>,
    subject: &Subject<'_>,
    field: &CardField,
    text: &str,
    label: &str,
    pieces: &mut Vec<Piece>,
    entries: &mut Vec<String>,
) -> Result<(), Refusal> {
    let written = written_text(field, text);
    let own = subject.declared.own;
    let replaced = |span: Span| {
        let start = span.start as usize;
        (start..start + trimmed(desk.text_of(span.file), span).len(), written.clone())
    };
    let instead = |span: Span, label: String| {
        let (range, text) = replaced(span);
        Offer::Instead(EditSet::from_edit(label, desk.make_edit(span.file, range, text)))
    };
    match field.origin {
        Origin::Literal(span) => {
            let given = if let Form::Member(m) = own.form { m.given.as_slice() } else { &[] };
            let plain = written.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
            if given.iter().any(|e| e.span == span) && !plain {
                let why =
                    format!("{} stands behind the name, where only numbers and words may stand", field.label);
                return Err(Refusal { why, offers: vec![desk.go_to(span)] });
            }
            pieces.push(replaced(span));
        }
        Origin::Computed(span) => {
            return Err(Refusal {
                why: format!("{} is calculated: `{}`", field.label, field.text),
                offers: vec![desk.go_to(span), instead(span, label.to_string())],
            });
        }
        Origin::FromOther(span) if is_foreign(field) => {
            let mut offers = vec![desk.go_to(span)];
            let within = |s: Span| s.file == span.file && s.start <= span.start && span.end <= s.end;
            if subject.declared.is_family() && within(own.item.span) {
                offers.push(instead(span, format!("{label}, and of all cards of the family")));
            }
            return Err(Refusal { why: format!("{} is {}", field.label, field.note), offers });
        }
        _ if subject.declared.is_family() => {
            let why = format!("the family declares {} for all its cards: change it in the text", field.label);
            return Err(Refusal { why, offers: vec![desk.go_to(own.item.span)] });
        }
        _ => match &field.key {
            CardKey::Title => pieces.push((end_of_name(desk, subject)?, format!(" {written}"))),
            CardKey::Copies => pieces.push((end_of_title(desk, subject)?, format!(" x{written}"))),
            CardKey::Value(name) => {
                let fills = subject.form.iter().any(|f| f.name == *name && f.fills);
                let sign = if fills { " =" } else { ":" };
                entries.push(format!("{name}{sign} {written}"));
            }
        },
    }
    Ok(())
}

/// Whether something else than the card and its kinds sets a field.
pub(super) fn is_foreign(field: &CardField) -> bool {
    field.state == State::Inherited && !field.note.starts_with("set by the kind")
}

/// Where a title is put: behind the name.
fn end_of_name(desk: &Desk<'_>, subject: &Subject<'_>) -> Result<std::ops::Range<usize>, Refusal> {
    use houserule_syntax::ast::RowName;
    let end = match subject.declared.own.form {
        Form::Member(m) => m.name.span.end,
        Form::More(_, m) => m.name.span.end,
        Form::Row(_, row) => match &row.name {
            RowName::Named(n) => n.span.end,
            RowName::Number(n) => n.span.end,
            RowName::Unnamed => return Err(refuse_nameless(desk, subject)),
        },
        Form::Change(_) => return Err(refuse_nameless(desk, subject)),
    } as usize;
    Ok(end..end)
}

/// Where copies are put: behind the title, else behind the name.
fn end_of_title(desk: &Desk<'_>, subject: &Subject<'_>) -> Result<std::ops::Range<usize>, Refusal> {
    let title = match subject.declared.own.form {
        Form::Member(m) => m.title.as_ref(),
        Form::More(_, m) => m.title.as_ref(),
        Form::Row(_, row) => row.title.as_ref(),
        Form::Change(_) => None,
    };
    match title {
        Some(t) => Ok(t.span.end as usize..t.span.end as usize),
        None => end_of_name(desk, subject),
    }
}

/// Why a row without a name is not changed here.
pub(super) fn refuse_nameless(desk: &Desk<'_>, subject: &Subject<'_>) -> Refusal {
    let span = subject.declared.own.span();
    let why = "this row of the list has no name: give it one in the text";
    Refusal { why: why.into(), offers: vec![desk.go_to(span)] }
}

/// A body in braces: behind its first brace, and its last one.
struct Body {
    open: usize,
    close: usize,
}

/// The braces of the entries of a declaration, if it has some.
fn find_body(desk: &Desk<'_>, subject: &Subject<'_>) -> Option<Body> {
    let own = subject.declared.own;
    let file = own.item.span.file;
    let text = desk.text_of(file);
    let (from, to) = match own.form {
        Form::Member(m) => (head_end(desk, m), own.item.span.end as usize),
        Form::Row(_, row) => {
            (cells_end(desk, subject).unwrap_or(row.span.start as usize), row.span.end as usize)
        }
        Form::More(..) | Form::Change(_) => return None,
    };
    let tree = desk.analysis.trees.get(file.0 as usize)?;
    let inside = tree.tokens().iter().filter(|t| from <= t.start as usize && t.end as usize <= to);
    let slice = |t: &houserule_syntax::Token| text.get(t.start as usize..t.end as usize);
    let brace = |t: &&houserule_syntax::Token| matches!(slice(t), Some("{" | "}"));
    let brackets: Vec<_> = inside.filter(|t| t.kind == TokenKind::Bracket).filter(brace).collect();
    let open = brackets.first().filter(|t| slice(t) == Some("{"))?;
    let close = brackets.last().filter(|t| slice(t) == Some("}"))?;
    Some(Body { open: open.end as usize, close: close.start as usize })
}

/// The end of what stands before the braces of a member.
fn head_end(desk: &Desk<'_>, m: &Member) -> usize {
    let mut end = m.name.span.end;
    end = m.params.iter().flatten().map(|p| p.span.end).fold(end, u32::max);
    end = m.title.iter().map(|t| t.span.end).fold(end, u32::max);
    end = m.copies.iter().chain(&m.given).map(|e| e.span.end).fold(end, u32::max);
    // The bracket of a family or of copies may close behind its last part.
    let text = desk.text_of(m.name.span.file);
    let rest = text.get(end as usize..).unwrap_or("");
    let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    match rest.get(blanks..).is_some_and(|r| r.starts_with(')')) {
        true => end as usize + blanks + 1,
        false => {
            let own = text.get(m.name.span.start as usize..end as usize).unwrap_or("");
            m.name.span.start as usize + own.trim_end().len()
        }
    }
}

/// The end of the last cell of a row.
fn cells_end(desk: &Desk<'_>, subject: &Subject<'_>) -> Option<usize> {
    let Form::Row(_, row) = subject.declared.own.form else { return None };
    let text = desk.text_of(row.span.file);
    let last_bar = list_bars(desk, row).get(row.cells.len().checked_sub(1)?).copied()?;
    let end = match row.cells.last()? {
        Cell::Marks(marks) => marks.last().map(|m| m.span).map(|s| s.start as usize + trimmed(text, s).len()),
        Cell::Rule(f) => Some(f.body.span.end as usize),
    };
    Some(end.unwrap_or(last_bar + 1))
}

/// Puts entries into the braces of a card, or makes them.
fn add_entries(desk: &Desk<'_>, subject: &Subject<'_>, entries: &[String], pieces: &mut Vec<Piece>) {
    let own = subject.declared.own;
    let file = own.item.span.file;
    let text = desk.text_of(file);
    let inline = entries.join("; ");
    let body_text = format!(" {{ {inline} }}");
    if let Form::Member(m) = own.form
        && !m.more.is_empty()
    {
        // The others of the line get one of their own.
        let end = own.span().end as usize;
        return split_line(desk, m, end, true, &body_text, pieces);
    }
    if let Form::More(m, more) = own.form {
        let end = more.span.start as usize + trimmed(text, more.span).len();
        let before = more.span.start as usize;
        let kind = &m.kind.text;
        let indent = indent_of(text, m.kind.span.start as usize);
        // The comma before it, and the blanks behind that.
        pieces.push((before..more.name.span.start as usize, format!("{}{indent}{kind} ", eol(text))));
        let last = m.more.last().is_some_and(|l| l.span == more.span);
        return split_line(desk, m, end, !last, &body_text, pieces);
    }
    let Some(body) = find_body(desk, subject) else {
        let at = match own.form {
            Form::Member(m) => head_end(desk, m),
            _ => cells_end(desk, subject).unwrap_or_else(|| {
                let span = own.span();
                span.start as usize + trimmed(text, span).len()
            }),
        };
        pieces.push((at..at, body_text));
        return;
    };
    let parts = own.parts();
    let is_value = |k: &PartKind| matches!(k, PartKind::Set(..) | PartKind::FillValue(_));
    // Behind the values that it begins with.
    if let Some(last) = parts.iter().take_while(|p| is_value(&p.kind)).last() {
        let start = last.span.start as usize;
        let end = start + trimmed(text, last.span).len();
        let line = line_start(text, start);
        let alone = text.get(line..start).is_some_and(|t| t.trim().is_empty());
        return match line_end_behind(desk, file, end).filter(|_| alone) {
            Some(at) => {
                let indent = indent_of(text, start);
                let lines = entries.iter().map(|e| format!("{}{indent}{e}", eol(text)));
                pieces.push((at..at, lines.collect()));
            }
            None => pieces.push((end..end, format!("; {inline}"))),
        };
    }
    match (parts.first(), line_end_behind(desk, file, body.open)) {
        (Some(first), Some(at)) => {
            let start = first.doc.as_ref().map_or(first.span.start, |d| d.span.start) as usize;
            let indent = indent_of(text, start);
            let lines = entries.iter().map(|e| format!("{}{indent}{e}", eol(text)));
            pieces.push((at..at, lines.collect()));
        }
        (Some(_), None) => pieces.push((body.open..body.open, format!(" {inline};"))),
        (None, _) => {
            let inner = text.get(body.open..body.close).unwrap_or("");
            match inner.trim().is_empty() {
                true => pieces.push((body.open..body.close, format!(" {inline} "))),
                // Comments alone.
                false => pieces.push((body.close..body.close, format!("{inline} "))),
            }
        }
    }
}

/// Puts braces behind one of several members in a line; what follows it gets a line of its own.
fn split_line(desk: &Desk<'_>, m: &Member, end: usize, follows: bool, body: &str, pieces: &mut Vec<Piece>) {
    let text = desk.text_of(m.name.span.file);
    if !follows {
        pieces.push((end..end, body.to_string()));
        return;
    }
    let next = m.more.iter().find(|x| x.span.start as usize >= end);
    let Some(next) = next else { return };
    let indent = indent_of(text, m.kind.span.start as usize);
    let head = format!("{body}{}{indent}{} ", eol(text), m.kind.text);
    pieces.push((end..next.name.span.start as usize, head));
}

fn reset_field(
    desk: &Desk<'_>,
    subject: &Subject<'_>,
    field: &CardField,
    pieces: &mut Vec<Piece>,
) -> Result<(), Refusal> {
    if is_foreign(field) {
        let offers = field.origin.span().map(|s| desk.go_to(s)).into_iter().collect();
        return Err(Refusal { why: format!("{} is {}", field.label, field.note), offers });
    }
    if field.state != State::Own {
        return Ok(());
    }
    let own = subject.declared.own;
    let file = subject.file();
    let text = desk.text_of(file);
    desk.check_readable(subject.declared.span())?;
    let CardKey::Value(name) = &field.key else {
        let Some(span) = field.origin.span() else { return Ok(()) };
        let (mut start, end) = (span.start as usize, span.start as usize + trimmed(text, span).len());
        if field.key == CardKey::Copies {
            // The `x` before the number.
            start = text.get(..start).map_or(start, |t| t.strip_suffix('x').unwrap_or(t).len());
        }
        let before = text.get(..start).map_or(start, |t| t.trim_end_matches([' ', '\t']).len());
        pieces.push((before..end, String::new()));
        return Ok(());
    };
    let Some(kind_field) = subject.form.iter().find(|f| f.name == *name) else { return Ok(()) };
    let all = find_written(kind_field, &subject.declared);
    for w in all.iter().filter(|w| w.spoken.span() == own.span()) {
        match w.place {
            Place::Part(n) => {
                let Some(part) = w.spoken.parts().get(n) else { continue };
                let body = find_body(desk, subject);
                let doc = part.doc.as_ref().map(|d| d.span);
                let gone = with_comments(desk, part.span, doc, body.as_ref().map(|b| b.open));
                pieces
                    .push((body.map_or(gone.clone(), |b| with_empty_braces(text, &b, gone)), String::new()));
            }
            Place::Given => {
                let given = if let Form::Member(m) = own.form { m.given.as_slice() } else { &[] };
                if given.last().map(|e| e.span) != Some(w.value.span) {
                    let why =
                        "the values behind a name are told apart by their order: change them in the text";
                    return Err(Refusal { why: why.into(), offers: vec![desk.go_to(w.value.span)] });
                }
                let start = w.value.span.start as usize;
                let before = text.get(..start).map_or(start, |t| t.trim_end_matches([' ', '\t']).len());
                pieces.push((before..start + trimmed(text, w.value.span).len(), String::new()));
            }
            Place::Cell(n) => {
                let Form::Row(_, row) = w.spoken.form else { continue };
                let bar = list_bars(desk, row).get(n).copied();
                let (Some(bar), true) = (bar, n + 1 == row.cells.len()) else {
                    let why = format!(
                        "a row of a list has a cell for each column before its last: write another {}, or change the list",
                        field.label
                    );
                    return Err(Refusal { why, offers: vec![desk.go_to(w.value.span)] });
                };
                let before = text.get(..bar).map_or(bar, |t| t.trim_end_matches([' ', '\t']).len());
                let end = w.value.span.start as usize + trimmed(text, w.value.span).len();
                pieces.push((before..end, String::new()));
            }
        }
    }
    Ok(())
}

/// Braces that would hold nothing go, too, with the blanks before them.
fn with_empty_braces(text: &str, body: &Body, gone: std::ops::Range<usize>) -> std::ops::Range<usize> {
    let left = |a: usize, b: usize| text.get(a..b).unwrap_or("").trim().is_empty();
    if gone.start < body.open
        || body.close < gone.end
        || !left(body.open, gone.start)
        || !left(gone.end, body.close)
    {
        return gone;
    }
    let start = body.open - 1;
    text.get(..start).map_or(gone, |t| t.trim_end_matches([' ', '\t']).len()..body.close + 1)
}

/// Whether the declaration of a card stands in an item alone, and not in a line with others.
pub(super) fn is_alone(declared: &Declared<'_>) -> bool {
    matches!(&declared.own.item.kind, ItemKind::Member(m) if m.more.is_empty())
}
