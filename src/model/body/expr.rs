//! Reads expressions: from the syntax tree to typed ones.
use super::build::{self, and, cond, expr, int, not};
use super::codes;
use super::cx::{Cx, DEPTH, Me};
use super::index::Part;
use super::types;
use super::walk;
use crate::hir::*;
use houserule_syntax::ast::{self, BinaryOp};
use houserule_text::{Diagnostic, Span};

impl<'a> Cx<'a> {
    /// Reads an expression; `want` is the type expected where it stands, which decides what a word means that may mean several things.
    pub fn read_expr(&mut self, e: &ast::Expr, want: Option<&Ty>) -> Expr {
        if self.depth >= DEPTH {
            return self.fail(
                houserule_syntax::codes::DEEP,
                e.span,
                "this is nested too deeply",
                "give parts of it names with `let` or `value`",
            );
        }
        self.depth += 1;
        let bag_fits = std::mem::take(&mut self.bag_fits);
        let mut out = self.read_expr_inner(e, want);
        self.depth -= 1;
        if types::holds_bag(&out.ty) && !(bag_fits && matches!(out.ty, Ty::Bag(_))) {
            out = self.report_bag(e.span);
        }
        out.span = e.span;
        self.narrow(out)
    }

    fn read_expr_inner(&mut self, e: &ast::Expr, want: Option<&Ty>) -> Expr {
        use ast::ExprKind as A;
        let span = e.span;
        match &*e.kind {
            A::Int(n) => self.read_number(*n, span, want),
            A::Text(t) => {
                let t = self.read_text(t);
                expr(Ty::Text, span, ExprKind::Text(t))
            }
            A::Name(n) | A::Kind(n) => self.read_name(n, want),
            A::Me | A::My => self.read_me(span),
            A::It => match self.its.last() {
                Some(it) => {
                    let it = it.clone();
                    if let ExprKind::Local(l) = &*it.kind {
                        let l = *l;
                        let mut e = self.use_local(l, span);
                        if !types::is_maybe(&it.ty) && types::is_maybe(&e.ty) {
                            e.ty = it.ty;
                        }
                        return e;
                    }
                    it
                }
                None => self.fail(
                    codes::NO_IT,
                    span,
                    "`it` is the candidate of a filter, but there is no filter here",
                    "write a filter, as in `players where it.attr > 0`, or the name of the thing that is meant",
                ),
            },
            A::Ended(..) => self.fail(
                codes::TEST_STEP,
                span,
                "only `expect` in a test can ask who has won",
                "write `expect …` in a `test`; in the rules, ask for what decides the game",
            ),
            A::This => match &self.this {
                Some(t) => {
                    let t = t.clone();
                    self.count_use(&t);
                    t
                }
                None => self.fail(
                    codes::NO_THIS,
                    span,
                    "`this` can only be used inside a kind or a member",
                    "write which thing, as in the parameter of `rule r(c: Card)`",
                ),
            },
            A::Owner => match &self.owner {
                Some(t) => {
                    let t = t.clone();
                    self.count_use(&t);
                    t
                }
                None => self.fail(
                    codes::NO_THIS,
                    span,
                    "`owner` can only be used inside a kind or a member",
                    "write which player, as in `me`, or the parameter of `rule r(p: player)`",
                ),
            },
            A::None => build::none(span),
            A::Yes => build::truth(true, span),
            A::No => build::truth(false, span),
            A::Usual => match &self.usual {
                Some(ty) => expr(ty.clone(), span, ExprKind::Usual),
                None => self.fail(
                    codes::NO_USUAL,
                    span,
                    "`usual` can only be used inside `modify`",
                    "write the name of the value; `usual` is its result in `modify VALUE = usual + 1`",
                ),
            },
            A::Any => self.fail(
                codes::WRONG_FORM,
                span,
                "`any` alone can only be used in patterns and in rows of `case`",
                "write `any(x in S: C)` to ask whether C holds for at least one",
            ),
            A::Amount(..) => self.report_bag(span),
            A::Set(es) => self.read_set(es, span, want),
            A::Field(base, name) => self.read_field(base, name, span, want),
            A::Call(callee, args) => self.read_call(callee, args, span, want),
            A::Index(base, i) => self.read_index(base, i, span),
            A::Neg(x) => {
                let x = self.read_number_of(x, "what follows `-`");
                let ty = match types::bounds(&x.ty) {
                    Some((a, b)) => {
                        Ty::Int(b.checked_neg().unwrap_or(i32::MAX), a.checked_neg().unwrap_or(i32::MAX))
                    }
                    None => x.ty.clone(),
                };
                if let ExprKind::Int(n) = &*x.kind
                    && let Some(n) = n.checked_neg()
                {
                    return int(n, span);
                }
                expr(ty, span, ExprKind::Neg(x))
            }
            A::Not(x) => not(self.read_cond(x, "the condition after `not`")),
            A::Binary(op, a, b) => self.read_binary(*op, a, b, span, want),
            A::Range(a, b) => {
                let lo = a.as_ref().map(|a| self.read_number_of(a, "the start of a range"));
                let hi = b.as_ref().map(|b| self.read_number_of(b, "the end of a range"));
                let lo = lo.unwrap_or_else(|| int(i32::MIN + 1, span));
                let hi = hi.unwrap_or_else(|| int(i32::MAX, span));
                let ty = match (types::bounds(&lo.ty), types::bounds(&hi.ty)) {
                    (Some(x), Some(y)) => {
                        if x.0 > y.1 {
                            self.push(
                                Diagnostic::warning(codes::EMPTY_RANGE, span, "this range is empty")
                                    .label("its last number is less than its first"),
                            );
                        }
                        Ty::Int(x.0, y.1.max(x.0))
                    }
                    _ => Ty::Error,
                };
                expr(types::set_of(ty), span, ExprKind::Range(lo, hi))
            }
            A::In { item, set, not: neg } => {
                let inside = self.is_in(item, set, span);
                if *neg { not(inside) } else { inside }
            }
            A::Is { value, test, not: neg } => {
                let is = self.read_is(value, test, span);
                if *neg { not(is) } else { is }
            }
            A::Can(p, menu) => self.read_can_menu(p, menu, span),
            A::CanDo(x) => self.read_can_do(x, span),
            A::CanPay(cost) => self.can_pay(cost, span),
            A::Where(s, p) => self.read_where(s, p, span, want),
            A::If(c, a, b) => self.read_if(c, a, b, span, want),
            A::Case(x, branches) => self.read_case(x, branches, span, want),
            A::Choose(c) => self.read_choose(c, span, want),
            A::FirstOf { last, count, from } => self.read_first_of(*last, count.as_ref(), from, span),
            A::The { what, of, filter } => self.read_the(what, of.as_ref(), filter.as_ref(), span),
            A::KindOf(kind, p) => self.read_kind_of(kind, p, span),
            A::OnMap(of, map) => self.read_word_of_map(of, map),
            A::NoAction => {
                if self.in_menu {
                    cond(span, ExprKind::NoAction)
                } else {
                    self.fail(
                        codes::NO_MENU,
                        span,
                        "`no action` can only be used in the entries of a menu",
                        "write it in the menu, as in `pass when no action`; elsewhere, write `not p can MENU`",
                    )
                }
            }
            A::PositionSeen(of, times) => self.read_position_seen(of.as_ref(), times.as_ref(), span),
            A::Bad => build::error(span),
        }
    }

