//! Writes SVG: an element for each call, lengths in millimetres. Texts from rules are escaped here and nowhere else.
use super::color::{Color, to_hex};
use std::fmt::Write as _;

/// A point: to the right, downwards.
pub(crate) type Point = (f64, f64);

/// A line around or between things.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Stroke {
    /// Its colour.
    pub color: Color,
    /// How wide it is.
    pub width: f64,
}

/// A rectangle.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Rect {
    /// The left side.
    pub x: f64,
    /// The upper side.
    pub y: f64,
    /// The width.
    pub width: f64,
    /// The height.
    pub height: f64,
}

impl Rect {
    /// A rectangle by its upper left corner and its size.
    pub fn new(x: f64, y: f64, width: f64, height: f64) -> Rect {
        Rect { x, y, width, height }
    }

    /// Larger by so much on each side.
    pub fn grow(self, by: f64) -> Rect {
        Rect::new(self.x - by, self.y - by, self.width + 2.0 * by, self.height + 2.0 * by)
    }

    /// Its middle.
    pub fn middle(self) -> Point {
        (self.x + self.width / 2.0, self.y + self.height / 2.0)
    }
}

/// Writes a length with at most three decimals.
fn n(x: f64) -> String {
    let text = format!("{x:.3}");
    let short = text.trim_end_matches('0').trim_end_matches('.');
    if short == "-0" { String::from("0") } else { String::from(short) }
}

/// Escapes a text between tags or quotes. What XML cannot hold becomes a blank.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => out.push(' '),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// An SVG text in the making.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Svg(String);

