//! The subsets of a set that a question offers: how many there are, the one with a given number, the number of one, a drawn one. None of them is stored by itself.
//!
//! Subsets are in order of size, then of their first differing element. Of subsets that differ only in which of several alike elements they hold, one stands for all: that with the
//! least numbers of each class, also where the elements stand in another order.
use crate::base::bitset::{Words, bits, count_bits};
use crate::base::stream::below;
use rand::Rng;
use smallvec::SmallVec;

/// No words at that place.
pub const NOWHERE: u32 = u32::MAX;

/// Subsets of `min..=max` elements of a set. Places are in [`crate::data::decision::Options::words`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Subsets {
    /// Place of the set.
    pub at: u32,
    /// Place of the elements in their order; [`NOWHERE`]: they are in the order of their numbers.
    pub order: u32,
    /// Place of the class of each element, in the order of the elements: elements of one class are alike. [`NOWHERE`]: no two are.
    pub classes: u32,
    /// Place of the numbers of those subsets that are on offer, if guards have judged each; [`NOWHERE`]: all are.
    pub only: u32,
    /// Words of the set.
    pub w: u8,
    /// Least size.
    pub min: u32,
    /// Greatest size.
    pub max: u32,
}

impl Subsets {
    /// All subsets of the set at a place.
    pub(crate) fn all(at: u32, w: u8, min: u32, max: u32) -> Subsets {
        Subsets { at, order: NOWHERE, classes: NOWHERE, only: NOWHERE, w, min, max }
    }

    /// After its words have moved by `by`.
    pub(crate) fn shifted(mut self, by: u32) -> Subsets {
        self.at = self.at.wrapping_add(by);
        for place in [&mut self.order, &mut self.classes, &mut self.only] {
            if *place != NOWHERE {
                *place = place.wrapping_add(by);
            }
        }
        self
    }

