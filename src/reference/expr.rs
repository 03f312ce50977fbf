//! Expressions (expressions.md): worked out from left to right, each part once, and only what is asked for: `and`, `or`, `if`, `default` and folds leave out what cannot matter.
use super::events::Replaced;
use super::numbers::{Face, Numbers};
use super::value::{Datum, Failure, Result, Stop, fails, known, number, unsupported};
use super::world::{Piece, World};
use crate::model::body::{types, walk};
use crate::model::hir::*;
use crate::program::ir::LeaseScope;

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

/// Works out expressions and does statements, in a state of its own.
#[derive(Clone)]
pub struct Evaluator<'a> {
    /// The numbers of the set-up.
    pub n: &'a Numbers<'a>,
    /// The state.
    pub w: World,
    /// Who acts; none where nobody does.
    pub me: Datum,
    /// Open layers: what is changed ends with the innermost one's scope.
    pub(super) open: Vec<(LeaseScope, i32)>,
    /// What the rule that runs gives.
    pub(super) given: Datum,
    /// The pieces of each text that was said.
    pub said: Vec<Vec<Said>>,
    /// What the `instead of` that runs replaces.
    pub(super) replaced: Option<Replaced>,
    /// How deep what happens stands within what happens.
    pub(super) nested: u32,
    /// How deep expressions stand within one another.
    depth: u32,
    /// Expressions worked out for one question, and statements done.
    pub(super) steps: (u64, u32),
}

/// A piece of a text that was said: the expression's type and what it gave. Nothing where the reference does not say what a piece means.
pub type Said = Option<(Ty, Datum)>;

/// So many calls and parts stand within one another at most.
const DEPTH: u32 = 400;
/// So much is worked out for one question at most.
const STEPS: u64 = 3_000_000;

