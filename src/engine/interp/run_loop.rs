//! The interpreter: one loop over the bytecode, for pure code and effects alike. It calls `rare.rs`, `lines.rs` and `effects.rs` for instructions that are not frequent.
//!
//! The window is an array of somewhat more than 256 words and registers are bytes, so no register is out of bounds, nor are the first words of a set; the words of longer sets that would
//! pass the end wrap round. Nothing here allocates once the stacks are warm. Faults are values: the fiber then still points to the instruction that failed, and its calls can be listed.
use crate::base::fault::{FaultKind, Stop};
use crate::base::window::{Window, any, cut, int, lay, number, reg, window};
use crate::context::exit::Exit;
use crate::context::frames::enter;
use crate::context::memo;
use crate::context::pilot::Course;
use crate::context::run_context::Context;
use crate::data::decision::{Last, What};
use crate::data::state::{Fiber, State};
use crate::eval::speculation;
use crate::interp::ask_inline::Next;
use crate::interp::list_ops::{not_in_table, options, set_attr};
use crate::interp::{ask_fast, ask_inline, effects, layers, lines, list_ops, rare, set_ops};
use crate::world::graph::{Buf, MAX_WORDS};
use crate::world::tables::{WorldTables, map_of};
use crate::world::{cells, graph};
use houserule_program::ir::*;
use houserule_program::{effect_instructions, line_instructions, rare_instructions};

#[inline(never)]
fn called(p: &Program, fiber: &mut Fiber, at: R, f: FuncId, pc: u32) -> Result<u32, Stop> {
    enter(p, fiber, at, f, u16::MAX, pc)
}

/// Notes the write set of an effect in the memo.
#[inline(never)]
fn note(p: &Program, world: &WorldTables, cx: &mut Context, win: &Window, ins: &Ins, layered: bool) {
    let thing = match *ins {
        Ins::StAttr { e, attr, .. } if world.attrs.get(attr.index()).is_some_and(|a| a.players) => {
            Some(int(win[e as usize]))
        }
        _ => None,
    };
    cx.memo.note_effect(p, ins, thing, layered);
}

/// The fault for a component that does not exist.
#[cold]
fn no_component(world: &WorldTables, u: u8, c: i64) -> Stop {
    match world.universe(u as usize) {
        Ok(uni) if uni.place != u32::MAX => Stop::no_thing(c),
        Ok(_) => Stop::from(FaultKind::BadProgram("components that are not there")),
        Err(k) => k,
    }
}

