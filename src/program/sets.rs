//! Sets as code, lifted to set operations where they can be, and what is folded over them.
use super::build::{Bind, FnBuild};
use super::ir::*;
use super::lower::{Home, Lower};
use super::setup::SeededFault;
use crate::model::body::types;
use crate::model::hir::*;

impl Lower<'_> {
    /// A set over universe `u` in registers of its own (or where it stands already).
    pub fn set(&mut self, f: &mut FnBuild, e: &Expr, u: UniverseId) -> R {
        if let ExprKind::Local(l) = &*e.kind
            && let Some(Bind::Reg(r)) = self.bound(f, *l)
            && matches!(e.ty, Ty::Set(_) | Ty::List(_))
        {
            return r;
        }
        let w = self.w(u);
        let d = f.alloc(w);
        self.set_into(f, e, u, d);
        d
    }

    /// A set over universe `u` into registers from `d`. A single thing is the set of it; none is the empty set.
    #[allow(clippy::too_many_lines)] // One arm a form of the language.
    pub fn set_into(&mut self, f: &mut FnBuild, e: &Expr, u: UniverseId, d: R) {
        f.at(e.span);
        let w = self.w(u);
        let u8_ = u.0 as u8;
        let base = f.next;
        if !matches!(e.ty, Ty::Set(_) | Ty::List(_)) {
            let r = self.one(f, e);
            let i = self.to_element(f, u, r);
            f.emit(Ins::SOne { d, i, w });
            f.next = base;
            return;
        }
        match &*e.kind {
            ExprKind::Local(l) => match self.bound(f, *l) {
                Some(Bind::Reg(a)) => {
                    if a != d {
                        f.emit(Ins::MovN { d, a, n: w });
                    }
                }
                Some(Bind::Alias(x, env)) => self.within(f, env, |s, f| s.set_into(f, &x, u, d)),
                _ => self.fail(e.span, "this name here"),
            },
            ExprKind::All(k) => {
                if types::is_component(self.m, *k) {
                    let words = self.things_of.get(k).cloned().unwrap_or_default();
                    let at = self.const_set(&words);
                    f.emit(Ins::SConst { d, w, k: at });
                } else {
                    f.emit(Ins::SAll { d, u: u8_ });
                }
            }
            ExprKind::Faces(k) => {
                // Faces of a subkind are those of its members.
                let index = self.comps_of.get(&self.root(*k)).copied().unwrap_or(0) as usize;
                let mut words = vec![0u64; w as usize];
                for (i, (m, _)) in
                    self.face_members.get(index).cloned().unwrap_or_default().into_iter().enumerate()
                {
                    if self.m.members.get(m.index()).is_some_and(|d| types::is_a(self.m, d.kind, *k)) {
                        words[i / 64] |= 1 << (i % 64);
                    }
                }
                let at = self.const_set(&words);
                f.emit(Ins::SConst { d, w, k: at });
            }
            ExprKind::Builtin(b, args) => self.builtin_set(f, *b, args, e, u, d),
            ExprKind::Zone(_, z, _) => {
                let slot = self.m.zones[z.index()].slot;
                let p = f.alloc(1);
                self.place_into(f, e, p);
                let _ = slot;
                f.emit(Ins::Members { d, p, u: u8_ });
            }
            ExprKind::Box(k) => {
                let p = f.alloc(1);
                self.place_into(f, e, p);
                f.emit(Ins::Members { d, p, u: u8_ });
                if self.root(*k) != *k {
                    let words = self.things_of.get(k).cloned().unwrap_or_default();
                    let at = self.const_set(&words);
                    let c = f.alloc(w);
                    f.emit(Ins::SConst { d: c, w, k: at });
                    f.emit(Ins::SAnd { d, a: d, b: c, w });
                }
            }
            ExprKind::Where(s, l, cond) => {
                if let (Ty::List(t), Some(table)) = (&s.ty, self.lines_of(f, s)) {
                    let _ = (t, table);
                    self.fail(e.span, "filtered lists of lists");
                }
                self.set_into(f, s, u, d);
                let env = f.env;
                let rest = self.filter_lifted(f, d, u, *l, &[(cond, env)], self.everything(s));
                self.filter_each(f, d, u, *l, &rest);
            }
            ExprKind::Union(a, b) => {
                self.set_into(f, a, u, d);
                let r = self.set(f, b, u);
                f.emit(Ins::SOr { d, a: d, b: r, w });
            }
            ExprKind::Without(a, b) => {
                self.set_into(f, a, u, d);
                let r = self.set(f, b, u);
                f.emit(Ins::SAndNot { d, a: d, b: r, w });
            }
            ExprKind::Set(all) | ExprKind::List(all) => {
                let known: Option<Vec<i64>> = all
                    .iter()
                    .map(|x| if matches!(x.ty, Ty::Set(_) | Ty::List(_)) { None } else { self.known(x) })
                    .collect();
                if let Some(known) = known {
                    let lo = i64::from(self.lo(u));
                    let mut words = vec![0u64; w as usize];
                    for k in known.into_iter().filter(|k| *k != NONE) {
                        let i = (k - lo) as usize;
                        if let Some(word) = words.get_mut(i / 64) {
                            *word |= 1 << (i % 64);
                        }
                    }
                    let at = self.const_set(&words);
                    f.emit(Ins::SConst { d, w, k: at });
                } else {
                    f.emit(Ins::SZero { d, w });
                    for x in all {
                        let base = f.next;
                        if matches!(x.ty, Ty::Set(_) | Ty::List(_)) {
                            let r = self.set(f, x, u);
                            f.emit(Ins::SOr { d, a: d, b: r, w });
                        } else {
                            let r = self.one(f, x);
                            let i = self.to_element(f, u, r);
                            f.emit(Ins::SIns { d, i, w });
                        }
                        f.next = base;
                    }
                }
            }
            ExprKind::Range(a, b) => {
                let (a, b) = (self.needed(f, a), self.needed(f, b));
                f.emit(Ins::SRange { d, a, b, u: u8_ });
            }
            ExprKind::If(c, a, b) => {
                let (other, end) = (f.label(), f.label());
                let r = self.needed(f, c);
                f.jz(r, other);
                self.set_into(f, a, u, d);
                f.jmp(end);
                f.place(other);
                self.set_into(f, b, u, d);
                f.place(end);
            }
            ExprKind::Let(l, x, body) => {
                let w = self.width(&x.ty, x.span);
                let r = f.alloc(w);
                self.store(f, x, r);
                f.bind(*l, Bind::Reg(r));
                self.set_into(f, body, u, d);
            }
            ExprKind::First { n: Some(n), of, last } => self.first_n(f, n, of, *last, u, d),
            ExprKind::Fold(fold) => self.fold_set(f, fold, e, u, d),
            ExprKind::Value(v, args) => {
                if let Some((params, body)) =
                    self.plain_value(*v).filter(|_| f.depth < 24 && !self.recursive(*v))
                {
                    let env = self.inlined(f, params, args);
                    let skip = f.skip.take();
                    if skip.is_some() {
                        f.skip = skip;
                        for a in args.iter().filter(|a| types::is_maybe(&a.ty)) {
                            self.needed(f, a);
                        }
                        f.skip = None;
                    }
                    self.within(f, env, |s, f| s.set_into(f, &body, u, d));
                    f.skip = skip;
                } else if let Some(at) = self.value_call(f, *v, args, e) {
                    f.emit(Ins::MovN { d, a: at, n: w });
                }
            }
            ExprKind::Hook(h, args) => {
                if let Some(ix) = self.hook_ix.get(h).copied() {
                    let words: u8 = args.iter().map(|a| self.width(&a.ty, a.span)).sum();
                    let at = f.alloc(words.max(w));
                    let mut r = at;
                    for a in args {
                        self.store(f, a, r);
                        r += self.width(&a.ty, a.span);
                    }
                    f.emit(Ins::Hook { at, h: ix });
                    f.emit(Ins::MovN { d, a: at, n: w });
                }
            }
            ExprKind::Choose(c) => self.choose_into(f, c, e, d),
            ExprKind::Usual => match f.usual {
                Some(a) => f.emit(Ins::MovN { d, a, n: w }),
                None => self.fail(e.span, "`usual` here"),
            },
            _ => self.fail(e.span, "this set"),
        }
        f.next = base;
    }

    fn builtin_set(&mut self, f: &mut FnBuild, b: Builtin, args: &[Expr], e: &Expr, u: UniverseId, d: R) {
        use Builtin as B;
        let w = self.w(u);
        match (b, args.first()) {
            (B::AsSet | B::Reversed, Some(x)) => self.set_into(f, x, u, d),
            (B::Players | B::Seats, _) => f.emit(Ins::SAll { d, u: u.0 as u8 }),
            (B::Others, Some(p)) => {
                f.emit(Ins::SAll { d, u: u.0 as u8 });
                let i = self.needed(f, p);
                f.emit(Ins::SDel { d, i, w });
            }
            (B::Clockwise, Some(s)) => self.set_into(f, s, u, d),
            (B::NeighbourPlayers, Some(p)) => {
                let p = self.needed(f, p);
                f.emit(Ins::SZero { d, w });
                let k = self.set.players as i32;
                let t = f.alloc(1);
                for delta in [1, k - 1] {
                    f.emit(Ins::AddK { d: t, a: p, k: delta });
                    f.emit(Ins::ModK { d: t, a: t, k });
                    f.emit(Ins::SIns { d, i: t, w });
                }
                f.emit(Ins::SDel { d, i: p, w });
            }
            (B::Neighbours, Some(c)) => {
                let (m, _) = self.map_of(&c.ty, c.span);
                let c = self.needed(f, c);
                f.emit(Ins::Neigh { d, c, m });
            }
            (B::LineSpaces, Some(x)) => match self.rank_table(&x.ty) {
                Some(t) => {
                    let i = self.needed(f, x);
                    f.emit(Ins::LineSet { d, i, t });
                }
                None => self.fail(e.span, "this line"),
            },
            (B::RowOf | B::ColumnOf, Some(x)) => {
                let Some((map, sort)) =
                    self.board(u, if b == B::RowOf { LineSort::Row } else { LineSort::Column })
                else {
                    self.fail(e.span, "rows of this");
                    return;
                };
                let _ = map;
                let t = sort;
                f.emit(Ins::SZero { d, w });
                let many = matches!(x.ty, Ty::Set(_) | Ty::List(_));
                let r = f.alloc(w);
                if many {
                    let nu = self.uni(&x.ty, x.span);
                    let s = self.set(f, x, nu);
                    let nw = self.w(nu);
                    let (i, top, end) = f.each(s, nw);
                    let k = f.alloc(1);
                    f.emit(Ins::AddK { d: k, a: i, k: self.lo(nu) - 1 });
                    f.emit(Ins::LineSet { d: r, i: k, t });
                    f.emit(Ins::SOr { d, a: d, b: r, w });
                    f.jmp(top);
                    f.place(end);
                } else {
                    let i = self.needed(f, x);
                    let k = f.alloc(1);
                    f.emit(Ins::AddK { d: k, a: i, k: -1 });
                    f.emit(Ins::LineSet { d, i: k, t });
                }
            }
            (B::Reachable, Some(c)) => {
                let (m, _) = self.map_of(&c.ty, c.span);
                let c = self.needed(f, c);
                let n = match args.get(1) {
                    Some(n) => self.one(f, n),
                    None => f.li(NONE),
                };
                let s = match args.get(2).filter(|t| !matches!(&*t.kind, ExprKind::None)) {
                    Some(t) => self.set(f, t, u),
                    None => {
                        let s = f.alloc(w);
                        f.emit(Ins::SAll { d: s, u: u.0 as u8 });
                        s
                    }
                };
                f.emit(Ins::Reach { d, c, n, s, m });
            }
            (B::Ray, Some(c)) => {
                let (m, _) = self.map_of(&c.ty, c.span);
                let c = self.needed(f, c);
                let r = self.needed(f, &args[1]);
                f.emit(Ins::RaySet { d, c, r, m });
            }
            (B::DirectionSet(k), _) => {
                let words = [match k {
                    0 => 0b0101_0101u64,
                    1 => 0b1010_1010,
                    _ => 0xff,
                }];
                let at = self.const_set(&words);
                f.emit(Ins::SConst { d, w, k: at });
            }
            _ => self.fail(e.span, format_args!("this built-in ({b:?})")),
        }
    }

    fn board(&self, u: UniverseId, sort: LineSort) -> Option<(MapId, LinesIx)> {
        let (i, map) = self.m.maps.iter().enumerate().find(|(i, _)| {
            self.map_ix.get(&MapId(*i as u32)).is_some_and(|x| self.p.maps[x.index()].spaces == u)
        })?;
        let kind = if sort == LineSort::Row { map.rows } else { map.columns }?;
        Some((MapId(i as u32), *self.rank_tables.get(&kind)?))
    }

    fn first_n(&mut self, f: &mut FnBuild, n: &Expr, of: &Expr, last: bool, u: UniverseId, d: R) {
        let w = self.w(u);
        let n = self.needed(f, n);
        let left = f.alloc(1);
        f.emit(Ins::Mov { d: left, a: n });
        f.emit(Ins::SZero { d, w });
        let (top, end) = (f.label(), f.label());
        if let Some(p) = self.whole_zone(f, of) {
            let i = f.li(0);
            if last {
                f.emit(Ins::ZLen { d: i, p });
                f.emit(Ins::AddK { d: i, a: i, k: -1 });
            }
            let c = f.alloc(1);
            f.place(top);
            let t = f.alloc(1);
            let zero = f.li(0);
            f.emit(Ins::Le { d: t, a: left, b: zero });
            f.jnz(t, end);
            f.emit(Ins::ZGet { d: c, p, i });
            f.jnone(c, end);
            f.emit(Ins::SIns { d, i: c, w });
            f.emit(Ins::AddK { d: i, a: i, k: if last { -1 } else { 1 } });
        } else {
            let s = self.set(f, of, u);
            let i = f.li(NONE);
            f.place(top);
            let t = f.alloc(1);
            let zero = f.li(0);
            f.emit(Ins::Le { d: t, a: left, b: zero });
            f.jnz(t, end);
            f.emit(Ins::SNext { i, s, w, to: end.0 as u32 });
            f.emit(Ins::SIns { d, i, w });
        }
        f.emit(Ins::AddK { d: left, a: left, k: -1 });
        f.jmp(top);
        f.place(end);
    }

    // ── Filters ──────────────────────────────────────────────────────────────────────────────────────────

    /// Whether an expression is all of its universe.
    fn everything(&self, e: &Expr) -> bool {
        match &*e.kind {
            ExprKind::All(k) => !types::is_component(self.m, *k),
            ExprKind::Builtin(Builtin::Players, _) => true,
            ExprKind::Builtin(Builtin::AsSet, a) => a.first().is_some_and(|a| self.everything(a)),
            _ => false,
        }
    }

    /// Whether anything in the set at `s` passes all that is left to judge: stops at the first.
    fn search(&mut self, f: &mut FnBuild, s: R, u: UniverseId, l: LocalId, rest: &[(&Expr, usize)], d: R) {
        let w = self.w(u);
        if rest.is_empty() {
            f.emit(Ins::SAny { d, s, w });
            return;
        }
        let base = f.next;
        let found = f.li(0);
        let (i, top, end) = f.each(s, w);
        let x = f.alloc(1);
        f.emit(Ins::AddK { d: x, a: i, k: self.lo(u) });
        let outer = self.bound(f, l);
        f.bind(l, Bind::Reg(x));
        let skip = f.skip.take();
        for (c, env) in rest {
            let inner = f.next;
            let r = if *env == f.env { self.one(f, c) } else { self.within(f, *env, |s, f| s.one(f, c)) };
            f.jz(r, top);
            f.next = inner;
        }
        f.skip = skip;
        f.emit(Ins::Li { d: found, k: 1 });
        f.place(end);
        f.emit(Ins::Mov { d, a: found });
        if let Some(b) = outer {
            f.bind(l, b);
        }
        f.next = base;
    }

    /// Takes out of the set at `s` what does not pass: lifted conjuncts first, then one by one.
    pub fn filter_into(&mut self, f: &mut FnBuild, s: R, u: UniverseId, l: LocalId, cond: &Expr) {
        let env = f.env;
        let rest = self.filter_lifted(f, s, u, l, &[(cond, env)], false);
        self.filter_each(f, s, u, l, &rest);
    }

    /// Takes out what lifted conjuncts say, and gives the others. `full`: the set holds everything, so the first can stand for it.
    fn filter_lifted<'e>(
        &mut self,
        f: &mut FnBuild,
        s: R,
        u: UniverseId,
        l: LocalId,
        conds: &[(&'e Expr, usize)],
        mut full: bool,
    ) -> Vec<(&'e Expr, usize)> {
        let w = self.w(u);
        let mut rest = Vec::new();
        for (cond, env) in conds {
            let mut conjuncts = Vec::new();
            split(cond, &mut conjuncts);
            for c in conjuncts {
                let base = f.next;
                let lifted = if self.opts.lift { self.lift(f, c, *env, l, u) } else { None };
                match lifted {
                    Some(r) if full => {
                        f.emit(Ins::MovN { d: s, a: r, n: w });
                        full = false;
                    }
                    Some(r) => f.emit(Ins::SAnd { d: s, a: s, b: r, w }),
                    None => rest.push((c, *env)),
                }
                f.next = base;
            }
        }
        rest
    }

    /// Filters what a parameter is picked from.
    pub fn filter_picked(
        &mut self,
        f: &mut FnBuild,
        s: R,
        u: UniverseId,
        l: LocalId,
        conds: &[(&Expr, usize)],
        from: &Expr,
    ) {
        let rest = self.filter_lifted(f, s, u, l, conds, self.everything(from));
        self.filter_each(f, s, u, l, &rest);
    }

    /// Takes out of the full set at `s` what does not pass.
    pub fn filter_full(&mut self, f: &mut FnBuild, s: R, u: UniverseId, l: LocalId, cond: &Expr) {
        let env = f.env;
        let rest = self.filter_lifted(f, s, u, l, &[(cond, env)], true);
        self.filter_each(f, s, u, l, &rest);
    }

    /// Takes out one by one what does not pass.
    fn filter_each(&mut self, f: &mut FnBuild, s: R, u: UniverseId, l: LocalId, rest: &[(&Expr, usize)]) {
        let w = self.w(u);
        if rest.is_empty() {
            return;
        }
        let base = f.next;
        let (i, top, end) = f.each(s, w);
        let x = f.alloc(1);
        f.emit(Ins::AddK { d: x, a: i, k: self.lo(u) });
        let drop = f.label();
        let outer = self.bound(f, l);
        f.bind(l, Bind::Reg(x));
        let skip = f.skip.take();
        for (c, env) in rest {
            let inner = f.next;
            let r = if *env == f.env { self.one(f, c) } else { self.within(f, *env, |s, f| s.one(f, c)) };
            f.jz(r, drop);
            f.next = inner;
        }
        f.skip = skip;
        f.jmp(top);
        f.place(drop);
        f.emit(Ins::SDel { d: s, i, w });
        f.jmp(top);
        f.place(end);
        if let Some(b) = outer {
            f.bind(l, b);
        }
        f.next = base;
    }

    /// The set of all things of `u` for which the condition on local `l` holds; nothing is emitted if there is no such code.
    pub fn lift(
        &mut self,
        f: &mut FnBuild,
        cond: &Expr,
        inner: usize,
        l: LocalId,
        u: UniverseId,
    ) -> Option<R> {
        let (code, spans, next, errors) = (f.code.len(), f.spans.len(), f.next, self.errors.len());
        let outer = self.bound(f, l);
        f.bind(l, Bind::Lifted);
        let out = if inner == f.env {
            self.lifted(f, cond, u)
        } else {
            self.within(f, inner, |s, f| s.lifted(f, cond, u))
        };
        match outer {
            Some(b) => f.bind(l, b),
            None => {
                let env = f.env;
                f.envs[env].remove(&l);
            }
        }
        if out.is_none() || self.errors.len() > errors {
            f.code.truncate(code);
            f.spans.truncate(spans);
            f.next = next;
            self.errors.truncate(errors);
            return None;
        }
        out
    }

    /// Whether the expression is the variable that is being lifted.
    fn is_lifted(&self, f: &FnBuild, e: &Expr) -> bool {
        match &*e.kind {
            ExprKind::Local(l) => match self.bound(f, *l) {
                Some(Bind::Lifted) => true,
                Some(Bind::Alias(x, env)) => {
                    let mut inner = x;
                    let mut at = env;
                    // An alias of the variable is the variable.
                    for _ in 0..32 {
                        let ExprKind::Local(l2) = &*inner.kind else { return false };
                        match f.envs.get(at).and_then(|e| e.get(l2)) {
                            Some(Bind::Lifted) => return true,
                            Some(Bind::Alias(y, e2)) => {
                                at = *e2;
                                inner = y.clone();
                            }
                            _ => return false,
                        }
                    }
                    false
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether the expression looks at the variable that is being lifted, by whatever name.
    fn depends(&self, f: &FnBuild, e: &Expr, env: usize, depth: usize) -> bool {
        if depth > 32 {
            return true;
        }
        let mut found = false;
        crate::model::body::walk::every(e, &mut |x| {
            if let ExprKind::Local(l) = &*x.kind {
                found |= match f.envs.get(env).and_then(|e| e.get(l)) {
                    Some(Bind::Lifted) => true,
                    Some(Bind::Alias(y, e2)) => self.depends(f, y, *e2, depth + 1),
                    _ => false,
                };
            }
        });
        found
    }

    fn free(&self, f: &FnBuild, e: &Expr) -> bool {
        !self.depends(f, e, f.env, 0)
    }

    #[allow(clippy::too_many_lines)] // The table of vm.md section 4, a row an arm.
    fn lifted(&mut self, f: &mut FnBuild, cond: &Expr, u: UniverseId) -> Option<R> {
        let w = self.w(u);
        let u8_ = u.0 as u8;
        if f.depth > 40 {
            return None;
        }
        if self.free(f, cond) {
            // All or nothing.
            let d = f.alloc(w);
            let end = f.label();
            f.emit(Ins::SZero { d, w });
            let r = self.one(f, cond);
            f.jz(r, end);
            f.emit(Ins::SAll { d, u: u8_ });
            f.place(end);
            return Some(d);
        }
        match &*cond.kind {
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                let and = matches!(&*cond.kind, ExprKind::And(..));
                let x = self.lifted(f, a, u)?;
                let y = self.lifted(f, b, u)?;
                let d = f.alloc(w);
                f.emit(if and { Ins::SAnd { d, a: x, b: y, w } } else { Ins::SOr { d, a: x, b: y, w } });
                Some(d)
            }
            ExprKind::Not(a) => {
                // What is not none is some, what is not empty has something: no set is turned over twice.
                match &*a.kind {
                    ExprKind::IsEmpty(x) => return self.lifted_not_empty(f, x, u),
                    ExprKind::IsSome(x) if self.own_group(f, x).is_some() => {
                        let group = self.own_group(f, x)?;
                        let d = f.alloc(w);
                        self.none_plane(f, group, d);
                        if self.opts.fault == Some(SeededFault::SomeIsNone) {
                            f.emit(Ins::SNot { d, a: d, u: u8_ });
                        }
                        return Some(d);
                    }
                    ExprKind::Not(b) => return self.lifted(f, b, u),
                    _ => {}
                }
                let x = self.lifted(f, a, u)?;
                let d = f.alloc(w);
                f.emit(Ins::SNot { d, a: x, u: u8_ });
                Some(d)
            }
            ExprKind::IsSome(x) => {
                if let Some(group) = self.own_group(f, x) {
                    let d = f.alloc(w);
                    self.none_plane(f, group, d);
                    if self.opts.fault != Some(SeededFault::SomeIsNone) {
                        f.emit(Ins::SNot { d, a: d, u: u8_ });
                    }
                    return Some(d);
                }
                match &*x.kind {
                    // { line : first of line where P is some }
                    ExprKind::First { n: None, of, .. } => {
                        let inner = match &*of.kind {
                            ExprKind::Builtin(Builtin::AsSet, a) => a.first()?,
                            _ => of,
                        };
                        let ExprKind::Where(src, l, p) = &*inner.kind else { return None };
                        let ExprKind::Builtin(Builtin::LineSpaces, args) = &*src.kind else { return None };
                        let line = args.first()?;
                        if !self.is_lifted(f, line) || !self.free_but(f, p, *l) {
                            return None;
                        }
                        let t = self.rank_table(&line.ty)?;
                        let spaces = self.p.line_tables[t.index()].universe;
                        let s = self.filtered_all(f, spaces, *l, p);
                        let d = f.alloc(w);
                        f.emit(Ins::LinesMeeting { d, s, t });
                        Some(d)
                    }
                    ExprKind::Local(l) => match self.bound(f, *l) {
                        Some(Bind::Alias(y, env)) => {
                            let some = Expr {
                                ty: Ty::Bool,
                                span: cond.span,
                                kind: Box::new(ExprKind::IsSome((*y).clone())),
                            };
                            self.within(f, env, |s, f| s.lifted(f, &some, u))
                        }
                        _ => None,
                    },
                    _ => None,
                }
            }
            ExprKind::IsEmpty(x) => {
                let d = self.lifted_not_empty(f, x, u)?;
                f.emit(Ins::SNot { d, a: d, u: u8_ });
                Some(d)
            }
            ExprKind::Compare(op, a, b) => {
                let (a, b, op) = if self.free(f, a) { (b, a, flipped(*op)) } else { (a, b, *op) };
                if !self.free(f, b) || matches!(b.ty, Ty::Set(_) | Ty::List(_)) {
                    return None;
                }
                if self.is_lifted(f, a) {
                    if !matches!(op, Comparison::Eq | Comparison::Ne) {
                        return None;
                    }
                    let r = self.one(f, b);
                    let i = self.to_element(f, u, r);
                    let d = f.alloc(w);
                    f.emit(Ins::SOne { d, i, w });
                    if op == Comparison::Ne {
                        f.emit(Ins::SNot { d, a: d, u: u8_ });
                    }
                    return Some(d);
                }
                if let Some(d) = self.by_face(f, op, a, b, u) {
                    return Some(d);
                }
                let group = self.own_group(f, a)?;
                let d = f.alloc(w);
                match op {
                    Comparison::Eq | Comparison::Ne => {
                        match self.known(b) {
                            Some(NONE) => self.none_plane(f, group, d),
                            _ => {
                                let i = self.one(f, b);
                                f.emit(Ins::PlaneI { d, i, group });
                            }
                        }
                        if op == Comparison::Ne {
                            f.emit(Ins::SNot { d, a: d, u: u8_ });
                            if self.opts.fault == Some(SeededFault::NotEqualForgetsNone) {
                                let n = f.alloc(w);
                                self.none_plane(f, group, n);
                                f.emit(Ins::SAndNot { d, a: d, b: n, w });
                            }
                        }
                    }
                    _ => {
                        let ExprKind::Attr(_, attr) = &*self.unaliased(f, a)?.kind else { return None };
                        let Some(Home::Cell(attr)) = self.homes.get(attr).copied() else { return None };
                        let r = self.one(f, b);
                        let op = match op {
                            Comparison::Lt => Cmp::Lt,
                            Comparison::Le => Cmp::Le,
                            Comparison::Gt => Cmp::Gt,
                            _ => Cmp::Ge,
                        };
                        f.emit(Ins::SScan { d, a: r, op, attr });
                    }
                }
                Some(d)
            }
            ExprKind::In(x, s) if self.is_lifted(f, x) && self.free(f, s) => match &*s.kind {
                ExprKind::PlaceOf(..) | ExprKind::Box(_) => {
                    let p = f.alloc(1);
                    self.place_into(f, s, p);
                    let d = f.alloc(w);
                    f.emit(Ins::Members { d, p, u: u8_ });
                    Some(d)
                }
                ExprKind::Range(..) => None,
                _ => {
                    let su = self.uni(&s.ty, s.span);
                    if su != u {
                        return None;
                    }
                    Some(self.set(f, s, u))
                }
            },
            ExprKind::Attr(..) => {
                let group = self.own_group(f, cond)?;
                let d = f.alloc(w);
                let i = f.li(1);
                f.emit(Ins::PlaneI { d, i, group });
                Some(d)
            }
            ExprKind::IsFace(x, m, None) if self.is_lifted(f, x) => {
                let (first, _, keys) = self.faces_of.get(m).copied().unwrap_or((0, 0, 0));
                let faces: Vec<u16> = (first..first + keys).collect();
                Some(self.faces_set(f, &faces, u))
            }
            ExprKind::Value(v, args) => {
                let (params, body) = self.plain_value(*v).filter(|_| !self.recursive(*v))?;
                let env = self.inlined(f, params, args);
                self.within(f, env, |s, f| s.lifted(f, &body, u))
            }
            ExprKind::Local(l) => match self.bound(f, *l) {
                Some(Bind::Alias(x, env)) => self.within(f, env, |s, f| s.lifted(f, &x, u)),
                _ => None,
            },
            ExprKind::Fold(fold) if matches!(fold.op, FoldOp::Any | FoldOp::Every | FoldOp::No) => {
                // any / every (n in neighbours(x): Q(n))
                let ExprKind::Builtin(Builtin::Neighbours, args) = &*fold.over.kind else { return None };
                if args.len() > 1 && !matches!(&*args[1].kind, ExprKind::None)
                    || !self.is_lifted(f, args.first()?)
                {
                    return None;
                }
                let mut q: Vec<&Expr> = fold.bodies.iter().collect();
                if fold.op != FoldOp::Every {
                    q.extend(fold.cond.iter());
                } else if fold.cond.is_some() {
                    return None;
                }
                if q.iter().any(|e| !self.free_but(f, e, fold.var)) {
                    return None;
                }
                let (m, _) = self.map_of(&fold.over.ty, fold.over.span);
                let s = f.alloc(w);
                f.emit(Ins::SAll { d: s, u: u8_ });
                for e in q {
                    self.filter_into(f, s, u, fold.var, e);
                }
                let d = f.alloc(w);
                if fold.op == FoldOp::Every {
                    f.emit(Ins::SNot { d: s, a: s, u: u8_ });
                }
                f.emit(Ins::Dilate { d, s, m });
                if fold.op != FoldOp::Any {
                    f.emit(Ins::SNot { d, a: d, u: u8_ });
                }
                Some(d)
            }
            _ => None,
        }
    }

    /// Whether the expression looks at nothing that is being lifted, but perhaps at its own variable.
    fn free_but(&self, f: &FnBuild, e: &Expr, _own: LocalId) -> bool {
        self.free(f, e)
    }

    /// The expression behind aliases.
    fn unaliased(&self, f: &FnBuild, e: &Expr) -> Option<Expr> {
        match &*e.kind {
            ExprKind::Local(l) => match self.bound(f, *l) {
                Some(Bind::Alias(x, env)) if env == f.env => Some((*x).clone()),
                _ => None,
            },
            _ => Some(e.clone()),
        }
    }

    /// The index planes of `x.a`, where x is the variable.
    fn own_group(&mut self, f: &FnBuild, e: &Expr) -> Option<GroupIx> {
        let ExprKind::Attr(x, a) = &*e.kind else { return None };
        if !self.is_lifted(f, x) {
            return None;
        }
        match self.homes.get(a)? {
            Home::Cell(ix) => self.p.attrs[ix.index()].planes,
            Home::Table(_) => None,
        }
    }

    fn none_plane(&mut self, f: &mut FnBuild, group: GroupIx, d: R) {
        let g = self.p.groups[group.index()];
        f.emit(Ins::Plane { d, w: g.w, at: g.at + u32::from(g.n) * u32::from(g.w) });
    }

    /// Components whose printed attribute compares so with a constant.
    fn by_face(&mut self, f: &mut FnBuild, op: Comparison, a: &Expr, b: &Expr, u: UniverseId) -> Option<R> {
        let ExprKind::Attr(x, attr) = &*a.kind else { return None };
        if !self.is_lifted(f, x)
            || !types::kinds_of(&types::plain(&x.ty)).iter().any(|k| types::is_component(self.m, *k))
        {
            return None;
        }
        let Some(Home::Table(t)) = self.homes.get(attr).copied() else { return None };
        let k = self.known(b)?;
        let values = self.p.tables[t.index()].values.clone();
        let none = |v: i64| v == NONE || k == NONE;
        let faces: Vec<u16> = values
            .iter()
            .enumerate()
            .filter(|(_, v)| {
                let v = i64::from(**v);
                match op {
                    Comparison::Eq => v == k,
                    Comparison::Ne => v != k,
                    Comparison::Lt => !none(v) && v < k,
                    Comparison::Le => !none(v) && v <= k,
                    Comparison::Gt => !none(v) && v > k,
                    Comparison::Ge => !none(v) && v >= k,
                }
            })
            .map(|(i, _)| i as u16)
            .collect();
        Some(self.faces_set(f, &faces, u))
    }

    /// All components that show one of these faces.
    pub fn faces_set(&mut self, f: &mut FnBuild, faces: &[u16], u: UniverseId) -> R {
        let w = self.w(u);
        let index = match self.p.universes[u.index()].sort {
            UniverseSort::Components(i) => i,
            _ => 0,
        };
        let fu = self.p.comps[index as usize].faces;
        let fw = self.w(fu);
        let mut words = vec![0u64; fw as usize];
        for face in faces {
            words[*face as usize / 64] |= 1 << (face % 64);
        }
        let at = self.const_set(&words);
        let fs = f.alloc(fw);
        let d = f.alloc(w);
        f.emit(Ins::SConst { d: fs, w: fw, k: at });
        f.emit(Ins::SAll { d, u: u.0 as u8 });
        f.emit(Ins::SByFace { d, s: d, f: fs, u: u.0 as u8 });
        d
    }

    /// { x : e(x) is not empty }
    fn lifted_not_empty(&mut self, f: &mut FnBuild, e: &Expr, u: UniverseId) -> Option<R> {
        match &*e.kind {
            ExprKind::Value(v, args) => {
                let (params, body) = self.plain_value(*v).filter(|_| !self.recursive(*v))?;
                let env = self.inlined(f, params, args);
                self.within(f, env, |s, f| s.lifted_not_empty(f, &body, u))
            }
            ExprKind::Local(l) => match self.bound(f, *l) {
                Some(Bind::Alias(x, env)) => self.within(f, env, |s, f| s.lifted_not_empty(f, &x, u)),
                _ => None,
            },
            ExprKind::Builtin(Builtin::AsSet, a) => self.lifted_not_empty(f, a.first()?, u),
            ExprKind::Fold(fold) => {
                let (c, p, q) = runs(fold)?;
                if !self.is_lifted(f, c) || !self.free(f, p) || !self.free(f, q) {
                    return None;
                }
                let (m, _) = self.map_of(&c.ty, c.span);
                let (p, mut q) = (self.set(f, p, u), self.set(f, q, u));
                let w = self.w(u);
                if self.opts.fault == Some(SeededFault::RunNeedNotClose) {
                    let all = f.alloc(w);
                    f.emit(Ins::SAll { d: all, u: u.0 as u8 });
                    q = all;
                }
                let d = f.alloc(w);
                f.emit(Ins::RunSrc { d, p, q, m });
                Some(d)
            }
            _ => None,
        }
    }

    // ── Folds ────────────────────────────────────────────────────────────────────────────────────────────

    /// The table of constant lists that a fold goes through, with those through one space, if it is one.
    fn lines_of(&mut self, f: &mut FnBuild, e: &Expr) -> Option<(LinesIx, Option<Expr>)> {
        let _ = &f;
        match &*e.kind {
            ExprKind::Builtin(Builtin::Lines, args) => {
                let n = self.constant(args.first()?).int()?;
                let (map, _) = match types::element(self.m, &types::element(self.m, &e.ty)?) {
                    Some(t) => self.map_of(&t, e.span),
                    None => return None,
                };
                Some((self.lines(MapIx(u16::from(map)), n), None))
            }
            ExprKind::Where(s, l, cond) => {
                let (t, None) = self.lines_of(f, s)? else { return None };
                let ExprKind::In(c, line) = &*cond.kind else { return None };
                let ExprKind::Local(x) = &*line.kind else { return None };
                (x == l && !mentions(c, *l)).then(|| (t, Some(c.clone())))
            }
            _ => None,
        }
    }

    /// A fold with a result of one register.
    #[allow(clippy::too_many_lines)] // One arm a fold.
    pub fn fold_into(&mut self, f: &mut FnBuild, fold: &Fold, e: &Expr, d: R) {
        let mut over = fold.over.clone();
        let mut cond = fold.cond.clone();
        // `l in lines(n) where c in l` may have come as a condition.
        if let (ExprKind::Builtin(Builtin::Lines, _), Some(c)) = (&*over.kind, &cond)
            && let ExprKind::In(_, line) = &*c.kind
            && matches!(&*line.kind, ExprKind::Local(l) if *l == fold.var)
        {
            over = Expr {
                ty: over.ty.clone(),
                span: over.span,
                kind: Box::new(ExprKind::Where(over, fold.var, c.clone())),
            };
            cond = None;
        }
        if let Some((t, through)) = self.lines_of(f, &over) {
            self.fold_lines(f, fold, t, through.as_ref(), cond.as_ref(), e, d);
            return;
        }
        let u = self.uni(&over.ty, over.span);
        let w = self.w(u);
        let truth = matches!(fold.op, FoldOp::Any | FoldOp::Every | FoldOp::No | FoldOp::Count);
        let s = f.alloc(w);
        self.set_into(f, &over, u, s);
        if let Some(c) = &cond {
            self.filter_into(f, s, u, fold.var, c);
        }
        let body = fold.bodies.first();
        if truth {
            match (fold.op, body) {
                (FoldOp::Every, Some(b)) => {
                    let t = f.alloc(w);
                    f.emit(Ins::MovN { d: t, a: s, n: w });
                    self.filter_into(f, t, u, fold.var, b);
                    f.emit(Ins::SSub { d, a: s, b: t, w });
                }
                (FoldOp::Count, b) => {
                    if let Some(b) = b {
                        self.filter_into(f, s, u, fold.var, b);
                    }
                    f.emit(Ins::SCount { d, s, w });
                }
                (FoldOp::Every, None) => f.emit(Ins::Li { d, k: 1 }),
                (op, b) => {
                    let env = f.env;
                    let conds: Vec<(&Expr, usize)> = b.iter().map(|b| (*b, env)).collect();
                    let rest = self.filter_lifted(f, s, u, fold.var, &conds, false);
                    self.search(f, s, u, fold.var, &rest, d);
                    if op == FoldOp::No {
                        f.emit(Ins::Not { d, a: d });
                    }
                }
            }
            return;
        }
        let Some(body) = body else {
            self.fail(e.span, "this fold");
            return;
        };
        if fold.op == FoldOp::Sum
            && let ExprKind::Attr(x, a) = &*body.kind
            && matches!(&*x.kind, ExprKind::Local(l) if *l == fold.var)
        {
            match self.homes.get(a).copied() {
                Some(Home::Cell(attr)) => {
                    f.emit(Ins::SumAttr { d, s, attr });
                    return;
                }
                Some(Home::Table(table)) => {
                    f.emit(Ins::SumTable { d, s, table });
                    return;
                }
                None => {}
            }
        }
        let start = if fold.op == FoldOp::Sum { 0 } else { NONE };
        let acc = f.li(start);
        let (i, top, end) = f.each(s, w);
        let x = f.alloc(1);
        f.emit(Ins::AddK { d: x, a: i, k: self.lo(u) });
        f.bind(fold.var, Bind::Reg(x));
        let skip = f.skip.take();
        let r = self.one(f, body);
        f.skip = skip;
        f.emit(match fold.op {
            FoldOp::Sum => Ins::Add { d: acc, a: acc, b: r },
            FoldOp::Min => Ins::Min { d: acc, a: acc, b: r },
            _ => Ins::Max { d: acc, a: acc, b: r },
        });
        f.jmp(top);
        f.place(end);
        f.emit(Ins::Mov { d, a: acc });
    }

    /// A fold over constant lists of spaces.
    #[allow(clippy::too_many_arguments)]
    fn fold_lines(
        &mut self,
        f: &mut FnBuild,
        fold: &Fold,
        t: LinesIx,
        through: Option<&Expr>,
        cond: Option<&Expr>,
        e: &Expr,
        d: R,
    ) {
        let u = self.p.line_tables[t.index()].universe;
        let w = self.w(u);
        // any(l in lines(n) where c in l: every(x in l: Q(x)))
        if let (FoldOp::Any, [body], None, true) = (fold.op, fold.bodies.as_slice(), cond, self.opts.lift)
            && let ExprKind::Fold(inner) = &*body.kind
            && inner.op == FoldOp::Every
            && matches!(&*inner.over.kind, ExprKind::Local(l) if *l == fold.var)
            && inner.cond.is_none()
            && let [q] = inner.bodies.as_slice()
            && !mentions(q, fold.var)
        {
            let s = self.filtered_all(f, u, inner.var, q);
            match through {
                Some(c) => {
                    let c = self.needed(f, c);
                    f.emit(Ins::LineThru { d, c, s, t });
                }
                None => f.emit(Ins::LineAny { d, s, t }),
            }
            return;
        }
        let n = self.p.line_tables[t.index()].ranges.len() as i64;
        let c = through.map(|c| self.needed(f, c));
        let acc = f.li(match fold.op {
            FoldOp::Sum | FoldOp::Count | FoldOp::Any => 0,
            FoldOp::Every | FoldOp::No => 1,
            FoldOp::Min | FoldOp::Max => NONE,
            _ => {
                self.fail(e.span, "this fold over lines");
                0
            }
        });
        let i = f.li(-1);
        let all = f.li(n);
        let line = f.alloc(w);
        let (top, end) = (f.label(), f.label());
        f.place(top);
        f.emit(Ins::AddK { d: i, a: i, k: 1 });
        let t0 = f.alloc(1);
        f.emit(Ins::Lt { d: t0, a: i, b: all });
        f.jz(t0, end);
        f.emit(Ins::LineSet { d: line, i, t });
        if let Some(c) = c {
            f.emit(Ins::STest { d: t0, s: line, i: c, w });
            f.jz(t0, top);
        }
        f.bind(fold.var, Bind::Reg(line));
        let base = f.next;
        let skip = f.skip.take();
        if let Some(c) = cond {
            let r = self.one(f, c);
            f.jz(r, top);
        }
        match (fold.op, fold.bodies.first()) {
            (FoldOp::Count, None) => f.emit(Ins::AddK { d: acc, a: acc, k: 1 }),
            (FoldOp::Count, Some(b)) => {
                let r = self.one(f, b);
                f.emit(Ins::Add { d: acc, a: acc, b: r });
            }
            (FoldOp::Sum, Some(b)) => {
                let r = self.one(f, b);
                f.emit(Ins::Add { d: acc, a: acc, b: r });
            }
            (FoldOp::Min, Some(b)) => {
                let r = self.one(f, b);
                f.emit(Ins::Min { d: acc, a: acc, b: r });
            }
            (FoldOp::Max, Some(b)) => {
                let r = self.one(f, b);
                f.emit(Ins::Max { d: acc, a: acc, b: r });
            }
            (FoldOp::Any, b) => {
                let r = match b {
                    Some(b) => self.one(f, b),
                    None => f.li(1),
                };
                f.jz(r, top);
                f.emit(Ins::Li { d: acc, k: 1 });
                f.jmp(end);
            }
            (FoldOp::No, b) => {
                let r = match b {
                    Some(b) => self.one(f, b),
                    None => f.li(1),
                };
                f.jz(r, top);
                f.emit(Ins::Li { d: acc, k: 0 });
                f.jmp(end);
            }
            (FoldOp::Every, Some(b)) => {
                let r = self.one(f, b);
                f.jnz(r, top);
                f.emit(Ins::Li { d: acc, k: 0 });
                f.jmp(end);
            }
            _ => {}
        }
        f.skip = skip;
        f.next = base;
        f.jmp(top);
        f.place(end);
        f.emit(Ins::Mov { d, a: acc });
    }

    /// A fold whose result is a set.
    fn fold_set(&mut self, f: &mut FnBuild, fold: &Fold, e: &Expr, u: UniverseId, d: R) {
        let w = self.w(u);
        if fold.op == FoldOp::Union
            && let Some((c, p, q)) = runs(fold)
        {
            let (m, _) = self.map_of(&c.ty, c.span);
            let c = self.needed(f, c);
            let (p, q) = (self.set(f, p, u), self.set(f, q, u));
            f.emit(Ins::RunC { d, c, p, q, m });
            return;
        }
        let su = self.uni(&fold.over.ty, fold.over.span);
        let sw = self.w(su);
        let s = f.alloc(sw);
        self.set_into(f, &fold.over, su, s);
        if let Some(c) = &fold.cond {
            self.filter_into(f, s, su, fold.var, c);
        }
        f.emit(Ins::SZero { d, w });
        let skip = f.skip.take();
        match fold.op {
            FoldOp::Union | FoldOp::Collect => {
                let Some(body) = fold.bodies.first() else {
                    f.emit(Ins::MovN { d, a: s, n: w });
                    f.skip = skip;
                    return;
                };
                let (i, top, end) = f.each(s, sw);
                let x = f.alloc(1);
                f.emit(Ins::AddK { d: x, a: i, k: self.lo(su) });
                f.bind(fold.var, Bind::Reg(x));
                if matches!(body.ty, Ty::Set(_) | Ty::List(_)) {
                    let r = self.set(f, body, u);
                    f.emit(Ins::SOr { d, a: d, b: r, w });
                } else {
                    let r = self.one(f, body);
                    let i = self.to_element(f, u, r);
                    f.emit(Ins::SIns { d, i, w });
                }
                f.jmp(top);
                f.place(end);
            }
            FoldOp::Least | FoldOp::Most => {
                let n = fold.bodies.len() as u8;
                let best = f.alloc(n);
                for k in 0..n {
                    f.emit(Ins::Li { d: best + k, k: NONE as i32 });
                }
                let (i, top, end) = f.each(s, sw);
                let x = f.alloc(1);
                f.emit(Ins::AddK { d: x, a: i, k: self.lo(su) });
                f.bind(fold.var, Bind::Reg(x));
                let mine = f.alloc(n);
                for (k, b) in fold.bodies.iter().enumerate() {
                    self.into(f, b, mine + k as u8);
                }
                // Nothing was best yet; else the first that differs decides; what has no value never is the best.
                let (better, same) = (f.label(), f.label());
                let t = f.alloc(1);
                f.jnone(mine, top);
                f.jnone(best, better);
                for k in 0..n {
                    let (a, b) =
                        if fold.op == FoldOp::Most { (best + k, mine + k) } else { (mine + k, best + k) };
                    f.emit(Ins::Lt { d: t, a, b });
                    f.jnz(t, better);
                    f.emit(Ins::Eq { d: t, a, b });
                    f.jz(t, top);
                }
                f.jmp(same);
                f.place(better);
                f.emit(Ins::SZero { d, w });
                f.emit(Ins::MovN { d: best, a: mine, n });
                f.place(same);
                f.emit(Ins::SIns { d, i, w });
                f.jmp(top);
                f.place(end);
            }
            _ => self.fail(e.span, "this fold"),
        }
        f.skip = skip;
    }
}

/// `union(r in rays(c): run(r, P, until: Q))` taken apart.
fn runs(fold: &Fold) -> Option<(&Expr, &Expr, &Expr)> {
    let ExprKind::Builtin(Builtin::Rays, rays) = &*fold.over.kind else { return None };
    let [body] = fold.bodies.as_slice() else { return None };
    let body = match &*body.kind {
        ExprKind::Builtin(Builtin::AsSet, a) => a.first()?,
        _ => body,
    };
    let ExprKind::Builtin(Builtin::Run, args) = &*body.kind else { return None };
    let [r, p, q] = args.as_slice() else { return None };
    let own = matches!(&*r.kind, ExprKind::Local(l) if *l == fold.var);
    (own && fold.cond.is_none() && !mentions(p, fold.var) && !mentions(q, fold.var)).then_some((
        rays.first()?,
        p,
        q,
    ))
}

/// Whether a name stands in an expression.
pub fn mentions(e: &Expr, l: LocalId) -> bool {
    crate::model::body::walk::any(e, &mut |x| matches!(&*x.kind, ExprKind::Local(y) if *y == l))
}

/// The parts of a conjunction in order.
pub fn split<'e>(e: &'e Expr, out: &mut Vec<&'e Expr>) {
    match &*e.kind {
        ExprKind::And(a, b) => {
            split(a, out);
            split(b, out);
        }
        _ => out.push(e),
    }
}

fn flipped(op: Comparison) -> Comparison {
    match op {
        Comparison::Lt => Comparison::Gt,
        Comparison::Le => Comparison::Ge,
        Comparison::Gt => Comparison::Lt,
        Comparison::Ge => Comparison::Le,
        other => other,
    }
}
