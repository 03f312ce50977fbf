//! What the whole of a game's rules says, whatever the set-up: found once a game, in one walk, since rules are long and set-ups many.
use super::written::Written;
use crate::model::body::walk;
use crate::model::body::{sealed, types};
use crate::model::hir::*;
use rustc_hash::FxHashSet as HashSet;
use std::cell::RefCell;

/// What lowering asks of all rules together.
#[derive(Clone, Default, Debug)]
pub struct Facts {
    /// Families of components that are ever turned over, or asked which way they lie.
    pub turned: HashSet<KindId>,
    /// Zones in which rules ask what is first, last or n-th, that are shuffled, or into which something goes under the rest. In others nobody but those who look in
    /// knows what lies where, as in a hand of cards. What tests ask does not count: a game is the same with its tests and without.
    pub ordered: HashSet<ZoneId>,
    /// Maps that the rules build themselves.
    pub built: HashSet<MapId>,
    /// Whether anything becomes another face.
    pub becomes: bool,
    /// Whether a value, or what modifies one, may ask whose turn it is.
    pub turn_in_values: bool,
    /// Whether several act freely anywhere: what is on offer is asked for again and again.
    pub freely: bool,
    /// How large values are with all calls in them written out.
    pub written: Written,
    /// Answers that are written down where not everybody may read.
    pub sealed: sealed::Sealed,
}

impl Facts {
    /// Of a checked game.
    pub fn of(m: &Model) -> Facts {
        let facts = RefCell::new(Facts { sealed: sealed::find(m), ..Facts::default() });
        let families = |e: &Expr| {
            let el = types::element(m, &types::plain(&e.ty)).unwrap_or_else(|| types::plain(&e.ty));
            let root = |k: &KindId| types::line_of(m, *k).last().copied().unwrap_or(*k);
            facts.borrow_mut().turned.extend(types::kinds_of(&el).iter().map(root));
        };
        let mut turns = |e: &Expr| {
            if let ExprKind::Builtin(Builtin::Up, a) = &*e.kind {
                a.first().into_iter().for_each(families);
            }
        };
        let mut acts = |s: &Stmt| match &s.kind {
            StmtKind::Flip(x, _) => families(x),
            StmtKind::Move(to) if to.face.is_some() => families(&to.what),
            StmtKind::Everyone(e) if e.mode == Mode::Freely => facts.borrow_mut().freely = true,
            StmtKind::Becomes(..) => facts.borrow_mut().becomes = true,
            StmtKind::Build(x) => {
                facts.borrow_mut().built.insert(*x);
            }
            _ => {}
        };
        walk::whole(m, &mut turns, &mut acts);
        let mut asks = |e: &Expr| {
            let of = match &*e.kind {
                ExprKind::First { of, .. } | ExprKind::Nth(of, _) => Some(of),
                ExprKind::Builtin(Builtin::Index, a) => a.first(),
                _ => None,
            };
            facts.borrow_mut().ordered.extend(of.and_then(zone_in));
        };
        let mut orders = |s: &Stmt| match &s.kind {
            StmtKind::Shuffle(all) => facts.borrow_mut().ordered.extend(all.iter().filter_map(zone_in)),
            StmtKind::Move(to) if to.under => facts.borrow_mut().ordered.extend(zone_in(&to.to)),
            _ => {}
        };
        walk::rules(m, &mut asks, &mut orders);
        let mut facts = facts.into_inner();
        let mut turn =
            |e: &Expr| facts.turn_in_values |= matches!(&*e.kind, ExprKind::Builtin(Builtin::Turn, _));
        for b in m.values.iter().filter_map(|v| v.body.body.as_ref()) {
            walk::every(b, &mut turn);
        }
        for (_, b) in m.members.iter().flat_map(|d| &d.fills) {
            walk::every(&b.body, &mut turn);
        }
        for a in &m.attachments {
            walk::every_of(a, &mut turn);
        }
        facts.written = Written::of(m);
        // Signs draw from the top.
        let marks = m.maps.iter().flat_map(|m| &m.legend).flat_map(|r| &r.marks);
        facts.ordered.extend(marks.filter_map(|m| if let Mark::From(z, _) = m { Some(*z) } else { None }));
        facts
    }
}

fn zone_in(e: &Expr) -> Option<ZoneId> {
    match &*e.kind {
        ExprKind::Zone(_, z, _) | ExprKind::PlaceOf(_, z, _) => Some(*z),
        ExprKind::Where(e, ..) => zone_in(e),
        ExprKind::Builtin(Builtin::AsSet | Builtin::Reversed, a) => zone_in(a.first()?),
        _ => None,
    }
}
