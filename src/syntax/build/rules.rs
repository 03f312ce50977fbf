//! Builds values, rules, phases, menus, actions and attachments from pairs.
use super::{Builder, Kids, P};
use crate::ast::{
    ActionClause, ActionDecl, Around, Attach, AttachKind, Block, Cost, Head, HookDecl, Limit, Line,
    LinesDecl, May, MenuDecl, MenuPart, MenuPartKind, ModifyHow, Must, Needs, Once, Param, ParamKind,
    PhaseDecl, RoundDecl, RoundHow, RuleDecl, Type, ValueDecl, Way,
};
use crate::grammar::Rule;

impl Builder {
    pub(super) fn build_params(&mut self, pair: P<'_>) -> Option<Vec<Param>> {
        let mut params = Vec::new();
        for kid in Kids::from_pair(pair).filter(|k| k.as_rule() == Rule::param) {
            params.push(self.build_param(kid)?);
        }
        Some(params)
    }

    fn build_params_opt(&mut self, kids: &mut Kids<'_>) -> Option<Option<Vec<Param>>> {
        Some(match kids.next_if(Rule::params) {
            Some(params) => Some(self.build_params(params)?),
            None => None,
        })
    }

    fn build_param(&mut self, pair: P<'_>) -> Option<Param> {
        let span = self.span_of(&pair);
        let mut kids = Kids::from_pair(pair);
        let name = self.build_name(kids.next()?);
        kids.next_if(Rule::colon)?;
        let first = kids.next()?;
        let kind = if first.as_rule() == Rule::choice {
            let mut inner = Kids::from_pair(first);
            let many = self.build_many(inner.next()?)?;
            ParamKind::Choice { many, from: self.build_expr(inner.last()?) }
        } else {
            let ty = self.build_ty(first)?;
            let of = self.build_inner_expr(&mut kids, Rule::type_of);
            ParamKind::Typed { ty, of, filter: self.build_inner_expr(&mut kids, Rule::type_where) }
        };
        Some(Param { name, kind, default: self.build_eq_expr(&mut kids), span })
    }

    fn build_gives(&mut self, kids: &mut Kids<'_>) -> Option<Option<Type>> {
        Some(match kids.next_if(Rule::gives) {
            Some(gives) => Some(self.build_ty(Kids::from_pair(gives).last()?)?),
            None => None,
        })
    }

    fn build_block_opt(&mut self, kids: &mut Kids<'_>) -> Option<Block> {
        kids.next_if(Rule::block).map(|b| self.build_block(b))
    }

    /// A value or a heuristic.
    pub(super) fn build_value(&mut self, pair: P<'_>) -> Option<ValueDecl> {
        let span = self.span_of(&pair);
        let mut kids = Kids::from_pair(pair);
        kids.next()?; // its word
        let name = self.build_name(kids.next()?);
        let params = self.build_params_opt(&mut kids)?;
        kids.next_if(Rule::colon)?;
        let ty = self.build_ty(kids.next()?)?;
        Some(ValueDecl { name, params, ty, body: self.build_eq_expr(&mut kids), span })
    }

    pub(super) fn build_hook(&mut self, pair: P<'_>) -> Option<HookDecl> {
        let mut kids = Kids::from_pair(pair);
        kids.next_if(Rule::k_hook)?;
        let name = self.build_name(kids.next()?);
        let params = self.build_params(kids.next()?)?;
        kids.next_if(Rule::colon)?;
        let ty = self.build_ty(kids.next()?)?;
        Some(HookDecl { name, params, ty, from: self.build_text(kids.last()?) })
    }

    pub(super) fn build_rule(&mut self, pair: P<'_>) -> Option<RuleDecl> {
        let span = self.span_of(&pair);
        let mut kids = Kids::from_pair(pair);
        kids.next_if(Rule::k_rule)?;
        let name = self.build_name(kids.next()?);
        let params = self.build_params(kids.next()?)?;
        let ty = self.build_gives(&mut kids)?;
        let by = self.build_inner_name(&mut kids, Rule::by_word);
        let pays = self.build_inner_name(&mut kids, Rule::pays);
        Some(RuleDecl { name, params, ty, by, pays, body: self.build_block_opt(&mut kids), span })
    }

    pub(super) fn build_phase(&mut self, pair: P<'_>) -> Option<PhaseDecl> {
        let mut kids = Kids::from_pair(pair);
        kids.next_if(Rule::k_phase)?;
        let name = self.build_name(kids.next()?);
        let params = self.build_params(kids.next()?)?;
        let ty = self.build_gives(&mut kids)?;
        let title = self.build_text_opt(&mut kids);
        Some(PhaseDecl { name, params, ty, title, body: self.build_block(kids.next()?) })
    }

    pub(super) fn build_round(&mut self, pair: P<'_>) -> Option<RoundDecl> {
        let mut kids = Kids::from_pair(pair);
        kids.next_if(Rule::k_round)?;
        let how = match kids.peek()? {
            Rule::k_once => {
                kids.next()?;
                RoundHow::Once
            }
            Rule::round_until => RoundHow::Until(self.build_inner_expr(&mut kids, Rule::round_until)?),
            Rule::round_times => {
                let times = kids.next()?;
                RoundHow::Times(self.build_expr(Kids::from_pair(times).next()?))
            }
            _ => RoundHow::Always,
        };
        Some(RoundDecl { how, body: self.build_block(kids.next()?) })
    }

