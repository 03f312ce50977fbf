//! Plans copies and removals of whole cards: a copy is the member's text with another name and title, put behind it; a card that something uses is not removed.
use super::card_row::Piece;
use super::cards::{Subject, is_alone, refuse_nameless};
use super::fields::set_text;
use super::place::{end_of_opening, eol, indent_of, line_end_behind, line_start, trimmed, with_comments};
use super::{Desk, to_edit_set};
use crate::analysis::Analysis;
use crate::cards::{CardId, Form, find_member};
use crate::draw::FieldType;
use crate::edit::{Edit, EditSet, Refusal};
use crate::references::find_references_of;
use crate::template::to_word;
use houserule_model::Def;
use houserule_syntax::ast::{ListRow, RowName, Text};
use houserule_text::Span;

/// A name for a new card that nothing has yet: from its title, with a number where that is needed.
pub fn suggest_name(analysis: &Analysis, title: &str) -> String {
    let word = to_word(title, false);
    // A word without a letter at its beginning is made one by `to_word`, for a scenario.
    let word = word.strip_prefix("scenario_").map_or(word.clone(), |rest| format!("card_{rest}"));
    let word = word.trim_end_matches('_');
    let (stem, first) = match word.rsplit_once('_').map(|(stem, n)| (stem, n.parse::<u32>())) {
        Some((stem, Ok(n))) => (stem, n),
        _ => (word, 1),
    };
    let names = (first..first.saturating_add(10_000)).map(|n| match n {
        1 => stem.to_string(),
        n => format!("{stem}_{n}"),
    });
    let mut free = names.filter(|n| check_name(analysis, n).is_ok());
    free.next().unwrap_or_else(|| format!("{stem}_new"))
}

/// Whether a new card can have a name.
pub(super) fn check_name(analysis: &Analysis, name: &str) -> Result<(), Refusal> {
    let no = |why: String| Err(Refusal::with_reason(why));
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if !name.starts_with(|c: char| c.is_ascii_lowercase()) || !name.chars().all(fits) {
        return no(format!(
            "`{name}` is not a name: write letters, digits and `_`, beginning with a small letter"
        ));
    }
    if houserule_syntax::is_reserved(name) {
        return no(format!("`{name}` is a word of the language"));
    }
    // `x3` would be so many copies.
    if name.strip_prefix('x').is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit())) {
        return no(format!("`{name}` would be read as a number of copies"));
    }
    let m = &analysis.model;
    let mut taken = m.members.iter().map(|x| &x.name).chain(m.attrs.iter().map(|x| &x.name));
    let also = m.values.iter().map(|x| &x.name).chain(m.rules.iter().map(|x| &x.name));
    let more = m.zones.iter().map(|x| &x.name).chain(m.actions.iter().map(|x| &x.name));
    let kinds = m.kinds.iter().map(|k| k.name.to_lowercase());
    let is = |n: &std::sync::Arc<str>| **n == *name;
    if taken.any(is) || also.chain(more).any(is) || kinds.into_iter().any(|k| k == name) {
        return no(format!("`{name}` is already the name of something else"));
    }
    Ok(())
}

/// Puts a copy of a card behind it.
pub(super) fn plan_copy(
    desk: &Desk<'_>,
    id: &CardId,
    name: &str,
    title: Option<&str>,
) -> Result<EditSet, Refusal> {
    check_name(desk.analysis, name)?;
    let subject = Subject::find(desk, id)?;
    let own = subject.declared.own;
    let file = own.item.span.file;
    let text = desk.text_of(file);
    desk.check_readable(subject.declared.span())?;
    let quoted = title.map(|t| set_text(&FieldType::Text, t));
    if let Some(bad) = title.filter(|t| t.contains(['\n', '\r'])) {
        return Err(Refusal::with_reason(format!("`{bad}` cannot be a title")));
    }
    let (span, name_span, old_title) = match own.form {
        Form::Member(m) if is_alone(&subject.declared) => (own.item.span, m.name.span, m.title.as_ref()),
        Form::Member(m) => (own.span(), m.name.span, m.title.as_ref()),
        Form::More(_, m) => (m.span, m.name.span, m.title.as_ref()),
        Form::Row(_, row) => match &row.name {
            RowName::Named(n) => (row.span, n.span, row.title.as_ref()),
            RowName::Number(_) | RowName::Unnamed => return Err(refuse_nameless(desk, &subject)),
        },
        Form::Change(_) => return Err(refuse_nameless(desk, &subject)),
    };
    let mut copy = Copy { start: span.start as usize, pieces: Vec::new() };
    copy.replace(name_span, name.to_string());
    // The card speaks of itself by its name.
    if let Some((m, _)) = find_member(&desk.analysis.model, id) {
        for used in desk.analysis.uses.uses_of(Def::Member(m)) {
            let inside = used.file == file && span.start <= used.start && used.end <= span.end;
            if inside && used != name_span {
                copy.replace(used, name.to_string());
            }
        }
    }
    copy.retitle(desk, name_span, old_title, quoted);
    let own_text = trimmed(text, span);
    let Some(mut made) = copy.write(own_text) else {
        return Err(Refusal::with_reason("the text of the card cannot be copied: copy it in the text"));
    };
    let end = span.start as usize + own_text.len();
    let in_line = match own.form {
        Form::Member(m) if !m.more.is_empty() => {
            // Only what is of this card: the kind stands there already.
            made = made.get(m.name.span.start as usize - span.start as usize..).unwrap_or("").to_string();
            Some(format!(", {made}"))
        }
        Form::More(..) => Some(made.clone()),
        _ => None,
    };
    let label = format!("copy {id} as {name}");
    let edit = match in_line {
        Some(made) => desk.make_edit(file, end..end, made),
        None => put_behind(desk, span, end, &made),
    };
    Ok(EditSet::from_edit(label, edit))
}

