//! Registers values, rules, phases, actions and hooks: their names and parameters. Their bodies are read later.
use super::types::Waiting;
use super::{Declarer, Job, RENAME};
use crate::hir::*;
use crate::{body, codes};
use houserule_syntax::ast;
use houserule_text::{Diagnostic, Span};
use std::sync::Arc;

impl<'t> Declarer<'t> {
    /// The local that `this` is in values and rules of a kind.
    fn this_local(of: Option<KindId>, span: Span) -> Vec<Local> {
        of.map(|k| Local { name: "this".into(), ty: Ty::Of(k), span }).into_iter().collect()
    }

    pub(super) fn declare_value(
        &mut self,
        v: &'t ast::ValueDecl,
        of: Option<KindId>,
        role: ValueRole,
        scope: ScopeId,
        doc: Option<Arc<str>>,
    ) {
        if of.is_some() {
            self.check_once_in(of, &v.name);
        }
        let id = ValueId(self.model.values.len() as u32);
        self.model.values.push(Value {
            name: v.name.text.as_str().into(),
            of,
            body: Body { locals: Self::this_local(of, v.name.span), params: 0, body: None },
            ty: Ty::Error,
            role,
            span: v.name.span,
            doc,
            scope,
        });
        self.typed.push(Waiting::Value(id, v.params.iter().flatten().collect(), &v.ty));
        match &v.body {
            Some(_) => self.jobs.push(Job::Value(id, v)),
            None => self.check_slot(of, v.name.span),
        }
    }

    /// Declares what a phase remembers while it runs, `has x: T = e` at the beginning of its block, and its zones, `has zone z: K`.
    pub(super) fn declare_phase_state(&mut self, phase: RuleId, body: &'t ast::Block, scope: ScopeId) {
        for s in &body.stmts {
            let ast::StmtKind::Has(has) = &s.kind else { continue };
            let name = match has {
                ast::Has::Attr(a) => &a.name,
                ast::Has::Zone(z) => &z.name,
            };
            let of = Some(HasOf::Phase(phase));
            let attrs = self.model.attrs.iter().filter(|x| x.has_of == of).map(|x| (&x.name, x.span));
            let zones = self.model.zones_of_phase(phase).map(|(_, z)| (&z.name, z.span));
            if let Some((_, first)) = attrs.chain(zones).find(|(n, _)| ***n == *name.text) {
                let message = format!("`{}` is declared twice", name.text);
                let d = Diagnostic::error(codes::TWICE, name.span, message);
                self.report.push(d.also(first, "first declared here").help(RENAME));
                continue;
            }
            let a = match has {
                ast::Has::Attr(a) => a,
                ast::Has::Zone(z) => {
                    self.add_zone(z, None, Some(phase), scope, None);
                    continue;
                }
            };
            let id = AttrId(self.model.attrs.len() as u32);
            self.model.attrs.push(Attr {
                name: a.name.text.as_str().into(),
                of: None,
                ty: Ty::Error,
                default: None,
                clamped: a.clamped,
                per: None,
                side: AttrSide::Front,
                assigned: true,
                drawn: false,
                has_of: of,
                parts: Vec::new(),
                is_part: false,
                span: a.name.span,
                doc: None,
                scope,
            });
            self.typed.push(Waiting::Attr(id, &a.ty));
            self.model.rules[phase.index()].has.push(id);
        }
    }

    pub(super) fn declare_rule(
        &mut self,
        r: &'t ast::RuleDecl,
        of: Option<KindId>,
        scope: ScopeId,
        doc: Option<Arc<str>>,
    ) {
        if of.is_some() {
            self.check_once_in(of, &r.name);
        }
        let id = RuleId(self.model.rules.len() as u32);
        self.paying.extend(r.pays.iter().map(|p| (id, p)));
        self.model.rules.push(Rule {
            name: r.name.text.as_str().into(),
            title: None,
            of,
            phase: false,
            body: Body { locals: Self::this_local(of, r.name.span), params: 0, body: None },
            me: LocalId(0),
            gives: Ty::Nothing,
            has: Vec::new(),
            pays: None,
            span: r.name.span,
            doc,
            scope,
        });
        self.typed.push(Waiting::Rule(id, &r.params, r.ty.as_ref(), r.by.as_ref()));
        match &r.body {
            Some(b) => self.jobs.push(Job::Rule(id, b)),
            None => self.check_slot(of, r.name.span),
        }
    }

