//! Reads every expression and block of the declarations, in the order of their dependencies: values and defaults, menus, actions, the rest.
use super::{Declarer, Job, map_pictures};
use crate::body::cx::{Cx, Me, Mode};
use crate::body::index::Index;
use crate::body::{self, build, types};
use crate::hir::*;
use crate::uses::Def;
use crate::{codes, suggest};
use houserule_syntax::ast;
use houserule_text::{Diagnostic, Report, Span};

/// What a look may draw.
const LOOK_SLOTS: [&str; 10] =
    ["fill", "edge", "ring", "shape", "size", "icon", "title", "text", "corner", "badge"];

/// What a read body changes in the model.
type Apply = Box<dyn FnOnce(&mut Model)>;

fn rank_of(j: &Job<'_>) -> u8 {
    match j {
        // What a die's value may be is asked by all the others; whether a line is a text, by what reads it.
        Job::MemberFaces(..) => 0,
        Job::Line(..) => 1,
        Job::Discards(..) | Job::Menu(..) => 3,
        Job::Action(..) => 4,
        Job::Test(..) => 6,
        Job::Rule(..)
        | Job::Refill(..)
        | Job::Setup(..)
        | Job::Round(..)
        | Job::Attach(..)
        | Job::MemberRule(..)
        | Job::Remove(..)
        | Job::Ending(..) => 5,
        _ => 2,
    }
}

impl<'t> Declarer<'t> {
    /// Reads all bodies that wait.
    pub fn read_bodies(&mut self) {
        self.read_pictures();
        self.read_ways();
        let jobs = std::mem::take(&mut self.jobs);
        // `discards to` is asked for by statements read earlier than its own body.
        let discards =
            jobs.iter().filter_map(|j| if let Job::Discards(k, ..) = j { Some(*k) } else { None }).collect();
        let reader = Reader { families: &self.families, discards: &discards };
        let mut face_reads = Vec::new();
        for pass in 0..=6 {
            let mut done: Vec<Apply> = Vec::new();
            if pass == 4 {
                // What layers in one action's effect attach to another binds its parameters.
                let (ix, mut unread) = (Index::new(&self.model), Report::default());
                for j in &jobs {
                    if let Job::Action(id, d) = j {
                        done.extend(reader.read_action(&ix, &mut unread, *id, d, true));
                    }
                }
                drop(ix);
                for apply in done.drain(..) {
                    apply(&mut self.model);
                }
            }
            let narrowed = {
                let ix = Index::new(&self.model);
                for j in jobs.iter().filter(|j| rank_of(j) == pass) {
                    if let Some(apply) = reader.read_job(&ix, &mut self.report, j) {
                        done.push(apply);
                    }
                }
                if pass == 6 {
                    for (n, on_component) in &self.pers {
                        Cx::new(&ix, &mut self.report, body::cx::Mode::Pure("this"))
                            .read_per(n, *on_component);
                    }
                }
                self.notes.take_notes(ix.notes);
                face_reads.extend(ix.face_reads.into_inner());
                ix.narrowed.into_inner()
            };
            self.model.narrowed.extend(narrowed);
            for apply in done {
                apply(&mut self.model);
            }
        }
        // The game's own signs first, so that a scenario's hold over them.
        for map in &mut self.model.maps {
            map.legend.sort_by_key(|r| r.scope);
        }
        map_pictures::report_without_spaces(&self.model, &mut self.report);
        map_pictures::report_unexplained(&self.model, &mut self.report);
        body::turn_events::link_turn_events(&mut self.model);
        body::phase_state::keep_outer_state(&mut self.model);
        self.mark_assigned();
        body::unique::report_face_reads(&self.model, &face_reads, &mut self.report);
        body::guards::mark_face_down(&mut self.model);
        self.check_required();
        self.check_component_options();
        if !self.report.has_errors() && !body::depth::check_depth(&self.model, &mut self.report) {
            body::acting::check_acting(&self.model, &mut self.report);
            body::phase_state::check_running(&self.model, &mut self.report);
            body::guards::check_secrets(&self.model, &mut self.report);
            body::must_leave::check_tried(&self.model, &mut self.report);
            body::unused::warn_unused(&self.model, &mut self.report);
            body::play_warnings::check_course(&self.model, &mut self.report);
            body::attach::warn_unordered(&self.model, &mut self.report);
        }
    }

    /// Which attributes anything assigns.
    fn mark_assigned(&mut self) {
        let mut found = std::collections::HashSet::new();
        {
            let m = &self.model;
            let mut look = |b: &Block| {
                body::walk::every_stmt(b, &mut |s| match &s.kind {
                    StmtKind::Assign(Lhs::Attr(_, a) | Lhs::TableAttr(a), ..) => {
                        found.insert(*a);
                    }
                    StmtKind::Attach(a) => {
                        if let AttachKind::Before(b) | AttachKind::After(b) | AttachKind::Instead(b) = &a.what
                        {
                            body::walk::every_stmt(b, &mut |s| {
                                if let StmtKind::Assign(Lhs::Attr(_, a) | Lhs::TableAttr(a), ..) = &s.kind {
                                    found.insert(*a);
                                }
                            });
                        }
                    }
                    _ => {}
                });
            };
            m.rules.iter().filter_map(|r| r.body.body.as_ref()).for_each(&mut look);
            m.actions.iter().for_each(|a| look(&a.body));
            m.setups.iter().for_each(|(_, b)| look(&b.body));
            m.round.iter().for_each(|r| look(&r.body.body));
            m.members.iter().flat_map(|m| &m.rule_fills).for_each(|(_, b)| look(&b.body));
            m.attachments.iter().for_each(|a| {
                if let AttachKind::Before(b) | AttachKind::After(b) | AttachKind::Instead(b) = &a.what {
                    look(b);
                }
            });
            fn visit_steps(s: &[TestStep], look: &mut dyn FnMut(&Block)) {
                for s in s {
                    match &s.kind {
                        TestStepKind::Do(s) => look(&vec![s.clone()]),
                        TestStepKind::For(_, _, b) | TestStepKind::Repeat(_, b) => visit_steps(b, look),
                        TestStepKind::If(_, a, b) => {
                            visit_steps(a, look);
                            visit_steps(b, look);
                        }
                        _ => {}
                    }
                }
            }
            m.tests.iter().for_each(|t| visit_steps(&t.steps, &mut look));
            // Players are moved.
            found.extend(types::standing(m));
        }
        for a in found {
            if let Some(a) = self.model.attrs.get_mut(a.index()) {
                a.assigned = true;
            }
        }
        for i in 0..self.model.attrs.len() {
            if self.model.attrs[i].parts.iter().any(|p| self.model.attrs[p.index()].assigned) {
                self.model.attrs[i].assigned = true;
            }
        }
        let Model { maps, attrs, .. } = &mut self.model;
        for mark in maps.iter().flat_map(|m| &m.legend).flat_map(|r| &r.marks) {
            if let Mark::Set(a, _) | Mark::Player(a, _) = mark
                && let Some(a) = attrs.get_mut(a.index())
            {
                a.drawn = true;
            }
        }
    }

    /// An option whose values are components names each by its face: there must be one of each.
    fn check_component_options(&mut self) {
        let m = &self.model;
        let mut found = Vec::new();
        for o in &m.options {
            let Ty::Of(k) = types::plain(&o.ty) else { continue };
            if !types::is_component(m, k) {
                continue;
            }
            let of = |i: usize| types::is_a(m, KindId(i as u32), k);
            let kinds = m.kinds.iter().enumerate().filter(|(i, _)| of(*i));
            let several =
                kinds.clone().find(|(_, x)| x.per_player || x.copies.is_some()).map(|(_, x)| x.span);
            let copies = || {
                let members = kinds.flat_map(|(_, x)| &x.members).filter_map(|id| m.members.get(id.index()));
                members.into_iter().find(|d| d.copies.is_some()).map(|d| d.span)
            };
            if let Some(at) = several.or_else(copies) {
                let name = types::name(m, k);
                let d = Diagnostic::error(
                    codes::OPTION_TYPE,
                    o.span,
                    format!("an option cannot be a {name}: several of them may show the same face"),
                );
                found.push(d.also(at, "more than one").suggest(format!("face of {name}")));
            }
        }
        found.into_iter().for_each(|d| self.report.push(d));
    }

