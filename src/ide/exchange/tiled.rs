//! Makes a map of what Tiled's two formats say alike. `tmx` and `tmj` read them into a [`RawMap`].
use super::{ForeignLayer, ForeignMap, ForeignShape, ForeignTile, MOST_CELLS, MOST_LAYERS, MOST_SIDE};
use super::{count_of, make_labels};
use std::collections::BTreeMap;

/// A map as a file says it.
#[derive(Default)]
pub struct RawMap {
    /// `orthogonal`, `hexagonal` and others.
    pub orientation: String,
    /// Of hexes: `x` or `y`.
    pub stagger_axis: String,
    /// Of hexes: `odd` or `even`.
    pub stagger_index: String,
    /// Whether its layers have chunks and no size.
    pub infinite: bool,
    /// How many columns, if it is not infinite.
    pub columns: i64,
    /// How many rows, if it is not infinite.
    pub rows: i64,
    /// Its tilesets.
    pub sets: Vec<RawSet>,
    /// Its layers, those in groups, too, the lowest first.
    pub layers: Vec<RawLayer>,
    /// How many properties of one's own it has.
    pub properties: usize,
}

/// A tileset.
#[derive(Default)]
pub struct RawSet {
    /// The number of its first tile in the map.
    pub first: u32,
    /// Its name.
    pub name: String,
    /// What is said of its tiles, by their number in the set: the best name first.
    pub tiles: BTreeMap<u32, Vec<String>>,
    /// The file in which it stands, if it is not in the map's own.
    pub source: Option<String>,
    /// Why nothing is known of its tiles.
    pub unread: Option<String>,
}

/// A layer.
pub struct RawLayer {
    /// Its name, behind those of its groups.
    pub name: String,
    /// Whether it is shown.
    pub visible: bool,
    /// Whether it is moved by some pixels.
    pub moved: bool,
    /// What it holds.
    pub holds: Holds,
}

/// What a layer holds.
pub enum Holds {
    /// Tiles, in blocks that stand apart.
    Tiles(Vec<Chunk>),
    /// Something else: `an object layer with 3 objects`.
    Other(String),
}

/// A block of tiles.
pub struct Chunk {
    /// Its westmost column.
    pub column: i64,
    /// Its northmost row.
    pub row: i64,
    /// How many columns.
    pub columns: u32,
    /// The cells, row by row.
    pub gids: Vec<u32>,
}

/// The bits of a cell that say how its tile is flipped or turned.
const FLIPS: u32 = 0xF000_0000;

/// Counts cells while a file is read, so that a small file cannot ask for much memory.
#[derive(Default)]
pub struct Budget(usize);

impl Budget {
    /// The number of cells of a block, if there may be so many more.
    pub fn take_cells(&mut self, columns: i64, rows: i64) -> Result<usize, String> {
        let side = |n: i64| u32::try_from(n).ok().filter(|n| (1..=MOST_SIDE).contains(n));
        let (Some(w), Some(h)) = (side(columns), side(rows)) else {
            return Err(format!(
                "it has {columns} columns and {rows} rows, and a map has at most 100 of each: make it smaller in Tiled by Map > Resize Map"
            ));
        };
        let cells = (w * h) as usize;
        self.0 += cells;
        if self.0 > MOST_CELLS {
            return Err(String::from("its layers have too many cells for a map of a table"));
        }
        Ok(cells)
    }
}

/// Makes the map.
///
/// # Errors
/// Another orientation than squares and rows of hexes, or a size that no map has.
pub fn to_map(raw: RawMap, name: &str) -> Result<ForeignMap, String> {
    if raw.layers.len() > MOST_LAYERS {
        return Err(format!("it has more than {MOST_LAYERS} layers: remove those that are not needed"));
    }
    let mut dropped = Vec::new();
    let hexes = match (raw.orientation.as_str(), raw.stagger_axis.as_str()) {
        ("orthogonal", _) => false,
        ("isometric", _) => {
            dropped.push(String::from("Tiled shows the map slanted (isometric); here it has plain squares."));
            false
        }
        ("hexagonal", "y") => true,
        ("hexagonal", _) => {
            return Err(String::from(
                "its hexes stand in columns, and here hexes stand in rows: in Tiled, choose Map > Map Properties > Stagger Axis: Y, and draw the map so",
            ));
        }
        (other, _) => {
            return Err(format!(
                "its orientation is `{other}`: in Tiled, choose Map > Map Properties > Orientation: Orthogonal for squares or Hexagonal for hexes"
            ));
        }
    };
    let area = Area::from_raw(&raw)?;
    let odd = match raw.stagger_index.as_str() {
        "even" => 0,
        _ => 1,
    };
    let shape = match hexes {
        true => ForeignShape::Hexes { first_east: area.row.rem_euclid(2) == odd },
        false => ForeignShape::Squares,
    };
    let mut known =
        Tiles { sets: &raw.sets, numbers: BTreeMap::new(), tiles: Vec::new(), unique: Vec::new() };
    let mut layers = Vec::new();
    let mut flipped: Option<(usize, String)> = None;
    for layer in &raw.layers {
        let chunks = match &layer.holds {
            Holds::Tiles(chunks) => chunks,
            Holds::Other(what) => {
                dropped.push(format!("Layer “{}” is {what}: it is left out.", layer.name));
                continue;
            }
        };
        if layer.moved {
            dropped.push(format!("Layer “{}” is moved by some pixels: its tiles stand unmoved.", layer.name));
        }
        let mut cells = vec![None; (area.columns * area.rows) as usize];
        for (column, row, gid) in chunks.iter().flat_map(Chunk::filled_cells) {
            let Some((column, row)) = area.place_of(column, row) else { continue };
            if gid & FLIPS != 0 {
                let at = format!("column {} of row {} from the top", column + 1, row + 1);
                flipped.get_or_insert((0, at)).0 += 1;
            }
            let tile = known.number_of(gid & !FLIPS);
            if let Some(cell) = cells.get_mut((row * area.columns + column) as usize) {
                *cell = Some(tile);
            }
        }
        layers.push(ForeignLayer { name: layer.name.clone(), visible: layer.visible, cells });
    }
    if let Some((n, at)) = flipped {
        let many = count_of(n, "tile is", "tiles are");
        dropped.push(format!("{many} flipped or turned, first in {at}: they stand unturned."));
    }
    if raw.properties > 0 {
        let many = count_of(raw.properties, "property", "properties");
        dropped.push(format!("The map has {many} of its own: left out."));
    }
    dropped.extend(raw.sets.iter().filter_map(|s| s.unread.clone()));
    let Tiles { mut tiles, unique, .. } = known;
    make_labels(&mut tiles, &unique)?;
    let (columns, rows) = (area.columns, area.rows);
    Ok(ForeignMap { name: name.to_string(), shape, columns, rows, tiles, layers, dropped })
}

