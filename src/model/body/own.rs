//! Checks reads of state that only one member has (`has`): a thing must surely show that member before it is read.
use super::build;
use super::codes;
use super::cx::Cx;
use super::flow::{self, Known};
use super::types;
use crate::hir::*;
use houserule_syntax::ast;
use houserule_text::{Diagnostic, Span};

impl Cx<'_> {
    /// The member whose face a thing surely shows: by its name, by where this stands, by what has been asked.
    fn certain_member(&self, e: &Expr) -> Option<MemberId> {
        match &*e.kind {
            ExprKind::Component(m, _) | ExprKind::Face(m, _) => return Some(*m),
            // A member with copies: one of those in the box that show it.
            ExprKind::First { n: None, of, .. } => {
                if let ExprKind::Where(_, _, test) = &*of.kind
                    && let ExprKind::IsFace(_, m, _) = &*test.kind
                {
                    return Some(*m);
                }
            }
            _ => {}
        }
        let path = flow::path(e)?;
        if let Some(m) = self.member
            && self.this.as_ref().and_then(flow::path).as_ref() == Some(&path)
        {
            return Some(m);
        }
        self.facts.iter().rev().find_map(|f| match &f.known {
            Known::Face(m) if f.path == path => Some(*m),
            _ => None,
        })
    }

    /// The attribute of that name that only the components of the member have which the thing surely shows.
    pub fn own_attr(&self, base: &Expr, word: &str) -> Option<AttrId> {
        if !self.ix.has_own_attr_somewhere(word) {
            return None;
        }
        self.ix.own_attr(self.certain_member(base)?, word)
    }

    /// Reads such an attribute of a thing; a member's bare name stands for its component.
    pub fn read_own(&mut self, base: &Expr, name: &ast::Name, span: Span) -> Option<Expr> {
        let a = self.own_attr(base, &name.text)?;
        self.note(name.span, crate::uses::Def::Attr(a));
        let base = match (&*base.kind, types::plain(&base.ty)) {
            (ExprKind::Face(m, None), Ty::Face(_)) => self.read_component(*m, None, base.span),
            (_, Ty::Face(_)) => return None,
            _ => base.clone(),
        };
        let _ = self.need_value(&base, &format!("only a thing has `.{}`", name.text));
        let ty = self.model().attrs.get(a.index()).map_or(Ty::Error, |a| a.ty.clone());
        Some(build::expr(ty, span, ExprKind::Attr(base, a)))
    }

    /// The words that are the own ones of the member which the thing surely shows.
    pub fn own_words(&self, base: &Expr) -> Vec<String> {
        let Some(m) = self.certain_member(base) else { return Vec::new() };
        let own = self.model().attrs.iter().filter(|a| a.has_of == Some(HasOf::Member(m)));
        own.map(|a| a.name.to_string()).collect()
    }

    /// Reports an attribute that only some members have, if it is not known that the thing shows such a member.
    pub fn report_others_own(&mut self, ty: &Ty, name: &ast::Name, span: Span) -> Option<Expr> {
        let model = self.model();
        let kinds = if let Ty::Face(k) = ty { vec![*k] } else { types::kinds_of(ty) };
        let (a, m) = model.attrs.iter().find_map(|a| match a.has_of {
            Some(HasOf::Member(m)) if *a.name == *name.text => {
                let of = model.members.get(m.index())?;
                let fits = kinds.iter().any(|k| types::is_a(model, of.kind, *k));
                fits.then_some((a, of))
            }
            _ => None,
        })?;
        let d = Diagnostic::error(
            codes::NO_PART,
            name.span,
            format!("`{}` belongs to `{}`, but nothing here says that this is `{}`", a.name, m.name, m.name),
        )
        .also(a.span, "declared here")
        .help(format!("write `{}.{}`, or test `is {}` first", m.name, a.name, m.name));
        self.push(d);
        Some(build::error(span))
    }
}
