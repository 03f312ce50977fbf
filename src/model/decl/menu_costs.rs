//! The cost of a menu: each of its actions costs this, unless the action has a `cost` of its own.
//!
//! ```text
//! menu acts { cost 1 effort; done }
//! action walk(c: Cell) in acts { … }                 # costs 1 effort
//! action rest() in acts cost nothing { … }
//! ```
use super::Job;
use crate::hir::*;
use houserule_syntax::ast;
use rustc_hash::FxHashMap as HashMap;

/// The first cost of each menu that has one.
pub(in crate::decl) fn list_costs<'t>(jobs: &[Job<'t>]) -> HashMap<MenuId, &'t ast::Cost> {
    let cost_of = |d: &'t ast::MenuDecl| {
        d.parts.iter().find_map(|p| match &p.kind {
            ast::MenuPartKind::Cost(c) => Some(c),
            _ => None,
        })
    };
    let menu = |j: &Job<'t>| match j {
        Job::Menu(id, d) => cost_of(d).map(|c| (*id, c)),
        _ => None,
    };
    jobs.iter().filter_map(menu).collect()
}
