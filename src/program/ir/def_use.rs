//! Def-use information: which registers an instruction reads and writes, with their widths. The rows of `ins.rs` name these functions.
use crate::ir::*;

/// Runs of registers: the first and the length.
pub type Runs = smallvec::SmallVec<[(R, u8); 4]>;

/// The registers that an instruction uses.
#[derive(Default)]
pub struct Use {
    /// Registers that it reads.
    pub reads: Runs,
    /// Registers that it writes completely.
    pub writes: Runs,
    /// First register of a call's window: the call may overwrite all registers from there on.
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

/// Words of a value, by how it is shown.
fn shown(p: &Program, show: Show) -> u8 {
    match show {
        Show::Set(u) => words(p, u.0 as u8),
        Show::List(u) => 1 + p.universes.get(u.index()).map_or(0, |u| u.list_room().div_ceil(4) as u8),
        _ => 1,
    }
}

/// Widths of operands from tables. `None`: the entry does not exist.
pub mod width {
    use super::*;

    /// A set over a universe.
    pub fn uni(p: &Program, u: u8) -> Option<u8> {
        Some(words(p, u))
    }

    /// A set of players.
    pub fn of_players(p: &Program) -> Option<u8> {
        uni(p, p.player_universe.0 as u8)
    }

    /// A set of spaces of a map.
    pub fn map(p: &Program, m: u8) -> Option<u8> {
        Some(map_words(p, m))
    }

    /// Three sets of spaces side by side.
    pub fn three_sets(p: &Program, m: u8) -> Option<u8> {
        Some(map_words(p, m).saturating_mul(3))
    }

    /// A set of things that have an attribute.
    pub fn things(p: &Program, a: AttrIx) -> Option<u8> {
        Some(p.attrs.get(a.index()).and_then(|a| a.of).map_or(1, |u| words(p, u.0 as u8)))
    }

    /// A plane of a group.
    pub fn group(p: &Program, g: GroupIx) -> Option<u8> {
        Some(p.groups.get(g.index()).map_or(1, |g| g.w))
    }

    /// A set of things of a table of lists.
    pub fn line(p: &Program, t: LinesIx) -> Option<u8> {
        Some(p.line_tables.get(t.index()).map_or(1, |t| words(p, t.universe.0 as u8)))
    }

    /// A set of the lists of a table of lists.
    pub fn lists(p: &Program, t: LinesIx) -> Option<u8> {
        Some(p.line_tables.get(t.index()).and_then(|t| t.lists).map_or(1, |u| words(p, u.0 as u8)))
    }

    /// A set in a grid.
    pub fn grid(p: &Program, t: GridIx) -> Option<u8> {
        Some(p.grids.get(t.index()).map_or(1, |g| g.w))
    }

    /// A set of components that a zone may hold.
    pub fn held(p: &Program, zone: ZoneIx) -> Option<u8> {
        let z = p.zones.get(zone.index())?;
        uni(p, p.comps.get(z.holds as usize)?.universe.0 as u8)
    }

    /// A set of holders of a zone.
    pub fn owners(p: &Program, zone: ZoneIx) -> Option<u8> {
        uni(p, p.zones.get(zone.index())?.of?.0 as u8)
    }

    /// The components of a universe.
    fn comps(p: &Program, u: u8) -> Option<&Components> {
        p.components_of(UniverseId(u16::from(u)))
    }

    /// A set of sides of the dice of a universe.
    pub fn sides(p: &Program, u: u8) -> Option<u8> {
        Some(comps(p, u).and_then(|c| c.showing).map_or(1, |u| words(p, u.0 as u8)))
    }

    /// A set of faces of the components of a universe.
    pub fn faces(p: &Program, u: u8) -> Option<u8> {
        Some(comps(p, u).map_or(1, |c| words(p, c.faces.0 as u8)))
    }

