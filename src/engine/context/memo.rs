//! Memoisation of options and values, with invalidation by read and write sets.
//!
//! Where several players act freely, each answer makes the engine list the menus of all players again, and most of them read nothing that the answer has changed. A read set and a write set
//! are sets of *classes* (one bit each): an attribute, where the components of a kind lie, what they show, layers, clocks. The read set of a function follows from its code and that of the
//! functions it calls; a function with an `opaque` instruction is never memoised. Effects note their write sets; notes are applied before a memoised result is used.
//! Code that changes a state by other means calls [`Memo::invalidate_all`].
use crate::data::decision::{Options, Segment, shift_segment};
use houserule_program::ir::def_use::{Use, used};
use houserule_program::ir::*;

/// A read set or a write set, one bit for each class: attributes (several may share one), places, what is shown and known, layers, clocks.
pub(crate) type Classes = u64;

/// All classes.
pub(crate) const ALL: Classes = !NEVER;
/// In a read set: the result must not be memoised at all.
const NEVER: Classes = 1 << 63;
/// Attachments that layers bring into force.
const FORCE: Classes = 1 << 59;
/// All other layers.
const LAYERS: Classes = 1 << 60;
const CLOCKS: Classes = 1 << 61;
const ATTRS: u32 = 32;
const KINDS: u32 = 10;
const PLACES: Classes = ((1 << KINDS) - 1) << ATTRS;

/// An attribute's class.
pub(crate) fn attr_class(attr: AttrIx) -> Classes {
    1 << (u32::from(attr.0) % ATTRS)
}

/// The class of the places of a kind of components.
fn places_class(ci: usize) -> Classes {
    1 << (ATTRS + ci as u32 % KINDS)
}

/// The class of what a kind of components shows, and of who knows it.
fn faces_class(ci: usize) -> Classes {
    1 << (ATTRS + KINDS + ci as u32 % KINDS)
}

/// The class that changes when a seat learns what components of a kind show.
pub(crate) fn knowledge_class(ci: usize) -> Classes {
    faces_class(ci)
}

/// The kind of components of a universe.
fn kind_of(p: &Program, u: u8) -> Option<usize> {
    match p.universes.get(u as usize)?.sort {
        UniverseSort::Components(ci) => Some(ci as usize),
        _ => None,
    }
}

/// The read set of a function.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Reads {
    /// What it reads of anything.
    any: Classes,
    /// What it reads only of the player that is its first argument.
    own: Classes,
}

impl Reads {
    /// Whether a function that reads this may give something else after these changes.
    pub(crate) fn is_changed_by(self, changes: Classes) -> bool {
        (self.any | self.own) & (changes | NEVER) != 0
    }

    fn with(self, o: Reads) -> Reads {
        Reads { any: self.any | o.any, own: self.own | o.own }
    }
}

/// Memoised options or a memoised truth value, of one function for one player.
#[derive(Default)]
struct Entry {
    truth: bool,
    segments: Vec<Segment>,
    words: Vec<u64>,
}

/// Memoised results: one for each function that has a number here, and each player.
#[derive(Default)]
pub(crate) struct Memo {
    /// Changes that are not applied yet.
    pub dirty: Classes,
    /// By player: changes of the player's attributes that are not applied yet. Empty if nothing is memoised: then they are noted in `dirty`.
    dirty_of: Vec<Classes>,
    /// Whether any of `dirty_of` is not empty.
    is_player_dirty: bool,
    /// Changes since [`Memo::take_sight_change`] was called last.
    unnoticed: Classes,
    /// The read set of what seats see.
    sight: Classes,
    /// By invariant: its read set.
    invariants: Vec<Classes>,
    /// Changes since [`Memo::keep_invariants`] was called last.
    unjudged: Classes,
    /// Changes since [`Memo::watch`] was called last: of anything, and by player of the player's attributes.
    watched: Classes,
    watched_of: Vec<Classes>,
    /// What changes when a turn, round or phase begins or ends.
    clock: Classes,
    /// By kind of components: what changes when one is moved.
    moved: Vec<Classes>,
    /// Whether options and conditions are memoised now.
    pub on: bool,
    /// Whether the state is speculative: then nothing is memoised or recalled.
    pub speculative: bool,
    /// By function: the number of its result; `u16::MAX`: it is not memoised.
    first: Vec<u16>,
    players: usize,
    /// Words of a set of results.
    w: usize,
    /// By player: the set of results that are valid.
    good: Vec<u64>,
    /// By class: the set of results that read it of anything, and of those that read it at least of the player's own.
    any: Vec<u64>,
    own: Vec<u64>,
    entries: Vec<Entry>,
    /// By value ([`Program::kept`]): its first word in `words`, its words for one player, and its number among the results.
    values: Vec<(u32, u8, u16)>,
    words: Vec<u64>,
}

