//! Turns pages into one PDF with the bundled fonts embedded. The same pages always give the same bytes.
use super::fonts::load_fonts;
use super::page::Page;
use super::words::POINT;
use krilla::Document;
use krilla::geom::Size;
use krilla::metadata::Metadata;
use krilla::page::PageSettings;
use krilla_svg::{SurfaceExt, SvgSettings};
use usvg::{Options, Tree};

/// Reads an SVG with the bundled fonts, as all pages are read.
///
/// # Errors
/// Why it cannot be read.
pub fn read_svg(svg: &str) -> Result<Tree, String> {
    read_with(svg, &Options { fontdb: load_fonts(), ..Options::default() })
}

fn read_with(svg: &str, options: &Options<'_>) -> Result<Tree, String> {
    Tree::from_str(svg, options).map_err(|e| e.to_string())
}

/// Writes pages as one PDF.
///
/// # Errors
/// Why a page cannot be written.
pub fn to_pdf(pages: &[Page], title: &str) -> Result<Vec<u8>, String> {
    let options = Options { fontdb: load_fonts(), ..Options::default() };
    let mut document = Document::new();
    for page in pages {
        let tree = read_with(&page.svg, &options).map_err(|e| format!("{}: {e}", page.name))?;
        let (width, height) = ((page.width / POINT) as f32, (page.height / POINT) as f32);
        let no_size = || format!("{}: the page has no size", page.name);
        let settings = PageSettings::from_wh(width, height).ok_or_else(no_size)?;
        let size = Size::from_wh(width, height).ok_or_else(no_size)?;
        let mut sheet = document.start_page_with(settings);
        let mut surface = sheet.surface();
        surface.draw_svg(&tree, size, SvgSettings::default());
        surface.finish();
        sheet.finish();
    }
    document.set_metadata(Metadata::new().title(String::from(title)));
    document.finish().map_err(|e| format!("{e:?}"))
}
