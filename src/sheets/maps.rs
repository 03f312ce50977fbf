//! Puts maps on pages: each as large as one page lets it be, or at its true size over several pages with edges for glue.
use super::board::{Geometry, Placed, Tile, draw_names, draw_tiles, names_room};
use super::contents::BoardPart;
use super::page::Page;
use super::pen::{Align, Pen};
use super::svg::{Point, Rect, Stroke, Svg};
use super::words::{POINT, Room};

/// The room around a map.
const MARGIN: f64 = 9.0;
/// The room for the title above a map.
const TITLE: f64 = 8.0;
/// The widest space where a map is as large as its page.
const WIDEST: f64 = 45.0;
/// The width of a space at its true size.
pub(crate) const TRUE_SIZE: f64 = 25.0;
/// The edge over which the next page is glued.
const GLUE: f64 = 8.0;

/// The tiles of a map.
fn make_tiles(board: &BoardPart) -> Vec<Tile> {
    board.spaces.iter().map(|s| Tile::of_space(s, !board.ways.is_empty())).collect()
}

/// What a map takes if a space is so wide, with the names beside it.
fn whole_size(geometry: &Geometry, graph: bool, scale: f64) -> Point {
    let (w, h) = geometry.extent();
    let names = if graph { 0.0 } else { names_room(scale) };
    (w * scale + names, h * scale + names)
}

/// A page on which all of a map has room, upright or across, whichever makes it larger. Also the names of spaces on which a text has no room.
pub(crate) fn fit_on_page(pen: &Pen, board: &BoardPart, paper: Point, name: String) -> (Page, Vec<String>) {
    let geometry = Geometry::of(board);
    let graph = !board.ways.is_empty();
    let scale_on = |(width, height): Point| {
        let room = (width - 2.0 * MARGIN, height - 2.0 * MARGIN - TITLE);
        let (w, h) = geometry.extent();
        // The names take up to a third of a space; with the exact room for them the map is measured once more.
        let names = if graph { 0.0 } else { names_room((room.0 / w).min(room.1 / h)) };
        ((room.0 - names) / w).min((room.1 - names) / h).clamp(0.5, WIDEST)
    };
    let across = (paper.1, paper.0);
    let page = if scale_on(across) > scale_on(paper) * 1.02 { across } else { paper };
    let scale = scale_on(page);
    let (width, height) = whole_size(&geometry, graph, scale);
    let names = if graph { 0.0 } else { names_room(scale) };
    let mut svg = Svg::document(page.0, page.1, &board.name);
    let title = Room { width: page.0 - 2.0 * MARGIN, height: TITLE - 1.0, largest: 14.0, rows: 1 };
    let block = pen.type_.fit([board.name.as_str()], title);
    pen.draw_block(&mut svg, (MARGIN, MARGIN - 2.0), title.width, Align::Middle, &block, [34, 31, 28], true);
    let left = (page.0 - width) / 2.0 + names;
    let top = MARGIN + TITLE + (page.1 - 2.0 * MARGIN - TITLE - height) / 2.0;
    let place = Placed { geometry, from: (left, top), scale };
    let cut = draw_tiles(pen, &mut svg, &place, &make_tiles(board), &board.ways);
    if !graph {
        draw_names(pen, &mut svg, &place);
    }
    (Page { name, width: page.0, height: page.1, svg: svg.end_document() }, cut)
}

/// How a map at its true size is cut into pages.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Cuts {
    page: Point,
    /// What one page shows.
    room: Point,
    columns: usize,
    rows: usize,
    whole: Point,
}

impl Cuts {
    fn new(geometry: &Geometry, graph: bool, paper: Point) -> Cuts {
        let whole = whole_size(geometry, graph, TRUE_SIZE);
        let on = |page: Point| {
            let room = (page.0 - 2.0 * MARGIN, page.1 - 2.0 * MARGIN);
            let count = |whole: f64, room: f64| ((whole - GLUE) / (room - GLUE)).ceil().max(1.0) as usize;
            Cuts { page, room, columns: count(whole.0, room.0), rows: count(whole.1, room.1), whole }
        };
        let (upright, across) = (on(paper), on((paper.1, paper.0)));
        if across.count() < upright.count() { across } else { upright }
    }

