//! Lowers sets of numbers. Lists and ranges of numbers are enumerated one by one where no set is needed.
//!
//! A set has a bit for each number that it may hold. The bounds of `[count(players), p.coins]` are computed from its parts; `sum([n, 3])` and `for i in 1..n` need no set.
use crate::fn_builder::{Bind, FnBuild};
use crate::ir::*;
use crate::layout::number_domains::Numbers;
use crate::layout::tables::Tables;
use crate::lower::Lower;
use crate::lower::values::aggregates::fold_of_nothing;
use houserule_model::hir::*;

impl Tables<'_> {
    /// The numbers of a stored list that may hold a number twice, if that matters to the fold.
    fn stored_numbers<'e>(&mut self, f: &FnBuild, adds: bool, e: &'e Expr) -> Option<Numbers<'e>> {
        let list = matches!(&e.ty, Ty::List(t) if matches!(**t, Ty::Int(..)));
        (adds && list && self.game_facts.may_repeat && self.has_own_order(f, e)).then_some(Numbers::Stored(e))
    }
}

/// Numbers that are gone through several times: whatever gives them is evaluated once.
enum Again<'e> {
    /// In registers.
    Registers(Vec<R>),
    /// In a list.
    List(R, UniverseId),
    /// Of the things of a set, each its own.
    Things(R, u8, &'e Fold),
}

