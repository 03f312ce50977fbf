//! The state of a game as plain tables, read off an engine's state. What is not here, no rule can look at.
use super::numbers::Numbers;
use super::value::{Datum, Result, unsupported};
use crate::engine::{LayerOp, State};
use crate::model::hir::*;
use crate::program::ir::{self, LeaseScope, Show, VerdictCode};
use std::collections::{BTreeMap, BTreeSet};

/// A component.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Where it lies.
    pub place: u32,
    /// The face that it shows.
    pub face: u32,
    /// Of a die: which side is up.
    pub side: u32,
    /// Whether it lies face up.
    pub up: bool,
    /// When it came to where it lies.
    pub came: i64,
}

/// A change that ends with a scope.
#[derive(Clone, PartialEq, Debug)]
pub struct Layer {
    /// When it came into force, by the clock.
    pub since: i64,
    /// When it ends: with which scope, and which turn, round or phase.
    pub until: (LeaseScope, i32),
    /// What it did.
    pub change: Change,
}

/// What a layer did.
#[derive(Clone, PartialEq, Debug)]
pub enum Change {
    /// An attribute of a thing was set; what it was before, and what it became.
    Put(AttrId, u32, Datum, Datum),
    /// A component of a kind was moved from one place to another.
    Moved(usize, u32, u32, u32),
    /// An attachment ([`Numbers::layered`]) came into force, with what its names hold.
    Attached(usize, Vec<(LocalId, Datum)>),
}

/// The state of a game.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct World {
    /// What each thing has in each attribute that changes; the table's own under 0.
    pub attrs: BTreeMap<(AttrId, u32), Datum>,
    /// What limited things have been used: by the place of `once`'s declaration, and the thing or player.
    pub used: BTreeSet<(u32, u32, u32)>,
    /// All components, by kind and number.
    pub pieces: Vec<Vec<Piece>>,
    /// What lies at each place, top first.
    pub lying: Vec<Vec<u32>>,
    /// Which faces each seat knows: kind and number of the component.
    pub known: Vec<BTreeSet<(usize, u32)>>,
    /// Rounds begun.
    pub round: i64,
    /// Turns begun.
    pub turns: i64,
    /// Whose turn it is.
    pub turn: Option<u32>,
    /// Running phases, outermost first.
    pub phases: Vec<RuleId>,
    /// Turns within which the present turn is taken, outermost first.
    pub outer_turns: Vec<u32>,
    /// Changes that end with a scope, oldest first.
    pub layers: Vec<Layer>,
    /// Counts what comes into force.
    pub clock: i64,
    /// Who has won, lost or tied.
    pub verdicts: Vec<Option<Verdict>>,
    /// Whether the game is over.
    pub over: bool,
    /// The seed of all chance.
    pub seed: u64,
    /// Numbers drawn so far: for the table, then for each player.
    pub drawn: Vec<u64>,
}

