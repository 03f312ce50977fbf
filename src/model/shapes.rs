//! The shapes that a `look` can draw: their names, their outlines as SVG path data in a square of 100 by 100, and the signs that stand for them in a terminal. The checker refuses
//! other names; the editor fills the outlines.
use kurbo::{BezPath, Shape as _};

/// A shape with a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// What the rules call it.
    pub name: &'static str,
    /// Its outline: SVG path data, filled by the even-odd rule, in a square of 100 by 100 with y downwards.
    pub path: &'static str,
    /// Its sign in a terminal.
    pub sign: char,
    /// Its sign in a terminal that has ASCII only.
    pub ascii: char,
}

const fn shape(name: &'static str, sign: char, ascii: char, path: &'static str) -> Shape {
    Shape { name, path, sign, ascii }
}

/// The side of the square in which outlines are drawn.
pub const SIDE: f64 = 100.0;

/// Path data of the rules may have so many bytes.
const LONGEST: usize = 4000;

/// All shapes, in the order of the book: pieces, chess men, terrain, signs.
pub const SHAPES: [Shape; 46] = [
    shape("disc", '●', 'O', "M50 5A45 45 0 1 1 49.9 5Z"),
    shape("ring", '○', 'o', "M50 5A45 45 0 1 1 49.9 5ZM50 28A22 22 0 1 0 50.1 28Z"),
    shape("point", '•', '.', "M50 34A16 16 0 1 1 49.9 34Z"),
    shape("square", '■', '#', "M10 10H90V90H10Z"),
    shape("cube", '◼', '#', "M50 6L90 27V73L50 94L10 73V27ZM14 28L50 47L86 28L87 31L52 50V90H48V50L13 31Z"),
    shape("hex", '⬢', 'H', "M50 4L90 27V73L50 96L10 73V27Z"),
    shape("triangle", '▲', '^', "M50 8L94 88H6Z"),
    shape("diamond", '◆', 'v', "M50 4L86 50L50 96L14 50Z"),
    shape(
        "card",
        '▮',
        '|',
        "M26 6H74A6 6 0 0 1 80 12V88A6 6 0 0 1 74 94H26A6 6 0 0 1 20 88V12A6 6 0 0 1 26 6Z",
    ),
    shape(
        "coin",
        '◎',
        'c',
        "M50 5A45 45 0 1 1 49.9 5ZM50 15A35 35 0 1 0 50.1 15ZM50 20A30 30 0 1 1 49.9 20Z",
    ),
    shape(
        "meeple",
        '☗',
        'm',
        "M50 6A15 15 0 0 1 62 30C78 34 94 40 94 50C94 57 84 58 72 56C74 66 80 78 84 92H58L50 74L42 92H16C20 78 26 66 28 56C16 58 6 57 6 50C6 40 22 34 38 30A15 15 0 0 1 50 6Z",
    ),
    shape("person", '☻', 'i', "M50 8A18 18 0 1 1 49.9 8ZM12 92C12 64 30 50 50 50C70 50 88 64 88 92Z"),
    shape(
        "pawn",
        '♟',
        'p',
        "M50 10A17 17 0 0 1 61 40C60 55 66 66 76 74H24C34 66 40 55 39 40A17 17 0 0 1 50 10ZM18 79H82V92H18Z",
    ),
    shape(
        "knight",
        '♞',
        'n',
        "M32 77C32 60 50 56 53 43C46 49 38 50 32 55C26 61 14 58 14 49C18 39 26 33 30 23C32 17 38 14 44 12L46 4L54 12C76 18 85 44 80 77ZM41 24A3.5 3.5 0 1 0 41.1 24ZM18 81H84V93H18Z",
    ),
    shape(
        "bishop",
        '♝',
        'b',
        "M50 3A7 7 0 0 1 55 15C70 25 74 41 66 56H34C26 41 30 25 45 15A7 7 0 0 1 50 3ZM57 27L47 42L50 45L61 30ZM36 60H64L70 77H30ZM18 81H82V93H18Z",
    ),
    shape(
        "rook",
        '♜',
        'r',
        "M20 10H34V21H43V10H57V21H66V10H80V33L70 41V67L78 77H22L30 67V41L20 33ZM16 81H84V93H16Z",
    ),
    shape(
        "queen",
        '♛',
        'q',
        "M12 20L30 47L33 11L46 45L50 6L54 45L67 11L70 47L88 20L77 65H23ZM25 69H75L80 78H20ZM16 82H84V93H16Z",
    ),
    shape(
        "king",
        '♚',
        'k',
        "M46 2H54V9H61V17H54V26C76 22 92 36 84 52C80 60 74 64 72 68H28C26 64 20 60 16 52C8 36 24 22 46 26V17H39V9H46ZM26 71H74L79 79H21ZM16 82H84V93H16Z",
    ),
    shape("tree", '♣', 'T', "M50 4L74 36H63L82 62H66L90 84H56V96H44V84H10L34 62H18L37 36H26Z"),
    shape(
        "grass",
        '"',
        '"',
        "M20 92C18 60 10 44 6 34C20 44 28 62 30 92ZM40 92C38 54 46 28 54 12C56 36 54 62 52 92ZM66 92C68 62 80 44 94 36C86 52 78 66 76 92Z",
    ),
    shape("rock", '▟', '#', "M6 84L18 48L40 24L64 32L88 58L95 84ZM40 38L36 42L47 62L51 60Z"),
    shape("mountain", '▲', 'A', "M3 88L36 22L53 52L64 34L97 88ZM36 34L28 51L36 47L44 51Z"),
    shape(
        "water",
        '≈',
        '~',
        "M4 34C16 22 28 22 40 34C52 46 64 46 76 34C84 26 90 25 96 28V39C90 36 84 37 76 45C64 57 52 57 40 45C28 33 16 33 4 45ZM4 62C16 50 28 50 40 62C52 74 64 74 76 62C84 54 90 53 96 56V67C90 64 84 65 76 73C64 85 52 85 40 73C28 61 16 61 4 73Z",
    ),
    shape(
        "sand",
        '∴',
        ':',
        "M20 30A6 6 0 1 1 19.9 30ZM54 20A6 6 0 1 1 53.9 20ZM82 36A6 6 0 1 1 81.9 36ZM38 48A6 6 0 1 1 37.9 48ZM66 56A6 6 0 1 1 65.9 56ZM22 70A6 6 0 1 1 21.9 70ZM52 76A6 6 0 1 1 51.9 76ZM84 72A6 6 0 1 1 83.9 72Z",
    ),
    shape("house", '⌂', 'h', "M50 8L94 48H80V92H58V64H42V92H20V48H6Z"),
    shape(
        "boat",
        '⛴',
        'u',
        "M6 64H94C90 80 80 91 68 91H32C20 91 10 80 6 64ZM46 8H52V58H46ZM56 14C72 24 80 40 82 57H56ZM42 22V57H18C22 42 30 30 42 22Z",
    ),
    shape(
        "flame",
        '♨',
        '*',
        "M52 4C58 26 84 40 84 66C84 84 68 96 50 96C32 96 16 84 16 66C16 50 28 42 32 28C38 36 40 42 40 50C52 40 54 22 52 4ZM50 90C61 90 66 83 66 75C66 66 56 60 52 50C48 60 34 64 34 75C34 83 40 90 50 90Z",
    ),
    shape(
        "fog",
        '░',
        '%',
        "M26 68C10 68 4 56 8 46C10 38 18 34 26 35C28 20 40 12 52 14C64 16 70 24 72 34C86 32 96 42 94 54C92 64 84 68 76 68ZM14 76H70V82H14ZM32 88H88V94H32Z",
    ),
    shape(
        "sun",
        '☼',
        '*',
        "M50 28A22 22 0 1 1 49.9 28ZM46 4H54V20H46ZM46 80H54V96H46ZM4 46H20V54H4ZM80 46H96V54H80ZM15 20L20 15L32 27L27 32ZM68 73L73 68L85 80L80 85ZM80 15L85 20L73 32L68 27ZM27 68L32 73L20 85L15 80Z",
    ),
    shape("moon", '☾', '(', "M60 6A46 46 0 1 0 93 66A38 38 0 1 1 60 6Z"),
    shape("drop", '◊', 'w', "M50 4C62 26 82 44 82 64C82 82 68 94 50 94C32 94 18 82 18 64C18 44 38 26 50 4Z"),
    shape("star", '★', '*', "M50 4L61.2 38.2H97L68 59.4L79 94L50 72.8L21 94L32 59.4L3 38.2H38.8Z"),
    shape("heart", '♥', 'v', "M50 92C10 60 4 42 8 26C13 8 38 6 50 28C62 6 87 8 92 26C96 42 90 60 50 92Z"),
    shape(
        "spade",
        '♠',
        's',
        "M50 4C54 22 92 38 92 60C92 76 72 82 56 68C57 80 62 88 70 94H30C38 88 43 80 44 68C28 82 8 76 8 60C8 38 46 22 50 4Z",
    ),
    shape(
        "club",
        '♣',
        'c',
        "M50 4A21 21 0 0 1 64 41A21 21 0 1 1 56 72C57 82 62 89 70 94H30C38 89 43 82 44 72A21 21 0 1 1 36 41A21 21 0 0 1 50 4Z",
    ),
    shape("cross", '✕', 'x', "M20 6L50 36L80 6L94 20L64 50L94 80L80 94L50 64L20 94L6 80L36 50L6 20Z"),
    shape("plus", '✚', '+', "M38 8H62V38H92V62H62V92H38V62H8V38H38Z"),
    shape("arrow", '↑', '^', "M50 6L88 48H64V94H36V48H12Z"),
    shape("bolt", '↯', 'z', "M58 4L20 56H45L36 96L80 40H53Z"),
    shape("flag", '⚑', 'F', "M18 6H26V94H18ZM30 10H88L73 28L88 46H30Z"),
    shape("sword", '†', 't', "M50 4L58 15V60H74V70H58V94H42V70H26V60H42V15Z"),
    shape("shield", '◘', 'U', "M50 5L88 16C90 50 80 80 50 96C20 80 10 50 12 16Z"),
    shape(
        "skull",
        '☠',
        '@',
        "M50 8C24 8 10 26 10 46C10 60 18 68 28 72V90H72V72C82 68 90 60 90 46C90 26 76 8 50 8ZM34 40A9 9 0 1 0 34.1 40ZM66 40A9 9 0 1 0 66.1 40ZM50 58L43 70H57Z",
    ),
    shape(
        "paw",
        '⁂',
        '&',
        "M50 46C64 46 80 62 80 76C80 88 68 90 50 84C32 90 20 88 20 76C20 62 36 46 50 46ZM16 36A9 12 0 1 1 15.9 36ZM38 12A10 13 0 1 1 37.9 12ZM62 12A10 13 0 1 1 61.9 12ZM84 36A9 12 0 1 1 83.9 36Z",
    ),
    shape(
        "gear",
        '⚙',
        '*',
        "M43 4H57L60 17L70 21L81 14L91 24L84 35L88 45L97 47V57L86 60L82 70L89 81L79 91L68 84L58 88L55 97H45L42 88L32 84L21 91L11 81L18 70L14 60L3 57V47L14 43L18 33L11 22L21 12L32 19L41 15ZM50 34A16 16 0 1 0 50.1 34Z",
    ),
    shape(
        "key",
        '⚷',
        '?',
        "M30 8A22 22 0 0 1 42 48L48 58V66H56V74H64V82L60 92H48L24 50A22 22 0 0 1 30 8ZM28 20A8 8 0 1 0 28.1 20Z",
    ),
];

