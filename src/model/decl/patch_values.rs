//! Writes the values of maps of patches: what lies on a space, which spaces a patch covers, and what it prints on each.
//!
//! ```text
//! h.ground: Ground? =                                     # of the space h
//!   let patch = h.slot.tile
//!   if patch is some and patch.up then (if h.spot == 0 then patch.ground_1 else …) else none
//! t.ground(space: 1..4): Ground = if space == 1 then t.ground_1 else …   # of the patch t
//! ```
use super::Declarer;
use super::patches::{Ground, Patch};
use super::types::const_int;
use crate::body::{build, types};
use crate::codes::PRINTS;
use crate::hir::*;
use houserule_syntax::ast;
use houserule_text::{Diagnostic, Span};
use std::sync::Arc;

/// What a patch prints, on each of its spaces or on each side.
struct Print {
    span: Span,
    by_side: bool,
    /// The attributes, in the order of the spaces or sides.
    all: Vec<AttrId>,
    /// The type as it is declared.
    declared: Ty,
    /// The type of what a space shows.
    ty: Ty,
    /// What a space shows on which no patch lies face up.
    unknown: Expr,
}

impl Print {
    fn is(&self, a: Expr, b: Expr) -> Expr {
        build::cond(self.span, ExprKind::Compare(Comparison::Eq, a, b))
    }

    fn side_is(&self, way: u8) -> Expr {
        let side = build::local(LocalId(1), direction_or_none(), self.span);
        let way = build::expr(Ty::Of(builtin_kinds::DIRECTION), self.span, ExprKind::Direction(way));
        self.is(side, way)
    }

    /// The value of the first test that holds, else `last`; without a last one, the last value.
    fn choose(&self, ty: &Ty, mut cases: Vec<(Expr, Expr)>, last: Option<Expr>) -> Expr {
        let last = last.or_else(|| cases.pop().map(|(_, value)| value));
        let last = last.unwrap_or_else(|| self.unknown.clone());
        cases.into_iter().rev().fold(last, |rest, (test, value)| {
            build::expr(ty.clone(), self.span, ExprKind::If(test, value, rest))
        })
    }
}

/// No direction leads to no side.
fn direction_or_none() -> Ty {
    types::maybe(Ty::Of(builtin_kinds::DIRECTION))
}

