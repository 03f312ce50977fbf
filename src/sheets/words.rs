//! Lays out texts: finds the words that are drawn as signs, breaks texts into lines, and finds the largest size at which they fit into a box.
//!
//! Widths are in parts of the size of the text until the size is known; all other lengths are in millimetres.
use super::fonts::{Glyph, find_glyphs};
use houserule_model::LookSign;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// Millimetres of a point.
pub(crate) const POINT: f64 = 25.4 / 72.0;
/// The smallest size of a text, in points.
pub(crate) const SMALLEST: f64 = 5.0;
/// The step between sizes that are tried, in points.
const STEP: f64 = 0.5;
/// From one line to the next, in parts of the size.
pub(crate) const LINE_HEIGHT: f64 = 1.2;
/// Between two texts that stand below each other, in parts of the size.
const GAP: f64 = 0.35;
/// The width of a sign, in parts of the size.
const SIGN_WIDTH: f64 = 1.12;

/// A character or a sign of a line.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Item {
    /// A character.
    Glyph(Glyph),
    /// The sign of that number.
    Sign(usize),
}

impl Item {
    /// How wide it is, in parts of the size.
    pub fn width(self) -> f64 {
        match self {
            Item::Glyph(g) => g.width,
            Item::Sign(_) => SIGN_WIDTH,
        }
    }

    fn is_space(self) -> bool {
        matches!(self, Item::Glyph(g) if g.char == ' ')
    }
}

/// A line of text.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Line {
    /// What stands in it.
    pub items: Vec<Item>,
    /// Whether a text begins with it.
    pub first: bool,
}

impl Line {
    /// How wide it is, in parts of the size.
    pub fn width(&self) -> f64 {
        self.items.iter().map(|i| i.width()).sum()
    }
}

/// Texts in lines, at the largest size at which they fit.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Block {
    /// The lines.
    pub lines: Vec<Line>,
    /// The size, in millimetres.
    pub size: f64,
    /// Whether all of the text stands there.
    pub fits: bool,
}

impl Block {
    /// How high it is.
    pub fn height(&self) -> f64 {
        height_of(&self.lines) * self.size
    }

    /// How wide its longest line is.
    pub fn width(&self) -> f64 {
        self.lines.iter().map(Line::width).fold(0.0, f64::max) * self.size
    }

    /// Each line with the place of its top below that of the block.
    pub fn rows(&self) -> impl Iterator<Item = (f64, &Line)> {
        let mut y = 0.0;
        self.lines.iter().enumerate().map(move |(n, line)| {
            if n > 0 {
                y += (LINE_HEIGHT + if line.first { GAP } else { 0.0 }) * self.size;
            }
            (y, line)
        })
    }
}

fn height_of(lines: &[Line]) -> f64 {
    let gaps = lines.iter().skip(1).filter(|l| l.first).count() as f64;
    lines.len() as f64 * LINE_HEIGHT + gaps * GAP
}

/// Where a block stands and how large it may be.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Room {
    /// The width.
    pub width: f64,
    /// The height.
    pub height: f64,
    /// The largest size, in points.
    pub largest: f64,
    /// The most lines.
    pub rows: usize,
}

/// Lays out the texts of a game.
#[derive(Debug, Default)]
pub(crate) struct Typesetter {
    /// The words that are drawn as signs: for each sign its title and its word.
    words: Vec<[String; 2]>,
    /// Characters that no font has.
    missing: RefCell<BTreeSet<char>>,
}

impl Typesetter {
    /// A typesetter that knows the signs of a game.
    pub fn new(signs: &[LookSign]) -> Typesetter {
        let words = signs.iter().map(|s| [s.title.clone(), s.word.clone()]).collect();
        Typesetter { words, missing: RefCell::default() }
    }

    /// The characters that no font has, so far.
    pub fn missing(&self) -> Vec<char> {
        self.missing.borrow().iter().copied().collect()
    }

    fn add_plain(&self, text: &str, out: &mut Vec<Item>) {
        let note = |c| {
            self.missing.borrow_mut().insert(c);
        };
        out.extend(find_glyphs(text, note).into_iter().map(Item::Glyph));
    }

    /// A text as characters and signs. Of two words that begin at one place the longer one counts.
    pub fn read(&self, text: &str) -> Vec<Item> {
        let mut out = Vec::new();
        let (mut from, mut before) = (0, ' ');
        let mut places = text.char_indices();
        while let Some((at, c)) = places.next() {
            let rest = text.get(at..).unwrap_or_default();
            let inside = before.is_alphanumeric();
            let fits = |word: &&String| !inside && begins_with_word(rest, word);
            let found = self.words.iter().enumerate();
            let found = found.flat_map(|(n, both)| both.iter().filter(fits).map(move |w| (w.len(), n)));
            before = c;
            let Some((length, sign)) = found.max_by_key(|(length, _)| *length) else { continue };
            self.add_plain(text.get(from..at).unwrap_or_default(), &mut out);
            out.push(Item::Sign(sign));
            from = at + length;
            before = text.get(..from).and_then(|t| t.chars().last()).unwrap_or(c);
            while places.clone().next().is_some_and(|(next, _)| next < from) {
                places.next();
            }
        }
        self.add_plain(text.get(from..).unwrap_or_default(), &mut out);
        out
    }

    /// One line as it is.
    pub fn line(&self, text: &str) -> Line {
        Line { items: self.read(text), first: true }
    }

