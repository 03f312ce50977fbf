//! Shows the form of a scenario beside its map: its fields, where each value comes from, and its other declarations. With other scenarios chosen a field is set in all of them at once.
use super::{Data, State};
use crate::command::Command;
use crate::panels::Context;
use egui::{RichText, Ui};
use houserule::ide::draw::{
    self, Field, FieldKey, FieldType, ListedDeclaration, ListedSort, Origin, Sheet, SheetId, State as Whose,
};
use houserule::ide::plan::Intent;

pub(super) fn show_form(state: &mut State, ui: &mut Ui, cx: &Context<'_>, wanted: &mut Vec<Command>) {
    let Some(data) = state.data.clone() else { return };
    if data.drawing.sheet.id == SheetId::Game {
        ui.label("This is the game itself: its rules are written in the text. Choose a scenario to fill in its form.");
        return;
    }
    show_other_scenarios(state, ui, &data);
    for f in &data.drawing.fields {
        show_field(state, ui, cx, f, wanted);
    }
    ui.separator();
    show_declarations(state, ui, cx, &data, wanted);
}

/// Other scenarios in which the fields are set, too.
fn show_other_scenarios(state: &mut State, ui: &mut Ui, data: &Data) {
    let own = data.drawing.sheet.id.scenario();
    // What a variant or mod says holds over scenarios, not beside them.
    let beside = |s: &&Sheet| own.is_some() && s.id.scenario().is_some_and(|n| Some(n) != own);
    let all: Vec<&Sheet> = data.sheets.iter().filter(beside).collect();
    state.others.retain(|id| all.iter().any(|s| s.id == *id));
    if all.is_empty() {
        return;
    }
    let title = match state.others.len() {
        0 => String::from("Set in other scenarios, too"),
        1 => String::from("Set in 1 other scenario, too"),
        n => format!("Set in {n} other scenarios, too"),
    };
    egui::CollapsingHeader::new(title).id_salt("others").show(ui, |ui| {
        ui.horizontal(|ui| {
            if ui.small_button("All scenarios").clicked() {
                state.others = all.iter().map(|s| s.id.clone()).collect();
            }
            if ui.small_button("This one only").clicked() {
                state.others.clear();
            }
        });
        for s in &all {
            let mut on = state.others.contains(&s.id);
            if ui.checkbox(&mut on, &s.title).changed() {
                match on {
                    true => state.others.insert(s.id.clone()),
                    false => state.others.remove(&s.id),
                };
            }
        }
    });
    let stale = |f: &(_, _, _)| f.0 != data.revision || f.1 != state.others;
    if state.forms.as_ref().is_none_or(stale) {
        let forms = state.others.iter().map(|id| draw::list_form(&data.analysis, id)).collect();
        state.forms = Some((data.revision, state.others.clone(), forms));
    }
}

/// In how many of the other chosen scenarios a field is otherwise, and whether any of them sets it itself.
fn compare_with_others(state: &State, f: &Field) -> (usize, bool) {
    let Some((_, _, forms)) = &state.forms else { return (0, false) };
    let same = forms.iter().map(|form| form.iter().find(|o| o.key == f.key));
    let same: Vec<Option<&Field>> = same.collect();
    let other = same.iter().filter(|o| o.is_none_or(|o| o.text != f.text)).count();
    (other, same.iter().flatten().any(|o| o.state == Whose::Own))
}

/// The plan of writing a field here and in the other chosen scenarios; no text resets it.
fn write_field(state: &State, data: &Data, key: &FieldKey, text: Option<String>) -> Vec<Command> {
    let (sheet, field) = (data.drawing.sheet.id.clone(), key.clone());
    let intent = match text {
        _ if !state.others.is_empty() && *key != FieldKey::Title => {
            let sheets: Vec<SheetId> = std::iter::once(sheet).chain(state.others.iter().cloned()).collect();
            Intent::SetFields { sheets, field, text }
        }
        Some(text) => Intent::SetField { sheet, field, text },
        None => Intent::ResetField { sheet, field },
    };
    state.plan_intent(&intent)
}

