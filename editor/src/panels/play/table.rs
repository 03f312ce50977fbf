//! Shows the table: maps, cards, dice, players. Offered things are lit up, and each has a text for screen readers.
use super::Want;
use super::data::Data;
use super::tiles::to_color;
use crate::canvas::{self, Grid, Map, Viewport, contrast_color};
use crate::play::board::{Cell, Holder, MapBoard, Piece, PileBoard};
use egui::{
    Align2, Color32, CornerRadius, FontId, Pos2, Response, Role, Sense, Stroke, StrokeKind, Ui, Vec2,
    WidgetInfo,
};
use houserule::play::Spot;

/// A dot in a player's colour, with an edge that is seen on any ground.
fn paint_dot(ui: &mut Ui, color: Color32) {
    let (rect, _) = ui.allocate_exact_size(Vec2::splat(14.0), Sense::hover());
    let edge = Stroke::new(1.0, ui.visuals().weak_text_color());
    ui.painter().circle(rect.center(), 6.0, color, edge);
}

fn lit_stroke(ui: &Ui) -> Stroke {
    Stroke::new(2.5, ui.visuals().selection.stroke.color.gamma_multiply(0.9))
}

fn held_stroke() -> Stroke {
    Stroke::new(3.5, Color32::from_rgb(230, 160, 20))
}

/// A text that fits into so many points.
fn fit_text(ui: &Ui, text: &str, font: &FontId, color: Color32, width: f32) -> std::sync::Arc<egui::Galley> {
    let job = egui::text::LayoutJob {
        halign: egui::Align::Center,
        wrap: egui::text::TextWrapping {
            max_width: width,
            max_rows: 1,
            break_anywhere: true,
            overflow_character: Some('…'),
        },
        ..egui::text::LayoutJob::simple(text.to_owned(), font.clone(), color, width)
    };
    ui.painter().layout_job(job)
}

fn paint_centred(ui: &Ui, at: Pos2, text: &str, font: &FontId, color: Color32, width: f32) {
    let galley = fit_text(ui, text, font, color, width);
    let size = galley.size();
    ui.painter().galley(Pos2::new(at.x, at.y - size.y / 2.0), galley, color);
}

/// Says to screen readers what something is, answers clicks and tells why not on the other button.
fn respond(r: Response, said: &str, spot: Spot, wants: &mut Vec<Want>) -> Response {
    r.widget_info(|| WidgetInfo::labeled(Role::Button, true, said));
    if r.clicked() {
        wants.push(Want::Click(spot));
    }
    if r.secondary_clicked() {
        wants.push(Want::WhyNot(spot));
    }
    r.on_hover_text(said)
}

/// Shows everything that lies on no map.
pub fn show_table(ui: &mut Ui, data: &Data, cursor: Option<Spot>, wants: &mut Vec<Want>) {
    for line in &data.board.ending {
        ui.heading(line);
    }
    if let Some(seed) = data.seed {
        ui.weak(format!("Seed {seed}"));
    }
    if !data.board.sheets.is_empty() {
        show_sheets(ui, data);
    }
    for (n, map) in data.board.maps.iter().enumerate().filter(|(n, _)| !data.is_grid(*n)) {
        if data.board.maps.len() > 1 {
            ui.label(&map.name);
        }
        show_spaces(ui, map, n, cursor, wants);
    }
    for h in data.board.table.iter().chain(&data.board.players).chain(&data.board.others) {
        show_holder(ui, h, &data.colors, wants);
    }
    for line in &data.board.asked {
        ui.weak(line);
    }
}

fn show_sheets(ui: &mut Ui, data: &Data) {
    for sheet in &data.board.sheets {
        egui::Grid::new(("sheet", &*sheet.name)).striped(true).show(ui, |ui| {
            ui.label("");
            for column in &sheet.columns {
                let names: Vec<&str> =
                    column.iter().filter_map(|p| data.players.get(*p)).map(String::as_str).collect();
                ui.strong(names.join(" + "));
            }
            ui.end_row();
            for row in crate::play::board::sheet_rows(sheet) {
                for cell in row {
                    ui.label(cell);
                }
                ui.end_row();
            }
        });
    }
}

