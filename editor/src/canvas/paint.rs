//! Paints a map.
use super::geometry::{At, Grid, Placed, Range};
use super::shapes::{Figure, paint_figure};
use super::signs::Signs;
use super::{Edge, Map, Moving, Overlay, Tile, Token, Viewport, Way, tile_at};
use crate::style::{contrast_color, offered, picked};
use egui::text::TextWrapping;
use egui::{Align2, Color32, FontFamily, FontId, Pos2, Rect, Shape, Stroke, StrokeKind, Ui, Vec2};
use std::borrow::Cow;

/// The room that the names of columns and rows take, in points.
pub(super) const MARGIN: f32 = 22.0;

/// How wide a letter is, as a part of its size.
const LETTER: f32 = 0.58;

/// Smaller than this a text cannot be read.
const SMALLEST: f32 = 5.0;

/// The size of a text of which only the beginning is written.
const SHORTENED: f32 = 7.0;

/// Below this width of a space no text is written on it.
const LEGIBLE: f32 = 13.0;

/// A narrower space, in points, is painted without its corners, its badges and the text below.
const SMALL: f32 = 36.0;

#[allow(clippy::too_many_arguments)]
pub(super) fn paint_map(
    ui: &Ui,
    map: &Map<'_>,
    view: &Viewport,
    place: &Placed,
    rect: Rect,
    inner: Rect,
    visible: &Range,
    focused: bool,
) {
    let all = ui.painter_at(rect);
    let visuals = ui.visuals();
    all.rect_filled(rect, 4.0, visuals.extreme_bg_color);
    let painter = ui.painter_at(inner);
    paint_ways(ui, &painter, map, place, view.scale);
    for at in visible.spots() {
        let Some(t) = tile_at(map, at) else { continue };
        paint_tile(ui, &painter, map, t, map.over.get(&at), place, view.scale);
    }
    let group = |at: At| tile_at(map, at).map_or(0, |t| t.group);
    paint_groups(ui, &painter, &map.grid, place, view.scale, visible.spots(), &group);
    // Lines over all tiles, so that no neighbour covers them.
    for at in visible.spots() {
        let Some(t) = tile_at(map, at) else { continue };
        let line = match t.edge {
            _ if (map.chosen)(at) => Some((2.5, picked(visuals))),
            Edge::Wrong => Some((2.5, visuals.error_fg_color)),
            Edge::Doubtful => Some((2.0, visuals.warn_fg_color)),
            Edge::Offered => Some((2.5, offered(visuals))),
            Edge::Chosen => Some((3.0, picked(visuals))),
            Edge::Plain => None,
        };
        if let Some((width, colour)) = line {
            paint_accent(&painter, map, place, at, Stroke::new(width, colour));
        }
    }
    for at in map.moving.last {
        paint_last(&painter, map, place, *at, visuals.strong_text_color(), view.scale);
    }
    paint_slides(&painter, map, place, view.scale);
    if let Some(at) = view.cursor.filter(|_| focused) {
        paint_outline(&painter, map, place, at, Stroke::new(3.0, visuals.strong_text_color()), 3.0);
        paint_outline(&painter, map, place, at, Stroke::new(1.0, visuals.extreme_bg_color), 3.0);
    }
    if map.ways.is_empty() && map.named {
        paint_names(ui, &all, view, place, rect, inner, visible);
    }
}

/// Paints a piece of a map alone, with the ways of a graph, as large as a box lets it be. Returns where each of its tiles lies.
pub fn paint_piece(ui: &Ui, grid: Grid, tiles: &[Tile], ways: &[Way], rect: Rect) -> Vec<Rect> {
    let around = |place: &Placed| tiles.iter().fold(Rect::NOTHING, |all, t| all.union(place.rect(t.at)));
    let one = around(&grid.place_in(rect, 1.0, Vec2::ZERO)).size();
    let room = rect.shrink(2.0).size();
    let scale = (room.x / one.x.max(1.0)).min(room.y / one.y.max(1.0)).max(1.0);
    let middle = around(&grid.place_in(rect, scale, Vec2::ZERO)).center();
    let place = grid.place_in(rect, scale, rect.center() - middle);
    let over = std::collections::BTreeMap::new();
    let map = Map {
        name: "",
        grid,
        tiles,
        ways,
        named: false,
        over: &over,
        chosen: &|_| false,
        moving: Moving::default(),
        grey: false,
    };
    let painter = ui.painter_at(rect);
    paint_ways(ui, &painter, &map, &place, scale);
    for t in tiles {
        paint_tile(ui, &painter, &map, t, None, &place, scale);
    }
    let group = |at: At| tiles.iter().find(|t| t.at == at).map_or(0, |t| t.group);
    paint_groups(ui, &painter, &grid, &place, scale, tiles.iter().map(|t| t.at), &group);
    tiles.iter().map(|t| place.rect(t.at)).collect()
}

