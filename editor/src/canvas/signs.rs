//! Draws signs in the place of words: what the look of an enum says of its members, where they stand in the text of a space or of a card.
//!
//! `mark` puts two stand-ins for each such word, so that a sign has the width of two letters wherever texts are measured, cut and broken into lines; `lay_out` makes room for them,
//! and `Laid::paint` paints them there.
use super::shapes::{Figure, outline, outline_of, paint_figure};
use crate::style::{SMALL, contrast_color};
use egui::text::{LayoutJob, TextFormat, TextWrapping};
use egui::{Align, Align2, Color32, FontId, Galley, Painter, Pos2, Rect, Vec2};
use houserule::model::LookSign;
use houserule::model::shapes::PLAIN_SHAPE;
use std::borrow::Cow;
use std::sync::Arc;

/// The stand-in for the first sign. Plane 16 is for private use, and no font of the editor has signs there.
const FIRST: u32 = 0x10_0000;

/// What makes room for half a sign: each font has it, and texts hardly use it.
const ROOM: char = '¤';

/// A sign and the words for which it stands.
#[derive(Clone, PartialEq, Debug)]
struct Sign {
    words: [String; 2],
    figure: Figure,
    letters: String,
}

impl Sign {
    fn from_look(sign: &LookSign) -> Sign {
        let color = |c: [u8; 3]| Color32::from_rgb(c[0], c[1], c[2]);
        let own = outline_of(&sign.look);
        let letters = match sign.look.title.as_deref().filter(|t| !t.is_empty()) {
            Some(title) => title.chars().take(2).collect(),
            None if own.is_some() => String::new(),
            None => sign.title.chars().take(1).collect(),
        };
        Sign {
            words: [sign.title.clone(), sign.word.clone()],
            figure: Figure {
                outline: own.or_else(|| outline(PLAIN_SHAPE)).unwrap_or_default(),
                fill: sign.look.fill.map_or(Color32::from_gray(150), color),
                edge: sign.look.edge.map(color),
                turn: sign.look.turn,
            },
            letters,
        }
    }
}

/// The signs of a game.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Signs(Option<Arc<[Sign]>>);

impl Signs {
    /// Of the looks of a game's words.
    pub fn from_looks(looks: &[LookSign]) -> Signs {
        Signs((!looks.is_empty()).then(|| looks.iter().map(Sign::from_look).collect()))
    }

    fn all(&self) -> &[Sign] {
        self.0.as_deref().unwrap_or_default()
    }

    /// A text with stand-ins for the words that have a sign. Of two that begin at one place the longer one counts.
    pub fn mark<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let all = self.all();
        if all.is_empty() || text.contains(ROOM) {
            return Cow::Borrowed(text);
        }
        let mut out = String::new();
        let mut rest = text;
        let mut before = ' ';
        while let Some(c) = rest.chars().next() {
            let found = all.iter().enumerate().flat_map(|(n, s)| s.words.iter().map(move |w| (n, w)));
            let found = found.filter(|(_, word)| !before.is_alphanumeric() && begins_with_word(rest, word));
            let (long, sign) = match found.max_by_key(|(_, word)| word.len()) {
                Some((n, word)) => (word.len(), char::from_u32(FIRST + n as u32)),
                None => (c.len_utf8(), None),
            };
            match sign {
                Some(sign) => out.extend([sign, sign]),
                None => out.push(c),
            }
            before = rest.get(..long).and_then(|t| t.chars().last()).unwrap_or(c);
            rest = rest.get(long..).unwrap_or_default();
        }
        Cow::Owned(out)
    }

    fn find(&self, c: char) -> Option<&Sign> {
        self.all().get((c as u32).checked_sub(FIRST)? as usize)
    }

    /// Lays out a marked text.
    pub(super) fn lay_out(
        &self,
        p: &Painter,
        marked: &str,
        font: FontId,
        ink: Color32,
        wrap: TextWrapping,
        halign: Align,
    ) -> Laid {
        let mut job = LayoutJob { wrap, halign, ..LayoutJob::default() };
        let mut signs = Vec::new();
        let mut plain = String::new();
        let add = |job: &mut LayoutJob, text: &str, color| {
            if !text.is_empty() {
                job.append(text, 0.0, TextFormat::simple(font.clone(), color));
            }
        };
        for c in marked.chars() {
            match self.find(c) {
                Some(sign) => {
                    add(&mut job, &std::mem::take(&mut plain), ink);
                    add(&mut job, ROOM.encode_utf8(&mut [0; 4]), Color32::TRANSPARENT);
                    signs.push(sign.clone());
                }
                None => plain.push(c),
            }
        }
        add(&mut job, &plain, ink);
        Laid { galley: p.layout_job(job), signs, size: font.size }
    }
}

