//! Worlds that a seat cannot tell from the real one: what it does not know is put in a fixed order, then dealt by chance.
use super::game::Machine;
use crate::base::stream::below;
use crate::context::memo::{Classes, faces_and_attributes};
use crate::data::seats::{answering, in_mask};
use crate::data::state::{LayerOp, State, Status};
use crate::interp::effects::swap_faces;
use crate::scheduler::core::Core;
use crate::world::cells::{cell, set_cell, store};
use houserule_program::ir::{AttrSlot, Components, NONE, Program, SeenBy};
use rand::Rng;
use rustc_hash::FxHashMap;

/// What a seat does not know of a state: the same for all worlds that are dealt from it.
pub struct Hidden {
    seat: usize,
    /// By kind of components.
    kinds: Vec<HiddenKind>,
    /// What another deal changes.
    pub(crate) changes: Classes,
}

/// The components of a kind whose faces a seat does not know.
struct HiddenKind {
    /// In the order of their numbers.
    all: Vec<usize>,
    /// Those that can be exchanged for each other, in the order of their first ones.
    groups: Vec<Vec<usize>>,
}

/// Attributes that can have more values than this keep their start value.
const MOST_DRAWN: i64 = 256;

impl Machine {
    /// For bots: samples a state that the seat cannot tell from the real one: faces that it does not know are permuted among the same backs, their attributes are drawn
    /// again, dice that it does not see are rolled again, other seats' held answers are dropped (their questions are open again), and the seed is another one.
    /// Registers of waiting fibers stay: component numbers reveal nothing, and the checker lets no name computed from hidden faces live across a question (E0505).
    pub fn determinize<G: Rng + ?Sized>(&mut self, seat: usize, rng: &mut G) {
        let hidden = self.sort_hidden(seat);
        self.deal_hidden(&hidden, rng);
    }

    /// The first half of [`Machine::determinize`]: puts the faces that a seat does not know in the order of their numbers, each among those with which it can be exchanged,
    /// so that what is dealt does not depend on the real order.
    pub fn sort_hidden(&mut self, seat: usize) -> Hidden {
        self.core.context.memo.invalidate_all();
        let p = self.program.clone();
        let hidden = self.find_hidden(seat);
        for (ci, (comps, kind)) in p.comps.iter().zip(&hidden.kinds).enumerate() {
            for group in &kind.groups {
                for (i, a) in group.iter().copied().enumerate() {
                    let face = |c: usize| cell(&self.core.state, comps.face as usize + c);
                    let least = group.iter().copied().skip(i).min_by_key(|c| (face(*c), *c));
                    if let Some(b) = least.filter(|b| face(*b) != face(a)) {
                        let Core { world, state, .. } = &mut self.core;
                        swap_faces(world.with(&p), state, comps, ci, (a, b), false);
                    }
                }
            }
        }
        hidden
    }

    /// The other half of [`Machine::determinize`]: deals what a seat does not know in a state that [`Machine::sort_hidden`] has left.
    pub fn deal_hidden<G: Rng + ?Sized>(&mut self, hidden: &Hidden, rng: &mut G) {
        self.core.context.memo.invalidate_all();
        self.exchange_hidden(hidden, rng);
        self.redraw_attributes(hidden, rng);
        let p = self.program.clone();
        for (comps, kind) in p.comps.iter().zip(&hidden.kinds) {
            if comps.side == u32::MAX {
                continue;
            }
            for c in kind.all.iter().copied() {
                let face =
                    usize::try_from(cell(&self.core.state, comps.face as usize + c)).unwrap_or(usize::MAX);
                let n = comps.sides.get(face).map_or(0, |s| s.len() as u64);
                if n > 0 {
                    let k = below(n, || rng.next_u64());
                    set_cell(&mut self.core.state, comps.side, c, k as i32);
                }
            }
        }
        for fiber in &mut self.core.state.fibers {
            // All seats know which freely acting players are done.
            if fiber.status == Status::Free || fiber.is_done() {
                continue;
            }
            let before = fiber.held.len();
            let mut open = 0u32;
            fiber.held.retain(|(player, _)| {
                let mine = in_mask(answering(&p, i64::from(*player)), hidden.seat);
                if !mine {
                    open |= 1 << player;
                }
                mine
            });
            if fiber.held.len() != before {
                fiber.missing |= open;
                fiber.status = Status::Asking;
            }
        }
        self.core.state.head.seed = rng.next_u64();
        self.core.options_for = None;
        self.core.settled = false;
        self.core.list_questions(&self.program);
    }

    /// For the leak law: permutes, in the real state, what a seat cannot know: faces of the same back and owner, with sides and attributes. Attributes on backs stay.
    pub fn swap_hidden<G: Rng + ?Sized>(&mut self, seat: usize, rng: &mut G) {
        self.core.context.memo.invalidate_all();
        let hidden = self.find_hidden(seat);
        self.exchange_hidden(&hidden, rng);
    }

    /// Draws the attributes of components whose faces a seat does not know again: with even odds the start value of the face, else any value that the attribute can have.
    /// Attributes on backs stay.
    #[doc(hidden)]
    pub fn redraw_hidden_attributes<G: Rng + ?Sized>(&mut self, seat: usize, rng: &mut G) {
        self.core.context.memo.invalidate_all();
        let hidden = self.find_hidden(seat);
        self.redraw_attributes(&hidden, rng);
    }

