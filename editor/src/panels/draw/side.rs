//! What stands beside the map: the palette, marks, the form, the size.
use super::data::said_of;
use super::{Side, State, Tool};
use crate::command::Command;
use crate::panels::Context;
use egui::{Color32, RichText, Ui};
use houserule::ide::draw::{
    Board, Entry, Field, FieldKey, FieldType, ListedSort, MarkSort, Origin, State as FieldState,
};
use houserule::ide::plan::{Intent, MarkWish};
use std::sync::Arc;

pub(super) fn show(state: &mut State, ui: &mut Ui, cx: &Context<'_>, wanted: &mut Vec<Command>) {
    ui.horizontal_wrapped(|ui| {
        for (side, name) in
            [(Side::Palette, "Palette"), (Side::Marks, "Marks"), (Side::Form, "Form"), (Side::Size, "Size")]
        {
            ui.selectable_value(&mut state.side, side, name);
        }
    });
    egui::ScrollArea::vertical().id_salt("side").auto_shrink([false, false]).show(ui, |ui| {
        match state.side {
            Side::Palette => palette(state, ui, cx, wanted),
            Side::Marks => marks(state, ui, wanted),
            Side::Form => form(state, ui, cx, wanted),
            Side::Size => size(state, ui, wanted),
        }
    });
}

/// A small field of a sign's colour with the sign on it.
fn swatch(ui: &mut Ui, sign: &str, fill: Option<Color32>) {
    let (rect, _) = ui.allocate_exact_size(egui::vec2(34.0, 20.0), egui::Sense::hover());
    let fill = fill.unwrap_or(ui.visuals().extreme_bg_color);
    ui.painter().rect(
        rect,
        3.0,
        fill,
        ui.visuals().widgets.noninteractive.bg_stroke,
        egui::StrokeKind::Inside,
    );
    let size = (30.0 / (0.6 * sign.chars().count().max(1) as f32)).min(14.0);
    ui.painter().text(
        rect.center(),
        egui::Align2::CENTER_CENTER,
        sign,
        egui::FontId::monospace(size),
        crate::canvas::ink(fill),
    );
}

fn palette(state: &mut State, ui: &mut Ui, cx: &Context<'_>, wanted: &mut Vec<Command>) {
    let Some(data) = state.data.clone() else { return };
    let Some(board) = data.board(state.board) else { return };
    let n = data.drawing.boards.iter().position(|b| b.name == board.name).unwrap_or(0);
    let scatter = state.hand.tool == Tool::Scatter;
    if scatter {
        ui.weak("How often each sign comes, by chance:");
    }
    for (k, e) in board.palette.iter().enumerate() {
        ui.horizontal(|ui| {
            swatch(ui, &e.sign, data.colours.get(n).and_then(|c| c.get(&e.sign)).copied());
            if scatter {
                let at = state.hand.weights.iter().position(|(s, _)| *s == e.sign);
                let mut weight = at.and_then(|n| state.hand.weights.get(n)).map_or(0, |w| w.1);
                let r = ui.add(egui::DragValue::new(&mut weight).range(0..=99));
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
            let told = e.title.clone().unwrap_or_else(|| said_of(e));
            let own = if e.origin.is_own() { " (own)" } else { "" };
            let r = ui.add(egui::Button::selectable(on, format!("{told}{own}")).truncate());
            let number = board.palette.iter().filter(|e| e.space).position(|x| x.sign == e.sign);
            let key = number.filter(|n| *n < 9).map(|n| format!(" Key {}.", n + 1)).unwrap_or_default();
            let doc = e.doc.as_deref().map(|d| format!("\n{d}")).unwrap_or_default();
            let r = r.on_hover_text(format!("{}: {}. Used {} times.{key}{doc}", e.sign, said_of(e), e.used));
            let name = format!("Sign {}: {}", e.sign, said_of(e));
            r.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, on, &name));
            if r.clicked() {
                state.hand.sign = e.sign.clone();
                if matches!(state.hand.tool, Tool::Pick | Tool::Select | Tool::Erase) {
                    state.hand.tool = Tool::Stamp;
                }
            }
            r.context_menu(|ui| menu(state, ui, cx, board, e, wanted));
        });
        if k == 0 {
            ui.add_space(2.0);
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
        wanted.extend(state.planned(&intent));
    }
}

fn menu(state: &State, ui: &mut Ui, cx: &Context<'_>, board: &Board, e: &Entry, wanted: &mut Vec<Command>) {
    let Some(data) = &state.data else { return };
    if let Some(span) = e.origin.span()
        && ui.button("Go to its meaning").clicked()
    {
        wanted.push(Command::GoTo(state.place(cx, data, span)));
        ui.close();
    }
    if e.origin.is_own() && ui.button("Forget its meaning here").clicked() {
        let intent = Intent::ResetLegend {
            sheet: data.drawing.sheet.id.clone(),
            map: board.name.clone(),
            sign: e.sign.clone(),
        };
        wanted.extend(state.planned(&intent));
        ui.close();
    }
}

