//! Menus and actions: what can be chosen, guards first, then the effect.
use super::attach::once;
use super::build::{self, expr, int};
use super::codes;
use super::cx::{Cx, Me, Mode};
use super::decl::{self, Shared, reading};
use super::index::Index;
use super::stmt;
use super::types;
use super::walk;
use crate::model::hir::*;
use crate::syntax::ast;
use crate::text::{Diagnostic, Report};

/// What a menu's declaration comes to.
pub struct MenuParts {
    /// `me`, parameters, and the rest.
    pub locals: Vec<Local>,
    /// Its parameters.
    pub params: Vec<Param>,
    /// `done`.
    pub done: Option<Ending>,
    /// `pass`.
    pub pass: Option<Ending>,
    /// `open when`.
    pub open: Option<(Expr, Option<Text>)>,
    /// Endings.
    pub endings: Vec<MenuEnding>,
    /// Guards common to its actions.
    pub needs: Vec<Guard>,
}

/// Reads a menu.
pub fn menu(ix: &Index<'_>, shared: &Shared, out: &mut Report, id: MenuId, m: &ast::MenuDecl) -> MenuParts {
    let mut cx = reading(ix, shared, out, Mode::Pure("a menu"), &[]);
    let me = cx.fresh("me", types::player(), m.name.span);
    cx.me = Me::Is(me);
    cx.in_menu = true;
    cx.has.push(HasOf::Menu(id));
    let params = m.params.as_deref().unwrap_or(&[]).iter().map(|p| param(&mut cx, p)).collect();
    let mut parts = MenuParts {
        locals: Vec::new(),
        params,
        done: None,
        pass: None,
        open: None,
        endings: Vec::new(),
        needs: Vec::new(),
    };
    for p in &m.parts {
        match &p.kind {
            ast::MenuPartKind::Done(w) => parts.done = Some(way(&mut cx, w, p.span)),
            ast::MenuPartKind::Pass(w) => parts.pass = Some(way(&mut cx, w, p.span)),
            ast::MenuPartKind::Open { when, reason } => {
                let c = cx.cond(when, "when a menu is open");
                let t = reason.as_ref().map(|t| cx.lenient_text(t));
                parts.open = Some((c, t));
            }
            ast::MenuPartKind::Ending(e) => {
                let e = decl::ending(&mut cx, e, p.span);
                parts.endings.push(e);
            }
            ast::MenuPartKind::Needs(n) => {
                let g = cx.guard(n, p.span);
                cx.learn(&g.cond, true);
                parts.needs.push(g);
            }
            ast::MenuPartKind::Cost(_) => drop(cx.later(p.span, "costs")),
            ast::MenuPartKind::Clock(_) => drop(cx.later(p.span, "clocks")),
            ast::MenuPartKind::NoDeadEnds => drop(cx.later(p.span, "`no dead ends`")),
            ast::MenuPartKind::Must(_) => drop(cx.later(p.span, "legality by outcome (`must …`)")),
            ast::MenuPartKind::Has(_) => drop(cx.later(p.span, "a menu's own state")),
            ast::MenuPartKind::Bad => {}
        }
    }
    parts.locals = cx.locals;
    parts
}

fn way(cx: &mut Cx<'_>, w: &ast::Way, span: crate::text::Span) -> Ending {
    let title = w.title.as_ref().map(|t| cx.lenient_text(t));
    let when = w.when.as_ref().map(|c| cx.cond(c, "when it may be taken"));
    let reason = w.reason.as_ref().map(|t| cx.lenient_text(t));
    Ending { title, when, reason, span }
}

/// Reads a parameter of an action or menu and binds its name.
pub fn param(cx: &mut Cx<'_>, p: &ast::Param) -> Param {
    let outer = std::mem::replace(&mut cx.mode, Mode::Pure("a parameter"));
    let out = match &p.kind {
        ast::ParamKind::Choice { many, from } => {
            let many = cx.many_of(many, "how many are chosen");
            let from = cx.source(from, None, None);
            let from = cx.many(from, "what is chosen from");
            let el = types::element(cx.model(), &from.ty).unwrap_or(Ty::Error);
            let ty = match many {
                Many::One => el,
                Many::Subset { .. } => types::set_of(el),
            };
            let local = cx.bind(&p.name, ty);
            Param { local, from, many, filter: None, span: p.span }
        }
        ast::ParamKind::Typed { ty, of, filter } => {
            let (from, el) = universe(cx, ty, of.as_ref());
            let local = cx.bind(&p.name, el.clone());
            let filter = filter.as_ref().map(|f| {
                let cand = build::local(local, el.clone(), p.name.span);
                let test = cx.candidate(f, cand);
                cx.learn(&test, true);
                test
            });
            Param { local, from, many: Many::One, filter, span: p.span }
        }
    };
    if p.default.is_some() {
        drop(cx.later(p.span, "parameters that need not be said"));
    }
    cx.mode = outer;
    out
}

