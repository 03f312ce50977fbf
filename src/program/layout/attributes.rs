//! Lays out attributes: in cells and planes of the state, or in constant tables by face if they never change.
use crate::codes::NOT_LOWERED;
use crate::ir::*;
use crate::layout::const_eval::Const;
use crate::layout::tables::{Home, Tables};
use crate::layout::topology;
use houserule_model::body::types;
use houserule_model::hir::*;
use houserule_text::Diagnostic;
use std::sync::Arc;

impl<'m> Tables<'m> {
    /// The value that a member gives an attribute, or the attribute's default.
    pub fn member_value(&mut self, id: MemberId, key: i32, a: AttrId) -> i64 {
        let m = self.m;
        if let Some(d) = m.members.get(id.index())
            && let Some((_, b)) = d.sets.iter().find(|(x, _)| *x == a)
        {
            return self.start_value(&b.body, &[(LocalId(0), i64::from(key))]);
        }
        let Some(b) = &m.attrs[a.index()].default else { return NONE };
        // `this` is a component whose face is known.
        let face =
            self.layout.faces_of.get(&id).map(|(first, least, _)| i64::from(*first) + i64::from(key - least));
        let this: Vec<_> =
            face.map(|face| (LocalId(0), crate::layout::const_eval::OF_FACE + face)).into_iter().collect();
        self.start_value(&b.body, &this)
    }

    /// The start value of an attribute. A text is the number of its template, a component the one that shows the face at the start.
    fn start_value(&mut self, e: &Expr, names: &[(LocalId, i64)]) -> i64 {
        if let ExprKind::Text(t) = &*e.kind {
            let mut parts = Vec::new();
            for p in &t.parts {
                parts.push(Piece::Literal(match p {
                    TextPart::Literal(x) => x.clone(),
                    TextPart::Hole(e) => self.setup_number(e, names, "what a text holds").to_string().into(),
                }));
            }
            self.p.templates.push(Template { parts });
            return self.p.templates.len() as i64 - 1;
        }
        match self.component_at_start(e, names) {
            Some(c) => c,
            None => self.setup_number(e, names, "a value at the start"),
        }
    }

    /// The number of a constant expression; reports a finding if it depends on the state.
    pub fn setup_number(&mut self, e: &Expr, names: &[(LocalId, i64)], what: &str) -> i64 {
        match self.constant_with(e, names).int() {
            Some(n) if n < crate::layout::const_eval::OF_FACE => n,
            _ => {
                let message = format!("{what} must be known when the game is set up");
                let d = Diagnostic::error(NOT_LOWERED, e.span, message);
                self.errors.push(d.help(
                    "use only numbers, words, options, variants and `count(players)`; set what changes in play in `setup { … }`",
                ));
                NONE
            }
        }
    }

