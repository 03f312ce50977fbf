//! Expressions: the grammar's ladder, folded into operators; texts and types.
use super::{Builder, Kids, MOST_ARMS, P, SHORTER};
use crate::ast::{
    Arg, BinaryOp, Branch, Choose, ChooseBy, Expr, ExprKind, Fold, IsTest, Many, ManyKind, Name, Text,
    TextPart, Type, TypeKind,
};
use crate::codes;
use crate::grammar::Rule;
use houserule_text::{Diagnostic, Span};

/// How many operators may stand in a row: each makes the tree one deeper.
const LONGEST_CHAIN: usize = 300;

impl Builder {
    pub(super) fn expr(&mut self, pair: P<'_>) -> Expr {
        let span = self.span(&pair);
        self.expr_opt(pair).unwrap_or_else(|| {
            self.findings.push(Diagnostic::error(codes::STMT, span, "this cannot be read"));
            Expr::new(ExprKind::Bad, span)
        })
    }

    fn too_long(&mut self, span: Span) -> Expr {
        self.findings.push(
            Diagnostic::error(codes::DEEP, span, "this expression is too long")
                .help("give parts of it names with `let` or `value`"),
        );
        Expr::new(ExprKind::Bad, span)
    }

    /// `a op b op c`, from the left.
    fn chain(&mut self, pair: P<'_>, op: impl Fn(&P<'_>) -> Option<BinaryOp>) -> Option<Expr> {
        let whole = pair.clone();
        let mut kids = Kids::of(pair);
        let mut left = self.expr(kids.next()?);
        let mut n = 0;
        while let Some(sign) = kids.next() {
            n += 1;
            if n > LONGEST_CHAIN {
                let span = self.span(&whole);
                return Some(self.too_long(span));
            }
            let op = op(&sign)?;
            let right = self.expr(kids.next()?);
            let span = left.span.to(right.span);
            left = Expr::new(ExprKind::Binary(op, left, right), span);
        }
        Some(left)
    }

    fn expr_opt(&mut self, pair: P<'_>) -> Option<Expr> {
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
            let mut kids = Kids::of(pair.clone());
            match (kids.next(), kids.next()) {
                (Some(only), None) => pair = only,
                _ => break,
            }
        }
        let span = self.span(&pair);
        let kind = match pair.as_rule() {
            Rule::expr => {
                let mut kids = Kids::of(pair);
                let left = self.expr(kids.next()?);
                kids.opt(Rule::k_where)?;
                ExprKind::Where(left, self.expr(kids.next()?))
            }
            Rule::or_e => return self.chain(pair, |_| Some(BinaryOp::Or)),
            Rule::and_e => return self.chain(pair, |_| Some(BinaryOp::And)),
            Rule::not_e => {
                let mut kids = Kids::of(pair);
                let mut nots = Vec::new();
                while let Some(k) = kids.opt(Rule::k_not) {
                    nots.push(k.as_span().start());
                }
                let of = self.expr(kids.next()?);
                return self.prefixed(nots, of, ExprKind::Not);
            }
            Rule::neg => {
                let mut kids = Kids::of(pair);
                let mut signs = Vec::new();
                while let Some(k) = kids.opt(Rule::minus) {
                    signs.push(k.as_span().start());
                }
                let of = self.expr(kids.next()?);
                return self.prefixed(signs, of, ExprKind::Neg);
            }
            Rule::cmp => return self.cmp(pair),
            Rule::rng => {
                let mut kids = Kids::of(pair);
                let from = if kids.has(Rule::dots) { None } else { Some(self.expr(kids.next()?)) };
                kids.has(Rule::dots);
                let to = kids.next().map(|p| self.expr(p));
                ExprKind::Range(from, to)
            }
            Rule::add => {
                return self.chain(pair, |p| {
                    Some(if p.as_str().starts_with('-') { BinaryOp::Sub } else { BinaryOp::Add })
                });
            }
            Rule::mul => {
                return self.chain(pair, |p| {
                    Some(if p.as_str().starts_with('/') { BinaryOp::Div } else { BinaryOp::Mul })
                });
            }
            Rule::dflt => return self.chain(pair, |_| Some(BinaryOp::Default)),
            Rule::steps => return self.chain(pair, |_| Some(BinaryOp::Step)),
            Rule::amount => {
                let mut kids = Kids::of(pair);
                let int = kids.next()?;
                ExprKind::Amount(self.int(int), self.name(kids.next()?))
            }
            Rule::post => return self.post(pair),
            Rule::text => ExprKind::Text(self.text(pair)),
            Rule::int => ExprKind::Int(self.int(pair).value),
            Rule::paren => {
                let mut kids = Kids::of(pair);
                kids.opt(Rule::l_paren)?;
                let inner = self.expr(kids.next()?);
                return Some(Expr { kind: inner.kind, span });
            }
            Rule::set_e => ExprKind::Set(self.exprs(Kids::of(pair))),
            Rule::if_e => {
                let mut kids = Kids::of(pair);
                kids.opt(Rule::k_if)?;
                let cond = self.expr(kids.next()?);
                kids.opt(Rule::k_then)?;
                let then = self.expr(kids.next()?);
                kids.opt(Rule::k_else)?;
                ExprKind::If(cond, then, self.expr(kids.next()?))
            }
            Rule::case_e => {
                let mut kids = Kids::of(pair);
                kids.opt(Rule::k_case)?;
                let of = self.expr(kids.next()?);
                let mut branches = Vec::new();
                for kid in kids.filter(|k| k.as_rule() == Rule::branch) {
                    if branches.len() == MOST_ARMS {
                        self.too_many(&kid, "a `case` may have 256 rows", SHORTER);
                        break;
                    }
                    branches.push(self.branch(kid)?);
                }
                ExprKind::Case(of, branches)
            }
            Rule::choose => {
                let mut kids = Kids::of(pair);
                kids.opt(Rule::k_choose)?;
                let many = self.many(kids.next()?)?;
                kids.opt(Rule::k_of)?;
                let from = self.expr(kids.next()?);
                let by = if let Some(chance) = kids.opt(Rule::by_chance) {
                    Some(ChooseBy::Chance(self.span(&chance)))
                } else {
                    self.by_post(&mut kids).map(ChooseBy::Player)
                };
                let prompt = self.text_opt(&mut kids);
                ExprKind::Choose(Choose { many, from, by, prompt })
            }
            Rule::first_of => {
                let mut kids = Kids::of(pair);
                let last = kids.next()?.as_rule() == Rule::k_last;
                let count = kids.opt(Rule::post).map(|p| self.expr(p));
                kids.opt(Rule::k_of)?;
                ExprKind::FirstOf { last, count, from: self.expr(kids.next()?) }
            }
            Rule::the_one => {
                let mut kids = Kids::of(pair);
                kids.opt(Rule::k_the)?;
                let mut what = self.expr(kids.next()?);
                let mut of = self.inner_expr(&mut kids, Rule::type_of);
                if let ExprKind::KindOf(kind, whose) = &*what.kind {
                    of = Some(whose.clone());
                    what = Expr::new(ExprKind::Kind(kind.clone()), kind.span);
                }
                let filter = self.inner_expr(&mut kids, Rule::type_where);
                ExprKind::The { what, of, filter }
            }
            Rule::kind_of => {
                let mut kids = Kids::of(pair);
                let kind = self.name(kids.next()?);
                kids.opt(Rule::k_of)?;
                ExprKind::KindOf(kind, self.expr(kids.next()?))
            }
            Rule::can_do => {
                let mut kids = Kids::of(pair);
                kids.opt(Rule::k_can)?;
                match self.inner_expr(&mut kids, Rule::can_pay) {
                    Some(cost) => ExprKind::CanPay(cost),
                    None => ExprKind::CanDo(self.expr(kids.next()?)),
                }
            }
            Rule::no_action => ExprKind::NoAction,
            Rule::seen_n => {
                let mut kids = Kids::of(pair);
                kids.opt(Rule::k_position)?;
                let of = match kids.opt(Rule::k_of) {
                    Some(_) => Some(self.name(kids.next()?)),
                    None => None,
                };
                let times = kids.find(|k| k.as_rule() == Rule::int).map(|k| self.int(k));
                ExprKind::PositionSeen(of, times)
            }
            Rule::kind => ExprKind::Kind(self.name(pair)),
            Rule::name | Rule::word => ExprKind::Name(self.name(pair)),
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

    fn prefixed(&mut self, signs: Vec<usize>, of: Expr, wrap: fn(Expr) -> ExprKind) -> Option<Expr> {
        if signs.len() > LONGEST_CHAIN {
            return Some(self.too_long(of.span));
        }
        let mut of = of;
        for at in signs.into_iter().rev() {
            let span = self.at(at, at).to(of.span);
            of = Expr::new(wrap(of), span);
        }
        Some(of)
    }

    fn cmp(&mut self, pair: P<'_>) -> Option<Expr> {
        let mut kids = Kids::of(pair);
        let left = self.expr(kids.next()?);
        let sign = kids.next()?;
        let end = self.span(&sign);
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
                let right = self.expr(kids.next()?);
                let span = left.span.to(right.span);
                return Some(Expr::new(ExprKind::Binary(op, left, right), span));
            }
            Rule::cmp_in => {
                let mut kids = Kids::of(sign);
                let not = kids.has(Rule::k_not);
                kids.opt(Rule::k_in)?;
                let set = self.expr(kids.next()?);
                let span = left.span.to(set.span);
                return Some(Expr::new(ExprKind::In { item: left, set, not }, span));
            }
            Rule::cmp_is => {
                let mut kids = Kids::of(sign);
                kids.opt(Rule::k_is)?;
                let not = kids.has(Rule::k_not);
                let test = if kids.has(Rule::k_some) {
                    IsTest::Some
                } else {
                    IsTest::Filter(self.expr(kids.next()?))
                };
                let value = left.clone();
                ExprKind::Is { value, test, not }
            }
            Rule::cmp_won => {
                let outcome = Self::outcome(Kids::of(sign).next()?.as_rule())?;
                ExprKind::Ended(left.clone(), outcome)
            }
            Rule::cmp_can => {
                let mut kids = Kids::of(sign);
                kids.opt(Rule::k_can)?;
                ExprKind::Can(left.clone(), self.name(kids.next()?))
            }
            _ => return None,
        };
        Some(Expr::new(kind, left.span.to(end)))
    }

    fn post(&mut self, pair: P<'_>) -> Option<Expr> {
        let whole = pair.clone();
        let mut kids = Kids::of(pair);
        let mut of = self.expr(kids.next()?);
        for (n, kid) in kids.enumerate() {
            let span = of.span.to(self.span(&kid));
            if n > LONGEST_CHAIN {
                let span = self.span(&whole);
                return Some(self.too_long(span));
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
                    let mut args = Vec::new();
                    for arg in Kids::of(kid).filter(|k| k.as_rule() == Rule::arg) {
                        args.push(self.arg(arg)?);
                    }
                    ExprKind::Call(of, args)
                }
                Rule::index => {
                    let index = Kids::of(kid).find(|k| k.as_rule() == Rule::expr)?;
                    ExprKind::Index(of, self.expr(index))
                }
                Rule::field => {
                    let word = Kids::of(kid).find(|k| k.as_rule() == Rule::word)?;
                    ExprKind::Field(of, self.name(word))
                }
                _ => return None,
            };
            of = Expr::new(kind, span);
        }
        Some(of)
    }

    fn arg(&mut self, pair: P<'_>) -> Option<Arg> {
        let kid = Kids::of(pair).next()?;
        Some(match kid.as_rule() {
            Rule::arg_named => {
                let mut kids = Kids::of(kid);
                let name = self.name(kids.next()?);
                kids.opt(Rule::colon)?;
                Arg::Named(name, self.expr(kids.next()?))
            }
            Rule::fold => {
                let span = self.span(&kid);
                let mut kids = Kids::of(kid);
                let var = self.name(kids.next()?);
                kids.opt(Rule::k_in)?;
                let from = self.expr(kids.next()?);
                let values = kids.next().map(|v| self.exprs(Kids::of(v))).unwrap_or_default();
                Arg::Fold(Fold { var, from, values, span })
            }
            _ => Arg::Plain(self.expr(kid)),
        })
    }

    fn branch(&mut self, pair: P<'_>) -> Option<Branch> {
        let span = self.span(&pair);
        let mut kids = Kids::of(pair);
        let first = kids.next()?;
        let test = if first.as_rule() == Rule::k_else { None } else { Some(self.expr(first)) };
        kids.opt(Rule::colon)?;
        Some(Branch { test, value: self.expr(kids.next()?), span })
    }

    /// All expressions among the children.
    pub(super) fn exprs(&mut self, kids: Kids<'_>) -> Vec<Expr> {
        kids.filter(|k| matches!(k.as_rule(), Rule::expr | Rule::post | Rule::pat))
            .map(|k| self.expr(k))
            .collect()
    }

    /// The expression inside the next child, if that is of `rule`: `when` C, `by` p, `of` e …
    pub(super) fn inner_expr(&mut self, kids: &mut Kids<'_>, rule: Rule) -> Option<Expr> {
        let inner = kids.opt(rule)?;
        let last = Kids::of(inner).last()?;
        Some(self.expr(last))
    }

    pub(super) fn by_post(&mut self, kids: &mut Kids<'_>) -> Option<Expr> {
        self.inner_expr(kids, Rule::by_post)
    }

    pub(super) fn when(&mut self, kids: &mut Kids<'_>) -> Option<Expr> {
        self.inner_expr(kids, Rule::when)
    }

    pub(super) fn many(&mut self, pair: P<'_>) -> Option<Many> {
        let span = self.span(&pair);
        let kid = Kids::of(pair).next()?;
        let kind = match kid.as_rule() {
            Rule::k_one => ManyKind::One,
            Rule::k_any => ManyKind::Any,
            Rule::k_some => ManyKind::Some,
            Rule::up_to => ManyKind::UpTo(self.expr(Kids::of(kid).last()?)),
            Rule::bounds => {
                let mut kids = Kids::of(kid);
                let from = self.expr(kids.next()?);
                if kids.has(Rule::dots) {
                    ManyKind::Range(from, kids.next().map(|p| self.expr(p)))
                } else {
                    ManyKind::Exactly(from)
                }
            }
            _ => return None,
        };
        Some(Many { kind, span })
    }

    pub(super) fn ty(&mut self, pair: P<'_>) -> Option<Type> {
        let span = self.span(&pair);
        match pair.as_rule() {
            Rule::r#type => {
                let mut bases = Vec::new();
                for kid in Kids::of(pair).filter(|k| k.as_rule() == Rule::base) {
                    bases.push(self.ty(kid)?);
                }
                if bases.len() == 1 { bases.pop() } else { Some(Type { kind: TypeKind::Or(bases), span }) }
            }
            Rule::base => {
                let mut kids = Kids::of(pair);
                let first = kids.next()?;
                let wrap: fn(Box<Type>) -> TypeKind = match first.as_rule() {
                    Rule::k_filter => TypeKind::Filter,
                    Rule::k_set => TypeKind::Set,
                    Rule::k_list => TypeKind::List,
                    Rule::k_bag => TypeKind::Bag,
                    Rule::k_face => TypeKind::Face,
                    _ => {
                        let inner = self.ty(first)?;
                        return Some(if kids.has(Rule::maybe) {
                            Type { kind: TypeKind::Maybe(Box::new(inner)), span }
                        } else {
                            inner
                        });
                    }
                };
                kids.opt(Rule::k_of)?;
                let inner = self.ty(kids.next()?)?;
                Some(Type { kind: wrap(Box::new(inner)), span })
            }
            Rule::type_named => {
                let kid = Kids::of(pair).next()?;
                let kind = if kid.as_rule() == Rule::range_t {
                    let mut kids = Kids::of(kid);
                    let from = self.expr(kids.next()?);
                    kids.opt(Rule::dots)?;
                    TypeKind::Range(from, kids.next().map(|p| self.expr(p)))
                } else {
                    TypeKind::Named(self.name(kid))
                };
                Some(Type { kind, span })
            }
            _ => None,
        }
    }

    pub(super) fn text_opt(&mut self, kids: &mut Kids<'_>) -> Option<Text> {
        kids.opt(Rule::text).map(|p| self.text(p))
    }

    pub(super) fn text(&mut self, pair: P<'_>) -> Text {
        let span = self.span(&pair);
        let mut parts = Vec::new();
        for kid in pair.into_inner() {
            let at = self.span(&kid);
            match kid.as_rule() {
                Rule::chars => {
                    let (start, raw) = (kid.as_span().start(), kid.as_str());
                    parts.push(TextPart::Literal(unescape(raw), self.at(start, start + raw.len())));
                }
                Rule::hole => {
                    let inner = Kids::of(kid).find(|k| matches!(k.as_rule(), Rule::expr | Rule::bad_hole));
                    parts.push(TextPart::Hole(match inner {
                        Some(e) if e.as_rule() == Rule::expr => self.expr(e),
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