    /// Attributes without a default must be given by every member.
    fn check_required(&mut self) {
        let m = &self.model;
        let mut missing = Vec::new();
        for (i, k) in m.kinds.iter().enumerate() {
            for a in &k.attrs {
                let Some(attr) = m.attrs.get(a.index()) else { continue };
                let optional = attr.default.is_some()
                    || types::standing(m) == Some(*a)
                    || attr.has_of.is_some()
                    || matches!(attr.ty, Ty::Maybe(_) | Ty::Error | Ty::Set(_) | Ty::List(_) | Ty::Bag(_))
                    || attr.side == AttrSide::Side;
                if optional || !matches!(k.sort, KindSort::Component(_) | KindSort::Enum | KindSort::Player) {
                    continue;
                }
                for (j, sub) in m.kinds.iter().enumerate() {
                    if !types::is_a(m, KindId(j as u32), KindId(i as u32)) {
                        continue;
                    }
                    if k.sort == KindSort::Player && m.named_players().next().is_none() {
                        missing.push((
                            attr.span,
                            format!("`{}` has no value at the start", attr.name),
                            attr.span,
                        ));
                    }
                    for member in &sub.members {
                        let Some(d) = m.members.get(member.index()) else { continue };
                        if !d.sets.iter().any(|(x, _)| x == a) {
                            missing.push((
                                d.span,
                                format!("`{}` gives no value for `{}`", d.name, attr.name),
                                attr.span,
                            ));
                        }
                    }
                }
            }
        }
        let unfilled = self.find_unfilled();
        for (span, message, at) in missing {
            let d = Diagnostic::error(codes::MISSING_VALUE, span, message)
                .also(at, "declared here, without a default");
            self.report.push(d.help(
                "write `name: value` in the member, or a default in the declaration: `name: TYPE = value`",
            ));
        }
        for (span, message, at) in unfilled {
            let d = Diagnostic::error(codes::MISSING_VALUE, span, message)
                .also(at, "declared here, without a body");
            self.report.push(d.help("write `name = …` in the member, or give the declaration a body"));
        }
    }

    /// Values of a kind without a body must be filled by every member, unless something sets them.
    fn find_unfilled(&self) -> Vec<(Span, String, Span)> {
        let m = &self.model;
        let mut out = Vec::new();
        for (i, v) in m.values.iter().enumerate() {
            let id = ValueId(i as u32);
            let Some(k) = v.of.filter(|k| v.body.body.is_none() && types::is_component(m, *k)) else {
                continue;
            };
            let sets = |a: &Attachment| {
                let on = a.heads.iter().any(|h| h.target == Target::Value(id));
                on && matches!(a.what, AttachKind::Modify(Change::Set, _))
            };
            if m.attachments.iter().any(sets) {
                continue;
            }
            for (j, sub) in m.kinds.iter().enumerate() {
                if !types::is_a(m, KindId(j as u32), k) {
                    continue;
                }
                if sub.copies.is_some() {
                    out.push((sub.span, format!("`{}` does not fill `{}`", sub.name, v.name), v.span));
                }
                for d in sub.members.iter().filter_map(|d| m.members.get(d.index())) {
                    if !d.fills.iter().any(|(x, _)| *x == id) {
                        out.push((d.span, format!("`{}` does not fill `{}`", d.name, v.name), v.span));
                    }
                }
            }
        }
        out
    }
}

pub(super) struct Reader<'r> {
    families: &'r std::collections::HashMap<MemberId, (String, Span)>,
    discards: &'r std::collections::HashSet<KindId>,
}

