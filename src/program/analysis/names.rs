//! What names stand for where an expression stands, and on what of them it depends.
use crate::fn_builder::{Bind, FnBuild};
use crate::ir::*;
use crate::layout::tables::{Layout, Tables};
use houserule_model::body::types;
use houserule_model::hir::*;

/// The name by which a guard knows whether an action that can be taken once has been.
pub const USED: LocalId = LocalId(3_000_001);

impl Layout<'_> {
    /// What a name stands for where the code is.
    pub fn binding_of(&self, f: &FnBuild, l: LocalId) -> Option<Bind> {
        f.envs.get(f.env)?.get(&l).cloned()
    }

    /// Whether the expression is the variable that is being lifted.
    pub fn is_lifted(&self, f: &FnBuild, e: &Expr) -> bool {
        match &*e.kind {
            ExprKind::Local(l) => match self.binding_of(f, *l) {
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
    fn depends_on_lifted(&self, f: &FnBuild, e: &Expr, env: usize, depth: usize) -> bool {
        if depth > 32 {
            return true;
        }
        let mut found = false;
        houserule_model::body::walk::every(e, &mut |x| {
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

    pub fn is_free(&self, f: &FnBuild, e: &Expr) -> bool {
        !self.depends_on_lifted(f, e, f.env, 0)
    }

    /// The same with the names of an environment.
    pub fn is_free_in(&self, f: &FnBuild, e: &Expr, env: usize) -> bool {
        !self.depends_on_lifted(f, e, env, 0)
    }

    /// Whether the expression looks at nothing that is being lifted, but perhaps at its own variable.
    pub fn is_free_but(&self, f: &FnBuild, e: &Expr, _own: LocalId) -> bool {
        self.is_free(f, e)
    }

    /// The expression behind aliases.
    pub fn resolve_aliases(&self, f: &FnBuild, e: &Expr) -> Option<Expr> {
        match &*e.kind {
            ExprKind::Local(l) => match self.binding_of(f, *l) {
                Some(Bind::Alias(x, env)) if env == f.env => Some((*x).clone()),
                _ => None,
            },
            _ => Some(e.clone()),
        }
    }
}

impl Tables<'_> {
    /// A constant, where it is one (sets excluded).
    pub fn known_constant(&mut self, e: &Expr) -> Option<i64> {
        if matches!(e.ty, Ty::Set(_) | Ty::List(_) | Ty::Filter(_) | Ty::Text | Ty::Place) {
            return None;
        }
        self.constant(e).int()
    }

    /// The map of a space's type, with its universe.
    pub fn map_of(&mut self, ty: &Ty, span: houserule_text::Span) -> (u8, UniverseId) {
        let t = types::element(self.m, ty).unwrap_or_else(|| types::plain(ty));
        let u = self.uni(&types::plain(&t), span);
        match self.p.universes.get(u.index()).map(|u| &u.sort) {
            Some(UniverseSort::Spaces(Some(m))) => (m.0 as u8, u),
            _ => {
                self.report_unsupported(span, "spaces off any map");
                (0, u)
            }
        }
    }
}
