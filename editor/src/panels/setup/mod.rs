//! The game of the open file, read, with its set-up form filled in: what Play and Measure start from. Each of them has one of its own.
mod form;
mod unready;

pub use form::{Filled, show_fields};
pub use unready::show_unready;

use crate::analyses::{GameAnalysis, make_game};
use crate::document::{Revision, Subject, TextPlace};
use crate::jobs::Job;
use crate::panels::{Context, DrawnSetup};
use crate::play::Form;
use houserule::ide::draw::find_sheet_around;
use houserule::play::Game;
use houserule::text::{Diagnostic, Files};
use std::sync::Arc;

/// A game with its files, or what is wrong with it.
type Read = Result<(Game, Files), Vec<String>>;

/// A game that was loaded from the texts.
pub struct LoadedGame {
    /// Which game.
    pub subject: Subject,
    /// The texts' revision that it is of.
    pub revision: Revision,
    /// The game with its files, or what is wrong with it.
    pub game: Read,
}

/// See the module.
#[derive(Default)]
pub struct Preparation {
    /// What has been filled in.
    pub filled: Filled,
    /// The game that the form was filled in for, and the open file that it was last filled in by.
    filled_for: Option<Subject>,
    opened: Option<Arc<str>>,
    /// What Draw showed last, and the variants that are on because of that.
    drawn: Option<DrawnSetup>,
    by_drawing: Vec<String>,
    form: Option<(Subject, Revision, Filled, Arc<Form>)>,
    /// The game that was loaded last.
    pub loaded: Option<LoadedGame>,
    loading: Option<(Subject, Revision, Job<Read>)>,
}

/// The game of the open file.
pub fn open_subject(cx: &Context) -> Option<Subject> {
    cx.here.and_then(|h| cx.document.subject(&h.file))
}

impl Preparation {
    /// Loads that game when its texts have changed and nothing is wrong with them, and fills the form in for it. With `hold`, nothing new is loaded.
    pub fn poll_jobs(&mut self, cx: &Context, subject: Option<&Subject>, hold: bool) {
        if let Some((subject, revision, job)) = &mut self.loading
            && let Some(read) = job.poll()
        {
            let next = "It is read again when its texts change";
            let game = read.unwrap_or_else(|failed| Err(vec![format!("{failed}. {next}")]));
            self.loaded = Some(LoadedGame { subject: subject.clone(), revision: *revision, game });
            self.loading = None;
        }
        let Some(subject) = subject else { return };
        self.fill_in(cx, subject);
        if hold || self.loading.is_some() || self.is_loaded(cx, subject) {
            return;
        }
        let known: Option<&GameAnalysis> = cx.analyses.get(subject);
        if !known.is_some_and(|k| k.analysis.sound && cx.analyses.is_fresh(cx.document, subject)) {
            return;
        }
        let Some(analysis) = known.map(|k| k.analysis.clone()) else { return };
        let (files, revision) = (cx.document.files(subject), cx.document.revision());
        let job = cx.jobs.start("Reading the game", move |_| {
            let told = |d: &Diagnostic| format!("{}: {}", analysis.files.place(d.at.span), d.message);
            match make_game(&analysis) {
                Some(game) => Ok((game, files)),
                None => Err(analysis.report.findings.iter().map(told).collect()),
            }
        });
        self.loading = Some((subject.clone(), revision, job));
    }

    /// Whether the loaded game was read from its present texts.
    pub fn is_loaded(&self, cx: &Context, subject: &Subject) -> bool {
        let touched = cx.document.game_touched_at(subject);
        self.loaded.as_ref().is_some_and(|l| l.subject == *subject && l.revision >= touched)
    }

    /// Another game has another form, and a scenario's file is opened to be played.
    fn fill_in(&mut self, cx: &Context, subject: &Subject) {
        if self.filled_for.as_ref() != Some(subject) {
            self.filled_for = Some(subject.clone());
            self.filled = Filled::default();
            (self.opened, self.drawn) = (None, None);
            self.by_drawing.clear();
        }
        let (Some(here), Some(known)) = (cx.here, cx.analyses.get(subject)) else { return };
        // A new file is not known before the game has been read with it.
        if self.opened.as_ref() != Some(&here.file) && known.analysis.file(&here.file).is_some() {
            self.opened = Some(here.file.clone());
            self.take_opened(cx, here, known);
        }
        self.take_drawn(cx, subject);
    }

    /// A scenario's file is opened to be played: the scenario in which one stands, of several in it.
    fn take_opened(&mut self, cx: &Context, here: &TextPlace, known: &GameAnalysis) {
        let around = find_sheet_around(&known.analysis, &here.file, |range| {
            let range = cx.document.follow_range(known.revision, &here.file, range).range;
            range.start <= here.range.start && here.range.start <= range.end
        });
        let around = around.and_then(|a| a.scenario);
        let scopes = known.analysis.model.scopes.iter();
        let own = scopes
            .filter(|s| s.kind == houserule::model::hir::ScopeKind::Scenario)
            .find(|s| known.analysis.files.get(s.span.file).is_some_and(|f| *f.name == *here.file));
        let own = around.or(own.map(|s| s.name.clone()));
        if let Some(own) = own.filter(|_| here.file.ends_with(".scenario")) {
            self.filled.scenario = Some(own.to_string());
            self.filled.test = None;
        }
    }

    /// Selects the scenario and the variant that Draw shows.
    fn take_drawn(&mut self, cx: &Context, subject: &Subject) {
        let Some(drawn) = cx.drawn.filter(|d| d.subject == *subject) else { return };
        if self.drawn.replace(drawn.clone()).as_ref() == Some(drawn) {
            return;
        }
        // Variants that were on because they were drawn go off with the drawing.
        let gone = std::mem::take(&mut self.by_drawing);
        self.filled.variants.retain(|v| !gone.contains(v));
        let new = drawn.variants.iter().filter(|v| !self.filled.variants.contains(v));
        self.by_drawing = new.cloned().collect();
        self.filled.variants.extend(self.by_drawing.iter().cloned());
        if drawn.chosen {
            self.filled.scenario.clone_from(&drawn.scenario);
            self.filled.test = None;
        }
    }

    /// The form as it is filled in, worked out anew where that has changed.
    pub fn update_form(&mut self) -> Option<Arc<Form>> {
        let LoadedGame { subject, revision, game: Ok((game, _)) } = self.loaded.as_ref()? else {
            return None;
        };
        let known = self
            .form
            .as_ref()
            .is_some_and(|(s, r, filled, _)| (s, r, filled) == (subject, revision, &self.filled));
        if !known {
            let rough = Form { mods: Vec::new(), ..Form::default() };
            let before = self.form.as_ref().filter(|(s, r, ..)| (s, r) == (subject, revision));
            let first = match before {
                Some((.., form)) => form.clone(),
                None => Arc::new(Form::from_game(game, &self.filled.to_setup(&rough))),
            };
            let form = Arc::new(Form::from_game(game, &self.filled.to_setup(&first)));
            self.form = Some((subject.clone(), *revision, self.filled.clone(), form));
        }
        self.form.as_ref().map(|(.., form)| form.clone())
    }
}
