//! Bodies of declarations: values, rules, phases, fillings of slots, and every lone expression of a declaration.
use super::build::{self, builtin};
use super::codes;
use super::cx::{Cx, Me, Mode};
use super::index::Index;
use super::stmt;
use super::types;
use crate::model::hir::*;
use crate::syntax::ast;
use crate::text::{Diagnostic, Report, Span};
use std::collections::HashSet;

/// What all readings of one game share.
pub struct Shared {
    /// Kinds that say where they are discarded to.
    pub discards: HashSet<KindId>,
}

/// What a lone expression of a declaration may name.
#[derive(Clone, Debug, Default)]
pub struct Binds {
    /// Names with their types, in the order of the body's parameters: `this`, `owner`, `it`, or a family's key.
    pub names: Vec<(String, Ty)>,
}

impl Binds {
    /// Nothing but what is declared.
    pub fn none() -> Self {
        Self::default()
    }

    /// The same with one more name.
    pub fn with(mut self, name: &str, ty: Ty) -> Self {
        self.names.push((name.to_string(), ty));
        self
    }
}

/// A reading with these parameters bound.
pub fn reading<'a>(
    ix: &'a Index<'a>,
    shared: &Shared,
    out: &'a mut Report,
    mode: Mode,
    params: &[Local],
) -> Cx<'a> {
    let mut cx = Cx::new(ix, out, mode);
    cx.discards = shared.discards.clone();
    for l in params {
        let id = cx.fresh(&l.name, l.ty.clone(), l.span);
        match &*l.name {
            "this" => {
                cx.this = Some(build::local(id, l.ty.clone(), l.span));
                let component = types::kinds_of(&l.ty).iter().any(|k| types::is_component(ix.model, *k));
                if component && cx.owner.is_none() {
                    let this = build::local(id, l.ty.clone(), l.span);
                    let each = types::kinds_of(&l.ty).iter().all(|k| {
                        types::line_of(ix.model, *k)
                            .iter()
                            .any(|k| types::kind(ix.model, *k).is_some_and(|k| k.per_player))
                    });
                    let ty = if each { types::player() } else { types::maybe(types::player()) };
                    cx.owner = Some(builtin(Builtin::OwnerOf, vec![this], ty, l.span));
                }
            }
            "owner" => cx.owner = Some(build::local(id, l.ty.clone(), l.span)),
            "me" => cx.me = Me::Is(id),
            "it" => cx.its.push(build::local(id, l.ty.clone(), l.span)),
            name => cx.call_it(name, id),
        }
    }
    cx
}

fn locals_of(binds: &Binds, span: Span) -> Vec<Local> {
    binds.names.iter().map(|(n, ty)| Local { name: n.as_str().into(), ty: ty.clone(), span }).collect()
}

/// Reads a lone expression that must be of that type (any, where none is said).
pub fn expression(
    ix: &Index<'_>,
    shared: &Shared,
    out: &mut Report,
    what: &'static str,
    binds: &Binds,
    e: &ast::Expr,
    ty: Option<&Ty>,
    role: &str,
) -> Body<Expr> {
    let params = locals_of(binds, e.span);
    let mut cx = reading(ix, shared, out, Mode::Pure(what), &params);
    cx.me = Me::Nobody("this is looked at, nobody acts");
    let body = match ty {
        Some(Ty::Bool) => cx.cond(e, role),
        Some(t) => cx.check(e, t, role),
        None => cx.expr(e, None),
    };
    Body { locals: cx.locals, params: params.len(), body }
}

/// Reads a place, as behind `discards to`.
pub fn place(
    ix: &Index<'_>,
    shared: &Shared,
    out: &mut Report,
    binds: &Binds,
    e: &ast::Expr,
    role: &str,
) -> Body<Expr> {
    let params = locals_of(binds, e.span);
    // Where nobody holds it there is nowhere to go: that is none, and no mistake.
    let mut cx = reading(ix, shared, out, Mode::Effect, &params);
    cx.me = Me::Nobody("this is looked at, nobody acts");
    let body = cx.place(e, role);
    Body { locals: cx.locals, params: params.len(), body }
}