/// Shows a map in what is left of the pane.
pub fn show_map(
    ui: &mut Ui,
    data: &Data,
    n: usize,
    view: &mut Viewport,
    cursor: Option<Spot>,
    wants: &mut Vec<Want>,
) {
    let (Some(map), Some(tiles)) = (data.board.maps.get(n), data.tiles.get(n)) else { return };
    let spot = |at: (u32, u32)| {
        let here = |c: &Cell| (u32::from(c.at.0), u32::from(c.at.1)) == at;
        map.cells.iter().position(here).map(|space| Spot::Space { map: n, space })
    };
    let on =
        cursor.and_then(|s| data.board.cell(s).filter(|_| matches!(s, Spot::Space { map, .. } if map == n)));
    let on = on.map(|c| (u32::from(c.at.0), u32::from(c.at.1)));
    let over = std::collections::BTreeMap::new();
    let shown = Map {
        name: &map.name,
        grid: Grid { hexes: map.hexes, slanted: map.slanted, columns: map.size.0, rows: map.size.1 },
        tiles,
        ways: &map.ways,
        over: &over,
        chosen: &|at| on == Some(at),
        grey: false,
    };
    let done = canvas::show_map(ui, &shown, view);
    // The keyboard goes on from where the pointer was.
    view.cursor = done.pressed.or(view.cursor);
    wants.extend(done.moved.and_then(spot).map(Want::Cursor));
    // While a set is being picked, a blank picks and Enter takes what is picked.
    if done.entered && data.choices.as_ref().is_some_and(|c| c.complete.is_some() && !c.held.is_empty()) {
        wants.push(Want::Confirm);
    } else {
        wants.extend(done.pressed.or(done.acted).and_then(spot).map(Want::Click));
    }
    wants.extend(done.secondary.and_then(spot).map(Want::WhyNot));
}

/// Spaces that stand nowhere in particular.
fn show_spaces(ui: &mut Ui, map: &MapBoard, n: usize, cursor: Option<Spot>, wants: &mut Vec<Want>) {
    ui.horizontal_wrapped(|ui| {
        for (i, cell) in map.cells.iter().enumerate() {
            let spot = Spot::Space { map: n, space: i };
            let button = egui::Button::new(&cell.said).selected(cell.held || cursor == Some(spot));
            let button = if cell.lit.is_some() { button.stroke(lit_stroke(ui)) } else { button };
            let r = ui.add(button);
            respond(r, &cell.said, spot, wants);
        }
    });
}

fn show_holder(ui: &mut Ui, h: &Holder, colors: &[Color32], wants: &mut Vec<Want>) {
    let frame = egui::Frame::group(ui.style()).inner_margin(6);
    frame.show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        ui.horizontal_wrapped(|ui| {
            if let Some(color) = h.player.and_then(|p| colors.get(p)) {
                paint_dot(ui, *color);
            }
            let title = egui::RichText::new(&h.title).strong();
            match h.spot {
                Some(spot) if h.lit.is_some() => {
                    let r = ui.add(egui::Button::new(title).stroke(lit_stroke(ui)).selected(h.held));
                    respond(r, &h.describe(), spot, wants);
                }
                spot => {
                    let r = ui.add(egui::Label::new(title).sense(Sense::click()));
                    if r.secondary_clicked() {
                        wants.extend(spot.map(Want::WhyNot));
                    }
                }
            }
            if h.turn {
                ui.label("◂ turn");
            }
            ui.label(h.lines.join(" · "));
        });
        for pile in &h.piles {
            show_pile(ui, pile, colors, wants);
        }
    });
}

/// So many cards of a pile are drawn one by one.
const CARDS: usize = 60;

fn show_pile(ui: &mut Ui, pile: &PileBoard, colors: &[Color32], wants: &mut Vec<Want>) {
    ui.horizontal_wrapped(|ui| {
        ui.weak(format!("{}:", pile.zone));
        if pile.count == 0 {
            ui.weak("–");
        }
        // Hidden cards side by side are one heap, unless they can be chosen.
        let heap = |p: &Piece| p.title.is_none() && p.die.is_none() && p.lit.is_none() && !p.held;
        let hidden: Vec<&Piece> = pile.pieces.iter().filter(|p| heap(p)).collect();
        let single = hidden.len() <= 2;
        for piece in pile.pieces.iter().filter(|p| single || !heap(p)).take(CARDS) {
            show_piece(ui, piece, 1, colors, wants);
        }
        if !single && let Some(first) = hidden.first() {
            show_piece(ui, first, hidden.len(), colors, wants);
        }
        if pile.count > CARDS {
            ui.weak(format!("{} in all", pile.count));
        }
    });
}

