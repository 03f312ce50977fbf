//! Plans edits that add or remove rows and columns at the sides of a map. At the south and west sides every space gets another number or letter: whatever names spaces of this map elsewhere is
//! renamed with it, in one step.
//!
//! Hexes in offset rows change their neighbours if the rows below them change by an odd number. Then every second row is moved by one place, so that all keep the neighbours
//! they have.
use super::paint::{Grid, check_known};
use super::shift::Shift;
use super::{Desk, Sides, place, rename, to_edit_set};
use crate::draw::{Lattice, Legends, inner_items};
use crate::edit::{Edit, EditSet, Refusal};
use houserule_syntax::ast::{ExprKind, ItemKind, PictureRow, Shape};
use std::sync::Arc;

/// The size afterwards, if there can be such a map.
fn size_after(l: &Lattice, by: Sides, extra: i32) -> Result<(u32, u32), Refusal> {
    let sum = |n: u32, a: i32, b: i32| i64::from(n) + i64::from(a) + i64::from(b);
    let (w, h) = (sum(l.columns, by.east, by.west) + i64::from(extra), sum(l.rows, by.north, by.south));
    if w < 1 || h < 1 {
        return Err(Refusal::with_reason("a map has at least one column and one row"));
    }
    if w > 100 || h > 100 || w * h > 4096 {
        return Err(Refusal::with_reason("a map has at most 100 columns and rows, and at most 4096 spaces"));
    }
    Ok((w as u32, h as u32))
}

/// Where the places of a map would be after a resize.
pub(super) fn compute_shift(desk: &Desk<'_>, map: &str, by: Sides) -> Result<Shift, Refusal> {
    let maps = desk.layers.maps();
    match maps.iter().find(|m| m.name == map) {
        Some(known) if known.picture.is_none() && crate::draw::declared_size(known.shape).is_some() => {
            shift_declared(known.shape, by).map(|(_, shift)| shift)
        }
        _ => Ok(Plan::from_grid(desk, &Grid::from_desk(desk, map)?, map, by)?.shift),
    }
}

/// A map without a picture, and where its places would be.
fn shift_declared(shape: &Shape, by: Sides) -> Result<(Lattice, Shift), Refusal> {
    let (columns, rows) = crate::draw::declared_size(shape).unwrap_or_default();
    let lattice = Lattice { topology: crate::draw::to_topology(shape), columns, rows };
    let size = size_after(&lattice, by, 0)?;
    if lattice.is_staggered() && by.south % 2 != 0 {
        let why = "this map of hexes has no picture, so new rows below would change all neighbours: add them above, or draw the map first";
        return Err(Refusal::with_reason(why));
    }
    Ok((lattice, Shift { even: by.west, odd: by.west, rows: by.south, size }))
}

/// Resizes a map.
pub(super) fn plan_resize(
    desk: &Desk<'_>,
    map: &str,
    by: Sides,
    sign: &Arc<str>,
) -> Result<EditSet, Refusal> {
    if by == Sides::default() {
        return Ok(EditSet::default());
    }
    let maps = desk.layers.maps();
    let Some(known) = maps.iter().find(|m| m.name == map) else {
        return Err(Refusal::with_reason(format!("there is no map {map} that can be drawn")));
    };
    let fixed = crate::draw::declared_size(known.shape);
    let mut edits = Vec::new();
    let label = make_label(map, by);
    if fixed.is_some() {
        check_only_sheet(desk, map, known.shape)?;
        desk.check_readable(known.decl.span)?;
        if known.picture.is_none() {
            let (lattice, shift) = shift_declared(known.shape, by)?;
            edits.extend(edit_numbers(desk, known.shape, shift.size));
            edits.extend(rename::plan_renames(desk, map, &lattice, &shift)?);
            return to_edit_set(label, edits);
        }
    }
    let grid = Grid::from_desk(desk, map)?;
    check_known(desk, map, &[sign])?;
    if grid.picture.rows.iter().any(|r| r.cells.is_empty()) {
        return Err(Refusal::with_reason("a row of the picture has no signs: give it one first"));
    }
    let plan = Plan::from_grid(desk, &grid, map, by)?;
    plan.edit_rows(desk, &grid, sign, &mut edits)?;
    if fixed.is_some() {
        edits.extend(edit_numbers(desk, known.shape, plan.shift.size));
    }
    edits.extend(rename::plan_renames(desk, map, &grid.lattice, &plan.shift)?);
    to_edit_set(label, edits)
}

