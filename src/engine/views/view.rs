//! What a seat may know, as plain data: names and numbers, made from the state. Views and the log use the same knowledge.
//!
//! A view does not contain the hidden face of a component, nor its number, nor its own attributes: only that it lies there and what is on its back.
use crate::base::bitset;
use crate::data::outcome::Outcome;
use crate::data::seats::{answering, in_mask};
use crate::machine::game::Machine;
use crate::scheduler::core::Core;
use crate::world::graph::MAX_WORDS;
use crate::world::knowledge::SeededFault;
use crate::world::{cells, knowledge, naming};
use houserule_program::ir::{
    AttrIx, LookSlot, NONE, Program, SeenBy, Show, TemplateIx, Topology, UniverseId, UniverseSort, ZoneSlot,
};
use serde::Serialize;
use std::sync::Arc;

/// A word and a title.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize)]
pub struct Description {
    /// As rules and saves write it.
    pub word: Arc<str>,
    /// For people.
    pub title: Arc<str>,
}

/// An attribute as it is seen.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct Seen {
    /// Its name.
    pub name: Arc<str>,
    /// Its value as people read it.
    pub text: String,
    /// Its value as rules and saves write it.
    pub word: String,
    /// Its value as a number (things: their number), if it is one value and not none.
    pub number: Option<i64>,
}

/// One thing that a `look` draws.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct Drawn {
    /// Which part of the drawing: `fill`, `edge`, `shape`, `turn`, `title`, `text`, `corner` or `badge`.
    pub slot: Arc<str>,
    /// What is drawn; empty if there is nothing to draw now.
    pub text: String,
}

impl Drawn {
    /// Its part and what is drawn there, as `LookParts` of the room model takes them.
    pub fn row(&self) -> (&str, &str) {
        (&self.slot, &self.text)
    }
}

/// A component as it is seen.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize)]
pub struct Card {
    /// Its kind.
    pub kind: Arc<str>,
    /// Its face, if the seat knows it.
    pub face: Option<Description>,
    /// The number of its face, if the seat knows it.
    pub face_number: Option<u32>,
    /// Whose it is, of a kind of which each player has a set, if the seat knows its face.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<usize>,
    /// The number of its back; components with different backs can be distinguished.
    pub back: u16,
    /// Whether it lies face up; `None` where nothing of the kind is ever turned.
    pub up: Option<bool>,
    /// The value that a die shows.
    pub side: Option<i64>,
    /// The side that a die shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shows: Option<Description>,
    /// Attributes of its own, if the seat knows its face.
    pub attrs: Vec<Seen>,
    /// How it is drawn: its face, if the seat knows it, else its back. Empty if the rules do not say.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub look: Vec<Drawn>,
}

/// The components at one place.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct Pile {
    /// The zone's name.
    pub zone: Arc<str>,
    /// Its index, if the zone has several places for each holder.
    pub index: Option<i64>,
    /// The name of that index, if it is a thing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub called: Option<Description>,
    /// The place's number.
    pub place: u16,
    /// At most one thing lies there.
    pub slot: bool,
    /// Whether it is ordered: then `cards` is in order, the top first. Else the known ones come first by their faces, then the hidden ones by their backs.
    pub ordered: bool,
    /// Whether it is a supply that never runs out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unlimited: bool,
    /// The components, as they are seen.
    pub cards: Vec<Card>,
    /// How many of them are hidden.
    pub hidden: usize,
}

/// The table, a player, a space or another holder, with all that the seat may know of it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct HolderView {
    /// The name of its universe; empty for the table.
    pub kind: Arc<str>,
    /// Its number.
    pub number: u32,
    /// How it is called.
    pub name: Description,
    /// Its attributes, those that the seat may see.
    pub attrs: Vec<Seen>,
    /// Its zones.
    pub piles: Vec<Pile>,
    /// Players who stand there, by number: of a space.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub standing: Vec<usize>,
    /// How it is drawn. Empty if the rules do not say.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub look: Vec<Drawn>,
}