    /// The set from which the subsets are taken.
    pub fn set<'w>(&self, words: &'w [u64]) -> &'w [u64] {
        row(words, self.at, self.w as usize)
    }

    fn have(&self, words: &[u64]) -> u32 {
        count_bits(self.set(words)) as u32
    }

    /// The elements in their order.
    pub fn elements(&self, words: &[u64]) -> SmallVec<[u64; 16]> {
        if self.order == NOWHERE {
            return bits(self.set(words)).map(|x| x as u64).collect();
        }
        SmallVec::from_slice(row(words, self.order, self.have(words) as usize))
    }

    /// The class of each element in their order; empty if no two are alike.
    pub fn classes_of<'w>(&self, words: &'w [u64]) -> &'w [u64] {
        if self.classes == NOWHERE { &[] } else { row(words, self.classes, self.have(words) as usize) }
    }

    fn shape<'w>(&self, words: &'w [u64]) -> Shape<'w> {
        Shape { have: self.have(words), classes: self.classes_of(words) }
    }

    fn greatest(&self, words: &[u64]) -> u32 {
        self.max.min(self.have(words))
    }

    /// How many subsets there are, before guards judge them; saturating.
    pub(crate) fn count(&self, words: &[u64]) -> u64 {
        let shape = self.shape(words);
        (self.min..=self.greatest(words)).fold(0, |sum, k| sum.saturating_add(shape.count(k)))
    }

    /// The subset with that number, before guards judge them.
    pub(crate) fn nth(&self, words: &[u64], k: u64) -> Words {
        let shape = self.shape(words);
        let (size, k) = size_of_subset(k, self.min, self.greatest(words), |size| shape.count(size));
        let mut out = Words::from_elem(0, self.w as usize);
        let elements = self.elements(words);
        for x in shape.combination(size, k).into_iter().filter_map(|i| elements.get(i as usize)) {
            put(&mut out, *x);
        }
        out
    }

    /// The `k`-th subset on offer.
    pub(crate) fn pick(&self, words: &[u64], k: u64) -> Words {
        if self.only == NOWHERE {
            return self.nth(words, k);
        }
        let at = (self.only as usize).saturating_add(k as usize);
        words.get(at).map_or_else(Words::new, |k| self.nth(words, *k))
    }

    /// The number of a subset, or of the one that stands for it, before guards judge them.
    pub(crate) fn number_of(&self, words: &[u64], subset: &[u64]) -> Option<u64> {
        let set = self.set(words);
        if subset.len() != set.len() || subset.iter().zip(set).any(|(a, b)| a & !b != 0) {
            return None;
        }
        let size = count_bits(subset) as u32;
        if size < self.min || size > self.max {
            return None;
        }
        let shape = self.shape(words);
        let before = (self.min..size).fold(0u64, |sum, k| sum.saturating_add(shape.count(k)));
        let elements = self.elements(words);
        let mut taken: SmallVec<[u32; 16]> = SmallVec::new();
        taken.extend((0..shape.have).filter(|i| elements.get(*i as usize).is_some_and(|x| has(subset, *x))));
        Some(before.saturating_add(shape.rank(&shape.first_alike(&taken))))
    }

    /// The place of a subset among the `n` on offer.
    pub(crate) fn index_of(&self, words: &[u64], subset: &[u64], n: u64) -> Option<u64> {
        let k = self.number_of(words, subset)?;
        if self.only == NOWHERE {
            return Some(k);
        }
        row(words, self.only, n as usize).binary_search(&k).ok().map(|at| at as u64)
    }

    /// The same subsets, `n` of them on offer, with the elements in another order, which stands at `order`.
    pub(crate) fn in_order(self, order: u32, n: u64, words: &mut Vec<u64>) -> Subsets {
        let mut out = Subsets { order, ..self };
        if self.classes != NOWHERE {
            let (before, mut after) = (self.elements(words), out.elements(words));
            let class_of = |x: &u64| {
                let i = before.iter().position(|y| y == x).unwrap_or_default();
                self.classes_of(words).get(i).copied().unwrap_or_default()
            };
            let classes: SmallVec<[u64; 16]> = after.iter().map(class_of).collect();
            // Sort each class by number: the first element of a class is the one on offer.
            for i in 0..after.len() {
                for j in i + 1..after.len() {
                    if classes[i] == classes[j] && after[j] < after[i] {
                        after.swap(i, j);
                    }
                }
            }
            out.order = words.len() as u32;
            words.extend_from_slice(&after);
            out.classes = words.len() as u32;
            words.extend_from_slice(&classes);
        }
        if self.only != NOWHERE {
            let numbers = (0..n).filter_map(|k| out.number_of(words, &self.pick(words, k)));
            let mut numbers: SmallVec<[u64; 64]> = numbers.collect();
            numbers.sort_unstable();
            out.only = words.len() as u32;
            words.extend(numbers);
        }
        out
    }

    /// Draws one of the `n` on offer: each has the same chance. Of more than can be counted, first the size is drawn (weighted by how many subsets have it), then item by item.
    pub(crate) fn draw<G: Rng + ?Sized>(&self, words: &[u64], n: u64, rng: &mut G) -> Words {
        let counted = n < u64::MAX;
        if counted && (self.only != NOWHERE || self.classes != NOWHERE) {
            return self.pick(words, below(n, || rng.next_u64()));
        }
        let (have, max) = (self.have(words), self.greatest(words));
        let size = if counted {
            size_of_subset(below(n, || rng.next_u64()), self.min, max, |size| binomial(have, size)).0
        } else {
            // Weights as floating numbers would differ between machines; powers of two are whole numbers, and near enough for such sizes.
            let most = (self.min..=max).map(|k| log2_binomial(have, k)).max().unwrap_or(0);
            let weight = |k| {
                let less = most - log2_binomial(have, k);
                if less >= 2000 { 0 } else { (1u64 << 40) >> (less / 50).min(40) }
            };
            let total = (self.min..=max).map(weight).sum();
            size_of_subset(below(total, || rng.next_u64()), self.min, max, weight).0
        };
        let set = self.set(words);
        let mut out = Words::from_elem(0, set.len());
        let (mut need, mut left) = (u64::from(size), u64::from(have));
        for (word, out) in set.iter().zip(&mut out) {
            let mut rest = *word;
            while rest != 0 && need > 0 {
                let bit = rest & rest.wrapping_neg();
                rest ^= bit;
                if below(left, || rng.next_u64()) < need {
                    *out |= bit;
                    need -= 1;
                }
                left -= 1;
            }
        }
        out
    }
}

