//! Which registers an instruction reads and writes: what the fusing pass stands on.
use crate::ir::*;

/// Runs of registers: first, how many.
pub type Runs = smallvec::SmallVec<[(R, u8); 4]>;

/// What an instruction does to registers.
#[derive(Default)]
pub struct Use {
    /// Read.
    pub reads: Runs,
    /// Written, wholly.
    pub writes: Runs,
    /// May write more than it says (windows of calls), so nothing above that register survives.
    pub window: Option<R>,
}

/// Words of a universe's sets.
pub fn words(p: &Program, u: u8) -> u8 {
    p.universes.get(u as usize).map_or(1, |u| u.w)
}

/// Words of a map's sets.
pub fn map_words(p: &Program, m: u8) -> u8 {
    p.maps.get(m as usize).map_or(1, |m| words(p, m.spaces.0 as u8))
}

/// Words of a line table's sets.
fn line_words(p: &Program, t: LinesIx) -> u8 {
    p.line_tables.get(t.index()).map_or(1, |t| words(p, t.universe.0 as u8))
}

/// Words of a set of a line table's lists.
fn list_words(p: &Program, t: LinesIx) -> u8 {
    p.line_tables.get(t.index()).and_then(|t| t.lists).map_or(1, |u| words(p, u.0 as u8))
}

/// Words of a value of an attribute.
fn attr_words(p: &Program, a: AttrIx) -> u8 {
    p.attrs.get(a.index()).map_or(1, |a| if a.set_at.is_some() { shown(p, a.show) } else { 1 })
}

/// Words of a value that is shown so.
fn shown(p: &Program, show: Show) -> u8 {
    match show {
        Show::Set(u) => words(p, u.0 as u8),
        Show::List(u) => 1 + p.universes.get(u.index()).map_or(0, |u| u.n.div_ceil(4).min(254) as u8),
        _ => 1,
    }
}

