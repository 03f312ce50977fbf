//! The small questions of the Write pane: go to line, go to name, rename.
use super::{State, data};
use crate::analyses::GameAnalysis;
use crate::command::{Command, apply_edits};
use crate::document::{Revision, TextPlace};
use crate::jobs::Job;
use crate::panels::Context;
use egui::{Id, Key};
use houserule::ide::{self, Analysis, EditSet, Refusal};
use std::sync::Arc;

/// A question.
#[derive(Debug)]
pub(super) struct WriteQuestion {
    typed: String,
    what: What,
    /// The field has not had the keyboard yet.
    fresh: bool,
}

#[derive(Debug)]
enum What {
    Line,
    Name { chosen: usize },
    Rename(Box<Rename>),
}

/// Another name, tried as it is typed.
#[derive(Debug)]
struct Rename {
    file: Arc<str>,
    at: usize,
    old: String,
    since: Revision,
    analysis: Arc<Analysis>,
    /// What the job tries.
    trying: Option<(String, Job<Result<EditSet, Refusal>>)>,
    /// What came of which name.
    tried: Option<(String, Result<EditSet, Refusal>)>,
}

impl WriteQuestion {
    pub fn for_line() -> WriteQuestion {
        WriteQuestion { typed: String::new(), what: What::Line, fresh: true }
    }

    pub fn for_name() -> WriteQuestion {
        WriteQuestion { typed: String::new(), what: What::Name { chosen: 0 }, fresh: true }
    }

    pub fn for_rename(file: &Arc<str>, at: usize, old: String, k: &GameAnalysis) -> WriteQuestion {
        let r = Rename {
            file: file.clone(),
            at,
            old: old.clone(),
            since: k.revision,
            analysis: k.analysis.clone(),
            trying: None,
            tried: None,
        };
        WriteQuestion { typed: old, what: What::Rename(Box::new(r)), fresh: true }
    }
}

impl State {
    /// The question that is open.
    pub(super) fn show_question(
        &mut self,
        ui: &egui::Ui,
        file: &Arc<str>,
        cx: &Context,
        out: &mut Vec<Command>,
    ) {
        let Some(mut ask) = self.ask.take() else { return };
        let title = match &ask.what {
            What::Line => "Go to line",
            What::Name { .. } => "Go to name",
            What::Rename(_) => "Rename",
        };
        let mut done = false;
        let modal = egui::Modal::new(Id::unique("write.ask")).show(ui.ctx(), |ui| {
            ui.set_width(460.0);
            ui.heading(title);
            let r = ui.add(egui::TextEdit::singleline(&mut ask.typed).desired_width(f32::INFINITY));
            ui.ctx().accesskit_node_builder(r.id, |n| n.set_label(title.to_string()));
            if std::mem::take(&mut ask.fresh) {
                r.request_focus();
            }
            let enter = r.lost_focus() && ui.input(|i| i.key_pressed(Key::Enter));
            done = match &mut ask.what {
                What::Line => self.show_line_question(ui, file, &ask.typed, enter),
                What::Name { chosen } => to_name(ui, cx, file, &ask.typed, chosen, enter, out),
                What::Rename(rename) => rename.ui(ui, cx, &ask.typed, enter, out),
            };
            if enter && !done {
                r.request_focus();
            }
        });
        if done || modal.should_close() {
            self.focus = true;
        } else {
            self.ask = Some(ask);
        }
    }

    fn show_line_question(&mut self, ui: &mut egui::Ui, file: &Arc<str>, typed: &str, enter: bool) -> bool {
        let lines = self.views.get(file).map_or(0, super::TextView::line_count);
        ui.weak(format!("1 to {lines}"));
        let Some(n) = typed.trim().parse::<usize>().ok().filter(|n| (1..=lines).contains(n)) else {
            return false;
        };
        if enter {
            self.with_view(file, |v| {
                let at = v.line(n - 1).start;
                v.select_range(at..at);
            });
        }
        enter
    }
}

