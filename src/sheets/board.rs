//! Draws maps: their spaces in the colours and with the texts of the look, the ways of a graph, and the names of columns and rows.
use super::color::{Color, LINE, ink_on, mix};
use super::contents::{BoardPart, SpacePart, Way};
use super::pen::{Align, Figure, Pen, draw_figure, is_sign};
use super::svg::{Point, Rect, Stroke, Svg};
use super::words::{Block, POINT, Room};
use houserule_ide::draw::column_name;
use houserule_model::LookParts;

/// How high a hex is for its width.
const HIGH: f64 = 1.154_700_538;
/// How far the rows of hexes are apart for the width of one.
const APART: f64 = 0.866_025_404;
/// A space that has no colour of its own.
const SPACE: Color = [236, 234, 228];
/// A line with more spaces than this is drawn in two rows, as a strip that turns back.
const LONG: u32 = 16;
/// The room for the names of columns and rows, in widths of a space; at least and at most so many millimetres.
const NAMES: (f64, f64, f64) = (0.3, 4.0, 8.0);
/// The largest size of a text on a space, in points.
const LARGEST: f64 = 48.0;

/// Where the spaces of a map lie. Lengths are in widths of a space until they are placed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Geometry {
    /// Whether the spaces are hexes, with a corner at the top.
    pub hexes: bool,
    /// Of hexes: whether each row begins half a hex further east than the one below.
    pub slanted: bool,
    /// Columns and rows.
    pub size: (u32, u32),
    /// Whether it is one long line, drawn in two rows.
    folded: bool,
}

impl Geometry {
    /// Of a map.
    pub fn of(board: &BoardPart) -> Geometry {
        let (columns, rows) = board.size;
        let folded = rows == 1 && columns > LONG && board.ways.is_empty() && !board.hexes;
        let size = if folded { (columns.div_ceil(2), 2) } else { board.size };
        Geometry { hexes: board.hexes, slanted: board.slanted, size, folded }
    }

    /// How large the map is.
    pub fn extent(&self) -> Point {
        let (c, r) = (f64::from(self.size.0), f64::from(self.size.1));
        if !self.hexes {
            return (c, r);
        }
        let shift = match (self.slanted, self.size.1 > 1) {
            (true, _) => (r - 1.0).max(0.0) / 2.0,
            (false, true) => 0.5,
            (false, false) => 0.0,
        };
        (c + shift, (r - 1.0).max(0.0) * APART + HIGH)
    }

    /// The middle of a space.
    pub fn middle(&self, (column, row): (u32, u32)) -> Point {
        let half = self.size.0;
        let (column, row) = match self.folded {
            true if column < half => (half - 1 - column, 0),
            true => (column - half, 1),
            false => (column, row),
        };
        let up = f64::from(self.size.1.saturating_sub(1)) - f64::from(row);
        let x = f64::from(column) + 0.5;
        match (self.hexes, self.slanted) {
            (false, _) => (x, up + 0.5),
            (true, true) => (x + f64::from(row) / 2.0, up * APART + HIGH / 2.0),
            (true, false) => (x + f64::from(row % 2) / 2.0, up * APART + HIGH / 2.0),
        }
    }
}

/// A map on paper.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Placed {
    /// How its spaces lie.
    pub geometry: Geometry,
    /// The upper left corner of the map.
    pub from: Point,
    /// How wide a space is, in millimetres.
    pub scale: f64,
}

impl Placed {
    /// The middle of a space.
    pub fn middle(&self, at: (u32, u32)) -> Point {
        let (x, y) = self.geometry.middle(at);
        (self.from.0 + x * self.scale, self.from.1 + y * self.scale)
    }

    /// The outline of a space, drawn in by so much.
    fn outline(&self, at: (u32, u32), inset: f64) -> Vec<Point> {
        let (x, y) = self.middle(at);
        if !self.geometry.hexes {
            let h = self.scale / 2.0 - inset;
            return vec![(x - h, y - h), (x + h, y - h), (x + h, y + h), (x - h, y + h)];
        }
        let r = self.scale * HIGH / 2.0 - inset;
        let corner = |k: u8| {
            let a = std::f64::consts::FRAC_PI_3 * (f64::from(k) + 0.5);
            (x + a.cos() * r, y + a.sin() * r)
        };
        (0..6).map(corner).collect()
    }

