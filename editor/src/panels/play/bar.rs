//! Shows the time line: back and forth, named steps, forks.
use super::Wants;
use super::data::Data;
use crate::command::play::Request;
use egui::{Pos2, Rect, Role, Sense, Stroke, Ui, Vec2, WidgetInfo};
use egui_material_icons::icons;

/// Shows the line in one row: buttons, the line itself, and on its right what is done with the step where play stands.
pub fn show_time_line(ui: &mut Ui, data: &Data, name: &mut String, wants: &mut Wants) {
    let (now, all) = data.step;
    ui.horizontal(|ui| {
        let mut to = |ui: &mut Ui, text: &str, label: &str, on: bool, step: usize| {
            let r = ui.add_enabled(on, egui::Button::new(text).frame(false)).on_hover_text(label);
            r.widget_info(|| WidgetInfo::labeled(Role::Button, on, label));
            if r.clicked() {
                wants.ask(Request::Scrub(step));
            }
        };
        to(ui, icons::ICON_FIRST_PAGE.codepoint, "To the beginning", now > 0, 0);
        to(ui, icons::ICON_CHEVRON_LEFT.codepoint, "One choice back", now > 0, now.saturating_sub(1));
        to(ui, icons::ICON_CHEVRON_RIGHT.codepoint, "One choice on", now < all, now + 1);
        to(ui, icons::ICON_LAST_PAGE.codepoint, "To the end of the line", now < all, all);
        ui.label(format!("{now} of {all}"));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            show_step_tools(ui, data, name, wants);
            show_ticks(ui, data, wants);
        });
    });
}

/// Names a step, begins another line, goes to another line or to a named step.
fn show_step_tools(ui: &mut Ui, data: &Data, name: &mut String, wants: &mut Wants) {
    let marked =
        ui.button("Mark").on_hover_text("Give this step a name; none takes its name away.").clicked();
    let field = ui.add(egui::TextEdit::singleline(name).hint_text("name of this step").desired_width(110.0));
    field.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Name of this step"));
    let entered = field.lost_focus() && ui.input(|i| i.key_pressed(egui::Key::Enter));
    if marked || entered {
        wants.ask(Request::Mark(name.clone()));
    }
    if ui.button("Fork").on_hover_text("Begin another line here; this one is kept.").clicked() {
        wants.ask(Request::Fork);
    }
    if data.lines.0.len() > 1 {
        for (i, line) in data.lines.0.iter().enumerate().rev() {
            let r = ui.selectable_label(i == data.lines.1, line);
            if r.on_hover_text("Go on with this line.").clicked() {
                wants.ask(Request::Line(i));
            }
        }
    }
    for tick in data.ticks.iter().rev().filter(|t| t.mark.is_some()) {
        let label = tick.mark.clone().unwrap_or_default();
        if ui.selectable_label(tick.here, format!("◆ {label}")).on_hover_text("Go there.").clicked() {
            wants.ask(Request::Scrub(tick.step));
        }
    }
}

/// The line itself, with a dot for each step, in what is left of the row.
fn show_ticks(ui: &mut Ui, data: &Data, wants: &mut Wants) {
    let (rect, _) = ui.allocate_exact_size(Vec2::new(ui.available_width().max(60.0), 16.0), Sense::hover());
    let all = data.step.1.max(1) as f32;
    let x = |step: usize| rect.left() + 6.0 + (rect.width() - 12.0) * step as f32 / all;
    let p = ui.painter();
    let line = Stroke::new(2.0, ui.visuals().widgets.noninteractive.bg_stroke.color);
    p.line_segment([Pos2::new(x(0), rect.center().y), Pos2::new(x(data.step.1), rect.center().y)], line);
    // Where steps stand close together every one is still a place to go to, if not to point at.
    let gap = ((rect.width() - 12.0) / all).max(1.0);
    let every = (4.0 / gap).ceil().max(1.0) as usize;
    let last = data.ticks.len().saturating_sub(1);
    for (i, tick) in data.ticks.iter().enumerate() {
        if i % every != 0 && !tick.here && tick.mark.is_none() && i != last {
            continue;
        }
        let at = Pos2::new(x(tick.step), rect.center().y);
        let area = Rect::from_center_size(at, Vec2::new(gap.clamp(4.0, 12.0), 16.0));
        let r = ui.interact(area, ui.scope_id().with(("tick", tick.step)), Sense::click_and_drag());
        let color = tick.player.and_then(|p| data.player_color(p)).unwrap_or(ui.visuals().weak_text_color());
        let radius = if tick.here {
            6.0
        } else if tick.mark.is_some() {
            4.5
        } else {
            3.0
        };
        ui.painter().circle_filled(at, radius, color);
        if tick.here || r.has_focus() {
            ui.painter().circle_stroke(at, radius + 1.0, Stroke::new(1.5, ui.visuals().strong_text_color()));
        }
        let who = tick.player.and_then(|p| data.players.get(p)).map_or(String::new(), |n| format!("{n}: "));
        let mark = tick.mark.as_ref().map_or(String::new(), |m| format!(" ({m})"));
        let here = if tick.here { ", here" } else { "" };
        let said = format!("Step {}{mark}{here}: {who}{}", tick.step, tick.what);
        r.widget_info(|| WidgetInfo::selected(Role::Button, true, tick.here, &said));
        if r.clicked() {
            wants.ask(Request::Scrub(tick.step));
        }
        if r.dragged()
            && let Some(pos) = r.interact_pointer_pos()
        {
            let step = ((pos.x - x(0)) / (rect.width() - 12.0) * all).round().clamp(0.0, all) as usize;
            if step != data.step.0 {
                wants.ask(Request::Scrub(step));
            }
        }
        r.on_hover_text(said);
    }
}
