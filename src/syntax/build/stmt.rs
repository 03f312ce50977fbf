//! Builds blocks and statements from pairs, those of tests included.
use super::{Builder, Kids, MOST_ARMS, MOST_STATEMENTS, P, SHORTER};
use crate::ast::{
    Answer, AssignOp, Block, Deal, EitherName, EitherWay, Everyone, EveryoneUntil, Expr, ExprKind, Handed,
    Lying, Move, Point, PointWhich, Stmt, StmtKind, Text, TurnOrder,
};
use crate::grammar::Rule;
use crate::is_reserved;

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
    ("deal", Rule::deal),
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
    ("handed", Rule::handed),
    ("start", Rule::start),
    ("run", Rule::run_to),
];

impl Builder {
    pub(super) fn build_block(&mut self, pair: P<'_>) -> Block {
        let span = self.span_of(&pair);
        let mut stmts = Vec::new();
        for kid in Kids::from_pair(pair).filter(|k| k.as_rule() == Rule::stmt) {
            if stmts.len() == MOST_STATEMENTS {
                let help = "move some of them into their own `rule`";
                self.report_too_many(&kid, "a block may have 2000 statements", help);
                break;
            }
            stmts.push(self.build_stmt(kid));
        }
        Block { stmts, span }
    }

    fn build_stmt(&mut self, pair: P<'_>) -> Stmt {
        let span = self.span_of(&pair);
        let kind = match Kids::from_pair(pair).next() {
            Some(kid) if kid.as_rule() == Rule::bad_stmt => {
                self.mark_bad(&kid, Rule::only_stmt);
                StmtKind::Bad
            }
            Some(kid) => self.build_or_report(span, |b| b.build_stmt_kind(kid)).unwrap_or(StmtKind::Bad),
            None => StmtKind::Bad,
        };
        Stmt { kind, span }
    }

    fn build_stmt_kind(&mut self, pair: P<'_>) -> Option<StmtKind> {
        let rule = pair.as_rule();
        Some(match rule {
            Rule::needs => return Some(StmtKind::Needs(self.build_needs(pair)?)),
            Rule::must => return Some(StmtKind::Must(self.build_must(pair)?)),
            Rule::has => return Some(StmtKind::Has(self.build_has(pair)?)),
            Rule::attach => return Some(StmtKind::Attach(self.build_attach(pair)?)),
            Rule::answer => return Some(StmtKind::Answer(self.build_answer(pair)?)),
            Rule::time_up => StmtKind::TimeUp(self.build_name(Kids::from_pair(pair).next()?)),
            Rule::stop => StmtKind::Stop,
            Rule::act => {
                let mut kids = Kids::from_pair(pair);
                let what = self.build_expr(kids.next()?);
                match kids.peek() {
                    Some(Rule::change_by) => {
                        let op = match kids.next()?.as_str().trim_end() {
                            "+=" => AssignOp::Add,
                            "-=" => AssignOp::Sub,
                            _ => AssignOp::Set,
                        };
                        StmtKind::Assign(what, op, self.build_expr(kids.last()?))
                    }
                    Some(Rule::k_becomes) => StmtKind::Becomes(what, self.build_expr(kids.last()?)),
                    _ => StmtKind::Call(what, self.build_by_post(&mut kids)),
                }
            }
            Rule::rolls => {
                let mut kids = Kids::from_pair(pair);
                let who = self.build_name(kids.next()?);
                StmtKind::Rolls(who, self.build_exprs(kids))
            }
            Rule::draws => {
                let mut kids = Kids::from_pair(pair);
                let who = self.build_name(kids.next()?);
                StmtKind::Draws(who, self.build_exprs(kids))
            }
            Rule::shuffles => {
                let mut kids = Kids::from_pair(pair);
                let who = self.build_name(kids.next()?);
                kids.next_if(Rule::k_shuffles)?;
                let place = self.build_expr(kids.next()?);
                kids.next_if(Rule::k_to)?;
                StmtKind::Shuffles(who, place, self.build_exprs(kids))
            }
            Rule::if_s => {
                let (mut arms, mut otherwise) = (Vec::new(), None);
                for kid in Kids::from_pair(pair) {
                    match kid.as_rule() {
                        Rule::if_arm if arms.len() == MOST_ARMS => {
                            self.report_too_many(&kid, "an `if` may have 256 branches", SHORTER);
                            break;
                        }
                        Rule::if_arm => {
                            let mut kids = Kids::from_pair(kid);
                            kids.next_if(Rule::k_if)?;
                            let cond = self.build_expr(kids.next()?);
                            arms.push((cond, self.build_block(kids.next()?)));
                        }
                        Rule::block => otherwise = Some(self.build_block(kid)),
                        _ => {}
                    }
                }
                StmtKind::If { arms, otherwise }
            }
            Rule::either => {
                let mut ways: Vec<EitherWay> = Vec::new();
                for kid in Kids::from_pair(pair).filter(|k| k.as_rule() == Rule::branch_s) {
                    let span = self.span_of(&kid);
                    let mut kids = Kids::from_pair(kid);
                    let title = self.build_text_opt(&mut kids);
                    let body = self.build_block(kids.next()?);
                    let word = word_of_way(title.as_ref(), &body, ways.len() + 1);
                    ways.push(EitherWay { name: EitherName { word, title, span }, body });
                }
                self.eithers.push(ways.iter().map(|w| w.name.clone()).collect());
                StmtKind::Either(ways)
            }
            Rule::may_s => {
                let mut kids = Kids::from_pair(pair);
                let may = kids.next()?;
                let may = self.build_may(may);
                StmtKind::May(may, self.build_block(kids.next()?))
            }
            _ => return self.build_worded(pair),
        })
    }

