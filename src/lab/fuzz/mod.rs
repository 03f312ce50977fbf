//! Fuzzing with mutated texts: takes a text of a corpus, changes it by chance, and requires that it is accepted or refused without a panic and in bounded time.
//!
//! * `change`: the changes, of bytes, words and lines;
//! * `targets`: what is tried with a text;
//! * `shapes`: texts that are deep, wide, long or wrong in many places.
mod change;
mod shapes;
mod targets;

pub use shapes::{LIMITS, SHAPES, Shape, make_files};
pub use targets::{check_campaign, check_formatting, check_hook, check_rules, check_save, play_rules};

use houserule_engine::{Stream, below};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What is tried with a text: the error is what is wrong with how it was taken.
pub type Target<'a> = &'a (dyn Fn(&str) -> Result<(), String> + Sync);

/// How much is tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FuzzPlan {
    /// The number that the first text comes from; the next comes from the next number.
    pub seed: u64,
    /// How many texts.
    pub count: u64,
    /// How many smaller texts are tried of one that fails.
    pub tries: usize,
}

/// A text that shows a fault.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextFault {
    /// The number that it comes from.
    pub seed: u64,
    /// What is wrong.
    pub what: String,
    /// The text, as small as it could be made.
    pub text: String,
}

/// The longest text that is tried, in bytes.
const LONGEST: usize = 64 << 10;

/// The text that a number makes out of a corpus: one of its texts with a few changes, the first of them as they are.
pub fn make_text(seed: u64, corpus: &[String]) -> String {
    let mut stream = Stream::new(seed, 0xf022);
    let mut draw = |n: usize| below(n as u64, || stream.draw()) as usize;
    let mut text = corpus.get(draw(corpus.len())).cloned().unwrap_or_default();
    let other = corpus.get(draw(corpus.len())).map_or("", String::as_str);
    for _ in 0..draw(8) {
        text = change::change_text(&text, other, &mut draw);
        if text.len() > LONGEST {
            text.truncate(text.floor_char_boundary(LONGEST));
        }
    }
    text
}

/// Tries texts one after the other; `begun` hears of each before it is tried. A fault of the same words as one before is left out.
pub fn run(
    plan: FuzzPlan,
    corpus: &[String],
    target: Target<'_>,
    begun: &mut dyn FnMut(u64),
) -> Vec<TextFault> {
    let mut faults: Vec<(String, TextFault)> = Vec::new();
    for seed in plan.seed..plan.seed.saturating_add(plan.count) {
        begun(seed);
        let text = make_text(seed, corpus);
        let Some(what) = find_fault(target, &text) else { continue };
        let sort = without_numbers(&what);
        if faults.iter().any(|(known, _)| *known == sort) {
            continue;
        }
        let text = shrink_text(text, plan.tries, &mut |t| {
            find_fault(target, t).is_some_and(|w| without_numbers(&w) == sort)
        });
        faults.push((sort, TextFault { seed, what, text }));
    }
    faults.into_iter().map(|(_, f)| f).collect()
}

/// What is wrong with how a text is taken; a panic is.
fn find_fault(target: Target<'_>, text: &str) -> Option<String> {
    match catch_unwind(AssertUnwindSafe(|| target(text))) {
        Ok(done) => done.err(),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            Some(format!("panic: {}", text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("")))
        }
    }
}

/// What is wrong without the numbers in it: the same for the same fault.
fn without_numbers(what: &str) -> String {
    what.chars().filter(|c| !c.is_ascii_digit()).take(80).collect()
}

/// A shorter text for which `fails` still says yes: lines are left out, then characters, halves first.
fn shrink_text(text: String, tries: usize, fails: &mut dyn FnMut(&str) -> bool) -> String {
    let mut best = text;
    let mut left = tries;
    for lines in [true, false] {
        let cut = |text: &str| -> Vec<String> {
            match lines {
                true => text.split_inclusive('\n').map(String::from).collect(),
                false => text.chars().map(String::from).collect(),
            }
        };
        let mut parts = cut(&best);
        let mut run = parts.len() / 2;
        while run > 0 && left > 0 {
            let mut at = 0;
            while at < parts.len() && left > 0 {
                left -= 1;
                let mut fewer = parts.clone();
                fewer.drain(at..(at + run).min(parts.len()));
                if fails(&fewer.concat()) {
                    parts = fewer;
                } else {
                    at += run;
                }
            }
            run /= 2;
        }
        best = parts.concat();
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seeded_fault_is_found_and_made_small() {
        let corpus = [String::from("one two\nthree bad four\nfive\n"), String::from("six\nseven\n")];
        let target = |t: &str| if t.contains("bad") { Err(String::from("bad is there")) } else { Ok(()) };
        let faults = run(FuzzPlan { seed: 1, count: 50, tries: 500 }, &corpus, &target, &mut |_| {});
        assert_eq!(faults.len(), 1);
        assert_eq!(faults[0].text, "bad");
        let panics = |t: &str| if t.contains("six") { panic!("number {}", t.len()) } else { Ok(()) };
        let faults = run(FuzzPlan { seed: 1, count: 50, tries: 500 }, &corpus, &panics, &mut |_| {});
        assert_eq!((faults.len(), faults[0].text.as_str()), (1, "six"));
    }

    #[test]
    fn a_number_makes_the_same_text_again() {
        let corpus = [String::from("one two\nthree\n"), String::from("six, seven\n")];
        let made: Vec<String> = (0..40).map(|s| make_text(s, &corpus)).collect();
        assert_eq!(made, (0..40).map(|s| make_text(s, &corpus)).collect::<Vec<_>>());
        assert!(made.iter().filter(|t| !corpus.contains(t)).count() > 20);
    }
}
