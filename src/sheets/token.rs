//! Draws counters: round ones for tokens and pieces, square ones for the sides of dice.
use super::color::{Color, GREY, LINE, WHITE, ink_on, mix};
use super::pen::{Figure, Pen, draw_figure};
use super::svg::{Rect, Stroke, Svg};
use super::words::Room;
use houserule_model::LookParts;

/// The width and height of a counter.
pub(crate) const TOKEN: f64 = 20.0;
/// The ring in the colour of an owner.
const RING: f64 = 1.1;
/// Where the text below a shape ends.
const CAPTION_LOW: f64 = 17.8;
/// The line along which a counter is cut.
const CUT: Stroke = Stroke { color: LINE, width: 0.1 };

/// What stands on a counter.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct TokenFace {
    /// How the rules draw it.
    pub look: LookParts,
    /// What stands on it.
    pub texts: Vec<String>,
    /// The colour of the player to whom it belongs.
    pub owner: Option<Color>,
    /// Whether it is the side of a die: it is square, and its text is large.
    pub side: bool,
}

/// Draws a counter whose upper left corner is the origin; its ground goes over the edge by `bleed`. Returns whether all of its text has room.
pub(crate) fn draw_token(pen: &Pen, svg: &mut Svg, face: &TokenFace, bleed: f64) -> bool {
    let fill = face.look.fill.or(face.owner).unwrap_or(GREY);
    let figure = Figure::from_look(&face.look, fill);
    let ground = match &figure {
        Some(figure) if figure.is_image() => WHITE,
        Some(_) => mix(WHITE, fill, 0.2),
        None => fill,
    };
    let (whole, middle) = (Rect::new(0.0, 0.0, TOKEN, TOKEN), (TOKEN / 2.0, TOKEN / 2.0));
    let ring = face.owner.filter(|o| figure.is_some() || *o != fill);
    let line = ring.or(face.look.edge).map(|color| Stroke { color, width: RING });
    if face.side {
        svg.add_box(whole.grow(bleed), 0.0, Some(ground), None);
        if line.is_some() {
            svg.add_box(whole.grow(-RING), 1.0, None, line);
        }
        svg.add_box(whole, 0.0, None, Some(CUT));
    } else {
        svg.add_circle(middle, TOKEN / 2.0 + bleed, Some(ground), None);
        if line.is_some() {
            svg.add_circle(middle, TOKEN / 2.0 - RING, None, line);
        }
        svg.add_circle(middle, TOKEN / 2.0, None, Some(CUT));
    }
    let texts = || face.texts.iter().map(String::as_str);
    let empty = texts().all(|t| t.trim().is_empty());
    if let Some(figure) = figure {
        let figure = figure.on_ground(ground);
        if empty {
            draw_figure(svg, middle, TOKEN * 0.68, &figure);
            return true;
        }
        // A longer text gets more room, and the shape less.
        let caption = |top: f64, inset: f64| {
            let room = Rect::new(inset, top, TOKEN - 2.0 * inset, CAPTION_LOW - top);
            let limits = Room { width: room.width, height: room.height, largest: 7.0, rows: usize::MAX };
            (room, pen.type_.fit(texts(), limits))
        };
        let (mut room, mut block) = caption(13.2, 3.6);
        let mut side = 10.4;
        if !block.fits {
            (room, block) = caption(9.2, 2.6);
            side = 6.6;
        }
        draw_figure(svg, (middle.0, room.y - 0.3 - side / 2.0), side, &figure);
        pen.draw_centred(svg, room, &block, ink_on(ground), true);
        return block.fits;
    }
    let room = whole.grow(-3.2);
    let largest = if face.side { 30.0 } else { 12.0 };
    let block =
        pen.type_.fit(texts(), Room { width: room.width, height: room.height, largest, rows: usize::MAX });
    pen.draw_centred(svg, room, &block, ink_on(ground), true);
    block.fits
}
