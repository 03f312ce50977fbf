//! Flow typing: after `x is some` and the like, facts hold for the code that follows.
use super::types;
use crate::hir::*;

/// Something known about a path.
#[derive(Clone, PartialEq, Debug)]
pub enum Known {
    /// It is not none.
    Some,
    /// It is a component of that kind.
    Kind(KindId),
    /// It is a component that shows that member's face.
    Face(MemberId),
    /// The set or list has something in it.
    NotEmpty,
    /// The number is in this range.
    Within(i32, i32),
}

/// A path with what is known of it.
#[derive(Clone, Debug)]
pub struct Fact {
    /// The path in a canonical writing.
    pub path: String,
    /// What is known.
    pub known: Known,
    /// Whether an effect can change it (anything but a bound name).
    pub fleeting: bool,
    /// The values whose expressions say so, one inside another.
    pub through: Vec<ValueId>,
}

/// The canonical writing of an expression that gives the same as long as nothing changes; none for what may not be repeated.
pub fn path(e: &Expr) -> Option<String> {
    use ExprKind::*;
    Some(match &*e.kind {
        Local(l) => format!("l{}", l.0),
        Attr(b, a) => format!("{}.a{}", path(b)?, a.0),
        TableAttr(a) => format!("t{}", a.0),
        Zone(b, z, i) => format!("{}.z{}[{}]", path_opt(b)?, z.0, path_opt(i)?),
        Member(m) => format!("m{}", m.0),
        Component(m, k) => format!("c{}({})", m.0, path_opt(k)?),
        Face(m, k) => format!("f{}({})", m.0, path_opt(k)?),
        Int(n) => format!("{n}"),
        Bool(b) => format!("{b}"),
        All(k) => format!("k{}", k.0),
        Faces(k) => format!("F{}", k.0),
        Box(k) => format!("b{}", k.0),
        Option(o) => format!("o{}", o.0),
        Space(m, c, r) => format!("s{}:{c}:{r}", m.0),
        Line(k, n) => format!("n{}:{n}", k.0),
        Direction(d) => format!("d{d}"),
        Value(v, a) => format!("v{}({})", v.0, paths(a)?),
        Builtin(b, a) => format!("{b:?}({})", paths(a)?),
        Step(a, b) => format!("step({},{})", path(a)?, path(b)?),
        Nth(a, b) => format!("nth({},{})", path(a)?, path(b)?),
        Without(a, b) => format!("without({},{})", path(a)?, path(b)?),
        Union(a, b) => format!("union({},{})", path(a)?, path(b)?),
        Set(a) => format!("set({})", paths(a)?),
        First { n, of, last } => format!("first{last}({},{})", path_opt(n)?, path(of)?),
        _ => return std::option::Option::None,
    })
}

/// Renames the names of a fact: each of the first becomes the second, which may be a path.
pub fn rename_fact(fact: &Fact, names: &[(String, String)]) -> Fact {
    let mut path = String::new();
    let mut rest = fact.path.as_str();
    while let Some(c) = rest.chars().next() {
        let word = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        if word == 0 {
            path.push(c);
            rest = rest.get(c.len_utf8()..).unwrap_or("");
            continue;
        }
        let (own, behind) = rest.split_at(word);
        path.push_str(names.iter().find(|(from, _)| own == from).map_or(own, |(_, to)| to));
        rest = behind;
    }
    Fact { path, ..fact.clone() }
}

fn path_opt(e: &Option<Expr>) -> Option<String> {
    match e {
        Some(e) => path(e),
        None => Some(String::new()),
    }
}

fn paths(es: &[Expr]) -> Option<String> {
    es.iter().map(path).collect::<Option<Vec<_>>>().map(|p| p.join(","))
}

/// Whether the path is a bound name alone: effects elsewhere do not change it.
fn is_lasting(e: &Expr) -> bool {
    matches!(&*e.kind, ExprKind::Local(_))
}