    /// A set of the things that index a table: components, if it is by face.
    pub fn summed(p: &Program, table: TableIx) -> Option<u8> {
        let table = p.tables.get(table.index())?.universe;
        match p.universes.get(table.index())?.sort {
            UniverseSort::Faces(c) => uni(p, p.comps.get(c as usize)?.universe.0 as u8),
            _ => uni(p, table.0 as u8),
        }
    }

    /// A cached set of an enumeration.
    pub fn noted(p: &Program, k: u8) -> Option<u8> {
        p.noted.get(k as usize).copied()
    }

    /// A memoised value.
    pub fn kept(p: &Program, k: u8) -> Option<u8> {
        Some(p.kept.get(k as usize)?.words)
    }
}

/// The registers that an instruction uses; `None`: unknown, so that no code around it may be changed.
pub fn used(p: &Program, ins: &Ins) -> Option<Use> {
    ins.registers(p)
}

/// The parameters of an offer's menus, whose registers the offer names.
pub(super) fn menu_parameters(p: &Program, ins: &Ins, used: &mut Use) -> Option<()> {
    let (Ins::CanOffer { offer, .. } | Ins::AskMenu { offer, .. }) = ins else { return None };
    for (m, r) in &p.offers.get(offer.index())?.menus {
        used.reads.push((*r, p.menus.get(m.index())?.params));
    }
    Some(())
}

/// A question to a player: parameters, clock, and the window of the action that is taken.
pub(super) fn question(p: &Program, ins: &Ins, used: &mut Use) -> Option<()> {
    let Ins::AskMenu { at, offer, .. } = ins else { return None };
    menu_parameters(p, ins, used)?;
    used.reads.extend(p.offers.get(offer.index())?.clock.iter().map(|c| (c.spent, 1)));
    used.window = Some(*at);
    Some(())
}

/// A call: arguments and results are in its window, from `at` on.
pub(super) fn call(p: &Program, ins: &Ins, used: &mut Use) -> Option<()> {
    let Ins::Call { at, f } = *ins else { return None };
    let f = p.funcs.get(f.index())?;
    used.reads.push((at, f.args));
    used.writes.push((at, f.results));
    used.window = Some(at);
    Some(())
}

/// An effect on trial has no results.
pub(super) fn trial(p: &Program, ins: &Ins, used: &mut Use) -> Option<()> {
    let Ins::Try { at, f } = *ins else { return None };
    used.reads.push((at, p.funcs.get(f.index())?.args));
    used.window = Some(at);
    Some(())
}

/// Options of an action: the fixed parameters, then the domain of the last.
pub(super) fn options(p: &Program, ins: &Ins, used: &mut Use) -> Option<()> {
    let (Ins::Options { at, last, action } | Ins::Subsets { at, last, action, .. }) = *ins else {
        return None;
    };
    let (end, fixed) = p.actions.get(action.index())?.params.split_last()?;
    let n: u8 = fixed.iter().map(|x| x.domain.words(p)).sum();
    let domain = match end.domain {
        Domain::Thing(u) => words(p, u.0 as u8),
        Domain::Number => 2,
        Domain::Subset(u) => 2 + words(p, u.0 as u8),
    };
    used.reads.extend([(at, n), (last, domain)]);
    Some(())
}

/// One option of an action: all parameters are fixed.
pub(super) fn option(p: &Program, ins: &Ins, used: &mut Use) -> Option<()> {
    let Ins::Option { action } = *ins else { return None };
    let n: u8 = p.actions.get(action.index())?.params.iter().map(|x| x.domain.words(p)).sum();
    used.reads.push((1, n));
    Some(())
}

/// A text with registers. What its functions read is unknown.
pub(super) fn text(p: &Program, ins: &Ins, used: &mut Use) -> Option<()> {
    let Ins::Verdict { t, .. } = ins else { return None };
    for piece in p.templates.get(t.index()).map_or(&[][..], |t| &t.parts) {
        match piece {
            Piece::Literal(_) => {}
            Piece::Register(r, show) => used.reads.push((*r, shown(p, *show))),
            Piece::Func(..) | Piece::Reason(_) => return None,
        }
    }
    Some(())
}
