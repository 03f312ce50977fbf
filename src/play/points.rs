//! Finds what choices point at: the things that they name, and where these stand in what a seat sees.
use super::decisions::Offered;
use houserule_engine::{Card, Choice, HolderView, Look, Pile, QuestionKind, View};
use houserule_program::ir::{Domain, NONE, Program, UniverseId, UniverseSort};
use std::collections::{BTreeMap, BTreeSet};

/// A thing by its universe and number, as registers hold it.
pub type Point = (UniverseId, i64);

/// What is to be pointed at: spaces by map and number.
pub type Marks = BTreeSet<(usize, usize)>;

/// Everything that a choice names, in the order of its words; numbers and none are not among it.
pub fn list_points(p: &Program, kind: QuestionKind, choice: &Choice) -> Vec<Point> {
    let mut out = Vec::new();
    match (choice, kind) {
        (Choice::Action { action, params }, _) => {
            let Some(slot) = p.actions.get(action.index()) else { return out };
            let mut at = 0;
            for param in &slot.params {
                let w = param.domain.words(p) as usize;
                match (param.domain, params.get(at)) {
                    (Domain::Thing(u), Some(value)) => out.push((u, *value as i64)),
                    (Domain::Subset(u), Some(_)) => add_members(p, u, params.get(at..at + w), &mut out),
                    _ => {}
                }
                at += w;
            }
        }
        (Choice::One(value), QuestionKind::One(_, u)) => out.push((u, *value)),
        (Choice::Subset(set), QuestionKind::Subset(_, u)) => add_members(p, u, Some(set), &mut out),
        _ => {}
    }
    out.retain(|(u, v)| *v != NONE && !is_of_numbers(p, *u));
    out
}

/// The members of a set as points.
pub fn add_members(p: &Program, u: UniverseId, set: Option<&[u64]>, out: &mut Vec<Point>) {
    let lo = super::words::least_value(p, u);
    out.extend(super::words::set_bits(set.unwrap_or(&[])).map(|i| (u, i as i64 + lo)));
}

fn is_of_numbers(p: &Program, u: UniverseId) -> bool {
    matches!(p.universes.get(u.index()).map(|u| &u.sort), Some(UniverseSort::Numbers { .. }))
}

/// The spaces that these choices name; where there are several actions, those of the first that names any.
pub fn list_spaces(p: &Program, kind: QuestionKind, offered: &[Offered]) -> Marks {
    let mut marks = Marks::new();
    let mut first = None;
    for o in offered {
        if let Choice::Action { action, .. } = &o.choice {
            if !marks.is_empty() && first != Some(*action) {
                break;
            }
            first = Some(*action);
        } else if !matches!(o.choice, Choice::One(_)) {
            continue;
        }
        marks.extend(list_points(p, kind, &o.choice).into_iter().filter_map(|(u, v)| to_space(p, u, v)));
    }
    marks
}

fn to_space(p: &Program, u: UniverseId, value: i64) -> Option<(usize, usize)> {
    match p.universes.get(u.index())?.sort {
        UniverseSort::Spaces(Some(map)) => Some((map.index(), usize::try_from(value).ok()?)),
        _ => None,
    }
}

/// Which maps are of hexes whose rows all lean the same way: of these every row begins half a hex further east than the one below it.
pub fn slanted_maps(p: &Program) -> Vec<bool> {
    p.maps
        .iter()
        .map(|m| {
            let n = m.at.len();
            // Northeast of the first space of the second row: in the same column on a slanted board, in the next one on the other.
            let second = m.at.iter().position(|at| *at == (0, 1));
            m.hexes
                && second
                    .and_then(|s| m.succ.get(n + s))
                    .and_then(|t| m.at.get(usize::from(*t)))
                    .is_some_and(|at| at.0 == 0)
        })
        .collect()
}

/// Where a thing stands in what a seat sees.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Spot {
    /// A space of a map.
    Space {
        /// The map.
        map: usize,
        /// Its place among the spaces that the view shows.
        space: usize,
    },
    /// A player.
    Player(usize),
    /// What lies at a place: which of the pile's cards, as the view lists them.
    Card {
        /// The place's number.
        place: u16,
        /// Which of its cards, from 0.
        card: usize,
    },
    /// Another holder of the view, by its place among these.
    Other(usize),
}

