//! Reads statements that decide who acts and how often: `for`, `repeat`, `everyone`, and the points of a game at which something ends.
use super::build::{self, cond, expr};
use super::codes;
use super::cx::{Cx, Me};
use super::index::Thing;
use super::types;
use super::walk;
use crate::hir::Mode as Mode2;
use crate::hir::*;
use crate::uses::Def;
use houserule_syntax::ast;
use houserule_text::{Diagnostic, Span};

impl<'a> Cx<'a> {
    pub(super) fn read_for(
        &mut self,
        name: &ast::Name,
        over: &ast::Expr,
        by: Option<&ast::Expr>,
        body: &ast::Block,
    ) -> StmtKind {
        let over = match &*over.kind {
            ast::ExprKind::Where(s, p) => self.read_where(s, p, over.span, None),
            ast::ExprKind::Set(_) => self.read_sequence(over),
            _ => self.read_source(over, None, None),
        };
        let over = self.read_collection(over, "the set of `for`");
        let el = types::element(self.model(), &over.ty).unwrap_or(Ty::Error);
        let sorted = by.map(|by| self.sort_by(&over, &el, name, by));
        self.forget();
        self.read_in_scope(|cx| {
            let l = cx.bind(name, el);
            cx.note_unique(l, &over);
            let body = cx.read_stmts(&body.stmts);
            match sorted {
                None => StmtKind::For(l, over, body),
                Some((mut before, list)) => {
                    let span = over.span;
                    before.push(Stmt { span, kind: StmtKind::For(l, list, body) });
                    StmtKind::If(cond(span, ExprKind::Bool(true)), before, Vec::new())
                }
            }
        })
    }

    /// The statements that make a list of what `for x in S by e` goes through, the lowest e first, and the list. Equal ones stay in the order of S.
    fn sort_by(&mut self, over: &Expr, el: &Ty, name: &ast::Name, by: &ast::Expr) -> (Vec<Stmt>, Expr) {
        let span = over.span;
        let (var, key) = self.read_in_scope(|cx| {
            let var = cx.bind(name, el.clone());
            (var, cx.read_purely("the order of `for`", |cx| cx.read_number_of(by, "the order of `for`")))
        });
        let listed = types::list_of(el.clone());
        let rest = if matches!(over.ty, Ty::List(_)) { listed.clone() } else { types::set_of(el.clone()) };
        let (left, next, row) = (
            self.new_local("it", rest.clone(), span),
            self.new_local("it", el.clone(), span),
            self.new_local("it", listed.clone(), span),
        );
        let left_now = || build::local(left, rest.clone(), span);
        let number = types::maybe(key.ty.clone());
        let lowest = Fold { op: FoldOp::Min, var, over: left_now(), cond: None, bodies: vec![key.clone()] };
        let lowest = expr(number.clone(), span, ExprKind::Fold(Box::new(lowest)));
        let least = self.new_local("it", number.clone(), span);
        let test = cond(span, ExprKind::Compare(Comparison::Eq, key, build::local(least, number, span)));
        // Unlike a fold, a filter keeps the order of a list.
        let equal = expr(rest.clone(), span, ExprKind::Where(left_now(), var, test));
        let first = expr(el.clone(), span, ExprKind::First { of: equal, last: false, n: None });
        let it = || build::local(next, el.clone(), span);
        let one = |ty: &Ty| {
            let listed = matches!(ty, Ty::List(_));
            let all = vec![it()];
            expr(ty.clone(), span, if listed { ExprKind::List(all) } else { ExprKind::Set(all) })
        };
        let stmt = |kind| Stmt { span, kind };
        let steps = vec![
            stmt(StmtKind::Let(least, lowest)),
            stmt(StmtKind::Let(next, first)),
            stmt(StmtKind::Assign(Lhs::Local(row), Change::Add, one(&listed))),
            stmt(StmtKind::Assign(Lhs::Local(left), Change::Sub, one(&rest))),
        ];
        let done = cond(span, ExprKind::IsEmpty(build::local(left, rest, span)));
        let before = vec![
            stmt(StmtKind::Let(left, over.clone())),
            stmt(StmtKind::Let(row, expr(listed.clone(), span, ExprKind::List(Vec::new())))),
            stmt(StmtKind::RepeatUntil(done, steps)),
        ];
        (before, build::local(row, listed, span))
    }