/// What an instruction reads and writes; `None`: not described, so that nothing round it may be changed.
#[allow(clippy::too_many_lines)] // One arm a shape.
pub fn used(p: &Program, ins: &Ins) -> Option<Use> {
    use Ins::*;
    let of = |reads: &[(R, u8)], writes: &[(R, u8)]| {
        Some(Use { reads: Runs::from_slice(reads), writes: Runs::from_slice(writes), window: None })
    };
    match *ins {
        Li { d, .. } | LdClock { d, .. } | Running { d, .. } => of(&[], &[(d, 1)]),
        LdGlobal { d, attr } => of(&[], &[(d, attr_words(p, attr))]),
        Mov { d, a }
        | AddK { d, a, .. }
        | Neg { d, a }
        | Within { d, a, .. }
        | ModK { d, a, .. }
        | AddModK { d, a, .. }
        | EqK { d, a, .. }
        | Not { d, a } => of(&[(a, 1)], &[(d, 1)]),
        MovN { d, a, n } => of(&[(a, n)], &[(d, n)]),
        SConst { d, w, .. } | SZero { d, w } | Plane { d, w, .. } => of(&[], &[(d, w)]),
        Add { d, a, b }
        | Sub { d, a, b }
        | Mul { d, a, b }
        | Div { d, a, b }
        | Min { d, a, b }
        | Max { d, a, b }
        | Eq { d, a, b }
        | Ne { d, a, b }
        | Lt { d, a, b }
        | Le { d, a, b }
        | And { d, a, b }
        | Or { d, a, b } => of(&[(a, 1), (b, 1)], &[(d, 1)]),
        Jmp { .. }
        | Ret
        | TurnEnd
        | RoundBegin
        | Notice
        | RoundEnd
        | PhaseBegin { .. }
        | PhaseEnd { .. }
        | LeaseClose
        | EndDecided
        | Mark { .. }
        | Untry
        | Record { .. }
        | End => of(&[], &[]),
        Jz { a, .. }
        | Jnz { a, .. }
        | JNone { a, .. }
        | JSome { a, .. }
        | JEqK { a, .. }
        | JNeK { a, .. } => of(&[(a, 1)], &[]),
        JLe { a, b, .. } | JNotLe { a, b, .. } | JLt { a, b, .. } | JNotLt { a, b, .. } => {
            of(&[(a, 1), (b, 1)], &[])
        }
        JAny { s, w, .. } | JNil { s, w, .. } => of(&[(s, w)], &[]),
        LoopK { a, .. } => of(&[(a, 1)], &[(a, 1)]),
        TurnNext { p, left, .. } => of(&[(p, 1), (left, 1)], &[(p, 1), (left, 1)]),
        LdHeld { d, o, .. } => of(&[(o, 1)], &[(d, 1)]),
        Held { d, o, zone } => {
            let held = p.zones.get(zone.index()).and_then(|z| p.comps.get(z.holds as usize))?;
            of(&[(o, 1)], &[(d, words(p, held.universe.0 as u8))])
        }
        LdAttr { d, e, attr } => of(&[(e, 1)], &[(d, attr_words(p, attr))]),
        LdTable { d, i, .. } => of(&[(i, 1)], &[(d, 1)]),
        LdFace { d, c, .. }
        | LdPlace { d, c, .. }
        | LdAt { d, c, .. }
        | LdSide { d, c, .. }
        | LdUp { d, c, .. } => of(&[(c, 1)], &[(d, 1)]),
        SAtIn { d, e, s, u, w } => of(&[(e, words(p, u)), (s, w)], &[(d, words(p, u))]),
        HeldIn { d, s, zone } => {
            let z = p.zones.get(zone.index())?;
            let held = p.comps.get(z.holds as usize)?.universe;
            of(&[(s, words(p, z.of?.0 as u8))], &[(d, words(p, held.0 as u8))])
        }
        PlaceOf { d, o, i, .. } => of(&[(o, 1), (i, 1)], &[(d, 1)]),
        LdSlot { d, p } | PlaceFact { d, p, .. } | ZLen { d, p } => of(&[(p, 1)], &[(d, 1)]),
        CanMenu { d, p, .. } => of(&[(p, 1)], &[(d, 1)]),
        CanOffer { d, p: who, offer } => {
            let mut reads = Runs::from_slice(&[(who, 1)]);
            for (m, r) in &p.offers.get(offer.index())?.menus {
                reads.push((*r, p.menus.get(m.index())?.params));
            }
            Some(Use { reads, writes: Runs::from_slice(&[(d, 1)]), window: None })
        }
        SeenTimes { d, .. } => of(&[], &[(d, 1)]),
        Sees { d, p, c, .. } => of(&[(p, 1), (c, 1)], &[(d, 1)]),
        StAttr { e, a, attr } => of(&[(e, 1), (a, attr_words(p, attr))], &[]),
        StGlobal { a, attr } => of(&[(a, attr_words(p, attr))], &[]),
        StMany { s, a, attr } => {
            let w = p.attrs.get(attr.index()).and_then(|a| a.of).map_or(1, |u| words(p, u.0 as u8));
            of(&[(s, w), (a, attr_words(p, attr))], &[])
        }
        Move { c, p, .. } => of(&[(c, 1), (p, 1)], &[]),
        MoveSet { s, p: at, u, .. } => of(&[(s, words(p, u)), (at, 1)], &[]),
        SwapPlaces { p, q } => of(&[(p, 1), (q, 1)], &[]),
        SwapThings { a, b, .. } => of(&[(a, 1), (b, 1)], &[]),
        Shuffle { p } => of(&[(p, 1)], &[]),
        Become { c, f, .. } => of(&[(c, 1), (f, 1)], &[]),
        Show { s, t, u } => of(&[(s, words(p, u)), (t, words(p, p.player_universe.0 as u8))], &[]),
        Flip { c, a, .. } | StSide { c, a, .. } => of(&[(c, 1), (a, 1)], &[]),
        PlaneI { d, i, group } | PlaneC { d, i, group } => {
            of(&[(i, 1)], &[(d, p.groups.get(group.index()).map_or(1, |g| g.w))])
        }
        SAndC { d, a, i, group } => {
            let w = p.groups.get(group.index()).map_or(1, |g| g.w);
            of(&[(a, w), (i, 1)], &[(d, w)])
        }
        SCut { d, b, w, .. } => of(&[(d, w), (b, w)], &[(d, w)]),
        SEach { i, s, w, .. } => of(&[(s, w)], &[(i, 1)]),
        Members { d, p: at, u } => of(&[(at, 1)], &[(d, words(p, u))]),
        ZoneMembers { d, u, .. } | SAll { d, u } => of(&[], &[(d, words(p, u))]),
        SHolders { d, s, zone } => {
            let z = p.zones.get(zone.index())?;
            let held = p.comps.get(z.holds as usize)?.universe;
            of(&[(s, words(p, held.0 as u8))], &[(d, words(p, z.of?.0 as u8))])
        }
        RayEnd { d, c, r, s, m, .. } => of(&[(c, 1), (r, 1), (s, map_words(p, m))], &[(d, 1)]),
        SCrowdAt { d, e, n, u, .. } => of(&[(e, words(p, u)), (n, 1)], &[(d, words(p, u))]),
        SCrowd { d, n, zone, .. } => {
            let z = p.zones.get(zone.index())?;
            of(&[(n, 1)], &[(d, words(p, z.of?.0 as u8))])
        }
        SAnd { d, a, b, w } | SOr { d, a, b, w } | SAndNot { d, a, b, w } => of(&[(a, w), (b, w)], &[(d, w)]),
        SNot { d, a, u } => of(&[(a, words(p, u))], &[(d, words(p, u))]),
        SOne { d, i, w } | SConstI { d, i, w, .. } => of(&[(i, 1)], &[(d, w)]),
        SIns { d, i, w } | SDel { d, i, w } => of(&[(i, 1), (d, w)], &[(d, w)]),
        STest { d, s, i, w } => of(&[(s, w), (i, 1)], &[(d, 1)]),
        SSub { d, a, b, w } | SEq { d, a, b, w } => of(&[(a, w), (b, w)], &[(d, 1)]),
        SCount { d, s, w }
        | SAny { d, s, w }
        | SFirst { d, s, w }
        | SLast { d, s, w }
        | SOnly { d, s, w } => of(&[(s, w)], &[(d, 1)]),
        TakeFirst { d, s, u, .. } => of(&[(s, words(p, u))], &[(d, 1), (s, words(p, u))]),
        SNext { i, s, w, .. } | SMore { i, s, w, .. } => of(&[(i, 1), (s, w)], &[(i, 1)]),
        SRange { d, a, b, u } => of(&[(a, 1), (b, 1)], &[(d, words(p, u))]),
        SScan { d, a, attr, .. } => {
            let w = p.attrs.get(attr.index()).and_then(|a| a.of).map_or(1, |u| words(p, u.0 as u8));
            of(&[(a, 1)], &[(d, w)])
        }
        SByShown { d, s, f, u } => {
            let sides = p.universes.get(u as usize).and_then(|u| match u.sort {
                UniverseSort::Components(c) => p.comps.get(c as usize).and_then(|c| c.showing),
                _ => None,
            });
            let fw = sides.map_or(1, |u| words(p, u.0 as u8));
            of(&[(s, words(p, u)), (f, fw)], &[(d, words(p, u))])
        }
        SumShown { d, s, u, .. } => of(&[(s, words(p, u))], &[(d, 1)]),
        SByFace { d, s, f, u } => {
            let faces = p.universes.get(u as usize).and_then(|u| match u.sort {
                UniverseSort::Components(c) => p.comps.get(c as usize).map(|c| words(p, c.faces.0 as u8)),
                _ => None,
            });
            of(&[(s, words(p, u)), (f, faces.unwrap_or(1))], &[(d, words(p, u))])
        }
        Alike { d, s, u } => of(&[(s, words(p, u))], &[(d, words(p, u))]),
        LineGet { d, i, j, .. } => of(&[(i, 1), (j, 1)], &[(d, 1)]),
        LineFirst { d, i, s, t } => of(&[(i, 1), (s, line_words(p, t))], &[(d, 1)]),
        LineSet { d, i, t } => of(&[(i, 1)], &[(d, line_words(p, t))]),
        LinesMeeting { d, s, t } => of(&[(s, line_words(p, t))], &[(d, list_words(p, t))]),
        ZGet { d, p, i } => of(&[(p, 1), (i, 1)], &[(d, 1)]),
        SumAttr { d, s, attr } => {
            let w = p.attrs.get(attr.index()).and_then(|a| a.of).map_or(1, |u| words(p, u.0 as u8));
            of(&[(s, w)], &[(d, 1)])
        }
        StepC { d, c, r, .. } => of(&[(c, 1), (r, 1)], &[(d, 1)]),
        Dilate { d, s, m } => of(&[(s, map_words(p, m))], &[(d, map_words(p, m))]),
        Neigh { d, c, m } => of(&[(c, 1)], &[(d, map_words(p, m))]),
        Dist { d, a, b, .. } | DirOf { d, a, b, .. } => of(&[(a, 1), (b, 1)], &[(d, 1)]),
        DistThru { d, a, b, s, m } => of(&[(a, 1), (b, 1), (s, map_words(p, m))], &[(d, 1)]),
        Reach { d, c, n, s, m } => of(&[(c, 1), (n, 1), (s, map_words(p, m))], &[(d, map_words(p, m))]),
        RunC { d, c, p: a, q, m } => {
            let w = map_words(p, m);
            of(&[(c, 1), (a, w), (q, w)], &[(d, w)])
        }
        RunSrc { d, p: a, q, m } => {
            let w = map_words(p, m);
            of(&[(a, w), (q, w)], &[(d, w)])
        }
        Flood { d, a, n, s, m } => {
            let w = map_words(p, m);
            of(&[(a, w), (n, 1), (s, w)], &[(d, w)])
        }
        SGrid { d, i, j, t } => of(&[(i, 1), (j, 1)], &[(d, p.grids.get(t.index()).map_or(1, |g| g.w))]),
        Slides { d, c, r, s, m } => of(&[(c, 1), (r, 1), (s, map_words(p, m))], &[(d, map_words(p, m))]),
        RayThru { d, c, r, s, n, m } => {
            of(&[(c, 1), (r, 1), (n, 1), (s, map_words(p, m))], &[(d, map_words(p, m))])
        }
        RaySet { d, c, r, m } => of(&[(c, 1), (r, 1)], &[(d, map_words(p, m))]),
        SumEach { d, s, a, .. } => of(&[(s, 1), (a, 1)], &[(d, 1)]),
        SumTable { d, s, table } => {
            let table = p.tables.get(table.index())?.universe;
            let over = match p.universes.get(table.index())?.sort {
                UniverseSort::Faces(c) => p.comps.get(c as usize)?.universe,
                _ => table,
            };
            of(&[(s, words(p, over.0 as u8))], &[(d, 1)])
        }
        Noted { d, k, .. } => of(&[], &[(d, p.noted.get(k as usize).copied()?)]),
        Note { d, k } => of(&[(d, p.noted.get(k as usize).copied()?)], &[]),
        Recall { d, who, k, .. } => of(&[(who, 1)], &[(d, p.kept.get(k as usize)?.words)]),
        Keep { d, who, k } => of(&[(d, p.kept.get(k as usize)?.words), (who, 1)], &[]),
        LeaseNext { i, .. } => of(&[(i, 1)], &[(i, 1)]),
        LeaseGet { d, i, n } => of(&[(i, 1)], &[(d, n)]),
        LineThru { d, c, s, t } => of(&[(c, 1), (s, line_words(p, t))], &[(d, 1)]),
        LineAny { d, s, t } => of(&[(s, line_words(p, t))], &[(d, 1)]),
        Joined { d, s, m } => of(&[(s, map_words(p, m).saturating_mul(3))], &[(d, 1)]),
        Below { d, n, who } => of(&[(n, 1), (who, 1)], &[(d, 1)]),
        RollValue { d, who, .. } => of(&[(who, 1)], &[(d, 1)]),
        PickOne { d, s, who, w, .. } => of(&[(s, w), (who, 1)], &[(d, 1)]),
        PickN { d, s, n, who, w, .. } => of(&[(s, w), (n, 1), (who, 1)], &[(d, w)]),
        RollDie { c, who, .. } => of(&[(c, 1), (who, 1)], &[]),
        TurnBegin { p } | TurnIs { p } => of(&[(p, 1)], &[]),
        Call { at, f } => {
            let f = p.funcs.get(f.index())?;
            Some(Use {
                reads: Runs::from_slice(&[(at, f.args)]),
                writes: Runs::from_slice(&[(at, f.results)]),
                window: Some(at),
            })
        }
        Try { at, f } => {
            let f = p.funcs.get(f.index())?;
            Some(Use { reads: Runs::from_slice(&[(at, f.args)]), writes: Runs::new(), window: Some(at) })
        }
        Options { at, last, action } => {
            let a = p.actions.get(action.index())?;
            let (end, fixed) = a.params.split_last()?;
            let n: u8 = fixed.iter().map(|x| x.domain.words(p)).sum();
            let l = match end.domain {
                Domain::Thing(u) => words(p, u.0 as u8),
                Domain::Number => 2,
                Domain::Subset(u) => 2 + words(p, u.0 as u8),
            };
            of(&[(at, n), (last, l)], &[])
        }
        Option { action } => {
            let n: u8 = p.actions.get(action.index())?.params.iter().map(|x| x.domain.words(p)).sum();
            of(&[(1, n)], &[])
        }
        AskMenu { d, at, who, offer } => {
            let o = p.offers.get(offer.index())?;
            let mut reads = Runs::from_slice(&[(who, 1)]);
            for (m, r) in &o.menus {
                reads.push((*r, p.menus.get(m.index())?.params));
            }
            reads.extend(o.clock.iter().map(|c| (c.spent, 1)));
            Some(Use { reads, writes: Runs::from_slice(&[(d, 1)]), window: Some(at) })
        }
        Verdict { s, t, .. } => {
            let mut reads = Runs::from_slice(&[(s, words(p, p.player_universe.0 as u8))]);
            for piece in p.templates.get(t.index()).map_or(&[][..], |t| &t.parts) {
                match piece {
                    Piece::Literal(_) => {}
                    Piece::Register(r, show) => reads.push((*r, shown(p, *show))),
                    Piece::Func(..) | Piece::Reason(_) => return None,
                }
            }
            Some(Use { reads, writes: Runs::new(), window: None })
        }
        // The rest stands in effects, where texts and questions name registers of their own.
        _ => None,
    }
}

