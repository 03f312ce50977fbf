//! Lowers built-in values: numbers and things into one register, sets into several.
use crate::fn_builder::FnBuild;
use crate::ir::*;
use crate::layout::tables::Tables;
use crate::lower::Lower;
use houserule_model::body::types;
use houserule_model::hir::*;

impl Tables<'_> {
    /// Emits the owner of a component: for kinds that each player has, the player printed on it; for others its holder.
    pub fn owner_into(&mut self, f: &mut FnBuild, u: UniverseId, c: R, d: R) {
        let owners = self.p.components_of(u).map(|c| c.owners.clone());
        if let Some(owners) = owners.filter(|o| !o.is_empty()) {
            let table = self.add_table(&"owner".into(), u, owners);
            f.emit(Ins::LdTable { d, i: c, table });
        } else {
            f.emit(Ins::LdPlace { d, c, u: u.0 as u8 });
            f.emit(Ins::PlaceFact { d, p: d, fact: PlaceFact::Holder });
        }
    }

    /// Emits the set of the players for whom somebody answers.
    fn playing_into(&mut self, f: &mut FnBuild, u: UniverseId, d: R) {
        if self.set.all_play() {
            f.emit(Ins::SAll { d, u: u.0 as u8 });
        } else {
            let playing = self.set.playing();
            self.const_set_into(f, &[playing], d);
        }
    }

    /// The table of lines of a length, made at the first use.
    pub fn lines_of_length(&mut self, m: MapIx, n: i64) -> LinesIx {
        let n = usize::try_from(n).unwrap_or(0);
        if let Some(t) = self.line_tables.get(&(m, n)) {
            return *t;
        }
        let t = crate::layout::topology::lines_of_length(&self.p.maps[m.index()], n);
        let ix = LinesIx(self.p.line_tables.len() as u16);
        self.p.line_tables.push(t);
        self.line_tables.insert((m, n), ix);
        ix
    }

    fn lines_of_board(&self, u: UniverseId, sort: LineSort) -> Option<LinesIx> {
        let (id, _) = self.map_ix.iter().find(|(_, x)| self.p.maps[x.index()].spaces == u)?;
        let map = &self.m.maps[id.index()];
        let kind = if sort == LineSort::Row { map.rows } else { map.columns }?;
        self.rank_tables.get(&kind).copied()
    }
}