/// The ways of a graph.
fn paint_ways(ui: &Ui, painter: &egui::Painter, map: &Map<'_>, place: &Placed, scale: f32) {
    let line = Stroke::new((scale * 0.05).clamp(1.0, 4.0), ui.visuals().weak_text_color());
    for (from, to, one_way) in map.ways {
        let (from, to) = (place.middle(*from), place.middle(*to));
        painter.line_segment([from, to], line);
        if *one_way {
            // The head stands where the place does not cover it.
            painter.arrow(from, (to - from) * 0.6, line);
        }
    }
}

/// Strong lines around the spaces that belong together.
fn paint_groups(
    ui: &Ui,
    painter: &egui::Painter,
    grid: &Grid,
    place: &Placed,
    scale: f32,
    spots: impl Iterator<Item = At>,
    group: &dyn Fn(At) -> u32,
) {
    let visuals = ui.visuals();
    let colour = if visuals.dark_mode { visuals.extreme_bg_color } else { visuals.strong_text_color() };
    let line = Stroke::new((scale * 0.08).clamp(1.5, 5.0), colour);
    for at in spots {
        let own = group(at);
        if own == 0 {
            continue;
        }
        for side in grid.sides() {
            if grid.beyond(at, *side).map_or(0, group) != own {
                painter.line_segment(place.side(at, *side), line);
            }
        }
    }
}

/// One place with what stands on it.
fn paint_tile(
    ui: &Ui,
    painter: &egui::Painter,
    map: &Map<'_>,
    t: &Tile,
    over: Option<&Overlay>,
    place: &Placed,
    scale: f32,
) {
    let visuals = ui.visuals();
    let space = t.space || over.is_some_and(|o| &*o.text != ".");
    let graph = !map.ways.is_empty();
    if graph && !space {
        return;
    }
    let own = over.map_or(t.fill, |o| o.fill);
    let mut fill = match (space, own) {
        (true, Some(c)) => c,
        (true, None) => visuals.widgets.inactive.bg_fill,
        (false, _) => visuals.extreme_bg_color,
    };
    if map.grey {
        fill = to_grey(fill, visuals.extreme_bg_color);
    }
    let line = if space { visuals.widgets.noninteractive.fg_stroke.color } else { visuals.faint_bg_color };
    let line = Stroke::new(1.0, line.gamma_multiply(if space { 0.55 } else { 1.0 }));
    let rect = place.rect(t.at);
    if map.grid.hexes {
        painter.add(Shape::convex_polygon(place.corners(t.at, 0.5), fill, line));
    } else {
        let apart = if graph { scale * 0.1 } else { 0.5 };
        painter.rect(rect.shrink(apart), if graph { 4.0 } else { 0.0 }, fill, line, StrokeKind::Inside);
    }
    for (side, colour) in &t.bands {
        let [a, b] = place.side(t.at, *side);
        let middle = place.middle(t.at);
        let inwards = |p: Pos2| p + (middle - p) * 0.22;
        painter.add(Shape::convex_polygon(vec![a, b, inwards(b), inwards(a)], *colour, Stroke::NONE));
    }
    if let Some(figure) = t.figure.as_ref().filter(|_| over.is_none()) {
        let side = if map.grid.hexes { 0.62 } else { 0.8 };
        let lone = t.text.is_empty() && t.below.is_empty();
        let (side, y) = if lone { (side, 0.0) } else { (side * 0.9, -0.06) };
        paint_figure(painter, rect.center() + Vec2::new(0.0, y) * scale, side * scale, figure);
    }
    if scale < LEGIBLE && t.tokens.iter().all(|token| token.figure.is_none()) {
        return;
    }
    let ink = if space { contrast_color(fill) } else { visuals.weak_text_color() };
    let ink = if map.grey { ink.gamma_multiply(0.6) } else { ink };
    let pen = Pen { painter, signs: &t.signs, scale, ink };
    let main = over.map_or(t.text.as_str(), |o| &*o.text);
    let tokens = if over.is_some() { &[][..] } else { &t.tokens[..] };
    let below = if over.is_some() { "" } else { t.below.as_str() };
    let up = if below.is_empty() || scale < SMALL { 0.0 } else { 0.12 };
    let corners = scale >= SMALL && !(t.corner.is_empty() && t.badge.is_empty());
    let at = |y: f32| rect.center() + Vec2::new(0.0, y) * scale;
    if tokens.is_empty() {
        // A lone sign is what stands there, such as a man on a board.
        let high = if main.chars().count() <= 2 && below.is_empty() { 0.52 } else { 0.36 };
        pen.write_lines(at(if corners { 0.06 } else { 0.0 } - up), main, high, 3);
    } else {
        let (y, radius) = place_tokens(t, scale);
        match &standing_tokens(t, &map.moving)[..] {
            [man] if tokens.len() == 1 && main.is_empty() => {
                paint_token(painter, at(y), man, radius, radius / scale * 1.16, scale)
            }
            standing => {
                // Corners are written above, signs below: the text has what is left between them.
                pen.write_lines(at(if corners { -0.1 } else { -0.2 }), main, 0.2, 2);
                paint_tokens(painter, at(y), standing, scale);
            }
        }
    }
    if scale >= SMALL && over.is_none() {
        let (dx, dy) = if map.grid.hexes { (0.24, 0.3) } else { (0.44, 0.42) };
        let at = |x: f32, y: f32| rect.center() + Vec2::new(x, y) * scale;
        let low = if map.grid.hexes { 0.36 } else { 0.44 };
        pen.write(at(0.0, low), Align2::CENTER_BOTTOM, below, 0.19, 0.9);
        pen.write(at(-dx, -dy), Align2::LEFT_TOP, &t.corner, 0.18, 0.5);
        pen.write(at(dx, -dy), Align2::RIGHT_TOP, &t.badge, 0.18, 0.5);
    }
}

