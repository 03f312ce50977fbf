//! The law of the reference: values, menus, rules and actions give in compiled code what the reference interpreter gives.
use super::random_match::{Broken, Checked, LawLimits, RandomMatch};
use super::tables::{self, decode, encode, register_form};
use houserule_engine::{
    Choice, Event, EventKind, FaultKind, Machine, Part, Question, QuestionKind, below, value_text,
};
use houserule_model::body::types;
use houserule_model::hir::*;
use houserule_play::setup::resolve_setup;
use houserule_play::{Game, Setup};
use houserule_program::ir::{
    ActionIx, Domain, Func, FuncId, NONE, Offer, Program, SeenBy, Show, UniverseId, UniverseSort, ValueSlot,
};
use houserule_program::{LowerOptions, PassSet};
use houserule_reference::{Datum, Evaluator, Numbers, Said, Stop, World};
use std::collections::BTreeMap;

/// What the reference was compared with.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Compared {
    /// Values of some arguments that were worked out three times, and menus that were listed.
    pub cases: u64,
    /// Positions of matches.
    pub states: u64,
    /// How often each value, rule, action and menu that is in force was compared.
    pub parts: BTreeMap<String, u64>,
    /// How often the reference did not say what something means, by what it is.
    pub unsupported: BTreeMap<String, u64>,
    /// Where code means something else.
    pub broken: Vec<Broken>,
}

impl Compared {
    /// Adds another comparison's counts.
    pub fn add_counts(&mut self, other: Compared) {
        self.cases += other.cases;
        self.states += other.states;
        for (what, n) in other.unsupported {
            *self.unsupported.entry(what).or_default() += n;
        }
        for (part, n) in other.parts {
            *self.parts.entry(part).or_default() += n;
        }
        self.broken.extend(other.broken);
    }

    pub(super) fn leave_out(&mut self, what: String) {
        *self.unsupported.entry(what).or_default() += 1;
    }

    /// One more comparison of a part of the game.
    pub(super) fn count_comparison(&mut self, sort: &str, name: &str) {
        self.cases += 1;
        *self.parts.entry(format!("{sort} {name}")).or_default() += 1;
    }

    /// What was compared never.
    pub fn list_never_compared(&self) -> Vec<&str> {
        self.parts.iter().filter(|(_, n)| **n == 0).map(|(part, _)| part.as_str()).collect()
    }
}

/// In a random match every value of every sort of arguments, and every menu that somebody stands at, is in optimised and in plain code what the reference evaluator says.
///
/// # Errors
/// The first difference.
pub fn check_reference(game: &Game, setup: &Setup, limits: LawLimits) -> Result<Checked, Broken> {
    let found = compare_reference(game, setup, limits, 1, 1)?;
    match found.broken.into_iter().next() {
        Some(broken) => Err(broken),
        None => Ok(Checked {
            cases: found.cases,
            states: found.states,
            unsupported: found.unsupported.values().sum(),
            ..Checked::default()
        }),
    }
}

/// Compares as [`check_reference`] does, at every so manieth position only, and goes on until so many differences are found. Gives also what was not compared.
///
/// # Errors
/// The match cannot be played.
pub fn compare_reference(
    game: &Game,
    setup: &Setup,
    limits: LawLimits,
    every: usize,
    most: usize,
) -> Result<Compared, Broken> {
    let plain = game.with_lowering(LowerOptions { lift: false, passes: PassSet::NONE, ..game.lowering() });
    let mut a = RandomMatch::new(game, setup, limits)?;
    let mut b = RandomMatch::new(&plain, setup, limits)?;
    let set = resolve_setup(game.model(), &Setup { seed: limits.seed, ..setup.clone() })
        .map_err(|r| a.to_broken(format!("{:?}", r.findings)))?;
    let program = a.machine.program().clone();
    let numbers = tables::number_game(game.model(), &set, &program);
    // Plain code may keep sets of other numbers.
    let plain_program = b.machine.program().clone();
    let plain_numbers = tables::number_game(game.model(), &set, &plain_program);
    let mut out = Compared::default();
    let values = program.values.iter().map(|v| format!("value {}", v.name));
    let actions = program.actions.iter().map(|a| format!("action {}", a.name));
    let menus = program.menus.iter().map(|m| format!("menu {}", m.name));
    let rules = game.model().rules.iter().filter(|r| code_of(&program, r).is_some());
    let rules = rules.map(|r| format!("rule {}", r.name));
    out.parts.extend(values.chain(actions).chain(menus).chain(rules).map(|part| (part, 0)));
    loop {
        out.states += 1;
        let looked_at = a.step.is_multiple_of(every.max(1));
        match tables::decode_world(&numbers, a.machine.state()) {
            _ if !looked_at => {}
            Err(stop) => out.leave_out(format!("states: {stop:?}")),
            Ok(world) => {
                let here = Position { game, numbers: &numbers, world: &world };
                here.compare_values(&mut a, (&mut b, &plain_numbers), &mut out);
                here.compare_menus([&mut a, &mut b], &mut out);
                here.compare_views(&mut a, &mut out);
                here.compare_guards(&mut a, &mut out);
                here.compare_guards(&mut b, &mut out);
                here.compare_rules([&mut a, &mut b], &mut out);
                here.compare_legacy([(&mut a, &numbers), (&mut b, &plain_numbers)], &mut out);
                here.compare_actions([&mut a, &mut b], &mut out);
            }
        }
        if out.broken.len() >= most || !a.has_next() {
            return Ok(out);
        }
        let q = a.pick_question();
        let choice = a.draw_choice(q)?;
        a.take_choice(q, &choice)?;
        b.take_choice(q, &choice)?;
    }
}

