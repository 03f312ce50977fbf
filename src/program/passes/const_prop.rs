//! Constant propagation by forward dataflow over one function: registers that are none or not none, constant sets, components that lie on the map. Removes branches whose outcome is
//! known.
//!
//! It walks the code once, from the first to the last instruction. Facts before a jump are kept for its target; where paths join, the facts that hold on all of them remain; at the
//! head of a loop, the facts that nothing in the loop changes.
use super::bitmap_families::Words;
use crate::ir::def_use::{Use, used, words};
use crate::ir::*;
use crate::passes::bitmap_families::{NewGroups, Rows};

/// Facts at one place of the code.
#[derive(Clone)]
struct Facts {
    /// Registers that are not none.
    some: RegSet,
    /// Registers that are none.
    none: RegSet,
    /// Components that lie on a space, with their universe: a register, or the first register of a set of them.
    placed: Vec<(R, u8)>,
    /// Constant sets.
    sets: Vec<(R, Words)>,
    /// Sets that are copies of others, with their width.
    copies: Vec<(R, R, u8)>,
    /// Sets that depend on one number alone.
    rows: Rows,
}

impl Facts {
    fn nothing() -> Facts {
        Facts {
            some: RegSet::default(),
            none: RegSet::default(),
            placed: Vec::new(),
            sets: Vec::new(),
            copies: Vec::new(),
            rows: Rows::default(),
        }
    }

    fn forget(&mut self, p: &Program, r: R, n: u8) {
        self.some.remove_run(r, n);
        self.none.remove_run(r, n);
        self.placed.retain(|(x, u)| !overlap(*x, words(p, *u), r, n));
        self.sets.retain(|(x, words)| !overlap(*x, words.len() as u8, r, n));
        self.copies.retain(|(x, a, w)| !overlap(*x, *w, r, n) && !overlap(*a, *w, r, n));
        self.rows.forget(r, n);
    }

    /// Keeps the facts that hold in both.
    fn meet_with(&mut self, o: &Facts) {
        self.some.intersect_with(o.some);
        self.none.intersect_with(o.none);
        self.placed.retain(|x| o.placed.contains(x));
        self.sets.retain(|x| o.sets.contains(x));
        self.copies.retain(|x| o.copies.contains(x));
        self.rows.meet_with(&o.rows);
    }

    fn set(&self, r: R, w: u8) -> Option<&Words> {
        self.sets.iter().find(|(x, words)| *x == r && words.len() == w as usize).map(|(_, words)| words)
    }

    /// Whether two sets are equal.
    fn is_same_set(&self, a: R, b: R, w: u8) -> bool {
        a == b || self.copies.iter().any(|x| *x == (a, b, w) || *x == (b, a, w))
    }

    fn is_placed(&self, r: R, u: u8) -> bool {
        self.placed.contains(&(r, u))
    }
}

/// The set of a whole universe.
fn full_set(p: &Program, u: u8) -> Words {
    let (n, w) = p.universes.get(u as usize).map_or((0, 1), |u| (u.n as usize, u.w as usize));
    let word = |i: usize| match n.saturating_sub(i * 64) {
        left if left >= 64 => u64::MAX,
        left => (1 << left) - 1,
    };
    (0..w).map(word).collect()
}

/// Folds a set operation on constants; none if the instruction is no such operation.
fn join_sets(p: &Program, f: &Facts, ins: &Ins) -> Option<(R, Words)> {
    let both = |a: R, b: R, w: u8, f2: fn(u64, u64) -> u64| {
        let (a, b) = (f.set(a, w)?, f.set(b, w)?);
        Some(a.iter().zip(b).map(|(a, b)| f2(*a, *b)).collect())
    };
    Some(match *ins {
        Ins::SAnd { d, a, b, w } => (d, both(a, b, w, |a, b| a & b)?),
        Ins::SOr { d, a, b, w } => (d, both(a, b, w, |a, b| a | b)?),
        Ins::SAndNot { d, a, b, w } if f.is_same_set(a, b, w) => (d, Words::from_elem(0, w as usize)),
        Ins::SAndNot { d, a, b, w } => (d, both(a, b, w, |a, b| a & !b)?),
        Ins::SNot { d, a, u } => {
            let w = words(p, u);
            (d, f.set(a, w)?.iter().zip(full_set(p, u)).map(|(a, all)| all & !a).collect())
        }
        _ => return None,
    })
}

