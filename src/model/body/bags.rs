//! Reads bags: so many of each word of an enum.
//!
//! `price: bag of Good` is a number for each word of Good, each an attribute that the rules cannot name. So `my.goods += 2 wood + 1 pelt` is two changes, `p.price[g]` a choice between
//! numbers, and what a bag costs is guards and payments like any other cost. The compiler, the engine and the reference know no bags.
use super::build::{self, cond, expr, int};
use super::codes;
use super::cx::{Cx, Me};
use super::index::Thing;
use super::near as suggest;
use super::types;
use crate::hir::*;
use houserule_syntax::ast;
use houserule_text::{Diagnostic, Span};

/// The most that a bag holds of one word.
pub const MOST: i32 = 999;

/// A bag that has been read: how many of each word; of a word that is not there it holds none.
pub struct Bag {
    /// The enum.
    pub of: KindId,
    /// How many, in the order of the words.
    pub amounts: Vec<(MemberId, Expr)>,
}

impl Bag {
    /// Adds what is in another bag of the same goods.
    pub fn add(&mut self, other: Bag) {
        let mut sum = Sum { of: Some(self.of), amounts: std::mem::take(&mut self.amounts) };
        for (m, n) in other.amounts {
            add(&mut sum, None, m, n);
        }
        self.amounts = sum.amounts;
    }
}

/// A bag that is being read.
#[derive(Default)]
struct Sum {
    of: Option<KindId>,
    amounts: Vec<(MemberId, Expr)>,
}