/// The code of a rule, if it is in force.
fn code_of(p: &Program, rule: &Rule) -> Option<FuncId> {
    let is = |f: &Func| {
        let decl = p.decls.get(f.decl.index());
        !f.pure_ && f.name == rule.name && decl.is_some_and(|d| d.span == rule.span && d.name == rule.name)
    };
    p.funcs.iter().position(is).map(|i| FuncId(i as u16))
}

/// What is done aside, to be compared.
struct Effect {
    of: Target,
    me: Datum,
    args: Vec<Datum>,
    /// The arguments as the engine takes them.
    words: Vec<u64>,
    /// In words.
    said: String,
    /// What it counts as.
    part: String,
}

/// What code gives for a value; none if the rules fail.
fn evaluate_in_code(
    m: &mut Machine,
    numbers: &Numbers<'_>,
    slot: &ValueSlot,
    value: &Value,
    args: &[Datum],
) -> Result<Option<Datum>, String> {
    let p = m.program().clone();
    let results = p.funcs.get(slot.func.index()).map_or(1, |f| usize::from(f.results));
    let encoded = |d: &Datum, show: Show| encode(numbers, d, show).map_err(describe_stop);
    let mut rows = Vec::new();
    for (d, show) in args.iter().zip(&slot.params) {
        rows.push(encoded(d, *show)?);
    }
    // Where lists are kept, a list stands behind the set of its things.
    if takes_lists(&p, slot) {
        for (i, (row, show)) in rows.iter_mut().zip(&slot.params).enumerate() {
            if let (Show::Set(u), Some(Ty::List(_))) = (show, value.body.locals.get(i).map(|l| &l.ty)) {
                row.extend(encoded(&args[i], Show::List(*u))?);
            }
        }
    }
    let mut out = vec![0u64; results.max(1)];
    let (show, from) = p.read_result(slot.func, slot.show);
    match m.eval(slot.func, &rows.concat(), &mut out) {
        Err(_) => Ok(None),
        Ok(()) => decode(numbers, &out[from..], show).map(Some).map_err(describe_stop),
    }
}

/// One position of a match.
pub(super) struct Position<'a> {
    pub game: &'a Game,
    pub numbers: &'a Numbers<'a>,
    pub world: &'a World,
}