impl Reader<'_> {
    pub(super) fn new_cx<'a>(&self, ix: &'a Index<'a>, out: &'a mut Report, mode: Mode) -> Cx<'a> {
        let mut cx = Cx::new(ix, out, mode);
        cx.discards = self.discards.clone();
        cx
    }

    /// A body that looks at a thing of a kind and its owner: locals 0 and 1.
    fn cx_of_thing<'a>(
        &self,
        ix: &'a Index<'a>,
        out: &'a mut Report,
        k: Option<KindId>,
        what: &'static str,
        span: Span,
    ) -> Cx<'a> {
        let mut cx = self.new_cx(ix, out, Mode::Pure(what));
        if let Some(k) = k {
            let this = cx.new_local("this", Ty::Of(k), span);
            let owner = cx.new_local("owner", types::player(), span);
            cx.this = Some(build::local(this, Ty::Of(k), span));
            if types::is_component(ix.model, k) {
                cx.owner = Some(build::local(owner, types::player(), span));
            }
        }
        cx
    }

    fn member_cx<'a>(
        &self,
        ix: &'a Index<'a>,
        out: &'a mut Report,
        m: MemberId,
        what: &'static str,
    ) -> Cx<'a> {
        let mut cx = self.new_cx(ix, out, Mode::Pure(what));
        if let (Some((name, at)), Some(d)) = (self.families.get(&m), ix.model.members.get(m.index()))
            && let Some((_, lo, hi)) = d.family
        {
            let l = cx.new_local(name, Ty::Int(lo, hi), *at);
            cx.call_it(name, l);
        }
        cx
    }

    #[allow(clippy::too_many_lines)] // One arm a sort of declaration: cut up, it would read worse.
    fn read_job<'a>(&self, ix: &'a Index<'a>, out: &'a mut Report, j: &Job<'_>) -> Option<Apply> {
        let model = ix.model;
        match j {
            Job::AttrDefault(a, e) => {
                let a = *a;
                let attr = model.attrs.get(a.index())?;
                let mut cx = self.cx_of_thing(ix, out, attr.of, "a value at the start", attr.span);
                let params = if attr.of.is_some() { 2 } else { 0 };
                if let Ty::Bag(_) = attr.ty {
                    let parts = cx.read_bag_at_start(a, e)?;
                    let locals = close_body(cx, params, ());
                    return Some(Box::new(move |m| {
                        for (part, e) in parts {
                            let Body { locals, params, .. } = locals.clone();
                            m.attrs[part.index()].default = Some(Body { locals, params, body: e });
                        }
                    }));
                }
                let e = cx.read_as(e, &attr.ty, "the value at the start");
                let b = close_body(cx, params, e);
                Some(Box::new(move |m| m.attrs[a.index()].default = Some(b)))
            }
            Job::ZoneMarks(z, d) => self.read_zone(ix, out, *z, d),
            Job::Discards(k, e, scope) => {
                let (k, scope) = (*k, *scope);
                let mut cx = self.cx_of_thing(ix, out, Some(k), "a place", e.span);
                let e = cx.read_place(e, "where it is discarded to");
                let b = close_body(cx, 2, e);
                Some(Box::new(move |m| m.kinds[k.index()].discards.push((scope, b))))
            }
            Job::OutWhen(k, e, scope) => {
                let (k, scope) = (*k, *scope);
                let mut cx = self.cx_of_thing(ix, out, Some(k), "a condition", e.span);
                let e = cx.read_cond(e, "when a player is out");
                let b = close_body(cx, 2, e);
                Some(Box::new(move |m| m.kinds[k.index()].out_when.push((scope, b))))
            }
            Job::KindCopies(k, e) => {
                let k = *k;
                let mut cx = self.new_cx(ix, out, Mode::Pure("a number of copies"));
                let e = cx.read_number_of(e, "how many there are");
                Some(Box::new(move |m| m.kinds[k.index()].copies = Some(e)))
            }
            Job::MemberCopies(id, e) => {
                let id = *id;
                let mut cx = self.member_cx(ix, out, id, "a number of copies");
                let e = cx.read_number_of(e, "how many there are");
                let params = usize::from(self.families.contains_key(&id));
                let b = close_body(cx, params, e);
                Some(Box::new(move |m| m.members[id.index()].copies = Some(b)))
            }
            Job::MemberTitle(id, t) => {
                let id = *id;
                let mut cx = self.member_cx(ix, out, id, "a title");
                let t = cx.read_text(t);
                Some(Box::new(move |m| m.members[id.index()].title = t))
            }
            Job::EnumCell(id, a, e) => {
                let (id, a) = (*id, *a);
                let ty = model.attrs.get(a.index())?.ty.clone();
                let mut cx = self.member_cx(ix, out, id, "a cell");
                if let Ty::Bag(_) = ty {
                    let parts = cx.read_bag_at_start(a, e)?;
                    return Some(set_parts(id, parts, close_body(cx, 0, ())));
                }
                let e = cx.read_as(e, &ty, "the column's value");
                let b = close_body(cx, 0, e);
                Some(Box::new(move |m| m.members[id.index()].sets.push((a, b))))
            }
            Job::MemberSet(id, n, e) => self.read_member_set(ix, out, *id, n, e),
            Job::MemberFill(id, f) => self.read_member_fill(ix, out, *id, f),
            Job::MemberRule(id, f) => self.read_member_rule(ix, out, *id, f),
            Job::MemberFaces(id, k, marks) => {
                let (id, k) = (*id, *k);
                let sides = self.read_sides(ix, out, k, marks)?;
                Some(Box::new(move |m| match id {
                    Some(id) => m.members[id.index()].sides = sides,
                    None => m.kinds[k.index()].sides = sides,
                }))
            }
            Job::Value(v, d) => {
                let v = *v;
                let decl = model.values.get(v.index())?;
                if matches!(decl.role, ValueRole::Heuristic) {
                    number_of_player(model, out, v, "a heuristic", decl.span);
                }
                let mut cx = self.new_cx(ix, out, Mode::Pure("a value"));
                cx.me = Me::Nobody("a value has no acting player");
                self.enter_locals(&mut cx, &decl.body, decl.of);
                let e = cx.check_held(d.body.as_ref()?, &decl.ty, "the value");
                // Unused parameters are reported after all that modifies the value has been read.
                if cx.uses.iter().take(decl.body.params).any(|n| *n > 0) {
                    cx.warn_unused(decl.body.params, "the parameter");
                }
                let b = close_body(cx, decl.body.params, Some(e));
                Some(Box::new(move |m| m.values[v.index()].body = b))
            }
            Job::Line(line, of, e) => self.read_line(ix, out, *line, *of, e),
            Job::Rule(r, b) | Job::Refill(r, b) => {
                let r = *r;
                let decl = model.rules.get(r.index())?;
                let mut cx = self.new_cx(ix, out, Mode::Effect);
                self.enter_locals(&mut cx, &decl.body, decl.of);
                // `me` stands behind the parameters, or is one of them.
                for l in decl.body.locals.iter().skip(decl.body.params) {
                    cx.new_local(&l.name, l.ty.clone(), l.span);
                }
                cx.me = Me::Is(decl.me);
                if matches!(j, Job::Refill(..)) {
                    cx.me = Me::Nobody("nobody acts in `refill`");
                    cx.owner = cx.this.clone().filter(|this| this.ty == types::player());
                    // An index need not be used.
                    cx.uses.fill(1);
                }
                cx.within.rule = Some(r);
                cx.within.gives = Some(decl.gives.clone()).filter(|t| *t != Ty::Nothing);
                if decl.phase {
                    cx.has.push(HasOf::Phase(r));
                }
                body::assign::collect_assigned(b, &mut cx.reassigned);
                let block = cx.read_block(b);
                body::stmt::must_give(&mut cx, decl, &block, b.span);
                cx.warn_unused(0, "the name");
                let b = close_body(cx, decl.body.params, Some(block));
                Some(Box::new(move |m| m.rules[r.index()].body = b))
            }
            Job::Menu(id, d) => self.read_menu(ix, out, *id, d),
            Job::Action(id, d) => self.read_action(ix, out, *id, d, false),
            Job::Attach(carrier, a, scope) => {
                let mut cx = self.new_cx(ix, out, Mode::Effect);
                cx.me = Me::Nobody("nobody acts here");
                let mut read = body::attach::read_attachment(&mut cx, a, carrier.clone(), *scope)?;
                read.locals = cx.locals;
                Some(Box::new(move |m| m.attachments.push(read)))
            }
            Job::Setup(scope, b) => {
                let scope = *scope;
                let mut cx = self.new_cx(ix, out, Mode::Effect);
                cx.me = Me::Nobody("nobody acts in the set-up");
                body::assign::collect_assigned(b, &mut cx.reassigned);
                let block = cx.read_block(b);
                cx.warn_unused(0, "the name");
                let b = close_body(cx, 0, block);
                Some(Box::new(move |m| m.setups.push((scope, b))))
            }
            Job::Round(r, span) => {
                let span = *span;
                let mut cx = self.new_cx(ix, out, Mode::Effect);
                cx.me = Me::Nobody("nobody acts in the round itself");
                let until = match &r.how {
                    ast::RoundHow::Always => RoundUntil::Forever,
                    ast::RoundHow::Once => RoundUntil::Once,
                    ast::RoundHow::Times(n) => RoundUntil::Times(
                        cx.read_purely("a number", |cx| cx.read_number_of(n, "how many rounds there are")),
                    ),
                    ast::RoundHow::Until(c) => RoundUntil::Cond(
                        cx.read_purely("a condition", |cx| cx.read_cond(c, "when the rounds end")),
                    ),
                };
                body::assign::collect_assigned(&r.body, &mut cx.reassigned);
                let block = cx.read_block(&r.body);
                cx.warn_unused(0, "the name");
                let body = close_body(cx, 0, block);
                Some(Box::new(move |m| m.round = Some(Round { until, body, span })))
            }
            Job::Ending(scope, e, span) => {
                let (scope, span) = (*scope, *span);
                let mut cx = self.new_cx(ix, out, Mode::Pure("an ending's condition"));
                let ending = self.read_ending(&mut cx, e, span);
                if let (Verdict::Win, Some(help)) = (ending.verdict, what_decides(model)) {
                    let message =
                        "`win when` at the top makes all players win, but in this game only one can win";
                    cx.push(Diagnostic::error(codes::WIN_OF_ALL, span, message).help(help));
                }
                let b = close_body(cx, 0, ending);
                Some(Box::new(move |m| m.endings.push((scope, b))))
            }
            Job::EndsWhen(c, t) => {
                let mut cx = self.new_cx(ix, out, Mode::Pure("an ending's condition"));
                let c = cx.read_cond(c, "when the game ends");
                let t = t.map(|t| cx.read_lenient_text(t));
                Some(Box::new(move |m| m.ends.push((c, t))))
            }
            Job::Needs(scope, n) => {
                let scope = *scope;
                let mut cx = self.new_cx(ix, out, Mode::Pure("a condition on the set-up"));
                let c = cx.read_cond(&n.cond, "the condition of `needs`");
                let t = n.reason.as_ref().map(|t| cx.read_text(t));
                Some(Box::new(move |m| {
                    if scope == ScopeId(0) {
                        m.needs.push((c, t));
                    } else {
                        m.scopes[scope.index()].needs.push((c, t));
                    }
                }))
            }
            Job::OptionDefault(o, e) => {
                let o = *o;
                let ty = model.options.get(o.index())?.ty.clone();
                let mut cx = self.new_cx(ix, out, Mode::Pure("an option's value"));
                let e = cx.read_as(e, &ty, "the option's value");
                Some(Box::new(move |m| m.options[o.index()].default = Some(e)))
            }
            Job::SetOption(scope, s) => {
                let scope = *scope;
                let Some(i) = model.options.iter().position(|o| *o.name == *s.name.text) else {
                    let names: Vec<&str> = model.options.iter().map(|o| &*o.name).collect();
                    report_unknown(
                        ix,
                        out,
                        codes::UNKNOWN_OPTION,
                        &s.name,
                        format!("there is no option `{}`", s.name.text),
                        &names,
                    );
                    return None;
                };
                ix.notes.note(s.name.span, Def::Option(OptionId(i as u32)));
                let ty = model.options[i].ty.clone();
                let mut cx = self.new_cx(ix, out, Mode::Pure("an option's value"));
                let e = cx.read_as(&s.value, &ty, "the option's value");
                Some(Box::new(move |m| m.scopes[scope.index()].options.push((OptionId(i as u32), e))))
            }
            Job::Legend(scope, l, span) => {
                let (map, rows) = map_pictures::read_legend(ix, out, *scope, l, *span)?;
                Some(Box::new(move |m| m.maps[map.index()].legend.extend(rows)))
            }
            Job::Invariant(scope, i, span) => {
                let (scope, span) = (*scope, *span);
                let mut cx = self.new_cx(ix, out, Mode::Pure("an invariant"));
                let title = cx.plain(&i.title);
                let c = cx.read_cond(&i.cond, "the condition of `invariant`");
                let cond = close_body(cx, 0, c);
                Some(Box::new(move |m| m.invariants.push(Invariant { title, cond, span, scope })))
            }
            Job::Test(scope, t, span) => {
                let mut cx = self.new_cx(ix, out, Mode::Effect);
                let read = body::test::read_test(&mut cx, t, *scope, *span)?;
                Some(Box::new(move |m| m.tests.push(read)))
            }
            Job::Look(l) => self.read_look(ix, out, l),
            Job::Outcome(o, span) => self.read_outcome(ix, out, o, *span),
            Job::Answered(e) => {
                let mut cx = self.new_cx(ix, out, Mode::Pure("who answers for whom"));
                let e = cx.read_as(e, &types::list_of(Ty::Int(1, 16)), "who answers for whom");
                super::seats::check_seat_lists(ix.model, &e, cx.out);
                Some(Box::new(move |m| m.answered = Some(e)))
            }
            Job::Score(e, t) => {
                let mut cx = self.new_cx(ix, out, Mode::Pure("a score"));
                let e = cx.read_expr(e, None);
                let t = t.map(|t| cx.read_text(t));
                Some(Box::new(move |m| m.score = Some((e, t))))
            }
            Job::BeginsOn(scope, n) => {
                if *scope != ScopeId(0) {
                    let message = "only the game's header may say which scenario is the first";
                    out.push(
                        Diagnostic::error(codes::MISPLACED, n.span, message)
                            .help("delete this line, or move it into `game … { }`"),
                    );
                    return None;
                }
                let mut cx = self.new_cx(ix, out, Mode::Pure("the first scenario"));
                let scenario = body::test::find_scenario(&mut cx, n)?;
                Some(Box::new(move |m| m.begins_on = Some(scenario)))
            }
            Job::Remove(scope, n) => {
                let scope = *scope;
                let member = model.members.iter().position(|m| *m.name == *n.text);
                let action = model.actions.iter().position(|a| *a.name == *n.text);
                let removed = match (member, action) {
                    (Some(i), _) => {
                        ix.notes.note(n.span, Def::Member(MemberId(i as u32)));
                        Removed::Member(MemberId(i as u32))
                    }
                    (None, Some(i)) => {
                        ix.notes.note(n.span, Def::Action(ActionId(i as u32)));
                        Removed::Action(ActionId(i as u32))
                    }
                    (None, None) => {
                        let names: Vec<&str> = model
                            .members
                            .iter()
                            .map(|m| &*m.name)
                            .chain(model.actions.iter().map(|a| &*a.name))
                            .collect();
                        report_unknown(
                            ix,
                            out,
                            codes::UNKNOWN_REMOVED,
                            n,
                            format!("there is no member or action `{}` to remove", n.text),
                            &names,
                        );
                        return None;
                    }
                };
                Some(Box::new(move |m| m.scopes[scope.index()].removes.push(removed)))
            }
        }
    }

    /// A line of a score or ranking: a number, or a text that counts for nothing.
    fn read_line(
        &self,
        ix: &Index<'_>,
        out: &mut Report,
        line: ValueId,
        of: ValueId,
        e: &ast::Expr,
    ) -> Option<Apply> {
        let decl = ix.model.values.get(line.index())?;
        let sums = matches!(ix.model.values.get(of.index())?.role, ValueRole::Score(_));
        let mut cx = self.new_cx(ix, out, Mode::Pure("a line"));
        cx.me = Me::Nobody("a line has no acting player: use its parameter");
        self.enter_locals(&mut cx, &decl.body, None);
        let e = cx.read_expr(e, None);
        let e = if e.ty == Ty::Text { e } else { cx.fit_to(e, &types::WIDE, "a line") };
        let ty = if e.ty == Ty::Text { Ty::Text } else { types::WIDE };
        let counts = sums && ty != Ty::Text;
        let b = close_body(cx, decl.body.params, Some(e));
        Some(Box::new(move |m| {
            let Some(value) = m.values.get_mut(line.index()) else { return };
            value.body = b;
            value.ty = ty.clone();
            let span = value.span;
            let param = value.body.locals.first().map(|l| build::local(LocalId(0), l.ty.clone(), span));
            let call = build::expr(ty, span, ExprKind::Value(line, param.into_iter().collect()));
            if let Some(score) = m.values.get_mut(of.index()).filter(|_| counts) {
                score.body.body = Some(match score.body.body.take() {
                    Some(sum) if !matches!(&*sum.kind, ExprKind::Int(_)) => {
                        build::expr(types::WIDE, span, ExprKind::Arith(Arith::Add, sum, call))
                    }
                    _ => call,
                });
            }
        }))
    }

    /// Makes a signature's locals known.
    fn enter_locals<T>(&self, cx: &mut Cx<'_>, b: &Body<T>, of: Option<KindId>) {
        for (i, l) in b.locals.iter().take(b.params).enumerate() {
            let id = cx.new_local(&l.name, l.ty.clone(), l.span);
            if i == 0 && of.is_some() {
                cx.this = Some(build::local(id, l.ty.clone(), l.span));
            } else {
                cx.call_it(&l.name, id);
            }
        }
    }

    fn read_zone(&self, ix: &Index<'_>, out: &mut Report, z: ZoneId, d: &ast::ZoneDecl) -> Option<Apply> {
        let zone = ix.model.zones.get(z.index())?;
        let kind = zone.holds.first().copied();
        let mut applies: Vec<Apply> = Vec::new();
        for (i, m) in d.marks.iter().enumerate() {
            let earlier = d.marks.get(..i).unwrap_or(&[]);
            if earlier.iter().any(|e| std::mem::discriminant(e) == std::mem::discriminant(m)) {
                let word = match m {
                    ast::ZoneMark::Seen { .. } => "seen",
                    ast::ZoneMark::Active(..) => "active",
                    ast::ZoneMark::UpTo(_) => "up to",
                    ast::ZoneMark::Sorted(_) => "sorted",
                    ast::ZoneMark::Unlimited(_) => "unlimited",
                    ast::ZoneMark::Refill(_) => "refill",
                };
                out.push(body::hints::report_said_twice(d.name.span, word));
            }
            match m {
                ast::ZoneMark::Seen { by, when } => {
                    if let Some(w) = when {
                        out.push(body::unsupported::not_played(w.span, "`seen by … when`"));
                    }
                    let whose = match &*by.kind {
                        ast::ExprKind::Owner => "owner",
                        ast::ExprKind::Name(n) if n.text == "others" => "others",
                        _ => "",
                    };
                    if !whose.is_empty() && zone.of != Some(builtin_kinds::PLAYER) {
                        let message = format!("`seen by {whose}`: only zones of players have an owner");
                        let d = Diagnostic::error(body::codes::WRONG_FORM, by.span, message);
                        out.push(d.help(
                            "write who sees the faces: `seen by nobody`, or a value that names players",
                        ));
                    }
                    let seen = match &*by.kind {
                        ast::ExprKind::Owner => Seen::Owner,
                        ast::ExprKind::Name(n) if n.text == "nobody" => Seen::Nobody,
                        ast::ExprKind::Name(n) if n.text == "all" => Seen::All,
                        _ => {
                            let mut cx = self.new_cx(ix, out, Mode::Pure("who sees it"));
                            let owner = cx.new_local("owner", types::player(), by.span);
                            cx.owner = Some(build::local(owner, types::player(), by.span));
                            if let Some(k) = kind {
                                let it = cx.new_local("it", Ty::Of(k), by.span);
                                cx.its.push(build::local(it, Ty::Of(k), by.span));
                            }
                            let e = match &*by.kind {
                                // All but the owner.
                                ast::ExprKind::Name(n) if n.text == "others" => {
                                    let owner = build::local(owner, types::player(), by.span);
                                    let own = build::expr(
                                        types::set_of(types::player()),
                                        by.span,
                                        ExprKind::Set(vec![owner]),
                                    );
                                    let all = build::players(by.span);
                                    build::expr(all.ty.clone(), by.span, ExprKind::Without(all, own))
                                }
                                _ => cx.read_as(by, &types::set_of(types::player()), "who sees it"),
                            };
                            Seen::By(close_body(cx, 2, e))
                        }
                    };
                    applies.push(Box::new(move |m| m.zones[z.index()].seen = seen));
                }
                ast::ZoneMark::Active(when, span) => {
                    let active = match when {
                        None => Active::Always,
                        Some(c) => {
                            let mut cx =
                                self.cx_of_thing(ix, out, kind, "the condition of `active when`", *span);
                            let c = cx.read_cond(c, "the condition of `active when`");
                            Active::When(close_body(cx, 2, c))
                        }
                    };
                    applies.push(Box::new(move |m| m.zones[z.index()].active = active));
                }
                ast::ZoneMark::UpTo(e) => {
                    if d.slot {
                        let message = "a slot holds at most one thing";
                        let d = Diagnostic::error(codes::MISPLACED, e.span, message);
                        out.push(d.help("leave out `up to …`, or declare a `zone`"));
                    }
                    let mut cx = self.new_cx(ix, out, Mode::Pure("a capacity"));
                    let e = cx.read_number_of(e, "how many fit");
                    let b = close_body(cx, 0, e);
                    applies.push(Box::new(move |m| m.zones[z.index()].capacity = Some(b)));
                }
                ast::ZoneMark::Sorted(n) => {
                    out.push(body::unsupported::not_played(n.span, "sorted zones"));
                }
                ast::ZoneMark::Unlimited(s) => {
                    out.push(body::unsupported::not_played(*s, "unlimited supplies"));
                }
                ast::ZoneMark::Refill(b) => {
                    if d.slot {
                        let message = "nothing is drawn from a slot, so it is never refilled";
                        let d = Diagnostic::error(codes::MISPLACED, b.span, message);
                        out.push(d.help("leave out `refill { … }`, or declare a `zone`"));
                    }
                }
            }
        }
        Some(Box::new(move |m| applies.into_iter().for_each(|a| a(m))))
    }

    fn read_member_set(
        &self,
        ix: &Index<'_>,
        out: &mut Report,
        id: MemberId,
        n: &ast::Name,
        e: &ast::Expr,
    ) -> Option<Apply> {
        let kind = ix.model.members.get(id.index())?.kind;
        let Some(body::index::Part::Attr(a)) =
            types::line_of(ix.model, kind).into_iter().find_map(|k| ix.part(k, &n.text))
        else {
            report_no_part(ix, out, kind, n);
            return None;
        };
        ix.notes.note(n.span, Def::Attr(a));
        let attr = ix.model.attrs.get(a.index())?;
        if attr.side == AttrSide::Side {
            let message = format!("`{}` is a `face` attribute: each face of the die gives its value", n.text);
            let d = Diagnostic::error(codes::MISPLACED, n.span, message).also(attr.span, "declared here");
            out.push(d.help("write it at each face: `faces: 1 word, 2 word`"));
            return None;
        }
        let ty = attr.ty.clone();
        let mut cx = self.member_cx(ix, out, id, "a member's value");
        let params = usize::from(self.families.contains_key(&id));
        if let Ty::Bag(_) = ty {
            let parts = cx.read_bag_at_start(a, e)?;
            return Some(set_parts(id, parts, close_body(cx, params, ())));
        }
        let e = cx.read_as(e, &ty, "the attribute's value");
        let b = close_body(cx, params, e);
        Some(Box::new(move |m| {
            let sets = &mut m.members[id.index()].sets;
            sets.retain(|(x, _)| *x != a);
            sets.push((a, b));
        }))
    }

    fn read_member_fill(
        &self,
        ix: &Index<'_>,
        out: &mut Report,
        id: MemberId,
        f: &ast::FillValue,
    ) -> Option<Apply> {
        let kind = ix.model.members.get(id.index())?.kind;
        let Some(body::index::Part::Value(v)) =
            types::line_of(ix.model, kind).into_iter().find_map(|k| ix.part(k, &f.name.text))
        else {
            let attr = |k: &KindId| matches!(ix.part(*k, &f.name.text), Some(body::index::Part::Attr(_)));
            if types::line_of(ix.model, kind).iter().any(attr) {
                let message = format!("`{}` is an attribute: a member gives its value with `:`", f.name.text);
                let d = Diagnostic::error(codes::UNKNOWN_ATTR, f.name.span, message);
                out.push(d.help(format!("write `{}: …`", f.name.text)));
            } else {
                report_no_part(ix, out, kind, &f.name);
            }
            return None;
        };
        ix.notes.note(f.name.span, Def::Value(v));
        let decl = ix.model.values.get(v.index())?;
        let mut cx = self.new_cx(ix, out, Mode::Pure("a value"));
        cx.member = Some(id);
        self.bind_renamed(&mut cx, kind, &decl.body, f.params.as_deref());
        let e = cx.check_held(&f.value, &decl.ty, "the value");
        let b = close_body(cx, decl.body.params, e);
        Some(Box::new(move |m| m.members[id.index()].fills.push((v, b))))
    }

    fn read_member_rule(
        &self,
        ix: &Index<'_>,
        out: &mut Report,
        id: MemberId,
        f: &ast::FillRule,
    ) -> Option<Apply> {
        let kind = ix.model.members.get(id.index())?.kind;
        let Some(body::index::Part::Rule(r)) =
            types::line_of(ix.model, kind).into_iter().find_map(|k| ix.part(k, &f.name.text))
        else {
            report_no_part(ix, out, kind, &f.name);
            return None;
        };
        ix.notes.note(f.name.span, Def::Rule(r));
        let decl = ix.model.rules.get(r.index())?;
        let mut cx = self.new_cx(ix, out, Mode::Effect);
        cx.member = Some(id);
        self.bind_renamed(&mut cx, kind, &decl.body, f.params.as_deref());
        for l in decl.body.locals.iter().skip(decl.body.params) {
            cx.new_local(&l.name, l.ty.clone(), l.span);
        }
        cx.me = Me::Is(decl.me);
        cx.within.rule = Some(r);
        cx.within.gives = Some(decl.gives.clone()).filter(|t| *t != Ty::Nothing);
        if let Some(this) = cx.this.clone() {
            cx.owner = Some(build::builtin(
                Builtin::OwnerOf,
                vec![this],
                types::maybe(types::player()),
                f.name.span,
            ));
        }
        body::assign::collect_assigned(&f.body, &mut cx.reassigned);
        let from = cx.locals.len();
        let block = cx.read_block(&f.body);
        body::stmt::must_give(&mut cx, decl, &block, f.body.span);
        cx.warn_unused(from, "the name");
        let b = close_body(cx, decl.body.params, block);
        Some(Box::new(move |m| m.members[id.index()].rule_fills.push((r, b))))
    }

    /// The parameters of a slot, by the names that the member gives them.
    fn bind_renamed<T>(&self, cx: &mut Cx<'_>, kind: KindId, b: &Body<T>, names: Option<&[ast::Name]>) {
        for (i, l) in b.locals.iter().take(b.params).enumerate() {
            let own = names.filter(|_| i > 0).and_then(|n| n.get(i - 1));
            let (name, at) = own.map_or((&*l.name, l.span), |n| (n.text.as_str(), n.span));
            // Of the member's own kind, which may be one of the kinds of what declares it.
            let ty = if i == 0 { Ty::Of(kind) } else { l.ty.clone() };
            let id = cx.new_local(name, ty.clone(), at);
            if i == 0 {
                cx.this = Some(build::local(id, ty, l.span));
            } else {
                cx.call_it(name, id);
            }
        }
    }

    // ── Menus and actions ────────────────────────────────────────────────────────────────────────────────

    fn read_ending(&self, cx: &mut Cx<'_>, e: &ast::Ending, span: Span) -> MenuEnding {
        let who = e.who.as_ref().map(|w| cx.read_as(w, &types::player(), "who it is about"));
        let when = cx.read_cond(&e.when, "when it ends");
        let text = e.text.as_ref().map(|t| cx.read_text(t));
        MenuEnding { verdict: body::stmt::to_verdict(e.outcome), who, when, text, span }
    }

    fn read_menu(&self, ix: &Index<'_>, out: &mut Report, id: MenuId, d: &ast::MenuDecl) -> Option<Apply> {
        let mut menu = ix.model.menus.get(id.index())?.clone();
        let mut cx = self.new_cx(ix, out, Mode::Pure("a menu"));
        let me = cx.new_local("me", types::player(), d.name.span);
        cx.me = Me::Is(me);
        cx.in_menu = true;
        for p in d.params.iter().flatten() {
            let asks = match &p.kind {
                ast::ParamKind::Choice { from, .. } => Some(from.span),
                ast::ParamKind::Typed { of, filter, .. } => of.as_ref().or(filter.as_ref()).map(|e| e.span),
            };
            if let Some(span) = asks {
                let _ = cx.report_not_played(span, "conditions on parameters of menus");
            }
            if let Some(p) = read_param(&mut cx, p) {
                menu.params.push(p);
            }
        }
        for p in &d.parts {
            use ast::MenuPartKind as P;
            let way = |cx: &mut Cx<'_>, w: &ast::Way| Ending {
                title: w.title.as_ref().map(|t| cx.read_text(t)),
                when: w.when.as_ref().map(|e| cx.read_cond(e, "the condition of `needs`")),
                reason: w.reason.as_ref().map(|t| cx.read_lenient_text(t)),
                span: p.span,
            };
            let again = match &p.kind {
                P::Done(_) if menu.done.is_some() => Some("done"),
                P::Pass(_) if menu.pass.is_some() => Some("pass"),
                P::Open { .. } if menu.open.is_some() => Some("open"),
                P::NoDeadEnds(_) if menu.no_dead_ends.is_some() => Some("no dead ends"),
                _ => None,
            };
            if let Some(word) = again {
                cx.push(body::hints::report_said_twice(p.span, word));
            }
            match &p.kind {
                P::Done(w) => menu.done = Some(way(&mut cx, w)),
                P::Pass(w) => menu.pass = Some(way(&mut cx, w)),
                // Behind the menu's guards: where one of them says no, nothing more is asked.
                P::Open { when, reason } => {
                    let c = cx.read_in_scope(|cx| {
                        menu.needs.iter().for_each(|g| cx.learn(&g.cond, true));
                        cx.read_cond(when, "the condition of `open when`")
                    });
                    let c = menu.needs.iter().rev().fold(c, |c, g| {
                        let no = ExprKind::Not(g.cond.clone());
                        let no = build::expr(Ty::Bool, g.cond.span, no);
                        build::expr(Ty::Bool, c.span, ExprKind::Or(no, c))
                    });
                    menu.open = Some((c, reason.as_ref().map(|t| cx.read_lenient_text(t))));
                }
                P::Ending(e) => menu.endings.push(self.read_ending(&mut cx, e, p.span)),
                P::Needs(n) => {
                    let guard = cx.read_in_scope(|cx| {
                        menu.needs.iter().for_each(|g| cx.learn(&g.cond, true));
                        cx.read_guard(n, p.span)
                    });
                    menu.needs.push(guard);
                }
                P::Bad => {}
                P::Cost(_) => drop(cx.report_not_played(p.span, "costs")),
                P::Clock(all) => self.read_clock(&mut cx, &mut menu, all, p.span),
                P::NoDeadEnds(reason) => {
                    menu.no_dead_ends = Some((p.span, reason.as_ref().map(|t| cx.read_lenient_text(t))));
                }
                P::Must(ast::Must::Leave(n)) => menu.leaves.push(cx.read_must_leave(n, p.span)),
                P::Must(ast::Must::Minimise(..) | ast::Must::Maximise(..)) if menu.best.is_some() => {
                    let d = Diagnostic::error(
                        body::codes::WRONG_FORM,
                        p.span,
                        "a menu has at most one `must minimise` or `must maximise`",
                    );
                    cx.push(d.help(
                        "write a second number after `then`: `must minimise V, then W`; `-W` reverses its order",
                    ));
                }
                P::Must(
                    must @ (ast::Must::Minimise(values, reason) | ast::Must::Maximise(values, reason)),
                ) => {
                    let role = "the value after `must minimise` or `must maximise`";
                    menu.best = Some(Best {
                        least: matches!(must, ast::Must::Minimise(..)),
                        values: values.iter().map(|e| cx.read_number_of(e, role)).collect(),
                        reason: reason.as_ref().map(|t| cx.read_lenient_text(t)),
                        span: p.span,
                    });
                }
                P::Has(_) => drop(cx.report_not_played(p.span, "state of a menu's own")),
            }
        }
        if let (Some(clock), None, None) = (&menu.clock, &menu.done, &menu.pass) {
            let message = "when the clock runs out, the player leaves the menu; this menu has neither `done` nor `pass`";
            let d = Diagnostic::error(body::codes::WRONG_FORM, clock.span, message);
            cx.push(d.help("write when the player may leave the menu: `done when …`"));
        }
        if let (Some((span, _)), None) = (&menu.no_dead_ends, &menu.done) {
            let d = Diagnostic::error(
                body::codes::WRONG_FORM,
                *span,
                "`no dead ends` needs `done`: a menu without `done` ends with its first action",
            );
            cx.push(d.help("write when the player may leave the menu: `done when …`"));
        }
        menu.locals = cx.locals;
        Some(Box::new(move |m| m.menus[id.index()] = menu))
    }

    /// `clock e seconds or f choices`.
    fn read_clock(&self, cx: &mut Cx<'_>, menu: &mut Menu, all: &[(ast::Expr, ast::ClockUnit)], span: Span) {
        if menu.clock.is_some() {
            let d = Diagnostic::error(body::codes::WRONG_FORM, span, "a menu has at most one `clock`");
            cx.push(d.help("write seconds and choices in one line: `clock 60 seconds or 8 choices`"));
            return;
        }
        let mut clock = MenuClock { seconds: None, choices: None, span };
        for (e, unit) in all {
            let e = cx.read_number_or_none(e, "the limit of a clock");
            if types::bounds(&e.ty).is_some_and(|(_, hi)| hi < 1) {
                let d = Diagnostic::error(
                    body::codes::OUTSIDE,
                    e.span,
                    "a clock runs for at least one second or one choice",
                );
                cx.push(d.help("write `none` for a clock that does not run"));
            }
            let place = match unit {
                ast::ClockUnit::Seconds => &mut clock.seconds,
                ast::ClockUnit::Choices => &mut clock.choices,
            };
            if place.is_some() {
                let d = Diagnostic::error(body::codes::WRONG_FORM, e.span, "this limit is given twice");
                cx.push(d.help("write seconds, choices, or both: `clock 60 seconds or 8 choices`"));
            }
            *place = Some(e);
        }
        menu.clock = Some(clock);
    }

    /// Reads an action, or its parameters alone.
    fn read_action(
        &self,
        ix: &Index<'_>,
        out: &mut Report,
        id: ActionId,
        d: &ast::ActionDecl,
        params_alone: bool,
    ) -> Option<Apply> {
        let mut action = ix.model.actions.get(id.index())?.clone();
        action.params.clear();
        for n in &d.menus {
            match ix
                .things(&n.text)
                .iter()
                .find_map(|t| if let body::index::Thing::Menu(m) = t { Some(*m) } else { None })
            {
                Some(m) => {
                    ix.notes.note(n.span, Def::Menu(m));
                    if action.menus.contains(&m) {
                        out.push(body::hints::report_said_twice(n.span, &n.text));
                    } else {
                        action.menus.push(m);
                    }
                }
                None => {
                    let names: Vec<&str> = ix.model.menus.iter().map(|m| &*m.name).collect();
                    report_unknown(
                        ix,
                        out,
                        codes::UNKNOWN_MENU,
                        n,
                        format!("there is no menu `{}`", n.text),
                        &names,
                    );
                }
            }
        }
        let mut cx = self.new_cx(ix, out, Mode::Pure("a guard"));
        let me = cx.new_local("me", types::player(), d.name.span);
        cx.me = Me::Is(me);
        // A menu's parameters come first; the action knows them by their names.
        if let Some(menu) = action.menus.first().and_then(|m| ix.model.menus.get(m.index())) {
            let mut names = vec![(LocalId(0), me)];
            for p in &menu.params {
                if let Some(l) = menu.locals.get(p.local.index()) {
                    let l2 = cx.new_local(&l.name, l.ty.clone(), l.span);
                    cx.call_it(&l.name, l2);
                    names.push((p.local, l2));
                }
            }
            // Its guards are asked first.
            menu.needs.iter().for_each(|g| cx.learn_as(&g.cond, &names));
        }
        // An action of a component has one more parameter, first: the component, called like its kind.
        let carrier = match &action.carrier {
            Some(Carrier::Kind(k)) => Some(*k),
            Some(Carrier::Member(id)) => ix.model.members.get(id.index()).map(|m| m.kind),
            None => None,
        };
        if let Some(k) = carrier {
            let ty = Ty::Of(k);
            let this = cx.new_local(&body::types::name(ix.model, k).to_lowercase(), ty.clone(), d.name.span);
            let of = |kind, ty| Expr { ty, span: d.name.span, kind: Box::new(kind) };
            let this_is = build::local(this, ty.clone(), d.name.span);
            let owner = cx.new_local("owner", body::types::player(), d.name.span);
            let holder = ExprKind::Builtin(Builtin::Holder, vec![this_is.clone()]);
            action.head.push(HeadStep::Let(owner, of(holder, body::types::maybe(body::types::player()))));
            action.params.push(Param {
                local: this,
                from: of(ExprKind::All(k), body::types::set_of(ty)),
                many: Many::One,
                filter: None,
                span: d.name.span,
            });
            // No name in the rules stands for it, so it need not be used.
            if let Some(n) = cx.uses.get_mut(this.index()) {
                *n += 1;
            }
            cx.this = Some(this_is);
            cx.member = if let Some(Carrier::Member(m)) = &action.carrier { Some(*m) } else { None };
            cx.owner = Some(build::local(owner, body::types::player(), d.name.span));
        }
        for p in &d.params {
            if let Some(p) = read_param(&mut cx, p) {
                action.params.push(p);
            }
        }
        if params_alone {
            let (params, locals) = (action.params, cx.locals);
            return Some(Box::new(move |m| {
                (m.actions[id.index()].params, m.actions[id.index()].locals) = (params, locals);
            }));
        }
        action.said = read_title(&mut cx, d.title.as_ref(), &action);
        if let Some(t) = &d.title {
            let mut before = t.parts.iter().map_while(|p| match p {
                ast::TextPart::Literal(s, _) => Some(s.trim()),
                ast::TextPart::Hole(_) => None,
            });
            if let Some(s) = before.find(|s| !s.is_empty()) {
                action.title = s.into();
            }
        }
        let mut paid = Block::new();
        for c in &d.clauses {
            match c {
                ast::ActionClause::Cost(e) => {
                    let cost = cx.read_cost(e);
                    action.head.extend(cost.guards.into_iter().map(HeadStep::Needs));
                    paid.extend(cost.payments);
                }
                ast::ActionClause::Once(o) => {
                    o.per.iter().for_each(|n| cx.read_per(n, false));
                    if action.once.is_some() {
                        cx.push(body::hints::report_said_twice(d.name.span, "once"));
                    }
                    action.once = Some(body::attach::read_once(o));
                }
                ast::ActionClause::When(e) => {
                    let when = cx.read_cond(e, "the condition of `when`");
                    cx.learn(&when, true);
                    action.when = Some(Cx::and_opt(action.when.take(), when));
                }
            }
        }
        if let Some(b) = &d.body {
            body::assign::collect_assigned(b, &mut cx.reassigned);
            let head = b
                .stmts
                .iter()
                .take_while(|s| {
                    matches!(
                        s.kind,
                        ast::StmtKind::Let(..)
                            | ast::StmtKind::Needs(_)
                            | ast::StmtKind::Must(_)
                            | ast::StmtKind::Pay(_)
                    )
                })
                .count();
            // A `let` behind the last guard belongs to the effect.
            let last = b.stmts[..head]
                .iter()
                .rposition(|s| !matches!(s.kind, ast::StmtKind::Let(..)))
                .map_or(0, |i| i + 1);
            for s in &b.stmts[..last] {
                let mut read = Block::new();
                let pays = matches!(s.kind, ast::StmtKind::Pay(_));
                cx.read_stmt(s, &mut read);
                for s in read {
                    match s.kind {
                        StmtKind::Needs(g) => action.head.push(HeadStep::Needs(g)),
                        _ if pays => paid.push(s),
                        StmtKind::Let(l, e) => action.head.push(HeadStep::Let(l, e)),
                        StmtKind::MustLeave(g) => action.head.push(HeadStep::MustLeave(g)),
                        _ => {}
                    }
                }
            }
            cx.mode = Mode::Effect;
            let rest = &b.stmts[last..];
            if let Some(s) =
                rest.iter().find(|s| matches!(s.kind, ast::StmtKind::Needs(_) | ast::StmtKind::Pay(_)))
            {
                let d = Diagnostic::error(
                    body::codes::LATE_GUARD,
                    s.span,
                    "a guard must come before the action's first effect",
                );
                cx.push(d.help("move `needs` up, before the first statement that changes something"));
            }
            action.body = cx.read_stmts(rest);
            cx.warn_unused(0, "the name");
        }
        // Paid before anything else is done.
        action.body.splice(0..0, paid);
        action.locals = cx.locals;
        let menus = action.menus.clone();
        Some(Box::new(move |m| {
            m.actions[id.index()] = action;
            for menu in menus {
                m.menus[menu.index()].actions.push(id);
            }
        }))
    }

    fn read_look(&self, ix: &Index<'_>, out: &mut Report, l: &ast::Look) -> Option<Apply> {
        let Some(k) = ix.kind(&l.of.text) else {
            let names: Vec<&str> = ix.model.kinds.iter().map(|k| &*k.name).collect();
            report_unknown(
                ix,
                out,
                codes::UNKNOWN_KIND,
                &l.of,
                format!("there is no kind `{}`", l.of.text),
                &names,
            );
            return None;
        };
        ix.notes.note(l.of.span, Def::Kind(k));
        let mut rows = Vec::new();
        self.read_look_rows(ix, out, k, &l.body, false, &mut rows);
        Some(Box::new(move |m| m.kinds[k.index()].look.extend(rows)))
    }

    fn read_look_rows(
        &self,
        ix: &Index<'_>,
        out: &mut Report,
        k: KindId,
        b: &ast::LookBody,
        back: bool,
        rows: &mut Vec<LookRow>,
    ) {
        for p in &b.parts {
            match p {
                ast::LookPart::Group(name, inner) => {
                    if name.text != "back" {
                        let message = format!("a look has no entry `{}`", name.text);
                        report_unknown(ix, out, codes::UNKNOWN_LOOK, name, message, &["back"]);
                    }
                    self.read_look_rows(ix, out, k, inner, true, rows);
                }
                ast::LookPart::Row { slot, place, value, span } => {
                    if !LOOK_SLOTS.contains(&slot.text.as_str()) {
                        let message = format!("a look has no entry `{}`", slot.text);
                        report_unknown(ix, out, codes::UNKNOWN_LOOK, slot, message, &LOOK_SLOTS);
                    }
                    let mut cx = self.cx_of_thing(ix, out, Some(k), "a look", *span);
                    let e = cx.read_expr(value, None);
                    let expr = close_body(cx, 2, e);
                    let place = place.as_ref().map(|p| p.text.as_str().into());
                    rows.push(LookRow { back, slot: slot.text.as_str().into(), place, expr });
                }
            }
        }
    }

    fn read_outcome(
        &self,
        ix: &Index<'_>,
        out: &mut Report,
        o: &ast::OutcomeKind,
        span: Span,
    ) -> Option<Apply> {
        let outcome = match o {
            ast::OutcomeKind::Together => Outcome::Together,
            ast::OutcomeKind::Each => Outcome::Each,
            ast::OutcomeKind::Win => Outcome::Win,
            ast::OutcomeKind::Ranking(n) => {
                let all = || {
                    let values = ix.model.values.iter().enumerate();
                    values.filter(|(_, v)| matches!(v.role, ValueRole::Ranking(_)))
                };
                match all().find(|(_, v)| *v.name == *n.text) {
                    Some((i, _)) => {
                        ix.notes.note(n.span, Def::Value(ValueId(i as u32)));
                        Outcome::Ranking(ValueId(i as u32))
                    }
                    None => {
                        let names: Vec<&str> = all().map(|(_, v)| &*v.name).collect();
                        let message = format!("there is no ranking `{}`", n.text);
                        report_unknown(ix, out, body::codes::NO_NAME, n, message, &names);
                        return None;
                    }
                }
            }
            ast::OutcomeKind::Highest(e) | ast::OutcomeKind::Lowest(e) => {
                let high = matches!(o, ast::OutcomeKind::Highest(_));
                let Some(n) = e.as_name() else {
                    out.push(body::unsupported::not_played(span, "an outcome that is not a name"));
                    return None;
                };
                let value = ix.things(&n.text).iter().find_map(|t| match t {
                    body::index::Thing::Value(v) => Some(*v),
                    _ => None,
                });
                let attr = match ix.part(builtin_kinds::PLAYER, &n.text) {
                    Some(body::index::Part::Attr(a)) => Some(a),
                    _ => None,
                };
                let meant = value.map(Def::Value).or(attr.map(Def::Attr));
                meant.into_iter().for_each(|d| ix.notes.note(n.span, d));
                let what = "the value that `outcome` compares";
                if let Some(v) = value {
                    number_of_player(ix.model, out, v, what, n.span);
                } else if let Some(a) = attr.and_then(|a| ix.model.attrs.get(a.index())) {
                    check_number(ix.model, out, &a.ty, what, n.span);
                }
                match (value, attr) {
                    (Some(v), _) if high => Outcome::Highest(v),
                    (Some(v), _) => Outcome::Lowest(v),
                    (None, Some(a)) if high => Outcome::HighestAttr(a),
                    (None, Some(a)) => Outcome::LowestAttr(a),
                    (None, None) => {
                        let mut names: Vec<&str> = ix.model.values.iter().map(|v| &*v.name).collect();
                        names.extend(ix.parts_of(builtin_kinds::PLAYER).into_iter().map(|(n, _)| n));
                        let message = format!(
                            "there is no value of a player and no attribute of players called `{}`",
                            n.text
                        );
                        report_unknown(ix, out, body::codes::NO_NAME, n, message, &names);
                        return None;
                    }
                }
            }
        };
        Some(Box::new(move |m| m.outcome = outcome))
    }
}