impl Memo {
    /// An empty memo. Only games in which players act freely, or with memoised values or invariants, use it.
    pub fn new(p: &Program) -> Memo {
        let freely = p.code.iter().any(|i| matches!(i, Ins::Fork { freely: true, .. }));
        let noticed = p.code.iter().any(|i| matches!(i, Ins::Notice));
        let mut memo = Memo {
            dirty: ALL,
            sight: ALL,
            clock: ALL,
            unjudged: ALL,
            first: vec![u16::MAX; p.funcs.len()],
            ..Memo::default()
        };
        if !freely && !noticed && p.kept.is_empty() && p.invariants.is_empty() {
            return memo;
        }
        let mut funcs: Vec<FuncId> = Vec::new();
        for menu in p.menus.iter().filter(|m| m.params == 0 && freely) {
            funcs.extend(menu.open.iter().map(|(f, _)| *f));
            for end in menu.done.iter().chain(&menu.pass) {
                match end.when {
                    EndWhen::Func(f) => funcs.push(f),
                    EndWhen::ByAction(a, b) => funcs.extend([a, b]),
                    EndWhen::Always | EndWhen::NoAction => {}
                }
            }
            funcs.extend(menu.actions.iter().filter_map(|a| p.actions.get(a.index())).map(|a| a.enumerator));
        }
        let seers = p.zones.iter().filter_map(|z| if let SeenBy::Func(f) = z.seen { Some(f) } else { None });
        let others = p.kept.iter().map(|k| k.func).chain(p.invariants.iter().map(|i| i.func));
        let reads = read_sets(p, funcs.iter().copied().chain(seers).chain(others));
        memo.sight = sight_classes(p, &reads);
        let of_invariant = |i: &InvariantSlot| reads.get(i.func.index()).map_or(NEVER, |r| r.any | r.own);
        memo.invariants = p.invariants.iter().map(of_invariant).collect();
        let renewed = p.attrs.iter().enumerate().filter(|(_, a)| a.per.is_some());
        memo.clock = renewed.fold(CLOCKS | LAYERS, |m, (i, _)| m | attr_class(AttrIx(i as u16)));
        memo.moved = p.comps.iter().enumerate().map(|(ci, c)| moved_classes(p, ci, c)).collect();
        if !freely && p.kept.is_empty() {
            return memo;
        }
        memo.players = p.players as usize;
        memo.dirty_of = vec![0; memo.players];
        let mut all: Vec<Reads> = Vec::new();
        for f in funcs {
            let (Some(first), Some(reads)) = (memo.first.get_mut(f.index()), reads.get(f.index()).copied())
            else {
                continue;
            };
            if *first == u16::MAX && reads.any & NEVER == 0 {
                *first = u16::try_from(all.len()).unwrap_or(u16::MAX);
                all.push(reads);
            }
        }
        memo.entries.resize_with(all.len() * memo.players, Entry::default);
        for k in &p.kept {
            let reads = reads.get(k.func.index()).copied().unwrap_or(Reads { any: NEVER, own: 0 });
            memo.values.push((memo.words.len() as u32, k.words, all.len() as u16));
            memo.words.resize(memo.words.len() + usize::from(k.words) * memo.players, 0);
            all.push(reads);
        }
        memo.w = all.len().div_ceil(64);
        memo.good = vec![0; memo.w * memo.players];
        let table = |of: fn(&Reads) -> Classes| {
            let mut out = vec![0u64; memo.w * 64];
            for (k, reads) in all.iter().enumerate() {
                for class in (0..64).filter(|c| of(reads) >> c & 1 == 1) {
                    out[class * memo.w + k / 64] |= 1 << (k % 64);
                }
            }
            out
        };
        (memo.any, memo.own) = (table(|r| r.any), table(|r| r.own | r.any));
        memo
    }