    /// `position [of Map] seen n times`, `… seen before`.
    fn read_position_seen(&mut self, of: Option<&ast::Name>, times: Option<&ast::Int>, span: Span) -> Expr {
        if !self.in_menu && !self.in_tried {
            let what = "`position seen` can only be used in the entries of a menu and after `must leave`";
            let help = "write it in the menu, as in `tie when position seen 3 times`";
            return self.fail(codes::NO_MENU, span, what, help);
        }
        let map = match of.map(|n| self.find_map(n)) {
            None => None,
            Some(Some(map)) => Some(map),
            Some(None) => return build::error(span),
        };
        let at = times.map_or(span, |n| n.span);
        // Now counts, too: before now it has been there once.
        match times.map_or(Ok(2), |n| u32::try_from(n.value)) {
            Ok(n) if (2..=100).contains(&n) => cond(span, ExprKind::PositionSeen(map, n)),
            _ => self.fail(
                codes::WRONG_FORM,
                at,
                "this number must be 2 to 100: the position now counts, too",
                "for a position that was seen once before, write `seen 2 times` or `seen before`",
            ),
        }
    }

    /// The map of that name.
    fn find_map(&mut self, n: &ast::Name) -> Option<MapId> {
        let maps = &self.model().maps;
        let Some(i) = maps.iter().position(|m| *m.name == *n.text) else {
            let names: Vec<String> = maps.iter().map(|m| m.name.to_string()).collect();
            let declare = names.is_empty().then(|| format!("declare it: `map {} squares 8 by 8`", n.text));
            let message = format!("there is no map `{}`", n.text);
            let _ = self.report_unknown_or(codes::NO_KIND, n, message, names, declare);
            return None;
        };
        let map = MapId(i as u32);
        self.note(n.span, crate::uses::Def::Map(map));
        Some(map)
    }

