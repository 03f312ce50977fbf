//! Quick fixes: the edits that findings suggest.
use super::{Analysis, Edit, EditSet};
use houserule_text::{Code, Diagnostic};

/// A way to mend a finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    /// What it does, as a person says it.
    pub title: String,
    /// What it mends.
    pub code: Code,
    /// How.
    pub edits: EditSet,
}

/// The ways to mend what touches a range of a file; first each by itself, then all of a code together where there are several.
pub fn find_fixes(a: &Analysis, file: &str, range: std::ops::Range<usize>) -> Vec<Fix> {
    let Some((id, _)) = a.file(file) else { return Vec::new() };
    let touches = |d: &&Diagnostic| {
        let at = d.at.span.range();
        at.start <= range.end && range.start <= at.end
    };
    let here: Vec<&Diagnostic> = a.findings(id).filter(touches).filter(|d| d.fix.is_some()).collect();
    let mut out: Vec<Fix> = here.iter().filter_map(|d| make_fix(a, d)).collect();
    let mut codes: Vec<Code> = here.iter().map(|d| d.code).collect();
    codes.dedup();
    for code in codes {
        if let Some((edits, n)) = fix_all(a, code).filter(|(_, n)| *n > 1) {
            out.push(Fix { title: format!("fix all {n} of {}", code.0), code, edits });
        }
    }
    out
}

fn make_fix(a: &Analysis, d: &Diagnostic) -> Option<Fix> {
    let text = d.fix.clone()?;
    let place = a.to_place(d.at.span)?;
    let old = a.slice(d.at.span);
    let title = match (old.is_empty(), text.is_empty()) {
        (true, _) => format!("insert `{}`", text.trim()),
        (_, true) => format!("remove `{}`", old.trim()),
        _ => format!("change `{}` to `{}`", old.trim(), text.trim()),
    };
    let edits = EditSet::from_edit(title.clone(), Edit::new(place.file.clone(), place.range(), text));
    Some(Fix { title, code: d.code, edits })
}

/// All findings of a code mended at once, in all files, with how many there are; those that overlap one before them are left.
pub fn fix_all(a: &Analysis, code: Code) -> Option<(EditSet, usize)> {
    let mut edits: Vec<Edit> = Vec::new();
    for d in a.report.findings.iter().filter(|d| d.code == code) {
        let Some(f) = make_fix(a, d) else { continue };
        let Some(e) = f.edits.edits().first() else { continue };
        let clash = edits.last().is_some_and(|l| l.file == e.file && e.range.start < l.range.end);
        if !clash {
            edits.push(e.clone());
        }
    }
    let n = edits.len();
    let set = EditSet::new(format!("fix {n} of {}", code.0), edits).ok()?;
    (n > 0).then_some((set, n))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{analyse, split_marks};

    fn check(text: &str, titles: &[&str], last: &str) {
        let (a, at) = analyse(text);
        let (plain, ..) = split_marks(text);
        let found = find_fixes(&a, "t.rules", at..at);
        assert_eq!(found.iter().map(|f| f.title.as_str()).collect::<Vec<_>>(), titles, "{:?}", a.report);
        if let Some(f) = found.last() {
            assert_eq!(f.edits.apply_to_text("t.rules", &plain).unwrap(), last);
        }
    }

    #[test]
    fn what_was_meant_is_put_in() {
        check(
            "table { wind: 0..9 = 1 }\nvalue w: int = win$0g",
            &["change `wing` to `wind`"],
            "table { wind: 0..9 = 1 }\nvalue w: int = wind",
        );
        check(
            "table { wind: 0..9 = 1 }\nvalue w: int = win$0g + wing",
            &["change `wing` to `wind`", "fix all 2 of E0250"],
            "table { wind: 0..9 = 1 }\nvalue w: int = wind + wind",
        );
        check("table { wind: 0..9 = 1 }\nvalue w: int = win$0d", &[], "");
    }
}