/// A parameter of a menu or action, bound as the next local.
/// The title of an action: its texts and the numbers of the parameters in its holes. Parameters that no hole names follow behind.
fn read_title(cx: &mut Cx<'_>, t: Option<&ast::Text>, action: &Action) -> Vec<TitlePart> {
    let of_menu =
        action.menus.first().and_then(|m| cx.model().menus.get(m.index())).map_or(0, |m| m.params.len());
    // The locals of the menu's parameters come right after `me`.
    let locals = (1..=of_menu as u32).map(LocalId).chain(action.params.iter().map(|p| p.local));
    let locals: Vec<LocalId> = locals.collect();
    let mut out = Vec::new();
    if t.is_none() {
        out.push(TitlePart::Text(action.title.clone()));
    }
    for part in t.iter().flat_map(|t| &t.parts) {
        match part {
            ast::TextPart::Literal(s, _) => out.push(TitlePart::Text(s.as_str().into())),
            ast::TextPart::Hole(e) => {
                let read = cx.read_expr(e, None);
                let at = match &*read.kind {
                    ExprKind::Local(l) => locals.iter().position(|x| x == l),
                    ExprKind::Error => continue,
                    _ => None,
                };
                let Some(at) = at else {
                    let message = "a title shows only the parameters of its action";
                    let d = Diagnostic::error(body::codes::WRONG_FORM, e.span, message);
                    cx.push(d.help("write the name of a parameter in the hole; to log more, write `say \"…\"` in the action"));
                    continue;
                };
                let part = TitlePart::Param(at as u8);
                if out.contains(&part) {
                    let message = "the title shows this parameter twice";
                    let d = Diagnostic::error(body::codes::WRONG_FORM, e.span, message);
                    cx.push(d.help("leave one of the holes out"));
                }
                out.push(part);
            }
        }
    }
    let unnamed: Vec<TitlePart> =
        (0..locals.len() as u8).map(TitlePart::Param).filter(|p| !out.contains(p)).collect();
    for (i, param) in unnamed.into_iter().enumerate() {
        out.push(TitlePart::Text(
            if i > 0 {
                ", "
            } else if t.is_some() {
                ": "
            } else {
                " "
            }
            .into(),
        ));
        out.push(param);
    }
    out
}