/// All piles of a view, of all holders.
pub fn all_piles(view: &View) -> impl Iterator<Item = &Pile> {
    all_holders(view).flat_map(|h| &h.piles)
}

fn all_holders(view: &View) -> impl Iterator<Item = &HolderView> {
    let spaces = view.maps.iter().flat_map(|m| &m.spaces);
    std::iter::once(&view.table).chain(&view.players).chain(&view.others).chain(spaces)
}

/// A view made ready to find things in.
pub struct Spots<'v> {
    view: &'v View,
    by_place: BTreeMap<u16, &'v Pile>,
}

impl<'v> Spots<'v> {
    /// Of a view.
    pub fn new(view: &'v View) -> Spots<'v> {
        Spots { view, by_place: all_piles(view).map(|p| (p.place, p)).collect() }
    }

    /// The number of a space that the view shows.
    pub fn space_number(&self, map: usize, space: usize) -> Option<u32> {
        Some(self.view.maps.get(map)?.spaces.get(space)?.number)
    }

    /// The places of a space that the view shows.
    pub fn places_of_space(&self, map: usize, space: usize) -> impl Iterator<Item = u16> + '_ {
        let holder = self.view.maps.get(map).and_then(|m| m.spaces.get(space));
        holder.into_iter().flat_map(|h| h.piles.iter().map(|p| p.place))
    }

    /// Where a thing stands in the view. Of components that read alike to the seat the first is the first; words have no place. `look` is only asked where the thing lies and how the seat
    /// sees it.
    pub fn find_spot(&self, look: Look<'_>, (u, value): Point) -> Option<Spot> {
        let p = look.program;
        let n = usize::try_from(value).ok()?;
        let universe = p.universes.get(u.index())?;
        match universe.sort {
            UniverseSort::Players => Some(Spot::Player(n)),
            UniverseSort::Spaces(Some(map)) => {
                let map = map.index();
                let space = self.view.maps.get(map)?.spaces.iter().position(|s| s.number as usize == n)?;
                Some(Spot::Space { map, space })
            }
            UniverseSort::Components(ci) => self.find_card(look, usize::from(ci), n),
            UniverseSort::Words | UniverseSort::Spaces(None) => {
                let same = |h: &HolderView| h.kind == universe.name && h.number as usize == n;
                self.view.others.iter().position(same).map(Spot::Other)
            }
            _ => None,
        }
    }

    fn find_card(&self, look: Look<'_>, ci: usize, c: usize) -> Option<Spot> {
        let place = look.place(ci, c)?;
        let pile = self.by_place.get(&u16::try_from(place).ok()?)?;
        let lying = look.lying_to(place, self.view.seat);
        let spot = |card: usize| Some(Spot::Card { place: pile.place, card });
        if pile.ordered && lying.len() == pile.cards.len() {
            return spot(lying.iter().position(|x| *x == c)?);
        }
        let read = |x: usize| {
            let known = look.knows(self.view.seat, ci, x);
            known.then(|| (look.face(ci, x), look.side(ci, x)))
        };
        let mine = read(c);
        // So many that read alike lie before it.
        let before = lying.iter().take_while(|x| **x != c).filter(|x| read(**x) == mine).count();
        let comps = look.program.comps.get(ci)?;
        let value = |side: Option<usize>, face: Option<usize>| {
            let k = side? % comps.most_sides();
            comps.sides.get(face?)?.get(k).map(|v| i64::from(*v))
        };
        let fits = |card: &Card| match mine {
            Some((face, side)) => {
                card.face_number.map(|f| f as usize) == face
                    && (side.is_none() || card.side == value(side, face))
            }
            None => card.face_number.is_none(),
        };
        let mut alike = pile.cards.iter().enumerate().filter(|(_, card)| fits(card));
        alike.nth(before).and_then(|(i, _)| spot(i))
    }
}
