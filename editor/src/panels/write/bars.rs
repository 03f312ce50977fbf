//! Tabs above the text, the bar that finds and replaces, and the list of uses below.
use super::State;
use super::data;
use crate::command::{Command, apply};
use crate::document::Place;
use crate::panels::{Context, Pane};
use egui::Key;
use houserule::ide::{self, Analysis, Query, Reference};
use std::ops::Range;
use std::sync::Arc;

/// The bar that finds and replaces.
#[derive(Debug, Default)]
pub(super) struct Find {
    pub shown: bool,
    replaces: bool,
    query: Query,
    with: String,
    focus: bool,
    /// What is found in the open file, and of which text and query that is.
    pub found: Vec<Range<usize>>,
    /// Why the expression cannot be read.
    wrong: Option<String>,
    of: Option<(Arc<str>, u64, Query)>,
}

impl Find {
    /// Shows it, with what is selected as what is looked for.
    pub fn open(&mut self, replaces: bool, selected: &str) {
        self.replaces = replaces || (self.replaces && self.shown);
        self.shown = true;
        self.focus = true;
        if !selected.is_empty() && !selected.contains('\n') {
            self.query.text = selected.to_string();
        }
    }
}

/// Where something is used.
#[derive(Debug)]
pub(super) struct Uses {
    title: String,
    list: Vec<Reference>,
}

impl Uses {
    /// The list of a name's uses; none if there is none.
    pub fn of(list: Vec<Reference>, a: &Analysis) -> Option<Uses> {
        let first = list.first()?;
        let name = a.file(&first.place.file).and_then(|(_, f)| f.text.get(first.place.range())).unwrap_or("");
        Some(Uses { title: format!("Uses of {name}"), list })
    }
}

impl State {
    /// The open files.
    pub(super) fn tabs(&mut self, ui: &mut egui::Ui, file: &Arc<str>, cx: &Context, out: &mut Vec<Command>) {
        let tabs = data::tabs(&self.open, file, cx.document);
        let mut closed = None;
        egui::ScrollArea::horizontal().id_salt("tabs").show(ui, |ui| {
            ui.horizontal(|ui| {
                for t in &tabs {
                    let shown = if t.dirty { format!("{} ●", t.title) } else { t.title.clone() };
                    let r = ui.selectable_label(t.open, shown).on_hover_text(&*t.file);
                    let told = if t.dirty { format!("{}, changed", t.title) } else { t.title.clone() };
                    r.widget_info(|| egui::WidgetInfo::selected(egui::Role::Tab, true, t.open, &told));
                    if r.clicked() && !t.open {
                        out.push(self.back_to(&t.file));
                    }
                    if t.open && tabs.len() > 1 {
                        let r = ui.small_button("×").on_hover_text("Close this file.");
                        r.widget_info(|| {
                            egui::WidgetInfo::labeled(egui::Role::Button, true, format!("Close {}", t.title))
                        });
                        if r.clicked() {
                            closed = Some(t.file.clone());
                        }
                    }
                    if r.middle_clicked() {
                        closed = Some(t.file.clone());
                    }
                }
            });
        });
        if let Some(file) = closed {
            out.extend(self.close(&file));
        }
        ui.separator();
    }