impl World {
    /// Reads a state.
    pub fn read(n: &Numbers<'_>, state: &State) -> Result<World> {
        let p = n.p;
        let cell = |i: u32| state.cells.get(i as usize).map_or(ir::NONE, |v| i64::from(*v));
        let bit = |at: usize, i: usize| state.planes.get(at + i / 64).is_some_and(|w| w >> (i % 64) & 1 == 1);
        let mut w = World {
            round: i64::from(state.round()),
            turns: i64::from(state.turns()),
            turn: state.turn().map(|p| p as u32),
            over: state.head.over,
            outer_turns: state.outer_turns.iter().map(|p| *p as u32).collect(),
            clock: i64::from(state.head.next_layer),
            seed: state.head.seed,
            drawn: state.draws().to_vec(),
            lying: vec![Vec::new(); p.places.len()],
            known: vec![BTreeSet::new(); usize::from(p.seats)],
            ..World::default()
        };
        for (id, slot) in &n.attrs {
            let slot = &p.attrs[*slot];
            if slot.set_at.is_some() {
                return unsupported("attributes that hold sets");
            }
            for i in 0..slot.of.map_or(1, |u| n.count(u.0)) {
                let word = cell(slot.cell + i) as u64;
                w.attrs.insert((*id, i), n.decode(&[word], slot.show)?);
            }
        }
        for slot in p.attrs.iter().filter(|s| &*s.name == "used") {
            let span = p.decls[slot.decl.index()].span;
            for i in (0..slot.of.map_or(1, |u| n.count(u.0))).filter(|i| cell(slot.cell + i) == 1) {
                w.used.insert((u32::from(span.file.0), span.start, i));
            }
        }
        for (k, comps) in p.comps.iter().enumerate() {
            let count = n.families[k].count;
            let optional = |first: u32, i: u32| if first == u32::MAX { 0 } else { cell(first + i) };
            let pieces: Vec<Piece> = (0..count)
                .map(|i| Piece {
                    place: cell(comps.place + i) as u32,
                    face: cell(comps.face + i) as u32,
                    side: optional(comps.side, i) as u32,
                    up: comps.up == u32::MAX || cell(comps.up + i) != 0,
                    came: optional(comps.came, i),
                })
                .collect();
            for (i, piece) in pieces.iter().enumerate() {
                let place = &p.places[piece.place as usize];
                // A zone without an order of its own goes by numbers.
                if place.seq == u32::MAX || p.zones.get(usize::from(place.zone)).is_some_and(|z| z.slot) {
                    w.lying[piece.place as usize].push(i as u32);
                }
                for seat in 0..usize::from(p.seats) {
                    let words = usize::from(p.universes[comps.universe.index()].w);
                    if bit(comps.known as usize + seat * words, i) {
                        w.known[seat].insert((k, i as u32));
                    }
                }
            }
            w.pieces.push(pieces);
        }
        for (i, place) in p.places.iter().enumerate() {
            let slot = p.zones.get(usize::from(place.zone)).is_some_and(|z| z.slot);
            if place.seq != u32::MAX && !slot {
                let length = cell(place.seq).max(0) as u32;
                w.lying[i] = (0..length).map(|k| cell(place.seq + 1 + k) as u32).collect();
            }
        }
        let phases: Vec<RuleId> = (0..n.m.rules.len() as u32)
            .map(RuleId)
            .filter(|r| n.m.rules[r.index()].phase && n.set.has(n.m.rules[r.index()].scope))
            .collect();
        w.phases = state.phases().filter_map(|p| phases.get(usize::from(p)).copied()).collect();
        w.verdicts = state.verdicts.iter().map(|v| v.map(to_verdict)).collect();
        for layer in &state.layers {
            let attr = |slot: u16| n.attrs.iter().find(|(_, s)| **s == usize::from(slot)).map(|(id, _)| *id);
            let change = match layer.op {
                LayerOp::Put { attr: slot, thing, old, new } => {
                    let Some(id) = attr(slot) else { return unsupported("a layer on what is limited") };
                    let show = p.attrs[usize::from(slot)].show;
                    let value = |v: i32| n.decode(&[i64::from(v) as u64], show);
                    Change::Put(id, thing, value(old)?, value(new)?)
                }
                LayerOp::Moved { u, c, old, new } => {
                    Change::Moved(usize::from(u), c, u32::from(old), u32::from(new))
                }
                LayerOp::Attached { what, at, n: words } => {
                    let Some((_, names)) = n.layered.get(usize::from(what)) else {
                        return unsupported("a layer that is not known");
                    };
                    let all = state.layer_words.get(at as usize..at as usize + usize::from(words));
                    let (mut held, mut from) = (Vec::new(), 0);
                    for (local, ty) in names {
                        let (show, width) = n.register(ty)?;
                        let own = all.and_then(|all| all.get(from..from + width)).unwrap_or(&[]);
                        held.push((*local, n.decode(own, show)?));
                        from += width;
                    }
                    Change::Attached(usize::from(what), held)
                }
            };
            let until = (layer.until.scope, layer.until.arg);
            w.layers.push(Layer { since: i64::from(layer.seq), until, change });
        }
        Ok(w)
    }

    /// The component of a thing.
    pub fn piece(&self, n: &Numbers<'_>, thing: (u16, u32)) -> Result<&Piece> {
        let family = n.families.iter().position(|f| f.universe == thing.0);
        match family.and_then(|f| self.pieces.get(f)?.get(thing.1 as usize)) {
            Some(p) => Ok(p),
            None => unsupported("what lies somewhere and is no component"),
        }
    }
}

fn to_verdict(v: VerdictCode) -> Verdict {
    match v {
        VerdictCode::Win => Verdict::Win,
        VerdictCode::Lose => Verdict::Lose,
        VerdictCode::Tie => Verdict::Tie,
    }
}

impl Numbers<'_> {
    /// How a value of a type stands in registers, and in how many.
    pub fn register(&self, ty: &Ty) -> Result<(Show, usize)> {
        let universe = || self.universe_of(ty).map(ir::UniverseId);
        Ok(match ty {
            Ty::Bool => (Show::Truth, 1),
            Ty::Int(..) => (Show::Number, 1),
            Ty::Place => (Show::Place, 1),
            Ty::Phase => (Show::Phase, 1),
            Ty::Maybe(t) => self.register(t)?,
            Ty::Set(_) | Ty::List(_) | Ty::Filter(_) => match universe() {
                Some(u) => (Show::Set(u), self.p.universes.get(u.index()).map_or(1, |u| usize::from(u.w))),
                None => return unsupported("names that hold sets of numbers"),
            },
            _ => match universe() {
                Some(u) => (Show::Thing(u), 1),
                None => return unsupported("names of this type"),
            },
        })
    }
}
