//! Searches all files: the results as plain data.
use crate::document::{Document, Revision, TextPlace};
use crate::jobs::Stop;
use houserule::ide::{EditSet, Finder, Query, find_all, replace_all};
use std::collections::BTreeMap;
use std::sync::Arc;

/// One place where a text is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchHit {
    /// Where.
    pub place: TextPlace,
    /// Its line, from 1.
    pub line: usize,
    /// The line's text, without its indent; long lines are cut around it.
    pub text: String,
}

/// Everything that was found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Data {
    /// By file and place.
    pub found: Vec<SearchHit>,
    /// Whether there is more than is listed.
    pub more: bool,
    /// What was found in each file, and in which text of it.
    files: BTreeMap<Arc<str>, (Revision, Vec<SearchHit>)>,
}

/// How many places are listed.
const MOST: usize = 1_000;

/// How many characters of a line are shown before and behind what was found.
const AROUND: usize = 60;

/// What is to be searched: on a thread, for texts can be long.
#[derive(Debug)]
pub struct Task {
    data: Data,
    texts: Vec<(Arc<str>, Revision, String)>,
}

impl Task {
    /// The search after a change of texts: only files that were changed are searched again. What is looked for must be the same as for `before`.
    pub fn after_change(before: Data, document: &Document) -> Task {
        let mut data = before;
        data.files.retain(|name, _| document.text(name).is_some());
        let now = |name: &Arc<str>| document.touched_at(name);
        let other = |name: &Arc<str>| data.files.get(name).is_none_or(|(then, _)| *then != now(name));
        let texts = document.texts().iter().filter(|(name, _)| other(name));
        let texts = texts.map(|(name, text)| (name.clone(), now(name), text.clone())).collect();
        Task { data, texts }
    }

    /// Searches.
    ///
    /// # Errors
    /// What is wrong with the expression.
    pub fn run(self, wanted: &Query, stop: &Stop) -> Result<Data, String> {
        let finder = Finder::new(wanted)?;
        let Task { mut data, texts } = self;
        for (name, now, text) in texts {
            let found = find_in_file(&name, &text, &finder, stop);
            data.files.insert(name, (now, found));
        }
        let all = data.files.values().flat_map(|(_, found)| found);
        data.more = all.clone().nth(MOST).is_some();
        data.found = all.take(MOST).cloned().collect();
        Ok(data)
    }
}

fn find_in_file(name: &Arc<str>, text: &str, finder: &Finder<'_>, stop: &Stop) -> Vec<SearchHit> {
    let (mut line, mut from) = (1, 0);
    let found = finder.find_iter(text).take(MOST + 1).take_while(|_| !stop.is_wanted()).map(|range| {
        line += text.get(from..range.start).unwrap_or("").matches('\n').count();
        from = range.start;
        let shown = excerpt_around(text, range.start, range.len());
        SearchHit { line, text: shown, place: TextPlace::new(name.clone(), range) }
    });
    found.collect()
}

fn excerpt_around(text: &str, at: usize, long: usize) -> String {
    let before = text.get(..at).unwrap_or("");
    let start = before.rfind('\n').map_or(0, |i| i + 1);
    let behind = text.get(at + long..).unwrap_or("");
    let end = at + long + behind.find('\n').unwrap_or(behind.len());
    let left = before.get(start..).unwrap_or("").trim_start();
    let skipped = left.chars().count().saturating_sub(AROUND);
    let mut out: String = if skipped > 0 { "…".into() } else { String::new() };
    out.extend(left.chars().skip(skipped));
    // Of what goes over several lines the first one is shown.
    let rest = text.get(at..end).unwrap_or("").lines().next().unwrap_or("").trim_end();
    let most = long + AROUND;
    out.extend(rest.chars().take(most));
    if rest.chars().count() > most {
        out.push('…');
    }
    out
}

/// The edit that puts a text in place of everything that is found in these texts, also of what is not listed. On a thread, as the search.
pub fn replace_everywhere(texts: &BTreeMap<Arc<str>, String>, wanted: &Query, with: &str) -> EditSet {
    let places = find_all(wanted, texts.iter().map(|(n, t)| (&**n, t.as_str())));
    replace_all(wanted, with, &places, |name| texts.get(name).map(String::as_str))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn also_what_is_not_listed_is_replaced() {
        let mut d = Document::new([("a".into(), "x\n".repeat(3 * MOST))]);
        let x = Query { text: "x".into(), ..Query::default() };
        let all = Task::after_change(Data::default(), &d).run(&x, &Stop::default()).unwrap();
        assert_eq!((all.found.len(), all.more), (MOST, true));
        d.apply_edits(replace_everywhere(d.texts(), &x, "yy")).unwrap();
        assert_eq!(d.text("a"), Some("yy\n".repeat(3 * MOST).as_str()));
        d.undo();
        assert_eq!(d.text("a"), Some("x\n".repeat(3 * MOST).as_str()));
    }

    #[test]
    fn all_files_are_searched() {
        let long = format!("{}needle{}\n", "a".repeat(100), "b".repeat(100));
        let d = Document::new([
            ("a".into(), "one\n  A Needle here\nneedleneedle".to_string()),
            ("b".into(), long),
        ]);
        let told = |d: &Data| -> Vec<String> {
            d.found.iter().map(|f| format!("{}:{} {:?}", f.place.file, f.line, f.text)).collect()
        };
        let query = |text: &str, case, word| Query { text: text.into(), case, word, pattern: false };
        let search = |d: &Document, before: Data, q: &Query| {
            Task::after_change(before, d).run(q, &Stop::default()).expect("it can be read")
        };
        let of = |d: &Document, q: &Query| search(d, Data::default(), q);
        let all = of(&d, &query("needle", false, false));
        let cut = format!("b:1 \"…{}needle{}…\"", "a".repeat(60), "b".repeat(60));
        assert_eq!(
            told(&all),
            ["a:2 \"A Needle here\"", "a:3 \"needleneedle\"", "a:3 \"needleneedle\"", &cut]
        );
        assert_eq!(of(&d, &query("needle", true, false)).found.len(), 3);
        assert!(of(&d, &query("", false, false)).found.is_empty());
        assert_eq!(of(&d, &query("needle", false, true)).found.len(), 1);
        let mut d = d;
        let needle = query("needle", false, false);
        d.apply_edits(replace_everywhere(d.texts(), &needle, "pin")).unwrap();
        assert_eq!(d.text("a"), Some("one\n  A pin here\npinpin"));
        let again = search(&d, all.clone(), &needle);
        assert!(again.found.is_empty());
        d.undo();
        let again = search(&d, again, &needle);
        assert_eq!(again.found, all.found);
        d.redo();
        assert_eq!(d.history().done[0].describe(), "replace `needle` by `pin` (4 times) (a:2)");
        let wrong = Query { pattern: true, ..query("(", false, false) };
        assert!(Task::after_change(Data::default(), &d).run(&wrong, &Stop::default()).is_err());
    }
}
