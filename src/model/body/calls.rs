//! Reads calls of values, rules, families and built-ins, and checks their arguments.
use super::build::{self, cond, expr};
use super::codes;
use super::cx::{Cx, Mode};
use super::folds::read_fold_op;
use super::index::{Index, Part, Thing};
use super::types;
use crate::hir::*;
use crate::uses::Def;
use houserule_syntax::ast;
use houserule_text::{Diagnostic, Span};
use std::sync::Arc;

/// A parameter as a call sees it.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Ty,
    /// Where it is declared.
    pub span: Span,
}

impl<'a> Cx<'a> {
    /// `f(…)`.
    pub fn read_call(
        &mut self,
        callee: &ast::Expr,
        args: &[ast::Arg],
        span: Span,
        want: Option<&Ty>,
    ) -> Expr {
        match &*callee.kind {
            ast::ExprKind::Name(n) | ast::ExprKind::Kind(n) => self.read_word_call(n, args, span, want),
            ast::ExprKind::Any => {
                self.read_word_call(&ast::Name { text: "any".into(), span: callee.span }, args, span, want)
            }
            ast::ExprKind::No => {
                self.read_word_call(&ast::Name { text: "no".into(), span: callee.span }, args, span, want)
            }
            ast::ExprKind::Field(b, n) => self.read_part_call(b, n, args, span),
            _ => {
                let c = self.read_expr(callee, None);
                if c.ty == Ty::Error {
                    return c;
                }
                let is = self.show(&c.ty);
                let message = format!("this is {is}, which cannot be called");
                self.fail(codes::NOT_CALLED, callee.span, message, "leave out the brackets behind it")
            }
        }
    }

    fn read_word_call(&mut self, n: &ast::Name, args: &[ast::Arg], span: Span, want: Option<&Ty>) -> Expr {
        let word = n.text.as_str();
        if let Some(op) = read_fold_op(word) {
            if let Some(ast::Arg::Fold(f)) = args.first() {
                let mut more = Vec::new();
                for x in args.iter().skip(1) {
                    let span = match x {
                        ast::Arg::Fold(f) => {
                            more.push(f);
                            continue;
                        }
                        ast::Arg::Plain(x) => x.span,
                        ast::Arg::Named(n, _) => n.span,
                    };
                    let message = format!("`{word}` takes only sets before the colon");
                    let form = format!("write `{word}(x in S, y in T: …)`");
                    let _ = self.fail(codes::TOO_MANY_ARGS, span, message, form);
                }
                return self.read_fold(op, word, f, &more, span);
            }
            if self.find_local(word).is_none()
                && let [ast::Arg::Plain(s)] = args
            {
                return self.fold_of(op, word, s, span);
            }
        }
        if let Some(ast::Arg::Fold(f)) = args.first() {
            let message = format!("there is no fold `{word}`");
            // What other languages call it.
            let own = match word {
                "all" => Some("every"),
                "exists" | "some" => Some("any"),
                "none" => Some("no"),
                "total" | "add" => Some("sum"),
                "number" | "size" | "len" => Some("count"),
                _ => None,
            };
            if let Some(own) = own {
                let d = Diagnostic::error(codes::NO_FOLD, n.span, message).suggest(own);
                self.push(d);
                return build::error(f.span);
            }
            // A built-in that takes the whole set.
            if let Some(b) = Builtin::called(word) {
                self.push(Diagnostic::error(codes::NO_FOLD, n.span, message).help(b.about()));
                return build::error(f.span);
            }
            return self.report_unknown(
                codes::NO_FOLD,
                n,
                message,
                FoldOp::ALL.iter().map(|(_, w)| String::from(*w)).collect(),
            );
        }
        if let Some(l) = self.find_local(word) {
            let e = self.use_local(l, n.span);
            let is = self.show(&e.ty);
            let message = format!("`{word}` is {is}, which cannot be called");
            return self.fail(codes::NOT_CALLED, n.span, message, format!("write `{word}` without brackets"));
        }
        // A value or rule of the component that this stands in.
        if let Some(this) = self.this.clone()
            && let Some(p @ (Part::Value(_) | Part::Rule(_))) = self.find_part(&types::plain(&this.ty), word)
        {
            self.note(n.span, p.def());
            self.count_use(&this);
            return match p {
                Part::Value(v) => self.read_value_call(v, vec![this], args, span, word),
                Part::Rule(r) => self.read_rule_call(r, vec![this], args, None, span),
                _ => build::error(span),
            };
        }
        let things = self.ix.things(word);
        for t in things {
            if matches!(t, Thing::Value(_) | Thing::Rule(_) | Thing::Hook(_)) {
                self.note(n.span, t.def());
            }
            match *t {
                Thing::Value(v) => return self.read_value_call(v, Vec::new(), args, span, word),
                Thing::Rule(r) => return self.read_rule_call(r, Vec::new(), args, None, span),
                Thing::Hook(h) => return self.read_hook_call(h, args, span, word),
                _ => {}
            }
        }
        for t in things {
            match *t {
                Thing::Member(m) => return self.read_family_call(m, args, n, span, want),
                Thing::Kind(k) => {
                    self.note(n.span, t.def());
                    return self.read_kind_call(k, args, n, span);
                }
                Thing::Action(_) => {
                    return self.fail(
                        codes::NOT_CALLED,
                        n.span,
                        format!(
                            "`{word}` is an action: players choose it from a menu, and rules cannot call it"
                        ),
                        "write what it does in a `rule`, and call that in both; to let a player choose it, `offer` its menu",
                    );
                }
                Thing::Menu(_) => {
                    let d = Diagnostic::error(
                        codes::NOT_CALLED,
                        n.span,
                        format!("`{word}` is a menu: rules offer it and do not call it"),
                    )
                    .help(format!("write `offer {word}`"));
                    self.push(d);
                    return build::error(span);
                }
                Thing::TableAttr(_) | Thing::TableZone(_) | Thing::Option(_) | Thing::Variant(_)
                    if !is_called(word) =>
                {
                    let sort = t.sort(self.model());
                    return self.fail(
                        codes::NOT_CALLED,
                        n.span,
                        format!("`{word}` is {sort}, which cannot be called"),
                        format!("write `{word}` without brackets"),
                    );
                }
                _ => {}
            }
        }
        if is_called(word) {
            return self.read_built_in_call(word, n, args, span);
        }
        self.report_no_such_call(n)
    }