/// Simplifies a pure function by its facts. `lay` stores a constant set in the program, `made` gets new bitmaps. Returns, if anything changed, which instructions cannot fail.
pub fn propagate(
    p: &Program,
    code: &mut [Ins],
    mut lay: impl FnMut(&[u64]) -> u32,
    made: &mut NewGroups,
) -> Option<Vec<bool>> {
    let n = code.len();
    // A trial changes places for a while, so functions with trials are left as they are.
    if n < 4 || code.iter().any(|ins| matches!(ins, Ins::Try { .. } | Ins::Untry)) {
        return None;
    }
    let mut cannot_fail = vec![false; n];
    // Targets of jumps backwards, with the last jump to each.
    let mut back = vec![0usize; n + 1];
    for (k, ins) in code.iter().enumerate() {
        if let Some(to) = ins.target().map(|to| to as usize).filter(|to| *to <= k) {
            back[to] = back[to].max(k);
        }
    }
    let mut laid_by: Vec<Option<Facts>> = vec![None; n + 1];
    let mut now: Option<Facts> = Some(Facts::nothing());
    let mut changed = false;
    for k in 0..n {
        match (&mut now, laid_by[k].take()) {
            (Some(f), Some(other)) => f.meet_with(&other),
            (none @ None, other) => *none = other,
            (Some(_), None) => {}
        }
        if back[k] > 0 {
            // At an entry that is reached only by jumps backwards nothing is known.
            let known = now.as_mut().is_some_and(|f| forget_loop_changes(p, f, code, (k, back[k])));
            if !known {
                now = Some(Facts::nothing());
            }
        }
        let Some(f) = &mut now else {
            // Unreachable code.
            if !matches!(code[k], Ins::Ret | Ins::Mov { d: 0, a: 0 }) {
                code[k] = Ins::Mov { d: 0, a: 0 };
                changed = true;
            }
            continue;
        };
        let constant = join_sets(p, f, &code[k]);
        if let Some((d, words)) = &constant {
            code[k] = Ins::SConst { d: *d, w: words.len() as u8, k: lay(words) };
            changed = true;
        }
        let simplified = match code[k] {
            Ins::JNone { a, .. } if f.some.contains(a) => Some(Ins::Mov { d: a, a }),
            Ins::JNone { a, to } if f.none.contains(a) => Some(Ins::Jmp { to }),
            Ins::JSome { a, .. } if f.none.contains(a) => Some(Ins::Mov { d: a, a }),
            Ins::JSome { a, to } if f.some.contains(a) => Some(Ins::Jmp { to }),
            Ins::JNil { s, w, to } => f.set(s, w).map(|x| decided_jump(x.iter().all(|x| *x == 0), to)),
            Ins::JAny { s, w, to } => f.set(s, w).map(|x| decided_jump(x.iter().any(|x| *x != 0), to)),
            Ins::Jz { a, to } => f.set(a, 1).map(|x| decided_jump(x[..] == [0], to)),
            Ins::Jnz { a, to } => f.set(a, 1).map(|x| decided_jump(x[..] != [0], to)),
            // All members lie on a space.
            Ins::SAtIn { d, e, s, u, w }
                if f.is_placed(e, u)
                    && space_universe_of(p, u).is_some_and(|of| f.set(s, w) == Some(&full_set(p, of))) =>
            {
                Some(Ins::MovN { d, a: e, n: words(p, u) })
            }
            // The value was read before and is still in a register.
            ref ins => match (f.rows.available_read(ins), ins) {
                (Some(a), Ins::LdAt { d, .. } | Ins::LdFace { d, .. }) => Some(Ins::Mov { d: *d, a }),
                _ => None,
            },
        };
        if let Some(ins) = simplified {
            code[k] = ins;
            changed = true;
        }
        let ins = code[k];
        let Some(u) = used(p, &ins) else {
            now = Some(Facts::nothing());
            continue;
        };
        cannot_fail[k] = match ins {
            Ins::LdAt { c, u, .. } => f.is_placed(c, u),
            Ins::LdTable { i, table, .. } => {
                f.some.contains(i)
                    && p.tables.get(table.index()).is_some_and(|t| f.rows.is_thing_of(i, t.universe.0 as u8))
            }
            _ => false,
        };
        // Facts about the results follow from facts about the sources.
        let mut new = Facts::nothing();
        match constant {
            Some(set) => new.sets.push(set),
            None => {
                learn(p, f, &ins, &mut new);
                let sets = |r: R, w: u8| f.set(r, w).cloned();
                f.rows.learn(p, &ins, sets, &mut new.rows);
                if let Some(found) = f.rows.find_planes(p, &ins, &new.rows, made) {
                    code[k] = found;
                    changed = true;
                }
            }
        }
        for (r, n) in &u.writes {
            f.forget(p, *r, *n);
        }
        if let Some(from) = u.window {
            f.forget(p, from, u8::MAX - from);
            f.forget(p, u8::MAX, 1);
        }
        f.some.union_with(new.some);
        f.none.union_with(new.none);
        f.placed.append(&mut new.placed);
        f.sets.append(&mut new.sets);
        f.copies.append(&mut new.copies);
        f.rows.add_rows(&mut new.rows);
        // The facts at the target of a jump, and after it.
        if let Some(to) = ins.target().map(|to| to as usize).filter(|to| *to > k) {
            let mut there = f.clone();
            match ins {
                Ins::JSome { a, .. } => there.some.insert(a),
                Ins::JNone { a, .. } => there.none.insert(a),
                // If no element is left, the register is none.
                Ins::SNext { i, .. } => there.forget(p, i, 1),
                // The cached set was found by the code that follows.
                Ins::Noted { d, .. } => there.placed.extend(placed_set_found(p, &code[k + 1..to], d)),
                _ => {}
            }
            match &mut laid_by[to] {
                Some(x) => x.meet_with(&there),
                none => *none = Some(there),
            }
        }
        match ins {
            Ins::JNone { a, .. } => f.some.insert(a),
            Ins::JSome { a, .. } => f.none.insert(a),
            // The loop is over.
            Ins::SMore { i, .. } => f.forget(p, i, 1),
            Ins::Jmp { .. } | Ins::Ret => now = None,
            _ => {}
        }
    }
    changed.then_some(cannot_fail)
}

