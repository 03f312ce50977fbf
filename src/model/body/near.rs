//! Finds the word that a misspelt one was meant to be (edit distance), and says what may be written instead of an unknown word.
use houserule_text::Diagnostic;

/// How many words a finding lists.
const MOST_LISTED: usize = 12;

/// Adds to the finding of an unknown word what to write: the nearest of the known words, else a list of them, else how to declare one.
pub fn suggest_word<'a>(
    d: Diagnostic,
    word: &str,
    known: impl IntoIterator<Item = &'a str> + Clone,
    declare: &str,
) -> Diagnostic {
    match closest(word, known.clone()) {
        Some(near) => d.suggest(near),
        None => d.help(list_words(known, declare)),
    }
}

/// What to write instead of a word that is like none of the known ones: one of those, or, if there are none, what `declare` says.
pub fn list_words<'a>(known: impl IntoIterator<Item = &'a str>, declare: &str) -> String {
    let mut all: Vec<&str> = known.into_iter().collect();
    all.sort_unstable();
    all.dedup();
    let more = if all.len() > MOST_LISTED { ", …" } else { "" };
    all.truncate(MOST_LISTED);
    if all.is_empty() { declare.into() } else { format!("write one of these: {}{more}", all.join(", ")) }
}

/// The same with the words in the order of how near they are.
pub fn list_nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>, declare: &str) -> String {
    let letters: Vec<char> = word.chars().collect();
    let mut near = Distance { a: &letters, b: Vec::new(), rows: [Vec::new(), Vec::new(), Vec::new()] };
    let mut all: Vec<(usize, &str)> =
        known.into_iter().map(|c| (near.distance_to(c, usize::MAX).unwrap_or(usize::MAX), c)).collect();
    all.sort_unstable();
    all.dedup();
    let more = if all.len() > MOST_LISTED { ", …" } else { "" };
    all.truncate(MOST_LISTED);
    let all: Vec<&str> = all.into_iter().map(|(_, c)| c).collect();
    if all.is_empty() { declare.into() } else { format!("write one of these: {}{more}", all.join(", ")) }
}

/// The nearest candidate, if it is near enough to be a slip: one edit for short words, two or three for long ones.
pub fn closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let n = word.chars().count();
    let most = match n {
        0 => return None,
        1..=4 => 1,
        5..=8 => 2,
        _ => 3,
    };
    let letters: Vec<char> = word.chars().collect();
    let bag = letter_set_of(word);
    let mut best: Option<(usize, &str)> = None;
    let mut near = Distance { a: &letters, b: Vec::new(), rows: [Vec::new(), Vec::new(), Vec::new()] };
    for c in candidates {
        // Each edit takes away at most one letter that the other has not.
        let other = letter_set_of(c);
        let far = (bag & !other).count_ones().max((other & !bag).count_ones()) as usize > most;
        if far || c == word {
            continue;
        }
        if let Some(d) = near.distance_to(c, most)
            && d < c.chars().count()
            && best.is_none_or(|(b, _)| d < b)
        {
            best = Some((d, c));
        }
    }
    best.map(|(_, c)| c)
}

/// The letters of a word as a set of 64 classes.
fn letter_set_of(word: &str) -> u64 {
    word.bytes().fold(0, |bag, b| bag | 1 << (b & 63))
}

/// Edit distance from one word, with its buffers.
struct Distance<'a> {
    a: &'a [char],
    b: Vec<char>,
    rows: [Vec<usize>; 3],
}

impl Distance<'_> {
    /// How many letters are to be added, dropped, changed or swapped; none if more than `most`.
    fn distance_to(&mut self, word: &str, most: usize) -> Option<usize> {
        let a = self.a;
        self.b.clear();
        self.b.extend(word.chars());
        let b = &self.b;
        if a.len().abs_diff(b.len()) > most {
            return None;
        }
        let [before, last, row] = &mut self.rows;
        before.clear();
        last.clear();
        last.extend(0..=b.len());
        for (i, x) in a.iter().enumerate() {
            row.clear();
            row.push(i + 1);
            for (j, y) in b.iter().enumerate() {
                let mut d = (last[j] + usize::from(x != y)).min(last[j + 1] + 1).min(row[j] + 1);
                if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                    d = d.min(before[j - 1] + 1);
                }
                row.push(d);
            }
            if row.iter().all(|d| *d > most) {
                return None;
            }
            std::mem::swap(before, last);
            std::mem::swap(last, row);
        }
        last.last().copied().filter(|d| *d <= most)
    }
}
