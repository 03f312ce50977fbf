//! Draws what several pages share: texts with their signs, and shapes and images of a look.
use super::color::{Color, INK, contrast, ink_on, player_color};
use super::fonts::font_family;
use super::svg::{Point, Rect, Stroke, Svg};
use super::words::{Block, Item, LINE_HEIGHT, Line, Typesetter};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use houserule_model::images::Image;
use houserule_model::shapes::{PLAIN_SHAPE, SIDE, find_shape, is_path, read_path};
use houserule_model::{LookParts, LookSign};

/// From the top of a line to the base of its letters, in parts of the size.
const ASCENT: f64 = 0.93;
/// From the top of a line to the middle of its signs, in parts of the size.
const SIGN_MIDDLE: f64 = 0.6;
/// The line around the letters of a name, in parts of the size.
const BOLD: f64 = 0.035;

/// Where a text stands in its width.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Align {
    /// On the left.
    Left,
    /// In the middle.
    Middle,
    /// On the right.
    Right,
}

/// What is drawn of a look's shape.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Outline {
    /// Path data.
    Path(String),
    /// An image with colours of its own.
    Image(Image),
}

/// A shape in its colours.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Figure {
    /// What is drawn.
    pub outline: Outline,
    /// What it is filled with.
    pub fill: Color,
    /// Its edge; none: a fine line that stands out from the fill.
    pub edge: Option<Color>,
    /// By how many degrees it is turned, clockwise.
    pub turn: i32,
}

impl Figure {
    /// The shape of a look in a colour; none if it has none, or one that cannot be drawn.
    pub fn from_look(look: &LookParts, fill: Color) -> Option<Figure> {
        let outline = match (&look.image, look.shape.as_deref()) {
            (Some(image), _) => Outline::Image(image.clone()),
            (None, Some(shape)) => Outline::Path(find_path(shape)?),
            (None, None) => return None,
        };
        Some(Figure { outline, fill, edge: look.edge, turn: look.turn })
    }

    /// This shape with a line around it where its colour is hardly seen on a ground.
    pub fn on_ground(mut self, ground: Color) -> Figure {
        if self.edge.is_none() && contrast(self.fill, ground) < 2.0 {
            self.edge = Some(ink_on(ground));
        }
        self
    }

    /// Whether it has colours of its own.
    pub fn is_image(&self) -> bool {
        matches!(self.outline, Outline::Image(_))
    }
}

/// The path data of a shape by its name, or the data itself if it can be read.
fn find_path(shape: &str) -> Option<String> {
    if let Some(known) = find_shape(shape) {
        return Some(String::from(known.path));
    }
    (is_path(shape) && read_path(shape).is_ok()).then(|| String::from(shape))
}

/// A sign that stands in a text for a word.
#[derive(Clone, Debug)]
struct Sign {
    figure: Figure,
    letters: String,
}

impl Sign {
    fn from_look(sign: &LookSign) -> Option<Sign> {
        let fill = sign.look.fill.unwrap_or([150, 150, 150]);
        let own = Figure::from_look(&sign.look, fill);
        let letters = match sign.look.title.as_deref().filter(|t| !t.is_empty()) {
            Some(title) => title.chars().take(2).collect(),
            None if own.is_some() => String::new(),
            None => sign.title.chars().take(1).collect(),
        };
        let plain = || {
            let outline = Outline::Path(find_path(PLAIN_SHAPE)?);
            Some(Figure { outline, fill, edge: sign.look.edge, turn: sign.look.turn })
        };
        Some(Sign { figure: own.or_else(plain)?, letters })
    }
}

/// What texts and shapes are drawn with.
pub(crate) struct Pen {
    /// What lays out texts.
    pub type_: Typesetter,
    signs: Vec<Option<Sign>>,
}

impl Pen {
    /// A pen that knows the signs of a game.
    pub fn new(signs: &[LookSign]) -> Pen {
        Pen { type_: Typesetter::new(signs), signs: signs.iter().map(Sign::from_look).collect() }
    }

    /// Draws a line of text whose upper left corner is at a point.
    pub fn draw_line(&self, svg: &mut Svg, at: Point, line: &Line, size: f64, ink: Color, bold: bool) {
        let base = at.1 + ASCENT * size;
        let mut x = at.0;
        // Characters of one font, where they begin, and how wide they are.
        let mut run: (String, usize, f64, f64) = (String::new(), 0, x, 0.0);
        let weight = if bold { BOLD * size } else { 0.0 };
        let end_run = |svg: &mut Svg, run: &mut (String, usize, f64, f64)| {
            let text = std::mem::take(&mut run.0);
            if !text.trim().is_empty() {
                svg.add_text((run.2, base), &text, font_family(run.1), size, run.3, ink, weight);
            }
            run.3 = 0.0;
        };
        for item in &line.items {
            let wide = item.width() * size;
            match item {
                Item::Glyph(g) => {
                    if g.font != run.1 || run.0.is_empty() {
                        end_run(svg, &mut run);
                        run.1 = g.font;
                        run.2 = x;
                    }
                    // A run begins with a letter: blanks before it would be swallowed.
                    if g.char != ' ' || !run.0.is_empty() {
                        run.0.push(g.char);
                        run.3 += wide;
                    }
                }
                Item::Sign(n) => {
                    end_run(svg, &mut run);
                    self.draw_sign(svg, (x + wide / 2.0, at.1 + SIGN_MIDDLE * size), *n, size);
                }
            }
            x += wide;
        }
        end_run(svg, &mut run);
    }