/// The shape of what has none of its own.
pub const PLAIN_SHAPE: &str = "disc";

/// A shape by its name.
pub fn find_shape(name: &str) -> Option<&'static Shape> {
    SHAPES.iter().find(|s| s.name == name)
}

/// Whether a text is meant as path data: it begins with the command `M` and a number.
pub fn is_path(text: &str) -> bool {
    let rest = text.trim_start().strip_prefix(['M', 'm']);
    rest.is_some_and(|r| r.trim_start().starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '.')))
}

/// Reads path data of the rules.
///
/// # Errors
/// What is wrong with it, as the end of a sentence that begins with `the path`.
pub fn read_path(data: &str) -> Result<BezPath, String> {
    if data.len() > LONGEST {
        return Err(format!("has more than {LONGEST} characters"));
    }
    let path = BezPath::from_svg(data).map_err(|_| String::from("cannot be read"))?;
    let bounds = path.bounding_box();
    let inside = |x: f64| (-1.0..=SIDE + 1.0).contains(&x);
    if ![bounds.x0, bounds.y0, bounds.x1, bounds.y1].into_iter().all(inside) {
        return Err(String::from("leaves the square from 0 to 100"));
    }
    if bounds.area() < 1.0 {
        return Err(String::from("encloses nothing"));
    }
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_shapes_can_be_read_and_have_a_name_of_their_own() {
        for (i, s) in SHAPES.iter().enumerate() {
            assert!(read_path(s.path).is_ok(), "{}: {:?}", s.name, read_path(s.path));
            assert!(SHAPES[i + 1..].iter().all(|t| t.name != s.name), "{} is there twice", s.name);
            assert!(s.ascii.is_ascii_graphic(), "{}", s.name);
            assert!(is_path(s.path), "{}", s.name);
        }
    }

    #[test]
    fn paths_that_cannot_be_drawn_are_refused() {
        let why = |data: &str| read_path(data).expect_err(data);
        assert_eq!(why("M 0 0 L 10"), "cannot be read");
        assert_eq!(why("M 0 0 L 200 0 L 0 100 Z"), "leaves the square from 0 to 100");
        assert_eq!(why("M 0 0 L 1e30 0 L 0 1e30 Z"), "leaves the square from 0 to 100");
        assert_eq!(why("M 10 10 L 90 10"), "encloses nothing");
        assert!(why(&"M 0 0 L 9 9 ".repeat(400)).contains("more than 4000"));
        assert!(!is_path("Mountain") && !is_path("meeple") && is_path(" m 1 2 l 3 4"));
    }
}