impl Position<'_> {
    fn compare_values(
        &self,
        a: &mut RandomMatch,
        (b, plain): (&mut RandomMatch, &Numbers<'_>),
        out: &mut Compared,
    ) {
        let m = self.game.model();
        let (p, q) = (a.machine.program().clone(), b.machine.program().clone());
        let mut reference = Evaluator::new(self.numbers, self.world.clone());
        let named =
            |slot: &ValueSlot| (p.decls[p.funcs[slot.func.index()].decl.index()].span, slot.name.clone());
        for (i, (slot, other)) in p.values.iter().zip(&q.values).enumerate() {
            // What a patch prints is a value of its spaces and one of the patch: of one name and place, in this order.
            let name = named(slot);
            let earlier = p.values[..i].iter().filter(|s| named(s) == name).count();
            let same = (0..).map(ValueId).zip(&m.values).filter(|(_, v)| (v.span, v.name.clone()) == name);
            let Some((v, _)) = same.clone().nth(earlier) else { continue };
            for args in self.list_arguments(a, slot, &m.values[v.index()]) {
                let there = match reference.value(v, args.clone(), None) {
                    Ok(d) => Some(d),
                    Err(Stop::Fails(_) | Stop::Nothing) => None,
                    Err(stop) => {
                        out.leave_out(describe_stop(stop));
                        continue;
                    }
                };
                let codes = [(&mut *a, self.numbers, slot, "optimised"), (&mut *b, plain, other, "plain")];
                for (course, numbers, slot, how) in codes {
                    let value = &m.values[v.index()];
                    let here = evaluate_in_code(&mut course.machine, numbers, slot, value, &args);
                    match here {
                        Err(what) => out.leave_out(what),
                        Ok(here) if is_same(here.as_ref(), there.as_ref()) => {
                            out.count_comparison("value", &slot.name)
                        }
                        Ok(here) => {
                            let told = |d: &Option<Datum>| match d {
                                Some(d) => self.write_value(d),
                                None => String::from("a failure"),
                            };
                            let args: Vec<String> = args.iter().map(|d| self.write_value(d)).collect();
                            out.broken.push(course.to_broken(format!(
                                "{}({}) is {} in {how} code, and {} in the reference",
                                slot.name,
                                args.join(", "),
                                told(&here),
                                told(&there)
                            )));
                        }
                    }
                }
            }
        }
    }

    /// Arguments for a value: all combinations, or as many drawn ones as the limits allow.
    fn list_arguments(&self, c: &mut RandomMatch, slot: &ValueSlot, value: &Value) -> Vec<Vec<Datum>> {
        let types: Vec<Ty> = value.body.locals.iter().take(value.body.params).map(|l| l.ty.clone()).collect();
        let mut domains: Vec<Vec<Datum>> =
            types.iter().zip(&slot.params).map(|(ty, show)| self.sample_type(c, ty, *show)).collect();
        if takes_lists(self.numbers.p, slot) {
            // In another order as well. Not with repeats: where no list of a game repeats, code may count its set.
            for (all, _) in domains.iter_mut().zip(&types).filter(|(_, t)| matches!(t, Ty::List(_))) {
                let turned = |d: &Datum| Datum::List(d.items().into_iter().rev().collect());
                let back: Vec<Datum> = all.iter().map(turned).collect();
                all.extend(back);
            }
        }
        let all = domains.iter().fold(1usize, |n, d| n.saturating_mul(d.len()));
        if all <= c.limits.tuples.min(64) {
            return domains.iter().fold(vec![Vec::new()], |rows, d| {
                let more = |row: Vec<Datum>| d.iter().map(move |x| [row.clone(), vec![x.clone()]].concat());
                rows.into_iter().flat_map(more).collect()
            });
        }
        let drawn = c.limits.tuples.min(16);
        let mut row =
            || domains.iter().map(|d| d[below(d.len() as u64, || c.rng.draw()) as usize].clone()).collect();
        (0..drawn).map(|_| row()).collect()
    }

    /// Some values of a type.
    pub(super) fn sample_type(&self, c: &mut RandomMatch, ty: &Ty, show: Show) -> Vec<Datum> {
        let mut out = match (ty, show) {
            (Ty::Maybe(t), _) => {
                let mut out = self.sample_type(c, t, show);
                out.push(Datum::None);
                out
            }
            (Ty::Bool, _) => vec![Datum::Bool(false), Datum::Bool(true)],
            (Ty::Int(lo, hi), _) => {
                let (lo, hi) = (i64::from((*lo).max(-3)), i64::from((*hi).min(12)));
                (lo..=hi.max(lo)).map(Datum::Int).collect()
            }
            (Ty::Set(_) | Ty::List(_) | Ty::Filter(_), Show::Set(u)) => {
                let n = self.numbers.all(u.0).len() as u32;
                let numbers = match self.numbers.p.universes.get(u.index()).map(|u| &u.sort) {
                    Some(UniverseSort::Numbers { lo }) => Some(i64::from(*lo)),
                    _ => None,
                };
                let thing = |i: u32| match numbers {
                    Some(lo) => Datum::Int(lo + i64::from(i)),
                    None => Datum::Thing(u.0, i),
                };
                let element = if let Ty::Set(t) | Ty::List(t) = ty { &**t } else { ty };
                let eval = Evaluator::new(self.numbers, self.world.clone());
                let fits = |d: &Datum| self.is_of_type(&eval, element, d);
                let mut out = vec![Datum::set([]), Datum::set((0..n).map(thing).filter(fits))];
                for share in [2, 4, 8] {
                    let some = (0..n).filter(|_| c.rng.draw().is_multiple_of(share)).map(thing);
                    out.push(Datum::set(some.filter(fits)));
                }
                out
            }
            (_, Show::Thing(u)) => {
                let eval = Evaluator::new(self.numbers, self.world.clone());
                self.numbers.all(u.0).into_iter().filter(|d| self.is_of_type(&eval, ty, d)).collect()
            }
            _ => Vec::new(),
        };
        if out.is_empty() {
            out.push(Datum::None);
        }
        out
    }

    /// Whether a thing is of a type: of a kind's things those that show a face of that kind.
    fn is_of_type(&self, eval: &Evaluator<'_>, ty: &Ty, d: &Datum) -> bool {
        let m = self.game.model();
        let kinds = types::kinds_of(ty);
        match ty {
            Ty::Of(_) | Ty::AnyOf(_) if self.world.pieces.contains_key(d) => {
                eval.face_of(d).is_ok_and(|f| kinds.iter().any(|x| types::is_a(m, f.kind, *x)))
            }
            Ty::Face(k) => eval.face_of(d).is_ok_and(|f| types::is_a(m, f.kind, *k)),
            Ty::Side(_) => eval.side_of(d).is_ok(),
            _ => true,
        }
    }

    /// Menus that somebody stands at: the same choices in the same order, or the same failure.
    fn compare_menus(&self, mut courses: [&mut RandomMatch; 2], out: &mut Compared) {
        for question in courses[0].machine.questions().to_vec() {
            let QuestionKind::Menu(offer) = question.kind else { continue };
            let p = courses[0].machine.program().clone();
            let Some(offer) = p.offers.get(offer.index()) else { continue };
            let there = match self.list_choices(courses[0], &question, offer) {
                Ok(all) => Some(all),
                Err(Stop::Fails(_) | Stop::Nothing) => None,
                Err(stop) => {
                    out.leave_out(format!("menus: {}", describe_stop(stop)));
                    continue;
                }
            };
            for c in &mut courses {
                if let Err(what) = self.compare_menu(c, question.id, offer, &there, out) {
                    out.leave_out(format!("menus: {what}"));
                }
            }
        }
    }

    /// A menu in code, against what the reference offers.
    fn compare_menu(
        &self,
        c: &mut RandomMatch,
        id: u32,
        offer: &Offer,
        there: &Option<Vec<String>>,
        out: &mut Compared,
    ) -> Result<(), String> {
        let p = c.machine.program().clone();
        let Some(q) = c.machine.questions().iter().position(|q| q.id == id) else { return Ok(()) };
        let here = match c.machine.options(q).cloned() {
            Err(_) => None,
            Ok(options) => Some(
                options
                    .iter()
                    .take(20_000)
                    .map(|o| self.choice_text(c, &o))
                    .collect::<Result<Vec<_>, String>>()?,
            ),
        };
        for (menu, _) in &offer.menus {
            out.count_comparison("menu", &p.menus[menu.index()].name);
        }
        if here != *there {
            let count = |all: &Option<Vec<String>>| {
                all.as_ref().map_or(String::from("a failure"), |a| a.len().to_string())
            };
            let (h, t) = (here.clone().unwrap_or_default(), there.clone().unwrap_or_default());
            let more: Vec<&String> = h.iter().filter(|x| !t.contains(x)).take(4).collect();
            let less: Vec<&String> = t.iter().filter(|x| !h.contains(x)).take(4).collect();
            let order = if more.is_empty() && less.is_empty() {
                format!(", in another order: {h:?} / {t:?}")
            } else {
                String::new()
            };
            out.broken.push(c.to_broken(format!(
                "choices of a menu: {}, in the reference {}; more: {more:?}, less: {less:?}{order}",
                count(&here),
                count(there),
            )));
        }
        Ok(())
    }

    /// What the reference offers, in words.
    fn list_choices(&self, c: &RandomMatch, question: &Question, offer: &Offer) -> Result<Vec<String>, Stop> {
        let (m, p) = (self.game.model(), self.numbers.p);
        let me = Datum::Thing(0, u32::from(question.player));
        let mut eval = Evaluator::new(self.numbers, self.world.clone());
        let (mut listed, mut ids) = (Vec::new(), Vec::new());
        for (menu, at) in &offer.menus {
            let slot = &p.menus[menu.index()];
            let span = p.decls[slot.decl.index()].span;
            let Some(id) = m.menus.iter().position(|x| x.span == span).map(|i| MenuId(i as u32)) else {
                continue;
            };
            let fiber = &c.machine.state().fibers[usize::from(question.fiber)];
            let (mut given, mut at) = (Vec::new(), fiber.base as usize + usize::from(*at));
            for param in &m.menus[id.index()].params {
                let (show, width) =
                    register_form(self.numbers, &m.menus[id.index()].locals[param.local.index()].ty)?;
                given.push(decode(self.numbers, fiber.stack.get(at..at + width).unwrap_or(&[]), show)?);
                at += width;
            }
            for (action, args) in eval.actions_of(id, &me, &given, question.seats)? {
                listed.push(self.call_text(&m.actions[action.index()].name, &args));
            }
            ids.push((id, given));
        }
        let none = listed.is_empty();
        for (done, word) in [(true, "done"), (false, "pass")] {
            let may = eval.may_end(&ids, done, &me, none)?;
            listed.extend(may.then(|| String::from(word)));
        }
        // Where hidden cards leave nothing to do, whoever is asked passes.
        let mut open = false;
        for (id, given) in &ids {
            open = open || eval.is_open(*id, &me, given)?;
        }
        if listed.is_empty() && open && !offer.silent {
            listed.push(String::from("pass"));
        }
        Ok(listed)
    }

    /// A choice of the engine in words.
    fn choice_text(&self, c: &RandomMatch, choice: &Choice) -> Result<String, String> {
        let p = c.machine.program();
        Ok(match choice {
            Choice::Done => String::from("done"),
            Choice::Pass => String::from("pass"),
            Choice::Action { action, params } => {
                let args = arguments_of(self.numbers, *action, params)?;
                let slot = p.actions.get(action.index()).ok_or("an action that is not there")?;
                self.call_text(&slot.name, &args)
            }
            other => format!("{other:?}"),
        })
    }

    /// Every rule, done by somebody to something: the same state where it asks or ends, or the same failure.
    fn compare_rules(&self, mut courses: [&mut RandomMatch; 2], out: &mut Compared) {
        let m = self.game.model();
        if self.world.over {
            return;
        }
        let programs = [0, 1].map(|i| courses[i].machine.program().clone());
        for (i, rule) in m.rules.iter().enumerate() {
            let [Some(f), Some(g)] = [0, 1].map(|i| code_of(&programs[i], rule)) else { continue };
            for _ in 0..courses[0].limits.tuples.min(3) {
                let me = self.draw_player(courses[0]);
                let mut args = Vec::new();
                let mut words = Vec::new();
                for l in rule.body.locals.iter().take(rule.body.params) {
                    let Ok((show, _)) = register_form(self.numbers, &l.ty) else { break };
                    let domain = self.sample_type(courses[0], &l.ty, show);
                    let drawn = below(domain.len() as u64, || courses[0].rng.draw()) as usize;
                    let d = domain[drawn].clone();
                    let Ok(w) = encode(self.numbers, &d, show) else { break };
                    words.extend(w);
                    args.push(d);
                }
                if args.len() < rule.body.params {
                    out.leave_out(String::from("effects: arguments of these types"));
                    break;
                }
                let said = format!("{} by {}", self.call_text(&rule.name, &args), self.write_value(&me));
                let part = format!("rule {}", rule.name);
                let e = Effect { of: Target::Rule(RuleId(i as u32)), me, args, words, said, part };
                self.compare_effect(&mut courses, &e, [f, g], out);
            }
        }
    }

    fn draw_player(&self, c: &mut RandomMatch) -> Datum {
        Datum::Thing(0, below(self.numbers.all(0).len() as u64, || c.rng.draw()) as u32)
    }

    /// Some of the actions that are on offer.
    fn compare_actions(&self, mut courses: [&mut RandomMatch; 2], out: &mut Compared) {
        let m = self.game.model();
        let programs = [0, 1].map(|i| courses[i].machine.program().clone());
        for q in 0..courses[0].machine.questions().len() {
            let Some(question) = courses[0].machine.questions().get(q).copied() else { continue };
            if !matches!(question.kind, QuestionKind::Menu(_)) {
                continue;
            }
            for _ in 0..courses[0].limits.tuples.min(4) {
                let Ok(choice @ Choice::Action { .. }) = courses[0].draw_choice(q) else { continue };
                let said = self.choice_text(courses[0], &choice);
                let (Ok(said), Choice::Action { action, params }) = (said, &choice) else { continue };
                let slots = [0, 1].map(|i| &programs[i].actions[action.index()]);
                let span = programs[0].decls[slots[0].decl.index()].span;
                let Some(i) = m.actions.iter().position(|a| a.span == span) else { continue };
                let me = Datum::Thing(0, u32::from(question.player));
                let Ok(args) = arguments_of(self.numbers, *action, params) else { continue };
                let (of, part) = (Target::Action(ActionId(i as u32)), format!("action {}", slots[0].name));
                let e = Effect { of, me, args, words: params.to_vec(), said, part };
                self.compare_effect(&mut courses, &e, slots.map(|s| s.effect), out);
            }
        }
    }

    /// An effect in the reference, and in the code of each course.
    fn compare_effect(
        &self,
        courses: &mut [&mut RandomMatch; 2],
        e: &Effect,
        funcs: [FuncId; 2],
        out: &mut Compared,
    ) {
        let mut world = self.world.clone();
        // What is done aside is done within no phase.
        world.phases.clear();
        world.outer_turns.clear();
        let mut actor = Evaluator::new(self.numbers, world);
        let mut why = String::new();
        actor.me = e.me.clone();
        let there = match actor.happen(e.of, e.args.clone()) {
            Ok(_) => "ends",
            Err(Stop::Asked) => "asks",
            Err(Stop::Over) => "ends the game",
            Err(Stop::Nothing) => "fails",
            Err(Stop::Fails(what)) => {
                why = format!(" ({what})");
                "fails"
            }
            Err(stop) => return out.leave_out(format!("effects: {}", describe_stop(stop))),
        };
        for (c, func) in courses.iter_mut().zip(funcs) {
            let mut machine = self.game.make_machine(c.machine.program().clone(), 0);
            machine.set_state(c.machine.state());
            machine.record(true);
            let player = e.me.number().map_or(NONE, i64::from);
            let here = match machine.run_effect(func, player, &e.words, &mut []) {
                Err(f) if matches!(f.kind, FaultKind::OutOfBudget | FaultKind::TooDeep) => {
                    out.leave_out(String::from("effects: so long"));
                    continue;
                }
                Err(_) => "fails",
                Ok(_) if machine.is_over() => "ends the game",
                Ok(true) => "ends",
                Ok(false) => "asks",
            };
            out.cases += 1;
            *out.parts.entry(e.part.clone()).or_default() += 1;
            let said = &e.said;
            if here != there {
                out.broken.push(c.to_broken(format!("{said} {here}, and {there} in the reference{why}")));
            } else if here != "fails" {
                match tables::decode_world(self.numbers, machine.state()) {
                    Ok(after) => {
                        let what = self.find_difference(after, actor.w.clone(), here == "asks");
                        if let Some(what) = what.or_else(|| self.compare_said(&mut machine, &actor.said)) {
                            out.broken.push(c.to_broken(format!("{said} {here}; {what}")));
                        }
                    }
                    Err(stop) => out.leave_out(format!("effects: {}", describe_stop(stop))),
                }
            }
        }
    }

    /// The first text, or change of an attribute, that is not what the reference says.
    fn compare_said(&self, m: &mut Machine, said: &[Vec<Said>]) -> Option<String> {
        let mut events = m.take_events();
        let shuffled = events.iter().any(|e| e.kind == EventKind::Shuffled);
        events.retain(|e| matches!(e.kind, EventKind::Said | EventKind::Changed));
        // That somebody goes to another space is told as a move; that what is `once` has been used, to nobody.
        let p = self.numbers.p;
        let otherwise = |slot: usize| {
            p.standing.is_some_and(|a| a.index() == slot) || matches!(p.attrs[slot].seen, SeenBy::Nobody)
        };
        let is_told = |pieces: &&Vec<Said>| !matches!(pieces.as_slice(), [Said::Changed((slot, _), _)] if otherwise(*slot));
        let said: Vec<&Vec<Said>> = said.iter().filter(is_told).collect();
        let differs = events.iter().zip(&said).find_map(|(event, pieces)| {
            let same = match pieces.as_slice() {
                [Said::Changed(at, now)] => self.is_change_told(m, event, at, now, shuffled),
                pieces => event.kind == EventKind::Said && self.is_text_told(m, event, pieces),
            };
            (!same).then(|| format!("it tells {:?}, in the reference {pieces:?}", event.text(None)))
        });
        differs.or_else(|| {
            (events.len() != said.len())
                .then(|| format!("{} texts and changes, in the reference {}", events.len(), said.len()))
        })
    }

    fn is_text_told(&self, m: &Machine, event: &Event, pieces: &[Said]) -> bool {
        let reads = |part: &Part, piece: &Said| {
            let here = match part {
                Part::Text(text) => &**text,
                Part::Arg { open, .. } => open,
            };
            self.text_of(m, piece).is_none_or(|there| there == here)
        };
        event.parts.len() == pieces.len() && event.parts.iter().zip(pieces).all(|(a, b)| reads(a, b))
    }

    /// Whether an event tells that an attribute has become that.
    /// Behind a shuffle, which thing was meant cannot be read any more.
    fn is_change_told(
        &self,
        m: &Machine,
        event: &Event,
        at: &(usize, Datum),
        now: &Datum,
        shuffled: bool,
    ) -> bool {
        let slot = &self.numbers.p.attrs[at.0];
        let name = houserule_engine::change_phrase(&slot.name);
        let named = event.parts.iter().any(|part| matches!(part, Part::Text(text) if **text == *name));
        let word =
            encode(self.numbers, now, slot.show).ok().filter(|_| !shuffled || !self.is_component(slot.show));
        let text = word.map(|words| value_text(m.look(), slot.show, &words, None, true));
        let value = match event.parts.last() {
            Some(Part::Arg { open, .. }) => text.is_none_or(|text| text == *open),
            _ => false,
        };
        event.kind == EventKind::Changed && named && value
    }

    /// How a piece of a text reads, if that is the same at all times and does not hang on an order.
    fn text_of(&self, m: &Machine, piece: &Said) -> Option<String> {
        let (ty, d) = match piece {
            Said::Words(text) => return Some(text.clone()),
            Said::Value(ty, d) => (ty, d.as_ref()?),
            Said::Changed(..) => return None,
        };
        let (show, _) = register_form(self.numbers, ty).ok()?;
        if self.is_component(show) || matches!(ty, Ty::List(_) | Ty::Filter(_)) {
            return None;
        }
        let words = encode(self.numbers, d, show).ok()?;
        Some(value_text(m.look(), show, &words, None, true))
    }

    fn is_component(&self, show: Show) -> bool {
        let (Show::Thing(u) | Show::Set(u)) = show else { return false };
        let sort = self.numbers.p.universes.get(u.index()).map(|u| &u.sort);
        matches!(sort, Some(UniverseSort::Components(_)))
    }

    /// What differs between a state and what the reference says that it is.
    pub fn find_difference(&self, mut here: World, mut there: World, asks: bool) -> Option<String> {
        let p = self.numbers.p;
        for w in [&mut here, &mut there] {
            // Into a zone that a value says who looks into, they look anew before each question.
            if asks && self.game.model().zones.iter().any(|z| matches!(z.seen, Seen::By(_))) {
                w.pieces.values_mut().for_each(|piece| piece.known = 0);
            }
            // Where nothing looks at an order there is none.
            for (lying, place) in w.lying.iter_mut().zip(&p.places) {
                if place.seq == u32::MAX {
                    lying.sort_unstable();
                }
            }
        }
        for (key, now) in &here.attrs {
            let said = there.attrs.get(key);
            if said != Some(now) {
                let (name, of) = (&p.attrs[key.0].name, self.write_value(&key.1));
                let said = said.map_or_else(String::new, |d| self.write_value(d));
                return Some(format!("{name} of {of} is {}, in the reference {said}", self.write_value(now)));
            }
        }
        for (i, (now, said)) in here.lying.iter().zip(&there.lying).enumerate() {
            if now != said {
                let place = houserule_engine::place_title(p, i);
                return Some(format!("in {place} lie {now:?}, in the reference {said:?}"));
            }
        }
        let parts = [
            ("components", here.pieces == there.pieces),
            (
                "whose turn it is",
                // A game that ends as a turn begins ends in nobody's turn, or in that one.
                here.over
                    || (here.turn, here.turns, &here.outer_turns)
                        == (there.turn, there.turns, &there.outer_turns),
            ),
            ("running phases", here.phases == there.phases || !asks),
            ("layers", here.layers == there.layers),
            ("who has won", (&here.verdicts, here.over) == (&there.verdicts, there.over)),
            ("what was drawn", here.drawn == there.drawn),
            ("the clock", here.clock == there.clock),
        ];
        let part = parts.iter().find(|(_, same)| !same).map(|(what, _)| *what)?;
        let told = match part {
            "components" => format!("{:?}", here.pieces.iter().zip(&there.pieces).find(|(a, b)| a != b)),
            "layers" => format!("{:?} / {:?}", here.layers, there.layers),
            "whose turn it is" => format!("{:?} / {:?}", (here.turn, here.turns), (there.turn, there.turns)),
            "the clock" => format!("{} / {}", here.clock, there.clock),
            _ => String::new(),
        };
        Some(format!("another state: {part} {told}"))
    }

    pub(super) fn call_text(&self, name: &str, args: &[Datum]) -> String {
        let args: Vec<String> = args.iter().map(|d| self.write_value(d)).collect();
        format!("{name}({})", args.join(", "))
    }

    /// A value in words.
    pub(super) fn write_value(&self, d: &Datum) -> String {
        let all = |items: &[Datum]| items.iter().map(|d| self.write_value(d)).collect::<Vec<_>>().join(", ");
        match d {
            Datum::Thing(u, n) => match self.numbers.p.universes.get(usize::from(*u)) {
                Some(x) => x
                    .things
                    .get(*n as usize)
                    .map_or_else(|| format!("{}#{n}", x.name), |t| t.word.to_string()),
                None => format!("{u}#{n}"),
            },
            Datum::Set(items) => format!("{{{}}}", all(items)),
            Datum::List(items) => format!("[{}]", all(items)),
            Datum::Int(n) => n.to_string(),
            Datum::Bool(b) => String::from(if *b { "yes" } else { "no" }),
            other => format!("{other:?}"),
        }
    }
}

