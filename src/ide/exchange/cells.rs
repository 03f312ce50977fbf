//! Decodes the cells of a layer of Tiled: CSV, or base64, which may be packed by zlib or gzip. A cell is 32 bits: the number of a tile and four bits for flips and turns.
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use miniz_oxide::inflate::{decompress_to_vec_with_limit, decompress_to_vec_zlib_with_limit};

/// What to choose in Tiled if a layer's format cannot be read.
const NEXT: &str = "in Tiled, choose Map > Map Properties > Tile Layer Format: CSV, and save again";

/// Decodes exactly so many cells.
///
/// # Errors
/// An encoding that is not known, data that is damaged, or another number of cells.
pub fn decode(text: &str, encoding: &str, compression: &str, cells: usize) -> Result<Vec<u32>, String> {
    match encoding {
        "csv" => read_csv(text, cells),
        "base64" => {
            let most = cells * 4;
            // Base64 writes four letters for three bytes. Compressed data is hardly larger than its input.
            if text.len() > (most + 1024) * 2 {
                return Err(wrong_number(cells));
            }
            let letters: String = text.split_whitespace().collect();
            let bytes = STANDARD.decode(letters).map_err(|_| String::from("its base64 data is damaged"))?;
            let bytes = match compression {
                "" => bytes,
                "zlib" => decompress_to_vec_zlib_with_limit(&bytes, most).map_err(|_| damaged("zlib"))?,
                "gzip" => {
                    let packed = skip_gzip_head(&bytes).ok_or_else(|| damaged("gzip"))?;
                    decompress_to_vec_with_limit(packed, most).map_err(|_| damaged("gzip"))?
                }
                other => return Err(format!("its data is packed by {other}, which cannot be read: {NEXT}")),
            };
            if bytes.len() != most {
                return Err(wrong_number(cells));
            }
            let cell = |b: &[u8]| b.iter().rev().fold(0u32, |n, b| n << 8 | u32::from(*b));
            Ok(bytes.chunks_exact(4).map(cell).collect())
        }
        other => Err(format!("its data is encoded as `{other}`, which is not known: {NEXT}")),
    }
}

fn read_csv(text: &str, cells: usize) -> Result<Vec<u32>, String> {
    let mut out = Vec::with_capacity(cells);
    for word in text.split(',').map(str::trim).filter(|w| !w.is_empty()) {
        let gid = word.parse().map_err(|_| format!("`{}` is no number of a tile", shorten(word)))?;
        if out.len() == cells {
            return Err(wrong_number(cells));
        }
        out.push(gid);
    }
    check_number(out, cells)
}

/// Refuses another number of cells than the map has.
pub fn check_number(gids: Vec<u32>, cells: usize) -> Result<Vec<u32>, String> {
    if gids.len() == cells { Ok(gids) } else { Err(wrong_number(cells)) }
}

fn wrong_number(cells: usize) -> String {
    format!("its data is not {cells} cells, as the size says: the file may be cut off, so export it again")
}

fn damaged(packing: &str) -> String {
    format!("its data cannot be unpacked by {packing}, or is larger than the map: {NEXT}")
}

/// The beginning of a word that came from a file.
fn shorten(word: &str) -> String {
    word.chars().take(20).collect()
}

/// What stands behind the head of a gzip file: ten bytes, then parts that the flags announce.
fn skip_gzip_head(bytes: &[u8]) -> Option<&[u8]> {
    let (head, mut rest) = bytes.split_at_checked(10)?;
    let [0x1f, 0x8b, 8, flags, ..] = head else { return None };
    let past_text = |rest: &[u8]| rest.iter().position(|b| *b == 0).map(|n| n + 1);
    if flags & 4 != 0 {
        let [low, high, ..] = rest else { return None };
        rest = rest.get(2 + usize::from(*low) + (usize::from(*high) << 8)..)?;
    }
    // The file's name, then a remark.
    for flag in [8, 16] {
        if flags & flag != 0 {
            rest = rest.get(past_text(rest)?..)?;
        }
    }
    if flags & 2 != 0 {
        rest = rest.get(2..)?;
    }
    Some(rest)
}
