//! Runs the steps of one test on a machine, up to the first that fails.
use super::{STEPS, TestError, broken_invariant, fail_at, verdict_word};
use crate::answers::answer_of;
use crate::reached::Reached;
use houserule_engine::{
    Choice, Fault, LastWays, Machine, Options, Refusal, Said, State, Verdict, value_text,
};
use houserule_play::words::{Wording, least_value, set_bits};
use houserule_play::{Game, fault_finding};
use houserule_program::ir::{
    FuncId, HandedOption, LeaseScope, NONE, Program, Show, TestAnswer, TestDraw, TestOp, TestOpKind,
    TestPlan, TestRoll, UniverseSort, VerdictCode,
};
use houserule_text::Span;
use std::fmt::Write as _;
use std::sync::Arc;

/// Who looks at each step of a test.
pub(super) type Watch<'w> = dyn FnMut(&State, &Machine, Span, bool) + 'w;

/// A test on its way.
pub(super) struct Run {
    pub(super) machine: Machine,
    program: Arc<Program>,
    /// What the test has named, in words.
    locals: Vec<u64>,
    /// A statement of the test waits for an answer; when it has ended, the names are had from its results.
    held: bool,
    log: Vec<String>,
    /// Where menus with clocks could last be left.
    ways: LastWays,
    /// Steps and choices that it may take.
    pub(super) most: usize,
    /// What was in play, if that is wanted.
    pub(super) reached: Option<Reached>,
}

impl Run {
    pub(super) fn new(game: &Game, program: Arc<Program>, seed: u64, span: Span) -> Result<Run, TestError> {
        let mut machine = game.make_machine(program.clone(), seed);
        machine.record(true);
        machine.start_bare().map_err(|f| to_wrong(&f, &program, span))?;
        Ok(Run {
            machine,
            program,
            locals: Vec::new(),
            ways: LastWays::default(),
            held: false,
            log: Vec::new(),
            most: STEPS,
            reached: None,
        })
    }

    pub(super) fn run_steps(&mut self, plan: &TestPlan) -> Result<(), TestError> {
        self.run_steps_watched(plan, None)
    }

    /// Runs all steps. After each it calls `watch` with the state before the step, the machine, and whether the step passed.
    pub(super) fn run_steps_watched(
        &mut self,
        plan: &TestPlan,
        mut watch: Option<&mut Watch<'_>>,
    ) -> Result<(), TestError> {
        self.locals = vec![0; plan.locals as usize];
        let (mut at, mut taken) = (0, 0);
        while let Some(op) = plan.steps.get(at) {
            taken += 1;
            if taken > self.most {
                return Err(TestError {
                    span: op.span,
                    message: format!("no end after {} steps", self.most),
                });
            }
            let before = watch.is_some().then(|| self.machine.state().clone());
            let next = self.run_step(op);
            if let (Some(watch), Some(before)) = (&mut watch, &before) {
                watch(before, &self.machine, op.span, next.is_ok());
            }
            at = next?.unwrap_or(at + 1);
            if let Some(reached) = &mut self.reached {
                reached.note_things(&self.machine);
            }
            self.log.extend(self.machine.take_events().iter().filter_map(|e| e.text(None)));
        }
        Ok(())
    }

