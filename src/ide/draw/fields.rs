//! Reads the form of a scenario, a variant or a mod: title, players, options, and its other declarations.
use super::Origin;
use super::layers::Layers;
use super::legend::remark_behind;
use super::look::to_plain_text;
use super::sheet_id::SheetId;
use crate::analysis::Analysis;
use houserule_model::hir::{KindId, KindSort, Model, Ty};
use houserule_syntax::ast::{self, ExprKind, Header, HeaderKind, Item, ItemKind, Players};
use houserule_text::Span;
use std::sync::Arc;

/// What a field is of.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FieldKey {
    /// The scenario's title.
    Title,
    /// What it is built on.
    With,
    /// How many seats.
    Seats,
    /// How many players.
    Players,
    /// An option of the game, by its name.
    Option(Arc<str>),
}

/// What may be written into a field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FieldType {
    /// A text in quotes; the field holds it without them.
    Text,
    /// `yes` or `no`.
    Truth,
    /// A whole number within these bounds.
    Number(i32, i32),
    /// `n` or `a..b`.
    Bounds,
    /// One of these words, with their titles.
    Words(Vec<(Arc<str>, String)>),
    /// A name of a part or scenario, or several with `or`.
    Names(Vec<Arc<str>>),
    /// Any expression.
    Expression,
}

/// Whose the value is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum State {
    /// Written here.
    Own,
    /// Written in what this is built on.
    Inherited,
    /// Written nowhere: what the declaration gives.
    Default,
    /// Written nowhere, and nothing is given.
    Unset,
}

impl State {
    /// In one word.
    pub fn name(self) -> &'static str {
        match self {
            State::Own => "set here",
            State::Inherited => "inherited",
            State::Default => "default",
            State::Unset => "not set",
        }
    }
}

/// A line of the form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// What it is of.
    pub key: FieldKey,
    /// What it is called.
    pub label: String,
    /// What a remark or `##` lines say of it.
    pub doc: Option<String>,
    /// What may be written.
    pub ty: FieldType,
    /// Its value as written, without the quotes of a text.
    pub text: String,
    /// Whose it is.
    pub state: State,
    /// Where it stands.
    pub origin: Origin,
}

/// What sort of declaration is listed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ListedSort {
    /// `modify`, `before`, `after`, `instead of`, `forbid`.
    Attachment,
    /// `needs C`: what a set-up must be like.
    Condition,
    /// Anything else: a variant, a score, a test …
    Other,
}

/// A declaration of a scenario, or of what it is built on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListedDeclaration {
    /// Its place among the items of the sheet; none if it is inherited.
    pub item: Option<usize>,
    /// What sort.
    pub sort: ListedSort,
    /// As written, its first line.
    pub text: String,
    /// Whether there are more lines.
    pub more: bool,
    /// What `##` lines above it or a remark behind it say.
    pub doc: Option<String>,
    /// Where it stands.
    pub origin: Origin,
}

/// Whether an expression is a value by itself and nothing worked out.
pub(crate) fn is_literal(e: &ast::Expr) -> bool {
    match &*e.kind {
        ExprKind::Int(_)
        | ExprKind::Name(_)
        | ExprKind::Kind(_)
        | ExprKind::Yes
        | ExprKind::No
        | ExprKind::None => true,
        ExprKind::Neg(e) => matches!(&*e.kind, ExprKind::Int(_)),
        ExprKind::Text(t) => t.literal().is_some(),
        _ => false,
    }
}

/// Where a value stands that is written in the layer of that number.
fn find_origin(layers: &Layers<'_>, layer: usize, span: Span, literal: bool) -> (State, Origin) {
    if !layers.is_own(layer) {
        (State::Inherited, Origin::FromOther(span))
    } else if literal {
        (State::Own, Origin::Literal(span))
    } else {
        (State::Own, Origin::Computed(span))
    }
}

/// The form of a scenario, a variant or a mod; the game's own sheet has none. Who plays is said by scenarios alone, and a mod is known by its title, which is changed in the text.
pub(crate) fn list_fields(analysis: &Analysis, layers: &Layers<'_>) -> Vec<Field> {
    let mut out = Vec::new();
    match layers.own_layer().and_then(|l| l.item).map(|i| &i.kind) {
        Some(ItemKind::Scenario(s)) => {
            out.push(title_field(analysis, &s.title));
            add_heads(analysis, layers, s, &mut out);
        }
        Some(ItemKind::Variant(v)) => out.push(title_field(analysis, &v.title)),
        Some(_) => {}
        None => return out,
    }
    out.extend(list_options(analysis, layers));
    out
}

