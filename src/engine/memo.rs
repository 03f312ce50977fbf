//! What is found on offer is kept until something that it looks at changes.
//!
//! Where several act freely, every answer lets the menus of all be looked at again, and most of them look at nothing that it has changed. What code may look at, and what an effect
//! may change, is a set of *classes*: an attribute, where the components of a kind lie, what they show, layers, clocks. Classes of a function follow from its code and that of
//! what it calls; an instruction that is not known here makes a function one that is never kept. Effects note what they may have changed; a note is heeded before anything kept is used.
//! Whoever changes a state by other means says so with [`Memo::forget`].
use super::decision::{Last, Options, Segment};
use crate::program::ir::*;

/// What is looked at or changed, a bit each: attributes (several may share one), places, what is shown and known, layers, clocks.
pub(crate) type Classes = u64;

/// Everything that can change.
pub(crate) const ALL: Classes = !NEVER;
/// What must not be kept at all.
const NEVER: Classes = 1 << 63;
const LAYERS: Classes = 1 << 60;
const CLOCKS: Classes = 1 << 61;
const ATTRS: u32 = 32;
const KINDS: u32 = 10;
const PLACES: Classes = ((1 << KINDS) - 1) << ATTRS;

/// An attribute's class.
pub(crate) fn of_attr(attr: AttrIx) -> Classes {
    1 << (u32::from(attr.0) % ATTRS)
}

/// Of the components of a kind: where they lie.
fn of_places(ci: usize) -> Classes {
    1 << (ATTRS + ci as u32 % KINDS)
}

/// Of the components of a kind: what they show, and who knows it.
fn of_faces(ci: usize) -> Classes {
    1 << (ATTRS + KINDS + ci as u32 % KINDS)
}

/// What changes when somebody comes to know what components of a kind show.
pub(crate) fn learnt(ci: usize) -> Classes {
    of_faces(ci)
}

/// What an effect may change; `layered` if a layer is open.
pub(crate) fn changes(p: &Program, ins: &Ins, layered: bool) -> Classes {
    let open = if layered { LAYERS } else { 0 };
    match *ins {
        Ins::StAttr { attr, .. } | Ins::StGlobal { attr, .. } | Ins::StMany { attr, .. } => {
            of_attr(attr) | open
        }
        Ins::RollDie { u, .. } => kind(p, u).map_or(ALL, of_faces) | open,
        Ins::Say { .. }
        | Ins::Below { .. }
        | Ins::RollValue { .. }
        | Ins::PickOne { .. }
        | Ins::PickN { .. } => 0,
        Ins::LeaseOpen { .. } | Ins::LeaseClose => 0,
        // What somebody comes to know is noted where it happens; what looks at histories is never kept.
        Ins::Notice | Ins::Record { .. } => 0,
        _ => ALL,
    }
}

fn kind(p: &Program, u: u8) -> Option<usize> {
    match p.universes.get(u as usize)?.sort {
        UniverseSort::Components(ci) => Some(ci as usize),
        _ => None,
    }
}

/// Something kept.
#[derive(Default)]
struct Entry {
    reads: Classes,
    good: bool,
    truth: bool,
    segments: Vec<Segment>,
    words: Vec<u64>,
}

/// What is kept: of each function that is, one entry a player.
#[derive(Default)]
pub(crate) struct Memo {
    /// Changes that are not heeded yet.
    pub dirty: Classes,
    /// And those since knowledge was looked at last.
    unnoticed: Classes,
    /// What who sees what depends on.
    sight: Classes,
    /// Whether anything is looked for that may be kept.
    pub on: bool,
    /// First entry of each function; `u16::MAX`: it is not kept.
    first: Vec<u16>,
    entries: Vec<Entry>,
}

