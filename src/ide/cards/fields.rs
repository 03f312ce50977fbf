//! Makes the form of a card: title, copies, and the attributes and values that its kind declares, each with the place where it is written.
use super::source::{Declared, Form, Spoken, Texts, name_outer};
use super::{CardId, find_member};
use crate::analysis::Analysis;
use crate::draw::{FieldType, Looks, Origin, State, field_type, is_literal, list_line};
use houserule_model::hir::{AttrSide, KindId, Model, Ty, ValueRole};
use houserule_syntax::ast::{Cell, Expr, ExprKind, PartKind};
use houserule_text::Span;
use std::sync::Arc;

/// What a field of a card is of.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CardKey {
    /// Its title.
    Title,
    /// How many components show it.
    Copies,
    /// An attribute, or a value that members fill, by its name.
    Value(Arc<str>),
}

/// A line of a card's form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CardField {
    /// What it is of.
    pub key: CardKey,
    /// What it is called.
    pub label: String,
    /// What `##` lines say of it.
    pub doc: Option<String>,
    /// What may be written.
    pub ty: FieldType,
    /// Its value as written; of a text without quotes.
    pub text: String,
    /// Its value for this face, where the text is an expression of a family.
    pub shown: Option<String>,
    /// Whose the value is.
    pub state: State,
    /// Where the value comes from, in a few words: `set here`, `default`, `set by the mod Night`.
    pub note: String,
    /// Where it stands.
    pub origin: Origin,
}

/// An attribute or value that the members of a kind may set.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct KindField {
    /// Its name.
    pub name: Arc<str>,
    doc: Option<String>,
    /// What may be written.
    pub ty: FieldType,
    /// How members write it: `name: v` sets an attribute, `name = v` fills a value.
    pub fills: bool,
    /// What the declaration gives.
    default: Option<Span>,
    /// What holds where nothing is written or declared.
    usual: Option<&'static str>,
    /// What the nearest kind that fills it gives, and which one: `the kind Charm`.
    filled: Option<(Span, String)>,
    /// Its place among the values behind a member's name.
    back: Option<usize>,
    /// Where it is declared.
    span: Span,
}

/// Where a declaration writes a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// An entry in braces, by its number.
    Part(usize),
    /// A value behind the name.
    Given,
    /// A cell of a list, by the number of its column.
    Cell(usize),
}

/// A value that is written for a card.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Written<'a> {
    /// The declaration that writes it.
    pub spoken: Spoken<'a>,
    /// The value.
    pub value: &'a Expr,
    /// Where.
    pub place: Place,
}

/// What may be written for a type.
fn type_of(model: &Model, ty: &Ty) -> FieldType {
    match ty {
        Ty::Text => FieldType::Text,
        Ty::Maybe(inner) => match field_type(model, inner) {
            FieldType::Words(mut words) => {
                words.insert(0, ("none".into(), "none".into()));
                FieldType::Words(words)
            }
            _ => FieldType::Expression,
        },
        _ => field_type(model, ty),
    }
}

