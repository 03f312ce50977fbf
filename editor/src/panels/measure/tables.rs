//! The tables of Measure. Every number that counts games is a link: it shows one of them in Play, a second click the next.
use super::State;
use super::data::{Cell, Data, SortBy, change_words};
use crate::command::Command;
use crate::command::measure::Request;
use egui::{Grid, Role, Ui, WidgetInfo};
use houserule::lab::compare::Change;
use houserule::lab::figures::Lot;

/// Shows a number; as a link if it has games behind it. `of` is whose it is, for screen readers.
pub(super) fn show_cell(ui: &mut Ui, of: &str, cell: &Cell, out: &mut Vec<Command>) {
    // A table scrolls sideways where it has no room.
    ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
    match &cell.change {
        None => show_number(ui, of, cell, out),
        Some(change) => {
            ui.vertical(|ui| {
                show_number(ui, of, cell, out);
                show_change(ui, &change.text, change.change);
            });
        }
    }
}

fn show_number(ui: &mut Ui, of: &str, cell: &Cell, out: &mut Vec<Command>) {
    if cell.games.is_empty() {
        ui.label(&cell.text);
        return;
    }
    let r = ui.link(&cell.text).on_hover_text(format!("Show {} in Play; again: the next one.", cell.told));
    let said = format!("{of} {}: show {}", cell.text, cell.told);
    r.widget_info(|| WidgetInfo::labeled(Role::Link, true, &said));
    if r.clicked() {
        out.push(Command::AskMeasure(Request::Games(cell.told.clone(), cell.games.clone())));
    }
}

/// A difference and what it says; what is for sure stands out.
fn show_change(ui: &mut Ui, text: &str, change: Change) {
    let sign = match change {
        Change::More => "▲",
        Change::Less => "▼",
        Change::Unsure => "≈",
        Change::TooFew => "…",
    };
    let told = format!("{sign} {text} {}", change_words(change));
    match change {
        Change::More | Change::Less => ui.strong(told),
        Change::Unsure | Change::TooFew => ui.weak(told),
    };
}

/// Who won, lost and tied how often, with which scores.
pub(super) fn show_players(ui: &mut Ui, data: &Data, out: &mut Vec<Command>) {
    let scored = data.players.iter().any(|p| p.score.is_some());
    egui::ScrollArea::horizontal().id_salt("players").show(ui, |ui| {
        Grid::new("players").num_columns(6).striped(true).spacing([18.0, 4.0]).show(ui, |ui| {
            ui.weak("player");
            ui.weak("bot");
            data.lots.iter().for_each(|lot| drop(ui.weak(lot.word())));
            if scored {
                ui.weak("score");
            }
            ui.end_row();
            for p in &data.players {
                ui.label(&p.name);
                ui.label(&p.policy);
                for (lot, cell) in Lot::ALL.iter().zip(&p.lots) {
                    if let Some(cell) = cell {
                        show_cell(ui, &format!("{} {}", p.name, lot.word()), cell, out);
                    }
                }
                if let Some(score) = &p.score {
                    show_cell(ui, &format!("{} score", p.name), score, out);
                }
                ui.end_row();
            }
        });
    });
}

/// How long the games were.
pub(super) fn show_length_numbers(ui: &mut Ui, data: &Data, out: &mut Vec<Command>) {
    ui.horizontal_wrapped(|ui| {
        for (name, cell) in &data.lengths {
            ui.weak(*name);
            show_cell(ui, name, cell, out);
        }
        ui.weak("choices a game");
    });
}

impl State {
    /// How often actions, rules and cards were used, and who won then.
    pub(super) fn show_uses(&mut self, ui: &mut Ui, out: &mut Vec<Command>) {
        if self.data.uses.is_empty() {
            return;
        }
        ui.horizontal_wrapped(|ui| {
            ui.strong("What was used");
            let field =
                egui::TextEdit::singleline(&mut self.wanted_uses).hint_text("card …").desired_width(140.0);
            let field = ui.add(field);
            field.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Find what was used"));
            if let Some(won) = self.data.won {
                ui.weak(format!("on the average a player wins {:.1} %", won * 100.0));
            }
        });
        egui::ScrollArea::horizontal().id_salt("uses").show(ui, |ui| {
            Grid::new("uses").num_columns(5).striped(true).spacing([18.0, 3.0]).show(ui, |ui| {
                for (by, name, about) in [
                    (SortBy::Name, "used", "Sort by name."),
                    (SortBy::Games, "in games", "Sort by the share of games in which it was used."),
                    (SortBy::Times, "times a game", "Sort by how often it was used in a game."),
                    (SortBy::Won, "won when used", "Sort by how often the players who used it won."),
                ] {
                    let on = self.sort == by;
                    let shown = if on { format!("{name} ▾") } else { String::from(name) };
                    let r = ui.selectable_label(on, shown).on_hover_text(about);
                    let said = format!("Sort by {name}");
                    r.widget_info(|| WidgetInfo::selected(Role::Button, true, on, &said));
                    if r.clicked() {
                        self.sort = by;
                    }
                }
                ui.weak("compared with all players");
                ui.end_row();
                for row in self.data.list_uses(&self.wanted_uses, self.sort) {
                    ui.label(&row.name);
                    show_cell(ui, &format!("{} in games", row.name), &row.games, out);
                    show_cell(ui, &format!("{} times a game", row.name), &row.times, out);
                    show_cell(ui, &format!("{} won when used", row.name), &row.won, out);
                    match row.says {
                        "wins more" | "wins less" => ui.strong(row.says),
                        says => ui.weak(says),
                    };
                    ui.end_row();
                }
            });
        });
    }
}
