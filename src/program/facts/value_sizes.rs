//! Sizes of values with all calls inlined; lowering inlines a value only if it is small enough.
//!
//! `value a(n: int): int = n + n` has three nodes and two uses of `n`; `value b(n: int): int = a(a(n))` has nine nodes: its own and those of both calls, with an argument
//! copied for each use. A value that would become too large is called, and counts as one call in the values that use it. So the size of the code grows with the rules, and not
//! with the number of paths through them.
use houserule_model::body::walk;
use houserule_model::hir::*;
use rustc_hash::FxHashMap as HashMap;

/// The most nodes of a body that is inlined.
const MOST: u64 = 6_000;

/// Size of one value.
#[derive(Clone, Default, Debug)]
struct Size {
    /// Nodes of its body with all calls inlined, without its arguments.
    nodes: u64,
    /// Uses of each parameter, with all calls inlined.
    uses: Vec<u64>,
    /// Whether it calls itself, also through others.
    recursive: bool,
    /// Whether it must be called.
    called: bool,
}

/// Sizes of all values of a game.
#[derive(Clone, Default, Debug)]
pub struct InlinedSizes(Vec<Size>);

impl InlinedSizes {
    /// Computes the sizes for a checked game.
    pub fn of(m: &Model) -> InlinedSizes {
        let mut all = InlinedSizes(vec![Size::default(); m.values.len()]);
        for group in groups(m) {
            let recursive = group.len() > 1 || group.first().is_some_and(|v| calls_of(m, *v).contains(v));
            for v in group {
                let size = if recursive {
                    Size { recursive: true, called: true, ..Size::default() }
                } else {
                    all.size_of(m, v)
                };
                if let Some(slot) = all.0.get_mut(v) {
                    *slot = size;
                }
            }
        }
        all
    }

    /// Whether a value calls itself, also through others.
    pub fn is_recursive(&self, v: ValueId) -> bool {
        self.0.get(v.index()).is_some_and(|s| s.recursive)
    }

    /// Whether a value is too large to be inlined.
    pub fn is_called(&self, v: ValueId) -> bool {
        self.0.get(v.index()).is_none_or(|s| s.called)
    }

    fn size_of(&self, m: &Model, v: usize) -> Size {
        let Some(value) = m.values.get(v) else { return Size::default() };
        let params = value.body.params;
        let mut sum = Sum { nodes: 0, uses: HashMap::default() };
        if let Some(body) = &value.body.body {
            self.add(body, 1, &mut sum);
        }
        let uses: Vec<u64> =
            (0..params).map(|i| sum.uses.get(&LocalId(i as u32)).copied().unwrap_or(0)).collect();
        let all = uses.iter().fold(sum.nodes, |n, u| n.saturating_add(*u));
        Size { nodes: sum.nodes, uses, recursive: false, called: all > MOST }
    }

    /// Adds the size of an expression that is copied `times` times.
    fn add(&self, e: &Expr, times: u64, sum: &mut Sum) {
        sum.nodes = sum.nodes.saturating_add(times);
        match &*e.kind {
            ExprKind::Local(l) => {
                let n = sum.uses.entry(*l).or_default();
                *n = n.saturating_add(times);
            }
            ExprKind::Value(v, args) => {
                let size = self.0.get(v.index()).filter(|s| !s.called);
                sum.nodes = sum.nodes.saturating_add(times.saturating_mul(size.map_or(0, |s| s.nodes)));
                for (i, a) in args.iter().enumerate() {
                    let uses = size.and_then(|s| s.uses.get(i)).copied().unwrap_or(1).max(1);
                    self.add(a, times.saturating_mul(uses), sum);
                }
            }
            _ => {
                for p in walk::subexprs(e) {
                    self.add(p, times, sum);
                }
            }
        }
    }
}

/// Counts for one body.
struct Sum {
    nodes: u64,
    uses: HashMap<LocalId, u64>,
}

/// The values that a value's body calls.
fn calls_of(m: &Model, v: usize) -> Vec<usize> {
    let mut out = Vec::new();
    if let Some(body) = m.values.get(v).and_then(|v| v.body.body.as_ref()) {
        walk::visit_exprs(body, &mut |e| {
            if let ExprKind::Value(x, _) = &*e.kind {
                out.push(x.index());
            }
        });
    }
    out.sort_unstable();
    out.dedup();
    out
}

/// Groups of values that call each other, callees first (Tarjan's algorithm without recursion, because chains of calls may be long).
fn groups(m: &Model) -> Vec<Vec<usize>> {
    const NEW: usize = usize::MAX;
    let n = m.values.len();
    let calls: Vec<Vec<usize>> = (0..n).map(|v| calls_of(m, v)).collect();
    let (mut number, mut low, mut on) = (vec![NEW; n], vec![0; n], vec![false; n]);
    let (mut out, mut stack, mut next) = (Vec::new(), Vec::new(), 0);
    for start in 0..n {
        if number[start] != NEW {
            continue;
        }
        let mut path = vec![(start, 0)];
        while let Some((v, at)) = path.pop() {
            if at == 0 {
                (number[v], low[v], on[v]) = (next, next, true);
                next += 1;
                stack.push(v);
            } else if let Some(w) = calls[v].get(at - 1) {
                // Returns from a callee.
                low[v] = low[v].min(low[*w]);
            }
            let rest = calls[v].iter().enumerate().skip(at);
            let mut deeper = None;
            for (i, w) in rest {
                if number[*w] == NEW {
                    deeper = Some((i + 1, *w));
                    break;
                }
                if on[*w] {
                    low[v] = low[v].min(number[*w]);
                }
            }
            if let Some((at, w)) = deeper {
                path.push((v, at));
                path.push((w, 0));
                continue;
            }
            if low[v] == number[v] {
                let from = stack.iter().rposition(|x| *x == v).unwrap_or(0);
                let group = stack.split_off(from);
                group.iter().for_each(|w| on[*w] = false);
                out.push(group);
            }
        }
    }
    out
}