/// What the members of a kind may set: what the kinds above declare first.
pub(crate) fn list_kind_fields(analysis: &Analysis, kind: KindId) -> Vec<KindField> {
    let model = &*analysis.model;
    let line = list_line(model, kind);
    let names: Vec<&str> = line.iter().filter_map(|k| model.kinds.get(k.index()).map(|k| &*k.name)).collect();
    let texts = Texts::from_analysis(analysis);
    // The nearest kind that fills it.
    let filled = |name: &str| {
        names.iter().find_map(|kind| {
            let own = texts.kinds.iter().filter(|t| t.kind == *kind);
            let mut fill =
                own.flat_map(|t| t.parts.iter().map(move |p| (t, p))).filter_map(|(t, p)| match &p.kind {
                    PartKind::FillValue(f) if f.name.text == name && f.params.is_none() => {
                        Some((t, f.value.span))
                    }
                    _ => None,
                });
            fill.next_back().map(|(t, span)| {
                let within = t.outer.and_then(name_outer).map(|o| format!(", in {o}"));
                (span, format!("the kind {kind}{}", within.unwrap_or_default()))
            })
        })
    };
    let is_declared = |kind: &str, name: &str| {
        let mut parts = texts.kinds.iter().filter(|t| t.kind == kind).flat_map(|t| t.parts);
        parts.any(|p| match &p.kind {
            PartKind::Attr(a) => a.name.text == name,
            PartKind::Value(v) => v.name.text == name,
            _ => false,
        })
    };
    let mut out: Vec<KindField> = Vec::new();
    let mut backs = 0;
    for k in line.iter().rev() {
        let Some(kind) = model.kinds.get(k.index()) else { continue };
        let attrs = kind.attrs.iter().filter_map(|a| model.attrs.get(a.index()));
        for a in attrs.filter(|a| !a.is_part && a.has_of.is_none() && a.side != AttrSide::Side) {
            // What the checker declares itself stands in no text.
            if !is_declared(&kind.name, &a.name) {
                continue;
            }
            let filled = filled(&a.name);
            let back = (a.side == AttrSide::Back && filled.is_none()).then(|| {
                backs += 1;
                backs - 1
            });
            let usual = match a.ty {
                Ty::Bool => Some("no"),
                Ty::Maybe(_) => Some("none"),
                Ty::Set(_) | Ty::List(_) => Some("[]"),
                _ => None,
            };
            out.push(KindField {
                name: a.name.clone(),
                doc: a.doc.as_ref().map(|d| d.to_string()),
                ty: type_of(model, &a.ty),
                fills: false,
                default: a.default.as_ref().map(|b| b.body.span),
                usual,
                filled,
                back,
                span: a.span,
            });
        }
        let values = model.values.iter().filter(|v| v.of == Some(*k) && matches!(v.role, ValueRole::Plain));
        for v in values.filter(|v| v.body.params == 1 && is_declared(&kind.name, &v.name)) {
            out.push(KindField {
                name: v.name.clone(),
                doc: v.doc.as_ref().map(|d| d.to_string()),
                ty: type_of(model, &v.ty),
                fills: true,
                default: v.body.body.as_ref().map(|e| e.span),
                usual: None,
                filled: filled(&v.name),
                back: None,
                span: v.span,
            });
        }
    }
    out
}

/// The values that texts write for a field of a card, its own declaration first.
pub(crate) fn find_written<'a>(field: &KindField, declared: &Declared<'a>) -> Vec<Written<'a>> {
    let mut out = Vec::new();
    for spoken in declared.all() {
        if let (Form::Member(m), Some(n)) = (spoken.form, field.back)
            && let Some(value) = m.given.get(n)
        {
            out.push(Written { spoken: *spoken, value, place: Place::Given });
        }
        if let Form::Row(list, row) = spoken.form
            && let Some(n) = list.columns.iter().position(|c| c.text == *field.name)
            && let Some(Cell::Marks(marks)) = row.cells.get(n)
            && let [mark] = marks.as_slice()
        {
            out.push(Written { spoken: *spoken, value: &mark.value, place: Place::Cell(n) });
        }
        for (n, part) in spoken.parts().iter().enumerate() {
            let value = match &part.kind {
                PartKind::Set(name, value) if name.text == *field.name => value,
                PartKind::FillValue(f) if f.name.text == *field.name && f.params.is_none() => &f.value,
                _ => continue,
            };
            out.push(Written { spoken: *spoken, value, place: Place::Part(n) });
        }
    }
    out
}

/// The fields of a card; empty if there is no such card.
pub fn list_card_fields(analysis: &Analysis, id: &CardId) -> Vec<CardField> {
    let Some((_, member)) = find_member(&analysis.model, id) else { return Vec::new() };
    let texts = Texts::from_analysis(analysis);
    let Some(declared) = texts.find(member) else { return Vec::new() };
    let mut out = vec![title_field(analysis, &declared, &id.name), copies_field(analysis, &declared)];
    let form = list_kind_fields(analysis, member.kind);
    let mut looks = Looks::from_kind(analysis, member.kind);
    for field in &form {
        let mut made = make_field(&texts, field, &declared);
        let attr = analysis.model.attrs.iter().position(|a| a.span == field.span);
        let set = member.sets.iter().find(|(a, _)| Some(a.index()) == attr);
        if let (true, Some((_, body))) = (declared.is_family(), set) {
            made.shown = looks.constant_of(body, id.key).filter(|t| *t != made.text);
        }
        out.push(made);
    }
    out
}

