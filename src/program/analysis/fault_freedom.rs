//! Finds expressions that cannot fault in any state. Only these may be evaluated early, or for things for which the rules would not evaluate them.
//!
//! `target.lit` faults where `target` is none, and so does `10 / n` where n is 0. After `target is some and …` neither happens, but the code must not be moved before the test.
//! So a guard that narrows a type counts only if it is in the same expression and what follows it is evaluated after it.
use crate::fn_builder::{Bind, FnBuild};
use crate::ir::*;
use crate::layout::tables::{AskedTotality, Home, Layout, Tables, Totality};
use houserule_model::body::flow::{self, Fact, Known};
use houserule_model::body::types;
use houserule_model::hir::*;

const UNKNOWN: Totality = Totality { total: false, some: false };

/// A sum of numbers with at most this absolute value does not overflow.
const SMALL: i64 = 1 << 15;

/// The greatest depth to which expressions and values are followed.
const DEEP: usize = 40;

/// The context of an expression.
struct Place<'a> {
    /// The function that is made, with its names; none in a value's body.
    f: Option<&'a FnBuild>,
    env: usize,
    /// In a value's body, the parameters that are lifted, a bit each.
    lifted_params: u32,
    /// Whether it is evaluated for one thing at a time, in the order in which it is written.
    in_order: bool,
    /// Facts from earlier guards, if it is evaluated in order.
    facts: Vec<Fact>,
    depth: usize,
}

impl<'a> Place<'a> {
    fn of(f: &'a FnBuild, env: usize) -> Place<'a> {
        Place { f: Some(f), env, lifted_params: 0, in_order: false, facts: Vec::new(), depth: 0 }
    }

    fn in_body(lifted_params: u32, in_order: bool, depth: usize) -> Place<'a> {
        Place { f: None, env: 0, lifted_params, in_order, facts: Vec::new(), depth }
    }

    /// Whether facts say that the expression is not none (and of the kind that its type says).
    fn is_certain(&self, e: &Expr, kind: bool) -> bool {
        let Some(path) = flow::path(e) else { return false };
        let before = self.f.map_or(&[][..], |f| &f.facts);
        let before = before.iter().filter(|(env, _)| *env == self.env).map(|(_, fact)| fact);
        before.chain(&self.facts).any(|f| {
            f.path == path
                && match f.known {
                    Known::Some => !kind,
                    Known::Kind(_) | Known::Face(_) => true,
                    _ => false,
                }
        })
    }
}

impl Layout<'_> {
    /// Whether an expression reads the lifted variable. If so, it is looked up for all things, and its result for things that fail a guard is ignored.
    fn reads_lifted(&self, at: &Place<'_>, e: &Expr) -> bool {
        match at.f {
            Some(f) => !self.is_free_in(f, e, at.env),
            None => houserule_model::body::walk::any_expr(
                e,
                &mut |x| matches!(&*x.kind, ExprKind::Local(l) if l.0 < 32 && at.lifted_params >> l.0 & 1 == 1),
            ),
        }
    }
}

