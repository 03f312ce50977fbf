//! Import and export of maps: reads maps of Tiled and LDtk into plain data, fits them to a drawn map by a mapping of tiles to signs, and writes a drawn map for Tiled.
//!
//! ```text
//! .tmx .tmj ─┐
//! .ldtk      ├─▶ ForeignMap ─ guess_mapping ─▶ Mapping ─ fit_map ─▶ FittedMap ─▶ plan (Intent::SetPicture)
//! .csv      ─┘
//! ```
//!
//! A file comes from anywhere: sizes, nesting and unpacked bytes are bounded before anything is allocated, and what cannot be read is an error of one sentence.
mod cells;
mod fit;
mod ldtk;
#[cfg(test)]
mod tests;
mod tiled;
mod tilesets;
mod tmj;
mod tmx;
mod write_tmx;

pub use fit::{FittedMap, Mapping, fit_map, guess_mapping};
pub use write_tmx::{TilePicture, write_tmx};

/// How many bytes a file may have.
pub const MOST_BYTES: usize = 16 << 20;

/// How many columns and rows a map of another tool may have. A map here has at most 100; a rhombus takes more columns in Tiled.
const MOST_SIDE: u32 = 200;

/// How many cells a map of another tool may have, in all its layers.
const MOST_CELLS: usize = 1 << 20;

/// How many layers a map of another tool may have.
const MOST_LAYERS: usize = 64;

/// How many kinds of tiles a map of another tool may use.
const MOST_TILES: usize = 500;

/// Reads another file by its path from the folder of the map, such as a tileset.
pub type ReadBeside<'a> = dyn Fn(&str) -> Result<Vec<u8>, String> + 'a;

/// How the cells of a map of another tool touch.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ForeignShape {
    /// Rows of squares.
    Squares,
    /// Rows of hexes, of which every second one lies half a hex to the east.
    Hexes {
        /// Whether the first row, which is the northmost, is one of these.
        first_east: bool,
    },
}

/// A kind of tile that a map of another tool uses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ForeignTile {
    /// What a person is shown; no two tiles of a map have the same.
    pub label: String,
    /// Words that may say what it is, the best first: its sign, its class, its name, its picture.
    pub names: Vec<String>,
    /// How many cells have it.
    pub used: usize,
}

/// A layer of tiles.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ForeignLayer {
    /// Its name.
    pub name: String,
    /// Whether the other tool shows it.
    pub visible: bool,
    /// The tile of each cell, by its number among the map's tiles, row by row from the north-west.
    pub cells: Vec<Option<usize>>,
}

/// A map of another tool.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ForeignMap {
    /// Its name: of a level, or of the file.
    pub name: String,
    /// How its cells touch.
    pub shape: ForeignShape,
    /// How many columns.
    pub columns: u32,
    /// How many rows.
    pub rows: u32,
    /// The tiles that it uses.
    pub tiles: Vec<ForeignTile>,
    /// Its layers, the lowest first.
    pub layers: Vec<ForeignLayer>,
    /// What of the file no picture can say, in sentences.
    pub dropped: Vec<String>,
}

/// Reads the maps of a file by the ending of its name: `.tmx`, `.tmj` or `.json` of Tiled, `.ldtk` or `.csv` of LDtk. A project of LDtk has a map for each level.
///
/// # Errors
/// One sentence: what cannot be read, and what to do.
pub fn read_maps(name: &str, bytes: &[u8], beside: &ReadBeside<'_>) -> Result<Vec<ForeignMap>, String> {
    let text = to_text(bytes)?;
    let (stem, end) = split_name(name);
    match end.to_ascii_lowercase().as_str() {
        "tmx" => tiled::to_map(tilesets::load_sets(tmx::read(text)?, beside), stem).map(|m| vec![m]),
        "tmj" | "json" => tiled::to_map(tilesets::load_sets(tmj::read(text)?, beside), stem).map(|m| vec![m]),
        "ldtk" => ldtk::read_project(text, beside),
        "csv" => ldtk::read_csv(text, stem).map(|m| vec![m]),
        other => Err(format!(
            "files that end in `.{other}` are not maps: choose a .tmx or .tmj file of Tiled, or a .ldtk or .csv file of LDtk"
        )),
    }
}

/// The bytes of a file as a text, if it is one of a size that is read.
fn to_text(bytes: &[u8]) -> Result<&str, String> {
    if bytes.len() > MOST_BYTES {
        return Err(format!("it is larger than {} MB, so it is no map for a table", MOST_BYTES >> 20));
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|_| String::from("it is not a text in UTF-8"))
}

/// A file's name without its folder and ending, and the ending.
fn split_name(path: &str) -> (&str, &str) {
    let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
    file.rsplit_once('.').unwrap_or((file, ""))
}

/// How many, with the word for one or several.
fn count_of(n: usize, one: &str, many: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {many}") }
}

/// Makes the labels of tiles different where two are the same: by what is `unique` of each, in brackets.
///
/// # Errors
/// More kinds of tiles than a person can map to signs.
fn make_labels(tiles: &mut [ForeignTile], unique: &[String]) -> Result<(), String> {
    if tiles.len() > MOST_TILES {
        return Err(format!(
            "it uses {} kinds of tiles, and {MOST_TILES} can be mapped to signs",
            tiles.len()
        ));
    }
    let all: Vec<String> = tiles.iter().map(|t| t.label.clone()).collect();
    for (tile, own) in tiles.iter_mut().zip(unique) {
        if all.iter().filter(|l| **l == tile.label).count() > 1 {
            tile.label = format!("{} ({own})", tile.label);
        }
    }
    Ok(())
}
