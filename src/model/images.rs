//! Images that a look draws: files beside the rules, each an SVG text (a PNG is wrapped in one when it is read). What could take the program's time or memory, or reaches
//! for other files, is refused here, so that whoever draws an image need not look again.
use roxmltree::{Document, Node};
use std::sync::Arc;

/// An image that rules name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Image {
    /// As the rules name it: `cart.svg`.
    pub name: Arc<str>,
    /// Its SVG text.
    pub text: Arc<str>,
}

/// The largest file of an image, in KB.
const LARGEST: usize = 1024;

/// The longest text of an image, in bytes: a PNG as text is longer by a third.
const LONGEST: usize = (LARGEST << 10) / 3 * 4 + 1024;

/// The most elements and attributes of an image.
const MOST_NODES: u32 = 40_000;

/// How deep elements may stand in one another.
const DEEPEST: usize = 64;

/// The most pixels on a side of a PNG.
const WIDEST: u32 = 2048;

/// The most PNGs in one image.
const MOST_IMAGES: usize = 8;

/// The most uses of an element that is drawn several times.
const MOST_USES: usize = 200;

const SVG: &str = "http://www.w3.org/2000/svg";

/// Elements that are drawn, or say nothing.
const DRAWN: [&str; 22] = [
    "svg",
    "g",
    "path",
    "rect",
    "circle",
    "ellipse",
    "line",
    "polyline",
    "polygon",
    "defs",
    "symbol",
    "use",
    "image",
    "linearGradient",
    "radialGradient",
    "stop",
    "clipPath",
    "style",
    "title",
    "desc",
    "metadata",
    "a",
];

/// Whether the shape of a look is an image, by its ending.
pub fn is_image(shape: &str) -> bool {
    [".svg", ".png"].iter().any(|end| shape.len() > end.len() && shape.ends_with(end))
}

/// Looks an image over.
///
/// # Errors
/// Why it is not drawn.
pub fn check_image(text: &str) -> Result<(), String> {
    if text.len() > LONGEST {
        return Err(format!("is larger than {LARGEST} KB"));
    }
    let options = roxmltree::ParsingOptions { nodes_limit: MOST_NODES, ..Default::default() };
    let document = Document::parse_with_options(text, options).map_err(|e| format!("cannot be read: {e}"))?;
    if !document.root_element().has_tag_name((SVG, "svg")) {
        return Err(String::from(
            "is no SVG image: it begins with `<svg xmlns=\"http://www.w3.org/2000/svg\"`",
        ));
    }
    let (mut images, mut uses) = (0, 0);
    // What PNGs inside it are longer as text does not count.
    let mut size = text.len();
    for node in document.descendants().filter(Node::is_element) {
        let name = node.tag_name();
        // What drawing programs note for themselves is not drawn.
        if name.namespace() != Some(SVG) {
            continue;
        }
        if node.ancestors().take(DEEPEST + 1).count() > DEEPEST {
            return Err(format!("has elements that stand more than {DEEPEST} deep in one another"));
        }
        if !DRAWN.contains(&name.name()) {
            return Err(format!("has `<{}>`, which is not drawn: turn it into paths", name.name()));
        }
        match name.name() {
            "image" => {
                images += 1;
                if images > MOST_IMAGES {
                    return Err(format!("has more than {MOST_IMAGES} PNGs in it"));
                }
                size -= check_inner(node)? / 4;
            }
            "use" => {
                uses += 1;
                if uses > MOST_USES {
                    return Err(format!("uses elements again more than {MOST_USES} times"));
                }
                check_use(&document, node)?;
            }
            _ => {}
        }
    }
    if size > (LARGEST << 10) + 1024 {
        return Err(format!("is larger than {LARGEST} KB"));
    }
    Ok(())
}

/// Where an element points; none if it does not, or to two places, of which another program could take the other.
fn target<'a>(node: Node<'a, '_>) -> Option<&'a str> {
    let mut all = node.attributes().filter(|a| a.name() == "href").map(|a| a.value().trim());
    let first = all.next()?;
    all.all(|other| other == first).then_some(first)
}

/// The length of the PNG inside an element, as text.
fn check_inner(node: Node<'_, '_>) -> Result<usize, String> {
    let Some(data) = target(node).and_then(|target| target.strip_prefix(PNG)) else {
        return Err(String::from(
            "has an `<image>` that is no PNG inside the file: other files are not read",
        ));
    };
    let (wide, high) = read_size(data).ok_or("has an `<image>` whose PNG cannot be read")?;
    if wide > WIDEST || high > WIDEST {
        return Err(format!("is {wide} × {high} pixels large; {WIDEST} × {WIDEST} are drawn at most"));
    }
    Ok(data.len())
}

/// Before the bytes of a PNG inside an SVG.
const PNG: &str = "data:image/png;base64,";