    /// `row(n) of Board`, `turn(d, n) of Board`, `straight of Board`.
    fn read_word_of_map(&mut self, of: &ast::Expr, map: &ast::Name) -> Expr {
        let Some(id) = self.find_map(map) else { return build::error(map.span) };
        self.on_map = Some(id);
        let e = self.read_expr(of, None);
        match self.on_map.take() {
            // A word of the game's own stands in its place.
            Some(_) if e.ty != Ty::Error => self.fail(
                codes::WRONG_FORM,
                map.span,
                "this is a name of the game, which is on no map",
                format!("leave out `of {}`", map.text),
            ),
            _ => e,
        }
    }

    /// Counts a use of the local that stands behind `this`, `owner` or `me`.
    pub fn count_use(&mut self, e: &Expr) {
        walk::visit_exprs(e, &mut |e| {
            if let ExprKind::Local(l) = &*e.kind
                && let Some(u) = self.uses.get_mut(l.0 as usize)
            {
                *u += 1;
            }
        });
    }

    /// Who acts.
    pub fn read_me(&mut self, span: Span) -> Expr {
        match self.me.clone() {
            Me::Is(l) => self.use_local(l, span),
            Me::Nobody(why) => {
                self.push(
                    Diagnostic::error(codes::NO_ME, span, format!("there is no `me` here: {why}"))
                        .label("nobody acts here")
                        .help("give it a parameter `p: player`, or name the player"),
                );
                build::error(span)
            }
        }
    }

    fn read_number(&mut self, n: i64, span: Span, want: Option<&Ty>) -> Expr {
        let Ok(n) = i32::try_from(n) else {
            return self.fail(
                codes::TOO_LARGE,
                span,
                format!("{n} is too large: the greatest number is {}", i32::MAX),
                "count in larger units, or write a smaller number",
            );
        };
        // Rows of a board are called by number where a row is expected.
        if let Some(Ty::Of(k)) = want.map(types::plain)
            && let Some(KindSort::Lines(map, LineSort::Row)) = types::kind(self.model(), k).map(|k| &k.sort)
        {
            let rows = self.model().maps.get(map.index()).and_then(|m| m.size).map(|s| s.1);
            return match u32::try_from(n).ok().and_then(|n| n.checked_sub(1)) {
                Some(i) if rows.is_none_or(|r| i < r) => expr(Ty::Of(k), span, ExprKind::Line(k, i)),
                _ => self.fail(
                    codes::NO_SUCH_SPACE,
                    span,
                    format!("the board has no row {n}"),
                    format!("write a number from 1 to {}", rows.unwrap_or(1)),
                ),
            };
        }
        // So are teams.
        if matches!(want.map(types::plain), Some(Ty::Of(builtin_kinds::TEAM))) {
            return match u8::try_from(n) {
                Ok(n @ 1..=16) => {
                    build::builtin(Builtin::Team(n), Vec::new(), Ty::Of(builtin_kinds::TEAM), span)
                }
                _ => {
                    let message = format!("there is no team {n}: teams are 1 to 16");
                    self.fail(codes::OUTSIDE, span, message, "write the number of a team, 1 to 16")
                }
            };
        }
        int(n, span)
    }

    /// Reads a number.
    pub fn read_number_of(&mut self, e: &ast::Expr, role: &str) -> Expr {
        let x = self.read_expr(e, Some(&types::WIDE));
        match &x.ty {
            Ty::Int(..) | Ty::Error => x,
            Ty::Maybe(t) if matches!(**t, Ty::Int(..)) => {
                let _ = self.need_value(&x, &format!("{role} must be a number"));
                x
            }
            other => {
                let is = self.show(other);
                let d = Diagnostic::error(
                    codes::NOT_A_NUMBER,
                    x.span,
                    format!("{role} must be a number, but this is {is}"),
                );
                let hint = self.hint_for_type(other, &types::WIDE);
                self.push(d.help_if(hint));
                build::error(x.span)
            }
        }
    }

    /// A number, or none.
    pub fn read_number_or_none(&mut self, e: &ast::Expr, role: &str) -> Expr {
        let wide = Ty::Maybe(Box::new(types::WIDE));
        let x = self.read_expr(e, Some(&wide));
        match types::plain(&x.ty) {
            Ty::Int(..) | Ty::Error => x,
            other => {
                let is = self.show(&other);
                let message = format!("{role} must be a number, but this is {is}");
                let hint = self.hint_for_type(&other, &types::WIDE);
                self.fail_if(codes::NOT_A_NUMBER, x.span, message, hint)
            }
        }
    }

    /// Reads a text with its holes.
    pub fn read_text(&mut self, t: &ast::Text) -> Text {
        let parts = t
            .parts
            .iter()
            .map(|p| match p {
                ast::TextPart::Literal(s, _) => TextPart::Literal(s.as_str().into()),
                ast::TextPart::Hole(e) => {
                    let e = self.read_expr(e, None);
                    if matches!(e.ty, Ty::Nothing) {
                        let d = Diagnostic::error(
                            codes::WRONG_TYPE,
                            e.span,
                            format!("a text cannot show {}", self.show(&e.ty)),
                        );
                        self.push(d.help(
                            "write a value in the hole; what changes the game stands outside of the text",
                        ));
                    }
                    TextPart::Hole(e)
                }
            })
            .collect();
        Text { parts, span: t.span }
    }

