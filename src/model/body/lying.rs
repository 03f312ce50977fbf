//! Finds the zones in which things may lie face down.
//!
//! Things come to lie so where the rules lay them there, and where rules turn them. A move that does not say how they lie takes along how they lay before: it counts if things of the
//! family are laid face down anywhere.
use super::{types, walk};
use crate::hir::*;
use rustc_hash::FxHashSet as HashSet;

/// Notes in which zones things may lie face down.
pub fn mark_face_down(model: &mut Model) {
    let mut families = HashSet::default();
    each_stmt(model, &mut |s| {
        if let Some((x, None | Some(false))) = s.kind.does().turns {
            families.extend(families_of(model, x));
        }
    });
    let mut zones = HashSet::default();
    if !families.is_empty() {
        each_stmt(model, &mut |s| zones.extend(laid_by(model, s, &families)));
        let candidates = zones_for(model, &families);
        zones.retain(|z| candidates.contains(z));
    }
    model.face_down = zones;
}

fn each_stmt<'m>(model: &'m Model, f: &mut dyn FnMut(&'m Stmt)) {
    walk::visit_rule_blocks(model, &mut |b| walk::visit_stmts(b, f));
}

/// The zones in which something may lie face down behind a statement, because of it. `families` are those of which something is ever laid or turned so.
fn laid_by(model: &Model, s: &Stmt, families: &HashSet<KindId>) -> Vec<ZoneId> {
    let laid = |e: &Expr| -> HashSet<KindId> { &families_of(model, e) & families };
    match &s.kind {
        StmtKind::Move(m) if m.face != Some(true) && !laid(&m.what).is_empty() => {
            zones_of_place(&m.to).unwrap_or_else(|| zones_for(model, &laid(&m.what)))
        }
        StmtKind::Discard(x) if !laid(x).is_empty() => {
            let related = |k: KindId| families_of(model, x).contains(&family(model, k));
            let mut zones = Vec::new();
            for (_, kind) in (0u32..).map(KindId).zip(&model.kinds).filter(|(k, _)| related(*k)) {
                for (_, to) in &kind.discards {
                    zones.extend(zones_of_place(&to.body).unwrap_or_else(|| zones_for(model, &laid(x))));
                }
            }
            zones
        }
        // What is swapped may have lain face down in either place; of things, it is not known where they lie.
        StmtKind::Swap(a, b) => match (zones_of_place(a), zones_of_place(b)) {
            (Some(a), Some(b)) => [a, b].concat(),
            _ if families_of(model, a).is_empty() => zones_for(model, families),
            _ => zones_for(model, &(&laid(a) | &laid(b))),
        },
        StmtKind::Flip(x, None | Some(false)) => zones_for(model, &laid(x)),
        StmtKind::Build(_) => zones_for(model, families),
        _ => Vec::new(),
    }
}

/// The zones that a place may be, or none if they do not stand there.
fn zones_of_place(to: &Expr) -> Option<Vec<ZoneId>> {
    match &*to.kind {
        ExprKind::PlaceOf(_, z, _) => Some(vec![*z]),
        ExprKind::Box(_) => Some(Vec::new()),
        ExprKind::If(_, a, b) => Some([zones_of_place(a)?, zones_of_place(b)?].concat()),
        ExprKind::Let(_, _, e) => zones_of_place(e),
        _ => None,
    }
}

/// All zones that hold something of these families.
fn zones_for(model: &Model, families: &HashSet<KindId>) -> Vec<ZoneId> {
    let holds = |z: &Zone| z.holds.iter().any(|k| families.contains(&family(model, *k)));
    (0u32..).map(ZoneId).zip(&model.zones).filter(|(_, z)| holds(z)).map(|(i, _)| i).collect()
}

/// The families of what an expression gives.
fn families_of(model: &Model, e: &Expr) -> HashSet<KindId> {
    let plain = types::plain(&e.ty);
    let of = types::element(model, &plain).unwrap_or(plain);
    types::kinds_of(&of).iter().map(|k| family(model, *k)).collect()
}

/// The kind on which a kind is based in the end: a shuffle exchanges the faces of its kinds.
fn family(model: &Model, k: KindId) -> KindId {
    types::root_of(model, k)
}
