//! The preview of a resize: the map as it would be, shown until it is carried out or dropped.
use super::{Data, Side, State};
use crate::document::Revision;
use crate::jobs::Job;
use crate::panels::Context;
use houserule::ide::plan::{Intent, Sides, plan};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A resize that is not done yet.
#[derive(Debug)]
pub(super) struct Preview {
    /// At which sides, by how many, with which sign.
    pub by: Sides,
    sign: Arc<str>,
    revision: Revision,
    map: Arc<str>,
    /// Why it cannot be.
    pub why: Option<String>,
    /// What changes outside the picture: where, what stands there, and what comes.
    pub elsewhere: Vec<String>,
    job: Option<Job<Option<Data>>>,
    /// What it would look like.
    data: Option<Arc<Data>>,
}

impl State {
    /// Sees to it that the preview is of that resize.
    pub(super) fn update_preview(&mut self, intent: &Intent, by: Sides, cx: &Context<'_>) {
        let (Some(data), Intent::Resize { map, sign, .. }) = (self.data.clone(), intent) else { return };
        if by == Sides::default() || data.stale.is_some() {
            self.preview = None;
            return;
        }
        let same =
            |p: &Preview| p.by == by && p.sign == *sign && p.revision == data.revision && p.map == *map;
        if self.preview.as_ref().is_some_and(same) {
            return;
        }
        let mut p = Preview {
            by,
            sign: sign.clone(),
            revision: data.revision,
            map: map.clone(),
            why: None,
            elsewhere: Vec::new(),
            job: None,
            data: None,
        };
        match plan(&data.analysis, intent) {
            Err(refusal) => p.why = Some(refusal.why),
            Ok(set) => {
                let grid = data.drawing.board_of(map).and_then(|b| b.grid);
                let file = grid.and_then(|g| data.analysis.files.get(g.file)).map_or("", |f| f.name.as_str());
                let inside = |e: &&houserule::ide::Edit| {
                    *e.file == *file
                        && grid
                            .is_some_and(|g| g.range().start <= e.range.start && e.range.end <= g.range().end)
                };
                let told = |e: &houserule::ide::Edit| {
                    let (_, f) = data.analysis.file(&e.file)?;
                    let line = f.line_col(e.range.start).line;
                    Some(format!("{}:{line}: {} → {}", e.file, f.text.get(e.range.clone())?, e.text))
                };
                p.elsewhere = set.edits().iter().filter(|e| !inside(e)).filter_map(told).collect();
                let (analysis, id, revision) =
                    (data.analysis.clone(), data.drawing.sheet.id.clone(), data.revision);
                p.job = Some(cx.jobs.start("Drawing what it would be", move |_| {
                    let mut texts: BTreeMap<Arc<str>, String> = BTreeMap::new();
                    for e in set.edits() {
                        let (_, file) = analysis.file(&e.file)?;
                        texts.insert(e.file.clone(), set.apply_to_text(&e.file, &file.text).ok()?);
                    }
                    let then = Arc::new(analysis.with_texts(&texts));
                    Data::from_analysis(&then, revision, &id, None)
                }));
            }
        }
        self.preview = Some(p);
    }

    /// What is to be shown instead of the map, if a resize is being looked at.
    pub(super) fn preview_data(&mut self) -> Option<Arc<Data>> {
        let p = self.preview.as_mut().filter(|_| self.side == Side::Size)?;
        if let Some(done) = p.job.as_mut().and_then(Job::poll) {
            match done {
                Ok(then) => p.data = then.map(Arc::new),
                Err(failed) => p.why = Some(format!("{failed}; try another size")),
            }
            p.job = None;
        }
        p.data.clone()
    }
}
