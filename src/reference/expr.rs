//! Expressions (expressions.md): worked out from left to right, each part once, and only what is asked for: `and`, `or`, `if`, `default` and folds leave out what cannot matter.
use super::numbers::{Face, Numbers};
use super::value::{Datum, Failure, Result, Stop, fails, number, unsupported, within};
use super::world::World;
use crate::model::body::types;
use crate::model::hir::*;
use std::cell::Cell;

/// The names of a body while it is worked out.
#[derive(Clone, Default)]
pub struct Frame {
    /// What each name holds; a `let` that failed fails where it is asked for.
    pub locals: Vec<Option<Result>>,
    /// `usual`: the value below.
    pub usual: Option<Datum>,
    /// The value that is being modified, and by how many modifications it is below.
    pub below: Option<(ValueId, usize)>,
    /// `no action`: whether nothing is on offer.
    pub no_action: Option<bool>,
}

impl Frame {
    /// A frame whose first names hold these.
    pub fn of(values: Vec<Datum>) -> Frame {
        Frame { locals: values.into_iter().map(|v| Some(Ok(v))).collect(), ..Frame::default() }
    }

    /// Gives a name a value.
    pub fn bind(&mut self, l: LocalId, v: Datum) {
        self.bind_result(l, Ok(v));
    }

    /// Gives a name a value, or the reason why it has none.
    pub fn bind_result(&mut self, l: LocalId, v: Result) {
        // Names that no body has are numbered from the top.
        let i = l.index().min(1 << 16);
        if self.locals.len() <= i {
            self.locals.resize(i + 1, None);
        }
        self.locals[i] = Some(v);
    }

    /// What a name holds.
    pub fn get(&self, l: LocalId) -> Result {
        match self.locals.get(l.index().min(1 << 16)) {
            Some(Some(v)) => v.clone(),
            _ => unsupported("a name that holds nothing here"),
        }
    }
}

/// Works out expressions in one state.
pub struct Evaluator<'a> {
    /// The numbers of the set-up.
    pub n: &'a Numbers<'a>,
    /// The state.
    pub w: &'a World,
    depth: Cell<u32>,
    steps: Cell<u64>,
}

/// So many calls and parts stand within one another at most.
const DEPTH: u32 = 400;
/// So much is worked out for one question at most.
const STEPS: u64 = 3_000_000;

impl<'a> Evaluator<'a> {
    /// For one state.
    pub fn new(n: &'a Numbers<'a>, w: &'a World) -> Evaluator<'a> {
        Evaluator { n, w, depth: Cell::new(0), steps: Cell::new(0) }
    }

    /// The checked game.
    pub fn m(&self) -> &'a Model {
        self.n.m
    }

    /// What an expression gives.
    pub fn eval(&self, e: &Expr, f: &mut Frame) -> Result {
        self.steps.set(self.steps.get() + 1);
        if self.steps.get() > STEPS {
            return unsupported("so long a computation");
        }
        if self.depth.get() > DEPTH {
            return fails(Failure::TooDeep);
        }
        self.depth.set(self.depth.get() + 1);
        let out = self.eval_kind(e, f);
        self.depth.set(self.depth.get() - 1);
        out
    }

    /// A truth value.
    pub fn truth(&self, e: &Expr, f: &mut Frame) -> Result<bool> {
        self.eval(e, f)?.truth()
    }

    /// The things of a set, list, line or zone, in their order; one thing alone is the set of it, none is the empty set.
    pub fn many(&self, e: &Expr, f: &mut Frame) -> Result<Vec<Datum>> {
        let d = self.eval(e, f)?;
        self.in_order(&d)
    }

    /// The things of a value in the order in which they are gone through. A list has its own. Things of a set go by their numbers; components that can be mixed up by where they
    /// lie and what they show.
    pub fn in_order(&self, d: &Datum) -> Result<Vec<Datum>> {
        let mut all = d.items();
        let mixed = |x: &Datum| match x {
            Datum::Thing(u, _) => self.n.families.iter().any(|f| f.universe == *u && f.mixed),
            _ => false,
        };
        if matches!(d, Datum::Set(_)) && all.iter().any(mixed) {
            let mut keyed = Vec::new();
            for x in all {
                keyed.push((self.looks(x.thing()?, None)?, x));
            }
            keyed.sort();
            all = keyed.into_iter().map(|(_, x)| x).collect();
        }
        Ok(all)
    }

