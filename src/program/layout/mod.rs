//! Who is what number: universes, components, attributes, zones, places, maps.
pub mod drawn_map;
pub mod topology;

use crate::analysis::const_eval::Const;
use crate::ir::*;
use crate::lower::{Home, Lower, NOT_DRAWN};
use crate::setup::COMPASS;
use houserule_model::body::types;
use houserule_model::hir::*;
use houserule_text::Diagnostic;
use std::sync::Arc;

impl<'m> Lower<'m> {
    /// Lays everything out.
    pub fn layout(&mut self) {
        self.players();
        for k in 0..self.m.kinds.len() {
            let id = KindId(k as u32);
            if self.set.has(self.m.kinds[k].scope) && self.m.kinds[k].sort == KindSort::Enum {
                self.words(id);
            }
        }
        self.boards();
        self.phases();
        for k in 0..self.m.kinds.len() {
            let id = KindId(k as u32);
            let kind = &self.m.kinds[k];
            if matches!(kind.sort, KindSort::Component(_)) && self.set.has(kind.scope) && self.root(id) == id
            {
                self.components(id, self.facts.turned.contains(&id));
            }
        }
        // What is printed on sides and single things first: sets are made of it.
        for pass in 0..3 {
            for (i, a) in self.m.attrs.iter().enumerate() {
                let sets = matches!(types::plain(&a.ty), Ty::Set(_) | Ty::List(_) | Ty::Filter(_));
                let rank = if a.side == AttrSide::Side { 0 } else { 1 + usize::from(sets) };
                let id = AttrId(i as u32);
                match pass {
                    0 if rank == 0 => self.side_attr(id),
                    1 | 2 if rank == pass => self.attr(id),
                    _ => {}
                }
            }
        }
        for z in 0..self.m.zones.len() {
            self.zone(ZoneId(z as u32));
        }
    }

    /// Phases, and the universe of which sets of phases are made.
    fn phases(&mut self) {
        let m = self.m;
        let mut things = Vec::new();
        for (i, r) in m.rules.iter().enumerate() {
            if r.phase && self.set.has(r.scope) {
                let decl = self.decl("phase", &r.name, r.span);
                let title = r.title.clone().unwrap_or_else(|| r.name.clone());
                things.push(Thing { word: r.name.clone(), title: title.clone() });
                self.phase_ix.insert(RuleId(i as u32), PhaseIx(self.p.phases.len() as u16));
                self.p.phases.push(PhaseSlot { name: r.name.clone(), title, decl });
            }
        }
        if !things.is_empty() {
            let n = things.len() as u32;
            self.phase_uni = Some(self.universe("phase", n, UniverseSort::Words, things));
        }
    }

    fn cells(&mut self, n: u32) -> u32 {
        let at = self.p.cells;
        self.p.cells += n;
        at
    }

    fn planes(&mut self, words: u32) -> u32 {
        let at = self.p.planes;
        self.p.planes += words;
        at
    }

    fn players(&mut self) {
        // Those of the seats first, then those that are there besides.
        let own = self.set.own as usize;
        let named: Vec<MemberId> = self.m.named_players().collect();
        let more = self.m.extra_players();
        let more: Vec<MemberId> =
            more.filter(|m| self.m.members.get(m.index()).is_some_and(|d| self.set.has(d.scope))).collect();
        let things = (0..self.set.players as usize)
            .map(|i| {
                let id = if i < own { named.get(i) } else { more.get(i - own) };
                let member = id.and_then(|m| self.m.members.get(m.index()));
                // Where a seat may have several players, a name is a person's, and stands beside the player's.
                let seat = match (&self.m.answered, self.set.answered.get(i)) {
                    (Some(_), Some(seats)) => seats.trailing_zeros() as usize,
                    _ => i,
                };
                let person = self.set.names.get(seat).cloned();
                let given = match (&self.m.answered, member, person) {
                    (Some(_), Some(m), Some(name)) => Some(format!("{} ({name})", plain(&m.title)).into()),
                    (_, _, person) => person,
                };
                let word = member
                    .map(|m| m.name.clone())
                    .or_else(|| given.clone())
                    .unwrap_or_else(|| format!("Player{}", i + 1).into());
                let title = given
                    .or_else(|| member.map(|m| plain(&m.title)))
                    .unwrap_or_else(|| format!("Player {}", i + 1).into());
                Thing { word, title }
            })
            .collect();
        for (i, m) in named.iter().take(own).enumerate() {
            self.member_no.insert(*m, i as u32);
        }
        for (i, m) in more.iter().enumerate() {
            self.member_no.insert(*m, (own + i) as u32);
        }
        let n = self.set.players;
        let u = self.universe("player", n, UniverseSort::Players, things);
        self.kind_uni.insert(builtin_kinds::PLAYER, u);
        let truth = ["no", "yes"].map(|w| Thing { word: w.into(), title: w.into() });
        self.universe("truth", 2, UniverseSort::Truth, truth.to_vec());
        let things = COMPASS.iter().map(|w| Thing { word: (*w).into(), title: (*w).into() }).collect();
        let u = self.universe("Direction", 8, UniverseSort::Words, things);
        self.kind_uni.insert(builtin_kinds::DIRECTION, u);
        let teams = n.max(self.facts.teams.into());
        let things = (1..=teams)
            .map(|i| Thing { word: format!("team{i}").into(), title: format!("team {i}").into() })
            .collect();
        let u = self.universe("team", teams, UniverseSort::Words, things);
        self.kind_uni.insert(builtin_kinds::TEAM, u);
    }