/// Reads a text of a declaration.
pub fn text(ix: &Index<'_>, shared: &Shared, out: &mut Report, t: &ast::Text) -> Text {
    let mut cx = reading(ix, shared, out, Mode::Pure("a text"), &[]);
    cx.lenient_text(t)
}

/// Reads a value's body.
pub fn value(
    ix: &Index<'_>,
    shared: &Shared,
    out: &mut Report,
    v: &Value,
    e: &ast::Expr,
) -> Body<Option<Expr>> {
    let params: Vec<Local> = v.body.locals.iter().take(v.body.params).cloned().collect();
    let mut cx = reading(ix, shared, out, Mode::Pure("a value"), &params);
    cx.me = Me::Nobody("a value has none");
    let body = cx.check(e, &v.ty, &format!("`{}`", v.name));
    cx.unused(0, "the parameter");
    Body { locals: cx.locals, params: params.len(), body: Some(body) }
}

/// The slot's parameters under the names that a filling gives them.
fn renamed(body: &[Local], names: Option<&[ast::Name]>) -> Vec<Local> {
    let mut out = body.to_vec();
    let first = usize::from(out.first().is_some_and(|l| &*l.name == "this"));
    for (l, n) in out.iter_mut().skip(first).zip(names.unwrap_or(&[])) {
        l.name = n.text.as_str().into();
        l.span = n.span;
    }
    out
}

fn too_many(out: &mut Report, names: Option<&[ast::Name]>, params: usize, what: &str) {
    if let Some(extra) = names.and_then(|n| n.get(params.saturating_sub(1))) {
        out.push(Diagnostic::error(
            codes::TOO_MANY_ARGS,
            extra.span,
            format!("`{what}` has fewer parameters"),
        ));
    }
}

/// Reads a member's filling of a value slot.
pub fn value_fill(
    ix: &Index<'_>,
    shared: &Shared,
    out: &mut Report,
    v: &Value,
    names: Option<&[ast::Name]>,
    e: &ast::Expr,
) -> Body<Expr> {
    too_many(out, names, v.body.params, &v.name);
    let params: Vec<Local> = v.body.locals.iter().take(v.body.params).cloned().collect();
    let params = renamed(&params, names);
    let mut cx = reading(ix, shared, out, Mode::Pure("a value"), &params);
    cx.me = Me::Nobody("a value has none");
    let body = cx.check(e, &v.ty, &format!("`{}`", v.name));
    Body { locals: cx.locals, params: params.len(), body }
}

/// Reads the body of a rule or phase; gives it with the local that is `me`.
pub fn rule(
    ix: &Index<'_>,
    shared: &Shared,
    out: &mut Report,
    id: RuleId,
    r: &Rule,
    b: &ast::Block,
) -> (Body<Option<Block>>, LocalId) {
    let params: Vec<Local> = r.body.locals.iter().take(r.body.params).cloned().collect();
    let mut cx = reading(ix, shared, out, Mode::Effect, &params);
    let me = acting(&mut cx, r, &params);
    cx.within.rule = Some(id);
    cx.within.gives = Some(r.gives.clone());
    cx.has.push(HasOf::Phase(id));
    stmt::reassigned(b, &mut cx.reassigned);
    let body = cx.stmts(&b.stmts);
    must_give(&mut cx, r, &body, b.span);
    cx.unused(0, "the name");
    (Body { locals: cx.locals, params: params.len(), body: Some(body) }, me)
}

/// Reads a member's filling of a rule slot.
pub fn rule_fill(
    ix: &Index<'_>,
    shared: &Shared,
    out: &mut Report,
    id: RuleId,
    r: &Rule,
    names: Option<&[ast::Name]>,
    b: &ast::Block,
) -> Body<Block> {
    too_many(out, names, r.body.params, &r.name);
    let params: Vec<Local> = r.body.locals.iter().take(r.body.params).cloned().collect();
    let params = renamed(&params, names);
    let mut cx = reading(ix, shared, out, Mode::Effect, &params);
    let _ = acting(&mut cx, r, &params);
    cx.within.rule = Some(id);
    cx.within.gives = Some(r.gives.clone());
    stmt::reassigned(b, &mut cx.reassigned);
    let body = cx.stmts(&b.stmts);
    must_give(&mut cx, r, &body, b.span);
    cx.unused(params.len(), "the name");
    Body { locals: cx.locals, params: params.len(), body }
}

