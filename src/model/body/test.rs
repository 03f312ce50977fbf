//! Reads `test` blocks: cast, scenario, and the steps with what is done, answered and expected.
use super::build;
use super::codes;
use super::cx::Cx;
use super::index::Thing;
use super::stmt::to_verdict;
use super::types;
use crate::hir::*;
use crate::uses::Def;
use houserule_syntax::ast;
use houserule_text::{Diagnostic, Span};
use std::sync::Arc;

/// The scenario of that name, which is noted where it is named; none, with a finding, if there is no such.
pub fn find_scenario(cx: &mut Cx<'_>, n: &ast::Name) -> Option<ScopeId> {
    let all = || cx.model().scopes.iter().enumerate().filter(|(_, s)| s.kind == ScopeKind::Scenario);
    let found = all().find(|(_, s)| *s.name == *n.text).map(|(i, _)| ScopeId(i as u32));
    match found {
        Some(id) => cx.note(n.span, Def::Scope(id)),
        None => {
            let words = all().map(|(_, s)| s.name.to_string()).collect();
            let message = format!("there is no scenario `{}`", n.text);
            let _ = cx.report_unknown(crate::codes::UNKNOWN_SCENARIO, n, message, words);
        }
    }
    found
}

/// The option of that name, which is noted where it is named; none, with a finding, if there is no such.
pub fn find_option(cx: &mut Cx<'_>, n: &ast::Name) -> Option<OptionId> {
    let found = cx.ix.option(&n.text);
    match found {
        Some(id) => cx.note(n.span, Def::Option(id)),
        None => {
            let words = cx.model().options.iter().map(|o| o.name.to_string()).collect();
            let message = format!("there is no option `{}`", n.text);
            let _ = cx.report_unknown(crate::codes::UNKNOWN_OPTION, n, message, words);
        }
    }
    found
}

/// Reads a test.
pub fn read_test(cx: &mut Cx<'_>, t: &ast::Test, scope: ScopeId, span: Span) -> Option<Test> {
    let model = cx.model();
    cx.me = super::cx::Me::Nobody("nobody acts in a test itself: write `as Ann { … }`");
    cx.within.test = true;
    let scenario_named = match &t.on {
        None => None,
        Some(n) => Some(find_scenario(cx, n)?),
    };
    let (mut cast, mut variants) = (Vec::new(), Vec::new());
    let mut said = rustc_hash::FxHashSet::default();
    for n in &t.with {
        if !said.insert(&n.text) {
            cx.push(super::hints::report_said_twice(n.span, &n.text));
        }
        if n.is_kind() {
            cx.ix.notes.note_bound(n.span, &n.text.as_str().into(), &types::player());
            cast.push(n.text.clone());
            cx.cast_at.push(n.span);
            continue;
        }
        let is = |s: &Scope| matches!(s.kind, ScopeKind::Variant | ScopeKind::Part);
        match model.scopes.iter().position(|s| is(s) && *s.name == *n.text) {
            Some(i) => {
                cx.note(n.span, Def::Scope(ScopeId(i as u32)));
                variants.push(ScopeId(i as u32));
            }
            None => {
                let mut words: Vec<String> =
                    model.scopes.iter().filter(|s| is(s)).map(|s| s.name.to_string()).collect();
                words.extend(
                    model
                        .named_players()
                        .filter_map(|m| model.members.get(m.index()))
                        .map(|m| m.name.to_string()),
                );
                if words.contains(&n.text) {
                    if let Some(m) = cx.find_member(builtin_kinds::PLAYER, &n.text) {
                        cx.note(n.span, Def::Member(m));
                    }
                    cast.push(n.text.clone());
                    cx.cast_at.push(n.span);
                } else {
                    let message = format!(
                        "there is no variant `{}`; names of players begin with a capital letter",
                        n.text
                    );
                    let _ = cx.report_unknown(codes::NO_NAME, n, message, words);
                }
            }
        }
    }
    super::assign::collect_assigned(&t.body, &mut cx.reassigned);
    cx.cast.clone_from(&cast);
    let (options, first) = read_options(cx, &t.body.stmts);
    let rest = t.body.stmts.get(first..).unwrap_or(&[]);
    let refused = read_refused(cx, rest);
    let (least, most) = model.seat_range(scenario_named);
    // So many may be too many on purpose.
    if refused.is_none() && !cast.is_empty() && !(least..=most).contains(&(cast.len() as u32)) {
        let at = t.with.first().map_or(span, |n| n.span);
        let d = Diagnostic::error(
            codes::TEST_STEP,
            at,
            format!(
                "this test has {} player{}, but the game is for {}",
                cast.len(),
                if cast.len() == 1 { "" } else { "s" },
                types::show_range(least as i32, most as i32)
            ),
        );
        let named = if least == most { least.to_string() } else { format!("{least} to {most}") };
        cx.push(d.help(format!("name {named} players behind `with`")));
        return None;
    }
    let seeds = t.seeds.as_ref().and_then(|b| match (&*b.from.kind, b.to.as_ref().map(|e| &*e.kind)) {
        (ast::ExprKind::Int(a), Some(ast::ExprKind::Int(b))) => {
            Some((u32::try_from(*a).ok()?, u32::try_from(*b).ok()?))
        }
        (ast::ExprKind::Int(a), None) => Some((u32::try_from(*a).ok()?, u32::try_from(*a).ok()?)),
        _ => None,
    });
    let steps = if refused.is_some() { Vec::new() } else { read_steps(cx, rest) };
    Some(Test {
        title: cx.plain(&t.title),
        scenario: scenario_named,
        cast: cast.into_iter().map(Arc::from).collect(),
        variants,
        options,
        refused,
        seeds,
        locals: std::mem::take(&mut cx.locals),
        steps,
        span,
        scope,
    })
}

