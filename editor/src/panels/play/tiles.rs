//! Makes the tiles of a map of the game for the canvas, and the colours of players.
use crate::canvas::{Edge, Figure, Signs, Tile, Token, is_sign, outline_of};
use crate::play::board::{Board, Cell, MapBoard};
use crate::style::contrast_color;
use egui::Color32;
use houserule::model::LookParts;

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

/// How players are drawn on maps.
pub struct Players<'a> {
    /// Their names.
    pub names: &'a [String],
    /// Their colours.
    pub colors: &'a [Color32],
    /// Their looks.
    pub faces: Vec<&'a LookParts>,
}

/// The shape of a look in a colour.
pub fn make_figure(face: &LookParts, fill: Color32) -> Option<Figure> {
    Some(Figure { outline: outline_of(face)?, fill, edge: face.edge.map(to_color), turn: face.turn })
}

/// A shape that is drawn on the ground of a space: in the `edge` colour of its look, or a little darker or lighter than the ground.
fn make_ground(face: &LookParts) -> Option<Figure> {
    let color = match face.edge.map(to_color) {
        Some(color) => color,
        None => match face.fill.map(to_color) {
            Some(fill) => fill.lerp_to_gamma(contrast_color(fill), 0.3),
            None => Color32::from_gray(128),
        },
    };
    Some(Figure {
        outline: outline_of(face)?,
        fill: color,
        edge: Some(Color32::TRANSPARENT),
        turn: face.turn,
    })
}

/// A map's places as tiles, row by row from the south-west; gaps are no spaces. Empty where it is no grid.
pub fn make_tiles(map: &MapBoard, players: &Players<'_>, signs: &Signs) -> Vec<Tile> {
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
        let mut tokens = make_tokens(players, cell);
        let mut ground = None;
        if cell.face.shape.is_some() {
            // A shape stands in the place of a sign; a number it cannot say.
            let is_number = |text: &str| text.trim().parse::<i64>().is_ok();
            if lines.first().is_some_and(|text| is_sign(text) && !is_number(text)) {
                lines.remove(0);
            }
            // The shape is a piece if the space has an owner.
            match cell.owner.map(|owner| color_of(players.colors, owner)) {
                Some(fill) => {
                    let figure = make_figure(&cell.face, fill);
                    tokens.insert(0, Token { text: String::new(), fill, ring: None, figure });
                }
                None => ground = make_ground(&cell.face),
            }
        }
        // A space with an owner and only a sign shows a piece of that owner.
        if let (Some(owner), [sign], true) = (cell.owner, lines.as_slice(), tokens.is_empty())
            && is_sign(sign)
        {
            let fill = color_of(players.colors, owner);
            tokens.push(Token { text: String::from(*sign), fill, ring: None, figure: None });
            lines.clear();
        }
        *tile = Tile {
            at: tile.at,
            space: true,
            fill: cell.face.fill.map(to_color),
            figure: ground,
            text: lines.first().map_or(String::new(), |t| String::from(*t)),
            below: lines.get(1..).unwrap_or(&[]).join(" "),
            corner: match (map.folded, cell.face.corner.is_empty()) {
                // No column stands below that would say where it is.
                (true, true) => cell.place.clone(),
                _ => cell.face.corner.join(" "),
            },
            badge: cell.face.badge.join(" "),
            tokens,
            edge: match (cell.held, cell.lit.is_some()) {
                (true, _) => Edge::Chosen,
                (false, true) => Edge::Offered,
                (false, false) => Edge::Plain,
            },
            signs: signs.clone(),
            said: cell.said.clone(),
            ..Tile::default()
        };
    }
    out
}

/// Players and pieces on a space as signs: a shape or a circle, a letter or two, a colour, and a ring in the colour of its owner.
fn make_tokens(players: &Players<'_>, cell: &Cell) -> Vec<Token> {
    let short = |name: &str| {
        let number: String = name.chars().filter(char::is_ascii_digit).collect();
        let first: String = name.chars().next().into_iter().flat_map(char::to_uppercase).collect();
        if number.is_empty() { first } else { number }
    };
    let player = |p: usize| players.names.get(p).map_or(String::from("?"), |n| short(n));
    let color_of = |p: usize| color_of(players.colors, p);
    let token = |text, fill| Token { text, fill, ring: None, figure: None };
    let standing = |p: usize| {
        let figure = players.faces.get(p).and_then(|face| make_figure(face, color_of(p)));
        Token { figure, ..token(player(p), color_of(p)) }
    };
    let mut out: Vec<Token> = cell.standing.iter().map(|p| standing(*p)).collect();
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
        let fill = own.or(owner).unwrap_or(grey);
        let figure = make_figure(&piece.face, fill);
        // An image has no colour of its owner's.
        let is_image = figure.as_ref().is_some_and(|f| f.outline.is_image());
        let ring = owner.filter(|o| is_image || own.is_some_and(|fill| fill != *o));
        // A shape says what it is, unless the look has a title for it.
        let text =
            if figure.is_some() && piece.die.is_none() && piece.face.title.is_none() && piece.title.is_some()
            {
                String::new()
            } else {
                letter
            };
        out.push(Token { text, fill, ring, figure });
    }
    for (p, _) in &cell.aims {
        out.push(token(format!("›{}", player(*p)), color_of(*p).gamma_multiply(0.6)));
    }
    out
}
