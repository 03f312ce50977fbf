//! Shows the tools beside the map: the palette, marks, the size. The form has a file of its own.
use super::data::describe_sign;
use super::{Data, Side, State, Tool, exchange, form, layers, patches, stamps};
use crate::command::Command;
use crate::panels::Context;
use egui::{Color32, Ui};
use houserule::ide::draw::{Board, Entry, MapLayer, MarkSort, propose_signs};
use houserule::ide::plan::{Intent, MarkWish};
use std::sync::Arc;

pub(super) fn show_side(state: &mut State, ui: &mut Ui, cx: &Context<'_>, wanted: &mut Vec<Command>) {
    let data = state.data.as_ref();
    let laid = data.is_some_and(|d| !d.patches_of(state.board).is_empty());
    let boards = data.is_some_and(|d| !d.drawing.boards.is_empty());
    match state.side {
        Side::Patches if !laid => state.side = Side::Palette,
        Side::Palette if laid && !boards => state.side = Side::Patches,
        Side::File if state.import.is_none() => state.side = Side::Palette,
        _ => {}
    }
    let importing = state.import.is_some();
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        ui.spacing_mut().button_padding.x = 3.0;
        for (side, name) in [
            (Side::Palette, "Palette"),
            (Side::Patches, "Patches"),
            (Side::Marks, "Marks"),
            (Side::Layers, "Layers"),
            (Side::Stamps, "Stamps"),
            (Side::Form, "Form"),
            (Side::Size, "Size"),
            (Side::File, "From file"),
        ] {
            let shown = match side {
                Side::Patches => laid,
                Side::File => importing,
                _ => true,
            };
            if shown {
                ui.selectable_value(&mut state.side, side, name);
            }
        }
    });
    egui::ScrollArea::vertical().id_salt("side").auto_shrink([false, false]).show(ui, |ui| {
        match state.side {
            Side::Palette => show_palette(state, ui, cx, wanted),
            Side::Marks => show_marks(state, ui, wanted),
            Side::Layers => layers::show_layers(state, ui),
            Side::Stamps => stamps::show_stamps(state, ui, cx, wanted),
            Side::Form => form::show_form(state, ui, cx, wanted),
            Side::Size => show_size(state, ui, cx, wanted),
            Side::Patches => patches::show_patches(state, ui, cx, wanted),
            Side::File => exchange::show_import(state, ui, wanted),
        }
    });
}

/// How many of the places that change elsewhere are listed.
const LISTED: usize = 12;

/// A small field of a sign's colour with the sign on it.
fn show_swatch(ui: &mut Ui, sign: &str, fill: Option<Color32>) {
    let font = egui::TextStyle::Small.resolve(ui.style());
    let wide = (0.6 * font.size * sign.chars().count() as f32 + 4.0).max(34.0);
    let (rect, _) = ui.allocate_exact_size(egui::vec2(wide, 20.0), egui::Sense::hover());
    let fill = fill.unwrap_or(ui.visuals().extreme_bg_color);
    ui.painter().rect(
        rect,
        3.0,
        fill,
        ui.visuals().widgets.noninteractive.bg_stroke,
        egui::StrokeKind::Inside,
    );
    ui.painter().text(
        rect.center(),
        egui::Align2::CENTER_CENTER,
        sign,
        egui::FontId::monospace(font.size),
        crate::style::contrast_color(fill),
    );
}

