//! Paints the shapes of a `look`: outlines that the rules name or give as a path. Each is split into triangles once; painting moves, turns and scales them.
use super::images::paint_image;
use egui::epaint::{Mesh, Vertex, WHITE_UV};
use egui::{Color32, Painter, Pos2, Stroke, Vec2};
use houserule::model::LookParts;
use houserule::model::images::Image;
use houserule::model::shapes::{SIDE, find_shape, is_path, read_path};
use lyon_tessellation::math::point;
use lyon_tessellation::path::Path;
use lyon_tessellation::{BuffersBuilder, FillOptions, FillRule, FillTessellator, FillVertex, VertexBuffers};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};

/// How far, of a side of 100, a line may lie from the curve that it stands for.
const EXACT: f64 = 0.15;

/// So many shapes are kept; the rules of one game name fewer.
const KEPT: usize = 512;

/// A shape in a square from -0.5 to 0.5, y downwards.
#[derive(Debug, Default)]
pub struct Outline {
    points: Vec<Vec2>,
    triangles: Vec<u32>,
    /// The outlines, each closed.
    lines: Vec<Vec<Vec2>>,
    /// A image in their place.
    image: Option<Image>,
}

impl Outline {
    /// Whether it is an image, which has colours of its own.
    pub fn is_image(&self) -> bool {
        self.image.is_some()
    }
}

/// How a shape is drawn.
#[derive(Clone, PartialEq, Debug)]
pub struct Figure {
    /// What is drawn.
    pub outline: Arc<Outline>,
    /// What it is filled with.
    pub fill: Color32,
    /// Its edge; none: a fine line that stands out from the fill.
    pub edge: Option<Color32>,
    /// By how many degrees it is turned, clockwise.
    pub turn: i32,
}

impl PartialEq for Outline {
    fn eq(&self, other: &Outline) -> bool {
        let same = self.points == other.points && self.triangles == other.triangles;
        std::ptr::eq(self, other) || (same && self.image == other.image)
    }
}

/// The shape or image of a look; none if it has none.
pub fn outline_of(face: &LookParts) -> Option<Arc<Outline>> {
    match &face.image {
        Some(image) => Some(Arc::new(Outline { image: Some(image.clone()), ..Outline::default() })),
        None => outline(face.shape.as_deref()?),
    }
}

/// The shape of that name or path; none if it cannot be drawn.
pub fn outline(shape: &str) -> Option<Arc<Outline>> {
    static KNOWN: OnceLock<Mutex<HashMap<String, Option<Arc<Outline>>>>> = OnceLock::new();
    let mut known = KNOWN.get_or_init(Mutex::default).lock().ok()?;
    if let Some(found) = known.get(shape) {
        return found.clone();
    }
    let data = if is_path(shape) { Some(shape) } else { find_shape(shape).map(|s| s.path) };
    let made = data.and_then(make_outline).map(Arc::new);
    if known.len() >= KEPT {
        known.clear();
    }
    known.insert(shape.to_owned(), made.clone());
    made
}

fn make_outline(data: &str) -> Option<Outline> {
    let path = read_path(data).ok()?;
    let mut lines: Vec<Vec<Vec2>> = Vec::new();
    let to_unit = |p: kurbo::Point| Vec2::new((p.x / SIDE - 0.5) as f32, (p.y / SIDE - 0.5) as f32);
    kurbo::flatten(&path, EXACT, |el| match el {
        kurbo::PathEl::MoveTo(p) => lines.push(vec![to_unit(p)]),
        kurbo::PathEl::LineTo(p) => lines.last_mut().into_iter().for_each(|l| l.push(to_unit(p))),
        _ => {}
    });
    lines.iter_mut().for_each(|l| l.dedup_by(|a, b| (*a - *b).length() < 1e-4));
    lines.retain(|l| l.len() > 2);
    let mut builder = Path::builder();
    for line in &lines {
        let mut points = line.iter().map(|p| point(p.x, p.y));
        builder.begin(points.next()?);
        for p in points {
            builder.line_to(p);
        }
        builder.end(true);
    }
    let mut made: VertexBuffers<Vec2, u32> = VertexBuffers::new();
    let options = FillOptions::default().with_fill_rule(FillRule::EvenOdd).with_tolerance(0.002);
    let mut output = BuffersBuilder::new(&mut made, |v: FillVertex<'_>| {
        let p = v.position();
        Vec2::new(p.x, p.y)
    });
    FillTessellator::new().tessellate_path(&builder.build(), &options, &mut output).ok()?;
    Some(Outline { points: made.vertices, triangles: made.indices, lines, image: None })
}

/// Paints a shape about a point; its square is so many points wide.
pub fn paint_figure(painter: &Painter, at: Pos2, side: f32, figure: &Figure) {
    let (sin, cos) = (figure.turn as f32).to_radians().sin_cos();
    let place = |p: &Vec2| at + Vec2::new(p.x * cos - p.y * sin, p.x * sin + p.y * cos) * side;
    if let Some(image) = &figure.outline.image {
        return paint_image(painter, image, side, &|p| place(&p));
    }
    let mut mesh = Mesh::default();
    let vertex = |p: &Vec2| Vertex { pos: place(p), uv: WHITE_UV, color: figure.fill };
    mesh.vertices.extend(figure.outline.points.iter().map(vertex));
    mesh.indices.extend_from_slice(&figure.outline.triangles);
    painter.add(mesh);
    // The line smooths the edge of the mesh, which is not anti-aliased.
    let (width, color) = match figure.edge {
        Some(edge) => ((side * 0.035).clamp(1.0, 3.0), edge),
        None => {
            ((side * 0.02).clamp(1.0, 2.0), crate::style::contrast_color(figure.fill).gamma_multiply(0.75))
        }
    };
    for line in &figure.outline.lines {
        painter.add(egui::Shape::closed_line(line.iter().map(place).collect(), Stroke::new(width, color)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserule::model::shapes::SHAPES;

    /// The area that the triangles cover, of a square of 1.
    fn area(o: &Outline) -> f32 {
        let point = |i: u32| o.points[i as usize];
        let one = |t: &[u32]| {
            let (a, b, c) = (point(t[0]), point(t[1]), point(t[2]));
            ((b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y)).abs() / 2.0
        };
        o.triangles.chunks_exact(3).map(one).sum()
    }

    #[test]
    fn all_shapes_are_filled_within_their_square() {
        for s in SHAPES {
            let o = outline(s.name).unwrap_or_else(|| panic!("{} cannot be drawn", s.name));
            assert!((0.04..0.9).contains(&area(&o)), "{} covers {}", s.name, area(&o));
            assert!(o.points.iter().all(|p| p.x.abs() < 0.51 && p.y.abs() < 0.51), "{}", s.name);
        }
        let coin = area(&outline("coin").expect("a coin"));
        let hole = std::f32::consts::PI * (0.35 * 0.35 - 0.3 * 0.3);
        let whole = std::f32::consts::PI * 0.45 * 0.45;
        assert!((coin - (whole - hole)).abs() < 0.01, "the coin has a line in it: {coin}");
    }

    #[test]
    fn a_path_is_drawn_and_what_is_none_is_not() {
        let triangle = outline("M 0 100 L 50 0 L 100 100 Z").expect("a path");
        assert!((area(&triangle) - 0.5).abs() < 0.001, "{}", area(&triangle));
        assert!(outline("M 0 100 L").is_none() && outline("blob").is_none());
    }
}
