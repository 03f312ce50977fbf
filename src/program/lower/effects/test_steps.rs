//! Lowers a test of the rules: steps that do things become effects, expectations pure functions. All functions take the names of the test as arguments, and effects return them.
use crate::fn_builder::{Bind, FnBuild};
use crate::ir::*;
use crate::layout::tables::Tables;
use crate::lower::{Event, Job, Lower};
use houserule_model::body::{build, walk};
use houserule_model::hir::*;
use houserule_text::Span;
use rustc_hash::FxHashMap as HashMap;

/// Positions of the test's names among its words.
struct Names {
    at: HashMap<LocalId, (u8, u8)>,
    types: HashMap<LocalId, Ty>,
    words: u8,
    decl: DeclIx,
}

impl Names {
    fn add(&mut self, l: LocalId, w: u8) -> u8 {
        let at = self.words;
        self.at.insert(l, (at, w));
        self.words = self.words.saturating_add(w);
        at
    }
}

impl Tables<'_> {
    fn collect_names(&mut self, steps: &[TestStep], names: &mut Names) {
        for s in steps {
            match &s.kind {
                TestStepKind::Do(Stmt { kind: StmtKind::Let(l, e), span }) => {
                    let w = self.width(&e.ty, *span);
                    names.add(*l, w);
                    names.types.insert(*l, e.ty.clone());
                }
                TestStepKind::For(l, over, body) => {
                    let u = self.universe_of(&over.ty, over.span);
                    let w = match self.has_own_order(&FnBuild::new(true), over) {
                        true => 1 + self.list_words(u),
                        false => self.set_words(u),
                    };
                    names.add(*l, 2 + w);
                    self.collect_names(body, names);
                }
                TestStepKind::Repeat(n, body) => {
                    // A hidden name, by its place in the text.
                    names.add(LocalId(2_000_000 + n.span.start), 1);
                    self.collect_names(body, names);
                }
                TestStepKind::If(_, a, b) => {
                    self.collect_names(a, names);
                    self.collect_names(b, names);
                }
                _ => {}
            }
        }
    }
}

