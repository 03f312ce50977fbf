//! Fits a map of another tool to a drawn map: a mapping says which sign each tile is, and the result is a picture of signs, with all that was dropped.
//!
//! Hexes here lie so that every second row, counted from the south, is half a hex further to the east. Where the other map has it the other way round, every second row is
//! moved by one column, so that all hexes keep their neighbours.
use super::{ForeignMap, ForeignShape, count_of};
use crate::draw::{Board, Drawing, Entry, Topology};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Which sign each tile is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mapping {
    /// The sign of each of the map's tiles; none drops it.
    pub signs: Vec<Option<Arc<str>>>,
    /// The sign of cells without a tile.
    pub empty: Arc<str>,
    /// Which of the map's layers are taken.
    pub layers: Vec<bool>,
}

/// A map of another tool in signs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FittedMap {
    /// The signs, row by row from the north.
    pub rows: Vec<Vec<Arc<str>>>,
    /// What was dropped and moved, in sentences.
    pub dropped: Vec<String>,
}

/// The mapping by equal names: a tile is the sign that it names, or one that means what it names. Layers that are shown are taken.
pub fn guess_mapping(map: &ForeignMap, board: &Board) -> Mapping {
    let same = |a: &str, b: &str| a.to_lowercase() == b.to_lowercase();
    let find = |name: &String| {
        let by = |is: &dyn Fn(&Entry) -> bool| board.palette.iter().find(|e| is(e)).map(|e| e.sign.clone());
        by(&|e| *e.sign == **name)
            .or_else(|| by(&|e| same(&e.meaning.says, name)))
            .or_else(|| by(&|e| e.title.as_deref().is_some_and(|t| same(t, name))))
    };
    Mapping {
        signs: map.tiles.iter().map(|t| t.names.iter().find_map(find)).collect(),
        empty: ".".into(),
        layers: map.layers.iter().map(|l| l.visible).collect(),
    }
}

/// Fits a map to the size and shape of a board.
///
/// # Errors
/// Squares on hexes or hexes on squares, a size that the board cannot have.
pub fn fit_map(
    map: &ForeignMap,
    drawing: &Drawing,
    board: &Board,
    mapping: &Mapping,
) -> Result<FittedMap, String> {
    let hexes = matches!(map.shape, ForeignShape::Hexes { .. });
    match (hexes, board.lattice.is_hexes()) {
        (false, true) => {
            return Err(format!(
                "The file has squares, and {} has hexes: in Tiled, choose Map > Map Properties > Orientation: Hexagonal and Stagger Axis: Y. LDtk draws squares alone.",
                board.name
            ));
        }
        (true, false) => {
            return Err(format!(
                "The file has hexes, and {} has squares: in Tiled, choose Map > Map Properties > Orientation: Orthogonal.",
                board.name
            ));
        }
        _ => {}
    }
    let mut dropped = map.dropped.clone();
    let slots = drawing.patches_of(&board.name).is_some_and(|p| !p.slots.is_empty());
    let signs = sign_cells(map, board, mapping, slots, &mut dropped);
    let rows = match map.shape {
        ForeignShape::Squares => cut_rows(&signs, map.columns as usize),
        ForeignShape::Hexes { first_east } => lay_hexes(map, board, &signs, first_east, &mut dropped),
    };
    let (columns, lines) = (rows.first().map_or(0, Vec::len), rows.len());
    let l = board.lattice;
    if board.fixed.is_some() && (columns, lines) != (l.columns as usize, l.rows as usize) {
        return Err(format!(
            "The file has {columns} columns and {lines} rows, and the rules declare {} with {} columns and {} rows: give the other map that size.",
            board.name, l.columns, l.rows
        ));
    }
    if columns > 100 || lines > 100 || columns * lines > 4096 {
        return Err(format!(
            "The file has {columns} columns and {lines} rows. A map has at most 100 of each, and at most 4096 spaces: make the other map smaller."
        ));
    }
    Ok(FittedMap { rows, dropped })
}

