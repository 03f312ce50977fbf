//! A scenario that is drawn is begun in the background, and what the game asks of it is judged there: conditions of its set-up, and what must hold between any two choices.
use super::Data;
use crate::analyses::Known;
use crate::document::{Revision, Subject};
use crate::jobs::Job;
use crate::panels::Context;
use houserule::ide::draw::SheetId;
use houserule::lab::conditions::{Unmet, unmet};
use houserule::play::Game;

/// Of which texts and sheet something was judged.
type Of = (Subject, SheetId, Revision);

/// What is judged, and what came of it.
#[derive(Debug, Default)]
pub(super) struct Trial {
    running: Option<(Of, Job<Vec<Unmet>>)>,
    done: Option<(Of, Vec<Unmet>)>,
    /// Whether what is shown has it already.
    pub judged: bool,
}

impl Trial {
    /// Starts what is due, and gives what is to be shown if it has come to anything new.
    pub fn tend(&mut self, cx: &Context<'_>, subject: &Subject, known: &Known, data: &Data) -> Option<Data> {
        if let Some((of, job)) = &mut self.running
            && let Some(found) = job.poll()
        {
            let found = found.unwrap_or_else(|failed| {
                let message = format!("{failed}; it is tried again when a text of the game changes");
                vec![Unmet { message, span: None, spaces: Vec::new() }]
            });
            self.done = Some((of.clone(), found));
            self.running = None;
        }
        let id = &data.drawing.sheet.id;
        // One that may be built on several is judged as it is played.
        let name = id.scenario()?.clone();
        let now: Of = (subject.clone(), SheetId::Scenario(name.clone()), known.revision);
        // What cannot be read, or was typed a moment ago, is not begun.
        let ready = known.analysis.sound && data.stale.is_none() && cx.analyses.fresh(cx.document, subject);
        if self.done.as_ref().is_none_or(|(of, _)| *of != now) && self.running.is_none() && ready {
            let files = cx.document.files(subject);
            let job =
                cx.jobs.start("Beginning this scenario to judge it", move |_| match Game::load(&files) {
                    Ok(game) => unmet(&game, Some(&*name)),
                    // The findings say what is wrong.
                    Err(_) => Vec::new(),
                });
            self.running = Some((now.clone(), job));
        }
        let (of, found) = self.done.as_ref()?;
        if self.judged || *of != now {
            return None;
        }
        self.judged = true;
        (!found.is_empty()).then(|| data.judged(found))
    }
}
