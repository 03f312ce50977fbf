//! The interpreter: one loop over the bytecode, for pure code and effects alike. It calls `rare.rs`, `lines.rs` and `effects.rs` for instructions that are not frequent.
//!
//! The window is an array of somewhat more than 256 words and registers are bytes, so no register is out of bounds, nor are the first words of a set; the words of longer sets that would
//! pass the end wrap round. Nothing here allocates once the stacks are warm. Faults are values: the fiber then still points to the instruction that failed, and its calls can be listed.
use crate::base::fault::{FaultKind, Stop};
use crate::base::window::{Window, any, check_number, int, reg, window, write_words};
use crate::context::exit::Exit;
use crate::context::frames::enter;
use crate::context::pilot::Course;
use crate::context::run_context::Context;
use crate::data::state::{Fiber, State};
use crate::eval::pure::Args;
use crate::eval::speculation;
use crate::interp::ask_inline::Next;
use crate::interp::list_ops::{add_options, not_in_table};
use crate::interp::{
    ask_inline, cached, effects, layers, lines, list_ops, planes, rare, set_ops, turns, word_sets,
};
use crate::world::cells;
use crate::world::tables::{Rules, WorldTables};
use houserule_program::ir::*;
use houserule_program::{effect_instructions, line_instructions, rare_instructions};

/// Calls a function; see [`enter`].
#[inline(never)]
fn call(p: &Program, fiber: &mut Fiber, at: R, f: FuncId, pc: u32) -> Result<u32, Stop> {
    enter(p, fiber, at, f, u16::MAX, pc)
}

/// Notes the write set of an effect in the memo.
#[inline(never)]
fn note(rules: Rules<'_>, cx: &mut Context, win: &Window, ins: &Ins, layered: bool) {
    let thing = match *ins {
        Ins::StAttr { e, attr, .. } if rules.world.attrs.get(attr.index()).is_some_and(|a| a.players) => {
            Some(int(win[e as usize]))
        }
        _ => None,
    };
    cx.memo.note_effect(rules.p, ins, thing, layered);
}

/// Whether a < b; not if either is none.
#[inline(always)]
fn is_less(win: &Window, a: R, b: R) -> bool {
    let (a, b) = (int(win[a as usize]), int(win[b as usize]));
    a < b && a != NONE && b != NONE
}

/// Whether a <= b; not if either is none.
#[inline(always)]
fn is_at_most(win: &Window, a: R, b: R) -> bool {
    let (a, b) = (int(win[a as usize]), int(win[b as usize]));
    a <= b && a != NONE && b != NONE
}

/// (a + k) modulo m.
#[inline(always)]
fn add_modulo(a: i64, k: i16, m: i16) -> Result<u64, Stop> {
    let (x, m) = (int(check_number(a, 0, a.wrapping_add(i64::from(k)))?), i64::from(m));
    if m <= 0 {
        return Err(Stop::from(FaultKind::DivideByZero));
    }
    // Most sums pass the end at most once.
    let x = if (0..m).contains(&x) {
        x
    } else if (m..2 * m).contains(&x) {
        x - m
    } else {
        x.rem_euclid(m)
    };
    Ok(x as u64)
}

/// The fault for a component that does not exist.
#[cold]
#[inline(never)]
fn no_component(world: &WorldTables, u: u8, c: i64) -> Stop {
    match world.universe(u as usize) {
        Ok(uni) if uni.place != u32::MAX => Stop::no_thing(c),
        Ok(_) => Stop::from(FaultKind::BadProgram("components that are not there")),
        Err(k) => k,
    }
}

