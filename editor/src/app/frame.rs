//! Draws one frame: bars, the list on the left, the tiles of panes, and the modal question.
use super::{App, Panes, SideList, asks};
use crate::command::{Act, AfterQuestion, Command};
use crate::document::{Manner, TextPlace};
use crate::panels::{Context, Pane, findings, history, show_button};
use crate::settings::Theme;
use egui::accesskit::Live;
use houserule::ide::Offer;
use std::time::Duration;

impl App {
    /// One frame.
    pub fn ui(&mut self, ui: &mut egui::Ui) {
        self.poll_jobs();
        self.apply_style(ui.ctx());
        self.close_or_ask(ui.ctx());
        let escape = |i: &mut egui::InputState| i.consume_key(egui::Modifiers::NONE, egui::Key::Escape);
        let closes =
            self.panes.book.place().is_some() && self.asks.is_empty() && !self.panes.write.has_list();
        if closes && ui.ctx().input_mut(escape) {
            self.panes.book.close();
        }
        let mut wanted = if self.asks.is_empty() { self.take_shortcuts(ui.ctx()) } else { Vec::new() };
        self.show_top(ui, &mut wanted);
        self.show_tour(ui, &mut wanted);
        self.show_status(ui, &mut wanted);
        self.show_findings(ui, &mut wanted);
        self.panes.book.ui(ui);
        let (arrived, focus) = (self.arrived.take(), self.focus.take());
        let (side, width) = (self.side, self.settings.layout.side.unwrap_or(240.0));
        let alone = self.alone;
        let (width, touched) = self.with_panes(arrived.as_ref(), focus, |panes, tiles, cx| {
            if let Some(pane) = alone {
                egui::CentralPanel::default().frame(egui::Frame::NONE.fill(ui.visuals().panel_fill)).show(
                    ui,
                    |ui| {
                        show_strip(ui, pane, &mut wanted);
                        Shown { panes, cx, wanted: &mut wanted, touched: None }.show_pane(ui, pane);
                    },
                );
                return (width, None);
            }
            let shown = egui::Panel::left("side").default_size(width).min_size(150.0).show(ui, |ui| {
                ui.horizontal_wrapped(|ui| {
                    for (which, name, act) in [
                        (SideList::Files, "Files", Act::ShowFiles),
                        (SideList::Search, "Search", Act::ShowSearch),
                        (SideList::History, "History", Act::ShowHistory),
                    ] {
                        let tip = cx.keys.tooltip(&Command::Do(act));
                        if ui.selectable_label(side == which, name).on_hover_text(tip).clicked() {
                            wanted.push(Command::Do(act));
                        }
                    }
                });
                ui.separator();
                wanted.extend(match side {
                    SideList::Files => panes.files.ui(ui, cx),
                    SideList::Search => panes.search.ui(ui, cx),
                    SideList::History => history::ui(ui, &history::Data::from_document(cx.document)),
                });
            });
            let mut shown_tiles = Shown { panes, cx, wanted: &mut wanted, touched: None };
            egui::CentralPanel::default().frame(egui::Frame::NONE.fill(ui.visuals().panel_fill)).show(
                ui,
                |ui| {
                    // The start page has the room of all panes.
                    if cx.here.is_none() && cx.front == Pane::Write {
                        shown_tiles.show_pane(ui, Pane::Write);
                    } else {
                        tiles.ui(&mut shown_tiles, ui);
                    }
                },
            );
            (shown.response.rect.width(), shown_tiles.touched)
        });
        // A click on the start page in its pane leaves it there until the click has done its work.
        if let Some(pane) = touched.filter(|p| *p != Pane::Write || self.here.is_some()) {
            self.front = pane;
        }
        self.note_layout(ui.ctx(), width);
        self.show_question(ui.ctx(), &mut wanted);
        if !wanted.is_empty() {
            ui.ctx().request_repaint();
        }
        for command in wanted {
            self.carry_out(command);
        }
        if let Some(wait) = self.time_to_next() {
            ui.ctx().request_repaint_after(wait.max(Duration::from_millis(50)));
        }
    }

    /// Keeps the layout for the next start, once the pointer is released.
    fn note_layout(&mut self, ctx: &egui::Context, side: f32) {
        let (held, window) = ctx.input(|i| (i.pointer.any_down(), i.viewport().inner_rect));
        if held {
            return;
        }
        let zoom = ctx.zoom_factor();
        let kept = &mut self.settings.layout;
        kept.panes = super::layout::from_tiles(&self.tiles);
        kept.side = Some(side.round());
        kept.findings.1 = self.show_findings;
        if let Some(size) = window.map(|r| r.size() * zoom).filter(|s| s.x >= 1.0 && s.y >= 1.0) {
            kept.window = Some((size.x.round(), size.y.round()));
        }
    }