    /// What can be seen of a component: where it lies, and at which place there, how it looks from behind, which way up and whose it is, what is on its back; and, unless one of the
    /// given seats does not know its face, what it shows and what else it has.
    pub fn looks(&self, c: (u16, u32), seats: Option<u32>) -> Result<Vec<i64>> {
        let piece = self.w.piece(self.n, c)?;
        let (k, family) = self.n.family_of(c.0).ok_or(Stop::Unsupported("what is no component".into()))?;
        let place = &self.n.p.places[piece.place as usize];
        let sorted =
            place.seq != u32::MAX && !self.n.p.zones.get(usize::from(place.zone)).is_some_and(|z| z.slot);
        let lying = &self.w.lying[piece.place as usize];
        let at = if sorted { lying.iter().position(|x| *x == c.1).unwrap_or(0) } else { 0 };
        let known = seats.is_none_or(|seats| {
            (0..32).filter(|s| seats >> s & 1 == 1).all(|s: usize| self.is_known(s, k, c.1))
        });
        let back = family.backs.get(piece.face as usize).copied().unwrap_or(0);
        let owner = family.owners.get(c.1 as usize).copied().unwrap_or(0);
        let mut key = vec![i64::from(piece.place), at as i64, i64::from(!known), i64::from(back)];
        key.extend([i64::from(piece.up), i64::from(owner)]);
        key.extend(self.own_numbers(k, c.1, Some(true)));
        if known {
            key.extend([i64::from(piece.face), i64::from(piece.side)]);
            key.extend(self.own_numbers(k, c.1, Some(false)));
        }
        Ok(key)
    }

    /// Whether a seat knows the face of a component.
    pub fn is_known(&self, seat: usize, kind: usize, c: u32) -> bool {
        self.w.known.get(seat).is_some_and(|all| all.contains(&(kind, c)))
    }

    /// What a component has of its own, as numbers: on its back, or not, or all.
    pub fn own_numbers(&self, kind: usize, c: u32, back: Option<bool>) -> Vec<i64> {
        let slots = self.n.p.comps[kind].attrs.iter().map(|s| (s.index(), &self.n.p.attrs[s.index()]));
        let of = slots.filter(|(_, slot)| back.is_none_or(|b| slot.back == b));
        let number = |(i, slot): (usize, &crate::program::ir::AttrSlot)| {
            let id = self.n.attrs.iter().find(|(_, s)| **s == i).map(|(id, _)| *id);
            match id.and_then(|id| self.w.attrs.get(&(id, c))) {
                Some(Datum::Int(n)) => *n,
                Some(Datum::Thing(_, n)) => i64::from(*n),
                Some(Datum::Bool(b)) => i64::from(*b),
                Some(_) => i64::MIN,
                // What is taken once has been used, or not.
                None => {
                    let span = self.n.p.decls[slot.decl.index()].span;
                    i64::from(self.w.used.contains(&(u32::from(span.file.0), span.start, c)))
                }
            }
        };
        of.map(number).collect()
    }

