//! Warns where two attachments exclude each other and nothing says which of them counts: both set one value, or both replace one rule without doing it.
use super::{codes, types, walk};
use crate::hir::*;
use houserule_text::{Diagnostic, Report};

/// What an attachment does always, whenever it is in force.
struct Does<'m> {
    a: &'m Attachment,
    head: &'m Head,
    replaces: bool,
}

/// Reports each attachment that sets a value, or replaces a rule, as one before it does.
pub fn warn_unordered(m: &Model, out: &mut Report) {
    let mut seen: Vec<Does<'_>> = Vec::new();
    for a in &m.attachments {
        let replaces = match &a.what {
            // What reads the value below goes on top of it, whatever that is.
            AttachKind::Modify(Change::Set, e)
                if !walk::any_expr(e, &mut |e| matches!(*e.kind, ExprKind::Usual)) =>
            {
                false
            }
            AttachKind::Instead(b) if !does_proceed(b) => true,
            _ => continue,
        };
        let limited = a.when.is_some() || a.by.is_some() || a.once.is_some() || a.may.is_some();
        if limited || !a.during.is_empty() {
            continue;
        }
        for head in a.heads.iter().filter(|h| h.patterns.iter().all(|p| is_for_all(a, p))) {
            let d = Does { a, head, replaces };
            if let Some(other) = seen.iter().find(|x| conflict(m, x, &d)) {
                out.push(describe(m, &d, other.a));
            }
            seen.push(d);
        }
    }
}

/// Whether a block does the rule that it replaces.
fn does_proceed(b: &[Stmt]) -> bool {
    let mut found = false;
    walk::visit_stmts(b, &mut |s| found |= matches!(s.kind, StmtKind::Proceed(_)));
    walk::visit_block_exprs(b, &mut |e| found |= matches!(*e.kind, ExprKind::Usual));
    found
}

/// Whether a pattern takes every argument, or the owner of the thing that carries the attachment.
fn is_for_all(a: &Attachment, p: &Pattern) -> bool {
    !matches!(p, Pattern::Test(..)) || a.carrier.is_some() && is_owner(a, p)
}

fn is_owner(a: &Attachment, p: &Pattern) -> bool {
    let Pattern::Test(_, e) = p else { return false };
    let is = |x: &Expr| matches!(&*x.kind, ExprKind::Local(l) if Some(*l) == a.owner);
    matches!(&*e.kind, ExprKind::Compare(Comparison::Eq, x, y) if is(x) || is(y))
}

/// Whether both may be in force for the same arguments, with nothing that says which comes first.
fn conflict(m: &Model, x: &Does<'_>, y: &Does<'_>) -> bool {
    if x.replaces != y.replaces || x.head.target != y.head.target {
        return false;
    }
    match (&x.a.carrier, &y.a.carrier) {
        (None, None) => x.a.scope == y.a.scope,
        (Some(one), Some(other)) => {
            let together = x.a.scope == y.a.scope || x.a.scope.0 == 0 || y.a.scope.0 == 0;
            together && !are_kept_apart(m, (one, x), (other, y))
        }
        // What a card changes goes on top of what holds always.
        _ => false,
    }
}

/// Whether the things that carry both are never in force together: they lie in the same slot, or with different players.
fn are_kept_apart(m: &Model, (one, x): (&Carrier, &Does<'_>), (other, y): (&Carrier, &Does<'_>)) -> bool {
    let kind = |c: &Carrier| match c {
        Carrier::Kind(k) => Some(*k),
        Carrier::Member(id) => m.members.get(id.index()).map(|d| d.kind),
    };
    let (Some(a), Some(b)) = (kind(one), kind(other)) else { return true };
    if !types::is_component(m, a) || !types::is_component(m, b) {
        return false;
    }
    // A subkind and the kind above it are in force one after the other.
    if a != b
        && (types::is_a(m, a, b) || types::is_a(m, b, a))
        && matches!((one, other), (Carrier::Kind(_), _) | (_, Carrier::Kind(_)))
    {
        return true;
    }
    if let (Carrier::Member(p), Carrier::Member(q)) = (one, other)
        && p == q
    {
        return false;
    }
    let active = |k: KindId| {
        let holds = move |z: &&Zone| z.holds.iter().any(|h| types::is_a(m, k, *h) || types::is_a(m, *h, k));
        m.zones.iter().filter(holds).filter(|z| !matches!(z.active, Active::Never))
    };
    let same_player =
        x.head.patterns.iter().any(|p| is_owner(x.a, p)) && y.head.patterns.iter().any(|p| is_owner(y.a, p));
    let mut zones = active(a);
    match (zones.next(), zones.next()) {
        (None, _) => true,
        (Some(z), None) => {
            let holds_one =
                z.slot || z.capacity.as_ref().is_some_and(|c| matches!(*c.body.kind, ExprKind::Int(1)));
            let together = active(b).all(|other| std::ptr::eq(z, other)) && holds_one && z.index.is_none();
            together && (z.of.is_none() || same_player)
        }
        _ => false,
    }
}

fn describe(m: &Model, d: &Does<'_>, other: &Attachment) -> Diagnostic {
    let name = match d.head.target {
        Target::Value(v) => m.values.get(v.index()).map(|v| v.name.to_string()),
        Target::Rule(r) => m.rules.get(r.index()).map(|r| r.name.to_string()),
        Target::Action(a) => m.actions.get(a.index()).map(|a| a.name.to_string()),
        _ => None,
    };
    let name = name.map_or_else(|| String::from("one thing"), |n| format!("`{n}`"));
    let (code, message, help) = match d.replaces {
        false => (
            codes::TWO_SETS,
            format!("two modifications set {name}, and nothing says which comes first"),
            "write when each applies (`when …`), or use `+=`, `at least` or `at most`",
        ),
        true => (
            codes::TWO_REPLACE,
            format!("two attachments replace {name}, and nothing says which comes first"),
            "write when each applies (`when …`), let somebody choose (`may by …`), or do the rest with `proceed()`",
        ),
    };
    let label = match d.a.carrier {
        Some(_) => "of two that are in force, the one that came last counts",
        None => "the newest one wins",
    };
    Diagnostic::warning(code, d.a.span, message)
        .label(label)
        .also(other.span, "the other one is here")
        .help(help)
}
