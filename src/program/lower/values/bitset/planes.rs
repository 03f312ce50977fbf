//! Emits bitset columns (planes) of an attribute's values.
use crate::fn_builder::FnBuild;
use crate::ir::*;
use crate::layout::tables::Tables;

impl Tables<'_> {
    /// Emits the plane at an index of a group.
    pub fn plane_into(&mut self, f: &mut FnBuild, group: GroupIx, d: R, at: u32) {
        let g = self.p.groups[group.index()];
        f.emit(if g.fixed { Ins::SConst { d, w: g.w, k: at } } else { Ins::Plane { d, w: g.w, at } });
    }

    /// Emits the plane of the value in a register.
    pub fn value_plane_into(&mut self, f: &mut FnBuild, group: GroupIx, d: R, i: R) {
        let fixed = self.p.groups[group.index()].fixed;
        f.emit(if fixed { Ins::PlaneC { d, i, group } } else { Ins::PlaneI { d, i, group } });
    }

    /// Emits the plane of the things without a value.
    pub fn none_plane_into(&mut self, f: &mut FnBuild, group: GroupIx, d: R) {
        let g = self.p.groups[group.index()];
        self.plane_into(f, group, d, g.at + u32::from(g.n) * u32::from(g.w));
    }
}
