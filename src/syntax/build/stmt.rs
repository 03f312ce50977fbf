//! Blocks and statements, those of tests, too.
use super::{Builder, Kids, MOST_ARMS, MOST_STATEMENTS, P, SHORTER};
use crate::ast::{
    Answer, AssignOp, Block, Everyone, EveryoneUntil, Expr, Lying, Move, Point, PointWhich, Stmt, StmtKind,
    TurnOrder,
};
use crate::grammar::Rule;

/// The words that begin a statement, each with its form: for completion, and for findings about what cannot be read.
pub(crate) const STMT_HEADS: &[(&str, Rule)] = &[
    ("let", Rule::let_s),
    ("if", Rule::if_s),
    ("for", Rule::for_s),
    ("repeat", Rule::repeat_s),
    ("until", Rule::until_s),
    ("everyone", Rule::everyone),
    ("either", Rule::either),
    ("may", Rule::may_s),
    ("as", Rule::as_s),
    ("needs", Rule::needs),
    ("must", Rule::must),
    ("has", Rule::has),
    ("modify", Rule::modify),
    ("before", Rule::around),
    ("after", Rule::around),
    ("instead", Rule::around),
    ("forbid", Rule::forbid),
    ("move", Rule::move_s),
    ("swap", Rule::swap),
    ("flip", Rule::flip),
    ("show", Rule::show),
    ("offer", Rule::offer),
    ("shuffle", Rule::shuffle),
    ("roll", Rule::roll),
    ("discard", Rule::discard),
    ("pay", Rule::pay),
    ("build", Rule::build),
    ("say", Rule::say),
    ("give", Rule::give),
    ("end", Rule::end_s),
    ("win", Rule::result),
    ("lose", Rule::result),
    ("tie", Rule::result),
    ("stop", Rule::stop),
    ("expect", Rule::expect),
    ("refuse", Rule::refuse),
    ("offered", Rule::offered),
    ("asked", Rule::asked),
    ("logged", Rule::logged),
    ("start", Rule::start),
    ("run", Rule::run_to),
];

impl Builder {
    pub(super) fn block(&mut self, pair: P<'_>) -> Block {
        let span = self.span(&pair);
        let mut stmts = Vec::new();
        for kid in Kids::of(pair).filter(|k| k.as_rule() == Rule::stmt) {
            if stmts.len() == MOST_STATEMENTS {
                let help = "move some of them into their own `rule`";
                self.too_many(&kid, "a block may have 2000 statements", help);
                break;
            }
            stmts.push(self.stmt(kid));
        }
        Block { stmts, span }
    }

    fn stmt(&mut self, pair: P<'_>) -> Stmt {
        let span = self.span(&pair);
        let kind = match Kids::of(pair).next() {
            Some(kid) if kid.as_rule() == Rule::bad_stmt => {
                self.mark_bad(&kid, Rule::only_stmt);
                StmtKind::Bad
            }
            Some(kid) => self.or_mismatch(span, |b| b.stmt_kind(kid)).unwrap_or(StmtKind::Bad),
            None => StmtKind::Bad,
        };
        Stmt { kind, span }
    }

