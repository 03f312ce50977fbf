//! Instructions on the constant lines of a board: rows, columns, lines of a length.
use crate::base::fault::{FaultKind, Stop};
use crate::base::window::{Window, int, reg, slice, write_words};
use crate::world::graph;
use crate::world::graph::{Buf, MAX_WORDS};
use crate::world::tables::Rules;
use houserule_program::ir::*;
use houserule_program::{effect_instructions, loop_instructions, rare_instructions};

/// Runs one instruction; `left` is the step budget.
#[inline(never)]
pub(crate) fn run(rules: Rules<'_>, win: &mut Window, ins: Ins, left: &mut u64) -> Result<(), Stop> {
    // A table of lines, and the words of a set of its things.
    let lines_at = |t: LinesIx| -> Result<(&LineTable, usize), Stop> {
        let t =
            rules.p.line_tables.get(t.index()).ok_or(FaultKind::BadProgram("lines that are not there"))?;
        Ok((t, rules.world.universe(t.universe.index())?.w as usize))
    };
    let mut charge = |n: usize| match left.checked_sub(n as u64) {
        Some(rest) => {
            *left = rest;
            Ok(())
        }
        None => Err(Stop::from(FaultKind::OutOfBudget)),
    };
    match ins {
        Ins::LineThru { d, c, s, t } => {
            let (t, w) = lines_at(t)?;
            let set = slice(win, s, w);
            let yes = usize::try_from(int(win[c as usize])).is_ok_and(|c| graph::line_through(t, c, set));
            win[d as usize] = u64::from(yes);
        }
        Ins::LineGet { d, i, j, t } => {
            let (t, _) = lines_at(t)?;
            let line = graph::line(t, int(win[i as usize]));
            let x = usize::try_from(int(win[j as usize])).ok().and_then(|j| line.get(j));
            win[d as usize] = x.map_or(NONE as u64, |x| u64::from(*x));
        }
        Ins::LineFirst { d, i, s, t } => {
            let (t, w) = lines_at(t)?;
            let line = graph::line(t, int(win[i as usize]));
            charge(line.len() / 16)?;
            let set = slice(win, s, w);
            let x = line.iter().find(|x| graph::has(set, **x as usize));
            win[d as usize] = x.map_or(NONE as u64, |x| u64::from(*x));
        }
        Ins::LineSet { d, i, t } => {
            let (t, w) = lines_at(t)?;
            let mask = match usize::try_from(int(win[i as usize])) {
                Ok(i) => graph::mask(t, i, w),
                Err(_) => &[],
            };
            (0..w).for_each(|k| win[reg(d, k)] = mask.get(k).copied().unwrap_or(0));
        }
        Ins::LinesMeeting { d, s, t } => {
            let (t, w) = lines_at(t)?;
            let n = t.ranges.len();
            charge(1 + n / 8)?;
            let lists = t.lists.and_then(|u| rules.world.universes.get(u.index()));
            let out = lists.map_or(n.div_ceil(64).max(1), |u| u.w as usize);
            if w == 1 && out == 1 {
                let set = win[s as usize];
                let masks = t.masks.get(..n.min(64)).unwrap_or(&[]);
                let meet = |(i, m): (usize, &u64)| u64::from(m & set != 0) << i;
                win[d as usize] = masks.iter().enumerate().map(meet).fold(0, |all, x| all | x);
                return Ok(());
            }
            charge(out)?;
            let mut words: Buf = [0; MAX_WORDS];
            let o = words.get_mut(..out).ok_or(FaultKind::BadProgram("a set that is too large"))?;
            let set = slice(win, s, w);
            for i in 0..n {
                if graph::mask(t, i, w).iter().zip(set).any(|(a, b)| a & b != 0) {
                    graph::put(o, i);
                }
            }
            write_words(win, d, o);
        }
        loop_instructions!() | rare_instructions!() | effect_instructions!() => {
            return Err(Stop::from(FaultKind::BadProgram("an instruction of another kind")));
        }
    }
    Ok(())
}
