//! Colours: red, green and blue of 0 to 255, and which of them can be read on which.

/// Red, green, blue.
pub(crate) type Color = [u8; 3];

/// The ground of a card without a colour of its own.
pub(crate) const PAPER: Color = [250, 247, 240];
/// What is printed on paper.
pub(crate) const INK: Color = [34, 31, 28];
/// The band of a card without a colour of its own.
pub(crate) const BAND: Color = [214, 203, 180];
/// Lines around what has no edge of its own.
pub(crate) const LINE: Color = [130, 130, 130];
/// A thing without a colour.
pub(crate) const GREY: Color = [200, 200, 200];
/// White.
pub(crate) const WHITE: Color = [255, 255, 255];

/// The colours of players to whom the rules give none.
const PLAYERS: [Color; 8] = [
    [38, 139, 210],
    [203, 120, 22],
    [190, 60, 140],
    [60, 150, 60],
    [200, 60, 50],
    [110, 100, 200],
    [120, 120, 120],
    [20, 150, 150],
];

/// The colour of a player to whom the rules give none.
pub(crate) fn player_color(player: usize) -> Color {
    PLAYERS.get(player % PLAYERS.len()).copied().unwrap_or(GREY)
}

/// How much light a colour gives, from 0 to 1.
pub(crate) fn luminance(color: Color) -> f64 {
    let [r, g, b] = color.map(|c| {
        let c = f64::from(c) / 255.0;
        if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    });
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

/// How well two colours are told apart, from 1 to 21.
pub(crate) fn contrast(a: Color, b: Color) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// Almost black or almost white, whichever is read more easily on a ground.
pub(crate) fn ink_on(ground: Color) -> Color {
    if luminance(ground) > 0.179 { [10, 10, 10] } else { [250, 250, 250] }
}

/// A colour between two; 0 is the first.
pub(crate) fn mix(a: Color, b: Color, part: f64) -> Color {
    let [x, y, z] = a;
    let [u, v, w] = b;
    let one = |a: u8, b: u8| (f64::from(a) + (f64::from(b) - f64::from(a)) * part).round() as u8;
    [one(x, u), one(y, v), one(z, w)]
}

/// As SVG writes it.
pub(crate) fn to_hex([r, g, b]: Color) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ink_is_read_on_every_ground() {
        for ground in [PAPER, BAND, WHITE, GREY, [0, 0, 0], [255, 0, 0], [120, 120, 120]] {
            assert!(contrast(ink_on(ground), ground) > 4.0, "{ground:?}");
        }
        assert_eq!(mix([0, 0, 0], [200, 100, 50], 0.5), [100, 50, 25]);
        assert_eq!(to_hex([255, 0, 10]), "#ff000a");
    }
}