fn read_param(cx: &mut Cx<'_>, p: &ast::Param) -> Option<Param> {
    if let Some(e) = &p.default {
        let _ = cx.report_not_played(e.span, "parameters with a default");
    }
    let (from, many, filter) = match &p.kind {
        ast::ParamKind::Choice { many, from } => {
            let set = match &*from.kind {
                ast::ExprKind::Where(s, f) => cx.read_where(s, f, from.span, None),
                _ => cx.read_source(from, None, None),
            };
            let set = cx.read_collection(set, "what is chosen from");
            (set, cx.read_many(many, "how many are chosen"), None)
        }
        ast::ParamKind::Typed { ty, of, filter } => {
            let set = match (&ty.kind, of) {
                (ast::TypeKind::Named(k), Some(owner)) => cx.read_kind_of(k, owner, p.span),
                (ast::TypeKind::Named(k), None) => {
                    let name = ast::Expr::new(
                        if k.is_kind() {
                            ast::ExprKind::Kind(k.clone())
                        } else {
                            ast::ExprKind::Name(k.clone())
                        },
                        ty.span,
                    );
                    if k.text == "player" {
                        build::players(ty.span)
                    } else if k.text == "bool" {
                        let d = cx.report_not_played(ty.span, "yes and no as parameters");
                        build::error(d.span)
                    } else if k.text == "team" {
                        let message = "an action cannot have a team as a parameter";
                        let d = Diagnostic::error(body::codes::WRONG_FORM, ty.span, message);
                        cx.push(d.help("write a player, `p: player`, and use `team(p)`"));
                        build::error(ty.span)
                    } else {
                        cx.read_source(&name, None, None)
                    }
                }
                (ast::TypeKind::Range(a, b), None) => {
                    let range = ast::Expr::new(ast::ExprKind::Range(Some(a.clone()), b.clone()), ty.span);
                    cx.read_expr(&range, None)
                }
                _ => cx.report_not_played(ty.span, "parameters of this type"),
            };
            (set, Many::One, filter.as_ref())
        }
    };
    let element = types::element(cx.model(), &from.ty).unwrap_or(Ty::Error);
    let ty = match many {
        Many::One => element.clone(),
        Many::Subset { .. } => types::set_of(element.clone()),
    };
    let local = cx.bind(&p.name, ty.clone());
    cx.note_unique(local, &from);
    let filter = filter.map(|f| {
        let it = build::local(local, ty, p.name.span);
        cx.read_candidate_filter(f, it)
    });
    // What is picked has passed its filter.
    if let Some(f) = &filter {
        cx.learn(f, true);
    }
    if let (Many::One, ExprKind::Where(_, it, f)) = (&many, &*from.kind) {
        cx.learn_as(f, &[(*it, local)]);
    }
    Some(Param { local, from, many, filter, span: p.span })
}