    #[allow(clippy::too_many_lines)] // One arm a form of the language.
    fn eval_kind(&self, e: &Expr, f: &mut Frame) -> Result {
        Ok(match &*e.kind {
            ExprKind::Int(n) => Datum::Int(i64::from(*n)),
            ExprKind::Bool(b) => Datum::Bool(*b),
            ExprKind::None => Datum::None,
            ExprKind::Text(_) => return unsupported("texts"),
            ExprKind::Member(m) => return self.member(*m),
            ExprKind::Face(m, key) => {
                let key = self.key(key.as_ref(), f)?;
                match self.n.face(*m, key) {
                    Some(face) => face,
                    None => return unsupported("a face that this set-up does not have"),
                }
            }
            ExprKind::Component(m, key) => {
                let key = self.key(key.as_ref(), f)?;
                return self.component(*m, key);
            }
            ExprKind::Space(map, column, row) => {
                let Some(u) = self.n.maps.get(map) else {
                    return unsupported("a map that this set-up does not have");
                };
                match self.n.boards[u].space((*column as i32, *row as i32)) {
                    Some(c) => Datum::Thing(*u, c),
                    None => return unsupported("a space that is not on the map"),
                }
            }
            ExprKind::Line(k, n) => Datum::Thing(self.n.universe(*k)?, *n),
            ExprKind::Direction(d) => Datum::Thing(self.n.universe(builtin_kinds::DIRECTION)?, u32::from(*d)),
            ExprKind::Local(l) => return f.get(*l),
            ExprKind::All(k) => return self.all_of(*k),
            ExprKind::Faces(k) => return self.faces(*k),
            ExprKind::Option(o) => return self.option(*o, &e.ty),
            ExprKind::VariantOn(s) => Datum::Bool(self.n.set.has(*s)),
            ExprKind::Attr(x, a) => return self.attribute_of(x, *a, f),
            ExprKind::TableAttr(a) => return self.attribute(*a, None, 0),
            ExprKind::Zone(of, z, index) => return self.zone(of.as_ref(), *z, index.as_ref(), f),
            ExprKind::PlaceOf(of, z, index) => return self.place(of.as_ref(), *z, index.as_ref(), f),
            ExprKind::Box(k) => return self.in_the_box(*k, &e.ty),
            ExprKind::Value(v, args) => {
                let args: Result<Vec<Datum>> = args.iter().map(|a| self.eval(a, f)).collect();
                let below = f.below.filter(|(of, _)| of == v).map(|(_, upto)| upto);
                return self.value(*v, args?, below);
            }
            ExprKind::Hook(..) => return unsupported("hooks"),
            ExprKind::Builtin(b, args) => return self.builtin(*b, args, e, f),
            ExprKind::Where(from, l, test) => {
                let d = self.eval(from, f)?;
                let mut out = Vec::new();
                for x in self.in_order(&d)? {
                    f.bind(*l, x.clone());
                    if self.truth(test, f)? {
                        out.push(x);
                    }
                }
                match (&d, &e.ty) {
                    (_, Ty::Maybe(_) | Ty::Of(_)) => out.into_iter().next().unwrap_or(Datum::None),
                    (Datum::List(_), _) => Datum::List(out),
                    _ => Datum::set(out),
                }
            }
            ExprKind::Fold(fold) => return self.fold(fold, &e.ty, f),
            ExprKind::Not(x) => Datum::Bool(!self.truth(x, f)?),
            ExprKind::And(a, b) => Datum::Bool(self.truth(a, f)? && self.truth(b, f)?),
            ExprKind::Or(a, b) => Datum::Bool(self.truth(a, f)? || self.truth(b, f)?),
            ExprKind::Compare(op, a, b) => {
                let (x, y) = (self.eval(a, f)?, self.eval(b, f)?);
                return self.compare(*op, (&x, &a.ty), (&y, &b.ty));
            }
            ExprKind::In(x, s) => return self.is_in(x, s, f),
            ExprKind::IsSome(x) => Datum::Bool(self.eval(x, f)? != Datum::None),
            ExprKind::IsEmpty(x) => Datum::Bool(self.eval(x, f)?.items().is_empty()),
            ExprKind::IsKind(x, k) => match self.eval(x, f)? {
                Datum::None => Datum::Bool(false),
                x => Datum::Bool(types::is_a(self.m(), self.face_of(&x)?.1.kind, *k)),
            },
            ExprKind::IsFace(x, m, key) => match self.eval(x, f)? {
                Datum::None => Datum::Bool(false),
                x => {
                    let face = self.face_of(&x)?.1;
                    let key = self.key(key.as_ref(), f)?;
                    Datum::Bool(face.member == Some(*m) && key.is_none_or(|k| k == i64::from(face.key)))
                }
            },
            ExprKind::Arith(op, a, b) => {
                let (x, y) = (self.eval(a, f)?.int()?, self.eval(b, f)?.int()?);
                return match op {
                    Arith::Add => number(x + y),
                    Arith::Sub => number(x - y),
                    Arith::Mul => number(x * y),
                    Arith::Div if y == 0 => fails(Failure::DivideByZero),
                    Arith::Div => number(x / y),
                };
            }
            ExprKind::Neg(x) => return number(-self.eval(x, f)?.int()?),
            ExprKind::Union(a, b) => {
                let (x, y) = (self.eval(a, f)?, self.eval(b, f)?);
                x.with(&y)
            }
            ExprKind::Without(a, b) => {
                let (x, y) = (self.eval(a, f)?, self.eval(b, f)?);
                x.without(&y)
            }
            // Written out they stand in an order; as a set each counts once.
            ExprKind::Set(all) | ExprKind::List(all) => {
                let mut out: Vec<Datum> = Vec::new();
                let once = matches!(&*e.kind, ExprKind::Set(_));
                for x in all {
                    for x in self.many(x, f)? {
                        // None and who does not play are in no set.
                        let again = once && out.contains(&x);
                        if !again && !matches!(x, Datum::None | Datum::Absent) {
                            out.push(x);
                        }
                    }
                }
                Datum::List(out)
            }
            ExprKind::Range(a, b) => {
                let (a, b) = (self.eval(a, f)?.int()?, self.eval(b, f)?.int()?);
                if b - a > 5_000 {
                    return unsupported("so many numbers");
                }
                Datum::set((a..=b).map(Datum::Int).collect())
            }
            ExprKind::If(c, a, b) => {
                return if self.truth(c, f)? { self.eval(a, f) } else { self.eval(b, f) };
            }
            ExprKind::Let(l, x, body) => {
                let x = self.eval(x, f)?;
                f.bind(*l, x);
                return self.eval(body, f);
            }
            ExprKind::Default(a, b) => match self.eval(a, f)? {
                Datum::None => return self.eval(b, f),
                x => x,
            },
            ExprKind::Step(c, d) => match (self.eval(c, f)?, self.eval(d, f)?) {
                (Datum::None, _) => Datum::None,
                (c, d) => {
                    let (u, c) = c.thing()?;
                    let to = self.board(u)?.step(c, d.number()?);
                    to.map_or(Datum::None, |c| Datum::Thing(u, c))
                }
            },
            ExprKind::First { n, of, last } => {
                let n = n.as_ref().map(|n| self.eval(n, f)?.int()).transpose()?;
                let d = self.eval(of, f)?;
                let all = self.in_order(&d)?;
                match n {
                    None => (if *last { all.last() } else { all.first() }).cloned().unwrap_or(Datum::None),
                    Some(n) => {
                        let n = usize::try_from(n.max(0)).unwrap_or(0).min(all.len());
                        let some = if *last { all[all.len() - n..].to_vec() } else { all[..n].to_vec() };
                        if matches!(d, Datum::List(_)) { Datum::List(some) } else { Datum::set(some) }
                    }
                }
            }
            ExprKind::The(s) => match self.eval(s, f)?.to_set().items().as_slice() {
                [one] => one.clone(),
                _ => return fails(Failure::NotOne),
            },
            ExprKind::Nth(of, n) => {
                let (all, n) = (self.many(of, f)?, self.eval(n, f)?.int()?);
                let at = usize::try_from(n - 1).ok();
                at.and_then(|i| all.get(i)).cloned().unwrap_or(Datum::None)
            }
            ExprKind::Choose(_) | ExprKind::Roll(_) | ExprKind::Rule(..) => {
                return unsupported("acts within a value");
            }
            ExprKind::CanMenu(p, menu, args) => {
                let p = self.eval(p, f)?;
                let args: Result<Vec<Datum>> = args.iter().map(|a| self.eval(a, f)).collect();
                Datum::Bool(!self.actions_of(*menu, &p, &args?, 0)?.is_empty())
            }
            ExprKind::CanRule(r, by, args) => {
                let by = by.as_ref().map(|p| self.eval(p, f)).transpose()?;
                let args: Result<Vec<Datum>> = args.iter().map(|a| self.eval(a, f)).collect();
                Datum::Bool(self.can(*r, by, args?)?)
            }
            ExprKind::NoAction => Datum::Bool(f.no_action.unwrap_or(false)),
            ExprKind::Usual => match &f.usual {
                Some(d) => d.clone(),
                None => return unsupported("`usual` outside of a modification"),
            },
            ExprKind::Running(r) => Datum::Bool(self.w.phases.contains(r)),
            ExprKind::PhaseNow => self.w.phases.last().map_or(Datum::None, |r| Datum::Phase(r.0)),
            ExprKind::Phase(r) => Datum::Phase(r.0),
            ExprKind::PositionSeen(..) => return unsupported("positions that have been there"),
            ExprKind::Filter(k, l, test) => {
                let mut passes = Vec::new();
                let all = if types::is_die(self.m(), *k) { self.sides_of_kind(*k)? } else { self.faces(*k)? };
                for x in all.items() {
                    f.bind(*l, x.clone());
                    if self.truth(test, f)? {
                        passes.push(x);
                    }
                }
                Datum::set(passes)
            }
            ExprKind::Error => return unsupported("what has been reported"),
        })
    }

