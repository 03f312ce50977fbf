//! Names of faces where a component is meant: a face that exactly one component shows stands for that component.
//!
//! `atlanta.lab = yes`, `for g in [bale, sack] { move g to ship }`, `move my.home to map` with `home: face of City?`.
use super::build::{self, cond, expr};
use super::codes;
use super::cx::Cx;
use super::types::{self, Fit};
use crate::hir::*;
use houserule_text::{Diagnostic, Report, Span};
use std::sync::Arc;

/// Reports reads of an attribute that changes, of a face that several components may show: each of them has its own.
pub fn report_face_reads(model: &Model, reads: &[(AttrId, Span)], out: &mut Report) {
    for (a, span) in reads {
        let Some(attr) = model.attrs.get(a.index()).filter(|a| a.assigned) else { continue };
        let message =
            format!("several components may show this face, and each has a `{}` of its own", attr.name);
        let kind = attr.of.map_or_else(|| String::from("K"), |k| types::name(model, k));
        out.push(Diagnostic::error(codes::NO_PART, *span, message).help(format!(
            "write which one: `the {kind} where …`, or all, as in `any(c in {kind} where …: c.{} …)`",
            attr.name
        )));
    }
}

impl Cx<'_> {
    /// Whether a member's face is on exactly one component.
    pub fn is_unique(&self, m: MemberId) -> bool {
        self.model().members.get(m.index()).is_some_and(|d| {
            let kinds = types::line_of(self.model(), d.kind);
            d.copies.is_none()
                && kinds.iter().all(|k| types::kind(self.model(), *k).is_some_and(|k| !k.per_player))
        })
    }

    /// The kind of a face, or of a set or list of faces.
    fn kind_of_faces(&self, ty: &Ty) -> Option<KindId> {
        match types::plain(ty) {
            Ty::Face(k) => Some(k),
            Ty::Set(t) | Ty::List(t) => self.kind_of_faces(&t),
            _ => None,
        }
    }

    /// Whether each face that an expression can give is on exactly one component.
    pub fn has_unique_faces(&self, e: &Expr) -> bool {
        match &*e.kind {
            ExprKind::Face(m, _) => self.is_unique(*m),
            ExprKind::Local(l) if self.unique.contains(l) => true,
            ExprKind::Set(es) | ExprKind::List(es) => es.iter().all(|e| self.has_unique_faces(e)),
            ExprKind::If(_, a, b) | ExprKind::Union(a, b) => {
                self.has_unique_faces(a) && self.has_unique_faces(b)
            }
            ExprKind::Where(a, ..) | ExprKind::Without(a, _) | ExprKind::First { of: a, .. } => {
                self.has_unique_faces(a)
            }
            ExprKind::Choose(c) => self.has_unique_faces(&c.from),
            _ => self.kind_of_faces(&e.ty).is_some_and(|k| {
                let model = self.model();
                types::is_component(model, k)
                    && model
                        .kinds
                        .iter()
                        .enumerate()
                        .all(|(i, d)| d.copies.is_none() || !types::is_a(model, KindId(i as u32), k))
                    && (0..model.members.len())
                        .map(|m| MemberId(m as u32))
                        .all(|m| self.is_unique(m) || !types::is_a(model, model.members[m.index()].kind, k))
            }),
        }
    }

    /// Remembers of a new name that it holds only faces that are on exactly one component each.
    pub fn note_unique(&mut self, l: LocalId, from: &Expr) {
        if self.kind_of_faces(&from.ty).is_some() && self.has_unique_faces(from) {
            self.unique.insert(l);
        }
    }

    /// The component that shows a face, or the components that show faces, where that is exactly one each; anything else stays as it is.
    pub fn to_component(&mut self, e: Expr) -> Expr {
        let Some(k) = self.kind_of_faces(&e.ty).filter(|_| self.has_unique_faces(&e)) else { return e };
        let span = e.span;
        match &*e.kind {
            ExprKind::Face(m, key) => return self.read_component(*m, key.clone(), span),
            ExprKind::Set(es) => {
                let es = es.iter().map(|e| self.to_component(e.clone())).collect();
                return expr(types::set_of(Ty::Of(k)), span, ExprKind::Set(es));
            }
            ExprKind::List(es) => {
                let es = es.iter().map(|e| self.to_component(e.clone())).collect();
                return expr(types::list_of(Ty::Of(k)), span, ExprKind::List(es));
            }
            _ => {}
        }
        // What asks or draws is evaluated once, before the components are gone through.
        let face = self.new_local("it", e.ty.clone(), span);
        let faces = build::local(face, e.ty.clone(), span);
        let it = self.new_local("it", Ty::Of(k), span);
        let shown =
            build::builtin(Builtin::FaceOf, vec![build::local(it, Ty::Of(k), span)], Ty::Face(k), span);
        let of = types::set_of(Ty::Of(k));
        let all = expr(of.clone(), span, ExprKind::All(k));
        let several = types::element(self.model(), &e.ty).is_some();
        let test = if several {
            ExprKind::In(shown, faces)
        } else {
            ExprKind::Compare(Comparison::Eq, shown, faces)
        };
        let those = expr(of.clone(), span, ExprKind::Where(all, it, cond(span, test)));
        let (ty, kind) = if several {
            (of, Arc::unwrap_or_clone(those.kind))
        } else if types::is_maybe(&e.ty) {
            (types::maybe(Ty::Of(k)), ExprKind::First { n: None, of: self.make_list(those), last: false })
        } else {
            (Ty::Of(k), ExprKind::The(those))
        };
        let found = expr(ty.clone(), span, kind);
        expr(ty, span, ExprKind::Let(face, e, found))
    }

    /// The component of a face that stands where that type is expected; none if it cannot be one.
    pub(super) fn fit_component(&mut self, e: &Expr, to: &Ty) -> Option<Expr> {
        let k = self.kind_of_faces(&e.ty)?;
        let is = match types::element(self.model(), &e.ty) {
            Some(_) => types::set_of(Ty::Of(k)),
            None => Ty::Of(k),
        };
        let fits = !matches!(types::fit(self.model(), &is, to), Fit::No | Fit::Outside);
        (fits && self.has_unique_faces(e)).then(|| self.to_component(e.clone()))
    }
}