/// Where `win when` for all players makes no sense: what to write instead.
fn what_decides(model: &Model) -> Option<&'static str> {
    match model.outcome {
        Outcome::Together | Outcome::Each => None,
        Outcome::Win if model.players.1 <= 1 => None,
        Outcome::Win => Some(
            "write who wins: `win p` in a rule, or `win p when C` in a menu; or `outcome together` if all players win together",
        ),
        _ => Some("the outcome decides who wins: write `ends when C \"…\"` in the `game` declaration"),
    }
}

/// What a member's bag holds: each of its numbers is set.
fn set_parts(id: MemberId, parts: Vec<(AttrId, Expr)>, locals: Body<()>) -> Apply {
    Box::new(move |m| {
        let sets = &mut m.members[id.index()].sets;
        for (part, body) in parts {
            let Body { locals, params, .. } = locals.clone();
            sets.retain(|(x, _)| *x != part);
            sets.push((part, Body { locals, params, body }));
        }
    })
}

fn close_body<T>(cx: Cx<'_>, params: usize, body: T) -> Body<T> {
    Body { params: params.min(cx.locals.len()), locals: cx.locals, body }
}

fn report_unknown(
    ix: &Index<'_>,
    out: &mut Report,
    code: houserule_text::Code,
    n: &ast::Name,
    message: String,
    names: &[&str],
) {
    ix.notes.note_could(n.span, names.iter().map(|n| n.to_string()).collect());
    let d = Diagnostic::error(code, n.span, message);
    out.push(suggest::suggest_word(d, &n.text, names.iter().copied(), "declare it first"));
}