impl<'t> Declarer<'t> {
    /// Declares `h.patch`, `s.spaces`, `t.spaces`, and for each print a value of the spaces and one of the patch.
    pub(super) fn add_values(&mut self, patch: &Patch<'t>, ground: &Ground, prints: Vec<Vec<AttrId>>) {
        let span = Span::default();
        let (tile, here) = (Ty::Of(patch.kind), Ty::Of(ground.space));
        let local = |n: u32, ty: &Ty| build::local(LocalId(n), ty.clone(), span);
        let lies = self.write_lying(patch, ground, local(0, &here));
        let beside = self.write_lying(patch, ground, local(1, &here));
        // The spaces at which `e`, read of the local 1, is the local 0.
        let write_spaces = |of: &Ty, e: Expr| {
            let same = build::cond(span, ExprKind::Compare(Comparison::Eq, e, local(0, of)));
            let spaces = types::set_of(here.clone());
            let all = build::expr(spaces.clone(), span, ExprKind::All(ground.space));
            build::expr(spaces, span, ExprKind::Where(all, LocalId(1), same))
        };
        let it = ("it", here.clone());
        let word = |text: &str| ast::Name { text: text.into(), span: patch.name.span };
        self.check_once_in(Some(ground.space), &word("patch"));
        self.add_value("patch", &[("this", here.clone())], 1, lies.clone(), span, None);
        self.check_once_in(Some(patch.kind), &word("spaces"));
        let covered = write_spaces(&tile, beside);
        self.add_value("spaces", &[("this", tile.clone()), it.clone()], 1, covered, span, None);
        if let Some(slot) = ground.slot
            && let Ty::Of(k) = self.model.attrs[slot.index()].ty
        {
            self.check_once_in(Some(k), &word("spaces"));
            let of = build::expr(Ty::Of(k), span, ExprKind::Attr(local(1, &here), slot));
            let spaces = write_spaces(&Ty::Of(k), of);
            self.add_value("spaces", &[("this", Ty::Of(k)), it], 1, spaces, span, None);
        }
        let attrs = patch.prints.iter().filter_map(|p| match &p.kind {
            ast::PartKind::Attr(a) => Some((a, p.doc.as_ref())),
            _ => None,
        });
        for ((a, doc), all) in attrs.zip(prints) {
            let Some(declared) = all.first().map(|a| self.model.attrs[a.index()].ty.clone()) else {
                continue;
            };
            let unknown = a.default.as_ref().and_then(|e| self.read_constant(e, &declared));
            let ty = if unknown.is_some() { declared.clone() } else { types::maybe(declared.clone()) };
            let (span, by_side) = (a.name.span, a.per.is_some());
            let unknown = unknown.unwrap_or_else(|| build::none(span));
            let print = Print { span, by_side, all, declared, ty, unknown };
            let doc: Option<Arc<str>> = doc.map(|d| d.text.as_str().into());
            let mut locals = vec![("this", here.clone())];
            locals.extend(by_side.then(|| ("side", direction_or_none())));
            let params = locals.len();
            locals.push(("patch", types::maybe(tile.clone())));
            let shown = self.write_shown(ground, &print, &tile, (LocalId(params as u32), lies.clone()));
            self.check_once_in(Some(ground.space), &a.name);
            self.add_value(&a.name.text, &locals, params, shown, span, doc.clone());
            let mut locals = vec![("this", tile.clone())];
            match (by_side, print.all.len()) {
                (true, _) => locals.push(("side", direction_or_none())),
                (false, 1) => {}
                (false, n) => locals.push(("space", Ty::Int(1, n as i32))),
            }
            let printed = write_printed(ground, &print, &tile);
            self.add_value(&a.name.text, &locals, locals.len(), printed, span, doc);
        }
    }

    /// The patch that lies on a space, or none.
    fn write_lying(&self, patch: &Patch<'_>, ground: &Ground, space: Expr) -> Expr {
        let span = Span::default();
        let host = match ground.slot {
            Some(slot) => {
                let ty = self.model.attrs[slot.index()].ty.clone();
                build::expr(ty, span, ExprKind::Attr(space, slot))
            }
            None => space,
        };
        build::expr(types::maybe(Ty::Of(patch.kind)), span, ExprKind::Zone(Some(host), ground.lies, None))
    }

    /// What a space shows: `at` is the local that is to be the patch which lies there, and that patch.
    fn write_shown(&mut self, ground: &Ground, print: &Print, tile: &Ty, at: (LocalId, Expr)) -> Expr {
        let (lying, lies) = at;
        let span = print.span;
        let thing = |ty: &Ty| build::local(lying, ty.clone(), span);
        // Read behind the test for none.
        self.model.narrowed.entry(span).or_default().some = true;
        let attrs = &self.model.attrs;
        let read =
            |of: Expr, a: AttrId| build::expr(attrs[a.index()].ty.clone(), span, ExprKind::Attr(of, a));
        // What the patch shows here if it is turned so often.
        let turned_by = |j: usize| {
            let cases = print.all.iter().enumerate().map(|(i, a)| {
                let test = match (print.by_side, ground.spots.get(j)) {
                    (true, _) => {
                        let to = ground.sides.get((i + j) % print.all.len()).copied().unwrap_or(0);
                        print.side_is(to)
                    }
                    (false, Some(spot)) => {
                        let this = build::local(LocalId(0), Ty::Of(ground.space), span);
                        print.is(read(this, *spot), build::int(i as i32, span))
                    }
                    (false, None) => build::truth(true, span),
                };
                (test, read(thing(tile), *a))
            });
            // A space has no side in the other directions.
            let last = print.by_side.then(|| print.unknown.clone());
            print.choose(&print.ty, cases.collect(), last)
        };
        let ways = ground.turned.and_then(|t| types::bounds(&attrs[t.index()].ty)).map_or(0, |(_, hi)| hi);
        let cases = (0..=ways).map(|j| {
            let test = match ground.turned {
                Some(turned) => print.is(read(thing(tile), turned), build::int(j, span)),
                None => build::truth(true, span),
            };
            (test, turned_by(j as usize))
        });
        let shown = print.choose(&print.ty, cases.collect(), None);
        let there = build::cond(span, ExprKind::IsSome(thing(&types::maybe(tile.clone()))));
        let up = build::builtin(Builtin::Up, vec![thing(tile)], Ty::Bool, span);
        let known = ExprKind::If(build::and(there, up), shown, print.unknown.clone());
        let known = build::expr(print.ty.clone(), span, known);
        build::expr(print.ty.clone(), span, ExprKind::Let(lying, lies, known))
    }

