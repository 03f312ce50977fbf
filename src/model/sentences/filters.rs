//! Words for filters of components: `yellow or 4`.
use crate::body::types;
use crate::hir::*;

/// The parts of a title that are written out.
fn plain_text(title: &Text) -> String {
    let literal = |part: &TextPart| if let TextPart::Literal(t) = part { Some(t.to_string()) } else { None };
    title.parts.iter().filter_map(literal).collect()
}

/// The text of a filter (`yellow or 4`), if all its parts have one: for people, or in the words of the rules. `it` is what it is asked of.
pub fn filter_text(m: &Model, e: &Expr, it: LocalId, people: bool) -> Option<String> {
    let is_it = |x: &Expr| matches!(&*x.kind, ExprKind::Local(l) if *l == it);
    let value = |x: &Expr| matches!(&*x.kind, ExprKind::Builtin(Builtin::DieValue, a) if a.first().is_some_and(is_it));
    let inside = |x: &Expr| {
        let text = filter_text(m, x, it, people)?;
        Some(if matches!(&*x.kind, ExprKind::Or(..)) { format!("({text})") } else { text })
    };
    let member = |id: &MemberId| {
        let d = m.members.get(id.index())?;
        Some(if people { plain_text(&d.title) } else { d.name.to_string() })
    };
    let number = |x: &Expr| match &*x.kind {
        ExprKind::Int(n) => Some(*n),
        _ => None,
    };
    Some(match &*e.kind {
        ExprKind::Bool(true) => String::from("all"),
        ExprKind::And(a, b) => format!("{} and {}", inside(a)?, inside(b)?),
        ExprKind::Or(a, b) => {
            format!("{} or {}", filter_text(m, a, it, people)?, filter_text(m, b, it, people)?)
        }
        ExprKind::Not(a) => {
            let text = filter_text(m, a, it, people)?;
            let bare = !matches!(&*a.kind, ExprKind::Or(..) | ExprKind::And(..));
            if bare { format!("not {text}") } else { format!("not ({text})") }
        }
        ExprKind::Builtin(b @ (Builtin::Odd | Builtin::Even), a) if a.first().is_some_and(value) => {
            String::from(if *b == Builtin::Odd { "odd" } else { "even" })
        }
        ExprKind::Compare(Comparison::Eq, x, y) if value(x) => number(y)?.to_string(),
        ExprKind::Compare(Comparison::Eq, x, y) => match (&*x.kind, &*y.kind) {
            (ExprKind::Attr(x, _), ExprKind::Member(id)) if is_it(x) => member(id)?,
            _ => return None,
        },
        ExprKind::In(x, r) if value(x) => match &*r.kind {
            ExprKind::Range(a, b) => types::show_range(number(a)?, number(b)?),
            _ => return None,
        },
        ExprKind::IsFace(x, id, None) if is_it(x) => member(id)?,
        ExprKind::Attr(x, a) if is_it(x) => m.attrs.get(a.index())?.name.to_string(),
        _ => return None,
    })
}
