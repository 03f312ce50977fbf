//! Sorts what a `look` draws of a thing by part (fill, text, corners, badges), for the terminal and the editor.
use houserule_engine::Drawn;
use houserule_model::parse_color;

/// A look made ready. Empty texts are left out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LookParts {
    /// What it is filled with: red, green, blue.
    pub fill: Option<[u8; 3]>,
    /// Its edge.
    pub edge: Option<[u8; 3]>,
    /// A ring in it.
    pub ring: Option<[u8; 3]>,
    /// Its shape: a name of [`houserule_model::shapes`], or path data.
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
    /// Whether the rules say what stands on it, be it nothing.
    pub told: bool,
}

impl LookParts {
    /// Out of what a view holds.
    pub fn from_look(look: &[Drawn]) -> LookParts {
        let mut out = LookParts::default();
        for d in look {
            let text = || Some(d.text.clone());
            let is_drawn = !d.text.is_empty();
            match &*d.slot {
                "fill" => out.fill = parse_color(&d.text).or(out.fill),
                "edge" => out.edge = parse_color(&d.text).or(out.edge),
                "ring" => out.ring = parse_color(&d.text).or(out.ring),
                "shape" => out.shape = text().filter(|_| is_drawn),
                "turn" => out.turn = d.text.parse().unwrap_or_default(),
                "title" => out.title = text(),
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

    /// All that stands on it, text before corners and badges.
    pub fn all_texts(&self) -> impl Iterator<Item = &str> {
        self.text.iter().chain(&self.corner).chain(&self.badge).map(String::as_str)
    }
}
