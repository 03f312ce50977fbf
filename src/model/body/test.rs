//! `test` blocks.
use super::codes;
use super::cx::{Cx, Me, Mode};
use super::decl::{Shared, reading};
use super::index::{Index, Thing};
use super::near;
use super::stmt;
use super::types;
use crate::model::hir::*;
use crate::syntax::ast;
use crate::text::{Diagnostic, Report, Span};
use std::sync::Arc;

/// Reads a test.
pub fn test(ix: &Index<'_>, shared: &Shared, out: &mut Report, t: &ast::Test, scope: ScopeId) -> Test {
    let model = ix.model;
    let scenario = t.on.as_ref().and_then(|n| {
        let found = model.scopes.iter().position(|s| s.kind == ScopeKind::Scenario && *s.name == *n.text);
        if found.is_none() {
            let words = model.scopes.iter().filter(|s| s.kind == ScopeKind::Scenario).map(|s| &*s.name);
            let d =
                Diagnostic::error(codes::NO_SCENARIO, n.span, format!("there is no scenario `{}`", n.text));
            out.push(match near::closest(&n.text, words) {
                Some(w) => d.suggest(w),
                None => d,
            });
        }
        found.map(|i| ScopeId(i as u32))
    });
    let mut cast: Vec<Arc<str>> = Vec::new();
    let mut variants = Vec::new();
    for n in &t.with {
        let things = ix.things(&n.text);
        if let Some(s) = things.iter().find_map(|t| if let Thing::Variant(s) = t { Some(*s) } else { None }) {
            variants.push(s);
            continue;
        }
        let player = things.iter().any(|t| {
            matches!(t, Thing::Member(m) if model.members.get(m.index()).is_some_and(|m| m.kind == builtin_kinds::PLAYER))
        });
        if !n.is_kind() && !player {
            let words = model.scopes.iter().filter(|s| s.kind == ScopeKind::Variant).map(|s| &*s.name);
            let d = Diagnostic::error(
                codes::NO_SCENARIO,
                n.span,
                format!("there is no variant or player `{}`", n.text),
            );
            out.push(match near::closest(&n.text, words) {
                Some(w) => d.suggest(w),
                None => d.help("players of a test begin with a capital, as in `with Ann, Bo`"),
            });
            continue;
        }
        if cast.iter().any(|c| **c == *n.text) {
            out.push(Diagnostic::error(codes::NO_SCENARIO, n.span, format!("`{}` plays twice", n.text)));
            continue;
        }
        cast.push(n.text.as_str().into());
    }
    let named: Vec<Arc<str>> = model
        .kinds
        .get(builtin_kinds::PLAYER.index())
        .map(|k| {
            k.members.iter().filter_map(|m| model.members.get(m.index())).map(|m| m.name.clone()).collect()
        })
        .unwrap_or_default();
    let (least, most) = model.players;
    if named.is_empty() && !cast.is_empty() && !(least..=most).contains(&(cast.len() as u32)) {
        let at = t.with.first().map_or(t.title.span, |n| n.span);
        let many = if least == most { format!("{least}") } else { format!("{least}..{most}") };
        out.push(Diagnostic::error(
            codes::NO_SCENARIO,
            at,
            format!("this game is for {many} players, and {} play here", cast.len()),
        ));
    }
    let seeds = t.seeds.as_ref().and_then(|b| {
        let lo = constant(&b.from)?;
        let hi = b.to.as_ref().map_or(Some(lo), constant)?;
        Some((lo, hi))
    });
    let mut cx = reading(ix, shared, out, Mode::Effect, &[]);
    cx.me = Me::Nobody("a test's steps name who acts");
    cx.within.test = true;
    cx.cast = cast.iter().map(|c| c.to_string()).collect();
    stmt::reassigned(&t.body, &mut cx.reassigned);
    let mut steps = Vec::new();
    block(&mut cx, &t.body, &mut steps);
    let locals = cx.locals;
    Test {
        title: t.title.literal().unwrap_or_default().as_str().into(),
        scenario,
        cast: if cast.is_empty() { named } else { cast },
        variants,
        seeds,
        locals,
        steps,
        span: t.title.span,
        scope,
    }
}

