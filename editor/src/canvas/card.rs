//! Paints cards: a band with corner, name and badge; below it a shape and lines of text. Also backs.
use super::signs::{Laid, Signs};
use super::{Figure, paint_figure};
use crate::style::{BAND, PAPER, PRINT, contrast_color, contrast_ratio};
use egui::epaint::text::TextWrapping;
use egui::text::LayoutJob;
use egui::{Align, Color32, CornerRadius, FontId, Painter, Pos2, Rect, Stroke, StrokeKind, Ui, Vec2};
use houserule::model::LookParts;

/// A card, ready to be painted.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CardFace {
    /// Its name.
    pub name: String,
    /// What stands on the left of its name.
    pub corner: String,
    /// What stands on the right of its name.
    pub badge: String,
    /// What stands below.
    pub lines: Vec<String>,
    /// The colour of the band.
    pub band: Option<Color32>,
    /// Its edge.
    pub edge: Option<Color32>,
    /// Its shape.
    pub figure: Option<Figure>,
    /// What stands at its foot.
    pub foot: String,
    /// What is drawn in the place of words of its texts.
    pub signs: Signs,
}

impl CardFace {
    /// Of a look. `lines` is what stands on it, `ink` the colour of a shape to which the look gives none.
    pub fn from_look(face: &LookParts, name: &str, lines: Vec<String>, ink: Color32) -> CardFace {
        let color = |c: [u8; 3]| Color32::from_rgb(c[0], c[1], c[2]);
        let figure = super::outline_of(face).map(|outline| {
            let fill = face.fill.map_or(ink.gamma_multiply(0.7), color);
            Figure { outline, fill, edge: face.edge.map(color), turn: face.turn }
        });
        let mut out = CardFace {
            name: name.to_string(),
            corner: face.corner.join(" "),
            badge: face.badge.join(" "),
            lines,
            band: face.fill.map(color),
            edge: face.edge.map(color),
            figure,
            foot: String::new(),
            signs: Signs::default(),
        };
        // The band has room for a sign; a longer corner text becomes the first lines of the body.
        if !out.corner.is_empty() && !is_sign(&out.corner) {
            out.lines.splice(0..0, face.corner.iter().cloned());
            out.corner.clear();
        }
        out
    }
}

/// Whether a text stands for a picture: it has one or two characters, or neither a letter nor a digit.
pub fn is_sign(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty() && (text.chars().count() <= 2 || !text.chars().any(char::is_alphanumeric))
}

/// Lays out the texts of a card.
struct Print<'a> {
    p: &'a Painter,
    signs: &'a Signs,
    size: f32,
}

impl Print<'_> {
    /// A text of so many lines at most.
    fn lay_out(&self, text: &str, ink: Color32, width: f32, rows: usize) -> Laid {
        let wrap = TextWrapping {
            max_width: width,
            max_rows: rows,
            break_anywhere: rows == 1,
            overflow_character: Some('…'),
        };
        let font = FontId::proportional(self.size);
        self.signs.lay_out(self.p, &self.signs.mark(text), font, ink, wrap, Align::LEFT)
    }
}

/// Paints a text in one line about a point.
pub fn paint_centred(p: &Painter, at: Pos2, text: &str, size: f32, ink: Color32, width: f32) {
    let wrap =
        TextWrapping { max_width: width, max_rows: 1, break_anywhere: true, overflow_character: Some('…') };
    let simple = LayoutJob::simple(text.to_owned(), FontId::proportional(size), ink, width);
    let galley = p.layout_job(LayoutJob { halign: Align::Center, wrap, ..simple });
    let high = galley.size().y / 2.0;
    p.galley(Pos2::new(at.x, at.y - high), galley, ink);
}