/// Everything that a type's value can be.
fn universe(cx: &mut Cx<'_>, ty: &ast::Type, of: Option<&ast::Expr>) -> (Expr, Ty) {
    let span = ty.span;
    let fail = |cx: &mut Cx<'_>, what: &str| {
        let e = cx.fail(codes::WRONG_FORM, span, format!("{what} cannot be gone through: an action's parameter is a kind, an enum, a range or `one of S`"));
        (e, Ty::Error)
    };
    match &ty.kind {
        ast::TypeKind::Named(n) => {
            if let Some(p) = of {
                let e = cx.kind_of(n, p, span);
                let el = types::element(cx.model(), &e.ty).unwrap_or(Ty::Error);
                return (e, el);
            }
            match n.text.as_str() {
                "player" => (build::players(span), types::player()),
                "bool" => (
                    expr(
                        types::set_of(Ty::Bool),
                        span,
                        ExprKind::Set(vec![build::truth(false, span), build::truth(true, span)]),
                    ),
                    Ty::Bool,
                ),
                "int" | "text" | "place" | "phase" | "cost" => fail(cx, &format!("`{}`", n.text)),
                word => match cx.ix.kind(word) {
                    Some(k) => (expr(types::set_of(Ty::Of(k)), span, ExprKind::All(k)), Ty::Of(k)),
                    None => (cx.no_such_kind(n), Ty::Error),
                },
            }
        }
        ast::TypeKind::Range(a, b) => {
            let lo = cx.number_of(a, "the beginning of a range");
            let hi = match b {
                Some(b) => cx.number_of(b, "the end of a range"),
                None => int(i32::MAX, span),
            };
            let el = match (types::bounds(&lo.ty), types::bounds(&hi.ty)) {
                (Some(a), Some(b)) => Ty::Int(a.0, b.1.max(a.0)),
                _ => Ty::Error,
            };
            (expr(types::set_of(el.clone()), span, ExprKind::Range(lo, hi)), el)
        }
        ast::TypeKind::Face(inner) => match &inner.kind {
            ast::TypeKind::Named(n) => match cx.ix.kind(&n.text) {
                Some(k) => (expr(types::set_of(Ty::Face(k)), span, ExprKind::Faces(k)), Ty::Face(k)),
                None => (cx.no_such_kind(n), Ty::Error),
            },
            _ => fail(cx, "this"),
        },
        ast::TypeKind::Or(all) => {
            let mut parts = all.iter().map(|t| universe(cx, t, None)).collect::<Vec<_>>().into_iter();
            let Some((first, el)) = parts.next() else { return fail(cx, "this") };
            parts.fold((first, el), |(a, t), (b, u)| {
                let ty = types::join(cx.model(), &t, &u).unwrap_or(Ty::Error);
                (expr(types::set_of(ty.clone()), span, ExprKind::Union(a, b)), ty)
            })
        }
        ast::TypeKind::Set(_)
        | ast::TypeKind::List(_)
        | ast::TypeKind::Bag(_)
        | ast::TypeKind::Filter(_)
        | ast::TypeKind::Maybe(_) => fail(cx, "this"),
    }
}

/// What an action's declaration comes to.
pub struct ActionParts {
    /// `me`, the menu's parameters, its own, and the rest.
    pub locals: Vec<Local>,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Guards and what they need.
    pub head: Vec<HeadStep>,
    /// `when C`.
    pub when: Option<Expr>,
    /// `once per …`.
    pub once: Option<Once>,
    /// The effect.
    pub body: Block,
}

