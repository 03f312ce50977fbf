//! Sorts what a `look` draws of a thing by part (fill, text, corners, badges), for the terminal and the editor.
use crate::images::Image;
use crate::parse_color;

/// A look made ready. Empty texts are left out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LookParts {
    /// What it is filled with: red, green, blue.
    pub fill: Option<[u8; 3]>,
    /// Its edge.
    pub edge: Option<[u8; 3]>,
    /// Its shape: a name of [`crate::shapes`], path data, or the name of an image.
    pub shape: Option<String>,
    /// By how many degrees the shape is turned, clockwise.
    pub turn: i32,
    /// What it is called. `Some("")`: the rules say that it has no name there.
    pub title: Option<String>,
    /// What stands on it, line by line.
    pub text: Vec<String>,
    /// What stands in corners.
    pub corner: Vec<String>,
    /// Badges.
    pub badge: Vec<String>,
    /// The image that the shape names, if it is one.
    pub image: Option<Image>,
    /// Of a player, the score as it stands, if the rules compare one that all may know.
    pub score: Option<String>,
    /// Whether the rules say what stands on it, be it nothing.
    pub told: bool,
}

/// A word with the sign that is drawn for it in texts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LookSign {
    /// As rules write it.
    pub word: String,
    /// For people.
    pub title: String,
    /// How it is drawn.
    pub look: LookParts,
}

/// The row of a player's look that no rule writes: the score as it stands.
pub const SCORE: &str = "score";

impl LookParts {
    /// Out of the rows of a look: the word of each part, and what is drawn there.
    pub fn from_rows<'a>(rows: impl IntoIterator<Item = (&'a str, &'a str)>) -> LookParts {
        let mut out = LookParts::default();
        for (slot, drawn) in rows {
            let text = || Some(drawn.to_string());
            let is_drawn = !drawn.is_empty();
            match slot {
                "fill" => out.fill = parse_color(drawn).or(out.fill),
                "edge" => out.edge = parse_color(drawn).or(out.edge),
                "shape" => out.shape = text().filter(|_| is_drawn),
                "turn" => out.turn = drawn.parse().unwrap_or_default(),
                "title" => out.title = text(),
                // It stands beneath the map, not on it.
                "legend" => {}
                SCORE => out.score = text().filter(|_| is_drawn),
                slot => {
                    out.told = true;
                    let row = match slot {
                        "corner" => &mut out.corner,
                        "badge" => &mut out.badge,
                        _ => &mut out.text,
                    };
                    row.extend(text().filter(|_| is_drawn));
                }
            }
        }
        out
    }

    /// With the image that its shape names, out of those of its game.
    pub fn with_image(mut self, all: &[Image]) -> LookParts {
        let named = |name: &String| all.iter().find(|p| *p.name == **name).cloned();
        self.image = self.shape.as_ref().and_then(named);
        self
    }

    /// All that stands on it, text before corners and badges.
    pub fn all_texts(&self) -> impl Iterator<Item = &str> {
        self.text.iter().chain(&self.corner).chain(&self.badge).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_read_in_both_forms() {
        assert_eq!(parse_color("#8c1f12"), Some([0x8c, 0x1f, 0x12]));
        assert_eq!(parse_color("#fa0"), Some([0xff, 0xaa, 0]));
        assert_eq!((parse_color("red"), parse_color("#12"), parse_color("#ééé")), (None, None, None));
    }

    #[test]
    fn parts_are_sorted_and_empty_texts_left_out() {
        let rows =
            [("fill", "#fa0"), ("fill", "red"), ("text", "a"), ("text", ""), ("badge", "3"), ("title", "")];
        let parts = LookParts::from_rows(rows);
        assert_eq!(
            (parts.fill, parts.text, parts.badge),
            (Some([0xff, 0xaa, 0]), vec!["a".to_string()], vec!["3".to_string()])
        );
        assert_eq!((parts.title.as_deref(), parts.told), (Some(""), true));
        assert!(!LookParts::from_rows([("fill", "#fa0")]).told);
    }
}