    /// The first question, before everything else.
    fn show_question(&mut self, ctx: &egui::Context, wanted: &mut Vec<Command>) {
        let Some(mut ask) = self.asks.pop_front() else {
            self.asked = false;
            return;
        };
        if !std::mem::replace(&mut self.asked, true) {
            ctx.memory_mut(|m| m.focused().map(|id| m.surrender_focus(id)));
        }
        let answer = asks::show_question(ctx, self, &mut ask);
        wanted.extend(answer.wanted);
        if answer.over {
            self.asked = false;
            ctx.request_repaint();
        } else {
            self.asks.push_front(ask);
        }
    }

    /// Light or dark, the size, and whether the system wants motion reduced.
    fn apply_style(&mut self, ctx: &egui::Context) {
        self.settings.still = self.still.is_asked();
        let chosen = (self.settings.theme, self.settings.zoom);
        if self.dressed == Some(chosen) {
            return;
        }
        self.dressed = Some(chosen);
        ctx.set_theme(match chosen.0 {
            Theme::System => egui::ThemePreference::System,
            Theme::Light => egui::ThemePreference::Light,
            Theme::Dark => egui::ThemePreference::Dark,
        });
        // Its own keys for this would go past the settings.
        ctx.options_mut(|o| o.zoom_with_keyboard = false);
        ctx.set_zoom_factor(f32::from(chosen.1) / 100.0);
    }

    /// Lets the window close, or asks first.
    fn close_or_ask(&mut self, ctx: &egui::Context) {
        if self.may_close {
            ctx.send_viewport_cmd(egui::ViewportCommand::Close);
        } else if ctx.input(|i| i.viewport().close_requested()) && !self.document.dirty_files().is_empty() {
            ctx.send_viewport_cmd(egui::ViewportCommand::CancelClose);
            self.want_leave(AfterQuestion::Close);
        }
    }

    /// Commands whose shortcuts were pressed. They are taken before any widget sees them: a text field's own undo must not.
    fn take_shortcuts(&mut self, ctx: &egui::Context) -> Vec<Command> {
        // While signs are being put together by an input method, keys are its own.
        ctx.input(|i| {
            for e in &i.events {
                if let egui::Event::Ime(ime) = e {
                    self.composing = matches!(ime, egui::ImeEvent::Preedit { text, .. } if !text.is_empty());
                }
            }
        });
        self.map_keys_by_place(ctx);
        let some =
            ctx.input(|i| i.events.iter().any(|e| matches!(e, egui::Event::Key { pressed: true, .. })));
        if self.composing || !some {
            return Vec::new();
        }
        let typing = ctx.egui_wants_keyboard_input();
        let open = egui::Popup::is_any_open(ctx);
        let mut all: Vec<(Command, egui::KeyboardShortcut)> = Vec::new();
        for command in Command::all() {
            if !command.holds_before(self.front) {
                continue;
            }
            if let Some(shortcut) = command.info().and_then(|i| self.keys.get(&i)) {
                let m = shortcut.modifiers;
                let bare = !(m.command || m.ctrl || m.alt || m.mac_cmd);
                let key = shortcut.logical_key.name();
                let function = key.starts_with('F') && key.len() > 1;
                // Escape closes what is open before it is a pane's key.
                let closes = open && shortcut.logical_key == egui::Key::Escape;
                // A bare key is a letter where somebody writes.
                if !(typing && bare && !function || closes) {
                    all.push((command, shortcut));
                }
            }
        }
        // Ctrl+Shift+Z before Ctrl+Z: the shorter one would match as well. Of two with the same keys a pane's own goes first.
        let front = self.front;
        all.sort_by_key(|(c, s)| {
            let held = u8::from(s.modifiers.shift) + u8::from(s.modifiers.alt);
            (std::cmp::Reverse(held), c.pane().is_none(), c.pane() != Some(front))
        });
        ctx.input_mut(|i| {
            let pressed: Vec<Command> =
                all.into_iter().filter(|(_, s)| i.consume_shortcut(s)).map(|(c, _)| c).collect();
            // Some systems say that Alt+2 was pressed and that `2` was typed: what was a shortcut is not written.
            if !pressed.is_empty() {
                i.events.retain(|e| !matches!(e, egui::Event::Text(_)));
            }
            pressed
        })
    }

    /// Where somebody writes in letters that are not Latin, a shortcut's key is the one that stands at its place: `.` stands on the key of `/` there, and no key writes `/`.
    fn map_keys_by_place(&mut self, ctx: &egui::Context) {
        // Greek is the first script behind the Latin letters.
        let foreign = |c: char| c.is_alphabetic() && c >= '\u{370}';
        ctx.input_mut(|i| {
            for e in &mut i.events {
                match e {
                    egui::Event::Text(t) if t.chars().any(char::is_alphabetic) => {
                        self.foreign = t.chars().any(foreign);
                    }
                    egui::Event::Key { key, physical_key: Some(place), modifiers, .. }
                        if self.foreign && (modifiers.command || modifiers.ctrl || modifiers.alt) =>
                    {
                        *key = *place;
                    }
                    _ => {}
                }
            }
        });
    }

