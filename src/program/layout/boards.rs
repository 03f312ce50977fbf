//! Lays out maps: spaces, rows and columns, and their topology.
use crate::codes::{MAP_SIZE, NOT_DRAWN};
use crate::ir::*;
use crate::layout::tables::Tables;
use crate::layout::topology;
use houserule_model::hir::*;
use houserule_text::Diagnostic;
use std::sync::Arc;

impl Tables<'_> {
    pub fn lay_out_maps(&mut self) {
        for i in 0..self.m.maps.len() {
            let map = &self.m.maps[i];
            if !self.set.has(map.scope) {
                continue;
            }
            if map.shape == Shape::Graph {
                self.lay_out_graph(MapId(i as u32));
                continue;
            }
            let Some((size, spaces)) = self.spaces_of(MapId(i as u32)) else {
                let message = format!("{} has no picture in this set-up", map.name);
                let d = Diagnostic::error(NOT_DRAWN, map.span, message);
                let scenario = |p: &Picture| match &self.m.scopes[p.scope.index()] {
                    s if s.kind == ScopeKind::Scenario => Some(format!("`{}`", s.name)),
                    _ => None,
                };
                let all: Vec<String> = map.pictures.iter().filter_map(scenario).collect();
                self.errors.push(match all.as_slice() {
                    [] => d.help("give the map a size, or draw it in a scenario"),
                    all => d.help(format!("choose a scenario that draws it: {}", all.join(", "))),
                });
                continue;
            };
            if spaces.is_empty() || spaces.len() > MOST_SPACES {
                let (columns, rows, all) = (size.0, size.1, spaces.len());
                let message = format!(
                    "{} is {columns} by {rows} and has {all} spaces: a map has 1 to {MOST_SPACES}",
                    map.name
                );
                let d = Diagnostic::error(MAP_SIZE, map.span, message);
                self.errors
                    .push(d.help("draw a smaller map; spaces that a picture leaves out (`.`) do not count"));
                continue;
            }
            let ix = MapIx(self.p.maps.len() as u16);
            let things = spaces
                .iter()
                .map(|(c, r)| {
                    let word: Arc<str> = format!("{}{}", column(u32::from(*c)), r + 1).into();
                    Thing { word: word.clone(), title: word }
                })
                .collect();
            let name = self.m.kinds[map.space.index()].name.clone();
            let u = self.add_universe(&name, spaces.len() as u32, UniverseSort::Spaces(Some(ix)), things);
            self.layout.kind_uni.insert(map.space, u);
            self.layout.map_ix.insert(MapId(i as u32), ix);
            let (ways, rows) = (Vec::new(), Vec::new());
            self.add_map(topology::topology(map.name.clone(), u, map.shape, size, spaces, ways, rows));
            for (kind, sort) in [(map.columns, LineSort::Column), (map.rows, LineSort::Row)] {
                let Some(kind) = kind else { continue };
                let count = if sort == LineSort::Column { size.0 } else { size.1 };
                let things = (0..count)
                    .map(|i| {
                        let word: Arc<str> = if sort == LineSort::Column {
                            column(i).into()
                        } else {
                            (i + 1).to_string().into()
                        };
                        Thing { word: word.clone(), title: word }
                    })
                    .collect();
                let name = self.m.kinds[kind.index()].name.clone();
                let lists = self.add_universe(&name, count, UniverseSort::Words, things);
                self.layout.kind_uni.insert(kind, lists);
                let table = topology::ranks(&self.p.maps[ix.index()], sort, lists);
                self.layout.rank_tables.insert(kind, LinesIx(self.p.line_tables.len() as u16));
                self.p.line_tables.push(table);
            }
        }
        // Spaces without a map: named places.
        for k in 0..self.m.kinds.len() {
            if self.m.kinds[k].sort == KindSort::Space(None)
                && self.set.has(self.m.kinds[k].scope)
                && !self.layout.kind_uni.contains_key(&KindId(k as u32))
            {
                self.lay_out_words(KindId(k as u32));
                let u = self.layout.kind_uni[&KindId(k as u32)];
                self.p.universes[u.index()].sort = UniverseSort::Spaces(None);
            }
        }
    }

    /// Lays out the places of a graph where its picture puts them, or else in rows, from the top.
    fn lay_out_graph(&mut self, id: MapId) {
        let (map, ix) = (&self.m.maps[id.index()], MapIx(self.p.maps.len() as u16));
        self.lay_out_words(map.space);
        let u = self.layout.kind_uni[&map.space];
        let n = self.p.universes[u.index()].n as usize;
        self.p.universes[u.index()].sort = UniverseSort::Spaces(Some(ix));
        self.layout.map_ix.insert(id, ix);
        let place = |m: &MemberId| self.layout.member_no.get(m).map(|n| *n as u16);
        let columns = map.places.iter().map(|p| p.1 + 1).max().unwrap_or(n.isqrt() as u32 + 1);
        let drawn = map.places.iter().map(|p| p.2 + 1).max().unwrap_or(0);
        // From the top: below the picture, the places that it does not show.
        let mut at: Vec<(u32, u32)> = (0..n as u32).map(|i| (i % columns, drawn + i / columns)).collect();
        for (m, c, r) in &map.places {
            if let Some(at) = place(m).and_then(|n| at.get_mut(usize::from(n))) {
                *at = (*c, *r);
            }
        }
        let height = at.iter().map(|(_, r)| r + 1).max().unwrap_or(1);
        let at = at.into_iter().map(|(c, r)| (c as u16, (height - 1 - r) as u16)).collect();
        let (mut ways, mut rows) = (Vec::new(), Vec::new());
        for row in map.ways.iter().filter(|r| self.set.has(r.scope)) {
            let its: Vec<Way> =
                row.ways().filter_map(|(a, b, one_way)| Some((place(&a)?, place(&b)?, one_way))).collect();
            if row.star || its.len() < row.one_way.len() {
                rows.extend(its.iter().map(|(a, b, _)| vec![*a, *b]));
            } else {
                rows.push(row.places.iter().filter_map(place).collect());
            }
            ways.extend(its);
        }
        let size = (columns, height);
        self.add_map(topology::topology(map.name.clone(), u, map.shape, size, at, ways, rows));
    }

    fn add_map(&mut self, mut map: Topology) {
        map.dist = self.game_facts.distances.find_or_measure(map.at.len(), &map.neighbours);
        self.p.maps.push(map);
    }
}

fn column(mut n: u32) -> String {
    let mut out = String::new();
    loop {
        out.insert(0, (b'A' + (n % 26) as u8) as char);
        if n < 26 {
            return out;
        }
        n = n / 26 - 1;
    }
}