/// `expect refused` alone: nothing can be set up so, and nothing played.
fn read_refused(cx: &mut Cx<'_>, stmts: &[ast::Stmt]) -> Option<Refused> {
    match stmts {
        [ast::Stmt { kind: ast::StmtKind::ExpectRefused(because), span, .. }] => {
            Some(Refused { because: because.as_ref().map(|t| cx.plain(t)), span: *span })
        }
        _ => None,
    }
}

/// Options stand first in a test: `level = high`. With how many statements they are.
fn read_options(cx: &mut Cx<'_>, stmts: &[ast::Stmt]) -> (Vec<(OptionId, Expr)>, usize) {
    let mut out = Vec::new();
    for (i, s) in stmts.iter().enumerate() {
        let ast::StmtKind::Assign(l, ast::AssignOp::Set, r) = &s.kind else { return (out, i) };
        let found = l.as_name().and_then(|n| cx.ix.option(&n.text));
        let Some(o) = found else { return (out, i) };
        cx.note(l.span, Def::Option(o));
        let Some(option) = cx.model().options.get(o.index()) else { return (out, i) };
        let ty = option.ty.clone();
        let e = cx.read_purely("an option's value", |cx| cx.read_as(r, &ty, "the option's value"));
        out.push((o, e));
    }
    (out, stmts.len())
}

/// What the end of a game must have handed on.
fn read_handed(cx: &mut Cx<'_>, rows: &[ast::Handed]) -> TestStepKind {
    let (mut options, mut next) = (Vec::new(), None);
    for row in rows {
        match row {
            ast::Handed::Option(s) => {
                let Some(o) = find_option(cx, &s.name) else { continue };
                let ty = cx.model().options.get(o.index()).map_or(Ty::Error, |o| o.ty.clone());
                options.push((o, cx.read_as(&s.value, &ty, "the option's value")));
            }
            ast::Handed::Next(None) => next = Some(None),
            ast::Handed::Next(Some(n)) => {
                if let Some(scenario) = find_scenario(cx, n) {
                    next = Some(Some(scenario));
                }
            }
        }
    }
    TestStepKind::Handed(options, next)
}