fn constant(e: &ast::Expr) -> Option<u32> {
    match &*e.kind {
        ast::ExprKind::Int(n) => u32::try_from(*n).ok(),
        _ => None,
    }
}

fn block(cx: &mut Cx<'_>, b: &ast::Block, out: &mut Vec<TestStep>) {
    for s in &b.stmts {
        step(cx, s, out);
    }
}

fn inner(cx: &mut Cx<'_>, b: &ast::Block) -> Vec<TestStep> {
    cx.scoped(|cx| {
        let mut steps = Vec::new();
        block(cx, b, &mut steps);
        steps
    })
}

fn step(cx: &mut Cx<'_>, s: &ast::Stmt, out: &mut Vec<TestStep>) {
    use ast::StmtKind as A;
    let span = s.span;
    cx.skips = false;
    // A test's step changes anything: nothing stays certain.
    cx.forget();
    let kind = match &s.kind {
        A::Expect(e) => return expect(cx, e, out),
        A::ExpectOutcome(who, outcome, because) => {
            let who = who.as_ref().map(|p| cx.check(p, &types::player(), "who it is about"));
            TestStepKind::ExpectOver(who, stmt::verdict(*outcome), because.as_ref().map(plain))
        }
        A::Refuse(a, because) => {
            let Some(who) = player(cx, &a.who) else { return };
            let Some(answer) = answer(cx, &a.what) else { return };
            TestStepKind::Refuse(who, answer, because.as_ref().map(plain))
        }
        A::Offered(who, what) => {
            let Some(who) = player(cx, who) else { return };
            let what = what.iter().filter_map(|w| answer(cx, w)).collect();
            TestStepKind::Offered(who, what)
        }
        A::Asked(who, text) => {
            let Some(who) = player(cx, who) else { return };
            TestStepKind::Asked(who, plain(text))
        }
        A::Logged(texts) => TestStepKind::Logged(texts.iter().map(plain).collect()),
        A::StartAt(n) => match start(cx, n) {
            Some(s) => TestStepKind::StartAt(s),
            None => return,
        },
        A::RunTo(p) => match cx.point(p) {
            Some(u) => TestStepKind::RunTo(u),
            None => return,
        },
        A::Rolls(who, rolls) => {
            let Some(who) = player(cx, who) else { return };
            let rolls = rolls.iter().map(|r| cx.expr(r, None)).collect();
            TestStepKind::Rolls(who, rolls)
        }
        A::Answer(a) => {
            let Some(who) = player(cx, &a.who) else { return };
            let Some(answer) = answer(cx, &a.what) else { return };
            TestStepKind::Answer(who, answer)
        }
        A::For(name, over, body) => {
            let over = cx.source(over, None, None);
            let over = cx.many(over, "what `for` goes through");
            let el = types::element(cx.model(), &over.ty).unwrap_or(Ty::Error);
            cx.scoped(|cx| {
                let l = cx.bind(name, el);
                let steps = inner(cx, body);
                out.push(TestStep { span, kind: TestStepKind::For(l, over, steps) });
            });
            return;
        }
        A::RepeatTimes(n, body) => {
            let n = cx.number_of(n, "how often it is repeated");
            TestStepKind::Repeat(n, inner(cx, body))
        }
        A::If { arms, otherwise } => {
            let mut rest = otherwise.as_ref().map(|b| inner(cx, b)).unwrap_or_default();
            for (c, b) in arms.iter().rev() {
                let c = cx.cond(c, "the condition of `if`");
                let yes = inner(cx, b);
                rest = vec![TestStep { span, kind: TestStepKind::If(c, yes, rest) }];
            }
            out.extend(rest);
            return;
        }
        _ => {
            let mut stmts = Block::new();
            cx.stmt(s, &mut stmts);
            out.extend(stmts.into_iter().map(|s| TestStep { span, kind: TestStepKind::Do(s) }));
            return;
        }
    };
    out.push(TestStep { span, kind });
}

