//! Lays out components: numbers of components and faces of each root kind, and their backs.
use crate::ir::*;
use crate::layout::tables::{Layout, Tables};
use crate::layout::words::plain_text;
use houserule_model::body::types;
use houserule_model::hir::*;
use std::sync::Arc;

impl Layout<'_> {
    /// The faces of a kind that is one of several of its family; empty if the family has only this kind.
    pub fn own_faces(&self, kind: Option<KindId>) -> Vec<u16> {
        let Some((k, index)) = kind.and_then(|k| Some((k, *self.comps_of.get(&self.root(k))?))) else {
            return Vec::new();
        };
        let kinds = self.face_kinds.get(index as usize).map_or(&[][..], |all| all);
        let is = |x: &KindId| types::is_a(self.m, *x, k);
        match kinds.iter().all(is) {
            true => Vec::new(),
            false => (0u16..).zip(kinds).filter(|(_, x)| is(x)).map(|(i, _)| i).collect(),
        }
    }
}

impl Tables<'_> {
    pub fn lay_out_components(&mut self, root: KindId, turned: bool) {
        let m = self.m;
        let index = self.p.comps.len() as u16;
        let family: Vec<KindId> = (0..m.kinds.len())
            .map(|k| KindId(k as u32))
            .filter(|k| self.root(*k) == root && self.set.has(m.kinds[k.index()].scope))
            .collect();
        let (mut faces, mut face_things, mut initial, mut owners, mut sides) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let per_player = family.iter().any(|k| m.kinds[k.index()].per_player);
        let mut of_kind: Vec<(KindId, std::ops::Range<usize>)> = Vec::new();
        let mut face_kinds: Vec<KindId> = Vec::new();
        'family: for k in &family {
            let from = initial.len();
            let kind = &m.kinds[k.index()];
            for id in &kind.members {
                let Some(d) = m
                    .members
                    .get(id.index())
                    .filter(|d| self.set.has(d.scope) && !self.set.removes(m, Removed::Member(*id)))
                else {
                    continue;
                };
                let (least, keys) =
                    d.family.as_ref().map_or((0, 1), |(_, lo, hi)| (*lo, (hi - lo + 1) as u16));
                self.layout.faces_of.insert(*id, (faces.len() as u16, least, keys));
                for key in (0..i32::from(keys)).map(|i| least + i) {
                    let face = faces.len() as u16;
                    faces.push((*id, key));
                    let word: Arc<str> =
                        if d.family.is_some() { format!("{}({key})", d.name).into() } else { d.name.clone() };
                    let title: Arc<str> =
                        if d.family.is_some() { self.family_title(*id, key) } else { plain_text(&d.title) };
                    face_things.push(Thing { word, title });
                    sides.push(self.declared_sides(*id, None));
                    let copies = match &d.copies {
                        Some(c) => {
                            self.setup_number(&c.body, &[(LocalId(0), i64::from(key))], "how many there are")
                        }
                        None => 1,
                    };
                    let sets = if per_player { self.set.players as i64 } else { 1 };
                    let all = copies.saturating_mul(sets).saturating_add(initial.len() as i64);
                    if copies < 0 || all > 1024 {
                        self.report_unsupported(d.span, explain_too_many(copies, all));
                        break 'family;
                    }
                    for p in 0..sets {
                        for _ in 0..copies {
                            initial.push(face);
                            owners.push(p as i32);
                        }
                    }
                }
            }
            if let Some(c) = &kind.copies {
                // Components without a member have one face, named like the kind.
                let copies = self.setup_number(c, &[], "how many there are").max(0);
                let sets = if per_player { self.set.players as i64 } else { 1 };
                let all = copies.saturating_mul(sets).saturating_add(initial.len() as i64);
                if all > 1024 {
                    self.report_unsupported(c.span, explain_too_many(copies, all));
                    continue;
                }
                let face = faces.len() as u16;
                faces.push((MemberId(u32::MAX), 0));
                face_things.push(Thing { word: kind.name.to_lowercase().into(), title: kind.title.clone() });
                sides.push(self.declared_sides(MemberId(u32::MAX), Some(*k)));
                for p in 0..sets {
                    for _ in 0..copies {
                        initial.push(face);
                        owners.push(p as i32);
                    }
                }
            }
            face_kinds.resize(faces.len(), *k);
            of_kind.push((*k, from..initial.len()));
        }
        let n = initial.len() as u32;
        let name = &m.kinds[root.index()].name;
        let universe = self.add_universe(name, n, UniverseSort::Components(index), Vec::new());
        let is_die = matches!(m.kinds[root.index()].sort, KindSort::Component(ComponentSort::Die));
        let showing = is_die.then(|| {
            let things = self.side_things(&faces, &face_things, &sides);
            let n = things.len() as u32;
            self.add_universe(&format!("side of {name}"), n, UniverseSort::Sides(index), things)
        });
        let values: Vec<Vec<i32>> = sides.iter().map(|s| s.iter().map(|s| s.value).collect()).collect();
        let face_universe = self.add_universe(
            &format!("face of {name}"),
            faces.len() as u32,
            UniverseSort::Faces(index),
            face_things,
        );
        let w = self.set_words(universe);
        for (k, range) in &of_kind {
            self.layout.kind_uni.insert(*k, universe);
            let mut set = vec![0u64; w as usize];
            let below: Vec<_> =
                of_kind.iter().filter(|(j, _)| types::is_a(m, *j, *k)).map(|(_, r)| r.clone()).collect();
            for i in below.into_iter().flatten().chain(range.clone()) {
                set[i / 64] |= 1 << (i % 64);
            }
            self.layout.things_of.insert(*k, set);
        }
        let boxed = self.p.places.len() as u16;
        let (place, face) = (self.alloc_cells(n), self.alloc_cells(n));
        let side = if is_die { self.alloc_cells(n) } else { u32::MAX };
        let up = if turned { self.alloc_cells(n) } else { u32::MAX };
        let plane = self.alloc_planes(u32::from(w));
        self.p.places.push(Place {
            zone: u16::MAX,
            owner: i32::MIN,
            holder: i32::MIN,
            space: i32::MIN,
            comps: index,
            plane,
            seq: u32::MAX,
            row: u32::MAX,
            room: 0,
        });
        let known = self.alloc_planes(u32::from(w) * self.set.seats);
        self.layout.comps_of.insert(root, index);
        self.layout.face_members.push(faces.clone());
        let (backs, back_titles) = self.backs(&faces, &face_kinds);
        self.layout.face_kinds.push(face_kinds);
        self.layout.sides.push(sides);
        self.p.comps.push(Components {
            title: m.kinds[root.index()].title.clone(),
            universe,
            faces: face_universe,
            place,
            face,
            side,
            up,
            came: u32::MAX,
            showing,
            boxed,
            discards: None,
            by_face: None,
            known,
            backs,
            back_titles,
            classes: Vec::new(),
            initial,
            owners: if per_player { owners } else { Vec::new() },
            sides: values,
            attrs: Vec::new(),
            named_by: Vec::new(),
            mixed: false,
        });
    }

    fn family_title(&mut self, id: MemberId, key: i32) -> Arc<str> {
        let d = &self.m.members[id.index()];
        let mut out = String::new();
        for part in &d.title.parts {
            match part {
                TextPart::Literal(t) => out.push_str(t),
                TextPart::Hole(e) => {
                    let k = self.setup_number(e, &[(LocalId(0), i64::from(key))], "a title");
                    out.push_str(&k.to_string());
                }
            }
        }
        let holes = d.title.parts.iter().any(|p| matches!(p, TextPart::Hole(_)));
        if holes { out.into() } else { format!("{out} {key}").into() }
    }

    /// Numbers of backs: faces with equal `back` attributes have one back, in all kinds of the family; but a card does not look like a token that lies beside it.
    /// And the title of each back: of the nearest kind of which all its faces are.
    fn backs(&mut self, faces: &[(MemberId, i32)], face_kinds: &[KindId]) -> (Vec<u16>, Vec<Arc<str>>) {
        // The kind that is named, and what is printed on the back.
        type Back = (Option<KindId>, Vec<(AttrId, i64)>);
        let mut keys: Vec<Back> = Vec::new();
        let mut out = Vec::new();
        let mut common: Vec<KindId> = Vec::new();
        for ((id, key), kind) in faces.iter().zip(face_kinds) {
            let line = types::line_of(self.m, *kind);
            let named = line.into_iter().rfind(|k| !self.m.kinds[k.index()].joined);
            let attrs: Vec<AttrId> = match self.m.members.get(id.index()) {
                Some(d) => types::line_of(self.m, d.kind)
                    .iter()
                    .flat_map(|k| self.m.kinds[k.index()].attrs.clone())
                    .collect(),
                None => Vec::new(),
            };
            let m = self.m;
            let this: Vec<(AttrId, i64)> = attrs
                .into_iter()
                .filter(|a| m.attrs[a.index()].side == AttrSide::Back)
                .map(|a| (a, self.member_value(*id, *key, a)))
                .collect();
            let this = (named, this);
            let at = keys.iter().position(|k| *k == this).unwrap_or_else(|| {
                keys.push(this);
                common.push(*kind);
                keys.len() - 1
            });
            let shared = types::line_of(self.m, common[at]);
            let shared = shared.into_iter().find(|k| types::is_a(self.m, *kind, *k));
            common[at] = shared.unwrap_or(common[at]);
            out.push(at as u16);
        }
        let titles = common.iter().map(|k| self.m.kinds[k.index()].title.clone()).collect();
        (out, titles)
    }

    /// The member of a thing, by the thing's number at the start.
    pub fn member_at(&self, k: KindId, i: u32) -> Option<(MemberId, i32)> {
        if types::is_component(self.m, k) {
            let c = *self.layout.comps_of.get(&self.root(k))? as usize;
            let face = *self.p.comps[c].initial.get(i as usize)?;
            return self.layout.face_members[c].get(face as usize).copied();
        }
        let members = &self.m.kinds[k.index()].members;
        members.iter().copied().find(|m| self.layout.member_no.get(m) == Some(&i)).map(|m| (m, 0))
    }
}

/// The message for too many components of a kind.
fn explain_too_many(copies: i64, all: i64) -> String {
    match copies < 0 {
        true => format!("{copies} components"),
        false => format!("{all} components of one kind (1,024 at most, with those of kinds that are it)"),
    }
}