fn read_steps(cx: &mut Cx<'_>, stmts: &[ast::Stmt]) -> Vec<TestStep> {
    let mut out = Vec::new();
    for s in stmts {
        // What a step learns does not hold after the next choice.
        cx.forget();
        if let Some(kind) = read_step(cx, s, &mut out) {
            out.push(TestStep { span: s.span, kind });
        }
    }
    out
}

/// Whether a block holds steps that only tests may hold.
fn has_steps(b: &ast::Block) -> bool {
    use ast::StmtKind as A;
    b.stmts.iter().any(|s| match &s.kind {
        A::Expect(_)
        | A::ExpectOutcome(..)
        | A::ExpectRefused(..)
        | A::Refuse(..)
        | A::Offered(..)
        | A::Asked(..) => true,
        A::Logged(_) | A::Handed(_) | A::StartAt(_) | A::RunTo(_) | A::Rolls(..) | A::Answer(_) => true,
        A::Draws(..) | A::Shuffles(..) => true,
        A::For(_, _, _, b) | A::RepeatTimes(_, b) => has_steps(b),
        A::If { arms, otherwise } => {
            arms.iter().any(|(_, b)| has_steps(b)) || otherwise.as_ref().is_some_and(has_steps)
        }
        _ => false,
    })
}

fn read_step(cx: &mut Cx<'_>, s: &ast::Stmt, out: &mut Vec<TestStep>) -> Option<TestStepKind> {
    use ast::StmtKind as A;
    Some(match &s.kind {
        A::Expect(e) => {
            read_expect(cx, e, out);
            return None;
        }
        A::ExpectOutcome(who, outcome, because) => {
            let who = who.as_ref().map(|w| read_player(cx, w));
            TestStepKind::ExpectOver(who, to_verdict(*outcome), because.as_ref().map(|t| cx.plain(t)))
        }
        A::ExpectRefused(_) => {
            let message = "`expect refused` is about the set-up: such a test can only set options";
            let help = "write another test for what is played; for a choice that the rules refuse, write `refuse Ann: …`";
            cx.push(Diagnostic::error(codes::TEST_STEP, s.span, message).help(help));
            return None;
        }
        A::Answer(a) => {
            let who = read_who(cx, &a.who)?;
            TestStepKind::Answer(who, read_answer(cx, &a.what))
        }
        A::TimeUp(n) => TestStepKind::TimeUp(read_who(cx, n)?),
        A::Refuse(a, because) => {
            let who = read_who(cx, &a.who)?;
            TestStepKind::Refuse(who, read_answer(cx, &a.what), because.as_ref().map(|t| cx.plain(t)))
        }
        A::Offered(n, all) => {
            let who = read_who(cx, n)?;
            TestStepKind::Offered(who, all.iter().map(|e| read_answer(cx, e)).collect())
        }
        A::Asked(n, t) => {
            let who = read_who(cx, n)?;
            TestStepKind::Asked(who, cx.plain(t))
        }
        A::Logged(all) => TestStepKind::Logged(all.iter().map(|t| cx.plain(t)).collect()),
        A::Handed(rows) => read_handed(cx, rows),
        A::StartAt(n) => TestStepKind::StartAt(match n.text.as_str() {
            "setup" => Start::Setup,
            "round" => Start::Round,
            _ => {
                let rule = cx
                    .ix
                    .things(&n.text)
                    .iter()
                    .find_map(|t| if let Thing::Rule(r) = t { Some(*r) } else { None });
                match rule {
                    Some(r) => {
                        cx.note(n.span, Def::Rule(r));
                        Start::Rule(r)
                    }
                    None => {
                        let model = cx.model();
                        let mut words: Vec<String> = model
                            .rules
                            .iter()
                            .filter(|r| r.of.is_none())
                            .map(|r| r.name.to_string())
                            .collect();
                        words.extend(["setup", "round"].map(String::from));
                        let _ = cx.report_unknown(
                            codes::NO_PHASE,
                            n,
                            format!("there is no phase or rule `{}` to start at", n.text),
                            words,
                        );
                        return None;
                    }
                }
            }
        }),
        A::RunTo(p) => TestStepKind::RunTo(cx.read_point(p)?),
        A::Rolls(n, all) => {
            let who = read_who(cx, n)?;
            let roll = |cx: &mut Cx<'_>, e| {
                let die = die_of_side(cx, e);
                cx.read_purely("a roll", |cx| match read_face(cx, e, die) {
                    Some(e) => e,
                    None => cx.read_number_of(e, "a roll"),
                })
            };
            TestStepKind::Rolls(who, all.iter().map(|e| roll(cx, e)).collect())
        }
        A::Draws(n, all) => {
            let who = read_who(cx, n)?;
            let draw = |cx: &mut Cx<'_>, e: &ast::Expr| match &*e.kind {
                ast::ExprKind::Set(items) => items.iter().map(|e| read_chance_result(cx, e)).collect(),
                _ => vec![read_chance_result(cx, e)],
            };
            TestStepKind::Draws(who, all.iter().map(|e| draw(cx, e)).collect())
        }
        A::Shuffles(n, place, all) => {
            let who = read_who(cx, n)?;
            let place = cx.read_purely("a random result ordered by a test", |cx| {
                cx.read_zone_place(place, "the zone to shuffle")
            })?;
            TestStepKind::Shuffles(who, place, all.iter().map(|e| read_chance_result(cx, e)).collect())
        }
        A::For(name, over, by, body) if has_steps(body) => {
            if let Some(by) = by {
                let _ = cx.report_not_played(by.span, "`for … by` with steps of a test");
            }
            let over = cx.read_source(over, None, None);
            let over = cx.read_collection(over, "the set of `for`");
            let element = types::element(cx.model(), &over.ty).unwrap_or(Ty::Error);
            return cx.read_in_scope(|cx| {
                let l = cx.bind(name, element);
                cx.note_unique(l, &over);
                Some(TestStepKind::For(l, over, read_steps(cx, &body.stmts)))
            });
        }
        A::RepeatTimes(n, body) if has_steps(body) => {
            let n = cx.read_number_of(n, "the count of `repeat`");
            TestStepKind::Repeat(n, cx.read_in_scope(|cx| read_steps(cx, &body.stmts)))
        }
        A::If { arms, otherwise }
            if arms.iter().any(|(_, b)| has_steps(b)) || otherwise.as_ref().is_some_and(has_steps) =>
        {
            let [(c, yes)] = arms.as_slice() else {
                let _ = cx.report_not_played(s.span, "`else if` with steps of a test");
                return None;
            };
            let c = cx.read_cond(c, "the condition of `if`");
            let yes = cx.read_in_scope(|cx| read_steps(cx, &yes.stmts));
            let no = otherwise
                .as_ref()
                .map(|b| cx.read_in_scope(|cx| read_steps(cx, &b.stmts)))
                .unwrap_or_default();
            TestStepKind::If(c, yes, no)
        }
        _ => {
            let mut read = Block::new();
            cx.read_stmt(s, &mut read);
            out.extend(read.into_iter().map(|s| TestStep { span: s.span, kind: TestStepKind::Do(s) }));
            return None;
        }
    })
}

