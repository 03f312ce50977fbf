//! Writes a map as SVG: what the canvas paints of its tiles, in the colours of a light theme, without cursor and selection.
use super::geometry::{At, Grid, Placed};
use super::paint::{MARGIN, choose_lines, fit_text};
use super::{Map, Tile, Token, tile_at};
use crate::style::contrast_color;
use egui::{Color32, Pos2, Rect, Vec2};
use std::fmt::Write as _;

/// The ground around the map, and places without a space.
const GROUND: Color32 = Color32::WHITE;

/// A space that has no colour of its own.
const SPACE: Color32 = Color32::from_gray(230);

/// The room around the map, beside the names of columns and rows.
const RIM: f32 = 6.0;

/// Where a text stands about its point.
#[derive(Clone, Copy)]
enum Anchor {
    Start,
    Middle,
    End,
}

/// An SVG document in the making.
struct Svg(String);

/// Writes a map whose spaces are so wide.
pub fn to_svg(map: &Map<'_>, scale: f32) -> String {
    let size = map.grid.size(scale);
    let canvas = Rect::from_min_size(Pos2::new(MARGIN + RIM, RIM), size);
    let whole = Vec2::new(size.x + MARGIN + 2.0 * RIM, size.y + MARGIN + 2.0 * RIM);
    let mut svg = Svg::new(whole, map.name);
    svg.add_box(Rect::from_min_size(Pos2::ZERO, whole), GROUND, None);
    let place = map.grid.place_in(canvas, scale, Vec2::ZERO);
    for t in map.tiles {
        svg.add_tile(&map.grid, t, &place, scale);
    }
    let group = |at: At| tile_at(map, at).map_or(0, |t| t.group);
    let wide = (scale * 0.08).clamp(1.5, 5.0);
    for t in map.tiles.iter().filter(|t| t.group != 0) {
        for side in map.grid.sides().iter().filter(|s| map.grid.beyond(t.at, **s).map_or(0, group) != t.group)
        {
            let [a, b] = place.side(t.at, *side);
            svg.add_line(a, b, wide, Color32::from_gray(20));
        }
    }
    svg.add_names(&map.grid, &place, canvas);
    svg.end()
}

/// Writes tiles alone, side by side, each in a box of that width and height.
pub fn to_tile_sheet(tiles: &[Tile], hexes: bool, wide: f32, high: f32) -> String {
    let whole = Vec2::new(wide * tiles.len().max(1) as f32, high);
    let mut svg = Svg::new(whole, "tiles");
    let grid = Grid { hexes, slanted: false, columns: 1, rows: 1 };
    for (n, t) in tiles.iter().enumerate() {
        let canvas = Rect::from_min_size(Pos2::new(wide * n as f32, 0.0), Vec2::new(wide, high));
        let place = grid.place_in(canvas, wide, Vec2::ZERO);
        svg.add_tile(&grid, &Tile { at: (0, 0), ..t.clone() }, &place, wide);
    }
    svg.end()
}

