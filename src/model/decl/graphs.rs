//! Reads the ways of graphs, and the pictures that say where their places stand.
//!
//! ```text
//! map Land graph {
//!   inn - mill - farm        # two ways, both ways round
//!   inn -> ford, wood        # two ways from inn only
//! }
//! ```
use super::Declarer;
use super::map_pictures::Drawing;
use crate::hir::*;
use crate::uses::Def;
use crate::{codes, suggest};
use houserule_syntax::ast;
use houserule_text::{Diagnostic, Span};
use std::collections::BTreeMap;

/// The most places of a graph.
const MOST_PLACES: usize = 1024;

impl Declarer<'_> {
    /// Reads the ways of all graphs, and says what is wrong with their places.
    pub(super) fn read_ways(&mut self) {
        // Ways that are known: from where, to where; who declares them, and where.
        let mut known: BTreeMap<(MemberId, MemberId), (ScopeId, Span)> = BTreeMap::new();
        for (name, rows, scope) in std::mem::take(&mut self.ways) {
            let Some(map) = self.find_declared_map(name) else { continue };
            if self.model.maps[map].shape != Shape::Graph {
                self.report_misplaced(
                    name.span,
                    "only a `graph` has ways: other maps have spaces side by side",
                    "leave the ways out, or declare the map as `map M graph { … }`",
                );
                continue;
            }
            for row in rows {
                let from = self.find_place(map, &row.from);
                let to: Vec<_> =
                    row.to.iter().map(|(n, one)| (self.find_place(map, n), n.span, *one)).collect();
                let mut read =
                    WayRow { scope, places: from.into_iter().collect(), one_way: Vec::new(), star: row.star };
                let mut last = from;
                for (place, span, one_way) in to {
                    if let (Some(a), Some(b)) = (last, place) {
                        self.check_way((a, b, one_way), scope, span, &mut known);
                    }
                    last = if row.star { from } else { place };
                    read.places.extend(place);
                    read.one_way.push(one_way);
                }
                if read.places.len() == row.to.len() + 1 {
                    self.model.maps[map].ways.push(read);
                }
            }
        }
        for map in 0..self.model.maps.len() {
            if self.model.maps[map].shape == Shape::Graph {
                self.check_places(map);
            }
        }
    }

    /// The places of a graph, of all set-ups.
    fn places_of(&self, map: usize) -> Vec<MemberId> {
        let space = self.model.maps[map].space;
        self.model.kinds[space.index()].members.clone()
    }

    fn find_place(&mut self, map: usize, n: &ast::Name) -> Option<MemberId> {
        let places = self.places_of(map);
        let named = |id: &&MemberId| *self.model.members[id.index()].name == *n.text;
        if let Some(id) = places.iter().find(named).copied() {
            self.notes.note(n.span, Def::Member(id));
            return Some(id);
        }
        let names = places.iter().map(|id| &*self.model.members[id.index()].name);
        let map = &self.model.maps[map];
        if map.space == builtin_kinds::DIRECTION {
            // That no kind of spaces belongs to the map is said elsewhere.
            return None;
        }
        let space = &self.model.kinds[map.space.index()].name;
        let found = Diagnostic::error(codes::WAY, n.span, format!("{} has no place `{}`", map.name, n.text));
        self.report.push(match suggest::closest(&n.text, names) {
            Some(s) => found.suggest(s),
            None => found.help(format!("declare it: `{space} {}`", n.text)),
        });
        None
    }

    fn check_way(
        &mut self,
        (a, b, one_way): (MemberId, MemberId, bool),
        scope: ScopeId,
        span: Span,
        known: &mut BTreeMap<(MemberId, MemberId), (ScopeId, Span)>,
    ) {
        let name = |id: MemberId| &self.model.members[id.index()].name;
        if a == b {
            let message = format!("this way leads from `{}` to itself", name(a));
            let found = Diagnostic::error(codes::WAY, span, message);
            self.report.push(found.help("write another place, or leave the way out"));
            return;
        }
        let ends: &[(MemberId, MemberId)] = if one_way { &[(a, b)] } else { &[(a, b), (b, a)] };
        let first = ends.iter().find_map(|e| known.get(e)).copied();
        if let Some((at, first)) = first.filter(|(s, _)| *s == scope || self.model.rank_of_scope(*s) == 0) {
            let message = format!("there is already a way from `{}` to `{}`", name(a), name(b));
            let found = Diagnostic::error(codes::WAY, span, message).also(first, "the first way is here");
            let help = match at == scope && !one_way {
                true => "leave one of them out: a way with `-` leads in both directions",
                false => "leave one of them out",
            };
            self.report.push(found.help(help));
            return;
        }
        known.extend(ends.iter().map(|e| (*e, (scope, span))));
    }

    /// Says which places no way reaches, and whether there are too many or none.
    fn check_places(&mut self, map: usize) {
        let places = self.places_of(map);
        let decl = &self.model.maps[map];
        if decl.space == builtin_kinds::DIRECTION {
            return;
        }
        let space = &self.model.kinds[decl.space.index()].name;
        if places.is_empty() || places.len() > MOST_PLACES {
            let message = match places.len() {
                0 => format!("{} has no places", decl.name),
                n => format!("{} has {n} places; a graph has at most {MOST_PLACES}", decl.name),
            };
            let help = match places.len() {
                0 => format!("declare them: `{space} inn \"The inn\"`"),
                _ => "put places together that the rules need not tell apart".into(),
            };
            self.report.push(Diagnostic::error(codes::MAP_SIZE, decl.span, message).help(help));
            return;
        }
        if self.report.has_errors() {
            return;
        }
        let reached = |id: &MemberId| decl.ways.iter().any(|r| r.places.contains(id));
        for id in places.iter().filter(|id| !reached(id)) {
            let place = &self.model.members[id.index()];
            let message = format!("no way leads to or from `{}`", place.name);
            let found = Diagnostic::warning(codes::NO_WAY, place.span, message);
            let help = format!("add one to the map: `map {} graph {{ {} - … }}`", decl.name, place.name);
            self.report.push(found.help(help));
        }
    }

    /// Reads where the picture of a graph puts its places.
    pub(super) fn place_graph(&mut self, map: usize, d: &Drawing<'_>) {
        let mut at: Vec<(MemberId, u32, u32)> = Vec::new();
        let mut put = |s: &mut Self, cell: &ast::PictureCell, column: usize, row: usize| {
            let name = ast::Name { text: cell.text.clone(), span: cell.span };
            let Some(id) = s.find_place(map, &name) else { return };
            if at.iter().any(|(x, ..)| *x == id) {
                let message = format!("the picture shows `{}` twice", cell.text);
                let found = Diagnostic::error(codes::WAY, cell.span, message);
                s.report.push(found.help("show each place once; ways are no signs of a picture"));
            }
            at.push((id, column as u32, row as u32));
        };
        for (row, line) in d.picture.rows.iter().enumerate() {
            for (column, cell) in line.cells.iter().enumerate().filter(|(_, c)| c.text != ".") {
                put(self, cell, column, row);
            }
        }
        if !self.model.maps[map].places.is_empty() || self.model.rank_of_scope(d.scope) > 0 {
            let found =
                Diagnostic::error(codes::WAY, d.picture.span, "a graph has one picture, in its declaration");
            self.report.push(found.help("leave this picture out"));
            return;
        }
        for id in self.places_of(map) {
            let place = &self.model.members[id.index()];
            if !at.iter().any(|(x, ..)| *x == id) && self.model.rank_of_scope(place.scope) == 0 {
                let message = format!("the picture of {} does not show `{}`", d.map.text, place.name);
                let found = Diagnostic::error(codes::WAY, d.picture.span, message);
                self.report.push(
                    found.also(place.span, "the place is declared here").help("add its name to the picture"),
                );
            }
        }
        self.model.maps[map].places = at;
    }
}