    fn read_set(&mut self, es: &[ast::Expr], span: Span, want: Option<&Ty>) -> Expr {
        let inner = match want.map(types::plain) {
            Some(Ty::Set(t) | Ty::List(t) | Ty::Bag(t)) => Some(*t),
            _ => None,
        };
        let as_list = matches!(want.map(types::plain), Some(Ty::List(_)));
        let each_counts = std::mem::take(&mut self.each_counts);
        let (out, ty) = self.read_members(es, |cx, e| cx.read_expr(e, inner.as_ref()));
        let listed = as_list || each_counts && matches!(ty, Some(Ty::Int(..)));
        if !listed {
            self.warn_doubled(&out);
        }
        // Words written out stand in an order: as a list they also fit where a set is expected.
        let ty = ty.or(inner).unwrap_or(Ty::Error);
        if listed {
            expr(types::list_of(ty), span, ExprKind::List(out))
        } else {
            expr(types::set_of(ty), span, ExprKind::Set(out))
        }
    }

    /// Reads the things of a set that is written out, and what all of them are.
    pub fn read_members(
        &mut self,
        es: &[ast::Expr],
        mut read: impl FnMut(&mut Self, &ast::Expr) -> Expr,
    ) -> (Vec<Expr>, Option<Ty>) {
        let mut out = Vec::new();
        let mut ty: Option<Ty> = None;
        for e in es {
            let e = read(self, e);
            let t = types::plain(&e.ty);
            match &ty {
                None => ty = Some(t),
                Some(old) => match types::join(self.model(), old, &t) {
                    Some(j) => ty = Some(j),
                    None => {
                        let (a, b) = (self.show(old), self.show(&t));
                        let hint = self.hint_for_type(&t, old);
                        let _ = self.fail(
                            codes::MIXED,
                            e.span,
                            format!(
                                "all things in a set must be of one sort: this is {b}, the others are {a}"
                            ),
                            hint.unwrap_or_else(|| "leave it out, or make a set of its own of it".into()),
                        );
                        ty = Some(Ty::Error);
                    }
                },
            }
            if matches!(&*e.kind, ExprKind::None) {
                let d = Diagnostic::error(codes::IS_NONE, e.span, "a set cannot contain none");
                self.push(d.help("leave it out"));
            }
            out.push(e);
        }
        (out, ty)
    }

    /// Warns of a thing that is written twice in one set.
    pub fn warn_doubled(&mut self, es: &[Expr]) {
        let mut seen = rustc_hash::FxHashSet::default();
        let twice = es.iter().find(|e| super::flow::path(e).is_some_and(|p| !seen.insert(p)));
        if let Some(e) = twice {
            let d = Diagnostic::warning(codes::TWICE, e.span, "this is already in the set");
            self.push(d.label("a set contains each thing once"));
        }
    }

    fn read_index(&mut self, base: &ast::Expr, i: &ast::Expr, span: Span) -> Expr {
        // A zone of a family is called with its index.
        let b = match self.is_bag_path(base) {
            true => self.read_bag_path(base),
            false => self.read_expr_or_family(base),
        };
        if matches!(b.ty, Ty::Bag(_)) {
            return self.read_bag_number(&b, i, span);
        }
        if let ExprKind::Zone(of, z, None) = &*b.kind
            && let Some(zone) = self.model().zones.get(z.index())
            && let Some(ity) = zone.index.clone()
        {
            let i = self.check_held(i, &ity, &format!("the index of `{}`", zone.name));
            let (of, z) = (of.clone(), *z);
            return self.read_zone(of, z, Some(i), span);
        }
        let Some(el) = types::element(self.model(), &b.ty) else {
            if b.ty != Ty::Error {
                let is = self.show(&b.ty);
                return self.fail(
                    codes::NOT_A_LIST,
                    b.span,
                    format!("only a list or a family of zones has an index, but this is {is}"),
                    "leave out `[…]`, or write a list or a zone with an index before it",
                );
            }
            return build::error(span);
        };
        let list = self.as_list(b, "an index");
        let n = self.read_number_of(i, "an index");
        if let Some((_, hi)) = types::bounds(&n.ty)
            && hi < 1
        {
            let d = Diagnostic::error(codes::OUTSIDE, n.span, "the first place of a list has the index 1");
            self.push(d.help("write 1 or a greater number"));
        }
        expr(types::maybe(el), span, ExprKind::Nth(list, n))
    }

