//! Reads drawn maps: which spaces there are, and what the signs put on them.
use crate::ir::*;
use crate::layout::tables::{Layout, Sign, Tables};
use houserule_model::body::types;
use houserule_model::codes::{MAP_SIZE, SIGN};
use houserule_model::explaining_rows;
use houserule_model::hir::*;
use houserule_text::{Diagnostic, Span};
use rustc_hash::FxHashSet as HashSet;
use std::rc::Rc;

/// Columns and rows of a map, and its spaces: column and row, counted from the south.
pub type Spaces = ((u32, u32), Vec<(u16, u16)>);

/// Components that signs need: the face if it has a name, the kind and the owner; how many are drawn, and the first sign for which none is left.
type Asked = (Option<MemberId>, KindId, Option<i64>, usize, Option<Span>);

impl Layout<'_> {
    /// The picture of a map in this set-up: that of the scope loaded last.
    pub fn picture(&self, map: MapId) -> Option<&'_ Picture> {
        let m = self.m;
        let place = |p: &Picture| self.set.scopes.iter().position(|s| *s == p.scope);
        let in_force = m.maps[map.index()].pictures.iter().filter(|p| self.set.has(p.scope));
        in_force.max_by_key(|p| place(p))
    }

    /// The drawn maps of this set-up.
    pub fn drawn_maps(&self) -> Vec<MapId> {
        (0..self.m.maps.len() as u32)
            .map(MapId)
            .filter(|m| self.map_ix.contains_key(m) && self.picture(*m).is_some())
            .collect()
    }

    /// Whether the rules build a map themselves. If not, it is built before the set-up.
    pub fn is_built_by_rules(&self, map: MapId) -> bool {
        self.game_facts.built_by_rules.contains(&map)
    }

    /// Whether a mark puts down a component of a kind that each player has.
    fn is_of_a_player(&self, mark: &Mark) -> bool {
        let kind = match mark {
            Mark::Component(member, _) => self.m.members[member.index()].kind,
            Mark::OfKind(kind, _) => *kind,
            _ => return false,
        };
        types::line_of(self.m, kind).iter().any(|k| self.m.kinds[k.index()].per_player)
    }
}