    fn words(&mut self, k: KindId) {
        let kind = &self.m.kinds[k.index()];
        let mut things = Vec::new();
        for m in &kind.members {
            let Some(d) = self.m.members.get(m.index()).filter(|d| self.set.has(d.scope)) else { continue };
            self.member_no.insert(*m, things.len() as u32);
            things.push(Thing { word: d.name.clone(), title: plain(&d.title) });
        }
        let u = self.universe(&kind.name, things.len() as u32, UniverseSort::Words, things);
        self.kind_uni.insert(k, u);
    }

    fn boards(&mut self) {
        for i in 0..self.m.maps.len() {
            let map = &self.m.maps[i];
            if !self.set.has(map.scope) {
                continue;
            }
            let Some((size, spaces)) = self.spaces_of(MapId(i as u32)) else {
                let message = format!("nothing draws {} in this set-up", map.name);
                let d = Diagnostic::error(NOT_DRAWN, map.span, message);
                let scenario = |p: &Picture| match &self.m.scopes[p.scope.index()] {
                    s if s.kind == ScopeKind::Scenario => Some(format!("`{}`", s.name)),
                    _ => None,
                };
                let all: Vec<String> = map.pictures.iter().filter_map(scenario).collect();
                self.errors.push(match all.as_slice() {
                    [] => d.help("give it a size, or draw it in a scenario"),
                    all => d.help(format!("choose a scenario that draws it: {}", all.join(", "))),
                });
                continue;
            };
            if spaces.is_empty() || spaces.len() > 1024 {
                self.fail(map.span, format_args!("a map of {} by {} (1,024 spaces at most)", size.0, size.1));
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
            let u = self.universe(&name, spaces.len() as u32, UniverseSort::Spaces(Some(ix)), things);
            self.kind_uni.insert(map.space, u);
            self.map_ix.insert(MapId(i as u32), ix);
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
                let lists = self.universe(&name, count, UniverseSort::Words, things);
                self.kind_uni.insert(kind, lists);
                let table = topology::ranks(&self.p.maps[ix.index()], sort, lists);
                self.rank_tables.insert(kind, LinesIx(self.p.line_tables.len() as u16));
                self.p.line_tables.push(table);
            }
        }
        // Spaces off any map: named places.
        for k in 0..self.m.kinds.len() {
            if self.m.kinds[k].sort == KindSort::Space(None) && self.set.has(self.m.kinds[k].scope) {
                self.words(KindId(k as u32));
                let u = self.kind_uni[&KindId(k as u32)];
                self.p.universes[u.index()].sort = UniverseSort::Spaces(None);
            }
        }
    }

    // ── Components ───────────────────────────────────────────────────────────────────────────────────────

