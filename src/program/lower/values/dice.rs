//! Lowers faces and sides of dice: what a die shows, what is on its sides, turning it to a value. The state holds the number of the side that is up; tables hold what is
//! on each side. A side alone has a number, too: the number of the face, times the most sides that any face has, plus its own number on the face.
use crate::fn_builder::FnBuild;
use crate::ir::*;
use crate::layout::domains::set_bit;
use crate::layout::tables::Tables;
use crate::lower::Lower;
use houserule_model::body::types;
use houserule_model::hir::*;
use houserule_text::Span;

impl Tables<'_> {
    fn up_side_reg(&mut self, f: &mut FnBuild, u: UniverseId, c: R, most: i64) -> R {
        let at = self.first_side(f, u, c, most);
        let side = f.emit_new(1, |d| Ins::LdSide { d, c, u: u.0 as u8 });
        f.emit(Ins::Add { d: at, a: at, b: side });
        at
    }

    /// The number of the first side of a die's face.
    fn first_side(&mut self, f: &mut FnBuild, u: UniverseId, c: R, most: i64) -> R {
        let (at, k) = (f.alloc(1), f.load_number(most));
        f.emit(Ins::LdFace { d: at, c, u: u.0 as u8 });
        f.emit(Ins::Mul { d: at, a: at, b: k });
        at
    }

    /// Puts the number of a face into `d`: the face that a component shows, the face of a side, or the face itself.
    pub fn face_number(&mut self, f: &mut FnBuild, x: &Expr, r: R, d: R) {
        match types::plain(&x.ty) {
            Ty::Face(_) => {
                if r != d {
                    f.emit(Ins::Mov { d, a: r });
                }
            }
            Ty::Side(_) => {
                let most = self.comps_of_type(&x.ty).and_then(|c| self.most_sides(c)).unwrap_or(1);
                let k = f.load_number(most as i64);
                f.emit(Ins::Div { d, a: r, b: k });
            }
            _ => {
                let u = self.universe_of(&x.ty, x.span);
                f.emit(Ins::LdFace { d, c: r, u: u.0 as u8 });
            }
        }
    }

    /// Whether the second universe is of the sides of the dice in the first.
    pub fn is_shown(&self, dice: UniverseId, sides: UniverseId) -> bool {
        self.p.components_of(dice).is_some_and(|c| c.side != u32::MAX && c.showing == Some(sides))
    }

    /// Emits the sum of the values that a set of dice or sides shows; `x` names a member. Returns whether they have values.
    pub fn sum_of_values(&mut self, f: &mut FnBuild, x: &Expr, s: R, u: UniverseId, d: R) -> bool {
        let Some(table) = self.comps_of_type(&x.ty).and_then(|c| self.side_values(c)) else { return false };
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

    /// Emits a roll of a kind of die that is no component: the result is a number.
    pub fn roll_into(&mut self, f: &mut FnBuild, k: KindId, d: R, span: Span) {
        let values: Vec<i32> =
            self.declared_sides(MemberId(u32::MAX), Some(k)).iter().map(|s| s.value).collect();
        let title = self.m.kinds.get(k.index()).map(|k| k.title.clone());
        let (Some(title), Some(comps), false) =
            (title, self.comps_of.get(&self.root(k)).copied(), values.is_empty())
        else {
            self.report_unsupported(span, "a roll of a die whose sides its kind does not say");
            return;
        };
        let faces = self.p.comps.get(comps as usize).map_or(self.p.truth_universe, |c| c.faces);
        let known =
            self.p.tables.iter().position(|t| t.name == title && t.universe == faces && t.values == values);
        let table = match known {
            Some(i) => TableIx(i as u16),
            None => self.add_table(&title, faces, values),
        };
        let who = self.roller(f);
        f.emit(Ins::RollValue { d, who, table });
    }

    /// Turns a die to the first side that shows a value; a fault if there is none.
    pub fn turn_die_to(&mut self, f: &mut FnBuild, x: &Expr, c: R, value: R) -> bool {
        let Some(comps) = self.comps_of_type(&x.ty) else { return false };
        let (Some(table), Some(most)) = (self.side_values(comps), self.most_sides(comps)) else {
            return false;
        };
        let u = self.universe_of(&x.ty, x.span);
        let at = self.first_side(f, u, c, most as i64);
        let (side, shown) = (f.load_number(-1), f.alloc(1));
        let found = f.new_label();
        for k in 0..most {
            f.emit(Ins::LdTable { d: shown, i: at, table });
            f.emit(Ins::Eq { d: shown, a: shown, b: value });
            let next = f.new_label();
            f.jz(shown, next);
            f.emit(Ins::Li { d: side, k: k as i32 });
            f.jmp(found);
            f.place_label(next);
            f.emit(Ins::AddK { d: at, a: at, k: 1 });
        }
        f.place_label(found);
        f.emit(Ins::StSide { c, a: side, u: u.0 as u8 });
        true
    }
}

impl Lower<'_> {
    /// The number of the side that a die shows, or of a side.
    fn side_number(&mut self, f: &mut FnBuild, x: &Expr) -> Option<R> {
        if matches!(types::plain(&x.ty), Ty::Side(_)) {
            return Some(self.required_reg(f, x));
        }
        let comps = self.comps_of_type(&x.ty)?;
        let most = self.most_sides(comps)?;
        let u = self.universe_of(&x.ty, x.span);
        let c = self.required_reg(f, x);
        Some(self.up_side_reg(f, u, c, most as i64))
    }

    /// Looks up a table by side for a die or a side; returns whether the thing has sides.
    pub fn side_table_into(&mut self, f: &mut FnBuild, x: &Expr, table: TableIx, d: R) -> bool {
        let Some(at) = self.side_number(f, x) else { return false };
        f.emit(Ins::LdTable { d, i: at, table });
        true
    }

    /// Emits the value that a die or a side shows; returns whether the thing has sides.
    pub fn shown_into(&mut self, f: &mut FnBuild, x: &Expr, d: R) -> bool {
        let Some(table) = self.comps_of_type(&x.ty).and_then(|c| self.side_values(c)) else { return false };
        self.side_table_into(f, x, table, d)
    }

    /// Emits the set of the sides of a die.
    pub fn sides_into(&mut self, f: &mut FnBuild, x: &Expr, u: UniverseId, d: R) {
        let Some((comps, most)) = self.comps_of_type(&x.ty).and_then(|c| Some((c, self.most_sides(c)?)))
        else {
            self.report_unsupported(x.span, "the faces of something that is not a die");
            return;
        };
        let w = self.set_words(u);
        let mut all = Vec::new();
        for (i, n) in self.p.comps[comps as usize].sides.iter().map(Vec::len).enumerate() {
            let mut words = vec![0u64; w as usize];
            (i * most..i * most + n).for_each(|k| set_bit(&mut words, k));
            all.extend(words);
        }
        let k = self.add_const_set(&all);
        let r = self.required_reg(f, x);
        let face = f.alloc(1);
        self.face_number(f, x, r, face);
        f.emit(Ins::SConstI { d, i: face, w, k });
    }

    /// The element to which a filter is applied: the side that a die shows, or the face of a component.
    pub fn filter_element(&mut self, f: &mut FnBuild, x: &Expr) -> R {
        let die = self.comps_of_type(&x.ty).is_some_and(|c| self.most_sides(c).is_some());
        if die
            && !matches!(types::plain(&x.ty), Ty::Face(_))
            && let Some(at) = self.side_number(f, x)
        {
            return at;
        }
        let r = self.required_reg(f, x);
        let d = f.alloc(1);
        self.face_number(f, x, r, d);
        d
    }
}