/// A field's name, so that it is seen whose its value is.
fn field_label(f: &Field) -> RichText {
    match f.state {
        Whose::Own => RichText::new(&f.label).strong(),
        Whose::Inherited => RichText::new(&f.label).italics(),
        Whose::Default | Whose::Unset => RichText::new(&f.label),
    }
}

/// Whose a value is, with a sign of its own for each.
fn origin_label(ui: &Ui, state: Whose) -> RichText {
    let sign = match state {
        Whose::Own => "■",
        Whose::Inherited => "↑",
        Whose::Default => "○",
        Whose::Unset => "–",
    };
    let text = RichText::new(format!("{sign} {}", state.name())).size(crate::style::SMALL);
    match state {
        Whose::Own => text.color(ui.visuals().hyperlink_color),
        Whose::Inherited => text.italics(),
        Whose::Default | Whose::Unset => text.color(ui.visuals().text_color().gamma_multiply(0.8)),
    }
}

/// One line of the form: its name, its value, and whose the value is.
fn show_field(state: &mut State, ui: &mut Ui, cx: &Context<'_>, f: &Field, wanted: &mut Vec<Command>) {
    let Some(data) = state.data.clone() else { return };
    let own = f.state == Whose::Own;
    ui.add_space(4.0);
    let label = ui.label(field_label(f));
    if let Some(doc) = &f.doc {
        label.on_hover_text(doc);
    }
    let said = format!("{}, {}", f.label, f.state.name());
    let mut text = None;
    ui.horizontal_wrapped(|ui| {
        match &f.ty {
            FieldType::Truth => {
                let mut on = f.text == "yes";
                let shown = if on { "yes" } else { "no" };
                let r = ui.checkbox(&mut on, shown);
                r.widget_info(|| egui::WidgetInfo::selected(egui::Role::CheckBox, true, on, &said));
                if r.changed() {
                    text = Some(if on { "yes" } else { "no" }.to_string());
                }
            }
            FieldType::Words(words) => {
                let shown =
                    words.iter().find(|(w, _)| **w == *f.text).map_or(f.text.as_str(), |(_, t)| t.as_str());
                let combo = egui::ComboBox::from_id_salt(("field", &f.key)).selected_text(shown).width(130.0);
                let r = combo.show_ui(ui, |ui| {
                    for (w, title) in words {
                        if ui.selectable_label(**w == *f.text, title).clicked() {
                            text = Some(w.to_string());
                        }
                    }
                });
                r.response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::ComboBox, true, &said));
            }
            _ => {
                let draft = state.drafts.entry(f.key.clone()).or_insert_with(|| f.text.clone());
                let r = ui.add(egui::TextEdit::singleline(draft).desired_width(120.0));
                r.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, &said));
                if r.lost_focus() {
                    let enter = ui.input(|i| i.key_pressed(egui::Key::Enter));
                    let several = enter && compare_with_others(state, f).0 > 0;
                    let left = ui.input(|i| i.key_pressed(egui::Key::Escape));
                    let draft = state.drafts.remove(&f.key).unwrap_or_default();
                    text = Some(draft).filter(|d| !left && (*d != f.text || several));
                } else if !r.has_focus() {
                    state.drafts.remove(&f.key);
                }
            }
        }
        ui.label(origin_label(ui, f.state));
        let (other, set) = compare_with_others(state, f);
        if other > 0 && f.key != FieldKey::Title {
            let n = state.others.len();
            let r = ui.small_button(format!("other in {other} of {n}"));
            if r.on_hover_text(format!("Set {} to {} in all that are chosen", f.label, f.text)).clicked() {
                text = Some(f.text.clone());
            }
        }
        if (own || set)
            && !matches!(f.key, FieldKey::Title)
            && ui.small_button("Reset").on_hover_text(format!("Reset {}", f.label)).clicked()
        {
            wanted.extend(write_field(state, &data, &f.key, None));
        }
        if !own && let Origin::FromOther(span) | Origin::Default(Some(span)) = f.origin {
            let name = format!("Go to where {} is set", f.label);
            let r = ui.small_button("→").on_hover_text(&name);
            r.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &name));
            if r.clicked() {
                wanted.push(Command::GoTo(state.place_of(cx, &data, span)));
            }
        }
    });
    if let Some(text) = text {
        wanted.extend(write_field(state, &data, &f.key, Some(text)));
    }
}