impl Lower<'_> {
    pub fn builtin_into(&mut self, f: &mut FnBuild, b: Builtin, args: &[Expr], e: &Expr, d: R) {
        use Builtin as B;
        let first = args.first();
        match (b, first) {
            (B::Count, Some(x)) => {
                if let Some(p) = self.whole_zone_place(f, x) {
                    f.emit(Ins::ZLen { d, p });
                } else if let ExprKind::Builtin(B::Lines, a) = &*x.kind {
                    let n = a.first().map_or(0, |n| self.constant_int(n));
                    let (map, _) = self.map_of(&x.ty, x.span);
                    let t = self.lines_of_length(MapIx(u16::from(map)), n);
                    let k = self.p.line_tables[t.index()].ranges.len() as i32;
                    f.emit(Ins::Li { d, k });
                } else if !self.fold_number_list(f, b, x, d) {
                    let u = self.uni_of(x);
                    let s = self.set_reg(f, x, u);
                    let w = self.set_words(u);
                    f.emit(Ins::SCount { d, s, w });
                }
            }
            (B::Only, Some(x)) => {
                let u = self.uni_of(x);
                let s = self.set_reg(f, x, u);
                let w = self.set_words(u);
                f.emit(Ins::SOnly { d, s, w });
                self.element_to_value(f, u, d);
            }
            (B::MinOf | B::MaxOf | B::SumOf, Some(x)) if self.fold_number_list(f, b, x, d) => {}
            (B::Median, Some(x)) if self.median_of_numbers(f, x, d) => {}
            (B::Median, Some(x)) => {
                // Two are taken off for each number: at the one in the middle none, or one too few, are left.
                let u = self.uni_of(x);
                let s = self.set_reg(f, x, u);
                let w = self.set_words(u);
                let (left, t, zero) = (f.alloc(1), f.alloc(1), f.load_number(0));
                f.emit(Ins::SCount { d: left, s, w });
                f.emit(Ins::Li { d, k: NONE as i32 });
                let (i, top, end) = f.begin_loop(s, w);
                f.emit(Ins::Mov { d, a: i });
                f.emit(Ins::AddK { d: left, a: left, k: -2 });
                f.emit(Ins::Le { d: t, a: left, b: zero });
                f.jz(t, top);
                f.place_label(end);
                self.element_to_value(f, u, d);
            }
            (B::MinOf | B::MaxOf | B::SumOf, Some(x)) => {
                let u = self.uni_of(x);
                let s = self.set_reg(f, x, u);
                let w = self.set_words(u);
                match b {
                    B::MinOf => f.emit(Ins::SFirst { d, s, w }),
                    B::MaxOf => f.emit(Ins::SLast { d, s, w }),
                    _ => {
                        f.emit(Ins::Li { d, k: 0 });
                        let (i, top, end) = f.begin_loop(s, w);
                        let v = f.emit_new(1, |d| Ins::AddK { d, a: i, k: self.least_of(u) });
                        f.emit(Ins::Add { d, a: d, b: v });
                        f.jmp(top);
                        f.place_label(end);
                        return;
                    }
                }
                self.element_to_value(f, u, d);
            }
            (B::Distance, Some(a)) => {
                let (map, u) = self.map_of(&a.ty, a.span);
                let (x, y) = (self.required_reg(f, a), self.required_reg(f, &args[1]));
                match optional_arg(args, 2) {
                    None => f.emit(Ins::Dist { d, a: x, b: y, m: map }),
                    Some(t) => {
                        let s = self.set_reg(f, t, u);
                        f.emit(Ins::DistThru { d, a: x, b: y, s, m: map });
                    }
                }
            }
            (B::CostDistance, Some(_)) => self.cost_search_into(f, args, e, d),
            (B::DirectionOf, Some(a)) => {
                let (map, _) = self.map_of(&a.ty, a.span);
                let (x, y) = (self.required_reg(f, a), self.required_reg(f, &args[1]));
                f.emit(Ins::DirOf { d, a: x, b: y, m: map });
            }
            (B::Opposite, Some(way)) => {
                let way = self.required_reg(f, way);
                f.emit(Ins::AddK { d, a: way, k: 4 });
                f.emit(Ins::ModK { d, a: d, k: 8 });
            }
            (B::Mirror | B::Angle | B::TurnOf | B::RowNumber | B::ColumnNumber, _) => {
                self.map_number_into(f, b, args, e, d);
            }
            (B::Joined, Some(a)) => {
                let (map, u) = self.map_of(&a.ty, a.span);
                let w = self.set_words(u);
                let s = f.alloc(w * 3);
                self.set_into(f, &args[2], u, s);
                self.set_into(f, &args[0], u, s + w);
                self.set_into(f, &args[1], u, s + 2 * w);
                f.emit(Ins::Joined { d, s, m: map });
            }
            (B::Left, Some(p)) => {
                let p = self.required_reg(f, p);
                let k = self.set.players as i32;
                f.emit(Ins::AddK { d, a: p, k: 1 });
                f.emit(Ins::ModK { d, a: d, k });
                if let Some(among) = optional_arg(args, 1) {
                    // Goes on until one of those is found or all are passed.
                    let u = self.universe_of(&among.ty, among.span);
                    let w = self.set_words(u);
                    let s = self.set_reg(f, among, u);
                    let t = f.alloc(1);
                    let end = f.new_label();
                    for _ in 1..k {
                        f.emit(Ins::STest { d: t, s, i: d, w });
                        f.emit(Ins::Not { d: t, a: t });
                        f.jz(t, end);
                        f.emit(Ins::AddK { d, a: d, k: 1 });
                        f.emit(Ins::ModK { d, a: d, k });
                    }
                    f.place_label(end);
                }
            }
            (B::Opponent, Some(p)) => {
                let p = self.required_reg(f, p);
                let one = f.load_number(1);
                f.emit(Ins::Sub { d, a: one, b: p });
            }
            (B::TeamOf, Some(p)) => self.team_into(f, p, d),
            (B::Team(n), _) => {
                // A test may name more things than the rules.
                let u = self.universe_of(&e.ty, e.span);
                let teams = self.p.universes.get(u.index()).map_or(0, |u| u.n);
                if u32::from(n) > teams {
                    self.report_unsupported(e.span, format_args!("team {n} of {teams}"));
                }
                f.emit(Ins::Li { d, k: i32::from(n) - 1 });
            }
            (B::FaceOf, Some(c)) => {
                let r = self.required_reg(f, c);
                self.face_number(f, c, r, d);
            }
            (B::Sees, Some(p)) => {
                let u = self.universe_of(&args[1].ty, args[1].span);
                let p = self.required_reg(f, p);
                let c = self.required_reg(f, &args[1]);
                f.emit(Ins::Sees { d, p, c, u: u.0 as u8 });
            }
            (B::DieValue, Some(c)) => {
                if !self.shown_into(f, c, d) {
                    self.report_unsupported(e.span, "the value of something that is not a die");
                }
            }
            (B::Up, Some(c)) => {
                let u = self.universe_of(&c.ty, c.span);
                let r = self.required_reg(f, c);
                f.emit(Ins::LdUp { d, c: r, u: u.0 as u8 });
            }
            (B::OwnerOf, Some(c)) => {
                let u = self.universe_of(&c.ty, c.span);
                let r = self.required_reg(f, c);
                self.owner_into(f, u, r, d);
            }
            (B::At | B::Holder | B::Host, Some(c)) => {
                let u = self.universe_of(&c.ty, c.span);
                let r = self.required_reg(f, c);
                if b == B::At {
                    f.emit(Ins::LdAt { d, c: r, u: u.0 as u8 });
                } else {
                    f.emit(Ins::LdPlace { d, c: r, u: u.0 as u8 });
                    let fact = if b == B::Host { PlaceFact::Host } else { PlaceFact::Holder };
                    f.emit(Ins::PlaceFact { d, p: d, fact });
                }
            }
            (B::InZone, Some(c)) => {
                let u = self.universe_of(&c.ty, c.span);
                let r = self.required_reg(f, c);
                f.emit(Ins::LdPlace { d, c: r, u: u.0 as u8 });
                f.emit(Ins::PlaceFact { d, p: d, fact: PlaceFact::Zone });
                let zone = match args.get(1).map(|z| &*z.kind) {
                    Some(ExprKind::PlaceOf(_, z, _) | ExprKind::Zone(_, z, _)) => {
                        self.zone_ix.get(z).copied()
                    }
                    _ => None,
                };
                match zone {
                    Some(z) => f.emit(Ins::EqK { d, a: d, k: i32::from(z.0) }),
                    None => self.report_unsupported(e.span, "this test of a zone"),
                }
            }
            (B::Round, _) => f.emit(Ins::LdClock { d, what: Clock::Round }),
            (B::Turns, _) => f.emit(Ins::LdClock { d, what: Clock::Turns }),
            (B::Turn, _) => f.emit(Ins::LdClock { d, what: Clock::Turn }),
            (B::Held, Some(x)) => {
                let a = self.expr_reg(f, x);
                let table = self.range_table(&e.ty);
                f.emit(Ins::Within { d, a, table });
            }
            (B::Odd | B::Even, Some(x)) => {
                let a = self.required_reg(f, x);
                f.emit(Ins::ModK { d, a, k: 2 });
                if b == B::Even {
                    f.emit(Ins::Not { d, a: d });
                }
            }
            (B::KeyOf, Some(x)) if matches!(types::plain(&x.ty), Ty::Of(k) if types::line_length(self.m, k).is_some()) =>
            {
                let r = self.required_reg(f, x);
                f.emit(Ins::AddK { d, a: r, k: 1 });
            }
            (B::KeyOf, Some(x)) => {
                let index = self.comps_of_type(&x.ty).unwrap_or(0);
                let values = self
                    .face_members
                    .get(index as usize)
                    .map(|f| f.iter().map(|(_, k)| *k).collect())
                    .unwrap_or_default();
                let faces = self.p.comps[index as usize].faces;
                let table = self.add_table(&"key".into(), faces, values);
                let r = self.required_reg(f, x);
                self.face_number(f, x, r, d);
                f.emit(Ins::LdTable { d, i: d, table });
            }
            (B::Index, Some(l)) => {
                // The position in a line of the board or in a set in its order: one plus the number of things before it.
                let u = self.uni_of(l);
                let x = self.expr_reg(f, &args[1]);
                let x = self.value_to_element(f, u, x);
                f.emit(Ins::Li { d, k: 0 });
                let (i, top, end) = self.begin_ordered_walk(f, l, u);
                f.emit(Ins::AddK { d, a: d, k: 1 });
                let t = f.emit_new(1, |d| Ins::Eq { d, a: i, b: x });
                f.jz(t, top);
                f.none_from(d, end);
            }
            _ => self.report_unsupported(e.span, name_of_unsupported(b)),
        }
    }

    pub fn builtin_set_into(&mut self, f: &mut FnBuild, e: &Expr, u: UniverseId, d: R) {
        use Builtin as B;
        let ExprKind::Builtin(b, args) = &*e.kind else { return };
        let (b, w) = (*b, self.set_words(u));
        match (b, args.first()) {
            (B::AsSet | B::Reversed | B::Widened, Some(x)) => self.set_into(f, x, u, d),
            (B::Players, _) => self.playing_into(f, u, d),
            (B::Seats, _) if self.set.own == self.set.players => f.emit(Ins::SAll { d, u: u.0 as u8 }),
            (B::Seats, _) => {
                let own = (1 << self.set.own) - 1;
                self.const_set_into(f, &[own], d);
            }
            (B::Others, Some(p)) => {
                self.playing_into(f, u, d);
                let i = self.required_reg(f, p);
                f.emit(Ins::SDel { d, i, w });
            }
            (B::Clockwise, Some(s)) => self.set_into(f, s, u, d),
            (B::Sides, Some(x)) => self.sides_into(f, x, u, d),
            (B::NeighbourPlayers, Some(p)) => {
                let p = self.required_reg(f, p);
                let n = self.set.players.max(1);
                let beside = |p: u32| (1u64 << ((p + 1) % n) | 1 << ((p + n - 1) % n)) & !(1 << p);
                let words: Vec<u64> = (0..n.min(32)).map(beside).collect();
                let k = self.add_const_set(&words);
                f.emit(Ins::SConstI { d, i: p, w: 1, k });
            }
            (B::Neighbours, Some(all)) if matches!(all.ty, Ty::Set(_) | Ty::List(_)) => {
                let (m, _) = self.map_of(&all.ty, all.span);
                let s = self.set_reg(f, all, u);
                let Some(dirs) = optional_arg(args, 1) else {
                    f.emit(Ins::Dilate { d, s, m });
                    return;
                };
                let du = self.universe_of(&dirs.ty, dirs.span);
                let dw = self.set_words(du);
                let dirs = self.set_reg(f, dirs, du);
                let to = f.alloc(1);
                f.emit(Ins::SZero { d, w });
                let (c, top, last) = f.begin_loop(s, w);
                let (r, again, end) = f.begin_loop(dirs, dw);
                f.emit(Ins::StepC { d: to, c, r, m });
                f.jnone(to, again);
                f.emit(Ins::SIns { d, i: to, w });
                f.jmp(again);
                f.place_label(end);
                f.jmp(top);
                f.place_label(last);
            }
            (B::Neighbours, Some(c)) => {
                let (m, _) = self.map_of(&c.ty, c.span);
                let end = f.new_label();
                let c = self.space_or_empty(f, c, w, d, end);
                match optional_arg(args, 1) {
                    None => f.emit(Ins::Neigh { d, c, m }),
                    Some(dirs) if let Some(k) = self.neighbour_sets_at(MapIx(u16::from(m)), dirs) => {
                        f.emit(Ins::SConstI { d, i: c, w, k });
                    }
                    Some(dirs) => {
                        let du = self.universe_of(&dirs.ty, dirs.span);
                        let dw = self.set_words(du);
                        let dirs = self.set_reg(f, dirs, du);
                        f.emit(Ins::SZero { d, w });
                        let (r, top, last) = f.begin_loop(dirs, dw);
                        let to = f.emit_new(1, |d| Ins::StepC { d, c, r, m });
                        f.emit(Ins::JNone { a: to, to: top.0 as u32 });
                        f.emit(Ins::SIns { d, i: to, w });
                        f.jmp(top);
                        f.place_label(last);
                    }
                }
                f.place_label(end);
            }
            (B::Fan | B::Leaps | B::Between | B::Slides, Some(_)) => self.board_set_into(f, e, u, d),
            (B::LineSpaces, Some(x)) => match self.rank_table(&x.ty) {
                Some(t) => {
                    let i = self.required_reg(f, x);
                    f.emit(Ins::LineSet { d, i, t });
                }
                None => self.report_unsupported(e.span, "this line"),
            },
            (B::RowOf | B::ColumnOf, Some(x)) => {
                let sort = if b == B::RowOf { LineSort::Row } else { LineSort::Column };
                let Some(t) = self.lines_of_board(u, sort) else {
                    return self.report_unsupported(e.span, "rows of this");
                };
                f.emit(Ins::SZero { d, w });
                let many = matches!(x.ty, Ty::Set(_) | Ty::List(_));
                let r = f.alloc(w);
                if many {
                    let nu = self.universe_of(&x.ty, x.span);
                    let s = self.set_reg(f, x, nu);
                    let nw = self.set_words(nu);
                    let (i, top, end) = f.begin_loop(s, nw);
                    let k = f.emit_new(1, |d| Ins::AddK { d, a: i, k: self.least_of(nu) - 1 });
                    f.emit(Ins::LineSet { d: r, i: k, t });
                    f.emit(Ins::SOr { d, a: d, b: r, w });
                    f.jmp(top);
                    f.place_label(end);
                } else {
                    let i = self.required_reg(f, x);
                    let k = f.emit_new(1, |d| Ins::AddK { d, a: i, k: -1 });
                    f.emit(Ins::LineSet { d, i: k, t });
                }
            }
            (B::Reachable, Some(c)) => {
                let (m, _) = self.map_of(&c.ty, c.span);
                let many = matches!(c.ty, Ty::Set(_) | Ty::List(_));
                let c = if many { self.set_reg(f, c, u) } else { self.required_reg(f, c) };
                let n = match args.get(1) {
                    Some(n) => self.expr_reg(f, n),
                    None => f.load_number(NONE),
                };
                let s = self.set_reg_or_all(f, optional_arg(args, 2), u);
                f.emit(if many { Ins::Flood { d, a: c, n, s, m } } else { Ins::Reach { d, c, n, s, m } });
            }
            (B::CostReachable, Some(_)) => self.cost_search_into(f, args, e, d),
            (B::Ray, Some(c)) => {
                let (m, _) = self.map_of(&c.ty, c.span);
                let nowhere = f.new_label();
                let c = self.space_or_empty(f, c, w, d, nowhere);
                let r = self.required_reg(f, &args[1]);
                let (through, most) = (optional_arg(args, 2), optional_arg(args, 3));
                if through.is_none() && most.is_none() {
                    f.emit(Ins::RaySet { d, c, r, m });
                    f.place_label(nowhere);
                    return;
                }
                let s = self.set_reg_or_all(f, through, u);
                let n = match most {
                    Some(n) => self.required_reg(f, n),
                    None => f.load_number(NONE),
                };
                f.emit(Ins::RayThru { d, c, r, s, n, m });
                f.place_label(nowhere);
            }
            (B::Run, Some(list)) => self.run_into(f, list, (&args[1], &args[2]), u, d),
            (B::DirectionSet(k), _) => {
                let directions = self.directions(k, args.first());
                self.const_set_into(f, &[directions], d);
            }
            _ => self.report_unsupported(e.span, name_of_unsupported(b)),
        }
    }

    /// Emits `run(list, P, until: Q)`: the begin of a list whose members pass P, if the member after it passes Q.
    fn run_into(&mut self, f: &mut FnBuild, list: &Expr, (p, q): (&Expr, &Expr), u: UniverseId, d: R) {
        let w = self.set_words(u);
        if let ExprKind::Builtin(Builtin::Ray, args) = &*list.kind
            && let [c, way, ..] = args.as_slice()
            && optional_arg(args, 2).is_none()
            && optional_arg(args, 3).is_none()
        {
            let (m, _) = self.map_of(&c.ty, c.span);
            let nowhere = f.new_label();
            let c = self.space_or_empty(f, c, w, d, nowhere);
            let r = self.required_reg(f, way);
            let (p, q) = (self.set_reg(f, p, u), self.set_reg(f, q, u));
            f.emit(Ins::RunDir { d, c, r, p, q, m });
            f.place_label(nowhere);
            return;
        }
        let l = self.list_reg(f, list, u);
        let (p, q) = (self.set_reg(f, p, u), self.set_reg(f, q, u));
        let (s, c, t, n, i) = (f.alloc(w), f.alloc(1), f.alloc(1), f.alloc(1), f.load_number(0));
        f.emit(Ins::SZero { d: s, w });
        f.emit(Ins::LLen { d: n, l });
        let (top, stop, open, end) = (f.new_label(), f.new_label(), f.new_label(), f.new_label());
        f.place_label(top);
        f.emit(Ins::Lt { d: t, a: i, b: n });
        f.jz(t, open);
        f.emit(Ins::LGet { d: c, l, i });
        f.emit(Ins::STest { d: t, s: p, i: c, w });
        f.jz(t, stop);
        f.emit(Ins::SIns { d: s, i: c, w });
        f.emit(Ins::AddK { d: i, a: i, k: 1 });
        f.jmp(top);
        f.place_label(stop);
        f.emit(Ins::STest { d: t, s: q, i: c, w });
        f.jnz(t, end);
        f.place_label(open);
        f.emit(Ins::SZero { d: s, w });
        f.place_label(end);
        f.emit(Ins::MovN { d, a: s, n: w });
    }
}

