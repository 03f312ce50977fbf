//! Functions that the interpreter calls for longer instructions: tables and sums, lists in registers, hooks, segments of options.
use crate::base::bitset;
use crate::base::bitset::count_bits;
use crate::base::fault::{FaultKind, Stop};
use crate::base::window::{Window, int, reg, slice, write_words};
use crate::context::run_context::Context;
use crate::data::decision::{Last, Options, What};
use crate::data::state::State;
use crate::data::subsets::Subsets;
use crate::world::cells::cell;
use crate::world::graph::{Buf, MAX_WORDS};
use crate::world::look::Look;
use crate::world::tables::{Rules, WorldTables, width};
use houserule_program::ir::*;

/// The most words, and the most segments, of one question's options.
const MAX_OPTIONS: usize = 1 << 20;

/// The fault of a table without a value at `i`.
#[cold]
#[inline(never)]
pub(crate) fn not_in_table(p: &Program, table: TableIx, i: i64) -> Stop {
    match p.tables.get(table.index()) {
        None => Stop::from(FaultKind::BadProgram("a table that is not there")),
        Some(_) if i == NONE => Stop::from(FaultKind::NoneValue),
        Some(_) => Stop::from(FaultKind::OutsideTable),
    }
}

/// Word `i` of a row of constant sets of one word each, from word `k` on. Not inlined: a smaller loop is faster.
#[inline(never)]
pub(crate) fn const_word(p: &Program, i: i64, k: u32) -> Result<u64, Stop> {
    let word = usize::try_from(i).ok().and_then(|i| p.sets.get(i.checked_add(k as usize)?));
    match word {
        Some(x) => Ok(*x),
        None if i == NONE => Err(Stop::from(FaultKind::NoneValue)),
        None => Err(Stop::from(FaultKind::OutsideTable)),
    }
}

/// The neighbour of a space in a direction, or none.
pub(crate) fn step_from(p: &Program, m: u8, c: i64, r: i64) -> i64 {
    let (Some(map), Ok(c), Ok(r)) = (p.maps.get(m as usize), usize::try_from(c), usize::try_from(r)) else {
        return NONE;
    };
    let n = map.at.len();
    if c >= n || r >= map.dirs as usize {
        return NONE;
    }
    map.succ.get(r * n + c).map_or(NONE, |s| if *s == u16::MAX { NONE } else { i64::from(*s) })
}

/// The first word of a grid's set at row `j` and column `i`.
pub(crate) fn grid_at(p: &Program, t: GridIx, i: i64, j: i64) -> Result<(usize, usize), Stop> {
    let g = p.grids.get(t.index()).ok_or(FaultKind::BadProgram("a grid that is not there"))?;
    let (Ok(i), Ok(j)) = (u32::try_from(i), u32::try_from(j)) else {
        let none = i == NONE || j == NONE;
        return Err(Stop::from(if none { FaultKind::NoneValue } else { FaultKind::OutsideTable }));
    };
    if i >= g.columns || j >= g.rows {
        return Err(Stop::from(FaultKind::OutsideTable));
    }
    let w = g.w as usize;
    Ok((g.at as usize + (j as usize * g.columns as usize + i as usize) * w, w))
}

/// A grid's set of one word.
pub(crate) fn grid_word(p: &Program, t: GridIx, i: i64, j: i64) -> Result<u64, Stop> {
    let (at, _) = grid_at(p, t, i, j)?;
    p.sets.get(at).copied().ok_or_else(|| Stop::from(FaultKind::OutsideTable))
}

/// The sum of a table over a set, and the size of the set.
fn sum_words(rules: Rules<'_>, st: &State, win: &Window, s: R, table: TableIx) -> Result<(i64, u64), Stop> {
    let t = rules.p.tables.get(table.index()).ok_or(FaultKind::BadProgram("a table that is not there"))?;
    let sort = rules.p.universes.get(t.universe.index()).map(|u| &u.sort);
    let (over, faces) = match sort {
        Some(UniverseSort::Faces(ci)) => match rules.p.comps.get(*ci as usize) {
            Some(c) => (c.universe, Some(c.face as usize)),
            None => return Err(Stop::from(FaultKind::BadProgram("components that are not there"))),
        },
        _ => (t.universe, None),
    };
    let w = rules.world.universe(over.index())?.w as usize;
    let mut sum = 0i64;
    let mut n = 0;
    for c in bitset::bits(slice(win, s, w)) {
        let i = match faces {
            Some(first) => usize::try_from(cell(st, first + c)).unwrap_or(usize::MAX),
            None => c,
        };
        let v = t.values.get(i).copied().ok_or(FaultKind::OutsideTable)?;
        if v != i32::MIN {
            sum += i64::from(v);
        }
        n += 1;
    }
    Ok((sum, n))
}

