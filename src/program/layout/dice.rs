//! Lays out dice: sides of their faces, printed values of each side, tables by side.
use crate::ir::*;
use crate::layout::domains::set_bit;
use crate::layout::tables::{Home, Layout, Tables};
use houserule_model::body::types;
use houserule_model::hir::*;
use houserule_text::Span;
use std::sync::Arc;

/// Entry of a table for a side that a face does not have.
const NO_SIDE: i32 = i32::MIN + 1;

impl Layout<'_> {
    /// The index of the components of a type, or of the components whose faces or sides it is.
    pub fn comps_of_type(&self, ty: &Ty) -> Option<u16> {
        match types::plain(ty) {
            Ty::Of(k) | Ty::Face(k) | Ty::Side(k) | Ty::Filter(k) => {
                self.comps_of.get(&self.root(k)).copied()
            }
            Ty::AnyOf(ks) => self.comps_of.get(&self.root(*ks.first()?)).copied(),
            _ => None,
        }
    }

    /// Words and titles of all sides, by number. The name of a side is its value; the name of its face is added if the value is only a number or occurs on another face.
    pub fn side_things(
        &self,
        members: &[(MemberId, i32)],
        faces: &[Thing],
        sides: &[Vec<Side>],
    ) -> Vec<Thing> {
        let most = sides.iter().map(Vec::len).max().unwrap_or(0).max(1);
        let said = |s: &Side, people: bool| {
            let mut words: Vec<String> = Vec::new();
            if s.numbered {
                words.push(s.value.to_string());
            }
            for (a, e) in &s.marks {
                let of = match &*e.kind {
                    ExprKind::Member(m) | ExprKind::Face(m, _) => self.m.members.get(m.index()),
                    _ => None,
                };
                words.push(match of {
                    Some(m) if people => crate::layout::words::plain_text(&m.title).to_string(),
                    Some(m) => m.name.to_string(),
                    None => self.m.attrs.get(a.index()).map_or_else(String::new, |a| a.name.to_string()),
                });
            }
            words.join(" ")
        };
        let mut out = Vec::new();
        for (i, face) in faces.iter().enumerate() {
            let own: &[Side] = sides.get(i).map_or(&[], |s| s);
            for k in 0..most {
                let Some(s) = own.get(k) else {
                    out.push(Thing { word: "".into(), title: "".into() });
                    continue;
                };
                let (word, title) = (said(s, false), said(s, true));
                let others = sides.iter().enumerate().filter(|(j, _)| *j != i).flat_map(|(_, s)| s);
                let alone = !s.marks.is_empty() && !others.into_iter().any(|o| said(o, false) == word);
                out.push(if alone {
                    Thing { word: word.into(), title: title.into() }
                } else {
                    // Dice without a member are named like their kind.
                    let named = members.get(i).is_some_and(|(m, _)| *m != MemberId(u32::MAX));
                    let name = if named { &face.word } else { &face.title };
                    Thing {
                        word: format!("{name} {word}").into(),
                        title: format!("{} {title}", face.title).into(),
                    }
                });
            }
        }
        out
    }

    /// The sides that a member or its kind declares; for dice without a member, those of the kind.
    pub fn declared_sides(&self, id: MemberId, kind: Option<KindId>) -> Vec<Side> {
        let m = self.m;
        let member = m.members.get(id.index());
        let kinds = member.map(|d| d.kind).or(kind).map_or_else(Vec::new, |k| types::line_of(m, k));
        let own = member.map(|d| &d.sides).into_iter();
        own.chain(kinds.into_iter().filter_map(|k| m.kinds.get(k.index())).map(|k| &k.sides))
            .find(|s| !s.is_empty())
            .cloned()
            .unwrap_or_default()
    }
}

