//! What moves on the board: pieces that slide, dice that tumble, cards that turn; and the mark of the last move.
//!
//! It compares what was shown with what is shown now, and so cannot tell more than that.
use super::data::Data;
use crate::canvas::{At, Slide, Tile, Token};
use crate::play::board::{Board, Piece};
use houserule::play::Spot;
use std::collections::BTreeMap;

/// How long a movement takes, in seconds.
const TAKES: f64 = 0.22;

/// What moves since the shown state changed last, and what changed with the last choice.
#[derive(Debug, Default)]
pub struct Motion {
    /// When the movement began; none: nothing moves.
    began: Option<f64>,
    /// Of each map, the tokens that slide.
    slides: BTreeMap<usize, Vec<Slide>>,
    /// Dice with another side, and components that were turned.
    turned: Vec<Spot>,
    /// Of each map, the spaces that changed with the last choice.
    last: BTreeMap<usize, Vec<At>>,
}

impl Motion {
    /// Takes note that `now` is shown where `before` was. `time` is the clock of the window, in seconds; `moves` is whether anything is to move.
    pub fn follow(&mut self, before: &Data, now: &Data, time: f64, moves: bool) {
        if before.view_as != now.view_as || before.lines.1 != now.lines.1 {
            *self = Motion::default();
            return;
        }
        if before.step.0 == now.step.0 {
            return;
        }
        self.slides.clear();
        self.last.clear();
        for (n, (old, new)) in before.tiles.iter().zip(&now.tiles).enumerate() {
            if old.len() != new.len() {
                continue;
            }
            let changed: Vec<At> =
                old.iter().zip(new).filter(|(a, b)| is_other(a, b)).map(|(_, b)| b.at).collect();
            self.slides.insert(n, find_slides(old, new));
            self.last.insert(n, changed);
        }
        self.turned = find_turned(&before.board, &now.board);
        let still = self.turned.is_empty() && self.slides.values().all(Vec::is_empty);
        self.began = (moves && !still).then_some(time);
    }

    /// Whether something moves.
    pub fn is_moving(&self) -> bool {
        self.began.is_some()
    }

    /// How far the movement is, from 0 to 1; none if nothing moves any more.
    pub fn progress(&mut self, time: f64) -> Option<f32> {
        let part = (time - self.began?) / TAKES;
        if (0.0..1.0).contains(&part) {
            return Some(part as f32);
        }
        self.began = None;
        None
    }

    /// The tokens that slide over a map.
    pub fn slides(&self, map: usize) -> &[Slide] {
        self.slides.get(&map).map_or(&[], Vec::as_slice)
    }

    /// Whether a component is being turned.
    pub fn is_turned(&self, spot: Spot) -> bool {
        self.turned.contains(&spot)
    }

    /// The spaces of a map that changed with the last choice.
    pub fn last(&self, map: usize) -> &[At] {
        self.last.get(&map).map_or(&[], Vec::as_slice)
    }
}

/// Whether something else stands on a space than before.
fn is_other(a: &Tile, b: &Tile) -> bool {
    a.tokens != b.tokens || a.text != b.text || a.fill != b.fill || a.figure != b.figure
}

/// Tokens that left one space and came to another, each with the nearest of its like.
fn find_slides(old: &[Tile], new: &[Tile]) -> Vec<Slide> {
    let mut left: Vec<(At, &Token)> = Vec::new();
    let mut came: Vec<(At, &Token)> = Vec::new();
    for (a, b) in old.iter().zip(new) {
        if a.tokens != b.tokens {
            left.extend(missing(&a.tokens, &b.tokens).map(|t| (a.at, t)));
            came.extend(missing(&b.tokens, &a.tokens).map(|t| (b.at, t)));
        }
    }
    let mut out = Vec::new();
    for (to, token) in came {
        let far = |from: At| from.0.abs_diff(to.0).pow(2) + from.1.abs_diff(to.1).pow(2);
        let like = left.iter().enumerate().filter(|(_, (_, t))| *t == token);
        if let Some((i, _)) = like.min_by_key(|(_, (from, _))| far(*from)) {
            let (from, token) = left.remove(i);
            out.push(Slide { from, to, token: token.clone() });
        }
    }
    out
}

/// The tokens of one space that another has not, each as often as it is missing.
fn missing<'a>(of: &'a [Token], other: &'a [Token]) -> impl Iterator<Item = &'a Token> {
    let before = move |n: usize, t: &Token| of.iter().take(n + 1).filter(|x| *x == t).count();
    let there = move |t: &Token| other.iter().filter(|x| *x == t).count();
    of.iter().enumerate().filter(move |(n, t)| before(*n, t) > there(t)).map(|(_, t)| t)
}

