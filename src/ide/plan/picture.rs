//! Plans a whole new picture of a map: of the same size, the signs that differ; of another size, the lines between the quotes; where the sheet draws no picture yet, a new one.
use super::paint::{Grid, check_known, check_uncovered, plan_paint};
use super::{Desk, place, to_edit_set};
use crate::draw::brush::Strokes;
use crate::draw::{Spot, Topology, declared_size, find_own_picture, to_topology};
use crate::edit::{EditSet, Refusal};
use std::sync::Arc;

/// Draws a map by rows of signs, the northmost first. Names of rows stay with the numbers of their rows.
pub(super) fn plan_picture(
    desk: &Desk<'_>,
    map: &str,
    rows: &[Vec<Arc<str>>],
    what: &str,
) -> Result<EditSet, Refusal> {
    let maps = desk.layers.maps();
    let Some(known) = maps.iter().find(|m| m.name == map) else {
        return Err(Refusal::with_reason(format!("there is no map {map} that can be drawn")));
    };
    check_uncovered(desk, known)?;
    let columns = rows.first().map_or(0, Vec::len);
    if columns == 0 || rows.iter().any(|r| r.len() != columns) {
        return Err(Refusal::with_reason("a map has rows of the same length, of one space at least"));
    }
    if columns > 100 || rows.len() > 100 || columns * rows.len() > 4096 {
        return Err(Refusal::with_reason("a map has at most 100 columns and rows, and at most 4096 spaces"));
    }
    let size = (columns as u32, rows.len() as u32);
    if declared_size(known.shape).is_some_and(|s| s != size) {
        let declared = desk.analysis.slice(known.shape.span).trim();
        let why = format!("{map} is declared as {declared}: all its pictures have that size");
        return Err(Refusal { why, offers: vec![desk.go_to(known.shape.span)] });
    }
    let mut signs: Vec<&str> = rows.iter().flatten().map(|s| &**s).collect();
    signs.sort_unstable();
    signs.dedup();
    check_known(desk, map, &signs)?;
    let label = format!("{what}: {columns} by {} on {map}", rows.len());
    let drawn = known.picture.and_then(|(_, _, m)| m.picture.as_ref());
    let names: Vec<&str> = (0..rows.len())
        .map(|n| {
            // Both are counted from the south.
            let from_south = rows.len() - n;
            let row = drawn.and_then(|p| p.rows.get(p.rows.len().checked_sub(from_south)?));
            row.and_then(|r| r.label.as_ref()).map_or("", |l| l.text.as_str())
        })
        .collect();
    let staggered = to_topology(known.shape) == Topology::Hexes { rhombus: false };
    let lines = lay_out(rows, &names, staggered);
    if find_own_picture(&desk.layers, map).is_some() {
        let grid = Grid::from_desk(desk, map)?;
        if (grid.lattice.columns, grid.lattice.rows) == size {
            let strokes: Strokes = rows
                .iter()
                .rev()
                .enumerate()
                .flat_map(|(row, signs)| {
                    let spot = move |column: usize| Spot::new(column as u32, row as u32);
                    signs.iter().enumerate().map(move |(column, s)| (spot(column), s.clone()))
                })
                .collect();
            return plan_paint(desk, map, &strokes, what);
        }
        let eol = grid.eol();
        let indent = place::indent_of(grid.text, grid.picture.span.start as usize);
        let inside: String = lines.iter().map(|l| format!("{indent}  {l}{eol}")).collect();
        let text = format!("\"\"\"{eol}{inside}{indent}\"\"\"");
        let edit = desk.make_edit(grid.file, grid.picture.span.range(), text);
        return to_edit_set(label, vec![edit]);
    }
    let sheet = desk.own_declaration()?;
    desk.check_readable(sheet.span)?;
    let block = place::Block { head: format!("map {map} \"\"\""), lines, tail: "\"\"\"".into() };
    to_edit_set(label, vec![place::insert_block(desk, sheet, place::Sort::Map, &block)])
}

/// The lines of a picture, with columns one below the other; of hexes every second row from the south half a column further.
fn lay_out(rows: &[Vec<Arc<str>>], names: &[&str], staggered: bool) -> Vec<String> {
    let width = |s: &str| s.chars().count();
    let widest = |column: usize| rows.iter().filter_map(|r| r.get(column)).map(|s| width(s)).max();
    let columns = rows.first().map_or(0, Vec::len);
    let mut pitches: Vec<usize> = (0..columns).map(|c| widest(c).unwrap_or(1) + 1).collect();
    // Half a column is whole letters.
    let even = pitches.iter().copied().max().unwrap_or(2).next_multiple_of(2);
    if staggered {
        pitches.fill(even);
    }
    let named = names.iter().map(|n| width(n)).max().unwrap_or(0);
    let line = |(n, signs): (usize, &Vec<Arc<str>>)| {
        let name = names.get(n).copied().unwrap_or("");
        let mut out = match (named, name) {
            (0, _) => String::new(),
            (_, "") => " ".repeat(named + 3),
            (_, name) => format!("{name}{} | ", " ".repeat(named - width(name))),
        };
        if staggered && (rows.len() - 1 - n) % 2 == 1 {
            out.push_str(&" ".repeat(even / 2));
        }
        for (sign, pitch) in signs.iter().zip(&pitches) {
            out.push_str(sign);
            out.push_str(&" ".repeat(pitch.saturating_sub(width(sign))));
        }
        out.trim_end().to_string()
    };
    rows.iter().enumerate().map(line).collect()
}
