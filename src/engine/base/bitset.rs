//! Sets as bits in words: the lowest layer, used by every other one.
use smallvec::SmallVec;

/// Words of parameters or of a set.
pub type Words = SmallVec<[u64; 4]>;

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

/// How many bits are set.
pub(crate) fn count_bits(set: &[u64]) -> u64 {
    // Most words are empty, and a test takes less time than a count.
    set.iter().map(|w| if *w == 0 { 0 } else { u64::from(w.count_ones()) }).sum()
}

/// The position of the k-th set bit of a byte: entry `k * 256 + byte`.
const IN_BYTE: [u8; 2048] = {
    let mut table = [0; 2048];
    let mut byte = 0;
    while byte < 256 {
        let (mut k, mut bit) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[k * 256 + byte] = bit as u8;
                k += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// The position of the k-th set bit of a word that has more than k: by counts of bits in all bytes at once, without a branch that depends on the word
/// (S. Vigna, Broadword implementation of rank/select queries, WEA 2008, algorithm 2).
#[inline]
pub(crate) fn select(word: u64, k: u64) -> u32 {
    Ranks::of(word).select(word, k)
}

/// Prefix counts of a word's set bits: byte i counts the bits that are set in bytes 0..=i.
#[derive(Clone, Copy)]
pub(crate) struct Ranks(u64);

impl Ranks {
    const ONES: u64 = 0x0101_0101_0101_0101;

    #[inline(always)]
    pub fn of(word: u64) -> Ranks {
        let pairs = word - (word >> 1 & 0x5555_5555_5555_5555);
        let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
        Ranks(((fours + (fours >> 4)) & 0x0F0F_0F0F_0F0F_0F0F).wrapping_mul(Self::ONES))
    }

    /// The number of set bits.
    #[inline(always)]
    pub fn count(self) -> u64 {
        self.0 >> 56
    }

    /// The position of the k-th set bit.
    #[inline(always)]
    pub fn select(self, word: u64, k: u64) -> u32 {
        const HIGH: u64 = 0x8080_8080_8080_8080;
        // Bytes whose prefix count is at most k lie completely before the bit.
        let before = ((((k.wrapping_mul(Self::ONES)) | HIGH).wrapping_sub(self.0)) & HIGH) >> 7;
        let byte = (before.wrapping_mul(Self::ONES) >> 56) * 8;
        let left = k.wrapping_sub((self.0 << 8) >> byte & 0xFF);
        let at = (left << 8 | (word >> byte & 0xFF)) as usize & 2047;
        byte as u32 + u32::from(IN_BYTE[at])
    }
}

/// The position of the k-th set bit.
#[inline]
pub(crate) fn nth_bit(set: &[u64], mut k: u64) -> Option<u32> {
    for (i, word) in set.iter().enumerate() {
        let have = u64::from(word.count_ones());
        if k < have {
            return Some(i as u32 * 64 + select(*word, k));
        }
        k -= have;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::stream::Stream;

    #[test]
    fn the_kth_bit_is_found_in_any_word() {
        let mut rng = Stream::new(1, 0);
        for i in 0..2000 {
            let word = rng.draw();
            // Words with few bits, with many, with all.
            let w = match i % 4 {
                0 => word,
                1 => word & rng.draw() & rng.draw(),
                2 => word | rng.draw(),
                _ => u64::MAX << (i % 64),
            };
            let bits: Vec<u32> = (0..64).filter(|b| w >> b & 1 == 1).collect();
            for (k, b) in bits.iter().enumerate() {
                assert_eq!(select(w, k as u64), *b, "bit {k} of {w:#x}");
            }
            assert_eq!(nth_bit(&[0, w], bits.len() as u64), None);
        }
    }
}
