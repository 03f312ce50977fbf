//! Paints the face of a card as Play does: a band with corner, name and badge; below it the shape and the text.
use super::data::{face_lines, name_of};
use crate::canvas::{Figure, contrast_color, contrast_ratio, outline, paint_figure};
use egui::epaint::text::TextWrapping;
use egui::text::LayoutJob;
use egui::{Color32, CornerRadius, FontId, Galley, Painter, Pos2, Rect, Stroke, StrokeKind, Ui, Vec2};
use houserule::ide::cards::Card;
use std::sync::Arc;

/// The sizes of a face: in the gallery, of the card that is open, and where a long text is read.
pub const SMALL: Vec2 = Vec2::new(168.0, 112.0);
/// See [`SMALL`].
pub const LARGE: Vec2 = Vec2::new(250.0, 180.0);
/// See [`SMALL`].
pub const READ: Vec2 = Vec2::new(250.0, 290.0);

fn to_color(c: [u8; 3]) -> Color32 {
    Color32::from_rgb(c[0], c[1], c[2])
}

/// A text of so many lines at most.
fn lay_out(p: &Painter, text: &str, size: f32, ink: Color32, width: f32, rows: usize) -> Arc<Galley> {
    let wrap = TextWrapping {
        max_width: width,
        max_rows: rows,
        break_anywhere: rows == 1,
        overflow_character: Some('…'),
    };
    let simple = LayoutJob::simple(text.to_owned(), FontId::proportional(size), ink, width);
    p.layout_job(LayoutJob { wrap, ..simple })
}

/// Whether a text stands for a picture: it has one or two characters, or neither a letter nor a digit.
fn is_sign(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty() && (text.chars().count() <= 2 || !text.chars().any(char::is_alphanumeric))
}

/// Paints a face into a rectangle. Whether all of its text has room there.
pub fn paint_face(ui: &Ui, rect: Rect, card: &Card, size: f32) -> bool {
    let p = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let (face, visuals) = (&card.face, ui.visuals());
    let (paper, ink) = (visuals.extreme_bg_color, visuals.strong_text_color());
    let edge = visuals.widgets.inactive.fg_stroke.color.gamma_multiply(0.6);
    let edge = Stroke::new(1.0, face.edge.map_or(edge, to_color));
    p.rect(rect.shrink(1.0), CornerRadius::same(5), paper, edge, StrokeKind::Inside);
    let band = Rect::from_min_size(rect.min, Vec2::new(rect.width(), size + 10.0)).shrink(1.0);
    let banded = face.fill.map_or(visuals.widgets.inactive.bg_fill, to_color);
    p.rect_filled(band, CornerRadius { nw: 5, ne: 5, sw: 0, se: 0 }, banded);
    let on_band = contrast_color(banded);
    let small = |text: &str| lay_out(&p, text, size, on_band, rect.width() * 0.35, 1);
    let (y, mut left, mut right) = (band.top() + 3.0, band.left() + 7.0, band.right() - 7.0);
    let corner = face.corner.join(" ");
    if is_sign(&corner) {
        let galley = small(&corner);
        p.galley(Pos2::new(left, y), galley.clone(), on_band);
        left += galley.size().x + 6.0;
    }
    let badge = face.badge.join(" ");
    if !badge.is_empty() {
        let galley = small(&badge);
        right -= galley.size().x;
        p.galley(Pos2::new(right, y), galley, on_band);
        right -= 5.0;
    }
    let name = lay_out(&p, name_of(card), size, on_band, right - left, 1);
    p.galley(Pos2::new(left, y), name.clone(), on_band);
    let mut body =
        Rect::from_min_max(Pos2::new(rect.left() + 8.0, band.bottom() + 4.0), rect.max - Vec2::splat(6.0));
    let foot = paint_foot(&p, body, card, size, ink);
    let mut lines = Vec::new();
    if !is_sign(&corner) {
        lines.extend(face.corner.iter().cloned());
    }
    lines.extend(face_lines(card));
    let own = face.fill.map_or(ink.gamma_multiply(0.7), to_color);
    if let Some(outline) = face.shape.as_deref().and_then(outline) {
        // A colour that is hardly seen on the ground has a line around it.
        let faint = contrast_ratio(own, paper) < 2.0;
        let edge = face.edge.map(to_color).or(faint.then_some(ink));
        let figure = Figure { outline, fill: own, edge, turn: face.turn };
        if lines.is_empty() {
            paint_figure(&p, body.center(), body.height() * 0.8, &figure);
        } else {
            let side = (body.height() * 0.5).min(body.width() * 0.3);
            let at = Pos2::new(body.right() - side / 2.0, body.top() + side / 2.0 + 2.0);
            paint_figure(&p, at, side, &figure);
            body.max.x -= side + 4.0;
        }
    }
    let rows = ((body.height() - foot) / (size * 1.25)) as usize;
    let text = lay_out(&p, &lines.join("\n"), size, ink, body.width(), rows.max(1));
    p.galley(body.min, text.clone(), ink);
    !name.elided && !text.elided
}

/// How many copies there are, at the foot of the card; and how much room that takes.
fn paint_foot(p: &Painter, body: Rect, card: &Card, size: f32, ink: Color32) -> f32 {
    let copies = card.copies_text();
    if copies.is_empty() {
        return 0.0;
    }
    let galley = lay_out(p, &copies, size, ink, body.width() * 0.6, 1);
    let at = body.max - galley.size();
    let pill = Rect::from_min_size(at, galley.size()).expand2(Vec2::new(4.0, 1.0));
    p.rect_filled(pill, CornerRadius::same(6), ink.gamma_multiply(0.12));
    p.galley(at, galley.clone(), ink);
    galley.size().y
}