/// What must hold; parts joined by `and` that ask for the end are steps of their own.
fn read_expect(cx: &mut Cx<'_>, e: &ast::Expr, out: &mut Vec<TestStep>) {
    let kind = match &*e.kind {
        ast::ExprKind::Binary(ast::BinaryOp::And, a, b) if is_end_test(a) || is_end_test(b) => {
            read_expect(cx, a, out);
            return read_expect(cx, b, out);
        }
        ast::ExprKind::Ended(who, outcome) => {
            TestStepKind::ExpectOver(Some(read_player(cx, who)), to_verdict(*outcome), None)
        }
        _ => TestStepKind::Expect(
            cx.read_purely("an expectation", |cx| cx.read_cond(e, "the condition of `expect`")),
        ),
    };
    out.push(TestStep { span: e.span, kind });
}

fn is_end_test(e: &ast::Expr) -> bool {
    match &*e.kind {
        ast::ExprKind::Binary(ast::BinaryOp::And, a, b) => is_end_test(a) || is_end_test(b),
        ast::ExprKind::Ended(..) => true,
        _ => false,
    }
}

fn read_player(cx: &mut Cx<'_>, e: &ast::Expr) -> Expr {
    cx.read_purely("an expectation", |cx| cx.read_as(e, &types::player(), "the player of the result"))
}

