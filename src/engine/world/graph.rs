//! Queries on maps: steps, runs, reach, distances, lines. Sets are slices of words; grids of at most 64 spaces use shifts.
use crate::base::bitset::bits;
use houserule_program::ir::{LineTable, NONE, Topology};

/// The most words that a set of spaces may have.
pub(crate) const MAX_WORDS: usize = 32;
/// A set with room for the largest map.
pub(crate) type Buf = [u64; MAX_WORDS];

#[inline]
pub(crate) fn has(set: &[u64], i: usize) -> bool {
    set.get(i / 64).is_some_and(|w| w >> (i % 64) & 1 == 1)
}

#[inline]
pub(crate) fn put(set: &mut [u64], i: usize) {
    if let Some(w) = set.get_mut(i / 64) {
        *w |= 1 << (i % 64);
    }
}

/// The neighbour of `c` in a direction.
#[inline]
pub(crate) fn step(m: &Topology, n: usize, c: usize, dir: usize) -> Option<usize> {
    if c >= n {
        return None;
    }
    m.succ.get(dir * n + c).filter(|s| **s != u16::MAX).map(|s| *s as usize)
}

#[inline]
fn shift(m: &Topology, x: u64, dir: usize) -> u64 {
    match m.shifts.get(dir) {
        Some((by, mask)) if *by >= 0 => (x & mask).checked_shl(*by as u32).unwrap_or(0),
        Some((by, mask)) => (x & mask).checked_shr(by.unsigned_abs().into()).unwrap_or(0),
        None => 0,
    }
}

/// { c step dir : c in s } is put into `out`.
pub(crate) fn image(m: &Topology, n: usize, s: &[u64], dir: usize, out: &mut [u64]) {
    if !m.shifts.is_empty() {
        if let ([x], [y]) = (s, out) {
            *y = shift(m, *x, dir);
        }
        return;
    }
    out.fill(0);
    for c in bits(s) {
        if let Some(x) = step(m, n, c, dir) {
            put(out, x);
        }
    }
}

/// { c : c step dir in s } is put into `out`: a step back leads from each space of s to where it came from.
pub(crate) fn preimage(m: &Topology, n: usize, s: &[u64], dir: usize, out: &mut [u64]) {
    match m.back.get(dir) {
        Some(back) => image(m, n, s, usize::from(*back), out),
        None => out.fill(0),
    }
}

/// Adds the run from `c` in one direction to `out`, if there is one.
pub(crate) fn add_run(m: &Topology, n: usize, c: usize, dir: usize, p: &[u64], q: &[u64], out: &mut [u64]) {
    let mut first = true;
    let mut x = step(m, n, c, dir);
    let start = x;
    let mut left = n;
    while let Some(s) = x {
        if !has(p, s) || left == 0 {
            break;
        }
        first = false;
        left -= 1;
        x = step(m, n, s, dir);
    }
    if first || !x.is_some_and(|s| has(q, s)) {
        return;
    }
    let end = x;
    let mut x = start;
    while x != end {
        let Some(s) = x else { break };
        put(out, s);
        x = step(m, n, s, dir);
    }
}

/// All spaces from which a run starts.
pub(crate) fn run_sources(m: &Topology, n: usize, p: &[u64], q: &[u64], out: &mut [u64]) {
    out.fill(0);
    if let ([pw], [qw], [o], false) = (p, q, &mut *out, m.shifts.is_empty()) {
        for dir in 0..m.shifts.len() {
            let back = m.back.get(dir).copied().unwrap_or(0) as usize;
            // A run goes through spaces of both sets, and ends before a space of `q` alone.
            let mut t = shift(m, *qw & !pw, back) & pw;
            if t == 0 {
                continue;
            }
            loop {
                let more = t | (shift(m, t, back) & pw);
                if more == t {
                    break;
                }
                t = more;
            }
            *o |= shift(m, t, back);
        }
        return;
    }
    let w = out.len();
    for dir in 0..m.dirs as usize {
        let (mut t, mut u): (Buf, Buf) = ([0; MAX_WORDS], [0; MAX_WORDS]);
        let mut ends: Buf = [0; MAX_WORDS];
        ends.iter_mut().zip(q.iter().zip(p)).for_each(|(e, (q, p))| *e = q & !p);
        preimage(m, n, &ends[..w], dir, &mut t[..w]);
        t[..w].iter_mut().zip(p).for_each(|(a, b)| *a &= b);
        let mut left = n;
        loop {
            preimage(m, n, &t[..w], dir, &mut u[..w]);
            let mut grew = false;
            for i in 0..w {
                let more = t[i] | (u[i] & p.get(i).copied().unwrap_or(0));
                grew |= more != t[i];
                t[i] = more;
            }
            left = left.saturating_sub(1);
            if !grew || left == 0 {
                break;
            }
        }
        preimage(m, n, &t[..w], dir, &mut u[..w]);
        for i in 0..w {
            out[i] |= u[i];
        }
    }
}

