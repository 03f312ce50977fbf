//! Draws a card: a band with corner, name and badge; below it the shape and the texts; the number of copies at its foot. Also its back.
use super::color::{BAND, Color, PAPER, WHITE, ink_on, mix};
use super::pen::{Align, Figure, PRINT, Pen, draw_figure, is_sign, line_height};
use super::svg::{Rect, Stroke, Svg};
use super::words::{Block, POINT, Room};
use houserule_ide::cards::Back;
use houserule_model::LookParts;

/// Width and height of a card.
pub(crate) const CARD: (f64, f64) = (63.0, 88.0);
/// Between the edge of a card and its texts.
const INSIDE: f64 = 4.0;
/// How much of the colour of its band the ground of a card has.
const TINT: f64 = 0.13;
/// The width of the frame of a card whose look has an edge.
const FRAME: f64 = 1.2;
/// The largest size of a name, a text, the texts beside a name, and the foot, in points.
const NAME: f64 = 13.0;
const TEXT: f64 = 12.0;
/// The largest size of a text so short that it stands in the middle of a card, and the most letters that it has.
const SHORT: f64 = 20.0;
const SHORT_LETTERS: usize = 24;
const BESIDE: f64 = 12.0;
const FOOT: f64 = 7.0;
/// The smallest and the largest side of a shape that stands above texts.
const FIGURE: (f64, f64) = (12.0, 34.0);

/// What stands on a card.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct CardFace {
    /// Its name.
    pub name: String,
    /// How the rules draw it.
    pub look: LookParts,
    /// What stands below its name.
    pub lines: Vec<String>,
    /// What stands at its foot.
    pub foot: String,
}

/// Draws the front of a card whose upper left corner is the origin; its ground goes over the edge by `bleed`. Returns whether all of its text has room.
pub(crate) fn draw_card(pen: &Pen, svg: &mut Svg, face: &CardFace, bleed: f64) -> bool {
    let (width, height) = CARD;
    let whole = Rect::new(0.0, 0.0, width, height).grow(bleed);
    let ground = face.look.fill.map_or(PAPER, |fill| mix(WHITE, fill, TINT));
    svg.add_box(whole, 0.0, Some(ground), None);
    let (corner, lines) = split_corner(face);
    let band = face.look.fill.unwrap_or(BAND);
    let ink = ink_on(band);
    let frame = if face.look.edge.is_some() { FRAME } else { 0.0 };
    let (left, right) = (INSIDE, width - INSIDE);
    let mut fits = true;
    let mut beside = |text: &str| {
        let room = Room { width: (right - left) * 0.3, height: 14.0, largest: BESIDE, rows: 2 };
        let block = pen.type_.fit([text], room);
        fits &= block.fits;
        block
    };
    let corner = beside(&corner);
    let badge = beside(&face.look.badge.join(" "));
    let taken = |b: &Block| if b.lines.is_empty() { 0.0 } else { b.width() + 1.5 };
    let room = Room {
        width: right - left - taken(&corner) - taken(&badge),
        height: 2.0 * line_height(NAME * POINT),
        largest: NAME,
        rows: 2,
    };
    let name = pen.type_.fit([face.name.as_str()], room);
    let tallest = [&corner, &badge, &name].into_iter().map(Block::height).fold(0.0, f64::max);
    let top = frame + 2.2;
    let low = top + tallest + 1.8;
    let full = Rect::new(whole.x, whole.y, whole.width, low - whole.y);
    svg.add_box(full, 0.0, Some(band), None);
    let middle = |b: &Block| top + (tallest - b.height()) / 2.0;
    let inner = right - left;
    pen.draw_block(svg, (left, middle(&corner)), inner, Align::Left, &corner, ink, true);
    pen.draw_block(svg, (left, middle(&badge)), inner, Align::Right, &badge, ink, true);
    pen.draw_block(svg, (left + taken(&corner), middle(&name)), inner, Align::Left, &name, ink, true);
    let mut body = Rect::new(left, low + 2.5, inner, height - INSIDE - low - 2.5);
    body.height -= draw_foot(pen, svg, body, &face.foot, ground);
    let figure = Figure::from_look(&face.look, band).map(|f| f.on_ground(ground));
    let text = draw_body(pen, svg, body, figure.as_ref(), &lines);
    if let Some(edge) = face.look.edge {
        draw_frame(svg, whole, bleed, edge);
    }
    fits && name.fits && text
}

/// The text of the corner, and what stands below the band. The band has room for a sign; a longer corner text becomes the first lines of the body.
fn split_corner(face: &CardFace) -> (String, Vec<&str>) {
    let corner = face.look.corner.join(" ");
    let lines = face.lines.iter().map(String::as_str);
    if corner.is_empty() || is_sign(&corner) {
        return (corner, lines.collect());
    }
    (String::new(), face.look.corner.iter().map(String::as_str).chain(lines).collect())
}