/// Paints the front of a card into a rectangle. Whether all of its text has room there.
pub fn paint_card(ui: &Ui, rect: Rect, face: &CardFace, size: f32) -> bool {
    let p = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let (paper, ink) = (PAPER, PRINT);
    let edge = Stroke::new(1.0, face.edge.unwrap_or(PRINT.gamma_multiply(0.5)));
    p.rect(rect.shrink(1.0), CornerRadius::same(5), paper, edge, StrokeKind::Inside);
    let banded = face.band.unwrap_or(BAND);
    let on_band = contrast_color(banded);
    let (mut left, mut right) = (rect.left() + 8.0, rect.right() - 8.0);
    let print = Print { p: &p, signs: &face.signs, size };
    let small = |text: &str| print.lay_out(text, on_band, rect.width() * 0.35, 1);
    let corner = Some(&face.corner).filter(|t| !t.is_empty()).map(|t| small(t));
    let badge = Some(&face.badge).filter(|t| !t.is_empty()).map(|t| small(t));
    let taken = |g: &Option<Laid>| g.as_ref().map_or(0.0, |g| g.galley.size().x + 5.0);
    // An upright card has room for a name of two lines.
    let rows = if rect.height() > rect.width() { 2 } else { 1 };
    let name = print.lay_out(&face.name, on_band, right - left - taken(&corner) - taken(&badge), rows);
    let band = Rect::from_min_size(rect.min, Vec2::new(rect.width(), name.galley.size().y + 8.0)).shrink(1.0);
    p.rect_filled(band, CornerRadius { nw: 5, ne: 5, sw: 0, se: 0 }, banded);
    let y = band.top() + 3.0;
    if let Some(corner) = corner {
        corner.paint(&p, Pos2::new(left, y), on_band);
        left += corner.galley.size().x + 5.0;
    }
    if let Some(badge) = badge {
        right -= badge.galley.size().x;
        badge.paint(&p, Pos2::new(right, y), on_band);
    }
    name.paint(&p, Pos2::new(left, y), on_band);
    let mut body =
        Rect::from_min_max(Pos2::new(rect.left() + 8.0, band.bottom() + 4.0), rect.max - Vec2::splat(6.0));
    let foot = paint_foot(&print, body, &face.foot, ink);
    if let Some(figure) = &face.figure {
        // A colour that is hardly seen on the ground has a line around it.
        let mut figure = figure.clone();
        if figure.edge.is_none() && contrast_ratio(figure.fill, paper) < 2.0 {
            figure.edge = Some(ink);
        }
        if face.lines.is_empty() {
            let side = (body.height() * 0.85).min(body.width());
            paint_figure(&p, body.center(), side, &figure);
        } else {
            let side = (body.height() * 0.5).min(body.width() * 0.3);
            let at = Pos2::new(body.right() - side / 2.0, body.top() + side / 2.0 + 2.0);
            paint_figure(&p, at, side, &figure);
            body.max.x -= side + 4.0;
        }
    }
    let rows = ((body.height() - foot) / (size * 1.25)) as usize;
    let text = print.lay_out(&face.lines.join("\n"), ink, body.width(), rows.max(1));
    text.paint(&p, body.min, ink);
    !name.galley.elided && !text.galley.elided
}

/// Paints a text at the foot of a card; gives how much room that takes.
fn paint_foot(print: &Print<'_>, body: Rect, text: &str, ink: Color32) -> f32 {
    if text.is_empty() {
        return 0.0;
    }
    let laid = print.lay_out(text, ink, body.width() * 0.6, 1);
    let size = laid.galley.size();
    let at = body.max - size;
    let pill = Rect::from_min_size(at, size).expand2(Vec2::new(4.0, 1.0));
    print.p.rect_filled(pill, CornerRadius::same(6), ink.gamma_multiply(0.12));
    laid.paint(print.p, at, ink);
    size.y
}

/// Paints the back of a card: lines across.
pub fn paint_back(p: &Painter, rect: Rect, fill: Color32, edge: Color32) {
    let round = CornerRadius::same(4);
    p.rect(rect.shrink(1.0), round, fill, Stroke::new(1.0, edge), StrokeKind::Inside);
    let stroke = Stroke::new(1.0, contrast_color(fill).gamma_multiply(0.25));
    let mut x = rect.left() + 6.0;
    while x < rect.right() {
        p.line_segment([Pos2::new(x, rect.top() + 3.0), Pos2::new(x - 4.0, rect.bottom() - 3.0)], stroke);
        x += 6.0;
    }
}
