//! The interpreter: one loop over instructions for pure code and effects alike. Instructions that write, roll, tell or stop are in [`super::effects`].
//!
//! The window is an array of 256 words and registers are bytes, so that a register is never out of bounds; sets that would reach past its end wrap round in it.
//! Nothing here allocates once stacks are warm. Faults are values: the strand then still stands at the instruction that failed, and its calls can be told.
use super::decision::{Last, What};
use super::effects;
use super::fault::FaultKind;
use super::knowledge;
use super::layers;
use super::maps::{self, Buf, MAX_WORDS};
use super::ops::{hook, list_at, list_len, options, put_list, set_attr, sum_table, table_at};
use super::state::{Fiber, Link, State};
use super::tools::Tools;
use super::world::{self, Fast, cell};
use crate::program::ir::*;

/// Calls that may be nested.
const MAX_CALLS: usize = 256;
/// Words of one strand's stack.
const MAX_STACK: usize = 1 << 16;

/// Why the loop was left.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Exit {
    /// The outermost function has returned; its results stand in its registers.
    Done,
    /// The game is over.
    Over,
    Menu {
        d: R,
        at: R,
        who: R,
        offer: OfferIx,
    },
    Ask {
        d: R,
        s: R,
        who: R,
        ask: AskIx,
    },
    Fork {
        l: R,
        at: R,
        n: u8,
        f: FuncId,
        freely: bool,
    },
}

/// A window of registers.
pub(crate) type Window = [u64; 256];

/// The window at `base`; none beyond the stack's limit.
#[inline]
pub(crate) fn window(stack: &mut Vec<u64>, base: usize) -> Option<&mut Window> {
    if stack.len() < base + 256 {
        if base + 256 > MAX_STACK {
            return None;
        }
        stack.resize(base + 512, 0);
    }
    stack.get_mut(base..).and_then(|s| s.first_chunk_mut())
}

/// Opens the window of an effect or pure function at register `at` of the one at `base`. Registers beyond the arguments of effects are cleared: states are compared with them.
#[inline]
pub(crate) fn enter(
    p: &Program,
    strand: &mut Fiber,
    at: R,
    f: FuncId,
    acted: u16,
    pc: u32,
) -> Result<u32, FaultKind> {
    let func = p.funcs.get(f.index()).ok_or(FaultKind::BadProgram("a function that is not there"))?;
    if strand.links.len() >= MAX_CALLS {
        return Err(FaultKind::TooDeep);
    }
    let base = strand.base + u32::from(at);
    let win = window(&mut strand.stack, base as usize).ok_or(FaultKind::TooDeep)?;
    if !func.pure_
        && let Some(fresh) = win.get_mut(func.args as usize..(func.frame as usize).min(256))
    {
        fresh.fill(0);
    }
    strand.links.push(Link { pc, base: strand.base, func: strand.func, acted });
    strand.base = base;
    strand.func = f.0;
    Ok(func.start)
}

#[inline]
pub(crate) fn int(x: u64) -> i64 {
    x as i64
}

/// The result of arithmetic on two numbers.
#[inline]
fn number(a: i64, b: i64, r: i64) -> Result<u64, FaultKind> {
    if r > NONE && r <= i64::from(i32::MAX) && a != NONE && b != NONE {
        Ok(r as u64)
    } else if a == NONE || b == NONE {
        Err(FaultKind::NoneValue)
    } else {
        Err(FaultKind::Overflow)
    }
}

#[inline]
pub(crate) fn reg(a: R, i: usize) -> usize {
    a.wrapping_add(i as u8) as usize
}

/// The words of a set.
#[inline]
pub(crate) fn cut(win: &Window, a: R, w: usize) -> &[u64] {
    win.get(a as usize..a as usize + w).unwrap_or(&[])
}

/// Writes a set's words.
#[inline]
pub(crate) fn lay(win: &mut Window, d: R, words: &[u64]) {
    if let Some(room) = win.get_mut(d as usize..d as usize + words.len()) {
        room.copy_from_slice(words);
    }
}

/// All things of a universe, word `i`.
#[inline]
fn all_word(n: u32, i: usize) -> u64 {
    let left = (n as usize).saturating_sub(i * 64);
    if left >= 64 { u64::MAX } else { (1u64 << left) - 1 }
}

fn map_of<'a>(p: &'a Program, fast: &Fast, m: u8) -> Result<(&'a Topology, usize, usize), FaultKind> {
    let map = p.maps.get(m as usize).ok_or(FaultKind::BadProgram("a map that is not there"))?;
    let u = fast.universe(map.spaces.index())?;
    if u.w as usize > MAX_WORDS {
        return Err(FaultKind::BadProgram("a map that is too large"));
    }
    Ok((map, u.n as usize, u.w as usize))
}

