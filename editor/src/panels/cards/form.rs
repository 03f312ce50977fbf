//! Shows an open card: its face, the form of its values with where each comes from, its text, and where its name is used.
use super::data::Data;
use super::face::{LARGE, paint_face};
use super::{Act, Opened, State, try_show};
use crate::command::Command;
use crate::document::TextPlace;
use crate::panels::{Context, show_button, show_primary_button};
use egui::{Color32, RichText, Role, Sense, Ui, WidgetInfo};
use houserule::ide::cards::{Card, CardField, CardKey};
use houserule::ide::draw::{FieldType, Origin, State as Whose};
use houserule::ide::plan::Intent;
use houserule::text::Span;

/// From this width on the text stands beside the form.
const WIDE: f32 = 680.0;

/// From this width on *Try it* stands beside both; below it under the text.
const BESIDE: f32 = 1150.0;

/// How wide *Try it* is there.
const TRY_IT: f32 = 440.0;

/// How wide the form is where the text stands beside it.
const FORM: f32 = 350.0;

/// How wide the field of a value is.
const VALUE: f32 = 140.0;

/// Texts longer than this have several lines.
const LONG: usize = 18;

/// Whether a field has several lines.
fn is_long(f: &CardField) -> bool {
    f.ty == FieldType::Text && f.text.chars().count() > LONG
}

/// Where a span is now.
pub(super) fn place_of(cx: &Context<'_>, data: &Data, span: Span) -> TextPlace {
    let file = data.analysis.files.get(span.file).map_or("", |f| f.name.as_str());
    let range = cx.document.follow_range(data.revision, file, span.range()).range;
    TextPlace::new(file, range)
}

/// Shows the card that is open.
pub(super) fn show_card(
    state: &mut State,
    ui: &mut Ui,
    cx: &Context<'_>,
    card: &Card,
    out: &mut Vec<Command>,
) {
    let (Some(data), Some(opened)) = (state.data.clone(), state.opened.clone()) else { return };
    ui.horizontal_wrapped(|ui| {
        for act in [Act::Back, Act::Previous, Act::Next, Act::Duplicate, Act::New, Act::Delete] {
            show_button(ui, cx.keys, Command::Cards(act), true, out);
        }
        if !state.bench.open {
            show_primary_button(ui, cx.keys, Command::Cards(Act::TryIt), true, out);
        }
    });
    ui.separator();
    let width = ui.available_width();
    let tries = state.bench.open;
    if tries && width >= BESIDE {
        egui::Panel::right("try it").default_size(TRY_IT).min_size(320.0).resizable(true).show(ui, |ui| {
            show_try_it(state, ui, cx, &data, card, out);
        });
    }
    if width >= WIDE {
        egui::Panel::left("card form").default_size(FORM).min_size(280.0).resizable(true).show(ui, |ui| {
            egui::ScrollArea::vertical().id_salt("card form").auto_shrink(false).show(ui, |ui| {
                show_face_and_form(state, ui, cx, &data, card, &opened, out);
            });
        });
        if tries && width < BESIDE {
            let high = ui.available_height() * 0.65;
            egui::Panel::bottom("try it below").default_size(high).min_size(160.0).resizable(true).show(
                ui,
                |ui| {
                    show_try_it(state, ui, cx, &data, card, out);
                },
            );
        }
        egui::ScrollArea::both().id_salt("card text").auto_shrink(false).show(ui, |ui| {
            egui::Frame::new().inner_margin(8).show(ui, |ui| {
                show_text(ui, cx, &data, card, &opened, out);
            });
        });
    } else {
        egui::ScrollArea::vertical().id_salt("card form").auto_shrink(false).show(ui, |ui| {
            // The form may be wider than the pane.
            let room = ui.available_width();
            show_face_and_form(state, ui, cx, &data, card, &opened, out);
            ui.separator();
            if tries {
                ui.scope(|ui| {
                    ui.set_max_width(room);
                    try_show::show(state, ui, cx, &data, card, out);
                });
                ui.separator();
            }
            egui::ScrollArea::horizontal().id_salt("card text").show(ui, |ui| {
                ui.vertical(|ui| show_text(ui, cx, &data, card, &opened, out));
            });
        });
    }
}

fn show_try_it(
    state: &mut State,
    ui: &mut Ui,
    cx: &Context<'_>,
    data: &Data,
    card: &Card,
    out: &mut Vec<Command>,
) {
    egui::ScrollArea::vertical().id_salt("try it").auto_shrink(false).show(ui, |ui| {
        egui::Frame::new().inner_margin(8).show(ui, |ui| try_show::show(state, ui, cx, data, card, out));
    });
}