/// The sign of each cell. Where several layers have a tile, the signs stand together if the legend reads them letter by letter; else the upper one covers the lower one.
fn sign_cells(
    map: &ForeignMap,
    board: &Board,
    mapping: &Mapping,
    slots: bool,
    dropped: &mut Vec<String>,
) -> Vec<Arc<str>> {
    let mut cells: Vec<Option<Arc<str>>> = vec![None; (map.columns * map.rows) as usize];
    let mut unmapped: BTreeMap<usize, usize> = BTreeMap::new();
    let mut covered: Option<(usize, String)> = None;
    for (n, layer) in map.layers.iter().enumerate() {
        let filled = || layer.cells.iter().enumerate().filter_map(|(at, tile)| Some((at, (*tile)?)));
        if mapping.layers.get(n) != Some(&true) {
            let many = count_of(filled().count(), "tile", "tiles");
            dropped.push(format!("Layer “{}” is not taken: {many} left out.", layer.name));
            continue;
        }
        for (at, tile) in filled() {
            let Some(sign) = mapping.signs.get(tile).and_then(Option::as_ref) else {
                *unmapped.entry(tile).or_default() += 1;
                continue;
            };
            let Some(cell) = cells.get_mut(at) else { continue };
            let both = cell.as_ref().map(|below| format!("{below}{sign}"));
            *cell = match both {
                Some(both) if !slots && is_read_by_letters(board, &both) => Some(both.into()),
                Some(_) => {
                    let (column, row) = (at as u32 % map.columns.max(1), at as u32 / map.columns.max(1));
                    let place = format!("column {} of row {} from the top", column + 1, row + 1);
                    covered.get_or_insert((0, place)).0 += 1;
                    Some(sign.clone())
                }
                None => Some(sign.clone()),
            };
        }
    }
    for (tile, n) in unmapped {
        let label = map.tiles.get(tile).map_or("", |t| &t.label);
        dropped.push(format!("Tile “{label}” has no sign: {} left out.", count_of(n, "cell", "cells")));
    }
    if let Some((n, at)) = covered {
        let many = count_of(n, "cell has", "cells have");
        dropped.push(format!("{many} tiles in several layers, first in {at}: the upper one stands alone."));
    }
    cells.into_iter().map(|c| c.unwrap_or_else(|| mapping.empty.clone())).collect()
}

/// Whether a sign of several letters means what its letters mean together.
fn is_read_by_letters(board: &Board, sign: &str) -> bool {
    let has_row = |s: &str| board.entry_of(s).is_some_and(|e| e.origin.span().is_some());
    !has_row(sign) && sign.chars().count() <= 20 && sign.chars().all(|c| has_row(c.encode_utf8(&mut [0; 4])))
}

fn cut_rows(signs: &[Arc<str>], columns: usize) -> Vec<Vec<Arc<str>>> {
    signs.chunks(columns.max(1)).map(<[_]>::to_vec).collect()
}

/// Lays rows of hexes as the board has them.
fn lay_hexes(
    map: &ForeignMap,
    board: &Board,
    signs: &[Arc<str>],
    first_east: bool,
    dropped: &mut Vec<String>,
) -> Vec<Vec<Arc<str>>> {
    let rhombus = board.lattice.topology == (Topology::Hexes { rhombus: true });
    let (columns, rows) = (i64::from(map.columns), i64::from(map.rows));
    // Places along a row are counted in halves of a hex.
    let half = |at: i64| {
        let (column, line) = (at % columns.max(1), at / columns.max(1));
        2 * column + i64::from((line % 2 == 0) == first_east)
    };
    // How far the board moves a line to the east, in halves.
    let own = |line: i64| {
        let row = rows - 1 - line;
        if rhombus { row } else { row % 2 }
    };
    let line_of = |at: i64| at / columns.max(1);
    let filled: Vec<(i64, &Arc<str>)> =
        signs.iter().enumerate().filter(|(_, s)| ***s != *".").map(|(n, s)| (n as i64, s)).collect();
    let odd = (half(0) - own(0)).rem_euclid(2);
    // The least move with which no filled cell lies west of the first column.
    let west = filled.iter().map(|(at, _)| half(*at) - own(line_of(*at))).min().unwrap_or(0);
    let mut by = -odd;
    while west + by < 0 {
        by += 2;
    }
    let place = |at: i64| (half(at) - own(line_of(at)) + by).div_euclid(2);
    let needed = filled.iter().map(|(at, _)| place(*at) + 1).max().unwrap_or(0);
    let usual = if rhombus { columns - (rows - 1).max(0) / 2 } else { columns };
    let wide = needed.max(usual).max(1);
    if by != 0 && !rhombus {
        let how = if wide > columns { "one column more" } else { "as many columns as before" };
        dropped.push(format!(
            "Here every second row from the south lies half a hex to the east, and in the file the others do: every second row is moved by one column, and the map has {how}. All hexes keep their neighbours."
        ));
    }
    let mut out = vec![vec![Arc::from("."); wide as usize]; rows as usize];
    for (at, sign) in filled {
        let line = usize::try_from(line_of(at)).ok().and_then(|n| out.get_mut(n));
        if let Some(cell) = usize::try_from(place(at)).ok().and_then(|c| line?.get_mut(c)) {
            *cell = sign.clone();
        }
    }
    out
}
