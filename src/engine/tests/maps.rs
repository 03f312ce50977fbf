//! Queries on maps: boards with shifts, boards with arrays, and slow reference code give the same results.
use super::*;
use rand::Rng;

const STEPS: [(i32, i32); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

/// A board of squares; with shifts only if it fits in a word and they are wanted.
fn board(b: &mut Build, cols: i32, rows: i32, shifts: bool) {
    let n = (cols * rows) as usize;
    let spaces = b.universe("cell", n as u32, UniverseSort::Spaces(Some(MapIx(b.p.maps.len() as u16))));
    let w = n.div_ceil(64);
    let step = |c: usize, dir: usize| -> Option<usize> {
        let (x, y) = (c as i32 % cols + STEPS[dir].0, c as i32 / cols + STEPS[dir].1);
        ((0..cols).contains(&x) && (0..rows).contains(&y)).then_some((y * cols + x) as usize)
    };
    let mut succ = Vec::new();
    let mut rays = Vec::new();
    let mut ray_list = Vec::new();
    let mut neighbours = vec![0u64; n * w];
    let mut table = Vec::new();
    for (dir, (x, y)) in STEPS.iter().enumerate() {
        let mut mask = 0u64;
        for c in 0..n {
            let next = step(c, dir);
            succ.push(next.map_or(u16::MAX, |x| x as u16));
            let from = ray_list.len() as u32;
            let mut x = next;
            while let Some(s) = x {
                ray_list.push(s as u16);
                x = step(s, dir);
            }
            rays.push((from, ray_list.len() as u32));
            if let Some(s) = next {
                neighbours[c * w + s / 64] |= 1 << (s % 64);
                mask |= if c < 64 { 1 << c } else { 0 };
            }
        }
        table.push(((y * cols + x) as i8, mask));
    }
    b.p.maps.push(Topology {
        in_play: None,
        name: "board".into(),
        spaces,
        size: (cols as u32, rows as u32),
        hexes: false,
        at: (0..n).map(|c| ((c as i32 % cols) as u16, (c as i32 / cols) as u16)).collect(),
        dirs: 8,
        succ,
        shifts: if shifts { table } else { Vec::new() },
        neighbours,
        ways: Vec::new(),
        rows: Vec::new(),
        dist: Vec::new(),
        back: (0..8).map(|d| (d + 4) % 8).collect(),
        rays,
        ray_list,
    });
}

/// Pure functions over map m: dilation, sources of runs, runs from a space, reach, steps through a set, whether two ends are joined, reach of a set, slides, sources of steps.
fn functions(b: &mut Build, m: u8, w: u8) -> [FuncId; 9] {
    // Sets are at registers 10, 10 + w, 10 + 2 w; results at 100.
    let (p, q) = (10, 10 + w);
    let give = |b: &mut Build, args: u8, ins: Ins, n: u8| {
        b.pure(
            args,
            n,
            vec![Ins::MovN { d: 10, a: 2, n: 3 * w }, ins, Ins::MovN { d: 0, a: 100, n }, Ins::Ret],
        )
    };
    let args = 2 + 3 * w;
    [
        give(b, args, Ins::Dilate { d: 100, s: p, m }, w),
        give(b, args, Ins::RunSrc { d: 100, p, q, m }, w),
        give(b, args, Ins::RunC { d: 100, c: 0, p, q, m }, w),
        give(b, args, Ins::Reach { d: 100, c: 0, n: 1, s: p, m }, w),
        give(b, args, Ins::DistThru { d: 100, a: 0, b: 1, s: p, m }, 1),
        give(b, args, Ins::Joined { d: 100, s: p, m }, 1),
        give(b, args, Ins::Flood { d: 100, a: p, n: 1, s: q, m }, w),
        give(b, args, Ins::Slides { d: 100, c: 0, r: 1, s: p, m }, w),
        give(b, args, Ins::StepSrc { d: 100, s: p, r: 1, m }, w),
    ]
}

fn has(set: &[u64], c: usize) -> bool {
    set[c / 64] >> (c % 64) & 1 == 1
}

/// Steps by breadth-first search.
fn far(succ: &[u16], n: usize, a: usize, b: usize, through: &[u64]) -> Option<i64> {
    let mut dist = vec![None; n];
    dist[a] = Some(0);
    let mut queue = std::collections::VecDeque::from([a]);
    while let Some(c) = queue.pop_front() {
        for dir in 0..8 {
            let s = succ[dir * n + c];
            if s != u16::MAX && dist[s as usize].is_none() && has(through, s as usize) {
                dist[s as usize] = dist[c].map(|d: i64| d + 1);
                queue.push_back(s as usize);
            }
        }
    }
    dist[b]
}

#[test]
fn shifts_arrays_and_plain_search_agree() {
    for (cols, rows, shifts) in [(8, 8, true), (8, 8, false), (7, 6, true), (11, 11, false), (3, 3, true)] {
        let mut b = Build::new(2);
        board(&mut b, cols, rows, shifts);
        let n = (cols * rows) as usize;
        let w = n.div_ceil(64);
        let [dilate, sources, runs, reach, through, joined, flood, slides, steps] =
            functions(&mut b, 0, w as u8);
        let succ = b.p.maps[0].succ.clone();
        let mut m = Machine::new(Arc::new(b.p.clone()), 7);
        let mut rng = Stream::new(11, 0);
        for round in 0..60 {
            // Dense sets, sparse ones, and all between; no space is in both.
            let mut p = vec![0u64; w];
            let mut q = vec![0u64; w];
            for c in 0..n {
                let x = rng.next_u64() % 10;
                if x < 3 + round % 5 {
                    p[c / 64] |= 1 << (c % 64);
                } else if x < 8 {
                    q[c / 64] |= 1 << (c % 64);
                }
            }
            let c = (rng.next_u64() % n as u64) as usize;
            let d = (rng.next_u64() % n as u64) as usize;
            let run = |m: &mut Machine, f, a: u64, b: u64, k: usize| {
                let mut args = vec![a, b];
                args.extend(&p);
                args.extend(&q);
                args.extend(&q);
                let mut out = vec![0u64; k];
                m.eval(f, &args, &mut out).unwrap();
                out
            };
            let got = run(&mut m, dilate, 0, 0, w);
            let near = |c: usize| (0..n).any(|x| has(&p, x) && (0..8).any(|d| succ[d * n + x] == c as u16));
            assert!((0..n).all(|c| has(&got, c) == near(c)));
            let dir = rng.next_u64() % 8;
            let got = run(&mut m, steps, 0, dir, w);
            let next = |c: usize| succ[dir as usize * n + c];
            assert!((0..n).all(|c| has(&got, c) == (next(c) != u16::MAX && has(&p, next(c) as usize))));
            // Runs, step by step.
            let plain = |c: usize| -> Vec<usize> {
                let mut out = Vec::new();
                for dir in 0..8 {
                    let mut line = Vec::new();
                    let mut x = succ[dir * n + c];
                    while x != u16::MAX && has(&p, x as usize) {
                        line.push(x as usize);
                        x = succ[dir * n + x as usize];
                    }
                    if !line.is_empty() && x != u16::MAX && has(&q, x as usize) {
                        out.extend(line);
                    }
                }
                out.sort();
                out
            };
            let from = run(&mut m, sources, 0, 0, w);
            for c in 0..n {
                let got = run(&mut m, runs, c as u64, 0, w);
                let got: Vec<usize> = (0..n).filter(|x| has(&got, *x)).collect();
                assert_eq!(got, plain(c));
                assert_eq!(has(&from, c), !got.is_empty(), "sources are where runs are");
            }
            let limit = rng.next_u64() % 4;
            let got = run(&mut m, reach, c as u64, limit, w);
            let all = run(&mut m, reach, c as u64, NONE as u64, w);
            for x in 0..n {
                let steps = far(&succ, n, c, x, &p);
                assert_eq!(has(&all, x), steps.is_some());
                assert_eq!(has(&got, x), steps.is_some_and(|s| s <= limit as i64));
            }
            let got = run(&mut m, through, c as u64, d as u64, 1)[0] as i64;
            assert_eq!(got, far(&succ, n, c, d, &p).unwrap_or(NONE));
            let got = run(&mut m, flood, 0, limit, w);
            let all = run(&mut m, flood, 0, NONE as u64, w);
            for x in 0..n {
                let steps = (0..n).filter(|a| has(&p, *a)).filter_map(|a| far(&succ, n, a, x, &q)).min();
                assert_eq!(has(&all, x), steps.is_some());
                assert_eq!(has(&got, x), steps.is_some_and(|s| s <= limit as i64));
            }
            let dirs = rng.next_u64() % 256;
            let got = run(&mut m, slides, c as u64, dirs, w);
            let mut plain = vec![0u64; w];
            for dir in (0..8).filter(|d| dirs >> d & 1 == 1) {
                let mut x = succ[dir * n + c];
                while x != u16::MAX {
                    plain[x as usize / 64] |= 1 << (x % 64);
                    x = if has(&p, x as usize) { succ[dir * n + x as usize] } else { u16::MAX };
                }
            }
            assert_eq!(got, plain);
            // Ends of one space each.
            let mut args = vec![0u64; 2 + 3 * w];
            args[2..2 + w].copy_from_slice(&p);
            args[2 + w + c / 64] |= 1 << (c % 64);
            args[2 + 2 * w + d / 64] |= 1 << (d % 64);
            let mut out = [0u64];
            m.eval(joined, &args, &mut out).unwrap();
            let both = has(&p, c) && has(&p, d);
            assert_eq!(out[0] != 0, both && far(&succ, n, c, d, &p).is_some());
        }
    }
}

#[test]
fn there_is_no_step_beyond_the_edge() {
    let mut b = Build::new(2);
    board(&mut b, 3, 3, true);
    let step = b.pure(2, 1, vec![Ins::StepC { d: 0, c: 0, r: 1, m: 0 }, Ins::Ret]);
    let line = b.pure(2, 1, vec![Ins::DirOf { d: 0, a: 0, b: 1, m: 0 }, Ins::Ret]);
    let dist = b.pure(2, 1, vec![Ins::Dist { d: 0, a: 0, b: 1, m: 0 }, Ins::Ret]);
    for (c, dir, next) in
        [(0, 0, 3), (2, 2, NONE), (8, 1, NONE), (4, 5, 0), (NONE, 0, NONE), (0, NONE, NONE), (0, 99, NONE)]
    {
        assert_eq!(b.value(step, &[c, dir], 1), Ok(vec![next]), "{c} {dir}");
    }
    assert_eq!(b.value(line, &[0, 8], 1), Ok(vec![1]));
    assert_eq!(b.value(line, &[0, 5], 1), Ok(vec![NONE]));
    assert_eq!(b.value(line, &[4, 4], 1), Ok(vec![NONE]));
    assert_eq!(b.value(dist, &[0, 8], 1), Ok(vec![2]));
    assert_eq!(b.value(dist, &[0, 99], 1), Ok(vec![NONE]));
}

#[test]
fn lines_are_found_through_a_space() {
    let mut b = Build::new(2);
    let cells = b.universe("cell", 70, UniverseSort::Words);
    // Three lines: 0 1 2, 2 1 69, 69 68.
    let lists: [&[u16]; 3] = [&[0, 1, 2], &[2, 1, 69], &[69, 68]];
    let lists = lists.map(|l| l.to_vec());
    let t = houserule_program::line_table(cells, None, 70, &lists);
    b.p.line_tables.push(t);
    let lx = LinesIx(0);
    let f = b.pure(
        3,
        5,
        vec![
            // The set in registers 0 and 1, the space in 2.
            Ins::LineThru { d: 10, c: 2, s: 0, t: lx },
            Ins::Li { d: 5, k: 1 },
            Ins::LineFirst { d: 11, i: 5, s: 0, t: lx },
            Ins::LinesMeeting { d: 12, s: 0, t: lx },
            Ins::Li { d: 6, k: 2 },
            Ins::LineGet { d: 13, i: 5, j: 6, t: lx },
            Ins::MovN { d: 0, a: 10, n: 4 },
            Ins::Ret,
        ],
    );
    let at = |cs: &[u64]| {
        cs.iter().fold([0i64; 2], |mut m, c| {
            m[*c as usize / 64] |= 1 << (c % 64);
            m
        })
    };
    let ask = |b: &Build, cs: &[u64], c: i64| {
        let s = at(cs);
        b.value(f, &[s[0], s[1], c], 4).unwrap()
    };
    assert_eq!(ask(&b, &[0, 1, 2], 1), [1, 2, 0b011, 69]);
    assert_eq!(ask(&b, &[0, 1, 2], 69), [0, 2, 0b011, 69]);
    assert_eq!(ask(&b, &[68, 69], 69), [1, 69, 0b110, 69]);
    assert_eq!(ask(&b, &[68, 1], NONE), [0, 1, 0b111, 69]);
}