fn show_face_and_form(
    state: &mut State,
    ui: &mut Ui,
    cx: &Context<'_>,
    data: &Data,
    card: &Card,
    opened: &Opened,
    out: &mut Vec<Command>,
) {
    let (rect, r) = ui.allocate_exact_size(LARGE, Sense::hover());
    r.widget_info(|| WidgetInfo::labeled(Role::Image, true, format!("The face of {}", card.title)));
    paint_face(ui, rect, card, &data.signs, 14.0);
    let kind = data.set.find(&card.id).map_or("", |(g, _)| &g.title);
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(card.id.to_string()).monospace());
        let within = card.within.as_ref().map(|w| format!(", in the {w}")).unwrap_or_default();
        ui.label(format!("{kind}{within}"));
    });
    if let Some(doc) = &card.doc {
        ui.label(RichText::new(doc).italics());
    }
    ui.add_space(4.0);
    egui::Grid::new("card fields").num_columns(3).spacing([10.0, 6.0]).show(ui, |ui| {
        for field in &opened.card.fields {
            show_field(state, ui, cx, data, card, field, out);
            ui.end_row();
        }
    });
    for f in &opened.card.findings {
        let color = if f.error { ui.visuals().error_fg_color } else { ui.visuals().warn_fg_color };
        let help = f.help.as_ref().map(|h| format!(". {h}")).unwrap_or_default();
        let r = ui.add(
            egui::Label::new(RichText::new(format!("{}{help}", f.message)).color(color))
                .sense(Sense::click()),
        );
        if r.on_hover_text("Go to the place").clicked() {
            out.push(Command::GoTo(place_of(cx, data, f.span)));
        }
    }
}

/// A field's name, so that it is seen whose its value is.
fn field_label(f: &CardField) -> RichText {
    match f.state {
        Whose::Own => RichText::new(&f.label).strong(),
        Whose::Inherited => RichText::new(&f.label).italics(),
        Whose::Default | Whose::Unset => RichText::new(&f.label),
    }
}

/// Whose a value is, with a sign of its own for each.
fn note_label(ui: &Ui, f: &CardField) -> RichText {
    let sign = match f.state {
        Whose::Own => "■",
        Whose::Inherited => "↑",
        Whose::Default => "○",
        Whose::Unset => "–",
    };
    let text = RichText::new(format!("{sign} {}", f.note)).size(crate::style::SMALL);
    match f.state {
        Whose::Own => text.color(ui.visuals().hyperlink_color),
        Whose::Inherited => text.italics(),
        Whose::Default | Whose::Unset => text.color(muted(ui)),
    }
}

/// Quieter than text, and still easy to read.
fn muted(ui: &Ui) -> Color32 {
    ui.visuals().text_color().gamma_multiply(0.85)
}

/// One line of the form: its name, its value, and whose the value is.
fn show_field(
    state: &mut State,
    ui: &mut Ui,
    cx: &Context<'_>,
    data: &Data,
    card: &Card,
    f: &CardField,
    out: &mut Vec<Command>,
) {
    let label = ui.label(field_label(f));
    if let Some(doc) = &f.doc {
        label.on_hover_text(doc);
    }
    let said = format!("{}, {}", f.label, f.note);
    let mut text = None;
    let mut show = |ui: &mut Ui| {
        text = show_value(state, ui, f, &said);
        if let Some(shown) = &f.shown {
            ui.label(format!("= {shown}"));
        }
    };
    // A text of several lines is as high as it is long.
    match is_long(f) {
        true => ui.vertical(&mut show),
        false => ui.horizontal(&mut show),
    };
    ui.horizontal(|ui| {
        ui.label(note_label(ui, f));
        if f.state == Whose::Own {
            let name = format!("Reset {}", f.label);
            let r = ui.small_button("Reset").on_hover_text("Take it out: what is inherited holds again");
            r.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
            if r.clicked() {
                let intent = Intent::ResetCard { card: card.id.clone(), field: f.key.clone() };
                out.extend(state.plan_intent(&intent));
            }
        }
        // The way to a value that does not stand in the card's own braces.
        let elsewhere = f.state != Whose::Own || f.note == "set in the list";
        let way = matches!(f.key, CardKey::Value(_)) || matches!(f.origin, Origin::FromOther(_));
        if let Some(span) = f.origin.span().filter(|_| elsewhere && way) {
            let name = format!("Go to where {} is set", f.label);
            let r = ui.small_button("→").on_hover_text(&name);
            r.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
            if r.clicked() {
                out.push(Command::GoTo(place_of(cx, data, span)));
            }
        }
    });
    if let Some(text) = text {
        let intent = Intent::SetCard { card: card.id.clone(), field: f.key.clone(), text };
        out.extend(state.plan_intent(&intent));
    }
}