impl Lower<'_> {
    /// Emits a fold over written numbers or a wide range, one number after another. Returns false if it is no such fold.
    pub fn fold_numbers(&mut self, f: &mut FnBuild, fold: &Fold, d: R) -> bool {
        let adds = matches!(fold.op, FoldOp::Sum | FoldOp::Count);
        let Some(numbers) = self.numbers(&fold.over).or_else(|| self.stored_numbers(f, adds, &fold.over))
        else {
            return false;
        };
        let truth = matches!(fold.op, FoldOp::Any | FoldOp::Every | FoldOp::No);
        if !truth && !matches!(fold.op, FoldOp::Sum | FoldOp::Count | FoldOp::Min | FoldOp::Max) {
            return false;
        }
        let acc = f.load_number(fold_of_nothing(fold.op));
        let done = f.new_label();
        self.loop_over_each(f, &numbers, &mut |s, f, x| {
            let next = f.new_label();
            f.bind(fold.var, Bind::Reg(x));
            if let Some(c) = &fold.cond {
                s.branch(f, c, false, next);
            }
            s.fold_member(f, fold, acc, (next, done));
            f.place_label(next);
        });
        f.place_label(done);
        f.emit(Ins::Mov { d, a: acc });
        true
    }

    /// Emits `count`, `sum`, `min` or `max` of written numbers or a wide range. Returns false if it is no such set.
    pub fn fold_number_list(&mut self, f: &mut FnBuild, b: Builtin, of: &Expr, d: R) -> bool {
        let adds = b.has(builtins::Trait::Repeats);
        let Some(numbers) = self.numbers(of).or_else(|| self.stored_numbers(f, adds, of)) else {
            return false;
        };
        match b {
            Builtin::Count | Builtin::SumOf => f.emit(Ins::Li { d, k: 0 }),
            _ => f.emit(Ins::Li { d, k: NONE as i32 }),
        }
        self.loop_over_each(f, &numbers, &mut |_, f, x| {
            f.emit(match b {
                Builtin::Count => Ins::AddK { d, a: d, k: 1 },
                Builtin::SumOf => Ins::Add { d, a: d, b: x },
                Builtin::MinOf => Ins::Min { d, a: d, b: x },
                _ => Ins::Max { d, a: d, b: x },
            });
        });
        true
    }

    /// The median of numbers of which equal ones count, or of a range without narrow bounds: the least that is less than at most half of them. False if it is no such set.
    pub fn median_of_numbers(&mut self, f: &mut FnBuild, of: &Expr, d: R) -> bool {
        let again = if let (ExprKind::Fold(fold), Ty::List(_)) = (&*of.kind, &of.ty)
            && fold.op == FoldOp::Collect
        {
            let u = self.uni_of(&fold.over);
            Again::Things(self.set_reg(f, &fold.over, u), self.set_words(u), fold)
        } else {
            match self.numbers(of).or_else(|| self.stored_numbers(f, true, of)) {
                Some(Numbers::Listed(all)) => {
                    let mut regs = Vec::new();
                    for e in all {
                        let (r, a) = (f.alloc(1), self.required_reg(f, e));
                        f.emit(Ins::Mov { d: r, a });
                        regs.push(r);
                    }
                    Again::Registers(regs)
                }
                Some(Numbers::Stored(e)) => {
                    let u = self.uni_of(e);
                    Again::List(self.list_reg(f, e, u), u)
                }
                Some(Numbers::Range(a, b)) => {
                    let (a, b) = (self.required_reg(f, a), self.required_reg(f, b));
                    let (half, two, t, end) = (f.alloc(1), f.load_number(2), f.alloc(1), f.new_label());
                    f.emit(Ins::Le { d: t, a, b });
                    f.emit(Ins::Sub { d: half, a: b, b: a });
                    f.emit(Ins::Div { d: half, a: half, b: two });
                    f.emit(Ins::Add { d, a, b: half });
                    f.jnz(t, end);
                    f.emit(Ins::Li { d, k: NONE as i32 });
                    f.place_label(end);
                    return true;
                }
                None => return false,
            }
        };
        let (best, more, zero, t) = (f.load_number(NONE), f.alloc(1), f.load_number(0), f.alloc(1));
        self.each_again(f, &again, &mut |s, f, x| {
            // How many more are not greater than it than are.
            f.emit(Ins::Li { d: more, k: 0 });
            s.each_again(f, &again, &mut |_, f, y| {
                f.emit(Ins::Le { d: t, a: y, b: x });
                f.emit(Ins::Add { d: more, a: more, b: t });
                f.emit(Ins::Add { d: more, a: more, b: t });
                f.emit(Ins::AddK { d: more, a: more, k: -1 });
            });
            let next = f.new_label();
            f.emit(Ins::Le { d: t, a: zero, b: more });
            f.jz(t, next);
            f.emit(Ins::Min { d: best, a: best, b: x });
            f.place_label(next);
        });
        f.emit(Ins::Mov { d, a: best });
        true
    }

    fn each_again(
        &mut self,
        f: &mut FnBuild,
        again: &Again<'_>,
        body: &mut dyn FnMut(&mut Self, &mut FnBuild, R),
    ) {
        match again {
            Again::Registers(all) => {
                for r in all {
                    body(self, f, *r);
                }
            }
            Again::List(l, u) => {
                let (i, top, end) = f.begin_list_loop(*l);
                let x = f.emit_new(1, |d| Ins::AddK { d, a: i, k: self.least_of(*u) });
                body(self, f, x);
                f.jmp(top);
                f.place_label(end);
            }
            Again::Things(s, w, fold) => {
                let (i, top, end) = f.begin_loop(*s, *w);
                f.bind(fold.var, Bind::Reg(i));
                if let Some(c) = &fold.cond {
                    self.branch(f, c, false, top);
                }
                let x = f.alloc(1);
                for b in &fold.bodies {
                    let r = self.required_reg(f, b);
                    f.emit(Ins::Mov { d: x, a: r });
                }
                body(self, f, x);
                f.jmp(top);
                f.place_label(end);
            }
        }
    }

    /// Emits `x in [a, b]` for written numbers or a wide range. Returns false if it is no such set.
    pub fn test_among_numbers(&mut self, f: &mut FnBuild, x: &Expr, of: &Expr, d: R) -> bool {
        let (ExprKind::Set(all) | ExprKind::List(all)) = &*of.kind else { return false };
        if self.numbers(of).is_none() || !self.is_too_wide(of) {
            return false;
        }
        let x = self.expr_reg(f, x);
        let found = f.new_label();
        f.emit(Ins::Li { d, k: 1 });
        for e in all {
            let base = f.next;
            let (r, t) = (self.required_reg(f, e), f.alloc(1));
            f.emit(Ins::Eq { d: t, a: x, b: r });
            f.jnz(t, found);
            f.next = base;
        }
        f.emit(Ins::Li { d, k: 0 });
        f.place_label(found);
        true
    }

    /// Emits a loop over a wide range of numbers. Returns false if it is no such range.
    pub fn loop_over_numbers(&mut self, f: &mut FnBuild, l: LocalId, over: &Expr, body: &Block) -> bool {
        let numbers = self.numbers(over).filter(|n| matches!(n, Numbers::Range(..)));
        let Some(numbers) = numbers else { return false };
        self.loop_over_each(f, &numbers, &mut |s, f, x| {
            f.bind(l, Bind::Reg(x));
            s.emit_block(f, body);
        });
        true
    }

    fn loop_over_each(
        &mut self,
        f: &mut FnBuild,
        numbers: &Numbers<'_>,
        body: &mut dyn FnMut(&mut Self, &mut FnBuild, R),
    ) {
        let x = f.alloc(1);
        match numbers {
            Numbers::Listed(all) => {
                for e in *all {
                    let base = f.next;
                    let r = self.required_reg(f, e);
                    f.emit(Ins::Mov { d: x, a: r });
                    body(self, f, x);
                    f.next = base;
                }
            }
            Numbers::Stored(e) => {
                let u = self.uni_of(e);
                let (i, top, end) = self.begin_ordered_walk(f, e, u);
                f.emit(Ins::AddK { d: x, a: i, k: self.least_of(u) });
                let base = f.next;
                body(self, f, x);
                f.next = base;
                f.jmp(top);
                f.place_label(end);
            }
            Numbers::Range(from, to) => {
                let (at, last, t) = (f.alloc(1), f.alloc(1), f.alloc(1));
                let r = self.required_reg(f, from);
                f.emit(Ins::AddK { d: at, a: r, k: 0 });
                let r = self.required_reg(f, to);
                f.emit(Ins::AddK { d: last, a: r, k: 0 });
                let (top, end) = (f.new_label(), f.new_label());
                f.place_label(top);
                f.emit(Ins::Le { d: t, a: at, b: last });
                f.jz(t, end);
                f.emit(Ins::Mov { d: x, a: at });
                f.emit(Ins::AddK { d: at, a: at, k: 1 });
                let base = f.next;
                body(self, f, x);
                f.next = base;
                f.jmp(top);
                f.place_label(end);
            }
        }
    }
}
