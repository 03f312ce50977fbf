//! Lowers drawn maps to a function that puts on each space what its sign says.
use crate::fn_builder::FnBuild;
use crate::ir::*;
use crate::layout::tables::Home;
use crate::lower::{Job, Lower};
use houserule_model::body::{build, types};
use houserule_model::hir::*;
use houserule_text::Span;

impl Lower<'_> {
    /// The statement for a mark; none for marks that only qualify another.
    fn sign_statement(&self, space: Expr, mark: &Mark, whose: Option<&Expr>, span: Span) -> Option<Stmt> {
        let e = |ty: Ty, kind: ExprKind| build::expr(ty, span, kind);
        let first = |kind: KindId, of: Expr| {
            e(Ty::Maybe(Box::new(Ty::Of(kind))), ExprKind::First { n: None, of, last: false })
        };
        // A name that does not occur in the rules.
        let it = LocalId(u32::MAX);
        let boxed = |kind: KindId, test: &dyn Fn(Expr) -> ExprKind| {
            let all = e(types::set_of(Ty::Of(kind)), ExprKind::Box(kind));
            let own = || e(Ty::Of(kind), ExprKind::Local(it));
            let mut passes = e(Ty::Bool, test(own()));
            let line = types::line_of(self.m, kind);
            if let Some(p) = whose.filter(|_| line.iter().any(|k| self.m.kinds[k.index()].per_player)) {
                let owner = ExprKind::Builtin(Builtin::OwnerOf, vec![own()]);
                let owner = e(types::maybe(types::player()), owner);
                let theirs = e(Ty::Bool, ExprKind::Compare(Comparison::Eq, owner, p.clone()));
                passes = e(Ty::Bool, ExprKind::And(theirs, passes));
            }
            first(kind, e(types::set_of(Ty::Of(kind)), ExprKind::Where(all, it, passes)))
        };
        let (what, to) = match mark {
            Mark::Set(a, value) => {
                let kind = StmtKind::Assign(Lhs::Attr(space, *a), Change::Set, value.clone());
                return Some(Stmt { span, kind });
            }
            // An owner qualifies a component; alone, the sign has set an attribute.
            Mark::Whose(_) | Mark::Player(..) => return None,
            Mark::Component(member, to) => {
                let kind = self.m.members[member.index()].kind;
                (boxed(kind, &|x| ExprKind::IsFace(x, *member, None)), *to)
            }
            Mark::OfKind(kind, to) => (boxed(*kind, &|x| ExprKind::IsKind(x, *kind)), *to),
            Mark::From(zone, to) => {
                let kind = self.m.zones[zone.index()].holds.first().copied().unwrap_or(KindId(0));
                let lying = e(Ty::List(Box::new(Ty::Of(kind))), ExprKind::Zone(None, *zone, None));
                (first(kind, lying), *to)
            }
        };
        let place = e(Ty::Place, ExprKind::PlaceOf(Some(space.clone()), to, None));
        let go =
            Stmt { span, kind: StmtKind::Move(Box::new(Move { what, to: place, under: false, face: None })) };
        let zone = &self.m.zones[to.index()];
        if !zone.slot {
            return Some(go);
        }
        let kind = zone.holds.first().copied().unwrap_or(KindId(0));
        let lying = e(Ty::Maybe(Box::new(Ty::Of(kind))), ExprKind::Zone(Some(space), to, None));
        let free = e(Ty::Bool, ExprKind::Not(e(Ty::Bool, ExprKind::IsSome(lying))));
        Some(Stmt { span, kind: StmtKind::If(free, vec![go], Vec::new()) })
    }

    /// The function that builds a map.
    pub fn build_func(&mut self, map: MapId) -> FuncId {
        let decl = &self.m.maps[map.index()];
        let (name, span) = (decl.name.clone(), decl.span);
        let decl = self.add_decl("map", &name, span);
        self.func(format!("build {}", map.0), &format!("build {name}"), false, 1, 0, decl, Job::Build(map))
    }

    /// Puts on each space what its sign says, row by row from the top left. A slot that is not empty is left as it is.
    pub fn make_build(&mut self, map: MapId) -> FnBuild {
        let mut f = FnBuild::new(true);
        f.alloc(1);
        for sign in self.signs(map).iter() {
            // An attribute that never changes later is in a constant table.
            if let Mark::Set(a, _) = &sign.mark
                && matches!(self.homes.get(a), Some(Home::Table(_)))
            {
                continue;
            }
            let space = build::expr(
                Ty::Of(self.m.maps[map.index()].space),
                sign.span,
                ExprKind::Space(map, sign.column, sign.row),
            );
            if let Some(s) = self.sign_statement(space, &sign.mark, sign.whose.as_ref(), sign.span) {
                self.emit_stmt(&mut f, &s);
            }
        }
        f
    }
}
