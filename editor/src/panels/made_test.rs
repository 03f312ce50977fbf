//! Puts a test that was made of a match into its file. Play and Cards make tests.
use crate::command::{Command, refuse_with};
use crate::document::{Manner, Revision, TextPlace};
use crate::jobs::Job;
use crate::panels::Context;
use crate::play::make_test::MadeTest;
use std::ops::Range;

/// A test that is being made.
pub struct MakingTest {
    since: Revision,
    job: Job<Result<MadeTest, String>>,
}

impl MakingTest {
    /// Begins to make one of the texts as they are now; the work gives it.
    pub fn start(
        cx: &Context,
        work: impl FnOnce() -> Result<MadeTest, String> + Send + 'static,
    ) -> MakingTest {
        MakingTest { since: cx.document.revision(), job: cx.jobs.start("Making a test", move |_| work()) }
    }

    /// Puts it in when it is made, or says why there is none. Whether that is over.
    pub fn poll(&mut self, cx: &Context, out: &mut Vec<Command>) -> bool {
        let Some(made) = self.job.poll() else { return false };
        match made {
            Ok(Ok(made)) => put_in(self.since, made, cx, out),
            Ok(Err(why)) => out.push(refuse_with(format!("No test: {why}"))),
            Err(failed) => out.push(refuse_with(format!("No test: {failed}. The match goes on as it was"))),
        }
        true
    }
}

fn put_in(since: Revision, made: MadeTest, cx: &Context, out: &mut Vec<Command>) {
    // What was written in the meantime may have moved its place, or taken it away.
    let moved = |file: &str, range: Range<usize>| cx.document.move_range(since, file, range);
    let edits = made.edits.edits();
    let stands = edits.iter().all(|e| moved(&e.file, e.range.clone()).is_some());
    let first = edits.iter().find(|e| *e.file == *made.test.file);
    let from = first.and_then(|e| Some((e.range.start, moved(&e.file, e.range.clone())?.start)));
    let Some((then, now)) = from.filter(|_| stands) else {
        let why = format!("No test: {} was changed meanwhile in the place of the test", made.test.file);
        return out.push(refuse_with(why));
    };
    let at = (made.test.at + now).saturating_sub(then);
    let title = at + made.test.title_at.start..at + made.test.title_at.end;
    let notes = made.test.notes.join("; ");
    let label = made.edits.label.clone();
    out.push(Command::Apply { since, set: made.edits, manner: Manner::Step });
    out.push(Command::GoTo(TextPlace::new(made.test.file.as_str(), title)));
    let notes = if notes.is_empty() { String::new() } else { format!(" – {notes}") };
    out.push(Command::Say(format!("{label}: it passes{notes}")));
}