    fn draw_sign(&self, svg: &mut Svg, at: Point, n: usize, size: f64) {
        let Some(Some(sign)) = self.signs.get(n) else { return };
        draw_figure(svg, at, size * 1.05, &sign.figure);
        if !sign.letters.is_empty() {
            let small = size * 0.68;
            let line = self.type_.line(&sign.letters);
            let from = (at.0 - line.width() * small / 2.0, at.1 - SIGN_MIDDLE * small);
            self.draw_line(svg, from, &line, small, ink_on(sign.figure.fill), true);
        }
    }

    /// Draws a block of text into a width from a point on.
    #[allow(clippy::too_many_arguments)]
    pub fn draw_block(
        &self,
        svg: &mut Svg,
        at: Point,
        width: f64,
        align: Align,
        block: &Block,
        ink: Color,
        bold: bool,
    ) {
        for (y, line) in block.rows() {
            let free = width - line.width() * block.size;
            let shift = match align {
                Align::Left => 0.0,
                Align::Middle => free / 2.0,
                Align::Right => free,
            };
            self.draw_line(svg, (at.0 + shift, at.1 + y), line, block.size, ink, bold);
        }
    }

    /// Draws a block of text in the middle of a box.
    pub fn draw_centred(&self, svg: &mut Svg, room: Rect, block: &Block, ink: Color, bold: bool) {
        let y = room.y + (room.height - block.height()) / 2.0;
        self.draw_block(svg, (room.x, y), room.width, Align::Middle, block, ink, bold);
    }

    /// Draws a small text on the left, with its upper side at a height.
    pub fn draw_label(&self, svg: &mut Svg, at: Point, text: &str, size: f64) {
        self.draw_line(svg, at, &self.type_.line(text), size, [90, 90, 90], false);
    }
}

/// Draws a shape about a point in a square of that side.
pub(crate) fn draw_figure(svg: &mut Svg, at: Point, side: f64, figure: &Figure) {
    match &figure.outline {
        Outline::Image(image) => draw_image(svg, at, side, figure.turn, image),
        Outline::Path(data) => {
            let stroke = match figure.edge {
                Some(color) => Stroke { color, width: (side * 0.035).clamp(0.05, 0.5) },
                None => Stroke { color: ink_on(figure.fill), width: (side * 0.015).clamp(0.02, 0.2) },
            };
            svg.add_path(data, SIDE, at, side, figure.turn, Some(figure.fill), Some(stroke));
        }
    }
}

/// Draws an image. A PNG in an SVG is taken out of it, as programs do not draw images inside images.
fn draw_image(svg: &mut Svg, at: Point, side: f64, turn: i32, image: &Image) {
    let found = roxmltree::Document::parse(&image.text).ok();
    let root = found.as_ref().map(|d| d.root_element());
    let lone = root.and_then(|root| {
        let mut inside = root.children().filter(|n| n.is_element());
        let only = inside.next().filter(|n| n.tag_name().name() == "image")?;
        let number = |name: &str| root.attribute(name)?.parse::<f64>().ok().filter(|x| *x > 0.0);
        let link = only.attributes().find(|a| a.name() == "href")?.value();
        inside.next().is_none().then_some((link, number("width")?, number("height")?))
    });
    match lone {
        Some((link, width, height)) => {
            let scale = side / width.max(height);
            svg.add_bitmap(link, at, (width * scale, height * scale), turn);
        }
        None => svg.add_picture(&STANDARD.encode(image.text.as_bytes()), at, side, turn),
    }
}

/// The colour of a player: the `fill` of the player's look, or a default colour.
pub(crate) fn color_of_player(look: &LookParts, player: usize) -> Color {
    look.fill.unwrap_or_else(|| player_color(player))
}

/// Texts of a look that stand in a corner: a sign stands there, a longer text does not.
pub(crate) fn is_sign(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty() && (text.chars().count() <= 2 || !text.chars().any(char::is_alphanumeric))
}

/// The height of so many lines of a size.
pub(crate) fn line_height(size: f64) -> f64 {
    LINE_HEIGHT * size
}

/// What is printed on paper.
pub(crate) const PRINT: Color = INK;