/// The tokens of a place, without those that are still on their way.
fn standing_tokens<'t>(t: &'t Tile, moving: &Moving<'_>) -> Cow<'t, [Token]> {
    let mut out = Cow::Borrowed(&t.tokens[..]);
    for slide in moving.slides.iter().filter(|s| s.to == t.at) {
        if let Some(i) = out.iter().position(|token| *token == slide.token) {
            out.to_mut().remove(i);
        }
    }
    out
}

/// How far below a space's middle its tokens stand, in parts of its width, and the radius of each, in points.
fn place_tokens(t: &Tile, scale: f32) -> (f32, f32) {
    // Corners leave it less room.
    let corners = scale >= SMALL && !(t.corner.is_empty() && t.badge.is_empty());
    match (t.tokens.len() == 1 && t.text.is_empty(), corners) {
        (true, true) => (0.1, 0.27 * scale),
        (true, false) => (0.0, 0.36 * scale),
        (false, true) => (0.28, one_of_many(scale)),
        (false, false) => (0.2, one_of_many(scale)),
    }
}

/// The radius of a token that stands with others or beneath a text, in points.
fn one_of_many(scale: f32) -> f32 {
    (scale * 0.17).min(18.0)
}

/// The tokens that are on their way: fast at first, slow at the end. Each takes the size that it has where it comes to rest.
fn paint_slides(painter: &egui::Painter, map: &Map<'_>, place: &Placed, scale: f32) {
    let part = 1.0 - (1.0 - map.moving.progress).powi(3);
    let at_rest = |at: At| {
        let (y, radius) = tile_at(map, at).map_or((0.0, one_of_many(scale)), |t| place_tokens(t, scale));
        (place.middle(at) + Vec2::new(0.0, y) * scale, radius)
    };
    for slide in map.moving.slides {
        let ((from, _), (to, radius)) = (at_rest(slide.from), at_rest(slide.to));
        paint_token(painter, from + (to - from) * part, &slide.token, radius, radius / scale * 1.16, scale);
    }
}

/// Tokens side by side about a point; of too many the last says how many more there are.
fn paint_tokens(painter: &egui::Painter, middle: Pos2, tokens: &[Token], scale: f32) {
    if let [first, rest @ ..] = tokens
        && !rest.is_empty()
        && rest.iter().all(|t| t == first)
    {
        return paint_stack(painter, middle, first, tokens.len(), scale);
    }
    let radius = one_of_many(scale);
    let wide = 2.0 * radius + 1.0;
    let most = ((scale * 0.9 / wide) as usize).max(1);
    let shown = tokens.len().min(most);
    for (k, token) in tokens.iter().take(most).enumerate() {
        let at = middle + Vec2::new((k as f32 - (shown as f32 - 1.0) / 2.0) * wide, 0.0);
        let more = (k + 1 == most && tokens.len() > most).then(|| Token {
            text: format!("+{}", tokens.len() - k),
            figure: None,
            ..token.clone()
        });
        paint_token(painter, at, more.as_ref().unwrap_or(token), radius, 0.2, scale);
    }
}

