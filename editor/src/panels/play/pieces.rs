//! Shows what lies in a zone: cards with their faces and backs, dice with pips, tokens with their shapes.
use super::Want;
use super::tiles::{is_sign, make_figure, to_color};
use crate::canvas::{contrast_color, contrast_ratio, paint_figure};
use crate::play::board::{Piece, PileBoard, Side};
use egui::epaint::text::TextWrapping;
use egui::text::LayoutJob;
use egui::{
    Align, Color32, CornerRadius, FontId, Galley, Painter, Pos2, Rect, Response, Role, Sense, Stroke,
    StrokeKind, Ui, Vec2, WidgetInfo,
};
use houserule::play::Spot;
use std::sync::Arc;

/// So many cards of a pile are drawn one by one.
const CARDS: usize = 60;

/// The size of a token's chip without a text, and of a die.
const CHIP: f32 = 30.0;

/// The sizes of a card with a face: on the table, and where it is read.
const FACE: Vec2 = Vec2::new(132.0, 92.0);
const LARGE: Vec2 = Vec2::new(240.0, 300.0);

/// The colours of a piece.
#[derive(Clone, Copy)]
struct Colors {
    fill: Color32,
    ink: Color32,
    edge: Color32,
}

pub(super) fn lit_stroke(ui: &Ui) -> Stroke {
    Stroke::new(2.5, ui.visuals().selection.stroke.color.gamma_multiply(0.9))
}

pub(super) fn held_stroke() -> Stroke {
    Stroke::new(3.5, Color32::from_rgb(230, 160, 20))
}

/// Says to screen readers what something is, answers clicks and tells why not on the other button.
pub(super) fn respond(r: Response, said: &str, spot: Spot, wants: &mut Vec<Want>) -> Response {
    r.widget_info(|| WidgetInfo::labeled(Role::Button, true, said));
    if r.clicked() {
        wants.push(Want::Click(spot));
    }
    if r.hovered() || r.has_focus() {
        wants.push(Want::Over(spot));
    }
    if r.secondary_clicked() {
        wants.push(Want::WhyNot(spot));
    }
    r.on_hover_text(said)
}

/// What pieces are shown with.
pub(super) struct Shown<'a> {
    /// The colours of players.
    pub colors: &'a [Color32],
    /// What the row under the pointer names.
    pub pointed: &'a [Spot],
}

/// Shows a zone: its name, and what lies there.
pub(super) fn show_pile(ui: &mut Ui, pile: &PileBoard, shown: &Shown<'_>, wants: &mut Vec<Want>) {
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
            show_piece(ui, piece, 1, shown, wants);
        }
        if !single && let Some(first) = hidden.first() {
            show_piece(ui, first, hidden.len(), shown, wants);
        }
        if pile.count > CARDS {
            ui.weak(format!("{} in all", pile.count));
        }
    });
}

/// Whether the seat knows what a piece is.
fn is_known(piece: &Piece) -> bool {
    piece.title.is_some() || piece.die.is_some()
}

/// Whether a piece is drawn as a card with a face: the look has a text that is more than a sign.
fn has_face(piece: &Piece) -> bool {
    piece.title.is_some() && piece.die.is_none() && piece.face.text.iter().any(|t| !is_sign(t))
}

/// The name on a piece.
fn name_of(piece: &Piece) -> String {
    match piece.face.title.as_deref() {
        Some(title) => String::from(title),
        None => piece.title.clone().unwrap_or_default(),
    }
}

fn colors_of(ui: &Ui, piece: &Piece) -> Colors {
    let visuals = ui.visuals();
    let back = visuals.widgets.inactive.bg_fill;
    let own = if is_known(piece) { visuals.extreme_bg_color } else { back };
    let drawn = piece.face.fill.map(to_color);
    let shaped = piece.face.shape.is_some() && !has_face(piece);
    let fill = match drawn {
        Some(fill) if !shaped => fill,
        // A shape has the colour of its look, and lies on a ground on which it is seen.
        Some(fill) if contrast_ratio(fill, own) < 2.0 => contrast_color(fill),
        _ => own,
    };
    let edge = visuals.widgets.inactive.fg_stroke.color.gamma_multiply(0.6);
    Colors { fill, ink: contrast_color(fill), edge: piece.face.edge.map_or(edge, to_color) }
}