/// What else the scenario declares, and what it inherits.
fn show_declarations(
    state: &mut State,
    ui: &mut Ui,
    cx: &Context<'_>,
    data: &Data,
    wanted: &mut Vec<Command>,
) {
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
        show_declaration(state, ui, cx, data, l, wanted);
    }
    ui.horizontal(|ui| {
        let r = ui.add(
            egui::TextEdit::singleline(&mut state.item)
                .desired_width(120.0)
                .hint_text("needs count(players) == 3"),
        );
        r.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, "A declaration to add"));
        if ui.add_enabled(!state.item.trim().is_empty(), egui::Button::new("Add")).clicked() {
            let done = state.plan_intent(&Intent::AddItem { sheet, text: state.item.clone() });
            if done.iter().any(|c| matches!(c, Command::Apply { .. })) {
                state.item.clear();
            }
            wanted.extend(done);
        }
    });
}

fn show_declaration(
    state: &mut State,
    ui: &mut Ui,
    cx: &Context<'_>,
    data: &Data,
    l: &ListedDeclaration,
    wanted: &mut Vec<Command>,
) {
    let sheet = data.drawing.sheet.id.clone();
    let whole = l.origin.span().map_or("", |s| data.analysis.slice(s).trim_end());
    ui.horizontal(|ui| {
        if let Some(item) = l.item {
            let r = ui.small_button("×").on_hover_text(format!("Take out: {}", l.text));
            r.widget_info(|| {
                egui::WidgetInfo::labeled(egui::Role::Button, true, format!("Take out: {}", l.text))
            });
            if r.clicked() {
                wanted.extend(state.plan_intent(&Intent::RemoveItem { sheet: sheet.clone(), item }));
            }
            let r = ui.small_button("Edit").on_hover_text("Write it again; the comments inside it stay.");
            r.widget_info(|| {
                egui::WidgetInfo::labeled(egui::Role::Button, true, format!("Edit: {}", l.text))
            });
            if r.clicked() {
                state.rewritten = Some((item, whole.to_string(), whole.to_string()));
            }
        }
        let text =
            RichText::new(if l.more { format!("{} …", l.text) } else { l.text.clone() }).monospace().small();
        let text = if l.item.is_none() { text.italics().weak() } else { text };
        let r = ui.add(egui::Link::new(text));
        let r = r.on_hover_text(l.doc.clone().unwrap_or_else(|| "Go to the text".into()));
        if r.clicked()
            && let Some(span) = l.origin.span()
        {
            wanted.push(Command::GoTo(state.place_of(cx, data, span)));
        }
    });
    // As long as it is the one that was opened: what was written elsewhere in the meantime is not written over.
    if state.rewritten.as_ref().is_none_or(|(n, ..)| Some(*n) != l.item) {
        return;
    }
    let Some((item, was, mut text)) = state.rewritten.take() else { return };
    if was != whole {
        wanted.push(Command::Say(format!("`{}` was changed in the text in the meantime", l.text)));
        return;
    }
    let edit = egui::TextEdit::multiline(&mut text).code_editor().desired_width(f32::INFINITY);
    let r = ui.add(edit.desired_rows(1));
    r.widget_info(|| egui::WidgetInfo::labeled(egui::Role::MultilineTextInput, true, "The declaration"));
    let mut open = true;
    ui.horizontal(|ui| {
        if ui.add_enabled(text != was, egui::Button::new("Write it")).clicked() {
            let done = state.plan_intent(&Intent::SetItem { sheet, item, text: text.clone() });
            open = !done.iter().any(|c| matches!(c, Command::Apply { .. }));
            wanted.extend(done);
        }
        open &= !ui.button("Leave it").clicked();
    });
    if open {
        state.rewritten = Some((item, was, text));
    }
}
