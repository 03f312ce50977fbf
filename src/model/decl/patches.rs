//! Patches: components that cover several spaces of a drawn map and print on them. The checker writes what they mean as attributes and values, which all else knows already.
//!
//! ```text
//! patch Tile of 4 { prints { ground: Ground; cave: bool = no } }   # the attributes `ground 1` to `cave 4` of a tile: the rules cannot name them
//! map Land hexes of Tile """ … """                                 # the four spaces with the sign `g` are the slot `g`
//! space Hex on Land { }                                            # h.slot, h.patch; h.ground and h.cave: read on the tile, none where it lies face down; t.ground(2)
//! space Site for Tile { slot tile: Tile }                          # its members are the signs; s.spaces
//! ```
//!
//! A patch of one space needs no slots: it lies in a slot of the space itself. A patch whose shape can be turned onto itself has the attribute `turned`.
use super::{Declarer, Job};
use crate::body::{build, types};
use crate::codes::{PATCH, PRINTS, SLOTS, TWICE};
use crate::hir::*;
use crate::uses::Def;
use houserule_syntax::{ast, is_reserved};
use houserule_text::{Diagnostic, Span};
use rustc_hash::FxHashMap as HashMap;
use std::sync::Arc;

/// The most spaces that a patch covers.
const MOST_COVERED: i64 = 64;

