//! Formats in which a drawn map is written for other programs.

/// A format of a map.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MapFormat {
    /// A map of Tiled.
    Tmx,
    /// A picture of shapes.
    Svg,
    /// A picture of pixels.
    Png,
}

impl MapFormat {
    /// How the file's name ends, without the dot.
    pub fn ending(self) -> &'static str {
        match self {
            MapFormat::Tmx => "tmx",
            MapFormat::Svg => "svg",
            MapFormat::Png => "png",
        }
    }
}