/// What the engine asks of each player must be a value of one player and a number.
fn number_of_player(model: &Model, out: &mut Report, v: ValueId, what: &str, span: Span) {
    let Some(value) = model.values.get(v.index()) else { return };
    let params: Vec<&Ty> = value.body.locals.iter().take(value.body.params).map(|l| &l.ty).collect();
    let teams = params == [&Ty::Of(builtin_kinds::TEAM)] && !matches!(value.role, ValueRole::Heuristic);
    if params == [&types::player()] {
        check_number(model, out, &value.ty, what, span);
    } else if !params.contains(&&Ty::Error) {
        let message = format!("{what} must have one player as its parameter: `{}(p: player)`", value.name);
        let d = Diagnostic::error(body::codes::WRONG_TYPE, span, message);
        let d = if value.span == span { d } else { d.also(value.span, "declared here") };
        out.push(if teams {
            d.help("compare teams by a ranking: `outcome ranking final`, and `ranking final(t: team) { … }`")
        } else {
            let word = if matches!(value.role, ValueRole::Heuristic) { "heuristic" } else { "value" };
            d.help(format!(
                "write `{word} {}(p: player): int = …`, with what it is worth to the player p",
                value.name
            ))
        });
    }
}

fn check_number(model: &Model, out: &mut Report, ty: &Ty, what: &str, span: Span) {
    if !matches!(ty, Ty::Int(..) | Ty::Error) {
        let is = types::show(model, ty);
        let d = Diagnostic::error(
            body::codes::NOT_A_NUMBER,
            span,
            format!("{what} must be a number, but this is {is}"),
        )
        .label(is);
        out.push(match ty {
            Ty::Maybe(_) => {
                d.help("write the number to use instead of none: `… default 0`, or declare it without `?`")
            }
            Ty::Bool => d.help("write a number for each case: `if … then 1 else 0`"),
            _ => d.help("write what is counted: `count(…)`, or an attribute that is a number"),
        });
    }
}

fn report_no_part(ix: &Index<'_>, out: &mut Report, kind: KindId, n: &ast::Name) {
    let names: Vec<&str> =
        types::line_of(ix.model, kind).into_iter().flat_map(|k| ix.parts_of(k)).map(|(n, _)| n).collect();
    let name = types::name(ix.model, kind);
    let message = format!("`{name}` has no `{}`", n.text);
    report_unknown(ix, out, codes::UNKNOWN_ATTR, n, message, &names);
    if let Some(d) = out.findings.last_mut().filter(|d| d.fix.is_none()) {
        d.help = Some(format!("declare the attribute in the kind first: `{}: int` in `{name}`", n.text));
    }
}
