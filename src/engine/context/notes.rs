//! Cache for one enumeration: sets that several actions of a menu need are computed once while its options are listed ([`houserule_program::ir::Ins::Noted`]).
//!
//! A list of options belongs to one state, one player and one menu with its parameters. The code that makes a list calls [`Notes::begin`] before and [`Notes::end`] after it. Lists nest
//! (the search over lines lists options of other states meanwhile): each list has its own number, and sets noted for another list are not used.

/// The noted sets.
#[derive(Default)]
pub(crate) struct Notes {
    /// The number of the list that is being made; 0: none, and nothing is noted.
    now: u64,
    /// The last number that was given to a list.
    last: u64,
    /// By set: the list for which it is noted, and its words.
    all: Vec<(u64, Vec<u64>)>,
}

impl Notes {
    /// Begins a list. Returns the argument for [`Notes::end`].
    pub fn begin(&mut self) -> u64 {
        self.last += 1;
        std::mem::replace(&mut self.now, self.last)
    }

    /// Ends a list; the one before continues.
    pub fn end(&mut self, before: u64) {
        self.now = before;
    }

    /// A set, if it was noted for this list.
    #[inline]
    pub fn get(&self, k: u8) -> Option<&[u64]> {
        let (of, words) = self.all.get(k as usize)?;
        (*of == self.now).then_some(words)
    }

    /// Notes a set for this list, if one is being made. False if a different set was noted for it.
    pub fn put(&mut self, k: u8, words: &[u64]) -> bool {
        if self.now == 0 {
            return true;
        }
        while self.all.len() <= k as usize {
            self.all.push((u64::MAX, Vec::new()));
        }
        let Some((of, old)) = self.all.get_mut(k as usize) else { return true };
        let same = *of != self.now || old == words;
        *of = self.now;
        old.clear();
        old.extend_from_slice(words);
        same
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_noted_set_is_used_for_its_own_list_only() {
        let mut n = Notes::default();
        assert!(n.put(3, &[7]) && n.get(3).is_none());
        let none = n.begin();
        assert!(n.put(3, &[1, 2]) && n.get(3) == Some(&[1, 2][..]) && n.get(2).is_none());
        assert!(!n.put(3, &[1, 3]), "one list has one such set");
        let outer = n.begin();
        assert!(n.get(3).is_none() && n.put(3, &[9]) && n.get(3) == Some(&[9][..]));
        n.end(outer);
        assert!(n.get(3).is_none(), "the inner list's is not the outer's");
        n.end(none);
        assert!(n.get(3).is_none());
    }
}