impl Memo {
    /// Nothing kept yet. Only games in which somebody acts freely keep anything.
    pub fn new(p: &Program) -> Memo {
        let freely = p.code.iter().any(|i| matches!(i, Ins::Fork { freely: true, .. }));
        let noticed = p.code.iter().any(|i| matches!(i, Ins::Notice));
        let mut memo =
            Memo { dirty: ALL, sight: ALL, first: vec![u16::MAX; p.funcs.len()], ..Memo::default() };
        if !freely && !noticed {
            return memo;
        }
        let reads = reads(p);
        memo.sight = sight(p, &reads);
        if !freely {
            return memo;
        }
        let mut funcs: Vec<FuncId> = Vec::new();
        for menu in p.menus.iter().filter(|m| m.params == 0) {
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
        for f in funcs {
            let (Some(first), Some(reads)) = (memo.first.get_mut(f.index()), reads.get(f.index()).copied())
            else {
                continue;
            };
            if *first == u16::MAX && reads & NEVER == 0 {
                *first = u16::try_from(memo.entries.len()).unwrap_or(u16::MAX);
                memo.entries.extend((0..p.players).map(|_| Entry { reads, ..Entry::default() }));
            }
        }
        memo
    }

    /// Everything may have changed.
    pub fn forget(&mut self) {
        self.dirty = ALL;
    }

    /// Heeds what has changed.
    fn settle(&mut self) {
        let dirty = std::mem::take(&mut self.dirty);
        if dirty != 0 {
            self.unnoticed |= dirty;
            for e in &mut self.entries {
                e.good &= e.reads & dirty == 0;
            }
        }
    }

    /// Whether who sees what may be otherwise than when this was asked last.
    pub fn unseen(&mut self) -> bool {
        self.settle();
        std::mem::take(&mut self.unnoticed) & self.sight != 0
    }

    /// Where what a function of (me) says is kept, if it is.
    pub fn slot(&self, f: FuncId, who: i64, params: &[u64]) -> Option<usize> {
        if !self.on || !params.is_empty() {
            return None;
        }
        let first = *self.first.get(f.index()).filter(|i| **i != u16::MAX)?;
        Some(first as usize + usize::try_from(who).ok()?)
    }

    /// The truth value that is kept there, if it is still good.
    pub fn truth(&mut self, slot: usize) -> Option<bool> {
        self.settle();
        self.entries.get(slot).filter(|e| e.good).map(|e| e.truth)
    }

    /// Keeps a truth value.
    pub fn keep_truth(&mut self, slot: usize, truth: bool) {
        if let Some(e) = self.entries.get_mut(slot) {
            e.good = true;
            e.truth = truth;
        }
    }

    /// Adds the options that are kept there, if they are still good.
    pub fn add(&mut self, slot: usize, opts: &mut Options) -> bool {
        self.settle();
        let Some(e) = self.entries.get(slot).filter(|e| e.good) else { return false };
        opts.append(&e.segments, &e.words);
        true
    }

    /// Keeps the options from a segment and a word on.
    pub fn keep(&mut self, slot: usize, opts: &Options, segments: usize, words: usize) {
        let Some(e) = self.entries.get_mut(slot) else { return };
        let (Some(new), Some(its)) = (opts.segments.get(segments..), opts.words.get(words..)) else { return };
        e.segments.clear();
        e.segments.extend(new.iter().map(|s| moved(*s, (words as u32).wrapping_neg())));
        e.words.clear();
        e.words.extend_from_slice(its);
        e.good = true;
    }
}

/// A segment whose words stand so much further on.
pub(crate) fn moved(mut s: Segment, by: u32) -> Segment {
    s.at = s.at.wrapping_add(by);
    match &mut s.last {
        Last::Set { at, .. } | Last::List { at, .. } | Last::OneOf { at, .. } => *at = at.wrapping_add(by),
        Last::Subset { at, order, .. } => {
            *at = at.wrapping_add(by);
            if *order != u32::MAX {
                *order = order.wrapping_add(by);
            }
        }
        Last::Unit | Last::Range { .. } => {}
    }
    s
}

/// What who sees what depends on: what the functions look at that say it, and what lies and shows where they are asked.
fn sight(p: &Program, reads: &[Classes]) -> Classes {
    let mut all = 0;
    for z in &p.zones {
        if let SeenBy::Func(f) = z.seen {
            let ci = usize::from(z.holds);
            all |= reads.get(f.index()).copied().unwrap_or(ALL) | of_places(ci) | of_faces(ci);
        }
    }
    // A function that is never kept may look at anything.
    if all & NEVER != 0 { ALL } else { all }
}

/// What each function and what it calls may look at.
fn reads(p: &Program) -> Vec<Classes> {
    let planes = planes(p);
    let mut own: Vec<Classes> = vec![0; p.funcs.len()];
    let mut calls: Vec<Vec<usize>> = vec![Vec::new(); p.funcs.len()];
    for (i, f) in p.funcs.iter().enumerate() {
        for ins in p.code.get(f.start as usize..f.end as usize).unwrap_or(&[]) {
            let Some(all) = own.get_mut(i) else { continue };
            *all |= looks(p, &planes, ins);
            match *ins {
                Ins::Call { f, .. } | Ins::Try { f, .. } => calls[i].push(f.index()),
                Ins::CanMenu { menu, .. } => match p.menus.get(menu.index()) {
                    Some(m) => {
                        calls[i].extend(m.open.iter().map(|(f, _)| f.index()));
                        calls[i].extend(
                            m.actions
                                .iter()
                                .filter_map(|a| p.actions.get(a.index()))
                                .map(|a| a.enumerator.index()),
                        );
                    }
                    None => *all |= NEVER,
                },
                Ins::CanOffer { .. } => *all |= NEVER,
                _ => {}
            }
        }
    }
    loop {
        let mut changed = false;
        for i in 0..own.len() {
            let more = calls[i].iter().fold(own[i], |m, c| m | own.get(*c).copied().unwrap_or(NEVER));
            changed |= more != own[i];
            own[i] = more;
        }
        if !changed {
            return own;
        }
    }
}

/// The class of each word of the planes.
fn planes(p: &Program) -> Vec<Classes> {
    let mut out = vec![0; p.planes as usize];
    let mut mark = |at: u32, n: usize, class: Classes| {
        for x in out.iter_mut().skip(at as usize).take(n) {
            *x |= class;
        }
    };
    let group = |g: GroupIx| p.groups.get(g.index()).map(|g| (g.at, (g.n as usize + 1) * g.w as usize));
    for (i, a) in p.attrs.iter().enumerate() {
        let class = of_attr(AttrIx(i as u16));
        if let Some((at, n)) = a.planes.and_then(group) {
            mark(at, n, class);
        }
        if let Some(at) = a.set_at {
            let things = a.of.and_then(|u| p.universes.get(u.index())).map_or(1, |u| u.n as usize);
            let w = if let Show::Set(u) = a.show {
                p.universes.get(u.index()).map_or(1, |u| u.w as usize)
            } else {
                1
            };
            mark(at, things * w.max(1), class);
        }
    }
    for (ci, c) in p.comps.iter().enumerate() {
        let w = p.universes.get(c.universe.index()).map_or(1, |u| u.w.max(1) as usize);
        if let Some((at, n)) = c.by_face.and_then(group) {
            mark(at, n, of_faces(ci));
        }
        mark(c.known, w * p.seats as usize, of_faces(ci));
        for pl in p.places.iter().filter(|pl| usize::from(pl.comps) == ci) {
            mark(pl.plane, w, of_places(ci));
        }
    }
    out
}

/// What one instruction may look at.
fn looks(p: &Program, planes: &[Classes], ins: &Ins) -> Classes {
    use Ins::*;
    let at = |at: u32, n: usize| {
        let words = planes.get(at as usize..at as usize + n).unwrap_or(&[]);
        // A plane of nothing known: of anything.
        words.iter().fold(0, |m, c| m | if *c == 0 { ALL } else { *c })
    };
    let faces = |u: u8| kind(p, u).map_or(NEVER, of_faces);
    let places = |u: u8| kind(p, u).map_or(NEVER, of_places);
    // All by which components are told apart and put in order.
    let wholly = |u: u8| {
        let Some(ci) = kind(p, u) else { return NEVER };
        let attrs = p.comps.get(ci).map_or(&[][..], |c| &c.attrs);
        attrs.iter().fold(of_faces(ci) | of_places(ci), |m, a| m | of_attr(*a))
    };
    match *ins {
        Li { .. } | Mov { .. } | MovN { .. } | SConst { .. } | SConstI { .. } | Select { .. } => 0,
        Add { .. }
        | Sub { .. }
        | Mul { .. }
        | Div { .. }
        | AddK { .. }
        | Neg { .. }
        | Min { .. }
        | Max { .. } => 0,
        ModK { .. } | AddModK { .. } | Eq { .. } | Ne { .. } | Lt { .. } | Le { .. } | EqK { .. } => 0,
        Not { .. } | And { .. } | Or { .. } | Jmp { .. } | Jz { .. } | Jnz { .. } | JNone { .. } => 0,
        JSome { .. } | JEqK { .. } | JNeK { .. } | LoopK { .. } | LdTable { .. } | Ret | Mark { .. } => 0,
        SAnd { .. } | SOr { .. } | SAndNot { .. } | SNot { .. } | SAll { .. } | SZero { .. } => 0,
        SOne { .. } | SIns { .. } | SDel { .. } | STest { .. } | SSub { .. } | SEq { .. } | SMeets { .. } => {
            0
        }
        SCount { .. }
        | SAny { .. }
        | SFirst { .. }
        | SLast { .. }
        | SOnly { .. }
        | SNext { .. }
        | SMore { .. } => 0,
        SRange { .. } | LLen { .. } | LGet { .. } | LPush { .. } | LSet { .. } | LReverse { .. } => 0,
        StepC { .. } | StepS { .. } | Neigh { .. } | Dilate { .. } | Dist { .. } | DistThru { .. } => 0,
        Reach { .. } | RunC { .. } | RunSrc { .. } | RunDir { .. } | RaySet { .. } | Joined { .. } => 0,
        RayThru { .. } | SGrid { .. } | Slides { .. } | Flood { .. } => 0,
        DirOf { .. } | LineThru { .. } | LineAny { .. } | LineLen { .. } | LineGet { .. } => 0,
        LineFirst { .. } | LineSet { .. } | LinesMeeting { .. } => 0,
        PlaceOf { .. } | PlaceFact { .. } | Options { .. } | Option { .. } => 0,
        // What is called is looked into by itself.
        Call { .. } | CanMenu { .. } => 0,
        // What is tried changes nothing in the end, but code that acts is not looked into here.
        Try { .. } | Untry => NEVER,
        LdAttr { attr, .. } | LdGlobal { attr, .. } | SScan { attr, .. } | SumAttr { attr, .. } => {
            of_attr(attr)
        }
        LdFace { u, .. } | LdSide { u, .. } | LdUp { u, .. } | SByFace { u, .. } => faces(u),
        SByShown { u, .. } | SumShown { u, .. } => faces(u),
        SumTable { table, .. } => {
            match p.tables.get(table.index()).and_then(|t| p.universes.get(t.universe.index())) {
                Some(u) => match u.sort {
                    UniverseSort::Faces(ci) => of_faces(ci as usize),
                    _ => 0,
                },
                None => NEVER,
            }
        }
        LdPlace { u, .. } | Members { u, .. } | ZoneMembers { u, .. } => places(u),
        SHolders { zone, .. } | LdHeld { zone, .. } | Held { zone, .. } => {
            p.zones.get(zone.index()).map_or(NEVER, |z| of_places(usize::from(z.holds)))
        }
        LdSlot { .. } | ZLen { .. } | ZGet { .. } => PLACES,
        Plane { w, at: first, .. } => at(first, w as usize),
        PlaneC { .. } => 0,
        PlaneI { group, .. } => match p.groups.get(group.index()) {
            Some(g) => at(g.at, (g.n as usize + 1) * g.w as usize),
            None => NEVER,
        },
        Alike { u, .. } | TakeFirst { u, .. } => wholly(u),
        Sees { u, .. } => faces(u) | places(u),
        LdClock { what: Clock::Age, .. } => PLACES | LAYERS | CLOCKS,
        LdClock { .. } | Running { .. } => CLOCKS,
        LeaseNext { .. } | LeaseGet { .. } => LAYERS,
        _ => NEVER,
    }
}

#[cfg(test)]
mod tests {
    use super::super::decision::What;
    use super::*;

