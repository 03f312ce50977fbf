//! Shows what lies on no map: bars of players, the table, and whatever else holds things.
use super::Wants;
use super::data::Data;
use super::motion::Motion;
use super::pieces::{SMALL, Shown, lit_stroke, respond, show_pile};
use super::table;
use crate::command::play::Request;
use crate::play::board::Holder;
use crate::style::{SMALL as SMALL_TEXT, contrast_color, offered};
use egui::{Color32, Rect, RichText, Sense, Ui, Vec2};
use houserule::play::Spot;

/// More bars than this in a row would be too narrow.
const ABREAST: usize = 3;

/// Shows everything in one column.
pub fn show_column(
    ui: &mut Ui,
    data: &Data,
    pointed: &[Spot],
    motion: (&Motion, Option<f32>),
    wants: &mut Wants,
) {
    let shown =
        Shown { colors: &data.colors, signs: &data.signs, pointed, motion, upright: false, card: SMALL };
    for h in data.board.players.iter().chain(&data.board.table).chain(&data.board.others) {
        show_holder(ui, h, data, &shown, wants);
    }
}

/// Shows everything as it would lie on a table: the other players beyond it, what is in the middle, and who looks on this side.
pub fn show_around(
    ui: &mut Ui,
    data: &Data,
    cursor: Option<Spot>,
    pointed: &[Spot],
    motion: (&Motion, Option<f32>),
    wants: &mut Wants,
) {
    let shown =
        Shown { colors: &data.colors, signs: &data.signs, pointed, motion, upright: true, card: SMALL };
    let (own, others): (Vec<&Holder>, Vec<&Holder>) =
        data.board.players.iter().partition(|h| is_own(data, h));
    let small = Shown { upright: false, ..shown };
    if !own.is_empty() {
        // As high as what lay there in the frame before, but not most of the window.
        let id = ui.scope_id().with("own height");
        let known: Option<f32> = ui.data(|d| d.get_temp(id));
        let most = ui.available_height() * 0.6;
        let panel = egui::Panel::bottom("play own").resizable(false).show_separator_line(false);
        panel.exact_size(known.unwrap_or(170.0).min(most)).show(ui, |ui| {
            let area = egui::ScrollArea::vertical().id_salt("own").auto_shrink(false);
            let needed = area.show(ui, |ui| {
                for h in own {
                    show_holder(ui, h, data, &shown, wants);
                }
            });
            let needed = (needed.content_size.y + 6.0).ceil();
            if known != Some(needed) {
                ui.data_mut(|d| d.insert_temp(id, needed));
                ui.ctx().request_repaint();
            }
        });
    }
    egui::ScrollArea::vertical().id_salt("table").auto_shrink(false).show(ui, |ui| {
        table::show_end(ui, data);
        table::show_loose_maps(ui, data, cursor, wants);
        for row in others.chunks(ABREAST) {
            ui.columns(row.len(), |columns| {
                for (ui, h) in columns.iter_mut().zip(row) {
                    show_holder(ui, h, data, &small, wants);
                }
            });
        }
        for h in data.board.table.iter().chain(&data.board.others) {
            show_holder(ui, h, data, &shown, wants);
        }
    });
}

/// Whether a player's seat is the one whose view is shown.
fn is_own(data: &Data, h: &Holder) -> bool {
    h.player.is_some_and(|p| data.seats.get(data.view_as).is_some_and(|s| s.players.contains(&p)))
}

/// What a player is doing, in a word or two; empty if nothing.
fn state_text(data: &Data, h: &Holder) -> &'static str {
    match (h.turn, h.asked, is_own(data, h)) {
        (true, _, true) => "your turn",
        (true, _, false) => "turn",
        (false, true, true) => "you are asked",
        (false, true, false) => "asked",
        _ => "",
    }
}

/// Shows a player, the table or something else: what it is called, what is told of it, and what lies there.
fn show_holder(ui: &mut Ui, h: &Holder, data: &Data, shown: &Shown<'_>, wants: &mut Wants) {
    let color = h.player.and_then(|p| shown.colors.get(p)).copied();
    let state = state_text(data, h);
    let accent = offered(ui.visuals());
    let stroke = match state {
        "" => ui.visuals().widgets.noninteractive.bg_stroke,
        _ => egui::Stroke::new(1.5, accent),
    };
    let margin = egui::Margin { left: if color.is_some() { 12 } else { 6 }, right: 6, top: 4, bottom: 5 };
    let frame = egui::Frame::new().inner_margin(margin).corner_radius(5).stroke(stroke);
    let r = frame.show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        ui.horizontal_wrapped(|ui| {
            show_title(ui, h, wants);
            if !state.is_empty() {
                let ink = contrast_color(accent);
                ui.label(
                    RichText::new(format!(" {state} ")).size(SMALL_TEXT).color(ink).background_color(accent),
                );
            }
            if !h.lines.is_empty() {
                ui.label(h.lines.join(" · "));
            }
        });
        if h.piles.iter().any(|p| p.count > 0) {
            ui.horizontal_wrapped(|ui| {
                for pile in &h.piles {
                    show_pile(ui, pile, shown, wants);
                }
            });
        }
    });
    if let Some(color) = color {
        paint_band(ui, r.response.rect, color);
    }
}

fn show_title(ui: &mut Ui, h: &Holder, wants: &mut Wants) {
    let title = RichText::new(&h.title).strong();
    match h.spot {
        Some(spot) if h.lit.is_some() => {
            let r = ui.add(egui::Button::new(title).stroke(lit_stroke(ui)).selected(h.held));
            let said = h.describe();
            respond(r, &said, spot, wants).on_hover_text(said);
        }
        spot => {
            let r = ui.add(egui::Label::new(title).sense(Sense::click()));
            if r.secondary_clicked() {
                wants.ask(spot.map(Request::WhyNot));
            }
        }
    }
}

/// A band in a player's colour along the left side, with an edge that is seen on any ground.
fn paint_band(ui: &Ui, rect: Rect, color: Color32) {
    let band = Rect::from_min_size(rect.min + Vec2::new(2.0, 2.0), Vec2::new(6.0, rect.height() - 4.0));
    let edge = egui::Stroke::new(1.0, ui.visuals().weak_text_color());
    ui.painter().rect(band, 2, color, edge, egui::StrokeKind::Inside);
}
