//! Distances on maps, measured once for all set-ups that have the same neighbours: `check` lays out a map for each of them.
use std::sync::{Arc, Mutex};

/// How many maps are kept.
const MOST_KEPT: usize = 4;

/// The distances on the maps that were measured last.
#[derive(Clone, Default, Debug)]
pub struct Distances(Arc<Mutex<Vec<Measured>>>);

/// The neighbours of each space of a map, as sets, and the distances that follow from them.
type Measured = (Vec<u64>, Arc<Vec<u8>>);

impl Distances {
    /// The steps from each of `n` spaces to each, row by row; empty if two spaces are more than 254 steps apart.
    pub fn find_or_measure(&self, n: usize, neighbours: &[u64]) -> Vec<u8> {
        let is_same = |m: &&Measured| m.0 == neighbours;
        let kept = self.0.lock().ok().and_then(|all| all.iter().find(is_same).map(|m| m.1.clone()));
        if let Some(kept) = kept {
            return kept.to_vec();
        }
        let measured = measure(n, n.div_ceil(64).max(1), neighbours).unwrap_or_default();
        if let Ok(mut all) = self.0.lock() {
            all.truncate(MOST_KEPT - 1);
            all.insert(0, (neighbours.to_vec(), Arc::new(measured.clone())));
        }
        measured
    }
}

/// The steps between all spaces, by a search from each; `None` if two spaces are more than 254 steps apart.
fn measure(n: usize, w: usize, neighbours: &[u64]) -> Option<Vec<u8>> {
    let mut dist = vec![255u8; n * n];
    let (mut reached, mut edge, mut next) = (vec![0u64; w], vec![0u64; w], vec![0u64; w]);
    for (from, dist) in dist.chunks_exact_mut(n.max(1)).enumerate() {
        reached.fill(0);
        edge.fill(0);
        edge[from / 64] |= 1 << (from % 64);
        for steps in 0.. {
            if edge.iter().all(|word| *word == 0) {
                break;
            }
            if steps == 255 {
                return None;
            }
            next.fill(0);
            for at in members(&edge) {
                dist[at] = steps;
                next.iter_mut().zip(&neighbours[at * w..]).for_each(|(next, near)| *next |= near);
            }
            for ((reached, edge), next) in reached.iter_mut().zip(&mut edge).zip(&next) {
                *reached |= *edge;
                *edge = next & !*reached;
            }
        }
    }
    Some(dist)
}

/// The members of a set, in order.
fn members(set: &[u64]) -> impl Iterator<Item = usize> {
    set.iter().enumerate().flat_map(|(i, word)| {
        let mut rest = *word;
        std::iter::from_fn(move || {
            let first = (rest != 0).then(|| 64 * i + rest.trailing_zeros() as usize);
            rest &= rest.wrapping_sub(1);
            first
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_belongs_to_the_same_neighbours() {
        let known = Distances::default();
        // Four spaces in a row, then in a circle, then without any ways.
        let row = [0b0010, 0b0101, 0b1010, 0b0100];
        let circle = [0b1010, 0b0101, 0b1010, 0b0101];
        for _ in 0..2 {
            assert_eq!(known.find_or_measure(4, &row)[..4], [0, 1, 2, 3]);
            assert_eq!(known.find_or_measure(4, &circle)[..4], [0, 1, 2, 1]);
            assert_eq!(known.find_or_measure(4, &[0; 4])[..4], [0, 255, 255, 255]);
        }
        // More maps than are kept.
        for n in 1..10 {
            assert_eq!(known.find_or_measure(n, &vec![0; n]).len(), n * n);
        }
        assert_eq!(known.0.lock().unwrap().len(), MOST_KEPT);
    }
}