    /// The default of a print: it also stands where nothing is known. What does not fit is reported where the attribute is read.
    fn read_constant(&mut self, e: &ast::Expr, ty: &Ty) -> Option<Expr> {
        let kind = match (&*e.kind, types::plain(ty)) {
            (ast::ExprKind::Int(_) | ast::ExprKind::Neg(_), Ty::Int(..)) => ExprKind::Int(const_int(e)?),
            (ast::ExprKind::Yes, Ty::Bool) => ExprKind::Bool(true),
            (ast::ExprKind::No, Ty::Bool) => ExprKind::Bool(false),
            (ast::ExprKind::None, _) => return None,
            (ast::ExprKind::Name(n), Ty::Of(k)) => {
                let members = &self.model.kinds.get(k.index())?.members;
                let named = |m: &&MemberId| *self.model.members[m.index()].name == *n.text;
                ExprKind::Member(*members.iter().find(named)?)
            }
            _ => {
                let message = "the default of what a patch prints is written out";
                let help = "write a word of the enum, a number, `yes` or `no`";
                self.report.push(Diagnostic::error(PRINTS, e.span, message).help(help));
                return None;
            }
        };
        Some(build::expr(types::plain(ty), e.span, kind))
    }

    /// A value of the kind of its first parameter.
    fn add_value(
        &mut self,
        name: &str,
        locals: &[(&str, Ty)],
        params: usize,
        body: Expr,
        span: Span,
        doc: Option<Arc<str>>,
    ) {
        let Some((_, Ty::Of(of))) = locals.first() else { return };
        let local = |(name, ty): &(&str, Ty)| Local { name: (*name).into(), ty: ty.clone(), span };
        self.model.values.push(Value {
            name: name.into(),
            of: Some(*of),
            ty: body.ty.clone(),
            body: Body { locals: locals.iter().map(local).collect(), params, body: Some(body) },
            role: ValueRole::Patch,
            span,
            doc,
            scope: self.model.kinds[of.index()].scope,
        });
    }
}

/// What is printed on the patch itself: on a space, or on a side as long as it is not turned.
fn write_printed(ground: &Ground, print: &Print, tile: &Ty) -> Expr {
    let span = print.span;
    let space = || build::local(LocalId(1), Ty::Int(1, print.all.len() as i32), span);
    let cases = print.all.iter().enumerate().map(|(i, of)| {
        let this = build::local(LocalId(0), tile.clone(), span);
        let value = build::expr(print.declared.clone(), span, ExprKind::Attr(this, *of));
        let test = match ground.sides.get(i).filter(|_| print.by_side) {
            Some(to) => print.side_is(*to),
            None => print.is(space(), build::int(i as i32 + 1, span)),
        };
        (test, value)
    });
    match print.by_side {
        true => print.choose(&print.ty, cases.collect(), Some(print.unknown.clone())),
        false => print.choose(&print.declared, cases.collect(), None),
    }
}