    /// Notes that everything may have changed.
    pub fn invalidate_all(&mut self) {
        self.dirty = ALL;
    }

    /// Notes that a turn, round or phase begins or ends; layers that end with it are noted separately.
    #[inline]
    pub fn note_clock(&mut self) {
        self.dirty |= self.clock;
    }

    /// Notes that a component of a kind has moved.
    pub fn note_move(&mut self, ci: usize) {
        self.dirty |= self.moved.get(ci).copied().unwrap_or(ALL);
    }

    /// Notes that an attachment of a layer begins or ends.
    pub fn note_attachments(&mut self) {
        self.dirty |= FORCE | LAYERS;
    }

    /// Notes the write set of an effect; `thing` is the player whose attribute it writes, `layered` whether a layer is open.
    pub fn note_effect(&mut self, p: &Program, ins: &Ins, thing: Option<i64>, layered: bool) {
        if let (Ins::StAttr { attr, .. }, Some(thing)) = (ins, thing) {
            self.note_player_attr(thing, *attr);
        } else {
            self.dirty |= self.write_set(p, ins);
        }
        if layered {
            self.dirty |= LAYERS;
        }
    }

    fn write_set(&self, p: &Program, ins: &Ins) -> Classes {
        let of = |u: u8, f: fn(usize) -> Classes| kind_of(p, u).map_or(ALL, f);
        let moved = |u: u8| kind_of(p, u).and_then(|ci| self.moved.get(ci)).copied().unwrap_or(ALL);
        match ins.changes() {
            // What a seat learns is noted where it happens; functions that read histories are never memoised.
            Changes::Nothing => 0,
            Changes::Attr(attr) => attr_class(attr),
            Changes::Faces(u) => of(u, faces_class),
            Changes::Moved(u) => moved(u),
            Changes::Turns => self.clock,
            Changes::Force => FORCE | LAYERS,
            Changes::Anything => ALL,
        }
    }

    /// Notes that a player's attribute has changed.
    #[inline]
    pub fn note_player_attr(&mut self, player: i64, attr: AttrIx) {
        match usize::try_from(player).ok().and_then(|i| self.dirty_of.get_mut(i)) {
            Some(dirty) => {
                *dirty |= attr_class(attr);
                self.is_player_dirty = true;
            }
            None => self.dirty |= attr_class(attr),
        }
    }

    /// Applies the noted changes.
    #[inline]
    fn apply_changes(&mut self) {
        if self.dirty != 0 || self.is_player_dirty {
            self.invalidate_changed();
        }
    }

    // Not inlined, so that the run loop keeps no register for it.
    #[inline(never)]
    fn invalidate_changed(&mut self) {
        let dirty = std::mem::take(&mut self.dirty);
        self.unnoticed |= dirty;
        self.unjudged |= dirty;
        self.watched |= dirty;
        if dirty == ALL {
            self.good.fill(0);
            self.dirty_of.fill(0);
            self.is_player_dirty = false;
            return;
        }
        for player in 0..self.players {
            self.invalidate(true, player, dirty);
        }
        if !std::mem::take(&mut self.is_player_dirty) {
            return;
        }
        for whose in 0..self.dirty_of.len() {
            let dirty = self.dirty_of.get_mut(whose).map_or(0, std::mem::take);
            self.unnoticed |= dirty;
            self.unjudged |= dirty;
            self.watched_of.get_mut(whose).into_iter().for_each(|of| *of |= dirty);
            if dirty != 0 {
                for player in 0..self.players {
                    self.invalidate(player == whose, player, dirty);
                }
            }
        }
    }

    /// Invalidates the results of a player that read these classes; `own`: also those that read only the player's own attributes.
    fn invalidate(&mut self, own: bool, player: usize, classes: Classes) {
        let table = if own { &self.own } else { &self.any };
        let at = player * self.w;
        let Some(good) = self.good.get_mut(at..at + self.w) else { return };
        for class in crate::base::bitset::bits(&[classes]) {
            let out = table.get(class * self.w..(class + 1) * self.w).unwrap_or(&[]);
            good.iter_mut().zip(out).for_each(|(g, o)| *g &= !o);
        }
    }