    /// One step; says where to go on if not at the next.
    fn run_step(&mut self, op: &TestOp) -> Result<Option<usize>, TestError> {
        let span = op.span;
        match &op.kind {
            TestOpKind::Do(_) if self.machine.is_over() => {
                return fail_at(span, "the game is over, so nothing more can be done");
            }
            TestOpKind::Do(f) => {
                let mut out = vec![0; self.locals.len()];
                let args = self.locals.clone();
                let ended = self
                    .machine
                    .run_aside(*f, NONE, &args, &mut out)
                    .map_err(|e| to_wrong(&e, &self.program, span))?;
                // A statement that asked before and still waits goes on waiting.
                self.held = if ended { self.held && self.machine.is_waiting() } else { true };
                if ended {
                    self.locals = out;
                }
            }
            TestOpKind::Names(f) => self.locals = self.evaluate(*f, span)?,
            TestOpKind::Start(f) => {
                self.machine
                    .run_effect(*f, NONE, &[], &mut [])
                    .map_err(|e| to_wrong(&e, &self.program, span))?;
                self.held = false;
                self.check_invariants(span)?;
            }
            TestOpKind::Jump(to) => return Ok(Some(*to)),
            TestOpKind::JumpUnless(f, to) => {
                if !self.evaluate_truth(*f, span)? {
                    return Ok(Some(*to));
                }
            }
            TestOpKind::Expect(f) => {
                if !self.evaluate_truth(*f, span)? {
                    return fail_at(span, "this does not hold");
                }
            }
            TestOpKind::ExpectOver(who, verdict, because) => {
                self.check_over(*who, *verdict, because.as_deref(), span)?
            }
            TestOpKind::Answer(who, a) => {
                let (q, choice) = self.find_choice(*who, a, span)?;
                self.ways.note(&mut self.machine, q).map_err(|f| to_wrong(&f, &self.program, span))?;
                match self.machine.choose(q, &choice) {
                    Ok(()) => {}
                    Err(Refusal::NotPending) => return fail_at(span, "nothing is asked"),
                    Err(Refusal::Fault(f)) => return Err(to_wrong(&f, &self.program, span)),
                    Err(Refusal::Illegal(reasons)) => {
                        let told: Vec<String> =
                            reasons.into_iter().map(|r| r.text).filter(|t| !t.is_empty()).collect();
                        let why =
                            if told.is_empty() { String::new() } else { format!(": {}", told.join("; ")) };
                        let open = self.describe_offer(q);
                        return fail_at(span, format!("this is refused{why}; on offer: {open}"));
                    }
                }
                self.finish_answer(span)?;
            }
            TestOpKind::TimeUp(who) => {
                let q = self.find_question(*who, span)?;
                let mut ways = std::mem::take(&mut self.ways);
                let up = ways.time_up(&mut self.machine, q);
                self.ways = ways;
                match up {
                    Ok(()) => {}
                    Err(Refusal::NotPending) => return fail_at(span, "nothing is asked"),
                    Err(Refusal::Fault(f)) => return Err(to_wrong(&f, &self.program, span)),
                    Err(Refusal::Illegal(reasons)) => {
                        let told: Vec<String> = reasons.into_iter().map(|r| r.text).collect();
                        return fail_at(span, told.join("; "));
                    }
                }
                self.finish_answer(span)?;
            }
            TestOpKind::Refuse(who, a, because) => self.check_refused(*who, a, because.as_deref(), span)?,
            TestOpKind::Offered(who, all) => self.check_offered(*who, all, span)?,
            TestOpKind::Asked(who, text) => {
                let q = self.find_question(*who, span)?;
                let prompt = self.machine.prompt(q);
                if !prompt.contains(&**text) {
                    return fail_at(span, format!("the question is “{prompt}”"));
                }
            }
            TestOpKind::Logged(all) => {
                let mut lines = self.log.iter();
                for text in all {
                    if !lines.any(|l| l.contains(&**text)) {
                        let tail: Vec<&str> =
                            self.log.iter().rev().take(12).rev().map(String::as_str).collect();
                        return fail_at(
                            span,
                            format!(
                                "“{text}” is not in the log, or not in this order; it ends: {}",
                                tail.join(" / ")
                            ),
                        );
                    }
                }
            }
            TestOpKind::Handed(options, next) => self.check_handed(options, next.as_ref(), span)?,
            TestOpKind::RunTo(scope, arg) => self.run_to(*scope, *arg, span)?,
            TestOpKind::Rolls(who, all) => {
                let mut rolls = Vec::new();
                for f in all {
                    rolls.push(match f {
                        TestRoll::Number(f) => self.evaluate_number(*f, span)? as u64,
                        TestRoll::Sides(c, k) => TestRoll::SIDES | u64::from(*c) << 32 | u64::from(*k),
                    });
                }
                let who = who.map(|f| self.evaluate_number(f, span)).transpose()?;
                self.machine.rig(who.and_then(|p| usize::try_from(p).ok()), &rolls);
            }
            TestOpKind::Draws(all) => {
                let mut draws = Vec::new();
                for d in all {
                    draws.push(self.order_chance(d, span)?);
                }
                self.machine.order_draws(&draws);
            }
            TestOpKind::Shuffles(place, all) => {
                let place = self.evaluate_number(*place, span)?;
                let top = self.order_chance(all, span)?;
                match usize::try_from(place) {
                    Ok(place) => self.machine.order_shuffle(place, &top),
                    Err(_) => return fail_at(span, "there is no such place"),
                }
            }
        }
        Ok(None)
    }

