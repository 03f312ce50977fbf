//! Statistics of many games: shares with intervals, lengths, uses. Sums are whole numbers, so the order of adding does not matter and the result is the
//! same for any number of threads.
use std::collections::BTreeMap;

/// So many standard deviations on both sides hold 95 % of a normal distribution.
pub(super) const Z: f64 = 1.959_963_984_540_054;

/// A share of n with its 95 % confidence interval (Wilson's score interval: right also near 0 and 1 and for few games).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Share {
    /// How many.
    pub count: u64,
    /// Of how many.
    pub of: u64,
}

impl Share {
    /// The share; 0 if there are no games.
    pub fn value(self) -> f64 {
        if self.of == 0 { 0.0 } else { self.count as f64 / self.of as f64 }
    }

    /// Lower and upper bound of the 95 % interval; 0 and 1 if there are no games.
    pub fn interval(self) -> (f64, f64) {
        if self.of == 0 {
            return (0.0, 1.0);
        }
        let (n, p) = (self.of as f64, self.value());
        let middle = p + Z * Z / (2.0 * n);
        let half = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
        let scale = 1.0 + Z * Z / n;
        // None and all are bounds themselves: rounding must not lift one off.
        let low = if self.count == 0 { 0.0 } else { ((middle - half) / scale).max(0.0) };
        let high = if self.count == self.of { 1.0 } else { ((middle + half) / scale).min(1.0) };
        (low, high)
    }
}

/// Mean and spread of a whole number over games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Spread {
    n: u64,
    sum: i128,
    squares: i128,
    least: i64,
    greatest: i64,
}

impl Spread {
    /// Adds one number.
    pub fn add(&mut self, x: i64) {
        self.least = if self.n == 0 { x } else { self.least.min(x) };
        self.greatest = if self.n == 0 { x } else { self.greatest.max(x) };
        self.n += 1;
        self.sum += i128::from(x);
        self.squares += i128::from(x) * i128::from(x);
    }

    /// Adds one number so many times.
    pub fn add_many(&mut self, x: i64, times: u64) {
        if times > 0 {
            let (n, x) = (i128::from(times), i128::from(x));
            let least = x as i64;
            self.merge(&Spread { n: times, sum: n * x, squares: n * x * x, least, greatest: least });
        }
    }

    /// Adds all of another.
    pub fn merge(&mut self, other: &Spread) {
        if other.n == 0 {
            return;
        }
        if self.n == 0 {
            *self = *other;
            return;
        }
        self.least = self.least.min(other.least);
        self.greatest = self.greatest.max(other.greatest);
        self.n += other.n;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// How many numbers.
    pub fn count(&self) -> u64 {
        self.n
    }

    /// The mean; 0 if there are no numbers.
    pub fn mean(&self) -> f64 {
        if self.n == 0 { 0.0 } else { self.sum as f64 / self.n as f64 }
    }

    /// Their standard deviation (of a sample); of fewer than two 0.
    pub fn deviation(&self) -> f64 {
        if self.n < 2 {
            return 0.0;
        }
        let n = self.n as f64;
        let mean = self.mean();
        ((self.squares as f64 - n * mean * mean).max(0.0) / (n - 1.0)).sqrt()
    }

    /// Half the width of the mean's 95 % interval.
    pub fn margin(&self) -> f64 {
        if self.n < 2 { 0.0 } else { Z * self.deviation() / (self.n as f64).sqrt() }
    }

    /// The least number.
    pub fn least(&self) -> i64 {
        self.least
    }

    /// The greatest.
    pub fn greatest(&self) -> i64 {
        self.greatest
    }
}

/// How often something was used, and in how many games, by name in order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Uses(pub BTreeMap<String, Use>);

/// See [`Uses`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Use {
    /// Times in all.
    pub times: u64,
    /// Games with at least one.
    pub games: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilson_agrees_with_the_published_value() {
        // 8 of 10: 0.4902 to 0.9433 (Wilson 1927's interval as tabulated for 95 %).
        let (low, high) = Share { count: 8, of: 10 }.interval();
        assert!((low - 0.4902).abs() < 1e-4 && (high - 0.9433).abs() < 1e-4, "{low} {high}");
        assert_eq!(Share { count: 0, of: 0 }.interval(), (0.0, 1.0));
        for of in 1..500 {
            assert_eq!(Share { count: 0, of }.interval().0, 0.0, "none of {of}");
            assert_eq!(Share { count: of, of }.interval().1, 1.0, "all of {of}");
        }
    }

    #[test]
    fn spreads_do_not_depend_on_how_they_are_cut() {
        let numbers = [5, -3, 8, 8, 0, 2, 11];
        let mut whole = Spread::default();
        numbers.iter().for_each(|x| whole.add(*x));
        for cut in 0..=numbers.len() {
            let (mut a, mut b) = (Spread::default(), Spread::default());
            numbers[..cut].iter().for_each(|x| a.add(*x));
            numbers[cut..].iter().for_each(|x| b.add(*x));
            a.merge(&b);
            assert_eq!(a, whole);
        }
        assert_eq!((whole.least(), whole.greatest(), whole.count()), (-3, 11, 7));
        assert!((whole.mean() - 31.0 / 7.0).abs() < 1e-12);
        // Sample variance by hand: (sum of squares 287 - 7 * mean^2) / 6.
        assert!((whole.deviation() - ((287.0 - 961.0 / 7.0) / 6.0_f64).sqrt()).abs() < 1e-12);
    }
}
