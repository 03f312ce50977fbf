//! Reads `either "…" { } or "…" { }`: a choice of a word for each way that can begin, and a condition that tests which it was.
//!
//! ```text
//! either "Eat" { needs my.food > 0; eat() } or "Starve" { my.health -= 1 }
//! # let way = choose one of (the ways where it != eat or my.food > 0)
//! # if way == eat { needs my.food > 0; eat() } else if way == starve { my.health -= 1 }
//! ```
use super::build::{self, cond, expr};
use super::cx::Cx;
use super::{types, walk};
use crate::hir::*;
use houserule_syntax::ast;
use houserule_text::Span;

impl Cx<'_> {
    /// Reads an `either`: the statement that binds the chosen way, and the one that does it.
    pub(super) fn read_either(&mut self, ways: &[ast::EitherWay], span: Span) -> (StmtKind, StmtKind) {
        let me = self.read_me(span);
        let kind = self.ix.kind(&ast::name_of_ways(ways.iter().map(|w| &w.name)));
        let members =
            kind.and_then(|k| types::kind(self.model(), k)).map_or(Vec::new(), |k| k.members.clone());
        let ty = kind.map_or(Ty::Error, Ty::Of);
        let (way, it) =
            (self.new_local("way", types::maybe(ty.clone()), span), self.new_local("it", ty.clone(), span));
        if let Some(uses) = self.uses.get_mut(way.index()) {
            *uses += 1;
        }
        let is = |l: LocalId, of: &Ty, m: &MemberId| {
            let (word, l) = (expr(ty.clone(), span, ExprKind::Member(*m)), build::local(l, of.clone(), span));
            cond(span, ExprKind::Compare(Comparison::Eq, l, word))
        };
        let mut can_begin = build::truth(true, span);
        let mut bodies = Vec::new();
        for (w, m) in ways.iter().zip(&members) {
            let body = self.read_in_scope(|cx| cx.read_stmts(&w.body.stmts));
            if let Some(guard) = guards_at_the_beginning(self.model(), &body) {
                let other = build::not(is(it, &ty, m));
                can_begin = build::and(can_begin, cond(guard.span, ExprKind::Or(other, guard)));
            }
            bodies.push((is(way, &types::maybe(ty.clone()), m), body));
        }
        self.forget();
        let set = types::set_of(ty.clone());
        let all = expr(set.clone(), span, kind.map_or(ExprKind::Error, ExprKind::All));
        let from = match &*can_begin.kind {
            ExprKind::Bool(true) => all,
            _ => expr(set, span, ExprKind::Where(all, it, can_begin)),
        };
        let by = Chooser::Player(me);
        let prompt = Some(list_ways(self.model(), &members, span));
        let choice = ExprKind::Choose(Box::new(Choose { many: Many::One, from, by, prompt }));
        let chosen = StmtKind::Let(way, expr(types::maybe(ty), span, choice));
        let mut by_way = Vec::new();
        for (is_this, body) in bodies.into_iter().rev() {
            let kind = StmtKind::If(is_this, body, std::mem::take(&mut by_way));
            by_way = vec![Stmt { span, kind }];
        }
        (chosen, by_way.pop().map_or(StmtKind::Stop, |s| s.kind))
    }
}

/// What is asked: `Eat or Starve?`.
fn list_ways(m: &Model, ways: &[MemberId], span: Span) -> Text {
    let title = |w: &MemberId| m.members[w.index()].title.parts.iter().map(to_literal).collect::<String>();
    let titles: Vec<String> = ways.iter().map(title).collect();
    let text = match titles.as_slice() {
        [most @ .., last] if !most.is_empty() => format!("{} or {last}?", most.join(", ")),
        few => format!("{}?", few.join(", ")),
    };
    Text::plain(text, span)
}

/// A piece of a title, which has no holes.
fn to_literal(part: &TextPart) -> &str {
    match part {
        TextPart::Literal(text) => text,
        TextPart::Hole(_) => "",
    }
}

/// What a block needs before it does anything: its guards, and those of a rule that it calls first.
fn guards_at_the_beginning(m: &Model, b: &Block) -> Option<Expr> {
    let guards = b.iter().map_while(|s| match &s.kind {
        StmtKind::Needs(g) => Some(g.cond.clone()),
        _ => None,
    });
    let first = b.iter().find(|s| !matches!(s.kind, StmtKind::Needs(_)));
    let begins = first.and_then(|s| match &s.kind {
        StmtKind::Call(r, by, args) if !by.iter().chain(args).any(walk::is_acting) => {
            Some(cond(s.span, ExprKind::CanRule(m.said_for(*r), by.clone(), args.clone())))
        }
        _ => None,
    });
    guards.chain(begins).reduce(build::and)
}