fn to_name(
    ui: &mut egui::Ui,
    cx: &Context,
    file: &Arc<str>,
    typed: &str,
    chosen: &mut usize,
    enter: bool,
    out: &mut Vec<Command>,
) -> bool {
    let Some(known) = cx.analyses.of_file(cx.document, file) else {
        ui.weak("This file belongs to no game.");
        return false;
    };
    let all = data::find_targets(&known.analysis, typed.trim());
    let n = all.len().min(200);
    let (up, down) = ui.input(|i| (i.key_pressed(Key::ArrowUp), i.key_pressed(Key::ArrowDown)));
    if n > 0 {
        *chosen = match (up, down) {
            (true, _) => (*chosen + n - 1) % n,
            (_, true) => (*chosen + 1) % n,
            _ => (*chosen).min(n - 1),
        };
    }
    let mut to = all.get(*chosen).filter(|_| enter);
    egui::ScrollArea::vertical().max_height(320.0).show(ui, |ui| {
        for (i, t) in all.iter().enumerate().take(n) {
            let r = ui.selectable_label(i == *chosen, format!("{} {}  {}", t.sort, t.name, t.place.file));
            if i == *chosen && (up || down) {
                r.scroll_to_me(None);
            }
            if r.clicked() {
                to = Some(t);
            }
        }
    });
    if let Some(t) = to {
        // Of a text that may be a little older than the present one.
        let range = cx.document.follow_range(known.revision, &t.place.file, t.place.range.clone()).range;
        out.push(Command::GoTo(TextPlace::new(t.place.file.clone(), range)));
    }
    to.is_some()
}

impl Rename {
    fn ui(
        &mut self,
        ui: &mut egui::Ui,
        cx: &Context,
        typed: &str,
        enter: bool,
        out: &mut Vec<Command>,
    ) -> bool {
        let waits = self.trying.as_ref().map(|(name, _)| name.as_str());
        let known = self.tried.as_ref().map(|(name, _)| name.as_str());
        if waits.is_none() && known != Some(typed) {
            let (a, file, at, new) = (self.analysis.clone(), self.file.clone(), self.at, typed.to_string());
            let job = cx.jobs.start("Looking for what is renamed", move |_| ide::rename(&a, &file, at, &new));
            self.trying = Some((typed.to_string(), job));
        }
        if let Some((name, job)) = &mut self.trying
            && let Some(got) = job.poll()
        {
            let broke = |f| Err(Refusal::with_reason(format!("{f}. Nothing was renamed; try another name.")));
            self.tried = Some((name.clone(), got.unwrap_or_else(broke)));
            self.trying = None;
        }
        match &self.tried {
            Some((name, Ok(set))) if name == typed => {
                let files: std::collections::BTreeSet<&str> = set.edits().iter().map(|e| &*e.file).collect();
                ui.weak(match set.edits().len() {
                    0 => format!("`{}` as it is.", self.old),
                    n => format!(
                        "{n} places in {} file{}:",
                        files.len(),
                        if files.len() == 1 { "" } else { "s" }
                    ),
                });
                egui::ScrollArea::vertical().max_height(260.0).show(ui, |ui| {
                    for e in set.edits().iter().take(300) {
                        let place =
                            ide::Location { file: e.file.clone(), start: e.range.start, end: e.range.end };
                        ui.monospace(preview_line(&self.analysis, &place, &e.text));
                    }
                });
                let press =
                    ui.add_enabled(!set.is_empty(), crate::style::primary_button("Rename all")).clicked();
                if (press || enter) && !set.is_empty() {
                    out.push(apply_edits(self.since, set.clone()));
                    return true;
                }
            }
            Some((name, Err(r))) if name == typed => {
                ui.colored_label(ui.visuals().error_fg_color, &r.why);
            }
            _ => {
                ui.weak("trying …");
                ui.ctx().request_repaint();
            }
        }
        false
    }
}

/// A line as it will be, with its number.
fn preview_line(a: &Analysis, place: &ide::Location, text: &str) -> String {
    let Some((_, f)) = a.file(&place.file) else { return String::new() };
    let from = f.text.get(..place.start).and_then(|t| t.rfind('\n')).map_or(0, |n| n + 1);
    let to = f.text.get(place.end..).and_then(|t| t.find('\n')).map_or(f.text.len(), |n| place.end + n);
    let before = f.text.get(from..place.start).unwrap_or("").trim_start();
    let behind = f.text.get(place.end..to).unwrap_or("").trim_end();
    format!("{}:{}  {before}{text}{behind}", place.file, f.line_col(place.start).line)
}
