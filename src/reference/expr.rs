//! Expressions (expressions.md): worked out from left to right, each part once, and only what is asked for: `and`, `or`, `if`, `default` and folds leave out what cannot matter.
use super::*;

/// The names of a body while it is worked out.
#[derive(Clone, Default)]
pub struct Frame {
    pub locals: BTreeMap<LocalId, Result>, // What each name holds; a `let` that failed fails where it is asked for.
    pub usual: Option<Datum>,              // `usual`: the value below.
    pub below: Option<(ValueId, usize)>,   // The modified value, and by how many modifications it is below.
    pub no_action: bool,                   // `no action`: whether nothing is on offer.
    pub acted: bool,                       // Whether an action was taken in this turn.
}

impl Frame {
    /// A frame whose first names hold these.
    pub fn of(values: &[Datum]) -> Frame {
        let locals = values.iter().enumerate().map(|(i, v)| (LocalId(i as u32), Ok(v.clone()))).collect();
        Frame { locals, ..Frame::default() }
    }

    /// A frame whose first names are `me` and those of a menu, with what has been picked for parameters.
    pub fn acting(me: &Datum, given: &[Datum], params: &[Param], picked: &[Datum]) -> Frame {
        let mut f = Frame::of(&[std::slice::from_ref(me), given].concat());
        f.locals.extend(params.iter().zip(picked).map(|(p, x)| (p.local, Ok(x.clone()))));
        f
    }

    /// Gives a name a value.
    pub fn bind(&mut self, l: LocalId, v: Datum) {
        self.locals.insert(l, Ok(v));
    }

    /// What a name holds.
    pub fn get(&self, l: LocalId) -> Result {
        self.locals.get(&l).cloned().unwrap_or_else(|| unsupported("a name that holds nothing here"))
    }
}

/// Works out expressions and does statements, in a state of its own.
#[derive(Clone)]
pub struct Evaluator<'a> {
    pub n: &'a Numbers<'a>,                  // The numbers of the set-up.
    pub m: &'a Model,                        // The checked game.
    pub w: World,                            // The state.
    pub me: Datum,                           // Who acts; none where nobody does.
    pub(super) open: Vec<(LeaseScope, i32)>, // Open layers: changes end with the innermost one's scope.
    pub(super) given: Datum,                 // What the rule that runs gives.
    pub said: Vec<Vec<Said>>, // The pieces of each text that was said, and each change of an attribute.
    pub(super) replaced: events::Replaced, // What the `instead of` that runs replaces.
    pub(super) nested: u32,   // How deep what happens stands within what happens.
    depth: u32,               // How deep expressions stand within one another.
    pub answers: VecDeque<Answer>, // What the next questions are answered.
    pub answered: Vec<World>, // The state at each question that was answered.
    pub(super) sets_up: bool, // Whether the game is set up now.
    pub(super) steps: u64,    // Expressions worked out; a statement counts as a hundred.
}

/// An answer to a question.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    Leaves,                      // `done`, or `pass`.
    Takes(ActionId, Vec<Datum>), // An action, with all its arguments.
    Gives(Datum),                // A thing, several things, yes or no.
}

/// A piece of a text that was said.
#[derive(Clone, Debug)]
pub enum Said {
    Words(String),                  // Words.
    Value(Ty, Option<Datum>),       // What an expression of that type gave, if the reference covers it.
    Changed((usize, Datum), Datum), // What stands in a slot of the state has become another.
}

/// So many calls and parts stand within one another at most.
const DEPTH: u32 = 400;
/// So much is worked out at most.
const STEPS: u64 = 3_000_000;

