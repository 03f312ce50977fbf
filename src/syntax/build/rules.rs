//! Values, rules, phases, menus, actions, attachments.
use super::{Builder, Kids, P};
use crate::ast::{
    ActionClause, ActionDecl, Around, Attach, AttachKind, Block, Head, HookDecl, Limit, Line, LinesDecl, May,
    MenuDecl, MenuPart, MenuPartKind, ModifyHow, Must, Needs, Once, Param, ParamKind, PhaseDecl, RoundDecl,
    RoundHow, RuleDecl, Type, ValueDecl, Way,
};
use crate::grammar::Rule;

impl Builder {
    pub(super) fn params(&mut self, pair: P<'_>) -> Option<Vec<Param>> {
        let mut params = Vec::new();
        for kid in Kids::of(pair).filter(|k| k.as_rule() == Rule::param) {
            params.push(self.param(kid)?);
        }
        Some(params)
    }

    fn params_opt(&mut self, kids: &mut Kids<'_>) -> Option<Option<Vec<Param>>> {
        Some(match kids.opt(Rule::params) {
            Some(params) => Some(self.params(params)?),
            None => None,
        })
    }

    fn param(&mut self, pair: P<'_>) -> Option<Param> {
        let span = self.span(&pair);
        let mut kids = Kids::of(pair);
        let name = self.name(kids.next()?);
        kids.opt(Rule::colon)?;
        let first = kids.next()?;
        let kind = if first.as_rule() == Rule::choice {
            let mut inner = Kids::of(first);
            let many = self.many(inner.next()?)?;
            ParamKind::Choice { many, from: self.expr(inner.last()?) }
        } else {
            let ty = self.ty(first)?;
            let of = self.inner_expr(&mut kids, Rule::type_of);
            ParamKind::Typed { ty, of, filter: self.inner_expr(&mut kids, Rule::type_where) }
        };
        Some(Param { name, kind, default: self.eq_expr(&mut kids), span })
    }

    fn gives(&mut self, kids: &mut Kids<'_>) -> Option<Option<Type>> {
        Some(match kids.opt(Rule::gives) {
            Some(gives) => Some(self.ty(Kids::of(gives).last()?)?),
            None => None,
        })
    }

    fn block_opt(&mut self, kids: &mut Kids<'_>) -> Option<Block> {
        kids.opt(Rule::block).map(|b| self.block(b))
    }

    /// A value or a heuristic.
    pub(super) fn value(&mut self, pair: P<'_>) -> Option<ValueDecl> {
        let span = self.span(&pair);
        let mut kids = Kids::of(pair);
        kids.next()?; // its word
        let name = self.name(kids.next()?);
        let params = self.params_opt(&mut kids)?;
        kids.opt(Rule::colon)?;
        let ty = self.ty(kids.next()?)?;
        Some(ValueDecl { name, params, ty, body: self.eq_expr(&mut kids), span })
    }

    pub(super) fn hook(&mut self, pair: P<'_>) -> Option<HookDecl> {
        let mut kids = Kids::of(pair);
        kids.opt(Rule::k_hook)?;
        let name = self.name(kids.next()?);
        let params = self.params(kids.next()?)?;
        kids.opt(Rule::colon)?;
        let ty = self.ty(kids.next()?)?;
        Some(HookDecl { name, params, ty, from: self.text(kids.last()?) })
    }

    pub(super) fn rule(&mut self, pair: P<'_>) -> Option<RuleDecl> {
        let span = self.span(&pair);
        let mut kids = Kids::of(pair);
        kids.opt(Rule::k_rule)?;
        let name = self.name(kids.next()?);
        let params = self.params(kids.next()?)?;
        let ty = self.gives(&mut kids)?;
        let by = self.inner_name(&mut kids, Rule::by_word);
        let pays = self.inner_name(&mut kids, Rule::pays);
        Some(RuleDecl { name, params, ty, by, pays, body: self.block_opt(&mut kids), span })
    }

    pub(super) fn phase(&mut self, pair: P<'_>) -> Option<PhaseDecl> {
        let mut kids = Kids::of(pair);
        kids.opt(Rule::k_phase)?;
        let name = self.name(kids.next()?);
        let params = self.params(kids.next()?)?;
        let ty = self.gives(&mut kids)?;
        let title = self.text_opt(&mut kids);
        Some(PhaseDecl { name, params, ty, title, body: self.block(kids.next()?) })
    }

    pub(super) fn round(&mut self, pair: P<'_>) -> Option<RoundDecl> {
        let mut kids = Kids::of(pair);
        kids.opt(Rule::k_round)?;
        let how = match kids.peek()? {
            Rule::k_once => {
                kids.next()?;
                RoundHow::Once
            }
            Rule::round_until => RoundHow::Until(self.inner_expr(&mut kids, Rule::round_until)?),
            Rule::round_times => {
                let times = kids.next()?;
                RoundHow::Times(self.expr(Kids::of(times).next()?))
            }
            _ => RoundHow::Always,
        };
        Some(RoundDecl { how, body: self.block(kids.next()?) })
    }