impl Svg {
    /// A document of that size.
    pub fn document(width: f64, height: f64, title: &str) -> Svg {
        let (w, h) = (n(width), n(height));
        Svg(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"{w}mm\" height=\"{h}mm\" viewBox=\"0 0 {w} {h}\" font-family=\"Ubuntu, sans-serif\" font-weight=\"300\">\n<title>{}</title>\n",
            escape(title)
        ))
    }

    /// The whole document.
    pub fn end_document(mut self) -> String {
        self.0.push_str("</svg>\n");
        self.0
    }

    /// Begins a part that is seen only inside a rectangle. The part has places of its own: the rectangle's upper left corner is `at` in it.
    pub fn begin_part(&mut self, rect: Rect, at: Point) {
        let (w, h) = (n(rect.width), n(rect.height));
        let _ = writeln!(
            self.0,
            "<svg x=\"{}\" y=\"{}\" width=\"{w}\" height=\"{h}\" viewBox=\"{} {} {w} {h}\" overflow=\"hidden\">",
            n(rect.x),
            n(rect.y),
            n(at.0),
            n(at.1)
        );
    }

    /// Ends a part.
    pub fn end_part(&mut self) {
        self.0.push_str("</svg>\n");
    }

    fn add_paint(&mut self, fill: Option<Color>, stroke: Option<Stroke>) {
        let fill = fill.map_or_else(|| String::from("none"), to_hex);
        let _ = write!(self.0, " fill=\"{fill}\"");
        if let Some(s) = stroke {
            let _ = write!(self.0, " stroke=\"{}\" stroke-width=\"{}\"", to_hex(s.color), n(s.width));
        }
        self.0.push_str("/>\n");
    }

    /// A rectangle with round corners.
    pub fn add_box(&mut self, r: Rect, round: f64, fill: Option<Color>, stroke: Option<Stroke>) {
        let _ = write!(
            self.0,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"",
            n(r.x),
            n(r.y),
            n(r.width),
            n(r.height)
        );
        if round > 0.0 {
            let _ = write!(self.0, " rx=\"{}\"", n(round));
        }
        self.add_paint(fill, stroke);
    }

    /// A closed outline of straight lines.
    pub fn add_polygon(&mut self, points: &[Point], fill: Option<Color>, stroke: Option<Stroke>) {
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{},{}", n(*x), n(*y))).collect();
        let _ = write!(self.0, "<polygon points=\"{}\" stroke-linejoin=\"round\"", points.join(" "));
        self.add_paint(fill, stroke);
    }

    /// A circle.
    pub fn add_circle(&mut self, (x, y): Point, radius: f64, fill: Option<Color>, stroke: Option<Stroke>) {
        let _ = write!(self.0, "<circle cx=\"{}\" cy=\"{}\" r=\"{}\"", n(x), n(y), n(radius));
        self.add_paint(fill, stroke);
    }

    /// A straight line; `dashes` is the length of a dash, 0 for none.
    pub fn add_line(&mut self, a: Point, b: Point, stroke: Stroke, dashes: f64) {
        let _ = write!(
            self.0,
            "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke-linecap=\"round\"",
            n(a.0),
            n(a.1),
            n(b.0),
            n(b.1)
        );
        if dashes > 0.0 {
            let _ = write!(self.0, " stroke-dasharray=\"{}\"", n(dashes));
        }
        self.add_paint(None, Some(stroke));
    }

    /// Path data in a square of `side`, drawn about a point in a square of `size`, turned clockwise.
    #[allow(clippy::too_many_arguments)]
    pub fn add_path(
        &mut self,
        data: &str,
        side: f64,
        at: Point,
        size: f64,
        turn: i32,
        fill: Option<Color>,
        stroke: Option<Stroke>,
    ) {
        let scale = size / side;
        let half = n(-side / 2.0);
        let _ = write!(
            self.0,
            "<path d=\"{}\" fill-rule=\"evenodd\" stroke-linejoin=\"round\" transform=\"translate({} {}) rotate({turn}) scale({scale:.5}) translate({half} {half})\"",
            escape(data),
            n(at.0),
            n(at.1)
        );
        // The line is scaled with the path.
        self.add_paint(fill, stroke.map(|s| Stroke { width: s.width / scale.max(1e-6), ..s }));
    }

    /// An SVG as a picture about a point in a square of `size`, turned clockwise; `data` is its text in base64.
    pub fn add_picture(&mut self, data: &str, at: Point, size: f64, turn: i32) {
        let half = n(-size / 2.0);
        let size = n(size);
        let _ = writeln!(
            self.0,
            "<image x=\"{half}\" y=\"{half}\" width=\"{size}\" height=\"{size}\" transform=\"translate({} {}) rotate({turn})\" xlink:href=\"data:image/svg+xml;base64,{data}\"/>",
            n(at.0),
            n(at.1)
        );
    }

    /// A bitmap about a point in a box of that size, turned clockwise; `link` holds its bytes.
    pub fn add_bitmap(&mut self, link: &str, at: Point, (width, height): Point, turn: i32) {
        let _ = writeln!(
            self.0,
            "<image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" transform=\"translate({} {}) rotate({turn})\" xlink:href=\"{}\"/>",
            n(-width / 2.0),
            n(-height / 2.0),
            n(width),
            n(height),
            n(at.0),
            n(at.1),
            escape(link)
        );
    }

    /// A text in one font that begins at a point on its base line and is so wide. `weight` is the width of a line around its letters.
    #[allow(clippy::too_many_arguments)]
    pub fn add_text(
        &mut self,
        at: Point,
        text: &str,
        family: &str,
        size: f64,
        width: f64,
        ink: Color,
        weight: f64,
    ) {
        let _ = write!(
            self.0,
            "<text x=\"{}\" y=\"{}\" font-size=\"{}\" textLength=\"{}\" lengthAdjust=\"spacingAndGlyphs\" fill=\"{}\"",
            n(at.0),
            n(at.1),
            n(size),
            n(width),
            to_hex(ink)
        );
        if family != "Ubuntu" {
            let _ = write!(self.0, " font-family=\"{family}\"");
        }
        if weight > 0.0 {
            let _ = write!(self.0, " stroke=\"{}\" stroke-width=\"{}\"", to_hex(ink), n(weight));
        }
        let _ = writeln!(self.0, ">{}</text>", escape(text));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_texts_stay_texts() {
        let mut svg = Svg::document(10.0, 10.0, "</title><script>");
        svg.add_text((1.0, 2.0), "a\"<&>\u{1}\u{ffff}", "Ubuntu", 3.0, 5.0, [0, 0, 0], 0.0);
        let text = svg.end_document();
        assert!(text.contains("&lt;/title&gt;&lt;script&gt;") && text.contains("a&quot;&lt;&amp;&gt;  <"));
        assert!(usvg::Tree::from_str(&text, &usvg::Options::default()).is_ok());
    }

    #[test]
    fn lengths_are_short() {
        assert_eq!(
            (n(1.0), n(0.1), n(-0.0001), n(1.23456)),
            ("1".into(), "0.1".into(), "0".into(), "1.235".into())
        );
    }
}
