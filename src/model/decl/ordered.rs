//! `order by p` of the header: who chooses the order in which things act after a rule, and the rules that are called in place of those after which things act.
//! What these do is written when everything has been read ([`crate::body::ordering`]).
use super::bodies::{Apply, Reader, close_body};
use super::{Declarer, Job};
use crate::body::cx::{Me, Mode};
use crate::body::index::Index;
use crate::body::{build, types};
use crate::hir::*;
use houserule_syntax::ast;
use houserule_text::Report;

/// What is attached by a member or a kind.
fn carried<'j>(j: &'j Job<'_>) -> Option<&'j ast::Attach> {
    match j {
        Job::Attach(Some(_), a, _) => Some(a),
        _ => None,
    }
}

impl Declarer<'_> {
    /// Declares the rule that is called in place of each rule after which things act.
    pub(super) fn declare_ordered(&mut self, jobs: &[Job<'_>]) {
        if !jobs.iter().any(|j| matches!(j, Job::OrderBy(_))) {
            return;
        }
        let after =
            |a: &&ast::Attach| matches!(a.kind, ast::AttachKind::Around { when: ast::Around::After, .. });
        let heads = jobs.iter().filter_map(carried).filter(after).flat_map(|a| &a.heads);
        let words: Vec<&str> = heads.filter_map(|h| h.path.last()).map(|n| n.text.as_str()).collect();
        for i in 0..self.model.rules.len() {
            let Some(rule) = self.model.rules.get(i).filter(|r| words.contains(&&*r.name)) else { continue };
            let mut locals: Vec<Local> = rule.body.locals.iter().take(rule.body.params).cloned().collect();
            let params = locals.len();
            locals.push(Local { name: "me".into(), ty: types::player(), span: rule.span });
            // No two rules have one place.
            let span = build::beginning(rule.span);
            let called = Rule {
                title: None,
                of: None,
                phase: false,
                body: Body { locals, params, body: None },
                me: LocalId(params as u32),
                has: Vec::new(),
                pays: None,
                span,
                ..rule.clone()
            };
            self.model.ordered.push((RuleId(i as u32), RuleId(self.model.rules.len() as u32)));
            self.model.rules.push(called);
        }
    }
}

impl Reader<'_> {
    /// Reads `order by p`: a value that no rule can name.
    pub(super) fn read_order(&self, ix: &Index<'_>, out: &mut Report, e: &ast::Expr) -> Option<Apply> {
        let mut cx = self.new_cx(ix, out, Mode::Pure("the header"));
        cx.me = Me::Nobody("nobody acts in the header; `turn` is the player whose turn it is");
        let e = cx.read_as(e, &types::maybe(types::player()), "who chooses the order");
        let (span, ty) = (build::beginning(e.span), e.ty.clone());
        let body = close_body(cx, 0, Some(e));
        Some(Box::new(move |m| {
            m.order = Some(ValueId(m.values.len() as u32));
            let (name, role, scope) = ("order by".into(), ValueRole::Out, ScopeId(0));
            m.values.push(Value { name, of: None, body, ty, role, span, doc: None, scope });
        }))
    }
}