    /// The box around a space.
    pub fn rect(&self, at: (u32, u32)) -> Rect {
        let (x, y) = self.middle(at);
        let high = if self.geometry.hexes { HIGH } else { 1.0 };
        let (w, h) = (self.scale, self.scale * high);
        Rect::new(x - w / 2.0, y - h / 2.0, w, h)
    }
}

/// What stands on a space.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Tile {
    /// Where it lies.
    pub at: (u32, u32),
    /// What it is called.
    pub name: String,
    /// What it is filled with.
    pub fill: Option<Color>,
    /// What is drawn on its ground.
    pub figure: Option<Figure>,
    /// What stands in its middle.
    pub text: String,
    /// What stands below that, smaller.
    pub below: String,
    /// What stands in the upper left corner.
    pub corner: String,
    /// What stands in the upper right corner.
    pub badge: String,
    /// Bands along its sides: the side, as a direction of the rules, and the colour.
    pub bands: Vec<(u8, Color)>,
}

impl Tile {
    /// A space of a map. What stands on it in play is left out: the piece of a player, the shape of an owner.
    pub fn of_space(space: &SpacePart, graph: bool) -> Tile {
        let look = &space.look;
        let mut lines: Vec<&str> =
            if look.text.is_empty() { &space.marks } else { &look.text }.iter().map(String::as_str).collect();
        let is_number = |text: &str| text.trim().parse::<i64>().is_ok();
        let shaped = look.shape.is_some() || space.owned;
        if shaped && lines.first().is_some_and(|text| is_sign(text) && !is_number(text)) {
            lines.remove(0);
        }
        if graph {
            lines.insert(0, &space.name);
        }
        let (first, others) = lines.split_first().map_or(("", &[][..]), |(f, o)| (*f, o));
        Tile {
            at: space.at,
            name: space.name.clone(),
            fill: look.fill,
            figure: if space.owned { None } else { make_ground(look) },
            text: first.to_string(),
            below: others.join(" "),
            corner: look.corner.join(" "),
            badge: look.badge.join(" "),
            bands: Vec::new(),
        }
    }
}

/// A shape on the ground of a space: in the `edge` colour of its look, or a little darker or lighter than the ground.
fn make_ground(look: &LookParts) -> Option<Figure> {
    let ground = look.fill.unwrap_or(SPACE);
    let color = look.edge.unwrap_or_else(|| mix(ground, ink_on(ground), 0.3));
    Figure::from_look(look, color).map(|f| Figure { edge: Some(color), ..f })
}

/// Draws tiles and the ways between them. Returns the names of those on which a text has no room.
pub(crate) fn draw_tiles(
    pen: &Pen,
    svg: &mut Svg,
    place: &Placed,
    tiles: &[Tile],
    ways: &[Way],
) -> Vec<String> {
    let scale = place.scale;
    for (from, to, one_way) in ways {
        draw_way(svg, place.middle(*from), place.middle(*to), *one_way, scale);
    }
    let graph = !ways.is_empty();
    let mut cut = Vec::new();
    for tile in tiles {
        let fill = tile.fill.unwrap_or(SPACE);
        let line = Stroke { color: LINE, width: (scale * 0.012).clamp(0.1, 0.3) };
        let inset = if graph { scale * 0.1 } else { 0.0 };
        if graph && !place.geometry.hexes {
            svg.add_box(place.rect(tile.at).grow(-inset), scale * 0.06, Some(fill), Some(line));
        } else {
            svg.add_polygon(&place.outline(tile.at, inset), Some(fill), Some(line));
        }
        draw_bands(svg, place, tile);
        if let Some(figure) = &tile.figure {
            let side = if place.geometry.hexes { 0.62 } else { 0.8 } * if graph { 0.8 } else { 1.0 };
            let lone = tile.text.is_empty() && tile.below.is_empty();
            let (side, up) = if lone { (side, 0.0) } else { (side * 0.9, 0.06) };
            let (x, y) = place.middle(tile.at);
            draw_figure(svg, (x, y - up * scale), side * scale, figure);
        }
        if !draw_texts(pen, svg, place, tile, ink_on(fill), graph) {
            cut.push(tile.name.clone());
        }
    }
    cut
}

