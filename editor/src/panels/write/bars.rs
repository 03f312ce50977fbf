//! Shows the tabs above the text, the find bar, and the list of uses below.
use super::data;
use super::find::{Find, FindAction, SearchProgress};
use super::{Act, State};
use crate::analyses::GameAnalysis;
use crate::command::Command;
use crate::document::{Document, Revision, TextPlace};
use crate::panels::{Context, Pane};
use egui::Key;
use houserule::ide::{Insert, Reference};
use std::sync::Arc;

/// Where something is used.
#[derive(Debug)]
pub(super) struct Uses {
    title: String,
    /// As they were found, in the texts of that revision.
    list: Vec<Reference>,
    since: Revision,
    /// What is shown of each and where it leads, in the texts of that revision.
    shown: Option<(Revision, Vec<(String, TextPlace)>)>,
}

impl Uses {
    /// The list of a name's uses; none if there is none.
    pub fn from_references(list: Vec<Reference>, known: &GameAnalysis) -> Option<Uses> {
        let a = &known.analysis;
        let first = list.first()?;
        let name = a.file(&first.place.file).and_then(|(_, f)| f.text.get(first.place.range())).unwrap_or("");
        let title = format!("Uses of {name}");
        Some(Uses { title, list, since: known.revision, shown: None })
    }

    /// The list as it is in the present texts: the list stays open while somebody writes.
    fn present_list(&mut self, document: &Document) -> &[(String, TextPlace)] {
        if self.shown.as_ref().is_none_or(|(then, _)| *then != document.revision()) {
            let one = |u: &Reference| {
                let range = document.follow_range(self.since, &u.place.file, u.place.range()).range;
                let place = TextPlace::new(u.place.file.clone(), range);
                let what = if u.declares { " (declared)" } else { "" };
                (format!("{}{what}  {}", document.place_text(&place), u.text), place)
            };
            self.shown = Some((document.revision(), self.list.iter().map(one).collect()));
        }
        self.shown.as_ref().map_or(&[], |(_, shown)| shown)
    }
}

/// The list of what can be inserted.
fn show_inserts(ui: &mut egui::Ui, out: &mut Vec<Command>) {
    ui.menu_button("Insert …", |ui| {
        for what in Insert::ALL {
            let info = Act::Insert(*what).info();
            if ui.button(info.name).on_hover_text(info.about).clicked() {
                out.push(Command::Write(Act::Insert(*what)));
            }
        }
    });
}