    /// The bar that finds and replaces, where it is open.
    pub(super) fn find_bar(
        &mut self,
        ui: &mut egui::Ui,
        file: &Arc<str>,
        cx: &Context,
        out: &mut Vec<Command>,
    ) {
        if !self.find.shown {
            return;
        }
        self.look(file);
        let mut step = None;
        let mut all = false;
        let mut one = false;
        ui.horizontal_wrapped(|ui| {
            let field = |ui: &mut egui::Ui, text: &mut String, label: &str| {
                let r = ui.add(egui::TextEdit::singleline(text).hint_text(label).desired_width(180.0));
                ui.ctx().accesskit_node_builder(r.id, |n| n.set_label(label.to_string()));
                r
            };
            let r = field(ui, &mut self.find.query.text, "Find");
            if std::mem::take(&mut self.find.focus) {
                r.request_focus();
            }
            if r.lost_focus() && ui.input(|i| i.key_pressed(Key::Enter)) {
                step = Some(!ui.input(|i| i.modifiers.shift));
                self.find.focus = true;
            }
            ui.toggle_value(&mut self.find.query.case, "Aa")
                .on_hover_text("Capital and small letters differ.");
            ui.toggle_value(&mut self.find.query.word, "word").on_hover_text("Only whole words.");
            let r = ui.toggle_value(&mut self.find.query.pattern, ".*");
            let on = self.find.query.pattern;
            r.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, on, "Regular expression"));
            r.on_hover_text(
                "A regular expression: ^ and $ are the ends of a line; $1 puts a group in again.",
            );
            if ui.button("↑").on_hover_text("The place before (Shift+F3).").clicked() {
                step = Some(false);
            }
            if ui.button("↓").on_hover_text("The next place (F3).").clicked() {
                step = Some(true);
            }
            let n = self.find.found.len();
            let at = self.views.get(file).and_then(|v| {
                let at = v.selection();
                self.find.found.iter().position(|r| *r == at)
            });
            match &self.find.wrong {
                Some(why) => {
                    ui.colored_label(ui.visuals().error_fg_color, format!("This is no expression: {why}"));
                }
                None => {
                    ui.weak(match (n, at) {
                        (0, _) => String::from("nothing found"),
                        (n, Some(i)) => format!("{} of {n}", i + 1),
                        (n, None) => format!("{n} found"),
                    });
                }
            }
            if self.find.replaces {
                let r = field(ui, &mut self.find.with, "Replace by");
                one = r.lost_focus() && ui.input(|i| i.key_pressed(Key::Enter));
                one |= ui.add_enabled(n > 0, egui::Button::new("Replace")).clicked();
                all = ui.add_enabled(n > 0, egui::Button::new("Replace all")).clicked();
            } else if ui.button("Replace …").clicked() {
                self.find.replaces = true;
            }
            let close = ui.button("×");
            close.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, "Close the find bar"));
            // In another pane Escape is that one's.
            let left = cx.front == Pane::Write && ui.input(|i| i.key_pressed(Key::Escape));
            if close.clicked() || left {
                self.find.shown = false;
                self.focus = true;
            }
        });
        self.look(file);
        if let Some(forward) = step {
            self.step_found(file, forward, out);
        }
        let since = cx.document.revision();
        let (q, with) = (&self.find.query, &self.find.with);
        if all {
            let places: Vec<ide::Place> = self
                .find
                .found
                .iter()
                .map(|r| ide::Place { file: file.clone(), start: r.start, end: r.end })
                .collect();
            out.push(apply(since, ide::replace_all(q, with, &places, |name| cx.document.text(name))));
        } else if one {
            let at = self.views.get(file).map(super::View::selection);
            if let Some(r) = self.find.found.iter().find(|r| Some(*r) == at.as_ref()) {
                let place = ide::Place { file: file.clone(), start: r.start, end: r.end };
                out.push(apply(since, ide::replace_all(q, with, &[place], |name| cx.document.text(name))));
            }
            self.step_found(file, true, out);
        }
    }

    /// Finds anew where text or query changed.
    fn look(&mut self, file: &Arc<str>) {
        let Some(v) = self.views.get(file) else { return };
        let of = (file.clone(), v.version, self.find.query.clone());
        if self.find.of.as_ref() != Some(&of) {
            (self.find.found, self.find.wrong) = match data::found(&self.find.query, v.text()) {
                Ok(found) => (found, None),
                Err(why) => (Vec::new(), Some(why)),
            };
            self.find.of = Some(of);
        }
    }

    /// To the next place that is found, or the one before; round and round.
    pub(super) fn step_found(&mut self, file: &Arc<str>, forward: bool, out: &mut Vec<Command>) {
        self.look(file);
        let Some(v) = self.views.get_mut(file) else { return };
        let at = v.selection();
        let all = &self.find.found;
        let next = if forward {
            all.iter().find(|r| r.start >= at.end && **r != at).or(all.first())
        } else {
            all.iter().rev().find(|r| r.end <= at.start && **r != at).or(all.last())
        };
        match next.cloned() {
            Some(r) => {
                v.select(r);
                self.bring = true;
            }
            None => out.push(Command::Say(format!("`{}` is not found", self.find.query.text))),
        }
    }

    /// Where something is used, if that was asked.
    pub(super) fn uses_list(&mut self, ui: &mut egui::Ui, out: &mut Vec<Command>) {
        let Some(uses) = &self.uses else { return };
        let mut open = true;
        egui::Panel::bottom("write.uses").resizable(true).default_size(160.0).show(ui, |ui| {
            ui.horizontal(|ui| {
                ui.strong(format!("{} ({})", uses.title, uses.list.len()));
                let r = ui.small_button("×");
                r.widget_info(|| {
                    egui::WidgetInfo::labeled(egui::Role::Button, true, "Close the list of uses")
                });
                open = !r.clicked();
            });
            egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                for u in &uses.list {
                    let what = if u.declares { " (declared)" } else { "" };
                    let label = format!("{}:{}{what}  {}", u.place.file, u.line, u.text);
                    if ui.add(egui::Button::new(label).frame(false).truncate()).clicked() {
                        out.push(Command::GoTo(Place::new(u.place.file.clone(), u.place.range())));
                    }
                }
            });
        });
        if !open {
            self.uses = None;
            self.focus = true;
        }
    }
}