/// [`Ins::SumTable`]; `left` is the step budget.
#[inline(never)]
pub(crate) fn sum_table(
    rules: Rules<'_>,
    st: &State,
    win: &mut Window,
    (d, s, table): (R, R, TableIx),
    left: &mut u64,
) -> Result<(), Stop> {
    let (sum, n) = match rules.world.tables.get(table.index()) {
        Some(t) if t.w == 1 => {
            let set = win[s as usize];
            (sum_word(rules.p, st, t.face, set, table)?, u64::from(set.count_ones()))
        }
        _ => sum_words(rules, st, win, s, table)?,
    };
    *left = left.checked_sub(1 + n / 16).ok_or(FaultKind::OutOfBudget)?;
    win[d as usize] = crate::base::window::check_number(0, 0, sum)?;
    Ok(())
}

/// [`Ins::SumEach`]; `left` is the step budget.
#[inline(never)]
pub(crate) fn sum_each(
    rules: Rules<'_>,
    st: &State,
    win: &mut Window,
    (d, s, a, sum): (R, R, R, u16),
    left: &mut u64,
) -> Result<(), Stop> {
    let slot = rules.p.sums.get(usize::from(sum)).ok_or(FaultKind::BadProgram("a sum that is not there"))?;
    let (set, with) = (win[s as usize], win[a as usize]);
    let n = u64::from(set.count_ones());
    *left = left.checked_sub(1 + n).ok_or(FaultKind::OutOfBudget)?;
    win[d as usize] = crate::base::window::check_number(0, 0, sum_slot(rules, st, slot, set, with)?)?;
    Ok(())
}

/// The sum of [`Ins::SumEach`]. Components that show the same face mostly have neighbouring numbers: their term is computed once.
fn sum_slot(rules: Rules<'_>, st: &State, slot: &SumSlot, set: u64, with: u64) -> Result<i64, Stop> {
    let first = rules.world.universe(slot.universe as usize)?.face as usize;
    let (mut rest, mut all, mut last, mut its) = (set, 0i64, NONE, 0);
    while rest != 0 {
        let c = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        let face = cell(st, first + c);
        if face != last {
            its = sum_word(rules.p, st, u32::MAX, const_word(rules.p, face, slot.sets)? & with, slot.table)?;
            last = face;
        }
        all += its;
    }
    Ok(all)
}

/// The sum of a table over a set of one word.
#[inline]
fn sum_word(p: &Program, st: &State, face: u32, set: u64, table: TableIx) -> Result<i64, Stop> {
    let t = p.tables.get(table.index()).ok_or(FaultKind::BadProgram("a table that is not there"))?;
    let (mut rest, mut sum) = (set, 0i64);
    while rest != 0 {
        let c = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        let i = match face {
            u32::MAX => c,
            first => usize::try_from(cell(st, first as usize + c)).unwrap_or(usize::MAX),
        };
        match t.values.get(i) {
            Some(v) if *v != i32::MIN => sum += i64::from(*v),
            Some(_) => {}
            None => return Err(Stop::from(FaultKind::OutsideTable)),
        }
    }
    Ok(sum)
}

/// The length of a list in registers.
pub(crate) fn list_len(win: &Window, l: R) -> usize {
    usize::try_from(int(win[l as usize])).unwrap_or(0).min(1020)
}

/// Thing `i` of a list in registers.
pub(crate) fn list_at(win: &Window, l: R, i: usize) -> u16 {
    (win[reg(l, 1 + i / 4)] >> (i % 4 * 16)) as u16
}

pub(crate) fn put_list(win: &mut Window, l: R, i: usize, x: u16) {
    let word = &mut win[reg(l, 1 + i / 4)];
    *word = *word & !(0xFFFF << (i % 4 * 16)) | u64::from(x) << (i % 4 * 16);
}

/// [`Ins::Hook`].
pub(crate) fn call_hook(
    p: &Program,
    st: &State,
    cx: &mut Context,
    win: &mut Window,
    at: R,
    h: u16,
    steps: &mut u64,
) -> Result<(), Stop> {
    let slot = p.hooks.get(h as usize).ok_or(FaultKind::BadProgram("a hook that is not there"))?;
    let Some(hooks) = cx.hooks.clone() else {
        return Err(Stop::from(FaultKind::Hook(format!("there is nobody to run `{}`", slot.name))));
    };
    let n = slot.params.iter().map(|s| width(p, *s)).sum();
    let args: crate::data::decision::Words = slice(win, at, n).iter().copied().collect();
    let mut out: Buf = [0; MAX_WORDS];
    let gives = width(p, slot.gives);
    let room = out.get_mut(..gives).ok_or(FaultKind::BadProgram("a hook that gives too much"))?;
    hooks.call(slot, &args, room, Look { program: p, state: st }, steps).map_err(FaultKind::Hook)?;
    if gives == 1 && !matches!(slot.gives, Show::Set(_)) {
        let x = int(room.first().copied().unwrap_or(0));
        if x < NONE || x > i64::from(i32::MAX) {
            return Err(Stop::from(FaultKind::Overflow));
        }
    }
    write_words(win, at, room);
    Ok(())
}