impl State {
    /// The open files.
    pub(super) fn show_tabs(
        &mut self,
        ui: &mut egui::Ui,
        file: &Arc<str>,
        cx: &Context,
        out: &mut Vec<Command>,
    ) {
        let tabs = data::list_tabs(&self.open, file, cx.document);
        let mut closed = None;
        // A file that has just come to the front is brought into sight.
        let reveal = self.seen.as_ref() != Some(file);
        self.seen = Some(file.clone());
        ui.horizontal(|ui| {
            show_inserts(ui, out);
            egui::ScrollArea::horizontal().id_salt("tabs").show(ui, |ui| {
                for t in &tabs {
                    let shown = if t.dirty { format!("{} ●", t.title) } else { t.title.clone() };
                    let r = ui.selectable_label(t.open, shown).on_hover_text(&*t.file);
                    let told = if t.dirty { format!("{}, changed", t.title) } else { t.title.clone() };
                    r.widget_info(|| egui::WidgetInfo::selected(egui::Role::Tab, true, t.open, &told));
                    if t.open && reveal {
                        r.scroll_to_me(None);
                    }
                    if r.clicked() && !t.open {
                        out.push(self.go_back_to(&t.file));
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
            out.extend(self.close_tab(&file));
        }
        ui.separator();
    }

    /// The bar that finds and replaces, where it is open.
    pub(super) fn show_find_bar(
        &mut self,
        ui: &mut egui::Ui,
        file: &Arc<str>,
        cx: &Context,
        out: &mut Vec<Command>,
    ) {
        if !self.find.shown {
            return;
        }
        let mut then = None;
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
                then = Some(FindAction::Step(!ui.input(|i| i.modifiers.shift)));
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
                then = Some(FindAction::Step(false));
            }
            if ui.button("↓").on_hover_text("The next place (F3).").clicked() {
                then = Some(FindAction::Step(true));
            }
            let at = self.views.get(file).map(super::TextView::selection);
            let busy = self.find.is_replacing();
            let mut some = !busy;
            let weak = match self.find.progress(file, cx.document) {
                _ if busy => String::from("replacing …"),
                SearchProgress::Nothing => String::from("type what you look for"),
                SearchProgress::Looking => String::from("searching …"),
                SearchProgress::Wrong(why) => {
                    ui.colored_label(ui.visuals().error_fg_color, why);
                    some = false;
                    String::new()
                }
                SearchProgress::Found(found) => {
                    let n = found.places.len();
                    some &= n > 0;
                    let at = at.and_then(|at| {
                        found
                            .places
                            .binary_search_by_key(&at.start, |r| r.start)
                            .ok()
                            .filter(|i| found.places.get(*i) == Some(&at))
                    });
                    match (n, at, found.more) {
                        (0, ..) => String::from("nothing found"),
                        (n, Some(i), false) => format!("{} of {n}", i + 1),
                        (n, Some(i), true) => format!("{} of more than {n}", i + 1),
                        (n, None, false) => format!("{n} found"),
                        (n, None, true) => format!("more than {n} found"),
                    }
                }
            };
            if !weak.is_empty() {
                ui.weak(weak);
            }
            if self.find.replaces {
                let r = field(ui, &mut self.find.with, "Replace by");
                if r.lost_focus() && ui.input(|i| i.key_pressed(Key::Enter)) {
                    r.request_focus();
                    then = Some(FindAction::One);
                }
                if ui.add_enabled(some, egui::Button::new("Replace")).clicked() {
                    then = Some(FindAction::One);
                }
                if ui.add_enabled(some, egui::Button::new("Replace all")).clicked() {
                    then = Some(FindAction::All);
                }
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
        // What was typed in this frame is looked for from now on, and not from the next event on.
        match then {
            Some(then) => self.do_with_found(then, file, cx, out),
            None => self.poll_find(file, cx, out),
        }
    }

    /// Looks after what is being looked for and replaced, whether the bar is open or not.
    pub(super) fn poll_find(&mut self, file: &Arc<str>, cx: &Context, out: &mut Vec<Command>) {
        if let Some(then) = self.find.poll_jobs(file, cx.document, cx.jobs) {
            self.carry_out_found(then, file, cx, out);
        }
        self.find.take_replaced(cx.document, out);
    }

    /// Does something with what is found in the present text: at once, or as soon as that is known.
    pub(super) fn do_with_found(
        &mut self,
        then: FindAction,
        file: &Arc<str>,
        cx: &Context,
        out: &mut Vec<Command>,
    ) {
        self.find.want_found(then, file, cx.document);
        self.poll_find(file, cx, out);
    }

    /// Does something with what is found in the present text.
    fn carry_out_found(&mut self, then: FindAction, file: &Arc<str>, cx: &Context, out: &mut Vec<Command>) {
        let places = match self.find.progress(file, cx.document) {
            SearchProgress::Found(found) => found.places.as_slice(),
            _ => &[],
        };
        let Some(v) = self.views.get_mut(file) else { return };
        let at = v.selection();
        let next = match then {
            FindAction::Step(forward) => Find::neighbour_of(places, &at, forward),
            FindAction::One => Find::neighbour_of(places, &at, true),
            FindAction::All => places.first().cloned(),
        };
        let Some(next) = next else {
            out.push(Command::Say(format!("`{}` is not found", self.find.query.text)));
            return;
        };
        // Of a place that is selected, but is none of those, nothing is replaced: the next one is shown first.
        let own =
            places.binary_search_by_key(&at.start, |r| r.start).is_ok_and(|i| places.get(i) == Some(&at));
        let only = match then {
            FindAction::One if own => Some(Some(at)),
            FindAction::All => Some(None),
            _ => None,
        };
        if then != FindAction::All {
            v.select_range(next);
            self.bring = true;
        }
        if let Some(only) = only.filter(|_| !self.find.is_replacing()) {
            self.find.start_replace(only, file, cx);
        }
    }

    /// Where something is used, if that was asked.
    pub(super) fn show_uses(&mut self, ui: &mut egui::Ui, cx: &Context, out: &mut Vec<Command>) {
        let Some(uses) = &mut self.uses else { return };
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
                for (label, place) in uses.present_list(cx.document) {
                    if ui.add(egui::Button::new(label).frame(false).truncate()).clicked() {
                        out.push(Command::GoTo(place.clone()));
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