/// Patches, their maps and their slots, until all kinds are known.
#[derive(Default)]
pub(in crate::decl) struct Patches<'t> {
    pub kinds: Vec<Patch<'t>>,
    /// Maps that are laid out of a kind.
    pub maps: Vec<(MapId, &'t ast::Name)>,
    /// Kinds of spaces on which patches of a kind lie.
    pub slots: Vec<(KindId, &'t ast::Name)>,
    /// Where the rules say what a patch prints: its rows, with the columns above them, and its entries.
    pub rows: Vec<(MemberId, Span)>,
    /// Pictures that could not be read, which has been reported: the map, who draws it, and its signs.
    pub unread: Vec<(MapId, ScopeId, &'t ast::Picture)>,
    /// Whether a picture shows no slot at all, so that nobody knows the names of its slots.
    pub has_blank: bool,
}

/// The kinds of patches, and where the rules say what a patch prints.
pub(in crate::decl) type Printed = (Vec<KindId>, Vec<(MemberId, Span)>);

/// `patch K of n { … }`.
pub(in crate::decl) struct Patch<'t> {
    pub kind: KindId,
    /// Over how many spaces.
    size: usize,
    pub name: &'t ast::Name,
    pub prints: Vec<&'t ast::Part>,
}

/// How the spaces of a map come to the patches that lie on them.
pub(in crate::decl) struct Ground {
    pub space: KindId,
    /// The attribute that says in which slot a space lies; none where the space is the slot itself.
    pub slot: Option<AttrId>,
    /// Where the patch lies: a slot of the space or of its slot.
    pub lies: ZoneId,
    /// For each turn of the patch, the attribute that says which of its spaces this is.
    pub spots: Vec<AttrId>,
    /// How the patch lies, if it can be turned.
    pub turned: Option<AttrId>,
    /// Directions over the sides of a space, clockwise.
    pub sides: &'static [u8],
}

/// A slot as a picture draws it: its spaces in reading order, by their places among the signs.
struct DrawnSlot {
    slot: MemberId,
    picture: usize,
    cells: Vec<usize>,
    shape: Vec<Cell>,
    /// The first of its signs.
    span: Span,
    /// Whether its sign can be a name.
    is_named: bool,
}

/// A space of a picture in coordinates in which a shape keeps its form wherever it lies.
type Cell = (i64, i64);

impl<'t> Declarer<'t> {
    pub(super) fn declare_patch(&mut self, p: &'t ast::PatchDecl, scope: ScopeId, doc: Option<Arc<str>>) {
        let sort = KindSort::Component(ComponentSort::Patch);
        let kind = self.new_kind(&p.name.text, None, sort, p.name.span, scope, doc);
        if !(1..=MOST_COVERED).contains(&p.size.value) {
            let message = format!("a patch covers 1 to {MOST_COVERED} spaces");
            let help = format!("write how many spaces it covers: `patch {} of 4`", p.name.text);
            self.report.push(Diagnostic::error(PATCH, p.size.span, message).help(help));
        }
        let size = p.size.value.clamp(1, MOST_COVERED) as usize;
        self.patches.kinds.push(Patch { kind, size, name: &p.name, prints: Vec::new() });
        self.declare_parts(Some(kind), &p.parts, scope);
    }

    /// `prints { … }`: collected, because only the map says how many sides a space has.
    pub(super) fn declare_prints(
        &mut self,
        of: Option<KindId>,
        prints: &'t [ast::Part],
        span: Span,
        scope: ScopeId,
    ) {
        let Some(at) = self.patches.kinds.iter().position(|p| Some(p.kind) == of) else {
            let help =
                "write `patch K of 4 { prints { … } }`; elsewhere, write the attribute without `prints`";
            self.report_misplaced(span, "only a patch prints on the spaces that it covers", help);
            return;
        };
        if of.is_some_and(|k| self.model.kinds[k.index()].scope != scope) {
            let message = "what a patch prints is the same in each set-up";
            let help = "write it where the patch is declared, with a default: `name: TYPE = value`";
            self.report.push(Diagnostic::error(PRINTS, span, message).help(help));
            return;
        }
        for p in prints {
            let wrong = match &p.kind {
                ast::PartKind::Bad => continue,
                ast::PartKind::Attr(a) => {
                    self.check_once_in(of, &a.name);
                    let side = a.per.as_ref().is_some_and(|n| n.text != "direction");
                    a.side.is_some() || a.clamped || side
                }
                _ => true,
            };
            if wrong {
                let message = "a patch prints attributes that never change";
                let help = "write `name: TYPE`, with a default as `name: TYPE = value`, or `name: TYPE per direction` for the sides of a patch of one space";
                self.report.push(Diagnostic::error(PRINTS, p.span, message).help(help));
            } else if let Some(patch) = self.patches.kinds.get_mut(at) {
                let name = |p: &ast::Part| match &p.kind {
                    ast::PartKind::Attr(a) => Some(a.name.text.clone()),
                    _ => None,
                };
                // The second of a name has been reported.
                if !patch.prints.iter().any(|x| name(x) == name(p)) {
                    patch.prints.push(p);
                }
            }
        }
    }

    /// Whether a column of a list says what the patches of the kind print.
    pub(super) fn is_print_column(&self, kind: KindId, column: &ast::Name) -> bool {
        let number = column.text.starts_with(|c: char| c.is_ascii_digit());
        (number || crate::body::index::DIRECTIONS.contains(&column.text.as_str()))
            && self.patches.kinds.iter().any(|p| p.kind == kind)
    }

    /// Reports columns for other spaces than a patch covers. Returns whether the cells of the list can be read.
    pub(super) fn check_print_columns(&mut self, kind: KindId, columns: &[ast::Name]) -> bool {
        let Some(patch) = self.patches.kinds.iter().find(|p| p.kind == kind) else { return true };
        let size = patch.size;
        let number = |c: &&ast::Name| c.text.starts_with(|c: char| c.is_ascii_digit());
        let numbers: Vec<&ast::Name> = columns.iter().filter(number).collect();
        let wanted: Vec<String> = (1..=size).map(|n| n.to_string()).collect();
        let Some(first) = numbers.first() else { return true };
        let wrong = numbers.iter().zip(wanted.iter().map(Some).chain(std::iter::repeat(None)));
        let wrong = wrong.into_iter().find(|(c, w)| w.is_none_or(|w| *w != c.text)).map(|(c, _)| c.span);
        if wrong.is_none() && numbers.len() == size {
            return true;
        }
        let all = wanted.iter().map(|n| format!("| {n}")).collect::<Vec<_>>().join(" ");
        let message = format!("a patch `{}` covers {size} spaces, and prints on each", patch.name.text);
        let d = Diagnostic::error(PRINTS, wrong.unwrap_or(first.span), message);
        self.report.push(d.help(format!("write a column for each of them in this order: `{all}`")));
        false
    }

    /// Remembers where a row or an entry says what a patch prints.
    pub(super) fn note_print_row(&mut self, kind: KindId, member: MemberId, span: Span) {
        if self.patches.kinds.iter().any(|p| p.kind == kind) {
            self.patches.rows.push((member, span));
        }
    }

    /// A picture of a map that has been reported: the names of its slots are known all the same.
    pub(super) fn note_unread_picture(&mut self, map: usize, scope: ScopeId, picture: &'t ast::Picture) {
        self.patches.unread.push((MapId(map as u32), scope, picture));
    }

    /// Declares what patches print, and what spaces show. Returns what [`Self::check_prints`] needs.
    pub(super) fn declare_patches(&mut self) -> Printed {
        let Patches { kinds, maps, slots, rows, unread, .. } = std::mem::take(&mut self.patches);
        self.patches.unread = unread;
        for name in maps.iter().map(|(_, n)| n).chain(slots.iter().map(|(_, n)| n)) {
            let Some(found) = self.find_kind(name) else { continue };
            if !kinds.iter().any(|p| p.kind == found) {
                let d = Diagnostic::error(PATCH, name.span, format!("`{}` is no patch", name.text));
                let help = format!("declare it as one: `patch {} of 4 {{ prints {{ … }} }}`", name.text);
                self.report.push(d.also(self.model.kinds[found.index()].span, "declared here").help(help));
            }
        }
        for (map, of) in &maps {
            if !kinds.iter().any(|p| p.name.text == of.text && p.size == 1) {
                // Its signs are slots, or a finding says why not.
                let map = &mut self.model.maps[map.index()];
                map.slots = Some(map.space);
            }
        }
        for patch in &kinds {
            if let Some(ground) = self.find_ground(patch, &maps, &slots) {
                let prints = self.add_prints(patch, &ground);
                self.add_values(patch, &ground, prints);
            } else {
                let of = |n: &ast::Name| n.text == patch.name.text;
                let map = maps.iter().find(|(_, n)| of(n));
                if let (Some((map, _)), Some((host, _))) = (map, slots.iter().find(|(_, n)| of(n))) {
                    self.name_slots(*map, *host, true);
                }
            }
        }
        (kinds.iter().map(|p| p.kind).collect(), rows)
    }

    fn find_ground(
        &mut self,
        patch: &Patch<'t>,
        maps: &[(MapId, &'t ast::Name)],
        slots: &[(KindId, &'t ast::Name)],
    ) -> Option<Ground> {
        let name = &patch.name.text;
        let based = self.model.kinds.iter().find(|k| k.parent == Some(patch.kind)).map(|k| k.span);
        if let Some(at) = based {
            let message = format!("no kind can be based on the patch `{name}`");
            let help = "give the patch an attribute that tells its sorts apart";
            self.report.push(Diagnostic::error(PATCH, at, message).help(help));
            return None;
        }
        let mut laid = maps.iter().filter(|(_, n)| n.text == *name);
        let (map, of) = match (laid.next(), laid.next()) {
            (Some(one), None) => *one,
            (None, _) => {
                let message = format!("no map is laid out of `{name}`");
                let help = format!("say of which map: `map Land hexes of {name} \"\"\" … \"\"\"`");
                self.report.push(Diagnostic::error(PATCH, patch.name.span, message).help(help));
                return None;
            }
            (Some((_, first)), Some((_, second))) => {
                let message = format!("a second map is laid out of `{name}`");
                let d = Diagnostic::error(PATCH, second.span, message).also(first.span, "the first one");
                self.report.push(d.help("declare a patch of its own for each map"));
                return None;
            }
        };
        let mut own = slots.iter().filter(|(_, n)| n.text == *name);
        let decl = self.model.maps.get(map.index())?;
        let space = decl.space;
        let sides: &'static [u8] = match decl.shape {
            Shape::Squares { .. } => &[0, 2, 4, 6],
            Shape::Hexes { .. } => &[1, 2, 3, 5, 6, 7],
            Shape::Line | Shape::Graph => {
                let message = format!("`{}` cannot be laid out of patches", decl.name);
                let help = "only maps of `squares` and `hexes` can";
                self.report.push(Diagnostic::error(PATCH, of.span, message).help(help));
                return None;
            }
        };
        // That no kind of spaces belongs to the map is said elsewhere.
        let on_map = matches!(self.model.kinds.get(space.index())?.sort, KindSort::Space(Some(_)));
        let mut ground =
            Ground { space, slot: None, lies: ZoneId(0), spots: Vec::new(), turned: None, sides };
        let host = match (own.next(), own.next()) {
            _ if !on_map => return None,
            (None, _) if patch.size == 1 => space,
            (Some((_, n)), _) if patch.size == 1 => {
                let message = format!("a patch of one space lies on that space, so `{name}` needs no slots");
                let help = format!("give the spaces of the map a slot for it: `slot tile: {name}`");
                self.report.push(Diagnostic::error(PATCH, n.span, message).help(help));
                return None;
            }
            (Some((site, _)), None) => *site,
            (Some((_, first)), Some((_, second))) => {
                let message = format!("`{name}` already lies on other spaces");
                let d = Diagnostic::error(PATCH, second.span, message).also(first.span, "declared here");
                self.report.push(d.help("leave one of the two out"));
                return None;
            }
            (None, _) => {
                let message = format!("nothing declares where a patch `{name}` lies");
                let help =
                    format!("declare the slots of the map: `space Site for {name} {{ slot tile: {name} }}`");
                self.report.push(Diagnostic::error(PATCH, of.span, message).help(help));
                return None;
            }
        };
        ground.lies = self.find_slot(host, patch)?;
        let by_side = |p: &&ast::Part| matches!(&p.kind, ast::PartKind::Attr(a) if a.per.is_some());
        let turns = match patch.size {
            1 if patch.prints.iter().any(by_side) => sides.len(),
            1 => 1,
            _ => self.read_slots(patch, map, host, of.span, &mut ground)?,
        };
        if turns > 1 {
            let word = ast::Name { text: "turned".into(), span: patch.name.span };
            self.check_once_in(Some(patch.kind), &word);
            let zero = build::int(0, Span::default());
            let ty = Ty::Int(0, turns as i32 - 1);
            let id = self.add_attr(patch.kind, "turned".into(), ty, patch.name.span, AttrSide::Back);
            self.model.attrs[id.index()].default = Some(Body { locals: Vec::new(), params: 0, body: zero });
            self.model.attrs[id.index()].is_part = false;
            ground.turned = Some(id);
        }
        Some(ground)
    }

    /// The slot of a kind of spaces for patches of the kind.
    fn find_slot(&mut self, host: KindId, patch: &Patch<'_>) -> Option<ZoneId> {
        let of = types::line_of(&self.model, host);
        let is = |z: &Zone| {
            z.slot && z.index.is_none() && z.of.is_some_and(|k| of.contains(&k)) && z.holds == [patch.kind]
        };
        let mut found = (0..).map(ZoneId).zip(&self.model.zones).filter(|(_, z)| is(z)).map(|(id, _)| id);
        if let (Some(one), None) = (found.next(), found.next()) {
            return Some(one);
        }
        let (host, name) = (&self.model.kinds[host.index()], &patch.name.text);
        let message = format!("`{}` must have one slot for a patch `{name}`", host.name);
        let help = format!("declare it: `slot tile: {name}`");
        self.report.push(Diagnostic::error(PATCH, host.span, message).help(help));
        None
    }

    /// Reads the slots of all pictures of a map: each sign is one. Returns in how many ways a patch can lie.
    fn read_slots(
        &mut self,
        patch: &Patch<'t>,
        map: MapId,
        host: KindId,
        of: Span,
        ground: &mut Ground,
    ) -> Option<usize> {
        let name = &patch.name.text;
        let decl = self.model.maps.get(map.index())?.clone();
        let unread = self.patches.unread.iter().any(|(m, ..)| *m == map);
        if decl.pictures.is_empty() && !unread || decl.in_play.is_some() {
            let message =
                format!("{} has no picture, so it is not known which spaces a `{name}` covers", decl.name);
            let help = "draw the map: a sign for each patch, at each space that it covers";
            self.report.push(Diagnostic::error(SLOTS, of, message).help(help));
            return None;
        }
        for (i, later) in decl.pictures.iter().enumerate() {
            let earlier = decl.pictures.iter().take(i).find(|p| self.may_be_together(p.scope, later.scope));
            if let Some(earlier) = earlier {
                let message =
                    format!("two pictures of {} may be in force at once, each with slots", decl.name);
                let d = Diagnostic::error(SLOTS, later.span, message).also(earlier.span, "the other picture");
                let help = "draw the map once, or in scenarios that are not built on each other";
                self.report.push(d.help(help));
            }
        }
        self.model.maps[map.index()].slots = Some(host);
        let word = |text: &str| ast::Name { text: text.into(), span: of };
        self.check_once_in(Some(ground.space), &word("slot"));
        let slot = self.add_attr(ground.space, "slot".into(), Ty::Of(host), Span::default(), AttrSide::Front);
        self.model.attrs[slot.index()].is_part = false;
        ground.slot = Some(slot);
        let mut drawn: Vec<DrawnSlot> = Vec::new();
        for (p, picture) in decl.pictures.iter().enumerate() {
            if let Some(label) = picture.labels.first() {
                let message = "the rows of a map of patches have no names";
                let help = "leave out what stands before the bar";
                self.report.push(Diagnostic::error(SLOTS, label.span, message).help(help));
            }
            if picture.cells.iter().all(|c| &*c.sign == ".") {
                let message = format!("this picture of {} shows no slot", decl.name);
                let help = "draw a sign for each patch, at each space that it covers";
                self.report.push(Diagnostic::error(SLOTS, picture.span, message).help(help));
                self.patches.has_blank = true;
            }
            drawn.extend(self.collect_slots(&decl, (p, picture), host));
        }
        let unread_slots = self.name_slots(map, host, false);
        self.patches.has_blank |= unread && unread_slots.is_empty();
        for id in self.model.kinds[host.index()].members.clone() {
            let is_drawn = drawn.iter().any(|d| d.slot == id) || unread_slots.contains(&id);
            if !is_drawn && !self.patches.has_blank {
                let member = &self.model.members[id.index()];
                let message = format!("no picture of {} shows the slot `{}`", decl.name, member.name);
                let d = Diagnostic::error(SLOTS, member.span, message);
                self.report.push(d.help("draw it at each space that a patch covers there, or leave it out"));
            }
        }
        drawn.retain(|d| d.is_named);
        let shape = self.check_shapes(patch, &drawn);
        drawn.retain(|d| shape.as_ref().is_some_and(|shape| d.shape == *shape));
        // If no slot is sound, the spaces show all the same what lies on them.
        let turns = shape.map_or_else(|| vec![Vec::new()], |shape| list_turns(decl.shape, &shape));
        for j in 0..turns.len() {
            let ty = Ty::Int(0, patch.size as i32 - 1);
            let spot = format!("spot {j}").into();
            let id = self.add_attr(ground.space, spot, ty, Span::default(), AttrSide::Front);
            ground.spots.push(id);
        }
        for d in &drawn {
            let Some(picture) = decl.pictures.get(d.picture) else { continue };
            for (spot, cell) in d.cells.iter().enumerate() {
                let Some(PictureCell { sign, span, .. }) = picture.cells.get(*cell) else { continue };
                // A sign with a blank cannot be written: it is the map's own.
                let sign: Arc<str> = format!("{sign} {}", spot + 1).into();
                let member = build::expr(Ty::Of(host), *span, ExprKind::Member(d.slot));
                let mut marks = vec![Mark::Set(slot, member)];
                marks.extend(ground.spots.iter().zip(&turns).map(|(attr, turn)| {
                    Mark::Set(*attr, build::int(turn.get(spot).map_or(0, |i| *i as i32), *span))
                }));
                let map = &mut self.model.maps[map.index()];
                let row =
                    LegendRow { scope: picture.scope, sign: sign.clone(), marks, when: None, span: *span };
                map.legend.push(row);
                if let Some(c) = map.pictures.get_mut(d.picture).and_then(|p| p.cells.get_mut(*cell)) {
                    c.sign = sign;
                }
            }
        }
        self.read_slot_legends(map, host);
        Some(turns.len())
    }

    /// The slots that a picture draws. Also those with a wrong shape or name are members: their names are known.
    fn collect_slots(&mut self, map: &Map, picture: (usize, &Picture), host: KindId) -> Vec<DrawnSlot> {
        let (at, picture) = picture;
        let mut signs: Vec<(&str, Vec<usize>)> = Vec::new();
        for (i, cell) in picture.cells.iter().enumerate().filter(|(_, c)| &*c.sign != ".") {
            match signs.iter_mut().find(|(sign, _)| *sign == &*cell.sign) {
                Some((_, at)) => at.push(i),
                None => signs.push((&cell.sign, vec![i])),
            }
        }
        let mut out = Vec::new();
        for (sign, places) in signs {
            let cells: Vec<&PictureCell> = places.iter().filter_map(|i| picture.cells.get(*i)).collect();
            let Some(span) = cells.first().map(|c| c.span) else { continue };
            let is_named = is_name(sign);
            if !is_named {
                let message = format!("`{sign}` cannot be the name of a slot");
                let help = "call it by a word that begins with a small letter, such as `a` or `bay`";
                self.report.push(Diagnostic::error(SLOTS, span, message).help(help));
            }
            let slot = self.find_or_add_member(host, sign, span, picture.scope);
            for cell in &cells {
                self.notes.note(cell.span, Def::Member(slot));
            }
            let shape = to_shape(map.shape, picture.size.1, &cells);
            out.push(DrawnSlot { slot, picture: at, cells: places, shape, span, is_named });
        }
        out
    }

    /// Declares the slots of pictures that could not be read, so that nothing is said of their names; `all`: also those of the others.
    fn name_slots(&mut self, map: MapId, host: KindId, all: bool) -> Vec<MemberId> {
        let unread = self.patches.unread.iter().filter(|(m, ..)| *m == map);
        let mut signs: Vec<(ScopeId, Arc<str>, Span)> = Vec::new();
        for (scope, picture) in unread.map(|(_, scope, picture)| (*scope, *picture)) {
            let cells = picture.rows.iter().flat_map(|r| &r.cells);
            signs.extend(cells.map(|c| (scope, c.text.as_str().into(), c.span)));
        }
        for picture in self.model.maps.get(map.index()).iter().filter(|_| all).flat_map(|m| &m.pictures) {
            signs.extend(picture.cells.iter().map(|c| (picture.scope, c.sign.clone(), c.span)));
        }
        let mut out = Vec::new();
        for (scope, sign, span) in signs.into_iter().filter(|(_, sign, _)| is_name(sign)) {
            let members = &self.model.kinds[host.index()].members;
            let known = members.iter().copied().find(|m| self.model.members[m.index()].name == sign);
            out.push(known.unwrap_or_else(|| self.new_member(host, &sign, None, span, scope)));
        }
        out
    }

    /// Reports slots that a patch does not fit. Returns the shape that most of the others have.
    fn check_shapes(&mut self, patch: &Patch<'t>, drawn: &[DrawnSlot]) -> Option<Vec<Cell>> {
        let (patch, size) = (&patch.name.text, patch.size);
        let name = |d: &DrawnSlot| self.model.members[d.slot.index()].name.clone();
        let mut found = Vec::new();
        let count = |n: usize| if n == 1 { "1 space".into() } else { format!("{n} spaces") };
        let wrong: Vec<&DrawnSlot> = drawn.iter().filter(|d| d.cells.len() != size).collect();
        match wrong.as_slice() {
            [first, rest @ ..]
                if !rest.is_empty()
                    && wrong.len() == drawn.len()
                    && rest.iter().all(|d| d.cells.len() == first.cells.len()) =>
            {
                let n = first.cells.len();
                let message = format!("each slot has {}, but a patch `{patch}` covers {size}", count(n));
                let help =
                    format!("draw each sign {size} times, or let a patch cover {n}: `patch {patch} of {n}`");
                found.push(Diagnostic::error(SLOTS, first.span, message).help(help));
            }
            _ => {
                for d in wrong {
                    let n = count(d.cells.len());
                    let message = format!("`{}` has {n}, but a patch `{patch}` covers {size}", name(d));
                    let help = "draw another sign for each patch, and `.` where there is no space";
                    found.push(Diagnostic::error(SLOTS, d.span, message).help(help));
                }
            }
        }
        // The first slot of each shape, and how many there are.
        let mut shapes: Vec<(&DrawnSlot, usize)> = Vec::new();
        for d in drawn.iter().filter(|d| d.cells.len() == size) {
            match shapes.iter_mut().find(|(first, _)| first.shape == d.shape) {
                Some((_, n)) => *n += 1,
                None => shapes.push((d, 1)),
            }
        }
        let most = shapes.iter().map(|(_, n)| *n).max().unwrap_or(0);
        let mut usual = shapes.iter().filter(|(_, n)| *n == most);
        let first = usual.next().map(|(first, _)| *first);
        let tie = usual.next().is_some();
        if let Some(first) = first {
            for d in drawn.iter().filter(|d| d.cells.len() == size && d.shape != first.shape) {
                let (own, other) = (name(d), name(first));
                let (message, also) = match tie {
                    true => (format!("`{own}` and `{other}` have different shapes"), "the other slot"),
                    false => (format!("`{own}` has another shape than most slots"), "one of the others"),
                };
                let d = Diagnostic::error(SLOTS, d.span, message).also(first.span, also);
                let help = "draw all slots of a map in the same shape: each patch must fit each slot";
                found.push(d.help(help));
            }
        }
        found.into_iter().for_each(|d| self.report.push(d));
        first.map(|d| d.shape.clone())
    }

    /// Whether a set-up may have both scopes: all but scenarios and parts of which neither is built on the other.
    fn may_be_together(&self, a: ScopeId, b: ScopeId) -> bool {
        let scope = |s: ScopeId| self.model.scopes.get(s.index());
        let apart = |s| scope(s).is_some_and(|s| matches!(s.kind, ScopeKind::Scenario | ScopeKind::Part));
        let is_on = |above: ScopeId, below: ScopeId| {
            let (mut seen, mut next) = (vec![above], vec![above]);
            while let Some(s) = next.pop() {
                let with = scope(s).map_or(&[][..], |s| &s.with);
                let fresh: Vec<ScopeId> =
                    with.iter().flatten().copied().filter(|x| !seen.contains(x)).collect();
                seen.extend(&fresh);
                next.extend(fresh);
            }
            seen.contains(&below)
        };
        !apart(a) || !apart(b) || is_on(a, b) || is_on(b, a)
    }

    /// The member of that name: the rules may have declared it, for a title or for attributes.
    fn find_or_add_member(&mut self, host: KindId, sign: &str, span: Span, scope: ScopeId) -> MemberId {
        let members = &self.model.kinds[host.index()].members;
        let known = members.iter().copied().find(|m| *self.model.members[m.index()].name == *sign);
        let key = ("slot", format!("{}.{sign}", host.0));
        match known {
            Some(id) => {
                let drawn = self.seen.insert(key, span);
                if let Some(first) = drawn {
                    let message = format!("another picture already has the slot `{sign}`");
                    let d = Diagnostic::error(TWICE, span, message).also(first, "the slot is drawn here");
                    self.report.push(
                        d.help("call it by another sign: the slots of all pictures have names of their own"),
                    );
                }
                let member = &mut self.model.members[id.index()];
                let elsewhere = (member.scope != scope && member.scope != ScopeId(0)).then_some(member.span);
                member.scope = scope;
                if let Some(at) = elsewhere.filter(|_| drawn.is_none()) {
                    let message = format!("the slot `{sign}` is declared elsewhere than it is drawn");
                    let d = Diagnostic::error(SLOTS, at, message).also(span, "drawn here");
                    self.report.push(d.help("declare it beside the picture, or in the game"));
                }
                id
            }
            None => {
                self.seen.insert(key, span);
                self.new_member(host, sign, None, span, scope)
            }
        }
    }

    /// Legends of a map of patches give values to its slots.
    fn read_slot_legends(&mut self, map: MapId, host: KindId) {
        let jobs = std::mem::take(&mut self.jobs);
        let only = self.model.maps.len() == 1;
        for job in jobs {
            let name = self.model.maps[map.index()].name.clone();
            let is_of = |l: &ast::Legend| l.map.as_ref().map_or(only, |m| *m.text == *name);
            let (scope, legend) = match job {
                Job::Legend(scope, legend, _) if is_of(legend) => (scope, legend),
                other => {
                    self.jobs.push(other);
                    continue;
                }
            };
            if let Some(n) = &legend.map {
                self.notes.note(n.span, Def::Map(map));
            }
            for row in legend.rows.iter().filter(|r| !r.bad) {
                if let Some(when) = &row.when {
                    let message = "what a legend says of a slot holds in each set-up";
                    let help = "leave out `when …`, and change the attribute in `setup`";
                    self.report.push(Diagnostic::error(SLOTS, when.span, message).help(help));
                }
                for sign in &row.signs {
                    let members = &self.model.kinds[host.index()].members;
                    let named = |m: &Member| *m.name == *sign.text && m.scope == scope;
                    let id = members.iter().copied().find(|m| named(&self.model.members[m.index()]));
                    let Some(id) = id else {
                        if self.patches.has_blank {
                            continue;
                        }
                        let message = format!("no picture of {name} here shows the slot `{}`", sign.text);
                        let help = "write the legend beside the picture, with a sign of the picture";
                        self.report.push(Diagnostic::error(SLOTS, sign.span, message).help(help));
                        continue;
                    };
                    self.notes.note(sign.span, Def::Member(id));
                    self.jobs.push(Job::Marks(id, None, &row.marks));
                }
            }
        }
    }

    /// Declares the attributes that a patch prints: of each print, for each space or side, the words behind its name and the attribute.
    fn add_prints(&mut self, patch: &Patch<'t>, ground: &Ground) -> Vec<Vec<AttrId>> {
        let mut out = Vec::new();
        for part in &patch.prints {
            let ast::PartKind::Attr(a) = &part.kind else { continue };
            let ty = self.read_type(&a.ty);
            let word = |k: KindId| self.model.kinds.get(k.index()).is_some_and(|k| k.sort == KindSort::Enum);
            let fits = match types::plain(&ty) {
                Ty::Bool | Ty::Int(..) | Ty::Error => true,
                Ty::Of(k) => word(k),
                _ => false,
            };
            if !fits {
                let d = Diagnostic::error(
                    PRINTS,
                    a.ty.span,
                    "a patch prints words of an enum, numbers, and yes or no",
                );
                self.report
                    .push(d.help("name an enum, a range such as `1..6`, or `bool`; with `?` also none"));
            }
            if a.per.is_some() && patch.size > 1 {
                let message = "only a patch of one space prints on its sides";
                let help = "leave out `per direction`: a patch of several spaces prints on each space";
                self.report.push(Diagnostic::error(PRINTS, a.name.span, message).help(help));
            }
            let places: Vec<String> = match a.per {
                Some(_) => {
                    let word = |d: &u8| crate::body::index::DIRECTIONS.get(usize::from(*d)).copied();
                    ground.sides.iter().filter_map(word).map(|d| format!("to {d}")).collect()
                }
                None => (1..=patch.size).map(|n| n.to_string()).collect(),
            };
            let mut all = Vec::new();
            for place in places {
                let name = format!("{} {place}", a.name.text).into();
                let id = self.add_attr(patch.kind, name, ty.clone(), a.name.span, AttrSide::Front);
                if let Some(e) = &a.default {
                    let job = Job::AttrDefault(id, e);
                    self.jobs.push(if all.is_empty() { job } else { Job::Again(Box::new(job)) });
                }
                all.push(id);
            }
            out.push(all);
        }
        out
    }

    /// An attribute that no rule can name.
    fn add_attr(&mut self, of: KindId, name: Arc<str>, ty: Ty, span: Span, side: AttrSide) -> AttrId {
        let id = AttrId(self.model.attrs.len() as u32);
        self.model.kinds[of.index()].attrs.push(id);
        self.model.attrs.push(Attr {
            name,
            of: Some(of),
            ty,
            default: None,
            clamped: false,
            per: None,
            side,
            assigned: false,
            drawn: false,
            has_of: None,
            parts: Vec::new(),
            is_part: true,
            span,
            doc: None,
            scope: self.model.kinds[of.index()].scope,
        });
        id
    }

    /// Reports patches that leave out what they must print. Of a row in which something else is wrong, nothing more is said.
    pub(super) fn check_prints(&mut self, printed: &Printed) {
        let (patches, rows) = printed;
        let m = &self.model;
        let wrong: Vec<Span> =
            self.report.findings.iter().filter(|d| d.is_error()).map(|d| d.at.span).collect();
        let is_reported = |id: MemberId| {
            let holds = |row: &Span, at: &Span| row.to(*at) == *row && row.file == at.file;
            let of = rows.iter().filter(|(m, _)| *m == id);
            of.into_iter().any(|(_, row)| wrong.iter().any(|at| holds(row, at)))
        };
        let mut found = Vec::new();
        for z in m.zones.iter().filter(|z| z.holds.iter().any(|k| patches.contains(k))) {
            let shows = |v: &Value| matches!(v.role, ValueRole::Patch) && v.of.is_some() && v.of == z.of;
            if m.values.iter().any(shows) && !matches!(z.seen, Seen::All) {
                let message = format!("what lies in `{}` cannot be hidden: its spaces show it", z.name);
                let d = Diagnostic::error(PATCH, z.span, message);
                found.push(d.help("leave out `seen by …`; a patch that lies face down is not seen"));
            }
        }
        for k in patches.iter().filter_map(|k| m.kinds.get(k.index())) {
            let needed = |a: &&AttrId| {
                let attr = &m.attrs[a.index()];
                attr.is_part && attr.default.is_none() && !matches!(attr.ty, Ty::Maybe(_) | Ty::Error)
            };
            for id in k.members.iter().filter(|id| !is_reported(**id)) {
                let Some(member) = m.members.get(id.index()) else { continue };
                let given = |a: &AttrId| member.sets.iter().any(|(x, _)| x == a);
                let Some(attr) = k.attrs.iter().filter(needed).find(|a| !given(a)) else { continue };
                let attr = &m.attrs[attr.index()];
                let (print, place) = attr.name.split_once(' ').unwrap_or((&attr.name, ""));
                let column = place.strip_prefix("to ").unwrap_or(place);
                let message = match column.len() == place.len() {
                    true => format!("`{}` prints no `{print}` on its space {place}", member.name),
                    false => format!("`{}` prints no `{print}` in the {column}", member.name),
                };
                let d = Diagnostic::error(PRINTS, member.span, message)
                    .also(attr.span, "declared here, without a default");
                let help = "write it in the column `{}` of a list: `list K | 1 | 2 { … }`";
                found.push(d.help(help.replace("{}", column).replace(" K ", &format!(" {} ", k.name))));
            }
        }
        found.into_iter().for_each(|d| self.report.push(d));
    }
}

/// Whether a sign of a picture can be the name of a slot.
pub(super) fn is_name(sign: &str) -> bool {
    let mut letters = sign.chars();
    letters.next().is_some_and(|c| c.is_ascii_lowercase())
        && letters.all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !is_reserved(sign)
}

/// The cells of a slot, moved so that equal shapes are equal.
fn to_shape(shape: Shape, rows: u32, cells: &[&PictureCell]) -> Vec<Cell> {
    let at = |c: &&PictureCell| {
        let (x, y) = (i64::from(c.column), i64::from(rows) - 1 - i64::from(c.row));
        match shape {
            // Odd rows are shifted half a hex to the east.
            Shape::Hexes { rhombus: false } => (x - (y >> 1), y),
            _ => (x, y),
        }
    };
    to_corner(cells.iter().map(at).collect())
}

fn to_corner(mut cells: Vec<Cell>) -> Vec<Cell> {
    let x = cells.iter().map(|c| c.0).min().unwrap_or(0);
    let y = cells.iter().map(|c| c.1).min().unwrap_or(0);
    cells.iter_mut().for_each(|c| *c = (c.0 - x, c.1 - y));
    cells
}

/// The turns that bring a shape onto itself: for each, which of its cells comes to lie where each was.
fn list_turns(shape: Shape, cells: &[Cell]) -> Vec<Vec<usize>> {
    let hexes = matches!(shape, Shape::Hexes { .. });
    let turn = |(x, y): Cell| if hexes { (x + y, -x) } else { (y, -x) };
    let mut at = cells.to_vec();
    let mut out = Vec::new();
    for _ in 0..if hexes { 6 } else { 4 } {
        let there: HashMap<Cell, usize> = at.iter().enumerate().map(|(i, c)| (*c, i)).collect();
        out.extend(cells.iter().map(|c| there.get(c).copied()).collect::<Option<Vec<usize>>>());
        at = to_corner(at.iter().map(|c| turn(*c)).collect());
    }
    out
}