/// Whether a text begins with a word, and the word ends there.
fn begins_with_word(text: &str, word: &str) -> bool {
    let after = text.strip_prefix(word).filter(|_| !word.is_empty());
    after.is_some_and(|after| !after.starts_with(char::is_alphanumeric))
}

/// A text that is laid out, with its signs: each twice, for its two halves.
#[derive(Clone)]
pub(super) struct Laid {
    /// The text.
    pub galley: Arc<Galley>,
    signs: Vec<Sign>,
    size: f32,
}

impl Laid {
    /// Paints the text from a point on, as a galley is painted.
    pub fn paint(&self, p: &Painter, at: Pos2, ink: Color32) {
        p.galley(at, self.galley.clone(), ink);
        for (place, sign) in self.places() {
            let middle = at + place + Vec2::new(0.0, self.size * 0.06);
            paint_figure(p, middle, self.size * 1.05, &sign.figure);
            if !sign.letters.is_empty() {
                // They are as small as a text may be, but no larger than the text around them.
                let font = FontId::proportional((self.size * 0.72).max(SMALL.min(self.size)));
                p.text(middle, Align2::CENTER_CENTER, &sign.letters, font, contrast_color(sign.figure.fill));
            }
        }
    }

    /// The middles of the signs from where the text begins. One whose second half has no room is left out.
    fn places(&self) -> Vec<(Vec2, &Sign)> {
        if self.signs.is_empty() {
            return Vec::new();
        }
        let mut halves: Vec<Rect> = Vec::new();
        for row in &self.galley.rows {
            for glyph in row.glyphs.iter().filter(|g| g.chr == ROOM) {
                let low = row.pos + glyph.pos.to_vec2();
                let size = Vec2::new(glyph.advance_width, glyph.font_ascent);
                halves.push(Rect::from_min_size(low - Vec2::new(0.0, size.y), size));
            }
        }
        let pairs = halves.chunks_exact(2).zip(self.signs.chunks_exact(2));
        pairs
            .filter_map(|pair| match pair {
                ([a, b], [sign, _]) => Some((a.union(*b).center().to_vec2(), sign)),
                _ => None,
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserule::model::LookParts;

    fn signs(names: &[&str]) -> Signs {
        let sign = |name: &&str| LookSign {
            word: name.replace(' ', "_"),
            title: name.to_string(),
            look: LookParts::default(),
        };
        Signs::from_looks(&names.iter().map(sign).collect::<Vec<_>>())
    }

    #[test]
    fn whole_words_are_marked_and_the_longer_one_first() {
        let all = signs(&["red", "red wine"]);
        let shown = |text: &str| all.mark(text).replace('\u{100000}', "R").replace('\u{100001}', "W");
        assert_eq!(shown("red or 5"), "RR or 5");
        assert_eq!(shown("(red and red wine), red_wine."), "(RR and WW), WW.");
        assert_eq!(shown("reddish, tired, Red, ré"), "reddish, tired, Red, ré");
        assert_eq!(shown("red for ¤3"), "red for ¤3", "what makes room for a sign stands there already");
        assert_eq!(signs(&[]).mark("red"), "red");
    }

    #[test]
    fn a_sign_stands_where_its_word_would() {
        let all = signs(&["red", "blue"]);
        egui::__run_test_ui(|ui| {
            let lay = |text: &str, width: f32| {
                let wrap = TextWrapping { max_width: width, ..TextWrapping::default() };
                let font = FontId::proportional(20.0);
                all.lay_out(ui.painter(), &all.mark(text), font, Color32::BLACK, wrap, Align::LEFT)
            };
            let laid = lay("a red or blue", f32::INFINITY);
            let wide = laid.galley.size().x;
            let places: Vec<(Vec2, String)> =
                laid.places().iter().map(|(at, sign)| (*at, sign.letters.clone())).collect();
            let [(red, r), (blue, b)] = places.as_slice() else { panic!("{places:?}") };
            assert_eq!((r.as_str(), b.as_str()), ("r", "b"));
            assert!(10.0 < red.x && red.x < blue.x && blue.x < wide, "{places:?} in {wide}");
            assert_eq!(red.y, blue.y);
            let high: Vec<f32> = lay("red blue", 30.0).places().iter().map(|(at, _)| at.y).collect();
            assert!(matches!(high.as_slice(), [a, b] if a + 15.0 < *b), "one below the other: {high:?}");
        });
    }

    #[test]
    fn a_sign_has_a_letter_where_nothing_else_says_what_it_is() {
        let letters = |look: LookParts| {
            Sign::from_look(&LookSign { word: "red".into(), title: "red".into(), look }).letters
        };
        assert_eq!(letters(LookParts::default()), "r");
        assert_eq!(letters(LookParts { shape: Some("star".into()), ..LookParts::default() }), "");
        let titled =
            LookParts { shape: Some("star".into()), title: Some("abc".into()), ..LookParts::default() };
        assert_eq!(letters(titled), "ab");
    }
}
