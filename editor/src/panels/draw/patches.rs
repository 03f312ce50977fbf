//! Shows the patches of which a map is laid out: each in the shape of the slots with what it prints, turned or face down; a click leads to its row in the text.
use super::data::{ListedPatch, PatchList};
use super::{Data, State, prints};
use crate::canvas;
use crate::command::Command;
use crate::panels::Context;
use egui::text::{LayoutJob, TextFormat, TextWrapping};
use egui::{Align, FontSelection, Rect, Sense, TextStyle, Ui, Vec2};
use std::sync::Arc;

/// How the patches are shown.
#[derive(Debug, Default)]
pub(super) struct Shown {
    /// The one that is shown larger, by map and name.
    picked: Option<(Arc<str>, Arc<str>)>,
    /// How often all of them are turned.
    turns: u32,
    /// Whether they lie face down.
    covered: bool,
    /// A number that is being written on one.
    pub number: Option<prints::NumberDraft>,
}

/// How wide and high a patch of the list is at most, in points.
const SMALL: Vec2 = Vec2::new(86.0, 56.0);

/// How high the one that is picked is at most.
const LARGE: f32 = 190.0;

/// The room around a patch.
const MARGIN: f32 = 4.0;

pub(super) fn show_patches(state: &mut State, ui: &mut Ui, cx: &Context<'_>, wanted: &mut Vec<Command>) {
    let Some(data) = state.data.clone() else { return };
    for list in data.patches_of(state.board) {
        show_head(&mut state.patches, ui, list);
        for patch in &list.patches {
            show_patch(state, ui, cx, &data, list, patch, wanted);
        }
    }
}

/// What is listed, and how it lies.
fn show_head(shown: &mut Shown, ui: &mut Ui, list: &PatchList) {
    ui.weak(format!("{} is laid out of {}", list.map, list.kind));
    ui.horizontal_wrapped(|ui| {
        if list.turns > 1 {
            let now = shown.turns % list.turns;
            let text = match now {
                0 => "not turned".to_string(),
                1 => "turned once".to_string(),
                n => format!("turned {n} times"),
            };
            let tip = format!("Turns what is drawn clockwise. A patch can lie in {} ways.", list.turns);
            let r = ui.button("↻ Turn").on_hover_text(tip);
            if r.clicked() {
                shown.turns = (now + 1) % list.turns;
            }
            ui.label(text);
        }
        ui.checkbox(&mut shown.covered, "Face down")
            .on_hover_text("Shows the backs, as they lie until they are revealed");
    });
}

/// A patch with its title and what is on its back.
fn show_patch(
    state: &mut State,
    ui: &mut Ui,
    cx: &Context<'_>,
    data: &Data,
    list: &PatchList,
    patch: &ListedPatch,
    wanted: &mut Vec<Command>,
) {
    let shown = &state.patches;
    let (turns, covered) = (if list.turns > 1 { shown.turns % list.turns } else { 0 }, shown.covered);
    let is_picked = |(map, name): &(Arc<str>, Arc<str>)| *map == list.map && *name == patch.name;
    let picked = shown.picked.as_ref().is_some_and(is_picked);
    let tiles = patch.tiles(turns, covered);
    let wide = ui.available_width();
    let size = list.grid.size(1.0);
    let fit = |room: Vec2| size * (room.x / size.x.max(1.0)).min(room.y / size.y.max(1.0));
    let piece = fit(if picked { Vec2::new(wide - 2.0 * MARGIN, LARGE) } else { SMALL });
    let beside = if picked { wide } else { wide - SMALL.x };
    let words = lay_out_words(ui, patch, covered, beside - 3.0 * MARGIN);
    let high = match picked {
        true => piece.y + words.size().y + 3.0 * MARGIN,
        false => SMALL.y.min(piece.y).max(words.size().y) + 2.0 * MARGIN,
    };
    let (rect, response) = ui.allocate_exact_size(Vec2::new(wide, high), Sense::click());
    let said = patch.describe(turns, covered);
    let name = format!("{} {said}", list.kind);
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, picked, &name));
    if !ui.is_rect_visible(rect) {
        return;
    }
    let back = match (picked, response.hovered() || response.has_focus()) {
        (true, _) => Some(ui.visuals().selection.bg_fill.gamma_multiply(0.3)),
        (false, true) => Some(ui.visuals().widgets.hovered.weak_bg_fill),
        (false, false) => None,
    };
    if let Some(fill) = back {
        ui.painter().rect_filled(rect, 4.0, fill);
    }
    let inner = rect.shrink(MARGIN);
    let (drawn, at) = match picked {
        true => {
            let top = inner.min + Vec2::new(0.0, words.size().y + MARGIN);
            (Rect::from_min_size(top, Vec2::new(inner.width(), piece.y)), inner.min)
        }
        false => {
            let drawn = Rect::from_min_size(inner.min, Vec2::new(SMALL.x, inner.height()));
            let at = inner.min + Vec2::new(SMALL.x + MARGIN, (inner.height() - words.size().y) / 2.0);
            (drawn, at)
        }
    };
    ui.painter().galley(at, words, ui.visuals().text_color());
    let places = canvas::paint_piece(ui, list.grid, tiles, &[], drawn);
    if picked && !covered {
        let set = data.drawing.patches_of(&list.map).filter(|_| turns == 0);
        let found = set.and_then(|s| Some((s, s.patches.iter().find(|p| p.name == patch.name)?)));
        // Each space says by itself what is printed on it. Where the list's columns are what is seen, that can be changed.
        for (n, (tile, place)) in tiles.iter().zip(places).enumerate() {
            let id = response.id.with(("space", n));
            let Some((set, patch)) = found else {
                let r = ui.interact(place, id, Sense::hover()).on_hover_text(&tile.said);
                r.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &tile.said));
                continue;
            };
            let r = ui.interact(place, id, Sense::click());
            r.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &tile.said));
            let r = r.on_hover_text(format!("{}\nA click changes what is printed.", tile.said));
            prints::show_choices(state, &r, data, prints::Printed { set, patch, space: n }, wanted);
        }
    }
    let response = response.on_hover_text(said.replacen(". ", "\n", 1).replace("; ", "\n"));
    if response.clicked() {
        state.patches.picked = Some((list.map.clone(), patch.name.clone()));
        wanted.push(Command::GoTo(state.place_of(cx, data, patch.span)));
    }
}

/// The title, and below it what is on the back.
fn lay_out_words(ui: &Ui, patch: &ListedPatch, covered: bool, wide: f32) -> Arc<egui::Galley> {
    let font = |style: TextStyle| FontSelection::from(style).resolve(ui.style());
    let visuals = ui.visuals();
    let mut job = LayoutJob {
        wrap: TextWrapping { max_width: wide.max(20.0), ..TextWrapping::default() },
        halign: Align::LEFT,
        ..LayoutJob::default()
    };
    let title = if covered { &patch.back } else { &patch.front };
    job.append(title, 0.0, TextFormat::simple(font(TextStyle::Body), visuals.strong_text_color()));
    if !patch.attrs.is_empty() {
        let text = format!("\n{}", patch.attrs);
        job.append(&text, 0.0, TextFormat::simple(font(TextStyle::Body), visuals.weak_text_color()));
    }
    ui.painter().layout_job(job)
}