fn row(words: &[u64], at: u32, n: usize) -> &[u64] {
    words.get(at as usize..(at as usize).saturating_add(n)).unwrap_or(&[])
}

fn has(set: &[u64], x: u64) -> bool {
    set.get(x as usize / 64).is_some_and(|w| w >> (x % 64) & 1 == 1)
}

fn put(set: &mut [u64], x: u64) {
    if let Some(word) = set.get_mut(x as usize / 64) {
        *word |= 1 << (x % 64);
    }
}

/// How many elements a set has, and which of them are alike.
struct Shape<'w> {
    have: u32,
    classes: &'w [u64],
}

impl Shape<'_> {
    /// How many subsets of that size there are; saturating.
    fn count(&self, size: u32) -> u64 {
        self.count_after(0, &SmallVec::new(), size)
    }

    /// How many ways there are to take `need` elements from number `from` on. Of a closed class, nothing more is taken.
    fn count_after(&self, from: u32, closed: &SmallVec<[u64; 16]>, need: u32) -> u64 {
        if self.classes.is_empty() {
            return binomial(self.have - from, need);
        }
        if need > self.have - from {
            return 0;
        }
        // Of each open class, none, one, and so on up to all.
        let mut ways: SmallVec<[u64; 32]> = SmallVec::from_elem(0, need as usize + 1);
        ways[0] = 1;
        let rest = self.classes.get(from as usize..).unwrap_or(&[]);
        for (i, class) in rest.iter().enumerate() {
            if closed.contains(class) || rest.iter().take(i).any(|c| c == class) {
                continue;
            }
            let most = rest.iter().filter(|c| *c == class).count();
            for n in (0..ways.len()).rev() {
                let some = ways.get(n.saturating_sub(most)..=n).unwrap_or(&[]);
                let sum = some.iter().fold(0u64, |sum, k| sum.saturating_add(*k));
                ways[n] = sum;
            }
        }
        ways.last().copied().unwrap_or(0)
    }

    /// Of a class that is taken from, the first ones.
    fn first_alike(&self, taken: &[u32]) -> SmallVec<[u32; 16]> {
        let mut out: SmallVec<[u32; 16]> = SmallVec::from_slice(taken);
        for i in &mut out {
            let Some(class) = self.classes.get(*i as usize) else { continue };
            let same = |j: &u32| self.classes.get(*j as usize) == Some(class);
            let nth = taken.iter().filter(|j| **j < *i && same(j)).count();
            *i = (0..self.have).filter(same).nth(nth).unwrap_or(*i);
        }
        out.sort_unstable();
        out
    }

    /// Goes through the elements in their order; `take` says of each whether it is taken, from how many subsets go on with it.
    fn walk(&self, size: u32, mut take: impl FnMut(u32, u64) -> bool) {
        let (mut closed, mut need) = (SmallVec::new(), size);
        for i in 0..self.have {
            let class = self.classes.get(i as usize);
            if need == 0 {
                return;
            }
            if class.is_some_and(|c| closed.contains(c)) {
                continue;
            }
            if take(i, self.count_after(i + 1, &closed, need - 1)) {
                need -= 1;
            } else {
                closed.extend(class.copied());
            }
        }
    }

    /// Combination number `k` of `size` elements, in lexicographic order.
    fn combination(&self, size: u32, mut k: u64) -> SmallVec<[u32; 16]> {
        let mut out = SmallVec::new();
        self.walk(size, |i, with| {
            let taken = k < with;
            if taken {
                out.push(i);
            } else {
                k -= with;
            }
            taken
        });
        out
    }

    /// The number of a combination: the reverse of [`Shape::combination`].
    fn rank(&self, taken: &[u32]) -> u64 {
        let mut k = 0u64;
        self.walk(taken.len() as u32, |i, with| {
            let is_in = taken.contains(&i);
            if !is_in {
                k = k.saturating_add(with);
            }
            is_in
        });
        k
    }
}

