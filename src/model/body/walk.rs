//! Going through typed expressions and statements: the parts of each, in the order in which they are worked out.
use crate::model::hir::*;

/// The expressions directly inside one, in the order in which they are worked out.
pub fn parts(e: &Expr) -> Vec<&Expr> {
    use ExprKind::*;
    match &*e.kind {
        Int(_)
        | Bool(_)
        | ExprKind::None
        | Member(_)
        | Space(..)
        | Line(..)
        | Direction(_)
        | Local(_)
        | All(_)
        | Faces(_)
        | Option(_)
        | VariantOn(_)
        | TableAttr(_)
        | Box(_)
        | Roll(_)
        | NoAction
        | Usual
        | Running(_)
        | PhaseNow
        | Phase(_)
        | PositionSeen(_)
        | Error => Vec::new(),
        Text(t) => holes(t),
        Face(_, k) | Component(_, k) => k.iter().collect(),
        Attr(b, _) | Not(b) | IsSome(b) | IsEmpty(b) | IsKind(b, _) | Neg(b) | The(b) => vec![b],
        Zone(b, _, i) | PlaceOf(b, _, i) => b.iter().chain(i).collect(),
        Value(_, a) | Hook(_, a) | Builtin(_, a) | Set(a) | List(a) => a.iter().collect(),
        Where(a, _, b)
        | And(a, b)
        | Or(a, b)
        | Compare(_, a, b)
        | In(a, b)
        | Arith(_, a, b)
        | Union(a, b)
        | Without(a, b)
        | Range(a, b)
        | Let(_, a, b)
        | Default(a, b)
        | Step(a, b)
        | Nth(a, b) => vec![a, b],
        Filter(_, _, b) => vec![b],
        Fold(f) => std::iter::once(&f.over).chain(&f.cond).chain(&f.bodies).collect(),
        IsFace(b, _, k) => std::iter::once(b).chain(k).collect(),
        If(a, b, c) => vec![a, b, c],
        First { n, of, .. } => n.iter().chain(std::iter::once(of)).collect(),
        Choose(c) => {
            let mut out = Vec::new();
            if let Many::Subset { min, max } = &c.many {
                out.extend(min);
                out.extend(max);
            }
            out.push(&c.from);
            if let Chooser::Player(p) = &c.by {
                out.push(p);
            }
            if let Some(t) = &c.prompt {
                out.extend(holes(t));
            }
            out
        }
        Rule(_, by, a) | CanRule(_, by, a) => by.iter().chain(a).collect(),
        CanMenu(p, _, a) => std::iter::once(p).chain(a).collect(),
    }
}

/// The expressions in a text's holes.
pub fn holes(t: &Text) -> Vec<&Expr> {
    t.parts.iter().filter_map(|p| if let TextPart::Hole(e) = p { Some(e) } else { None }).collect()
}

/// Calls `f` with the expression and everything inside it, outermost first.
pub fn every<'a>(e: &'a Expr, f: &mut dyn FnMut(&'a Expr)) {
    f(e);
    for p in parts(e) {
        every(p, f);
    }
}

/// Whether the expression or anything inside it is such.
pub fn any(e: &Expr, f: &mut dyn FnMut(&Expr) -> bool) -> bool {
    f(e) || parts(e).into_iter().any(|p| any(p, f))
}

/// The expressions and blocks directly inside a statement, expressions first.
pub fn inside(s: &Stmt) -> (Vec<&Expr>, Vec<&Block>) {
    use StmtKind::*;
    match &s.kind {
        Let(_, e) | Roll(e) | Discard(e) | Flip(e, _) | Give(e) => (vec![e], vec![]),
        Assign(lhs, _, e) => {
            let mut out = Vec::new();
            match lhs {
                Lhs::Attr(b, _) | Lhs::DieValue(b) => out.push(b),
                Lhs::Local(_) | Lhs::TableAttr(_) => {}
            }
            out.push(e);
            (out, vec![])
        }
        If(c, a, b) => (vec![c], vec![a, b]),
        For(_, e, b) | Repeat(e, b) | RepeatUntil(e, b) | As(_, e, b) => (vec![e], vec![b]),
        Needs(g) | MustLeave(g) => {
            (std::iter::once(&g.cond).chain(g.reason.iter().flat_map(holes)).collect(), vec![])
        }
        Everyone(e) => (std::iter::once(&e.who).chain(&e.from).chain(&e.until).collect(), vec![&e.body]),
        Offer(p, menus) => (std::iter::once(p).chain(menus.iter().flat_map(|(_, a)| a)).collect(), vec![]),
        May(m) => (m.by.iter().chain(m.prompt.iter().flat_map(holes)).collect(), vec![&m.body]),
        Either(e) => (
            e.ways.iter().flat_map(|(t, _)| t.iter().flat_map(holes)).collect(),
            e.ways.iter().map(|(_, b)| b).collect(),
        ),
        Move(m) => (vec![&m.what, &m.to], vec![]),
        Swap(a, b) | Becomes(a, b) => (vec![a, b], vec![]),
        Shuffle(z) => (z.iter().collect(), vec![]),
        Show(a, b) => (std::iter::once(a).chain(b).collect(), vec![]),
        Until(u, b) => {
            (if let crate::model::hir::Until::StartOfTurn(p) = u { vec![p] } else { vec![] }, vec![b])
        }
        Attach(_) | Build(_) | Stop => (vec![], vec![]),
        End(_, e) => (e.iter().collect(), vec![]),
        Proceed(a) => (a.iter().map(|(_, e)| e).collect(), vec![]),
        Say(t) => (holes(t), vec![]),
        Verdict(_, who, t) => (who.iter().chain(t.iter().flat_map(holes)).collect(), vec![]),
        Call(_, by, a) => (by.iter().chain(a).collect(), vec![]),
        CallHook(_, a) => (a.iter().collect(), vec![]),
    }
}

/// Calls `f` with every expression of a block, of the blocks in it, and of what is inside the expressions.
pub fn every_in<'a>(b: &'a Block, f: &mut dyn FnMut(&'a Expr)) {
    for s in b {
        let (es, bs) = inside(s);
        for e in es {
            every(e, f);
        }
        for b in bs {
            every_in(b, f);
        }
    }
}

/// Calls `f` with every statement of a block and of the blocks in it.
pub fn every_stmt<'a>(b: &'a Block, f: &mut dyn FnMut(&'a Stmt)) {
    for s in b {
        f(s);
        for b in inside(s).1 {
            every_stmt(b, f);
        }
    }
}
