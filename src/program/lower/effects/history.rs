//! Histories of positions for conditions on repeated positions, in menus and `must leave`: which histories a program has, what belongs to a position, and where it is recorded.
use crate::fn_builder::FnBuild;
use crate::ir::*;
use crate::layout::tables::Tables;
use houserule_model::body::walk;
use houserule_model::hir::*;

impl Tables<'_> {
    /// The history of the whole position, or of what stands on a map.
    pub fn history(&mut self, map: Option<MapId>) -> HistoryIx {
        let of = map.and_then(|m| self.map_ix.get(&m).copied());
        let whole = map.is_none();
        if let Some(i) = self.p.histories.iter().position(|h| h.of == of && h.whole == whole) {
            return HistoryIx(i as u16);
        }
        let maps = self.p.maps.iter().zip(0..).filter(|(_, i)| whole || of == Some(MapIx(*i)));
        let spaces: Vec<UniverseId> = maps.map(|(m, _)| m.spaces).collect();
        let stands = self.p.standing;
        let belongs = |(i, a): &(usize, &AttrSlot)| {
            // Only attributes that everybody sees and that no scope resets. Numbers of players and of the table are counters, and are left out.
            let open = a.seen == SeenBy::All && a.per.is_none_or(|per| per == Per::Stay);
            let on_them = a.of.is_some_and(|u| spaces.contains(&u));
            let of_people = a.of.is_none_or(|u| u == self.p.player_universe);
            let thing = !matches!(a.show, Show::Number);
            let on_map = matches!(a.show, Show::Thing(u) if spaces.contains(&u));
            let here = stands == Some(AttrIx(*i as u16)) && on_map;
            open && (on_them || here || (whole && of_people && thing))
        };
        let attrs = self.p.attrs.iter().enumerate().filter(belongs).map(|(i, _)| AttrIx(i as u16)).collect();
        let holds = |ci: usize| {
            self.p
                .zones
                .iter()
                .any(|z| usize::from(z.holds) == ci && (whole || z.of.is_some_and(|u| spaces.contains(&u))))
        };
        let comps = (0..self.p.comps.len()).filter(|ci| holds(*ci)).map(|ci| ci as u16).collect();
        self.p.histories.push(HistorySlot { of, whole, attrs, comps });
        HistoryIx(self.p.histories.len() as u16 - 1)
    }

    /// Records the position before menus that read its history themselves or in a `must leave` of their actions.
    pub fn record_position(&mut self, f: &mut FnBuild, menus: &[MenuId]) {
        let m = self.m;
        let mut asked: Vec<Option<MapId>> = Vec::new();
        for id in menus {
            let Some(menu) = m.menus.get(id.index()) else { continue };
            let ends = menu.done.iter().chain(&menu.pass).filter_map(|e| e.when.as_ref());
            let guards = menu.needs.iter().chain(&menu.leaves).map(|g| &g.cond);
            let open = menu.open.iter().map(|(c, _)| c);
            let own = menu.endings.iter().map(|e| &e.when).chain(ends).chain(guards).chain(open);
            let of_actions = m
                .actions
                .iter()
                .filter(|a| a.menus.contains(id) && self.set.has(a.scope))
                .flat_map(|a| &a.head)
                .filter_map(|h| if let HeadStep::MustLeave(g) = h { Some(&g.cond) } else { None });
            let all: Vec<&Expr> = own.chain(of_actions).collect();
            for e in all {
                if self.is_never(e) {
                    continue;
                }
                walk::visit_exprs(e, &mut |x| {
                    if let ExprKind::PositionSeen(map, _) = &*x.kind
                        && !asked.contains(map)
                    {
                        asked.push(*map);
                    }
                });
            }
        }
        for map in asked {
            let h = self.history(map);
            f.emit(Ins::Record { h });
        }
    }

    /// Whether a condition is false in every state of this set-up.
    pub fn is_never(&mut self, e: &Expr) -> bool {
        match &*e.kind {
            ExprKind::And(a, b) => self.is_never(a) || self.is_never(b),
            ExprKind::Or(a, b) => self.is_never(a) && self.is_never(b),
            _ => self.known_constant(e) == Some(0),
        }
    }
}