    pub fn lay_out_attribute(&mut self, id: AttrId) {
        let m = self.m;
        let a = &m.attrs[id.index()];
        if !self.set.has(a.scope) || matches!(a.ty, Ty::Error | Ty::Bag(_)) || a.side == AttrSide::Side {
            return;
        }
        let component = a.of.is_some_and(|k| types::is_component(m, k));
        if !a.assigned && a.per.is_none() && matches!(a.ty, Ty::Set(_) | Ty::Filter(_)) {
            self.printed_sets(id, component);
            return;
        }
        if !a.assigned && a.per.is_none() && matches!(a.ty, Ty::List(_)) {
            self.printed_lists(id, component);
            return;
        }
        if let Some((what, help)) = explain_unheld(a) {
            self.errors.push(Diagnostic::error(NOT_LOWERED, a.span, what).help(help));
            return;
        }
        if !a.assigned && component {
            let root = self.root(a.of.unwrap_or(builtin_kinds::PLAYER));
            let Some(index) = self.layout.comps_of.get(&root).copied() else { return };
            let universe = self.p.comps[index as usize].faces;
            let faces = self.layout.face_members[index as usize].clone();
            // A component that is named by its face is not supported here, because another component may show that face later.
            if self.is_component_type(&a.ty)
                && faces.iter().any(|(m, k)| self.member_value(*m, *k, id) != NONE)
            {
                let kind = types::kinds_of(&a.ty)
                    .first()
                    .map_or_else(String::new, |k| m.kinds[k.index()].name.to_string());
                let d = Diagnostic::error(
                    NOT_LOWERED,
                    a.span,
                    format!(
                        "`{}` is the same on all copies of a member, so it must name a face, not one component",
                        a.name
                    ),
                );
                self.errors.push(d.help(format!("write `{}: face of {kind}`", a.name)));
                return;
            }
            let values = faces.iter().map(|(id2, key)| self.member_value(*id2, *key, id) as i32).collect();
            let t = self.add_table(&a.name, universe, values);
            self.layout.homes.insert(id, Home::Table(t));
            return;
        }
        let of = match a.of {
            None => None,
            Some(k) => match self.layout.kind_uni.get(&k) {
                Some(u) => Some(*u),
                None => return,
            },
        };
        let n = of.map_or(1, |u| self.things_in(u));
        let initial: Vec<i32> = (0..n)
            .map(|i| {
                let member = a.of.and_then(|k| self.member_at(k, i));
                match member {
                    Some((id2, key)) => self.member_value(id2, key, id) as i32,
                    None => a
                        .default
                        .as_ref()
                        .map_or(NONE, |b| self.start_value(&b.body, &[(LocalId(0), i64::from(i))]))
                        as i32,
                }
            })
            .collect();
        if let (false, Some(u)) = (a.assigned, of)
            && let Some(values) = self.drawn_values(id, initial.clone())
        {
            let t = self.add_table(&a.name, u, values);
            self.layout.homes.insert(id, Home::Table(t));
            if a.drawn && !a.is_part {
                let (name, show) = (a.name.clone(), self.show(&a.ty, a.span));
                self.p.printed.push(PrintedSlot { name, of: u, table: t, show });
            }
            return;
        }
        // A player stands nowhere until the first move, whatever the default.
        let stands = types::standing(m) == Some(id);
        let maybe = types::is_maybe(&a.ty) || stands;
        let plain = types::plain(&a.ty);
        let (lo, hi) = match &plain {
            Ty::Int(lo, hi) => (*lo, *hi),
            Ty::Bool => (0, 1),
            t => {
                let u = self.universe_of(t, a.span);
                (0, self.things_in(u) as i32 - 1)
            }
        };
        // What a phase remembers has some value of its type before the phase first begins.
        let of_phase = matches!(a.has_of, Some(HasOf::Phase(_)));
        let initial = if of_phase && !maybe { vec![lo] } else { initial };
        let show = self.show(&a.ty, a.span);
        let cell = self.alloc_cells(n);
        let small = i64::from(hi) - i64::from(lo) < 16;
        // An attribute of a single member is read of known things; an index would only take room.
        let indexed = of.filter(|u| {
            small
                && a.has_of.is_none()
                && matches!(
                    self.p.universes[u.index()].sort,
                    UniverseSort::Spaces(_) | UniverseSort::Components(_)
                )
        });
        let planes = indexed.map(|u| {
            let w = self.set_words(u);
            let n = (hi - lo + 1).max(0) as u16;
            let at = self.alloc_planes(u32::from(w) * (u32::from(n) + 1));
            self.p.groups.push(PlaneGroup { universe: u, at, fixed: false, ordered: false, lo, n, w });
            GroupIx(self.p.groups.len() as u16 - 1)
        });
        let own = match (a.has_of, of) {
            // A member that is not in this set-up has no faces, so nothing has the attribute.
            (Some(HasOf::Member(x)), Some(_)) => match self.layout.faces_of.get(&x) {
                Some((first, _, keys)) => (*first..first.saturating_add(*keys)).collect(),
                None => vec![u16::MAX],
            },
            // An attribute of one kind of the family belongs to that kind's faces. Backs are visible to all, so attributes of backs are kept for all.
            (None, Some(_)) if component && a.side != AttrSide::Back => self.own_faces(a.of),
            _ => Vec::new(),
        };
        let decl = self.add_decl("attribute", &a.name, a.span);
        let ix = AttrIx(self.p.attrs.len() as u16);
        let per = self.reset_time(a.per.as_deref());
        self.p.attrs.push(AttrSlot {
            name: m.shown_name(a),
            of,
            cell,
            lo,
            hi,
            maybe,
            clamped: a.clamped,
            show,
            planes,
            initial,
            own,
            per,
            // What the rules themselves note is nobody's business.
            seen: if m.is_own(id) { SeenBy::Nobody } else { SeenBy::All },
            back: a.side == AttrSide::Back,
            decl,
        });
        if stands {
            self.p.standing = Some(ix);
        }
        if let Show::Thing(u) = show
            && let Some(comps) = self.p.comps.iter_mut().find(|c| c.universe == u)
        {
            comps.named_by.push(ix);
        }
        if component && let Some(c) = a.of.and_then(|k| self.layout.comps_of.get(&self.root(k)).copied()) {
            self.p.comps[c as usize].attrs.push(ix);
        }
        self.layout.homes.insert(id, Home::Cell(ix));
    }

    pub fn add_table(&mut self, name: &Arc<str>, universe: UniverseId, values: Vec<i32>) -> TableIx {
        self.p.tables.push(Table { name: name.clone(), universe, values });
        TableIx(self.p.tables.len() as u16 - 1)
    }

    /// A table with the least and the greatest number of a type.
    pub fn range_table(&mut self, ty: &Ty) -> TableIx {
        let (lo, hi) = types::bounds(ty).unwrap_or((i32::MIN, i32::MAX));
        let is_it = |t: &Table| &*t.name == "range" && t.values == [lo, hi];
        match self.p.tables.iter().position(is_it) {
            Some(at) => TableIx(at as u16),
            None => self.add_table(&"range".into(), self.p.truth_universe, vec![lo, hi]),
        }
    }

