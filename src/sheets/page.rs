//! One page of paper.

/// A page.
#[derive(Clone, PartialEq, Debug)]
pub struct Page {
    /// What its file is called, without an ending: `cards-01`.
    pub name: String,
    /// Its width, in millimetres.
    pub width: f64,
    /// Its height, in millimetres.
    pub height: f64,
    /// What is printed on it: an SVG text.
    pub svg: String,
}
