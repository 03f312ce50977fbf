//! Declares members: single ones, lists, families, and players with values of their own.
use super::types::const_int;
use super::{Declarer, Job, RENAME};
use crate::body::build;
use crate::hir::*;
use crate::uses::Def;
use crate::{codes, suggest};
use houserule_syntax::ast;
use houserule_text::{Diagnostic, Span};
use std::sync::Arc;

/// A member whose kind may be declared further down.
pub(crate) enum Waiting<'t> {
    Member(&'t ast::Member, ScopeId, Option<Arc<str>>),
    List(&'t ast::ListDecl, ScopeId),
    Player(&'t ast::PlayerMember, ScopeId),
    Change(&'t ast::Name, &'t [ast::Part], ScopeId),
    ChangeMember(&'t ast::Name, &'t [ast::Part], ScopeId),
}

/// What to do about a row with more cells than its list has columns.
const FEWER_CELLS: &str = "leave out the cells behind the last column, or add a column: `| attribute`";

impl<'t> Declarer<'t> {
    /// Reads all members that wait.
    pub fn read_members(&mut self) {
        for w in std::mem::take(&mut self.members) {
            match w {
                Waiting::Member(m, scope, doc) => self.declare_member(m, scope, doc),
                Waiting::List(l, scope) => self.declare_list(l, scope),
                Waiting::Player(p, scope) => self.declare_named_player(p, scope),
                Waiting::Change(n, parts, scope) => {
                    if let Some(k) = self.find_kind(n) {
                        self.declare_parts(Some(k), parts, scope);
                    }
                }
                Waiting::ChangeMember(n, parts, scope) => {
                    match self.model.members.iter().position(|m| *m.name == *n.text) {
                        Some(i) => {
                            self.notes.note(n.span, Def::Member(MemberId(i as u32)));
                            self.declare_member_parts(MemberId(i as u32), parts, scope);
                        }
                        None => self.report_no_member(n),
                    }
                }
            }
        }
        // Attributes, values and rules that members brought.
        self.read_types();
    }

    fn report_no_member(&mut self, n: &ast::Name) {
        let names: Vec<String> = self.model.members.iter().map(|m| m.name.to_string()).collect();
        let d = Diagnostic::error(codes::UNKNOWN_REMOVED, n.span, format!("there is no member `{}`", n.text));
        let known = names.iter().map(String::as_str);
        self.report.push(suggest::suggest_word(d, &n.text, known, "leave it out: this game has no members"));
    }

    fn declare_member(&mut self, m: &'t ast::Member, scope: ScopeId, doc: Option<Arc<str>>) {
        let Some(k) = self.find_kind(&m.kind) else { return };
        if matches!(
            self.model.kinds[k.index()].sort,
            KindSort::Enum | KindSort::Direction | KindSort::Lines(..)
        ) {
            let d = Diagnostic::error(
                codes::MISPLACED,
                m.kind.span,
                format!("members of `{}` can only be written in its own declaration", m.kind.text),
            );
            self.report
                .push(d.help(format!("write it there: `enum {} {{ …, {} }}`", m.kind.text, m.name.text)));
            return;
        }
        if let KindSort::Space(Some(map)) = self.model.kinds[k.index()].sort {
            let map = &self.model.maps[map.index()].name;
            let message = format!("the spaces of {map} have the names of its grid, such as `A1`");
            let d = Diagnostic::error(codes::MISPLACED, m.name.span, message);
            self.report
                .push(d.help("only a `graph`, or spaces on no map, have places with names of their own"));
            return;
        }
        if let (KindSort::Space(None), Some(p)) =
            (&self.model.kinds[k.index()].sort, m.params.as_ref().and_then(|p| p.first()))
        {
            let d = Diagnostic::error(codes::MISPLACED, p.span, "places are no families");
            self.report.push(d.help("name each place: `Town inn, mill, farm`"));
            return;
        }
        self.report_double(k, &m.name);
        let id = self.new_member(k, &m.name.text, m.title.as_ref(), m.name.span, scope);
        self.model.members[id.index()].doc = doc;
        if let Some(params) = &m.params {
            self.declare_family(id, params, m.name.span);
        }
        if let Some(t) = m.title.as_ref().filter(|t| t.literal().is_none()) {
            self.jobs.push(Job::MemberTitle(id, t));
        }
        if let Some(e) = &m.copies {
            self.jobs.push(Job::MemberCopies(id, e));
        }
        if let Some(more) = m.more.first().filter(|_| !m.given.is_empty()) {
            let message = "values of the back belong to one member";
            let d = Diagnostic::error(codes::BACK_VALUES, more.name.span, message);
            self.report.push(d.help("write a line for each member"));
        }
        self.back_values.push((id, &m.given));
        let entries = m.parts.iter().fold(m.name.span, |all, p| all.to(p.span));
        self.note_print_row(k, id, entries);
        self.declare_member_parts(id, &m.parts, scope);
        for more in &m.more {
            self.report_double(k, &more.name);
            let id = self.new_member(k, &more.name.text, more.title.as_ref(), more.name.span, scope);
            if let Some(e) = &more.copies {
                self.jobs.push(Job::MemberCopies(id, e));
            }
        }
    }

    fn report_double(&mut self, k: KindId, n: &ast::Name) {
        let key = format!("{}.{}", self.model.kinds[k.index()].name, n.text);
        if let Some(at) = self.seen.insert(("member", key), n.span) {
            let d = Diagnostic::error(codes::TWICE, n.span, format!("`{}` is declared twice", n.text));
            self.report.push(d.also(at, "first declared here").help(RENAME));
        }
    }

    fn declare_family(&mut self, id: MemberId, params: &'t [ast::Param], span: Span) {
        let [p] = params else {
            self.report_not_played(span, "families with several parameters");
            return;
        };
        if let Some(e) = &p.default {
            self.report_not_played(e.span, "parameters with a default");
        }
        let ty = match &p.kind {
            ast::ParamKind::Typed { ty, of, filter } => {
                for e in [of, filter].into_iter().flatten() {
                    self.report_not_played(e.span, "families over sets");
                }
                self.read_type(ty)
            }
            ast::ParamKind::Choice { many, .. } => {
                self.report_not_played(many.span, "families over sets");
                Ty::Error
            }
        };
        match ty {
            Ty::Int(a, b) if i64::from(b) - i64::from(a) < 1000 => {
                self.model.members[id.index()].family = Some((LocalId(0), a, b));
                self.seen.insert(("family", format!("{}", id.0)), p.name.span);
                self.families.insert(id, (p.name.text.clone(), p.name.span));
            }
            Ty::Error => {}
            _ => {
                let d = Diagnostic::error(
                    codes::BAD_RANGE,
                    p.span,
                    "a family has a member for each number of a range of at most 1000",
                );
                self.report.push(d.help("write the range: `Card number(n: 1..10)`"));
            }
        }
    }

    /// What a member says of itself.
    pub fn declare_member_parts(&mut self, id: MemberId, parts: &'t [ast::Part], scope: ScopeId) {
        let kind = self.model.members[id.index()].kind;
        for p in parts {
            use ast::PartKind as P;
            match &p.kind {
                P::Bad => {}
                P::Set(n, e) => self.jobs.push(Job::MemberSet(id, n, e)),
                P::FillValue(f) => self.jobs.push(Job::MemberFill(id, f)),
                P::FillRule(f) => self.jobs.push(Job::MemberRule(id, f)),
                P::Attach(a) if !self.is_component(kind) => {
                    self.report_not_played(a.span, "attachments of one player")
                }
                P::Attach(a) => self.jobs.push(Job::Attach(Some(Carrier::Member(id)), a, scope)),
                P::Faces(m) => self.jobs.push(Job::MemberFaces(Some(id), kind, m)),
                P::Action(a) => self.declare_action(a, Some(Carrier::Member(id)), scope, None),
                P::Has(ast::Has::Attr(a)) => self.declare_own_state(id, kind, a, scope, p.doc.as_ref()),
                P::Has(ast::Has::Zone(z)) => self.report_not_played(z.name.span, "zones of one member's own"),
                P::Look(l) => self.report_not_played(l.span, "looks of one member"),
                _ => {
                    let d = Diagnostic::error(
                        codes::MISPLACED,
                        p.span,
                        "this can only be written in a kind, not in a member",
                    );
                    self.report.push(d.help("move it to the declaration of the kind; to change what one member has, write `name: value` or `has name: type = value`"));
                }
            }
        }
    }

    /// `has`: state that only this member's components have.
    fn declare_own_state(
        &mut self,
        id: MemberId,
        kind: KindId,
        a: &'t ast::AttrDecl,
        scope: ScopeId,
        doc: Option<&ast::Doc>,
    ) {
        if !crate::body::types::is_component(&self.model, kind) {
            self.report_not_played(a.name.span, "state of one space's or player's own");
            return;
        }
        let member = self.model.members[id.index()].name.clone();
        let line = crate::body::types::line_of(&self.model, kind);
        let kinds_own = self.model.attrs.iter().find(|x| {
            x.has_of.is_none() && x.of.is_some_and(|k| line.contains(&k)) && *x.name == *a.name.text
        });
        let first = match kinds_own {
            Some(x) => Some(x.span),
            None => self.seen.insert(("own", format!("{}.{}", id.0, a.name.text)), a.name.span),
        };
        if let Some(at) = first {
            let d = Diagnostic::error(
                codes::TWICE,
                a.name.span,
                format!("`{member}` already has `{}`", a.name.text),
            );
            self.report.push(d.also(at, "first declared here").help(RENAME));
            return;
        }
        if a.default.is_none() {
            let d = Diagnostic::error(
                codes::MISSING_VALUE,
                a.name.span,
                format!("`{}` has no value at the start", a.name.text),
            );
            self.report.push(d.help("write `= …` after its type"));
        }
        self.declare_attr(a, Some(kind), Some(HasOf::Member(id)), scope, doc.map(|d| d.text.as_str().into()));
    }

    fn declare_named_player(&mut self, p: &'t ast::PlayerMember, scope: ScopeId) {
        if let Some(e) = &p.answered {
            self.declare_extra_player(p, e, scope);
            return;
        }
        let players = &self.model.kinds[builtin_kinds::PLAYER.index()].members;
        let found = players.iter().copied().find(|m| *self.model.members[m.index()].name == *p.name.text);
        match found {
            Some(id) => {
                self.notes.note(p.name.span, Def::Member(id));
                self.set_title(id, p.title.as_ref(), p.name.span, scope);
                self.declare_member_parts(id, &p.parts, scope);
            }
            None => {
                let names: Vec<String> =
                    players.iter().map(|m| self.model.members[m.index()].name.to_string()).collect();
                let d = Diagnostic::error(
                    codes::UNKNOWN_PLAYER,
                    p.name.span,
                    format!("there is no player `{}`", p.name.text),
                );
                let known = names.iter().map(String::as_str);
                let declare = "name the players in the header: `players north, south`";
                self.report.push(suggest::suggest_word(d, &p.name.text, known, declare));
            }
        }
    }

    /// `player n "T" answered by nobody`, `… by seats`, `… by [1, 2]`: an additional player.
    fn declare_extra_player(&mut self, p: &'t ast::PlayerMember, by: &'t ast::Expr, scope: ScopeId) {
        let span = by.span;
        let numbers = |es: &[ast::Expr]| {
            es.iter().map(|e| const_int(e).filter(|n| (1..=16).contains(n))).collect::<Option<Vec<i32>>>()
        };
        let kind = match &*by.kind {
            ast::ExprKind::Name(n) if n.text == "nobody" => Some(ExprKind::Set(Vec::new())),
            ast::ExprKind::Name(n) if n.text == "seats" => {
                Some(ExprKind::Builtin(Builtin::Seats, Vec::new()))
            }
            ast::ExprKind::Set(es) => numbers(es).filter(|all| !all.is_empty()).map(|all| {
                let int = |n| build::expr(Ty::Int(n, n), span, ExprKind::Int(n));
                ExprKind::Set(all.into_iter().map(int).collect())
            }),
            _ => None,
        };
        let Some(kind) = kind else {
            let d = Diagnostic::error(codes::ANSWERED, span, "this does not say who answers for the player");
            self.report.push(d.help("write `nobody`, `seats`, or the numbers of seats: `[1, 2]`"));
            return;
        };
        self.report_double(builtin_kinds::PLAYER, &p.name);
        let id = self.new_member(builtin_kinds::PLAYER, &p.name.text, p.title.as_ref(), p.name.span, scope);
        let ty = Ty::Set(Box::new(Ty::Of(builtin_kinds::PLAYER)));
        self.model.members[id.index()].answered = Some(build::expr(ty, span, kind));
        self.declare_member_parts(id, &p.parts, scope);
    }

    fn declare_list(&mut self, l: &'t ast::ListDecl, scope: ScopeId) {
        let Some(k) = self.find_kind(&l.of) else { return };
        let is_read = self.check_print_columns(k, &l.columns);
        for (i, row) in l.rows.iter().enumerate() {
            if row.bad {
                continue;
            }
            let kind_name = self.model.kinds[k.index()].name.to_lowercase();
            let id = match &row.name {
                ast::RowName::Named(n) => {
                    let members = &self.model.kinds[k.index()].members;
                    let old =
                        members.iter().copied().find(|m| *self.model.members[m.index()].name == *n.text);
                    match old {
                        Some(id) => {
                            self.notes.note(n.span, Def::Member(id));
                            self.set_title(id, row.title.as_ref(), n.span, scope);
                            id
                        }
                        None => {
                            self.report_double(k, n);
                            self.new_member(k, &n.text, row.title.as_ref(), n.span, scope)
                        }
                    }
                }
                ast::RowName::Number(n) => {
                    self.new_member(k, &format!("{kind_name}_{}", n.value), row.title.as_ref(), n.span, scope)
                }
                ast::RowName::Unnamed => self.new_member(
                    k,
                    &format!("{kind_name}_row_{}", i + 1),
                    row.title.as_ref(),
                    row.span,
                    scope,
                ),
            };
            if let Some(e) = &row.copies {
                self.jobs.push(Job::MemberCopies(id, e));
            }
            self.note_print_row(k, id, row.span);
            if let (Some(first), Some(last)) = (l.columns.first(), l.columns.last()) {
                self.note_print_row(k, id, first.span.to(last.span));
            }
            if row.cells.len() > l.columns.len() {
                let d = Diagnostic::error(
                    codes::CELLS,
                    row.span,
                    format!(
                        "this row has {} cells, but the number of columns is {}",
                        row.cells.len(),
                        l.columns.len()
                    ),
                );
                self.report.push(d.help(FEWER_CELLS));
            }
            for (c, cell) in l.columns.iter().zip(&row.cells) {
                match cell {
                    ast::Cell::Marks(marks) if self.is_print_column(k, c) => {
                        if is_read && row.cells.len() <= l.columns.len() {
                            self.jobs.push(Job::Marks(id, Some(c), marks));
                        }
                    }
                    ast::Cell::Marks(marks) => match marks.as_slice() {
                        [mark] if mark.attr.is_none() => self.jobs.push(Job::MemberSet(id, c, &mark.value)),
                        _ => self.report_not_played(row.span, "cells with several marks"),
                    },
                    ast::Cell::Rule(f) => self.jobs.push(Job::MemberRule(id, f)),
                }
            }
            self.declare_member_parts(id, &row.parts, scope);
        }
    }

    /// A row of an enum: one cell a column.
    pub fn declare_cells(&mut self, id: MemberId, attrs: &[AttrId], cells: &'t [ast::Cell], span: Span) {
        if cells.len() > attrs.len() {
            let d = Diagnostic::error(
                codes::CELLS,
                span,
                format!("this row has {} cells, but the number of columns is {}", cells.len(), attrs.len()),
            );
            self.report.push(d.help(FEWER_CELLS));
        }
        for (a, cell) in attrs.iter().zip(cells) {
            match cell {
                ast::Cell::Marks(marks) if marks.len() == 1 => {
                    self.jobs.push(Job::EnumCell(id, *a, &marks[0].value))
                }
                _ => self.report_not_played(span, "cells with several marks"),
            }
        }
    }
}
