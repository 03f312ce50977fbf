//! Numbers the domains (universes) of a set-up, and tells for each type its universe, its registers and how its values are shown.
use crate::codes::NOT_LOWERED;
use crate::ir::*;
use crate::layout::tables::{Layout, Tables};
use houserule_model::body::types;
use houserule_model::hir::*;
use houserule_text::{Diagnostic, Span};
use std::sync::Arc;

impl Layout<'_> {
    /// The root of a component kind.
    pub fn root(&self, k: KindId) -> KindId {
        types::root_of(self.m, k)
    }

    /// The types of a body's parameters.
    pub fn signature<T>(&self, b: &Body<T>) -> Vec<(Ty, Span)> {
        b.locals.iter().take(b.params).map(|l| (l.ty.clone(), l.span)).collect()
    }
}

impl Tables<'_> {
    /// Reports something that the engine does not support.
    pub fn report_unsupported(&mut self, span: Span, what: impl std::fmt::Display) {
        let what = what.to_string();
        let d = Diagnostic::error(NOT_LOWERED, span, format!("not yet in the engine: {what}"));
        self.errors.push(d.help(crate::facts::unsupported::advice(&what)));
    }

    /// Adds a declaration for logs and faults.
    pub fn add_decl(&mut self, what: &'static str, name: &Arc<str>, span: Span) -> DeclIx {
        let next = DeclIx(self.p.decls.len() as u16);
        let found = *self.decl_ix.entry((what, span)).or_insert(next);
        if found == next {
            self.p.decls.push(Decl { what, name: name.clone(), span });
        }
        found
    }

    /// Whether a universe has components whose numbers are secret ([`Components::mixed`]).
    pub fn is_mixed(&self, u: UniverseId) -> bool {
        self.p.components_of(u).is_some_and(|c| c.mixed)
    }

    /// Words of a set over a universe.
    pub fn set_words(&self, u: UniverseId) -> u8 {
        self.p.universes.get(u.index()).map_or(1, |u| u.w)
    }

    /// The number of things in a universe.
    pub fn things_in(&self, u: UniverseId) -> u32 {
        self.p.universes.get(u.index()).map_or(0, |u| u.n)
    }

    /// The value, in registers, of the first element of a universe.
    pub fn least_of(&self, u: UniverseId) -> i32 {
        match self.p.universes.get(u.index()).map(|u| &u.sort) {
            Some(UniverseSort::Numbers { lo }) => *lo,
            _ => 0,
        }
    }

    /// The universe of a type, or of the elements of a type of sets.
    pub fn universe_of(&mut self, ty: &Ty, span: Span) -> UniverseId {
        match ty {
            Ty::Bool => self.p.truth_universe,
            Ty::Int(lo, hi) => {
                let (lo, hi) = (*lo, *hi);
                if i64::from(hi) - i64::from(lo) >= crate::layout::number_domains::MOST {
                    let message = "not yet in the engine: sets of numbers without narrow bounds";
                    self.errors.push(Diagnostic::error(NOT_LOWERED, span, message).help(
                        "give the numbers bounds (`0..99` in place of `int`), or use the things themselves: `sum(x in S: x.n)`",
                    ));
                    return self.p.truth_universe;
                }
                if let Some(u) = self.number_universes.get(&(lo, hi)) {
                    return *u;
                }
                let u = self.add_universe(
                    &format!("{lo}..{hi}"),
                    (hi - lo + 1) as u32,
                    UniverseSort::Numbers { lo },
                    Vec::new(),
                );
                self.number_universes.insert((lo, hi), u);
                u
            }
            Ty::Of(k) => match self.kind_uni.get(k) {
                Some(u) => *u,
                None => {
                    self.report_unsupported(span, "things of this kind");
                    self.p.truth_universe
                }
            },
            Ty::Phase if let Some(u) = self.phase_uni => u,
            Ty::Side(_) => match self.comps_of_type(ty) {
                Some(c) => self.side_universe(c, span),
                None => {
                    self.report_unsupported(span, "sides of this kind");
                    self.p.truth_universe
                }
            },
            Ty::Filter(k) if types::is_die(self.m, *k) => self.universe_of(&Ty::Side(*k), span),
            Ty::Face(k) | Ty::Filter(k) => match self.comps_of.get(&self.root(*k)) {
                Some(c) => self.p.comps[*c as usize].faces,
                None => {
                    self.report_unsupported(span, "faces of this kind");
                    self.p.truth_universe
                }
            },
            Ty::Maybe(t) | Ty::Set(t) | Ty::List(t) => self.universe_of(t, span),
            Ty::AnyOf(ks) => match ks.first() {
                Some(k) if ks.iter().all(|x| self.root(*x) == self.root(*k)) => {
                    self.universe_of(&Ty::Of(*k), span)
                }
                _ => {
                    self.report_unsupported(span, "sets of components of unlike kinds");
                    self.p.truth_universe
                }
            },
            _ => {
                self.report_unsupported(span, "sets of these");
                self.p.truth_universe
            }
        }
    }

    /// The number of registers of a value of a type.
    pub fn width(&mut self, ty: &Ty, span: Span) -> u8 {
        match ty {
            Ty::Set(t) | Ty::List(t) => match &**t {
                // A set of lists is never stored.
                Ty::List(_) => 1,
                t => {
                    let u = self.universe_of(t, span);
                    match self.list_behind(ty, span) {
                        Some(behind) => behind + self.list_words(u),
                        None => self.set_words(u),
                    }
                }
            },
            Ty::Maybe(t) => self.width(t, span),
            Ty::Filter(_) => {
                let u = self.universe_of(ty, span);
                self.set_words(u)
            }
            _ => 1,
        }
    }

    /// How values of a type are shown.
    pub fn show(&mut self, ty: &Ty, span: Span) -> Show {
        match ty {
            Ty::Bool => Show::Truth,
            Ty::Int(..) => Show::Number,
            Ty::Text => Show::Text,
            Ty::Place => Show::Place,
            Ty::Phase => Show::Phase,
            Ty::Of(_) | Ty::Face(_) | Ty::Side(_) | Ty::AnyOf(_) => Show::Thing(self.universe_of(ty, span)),
            Ty::Maybe(t) => self.show(t, span),
            Ty::Set(t) | Ty::List(t) => Show::Set(self.universe_of(t, span)),
            Ty::Filter(_) => Show::Set(self.universe_of(ty, span)),
            _ => Show::Number,
        }
    }

    /// Adds a universe.
    pub fn add_universe(&mut self, name: &str, n: u32, sort: UniverseSort, things: Vec<Thing>) -> UniverseId {
        if self.p.universes.len() == 250 {
            self.report_unsupported(Span::default(), "more than 250 kinds and ranges in one game");
        }
        self.p.universes.push(Universe {
            name: name.into(),
            n,
            w: n.div_ceil(64).max(1) as u8,
            sort,
            things,
        });
        UniverseId(self.p.universes.len() as u16 - 1)
    }

    /// Adds a constant set, unless it is near the end already; returns its place in [`Program::sets`].
    pub fn add_const_set(&mut self, words: &[u64]) -> u32 {
        // An equal set was often added shortly before; sharing it also keeps equal code equal.
        let recent = self.p.sets.len().saturating_sub(256);
        let there =
            self.p.sets.get(recent..).unwrap_or(&[]).windows(words.len().max(1)).position(|x| x == words);
        if let Some(i) = there {
            return (recent + i) as u32;
        }
        let at = self.p.sets.len() as u32;
        self.p.sets.extend_from_slice(words);
        at
    }

    /// Reports sizes that exceed the numbers of the program, before any code is made.
    pub fn check_sizes(&mut self) {
        let m = self.m;
        if self.p.universes.len() > 250 || self.p.maps.len() > 200 {
            self.report_unsupported(Span::default(), "more than 250 kinds, ranges and maps in one game");
        }
        if self.p.cells > 1 << 22 || self.p.planes > 1 << 21 {
            self.report_unsupported(
                Span::default(),
                "a state of more than 32 MB: fewer components, zones or spaces",
            );
        }
        type List = (Vec<(Ty, Span)>, Span, ScopeId);
        let mut lists: Vec<List> = Vec::new();
        lists.extend(m.values.iter().map(|v| (self.signature(&v.body), v.span, v.scope)));
        lists.extend(m.rules.iter().map(|r| (self.signature(&r.body), r.span, r.scope)));
        for h in &m.hooks {
            lists.push((h.params.iter().map(|l| (l.ty.clone(), l.span)).collect(), h.span, h.scope));
        }
        for (i, a) in m.actions.iter().enumerate() {
            lists.push((self.action_params(ActionId(i as u32)), a.span, a.scope));
        }
        for (types, span, scope) in lists {
            if !self.set.has(scope) {
                continue;
            }
            let words: u32 = types.iter().map(|(t, s)| u32::from(self.width(t, *s))).sum();
            if words > 100 {
                self.report_unsupported(
                    span,
                    format_args!(
                        "parameters of {words} words (100 at most); sets take a word for each 64 things"
                    ),
                );
            }
        }
    }

    /// The most entries of a list over a universe.
    pub fn list_room(&self, u: UniverseId) -> u16 {
        self.p.universes[u.index()].list_room() as u16
    }

    /// Words of a list over a universe.
    pub fn list_words(&self, u: UniverseId) -> u8 {
        (1 + self.list_room(u).div_ceil(4)) as u8
    }

    /// Whether a list has no room for all things of a universe.
    pub fn is_too_long(&self, u: UniverseId) -> bool {
        self.things_in(u) > u32::from(self.list_room(u))
    }

    /// The offset of the list after the set of a stored list; none if only the set is stored.
    pub fn list_behind(&mut self, ty: &Ty, span: Span) -> Option<u8> {
        let Ty::List(t) = ty else { return None };
        if !self.game_facts.stores_order || matches!(&**t, Ty::List(_)) {
            return None;
        }
        let u = self.universe_of(t, span);
        Some(self.set_words(u))
    }

    /// The types of an action's parameters, the menu's first.
    pub fn action_params(&mut self, a: ActionId) -> Vec<(Ty, Span)> {
        let m = self.m;
        let action = &m.actions[a.index()];
        let menu = action.menus.first().and_then(|id| m.menus.get(id.index()));
        let mut out = Vec::new();
        for p in menu.iter().flat_map(|m| &m.params) {
            let ty = &m.menus[action.menus[0].index()].locals[p.local.index()].ty;
            out.push((self.narrow(ty, &p.from), p.span));
        }
        for p in &action.params {
            out.push((self.narrow(&action.locals[p.local.index()].ty, &p.from), p.span));
        }
        out
    }
}

/// Adds a number to a set.
pub fn set_bit(words: &mut [u64], i: usize) {
    if let Some(word) = words.get_mut(i / 64) {
        *word |= 1 << (i % 64);
    }
}
