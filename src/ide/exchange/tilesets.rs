//! Reads the tilesets that a map of Tiled keeps in files of their own, in either format. A tileset that cannot be read leaves its tiles without names, and says so.
use super::tiled::{RawMap, RawSet, read_named};
use super::{ReadBeside, split_name, tmj, tmx};

/// Reads the tilesets of a map that stand in other files. What such a file names in its turn is not followed.
pub fn load_sets(mut map: RawMap, beside: &ReadBeside<'_>) -> RawMap {
    for set in &mut map.sets {
        if let Some(source) = set.source.take() {
            let first = set.first;
            *set = load_set(&source, first, beside).unwrap_or_else(|why| leave_unread(first, &source, &why));
        }
    }
    map
}

fn load_set(source: &str, first: u32, beside: &ReadBeside<'_>) -> Result<RawSet, String> {
    let bytes = read_named(source, beside)?;
    let text = super::to_text(&bytes)?;
    match split_name(source).1.to_ascii_lowercase().as_str() {
        "tsj" | "json" => tmj::read_set_file(text, first),
        _ => tmx::read_set_file(text, first),
    }
}

fn leave_unread(first: u32, source: &str, why: &str) -> RawSet {
    let name = split_name(source).0.to_string();
    let unread = format!(
        "The tileset {source} is not read ({why}): its tiles have numbers and no names. Put it beside the map, or embed it in Tiled."
    );
    RawSet { first, name, unread: Some(unread), ..RawSet::default() }
}