    /// A score or a ranking.
    pub(super) fn lines(&mut self, pair: P<'_>) -> Option<LinesDecl> {
        let mut kids = Kids::of(pair);
        kids.next()?; // its word
        let name = self.name(kids.next()?);
        let params = self.params(kids.next()?)?;
        let mut lines = Vec::new();
        for kid in Kids::of(kids.next()?) {
            let span = self.span(&kid);
            match kid.as_rule() {
                Rule::bad_row => self.mark_bad(&kid, Rule::only_line),
                Rule::score_line => {
                    let mut kids = Kids::of(kid);
                    let name = self.name(kids.next()?);
                    let title = self.text(kids.next()?);
                    lines.push(Line { name, title, value: self.expr(kids.last()?), span });
                }
                _ => {}
            }
        }
        Some(LinesDecl { name, params, lines })
    }

    pub(super) fn action(&mut self, pair: P<'_>) -> Option<ActionDecl> {
        let span = self.span(&pair);
        let mut kids = Kids::of(pair);
        kids.opt(Rule::k_action)?;
        let name = self.name(kids.next()?);
        let params = self.params(kids.next()?)?;
        kids.opt(Rule::k_in)?;
        let (mut menus, mut clauses, mut body) = (Vec::new(), Vec::new(), None);
        for kid in kids {
            match kid.as_rule() {
                Rule::word => menus.push(self.name(kid)),
                Rule::comma => {}
                Rule::costs => clauses.push(ActionClause::Cost(self.expr(Kids::of(kid).last()?))),
                Rule::when => clauses.push(ActionClause::When(self.expr(Kids::of(kid).last()?))),
                Rule::once => clauses.push(ActionClause::Once(self.once(kid))),
                Rule::block => body = Some(self.block(kid)),
                _ => return None,
            }
        }
        Some(ActionDecl { name, params, menus, clauses, body, span })
    }

    fn once(&mut self, pair: P<'_>) -> Once {
        let span = self.span(&pair);
        let mut kids = Kids::of(pair);
        kids.opt(Rule::k_once);
        Once { per: self.inner_name(&mut kids, Rule::per), span }
    }

    pub(super) fn menu(&mut self, pair: P<'_>) -> Option<MenuDecl> {
        let mut kids = Kids::of(pair);
        kids.opt(Rule::k_menu)?;
        let name = self.name(kids.next()?);
        let params = self.params_opt(&mut kids)?;
        let parts = kids
            .next()
            .map(|body| self.entries(body, |b, doc, kid| Some(b.menu_part(doc, kid))))
            .unwrap_or_default();
        Some(MenuDecl { name, params, parts })
    }

    fn menu_part(&mut self, doc: Option<crate::ast::Doc>, pair: P<'_>) -> MenuPart {
        let span = self.span(&pair);
        let kind = match Kids::of(pair).next() {
            Some(kid) if kid.as_rule() == Rule::bad_part => {
                self.mark_bad(&kid, Rule::only_menu_part);
                MenuPartKind::Bad
            }
            Some(kid) => self.or_mismatch(span, |b| b.menu_part_kind(kid)).unwrap_or(MenuPartKind::Bad),
            None => MenuPartKind::Bad,
        };
        MenuPart { doc, kind, span }
    }

    fn menu_part_kind(&mut self, pair: P<'_>) -> Option<MenuPartKind> {
        let rule = pair.as_rule();
        Some(match rule {
            Rule::done | Rule::pass => {
                let mut kids = Kids::of(pair);
                kids.next()?; // its word
                let title = self.text_opt(&mut kids);
                let when = self.when(&mut kids);
                let way = Way { title, when, reason: self.reason(&mut kids) };
                if rule == Rule::done { MenuPartKind::Done(way) } else { MenuPartKind::Pass(way) }
            }
            Rule::open => {
                let mut kids = Kids::of(pair);
                kids.opt(Rule::k_open)?;
                let when = self.when(&mut kids)?;
                MenuPartKind::Open { when, reason: self.reason(&mut kids) }
            }
            Rule::costs => MenuPartKind::Cost(self.expr(Kids::of(pair).last()?)),
            Rule::clock => {
                let mut all = Vec::new();
                for kid in Kids::of(pair).filter(|k| k.as_rule() == Rule::clock_for) {
                    let mut kids = Kids::of(kid);
                    let most = self.expr(kids.next()?);
                    let seconds = kids.next()?.as_rule() == Rule::k_seconds;
                    all.push((
                        most,
                        if seconds { crate::ast::ClockUnit::Seconds } else { crate::ast::ClockUnit::Choices },
                    ));
                }
                MenuPartKind::Clock(all)
            }
            Rule::no_dead_ends => {
                let mut kids = Kids::of(pair);
                while kids
                    .opt(Rule::k_no)
                    .or_else(|| kids.opt(Rule::k_dead))
                    .or_else(|| kids.opt(Rule::k_ends))
                    .is_some()
                {}
                MenuPartKind::NoDeadEnds(self.reason(&mut kids))
            }
            Rule::must => MenuPartKind::Must(self.must(pair)?),
            Rule::ending_of => MenuPartKind::Ending(self.ending(pair)?),
            Rule::has => MenuPartKind::Has(self.has(pair)?),
            Rule::needs => MenuPartKind::Needs(self.needs(pair)?),
            _ => return None,
        })
    }

