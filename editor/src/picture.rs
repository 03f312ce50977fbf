//! Draws SVG into PNG, with the fonts of the window: the same picture on every machine.
use resvg::{tiny_skia, usvg};

/// Draws an SVG document at its own size.
///
/// # Errors
/// A document that cannot be read, or one too large for a picture.
pub fn to_png(svg: &str) -> Result<Vec<u8>, String> {
    let mut options = usvg::Options::default();
    let fonts = options.fontdb_mut();
    for font in [epaint_default_fonts::UBUNTU_LIGHT, epaint_default_fonts::HACK_REGULAR] {
        fonts.load_font_data(font.to_vec());
    }
    let first = fonts.faces().next().and_then(|f| f.families.first()).map(|(name, _)| name.clone());
    if let Some(name) = first {
        fonts.set_sans_serif_family(name);
    }
    let tree = usvg::Tree::from_str(svg, &options).map_err(|e| e.to_string())?;
    let size = tree.size().to_int_size();
    let mut pixels = tiny_skia::Pixmap::new(size.width(), size.height())
        .ok_or_else(|| String::from("the picture is too large"))?;
    resvg::render(&tree, tiny_skia::Transform::default(), &mut pixels.as_mut());
    pixels.encode_png().map_err(|e| e.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_has_the_size_and_the_letters_of_its_svg() {
        let svg = |text: &str| {
            format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"40\" height=\"20\" font-family=\"sans-serif\"><rect width=\"40\" height=\"20\" fill=\"#ffffff\"/><text x=\"5\" y=\"15\" font-size=\"14\">{text}</text></svg>"
            )
        };
        let png = to_png(&svg("gW")).unwrap();
        let pixels = tiny_skia::Pixmap::decode_png(&png).unwrap();
        assert_eq!((pixels.width(), pixels.height()), (40, 20));
        let dark = |p: &tiny_skia::Pixmap| p.pixels().iter().filter(|c| c.red() < 128).count();
        assert!(dark(&pixels) > 10, "letters are drawn");
        let empty = tiny_skia::Pixmap::decode_png(&to_png(&svg("")).unwrap()).unwrap();
        assert_eq!(dark(&empty), 0);
        assert!(to_png("no picture").is_err());
    }
}