    /// Whether result `k` is valid for a player.
    #[inline]
    fn is_good(&self, k: usize, player: usize) -> bool {
        self.good.get(player * self.w + k / 64).is_some_and(|g| g >> (k % 64) & 1 == 1)
    }

    #[inline]
    fn set_good(&mut self, k: usize, player: usize) {
        if let Some(g) = self.good.get_mut(player * self.w + k / 64) {
            *g |= 1 << (k % 64);
        }
    }

    /// Whether what seats see may have changed since the last call.
    pub fn take_sight_change(&mut self) -> bool {
        self.apply_changes();
        std::mem::take(&mut self.unnoticed) & self.sight != 0
    }

    /// Whether an invariant may have ceased to hold since the last call of [`Memo::keep_invariants`].
    pub fn may_be_broken(&mut self, invariant: usize) -> bool {
        self.apply_changes();
        self.invariants.get(invariant).is_none_or(|reads| reads & (self.unjudged | NEVER) != 0)
    }

    /// Notes that all invariants hold now.
    pub fn keep_invariants(&mut self) {
        self.unjudged = 0;
    }

    /// Begins to watch what changes from now on.
    pub fn watch(&mut self, players: usize) {
        self.apply_changes();
        if self.dirty_of.is_empty() {
            self.dirty_of.resize(players, 0);
        }
        self.watched = 0;
        self.watched_of.clear();
        self.watched_of.resize(players, 0);
    }

    /// Whether something that a function of a player reads may have changed since [`Memo::watch`] was called last.
    pub fn has_changed(&mut self, reads: Reads, player: usize) -> bool {
        self.apply_changes();
        let all = self.watched_of.iter().fold(self.watched, |all, of| all | of);
        let own = self.watched | self.watched_of.get(player).copied().unwrap_or(ALL);
        reads.any & (all | NEVER) != 0 || reads.own & own != 0
    }

    /// The words of a memoised value, if they are valid for that player.
    #[inline]
    pub fn recall_value(&mut self, value: u8, player: i64) -> Option<&[u64]> {
        self.apply_changes();
        let (at, w, k) = *self.values.get(value as usize)?;
        let player = usize::try_from(player).ok().filter(|i| *i < self.players)?;
        if self.speculative || !self.is_good(usize::from(k), player) {
            return None;
        }
        let at = at as usize + player * usize::from(w);
        self.words.get(at..at + usize::from(w))
    }

    /// Memoises the words of a value. False if other words were valid.
    #[inline]
    pub fn keep_value(&mut self, value: u8, player: i64, words: &[u64]) -> bool {
        // Computing a value changes nothing, and earlier changes were applied when it was not recalled.
        let Some((at, w, k)) = self.values.get(value as usize).copied() else { return true };
        let Some(player) = usize::try_from(player).ok().filter(|i| *i < self.players) else { return true };
        if self.speculative
            || self.any.get(63 * self.w + usize::from(k) / 64).is_none_or(|x| x >> (k % 64) & 1 == 1)
        {
            return true;
        }
        let good = self.is_good(usize::from(k), player);
        let at = at as usize + player * usize::from(w);
        let Some(room) = self.words.get_mut(at..at + usize::from(w)) else { return true };
        let same = !good || *room == *words;
        room.copy_from_slice(words);
        self.set_good(usize::from(k), player);
        same
    }

    /// The position of a function's result for a player, if it is memoised.
    pub fn find_slot(&self, f: FuncId, who: i64, params: &[u64]) -> Option<(usize, usize)> {
        if !self.on || self.speculative || !params.is_empty() {
            return None;
        }
        let k = *self.first.get(f.index()).filter(|i| **i != u16::MAX)?;
        Some((usize::from(k), usize::try_from(who).ok().filter(|i| *i < self.players)?))
    }