    /// What chance is to bring, as the engine takes it.
    fn order_chance(&mut self, all: &[TestDraw], span: Span) -> Result<Vec<Said>, TestError> {
        let mut out = Vec::new();
        for d in all {
            let (f, show) = match d {
                TestDraw::Sides(c, k) => {
                    out.push(Said::Sides(*c, *k));
                    continue;
                }
                TestDraw::Value(f, show) => (*f, *show),
            };
            let value = self.evaluate(f, span)?;
            let first = value.first().map_or(NONE, |w| *w as i64);
            match show {
                Show::Thing(_) | Show::Number if first == NONE => {
                    return fail_at(span, "this names nothing that chance could choose");
                }
                Show::Thing(u) => out.push(Said::Thing(u, first)),
                Show::Number => out.push(Said::Number(first)),
                Show::Set(u) => {
                    let numbers = matches!(
                        self.program.universes.get(u.index()).map(|u| &u.sort),
                        Some(UniverseSort::Numbers { .. })
                    );
                    let lo = least_value(&self.program, u);
                    out.extend(set_bits(&value).map(|i| i as i64 + lo).map(|v| match numbers {
                        true => Said::Number(v),
                        false => Said::Thing(u, v),
                    }));
                }
                _ => return fail_at(span, "chance chooses things and numbers, not this"),
            }
        }
        Ok(out)
    }

    /// After an answer: the names of a statement that has ended, and what must hold.
    fn finish_answer(&mut self, span: Span) -> Result<(), TestError> {
        if self.held && !self.machine.is_waiting() {
            let results = self.machine.results();
            for (l, r) in self.locals.iter_mut().zip(results) {
                *l = *r;
            }
            self.held = false;
        }
        self.check_invariants(span)
    }

    /// A pure function of the test's names; its results in words.
    fn evaluate(&mut self, f: FuncId, span: Span) -> Result<Vec<u64>, TestError> {
        let words = self.program.funcs.get(f.index()).map_or(1, |f| f.results as usize);
        let mut out = vec![0; words.max(1)];
        let args = self.locals.clone();
        self.machine.eval(f, &args, &mut out).map_err(|e| to_wrong(&e, &self.program, span))?;
        Ok(out)
    }

    fn evaluate_number(&mut self, f: FuncId, span: Span) -> Result<i64, TestError> {
        Ok(self.evaluate(f, span)?.first().map_or(NONE, |w| *w as i64))
    }

    fn evaluate_truth(&mut self, f: FuncId, span: Span) -> Result<bool, TestError> {
        Ok(!matches!(self.evaluate_number(f, span)?, 0 | NONE))
    }

    /// The question put to a player, or to anybody.
    fn find_question(&mut self, who: Option<FuncId>, span: Span) -> Result<usize, TestError> {
        let player = match who {
            Some(f) => Some(self.evaluate_number(f, span)?),
            None => None,
        };
        let all = self.machine.questions();
        // What is put to the table is answered by it, or by any player whose seat may.
        let own = |p: i64| all.iter().position(|q| !q.anybody && p == i64::from(q.player));
        let may = |p: i64| {
            let seats =
                usize::try_from(p).ok().and_then(|p| self.program.answered.get(p)).copied().unwrap_or(0);
            all.iter().position(|q| q.anybody && q.seats & seats != 0)
        };
        let found = match player {
            Some(p) => own(p).or_else(|| may(p)),
            None => all.iter().position(|q| q.anybody).or((!all.is_empty()).then_some(0)),
        };
        match found {
            Some(q) => Ok(q),
            None if all.is_empty() && self.machine.is_over() => fail_at(span, "the game is over"),
            None if all.is_empty() => fail_at(span, "nothing is asked"),
            None => {
                let p = &self.program;
                let who: Vec<String> = all
                    .iter()
                    .map(|q| match q.anybody {
                        true => String::from("table"),
                        false => houserule_engine::thing_word(p, p.player_universe, i64::from(q.player)),
                    })
                    .collect();
                fail_at(span, format!("another player is asked: {}", who.join(", ")))
            }
        }
    }

    fn list_options(&mut self, q: usize, span: Span) -> Result<Options, TestError> {
        let p = self.program.clone();
        self.machine.options(q).cloned().map_err(|f| to_wrong(&f, &p, span))
    }

    fn find_choice(
        &mut self,
        who: Option<FuncId>,
        a: &TestAnswer,
        span: Span,
    ) -> Result<(usize, Choice), TestError> {
        let q = self.find_question(who, span)?;
        let options = self.list_options(q, span)?;
        let args = match a {
            TestAnswer::Action(_, args) => args.as_slice(),
            TestAnswer::Value(parts) => std::slice::from_ref(parts),
            _ => &[],
        };
        let mut values = Vec::new();
        for parts in args {
            let mut all = Vec::new();
            for (f, show) in parts {
                all.push((*show, self.evaluate(*f, span)?));
            }
            values.push(all);
        }
        let Some(question) = self.machine.questions().get(q) else {
            return fail_at(span, "nothing is asked");
        };
        let wording = Wording::new(self.machine.look(), question, &options);
        match answer_of(&wording, a, &values) {
            Ok(c) => Ok((q, c)),
            Err(message) => fail_at(span, message),
        }
    }