/// Shows a card, a die or a token; `many` of them where they lie in a heap.
fn show_piece(ui: &mut Ui, piece: &Piece, many: usize, shown: &Shown<'_>, wants: &mut Vec<Want>) {
    let c = colors_of(ui, piece);
    let owner = piece.owner.and_then(|o| shown.colors.get(o)).copied();
    let (rect, r) = match &piece.die {
        Some(die) => {
            let (rect, r) = ui.allocate_exact_size(Vec2::splat(CHIP), Sense::click());
            paint_die(ui, rect, die, c);
            (rect, r)
        }
        None if has_face(piece) => {
            let (rect, r) = ui.allocate_exact_size(FACE, Sense::click());
            paint_face(ui, rect, piece, c, 12.0);
            (rect, r)
        }
        None => show_chip(ui, piece, many, owner, c),
    };
    let round = CornerRadius::same(if piece.die.is_some() { 6 } else { 4 });
    let p = ui.painter();
    if let Some(owner) = owner {
        // Whose it is: a strip along the left edge.
        let strip = Rect::from_min_max(rect.left_top(), Pos2::new(rect.left() + 5.0, rect.bottom()));
        p.rect(strip.shrink(1.0), 2, owner, Stroke::new(0.5, c.edge), StrokeKind::Inside);
    }
    if piece.lit.is_some() {
        p.rect_stroke(rect, round, lit_stroke(ui), StrokeKind::Inside);
    }
    if piece.held || shown.pointed.contains(&piece.spot) {
        p.rect_stroke(rect, round, held_stroke(), StrokeKind::Inside);
    }
    if r.has_focus() {
        let line = Stroke::new(2.0, ui.visuals().strong_text_color());
        p.rect_stroke(rect.expand(1.0), round, line, StrokeKind::Outside);
    }
    let said = if many > 1 { format!("{many} {}", piece.describe()) } else { piece.describe() };
    let r = respond(r, &said, piece.spot, wants);
    if has_face(piece) {
        r.on_hover_ui(|ui| {
            let (rect, _) = ui.allocate_exact_size(LARGE, Sense::hover());
            paint_face(ui, rect, piece, c, 14.0);
        });
    }
}

/// A text of so many lines at most.
fn lay_out(p: &Painter, text: &str, font: FontId, ink: Color32, width: f32, rows: usize) -> Arc<Galley> {
    let wrap = TextWrapping {
        max_width: width,
        max_rows: rows,
        break_anywhere: rows == 1,
        overflow_character: Some('…'),
    };
    p.layout_job(LayoutJob { wrap, ..LayoutJob::simple(text.to_owned(), font, ink, width) })
}

/// A text in one line about a point.
fn paint_centred(p: &Painter, at: Pos2, text: &str, size: f32, ink: Color32, width: f32) {
    let wrap =
        TextWrapping { max_width: width, max_rows: 1, break_anywhere: true, overflow_character: Some('…') };
    let simple = LayoutJob::simple(text.to_owned(), FontId::proportional(size), ink, width);
    let galley = p.layout_job(LayoutJob { halign: Align::Center, wrap, ..simple });
    let high = galley.size().y / 2.0;
    p.galley(Pos2::new(at.x, at.y - high), galley, ink);
}

/// A chip: a shape, or a name in a box, or a back.
fn show_chip(
    ui: &mut Ui,
    piece: &Piece,
    many: usize,
    owner: Option<Color32>,
    c: Colors,
) -> (Rect, egui::Response) {
    let known = is_known(piece);
    let name = match (known, many) {
        (true, _) => name_of(piece),
        (false, 2..) => format!("{many} ×"),
        (false, _) if piece.face.shape.is_some() => String::new(),
        (false, _) => String::from("?"),
    };
    let own = piece.face.fill.map(to_color).or(owner).unwrap_or(c.ink.gamma_multiply(0.7));
    let figure = make_figure(&piece.face, own);
    let font = FontId::proportional(13.0);
    let text = match name.is_empty() {
        true => 0.0,
        false => ui.painter().layout_no_wrap(name.clone(), font, c.ink).size().x + 14.0,
    };
    let noted = !piece.notes.is_empty() && known && piece.face.shape.is_none();
    let room = if figure.is_some() { CHIP - 6.0 } else { 0.0 };
    let size = Vec2::new((text + room).clamp(CHIP, 150.0), if noted { 44.0 } else { CHIP });
    let (rect, r) = ui.allocate_exact_size(size, Sense::click());
    let p = ui.painter();
    if figure.is_none() || !name.is_empty() {
        p.rect(rect.shrink(1.0), CornerRadius::same(4), c.fill, Stroke::new(1.0, c.edge), StrokeKind::Inside);
    }
    if !known && figure.is_none() {
        paint_back(p, rect, c.ink);
    }
    if let Some(figure) = figure {
        let at =
            Pos2::new(if name.is_empty() { rect.center().x } else { rect.left() + 16.0 }, rect.center().y);
        paint_figure(p, at, CHIP - 5.0, &figure);
    }
    let middle =
        Pos2::new(rect.center().x + room / 2.0, if noted { rect.top() + 13.0 } else { rect.center().y });
    paint_centred(p, middle, &name, 13.0, c.ink, size.x - room - 8.0);
    if noted {
        let below = Pos2::new(rect.center().x, rect.bottom() - 12.0);
        paint_centred(p, below, &piece.notes.join(", "), 12.0, c.ink, size.x - 8.0);
    }
    (rect, r)
}