    /// The memoised truth value, if it is valid.
    pub fn recall_truth(&mut self, (k, player): (usize, usize)) -> Option<bool> {
        self.apply_changes();
        self.entries.get(k * self.players + player).filter(|_| self.is_good(k, player)).map(|e| e.truth)
    }

    /// Memoises a truth value.
    pub fn keep_truth(&mut self, (k, player): (usize, usize), truth: bool) {
        if let Some(e) = self.entries.get_mut(k * self.players + player) {
            e.truth = truth;
            self.set_good(k, player);
        }
    }

    /// Adds the memoised options, if they are valid.
    pub fn recall_options(&mut self, (k, player): (usize, usize), opts: &mut Options) -> bool {
        self.apply_changes();
        let kept = self.entries.get(k * self.players + player);
        let Some(e) = kept.filter(|_| self.is_good(k, player)) else { return false };
        opts.append(&e.segments, &e.words);
        true
    }

    /// Memoises the options from a segment and a word on.
    pub fn keep_options(
        &mut self,
        (k, player): (usize, usize),
        opts: &Options,
        segments: usize,
        words: usize,
    ) {
        let Some(e) = self.entries.get_mut(k * self.players + player) else { return };
        let (Some(new), Some(its)) = (opts.segments.get(segments..), opts.words.get(words..)) else { return };
        e.segments.clear();
        e.segments.extend(new.iter().map(|s| shift_segment(*s, (words as u32).wrapping_neg())));
        e.words.clear();
        e.words.extend_from_slice(its);
        self.set_good(k, player);
    }
}

/// What changes when a component is moved: its place, who knows it, when it came there, and the layers on it.
fn moved_classes(p: &Program, ci: usize, c: &Components) -> Classes {
    let came = p.attrs.iter().position(|a| a.cell == c.came && c.came != u32::MAX);
    places_class(ci) | faces_class(ci) | LAYERS | came.map_or(0, |i| attr_class(AttrIx(i as u16)))
}

/// What changes when other faces are dealt to components of a kind: what they show, the attributes that go with it, and the layers on these.
pub(crate) fn faces_and_attributes(p: &Program, ci: usize) -> Classes {
    let attrs = p.comps.get(ci).map_or(&[][..], |c| &c.attrs);
    attrs.iter().fold(faces_class(ci) | LAYERS, |all, attr| all | attr_class(*attr))
}

/// The read set of what seats see: what the functions of zones read, and what lies in these zones.
fn sight_classes(p: &Program, reads: &[Reads]) -> Classes {
    let mut all = 0;
    for z in &p.zones {
        if let SeenBy::Func(f) = z.seen {
            // A changed face is made known at once to the seats that see it, so faces are not part of it.
            let its = reads.get(f.index()).map_or(ALL, |r| r.any | r.own);
            all |= its | places_class(usize::from(z.holds));
        }
    }
    // A function that is never memoised may read anything.
    if all & NEVER != 0 { ALL } else { all }
}

/// A call: the function, and whether its first argument is the caller's.
type Called = (usize, bool);

/// The read set of each heuristic.
pub(crate) fn heuristic_reads(p: &Program) -> Vec<Reads> {
    let all = read_sets(p, p.heuristics.iter().map(|h| h.func));
    let unknown = Reads { any: NEVER, own: 0 };
    p.heuristics.iter().map(|h| all.get(h.func.index()).copied().unwrap_or(unknown)).collect()
}

