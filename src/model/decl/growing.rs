//! Maps that grow (`squares within 41 by 41`): a value that the checker writes says which of their spaces are in play.
//!
//! ```text
//! value in_play: set of Cell =                         # where the rules write `Cell`
//!   let used = Cell where it.tile is some or it.turned != 0 …
//!   if used is empty then [U21] else used + neighbours(used)
//! ```
use super::Declarer;
use crate::body::cx::{Cx, Mode};
use crate::body::index::Index;
use crate::body::{build, types};
use crate::codes;
use crate::hir::*;
use houserule_text::{Diagnostic, Report, Span};

impl Declarer<'_> {
    /// Declares the value of each growing map, so that bodies can read it.
    pub(super) fn declare_in_play(&mut self) {
        for map in std::mem::take(&mut self.growing) {
            let Model { maps, values, kinds, .. } = &mut self.model;
            let Some(map) = maps.get_mut(map.index()) else { continue };
            // Reported where the map is declared.
            if map.size.is_none() || !kinds.get(map.space.index()).is_some_and(|k| is_on_a_map(&k.sort)) {
                continue;
            }
            map.in_play = Some(ValueId(values.len() as u32));
            values.push(Value {
                name: map.name.clone(),
                of: None,
                body: Body { locals: Vec::new(), params: 0, body: None },
                ty: types::set_of(Ty::Of(map.space)),
                role: ValueRole::InPlay,
                span: Span::default(),
                doc: None,
                scope: map.scope,
            });
            for p in &map.pictures {
                let message = format!("{} grows, so it has no picture", map.name);
                let d = Diagnostic::error(codes::GROWING, p.span, message);
                self.report
                    .push(d.help("put what lies there at the beginning in `setup`, or leave out `within`"));
            }
        }
    }
}

/// Writes the value of each growing map; how attributes begin is known by now.
pub(super) fn fill_in_play(m: &mut Model, report: &mut Report) {
    for i in 0..m.maps.len() {
        let Some(id) = m.maps[i].in_play else { continue };
        let ix = Index::new(m);
        let body = write_in_play(&ix, report, &m.maps[i]);
        if let Some(value) = m.values.get_mut(id.index()) {
            value.body = body;
        }
    }
}

fn is_on_a_map(sort: &KindSort) -> bool {
    matches!(sort, KindSort::Space(Some(_)))
}

fn write_in_play<'a>(ix: &'a Index<'a>, report: &'a mut Report, map: &Map) -> Body<Option<Expr>> {
    let (m, k, span) = (ix.model, map.space, map.span);
    let mut cx = Cx::new(ix, report, Mode::Pure("a growing map"));
    let of = types::set_of(Ty::Of(k));
    let it = cx.new_local("it", Ty::Of(k), span);
    let here = || build::local(it, Ty::Of(k), span);
    let mut tests = Vec::new();
    for (_, kind) in m.kinds.iter().enumerate().filter(|(i, _)| types::is_a(m, k, KindId(*i as u32))) {
        for z in &kind.zones {
            let Some(zone) = m.zones.get(z.index()) else { continue };
            if zone.index.is_some() {
                cx.push(cannot_tell(
                    zone.span,
                    format!("`{}` is one of several zones of a space", zone.name),
                ));
                continue;
            }
            let lying = cx.read_zone_raw(Some(here()), *z, None, span);
            tests.push(match zone.slot {
                true => build::cond(span, ExprKind::IsSome(lying)),
                false => build::not(build::cond(span, ExprKind::IsEmpty(lying))),
            });
        }
        for a in &kind.attrs {
            // Of a bag, its parts are asked.
            let Some(attr) = m.attrs.get(a.index()).filter(|a| a.parts.is_empty()) else { continue };
            let value = build::expr(attr.ty.clone(), span, ExprKind::Attr(here(), *a));
            let begins = attr.default.as_ref().map(|d| &d.body);
            tests.push(match (begins, &attr.ty) {
                (None, Ty::Maybe(_)) => build::cond(span, ExprKind::IsSome(value)),
                (Some(e), Ty::Maybe(_)) if matches!(&*e.kind, ExprKind::None) => {
                    build::cond(span, ExprKind::IsSome(value))
                }
                (Some(e), _) if is_constant(e) => {
                    build::cond(span, ExprKind::Compare(Comparison::Ne, value, e.clone()))
                }
                _ => {
                    cx.push(cannot_tell(attr.span, format!("`{}` begins with no fixed value", attr.name)));
                    continue;
                }
            });
        }
    }
    if tests.is_empty() {
        let d = Diagnostic::error(
            codes::GROWING,
            span,
            format!("{} never grows: its spaces have nothing", map.name),
        );
        cx.push(d.help("give them what may lie there: `space Cell on M { slot tile: Tile }`"));
    }
    if let Some(at) = types::standing(m).filter(|a| stands_on(m, *a, k)) {
        let p = cx.new_local("p", types::player(), span);
        let ty = types::maybe(Ty::Of(k));
        let stands = build::expr(ty, span, ExprKind::Attr(build::local(p, types::player(), span), at));
        let test = build::cond(span, ExprKind::Compare(Comparison::Eq, stands, here()));
        let fold =
            Fold { op: FoldOp::Any, var: p, over: build::players(span), cond: None, bodies: vec![test] };
        tests.push(build::cond(span, ExprKind::Fold(Box::new(fold))));
    }
    let or = |a, b| build::cond(span, ExprKind::Or(a, b));
    let test = tests.into_iter().reduce(or).unwrap_or_else(|| build::truth(false, span));
    let all = build::expr(of.clone(), span, ExprKind::All(k));
    let lying = build::expr(of.clone(), span, ExprKind::Where(all, it, test));
    let used = cx.new_local("used", of.clone(), span);
    let them = || build::local(used, of.clone(), span);
    let (w, h) = map.size.unwrap_or((1, 1));
    let id = m.maps.iter().position(|x| x.space == k).unwrap_or(0);
    let middle = ExprKind::Space(MapId(id as u32), w / 2, h / 2);
    let first = build::single(build::expr(Ty::Of(k), span, middle));
    let beside = build::builtin(Builtin::Neighbours, vec![them(), build::none(span)], of.clone(), span);
    let with_fringe = build::expr(of.clone(), span, ExprKind::Union(them(), beside));
    let none = build::cond(span, ExprKind::IsEmpty(them()));
    let either = build::expr(of.clone(), span, ExprKind::If(none, first, with_fringe));
    let body = build::expr(of, span, ExprKind::Let(used, lying, either));
    Body { locals: std::mem::take(&mut cx.locals), params: 0, body: Some(body) }
}

fn cannot_tell(span: Span, why: String) -> Diagnostic {
    let message = format!("{why}, so it is not known which spaces of the growing map are in use");
    Diagnostic::error(codes::GROWING, span, message)
        .help("spaces of a growing map have slots, zones, and attributes with a word or number at the beginning: `height: 0..9 = 0`")
}

/// Whether an attribute begins so for every space.
fn is_constant(e: &Expr) -> bool {
    match &*e.kind {
        ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::Member(_) | ExprKind::Direction(_) => true,
        ExprKind::Neg(e) => is_constant(e),
        _ => false,
    }
}

fn stands_on(m: &Model, at: AttrId, k: KindId) -> bool {
    m.attrs.get(at.index()).is_some_and(|a| types::plain(&a.ty) == Ty::Of(k))
}
