//! Sorts what a `look` draws of a thing by part (fill, text, corners, badges), for the terminal and the editor.
use houserule_engine::Drawn;

/// A look made ready. Empty texts are left out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LookParts {
    /// What it is filled with: red, green, blue.
    pub fill: Option<[u8; 3]>,
    /// Its edge.
    pub edge: Option<[u8; 3]>,
    /// A ring in it.
    pub ring: Option<[u8; 3]>,
    /// Its shape, as the rules say it.
    pub shape: Option<String>,
    /// Its size, as the rules say it.
    pub size: Option<String>,
    /// A picture or sign.
    pub icon: Option<String>,
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
            match &*d.slot {
                "fill" => out.fill = parse_color(&d.text).or(out.fill),
                "edge" => out.edge = parse_color(&d.text).or(out.edge),
                "ring" => out.ring = parse_color(&d.text).or(out.ring),
                "shape" => out.shape = text(),
                "size" => out.size = text(),
                "icon" => out.icon = text(),
                "title" => out.title = text(),
                slot => {
                    out.told = true;
                    let row = match slot {
                        "corner" => &mut out.corner,
                        "badge" => &mut out.badge,
                        _ => &mut out.text,
                    };
                    row.extend(text().filter(|t| !t.is_empty()));
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

/// A colour written `#rrggbb` or `#rgb`.
pub fn parse_color(text: &str) -> Option<[u8; 3]> {
    let hex = text.strip_prefix('#')?;
    let digits: Vec<u8> = hex.chars().map(|c| c.to_digit(16).map(|d| d as u8)).collect::<Option<_>>()?;
    match digits.as_slice() {
        [r, g, b] => Some([r * 17, g * 17, b * 17]),
        [r, s, g, h, b, c] => Some([r * 16 + s, g * 16 + h, b * 16 + c]),
        _ => None,
    }
}