impl Cx<'_> {
    /// Whether this may be the name of an attribute that is a bag.
    pub(super) fn is_bag_path(&self, e: &ast::Expr) -> bool {
        let (ast::ExprKind::Name(n) | ast::ExprKind::Field(_, n)) = &*e.kind else { return false };
        let model = self.model();
        model.attrs.iter().any(|a| matches!(a.ty, Ty::Bag(_)) && *a.name == *n.text)
            && !model.zones.iter().any(|z| z.index.is_some() && *z.name == *n.text)
    }

    /// Reads an expression that may be a bag.
    pub(super) fn read_bag_path(&mut self, e: &ast::Expr) -> Expr {
        self.bag_fits = true;
        self.read_expr(e, None)
    }

    /// Reports a bag where a value is needed.
    pub(super) fn report_bag(&mut self, span: Span) -> Expr {
        self.fail(
            codes::BAG,
            span,
            "a bag is no value of its own here",
            "ask for a number of it, as in `my.goods[wood]` or `sum(g in Good: my.goods[g])`; `can pay 2 wood from my.goods` asks for several at once",
        )
    }

    /// The words of an enum.
    fn words_of(&self, of: KindId) -> Vec<MemberId> {
        types::kind(self.model(), of).map_or_else(Vec::new, |k| k.members.clone())
    }

    /// The attribute that says how many of a word a bag holds.
    fn part_of(&self, bag: AttrId, of: KindId, word: MemberId) -> Option<AttrId> {
        let at = self.words_of(of).iter().position(|w| *w == word)?;
        self.model().attrs.get(bag.index())?.parts.get(at).copied()
    }

    /// How many of a word a bag holds that is an attribute.
    fn number_in(&self, bag: &Expr, of: KindId, word: MemberId, span: Span) -> Option<Expr> {
        let (attr, whose) = match &*bag.kind {
            ExprKind::Attr(whose, a) => (*a, Some(whose.clone())),
            ExprKind::TableAttr(a) => (*a, None),
            // Of a thing of either kind: the bag of the kind that it shows.
            ExprKind::If(is, a, b) => {
                let (a, b) = (self.number_in(a, of, word, span)?, self.number_in(b, of, word, span)?);
                return Some(expr(Ty::Int(0, MOST), span, ExprKind::If(is.clone(), a, b)));
            }
            _ => return None,
        };
        let part = self.part_of(attr, of, word)?;
        let kind = whose.map_or(ExprKind::TableAttr(part), |w| ExprKind::Attr(w, part));
        Some(expr(Ty::Int(0, MOST), span, kind))
    }

    /// The enum of a bag.
    fn enum_of(ty: &Ty) -> Option<KindId> {
        let Ty::Bag(of) = ty else { return None };
        if let Ty::Of(k) = **of { Some(k) } else { None }
    }

    /// `bag[word]`: how many there are.
    pub(super) fn read_bag_number(&mut self, bag: &Expr, word: &ast::Expr, span: Span) -> Expr {
        let Some(of) = Self::enum_of(&bag.ty) else { return build::error(span) };
        let word = self.read_as(word, &Ty::Of(of), "what is counted in the bag");
        if let ExprKind::Member(m) = &*word.kind {
            return self.number_in(bag, of, *m, span).unwrap_or_else(|| build::error(span));
        }
        let numbers: Vec<_> = (self.words_of(of).into_iter())
            .filter_map(|m| Some((m, self.number_in(bag, of, m, span)?)))
            .collect();
        let mut numbers = numbers.into_iter().rev();
        let Some((_, last)) = numbers.next() else { return build::error(span) };
        numbers.fold(last, |other, (m, n)| {
            expr(Ty::Int(0, MOST), span, ExprKind::If(Self::is_word(&word, of, m, span), n, other))
        })
    }

    fn is_word(e: &Expr, of: KindId, word: MemberId, span: Span) -> Expr {
        let word = expr(Ty::Of(of), span, ExprKind::Member(word));
        cond(span, ExprKind::Compare(Comparison::Eq, e.clone(), word))
    }

    /// Reads a bag: `2 wood + 1 pelt`, `n * wood`, `c.price - my.cheaper`, `nothing`. `of` is the enum, where it is known.
    pub(super) fn read_bag(&mut self, e: &ast::Expr, of: Option<KindId>) -> Option<Bag> {
        let mut sum = Sum { of, amounts: Vec::new() };
        self.add_to_bag(e, None, &mut sum)?;
        let Some(of) = sum.of else {
            let _ =
                self.fail(codes::UNCLEAR_BAG, e.span, "this bag names no goods", "name the goods: `0 wood`");
            return None;
        };
        let words = self.words_of(of);
        sum.amounts.sort_by_key(|(m, _)| words.iter().position(|w| w == m));
        Some(Bag { of, amounts: sum.amounts })
    }

    fn add_to_bag(&mut self, e: &ast::Expr, times: Option<&Expr>, out: &mut Sum) -> Option<()> {
        use ast::BinaryOp as B;
        match &*e.kind {
            ast::ExprKind::Binary(B::Add, a, b) => {
                self.add_to_bag(a, times, out)?;
                self.add_to_bag(b, times, out)
            }
            ast::ExprKind::Binary(B::Sub, a, b) => {
                let (mut left, mut right) =
                    (Sum { of: out.of, amounts: vec![] }, Sum { of: out.of, amounts: vec![] });
                self.add_to_bag(a, times, &mut left)?;
                right.of = left.of.or(right.of);
                self.add_to_bag(b, times, &mut right)?;
                for (m, n) in left.amounts {
                    let taken = right.amounts.iter().find(|(x, _)| *x == m).map(|(_, n)| n.clone());
                    let rest = taken.map_or(n.clone(), |t| less(n, t, e.span));
                    add(out, left.of, m, rest);
                }
                out.of = out.of.or(left.of);
                Some(())
            }
            ast::ExprKind::Amount(n, unit) => {
                let (of, m) = self.read_word_of_bag(unit, out.of)?;
                let n = int(i32::try_from(n.value).unwrap_or(i32::MAX), n.span);
                add(out, Some(of), m, scaled(n, times, e.span));
                Some(())
            }
            ast::ExprKind::Binary(B::Mul, n, x) => {
                let n = self.read_number_of(n, "how many there are");
                if n.ty == Ty::Error {
                    return None;
                }
                let n = scaled(n, times, e.span);
                if self.is_bag_path(x) {
                    return self.add_to_bag(x, Some(&n), out);
                }
                if let Some(unit) = x.as_name()
                    && self.find_local(&unit.text).is_none()
                    && !self.words_named(&unit.text, out.of).is_empty()
                {
                    let (of, m) = self.read_word_of_bag(unit, out.of)?;
                    add(out, Some(of), m, n);
                    return Some(());
                }
                // Which word it is, is known in play.
                let word = self.read_expr(x, out.of.map(Ty::Of).as_ref());
                let Ty::Of(of) = word.ty else { return self.report_unclear_bag(x.span, &word.ty) };
                if !matches!(types::kind(self.model(), of), Some(k) if k.sort == KindSort::Enum) {
                    return self.report_unclear_bag(x.span, &word.ty);
                }
                if out.of.is_some_and(|k| k != of) {
                    return self.report_other_enum(x.span, of, out.of);
                }
                for m in self.words_of(of) {
                    let is = Self::is_word(&word, of, m, x.span);
                    let (lo, hi) = types::bounds(&n.ty).unwrap_or((0, MOST));
                    let n = expr(
                        Ty::Int(lo.min(0), hi.max(0)),
                        x.span,
                        ExprKind::If(is, n.clone(), int(0, x.span)),
                    );
                    add(out, Some(of), m, n);
                }
                Some(())
            }
            ast::ExprKind::Name(n) if n.text == "nothing" && self.find_local("nothing").is_none() => Some(()),
            _ if self.is_bag_path(e) => {
                let bag = self.read_bag_path(e);
                if bag.ty == Ty::Error {
                    return None;
                }
                let Some(of) = Self::enum_of(&bag.ty) else {
                    return self.report_unclear_bag(e.span, &bag.ty);
                };
                if out.of.is_some_and(|k| k != of) {
                    return self.report_other_enum(e.span, of, out.of);
                }
                for m in self.words_of(of) {
                    let n = self.number_in(&bag, of, m, e.span)?;
                    add(out, Some(of), m, scaled(n, times, e.span));
                }
                Some(())
            }
            _ => self.report_unclear_bag(e.span, &Ty::Error),
        }
    }

    fn report_unclear_bag(&mut self, span: Span, is: &Ty) -> Option<()> {
        let message = match is {
            Ty::Error => String::from("this does not say how many of what"),
            ty => format!("only words of an enum are counted in a bag, but this is {}", self.show(ty)),
        };
        let help = "write `2 wood + 1 pelt`, `n * wood`, a bag of somebody as in `my.goods`, or `nothing`";
        let _ = self.fail(codes::UNCLEAR_BAG, span, message, help);
        None
    }

    fn report_other_enum(&mut self, span: Span, of: KindId, want: Option<KindId>) -> Option<()> {
        let name = |k: KindId| types::name(self.model(), k);
        let message = format!("a bag of {} holds no {}", want.map_or_else(String::new, name), name(of));
        let _ = self.fail(codes::UNCLEAR_BAG, span, message, "name goods of one enum only");
        None
    }

    /// The words of enums by that name.
    pub(super) fn words_named(&self, word: &str, of: Option<KindId>) -> Vec<(KindId, MemberId)> {
        let model = self.model();
        let word_of = |t: &Thing| {
            let Thing::Member(m) = t else { return None };
            let kind = model.members.get(m.index())?.kind;
            let counted = model.kinds.get(kind.index()).is_some_and(|k| k.sort == KindSort::Enum);
            (counted && of.is_none_or(|of| of == kind)).then_some((kind, *m))
        };
        self.ix.things(word).iter().filter_map(word_of).collect()
    }

    fn read_word_of_bag(&mut self, unit: &ast::Name, of: Option<KindId>) -> Option<(KindId, MemberId)> {
        match *self.words_named(&unit.text, of) {
            [found] => {
                self.note(unit.span, crate::uses::Def::Member(found.1));
                Some(found)
            }
            [] => {
                let goods = |k: KindId| of.is_none_or(|of| of == k);
                let model = self.model();
                let kinds = model.kinds.iter().enumerate().filter(|(_, k)| k.sort == KindSort::Enum);
                let members = kinds.filter(|(i, _)| goods(KindId(*i as u32))).flat_map(|(_, k)| &k.members);
                let words: Vec<String> =
                    members.filter_map(|m| Some(model.members.get(m.index())?.name.to_string())).collect();
                let message = match of {
                    Some(k) => format!("`{}` is no word of {}", unit.text, types::name(model, k)),
                    None => format!("`{}` is a word of no enum", unit.text),
                };
                let known = words.iter().map(String::as_str);
                let help =
                    suggest::list_nearest(&unit.text, known.clone(), "declare an enum of the goods first");
                let d = Diagnostic::error(codes::NO_NAME, unit.span, message);
                let d = match suggest::closest(&unit.text, known) {
                    Some(near) => d.suggest(near),
                    None => d,
                };
                self.push(d.help(help));
                self.ix.notes.note_could(unit.span, words);
                None
            }
            _ => {
                let d = Diagnostic::error(
                    codes::AMBIGUOUS,
                    unit.span,
                    format!("`{}` is a word of several enums", unit.text),
                );
                self.push(d.help("rename one of the words"));
                None
            }
        }
    }

    /// How many a bag holds of each word at the start, word by word.
    pub fn read_bag_at_start(&mut self, bag: AttrId, e: &ast::Expr) -> Option<Vec<(AttrId, Expr)>> {
        let attr = self.model().attrs.get(bag.index())?;
        let (of, parts) = (Self::enum_of(&attr.ty)?, attr.parts.clone());
        let mut given = self.read_bag(e, Some(of))?.amounts;
        let of_word = |m: MemberId| match given.iter_mut().find(|(x, _)| *x == m) {
            Some((_, n)) => build::held_to_range(n.clone(), &Ty::Int(0, MOST)),
            None => int(0, e.span),
        };
        let numbers: Vec<_> = self.words_of(of).into_iter().map(of_word).collect();
        Some(parts.into_iter().zip(numbers).collect())
    }

    /// The changes of a bag that is an attribute: `my.goods += 2 wood`, `my.goods = nothing`.
    pub(super) fn change_bag(
        &mut self,
        lhs: &Lhs,
        ty: &Ty,
        change: Change,
        r: &ast::Expr,
        span: Span,
    ) -> Option<StmtKind> {
        let of = Self::enum_of(ty)?;
        let mut bag = self.read_bag(r, Some(of))?;
        if change == Change::Set {
            for m in self.words_of(of) {
                if bag.amounts.iter().all(|(x, _)| *x != m) {
                    bag.amounts.push((m, int(0, r.span)));
                }
            }
        }
        let mut out = Block::new();
        self.change_numbers(lhs, change, bag, span, &mut out);
        Some(StmtKind::If(build::truth(true, span), out, Block::new()))
    }

    /// Changes the numbers of a bag. What they are changed by is worked out before any of them changes.
    pub(super) fn change_numbers(
        &mut self,
        lhs: &Lhs,
        change: Change,
        bag: Bag,
        span: Span,
        out: &mut Block,
    ) {
        let several = bag.amounts.len() > 1;
        let mut changes = Vec::new();
        for (m, mut n) in bag.amounts {
            let to = match lhs {
                Lhs::Attr(whose, a) => self.part_of(*a, bag.of, m).map(|a| Lhs::Attr(whose.clone(), a)),
                Lhs::TableAttr(a) => self.part_of(*a, bag.of, m).map(Lhs::TableAttr),
                _ => None,
            };
            if several && !matches!(&*n.kind, ExprKind::Int(_)) {
                let (ty, at) = (n.ty.clone(), n.span);
                let l = self.new_local("it", ty.clone(), at);
                out.push(Stmt { span, kind: StmtKind::Let(l, n) });
                n = build::local(l, ty, at);
            }
            changes.extend(to.map(|to| Stmt { span, kind: StmtKind::Assign(to, change, n) }));
        }
        out.extend(changes);
    }

    /// What a bag of goods costs: from a bag that is an attribute, or through the rule that pays such goods.
    pub(super) fn charge_bag(
        &mut self,
        bag: Bag,
        from: Option<&ast::Expr>,
        span: Span,
        out: (&mut Vec<Guard>, &mut Block),
    ) {
        if bag.amounts.iter().any(|(_, n)| self.refuse_no_cost(n)) {
            return;
        }
        let says = |t: &str| TextPart::Literal(t.into());
        let le = |a: &Expr, b: &Expr| cond(span, ExprKind::Compare(Comparison::Le, a.clone(), b.clone()));
        let Some(from) = from else { return self.charge_by_rule(bag, span, out) };
        let purse = self.read_bag_path(from);
        let lhs = match &*purse.kind {
            _ if purse.ty == Ty::Error => return,
            ExprKind::Attr(whose, a) if Self::enum_of(&purse.ty) == Some(bag.of) => {
                Lhs::Attr(whose.clone(), *a)
            }
            ExprKind::TableAttr(a) if Self::enum_of(&purse.ty) == Some(bag.of) => Lhs::TableAttr(*a),
            _ => {
                let (is, of) = (self.show(&purse.ty), types::name(self.model(), bag.of));
                let message = format!("{of} is paid from a bag of {of}, but this is {is}");
                let help = format!(
                    "declare it: `player {{ goods: bag of {of} }}`; components are paid by a rule: `rule spend(g: {of}, n: int) pays {of} {{ … }}`"
                );
                let _ = self.fail(codes::NO_PURSE, from.span, message, help);
                return;
            }
        };
        let mine = match (&lhs, &self.me) {
            (Lhs::Attr(whose, _), Me::Is(me)) => matches!(&*whose.kind, ExprKind::Local(l) if l == me),
            _ => false,
        };
        for (m, n) in &bag.amounts {
            let Some(has) = self.number_in(&purse, bag.of, *m, span) else { continue };
            let word =
                self.model().members.get(m.index()).map_or_else(String::new, |m| m.name.replace('_', " "));
            let enough = le(n, &has);
            let cond = match types::bounds(&n.ty) {
                Some((lo, _)) if lo < 0 => build::and(le(&int(0, span), n), enough),
                _ => enough,
            };
            let parts = vec![
                says("needs "),
                TextPart::Hole(n.clone()),
                says(&format!(" {word}, ")),
                says(if mine { "you have " } else { "there are " }),
                TextPart::Hole(has),
            ];
            out.0.push(Guard { cond, reason: Some(Text { parts, span }), span });
        }
        let mut paid = Block::new();
        self.change_numbers(&lhs, Change::Sub, bag, span, &mut paid);
        out.1.extend(paid);
    }

    /// The rule `rule spend(g: Good, n: int) pays Good` is asked whether it can begin, and called, for each of the goods.
    fn charge_by_rule(&mut self, bag: Bag, span: Span, out: (&mut Vec<Guard>, &mut Block)) {
        let model = self.model();
        let of = types::name(model, bag.of);
        let Some(rule) = model.rules.iter().position(|r| r.pays == Some(bag.of)) else {
            let help = format!(
                "write from what: `… from my.goods`, a bag of {of}; or how components are paid: `rule spend(g: {of}, n: int) pays {of} {{ … }}`"
            );
            let _ = self.fail(codes::NO_PURSE, span, format!("nothing says from what {of} is paid"), help);
            return;
        };
        let rule = RuleId(rule as u32);
        let me = self.read_me(span);
        if me.ty == Ty::Error {
            return;
        }
        let says = |t: &str| TextPart::Literal(t.into());
        for (m, n) in bag.amounts {
            let word =
                self.model().members.get(m.index()).map_or_else(String::new, |m| m.name.replace('_', " "));
            let none = cond(span, ExprKind::Compare(Comparison::Le, n.clone(), int(0, span)));
            let args = vec![expr(Ty::Of(bag.of), span, ExprKind::Member(m)), n.clone()];
            let can = cond(span, ExprKind::CanRule(rule, None, args.clone()));
            let some = cond(span, ExprKind::Compare(Comparison::Gt, n.clone(), int(0, span)));
            let cond = if matches!(&*n.kind, ExprKind::Int(1..)) {
                can
            } else {
                cond(span, ExprKind::Or(none, can))
            };
            let parts = vec![says("needs "), TextPart::Hole(n), says(&format!(" {word}"))];
            out.0.push(Guard { cond, reason: Some(Text { parts, span }), span });
            let call = Stmt { span, kind: StmtKind::Call(model.called_for(rule), None, args) };
            let kind = StmtKind::If(some, vec![call], Block::new());
            out.1.push(Stmt { span, kind });
        }
    }
}

