//! Instructions that read bitset columns and constant sets: the arms of the run loop as inlined functions.
use crate::base::fault::{FaultKind, Stop};
use crate::base::window::{Window, int, reg, write_words};
use crate::data::state::State;
use crate::interp::word_sets::clear;
use crate::world::tables::Rules;
use houserule_program::ir::*;

#[cold]
fn no_plane() -> Stop {
    Stop::from(FaultKind::BadProgram("a plane that is not there"))
}

/// Words of the planes of a group.
#[inline(always)]
fn group_words(p: &Program, group: GroupIx) -> usize {
    p.groups.get(group.index()).map_or(0, |g| g.w as usize)
}

/// [`Ins::PlaneI`].
#[inline(always)]
pub(crate) fn plane_of_group(
    p: &Program,
    st: &State,
    win: &mut Window,
    d: R,
    i: R,
    group: GroupIx,
) -> Result<(), Stop> {
    let Some(g) = p.groups.get(group.index()) else {
        return Err(Stop::from(FaultKind::BadProgram("planes that are not there")));
    };
    let i = int(win[i as usize]);
    let k = if i == NONE { i64::from(g.n) } else { i - i64::from(g.lo) };
    let there = (0..i64::from(g.n)).contains(&k) || i == NONE;
    let w = g.w as usize;
    let at = g.at as usize + k as usize * usize::from(there) * w;
    if w == 1 {
        let word = st.planes.get(at).ok_or_else(no_plane)?;
        win[d as usize] = if there { *word } else { 0 };
        return Ok(());
    }
    let words = st.planes.get(at..at + w).ok_or_else(no_plane)?;
    if there {
        write_words(win, d, words)
    } else {
        clear(win, d, w)
    }
    Ok(())
}

/// [`Ins::PlaneC`].
#[inline(always)]
pub(crate) fn constant_of_group(rules: Rules<'_>, win: &mut Window, d: R, i: R, group: GroupIx) {
    let at = rules.world.plane(group, int(win[i as usize]));
    match at.and_then(|(at, w)| rules.p.sets.get(at..at + w)) {
        Some(words) => write_words(win, d, words),
        None => clear(win, d, group_words(std::hint::black_box(rules.p), group)),
    }
}

/// [`Ins::SAndC`].
#[inline(always)]
pub(crate) fn cut_with_constant(rules: Rules<'_>, win: &mut Window, (d, a, i): (R, R, R), group: GroupIx) {
    let at = rules.world.plane(group, int(win[i as usize]));
    match at.and_then(|(at, w)| rules.p.sets.get(at..at + w)) {
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
        None => clear(win, d, group_words(std::hint::black_box(rules.p), group)),
    }
}

/// [`Ins::Members`].
#[inline(always)]
pub(crate) fn members(
    rules: Rules<'_>,
    st: &State,
    win: &mut Window,
    (d, q): (R, R),
    u: u8,
) -> Result<(), Stop> {
    let uni = rules.world.universe(u as usize)?;
    let place = int(win[q as usize]);
    match usize::try_from(place).ok().and_then(|i| rules.p.places.get(i)) {
        Some(pl) if pl.comps == uni.comps => {
            let at = pl.plane as usize;
            if uni.w == 1 {
                win[d as usize] = st.planes.get(at).copied().unwrap_or(0);
                return Ok(());
            }
            write_words(win, d, st.planes.get(at..at + uni.w as usize).unwrap_or(&[]));
        }
        _ => clear(win, d, uni.w as usize),
    }
    Ok(())
}