fn make_label(map: &str, by: Sides) -> String {
    let side = |n: i32, name: &str| (n != 0).then(|| format!("{}{n} {name}", if n > 0 { "+" } else { "" }));
    let all =
        [side(by.north, "north"), side(by.east, "east"), side(by.south, "south"), side(by.west, "west")];
    format!("resize {map}: {}", all.into_iter().flatten().collect::<Vec<_>>().join(", "))
}

/// Refuses to change a declared size as long as another sheet draws the map in that size, or where it is not the game's own sheet that is resized.
fn check_only_sheet(desk: &Desk<'_>, map: &str, shape: &Shape) -> Result<(), Refusal> {
    let size = desk.analysis.slice(shape.span).trim();
    if desk.layers.own_layer().is_some_and(|l| l.item.is_some()) {
        let why = format!("{map} is declared as {size}: all its pictures have that size");
        return Err(Refusal { why, offers: vec![desk.go_to(shape.span)] });
    }
    for item in desk.analysis.asts.iter().flat_map(|f| &f.items) {
        for holder in std::iter::once(item).chain(inner_items(item)) {
            let drawn = inner_items(holder)
                .iter()
                .find(|i| matches!(&i.kind, ItemKind::Map(m) if m.name.text == map));
            if let Some(i) = drawn {
                let why = format!("{} draws {map} in this size, too", place::title_of(holder));
                return Err(Refusal { why, offers: vec![desk.go_to(i.span)] });
            }
        }
    }
    Ok(())
}

/// The edits of a declared size.
fn edit_numbers(desk: &Desk<'_>, shape: &Shape, size: (u32, u32)) -> Vec<Edit> {
    let both = [(&shape.width, size.0), (&shape.height, size.1)];
    let changed = both.into_iter().filter_map(|(e, n)| {
        let e = e.as_ref().filter(|e| !matches!(&*e.kind, ExprKind::Int(i) if *i == i64::from(n)))?;
        Some((e.span, n))
    });
    changed.map(|(span, n)| desk.make_edit(span.file, span.range(), n.to_string())).collect()
}

/// What is to be done with the rows of a picture.
struct Plan {
    by: Sides,
    shift: Shift,
    /// What even and odd rows get before their first sign: `.`, or lose of it.
    even: i32,
    odd: i32,
    /// How far odd rows are set in against even ones, in blanks, if that has to change.
    stagger: usize,
}

impl Plan {
    fn from_grid(desk: &Desk<'_>, grid: &Grid<'_>, map: &str, by: Sides) -> Result<Plan, Refusal> {
        let l = &grid.lattice;
        let (mut even, mut odd, mut extra, mut stagger) = (0, 0, 0, 0);
        if l.is_staggered() && by.south.rem_euclid(2) == 1 {
            stagger = stagger_of(grid);
            let legends = Legends::from_layers(desk.analysis, &desk.layers, map);
            let is_no_space = |s: &str| s == "." && legends.row_of(".").is_none();
            let rows = |parity: u32| {
                (0..l.rows).filter(move |r| r & 1 == parity).filter_map(|r| grid.line_of_row(r))
            };
            let spare_first =
                |r: &PictureRow| r.cells.len() > 1 && r.cells.first().is_some_and(|c| is_no_space(&c.text));
            let spare_last = |r: &PictureRow| {
                r.cells.len() < l.columns as usize || r.cells.last().is_some_and(|c| is_no_space(&c.text))
            };
            if by.west == 0 && rows(0).all(spare_first) {
                even = -1;
            } else {
                odd = 1;
                extra = i32::from(by.east >= 0 && !rows(1).all(spare_last));
            }
        }
        let size = size_after(l, by, extra)?;
        let shift = Shift { even: even + by.west, odd: odd + by.west, rows: by.south, size };
        Ok(Plan { by, shift, even, odd, stagger })
    }

