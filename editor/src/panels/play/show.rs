//! Shows the Play pane: the form, or the table with choices, log and time line.
use super::data::Data;
use super::motion::Motion;
use super::{Act, Playing, State, Wants, bar, choices, holders, log, start, table, why};
use crate::command::Command;
use crate::command::play::Request;
use crate::panels::setup::{open_subject, show_unready};
use crate::panels::{Context, show_empty};
use crate::play::why::Why;
use crate::settings::Pace;
use egui::Ui;
use houserule::play::Spot;

impl State {
    pub(super) fn show_form(&mut self, ui: &mut Ui, cx: &Context, wants: &mut Wants, out: &mut Vec<Command>) {
        let Some(subject) = open_subject(cx) else {
            show_empty(
                ui,
                "No game is being played",
                "Open a game or a scenario in the list on the left, then start it here.",
            );
            return;
        };
        if show_unready(ui, cx, &self.setup, &subject, "This game cannot be played yet", out) {
            return;
        }
        let Some(form) = self.setup.update_form() else { return };
        egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            for wrong in &self.wrong {
                ui.colored_label(ui.visuals().error_fg_color, wrong);
            }
            let focus = std::mem::take(&mut self.focus_start);
            if start::show_start(ui, &mut self.setup.filled, &form, focus) {
                wants.act(Act::Start);
            }
            if self.before.is_some() && ui.link(Act::Before.info().name).clicked() {
                wants.act(Act::Before);
            }
            if ui.link("Go on with a saved match …").clicked() {
                wants.act(Act::Load);
            }
        });
    }

    pub(super) fn show_session(&mut self, ui: &mut Ui, cx: &Context, wants: &mut Wants) {
        egui::Panel::top("play top").show(ui, |ui| self.show_top(ui, cx, wants));
        let focus = std::mem::take(&mut self.focus_field);
        let State {
            playing, details, typed, why, mark, pointed, cursor, log, thinking, making, carry, ..
        } = self;
        let Some(Playing { data, before, motion, session, .. }) = playing else { return };
        let time = ui.input(|i| i.time);
        if let Some(before) = before.take() {
            motion.follow(&before, data, time, cx.settings.has_motion());
        }
        let moved = motion.progress(time);
        if moved.is_some() {
            ui.ctx().request_repaint();
        }
        let motion = (&*motion, moved);
        egui::Panel::bottom("play line").show(ui, |ui| bar::show_time_line(ui, data, mark, wants));
        let wide = ui.available_width() >= WIDE;
        if wide && !data.board.phases.is_empty() {
            egui::Panel::top("play phases").show(ui, |ui| show_phases(ui, &data.board.phases));
        }
        let high = ui.available_height();
        let drawn: Vec<usize> = (0..data.board.maps.len()).filter(|n| data.is_grid(*n)).collect();
        let show_log = log.unwrap_or(wide);
        // The strip says what runs in the background, so that nothing jumps when it begins and ends.
        let beside = match (thinking.is_some(), making.is_some()) {
            (_, true) => "making a test …",
            (true, false) => "a bot thinks …",
            _ if carry.is_renewed(session.generation()) => "it goes on with the changed rules",
            _ => "",
        };
        let mut turned = false;
        if wide && (show_log || !drawn.is_empty()) {
            egui::Panel::right("play side").default_size(244.0).resizable(true).show(ui, |ui| {
                if drawn.is_empty() {
                    return log::show_log(ui, data, details, pointed.1, wants);
                }
                turned |= show_strip(ui, data, beside, show_log);
                if show_log {
                    let panel = egui::Panel::bottom("play log").default_size(high * 0.3).resizable(true);
                    panel.show(ui, |ui| log::show_log(ui, data, details, pointed.1, wants));
                }
                show_beside(ui, data, why.as_ref(), *cursor, &pointed.0, motion, wants);
            });
        } else if show_log {
            let panel = egui::Panel::bottom("play log below").default_size(high * 0.2).resizable(true);
            panel.show(ui, |ui| log::show_log(ui, data, details, pointed.1, wants));
        }
        // The bar keeps its height, so that the board does not move when other choices come.
        let rows = if wide { (high * 0.09).clamp(64.0, 120.0) } else { (high * 0.18).clamp(96.0, 170.0) };
        egui::Panel::bottom("play choices").default_size(rows).resizable(true).show(ui, |ui| {
            choices::show_choices(ui, data, typed, focus, pointed.1, wants);
        });
        if let Some(why) = why.as_ref().filter(|_| drawn.is_empty()) {
            let panel = egui::Panel::bottom("play why").default_size(high * 0.25).resizable(true);
            panel.show(ui, |ui| {
                egui::ScrollArea::vertical().id_salt("why").auto_shrink(false).show(ui, |ui| {
                    why::show_why(ui, why, wants);
                });
            });
        }
        if !wide && !drawn.is_empty() {
            // As high as it needs to be, but the map comes first.
            let holders = data.board.table.iter().chain(&data.board.players).chain(&data.board.others);
            let needed: f32 = holders.map(|h| 30.0 + 18.0 * h.piles.len() as f32).sum();
            let most = (high * 0.3).max(48.0);
            let panel = egui::Panel::bottom("play holders").default_size((needed + 24.0).clamp(48.0, most));
            panel.resizable(true).show(ui, |ui| {
                show_beside(ui, data, why.as_ref(), *cursor, &pointed.0, motion, wants);
            });
        }
        if !wide || drawn.is_empty() {
            turned |= show_strip(ui, data, beside, show_log);
        }
        if turned {
            *log = Some(!show_log);
        }
        let Some(first) = drawn.first() else {
            holders::show_around(ui, data, *cursor, &pointed.0, motion, wants);
            return;
        };
        if drawn.len() > 1 {
            ui.horizontal(|ui| {
                for n in &drawn {
                    let name = data.board.maps.get(*n).map_or("", |m| &m.name);
                    ui.selectable_value(&mut self.map, *n, name);
                }
            });
        }
        let shown = if drawn.contains(&self.map) { self.map } else { *first };
        let view = self.views.entry(shown).or_default();
        table::show_map(ui, data, shown, view, *cursor, &pointed.0, motion, wants);
    }

    fn show_top(&mut self, ui: &mut Ui, cx: &Context, wants: &mut Wants) {
        let Some(p) = &self.playing else { return };
        let narrow = ui.available_width() < NARROW;
        let mut follow = !self.stay;
        ui.horizontal_wrapped(|ui| {
            let row = [Act::Stop, Act::TakeBack, Act::MakeTest, Act::Save];
            for act in row.into_iter().filter(|act| !narrow || *act != Act::Save) {
                show_button(ui, cx, act, wants);
            }
            let bots = p.data.seats.iter().any(|s| s.sitter != crate::play::Sitter::Person);
            if bots {
                let text = if self.paused { "Bots go on" } else { "Bots wait" };
                if ui.button(text).on_hover_text(cx.keys.tooltip(&Command::Play(Act::Pause))).clicked() {
                    wants.act(Act::Pause);
                }
                show_pace(ui, cx, wants);
            }
            if narrow {
                show_view_list(ui, &p.data, wants);
                let more = ui.menu_button("More", |ui| {
                    for act in [Act::Save, Act::Load] {
                        show_button(ui, cx, act, wants);
                    }
                    show_following(ui, &mut follow);
                });
                more.response.on_hover_text("Save, go on with a saved match, whose view is shown.");
            } else {
                ui.separator();
                ui.label("View as");
                if p.data.seats.len() > MANY {
                    show_view_list(ui, &p.data, wants);
                } else {
                    for i in 0..p.data.seats.len() {
                        show_view_button(ui, &p.data, i, wants);
                    }
                }
                show_following(ui, &mut follow);
            }
        });
        self.stay = !follow;
        if self.before.is_some() && p.data.step.1 == 0 {
            ui.horizontal(|ui| {
                ui.weak("This is a new game; the match before is kept.");
                if ui.link(Act::Before.info().name).clicked() {
                    wants.act(Act::Before);
                }
            });
        }
        if p.is_stale(cx) {
            self.carry.show(ui, cx, wants);
        }
        for wrong in &self.wrong {
            ui.colored_label(ui.visuals().error_fg_color, wrong);
        }
    }
}