fn title_field(analysis: &Analysis, text: &ast::Text) -> Field {
    let title = text.literal();
    Field {
        key: FieldKey::Title,
        label: "Title".into(),
        doc: None,
        ty: FieldType::Text,
        origin: if title.is_some() { Origin::Literal(text.span) } else { Origin::Computed(text.span) },
        text: title.unwrap_or_else(|| analysis.slice(text.span).trim_matches('"').to_string()),
        state: State::Own,
    }
}

/// What a scenario is built on and for how many it is.
fn add_heads(analysis: &Analysis, layers: &Layers<'_>, s: &ast::Scenario, out: &mut Vec<Field>) {
    let files = analysis.asts.iter().flat_map(|f| &f.items);
    // What is itself built on this cannot be what this is built on.
    let above = |name: &str| {
        let id = SheetId::Scenario(name.into());
        let all = Layers::from_sheet(analysis, &id).map(|l| l.all).unwrap_or_default();
        let own = layers.own_layer().and_then(|l| l.item);
        all.iter().any(|l| l.item.zip(own).is_some_and(|(a, b)| std::ptr::eq(a, b)))
    };
    let bases = files.filter_map(|i| match &i.kind {
        ItemKind::Scenario(o) if !above(&o.name.text) => Some(o.name.text.as_str().into()),
        ItemKind::Part(p) => Some(p.name.text.as_str().into()),
        _ => None,
    });
    let with = s.with.first().zip(s.with.last()).map(|(a, b)| a.span.to(b.span));
    out.push(Field {
        key: FieldKey::With,
        label: "Built on".into(),
        doc: None,
        ty: FieldType::Names(bases.collect()),
        text: s.with.iter().map(|n| n.text.as_str()).collect::<Vec<_>>().join(" or "),
        state: if with.is_some() { State::Own } else { State::Unset },
        origin: with.map_or(Origin::Default(None), Origin::Literal),
    });
    for (key, label) in [(FieldKey::Seats, "Seats"), (FieldKey::Players, "Players")] {
        out.push(header_field(analysis, layers, key, label));
    }
}

/// The head's line of a key, if a header is one.
pub(crate) fn header_value(h: &Header, key: &FieldKey) -> Option<Span> {
    match (&h.kind, key) {
        (HeaderKind::Seats(b), FieldKey::Seats) => Some(b.span),
        (HeaderKind::Players { who: Players::Number(b), .. }, FieldKey::Players) => Some(b.span),
        (HeaderKind::Players { who: Players::Named(n), .. }, FieldKey::Players) => {
            Some(n.first()?.span.to(n.last()?.span))
        }
        _ => None,
    }
}

fn header_field(analysis: &Analysis, layers: &Layers<'_>, key: FieldKey, label: &str) -> Field {
    let mut found: Option<(State, Origin, Span)> = None;
    for (n, layer) in layers.all.iter().enumerate() {
        for item in layer.items() {
            let headers = match &item.kind {
                ItemKind::Header(h) => std::slice::from_ref(h),
                ItemKind::Game(g) => g.headers.as_slice(),
                _ => continue,
            };
            for span in headers.iter().filter_map(|h| header_value(h, &key)) {
                let (state, origin) = find_origin(layers, n, span, true);
                found = Some((state, origin, span));
            }
        }
    }
    let text = found.map(|(_, _, s)| analysis.slice(s).trim().to_string()).unwrap_or_default();
    Field {
        key,
        label: label.into(),
        doc: None,
        ty: FieldType::Bounds,
        text,
        state: found.map_or(State::Unset, |f| f.0),
        origin: found.map_or(Origin::Default(None), |f| f.1),
    }
}

