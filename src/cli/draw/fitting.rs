//! Folds what a screen has no room for: the least important first, until the drawing has no more lines than it may have. A last line says what was folded.
//!
//! ```text
//! Table: (9 hidden piles); past nights 2/10 […], 1/10 […]; quest 5.1 [One seat, and no second boat.]
//! Folded, `look WORD` shows it: past nights, hidden
//! ```
use super::cards::{Told, is_hidden_pile, shows_text};
use super::folds::Folds;
use super::holders::pile_cards;
use super::{Style, display_width};
use houserule_engine::{Pile, View};

/// A pile of more pieces than this is counted early where there is no room.
const MANY: usize = 3;

impl Folds {
    /// Folds one thing more, the longest of those that matter least. False if nothing is left to fold.
    pub fn fold_next(&mut self, view: &View, style: Style) -> bool {
        let is_own = |i: usize| view.answered.get(i).is_some_and(|seats| seats.contains(&view.seat));
        let of = |own: bool| -> Vec<&Pile> {
            let players = view.players.iter().enumerate().filter(|(i, _)| is_own(*i) == own);
            players.flat_map(|(_, p)| &p.piles).collect()
        };
        let (table, others, mine): (Vec<&Pile>, _, _) =
            (view.table.piles.iter().collect(), of(false), of(true));
        let many = |pile: &&Pile| pile.cards.len() > 1;
        // Of the table as much is told as there, of players all.
        let texts = |piles: &[&Pile], told: Told, folds: &Folds| {
            let rest = piles.iter().copied().filter(|p| !folds.drops_texts_of(p) && shows_text(p, told));
            longest(rest.filter(|p| !folds.is_counted(p)), told, folds, style)
        };
        let named = |piles: &[&Pile], told: Told, least: usize, folds: &Folds| {
            let rest = piles
                .iter()
                .copied()
                .filter(|p| !folds.is_counted(p) && p.hidden < p.cards.len() && !has_dice(p));
            longest(rest.filter(|p| pile_cards(p, told, folds, style).len() > least), told, folds, style)
        };
        let heaps: Vec<&Pile> = table.iter().copied().filter(many).collect();
        if let Some(place) = texts(&heaps, Told::Short, self) {
            return self.texts.insert(place);
        }
        if !self.hidden && table.iter().filter(|p| is_hidden_pile(p)).count() > 1 {
            self.hidden = true;
            return true;
        }
        if let Some(place) = named(&table, Told::Short, MANY, self) {
            return self.counted.insert(place);
        }
        if let Some(place) = texts(&others, Told::Whole, self) {
            return self.texts.insert(place);
        }
        if !self.places && view.others.iter().any(|h| !h.piles.is_empty()) {
            self.places = true;
            return true;
        }
        if let Some(place) = texts(&table, Told::Short, self) {
            return self.texts.insert(place);
        }
        if let Some(place) =
            named(&others, Told::Whole, 2, self).or_else(|| named(&table, Told::Short, 1, self))
        {
            return self.counted.insert(place);
        }
        let counted = table.iter().filter(|p| self.is_counted(p) && !self.is_merged(p, true));
        let counted: Vec<u16> = counted.map(|p| p.place).collect();
        if counted.len() > 1 {
            self.merged.extend(counted);
            return true;
        }
        if let Some(place) = texts(&mine, Told::Whole, self) {
            return self.texts.insert(place);
        }
        // Last all piles of the other player who has most, then those of the table.
        let rest = |piles: &[Pile], of_table: bool, least: usize| {
            let left = piles.iter().filter(|p| p.cards.len() > least && !self.is_merged(p, of_table));
            let left = left.filter(|p| least == 0 || !has_dice(p));
            left.map(|p| p.place).collect::<Vec<u16>>()
        };
        let others = view.players.iter().enumerate().filter(|(i, _)| !is_own(*i));
        let most = others.map(|(_, p)| rest(&p.piles, false, 0)).max_by_key(Vec::len);
        let of_table = [rest(&view.table.piles, true, 1), rest(&view.table.piles, true, 0)];
        let Some(places) = most.filter(|p| p.len() > 1).or(of_table.into_iter().find(|p| !p.is_empty()))
        else {
            return false;
        };
        self.merged.extend(places);
        true
    }

    /// The line that says what is folded and how it is shown; none if nothing is.
    pub fn hint_line(&self, view: &View, style: Style) -> Option<String> {
        let mut names: Vec<String> = Vec::new();
        let mut add = |name: String| {
            if !names.contains(&name) {
                names.push(name);
            }
        };
        let zone = |pile: &Pile| pile.zone.replace('_', " ");
        for holder in std::iter::once(&view.table).chain(&view.players) {
            let is_folded =
                |p: &&Pile| self.drops_texts_of(p) || self.is_counted(p) || self.merged.contains(&p.place);
            holder.piles.iter().filter(is_folded).map(zone).for_each(&mut add);
        }
        if self.hidden {
            add(String::from("hidden"));
        }
        if self.places {
            view.others.iter().flat_map(|h| &h.piles).map(zone).for_each(&mut add);
        }
        let all = names.len();
        while !names.is_empty() {
            let more = if names.len() == all {
                ""
            } else if style.unicode {
                ", …"
            } else {
                ", ..."
            };
            let line = format!("Folded, `look WORD` shows it: {}{more}", names.join(", "));
            if display_width(&line) <= style.width || names.len() == 1 {
                return Some(style.paint_text("2", &line));
            }
            names.pop();
        }
        None
    }
}

/// Whether dice lie in a pile: what they show is needed as long as there is room.
fn has_dice(pile: &Pile) -> bool {
    pile.cards.iter().any(|c| c.side.is_some())
}

/// The place of the pile that takes the most room.
fn longest<'a>(
    piles: impl Iterator<Item = &'a Pile>,
    told: Told,
    folds: &Folds,
    style: Style,
) -> Option<u16> {
    let length = |pile: &Pile| {
        pile_cards(pile, told, folds, style).iter().map(|t| display_width(t) + 1).sum::<usize>()
    };
    // Of equally long ones the first.
    let mut best: Option<(usize, u16)> = None;
    for pile in piles {
        let n = length(pile);
        if best.is_none_or(|(most, _)| n > most) {
            best = Some((n, pile.place));
        }
    }
    best.map(|(_, place)| place)
}