/// Who answers: a player of the test, or `table` for whoever is asked.
fn read_who(cx: &mut Cx<'_>, n: &ast::Name) -> Option<Option<Expr>> {
    if n.text == "table" {
        return Some(None);
    }
    let kind = if n.is_kind() { ast::ExprKind::Kind(n.clone()) } else { ast::ExprKind::Name(n.clone()) };
    let e = cx.read_purely("an answer", |cx| {
        cx.read_as(&ast::Expr::new(kind, n.span), &types::player(), "the player who answers")
    });
    (e.ty != Ty::Error).then_some(Some(e))
}

/// What chance brings: a thing, a number, a face, a side of a die.
fn read_chance_result(cx: &mut Cx<'_>, e: &ast::Expr) -> Expr {
    cx.read_purely("the random result", |cx| match read_face(cx, e, None) {
        Some(e) => e,
        None => read_value(cx, e, None),
    })
}

fn read_answer(cx: &mut Cx<'_>, e: &ast::Expr) -> Answer {
    cx.read_purely("an answer", |cx| answer_in(cx, e))
}

fn answer_in(cx: &mut Cx<'_>, e: &ast::Expr) -> Answer {
    if let Some(e) = read_face(cx, e, None) {
        return Answer::Value(e);
    }
    match &*e.kind {
        ast::ExprKind::Yes => return Answer::Yes(true),
        ast::ExprKind::No => return Answer::Yes(false),
        // An empty set has no element type yet. The answer is that nothing is taken.
        ast::ExprKind::Set(s) if s.is_empty() => return Answer::Value(build::none(e.span)),
        ast::ExprKind::Set(items) => return Answer::Value(read_list(cx, items, e.span, None, None)),
        ast::ExprKind::Name(n) if n.text == "done" => return Answer::Done,
        ast::ExprKind::Name(n) if n.text == "pass" => return Answer::Pass,
        ast::ExprKind::Name(n)
            if cx.find_local(&n.text).is_none()
                && matches!(cx.ix.things(&n.text), [t, ..] if matches!(t, Thing::Action(_)))
                && cx.ix.things(&n.text).len() == 1 =>
        {
            let message = format!("`{}` is an action: write it with brackets", n.text);
            let d = Diagnostic::error(codes::TEST_STEP, e.span, message).suggest(format!("{}()", n.text));
            cx.push(d);
            return Answer::Value(build::error(e.span));
        }
        ast::ExprKind::Call(callee, args) => {
            let action = callee.as_name().and_then(|n| {
                cx.ix
                    .things(&n.text)
                    .iter()
                    .find_map(|t| if let Thing::Action(a) = t { Some(*a) } else { None })
            });
            if let Some(a) = action {
                cx.note(callee.span, Def::Action(a));
                return read_action_answer(cx, a, args, e.span);
            }
            // `place(D3)` with the name misspelt: an action was meant.
            if let Some(n) = callee.as_name()
                && cx.ix.things(&n.text).is_empty()
                && cx.find_local(&n.text).is_none()
            {
                let mut words: Vec<String> = cx.model().actions.iter().map(|a| a.name.to_string()).collect();
                words.extend(
                    cx.model().members.iter().filter(|m| m.family.is_some()).map(|m| m.name.to_string()),
                );
                let bad =
                    cx.report_unknown(codes::NO_CALL, n, format!("there is no action `{}`", n.text), words);
                return Answer::Value(bad);
            }
        }
        _ => {}
    }
    Answer::Value(read_value(cx, e, None))
}