    /// Warns of a repetition whose end nothing in it can bring about.
    pub(super) fn warn_endless(&mut self, c: &Expr, body: &Block, span: Span) {
        let mut looks_out = false;
        let mut locals = Vec::new();
        walk::visit_exprs(c, &mut |e| match &*e.kind {
            ExprKind::Local(l) => locals.push(*l),
            ExprKind::Attr(..)
            | ExprKind::TableAttr(_)
            | ExprKind::Zone(..)
            | ExprKind::Box(_)
            | ExprKind::Value(..)
            | ExprKind::Hook(..)
            | ExprKind::Builtin(..)
            | ExprKind::CanMenu(..)
            | ExprKind::CanRule(..)
            | ExprKind::PhaseNow
            | ExprKind::IsFace(..) => looks_out = true,
            _ => {}
        });
        let (mut acts, mut leaves, mut set) = (false, false, Vec::new());
        walk::visit_stmts(body, &mut |s| match &s.kind {
            StmtKind::Assign(Lhs::Local(l), ..) => set.push(*l),
            k if k.does().leaves => leaves = true,
            StmtKind::Let(..)
            | StmtKind::If(..)
            | StmtKind::For(..)
            | StmtKind::Repeat(..)
            | StmtKind::RepeatUntil(..)
            | StmtKind::Say(_) => {}
            _ => acts = true,
        });
        walk::visit_block_exprs(body, &mut |e| {
            if matches!(&*e.kind, ExprKind::Choose(_) | ExprKind::Roll(_) | ExprKind::Rule(..)) {
                acts = true;
            }
        });
        let changes = (looks_out && acts) || locals.iter().any(|l| set.contains(l));
        if !changes && !leaves && c.ty != Ty::Error {
            self.push(
                Diagnostic::warning(
                    codes::ENDLESS,
                    span,
                    "nothing in the block can make this condition true",
                )
                .label("this repeats for ever, or never begins")
                .also(c.span, "nothing in the block changes this"),
            );
        }
    }

    pub(super) fn read_layer(&mut self, p: &ast::Point, body: &ast::Block) -> Option<StmtKind> {
        let until = self.read_point(p)?;
        let outer = std::mem::replace(&mut self.within.layer, true);
        let body = self.read_block(body);
        self.within.layer = outer;
        Some(StmtKind::Until(until, body))
    }

    /// `end of round`, `start of my turn`.
    pub fn read_point(&mut self, p: &ast::Point) -> Option<Until> {
        use ast::PointWhich as W;
        let word = p.scope.text.as_str();
        Some(match (p.start, p.which, word) {
            (true, W::My, "turn") => Until::StartOfTurn(self.read_me(p.span)),
            (false, W::This, "turn") => Until::EndOfTurn,
            (false, W::This, "round") => Until::EndOfRound,
            (false, W::Next, "round") => Until::EndOfNextRound,
            (false, W::This, "phase") => Until::EndOfPhase,
            (false, W::This, "game") => Until::EndOfGame,
            (false, W::This, _) => {
                let r = self.find_phase(&p.scope, &["turn", "round", "phase", "game"])?;
                Until::EndOf(r)
            }
            _ => {
                let _ = self.report_not_played(
                    p.span,
                    &format!("`{} of {word}`", if p.start { "start" } else { "end" }),
                );
                return None;
            }
        })
    }

    /// The phase of that name; `others` are the words that may stand there instead.
    pub fn find_phase(&mut self, n: &ast::Name, others: &[&str]) -> Option<RuleId> {
        let found = self.ix.things(&n.text).iter().find_map(|t| match t {
            Thing::Rule(r) if self.model().rules.get(r.index()).is_some_and(|r| r.phase) => Some(*r),
            _ => None,
        });
        if let Some(r) = found {
            self.note(n.span, Def::Rule(r));
        }
        if found.is_none() {
            let model = self.model();
            let mut words: Vec<String> =
                model.rules.iter().filter(|r| r.phase).map(|r| r.name.to_string()).collect();
            words.extend(others.iter().map(|w| (*w).to_string()));
            let _ = self.report_unknown(codes::NO_PHASE, n, format!("there is no phase `{}`", n.text), words);
        }
        found
    }