    /// An expression; a family of zones without an index is let through, for the index that follows.
    fn read_expr_or_family(&mut self, e: &ast::Expr) -> Expr {
        match &*e.kind {
            ast::ExprKind::Name(n) => {
                if self.find_local(&n.text).is_none()
                    && let Some(z) = self.find_table_zone(&n.text)
                {
                    self.note(n.span, crate::uses::Def::Zone(z));
                    return self.read_zone_raw(None, z, None, e.span);
                }
                self.read_expr(e, None)
            }
            ast::ExprKind::Field(base, name) => {
                let b = self.read_expr(base, None);
                let ty = types::plain(&b.ty);
                if let Some(Part::Zone(z)) = self.find_part(&ty, &name.text)
                    && self.model().zones.get(z.index()).is_some_and(|z| z.index.is_some())
                {
                    self.note(name.span, crate::uses::Def::Zone(z));
                    let _ = self.need_value(&b, &format!("only a thing has `.{}`", name.text));
                    return self.read_zone_raw(Some(b), z, None, e.span);
                }
                self.read_field_of(b, name, e.span)
            }
            _ => self.read_sequence(e),
        }
    }

    fn read_binary(
        &mut self,
        op: BinaryOp,
        a: &ast::Expr,
        b: &ast::Expr,
        span: Span,
        want: Option<&Ty>,
    ) -> Expr {
        match op {
            BinaryOp::And => {
                let x = self.read_cond(a, "the left side of `and`");
                let y = self.read_in_scope(|cx| {
                    cx.learn(&x, true);
                    cx.read_cond(b, "the right side of `and`")
                });
                cond(span, ExprKind::And(x, y))
            }
            BinaryOp::Or => {
                let x = self.read_cond(a, "the left side of `or`");
                let y = self.read_in_scope(|cx| {
                    cx.learn(&x, false);
                    cx.read_cond(b, "the right side of `or`")
                });
                cond(span, ExprKind::Or(x, y))
            }
            BinaryOp::Eq => self.read_comparison(Comparison::Eq, a, b, span),
            BinaryOp::Ne => self.read_comparison(Comparison::Ne, a, b, span),
            BinaryOp::Lt => self.read_comparison(Comparison::Lt, a, b, span),
            BinaryOp::Le => self.read_comparison(Comparison::Le, a, b, span),
            BinaryOp::Gt => self.read_comparison(Comparison::Gt, a, b, span),
            BinaryOp::Ge => self.read_comparison(Comparison::Ge, a, b, span),
            BinaryOp::Add | BinaryOp::Sub => self.read_sum(op, a, b, span, want),
            BinaryOp::Mul | BinaryOp::Div | BinaryOp::Mod => {
                let x = self.read_number_of(a, &format!("the left side of `{}`", op.as_str()));
                let y = self.read_number_of(b, &format!("the right side of `{}`", op.as_str()));
                let op = match op {
                    BinaryOp::Mul => Arith::Mul,
                    BinaryOp::Div => Arith::Div,
                    _ => Arith::Mod,
                };
                if op != Arith::Mul && types::bounds(&y.ty) == Some((0, 0)) && !self.is_contradicted(&y) {
                    return self.fail(
                        codes::BY_ZERO,
                        y.span,
                        "this divides by zero",
                        "write another number; for one that may be zero, ask first: `if n > 0 then x / n else 0`",
                    );
                }
                self.make_arith(op, x, y, span)
            }
            BinaryOp::Default => {
                let x = self.read_expr(a, want);
                let el = types::plain(&x.ty);
                let inner = if el == Ty::None { want.cloned() } else { Some(el.clone()) };
                let y = self.read_expr(b, inner.as_ref());
                if !types::is_maybe(&x.ty) && x.ty != Ty::Error {
                    self.push(
                        Diagnostic::warning(
                            codes::NEVER_NONE,
                            x.span,
                            "this is never none, so the default is never used",
                        )
                        .label(self.show(&x.ty)),
                    );
                }
                match types::join(self.model(), &el, &y.ty) {
                    Some(ty) => expr(ty, span, ExprKind::Default(x, y)),
                    None => {
                        let (l, r) = (self.show(&el), self.show(&y.ty));
                        let hint = self.hint_for_type(&y.ty, &el);
                        self.fail_if(
                            codes::MIXED,
                            y.span,
                            format!(
                                "a default must be of the same sort: this is {r}, but the left side is {l}"
                            ),
                            hint,
                        )
                    }
                }
            }
            BinaryOp::Step => {
                let x = self.read_expr(a, None);
                let d = self.read_as(b, &types::direction(), "the direction after `step`");
                match types::plain(&x.ty) {
                    Ty::Error => build::error(span),
                    Ty::Of(k) if types::is_graph(self.model(), k) => self.report_no_directions("step", span),
                    Ty::Of(k) if types::is_space(self.model(), k) => {
                        // Off the map is none, and from none every step leads to none.
                        expr(types::maybe(Ty::Of(k)), span, ExprKind::Step(x, d))
                    }
                    other => {
                        let is = self.show(&other);
                        let hint = self.hint_for_space(&other);
                        self.fail_if(
                            codes::NOT_A_SPACE,
                            x.span,
                            format!("`step` begins at a space, but this is {is}"),
                            hint,
                        )
                    }
                }
            }
        }
    }

