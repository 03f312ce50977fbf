//! Gives the result of the formatter as edits of the lines that change, so that cursor and folds stay where they are.
use super::{Edit, EditSet, Refusal};
use houserule_syntax as syntax;
use std::ops::Range;

/// How far two texts may be apart before all between their common ends is one edit.
const FARTHEST: usize = 1000;

/// Lays a text out.
///
/// # Errors
/// A text with errors is not touched.
pub fn format_text(file: &str, text: &str) -> Result<EditSet, Refusal> {
    match syntax::format_text(text) {
        Ok(done) => Ok(diff_lines(file, text, &done, format!("format {file}"))),
        Err(found) => {
            let first = found.iter().find(|d| d.is_error()).map(|d| d.message.clone()).unwrap_or_default();
            Err(Refusal::with_reason(format!("a text with errors cannot be laid out: {first}")))
        }
    }
}

/// The edits that make one text of another, whole lines each.
pub fn diff_lines(file: &str, old: &str, new: &str, label: impl Into<String>) -> EditSet {
    let (a, b) = (split_lines(old), split_lines(new));
    let head = a.iter().zip(&b).take_while(|(x, y)| x.1 == y.1).count();
    let tail =
        a.iter().skip(head).rev().zip(b.iter().skip(head).rev()).take_while(|(x, y)| x.1 == y.1).count();
    let (a_mid, b_mid) = (&a[head..a.len() - tail], &b[head..b.len() - tail]);
    let from = a.get(head).map_or(old.len(), |l| l.0.start);
    let mut edits = Vec::new();
    for (x, y) in find_changed_runs(a_mid, b_mid) {
        let start = a_mid.get(x.start).map_or(a_mid.last().map_or(from, |l| l.0.end), |l| l.0.start);
        let end = x.clone().next_back().and_then(|i| a_mid.get(i)).map_or(start, |l| l.0.end);
        let text: String = b_mid.get(y).unwrap_or_default().iter().map(|l| l.1).collect();
        edits.push(Edit::new(file, start..end, text));
    }
    // Runs do not overlap: they come in order.
    EditSet::new(label, edits).unwrap_or_default()
}

type Line<'t> = (Range<usize>, &'t str);

/// Lines with their ends, and where they are.
fn split_lines(text: &str) -> Vec<Line<'_>> {
    let mut at = 0;
    text.split_inclusive('\n')
        .map(|l| {
            at += l.len();
            (at - l.len()..at, l)
        })
        .collect()
}

/// Runs of lines that differ: which of the one stand for which of the other. Myers' way, from both texts' beginnings.
fn find_changed_runs(a: &[Line<'_>], b: &[Line<'_>]) -> Vec<(Range<usize>, Range<usize>)> {
    let (n, m) = (a.len(), b.len());
    let most = (n + m).min(FARTHEST);
    let mut far: Vec<usize> = vec![0; 2 * most + 3];
    let mid = most + 1;
    let mut trail: Vec<Vec<usize>> = Vec::new();
    'search: {
        for d in 0..=most {
            trail.push(far.clone());
            for i in 0..=d {
                // The diagonal k = 2 i - d, kept at mid + k.
                let k = mid + 2 * i - d;
                let mut x =
                    if i == 0 || (i != d && far[k - 1] < far[k + 1]) { far[k + 1] } else { far[k - 1] + 1 };
                let Some(mut y) = (x + mid).checked_sub(k) else { continue };
                while x < n && y < m && a[x].1 == b[y].1 {
                    x += 1;
                    y += 1;
                }
                far[k] = x;
                if x >= n && y >= m {
                    break 'search;
                }
            }
        }
        return if n + m == 0 { Vec::new() } else { vec![(0..n, 0..m)] };
    }
    // Back along the trail: steps that are no common line.
    let (mut x, mut y) = (n, m);
    let mut steps: Vec<(usize, usize, bool)> = Vec::new();
    for d in (1..trail.len()).rev() {
        let far = &trail[d];
        let k = mid + x - y;
        let low = mid - d;
        let down = k == low || (k != mid + d && far[k - 1] < far[k + 1]);
        let before = if down { k + 1 } else { k - 1 };
        let px = far[before];
        let py = (px + mid).saturating_sub(before);
        steps.push((px, py, down));
        (x, y) = (px, py);
    }
    steps.reverse();
    let mut out: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    for (px, py, down) in steps {
        let (ex, ey) = if down { (px, py + 1) } else { (px + 1, py) };
        match out.last_mut() {
            Some((ra, rb)) if ra.end == px && rb.end == py => {
                ra.end = ex;
                rb.end = ey;
            }
            _ => out.push((px..ex, py..ey)),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(old: &str, new: &str, edits: usize) {
        let set = diff_lines("t", old, new, "x");
        assert_eq!(set.apply_to_text("t", old).unwrap(), new);
        assert_eq!(set.edits().len(), edits, "{set:?}");
    }

    #[test]
    fn only_lines_that_differ_are_changed() {
        check("a\nb\nc\n", "a\nb\nc\n", 0);
        check("a\nb\nc\n", "a\nx\nc\n", 1);
        check("a\nb\nc\nd\ne\n", "a\nx\nc\nd\ny\n", 2);
        check("a\nb\nc\n", "a\nc\n", 1);
        check("a\nc\n", "a\nb\nc\n", 1);
        check("", "a\n", 1);
        check("a", "", 1);
        check("a\nb", "b\na", 1);
        check("a\nb\nc\nd", "b\nc\nd\na", 2);
    }

    #[test]
    fn any_two_texts() {
        // All texts of up to five lines of two sorts against each other.
        let all: Vec<String> = (0..63u32)
            .map(|n| {
                (0..5).filter(|i| n >> i > 0).map(|i| if n >> i & 1 == 1 { "a\n" } else { "b\n" }).collect()
            })
            .collect();
        for x in &all {
            for y in &all {
                let set = diff_lines("t", x, y, "x");
                assert_eq!(set.apply_to_text("t", x).as_ref(), Ok(y), "{x:?} {y:?}");
            }
        }
    }

    #[test]
    fn far_apart_is_one_edit() {
        let a: String = (0..1500).map(|i| format!("a{i}\n")).collect();
        let b: String = (0..1500).map(|i| format!("b{i}\n")).collect();
        check(&a, &b, 1);
    }

    #[test]
    fn a_text_is_laid_out_and_one_with_errors_is_not() {
        let text = "setup {\n    say \"a\"\n  say   \"b\"\n}\n";
        let set = format_text("t", text).unwrap();
        assert_eq!(set.apply_to_text("t", text).unwrap(), "setup {\n  say \"a\"\n  say \"b\"\n}\n");
        assert!(format_text("t", "setup { if }").unwrap_err().why.contains("errors"));
    }
}
