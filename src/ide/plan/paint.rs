//! Plans edits of drawn maps: which bytes change when some signs are replaced.
//!
//! A sign takes the blanks behind it as far as it needs them and leaves one. Where there are not enough, its whole column is given more, and no other. A shorter sign leaves blanks
//! behind. So columns that stood one below the other still do.
use super::{Desk, describe_places, place, to_edit_set};
use crate::draw::brush::Strokes;
use crate::draw::{DrawnMap, Lattice, Legends, Spot, find_own_picture};
use crate::edit::{Edit, EditSet, Offer, Refusal};
use houserule_syntax::ast::{Picture, PictureRow};
use houserule_text::FileId;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A picture to be edited.
pub(super) struct Grid<'a> {
    pub picture: &'a Picture,
    pub lattice: Lattice,
    pub file: FileId,
    pub text: &'a str,
}

impl<'a> Grid<'a> {
    /// The sheet's own picture of a map. Where it has none: why, and what to do.
    pub fn from_desk(desk: &Desk<'a>, map: &str) -> Result<Grid<'a>, Refusal> {
        let maps = desk.layers.maps();
        let Some(known) = maps.iter().find(|m| m.name == map) else {
            return Err(Refusal::with_reason(format!("there is no map {map} that can be drawn")));
        };
        check_uncovered(desk, known)?;
        let Some((item, _, picture)) = find_own_picture(&desk.layers, map) else {
            let here = draw_here(desk, map)?;
            let drawn = known.picture.map_or(known.decl.span, |(_, i, _)| i.span);
            let why = match known.picture {
                Some(_) => format!("{map} is drawn elsewhere, in {}", desk.analysis.files.place(drawn)),
                None => format!("{map} has no picture yet"),
            };
            return Err(Refusal { why, offers: vec![Offer::Instead(here), desk.go_to(drawn)] });
        };
        desk.check_readable(item.span)?;
        let (columns, rows) = crate::draw::drawn_size(picture);
        let topology = crate::draw::to_topology(known.shape);
        let (file, text) = (item.span.file, desk.text_of(item.span.file));
        if columns == 100 && picture.rows.iter().any(|r| r.cells.len() > 100) || picture.rows.len() > 100 {
            return Err(Refusal::with_reason("a map has at most 100 columns and rows"));
        }
        Ok(Grid { picture, lattice: Lattice { topology, columns, rows }, file, text })
    }

    /// The line of a row, counted from the south.
    pub fn line_of_row(&self, row: u32) -> Option<&'a PictureRow> {
        let n = self.picture.rows.len().checked_sub(row as usize + 1)?;
        self.picture.rows.get(n)
    }

    /// The sign at a place.
    pub fn sign_at(&self, s: Spot) -> Option<&'a str> {
        self.line_of_row(s.row)?.cells.get(s.column as usize).map(|c| c.text.as_str())
    }

    /// The blanks behind the cell of that number up to the next one; none behind the last one or where there are tabs among them.
    fn gap_behind(&self, line: &PictureRow, column: usize) -> Option<usize> {
        let (a, b) = (line.cells.get(column)?, line.cells.get(column + 1)?);
        let between = self.text.get(a.span.end as usize..b.span.start as usize)?;
        between.bytes().all(|b| b == b' ').then_some(between.len())
    }

    /// The line end that the picture's lines have.
    pub fn eol(&self) -> &'static str {
        let inner = self.text.get(self.picture.span.range()).unwrap_or("");
        let text = if inner.contains('\n') { inner } else { self.text };
        if text.contains("\r\n") { "\r\n" } else { "\n" }
    }

    /// How wide the column of that number is in characters, with the blanks behind it.
    pub fn pitch_of(&self, column: usize) -> usize {
        let width = |line: &PictureRow| line.cells.get(column).map(|c| c.text.chars().count());
        let slot = |line: &PictureRow| Some(width(line)? + self.gap_behind(line, column)?);
        let widest = self.picture.rows.iter().filter_map(width).max().unwrap_or(1);
        let known = self.picture.rows.iter().filter_map(slot).max();
        // Behind the last column, or beyond it, as in the one before it.
        let like =
            || column.checked_sub(1).map(|before| self.pitch_of(before.min(self.lattice.columns as usize)));
        known.or_else(like).unwrap_or(2).max(widest + 1)
    }
}

