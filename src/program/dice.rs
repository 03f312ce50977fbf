//! Dice: the value that one shows, and turning it to a value. The state holds the number of the side; tables tell what each side of each face shows.
use super::build::FnBuild;
use super::ir::*;
use super::lower::Lower;

impl Lower<'_> {
    /// What the sides of the dice show: of each face as many entries as the face with most sides has.
    fn sides_of(&mut self, u: UniverseId) -> Option<(TableIx, i64)> {
        let UniverseSort::Components(i) = self.p.universes.get(u.index())?.sort else { return None };
        let comps = self.p.comps.get(i as usize)?;
        if comps.side == u32::MAX {
            return None;
        }
        let most = comps.sides.iter().map(Vec::len).max().unwrap_or(0).max(1);
        let shown =
            |s: &Vec<i32>| (0..most).map(|k| s.get(k).copied().unwrap_or(NO_SIDE)).collect::<Vec<_>>();
        let values: Vec<i32> = comps.sides.iter().flat_map(shown).collect();
        let faces = comps.faces;
        Some((self.table(&"side".into(), faces, values), most as i64))
    }

    /// Where the sides of a die's face begin in the table.
    fn first_side(&mut self, f: &mut FnBuild, u: UniverseId, c: R, most: i64) -> R {
        let (at, k) = (f.alloc(1), f.li(most));
        f.emit(Ins::LdFace { d: at, c, u: u.0 as u8 });
        f.emit(Ins::Mul { d: at, a: at, b: k });
        at
    }

    /// The value that a die shows; whether the things of `u` are dice.
    pub fn shown_into(&mut self, f: &mut FnBuild, u: UniverseId, c: R, d: R) -> bool {
        let Some((table, most)) = self.sides_of(u) else { return false };
        let at = self.first_side(f, u, c, most);
        let side = f.alloc(1);
        f.emit(Ins::LdSide { d: side, c, u: u.0 as u8 });
        f.emit(Ins::Add { d: at, a: at, b: side });
        f.emit(Ins::LdTable { d, i: at, table });
        true
    }

    /// Turns a die to the first side that shows a value; that there is none such stops the rules.
    pub fn turn_to(&mut self, f: &mut FnBuild, u: UniverseId, c: R, value: R) -> bool {
        let Some((table, most)) = self.sides_of(u) else { return false };
        let at = self.first_side(f, u, c, most);
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

/// Where a face has fewer sides than another: no die ever shows it.
const NO_SIDE: i32 = i32::MIN + 1;