    pub(super) fn must(&mut self, pair: P<'_>) -> Option<Must> {
        let mut kids = Kids::of(pair);
        kids.opt(Rule::k_must)?;
        Some(match kids.next()?.as_rule() {
            Rule::k_leave => {
                let cond = self.expr(kids.next()?);
                Must::Leave(Needs { cond, reason: self.reason(&mut kids) })
            }
            which => {
                let rest: Vec<P<'_>> = kids.collect();
                let told = rest.iter().find(|k| k.as_rule() == Rule::reason).cloned();
                let reason = told.and_then(|r| Kids::of(r).last()).map(|t| self.text(t));
                let all =
                    rest.into_iter().filter(|k| k.as_rule() == Rule::expr).map(|k| self.expr(k)).collect();
                if which == Rule::k_minimise {
                    Must::Minimise(all, reason)
                } else {
                    Must::Maximise(all, reason)
                }
            }
        })
    }

    pub(super) fn attach(&mut self, pair: P<'_>) -> Option<Attach> {
        let span = self.span(&pair);
        let inner = Kids::of(pair).next()?;
        let rule = inner.as_rule();
        let mut kids = Kids::of(inner);
        let side = kids.next()?.as_rule();
        kids.opt(Rule::k_of);
        let heads = self.heads(kids.next()?)?;
        let mut limits = Vec::new();
        let kind = match rule {
            Rule::modify => {
                let sign = kids.next()?;
                let how = if sign.as_rule() == Rule::k_at {
                    match kids.next()?.as_rule() {
                        Rule::k_most => ModifyHow::AtMost,
                        _ => ModifyHow::AtLeast,
                    }
                } else {
                    match sign.as_str().trim_end() {
                        "+=" => ModifyHow::Add,
                        "-=" => ModifyHow::Sub,
                        _ => ModifyHow::Set,
                    }
                };
                let by = self.expr(kids.next()?);
                self.limits(&mut kids, &mut limits)?;
                AttachKind::Modify(how, by)
            }
            Rule::around => {
                let when = match side {
                    Rule::k_before => Around::Before,
                    Rule::k_after => Around::After,
                    _ => Around::Instead,
                };
                self.limits(&mut kids, &mut limits)?;
                let may = kids.opt(Rule::may).map(|m| self.may(m));
                AttachKind::Around { when, may, body: self.block(kids.next()?) }
            }
            _ => {
                self.limits(&mut kids, &mut limits)?;
                AttachKind::Forbid(self.reason(&mut kids))
            }
        };
        Some(Attach { kind, heads, limits, span })
    }

    fn heads(&mut self, pair: P<'_>) -> Option<Vec<Head>> {
        let mut heads = Vec::new();
        for kid in Kids::of(pair).filter(|k| k.as_rule() == Rule::head) {
            let span = self.span(&kid);
            let mut pats = None;
            let mut path = Vec::new();
            for kid in Kids::of(kid) {
                match kid.as_rule() {
                    Rule::word => path.push(self.name(kid)),
                    Rule::pats => pats = Some(self.exprs(Kids::of(kid))),
                    _ => {}
                }
            }
            heads.push(Head { path, pats, span });
        }
        Some(heads)
    }

    fn limits(&mut self, kids: &mut Kids<'_>, limits: &mut Vec<Limit>) -> Option<()> {
        while let Some(limit) = kids.opt(Rule::limit) {
            let kid = Kids::of(limit).next()?;
            limits.push(match kid.as_rule() {
                Rule::limit_by => Limit::By(self.expr(Kids::of(kid).last()?)),
                Rule::limit_during => Limit::During(self.words(Kids::of(kid))),
                Rule::when => Limit::When(self.expr(Kids::of(kid).last()?)),
                _ => Limit::Once(self.once(kid)),
            });
        }
        Some(())
    }

    pub(super) fn may(&mut self, pair: P<'_>) -> May {
        let span = self.span(&pair);
        let mut kids = Kids::of(pair);
        kids.opt(Rule::k_may);
        let by = self.by_post(&mut kids);
        May { by, prompt: self.text_opt(&mut kids), span }
    }
}