    fn make_arith(&mut self, op: Arith, x: Expr, y: Expr, span: Span) -> Expr {
        let ty = match (types::bounds(&x.ty), types::bounds(&y.ty)) {
            (Some(a), Some(b)) => {
                let (lo, hi) = types::arith(op, a, b);
                Ty::Int(lo, hi)
            }
            _ => Ty::Error,
        };
        expr(ty, span, ExprKind::Arith(op, x, y))
    }

    /// `+` and `-`: numbers; sets and lists with sets, lists or single things.
    fn read_sum(
        &mut self,
        op: BinaryOp,
        a: &ast::Expr,
        b: &ast::Expr,
        span: Span,
        want: Option<&Ty>,
    ) -> Expr {
        let plus = op == BinaryOp::Add;
        let word = if plus { "added" } else { "subtracted" };
        let x = self.read_expr(a, want);
        let el = types::element(self.model(), &types::plain(&x.ty));
        match types::plain(&x.ty) {
            Ty::Error => {
                let _ = self.read_expr(b, None);
                build::error(span)
            }
            Ty::Int(..) => {
                let _ = self.need_value(&x, "only a number can be added to a number");
                let y = self.read_number_of(b, &format!("what is {word}"));
                self.make_arith(if plus { Arith::Add } else { Arith::Sub }, x, y, span)
            }
            _ if el.is_some() => {
                let el = el.unwrap_or(Ty::Error);
                let _ = self.need_value(&x, "only a set can be added to");
                let y = self.read_element_or_set(b, &el);
                let x = if matches!(x.ty, Ty::Of(_)) { self.as_list(x, "this") } else { x };
                let y = if matches!((&x.ty, &y.ty), (Ty::List(_), Ty::Set(_))) && self.has_own_order(&y) {
                    self.make_list(y)
                } else {
                    y
                };
                let list = plus
                    && matches!(x.ty, Ty::List(_))
                    && (matches!(y.ty, Ty::List(_)) || types::element(self.model(), &y.ty).is_none());
                let yel = types::element(self.model(), &y.ty);
                let (y, yt) = match yel {
                    Some(t) => (self.as_set_or_list(y), t),
                    None => {
                        let t = types::plain(&y.ty);
                        (if y.ty == Ty::Error { y } else { build::single(y) }, t)
                    }
                };
                let joined = types::join(self.model(), &el, &yt);
                if !plus && joined.is_none() || plus && joined.is_none() {
                    let (l, r) = (self.show(&el), self.show(&yt));
                    let hint = match yt {
                        Ty::Int(..) => {
                            Some(String::from("to count what is on the left side, write `count(…)`"))
                        }
                        _ => self.hint_for_type(&yt, &el),
                    };
                    return self.fail_if(
                        codes::MIXED,
                        y.span,
                        format!("this is {r}, so it cannot be {word} here: the left side is {l}"),
                        hint,
                    );
                }
                let ty = if plus { joined.unwrap_or(Ty::Error) } else { el };
                let ty = if list {
                    types::list_of(ty)
                } else {
                    match &x.ty {
                        Ty::List(_) if !plus => types::list_of(ty),
                        Ty::Bag(_) => Ty::Bag(std::boxed::Box::new(ty)),
                        _ => types::set_of(ty),
                    }
                };
                let x = match (&x.ty, &ty) {
                    (Ty::List(t), Ty::Set(_)) => {
                        let t = types::set_of((**t).clone());
                        let s = x.span;
                        build::builtin(Builtin::AsSet, vec![x], t, s)
                    }
                    _ => x,
                };
                let y = if matches!(ty, Ty::Set(_)) { self.as_set(y) } else { y };
                expr(ty, span, if plus { ExprKind::Union(x, y) } else { ExprKind::Without(x, y) })
            }
            // A thing and a set: the thing is a set of one.
            Ty::Of(_) | Ty::Face(_) | Ty::AnyOf(_) | Ty::Place if plus => {
                let el = types::plain(&x.ty);
                let y = self.read_element_or_set(b, &el);
                let x = build::single(x);
                let y = match types::element(self.model(), &y.ty) {
                    Some(_) => self.as_set(y),
                    None if y.ty == Ty::Error => return build::error(span),
                    None => build::single(y),
                };
                let yt = types::element(self.model(), &y.ty).unwrap_or(Ty::Error);
                match types::join(self.model(), &el, &yt) {
                    Some(t) => expr(types::set_of(t), span, ExprKind::Union(x, y)),
                    None => {
                        let (l, r) = (self.show(&el), self.show(&yt));
                        let hint = self.hint_for_type(&yt, &el);
                        let message = format!("this is {r}, so it cannot be added to {l}");
                        self.fail_if(codes::MIXED, y.span, message, hint)
                    }
                }
            }
            other => {
                let is = self.show(&other);
                let _ = self.read_expr(b, None);
                let hint = self.hint_for_type(&other, &types::WIDE);
                self.fail_if(
                    codes::NOT_A_NUMBER,
                    x.span,
                    format!("only numbers, sets and lists can be {word}, but this is {is}"),
                    hint,
                )
            }
        }
    }