/// What must hold; parts joined by `and` that ask for the end are steps of their own.
fn expect(cx: &mut Cx<'_>, e: &ast::Expr, out: &mut Vec<TestStep>) {
    match &*e.kind {
        ast::ExprKind::Binary(ast::BinaryOp::And, a, b) if ends(a) || ends(b) => {
            expect(cx, a, out);
            expect(cx, b, out);
        }
        ast::ExprKind::Ended(p, outcome) => {
            let p = cx.check(p, &types::player(), "who it is about");
            out.push(TestStep {
                span: e.span,
                kind: TestStepKind::ExpectOver(Some(p), stmt::verdict(*outcome), None),
            });
        }
        _ => {
            let c = cx.cond(e, "what is expected");
            out.push(TestStep { span: e.span, kind: TestStepKind::Expect(c) });
        }
    }
}

fn ends(e: &ast::Expr) -> bool {
    match &*e.kind {
        ast::ExprKind::Binary(ast::BinaryOp::And, a, b) => ends(a) || ends(b),
        ast::ExprKind::Ended(..) => true,
        _ => false,
    }
}

fn plain(t: &ast::Text) -> Arc<str> {
    let mut out = String::new();
    for p in &t.parts {
        if let ast::TextPart::Literal(s, _) = p {
            out.push_str(s);
        }
    }
    out.as_str().into()
}

/// Who a step is about: `table`, or a player. None if there is no such player (told).
fn player(cx: &mut Cx<'_>, n: &ast::Name) -> Option<Option<Expr>> {
    if n.text == "table" {
        return Some(None);
    }
    let known = cx.local(&n.text).is_some()
        || cx.cast.iter().any(|c| *c == n.text)
        || cx.member_of(builtin_kinds::PLAYER, &n.text).is_some();
    if known {
        let e = cx.name(n, Some(&types::player()));
        return Some(Some(cx.fitted(e, &types::player(), "who answers")));
    }
    let model = cx.model();
    let mut words: Vec<String> = cx.cast.clone();
    if let Some(k) = model.kinds.get(builtin_kinds::PLAYER.index()) {
        words.extend(
            k.members.iter().filter_map(|m| model.members.get(m.index())).map(|m| m.name.to_string()),
        );
    }
    words.push(String::from("table"));
    let _ = cx.unknown(codes::NO_PLAYER, n, format!("nobody called `{}` plays in this test", n.text), words);
    None
}

fn answer(cx: &mut Cx<'_>, e: &ast::Expr) -> Option<Answer> {
    match &*e.kind {
        ast::ExprKind::Yes => return Some(Answer::Yes(true)),
        ast::ExprKind::No => return Some(Answer::Yes(false)),
        ast::ExprKind::Name(n) if cx.local(&n.text).is_none() => {
            if let Some(a) = action_named(cx, &n.text) {
                return action(cx, a, &[], e.span, &n.text);
            }
            let known = !cx.ix.things(&n.text).is_empty();
            match n.text.as_str() {
                "done" if !known => return Some(Answer::Done),
                "pass" if !known => return Some(Answer::Pass),
                _ => {}
            }
            if !known && super::index::DIRECTIONS.iter().all(|d| *d != n.text) {
                return unknown(cx, n);
            }
        }
        ast::ExprKind::Call(c, args) => {
            if let Some(n) = c.as_name()
                && let Some(a) = action_named(cx, &n.text)
            {
                return action(cx, a, args, e.span, &n.text);
            }
            if let ast::ExprKind::Name(n) = &*c.kind
                && cx.ix.things(&n.text).is_empty()
            {
                return unknown(cx, n);
            }
        }
        _ => {}
    }
    let v = cx.expr(e, None);
    (v.ty != Ty::Error).then_some(Answer::Value(v))
}

