//! Lays out maps: spaces, rows and columns, and their topology.
use crate::codes::{MAP_SIZE, NOT_DRAWN};
use crate::ir::*;
use crate::layout::tables::Tables;
use crate::layout::topology;
use houserule_model::hir::*;
use houserule_text::Diagnostic;
use std::sync::Arc;

/// How many spaces a map may have.
const MOST_SPACES: usize = 1024;

impl Tables<'_> {
    pub fn lay_out_maps(&mut self) {
        for i in 0..self.m.maps.len() {
            let map = &self.m.maps[i];
            if !self.set.has(map.scope) {
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
            self.p.maps.push(topology::topology(map.name.clone(), u, map.shape, size, spaces));
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
            if self.m.kinds[k].sort == KindSort::Space(None) && self.set.has(self.m.kinds[k].scope) {
                self.lay_out_words(KindId(k as u32));
                let u = self.layout.kind_uni[&KindId(k as u32)];
                self.p.universes[u.index()].sort = UniverseSort::Spaces(None);
            }
        }
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