    fn find_hidden(&self, seat: usize) -> Hidden {
        let p = &self.program;
        let kinds = p.comps.iter().enumerate().map(|(ci, comps)| {
            let all = self.unknown_to(seat, ci);
            let mut numbers = FxHashMap::default();
            let mut groups: Vec<Vec<usize>> = Vec::new();
            for c in all.iter().copied() {
                let number =
                    *numbers.entry(ExchangeClass::of(p, &self.core.state, comps, c)).or_insert_with(|| {
                        groups.push(Vec::new());
                        groups.len() - 1
                    });
                groups.get_mut(number).into_iter().for_each(|group| group.push(c));
            }
            HiddenKind { all, groups }
        });
        let kinds: Vec<HiddenKind> = kinds.collect();
        let with_hidden = kinds.iter().enumerate().filter(|(_, kind)| !kind.all.is_empty());
        let changes = with_hidden.fold(0, |all, (ci, _)| all | faces_and_attributes(p, ci));
        Hidden { seat, kinds, changes }
    }

    fn exchange_hidden<G: Rng + ?Sized>(&mut self, hidden: &Hidden, rng: &mut G) {
        let p = self.program.clone();
        for (ci, (comps, kind)) in p.comps.iter().zip(&hidden.kinds).enumerate() {
            for group in &kind.groups {
                for i in (1..group.len()).rev() {
                    let j = below(i as u64 + 1, || rng.next_u64()) as usize;
                    if let (Some(a), Some(b)) = (group.get(i), group.get(j))
                        && a != b
                    {
                        let Core { world, state, .. } = &mut self.core;
                        swap_faces(world.with(&p), state, comps, ci, (*a, *b), false);
                    }
                }
            }
        }
        self.core.options_for = None;
    }

    fn redraw_attributes<G: Rng + ?Sized>(&mut self, hidden: &Hidden, rng: &mut G) {
        let p = self.program.clone();
        for (comps, kind) in p.comps.iter().zip(&hidden.kinds) {
            if kind.all.is_empty() || comps.attrs.is_empty() {
                continue;
            }
            // Of each, the first component that has its face from the start.
            let mut first = FxHashMap::default();
            for (c, face) in comps.initial.iter().enumerate() {
                first.entry(i64::from(*face)).or_insert(c);
            }
            let with_faces: Vec<(usize, i64, usize)> = kind
                .all
                .iter()
                .map(|c| {
                    let face = cell(&self.core.state, comps.face as usize + c);
                    (*c, face, first.get(&face).copied().unwrap_or(*c))
                })
                .collect();
            for x in &comps.attrs {
                let (Some(slot), Some(world)) =
                    (p.attrs.get(x.index()), self.core.world.attrs.get(x.index()))
                else {
                    continue;
                };
                // An attribute that nobody may see is the engine's own, such as when a component came to its place.
                if slot.back || matches!(slot.seen, SeenBy::Nobody) {
                    continue;
                }
                let st = &mut self.core.state;
                st.layers.retain(|l| {
                    let LayerOp::Put { attr, thing, .. } = l.op else { return true };
                    usize::from(attr) != x.index() || kind.all.binary_search(&(thing as usize)).is_err()
                });
                for (c, face, like) in &with_faces {
                    let start = slot.initial.get(*like).or(slot.initial.first()).copied().unwrap_or(0);
                    store(st, world, *c, draw_value(slot, *face, start, rng));
                }
            }
        }
        self.core.options_for = None;
    }
}

/// With even odds the start value, else any that an attribute of that face can have.
fn draw_value<G: Rng + ?Sized>(slot: &AttrSlot, face: i64, start: i32, rng: &mut G) -> i32 {
    let own = slot.own.is_empty() || slot.own.iter().any(|f| i64::from(*f) == face);
    let numbers = i64::from(slot.hi) - i64::from(slot.lo);
    let values = numbers + 1 + i64::from(slot.maybe);
    let any = own && (1..=MOST_DRAWN).contains(&values) && rng.next_u64() & 1 == 1;
    match any.then(|| below(values as u64, || rng.next_u64()) as i64) {
        Some(k) if k > numbers => NONE as i32,
        Some(k) => (i64::from(slot.lo) + k) as i32,
        None => start,
    }
}

/// What components have in common that a seat may find exchanged.
#[derive(PartialEq, Eq, Hash)]
struct ExchangeClass {
    back: Option<u16>,
    /// The class of the face.
    face: Option<u16>,
    owner: Option<i32>,
    /// The kinds that the component's zone holds.
    kinds: Option<u16>,
}

impl ExchangeClass {
    fn of(p: &Program, st: &State, comps: &Components, c: usize) -> ExchangeClass {
        let face = usize::try_from(cell(st, comps.face as usize + c)).unwrap_or(usize::MAX);
        let place =
            usize::try_from(cell(st, comps.place as usize + c)).ok().and_then(|place| p.places.get(place));
        let zone = place.and_then(|place| p.zones.get(usize::from(place.zone)));
        ExchangeClass {
            back: comps.backs.get(face).copied(),
            face: comps.classes.get(face).copied(),
            owner: comps.owners.get(c).copied(),
            kinds: zone.and_then(|zone| zone.kinds),
        }
    }
}