/// Shows what stands beside a map: the answer to *why not?*, how the game ended, and what lies on no map. The answer has its place here, so that the map keeps its own.
fn show_beside(
    ui: &mut Ui,
    data: &Data,
    why: Option<&Why>,
    cursor: Option<Spot>,
    pointed: &[Spot],
    motion: (&Motion, Option<f32>),
    wants: &mut Wants,
) {
    egui::ScrollArea::vertical().id_salt("table").auto_shrink(false).show(ui, |ui| {
        if let Some(why) = why {
            why::show_why(ui, why, wants);
            ui.separator();
        }
        table::show_end(ui, data);
        holders::show_column(ui, data, pointed, motion, wants);
        table::show_loose_maps(ui, data, cursor, wants);
    });
}

/// Shows the strip above the board: round, phase and turn, what goes on beside it, and the handle of the log. Whether the log is to be opened or closed.
fn show_strip(ui: &mut Ui, data: &Data, beside: &str, log: bool) -> bool {
    let last = Some(log::last_line(data)).filter(|_| !log && ui.available_width() > NARROW / 2.0).flatten();
    ui.horizontal_top(|ui| {
        let room = ui.available_width() * if last.is_some() { 0.5 } else { 1.0 } - 70.0;
        ui.allocate_ui(egui::vec2(room, 0.0), |ui| {
            ui.horizontal_wrapped(|ui| {
                ui.strong(&data.board.clock);
                ui.weak(beside);
            });
        });
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Min), |ui| {
            let r = ui.selectable_label(log, if log { "Log ▾" } else { "Log ▸" });
            let said = if log { "Close the log" } else { "Open the log" };
            r.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, log, said));
            let clicked = r.on_hover_text(said).clicked();
            if let Some(last) = last {
                ui.add(egui::Label::new(egui::RichText::new(last).weak()).truncate());
            }
            clicked
        })
        .inner
    })
    .inner
}