/// Marks one by one: tokens, starts, levels, put on the selection or taken from it.
fn marks(state: &mut State, ui: &mut Ui, wanted: &mut Vec<Command>) {
    let Some(data) = state.data.clone() else { return };
    let Some(board) = data.board(state.board) else { return };
    let mut all: Vec<(Arc<str>, MarkSort)> = Vec::new();
    for (m, sort) in board.palette.iter().flat_map(|e| &e.meaning.marks) {
        if !all.iter().any(|(x, _)| x == m) {
            all.push((m.clone(), *sort));
        }
    }
    all.sort_by_key(|(_, sort)| *sort);
    let mut spots = state.hand.selection.clone();
    if spots.is_empty() {
        spots.extend(state.view.cursor.map(super::spot));
    }
    match spots.first() {
        Some(s) if spots.len() == 1 => ui.label(format!("On {}:", s.name())),
        Some(_) => ui.label(format!("On the {} selected spaces:", spots.len())),
        None => ui.label("Select spaces, or put the cursor on one."),
    };
    let mut before = None;
    for (mark, sort) in all {
        if before != Some(sort) {
            before = Some(sort);
            ui.strong(match sort {
                MarkSort::Thing => "Things",
                MarkSort::Drawn => "Drawn from",
                MarkSort::Word => "Words",
                MarkSort::Value => "Values",
            });
        }
        let has = |s: &houserule::ide::draw::Spot| {
            board
                .cell(*s)
                .and_then(|c| c.meaning.as_ref())
                .is_some_and(|m| m.marks.iter().any(|(x, _)| *x == mark))
        };
        let (some, every) = (spots.iter().any(has), !spots.is_empty() && spots.iter().all(has));
        let mut on = every;
        let text = if some && !every { format!("{mark} (on some)") } else { mark.to_string() };
        if ui.add_enabled(!spots.is_empty(), egui::Checkbox::new(&mut on, text)).changed() {
            let wish = if on { MarkWish::Put } else { MarkWish::Take };
            let (sheet, map) = (data.drawing.sheet.id.clone(), board.name.clone());
            wanted.extend(state.planned(&Intent::Mark {
                sheet,
                map,
                spots: spots.clone(),
                mark: mark.clone(),
                wish,
            }));
        }
    }
}

fn form(state: &mut State, ui: &mut Ui, cx: &Context<'_>, wanted: &mut Vec<Command>) {
    let Some(data) = state.data.clone() else { return };
    if data.drawing.fields.is_empty() {
        ui.label("This is the game itself: its rules are written in the text. Choose a scenario to fill in its form.");
        return;
    }
    for f in &data.drawing.fields {
        field(state, ui, cx, f, wanted);
    }
    ui.separator();
    let sheet = data.drawing.sheet.id.clone();
    let mut sort = None;
    for l in &data.drawing.listed {
        if sort != Some((l.item.is_none(), l.sort)) {
            sort = Some((l.item.is_none(), l.sort));
            let name = match l.sort {
                ListedSort::Attachment => "Changes of rules",
                ListedSort::Condition => "Conditions",
                ListedSort::Other => "Also declared",
            };
            ui.strong(if l.item.is_none() { format!("{name}, inherited") } else { name.to_string() });
        }
        ui.horizontal(|ui| {
            if l.item.is_some()
                && ui.small_button("×").on_hover_text(format!("Take out: {}", l.text)).clicked()
                && let Some(item) = l.item
            {
                wanted.extend(state.planned(&Intent::RemoveItem { sheet: sheet.clone(), item }));
            }
            let text = RichText::new(if l.more { format!("{} …", l.text) } else { l.text.clone() })
                .monospace()
                .small();
            let text = if l.item.is_none() { text.italics().weak() } else { text };
            let r = ui.add(egui::Link::new(text));
            let r = r.on_hover_text(l.doc.clone().unwrap_or_else(|| "Go to the text".into()));
            if r.clicked()
                && let Some(span) = l.origin.span()
            {
                wanted.push(Command::GoTo(state.place(cx, &data, span)));
            }
        });
    }
    ui.horizontal(|ui| {
        let r = ui.add(
            egui::TextEdit::singleline(&mut state.item)
                .desired_width(120.0)
                .hint_text("needs count(players) == 3"),
        );
        r.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, "A declaration to add"));
        if ui.add_enabled(!state.item.trim().is_empty(), egui::Button::new("Add")).clicked() {
            let done = state.planned(&Intent::AddItem { sheet, text: state.item.clone() });
            if done.iter().any(|c| matches!(c, Command::Apply { .. })) {
                state.item.clear();
            }
            wanted.extend(done);
        }
    });
}