    /// A score or a ranking.
    pub(super) fn build_lines(&mut self, pair: P<'_>) -> Option<LinesDecl> {
        let mut kids = Kids::from_pair(pair);
        kids.next()?; // its word
        let name = self.build_name(kids.next()?);
        let params = self.build_params(kids.next()?)?;
        let mut lines = Vec::new();
        for kid in Kids::from_pair(kids.next()?) {
            let span = self.span_of(&kid);
            match kid.as_rule() {
                Rule::bad_row => self.mark_bad(&kid, Rule::only_line),
                Rule::score_line => {
                    let mut kids = Kids::from_pair(kid);
                    let name = self.build_name(kids.next()?);
                    let title = self.build_text(kids.next()?);
                    lines.push(Line { name, title, value: self.build_expr(kids.last()?), span });
                }
                _ => {}
            }
        }
        Some(LinesDecl { name, params, lines })
    }

    pub(super) fn build_action(&mut self, pair: P<'_>) -> Option<ActionDecl> {
        let span = self.span_of(&pair);
        let mut kids = Kids::from_pair(pair);
        kids.next_if(Rule::k_action)?;
        let name = self.build_name(kids.next()?);
        let params = self.build_params(kids.next()?)?;
        let title = self.build_text_opt(&mut kids);
        kids.next_if(Rule::k_in)?;
        let (mut menus, mut clauses, mut body) = (Vec::new(), Vec::new(), None);
        for kid in kids {
            match kid.as_rule() {
                Rule::word => menus.push(self.build_name(kid)),
                Rule::comma => {}
                Rule::costs => clauses.push(ActionClause::Cost(self.build_costs(kid)?)),
                Rule::when => clauses.push(ActionClause::When(self.build_expr(Kids::from_pair(kid).last()?))),
                Rule::once => clauses.push(ActionClause::Once(self.build_once(kid))),
                Rule::block => body = Some(self.build_block(kid)),
                _ => return None,
            }
        }
        Some(ActionDecl { name, params, title, menus, clauses, body, span })
    }

    fn build_costs(&mut self, pair: P<'_>) -> Option<Cost> {
        let mut kids = Kids::from_pair(pair);
        kids.next_if(Rule::k_cost)?;
        self.build_cost(kids)
    }

    fn build_once(&mut self, pair: P<'_>) -> Once {
        let span = self.span_of(&pair);
        let mut kids = Kids::from_pair(pair);
        kids.next_if(Rule::k_once);
        Once { per: self.build_inner_name(&mut kids, Rule::per), span }
    }

    pub(super) fn build_menu(&mut self, pair: P<'_>) -> Option<MenuDecl> {
        let mut kids = Kids::from_pair(pair);
        kids.next_if(Rule::k_menu)?;
        let name = self.build_name(kids.next()?);
        let params = self.build_params_opt(&mut kids)?;
        let title = self.build_text_opt(&mut kids);
        let parts = kids
            .next()
            .map(|body| self.build_entries(body, |b, doc, kid| Some(b.build_menu_part(doc, kid))))
            .unwrap_or_default();
        Some(MenuDecl { name, params, title, parts })
    }

    fn build_menu_part(&mut self, doc: Option<crate::ast::Doc>, pair: P<'_>) -> MenuPart {
        let span = self.span_of(&pair);
        let kind = match Kids::from_pair(pair).next() {
            Some(kid) if kid.as_rule() == Rule::bad_part => {
                self.mark_bad(&kid, Rule::only_menu_part);
                MenuPartKind::Bad
            }
            Some(kid) => {
                self.build_or_report(span, |b| b.build_menu_part_kind(kid)).unwrap_or(MenuPartKind::Bad)
            }
            None => MenuPartKind::Bad,
        };
        MenuPart { doc, kind, span }
    }

