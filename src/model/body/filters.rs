//! Reads filters: conditions on a candidate, whose leaves may be words, numbers and ranges.
use super::build::{self, and, builtin, cond, expr, not, truth};
use super::codes;
use super::cx::Cx;
use super::flow;
use super::index::{Part, Thing};
use super::types;
use crate::hir::*;
use crate::uses::Def;
use houserule_syntax::ast::{self, BinaryOp};
use houserule_text::{Diagnostic, Span};

impl<'a> Cx<'a> {
    /// `S where P`.
    pub fn read_where(&mut self, s: &ast::Expr, p: &ast::Expr, span: Span, want: Option<&Ty>) -> Expr {
        let outer = self.box_of.take();
        let base = self.read_source(s, Some(p), want);
        let out = self.make_filtered(base, p, span);
        self.box_of = outer;
        out
    }

    /// The set before a `where`: of the box, only what the filter can mean.
    pub fn read_source(&mut self, s: &ast::Expr, p: Option<&ast::Expr>, want: Option<&Ty>) -> Expr {
        if let ast::ExprKind::Name(n) = &*s.kind
            && n.text == "box"
            && self.find_local("box").is_none()
        {
            let wanted = || match want.map(types::plain) {
                Some(Ty::Set(t) | Ty::List(t)) => match *t {
                    Ty::Of(k) if types::is_component(self.model(), k) => Some(k),
                    _ => None,
                },
                _ => None,
            };
            let kinds = match p.and_then(|p| self.find_meant_kind(p)).or_else(wanted) {
                Some(k) => {
                    self.box_of = Some(k);
                    vec![k]
                }
                None => self.ix.component_kinds(),
            };
            return self.read_box(&kinds, s.span);
        }
        let set = want.map(|w| match w {
            Ty::Maybe(t) => (**t).clone(),
            t => t.clone(),
        });
        self.read_expr(s, set.as_ref())
    }

