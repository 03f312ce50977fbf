//! Writes a saved match to disk.
use super::store::write_whole;
use houserule_play::Match;
use std::path::Path;

/// Writes a match; the file is either the old one or the whole new one.
pub fn write(m: &mut Match, file: &Path) -> Result<(), String> {
    let text = m.save();
    write_whole(file, text.as_bytes()).map_err(|e| format!("{}: {e}", file.display()))
}