    fn key(&self, key: Option<&Expr>, f: &mut Frame) -> Result<Option<i64>> {
        key.map(|k| self.eval(k, f)?.int()).transpose()
    }

    fn member(&self, m: MemberId) -> Result {
        let kind = self.m().members[m.index()].kind;
        match self.n.members.get(&m) {
            Some(n) => Ok(Datum::Thing(self.n.universe(kind)?, *n)),
            None if kind == builtin_kinds::PLAYER => Ok(Datum::Absent),
            None => unsupported("a word that this set-up does not have"),
        }
    }

    /// The component that shows a face.
    fn component(&self, m: MemberId, key: Option<i64>) -> Result {
        let Some(Datum::Thing(_, face)) = self.n.face(m, key) else {
            return unsupported("a component that this set-up does not have");
        };
        self.showing(self.n.family(self.m().members[m.index()].kind)?, face)
    }

    fn showing(&self, family: usize, face: u32) -> Result {
        let found = self.w.pieces[family].iter().position(|p| p.face == face);
        let universe = self.n.families[family].universe;
        Ok(found.map_or(Datum::None, |c| Datum::Thing(universe, c as u32)))
    }

    /// All of a kind. A component is of the kind of the face that it shows.
    fn all_of(&self, k: KindId) -> Result {
        if !types::is_component(self.m(), k) {
            return Ok(Datum::Set(self.n.all(self.n.universe(k)?)));
        }
        let family = self.n.family(k)?;
        let universe = self.n.families[family].universe;
        let is = |c: &u32| {
            let face = self.w.pieces[family][*c as usize].face;
            types::is_a(self.m(), self.n.families[family].faces[face as usize].kind, k)
        };
        let count = self.w.pieces[family].len() as u32;
        Ok(Datum::Set((0..count).filter(is).map(|c| Datum::Thing(universe, c)).collect()))
    }

