//! Maps places of an older revision of the texts to the present one.
use super::Revision;
use houserule::ide::{Edit, EditSet};
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

/// How many changes are remembered; what is older than that is not followed.
const MOST: usize = 20_000;

/// Where a range went.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Followed {
    /// Where it is now.
    pub range: Range<usize>,
    /// Whether all of its text is as it was.
    pub whole: bool,
}

/// One piece of a text that was changed.
#[derive(Clone, Debug)]
struct TextMove {
    at: Revision,
    file: Arc<str>,
    /// The bytes that went and how many came; none if the file went.
    piece: Option<(Range<usize>, usize)>,
}

/// All changes of texts, by revision.
#[derive(Clone, Debug, Default)]
pub(super) struct Moves {
    /// Of one revision those further back in a text come first, so that each is of a text that the ones before it did not shift.
    log: VecDeque<TextMove>,
    /// The newest revision that is no longer known in full.
    forgotten: Revision,
}

impl Moves {
    pub(super) fn push_edits(&mut self, now: Revision, set: &EditSet) {
        for e in set.edits().iter().rev() {
            let piece = Some((e.range.clone(), e.text.len()));
            self.log.push_back(TextMove { at: now, file: e.file.clone(), piece });
        }
        self.drop_oldest();
    }

    pub(super) fn push_removal(&mut self, now: Revision, file: &Arc<str>) {
        self.log.push_back(TextMove { at: now, file: file.clone(), piece: None });
        self.drop_oldest();
    }

    fn drop_oldest(&mut self) {
        while self.log.len() > MOST
            && let Some(first) = self.log.pop_front()
        {
            self.forgotten = first.at;
        }
    }

    pub(super) fn map_exactly(
        &self,
        since: Revision,
        file: &str,
        range: Range<usize>,
    ) -> Option<Range<usize>> {
        let found = self.map_nearly(since, file, range);
        found.whole.then_some(found.range)
    }

    pub(super) fn map_nearly(&self, since: Revision, file: &str, mut range: Range<usize>) -> Followed {
        let mut whole = since >= self.forgotten;
        let first = self.log.partition_point(|m| m.at <= since);
        for m in self.log.range(first..) {
            if *m.file != *file {
                continue;
            }
            match &m.piece {
                None => {
                    range = 0..0;
                    whole = false;
                }
                Some((gone, came)) => {
                    let shift = |at: usize| (at + came).saturating_sub(gone.len());
                    if gone.end <= range.start {
                        range = shift(range.start)..shift(range.end);
                    } else if gone.start >= range.end {
                        // Behind it.
                    } else {
                        whole = false;
                        let start = range.start.min(gone.start);
                        let end = if gone.end <= range.end { shift(range.end) } else { gone.start + came };
                        range = start..end.max(start);
                    }
                }
            }
        }
        Followed { range, whole }
    }
}

/// The least edit that makes one text of another; none if they are the same.
pub(super) fn least_edit(name: &Arc<str>, old: &str, new: &str) -> Option<Edit> {
    if old == new {
        return None;
    }
    let same = |a: &mut dyn Iterator<Item = char>, b: &mut dyn Iterator<Item = char>| -> usize {
        a.zip(b).take_while(|(x, y)| x == y).map(|(x, _)| x.len_utf8()).sum()
    };
    let front = same(&mut old.chars(), &mut new.chars());
    let (a, b) = (old.get(front..)?, new.get(front..)?);
    let back = same(&mut a.chars().rev(), &mut b.chars().rev());
    let text = b.get(..b.len() - back)?;
    Some(Edit::new(name.clone(), front..old.len() - back, text))
}