/// The values of a card as `name value`, written or not.
pub(super) fn list_values(texts: &Texts<'_>, form: &[KindField], declared: &Declared<'_>) -> Vec<String> {
    let made = form.iter().map(|f| make_field(texts, f, declared));
    let told = made.filter(|f| f.state != State::Unset).map(|f| format!("{} {}", f.label, f.text));
    told.chain(list_prints(texts, form, declared)).collect()
}

/// What a patch prints, as its row in a list says: of each column that is no attribute the marks.
fn list_prints(texts: &Texts<'_>, form: &[KindField], declared: &Declared<'_>) -> Vec<String> {
    let Form::Row(list, row) = declared.own.form else { return Vec::new() };
    let cells = list.columns.iter().zip(&row.cells);
    let prints = cells.filter(|(c, _)| !form.iter().any(|f| *f.name == *c.text));
    let told = prints.filter_map(|(column, cell)| match cell {
        Cell::Marks(marks) => {
            let span = marks.first()?.span.to(marks.last()?.span);
            Some(format!("{} {}", column.text, texts.analysis.slice(span).trim()))
        }
        Cell::Rule(_) => None,
    });
    told.collect()
}

/// What a value is called whose declaration is not the card's own, if it is not.
fn foreign_note(declared: &Declared<'_>, spoken: &Spoken<'_>) -> Option<String> {
    let same = |a: Option<&_>, b: Option<&_>| match (a, b) {
        (Some(a), Some(b)) => std::ptr::eq(a, b),
        (None, None) => true,
        _ => false,
    };
    match (spoken.form, spoken.outer_title()) {
        _ if declared.is_family() => {
            let Form::Member(m) = declared.own.form else { return None };
            Some(format!("set by the family {}", m.name.text))
        }
        (_, title) if !same(declared.own.outer, spoken.outer) => {
            Some(format!("set by {}", title.unwrap_or_else(|| String::from("the game"))))
        }
        (Form::Change(_), _) => Some(String::from("set by a `change`")),
        (Form::Row(..), _) if spoken.span() != declared.own.span() => {
            Some(String::from("set by a list beside it"))
        }
        _ => None,
    }
}

impl KindField {
    /// The field of a card that says nothing of it: what its kinds give, or the default.
    pub fn to_blank(&self, texts: &Texts<'_>) -> CardField {
        let slice = |span: Span| texts.analysis.slice(span).trim().to_string();
        let mut out = CardField {
            key: CardKey::Value(self.name.clone()),
            label: self.name.replace('_', " "),
            doc: self.doc.clone(),
            ty: self.ty.clone(),
            text: self.usual.unwrap_or("").to_string(),
            shown: None,
            state: if self.usual.is_some() { State::Default } else { State::Unset },
            note: String::from(if self.usual.is_some() { "default" } else { "not set" }),
            origin: Origin::Default(Some(self.span)),
        };
        if let Some((span, kind)) = &self.filled {
            out.text = slice(*span);
            unquote(&mut out);
            (out.state, out.origin) = (State::Inherited, Origin::FromOther(*span));
            out.note = format!("set by {kind}");
        } else if let Some(span) = self.default {
            out.text = slice(span);
            unquote(&mut out);
            (out.state, out.note) = (State::Default, String::from("default"));
            out.origin = Origin::Default(Some(span));
        }
        out
    }
}