impl<'a> Evaluator<'a> {
    /// For a state.
    pub fn new(n: &'a Numbers<'a>, w: World) -> Evaluator<'a> {
        Evaluator {
            n,
            m: n.m,
            w,
            me: Datum::None,
            open: Vec::new(),
            given: Datum::None,
            said: Vec::new(),
            replaced: None,
            answers: VecDeque::new(),
            answered: Vec::new(),
            nested: 0,
            depth: 0,
            steps: 0,
            sets_up: false,
        }
    }

    /// What an expression gives. What acts within it acts now.
    pub fn eval(&mut self, e: &Expr, f: &mut Frame) -> Result {
        self.steps += 1;
        covers(self.steps <= STEPS, "so long a computation")?;
        ensure(self.depth <= DEPTH, Stop::Fails("values that call each other without end"))?;
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
        self.eval(e, f)?.there().cloned()
    }

    /// A truth value.
    pub fn truth(&mut self, e: &Expr, f: &mut Frame) -> Result<bool> {
        self.eval(e, f)?.truth()
    }

    /// Whether all of some conditions hold; behind the first that does not, none is asked.
    pub fn holds<'e>(&mut self, all: impl IntoIterator<Item = &'e Expr>, f: &mut Frame) -> Result<bool> {
        all.into_iter().try_fold(true, |held, e| Ok(held && self.truth(e, f)?))
    }

    /// A number.
    pub fn int(&mut self, e: &Expr, f: &mut Frame) -> Result<i64> {
        self.eval(e, f)?.int()
    }

    /// A number that need not be said.
    pub fn int_or(&mut self, e: Option<&Expr>, otherwise: i64, f: &mut Frame) -> Result<i64> {
        e.map_or(Ok(otherwise), |e| self.int(e, f))
    }

    /// The things of a set, list, line or zone, in their order; one thing alone is the set of it, none is the empty set.
    pub fn many(&mut self, e: &Expr, f: &mut Frame) -> Result<Vec<Datum>> {
        let d = self.eval(e, f)?;
        self.in_order(&d)
    }

    /// Those for which a condition, if there is one, holds of the name that stands for each.
    pub fn passing(
        &mut self,
        all: Vec<Datum>,
        l: LocalId,
        e: Option<&Expr>,
        f: &mut Frame,
    ) -> Result<Vec<Datum>> {
        keep(all, |x| {
            f.bind(l, x.clone());
            self.holds(e, f)
        })
    }

    /// The things of a value in the order in which they are gone through: of a list its own; of a set by number, or, if they can be mixed up, as they are seen.
    pub fn in_order(&self, d: &Datum) -> Result<Vec<Datum>> {
        if matches!(d, Datum::Set(_)) { self.as_seen(d.items(), 0) } else { Ok(d.items()) }
    }

    /// Things by their numbers; components that can be mixed up by what can be seen of them: where they lie, and at which place there, how they look from behind, which way up and
    /// whose they are, what is on their back; and, unless one of these seats (bits) does not know the face, by what they show and what else they have.
    pub fn as_seen(&self, all: Vec<Datum>, seats: u32) -> Result<Vec<Datum>> {
        let mut keyed = Vec::new();
        for x in all {
            let mut key = None;
            if let Some(piece) = self.w.pieces.get(&x)
                && let comps = self.n.family_of(&x)?.comps
                && comps.mixed
            {
                let ordered = self.place_at(&x)?.slot.is_some_and(|z| z.ordered);
                let at = self.w.lying[piece.place as usize].iter().position(|y| ordered && *y == x);
                let back = comps.backs.get(piece.face as usize);
                let unknown = seats & !piece.known != 0;
                let owner = comps.owners.get(x.number()? as usize);
                let open = (piece.place, at, unknown, back, piece.up, owner, self.own(&x, Some(true))?);
                let hidden = (piece.face, piece.side, self.own(&x, Some(false))?);
                key = Some((open, (!unknown).then_some(hidden)));
            }
            keyed.push((key, x.clone()));
        }
        keyed.sort();
        Ok(keyed.into_iter().map(|(_, x)| x).collect())
    }

    /// What a component has of its own: on its back, or not, or all.
    pub fn own(&self, c: &Datum, back: Option<bool>) -> Result<Vec<Option<&Datum>>> {
        let slots = self.n.family_of(c)?.comps.attrs.iter().map(|s| s.index());
        let of = slots.filter(|s| back.is_none_or(|b| self.n.p.attrs[*s].back == b));
        Ok(of.map(|s| self.w.attrs.get(&(s, c.clone()))).collect())
    }

    #[allow(clippy::too_many_lines)] // One arm a form of the language.
    fn eval_kind(&mut self, e: &Expr, f: &mut Frame) -> Result {
        use ExprKind as K;
        Ok(match &*e.kind {
            K::Int(n) => Datum::Int(i64::from(*n)),
            K::Bool(b) => Datum::Bool(*b),
            K::None => Datum::None,
            K::Local(l) if matches!(e.ty, Ty::Set(_)) => f.get(*l)?.to_set(), // In its kind's order.
            K::Local(l) => return f.get(*l),
            K::Member(m) => match self.n.members.get(m) {
                Some(x) => x.clone(),
                None if self.m.members[m.index()].kind == builtin_kinds::PLAYER => Datum::Absent,
                None => return unsupported("a word that this set-up does not have"),
            },
            K::Face(m, key) | K::Component(m, key) => {
                let key = key.as_ref().map(|k| self.int(k, f)).transpose()?;
                let face = known(self.n.face(*m, key), "a face that this set-up does not have")?;
                if matches!(&*e.kind, K::Face(..)) { face } else { self.showing(&face)? }
            }
            K::Space(map, column, row) => {
                let board = self.board(self.n.universe(self.m.maps[map.index()].space)?)?;
                let at = (*column as i32, *row as i32);
                known(board.spaces.get(&at).cloned(), "a space that is not on the map")?
            }
            K::Line(k, n) => return self.n.thing(*k, *n),
            K::Direction(d) => return self.n.thing(builtin_kinds::DIRECTION, u32::from(*d)),
            K::All(k) => return self.all_of(*k),
            K::Faces(k) => Datum::set(self.faces(*k)?.iter().map(|face| face.thing.clone())),
            K::Option(o) => return self.option(*o),
            K::VariantOn(s) => Datum::Bool(self.n.set.has(*s)),
            K::Attr(x, a) => {
                let of = self.needed(x, f)?;
                // A face stands for the one component that shows it, where the attribute is the component's.
                let shown = matches!(types::plain(&x.ty), Ty::Face(_)) && self.n.attrs.contains_key(a);
                return self.attribute(*a, &if shown { self.showing(&of)? } else { of });
            }
            K::TableAttr(a) => return self.attribute(*a, &Datum::None),
            K::Zone(of, z, index) => return self.zone(of.as_ref(), *z, index.as_ref(), f),
            K::PlaceOf(of, z, index) => return self.place_of(of.as_ref(), *z, index.as_ref(), f),
            K::Box(k) if e.ty == Ty::Place => self.n.boxed(*k)?,
            K::Box(k) => Datum::set(self.of_kind(self.w.lying_in(&self.n.boxed(*k)?), *k)),
            K::Value(v, args) => {
                let args = self.given(&self.m.values[v.index()].body.locals, args, f)?;
                let below = f.below.filter(|(of, _)| of == v).map(|(_, upto)| upto);
                return self.value(*v, args, below);
            }
            K::Builtin(Builtin::InZone, args) => return self.in_zone(args, f),
            K::Builtin(b, args) => return self.builtin(*b, args, e, f),
            K::Where(from, l, test) => {
                let d = self.eval(from, f)?;
                let out = self.passing(self.in_order(&d)?, *l, Some(test), f)?;
                let one = matches!(&e.ty, Ty::Maybe(_) | Ty::Of(_));
                if one { out.into_iter().next().unwrap_or_default() } else { d.like(out) }
            }
            K::Filter(k, l, test) => {
                let of = |face: &Face| match types::is_die(self.m, *k) {
                    true => face.sides.iter().map(|(side, _)| side.clone()).collect(),
                    false => vec![face.thing.clone()],
                };
                let all = self.faces(*k)?.into_iter().flat_map(of).collect();
                Datum::set(self.passing(all, *l, Some(test), f)?)
            }
            K::Fold(fold) => return self.fold(fold, &e.ty, f),
            K::Not(x) => Datum::Bool(!self.truth(x, f)?),
            K::And(a, b) => Datum::Bool(self.truth(a, f)? && self.truth(b, f)?),
            K::Or(a, b) => Datum::Bool(self.truth(a, f)? || self.truth(b, f)?),
            K::If(c, a, b) => return if self.truth(c, f)? { self.eval(a, f) } else { self.eval(b, f) },
            K::Default(a, b) => match self.eval(a, f) {
                Ok(Datum::None) => return self.eval(b, f),
                // What acts may end early; then the second counts.
                Err(Stop::Nothing) if walk::is_acting(a) => return self.eval(b, f),
                first => return first,
            },
            K::Let(l, x, body) => {
                let x = self.eval(x, f)?;
                f.bind(*l, x);
                return self.eval(body, f);
            }
            K::Compare(op, a, b) => {
                let (x, y) = (self.eval(a, f)?, self.eval(b, f)?);
                return folds::compare(*op, (&x, &a.ty), (&y, &b.ty));
            }
            K::In(x, s) => return self.is_in(x, s, f),
            K::IsSome(x) => Datum::Bool(self.eval(x, f)? != Datum::None),
            K::IsEmpty(x) => Datum::Bool(self.eval(x, f)?.items().is_empty()),
            K::IsKind(x, k) => match self.eval(x, f)? {
                Datum::None => Datum::Bool(false),
                x => Datum::Bool(types::is_a(self.m, self.face_of(&x)?.kind, *k)),
            },
            K::IsFace(x, m, key) => match self.eval(x, f)? {
                Datum::None => Datum::Bool(false),
                x => {
                    let face = self.face_of(&x)?;
                    let key = self.int_or(key.as_ref(), i64::from(face.key), f)?;
                    Datum::Bool(face.member == Some(*m) && key == i64::from(face.key))
                }
            },
            K::Arith(op, a, b) => {
                let (x, y) = (self.int(a, f)?, self.int(b, f)?);
                return match op {
                    Arith::Add => number(x + y),
                    Arith::Sub => number(x - y),
                    Arith::Mul => number(x * y),
                    Arith::Div | Arith::Mod if y == 0 => fails("a division by zero"),
                    Arith::Mod => number(x.rem_euclid(y)),
                    Arith::Div => number(x / y),
                };
            }
            K::Neg(x) => return number(-self.int(x, f)?),
            K::Union(a, b) => self.eval(a, f)?.with(&self.eval(b, f)?),
            K::Without(a, b) => self.eval(a, f)?.without(&self.eval(b, f)?),
            // Written out they stand in an order; as a set each counts once. None and who does not play are in no set.
            K::Set(all) | K::List(all) => {
                let mut out = all.iter().map(|e| self.many(e, f)).collect::<Result<Vec<_>>>()?.concat();
                out.retain(|x| !matches!(x, Datum::None | Datum::Absent));
                let list = Datum::List(out);
                if matches!(&*e.kind, K::Set(_)) { Datum::List(Vec::new()).with(&list) } else { list }
            }
            K::Range(a, b) => match (self.int(a, f)?, self.int(b, f)?) {
                (a, b) if b - a > 5_000 => return unsupported("so many numbers"),
                (a, b) => Datum::set((a..=b).map(Datum::Int)),
            },
            K::Step(c, d) => match (self.eval(c, f)?, self.eval(d, f)?) {
                (Datum::None, _) => Datum::None,
                (c, d) => self.board(c.thing()?.0)?.step(&c, d.number()?).unwrap_or_default(),
            },
            K::First { n, of, last } => {
                let n = self.maybe(n.as_ref(), f)?;
                let d = self.eval(of, f)?;
                let all = self.in_order(&d)?;
                let many = n.as_ref().map_or(Ok(1), Datum::int)?.clamp(0, all.len() as i64) as usize;
                let some = if *last { &all[all.len() - many..] } else { &all[..many] };
                if n.is_some() { d.like(some.to_vec()) } else { some.first().cloned().unwrap_or_default() }
            }
            K::The(s) => match self.eval(s, f)?.to_set().items().as_slice() {
                [one] => one.clone(),
                _ => return fails("`the` of none or of several"),
            },
            K::Nth(of, n) => {
                let (all, n) = (self.many(of, f)?, self.int(n, f)?);
                let at = usize::try_from(n - 1).ok();
                at.and_then(|i| all.get(i)).cloned().unwrap_or_default()
            }
            K::Choose(c) => return self.choose(c, e, f),
            K::Roll(k) => {
                let sides = types::line_of(self.m, *k).into_iter().map(|k| &self.m.kinds[k.index()].sides);
                let sides =
                    known(sides.into_iter().find(|s| !s.is_empty()), "a roll of a die without sides")?;
                Datum::Int(i64::from(sides[self.draw(&self.me.clone(), sides.len() as u64) as usize].value))
            }
            K::Rule(r, by, args) => return self.call(*r, by.as_ref(), args, f),
            K::CanMenu(p, menu, args) => {
                let (p, args) = (self.eval(p, f)?, self.each(args, f)?);
                Datum::Bool(!self.actions_of(*menu, &p, &args, 0)?.is_empty())
            }
            K::CanRule(r, by, args) => {
                let (by, args) = (self.maybe(by.as_ref(), f)?, self.each(args, f)?);
                let hindered = self.as_player(by.unwrap_or(self.me.clone()), |s| s.hindered(*r, args))?;
                Datum::Bool(hindered.is_none())
            }
            K::NoAction => Datum::Bool(f.no_action),
            K::Usual => return known(f.usual.clone(), "`usual` outside of a modification"),
            K::Running(r) => Datum::Bool(self.w.phases.contains(r)),
            K::PhaseNow => self.w.phases.last().map_or(Datum::None, |r| Datum::Phase(r.0)),
            K::Phase(r) => Datum::Phase(r.0),
            K::Text(_) | K::Hook(..) | K::Error | K::PositionSeen(..) => return unsupported("such values"),
        })
    }

    fn showing(&self, face: &Datum) -> Result {
        let mut all = self.n.all(self.n.family_of(face)?.comps.universe.0).into_iter();
        Ok(all.find(|c| self.face_of(c).is_ok_and(|f| f.thing == *face)).unwrap_or_default())
    }

    /// Those that are of a kind. A component is of the kind of the face that it shows.
    pub fn of_kind(&self, mut all: Vec<Datum>, k: KindId) -> Vec<Datum> {
        let is = |c: &Datum| self.face_of(c).is_ok_and(|face| types::is_a(self.m, face.kind, k));
        all.retain(|c| !types::is_component(self.m, k) || is(c));
        all
    }

    /// All of a kind.
    pub fn all_of(&self, k: KindId) -> Result {
        Ok(Datum::Set(self.of_kind(self.n.all(self.n.universe(k)?), k)))
    }

    fn faces(&self, k: KindId) -> Result<Vec<&'a Face>> {
        let all = self.n.family(k)?.faces.iter();
        Ok(all.filter(|face| types::is_a(self.m, face.kind, k)).collect())
    }

    /// The face that a component shows, that a side belongs to, or a face itself.
    pub fn face_of(&self, x: &Datum) -> Result<&'a Face> {
        let faces = &self.n.family_of(x)?.faces;
        let face = match self.w.pieces.get(x) {
            Some(piece) => faces.get(piece.face as usize),
            None => faces.iter().find(|f| f.thing == *x || f.sides.iter().any(|(side, _)| side == x)),
        };
        known(face, "a face that is not there")
    }

    /// The side that a die shows, or a side itself, with what is declared of it.
    pub fn side_of(&self, x: &Datum) -> Result<&'a (Datum, Side)> {
        let sides = &self.face_of(x)?.sides;
        let side = match self.w.pieces.get(x) {
            Some(piece) => sides.get(piece.side as usize),
            None => sides.iter().find(|(side, _)| side == x),
        };
        known(side, "the side of what has none")
    }

    /// What an option of the set-up is: of components the one that shows the face that it says.
    fn option(&mut self, o: OptionId) -> Result {
        let option = &self.m.options[o.index()];
        let default = known(option.default.as_ref(), "an option without a value");
        let component = matches!(types::plain(&option.ty), Ty::Of(k) if types::is_component(self.m, k));
        match self.n.options.get(&o) {
            Some(face @ Datum::Thing(..)) if component => self.showing(face),
            Some(said) => Ok(said.clone()),
            None => self.eval(default?, &mut Frame::default()),
        }
    }

    /// What a thing, or of none the table, has in an attribute: the thing's own where it changes, else what is printed (on the side or face that it shows, a word, a space).
    pub fn attribute(&mut self, a: AttrId, x: &Datum) -> Result {
        let attr = &self.m.attrs[a.index()];
        let default = attr.default.as_ref().map(|d| &d.body);
        if attr.side == AttrSide::Side {
            let mark = self.side_of(x)?.1.marks.iter().find(|(id, _)| *id == a).map(|(_, e)| e);
            let nothing = if attr.ty == Ty::Bool { Datum::Bool(false) } else { Datum::None };
            return Ok(self.maybe(mark.or(default), &mut Frame::default())?.unwrap_or(nothing));
        }
        if let Some(slot) = self.n.attrs.get(&a) {
            let now = self.w.attrs.get(&(*slot, x.clone())).cloned();
            return now.ok_or(Stop::Fails("an attribute of what does not have it"));
        }
        if attr.drawn {
            return known(self.n.printed.get(&(a, x.clone())).cloned(), "what is drawn on a map");
        }
        let word = || self.n.members.iter().find(|(_, y)| *y == x).map(|(m, _)| *m);
        let (member, key) = match attr.of.is_some_and(|k| types::is_component(self.m, k)) {
            true => self.face_of(x).map(|face| (face.member, i64::from(face.key)))?,
            false => (word(), x.number().map_or(0, i64::from)),
        };
        let set = member.and_then(|m| self.m.members[m.index()].sets.iter().find(|(x, _)| *x == a));
        match set {
            Some((_, body)) => self.eval(&body.body, &mut Frame::of(&[Datum::Int(key)])),
            None => Ok(self.maybe(default, &mut Frame::of(std::slice::from_ref(x)))?.unwrap_or_default()),
        }
    }

    /// A zone as a place; none's is none.
    pub fn place_of(&mut self, of: Option<&Expr>, z: ZoneId, index: Option<&Expr>, f: &mut Frame) -> Result {
        let (owner, index) = (self.maybe(of, f)?, self.maybe(index, f)?);
        if owner == Some(Datum::None) || index == Some(Datum::None) {
            return Ok(Datum::None);
        }
        let of_family = index.is_some();
        let place = self.n.zones.get(&(z, owner.unwrap_or_default(), index.unwrap_or_default()));
        ensure(place.is_some() || !of_family, Stop::Fails("a zone of a family that there is not"))?;
        known(place.map(|p| Datum::Place(*p)), "a zone that this set-up does not have")
    }

    /// What lies in a zone, the top first; of a zone without an order, as a hand is, the set of it; of a slot the thing, or none.
    fn zone(&mut self, of: Option<&Expr>, z: ZoneId, index: Option<&Expr>, f: &mut Frame) -> Result {
        let place = self.place_of(of, z, index, f)?;
        let all = self.w.lying_in(&place);
        let unordered = |p: u32| !self.n.places[p as usize].slot.is_some_and(|z| z.ordered);
        Ok(match place {
            _ if self.m.zones[z.index()].slot => all.into_iter().next().unwrap_or_default(),
            Datum::Place(p) if unordered(p) => Datum::set(all),
            _ => Datum::List(all),
        })
    }
}