/// A map with its spaces.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct MapView {
    /// Its name.
    pub name: Arc<str>,
    /// Columns and rows; of a map that grows, those of the part in play.
    pub size: (u32, u32),
    /// The first column and row that are drawn, from 0: not 0 only if the map grows.
    #[serde(skip_serializing_if = "is_corner")]
    pub from: (u16, u16),
    /// Whether it is of hexes.
    pub hexes: bool,
    /// Where each space is drawn: column, row (0 is the south).
    pub at: Vec<(u16, u16)>,
    /// The ways of a graph: from which space, to which, and whether they lead there only.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ways: Vec<(u16, u16, bool)>,
    /// Its spaces, in order; of a map that grows, those that are in play.
    pub spaces: Vec<HolderView>,
}

/// How a word is drawn where it stands in a text: a member of an enum, a direction, a team, a line of a board.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct WordSign {
    /// Its kind.
    pub kind: Arc<str>,
    /// The word.
    pub name: Description,
    /// How it is drawn.
    pub look: Vec<Drawn>,
}

/// All that a seat may know.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct View {
    /// Whose view it is.
    pub seat: usize,
    /// Rounds begun.
    pub round: i32,
    /// Turns begun.
    pub turns: i32,
    /// Whose turn it is, by the player's number.
    pub turn: Option<usize>,
    /// The running phases, outermost first.
    pub phases: Vec<Description>,
    /// The table's attributes and zones.
    pub table: HolderView,
    /// The players'.
    pub players: Vec<HolderView>,
    /// For each player the seats that answer for it: none, one, or several.
    pub answered: Vec<Vec<usize>>,
    /// Maps with their spaces.
    pub maps: Vec<MapView>,
    /// Whatever else has attributes or zones.
    pub others: Vec<HolderView>,
    /// The words that are drawn as signs where they stand in a text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub signs: Vec<WordSign>,
    /// How the game ended, if it is over.
    pub outcome: Option<Outcome>,
}

/// The word and the title of a thing.
fn describe(p: &Program, u: UniverseId, value: i64) -> Description {
    let (word, title) = (naming::thing_word(p, u, value), naming::thing_title(p, u, value));
    Description { word: word.into(), title: title.into() }
}

fn is_corner(from: &(u16, u16)) -> bool {
    *from == (0, 0)
}

/// The first column and row of some spaces, and the number of columns and rows that they take. On hexes the first row has an even number, because every other row is shifted.
fn bounds_of(at: &[(u16, u16)], hexes: bool) -> ((u16, u16), (u32, u32)) {
    let ends = |of: fn(&(u16, u16)) -> u16| {
        let all = || at.iter().map(of);
        (all().min().unwrap_or(0), all().max().map_or(0, |n| n + 1))
    };
    let ((c, columns), (r, rows)) = (ends(|p| p.0), ends(|p| p.1));
    let r = if hexes { r - r % 2 } else { r };
    ((c, r), (u32::from(columns - c), u32::from(rows - r)))
}

