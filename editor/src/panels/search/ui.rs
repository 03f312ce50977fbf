//! Shows the search.
use super::{Data, Task, replace_everywhere};
use crate::command::{self, Command};
use crate::document::{Revision, TextPlace};
use crate::jobs::Job;
use crate::panels::Context;
use houserule::ide::{EditSet, Query};

/// A search on a thread; an expression that cannot be read ends it.
type Looking = Job<Result<Data, String>>;

/// What the search keeps between frames.
#[derive(Debug, Default)]
pub struct State {
    wanted: Query,
    with: String,
    /// What was found, and for what and when.
    found: Option<(Query, Revision, Data)>,
    /// What is being looked for, and in which texts.
    looking: Option<(Query, Revision, Looking)>,
    /// What is being put in everywhere, and in which texts.
    replacing: Option<(Revision, Job<EditSet>)>,
    /// What cannot be looked for, and why; with a revision, if it is looked for again when the texts are others.
    wrong: Option<(Query, Option<Revision>, String)>,
    /// Whether the field is to have the keyboard.
    pub focus: bool,
}

impl State {
    /// Shows the search, and gives what is wanted.
    pub fn ui(&mut self, ui: &mut egui::Ui, cx: &Context) -> Vec<Command> {
        let mut out = Vec::new();
        let label = ui.label("Find in all files");
        let field = egui::TextEdit::singleline(&mut self.wanted.text).desired_width(f32::INFINITY);
        let field = ui.add(field).labelled_by(label.id);
        if std::mem::take(&mut self.focus) {
            field.request_focus();
        }
        let label = ui.label("Replace by");
        let with = ui.add(egui::TextEdit::singleline(&mut self.with).desired_width(f32::INFINITY));
        let with = with.labelled_by(label.id);
        if self.wanted.pattern {
            with.on_hover_text("$1 and ${name} stand for what the groups found; $$ is a $.");
        }
        ui.checkbox(&mut self.wanted.case, "Capital and small letters differ");
        ui.checkbox(&mut self.wanted.word, "Whole words only");
        ui.checkbox(&mut self.wanted.pattern, "Regular expression")
            .on_hover_text("^ and $ are the ends of a line; (…) is a group, which $1 puts in again.");
        let now = cx.document.revision();
        self.start_search(cx);
        if let Some((_, broke, why)) = self.wrong.as_ref().filter(|(q, ..)| *q == self.wanted) {
            ui.colored_label(ui.visuals().error_fg_color, why);
            if broke.is_some() && ui.button("Look again").clicked() {
                self.wrong = None;
            }
            return out;
        }
        let Some((of, then, data)) = &self.found else { return out };
        // What is listed may be of a moment ago: it is not replaced then.
        let fresh = (of, *then) == (&self.wanted, now);
        let count = match (data.found.len(), data.more) {
            (0, _) if self.wanted.text.is_empty() => String::from("Type what you look for."),
            _ if self.replacing.is_some() => String::from("replacing …"),
            _ if !fresh => String::from("looking …"),
            (0, _) => String::from("Nothing was found."),
            (1, _) => String::from("1 place"),
            (n, true) => format!("more than {n} places"),
            (n, false) => format!("{n} places"),
        };
        ui.horizontal(|ui| {
            ui.weak(count);
            let can = fresh && !data.found.is_empty() && self.replacing.is_none();
            let all = ui.add_enabled(can, egui::Button::new("Replace all"));
            if all
                .on_hover_text("Replace the first text by the second everywhere, in one step of the history.")
                .clicked()
            {
                let (texts, wanted) = (cx.document.texts().clone(), self.wanted.clone());
                let with = self.with.clone();
                let job = cx
                    .jobs
                    .start("Replacing in all files", move |_| replace_everywhere(&texts, &wanted, &with));
                self.replacing = Some((now, job));
            }
        });
        // Rows of one height, so that only those in sight are laid out: a heading for each file is a row, too.
        let mut rows: Vec<Result<&str, &super::SearchHit>> = Vec::new();
        let mut file = "";
        for f in &data.found {
            if *f.place.file != *file {
                file = &f.place.file;
                rows.push(Ok(file));
            }
            rows.push(Err(f));
        }
        let high = ui.spacing().interact_size.y;
        egui::ScrollArea::both().auto_shrink(false).show_rows(ui, high, rows.len(), |ui, range| {
            ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
            for row in rows.get(range).unwrap_or(&[]) {
                match row {
                    Ok(file) => {
                        ui.strong(*file);
                    }
                    Err(f) => {
                        if ui.selectable_label(false, format!("{}: {}", f.line, f.text)).clicked() {
                            // What is listed may be of a moment ago.
                            let at =
                                cx.document.follow_range(*then, &f.place.file, f.place.range.clone()).range;
                            out.push(Command::GoTo(TextPlace::new(f.place.file.clone(), at)));
                        }
                    }
                }
            }
        });
        out
    }

    /// Takes what is to be put in everywhere, also while something else is shown: it is done if the texts are still the very ones that it is of.
    pub fn poll_jobs(&mut self, cx: &Context) -> Vec<Command> {
        let Some((since, job)) = &mut self.replacing else { return Vec::new() };
        let Some(got) = job.poll() else { return Vec::new() };
        let done = match got {
            Ok(set) if *since == cx.document.revision() => command::apply_edits(*since, set),
            Ok(_) => Command::Say(String::from("Nothing was replaced: the texts were changed meanwhile")),
            Err(failed) => Command::Say(format!("{failed}. Nothing was replaced")),
        };
        self.replacing = None;
        vec![done]
    }

    /// Sees to it that what is wanted is looked for in the present texts, on a thread.
    fn start_search(&mut self, cx: &Context) {
        let now = cx.document.revision();
        let is = |of: &Option<(Query, Revision)>, q: &Query| of.as_ref() == Some(&(q.clone(), now));
        self.take_results();
        let running = self.looking.as_ref().map(|(q, r, _)| (q.clone(), *r));
        let known = self.found.as_ref().map(|(q, r, _)| (q.clone(), *r));
        // An expression that cannot be read never can be; what broke off is tried again on other texts.
        let stays = |broke: &Option<Revision>| broke.is_none_or(|then| then == now);
        let refused = self.wrong.as_ref().is_some_and(|(q, broke, _)| *q == self.wanted && stays(broke));
        if is(&running, &self.wanted) || is(&known, &self.wanted) || refused {
            return;
        }
        let before = match &self.found {
            Some((q, _, data)) if *q == self.wanted => data.clone(),
            _ => Data::default(),
        };
        let (task, wanted) = (Task::after_change(before, cx.document), self.wanted.clone());
        self.looking = Some((
            wanted.clone(),
            now,
            cx.jobs.start("Looking in all files", move |stop| task.run(&wanted, stop)),
        ));
        self.take_results();
    }

    /// Takes what was found.
    fn take_results(&mut self) {
        let Some((query, then, job)) = &mut self.looking else { return };
        let Some(got) = job.poll() else { return };
        self.wrong = None;
        match got {
            Ok(Ok(data)) => self.found = Some((query.clone(), *then, data)),
            Ok(Err(why)) => {
                self.wrong = Some((query.clone(), None, format!("This is not a regular expression: {why}")))
            }
            Err(failed) => self.wrong = Some((query.clone(), Some(*then), format!("{failed}."))),
        }
        self.looking = None;
    }
}