impl Svg {
    fn new(size: Vec2, title: &str) -> Svg {
        let (w, h) = (size.x.ceil(), size.y.ceil());
        let head = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" font-family=\"sans-serif\">\n<title>{}</title>\n",
            escape(title)
        );
        Svg(head)
    }

    fn end(mut self) -> String {
        self.0.push_str("</svg>\n");
        self.0
    }

    fn add_box(&mut self, r: Rect, fill: Color32, line: Option<Color32>) {
        let line = line.map(|c| format!(" stroke=\"{}\"", to_hex(c))).unwrap_or_default();
        let _ = writeln!(
            self.0,
            "<rect x=\"{:.2}\" y=\"{:.2}\" width=\"{:.2}\" height=\"{:.2}\" fill=\"{}\"{line}/>",
            r.min.x,
            r.min.y,
            r.width(),
            r.height(),
            to_hex(fill)
        );
    }

    fn add_polygon(&mut self, points: &[Pos2], fill: Color32, line: Option<Color32>) {
        let line = line.map(|c| format!(" stroke=\"{}\"", to_hex(c))).unwrap_or_default();
        let points: Vec<String> = points.iter().map(|p| format!("{:.2},{:.2}", p.x, p.y)).collect();
        let _ =
            writeln!(self.0, "<polygon points=\"{}\" fill=\"{}\"{line}/>", points.join(" "), to_hex(fill));
    }

    fn add_line(&mut self, a: Pos2, b: Pos2, wide: f32, colour: Color32) {
        let _ = writeln!(
            self.0,
            "<line x1=\"{:.2}\" y1=\"{:.2}\" x2=\"{:.2}\" y2=\"{:.2}\" stroke=\"{}\" stroke-width=\"{wide:.2}\" stroke-linecap=\"round\"/>",
            a.x,
            a.y,
            b.x,
            b.y,
            to_hex(colour)
        );
    }

    fn add_circle(&mut self, at: Pos2, radius: f32, fill: &str, line: Color32, wide: f32) {
        let _ = writeln!(
            self.0,
            "<circle cx=\"{:.2}\" cy=\"{:.2}\" r=\"{radius:.2}\" fill=\"{fill}\" stroke=\"{}\" stroke-width=\"{wide:.2}\"/>",
            at.x,
            at.y,
            to_hex(line)
        );
    }

    /// A text whose middle line is at a point.
    fn add_text(&mut self, at: Pos2, anchor: Anchor, text: &str, size: f32, ink: Color32) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let _ = writeln!(
            self.0,
            "<text x=\"{:.2}\" y=\"{:.2}\" font-size=\"{size:.1}\" text-anchor=\"{anchor}\" fill=\"{}\">{}</text>",
            at.x,
            at.y + size * 0.35,
            to_hex(ink),
            escape(text)
        );
    }

    /// A text of at most a part of a space's width.
    #[allow(clippy::too_many_arguments)]
    fn add_fitted(
        &mut self,
        at: Pos2,
        anchor: Anchor,
        text: &str,
        high: f32,
        wide: f32,
        scale: f32,
        ink: Color32,
    ) {
        if let Some((text, size)) = fit_text(text, high, wide, scale) {
            self.add_text(at, anchor, &text, size, ink);
        }
    }

    /// One place with what stands on it.
    fn add_tile(&mut self, grid: &Grid, t: &Tile, place: &Placed, scale: f32) {
        let fill = match (t.space, t.fill) {
            (true, Some(c)) => c,
            (true, None) => SPACE,
            (false, _) => GROUND,
        };
        let line = if t.space { Color32::from_gray(130) } else { Color32::from_gray(235) };
        let rect = place.rect(t.at);
        if grid.hexes {
            self.add_polygon(&place.corners(t.at, 0.5), fill, Some(line));
        } else {
            self.add_box(rect.shrink(0.5), fill, Some(line));
        }
        for (side, colour) in &t.bands {
            let [a, b] = place.side(t.at, *side);
            let middle = place.middle(t.at);
            let inwards = |p: Pos2| p + (middle - p) * 0.22;
            self.add_polygon(&[a, b, inwards(b), inwards(a)], *colour, None);
        }
        let ink = if t.space { contrast_color(fill) } else { Color32::from_gray(150) };
        let at = |x: f32, y: f32| rect.center() + Vec2::new(x, y) * scale;
        let corners = !(t.corner.is_empty() && t.badge.is_empty());
        if t.tokens.is_empty() {
            let up = if t.below.is_empty() { 0.0 } else { 0.12 };
            let high = if t.text.chars().count() <= 2 && t.below.is_empty() { 0.52 } else { 0.36 };
            self.add_lines(at(0.0, if corners { 0.06 } else { 0.0 } - up), &t.text, high, scale, ink);
        } else {
            let (text, below) = if corners { (-0.1, 0.28) } else { (-0.2, 0.2) };
            self.add_lines(at(0.0, text), &t.text, 0.2, scale, ink);
            self.add_tokens(at(0.0, below), &t.tokens, scale);
        }
        let (dx, dy) = if grid.hexes { (0.24, 0.22) } else { (0.44, 0.34) };
        let low = if grid.hexes { 0.3 } else { 0.36 };
        self.add_fitted(at(0.0, low), Anchor::Middle, &t.below, 0.19, 0.9, scale, ink);
        self.add_fitted(at(-dx, -dy), Anchor::Start, &t.corner, 0.18, 0.5, scale, ink);
        self.add_fitted(at(dx, -dy), Anchor::End, &t.badge, 0.18, 0.5, scale, ink);
    }

    fn add_lines(&mut self, at: Pos2, text: &str, high: f32, scale: f32, ink: Color32) {
        let (lines, size) = choose_lines(text, high, 3);
        for (line, y) in &lines {
            self.add_fitted(at + Vec2::new(0.0, *y) * scale, Anchor::Middle, line, size, 1.0, scale, ink);
        }
    }

    /// Tokens side by side about a point.
    fn add_tokens(&mut self, middle: Pos2, tokens: &[Token], scale: f32) {
        let radius = scale * 0.17;
        let wide = (2.0 * radius + 1.0).min(scale * 0.9 / tokens.len().max(1) as f32);
        for (k, token) in tokens.iter().enumerate() {
            let at = middle + Vec2::new((k as f32 - (tokens.len() as f32 - 1.0) / 2.0) * wide, 0.0);
            let ink = contrast_color(token.fill);
            self.add_circle(at, radius, &to_hex(token.fill), ink, 1.0);
            if let Some(ring) = token.ring {
                self.add_circle(at, radius - 1.0, "none", ring, (radius * 0.22).max(2.0));
            }
            self.add_fitted(at, Anchor::Middle, &token.text, 0.2, 0.3, scale, ink);
        }
    }

    /// The names of columns below the map and of rows to the left.
    fn add_names(&mut self, grid: &Grid, place: &Placed, canvas: Rect) {
        let ink = Color32::from_gray(90);
        for c in 0..grid.columns {
            let at = Pos2::new(place.middle((c, 0)).x, canvas.max.y + RIM + 6.0);
            self.add_text(at, Anchor::Middle, &houserule::ide::draw::column_name(c), 12.0, ink);
        }
        for r in 0..grid.rows {
            let at = Pos2::new(canvas.min.x - RIM, place.middle((0, r)).y);
            self.add_text(at, Anchor::End, &(r + 1).to_string(), 12.0, ink);
        }
    }
}