    fn show_top(&mut self, ui: &mut egui::Ui, wanted: &mut Vec<Command>) {
        egui::Panel::top("top").show(ui, |ui| {
            egui::MenuBar::new().ui(ui, |ui| {
                let mut menu = |ui: &mut egui::Ui, name: &str, acts: &[Act]| {
                    ui.menu_button(name, |ui| {
                        for act in acts {
                            let info = act.info();
                            let item = egui::Button::new(info.name).shortcut_text(self.keys.to_text(&info));
                            if ui.add(item).on_hover_text(info.about).clicked() {
                                wanted.push(Command::Do(*act));
                            }
                        }
                    });
                };
                menu(
                    ui,
                    "File",
                    &[
                        Act::OpenFolder,
                        Act::GoToFile,
                        Act::NewGame,
                        Act::NewScenario,
                        Act::Save,
                        Act::SaveAll,
                        Act::Autosave,
                        Act::MoveFile,
                        Act::RemoveFile,
                        Act::Close,
                    ],
                );
                menu(ui, "Edit", &[Act::Undo, Act::Redo, Act::ShowHistory, Act::ShowSearch]);
                menu(
                    ui,
                    "View",
                    &[
                        Act::Palette,
                        Act::ShowStart,
                        Act::ShowWrite,
                        Act::ShowDraw,
                        Act::ShowPlay,
                        Act::ShowMeasure,
                        Act::ShowCards,
                        Act::NextPane,
                        Act::ShowFiles,
                        Act::ShowFindings,
                        Act::Theme,
                        Act::Motion,
                        Act::ZoomIn,
                        Act::ZoomOut,
                        Act::ZoomReset,
                        Act::Shortcuts,
                    ],
                );
                menu(ui, "Go", &[Act::Back, Act::Forward, Act::NextFinding, Act::PreviousFinding]);
                menu(ui, "Help", &[Act::Tour, Act::Book, Act::Palette, Act::Shortcuts]);
                ui.separator();
                let history = self.document.history();
                let dirty = !self.document.dirty_files().is_empty();
                for (act, on) in [
                    (Act::SaveAll, dirty && self.workspace.is_some()),
                    (Act::Undo, !history.done.is_empty()),
                    (Act::Redo, !history.undone.is_empty()),
                    (Act::Palette, true),
                ] {
                    show_button(ui, &self.keys, Command::Do(act), on, wanted);
                }
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    if let Some(workspace) = &self.workspace {
                        let root = workspace.root.to_string_lossy().into_owned();
                        let name = workspace
                            .root
                            .file_name()
                            .map_or(root.clone(), |n| n.to_string_lossy().into_owned());
                        ui.weak(name).on_hover_text(root);
                    }
                });
            });
        });
    }

    fn show_status(&mut self, ui: &mut egui::Ui, wanted: &mut Vec<Command>) {
        let counted = self.findings().map(|d| d.count_by_severity());
        egui::Panel::bottom("status").show(ui, |ui| {
            ui.horizontal(|ui| {
                let text = if self.message.text.is_empty() { "Ready" } else { &self.message.text };
                let said = ui.add(egui::Label::new(text).truncate());
                // Screen readers say it when it changes.
                ui.ctx().accesskit_node_builder(said.id, |node| node.set_live(Live::Polite));
                for offer in &self.message.offers {
                    let (label, command) = match offer {
                        Offer::GoTo(file, range) => {
                            let since = self.message.since;
                            let range = self.document.follow_range(since, file, range.clone()).range;
                            let place = TextPlace::new(file.clone(), range);
                            (format!("Go to {}", self.document.place_text(&place)), Command::GoTo(place))
                        }
                        Offer::Instead(set) => {
                            let (since, manner) = (self.message.since, Manner::Step);
                            (set.label.clone(), Command::Apply { since, set: set.clone(), manner })
                        }
                    };
                    if ui.button(label).clicked() {
                        wanted.push(command);
                    }
                }
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    if let Some((errors, warnings)) = counted {
                        let told = findings::counts_text(errors, warnings);
                        let told = if told.is_empty() { String::from("No findings") } else { told };
                        let tip = self.keys.tooltip(&Command::Do(Act::ShowFindings));
                        if ui.selectable_label(self.show_findings, told).on_hover_text(tip).clicked() {
                            wanted.push(Command::Do(Act::ShowFindings));
                        }
                    }
                    if self.analyses.is_busy() {
                        ui.weak("checking …");
                    }
                    let unsaved = self.document.dirty_files().len();
                    if unsaved > 0 && self.workspace.is_some() {
                        ui.weak(if unsaved == 1 {
                            "1 file not saved".into()
                        } else {
                            format!("{unsaved} files not saved")
                        });
                    }
                    if let Some(place) = self.here() {
                        ui.weak(self.document.place_text(place));
                    }
                });
            });
        });
    }

    /// The list of findings, if it is wanted.
    fn show_findings(&mut self, ui: &mut egui::Ui, wanted: &mut Vec<Command>) {
        if !self.show_findings {
            return;
        }
        let data = self.findings();
        let high = self.settings.layout.findings.0.unwrap_or(150.0);
        let shown = egui::Panel::bottom("findings").default_size(high).resizable(true).show(ui, |ui| {
            ui.strong("Findings");
            if let Some(failed) = self.subject().and_then(|s| self.analyses.failure_of(&self.document, &s)) {
                let told = format!("{failed}. {}.", crate::analyses::NEXT);
                ui.colored_label(ui.visuals().error_fg_color, told);
            }
            let checked = data.is_some();
            wanted.extend(findings::ui(ui, &data.unwrap_or_default(), checked));
        });
        if !ui.input(|i| i.pointer.any_down()) {
            self.settings.layout.findings.0 = Some(shown.response.rect.height().round());
        }
    }
}