/// Puts a declaration behind another one, in a line of its own where that one has one.
pub(super) fn put_behind(desk: &Desk<'_>, span: Span, end: usize, made: &str) -> Edit {
    let text = desk.text_of(span.file);
    let start = span.start as usize;
    let alone = text.get(line_start(text, start)..start).is_some_and(|t| t.trim().is_empty());
    match line_end_behind(desk, span.file, end).filter(|_| alone) {
        Some(at) => {
            let indent = indent_of(text, start);
            desk.make_edit(span.file, at..at, format!("{}{indent}{made}", eol(text)))
        }
        None => desk.make_edit(span.file, end..end, format!("; {made}")),
    }
}

/// Changes of a text that is copied.
struct Copy {
    start: usize,
    pieces: Vec<Piece>,
}

impl Copy {
    fn replace(&mut self, span: Span, text: String) {
        self.pieces.push((span.range(), text));
    }

    /// Gives it another title, or takes the old one out.
    fn retitle(&mut self, desk: &Desk<'_>, name: Span, old: Option<&Text>, new: Option<String>) {
        match (old, new) {
            (Some(old), Some(new)) => self.replace(old.span, new),
            (Some(old), None) => {
                let before = desk.text_of(name.file).get(..old.span.start as usize).unwrap_or("");
                let start = before.trim_end_matches([' ', '\t']).len();
                self.pieces.push((start..old.span.end as usize, String::new()));
            }
            (None, Some(new)) => self.pieces.push((name.end as usize..name.end as usize, format!(" {new}"))),
            (None, None) => {}
        }
    }

    /// The text with the changes; none if they overlap.
    fn write(mut self, text: &str) -> Option<String> {
        self.pieces.sort_by_key(|(r, _)| (r.start, r.end));
        let mut out = String::new();
        let mut from = 0;
        for (range, new) in &self.pieces {
            let (a, b) = (range.start.checked_sub(self.start)?, range.end.checked_sub(self.start)?);
            out.push_str(text.get(from..a)?);
            out.push_str(new);
            from = b;
        }
        out.push_str(text.get(from..)?);
        Some(out)
    }
}

/// Takes a card out, unless something uses it.
pub(super) fn plan_remove(desk: &Desk<'_>, id: &CardId) -> Result<EditSet, Refusal> {
    let subject = Subject::find(desk, id)?;
    let own = subject.declared.own;
    let span = own.span();
    desk.check_readable(span)?;
    let (m, _) = find_member(&desk.analysis.model, id)
        .ok_or_else(|| Refusal::with_reason(format!("there is no card {id}")))?;
    let uses = find_references_of(desk.analysis, Def::Member(m));
    let own_file = desk.name_of(span.file);
    let outside = |place: &crate::analysis::Location| {
        place.file != own_file || place.end <= span.start as usize || span.end as usize <= place.start
    };
    let used: Vec<_> = uses.iter().filter(|r| !r.declares && outside(&r.place)).collect();
    if let Some(first) = used.first() {
        let places: Vec<String> =
            used.iter().take(3).map(|r| format!("{}:{}", r.place.file, r.line)).collect();
        let more = if used.len() > 3 { ", …" } else { "" };
        let n = if used.len() == 1 { String::from("once") } else { format!("{} times", used.len()) };
        let why = format!("{} is used {n}, so it is not deleted: {}{more}", id.name, places.join(", "));
        let offers = vec![crate::edit::Offer::GoTo(first.place.file.clone(), first.place.range())];
        return Err(Refusal { why, offers });
    }
    let text = desk.text_of(span.file);
    let range = match own.form {
        Form::Member(_) if is_alone(&subject.declared) => {
            let opening = own.outer.map(|o| end_of_opening(desk, o));
            with_comments(desk, own.item.span, own.item.doc.as_ref().map(|d| d.span), opening)
        }
        // The next one takes its place behind the kind.
        Form::Member(m) => {
            let next = m.more.first().map_or(span.end, |n| n.name.span.start);
            m.name.span.start as usize..next as usize
        }
        Form::More(_, m) => m.span.start as usize..m.span.start as usize + trimmed(text, m.span).len(),
        Form::Row(_, row) => row_range(desk, own.item, row),
        Form::Change(_) => return Err(refuse_nameless(desk, &subject)),
    };
    let what = if subject.declared.is_family() { "the family " } else { "" };
    to_edit_set(format!("delete {what}{}", id.name), vec![desk.make_edit(span.file, range, "")])
}

/// The bytes that go with a row of a list.
fn row_range(desk: &Desk<'_>, list: &houserule_syntax::ast::Item, row: &ListRow) -> std::ops::Range<usize> {
    with_comments(desk, row.span, row.doc.as_ref().map(|d| d.span), Some(end_of_opening(desk, list)))
}