    fn faces(&self, k: KindId) -> Result {
        let family = &self.n.families[self.n.family(k)?];
        let of = family.faces.iter().enumerate().filter(|(_, face)| types::is_a(self.m(), face.kind, k));
        Ok(Datum::Set(of.map(|(n, _)| Datum::Thing(family.face_universe, n as u32)).collect()))
    }

    fn sides_of_kind(&self, k: KindId) -> Result {
        let all: Result<Vec<Datum>> = self.faces(k)?.items().iter().map(|face| self.sides(face)).collect();
        Ok(Datum::set(all?.iter().flat_map(Datum::items).collect()))
    }

    /// The sides of a die, or of a face of dice.
    pub fn sides(&self, x: &Datum) -> Result {
        let (face, declared) = self.face_of(x)?;
        let Some((_, family)) = self.n.family_of(x.thing()?.0) else {
            return unsupported("sides of what has none");
        };
        let Some(u) = family.side_universe else { return unsupported("sides of what has none") };
        let first = face * family.most_sides;
        Ok(Datum::Set((0..declared.sides.len() as u32).map(|s| Datum::Thing(u, first + s)).collect()))
    }

    /// The number and declaration of the face that a component shows, that a side belongs to, or of a face itself.
    pub fn face_of(&self, x: &Datum) -> Result<(u32, &Face)> {
        let (u, c) = x.thing()?;
        let Some((k, family)) = self.n.family_of(u) else { return unsupported("the face of what has none") };
        let face = if u == family.face_universe {
            c
        } else if family.side_universe == Some(u) {
            c / family.most_sides
        } else {
            self.w.pieces[k][c as usize].face
        };
        match family.faces.get(face as usize) {
            Some(declared) => Ok((face, declared)),
            None => unsupported("a face that is not there"),
        }
    }

    /// The side that a die shows, or the side itself.
    pub fn side_of(&self, x: &Datum) -> Result<&Side> {
        let (u, c) = x.thing()?;
        let (face, declared) = self.face_of(x)?;
        let Some((k, family)) = self.n.family_of(u) else { return unsupported("sides of what has none") };
        let side = if family.side_universe == Some(u) {
            c - face * family.most_sides
        } else {
            self.w.pieces[k][c as usize].side
        };
        match declared.sides.get(side as usize) {
            Some(side) => Ok(side),
            None => unsupported("the side of what has none"),
        }
    }

    /// What an option of the set-up is.
    fn option(&self, o: OptionId, ty: &Ty) -> Result {
        let Some((_, v)) = self.n.set.options.iter().find(|(x, _)| *x == o) else {
            return match &self.m().options[o.index()].default {
                Some(e) => self.eval(e, &mut Frame::default()),
                None => unsupported("an option without a value"),
            };
        };
        if *v == crate::program::ir::NONE {
            return Ok(Datum::None);
        }
        Ok(match types::plain(ty) {
            Ty::Int(..) => Datum::Int(*v),
            Ty::Bool => Datum::Bool(*v != 0),
            // Of components the option says a face.
            Ty::Of(k) if types::is_component(self.m(), k) => {
                return self.showing(self.n.family(k)?, *v as u32);
            }
            other => match self.n.universe_of(&other) {
                Some(u) => Datum::Thing(u, *v as u32),
                None => return unsupported("options of this type"),
            },
        })
    }

    // ── Attributes ───────────────────────────────────────────────────────────────────────────────────────