/// Runs a fiber until its outermost function returns, it comes to a question or fork, or the game is over. On a fault the fiber's `pc` is one past the instruction that failed.
/// `id` is the fiber's number, `u16::MAX` for pure runs, in which effects are faults. With a course, its pilot answers some offers inside the loop.
pub(crate) fn run(
    rules: Rules<'_>,
    st: &mut State,
    cx: &mut Context,
    fiber: &mut Fiber,
    id: u16,
    mut course: Option<&mut Course<'_>>,
) -> Result<(), Stop> {
    let Rules { p, world } = rules;
    let code: &[Ins] = &p.code;
    // The position of the present instruction. The next one follows it, unless `go!` sets it: so the loop needs one register less.
    let mut pc = fiber.pc as usize;
    let mut steps = cx.steps;
    let Some(mut win) = window(&mut fiber.stack, fiber.base as usize) else {
        return Err(Stop::from(FaultKind::TooDeep));
    };
    // Code within this run may set it; the caller's value is restored at the end.
    let outer = std::mem::replace(&mut cx.acts, id != u16::MAX);
    let out = 'run: {
        macro_rules! tri {
            ($e:expr) => {
                match $e {
                    Ok(x) => x,
                    Err(k) => break 'run Err(Stop::from(k)),
                }
            };
        }
        // Loads a table that few instructions need only when it is needed; otherwise the loop would keep it in a register.
        macro_rules! apart {
            ($e:expr) => {
                std::hint::black_box($e)
            };
        }
        macro_rules! charge {
            ($n:expr) => {{
                let n = $n as u64;
                if steps < n {
                    break 'run Err(Stop::from(FaultKind::OutOfBudget));
                }
                steps -= n;
            }};
        }
        // A fault of the program's code: the compiler does not make such code.
        macro_rules! bad {
            ($why:expr) => {
                break 'run Err(Stop::from(FaultKind::BadProgram($why)))
            };
        }
        // The window of the function that runs now.
        macro_rules! reload {
            () => {
                match window(&mut fiber.stack, fiber.base as usize) {
                    Some(x) => win = x,
                    None => {
                        cx.acts = outer;
                        return Err(Stop::from(FaultKind::TooDeep));
                    }
                }
            };
        }
        // The exit is stored apart, so that the result of the loop is one word.
        macro_rules! leave {
            ($exit:expr) => {{
                cx.exit = $exit;
                break 'run Ok(());
            }};
        }
        // Continues at a position.
        macro_rules! go {
            ($to:expr) => {{
                pc = $to as usize;
                continue;
            }};
        }
        // An exit in pure code ends the innermost trial.
        macro_rules! stop {
            ($exit:expr) => {{
                check_acts!();
                if id != u16::MAX {
                    leave!($exit)
                }
                let to = tri!(speculation::stop(cx, fiber));
                reload!();
                go!(to);
            }};
        }
        // Lends the step budget to a callee that may run code.
        macro_rules! lend {
            ($e:expr) => {{
                cx.steps = steps;
                let r = $e;
                steps = cx.steps;
                tri!(r)
            }};
        }
        // Effects are for effect functions.
        macro_rules! check_acts {
            () => {
                if !cx.acts {
                    bad!("an effect in pure code");
                }
            };
        }
        macro_rules! effect {
            ($ins:expr) => {{
                check_acts!();
                charge!(1u64);
                note(rules, cx, win, $ins, !fiber.leases.is_empty());
                if cx.rec.on || cx.rec.watched {
                    cx.rec.set_source(fiber.func, pc as u32, int(win[0]));
                }
                lend!(effects::run(rules, st, cx, win, &mut fiber.leases, id, *$ins));
            }};
        }
        // Fast paths of effects set the source of what a watcher is told, too.
        macro_rules! watch_source {
            () => {
                if cx.rec.watched {
                    cx.rec.set_source(fiber.func, pc as u32, int(win[0]));
                }
            };
        }
        // A jump of the rules: backwards it charges the budget.
        macro_rules! jump {
            ($to:expr) => {{
                if ($to as usize) <= pc {
                    charge!(1u64);
                }
                go!($to);
            }};
        }
        macro_rules! each {
            ($d:expr, $a:expr, $b:expr, $w:expr, $f:expr) => {{
                let f = $f;
                win[$d as usize] = f(win[$a as usize], win[$b as usize]);
                // Few words without a loop.
                if $w > 1 {
                    win[$d as usize + 1] = f(win[$a as usize + 1], win[$b as usize + 1]);
                    if $w > 2 {
                        win[$d as usize + 2] = f(win[$a as usize + 2], win[$b as usize + 2]);
                        for i in 3..$w as usize {
                            win[reg($d, i)] = f(win[reg($a, i)], win[reg($b, i)]);
                        }
                    }
                }
            }};
        }
        loop {
            let Some(ins) = code.get(pc) else {
                bad!("code runs past its end");
            };
            match *ins {
                Ins::Li { d, k } => win[d as usize] = i64::from(k) as u64,
                Ins::Mov { d, a } => win[d as usize] = win[a as usize],
                Ins::JEqK { a, k, to } => {
                    if int(win[a as usize]) == i64::from(k) {
                        jump!(to);
                    }
                }
                Ins::JNeK { a, k, to } => {
                    if int(win[a as usize]) != i64::from(k) {
                        jump!(to);
                    }
                }
                Ins::MovN { d, a, n: 3 } => {
                    let (x, y, z) = (win[a as usize], win[reg(a, 1)], win[reg(a, 2)]);
                    (win[d as usize], win[reg(d, 1)], win[reg(d, 2)]) = (x, y, z);
                }
                Ins::MovN { d, a, n } => {
                    let n = n as usize;
                    if a as usize + n <= 256 && d as usize + n <= 256 {
                        win.copy_within(a as usize..a as usize + n, d as usize);
                    }
                }
                Ins::SConst { d, w: 1, k } => {
                    win[d as usize] = apart!(p).sets.get(k as usize).copied().unwrap_or(0);
                }
                Ins::SConst { d, w, k } => {
                    let words = apart!(p).sets.get(k as usize..k as usize + w as usize).unwrap_or(&[]);
                    write_words(win, d, words);
                }
                Ins::SConstI { d, i, w: 1, k } => {
                    win[d as usize] = tri!(list_ops::const_word(apart!(p), int(win[i as usize]), k));
                }
                Ins::StepC { d, c, r, m } => {
                    let (c, r) = (int(win[c as usize]), int(win[r as usize]));
                    win[d as usize] = list_ops::step_from(apart!(p), m, c, r) as u64;
                }
                Ins::SGrid { d, i, j, t } if apart!(p).grids.get(t.index()).is_some_and(|g| g.w == 1) => {
                    let (i, j) = (int(win[i as usize]), int(win[j as usize]));
                    win[d as usize] = tri!(list_ops::grid_word(apart!(p), t, i, j));
                }
                Ins::Slides { d, c, r, s, m }
                    if apart!(world).rays.get(m as usize).is_some_and(|x| !x.sets.is_empty()) =>
                {
                    charge!(2u64);
                    let c = usize::try_from(int(win[c as usize])).unwrap_or(usize::MAX);
                    let (dirs, s) = (win[r as usize], win[s as usize]);
                    let rays = apart!(world).rays.get(m as usize).filter(|x| c < x.n as usize);
                    win[d as usize] = rays.map_or(0, |x| x.slides(c, dirs, s));
                }
                Ins::LdHeld { d, o, zone } => {
                    win[d as usize] =
                        tri!(cells::held_component(apart!(p), st, zone, int(win[o as usize]))) as u64;
                }
                Ins::SumTable { d, s, table } => {
                    tri!(list_ops::sum_table(rules, st, win, (d, s, table), &mut steps));
                }
                Ins::SumEach { d, s, a, sum } => {
                    tri!(list_ops::sum_each(rules, st, win, (d, s, a, sum), &mut steps));
                }
                Ins::Mul { d, a, b } => {
                    let (a, b) = (int(win[a as usize]), int(win[b as usize]));
                    win[d as usize] = tri!(check_number(a, b, a.wrapping_mul(b)));
                }
                Ins::Add { d, a, b } => {
                    let (a, b) = (int(win[a as usize]), int(win[b as usize]));
                    win[d as usize] = tri!(check_number(a, b, a.wrapping_add(b)));
                }
                Ins::Sub { d, a, b } => {
                    let (a, b) = (int(win[a as usize]), int(win[b as usize]));
                    win[d as usize] = tri!(check_number(a, b, a.wrapping_sub(b)));
                }
                Ins::AddK { d, a, k } => {
                    let a = int(win[a as usize]);
                    win[d as usize] = tri!(check_number(a, 0, a.wrapping_add(i64::from(k))));
                }
                Ins::Min { d, a, b } => {
                    let (a, b) = (int(win[a as usize]), int(win[b as usize]));
                    let x = match (a, b) {
                        (NONE, b) => b,
                        (a, NONE) => a,
                        (a, b) => a.min(b),
                    };
                    win[d as usize] = x as u64;
                }
                // None is less than every number.
                Ins::Max { d, a, b } => {
                    win[d as usize] = int(win[a as usize]).max(int(win[b as usize])) as u64;
                }
                Ins::ModK { d, a, k } => {
                    let a = int(win[a as usize]);
                    if k <= 0 {
                        break 'run Err(Stop::from(FaultKind::DivideByZero));
                    }
                    win[d as usize] = tri!(check_number(a, 0, a.rem_euclid(i64::from(k))));
                }
                Ins::AddModK { d, a, k, m } => {
                    win[d as usize] = tri!(add_modulo(int(win[a as usize]), k, m));
                }
                Ins::Eq { d, a, b } => {
                    win[d as usize] = u64::from(win[a as usize] == win[b as usize]);
                }
                Ins::Ne { d, a, b } => {
                    win[d as usize] = u64::from(win[a as usize] != win[b as usize]);
                }
                Ins::Lt { d, a, b } => {
                    win[d as usize] = u64::from(is_less(win, a, b));
                }
                Ins::Le { d, a, b } => {
                    win[d as usize] = u64::from(is_at_most(win, a, b));
                }
                Ins::EqK { d, a, k } => {
                    win[d as usize] = u64::from(int(win[a as usize]) == i64::from(k));
                }
                Ins::Not { d, a } => win[d as usize] = u64::from(win[a as usize] == 0),
                Ins::And { d, a, b } => {
                    win[d as usize] = u64::from(win[a as usize] != 0 && win[b as usize] != 0);
                }
                Ins::Or { d, a, b } => {
                    win[d as usize] = u64::from(win[a as usize] != 0 || win[b as usize] != 0);
                }
                Ins::Jmp { to } => jump!(to),
                Ins::Jz { a, to } => {
                    if win[a as usize] == 0 {
                        jump!(to);
                    }
                }
                Ins::Jnz { a, to } => {
                    if win[a as usize] != 0 {
                        jump!(to);
                    }
                }
                Ins::JLe { a, b, to } => {
                    if is_at_most(win, a, b) {
                        jump!(to);
                    }
                }
                Ins::JNotLe { a, b, to } => {
                    if !is_at_most(win, a, b) {
                        jump!(to);
                    }
                }
                Ins::JLt { a, b, to } => {
                    if is_less(win, a, b) {
                        jump!(to);
                    }
                }
                Ins::JNotLt { a, b, to } => {
                    if !is_less(win, a, b) {
                        jump!(to);
                    }
                }
                Ins::JAny { s, w, to } => {
                    if any(win, s, w) {
                        jump!(to);
                    }
                }
                Ins::JNil { s, w, to } => {
                    if !any(win, s, w) {
                        jump!(to);
                    }
                }
                Ins::JNone { a, to } => {
                    if int(win[a as usize]) == NONE {
                        jump!(to);
                    }
                }
                Ins::JSome { a, to } => {
                    if int(win[a as usize]) != NONE {
                        jump!(to);
                    }
                }
                Ins::LdAttr { d, e, attr } => match world.attrs.get(attr.index()) {
                    Some(a) => win[d as usize] = tri!(cells::load(st, a, int(win[e as usize]))) as u64,
                    None => bad!("an attribute that is not there"),
                },
                Ins::LdGlobal { d, attr } => match world.attrs.get(attr.index()) {
                    Some(a) => win[d as usize] = tri!(cells::load(st, a, 0)) as u64,
                    None => bad!("an attribute that is not there"),
                },
                Ins::LdTable { d, i, table } => {
                    let i = int(win[i as usize]);
                    let value = world.tables.get(table.index()).and_then(|t| t.at(&world.values, i));
                    win[d as usize] = match value {
                        Some(v) => i64::from(v) as u64,
                        None => break 'run Err(not_in_table(p, table, i)),
                    };
                }
                Ins::LdFace { d, c, u } => {
                    let c = int(win[c as usize]);
                    win[d as usize] = match world.face_of(st, u, c) {
                        Some(face) => i64::from(face) as u64,
                        None => break 'run Err(no_component(world, u, c)),
                    };
                }
                Ins::LdPlace { d, c, u } => {
                    let c = int(win[c as usize]);
                    win[d as usize] = match world.place_of(st, u, c) {
                        Some(place) => i64::from(place) as u64,
                        None => break 'run Err(no_component(world, u, c)),
                    };
                }
                Ins::LdAt { d, c, u } => {
                    let c = int(win[c as usize]);
                    win[d as usize] = match world.place_of(st, u, c) {
                        Some(place) => {
                            apart!(world).spaces.get(place as usize).map_or(NONE, |x| i64::from(*x)) as u64
                        }
                        None => break 'run Err(no_component(world, u, c)),
                    };
                }
                Ins::PlaceOf { d, o, i, zone } => {
                    let place =
                        tri!(cells::place_of(apart!(p), zone, int(win[o as usize]), int(win[i as usize])));
                    win[d as usize] = place as u64;
                }
                Ins::PlaceFact { d, p: q, fact } => {
                    win[d as usize] = cells::place_fact(apart!(p), int(win[q as usize]), fact) as u64;
                }
                Ins::CanMenu { d, p: q, menu } => {
                    charge!(1u64);
                    let who = int(win[q as usize]);
                    let can = lend!(cx.can_menu(apart!(rules), st, menu, Args { who, params: &[] }));
                    win[d as usize] = u64::from(can);
                }
                Ins::CanOffer { d, p: q, offer } => {
                    charge!(1u64);
                    let who = int(win[q as usize]);
                    let can = lend!(cx.can_offer(apart!(rules), st, offer, who, win));
                    win[d as usize] = u64::from(can);
                }
                // Most boards and hands take one word.
                Ins::Plane { d, w: 1, at } => match st.planes.get(at as usize) {
                    Some(x) => win[d as usize] = *x,
                    None => bad!("a plane that is not there"),
                },
                Ins::Plane { d, w, at } => match st.planes.get(at as usize..at as usize + w as usize) {
                    Some(words) => write_words(win, d, words),
                    None => bad!("a plane that is not there"),
                },
                Ins::PlaneI { d, i, group } => {
                    tri!(planes::plane_of_group(apart!(p), st, win, d, i, group));
                }
                Ins::PlaneC { d, i, group } => planes::constant_of_group(rules, win, d, i, group),
                Ins::SAndC { d, a, i, group } => planes::cut_with_constant(rules, win, (d, a, i), group),
                Ins::Members { d, p: q, u } => {
                    tri!(planes::members(apart!(rules), st, win, (d, q), u));
                }
                Ins::SAnd { d, a, b, w } => each!(d, a, b, w, |x: u64, y: u64| x & y),
                Ins::SOr { d, a, b, w } => each!(d, a, b, w, |x: u64, y: u64| x | y),
                Ins::SAndNot { d, a, b, w } => each!(d, a, b, w, |x: u64, y: u64| x & !y),
                Ins::SNot { d, a, u } => tri!(word_sets::complement(apart!(world), win, d, a, u)),
                Ins::SAll { d, u } => tri!(word_sets::fill(apart!(world), win, d, u)),
                Ins::SZero { d, w } => word_sets::clear(win, d, w as usize),
                Ins::SOne { d, i, w } => word_sets::put_only(win, d, i, w),
                Ins::SIns { d, i, w } => word_sets::insert(win, d, i, w),
                Ins::SDel { d, i, w } => word_sets::remove(win, d, i, w),
                Ins::STest { d, s, i, w } => win[d as usize] = u64::from(word_sets::contains(win, s, i, w)),
                Ins::SCount { d, s, w } => win[d as usize] = word_sets::count(win, s, w),
                Ins::SAny { d, s, w } => win[d as usize] = u64::from(any(win, s, w)),
                Ins::SFirst { d, s, w } => {
                    win[d as usize] = word_sets::first(win, s, w).unwrap_or(NONE as u64)
                }
                Ins::SNext { i, s, w, to } => {
                    charge!(1u64);
                    let x = if w == 1 {
                        word_sets::next_in_word(win, i, s)
                    } else {
                        word_sets::next(win, i, s, w)
                    };
                    match x {
                        Some(x) => win[i as usize] = x,
                        None => go!(to),
                    }
                }
                Ins::SMore { i, s, w, to } => {
                    charge!(1u64);
                    let x = if w == 1 {
                        word_sets::next_in_word(win, i, s)
                    } else {
                        word_sets::next(win, i, s, w)
                    };
                    if let Some(x) = x {
                        win[i as usize] = x;
                        go!(to);
                    }
                }
                Ins::SEach { i, s, w: 1, to } => {
                    charge!(1u64);
                    let word = win[s as usize];
                    if word == 0 {
                        win[i as usize] = NONE as u64;
                        go!(to);
                    } else {
                        win[i as usize] = u64::from(word.trailing_zeros());
                    }
                }
                Ins::SEach { i, s, w, to } => {
                    charge!(1u64);
                    let x = word_sets::first(win, s, w);
                    win[i as usize] = x.unwrap_or(NONE as u64);
                    if x.is_none() {
                        go!(to);
                    }
                }
                Ins::RunSrc { d, p: pr, q, m } => {
                    charge!(tri!(set_ops::run_sources(rules, win, (d, pr, q), m)));
                }
                Ins::LineThru { d, c, s, t: lines }
                    if apart!(world).lines.get(lines.index()).is_some_and(|x| x.most > 0) =>
                {
                    let (c, set) = (win[c as usize], win[s as usize]);
                    win[d as usize] = u64::from(
                        apart!(world).lines.get(lines.index()).is_some_and(|x| x.has_full_line(c, set)),
                    );
                }
                Ins::LineFirst { d, i, s, t: lines }
                    if apart!(world).lines.get(lines.index()).is_some_and(|x| !x.ascending.is_empty()) =>
                {
                    let masks = apart!(world).lines.get(lines.index()).map_or(&[][..], |x| &x.ascending);
                    let line = masks.get(win[i as usize] as usize).copied().unwrap_or(0);
                    let some = line & win[s as usize];
                    win[d as usize] = if some == 0 { NONE as u64 } else { u64::from(some.trailing_zeros()) };
                }
                line_instructions!() => tri!(lines::run(rules, win, *ins, &mut steps)),
                Ins::Call { at, f } => {
                    charge!(1u64);
                    let to = tri!(call(p, fiber, at, f, pc as u32 + 1));
                    reload!();
                    go!(to);
                }
                Ins::Ret => {
                    let Some(link) = fiber.links.pop() else { leave!(Exit::Done) };
                    // The next instruction is that at `link.pc`.
                    pc = (link.pc as usize).wrapping_sub(1);
                    fiber.base = link.base;
                    fiber.func = link.func;
                    reload!();
                    if link.acted == ask_inline::ENUMERATED
                        && let Some(course) = course.as_deref_mut()
                    {
                        cx.steps = steps;
                        let then = ask_inline::take_enumerated(apart!(rules), st, cx, fiber, course, link.pc);
                        steps = cx.steps;
                        let to = match tri!(then) {
                            Next::Enumerate(to) => to,
                            Next::Continue(to) => {
                                cx.acts = true;
                                to
                            }
                            Next::Leave => break 'run Ok(()),
                        };
                        reload!();
                        go!(to);
                    } else if link.acted != u16::MAX {
                        win[link.acted as usize & 255] = OFFER_ACTED as u64;
                    }
                }
                Ins::Noted { d, k, to } => {
                    if cached::recall_set(cx, win, d, k) {
                        go!(to);
                    }
                }
                Ins::Note { d, k } => cached::note_set(apart!(p), cx, win, d, k),
                Ins::Recall { d, who, k, to } => {
                    charge!(1u64);
                    if cached::recall_value(cx, win, d, who, k) {
                        go!(to);
                    }
                }
                Ins::Keep { d, who, k } => cached::keep_value(apart!(p), cx, win, d, who, k),
                Ins::LeaseNext { i, what, to } => {
                    charge!(1u64);
                    let next = layers::next_attached(st, what.0, int(win[i as usize]));
                    if next == NONE {
                        go!(to);
                    } else {
                        win[i as usize] = next as u64;
                    }
                }
                Ins::Options { at, last, action } => {
                    charge!(1u64);
                    tri!(add_options(apart!(world), &mut cx.opts, win, at, last, action));
                }
                Ins::Option { action } => list_ops::add_option(apart!(world), &mut cx.opts, win, action),
                Ins::SAtIn { d, e, s, u, w } => {
                    charge!(tri!(set_ops::at_in(world, st, win, (d, e, s), (u, w))));
                }
                Ins::HeldIn { d, s, zone } => {
                    charge!(tri!(set_ops::held_in(rules, st, win, (d, s), zone)));
                }
                Ins::SHolders { d, s, zone } => {
                    charge!(tri!(set_ops::holders(world, st, win, (d, s), zone)));
                }
                Ins::RayEnd { d, c, r, s, m, last } => {
                    charge!(tri!(set_ops::ray_end(p, win, d, (c, r, s), (m, last))));
                }
                Ins::SCrowd { d, n, op, zone } => {
                    charge!(tri!(set_ops::crowd(rules, st, win, (d, n), (op, zone))));
                }
                Ins::SCrowdAt { d, e, n, op, u, zone } => {
                    charge!(tri!(set_ops::crowd_at(rules, st, win, (d, e, n), (u, op, zone))));
                }
                Ins::SByFace { d, s, f, u } => {
                    charge!(tri!(set_ops::by_face(rules, st, win, (d, s, f), u)));
                }
                Ins::SByShown { d, s, f, u } => {
                    charge!(tri!(set_ops::by_shown(rules, st, win, (d, s, f), u)));
                }
                Ins::SumShown { d, s, u, table } => {
                    charge!(tri!(set_ops::sum_shown(rules, st, win, (d, s), (u, table))));
                }
                Ins::Held { d, o, zone } => tri!(set_ops::held(rules, st, win, (d, o), zone)),
                Ins::ZLen { d, p: q } => set_ops::count_at(p, st, win, d, q),
                Ins::Dilate { d, s, m } => charge!(tri!(set_ops::dilate(rules, win, (d, s), m))),
                Ins::Neigh { d, c, m } => tri!(set_ops::neighbours(rules, win, d, c, m)),
                Ins::DirOf { d, a, b, m } => tri!(set_ops::direction(rules, win, (d, a, b), m)),
                Ins::RaySet { d, c, r, m } => tri!(set_ops::ray(rules, win, (d, c, r), None, m)),
                Ins::RayThru { d, c, r, s, n, m } => {
                    charge!(2u64);
                    tri!(set_ops::ray(rules, win, (d, c, r), Some((s, n)), m));
                }
                Ins::SSub { d, a, b, w } => win[d as usize] = u64::from(word_sets::is_subset(win, a, b, w)),
                Ins::SEq { d, a, b, w } => win[d as usize] = u64::from(word_sets::is_equal(win, a, b, w)),
                rare_instructions!() => {
                    tri!(rare::run(rules, st, cx, win, fiber.func, id, *ins, &mut steps));
                }
                // Fast paths of frequent effects: nothing is logged, no layer is open, no attribute is reset. Otherwise `effects.rs` runs them.
                Ins::StAttr { e, a, attr } => {
                    let plain = cx.acts && !cx.rec.on && st.layers.is_empty() && fiber.leases.is_empty();
                    let thing = int(win[e as usize]);
                    match world.attrs.get(attr.index()) {
                        Some(f) if plain && thing >= 0 && thing < i64::from(f.n) => {
                            charge!(1u64);
                            let value = int(win[a as usize]);
                            if cx.rec.watched {
                                watch_source!();
                                if cells::cell(st, f.cell as usize + thing as usize) != value {
                                    cx.rec.log_change(rules, st, attr.0, thing as usize, false);
                                }
                            }
                            tri!(turns::store_attr(st, cx, (f, attr), thing, value));
                        }
                        _ => effect!(ins),
                    }
                }
                Ins::TurnBegin { p: who } => {
                    let whose = int(win[who as usize]);
                    if cx.acts && turns::can_begin_turn(apart!(world), st, cx, whose) {
                        charge!(1u64);
                        watch_source!();
                        turns::begin_turn(st, cx, whose);
                    } else {
                        effect!(ins);
                    }
                }
                Ins::TurnEnd => {
                    if cx.acts && turns::can_end_turn(st) {
                        charge!(1u64);
                        turns::end_turn(st, cx);
                    } else {
                        effect!(ins);
                    }
                }
                Ins::TurnNext { p: who, left, n, to } => {
                    if cx.acts && turns::can_end_turn(st) {
                        charge!(1u64);
                        turns::end_turn(st, cx);
                    } else {
                        effect!(&Ins::TurnEnd);
                    }
                    let (x, k) = (int(win[who as usize]), int(win[left as usize]));
                    (win[who as usize], win[left as usize]) = tri!(turns::next_player(x, k, n));
                    if k.wrapping_add(1) != i64::from(n) {
                        jump!(to);
                    }
                }
                Ins::RoundBegin => {
                    if cx.acts && !cx.rec.on && !apart!(world).per_round {
                        charge!(1u64);
                        watch_source!();
                        tri!(turns::begin_round(st, cx));
                    } else {
                        effect!(ins);
                    }
                }
                Ins::RoundEnd => {
                    if cx.acts && st.layers.is_empty() {
                        charge!(1u64);
                    } else {
                        effect!(ins);
                    }
                }
                Ins::AskMenu { d, at, who, offer } => {
                    if cx.acts
                        && let Some(course) = course.as_deref_mut()
                    {
                        cx.steps = steps;
                        let asked = (d, at, win[who as usize], offer);
                        let answer =
                            ask_inline::answer_offer(rules, st, cx, fiber, course, asked, pc as u32 + 1);
                        if let Some((to, effect)) = tri!(answer) {
                            steps = cx.steps;
                            cx.acts = effect;
                            reload!();
                            go!(to);
                        }
                    }
                    stop!(Exit::Menu { d, at, who, offer })
                }
                Ins::Ask { d, s, who, ask } => stop!(Exit::Ask { d, s, who, ask }),
                Ins::Fork { l, at, n, f, freely } => stop!(Exit::Fork { l, at, n, f, freely }),
                Ins::Try { at, f } => {
                    charge!(4u64);
                    let to = tri!(speculation::begin(p, st, cx, fiber, (at, f, pc as u32 + 1)));
                    cx.acts = true;
                    reload!();
                    go!(to);
                }
                Ins::Untry => cx.acts = tri!(speculation::end(st, cx)),
                Ins::EndDecided => {
                    check_acts!();
                    let decided = |(v, seats): (&Option<_>, &u32)| v.is_some() || *seats == 0;
                    if st.verdicts.iter().zip(&apart!(p).answered).all(decided) {
                        st.head.over = true;
                        stop!(Exit::Over);
                    }
                }
                Ins::End => {
                    check_acts!();
                    st.head.over = true;
                    stop!(Exit::Over)
                }
                effect_instructions!() => effect!(ins),
            }
            pc = pc.wrapping_add(1);
        }
    };
    fiber.pc = pc.wrapping_add(1) as u32;
    cx.steps = steps;
    cx.acts = outer;
    out
}