fn draw_way(svg: &mut Svg, from: Point, to: Point, one_way: bool, scale: f64) {
    let stroke = Stroke { color: [110, 110, 110], width: scale * 0.04 };
    svg.add_line(from, to, stroke, 0.0);
    if one_way {
        // The head stands where no place covers it.
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let long = dx.hypot(dy).max(1e-6);
        let (ux, uy) = (dx / long, dy / long);
        let tip = (from.0 + dx * 0.6, from.1 + dy * 0.6);
        let (back, side) = (scale * 0.16, scale * 0.08);
        let wing = |s: f64| (tip.0 - ux * back - uy * side * s, tip.1 - uy * back + ux * side * s);
        svg.add_polygon(&[tip, wing(1.0), wing(-1.0)], Some(stroke.color), None);
    }
}

/// Bands along the sides of a space, each from the side a part of the way to the middle.
fn draw_bands(svg: &mut Svg, place: &Placed, tile: &Tile) {
    let corners = place.outline(tile.at, 0.0);
    let (mx, my) = place.middle(tile.at);
    let inwards = |(x, y): Point| (x + (mx - x) * 0.22, y + (my - y) * 0.22);
    for (side, color) in &tile.bands {
        // Squares: corners from the north-west on, clockwise. Hexes: the first corner lies in the south of the east side.
        let first = match (place.geometry.hexes, side) {
            (false, 0) => 0,
            (false, 2) => 1,
            (false, 4) => 2,
            (false, _) => 3,
            (true, 1) => 4,
            (true, 2) => 5,
            (true, 3) => 0,
            (true, 5) => 1,
            (true, 6) => 2,
            (true, _) => 3,
        };
        let corner = |n: usize| corners.get(n % corners.len().max(1)).copied();
        if let (Some(a), Some(b)) = (corner(first), corner(first + 1)) {
            svg.add_polygon(&[a, b, inwards(b), inwards(a)], Some(*color), None);
        }
    }
}

/// Draws the texts of a space. Returns whether all of them have room.
fn draw_texts(pen: &Pen, svg: &mut Svg, place: &Placed, tile: &Tile, ink: Color, graph: bool) -> bool {
    let scale = place.scale;
    let (x, y) = place.middle(tile.at);
    let small = if graph { 0.8 } else { 1.0 };
    let mut fits = true;
    // A box by its middle, in widths of a space.
    let mut write =
        |svg: &mut Svg, text: &str, (cx, cy): Point, (w, h): Point, high: f64, align: Align, rows: usize| {
            if text.trim().is_empty() {
                return;
            }
            let room = Room {
                width: w * small * scale,
                height: h * small * scale,
                largest: (high * small * scale / POINT).min(LARGEST),
                rows,
            };
            let block: Block = pen.type_.fit([text], room);
            fits &= block.fits;
            let left = x + (cx - w / 2.0) * small * scale;
            let top = y + cy * small * scale - block.height() / 2.0;
            pen.draw_block(svg, (left, top), w * small * scale, align, &block, ink, false);
        };
    let corners = !(tile.corner.is_empty() && tile.badge.is_empty());
    let (hexes, below) = (place.geometry.hexes, !tile.below.is_empty());
    // The middle text has what the others leave.
    let top = match (corners, hexes) {
        (true, false) => -0.26,
        (true, true) => -0.2,
        (false, _) => -0.42,
    };
    let bottom = if below { 0.14 } else { 0.42 };
    let lone = tile.text.chars().count() <= 2 && !below;
    let high = if lone { 0.5 } else { 0.3 };
    let wide = if hexes { 0.84 } else { 0.88 };
    write(svg, &tile.text, (0.0, (top + bottom) / 2.0), (wide, bottom - top), high, Align::Middle, 4);
    write(svg, &tile.below, (0.0, 0.3), (if hexes { 0.66 } else { wide }, 0.3), 0.16, Align::Middle, 3);
    let (dx, dy) = if hexes { (0.3, -0.32) } else { (0.46, -0.36) };
    write(svg, &tile.corner, (-dx / 2.0 - 0.01, dy), (dx, 0.18), 0.17, Align::Left, 2);
    write(svg, &tile.badge, (dx / 2.0 + 0.01, dy), (dx, 0.18), 0.17, Align::Right, 2);
    fits
}