    /// The block of a zone's `refill` is a rule of its own: of the zone's holder, with the zone's index.
    pub(super) fn declare_refill(
        &mut self,
        z: ZoneId,
        d: &'t ast::ZoneDecl,
        b: &'t ast::Block,
        of: Option<KindId>,
    ) {
        let id = RuleId(self.model.rules.len() as u32);
        self.model.rules.push(Rule {
            name: format!("refill of {}", d.name.text).into(),
            title: None,
            of,
            phase: false,
            body: Body { locals: Self::this_local(of, b.span), params: 0, body: None },
            me: LocalId(0),
            gives: Ty::Nothing,
            has: Vec::new(),
            pays: None,
            span: d.name.span,
            doc: None,
            scope: self.model.zones[z.index()].scope,
        });
        self.model.zones[z.index()].refill = Some(id);
        self.typed.push(Waiting::Refill(id, d.index.as_ref()));
        self.jobs.push(Job::Refill(id, b));
    }

    /// A value or rule without a body: only members of components fill it.
    fn check_slot(&mut self, of: Option<KindId>, span: Span) {
        if of.is_some_and(|k| !self.is_component(k)) {
            self.report_not_played(span, "slots of players and spaces");
        }
    }

    pub fn declare_action(
        &mut self,
        a: &'t ast::ActionDecl,
        carrier: Option<Carrier>,
        scope: ScopeId,
        doc: Option<Arc<str>>,
    ) {
        let id = ActionId(self.model.actions.len() as u32);
        let kind = match &carrier {
            Some(Carrier::Kind(k)) => Some(*k),
            Some(Carrier::Member(id)) => self.model.members.get(id.index()).map(|m| m.kind),
            None => None,
        };
        if kind.is_some_and(|k| !body::types::is_component(&self.model, k)) {
            self.report_not_played(a.name.span, "actions of spaces and players");
        }
        self.model.actions.push(Action {
            name: a.name.text.as_str().into(),
            title: to_sentence_start(&a.name.text).into(),
            said: Vec::new(),
            has_title: a.title.is_some(),
            menus: Vec::new(),
            carrier,
            locals: Vec::new(),
            me: LocalId(0),
            params: Vec::new(),
            head: Vec::new(),
            costs: Vec::new(),
            when: None,
            once: None,
            body: Vec::new(),
            span: a.name.span,
            doc,
            scope,
        });
        self.jobs.push(Job::Action(id, a));
    }

    pub(super) fn declare_hook(&mut self, h: &'t ast::HookDecl, scope: ScopeId) {
        self.check_once("value", &h.name);
        let file = self.read_plain_text(&h.from);
        let beside = self.files.get(h.name.span.file).map_or("", |f| f.name.as_str());
        let script = self.source.read(beside, &file);
        if script.is_none() {
            self.report.push(
                Diagnostic::error(
                    codes::NO_SCRIPT,
                    h.from.span,
                    format!("the script `{file}` was not found"),
                )
                .help("put it into the folder of this file, or into the folder `hooks` there"),
            );
        }
        let id = HookId(self.model.hooks.len() as u32);
        self.model.hooks.push(HookDecl {
            name: h.name.text.as_str().into(),
            params: Vec::new(),
            ty: Ty::Error,
            file,
            script: script.unwrap_or_default().into(),
            span: h.name.span,
            scope,
        });
        self.typed.push(Waiting::Hook(id, &h.params, &h.ty));
    }
}

/// A name of the rules as a sentence begins: `place_marker` is "Place marker".
fn to_sentence_start(name: &str) -> String {
    let words = name.replace('_', " ");
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