fn lines_of<'a>(p: &'a Program, fast: &Fast, t: LinesIx) -> Result<(&'a LineTable, usize), FaultKind> {
    let t = p.line_tables.get(t.index()).ok_or(FaultKind::BadProgram("lines that are not there"))?;
    Ok((t, fast.universe(t.universe.index())?.w as usize))
}

/// A component's cell.
fn comp_cell(
    p: &Program,
    fast: &Fast,
    st: &State,
    u: u8,
    c: i64,
    first: impl Fn(&Components) -> u32,
) -> Result<i64, FaultKind> {
    let uni = fast.universe(u as usize)?;
    let comps =
        p.comps.get(uni.comps as usize).ok_or(FaultKind::BadProgram("components that are not there"))?;
    if c < 0 || c >= i64::from(uni.n) {
        return Err(if c == NONE { FaultKind::NoneValue } else { FaultKind::NoSuchThing });
    }
    let first = first(comps);
    if first == u32::MAX {
        return Ok(1);
    }
    Ok(cell(st, first as usize + c as usize))
}

/// Runs a strand until its outermost function returns, a question or fork comes, or the game is over. On a fault the strand's `pc` is one past what failed.
/// `id` is the fiber's number, `u16::MAX` for pure runs, in which effects are faults.
pub(crate) fn run(
    p: &Program,
    fast: &Fast,
    st: &mut State,
    t: &mut Tools,
    strand: &mut Fiber,
    id: u16,
) -> Result<Exit, FaultKind> {
    let code: &[Ins] = &p.code;
    let mut pc = strand.pc;
    let mut steps = t.steps;
    let Some(mut win) = window(&mut strand.stack, strand.base as usize) else {
        return Err(FaultKind::TooDeep);
    };
    let out = 'run: {
        macro_rules! tri {
            ($e:expr) => {
                match $e {
                    Ok(x) => x,
                    Err(k) => break 'run Err(k),
                }
            };
        }
        macro_rules! charge {
            ($n:expr) => {{
                let n = $n as u64;
                if steps < n {
                    break 'run Err(FaultKind::OutOfBudget);
                }
                steps -= n;
            }};
        }
        macro_rules! jump {
            ($to:expr) => {{
                if $to < pc {
                    charge!(1u64);
                }
                pc = $to;
            }};
        }
        // Calls that may run code of their own get the budget that is left, and give the rest back.
        macro_rules! lend {
            ($e:expr) => {{
                t.steps = steps;
                let r = $e;
                steps = t.steps;
                tri!(r)
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
                } else {
                    charge!($w);
                    let mut o: Buf = [0; MAX_WORDS];
                    match o.get_mut(..$w as usize) {
                        Some(o) => {
                            f(&*win, &mut *o);
                            lay(win, $d, o);
                        }
                        None => break 'run Err(FaultKind::BadProgram("a set that is too large")),
                    }
                }
            }};
        }
        macro_rules! each {
            ($d:expr, $a:expr, $b:expr, $w:expr, $f:expr) => {{
                let f = $f;
                win[$d as usize] = f(win[$a as usize], win[$b as usize]);
                for i in 1..$w as usize {
                    win[reg($d, i)] = f(win[reg($a, i)], win[reg($b, i)]);
                }
            }};
        }
        macro_rules! all {
            ($a:expr, $b:expr, $w:expr, $f:expr) => {{
                let f = $f;
                let mut ok = f(win[$a as usize], win[$b as usize]);
                for i in 1..$w as usize {
                    ok &= f(win[reg($a, i)], win[reg($b, i)]);
                }
                ok
            }};
        }
        loop {
            let Some(&ins) = code.get(pc as usize) else {
                break 'run Err(FaultKind::BadProgram("code runs past its end"));
            };
            pc += 1;
            match ins {
                Ins::Li { d, k } => win[d as usize] = i64::from(k) as u64,
                Ins::Mov { d, a } => win[d as usize] = win[a as usize],
                Ins::MovN { d, a, n } => {
                    let n = n as usize;
                    if a as usize + n <= 256 && d as usize + n <= 256 {
                        win.copy_within(a as usize..a as usize + n, d as usize);
                    }
                }
                Ins::SConst { d, w, k } => {
                    let words = p.sets.get(k as usize..k as usize + w as usize).unwrap_or(&[]);
                    lay(win, d, words);
                }
                Ins::Select { d, c, a, b } => {
                    win[d as usize] = if win[c as usize] != 0 { win[a as usize] } else { win[b as usize] };
                }
                Ins::Add { d, a, b } => {
                    let (a, b) = (int(win[a as usize]), int(win[b as usize]));
                    win[d as usize] = tri!(number(a, b, a.wrapping_add(b)));
                }
                Ins::Sub { d, a, b } => {
                    let (a, b) = (int(win[a as usize]), int(win[b as usize]));
                    win[d as usize] = tri!(number(a, b, a.wrapping_sub(b)));
                }
                Ins::Mul { d, a, b } => {
                    let (a, b) = (int(win[a as usize]), int(win[b as usize]));
                    win[d as usize] = tri!(number(a, b, a.wrapping_mul(b)));
                }
                Ins::Div { d, a, b } => {
                    let (a, b) = (int(win[a as usize]), int(win[b as usize]));
                    match a.checked_div(b) {
                        Some(x) => win[d as usize] = tri!(number(a, b, x)),
                        None => break 'run Err(FaultKind::DivideByZero),
                    }
                }
                Ins::AddK { d, a, k } => {
                    let a = int(win[a as usize]);
                    win[d as usize] = tri!(number(a, 0, a.wrapping_add(i64::from(k))));
                }
                Ins::Neg { d, a } => {
                    let a = int(win[a as usize]);
                    win[d as usize] = tri!(number(a, 0, a.wrapping_neg()));
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
                        break 'run Err(FaultKind::DivideByZero);
                    }
                    win[d as usize] = tri!(number(a, 0, a.rem_euclid(i64::from(k))));
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
                Ins::LdAttr { d, e, attr } => match fast.attrs.get(attr.index()) {
                    Some(a) if a.set_w == 0 => {
                        win[d as usize] = tri!(world::load(st, a, int(win[e as usize]))) as u64;
                    }
                    Some(a) => {
                        let e = int(win[e as usize]);
                        let words = tri!(set_attr(st, a, e));
                        lay(win, d, words);
                    }
                    None => break 'run Err(FaultKind::BadProgram("an attribute that is not there")),
                },
                Ins::LdGlobal { d, attr } => match fast.attrs.get(attr.index()) {
                    Some(a) if a.set_w == 0 => win[d as usize] = tri!(world::load(st, a, 0)) as u64,
                    Some(a) => {
                        let words = tri!(set_attr(st, a, 0));
                        lay(win, d, words);
                    }
                    None => break 'run Err(FaultKind::BadProgram("an attribute that is not there")),
                },
                Ins::LdTable { d, i, table } => {
                    win[d as usize] = tri!(table_at(p, fast, table, int(win[i as usize]))) as u64;
                }
                Ins::LdFace { d, c, u } => {
                    win[d as usize] =
                        tri!(comp_cell(p, fast, st, u, int(win[c as usize]), |k| k.face)) as u64;
                }
                Ins::LdPlace { d, c, u } => {
                    win[d as usize] =
                        tri!(comp_cell(p, fast, st, u, int(win[c as usize]), |k| k.place)) as u64;
                }
                Ins::LdSide { d, c, u } => {
                    win[d as usize] =
                        tri!(comp_cell(p, fast, st, u, int(win[c as usize]), |k| k.side)) as u64;
                }
                Ins::LdUp { d, c, u } => {
                    let up = tri!(comp_cell(p, fast, st, u, int(win[c as usize]), |k| k.up));
                    win[d as usize] = u64::from(up != 0);
                }
                Ins::PlaceOf { d, o, i, zone } => {
                    let place = tri!(world::place_of(p, zone, int(win[o as usize]), int(win[i as usize])));
                    win[d as usize] = place as u64;
                }
                Ins::LdSlot { d, p: q } => {
                    let x = match usize::try_from(int(win[q as usize])) {
                        Ok(place) => world::at_position(p, st, place, 0),
                        Err(_) => NONE,
                    };
                    win[d as usize] = x as u64;
                }
                Ins::PlaceFact { d, p: q, fact } => {
                    win[d as usize] = world::place_fact(p, int(win[q as usize]), fact) as u64;
                }
                Ins::LdClock { d, what } => {
                    let x = match what {
                        Clock::Round => i64::from(st.head.round),
                        Clock::Turns => i64::from(st.head.turns),
                        Clock::Turn => st.head.turn,
                        Clock::Phase => st.phases.last().map_or(NONE, |r| i64::from(r.phase)),
                    };
                    win[d as usize] = x as u64;
                }
                Ins::Running { d, phase } => {
                    win[d as usize] = u64::from(st.phases.iter().any(|r| r.phase == phase.0));
                }
                Ins::CanMenu { d, p: q, menu } => {
                    charge!(1u64);
                    let who = int(win[q as usize]);
                    let can = lend!(t.can_menu(p, fast, st, menu, who, &[]));
                    win[d as usize] = u64::from(can);
                }
                Ins::Sees { d, p: q, c, u } => {
                    let uni = tri!(fast.universe(u as usize));
                    let seats = knowledge::answering(p, int(win[q as usize]));
                    let c = int(win[c as usize]);
                    let sees = usize::try_from(c).is_ok_and(|c| {
                        (0..p.seats as usize)
                            .any(|s| seats >> s & 1 == 1 && knowledge::knows(p, st, s, uni.comps as usize, c))
                    });
                    win[d as usize] = u64::from(sees);
                }
                Ins::Plane { d, w, at } => match st.planes.get(at as usize..at as usize + w as usize) {
                    Some(words) => lay(win, d, words),
                    None => break 'run Err(FaultKind::BadProgram("a plane that is not there")),
                },
                Ins::PlaneI { d, i, group } => {
                    let Some(g) = p.groups.get(group.index()) else {
                        break 'run Err(FaultKind::BadProgram("planes that are not there"));
                    };
                    let i = int(win[i as usize]);
                    let k = if i == NONE { i64::from(g.n) } else { i - i64::from(g.lo) };
                    let there = (0..i64::from(g.n)).contains(&k) || i == NONE;
                    let w = g.w as usize;
                    let at = g.at as usize + k as usize * usize::from(there) * w;
                    match st.planes.get(at..at + w) {
                        Some(words) if there => lay(win, d, words),
                        Some(_) => (0..w).for_each(|i| win[reg(d, i)] = 0),
                        None => break 'run Err(FaultKind::BadProgram("a plane that is not there")),
                    }
                }
                Ins::Members { d, p: q, u } => {
                    let uni = tri!(fast.universe(u as usize));
                    let place = int(win[q as usize]);
                    match usize::try_from(place).ok().and_then(|i| p.places.get(i)) {
                        Some(pl) if pl.comps == uni.comps => {
                            let at = pl.plane as usize;
                            let words = st.planes.get(at..at + uni.w as usize).unwrap_or(&[]);
                            lay(win, d, words);
                        }
                        _ => (0..uni.w as usize).for_each(|i| win[reg(d, i)] = 0),
                    }
                }
                Ins::ZoneMembers { d, u, zone } => {
                    let uni = tri!(fast.universe(u as usize));
                    let Some(z) = p.zones.get(zone.index()) else {
                        break 'run Err(FaultKind::BadProgram("a zone that is not there"));
                    };
                    let holders =
                        z.of.and_then(|u| fast.universes.get(u.index())).map_or(1, |u| u.n as usize);
                    let n = holders * z.indexes.max(1) as usize;
                    charge!(1 + n / 8);
                    let places = p.places.get(z.first as usize..z.first as usize + n).unwrap_or(&[]);
                    for i in 0..uni.w as usize {
                        let word = |pl: &Place| st.planes.get(pl.plane as usize + i).copied().unwrap_or(0);
                        let all = if z.holds == uni.comps {
                            places.iter().fold(0, |m, pl| m | word(pl))
                        } else {
                            0
                        };
                        win[reg(d, i)] = all;
                    }
                }
                Ins::SAnd { d, a, b, w } => each!(d, a, b, w, |x: u64, y: u64| x & y),
                Ins::SOr { d, a, b, w } => each!(d, a, b, w, |x: u64, y: u64| x | y),
                Ins::SAndNot { d, a, b, w } => each!(d, a, b, w, |x: u64, y: u64| x & !y),
                Ins::SNot { d, a, u } => {
                    let uni = tri!(fast.universe(u as usize));
                    for i in 0..uni.w as usize {
                        win[reg(d, i)] = !win[reg(a, i)] & all_word(uni.n, i);
                    }
                }
                Ins::SAll { d, u } => {
                    let uni = tri!(fast.universe(u as usize));
                    for i in 0..uni.w as usize {
                        win[reg(d, i)] = all_word(uni.n, i);
                    }
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
                Ins::SSub { d, a, b, w } => {
                    win[d as usize] = u64::from(all!(a, b, w, |x: u64, y: u64| x & !y == 0));
                }
                Ins::SEq { d, a, b, w } => {
                    win[d as usize] = u64::from(all!(a, b, w, |x: u64, y: u64| x == y));
                }
                Ins::SMeets { d, a, b, w } => {
                    win[d as usize] = u64::from(!all!(a, b, w, |x: u64, y: u64| x & y == 0));
                }
                Ins::SCount { d, s, w } => {
                    let mut n = u64::from(win[s as usize].count_ones());
                    for i in 1..w as usize {
                        n += u64::from(win[reg(s, i)].count_ones());
                    }
                    win[d as usize] = n;
                }
                Ins::SAny { d, s, w } => {
                    win[d as usize] = u64::from((0..w as usize).any(|i| win[reg(s, i)] != 0));
                }
                Ins::SFirst { d, s, w } => {
                    let x = (0..w as usize).find(|i| win[reg(s, *i)] != 0);
                    win[d as usize] = match x {
                        Some(i) => i as u64 * 64 + u64::from(win[reg(s, i)].trailing_zeros()),
                        None => NONE as u64,
                    };
                }
                Ins::SLast { d, s, w } => {
                    let x = (0..w as usize).rev().find(|i| win[reg(s, *i)] != 0);
                    win[d as usize] = match x {
                        Some(i) => i as u64 * 64 + 63 - u64::from(win[reg(s, i)].leading_zeros()),
                        None => NONE as u64,
                    };
                }
                Ins::SOnly { d, s, w } => {
                    let words = cut(win, s, w as usize);
                    let one = super::decision::ones(words) == 1;
                    let x = if one { super::decision::nth_one(words, 0) } else { None };
                    win[d as usize] = x.map_or(NONE as u64, u64::from);
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
                        pc = to;
                    } else {
                        win[i as usize] = k as u64 * 64 + u64::from(word.trailing_zeros());
                    }
                }
                Ins::SRange { d, a, b, u } => {
                    let uni = tri!(fast.universe(u as usize));
                    let (a, b) = (int(win[a as usize]), int(win[b as usize]));
                    let lo = (a - i64::from(uni.lo)).max(0);
                    let hi = (b - i64::from(uni.lo)).min(i64::from(uni.n) - 1);
                    let some = a != NONE && b != NONE;
                    for i in 0..uni.w as usize {
                        let base = i as i64 * 64;
                        let upto = |x: i64| -> u64 {
                            // Bits of this word below number x.
                            let k = (x - base).clamp(0, 64);
                            if k == 64 { u64::MAX } else { (1u64 << k) - 1 }
                        };
                        win[reg(d, i)] = if some { upto(hi + 1) & !upto(lo) } else { 0 };
                    }
                }
                Ins::SScan { d, a, op, attr } => {
                    let Some(f) = fast.attrs.get(attr.index()) else {
                        break 'run Err(FaultKind::BadProgram("an attribute that is not there"));
                    };
                    charge!(1 + f.n / 16);
                    let x = int(win[a as usize]);
                    for i in 0..f.owner_w as usize {
                        win[reg(d, i)] = 0;
                    }
                    let cells = st.cells.get(f.cell as usize..f.cell as usize + f.n as usize).unwrap_or(&[]);
                    if x != NONE && f.set_w == 0 {
                        for (e, c) in cells.iter().enumerate() {
                            let c = i64::from(*c);
                            let yes = match op {
                                Cmp::Eq => c == x,
                                Cmp::Ne => c != x,
                                Cmp::Lt => c < x,
                                Cmp::Le => c <= x,
                                Cmp::Gt => c > x,
                                Cmp::Ge => c >= x,
                            };
                            if yes && c != NONE {
                                win[reg(d, e / 64)] |= 1 << (e % 64);
                            }
                        }
                    }
                }
                Ins::SByFace { d, s, f, u } => {
                    let uni = tri!(fast.universe(u as usize));
                    let Some(comps) = p.comps.get(uni.comps as usize) else {
                        break 'run Err(FaultKind::BadProgram("components that are not there"));
                    };
                    charge!(1 + uni.n / 16);
                    let fw = fast.universes.get(comps.faces.index()).map_or(1, |f| f.w as usize);
                    let faces = comps.face as usize;
                    let st = &*st;
                    set!(d, uni.w, |win: &Window, o: &mut [u64]| {
                        let wanted = cut(win, f, fw);
                        for c in world::bits(cut(win, s, o.len())) {
                            if usize::try_from(cell(st, faces + c)).is_ok_and(|f| maps::has(wanted, f)) {
                                maps::put(o, c);
                            }
                        }
                    });
                }
                Ins::Alike { d, s, u } => {
                    let uni = tri!(fast.universe(u as usize));
                    let effect = p.funcs.get(strand.func as usize).is_some_and(|f| !f.pure_);
                    let asker = if id == u16::MAX {
                        t.asker
                    } else if effect {
                        int(win[0])
                    } else {
                        NONE
                    };
                    let ci = uni.comps as usize;
                    let many = super::decision::ones(cut(win, s, uni.w as usize));
                    charge!(1 + many.saturating_mul(many) / 8);
                    let st = &*st;
                    set!(d, uni.w, |win: &Window, o: &mut [u64]| {
                        for c in world::bits(cut(win, s, o.len())) {
                            if !world::bits(o).any(|b| knowledge::alike(p, st, asker, ci, b, c)) {
                                maps::put(o, c);
                            }
                        }
                    });
                }
                Ins::LLen { d, l } => win[d as usize] = win[l as usize],
                Ins::LGet { d, l, i } => {
                    let n = int(win[l as usize]);
                    let i = int(win[i as usize]);
                    win[d as usize] = if (0..n).contains(&i) {
                        u64::from(list_at(win, l, i as usize))
                    } else {
                        NONE as u64
                    };
                }
                Ins::LPush { l, a, cap } => {
                    let n = int(win[l as usize]).max(0) as usize;
                    let x = win[a as usize];
                    if n >= cap as usize {
                        break 'run Err(FaultKind::ListFull);
                    }
                    let Ok(x) = u16::try_from(x) else { break 'run Err(FaultKind::NoSuchThing) };
                    put_list(win, l, n, x);
                    win[l as usize] = n as u64 + 1;
                }
                Ins::LSet { d, l, w } => {
                    let n = list_len(win, l);
                    charge!(1 + n / 16);
                    set!(d, w, |win: &Window, o: &mut [u64]| {
                        (0..n).for_each(|i| maps::put(o, list_at(win, l, i) as usize));
                    });
                }
                Ins::LReverse { d } => {
                    let n = list_len(win, d);
                    charge!(1 + n / 16);
                    for i in 0..n / 2 {
                        let (a, b) = (list_at(win, d, i), list_at(win, d, n - 1 - i));
                        put_list(win, d, i, b);
                        put_list(win, d, n - 1 - i, a);
                    }
                }
                Ins::LineLen { d, i, t } => {
                    let (t, _) = tri!(lines_of(p, fast, t));
                    win[d as usize] = maps::line(t, int(win[i as usize])).len() as u64;
                }
                Ins::LineGet { d, i, j, t } => {
                    let (t, _) = tri!(lines_of(p, fast, t));
                    let line = maps::line(t, int(win[i as usize]));
                    let x = usize::try_from(int(win[j as usize])).ok().and_then(|j| line.get(j));
                    win[d as usize] = x.map_or(NONE as u64, |x| u64::from(*x));
                }
                Ins::LineFirst { d, i, s, t } => {
                    let (t, w) = tri!(lines_of(p, fast, t));
                    let line = maps::line(t, int(win[i as usize]));
                    charge!(line.len() / 16);
                    let set = cut(win, s, w);
                    let x = line.iter().find(|x| maps::has(set, **x as usize));
                    win[d as usize] = x.map_or(NONE as u64, |x| u64::from(*x));
                }
                Ins::LineSet { d, i, t } => {
                    let (t, w) = tri!(lines_of(p, fast, t));
                    let mask = match usize::try_from(int(win[i as usize])) {
                        Ok(i) => maps::mask(t, i, w),
                        Err(_) => &[],
                    };
                    (0..w).for_each(|k| win[reg(d, k)] = mask.get(k).copied().unwrap_or(0));
                }
                Ins::LinesMeeting { d, s, t } => {
                    let (t, w) = tri!(lines_of(p, fast, t));
                    let lists = t.lists.and_then(|u| fast.universes.get(u.index()));
                    let out_w = lists.map_or(t.ranges.len().div_ceil(64).max(1) as u8, |u| u.w);
                    charge!(1 + t.ranges.len() / 8);
                    set!(d, out_w, |win: &Window, o: &mut [u64]| {
                        let set = cut(win, s, w);
                        for i in 0..t.ranges.len() {
                            if maps::mask(t, i, w).iter().zip(set).any(|(a, b)| a & b != 0) {
                                maps::put(o, i);
                            }
                        }
                    });
                }
                Ins::ZLen { d, p: q } => {
                    let n = usize::try_from(int(win[q as usize])).map_or(0, |i| world::count_at(p, st, i));
                    win[d as usize] = n as u64;
                }
                Ins::ZGet { d, p: q, i } => {
                    let x = match (
                        usize::try_from(int(win[q as usize])),
                        usize::try_from(int(win[i as usize])),
                    ) {
                        (Ok(place), Ok(i)) => world::at_position(p, st, place, i),
                        _ => NONE,
                    };
                    win[d as usize] = x as u64;
                }
                Ins::SumAttr { d, s, attr } => {
                    let Some(f) = fast.attrs.get(attr.index()) else {
                        break 'run Err(FaultKind::BadProgram("an attribute that is not there"));
                    };
                    let set = cut(win, s, f.owner_w as usize);
                    let mut sum = 0i64;
                    let mut n = 0u64;
                    for e in world::bits(set) {
                        n += 1;
                        let v = cell(st, f.cell as usize + e);
                        if v != NONE && f.set_w == 0 && e < f.n as usize {
                            sum += v;
                        }
                    }
                    charge!(1 + n / 16);
                    win[d as usize] = tri!(number(0, 0, sum));
                }
                Ins::SumTable { d, s, table } => {
                    let (sum, n) = tri!(sum_table(p, fast, st, win, s, table));
                    charge!(1 + n / 16);
                    win[d as usize] = tri!(number(0, 0, sum));
                }
                Ins::StepC { d, c, r, m } => {
                    let (map, n, _) = tri!(map_of(p, fast, m));
                    let x = match (
                        usize::try_from(int(win[c as usize])),
                        usize::try_from(int(win[r as usize])),
                    ) {
                        (Ok(c), Ok(r)) if r < map.dirs as usize => maps::step(map, n, c, r),
                        _ => None,
                    };
                    win[d as usize] = x.map_or(NONE as u64, |x| x as u64);
                }
                Ins::StepS { d, s, dir, m } => {
                    let (map, n, w) = tri!(map_of(p, fast, m));
                    set!(d, w, |win: &Window, o: &mut [u64]| maps::image(
                        map,
                        n,
                        cut(win, s, w),
                        dir as usize,
                        o
                    ));
                }
                Ins::Neigh { d, c, m } => {
                    let (map, _, w) = tri!(map_of(p, fast, m));
                    let words = match usize::try_from(int(win[c as usize])) {
                        Ok(c) => maps::neighbours(map, c, w),
                        Err(_) => &[],
                    };
                    (0..w).for_each(|k| win[reg(d, k)] = words.get(k).copied().unwrap_or(0));
                }
                Ins::Dilate { d, s, m } => {
                    let (map, n, w) = tri!(map_of(p, fast, m));
                    charge!(1 + n / 16);
                    set!(d, w, |win: &Window, o: &mut [u64]| maps::dilate(map, cut(win, s, w), o));
                }
                Ins::Dist { d, a, b, m } => {
                    let (map, n, _) = tri!(map_of(p, fast, m));
                    let x = match (
                        usize::try_from(int(win[a as usize])),
                        usize::try_from(int(win[b as usize])),
                    ) {
                        (Ok(a), Ok(b)) => maps::distance(map, n, a, b),
                        _ => NONE,
                    };
                    if map.dist.is_empty() {
                        charge!(n);
                    }
                    win[d as usize] = x as u64;
                }
                Ins::DistThru { d, a, b, s, m } => {
                    let (map, n, w) = tri!(map_of(p, fast, m));
                    charge!(1 + n);
                    let set = cut(win, s, w);
                    let x = match (
                        usize::try_from(int(win[a as usize])),
                        usize::try_from(int(win[b as usize])),
                    ) {
                        (Ok(a), Ok(b)) => maps::distance_through(map, n, a, b, set),
                        _ => NONE,
                    };
                    win[d as usize] = x as u64;
                }
                Ins::Reach { d, c, n: limit, s, m } => {
                    let (map, n, w) = tri!(map_of(p, fast, m));
                    charge!(1 + n);
                    let limit = int(win[limit as usize]);
                    let c = usize::try_from(int(win[c as usize])).unwrap_or(usize::MAX);
                    set!(d, w, |win: &Window, o: &mut [u64]| maps::reach(
                        map,
                        n,
                        c,
                        limit,
                        cut(win, s, w),
                        o
                    ));
                }
                Ins::RunC { d, c, p: pr, q, m } => {
                    let (map, n, w) = tri!(map_of(p, fast, m));
                    charge!(1 + map.dirs);
                    let c = usize::try_from(int(win[c as usize])).unwrap_or(usize::MAX);
                    set!(d, w, |win: &Window, o: &mut [u64]| {
                        let (ps, qs) = (cut(win, pr, w), cut(win, q, w));
                        for dir in 0..map.dirs as usize {
                            maps::run(map, n, c, dir, ps, qs, o);
                        }
                    });
                }
                Ins::RunSrc { d, p: pr, q, m } => {
                    let (map, n, w) = tri!(map_of(p, fast, m));
                    charge!(1 + if w == 1 { 8 } else { n });
                    set!(d, w, |win: &Window, o: &mut [u64]| {
                        maps::run_sources(map, n, cut(win, pr, w), cut(win, q, w), o);
                    });
                }
                Ins::RunDir { d, c, r, p: pr, q, m } => {
                    let (map, n, w) = tri!(map_of(p, fast, m));
                    let c = usize::try_from(int(win[c as usize])).unwrap_or(usize::MAX);
                    let dir = usize::try_from(int(win[r as usize])).ok().filter(|r| *r < map.dirs as usize);
                    set!(d, w, |win: &Window, o: &mut [u64]| {
                        if let Some(dir) = dir {
                            maps::run(map, n, c, dir, cut(win, pr, w), cut(win, q, w), o);
                        }
                    });
                }
                Ins::RaySet { d, c, r, m } => {
                    let (map, n, w) = tri!(map_of(p, fast, m));
                    let c = usize::try_from(int(win[c as usize])).unwrap_or(usize::MAX);
                    let dir = usize::try_from(int(win[r as usize])).ok().filter(|r| *r < map.dirs as usize);
                    set!(d, w, |_: &Window, o: &mut [u64]| {
                        if let Some(dir) = dir {
                            maps::ray(map, n, c, dir, o);
                        }
                    });
                }
                Ins::LineThru { d, c, s, t } => {
                    let (t, w) = tri!(lines_of(p, fast, t));
                    let set = cut(win, s, w);
                    let yes =
                        usize::try_from(int(win[c as usize])).is_ok_and(|c| maps::line_through(t, c, set));
                    win[d as usize] = u64::from(yes);
                }
                Ins::LineAny { d, s, t } => {
                    let (t, w) = tri!(lines_of(p, fast, t));
                    charge!(1 + t.ranges.len() / 8);
                    win[d as usize] = u64::from(maps::any_line(t, cut(win, s, w)));
                }
                Ins::Joined { d, s, m } => {
                    let (map, n, w) = tri!(map_of(p, fast, m));
                    charge!(1 + n);
                    let part =
                        |k: usize| win.get(s as usize + k * w..s as usize + (k + 1) * w).unwrap_or(&[]);
                    let yes = maps::joined(map, part(0), part(1), part(2));
                    win[d as usize] = u64::from(yes);
                }
                Ins::DirOf { d, a, b, m } => {
                    let (map, n, _) = tri!(map_of(p, fast, m));
                    let x = match (
                        usize::try_from(int(win[a as usize])),
                        usize::try_from(int(win[b as usize])),
                    ) {
                        (Ok(a), Ok(b)) => maps::direction(map, n, a, b),
                        _ => NONE,
                    };
                    win[d as usize] = x as u64;
                }
                Ins::Call { at, f } => {
                    charge!(1u64);
                    pc = tri!(enter(p, strand, at, f, u16::MAX, pc));
                    match window(&mut strand.stack, strand.base as usize) {
                        Some(x) => win = x,
                        None => return Err(FaultKind::TooDeep),
                    }
                }
                Ins::Ret => {
                    let Some(link) = strand.links.pop() else { break 'run Ok(Exit::Done) };
                    pc = link.pc;
                    strand.base = link.base;
                    strand.func = link.func;
                    match window(&mut strand.stack, strand.base as usize) {
                        Some(x) => win = x,
                        None => return Err(FaultKind::TooDeep),
                    }
                    if link.acted != u16::MAX {
                        win[link.acted as usize & 255] = OFFER_ACTED as u64;
                    }
                }
                Ins::LeaseNext { i, what, to } => {
                    charge!(1u64);
                    let next = layers::next(st, what.0, int(win[i as usize]));
                    if next == NONE {
                        pc = to;
                    } else {
                        win[i as usize] = next as u64;
                    }
                }
                Ins::LeaseGet { d, i, n } => {
                    let i = int(win[i as usize]);
                    for k in 0..n as usize {
                        match layers::word(st, i, k) {
                            Some(x) => win[reg(d, k)] = x,
                            None => break 'run Err(FaultKind::BadProgram("a layer that is not there")),
                        }
                    }
                }
                Ins::Hook { at, h } => {
                    charge!(1u64);
                    tri!(hook(p, st, t, win, at, h, &mut steps));
                }
                Ins::Options { at, last, action } => {
                    charge!(1u64);
                    tri!(options(fast, &mut t.opts, win, at, last, action));
                }
                Ins::Option { action } => {
                    let a = fast.actions.get(action.index());
                    let n = a.map_or(0, |a| a.words);
                    let words = cut(win, 1, n as usize);
                    let at = t.opts.words.len() as u32;
                    t.opts.words.extend_from_slice(words);
                    t.opts.push(What::Action(action), at, words.len() as u8, Last::Unit);
                }
                _ if id == u16::MAX => break 'run Err(FaultKind::BadProgram("an effect in pure code")),
                Ins::AskMenu { d, at, who, offer } => break 'run Ok(Exit::Menu { d, at, who, offer }),
                Ins::Ask { d, s, who, ask } => break 'run Ok(Exit::Ask { d, s, who, ask }),
                Ins::Fork { l, at, n, f, freely } => break 'run Ok(Exit::Fork { l, at, n, f, freely }),
                Ins::End => {
                    st.head.over = true;
                    break 'run Ok(Exit::Over);
                }
                ins => {
                    charge!(1u64);
                    if t.rec.on {
                        t.rec.at(strand.func, pc.saturating_sub(1), int(win[0]));
                    }
                    lend!(effects::run(p, fast, st, t, win, &mut strand.leases, id, ins));
                }
            }
        }
    };
    strand.pc = pc;
    t.steps = steps;
    out
}