/// The neighbours of `c`.
pub(crate) fn neighbours(m: &Topology, c: usize, w: usize) -> &[u64] {
    m.neighbours.get(c * w..c * w + w).unwrap_or(&[])
}

/// The neighbours of all of `s`.
pub(crate) fn dilate(m: &Topology, s: &[u64], out: &mut [u64]) {
    out.fill(0);
    let w = out.len();
    for c in bits(s) {
        for (o, x) in out.iter_mut().zip(neighbours(m, c, w)) {
            *o |= x;
        }
    }
}

/// Spaces within `limit` steps of `c` through `s`, `c` with them.
pub(crate) fn reach(m: &Topology, n: usize, c: usize, limit: i64, s: &[u64], out: &mut [u64]) {
    out.fill(0);
    if c < n {
        put(out, c);
        flood(m, limit, s, out);
    }
}

/// Adds to `out` the spaces within `limit` steps of those of `out` through `s`; each space is expanded once.
pub(crate) fn flood(m: &Topology, limit: i64, s: &[u64], out: &mut [u64]) {
    match out.len() {
        1 => flood_in::<1>(m, limit, s, out),
        2 => flood_in::<2>(m, limit, s, out),
        3..=6 => flood_in::<6>(m, limit, s, out),
        _ => flood_in::<MAX_WORDS>(m, limit, s, out),
    }
}

fn flood_in<const W: usize>(m: &Topology, limit: i64, s: &[u64], out: &mut [u64]) {
    let w = out.len().min(W);
    let mut edge = [0u64; W];
    edge[..w].copy_from_slice(&out[..w]);
    let mut round = 0;
    while limit == NONE || round < limit {
        let mut next = [0u64; W];
        for (i, word) in edge.iter().enumerate().take(w) {
            let mut left = *word;
            while left != 0 {
                let c = i * 64 + left.trailing_zeros() as usize;
                left &= left - 1;
                for (o, x) in next.iter_mut().zip(neighbours(m, c, w)) {
                    *o |= x;
                }
            }
        }
        let mut grew = 0;
        for i in 0..w {
            next[i] &= s.get(i).copied().unwrap_or(0) & !out[i];
            out[i] |= next[i];
            grew |= next[i];
        }
        if grew == 0 {
            break;
        }
        edge = next;
        round += 1;
    }
}

/// Steps from `a` to `b` over spaces of `s` (in which `b` must be).
pub(crate) fn distance_through(m: &Topology, n: usize, a: usize, b: usize, s: &[u64]) -> i64 {
    if a >= n || b >= n {
        return NONE;
    }
    if a == b {
        return 0;
    }
    let w = s.len().min(MAX_WORDS);
    let mut seen: Buf = [0; MAX_WORDS];
    let mut next: Buf = [0; MAX_WORDS];
    put(&mut seen[..w], a);
    let mut round = 0;
    loop {
        dilate(m, &seen[..w], &mut next[..w]);
        round += 1;
        let mut grew = false;
        for i in 0..w {
            let more = seen[i] | (next[i] & s[i]);
            grew |= more != seen[i];
            seen[i] = more;
        }
        if has(&seen[..w], b) {
            return round;
        }
        if !grew {
            return NONE;
        }
    }
}

/// Steps from `a` to `b` on the whole map.
pub(crate) fn distance(m: &Topology, n: usize, a: usize, b: usize) -> i64 {
    if a >= n || b >= n {
        return NONE;
    }
    match m.dist.get(a * n + b) {
        Some(255) => NONE,
        Some(d) => i64::from(*d),
        None => {
            let all: Buf = [u64::MAX; MAX_WORDS];
            distance_through(m, n, a, b, &all[..n.div_ceil(64).min(MAX_WORDS)])
        }
    }
}

/// Whether a path through `s` joins the two sets.
pub(crate) fn is_joined(m: &Topology, s: &[u64], one: &[u64], other: &[u64]) -> bool {
    match s.len() {
        1 => is_joined_in::<1>(m, s, one, other),
        2 => is_joined_in::<2>(m, s, one, other),
        3..=6 => is_joined_in::<6>(m, s, one, other),
        _ => is_joined_in::<MAX_WORDS>(m, s, one, other),
    }
}