impl Tables<'_> {
    /// The number of sides of the face with the most sides; none if the kind is no die.
    pub fn most_sides(&self, comps: u16) -> Option<usize> {
        let c = self.p.comps.get(comps as usize)?;
        (c.side != u32::MAX).then(|| c.most_sides())
    }

    /// The universe of the sides of a kind of dice.
    pub fn side_universe(&mut self, comps: u16, span: Span) -> UniverseId {
        match self.p.comps.get(comps as usize).and_then(|c| c.showing) {
            Some(u) if self.things_in(u) <= 1024 => u,
            Some(_) => {
                self.report_unsupported(span, "dice with more than 1,024 sides of all sorts together");
                self.p.truth_universe
            }
            None => {
                self.report_unsupported(span, "the faces of something that is not a die");
                self.p.truth_universe
            }
        }
    }

    /// Adds a table by side; each face has as many entries as the face with the most sides.
    pub fn add_side_table(
        &mut self,
        comps: u16,
        name: &str,
        of: impl Fn(usize, usize) -> i32,
    ) -> Option<TableIx> {
        let most = self.most_sides(comps)?;
        let c = self.p.comps.get(comps as usize)?;
        let (sides, faces) = (c.sides.clone(), c.faces);
        let mut values = Vec::new();
        for (i, s) in sides.iter().enumerate() {
            values.extend((0..most).map(|k| if k < s.len() { of(i, k) } else { NO_SIDE }));
        }
        let universe = c.showing.unwrap_or(faces);
        let same = |t: &Table| *t.name == *name && t.universe == universe && t.values == values;
        match self.p.tables.iter().position(same) {
            Some(i) => Some(TableIx(i as u16)),
            None => Some(self.add_table(&name.into(), universe, values)),
        }
    }

    /// The table of the values on the sides.
    pub fn side_values(&mut self, comps: u16) -> Option<TableIx> {
        let sides = self.p.comps.get(comps as usize)?.sides.clone();
        self.add_side_table(comps, "side", |i, k| {
            sides.get(i).and_then(|s| s.get(k)).copied().unwrap_or(NO_SIDE)
        })
    }

    /// Lays out a `face` attribute: a table by side.
    pub fn lay_out_side_attribute(&mut self, id: AttrId) {
        let m = self.m;
        let Some(a) = m.attrs.get(id.index()).filter(|a| self.set.has(a.scope) && a.ty != Ty::Error) else {
            return;
        };
        let Some(comps) = a.of.and_then(|k| self.layout.comps_of.get(&self.root(k)).copied()) else { return };
        if matches!(types::plain(&a.ty), Ty::Set(_) | Ty::List(_) | Ty::Bag(_) | Ty::Filter(_) | Ty::Text) {
            self.report_unsupported(a.span, "faces that hold sets or texts");
            return;
        }
        let given = a.default.as_ref().and_then(|b| self.constant(&b.body).int());
        let default = given.unwrap_or(if a.ty == Ty::Bool { 0 } else { NONE }) as i32;
        let sides = self.layout.sides.get(comps as usize).cloned().unwrap_or_default();
        let values: Vec<Vec<i32>> = sides
            .iter()
            .map(|of| {
                of.iter()
                    .map(|s| {
                        let mark = s.marks.iter().find(|(x, _)| *x == id);
                        mark.and_then(|(_, e)| self.constant(e).int()).map_or(default, |v| v as i32)
                    })
                    .collect()
            })
            .collect();
        let name: Arc<str> = a.name.clone();
        let at = |i: usize, k: usize| values.get(i).and_then(|v| v.get(k)).copied().unwrap_or(NO_SIDE);
        if let Some(t) = self.add_side_table(comps, &name, at) {
            self.layout.homes.insert(id, Home::Side(t));
        }
    }

    /// The set of all sides of a kind of dice.
    pub fn all_sides(&self, k: KindId, w: u8) -> Vec<u64> {
        let mut words = vec![0u64; w as usize];
        let Some(comps) = self.layout.comps_of.get(&self.root(k)).copied() else { return words };
        let most = self.most_sides(comps).unwrap_or(1);
        let members = self.layout.face_members.get(comps as usize).map_or(&[][..], |m| m);
        for (i, (id, _)) in members.iter().enumerate() {
            let of = self.m.members.get(id.index());
            // Components without a member are of the root kind.
            if of.map_or(self.root(k) == k, |d| types::is_a(self.m, d.kind, k)) {
                let n = self.p.comps[comps as usize].sides.get(i).map_or(0, Vec::len);
                (i * most..i * most + n).for_each(|s| set_bit(&mut words, s));
            }
        }
        words
    }

    /// The constant value of an attribute of a side or face; without `attr`, the value of the side.
    pub fn printed_value(&self, ty: &Ty, number: i64, attr: Option<AttrId>) -> Option<i64> {
        let ty = types::plain(ty);
        let comps = self.comps_of_type(&ty)?;
        let at = usize::try_from(number).ok()?;
        let face = match ty {
            Ty::Side(_) => at / self.most_sides(comps)?,
            Ty::Face(_) => at,
            _ => return None,
        };
        let values = |t: &TableIx| self.p.tables.get(t.index()).map(|t| &t.values);
        let v = match attr.map(|a| self.layout.homes.get(&a)) {
            None => {
                let most = self.most_sides(comps)?;
                *self.p.comps.get(comps as usize)?.sides.get(face)?.get(at % most)?
            }
            Some(Some(Home::Side(t))) if matches!(ty, Ty::Side(_)) => *values(t)?.get(at)?,
            Some(Some(Home::Table(t))) => *values(t)?.get(face)?,
            _ => return None,
        };
        Some(i64::from(v))
    }

    /// The face of a side, or the face itself.
    pub fn printed_face(&self, ty: &Ty, number: i64) -> Option<i64> {
        match types::plain(ty) {
            Ty::Face(_) => Some(number),
            Ty::Side(_) => Some(number / self.most_sides(self.comps_of_type(ty)?)? as i64),
            _ => None,
        }
    }
}
