//! Writes a drawn map as TMX for Tiled 1.10 and later: one layer in CSV, and a tileset with one tile for each sign. A tile has the sign as a property and what it means as its
//! class, so that importing the file again gives the same signs.
use crate::draw::{Board, Entry, Spot, Topology};
use std::fmt::Write as _;

/// The picture of the tiles, which stands in a file beside the map.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TilePicture {
    /// Its name.
    pub file: String,
    /// How wide a tile is, in pixels.
    pub wide: u32,
    /// How high a tile is, in pixels.
    pub high: u32,
}

impl TilePicture {
    /// The picture of a board's tiles, with the size that they have: hexes are somewhat higher than wide.
    pub fn from_board(board: &Board, file: &str) -> TilePicture {
        let (wide, high) = if board.lattice.is_hexes() { (56, 64) } else { (48, 48) };
        TilePicture { file: file.to_string(), wide, high }
    }

    /// The signs of a board that have a tile, in the order of their tiles: they stand side by side in the picture.
    pub fn signs(board: &Board) -> Vec<&Entry> {
        board.palette.iter().filter(|e| e.space).collect()
    }
}

/// Writes a board.
pub fn write_tmx(board: &Board, picture: &TilePicture) -> String {
    let l = board.lattice;
    let signs = TilePicture::signs(board);
    let (wide, high) = (picture.wide, picture.high);
    let rhombus = l.topology == (Topology::Hexes { rhombus: true });
    // In a rhombus each row begins half a hex further; in Tiled only every second one does.
    let shift = |row: u32| if rhombus { row / 2 } else { 0 };
    let columns = l.columns + shift(l.rows.saturating_sub(1));
    let orientation = match l.is_hexes() {
        // Rows are counted from the north there, and from the south here.
        true => {
            let index = if l.rows.is_multiple_of(2) { "even" } else { "odd" };
            format!(
                "orientation=\"hexagonal\" renderorder=\"right-down\" hexsidelength=\"{}\" staggeraxis=\"y\" staggerindex=\"{index}\"",
                high / 2
            )
        }
        false => String::from("orientation=\"orthogonal\" renderorder=\"right-down\""),
    };
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(
        out,
        "<map version=\"1.10\" tiledversion=\"1.11.0\" {orientation} width=\"{columns}\" height=\"{}\" tilewidth=\"{wide}\" tileheight=\"{high}\" infinite=\"0\" nextlayerid=\"2\" nextobjectid=\"1\">",
        l.rows
    );
    let (name, n) = (escape(&board.name), signs.len());
    let _ = writeln!(
        out,
        " <tileset firstgid=\"1\" name=\"{name}\" tilewidth=\"{wide}\" tileheight=\"{high}\" tilecount=\"{n}\" columns=\"{n}\">"
    );
    let _ = writeln!(
        out,
        "  <image source=\"{}\" width=\"{}\" height=\"{high}\"/>",
        escape(&picture.file),
        wide * n as u32
    );
    for (id, e) in signs.iter().enumerate() {
        let says = e.meaning.says.as_str();
        let alone = !says.is_empty() && signs.iter().filter(|o| o.meaning.says == says).count() == 1;
        let class = escape(if alone { says } else { &e.sign });
        let _ = writeln!(out, "  <tile id=\"{id}\" type=\"{class}\">\n   <properties>");
        if let Some(title) = &e.title {
            let _ = writeln!(out, "    <property name=\"name\" value=\"{}\"/>", escape(title));
        }
        let _ = writeln!(out, "    <property name=\"sign\" value=\"{}\"/>", escape(&e.sign));
        out.push_str("   </properties>\n  </tile>\n");
    }
    let _ = writeln!(
        out,
        " </tileset>\n <layer id=\"1\" name=\"{name}\" width=\"{columns}\" height=\"{}\">\n  <data encoding=\"csv\">",
        l.rows
    );
    for row in (0..l.rows).rev() {
        let gid = |column: u32| {
            let sign = column.checked_sub(shift(row)).and_then(|c| board.sign_at(Spot::new(c, row)));
            let tile = sign.and_then(|s| signs.iter().position(|e| *e.sign == *s));
            tile.map_or(0, |n| n + 1).to_string()
        };
        out.push_str(&(0..columns).map(gid).collect::<Vec<_>>().join(","));
        out.push_str(if row == 0 { "\n" } else { ",\n" });
    }
    out.push_str("</data>\n </layer>\n</map>\n");
    out
}

/// A text as the value of an attribute.
fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // XML has no other signs for control.
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