impl Lower<'_> {
    /// Makes the code of one test.
    pub fn make_test(&mut self, index: usize) {
        let m = self.m;
        let Some(t) = m.tests.get(index) else { return };
        let decl = self.add_decl("test", &t.title, t.span);
        let mut names = Names { at: HashMap::default(), types: HashMap::default(), words: 0, decl };
        // Each loop has hidden names: the rest of what it goes through.
        self.collect_names(&t.steps, &mut names);
        let mut steps = Vec::new();
        if names.words > 120 {
            self.report_unsupported(t.span, "tests with this many names");
            return;
        }
        self.make_steps(&t.steps, &mut names, &mut steps);
        self.p.tests.push(TestPlan { title: t.title.clone(), steps, locals: names.words, span: t.span });
    }

    fn pure_func_of(&mut self, e: &Expr, names: &Names) -> FuncId {
        self.pure_func("test", names.decl, names.words, e, |_, f| bind_names(f, names, 0))
    }

    /// Makes an effect function of (none, names) that returns the names.
    fn step_func(&mut self, names: &Names, code: impl FnOnce(&mut Self, &mut FnBuild)) -> FuncId {
        let func = self.new_func("test", false, 1 + names.words, names.words, names.decl);
        let mut f = FnBuild::new(true);
        f.alloc(1 + names.words);
        bind_names(&mut f, names, 1);
        code(self, &mut f);
        if names.words > 0 {
            f.emit(Ins::MovN { d: 0, a: 1, n: names.words });
        }
        self.finish_func(func, f);
        func
    }

    /// Makes a pure function of the names that returns them, changed by the code.
    fn names_func(&mut self, names: &Names, code: impl FnOnce(&mut Self, &mut FnBuild)) -> FuncId {
        let func = self.new_func("test", true, names.words, names.words, names.decl);
        let mut f = FnBuild::new(false);
        f.alloc(names.words);
        bind_names(&mut f, names, 0);
        code(self, &mut f);
        self.finish_func(func, f);
        func
    }

    fn make_steps(&mut self, steps: &[TestStep], names: &mut Names, out: &mut Vec<TestOp>) {
        for s in steps {
            self.make_step(s, names, out);
        }
    }

    fn make_step(&mut self, s: &TestStep, names: &mut Names, out: &mut Vec<TestOp>) {
        let mut push = |kind| out.push(TestOp { span: s.span, kind });
        match &s.kind {
            TestStepKind::Do(stmt) => match &stmt.kind {
                StmtKind::Let(name, e) => {
                    let at = names.at.get(name).map(|(at, _)| *at);
                    let store = |l: &mut Self, f: &mut FnBuild, from: R| {
                        let Some(at) = at else { return };
                        let skip = f.new_label();
                        f.none_label = Some(skip);
                        l.store(f, e, from + at);
                        f.none_label = None;
                        f.place_label(skip);
                    };
                    let asks = walk::any_expr(e, &mut |x| {
                        matches!(&*x.kind, ExprKind::Choose(_) | ExprKind::Roll(_) | ExprKind::Rule(..))
                    });
                    push(match asks {
                        true => TestOpKind::Do(self.step_func(names, |l, f| store(l, f, 1))),
                        false => TestOpKind::Names(self.names_func(names, |l, f| store(l, f, 0))),
                    });
                }
                _ => push(TestOpKind::Do(self.step_func(names, |l, f| l.emit_stmt(f, stmt)))),
            },
            TestStepKind::Expect(e) => {
                let func = self.pure_func_of(e, names);
                push(TestOpKind::Expect(func));
            }
            TestStepKind::ExpectOver(who, v, text) => {
                let who = who.as_ref().map(|w| self.pure_func_of(w, names));
                push(TestOpKind::ExpectOver(who, (*v).into(), text.clone()));
            }
            TestStepKind::Answer(who, a) => {
                let who = who.as_ref().map(|w| self.pure_func_of(w, names));
                let a = self.test_answer(a, names);
                push(TestOpKind::Answer(who, a));
            }
            TestStepKind::TimeUp(who) => {
                let who = who.as_ref().map(|w| self.pure_func_of(w, names));
                push(TestOpKind::TimeUp(who));
            }
            TestStepKind::Refuse(who, a, text) => {
                let who = who.as_ref().map(|w| self.pure_func_of(w, names));
                let a = self.test_answer(a, names);
                push(TestOpKind::Refuse(who, a, text.clone()));
            }
            TestStepKind::Offered(who, all) => {
                let who = who.as_ref().map(|w| self.pure_func_of(w, names));
                let all = all.iter().map(|a| self.test_answer(a, names)).collect();
                push(TestOpKind::Offered(who, all));
            }
            TestStepKind::Asked(who, text) => {
                let who = who.as_ref().map(|w| self.pure_func_of(w, names));
                push(TestOpKind::Asked(who, text.clone()));
            }
            TestStepKind::Logged(all) => push(TestOpKind::Logged(all.clone())),
            TestStepKind::Handed(options, next) => {
                let expected = |(o, e): &(OptionId, Expr)| HandedOption {
                    option: *o,
                    name: self.m.options[o.index()].name.clone(),
                    value: self.pure_func_of(e, names),
                    show: self.show(&e.ty, e.span),
                };
                let options = options.iter().map(expected).collect();
                let word = |s: &ScopeId| self.m.scopes[s.index()].name.clone();
                push(TestOpKind::Handed(options, next.as_ref().map(|to| to.as_ref().map(word))));
            }
            TestStepKind::StartAt(start) => {
                let func = match start {
                    Start::Setup => self.p.main,
                    Start::Round => self.rounds_func(),
                    Start::Rule(r) => self.event_func(Event::Rule(*r), "", 0, Job::Event(Event::Rule(*r))),
                };
                push(TestOpKind::Start(func));
            }
            TestStepKind::RunTo(until) => {
                let (scope, arg) = match until {
                    Until::EndOfTurn => (LeaseScope::Turn, None),
                    Until::EndOfRound => (LeaseScope::Round, None),
                    Until::EndOfNextRound => (LeaseScope::NextRound, None),
                    Until::EndOfPhase => (LeaseScope::Phase, None),
                    Until::EndOfGame => (LeaseScope::Game, None),
                    Until::EndOf(r) => {
                        let e = build::expr(Ty::Phase, s.span, ExprKind::Phase(*r));
                        (LeaseScope::PhaseNamed, Some(self.pure_func_of(&e, names)))
                    }
                    Until::StartOfTurn(p) => (LeaseScope::StartOfTurn, Some(self.pure_func_of(p, names))),
                };
                push(TestOpKind::RunTo(scope, arg));
            }
            TestStepKind::Rolls(who, all) => {
                let who = who.as_ref().map(|w| self.pure_func_of(w, names));
                let mut rolls = Vec::new();
                for e in all {
                    let Ty::Filter(_) = e.ty else {
                        rolls.push(TestRoll::Number(self.pure_func_of(e, names)));
                        continue;
                    };
                    let u = self.universe_of(&e.ty, e.span);
                    match (self.comps_of_type(&e.ty), self.constant_set(e, u, &[])) {
                        (Some(c), Some(words)) => rolls.push(TestRoll::Sides(c, self.add_const_set(&words))),
                        _ => self.report_unsupported(e.span, "this roll"),
                    }
                }
                push(TestOpKind::Rolls(who, rolls));
            }
            TestStepKind::Draws(_, all) => {
                let draws = all.iter().map(|d| d.iter().filter_map(|e| self.test_draw(e, names)).collect());
                let draws = draws.collect();
                push(TestOpKind::Draws(draws));
            }
            TestStepKind::Shuffles(_, place, all) => {
                let func = self.place_func(place, names);
                let top = all.iter().filter_map(|e| self.test_draw(e, names)).collect();
                push(TestOpKind::Shuffles(func, top));
            }
            TestStepKind::If(c, a, b) => {
                let func = self.pure_func_of(c, names);
                let jump = out.len();
                out.push(TestOp { span: s.span, kind: TestOpKind::Jump(0) });
                self.make_steps(a, names, out);
                let over = out.len();
                out.push(TestOp { span: s.span, kind: TestOpKind::Jump(0) });
                out[jump].kind = TestOpKind::JumpUnless(func, over + 1);
                self.make_steps(b, names, out);
                out[over].kind = TestOpKind::Jump(out.len());
            }
            TestStepKind::For(l, over, body) => self.make_loop(*l, over, body, s.span, names, out),
            TestStepKind::Repeat(n, body) => {
                let l = LocalId(2_000_000 + n.span.start);
                let Some((at, _)) = names.at.get(&l).copied() else { return };
                let first = self.step_func(names, |s, f| s.expr_into(f, n, 1 + at));
                out.push(TestOp { span: s.span, kind: TestOpKind::Do(first) });
                let top = out.len();
                let left = build::expr(Ty::Int(0, i32::MAX), n.span, ExprKind::Local(l));
                let zero = build::expr(Ty::Int(0, 0), n.span, ExprKind::Int(0));
                let more = build::cond(n.span, ExprKind::Compare(Comparison::Gt, left, zero));
                let func = self.pure_func_of(&more, names);
                out.push(TestOp { span: s.span, kind: TestOpKind::Jump(0) });
                // Counted before the steps: the last of them may end the game.
                let less = self.step_func(names, |_, f| f.emit(Ins::AddK { d: 1 + at, a: 1 + at, k: -1 }));
                out.push(TestOp { span: s.span, kind: TestOpKind::Do(less) });
                self.make_steps(body, names, out);
                out.push(TestOp { span: s.span, kind: TestOpKind::Jump(top) });
                out[top].kind = TestOpKind::JumpUnless(func, out.len());
            }
        }
    }

    /// Makes a loop whose body holds steps: the rest and the element are hidden names.
    fn make_loop(
        &mut self,
        l: LocalId,
        over: &Expr,
        body: &[TestStep],
        span: Span,
        names: &mut Names,
        out: &mut Vec<TestOp>,
    ) {
        let u = self.universe_of(&over.ty, over.span);
        let (w, lo) = (self.set_words(u), self.least_of(u));
        // Words: the element, whether there was another, and the set; or the position and the list.
        let Some((at, _)) = names.at.get(&l).copied() else { return };
        let ordered = self.has_own_order(&FnBuild::new(true), over);
        let first = self.names_func(names, |s, f| {
            if ordered {
                f.emit(Ins::Li { d: 2 + at, k: 0 });
                s.list_into(f, over, u, 3 + at);
            } else {
                s.set_into(f, over, u, 2 + at);
            }
        });
        out.push(TestOp { span, kind: TestOpKind::Names(first) });
        let top = out.len();
        let next = self.names_func(names, |_, f| {
            let (x, has, set) = (at, 1 + at, 2 + at);
            if ordered {
                f.emit(Ins::LGet { d: x, l: 3 + at, i: set });
                f.emit(Ins::AddK { d: set, a: set, k: 1 });
                f.emit(Ins::EqK { d: has, a: x, k: NONE as i32 });
                f.emit(Ins::Not { d: has, a: has });
            } else {
                f.emit(Ins::SFirst { d: x, s: set, w });
                f.emit(Ins::SAny { d: has, s: set, w });
                f.emit(Ins::SDel { d: set, i: x, w });
            }
            let end = f.new_label();
            f.jz(has, end);
            f.emit(Ins::AddK { d: x, a: x, k: lo });
            f.place_label(end);
        });
        out.push(TestOp { span, kind: TestOpKind::Names(next) });
        let unless = out.len();
        out.push(TestOp { span, kind: TestOpKind::Jump(0) });
        let has = LocalId(3_000_000);
        names.at.insert(has, (at + 1, 1));
        let flag = build::cond(span, ExprKind::Local(has));
        let func = self.pure_func_of(&flag, names);
        names.at.remove(&has);
        self.make_steps(body, names, out);
        out.push(TestOp { span, kind: TestOpKind::Jump(top) });
        out[unless].kind = TestOpKind::JumpUnless(func, out.len());
    }

    /// A result of chance that the test orders.
    fn test_draw(&mut self, e: &Expr, names: &Names) -> Option<TestDraw> {
        if let Ty::Filter(_) = e.ty {
            let u = self.universe_of(&e.ty, e.span);
            return match (self.comps_of_type(&e.ty), self.constant_set(e, u, &[])) {
                (Some(c), Some(words)) => Some(TestDraw::Sides(c, self.add_const_set(&words))),
                _ => {
                    self.report_unsupported(e.span, "what chance brings here");
                    None
                }
            };
        }
        let show = self.show(&e.ty, e.span);
        Some(TestDraw::Value(self.pure_func_of(e, names), show))
    }

    /// Makes a pure function of the names that returns a place.
    fn place_func(&mut self, place: &Expr, names: &Names) -> FuncId {
        let func = self.new_func("test", true, names.words, 1, names.decl);
        let mut f = FnBuild::new(false);
        f.alloc(names.words);
        bind_names(&mut f, names, 0);
        let d = f.alloc(1);
        self.place_into(&mut f, place, d);
        f.emit(Ins::Mov { d: 0, a: d });
        self.finish_func(func, f);
        func
    }

    fn test_answer(&mut self, a: &Answer, names: &Names) -> TestAnswer {
        match a {
            Answer::Done => TestAnswer::Done,
            Answer::Pass => TestAnswer::Pass,
            Answer::Yes(y) => TestAnswer::Yes(*y),
            Answer::Value(e) => TestAnswer::Value(self.test_parts(e, names)),
            Answer::Action(id, args) => {
                let Some(ix) = self.action_ix.get(id).copied() else {
                    let span = args.first().map_or(Span::default(), |a| a.span);
                    self.report_unsupported(span, "an action that is not in force here");
                    return TestAnswer::Done;
                };
                TestAnswer::Action(ix, args.iter().map(|e| self.test_parts(e, names)).collect())
            }
        }
    }

    fn test_parts(&mut self, e: &Expr, names: &Names) -> TestParts {
        let parts = match &*e.kind {
            ExprKind::Set(all) | ExprKind::List(all) if !all.is_empty() => all.as_slice(),
            _ => std::slice::from_ref(e),
        };
        let mut out = Vec::new();
        for e in parts {
            let show = self.show(&e.ty, e.span);
            out.push((self.pure_func_of(e, names), show));
        }
        out
    }
}

/// Binds the test's names to registers from `at` on.
fn bind_names(f: &mut FnBuild, names: &Names, at: R) {
    for (l, (i, _)) in &names.at {
        f.bind(*l, Bind::Reg(at + i));
    }
    for (l, ty) in names.types.iter().filter(|(_, ty)| matches!(ty, Ty::Set(_) | Ty::List(_))) {
        f.stored_types.insert((f.env, *l), ty.clone());
    }
}
