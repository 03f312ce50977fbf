//! Faces and sides: what a die shows, what its sides say, turning it to a value. The state holds the number of the side that is up; tables tell what each side of
//! each face says. A side by itself has a number, too: that of the face times the most sides that any face has, plus its own.
use crate::ir::*;
use crate::lower::fn_builder::FnBuild;
use crate::lower::{Home, Lower};
use houserule_model::body::types;
use houserule_model::hir::*;
use houserule_text::Span;
use std::sync::Arc;

impl Lower<'_> {
    /// The components that a type's things are, or are printed on.
    pub fn comps_of_type(&self, ty: &Ty) -> Option<u16> {
        match types::plain(ty) {
            Ty::Of(k) | Ty::Face(k) | Ty::Side(k) | Ty::Filter(k) => {
                self.comps_of.get(&self.root(k)).copied()
            }
            Ty::AnyOf(ks) => self.comps_of.get(&self.root(*ks.first()?)).copied(),
            _ => None,
        }
    }

    /// How many sides the face with the most of them has; none of what is no die.
    fn most_sides(&self, comps: u16) -> Option<usize> {
        let c = self.p.comps.get(comps as usize)?;
        (c.side != u32::MAX).then(|| c.most_sides())
    }

    /// The universe of the sides of a kind of dice.
    pub fn side_universe(&mut self, comps: u16, span: Span) -> UniverseId {
        match self.p.comps.get(comps as usize).and_then(|c| c.showing) {
            Some(u) if self.n(u) <= 1024 => u,
            Some(_) => {
                self.fail(span, "dice with more than 1,024 sides of all sorts together");
                self.p.truth_universe
            }
            None => {
                self.fail(span, "the sides of what is no die");
                self.p.truth_universe
            }
        }
    }

    /// Words and titles of all sides, by number. A side is called by what it says, and by its face, too, where it says but a number, or where another face says the same.
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
                    Some(m) if people => crate::layout::plain(&m.title).to_string(),
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
                    // Dice without a member are called like their kind.
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

    /// A table by side: of each face as many entries as the face with the most sides has.
    fn by_side(&mut self, comps: u16, name: &str, of: impl Fn(usize, usize) -> i32) -> Option<TableIx> {
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
            None => Some(self.table(&name.into(), universe, values)),
        }
    }

    /// What the sides show.
    fn values_of(&mut self, comps: u16) -> Option<TableIx> {
        let sides = self.p.comps.get(comps as usize)?.sides.clone();
        self.by_side(comps, "side", |i, k| sides.get(i).and_then(|s| s.get(k)).copied().unwrap_or(NO_SIDE))
    }

    /// Where a `face` attribute lives: in a table by side.
    pub fn side_attr(&mut self, id: AttrId) {
        let m = self.m;
        let Some(a) = m.attrs.get(id.index()).filter(|a| self.set.has(a.scope) && a.ty != Ty::Error) else {
            return;
        };
        let Some(comps) = a.of.and_then(|k| self.comps_of.get(&self.root(k)).copied()) else { return };
        if matches!(types::plain(&a.ty), Ty::Set(_) | Ty::List(_) | Ty::Bag(_) | Ty::Filter(_) | Ty::Text) {
            self.fail(a.span, "faces that hold sets or texts");
            return;
        }
        let given = a.default.as_ref().and_then(|b| self.constant(&b.body).int());
        let default = given.unwrap_or(if a.ty == Ty::Bool { 0 } else { NONE }) as i32;
        let sides = self.sides.get(comps as usize).cloned().unwrap_or_default();
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
        if let Some(t) = self.by_side(comps, &name, at) {
            self.homes.insert(id, Home::Side(t));
        }
    }

    /// The sides that a member declares, or its kind; those of the kind for dice without a member.
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

    /// The number of the side that a die shows, or of a side by itself.
    fn side_number(&mut self, f: &mut FnBuild, x: &Expr) -> Option<R> {
        if matches!(types::plain(&x.ty), Ty::Side(_)) {
            return Some(self.needed(f, x));
        }
        let comps = self.comps_of_type(&x.ty)?;
        let most = self.most_sides(comps)?;
        let u = self.uni(&x.ty, x.span);
        let c = self.needed(f, x);
        Some(self.up_side(f, u, c, most as i64))
    }

    fn up_side(&mut self, f: &mut FnBuild, u: UniverseId, c: R, most: i64) -> R {
        let at = self.first_side(f, u, c, most);
        let side = f.alloc(1);
        f.emit(Ins::LdSide { d: side, c, u: u.0 as u8 });
        f.emit(Ins::Add { d: at, a: at, b: side });
        at
    }

    /// Where the sides of a die's face begin.
    fn first_side(&mut self, f: &mut FnBuild, u: UniverseId, c: R, most: i64) -> R {
        let (at, k) = (f.alloc(1), f.li(most));
        f.emit(Ins::LdFace { d: at, c, u: u.0 as u8 });
        f.emit(Ins::Mul { d: at, a: at, b: k });
        at
    }

    /// The number of the face that a component shows, that a side belongs to, or of a face itself.
    pub fn face_number(&mut self, f: &mut FnBuild, x: &Expr, r: R, d: R) {
        match types::plain(&x.ty) {
            Ty::Face(_) => {
                if r != d {
                    f.emit(Ins::Mov { d, a: r });
                }
            }
            Ty::Side(_) => {
                let most = self.comps_of_type(&x.ty).and_then(|c| self.most_sides(c)).unwrap_or(1);
                let k = f.li(most as i64);
                f.emit(Ins::Div { d, a: r, b: k });
            }
            _ => {
                let u = self.uni(&x.ty, x.span);
                f.emit(Ins::LdFace { d, c: r, u: u.0 as u8 });
            }
        }
    }

    /// What a table by side says of a die or a side; whether the thing has sides.
    pub fn side_table_into(&mut self, f: &mut FnBuild, x: &Expr, table: TableIx, d: R) -> bool {
        let Some(at) = self.side_number(f, x) else { return false };
        f.emit(Ins::LdTable { d, i: at, table });
        true
    }

    /// The value that a die or a side shows; whether the thing has sides.
    pub fn shown_into(&mut self, f: &mut FnBuild, x: &Expr, d: R) -> bool {
        let Some(table) = self.comps_of_type(&x.ty).and_then(|c| self.values_of(c)) else { return false };
        self.side_table_into(f, x, table, d)
    }

    /// Whether the second universe is of the sides that the dice of the first show.
    pub fn is_shown(&self, dice: UniverseId, sides: UniverseId) -> bool {
        match self.p.universes.get(dice.index()).map(|u| &u.sort) {
            Some(UniverseSort::Components(c)) => {
                self.p.comps.get(*c as usize).is_some_and(|c| c.side != u32::MAX && c.showing == Some(sides))
            }
            _ => false,
        }
    }

    /// The sum of the values that a set of dice, or of sides, shows: `x` is the name for one of them. Whether it is one.
    pub fn sum_of_values(&mut self, f: &mut FnBuild, x: &Expr, s: R, u: UniverseId, d: R) -> bool {
        let Some(table) = self.comps_of_type(&x.ty).and_then(|c| self.values_of(c)) else { return false };
        if matches!(types::plain(&x.ty), Ty::Side(_)) {
            f.emit(Ins::SumTable { d, s, table });
            return true;
        }
        let of = self.p.tables.get(table.index()).map(|t| t.universe);
        if !of.is_some_and(|of| self.is_shown(u, of)) {
            return false;
        }
        f.emit(Ins::SumShown { d, s, u: u.0 as u8, table });
        true
    }

    /// The set of the sides of a die.
    pub fn sides_into(&mut self, f: &mut FnBuild, x: &Expr, u: UniverseId, d: R) {
        let Some((comps, most)) = self.comps_of_type(&x.ty).and_then(|c| Some((c, self.most_sides(c)?)))
        else {
            self.fail(x.span, "the sides of what is no die");
            return;
        };
        let w = self.w(u);
        let mut all = Vec::new();
        for (i, n) in self.p.comps[comps as usize].sides.iter().map(Vec::len).enumerate() {
            let mut words = vec![0u64; w as usize];
            (i * most..i * most + n).for_each(|k| put(&mut words, k));
            all.extend(words);
        }
        let k = self.const_set(&all);
        let r = self.needed(f, x);
        let face = f.alloc(1);
        self.face_number(f, x, r, face);
        f.emit(Ins::SConstI { d, i: face, w, k });
    }

    /// All sides that the dice of a kind have, as a set.
    pub fn all_sides(&self, k: KindId, w: u8) -> Vec<u64> {
        let mut words = vec![0u64; w as usize];
        let Some(comps) = self.comps_of.get(&self.root(k)).copied() else { return words };
        let most = self.most_sides(comps).unwrap_or(1);
        let members = self.face_members.get(comps as usize).map_or(&[][..], |m| m);
        for (i, (id, _)) in members.iter().enumerate() {
            let of = self.m.members.get(id.index());
            // Components without a member are of the root kind.
            if of.map_or(self.root(k) == k, |d| types::is_a(self.m, d.kind, k)) {
                let n = self.p.comps[comps as usize].sides.get(i).map_or(0, Vec::len);
                (i * most..i * most + n).for_each(|s| put(&mut words, s));
            }
        }
        words
    }

    /// What is printed on a side or a face, where it is constant: an attribute, or, for none, the value.
    pub fn printed(&self, ty: &Ty, number: i64, attr: Option<AttrId>) -> Option<i64> {
        let ty = types::plain(ty);
        let comps = self.comps_of_type(&ty)?;
        let at = usize::try_from(number).ok()?;
        let face = match ty {
            Ty::Side(_) => at / self.most_sides(comps)?,
            Ty::Face(_) => at,
            _ => return None,
        };
        let values = |t: &TableIx| self.p.tables.get(t.index()).map(|t| &t.values);
        let v = match attr.map(|a| self.homes.get(&a)) {
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

    /// The face of a side or of a face.
    pub fn printed_face(&self, ty: &Ty, number: i64) -> Option<i64> {
        match types::plain(ty) {
            Ty::Face(_) => Some(number),
            Ty::Side(_) => Some(number / self.most_sides(self.comps_of_type(ty)?)? as i64),
            _ => None,
        }
    }

    /// What a filter is asked of, as an element of it: the side that a die shows, the face of a component.
    pub fn tested(&mut self, f: &mut FnBuild, x: &Expr) -> R {
        let die = self.comps_of_type(&x.ty).is_some_and(|c| self.most_sides(c).is_some());
        if die
            && !matches!(types::plain(&x.ty), Ty::Face(_))
            && let Some(at) = self.side_number(f, x)
        {
            return at;
        }
        let r = self.needed(f, x);
        let d = f.alloc(1);
        self.face_number(f, x, r, d);
        d
    }

    /// What a die of a kind shows that is rolled and taken up again: no component, but a number.
    pub fn roll_into(&mut self, f: &mut FnBuild, k: KindId, d: R, span: Span) {
        let values: Vec<i32> =
            self.declared_sides(MemberId(u32::MAX), Some(k)).iter().map(|s| s.value).collect();
        let title = self.m.kinds.get(k.index()).map(|k| k.title.clone());
        let (Some(title), Some(comps), false) =
            (title, self.comps_of.get(&self.root(k)).copied(), values.is_empty())
        else {
            self.fail(span, "a roll of a die whose sides its kind does not say");
            return;
        };
        let faces = self.p.comps.get(comps as usize).map_or(self.p.truth_universe, |c| c.faces);
        let known =
            self.p.tables.iter().position(|t| t.name == title && t.universe == faces && t.values == values);
        let table = match known {
            Some(i) => TableIx(i as u16),
            None => self.table(&title, faces, values),
        };
        let who = self.roller(f);
        f.emit(Ins::RollValue { d, who, table });
    }

    /// Turns a die to the first side that shows a value; that there is none such stops the rules.
    pub fn turn_to(&mut self, f: &mut FnBuild, x: &Expr, c: R, value: R) -> bool {
        let Some(comps) = self.comps_of_type(&x.ty) else { return false };
        let (Some(table), Some(most)) = (self.values_of(comps), self.most_sides(comps)) else { return false };
        let u = self.uni(&x.ty, x.span);
        let at = self.first_side(f, u, c, most as i64);
        let (side, shown) = (f.li(-1), f.alloc(1));
        let found = f.label();
        for k in 0..most {
            f.emit(Ins::LdTable { d: shown, i: at, table });
            f.emit(Ins::Eq { d: shown, a: shown, b: value });
            let next = f.label();
            f.jz(shown, next);
            f.emit(Ins::Li { d: side, k: k as i32 });
            f.jmp(found);
            f.place(next);
            f.emit(Ins::AddK { d: at, a: at, k: 1 });
        }
        f.place(found);
        f.emit(Ins::StSide { c, a: side, u: u.0 as u8 });
        true
    }
}

/// Puts a number into a set.
pub fn put(words: &mut [u64], i: usize) {
    if let Some(word) = words.get_mut(i / 64) {
        *word |= 1 << (i % 64);
    }
}

/// Where a face has fewer sides than another: no die ever shows it.
const NO_SIDE: i32 = i32::MIN + 1;
