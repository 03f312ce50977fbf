//! Begins the drawn scenario in the background and shows which conditions it does not meet (`lab::conditions`).
use super::Data;
use crate::analyses::{GameAnalysis, make_game};
use crate::document::{Revision, Subject};
use crate::jobs::Job;
use crate::panels::Context;
use houserule::ide::draw::{SheetId, rewrite_to_one_base};
use houserule::lab::conditions::{Unmet, find_unmet};
use houserule::play::codes;
use houserule::text::{Diagnostic, File, Span};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Which texts and sheet a judgement is of.
type TrialKey = (Subject, SheetId, Revision);

/// What is judged, and what came of it.
#[derive(Debug, Default)]
pub(super) struct Trial {
    running: Option<(TrialKey, Job<Vec<Unmet>>)>,
    done: Option<(TrialKey, Vec<Unmet>)>,
    /// Whether what is shown has it already.
    pub judged: bool,
}

impl Trial {
    /// Starts what is due, and gives what is to be shown if it has come to anything new.
    pub fn poll_jobs(
        &mut self,
        cx: &Context<'_>,
        subject: &Subject,
        known: &GameAnalysis,
        data: &Data,
    ) -> Option<Data> {
        if let Some((of, job)) = &mut self.running
            && let Some(found) = job.poll()
        {
            let found = found.unwrap_or_else(|failed| {
                let message = format!("{failed}; it is tried again when a text of the game changes");
                vec![Unmet::from_finding(Diagnostic::error(codes::RULE_FAULT, Span::default(), message))]
            });
            self.done = Some((of.clone(), found));
            self.running = None;
        }
        let sheet = &data.drawing.sheet;
        if sheet.id == SheetId::Game {
            return None;
        }
        let now: TrialKey = (subject.clone(), sheet.id.clone(), known.revision);
        // What cannot be read, or was typed a moment ago, is not begun.
        let ready = data.stale.is_none() && cx.analyses.is_fresh(cx.document, subject);
        if self.done.as_ref().is_none_or(|(of, _)| *of != now) && self.running.is_none() && ready {
            // A scenario that may be built on several is begun as it is drawn: on one of them.
            let settled = rewrite_to_one_base(&known.analysis, sheet);
            if known.analysis.sound || !settled.is_empty() {
                let analysis = known.analysis.clone();
                let scenario = sheet.scenario.clone();
                let variants: Vec<String> = sheet.variants.iter().map(|v| v.to_string()).collect();
                let job = cx.jobs.start("Beginning this scenario to judge it", move |_| {
                    let files = analysis.files.iter().map(|(_, f)| f);
                    let edited =
                        |f: &File| settled.apply_to_text(&f.name, &f.text).ok().filter(|t| *t != f.text);
                    let texts: BTreeMap<Arc<str>, String> =
                        files.filter_map(|f| Some((f.name.as_str().into(), edited(f)?))).collect();
                    let analysis =
                        if texts.is_empty() { analysis } else { Arc::new(analysis.with_texts(&texts)) };
                    match make_game(&analysis) {
                        Some(game) => find_unmet(&game, scenario.as_deref(), &variants),
                        // The findings say what is wrong.
                        None => Vec::new(),
                    }
                });
                self.running = Some((now.clone(), job));
            }
        }
        let (of, found) = self.done.as_ref()?;
        if self.judged || *of != now {
            return None;
        }
        self.judged = true;
        (!found.is_empty()).then(|| data.with_unmet(found))
    }
}