fn list_options(analysis: &Analysis, layers: &Layers<'_>) -> Vec<Field> {
    let mut out: Vec<Field> = Vec::new();
    for layer in &layers.all {
        for item in layer.items() {
            let ItemKind::Option(o) = &item.kind else { continue };
            let doc =
                item.doc.as_ref().map(|d| d.text.clone()).or_else(|| remark_behind(analysis, item.span));
            let known = analysis.model.options.iter().find(|x| *x.name == *o.name.text);
            let default = o.default.as_ref();
            out.push(Field {
                key: FieldKey::Option(o.name.text.as_str().into()),
                label: o.title.literal().unwrap_or_else(|| o.name.text.clone()),
                doc,
                ty: known.map_or(FieldType::Expression, |k| field_type(&analysis.model, &k.ty)),
                text: default.map(|d| analysis.slice(d.span).trim().to_string()).unwrap_or_default(),
                state: if default.is_some() { State::Default } else { State::Unset },
                origin: Origin::Default(Some(default.map_or(item.span, |d| d.span))),
            });
        }
    }
    for (n, layer) in layers.all.iter().enumerate() {
        for item in layer.items() {
            let ItemKind::SetOption(s) = &item.kind else { continue };
            let of = |f: &&mut Field| matches!(&f.key, FieldKey::Option(k) if **k == *s.name.text);
            if let Some(f) = out.iter_mut().find(of) {
                (f.state, f.origin) = find_origin(layers, n, s.value.span, is_literal(&s.value));
                f.text = analysis.slice(s.value.span).trim().to_string();
            }
        }
    }
    out
}

/// What may be written for a value of a type.
pub(crate) fn field_type(model: &Model, ty: &Ty) -> FieldType {
    let words = |k: &KindId| -> Option<FieldType> {
        let kind = model.kinds.get(k.index())?;
        if matches!(kind.sort, KindSort::Space(_)) {
            return None;
        }
        let member = |m: &houserule_model::hir::MemberId| {
            let m = model.members.get(m.index())?;
            let title = to_plain_text(&m.title).filter(|t| !t.is_empty());
            Some((m.name.clone(), title.unwrap_or_else(|| m.name.to_string())))
        };
        Some(FieldType::Words(kind.members.iter().filter_map(member).collect()))
            .filter(|_| !kind.members.is_empty())
    };
    match ty {
        Ty::Bool => FieldType::Truth,
        Ty::Int(a, b) => FieldType::Number(*a, *b),
        Ty::Of(k) | Ty::Face(k) => words(k).unwrap_or(FieldType::Expression),
        _ => FieldType::Expression,
    }
}

/// What else a sheet declares, and what it inherits from those over which it lies (not from the game).
pub(super) fn list_declarations(analysis: &Analysis, layers: &Layers<'_>) -> Vec<ListedDeclaration> {
    let mut out = Vec::new();
    for (n, layer) in layers.all.iter().enumerate() {
        if layer.item.is_none() {
            continue;
        }
        let own = layers.is_own(n);
        for (number, item) in layer.items().into_iter().enumerate() {
            if !is_shown_elsewhere(item) {
                out.push(make_listed(analysis, own.then_some(number), item));
            }
        }
    }
    out.sort_by_key(|l| (l.item.is_none(), l.sort));
    out
}

/// Whether an item has a place of its own in the form or on the map.
fn is_shown_elsewhere(item: &Item) -> bool {
    match &item.kind {
        ItemKind::SetOption(_) | ItemKind::Map(_) | ItemKind::Legend(_) | ItemKind::Bad => true,
        ItemKind::Header(h) => {
            [FieldKey::Seats, FieldKey::Players].iter().any(|k| header_value(h, k).is_some())
        }
        _ => false,
    }
}

fn make_listed(analysis: &Analysis, number: Option<usize>, item: &Item) -> ListedDeclaration {
    let text = analysis.slice(item.span).trim_end();
    let mut lines = text.lines();
    let first = lines.next().unwrap_or("").trim_end().to_string();
    let sort = match &item.kind {
        ItemKind::Attach(_) => ListedSort::Attachment,
        ItemKind::Needs(_) => ListedSort::Condition,
        _ => ListedSort::Other,
    };
    let doc = item.doc.as_ref().map(|d| d.text.clone()).or_else(|| remark_behind(analysis, item.span));
    let origin = if number.is_some() { Origin::Literal(item.span) } else { Origin::FromOther(item.span) };
    ListedDeclaration { item: number, sort, more: lines.next().is_some(), text: first, doc, origin }
}