impl Tables<'_> {
    /// Whether an expression cannot fault, in any state and for any values of the names in it.
    pub fn cannot_fault(&mut self, f: &FnBuild, e: &Expr) -> bool {
        self.cannot_fault_in(f, f.env, e)
    }

    /// The same in another environment.
    pub fn cannot_fault_in(&mut self, f: &FnBuild, env: usize, e: &Expr) -> bool {
        !self.opts.dry && self.result_of_expr(&mut Place::of(f, env), e).total
    }

    /// The same for an argument in a value's body, whose own parameters do not fault.
    pub fn argument_cannot_fault(&mut self, e: &Expr) -> bool {
        !self.opts.dry && self.result_of_expr(&mut Place::in_body(0, false, 0), e).total
    }

    fn is_total(&mut self, at: &mut Place<'_>, e: &Expr) -> bool {
        self.result_of_expr(at, e).total
    }

    /// Whether an expression cannot fault and is not none.
    fn has_value(&mut self, at: &mut Place<'_>, e: &Expr) -> bool {
        let r = self.result_of_expr(at, e);
        r.total && r.some
    }

    fn are_all_total<'e>(&mut self, at: &mut Place<'_>, all: impl IntoIterator<Item = &'e Expr>) -> bool {
        all.into_iter().all(|e| self.is_total(at, e))
    }

    /// The result of an expression that is evaluated only if `guard` has the value `truth`. If the guard does not depend on the lifted variable, the code jumps over the expression.
    fn result_behind_guard(&mut self, at: &mut Place<'_>, guard: &Expr, truth: bool, e: &Expr) -> Totality {
        let before = at.facts.len();
        let outer = at.in_order;
        let scalar = !self.reads_lifted(at, guard);
        at.in_order |= scalar && !self.reads_lifted(at, e);
        if at.in_order || scalar {
            flow::facts(guard, truth, &mut at.facts);
        }
        let r = self.result_of_expr(at, e);
        at.facts.truncate(before);
        at.in_order = outer;
        r
    }

    fn result_of_expr(&mut self, at: &mut Place<'_>, e: &Expr) -> Totality {
        if at.depth > DEEP {
            return UNKNOWN;
        }
        if !matches!(&*e.kind, ExprKind::Local(_))
            && let Some(k) = self.known_constant(e)
        {
            return Totality { total: true, some: k != NONE };
        }
        at.depth += 1;
        let total = self.is_total_form(at, e);
        let some = total && self.is_some_form(at, e);
        at.depth -= 1;
        Totality { total, some }
    }

    fn is_total_form(&mut self, at: &mut Place<'_>, e: &Expr) -> bool {
        use ExprKind as E;
        match &*e.kind {
            E::Local(l) => match at.f.and_then(|f| f.envs.get(at.env)?.get(l)).cloned() {
                Some(Bind::Alias(x, env)) => {
                    let outer = std::mem::replace(&mut at.env, env);
                    let facts = std::mem::take(&mut at.facts);
                    let total = self.is_total(at, &x);
                    (at.env, at.facts) = (outer, facts);
                    total
                }
                Some(Bind::Call(..)) => *l == crate::analysis::names::USED,
                _ => true,
            },
            E::Attr(x, _) => self.has_value(at, x),
            E::Zone(of, z, index) | E::PlaceOf(of, z, index) => {
                of.iter().all(|x| self.has_value(at, x)) && index.iter().all(|i| self.has_index(at, *z, i))
            }
            E::Value(v, args) => self.call_result(at, *v, args).total,
            E::Builtin(Builtin::Held, args) => {
                let found = args.first().and_then(|x| self.bounds_of(at, x));
                let fits =
                    |(a, b): (i64, i64), (lo, hi): (i32, i32)| i64::from(lo) <= a && b <= i64::from(hi);
                found.zip(types::bounds(&e.ty)).is_some_and(|(a, b)| fits(a, b))
            }
            E::Builtin(b, args) => self.is_builtin_total(at, *b, args),
            E::Where(s, _, c) => self.is_total(at, s) && self.is_total(at, c),
            E::Filter(_, _, c) => self.is_total(at, c),
            E::Fold(fold) => {
                let over = self.is_total(at, &fold.over);
                let bodies = match &fold.cond {
                    Some(c) => {
                        over && self.is_total(at, c)
                            && fold.bodies.iter().all(|b| self.result_behind_guard(at, c, true, b).total)
                    }
                    None => over && self.are_all_total(at, &fold.bodies),
                };
                bodies && (fold.op != FoldOp::Sum || fold.bodies.iter().all(|b| self.is_small(at, b)))
            }
            E::And(a, b) | E::Or(a, b) => {
                let and = matches!(&*e.kind, E::And(..));
                self.is_total(at, a) && self.result_behind_guard(at, a, and, b).total
            }
            E::If(c, a, b) => {
                self.is_total(at, c)
                    && self.result_behind_guard(at, c, true, a).total
                    && self.result_behind_guard(at, c, false, b).total
            }
            E::Let(_, x, body) => {
                let r = self.result_of_expr(at, x);
                r.total && (r.some || types::is_maybe(&x.ty) || is_many(&x.ty)) && self.is_total(at, body)
            }
            E::Arith(..) | E::Neg(_) => self.bounds_of(at, e).is_some(),
            E::Face(_, Some(_)) | E::Component(_, Some(_)) => false,
            E::IsFace(x, _, key) => {
                let r = self.result_of_expr(at, x);
                r.total && (r.some || types::is_maybe(&x.ty)) && key.iter().all(|k| self.has_value(at, k))
            }
            E::IsKind(x, _) => self.has_value(at, x),
            E::Range(a, b) => self.has_value(at, a) && self.has_value(at, b),
            E::In(x, s) if matches!(&*s.kind, E::Range(..)) => {
                let E::Range(a, b) = &*s.kind else { return false };
                self.are_all_total(at, [x, a, b])
            }
            E::First { n, of, .. } => n.iter().all(|n| self.has_value(at, n)) && self.is_total(at, of),
            E::Nth(of, n) => self.is_total(at, of) && self.has_value(at, n),
            E::Not(x) | E::IsSome(x) | E::IsEmpty(x) => self.is_total(at, x),
            E::Compare(_, a, b)
            | E::In(a, b)
            | E::Union(a, b)
            | E::Without(a, b)
            | E::Default(a, b)
            | E::Step(a, b) => self.is_total(at, a) && self.is_total(at, b),
            E::Set(all) | E::List(all) => self.are_all_total(at, all),
            E::Int(_)
            | E::Bool(_)
            | E::None
            | E::Member(_)
            | E::Face(_, None)
            | E::Component(_, None)
            | E::Line(..)
            | E::Direction(_)
            | E::All(_)
            | E::Faces(_)
            | E::Option(_)
            | E::VariantOn(_)
            | E::TableAttr(_)
            | E::Box(_)
            | E::Phase(_)
            | E::PhaseNow
            | E::Running(_)
            | E::NoAction
            | E::PositionSeen(..)
            | E::Usual => true,
            _ => false,
        }
    }

    /// Whether an expression that does not fault is not none, by its form.
    fn is_some_form(&mut self, at: &mut Place<'_>, e: &Expr) -> bool {
        use ExprKind as E;
        if is_many(&e.ty) {
            return true;
        }
        if types::is_maybe(&e.ty) || e.ty == Ty::None {
            return false;
        }
        let narrowed = |e: &Expr| self.m.narrowed.get(&e.span).copied().unwrap_or_default();
        if narrowed(e).some {
            if at.is_certain(e, false) {
                return true;
            }
            if !self.reads_lifted(at, e) {
                return false;
            }
        }
        match &*e.kind {
            // A name bound to an expression has the totality of that expression; a parameter is not none where it is needed.
            E::Local(l) => match at.f.and_then(|f| f.envs.get(at.env)?.get(l)).cloned() {
                Some(Bind::Alias(x, env)) if env == at.env => self.has_value(at, &x),
                _ => true,
            },
            E::Attr(x, _) => !narrowed(x).kind || at.is_certain(x, true) || self.reads_lifted(at, x),
            E::First { n: None, of, .. } => is_nonempty(&at.facts, of),
            E::Nth(..) => false,
            E::Builtin(b, args) => match b.facts().gives {
                builtins::Gives::ByType => true,
                builtins::Gives::SomeOfMany => args.first().is_some_and(|s| is_nonempty(&at.facts, s)),
                builtins::Gives::Perhaps => false,
            },
            E::Fold(fold) if matches!(fold.op, FoldOp::Min | FoldOp::Max) => {
                fold.cond.is_none()
                    && is_nonempty(&at.facts, &fold.over)
                    && fold.bodies.iter().all(|b| self.has_value(at, b))
            }
            E::If(c, a, b) => {
                self.result_behind_guard(at, c, true, a).some
                    && self.result_behind_guard(at, c, false, b).some
            }
            E::Let(_, _, body) => self.has_value(at, body),
            E::Default(_, b) => self.has_value(at, b),
            E::Where(x, _, _) => self.has_value(at, x),
            // Read of the lifted variable behind a test for none: as what the value reads.
            E::Value(v, _) if narrowed(e).some && self.reads_one_place(*v) => true,
            E::Value(v, args) => self.call_result(at, *v, args).some,
            _ => true,
        }
    }

    /// Whether a value is inlined and gives what lies in a zone or an attribute.
    fn reads_one_place(&self, v: ValueId) -> bool {
        self.plain_value(v)
            .is_some_and(|plain| matches!(&*plain.1.kind, ExprKind::Zone(..) | ExprKind::Attr(..)))
    }

    /// The result of a call: its arguments, then the body, for any values of the parameters.
    fn call_result(&mut self, at: &mut Place<'_>, v: ValueId, args: &[Expr]) -> Totality {
        let m = self.m;
        let Some(value) = m.values.get(v.index()) else { return UNKNOWN };
        for (i, a) in args.iter().enumerate() {
            let r = self.result_of_expr(at, a);
            let maybe = value.body.locals.get(i).is_some_and(|l| types::is_maybe(&l.ty) || is_many(&l.ty));
            if !r.total || !r.some && !maybe {
                return UNKNOWN;
            }
        }
        let mut lifted_params = 0;
        for (i, a) in args.iter().enumerate().take(32) {
            lifted_params |= u32::from(self.reads_lifted(at, a)) << i;
        }
        self.value_result((v, lifted_params, at.in_order || lifted_params == 0), at.depth)
    }

    fn value_result(&mut self, asked: AskedTotality, depth: usize) -> Totality {
        if let Some(known) = self.totality.get(&asked) {
            // A recursive value may exceed the depth.
            return known.unwrap_or(UNKNOWN);
        }
        self.totality.insert(asked, None);
        let (v, lifted_params, in_order) = asked;
        let mut at = Place::in_body(lifted_params, in_order, depth);
        let r = match self.plain_value(v) {
            Some(plain) => self.result_of_expr(&mut at, &plain.1),
            None => self.modified_result(&mut at, v),
        };
        // The result must not depend on the depth at which it was computed first.
        if depth + 8 < DEEP || r.total {
            self.totality.insert(asked, Some(r));
        } else {
            self.totality.remove(&asked);
        }
        r
    }

    /// The result of a value with its fillings and modifications.
    fn modified_result(&mut self, at: &mut Place<'_>, v: ValueId) -> Totality {
        let m = self.m;
        let Some(value) = m.values.get(v.index()) else { return UNKNOWN };
        if self.game_facts.inlined_sizes.is_recursive(v) || self.may_leave_range(v) {
            return UNKNOWN;
        }
        let fills = m.members.iter().filter(|d| self.set.has(d.scope)).flat_map(|d| &d.fills);
        let bodies: Vec<&Expr> =
            fills.filter(|(x, _)| *x == v).map(|(_, b)| &b.body).chain(&value.body.body).collect();
        let mut own = Totality { total: !bodies.is_empty(), some: true };
        for b in &bodies {
            let r = self.result_of_expr(at, b);
            own = Totality { total: own.total && r.total, some: own.some && r.some };
        }
        let number = matches!(value.ty, Ty::Int(..));
        let far = 1 << 30;
        let near = |b: Option<(i64, i64)>| b.is_some_and(|(lo, hi)| -far < lo && hi < far);
        for a in self.attachments_on(|t| *t == Target::Value(v)) {
            let AttachKind::Modify(change, e) = &a.what else { return UNKNOWN };
            let tests = a.heads.iter().flat_map(|h| &h.patterns).filter_map(|p| match p {
                Pattern::Test(_, c) => Some(c),
                _ => None,
            });
            let sums = number && *change != Change::Set;
            let whole = self.layer_of(a).is_none()
                && a.by.is_none()
                && a.may.is_none()
                && self.are_all_total(at, a.when.iter().chain(tests))
                && self.has_value(at, e)
                && (!sums || self.is_small(at, e) && bodies.iter().all(|b| near(self.bounds_of(at, b))));
            if !whole {
                return UNKNOWN;
            }
        }
        own
    }

    /// Whether the index of a zone is in range.
    fn has_index(&mut self, at: &mut Place<'_>, z: ZoneId, i: &Expr) -> bool {
        if !self.has_value(at, i) {
            return false;
        }
        match self.m.zones.get(z.index()).and_then(|z| z.index.clone()) {
            Some(Ty::Int(lo, hi)) => {
                self.bounds_of(at, i).is_some_and(|(a, b)| i64::from(lo) <= a && b <= i64::from(hi))
            }
            _ => true,
        }
    }

    fn is_builtin_total(&mut self, at: &mut Place<'_>, b: Builtin, args: &[Expr]) -> bool {
        match b.facts().faults {
            builtins::Faults::Never => self.are_all_total(at, args),
            builtins::Faults::OfNone => {
                args.iter().all(|a| matches!(&*a.kind, ExprKind::None) || self.has_value(at, a))
            }
            builtins::Faults::OfSurprise => args.iter().all(|a| self.is_valid_argument(at, a)),
            builtins::Faults::TooLarge => {
                self.are_all_total(at, args) && args.iter().all(|s| self.is_small(at, s))
            }
            builtins::Faults::OffMap => args.iter().all(|n| self.known_constant(n).is_some()),
            builtins::Faults::OutOfRange | builtins::Faults::Other => false,
        }
    }

    /// Whether an argument cannot fault, and is not none if its type says so.
    fn is_valid_argument(&mut self, at: &mut Place<'_>, e: &Expr) -> bool {
        let r = self.result_of_expr(at, e);
        r.total && (r.some || types::is_maybe(&e.ty) || e.ty == Ty::None)
    }

    /// Whether a number is so near to 0 that a sum of such numbers does not overflow.
    fn is_small(&mut self, at: &mut Place<'_>, e: &Expr) -> bool {
        self.bounds_of(at, e).is_some_and(|(lo, hi)| -SMALL <= lo && hi <= SMALL)
    }

    /// The bounds of a number; none if it may be none, or if it may overflow or divide by zero.
    fn bounds_of(&mut self, at: &mut Place<'_>, e: &Expr) -> Option<(i64, i64)> {
        if at.depth > DEEP {
            return None;
        }
        if let Some(k) = self.known_constant(e) {
            return (k != NONE).then_some((k, k));
        }
        let fits = |lo: i64, hi: i64| (lo > NONE && hi <= i64::from(i32::MAX)).then_some((lo, hi));
        match &*e.kind {
            ExprKind::Neg(x) => {
                let (lo, hi) = self.bounds_of(at, x)?;
                return fits(-hi, -lo);
            }
            ExprKind::Arith(op, a, b) => {
                let (al, ah) = self.bounds_of(at, a)?;
                let (bl, bh) = self.bounds_of(at, b)?;
                return match op {
                    Arith::Add => fits(al + bl, ah + bh),
                    Arith::Sub => fits(al - bh, ah - bl),
                    Arith::Mul => {
                        let all = [al * bl, al * bh, ah * bl, ah * bh];
                        fits(*all.iter().min()?, *all.iter().max()?)
                    }
                    Arith::Div if bl > 0 || bh < 0 => {
                        let most = al.abs().max(ah.abs());
                        fits(-most, most)
                    }
                    Arith::Mod if bl > 0 || bh < 0 => fits(0, bl.abs().max(bh.abs()) - 1),
                    Arith::Div | Arith::Mod => None,
                };
            }
            _ => {}
        }
        if !self.has_value(at, e) && !matches!(e.ty, Ty::Set(_) | Ty::List(_)) {
            return None;
        }
        // For a printed attribute, the bounds of its table.
        if let ExprKind::Attr(_, a) = &*e.kind
            && let Some(Home::Table(t) | Home::Side(t)) = self.homes.get(a)
        {
            let values = &self.p.tables.get(t.index())?.values;
            let all = values.iter().map(|v| i64::from(*v)).filter(|v| *v != NONE);
            return Some((all.clone().min()?, all.max()?));
        }
        let ty = types::element(self.m, &e.ty).unwrap_or_else(|| e.ty.clone());
        let Ty::Int(lo, hi) = types::plain(&ty) else { return None };
        if let (ExprKind::Value(v, _), true) = (&*e.kind, lo == i32::MIN || hi == i32::MAX)
            && let Some(plain) = self.plain_value(*v)
        {
            // A value of any number may have bounds by its body.
            return self.bounds_of(&mut Place::in_body(0, false, at.depth + 1), &plain.1);
        }
        match self.m.narrowed.get(&e.span) {
            Some(n) if n.range => Some((NONE + 1, i64::from(i32::MAX))),
            _ => Some((i64::from(lo).max(NONE + 1), i64::from(hi))),
        }
    }
}

fn is_many(ty: &Ty) -> bool {
    matches!(ty, Ty::Set(_) | Ty::List(_) | Ty::Filter(_) | Ty::Place | Ty::Text)
}

/// Whether facts say that a set is not empty.
fn is_nonempty(facts: &[Fact], e: &Expr) -> bool {
    match &*e.kind {
        ExprKind::Set(all) | ExprKind::List(all) => all
            .iter()
            .any(|x| !types::is_maybe(&x.ty) && matches!(&*x.kind, ExprKind::Int(_) | ExprKind::Member(_))),
        ExprKind::Builtin(Builtin::AsSet | Builtin::Reversed | Builtin::Widened, args) => {
            args.first().is_some_and(|s| is_nonempty(facts, s))
        }
        ExprKind::Builtin(Builtin::Players | Builtin::Seats | Builtin::DirectionSet(0 | 2), _) => true,
        _ => flow::path(e)
            .is_some_and(|path| facts.iter().any(|f| f.path == path && f.known == Known::NotEmpty)),
    }
}
