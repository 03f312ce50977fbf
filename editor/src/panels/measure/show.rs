//! Shows the Measure pane: buttons and progress, the form, and the figures.
use super::tables::{show_length_numbers, show_players};
use super::{Act, State, data, heat, plots};
use crate::command::Command;
use crate::command::measure::Request;
use crate::panels::setup::{open_subject, show_unready};
use crate::panels::{Context, show_button, show_empty, show_primary_button};
use egui::{Role, Ui, WidgetInfo};
use houserule::lab::figures::ENOUGH;

/// From this width on the form stands beside the figures.
const WIDE: f32 = 900.0;

/// How high the line with the progress is.
const LINE: f32 = 18.0;

/// The room around the figures.
const MARGIN: i8 = 8;

/// From this width on the map and what was used stand side by side.
const TABLE_BESIDE: f32 = 960.0;

/// From this width on the two plots stand side by side.
const BESIDE: f32 = 620.0;

impl State {
    pub(super) fn show(&mut self, ui: &mut Ui, cx: &Context, out: &mut Vec<Command>) {
        let subject = open_subject(cx);
        let Some(subject) = subject.or_else(|| self.run.as_ref().map(|r| r.subject.clone())) else {
            show_empty(
                ui,
                "No game is being measured",
                "Open a game or a scenario in the list on the left, then run many games of it here.",
            );
            return;
        };
        // The figures of a game stay while its texts cannot be read.
        let measured = self.run.as_ref().is_some_and(|r| r.subject == subject);
        if !measured && show_unready(ui, cx, &self.setup, &subject, "This game cannot be measured yet", out) {
            return;
        }
        egui::Panel::top("measure top").show(ui, |ui| self.show_top(ui, cx, out));
        if ui.available_width() >= WIDE {
            egui::Panel::left("measure form").default_size(260.0).max_size(360.0).resizable(true).show(
                ui,
                |ui| {
                    egui::ScrollArea::both()
                        .id_salt("form")
                        .auto_shrink(false)
                        .show(ui, |ui| self.show_form(ui));
                },
            );
            egui::ScrollArea::vertical().id_salt("figures").auto_shrink(false).show(ui, |ui| {
                egui::Frame::new().inner_margin(MARGIN).show(ui, |ui| self.show_figures(ui, cx, out));
            });
        } else {
            egui::ScrollArea::vertical().id_salt("figures").auto_shrink(false).show(ui, |ui| {
                let fold = std::mem::take(&mut self.fold).then_some(false);
                let header = egui::CollapsingHeader::new("Set-up").default_open(true).open(fold);
                header.show(ui, |ui| self.show_form(ui));
                egui::Frame::new().inner_margin(MARGIN).show(ui, |ui| self.show_figures(ui, cx, out));
            });
        }
    }

    fn show_form(&mut self, ui: &mut Ui) {
        if let Some(form) = self.setup.update_form() {
            self.form.show(ui, &mut self.setup.filled, &form);
        }
    }

    /// Buttons, progress, and what is to be known of the run.
    fn show_top(&mut self, ui: &mut Ui, cx: &Context, out: &mut Vec<Command>) {
        let running = self.is_running();
        let some = self.data.games > 0;
        let mut wanted = Vec::new();
        ui.horizontal_wrapped(|ui| {
            show_primary_button(ui, cx.keys, Command::Measure(Act::Run), !running, &mut wanted);
            for (act, on) in [(Act::Stop, running), (Act::Keep, some && !running), (Act::SaveTable, some)] {
                show_button(ui, cx.keys, Command::Measure(act), on, &mut wanted);
            }
            if self.kept.is_some() {
                show_button(ui, cx.keys, Command::Measure(Act::Forget), true, &mut wanted);
            }
        });
        self.show_progress(ui);
        if let Some(run) = &self.run
            && cx.document.game_touched_at(&run.subject) > run.revision
        {
            ui.horizontal_wrapped(|ui| {
                ui.weak("The texts have changed since these games were played.");
                let again = egui::Button::new("Run again");
                let r = ui.add_enabled(!running, again);
                if r.on_hover_text("Play the games with the texts as they are now.").clicked() {
                    out.push(Command::Measure(Act::Run));
                }
            });
        }
        for wrong in &self.wrong {
            ui.colored_label(ui.visuals().error_fg_color, wrong);
        }
        for command in wanted {
            if let Command::Measure(act) = command {
                out.push(Command::Measure(act));
            }
        }
    }