    fn attribute_of(&self, x: &Expr, a: AttrId, f: &mut Frame) -> Result {
        // A member's name stands for the one component that shows it, where the attribute is the component's.
        if let (ExprKind::Face(m, key), true) = (&*x.kind, self.n.attrs.contains_key(&a)) {
            let key = self.key(key.as_ref(), f)?;
            let c = self.component(*m, key)?;
            return self.attribute(a, Some(&c), c.number()?);
        }
        let x = self.eval(x, f)?;
        let number = x.number()?;
        self.attribute(a, Some(&x), number)
    }

    /// What a thing has in an attribute. One that changes belongs to the thing; one that never does is printed: on the side that a die shows, on the face that a component shows, on
    /// a word, a space, a player.
    pub fn attribute(&self, a: AttrId, of: Option<&Datum>, thing: u32) -> Result {
        let attr = &self.m().attrs[a.index()];
        if attr.side == AttrSide::Side {
            let Some(x) = of else { return unsupported("sides of the table") };
            let said = self.side_of(x)?.marks.iter().find(|(id, _)| *id == a).map(|(_, e)| e);
            return match (said, &attr.default, &attr.ty) {
                (Some(e), ..) => self.eval(e, &mut Frame::default()),
                (None, Some(d), _) => self.eval(&d.body, &mut Frame::default()),
                (None, None, Ty::Bool) => Ok(Datum::Bool(false)),
                _ => Ok(Datum::None),
            };
        }
        if self.n.attrs.contains_key(&a) {
            return match self.w.attrs.get(&(a, thing)) {
                Some(d) => Ok(d.clone()),
                None => fails(Failure::NoSuchThing),
            };
        }
        let (member, key) = match (of, attr.of) {
            (Some(x), Some(k)) if types::is_component(self.m(), k) => {
                let face = self.face_of(x)?.1;
                (face.member, i64::from(face.key))
            }
            (Some(_), Some(k)) => {
                if attr.drawn {
                    return self.drawn(a, k, thing);
                }
                let kinds = types::line_of(self.m(), k);
                let members = kinds.iter().flat_map(|k| &self.m().kinds[k.index()].members);
                (members.copied().find(|m| self.n.members.get(m) == Some(&thing)), i64::from(thing))
            }
            _ => (None, 0),
        };
        let set = member.and_then(|m| self.m().members[m.index()].sets.iter().find(|(x, _)| *x == a));
        match (set, &attr.default) {
            (Some((_, body)), _) => self.eval(&body.body, &mut Frame::of(vec![Datum::Int(key)])),
            (None, Some(body)) => {
                let this = of.cloned().unwrap_or(Datum::None);
                self.eval(&body.body, &mut Frame::of(vec![this]))
            }
            _ => Ok(Datum::None),
        }
    }

    /// What the signs of a drawn map say of a space, where nothing changes it: printed in the set-up's tables.
    fn drawn(&self, a: AttrId, k: KindId, thing: u32) -> Result {
        let attr = &self.m().attrs[a.index()];
        let universe = self.n.universe(k)?;
        let p = self.n.p;
        let Some(slot) = p.printed.iter().find(|s| s.name == attr.name && s.of.0 == universe) else {
            return unsupported("what is drawn on a map");
        };
        let value = p.tables[slot.table.index()].values.get(thing as usize).copied().unwrap_or(i32::MIN);
        self.n.decode(&[i64::from(value) as u64], slot.show)
    }

    // ── Zones ────────────────────────────────────────────────────────────────────────────────────────────

    /// A zone as a place; none's is none.
    pub fn place(&self, of: Option<&Expr>, z: ZoneId, index: Option<&Expr>, f: &mut Frame) -> Result {
        let owner = of.map(|x| self.eval(x, f)).transpose()?;
        let index = index.map(|x| self.eval(x, f)).transpose()?;
        if owner == Some(Datum::None) || index == Some(Datum::None) {
            return Ok(Datum::None);
        }
        let owner = owner.map(|o| o.number()).transpose()?;
        Ok(Datum::Place(self.n.place(z, owner, index.as_ref())?))
    }

    /// What lies in a zone, the top first; of a zone without an order, as a hand is, the set of it; of a slot the thing, or none.
    fn zone(&self, of: Option<&Expr>, z: ZoneId, index: Option<&Expr>, f: &mut Frame) -> Result {
        let slot = self.m().zones[z.index()].slot;
        let Datum::Place(place) = self.place(of, z, index, f)? else {
            return Ok(if slot { Datum::None } else { Datum::List(Vec::new()) });
        };
        let all = self.lying_at(place);
        let ordered = self.n.p.places[place as usize].seq != u32::MAX;
        Ok(match (slot, ordered) {
            (true, _) => all.into_iter().next().unwrap_or(Datum::None),
            (false, true) => Datum::List(all),
            (false, false) => Datum::set(all),
        })
    }

