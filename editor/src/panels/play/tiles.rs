//! Makes the tiles of a map of the game for the canvas, and the colours of players.
use crate::canvas::{Edge, Tile, Token};
use crate::play::board::{Cell, MapBoard};
use egui::Color32;

/// Colours of players, in their order.
pub fn player_color(n: usize) -> Color32 {
    const ALL: [[u8; 3]; 8] = [
        [38, 139, 210],
        [203, 120, 22],
        [190, 60, 140],
        [60, 150, 60],
        [200, 60, 50],
        [110, 100, 200],
        [120, 120, 120],
        [20, 150, 150],
    ];
    let [r, g, b] = ALL.get(n % ALL.len()).copied().unwrap_or_default();
    Color32::from_rgb(r, g, b)
}

/// A colour of the rules.
pub fn to_color(c: [u8; 3]) -> Color32 {
    Color32::from_rgb(c[0], c[1], c[2])
}

/// A map's places as tiles, row by row from the south-west; gaps are no spaces. Empty where it is no grid.
pub fn make_tiles(map: &MapBoard, players: &[String]) -> Vec<Tile> {
    let (columns, rows) = (map.size.0 as usize, map.size.1 as usize);
    let mut out: Vec<Tile> = (0..columns.saturating_mul(rows).min(1 << 20))
        .map(|i| Tile { at: ((i % columns) as u32, (i / columns) as u32), ..Tile::default() })
        .collect();
    for cell in &map.cells {
        let n = usize::from(cell.at.1) * columns + usize::from(cell.at.0);
        let Some(tile) = out.get_mut(n).filter(|_| usize::from(cell.at.0) < columns) else { continue };
        let mut lines: Vec<&str> = match cell.face.text.is_empty() {
            true => cell.marks.iter().filter(|m| m.player.is_none()).map(|m| m.text.as_str()).collect(),
            false => cell.face.text.iter().map(String::as_str).collect(),
        };
        // A place of a graph is called by its name.
        if !map.ways.is_empty() {
            lines.insert(0, &cell.place);
        }
        *tile = Tile {
            at: tile.at,
            space: true,
            fill: cell.face.fill.map(to_color),
            text: lines.first().map_or(String::new(), |t| String::from(*t)),
            below: lines.get(1..).unwrap_or(&[]).join(" "),
            corner: cell.face.corner.join(" "),
            badge: cell.face.badge.join(" "),
            tokens: make_tokens(players, cell),
            edge: match (cell.held, cell.lit.is_some()) {
                (true, _) => Edge::Chosen,
                (false, true) => Edge::Offered,
                (false, false) => Edge::Plain,
            },
            said: cell.said.clone(),
            ..Tile::default()
        };
    }
    out
}

/// Players and pieces on a space as round signs: a letter or two, and a colour.
fn make_tokens(players: &[String], cell: &Cell) -> Vec<Token> {
    let short = |name: &str| {
        let number: String = name.chars().filter(char::is_ascii_digit).collect();
        let first: String = name.chars().next().into_iter().flat_map(char::to_uppercase).collect();
        if number.is_empty() { first } else { number }
    };
    let player = |p: usize| players.get(p).map_or(String::from("?"), |n| short(n));
    let mut out: Vec<(String, Color32)> =
        cell.standing.iter().map(|p| (player(*p), player_color(*p))).collect();
    let grey = Color32::from_gray(150);
    for m in cell.marks.iter().filter(|m| m.player.is_some()) {
        out.push((short(&m.text), m.player.map_or(grey, player_color)));
    }
    for piece in &cell.pieces {
        if piece.face.title.as_deref() == Some("") {
            continue;
        }
        let color = piece.face.fill.map(to_color).or(piece.owner.map(player_color)).unwrap_or(grey);
        let letter = match (&piece.die, &piece.title) {
            (Some(die), _) => die.chars().take(2).collect(),
            (None, Some(title)) => title.chars().next().into_iter().flat_map(char::to_uppercase).collect(),
            (None, None) => String::from("?"),
        };
        out.push((letter, color));
    }
    for (p, _) in &cell.aims {
        out.push((format!("›{}", player(*p)), player_color(*p).gamma_multiply(0.6)));
    }
    out.into_iter().map(|(text, fill)| Token { text, fill }).collect()
}