    /// The edits of all rows.
    fn edit_rows(
        &self,
        desk: &Desk<'_>,
        grid: &Grid<'_>,
        sign: &str,
        edits: &mut Vec<Edit>,
    ) -> Result<(), Refusal> {
        let lines = &grid.picture.rows;
        let (north, south) = (self.by.north, self.by.south);
        let first = usize::try_from(-north).unwrap_or(0);
        let last = lines.len() - usize::try_from(-south).unwrap_or(0);
        if first >= last {
            return Err(Refusal::with_reason("a map has at least one row of those it had"));
        }
        let (Some(top), Some(bottom)) = (lines.get(first), lines.get(last - 1)) else { return Ok(()) };
        let eol = grid.eol();
        if north > 0 {
            edits.push(self.new_rows(desk, grid, sign, top, north as u32, true, eol));
        }
        for (n, line) in lines.iter().enumerate().take(last).skip(first) {
            let row = (lines.len() - 1 - n) as u32;
            self.edit_row(desk, grid, line, row, sign, edits)?;
        }
        if south > 0 {
            edits.push(self.new_rows(desk, grid, sign, bottom, south as u32, false, eol));
        }
        if first > 0
            && let Some(gone) = lines.first()
        {
            let from = if has_own_line(grid, gone) && has_own_line(grid, top) {
                gone.span.start as usize
            } else {
                row_start(gone)
            };
            let to = if has_own_line(grid, gone) && has_own_line(grid, top) {
                top.span.start as usize
            } else {
                row_start(top)
            };
            edits.push(desk.make_edit(grid.file, from..to, ""));
        }
        if last < lines.len()
            && let Some(gone) = lines.last()
        {
            edits.push(desk.make_edit(grid.file, row_end(bottom)..row_end(gone), ""));
        }
        Ok(())
    }

    /// The edits of a row that stays.
    fn edit_row(
        &self,
        desk: &Desk<'_>,
        grid: &Grid<'_>,
        line: &PictureRow,
        row: u32,
        sign: &str,
        edits: &mut Vec<Edit>,
    ) -> Result<(), Refusal> {
        let is_even = row & 1 == 0;
        let own = if is_even { self.even } else { self.odd };
        let flips = self.even != 0 || self.odd != 0;
        // What is put before the first sign, from the west, and how many signs are dropped there.
        let mut lead: Vec<&str> = vec![sign; usize::try_from(self.by.west).unwrap_or(0)];
        lead.extend((0..own).map(|_| "."));
        let mut dropped = usize::try_from(-self.by.west).unwrap_or(0) + usize::try_from(-own).unwrap_or(0);
        while dropped > 0 && lead.pop().is_some() {
            dropped -= 1;
        }
        let Some(start) = line.cells.first().map(|c| c.span.start as usize) else { return Ok(()) };
        let target = self.shift.size.0 as usize;
        let now = (line.cells.len() + lead.len()).saturating_sub(dropped);
        if now == 0 || dropped >= line.cells.len() || target <= lead.len() {
            return Err(Refusal::with_reason("nothing would be left of a row"));
        }
        let head = line.cells.get(dropped).map_or(start, |c| c.span.start as usize);
        let free = grid.text.get(line.span.start as usize..start).unwrap_or("");
        let free = free.len() - free.trim_end_matches(' ').len();
        let (mut from, mut text) = (start, String::new());
        if flips && self.stagger > 0 && is_even {
            text.push_str(&" ".repeat(self.stagger));
        } else if flips && self.stagger > 0 && free >= self.stagger + usize::from(line.label.is_some()) {
            from -= self.stagger;
        }
        for s in &lead {
            let pitch = if self.stagger > 0 { 2 * self.stagger } else { grid.pitch_of(0) };
            let w = s.chars().count();
            text.push_str(s);
            text.push_str(&" ".repeat(pitch.saturating_sub(w).max(1)));
        }
        if from != head || !text.is_empty() {
            edits.push(desk.make_edit(grid.file, from..head, text));
        }
        if now > target {
            let kept = (target + dropped).checked_sub(lead.len() + 1).and_then(|n| line.cells.get(n));
            let Some(kept) = kept.filter(|c| c.span.start as usize >= head) else {
                return Err(Refusal::with_reason("nothing would be left of a row"));
            };
            edits.push(desk.make_edit(grid.file, kept.span.end as usize..row_end(line), ""));
        } else if self.by.east > 0 && now < target {
            let new = (self.by.east as usize).min(target - now);
            // Where the row ended before its map did nothing was drawn: that moves like all else, and nothing is drawn there now.
            let first = (grid.lattice.columns as usize + lead.len()).saturating_sub(dropped);
            let mut text = String::new();
            let mut before = line.cells.last().map_or(1, |c| c.text.chars().count());
            for n in now..target {
                let s = if n + new < target || n < first { "." } else { sign };
                let column = (n + dropped).saturating_sub(lead.len() + 1);
                text.push_str(&" ".repeat(grid.pitch_of(column).saturating_sub(before).max(1)));
                text.push_str(s);
                before = s.chars().count();
            }
            let at = row_end(line);
            edits.push(desk.make_edit(grid.file, at..at, text));
        }
        Ok(())
    }