    fn components(&mut self, root: KindId, turned: bool) {
        let m = self.m;
        let removed: Vec<MemberId> = m
            .scopes
            .iter()
            .enumerate()
            .filter(|(i, _)| self.set.has(ScopeId(*i as u32)))
            .flat_map(|(_, s)| &s.removes)
            .filter_map(|r| if let Removed::Member(x) = r { Some(*x) } else { None })
            .collect();
        let index = self.p.comps.len() as u16;
        let family: Vec<KindId> = (0..m.kinds.len())
            .map(|k| KindId(k as u32))
            .filter(|k| self.root(*k) == root && self.set.has(m.kinds[k.index()].scope))
            .collect();
        let (mut faces, mut face_things, mut initial, mut owners, mut sides) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let per_player = family.iter().any(|k| m.kinds[k.index()].per_player);
        let mut of_kind: Vec<(KindId, std::ops::Range<usize>)> = Vec::new();
        let mut face_kinds: Vec<KindId> = Vec::new();
        'family: for k in &family {
            let from = initial.len();
            let kind = &m.kinds[k.index()];
            for id in &kind.members {
                let Some(d) =
                    m.members.get(id.index()).filter(|d| self.set.has(d.scope) && !removed.contains(id))
                else {
                    continue;
                };
                let (least, keys) =
                    d.family.as_ref().map_or((0, 1), |(_, lo, hi)| (*lo, (hi - lo + 1) as u16));
                self.faces_of.insert(*id, (faces.len() as u16, least, keys));
                for key in (0..i32::from(keys)).map(|i| least + i) {
                    let face = faces.len() as u16;
                    faces.push((*id, key));
                    let word: Arc<str> =
                        if d.family.is_some() { format!("{}({key})", d.name).into() } else { d.name.clone() };
                    let title: Arc<str> =
                        if d.family.is_some() { self.family_title(*id, key) } else { plain(&d.title) };
                    face_things.push(Thing { word, title });
                    sides.push(self.declared_sides(*id, None));
                    let copies = match &d.copies {
                        Some(c) => {
                            self.at_setup(&c.body, &[(LocalId(0), i64::from(key))], "how many there are")
                        }
                        None => 1,
                    };
                    let sets = if per_player { self.set.players as i64 } else { 1 };
                    let all = copies.saturating_mul(sets).saturating_add(initial.len() as i64);
                    if copies < 0 || all > 1024 {
                        self.fail(d.span, too_many(copies, all));
                        break 'family;
                    }
                    for p in 0..sets {
                        for _ in 0..copies {
                            initial.push(face);
                            owners.push(p as i32);
                        }
                    }
                }
            }
            if let Some(c) = &kind.copies {
                // Components without a member: one face called like the kind.
                let copies = self.at_setup(c, &[], "how many there are").max(0);
                let sets = if per_player { self.set.players as i64 } else { 1 };
                let all = copies.saturating_mul(sets).saturating_add(initial.len() as i64);
                if all > 1024 {
                    self.fail(c.span, too_many(copies, all));
                    continue;
                }
                let face = faces.len() as u16;
                faces.push((MemberId(u32::MAX), 0));
                face_things.push(Thing { word: kind.name.to_lowercase().into(), title: kind.title.clone() });
                sides.push(self.declared_sides(MemberId(u32::MAX), Some(*k)));
                for p in 0..sets {
                    for _ in 0..copies {
                        initial.push(face);
                        owners.push(p as i32);
                    }
                }
            }
            face_kinds.resize(faces.len(), *k);
            of_kind.push((*k, from..initial.len()));
        }
        let n = initial.len() as u32;
        let name = &m.kinds[root.index()].name;
        let universe = self.universe(name, n, UniverseSort::Components(index), Vec::new());
        let is_die = matches!(m.kinds[root.index()].sort, KindSort::Component(ComponentSort::Die));
        let showing = is_die.then(|| {
            let things = self.side_things(&faces, &face_things, &sides);
            let n = things.len() as u32;
            self.universe(&format!("side of {name}"), n, UniverseSort::Sides(index), things)
        });
        let values: Vec<Vec<i32>> = sides.iter().map(|s| s.iter().map(|s| s.value).collect()).collect();
        let face_universe = self.universe(
            &format!("face of {name}"),
            faces.len() as u32,
            UniverseSort::Faces(index),
            face_things,
        );
        let w = self.w(universe);
        for (k, range) in &of_kind {
            self.kind_uni.insert(*k, universe);
            let mut set = vec![0u64; w as usize];
            let below: Vec<_> =
                of_kind.iter().filter(|(j, _)| types::is_a(m, *j, *k)).map(|(_, r)| r.clone()).collect();
            for i in below.into_iter().flatten().chain(range.clone()) {
                set[i / 64] |= 1 << (i % 64);
            }
            self.things_of.insert(*k, set);
        }
        let boxed = self.p.places.len() as u16;
        let (place, face, pos) = (self.cells(n), self.cells(n), self.cells(n));
        let side = if is_die { self.cells(n) } else { u32::MAX };
        let up = if turned { self.cells(n) } else { u32::MAX };
        let plane = self.planes(u32::from(w));
        self.p.places.push(Place {
            zone: u16::MAX,
            owner: i32::MIN,
            holder: i32::MIN,
            space: i32::MIN,
            comps: index,
            plane,
            seq: u32::MAX,
            cap: n as u16,
        });
        let known = self.planes(u32::from(w) * self.set.seats);
        self.comps_of.insert(root, index);
        self.face_members.push(faces.clone());
        self.face_kinds.push(face_kinds);
        self.sides.push(sides);
        let backs = self.backs(&faces);
        self.p.comps.push(Components {
            title: m.kinds[root.index()].title.clone(),
            universe,
            faces: face_universe,
            place,
            face,
            pos,
            side,
            up,
            came: u32::MAX,
            showing,
            boxed,
            discards: None,
            by_face: None,
            known,
            backs,
            initial,
            owners: if per_player { owners } else { Vec::new() },
            sides: values,
            attrs: Vec::new(),
            named_by: Vec::new(),
            mixed: false,
        });
    }

    fn family_title(&mut self, id: MemberId, key: i32) -> Arc<str> {
        let d = &self.m.members[id.index()];
        let mut out = String::new();
        for part in &d.title.parts {
            match part {
                TextPart::Literal(t) => out.push_str(t),
                TextPart::Hole(e) => {
                    let k = self.at_setup(e, &[(LocalId(0), i64::from(key))], "a title");
                    out.push_str(&k.to_string());
                }
            }
        }
        let holes = d.title.parts.iter().any(|p| matches!(p, TextPart::Hole(_)));
        if holes { out.into() } else { format!("{out} {key}").into() }
    }

    /// Faces of which the `back` attributes agree look alike from behind, of whichever kind of the family they are.
    fn backs(&mut self, faces: &[(MemberId, i32)]) -> Vec<u16> {
        let mut keys: Vec<Vec<(AttrId, i64)>> = Vec::new();
        let mut out = Vec::new();
        for (id, key) in faces {
            let attrs: Vec<AttrId> = match self.m.members.get(id.index()) {
                Some(d) => types::line_of(self.m, d.kind)
                    .iter()
                    .flat_map(|k| self.m.kinds[k.index()].attrs.clone())
                    .collect(),
                None => Vec::new(),
            };
            let this: Vec<(AttrId, i64)> = attrs
                .into_iter()
                .filter(|a| self.m.attrs[a.index()].side == AttrSide::Back)
                .map(|a| (a, self.member_value(*id, *key, a)))
                .collect();
            let at = keys.iter().position(|k| *k == this).unwrap_or_else(|| {
                keys.push(this);
                keys.len() - 1
            });
            out.push(at as u16);
        }
        out
    }

    /// What a member gives an attribute, or the attribute's default.
    pub fn member_value(&mut self, id: MemberId, key: i32, a: AttrId) -> i64 {
        let m = self.m;
        if let Some(d) = m.members.get(id.index())
            && let Some((_, b)) = d.sets.iter().find(|(x, _)| *x == a)
        {
            return self.start_value(&b.body, &[(LocalId(0), i64::from(key))]);
        }
        let Some(b) = &m.attrs[a.index()].default else { return NONE };
        // `this` is the thing whose face is known.
        let face = self.faces_of.get(&id).map(|(first, least, _)| i64::from(*first) + i64::from(key - least));
        let this: Vec<_> =
            face.map(|face| (LocalId(0), crate::analysis::const_eval::OF_FACE + face)).into_iter().collect();
        self.start_value(&b.body, &this)
    }

    /// What an attribute is at the start. A text is the number of its template, a component the one that shows the face then.
    fn start_value(&mut self, e: &Expr, names: &[(LocalId, i64)]) -> i64 {
        if let ExprKind::Text(t) = &*e.kind {
            let mut parts = Vec::new();
            for p in &t.parts {
                parts.push(Piece::Literal(match p {
                    TextPart::Literal(x) => x.clone(),
                    TextPart::Hole(e) => self.at_setup(e, names, "what a text holds").to_string().into(),
                }));
            }
            self.p.templates.push(Template { parts });
            return self.p.templates.len() as i64 - 1;
        }
        match self.component_at_start(e, names) {
            Some(c) => c,
            None => self.at_setup(e, names, "a value at the start"),
        }
    }

    /// A constant's number; a finding where it depends on the state of the game.
    fn at_setup(&mut self, e: &Expr, names: &[(LocalId, i64)], what: &str) -> i64 {
        match self.constant_with(e, names).int() {
            Some(n) if n < crate::analysis::const_eval::OF_FACE => n,
            _ => {
                let message = format!("{what} must be known when the game is set up");
                let d = Diagnostic::error(crate::lower::NOT_LOWERED, e.span, message);
                self.errors.push(d.help(
                    "numbers, words, options, variants and `count(players)` are known then; what changes in play is not: set it in `setup { … }`",
                ));
                NONE
            }
        }
    }

    // ── Attributes ───────────────────────────────────────────────────────────────────────────────────────

    fn attr(&mut self, id: AttrId) {
        let m = self.m;
        let a = &m.attrs[id.index()];
        if !self.set.has(a.scope) || a.ty == Ty::Error || a.side == AttrSide::Side {
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
        if let Some((what, help)) = unheld(a) {
            self.errors.push(Diagnostic::error(crate::lower::NOT_LOWERED, a.span, what).help(help));
            return;
        }
        if !a.assigned && component {
            let root = self.root(a.of.unwrap_or(builtin_kinds::PLAYER));
            let Some(index) = self.comps_of.get(&root).copied() else { return };
            let universe = self.p.comps[index as usize].faces;
            let faces = self.face_members[index as usize].clone();
            // A component that a face names may come to show another face: which one is meant then is not said.
            if self.of_components(&a.ty) && faces.iter().any(|(m, k)| self.member_value(*m, *k, id) != NONE) {
                let kind = types::kinds_of(&a.ty)
                    .first()
                    .map_or_else(String::new, |k| m.kinds[k.index()].name.to_string());
                let d = Diagnostic::error(
                    crate::lower::NOT_LOWERED,
                    a.span,
                    format!(
                        "`{}` is printed on a member, so it names a face, not one of the things that show it",
                        a.name
                    ),
                );
                self.errors.push(d.help(format!("write `{}: face of {kind}`", a.name)));
                return;
            }
            let values = faces.iter().map(|(id2, key)| self.member_value(*id2, *key, id) as i32).collect();
            let t = self.table(&a.name, universe, values);
            self.homes.insert(id, Home::Table(t));
            return;
        }
        let of = match a.of {
            None => None,
            Some(k) => match self.kind_uni.get(&k) {
                Some(u) => Some(*u),
                None => return,
            },
        };
        let n = of.map_or(1, |u| self.n(u));
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
            && let Some(values) = self.as_drawn(id, initial.clone())
        {
            let t = self.table(&a.name, u, values);
            self.homes.insert(id, Home::Table(t));
            if a.drawn {
                let (name, show) = (a.name.clone(), self.show(&a.ty, a.span));
                self.p.printed.push(PrintedSlot { name, of: u, table: t, show });
            }
            return;
        }
        // Until a player is first moved it stands nowhere, whatever is said of later.
        let stands = types::standing(m) == Some(id);
        let maybe = types::is_maybe(&a.ty) || stands;
        let plain = types::plain(&a.ty);
        let (lo, hi) = match &plain {
            Ty::Int(lo, hi) => (*lo, *hi),
            Ty::Bool => (0, 1),
            t => {
                let u = self.uni(t, a.span);
                (0, self.n(u) as i32 - 1)
            }
        };
        let show = self.show(&a.ty, a.span);
        let cell = self.cells(n);
        let small = i64::from(hi) - i64::from(lo) < 16;
        // What one member alone has is read of known things: an index would only cost room.
        let indexed = of.filter(|u| {
            small
                && a.has_of.is_none()
                && matches!(
                    self.p.universes[u.index()].sort,
                    UniverseSort::Spaces(_) | UniverseSort::Components(_)
                )
        });
        let planes = indexed.map(|u| {
            let w = self.w(u);
            let n = (hi - lo + 1).max(0) as u16;
            let at = self.planes(u32::from(w) * (u32::from(n) + 1));
            self.p.groups.push(PlaneGroup { universe: u, at, fixed: false, ordered: false, lo, n, w });
            GroupIx(self.p.groups.len() as u16 - 1)
        });
        let own = match (a.has_of, of) {
            // A member that is not in this set-up has no faces: then nothing has it.
            (Some(HasOf::Member(x)), Some(_)) => match self.faces_of.get(&x) {
                Some((first, _, keys)) => (*first..first.saturating_add(*keys)).collect(),
                None => vec![u16::MAX],
            },
            // What only a kind of the family has is told of its faces alone. Backs are as they are for all to see.
            (None, Some(_)) if component && a.side != AttrSide::Back => self.own_faces(a.of),
            _ => Vec::new(),
        };
        let decl = self.decl("attribute", &a.name, a.span);
        let ix = AttrIx(self.p.attrs.len() as u16);
        let per = self.per(a.per.as_deref());
        self.p.attrs.push(AttrSlot {
            name: a.name.clone(),
            of,
            cell,
            lo,
            hi,
            maybe,
            clamped: a.clamped,
            show,
            planes,
            set_at: None,
            initial,
            own,
            per,
            seen: SeenBy::All,
            back: a.side == AttrSide::Back,
            decl,
        });
        if stands {
            self.p.standing = Some(ix);
        }
        if let Show::Thing(u) = show
            && let Some(UniverseSort::Components(c)) = self.p.universes.get(u.index()).map(|u| u.sort.clone())
        {
            self.p.comps[c as usize].named_by.push(ix);
        }
        if component && let Some(c) = a.of.and_then(|k| self.comps_of.get(&self.root(k)).copied()) {
            self.p.comps[c as usize].attrs.push(ix);
        }
        self.homes.insert(id, Home::Cell(ix));
    }

    /// The faces of a kind that is one of several of its family; empty if all are of that kind.
    fn own_faces(&self, kind: Option<KindId>) -> Vec<u16> {
        let Some((k, index)) = kind.and_then(|k| Some((k, *self.comps_of.get(&self.root(k))?))) else {
            return Vec::new();
        };
        let kinds = self.face_kinds.get(index as usize).map_or(&[][..], |all| all);
        let is = |x: &KindId| types::is_a(self.m, *x, k);
        match kinds.iter().all(is) {
            true => Vec::new(),
            false => (0u16..).zip(kinds).filter(|(_, x)| is(x)).map(|(i, _)| i).collect(),
        }
    }

    /// The member of a thing of a kind, by its number at the start.
    fn member_at(&self, k: KindId, i: u32) -> Option<(MemberId, i32)> {
        if types::is_component(self.m, k) {
            let c = *self.comps_of.get(&self.root(k))? as usize;
            let face = *self.p.comps[c].initial.get(i as usize)?;
            return self.face_members[c].get(face as usize).copied();
        }
        let members = &self.m.kinds[k.index()].members;
        members.iter().copied().find(|m| self.member_no.get(m) == Some(&i)).map(|m| (m, 0))
    }

    pub fn table(&mut self, name: &Arc<str>, universe: UniverseId, values: Vec<i32>) -> TableIx {
        self.p.tables.push(Table { name: name.clone(), universe, values });
        TableIx(self.p.tables.len() as u16 - 1)
    }

    /// The least and the greatest number of a type, side by side.
    pub fn range_table(&mut self, ty: &Ty) -> TableIx {
        let (lo, hi) = types::bounds(ty).unwrap_or((i32::MIN, i32::MAX));
        let is_it = |t: &Table| &*t.name == "range" && t.values == [lo, hi];
        match self.p.tables.iter().position(is_it) {
            Some(at) => TableIx(at as u16),
            None => self.table(&"range".into(), self.p.truth_universe, vec![lo, hi]),
        }
    }

    /// Sets that are printed on members and never change: constants in a row.
    fn printed_sets(&mut self, id: AttrId, component: bool) {
        let m = self.m;
        let a = &m.attrs[id.index()];
        let u = self.uni(&a.ty, a.span);
        let w = self.w(u);
        let mut all = Vec::new();
        for said in self.printed_rows(id, component) {
            match said {
                None => all.extend(std::iter::repeat_n(0u64, w as usize)),
                Some((e, key)) => match self.constant_set(e, u, &[(LocalId(0), key)]) {
                    Some(words) => all.extend(words),
                    None => {
                        self.fail(
                            e.span,
                            "sets and filters on a member that depend on the state of the game",
                        );
                        return;
                    }
                },
            }
        }
        let k = self.const_set(&all);
        self.homes.insert(id, Home::Sets(k, u));
    }

    /// What each face, thing, or the table has printed of an attribute: the expression, and the key that it stands for.
    fn printed_rows(&self, id: AttrId, component: bool) -> Vec<Option<(&'m Expr, i64)>> {
        let m: &'m Model = self.m;
        let a = &m.attrs[id.index()];
        // By face, by thing, or the table's one.
        let rows: Vec<(Option<(MemberId, i32)>, i64)> = match a.of {
            Some(k) if component => {
                let Some(index) = self.comps_of.get(&self.root(k)).copied() else { return Vec::new() };
                self.face_members[index as usize].iter().map(|x| (Some(*x), 0)).collect()
            }
            Some(k) => {
                let Some(of) = self.kind_uni.get(&k).copied() else { return Vec::new() };
                (0..self.n(of)).map(|i| (self.member_at(k, i), i64::from(i))).collect()
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

    /// Lists that are printed on members and never change: a table of constant lists.
    fn printed_lists(&mut self, id: AttrId, component: bool) {
        let a = &self.m.attrs[id.index()];
        let u = self.uni(&a.ty, a.span);
        let lo = i64::from(self.lo(u));
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
                        self.fail(x.span, "lists on a member that are not written out thing by thing");
                        return;
                    };
                    row.push(thing);
                }
            }
            all.push(row);
        }
        let t = topology::line_table(u, None, self.n(u) as usize, &all);
        let ix = LinesIx(self.p.line_tables.len() as u16);
        self.p.line_tables.push(t);
        self.homes.insert(id, Home::Lists(ix));
    }

    // ── Zones ────────────────────────────────────────────────────────────────────────────────────────────

    fn zone(&mut self, id: ZoneId) {
        let m = self.m;
        let z = &m.zones[id.index()];
        if !self.set.has(z.scope) {
            return;
        }
        let Some(holds) = z.holds.first().and_then(|k| self.comps_of.get(&self.root(*k))).copied() else {
            self.fail(z.span, "zones of things that are no components");
            return;
        };
        if z.holds.iter().any(|k| self.comps_of.get(&self.root(*k)) != Some(&holds)) {
            self.fail(z.span, "zones of components of unlike kinds");
        }
        let (of, holders) = match z.of {
            None => (None, 1),
            Some(k) => match self.kind_uni.get(&k) {
                Some(u) => (Some(*u), self.n(*u)),
                None => return,
            },
        };
        let (indexes, index_lo, index_of) = match &z.index {
            None => (1, 0, None),
            Some(t) => {
                let u = self.uni(t, z.span);
                let numbers = self
                    .p
                    .universes
                    .get(u.index())
                    .is_some_and(|u| matches!(u.sort, UniverseSort::Numbers { .. }));
                (self.n(u), self.lo(u), (!numbers).then_some(u))
            }
        };
        let comps = &self.p.comps[holds as usize];
        let n = comps.initial.len() as u16;
        let w = self.w(comps.universe);
        let capacity = match (&z.capacity, z.slot) {
            (_, true) => 1,
            (Some(c), false) => self.at_setup(&c.body, &[], "how many fit").clamp(0, i64::from(n)) as u16,
            (None, false) => n,
        };
        let first = self.p.places.len() as u16;
        let ix = ZoneIx(self.p.zones.len() as u16);
        let player = z.of == Some(builtin_kinds::PLAYER);
        let on_space = z.of.is_some_and(|k| types::is_space(m, k));
        let order_asked = self.facts.ordered.contains(&id) && !z.slot;
        let ordered = !z.slot && (self.facts.kept.contains(&id) || z.sorted.is_some());
        // Neither places nor cells may outgrow their numbers: the rest of the layout goes on without the zone.
        let many = u64::from(holders) * u64::from(indexes);
        let room = if z.slot || !ordered { 1 } else { 1 + u64::from(n) };
        if many + self.p.places.len() as u64 > 60_000 || many * room + u64::from(self.p.cells) > 1 << 22 {
            self.fail(z.span, format_args!("a zone of {many} places with room for {n} each"));
            return;
        }
        for h in 0..holders {
            for _ in 0..indexes {
                let plane = self.planes(u32::from(w));
                let seq = match (z.slot, ordered) {
                    (true, _) => self.cells(1),
                    (false, true) => self.cells(1 + u32::from(n)),
                    (false, false) => u32::MAX,
                };
                self.p.places.push(Place {
                    zone: ix.0,
                    owner: if z.of.is_some() { h as i32 } else { i32::MIN },
                    holder: if player { h as i32 } else { i32::MIN },
                    space: if on_space { h as i32 } else { i32::MIN },
                    comps: holds,
                    plane,
                    seq,
                    cap: if z.slot { 1 } else { n },
                });
            }
        }
        let whole = z.holds.iter().any(|k| self.own_faces(Some(*k)).is_empty());
        let same = if whole { None } else { m.zones.iter().position(|x| x.holds == z.holds) };
        let kinds = same.and_then(|i| u16::try_from(i).ok());
        let decl = self.decl("zone", &z.name, z.span);
        let seen = match &z.seen {
            Seen::All => SeenBy::All,
            Seen::Owner => SeenBy::Owner,
            Seen::Nobody => SeenBy::Nobody,
            Seen::By(_) => {
                let (key, title) = (format!("seen {}", id.0), format!("who sees {}", z.name));
                SeenBy::Func(self.func(key, &title, true, 2, 1, decl, crate::lower::Job::Seers(id)))
            }
        };
        if !z.slot && capacity != 1 && !matches!(seen, SeenBy::All) {
            self.p.comps[holds as usize].mixed = true;
        }
        self.p.zones.push(ZoneSlot {
            name: z.name.clone(),
            of,
            holds,
            kinds,
            first,
            indexes: indexes as u16,
            index_lo,
            index_of,
            slot: z.slot,
            ordered,
            order_asked,
            seen,
            capacity,
            sorted: None,
            decl,
        });
        self.zone_ix.insert(id, ix);
    }

    /// A constant's number, or a finding.
    pub fn constant_int(&mut self, e: &Expr) -> i64 {
        match self.constant(e) {
            Const::Int(n) => n,
            Const::Unknown => {
                self.fail(e.span, "this must be constant in a set-up");
                0
            }
        }
    }
}

