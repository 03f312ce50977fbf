//! Lowers folds (`sum`, `count`, `any`, `every`, `least`, `union` …) over sets and over lines of a board.
use crate::analysis::expr_forms::{mentions, without_as_set};
use crate::fn_builder::{Bind, FnBuild, Label};
use crate::ir::*;
use crate::layout::tables::{Home, Tables};
use crate::lower::Lower;
use houserule_model::body::{build, types};
use houserule_model::hir::*;

/// A fold over `lines(n)`.
struct FoldedLines {
    table: LinesIx,
    /// The space that each line must contain.
    through: Option<Expr>,
    /// The condition on a line.
    cond: Option<Expr>,
}

impl Tables<'_> {
    /// The table of constant lists over which a fold runs, and the space that each list must contain.
    pub fn lines_of(&mut self, f: &mut FnBuild, e: &Expr) -> Option<(LinesIx, Option<Expr>)> {
        let _ = &f;
        match &*e.kind {
            ExprKind::Builtin(Builtin::Lines, args) => {
                let n = self.constant(args.first()?).int()?;
                let (map, _) = match types::element(self.m, &types::element(self.m, &e.ty)?) {
                    Some(t) => self.map_of(&t, e.span),
                    None => return None,
                };
                Some((self.lines_of_length(MapIx(u16::from(map)), n), None))
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

    /// Matches a fold over lines.
    fn folded_lines(&mut self, f: &mut FnBuild, fold: &Fold) -> Option<FoldedLines> {
        let mut over = fold.over.clone();
        let mut cond = fold.cond.clone();
        // Accepts `l in lines(n) where c in l`, too.
        if let (ExprKind::Builtin(Builtin::Lines, _), Some(c)) = (&*over.kind, &cond)
            && let ExprKind::In(_, line) = &*c.kind
            && matches!(&*line.kind, ExprKind::Local(l) if *l == fold.var)
        {
            over = build::expr(over.ty.clone(), over.span, ExprKind::Where(over, fold.var, c.clone()));
            cond = None;
        }
        let (table, through) = self.lines_of(f, &over)?;
        Some(FoldedLines { table, through, cond })
    }

    /// If `body` is the content of a zone of each thing of universe `su`, and the zone holds things of universe `u`: the zone.
    pub fn zone_of_each(&self, body: &Expr, var: LocalId, su: UniverseId, u: UniverseId) -> Option<ZoneIx> {
        let ExprKind::Zone(Some(x), z, None) = &*without_as_set(body).kind else { return None };
        let zone = self.single_place_zone(*z).filter(|zone| self.held_universe(*zone) == Some(u))?;
        let its = matches!(&*x.kind, ExprKind::Local(l) if *l == var);
        let slot = self.p.zones.get(zone.index())?;
        (its && slot.of == Some(su) && slot.indexes <= 1 && self.least_of(su) == 0).then_some(zone)
    }
}

impl Lower<'_> {
    /// Emits a fold whose result is one register.
    #[allow(clippy::too_many_lines)] // One arm a fold.
    pub fn fold_into(&mut self, f: &mut FnBuild, fold: &Fold, e: &Expr, d: R) {
        if let Some(lines) = self.folded_lines(f, fold) {
            self.fold_lines(f, fold, &lines, e, d);
            return;
        }
        if let Some(e) = fold_over_directions(fold, e) {
            return self.expr_into(f, &e, d);
        }
        if self.fold_numbers(f, fold, d) {
            return;
        }
        let (over, cond) = (fold.over.clone(), fold.cond.clone());
        let u = self.uni_of(&over);
        let w = self.set_words(u);
        let truth = matches!(fold.op, FoldOp::Any | FoldOp::Every | FoldOp::No | FoldOp::Count);
        let s = f.alloc(w);
        self.set_into(f, &over, u, s);
        let mut full = self.opts.lift && self.is_everything(&over);
        if let Some(c) = &cond {
            match full {
                true => self.filter_full(f, s, u, fold.var, c),
                false => self.filter_into(f, s, u, fold.var, c),
            }
            full = false;
        }
        let body = fold.bodies.first();
        if truth {
            match (fold.op, body) {
                (FoldOp::Every, Some(b)) => {
                    let t = f.emit_new(w, |d| Ins::MovN { d, a: s, n: w });
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
                    let rest = self.filter_lifted(f, s, u, fold.var, &conds, full);
                    self.any_passes(f, s, u, fold.var, &rest, d);
                    if op == FoldOp::No {
                        f.emit(Ins::Not { d, a: d });
                    }
                }
            }
            return;
        }
        let Some(body) = body else {
            self.report_unsupported(e.span, "this fold");
            return;
        };
        if fold.op == FoldOp::Sum
            && let ExprKind::Attr(x, a) = &*body.kind
            && matches!(&*x.kind, ExprKind::Local(l) if *l == fold.var)
            && !matches!(types::plain(&x.ty), Ty::Face(_) | Ty::Side(_))
            && let Some(Home::Table(table)) = self.homes.get(a).copied()
        {
            f.emit(Ins::SumTable { d, s, table });
            return;
        }
        if fold.op == FoldOp::Sum
            && let ExprKind::Builtin(Builtin::DieValue, x) = &*body.kind
            && let Some(x) = x.first()
            && matches!(&*x.kind, ExprKind::Local(l) if *l == fold.var)
            && self.sum_of_values(f, x, s, u, d)
        {
            return;
        }
        let acc = f.load_number(fold_of_nothing(fold.op));
        let (i, top, end) = f.begin_loop(s, w);
        let x = f.emit_new(1, |d| Ins::AddK { d, a: i, k: self.least_of(u) });
        f.bind(fold.var, Bind::Reg(x));
        self.fold_member(f, fold, acc, (top, end));
        f.jmp(top);
        f.place_label(end);
        f.emit(Ins::Mov { d, a: acc });
    }

    /// Emits a fold over constant lists of spaces.
    fn fold_lines(&mut self, f: &mut FnBuild, fold: &Fold, lines: &FoldedLines, e: &Expr, d: R) {
        let t = lines.table;
        let u = self.p.line_tables[t.index()].universe;
        // any(l in lines(n) where c in l: every(x in l: Q(x)))
        if let (FoldOp::Any, [body], None, Some(c), true) =
            (fold.op, fold.bodies.as_slice(), &lines.cond, &lines.through, self.opts.lift)
            && let ExprKind::Fold(inner) = &*body.kind
            && inner.op == FoldOp::Every
            && matches!(&*inner.over.kind, ExprKind::Local(l) if *l == fold.var)
            && inner.cond.is_none()
            && let [q] = inner.bodies.as_slice()
            && !mentions(q, fold.var)
            && self.with_lifted(f, f.env, inner.var, |s, f| s.cannot_fault(f, q))
        {
            let s = self.filter_universe(f, u, inner.var, q);
            let c = self.required_reg(f, c);
            f.emit(Ins::LineThru { d, c, s, t });
            return;
        }
        if matches!(fold.op, FoldOp::Union | FoldOp::Collect | FoldOp::Least | FoldOp::Most) {
            self.report_unsupported(e.span, "this fold over lines");
        }
        let acc = f.load_number(fold_of_nothing(fold.op));
        let (top, end) = self.begin_line_loop(f, fold, lines);
        self.fold_member(f, fold, acc, (top, end));
        f.jmp(top);
        f.place_label(end);
        f.emit(Ins::Mov { d, a: acc });
    }

    /// Emits what a fold does with one member: puts the result so far into `acc`, goes on at `next` if the member does not count, and at `done` if it decides the result.
    pub fn fold_member(&mut self, f: &mut FnBuild, fold: &Fold, acc: R, (next, done): (Label, Label)) {
        match (fold.op, fold.bodies.first()) {
            (FoldOp::Count | FoldOp::Any | FoldOp::No, b) => {
                if let Some(b) = b {
                    self.branch(f, b, false, next);
                }
                if fold.op == FoldOp::Count {
                    f.emit(Ins::AddK { d: acc, a: acc, k: 1 });
                } else {
                    f.emit(Ins::Li { d: acc, k: i32::from(fold.op == FoldOp::Any) });
                    f.jmp(done);
                }
            }
            (FoldOp::Every, Some(b)) => {
                self.branch(f, b, true, next);
                f.emit(Ins::Li { d: acc, k: 0 });
                f.jmp(done);
            }
            (op, Some(b)) => {
                let r = self.expr_reg(f, b);
                f.emit(match op {
                    FoldOp::Sum => Ins::Add { d: acc, a: acc, b: r },
                    FoldOp::Min => Ins::Min { d: acc, a: acc, b: r },
                    _ => Ins::Max { d: acc, a: acc, b: r },
                });
            }
            _ => {}
        }
    }

    /// Begins a loop over lines: binds the name of the fold and skips lines that fail its condition. Returns the labels of the next round and of the end.
    fn begin_line_loop(&mut self, f: &mut FnBuild, fold: &Fold, lines: &FoldedLines) -> (Label, Label) {
        let t = lines.table;
        let u = self.p.line_tables[t.index()].universe;
        let w = self.set_words(u);
        let n = self.p.line_tables[t.index()].ranges.len() as i64;
        let c = lines.through.as_ref().map(|c| self.required_reg(f, c));
        let i = f.load_number(-1);
        let all = f.load_number(n);
        let behind =
            types::element(self.m, &fold.over.ty).and_then(|ty| self.list_behind(&ty, fold.over.span));
        let line = f.alloc(w + behind.map_or(0, |_| self.list_words(u)));
        let (top, end) = (f.new_label(), f.new_label());
        f.place_label(top);
        f.emit(Ins::AddK { d: i, a: i, k: 1 });
        let t0 = f.emit_new(1, |d| Ins::Lt { d, a: i, b: all });
        f.jz(t0, end);
        f.emit(Ins::LineSet { d: line, i, t });
        if let Some(c) = c {
            f.emit(Ins::STest { d: t0, s: line, i: c, w });
            f.jz(t0, top);
        }
        if behind.is_some() {
            f.emit(Ins::Li { d: line + w, k: 0 });
            self.push_line(f, i, t, line + w, 1024);
        }
        f.bind(fold.var, Bind::Reg(line));
        if let Some(c) = &lines.cond {
            self.branch(f, c, false, top);
        }
        (top, end)
    }

    /// Adds the value of an expression to a set: a thing, all members of a set, nothing if it is none.
    fn add_to_set(&mut self, f: &mut FnBuild, e: &Expr, u: UniverseId, d: R) {
        let w = self.set_words(u);
        if matches!(e.ty, Ty::Set(_) | Ty::List(_)) {
            let r = self.set_reg(f, e, u);
            f.emit(Ins::SOr { d, a: d, b: r, w });
        } else {
            let r = self.expr_reg(f, e);
            let i = self.value_to_element(f, u, r);
            f.emit(Ins::SIns { d, i, w });
        }
    }

    /// Emits a fold whose result is a set.
    pub fn fold_set(&mut self, f: &mut FnBuild, fold: &Fold, e: &Expr, u: UniverseId, d: R) {
        let w = self.set_words(u);
        if fold.op == FoldOp::Union
            && let Some((c, p, q)) = split_run_union(fold)
        {
            let (m, _) = self.map_of(&c.ty, c.span);
            let c = self.required_reg(f, c);
            let (p, q) = (self.set_reg(f, p, u), self.set_reg(f, q, u));
            f.emit(Ins::RunC { d, c, p, q, m });
            return;
        }
        if let Some(e) = fold_over_directions(fold, e) {
            return self.set_into(f, &e, u, d);
        }
        if let (FoldOp::Union | FoldOp::Collect, Some(body)) = (fold.op, fold.bodies.first())
            && let Some(lines) = self.folded_lines(f, fold)
        {
            f.emit(Ins::SZero { d, w });
            let (top, end) = self.begin_line_loop(f, fold, &lines);
            self.add_to_set(f, body, u, d);
            f.jmp(top);
            f.place_label(end);
            return;
        }
        let su = self.uni_of(&fold.over);
        let sw = self.set_words(su);
        let s = f.alloc(sw);
        self.set_into(f, &fold.over, su, s);
        match &fold.cond {
            Some(c) if self.is_everything(&fold.over) => self.filter_full(f, s, su, fold.var, c),
            Some(c) => self.filter_into(f, s, su, fold.var, c),
            None => {}
        }
        // The contents of a zone, for all holders in the set together.
        if let (FoldOp::Union | FoldOp::Collect, Some(body), true) =
            (fold.op, fold.bodies.first(), self.opts.lift)
            && let Some(zone) = self.zone_of_each(body, fold.var, su, u)
        {
            f.emit(Ins::HeldIn { d, s, zone });
            return;
        }
        // A single candidate is the least and the most, unless its value may be none. Coverage must see the value evaluated, so there it is.
        let alone = f.new_label();
        let some = fold.bodies.iter().all(|b| !types::is_maybe(&b.ty));
        let one = matches!(fold.op, FoldOp::Least | FoldOp::Most) && some && !self.opts.cover;
        if one {
            f.emit(Ins::MovN { d, a: s, n: w });
            let n = f.emit_new(1, |d| Ins::SCount { d, s, w: sw });
            f.emit(Ins::EqK { d: n, a: n, k: 1 });
            f.jnz(n, alone);
        }
        f.emit(Ins::SZero { d, w });
        match fold.op {
            FoldOp::Union | FoldOp::Collect => {
                let Some(body) = fold.bodies.first() else {
                    f.emit(Ins::MovN { d, a: s, n: w });
                    return;
                };
                let (i, top, end) = f.begin_loop(s, sw);
                let x = f.emit_new(1, |d| Ins::AddK { d, a: i, k: self.least_of(su) });
                f.bind(fold.var, Bind::Reg(x));
                self.add_to_set(f, body, u, d);
                f.jmp(top);
                f.place_label(end);
            }
            FoldOp::Least | FoldOp::Most => {
                let n = fold.bodies.len() as u8;
                let best = f.alloc(n);
                for k in 0..n {
                    f.emit(Ins::Li { d: best + k, k: NONE as i32 });
                }
                let (i, top, end) = f.begin_loop(s, sw);
                let x = f.emit_new(1, |d| Ins::AddK { d, a: i, k: self.least_of(su) });
                f.bind(fold.var, Bind::Reg(x));
                let mine = f.alloc(n);
                for (k, b) in fold.bodies.iter().enumerate() {
                    self.expr_into(f, b, mine + k as u8);
                }
                // The first candidate is the best so far; then the first difference decides. A candidate without a value never is the best.
                let (better, same) = (f.new_label(), f.new_label());
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
                f.place_label(better);
                f.emit(Ins::SZero { d, w });
                f.emit(Ins::MovN { d: best, a: mine, n });
                f.place_label(same);
                f.emit(Ins::SIns { d, i, w });
                f.jmp(top);
                f.place_label(end);
            }
            _ => self.report_unsupported(e.span, "this fold"),
        }
        f.place_label(alone);
    }
}

/// The result of a fold over no members.
pub fn fold_of_nothing(op: FoldOp) -> i64 {
    match op {
        FoldOp::Sum | FoldOp::Count | FoldOp::Any => 0,
        FoldOp::Every | FoldOp::No => 1,
        _ => NONE,
    }
}

/// Turns a fold over `rays(c)` into one over the directions in which there is a ray.
fn fold_over_directions(fold: &Fold, e: &Expr) -> Option<Expr> {
    let (rays, cond) = match &*fold.over.kind {
        ExprKind::Where(rays, l, cond) => (rays, Some((*l, cond))),
        _ => (&fold.over, None),
    };
    let ExprKind::Builtin(Builtin::Rays, args) = &*rays.kind else { return None };
    let (c, Ty::Set(ty)) = (args.first()?, &rays.ty) else { return None };
    // The fold must have a body for each ray: sets of rays are not supported.
    if matches!(fold.op, FoldOp::Least | FoldOp::Most)
        || matches!(fold.op, FoldOp::Collect | FoldOp::Union) && fold.bodies.is_empty()
    {
        return None;
    }
    // Names that do not occur in the rules.
    let way = LocalId(u32::MAX - 1 - 2 * fold.var.0);
    let from = LocalId(u32::MAX - 2 - 2 * fold.var.0);
    let expr = |ty: &Ty, kind: ExprKind| build::expr(ty.clone(), e.span, kind);
    let direction = Ty::Of(builtin_kinds::DIRECTION);
    let none = || expr(&Ty::None, ExprKind::None);
    let (space, to) = (expr(&c.ty, ExprKind::Local(from)), expr(&direction, ExprKind::Local(way)));
    let ray = expr(ty, ExprKind::Builtin(Builtin::Ray, vec![space, to, none(), none()]));
    let of_ray = |x: Expr| expr(&x.ty.clone(), ExprKind::Let(fold.var, ray.clone(), x));
    let own = || expr(ty, ExprKind::Local(fold.var));
    let some = expr(&Ty::Bool, ExprKind::Not(expr(&Ty::Bool, ExprKind::IsEmpty(own()))));
    let cond = cond.map(|(l, x)| expr(&Ty::Bool, ExprKind::Let(l, own(), x.clone())));
    let both = |a: Expr, b: Expr| expr(&Ty::Bool, ExprKind::And(a, b));
    let cond = cond.into_iter().chain(fold.cond.clone()).fold(some, both);
    let all = ExprKind::Builtin(Builtin::DirectionSet(2), Vec::new());
    let fold = Fold {
        op: fold.op,
        var: way,
        over: expr(&Ty::Set(Box::new(direction)), all),
        cond: Some(of_ray(cond)),
        bodies: fold.bodies.iter().cloned().map(of_ray).collect(),
    };
    let fold = expr(&e.ty, ExprKind::Fold(Box::new(fold)));
    Some(expr(&e.ty, ExprKind::Let(from, c.clone(), fold)))
}

/// Splits `union(r in rays(c): run(r, P, until: Q))` into c, P and Q.
pub fn split_run_union(fold: &Fold) -> Option<(&Expr, &Expr, &Expr)> {
    let ExprKind::Builtin(Builtin::Rays, rays) = &*fold.over.kind else { return None };
    let [body] = fold.bodies.as_slice() else { return None };
    let ExprKind::Builtin(Builtin::Run, args) = &*without_as_set(body).kind else { return None };
    let [r, p, q] = args.as_slice() else { return None };
    let own = matches!(&*r.kind, ExprKind::Local(l) if *l == fold.var);
    (own && fold.cond.is_none() && !mentions(p, fold.var) && !mentions(q, fold.var)).then_some((
        rays.first()?,
        p,
        q,
    ))
}