/// A card, a die or a token; `many` of them where they lie in a heap.
fn show_piece(ui: &mut Ui, piece: &Piece, many: usize, colors: &[Color32], wants: &mut Vec<Want>) {
    let visuals = ui.visuals().clone();
    let known = piece.title.is_some() || piece.die.is_some();
    let back = visuals.widgets.inactive.bg_fill;
    let fill = piece.face.fill.map_or(if known { visuals.extreme_bg_color } else { back }, to_color);
    let color = if piece.face.fill.is_some() { contrast_color(fill) } else { visuals.text_color() };
    let die = piece.die.as_ref();
    let name = match (die, known) {
        (Some(die), _) => die.title.clone(),
        (None, true) => match piece.face.title.as_deref() {
            Some(title) if !title.is_empty() => title.to_string(),
            _ => piece.title.clone().unwrap_or_default(),
        },
        (None, false) => {
            if many > 1 {
                format!("{many} ×")
            } else {
                String::from("?")
            }
        }
    };
    let font = FontId::proportional(13.0);
    let size = match die {
        // What a die shows is read from its number; words beside it would be too long.
        Some(_) => Vec2::splat(30.0),
        None => {
            let text = ui.painter().layout_no_wrap(name.clone(), font.clone(), color).size().x;
            Vec2::new(
                (text + 14.0).clamp(30.0, 150.0),
                if piece.notes.is_empty() || !known { 30.0 } else { 44.0 },
            )
        }
    };
    let (rect, r) = ui.allocate_exact_size(size, Sense::click());
    let round = CornerRadius::same(if die.is_some() { 6 } else { 4 });
    let edge = piece.face.edge.map_or(visuals.widgets.inactive.fg_stroke.color.gamma_multiply(0.6), to_color);
    let p = ui.painter();
    p.rect(rect.shrink(1.0), round, fill, Stroke::new(1.0, edge), StrokeKind::Inside);
    if !known {
        // A back: lines across.
        let stroke = Stroke::new(1.0, color.gamma_multiply(0.25));
        let mut x = rect.left() + 6.0;
        while x < rect.right() {
            p.line_segment([Pos2::new(x, rect.top() + 3.0), Pos2::new(x - 4.0, rect.bottom() - 3.0)], stroke);
            x += 6.0;
        }
    }
    match die {
        Some(die) => {
            let size = if die.sign.chars().count() > 2 { 12.0 } else { 17.0 };
            p.text(rect.center(), Align2::CENTER_CENTER, &die.sign, FontId::proportional(size), color);
        }
        None => {
            let high = if size.y > 40.0 { rect.top() + 13.0 } else { rect.center().y };
            paint_centred(ui, Pos2::new(rect.center().x, high), &name, &font, color, size.x - 8.0);
            if size.y > 40.0 {
                let notes = piece.notes.join(", ");
                paint_centred(
                    ui,
                    Pos2::new(rect.center().x, rect.bottom() - 12.0),
                    &notes,
                    &FontId::proportional(10.0),
                    color,
                    size.x - 8.0,
                );
            }
        }
    }
    let p = ui.painter();
    if let Some(owner) = piece.owner.and_then(|o| colors.get(o)) {
        // Whose it is: a strip along the left edge.
        let strip = egui::Rect::from_min_max(rect.left_top(), Pos2::new(rect.left() + 5.0, rect.bottom()));
        p.rect(strip.shrink(1.0), 2, *owner, Stroke::new(0.5, edge), StrokeKind::Inside);
    }
    if piece.lit.is_some() {
        p.rect_stroke(rect, round, lit_stroke(ui), StrokeKind::Inside);
    }
    if piece.held {
        p.rect_stroke(rect, round, held_stroke(), StrokeKind::Inside);
    }
    if r.has_focus() {
        p.rect_stroke(
            rect.expand(1.0),
            round,
            Stroke::new(2.0, visuals.strong_text_color()),
            StrokeKind::Outside,
        );
    }
    let said = if many > 1 { format!("{many} {}", piece.describe()) } else { piece.describe() };
    respond(r, &said, piece.spot, wants);
}