/// The back of a card: lines across.
fn paint_back(p: &Painter, rect: Rect, ink: Color32) {
    let stroke = Stroke::new(1.0, ink.gamma_multiply(0.25));
    let mut x = rect.left() + 6.0;
    while x < rect.right() {
        p.line_segment([Pos2::new(x, rect.top() + 3.0), Pos2::new(x - 4.0, rect.bottom() - 3.0)], stroke);
        x += 6.0;
    }
}

/// A card's face: a band with its corner, name and badge, its shape, and its text.
fn paint_face(ui: &Ui, rect: Rect, piece: &Piece, c: Colors, size: f32) {
    let p = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let paper = ui.visuals().extreme_bg_color;
    let ink = ui.visuals().strong_text_color();
    let round = CornerRadius::same(5);
    p.rect(rect.shrink(1.0), round, paper, Stroke::new(1.0, c.edge), StrokeKind::Inside);
    let band = Rect::from_min_size(rect.min, Vec2::new(rect.width(), size + 9.0)).shrink(1.0);
    let top = CornerRadius { nw: 5, ne: 5, sw: 0, se: 0 };
    let banded = piece.face.fill.map_or(ui.visuals().widgets.inactive.bg_fill, to_color);
    let on_band = contrast_color(banded);
    p.rect_filled(band, top, banded);
    let small = |text: &str| lay_out(&p, text, FontId::proportional(size), on_band, rect.width() * 0.35, 1);
    let y = band.top() + 3.0;
    let mut left = band.left() + 6.0;
    let mut right = band.right() - 6.0;
    let corner = piece.face.corner.join(" ");
    if is_sign(&corner) {
        let galley = small(&corner);
        p.galley(Pos2::new(left, y), galley.clone(), on_band);
        left += galley.size().x + 5.0;
    }
    let badge = piece.face.badge.join(" ");
    if !badge.is_empty() {
        let galley = small(&badge);
        right -= galley.size().x;
        p.galley(Pos2::new(right, y), galley, on_band);
        right -= 5.0;
    }
    let name = lay_out(&p, &name_of(piece), FontId::proportional(size), on_band, right - left, 1);
    p.galley(Pos2::new(left, y), name, on_band);
    let mut body =
        Rect::from_min_max(Pos2::new(rect.left() + 8.0, band.bottom() + 4.0), rect.max - Vec2::splat(5.0));
    if let Some(figure) = make_figure(&piece.face, piece.face.fill.map_or(ink.gamma_multiply(0.7), to_color))
    {
        let side = (body.height() * 0.45).min(body.width() * 0.3);
        paint_figure(&p, Pos2::new(body.right() - side / 2.0, body.bottom() - side / 2.0), side, &figure);
        body.max.x -= side + 2.0;
    }
    let mut lines = Vec::new();
    if !is_sign(&corner) {
        lines.extend(piece.face.corner.iter().cloned());
    }
    lines.extend(piece.face.text.iter().cloned());
    let rows = (body.height() / (size * 1.25)) as usize;
    let text = lay_out(&p, &lines.join("\n"), FontId::proportional(size), ink, body.width(), rows.max(1));
    p.galley(body.min, text, ink);
}

/// A die: pips for 1 to 6, else the text of its side.
fn paint_die(ui: &Ui, rect: Rect, die: &Side, c: Colors) {
    let p = ui.painter();
    p.rect(rect.shrink(1.0), CornerRadius::same(6), c.fill, Stroke::new(1.0, c.edge), StrokeKind::Inside);
    match die.sign.parse() {
        Ok(n @ 1..=6) => paint_pips(p, rect, n, c.ink),
        _ => {
            let size = if die.sign.chars().count() > 2 { 12.0 } else { 17.0 };
            paint_centred(p, rect.center(), &die.sign, size, c.ink, rect.width() - 4.0);
        }
    }
}

/// The pips of a die, as they lie on the usual one.
fn paint_pips(p: &Painter, rect: Rect, n: u8, ink: Color32) {
    let step = rect.width() * 0.25;
    let pip =
        |x: f32, y: f32| p.circle_filled(rect.center() + Vec2::new(x, y) * step, rect.width() * 0.08, ink);
    if n % 2 == 1 {
        pip(0.0, 0.0);
    }
    if n > 1 {
        pip(-1.0, 1.0);
        pip(1.0, -1.0);
    }
    if n > 3 {
        pip(-1.0, -1.0);
        pip(1.0, 1.0);
    }
    if n == 6 {
        pip(-1.0, 0.0);
        pip(1.0, 0.0);
    }
}