/// The universe of a set whose members all lie on spaces, if the code that finds it ends with a cut by space.
fn placed_set_found(p: &Program, code: &[Ins], d: R) -> Option<(R, u8)> {
    for ins in code.iter().rev().filter(|ins| !matches!(ins, Ins::Note { .. })) {
        match *ins {
            Ins::SAtIn { d: x, u, .. } | Ins::SCrowdAt { d: x, u, .. } if x == d => {
                return space_universe_of(p, u).map(|_| (d, u));
            }
            _ if used(p, ins).is_none_or(|u| u.writes.iter().any(|(r, n)| overlap(*r, *n, d, 1))) => {
                return None;
            }
            _ => {}
        }
    }
    None
}

/// A decided jump: always or never taken.
fn decided_jump(yes: bool, to: u32) -> Ins {
    if yes { Ins::Jmp { to } } else { Ins::Mov { d: 0, a: 0 } }
}

/// The universe of the spaces of a universe's components, if these lie on the spaces of one map.
pub fn space_universe_of(p: &Program, u: u8) -> Option<u8> {
    let UniverseSort::Components(ci) = p.universes.get(u as usize)?.sort else { return None };
    let mut on = p.zones.iter().filter(|z| z.holds == ci).filter_map(|z| z.of).filter(|x| p.is_map(*x));
    let first = on.next()?;
    on.all(|x| x == first).then_some(first.0 as u8)
}

