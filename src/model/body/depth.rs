//! Bounds how deep values and rules call each other. Runs before any analysis that follows calls.
use super::walk;
use crate::codes;
use crate::hir::*;
use houserule_text::{Diagnostic, Report, Span};

/// How many values and rules may call each other in a row.
pub const DEEPEST: usize = 200;

/// A value or rule that calls and is called.
struct Node {
    calls: Vec<usize>,
    span: Span,
    /// How many calls deep it goes, once that is known.
    depth: Option<usize>,
    /// It is being followed: a call that comes back to it is left out.
    open: bool,
}

/// Reports the first value or rule from which calls go deeper than they may.
pub fn check_depth(m: &Model, report: &mut Report) -> bool {
    let mut nodes = list_nodes(m);
    for start in 0..nodes.len() {
        let Some(deep) = measure_depth(&mut nodes, start) else { continue };
        let span = nodes.get(deep).map_or(Span::default(), |n| n.span);
        let message = format!("values and rules call each other more than {DEEPEST} levels deep");
        report.push(
            Diagnostic::error(codes::CALLS_DEEP, span, message)
                .label("the calls from here are too deep")
                .help("join some of the values or rules in this chain of calls"),
        );
        return true;
    }
    false
}

/// Values first, then rules.
fn list_nodes(m: &Model) -> Vec<Node> {
    let rule = |r: &RuleId| m.values.len() + r.index();
    let mut out = Vec::with_capacity(m.values.len() + m.rules.len());
    let node = |span| Node { calls: Vec::new(), span, depth: None, open: false };
    for v in &m.values {
        let mut n = node(v.span);
        if let Some(e) = &v.body.body {
            walk::visit_exprs(e, &mut |e| n.calls.extend(called_node(e, &rule)));
        }
        out.push(n);
    }
    for r in &m.rules {
        let mut n = node(r.span);
        if let Some(b) = &r.body.body {
            walk::visit_block_exprs(b, &mut |e| n.calls.extend(called_node(e, &rule)));
            walk::visit_stmts(b, &mut |s| {
                if let StmtKind::Call(r, ..) = &s.kind {
                    n.calls.push(rule(r));
                }
            });
        }
        out.push(n);
    }
    for n in &mut out {
        n.calls.sort_unstable();
        n.calls.dedup();
    }
    out
}

/// What an expression calls.
fn called_node(e: &Expr, rule: &dyn Fn(&RuleId) -> usize) -> Option<usize> {
    match &*e.kind {
        ExprKind::Value(v, _) => Some(v.index()),
        ExprKind::Rule(r, ..) | ExprKind::CanRule(r, ..) => Some(rule(r)),
        _ => None,
    }
}

/// Works out how deep calls go from a node, on a stack of its own; gives the node that goes too deep, if one does.
fn measure_depth(nodes: &mut [Node], start: usize) -> Option<usize> {
    // A node, and how many of its calls have been looked at.
    let mut stack = vec![(start, 0)];
    while let Some((at, next)) = stack.last_mut() {
        let (i, call) = (*at, *next);
        *next += 1;
        let node = nodes.get_mut(i)?;
        node.open = true;
        let callee = node.calls.get(call).copied();
        if node.depth.is_none()
            && let Some(c) = callee
        {
            if nodes.get(c).is_some_and(|n| n.depth.is_none() && !n.open) {
                stack.push((c, 0));
            }
            continue;
        }
        stack.pop();
        if node.depth.is_none() {
            let calls = std::mem::take(&mut node.calls);
            let deep = calls.iter().filter_map(|c| nodes.get(*c)?.depth).max().map_or(0, |d| d + 1);
            let node = nodes.get_mut(i)?;
            (node.calls, node.depth, node.open) = (calls, Some(deep), false);
            if deep > DEEPEST {
                return Some(i);
            }
        }
        if let Some(node) = nodes.get_mut(i) {
            node.open = false;
        }
    }
    None
}
