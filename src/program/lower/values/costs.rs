//! Lowers `distance` and `reachable` with `cost:` to a search by sets of spaces.
//!
//! ```text
//! layers: what is reached for t, t - 1, t - 2 … (as many as the greatest cost)
//! again:  next = layer 1, and of each layer k the neighbours that cost k
//!         end if next is the last layer: nothing more is reached
//!         shift the layers; layer 1 = next; t += 1
//! ```
use crate::fn_builder::FnBuild;
use crate::ir::*;
use crate::lower::Lower;
use houserule_model::hir::*;

/// The most registers that a search may take.
pub const MOST: usize = 160;

impl Lower<'_> {
    /// Puts the cost from the first argument to the second into `d`, or the set of the spaces that are reached for at most the second.
    pub fn cost_search_into(&mut self, f: &mut FnBuild, args: &[Expr], e: &Expr, d: R) {
        let [from, goal, costs @ ..] = args else { return };
        let (m, u) = self.map_of(&from.ty, from.span);
        let (w, k, reach) = (self.set_words(u), costs.len() as u8, matches!(e.ty, Ty::Set(_)));
        if (2 * costs.len() + 2) * usize::from(w) > MOST {
            let what = format!("a cost of up to {k} on a map of this size: give it a smaller range");
            return self.report_unsupported(e.span, what);
        }
        let (layers, sets) = (f.alloc(k * w), f.alloc(k * w));
        let layer = |i: u8| layers + i * w;
        (0..k).for_each(|i| f.emit(Ins::SZero { d: layer(i), w }));
        if matches!(from.ty, Ty::Set(_) | Ty::List(_)) {
            self.set_into(f, from, u, layers);
        } else {
            let c = self.required_reg(f, from);
            f.emit(Ins::SIns { d: layers, i: c, w });
        }
        for (i, spaces) in (0..k).zip(costs) {
            self.set_into(f, spaces, u, sets + i * w);
        }
        let goal =
            if matches!(&*goal.kind, ExprKind::None) { None } else { Some(self.required_reg(f, goal)) };
        let (next, near, same, t) = (f.alloc(w), f.alloc(w), f.alloc(1), f.load_number(0));
        let (top, found, stuck, end) = (f.new_label(), f.new_label(), f.new_label(), f.new_label());
        f.place_label(top);
        match goal {
            Some(n) if reach => f.emit(Ins::JLe { a: n, b: t, to: found.0 as u32 }),
            Some(c) => {
                f.emit(Ins::STest { d: same, s: layers, i: c, w });
                f.emit(Ins::Jnz { a: same, to: found.0 as u32 });
            }
            None => {}
        }
        f.emit(Ins::MovN { d: next, a: layers, n: w });
        for i in 0..k {
            f.emit(Ins::Dilate { d: near, s: layer(i), m });
            f.emit(Ins::SAnd { d: near, a: near, b: sets + i * w, w });
            f.emit(Ins::SOr { d: next, a: next, b: near, w });
        }
        f.emit(Ins::SEq { d: same, a: next, b: layer(k.saturating_sub(1)), w });
        f.emit(Ins::Jnz { a: same, to: stuck.0 as u32 });
        (1..k).rev().for_each(|i| f.emit(Ins::MovN { d: layer(i), a: layer(i - 1), n: w }));
        f.emit(Ins::MovN { d: layers, a: next, n: w });
        f.emit(Ins::AddK { d: t, a: t, k: 1 });
        f.jmp(top);
        f.place_label(stuck);
        if !reach {
            f.emit(Ins::Li { d, k: NONE as i32 });
            f.jmp(end);
        }
        f.place_label(found);
        f.emit(if reach { Ins::MovN { d, a: layers, n: w } } else { Ins::Mov { d, a: t } });
        f.place_label(end);
    }
}