/// Runs a fiber until its outermost function returns, a question or fork comes, or the game is over. On a fault the fiber's `pc` is one past what failed.
/// `id` is the fiber's number, `u16::MAX` for pure runs, in which effects are faults. With a course, its pilot answers some offers inside the loop.
pub(crate) fn run(
    p: &Program,
    world: &WorldTables,
    st: &mut State,
    cx: &mut Context,
    fiber: &mut Fiber,
    id: u16,
    mut course: Option<&mut Course<'_>>,
) -> Result<(), Stop> {
    let code: &[Ins] = &p.code;
    let mut pc = fiber.pc as usize;
    let mut steps = cx.steps;
    let mut acts = id != u16::MAX;
    let Some(mut win) = window(&mut fiber.stack, fiber.base as usize) else {
        return Err(Stop::from(FaultKind::TooDeep));
    };
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
        // The exit is stored apart, so that the result of the loop is one word.
        macro_rules! leave {
            ($exit:expr) => {{
                cx.exit = $exit;
                break 'run Ok(());
            }};
        }
        // An exit in pure code ends the innermost trial.
        macro_rules! stop {
            ($exit:expr) => {{
                acting!();
                if id != u16::MAX {
                    leave!($exit)
                }
                pc = tri!(speculation::stop(cx, fiber)) as usize;
                match window(&mut fiber.stack, fiber.base as usize) {
                    Some(x) => win = x,
                    None => return Err(Stop::from(FaultKind::TooDeep)),
                }
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
        macro_rules! acting {
            () => {
                if !acts {
                    break 'run Err(Stop::from(FaultKind::BadProgram("an effect in pure code")));
                }
            };
        }
        macro_rules! effect {
            ($ins:expr) => {{
                acting!();
                charge!(1u64);
                note(p, world, cx, win, $ins, !fiber.leases.is_empty());
                if cx.rec.on {
                    cx.rec.set_source(fiber.func, pc.saturating_sub(1) as u32, int(win[0]));
                }
                lend!(effects::run(p, world, st, cx, win, &mut fiber.leases, id, *$ins));
            }};
        }
        macro_rules! jump {
            ($to:expr) => {{
                if ($to as usize) < pc {
                    charge!(1u64);
                }
                pc = $to as usize;
            }};
        }
        // A set made by a function of the window: `|window, words|`.
        macro_rules! set {
            ($d:expr, $w:expr, $f:expr) => {{
                let f = $f;
                if $w == 1 {
                    let mut o = [0u64; 1];
                    f(&*win, &mut o[..]);
                    win[$d as usize] = o[0];
                } else if $w <= 4 {
                    charge!($w);
                    let mut o = [0u64; 4];
                    if let Some(o) = o.get_mut(..$w as usize) {
                        f(&*win, &mut *o);
                        lay(win, $d, o);
                    }
                } else {
                    charge!($w);
                    let mut o: Buf = [0; MAX_WORDS];
                    match o.get_mut(..$w as usize) {
                        Some(o) => {
                            f(&*win, &mut *o);
                            lay(win, $d, o);
                        }
                        None => break 'run Err(Stop::from(FaultKind::BadProgram("a set that is too large"))),
                    }
                }
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
                break 'run Err(Stop::from(FaultKind::BadProgram("code runs past its end")));
            };
            pc += 1;
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
                Ins::LoopK { a, k, to } => {
                    let x = int(win[a as usize]);
                    let x = tri!(number(x, 0, x.wrapping_add(1)));
                    win[a as usize] = x;
                    if int(x) != i64::from(k) {
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
                    lay(win, d, words);
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
                    win[d as usize] = tri!(cells::held(apart!(p), st, zone, int(win[o as usize]))) as u64;
                }
                Ins::SumTable { d, s, table } => {
                    tri!(list_ops::sum_table(p, world, st, win, (d, s, table), &mut steps));
                }
                Ins::SumEach { d, s, a, sum } => {
                    tri!(list_ops::sum_each(p, world, st, win, (d, s, a, sum), &mut steps));
                }
                Ins::Mul { d, a, b } => {
                    let (a, b) = (int(win[a as usize]), int(win[b as usize]));
                    win[d as usize] = tri!(number(a, b, a.wrapping_mul(b)));
                }
                Ins::Add { d, a, b } => {
                    let (a, b) = (int(win[a as usize]), int(win[b as usize]));
                    win[d as usize] = tri!(number(a, b, a.wrapping_add(b)));
                }
                Ins::Sub { d, a, b } => {
                    let (a, b) = (int(win[a as usize]), int(win[b as usize]));
                    win[d as usize] = tri!(number(a, b, a.wrapping_sub(b)));
                }
                Ins::AddK { d, a, k } => {
                    let a = int(win[a as usize]);
                    win[d as usize] = tri!(number(a, 0, a.wrapping_add(i64::from(k))));
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
                    win[d as usize] = tri!(number(a, 0, a.rem_euclid(i64::from(k))));
                }
                Ins::AddModK { d, a, k, m } => {
                    let a = int(win[a as usize]);
                    let x = tri!(number(a, 0, a.wrapping_add(i64::from(k))));
                    let (x, m) = (int(x), i64::from(m));
                    if m <= 0 {
                        break 'run Err(Stop::from(FaultKind::DivideByZero));
                    }
                    // Mostly no more than once past the end.
                    let x = if (0..m).contains(&x) {
                        x
                    } else if (m..2 * m).contains(&x) {
                        x - m
                    } else {
                        x.rem_euclid(m)
                    };
                    win[d as usize] = x as u64;
                }
                Ins::Eq { d, a, b } => {
                    win[d as usize] = u64::from(win[a as usize] == win[b as usize]);
                }
                Ins::Ne { d, a, b } => {
                    win[d as usize] = u64::from(win[a as usize] != win[b as usize]);
                }
                Ins::Lt { d, a, b } => {
                    let (a, b) = (int(win[a as usize]), int(win[b as usize]));
                    win[d as usize] = u64::from(a < b && a != NONE && b != NONE);
                }
                Ins::Le { d, a, b } => {
                    let (a, b) = (int(win[a as usize]), int(win[b as usize]));
                    win[d as usize] = u64::from(a <= b && a != NONE && b != NONE);
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
                    let (a, b) = (int(win[a as usize]), int(win[b as usize]));
                    if a <= b && a != NONE && b != NONE {
                        jump!(to);
                    }
                }
                Ins::JNotLe { a, b, to } => {
                    let (a, b) = (int(win[a as usize]), int(win[b as usize]));
                    if !(a <= b && a != NONE && b != NONE) {
                        jump!(to);
                    }
                }
                Ins::JLt { a, b, to } => {
                    let (a, b) = (int(win[a as usize]), int(win[b as usize]));
                    if a < b && a != NONE && b != NONE {
                        jump!(to);
                    }
                }
                Ins::JNotLt { a, b, to } => {
                    let (a, b) = (int(win[a as usize]), int(win[b as usize]));
                    if !(a < b && a != NONE && b != NONE) {
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
                    Some(a) if a.set_w == 0 => {
                        win[d as usize] = tri!(cells::load(st, a, int(win[e as usize]))) as u64;
                    }
                    Some(a) => {
                        let e = int(win[e as usize]);
                        let words = tri!(set_attr(st, a, e));
                        lay(win, d, words);
                    }
                    None => {
                        break 'run Err(Stop::from(FaultKind::BadProgram("an attribute that is not there")));
                    }
                },
                Ins::LdGlobal { d, attr } => match world.attrs.get(attr.index()) {
                    Some(a) if a.set_w == 0 => win[d as usize] = tri!(cells::load(st, a, 0)) as u64,
                    Some(a) => {
                        let words = tri!(set_attr(st, a, 0));
                        lay(win, d, words);
                    }
                    None => {
                        break 'run Err(Stop::from(FaultKind::BadProgram("an attribute that is not there")));
                    }
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
                            world.spaces.get(place as usize).map_or(NONE, |x| i64::from(*x)) as u64
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
                    win[d as usize] = cells::place_fact(p, int(win[q as usize]), fact) as u64;
                }
                Ins::CanMenu { d, p: q, menu } => {
                    charge!(1u64);
                    let who = int(win[q as usize]);
                    let can = lend!(cx.can_menu(apart!(p), apart!(world), st, menu, who, &[]));
                    win[d as usize] = u64::from(can);
                }
                Ins::CanOffer { d, p: q, offer } => {
                    charge!(1u64);
                    let who = int(win[q as usize]);
                    let can = lend!(cx.can_offer(apart!(p), apart!(world), st, offer, who, win));
                    win[d as usize] = u64::from(can);
                }
                // One word is what most boards and hands take.
                Ins::Plane { d, w: 1, at } => match st.planes.get(at as usize) {
                    Some(x) => win[d as usize] = *x,
                    None => break 'run Err(Stop::from(FaultKind::BadProgram("a plane that is not there"))),
                },
                Ins::Plane { d, w, at } => match st.planes.get(at as usize..at as usize + w as usize) {
                    Some(words) => lay(win, d, words),
                    None => break 'run Err(Stop::from(FaultKind::BadProgram("a plane that is not there"))),
                },
                Ins::PlaneI { d, i, group } => {
                    let Some(g) = apart!(p).groups.get(group.index()) else {
                        break 'run Err(Stop::from(FaultKind::BadProgram("planes that are not there")));
                    };
                    let i = int(win[i as usize]);
                    let k = if i == NONE { i64::from(g.n) } else { i - i64::from(g.lo) };
                    let there = (0..i64::from(g.n)).contains(&k) || i == NONE;
                    let w = g.w as usize;
                    let at = g.at as usize + k as usize * usize::from(there) * w;
                    if w == 1 {
                        match st.planes.get(at) {
                            Some(x) => win[d as usize] = if there { *x } else { 0 },
                            None => {
                                break 'run Err(Stop::from(FaultKind::BadProgram(
                                    "a plane that is not there",
                                )));
                            }
                        }
                        continue;
                    }
                    match st.planes.get(at..at + w) {
                        Some(words) if there => lay(win, d, words),
                        Some(_) => (0..w).for_each(|i| win[reg(d, i)] = 0),
                        None => {
                            break 'run Err(Stop::from(FaultKind::BadProgram("a plane that is not there")));
                        }
                    }
                }
                Ins::PlaneC { d, i, group } => {
                    let at = world.plane(group, int(win[i as usize]));
                    match at.and_then(|(at, w)| p.sets.get(at..at + w)) {
                        Some(words) => lay(win, d, words),
                        None => {
                            let w = apart!(p).groups.get(group.index()).map_or(0, |g| g.w as usize);
                            (0..w).for_each(|i| win[reg(d, i)] = 0);
                        }
                    }
                }
                Ins::SAndC { d, a, i, group } => {
                    let at = world.plane(group, int(win[i as usize]));
                    match at.and_then(|(at, w)| p.sets.get(at..at + w)) {
                        Some(&[x]) => win[d as usize] = win[a as usize] & x,
                        Some(&[x, y, z]) => {
                            win[d as usize] = win[a as usize] & x;
                            win[d as usize + 1] = win[a as usize + 1] & y;
                            win[d as usize + 2] = win[a as usize + 2] & z;
                        }
                        Some(words) => {
                            for (k, x) in words.iter().enumerate() {
                                win[reg(d, k)] = win[reg(a, k)] & x;
                            }
                        }
                        None => {
                            let w = apart!(p).groups.get(group.index()).map_or(0, |g| g.w as usize);
                            (0..w).for_each(|i| win[reg(d, i)] = 0);
                        }
                    }
                }
                Ins::SCut { d, b, w, to } => {
                    each!(d, d, b, w, |x, y| x & y);
                    if !any(win, d, w) {
                        jump!(to);
                    }
                }
                Ins::Members { d, p: q, u } => {
                    let uni = tri!(apart!(world).universe(u as usize));
                    let place = int(win[q as usize]);
                    match usize::try_from(place).ok().and_then(|i| apart!(p).places.get(i)) {
                        Some(pl) if pl.comps == uni.comps => {
                            let at = pl.plane as usize;
                            if uni.w == 1 {
                                win[d as usize] = st.planes.get(at).copied().unwrap_or(0);
                                continue;
                            }
                            let words = st.planes.get(at..at + uni.w as usize).unwrap_or(&[]);
                            lay(win, d, words);
                        }
                        _ => (0..uni.w as usize).for_each(|i| win[reg(d, i)] = 0),
                    }
                }
                Ins::SAnd { d, a, b, w } => each!(d, a, b, w, |x: u64, y: u64| x & y),
                Ins::SOr { d, a, b, w } => each!(d, a, b, w, |x: u64, y: u64| x | y),
                Ins::SAndNot { d, a, b, w } => each!(d, a, b, w, |x: u64, y: u64| x & !y),
                Ins::SNot { d, a, u } => {
                    let Some(uni) = apart!(world).universes.get(u as usize) else {
                        break 'run Err(Stop::from(FaultKind::BadProgram("a universe that is not there")));
                    };
                    let last = uni.w.saturating_sub(1);
                    for i in 0..last as usize {
                        win[reg(d, i)] = !win[reg(a, i)];
                    }
                    win[reg(d, last as usize)] = !win[reg(a, last as usize)] & uni.rest;
                }
                Ins::SAll { d, u } => {
                    let Some(uni) = apart!(world).universes.get(u as usize) else {
                        break 'run Err(Stop::from(FaultKind::BadProgram("a universe that is not there")));
                    };
                    let last = uni.w.saturating_sub(1);
                    for i in 0..last as usize {
                        win[reg(d, i)] = u64::MAX;
                    }
                    win[reg(d, last as usize)] = uni.rest;
                }
                Ins::SZero { d, w } => {
                    for i in 0..w as usize {
                        win[reg(d, i)] = 0;
                    }
                }
                Ins::SOne { d, i, w } => {
                    let x = int(win[i as usize]);
                    for i in 0..w as usize {
                        win[reg(d, i)] = 0;
                    }
                    if (0..i64::from(w) * 64).contains(&x) {
                        win[reg(d, x as usize / 64)] = 1 << (x % 64);
                    }
                }
                Ins::SIns { d, i, w } => {
                    let x = int(win[i as usize]);
                    if (0..i64::from(w) * 64).contains(&x) {
                        win[reg(d, x as usize / 64)] |= 1 << (x % 64);
                    }
                }
                Ins::SDel { d, i, w } => {
                    let x = int(win[i as usize]);
                    if (0..i64::from(w) * 64).contains(&x) {
                        win[reg(d, x as usize / 64)] &= !(1 << (x % 64));
                    }
                }
                Ins::STest { d, s, i, w } => {
                    let x = int(win[i as usize]);
                    let there = (0..i64::from(w) * 64).contains(&x)
                        && win[reg(s, x as usize / 64)] >> (x % 64) & 1 == 1;
                    win[d as usize] = u64::from(there);
                }
                Ins::SCount { d, s, w } => {
                    let mut n = u64::from(win[s as usize].count_ones());
                    for i in 1..w as usize {
                        let word = win[reg(s, i)];
                        // Most words are empty, and counting takes longer than looking.
                        if word != 0 {
                            n += u64::from(word.count_ones());
                        }
                    }
                    win[d as usize] = n;
                }
                Ins::SAny { d, s, w } => {
                    win[d as usize] = u64::from(any(win, s, w));
                }
                Ins::SFirst { d, s, w } => {
                    let x = (0..w as usize).find(|i| win[reg(s, *i)] != 0);
                    win[d as usize] = match x {
                        Some(i) => i as u64 * 64 + u64::from(win[reg(s, i)].trailing_zeros()),
                        None => NONE as u64,
                    };
                }
                Ins::SNext { i, s, w: 1, to } => {
                    charge!(1u64);
                    let x = int(win[i as usize]);
                    let above =
                        if x < 0 { u64::MAX } else { (u64::MAX - 1).checked_shl(x as u32).unwrap_or(0) };
                    let word = win[s as usize] & above;
                    if word == 0 {
                        pc = to as usize;
                    } else {
                        win[i as usize] = u64::from(word.trailing_zeros());
                    }
                }
                Ins::SEach { i, s, w: 1, to } => {
                    charge!(1u64);
                    let word = win[s as usize];
                    if word == 0 {
                        win[i as usize] = NONE as u64;
                        pc = to as usize;
                    } else {
                        win[i as usize] = u64::from(word.trailing_zeros());
                    }
                }
                Ins::SEach { i, s, w, to } => {
                    charge!(1u64);
                    match (0..w as usize).find(|k| win[reg(s, *k)] != 0) {
                        Some(k) => {
                            win[i as usize] = k as u64 * 64 + u64::from(win[reg(s, k)].trailing_zeros());
                        }
                        None => {
                            win[i as usize] = NONE as u64;
                            pc = to as usize;
                        }
                    }
                }
                Ins::SMore { i, s, w: 1, to } => {
                    charge!(1u64);
                    let x = int(win[i as usize]);
                    let above =
                        if x < 0 { u64::MAX } else { (u64::MAX - 1).checked_shl(x as u32).unwrap_or(0) };
                    let word = win[s as usize] & above;
                    if word != 0 {
                        win[i as usize] = u64::from(word.trailing_zeros());
                        pc = to as usize;
                    }
                }
                Ins::SNext { i, s, w, to } => {
                    charge!(1u64);
                    let x = int(win[i as usize]);
                    let from = if x < 0 { 0 } else { x as usize + 1 };
                    let mut k = from / 64;
                    let mut word = 0;
                    if k < w as usize {
                        word = win[reg(s, k)] & (u64::MAX << (from % 64));
                        while word == 0 && k + 1 < w as usize {
                            k += 1;
                            word = win[reg(s, k)];
                        }
                    }
                    if word == 0 {
                        pc = to as usize;
                    } else {
                        win[i as usize] = k as u64 * 64 + u64::from(word.trailing_zeros());
                    }
                }
                Ins::SMore { i, s, w, to } => {
                    charge!(1u64);
                    let x = int(win[i as usize]);
                    let from = if x < 0 { 0 } else { x as usize + 1 };
                    let mut k = from / 64;
                    let mut word = 0;
                    if k < w as usize {
                        word = win[reg(s, k)] & (u64::MAX << (from % 64));
                        while word == 0 && k + 1 < w as usize {
                            k += 1;
                            word = win[reg(s, k)];
                        }
                    }
                    if word != 0 {
                        win[i as usize] = k as u64 * 64 + u64::from(word.trailing_zeros());
                        pc = to as usize;
                    }
                }
                Ins::RunSrc { d, p: pr, q, m } => {
                    let (map, n, w) = tri!(map_of(p, world, m));
                    charge!(1 + if w == 1 { 8 } else { n });
                    set!(d, w, |win: &Window, o: &mut [u64]| {
                        graph::run_sources(map, n, cut(win, pr, w), cut(win, q, w), o);
                    });
                }
                Ins::LineThru { d, c, s, t: lines }
                    if apart!(world).lines.get(lines.index()).is_some_and(|x| x.most > 0) =>
                {
                    let (c, set) = (win[c as usize], win[s as usize]);
                    win[d as usize] =
                        u64::from(apart!(world).lines.get(lines.index()).is_some_and(|x| x.full(c, set)));
                }
                Ins::LineFirst { d, i, s, t: lines }
                    if apart!(world).lines.get(lines.index()).is_some_and(|x| !x.ascending.is_empty()) =>
                {
                    let masks = apart!(world).lines.get(lines.index()).map_or(&[][..], |x| &x.ascending);
                    let line = masks.get(win[i as usize] as usize).copied().unwrap_or(0);
                    let some = line & win[s as usize];
                    win[d as usize] = if some == 0 { NONE as u64 } else { u64::from(some.trailing_zeros()) };
                }
                line_instructions!() => tri!(lines::run(p, world, win, *ins, &mut steps)),
                Ins::Call { at, f } => {
                    charge!(1u64);
                    pc = tri!(called(p, fiber, at, f, pc as u32)) as usize;
                    match window(&mut fiber.stack, fiber.base as usize) {
                        Some(x) => win = x,
                        None => return Err(Stop::from(FaultKind::TooDeep)),
                    }
                }
                Ins::Ret => {
                    let Some(link) = fiber.links.pop() else { leave!(Exit::Done) };
                    pc = link.pc as usize;
                    fiber.base = link.base;
                    fiber.func = link.func;
                    match window(&mut fiber.stack, fiber.base as usize) {
                        Some(x) => win = x,
                        None => return Err(Stop::from(FaultKind::TooDeep)),
                    }
                    if link.acted == ask_inline::ENUMERATED
                        && let Some(course) = course.as_deref_mut()
                    {
                        cx.steps = steps;
                        let then = ask_inline::take_enumerated(
                            apart!(p),
                            apart!(world),
                            st,
                            cx,
                            fiber,
                            course,
                            pc as u32,
                        );
                        steps = cx.steps;
                        match tri!(then) {
                            Next::Enumerate(to) => pc = to as usize,
                            Next::Continue(to) => {
                                pc = to as usize;
                                acts = true;
                            }
                            Next::Leave => break 'run Ok(()),
                        }
                        match window(&mut fiber.stack, fiber.base as usize) {
                            Some(x) => win = x,
                            None => return Err(Stop::from(FaultKind::TooDeep)),
                        }
                    } else if link.acted != u16::MAX {
                        win[link.acted as usize & 255] = OFFER_ACTED as u64;
                    }
                }
                Ins::Noted { d, k, to } => {
                    // Debug builds compute it again and compare when it is noted.
                    if !cfg!(debug_assertions)
                        && let Some(words) = cx.notes.get(k)
                    {
                        lay(win, d, words);
                        pc = to as usize;
                    }
                }
                Ins::Note { d, k } => {
                    let w = apart!(p).noted.get(k as usize).map_or(0, |w| *w as usize);
                    let same = cx.notes.put(k, cut(win, d, w));
                    debug_assert!(same, "a set that is no longer what it was");
                }
                Ins::Recall { d, who, k, to } => {
                    charge!(1u64);
                    // Debug builds compute it again and compare when it is kept.
                    if !cfg!(debug_assertions)
                        && let Some(words) = cx.memo.recall_value(k, int(win[who as usize]))
                    {
                        lay(win, d, words);
                        pc = to as usize;
                    } else if cfg!(debug_assertions) {
                        let _ = cx.memo.recall_value(k, int(win[who as usize]));
                    }
                }
                Ins::Keep { d, who, k } => {
                    let w = apart!(p).kept.get(k as usize).map_or(0, |k| k.words as usize);
                    let same = cx.memo.keep_value(k, int(win[who as usize]), cut(win, d, w));
                    debug_assert!(same, "a value that is no longer good");
                }
                Ins::LeaseNext { i, what, to } => {
                    charge!(1u64);
                    let next = layers::next(st, what.0, int(win[i as usize]));
                    if next == NONE {
                        pc = to as usize;
                    } else {
                        win[i as usize] = next as u64;
                    }
                }
                Ins::Options { at, last, action } => {
                    charge!(1u64);
                    tri!(options(world, &mut cx.opts, win, at, last, action));
                }
                Ins::Option { action } => {
                    let a = apart!(world).actions.get(action.index());
                    let n = a.map_or(0, |a| a.words);
                    let words = cut(win, 1, n as usize);
                    let at = cx.opts.words.len() as u32;
                    cx.opts.words.extend_from_slice(words);
                    cx.opts.push(What::Action(action), at, words.len() as u8, Last::Unit);
                }
                Ins::SAtIn { d, e, s, u, w } => {
                    charge!(tri!(set_ops::at_in(world, st, win, (d, e, s), (u, w))));
                }
                Ins::HeldIn { d, s, zone } => {
                    charge!(tri!(set_ops::held_in(p, world, st, win, (d, s), zone)));
                }
                Ins::SHolders { d, s, zone } => {
                    charge!(tri!(set_ops::holders(world, st, win, (d, s), zone)));
                }
                Ins::RayEnd { d, c, r, s, m, last } => {
                    charge!(tri!(set_ops::ray_end(p, win, d, (c, r, s), (m, last))));
                }
                Ins::SCrowd { d, n, op, zone } => {
                    charge!(tri!(set_ops::crowd(p, world, st, win, (d, n), (op, zone))));
                }
                Ins::SCrowdAt { d, e, n, op, u, zone } => {
                    charge!(tri!(set_ops::crowd_at(p, world, st, win, (d, e, n), (u, op, zone))));
                }
                Ins::SByFace { d, s, f, u } => {
                    charge!(tri!(set_ops::by_face(p, world, st, win, (d, s, f), u)));
                }
                Ins::SByShown { d, s, f, u } => {
                    charge!(tri!(set_ops::by_shown(p, world, st, win, (d, s, f), u)));
                }
                Ins::SumShown { d, s, u, table } => {
                    charge!(tri!(set_ops::sum_shown(p, world, st, win, (d, s), (u, table))));
                }
                Ins::Held { d, o, zone } => tri!(set_ops::held(p, world, st, win, (d, o), zone)),
                Ins::ZLen { d, p: q } => set_ops::count_at(p, st, win, d, q),
                Ins::Dilate { d, s, m } => charge!(tri!(set_ops::dilate(p, world, win, (d, s), m))),
                Ins::Neigh { d, c, m } => tri!(set_ops::neighbours(p, world, win, d, c, m)),
                Ins::DirOf { d, a, b, m } => tri!(set_ops::direction(p, world, win, (d, a, b), m)),
                Ins::RaySet { d, c, r, m } => tri!(set_ops::ray(p, world, win, (d, c, r), None, m)),
                Ins::RayThru { d, c, r, s, n, m } => {
                    charge!(2u64);
                    tri!(set_ops::ray(p, world, win, (d, c, r), Some((s, n)), m));
                }
                Ins::SSub { d, a, b, w } => {
                    let ok = (0..w as usize).all(|i| win[reg(a, i)] & !win[reg(b, i)] == 0);
                    win[d as usize] = u64::from(ok);
                }
                Ins::SEq { d, a, b, w } => {
                    let ok = (0..w as usize).all(|i| win[reg(a, i)] == win[reg(b, i)]);
                    win[d as usize] = u64::from(ok);
                }
                rare_instructions!() => {
                    tri!(rare::run(p, world, st, cx, win, fiber.func, id, *ins, &mut steps));
                }
                // Fast paths of frequent effects: nothing is logged, no layer is open, no attribute is reset. Otherwise `effects.rs` runs them.
                Ins::StAttr { e, a, attr } => {
                    let plain = acts && !cx.rec.on && st.layers.is_empty() && fiber.leases.is_empty();
                    let thing = int(win[e as usize]);
                    match world.attrs.get(attr.index()) {
                        Some(f) if plain && f.set_w == 0 && thing >= 0 && thing < i64::from(f.n) => {
                            charge!(1u64);
                            let v = tri!(cells::fit(f, attr, int(win[a as usize])));
                            cells::store(st, f, thing as usize, v);
                            if f.players {
                                cx.memo.note_player_attr(thing, attr);
                            } else {
                                cx.memo.dirty |= memo::attr_class(attr);
                            }
                        }
                        _ => effect!(ins),
                    }
                }
                Ins::TurnBegin { p: who } => {
                    let whose = int(win[who as usize]);
                    let plain = acts && !cx.rec.on && st.layers.is_empty() && st.head.turn == NONE;
                    // Where no attribute goes back to its start, and far from the end of numbers.
                    if plain && (whose as u64) < apart!(world).plain_turns && st.head.turns < i32::MAX {
                        charge!(1u64);
                        st.head.turns += 1;
                        st.head.turn = whose;
                        cx.memo.note_clock();
                    } else {
                        effect!(ins);
                    }
                }
                Ins::TurnEnd => {
                    if acts && st.layers.is_empty() && st.outer_turns.is_empty() {
                        charge!(1u64);
                        st.head.turn = NONE;
                        cx.memo.note_clock();
                    } else {
                        effect!(ins);
                    }
                }
                Ins::TurnNext { p: who, left, n, to } => {
                    if acts && st.layers.is_empty() && st.outer_turns.is_empty() {
                        charge!(1u64);
                        st.head.turn = NONE;
                        cx.memo.note_clock();
                    } else {
                        effect!(&Ins::TurnEnd);
                    }
                    let (x, k) = (int(win[who as usize]), int(win[left as usize]));
                    // Players and counts are less than n, unless rules of another making say else.
                    if (x as u64) < u64::from(n) && (k as u64) < u64::from(n) {
                        win[who as usize] = if x + 1 == i64::from(n) { 0 } else { x as u64 + 1 };
                        win[left as usize] = k as u64 + 1;
                    } else {
                        let next = if x.wrapping_add(1) == i64::from(n) { 0 } else { x.wrapping_add(1) };
                        win[who as usize] = tri!(number(x, 0, next));
                        win[left as usize] = tri!(number(k, 0, k.wrapping_add(1)));
                    }
                    if k.wrapping_add(1) != i64::from(n) {
                        jump!(to);
                    }
                }
                Ins::RoundBegin => {
                    if acts && !cx.rec.on && !apart!(world).per_round {
                        charge!(1u64);
                        st.head.round = tri!(st.head.round.checked_add(1).ok_or(FaultKind::Overflow));
                        st.outer_turns.clear();
                        st.head.turn = NONE;
                        cx.memo.note_clock();
                    } else {
                        effect!(ins);
                    }
                }
                Ins::RoundEnd => {
                    if acts && st.layers.is_empty() {
                        charge!(1u64);
                    } else {
                        effect!(ins);
                    }
                }
                Ins::AskMenu { d, at, who, offer } => {
                    if acts && let Some(course) = course.as_deref_mut() {
                        let player = win[who as usize];
                        if let Some(Some(quick)) = apart!(world).fast_offers.get(offer.index()) {
                            cx.steps = steps;
                            let asked = (d, at, player);
                            if let Some(to) =
                                ask_fast::ask(p, quick, st, cx, fiber, course, asked, pc as u32, false)
                            {
                                pc = to as usize;
                                steps = cx.steps;
                                match window(&mut fiber.stack, fiber.base as usize) {
                                    Some(x) => win = x,
                                    None => return Err(Stop::from(FaultKind::TooDeep)),
                                }
                                continue;
                            }
                        }
                        let asked = (d, at, who, offer);
                        if let Some(to) = tri!(ask_inline::ask(
                            apart!(p),
                            apart!(world),
                            cx,
                            fiber,
                            course,
                            asked,
                            pc as u32
                        )) {
                            pc = to as usize;
                            acts = false;
                            match window(&mut fiber.stack, fiber.base as usize) {
                                Some(x) => win = x,
                                None => return Err(Stop::from(FaultKind::TooDeep)),
                            }
                            continue;
                        }
                    }
                    stop!(Exit::Menu { d, at, who, offer })
                }
                Ins::Ask { d, s, who, ask } => stop!(Exit::Ask { d, s, who, ask }),
                Ins::Fork { l, at, n, f, freely } => stop!(Exit::Fork { l, at, n, f, freely }),
                Ins::Try { at, f } => {
                    charge!(4u64);
                    pc = tri!(speculation::begin(p, st, cx, fiber, acts, (at, f, pc as u32))) as usize;
                    acts = true;
                    match window(&mut fiber.stack, fiber.base as usize) {
                        Some(x) => win = x,
                        None => return Err(Stop::from(FaultKind::TooDeep)),
                    }
                }
                Ins::Untry => acts = tri!(speculation::end(st, cx)),
                Ins::EndDecided => {
                    acting!();
                    let decided = |(v, seats): (&Option<_>, &u32)| v.is_some() || *seats == 0;
                    if st.verdicts.iter().zip(&apart!(p).answered).all(decided) {
                        st.head.over = true;
                        stop!(Exit::Over);
                    }
                }
                Ins::End => {
                    acting!();
                    st.head.over = true;
                    stop!(Exit::Over)
                }
                effect_instructions!() => effect!(ins),
            }
        }
    };
    fiber.pc = pc as u32;
    cx.steps = steps;
    out
}