/// Refuses to draw where nobody would see it: under the picture of a mod that is in force.
pub(super) fn check_uncovered(desk: &Desk<'_>, map: &DrawnMap<'_>) -> Result<(), Refusal> {
    let Some((_, item, _)) = map.picture.filter(|(layer, ..)| desk.layers.is_over(*layer)) else {
        return Ok(());
    };
    let why = format!(
        "something that applies after it draws {}, in {}",
        map.name,
        desk.analysis.files.place(item.span)
    );
    Err(Refusal { why, offers: vec![desk.go_to(item.span)] })
}

/// Whether a sign can stand in a picture at all.
pub(super) fn check_sign(sign: &str) -> Result<(), Refusal> {
    let bad = |c: char| c.is_whitespace() || c.is_control() || ":{};#\"|".contains(c);
    if sign.is_empty() || sign.chars().any(bad) {
        let why = format!("`{sign}` cannot be a sign: a sign has no blanks and none of : {{ }} ; # \" |");
        return Err(Refusal::with_reason(why));
    }
    if sign.chars().count() > 20 {
        return Err(Refusal::with_reason("a sign has at most 20 characters"));
    }
    Ok(())
}

/// Refuses signs that no legend explains.
pub(super) fn check_known(desk: &Desk<'_>, map: &str, signs: &[&str]) -> Result<(), Refusal> {
    let legends = Legends::from_layers(desk.analysis, &desk.layers, map);
    for sign in signs {
        check_sign(sign)?;
        if *sign != "." && legends.meaning_of(sign).is_none() {
            return Err(Refusal::with_reason(format!(
                "no legend explains the sign `{sign}`: add a row for it first"
            )));
        }
    }
    Ok(())
}

/// Writes signs on a map.
pub(super) fn plan_paint(
    desk: &Desk<'_>,
    map: &str,
    strokes: &Strokes,
    what: &str,
) -> Result<EditSet, Refusal> {
    if let Some(edits) = find_nothing_to_do(desk, map, strokes) {
        return Ok(edits);
    }
    let grid = Grid::from_desk(desk, map)?;
    let mut signs: Vec<&str> =
        strokes.iter().filter(|(s, sign)| grid.sign_at(**s) != Some(&***sign)).map(|(_, s)| &**s).collect();
    signs.sort_unstable();
    signs.dedup();
    check_known(desk, map, &signs)?;
    let edits = signs_to_edits(desk, &grid, strokes)?;
    let changed = strokes.iter().filter(|(s, sign)| is_different(&grid, **s, sign)).map(|(s, _)| s);
    let label = format!("{what} at {}", describe_places(changed));
    to_edit_set(label, edits)
}

/// An empty set, if every place has its sign already, whosever the picture is.
fn find_nothing_to_do(desk: &Desk<'_>, map: &str, strokes: &Strokes) -> Option<EditSet> {
    let maps = desk.layers.maps();
    let known = maps.iter().find(|m| m.name == map)?;
    let picture = known.picture.and_then(|(_, _, m)| m.picture.as_ref())?;
    let rows = picture.rows.len();
    let same = strokes.iter().all(|(s, sign)| {
        let line = rows.checked_sub(s.row as usize + 1).and_then(|n| picture.rows.get(n));
        line.and_then(|l| l.cells.get(s.column as usize)).is_some_and(|c| c.text == **sign)
    });
    same.then(EditSet::default)
}

/// Whether writing a sign there would change what is drawn. Beyond the end of its row a place is empty already.
fn is_different(grid: &Grid<'_>, s: Spot, sign: &str) -> bool {
    match grid.sign_at(s) {
        Some(now) => now != sign,
        None => sign != ".",
    }
}