fn show_palette(state: &mut State, ui: &mut Ui, cx: &Context<'_>, wanted: &mut Vec<Command>) {
    let Some(data) = state.data.clone() else { return };
    let Some(board) = data.board(state.board) else { return };
    let n = data.drawing.boards.iter().position(|b| b.name == board.name).unwrap_or(0);
    let scatter = state.hand.is_mixing();
    let mut on = scatter;
    let tip = "Brush, line, rectangle, fill and the others paint several signs by chance: one with weight 3 three times as often as one with weight 1. The tool Scatter always does.";
    let free = state.hand.tool != Tool::Scatter;
    if ui.add_enabled(free, egui::Checkbox::new(&mut on, "Mix signs by weight")).on_hover_text(tip).changed()
    {
        state.hand.mix = on;
    }
    for (k, e) in board.palette.iter().enumerate() {
        ui.horizontal(|ui| {
            show_swatch(ui, &e.sign, data.colours.get(n).and_then(|c| c.get(&e.sign)).copied());
            if scatter {
                let at = state.hand.weights.iter().position(|(s, _)| *s == e.sign);
                let mut weight = at.and_then(|n| state.hand.weights.get(n)).map_or(0, |w| w.1);
                let r = ui
                    .add(egui::DragValue::new(&mut weight).range(0..=99))
                    .on_hover_text("How often this sign is used");
                r.widget_info(|| {
                    egui::WidgetInfo::labeled(egui::Role::SpinButton, true, format!("Weight of {}", e.sign))
                });
                if r.changed() {
                    state.hand.weights.retain(|(s, _)| *s != e.sign);
                    if weight > 0 {
                        state.hand.weights.push((e.sign.clone(), weight));
                    }
                }
            }
            let on = state.hand.sign == e.sign;
            let told = e.title.clone().unwrap_or_else(|| describe_sign(e));
            let own = if e.origin.is_own() { " (own)" } else { "" };
            let r = ui.add(egui::Button::selectable(on, format!("{told}{own}")).truncate());
            let number = board.palette.iter().filter(|e| e.space).position(|x| x.sign == e.sign);
            let key = number.filter(|n| *n < 9).map(|n| format!(" Key {}.", n + 1)).unwrap_or_default();
            let doc = e.doc.as_deref().map(|d| format!("\n{d}")).unwrap_or_default();
            let r = r.on_hover_text(format!(
                "{}: {}. Used {} times.{key}{doc}",
                e.sign,
                describe_sign(e),
                e.used
            ));
            let name = format!("Sign {}: {}", e.sign, describe_sign(e));
            r.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, on, &name));
            if r.clicked() {
                state.hand.sign = e.sign.clone();
                if matches!(state.hand.tool, Tool::Pick | Tool::Select | Tool::Erase) {
                    state.hand.tool = Tool::Brush;
                }
            }
            r.context_menu(|ui| show_menu(state, ui, cx, board, e, wanted));
        });
        if k == 0 {
            ui.add_space(2.0);
        }
    }
    if !board.palette.iter().any(|e| e.space) {
        ui.label("This map has no signs yet. Begin with one:");
        for (sign, marks) in propose_signs(&data.analysis, board) {
            let shown =
                if marks.is_empty() { format!("{sign}: a space") } else { format!("{sign}: {marks}") };
            if ui.button(shown).on_hover_text("Write this sign into the legend.").clicked() {
                let (sheet, map) = (data.drawing.sheet.id.clone(), board.name.clone());
                wanted.extend(state.plan_intent(&Intent::SetLegend { sheet, map, sign, marks }));
            }
        }
    }
    ui.separator();
    ui.label("A new sign, or another meaning here");
    ui.horizontal(|ui| {
        let r = ui.add(egui::TextEdit::singleline(&mut state.row.0).desired_width(40.0).hint_text("sign"));
        r.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, "The sign"));
        let r = ui.add(
            egui::TextEdit::singleline(&mut state.row.1).desired_width(90.0).hint_text("what it puts there"),
        );
        r.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, "What the sign puts there"));
    });
    if ui.add_enabled(!state.row.0.is_empty(), egui::Button::new("Write into the legend")).clicked() {
        let intent = Intent::SetLegend {
            sheet: data.drawing.sheet.id.clone(),
            map: board.name.clone(),
            sign: state.row.0.trim().into(),
            marks: state.row.1.clone(),
        };
        wanted.extend(state.plan_intent(&intent));
    }
}

fn show_menu(
    state: &State,
    ui: &mut Ui,
    cx: &Context<'_>,
    board: &Board,
    e: &Entry,
    wanted: &mut Vec<Command>,
) {
    let Some(data) = &state.data else { return };
    if let Some(span) = e.origin.span()
        && ui.button("Go to its meaning").clicked()
    {
        wanted.push(Command::GoTo(state.place_of(cx, data, span)));
        ui.close();
    }
    if e.origin.is_own() && ui.button("Forget its meaning here").clicked() {
        let intent = Intent::ResetLegend {
            sheet: data.drawing.sheet.id.clone(),
            map: board.name.clone(),
            sign: e.sign.clone(),
        };
        wanted.extend(state.plan_intent(&intent));
        ui.close();
    }
}