    /// What lies at a place, the top first.
    pub fn lying_at(&self, place: u32) -> Vec<Datum> {
        let family = &self.n.families[usize::from(self.n.p.places[place as usize].comps)];
        let all = self.w.lying.get(place as usize);
        all.into_iter().flatten().map(|c| Datum::Thing(family.universe, *c)).collect()
    }

    /// The things of a kind that lie in the box; or the box as a place.
    fn in_the_box(&self, k: KindId, ty: &Ty) -> Result {
        let family = &self.n.families[self.n.family(k)?];
        if *ty == Ty::Place {
            return Ok(Datum::Place(family.boxed));
        }
        let all = self.lying_at(family.boxed);
        let is = |c: &Datum| self.face_of(c).is_ok_and(|(_, face)| types::is_a(self.m(), face.kind, k));
        Ok(Datum::set(all.into_iter().filter(is).collect()))
    }

    // ── Comparing ────────────────────────────────────────────────────────────────────────────────────────

    /// Two sets are equal if they hold the same, two lists if they hold the same in the same order. Nothing is more or less than none.
    fn compare(&self, op: Comparison, (x, a): (&Datum, &Ty), (y, b): (&Datum, &Ty)) -> Result {
        let several = |d: &Datum| matches!(d, Datum::Set(_) | Datum::List(_));
        let equal = if several(x) || several(y) {
            let lists = matches!((a, b), (Ty::List(_), Ty::List(_)));
            if lists { x.items() == y.items() } else { x.to_set() == y.to_set() }
        } else {
            x == y
        };
        let order = |is: fn(std::cmp::Ordering) -> bool| match (x, y) {
            (Datum::Int(a), Datum::Int(b)) => Ok(is(a.cmp(b))),
            (Datum::Thing(u, a), Datum::Thing(v, b)) if u == v => Ok(is(a.cmp(b))),
            (Datum::Bool(a), Datum::Bool(b)) => Ok(is(a.cmp(b))),
            (Datum::None, _) | (_, Datum::None) => Ok(false),
            _ => unsupported("an order of these"),
        };
        Ok(Datum::Bool(match op {
            Comparison::Eq => equal,
            Comparison::Ne => !equal,
            Comparison::Lt => order(std::cmp::Ordering::is_lt)?,
            Comparison::Le => order(std::cmp::Ordering::is_le)?,
            Comparison::Gt => order(std::cmp::Ordering::is_gt)?,
            Comparison::Ge => order(std::cmp::Ordering::is_ge)?,
        }))
    }

    /// `x in S`: none is in nothing. In a range it lies between the ends; in a place it lies there; a filter is asked of what it shows.
    fn is_in(&self, x: &Expr, s: &Expr, f: &mut Frame) -> Result {
        let of = x;
        let x = self.eval(x, f)?;
        if let ExprKind::Range(a, b) = &*s.kind {
            let (a, b) = (self.eval(a, f)?.int()?, self.eval(b, f)?.int()?);
            return Ok(Datum::Bool(matches!(x, Datum::Int(n) if a <= n && n <= b)));
        }
        let place = match &*s.kind {
            // Whose box it is, the thing says.
            ExprKind::Box(_) => match types::kinds_of(&of.ty).first() {
                Some(k) => Datum::Place(self.n.families[self.n.family(*k)?].boxed),
                None => return unsupported("the box of this"),
            },
            _ => self.eval(s, f)?,
        };
        if x == Datum::None {
            return Ok(Datum::Bool(false));
        }
        if let Datum::Place(place) = place {
            return Ok(Datum::Bool(self.w.piece(self.n, x.thing()?)?.place == place));
        }
        let x = match &s.ty {
            Ty::Filter(k) if types::is_die(self.m(), *k) => self.shown_side(&x)?,
            Ty::Filter(_) => {
                let Some((_, family)) = self.n.family_of(x.thing()?.0) else {
                    return unsupported("a filter of this");
                };
                Datum::Thing(family.face_universe, self.face_of(&x)?.0)
            }
            _ => x,
        };
        Ok(Datum::Bool(place.items().contains(&x)))
    }

    /// The side that a die shows as a thing.
    fn shown_side(&self, x: &Datum) -> Result {
        let (u, c) = x.thing()?;
        let Some((k, family)) = self.n.family_of(u) else { return unsupported("sides of what has none") };
        match family.side_universe {
            Some(side) if side == u => Ok(x.clone()),
            Some(side) => {
                let piece = &self.w.pieces[k][c as usize];
                Ok(Datum::Thing(side, piece.face * family.most_sides + piece.side))
            }
            None => unsupported("sides of what has none"),
        }
    }