/// The edits by which the places get their signs.
fn signs_to_edits(desk: &Desk<'_>, grid: &Grid<'_>, strokes: &Strokes) -> Result<Vec<Edit>, Refusal> {
    // By row, then column: only what differs.
    let mut changed: BTreeMap<u32, BTreeMap<usize, &str>> = BTreeMap::new();
    for (s, sign) in strokes {
        if !grid.lattice.has_spot(*s) {
            let why = format!("the map has no {}: it ends before it", s.name());
            return Err(Refusal { why, offers: vec![desk.go_to(grid.picture.span)] });
        }
        if is_different(grid, *s, sign) {
            changed.entry(s.row).or_default().insert(s.column as usize, sign);
        }
    }
    let width = |t: &str| t.chars().count();
    // How much wider each column becomes.
    let mut wider: BTreeMap<usize, usize> = BTreeMap::new();
    for (row, signs) in &changed {
        let Some(line) = grid.line_of_row(*row) else { continue };
        for (column, sign) in signs {
            let Some(cell) = line.cells.get(*column) else { continue };
            if let Some(gap) = grid.gap_behind(line, *column) {
                let needs = (width(sign) + 1).saturating_sub(width(&cell.text) + gap);
                let w = wider.entry(*column).or_default();
                *w = needs.max(*w);
            }
        }
    }
    let mut edits = Vec::new();
    for (n, line) in grid.picture.rows.iter().enumerate() {
        let row = (grid.picture.rows.len() - 1 - n) as u32;
        let none = BTreeMap::new();
        let signs = changed.get(&row).unwrap_or(&none);
        for (column, cell) in line.cells.iter().enumerate() {
            let more = wider.get(&column).copied().unwrap_or(0);
            let gap = grid.gap_behind(line, column);
            let (start, end) = (cell.span.start as usize, cell.span.end as usize);
            match (signs.get(&column), gap) {
                (Some(sign), Some(gap)) => {
                    let slot = width(&cell.text) + gap + more;
                    let blanks = slot.saturating_sub(width(sign));
                    if blanks >= gap {
                        let text = format!("{sign}{}", " ".repeat(blanks - gap));
                        edits.push(desk.make_edit(grid.file, start..end, text));
                    } else {
                        edits.push(desk.make_edit(grid.file, start..end + gap - blanks, *sign));
                    }
                }
                // The last sign of its line, or one before tabs: nothing is lined up behind it.
                (Some(sign), None) => edits.push(desk.make_edit(grid.file, start..end, *sign)),
                (None, Some(_)) if more > 0 => {
                    edits.push(desk.make_edit(grid.file, end..end, " ".repeat(more)))
                }
                _ => {}
            }
        }
        let beyond: BTreeMap<usize, &str> = signs.range(line.cells.len()..).map(|(c, s)| (*c, *s)).collect();
        if let Some(last) = beyond.keys().next_back() {
            edits.push(append_signs(desk, grid, line, *last, &beyond, &wider));
        }
    }
    Ok(edits)
}

/// The edits by which places get signs that nothing has to explain yet.
pub(super) fn signs_to_edits_unchecked(
    desk: &Desk<'_>,
    grid: &Grid<'_>,
    strokes: &Strokes,
) -> Result<Vec<Edit>, Refusal> {
    signs_to_edits(desk, grid, strokes)
}

/// What is written behind the end of a row so that its cells reach to that column.
fn append_signs(
    desk: &Desk<'_>,
    grid: &Grid<'_>,
    line: &PictureRow,
    last: usize,
    signs: &BTreeMap<usize, &str>,
    wider: &BTreeMap<usize, usize>,
) -> Edit {
    let at = match line.cells.last() {
        Some(c) => c.span.end as usize,
        None => line.label.as_ref().map_or(line.span.start as usize, |_| line.span.end as usize),
    };
    let mut text = String::new();
    // How much room the sign before has to its right.
    let slot = |column: usize| grid.pitch_of(column) + wider.get(&column).copied().unwrap_or(0);
    let mut before = line.cells.last().map(|c| (c.text.chars().count(), line.cells.len() - 1));
    for column in line.cells.len()..=last {
        let sign = signs.get(&column).copied().unwrap_or(".");
        let blanks = match before {
            Some((w, c)) => slot(c).saturating_sub(w).max(1),
            // A row without a sign: as far in as the other rows.
            None => grid
                .picture
                .rows
                .iter()
                .filter_map(|r| r.cells.first())
                .map(|c| c.indent as usize)
                .min()
                .unwrap_or(1)
                .max(1),
        };
        text.push_str(&" ".repeat(blanks));
        text.push_str(sign);
        before = Some((sign.chars().count(), column));
    }
    desk.make_edit(grid.file, at..at, text)
}