/// What is said of more components than a kind can have with those that are it.
fn too_many(copies: i64, all: i64) -> String {
    match copies < 0 {
        true => format!("{copies} components"),
        false => format!("{all} components of one kind (1,024 at most, with those of kinds that are it)"),
    }
}

/// What no attribute can hold, and what to write instead.
fn unheld(a: &Attr) -> Option<(String, String)> {
    let name = &a.name;
    let text = || format!("a text stands on members, or is a value: `value {name}: text = …`");
    let (what, help) = match types::plain(&a.ty) {
        Ty::Set(_) | Ty::Filter(_) => (
            "a set that changes",
            "give each thing of the set an attribute that is yes or no, or keep components in a zone"
                .to_string(),
        ),
        Ty::List(_) => ("a list that changes", "keep components in a zone, which has an order".to_string()),
        Ty::Text if a.assigned || a.per.is_some() => ("a text that changes", text()),
        Ty::Text if a.of.is_none() => ("a text of the table", text()),
        Ty::Bag(_) => ("a bag", "count each thing by a number of its own".to_string()),
        _ => return None,
    };
    Some((format!("`{name}` is {what}: no attribute holds that"), help))
}

/// A text without its holes.
pub fn plain(t: &Text) -> Arc<str> {
    let mut out = String::new();
    for p in &t.parts {
        if let TextPart::Literal(t) = p {
            out.push_str(t);
        }
    }
    out.into()
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