    /// Something that may be a set of such things or one of them.
    fn read_element_or_set(&mut self, e: &ast::Expr, el: &Ty) -> Expr {
        let want = match &*e.kind {
            ast::ExprKind::Set(_) | ast::ExprKind::Where(..) | ast::ExprKind::Binary(..) => {
                types::set_of(el.clone())
            }
            _ => el.clone(),
        };
        self.read_expr(e, Some(&want))
    }

    fn read_if(
        &mut self,
        c: &ast::Expr,
        a: &ast::Expr,
        b: &ast::Expr,
        span: Span,
        want: Option<&Ty>,
    ) -> Expr {
        let c = self.read_cond(c, "the condition of `if`");
        let x = self.read_in_scope(|cx| {
            cx.learn(&c, true);
            cx.read_expr(a, want)
        });
        let y = self.read_in_scope(|cx| {
            cx.learn(&c, false);
            cx.read_expr(b, Some(want.unwrap_or(&x.ty)))
        });
        self.join_branches(c, x, y, span)
    }

    fn join_branches(&mut self, c: Expr, x: Expr, y: Expr, span: Span) -> Expr {
        match types::join(self.model(), &x.ty, &y.ty) {
            Some(ty) => expr(ty, span, ExprKind::If(c, x, y)),
            None => {
                let (x, y) = self.compare_as_faces(x, y);
                if let Some(ty) = types::join(self.model(), &x.ty, &y.ty) {
                    return expr(ty, span, ExprKind::If(c, x, y));
                }
                let (l, r) = (self.show(&x.ty), self.show(&y.ty));
                let hint = self.hint_for_type(&y.ty, &x.ty);
                self.push(
                    Diagnostic::error(
                        codes::MIXED,
                        y.span,
                        format!("both branches must be of the same sort: this is {r}, the other is {l}"),
                    )
                    .help_if(hint)
                    .label(r)
                    .also(x.span, l),
                );
                build::error(span)
            }
        }
    }

    fn read_case(
        &mut self,
        subject: &ast::Expr,
        branches: &[ast::Branch],
        span: Span,
        want: Option<&Ty>,
    ) -> Expr {
        let x = self.read_expr(subject, None);
        let repeatable = super::flow::path(&x).is_some();
        let (bound, cand) = if repeatable {
            (None, x.clone())
        } else {
            let l = self.new_local("it", x.ty.clone(), x.span);
            (Some(l), build::local(l, x.ty.clone(), x.span))
        };
        let mut arms: Vec<(Expr, Expr)> = Vec::new();
        let mut otherwise = None;
        let mut ty: Option<Ty> = None;
        let outside = self.facts.clone();
        for b in branches {
            if let Some(e) = &otherwise {
                let e: &Expr = e;
                let at = e.span;
                self.push(
                    Diagnostic::warning(codes::UNREACHABLE, b.span, "this is never reached")
                        .also(at, "`else` before it already covers the rest"),
                );
            }
            let facts = self.facts.clone();
            let asks_none = b.test.as_ref().is_some_and(is_none);
            let test = b.test.as_ref().map(|t| match asks_none && types::is_maybe(&x.ty) {
                true => self.report_none_in_case(t.span),
                false => self.is_filter(t, &cand, b.span),
            });
            if let Some(t) = &test {
                self.learn(t, true);
            }
            let value = self.read_expr(&b.value, want.or(ty.as_ref().filter(|t| **t != Ty::None)));
            self.facts = facts;
            match &ty {
                None => ty = Some(value.ty.clone()),
                Some(t) => match types::join(self.model(), t, &value.ty) {
                    Some(j) => ty = Some(j),
                    None => {
                        let (l, r) = (self.show(t), self.show(&value.ty));
                        let hint = self.hint_for_type(&value.ty, t);
                        let _ = self.fail_if(
                            codes::MIXED,
                            value.span,
                            format!("all rows must be of the same sort: this is {r}, the others are {l}"),
                            hint,
                        );
                        ty = Some(Ty::Error);
                    }
                },
            }
            match test {
                Some(t) => {
                    self.learn(&t, false);
                    arms.push((t, value));
                }
                None => otherwise = Some(value),
            }
        }
        self.facts = outside;
        let otherwise = match otherwise {
            Some(e) => e,
            None if self.is_covered(&x.ty, &arms) => match arms.pop() {
                Some((_, v)) => v,
                None => build::error(span),
            },
            None => {
                if x.ty != Ty::Error && ty != Some(Ty::Error) {
                    self.push(
                        Diagnostic::error(codes::CASE_OPEN, span, "this `case` does not cover all cases")
                            .label(format!("of {}", self.show(&x.ty)))
                            .help("add a last row: `else: …`"),
                    );
                }
                build::error(span)
            }
        };
        let ty = ty.unwrap_or(Ty::Error);
        let mut out = otherwise;
        for (t, v) in arms.into_iter().rev() {
            out = expr(ty.clone(), span, ExprKind::If(t, v, out));
        }
        match bound {
            Some(l) => expr(ty, span, ExprKind::Let(l, x, out)),
            None => out,
        }
    }