    /// The component kind that a filter speaks of, if its words tell.
    fn find_meant_kind(&self, p: &ast::Expr) -> Option<KindId> {
        match &*p.kind {
            ast::ExprKind::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
                self.find_meant_kind(a).or_else(|| self.find_meant_kind(b))
            }
            ast::ExprKind::Not(a) => self.find_meant_kind(a),
            ast::ExprKind::Is { value, .. } => self.find_meant_kind(value),
            ast::ExprKind::Call(callee, _) => self.find_meant_kind(callee),
            ast::ExprKind::Name(n) | ast::ExprKind::Kind(n) => {
                if let Some(l) = self.find_local(&n.text) {
                    return match self.locals.get(l.0 as usize).map(|l| types::plain(&l.ty)) {
                        Some(Ty::Face(k) | Ty::Filter(k)) => Some(k),
                        Some(Ty::Of(k)) if types::is_component(self.model(), k) => Some(k),
                        _ => None,
                    };
                }
                self.ix.things(&n.text).iter().find_map(|t| match t {
                    Thing::Member(m) => {
                        let k = self.model().members.get(m.index())?.kind;
                        types::is_component(self.model(), k).then_some(k)
                    }
                    Thing::Kind(k) if types::is_component(self.model(), *k) => Some(*k),
                    _ => None,
                })
            }
            _ => None,
        }
    }

    /// What passes of a set, list or thing.
    pub fn make_filtered(&mut self, base: Expr, p: &ast::Expr, span: Span) -> Expr {
        if base.ty == Ty::Error {
            return build::error(span);
        }
        let (base, el, ty) = match types::plain(&base.ty) {
            Ty::Set(el) => {
                let ty = types::set_of((*el).clone());
                let _ = self.need_value(&base, "the left side of `where` must be a set");
                (base, *el, ty)
            }
            Ty::List(el) => {
                let ty = types::list_of((*el).clone());
                let _ = self.need_value(&base, "the left side of `where` must be a list");
                (base, *el, ty)
            }
            t if types::element(self.model(), &t).is_some() => {
                let base = self.read_collection(base, "the left side of `where`");
                let el = types::element(self.model(), &base.ty).unwrap_or(Ty::Error);
                let ty = types::list_of(el.clone());
                (base, el, ty)
            }
            t @ (Ty::Of(_) | Ty::AnyOf(_) | Ty::Face(_) | Ty::Side(_)) => {
                let ty = types::maybe(t.clone());
                (base, t, ty)
            }
            other => {
                let is = self.show(&other);
                return self.fail(
                    codes::NOT_A_SET,
                    base.span,
                    format!("only sets, lists and things can have `where`, but this is {is}"),
                    "write the set before `where`, as in `players where …`, `Card where …` or `(1..6) where …`",
                );
            }
        };
        let it = self.new_local("it", el.clone(), base.span);
        self.note_unique(it, &base);
        let test = self.read_candidate_filter(p, build::local(it, el, p.span));
        expr(ty, span, ExprKind::Where(base, it, test))
    }

    /// Reads a filter for a candidate: purely, with the candidate as `it`.
    pub fn read_candidate_filter(&mut self, p: &ast::Expr, cand: Expr) -> Expr {
        self.read_purely("a filter", |cx| {
            cx.read_in_scope(|cx| {
                cx.its.push(cand.clone());
                let test = cx.read_filter(p, &cand);
                cx.its.pop();
                test
            })
        })
    }

    /// Reads a filter; the candidate is never none and stands in `its` already.
    pub fn read_filter(&mut self, p: &ast::Expr, cand: &Expr) -> Expr {
        let span = p.span;
        let mut out = match &*p.kind {
            ast::ExprKind::Binary(BinaryOp::And, a, b) => {
                let x = self.read_filter(a, cand);
                let y = self.read_in_scope(|cx| {
                    cx.learn(&x, true);
                    cx.read_filter(b, cand)
                });
                cond(span, ExprKind::And(x, y))
            }
            ast::ExprKind::Binary(BinaryOp::Or, a, b) => {
                let x = self.read_filter(a, cand);
                let y = self.read_in_scope(|cx| {
                    cx.learn(&x, false);
                    cx.read_filter(b, cand)
                });
                cond(span, ExprKind::Or(x, y))
            }
            ast::ExprKind::Not(a) => not(self.read_filter(a, cand)),
            ast::ExprKind::Any => truth(true, span),
            ast::ExprKind::Name(n) | ast::ExprKind::Kind(n) => self.read_filter_word(n, cand),
            ast::ExprKind::Call(callee, args) => match self.read_family_test(callee, args, cand, span) {
                Some(e) => e,
                None => {
                    let e = self.read_expr(p, Some(&Ty::Bool));
                    self.lift_to_candidate(e, cand)
                }
            },
            _ => {
                let want = match types::plain(&cand.ty) {
                    t @ (Ty::Of(_) | Ty::Face(_)) => t,
                    _ => Ty::Bool,
                };
                let e = self.read_expr(p, Some(&want));
                self.lift_to_candidate(e, cand)
            }
        };
        out.span = span;
        out
    }

    /// `number(7)` as a test: whether the candidate shows that face.
    fn read_family_test(
        &mut self,
        callee: &ast::Expr,
        args: &[ast::Arg],
        cand: &Expr,
        span: Span,
    ) -> Option<Expr> {
        let n = callee.as_name()?;
        let (Ty::Of(k) | Ty::Side(k)) = types::plain(&cand.ty) else { return None };
        if !types::is_component(self.model(), k) || self.find_local(&n.text).is_some() {
            return None;
        }
        let m = self.find_member(k, &n.text)?;
        let key = self.read_family_key(m, args, n, span)?;
        Some(cond(span, ExprKind::IsFace(cand.clone(), m, Some(key))))
    }

    /// The candidate as a number: itself, or what a die shows.
    fn read_number_in(&mut self, cand: &Expr, span: Span) -> Option<Expr> {
        match types::plain(&cand.ty) {
            Ty::Int(..) => Some(cand.clone()),
            ref t => {
                let kinds = if let Ty::Side(k) = t { vec![*k] } else { types::kinds_of(t) };
                let die = !kinds.is_empty() && kinds.iter().all(|k| types::is_die(self.model(), *k));
                let ty = self.die_value_type(&kinds);
                die.then(|| builtin(Builtin::DieValue, vec![cand.clone()], ty, span))
            }
        }
    }

    fn read_filter_word(&mut self, n: &ast::Name, cand: &Expr) -> Expr {
        let span = n.span;
        let word = n.text.as_str();
        if let Some(l) = self.find_local(word) {
            let e = self.use_local(l, span);
            return self.lift_to_candidate(e, cand);
        }
        let ty = types::plain(&cand.ty);
        self.count_use(cand);
        // What the candidate has.
        if let Some(part) = self.find_part(&ty, word)
            && !matches!(part, Part::Rule(_))
        {
            let e = self.read_field_of(cand.clone(), n, span);
            return match types::plain(&e.ty) {
                Ty::Bool | Ty::Error => self.lift_to_candidate(e, cand),
                other => {
                    let is = self.show(&other);
                    let d = Diagnostic::error(
                        codes::NOT_A_CONDITION,
                        span,
                        format!("`{word}` alone is not a condition: it is {is}"),
                    );
                    let d = if types::is_maybe(&e.ty) {
                        d.help(format!("to ask whether there is one, write `{word} is some`"))
                    } else {
                        d.help(format!("compare it: `{word} == …`"))
                    };
                    self.push(d);
                    build::error(span)
                }
            };
        }
        // What it may be.
        let kinds = match &ty {
            Ty::Face(k) | Ty::Side(k) => vec![*k],
            t => types::kinds_of(t),
        };
        for k in &kinds {
            if let Some(m) = self.find_member(*k, word) {
                self.note(span, Def::Member(m));
                return self.is_member(cand, m, span);
            }
        }
        if let Some(k) = self.find_kind(n) {
            return self.is_kind(cand, k, span);
        }
        match word {
            "all" => return truth(true, span),
            "odd" | "even" => {
                if let Some(number) = self.read_number_in(cand, span) {
                    let b = if word == "odd" { Builtin::Odd } else { Builtin::Even };
                    return builtin(b, vec![number], Ty::Bool, span);
                }
            }
            _ => {}
        }
        // A value of one thing, asked of the candidate.
        for t in self.ix.things(word) {
            if let Thing::Value(v) = t
                && let Some(d) = self.model().values.get(v.index())
                && d.body.params == 1
                && matches!(d.ty, Ty::Bool)
                && let Some(p) = d.body.locals.first()
                && types::fit(self.model(), &ty, &p.ty) == types::Fit::Yes
            {
                self.note(span, t.def());
                return cond(span, ExprKind::Value(*v, vec![cand.clone()]));
            }
        }
        // A word that fills one of its attributes.
        let words: Vec<MemberId> = self
            .ix
            .things(word)
            .iter()
            .filter_map(|t| if let Thing::Member(m) = t { Some(*m) } else { None })
            .collect();
        for m in words {
            if let Some(e) = self.compare_filled_word(cand, m, span) {
                self.note(span, Def::Member(m));
                return e;
            }
        }
        let want = match &ty {
            Ty::Of(_) | Ty::Face(_) => Some(ty.clone()),
            _ => None,
        };
        let e = self.read_name(n, want.as_ref());
        self.lift_to_candidate(e, cand)
    }

    /// Whether the attribute of the candidate that such a word can fill is that word.
    fn compare_filled_word(&mut self, cand: &Expr, m: MemberId, span: Span) -> Option<Expr> {
        let k = self.model().members.get(m.index())?.kind;
        let face = types::is_component(self.model(), k);
        let mut found: Vec<AttrId> = Vec::new();
        for of in printed_kinds(&cand.ty) {
            for (_, p) in self.ix.parts_of(of) {
                let Part::Attr(a) = p else { continue };
                let ty = types::plain(&self.model().attrs.get(a.index())?.ty);
                let fills = match &ty {
                    Ty::Of(x) if !face => types::is_a(self.model(), k, *x),
                    Ty::Face(x) => face && types::is_a(self.model(), k, *x),
                    _ => false,
                };
                if fills && !found.contains(&a) {
                    found.push(a);
                }
            }
        }
        found.sort();
        match found.as_slice() {
            [] => None,
            [a] => {
                let ty = self.model().attrs.get(a.index())?.ty.clone();
                let read = self.narrow(expr(ty, span, ExprKind::Attr(cand.clone(), *a)));
                let word = self.read_member(m, Some(&types::plain(&read.ty)), span);
                Some(cond(span, ExprKind::Compare(Comparison::Eq, read, word)))
            }
            several => {
                let names: Vec<String> = several
                    .iter()
                    .filter_map(|a| self.model().attrs.get(a.index()))
                    .map(|a| format!("`{}`", a.name))
                    .collect();
                let word =
                    self.model().members.get(m.index()).map(|m| m.name.to_string()).unwrap_or_default();
                let e = self.fail(
                    codes::AMBIGUOUS,
                    span,
                    format!("`{word}` may belong to {}", names.join(" or ")),
                    format!("write which, as in `{} == {word}`", names[0].trim_matches('`')),
                );
                Some(e)
            }
        }
    }

    fn is_member(&mut self, cand: &Expr, m: MemberId, span: Span) -> Expr {
        let Some(d) = self.model().members.get(m.index()) else { return build::error(span) };
        match types::plain(&cand.ty) {
            Ty::Of(_) | Ty::AnyOf(_) | Ty::Side(_) if types::is_component(self.model(), d.kind) => {
                cond(span, ExprKind::IsFace(cand.clone(), m, None))
            }
            Ty::Face(k) if d.family.is_some() => {
                // Any of a family: the face's own test.
                let it = cand.clone();
                let _ = k;
                cond(span, ExprKind::IsFace(it, m, None))
            }
            _ => {
                let want = types::plain(&cand.ty);
                let word = self.read_member(m, Some(&want), span);
                cond(span, ExprKind::Compare(Comparison::Eq, cand.clone(), word))
            }
        }
    }

    fn is_kind(&mut self, cand: &Expr, k: KindId, span: Span) -> Expr {
        let kinds = printed_kinds(&cand.ty);
        let possible =
            kinds.iter().any(|c| types::is_a(self.model(), k, *c) || types::is_a(self.model(), *c, k));
        let name = types::name(self.model(), k);
        if !possible {
            let is = self.show(&types::plain(&cand.ty));
            let help = format!("leave the condition out, or write which {name} is meant");
            return self.fail(codes::INCOMPARABLE, span, format!("{is} cannot be a {name}"), help);
        }
        // In the box lies everything: a kind named there is why it is the only one looked at.
        if self.box_of != Some(k) && kinds.iter().all(|c| types::is_a(self.model(), *c, k)) {
            self.push(
                Diagnostic::warning(codes::ALWAYS, span, "this is always yes")
                    .label(format!("everything here is already a {name}")),
            );
        }
        cond(span, ExprKind::IsKind(cand.clone(), k))
    }

    /// A leaf that is no truth value, asked of the candidate.
    pub fn lift_to_candidate(&mut self, e: Expr, cand: &Expr) -> Expr {
        let span = e.span;
        let whole = types::plain(&cand.ty);
        match types::plain(&e.ty) {
            Ty::Bool if whole == Ty::Bool && matches!(&*e.kind, ExprKind::Bool(_)) => {
                self.count_use(cand);
                cond(span, ExprKind::Compare(Comparison::Eq, cand.clone(), e))
            }
            Ty::Bool => {
                let _ = self.need_value(&e, "a filter must be yes or no");
                e
            }
            Ty::Error => build::error(span),
            Ty::None => {
                let d = Diagnostic::error(codes::NOT_A_CONDITION, span, "`none` alone is not a filter")
                    .help("write `… is none`");
                self.push(d);
                build::error(span)
            }
            Ty::Int(..) => match self.read_number_in(cand, span) {
                Some(number) => {
                    self.count_use(cand);
                    if let (Some(a), Some(b)) = (types::bounds(&number.ty), types::bounds(&e.ty))
                        && types::decided(Comparison::Eq, a, b) == Some(false)
                    {
                        self.push(Diagnostic::warning(codes::ALWAYS, span, "this is always no").label(
                            format!(
                                "{} is outside {}",
                                types::show_range(b.0, b.1),
                                types::show_range(a.0, a.1)
                            ),
                        ));
                    }
                    cond(span, ExprKind::Compare(Comparison::Eq, number, e))
                }
                None => {
                    let is = self.show(&whole);
                    let hint = self.hint_for_filter(&whole, &types::WIDE);
                    self.fail(
                        codes::NOT_A_FILTER,
                        span,
                        format!("a number as a filter tests numbers and dice, but the candidate is {is}"),
                        hint,
                    )
                }
            },
            Ty::Filter(k) => {
                let kinds = printed_kinds(&whole);
                let fits = !kinds.is_empty() && kinds.iter().all(|c| types::is_a(self.model(), *c, k));
                self.count_use(cand);
                if fits {
                    cond(span, ExprKind::In(cand.clone(), e))
                } else {
                    let (is, of) = (self.show(&whole), types::name(self.model(), k));
                    self.fail(
                        codes::NOT_A_FILTER,
                        span,
                        format!("this filter is for {of}, but the candidate is {is}"),
                        format!("write a set of {of} before `where`, or a condition on what stands there"),
                    )
                }
            }
            Ty::Face(_) => {
                self.count_use(cand);
                match (&whole, &*e.kind) {
                    (Ty::Of(_) | Ty::AnyOf(_) | Ty::Side(_), ExprKind::Face(m, key)) => {
                        cond(span, ExprKind::IsFace(cand.clone(), *m, key.clone()))
                    }
                    (Ty::Of(_) | Ty::AnyOf(_) | Ty::Side(_), _) => match self.face_type(&whole, &e.ty) {
                        Some(ty) => {
                            let face = builtin(Builtin::FaceOf, vec![cand.clone()], ty, span);
                            cond(span, ExprKind::Compare(Comparison::Eq, face, e))
                        }
                        None => self.report_never(cand, &e),
                    },
                    (Ty::Face(_), _) if types::comparable(self.model(), &whole, &e.ty) => {
                        cond(span, ExprKind::Compare(Comparison::Eq, cand.clone(), e))
                    }
                    _ => self.report_never(cand, &e),
                }
            }
            Ty::Set(el) | Ty::List(el) => {
                self.count_use(cand);
                // A range or set of numbers asks for the number; any other set, whether the candidate is in it.
                if matches!(*el, Ty::Int(..))
                    && let Some(number) = self.read_number_in(cand, span)
                {
                    return cond(span, ExprKind::In(number, e));
                }
                if types::comparable(self.model(), &whole, &el) {
                    return cond(span, ExprKind::In(cand.clone(), e));
                }
                self.report_never(cand, &e)
            }
            other if types::comparable(self.model(), &whole, &other) => {
                self.count_use(cand);
                cond(span, ExprKind::Compare(Comparison::Eq, cand.clone(), e))
            }
            other => {
                // Something that fills one of the candidate's attributes.
                if let Some(e2) = self.compare_filled_value(cand, &e, &other) {
                    return e2;
                }
                self.report_never(cand, &e)
            }
        }
    }

    fn compare_filled_value(&mut self, cand: &Expr, e: &Expr, ty: &Ty) -> Option<Expr> {
        let mut found = Vec::new();
        for of in printed_kinds(&cand.ty) {
            for (_, p) in self.ix.parts_of(of) {
                if let Part::Attr(a) = p
                    && self.model().attrs.get(a.index()).is_some_and(|a| types::plain(&a.ty) == *ty)
                    && !found.contains(&a)
                {
                    found.push(a);
                }
            }
        }
        let [a] = found.as_slice() else { return None };
        let aty = self.model().attrs.get(a.index())?.ty.clone();
        self.count_use(cand);
        let read = expr(aty, e.span, ExprKind::Attr(cand.clone(), *a));
        Some(cond(e.span, ExprKind::Compare(Comparison::Eq, read, e.clone())))
    }

    fn report_never(&mut self, cand: &Expr, e: &Expr) -> Expr {
        let (is, asked) = (self.show(&types::plain(&e.ty)), self.show(&types::plain(&cand.ty)));
        let hint = self.hint_for_filter(&types::plain(&cand.ty), &types::plain(&e.ty));
        let message = format!("this is {is}, which is not a condition on {asked}");
        self.fail(codes::NOT_A_FILTER, e.span, message, hint)
    }

    // ── is ───────────────────────────────────────────────────────────────────────────────────────────────

    /// `x is P`, without the *not*.
    pub fn read_is(&mut self, value: &ast::Expr, test: &ast::IsTest, span: Span) -> Expr {
        let test = match test {
            ast::IsTest::Some => {
                let v = self.read_expr(value, None);
                return self.is_some(v, span, true);
            }
            ast::IsTest::Filter(f) => f,
        };
        match &*test.kind {
            ast::ExprKind::None => {
                let v = self.read_expr(value, None);
                return not(self.is_some(v, span, false));
            }
            ast::ExprKind::Name(n) if n.text == "empty" && self.find_local("empty").is_none() => {
                let v = self.read_expr(value, None);
                // A slot is empty when nothing lies in it.
                if types::is_maybe(&v.ty)
                    && types::element(self.model(), &types::plain(&v.ty)).is_none()
                    && let ExprKind::Zone(..) = &*v.kind
                {
                    return not(cond(span, ExprKind::IsSome(v)));
                }
                if v.ty == Ty::Error {
                    return build::error(span);
                }
                let v = self.read_collection(v, "the left side of `is empty`");
                if v.ty == Ty::Error {
                    return build::error(span);
                }
                if self.is_not_empty(&v) {
                    self.push(
                        Diagnostic::warning(codes::ALWAYS, span, "this is never empty").label("never empty"),
                    );
                }
                return cond(span, ExprKind::IsEmpty(v));
            }
            ast::ExprKind::Name(n) if n.text == "running" && self.find_local("running").is_none() => {
                let v = self.read_expr(value, None);
                return match *v.kind {
                    ExprKind::Phase(r) => cond(span, ExprKind::Running(r)),
                    ExprKind::Error => build::error(span),
                    _ => self.fail(
                        codes::WRONG_FORM,
                        v.span,
                        "only a phase can be `running`",
                        "write the name of a phase, as in `dusk is running` of `phase dusk() \"Dusk\" { … }`",
                    ),
                };
            }
            _ => {}
        }
        let v = self.read_expr(value, None);
        self.is_filter(test, &v, span)
    }

    fn is_some(&mut self, v: Expr, span: Span, some: bool) -> Expr {
        match &v.ty {
            Ty::Maybe(_) | Ty::Error => {}
            Ty::Set(_) | Ty::List(_) => {
                let d =
                    Diagnostic::error(codes::NEVER_NONE_SET, span, "a set is never none; it may be empty")
                        .help(if some { "write `is not empty`" } else { "write `is empty`" });
                self.push(d);
                return build::error(span);
            }
            other => {
                let is = self.show(other);
                self.push(
                    Diagnostic::warning(
                        codes::ALWAYS,
                        span,
                        format!("this is always {}", if some { "yes" } else { "no" }),
                    )
                    .label(format!("{is} is never none")),
                );
            }
        }
        cond(span, ExprKind::IsSome(v))
    }

    /// A filter asked of something that may be none: of none, no.
    pub fn is_filter(&mut self, f: &ast::Expr, v: &Expr, span: Span) -> Expr {
        if v.ty == Ty::Error {
            return build::error(span);
        }
        if matches!(&*f.kind, ast::ExprKind::It) {
            return self.fail(
                codes::WRONG_FORM,
                f.span,
                "behind `is`, `it` is what stands before `is`, so this is always yes",
                "to compare with the thing that an outer filter tests, write `==`; for its face, `face(c) == it`",
            );
        }
        let none = types::is_maybe(&v.ty);
        let ty = types::plain(&v.ty);
        let leaf = !matches!(
            &*f.kind,
            ast::ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..) | ast::ExprKind::Not(_)
        );
        if flow::path(v).is_some() {
            let mut cand = v.clone();
            cand.ty = ty;
            let test = self.read_candidate_filter(f, cand);
            // What is compared with the candidate itself is compared with none, too; what is compared with one of its attributes is not.
            let whole = match &*test.kind {
                ExprKind::Compare(Comparison::Eq, a, _) => flow::path(a) == flow::path(v),
                ExprKind::Error => true,
                _ => false,
            };
            return if none && !whole { and(cond(span, ExprKind::IsSome(v.clone())), test) } else { test };
        }
        let l = self.new_local("it", v.ty.clone(), v.span);
        let test = self.read_candidate_filter(f, build::local(l, ty, v.span));
        if leaf
            && !none
            && let ExprKind::Compare(Comparison::Eq, a, b) = &*test.kind
            && matches!(&*a.kind, ExprKind::Local(x) if *x == l)
        {
            // Looked at once: no name is needed.
            return cond(span, ExprKind::Compare(Comparison::Eq, v.clone(), b.clone()));
        }
        let test = if none {
            and(cond(span, ExprKind::IsSome(build::local(l, v.ty.clone(), v.span))), test)
        } else {
            test
        };
        cond(span, ExprKind::Let(l, v.clone(), test))
    }

    /// Reads a filter as a value of its own: `accepts: odd and (pink or blue)`.
    pub fn read_filter_value(&mut self, e: &ast::Expr, k: KindId) -> Expr {
        let span = e.span;
        match &*e.kind {
            ast::ExprKind::Name(n) => {
                let known =
                    self.find_local(&n.text).and_then(|l| self.locals.get(l.0 as usize)).map(|l| &l.ty);
                if matches!(known, Some(Ty::Filter(_))) {
                    return self.read_name(n, None);
                }
            }
            ast::ExprKind::Field(..) | ast::ExprKind::Index(..) => {
                let got = self.read_expr(e, Some(&Ty::Filter(k)));
                return self.fit_to(got, &Ty::Filter(k), "this");
            }
            ast::ExprKind::Call(callee, _) => {
                let named = callee.as_name().is_some_and(|n| {
                    self.ix.things(&n.text).iter().any(|t| {
                        matches!(t, Thing::Value(v) if self.model().values.get(v.index()).is_some_and(|v| matches!(v.ty, Ty::Filter(_))))
                    })
                });
                if named || matches!(&*callee.kind, ast::ExprKind::Field(..)) {
                    let got = self.read_expr(e, Some(&Ty::Filter(k)));
                    return self.fit_to(got, &Ty::Filter(k), "this");
                }
            }
            ast::ExprKind::If(c, a, b) => {
                let c = self.read_cond(c, "the condition of `if`");
                let x = self.read_in_scope(|cx| {
                    cx.learn(&c, true);
                    cx.read_filter_value(a, k)
                });
                let y = self.read_in_scope(|cx| {
                    cx.learn(&c, false);
                    cx.read_filter_value(b, k)
                });
                return expr(Ty::Filter(k), span, ExprKind::If(c, x, y));
            }
            _ => {}
        }
        // It is asked of what is printed, whatever component shows it.
        let printed = if types::is_die(self.model(), k) { Ty::Side(k) } else { Ty::Face(k) };
        let it = self.new_local("it", printed.clone(), span);
        let test = self.read_candidate_filter(e, build::local(it, printed, span));
        expr(Ty::Filter(k), span, ExprKind::Filter(k, it, test))
    }

    /// Reads a filter of spaces as the set of those that pass.
    pub fn read_space_filter(&mut self, e: &ast::Expr, k: KindId) -> Expr {
        let span = e.span;
        if let ast::ExprKind::Name(n) = &*e.kind
            && let Some(l) = self.find_local(&n.text)
            && matches!(self.locals.get(l.0 as usize).map(|l| &l.ty), Some(Ty::Set(_)))
        {
            return self.use_local(l, span);
        }
        let all = expr(types::set_of(Ty::Of(k)), span, ExprKind::All(k));
        let it = self.new_local("it", Ty::Of(k), span);
        let test = self.read_candidate_filter(e, build::local(it, Ty::Of(k), span));
        expr(types::set_of(Ty::Of(k)), span, ExprKind::Where(all, it, test))
    }
}

/// The kinds whose attributes a candidate has: a face has those of the kind that shows it.
fn printed_kinds(ty: &Ty) -> Vec<KindId> {
    match types::plain(ty) {
        Ty::Face(k) | Ty::Side(k) => vec![k],
        other => types::kinds_of(&other),
    }
}