    /// The statements that begin with a word of their own.
    fn build_worded(&mut self, pair: P<'_>) -> Option<StmtKind> {
        let rule = pair.as_rule();
        let mut kids = Kids::from_pair(pair);
        let word = kids.next()?;
        Some(match rule {
            Rule::let_s => {
                let name = self.build_name(kids.next()?);
                StmtKind::Let(name, self.build_eq_expr(&mut kids)?)
            }
            Rule::for_s => {
                let name = self.build_name(kids.next()?);
                kids.next_if(Rule::k_in)?;
                let of = self.build_expr(kids.next()?);
                let by = self.build_inner_expr(&mut kids, Rule::by_key);
                StmtKind::For(name, of, by, self.build_block(kids.next()?))
            }
            Rule::repeat_s => {
                let how = kids.next()?;
                let until = how.as_rule() == Rule::round_until;
                let expr = self.build_exprs(Kids::from_pair(how)).pop()?;
                let body = self.build_block(kids.next()?);
                if until { StmtKind::RepeatUntil(expr, body) } else { StmtKind::RepeatTimes(expr, body) }
            }
            Rule::until_s => {
                let point = self.build_point(kids.next()?)?;
                StmtKind::Until(point, self.build_block(kids.next()?))
            }
            Rule::everyone => StmtKind::Everyone(self.build_everyone(kids)?),
            Rule::as_s => {
                let who = self.build_expr(kids.next()?);
                StmtKind::As(who, self.build_block(kids.next()?))
            }
            Rule::move_s => {
                let what = self.build_expr(kids.next()?);
                let from = self.build_inner_expr(&mut kids, Rule::from_expr);
                let under = kids.next()?.as_rule() == Rule::k_under;
                let to = self.build_expr(kids.next()?);
                let lying = Self::build_lying_if_given(&mut kids)?;
                StmtKind::Move(Move { what, from, under, to, lying })
            }
            Rule::deal => {
                let count = self.build_expr(kids.next()?);
                kids.next_if(Rule::k_of)?;
                let from = self.build_expr(kids.next()?);
                kids.next_if(Rule::k_to)?;
                let to = self.build_name(kids.next()?);
                let whom = self.build_inner_expr(&mut kids, Rule::of_expr);
                StmtKind::Deal(Deal { count, from, to, whom, lying: Self::build_lying_if_given(&mut kids)? })
            }
            Rule::swap => {
                let left = self.build_expr(kids.next()?);
                StmtKind::Swap(left, self.build_expr(kids.last()?))
            }
            Rule::flip => {
                let what = self.build_expr(kids.next()?);
                let lying = match kids.next() {
                    Some(side) => Some(Self::build_lying(side.as_rule())?),
                    None => None,
                };
                StmtKind::Flip(what, lying)
            }
            Rule::show => {
                let what = self.build_expr(kids.next()?);
                StmtKind::Show(what, self.build_inner_expr(&mut kids, Rule::to_expr))
            }
            Rule::offer => StmtKind::Offer(self.build_exprs(kids)),
            Rule::shuffle => StmtKind::Shuffle(self.build_exprs(kids)),
            Rule::roll => StmtKind::Roll(self.build_expr(kids.next()?)),
            Rule::discard => StmtKind::Discard(self.build_expr(kids.next()?)),
            Rule::pay => StmtKind::Pay(self.build_cost(kids)?),
            Rule::build => StmtKind::Build(self.build_name(kids.next()?)),
            Rule::say => StmtKind::Say(self.build_text(kids.next()?)),
            Rule::give => StmtKind::Give(self.build_expr(kids.next()?)),
            Rule::end_s => {
                let phase = self.build_name(kids.next()?);
                StmtKind::End(phase, kids.next().map(|e| self.build_expr(e)))
            }
            Rule::result => {
                let outcome = Self::build_outcome(word.as_rule())?;
                let who = kids.next_if(Rule::add).map(|p| self.build_expr(p));
                StmtKind::Result { outcome, who, text: self.build_text_opt(&mut kids) }
            }
            Rule::expect => {
                let what = kids.next()?;
                match Self::build_outcome(what.as_rule()) {
                    _ if what.as_rule() == Rule::k_refused => {
                        StmtKind::ExpectRefused(self.build_because(&mut kids))
                    }
                    Some(outcome) => StmtKind::ExpectOutcome(None, outcome, self.build_because(&mut kids)),
                    None if what.as_rule() == Rule::expect_who => {
                        let mut kids = Kids::from_pair(what);
                        let who = self.build_expr(kids.next()?);
                        let outcome = Self::build_outcome(kids.next()?.as_rule())?;
                        StmtKind::ExpectOutcome(Some(who), outcome, self.build_because(&mut kids))
                    }
                    None => StmtKind::Expect(self.build_expr(what)),
                }
            }
            Rule::refuse => {
                let answer = self.build_answer(kids.next()?)?;
                StmtKind::Refuse(answer, self.build_because(&mut kids))
            }
            Rule::offered => {
                let who = self.build_name(kids.next()?);
                StmtKind::Offered(who, self.build_exprs(kids))
            }
            Rule::asked => {
                let who = self.build_name(kids.next()?);
                StmtKind::Asked(who, self.build_text(kids.next()?))
            }
            Rule::logged => {
                let texts = kids.filter(|k| k.as_rule() == Rule::text).map(|t| self.build_text(t)).collect();
                StmtKind::Logged(texts)
            }
            Rule::handed => {
                let mut rows = Vec::new();
                for kid in kids.filter(|k| matches!(k.as_rule(), Rule::set_option | Rule::handed_next)) {
                    rows.push(match kid.as_rule() {
                        Rule::set_option => Handed::Option(self.build_set_option(kid)?),
                        _ => Handed::Next(self.build_words(Kids::from_pair(kid)).pop()),
                    });
                }
                StmtKind::Handed(rows)
            }
            Rule::start => StmtKind::StartAt(self.build_name(kids.last()?)),
            Rule::run_to => StmtKind::RunTo(self.build_point(kids.last()?)?),
            _ => return None,
        })
    }