    fn check_refused(
        &mut self,
        who: Option<FuncId>,
        a: &TestAnswer,
        because: Option<&str>,
        span: Span,
    ) -> Result<(), TestError> {
        let (q, choice) = self.find_choice(who, a, span)?;
        let options = self.list_options(q, span)?;
        if options.index_of(&choice).is_some() {
            return fail_at(span, "this is not refused");
        }
        let reasons = self.machine.why_not_choice(q, &choice);
        if reasons.is_empty() {
            return fail_at(span, "this is not refused: something that looks the same is on offer");
        }
        match because {
            Some(text) if !reasons.iter().any(|r| r.text.contains(text)) => {
                let told: Vec<String> =
                    reasons.into_iter().map(|r| r.text).filter(|t| !t.is_empty()).collect();
                let told = if told.is_empty() { String::from("no reason is given") } else { told.join("; ") };
                fail_at(span, format!("it is refused for another reason: {told}"))
            }
            _ => Ok(()),
        }
    }

    fn check_offered(
        &mut self,
        who: Option<FuncId>,
        all: &[TestAnswer],
        span: Span,
    ) -> Result<(), TestError> {
        let q = self.find_question(who, span)?;
        let options = self.list_options(q, span)?;
        let mut named = Vec::new();
        for a in all {
            let (_, c) = self.find_choice(who, a, span)?;
            match options.index_of(&c) {
                Some(k) if !named.contains(&k) => named.push(k),
                Some(_) => {}
                None => {
                    let open = self.describe_offer(q);
                    return fail_at(span, format!("not all of these are on offer; on offer: {open}"));
                }
            }
        }
        if named.len() as u64 != options.count() {
            let open = self.describe_offer(q);
            return fail_at(span, format!("more is on offer: {open}"));
        }
        Ok(())
    }

    /// What is on offer, in words, for messages.
    fn describe_offer(&mut self, q: usize) -> String {
        let Ok(options) = self.machine.options(q).cloned() else { return String::from("?") };
        let Some(question) = self.machine.questions().get(q) else { return String::from("nothing") };
        let wording = Wording::new(self.machine.look(), question, &options);
        let mut out: Vec<String> = options.iter().take(20).map(|c| wording.choice_text(&c)).collect();
        if options.count() > 20 {
            out.push(format!("… ({} in all)", options.count()));
        }
        if out.is_empty() { String::from("nothing") } else { out.join(", ") }
    }

    /// Whether the end of the game hands these values on, and that scenario is next.
    fn check_handed(
        &mut self,
        options: &[HandedOption],
        next: Option<&Option<Arc<str>>>,
        span: Span,
    ) -> Result<(), TestError> {
        if !self.machine.is_over() {
            return fail_at(span, "the game is not over, so it hands nothing on");
        }
        let legacy = self.machine.legacy().map_err(|e| to_wrong(&e, &self.program, span))?;
        for o in options {
            let wanted = self.evaluate(o.value, span)?.first().map_or(NONE, |w| *w as i64);
            let Some((_, value)) = legacy.options.iter().find(|(x, _)| *x == o.option) else {
                return fail_at(span, format!("`{}` is not handed on", o.name));
            };
            if *value != wanted {
                let told = value_text(self.machine.look(), o.show, &[*value as u64], None, false);
                return fail_at(span, format!("`{}` is handed on as {told}", o.name));
            }
        }
        match (next, &legacy.next.flatten()) {
            (Some(wanted), found) if wanted != found => match found {
                Some(found) => fail_at(span, format!("`{found}` is next")),
                None => fail_at(span, "no scenario is next"),
            },
            _ => Ok(()),
        }
    }