/// Adds the facts that an instruction establishes about its results.
fn learn(p: &Program, f: &Facts, ins: &Ins, new: &mut Facts) {
    match *ins {
        Ins::Li { d, k } if k == NONE as i32 => new.none.insert(d),
        Ins::Li { d, .. } | Ins::ZLen { d, .. } | Ins::SCount { d, .. } | Ins::EqK { d, .. } => {
            new.some.insert(d)
        }
        Ins::Mov { d, a } => {
            if d != a {
                new.copies.push((d, a, 1));
            }
            if f.some.contains(a) {
                new.some.insert(d);
            }
            if f.none.contains(a) {
                new.none.insert(d);
            }
            new.placed
                .extend(f.placed.iter().filter(|(x, u)| *x == a && words(p, *u) == 1).map(|(_, u)| (d, *u)));
            new.sets
                .extend(f.sets.iter().filter(|(x, s)| *x == a && s.len() == 1).map(|(_, s)| (d, s.clone())));
        }
        Ins::MovN { d, a, n } => {
            if !overlap(d, n, a, n) {
                new.copies.push((d, a, n));
            }
            new.placed
                .extend(f.placed.iter().filter(|(x, u)| *x == a && words(p, *u) == n).map(|(_, u)| (d, *u)));
            new.sets.extend(f.set(a, n).map(|s| (d, s.clone())));
        }
        Ins::SConst { d, w, k } => {
            new.sets
                .extend(p.sets.get(k as usize..k as usize + w as usize).map(|s| (d, Words::from_slice(s))));
        }
        Ins::SAll { d, u } => new.sets.push((d, full_set(p, u))),
        Ins::SZero { d, w } => new.sets.push((d, Words::from_elem(0, w as usize))),
        // The element is not none; if all members lie on a space, the element does.
        Ins::SNext { i, s, .. } | Ins::SMore { i, s, .. } => {
            new.some.insert(i);
            new.placed.extend(f.placed.iter().filter(|(x, _)| *x == s).map(|(_, u)| (i, *u)));
        }
        Ins::LdAt { d, c, u } => {
            if f.is_placed(c, u) {
                new.some.insert(d);
            }
            if let Some(of) = space_universe_of(p, u) {
                new.rows.add_thing(d, of);
            }
        }
        Ins::LdFace { d, u, .. } => {
            new.some.insert(d);
            if let Some(c) = p.components_of(UniverseId(u16::from(u))) {
                new.rows.add_thing(d, c.faces.0 as u8);
            }
        }
        Ins::SAtIn { d, u, .. } | Ins::SCrowdAt { d, u, .. } if space_universe_of(p, u).is_some() => {
            new.placed.push((d, u))
        }
        Ins::HeldIn { d, zone, .. } => {
            let z = p.zones.get(zone.index());
            let held = z.and_then(|z| p.comps.get(z.holds as usize)).map(|c| c.universe.0 as u8);
            if let (Some(u), Some(of)) = (held, z.and_then(|z| z.of))
                && space_universe_of(p, u) == Some(of.0 as u8)
            {
                new.placed.push((d, u));
            }
        }
        Ins::SAnd { d, a, b, w } => {
            let of = |x: &&(R, u8)| (x.0 == a || x.0 == b) && words(p, x.1) == w;
            new.placed.extend(f.placed.iter().filter(of).map(|(_, u)| (d, *u)));
        }
        Ins::SAndNot { d, a, w, .. } => {
            let of = |x: &&(R, u8)| x.0 == a && words(p, x.1) == w;
            new.placed.extend(f.placed.iter().filter(of).map(|(_, u)| (d, *u)));
        }
        Ins::SByFace { d, s, u, .. } | Ins::SByShown { d, s, u, .. } if f.is_placed(s, u) => {
            new.placed.push((d, u))
        }
        Ins::SDel { d, w, .. } => {
            let of = |x: &&(R, u8)| x.0 == d && words(p, x.1) == w;
            new.placed.extend(f.placed.iter().filter(of).map(|(_, u)| (d, *u)));
        }
        _ => {}
    }
}

