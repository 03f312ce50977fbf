//! What choices point at: the spaces that they name.
use crate::cli::draw::Marks;
use crate::engine::{Choice, QuestionKind};
use crate::play::Offered;
use crate::program::ir::{Domain, Program, UniverseId, UniverseSort};

/// The spaces that these choices name; where there are several actions, those of the first that names any.
pub fn spaces(p: &Program, kind: QuestionKind, offered: &[Offered]) -> Marks {
    let mut marks = Marks::new();
    let mut first = None;
    for o in offered {
        if let Choice::Action { action, .. } = &o.choice {
            if !marks.is_empty() && first != Some(*action) {
                break;
            }
            first = Some(*action);
        }
        match (&o.choice, kind) {
            (Choice::Action { action, params }, _) => {
                let Some(slot) = p.actions.get(action.index()) else { continue };
                let mut at = 0;
                for param in &slot.params {
                    let w = param.domain.words(p) as usize;
                    match (param.domain, params.get(at)) {
                        (Domain::Thing(u), Some(value)) => mark(p, u, *value as i64, &mut marks),
                        (Domain::Subset(u), Some(_)) => {
                            for (i, word) in params.get(at..at + w).unwrap_or(&[]).iter().enumerate() {
                                for bit in (0..64).filter(|b| word >> b & 1 == 1) {
                                    mark(p, u, (i * 64 + bit) as i64, &mut marks);
                                }
                            }
                        }
                        _ => {}
                    }
                    at += w;
                }
            }
            (Choice::One(value), QuestionKind::One(_, u)) => mark(p, u, *value, &mut marks),
            _ => {}
        }
    }
    marks
}

fn mark(p: &Program, u: UniverseId, value: i64, marks: &mut Marks) {
    let Some(UniverseSort::Spaces(Some(map))) = p.universes.get(u.index()).map(|u| &u.sort) else { return };
    if let Ok(n) = usize::try_from(value) {
        marks.insert((map.index(), n));
    }
}

/// Which maps are of hexes whose rows all lean the same way: of these every row begins half a hex further east than the one below it.
pub fn slanted(p: &Program) -> Vec<bool> {
    p.maps
        .iter()
        .map(|m| {
            let n = m.at.len();
            // Northeast of the first space of the second row: in the same column on a slanted board, in the next one on the other.
            let second = m.at.iter().position(|at| *at == (0, 1));
            m.hexes
                && second
                    .and_then(|s| m.succ.get(n + s))
                    .and_then(|t| m.at.get(usize::from(*t)))
                    .is_some_and(|at| at.0 == 0)
        })
        .collect()
}