/// Makes `me` known: a parameter (`by p`), or one more local behind the parameters.
fn acting(cx: &mut Cx<'_>, r: &Rule, params: &[Local]) -> LocalId {
    let me = if r.me.index() < params.len() { r.me } else { cx.fresh("me", types::player(), r.span) };
    cx.me = Me::Is(me);
    me
}

/// Whether every way through the block gives.
fn always_gives(b: &Block) -> bool {
    b.iter().any(|s| match &s.kind {
        StmtKind::Give(_) | StmtKind::Verdict(..) | StmtKind::End(..) => true,
        StmtKind::If(_, a, b) => always_gives(a) && always_gives(b),
        StmtKind::As(_, _, b) => always_gives(b),
        _ => false,
    })
}

fn must_give(cx: &mut Cx<'_>, r: &Rule, body: &Block, span: Span) {
    if matches!(r.gives, Ty::Nothing | Ty::Error | Ty::Maybe(_) | Ty::Set(_)) || always_gives(body) {
        return;
    }
    let d = Diagnostic::error(
        codes::MISSING_GIVE,
        r.span,
        format!("`{}` may end without giving {}", r.name, cx.show(&r.gives)),
    )
    .also(Span { start: span.end.saturating_sub(1), ..span }, "it may come to its end here");
    cx.push(d);
}

/// Reads a block in which nobody acts: the set-up, a round, a refill.
pub fn block(
    ix: &Index<'_>,
    shared: &Shared,
    out: &mut Report,
    why: &'static str,
    binds: &Binds,
    b: &ast::Block,
) -> Body<Block> {
    let params = locals_of(binds, b.span);
    let mut cx = reading(ix, shared, out, Mode::Effect, &params);
    cx.me = Me::Nobody(why);
    stmt::reassigned(b, &mut cx.reassigned);
    let body = cx.stmts(&b.stmts);
    cx.unused(params.len(), "the name");
    Body { locals: cx.locals, params: params.len(), body }
}

/// Reads an ending watched always, or a menu's.
pub fn ending(cx: &mut Cx<'_>, e: &ast::Ending, span: Span) -> MenuEnding {
    let when = cx.cond(&e.when, "when it ends");
    cx.scoped(|cx| {
        cx.learn(&when, true);
        let who = e.who.as_ref().map(|p| cx.check(p, &types::player(), "who it is about"));
        let text = e.text.as_ref().map(|t| cx.lenient_text(t));
        MenuEnding { verdict: stmt::verdict(e.outcome), who, when: when.clone(), text, span }
    })
}

/// Reads an ending of the game.
pub fn game_ending(
    ix: &Index<'_>,
    shared: &Shared,
    out: &mut Report,
    e: &ast::Ending,
    span: Span,
) -> Body<MenuEnding> {
    let mut cx = reading(ix, shared, out, Mode::Pure("a condition"), &[]);
    cx.me = Me::Nobody("the end is watched, nobody acts");
    let body = ending(&mut cx, e, span);
    Body { locals: cx.locals, params: 0, body }
}

/// Reads who sees something: a set of players, or one.
pub fn seen(
    ix: &Index<'_>,
    shared: &Shared,
    out: &mut Report,
    binds: &Binds,
    e: &ast::Expr,
    set: &Ty,
) -> Body<Expr> {
    let params = locals_of(binds, e.span);
    let mut cx = reading(ix, shared, out, Mode::Pure("what is seen"), &params);
    cx.me = Me::Nobody("this is looked at, nobody acts");
    let got = cx.expr(e, Some(set));
    let got = if types::plain(&got.ty) == types::player() { build::single(got) } else { got };
    let body = cx.fitted(got, set, "who sees it");
    Body { locals: cx.locals, params: params.len(), body }
}
