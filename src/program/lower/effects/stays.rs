//! Lowers the end of a stay: attributes `per stay` of a component begin anew when it leaves its place.
use crate::fn_builder::FnBuild;
use crate::ir::*;
use crate::layout::tables::Tables;

impl Tables<'_> {
    /// Sets the attributes `per stay` of components that are about to leave their places for the place p back to what their faces begin with.
    pub(super) fn end_stays(&mut self, f: &mut FnBuild, u: UniverseId, s: R, p: R) {
        if self.p.attrs.iter().any(|a| a.per == Some(Per::Stay) && a.of == Some(u)) {
            let (base, w, i) = (f.next, self.set_words(u), f.alloc(1));
            let (top, end) = (f.new_label(), f.new_label());
            f.emit(Ins::Li { d: i, k: -1 });
            f.place_label(top);
            f.emit(Ins::SNext { i, s, w, to: end.0 as u32 });
            self.end_stay(f, u, i, p);
            f.jmp(top);
            f.place_label(end);
            f.next = base;
        }
    }

    /// [`Tables::end_stays`] for one component.
    pub fn end_stay(&mut self, f: &mut FnBuild, u: UniverseId, c: R, p: R) {
        for attr in (0..self.p.attrs.len() as u16).map(AttrIx) {
            let a = &self.p.attrs[attr.index()];
            if a.per != Some(Per::Stay) || a.of != Some(u) {
                continue;
            }
            let (maybe, base, end) = (a.maybe, f.next, f.new_label());
            let Some(table) = self.find_stay_table(attr, u) else { continue };
            let t = f.alloc(1);
            f.jnone(p, end);
            f.emit(Ins::LdPlace { d: t, c, u: u.0 as u8 });
            f.emit(Ins::Eq { d: t, a: t, b: p });
            f.jnz(t, end);
            f.emit(Ins::LdFace { d: t, c, u: u.0 as u8 });
            f.emit(Ins::LdTable { d: t, i: t, table });
            if !maybe {
                f.jnone(t, end);
            }
            f.emit(Ins::StAttr { e: c, a: t, attr });
            f.place_label(end);
            f.next = base;
        }
    }

    /// What each face of a component begins with in an attribute.
    fn find_stay_table(&mut self, attr: AttrIx, u: UniverseId) -> Option<TableIx> {
        if let Some(table) = self.stay_tables.get(&attr) {
            return Some(*table);
        }
        let comps = self.p.components_of(u)?;
        let a = self.p.attrs.get(attr.index())?;
        // Faces that no component shows at the start begin like the others, if the attribute is of all.
        let all = if a.own.is_empty() { a.initial.first().copied() } else { None };
        let faces = comps.faces;
        let mut given = vec![None; self.things_in(faces) as usize];
        for (face, start) in comps.initial.iter().zip(&a.initial) {
            given.get_mut(usize::from(*face)).into_iter().for_each(|g| *g = g.or(Some(*start)));
        }
        let given = given.into_iter().map(|start| start.or(all).unwrap_or(NONE as i32)).collect();
        let name = a.name.clone();
        let table = self.add_table(&name, faces, given);
        self.stay_tables.insert(attr, table);
        Some(table)
    }
}