    /// `face up`, `face down`, if it is said.
    fn build_lying_if_given(kids: &mut Kids<'_>) -> Option<Option<Lying>> {
        match kids.next_if(Rule::lying) {
            Some(lying) => Some(Some(Self::build_lying(Kids::from_pair(lying).last()?.as_rule())?)),
            None => Some(None),
        }
    }

    fn build_lying(rule: Rule) -> Option<Lying> {
        match rule {
            Rule::k_up => Some(Lying::Up),
            Rule::k_down => Some(Lying::Down),
            _ => None,
        }
    }

    fn build_because(&mut self, kids: &mut Kids<'_>) -> Option<crate::ast::Text> {
        let because = kids.next_if(Rule::because)?;
        Some(self.build_text(Kids::from_pair(because).last()?))
    }

    fn build_answer(&mut self, pair: P<'_>) -> Option<Answer> {
        let mut kids = Kids::from_pair(pair);
        let who = self.build_name(kids.next()?);
        Some(Answer { who, what: self.build_expr(kids.last()?) })
    }

    fn build_point(&mut self, pair: P<'_>) -> Option<Point> {
        let span = self.span_of(&pair);
        let mut kids = Kids::from_pair(pair);
        let start = kids.next()?.as_rule() == Rule::k_start;
        kids.next_if(Rule::k_of)?;
        let which = if kids.take_if(Rule::k_next) {
            PointWhich::Next
        } else if kids.take_if(Rule::k_my) {
            PointWhich::My
        } else {
            PointWhich::This
        };
        Some(Point { start, which, scope: self.build_name(kids.next()?), span })
    }