impl Chunk {
    /// The cells that have a tile: column, row, number.
    fn filled_cells(&self) -> impl Iterator<Item = (i64, i64, u32)> + '_ {
        let wide = self.columns.max(1) as usize;
        self.gids.iter().enumerate().filter(|(_, gid)| *gid & !FLIPS != 0).map(move |(n, gid)| {
            (self.column.saturating_add((n % wide) as i64), self.row.saturating_add((n / wide) as i64), *gid)
        })
    }
}

/// Which cells of a file are the map.
struct Area {
    column: i64,
    row: i64,
    columns: u32,
    rows: u32,
}

impl Area {
    /// The declared size; of an infinite map all that has a tile.
    fn from_raw(raw: &RawMap) -> Result<Area, String> {
        let (mut west, mut north, mut columns, mut rows) = (0, 0, raw.columns, raw.rows);
        if raw.infinite {
            let chunks = raw.layers.iter().filter_map(|l| match &l.holds {
                Holds::Tiles(chunks) => Some(chunks),
                Holds::Other(_) => None,
            });
            let cells = || chunks.clone().flatten().flat_map(Chunk::filled_cells);
            let range = |side: fn((i64, i64, u32)) -> i64| {
                cells().map(side).fold(None, |all: Option<(i64, i64)>, n| match all {
                    Some((a, b)) => Some((a.min(n), b.max(n))),
                    None => Some((n, n)),
                })
            };
            let (Some((a, b)), Some((c, d))) = (range(|c| c.0), range(|c| c.1)) else {
                return Err(String::from("no layer of it has a tile"));
            };
            (west, north) = (a, c);
            (columns, rows) = (b.saturating_sub(a).saturating_add(1), d.saturating_sub(c).saturating_add(1));
        }
        Budget::default().take_cells(columns, rows)?;
        let side = |n: i64| u32::try_from(n).unwrap_or(0);
        Ok(Area { column: west, row: north, columns: side(columns), rows: side(rows) })
    }

    /// A cell's column and row in the map.
    fn place_of(&self, column: i64, row: i64) -> Option<(u32, u32)> {
        let inside =
            |n: i64, first: i64, len: u32| u32::try_from(n.checked_sub(first)?).ok().filter(|n| *n < len);
        Some((inside(column, self.column, self.columns)?, inside(row, self.row, self.rows)?))
    }
}

/// The tiles that a map uses, each once.
struct Tiles<'a> {
    sets: &'a [RawSet],
    numbers: BTreeMap<u32, usize>,
    tiles: Vec<ForeignTile>,
    unique: Vec<String>,
}

impl Tiles<'_> {
    /// The tile with a number of the file, which is used once more.
    fn number_of(&mut self, gid: u32) -> usize {
        let n = *self.numbers.entry(gid).or_insert(self.tiles.len());
        if n == self.tiles.len() {
            let set = self.sets.iter().filter(|s| s.first <= gid).max_by_key(|s| s.first);
            let own = match set {
                Some(s) => format!("{} {}", s.name, gid - s.first),
                None => format!("tile {gid} of no tileset"),
            };
            let names = set.and_then(|s| s.tiles.get(&(gid - s.first))).cloned().unwrap_or_default();
            let label = names.first().unwrap_or(&own).clone();
            self.unique.push(own);
            self.tiles.push(ForeignTile { label, names, used: 0 });
        }
        if let Some(tile) = self.tiles.get_mut(n) {
            tile.used += 1;
        }
        n
    }
}

/// The names of a tile, the best first, without empty ones and each once.
pub fn to_names(names: impl IntoIterator<Item = Option<String>>) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for name in names.into_iter().flatten().map(|n| n.trim().to_string()) {
        if !name.is_empty() && !out.contains(&name) {
            out.push(name);
        }
    }
    out
}

/// Reads a file that a map names, if it lies in the folder of the map or below it.
pub fn read_named(source: &str, beside: &super::ReadBeside<'_>) -> Result<Vec<u8>, String> {
    let path = source.replace('\\', "/");
    let plain = |part: &str| !part.is_empty() && part != "." && part != ".." && !part.contains(':');
    if !path.split('/').all(plain) {
        return Err(String::from("it does not lie in the folder of the map"));
    }
    beside(&path)
}
