//! Shows the bar of choices: the prompt, a field to type in, and a button for each row.
use super::Wants;
use super::data::Data;
use crate::command::play::Request;
use crate::play::choices::{ChoiceRow, Choices, Does};
use crate::style;
use egui::{Color32, Rect, Role, Stroke, StrokeKind, Ui, Vec2, WidgetInfo};
use houserule::play::{HandedOn, Piece, Spot};

/// Shows the choices with their keys. `typed` is what stands in the field, `over` is the place of a map under the pointer.
pub fn show_choices(
    ui: &mut Ui,
    data: &Data,
    typed: &mut String,
    focus: bool,
    over: Option<Spot>,
    wants: &mut Wants,
) {
    let Some(c) = &data.choices else {
        let area = egui::ScrollArea::vertical().id_salt("nobody").min_scrolled_height(24.0);
        area.auto_shrink(false).show(ui, |ui| {
            // The button for the next game stands first, because the bar has room for a few lines only.
            if let Some(handed) = &data.handed {
                ui.horizontal_wrapped(|ui| show_handed(ui, handed, wants));
            }
            ui.label(nobody_text(data));
        });
        return;
    };
    // In a narrow pane the prompt has a row of its own.
    let wide = ui.available_width() > WIDE;
    if !wide {
        ui.strong(prompt_text(c));
    }
    ui.horizontal(|ui| {
        if wide {
            ui.strong(prompt_text(c));
        }
        show_questions(ui, c, wants);
        show_field(ui, typed, focus, wants);
        show_picked(ui, c, wants);
    });
    let area = egui::ScrollArea::vertical().id_salt("choices").min_scrolled_height(24.0);
    area.auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing = Vec2::new(6.0, 4.0);
        ui.horizontal_wrapped(|ui| {
            for (i, row) in c.rows.iter().enumerate() {
                show_row(ui, i, row, ticks(c), over, wants);
            }
        });
        if c.more > 0 {
            ui.weak(format!("and {} more: type a part of one to find it", c.more));
        }
    });
}

/// A wider bar than this has the prompt and the field in one row, in points.
const WIDE: f32 = 700.0;

/// The questions that the seat is asked, if they are several.
fn show_questions(ui: &mut Ui, c: &Choices, wants: &mut Wants) {
    for (question, prompt) in c.asked.iter().filter(|_| c.asked.len() > 1) {
        let name = if prompt.is_empty() { "another question" } else { prompt.as_str() };
        if ui.selectable_label(*question == c.question, name).clicked() {
            wants.ask(Request::Question(*question));
        }
    }
}

/// What has been picked so far, to be put back or taken.
fn show_picked(ui: &mut Ui, c: &Choices, wants: &mut Wants) {
    if !c.picked.is_empty() {
        ui.weak(c.picked.join(" › "));
    }
    if (!c.picked.is_empty() || !c.held.is_empty())
        && ui.button("Put back").on_hover_text("Put the last pick back (Backspace).").clicked()
    {
        wants.ask(Request::Unpick);
    }
    let Some((_, words)) = &c.complete else { return };
    let r = ui.add(style::primary_button(format!("Enter  {words}")).truncate());
    r.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Take {words} (Enter)")));
    if r.on_hover_text("Take what is picked: Enter, on the map, too.").clicked() {
        wants.ask(Request::Confirm);
    }
}

/// What is asked, in a sentence: of whom, what, and of a set how many.
fn prompt_text(c: &Choices) -> String {
    let mut out = format!("{}: {}", c.name, c.prompt);
    if let Some((least, most)) = c.picking.filter(|_| ticks(c)) {
        let ticked = c.rows.iter().filter(|r| matches!(r.does, Does::PutBack(_))).count();
        let n = if least == most { least.to_string() } else { format!("{least} to {most}") };
        out += &format!(" (pick {n}; {ticked} so far)");
    }
    out
}

/// Whether elements are ticked: of one element a click is the choice.
fn ticks(c: &Choices) -> bool {
    c.picking.is_some_and(|(_, most)| most != 1)
}

/// Why there is no choice for the seat whose view is shown.
fn nobody_text(data: &Data) -> String {
    let seat = data.seats.get(data.view_as).map_or("This seat", |s| &s.name);
    let asked: Vec<&str> = data.seats.iter().filter(|s| s.asked).map(|s| s.name.as_str()).collect();
    match (data.over, data.step.0 < data.step.1, asked.is_empty()) {
        (true, _, _) => String::from("The game is over. Go back on the time line, or start another one."),
        (_, true, _) => format!("{seat} was not asked here. Go on along the time line."),
        (_, _, false) => format!("{seat} is not asked now; {} is.", asked.join(" and ")),
        _ => String::from("Nobody is asked anything now."),
    }
}

fn show_field(ui: &mut Ui, typed: &mut String, focus: bool, wants: &mut Wants) {
    let edit = egui::TextEdit::singleline(typed).hint_text("Type a choice, or a part of it");
    let field = ui.add(edit.desired_width(200.0));
    field.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Type a choice"));
    if focus {
        field.request_focus();
    }
    if field.changed() {
        wants.ask(Request::Typed(typed.clone()));
    }
    if field.lost_focus() && ui.input(|i| i.key_pressed(egui::Key::Enter)) && !typed.trim().is_empty() {
        wants.ask(Request::Say(typed.clone()));
    }
}