/// The read sets of some functions and of all that they call; those of others are unknown.
fn read_sets(p: &Program, wanted: impl Iterator<Item = FuncId>) -> Vec<Reads> {
    let planes = plane_classes(p);
    let mut own: Vec<Reads> = vec![Reads { any: NEVER, own: 0 }; p.funcs.len()];
    let mut calls: Vec<Vec<Called>> = vec![Vec::new(); p.funcs.len()];
    let mut seen = vec![false; p.funcs.len()];
    let mut left: Vec<usize> = wanted.map(FuncId::index).collect();
    while let Some(i) = left.pop() {
        let Some(f) = p.funcs.get(i).filter(|_| !std::mem::replace(&mut seen[i], true)) else { continue };
        let code = p.code.get(f.start as usize..f.end as usize).unwrap_or(&[]);
        let (mine, mut all) = (first_argument_registers(p, f, code), Reads::default());
        for (k, ins) in code.iter().enumerate() {
            let has = |r: R| mine.get(k).is_some_and(|m| m.contains(r));
            match *ins {
                Ins::LdAttr { e, attr, .. } if has(e) && is_player_attr(p, attr) => {
                    all.own |= attr_class(attr)
                }
                _ => all.any |= read_set(p, &planes, ins),
            }
            match *ins {
                Ins::Call { at, f } => calls[i].push((f.index(), has(at))),
                Ins::Try { f, .. } => calls[i].push((f.index(), false)),
                Ins::CanMenu { menu, .. } => match p.menus.get(menu.index()) {
                    Some(m) => {
                        let its = m.actions.iter().filter_map(|a| p.actions.get(a.index()));
                        calls[i].extend(m.open.iter().map(|(f, _)| (f.index(), false)));
                        calls[i].extend(its.map(|a| (a.enumerator.index(), false)));
                    }
                    None => all.any |= NEVER,
                },
                Ins::CanOffer { .. } => all.any |= NEVER,
                Ins::Subsets { action, .. } => {
                    let each = p.actions.get(action.index()).and_then(|a| a.each);
                    calls[i].extend(each.map(|f| (f.index(), false)));
                }
                _ => {}
            }
        }
        own[i] = all;
        left.extend(calls[i].iter().map(|c| c.0));
    }
    loop {
        let mut changed = false;
        for i in 0..own.len() {
            let more = calls[i].iter().fold(own[i], |m, (c, same)| {
                let its = own.get(*c).copied().unwrap_or(Reads { any: NEVER, own: 0 });
                m.with(if *same { its } else { Reads { any: its.any | its.own, own: 0 } })
            });
            changed |= more != own[i];
            own[i] = more;
        }
        if !changed {
            return own;
        }
    }
}

/// Whether an attribute is one of players.
pub(crate) fn is_player_attr(p: &Program, attr: AttrIx) -> bool {
    p.attrs.get(attr.index()).is_some_and(|a| a.of == Some(p.player_universe))
}

/// By instruction of a function: the registers that certainly hold the first argument before it. Found within straight-line code, and if nothing writes that register at all.
fn first_argument_registers(p: &Program, f: &Func, code: &[Ins]) -> Vec<RegSet> {
    let mut out = vec![RegSet::default(); code.len()];
    if f.args == 0 {
        return out;
    }
    let described: Vec<_> = code.iter().map(|ins| used(p, ins)).collect();
    let mut always = RegSet::default();
    let writes_it = |u: &Option<Use>| match u {
        Some(u) => u.window == Some(0) || u.writes.iter().any(|(r, n)| *r == 0 && *n > 0),
        None => true,
    };
    // What is written right before the return is not read here.
    let written = described.iter().zip(code).enumerate().any(|(k, (u, ins))| {
        writes_it(u) && !(matches!(code.get(k + 1), Some(Ins::Ret)) && ins.target().is_none())
    });
    if !written {
        always.insert_run(0, 1);
    }
    let mut entered = vec![false; code.len()];
    for to in code.iter().filter_map(Ins::target) {
        if let Some(e) = (to as usize).checked_sub(f.start as usize).and_then(|k| entered.get_mut(k)) {
            *e = true;
        }
    }
    let mut now = RegSet::default();
    now.insert_run(0, 1);
    for (k, ins) in code.iter().enumerate() {
        if entered.get(k).is_some_and(|e| *e) {
            now = always;
        }
        if let Some(out) = out.get_mut(k) {
            *out = now;
        }
        let from = match *ins {
            Ins::Mov { a, .. } => now.contains(a),
            _ => false,
        };
        match described.get(k).and_then(Option::as_ref) {
            Some(u) => {
                u.writes.iter().for_each(|(r, n)| now.remove_run(*r, *n));
                if let Some(at) = u.window {
                    now.remove_from(at);
                }
            }
            None => now = RegSet::default(),
        }
        if let (Ins::Mov { d, .. }, true) = (ins, from) {
            now.insert_run(*d, 1);
        }
    }
    out
}