    fn count(&self) -> usize {
        self.columns * self.rows
    }
}

/// How many pages a map takes at its true size.
pub(crate) fn count_tiled(board: &BoardPart, paper: Point) -> usize {
    Cuts::new(&Geometry::of(board), !board.ways.is_empty(), paper).count()
}

/// A map at its true size, on as many pages as it takes. Also the names of spaces on which a text has no room.
pub(crate) fn tile_over_pages(
    pen: &Pen,
    board: &BoardPart,
    paper: Point,
    name: &dyn Fn(usize) -> String,
) -> (Vec<Page>, Vec<String>) {
    let geometry = Geometry::of(board);
    let graph = !board.ways.is_empty();
    let cuts = Cuts::new(&geometry, graph, paper);
    let names = if graph { 0.0 } else { names_room(TRUE_SIZE) };
    let place = Placed { geometry, from: (names, 0.0), scale: TRUE_SIZE };
    let tiles = make_tiles(board);
    let (mut pages, mut cut) = (Vec::new(), Vec::new());
    for (row, column) in (0..cuts.rows).flat_map(|r| (0..cuts.columns).map(move |c| (r, c))) {
        let from = (column as f64 * (cuts.room.0 - GLUE), row as f64 * (cuts.room.1 - GLUE));
        let shown = (cuts.room.0.min(cuts.whole.0 - from.0), cuts.room.1.min(cuts.whole.1 - from.1));
        let part = Rect::new(MARGIN, MARGIN, shown.0, shown.1);
        let seen = |t: &&Tile| {
            let r = place.rect(t.at);
            r.x < from.0 + shown.0
                && r.x + r.width > from.0
                && r.y < from.1 + shown.1
                && r.y + r.height > from.1
        };
        let here: Vec<Tile> = tiles.iter().filter(seen).cloned().collect();
        let mut svg = Svg::document(cuts.page.0, cuts.page.1, &board.name);
        svg.begin_part(part, from);
        cut.extend(draw_tiles(pen, &mut svg, &place, &here, &board.ways));
        if !graph {
            draw_names(pen, &mut svg, &place);
        }
        svg.end_part();
        draw_edges(pen, &mut svg, part, (column + 1 < cuts.columns, row + 1 < cuts.rows));
        let label = format!(
            "{}: row {} of {}, column {} of {}",
            board.name,
            row + 1,
            cuts.rows,
            column + 1,
            cuts.columns
        );
        pen.draw_label(&mut svg, (MARGIN, cuts.page.1 - 6.0), &label, 2.5);
        let (width, height) = cuts.page;
        pages.push(Page { name: name(pages.len()), width, height, svg: svg.end_document() });
    }
    (pages, cut)
}

/// Draws marks at the corners of what is cut out, and the edges over which the next pages are glued.
fn draw_edges(pen: &Pen, svg: &mut Svg, part: Rect, (right, below): (bool, bool)) {
    let line = Stroke { color: [60, 60, 60], width: 0.15 };
    let (left, top) = (part.x, part.y);
    let (end, low) = (part.x + part.width, part.y + part.height);
    for x in [left, end] {
        svg.add_line((x, top - 1.0), (x, top - 5.0), line, 0.0);
        svg.add_line((x, low + 1.0), (x, low + 5.0), line, 0.0);
    }
    for y in [top, low] {
        svg.add_line((left - 1.0, y), (left - 5.0, y), line, 0.0);
        svg.add_line((end + 1.0, y), (end + 5.0, y), line, 0.0);
    }
    let size = 7.0 * POINT;
    let label = "glue the next page here";
    let width = pen.type_.line(label).width() * size;
    if right {
        svg.add_line((end - GLUE, top), (end - GLUE, low), line, 1.0);
        pen.draw_label(svg, (end - width, top - 2.0 - size), label, size);
    }
    if below {
        svg.add_line((left, low - GLUE), (end, low - GLUE), line, 1.0);
        pen.draw_label(svg, (end - width, low + 1.5), label, size);
    }
}