/// Reads an action.
pub fn action(
    ix: &Index<'_>,
    shared: &Shared,
    out: &mut Report,
    a: &ast::ActionDecl,
    menus: &[MenuId],
) -> ActionParts {
    let mut cx = reading(ix, shared, out, Mode::Pure("a guard"), &[]);
    let me = cx.fresh("me", types::player(), a.name.span);
    cx.me = Me::Is(me);
    if let Some(m) = menus.first().and_then(|m| ix.model.menus.get(m.index())) {
        for p in &m.params {
            if let Some(l) = m.locals.get(p.local.index()) {
                let id = cx.fresh(&l.name, l.ty.clone(), l.span);
                cx.call_it(&l.name, id);
                if let Some(u) = cx.uses.get_mut(id.index()) {
                    *u += 1;
                }
            }
        }
    }
    let from = cx.locals.len();
    let params: Vec<Param> = a.params.iter().map(|p| param(&mut cx, p)).collect();
    let mut when = None;
    let mut limit = None;
    for c in &a.clauses {
        match c {
            ast::ActionClause::Cost(e) => drop(cx.later(e.span, "costs")),
            ast::ActionClause::Once(o) => limit = Some(once(o)),
            ast::ActionClause::When(e) => {
                let e = cx.cond(e, "when an action is on offer");
                cx.learn(&e, true);
                when = Some(Cx::both(when, e));
            }
        }
    }
    let mut head = Vec::new();
    let mut body = Vec::new();
    if let Some(b) = &a.body {
        stmt::reassigned(b, &mut cx.reassigned);
        let n = b.stmts.iter().take_while(|s| in_head(&mut cx, s)).count();
        let (first, rest) = b.stmts.split_at(n);
        cx.mode = Mode::Pure("a guard");
        for s in first {
            head_step(&mut cx, s, &mut head);
        }
        cx.mode = Mode::Effect;
        cx.within.gives = None;
        late_guards(&mut cx, rest);
        body = cx.stmts(rest);
    }
    cx.unused(from, "the name");
    ActionParts { locals: cx.locals, params, head, when, once: limit, body }
}

/// Whether a statement belongs to an action's head: a guard, or a name for something that is only looked at.
fn in_head(cx: &mut Cx<'_>, s: &ast::Stmt) -> bool {
    match &s.kind {
        ast::StmtKind::Needs(_) | ast::StmtKind::Must(_) => true,
        ast::StmtKind::Let(name, e) => {
            // It is read once on trial: what asks, rolls or calls a rule begins the effect.
            let mut scratch = Report::default();
            std::mem::swap(&mut scratch, cx.out);
            let (locals, uses) = (cx.locals.len(), cx.uses.clone());
            let outer = std::mem::replace(&mut cx.mode, Mode::Effect);
            let got = cx.expr(e, None);
            cx.mode = outer;
            cx.locals.truncate(locals);
            cx.uses = uses;
            std::mem::swap(&mut scratch, cx.out);
            let _ = name;
            !walk::any(&got, &mut |e| {
                matches!(&*e.kind, ExprKind::Choose(_) | ExprKind::Rule(..) | ExprKind::Roll(_))
            })
        }
        _ => false,
    }
}

fn head_step(cx: &mut Cx<'_>, s: &ast::Stmt, head: &mut Vec<HeadStep>) {
    match &s.kind {
        ast::StmtKind::Needs(n) => {
            let g = cx.guard(n, s.span);
            cx.learn(&g.cond, true);
            head.push(HeadStep::Needs(g));
        }
        ast::StmtKind::Must(_) => drop(cx.later(s.span, "legality by outcome (`must …`)")),
        _ => {
            let mut out = Block::new();
            cx.stmt(s, &mut out);
            for s in out {
                if let StmtKind::Let(l, e) = s.kind {
                    head.push(HeadStep::Let(l, e));
                }
            }
        }
    }
}

fn late_guards(cx: &mut Cx<'_>, rest: &[ast::Stmt]) {
    let first = rest.first().map(|s| s.span);
    for s in rest {
        if let ast::StmtKind::Needs(_) = &s.kind {
            let d = Diagnostic::error(
                codes::LATE_GUARD,
                s.span,
                "a guard stands before the first effect of an action",
            )
            .help("move it up: options are found without doing and undoing anything");
            cx.push(match first {
                Some(at) => d.also(at, "the first effect"),
                None => d,
            });
        }
    }
}
