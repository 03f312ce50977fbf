//! A rulebook made from the rules: what the `##` lines say, and everything else in sentences made from the declarations.
//!
//! ```text
//! Analysis ─ make_rulebook ─▶ Rulebook ─┬─ to_markdown
//!                                       └─ to_html
//! ```
//!
//! A [`Rulebook`] is plain data: sections in sections. A rule for which there are no words stands in it as it is written.
mod assemble;
mod content;
mod html;
mod markdown;
mod scopes;

pub use assemble::make_rulebook;
pub use html::to_html;
pub use markdown::to_markdown;

/// A rulebook.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Rulebook {
    /// The title of the game.
    pub title: String,
    /// Its sections in order.
    pub sections: Vec<Section>,
}

/// A section, with sections in it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Section {
    /// Its heading.
    pub title: String,
    /// What the index calls it; empty: the index leaves it out.
    pub term: String,
    /// What stands below the heading.
    pub parts: Vec<Part>,
    /// Sections in it.
    pub inside: Vec<Section>,
}

/// A part of a section.
#[derive(Clone, PartialEq, Debug)]
pub enum Part {
    /// A paragraph.
    Text(String),
    /// A list, each with what stands below it.
    List(Vec<Item>),
    /// A table: headings and rows.
    Table(Vec<String>, Vec<Vec<String>>),
    /// Rules as they are written.
    Rules(String),
    /// A position: as plain text, and as HTML.
    Position(String, String),
}

/// An entry of a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    /// A sentence.
    Words(String),
    /// A rule that has no words, as it is written.
    Rule(String),
}

impl Section {
    /// A section that the index names.
    pub fn named(title: impl Into<String>) -> Section {
        let title = title.into();
        Section { term: title.clone(), title, ..Section::default() }
    }

    /// A section that the index leaves out.
    pub fn plain(title: impl Into<String>) -> Section {
        Section { title: title.into(), ..Section::default() }
    }

    /// Whether nothing stands in it.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty() && self.inside.is_empty()
    }
}

impl Rulebook {
    /// All sections, each with a name that no other has, for links; in order, with how deep they stand (from 0).
    pub fn list_sections(&self) -> Vec<(usize, String, &Section)> {
        let mut out: Vec<(usize, String, &Section)> = Vec::new();
        let mut taken = std::collections::BTreeMap::new();
        for section in &self.sections {
            list_in(section, 0, &mut taken, &mut out);
        }
        out
    }
}

fn list_in<'b>(
    section: &'b Section,
    depth: usize,
    taken: &mut std::collections::BTreeMap<String, usize>,
    out: &mut Vec<(usize, String, &'b Section)>,
) {
    let plain: String =
        section.title.to_lowercase().chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
    let words: Vec<&str> = plain.split('-').filter(|w| !w.is_empty()).collect();
    let name = if words.is_empty() { String::from("section") } else { words.join("-") };
    let times = taken.entry(name.clone()).or_default();
    *times += 1;
    // The second of a name is `name-2`; a section that is called so itself has another.
    let mut anchor = if *times == 1 { name.clone() } else { format!("{name}-{times}") };
    while out.iter().any(|(_, other, _)| *other == anchor) {
        anchor.push('x');
    }
    out.push((depth, anchor, section));
    for inner in &section.inside {
        list_in(inner, depth + 1, taken, out);
    }
}

/// The index: terms in the order of the alphabet, each with the anchors of the sections of that name.
fn list_index(sections: &[(usize, String, &Section)]) -> Vec<(String, Vec<String>)> {
    let mut all: std::collections::BTreeMap<(String, String), Vec<String>> =
        std::collections::BTreeMap::new();
    for (_, anchor, section) in sections.iter().filter(|(.., s)| !s.term.is_empty()) {
        let key = (section.term.to_lowercase(), section.term.clone());
        all.entry(key).or_default().push(anchor.clone());
    }
    all.into_iter().map(|((_, term), anchors)| (term, anchors)).collect()
}