/// Whether a word is a value of an attribute of the sides of such dice.
fn fills_side(cx: &Cx<'_>, k: KindId, word: &ast::Name) -> bool {
    let model = cx.model();
    let kinds = types::line_of(model, k).into_iter().filter_map(|k| model.kinds.get(k.index()));
    let mut attrs = kinds.flat_map(|k| &k.attrs).filter_map(|a| model.attrs.get(a.index()));
    attrs.any(|a| {
        a.side == AttrSide::Side
            && match types::plain(&a.ty) {
                Ty::Of(of) => cx.find_member(of, &word.text).is_some(),
                Ty::Bool => *a.name == *word.text,
                _ => false,
            }
    })
}

/// Whether a word says what a die shows and nothing else.
fn is_side_word(cx: &Cx<'_>, k: KindId, word: &ast::Name) -> bool {
    cx.find_local(&word.text).is_none() && cx.find_member(k, &word.text).is_none() && fills_side(cx, k, word)
}

/// The kind of dice on whose sides a word stands that means nothing else here.
fn die_of_side(cx: &Cx<'_>, e: &ast::Expr) -> Option<KindId> {
    let ast::ExprKind::Name(word) = &*e.kind else { return None };
    let is_number = |t: &Thing| matches!(t, Thing::Value(_) | Thing::Option(_) | Thing::TableAttr(_));
    if cx.ix.things(&word.text).iter().any(is_number) {
        return None;
    }
    let model = cx.model();
    let dice = (0..model.kinds.len()).map(|i| KindId(i as u32)).filter(|k| types::is_die(model, *k));
    dice.into_iter().find(|k| is_side_word(cx, *k, word))
}

/// What a die shows, as a filter of the dice that can: `4 pink`, or, where a die of that kind is asked for, also `4` or `pink`.
fn read_face(cx: &mut Cx<'_>, e: &ast::Expr, want: Option<KindId>) -> Option<Expr> {
    let model = cx.model();
    let (number, word) = match (&*e.kind, want) {
        (ast::ExprKind::Amount(n, word), _) => (Some(n.value), Some(word)),
        (ast::ExprKind::Int(n), Some(_)) => (Some(*n), None),
        (ast::ExprKind::Name(word), Some(k)) if is_side_word(cx, k, word) => (None, Some(word)),
        _ => return None,
    };
    let dice = (0..model.kinds.len()).map(|i| KindId(i as u32)).filter(|k| types::is_die(model, *k));
    let k = match (want, word) {
        (Some(k), _) => k,
        (None, Some(word)) => match dice.into_iter().find(|k| fills_side(cx, *k, word)) {
            Some(k) => k,
            None => {
                let message = format!("no die has a face with `{}`", word.text);
                let help = "write a word that stands on one of its faces, or the number of the face";
                return Some(cx.fail(codes::TEST_STEP, e.span, message, help));
            }
        },
        (None, None) => return None,
    };
    let test = match (number, word) {
        (Some(number), Some(word)) => {
            let number = ast::Expr::new(ast::ExprKind::Int(number), e.span);
            let word = ast::Expr::new(ast::ExprKind::Name(word.clone()), word.span);
            ast::Expr::new(ast::ExprKind::Binary(ast::BinaryOp::And, number, word), e.span)
        }
        _ => e.clone(),
    };
    Some(cx.read_filter_value(&test, k))
}

/// Several things that an answer names. Components that look alike have one name, which stands there once for each of them.
fn read_list(
    cx: &mut Cx<'_>,
    items: &[ast::Expr],
    span: Span,
    want: Option<&Ty>,
    die: Option<KindId>,
) -> Expr {
    let (all, ty) =
        cx.read_members(items, |cx, e| read_face(cx, e, die).unwrap_or_else(|| read_value(cx, e, want)));
    let ty = ty.unwrap_or(Ty::Error);
    if !matches!(ty, Ty::Face(_) | Ty::Filter(_) | Ty::Int(..)) {
        cx.warn_doubled(&all);
    }
    build::expr(types::set_of(ty), span, ExprKind::Set(all))
}