    fn stmt_kind(&mut self, pair: P<'_>) -> Option<StmtKind> {
        let rule = pair.as_rule();
        Some(match rule {
            Rule::needs => return Some(StmtKind::Needs(self.needs(pair)?)),
            Rule::must => return Some(StmtKind::Must(self.must(pair)?)),
            Rule::has => return Some(StmtKind::Has(self.has(pair)?)),
            Rule::attach => return Some(StmtKind::Attach(self.attach(pair)?)),
            Rule::answer => return Some(StmtKind::Answer(self.answer(pair)?)),
            Rule::time_up => StmtKind::TimeUp(self.name(Kids::of(pair).next()?)),
            Rule::stop => StmtKind::Stop,
            Rule::act => {
                let mut kids = Kids::of(pair);
                let what = self.expr(kids.next()?);
                match kids.peek() {
                    Some(Rule::change_by) => {
                        let op = match kids.next()?.as_str().trim_end() {
                            "+=" => AssignOp::Add,
                            "-=" => AssignOp::Sub,
                            _ => AssignOp::Set,
                        };
                        StmtKind::Assign(what, op, self.expr(kids.last()?))
                    }
                    Some(Rule::k_becomes) => StmtKind::Becomes(what, self.expr(kids.last()?)),
                    _ => StmtKind::Call(what, self.by_post(&mut kids)),
                }
            }
            Rule::rolls => {
                let mut kids = Kids::of(pair);
                let who = self.name(kids.next()?);
                StmtKind::Rolls(who, self.exprs(kids))
            }
            Rule::draws => {
                let mut kids = Kids::of(pair);
                let who = self.name(kids.next()?);
                StmtKind::Draws(who, self.exprs(kids))
            }
            Rule::shuffles => {
                let mut kids = Kids::of(pair);
                let who = self.name(kids.next()?);
                kids.opt(Rule::k_shuffles)?;
                let place = self.expr(kids.next()?);
                kids.opt(Rule::k_to)?;
                StmtKind::Shuffles(who, place, self.exprs(kids))
            }
            Rule::if_s => {
                let (mut arms, mut otherwise) = (Vec::new(), None);
                for kid in Kids::of(pair) {
                    match kid.as_rule() {
                        Rule::if_arm if arms.len() == MOST_ARMS => {
                            self.too_many(&kid, "an `if` may have 256 branches", SHORTER);
                            break;
                        }
                        Rule::if_arm => {
                            let mut kids = Kids::of(kid);
                            kids.opt(Rule::k_if)?;
                            let cond = self.expr(kids.next()?);
                            arms.push((cond, self.block(kids.next()?)));
                        }
                        Rule::block => otherwise = Some(self.block(kid)),
                        _ => {}
                    }
                }
                StmtKind::If { arms, otherwise }
            }
            Rule::either => {
                let mut ways = Vec::new();
                for kid in Kids::of(pair).filter(|k| k.as_rule() == Rule::branch_s) {
                    let mut kids = Kids::of(kid);
                    let title = self.text_opt(&mut kids);
                    ways.push((title, self.block(kids.next()?)));
                }
                StmtKind::Either(ways)
            }
            Rule::may_s => {
                let mut kids = Kids::of(pair);
                let may = kids.next()?;
                let may = self.may(may);
                StmtKind::May(may, self.block(kids.next()?))
            }
            _ => return self.worded(pair),
        })
    }

    /// The statements that begin with a word of their own.
    fn worded(&mut self, pair: P<'_>) -> Option<StmtKind> {
        let rule = pair.as_rule();
        let mut kids = Kids::of(pair);
        let word = kids.next()?;
        Some(match rule {
            Rule::let_s => {
                let name = self.name(kids.next()?);
                StmtKind::Let(name, self.eq_expr(&mut kids)?)
            }
            Rule::for_s => {
                let name = self.name(kids.next()?);
                kids.opt(Rule::k_in)?;
                let of = self.expr(kids.next()?);
                StmtKind::For(name, of, self.block(kids.next()?))
            }
            Rule::repeat_s => {
                let how = kids.next()?;
                let until = how.as_rule() == Rule::round_until;
                let expr = self.exprs(Kids::of(how)).pop()?;
                let body = self.block(kids.next()?);
                if until { StmtKind::RepeatUntil(expr, body) } else { StmtKind::RepeatTimes(expr, body) }
            }
            Rule::until_s => {
                let point = self.point(kids.next()?)?;
                StmtKind::Until(point, self.block(kids.next()?))
            }
            Rule::everyone => StmtKind::Everyone(self.everyone(kids)?),
            Rule::as_s => {
                let who = self.expr(kids.next()?);
                StmtKind::As(who, self.block(kids.next()?))
            }
            Rule::move_s => {
                let what = self.expr(kids.next()?);
                let from = self.inner_expr(&mut kids, Rule::from_expr);
                let under = kids.next()?.as_rule() == Rule::k_under;
                let to = self.expr(kids.next()?);
                let lying = match kids.opt(Rule::lying) {
                    Some(lying) => Some(Self::lying(Kids::of(lying).last()?.as_rule())?),
                    None => None,
                };
                StmtKind::Move(Move { what, from, under, to, lying })
            }
            Rule::swap => {
                let left = self.expr(kids.next()?);
                StmtKind::Swap(left, self.expr(kids.last()?))
            }
            Rule::flip => {
                let what = self.expr(kids.next()?);
                let lying = match kids.next() {
                    Some(side) => Some(Self::lying(side.as_rule())?),
                    None => None,
                };
                StmtKind::Flip(what, lying)
            }
            Rule::show => {
                let what = self.expr(kids.next()?);
                StmtKind::Show(what, self.inner_expr(&mut kids, Rule::to_expr))
            }
            Rule::offer => StmtKind::Offer(self.exprs(kids)),
            Rule::shuffle => StmtKind::Shuffle(self.exprs(kids)),
            Rule::roll => StmtKind::Roll(self.expr(kids.next()?)),
            Rule::discard => StmtKind::Discard(self.expr(kids.next()?)),
            Rule::pay => StmtKind::Pay(self.expr(kids.next()?)),
            Rule::build => StmtKind::Build(self.name(kids.next()?)),
            Rule::say => StmtKind::Say(self.text(kids.next()?)),
            Rule::give => StmtKind::Give(self.expr(kids.next()?)),
            Rule::end_s => {
                let phase = self.name(kids.next()?);
                StmtKind::End(phase, kids.next().map(|e| self.expr(e)))
            }
            Rule::result => {
                let outcome = Self::outcome(word.as_rule())?;
                let who = kids.opt(Rule::post).map(|p| self.expr(p));
                StmtKind::Result { outcome, who, text: self.text_opt(&mut kids) }
            }
            Rule::expect => {
                let what = kids.next()?;
                match Self::outcome(what.as_rule()) {
                    _ if what.as_rule() == Rule::k_refused => {
                        StmtKind::ExpectRefused(self.because(&mut kids))
                    }
                    Some(outcome) => StmtKind::ExpectOutcome(None, outcome, self.because(&mut kids)),
                    None if what.as_rule() == Rule::expect_who => {
                        let mut kids = Kids::of(what);
                        let who = self.expr(kids.next()?);
                        let outcome = Self::outcome(kids.next()?.as_rule())?;
                        StmtKind::ExpectOutcome(Some(who), outcome, self.because(&mut kids))
                    }
                    None => StmtKind::Expect(self.expr(what)),
                }
            }
            Rule::refuse => {
                let answer = self.answer(kids.next()?)?;
                StmtKind::Refuse(answer, self.because(&mut kids))
            }
            Rule::offered => {
                let who = self.name(kids.next()?);
                StmtKind::Offered(who, self.exprs(kids))
            }
            Rule::asked => {
                let who = self.name(kids.next()?);
                StmtKind::Asked(who, self.text(kids.next()?))
            }
            Rule::logged => {
                let texts = kids.filter(|k| k.as_rule() == Rule::text).map(|t| self.text(t)).collect();
                StmtKind::Logged(texts)
            }
            Rule::start => StmtKind::StartAt(self.name(kids.last()?)),
            Rule::run_to => StmtKind::RunTo(self.point(kids.last()?)?),
            _ => return None,
        })
    }

