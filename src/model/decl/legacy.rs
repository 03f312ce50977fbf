//! Reads options that get a value, and `legacy`: what the end of a game hands to the next one of a campaign.
use crate::body::cx::{Cx, Mode};
use crate::body::index::Index;
use crate::body::stmt::to_verdict;
use crate::body::{codes, hints, test, types};
use crate::hir::*;
use houserule_syntax::ast;
use houserule_text::{Diagnostic, Report};

/// An option with the value that it gets.
pub fn read_option(ix: &Index<'_>, out: &mut Report, s: &ast::SetOption) -> Option<(OptionId, Expr)> {
    let mut cx = Cx::new(ix, out, Mode::Pure("an option's value"));
    let id = test::find_option(&mut cx, &s.name)?;
    let ty = cx.model().options.get(id.index())?.ty.clone();
    let e = cx.read_as(&s.value, &ty, "the option's value");
    Some((id, e))
}

/// The rows of a `legacy`.
pub fn read_legacy(
    ix: &Index<'_>,
    out: &mut Report,
    scope: ScopeId,
    rows: &[ast::LegacyRow],
) -> Vec<LegacyRow> {
    let mut all: Vec<LegacyRow> = Vec::new();
    for row in rows {
        let Some(kind) = read_row(ix, out, scope, row) else { continue };
        let twice = |o: &OptionId| all.iter().any(|x| matches!(&x.kind, LegacyKind::Option(p, _) if p == o));
        match &kind {
            LegacyKind::Option(o, _) if twice(o) => {
                let name = ix.model.options.get(o.index()).map_or("", |o| &*o.name);
                out.push(hints::report_said_twice(row.span, name));
                continue;
            }
            LegacyKind::Next(..) => {
                let always = |x: &&LegacyRow| matches!(x.kind, LegacyKind::Next(_, NextWhen::Always));
                if let Some(first) = all.iter().find(always) {
                    let d = Diagnostic::warning(codes::UNREACHABLE, row.span, "this is never reached");
                    let d = d.also(first.span, "this scenario is always next");
                    out.push(d.help("put what has a condition first"));
                }
            }
            LegacyKind::Option(..) => {}
        }
        all.push(LegacyRow { kind, span: row.span, scope });
    }
    all
}

fn read_row(ix: &Index<'_>, out: &mut Report, scope: ScopeId, row: &ast::LegacyRow) -> Option<LegacyKind> {
    use ast::LegacyRowKind as R;
    let mut cx = Cx::new(ix, out, Mode::Pure("what the end of a game hands on"));
    let (name, when) = match &row.kind {
        R::Option(s) => {
            let id = test::find_option(&mut cx, &s.name)?;
            let option = cx.model().options.get(id.index())?;
            if option.scope != ScopeId(0) && option.scope != scope {
                let message = format!("the next game may be without the option `{}`", s.name.text);
                let d = Diagnostic::error(crate::codes::LEGACY, s.name.span, message);
                let d = d.also(option.span, "it is declared in a scenario, a variant or a mod");
                cx.push(d.help("declare the option in the game itself"));
                return None;
            }
            let ty = option.ty.clone();
            let of = if let Ty::Maybe(inner) = &ty { inner } else { &ty };
            if let Ty::Of(k) = of
                && types::is_component(cx.model(), *k)
            {
                let kind = cx.model().kinds.get(k.index()).map_or("K", |k| &*k.name);
                let message =
                    format!("the option `{}` names a {kind}, which ends with the game", s.name.text);
                let d = Diagnostic::error(crate::codes::LEGACY, s.name.span, message);
                cx.push(
                    d.help(format!("let the option name the face: `option {}: face of {kind}`", s.name.text)),
                );
                return None;
            }
            let e = cx.read_as(&s.value, &ty, "the option's value");
            return Some(LegacyKind::Option(id, e));
        }
        R::Next(n) => (n, NextWhen::Always),
        R::NextOutcome(n, o) => (n, NextWhen::Outcome(to_verdict(*o))),
        R::NextWhen(n, c) => (n, NextWhen::Holds(cx.read_cond(c, "the condition of `next`"))),
    };
    let to = match name {
        Some(n) => Some(test::find_scenario(&mut cx, n)?),
        None => None,
    };
    Some(LegacyKind::Next(to, when))
}