/// As [`is_joined`], over sets of at most `W` words: a flood from one end that expands each space once.
fn is_joined_in<const W: usize>(m: &Topology, s: &[u64], one: &[u64], other: &[u64]) -> bool {
    let w = s.len().min(W);
    // Spaces that are not reached, spaces that are reached and not expanded, and spaces of the other end.
    let (mut left, mut edge, mut goal) = ([0u64; W], [0u64; W], [0u64; W]);
    let (mut begun, mut ends) = (0, 0);
    for i in 0..w {
        edge[i] = s[i] & one.get(i).copied().unwrap_or(0);
        goal[i] = s[i] & other.get(i).copied().unwrap_or(0);
        left[i] = s[i] & !edge[i];
        begun |= edge[i];
        ends |= goal[i];
    }
    if begun == 0 || ends == 0 {
        return false;
    }
    if (0..w).any(|i| edge[i] & goal[i] != 0) {
        return true;
    }
    let mut i = 0;
    while i < w {
        if edge[i] == 0 {
            i += 1;
            continue;
        }
        let c = i * 64 + edge[i].trailing_zeros() as usize;
        edge[i] &= edge[i] - 1;
        let mut back = i;
        for (k, near) in neighbours(m, c, w).iter().enumerate().take(w) {
            let new = near & left[k];
            if new & goal[k] != 0 {
                return true;
            }
            if new != 0 {
                left[k] &= !new;
                edge[k] |= new;
                back = back.min(k);
            }
        }
        i = back;
    }
    false
}

/// The ray from `c`, without it.
pub(crate) fn ray(m: &Topology, n: usize, c: usize, dir: usize, out: &mut [u64]) {
    out.fill(0);
    if c >= n {
        return;
    }
    if let Some((a, b)) = m.rays.get(dir * n + c)
        && let Some(list) = m.ray_list.get(*a as usize..*b as usize)
    {
        list.iter().for_each(|s| put(out, *s as usize));
    }
}

/// The ray from `c` in a direction through a set only, at most `most` spaces.
pub(crate) fn ray_through(
    m: &Topology,
    n: usize,
    c: usize,
    dir: usize,
    s: &[u64],
    most: usize,
    out: &mut [u64],
) {
    out.fill(0);
    let mut at = c;
    for _ in 0..most.min(n) {
        match step(m, n, at, dir).filter(|x| has(s, *x)) {
            Some(x) if !has(out, x) => at = x,
            _ => return,
        }
        put(out, at);
    }
}

/// The rays from `c` in the directions of `dirs`, each through `s` and with the space that ends it.
pub(crate) fn slides(m: &Topology, n: usize, c: usize, dirs: u64, s: &[u64], out: &mut [u64]) {
    out.fill(0);
    if c >= n {
        return;
    }
    for dir in bits(&[dirs]).take_while(|d| *d < m.dirs as usize) {
        if let Some((a, b)) = m.rays.get(dir * n + c)
            && let Some(list) = m.ray_list.get(*a as usize..*b as usize)
        {
            for x in list {
                put(out, *x as usize);
                if !has(s, *x as usize) {
                    break;
                }
            }
        }
    }
}

/// The direction from `a` to `b` if they stand in a line.
pub(crate) fn direction(m: &Topology, n: usize, a: usize, b: usize) -> i64 {
    if a >= n || a == b {
        return NONE;
    }
    for dir in 0..m.dirs as usize {
        if let Some((x, y)) = m.rays.get(dir * n + a)
            && let Some(list) = m.ray_list.get(*x as usize..*y as usize)
            && list.iter().any(|s| *s as usize == b)
        {
            return dir as i64;
        }
    }
    NONE
}

/// The things of constant list `i`, in order.
pub(crate) fn line(t: &LineTable, i: i64) -> &[u16] {
    usize::try_from(i)
        .ok()
        .and_then(|i| t.ranges.get(i))
        .and_then(|(a, b)| t.items.get(*a as usize..*b as usize))
        .unwrap_or(&[])
}

/// Constant list `i` as a set.
pub(crate) fn mask(t: &LineTable, i: usize, w: usize) -> &[u64] {
    t.masks.get(i * w..i * w + w).unwrap_or(&[])
}

/// Whether some list with `c` in it lies wholly in `s`.
#[inline]
pub(crate) fn line_through(t: &LineTable, c: usize, s: &[u64]) -> bool {
    let Some((a, b)) = t.through.get(c) else { return false };
    let (a, b) = (*a as usize, *b as usize);
    match s {
        // Without an early end, so that several are compared at once.
        [s] => {
            let masks = t.through_masks.get(a..b).unwrap_or(&[]);
            masks.iter().fold(false, |any, m| any | (m & !s == 0))
        }
        _ => {
            let w = s.len().max(1);
            let masks = t.through_masks.get(a * w..b * w).unwrap_or(&[]);
            masks.chunks_exact(w).any(|m| is_subset(m, s))
        }
    }
}

#[inline]
fn is_subset(m: &[u64], s: &[u64]) -> bool {
    m.iter().zip(s).all(|(m, s)| m & !s == 0)
}