/// What is known when the condition has turned out true (or false).
pub fn facts(e: &Expr, truth: bool, out: &mut Vec<Fact>) {
    use ExprKind::*;
    if let (Let(l, x, c), true) = (&*e.kind, truth) {
        let mut inner = Vec::new();
        facts(c, true, &mut inner);
        let name = format!("l{}", l.0);
        for f in inner {
            if f.path == name {
                if let Some(path) = path(x) {
                    out.push(Fact { path, known: f.known, fleeting: !is_lasting(x), through: Vec::new() });
                }
            } else {
                out.push(f);
            }
        }
        return;
    }
    match (&*e.kind, truth) {
        (Not(a), t) => return facts(a, !t, out),
        (And(a, b), true) | (Or(a, b), false) => {
            facts(a, truth, out);
            return facts(b, truth, out);
        }
        _ => {}
    }
    let mut add = |e: &Expr, known: Known| {
        if let Some(path) = path(e) {
            out.push(Fact { path, known, fleeting: !is_lasting(e), through: Vec::new() });
        }
    };
    match (&*e.kind, truth) {
        (IsSome(a), true) => add(a, Known::Some),
        (IsEmpty(a), false) => add(a, Known::NotEmpty),
        (IsKind(a, k), true) => {
            add(a, Known::Some);
            add(a, Known::Kind(*k));
        }
        // What is not the one of two kinds is the other.
        (IsKind(a, k), false) => {
            if let Ty::AnyOf(ks) = types::plain(&a.ty)
                && let [other] = ks.iter().filter(|x| *x != k).collect::<Vec<_>>()[..]
                && ks.len() == 2
            {
                add(a, Known::Kind(*other));
            }
        }
        (IsFace(a, m, _), true) => {
            add(a, Known::Some);
            add(a, Known::Face(*m));
        }
        (In(a, s), true) => {
            add(a, Known::Some);
            add(s, Known::NotEmpty);
        }
        (Compare(op, a, b), t) => {
            let equal = matches!((op, t), (Comparison::Eq, true) | (Comparison::Ne, false));
            if equal {
                if types::is_maybe(&a.ty) && !types::is_maybe(&b.ty) {
                    add(a, Known::Some);
                }
                if types::is_maybe(&b.ty) && !types::is_maybe(&a.ty) {
                    add(b, Known::Some);
                }
            } else if matches!(op, Comparison::Eq | Comparison::Ne) {
                if matches!(&*b.kind, ExprKind::None) {
                    add(a, Known::Some);
                }
                if matches!(&*a.kind, ExprKind::None) {
                    add(b, Known::Some);
                }
            }
            add_comparison_facts(*op, t, a, b, &mut add);
        }
        (Fold(f), t) => {
            let some =
                matches!((f.op, t), (FoldOp::Any, true) | (FoldOp::No, false) | (FoldOp::Every, false));
            if some {
                add(&f.over, Known::NotEmpty);
            }
        }
        _ => {}
    }
}

/// The range that a number of one range is in if it is not the only number of another.
fn without((lo, hi): (i32, i32), other: (i32, i32)) -> (i32, i32) {
    match other {
        (k, l) if k == l && k == lo => (k.saturating_add(1), i32::MAX),
        (k, l) if k == l && k == hi => (i32::MIN, k.saturating_sub(1)),
        _ => (i32::MIN, i32::MAX),
    }
}

/// Number facts of a comparison that came out as `truth`.
fn add_comparison_facts(op: Comparison, truth: bool, a: &Expr, b: &Expr, add: &mut dyn FnMut(&Expr, Known)) {
    let op = if truth { op } else { op.negated() };
    let (Some(x), Some(y)) = (types::bounds(&a.ty), types::bounds(&b.ty)) else { return };
    let (from_a, from_b) = match op {
        Comparison::Eq => ((y.0, y.1), (x.0, x.1)),
        Comparison::Lt => ((i32::MIN, y.1.saturating_sub(1)), (x.0.saturating_add(1), i32::MAX)),
        Comparison::Le => ((i32::MIN, y.1), (x.0, i32::MAX)),
        Comparison::Gt => ((y.0.saturating_add(1), i32::MAX), (i32::MIN, x.1.saturating_sub(1))),
        Comparison::Ge => ((y.0, i32::MAX), (i32::MIN, x.1)),
        // One number is left out: that says something at an end of the range.
        Comparison::Ne => (without(x, y), without(y, x)),
    };
    for (e, (lo, hi)) in [(a, from_a), (b, from_b)] {
        if !types::is_maybe(&e.ty) {
            add(e, Known::Within(lo, hi));
        }
        if let ExprKind::Builtin(Builtin::Count, args) = &*e.kind
            && lo > 0
            && let Some(s) = args.first()
        {
            add(s, Known::NotEmpty);
        }
    }
}
