//! What the find bar looks for. A walk through a long text by an expression takes as long as it takes: looking and replacing are jobs, tagged with the very text and
//! query that they are of. What comes back of another one is thrown away.
use crate::command::{Command, apply_edits};
use crate::document::{Document, Revision};
use crate::jobs::{Job, Jobs, Stop};
use crate::panels::Context;
use houserule::ide::{self, EditSet, Finder, Query};
use std::ops::Range;
use std::sync::Arc;

/// So many places are listed; how many more there are is not counted.
const MOST: usize = 100_000;

/// So many places are moved along with a text that changes, until they are looked for anew.
const MOVED: usize = 5_000;

/// Which text and query a result is of.
#[derive(Clone, PartialEq, Eq, Debug)]
struct SearchKey {
    file: Arc<str>,
    touched: Revision,
    query: Query,
}

/// What is found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct FoundRanges {
    /// Where, in order.
    pub places: Vec<Range<usize>>,
    /// Whether there are more.
    pub more: bool,
}

/// What is to be done with what is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FindAction {
    /// Go to the next place, or the one before.
    Step(bool),
    /// Put the other text in the selected place, and go to the next.
    One,
    /// Put it in all of them.
    All,
}

/// How far it has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SearchProgress<'f> {
    /// There is nothing to look for.
    Nothing,
    /// It is being looked for.
    Looking,
    /// It cannot be looked for, and why.
    Wrong(&'f str),
    /// This is found in the present text.
    Found(&'f FoundRanges),
}

/// What is found, or why it cannot be looked for.
type Looked = Result<FoundRanges, String>;

/// The bar that finds and replaces.
#[derive(Debug, Default)]
pub(super) struct Find {
    pub shown: bool,
    pub replaces: bool,
    pub query: Query,
    pub with: String,
    pub focus: bool,
    looking: Option<(SearchKey, Job<Looked>)>,
    found: Option<(SearchKey, Looked)>,
    /// What is found in the text as it was, moved to where it is now: until that is known anew.
    moved: Option<(SearchKey, Vec<Range<usize>>)>,
    /// What was wanted before it was known what is found.
    then: Option<(SearchKey, FindAction)>,
    replacing: Option<(SearchKey, Job<EditSet>)>,
}

fn find_matches(query: &Query, text: &str, stop: &Stop) -> Looked {
    let finder = Finder::new(query).map_err(|why| format!("This is not a regular expression: {why}"))?;
    let mut found = FoundRanges::default();
    for place in finder.find_iter(text) {
        if found.places.len() == MOST || stop.is_wanted() {
            found.more = true;
            break;
        }
        found.places.push(place);
    }
    Ok(found)
}

impl Find {
    /// Shows it, with what is selected as what is looked for.
    pub fn open_bar(&mut self, replaces: bool, selected: &str) {
        self.replaces = replaces || (self.replaces && self.shown);
        self.shown = true;
        self.focus = true;
        if !selected.is_empty() && !selected.contains('\n') {
            self.query.text = selected.to_string();
        }
    }

    fn current_search(&self, file: &Arc<str>, document: &Document) -> SearchKey {
        SearchKey { file: file.clone(), touched: document.touched_at(file), query: self.query.clone() }
    }

    /// Takes what was found and starts what is to be looked for, if anybody wants to know. Gives what can be done now that was wanted before.
    pub fn poll_jobs(&mut self, file: &Arc<str>, document: &Document, jobs: &Jobs) -> Option<FindAction> {
        let of = self.current_search(file, document);
        self.take_found(&of);
        let wanted = self.shown || self.then.is_some();
        let known = self.found.as_ref().is_some_and(|(o, _)| *o == of);
        if wanted
            && !known
            && !of.query.text.is_empty()
            && self.looking.as_ref().is_none_or(|(o, _)| *o != of)
        {
            let (query, text) = (of.query.clone(), document.text(file).unwrap_or("").to_string());
            // The one before is told to stop: nobody waits for it.
            let job = jobs.start("Looking in this file", move |stop| find_matches(&query, &text, stop));
            self.looking = Some((of.clone(), job));
            self.take_found(&of);
        }
        let (then_of, then) = self.then.take()?;
        if then_of != of {
            return None;
        }
        if matches!(self.progress(file, document), SearchProgress::Looking) {
            self.then = Some((then_of, then));
            return None;
        }
        Some(then)
    }

    /// Takes what was found, if it is of that text and query.
    fn take_found(&mut self, of: &SearchKey) {
        let Some((own, job)) = &mut self.looking else { return };
        if own != of {
            self.looking = None;
            return;
        }
        let Some(got) = job.poll() else { return };
        let broke = |f| Err(format!("{f}. Look for something else."));
        self.found = Some((own.clone(), got.unwrap_or_else(broke)));
        (self.looking, self.moved) = (None, None);
    }

    /// How far it has come.
    pub fn progress(&self, file: &Arc<str>, document: &Document) -> SearchProgress<'_> {
        let of = self.current_search(file, document);
        match &self.found {
            _ if of.query.text.is_empty() => SearchProgress::Nothing,
            Some((o, Ok(found))) if *o == of => SearchProgress::Found(found),
            Some((o, Err(why))) if *o == of => SearchProgress::Wrong(why),
            _ => SearchProgress::Looking,
        }
    }

    /// Whether a text is being put in.
    pub fn is_replacing(&self) -> bool {
        self.replacing.is_some()
    }

    /// Wants something done as soon as it is known what is found in the present text.
    pub fn want_found(&mut self, then: FindAction, file: &Arc<str>, document: &Document) {
        self.then = Some((self.current_search(file, document), then));
    }

    /// The place behind a selection that is found, or the one before it; round and round.
    pub fn neighbour_of(places: &[Range<usize>], at: &Range<usize>, forward: bool) -> Option<Range<usize>> {
        let next = if forward {
            let from = places.partition_point(|r| r.start < at.end);
            places.iter().skip(from).find(|r| *r != at).or(places.first())
        } else {
            let to = places.partition_point(|r| r.end <= at.start);
            places.iter().take(to).rev().find(|r| *r != at).or(places.last())
        };
        next.cloned()
    }

    /// Starts to put the other text in places: in these, or, without them, wherever it is found.
    pub fn start_replace(&mut self, only: Option<Range<usize>>, file: &Arc<str>, cx: &Context) {
        let of = self.current_search(file, cx.document);
        let (query, with) = (of.query.clone(), self.with.clone());
        let (name, text) = (file.clone(), cx.document.text(file).unwrap_or("").to_string());
        let job = cx.jobs.start("Replacing", move |stop| {
            let place = |r: Range<usize>| ide::Location { file: name.clone(), start: r.start, end: r.end };
            let places: Vec<ide::Location> = match (only, Finder::new(&query)) {
                (Some(range), _) => vec![place(range)],
                // Also what is not listed.
                (None, Ok(finder)) => {
                    finder.find_iter(&text).take_while(|_| !stop.is_wanted()).map(place).collect()
                }
                (None, Err(_)) => Vec::new(),
            };
            ide::replace_all(&query, &with, &places, |_| Some(&text))
        });
        self.replacing = Some((of, job));
    }

    /// Takes what is to be put in: it is done if the text is still the very one that it is of.
    pub fn take_replaced(&mut self, document: &Document, out: &mut Vec<Command>) {
        let Some((of, job)) = &mut self.replacing else { return };
        let Some(got) = job.poll() else { return };
        let same = document.touched_at(&of.file) == of.touched && document.text(&of.file).is_some();
        out.push(match got {
            Ok(set) if same => apply_edits(document.revision(), set),
            Ok(_) => Command::Say(format!("Nothing was replaced: {} was changed meanwhile", of.file)),
            Err(failed) => Command::Say(format!("{failed}. Nothing was replaced")),
        });
        self.replacing = None;
    }

    /// What is marked in the text: what is found, as far as it is known where that is now.
    pub fn marked_ranges(&mut self, file: &Arc<str>, document: &Document) -> &[Range<usize>] {
        let of = self.current_search(file, document);
        let Some((then, Ok(found))) = &self.found else { return &[] };
        if !self.shown || then.file != of.file || then.query != of.query || of.query.text.is_empty() {
            return &[];
        }
        if then.touched == of.touched {
            return &found.places;
        }
        if found.places.len() > MOVED {
            return &[];
        }
        if self.moved.as_ref().is_none_or(|(o, _)| *o != of) {
            let now = |r: &Range<usize>| document.move_range(then.touched, file, r.clone());
            self.moved = Some((of, found.places.iter().filter_map(now).collect()));
        }
        self.moved.as_ref().map_or(&[], |(_, places)| places)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserule::ide::Edit;

    const FILE: &str = "a.rules";

    struct Bar {
        find: Find,
        document: Document,
        jobs: Jobs,
    }

    impl Bar {
        fn of(text: &str, pattern: &str) -> Bar {
            let query = Query { text: pattern.into(), pattern: true, ..Query::default() };
            let find = Find { shown: true, query, ..Find::default() };
            let document = Document::new([(FILE.into(), text.to_string())]);
            Bar { find, document, jobs: Jobs::on_demand() }
        }

        fn tend(&mut self) -> Option<FindAction> {
            self.find.poll_jobs(&FILE.into(), &self.document, &self.jobs)
        }

        fn put(&mut self, range: Range<usize>, text: &str) {
            self.document.apply_edits(EditSet::from_edit("type", Edit::new(FILE, range, text))).unwrap();
        }

        fn told(&self) -> String {
            match self.find.progress(&FILE.into(), &self.document) {
                SearchProgress::Found(f) => format!("{:?}", f.places),
                now => format!("{now:?}"),
            }
        }

        fn marked(&mut self) -> Vec<Range<usize>> {
            self.find.marked_ranges(&FILE.into(), &self.document).to_vec()
        }
    }

    #[test]
    fn what_is_found_in_an_older_text_is_thrown_away() {
        let mut bar = Bar::of("wind and wind", "w\\w+");
        assert_eq!(bar.tend(), None);
        assert_eq!(bar.told(), "Looking");
        bar.put(0..0, "# ");
        // The first search ends behind the change: it is of another text.
        bar.jobs.run();
        assert_eq!((bar.tend(), bar.told().as_str()), (None, "Looking"));
        assert_eq!(bar.marked(), []);
        bar.jobs.run();
        bar.tend();
        assert_eq!(bar.told(), "[2..6, 11..15]");
        // What was found stays marked where it is now, until it is looked for anew; nothing is done with it.
        bar.put(7..7, "so ");
        bar.tend();
        assert_eq!((bar.told().as_str(), bar.marked()), ("Looking", vec![2..6, 14..18]));
        bar.put(14..15, "W");
        bar.tend();
        assert_eq!(bar.marked(), vec![2..6]);
        bar.find.query.text = String::from("so");
        assert_eq!(bar.marked(), []);
        bar.jobs.run();
        assert_eq!((bar.tend(), bar.told().as_str()), (None, "Looking"));
    }

    #[test]
    fn what_is_wanted_waits_for_what_is_found_in_this_very_text() {
        let mut bar = Bar::of("wind", "wind");
        bar.find.want_found(FindAction::All, &FILE.into(), &bar.document);
        assert_eq!(bar.tend(), None);
        bar.jobs.run();
        assert_eq!((bar.tend(), bar.tend()), (Some(FindAction::All), None));
        bar.put(4..4, "y");
        bar.find.want_found(FindAction::Step(true), &FILE.into(), &bar.document);
        bar.tend();
        bar.put(5..5, "!");
        bar.jobs.run();
        assert_eq!(bar.tend(), None, "the text is another one");
        bar.jobs.run();
        assert_eq!(bar.tend(), None);
        assert_eq!(bar.told(), "[0..4]");
    }

    #[test]
    fn a_search_that_nobody_waits_for_ends() {
        let stop = Stop::default();
        stop.stop();
        let any = Query { text: "e".into(), ..Query::default() };
        let found = find_matches(&any, "eee", &stop).unwrap();
        assert_eq!((found.places.len(), found.more), (0, true));
        let all = find_matches(&any, &"e".repeat(MOST + 7), &Stop::default()).unwrap();
        assert_eq!((all.places.len(), all.more), (MOST, true));
    }

    #[test]
    fn places_follow_each_other_round_and_round() {
        let all = [2..4, 6..6, 8..9];
        let next = |at: Range<usize>, forward| Find::neighbour_of(&all, &at, forward).unwrap();
        assert_eq!((next(0..0, true), next(2..4, true), next(6..6, true)), (2..4, 6..6, 8..9));
        assert_eq!((next(8..9, true), next(3..3, true)), (2..4, 6..6));
        assert_eq!((next(8..9, false), next(6..6, false), next(2..4, false)), (6..6, 2..4, 8..9));
        assert_eq!(Find::neighbour_of(&[], &(0..0), true), None);
    }
}
