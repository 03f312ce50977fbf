//! Shows what stands beside the table: choices, *why not?*, and the log.
use super::Want;
use super::data::Data;
use crate::canvas::readable_color;
use crate::play::choices::Does;
use crate::play::why::Why;
use egui::{RichText, Role, Ui, WidgetInfo};
use houserule::play::{HandedOn, Spot};

/// Shows the choices with their keys. `typed` is what stands in the field, `over` is the place of a map under the pointer.
pub fn show_choices(
    ui: &mut Ui,
    data: &Data,
    typed: &mut String,
    focus: bool,
    over: Option<Spot>,
    wants: &mut Vec<Want>,
) {
    let Some(c) = &data.choices else {
        let seat = data.seats.get(data.view_as).map_or("This seat", |s| &s.name);
        let asked: Vec<&str> = data.seats.iter().filter(|s| s.asked).map(|s| s.name.as_str()).collect();
        ui.label(match (data.over, data.step.0 < data.step.1, asked.is_empty()) {
            (true, _, _) => String::from("The game is over. Go back on the time line, or start another one."),
            (_, true, _) => format!("{seat} was not asked here. Go on along the time line."),
            (_, _, false) => format!("{seat} is not asked now; {} is.", asked.join(" and ")),
            _ => String::from("Nobody is asked anything now."),
        });
        if let Some(handed) = &data.handed {
            show_handed(ui, handed, wants);
        }
        return;
    };
    ui.horizontal_wrapped(|ui| {
        ui.label(format!("{}:", c.name));
        ui.strong(&c.prompt);
    });
    if c.asked.len() > 1 {
        ui.horizontal_wrapped(|ui| {
            for (question, prompt) in &c.asked {
                let name = if prompt.is_empty() { "another question" } else { prompt.as_str() };
                if ui.selectable_label(*question == c.question, name).clicked() {
                    wants.push(Want::Question(*question));
                }
            }
        });
    }
    let field = ui.add(
        egui::TextEdit::singleline(typed)
            .hint_text("Type a choice, or a part of it")
            .desired_width(f32::INFINITY),
    );
    field.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Type a choice"));
    if focus {
        field.request_focus();
    }
    if field.changed() {
        wants.push(Want::Typed(typed.clone()));
    }
    if field.lost_focus() && ui.input(|i| i.key_pressed(egui::Key::Enter)) && !typed.trim().is_empty() {
        wants.push(Want::Say(typed.clone()));
    }
    if !c.picked.is_empty() || !c.held.is_empty() {
        ui.horizontal_wrapped(|ui| {
            ui.weak(c.picked.join(" › "));
            if ui.button("Put back").on_hover_text("Put the last pick back (Backspace).").clicked() {
                wants.push(Want::Unpick);
            }
        });
    }
    if let Some((least, most)) = c.picking {
        let n = if least == most { least.to_string() } else { format!("{least} to {most}") };
        ui.weak(format!(
            "Pick {n}: a click or the blank key picks and puts back, Enter takes what is picked."
        ));
    }
    if let Some((_, words)) = &c.complete {
        let label = format!("Enter  {words}");
        let r = ui.button(RichText::new(&label).strong());
        r.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Take {words} (Enter)")));
        if r.on_hover_text("Take what is picked: Enter, on the map, too.").clicked() {
            wants.push(Want::Confirm);
        }
    }
    let mut pointed = Vec::new();
    for (i, row) in c.rows.iter().enumerate() {
        let key = row.key.map_or(String::from("  "), |k| format!("{k} "));
        let tail = match &row.does {
            Does::Go(_, ways) if *ways > 1 && *ways < u64::MAX => format!(" … ({ways})"),
            Does::Go(houserule::play::Piece::Element(_), _) | Does::Choose(_) => String::new(),
            Does::Go(..) => String::from(" …"),
        };
        let text = format!("{key} {}{tail}", row.title);
        let button =
            egui::Button::new(text).wrap().min_size(egui::vec2(ui.available_width(), 0.0)).right_text("");
        let r = ui.add(button);
        let said = format!("{}{tail}", row.title);
        r.widget_info(|| WidgetInfo::labeled(Role::Button, true, &said));
        // Rows and board show each other what they name.
        let line = if r.hovered() || r.has_focus() {
            pointed = row.spots.clone();
            Some(ui.visuals().selection.stroke.color)
        } else {
            over.filter(|spot| row.spots.contains(spot)).map(|_| ui.visuals().hyperlink_color)
        };
        if let Some(color) = line {
            let line = egui::Stroke::new(2.0, color);
            ui.painter().rect_stroke(r.rect, 3.0, line, egui::StrokeKind::Inside);
        }
        if r.clicked() {
            wants.push(Want::Pick(i));
        }
    }
    wants.push(Want::Point(pointed));
    if c.more > 0 {
        ui.weak(format!("and {} more: type a part of one to find it", c.more));
    }
}

