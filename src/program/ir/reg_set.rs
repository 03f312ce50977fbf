//! A set of registers, for liveness, the passes and the read sets of memoised code.
use super::R;

/// Registers of a function.
pub const MOST_REGISTERS: u16 = 250;

/// Whether two runs of registers overlap.
pub fn overlap(a: R, n: u8, b: R, m: u8) -> bool {
    u16::from(a) < u16::from(b) + u16::from(m) && u16::from(b) < u16::from(a) + u16::from(n)
}

/// A set of the 256 registers of a window.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct RegSet([u64; 4]);

impl RegSet {
    /// All registers.
    pub const ALL: RegSet = RegSet([u64::MAX; 4]);

    /// A set of one register.
    pub fn single(r: R) -> RegSet {
        Self::run(r, 1)
    }

    /// A set of a run of registers. It ends at the last register.
    pub fn run(r: R, n: u8) -> RegSet {
        let mut s = RegSet::default();
        s.insert_run(r, n);
        s
    }

    /// Adds one register.
    pub fn insert(&mut self, r: R) {
        self.0[r as usize / 64] |= 1 << (r % 64);
    }

    /// Adds a run of registers.
    pub fn insert_run(&mut self, r: R, n: u8) {
        (0..n).for_each(|i| self.insert(r.saturating_add(i)));
    }

    /// Adds a register and all after it.
    pub fn insert_from(&mut self, r: R) {
        let (word, bit) = (r as usize / 64, r % 64);
        self.0[word] |= u64::MAX << bit;
        self.0[word + 1..].fill(u64::MAX);
    }

    /// Removes a run of registers.
    pub fn remove_run(&mut self, r: R, n: u8) {
        for r in (0..n).map(|i| r.saturating_add(i)) {
            self.0[r as usize / 64] &= !(1 << (r % 64));
        }
    }

    /// Removes a register and all after it.
    pub fn remove_from(&mut self, r: R) {
        let (word, bit) = (r as usize / 64, r % 64);
        self.0[word] &= !(u64::MAX << bit);
        self.0[word + 1..].fill(0);
    }

    /// Whether a register is in the set.
    pub fn contains(self, r: R) -> bool {
        self.0[r as usize / 64] >> (r % 64) & 1 == 1
    }

    /// Whether both sets have a register in common.
    pub fn intersects(self, o: RegSet) -> bool {
        self.0.iter().zip(o.0).any(|(a, b)| a & b != 0)
    }

    /// Adds all registers of another set.
    pub fn union_with(&mut self, o: RegSet) {
        for (a, b) in self.0.iter_mut().zip(o.0) {
            *a |= b;
        }
    }

    /// Keeps the registers that are in another set as well.
    pub fn intersect_with(&mut self, o: RegSet) {
        for (a, b) in self.0.iter_mut().zip(o.0) {
            *a &= b;
        }
    }

    /// The registers that are not in another set.
    #[must_use]
    pub fn difference(self, o: RegSet) -> RegSet {
        RegSet(std::array::from_fn(|i| self.0[i] & !o.0[i]))
    }

    /// The registers of either set.
    #[must_use]
    pub fn union(mut self, o: RegSet) -> RegSet {
        self.union_with(o);
        self
    }
}