impl Machine {
    /// What a seat may know.
    pub fn view(&mut self, seat: usize) -> View {
        let p = self.program.clone();
        let turn = self.core.state.turn();
        let running = self.core.state.phases().filter_map(|i| p.phases.get(i as usize));
        let phases = running.map(|f| Description { word: f.name.clone(), title: f.title.clone() }).collect();
        let table = self.holder(&p, seat, None, 0);
        let players =
            (0..u32::from(p.players)).map(|i| self.holder(&p, seat, Some(p.player_universe), i)).collect();
        let mut maps = Vec::new();
        for map in &p.maps {
            let shown = self.spaces_in_play(map);
            let spaces = shown.iter().map(|i| self.holder(&p, seat, Some(map.spaces), *i)).collect();
            let at: Vec<_> = shown.iter().filter_map(|i| map.at.get(*i as usize).copied()).collect();
            let (from, size) = match map.in_play {
                Some(_) => bounds_of(&at, map.hexes),
                None => ((0, 0), map.size),
            };
            let (name, hexes, ways) = (map.name.clone(), map.hexes, map.ways.clone());
            maps.push(MapView { name, size, from, hexes, at, ways, spaces });
        }
        let mut others = Vec::new();
        for (i, u) in p.universes.iter().enumerate() {
            let id = UniverseId(i as u16);
            let known = id == p.player_universe || p.maps.iter().any(|m| m.spaces == id);
            let holds = p.zones.iter().any(|z| z.of == Some(id)) || p.attrs.iter().any(|a| a.of == Some(id));
            if !known && holds && !matches!(u.sort, UniverseSort::Components(_)) {
                others.extend((0..u.n).map(|k| self.holder(&p, seat, Some(id), k)));
            }
        }
        View {
            seat,
            round: self.core.state.head.round,
            turns: self.core.state.head.turns,
            turn,
            phases,
            table,
            players,
            answered: p
                .answered
                .iter()
                .map(|seats| (0..32).filter(|s| seats >> s & 1 == 1).collect())
                .collect(),
            maps,
            others,
            signs: self.signs_of_words(&p, seat),
            outcome: self.outcome().cloned(),
        }
    }

    fn signs_of_words(&mut self, p: &Program, seat: usize) -> Vec<WordSign> {
        let mut out = Vec::new();
        for slot in &p.looks {
            let Some(u) = p.universes.get(slot.universe.index()).filter(|u| u.sort == UniverseSort::Words)
            else {
                continue;
            };
            out.extend((0..i64::from(u.n)).map(|value| WordSign {
                kind: u.name.clone(),
                name: describe(p, slot.universe, value),
                look: self.drawn(p, seat, Some(slot), value, false),
            }));
        }
        out
    }

    /// The numbers of the spaces that are shown: all of them, or of a map that grows those that are in play.
    fn spaces_in_play(&mut self, map: &Topology) -> Vec<u32> {
        let n = map.at.len();
        let mut words = [u64::MAX; MAX_WORDS];
        let set = words.get_mut(..n.div_ceil(64)).unwrap_or_default();
        // After a rule error all are shown.
        if let Some(f) = map.in_play
            && self.eval(f, &[], set).is_err()
        {
            set.fill(u64::MAX);
        }
        bitset::bits(set).take_while(|i| *i < n).map(|i| i as u32).collect()
    }

    fn holder(&mut self, p: &Program, seat: usize, u: Option<UniverseId>, i: u32) -> HolderView {
        let lo = u.map_or(0, |u| naming::first_number(p, u));
        let value = i64::from(i) + lo;
        let (kind, name) = match u {
            Some(u) => {
                (p.universes.get(u.index()).map_or("".into(), |u| u.name.clone()), describe(p, u, value))
            }
            None => ("".into(), Description::default()),
        };
        let player = if u == Some(p.player_universe) { i64::from(i) } else { NONE };
        let mut attrs = Vec::new();
        for (k, a) in p.attrs.iter().enumerate() {
            if a.of == u && self.sees_attr(p, seat, a.seen, player, i64::from(i)) {
                attrs.push(self.seen_attr(AttrIx(k as u16), i as usize, seat));
            }
        }
        attrs.extend(p.printed.iter().filter(|x| Some(x.of) == u).filter_map(|x| {
            let value = i64::from(*p.tables.get(x.table.index())?.values.get(i as usize)?);
            let text = |people| naming::value_text(self.look(), x.show, &[value as u64], None, people);
            Some(Seen {
                name: x.name.clone(),
                text: text(true),
                word: text(false),
                number: (value != NONE).then_some(value),
            })
        }));
        for x in p.shown.iter().filter(|x| Some(x.of) == u) {
            let mut word = [NONE as u64];
            // After a rule error nothing is shown.
            if self.eval(x.func, &[value as u64], &mut word).is_err() {
                word = [NONE as u64];
            }
            let number = Some(word[0] as i64).filter(|n| *n != NONE);
            let text = |people| naming::value_text(self.look(), x.show, &word, None, people);
            attrs.push(Seen { name: x.name.clone(), text: text(true), word: text(false), number });
        }
        let mut piles = Vec::new();
        for z in &p.zones {
            if z.of != u {
                continue;
            }
            for k in 0..z.indexes.max(1) {
                let Some(place) = z.place(i as usize, usize::from(k)) else { continue };
                let index = (z.indexes > 1).then(|| i64::from(z.index_lo) + i64::from(k));
                piles.push(self.pile(p, seat, place, z, index));
            }
        }
        let look = match u {
            Some(u) => {
                let slot = p.looks.iter().find(|l| l.universe == u);
                self.drawn(p, seat, slot, value, false)
            }
            None => Vec::new(),
        };
        let standing = self.standing_on(p, seat, u, i64::from(i));
        HolderView { kind, number: i, name, attrs, piles, standing, look }
    }