/// Draws the shape and the texts below the band. Without texts the shape fills the room; with texts it stands above them, as large as they let it be.
fn draw_body(pen: &Pen, svg: &mut Svg, body: Rect, figure: Option<&Figure>, lines: &[&str]) -> bool {
    let (x, y) = body.middle();
    if lines.iter().all(|l| l.trim().is_empty()) {
        if let Some(figure) = figure {
            draw_figure(svg, (x, y), body.width.min(body.height) * 0.8, figure);
        }
        return true;
    }
    let kept = if figure.is_some() { FIGURE.0 + 2.5 } else { 0.0 };
    let room =
        |largest: f64, rows: usize| Room { width: body.width, height: body.height - kept, largest, rows };
    let set = |largest: f64, rows: usize| pen.type_.fit(lines.iter().copied(), room(largest, rows));
    let letters: usize = lines.iter().map(|l| l.chars().count()).sum();
    let short = (letters <= SHORT_LETTERS).then(|| set(SHORT, 2)).filter(|b| b.fits && b.size > TEXT * POINT);
    let align = if short.is_some() { Align::Middle } else { Align::Left };
    let text = short.unwrap_or_else(|| set(TEXT, usize::MAX));
    let mut top = body.y;
    if let Some(figure) = figure {
        let side = (body.height - text.height() - 4.0).clamp(FIGURE.0, FIGURE.1);
        let free = (body.height - text.height() - side - 2.5).max(0.0);
        draw_figure(svg, (x, body.y + free / 3.0 + side / 2.0), side, figure);
        top += side + 2.5 + free * 2.0 / 3.0;
    } else if align == Align::Middle {
        top += (body.height - text.height()) * 0.4;
    }
    pen.draw_block(svg, (body.x, top), body.width, align, &text, PRINT, false);
    text.fits
}

/// Draws a text at the foot of a card. Returns how much room that takes.
fn draw_foot(pen: &Pen, svg: &mut Svg, body: Rect, text: &str, ground: Color) -> f64 {
    if text.is_empty() {
        return 0.0;
    }
    let room = Room { width: body.width * 0.6, height: 4.0, largest: FOOT, rows: 1 };
    let block = pen.type_.fit([text], room);
    let (width, height) = (block.width(), block.height());
    let pill = Rect::new(
        body.x + body.width - width - 1.5,
        body.y + body.height - height + 1.0,
        width + 3.0,
        height + 0.4,
    );
    svg.add_box(pill, pill.height / 2.0, Some(mix(ground, PRINT, 0.12)), None);
    pen.draw_centred(svg, pill, &block, PRINT, false);
    height + 1.0
}

/// Draws a frame that goes over the edge of a card.
fn draw_frame(svg: &mut Svg, whole: Rect, bleed: f64, color: Color) {
    let width = bleed + FRAME;
    svg.add_box(whole.grow(-width / 2.0), 0.0, None, Some(Stroke { color, width }));
}

/// Draws the back of a card: lines across, and a field with what the rules draw there and what stands on it. Returns whether all of its text has room.
pub(crate) fn draw_back(pen: &Pen, svg: &mut Svg, back: &Back, title: &str, fill: Color, bleed: f64) -> bool {
    let (width, height) = CARD;
    let whole = Rect::new(0.0, 0.0, width, height).grow(bleed);
    let fill = back.look.fill.unwrap_or(fill);
    svg.add_box(whole, 0.0, Some(fill), None);
    let line = Stroke { color: mix(fill, ink_on(fill), 0.18), width: 0.5 };
    let mut x = whole.x - whole.height / 3.0;
    while x < whole.x + whole.width {
        svg.add_line((x + whole.height / 3.0, whole.y), (x, whole.y + whole.height), line, 0.0);
        x += 4.0;
    }
    let field = Rect::new(9.0, 22.0, width - 18.0, height - 44.0);
    svg.add_box(field, 3.0, Some(fill), Some(Stroke { color: ink_on(fill), width: 0.5 }));
    let inner = field.grow(-3.0);
    let mut texts: Vec<&str> = vec![back.look.title.as_deref().filter(|t| !t.is_empty()).unwrap_or(title)];
    texts.extend(back.look.all_texts());
    texts.extend(back.marks.iter().map(String::as_str));
    let figure = Figure::from_look(&back.look, ink_on(fill));
    let side = if figure.is_some() { inner.height * 0.5 } else { 0.0 };
    if let Some(figure) = &figure {
        draw_figure(
            svg,
            (inner.x + inner.width / 2.0, inner.y + side / 2.0),
            side,
            &figure.clone().on_ground(fill),
        );
    }
    let below = Rect::new(inner.x, inner.y + side, inner.width, inner.height - side);
    let room = Room { width: below.width, height: below.height, largest: 14.0, rows: usize::MAX };
    let block = pen.type_.fit(texts, room);
    pen.draw_centred(svg, below, &block, ink_on(fill), true);
    if let Some(edge) = back.look.edge {
        draw_frame(svg, whole, bleed, edge);
    }
    block.fits
}
