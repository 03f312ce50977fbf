//! Reads assignments: what can be assigned and to what; and which names a block assigns again.
use super::build;
use super::codes;
use super::cx::Cx;
use super::flow;
use super::types;
use crate::hir::*;
use houserule_syntax::ast;
use houserule_text::{Diagnostic, Span};
use rustc_hash::FxHashSet as HashSet;
use std::sync::Arc;

impl Cx<'_> {
    pub(super) fn read_assignment(
        &mut self,
        l: &ast::Expr,
        op: ast::AssignOp,
        r: &ast::Expr,
        span: Span,
    ) -> Option<StmtKind> {
        let change = match op {
            ast::AssignOp::Set => Change::Set,
            ast::AssignOp::Add => Change::Add,
            ast::AssignOp::Sub => Change::Sub,
        };
        let (lhs, ty, clamped, name) = self.read_target(l, r)?;
        if let Ty::Bag(_) = ty {
            return self.change_bag(&lhs, &ty, change, r, span);
        }
        let ty_for = |t: &Ty| t.clone();
        let mut value = match (change, types::plain(&ty)) {
            (Change::Set, _) => {
                let e = if clamped && matches!(types::plain(&ty), Ty::Int(..)) {
                    self.read_as(r, &types::WIDE, &name)
                } else {
                    self.read_as(r, &ty, &name)
                };
                let _ = ty_for;
                e
            }
            (_, Ty::Int(..)) => self.read_number_of(r, &format!("the change of {name}")),
            (_, t @ (Ty::Set(_) | Ty::List(_))) => {
                let el = types::element(self.model(), &t).unwrap_or(Ty::Error);
                let e = self.read_expr(r, Some(&el));
                match types::element(self.model(), &types::plain(&e.ty)) {
                    Some(_) => self.fit_to(e, &t, &name),
                    None => {
                        let e = self.fit_to(e, &types::maybe(el), &name);
                        build::single(e)
                    }
                }
            }
            (_, Ty::Error) => {
                let _ = self.read_expr(r, None);
                return None;
            }
            (_, other) => {
                let _ = self.read_expr(r, None);
                let is = self.show(&other);
                let _ = self.fail(
                    codes::NOT_A_NUMBER,
                    l.span,
                    format!("`+=` and `-=` change numbers and sets, but {name} is {is}"),
                    "give it a new value with `=`",
                );
                return None;
            }
        };
        if let Lhs::Local(l) = &lhs {
            // A name that is never none stays what it is where there is nothing to set it to.
            if change == Change::Set && types::is_maybe(&value.ty) && !types::is_maybe(&ty) {
                let (span, own) = (value.span, build::local(*l, ty.clone(), value.span));
                value = build::expr(ty, span, ExprKind::Default(value, own));
            }
            self.forget_local(*l);
        }
        Some(StmtKind::Assign(lhs, change, value))
    }

    /// What is assigned, with its type, whether it is clamped, and how it is called.
    pub(super) fn read_target(&mut self, l: &ast::Expr, r: &ast::Expr) -> Option<(Lhs, Ty, bool, String)> {
        if let ast::ExprKind::Name(n) = &*l.kind
            && let Some(id) = self.find_local(&n.text)
        {
            self.note_local(n.span, id);
            if !self.lets.contains(&id) {
                let at = self.locals.get(id.0 as usize).map(|l| l.span);
                let d = Diagnostic::error(
                    codes::CANNOT_ASSIGN,
                    l.span,
                    format!("`{}` cannot be changed: only names from `let` can", n.text),
                );
                self.push(match at {
                    Some(at) => d.also(at, "it gets its value here"),
                    None => d,
                });
                let _ = self.read_expr(r, None);
                return None;
            }
            let ty = self.locals.get(id.0 as usize).map_or(Ty::Error, |l| l.ty.clone());
            return Some((Lhs::Local(id), ty, false, format!("`{}`", n.text)));
        }
        // What it holds now says nothing of what it may hold; what a component is says what it has.
        let facts = self.facts.clone();
        self.facts.retain(|f| matches!(f.known, flow::Known::Kind(_) | flow::Known::Face(_)));
        let e = self.read_bag_path(l);
        self.facts = facts;
        let span = e.span;
        let attr_of = |cx: &Self, a: AttrId| {
            cx.model()
                .attrs
                .get(a.index())
                .map(|a| (a.ty.clone(), a.clamped, format!("`{}`", a.name), a.side, a.span))
        };
        match Arc::unwrap_or_clone(e.kind) {
            ExprKind::Attr(b, a) => {
                let (ty, clamped, name, side, declared) = attr_of(self, a)?;
                let b = self.to_component(b);
                if matches!(types::plain(&b.ty), Ty::Face(_) | Ty::Side(_)) {
                    let word = match &*l.kind {
                        ast::ExprKind::Field(of, _) => match &*of.kind {
                            ast::ExprKind::Name(n) => Some(n.text.as_str()),
                            _ => None,
                        },
                        _ => None,
                    };
                    let d = Diagnostic::error(
                        codes::CANNOT_ASSIGN,
                        span,
                        format!(
                            "{name} belongs to one component, but this names a face that several components may show"
                        ),
                    );
                    let kind = match types::plain(&b.ty) {
                        Ty::Face(k) | Ty::Side(k) => types::name(self.model(), k),
                        _ => String::from("K"),
                    };
                    let word = word.unwrap_or("…");
                    let field = name.trim_matches('`');
                    self.push(d.help(format!(
                        "write which one: `let c = the {kind} where {word} and …`, then `c.{field} = …`; or all: `for c in {kind} where {word} {{ c.{field} = … }}`"
                    )));
                    return None;
                }
                if side == AttrSide::Side {
                    let d = Diagnostic::error(
                        codes::CANNOT_ASSIGN,
                        span,
                        format!("{name} belongs to the faces of the die, and a face never changes"),
                    )
                    .also(declared, "declared here")
                    .help("turn the die to another face: `d.value = …`");
                    self.push(d);
                    return None;
                }
                if types::standing(self.model()) == Some(a) {
                    let _ = self.read_expr(r, None);
                    self.push(
                        Diagnostic::error(
                            codes::CANNOT_ASSIGN,
                            span,
                            "only `move` changes where a player stands",
                        )
                        .help("write `move … to …`"),
                    );
                    return None;
                }
                Some((Lhs::Attr(b, a), ty, clamped, name))
            }
            ExprKind::TableAttr(a) => {
                let (ty, clamped, name, ..) = attr_of(self, a)?;
                Some((Lhs::TableAttr(a), ty, clamped, name))
            }
            ExprKind::Builtin(Builtin::DieValue, mut args)
                if !args.iter().any(|a| matches!(types::plain(&a.ty), Ty::Side(_))) =>
            {
                let ty = types::plain(&e.ty);
                Some((Lhs::DieValue(args.pop()?), ty, false, String::from("`value`")))
            }
            ExprKind::Error => {
                let _ = self.read_expr(r, None);
                None
            }
            kind => {
                let _ = self.read_expr(r, None);
                // An attribute of several things at once has been read as a set of their values.
                let several = match (&kind, &*l.kind) {
                    (ExprKind::Fold(f), ast::ExprKind::Field(_, name)) => Some((f.over.clone(), &name.text)),
                    (ExprKind::Builtin(Builtin::Gather, args), ast::ExprKind::Field(_, name)) => {
                        args.first().map(|of| (of.clone(), &name.text))
                    }
                    _ => None,
                };
                let (message, help) = match kind {
                    ExprKind::Zone(..) => ("only `move` changes what lies in a zone", "write `move … to …`"),
                    ExprKind::Builtin(
                        Builtin::At | Builtin::Holder | Builtin::Host | Builtin::OwnerOf,
                        _,
                    ) => ("only `move` changes where a thing lies", "write `move … to …`"),
                    ExprKind::Builtin(Builtin::RowNumber | Builtin::ColumnNumber, _) => (
                        "a space stays where it is on its map",
                        "to move what lies or stands there, write `move … to …`",
                    ),
                    ExprKind::Value(..) => (
                        "a value is calculated, so it cannot be set",
                        "change it with `modify`, or use an attribute",
                    ),
                    ExprKind::Option(_) if self.within.test => (
                        "a test can set options only before its first step",
                        "move it to the beginning of the test",
                    ),
                    ExprKind::Option(_) | ExprKind::VariantOn(_) => (
                        "an option is chosen at set-up, so rules cannot change it",
                        "use an attribute of the table: `table { name: TYPE = value }`",
                    ),
                    ExprKind::Space(..) | ExprKind::Member(_) | ExprKind::Direction(_) => (
                        "this names a thing, and a thing itself cannot be set",
                        "set one of its attributes: `name.attribute = …`",
                    ),
                    _ => (
                        "only attributes and names from `let` can be set",
                        "write `let name = …` for a new name",
                    ),
                };
                let hint =
                    several.map_or_else(|| help.to_string(), |(of, name)| self.hint_for_target(&of, name));
                self.push(Diagnostic::error(codes::CANNOT_ASSIGN, span, message).help(hint));
                None
            }
        }
    }
}

/// Calls something for each statement of a block as it is written, and of the blocks in it.
pub fn visit_written<'t>(b: &'t ast::Block, f: &mut dyn FnMut(&'t ast::Stmt)) {
    use ast::StmtKind as A;
    for s in &b.stmts {
        f(s);
        match &s.kind {
            A::If { arms, otherwise } => {
                arms.iter().map(|(_, b)| b).chain(otherwise).for_each(|b| visit_written(b, f));
            }
            A::For(_, _, _, b)
            | A::RepeatUntil(_, b)
            | A::RepeatTimes(_, b)
            | A::Until(_, b)
            | A::May(_, b)
            | A::As(_, b) => visit_written(b, f),
            A::Everyone(e) => visit_written(&e.body, f),
            A::Either(ways) => ways.iter().for_each(|w| visit_written(&w.body, f)),
            _ => {}
        }
    }
}

/// The names that a block sets anew somewhere.
pub fn collect_assigned(b: &ast::Block, out: &mut HashSet<String>) {
    visit_written(b, &mut |s| {
        if let ast::StmtKind::Assign(l, ..) = &s.kind
            && let ast::ExprKind::Name(n) = &*l.kind
        {
            out.insert(n.text.clone());
        }
    });
}