/// What the end hands to the next game of a campaign, and the way to it.
fn show_handed(ui: &mut Ui, handed: &Result<HandedOn, String>, wants: &mut Vec<Want>) {
    let handed = match handed {
        Ok(handed) => handed,
        Err(why) => {
            ui.colored_label(ui.visuals().error_fg_color, format!("A rule error: {why}"));
            return;
        }
    };
    if !handed.options.is_empty() {
        let all: Vec<String> = handed.options.iter().map(|(o, v)| format!("{o} {v}")).collect();
        ui.label(format!("Handed on: {}.", all.join(", ")));
    }
    let Some(next) = &handed.next else {
        ui.label("The campaign is over.");
        return;
    };
    let scenario = next.scenario.as_ref().map_or(String::new(), |s| format!(", {s}"));
    let r = ui.button("Next game of the campaign");
    if r.on_hover_text(format!("Start the next game{scenario}, as the end of this one says.")).clicked() {
        wants.push(Want::NextGame);
    }
}

/// The answer to *why not?*.
pub fn show_why(ui: &mut Ui, why: &Why, wants: &mut Vec<Want>) {
    ui.horizontal(|ui| {
        ui.strong(format!("Why not {}?", why.about));
        if ui.button("Close").clicked() {
            wants.push(Want::CloseWhy);
        }
    });
    if let Some(note) = &why.note {
        ui.label(note);
    }
    for about in &why.actions {
        ui.horizontal_wrapped(|ui| {
            ui.label(RichText::new(&about.what).strong());
            if about.against.is_empty() {
                ui.label("– nothing forbids it");
            }
        });
        ui.indent(("against", &about.what), |ui| {
            for reason in &about.against {
                match &reason.place {
                    Some((file, range)) => {
                        if ui.link(&reason.text).on_hover_text(format!("Go to the rule in {file}.")).clicked()
                        {
                            wants.push(Want::GoTo(file.clone(), range.clone()));
                        }
                    }
                    None => {
                        ui.label(&reason.text);
                    }
                }
            }
            if !about.against.is_empty() && !about.words.is_empty() {
                let r = ui.small_button("Make a test of this refusal");
                if r.on_hover_text(
                    "Writes a test beside the rule: it plays up to here, and then this must be refused.",
                )
                .clicked()
                {
                    wants.push(Want::MakeTest(Some(about.words.clone())));
                }
            }
        });
    }
}

/// What has happened, the newest below. `details` shows what changed besides.
pub fn show_log(ui: &mut Ui, data: &Data, details: &mut bool, wants: &mut Vec<Want>) {
    ui.horizontal(|ui| {
        ui.strong("Log");
        ui.checkbox(details, "every change");
    });
    let shown: Vec<_> = data.log.iter().filter(|l| *details || !l.detail).collect();
    let row = ui.text_style_height(&egui::TextStyle::Body) + ui.spacing().item_spacing.y;
    egui::ScrollArea::vertical().id_salt("log").stick_to_bottom(true).auto_shrink([false, false]).show_rows(
        ui,
        row,
        shown.len(),
        |ui, rows| {
            for line in shown.get(rows).unwrap_or(&[]) {
                let mut text = RichText::new(&line.text);
                if line.heading {
                    text = text.strong();
                } else if let Some(color) = line.player.and_then(|p| data.player_color(p)) {
                    text = text.color(readable_color(color, ui.visuals().panel_fill));
                }
                match &line.place {
                    Some((file, range)) => {
                        let link = egui::Label::new(text).truncate().sense(egui::Sense::click());
                        let r = ui
                            .add(link)
                            .on_hover_text(format!("{}\n{} – click to go there", line.text, line.rule));
                        r.widget_info(|| WidgetInfo::labeled(Role::Link, true, &line.text));
                        if r.clicked() {
                            wants.push(Want::GoTo(file.clone(), range.clone()));
                        }
                    }
                    None => {
                        ui.add(egui::Label::new(text).truncate());
                    }
                }
            }
        },
    );
}
