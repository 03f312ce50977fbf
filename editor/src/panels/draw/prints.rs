//! Shows what can be printed on a space of a patch, and writes what is chosen into its row of the list.
use super::{Data, State};
use crate::command::Command;
use egui::{Popup, PopupCloseBehavior, Response, Ui};
use houserule::ide::draw::{Patch, PatchPrint, PatchSet, PrintSort, PrintValue, side_name};
use houserule::ide::plan::Intent;
use std::sync::Arc;

/// A number that is being written: of which patch, column and print.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct NumberDraft {
    patch: Arc<str>,
    column: Arc<str>,
    print: usize,
    number: i64,
}

/// A patch that is not turned, of which a space has been clicked.
#[derive(Clone, Copy)]
pub(super) struct Printed<'a> {
    pub set: &'a PatchSet,
    pub patch: &'a Patch,
    /// Which of its spaces, from 0.
    pub space: usize,
}

/// How wide the choices are, in points.
const WIDE: f32 = 250.0;

/// A click on a space opens the choices beside it.
pub(super) fn show_choices(
    state: &mut State,
    space: &Response,
    data: &Data,
    printed: Printed<'_>,
    wanted: &mut Vec<Command>,
) {
    let before = state.patches.number.clone();
    let popup = Popup::menu(space).close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let shown = popup.show(|ui| {
        ui.set_max_width(WIDE);
        let sides = printed.patch.faces.first().and_then(|f| f.get(printed.space));
        let mut sides: Vec<u8> = sides.into_iter().flat_map(|s| &s.values).filter_map(|v| v.side).collect();
        sides.sort_unstable();
        sides.dedup();
        for (n, print) in printed.set.prints.iter().enumerate() {
            if !print.by_side {
                let column = (printed.space + 1).to_string();
                show_print(state, ui, data, printed, (n, print), &column, wanted);
                continue;
            }
            for side in &sides {
                show_print(state, ui, data, printed, (n, print), side_name(*side), wanted);
            }
        }
    });
    // Whoever clicks elsewhere has written the number.
    let column = (printed.space + 1).to_string();
    let own = before.filter(|d| shown.is_none() && d.patch == printed.patch.name && *d.column == *column);
    if let Some(draft) = own {
        state.patches.number = None;
        let value = PrintValue::Number(draft.number);
        wanted.extend(state.write_print(data, printed, draft.print, &draft.column, value));
    }
}

/// What can be printed under one name.
fn show_print(
    state: &mut State,
    ui: &mut Ui,
    data: &Data,
    printed: Printed<'_>,
    (n, print): (usize, &PatchPrint),
    column: &str,
    wanted: &mut Vec<Command>,
) {
    let now = printed.set.printed(printed.patch, column, n);
    let title = if print.by_side { format!("{} {column}", print.name) } else { print.name.to_string() };
    let mut chosen = None;
    match &print.sort {
        PrintSort::Words(words) => {
            ui.weak(title.as_str());
            ui.horizontal_wrapped(|ui| {
                ui.spacing_mut().item_spacing = egui::vec2(2.0, 2.0);
                let nothing = (!print.needed).then_some(PrintValue::Nothing);
                let nothing = nothing.filter(|_| print.default == Some(PrintValue::Nothing));
                let words = words.iter().map(|w| PrintValue::Word(w.clone()));
                for value in words.chain(nothing) {
                    let text = if let PrintValue::Word(w) = &value { w } else { "nothing" };
                    let on = now == Some(&value);
                    let r = ui.selectable_label(on, text);
                    let name = format!("{title}: {text}");
                    r.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, on, &name));
                    if r.clicked() && !on {
                        chosen = Some(value);
                    }
                }
            });
        }
        PrintSort::Truth => {
            let mut on = now == Some(&PrintValue::Truth(true));
            if ui.checkbox(&mut on, title).changed() {
                chosen = Some(PrintValue::Truth(on));
            }
        }
        PrintSort::Number(low, high) => {
            ui.horizontal(|ui| {
                let label = ui.label(title);
                let was = if let Some(PrintValue::Number(n)) = now { *n } else { *low };
                let is =
                    |d: &&NumberDraft| d.patch == printed.patch.name && *d.column == *column && d.print == n;
                let mut number = state.patches.number.as_ref().filter(is).map_or(was, |d| d.number);
                let r = ui.add(egui::DragValue::new(&mut number).range(*low..=*high)).labelled_by(label.id);
                if r.changed() {
                    let (patch, column) = (printed.patch.name.clone(), column.into());
                    state.patches.number = Some(NumberDraft { patch, column, print: n, number });
                }
                if r.drag_stopped() || r.lost_focus() {
                    state.patches.number = None;
                    chosen = (number != was).then_some(PrintValue::Number(number));
                }
            });
        }
    }
    if let Some(value) = chosen {
        wanted.extend(state.write_print(data, printed, n, column, value));
    }
}

impl State {
    /// Plans that a patch prints a value in a column of its list.
    fn write_print(
        &self,
        data: &Data,
        printed: Printed<'_>,
        print: usize,
        column: &str,
        value: PrintValue,
    ) -> Vec<Command> {
        let Some(print) = printed.set.prints.get(print) else { return Vec::new() };
        self.plan_intent(&Intent::SetPrint {
            sheet: data.drawing.sheet.id.clone(),
            map: printed.set.map.clone(),
            patch: printed.patch.name.clone(),
            column: column.into(),
            print: print.name.clone(),
            value,
        })
    }
}