    fn report_no_such_call(&mut self, n: &ast::Name) -> Expr {
        let mut words: Vec<String> = self
            .ix
            .words(|t| matches!(t, Thing::Value(_) | Thing::Rule(_) | Thing::Hook(_) | Thing::Member(_)))
            .into_iter()
            .map(str::to_string)
            .collect();
        if let Some(this) = &self.this {
            for k in types::kinds_of(&this.ty) {
                let parts = self
                    .ix
                    .parts_of(k)
                    .into_iter()
                    .filter(|(_, p)| matches!(p, Part::Value(_) | Part::Rule(_)));
                words.extend(parts.map(|(w, _)| w.to_string()));
            }
        }
        words.extend(builtins::called_words().map(String::from));
        let message = format!("there is no value, rule or built-in `{}`", n.text);
        let hint = self.hint_for_call(&n.text);
        self.report_unknown_or(codes::NO_CALL, n, message, words, hint)
    }

    /// The lines of the score or ranking of that name.
    pub fn lines_of_score(&self, word: &str) -> Option<&'a [ValueId]> {
        let ix: &'a Index<'a> = self.ix;
        ix.things(word).iter().find_map(|t| {
            let Thing::Value(v) = t else { return None };
            match &ix.model.values.get(v.index())?.role {
                ValueRole::Score(lines) | ValueRole::Ranking(lines) => Some(lines.as_slice()),
                _ => None,
            }
        })
    }

    /// A line of a score or ranking by its name; an unknown one is reported.
    pub fn find_line(&mut self, score: &ast::Name, n: &ast::Name) -> Option<ValueId> {
        let lines = self.lines_of_score(&score.text)?;
        let names: Vec<(ValueId, String)> = lines
            .iter()
            .filter_map(|l| match &self.model().values.get(l.index())?.role {
                ValueRole::Line(name, _) => Some((*l, name.to_string())),
                _ => None,
            })
            .collect();
        if let Some(t) = self.ix.things(&score.text).iter().find(|t| matches!(t, Thing::Value(_))) {
            self.note(score.span, t.def());
        }
        if let Some((l, _)) = names.iter().find(|(_, name)| *name == n.text) {
            self.note(n.span, Def::Value(*l));
            return Some(*l);
        }
        let words = names.into_iter().map(|(_, name)| name).collect();
        let message = format!("`{}` has no line `{}`", score.text, n.text);
        let _ = self.report_unknown(codes::NO_PART, n, message, words);
        None
    }

    fn read_part_call(&mut self, base: &ast::Expr, n: &ast::Name, args: &[ast::Arg], span: Span) -> Expr {
        // A line of a score: `total.areas(p)`.
        if let Some(score) = base.as_name()
            && self.find_local(&score.text).is_none()
            && self.lines_of_score(&score.text).is_some()
        {
            return match self.find_line(score, n) {
                Some(line) => self.read_value_call(line, Vec::new(), args, span, &n.text),
                None => build::error(span),
            };
        }
        let mut b = self.read_expr(base, None);
        // A face has no values and rules: the one component that shows it has.
        if let Ty::Face(k) = types::plain(&b.ty)
            && self.find_part(&Ty::Of(k), &n.text).is_some()
        {
            b = self.to_component(b);
        }
        let ty = types::plain(&b.ty);
        if ty == Ty::Error {
            return build::error(span);
        }
        let part = self.find_part(&ty, &n.text);
        if let Some(p) = part {
            self.note(n.span, p.def());
        }
        match part {
            Some(Part::Value(v)) => {
                let _ = self.need_value(&b, &format!("only a thing has `.{}`", n.text));
                self.read_value_call(v, vec![b], args, span, &n.text)
            }
            Some(Part::Rule(r)) => {
                let _ = self.need_value(&b, &format!("only a thing has `.{}`", n.text));
                self.read_rule_call(r, vec![b], args, None, span)
            }
            Some(_) => self.fail(
                codes::NOT_CALLED,
                n.span,
                format!("`{}` is not a value or rule, so it has no brackets", n.text),
                format!("write `.{}` without brackets", n.text),
            ),
            None => {
                let mut words = Vec::new();
                for k in types::kinds_of(&ty) {
                    let parts = self
                        .ix
                        .parts_of(k)
                        .into_iter()
                        .filter(|(_, p)| matches!(p, Part::Value(_) | Part::Rule(_)));
                    words.extend(parts.map(|(w, _)| w.to_string()));
                }
                let is = self.show(&ty);
                let message = format!("no value or rule `{}` on {is}", n.text);
                let plain = matches!(&*n.text, "row" | "column" | "at" | "holder" | "owner" | "value");
                let kinds = types::kinds_of(&ty);
                let each = kinds.len() > 1 && kinds.iter().all(|k| self.ix.part(*k, &n.text).is_some());
                let hint = match kinds.first() {
                    _ if plain => Some(format!("it is no call: write `.{}` without brackets", n.text)),
                    Some(k) if each => Some(format!(
                        "each of these kinds has its own: ask first which it is, as in `if x is {} {{ x.{}(…) }} else {{ … }}`",
                        types::name(self.model(), *k),
                        n.text
                    )),
                    _ => None,
                };
                self.report_unknown_or(codes::NO_PART, n, message, words, hint)
            }
        }
    }

    // ── Arguments ────────────────────────────────────────────────────────────────────────────────────────

    /// Puts arguments in the order of the parameters: by place, or by name. The first `needed` must be there.
    pub fn arrange_arguments<'e>(
        &mut self,
        names: &[&str],
        needed: usize,
        args: &'e [ast::Arg],
        span: Span,
        what: &str,
    ) -> Option<Vec<Option<&'e ast::Expr>>> {
        let mut out: Vec<Option<&'e ast::Expr>> = vec![None; names.len()];
        let mut fine = true;
        let mut place = 0;
        for a in args {
            match a {
                ast::Arg::Plain(e) => match out.get_mut(place) {
                    Some(slot) => {
                        *slot = Some(e);
                        place += 1;
                    }
                    None => {
                        let n = names.len();
                        let takes = match n {
                            0 => String::from("nothing"),
                            1 => format!("one argument, `{}`", names[0]),
                            _ => format!(
                                "{n}: {}",
                                names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ")
                            ),
                        };
                        let help =
                            "leave the others out; a set of several things stands in brackets: `[a, b]`";
                        let message = format!("`{what}` takes {takes}");
                        let _ = self.fail(codes::TOO_MANY_ARGS, e.span, message, help);
                        fine = false;
                    }
                },
                ast::Arg::Named(n, e) => match names.iter().position(|x| *x == n.text) {
                    Some(i) if out[i].is_none() => out[i] = Some(e),
                    Some(_) => {
                        let message = format!("`{}` is given twice", n.text);
                        let _ = self.fail(codes::ARG_TWICE, n.span, message, "leave one of the two out");
                        fine = false;
                    }
                    None => {
                        let words = names.iter().map(|n| n.to_string()).collect();
                        let _ = self.report_unknown(
                            codes::NO_ARG,
                            n,
                            format!("`{what}` has no parameter `{}`", n.text),
                            words,
                        );
                        fine = false;
                    }
                },
                ast::Arg::Fold(f) => {
                    let _ = self.fail(
                        codes::WRONG_FORM,
                        f.span,
                        format!("`{what}` is not a fold: `x in S` is not possible here"),
                        "write the arguments alone, separated by commas",
                    );
                    fine = false;
                }
            }
        }
        if fine && let Some(i) = out.iter().take(needed).position(Option::is_none) {
            let d =
                Diagnostic::error(codes::MISSING_ARG, span, format!("`{what}` also needs `{}`", names[i]));
            let all = names.iter().take(needed).map(|n| n.to_string()).collect::<Vec<_>>().join(", ");
            self.push(d.help(format!("write all that it needs: `{what}({all})`")));
            fine = false;
        }
        fine.then_some(out)
    }

    /// Reads arguments for declared parameters; `first` are those already there (the component).
    pub fn read_arguments(
        &mut self,
        params: &[Param],
        mut first: Vec<Expr>,
        args: &[ast::Arg],
        span: Span,
        what: &str,
    ) -> Option<Vec<Expr>> {
        let rest = params.get(first.len()..).unwrap_or(&[]);
        let names: Vec<&str> = rest.iter().map(|p| p.name.as_str()).collect();
        for a in args {
            if let ast::Arg::Named(n, _) = a
                && let Some(p) = rest.iter().find(|p| p.name == n.text)
            {
                self.note(n.span, Def::Local(p.span));
            }
        }
        let arranged = self.arrange_arguments(&names, rest.len(), args, span, what);
        let Some(arranged) = arranged else {
            // The arguments themselves are read for their own mistakes.
            for a in args {
                if let ast::Arg::Plain(e) | ast::Arg::Named(_, e) = a {
                    let _ = self.read_expr(e, None);
                }
            }
            return None;
        };
        for (p, e) in rest.iter().zip(arranged) {
            if let Some(e) = e {
                first.push(self.check_held(e, &p.ty, &format!("`{}` of `{what}`", p.name)));
            }
        }
        Some(first)
    }

    /// A member's word (or a family's, with its key) as the face that it declares.
    pub fn read_face_word(&mut self, e: &ast::Expr) -> Option<Expr> {
        let n = match &*e.kind {
            ast::ExprKind::Name(n) => n,
            ast::ExprKind::Call(c, _) => c.as_name()?,
            _ => return None,
        };
        if self.find_local(&n.text).is_some() {
            return None;
        }
        let k = self.ix.things(&n.text).iter().find_map(|t| match t {
            Thing::Member(m) => {
                let k = self.model().members.get(m.index())?.kind;
                types::is_component(self.model(), k).then_some(k)
            }
            _ => None,
        })?;
        let e = self.read_expr(e, Some(&Ty::Face(k)));
        Some(e)
    }

    fn params_of<T>(body: &Body<T>) -> Vec<Param> {
        body.locals
            .iter()
            .take(body.params)
            .map(|l| Param { name: l.name.to_string(), ty: l.ty.clone(), span: l.span })
            .collect()
    }

    /// A value worked out for these arguments.
    pub fn read_value_call(
        &mut self,
        v: ValueId,
        first: Vec<Expr>,
        args: &[ast::Arg],
        span: Span,
        what: &str,
    ) -> Expr {
        let Some(d) = self.model().values.get(v.index()) else { return build::error(span) };
        if matches!(d.role, ValueRole::Ranking(_)) {
            let d = Diagnostic::error(
                codes::NOT_CALLED,
                span,
                format!("`{what}` is a ranking, which is not a number; its lines are"),
            );
            self.push(d.help(format!("write `{what}.LINE(…)`")));
            return build::error(span);
        }
        let params = Self::params_of(&d.body);
        // In its own kind a value is called without its component.
        let first = match (&self.this, d.of) {
            (Some(this), Some(_)) if first.is_empty() => vec![this.clone()],
            _ => first,
        };
        match self.read_arguments(&params, first, args, span, what) {
            Some(all) => expr(d.ty.clone(), span, ExprKind::Value(v, all)),
            None => expr(Ty::Error, span, ExprKind::Error),
        }
    }

    /// A rule called for what it gives.
    pub fn read_rule_call(
        &mut self,
        r: RuleId,
        first: Vec<Expr>,
        args: &[ast::Arg],
        by: Option<Expr>,
        span: Span,
    ) -> Expr {
        let Some(d) = self.model().rules.get(r.index()) else { return build::error(span) };
        if let Mode::Pure(what) = self.mode {
            let e = Diagnostic::error(
                codes::ACTS_IN_PURE,
                span,
                format!("{what} cannot call the rule `{}`", d.name),
            )
            .also(d.span, "declared here")
            .help(format!(
                "call `{}` in a rule, phase or action; or make a value of it that changes nothing",
                d.name
            ));
            self.push(e);
            return build::error(span);
        }
        let params = Self::params_of(&d.body);
        let (gives, name) = (d.gives.clone(), d.name.to_string());
        let Some(all) = self.read_arguments(&params, first, args, span, &name) else {
            return build::error(span);
        };
        expr(gives, span, ExprKind::Rule(self.model().called_for(r), by, all))
    }

    fn read_hook_call(&mut self, h: HookId, args: &[ast::Arg], span: Span, what: &str) -> Expr {
        let Some(d) = self.model().hooks.get(h.index()) else { return build::error(span) };
        let params: Vec<Param> = d
            .params
            .iter()
            .map(|l| Param { name: l.name.to_string(), ty: l.ty.clone(), span: l.span })
            .collect();
        let ty = d.ty.clone();
        match self.read_arguments(&params, Vec::new(), args, span, what) {
            Some(all) => expr(ty, span, ExprKind::Hook(h, all)),
            None => build::error(span),
        }
    }

    /// The key in `number(7)`.
    pub fn read_family_key(
        &mut self,
        m: MemberId,
        args: &[ast::Arg],
        n: &ast::Name,
        span: Span,
    ) -> Option<Expr> {
        self.note(n.span, Def::Member(m));
        let d = self.model().members.get(m.index())?;
        let Some((_, lo, hi)) = d.family else {
            let e = Diagnostic::error(
                codes::NOT_CALLED,
                n.span,
                format!("`{}` is not a family, so it has no key", n.text),
            )
            .also(d.span, "declared here");
            self.push(e.help(format!("write `{}` without brackets", n.text)));
            return None;
        };
        let arranged = self.arrange_arguments(&["key"], 1, args, span, &n.text)?;
        let key = arranged.first().copied().flatten()?;
        Some(self.check_held(key, &Ty::Int(lo, hi), &format!("the key of `{}`", n.text)))
    }

    fn read_family_call(
        &mut self,
        m: MemberId,
        args: &[ast::Arg],
        n: &ast::Name,
        span: Span,
        want: Option<&Ty>,
    ) -> Expr {
        let Some(key) = self.read_family_key(m, args, n, span) else { return build::error(span) };
        let Some(k) = self.model().members.get(m.index()).map(|d| d.kind) else { return build::error(span) };
        match want.map(types::plain) {
            Some(Ty::Of(_) | Ty::AnyOf(_)) => self.read_component(m, Some(key), span),
            _ => expr(Ty::Face(k), span, ExprKind::Face(m, Some(key))),
        }
    }

    fn read_kind_call(&mut self, k: KindId, args: &[ast::Arg], n: &ast::Name, span: Span) -> Expr {
        let model = self.model();
        if let Some(KindSort::Lines(map, sort)) = types::kind(model, k).map(|k| &k.sort) {
            let Some(arranged) = self.arrange_arguments(&["number"], 1, args, span, &n.text) else {
                return build::error(span);
            };
            let Some(Some(e)) = arranged.first().copied() else { return build::error(span) };
            let size = model.maps.get(map.index()).and_then(|m| m.size);
            let most = size.map_or(i32::MAX, |(w, h)| (if *sort == LineSort::Row { h } else { w }) as i32);
            let e = self.check_held(e, &Ty::Int(1, most), "the number of a row or column");
            return match &*e.kind {
                ExprKind::Int(i) if *i >= 1 => expr(Ty::Of(k), span, ExprKind::Line(k, (*i - 1) as u32)),
                ExprKind::Error => build::error(span),
                _ => self.report_not_played(span, "rows or columns of a board by a calculated number"),
            };
        }
        if let Some((least, most)) = types::line_length(model, k) {
            let arranged = self.arrange_arguments(&["number"], 1, args, span, &n.text);
            let Some(e) = arranged.and_then(|a| a.first().copied().flatten()) else {
                return build::error(span);
            };
            let number = self.read_number_of(e, "the number of a space");
            let (lo, hi) = types::bounds(&number.ty).unwrap_or((0, 0));
            if number.ty != Ty::Error && (hi < 1 || lo > most) {
                let d = Diagnostic::error(
                    codes::OUTSIDE,
                    number.span,
                    format!("there is no {} with this number", n.text),
                );
                self.push(d.help(format!("their numbers are 1 to {most}")));
            }
            // Of what number there surely is one.
            let ty = if lo >= 1 && hi <= least { Ty::Of(k) } else { types::maybe(Ty::Of(k)) };
            let all = expr(types::set_of(Ty::Of(k)), span, ExprKind::All(k));
            return expr(ty, span, ExprKind::Nth(all, number));
        }
        for a in args {
            if let ast::Arg::Plain(e) | ast::Arg::Named(_, e) = a {
                let _ = self.read_expr(e, None);
            }
        }
        self.report_not_played(span, "things of a kind by their key")
    }

    // ── can ──────────────────────────────────────────────────────────────────────────────────────────────

    /// `p can menu`, `nobody can menu`.
    pub fn read_can_menu(&mut self, p: &ast::Expr, menu: &ast::Name, span: Span) -> Expr {
        let Some(m) = self.find_menu(menu) else { return build::error(span) };
        if self.model().menus.get(m.index()).is_some_and(|d| !d.params.is_empty()) {
            return self
                .report_not_played(span, "asking whether a menu with parameters has anything on offer");
        }
        if let ast::ExprKind::Name(n) = &*p.kind
            && n.text == "nobody"
            && self.find_local("nobody").is_none()
        {
            let over = build::players(p.span);
            let var = self.new_local("it", types::player(), p.span);
            let body =
                cond(span, ExprKind::CanMenu(build::local(var, types::player(), p.span), m, Vec::new()));
            let fold = Fold { op: FoldOp::No, var, over, cond: None, bodies: vec![body] };
            return expr(Ty::Bool, span, ExprKind::Fold(Box::new(fold)));
        }
        let p = self.read_as(p, &types::player(), "the player of `can`");
        cond(span, ExprKind::CanMenu(p, m, Vec::new()))
    }

    /// The kind of that name.
    pub fn find_kind(&self, n: &ast::Name) -> Option<KindId> {
        let k = self.ix.kind(&n.text)?;
        self.note(n.span, Def::Kind(k));
        Some(k)
    }

    /// The menu of that name.
    pub fn find_menu(&mut self, n: &ast::Name) -> Option<MenuId> {
        let found =
            self.ix.things(&n.text).iter().find_map(|t| if let Thing::Menu(m) = t { Some(*m) } else { None });
        if let Some(m) = found {
            self.note(n.span, Def::Menu(m));
        }
        if found.is_none() {
            let words =
                self.ix.words(|t| matches!(t, Thing::Menu(_))).into_iter().map(str::to_string).collect();
            let hint = self.hint_for_menu(&n.text);
            let message = format!("there is no menu `{}`", n.text);
            let _ = self.report_unknown_or(codes::NO_MENU_NAMED, n, message, words, hint);
        }
        found
    }

    /// `can rule(…)`.
    pub fn read_can_do(&mut self, x: &ast::Expr, span: Span) -> Expr {
        // What it would do is not done: it is read as an act, asked as a value.
        let outer = std::mem::replace(&mut self.mode, Mode::Effect);
        let skips = self.skips;
        let e = self.read_expr(x, None);
        self.mode = outer;
        self.skips = skips;
        match Arc::unwrap_or_clone(e.kind) {
            ExprKind::Rule(r, by, args) => cond(span, ExprKind::CanRule(self.model().said_for(r), by, args)),
            ExprKind::Error => build::error(span),
            _ => self.fail(
                codes::WRONG_FORM,
                e.span,
                "`can` needs a call of a rule: `can rule(…)`",
                "for a condition, leave out `can`; for a player and a menu, write `p can MENU`",
            ),
        }
    }
}

/// Whether a word is a built-in that is called.
fn is_called(word: &str) -> bool {
    builtins::called_words().any(|w| w == word)
}
