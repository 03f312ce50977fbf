//! Builds expressions (operators by precedence), texts and types from pairs.
use super::{Builder, Kids, MOST_ARMS, P, SHORTER};
use crate::ast::{
    Arg, BinaryOp, Branch, Choose, ChooseBy, Cost, Expr, ExprKind, Fold, IsTest, Many, ManyKind, Name, Text,
    TextPart, Type, TypeKind,
};
use crate::codes;
use crate::grammar::Rule;
use houserule_text::{Diagnostic, Span};

/// How many operators may stand in a row: each makes the tree one deeper.
const LONGEST_CHAIN: usize = 300;

impl Builder {
    pub(super) fn build_expr(&mut self, pair: P<'_>) -> Expr {
        let span = self.span_of(&pair);
        self.build_expr_opt(pair).unwrap_or_else(|| {
            self.findings.push(Diagnostic::error(codes::STMT, span, "this cannot be read"));
            Expr::new(ExprKind::Bad, span)
        })
    }

    fn report_too_long(&mut self, span: Span) -> Expr {
        self.findings.push(
            Diagnostic::error(codes::DEEP, span, "this expression is too long")
                .help("give parts of it names with `let` or `value`"),
        );
        Expr::new(ExprKind::Bad, span)
    }

    /// `a op b op c`, from the left.
    fn build_chain(&mut self, pair: P<'_>, op: impl Fn(&P<'_>) -> Option<BinaryOp>) -> Option<Expr> {
        let whole = pair.clone();
        let mut kids = Kids::from_pair(pair);
        let mut left = self.build_expr(kids.next()?);
        let mut n = 0;
        while let Some(sign) = kids.next() {
            n += 1;
            if n > LONGEST_CHAIN {
                let span = self.span_of(&whole);
                return Some(self.report_too_long(span));
            }
            let op = op(&sign)?;
            let right = self.build_expr(kids.next()?);
            let span = left.span.to(right.span);
            left = Expr::new(ExprKind::Binary(op, left, right), span);
        }
        Some(left)
    }

    fn build_expr_opt(&mut self, pair: P<'_>) -> Option<Expr> {
        // The ladder: most rungs hold one thing only, which is then the expression.
        let mut pair = pair;
        loop {
            let ladder = matches!(
                pair.as_rule(),
                Rule::expr
                    | Rule::or_e
                    | Rule::and_e
                    | Rule::not_e
                    | Rule::cmp
                    | Rule::rng
                    | Rule::add
                    | Rule::mul
                    | Rule::neg
                    | Rule::dflt
                    | Rule::steps
                    | Rule::post
                    | Rule::pat
                    | Rule::given
            );
            if !ladder {
                break;
            }
            let mut kids = Kids::from_pair(pair.clone());
            match (kids.next(), kids.next()) {
                (Some(only), None) => pair = only,
                _ => break,
            }
        }
        let span = self.span_of(&pair);
        let kind = match pair.as_rule() {
            Rule::expr => {
                let mut kids = Kids::from_pair(pair);
                let left = self.build_expr(kids.next()?);
                kids.next_if(Rule::k_where)?;
                ExprKind::Where(left, self.build_expr(kids.next()?))
            }
            Rule::or_e => return self.build_chain(pair, |_| Some(BinaryOp::Or)),
            Rule::and_e => return self.build_chain(pair, |_| Some(BinaryOp::And)),
            Rule::not_e => {
                let mut kids = Kids::from_pair(pair);
                let mut nots = Vec::new();
                while let Some(k) = kids.next_if(Rule::k_not) {
                    nots.push(k.as_span().start());
                }
                let of = self.build_expr(kids.next()?);
                return self.build_prefixed(nots, of, ExprKind::Not);
            }
            Rule::neg => {
                let mut kids = Kids::from_pair(pair);
                let mut signs = Vec::new();
                while let Some(k) = kids.next_if(Rule::minus) {
                    signs.push(k.as_span().start());
                }
                let of = self.build_expr(kids.next()?);
                return self.build_prefixed(signs, of, ExprKind::Neg);
            }
            Rule::cmp => return self.build_cmp(pair),
            Rule::rng => {
                let mut kids = Kids::from_pair(pair);
                let from = if kids.take_if(Rule::dots) { None } else { Some(self.build_expr(kids.next()?)) };
                kids.take_if(Rule::dots);
                let to = kids.next().map(|p| self.build_expr(p));
                ExprKind::Range(from, to)
            }
            Rule::add => {
                return self.build_chain(pair, |p| {
                    Some(if p.as_str().starts_with('-') { BinaryOp::Sub } else { BinaryOp::Add })
                });
            }
            Rule::mul => {
                return self.build_chain(pair, |p| {
                    Some(match p.as_str().as_bytes().first() {
                        Some(b'/') => BinaryOp::Div,
                        Some(b'm') => BinaryOp::Mod,
                        _ => BinaryOp::Mul,
                    })
                });
            }
            Rule::dflt => return self.build_chain(pair, |_| Some(BinaryOp::Default)),
            Rule::steps => return self.build_chain(pair, |_| Some(BinaryOp::Step)),
            Rule::amount => {
                let mut kids = Kids::from_pair(pair);
                let int = kids.next()?;
                ExprKind::Amount(self.build_int(int), self.build_name(kids.next()?))
            }
            Rule::post => return self.build_post(pair),
            Rule::text => ExprKind::Text(self.build_text(pair)),
            Rule::int => ExprKind::Int(self.build_int(pair).value),
            Rule::paren => {
                let mut kids = Kids::from_pair(pair);
                kids.next_if(Rule::l_paren)?;
                let inner = self.build_expr(kids.next()?);
                return Some(Expr { kind: inner.kind, span });
            }
            Rule::set_e => ExprKind::Set(self.build_exprs(Kids::from_pair(pair))),
            Rule::if_e => {
                let mut kids = Kids::from_pair(pair);
                kids.next_if(Rule::k_if)?;
                let cond = self.build_expr(kids.next()?);
                kids.next_if(Rule::k_then)?;
                let then = self.build_expr(kids.next()?);
                kids.next_if(Rule::k_else)?;
                ExprKind::If(cond, then, self.build_expr(kids.next()?))
            }
            Rule::case_e => {
                let mut kids = Kids::from_pair(pair);
                kids.next_if(Rule::k_case)?;
                let of = self.build_expr(kids.next()?);
                let mut branches = Vec::new();
                for kid in kids.filter(|k| k.as_rule() == Rule::branch) {
                    if branches.len() == MOST_ARMS {
                        self.report_too_many(&kid, "a `case` may have 256 rows", SHORTER);
                        break;
                    }
                    branches.push(self.build_branch(kid)?);
                }
                ExprKind::Case(of, branches)
            }
            Rule::choose => {
                let mut kids = Kids::from_pair(pair);
                kids.next_if(Rule::k_choose)?;
                let many = self.build_many(kids.next()?)?;
                kids.next_if(Rule::k_of)?;
                let from = self.build_expr(kids.next()?);
                let by = if let Some(chance) = kids.next_if(Rule::by_chance) {
                    Some(ChooseBy::Chance(self.span_of(&chance)))
                } else {
                    self.build_by_post(&mut kids).map(ChooseBy::Player)
                };
                let prompt = self.build_text_opt(&mut kids);
                ExprKind::Choose(Choose { many, from, by, prompt })
            }
            Rule::first_of => {
                let mut kids = Kids::from_pair(pair);
                let last = kids.next()?.as_rule() == Rule::k_last;
                let count = kids.next_if(Rule::post).map(|p| self.build_expr(p));
                kids.next_if(Rule::k_of)?;
                ExprKind::FirstOf { last, count, from: self.build_expr(kids.next()?) }
            }
            Rule::the_one => {
                let mut kids = Kids::from_pair(pair);
                kids.next_if(Rule::k_the)?;
                let mut what = self.build_expr(kids.next()?);
                let mut of = self.build_inner_expr(&mut kids, Rule::type_of);
                if let ExprKind::KindOf(kind, whose) = &*what.kind {
                    of = Some(whose.clone());
                    what = Expr::new(ExprKind::Kind(kind.clone()), kind.span);
                }
                let filter = self.build_inner_expr(&mut kids, Rule::type_where);
                ExprKind::The { what, of, filter }
            }
            Rule::on_map => {
                let mut kids = Kids::from_pair(pair);
                let word = self.build_name(kids.next()?);
                let mut of = Expr::new(ExprKind::Name(word.clone()), word.span);
                if let Some(args) = kids.next_if(Rule::args) {
                    let span = of.span.to(self.span_of(&args));
                    of = Expr::new(ExprKind::Call(of, self.build_args(args)?), span);
                }
                kids.next_if(Rule::k_of)?;
                ExprKind::OnMap(of, self.build_name(kids.next()?))
            }
            Rule::kind_of => {
                let mut kids = Kids::from_pair(pair);
                let kind = self.build_name(kids.next()?);
                kids.next_if(Rule::k_of)?;
                ExprKind::KindOf(kind, self.build_expr(kids.next()?))
            }
            Rule::can_do => {
                let mut kids = Kids::from_pair(pair);
                kids.next_if(Rule::k_can)?;
                match kids.next_if(Rule::can_pay) {
                    Some(pay) => {
                        let mut kids = Kids::from_pair(pay);
                        kids.next_if(Rule::k_pay)?;
                        ExprKind::CanPay(self.build_cost(kids)?)
                    }
                    None => ExprKind::CanDo(self.build_expr(kids.next()?)),
                }
            }
            Rule::no_action => ExprKind::NoAction,
            Rule::seen_n => {
                let mut kids = Kids::from_pair(pair);
                kids.next_if(Rule::k_position)?;
                let of = match kids.next_if(Rule::k_of) {
                    Some(_) => Some(self.build_name(kids.next()?)),
                    None => None,
                };
                let times = kids.find(|k| k.as_rule() == Rule::int).map(|k| self.build_int(k));
                ExprKind::PositionSeen(of, times)
            }
            Rule::kind => ExprKind::Kind(self.build_name(pair)),
            Rule::name | Rule::word => ExprKind::Name(self.build_name(pair)),
            Rule::k_me => ExprKind::Me,
            Rule::k_my => ExprKind::My,
            Rule::k_it => ExprKind::It,
            Rule::k_this => ExprKind::This,
            Rule::k_owner => ExprKind::Owner,
            Rule::k_none => ExprKind::None,
            Rule::k_yes => ExprKind::Yes,
            Rule::k_usual => ExprKind::Usual,
            Rule::k_any => ExprKind::Any,
            Rule::k_no => ExprKind::No,
            _ => return None,
        };
        Some(Expr::new(kind, span))
    }

    fn build_prefixed(&mut self, signs: Vec<usize>, of: Expr, wrap: fn(Expr) -> ExprKind) -> Option<Expr> {
        if signs.len() > LONGEST_CHAIN {
            return Some(self.report_too_long(of.span));
        }
        let mut of = of;
        for at in signs.into_iter().rev() {
            let span = self.span_at(at, at).to(of.span);
            of = Expr::new(wrap(of), span);
        }
        Some(of)
    }

    fn build_cmp(&mut self, pair: P<'_>) -> Option<Expr> {
        let mut kids = Kids::from_pair(pair);
        let left = self.build_expr(kids.next()?);
        let sign = kids.next()?;
        let end = self.span_of(&sign);
        let kind = match sign.as_rule() {
            Rule::compare => {
                let op = match sign.as_str().trim_end() {
                    "==" => BinaryOp::Eq,
                    "!=" => BinaryOp::Ne,
                    "<=" => BinaryOp::Le,
                    ">=" => BinaryOp::Ge,
                    "<" => BinaryOp::Lt,
                    _ => BinaryOp::Gt,
                };
                let right = self.build_expr(kids.next()?);
                let span = left.span.to(right.span);
                return Some(Expr::new(ExprKind::Binary(op, left, right), span));
            }
            Rule::cmp_in => {
                let mut kids = Kids::from_pair(sign);
                let not = kids.take_if(Rule::k_not);
                kids.next_if(Rule::k_in)?;
                let set = self.build_expr(kids.next()?);
                let span = left.span.to(set.span);
                return Some(Expr::new(ExprKind::In { item: left, set, not }, span));
            }
            Rule::cmp_is => {
                let mut kids = Kids::from_pair(sign);
                kids.next_if(Rule::k_is)?;
                let not = kids.take_if(Rule::k_not);
                let test = if kids.take_if(Rule::k_some) {
                    IsTest::Some
                } else {
                    IsTest::Filter(self.build_expr(kids.next()?))
                };
                let value = left.clone();
                ExprKind::Is { value, test, not }
            }
            Rule::cmp_won => {
                let outcome = Self::build_outcome(Kids::from_pair(sign).next()?.as_rule())?;
                ExprKind::Ended(left.clone(), outcome)
            }
            Rule::cmp_can => {
                let mut kids = Kids::from_pair(sign);
                kids.next_if(Rule::k_can)?;
                ExprKind::Can(left.clone(), self.build_name(kids.next()?))
            }
            _ => return None,
        };
        Some(Expr::new(kind, left.span.to(end)))
    }

    /// The arguments between two brackets.
    fn build_args(&mut self, pair: P<'_>) -> Option<Vec<Arg>> {
        let args = Kids::from_pair(pair).filter(|k| k.as_rule() == Rule::arg);
        args.map(|arg| self.build_arg(arg)).collect()
    }

    fn build_post(&mut self, pair: P<'_>) -> Option<Expr> {
        let whole = pair.clone();
        let mut kids = Kids::from_pair(pair);
        let mut of = self.build_expr(kids.next()?);
        for (n, kid) in kids.enumerate() {
            let span = of.span.to(self.span_of(&kid));
            if n > LONGEST_CHAIN {
                let span = self.span_of(&whole);
                return Some(self.report_too_long(span));
            }
            let kind = match kid.as_rule() {
                Rule::args => {
                    // `no(…)` and `any(…)` are calls like `every(…)`.
                    let word = match &*of.kind {
                        ExprKind::No => Some("no"),
                        ExprKind::Any => Some("any"),
                        _ => None,
                    };
                    if let Some(word) = word {
                        of = Expr::new(ExprKind::Name(Name { text: word.into(), span: of.span }), of.span);
                    }
                    ExprKind::Call(of, self.build_args(kid)?)
                }
                Rule::index => {
                    let index = Kids::from_pair(kid).find(|k| k.as_rule() == Rule::expr)?;
                    ExprKind::Index(of, self.build_expr(index))
                }
                Rule::field => {
                    let word = Kids::from_pair(kid).find(|k| k.as_rule() == Rule::word)?;
                    ExprKind::Field(of, self.build_name(word))
                }
                _ => return None,
            };
            of = Expr::new(kind, span);
        }
        Some(of)
    }

    fn build_arg(&mut self, pair: P<'_>) -> Option<Arg> {
        let kid = Kids::from_pair(pair).next()?;
        Some(match kid.as_rule() {
            Rule::arg_named => {
                let mut kids = Kids::from_pair(kid);
                let name = self.build_name(kids.next()?);
                kids.next_if(Rule::colon)?;
                Arg::Named(name, self.build_expr(kids.next()?))
            }
            Rule::fold => {
                let span = self.span_of(&kid);
                let mut kids = Kids::from_pair(kid);
                let var = self.build_name(kids.next()?);
                kids.next_if(Rule::k_in)?;
                let from = self.build_expr(kids.next()?);
                let values = kids.next().map(|v| self.build_exprs(Kids::from_pair(v))).unwrap_or_default();
                Arg::Fold(Fold { var, from, values, span })
            }
            _ => Arg::Plain(self.build_expr(kid)),
        })
    }

    fn build_branch(&mut self, pair: P<'_>) -> Option<Branch> {
        let span = self.span_of(&pair);
        let mut kids = Kids::from_pair(pair);
        let first = kids.next()?;
        let test = if first.as_rule() == Rule::k_else { None } else { Some(self.build_expr(first)) };
        kids.next_if(Rule::colon)?;
        Some(Branch { test, value: self.build_expr(kids.next()?), span })
    }

    /// All expressions among the children.
    pub(super) fn build_exprs(&mut self, kids: Kids<'_>) -> Vec<Expr> {
        kids.filter(|k| matches!(k.as_rule(), Rule::expr | Rule::post | Rule::pat))
            .map(|k| self.build_expr(k))
            .collect()
    }

    /// The expression inside the next child, if that is of `rule`: `when` C, `by` p, `of` e …
    pub(super) fn build_inner_expr(&mut self, kids: &mut Kids<'_>, rule: Rule) -> Option<Expr> {
        let inner = kids.next_if(rule)?;
        let last = Kids::from_pair(inner).last()?;
        Some(self.build_expr(last))
    }

    /// What is paid, and from what.
    pub(super) fn build_cost(&mut self, mut kids: Kids<'_>) -> Option<Cost> {
        let what = self.build_expr(kids.next()?);
        Some(Cost { what, from: self.build_inner_expr(&mut kids, Rule::from_post) })
    }

    pub(super) fn build_by_post(&mut self, kids: &mut Kids<'_>) -> Option<Expr> {
        self.build_inner_expr(kids, Rule::by_post)
    }

    pub(super) fn build_when(&mut self, kids: &mut Kids<'_>) -> Option<Expr> {
        self.build_inner_expr(kids, Rule::when)
    }

    pub(super) fn build_many(&mut self, pair: P<'_>) -> Option<Many> {
        let span = self.span_of(&pair);
        let kid = Kids::from_pair(pair).next()?;
        let kind = match kid.as_rule() {
            Rule::k_one => ManyKind::One,
            Rule::k_any => ManyKind::Any,
            Rule::k_some => ManyKind::Some,
            Rule::up_to => ManyKind::UpTo(self.build_expr(Kids::from_pair(kid).last()?)),
            Rule::bounds => {
                let mut kids = Kids::from_pair(kid);
                let from = self.build_expr(kids.next()?);
                if kids.take_if(Rule::dots) {
                    ManyKind::Range(from, kids.next().map(|p| self.build_expr(p)))
                } else {
                    ManyKind::Exactly(from)
                }
            }
            _ => return None,
        };
        Some(Many { kind, span })
    }

    pub(super) fn build_ty(&mut self, pair: P<'_>) -> Option<Type> {
        let span = self.span_of(&pair);
        match pair.as_rule() {
            Rule::r#type => {
                let mut bases = Vec::new();
                for kid in Kids::from_pair(pair).filter(|k| k.as_rule() == Rule::base) {
                    bases.push(self.build_ty(kid)?);
                }
                if bases.len() == 1 { bases.pop() } else { Some(Type { kind: TypeKind::Or(bases), span }) }
            }
            Rule::base => {
                let mut kids = Kids::from_pair(pair);
                let first = kids.next()?;
                let wrap: fn(Box<Type>) -> TypeKind = match first.as_rule() {
                    Rule::k_filter => TypeKind::Filter,
                    Rule::k_set => TypeKind::Set,
                    Rule::k_list => TypeKind::List,
                    Rule::k_bag => TypeKind::Bag,
                    Rule::k_face => TypeKind::Face,
                    _ => {
                        let inner = self.build_ty(first)?;
                        return Some(if kids.take_if(Rule::maybe) {
                            Type { kind: TypeKind::Maybe(Box::new(inner)), span }
                        } else {
                            inner
                        });
                    }
                };
                kids.next_if(Rule::k_of)?;
                let inner = self.build_ty(kids.next()?)?;
                Some(Type { kind: wrap(Box::new(inner)), span })
            }
            Rule::type_named => {
                let kid = Kids::from_pair(pair).next()?;
                let kind = if kid.as_rule() == Rule::range_t {
                    let mut kids = Kids::from_pair(kid);
                    let from = self.build_expr(kids.next()?);
                    kids.next_if(Rule::dots)?;
                    TypeKind::Range(from, kids.next().map(|p| self.build_expr(p)))
                } else {
                    TypeKind::Named(self.build_name(kid))
                };
                Some(Type { kind, span })
            }
            _ => None,
        }
    }

    pub(super) fn build_text_opt(&mut self, kids: &mut Kids<'_>) -> Option<Text> {
        kids.next_if(Rule::text).map(|p| self.build_text(p))
    }

    pub(super) fn build_text(&mut self, pair: P<'_>) -> Text {
        let span = self.span_of(&pair);
        let mut parts = Vec::new();
        for kid in pair.into_inner() {
            let at = self.span_of(&kid);
            match kid.as_rule() {
                Rule::chars => {
                    let (start, raw) = (kid.as_span().start(), kid.as_str());
                    parts.push(TextPart::Literal(unescape(raw), self.span_at(start, start + raw.len())));
                }
                Rule::hole => {
                    let inner =
                        Kids::from_pair(kid).find(|k| matches!(k.as_rule(), Rule::expr | Rule::bad_hole));
                    parts.push(TextPart::Hole(match inner {
                        Some(e) if e.as_rule() == Rule::expr => self.build_expr(e),
                        Some(bad) => {
                            self.mark_bad(&bad, Rule::only_hole);
                            Expr::new(ExprKind::Bad, at)
                        }
                        None => Expr::new(ExprKind::Bad, at),
                    }));
                }
                _ => {}
            }
        }
        Text { parts, span }
    }
}

/// Escapes resolved; an unknown one has been reported and stays as it is.
fn unescape(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut chars = raw.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => out.push('\n'),
            Some(c @ ('"' | '\\' | '{' | '}')) => out.push(c),
            Some(c) => {
                out.push('\\');
                out.push(c);
            }
            None => out.push('\\'),
        }
    }
    out
}