    fn check_over(
        &mut self,
        who: Option<FuncId>,
        verdict: VerdictCode,
        because: Option<&str>,
        span: Span,
    ) -> Result<(), TestError> {
        let player = match who {
            Some(f) => usize::try_from(self.evaluate_number(f, span)?).ok(),
            None => None,
        };
        let wanted = Verdict::from(verdict);
        if !self.machine.is_over() {
            return match player.and_then(|p| self.machine.lot(p)) {
                Some((lot, _)) if lot != wanted => {
                    fail_at(span, format!("it ended otherwise: {}", verdict_word(lot)))
                }
                Some((_, text)) => match because.filter(|b| !text.contains(b)) {
                    Some(_) => fail_at(span, format!("the reason differs: “{text}”")),
                    None => Ok(()),
                },
                None => fail_at(span, "the game is not over"),
            };
        }
        let Some(outcome) = self.machine.outcome().cloned() else {
            return fail_at(span, "the game has no result");
        };
        let fits = match player {
            Some(p) => outcome.verdicts.get(p) == Some(&wanted),
            None => !outcome.verdicts.is_empty() && outcome.verdicts.iter().all(|v| *v == wanted),
        };
        let p = &self.program;
        let told: Vec<String> = outcome
            .verdicts
            .iter()
            .enumerate()
            .map(|(i, v)| {
                let name = houserule_engine::thing_word(p, p.player_universe, i as i64);
                format!("{name} {}", verdict_word(*v))
            })
            .collect();
        if !fits {
            return fail_at(span, format!("it ended otherwise: {}", told.join(", ")));
        }
        let mut of = player.map_or(0..outcome.verdicts.len(), |p| p..p + 1);
        match because.and_then(|text| of.find(|p| !outcome.text_of(*p).contains(text))) {
            Some(p) => fail_at(span, format!("the reason differs: “{}”", outcome.text_of(p))),
            None => Ok(()),
        }
    }

    /// Takes the first option again and again until the scope has passed.
    fn run_to(&mut self, scope: LeaseScope, arg: Option<FuncId>, span: Span) -> Result<(), TestError> {
        let arg = match arg {
            Some(f) => self.evaluate_number(f, span)?,
            None => NONE,
        };
        let start = self.read_clock();
        for _ in 0..self.most {
            if self.machine.is_over() || self.has_passed(scope, arg, &start) {
                return Ok(());
            }
            // What was started has ended, and with it whatever was to end in it.
            if !self.machine.is_waiting() {
                return Ok(());
            }
            let first = match self.machine.options(0) {
                Ok(o) => o.nth(0),
                Err(f) => return Err(to_wrong(&f, &self.program, span)),
            };
            let Some(choice) = first else { return fail_at(span, "nothing is asked any more") };
            match self.machine.choose(0, &choice) {
                Ok(()) => {}
                Err(Refusal::Fault(f)) => return Err(to_wrong(&f, &self.program, span)),
                Err(_) => return fail_at(span, "the first option is refused"),
            }
            self.check_invariants(span)?;
        }
        fail_at(span, format!("this is not reached within {} choices", self.most))
    }

    fn read_clock(&mut self) -> Clock {
        let turns = self.machine.view(0).turns;
        let state = self.machine.state();
        Clock { round: state.round(), turns, phases: state.phases().collect() }
    }

    fn has_passed(&mut self, scope: LeaseScope, arg: i64, start: &Clock) -> bool {
        let now = self.read_clock();
        match scope {
            LeaseScope::Turn => now.turns > start.turns,
            LeaseScope::Round => now.round > start.round,
            LeaseScope::NextRound => now.round > start.round + 1,
            LeaseScope::Phase => start.phases.last().is_some_and(|p| !now.phases.contains(p)),
            LeaseScope::PhaseNamed => !now.phases.iter().any(|p| i64::from(*p) == arg),
            LeaseScope::Game => false,
            LeaseScope::StartOfTurn => {
                now.turns > start.turns && self.machine.state().turn().is_some_and(|t| t as i64 == arg)
            }
        }
    }

    /// What must hold between any two choices; behind the last one of a game nothing must.
    fn check_invariants(&mut self, span: Span) -> Result<(), TestError> {
        if self.machine.is_over() {
            return Ok(());
        }
        match broken_invariant(&mut self.machine) {
            Ok(None) => Ok(()),
            Ok(Some(title)) => fail_at(span, format!("after this, the invariant “{title}” does not hold")),
            Err(f) => Err(to_wrong(&f, &self.program, span)),
        }
    }
}

struct Clock {
    round: i32,
    turns: i32,
    phases: Vec<u16>,
}

fn to_wrong(f: &Fault, p: &Program, span: Span) -> TestError {
    let d = fault_finding(f, p);
    let span = if f.span == Span::default() { span } else { f.span };
    let mut message = format!("a rule error: {}", d.message);
    for frame in f.frames.iter().take(6) {
        let _ = write!(message, ", in `{}`", frame.name);
    }
    TestError { span, message }
}