/// One line of the form: its name, its value, and whose the value is.
fn field(state: &mut State, ui: &mut Ui, cx: &Context<'_>, f: &Field, wanted: &mut Vec<Command>) {
    let Some(data) = state.data.clone() else { return };
    let sheet = data.drawing.sheet.id.clone();
    let own = f.state == FieldState::Own;
    let set = |state: &State, text: String| {
        state.planned(&Intent::SetField { sheet: sheet.clone(), field: f.key.clone(), text })
    };
    ui.add_space(4.0);
    let name = if own { RichText::new(&f.label).strong() } else { RichText::new(&f.label).italics() };
    let label = ui.label(name);
    let label = match &f.doc {
        Some(doc) => label.on_hover_text(doc),
        None => label,
    };
    let said = format!("{}, {}", f.label, f.state.name());
    ui.horizontal_wrapped(|ui| {
        match &f.ty {
            FieldType::Truth => {
                let mut on = f.text == "yes";
                let shown = if on { "yes" } else { "no" };
                let r = ui.checkbox(&mut on, shown);
                r.widget_info(|| egui::WidgetInfo::selected(egui::Role::CheckBox, true, on, &said));
                if r.changed() {
                    wanted.extend(set(state, if on { "yes" } else { "no" }.into()));
                }
            }
            FieldType::Words(words) => {
                let shown =
                    words.iter().find(|(w, _)| **w == *f.text).map_or(f.text.as_str(), |(_, t)| t.as_str());
                let mut chosen = None;
                let combo =
                    egui::ComboBox::from_id_salt(("field", &f.label)).selected_text(shown).width(130.0);
                let r = combo.show_ui(ui, |ui| {
                    for (w, title) in words {
                        if ui.selectable_label(**w == *f.text, title).clicked() {
                            chosen = Some(w.to_string());
                        }
                    }
                });
                r.response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::ComboBox, true, &said));
                if let Some(w) = chosen {
                    wanted.extend(set(state, w));
                }
            }
            _ => {
                let draft = state.drafts.entry(f.key.clone()).or_insert_with(|| f.text.clone());
                let r = ui.add(egui::TextEdit::singleline(draft).desired_width(120.0));
                r.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, &said));
                if r.lost_focus() {
                    let text = draft.clone();
                    state.drafts.remove(&f.key);
                    if text != f.text {
                        wanted.extend(set(state, text));
                    }
                } else if !r.has_focus() {
                    state.drafts.remove(&f.key);
                }
            }
        }
        let whose = RichText::new(f.state.name()).small();
        ui.label(if own { whose.color(ui.visuals().hyperlink_color) } else { whose.weak() });
        if own
            && !matches!(f.key, FieldKey::Title)
            && ui.small_button("Reset").on_hover_text(format!("Reset {}", f.label)).clicked()
        {
            wanted.extend(state.planned(&Intent::ResetField { sheet: sheet.clone(), field: f.key.clone() }));
        }
        if !own
            && let Origin::FromOther(span) | Origin::Default(Some(span)) = f.origin
            && ui.small_button("Go to it").on_hover_text(format!("Go to where {} is said", f.label)).clicked()
        {
            wanted.push(Command::GoTo(state.place(cx, &data, span)));
        }
    });
    let _ = label;
}

fn size(state: &mut State, ui: &mut Ui, wanted: &mut Vec<Command>) {
    let Some(data) = state.data.clone() else { return };
    let Some(board) = data.board(state.board) else { return };
    let l = board.lattice;
    ui.label(format!("{} is {} columns by {} rows.", board.name, l.columns, l.rows));
    for (n, name) in [
        (&mut state.by.north, "Rows in the north"),
        (&mut state.by.east, "Columns in the east"),
        (&mut state.by.south, "Rows in the south"),
        (&mut state.by.west, "Columns in the west"),
    ] {
        ui.horizontal(|ui| {
            let label = ui.label(name);
            ui.add(egui::DragValue::new(n).range(-20..=20)).labelled_by(label.id);
        });
    }
    let by = state.by;
    let (c, r) = (l.columns as i32 + by.east + by.west, l.rows as i32 + by.north + by.south);
    let intent = Intent::Resize {
        sheet: data.drawing.sheet.id.clone(),
        map: board.name.clone(),
        by,
        sign: state.hand.sign.clone(),
    };
    ui.label(format!("Then it is {c} by {r}; new spaces are {}.", state.hand.sign));
    // What it would do is planned as it would be done, so the preview says what happens.
    if by != Default::default() {
        match houserule::ide::plan::plan(&data.analysis, &intent) {
            Ok(set) => {
                let elsewhere = set.edits().iter().filter(|e| {
                    board.grid.is_none_or(|g| {
                        let name = data.analysis.files.get(g.file).map_or("", |f| f.name.as_str());
                        *e.file != *name
                            || !(g.range().start <= e.range.start && e.range.end <= g.range().end)
                    })
                });
                let n = elsewhere.count();
                if n > 0 {
                    ui.label(format!("{n} places elsewhere name spaces of it: they are renamed with it."));
                }
            }
            Err(refusal) => {
                ui.colored_label(ui.visuals().warn_fg_color, refusal.why);
            }
        }
    }
    if ui.add_enabled(by != Default::default(), egui::Button::new("Resize")).clicked() {
        let done = state.planned(&intent);
        if done.iter().any(|c| matches!(c, Command::Apply { .. })) {
            state.by = Default::default();
        }
        wanted.extend(done);
    }
}
