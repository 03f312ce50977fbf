//! Paints the face of a card as Play does.
use super::data::{face_lines, name_of};
use crate::canvas::{CardFace, Signs, paint_card};
use egui::{Rect, Ui, Vec2};
use houserule::ide::cards::Card;

/// The sizes of a face: in the gallery, of the card that is open, and where a long text is read.
pub const SMALL: Vec2 = Vec2::new(168.0, 112.0);
/// See [`SMALL`].
pub const LARGE: Vec2 = Vec2::new(250.0, 180.0);
/// See [`SMALL`].
pub const READ: Vec2 = Vec2::new(250.0, 290.0);

/// Paints a face into a rectangle. Whether all of its text has room there.
pub fn paint_face(ui: &Ui, rect: Rect, card: &Card, signs: &Signs, size: f32) -> bool {
    let ink = ui.visuals().strong_text_color();
    let mut face = CardFace::from_look(&card.face, name_of(card), face_lines(card), ink);
    face.foot = card.copies_text();
    face.signs = signs.clone();
    paint_card(ui, rect, &face, size)
}