    fn lying(rule: Rule) -> Option<Lying> {
        match rule {
            Rule::k_up => Some(Lying::Up),
            Rule::k_down => Some(Lying::Down),
            _ => None,
        }
    }

    fn because(&mut self, kids: &mut Kids<'_>) -> Option<crate::ast::Text> {
        let because = kids.opt(Rule::because)?;
        Some(self.text(Kids::of(because).last()?))
    }

    fn answer(&mut self, pair: P<'_>) -> Option<Answer> {
        let mut kids = Kids::of(pair);
        let who = self.name(kids.next()?);
        Some(Answer { who, what: self.expr(kids.last()?) })
    }

    fn point(&mut self, pair: P<'_>) -> Option<Point> {
        let span = self.span(&pair);
        let mut kids = Kids::of(pair);
        let start = kids.next()?.as_rule() == Rule::k_start;
        kids.opt(Rule::k_of)?;
        let which = if kids.has(Rule::k_next) {
            PointWhich::Next
        } else if kids.has(Rule::k_my) {
            PointWhich::My
        } else {
            PointWhich::This
        };
        Some(Point { start, which, scope: self.name(kids.next()?), span })
    }

    fn everyone(&mut self, kids: Kids<'_>) -> Option<Everyone> {
        let mut kids = kids;
        let of: Option<Expr> = self.inner_expr(&mut kids, Rule::of_expr);
        let from = self.inner_expr(&mut kids, Rule::from_post);
        let order = match kids.next()?.as_rule() {
            Rule::at_once => TurnOrder::AtOnce,
            Rule::k_freely => TurnOrder::Freely,
            Rule::in_turn => TurnOrder::InTurn,
            Rule::any_order => TurnOrder::AnyOrder,
            _ => return None,
        };
        let until = match kids.opt(Rule::until_all) {
            Some(all) => Some(EveryoneUntil::AllPass(self.span(&all))),
            None => self.inner_expr(&mut kids, Rule::round_until).map(EveryoneUntil::Cond),
        };
        Some(Everyone { of, from, order, until, body: self.block(kids.next()?) })
    }
}