/// Adds an amount to what there is of a word.
fn add(sum: &mut Sum, of: Option<KindId>, m: MemberId, n: Expr) {
    sum.of = sum.of.or(of);
    match sum.amounts.iter_mut().find(|(x, _)| *x == m) {
        Some((_, old)) => *old = number(Arith::Add, old.clone(), n),
        None => sum.amounts.push((m, n)),
    }
}

fn scaled(n: Expr, times: Option<&Expr>, span: Span) -> Expr {
    let mut n = n;
    if let Some(t) = times {
        n = number(Arith::Mul, t.clone(), n);
        n.span = span;
    }
    n
}

/// `a op b`, worked out where both are written.
fn number(op: Arith, a: Expr, b: Expr) -> Expr {
    let span = a.span.to(b.span);
    if let (ExprKind::Int(x), ExprKind::Int(y)) = (&*a.kind, &*b.kind) {
        let (n, _) = types::arith(op, (*x, *x), (*y, *y));
        return int(n, span);
    }
    let (lo, hi) = match (types::bounds(&a.ty), types::bounds(&b.ty)) {
        (Some(a), Some(b)) => types::arith(op, a, b),
        _ => (i32::MIN, i32::MAX),
    };
    expr(Ty::Int(lo, hi), span, ExprKind::Arith(op, a, b))
}

/// a - b, and none if b is more.
fn less(a: Expr, b: Expr, span: Span) -> Expr {
    let most = types::bounds(&a.ty).map_or(MOST, |(_, hi)| hi.max(0));
    let more = cond(span, ExprKind::Compare(Comparison::Gt, a.clone(), b.clone()));
    let rest = number(Arith::Sub, a, b);
    expr(Ty::Int(0, most), span, ExprKind::If(more, rest, int(0, span)))
}
