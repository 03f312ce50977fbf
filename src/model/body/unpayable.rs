//! Refuses costs that nobody can ever pay, because nothing gives what they ask for.
//!
//! ```text
//! player { goods: bag of Good }                              # begins with nothing
//! action saw() in acts cost 1 wood from my.goods { … }       # refused, unless something adds wood
//! ```
//!
//! An attribute is given if it begins with more than 0, or if anything sets or increases it: a rule, a member, a picture, a test. A script may call any rule, and
//! whatever is unclear gives, too.
use super::{codes, types, walk};
use crate::hir::*;
use houserule_text::{Diagnostic, Report, Span};
use rustc_hash::FxHashSet as HashSet;

/// Reports the first cost of each attribute that nothing gives.
pub fn check_payable(model: &Model, out: &mut Report) {
    let mut told = HashSet::default();
    let mut given = None;
    for action in &model.actions {
        for (at, word) in &action.costs {
            let Some(HeadStep::Needs(guard)) = action.head.get(*at) else { continue };
            let Some((attr, span)) = find_due(guard) else { continue };
            let given = given.get_or_insert_with(|| list_given(model));
            let Some(purse) = model.attrs.get(attr.index()) else { continue };
            if given.contains(&attr) || !told.insert(attr) {
                continue;
            }
            let message =
                format!("nobody can ever pay {word}: the game begins with none, and nothing gives any");
            let declared = model.attrs.iter().find(|a| a.parts.contains(&attr)).unwrap_or(purse);
            let name = &declared.name;
            let help = match declared.parts.is_empty() {
                true => format!("let a rule give some, `my.{name} += 1`, or let it begin with more than 0"),
                false => {
                    format!("let a rule give some, `my.{name} += 1 {word}`, or let the bag begin with some")
                }
            };
            let d = Diagnostic::error(codes::OUTSIDE, span, message).also(declared.span, "declared here");
            out.push(d.help(help));
        }
    }
}

/// What the guard of a cost asks for, if it asks for 1 or more in every game.
fn find_due(guard: &Guard) -> Option<(AttrId, Span)> {
    walk::joined_conditions(&guard.cond).into_iter().find_map(|c| {
        let ExprKind::Compare(Comparison::Le, n, has) = &*c.kind else { return None };
        let (ExprKind::Attr(_, attr) | ExprKind::TableAttr(attr)) = &*has.kind else { return None };
        let (least, _) = types::bounds(&n.ty)?;
        (least > 0).then_some((*attr, n.span))
    })
}

/// The attributes that may be more than 0 at some time.
fn list_given(model: &Model) -> HashSet<AttrId> {
    let is_zero = |e: &Expr| matches!(&*e.kind, ExprKind::Int(..=0));
    let mut given = HashSet::default();
    for (id, attr) in (0..).map(AttrId).zip(&model.attrs) {
        let begins = attr.default.as_ref().is_none_or(|b| !is_zero(&b.body));
        if begins || attr.has_of.is_some() {
            given.insert(id);
        }
    }
    let sets = model.members.iter().flat_map(|m| &m.sets);
    given.extend(sets.filter(|(_, b)| !is_zero(&b.body)).map(|(a, _)| *a));
    let marks = model.maps.iter().flat_map(|m| &m.legend).flat_map(|r| &r.marks);
    given.extend(marks.filter_map(|m| match m {
        Mark::Set(a, _) | Mark::Player(a, _) => Some(*a),
        _ => None,
    }));
    walk::visit_game(model, &mut |_| {}, &mut |s| {
        let StmtKind::Assign(Lhs::Attr(_, a) | Lhs::TableAttr(a), change, e) = &s.kind else { return };
        let takes = match change {
            Change::Sub => types::bounds(&e.ty).is_some_and(|(least, _)| least >= 0),
            _ => is_zero(e),
        };
        if !takes {
            given.insert(*a);
        }
    });
    given
}