/// So many tokens of a stack are drawn one by one.
const STACK: usize = 6;

/// Alike tokens, one on the other; of more than can be counted at a glance the top one says how many.
fn paint_stack(painter: &egui::Painter, middle: Pos2, token: &Token, many: usize, scale: f32) {
    let radius = one_of_many(scale);
    let drawn = many.min(STACK);
    let step = (radius * 0.62).min((0.5 * scale - 2.0 * radius).max(2.0) / (drawn - 1).max(1) as f32);
    let mut at = middle + Vec2::new(0.0, 0.04 * scale);
    for k in 0..drawn {
        let top = k + 1 == drawn;
        let text = if top && many > 3 { many.to_string() } else { String::new() };
        let text = if top && text.is_empty() { token.text.clone() } else { text };
        let figure = token.figure.clone();
        paint_token(painter, at, &Token { text, figure, ..token.clone() }, radius, 0.2, scale);
        at.y -= step;
    }
}

/// A shape or a circle with a ring of its owner's colour and a text so high.
fn paint_token(painter: &egui::Painter, at: Pos2, token: &Token, radius: f32, high: f32, scale: f32) {
    let ink = contrast_color(token.fill);
    match (&token.figure, token.ring) {
        (Some(figure), Some(ring)) => {
            let side = 2.2 * radius;
            // An image has colours of its own: a circle in its owner's lies beneath it.
            if figure.outline.is_image() {
                painter.circle_filled(at, radius * 1.12, ring);
                return paint_figure(painter, at, side * 0.86, figure);
            }
            paint_figure(painter, at, side * 1.12, &Figure { fill: ring, ..figure.clone() });
            paint_figure(painter, at, side * 0.86, figure);
        }
        (Some(figure), None) => paint_figure(painter, at, 2.2 * radius, figure),
        (None, ring) => {
            painter.circle(at, radius, token.fill, Stroke::new(1.0, ink.gamma_multiply(0.5)));
            if let Some(ring) = ring {
                painter.circle_stroke(at, radius - 1.0, Stroke::new((radius * 0.22).max(2.0), ring));
            }
        }
    }
    let pen = Pen { painter, signs: &Signs::default(), scale, ink };
    pen.write(at, Align2::CENTER_CENTER, &token.text, high, high * 1.5);
}

/// What texts are written with.
struct Pen<'a> {
    painter: &'a egui::Painter,
    /// What is drawn in the place of words.
    signs: &'a Signs,
    /// How wide a space is, in points.
    scale: f32,
    ink: Color32,
}

impl Pen<'_> {
    /// Writes a text of at most a part of a space's width, as large as that part of it allows.
    fn write(&self, at: Pos2, align: Align2, text: &str, high: f32, wide: f32) {
        self.write_marked(at, align, &self.signs.mark(text), high, wide);
    }

    fn write_marked(&self, at: Pos2, align: Align2, marked: &str, high: f32, wide: f32) {
        let Some((text, size)) = fit_text(marked, high, wide, self.scale) else { return };
        let font = FontId::new(size, FontFamily::Proportional);
        let wrap = TextWrapping::no_max_width();
        let laid = self.signs.lay_out(self.painter, &text, font, self.ink, wrap, egui::Align::LEFT);
        let rect = align.anchor_size(at, laid.galley.size());
        laid.paint(self.painter, rect.min, self.ink);
    }

    /// Writes a text in the middle of a space, in as many lines as let it be largest, but no more than so many. `high` is the most that a line takes of the space's width.
    fn write_lines(&self, at: Pos2, text: &str, high: f32, most: usize) {
        let text = self.signs.mark(text);
        let (lines, size) = choose_lines(&text, high, most);
        if size * self.scale < SMALLEST {
            return self.write_marked(at, Align2::CENTER_CENTER, &text, high, WIDE);
        }
        for (line, y) in &lines {
            self.write_marked(at + Vec2::new(0.0, *y) * self.scale, Align2::CENTER_CENTER, line, size, 1.0);
        }
    }
}

