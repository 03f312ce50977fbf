//! Decides whether a player certainly sees into a zone, from `seen by` and from what is known of the zone's holder.
//!
//! ```text
//! player { zone hand: Card seen by lookers(it) }
//! value lookers(c: Card): set of player = if c.holder is some then players - c.holder else players
//! # of my own hand: no; of another player's: yes; of a player who may be me: not certain
//! ```
use super::types;
use crate::hir::*;
use rustc_hash::FxHashMap as HashMap;

/// How deep values are followed into values.
const DEPTH: usize = 8;

/// How the observer stands to the holder of a zone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holds {
    /// It is the zone of the observer.
    Own,
    /// It is another player's.
    Others,
    /// It may be anybody's, or nobody's.
    Unknown,
}

impl Holds {
    fn is_own(self) -> Option<bool> {
        match self {
            Holds::Own => Some(true),
            Holds::Others => Some(false),
            Holds::Unknown => None,
        }
    }
}

/// What a name stands for in the text of `seen by`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    /// The one who looks.
    Viewer,
    /// The zone's holder.
    Holder,
    /// The thing that lies there.
    Thing,
}

type Roles = HashMap<LocalId, Role>;

/// Whether the observer certainly sees what lies in a zone (face up).
pub fn is_seen(model: &Model, zone: &Zone, holds: Holds) -> bool {
    match &zone.seen {
        Seen::All => true,
        Seen::Nobody => false,
        Seen::Owner => holds == Holds::Own,
        Seen::By(b) => {
            let roles = [(LocalId(0), Role::Holder), (LocalId(1), Role::Thing)].into_iter().collect();
            Sight { model, holds }.evaluate_includes(&b.body, &roles, 0) == Some(true)
        }
    }
}

struct Sight<'a> {
    model: &'a Model,
    holds: Holds,
}