/// The arguments of an action that is chosen.
pub(super) fn arguments_of(n: &Numbers<'_>, action: ActionIx, params: &[u64]) -> Result<Vec<Datum>, String> {
    let slot = n.p.actions.get(action.index()).ok_or("an action that is not there")?;
    let (mut args, mut at) = (Vec::new(), 0);
    for param in &slot.params {
        let many = usize::from(param.domain.words(n.p));
        let show = match param.domain {
            Domain::Thing(u) => show_of(n.p, u),
            Domain::Number => Show::Number,
            Domain::Subset(u) => Show::Set(u),
        };
        let words = params.get(at..at + many).unwrap_or(&[]);
        args.push(decode(n, words, show).map_err(describe_stop)?);
        at += many;
    }
    Ok(args)
}

/// How one of a domain reads.
pub(super) fn show_of(p: &Program, u: UniverseId) -> Show {
    match p.universes.get(u.index()).map(|u| &u.sort) {
        Some(UniverseSort::Numbers { .. }) => Show::Number,
        Some(UniverseSort::Truth) => Show::Truth,
        _ => Show::Thing(u),
    }
}

/// Whether two results are the same. What code gives as a set is compared as one.
fn is_same(here: Option<&Datum>, there: Option<&Datum>) -> bool {
    match (here, there) {
        (Some(Datum::Set(_)), Some(there)) => here == Some(&there.to_set()),
        _ => here == there,
    }
}

/// Why there is no result, in words.
pub(super) fn describe_stop(stop: Stop) -> String {
    match stop {
        Stop::Unsupported(what) => String::from(what),
        other => format!("{other:?}"),
    }
}

/// Whether the function of a value takes its lists with their order.
fn takes_lists(p: &Program, slot: &ValueSlot) -> bool {
    let words = |show: &Show| match show {
        Show::Set(u) => p.universes.get(u.index()).map_or(1, |u| usize::from(u.w)),
        _ => 1,
    };
    let plain: usize = slot.params.iter().map(words).sum();
    p.funcs.get(slot.func.index()).is_some_and(|f| usize::from(f.args) > plain)
}