/// How much of a space's width a text in its middle may take.
const WIDE: f32 = 0.86;

/// A text in as many lines as let it be largest, but no more than so many: each line with the place of its middle below that of the text, and their size, all in widths of a space.
pub(super) fn choose_lines(text: &str, high: f32, most: usize) -> (Vec<(String, f32)>, f32) {
    let words: Vec<&str> = text.split_whitespace().collect();
    let letters = |line: &str| line.chars().count();
    let size = |lines: &[String]| {
        let longest = lines.iter().map(|l| letters(l)).max().unwrap_or(1).max(1) as f32;
        // Several lines share the room of the space.
        let share = if lines.len() > 1 { (high * 1.6 / lines.len() as f32).min(high) } else { high };
        share.min(WIDE / (LETTER * longest))
    };
    let mut best = vec![text.to_string()];
    for n in 2..=most.min(words.len()) {
        let lines = split_words(&words, n);
        // One line is easier to read than two that are hardly larger.
        if size(&lines) > size(&best) * 1.1 {
            best = lines;
        }
    }
    let step = size(&best) * 1.15;
    let first = -step * (best.len() as f32 - 1.0) / 2.0;
    let size = size(&best);
    (best.into_iter().enumerate().map(|(k, line)| (line, first + step * k as f32)).collect(), size)
}

/// Words in so many lines whose longest is as short as it can be.
fn split_words(words: &[&str], n: usize) -> Vec<String> {
    let fill = |most: usize| {
        let mut out: Vec<String> = Vec::new();
        for word in words {
            match out.last_mut().filter(|l| l.chars().count() + 1 + word.chars().count() <= most) {
                Some(line) => {
                    line.push(' ');
                    line.push_str(word);
                }
                None => out.push((*word).to_string()),
            }
        }
        out
    };
    let all: usize = words.iter().map(|w| w.chars().count() + 1).sum();
    let least = all.div_ceil(n.max(1));
    (least.saturating_sub(1)..=all).map(fill).find(|lines| lines.len() <= n).unwrap_or_default()
}

/// A text of at most a part of a space's width, and the size in which it is written there: all of it, or, where that could not be read, as much of it as can.
/// None where not even that has room.
pub(super) fn fit_text(text: &str, high: f32, wide: f32, scale: f32) -> Option<(String, f32)> {
    // Whole steps, so that a slow zoom does not fill the font's atlas.
    let stepped = |size: f32| (size * 2.0).round() / 2.0;
    let letters = text.chars().count();
    if letters == 0 {
        return None;
    }
    let size = (high * scale).min(wide * scale / (LETTER * letters as f32));
    if size >= SMALLEST {
        return Some((text.to_string(), stepped(size)));
    }
    let size = (high * scale).min(SHORTENED);
    let room = (wide * scale / (LETTER * size)) as usize;
    if size < SMALLEST || room < 3 {
        return None;
    }
    let some: String = text.chars().take(room - 1).collect();
    Some((format!("{}…", some.trim_end()), stepped(size)))
}

fn paint_outline(painter: &egui::Painter, map: &Map<'_>, place: &Placed, at: At, stroke: Stroke, inset: f32) {
    if map.grid.hexes {
        painter.add(Shape::closed_line(place.corners(at, inset + 0.5), stroke));
    } else {
        painter.rect_stroke(place.rect(at).shrink(inset), 1.0, stroke, StrokeKind::Middle);
    }
}

/// A line in an accent, with a thin one beside it that is seen where the ground has the accent's colour.
fn paint_accent(painter: &egui::Painter, map: &Map<'_>, place: &Placed, at: At, stroke: Stroke) {
    let beside = Stroke::new(1.0, contrast_color(stroke.color).gamma_multiply(0.7));
    paint_outline(painter, map, place, at, beside, 1.5 + stroke.width * 0.5 + 0.5);
    paint_outline(painter, map, place, at, stroke, 1.5);
}

/// Marks a place of the last move: a corner of each side.
fn paint_last(painter: &egui::Painter, map: &Map<'_>, place: &Placed, at: At, color: Color32, scale: f32) {
    let corners = if map.grid.hexes {
        place.corners(at, 3.0)
    } else {
        let r = place.rect(at).shrink(3.0);
        vec![r.left_top(), r.right_top(), r.right_bottom(), r.left_bottom()]
    };
    let line = Stroke::new((scale * 0.04).clamp(1.5, 3.0), color);
    for (i, corner) in corners.iter().enumerate() {
        for other in [i + 1, i + corners.len() - 1] {
            let other = corners.get(other % corners.len()).copied().unwrap_or(*corner);
            painter.line_segment([*corner, *corner + (other - *corner) * 0.22], line);
        }
    }
}