    fn build_everyone(&mut self, kids: Kids<'_>) -> Option<Everyone> {
        let mut kids = kids;
        let of: Option<Expr> = self.build_inner_expr(&mut kids, Rule::of_expr);
        let from = self.build_inner_expr(&mut kids, Rule::from_post);
        let order = match kids.next()?.as_rule() {
            Rule::at_once => TurnOrder::AtOnce,
            Rule::k_freely => TurnOrder::Freely,
            Rule::in_turn => TurnOrder::InTurn,
            Rule::one_by_one => TurnOrder::OneByOne,
            Rule::any_order => TurnOrder::AnyOrder,
            _ => return None,
        };
        let until = match kids.next_if(Rule::until_all) {
            Some(all) => {
                let span = self.span_of(&all);
                let but_one = Kids::from_pair(all).any(|k| k.as_rule() == Rule::all_but_one);
                Some(EveryoneUntil::AllPass { but_one, span })
            }
            None => self.build_inner_expr(&mut kids, Rule::round_until).map(EveryoneUntil::Cond),
        };
        Some(Everyone { of, from, order, until, body: self.build_block(kids.next()?) })
    }
}

/// The word of a way of `either`, the n-th.
fn word_of_way(title: Option<&Text>, body: &Block, n: usize) -> String {
    let shown = title.and_then(Text::literal).unwrap_or_default();
    let parts = shown.split(|c: char| !c.is_ascii_alphanumeric()).filter(|p| !p.is_empty());
    let word = parts.collect::<Vec<_>>().join("_").to_ascii_lowercase();
    let word = match body.stmts.as_slice() {
        [Stmt { kind: StmtKind::Call(e, _), .. }] if title.is_none() => match &*e.kind {
            ExprKind::Call(callee, _) => callee.as_name().map_or(word, |n| n.text.clone()),
            _ => word,
        },
        _ => word,
    };
    let is_word = word.starts_with(|c: char| c.is_ascii_lowercase()) && !is_reserved(&word);
    if is_word { word } else { format!("way_{n}") }
}
