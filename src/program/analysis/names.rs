//! Resolves names: what a name is bound to, and whether an expression depends on the lifted variable.
use crate::fn_builder::{Bind, FnBuild};
use crate::ir::*;
use crate::layout::tables::{Layout, Tables};
use houserule_model::body::types;
use houserule_model::hir::*;

/// The name for "this `once` action is used up" in guards.
pub const USED: LocalId = LocalId(3_000_001);

impl Layout<'_> {
    /// The binding of a name in the present environment.
    pub fn binding_of(&self, f: &FnBuild, l: LocalId) -> Option<Bind> {
        f.envs.get(f.env)?.get(&l).cloned()
    }

    /// Whether the expression is the lifted variable, also through aliases.
    pub fn is_lifted(&self, f: &FnBuild, e: &Expr) -> bool {
        match &*e.kind {
            ExprKind::Local(l) => match self.binding_of(f, *l) {
                Some(Bind::Lifted) => true,
                Some(Bind::Alias(x, env)) => {
                    let mut inner = x;
                    let mut at = env;
                    // Follows aliases.
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

    /// Whether the expression reads the lifted variable, also through aliases.
    fn depends_on_lifted(&self, f: &FnBuild, e: &Expr, env: usize, depth: usize) -> bool {
        if depth > 32 {
            return true;
        }
        let mut found = false;
        houserule_model::body::walk::visit_exprs(e, &mut |x| {
            if let ExprKind::Local(l) = &*x.kind {
                found |= match f.envs.get(env).and_then(|e| e.get(l)) {
                    Some(Bind::Lifted) => true,
                    Some(Bind::Alias(y, e2)) => self.depends_on_lifted(f, y, *e2, depth + 1),
                    Some(Bind::Call(_, args, e2)) => {
                        args.iter().any(|y| self.depends_on_lifted(f, y, *e2, depth + 1))
                    }
                    _ => false,
                };
            }
        });
        found
    }

    /// Whether the expression does not read the lifted variable.
    pub fn is_free(&self, f: &FnBuild, e: &Expr) -> bool {
        !self.depends_on_lifted(f, e, f.env, 0)
    }

    /// The same in another environment.
    pub fn is_free_in(&self, f: &FnBuild, e: &Expr, env: usize) -> bool {
        !self.depends_on_lifted(f, e, env, 0)
    }
}

impl Tables<'_> {
    /// The constant value of an expression that is not a set.
    pub fn known_constant(&mut self, e: &Expr) -> Option<i64> {
        if matches!(e.ty, Ty::Set(_) | Ty::List(_) | Ty::Filter(_) | Ty::Text | Ty::Place) {
            return None;
        }
        self.constant(e).int()
    }

    /// The map of a type of spaces, and the universe of its spaces.
    pub fn map_of(&mut self, ty: &Ty, span: houserule_text::Span) -> (u8, UniverseId) {
        let t = types::element(self.m, ty).unwrap_or_else(|| types::plain(ty));
        let u = self.universe_of(&types::plain(&t), span);
        match self.p.universes.get(u.index()).map(|u| &u.sort) {
            Some(UniverseSort::Spaces(Some(m))) => (m.0 as u8, u),
            _ => {
                self.report_unsupported(span, "spaces off any map");
                (0, u)
            }
        }
    }
}