/// Appends words. Few are copied one by one: that is faster than a call.
#[inline]
fn append_words(to: &mut Vec<u64>, words: &[u64]) {
    match *words {
        [x] => to.push(x),
        [x, y, z] => to.extend([x, y, z]),
        _ => to.extend_from_slice(words),
    }
}

/// [`Ins::Options`]: a segment of an action's options. The two frequent forms are written into the loop.
#[inline(always)]
pub(crate) fn add_options(
    world: &WorldTables,
    opts: &mut Options,
    win: &Window,
    at: R,
    last: R,
    action: ActionIx,
) -> Result<(), Stop> {
    let a = world.actions.get(action.index()).ok_or(FaultKind::BadProgram("an action that is not there"))?;
    if opts.words.len() > MAX_OPTIONS || opts.segments.len() > MAX_OPTIONS {
        return Err(Stop::from(FaultKind::TooManyOptions));
    }
    if let (Some(Domain::Thing(_)), 0, 1) = (a.last, a.fixed, a.w) {
        opts.push_word(What::Action(action), win[last as usize], a.lo);
        return Ok(());
    }
    if let (Some(Domain::Thing(_)), 1, 1) = (a.last, a.fixed, a.w) {
        opts.push_words(What::Action(action), [win[at as usize], win[last as usize]], a.lo);
        return Ok(());
    }
    add_other_options(world, opts, win, at, last, action)
}

/// [`add_options`] of the less frequent forms.
#[inline(never)]
fn add_other_options(
    world: &WorldTables,
    opts: &mut Options,
    win: &Window,
    at: R,
    last: R,
    action: ActionIx,
) -> Result<(), Stop> {
    let a = world.actions.get(action.index()).ok_or(FaultKind::BadProgram("an action that is not there"))?;
    if let Some(Domain::Thing(_)) = a.last {
        let set = slice(win, last, a.w as usize);
        if set.iter().any(|x| *x != 0) {
            let count = count_bits(set);
            let first = opts.words.len() as u32;
            append_words(&mut opts.words, slice(win, at, a.fixed as usize));
            let at = opts.words.len() as u32;
            append_words(&mut opts.words, set);
            opts.push_counted(
                What::Action(action),
                first,
                a.fixed,
                Last::Set { at, w: a.w, lo: a.lo },
                count,
            );
        }
        return Ok(());
    }
    let first = opts.words.len() as u32;
    let fixed = slice(win, at, a.fixed as usize);
    append_words(&mut opts.words, fixed);
    let n = fixed.len() as u8;
    let at = opts.words.len() as u32;
    let last = match a.last {
        None => Last::Unit,
        Some(Domain::Thing(_)) => return Ok(()),
        Some(Domain::Number) => {
            let (lo, hi) = (int(win[last as usize]), int(win[reg(last, 1)]));
            if lo == NONE || hi == NONE || lo > hi {
                opts.words.truncate(first as usize);
                return Ok(());
            }
            Last::Range { lo, hi }
        }
        Some(Domain::Subset(_)) => {
            let (lo, hi) = (int(win[last as usize]), int(win[reg(last, 1)]));
            let set = slice(win, last.wrapping_add(2), a.w as usize);
            opts.words.extend_from_slice(set);
            let (min, max) = (lo.clamp(0, 1 << 20) as u32, hi.clamp(-1, 1 << 20));
            let Ok(max) = u32::try_from(max) else {
                opts.words.truncate(first as usize);
                return Ok(());
            };
            Last::Subset(Subsets::all(at, a.w, min, max))
        }
    };
    opts.push(What::Action(action), first, n, last);
    Ok(())
}

/// [`Ins::Option`]: the one option of an action without parameters.
#[inline(always)]
pub(crate) fn add_option(world: &WorldTables, opts: &mut Options, win: &Window, action: ActionIx) {
    let n = world.actions.get(action.index()).map_or(0, |a| a.words);
    let words = slice(win, 1, n as usize);
    let at = opts.words.len() as u32;
    opts.words.extend_from_slice(words);
    opts.push(What::Action(action), at, words.len() as u8, Last::Unit);
}