/// The register that an instruction writes as its one result of one word, to be turned elsewhere.
pub fn result(ins: &mut Ins) -> Option<&mut R> {
    use Ins::*;
    match ins {
        Li { d, .. }
        | LdGlobal { d, .. }
        | LdClock { d, .. }
        | Running { d, .. }
        | Mov { d, .. }
        | AddK { d, .. }
        | Neg { d, .. }
        | Within { d, .. }
        | ModK { d, .. }
        | AddModK { d, .. }
        | EqK { d, .. }
        | Not { d, .. }
        | Add { d, .. }
        | Sub { d, .. }
        | Mul { d, .. }
        | Div { d, .. }
        | Min { d, .. }
        | Max { d, .. }
        | Eq { d, .. }
        | Ne { d, .. }
        | Lt { d, .. }
        | Le { d, .. }
        | And { d, .. }
        | Or { d, .. }
        | LdAttr { d, .. }
        | LdTable { d, .. }
        | LdFace { d, .. }
        | LdPlace { d, .. }
        | LdAt { d, .. }
        | SAtIn { d, .. }
        | HeldIn { d, .. }
        | LdSide { d, .. }
        | LdUp { d, .. }
        | PlaceOf { d, .. }
        | LdSlot { d, .. }
        | LdHeld { d, .. }
        | Held { d, .. }
        | PlaceFact { d, .. }
        | ZLen { d, .. }
        | Sees { d, .. }
        | STest { d, .. }
        | SSub { d, .. }
        | SEq { d, .. }
        | SCount { d, .. }
        | SAny { d, .. }
        | SFirst { d, .. }
        | SLast { d, .. }
        | SOnly { d, .. }
        | ZGet { d, .. }
        | SumAttr { d, .. }
        | SumEach { d, .. }
        | LineFirst { d, .. }
        | LineThru { d, .. }
        | LineAny { d, .. }
        | StepC { d, .. }
        | Dist { d, .. }
        | DirOf { d, .. }
        | SConst { d, .. }
        | SZero { d, .. }
        | SAll { d, .. }
        | Plane { d, .. }
        | PlaneI { d, .. }
        | PlaneC { d, .. }
        | Members { d, .. }
        | SHolders { d, .. }
        | SCrowd { d, .. }
        | SCrowdAt { d, .. }
        | RayEnd { d, .. }
        | SAnd { d, .. }
        | SOr { d, .. }
        | SAndNot { d, .. }
        | SNot { d, .. }
        | SOne { d, .. }
        | SGrid { d, .. }
        | SConstI { d, .. }
        | RunC { d, .. }
        | RunSrc { d, .. }
        | Neigh { d, .. }
        | RaySet { d, .. }
        | RayThru { d, .. }
        | LineSet { d, .. } => Some(d),
        _ => None,
    }
}