impl Tables<'_> {
    /// Columns, rows and spaces of a map in this set-up; the spaces row by row from the south-west.
    pub fn spaces_of(&mut self, map: MapId) -> Option<Spaces> {
        let decl = &self.m.maps[map.index()];
        let size = match &decl.computed {
            Some((w, h)) => {
                let of = [w, h].map(|e| u32::try_from(self.setup_number(e, &[], "how large a map is")));
                of[0].ok().zip(of[1].ok()).or(decl.size)
            }
            None => decl.size,
        };
        let Some(p) = self.picture(map) else {
            let (w, h) = size?;
            let all = (0..h).flat_map(|r| (0..w).map(move |c| (c as u16, r as u16)));
            return Some(((w, h), if w * h > 4096 { Vec::new() } else { all.collect() }));
        };
        let mut all: Vec<(u16, u16)> = p
            .cells
            .iter()
            .filter(|c| &*c.sign != "." || explaining_rows(decl, ".", |r| self.set.has(r.scope)).is_some())
            .map(|c| (c.column as u16, (p.size.1 - 1 - c.row) as u16))
            .collect();
        all.sort_by_key(|(c, r)| (*r, *c));
        let (drawn, at) = (p.size, p.span);
        if let Some((w, h)) = size.filter(|s| *s != drawn) {
            let name = &decl.name;
            let message = format!(
                "{name} is {w} by {h} in this set-up, but this picture is {} by {}",
                drawn.0, drawn.1
            );
            let d = Diagnostic::error(MAP_SIZE, at, message).also(decl.span, "the size is declared here");
            self.errors.push(d.help("give the option the size of the picture in the scenario that draws it"));
        }
        Some((drawn, all))
    }

    /// All marks that the picture of a map puts on its spaces, in order.
    pub fn signs(&mut self, map: MapId) -> Rc<Vec<Sign>> {
        if let Some(known) = self.signs_of.get(&map) {
            return known.clone();
        }
        let made = Rc::new(self.read_signs(map));
        self.signs_of.insert(map, made.clone());
        made
    }

    fn read_signs(&mut self, map: MapId) -> Vec<Sign> {
        let mut out = Vec::new();
        let decl = &self.m.maps[map.index()];
        let Some(p) = self.picture(map).cloned() else { return out };
        for cell in &p.cells {
            let (column, row) = (cell.column, p.size.1 - 1 - cell.row);
            if self.space_at(map, column, row).is_none() {
                continue;
            }
            let of = |sign| explaining_rows(decl, sign, |r| self.set.has(r.scope)).unwrap_or_default();
            // The marks of a row's label come first, so that the marks of the space itself override them.
            let label = p.labels.iter().find(|l| l.row == cell.row);
            let mut rows = label.map(|l| of(&l.sign)).unwrap_or_default();
            rows.extend(of(&cell.sign));
            // Another letter of the sign names the owner.
            let owned = rows.iter().flat_map(|r| &r.marks).any(|k| self.is_of_a_player(k));
            let said = |k: &Mark| match k {
                Mark::Whose(p) => Some(p.clone()),
                Mark::Player(_, p) if owned => Some(p.clone()),
                _ => None,
            };
            let whose = rows.iter().flat_map(|r| &r.marks).find_map(said);
            for r in rows {
                if let Some(c) = &r.when
                    && self.constant_int(c) == 0
                {
                    continue;
                }
                let sign = |mark: &Mark| {
                    let (mut mark, whose, span) = (mark.clone(), whose.clone(), cell.span);
                    if let Mark::Player(a, p) = mark {
                        mark = if owned { Mark::Whose(p) } else { Mark::Set(a, p) };
                    }
                    Sign { column, row, span, mark, whose }
                };
                out.extend(r.marks.iter().map(sign));
            }
        }
        out
    }

    /// Reports signs for which the box has no component left. Maps that are built before the set-up share one box; for a map that rules build, the box may be full.
    pub fn check_drawn_maps(&mut self) {
        let mut shared: HashSet<(u16, usize)> = HashSet::default();
        for map in self.drawn_maps() {
            let before = if self.is_built_by_rules(map) { HashSet::default() } else { shared.clone() };
            let mut gone = before.clone();
            let mut filled: HashSet<(u32, u32, ZoneId)> = HashSet::default();
            let mut asked: Vec<Asked> = Vec::new();
            for sign in self.signs(map).iter() {
                let (member, kind, to) = match sign.mark {
                    Mark::Component(member, to) => (Some(member), self.m.members[member.index()].kind, to),
                    Mark::OfKind(kind, to) => (None, kind, to),
                    _ => continue,
                };
                // A slot that is filled already is left as it is.
                if self.m.zones[to.index()].slot && !filled.insert((sign.column, sign.row, to)) {
                    continue;
                }
                let whose = sign.whose.as_ref().and_then(|p| self.constant(p).int());
                let found =
                    self.components_in_box(member, kind, whose).into_iter().find(|c| !gone.contains(c));
                gone.extend(found);
                let lacks = found.is_none().then_some(sign.span);
                match asked.iter_mut().find(|a| (a.0, a.1, a.2) == (member, kind, whose)) {
                    Some(a) => (a.3, a.4) = (a.3 + 1, a.4.or(lacks)),
                    None => asked.push((member, kind, whose, 1, lacks)),
                }
            }
            for (member, kind, whose, drawn, lacks) in asked {
                let Some(span) = lacks else { continue };
                let there = self.components_in_box(member, kind, whose);
                let there = there.iter().filter(|c| !before.contains(c)).count();
                let name = match member {
                    Some(member) => self.m.members[member.index()].name.to_string(),
                    None => types::name(self.m, kind),
                };
                let map = &self.m.maps[map.index()].name;
                let d = if drawn > there {
                    let message = format!(
                        "{map} shows {drawn} of `{name}`, but there {} only {there}",
                        if there == 1 { "is" } else { "are" }
                    );
                    Diagnostic::error(SIGN, span, message)
                        .help("draw fewer, or make more copies: `x3` after the name")
                } else {
                    let message = format!("there are not enough of `{name}` for this sign");
                    Diagnostic::error(SIGN, span, message)
                        .help("a sign with the name of a kind takes any component of the kind; name a component at each sign")
                };
                self.errors.push(d);
            }
            if !self.is_built_by_rules(map) {
                shared = gone;
            }
        }
    }

    /// The components of a face or kind, and of an owner if one is given, that are in the box at the start: index and number.
    fn components_in_box(
        &self,
        member: Option<MemberId>,
        kind: KindId,
        whose: Option<i64>,
    ) -> Vec<(u16, usize)> {
        let root = types::root_of(self.m, kind);
        let Some(index) = self.layout.comps_of.get(&root).copied() else { return Vec::new() };
        let (comps, faces) =
            (&self.p.comps[usize::from(index)], &self.layout.face_members[usize::from(index)]);
        let of_kind = self.layout.things_of.get(&kind);
        let fits = |c: usize| {
            let shows = match member {
                Some(member) => faces[usize::from(comps.initial[c])].0 == member,
                None => of_kind.is_some_and(|set| set[c / 64] >> (c % 64) & 1 == 1),
            };
            shows && whose.is_none_or(|p| comps.owners.get(c).is_none_or(|o| i64::from(*o) == p))
        };
        (0..comps.initial.len()).filter(|c| fits(*c)).map(|c| (index, c)).collect()
    }

    /// The values of an attribute that only the signs of maps assign, if all are constant: start values, overridden by the drawn ones. Not for maps that rules
    /// build, which are not there from the start.
    pub fn drawn_values(&mut self, id: AttrId, mut values: Vec<i32>) -> Option<Vec<i32>> {
        let a = &self.m.attrs[id.index()];
        if !a.drawn {
            return Some(values);
        }
        let (maybe, range) = (types::is_maybe(&a.ty), types::plain(&a.ty));
        for map in self.drawn_maps() {
            let decl = &self.m.maps[map.index()];
            if a.of != Some(decl.space) {
                continue;
            }
            for sign in self.signs(map).iter() {
                let Mark::Set(at, value) = &sign.mark else { continue };
                if *at != id {
                    continue;
                }
                let x = self.constant(value).int()?;
                let fits = match range {
                    Ty::Int(lo, hi) => (i64::from(lo)..=i64::from(hi)).contains(&x),
                    _ => true,
                };
                if self.is_built_by_rules(map) || !(fits && x != NONE || maybe && x == NONE) {
                    return None;
                }
                let space = self.space_at(map, sign.column, sign.row)?;
                *values.get_mut(space)? = i32::try_from(x).ok()?;
            }
        }
        Some(values)
    }

    /// The number of a space of a map, if it exists in this set-up.
    pub fn space_at(&self, map: MapId, column: u32, row: u32) -> Option<usize> {
        let ix = self.layout.map_ix.get(&map)?;
        // Spaces are numbered row by row from the south.
        let at = &self.p.maps[ix.index()].at;
        at.binary_search_by_key(&(row, column), |(c, r)| (u32::from(*r), u32::from(*c))).ok()
    }
}
