//! Flow typing through values: what the expression of a value makes certain, where the value is a condition or the set of which something is a member.
//!
//! ```text
//! value manned(c: Cell): bool = c.man is some
//! action push(c: Cell where manned(it), goal: one of neighbours(c, [c.man.ahead])) in move { … }
//! ```
//!
//! What something modifies is not read through: the modification makes it uncertain.
use super::cx::Cx;
use super::flow::{self, Fact, Known};
use super::{assign, codes};
use crate::hir::*;
use houserule_syntax::ast;
use houserule_text::{Diagnostic, Span};
use rustc_hash::FxHashMap as HashMap;

/// How many values inside one another are looked through.
const DEEPEST: u8 = 4;

/// The member of a set in the paths of [`facts_of_member`].
const MEMBER: &str = "member";

fn local(l: LocalId) -> String {
    format!("l{}", l.0)
}

/// What is certain of members when a condition holds, through values, too.
fn facts(m: &Model, e: &Expr, truth: bool, depth: u8, out: &mut Vec<Fact>) {
    flow::facts(e, truth, out);
    facts_through(m, e, truth, depth, out);
}

/// What the values called in a condition make certain.
fn facts_through(m: &Model, e: &Expr, truth: bool, depth: u8, out: &mut Vec<Fact>) {
    match (&*e.kind, truth) {
        (ExprKind::Not(a), t) => facts_through(m, a, !t, depth, out),
        (ExprKind::And(a, b), true) | (ExprKind::Or(a, b), false) => {
            facts_through(m, a, truth, depth, out);
            facts_through(m, b, truth, depth, out);
        }
        (ExprKind::Value(v, args), t) => {
            called(m, *v, args, depth, out, |m, e, depth, out| facts(m, e, t, depth, out));
        }
        _ => {}
    }
}

/// What is certain of each member of a set, by the name [`MEMBER`].
fn facts_of_member(m: &Model, set: &Expr, depth: u8, out: &mut Vec<Fact>) {
    match &*set.kind {
        ExprKind::Where(over, it, cond) => {
            let mut own = Vec::new();
            facts(m, cond, true, depth, &mut own);
            let names = [(local(*it), MEMBER.to_string())];
            out.extend(own.iter().map(|f| flow::rename_fact(f, &names)));
            facts_of_member(m, over, depth, out);
        }
        ExprKind::Value(v, args) => called(m, *v, args, depth, out, facts_of_member),
        _ => {}
    }
}

/// What the expression of a value says, with the arguments in place of the parameters.
fn called(
    m: &Model,
    v: ValueId,
    args: &[Expr],
    depth: u8,
    out: &mut Vec<Fact>,
    read: impl FnOnce(&Model, &Expr, u8, &mut Vec<Fact>),
) {
    let Some(value) = m.values.get(v.index()).filter(|_| depth < DEEPEST) else { return };
    let Some(body) = &value.body.body else { return };
    let mut own = Vec::new();
    read(m, body, depth + 1, &mut own);
    let names: Vec<(String, String)> = (0..)
        .zip(args)
        .filter_map(|(i, a)| Some((local(LocalId(i)), flow::path(a)?)))
        .chain([(MEMBER.into(), MEMBER.into())])
        .collect();
    let is_local = |word: &str| word.strip_prefix('l').is_some_and(|n| n.parse::<u32>().is_ok());
    // A fact of a name inside the value says nothing outside.
    let is_known = |f: &&Fact| {
        let mut words = f.path.split(|c: char| !c.is_ascii_alphanumeric());
        matches!(f.known, Known::Some | Known::Kind(_))
            && words.all(|w| !is_local(w) || names.iter().any(|(from, _)| from == w))
    };
    out.extend(own.iter().filter(is_known).map(|f| {
        let fact = flow::rename_fact(f, &names);
        let fleeting = !is_local(&fact.path);
        let through = fact.through.iter().copied().chain([v]).collect();
        Fact { fleeting, through, ..fact }
    }));
}

/// What is certain of a name that is a member of a set.
pub fn list_member_facts(m: &Model, set: &Expr, name: LocalId) -> Vec<Fact> {
    let mut found = Vec::new();
    facts_of_member(m, set, 0, &mut found);
    let names = [(MEMBER.to_string(), local(name))];
    found.iter().map(|f| flow::rename_fact(f, &names)).collect()
}

impl Cx<'_> {
    /// Learns what the condition's outcome makes certain.
    pub fn learn(&mut self, cond: &Expr, truth: bool) {
        facts(self.ix.model, cond, truth, 0, &mut self.facts);
    }

    /// Learns the facts of a condition that uses other names: each of the first stands for the second.
    pub fn learn_as(&mut self, cond: &Expr, names: &[(LocalId, LocalId)]) {
        let mut found = Vec::new();
        facts(self.ix.model, cond, true, 0, &mut found);
        let names: Vec<_> = names.iter().map(|(a, b)| (local(*a), local(*b))).collect();
        self.facts.extend(found.iter().map(|f| flow::rename_fact(f, &names)));
    }

    /// The value that would make it certain that something is not none, if nothing modified it, with the place where that is done.
    fn find_modified(&self, e: &Expr) -> Option<(&str, Span)> {
        let path = flow::path(e)?;
        let of_path = self.facts.iter().filter(|f| f.path == path && f.known != Known::NotEmpty);
        let mut modified = of_path.filter_map(|f| self.modified_through(f));
        modified.next()
    }

    /// The value that a fact comes through, if something modifies that.
    pub(super) fn modified_through(&self, f: &Fact) -> Option<(&str, Span)> {
        let named = f.through.iter().filter_map(|v| self.model().values.get(v.index()));
        let mut modified = named.filter_map(|v| Some((&*v.name, *self.ix.modified.get(&*v.name)?)));
        modified.next()
    }

    /// The finding that something may be none because a value is modified.
    pub(super) fn report_uncertain(&self, e: &Expr, for_what: &str) -> Option<Diagnostic> {
        let (name, span) = self.find_modified(e)?;
        let message = format!("this may be none where `{name}` is modified, but {for_what}");
        let d = Diagnostic::error(codes::UNCERTAIN, e.span, message).also(span, "modified here");
        Some(d.help(format!("handle none: `… is some and …`, `… default …`; or leave `{name}` as it is")))
    }

    /// Learns what is certain of a name that is a member of a set.
    pub fn learn_member(&mut self, set: &Expr, name: LocalId) {
        self.facts.extend(list_member_facts(self.ix.model, set, name));
    }
}

/// The values that something modifies, by name, each with a place where that is done. They are not read through.
pub fn list_modified(attached: &[&ast::Attach], blocks: &[&ast::Block]) -> HashMap<String, Span> {
    let mut out = HashMap::default();
    let mut note = |a: &ast::Attach| {
        if let ast::AttachKind::Modify(..) = a.kind {
            let heads = a.heads.iter().filter_map(|h| h.path.last());
            out.extend(heads.map(|n| (n.text.clone(), a.span)));
        }
    };
    let mut look = |b: &ast::Block| {
        assign::visit_written(b, &mut |s| {
            if let ast::StmtKind::Attach(a) = &s.kind {
                note(a);
            }
        });
    };
    blocks.iter().for_each(|b| look(b));
    for a in attached {
        if let ast::AttachKind::Around { body, .. } = &a.kind {
            look(body);
        }
    }
    attached.iter().for_each(|a| note(a));
    out
}