/// The names of columns below the map and of rows to the left, as many as have room.
#[allow(clippy::too_many_arguments)]
fn paint_names(
    ui: &Ui,
    painter: &egui::Painter,
    view: &Viewport,
    place: &Placed,
    rect: Rect,
    inner: Rect,
    visible: &Range,
) {
    let visuals = ui.visuals();
    let ink = visuals.weak_text_color();
    let font = FontId::new(12.0, FontFamily::Proportional);
    let step = |least: f32| ((least / view.scale).ceil() as u32).max(1);
    let low = visible.rows.0;
    // Beside the map where its edge is in sight, else at the canvas's edge.
    let below = (place.rect((visible.columns.0, low)).max.y + 15.0).min(rect.max.y - 3.0);
    let west = (visible.rows.0..visible.rows.1).map(|r| place.rect((0, r)).min.x).fold(f32::MAX, f32::min);
    let beside = (west - 6.0).max(rect.min.x + MARGIN - 4.0);
    for c in (visible.columns.0..visible.columns.1).filter(|c| c % step(22.0) == 0) {
        let x = place.middle((c, low)).x;
        if inner.x_range().contains(x) {
            let name = houserule::ide::draw::column_name(c);
            painter.text(Pos2::new(x, below), Align2::CENTER_BOTTOM, name, font.clone(), ink);
        }
    }
    for r in (visible.rows.0..visible.rows.1).filter(|r| r % step(14.0) == 0) {
        let y = place.middle((0, r)).y;
        if inner.y_range().contains(y) {
            let name = (r + 1).to_string();
            painter.text(Pos2::new(beside, y), Align2::RIGHT_CENTER, name, font.clone(), ink);
        }
    }
}

/// Half way to the background, without colour.
fn to_grey(c: Color32, ground: Color32) -> Color32 {
    let l = ((u32::from(c.r()) * 3 + u32::from(c.g()) * 6 + u32::from(c.b())) / 10) as u8;
    let mix = |a: u8, b: u8| ((u16::from(a) + u16::from(b)) / 2) as u8;
    Color32::from_rgb(mix(l, ground.r()), mix(l, ground.g()), mix(l, ground.b()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_word_is_shortened_where_it_could_not_be_read() {
        let told = |text: &str, high, scale| fit_text(text, high, 0.86, scale);
        assert_eq!(told("wind", 0.36, 40.0), Some(("wind".into(), 14.5)));
        // The whole of it as long as it can be read at all, then its beginning, then nothing.
        assert_eq!(told("impenetrable", 0.2, 42.0), Some(("impenetrable".into(), 5.0)));
        assert_eq!(told("impenetrable", 0.2, 34.0), Some(("impene…".into(), 7.0)));
        assert_eq!(told("impenetrable", 0.2, 26.0), Some(("impene…".into(), 5.0)));
        assert_eq!(told("impenetrable", 0.2, 24.0), None);
        assert_eq!(
            told("so it is here", 0.2, 34.0),
            Some(("so it…".into(), 7.0)),
            "no blank before the dots"
        );
        // What has no room for two letters and the dots is left to the tooltip.
        assert_eq!(fit_text("impenetrable", 0.3, 0.3, 30.0), None);
        assert_eq!(told("", 0.3, 30.0), None);
        for scale in 13..120 {
            let Some((text, size)) = told("impenetrable", 0.2, scale as f32) else { continue };
            // Rounded to half a point.
            assert!(text.chars().count() as f32 * LETTER * (size - 0.25) <= 0.86 * scale as f32, "{scale}");
        }
    }

    #[test]
    fn words_are_split_so_that_the_longest_line_is_short() {
        let split = |text: &str, n| split_words(&text.split_whitespace().collect::<Vec<_>>(), n);
        assert_eq!(split("pink and odd", 2), ["pink", "and odd"]);
        assert_eq!(split("pink and odd", 3), ["pink", "and", "odd"]);
        assert_eq!(split("(pink or blue) and odd", 3), ["(pink or", "blue)", "and odd"]);
        assert_eq!(split("one", 1), ["one"]);
        assert!(split("", 1).is_empty());
    }
}