/// A field of a card from what is written for it.
fn make_field(texts: &Texts<'_>, field: &KindField, declared: &Declared<'_>) -> CardField {
    let slice = |span: Span| texts.analysis.slice(span).trim().to_string();
    let mut out = field.to_blank(texts);
    if let Some(w) = find_written(field, declared).first() {
        (out.text, out.ty) = (slice(w.value.span), field.ty.clone());
        let foreign = foreign_note(declared, &w.spoken);
        if let (FieldType::Text, ExprKind::Text(t)) = (&out.ty, &*w.value.kind) {
            match t.literal() {
                Some(text) => out.text = text,
                None => out.ty = FieldType::Expression,
            }
        } else if out.ty == FieldType::Text {
            out.ty = FieldType::Expression;
        }
        // An expression where any expression may stand is edited as it is written.
        let plain = is_literal(w.value) || out.ty == FieldType::Expression;
        (out.state, out.origin) = match foreign {
            Some(_) => (State::Inherited, Origin::FromOther(w.value.span)),
            None if plain => (State::Own, Origin::Literal(w.value.span)),
            None => (State::Own, Origin::Computed(w.value.span)),
        };
        out.note = match (foreign, w.place) {
            (Some(note), _) => note,
            (None, Place::Cell(_)) => String::from("set in the list"),
            (None, _) => String::from("set here"),
        };
        return out;
    }
    out
}

/// A text that is inherited is shown without its quotes, too.
fn unquote(field: &mut CardField) {
    if field.ty == FieldType::Text {
        let inner = field.text.strip_prefix('"').and_then(|t| t.strip_suffix('"'));
        match inner.filter(|t| !t.contains(['"', '\\', '{'])) {
            Some(text) => field.text = text.to_string(),
            None if field.text.is_empty() => {}
            None => field.ty = FieldType::Expression,
        }
    }
}

fn title_field(analysis: &Analysis, declared: &Declared<'_>, name: &str) -> CardField {
    let mut out = CardField {
        key: CardKey::Title,
        label: String::from("Title"),
        doc: None,
        ty: FieldType::Text,
        text: name.replace('_', " "),
        shown: None,
        state: State::Default,
        note: String::from("from its name"),
        origin: Origin::Default(Some(declared.own.span())),
    };
    // A row of another list gives it a title, too, and the last one holds.
    let titled = declared.all().filter_map(|s| {
        let title = match s.form {
            Form::Member(m) => m.title.as_ref(),
            Form::More(_, m) => m.title.as_ref(),
            Form::Row(_, r) => r.title.as_ref(),
            Form::Change(_) => None,
        };
        Some((s, title?))
    });
    if let Some((spoken, title)) = titled.last() {
        let foreign = foreign_note(declared, spoken);
        let literal = title.literal();
        (out.state, out.origin) = match (&foreign, &literal) {
            (Some(_), _) => (State::Inherited, Origin::FromOther(title.span)),
            (None, Some(_)) => (State::Own, Origin::Literal(title.span)),
            (None, None) => (State::Own, Origin::Computed(title.span)),
        };
        out.text = literal.unwrap_or_else(|| analysis.slice(title.span).trim_matches('"').to_string());
        out.note = foreign.unwrap_or_else(|| String::from("set here"));
    }
    out
}

fn copies_field(analysis: &Analysis, declared: &Declared<'_>) -> CardField {
    let mut out = CardField {
        key: CardKey::Copies,
        label: String::from("Copies"),
        doc: None,
        ty: FieldType::Number(0, 1000),
        text: String::from("1"),
        shown: None,
        state: State::Default,
        note: String::from("default"),
        origin: Origin::Default(Some(declared.own.span())),
    };
    let copies = declared.all().filter_map(|s| {
        let copies = match s.form {
            Form::Member(m) => m.copies.as_ref(),
            Form::More(_, m) => m.copies.as_ref(),
            Form::Row(_, r) => r.copies.as_ref(),
            Form::Change(_) => None,
        };
        Some((s, copies?))
    });
    if let Some((spoken, copies)) = copies.last() {
        let foreign = foreign_note(declared, spoken);
        out.text = analysis.slice(copies.span).trim().to_string();
        (out.state, out.origin) = match &foreign {
            Some(_) => (State::Inherited, Origin::FromOther(copies.span)),
            None if is_literal(copies) => (State::Own, Origin::Literal(copies.span)),
            None => (State::Own, Origin::Computed(copies.span)),
        };
        out.note = foreign.unwrap_or_else(|| String::from("set here"));
    }
    out
}