    // ── Folds ────────────────────────────────────────────────────────────────────────────────────────────

    /// What a fold, `count` or `sum` goes through: numbers that are written out one by one, also one that stands there twice.
    pub fn gone_through(&self, over: &Expr, f: &mut Frame) -> Result {
        let mut e = over;
        while let ExprKind::Builtin(Builtin::AsSet, args) = &*e.kind
            && let Some(inner) = args.first()
        {
            e = inner;
        }
        match &*e.kind {
            ExprKind::Set(all) | ExprKind::List(all) if all.iter().all(|x| matches!(x.ty, Ty::Int(..))) => {
                let all: Result<Vec<Datum>> = all.iter().map(|x| self.eval(x, f)).collect();
                Ok(Datum::List(all?))
            }
            _ => self.eval(over, f),
        }
    }

    fn fold(&self, fold: &Fold, ty: &Ty, f: &mut Frame) -> Result {
        let over = self.gone_through(&fold.over, f)?;
        let mut passing = Vec::new();
        for x in self.in_order(&over)? {
            let passes = match &fold.cond {
                Some(c) => {
                    f.bind(fold.var, x.clone());
                    within(self.truth(c, f))?
                }
                None => true,
            };
            if passes {
                passing.push(x);
            }
        }
        let body = fold.bodies.first();
        let of = |x: &Datum, f: &mut Frame| -> Result {
            f.bind(fold.var, x.clone());
            body.map_or(Ok(x.clone()), |b| within(self.eval(b, f)))
        };
        match fold.op {
            FoldOp::Any | FoldOp::No | FoldOp::Every => {
                let sought = fold.op != FoldOp::Every;
                for x in &passing {
                    if (body.is_none() || of(x, f)?.truth()?) == sought {
                        return Ok(Datum::Bool(fold.op == FoldOp::Any));
                    }
                }
                Ok(Datum::Bool(fold.op != FoldOp::Any))
            }
            FoldOp::Count => {
                let mut n = 0;
                for x in &passing {
                    n += i64::from(body.is_none() || of(x, f)?.truth()?);
                }
                Ok(Datum::Int(n))
            }
            FoldOp::Sum => {
                let mut sum = 0;
                for x in &passing {
                    sum += of(x, f)?.int()?;
                    number(sum)?;
                }
                Ok(Datum::Int(sum))
            }
            FoldOp::Min | FoldOp::Max => {
                let mut best: Option<Datum> = None;
                for x in &passing {
                    let y = of(x, f)?;
                    if y != Datum::None && best.as_ref().is_none_or(|b| (y < *b) == (fold.op == FoldOp::Min))
                    {
                        best = Some(y);
                    }
                }
                Ok(best.unwrap_or(Datum::None))
            }
            FoldOp::Union | FoldOp::Collect => {
                let mut all = Vec::new();
                for x in &passing {
                    all.extend(self.in_order(&of(x, f)?)?);
                }
                Ok(if matches!(ty, Ty::List(_)) { Datum::List(all) } else { Datum::set(all) })
            }
            FoldOp::Least | FoldOp::Most => self.best(fold, passing, f),
        }
    }

    /// Those with the highest (lowest) number, the next numbers breaking ties. What has no number is never among them. One thing alone is it, without its number being asked.
    fn best(&self, fold: &Fold, passing: Vec<Datum>, f: &mut Frame) -> Result {
        if passing.len() == 1 && fold.bodies.iter().all(|b| !types::is_maybe(&b.ty)) {
            return Ok(Datum::set(passing));
        }
        let mut best: Option<Vec<Datum>> = None;
        let mut out = Vec::new();
        for x in passing {
            f.bind(fold.var, x.clone());
            let numbers: Result<Vec<Datum>> = fold.bodies.iter().map(|b| within(self.eval(b, f))).collect();
            let numbers = numbers?;
            if numbers.first() == Some(&Datum::None) {
                continue;
            }
            if numbers.contains(&Datum::None) {
                return unsupported("ties that are broken by none");
            }
            let order =
                best.as_ref().map(|b| if fold.op == FoldOp::Most { numbers.cmp(b) } else { b.cmp(&numbers) });
            match order {
                Some(std::cmp::Ordering::Less) => continue,
                Some(std::cmp::Ordering::Equal) => {}
                _ => {
                    out.clear();
                    best = Some(numbers);
                }
            }
            out.push(x);
        }
        Ok(Datum::set(out))
    }
}
