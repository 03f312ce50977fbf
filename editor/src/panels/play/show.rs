//! Shows the Play pane: the form, or the table with choices, log and time line.
use super::data::Data;
use super::{Act, State, Want, bar, side, start, table};
use crate::command::Command;
use crate::panels::setup::{open_subject, show_unready};
use crate::panels::{Context, show_empty};
use egui::Ui;

impl State {
    pub(super) fn show_form(
        &mut self,
        ui: &mut Ui,
        cx: &Context,
        wants: &mut Vec<Want>,
        out: &mut Vec<Command>,
    ) {
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
            if start::show_start(ui, &mut self.setup.filled, &form) {
                wants.push(Want::Act(Act::Start));
            }
            if self.before.is_some() && ui.link(Act::Before.info().name).clicked() {
                wants.push(Want::Act(Act::Before));
            }
            if ui.link("Go on with a saved match …").clicked() {
                wants.push(Want::Act(Act::Load));
            }
        });
    }

    pub(super) fn show_session(&mut self, ui: &mut Ui, cx: &Context, wants: &mut Vec<Want>) {
        egui::Panel::top("play top").show(ui, |ui| self.show_top(ui, cx, wants));
        egui::Panel::bottom("play line").show(ui, |ui| {
            if let Some(p) = &self.playing {
                bar::show_time_line(ui, &p.data, &mut self.mark, wants);
            }
        });
        let wide = ui.available_width();
        // In a wide window the board has what lies left of one column; in a narrow pane the players stand below it.
        let maps = self.playing.as_ref().map_or(0, |p| p.data.board.maps.len());
        let is_grid = |n: &usize| self.playing.as_ref().is_some_and(|p| p.data.is_grid(*n));
        let drawn: Vec<usize> = (0..maps).filter(is_grid).collect();
        let column = wide >= WIDE && !drawn.is_empty();
        egui::Panel::right("play side")
            .default_size(if column { 280.0 } else { (wide * 0.38).clamp(180.0, 360.0) })
            .resizable(true)
            .show(ui, |ui| {
                let Some(p) = &self.playing else { return };
                let high = ui.available_height();
                let share = if column { 0.2 } else { 0.36 };
                egui::Panel::bottom("play log").default_size(high * share).resizable(true).show(ui, |ui| {
                    side::show_log(ui, &p.data, &mut self.details, wants);
                });
                if column {
                    egui::Panel::bottom("play players").default_size(high * 0.42).resizable(true).show(
                        ui,
                        |ui| {
                            egui::ScrollArea::vertical().id_salt("table").auto_shrink(false).show(ui, |ui| {
                                table::show_table(ui, &p.data, self.cursor, &self.pointed.0, wants);
                            });
                        },
                    );
                }
                let focus = std::mem::take(&mut self.focus_field);
                egui::ScrollArea::vertical().id_salt("choices").auto_shrink(false).show(ui, |ui| {
                    if let Some(why) = &self.why {
                        side::show_why(ui, why, wants);
                        ui.separator();
                    }
                    side::show_choices(ui, &p.data, &mut self.typed, focus, self.pointed.1, wants);
                });
            });
        let Some(p) = &self.playing else { return };
        // What goes on beside it stands in this line, so that nothing jumps when it begins and ends.
        ui.horizontal(|ui| {
            ui.strong(&p.data.board.clock);
            if self.thinking.is_some() {
                ui.weak("a bot thinks …");
            }
            if self.making.is_some() {
                ui.weak("making a test …");
            }
        });
        let Some(first) = drawn.first() else {
            egui::ScrollArea::both().id_salt("table").auto_shrink(false).show(ui, |ui| {
                table::show_table(ui, &p.data, self.cursor, &self.pointed.0, wants);
            });
            return;
        };
        // As high as it needs to be, but the map comes first.
        let high = ui.available_height() * 0.42;
        let holders = p.data.board.table.iter().chain(&p.data.board.players).chain(&p.data.board.others);
        let needed: f32 = holders.map(|h| 40.0 + 36.0 * h.piles.len() as f32).sum();
        if !column {
            egui::Panel::bottom("play holders")
                .default_size((needed + 24.0).clamp(48.0, high.max(48.0)))
                .resizable(true)
                .show(ui, |ui| {
                    egui::ScrollArea::vertical().id_salt("table").auto_shrink(false).show(ui, |ui| {
                        table::show_table(ui, &p.data, self.cursor, &self.pointed.0, wants);
                    });
                });
        }
        if drawn.len() > 1 {
            ui.horizontal(|ui| {
                for n in &drawn {
                    let name = p.data.board.maps.get(*n).map_or("", |m| &m.name);
                    ui.selectable_value(&mut self.map, *n, name);
                }
            });
        }
        let shown = if drawn.contains(&self.map) { self.map } else { *first };
        let view = self.views.entry(shown).or_default();
        table::show_map(ui, &p.data, shown, view, self.cursor, &self.pointed.0, wants);
    }

    fn show_top(&mut self, ui: &mut Ui, cx: &Context, wants: &mut Vec<Want>) {
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
                    wants.push(Want::Act(Act::Pause));
                }
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
                    wants.push(Want::Act(Act::Before));
                }
            });
        }
        if p.is_stale(cx) {
            ui.horizontal(|ui| {
                ui.weak("The texts have changed since this game was started.");
                if ui
                    .button("Start again")
                    .on_hover_text("Start a game of the texts as they are now.")
                    .clicked()
                {
                    wants.push(Want::Act(Act::Start));
                }
            });
        }
        for wrong in &self.wrong {
            ui.colored_label(ui.visuals().error_fg_color, wrong);
        }
    }
}

/// From this width on players and table stand in one column with the choices.
const WIDE: f32 = 1000.0;

/// Below this width some of the buttons stand in a menu.
const NARROW: f32 = 760.0;

/// More seats than this are a list.
const MANY: usize = 6;

fn show_button(ui: &mut Ui, cx: &Context, act: Act, wants: &mut Vec<Want>) {
    let info = act.info();
    let shown = match info.icon {
        "" => info.name.to_string(),
        icon => format!("{icon} {}", info.name),
    };
    let r = ui.button(shown).on_hover_text(cx.keys.tooltip(&Command::Play(act)));
    r.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, info.name));
    if r.clicked() {
        wants.push(Want::Act(act));
    }
}

fn show_following(ui: &mut Ui, follow: &mut bool) {
    ui.checkbox(follow, "turn to who is asked").on_hover_text("Show the view of the person who is asked.");
}

/// One seat's view, to be shown by a click.
fn show_view_button(ui: &mut Ui, data: &Data, seat: usize, wants: &mut Vec<Want>) {
    let Some(s) = data.seats.get(seat) else { return };
    let asked = if s.asked { " •" } else { "" };
    let on = seat == data.view_as;
    let r = ui.selectable_label(on, format!("{}{asked}", s.name));
    let said = format!("View as {} ({})", s.name, s.sitter.title());
    r.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, on, &said));
    if r.on_hover_text(said).clicked() {
        wants.push(Want::ViewAs(seat));
    }
}

/// All seats' views as a list to choose from.
fn show_view_list(ui: &mut Ui, data: &Data, wants: &mut Vec<Want>) {
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