    /// Reports a row of a `case` that asks whether there is none.
    fn report_none_in_case(&mut self, span: Span) -> Expr {
        let d = Diagnostic::error(codes::NOT_A_CONDITION, span, "a row of `case` cannot be `none`");
        self.push(d.help("test for none first: `if x is none then … else case x { … }`"));
        build::error(span)
    }

    /// Whether the arms name every word of an enum, both truths, or every number of a range.
    fn is_covered(&self, ty: &Ty, arms: &[(Expr, Expr)]) -> bool {
        match ty {
            Ty::Of(k) => {
                let Some(kind) = types::kind(self.model(), *k) else { return false };
                if !matches!(kind.sort, KindSort::Enum | KindSort::Player) {
                    return false;
                }
                kind.members.iter().all(|m| {
                    arms.iter().any(|(t, _)| match &*t.kind {
                        ExprKind::Compare(Comparison::Eq, _, w) => {
                            matches!(&*w.kind, ExprKind::Member(x) if x == m)
                        }
                        _ => false,
                    })
                }) && !kind.members.is_empty()
            }
            Ty::Bool => [true, false].iter().all(|truth| {
                arms.iter().any(|(t, _)| match &*t.kind {
                    ExprKind::Compare(Comparison::Eq, _, w) => {
                        matches!(&*w.kind, ExprKind::Bool(x) if x == truth)
                    }
                    _ => false,
                })
            }),
            Ty::Int(a, b) => {
                // From the least number on, each arm takes over where another ends.
                let mut spans: Vec<(i64, i64)> = arms
                    .iter()
                    .filter_map(|(t, _)| match &*t.kind {
                        ExprKind::Compare(Comparison::Eq, _, w) => match &*w.kind {
                            ExprKind::Int(x) => Some((i64::from(*x), i64::from(*x))),
                            _ => None,
                        },
                        ExprKind::In(_, r) => match &*r.kind {
                            ExprKind::Range(lo, hi) => match (&*lo.kind, &*hi.kind) {
                                (ExprKind::Int(lo), ExprKind::Int(hi)) => {
                                    Some((i64::from(*lo), i64::from(*hi)))
                                }
                                _ => None,
                            },
                            _ => None,
                        },
                        _ => None,
                    })
                    .collect();
                spans.sort_unstable();
                let mut next = i64::from(*a);
                for (lo, hi) in spans {
                    if lo <= next {
                        next = next.max(hi + 1);
                    }
                }
                next > i64::from(*b)
            }
            _ => false,
        }
    }

    /// Reports that no kind has that name.
    pub fn report_no_such_kind(&mut self, name: &ast::Name) -> Expr {
        let kinds = self
            .ix
            .words(|t| matches!(t, super::index::Thing::Kind(_)))
            .into_iter()
            .map(str::to_string)
            .collect();
        let message = format!("there is no kind `{}`", name.text);
        self.report_unknown(codes::NO_KIND, name, message, kinds)
    }

    /// The two conditions joined, either of which may be missing.
    pub fn and_opt(a: Option<Expr>, b: Expr) -> Expr {
        match a {
            Some(a) => and(a, b),
            None => b,
        }
    }
}

/// `none`, `it is none`.
fn is_none(e: &ast::Expr) -> bool {
    match &*e.kind {
        ast::ExprKind::None => true,
        ast::ExprKind::Is { value, test: ast::IsTest::Filter(p), not: false } => {
            matches!(&*value.kind, ast::ExprKind::It) && is_none(p)
        }
        _ => false,
    }
}