/// Components that show another side or another face than what lay in their place before.
fn find_turned(before: &Board, now: &Board) -> Vec<Spot> {
    let pieces = |b: &Board| -> BTreeMap<Spot, Piece> {
        let holders = b.table.iter().chain(&b.players).chain(&b.others);
        let all = holders.flat_map(|h| &h.piles).flat_map(|p| &p.pieces);
        all.map(|p| (p.spot, p.clone())).collect()
    };
    let old = pieces(before);
    let other = |p: &Piece| match old.get(&p.spot) {
        Some(was) => was.kind == p.kind && (was.die != p.die || was.down != p.down),
        // Dice that were thrown onto the table.
        None => p.die.is_some(),
    };
    pieces(now).into_values().filter(other).map(|p| p.spot).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::board::{Holder, PileBoard, Side};
    use egui::Color32;
    use houserule::model::LookParts;

    fn tile(x: u32, tokens: &[&str]) -> Tile {
        let token = |t: &&str| Token { text: t.to_string(), fill: Color32::RED, ring: None, figure: None };
        Tile { at: (x, 0), space: true, tokens: tokens.iter().map(token).collect(), ..Tile::default() }
    }

    fn told(old: &[Tile], new: &[Tile]) -> Vec<(u32, u32, String)> {
        find_slides(old, new).into_iter().map(|s| (s.from.0, s.to.0, s.token.text)).collect()
    }

    #[test]
    fn a_token_slides_from_where_it_was() {
        let old = [tile(0, &["a"]), tile(1, &[]), tile(2, &["b"])];
        let new = [tile(0, &[]), tile(1, &["a"]), tile(2, &["b"])];
        assert_eq!(told(&old, &new), [(0, 1, "a".into())]);
        assert_eq!(told(&new, &old), [(1, 0, "a".into())], "and back");
        assert_eq!(told(&old, &old), []);
        // What only came or only went does not slide.
        assert_eq!(told(&[tile(0, &[])], &[tile(0, &["a"])]), []);
        assert_eq!(told(&[tile(0, &["a"])], &[tile(0, &[])]), []);
    }

    #[test]
    fn of_alike_tokens_the_nearest_slides_and_each_once() {
        let old = [tile(0, &["a", "a"]), tile(1, &[]), tile(2, &["a"]), tile(3, &[])];
        let new = [tile(0, &["a"]), tile(1, &["a"]), tile(2, &[]), tile(3, &["a"])];
        assert_eq!(told(&old, &new), [(0, 1, "a".into()), (2, 3, "a".into())]);
    }

    /// A table with one zone of dice, by what they show, and cards, by whether they lie face down.
    fn board(dice: &[&str], down: &[bool]) -> Board {
        let piece = |n: usize, kind: &str, sign: Option<&str>, down: bool| Piece {
            kind: kind.into(),
            title: None,
            die: sign.map(|s| Side { title: s.into(), sign: s.into() }),
            card: sign.is_none(),
            face: LookParts::default(),
            sentences: [].into(),
            notes: Vec::new(),
            down,
            owner: None,
            spot: Spot::Card { place: u16::from(sign.is_none()), card: n },
            lit: None,
            held: false,
        };
        let dice = dice.iter().enumerate().map(|(n, s)| piece(n, "die", Some(s), false));
        let cards = down.iter().enumerate().map(|(n, d)| piece(n, "card", None, *d));
        let pieces: Vec<Piece> = dice.chain(cards).collect();
        let count = pieces.len();
        let pile = PileBoard { zone: "zone".into(), ordered: true, pieces, count, hidden: 0 };
        let table = Holder {
            title: "Table".into(),
            player: None,
            turn: false,
            asked: false,
            lines: Vec::new(),
            face: LookParts::default(),
            piles: vec![pile],
            spot: None,
            lit: None,
            held: false,
        };
        Board {
            signs: Vec::new(),
            seat: 0,
            clock: String::new(),
            phases: Vec::new(),
            maps: Vec::new(),
            table: Some(table),
            players: Vec::new(),
            others: Vec::new(),
            asked: Vec::new(),
            ending: Vec::new(),
            sheets: Vec::new(),
        }
    }

    #[test]
    fn dice_tumble_that_show_another_side_and_cards_turn_that_were_turned() {
        let die = |card| Spot::Card { place: 0, card };
        let card = |card| Spot::Card { place: 1, card };
        let before = board(&["1", "2"], &[true, false]);
        assert_eq!(find_turned(&before, &before), []);
        assert_eq!(find_turned(&before, &board(&["1", "5"], &[true, false])), [die(1)]);
        assert_eq!(find_turned(&before, &board(&["1", "2", "2"], &[true, false])), [die(2)], "it was thrown");
        assert_eq!(find_turned(&before, &board(&["1", "2"], &[false, false])), [card(0)]);
        assert_eq!(find_turned(&before, &board(&["1", "2"], &[true, false, false])), [], "it only came");
    }

    #[test]
    fn a_movement_ends() {
        let mut m = Motion { began: Some(1.0), ..Motion::default() };
        assert!(m.progress(1.1).is_some_and(|p| p > 0.4 && p < 0.5));
        assert_eq!((m.progress(1.3), m.began), (None, None));
    }
}