/// How the tiles show panes.
struct Shown<'a, 'b> {
    panes: &'a mut Panes,
    cx: &'a Context<'b>,
    wanted: &'a mut Vec<Command>,
    /// The pane that was clicked.
    touched: Option<Pane>,
}

impl Shown<'_, '_> {
    fn show_pane(&mut self, ui: &mut egui::Ui, pane: Pane) {
        egui::Frame::central_panel(ui.style()).show(ui, |ui| {
            // The pane's ground reaches as far as the pane, however little stands on it.
            ui.expand_to_include_rect(ui.max_rect());
            let cx = self.cx;
            self.wanted.extend(match pane {
                Pane::Write if cx.here.is_none() => self.panes.start.ui(ui, cx),
                Pane::Write => self.panes.write.ui(ui, cx),
                Pane::Draw => self.panes.draw.ui(ui, cx),
                Pane::Play => self.panes.play.ui(ui, cx),
                Pane::Measure => self.panes.measure.ui(ui, cx),
                Pane::Cards => self.panes.cards.ui(ui, cx),
            });
        });
    }
}

/// The tabs of all panes, where one of them has the window.
fn show_strip(ui: &mut egui::Ui, alone: Pane, wanted: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        for pane in Pane::ALL {
            let tab = ui.selectable_label(pane == alone, pane.name());
            tab.widget_info(|| {
                egui::WidgetInfo::labeled(egui::Role::Tab, true, format!("{} (tab)", pane.name()))
            });
            if tab.clicked() && pane != alone {
                wanted.push(Command::Show(pane));
            }
        }
        ui.separator();
        if ui.button("All panes").on_hover_text("Show files, text, map and game side by side.").clicked() {
            wanted.push(Command::ShowAll);
        }
    });
}

impl egui_tiles::Behavior<Pane> for Shown<'_, '_> {
    fn pane_ui(
        &mut self,
        ui: &mut egui::Ui,
        _tile: egui_tiles::TileId,
        pane: &mut Pane,
    ) -> egui_tiles::UiResponse {
        let rect = ui.max_rect();
        self.show_pane(ui, *pane);
        if ui.input(|i| i.pointer.any_pressed()) && ui.rect_contains_pointer(rect) {
            self.touched = Some(*pane);
        }
        egui_tiles::UiResponse::None
    }

    fn tab_title_for_pane(&mut self, pane: &Pane) -> egui::WidgetText {
        pane.name().into()
    }

    fn on_tab_button(
        &mut self,
        tiles: &mut egui_tiles::Tiles<Pane>,
        tile: egui_tiles::TileId,
        tab: egui::Response,
    ) -> egui::Response {
        let name = match tiles.get(tile) {
            Some(egui_tiles::Tile::Pane(pane)) => pane.name(),
            _ => "Panes",
        };
        tab.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Tab, true, format!("{name} (tab)")));
        // Whoever clicks a tab means to work there.
        if tab.clicked()
            && let Some(egui_tiles::Tile::Pane(pane)) = tiles.get(tile)
        {
            self.touched = Some(*pane);
        }
        tab
    }

    fn simplification_options(&self) -> egui_tiles::SimplificationOptions {
        egui_tiles::SimplificationOptions { all_panes_must_have_tabs: true, ..Default::default() }
    }
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        App::ui(self, ui);
    }

    fn on_exit(&mut self, _gl: Option<&eframe::glow::Context>) {
        self.keep_settings_now();
    }
}