impl Sight<'_> {
    /// Whether a set of players (or a player) includes the observer; none if that is not certain.
    fn evaluate_includes(&self, e: &Expr, roles: &Roles, depth: usize) -> Option<bool> {
        use ExprKind::{All, Builtin, If, List, Set, Union, Value, Where, Without};
        if let Some(role) = role_of(e, roles) {
            return self.is_viewer(role);
        }
        match &*e.kind {
            All(_) | Builtin(crate::hir::Builtin::Players, _) => Some(true),
            Builtin(crate::hir::Builtin::AsSet, args) => self.evaluate_includes(args.first()?, roles, depth),
            Builtin(crate::hir::Builtin::Others, args) => {
                self.is_viewer(role_of(args.first()?, roles)?).map(|own| !own)
            }
            Set(es) | List(es) => {
                let all: Vec<_> = es.iter().map(|x| self.evaluate_includes(x, roles, depth)).collect();
                certain_or_none(all.contains(&Some(true)), all.iter().all(|x| *x == Some(false)))
            }
            Union(a, b) => {
                let (a, b) =
                    (self.evaluate_includes(a, roles, depth), self.evaluate_includes(b, roles, depth));
                certain_or_none(a == Some(true) || b == Some(true), a == Some(false) && b == Some(false))
            }
            Without(a, b) => {
                let (a, b) =
                    (self.evaluate_includes(a, roles, depth), self.evaluate_includes(b, roles, depth));
                certain_or_none(a == Some(true) && b == Some(false), a == Some(false) || b == Some(true))
            }
            If(c, a, b) => match self.evaluate_cond(c, roles) {
                Some(true) => self.evaluate_includes(a, roles, depth),
                Some(false) => self.evaluate_includes(b, roles, depth),
                None => agree_all([
                    self.evaluate_includes(a, roles, depth),
                    self.evaluate_includes(b, roles, depth),
                ]),
            },
            Where(s, l, p) => {
                let mut inner = roles.clone();
                inner.insert(*l, Role::Viewer);
                match (self.evaluate_includes(s, roles, depth), self.evaluate_cond(p, &inner)) {
                    (Some(false), _) | (_, Some(false)) => Some(false),
                    (Some(true), Some(true)) => Some(true),
                    _ => None,
                }
            }
            Value(v, args) if depth < DEPTH => self.evaluate_value(*v, args, roles, depth + 1),
            _ => None,
        }
    }

    /// What a value gives, by its own body and by all that may modify it.
    fn evaluate_value(&self, v: ValueId, args: &[Expr], roles: &Roles, depth: usize) -> Option<bool> {
        let given: Vec<Option<Role>> = args.iter().map(|a| role_of(a, roles)).collect();
        let named = |i: usize, l: LocalId| given.get(i).copied().flatten().map(|r| (l, r));
        let inner: Roles = (0..args.len()).filter_map(|i| named(i, LocalId(i as u32))).collect();
        let own = self.model.values.get(v.index()).and_then(|d| d.body.body.as_ref());
        let fills = self.model.members.iter().flat_map(|m| &m.fills).filter(|(f, _)| *f == v);
        let bodies = own.into_iter().chain(fills.map(|(_, b)| &b.body));
        let mut all: Vec<Option<bool>> = bodies.map(|b| self.evaluate_includes(b, &inner, depth)).collect();
        for a in &self.model.attachments {
            let AttachKind::Modify(_, e) = &a.what else { continue };
            for h in a.heads.iter().filter(|h| h.target == Target::Value(v)) {
                let bound = h.patterns.iter().enumerate().filter_map(|(i, p)| match p {
                    Pattern::Bind(l) | Pattern::Test(l, _) => named(i, *l),
                    _ => None,
                });
                let inner: Roles = bound.collect();
                // Where it holds only for others, it changes nothing here.
                if a.when.as_ref().is_some_and(|w| self.evaluate_cond(w, &inner) == Some(false)) {
                    continue;
                }
                // A player beside the seats has no view of its own: whoever answers for it is asked as the rules say.
                if a.when.as_ref().is_some_and(|w| self.is_beside_seats(w, &inner)) {
                    continue;
                }
                all.push(self.evaluate_includes(e, &inner, depth));
            }
        }
        agree_all(all)
    }

    /// Whether a condition holds; none if that is not certain.
    fn evaluate_cond(&self, e: &Expr, roles: &Roles) -> Option<bool> {
        use ExprKind::{And, Bool, Compare, IsSome, Not, Or};
        match &*e.kind {
            Bool(b) => Some(*b),
            Not(x) => self.evaluate_cond(x, roles).map(|x| !x),
            And(a, b) => {
                let (a, b) = (self.evaluate_cond(a, roles), self.evaluate_cond(b, roles));
                certain_or_none(a == Some(true) && b == Some(true), a == Some(false) || b == Some(false))
            }
            Or(a, b) => {
                let (a, b) = (self.evaluate_cond(a, roles), self.evaluate_cond(b, roles));
                certain_or_none(a == Some(true) || b == Some(true), a == Some(false) && b == Some(false))
            }
            // Somebody's zone has a holder.
            IsSome(x) => (role_of(x, roles)? == Role::Holder && self.holds != Holds::Unknown).then_some(true),
            Compare(how @ (Comparison::Eq | Comparison::Ne), a, b) => {
                let same = match (role_of(a, roles)?, role_of(b, roles)?) {
                    (Role::Viewer, Role::Holder) | (Role::Holder, Role::Viewer) => self.holds.is_own()?,
                    (a, b) if a == b => true,
                    _ => return None,
                };
                Some(same == (*how == Comparison::Eq))
            }
            _ => None,
        }
    }

    /// Whether a condition holds only of what a player beside the seats holds (`answered by`).
    fn is_beside_seats(&self, e: &Expr, roles: &Roles) -> bool {
        let beside = |x: &Expr| {
            let ExprKind::Member(m) = &*x.kind else { return false };
            self.model.members.get(m.index()).is_some_and(|m| m.answered.is_some())
        };
        match &*e.kind {
            ExprKind::And(a, b) => self.is_beside_seats(a, roles) || self.is_beside_seats(b, roles),
            ExprKind::Compare(Comparison::Eq, a, b) => {
                let holder = |x: &Expr| role_of(x, roles) == Some(Role::Holder);
                holder(a) && beside(b) || beside(a) && holder(b)
            }
            _ => false,
        }
    }

    fn is_viewer(&self, role: Role) -> Option<bool> {
        match role {
            Role::Viewer => Some(true),
            Role::Holder => self.holds.is_own(),
            Role::Thing => None,
        }
    }
}

/// What an expression stands for.
fn role_of(e: &Expr, roles: &Roles) -> Option<Role> {
    match &*e.kind {
        ExprKind::Local(l) => roles.get(l).copied(),
        ExprKind::Builtin(Builtin::Holder, args) => {
            let thing = args.first().and_then(|x| role_of(x, roles)) == Some(Role::Thing);
            thing.then_some(Role::Holder)
        }
        ExprKind::Builtin(Builtin::AsSet, args) if types::plain(&args.first()?.ty) == types::player() => {
            role_of(args.first()?, roles)
        }
        _ => None,
    }
}

/// Certainly yes, certainly no, or neither.
fn certain_or_none(yes: bool, no: bool) -> Option<bool> {
    match (yes, no) {
        (true, _) => Some(true),
        (false, true) => Some(false),
        _ => None,
    }
}

/// What all of them say.
fn agree_all(all: impl IntoIterator<Item = Option<bool>>) -> Option<bool> {
    let mut all = all.into_iter();
    let first = all.next()??;
    all.all(|x| x == Some(first)).then_some(first)
}
