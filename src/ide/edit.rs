//! Changes of text: every feature that changes texts gives an [`EditSet`], or a [`Refusal`] that says why not.
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// One piece of one file, put in place of another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// The file's name, with `/`.
    pub file: Arc<str>,
    /// The bytes that go, in the text before any edit of its set; empty where something is only put in.
    pub range: Range<usize>,
    /// What comes in their place.
    pub text: String,
}

impl Edit {
    /// An edit of a file.
    pub fn new(file: impl Into<Arc<str>>, range: Range<usize>, text: impl Into<String>) -> Self {
        Edit { file: file.into(), range, text: text.into() }
    }
}

/// What one gesture changes: edits that do not overlap, told by a label that undo can show. Empty if the gesture changes nothing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EditSet {
    /// What is done and where, as a person says it: `paint forest at D5`.
    pub label: String,
    /// By file, then place.
    edits: Vec<Edit>,
}

/// Why an edit set cannot be applied to some texts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Misfit {
    /// There is no such file.
    NoFile(Arc<str>),
    /// The range is outside the text, or cuts a character in two.
    Outside(Arc<str>, Range<usize>),
}

impl std::fmt::Display for Misfit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Misfit::NoFile(name) => write!(f, "there is no file {name}"),
            Misfit::Outside(name, r) => write!(f, "{name} has no bytes {} to {}", r.start, r.end),
        }
    }
}

impl std::error::Error for Misfit {}

impl EditSet {
    /// A set of edits, put in order; of two that overlap the later one is an error of whoever planned them.
    ///
    /// # Errors
    /// Two edits that overlap; two that put something in at the same place do not, they stay in the order given.
    pub fn new(label: impl Into<String>, mut edits: Vec<Edit>) -> Result<EditSet, Overlap> {
        edits.sort_by(|a, b| {
            (&a.file, a.range.start, a.range.end).cmp(&(&b.file, b.range.start, b.range.end))
        });
        for pair in edits.windows(2) {
            if let [a, b] = pair
                && a.file == b.file
                && b.range.start < a.range.end
            {
                return Err(Overlap { file: a.file.clone(), at: b.range.start });
            }
        }
        Ok(EditSet { label: label.into(), edits })
    }

    /// A set of one edit.
    pub fn from_edit(label: impl Into<String>, edit: Edit) -> EditSet {
        EditSet { label: label.into(), edits: vec![edit] }
    }

    /// The edits, by file and place.
    pub fn edits(&self) -> &[Edit] {
        &self.edits
    }

    /// Whether nothing changes.
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// Applies the edits of one file to its text.
    ///
    /// # Errors
    /// A range that the text does not have; the text is not made then.
    pub fn apply_to_text(&self, file: &str, text: &str) -> Result<String, Misfit> {
        let mut out = String::with_capacity(text.len());
        let mut from = 0;
        for e in self.edits.iter().filter(|e| &*e.file == file) {
            let outside = || Misfit::Outside(e.file.clone(), e.range.clone());
            out.push_str(text.get(from..e.range.start).ok_or_else(outside)?);
            text.get(e.range.clone()).ok_or_else(outside)?;
            out.push_str(&e.text);
            from = e.range.end;
        }
        out.push_str(text.get(from..).unwrap_or(""));
        Ok(out)
    }

    /// Applies all edits and gives the set that takes them back. Either all are applied or none.
    ///
    /// # Errors
    /// A file that is not there, or a range that its text does not have.
    pub fn apply_to(&self, texts: &mut BTreeMap<Arc<str>, String>) -> Result<EditSet, Misfit> {
        let mut made: Vec<(Arc<str>, String)> = Vec::new();
        let mut back = Vec::new();
        // By how much the edits before one move its file's text: they are in order of file and place.
        let mut shift: (Option<&Arc<str>>, isize) = (None, 0);
        for e in &self.edits {
            let text = texts.get(&e.file).ok_or_else(|| Misfit::NoFile(e.file.clone()))?;
            let gone =
                text.get(e.range.clone()).ok_or_else(|| Misfit::Outside(e.file.clone(), e.range.clone()))?;
            if shift.0 != Some(&e.file) {
                shift = (Some(&e.file), 0);
                made.push((e.file.clone(), self.apply_to_text(&e.file, text)?));
            }
            let start = e.range.start.saturating_add_signed(shift.1);
            back.push(Edit::new(e.file.clone(), start..start + e.text.len(), gone));
            shift.1 += e.growth();
        }
        for (name, text) in made {
            texts.insert(name, text);
        }
        Ok(EditSet { label: self.label.clone(), edits: back })
    }
}

impl Edit {
    /// By how many bytes the text becomes longer.
    pub fn growth(&self) -> isize {
        self.text.len() as isize - self.range.len() as isize
    }
}

/// Two edits of a set that overlap.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Overlap {
    /// The file.
    pub file: Arc<str>,
    /// Where the second begins.
    pub at: usize,
}

/// A gesture that is not carried out: why, and what can be done instead.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// One sentence for a person.
    pub why: String,
    /// What is offered instead, best first.
    pub offers: Vec<Offer>,
}

impl Refusal {
    /// A refusal without an offer.
    pub fn with_reason(why: impl Into<String>) -> Refusal {
        Refusal { why: why.into(), offers: Vec::new() }
    }
}

/// What can be done where a gesture is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Offer {
    /// Go to the text that says it.
    GoTo(Arc<str>, Range<usize>),
    /// Carry out another edit instead, such as *override here*.
    Instead(EditSet),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts() -> BTreeMap<Arc<str>, String> {
        [("a".into(), "one two three".to_string()), ("b".into(), "vier".to_string())].into()
    }

    #[test]
    fn edits_are_applied_together_and_taken_back() {
        let set = EditSet::new(
            "x",
            vec![Edit::new("a", 8..13, "3"), Edit::new("a", 0..3, "eins"), Edit::new("b", 4..4, "!")],
        )
        .unwrap();
        let mut t = texts();
        let back = set.apply_to(&mut t).unwrap();
        assert_eq!((t["a"].as_str(), t["b"].as_str()), ("eins two 3", "vier!"));
        let again = back.apply_to(&mut t).unwrap();
        assert_eq!(t, texts());
        assert_eq!(again, set);
    }

    #[test]
    fn what_does_not_fit_changes_nothing() {
        let set = EditSet::new("x", vec![Edit::new("a", 0..3, ""), Edit::new("b", 2..9, "")]).unwrap();
        let mut t = texts();
        assert_eq!(set.apply_to(&mut t), Err(Misfit::Outside("b".into(), 2..9)));
        assert_eq!(t, texts());
        let none = EditSet::from_edit("x", Edit::new("c", 0..0, "y"));
        assert_eq!(none.apply_to(&mut t), Err(Misfit::NoFile("c".into())));
    }

    #[test]
    fn edits_that_overlap_are_no_set() {
        let two = vec![Edit::new("a", 0..4, ""), Edit::new("a", 3..5, "")];
        assert_eq!(EditSet::new("x", two), Err(Overlap { file: "a".into(), at: 3 }));
        let beside = vec![Edit::new("a", 0..4, ""), Edit::new("a", 4..4, "x"), Edit::new("a", 4..5, "")];
        assert!(EditSet::new("x", beside).is_ok());
    }
}