    /// Players who stand on a thing of a universe, if it is the universe of the spaces on which players stand.
    fn standing_on(&mut self, p: &Program, seat: usize, u: Option<UniverseId>, i: i64) -> Vec<usize> {
        let Some(at) = p.standing else { return Vec::new() };
        let Some(slot) = p.attrs.get(at.index()) else { return Vec::new() };
        if !matches!(slot.show, Show::Thing(v) if Some(v) == u) {
            return Vec::new();
        }
        let all = 0..usize::from(p.players);
        all.filter(|k| {
            self.look().attr(at, *k) == Some(i) && self.sees_attr(p, seat, slot.seen, *k as i64, *k as i64)
        })
        .collect()
    }

    /// The rows of a look. The checker makes sure that they read only what everybody may know, beside a known face.
    fn drawn(
        &mut self,
        p: &Program,
        seat: usize,
        look: Option<&LookSlot>,
        thing: i64,
        back: bool,
    ) -> Vec<Drawn> {
        let mut out = Vec::new();
        for row in look.map_or(&[][..], |l| &l.rows).iter().filter(|r| r.back == back) {
            let mut words = [0u64; 64];
            let n = p.funcs.get(row.func.index()).map_or(1, |f| f.results as usize).clamp(1, 64);
            let Some(room) = words.get_mut(..n) else { continue };
            // A rule error in a look draws nothing.
            if self.eval(row.func, &[thing as u64], room).is_err() {
                room.fill(NONE as u64);
            }
            let first = room.first().map_or(NONE, |x| *x as i64);
            let text = match row.show {
                Show::Text => match u16::try_from(first) {
                    Ok(t) => self.fill(TemplateIx(t), &[thing as u64], naming::alone(seat)),
                    Err(_) => String::new(),
                },
                _ if first == NONE => String::new(),
                show => naming::value_text(self.look(), show, room, naming::alone(seat), true),
            };
            out.push(Drawn { slot: row.slot.clone(), text });
        }
        out
    }

    /// Whether a seat sees an attribute of a holder.
    fn sees_attr(&mut self, p: &Program, seat: usize, seen: SeenBy, player: i64, thing: i64) -> bool {
        match seen {
            SeenBy::All => true,
            SeenBy::Owner => in_mask(answering(p, player), seat),
            SeenBy::Nobody => false,
            SeenBy::Func(f) => {
                let Core { context, world, state, .. } = &mut self.core;
                context.refill();
                match context.seers_by(world.with(p), state, f, player, thing) {
                    Ok(seats) => in_mask(seats, seat),
                    // A rule error hides it.
                    Err(stop) => {
                        let _ = context.fault(stop);
                        false
                    }
                }
            }
        }
    }