    fn build_menu_part_kind(&mut self, pair: P<'_>) -> Option<MenuPartKind> {
        let rule = pair.as_rule();
        Some(match rule {
            Rule::done | Rule::pass => {
                let mut kids = Kids::from_pair(pair);
                kids.next()?; // its word
                let title = self.build_text_opt(&mut kids);
                let when = self.build_when(&mut kids);
                let way = Way { title, when, reason: self.build_reason(&mut kids) };
                if rule == Rule::done { MenuPartKind::Done(way) } else { MenuPartKind::Pass(way) }
            }
            Rule::open => {
                let mut kids = Kids::from_pair(pair);
                kids.next_if(Rule::k_open)?;
                let when = self.build_when(&mut kids)?;
                MenuPartKind::Open { when, reason: self.build_reason(&mut kids) }
            }
            Rule::costs => MenuPartKind::Cost(self.build_costs(pair)?),
            Rule::clock => {
                let mut all = Vec::new();
                for kid in Kids::from_pair(pair).filter(|k| k.as_rule() == Rule::clock_for) {
                    let mut kids = Kids::from_pair(kid);
                    let most = self.build_expr(kids.next()?);
                    let seconds = kids.next()?.as_rule() == Rule::k_seconds;
                    all.push((
                        most,
                        if seconds { crate::ast::ClockUnit::Seconds } else { crate::ast::ClockUnit::Choices },
                    ));
                }
                MenuPartKind::Clock(all)
            }
            Rule::no_dead_ends => {
                let mut kids = Kids::from_pair(pair);
                while kids
                    .next_if(Rule::k_no)
                    .or_else(|| kids.next_if(Rule::k_dead))
                    .or_else(|| kids.next_if(Rule::k_ends))
                    .is_some()
                {}
                MenuPartKind::NoDeadEnds(self.build_reason(&mut kids))
            }
            Rule::must => MenuPartKind::Must(self.build_must(pair)?),
            Rule::ending_of => MenuPartKind::Ending(self.build_ending(pair)?),
            Rule::has => MenuPartKind::Has(self.build_has(pair)?),
            Rule::needs => MenuPartKind::Needs(self.build_needs(pair)?),
            _ => return None,
        })
    }

    pub(super) fn build_must(&mut self, pair: P<'_>) -> Option<Must> {
        let mut kids = Kids::from_pair(pair);
        kids.next_if(Rule::k_must)?;
        Some(match kids.next()?.as_rule() {
            Rule::k_leave => {
                let cond = self.build_expr(kids.next()?);
                Must::Leave(Needs { cond, reason: self.build_reason(&mut kids) })
            }
            which => {
                let rest: Vec<P<'_>> = kids.collect();
                let told = rest.iter().find(|k| k.as_rule() == Rule::reason).cloned();
                let reason = told.and_then(|r| Kids::from_pair(r).last()).map(|t| self.build_text(t));
                let all = rest
                    .into_iter()
                    .filter(|k| k.as_rule() == Rule::expr)
                    .map(|k| self.build_expr(k))
                    .collect();
                if which == Rule::k_minimise {
                    Must::Minimise(all, reason)
                } else {
                    Must::Maximise(all, reason)
                }
            }
        })
    }

    pub(super) fn build_attach(&mut self, pair: P<'_>) -> Option<Attach> {
        let span = self.span_of(&pair);
        let inner = Kids::from_pair(pair).next()?;
        let rule = inner.as_rule();
        let mut kids = Kids::from_pair(inner);
        let side = kids.next()?.as_rule();
        kids.next_if(Rule::k_of);
        let heads = self.build_heads(kids.next()?)?;
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
                let by = self.build_expr(kids.next()?);
                self.build_limits(&mut kids, &mut limits)?;
                AttachKind::Modify(how, by)
            }
            Rule::around => {
                let when = match side {
                    Rule::k_before => Around::Before,
                    Rule::k_after => Around::After,
                    _ => Around::Instead,
                };
                self.build_limits(&mut kids, &mut limits)?;
                let may = kids.next_if(Rule::may).map(|m| self.build_may(m));
                AttachKind::Around { when, may, body: self.build_block(kids.next()?) }
            }
            _ => {
                self.build_limits(&mut kids, &mut limits)?;
                AttachKind::Forbid(self.build_reason(&mut kids))
            }
        };
        Some(Attach { kind, heads, limits, span })
    }

    fn build_heads(&mut self, pair: P<'_>) -> Option<Vec<Head>> {
        let mut heads = Vec::new();
        for kid in Kids::from_pair(pair).filter(|k| k.as_rule() == Rule::head) {
            let span = self.span_of(&kid);
            let mut pats = None;
            let mut path = Vec::new();
            for kid in Kids::from_pair(kid) {
                match kid.as_rule() {
                    Rule::word => path.push(self.build_name(kid)),
                    Rule::pats => pats = Some(self.build_exprs(Kids::from_pair(kid))),
                    _ => {}
                }
            }
            heads.push(Head { path, pats, span });
        }
        Some(heads)
    }

    fn build_limits(&mut self, kids: &mut Kids<'_>, limits: &mut Vec<Limit>) -> Option<()> {
        while let Some(limit) = kids.next_if(Rule::limit) {
            let kid = Kids::from_pair(limit).next()?;
            limits.push(match kid.as_rule() {
                Rule::limit_by => Limit::By(self.build_expr(Kids::from_pair(kid).last()?)),
                Rule::limit_during => Limit::During(self.build_words(Kids::from_pair(kid))),
                Rule::when => Limit::When(self.build_expr(Kids::from_pair(kid).last()?)),
                _ => Limit::Once(self.build_once(kid)),
            });
        }
        Some(())
    }

    pub(super) fn build_may(&mut self, pair: P<'_>) -> May {
        let span = self.span_of(&pair);
        let mut kids = Kids::from_pair(pair);
        kids.next_if(Rule::k_may);
        let by = self.build_by_post(&mut kids);
        May { by, prompt: self.build_text_opt(&mut kids), span }
    }
}