/// The size of subset number `k`, if smaller ones come first and `count` subsets have each size; and its number among those of its size.
fn size_of_subset(mut k: u64, min: u32, max: u32, count: impl Fn(u32) -> u64) -> (u32, u64) {
    let mut size = min;
    while size < max && k >= count(size) {
        k -= count(size);
        size += 1;
    }
    (size, k)
}

/// n over k, saturating.
fn binomial(n: u32, k: u32) -> u64 {
    if k > n {
        return 0;
    }
    let k = k.min(n - k);
    let mut out: u128 = 1;
    for i in 0..k {
        out = match out.checked_mul(u128::from(n - i)) {
            Some(x) => x / u128::from(i + 1),
            None => return u64::MAX,
        };
        if out > u128::from(u64::MAX) * 1024 {
            return u64::MAX;
        }
    }
    u64::try_from(out).unwrap_or(u64::MAX)
}

/// About 50 times the binary logarithm of n over k, in whole numbers.
fn log2_binomial(n: u32, k: u32) -> i64 {
    let log = |x: u32| {
        let x = u64::from(x.max(1));
        let whole = 63 - x.leading_zeros() as i64;
        whole * 50 + ((x as i64 * 50) >> whole) - 50
    };
    let k = k.min(n.saturating_sub(k));
    (0..k).map(|i| log(n - i) - log(i + 1)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Options for a set of elements, whose classes are given.
    fn of(set: u64, classes: &[u64], min: u32, max: u32) -> (Subsets, Vec<u64>) {
        let mut words = vec![set];
        words.extend_from_slice(classes);
        let classes = if classes.is_empty() { NOWHERE } else { 1 };
        (Subsets { classes, ..Subsets::all(0, 1, min, max) }, words)
    }

    #[test]
    fn of_alike_elements_the_first_stand_for_all() {
        // Elements 1, 3, 4, 7, 8: the first, third and fourth are alike, and the last two.
        let (subsets, words) = of(0b1_1001_1010, &[0, 1, 0, 3, 3], 0, 5);
        let n = subsets.count(&words);
        assert_eq!(n, 3 * 2 * 3);
        let all: Vec<Words> = (0..n).map(|k| subsets.pick(&words, k)).collect();
        for (k, set) in all.iter().enumerate() {
            assert_eq!(subsets.index_of(&words, set, n), Some(k as u64));
            assert_eq!(all.iter().filter(|other| *other == set).count(), 1);
        }
        assert!(all.iter().all(|set| set[0] & 0b1_0000_0000 == 0 || set[0] & 0b1000_0000 != 0));
        let (last, first) = (subsets.index_of(&words, &[0b1_0000], n), subsets.index_of(&words, &[0b10], n));
        assert_eq!(last, first);
    }

    #[test]
    fn another_order_gives_the_same_sets() {
        let (mut subsets, mut words) = of(0b1_1001_1010, &[0, 1, 0, 3, 3], 1, 3);
        let n = subsets.count(&words);
        let judged: Vec<u64> = (0..n).filter(|k| k % 3 != 0).collect();
        subsets.only = words.len() as u32;
        words.extend_from_slice(&judged);
        let order = words.len() as u32;
        words.extend([8, 3, 7, 1, 4]);
        let n = judged.len() as u64;
        let moved = subsets.in_order(order, n, &mut words);
        let sets = |s: &Subsets, words: &[u64]| {
            let mut all: Vec<Vec<u32>> = (0..n)
                .map(|k| s.pick(words, k))
                // Alike elements count as one.
                .map(|set| bits(&set).map(|x| [0, 1, 0, 3, 1, 0, 0, 7, 7][x]).collect())
                .collect();
            all.iter_mut().for_each(|set| set.sort_unstable());
            all.sort_unstable();
            all
        };
        assert_eq!(sets(&subsets, &words), sets(&moved, &words));
        let numbers = |s: &Subsets| {
            let mut all: Vec<Words> = (0..n).map(|k| s.pick(&words, k)).collect();
            all.sort_unstable();
            all
        };
        assert_eq!(numbers(&subsets), numbers(&moved), "the same ones stand for the others");
        for k in 0..n {
            assert_eq!(moved.index_of(&words, &moved.pick(&words, k), n), Some(k));
        }
    }
}
