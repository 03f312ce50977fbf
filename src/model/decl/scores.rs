//! Declares scores and rankings: named lines for each player or team, which variants and scenarios may replace.
use super::Job;
use super::types::Waiting;
use super::{Declarer, RENAME, codes};
use crate::body::{build, types};
use crate::hir::*;
use crate::uses::Def;
use houserule_syntax::ast;
use houserule_text::{Diagnostic, Span};
use std::sync::Arc;

impl<'t> Declarer<'t> {
    /// `team(p)`: built in, and a value that rules modify.
    pub fn declare_teams(&mut self) {
        let span = Span::default();
        self.model.values.push(Value {
            name: "team".into(),
            of: None,
            body: Body {
                locals: vec![Local { name: "p".into(), ty: types::player(), span }],
                params: 1,
                body: None,
            },
            ty: Ty::Of(builtin_kinds::TEAM),
            role: ValueRole::Team,
            span,
            doc: None,
            scope: ScopeId(0),
        });
    }

    /// `score n(p: player) { … }`, `ranking n(t: team) { … }`.
    pub fn declare_lines(
        &mut self,
        d: &'t ast::LinesDecl,
        ranking: bool,
        scope: ScopeId,
        doc: Option<Arc<str>>,
    ) {
        let same = |v: &Value| {
            let sort = match v.role {
                ValueRole::Score(_) => !ranking,
                ValueRole::Ranking(_) => ranking,
                _ => false,
            };
            sort && *v.name == *d.name.text
        };
        let of = match self.model.values.iter().position(same) {
            Some(i) => {
                self.notes.note(d.name.span, Def::Value(ValueId(i as u32)));
                // Said in two places, it is there whatever is in force.
                let value = &mut self.model.values[i];
                if value.scope != scope {
                    value.scope = ScopeId(0);
                }
                ValueId(i as u32)
            }
            None => {
                self.check_once("value", &d.name);
                let id = ValueId(self.model.values.len() as u32);
                let (role, ty, body) = match ranking {
                    true => (ValueRole::Ranking(Vec::new()), Ty::Nothing, None),
                    false => (ValueRole::Score(Vec::new()), types::WIDE, Some(build::int(0, d.name.span))),
                };
                self.model.values.push(Value {
                    name: d.name.text.as_str().into(),
                    of: None,
                    body: Body { locals: Vec::new(), params: 0, body },
                    ty,
                    role,
                    span: d.name.span,
                    doc,
                    scope,
                });
                self.typed.push(Waiting::Lines(id, d));
                id
            }
        };
        for line in &d.lines {
            let whole = format!("{}.{}", d.name.text, line.name.text);
            if let Some(at) = self.seen.insert(("line", whole.clone()), line.name.span) {
                let d = Diagnostic::error(
                    codes::TWICE,
                    line.name.span,
                    format!("`{}` already has a line `{}`", d.name.text, line.name.text),
                );
                self.report.push(d.also(at, "first declared here").help(RENAME));
            }
            let id = ValueId(self.model.values.len() as u32);
            let title = Text::plain(self.read_plain_text(&line.title), line.title.span);
            self.model.values.push(Value {
                name: whole.into(),
                of: None,
                body: Body { locals: Vec::new(), params: 0, body: None },
                ty: types::WIDE,
                role: ValueRole::Line(line.name.text.as_str().into(), title),
                span: line.name.span,
                doc: None,
                scope,
            });
            if let ValueRole::Score(lines) | ValueRole::Ranking(lines) =
                &mut self.model.values[of.index()].role
            {
                lines.push(id);
            }
            self.typed.push(Waiting::Line(id, of, d));
            self.jobs.push(Job::Line(id, of, &line.value));
        }
    }

    /// The parameter of a score or ranking.
    pub fn set_score_param(&mut self, v: ValueId, d: &'t ast::LinesDecl) {
        let locals = self.read_param_locals(d.params.iter().collect());
        let fits =
            |l: &Local| matches!(l.ty, Ty::Of(builtin_kinds::PLAYER | builtin_kinds::TEAM) | Ty::Error);
        if !matches!(locals.as_slice(), [one] if fits(one)) {
            let message = format!("`{}` needs one parameter: a player or a team", d.name.text);
            let d = Diagnostic::error(codes::LINES, d.name.span, message);
            self.report.push(d.help("write `(p: player)` or `(t: team)` after its name"));
        }
        let body = &mut self.model.values[v.index()].body;
        body.params = locals.len();
        body.locals = locals;
    }

    /// A line's own name for that parameter.
    pub fn set_line_param(&mut self, line: ValueId, of: ValueId, d: &'t ast::LinesDecl) {
        let locals = self.read_param_locals(d.params.iter().collect());
        let types = |all: &[Local]| all.iter().map(|l| l.ty.clone()).collect::<Vec<_>>();
        let whole = &self.model.values[of.index()];
        let first = d.lines.first().map(|l| l.name.span) == Some(self.model.values[line.index()].span);
        if first && types(&whole.body.locals) != types(&locals) {
            let of = whole.body.locals.first().map_or(String::from("nothing"), |l| match l.ty {
                Ty::Of(builtin_kinds::TEAM) => String::from("teams"),
                _ => String::from("players"),
            });
            let message = format!("`{}` is declared for {of}", d.name.text);
            let d = Diagnostic::error(codes::LINES, d.name.span, message).also(whole.span, "declared here");
            self.report.push(d.help("write the same parameter as there: `(p: player)` or `(t: team)`"));
        }
        let body = &mut self.model.values[line.index()].body;
        body.params = locals.len();
        body.locals = locals;
    }
}