/// Writes the name of a row, or takes it away.
pub(super) fn name_row(desk: &Desk<'_>, map: &str, row: u32, sign: Option<&str>) -> Result<EditSet, Refusal> {
    let grid = Grid::from_desk(desk, map)?;
    let Some(line) = grid.line_of_row(row) else {
        return Err(Refusal::with_reason(format!("the map has no row {}", row + 1)));
    };
    let edit = match (&line.label, sign) {
        (None, None) => return Ok(EditSet::default()),
        (Some(l), Some(s)) if l.text == s => return Ok(EditSet::default()),
        (Some(l), Some(s)) => {
            check_known(desk, map, &[s])?;
            desk.make_edit(grid.file, l.span.range(), s)
        }
        (Some(l), None) => {
            // With its bar and the blanks up to the first sign, which keeps its place.
            let from = l.span.start as usize;
            let to = line.cells.first().map_or(line.span.end as usize, |c| c.span.start as usize);
            let kept = grid.text.get(from..to).map_or(0, |t| t.chars().count());
            let blanks = if line.cells.is_empty() { String::new() } else { " ".repeat(kept) };
            desk.make_edit(grid.file, from..to, blanks)
        }
        (None, Some(s)) => {
            check_known(desk, map, &[s])?;
            let Some(first) = line.cells.first() else {
                return Err(Refusal::with_reason("a row without spaces cannot have a name"));
            };
            let from = line.span.start as usize;
            let at = first.span.start as usize;
            let lead = grid.text.get(from..at).unwrap_or("");
            // Over blanks of its own where the other rows have their names, else before the first sign.
            let like = grid.picture.rows.iter().filter_map(|r| r.label.as_ref()).next();
            let name = format!("{s} |");
            match like.map(|l| l.indent as usize) {
                Some(i) if lead.len() > i + name.len() && lead.bytes().all(|b| b == b' ') => {
                    desk.make_edit(grid.file, from + i..from + i + name.len(), name)
                }
                _ => desk.make_edit(grid.file, at..at, format!("{name} ")),
            }
        }
    };
    let what = sign.map_or_else(|| "remove the name of a row".into(), |s| format!("name a row {s}"));
    to_edit_set(format!("{what}: row {} of {map}", row + 1), vec![edit])
}

/// Draws a map in the sheet itself: as it is drawn in what the sheet is built on, or, of a size that is declared, empty.
pub(super) fn draw_here(desk: &Desk<'_>, map: &str) -> Result<EditSet, Refusal> {
    let maps = desk.layers.maps();
    let Some(known) = maps.iter().find(|m| m.name == map) else {
        return Err(Refusal::with_reason(format!("there is no map {map} that can be drawn")));
    };
    check_uncovered(desk, known)?;
    if find_own_picture(&desk.layers, map).is_some() {
        return Ok(EditSet::default());
    }
    let scenario = desk.own_declaration()?;
    desk.check_readable(scenario.span)?;
    let lines: Vec<String> = match known.picture.and_then(|(_, _, m)| m.picture.as_ref()) {
        Some(p) => {
            let text = |r: &PictureRow| {
                let from = r.label.as_ref().or(r.cells.first()).map_or(r.span.start, |c| c.span.start);
                let to = r.cells.last().or(r.label.as_ref()).map_or(r.span.end, |c| c.span.end);
                let first = r.label.as_ref().or(r.cells.first()).map_or(0, |c| c.indent);
                let all = desk.text_of(p.span.file).get(from as usize..to as usize).unwrap_or("");
                (first as usize, all.to_string())
            };
            let rows: Vec<(usize, String)> = p.rows.iter().map(text).collect();
            let least = rows.iter().map(|r| r.0).min().unwrap_or(0);
            rows.into_iter().map(|(n, t)| format!("{}{t}", " ".repeat(n - least))).collect()
        }
        None => {
            let Some((columns, rows)) = crate::draw::declared_size(known.shape) else {
                return Err(Refusal::with_reason(format!(
                    "{map} has no size yet: draw its first row in the text"
                )));
            };
            let legends = Legends::from_layers(desk.analysis, &desk.layers, map);
            let empty = legends.rows.iter().find(|r| r.row.marks.is_empty() && r.row.when.is_none());
            let Some(empty) = empty else {
                let why = format!("{map} has no sign for an empty space: add one to the legend");
                return Err(Refusal { why, offers: vec![desk.go_to(known.decl.span)] });
            };
            let sign: Arc<str> = empty.sign.text.as_str().into();
            let staggered =
                crate::draw::to_topology(known.shape) == crate::draw::Topology::Hexes { rhombus: false };
            let line = vec![&*sign; columns as usize].join(" ");
            (0..rows)
                .rev()
                .map(|r| format!("{}{line}", if staggered && r & 1 == 1 { " " } else { "" }))
                .collect()
        }
    };
    let text = place::Block { head: format!("map {map} \"\"\""), lines, tail: "\"\"\"".into() };
    let edit = place::insert_block(desk, scenario, place::Sort::Map, &text);
    to_edit_set(format!("draw {map} in {}", place::title_of(scenario)), vec![edit])
}