/// Width and height of a PNG, out of its first bytes in base64: a signature of 8 bytes, 8 of the first chunk's head, then both numbers.
fn read_size(data: &str) -> Option<(u32, u32)> {
    const HEAD: [u8; 8] = [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n'];
    let digit = |c: u8| match c {
        b'A'..=b'Z' => Some(c - b'A'),
        b'a'..=b'z' => Some(c - b'a' + 26),
        b'0'..=b'9' => Some(c - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let digits = data.bytes().filter(|c| !c.is_ascii_whitespace()).take(32);
    let digits: Vec<u32> = digits.map(|c| digit(c).map(u32::from)).collect::<Option<_>>()?;
    let mut bytes = Vec::with_capacity(24);
    for four in digits.chunks_exact(4) {
        let joined = four.iter().fold(0, |n, d| n << 6 | d);
        bytes.extend([(joined >> 16) as u8, (joined >> 8) as u8, joined as u8]);
    }
    let number = |at: usize| Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    if !bytes.starts_with(&HEAD) { None } else { Some((number(16)?, number(20)?)) }
}

/// What is used again may not use others again: a short text could draw a million elements so.
fn check_use(document: &Document<'_>, node: Node<'_, '_>) -> Result<(), String> {
    let Some(id) = target(node).and_then(|target| target.strip_prefix('#')) else {
        return Err(String::from("has a `<use>` of another file: other files are not read"));
    };
    let meant = document.descendants().find(|n| n.attribute("id") == Some(id));
    let again = |n: Node<'_, '_>| n.descendants().any(|inner| inner.has_tag_name((SVG, "use")));
    match meant {
        Some(meant) if again(meant) => {
            Err(format!("uses `#{id}` again, in which something is used again: draw it in place"))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn svg(inside: &str) -> Result<(), String> {
        check_image(&format!("<svg xmlns=\"{SVG}\" xmlns:i=\"urn:x\" viewBox=\"0 0 9 9\">{inside}</svg>"))
    }

    fn refused(inside: &str) -> String {
        svg(inside).expect_err(inside)
    }

    #[test]
    fn what_programs_draw_is_drawn() {
        let plain = "<defs><g id=\"a\"><circle r=\"2\"/></g></defs><use href=\"#a\"/><i:note/><path d=\"M 0 0 H 4\"/>";
        assert_eq!(svg(plain), Ok(()));
        assert!(is_image("a.svg") && is_image("b/c.png") && !is_image(".svg") && !is_image("cart"));
    }

    #[test]
    fn what_is_hostile_is_refused() {
        assert!(check_image("no image").unwrap_err().starts_with("cannot be read"));
        assert!(check_image("<html/>").unwrap_err().starts_with("is no SVG image"));
        let entities = "<!DOCTYPE s [<!ENTITY a \"b\">]><svg xmlns=\"http://www.w3.org/2000/svg\">&a;</svg>";
        assert!(check_image(entities).unwrap_err().starts_with("cannot be read"));
        assert!(refused("<filter id=\"f\"/>").contains("`<filter>`, which is not drawn"));
        assert!(refused("<image href=\"/etc/passwd\"/>").contains("no PNG inside the file"));
        assert!(refused("<use href=\"other.svg#a\"/>").contains("another file"));
        let two = "<use xmlns:x=\"http://www.w3.org/1999/xlink\" href=\"#a\" x:href=\"other.svg#a\"/>";
        assert!(refused(two).contains("another file"));
        let bomb =
            "<g id=\"a\"><path/></g><g id=\"b\"><use href=\"#a\"/><use href=\"#a\"/></g><use href=\"#b\"/>";
        assert!(refused(bomb).contains("`#b` again"));
        let own = "<g id=\"a\"><use href=\"#a\"/></g>";
        assert!(refused(own).contains("`#a` again"));
        let deep = "<g>".repeat(70) + &"</g>".repeat(70);
        assert!(refused(&deep).contains("64 deep"));
        assert!(refused(&"<g/>".repeat(50_000)).starts_with("cannot be read"));
        let long = |bytes: usize| format!("<path d=\"{}\"/>", " ".repeat(bytes));
        assert!(refused(&long(1 << 21)).contains("larger than 1024 KB"));
        assert!(refused(&long((1 << 20) + 2048)).contains("larger than 1024 KB"));
        assert_eq!(svg(&long(1 << 20)), Ok(()));
    }

    #[test]
    fn a_png_has_its_size_in_front() {
        // 1 × 1 pixels, and the same head with a width of 65536.
        let small = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
        let image = |data: &str| format!("<image href=\"{PNG}{data}\"/>");
        assert_eq!(svg(&image(small)), Ok(()));
        let large = small.replacen("UgAAAAEA", "UgABAAAA", 1);
        assert!(refused(&image(&large)).contains("65536 × 1 pixels"), "{:?}", svg(&image(&large)));
        assert!(refused(&image("R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAA=")).contains("cannot be read"));
    }
}