/// Registers that an instruction reads one word of, to be turned elsewhere; `None` where a register is both read and written in place.
pub fn sources(ins: &mut Ins) -> smallvec::SmallVec<[&mut R; 3]> {
    use Ins::*;
    let mut out = smallvec::SmallVec::new();
    match ins {
        Mov { a, .. }
        | AddK { a, .. }
        | Neg { a, .. }
        | Within { a, .. }
        | ModK { a, .. }
        | AddModK { a, .. }
        | EqK { a, .. }
        | Not { a, .. }
        | Jz { a, .. }
        | Jnz { a, .. }
        | JNone { a, .. }
        | JSome { a, .. }
        | JEqK { a, .. }
        | JNeK { a, .. }
        | StGlobal { a, .. } => out.push(a),
        AskMenu { who, .. } => out.push(who),
        Add { a, b, .. }
        | Sub { a, b, .. }
        | Mul { a, b, .. }
        | Div { a, b, .. }
        | Min { a, b, .. }
        | Max { a, b, .. }
        | Eq { a, b, .. }
        | Ne { a, b, .. }
        | Lt { a, b, .. }
        | Le { a, b, .. }
        | And { a, b, .. }
        | Or { a, b, .. }
        | JLe { a, b, .. }
        | JNotLe { a, b, .. }
        | JLt { a, b, .. }
        | JNotLt { a, b, .. }
        | Dist { a, b, .. }
        | DirOf { a, b, .. } => {
            out.push(a);
            out.push(b);
        }
        LdAttr { e, .. } => out.push(e),
        SumEach { s, a, .. } => {
            out.push(s);
            out.push(a);
        }
        LdTable { i, .. }
        | STest { i, .. }
        | SOne { i, .. }
        | SIns { i, .. }
        | SDel { i, .. }
        | PlaneI { i, .. }
        | PlaneC { i, .. } => out.push(i),
        LdFace { c, .. }
        | LdPlace { c, .. }
        | LdAt { c, .. }
        | LdSide { c, .. }
        | LdUp { c, .. }
        | LineThru { c, .. } => out.push(c),
        StAttr { e, a, .. } => {
            out.push(e);
            out.push(a);
        }
        LdHeld { o, .. } | Held { o, .. } => out.push(o),
        PlaceOf { o, i, .. } => {
            out.push(o);
            out.push(i);
        }
        StepC { c, r, .. } | RaySet { c, r, .. } => {
            out.push(c);
            out.push(r);
        }
        RayThru { c, r, n, .. } => {
            out.push(c);
            out.push(r);
            out.push(n);
        }
        Neigh { c, .. } => out.push(c),
        Members { p, .. } | LdSlot { p, .. } | ZLen { p, .. } | PlaceFact { p, .. } => out.push(p),
        SCrowd { n, .. } | SCrowdAt { n, .. } => out.push(n),
        RayEnd { c, r, .. } => out.extend([c, r]),
        _ => {}
    }
    out
}
