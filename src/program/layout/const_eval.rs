//! Constant evaluation on the checked tree, for one set-up: numbers of copies, start values, options.
use crate::ir::*;
use crate::layout::tables::{Home, Layout, Tables};
use houserule_model::body::{build, types};
use houserule_model::hir::*;

/// A constant, as a register holds it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Const {
    /// A number, thing, truth value or none.
    Int(i64),
    /// Not constant.
    Unknown,
}

impl Const {
    /// The number, if it is constant.
    pub fn int(self) -> Option<i64> {
        match self {
            Const::Int(n) => Some(n),
            Const::Unknown => None,
        }
    }
}

/// Added to a face: a component of which only the face is known. No thing has so large a number.
pub const OF_FACE: i64 = 1 << 40;

impl Layout<'_> {
    /// Whether a type is a kind of components, or may be none beside.
    pub fn is_component_type(&self, ty: &Ty) -> bool {
        matches!(types::plain(ty), Ty::Of(k) if types::is_component(self.m, k))
    }
}

impl Tables<'_> {
    /// The constant value of an expression in this set-up.
    pub fn constant(&mut self, e: &Expr) -> Const {
        self.constant_with(e, &[])
    }

    /// The same with known names.
    pub fn constant_with(&mut self, e: &Expr, names: &[(LocalId, i64)]) -> Const {
        self.eval(e, names).map_or(Const::Unknown, Const::Int)
    }

    /// The number of the face that an option names, for options whose values are components; [`NONE`] if the option is none.
    pub fn option_face(&mut self, o: OptionId) -> Option<i64> {
        if let Some((_, v)) = self.set.options.iter().find(|(x, _)| *x == o) {
            return Some(*v);
        }
        let default = self.m.options.get(o.index())?.default.as_ref()?;
        match &*default.kind {
            ExprKind::Component(m, key) => {
                let kind = ExprKind::Face(*m, key.clone());
                self.eval(&build::expr(default.ty.clone(), default.span, kind), &[])
            }
            ExprKind::None => Some(NONE),
            ExprKind::Option(other) if *other != o => self.option_face(*other),
            _ => None,
        }
    }

    /// The component that an expression names before anything has moved: the first that shows the face.
    pub fn component_at_start(&mut self, e: &Expr, names: &[(LocalId, i64)]) -> Option<i64> {
        if !self.is_component_type(&e.ty) {
            return None;
        }
        let face = match &*e.kind {
            ExprKind::Component(m, key) => {
                let kind = ExprKind::Face(*m, key.clone());
                self.eval(&build::expr(e.ty.clone(), e.span, kind), names)?
            }
            ExprKind::Option(o) => self.option_face(*o)?,
            ExprKind::If(c, a, b) => {
                let holds = self.eval(c, names)? != 0;
                return self.component_at_start(if holds { a } else { b }, names);
            }
            _ => return None,
        };
        if face == NONE {
            return Some(NONE);
        }
        let comps = self.p.comps.get(self.comps_of_type(&e.ty)? as usize)?;
        comps.initial.iter().position(|f| i64::from(*f) == face).map(|i| i as i64)
    }

    fn eval(&mut self, e: &Expr, names: &[(LocalId, i64)]) -> Option<i64> {
        Some(match &*e.kind {
            ExprKind::Int(n) => i64::from(*n),
            ExprKind::Bool(b) => i64::from(*b),
            ExprKind::None => NONE,
            ExprKind::Direction(d) => i64::from(*d),
            ExprKind::Phase(r) => i64::from(self.phase_ix.get(r)?.0),
            ExprKind::Member(m) => match self.member_no.get(m) {
                Some(n) => i64::from(*n),
                // Of named players only those play for whom seats answer.
                None if self.m.named_players().any(|p| p == *m) => ABSENT,
                None => return None,
            },
            ExprKind::Face(m, key) => {
                let (first, least, keys) = *self.faces_of.get(m)?;
                let key = match key {
                    Some(k) => self.eval(k, names)? - i64::from(least),
                    None => 0,
                };
                (0..i64::from(keys)).contains(&key).then_some(i64::from(first) + key)?
            }
            ExprKind::Space(map, c, r) => self.space_at(*map, *c, *r)? as i64,
            ExprKind::Line(k, n) => {
                let all = self.things_in(*self.kind_uni.get(k)?);
                (*n < all).then_some(i64::from(*n))?
            }
            ExprKind::Local(l) => names.iter().find(|(x, _)| x == l)?.1,
            // The component that shows a face is not constant: faces may change.
            ExprKind::Option(_) if self.is_component_type(&e.ty) => return None,
            ExprKind::Option(o) => match self.set.options.iter().find(|(x, _)| x == o) {
                Some((_, v)) => *v,
                None => {
                    let m = self.m;
                    self.eval(m.options.get(o.index())?.default.as_ref()?, &[])?
                }
            },
            ExprKind::VariantOn(s) => i64::from(self.set.has(*s)),
            ExprKind::Builtin(Builtin::DieValue, args) => {
                let x = args.first()?;
                let n = self.eval(x, names)?;
                self.printed_value(&x.ty, n, None)?
            }
            ExprKind::Builtin(Builtin::FaceOf, args) => {
                let x = args.first()?;
                let n = self.eval(x, names)?;
                self.printed_face(&x.ty, n)?
            }
            ExprKind::Builtin(
                b @ (Builtin::Mirror
                | Builtin::Angle
                | Builtin::TurnOf
                | Builtin::Opposite
                | Builtin::RowNumber
                | Builtin::ColumnNumber),
                args,
            ) => {
                let numbers = args.iter().filter(|a| !matches!(&*a.kind, ExprKind::All(_)));
                let at: Option<Vec<i64>> = numbers.map(|a| self.eval(a, names)).collect();
                self.constant_of_map(*b, args, &at?)?
            }
            ExprKind::Builtin(Builtin::Held, args) => {
                let n = self.eval(args.first()?, names)?;
                types::bounds(&e.ty)
                    .filter(|(lo, hi)| n == NONE || (i64::from(*lo)..=i64::from(*hi)).contains(&n))?;
                n
            }
            ExprKind::Builtin(b @ (Builtin::Odd | Builtin::Even), args) => {
                let n = self.eval(args.first()?, names)?;
                i64::from((n.rem_euclid(2) == 1) == (*b == Builtin::Odd))
            }
            ExprKind::Attr(x, a) if matches!(types::plain(&x.ty), Ty::Face(_) | Ty::Side(_)) => {
                let n = self.eval(x, names)?;
                self.printed_value(&x.ty, n, Some(*a))?
            }
            ExprKind::IsFace(x, m, key) if matches!(types::plain(&x.ty), Ty::Face(_) | Ty::Side(_)) => {
                let n = self.eval(x, names)?;
                let face = self.printed_face(&x.ty, n)?;
                let (first, least, keys) = *self.faces_of.get(m)?;
                let at = face - i64::from(first);
                i64::from(match key {
                    Some(k) => self.eval(k, names)? - i64::from(least) == at,
                    None => (0..i64::from(keys)).contains(&at),
                })
            }
            ExprKind::IsKind(x, k) if matches!(types::plain(&x.ty), Ty::Face(_) | Ty::Side(_)) => {
                let n = self.eval(x, names)?;
                let face = usize::try_from(self.printed_face(&x.ty, n)?).ok()?;
                let comps = self.comps_of_type(&x.ty)?;
                let kind = *self.face_kinds.get(comps as usize)?.get(face)?;
                i64::from(types::is_a(self.m, kind, *k))
            }
            // A component that is named by its face: the printed value.
            ExprKind::Attr(x, a)
                if let Some(Home::Table(t)) = self.homes.get(a).copied()
                    && self.is_component_type(&x.ty) =>
            {
                let face = usize::try_from(self.eval(x, names)?.checked_sub(OF_FACE)?).ok()?;
                i64::from(*self.p.tables.get(t.index())?.values.get(face)?)
            }
            // A constant attribute of a thing that is no component.
            ExprKind::Attr(x, a) if let Some(Home::Table(t)) = self.homes.get(a).copied() => {
                let table = self.p.tables.get(t.index())?;
                let sort = self.p.universes.get(table.universe.index()).map(|u| &u.sort);
                if matches!(sort, Some(UniverseSort::Faces(_))) {
                    return None;
                }
                let thing = usize::try_from(self.eval(x, names)?).ok()?;
                i64::from(*self.p.tables.get(t.index())?.values.get(thing)?)
            }
            ExprKind::IsSome(x) => i64::from(self.eval(x, names)? != NONE),
            // A value without attachments.
            ExprKind::Value(v, args) if !names.is_empty() || args.is_empty() && !self.opts.cover => {
                let plain = self.plain_value(*v)?;
                let (params, body) = &*plain;
                let inner = self.arguments(*params, args, names)?;
                self.eval(body, &inner)?
            }
            ExprKind::Fold(f) if !names.is_empty() && !f.bodies.is_empty() => {
                let (FoldOp::Any | FoldOp::Every | FoldOp::No | FoldOp::Count) = f.op else { return None };
                // Written numbers are enumerated one by one.
                if self.is_listed(&f.over) {
                    return None;
                }
                let u = self.uni_of_set(&f.over)?;
                let all = self.constant_set(&f.over, u, names)?;
                let lo = i64::from(self.least_of(u));
                let mut n = 0;
                let mut fails = 0;
                let mut inner = [&[(f.var, 0)], names].concat();
                for i in (0..all.len() * 64).filter(|i| all[i / 64] >> (i % 64) & 1 == 1) {
                    inner[0].1 = i as i64 + lo;
                    if let Some(c) = &f.cond
                        && self.eval(c, &inner)? == 0
                    {
                        continue;
                    }
                    let mut holds = true;
                    for b in &f.bodies {
                        holds &= self.eval(b, &inner)? != 0;
                    }
                    n += i64::from(holds);
                    fails += i64::from(!holds);
                }
                match f.op {
                    FoldOp::Any => i64::from(n > 0),
                    FoldOp::No => i64::from(n == 0),
                    FoldOp::Every => i64::from(fails == 0),
                    _ => n,
                }
            }
            ExprKind::Builtin(Builtin::Count, args) => match args.first().map(|a| &*a.kind) {
                Some(ExprKind::Builtin(Builtin::Players, _)) => i64::from(self.set.playing().count_ones()),
                Some(ExprKind::Builtin(Builtin::Seats, _)) => i64::from(self.set.seats),
                _ => self.words_of(args.first()?, names)?.iter().map(|x| i64::from(x.count_ones())).sum(),
            },
            ExprKind::IsEmpty(x) => i64::from(self.words_of(x, names)?.iter().all(|x| *x == 0)),
            ExprKind::Fold(f) if f.op == FoldOp::Count && f.cond.is_none() && f.bodies.is_empty() => {
                match &*f.over.kind {
                    ExprKind::Builtin(Builtin::Players, _) => i64::from(self.set.playing().count_ones()),
                    ExprKind::Builtin(Builtin::Seats, _) => i64::from(self.set.seats),
                    _ => return None,
                }
            }
            ExprKind::First { n: None, of, last } => match &*of.kind {
                ExprKind::Builtin(Builtin::Players, _) if *last => {
                    63 - i64::from(self.set.playing().leading_zeros())
                }
                ExprKind::Builtin(Builtin::Players, _) => 0,
                _ => return None,
            },
            ExprKind::Nth(of, n) => {
                let all = match &*of.kind {
                    ExprKind::Builtin(Builtin::Players, _) => self.set.playing(),
                    ExprKind::All(k) => {
                        // The spaces of a line are numbered from 0.
                        types::line_length(self.m, *k)?;
                        let length = i64::from(self.things_in(*self.kind_uni.get(k)?));
                        let n = self.eval(n, names)?;
                        return Some(if (1..=length).contains(&n) { n - 1 } else { NONE });
                    }
                    _ => return None,
                };
                let Ok(i) = usize::try_from(self.eval(n, names)? - 1) else { return Some(NONE) };
                (0..64i64).filter(|p| all >> p & 1 == 1).nth(i).unwrap_or(NONE)
            }
            ExprKind::Builtin(Builtin::AsSet | Builtin::Widened, _) => return None,
            ExprKind::Not(a) => i64::from(self.eval(a, names)? == 0),
            ExprKind::Neg(a) => -self.eval(a, names)?,
            ExprKind::And(a, b) => i64::from(self.eval(a, names)? != 0 && self.eval(b, names)? != 0),
            ExprKind::Or(a, b) => i64::from(self.eval(a, names)? != 0 || self.eval(b, names)? != 0),
            ExprKind::If(c, a, b) => {
                if self.eval(c, names)? != 0 {
                    self.eval(a, names)?
                } else {
                    self.eval(b, names)?
                }
            }
            ExprKind::Let(l, x, body) => {
                let x = self.eval(x, names)?;
                let inner = [&[(*l, x)], names].concat();
                self.eval(body, &inner)?
            }
            ExprKind::In(x, range) => {
                let x = self.eval(x, names)?;
                match &*range.kind {
                    ExprKind::Range(a, b) => {
                        i64::from(self.eval(a, names)? <= x && x <= self.eval(b, names)?)
                    }
                    ExprKind::Set(all) | ExprKind::List(all) => {
                        let mut found = false;
                        for y in all {
                            if matches!(y.ty, Ty::Set(_) | Ty::List(_)) {
                                return None;
                            }
                            found |= self.eval(y, names)? == x;
                        }
                        i64::from(found)
                    }
                    _ => {
                        let lo = i64::from(self.uni_of_set(range).map_or(0, |u| self.least_of(u)));
                        let all = self.words_of(range, names)?;
                        let i = usize::try_from(x - lo).unwrap_or(usize::MAX);
                        i64::from(all.get(i / 64).is_some_and(|word| word >> (i % 64) & 1 == 1))
                    }
                }
            }
            ExprKind::Default(a, b) => match self.eval(a, names)? {
                NONE => self.eval(b, names)?,
                x => x,
            },
            ExprKind::Arith(op, a, b) => {
                let (a, b) = (self.eval(a, names)?, self.eval(b, names)?);
                match op {
                    Arith::Add => a.checked_add(b)?,
                    Arith::Sub => a.checked_sub(b)?,
                    Arith::Mul => a.checked_mul(b)?,
                    Arith::Div => a.checked_div(b)?,
                    Arith::Mod => a.checked_rem_euclid(b)?,
                }
            }
            ExprKind::Compare(op, a, b) => {
                let (a, b) = (self.eval(a, names)?, self.eval(b, names)?);
                if a >= OF_FACE || b >= OF_FACE {
                    return None;
                }
                // None has no place in an order: the comparison is left to the engine.
                if op.is_order() && (a == NONE || b == NONE) {
                    return None;
                }
                i64::from(op.holds(a, b))
            }
            _ => return None,
        })
    }

    fn uni_of_set(&mut self, e: &Expr) -> Option<UniverseId> {
        if !matches!(e.ty, Ty::Set(_)) {
            return None;
        }
        let errors = self.errors.len();
        let u = self.uni_of(e);
        let fails = self.errors.len() > errors;
        self.errors.truncate(errors);
        (!fails).then_some(u)
    }

    /// The words of a set that depends on known names.
    fn words_of(&mut self, e: &Expr, names: &[(LocalId, i64)]) -> Option<Vec<u64>> {
        if names.is_empty() || self.is_listed(e) {
            return None;
        }
        let u = self.uni_of_set(e)?;
        self.constant_set(e, u, names)
    }

    /// The arguments of a value, if all are constant.
    pub fn arguments(
        &mut self,
        params: usize,
        args: &[Expr],
        names: &[(LocalId, i64)],
    ) -> Option<Vec<(LocalId, i64)>> {
        // An argument that is not constant must not be read.
        let one = |(i, a): (usize, &Expr)| Some((LocalId(i as u32), self.eval(a, names)?));
        (args.len() >= params).then(|| args.iter().take(params).enumerate().filter_map(one).collect())
    }

    /// A value of one thing that reads nothing that changes, as fixed planes: for each thing, the set. `None` if it is another kind of value.
    pub fn planes_of_value(&mut self, v: ValueId, u: UniverseId) -> Option<GroupIx> {
        if let Some(known) = self.value_groups.get(&(v, u)) {
            return *known;
        }
        // While it is computed it has no group, so that recursion ends.
        self.value_groups.insert((v, u), None);
        let made = self.tabulate_value(v, u);
        self.value_groups.insert((v, u), made);
        made
    }

    fn tabulate_value(&mut self, v: ValueId, u: UniverseId) -> Option<GroupIx> {
        let plain = self.plain_value(v)?;
        let (params, body) = &*plain;
        let param = self.m.values.get(v.index())?.body.locals.first()?.ty.clone();
        let Ty::Of(k) = types::plain(&param) else { return None };
        if *params != 1 || types::is_component(self.m, k) || k == builtin_kinds::PLAYER {
            return None;
        }
        let of = *self.kind_uni.get(&k)?;
        let (n, w) = (self.things_in(of), self.set_words(u) as usize);
        if !(1..=512).contains(&n) || self.least_of(of) != 0 {
            return None;
        }
        let mut words = Vec::with_capacity((n as usize + 1) * w);
        for i in 0..n {
            words.extend(self.constant_set(body, u, &[(LocalId(0), i64::from(i))])?);
        }
        // There is no row for none: the value for none must be the empty set, too.
        if types::is_maybe(&param)
            && self.constant_set(body, u, &[(LocalId(0), NONE)])?.iter().any(|x| *x != 0)
        {
            return None;
        }
        words.extend(std::iter::repeat_n(0, w));
        let at = self.p.sets.len() as u32;
        self.p.sets.extend_from_slice(&words);
        let n = u16::try_from(n).ok()?;
        let group =
            PlaneGroup { universe: u, at, fixed: true, ordered: false, lo: 0, n, w: u8::try_from(w).ok()? };
        self.p.groups.push(group);
        Some(GroupIx(u16::try_from(self.p.groups.len() - 1).ok()?))
    }
}