    /// One function that looks at attribute 3, kept for two players.
    fn memo() -> Memo {
        let entry = || Entry { reads: of_attr(AttrIx(3)), ..Entry::default() };
        Memo { on: true, first: vec![0, u16::MAX], entries: vec![entry(), entry()], ..Memo::default() }
    }

    fn some(words: &[u64]) -> Options {
        let mut o = Options::default();
        o.words.extend_from_slice(words);
        let last = Last::Subset { at: words.len() as u32 - 1, w: 1, min: 1, max: 2, order: u32::MAX };
        o.push(What::Subset, 0, 0, last);
        o
    }

    #[test]
    fn options_are_kept_for_one_player_until_what_they_look_at_changes() {
        let mut m = memo();
        let slot = m.slot(FuncId(0), 1, &[]).expect("it is kept");
        let mut out = Options::default();
        assert!(!m.add(slot, &mut out));
        // Those in front are somebody else's.
        let found = some(&[7, 0b1011]);
        m.keep(slot, &found, 0, 1);
        m.dirty |= of_attr(AttrIx(2));
        out.words.push(99);
        assert!(m.add(slot, &mut out));
        assert_eq!((out.count(), out.weight(), out.words.as_slice()), (found.count(), 1, &[99, 0b1011][..]));
        assert_eq!(out.nth(2), found.nth(2));
        let first = m.slot(FuncId(0), 0, &[]).expect("it is kept");
        assert!(!m.add(first, &mut out), "another player's are not found yet");
        m.dirty |= of_attr(AttrIx(3));
        assert!(!m.add(slot, &mut out));
    }

    #[test]
    fn nothing_is_kept_of_what_has_parameters_of_what_is_not_listed_and_where_it_is_off() {
        let mut m = memo();
        assert_eq!(m.slot(FuncId(0), 0, &[1]), None);
        assert_eq!(m.slot(FuncId(1), 0, &[]), None);
        m.on = false;
        assert_eq!(m.slot(FuncId(0), 0, &[]), None);
    }

    #[test]
    fn who_sees_what_is_looked_at_again_only_when_that_may_differ() {
        let mut m = Memo { sight: of_faces(0) | CLOCKS, ..memo() };
        m.forget();
        assert!(m.unseen());
        assert!(!m.unseen());
        m.dirty |= of_attr(AttrIx(1));
        m.keep_truth(0, true);
        assert_eq!(m.truth(0), Some(true));
        assert!(!m.unseen());
        m.dirty |= learnt(0);
        // Heeded by another before it comes to this.
        assert_eq!(m.truth(0), Some(true));
        assert!(m.unseen());
    }
}