/// Shows the phases of a round in a row, the one that runs marked.
fn show_phases(ui: &mut Ui, phases: &[(String, bool)]) {
    egui::ScrollArea::horizontal().id_salt("phases").show(ui, |ui| {
        ui.horizontal(|ui| {
            for (i, (title, runs)) in phases.iter().enumerate() {
                if i > 0 {
                    ui.weak("›");
                }
                let text = egui::RichText::new(title);
                let r = ui.label(if *runs { text.strong().underline() } else { text.weak() });
                let said = if *runs { format!("{title}, now") } else { title.clone() };
                r.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &said));
                if *runs {
                    r.scroll_to_me(None);
                }
            }
        });
    });
}

/// From this width on players and table stand in one column with the choices.
const WIDE: f32 = 820.0;

/// Below this width some of the buttons stand in a menu.
const NARROW: f32 = 760.0;

/// More seats than this are a list.
const MANY: usize = 6;

pub(super) fn show_button(ui: &mut Ui, cx: &Context, act: Act, wants: &mut Wants) {
    let info = act.info();
    let r = ui.button(info.title()).on_hover_text(cx.keys.tooltip(&Command::Play(act)));
    r.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, info.name));
    if r.clicked() {
        wants.act(act);
    }
}

/// How fast bots answer.
fn show_pace(ui: &mut Ui, cx: &Context, wants: &mut Wants) {
    let now = cx.settings.pace;
    let list = egui::ComboBox::from_id_salt("pace").selected_text(now.title()).show_ui(ui, |ui| {
        for pace in Pace::ALL {
            if ui.selectable_label(pace == now, pace.title()).clicked() {
                wants.pace(pace);
            }
        }
    });
    let said = format!("How fast bots answer: {}", now.title());
    list.response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::ComboBox, true, &said));
    let skip = cx.keys.tooltip(&Command::Play(Act::Skip));
    list.response.on_hover_text(format!("How fast bots answer. {skip}"));
}

fn show_following(ui: &mut Ui, follow: &mut bool) {
    ui.checkbox(follow, "turn to who is asked").on_hover_text("Show the view of the person who is asked.");
}

/// One seat's view, to be shown by a click.
fn show_view_button(ui: &mut Ui, data: &Data, seat: usize, wants: &mut Wants) {
    let Some(s) = data.seats.get(seat) else { return };
    let asked = if s.asked { " •" } else { "" };
    let on = seat == data.view_as;
    let r = ui.selectable_label(on, format!("{}{asked}", s.name));
    let said = format!("View as {} ({})", s.name, s.sitter.title());
    r.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, on, &said));
    if r.on_hover_text(said).clicked() {
        wants.ask(Request::ViewAs(seat));
    }
}

/// All seats' views as a list to choose from.
fn show_view_list(ui: &mut Ui, data: &Data, wants: &mut Wants) {
    let name = data.seats.get(data.view_as).map_or("", |s| &s.name);
    let list =
        egui::ComboBox::from_id_salt("view as").selected_text(format!("as {name}")).show_ui(ui, |ui| {
            for i in 0..data.seats.len() {
                show_view_button(ui, data, i, wants);
            }
        });
    let said = format!("View as {name}");
    list.response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::ComboBox, true, &said));
    list.response.on_hover_text("Whose view is shown; a dot marks those who are asked.");
}