    /// How far the run is: always one line, so that nothing below it moves when a run begins or ends.
    fn show_progress(&self, ui: &mut Ui) {
        let (played, of) = match &self.run {
            Some(run) => (run.figures.games, run.total),
            None => (0, 0),
        };
        let played = played + self.running.as_ref().map_or(0, |r| r.done());
        let text = format!("{played} of {}", data::count_text(of, "game"));
        let stopped = self.run.as_ref().is_some_and(|r| r.stopped);
        let told = match &self.run {
            _ if self.starting.is_some() || self.wanted => String::from("The games are being prepared …"),
            None => String::from("No games have been played yet."),
            Some(_) if self.running.is_some() => {
                let bar = egui::ProgressBar::new(played as f32 / of.max(1) as f32);
                let bar = ui.add(bar.text(&text).desired_height(LINE));
                let said = format!("Played {text}");
                bar.widget_info(|| WidgetInfo::labeled(Role::ProgressIndicator, true, said.clone()));
                return;
            }
            Some(_) if stopped => format!("Stopped after {text}"),
            Some(_) => format!("Played {text}"),
        };
        ui.allocate_ui(egui::vec2(ui.available_width(), LINE), |ui| {
            ui.set_min_height(LINE);
            ui.weak(told);
        });
    }

    /// What came of the games.
    fn show_figures(&mut self, ui: &mut Ui, cx: &Context, out: &mut Vec<Command>) {
        let Some(run) = &self.run else {
            ui.add_space(8.0);
            ui.weak(
                "Press F5 to run the games. Outcomes, lengths and uses are shown while the games are played.",
            );
            return;
        };
        ui.add_space(4.0);
        ui.strong(&run.title);
        ui.label(data::count_text(run.figures.games, "game"));
        if let (Some(compared), Some(base)) = (&self.data.compared, self.base()) {
            ui.label(format!("Beside it: {}", base.title));
            ui.weak(compared);
        } else if self.kept.is_some() {
            ui.weak("Kept for comparison: the next run is shown beside these figures.");
        }
        self.show_unfinished(ui, cx, out);
        if self.data.games == 0 {
            return;
        }
        if !self.data.enough {
            ui.weak(format!("Not enough games: fewer than {ENOUGH} finished games say nothing for sure."));
        }
        ui.add_space(6.0);
        let beside = ui.available_width() >= BESIDE;
        let (data, colors) = (&self.data, &run.colors);
        if beside {
            ui.columns(2, |all| {
                if let [left, right] = all {
                    show_wins(left, data, colors, out);
                    show_lengths(right, data, out);
                }
            });
            show_players(ui, data, out);
        } else {
            show_wins(ui, data, colors, out);
            show_players(ui, data, out);
            ui.add_space(6.0);
            show_lengths(ui, data, out);
        }
        ui.add_space(6.0);
        let has_map = run.maps.iter().any(|m| m.has_visits(&run.figures));
        if has_map && ui.available_width() >= TABLE_BESIDE {
            ui.columns(2, |all| {
                if let [left, right] = all {
                    self.show_map(left, out);
                    self.show_uses(right, out);
                }
            });
        } else {
            self.show_map(ui, out);
            ui.add_space(6.0);
            self.show_uses(ui, out);
        }
    }

    fn show_map(&mut self, ui: &mut Ui, out: &mut Vec<Command>) {
        if let Some(run) = &self.run {
            heat::show_heat(ui, &run.maps, &run.figures, &mut self.heat, out);
        }
    }

    /// Games that were not finished; of a rule error also its place.
    fn show_unfinished(&self, ui: &mut Ui, cx: &Context, out: &mut Vec<Command>) {
        let Some(run) = &self.run else { return };
        for (i, (cell, u)) in self.data.unfinished.iter().zip(&run.figures.unfinished).enumerate() {
            ui.colored_label(ui.visuals().error_fg_color, format!("not finished: {}", cell.text));
            ui.horizontal(|ui| {
                let r = ui.link("show a game").on_hover_text(format!("Show {} in Play.", cell.told));
                r.widget_info(|| WidgetInfo::labeled(Role::Link, true, format!("Show {}", cell.told)));
                if r.clicked() {
                    out.push(Command::AskMeasure(Request::Games(cell.told.clone(), cell.games.clone())));
                }
                let files = run.simulation.game().files();
                let place = u.fault.as_ref().and_then(|f| Some((f.at.span, files.get(f.at.span.file)?)));
                if let Some((span, file)) = place {
                    let range = cx.document.follow_range(run.revision, &file.name, span.range()).range;
                    let place = crate::document::TextPlace::new(&*file.name, range);
                    if ui.link(format!("go to {}", cx.document.place_text(&place))).clicked() {
                        out.push(Command::AskMeasure(Request::Fault(i)));
                    }
                }
            });
        }
    }
}

fn show_wins(ui: &mut Ui, data: &data::Data, colors: &[egui::Color32], out: &mut Vec<Command>) {
    ui.strong("Who wins");
    plots::show_wins(ui, data, colors, out);
}

fn show_lengths(ui: &mut Ui, data: &data::Data, out: &mut Vec<Command>) {
    if data.bars.is_empty() {
        return;
    }
    ui.strong("How long games are");
    plots::show_lengths(ui, data, out);
    show_length_numbers(ui, data, out);
}
