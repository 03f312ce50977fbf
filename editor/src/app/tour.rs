//! The tour in the window: begins and ends it, looks before each frame whether the present step is done, and shows it in a strip.
use super::App;
use crate::command::{Act, Command};
use crate::document::TextPlace;
use crate::panels::{Pane, show_button};
use crate::play::Sitter;
use crate::tour::{Progress, Signs, read_first};
use egui::accesskit::Live;
use houserule::text::fnv1a;

impl App {
    /// Begins the first tour. Where its file is not in the folder, the working copy of the games that ship is opened first.
    pub(super) fn begin_tour(&mut self, may_open: bool) {
        let tour = match read_first() {
            Ok(tour) => tour,
            Err(why) => return self.set_message(format!("The tour cannot be read: {why}")),
        };
        if self.document.text(&tour.file).is_none() {
            let copy = self.home.as_ref().map(|h| h.join("games"));
            let here = self.workspace.as_ref().is_some_and(|w| Some(&w.root) == copy.as_ref());
            if here || copy.is_none() || !may_open {
                return self.set_message(format!("The tour needs {}, which is not here", tour.file));
            }
            self.tour_waits = true;
            return self.open_shipped();
        }
        self.go_to(TextPlace::new(tour.file.as_str(), 0..0));
        self.show_pane(Pane::Write);
        self.alone = None;
        let signs = self.read_signs(&tour.file);
        self.tour = Some(Progress::new(tour, signs));
    }

    /// Goes on with the tour if its step is done. Called before each frame.
    pub(super) fn poll_tour(&mut self) {
        if self.tour_waits && self.opening.is_none() && self.asks.is_empty() {
            self.tour_waits = false;
            self.begin_tour(false);
        }
        let Some(file) = self.tour.as_ref().map(|t| t.tour.file.clone()) else { return };
        if self.document.text(&file).is_none() {
            self.tour = None;
            return self.set_message(format!("The tour is over: {file} is not here any more"));
        }
        let signs = self.read_signs(&file);
        if let Some(tour) = &mut self.tour {
            tour.advance(signs);
        }
    }

    /// Leaves the present step out.
    pub(super) fn skip_tour_step(&mut self) {
        let Some(file) = self.tour.as_ref().map(|t| t.tour.file.clone()) else { return };
        let signs = self.read_signs(&file);
        if let Some(tour) = &mut self.tour {
            tour.skip(signs);
        }
    }

    /// The tour that is being made.
    pub fn tour(&self) -> Option<&Progress> {
        self.tour.as_ref()
    }

    /// What goals read, of a tour with that file.
    fn read_signs(&mut self, file: &str) -> Signs {
        let subject = self.document.subject(file);
        let fresh = subject.as_ref().is_some_and(|s| self.analyses.is_fresh(&self.document, s));
        let known = subject.as_ref().and_then(|s| self.analyses.get(s)).filter(|_| fresh);
        let errors = known.map(|k| k.analysis.report.findings.iter().filter(|d| d.is_error()).count());
        let title = subject.as_ref().and_then(|s| self.document.game(s)).map(|g| g.title.clone());
        let session = self.panes.play.session();
        let session = session.filter(|s| title.as_deref() == Some(s.the_match().game().title()));
        let choices = session.as_ref().map_or(0, |s| {
            let person = |seat: usize| s.sitters().get(seat) == Some(&Sitter::Person);
            let m = s.the_match();
            m.steps().iter().take(m.step()).filter(|step| person(step.seat)).count()
        });
        Signs {
            front: self.front,
            open: self.here.as_ref().is_some_and(|(_, h)| *h.file == *file),
            text: fnv1a(self.document.text(file).unwrap_or_default().bytes()),
            undone: self.document.history().undone.len(),
            errors,
            playing: session.is_some(),
            choices,
            asked: self.panes.play.explains(),
            run: self.panes.measure.run_number(),
        }
    }

    /// The strip with the present step.
    pub(super) fn show_tour(&self, ui: &mut egui::Ui, wanted: &mut Vec<Command>) {
        let Some(tour) = &self.tour else { return };
        let (title, text) = tour.to_text(&self.keys);
        let fill = ui.visuals().selection.bg_fill.gamma_multiply(0.35);
        let frame = egui::Frame::side_top_panel(ui.style()).fill(fill);
        egui::Panel::top("tour").frame(frame).show(ui, |ui| {
            ui.horizontal(|ui| {
                ui.strong(&title);
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    show_button(ui, &self.keys, Command::Do(Act::EndTour), true, wanted);
                    if tour.step().is_some() {
                        show_button(ui, &self.keys, Command::Do(Act::SkipStep), true, wanted);
                    }
                });
            });
            let said = ui.label(egui::RichText::new(text).color(ui.visuals().strong_text_color()));
            // Screen readers say it when it changes.
            ui.ctx().accesskit_node_builder(said.id, |node| node.set_live(Live::Polite));
        });
    }
}