    /// Lays out sets that are printed on members and never change: constants in a row.
    fn printed_sets(&mut self, id: AttrId, component: bool) {
        let m = self.m;
        let a = &m.attrs[id.index()];
        let u = self.universe_of(&a.ty, a.span);
        let w = self.set_words(u);
        let mut all = Vec::new();
        for said in self.printed_rows(id, component) {
            match said {
                None => all.extend(std::iter::repeat_n(0u64, w as usize)),
                Some((e, key)) => match self.constant_set(e, u, &[(LocalId(0), key)]) {
                    Some(words) => all.extend(words),
                    None => {
                        self.report_unsupported(
                            e.span,
                            "sets and filters on a member that depend on the state of the game",
                        );
                        return;
                    }
                },
            }
        }
        let k = self.add_const_set(&all);
        self.layout.homes.insert(id, Home::Sets(k, u));
    }

    /// For each face or thing, or for the table: the printed expression of an attribute, and the key with which it is evaluated.
    fn printed_rows(&self, id: AttrId, component: bool) -> Vec<Option<(&'m Expr, i64)>> {
        let m: &'m Model = self.m;
        let a = &m.attrs[id.index()];
        // One row for each face or thing, or one for the table.
        let rows: Vec<(Option<(MemberId, i32)>, i64)> = match a.of {
            Some(k) if component => {
                let Some(index) = self.layout.comps_of.get(&self.root(k)).copied() else { return Vec::new() };
                self.layout.face_members[index as usize].iter().map(|x| (Some(*x), 0)).collect()
            }
            Some(k) => {
                let Some(of) = self.layout.kind_uni.get(&k).copied() else { return Vec::new() };
                (0..self.things_in(of)).map(|i| (self.member_at(k, i), i64::from(i))).collect()
            }
            None => vec![(None, 0)],
        };
        rows.into_iter()
            .map(|(member, thing)| {
                let given = member.and_then(|(x, key)| {
                    let (_, b) = m.members.get(x.index())?.sets.iter().find(|(y, _)| *y == id)?;
                    Some((&b.body, i64::from(key)))
                });
                given.or_else(|| a.default.as_ref().map(|b| (&b.body, thing)))
            })
            .collect()
    }

    /// Lays out lists that are printed on members and never change: a table of constant lists.
    fn printed_lists(&mut self, id: AttrId, component: bool) {
        let a = &self.m.attrs[id.index()];
        let u = self.universe_of(&a.ty, a.span);
        let lo = i64::from(self.least_of(u));
        let mut all: Vec<Vec<u16>> = Vec::new();
        for said in self.printed_rows(id, component) {
            let mut row = Vec::new();
            if let Some((e, key)) = said {
                let items = match &*e.kind {
                    ExprKind::Set(all) | ExprKind::List(all) => all.as_slice(),
                    _ => std::slice::from_ref(e),
                };
                for x in items {
                    let known = self.constant_with(x, &[(LocalId(0), key)]).int();
                    let Some(thing) = known.and_then(|k| u16::try_from(k - lo).ok()) else {
                        self.report_unsupported(
                            x.span,
                            "lists on a member that are not written out thing by thing",
                        );
                        return;
                    };
                    row.push(thing);
                }
            }
            all.push(row);
        }
        let t = topology::line_table(u, None, self.things_in(u) as usize, &all);
        let ix = LinesIx(self.p.line_tables.len() as u16);
        self.p.line_tables.push(t);
        self.layout.homes.insert(id, Home::Lists(ix));
    }

    /// The number of a constant expression, or a finding.
    pub fn constant_int(&mut self, e: &Expr) -> i64 {
        match self.constant(e) {
            Const::Int(n) => n,
            Const::Unknown => {
                self.report_unsupported(e.span, "this must be constant in a set-up");
                0
            }
        }
    }
}

/// For an attribute that the engine does not support: what it is, and what to write instead.
fn explain_unheld(a: &Attr) -> Option<(String, String)> {
    let name = &a.name;
    let text = || format!("write the text on the members, or as a value: `value {name}: text = …`");
    let (what, help) = match types::plain(&a.ty) {
        Ty::Set(_) | Ty::Filter(_) => (
            "a set that changes",
            "give each thing an attribute that is yes or no, or put components into a zone".to_string(),
        ),
        Ty::List(_) => ("a list that changes", "put components into a zone, which has an order".to_string()),
        Ty::Text if a.assigned || a.per.is_some() => ("a text that changes", text()),
        Ty::Text if a.of.is_none() => ("a text of the table", text()),
        _ => return None,
    };
    Some((format!("an attribute cannot hold {what}, as `{name}` does"), help))
}