    fn seen_attr(&self, attr: AttrIx, thing: usize, seat: usize) -> Seen {
        let look = self.look();
        let slot = self.program.attrs.get(attr.index());
        let one = slot.is_some_and(|a| !matches!(a.show, Show::Set(_) | Show::List(_)));
        let hidden = slot.is_some_and(|a| match a.show {
            // No seat sees a component's number: it would show which of several hidden ones this is.
            Show::Thing(u) => self.core.world.universes.get(u.index()).is_some_and(|u| u.comps != u16::MAX),
            _ => false,
        });
        Seen {
            name: slot.map_or("".into(), |a| a.name.clone()),
            text: crate::context::recorder::attr_text(look, attr, thing, naming::alone(seat), true),
            word: crate::context::recorder::attr_text(look, attr, thing, naming::alone(seat), false),
            number: if one && !hidden { look.attr(attr, thing) } else { None },
        }
    }

    fn pile(&mut self, p: &Program, seat: usize, place: usize, z: &ZoneSlot, index: Option<i64>) -> Pile {
        let ci = z.holds as usize;
        let lying = cells::lying_at(p, &self.core.state, place);
        let mut cards: Vec<Card> = lying.iter().map(|c| self.card(p, seat, ci, *c)).collect();
        let hidden = cards.iter().filter(|c| c.face.is_none()).count();
        if !z.ordered && !z.slot && self.core.context.seeded != Some(SeededFault::HandlesKept) {
            // By what is seen of them: their numbers would show which of several hidden ones has come out.
            let attrs = |c: &Card| c.attrs.iter().map(|a| a.word.clone()).collect::<Vec<_>>();
            cards.sort_by_key(|c| (c.face.is_none(), c.face_number, c.side, c.up, c.back, attrs(c)));
        }
        Pile {
            zone: z.name.clone(),
            index,
            called: index.zip(z.index_of).map(|(k, u)| describe(p, u, k)),
            place: place as u16,
            slot: z.slot,
            ordered: z.ordered,
            unlimited: z.unlimited,
            cards,
            hidden,
        }
    }

    fn card(&mut self, p: &Program, seat: usize, ci: usize, c: usize) -> Card {
        let Some(comps) = p.comps.get(ci) else { return Card::default() };
        let face = self.look().face(ci, c).unwrap_or(0);
        let leaks = self.core.context.seeded == Some(SeededFault::ViewShowsFaces);
        let known = leaks || knowledge::knows(p, &self.core.state, seat, ci, c);
        let side = if comps.side == u32::MAX || !known {
            None
        } else {
            usize::try_from(cells::cell(&self.core.state, comps.side as usize + c))
                .ok()
                .and_then(|s| comps.sides.get(face).and_then(|x| x.get(s)))
                .map(|v| i64::from(*v))
        };
        let shows = match (comps.showing, self.look().side(ci, c)) {
            (Some(u), Some(s)) if known => Some(describe(p, u, s as i64)),
            _ => None,
        };
        let mut attrs = Vec::new();
        for (k, a) in p.attrs.iter().enumerate() {
            // An attribute that nobody may see is the engine's own, such as when a component came to its place.
            let visible = !matches!(a.seen, SeenBy::Nobody) && (known || a.back && a.own.is_empty());
            if visible && a.of == Some(comps.universe) && (a.own.is_empty() || a.own.contains(&(face as u16)))
            {
                attrs.push(self.seen_attr(AttrIx(k as u16), c, seat));
            }
        }
        // The kind of a face is no secret: its back shows it.
        let has = |l: &&LookSlot| l.universe == comps.universe && bitset::get_bit(&l.faces, 0, face);
        let slot = p.looks.iter().filter(has).max_by_key(|l| l.depth);
        let look = self.drawn(p, seat, slot, c as i64, !known);
        Card {
            kind: p.universes.get(comps.universe.index()).map_or("".into(), |u| u.name.clone()),
            face: known.then(|| describe(p, comps.faces, face as i64)),
            face_number: known.then_some(face as u32),
            owner: comps.owners.get(c).filter(|_| known).and_then(|p| usize::try_from(*p).ok()),
            back: comps.backs.get(face).copied().unwrap_or(0),
            up: (comps.up != u32::MAX).then(|| cells::cell(&self.core.state, comps.up as usize + c) != 0),
            side,
            shows,
            attrs,
            look,
        }
    }
}
