//! Infrequent instructions, outside the run loop, so that the loop keeps no registers for them.
use crate::base::bitset;
use crate::base::fault::{FaultKind, Stop};
use crate::base::window::{Window, check_number, int, reg, slice, write_words};
use crate::context::run_context::Context;
use crate::data::seats;
use crate::data::state::State;
use crate::interp::list_ops::{call_hook, grid_at, list_at, list_len, put_list};
use crate::interp::{layers, subset_ops};
use crate::world::cells::comp_cell;
use crate::world::graph::{Buf, MAX_WORDS};
use crate::world::tables::{Rules, map_of};
use crate::world::{cells, graph, knowledge};
use houserule_program::ir::*;
use houserule_program::{effect_instructions, line_instructions, loop_instructions};

/// Runs one instruction in the window of a function; `id` is the fiber's number, `left` the budget.
#[allow(clippy::too_many_arguments, clippy::too_many_lines)] // One arm an instruction.
#[inline(never)]
pub(crate) fn run(
    rules: Rules<'_>,
    st: &mut State,
    cx: &mut Context,
    win: &mut Window,
    func: u16,
    id: u16,
    ins: Ins,
    left: &mut u64,
) -> Result<(), Stop> {
    let mut steps = *left;
    macro_rules! tri {
        ($e:expr) => {
            $e?
        };
    }
    macro_rules! charge {
        ($n:expr) => {
            steps = steps.checked_sub($n as u64).ok_or(FaultKind::OutOfBudget)?
        };
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
                    write_words(win, $d, o);
                }
            } else {
                charge!($w);
                let mut o: Buf = [0; MAX_WORDS];
                match o.get_mut(..$w as usize) {
                    Some(o) => {
                        f(&*win, &mut *o);
                        write_words(win, $d, o);
                    }
                    None => return Err(Stop::from(FaultKind::BadProgram("a set that is too large"))),
                }
            }
        }};
    }
    match ins {
        Ins::Mark { n } => tri!(cx.covered.reach(n, cx.trials.depth() > 0)),
        Ins::SeenTimes { d, h } => {
            charge!(32);
            win[d as usize] = crate::world::position_hash::count_seen(rules.p, st, h.index()) as u64;
        }
        Ins::Div { d, a, b } => {
            let (a, b) = (int(win[a as usize]), int(win[b as usize]));
            match a.checked_div(b) {
                Some(x) => win[d as usize] = tri!(check_number(a, b, x)),
                None => return Err(Stop::from(FaultKind::DivideByZero)),
            }
        }
        Ins::Mod { d, a, b } => {
            let (a, b) = (int(win[a as usize]), int(win[b as usize]));
            match a.checked_rem_euclid(b) {
                Some(x) => win[d as usize] = tri!(check_number(a, b, x)),
                None => return Err(Stop::from(FaultKind::DivideByZero)),
            }
        }
        Ins::Neg { d, a } => {
            let a = int(win[a as usize]);
            win[d as usize] = tri!(check_number(a, 0, a.wrapping_neg()));
        }
        Ins::Within { d, a, table } => {
            let a = int(win[a as usize]);
            let range =
                rules.p.tables.get(table.index()).and_then(|t| Some((*t.values.first()?, *t.values.get(1)?)));
            let (lo, hi) = range.ok_or(FaultKind::OutsideTable)?;
            if a != NONE && !(i64::from(lo)..=i64::from(hi)).contains(&a) {
                return Err(Stop::from(FaultKind::Outside { value: a, lo, hi }));
            }
            win[d as usize] = a as u64;
        }
        Ins::SConstI { d, i, w, k } => {
            let i = int(win[i as usize]);
            if i == NONE {
                return Err(Stop::from(FaultKind::NoneValue));
            }
            charge!(w);
            let at = usize::try_from(i).ok().and_then(|i| i.checked_mul(w as usize)?.checked_add(k as usize));
            let words = at.and_then(|at| rules.p.sets.get(at..at.checked_add(w as usize)?));
            write_words(win, d, words.ok_or(FaultKind::OutsideTable)?);
        }
        Ins::LdSide { d, c, u } => {
            win[d as usize] = tri!(comp_cell(rules, st, u, int(win[c as usize]), |k| k.side)) as u64;
        }
        Ins::LdUp { d, c, u } => {
            let up = tri!(comp_cell(rules, st, u, int(win[c as usize]), |k| k.up));
            win[d as usize] = u64::from(up != 0);
        }
        Ins::LdClock { d, what } => {
            let x = match what {
                Clock::Round => i64::from(st.head.round),
                Clock::Turns => i64::from(st.head.turns),
                Clock::Turn => st.head.turn,
                Clock::Decided => {
                    let gone = st.verdicts.iter().take(64).enumerate().filter(|(_, v)| v.is_some());
                    gone.fold(0u64, |s, (i, _)| s | 1 << i) as i64
                }
                Clock::Age => i64::from(st.head.next_layer),
                Clock::SetUp => i64::from(st.head.whole_game && st.head.round == 0),
                Clock::Phase => st.phases.last().map_or(NONE, |r| i64::from(r.phase)),
            };
            win[d as usize] = x as u64;
        }
        Ins::Running { d, phase } => {
            win[d as usize] = u64::from(st.phases.iter().any(|r| r.phase == phase.0));
        }
        Ins::Sees { d, p: q, c, u } => {
            let uni = tri!(rules.world.universe(u as usize));
            let seats = seats::answering(rules.p, int(win[q as usize]));
            let c = int(win[c as usize]);
            let sees = usize::try_from(c).is_ok_and(|c| {
                seats != 0 && knowledge::known_to_all(rules.p, st, seats, uni.comps as usize, c)
            });
            win[d as usize] = u64::from(sees);
        }
        Ins::ZoneMembers { d, u, zone } => {
            let uni = tri!(rules.world.universe(u as usize));
            let z =
                rules.p.zones.get(zone.index()).ok_or(FaultKind::BadProgram("a zone that is not there"))?;
            let n = z.holders.1 as usize * z.indexes.max(1) as usize;
            charge!(1 + n / 8);
            let places = rules.p.places.get(z.first as usize..z.first as usize + n).unwrap_or(&[]);
            for i in 0..uni.w as usize {
                let word = |pl: &Place| st.planes.get(pl.plane as usize + i).copied().unwrap_or(0);
                let all = if z.holds == uni.comps { places.iter().fold(0, |m, pl| m | word(pl)) } else { 0 };
                win[reg(d, i)] = all;
            }
        }
        Ins::SLast { d, s, w } => {
            let x = (0..w as usize).rev().find(|i| win[reg(s, *i)] != 0);
            win[d as usize] = match x {
                Some(i) => i as u64 * 64 + 63 - u64::from(win[reg(s, i)].leading_zeros()),
                None => NONE as u64,
            };
        }
        Ins::SOnly { d, s, w } => {
            let words = slice(win, s, w as usize);
            let one = crate::base::bitset::count_bits(words) == 1;
            let x = if one { bitset::nth_bit(words, 0) } else { None };
            win[d as usize] = x.map_or(NONE as u64, u64::from);
        }
        Ins::TakeFirst { d, s, u, last } => {
            let uni = tri!(rules.world.universe(u as usize));
            let set = slice(win, s, uni.w as usize);
            charge!(1 + crate::base::bitset::count_bits(set));
            let found =
                crate::world::canonical_order::end_of(rules, st, uni.comps as usize, bitset::bits(set), last);
            win[d as usize] = found.map_or(NONE as u64, |c| c as u64);
            if let Some(c) = found {
                win[reg(s, c / 64)] &= !(1 << (c % 64));
            }
        }
        Ins::SRange { d, a, b, u } => {
            let uni = tri!(rules.world.universe(u as usize));
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
        Ins::Alike { d, s, u } => {
            let uni = tri!(rules.world.universe(u as usize));
            let effect = rules.p.funcs.get(func as usize).is_some_and(|f| !f.pure_);
            // An enumerator that runs on the asking fiber is no effect.
            let asker = if effect && id != u16::MAX { int(win[0]) } else { cx.asker };
            let ci = uni.comps as usize;
            let many = crate::base::bitset::count_bits(slice(win, s, uni.w as usize));
            charge!(1 + many.saturating_mul(many) / 8);
            let st = &*st;
            set!(d, uni.w, |win: &Window, o: &mut [u64]| {
                for c in bitset::bits(slice(win, s, o.len())) {
                    if !bitset::bits(o).any(|b| knowledge::alike(rules.p, st, asker, ci, b, c)) {
                        graph::put(o, c);
                    }
                }
            });
        }
        Ins::Subsets { at, last, u, alike, action } => {
            cx.steps = steps;
            subset_ops::offer_subsets(rules, st, cx, win, (at, last, action), (u, alike))?;
            steps = cx.steps;
        }
        Ins::LLen { d, l } => win[d as usize] = win[l as usize],
        Ins::LGet { d, l, i } => {
            let n = int(win[l as usize]);
            let i = int(win[i as usize]);
            win[d as usize] =
                if (0..n).contains(&i) { u64::from(list_at(win, l, i as usize)) } else { NONE as u64 };
        }
        Ins::LPush { l, a, cap } => {
            let n = int(win[l as usize]).max(0) as usize;
            let x = win[a as usize];
            if n >= cap as usize {
                return Err(Stop::from(FaultKind::ListFull));
            }
            let Ok(x) = u16::try_from(x) else { return Err(Stop::from(FaultKind::NoSuchThing)) };
            put_list(win, l, n, x);
            win[l as usize] = n as u64 + 1;
        }
        Ins::LSet { d, l, w } => {
            let n = list_len(win, l);
            charge!(1 + n / 16);
            set!(d, w, |win: &Window, o: &mut [u64]| {
                (0..n).for_each(|i| graph::put(o, list_at(win, l, i) as usize));
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
        Ins::ZGet { d, p: q, i } => {
            let x = match (usize::try_from(int(win[q as usize])), usize::try_from(int(win[i as usize]))) {
                (Ok(place), Ok(i)) => cells::component_at(rules.p, st, place, i),
                _ => NONE,
            };
            win[d as usize] = x as u64;
        }
        Ins::StepSrc { d, s, r, m } => {
            let (map, n, w) = tri!(map_of(rules, m));
            charge!(1 + w);
            let dir = usize::try_from(int(win[r as usize])).ok();
            set!(d, w, |win: &Window, o: &mut [u64]| match dir {
                Some(dir) => graph::preimage(map, n, slice(win, s, w), dir, o),
                None => o.fill(0),
            });
        }
        Ins::Dist { d, a, b, m } => {
            let (map, n, _) = tri!(map_of(rules, m));
            let x = match (usize::try_from(int(win[a as usize])), usize::try_from(int(win[b as usize]))) {
                (Ok(a), Ok(b)) => graph::distance(map, n, a, b),
                _ => NONE,
            };
            if map.dist.is_empty() {
                charge!(n);
            }
            win[d as usize] = x as u64;
        }
        Ins::DistThru { d, a, b, s, m } => {
            let (map, n, w) = tri!(map_of(rules, m));
            charge!(1 + n);
            let set = slice(win, s, w);
            let x = match (usize::try_from(int(win[a as usize])), usize::try_from(int(win[b as usize]))) {
                (Ok(a), Ok(b)) => graph::distance_through(map, n, a, b, set),
                _ => NONE,
            };
            win[d as usize] = x as u64;
        }
        Ins::Reach { d, c, n: limit, s, m } => {
            let (map, n, w) = tri!(map_of(rules, m));
            charge!(1 + n);
            let limit = int(win[limit as usize]);
            let c = usize::try_from(int(win[c as usize])).unwrap_or(usize::MAX);
            set!(d, w, |win: &Window, o: &mut [u64]| graph::reach(map, n, c, limit, slice(win, s, w), o));
        }
        Ins::Flood { d, a, n: limit, s, m } => {
            let (map, n, w) = tri!(map_of(rules, m));
            charge!(1 + n);
            let limit = int(win[limit as usize]);
            set!(d, w, |win: &Window, o: &mut [u64]| {
                o.copy_from_slice(slice(win, a, w));
                graph::flood(map, limit, slice(win, s, w), o);
            });
        }
        Ins::RunC { d, c, p: pr, q, m } => {
            let (map, n, w) = tri!(map_of(rules, m));
            charge!(1 + map.dirs);
            let c = usize::try_from(int(win[c as usize])).unwrap_or(usize::MAX);
            set!(d, w, |win: &Window, o: &mut [u64]| {
                let (ps, qs) = (slice(win, pr, w), slice(win, q, w));
                for dir in 0..map.dirs as usize {
                    graph::add_run(map, n, c, dir, ps, qs, o);
                }
            });
        }
        Ins::RunDir { d, c, r, p: pr, q, m } => {
            let (map, n, w) = tri!(map_of(rules, m));
            let c = usize::try_from(int(win[c as usize])).unwrap_or(usize::MAX);
            let dir = usize::try_from(int(win[r as usize])).ok().filter(|r| *r < map.dirs as usize);
            set!(d, w, |win: &Window, o: &mut [u64]| {
                if let Some(dir) = dir {
                    graph::add_run(map, n, c, dir, slice(win, pr, w), slice(win, q, w), o);
                }
            });
        }
        Ins::SGrid { d, i, j, t } => {
            let (at, w) = tri!(grid_at(rules.p, t, int(win[i as usize]), int(win[j as usize])));
            charge!(w);
            let words = rules.p.sets.get(at..at + w);
            write_words(win, d, words.ok_or(FaultKind::OutsideTable)?);
        }
        Ins::Slides { d, c, r, s, m } => {
            let (map, n, w) = tri!(map_of(rules, m));
            charge!(1 + w);
            let c = usize::try_from(int(win[c as usize])).unwrap_or(usize::MAX);
            let dirs = win[r as usize];
            set!(d, w, |win: &Window, o: &mut [u64]| graph::slides(map, n, c, dirs, slice(win, s, w), o));
        }
        Ins::Joined { d, s, m } => {
            let (map, n, w) = tri!(map_of(rules, m));
            charge!(1 + n);
            let part = |k: usize| win.get(s as usize + k * w..s as usize + (k + 1) * w).unwrap_or(&[]);
            let yes = graph::is_joined(map, part(0), part(1), part(2));
            win[d as usize] = u64::from(yes);
        }
        Ins::LeaseGet { d, i, n } => {
            let i = int(win[i as usize]);
            for k in 0..n as usize {
                match layers::captured_word(st, i, k) {
                    Some(x) => win[reg(d, k)] = x,
                    None => return Err(Stop::from(FaultKind::BadProgram("a layer that is not there"))),
                }
            }
        }
        Ins::Hook { at, h } => {
            charge!(1u64);
            tri!(call_hook(rules.p, st, cx, win, at, h, &mut steps));
        }
        loop_instructions!() | line_instructions!() | effect_instructions!() => {
            return Err(Stop::from(FaultKind::BadProgram("an instruction of another kind")));
        }
    }
    *left = steps;
    Ok(())
}
