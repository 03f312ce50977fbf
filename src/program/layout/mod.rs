//! The layout of a set-up: numbers universes, components, attributes, zones, places and maps, before any code is made.
pub mod attributes;
pub mod boards;
pub mod components;
pub mod const_eval;
pub mod const_sets;
pub mod dice;
pub mod domains;
pub mod drawn_map;
pub mod number_domains;
pub mod tables;
pub mod topology;
pub mod words;
pub mod zones;

use crate::layout::tables::Tables;
use houserule_model::body::types;
use houserule_model::hir::*;

impl Tables<'_> {
    pub fn alloc_cells(&mut self, n: u32) -> u32 {
        let at = self.p.cells;
        self.p.cells += n;
        at
    }

    fn alloc_planes(&mut self, words: u32) -> u32 {
        let at = self.p.planes;
        self.p.planes += words;
        at
    }
}

impl Tables<'_> {
    /// Lays out the set-up.
    fn lay_out(&mut self) {
        self.lay_out_players();
        for k in 0..self.m.kinds.len() {
            let id = KindId(k as u32);
            if self.set.has(self.m.kinds[k].scope) && self.m.kinds[k].sort == KindSort::Enum {
                self.lay_out_words(id);
            }
        }
        self.lay_out_maps();
        self.lay_out_phases();
        for k in 0..self.m.kinds.len() {
            let id = KindId(k as u32);
            let kind = &self.m.kinds[k];
            if matches!(kind.sort, KindSort::Component(_)) && self.set.has(kind.scope) && self.root(id) == id
            {
                self.lay_out_components(id, self.game_facts.can_turn.contains(&id));
            }
        }
        // Printed values of sides and single things first, because sets are evaluated from them.
        for pass in 0..3 {
            for (i, a) in self.m.attrs.iter().enumerate() {
                let sets = matches!(types::plain(&a.ty), Ty::Set(_) | Ty::List(_) | Ty::Filter(_));
                let rank = if a.side == AttrSide::Side { 0 } else { 1 + usize::from(sets) };
                let id = AttrId(i as u32);
                match pass {
                    0 if rank == 0 => self.lay_out_side_attribute(id),
                    1 | 2 if rank == pass => self.lay_out_attribute(id),
                    _ => {}
                }
            }
        }
        self.find_exchange_classes();
        for z in 0..self.m.zones.len() {
            self.lay_out_zone(ZoneId(z as u32));
        }
        self.lay_out_rows();
    }
}