    pub(super) fn read_everyone(&mut self, e: &ast::Everyone) -> StmtKind {
        let who = match &e.of {
            Some(of) => {
                let s = self.read_expr(of, Some(&types::set_of(types::player())));
                let s = self.read_collection(s, "the players of `everyone`");
                match types::element(self.model(), &s.ty) {
                    Some(t) if t == types::player() || t == Ty::Error => s,
                    _ => self.fit_to(s, &types::set_of(types::player()), "the players of `everyone`"),
                }
            }
            None => build::players(Span { ..self.current_span() }),
        };
        let from = e.from.as_ref().map(|p| self.read_as(p, &types::player(), "the player who begins"));
        let mode = match e.order {
            ast::TurnOrder::InTurn => Mode2::InTurn,
            ast::TurnOrder::OneByOne => Mode2::OneByOne,
            ast::TurnOrder::AnyOrder => Mode2::AnyOrder,
            ast::TurnOrder::AtOnce => Mode2::AtOnce,
            ast::TurnOrder::Freely => Mode2::Freely,
        };
        let turns = matches!(mode, Mode2::InTurn | Mode2::OneByOne | Mode2::AnyOrder);
        if let Some(from) = e.from.as_ref().filter(|_| !turns || mode == Mode2::AnyOrder) {
            let _ = self.report_not_played(from.span, "`from` of players who do not act in turn");
        }
        self.forget();
        let (until, passing) = match &e.until {
            None => (None, None),
            Some(ast::EveryoneUntil::AllPass { span, .. }) if !turns => {
                let message = "these players do not act one after the other, so nobody passes";
                let help = match mode {
                    Mode2::Freely => {
                        "leave out `until all pass` and write `done` in the menu: whoever is done may go on until all are done"
                    }
                    _ => "write `in turn`, `one by one` or `in any order`; at once, each answers alone",
                };
                self.push(Diagnostic::error(codes::WRONG_FORM, *span, message).help(help));
                (None, None)
            }
            Some(ast::EveryoneUntil::AllPass { but_one, .. }) => {
                (None, Some(if *but_one { Passing::AllButOne } else { Passing::All }))
            }
            Some(ast::EveryoneUntil::Cond(c)) => {
                let outer = std::mem::replace(
                    &mut self.me,
                    Me::Nobody("the condition is tested between the players' turns"),
                );
                let c = self.read_purely("a condition", |cx| cx.read_cond(c, "the condition of `until`"));
                self.me = outer;
                (Some(c), None)
            }
        };
        let me = self.new_local("me", types::player(), e.body.span);
        let gives = self.within.gives.take();
        let everyone = std::mem::replace(&mut self.within.everyone, true);
        let body = self.read_acting(me, |cx| cx.read_block(&e.body));
        (self.within.gives, self.within.everyone) = (gives, everyone);
        if let (Some(_), Some(ast::EveryoneUntil::AllPass { span, .. })) = (passing, &e.until)
            && !has_offer(&body)
        {
            let message = "nobody can pass here: the block contains no `offer`";
            let d = Diagnostic::error(codes::ALL_PASS, *span, message);
            self.push(d.help("offer a menu with `pass` in the block, or end it by a condition: `until C`"));
        }
        StmtKind::Everyone(Box::new(Everyone {
            who,
            from,
            mode,
            until,
            passing,
            me,
            body,
            then: Block::new(),
        }))
    }
}

/// Whether a menu is offered in a block itself, not only to others who act in it together.
fn has_offer(b: &Block) -> bool {
    b.iter().any(|s| match &s.kind {
        StmtKind::Offer(..) => true,
        StmtKind::Everyone(_) => false,
        _ => super::walk::stmt_parts(s).1.into_iter().any(has_offer),
    })
}