/// What stands behind the title of a row that is not a whole choice.
fn tail_text(does: &Does) -> String {
    match does {
        Does::Go(Piece::Element(_), _) | Does::Choose(_) | Does::PutBack(_) => String::new(),
        Does::Go(_, ways) if *ways > 1 && *ways < u64::MAX => format!(" … ({ways})"),
        Does::Go(_, 1) => String::new(),
        Does::Go(..) => String::from(" …"),
    }
}

/// Between a row's key and its frame, and between the key and the title.
const KEY_ROOM: f32 = 4.0;
const KEY_GAP: f32 = KEY_ROOM + 6.0;

/// Paints a box, with a tick if its element is picked.
fn paint_tick(ui: &Ui, rect: Rect, on: bool, ink: Color32) {
    let p = ui.painter();
    p.rect_stroke(rect, 2.0, Stroke::new(1.0, ink), StrokeKind::Inside);
    if on {
        let at = |x: f32, y: f32| rect.min + Vec2::new(x, y) * rect.width();
        p.line(vec![at(0.2, 0.55), at(0.42, 0.78), at(0.82, 0.25)], Stroke::new(2.0, ink));
    }
}

fn show_row(ui: &mut Ui, i: usize, row: &ChoiceRow, ticks: bool, over: Option<Spot>, wants: &mut Wants) {
    let ticked = match &row.does {
        Does::PutBack(_) => Some(true),
        Does::Go(Piece::Element(_), _) if ticks => Some(false),
        _ => None,
    };
    let key = row.key.map_or(String::new(), String::from);
    let said = format!("{}{}", row.title, tail_text(&row.does));
    let mut text = egui::text::LayoutJob::default();
    let font = egui::TextStyle::Button.resolve(ui.style());
    let part = |color| egui::TextFormat { font_id: font.clone(), color, ..Default::default() };
    let on = ticked == Some(true);
    let ink = if on { style::picked(ui.visuals()) } else { ui.visuals().widgets.inactive.text_color() };
    let box_size = font.size;
    let lead = if ticked.is_some() { box_size + 5.0 } else { 0.0 };
    // The key has a frame, so that it does not read as the first word of the title.
    let framed =
        (!key.is_empty()).then(|| ui.painter().layout_no_wrap(key.clone(), font.clone(), ink).size());
    if framed.is_some() {
        text.append(&key, lead + KEY_ROOM, part(ink.gamma_multiply(0.7)));
    }
    text.append(&said, if framed.is_some() { KEY_GAP } else { lead }, part(ink));
    // A row is as wide as its text; one that is wider than the bar has several lines.
    let most = ui.max_rect().width();
    text.wrap.max_width = most - 2.0 * ui.spacing().button_padding.x;
    let galley = ui.painter().layout_job(text);
    let size = galley.size() + 2.0 * ui.spacing().button_padding;
    let r = ui.add_sized(size, egui::Button::new(galley).selected(on));
    if let Some(size) = framed {
        let at = r.rect.min + ui.spacing().button_padding + Vec2::new(lead, 0.0);
        let frame = Rect::from_min_size(at, size + Vec2::new(2.0 * KEY_ROOM, 0.0));
        let line = Stroke::new(1.0, ink.gamma_multiply(0.35));
        ui.painter().rect_stroke(frame, 3.0, line, StrokeKind::Inside);
    }
    if ticked.is_some() {
        let at = r.rect.left_center() + Vec2::new(ui.spacing().button_padding.x + box_size / 2.0, 0.0);
        paint_tick(ui, Rect::from_center_size(at, Vec2::splat(box_size - 2.0)), on, ink);
    }
    match ticked {
        Some(on) => r.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, on, &said)),
        None => r.widget_info(|| WidgetInfo::labeled(Role::Button, true, &said)),
    }
    // Rows and board show each other what they name.
    let line = if r.hovered() || r.has_focus() {
        if !row.spots.is_empty() {
            wants.point(row.spots.clone());
        }
        Some(style::offered(ui.visuals()))
    } else {
        over.filter(|spot| row.spots.contains(spot)).map(|_| style::offered(ui.visuals()))
    };
    if let Some(color) = line {
        let line = egui::Stroke::new(2.0, color);
        ui.painter().rect_stroke(r.rect, 3.0, line, egui::StrokeKind::Inside);
    }
    if r.clicked() {
        wants.ask(Request::Pick(i));
    }
}

/// What the end hands to the next game of a campaign, and the way to it.
fn show_handed(ui: &mut Ui, handed: &Result<HandedOn, String>, wants: &mut Wants) {
    let handed = match handed {
        Ok(handed) => handed,
        Err(why) => {
            ui.colored_label(ui.visuals().error_fg_color, format!("A rule error: {why}"));
            return;
        }
    };
    match &handed.next {
        None => drop(ui.label("The campaign is over.")),
        Some(next) => {
            let scenario = next.scenario.as_ref().map_or(String::new(), |s| format!(", {s}"));
            let r = ui.button("Next game of the campaign");
            let help = format!("Start the next game{scenario}, as the end of this one says.");
            if r.on_hover_text(help).clicked() {
                wants.ask(Request::NextGame);
            }
        }
    }
    if !handed.options.is_empty() {
        let all: Vec<String> = handed.options.iter().map(|(o, v)| format!("{o} {v}")).collect();
        ui.label(format!("Handed on: {}.", all.join(", ")));
    }
}
