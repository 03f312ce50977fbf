//! Finds what the texts say of a card: the member or the row of a list that declares it, other rows of its name, and `change NAME { … }`.
use crate::analysis::Analysis;
use crate::draw::inner_items;
use houserule_model::hir;
use houserule_syntax::ast::{
    Change, ChangeTarget, Component, Item, ItemKind, ListDecl, ListRow, Member, MoreMember, Part, RowName,
};
use houserule_text::Span;
use std::collections::BTreeMap;

/// How a text speaks of a card.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Form<'a> {
    /// `K name …`
    Member(&'a Member),
    /// `…, name x3` behind another member of the kind.
    More(&'a Member, &'a MoreMember),
    /// A row of `list K | …`.
    Row(&'a ListDecl, &'a ListRow),
    /// `change name { … }`
    Change(&'a Change),
}

/// A declaration that speaks of a card, and what it stands in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spoken<'a> {
    /// The declaration.
    pub item: &'a Item,
    /// The mod, variant, part or scenario in which it stands.
    pub outer: Option<&'a Item>,
    /// How it speaks of the card.
    pub form: Form<'a>,
}

impl<'a> Spoken<'a> {
    /// The entries in braces.
    pub fn parts(&self) -> &'a [Part] {
        match self.form {
            Form::Member(m) => &m.parts,
            Form::More(..) => &[],
            Form::Row(_, r) => &r.parts,
            Form::Change(c) => &c.parts,
        }
    }

    /// The text that is of this card: the row of a list, or of several members in one line this one.
    pub fn span(&self) -> Span {
        match self.form {
            Form::Member(m) if !m.more.is_empty() => {
                let own = m.copies.as_ref().map(|e| e.span).or(m.title.as_ref().map(|t| t.span));
                m.kind.span.to(own.unwrap_or(m.name.span))
            }
            Form::Member(_) | Form::Change(_) => self.item.span,
            Form::More(_, more) => more.span,
            Form::Row(_, row) => row.span,
        }
    }

    /// What the declaration stands in, for people: `the mod Night`.
    pub fn outer_title(&self) -> Option<String> {
        name_outer(self.outer?)
    }
}

/// What a mod, variant, part or scenario is called: `the mod Night`.
pub(super) fn name_outer(outer: &Item) -> Option<String> {
    Some(match &outer.kind {
        ItemKind::Mod(m) => format!("the mod {}", m.title.literal().unwrap_or_default()),
        ItemKind::Variant(v) => format!("the variant {}", v.name.text),
        ItemKind::Part(p) => format!("the part {}", p.name.text),
        ItemKind::Scenario(s) => format!("the scenario {}", s.name.text),
        _ => return None,
    })
}

/// All that the texts say of a card.
#[derive(Clone, Debug)]
pub(crate) struct Declared<'a> {
    /// The declaration that makes the card.
    pub own: Spoken<'a>,
    /// Others that say something of it.
    pub others: Vec<Spoken<'a>>,
}

impl<'a> Declared<'a> {
    /// The text of its declaration.
    pub fn span(&self) -> Span {
        let whole = self.own.span();
        // A declaration's span may end behind blanks and remarks of the line.
        Span { end: whole.end.max(whole.start), ..whole }
    }

    /// What `##` lines above it say.
    pub fn doc(&self) -> Option<String> {
        match self.own.form {
            Form::Row(_, row) => row.doc.as_ref().map(|d| d.text.clone()),
            _ => None,
        }
    }

    /// All declarations, its own first.
    pub fn all(&self) -> impl Iterator<Item = &Spoken<'a>> {
        std::iter::once(&self.own).chain(&self.others)
    }

    /// Whether it is one of a family.
    pub fn is_family(&self) -> bool {
        matches!(self.own.form, Form::Member(m) if m.params.is_some())
    }
}

/// A kind's declaration, or a `change` of it, with what it stands in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KindText<'a> {
    /// The kind's name.
    pub kind: &'a str,
    /// Its entries.
    pub parts: &'a [Part],
    /// The mod, variant, part or scenario in which it stands.
    pub outer: Option<&'a Item>,
}

/// What all texts say of cards and their kinds, by name.
pub(crate) struct Texts<'a> {
    /// The analysis whose texts these are.
    pub analysis: &'a Analysis,
    /// By the place of the name: what makes a card.
    makes: BTreeMap<(u16, u32), Spoken<'a>>,
    /// Rows and changes by the name of the card.
    by_name: BTreeMap<&'a str, Vec<Spoken<'a>>>,
    /// Declarations and changes of kinds, in order.
    pub kinds: Vec<KindText<'a>>,
}

impl<'a> Texts<'a> {
    /// Goes through all declarations once.
    pub fn from_analysis(analysis: &'a Analysis) -> Texts<'a> {
        let mut texts =
            Texts { analysis, makes: BTreeMap::new(), by_name: BTreeMap::new(), kinds: Vec::new() };
        for item in analysis.asts.iter().flat_map(|f| &f.items) {
            texts.add(item, None, 0);
        }
        texts
    }

    fn add(&mut self, item: &'a Item, outer: Option<&'a Item>, depth: u32) {
        let at = |s: Span| (s.file.0, s.start);
        match &item.kind {
            ItemKind::Member(m) => {
                self.makes.insert(at(m.name.span), Spoken { item, outer, form: Form::Member(m) });
                for more in &m.more {
                    self.makes.insert(at(more.name.span), Spoken { item, outer, form: Form::More(m, more) });
                }
            }
            ItemKind::List(l) => {
                for row in l.rows.iter().filter(|r| !r.bad) {
                    let spoken = Spoken { item, outer, form: Form::Row(l, row) };
                    match &row.name {
                        RowName::Named(n) => {
                            self.makes.insert(at(n.span), spoken);
                            self.by_name.entry(&n.text).or_default().push(spoken);
                        }
                        RowName::Number(n) => {
                            self.makes.insert(at(n.span), spoken);
                        }
                        RowName::Unnamed => {
                            self.makes.insert(at(row.span), spoken);
                        }
                    }
                }
            }
            ItemKind::Change(c) => match &c.target {
                ChangeTarget::Member(n) => {
                    let spoken = Spoken { item, outer, form: Form::Change(c) };
                    self.by_name.entry(&n.text).or_default().push(spoken);
                }
                ChangeTarget::Kind(n) => self.kinds.push(KindText { kind: &n.text, parts: &c.parts, outer }),
                ChangeTarget::Player(_) | ChangeTarget::Table(_) => {}
            },
            ItemKind::Component(Component { name, parts, .. }) => {
                self.kinds.push(KindText { kind: &name.text, parts, outer });
            }
            ItemKind::Patch(p) => self.kinds.push(KindText { kind: &p.name.text, parts: &p.parts, outer }),
            _ => {}
        }
        // A variant may stand in a mod.
        if depth < 3 {
            for inner in inner_items(item) {
                self.add(inner, Some(item), depth + 1);
            }
        }
    }

    /// What the texts say of a member; none if what declares it cannot be read.
    pub fn find(&self, member: &hir::Member) -> Option<Declared<'a>> {
        let own = *self.makes.get(&(member.span.file.0, member.span.start))?;
        let kind = self.analysis.model.kinds.get(member.kind.index())?;
        let others = self.by_name.get(&*member.name).map_or(&[][..], Vec::as_slice);
        let fits = |s: &&Spoken<'a>| match s.form {
            Form::Row(l, _) => l.of.text == *kind.name && s.span() != own.span(),
            _ => true,
        };
        Some(Declared { own, others: others.iter().filter(fits).copied().collect() })
    }
}