/// The widget of a value; what a hand has written.
fn show_value(state: &mut State, ui: &mut Ui, f: &CardField, said: &str) -> Option<String> {
    let mut text = None;
    match &f.ty {
        FieldType::Truth if matches!(f.text.as_str(), "yes" | "no" | "") => {
            let mut on = f.text == "yes";
            let shown = if on { "yes" } else { "no" };
            let r = ui.checkbox(&mut on, shown);
            r.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, on, said));
            if r.changed() {
                text = Some(if on { "yes" } else { "no" }.to_string());
            }
        }
        FieldType::Words(words) if f.text.is_empty() || words.iter().any(|(w, _)| **w == *f.text) => {
            let shown = words.iter().find(|(w, _)| **w == *f.text).map_or("", |(_, t)| t.as_str());
            let combo =
                egui::ComboBox::from_id_salt(("card field", &f.key)).selected_text(shown).width(VALUE - 8.0);
            let r = combo.show_ui(ui, |ui| {
                for (w, title) in words {
                    if ui.selectable_label(**w == *f.text, title).clicked() {
                        text = Some(w.to_string());
                    }
                }
            });
            r.response.widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, said));
        }
        _ => {
            let draft = state.drafts.entry(f.key.clone()).or_insert_with(|| f.text.clone());
            let wide = if matches!(f.ty, FieldType::Number(..)) { 60.0 } else { VALUE };
            let long = is_long(f);
            // In a text of several lines Enter ends the writing, too.
            let r = match long {
                true => ui.add(egui::TextEdit::multiline(draft).desired_width(VALUE).return_key(None)),
                false => ui.add_sized([wide, 22.0], egui::TextEdit::singleline(draft)),
            };
            if long && r.has_focus() && ui.input(|i| i.key_pressed(egui::Key::Enter)) {
                r.surrender_focus();
            }
            let role = if long { Role::MultilineTextInput } else { Role::TextInput };
            r.widget_info(|| WidgetInfo::labeled(role, true, said));
            if r.lost_focus() {
                let left = ui.input(|i| i.key_pressed(egui::Key::Escape));
                let draft = state.drafts.remove(&f.key).unwrap_or_default();
                text = Some(draft).filter(|d| !left && *d != f.text);
            } else if !r.has_focus() {
                state.drafts.remove(&f.key);
            }
        }
    }
    text
}

/// The card's own text, a line a node; a click goes there. Below it the places that use its name.
fn show_text(
    ui: &mut Ui,
    cx: &Context<'_>,
    data: &Data,
    card: &Card,
    opened: &Opened,
    out: &mut Vec<Command>,
) {
    let span = opened.card.source_span;
    let file = data.analysis.files.get(span.file);
    let first = file.map_or(0, |f| f.line_col(span.start as usize).line);
    ui.horizontal_wrapped(|ui| {
        ui.strong("Text");
        ui.label(RichText::new(file.map_or("", |f| f.name.as_str())).color(muted(ui)));
    });
    ui.add_space(2.0);
    ui.spacing_mut().item_spacing.y = 1.0;
    let mut at = span.start as usize;
    for (n, line) in opened.card.source.split('\n').enumerate() {
        let shown = line.trim_end_matches('\r');
        let text = RichText::new(format!("{:>4}  {shown}", first + n)).monospace();
        let r = ui.add(egui::Label::new(text).sense(Sense::click()).extend());
        let said = format!("Text of {}, line {}: {}", card.title, first + n, shown.trim());
        r.widget_info(|| WidgetInfo::labeled(Role::Link, true, &said));
        if r.has_focus() || r.hovered() {
            ui.painter().rect_filled(r.rect, 2, ui.visuals().text_color().gamma_multiply(0.1));
        }
        let begin = at + (shown.len() - shown.trim_start().len());
        let end = at + shown.len();
        at += line.len() + 1;
        if r.on_hover_cursor(egui::CursorIcon::PointingHand).clicked() {
            out.push(Command::GoTo(place_of(cx, data, Span::new(span.file, begin.min(end), end))));
        }
    }
    ui.add_space(10.0);
    let uses = &opened.card.uses;
    match uses.len() {
        0 => ui.label(RichText::new("Nothing uses its name.").color(muted(ui))),
        n => ui.strong(format!("Used {}", if n == 1 { String::from("once") } else { format!("{n} times") })),
    };
    ui.spacing_mut().item_spacing.y = 3.0;
    let mut before = None;
    for used in uses.iter().take(100) {
        // A line that names it twice is listed once.
        let here = Some((&used.place.file, used.line));
        if std::mem::replace(&mut before, here) == here {
            continue;
        }
        let text: String = used.text.chars().take(90).collect();
        let name = format!("{}:{}  {text}", used.place.file, used.line);
        if ui.link(name).clicked() {
            let range = cx.document.follow_range(data.revision, &used.place.file, used.place.range()).range;
            out.push(Command::GoTo(TextPlace::new(used.place.file.clone(), range)));
        }
    }
}