impl<'a> Evaluator<'a> {
    /// For a state.
    pub fn new(n: &'a Numbers<'a>, w: World) -> Evaluator<'a> {
        let (me, given) = (Datum::None, Datum::None);
        let (open, said) = (Vec::new(), Vec::new());
        Evaluator { n, w, me, open, given, said, replaced: None, nested: 0, depth: 0, steps: (0, 0) }
    }

    /// The checked game.
    pub fn m(&self) -> &'a Model {
        self.n.m
    }

    /// What an expression gives, asked for the first time.
    pub fn ask_for(&mut self, e: &Expr, f: &mut Frame) -> Result {
        (self.steps, self.depth) = ((0, 0), 0);
        self.eval(e, f)
    }

    /// What an expression gives. What acts within it acts now.
    pub fn eval(&mut self, e: &Expr, f: &mut Frame) -> Result {
        self.steps.0 += 1;
        if self.steps.0 > STEPS {
            return unsupported("so long a computation");
        }
        if self.depth > DEPTH {
            return fails(Failure::TooDeep);
        }
        self.depth += 1;
        let out = self.eval_kind(e, f);
        self.depth -= 1;
        out
    }

    /// What several expressions give, one after the other.
    pub fn each(&mut self, all: &[Expr], f: &mut Frame) -> Result<Vec<Datum>> {
        all.iter().map(|e| self.eval(e, f)).collect()
    }

    /// What an expression gives that need not be there.
    pub fn maybe(&mut self, e: Option<&Expr>, f: &mut Frame) -> Result<Option<Datum>> {
        e.map(|e| self.eval(e, f)).transpose()
    }

    /// A thing that must be there, or several things.
    pub fn needed(&mut self, e: &Expr, f: &mut Frame) -> Result {
        match self.eval(e, f)? {
            Datum::None => fails(Failure::NoneValue),
            d => Ok(d),
        }
    }

    /// A truth value.
    pub fn truth(&mut self, e: &Expr, f: &mut Frame) -> Result<bool> {
        self.eval(e, f)?.truth()
    }

    /// A number.
    pub fn int(&mut self, e: &Expr, f: &mut Frame) -> Result<i64> {
        self.eval(e, f)?.int()
    }

    /// The things of a set, list, line or zone, in their order; one thing alone is the set of it, none is the empty set.
    pub fn many(&mut self, e: &Expr, f: &mut Frame) -> Result<Vec<Datum>> {
        let d = self.eval(e, f)?;
        self.in_order(&d)
    }

    /// The things of a value in the order in which they are gone through. A list has its own. Things of a set go by their numbers; components that can be mixed up by where they
    /// lie and what they show.
    pub fn in_order(&self, d: &Datum) -> Result<Vec<Datum>> {
        if matches!(d, Datum::Set(_)) { self.as_seen(d.items(), None) } else { Ok(d.items()) }
    }

    /// Things by their numbers; components that can be mixed up by what these seats (bits) see of them, or by all that there is to see.
    pub fn as_seen(&self, all: Vec<Datum>, seats: Option<u32>) -> Result<Vec<Datum>> {
        let mut keyed = Vec::new();
        for x in all {
            let mixed = self.n.component(&x).is_ok_and(|(k, _)| self.n.families[k].mixed);
            keyed.push((if mixed { self.looks(&x, seats)? } else { Vec::new() }, x));
        }
        keyed.sort();
        Ok(keyed.into_iter().map(|(_, x)| x).collect())
    }

    /// What can be seen of a component: where it lies, and at which place there, how it looks from behind, which way up and whose it is, what is on its back; and, unless one of the
    /// given seats does not know its face, what it shows and what else it has.
    fn looks(&self, x: &Datum, seats: Option<u32>) -> Result<Vec<i64>> {
        let (piece, (k, c)) = (self.w.piece(self.n, x)?, self.n.component(x)?);
        let (place, zone) = self.n.at(piece.place);
        let sorted = place.seq != u32::MAX && !zone.is_some_and(|z| z.slot);
        let lying = &self.w.lying[piece.place as usize];
        let at = if sorted { lying.iter().position(|x| *x == c).unwrap_or(0) } else { 0 };
        let known = self.w.is_known(seats.unwrap_or(0), k, c);
        let family = &self.n.families[k];
        let back = family.backs.get(piece.face as usize).copied().unwrap_or(0);
        let owner = family.owners.get(c as usize).copied().unwrap_or(0);
        let mut key = vec![i64::from(piece.place), at as i64, i64::from(!known), i64::from(back)];
        key.extend([i64::from(piece.up), i64::from(owner)]);
        key.extend(self.own_numbers(k, c, Some(true)));
        if known {
            key.extend([i64::from(piece.face), i64::from(piece.side)]);
            key.extend(self.own_numbers(k, c, Some(false)));
        }
        Ok(key)
    }

    /// What a component has of its own, as numbers: on its back, or not, or all.
    pub fn own_numbers(&self, kind: usize, c: u32, back: Option<bool>) -> Vec<i64> {
        let slots = self.n.p.comps[kind].attrs.iter().map(|s| s.index());
        let of = slots.filter(|s| back.is_none_or(|b| self.n.p.attrs[*s].back == b));
        of.map(|s| match self.n.attr_in(s).and_then(|id| self.w.attrs.get(&(id, c))) {
            Some(Datum::Int(n)) => *n,
            Some(Datum::Thing(_, n)) => i64::from(*n),
            Some(Datum::Bool(b)) => i64::from(*b),
            Some(_) => i64::MIN,
            // What is taken once has been used, or not.
            None => i64::from(self.w.used.contains(&(self.n.slot_span(s), c))),
        })
        .collect()
    }

    #[allow(clippy::too_many_lines)] // One arm a form of the language.
    fn eval_kind(&mut self, e: &Expr, f: &mut Frame) -> Result {
        use ExprKind as K;
        Ok(match &*e.kind {
            K::Int(n) => Datum::Int(i64::from(*n)),
            K::Bool(b) => Datum::Bool(*b),
            K::None => Datum::None,
            K::Local(l) => return f.get(*l),
            K::Member(m) => return self.member(*m),
            K::Face(m, key) => {
                let key = self.key(key.as_ref(), f)?;
                return self.face(*m, key);
            }
            K::Component(m, key) => {
                let key = self.key(key.as_ref(), f)?;
                return self.component(*m, key);
            }
            K::Space(map, column, row) => {
                let u = *known(self.n.maps.get(map), "a map that this set-up does not have")?;
                let c = self.board(u)?.space((*column as i32, *row as i32));
                Datum::Thing(u, known(c, "a space that is not on the map")?)
            }
            K::Line(k, n) => return self.n.thing(*k, *n),
            K::Direction(d) => return self.n.thing(builtin_kinds::DIRECTION, u32::from(*d)),
            K::All(k) => return self.all_of(*k),
            K::Faces(k) => return self.faces(*k),
            K::Option(o) => return self.option(*o, &e.ty),
            K::VariantOn(s) => Datum::Bool(self.n.set.has(*s)),
            K::Attr(x, a) => return self.attribute_of(x, *a, f),
            K::TableAttr(a) => return self.attribute(*a, &Datum::None),
            K::Zone(of, z, index) => return self.zone(of.as_ref(), *z, index.as_ref(), f),
            K::PlaceOf(of, z, index) => return self.place_of(of.as_ref(), *z, index.as_ref(), f),
            K::Box(k) => return self.in_the_box(*k, &e.ty),
            K::Value(v, args) => {
                let args = self.each(args, f)?;
                let below = f.below.filter(|(of, _)| of == v).map(|(_, upto)| upto);
                return self.value(*v, args, below);
            }
            K::Builtin(b, args) => return self.builtin(*b, args, e, f),
            K::Where(from, l, test) => {
                let d = self.eval(from, f)?;
                let mut out = Vec::new();
                for x in self.in_order(&d)? {
                    f.bind(*l, x.clone());
                    if self.truth(test, f)? {
                        out.push(x);
                    }
                }
                match &e.ty {
                    Ty::Maybe(_) | Ty::Of(_) => out.into_iter().next().unwrap_or(Datum::None),
                    _ => d.like(out),
                }
            }
            K::Filter(k, l, test) => {
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
            K::Fold(fold) => return self.fold(fold, &e.ty, f),
            K::Not(x) => Datum::Bool(!self.truth(x, f)?),
            K::And(a, b) => Datum::Bool(self.truth(a, f)? && self.truth(b, f)?),
            K::Or(a, b) => Datum::Bool(self.truth(a, f)? || self.truth(b, f)?),
            K::If(c, a, b) => return if self.truth(c, f)? { self.eval(a, f) } else { self.eval(b, f) },
            K::Default(a, b) => match self.eval(a, f) {
                Ok(Datum::None) => return self.eval(b, f),
                // What acts may end early; then the second counts.
                Err(Stop::Fails(Failure::NoneValue)) if walk::acts(a) => return self.eval(b, f),
                first => return first,
            },
            K::Let(l, x, body) => {
                let x = self.eval(x, f)?;
                f.bind(*l, x);
                return self.eval(body, f);
            }
            K::Compare(op, a, b) => {
                let (x, y) = (self.eval(a, f)?, self.eval(b, f)?);
                return super::folds::compare(*op, (&x, &a.ty), (&y, &b.ty));
            }
            K::In(x, s) => return self.is_in(x, s, f),
            K::IsSome(x) => Datum::Bool(self.eval(x, f)? != Datum::None),
            K::IsEmpty(x) => Datum::Bool(self.eval(x, f)?.items().is_empty()),
            K::IsKind(x, k) => match self.eval(x, f)? {
                Datum::None => Datum::Bool(false),
                x => Datum::Bool(types::is_a(self.m(), self.face_of(&x)?.1.kind, *k)),
            },
            K::IsFace(x, m, key) => match self.eval(x, f)? {
                Datum::None => Datum::Bool(false),
                x => {
                    let (face, key) = (self.face_of(&x)?.1, self.key(key.as_ref(), f)?);
                    Datum::Bool(face.member == Some(*m) && key.is_none_or(|k| k == i64::from(face.key)))
                }
            },
            K::Arith(op, a, b) => {
                let (x, y) = (self.int(a, f)?, self.int(b, f)?);
                return match op {
                    Arith::Add => number(x + y),
                    Arith::Sub => number(x - y),
                    Arith::Mul => number(x * y),
                    Arith::Div if y == 0 => fails(Failure::DivideByZero),
                    Arith::Div => number(x / y),
                };
            }
            K::Neg(x) => return number(-self.int(x, f)?),
            K::Union(a, b) => self.eval(a, f)?.with(&self.eval(b, f)?),
            K::Without(a, b) => self.eval(a, f)?.without(&self.eval(b, f)?),
            // Written out they stand in an order; as a set each counts once. None and who does not play are in no set.
            K::Set(all) | K::List(all) => {
                let mut out: Vec<Datum> = Vec::new();
                for e in all {
                    out.extend(self.many(e, f)?);
                }
                out.retain(|x| !matches!(x, Datum::None | Datum::Absent));
                match &*e.kind {
                    K::Set(_) => Datum::List(Vec::new()).with(&Datum::List(out)),
                    _ => Datum::List(out),
                }
            }
            K::Range(a, b) => match (self.int(a, f)?, self.int(b, f)?) {
                (a, b) if b - a > 5_000 => return unsupported("so many numbers"),
                (a, b) => Datum::set((a..=b).map(Datum::Int).collect()),
            },
            K::Step(c, d) => match (self.eval(c, f)?, self.eval(d, f)?) {
                (Datum::None, _) => Datum::None,
                (c, d) => {
                    let (u, c) = c.thing()?;
                    let to = self.board(u)?.step(c, d.number()?);
                    to.map_or(Datum::None, |c| Datum::Thing(u, c))
                }
            },
            K::First { n, of, last } => {
                let n = self.maybe(n.as_ref(), f)?;
                let d = self.eval(of, f)?;
                let all = self.in_order(&d)?;
                let Some(n) = n else {
                    return Ok((if *last { all.last() } else { all.first() })
                        .cloned()
                        .unwrap_or(Datum::None));
                };
                let n = usize::try_from(n.int()?.max(0)).unwrap_or(0).min(all.len());
                d.like(if *last { all[all.len() - n..].to_vec() } else { all[..n].to_vec() })
            }
            K::The(s) => match self.eval(s, f)?.to_set().items().as_slice() {
                [one] => one.clone(),
                _ => return fails(Failure::NotOne),
            },
            K::Nth(of, n) => {
                let (all, n) = (self.many(of, f)?, self.int(n, f)?);
                let at = usize::try_from(n - 1).ok();
                at.and_then(|i| all.get(i)).cloned().unwrap_or(Datum::None)
            }
            K::Choose(c) => return self.choose(c, e, f),
            K::Roll(k) => return self.roll_number(*k),
            K::Rule(r, by, args) => return self.call(*r, by.as_ref(), args, f),
            K::CanMenu(p, menu, args) => {
                let (p, args) = (self.eval(p, f)?, self.each(args, f)?);
                Datum::Bool(!self.actions_of(*menu, &p, &args, 0)?.is_empty())
            }
            K::CanRule(r, by, args) => {
                let (by, args) = (self.maybe(by.as_ref(), f)?, self.each(args, f)?);
                Datum::Bool(self.can(*r, by.unwrap_or_else(|| self.me.clone()), args)?)
            }
            K::NoAction => Datum::Bool(f.no_action.unwrap_or(false)),
            K::Usual => return known(f.usual.clone(), "`usual` outside of a modification"),
            K::Running(r) => Datum::Bool(self.w.phases.contains(r)),
            K::PhaseNow => self.w.phases.last().map_or(Datum::None, |r| Datum::Phase(r.0)),
            K::Phase(r) => Datum::Phase(r.0),
            K::Text(_) => return unsupported("texts"),
            K::Hook(..) => return unsupported("hooks"),
            K::PositionSeen(..) => return unsupported("positions that have been there"),
            K::Error => return unsupported("what has been reported"),
        })
    }

    // ── Kinds, faces and options ─────────────────────────────────────────────────────────────────────────

    fn key(&mut self, key: Option<&Expr>, f: &mut Frame) -> Result<Option<i64>> {
        key.map(|k| self.int(k, f)).transpose()
    }

    fn member(&self, m: MemberId) -> Result {
        let kind = self.m().members[m.index()].kind;
        match self.n.members.get(&m) {
            Some(n) => self.n.thing(kind, *n),
            None if kind == builtin_kinds::PLAYER => Ok(Datum::Absent),
            None => unsupported("a word that this set-up does not have"),
        }
    }

    fn face(&self, m: MemberId, key: Option<i64>) -> Result {
        known(self.n.face(m, key), "a face that this set-up does not have")
    }

    /// The component that shows a member's face.
    fn component(&self, m: MemberId, key: Option<i64>) -> Result {
        let face = self.face(m, key)?.number()?;
        self.showing(self.n.family(self.m().members[m.index()].kind)?, face)
    }

    /// The component that shows a face.
    fn showing(&self, family: usize, face: u32) -> Result {
        let found = self.w.pieces[family].iter().position(|p| p.face == face);
        let universe = self.n.families[family].universe;
        Ok(found.map_or(Datum::None, |c| Datum::Thing(universe, c as u32)))
    }

    /// Those that are of a kind. A component is of the kind of the face that it shows.
    pub fn of_kind(&self, all: Vec<Datum>, k: KindId) -> Vec<Datum> {
        let is = |c: &Datum| self.face_of(c).is_ok_and(|(_, face)| types::is_a(self.m(), face.kind, k));
        if types::is_component(self.m(), k) { all.into_iter().filter(is).collect() } else { all }
    }

    /// All of a kind.
    pub fn all_of(&self, k: KindId) -> Result {
        Ok(Datum::Set(self.of_kind(self.n.all(self.n.universe(k)?), k)))
    }

    fn faces(&self, k: KindId) -> Result {
        let family = &self.n.families[self.n.family(k)?];
        let all = (0..family.faces.len() as u32).map(|n| Datum::Thing(family.face_universe, n));
        Ok(Datum::Set(self.of_kind(all.collect(), k)))
    }

    fn sides_of_kind(&self, k: KindId) -> Result {
        let all: Result<Vec<Datum>> = self.faces(k)?.items().iter().map(|face| self.sides(face)).collect();
        Ok(Datum::set(all?.iter().flat_map(Datum::items).collect()))
    }

    /// The sides of a die, or of a face of dice.
    pub fn sides(&self, x: &Datum) -> Result {
        let ((face, declared), (_, family)) = (self.face_of(x)?, self.n.family_of(x)?);
        let u = known(family.side_universe, "sides of what has none")?;
        let first = face * family.most_sides;
        Ok(Datum::Set((0..declared.sides.len() as u32).map(|s| Datum::Thing(u, first + s)).collect()))
    }

    /// The number and declaration of the face that a component shows, that a side belongs to, or of a face itself.
    pub fn face_of(&self, x: &Datum) -> Result<(u32, &'a Face)> {
        let ((u, c), (k, family)) = (x.thing()?, self.n.family_of(x)?);
        let face = if u == family.face_universe {
            c
        } else if family.side_universe == Some(u) {
            c / family.most_sides
        } else {
            self.w.pieces[k][c as usize].face
        };
        Ok((face, known(self.n.families[k].faces.get(face as usize), "a face that is not there")?))
    }

    /// The side that a die shows as a thing; a side itself.
    pub fn shown_side(&self, x: &Datum) -> Result {
        let ((u, c), (k, family)) = (x.thing()?, self.n.family_of(x)?);
        let side = known(family.side_universe, "sides of what has none")?;
        let of_die = |p: &Piece| Datum::Thing(side, p.face * family.most_sides + p.side);
        Ok(if side == u { x.clone() } else { of_die(&self.w.pieces[k][c as usize]) })
    }

    /// What is declared of the side that a die shows, or of the side itself.
    pub fn side_of(&self, x: &Datum) -> Result<&'a Side> {
        let (shown, (face, declared)) = (self.shown_side(x)?.number()?, self.face_of(x)?);
        let first = face * self.n.family_of(x)?.1.most_sides;
        known(declared.sides.get((shown - first) as usize), "the side of what has none")
    }

    /// What an option of the set-up is.
    fn option(&mut self, o: OptionId, ty: &Ty) -> Result {
        let Some((_, v)) = self.n.set.options.iter().find(|(x, _)| *x == o) else {
            let usual = known(self.m().options[o.index()].default.as_ref(), "an option without a value")?;
            return self.eval(usual, &mut Frame::default());
        };
        Ok(match types::plain(ty) {
            _ if *v == crate::program::ir::NONE => Datum::None,
            Ty::Int(..) => Datum::Int(*v),
            Ty::Bool => Datum::Bool(*v != 0),
            // Of components the option says a face.
            Ty::Of(k) if types::is_component(self.m(), k) => {
                return self.showing(self.n.family(k)?, *v as u32);
            }
            other => Datum::Thing(known(self.n.universe_of(&other), "options of this type")?, *v as u32),
        })
    }

    // ── Attributes ───────────────────────────────────────────────────────────────────────────────────────

    fn attribute_of(&mut self, x: &Expr, a: AttrId, f: &mut Frame) -> Result {
        let x = match &*x.kind {
            // A member's name stands for the one component that shows it, where the attribute is the component's.
            ExprKind::Face(m, key) if self.n.attrs.contains_key(&a) => {
                let key = self.key(key.as_ref(), f)?;
                self.component(*m, key)?
            }
            _ => self.eval(x, f)?,
        };
        x.number()?;
        self.attribute(a, &x)
    }

    /// What a thing, or of none the table, has in an attribute. One that changes belongs to the thing; one that never does is printed: on the side that a die shows, on the face
    /// that a component shows, on a word, a space, a player.
    pub fn attribute(&mut self, a: AttrId, x: &Datum) -> Result {
        let attr = &self.m().attrs[a.index()];
        if attr.side == AttrSide::Side {
            let said = self.side_of(x)?.marks.iter().find(|(id, _)| *id == a).map(|(_, e)| e);
            return match (said.or(attr.default.as_ref().map(|d| &d.body)), &attr.ty) {
                (Some(e), _) => self.eval(e, &mut Frame::default()),
                (None, Ty::Bool) => Ok(Datum::Bool(false)),
                (None, _) => Ok(Datum::None),
            };
        }
        let thing = x.number().unwrap_or(0);
        if self.n.attrs.contains_key(&a) {
            return match self.w.attrs.get(&(a, thing)) {
                Some(d) => Ok(d.clone()),
                None => fails(Failure::NoSuchThing),
            };
        }
        let (member, key) = match attr.of {
            None => (None, 0),
            Some(k) if types::is_component(self.m(), k) => {
                let face = self.face_of(x)?.1;
                (face.member, i64::from(face.key))
            }
            Some(_) if attr.drawn => {
                return known(self.n.printed.get(&(a, thing)).cloned(), "what is drawn on a map");
            }
            Some(k) => {
                let kinds = types::line_of(self.m(), k);
                let mut members = kinds.iter().flat_map(|k| &self.m().kinds[k.index()].members).copied();
                (members.find(|m| self.n.members.get(m) == Some(&thing)), i64::from(thing))
            }
        };
        let set = member.and_then(|m| self.m().members[m.index()].sets.iter().find(|(x, _)| *x == a));
        match (set, &attr.default) {
            (Some((_, body)), _) => self.eval(&body.body, &mut Frame::of(vec![Datum::Int(key)])),
            (None, Some(body)) => self.eval(&body.body, &mut Frame::of(vec![x.clone()])),
            (None, None) => Ok(Datum::None),
        }
    }

    // ── Zones ────────────────────────────────────────────────────────────────────────────────────────────

    /// A zone as a place; none's is none.
    pub fn place_of(&mut self, of: Option<&Expr>, z: ZoneId, index: Option<&Expr>, f: &mut Frame) -> Result {
        let (owner, index) = (self.maybe(of, f)?, self.maybe(index, f)?);
        if owner == Some(Datum::None) || index == Some(Datum::None) {
            return Ok(Datum::None);
        }
        let owner = owner.map(|o| o.number()).transpose()?;
        Ok(Datum::Place(self.n.place(z, owner, index.as_ref())?))
    }

    /// What lies in a zone, the top first; of a zone without an order, as a hand is, the set of it; of a slot the thing, or none.
    fn zone(&mut self, of: Option<&Expr>, z: ZoneId, index: Option<&Expr>, f: &mut Frame) -> Result {
        let slot = self.m().zones[z.index()].slot;
        let Datum::Place(place) = self.place_of(of, z, index, f)? else {
            return Ok(if slot { Datum::None } else { Datum::List(Vec::new()) });
        };
        let all = self.lying_at(place);
        Ok(match (slot, self.n.at(place).0.seq != u32::MAX) {
            (true, _) => all.into_iter().next().unwrap_or(Datum::None),
            (false, true) => Datum::List(all),
            (false, false) => Datum::set(all),
        })
    }

    /// What lies at a place, the top first.
    pub fn lying_at(&self, place: u32) -> Vec<Datum> {
        let family = &self.n.families[usize::from(self.n.at(place).0.comps)];
        self.w.lying[place as usize].iter().map(|c| Datum::Thing(family.universe, *c)).collect()
    }

    /// The things of a kind that lie in the box; or the box as a place.
    fn in_the_box(&self, k: KindId, ty: &Ty) -> Result {
        let boxed = self.n.families[self.n.family(k)?].boxed;
        let all = || Datum::set(self.of_kind(self.lying_at(boxed), k));
        Ok(if *ty == Ty::Place { Datum::Place(boxed) } else { all() })
    }

    /// Where a component lies.
    pub fn lies_at(&self, c: &Datum) -> Result<u32> {
        Ok(self.w.piece(self.n, c)?.place)
    }
}
