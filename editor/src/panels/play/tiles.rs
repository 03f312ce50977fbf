//! Makes the tiles of a map of the game for the canvas, and the colours of players.
use crate::canvas::{Edge, Tile, Token};
use crate::play::board::{Board, Cell, MapBoard};
use egui::Color32;

/// The colour of each player: the `fill` of the player's look, or a default colour.
pub fn player_colors(board: &Board) -> Vec<Color32> {
    board
        .players
        .iter()
        .enumerate()
        .map(|(i, p)| p.face.fill.map_or_else(|| own_color(i), to_color))
        .collect()
}

fn color_of(colors: &[Color32], player: usize) -> Color32 {
    colors.get(player).copied().unwrap_or_else(|| own_color(player))
}

/// The default colour of a player whose look has no `fill`.
fn own_color(n: usize) -> Color32 {
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
pub fn make_tiles(map: &MapBoard, players: &[String], colors: &[Color32]) -> Vec<Tile> {
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
        let mut tokens = make_tokens(players, colors, cell);
        // A space with an owner and only a short text shows a piece of that owner.
        if let (Some(owner), [sign], true) = (cell.owner, lines.as_slice(), tokens.is_empty())
            && (1..=2).contains(&sign.trim().chars().count())
        {
            tokens.push(Token { text: String::from(*sign), fill: color_of(colors, owner), ring: None });
            lines.clear();
        }
        *tile = Tile {
            at: tile.at,
            space: true,
            fill: cell.face.fill.map(to_color),
            text: lines.first().map_or(String::new(), |t| String::from(*t)),
            below: lines.get(1..).unwrap_or(&[]).join(" "),
            corner: cell.face.corner.join(" "),
            badge: cell.face.badge.join(" "),
            tokens,
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

/// Players and pieces on a space as round signs: a letter or two, a colour, and a ring in the colour of its owner.
fn make_tokens(players: &[String], colors: &[Color32], cell: &Cell) -> Vec<Token> {
    let short = |name: &str| {
        let number: String = name.chars().filter(char::is_ascii_digit).collect();
        let first: String = name.chars().next().into_iter().flat_map(char::to_uppercase).collect();
        if number.is_empty() { first } else { number }
    };
    let player = |p: usize| players.get(p).map_or(String::from("?"), |n| short(n));
    let color_of = |p: usize| color_of(colors, p);
    let token = |text, fill| Token { text, fill, ring: None };
    let mut out: Vec<Token> = cell.standing.iter().map(|p| token(player(*p), color_of(*p))).collect();
    let grey = Color32::from_gray(150);
    for m in cell.marks.iter().filter(|m| m.player.is_some()) {
        out.push(token(short(&m.text), m.player.map_or(grey, color_of)));
    }
    for piece in &cell.pieces {
        if piece.face.title.as_deref() == Some("") {
            continue;
        }
        let owner = piece.owner.map(color_of);
        let own = piece.face.fill.map(to_color);
        let letter = match (&piece.die, &piece.title) {
            (Some(die), _) => die.sign.chars().take(2).collect(),
            (None, Some(title)) => title.chars().next().into_iter().flat_map(char::to_uppercase).collect(),
            (None, None) => String::from("?"),
        };
        let ring = owner.filter(|o| own.is_some_and(|fill| fill != *o));
        out.push(Token { text: letter, fill: own.or(owner).unwrap_or(grey), ring });
    }
    for (p, _) in &cell.aims {
        out.push(token(format!("›{}", player(*p)), color_of(*p).gamma_multiply(0.6)));
    }
    out
}