fn unknown(cx: &mut Cx<'_>, n: &ast::Name) -> Option<Answer> {
    let mut words: Vec<String> = cx
        .ix
        .words(|t| matches!(t, Thing::Action(_) | Thing::Member(_)))
        .into_iter()
        .map(str::to_string)
        .collect();
    words.extend(cx.cast.iter().cloned());
    words.extend(["done", "pass", "yes", "no"].map(String::from));
    let _ = cx.unknown(codes::NO_ANSWER, n, format!("there is no action or answer `{}`", n.text), words);
    None
}

fn action_named(cx: &Cx<'_>, word: &str) -> Option<ActionId> {
    cx.ix.things(word).iter().find_map(|t| if let Thing::Action(a) = t { Some(*a) } else { None })
}

fn action(cx: &mut Cx<'_>, a: ActionId, args: &[ast::Arg], span: Span, what: &str) -> Option<Answer> {
    let d = cx.model().actions.get(a.index())?;
    let params: Vec<(String, Ty)> = d
        .params
        .iter()
        .filter_map(|p| d.locals.get(p.local.index()))
        .map(|l| (l.name.to_string(), l.ty.clone()))
        .collect();
    let names: Vec<&str> = params.iter().map(|(n, _)| n.as_str()).collect();
    let arranged = cx.arranged(&names, names.len(), args, span, what)?;
    let mut out = Vec::new();
    for ((name, ty), e) in params.iter().zip(arranged) {
        let e = e?;
        let role = format!("`{name}` of `{what}`");
        // A card is called by its face: which of several alike is all the same.
        let faced = match ty {
            Ty::Of(k) if types::is_component(cx.model(), *k) => cx.face_word(e),
            _ => None,
        };
        out.push(match faced {
            Some(face) => face,
            None => cx.check(e, ty, &role),
        });
    }
    Some(Answer::Action(a, out))
}

fn start(cx: &mut Cx<'_>, n: &ast::Name) -> Option<Start> {
    match n.text.as_str() {
        "setup" => return Some(Start::Setup),
        "round" => return Some(Start::Round),
        _ => {}
    }
    let rule =
        cx.ix.things(&n.text).iter().find_map(|t| if let Thing::Rule(r) = t { Some(*r) } else { None });
    match rule {
        Some(r) => {
            let d = cx.model().rules.get(r.index())?;
            if d.body.params > 0 {
                let name = d.name.clone();
                let _ = cx.fail(
                    codes::NO_SCENARIO,
                    n.span,
                    format!("a test cannot start at `{name}`: it needs arguments"),
                );
                return None;
            }
            Some(Start::Rule(r))
        }
        None => {
            let mut words: Vec<String> =
                cx.ix.words(|t| matches!(t, Thing::Rule(_))).into_iter().map(str::to_string).collect();
            words.extend(["setup", "round"].map(String::from));
            let _ = cx.unknown(
                codes::NO_SCENARIO,
                n,
                format!("there is no phase or rule `{}` to start at", n.text),
                words,
            );
            None
        }
    }
}

impl Cx<'_> {
    /// A member's word (or a family's, with its key) as the face that it declares.
    pub fn face_word(&mut self, e: &ast::Expr) -> Option<Expr> {
        let n = match &*e.kind {
            ast::ExprKind::Name(n) => n,
            ast::ExprKind::Call(c, _) => c.as_name()?,
            _ => return None,
        };
        if self.local(&n.text).is_some() {
            return None;
        }
        let k = self.ix.things(&n.text).iter().find_map(|t| match t {
            Thing::Member(m) => {
                let k = self.model().members.get(m.index())?.kind;
                types::is_component(self.model(), k).then_some(k)
            }
            _ => None,
        })?;
        let e = self.expr(e, Some(&Ty::Face(k)));
        Some(e)
    }
}
