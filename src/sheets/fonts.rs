//! The bundled fonts: which of them has a character, and how wide the character is. Texts are measured and embedded with these fonts, so every machine makes the same pages.
use std::sync::{Arc, OnceLock};
use ttf_parser::Face;
use usvg::fontdb::Database;

/// The fonts in the order in which a character is looked for: the name by which an SVG selects each, and its bytes.
const FONTS: [(&str, &[u8]); 4] = [
    ("Ubuntu", epaint_default_fonts::UBUNTU_LIGHT),
    ("Hack", epaint_default_fonts::HACK_REGULAR),
    ("Noto Emoji", epaint_default_fonts::NOTO_EMOJI_REGULAR),
    ("emoji", epaint_default_fonts::EMOJI_ICON),
];

/// What is printed for a character that no font has.
pub(crate) const UNKNOWN: char = '\u{fffd}';

/// The width of a character that not even the first font has a sign for, in parts of the size.
const UNKNOWN_WIDTH: f64 = 0.6;

/// A character in a font.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Glyph {
    /// What is printed.
    pub char: char,
    /// The number of the font.
    pub font: usize,
    /// How wide it is, in parts of the size of the text.
    pub width: f64,
}

fn faces() -> &'static [Option<Face<'static>>] {
    static FACES: OnceLock<Vec<Option<Face<'static>>>> = OnceLock::new();
    FACES.get_or_init(|| FONTS.iter().map(|(_, data)| Face::parse(data, 0).ok()).collect())
}

/// Whether a character changes the one before it and is drawn by no font: emoji ask for colours so.
fn is_selector(c: char) -> bool {
    matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
}

/// The name of a font in SVG.
pub(crate) fn font_family(font: usize) -> &'static str {
    FONTS.get(font).map_or("Ubuntu", |(name, _)| name)
}

/// The character in the first font that has it; none if no font has it, or if it is not drawn at all.
pub(crate) fn find_glyph(c: char) -> Option<Glyph> {
    faces().iter().enumerate().find_map(|(font, face)| {
        let face = face.as_ref()?;
        let advance = face.glyph_hor_advance(face.glyph_index(c)?)?;
        Some(Glyph { char: c, font, width: f64::from(advance) / f64::from(face.units_per_em().max(1)) })
    })
}

/// The characters of a text in fonts. `missing` takes those that no font has; a sign stands in their place.
pub(crate) fn find_glyphs(text: &str, mut missing: impl FnMut(char)) -> Vec<Glyph> {
    let mut out = Vec::new();
    for c in text.chars().filter(|c| !is_selector(*c)) {
        let c = if c.is_whitespace() || c.is_control() { ' ' } else { c };
        out.push(find_glyph(c).unwrap_or_else(|| {
            missing(c);
            find_glyph(UNKNOWN).unwrap_or(Glyph { char: UNKNOWN, font: 0, width: UNKNOWN_WIDTH })
        }));
    }
    out
}

/// A database with the bundled fonts and no others. It is made once.
pub(crate) fn load_fonts() -> Arc<Database> {
    static ALL: OnceLock<Arc<Database>> = OnceLock::new();
    let load = || {
        let mut out = Database::new();
        for (_, data) in FONTS {
            out.load_font_data(data.to_vec());
        }
        out.set_sans_serif_family(font_family(0));
        Arc::new(out)
    };
    ALL.get_or_init(load).clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_font_is_found_by_its_name() {
        let all = load_fonts();
        for (name, _) in FONTS {
            let found = all.faces().filter(|f| f.families.iter().any(|(family, _)| family == name)).count();
            assert_eq!(found, 1, "{name}: {:?}", all.faces().map(|f| &f.families).collect::<Vec<_>>());
        }
    }

    #[test]
    fn characters_are_found_in_the_first_font_that_has_them() {
        let font = |c: char| find_glyph(c).map(|g| font_family(g.font));
        assert_eq!(font('a'), Some("Ubuntu"));
        assert_eq!(font('▙'), Some("Hack"));
        assert_eq!(font('🎲'), Some("Noto Emoji"));
        assert_eq!(font('字'), None);
        let mut missing = Vec::new();
        let all = find_glyphs("a字\u{fe0f}b", |c| missing.push(c));
        assert_eq!((all.len(), missing), (3, vec!['字']));
        assert!(find_glyph('W').unwrap().width > find_glyph('i').unwrap().width * 2.0);
    }
}
