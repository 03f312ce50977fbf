//! Compares the numbered rules of a game (`numbered F001..F084`) with the numbers that the titles of its tests name (`test "F018 F019: three steps" { … }`).
use houserule_model::hir::{Model, Numbered};
use std::collections::HashSet;

/// Of a hundred numbered rules, so many may be left without a test.
pub const MOST_NOT_PLAYED: usize = 5;

/// How far a game's tests go through its numbered rules. Lists are in the order of the numbers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Checklist {
    /// How many rules are numbered.
    pub rules: usize,
    /// Those that a test names.
    pub tested: Vec<String>,
    /// Those that cannot be tested, with the reason.
    pub not_played: Vec<(String, String)>,
    /// Those that no test names and that nothing excuses.
    pub missing: Vec<String>,
    /// Numbers that tests name and that no checklist holds.
    pub unknown: Vec<String>,
    /// Those that are said not to be played and are tested.
    pub both: Vec<String>,
}

impl Checklist {
    /// What a game's tests name of its numbered rules; none if it numbers none.
    pub fn from_model(model: &Model) -> Option<Checklist> {
        if model.numbered.is_empty() {
            return None;
        }
        let named: Vec<&str> = model.tests.iter().flat_map(|t| numbers_of(&t.title)).collect();
        let tests: HashSet<&str> = named.iter().copied().collect();
        let mut list = Checklist::default();
        let mut known = HashSet::new();
        for number in model.numbered.iter().flat_map(Numbered::names) {
            let excuse = model.not_played.iter().find(|n| *n.number == *number);
            let tested = tests.contains(number.as_str());
            list.rules += 1;
            known.insert(number.clone());
            match excuse {
                Some(_) if tested => list.both.push(number),
                Some(n) => list.not_played.push((number, n.reason.to_string())),
                None if tested => list.tested.push(number),
                None => list.missing.push(number),
            }
        }
        for n in named {
            // Other letters are other numbers: of a rulebook's figures, of bugs.
            let ours = model.numbered.iter().any(|l| letters(n) == &*l.letters);
            if ours && !known.contains(n) && !list.unknown.iter().any(|u| u == n) {
                list.unknown.push(n.to_string());
            }
        }
        Some(list)
    }

    /// Whether more is left out than may be.
    pub fn has_too_many_not_played(&self) -> bool {
        self.not_played.len() * 100 > self.rules * MOST_NOT_PLAYED
    }

    /// Whether every numbered rule is tested, or excused as far as that may be.
    pub fn is_whole(&self) -> bool {
        self.missing.is_empty()
            && self.unknown.is_empty()
            && self.both.is_empty()
            && !self.has_too_many_not_played()
    }

    /// `84 numbered rules: 82 tested, 2 not played, 0 missing`.
    pub fn to_line(&self) -> String {
        let rules = if self.rules == 1 { "rule" } else { "rules" };
        format!(
            "{} numbered {rules}: {} tested, {} not played, {} missing",
            self.rules,
            self.tested.len() + self.both.len(),
            self.not_played.len(),
            self.missing.len()
        )
    }

    /// What is not as it should be, a line each.
    pub fn complaints(&self) -> Vec<String> {
        let mut out = Vec::new();
        let mut tell = |what: &str, all: &[String]| {
            if !all.is_empty() {
                out.push(format!("{what}: {}", all.join(", ")));
            }
        };
        tell("no test names", &self.missing);
        tell("tests name what is not numbered", &self.unknown);
        tell("not played, and yet a test names", &self.both);
        if self.has_too_many_not_played() {
            out.push(format!(
                "more than {MOST_NOT_PLAYED} % are not played: {} of {}",
                self.not_played.len(),
                self.rules
            ));
        }
        out
    }
}

fn letters(number: &str) -> &str {
    number.trim_end_matches(|c: char| c.is_ascii_digit())
}

/// The numbers at the beginning of a test's title: words of letters and digits, up to a colon.
pub(super) fn numbers_of(title: &str) -> Vec<&str> {
    let is_number = |w: &&str| {
        let head = letters(w);
        head.len() < w.len()
            && head.starts_with(|c: char| c.is_ascii_uppercase())
            && head.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    let Some((head, _)) = title.split_once(':') else { return Vec::new() };
    let words: Vec<&str> = head.split([' ', ',']).filter(|w| !w.is_empty()).collect();
    if words.iter().all(is_number) { words } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::numbers_of;

    #[test]
    fn numbers_stand_before_the_colon() {
        assert_eq!(numbers_of("F018 F019: three steps"), ["F018", "F019"]);
        assert_eq!(numbers_of("F018, F019: three: steps"), ["F018", "F019"]);
        assert!(numbers_of("F018 three steps").is_empty());
        assert!(numbers_of("A1 and: three steps").is_empty());
        assert!(numbers_of("three steps: F1").is_empty());
        assert!(numbers_of("7: three").is_empty());
    }
}
