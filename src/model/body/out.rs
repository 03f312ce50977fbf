//! `out when C`: what the cards of a player bring is not in force while the player is out.
//!
//! ```text
//! player { lives: 0..3 = 3; out when lives == 0; zone kept: Card active }
//! ```
//!
//! Each `out when` is a value of the player ([`ValueRole::Out`]). [`link_out`] adds it to the condition under which each zone of players is active. So the compiler and the reference
//! have no line for it. A card cannot modify what decides whether its holder is out: whether the card is in force would depend on itself.
use super::{build, codes, types, walk};
use crate::hir::*;
use houserule_text::{Diagnostic, Report};

/// Makes zones of players active only while their player is not out.
pub fn link_out(m: &mut Model, report: &mut Report) {
    let out_when = m.kinds.get(builtin_kinds::PLAYER.index()).map_or(Vec::new(), |k| k.out_when.clone());
    if out_when.is_empty() {
        return;
    }
    report_circles(m, &out_when, report);
    for z in m.zones.iter_mut().filter(|z| z.of == Some(builtin_kinds::PLAYER)) {
        let (span, thing) = (z.span, z.holds.first().map_or(Ty::Error, |k| Ty::Of(*k)));
        let (mut body, mut conds) = match &z.active {
            Active::Never => continue,
            Active::Always => {
                let local = |name: &str, ty| Local { name: name.into(), ty, span };
                let locals = vec![local("this", thing), local("owner", types::player())];
                (Body { locals, params: 2, body: build::cond(span, ExprKind::Bool(true)) }, Vec::new())
            }
            Active::When(b) => (b.clone(), vec![b.body.clone()]),
        };
        for (scope, v) in &out_when {
            let owner = build::local(LocalId(1), types::player(), span);
            let mut out = build::cond(span, ExprKind::Value(*v, vec![owner]));
            if *scope != ScopeId(0) {
                let on = build::cond(span, ExprKind::VariantOn(*scope));
                out = build::cond(span, ExprKind::And(on, out));
            }
            conds.push(build::cond(span, ExprKind::Not(out)));
        }
        let joined = conds.into_iter().reduce(|a, b| build::cond(span, ExprKind::And(a, b)));
        body.body = joined.unwrap_or(body.body);
        z.active = Active::When(body);
    }
}

/// Reports modifications by components of what decides whether a player is out.
fn report_circles(m: &Model, out_when: &[(ScopeId, ValueId)], report: &mut Report) {
    let mut reached: Vec<ValueId> = out_when.iter().map(|(_, v)| *v).collect();
    let mut at = 0;
    while let Some(v) = reached.get(at).copied() {
        at += 1;
        let mut note = |e: &Expr| {
            walk::visit_exprs(e, &mut |e| {
                if let ExprKind::Value(v, _) = &*e.kind
                    && !reached.contains(v)
                {
                    reached.push(*v);
                }
            });
        };
        m.values.get(v.index()).and_then(|v| v.body.body.as_ref()).into_iter().for_each(&mut note);
        m.members.iter().flat_map(|x| &x.fills).filter(|(f, _)| *f == v).for_each(|(_, b)| note(&b.body));
        for a in m.attachments.iter().filter(|a| a.heads.iter().any(|h| h.target == Target::Value(v))) {
            walk::attachment_parts(a).0.into_iter().for_each(&mut note);
            let kind = match &a.carrier {
                Some(Carrier::Kind(k)) => Some(*k),
                Some(Carrier::Member(x)) => m.members.get(x.index()).map(|x| x.kind),
                None => None,
            };
            if kind.is_some_and(|k| types::is_component(m, k)) {
                let place = m.values.get(out_when.first().map_or(0, |(_, v)| v.index())).map(|v| v.span);
                let message = "this decides whether a player is out, and so whether it is itself in force";
                report.push(
                    Diagnostic::error(codes::OUT_BY_CARDS, a.span, message)
                        .also(place.unwrap_or(a.span), "who is out is decided here")
                        .help("let `out when` read an attribute of the player, which rules change"),
                );
            }
        }
    }
}
