//! Sets as bits in words: the lowest layer, used by every other one.

/// The numbers of the set bits, ascending.
pub(crate) fn bits(set: &[u64]) -> impl Iterator<Item = usize> + '_ {
    set.iter().enumerate().flat_map(|(i, word)| {
        let mut rest = *word;
        std::iter::from_fn(move || {
            if rest == 0 {
                return None;
            }
            let b = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            Some(i * 64 + b)
        })
    })
}

/// Sets or clears bit `i` of the set whose words begin at `at`; does nothing beyond the last word.
pub(crate) fn put_bit(planes: &mut [u64], at: usize, i: usize, on: bool) {
    if let Some(word) = planes.get_mut(at + i / 64) {
        let bit = 1u64 << (i % 64);
        if on {
            *word |= bit;
        } else {
            *word &= !bit;
        }
    }
}

/// Whether bit `i` of the set whose words begin at `at` is set.
pub(crate) fn get_bit(planes: &[u64], at: usize, i: usize) -> bool {
    planes.get(at + i / 64).is_some_and(|w| w >> (i % 64) & 1 == 1)
}