/// An optional argument.
fn optional_arg(args: &[Expr], i: usize) -> Option<&Expr> {
    args.get(i).filter(|a| !matches!(&*a.kind, ExprKind::None))
}

/// The name of a form of a built-in that the engine does not support. No `_`: the compiler asks here where a new one has its code.
fn name_of_unsupported(b: Builtin) -> &'static str {
    use Builtin as B;
    match b {
        B::Lines => "`lines` outside a fold",
        B::Rays => "`rays` outside a fold that works something out of each",
        // Of one register: `builtin_into`.
        B::Count | B::Only | B::SumOf | B::MinOf | B::MaxOf | B::Median | B::Distance | B::CostDistance | B::DirectionOf | B::Mirror | B::Angle | B::TurnOf | B::Opposite | B::RowNumber | B::ColumnNumber | B::Joined | B::Left | B::Opponent | B::TeamOf | B::Team(_) | B::FaceOf | B::Sees | B::DieValue | B::Up | B::OwnerOf | B::At | B::Holder | B::Host | B::InZone | B::Round | B::Turns | B::Turn | B::Held | B::Odd | B::Even | B::KeyOf | B::Index
        // Sets: `builtin_set_into`.
        | B::AsSet | B::Reversed | B::Widened | B::Players | B::Seats | B::Others | B::Clockwise | B::Sides | B::NeighbourPlayers | B::Neighbours | B::Fan | B::Leaps | B::Between | B::Slides | B::LineSpaces | B::RowOf | B::ColumnOf | B::Reachable | B::CostReachable | B::Ray | B::Run | B::DirectionSet(_)
        // Texts and questions: nowhere here.
        | B::Paths | B::NameOf | B::Gather => "what is built in, here",
    }
}