/// Marks one by one: tokens, starts, levels, put on the selection or taken from it.
fn show_marks(state: &mut State, ui: &mut Ui, wanted: &mut Vec<Command>) {
    let Some(data) = state.data.clone() else { return };
    let Some(board) = data.board(state.board) else { return };
    let mut all: Vec<(Arc<str>, MarkSort)> = Vec::new();
    let marks = board.palette.iter().flat_map(|e| &e.meaning.marks);
    for (m, sort) in marks.filter(|(_, sort)| !state.hand.hidden.contains(&MapLayer::of_mark(*sort))) {
        if !all.iter().any(|(x, _)| x == m) {
            all.push((m.clone(), *sort));
        }
    }
    all.sort_by_key(|(_, sort)| *sort);
    let mut spots = state.hand.selection.clone();
    if spots.is_empty() {
        spots.extend(state.view.cursor.map(super::to_spot));
    }
    match spots.first() {
        Some(s) if spots.len() == 1 => ui.label(format!("On {}:", s.name())),
        Some(_) => ui.label(format!("On the {} selected spaces:", spots.len())),
        None => ui.label("Select spaces, or put the cursor on one."),
    };
    if let Some(row) = spots.first().map(|s| s.row).filter(|r| spots.iter().all(|s| s.row == *r)) {
        show_row_name(state, ui, &data, board, row, wanted);
    }
    let mut before = None;
    for (mark, sort) in all {
        if before != Some(sort) {
            before = Some(sort);
            ui.strong(match sort {
                MarkSort::Thing => "Things",
                MarkSort::Drawn => "Drawn from",
                MarkSort::Player => "Players",
                MarkSort::Word => "Words",
                MarkSort::Value => "Values",
            });
        }
        let has = |s: &houserule::ide::draw::Spot| {
            board
                .cell_at(*s)
                .and_then(|c| c.meaning.as_ref())
                .is_some_and(|m| m.marks.iter().any(|(x, _)| *x == mark))
        };
        let (some, every) = (spots.iter().any(has), !spots.is_empty() && spots.iter().all(has));
        let mut on = every;
        let text = if some && !every { format!("{mark} (on some)") } else { mark.to_string() };
        if ui.add_enabled(!spots.is_empty(), egui::Checkbox::new(&mut on, text)).changed() {
            let wish = if on { MarkWish::Put } else { MarkWish::Take };
            let (sheet, map) = (data.drawing.sheet.id.clone(), board.name.clone());
            wanted.extend(state.plan_intent(&Intent::Mark {
                sheet,
                map,
                spots: spots.clone(),
                mark: mark.clone(),
                wish,
            }));
        }
    }
}

/// The name of a row: what the legend says of it holds for each space of the row.
fn show_row_name(
    state: &mut State,
    ui: &mut Ui,
    data: &Data,
    board: &Board,
    row: u32,
    wanted: &mut Vec<Command>,
) {
    let now = board.rows.iter().find(|r| r.row == row).map(|r| r.sign.to_string()).unwrap_or_default();
    let name = format!("Name of row {}", row + 1);
    ui.horizontal(|ui| {
        let label = ui.label(&name);
        let mut text = state.row_name.take().filter(|(r, _)| *r == row).map_or(now.clone(), |(_, t)| t);
        let edit = egui::TextEdit::singleline(&mut text).id_salt(("row", row)).desired_width(50.0);
        let r = ui.add(edit).labelled_by(label.id);
        if r.lost_focus() && text.trim() != now {
            let sign = (!text.trim().is_empty()).then(|| text.trim().into());
            let (sheet, map) = (data.drawing.sheet.id.clone(), board.name.clone());
            wanted.extend(state.plan_intent(&Intent::NameRow { sheet, map, row, sign }));
        } else if r.has_focus() {
            state.row_name = Some((row, text));
        }
    });
}

fn show_size(state: &mut State, ui: &mut Ui, cx: &Context<'_>, wanted: &mut Vec<Command>) {
    let Some(data) = state.data.clone() else { return };
    let Some(board) = data.board(state.board) else { return };
    let l = board.lattice;
    ui.label(format!("{} is {} columns by {} rows.", board.name, l.columns, l.rows));
    egui::Grid::new("sides").num_columns(2).show(ui, |ui| {
        for (n, name) in [
            (&mut state.by.north, "Rows in the north"),
            (&mut state.by.east, "Columns in the east"),
            (&mut state.by.south, "Rows in the south"),
            (&mut state.by.west, "Columns in the west"),
        ] {
            let label = ui.label(name);
            ui.add(egui::DragValue::new(n).range(-20..=20)).labelled_by(label.id);
            ui.end_row();
        }
    });
    let by = state.by;
    let (c, r) = (l.columns as i32 + by.east + by.west, l.rows as i32 + by.north + by.south);
    let intent = Intent::Resize {
        sheet: data.drawing.sheet.id.clone(),
        map: board.name.clone(),
        by,
        sign: state.hand.sign.clone(),
    };
    ui.label(format!("The map becomes {c} by {r}, with `{}` on the new spaces.", state.hand.sign));
    state.update_preview(&intent, by, cx);
    if let Some(p) = &state.preview {
        if let Some(why) = &p.why {
            ui.colored_label(ui.visuals().warn_fg_color, why);
        } else if !p.elsewhere.is_empty() {
            let n = p.elsewhere.len();
            ui.label(match n {
                1 => String::from("1 place elsewhere changes with it, in the same step:"),
                n => format!("{n} places elsewhere change with it, in the same step:"),
            });
            for e in p.elsewhere.iter().take(LISTED) {
                ui.add(egui::Label::new(egui::RichText::new(e).monospace().small()).truncate());
            }
            if n > LISTED {
                ui.weak(format!("and {} more", n - LISTED));
            }
        }
    }
    if ui.add_enabled(by != Default::default(), egui::Button::new("Resize")).clicked() {
        let done = state.plan_intent(&intent);
        if done.iter().any(|c| matches!(c, Command::Apply { .. })) {
            state.by = Default::default();
        }
        wanted.extend(done);
    }
}
