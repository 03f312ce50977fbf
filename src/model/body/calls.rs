//! Reads calls of values, rules, families and built-ins, and checks their arguments.
use super::build::{self, builtin, cond, expr};
use super::codes;
use super::cx::{Cx, Mode};
use super::folds::read_fold_op;
use super::index::{Index, Part, Thing};
use super::types;
use crate::hir::*;
use crate::uses::Def;
use houserule_syntax::ast;
use houserule_text::{Diagnostic, Span};

/// The most that a space may cost.
const MOST_COST: i32 = 16;

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
                let hint = plain.then(|| format!("it is no call: write `.{}` without brackets", n.text));
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
        expr(gives, span, ExprKind::Rule(r, by, all))
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
        if let Some(length) = types::line_length(model, k) {
            let arranged = self.arrange_arguments(&["number"], 1, args, span, &n.text);
            let Some(e) = arranged.and_then(|a| a.first().copied().flatten()) else {
                return build::error(span);
            };
            let number = self.read_number_of(e, "the number of a space");
            let (lo, hi) = types::bounds(&number.ty).unwrap_or((0, 0));
            if number.ty != Ty::Error && (hi < 1 || lo > length) {
                let d = Diagnostic::error(
                    codes::OUTSIDE,
                    number.span,
                    format!("there is no {} with this number", n.text),
                );
                self.push(d.help(format!("their numbers are 1 to {length}")));
            }
            // Of what number there surely is one.
            let ty = if lo >= 1 && hi <= length { Ty::Of(k) } else { types::maybe(Ty::Of(k)) };
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
        match *e.kind {
            ExprKind::Rule(r, by, args) => cond(span, ExprKind::CanRule(r, by, args)),
            ExprKind::Error => build::error(span),
            _ => self.fail(
                codes::WRONG_FORM,
                e.span,
                "`can` needs a call of a rule: `can rule(…)`",
                "for a condition, leave out `can`; for a player and a menu, write `p can MENU`",
            ),
        }
    }

    // ── Built-ins ────────────────────────────────────────────────────────────────────────────────────────

    /// A space.
    fn read_space(&mut self, e: &ast::Expr, what: &str) -> Option<(Expr, KindId)> {
        let (x, k) = self.read_space_or_none(e, what)?;
        let _ = self.need_value(&x, &format!("{what} must be a space"));
        Some((x, k))
    }

    /// A space, or a set of them.
    fn read_space_or_spaces(&mut self, e: &ast::Expr, what: &str) -> Option<(Expr, KindId)> {
        let x = self.read_expr(e, None);
        match types::plain(&x.ty) {
            Ty::Error => None,
            Ty::Set(t) | Ty::List(t) if matches!(*t, Ty::Of(k) if types::is_space(self.model(), k)) => {
                let Ty::Of(k) = *t else { return None };
                Some((x, k))
            }
            Ty::Of(k) if types::is_space(self.model(), k) => {
                let _ = self.need_value(&x, &format!("{what} must be a space"));
                Some((x, k))
            }
            other => {
                let is = self.show(&other);
                let message = format!("{what} must be a space or a set of spaces, but this is {is}");
                let hint = self.hint_for_space(&other);
                let _ = self.fail_if(codes::NOT_A_SPACE, x.span, message, hint);
                None
            }
        }
    }

    /// A space, or none: from nowhere nothing is seen or reached.
    fn read_space_or_none(&mut self, e: &ast::Expr, what: &str) -> Option<(Expr, KindId)> {
        let x = self.read_expr(e, None);
        match types::plain(&x.ty) {
            Ty::Error => None,
            Ty::Of(k) if types::is_space(self.model(), k) => Some((x, k)),
            other => {
                let is = self.show(&other);
                let hint = self.hint_for_space(&other);
                let _ = self.fail_if(
                    codes::NOT_A_SPACE,
                    x.span,
                    format!("{what} must be a space, but this is {is}"),
                    hint,
                );
                None
            }
        }
    }

    /// The maps that a word can mean that names no space: the boards, or, in a game without boards, its lines.
    fn boards(&self) -> Vec<MapId> {
        let maps = &self.model().maps;
        // Boards come before lines, and lines before graphs.
        let rank = |m: &Map| u8::from(m.shape == Shape::Line) + 2 * u8::from(m.shape == Shape::Graph);
        let least = maps.iter().map(rank).min();
        (0..).map(MapId).zip(maps).filter(|(_, m)| Some(rank(m)) == least).map(|(i, _)| i).collect()
    }

    /// The map of a word that names no space: the one behind `of`, or the only board.
    fn find_map_of_lines(&mut self, n: &ast::Name, named: Option<MapId>) -> Option<(MapId, KindId)> {
        self.find_only_map(n)?;
        let map = match (named, self.boards().as_slice()) {
            (Some(map), _) => map,
            (None, [map]) => *map,
            _ => {
                self.report_which_map(&format!("{}(…)", n.text), n.span);
                return None;
            }
        };
        Some((map, self.model().maps.get(map.index())?.space))
    }

    fn report_which_map(&mut self, word: &str, span: Span) {
        let d = Diagnostic::error(codes::WHICH_MAP, span, "this game has several boards");
        let first = self.model().maps.first().map_or("", |m| &m.name);
        let help = format!("say on which one: `{word} of {first}`");
        self.push(d.help(help));
    }

    /// The map of a word about directions, as its last argument: all its spaces. A game with one map needs none.
    pub fn map_of_directions(&mut self, word: &str, span: Span, named: Option<MapId>) -> Option<Vec<Expr>> {
        let boards = self.boards();
        let sort = |id: &MapId| {
            let map = self.model().maps.get(id.index())?;
            Some(matches!(map.shape, Shape::Hexes { .. }))
        };
        if named.is_none() && boards.iter().any(|m| sort(m) != boards.first().and_then(sort)) {
            self.report_which_map(word, span);
            return None;
        }
        let map = named.or(boards.first().copied());
        let Some(map) = map.and_then(|m| self.model().maps.get(m.index())) else { return Some(Vec::new()) };
        let k = map.space;
        if map.shape == Shape::Graph {
            self.report_no_directions(word, span);
            return None;
        }
        if self.model().maps.len() < 2 {
            return Some(Vec::new());
        }
        Some(vec![expr(types::set_of(Ty::Of(k)), span, ExprKind::All(k))])
    }

    /// The one map of the game.
    fn find_only_map(&mut self, n: &ast::Name) -> Option<(MapId, KindId)> {
        match self.model().maps.first() {
            Some(m) => Some((MapId(0), m.space)),
            None => {
                let d = Diagnostic::error(
                    codes::NO_MAP,
                    n.span,
                    format!("`{}` needs a map, but this game has none", n.text),
                )
                .help("declare one: `map Board squares 8 by 8`");
                self.push(d);
                None
            }
        }
    }

    /// `paths(from:, to:, steps:, through:, over:)` behind `choose one of`.
    pub(super) fn read_paths(&mut self, n: &ast::Name, args: &[ast::Arg], span: Span) -> Option<Expr> {
        let a =
            self.arrange_arguments(Builtin::Paths.args(), Builtin::Paths.needed(), args, span, "paths")?;
        let at = |i: usize| a.get(i).copied().flatten();
        self.find_only_map(n)?;
        let (from, k) = self.read_space(at(0)?, "`from`")?;
        let (to, _) = self.read_space(at(1)?, "`to`")?;
        let steps = self.number_or_none(at(2), "`steps`", span);
        let through = match at(3) {
            Some(p) => self.read_space_filter(p, k),
            None => build::none(span),
        };
        let over = match at(4) {
            Some(p) => self.read_space_filter(p, k),
            None => build::none(span),
        };
        let costs = match at(5) {
            Some(e) => self.read_costs(e, &through, k)?,
            None => Vec::new(),
        };
        let args = [vec![from, to, steps, through, over], costs].concat();
        Some(builtin(Builtin::Paths, args, types::set_of(Ty::Of(k)), span))
    }

    /// `cost: e`: for each cost from 1 on, the spaces that may be entered for it.
    fn read_costs(&mut self, e: &ast::Expr, through: &Expr, k: KindId) -> Option<Vec<Expr>> {
        let (span, range) = (e.span, Ty::Int(1, MOST_COST));
        let it = self.new_local("it", Ty::Of(k), span);
        let cost = self.read_purely("a cost", |cx| {
            cx.read_in_scope(|cx| {
                cx.its.push(build::local(it, Ty::Of(k), span));
                let cost = cx.check_held(e, &range, "the cost of a space");
                cx.its.pop();
                cost
            })
        });
        let (_, most) = types::bounds(&cost.ty)?;
        let spaces = match &*through.kind {
            ExprKind::None => expr(types::set_of(Ty::Of(k)), span, ExprKind::All(k)),
            _ => through.clone(),
        };
        let at = |n: i32| {
            let n = expr(Ty::Int(n, n), span, ExprKind::Int(n));
            let is = cond(span, ExprKind::Compare(Comparison::Eq, cost.clone(), n));
            expr(spaces.ty.clone(), span, ExprKind::Where(spaces.clone(), it, is))
        };
        Some((1..=most.min(MOST_COST)).map(at).collect())
    }

    fn number_or_none(&mut self, e: Option<&ast::Expr>, what: &str, span: Span) -> Expr {
        match e {
            Some(e) => self.read_number_of(e, what),
            None => build::none(span),
        }
    }

    fn read_built_in_call(&mut self, word: &str, n: &ast::Name, args: &[ast::Arg], span: Span) -> Expr {
        let e = self.read_built_in(word, n, args, span).unwrap_or_else(|| build::error(span));
        if self.asks_directions_of_graph(&e) { self.report_no_directions(word, span) } else { e }
    }

    /// Whether a built-in asks directions, rows or columns of a graph.
    fn asks_directions_of_graph(&self, e: &Expr) -> bool {
        use Builtin as B;
        let ExprKind::Builtin(b, args) = &*e.kind else { return false };
        let of = match b {
            B::Between | B::DirectionOf | B::Rays | B::Ray | B::Fan | B::Slides | B::Leaps | B::Mirror => {
                args.first()
            }
            B::Neighbours if args.get(1).is_some_and(|d| !matches!(&*d.kind, ExprKind::None)) => args.first(),
            B::Angle | B::TurnOf => args.get(2),
            B::RowOf | B::ColumnOf => Some(e),
            _ => return false,
        };
        of.is_some_and(|x| self.is_on_graph(&x.ty))
    }

    /// Whether these are spaces of a graph.
    pub(super) fn is_on_graph(&self, ty: &Ty) -> bool {
        let kind = match types::element(self.model(), ty).unwrap_or_else(|| types::plain(ty)) {
            Ty::Of(k) => k,
            _ => return false,
        };
        types::is_graph(self.model(), kind)
    }

    pub(super) fn report_no_directions(&mut self, word: &str, span: Span) -> Expr {
        self.fail(
            codes::NO_DIRECTIONS,
            span,
            format!("`{word}` needs directions, rows or columns, but this map is a graph"),
            "follow its ways: `neighbours(c)`, `distance(a, b)`, `reachable(from: c, steps: n)`, `lines(n)`",
        )
    }

    fn read_built_in(&mut self, word: &str, n: &ast::Name, args: &[ast::Arg], span: Span) -> Option<Expr> {
        use Builtin as B;
        let named = self.on_map.take();
        let players = types::set_of(types::player());
        let b = match Builtin::called(word) {
            Some(B::Paths) => {
                let d = Diagnostic::error(codes::WRONG_FORM, span, "`paths` can only be used in `choose`");
                self.push(d.help("write `choose one of paths(from: a, to: b, over: P)`"));
                return None;
            }
            Some(b) => b,
            None => return self.kind_form(word, args, span),
        };
        let a = self.arrange_arguments(b.args(), b.needed(), args, span, word)?;
        let at = |i: usize| a.get(i).copied().flatten();
        let first = at(0)?;
        Some(match b {
            B::Neighbours => {
                let x = self.read_expr(first, None);
                match types::plain(&x.ty) {
                    Ty::Error => return None,
                    Ty::Of(k) if k == builtin_kinds::PLAYER => {
                        let _ = self.need_value(&x, "the argument of `neighbours`");
                        builtin(B::NeighbourPlayers, vec![x], players, span)
                    }
                    Ty::Of(k) if types::is_space(self.model(), k) => {
                        self.find_only_map(n)?;
                        let dirs = match at(1) {
                            Some(d) => self.read_as(d, &types::set_of(types::direction()), "the directions"),
                            None => build::none(span),
                        };
                        builtin(B::Neighbours, vec![x, dirs], types::set_of(Ty::Of(k)), span)
                    }
                    Ty::Set(t) | Ty::List(t) if matches!(*t, Ty::Of(k) if types::is_space(self.model(), k)) =>
                    {
                        self.find_only_map(n)?;
                        let dirs = match at(1) {
                            Some(d) => self.read_as(d, &types::set_of(types::direction()), "the directions"),
                            None => build::none(span),
                        };
                        builtin(B::Neighbours, vec![x, dirs], types::set_of(*t), span)
                    }
                    other => {
                        let is = self.show(&other);
                        let hint = self.hint_for_space(&other);
                        self.fail_if(
                            codes::NOT_A_SPACE,
                            x.span,
                            format!("only spaces and players have neighbours, but this is {is}"),
                            hint,
                        )
                    }
                }
            }
            B::Between => {
                self.find_only_map(n)?;
                let (x, k) = self.read_space_or_none(first, "this")?;
                let (y, _) = self.read_space_or_none(at(1)?, "this")?;
                builtin(B::Between, vec![x, y], types::set_of(Ty::Of(k)), span)
            }
            B::DirectionOf => {
                self.find_only_map(n)?;
                let (x, _) = self.read_space(first, "this")?;
                let (y, _) = self.read_space(at(1)?, "this")?;
                builtin(b, vec![x, y], types::maybe(types::direction()), span)
            }
            B::Distance => {
                self.find_only_map(n)?;
                let (x, k) = self.read_space(first, "this")?;
                let (y, _) = self.read_space(at(1)?, "this")?;
                let through = match at(2) {
                    Some(p) => self.read_space_filter(p, k),
                    None => build::none(span),
                };
                let ty = types::maybe(Ty::Int(0, i32::MAX));
                match at(3) {
                    Some(e) => {
                        let costs = self.read_costs(e, &through, k)?;
                        builtin(B::CostDistance, [vec![x, y], costs].concat(), ty, span)
                    }
                    None => builtin(b, vec![x, y, through], ty, span),
                }
            }
            B::Angle => {
                let x = self.read_as(first, &types::direction(), "this");
                let y = self.read_as(at(1)?, &types::direction(), "this");
                let map = self.map_of_directions("angle(…)", n.span, named)?;
                builtin(B::Angle, [vec![x, y], map].concat(), Ty::Int(0, 4), span)
            }
            B::TurnOf => {
                self.find_only_map(n)?;
                let x = self.read_as(first, &types::direction(), "the direction that is turned");
                let by = self.read_number_of(at(1)?, "the number of directions to turn by");
                let map = self.map_of_directions("turn(…)", n.span, named)?;
                builtin(b, [vec![x, by], map].concat(), types::direction(), span)
            }
            B::Opposite => {
                let x = self.read_as(first, &types::direction(), "this");
                builtin(b, vec![x], types::direction(), span)
            }
            B::Reachable => {
                self.find_only_map(n)?;
                let (x, k) = self.read_space_or_spaces(first, "`from`")?;
                let steps = self.number_or_none(at(1), "`steps`", span);
                let through = match at(2) {
                    Some(p) => self.read_space_filter(p, k),
                    None => build::none(span),
                };
                match at(3) {
                    Some(e) => {
                        let costs = self.read_costs(e, &through, k)?;
                        let args = [vec![x, steps], costs].concat();
                        builtin(B::CostReachable, args, types::set_of(Ty::Of(k)), span)
                    }
                    None => builtin(B::Reachable, vec![x, steps, through], types::set_of(Ty::Of(k)), span),
                }
            }
            B::Mirror => {
                self.find_only_map(n)?;
                let (x, k) = self.read_space(first, "this")?;
                let map = self.model().maps.iter().find(|m| m.space == k);
                let (shape, whole) = match map {
                    Some(m) => (m.shape, m.pictures.is_empty() && m.size.is_some_and(|(w, h)| w == h)),
                    None => return None,
                };
                if !matches!(shape, Shape::Squares { .. } | Shape::Hexes { rhombus: true }) {
                    let d = Diagnostic::error(
                        codes::WRONG_FORM,
                        span,
                        "only boards of squares and rhombuses of hexes have a mirror line from corner to corner",
                    );
                    self.push(d.help(
                        "keep the opposite space of each space in an attribute, as in `opposite: Cell?`, and write that",
                    ));
                    return None;
                }
                let ty = if whole { Ty::Of(k) } else { types::maybe(Ty::Of(k)) };
                builtin(B::Mirror, vec![x], ty, span)
            }
            B::Rays => {
                self.find_only_map(n)?;
                let (x, k) = self.read_space(first, "this")?;
                builtin(B::Rays, vec![x], types::set_of(types::list_of(Ty::Of(k))), span)
            }
            B::Ray => {
                self.find_only_map(n)?;
                let (x, k) = self.read_space_or_none(first, "this")?;
                let d = self.read_as(at(1)?, &types::direction(), "the direction of a ray");
                let through = match at(2) {
                    Some(p) => self.read_space_filter(p, k),
                    None => build::none(span),
                };
                let most = self.number_or_none(at(3), "`most`", span);
                builtin(B::Ray, vec![x, d, through, most], types::list_of(Ty::Of(k)), span)
            }
            B::Run => {
                self.find_only_map(n)?;
                let r = self.read_expr(first, None);
                let r = self.as_list(r, "`run`");
                let k = match types::element(self.model(), &r.ty) {
                    Some(Ty::Of(k)) if types::is_space(self.model(), k) => k,
                    Some(Ty::Error) | None => return None,
                    Some(_) => {
                        let is = self.show(&r.ty);
                        return Some(self.fail(
                            codes::NOT_A_SPACE,
                            r.span,
                            format!("`run` needs a list of spaces, but this is {is}"),
                            "write a ray, as in `run(ray(c, north), …)`, or `r` of `r in rays(c)`",
                        ));
                    }
                };
                let p = self.read_space_filter(at(1)?, k);
                let q = self.read_space_filter(at(2)?, k);
                builtin(B::Run, vec![r, p, q], types::list_of(Ty::Of(k)), span)
            }
            B::Lines => {
                let (_, k) = self.find_map_of_lines(n, named)?;
                let len = self.read_number_of(first, "the length of the lines");
                builtin(B::Lines, vec![len], types::set_of(types::list_of(Ty::Of(k))), span)
            }
            B::RowOf | B::ColumnOf => {
                let (m, k) = self.find_map_of_lines(n, named)?;
                let x = self.read_expr(first, None);
                let ok = match types::plain(&x.ty) {
                    Ty::Int(..) | Ty::Error => true,
                    Ty::Set(t) | Ty::List(t) => matches!(*t, Ty::Int(..) | Ty::Error),
                    _ => false,
                };
                if !ok {
                    let is = self.show(&x.ty);
                    return Some(self.fail(
                        codes::NOT_A_NUMBER,
                        x.span,
                        format!("`{word}(…)` needs a number, but this is {is}"),
                        format!("the {word} of a space c is `c.{word}`"),
                    ));
                }
                let _ = self.need_value(&x, "a row or column needs a number");
                if let (Some((lo, hi)), Some(size)) = (
                    types::bounds(&element_or_self(&x.ty)),
                    self.model().maps.get(m.index()).and_then(|m| m.size),
                ) {
                    let most = if b == B::RowOf { size.1 } else { size.0 } as i32;
                    if lo > most || hi < 1 {
                        let message = format!("the board only has the {word}s 1 to {most}");
                        let d = Diagnostic::error(codes::OUTSIDE, x.span, message);
                        self.push(d.help("write one of these numbers, or draw a larger board"));
                    }
                }
                builtin(b, vec![x], types::set_of(Ty::Of(k)), span)
            }
            B::Joined => {
                let (_, k) = self.find_only_map(n)?;
                let want = types::set_of(Ty::Of(k));
                let x = self.read_as(first, &want, "one side");
                let y = self.read_as(at(1)?, &want, "the other side");
                let through = self.read_space_filter(at(2)?, k);
                builtin(B::Joined, vec![x, y, through], Ty::Bool, span)
            }
            B::Fan => {
                self.find_only_map(n)?;
                let (x, k) = self.read_space_or_none(first, "this")?;
                let d = self.read_as(at(1)?, &types::direction(), "the direction of a fan");
                builtin(B::Fan, vec![x, d], types::set_of(Ty::Of(k)), span)
            }
            B::Slides => {
                self.find_only_map(n)?;
                let (x, k) = self.read_space_or_none(first, "this")?;
                let d = self.read_as(at(1)?, &types::set_of(types::direction()), "the directions");
                let through = match at(2) {
                    Some(p) => self.read_space_filter(p, k),
                    None => {
                        if !self.model().zones.iter().any(|z| z.of == Some(k)) {
                            let d = Diagnostic::error(
                                codes::MISSING_ARG,
                                span,
                                "these spaces have no zone, so `slides` does not know what is in the way",
                            );
                            self.push(d.help(
                                "write which spaces are free: `slides(c, dirs, through: it.stone is none)`",
                            ));
                            return None;
                        }
                        build::none(span)
                    }
                };
                builtin(B::Slides, vec![x, d, through], types::set_of(Ty::Of(k)), span)
            }
            B::Leaps => {
                self.find_only_map(n)?;
                let (x, k) = self.read_space_or_none(first, "this")?;
                let p = self.read_number_of(at(1)?, "the first distance");
                let q = self.read_number_of(at(2)?, "the second distance");
                builtin(B::Leaps, vec![x, p, q], types::set_of(Ty::Of(k)), span)
            }
            B::Only => {
                let s = self.read_source(first, None, None);
                let s = self.read_collection(s, "the argument of `only`");
                let el = types::element(self.model(), &s.ty)?;
                builtin(B::Only, vec![s], types::maybe(el), span)
            }
            B::Reversed => {
                let s = self.read_sequence(first);
                let s = self.as_list(s, "`reversed`");
                let ty = s.ty.clone();
                builtin(B::Reversed, vec![s], ty, span)
            }
            B::Index => {
                let s = self.read_sequence(first);
                let s = self.as_list(s, "`index`");
                let el = types::element(self.model(), &s.ty)?;
                let x = self.read_expr(at(1)?, Some(&el));
                if !types::comparable(self.model(), &x.ty, &el) {
                    let (l, r) = (self.show(&x.ty), self.show(&s.ty));
                    let hint = self.hint_for_type(&x.ty, &el);
                    let message = format!("{l} cannot be in {r}");
                    return Some(self.fail_if(codes::INCOMPARABLE, x.span, message, hint));
                }
                builtin(B::Index, vec![s, x], types::maybe(Ty::Int(1, i32::MAX)), span)
            }
            B::Clockwise => {
                let s = self.read_as(first, &players, "the players to go through");
                let from = self.read_as(at(1)?, &types::player(), "`from`");
                builtin(B::Clockwise, vec![s, from], types::list_of(types::player()), span)
            }
            B::Left => {
                let p = self.read_as(first, &types::player(), "the player of `left`");
                let among = match at(1) {
                    Some(s) => self.read_as(s, &players, "`among`"),
                    None => build::none(span),
                };
                builtin(B::Left, vec![p, among], types::player(), span)
            }
            B::FaceOf => {
                let x = self.read_expr(first, None);
                match types::plain(&x.ty) {
                    Ty::Error => return None,
                    Ty::Of(k) if types::is_component(self.model(), k) => {
                        let _ = self.need_value(&x, "only a component has a face");
                        builtin(B::FaceOf, vec![x], Ty::Face(k), span)
                    }
                    other => {
                        let is = self.show(&other);
                        self.fail(
                            codes::WRONG_TYPE,
                            x.span,
                            format!("only a component has a face, but this is {is}"),
                            "write a card, token, piece or die, as in `face(first of ZONE)`",
                        )
                    }
                }
            }
            B::Opponent => {
                let p = self.read_as(first, &types::player(), "the player of `opponent`");
                self.warn_not_two_players(n.span);
                builtin(B::Opponent, vec![p], types::player(), span)
            }
            B::Sees => {
                let p = self.read_as(first, &types::player(), "the player of `sees`");
                let what = at(1)?;
                let want = self.wanted_component_type(what);
                let x = self.read_expr(what, want.as_ref());
                builtin(B::Sees, vec![p, x], Ty::Bool, span)
            }
            B::Odd | B::Even => {
                let x = self.read_number_of(first, "the argument of `odd` and `even`");
                builtin(b, vec![x], Ty::Bool, span)
            }
            B::Median => {
                let (s, one) = self.numbers_of(word, first)?;
                builtin(b, vec![s], one, span)
            }
            // A fold of a set as it is, with the name of its argument.
            B::Count | B::SumOf | B::MinOf | B::MaxOf => self.fold_of(read_fold_op(word)?, word, first, span),
            // Words without brackets, what stands behind a dot, and what the checker adds.
            B::NeighbourPlayers
            | B::Paths
            | B::DirectionSet(_)
            | B::Seats
            | B::Players
            | B::Others
            | B::TeamOf
            | B::Team(_)
            | B::At
            | B::Holder
            | B::Host
            | B::OwnerOf
            | B::DieValue
            | B::Sides
            | B::Up
            | B::NameOf
            | B::KeyOf
            | B::RowNumber
            | B::ColumnNumber
            | B::InZone
            | B::Round
            | B::Turns
            | B::Turn
            | B::AsSet
            | B::Widened
            | B::LineSpaces
            | B::CostDistance
            | B::CostReachable
            | B::Held
            | B::Gather => return None,
        })
    }

    /// `faces(K)`, `roll(D)`: calls that take a kind.
    fn kind_form(&mut self, word: &str, args: &[ast::Arg], span: Span) -> Option<Expr> {
        let names: &[&str] = match word {
            "faces" => &["K"],
            "roll" => &["D"],
            _ => {
                let _ = self.report_not_played(span, &format!("`{word}`"));
                return None;
            }
        };
        let first = self.arrange_arguments(names, 1, args, span, word)?.first().copied().flatten()?;
        Some(match word {
            "faces" => match first.as_name().and_then(|n| self.find_kind(n)) {
                Some(k) if types::is_component(self.model(), k) => {
                    expr(types::set_of(Ty::Face(k)), span, ExprKind::Faces(k))
                }
                Some(_) => self.fail(
                    codes::WRONG_FORM,
                    first.span,
                    "only components have faces",
                    "write a kind of cards, tokens, pieces or dice; all things of another kind are its name alone",
                ),
                None => match first.as_name() {
                    Some(n) => {
                        let n = n.clone();
                        self.report_no_such_kind(&n)
                    }
                    None => {
                        self.fail(codes::WRONG_FORM, first.span, "`faces` needs a kind", "write `faces(Card)`")
                    }
                },
            },
            _ => {
                if let Mode::Pure(what) = self.mode {
                    return Some(self.fail(
                        codes::ACTS_IN_PURE,
                        span,
                        format!("{what} cannot roll: `roll` is only possible in rules, phases and actions"),
                        "roll in a rule, and hand the number on: `let n = roll(D)`",
                    ));
                }
                match first.as_name().and_then(|n| self.find_kind(n)) {
                    Some(k)
                        if matches!(
                            types::kind(self.model(), k).map(|k| &k.sort),
                            Some(KindSort::Component(ComponentSort::Die))
                        ) =>
                    {
                        let line = types::line_of(self.model(), k);
                        let sides =
                            |k: &KindId| types::kind(self.model(), *k).is_some_and(|k| !k.sides.is_empty());
                        if !line.iter().any(sides) {
                            return Some(self.fail(
                                codes::WRONG_FORM,
                                first.span,
                                "this kind of die has no faces of its own",
                                "write them in the kind, as in `die D { faces: 1..6 }`, or roll dice in play with the statement `roll …`",
                            ));
                        }
                        let ty = self.die_value_type(&[k]);
                        expr(ty, span, ExprKind::Roll(k))
                    }
                    _ => self.fail(
                        codes::WRONG_FORM,
                        first.span,
                        "`roll(…)` needs a kind of dice",
                        "write `roll(D)`; to roll dice in play, write the statement `roll d`",
                    ),
                }
            }
        })
    }
}

/// Whether a word is a built-in that is called.
fn is_called(word: &str) -> bool {
    builtins::called_words().any(|w| w == word)
}

fn element_or_self(t: &Ty) -> Ty {
    match t {
        Ty::Set(t) | Ty::List(t) => (**t).clone(),
        t => t.clone(),
    }
}
