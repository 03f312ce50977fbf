//! Components of which no two are ever alike are not looked through for those that are.
use super::build::FnBuild;
use super::ir::*;

/// Takes [`Ins::Alike`] out where each component of the kind has a face that no other has: faces only change places with each other unless something becomes something else.
pub fn leave_out(p: &Program, bodies: &mut [Option<FnBuild>]) {
    let mut single: Vec<bool> = p.universes.iter().map(|u| told_apart(p, u)).collect();
    for ins in bodies.iter().flatten().flat_map(|b| &b.code) {
        if let Ins::Become { u, .. } = ins
            && let Some(x) = single.get_mut(*u as usize)
        {
            *x = false;
        }
    }
    for ins in bodies.iter_mut().flatten().flat_map(|b| &mut b.code) {
        if let Ins::Alike { d, s, u } = *ins
            && single.get(u as usize) == Some(&true)
        {
            *ins = Ins::MovN { d, a: s, n: super::regs::words(p, u) };
        }
    }
}

/// Whether it is one of components that all begin with faces of their own.
fn told_apart(p: &Program, u: &Universe) -> bool {
    let UniverseSort::Components(c) = u.sort else { return false };
    let Some(comps) = p.comps.get(c as usize) else { return false };
    let mut seen = rustc_hash::FxHashSet::default();
    comps.initial.iter().all(|face| seen.insert(*face))
}