/// The room for the names of columns and rows beside a map.
pub(crate) fn names_room(scale: f64) -> f64 {
    (NAMES.0 * scale).clamp(NAMES.1, NAMES.2)
}

/// Draws the names of columns below a map and of rows on its left.
pub(crate) fn draw_names(pen: &Pen, svg: &mut Svg, place: &Placed) {
    let g = &place.geometry;
    if g.folded {
        return;
    }
    let room = names_room(place.scale);
    let size = (room * 0.6).min(place.scale * 0.5);
    let bottom = place.from.1 + g.extent().1 * place.scale;
    for column in 0..g.size.0 {
        let line = pen.type_.line(&column_name(column));
        let x = place.middle((column, 0)).0 - line.width() * size / 2.0;
        pen.draw_line(svg, (x, bottom + room * 0.15), &line, size, [90, 90, 90], false);
    }
    for row in 0..g.size.1 {
        let line = pen.type_.line(&(row + 1).to_string());
        let first = place.middle((0, row));
        let left = if g.hexes { first.0 - place.scale / 2.0 } else { place.from.0 };
        let at = (left - room * 0.25 - line.width() * size, first.1 - size * 0.6);
        pen.draw_line(svg, at, &line, size, [90, 90, 90], false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn geometry(hexes: bool, slanted: bool, size: (u32, u32)) -> Geometry {
        Geometry::of(&BoardPart { hexes, slanted, size, ..BoardPart::default() })
    }

    #[test]
    fn all_spaces_lie_inside_the_extent_and_north_is_up() {
        for (hexes, slanted) in [(false, false), (true, false), (true, true)] {
            let g = geometry(hexes, slanted, (4, 3));
            let place = Placed { geometry: g, from: (0.0, 0.0), scale: 10.0 };
            let (w, h) = g.extent();
            for at in (0..4).flat_map(|c| (0..3).map(move |r| (c, r))) {
                for (x, y) in place.outline(at, 0.0) {
                    assert!((-0.001..=w * 10.0 + 0.001).contains(&x), "{hexes} {slanted} {at:?}");
                    assert!((-0.001..=h * 10.0 + 0.001).contains(&y), "{hexes} {slanted} {at:?}");
                }
            }
            assert!(g.middle((0, 1)).1 < g.middle((0, 0)).1);
        }
    }

    #[test]
    fn a_long_line_turns_back() {
        let g = geometry(false, false, (24, 1));
        assert_eq!(g.size, (12, 2));
        assert_eq!((g.middle((0, 0)), g.middle((12, 0))), ((11.5, 1.5), (0.5, 0.5)));
    }

    #[test]
    fn a_piece_of_a_player_is_not_printed() {
        let look = LookParts { shape: Some("ring".into()), text: vec!["●".into()], ..LookParts::default() };
        let space = SpacePart { name: "A1".into(), at: (0, 0), look, marks: Vec::new(), owned: true };
        let tile = Tile::of_space(&space, false);
        assert_eq!((tile.figure, tile.text.as_str()), (None, ""));
        let own = Tile::of_space(&SpacePart { owned: false, ..space }, false);
        assert!(own.figure.is_some());
    }
}