/// A thing, number, word, face or set, as an answer names it.
fn read_value(cx: &mut Cx<'_>, e: &ast::Expr, want: Option<&Ty>) -> Expr {
    cx.read_expr(e, want)
}

fn read_action_answer(cx: &mut Cx<'_>, a: ActionId, args: &[ast::Arg], span: Span) -> Answer {
    let model = cx.model();
    let Some(action) = model.actions.get(a.index()) else { return Answer::Value(build::error(span)) };
    let menu = action.menus.first().and_then(|m| model.menus.get(m.index()));
    let mut wants: Vec<Ty> = menu
        .iter()
        .flat_map(|m| m.params.iter().filter_map(|p| m.locals.get(p.local.index())))
        .map(|l| l.ty.clone())
        .collect();
    wants.extend(
        action.params.iter().filter_map(|p| action.locals.get(p.local.index())).map(|l| l.ty.clone()),
    );
    if wants.len() != args.len() {
        let message = format!("`{}` needs {}, but gets {}", action.name, wants.len(), args.len());
        let d = Diagnostic::error(codes::TEST_STEP, span, message).also(action.span, "declared here");
        cx.push(d.help("write one argument for each parameter"));
        return Answer::Value(build::error(span));
    }
    let mut read = Vec::new();
    for (arg, want) in args.iter().zip(&wants) {
        match arg {
            ast::Arg::Plain(e) | ast::Arg::Named(_, e) => {
                // A die may be named by what it shows.
                let die = types::kinds_of(types::element(model, want).as_ref().unwrap_or(want))
                    .into_iter()
                    .find(|k| types::is_die(model, *k));
                if let Some(k) = die {
                    let shown = |e: &ast::Expr| match &*e.kind {
                        ast::ExprKind::Int(_) | ast::ExprKind::Amount(..) => true,
                        ast::ExprKind::Name(word) => is_side_word(cx, k, word),
                        _ => false,
                    };
                    let said = match &*e.kind {
                        ast::ExprKind::Set(es) if es.iter().any(shown) => {
                            Some(read_list(cx, es, e.span, None, Some(k)))
                        }
                        _ => read_face(cx, e, Some(k)),
                    };
                    if let Some(e) = said {
                        read.push(e);
                        continue;
                    }
                }
                // A component may be named by its face: whichever shows it.
                let component = |t: &Ty| match t {
                    Ty::Of(k) if types::is_component(model, *k) => Some(Ty::Face(*k)),
                    // The face of any of them is one of the kind above them.
                    Ty::AnyOf(ks) => types::line_of(model, *ks.first()?).pop().map(Ty::Face),
                    _ => None,
                };
                let face = match want {
                    Ty::Set(of) => component(of).map(types::set_of),
                    one => component(one),
                };
                let e = match face {
                    Some(f) => {
                        let e = match (&*e.kind, &f) {
                            (ast::ExprKind::Set(es), Ty::Set(of)) if !es.is_empty() => {
                                read_list(cx, es, e.span, Some(of), None)
                            }
                            _ => cx.read_expr(e, Some(&f)),
                        };
                        let many = types::element(model, &e.ty).filter(|_| matches!(want, Ty::Set(_)));
                        if matches!(many.unwrap_or_else(|| types::plain(&e.ty)), Ty::Face(_)) {
                            e
                        } else {
                            cx.fit_to(e, want, "the argument")
                        }
                    }
                    None => cx.read_as(e, want, "the argument"),
                };
                read.push(e);
            }
            ast::Arg::Fold(f) => {
                let e = cx.fail(
                    codes::TEST_STEP,
                    f.span,
                    "an action cannot take a fold as an argument",
                    "write the thing that the player chooses",
                );
                read.push(e);
            }
        }
    }
    Answer::Action(a, read)
}