/// The class of each word of the planes.
fn plane_classes(p: &Program) -> Vec<Classes> {
    let mut out = vec![0; p.planes as usize];
    let mut mark = |at: u32, n: usize, class: Classes| {
        for x in out.iter_mut().skip(at as usize).take(n) {
            *x |= class;
        }
    };
    let group = |g: GroupIx| p.groups.get(g.index()).map(|g| (g.at, (g.n as usize + 1) * g.w as usize));
    for (i, a) in p.attrs.iter().enumerate() {
        let class = attr_class(AttrIx(i as u16));
        if let Some((at, n)) = a.planes.and_then(group) {
            mark(at, n, class);
        }
    }
    for (ci, c) in p.comps.iter().enumerate() {
        let w = p.universes.get(c.universe.index()).map_or(1, |u| u.w.max(1) as usize);
        if let Some((at, n)) = c.by_face.and_then(group) {
            mark(at, n, faces_class(ci));
        }
        mark(c.known, w * p.seats as usize, faces_class(ci));
        for pl in p.places.iter().filter(|pl| usize::from(pl.comps) == ci) {
            mark(pl.plane, w, places_class(ci));
        }
    }
    out
}

/// The read set of one instruction.
fn read_set(p: &Program, planes: &[Classes], ins: &Ins) -> Classes {
    let at = |at: u32, n: usize| {
        let words = planes.get(at as usize..at as usize + n).unwrap_or(&[]);
        // A plane of unknown contents depends on everything.
        words.iter().fold(0, |m, c| m | if *c == 0 { ALL } else { *c })
    };
    let faces = |u: u8| kind_of(p, u).map_or(NEVER, faces_class);
    let places = |u: u8| kind_of(p, u).map_or(NEVER, places_class);
    let zone = |z: ZoneIx| p.zones.get(z.index()).map_or(NEVER, |z| places_class(usize::from(z.holds)));
    // Everything by which components are distinguished and ordered.
    let wholly = |u: u8| {
        let Some(ci) = kind_of(p, u) else { return NEVER };
        let attrs = p.comps.get(ci).into_iter().flat_map(|c| c.attrs.iter().chain(&c.named_by));
        // A layer on a component changes an attribute or its place; one that captured a component changes attachments in force.
        let named = p.leased.iter().flat_map(|l| &l.things).any(|(_, of)| of.0 == u16::from(u));
        attrs.fold(faces_class(ci) | places_class(ci) | if named { FORCE } else { 0 }, |m, a| {
            m | attr_class(*a)
        })
    };
    match ins.sees() {
        Sees::Nothing => 0,
        Sees::Attr(attr) => attr_class(attr),
        Sees::Faces(u) => faces(u),
        Sees::Places(u) => places(u),
        Sees::FacesAndPlaces(u) => faces(u) | places(u),
        Sees::Zone(z) => zone(z),
        Sees::PlacesAndZone(u, z) => places(u) | zone(z),
        Sees::AnyPlace => PLACES,
        Sees::Planes(w, first) => at(first, w as usize),
        Sees::Group(group) => match p.groups.get(group.index()) {
            Some(g) => at(g.at, (g.n as usize + 1) * g.w as usize),
            None => NEVER,
        },
        Sees::Alike(u) => wholly(u),
        Sees::Sum(sum) => p.sums.get(usize::from(sum)).map_or(NEVER, |s| faces(s.universe)),
        Sees::Table(table) => {
            match p.tables.get(table.index()).and_then(|t| p.universes.get(t.universe.index())) {
                Some(u) => match u.sort {
                    UniverseSort::Faces(ci) => faces_class(ci as usize),
                    _ => 0,
                },
                None => NEVER,
            }
        }
        Sees::Clock(Clock::Age) => PLACES | LAYERS | CLOCKS,
        Sees::Clock(_) | Sees::Phases => CLOCKS,
        Sees::Force => FORCE,
        // Instructions with unknown registers, and effects, make a function that is never memoised.
        Sees::Anything => NEVER,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::decision::{Last, What};
    use crate::data::subsets::Subsets;

    /// The memo of a function that reads attribute 3 of anything and attribute 4 of the player who asks, for two players; and of a value of two words that reads the same.
    fn memo() -> Memo {
        let mut any = vec![0; 64];
        let mut own = vec![0; 64];
        any[3] = 0b11;
        own[3] = 0b11;
        own[4] = 0b11;
        Memo {
            on: true,
            first: vec![0, u16::MAX],
            players: 2,
            w: 1,
            good: vec![0; 2],
            dirty_of: vec![0; 2],
            any,
            own,
            entries: vec![Entry::default(), Entry::default()],
            values: vec![(0, 2, 1)],
            words: vec![0; 4],
            ..Memo::default()
        }
    }

    fn some(words: &[u64]) -> Options {
        let mut o = Options::default();
        o.words.extend_from_slice(words);
        let last = Last::Subset(Subsets::all(words.len() as u32 - 1, 1, 1, 2));
        o.push(What::Subset, 0, 0, last);
        o
    }

    #[test]
    fn options_are_memoised_for_one_player_until_their_read_set_changes() {
        let mut m = memo();
        let slot = m.find_slot(FuncId(0), 1, &[]).expect("it is kept");
        let mut out = Options::default();
        assert!(!m.recall_options(slot, &mut out));
        // The words before belong to other segments.
        let found = some(&[7, 0b1011]);
        m.keep_options(slot, &found, 0, 1);
        m.dirty |= attr_class(AttrIx(2));
        out.words.push(99);
        assert!(m.recall_options(slot, &mut out));
        assert_eq!((out.count(), out.weight(), out.words.as_slice()), (found.count(), 1, &[99, 0b1011][..]));
        assert_eq!(out.nth(2), found.nth(2));
        let first = m.find_slot(FuncId(0), 0, &[]).expect("it is kept");
        assert!(!m.recall_options(first, &mut out), "another player's are not memoised");
        m.note_player_attr(0, AttrIx(4));
        assert!(m.recall_options(slot, &mut out), "another player's attribute");
        m.note_player_attr(1, AttrIx(4));
        assert!(!m.recall_options(slot, &mut out), "the player's own attribute");
        m.keep_options(slot, &found, 0, 1);
        m.note_player_attr(0, AttrIx(3));
        assert!(!m.recall_options(slot, &mut out), "another player's attribute that it reads");
    }

    #[test]
    fn a_value_is_memoised_for_each_player_but_not_during_speculative_execution() {
        let mut m = memo();
        assert_eq!(m.recall_value(0, 1), None);
        assert!(m.keep_value(0, 1, &[5, 6]));
        assert_eq!(m.recall_value(0, 0), None);
        assert_eq!(m.recall_value(0, NONE), None);
        assert_eq!(m.recall_value(0, 1), Some(&[5, 6][..]));
        assert!(!m.keep_value(0, 1, &[5, 7]), "it was still valid");
        m.speculative = true;
        assert_eq!(m.recall_value(0, 1), None);
        assert!(m.keep_value(0, 1, &[8, 8]));
        m.speculative = false;
        assert_eq!(m.recall_value(0, 1), Some(&[5, 7][..]));
        m.note_player_attr(1, AttrIx(4));
        assert_eq!(m.recall_value(0, 1), None);
    }

    #[test]
    fn functions_with_parameters_and_without_a_number_are_not_memoised() {
        let mut m = memo();
        assert_eq!(m.find_slot(FuncId(0), 0, &[1]), None);
        assert_eq!(m.find_slot(FuncId(1), 0, &[]), None);
        m.on = false;
        assert_eq!(m.find_slot(FuncId(0), 0, &[]), None);
    }

    #[test]
    fn what_seats_see_is_checked_again_only_if_its_read_set_changes() {
        let mut m = Memo { sight: faces_class(0) | CLOCKS, ..memo() };
        m.invalidate_all();
        assert!(m.take_sight_change());
        assert!(!m.take_sight_change());
        m.dirty |= attr_class(AttrIx(1));
        m.keep_truth((0, 0), true);
        assert_eq!(m.recall_truth((0, 0)), Some(true));
        assert!(!m.take_sight_change());
        m.dirty |= knowledge_class(0);
        // The change is applied by another call first.
        assert_eq!(m.recall_truth((0, 0)), Some(true));
        assert!(m.take_sight_change());
    }
}