    /// New rows above or below a row.
    #[allow(clippy::too_many_arguments)]
    fn new_rows(
        &self,
        desk: &Desk<'_>,
        grid: &Grid<'_>,
        sign: &str,
        beside: &PictureRow,
        n: u32,
        above: bool,
        eol: &str,
    ) -> Edit {
        let columns = self.shift.size.0 as usize;
        let line = |row: u32| {
            let mut out = " ".repeat(self.lead_of(grid, row));
            for c in 0..columns {
                let old = c as i64 - i64::from(self.by.west.max(0));
                out.push_str(sign);
                if c + 1 < columns {
                    let pitch = grid.pitch_of(usize::try_from(old).unwrap_or(0));
                    out.push_str(&" ".repeat(pitch.saturating_sub(sign.chars().count()).max(1)));
                }
            }
            out
        };
        if above {
            let top = self.shift.size.1;
            let lines: Vec<String> = (top - n..top).rev().map(line).collect();
            if has_own_line(grid, beside) {
                let at = beside.span.start as usize;
                let all: String = lines.iter().map(|l| format!("{l}{eol}")).collect();
                return desk.make_edit(grid.file, at..at, all);
            }
            let at = row_start(beside);
            let all: String = lines
                .iter()
                .map(|l| format!("{}{eol}{}", l.trim_start(), " ".repeat(self.lead_of(grid, 0))))
                .collect();
            desk.make_edit(grid.file, at..at, all)
        } else {
            let at = row_end(beside);
            let all: String = (0..n).rev().map(|r| format!("{eol}{}", line(r))).collect();
            desk.make_edit(grid.file, at..at, all)
        }
    }

    /// How many blanks stand before the first sign of a new row.
    fn lead_of(&self, grid: &Grid<'_>, row: u32) -> usize {
        let of = |parity: u32| {
            let rows = (0..grid.lattice.rows).filter(|r| r & 1 == parity);
            rows.filter_map(|r| grid.line_of_row(r)?.cells.first()).map(|c| c.indent as usize).next()
        };
        if !grid.lattice.is_staggered() {
            return of(row & 1).or(of(0)).or(of(1)).unwrap_or(2);
        }
        let s = stagger_of(grid);
        let even = of(0).or(of(1).map(|o| o.saturating_sub(s))).unwrap_or(2);
        if row & 1 == 1 { even + s } else { even }
    }
}

/// How far the odd rows of a picture are set in against the even ones.
fn stagger_of(grid: &Grid<'_>) -> usize {
    let of = |parity: u32| {
        let rows = (0..grid.lattice.rows).filter(move |r| r & 1 == parity);
        rows.filter_map(|r| grid.line_of_row(r)?.cells.first()).map(|c| c.indent as usize).next()
    };
    match (of(0), of(1)) {
        (Some(e), Some(o)) => o.saturating_sub(e),
        _ => 0,
    }
}

/// Whether a row has a line of its own, without the picture's quotes.
fn has_own_line(grid: &Grid<'_>, line: &PictureRow) -> bool {
    let start = line.span.start as usize;
    grid.text.get(..start).is_some_and(|t| t.ends_with('\n'))
}

/// The first byte of a row's first sign or name.
fn row_start(line: &PictureRow) -> usize {
    line.label.as_ref().or(line.cells.first()).map_or(line.span.start, |c| c.span.start) as usize
}

/// The byte behind a row's last sign.
fn row_end(line: &PictureRow) -> usize {
    line.cells.last().or(line.label.as_ref()).map_or(line.span.end, |c| c.span.end) as usize
}