/// A colour as SVG writes it.
fn to_hex(c: Color32) -> String {
    format!("#{:02x}{:02x}{:02x}", c.r(), c.g(), c.b())
}

/// A text between tags.
fn escape(text: &str) -> String {
    let plain: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    plain.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn a_map_is_written_with_its_spaces_texts_and_tokens() {
        let token = Token { text: "a&b".into(), fill: Color32::RED, ring: Some(Color32::BLUE), figure: None };
        let tile = |at, text: &str, tokens| Tile {
            at,
            space: true,
            fill: Some(Color32::from_rgb(1, 2, 3)),
            text: text.into(),
            tokens,
            group: 1,
            ..Tile::default()
        };
        let tiles = [tile((0, 0), "<x>", Vec::new()), tile((1, 0), "", vec![token])];
        for hexes in [false, true] {
            let map = Map {
                name: "Two \"spaces\"",
                grid: Grid { hexes, slanted: false, columns: 2, rows: 1 },
                tiles: &tiles,
                ways: &[],
                named: true,
                over: &BTreeMap::new(),
                chosen: &|_| false,
                moving: super::super::Moving::default(),
                grey: false,
            };
            let svg = to_svg(&map, 64.0);
            let spaces = svg.matches("fill=\"#010203\"").count();
            assert_eq!(spaces, 2, "{svg}");
            assert!(svg.contains("&lt;x&gt;") && svg.contains("a&amp;b") && svg.contains("#0000ff"), "{svg}");
            // Names of columns and rows, and the strong line around what belongs together.
            assert!(
                svg.contains(">B</text>") && svg.contains(">1</text>") && svg.contains("<line "),
                "{svg}"
            );
            let sides = svg.matches("<line ").count();
            assert_eq!(sides, if hexes { 10 } else { 6 }, "no line between them");
        }
    }
}