    /// The texts, below each other, at the largest size at which they have room. What does not fit at the smallest size is left out behind three dots.
    pub fn fit<'t>(&self, texts: impl IntoIterator<Item = &'t str>, room: Room) -> Block {
        let lines = texts.into_iter().flat_map(str::lines).filter(|t| !t.trim().is_empty());
        let texts: Vec<Vec<Item>> = lines.map(|t| self.read(t.trim())).collect();
        let set = |points: f64| {
            let size = points * POINT;
            let (mut lines, mut whole) = (Vec::new(), true);
            for text in &texts {
                whole &= wrap(text, room.width / size, &mut lines);
            }
            let high = height_of(&lines) * size;
            let fits = high <= room.height + 1e-6 && lines.len() <= room.rows;
            (Block { lines, size, fits }, whole)
        };
        let mut points = room.largest.max(SMALLEST);
        loop {
            let (block, whole) = set(points);
            if block.fits && (whole || points <= SMALLEST) {
                return block;
            }
            if points <= SMALLEST {
                return self.shorten(block, room);
            }
            points = (points - STEP).max(SMALLEST);
        }
    }

    /// As many lines as have room, the last of them with three dots.
    fn shorten(&self, mut block: Block, room: Room) -> Block {
        while block.lines.len() > 1
            && (block.height() > room.height + 1e-6 || block.lines.len() > room.rows.max(1))
        {
            block.lines.pop();
        }
        let dots = self.line("…");
        if let Some(last) = block.lines.last_mut() {
            while !last.items.is_empty() && (last.width() + dots.width()) * block.size > room.width {
                last.items.pop();
            }
            last.items.extend(dots.items);
        }
        block.fits = false;
        block
    }
}

/// Whether a text begins with a word, and the word ends there.
fn begins_with_word(text: &str, word: &str) -> bool {
    let after = text.strip_prefix(word).filter(|_| !word.is_empty());
    after.is_some_and(|after| !after.starts_with(char::is_alphanumeric))
}

/// Breaks a text into lines of at most that width. Returns whether no word was broken.
fn wrap(text: &[Item], width: f64, lines: &mut Vec<Line>) -> bool {
    let mut whole = true;
    let mut line = Line { items: Vec::new(), first: true };
    let mut wide = 0.0;
    for word in text.split_inclusive(|i| i.is_space()) {
        let solid: f64 = word.iter().filter(|i| !i.is_space()).map(|i| i.width()).sum();
        if wide + solid > width && !line.items.is_empty() {
            lines.push(trim_end(std::mem::take(&mut line)));
            wide = 0.0;
        }
        if solid <= width {
            line.items.extend_from_slice(word);
            wide += word.iter().map(|i| i.width()).sum::<f64>();
            continue;
        }
        whole = false;
        for item in word {
            if wide + item.width() > width && !line.items.is_empty() && !item.is_space() {
                lines.push(trim_end(std::mem::take(&mut line)));
                wide = 0.0;
            }
            line.items.push(*item);
            wide += item.width();
        }
    }
    lines.push(trim_end(line));
    whole
}

/// A line without the blanks at its end.
fn trim_end(mut line: Line) -> Line {
    while line.items.last().is_some_and(|i| i.is_space()) {
        line.items.pop();
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserule_model::LookParts;

    fn typesetter(names: &[&str]) -> Typesetter {
        let sign = |name: &&str| LookSign {
            word: name.replace(' ', "_"),
            title: name.to_string(),
            look: LookParts::default(),
        };
        Typesetter::new(&names.iter().map(sign).collect::<Vec<_>>())
    }

    fn shown(items: &[Item]) -> String {
        let one = |i: &Item| match i {
            Item::Glyph(g) => g.char,
            Item::Sign(n) => char::from(b'0' + *n as u8),
        };
        items.iter().map(one).collect()
    }

    #[test]
    fn whole_words_become_signs_and_the_longer_one_first() {
        let t = typesetter(&["red", "red wine"]);
        assert_eq!(shown(&t.read("red or x")), "0 or x");
        assert_eq!(shown(&t.read("(red and red wine), red_wine.")), "(0 and 1), 1.");
        assert_eq!(shown(&t.read("reddish, tired, Red, red")), "reddish, tired, Red, 0");
        assert!(t.read("").is_empty());
    }

    #[test]
    fn texts_shrink_until_they_fit_and_say_when_they_do_not() {
        let t = typesetter(&[]);
        let room = Room { width: 40.0, height: 20.0, largest: 10.0, rows: usize::MAX };
        let short = t.fit(["One line."], room);
        assert_eq!((short.lines.len(), short.fits), (1, true));
        assert!((short.size - 10.0 * POINT).abs() < 1e-9);
        let long = "Many words that have no room at a large size. ".repeat(8);
        let shrunk = t.fit([long.as_str()], room);
        assert!(shrunk.fits && shrunk.size < 9.0 * POINT && shrunk.height() <= room.height + 1e-6);
        assert!(shrunk.width() <= room.width + 1e-6);
        let cut = t.fit([long.repeat(5).as_str()], room);
        assert!(!cut.fits && shown(&cut.lines.last().unwrap().items).ends_with('…'));
        assert!(cut.height() <= room.height + 1e-6 && cut.width() <= room.width + 1e-6);
    }

    #[test]
    fn a_word_is_broken_only_if_it_is_too_wide_at_the_smallest_size() {
        let t = typesetter(&[]);
        let room = Room { width: 12.0, height: 20.0, largest: 12.0, rows: usize::MAX };
        let word = t.fit(["Volcanologist"], room);
        assert_eq!(word.lines.len(), 1, "{word:?}");
        let broken = t.fit(["Volcanologist".repeat(4).as_str()], room);
        assert!(broken.lines.len() > 1 && broken.fits);
        assert!(broken.width() <= room.width + 1e-6, "{}", broken.width());
    }

    #[test]
    fn characters_that_no_font_has_are_noted_once() {
        let t = typesetter(&[]);
        t.read("字 and 字 and ℵ字");
        assert_eq!(t.missing(), ['字']);
    }
}