/// Forgets what a loop changes, from its first to its last instruction; returns false if that is unknown.
fn forget_loop_changes(p: &Program, f: &mut Facts, code: &[Ins], (head, end): (usize, usize)) -> bool {
    let Some(body) = code.get(head..=end) else { return false };
    let Some(uses) = body.iter().map(|ins| used(p, ins)).collect::<Option<Vec<Use>>>() else { return false };
    let over = |u: &Use, r: R, w: u8| {
        u.window.is_some_and(|x| x < r.saturating_add(w))
            || u.writes.iter().any(|(x, n)| overlap(*x, *n, r, w))
    };
    // A set from which members are removed keeps the facts about all its members.
    let only_less = |r: R, w: u8| {
        body.iter().zip(&uses).all(|(ins, u)| matches!(ins, Ins::SDel { d, .. } if *d == r) || !over(u, r, w))
    };
    let mut placed: Vec<(R, u8)> = Vec::new();
    placed.extend(f.placed.iter().filter(|(r, u)| only_less(*r, words(p, *u))));
    // If only the end of the loop jumps back to its head, the element is not none in the loop.
    let mut element = None;
    let ways_back = body.iter().filter(|ins| ins.target() == Some(head as u32)).count();
    if let (Ins::SMore { i, s, to, .. }, 1) = (code[end], ways_back)
        && to as usize == head
        && !uses.iter().take(end - head).any(|u| over(u, i, 1))
        && f.some.contains(i)
    {
        element = Some(i);
        let too: Vec<(R, u8)> = placed.iter().filter(|(r, _)| *r == s).map(|(_, u)| (i, *u)).collect();
        placed.extend(too.into_iter().filter(|x| f.placed.contains(x)));
    }
    for u in &uses {
        for (r, n) in &u.writes {
            f.forget(p, *r, *n);
        }
        if let Some(from) = u.window {
            f.forget(p, from, u8::MAX - from);
            f.forget(p, u8::MAX, 1);
        }
    }
    if let Some(i) = element {
        f.some.insert(i);
    }
    for x in placed {
        if !f.placed.contains(&x) {
            f.placed.push(x);
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserule_text::{File, Files};

    /// A program with components on a map; the universe of the components and the width of a set of spaces.
    fn program() -> (Program, u8, u8) {
        let mut files = Files::new();
        files.add(File::new("crowds.rules", include_str!("../../../tests/suite/laws/crowds.rules")));
        let checked = houserule_model::check(&files);
        let m = checked.model.unwrap_or_else(|| panic!("{:?}", checked.report.findings));
        let set = crate::Resolved {
            players: 2,
            seats: 2,
            own: 2,
            answered: vec![1, 2],
            // The game and its scenario, which draws the map.
            scopes: vec![houserule_model::hir::ScopeId(0), houserule_model::hir::ScopeId(1)],
            options: Vec::new(),
            names: Vec::new(),
            timed: false,
        };
        let p = crate::lower(&m, &crate::Facts::of(&m), &set, crate::LowerOptions::default());
        let p = p.unwrap_or_else(|findings| panic!("{findings:?}"));
        let named = |name: &str| p.universes.iter().position(|u| &*u.name == name).expect("a universe");
        let (men, spots) = (named("Man") as u8, named("Spot") as u8);
        let w = words(&p, spots);
        (p, men, w)
    }

    fn simplified(p: &Program, code: &[Ins]) -> Vec<Ins> {
        let mut code = code.to_vec();
        propagate(p, &mut code, |_| 0, &mut NewGroups::default());
        code
    }

    #[test]
    fn place_reads_of_placed_components_are_removed() {
        let (p, u, w) = program();
        let code = |between: Ins| {
            vec![
                Ins::SAtIn { d: 20, e: 21, s: 30, u, w },
                between,
                Ins::Li { d: 1, k: NONE as i32 },
                Ins::SNext { i: 1, s: 20, w: 1, to: 7 },
                Ins::LdAt { d: 2, c: 1, u },
                Ins::JNone { a: 2, to: 6 },
                Ins::SMore { i: 1, s: 20, w: 1, to: 4 },
                Ins::Ret,
            ]
        };
        let asked = |code: &[Ins]| simplified(&p, code).iter().any(|ins| matches!(ins, Ins::JNone { .. }));
        assert!(!asked(&code(Ins::Li { d: 40, k: 0 })));
        // For another set nothing is known; an element that a loop takes out of the set is still one of its members.
        assert!(asked(&code(Ins::SAll { d: 20, u })));
        assert!(asked(&code(Ins::SOr { d: 20, a: 20, b: 21, w: 1 })));
        assert!(!asked(&code(Ins::SAndNot { d: 20, a: 20, b: 21, w: 1 })));
        let mut less = code(Ins::Li { d: 40, k: 0 });
        less[5] = Ins::SDel { d: 20, i: 1, w: 1 };
        less[6] = Ins::JNone { a: 2, to: 7 };
        less[7] = Ins::SMore { i: 1, s: 20, w: 1, to: 4 };
        less.push(Ins::Ret);
        if let Ins::SNext { to, .. } = &mut less[3] {
            *to = 8;
        }
        assert!(!asked(&less));
        less[5] = Ins::SIns { d: 20, i: 9, w: 1 };
        assert!(asked(&less), "something was put into it");
    }

    #[test]
    fn facts_that_hold_on_all_paths_survive_a_join() {
        let (p, ..) = program();
        let code = |k: i32| {
            vec![
                Ins::LdAttr { d: 1, e: 0, attr: AttrIx(0) },
                Ins::JNone { a: 1, to: 3 },
                Ins::Jmp { to: 4 },
                Ins::Li { d: 1, k },
                Ins::JNone { a: 1, to: 6 },
                Ins::EqK { d: 0, a: 1, k: 3 },
                Ins::Ret,
            ]
        };
        assert_eq!(simplified(&p, &code(5))[4], Ins::Mov { d: 1, a: 1 });
        assert_eq!(simplified(&p, &code(NONE as i32))[4], Ins::JNone { a: 1, to: 6 });
    }

    #[test]
    fn unreachable_code_is_removed_and_constant_sets_are_joined() {
        let (p, ..) = program();
        let code = [
            Ins::SZero { d: 1, w: 1 },
            Ins::JNil { s: 1, w: 1, to: 3 },
            Ins::SIns { d: 1, i: 9, w: 1 },
            Ins::SAndNot { d: 2, a: 7, b: 7, w: 1 },
            Ins::Jnz { a: 2, to: 6 },
            Ins::SOr { d: 0, a: 1, b: 2, w: 1 },
            Ins::Ret,
        ];
        let nothing = Ins::Mov { d: 0, a: 0 };
        let constant = |d: R| Ins::SConst { d, w: 1, k: 0 };
        let expected = [code[0], Ins::Jmp { to: 3 }, nothing, constant(2), nothing, constant(0), Ins::Ret];
        assert_eq!(simplified(&p, &code), expected);
    }
}
