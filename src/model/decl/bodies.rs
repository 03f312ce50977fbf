//! Reads every expression and block of the declarations, in the order of their dependencies: values and defaults, menus, actions, the rest.
use super::{Declarer, Job, legacy, map_pictures};
use crate::body::cx::{Cx, Me, Mode};
use crate::body::index::Index;
use crate::body::look_rows::LOOK_SLOTS;
use crate::body::{self, build, types};
use crate::hir::*;
use crate::uses::Def;
use crate::{codes, suggest};
use houserule_syntax::ast;
use houserule_text::{Diagnostic, Report, Span};
use rustc_hash::FxHashMap as HashMap;

/// What a read body changes in the model.
pub(super) type Apply = Box<dyn FnOnce(&mut Model)>;

fn rank_of(j: &Job<'_>) -> u8 {
    match j {
        Job::Again(j) => rank_of(j),
        // What a die's value may be and how large a map may be is asked by all the others; whether a line is a text, by what reads it.
        Job::MemberFaces(..) | Job::MapSize(..) => 0,
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
        | Job::Legacy(..)
        | Job::Ending(..) => 5,
        _ => 2,
    }
}

/// The values that anything in the text modifies.
fn list_modified(jobs: &[Job<'_>]) -> HashMap<String, Span> {
    let attached: Vec<_> =
        jobs.iter().filter_map(|j| if let Job::Attach(_, a, _) = j { Some(*a) } else { None }).collect();
    let blocks: Vec<_> = jobs
        .iter()
        .filter_map(|j| match j {
            Job::Rule(_, b) | Job::Refill(_, b) | Job::Setup(_, b) => Some(*b),
            Job::Round(r, _) => Some(&r.body),
            Job::Action(_, d) => d.body.as_ref(),
            Job::MemberRule(_, f) => Some(&f.body),
            Job::Test(_, t, _) => Some(&t.body),
            _ => None,
        })
        .collect();
    body::through::list_modified(&attached, &blocks)
}

/// Reads conditions and sets that are values once before all values, so that each may rely on what others say, in any order of the text. What finds something is tried again with
/// those that are read by then; the findings themselves come with the second reading.
fn read_values_ahead(
    model: &mut Model,
    reader: &Reader<'_>,
    jobs: &[Job<'_>],
    modified: &HashMap<String, Span>,
) {
    let is_wanted = |j: &&Job<'_>| match j {
        Job::Value(v, _) => {
            let ty = model.values.get(v.index()).map(|v| &v.ty);
            ty.is_some_and(|t| matches!(t, Ty::Bool | Ty::Set(_)))
        }
        _ => false,
    };
    let mut left: Vec<&Job<'_>> = jobs.iter().filter(is_wanted).collect();
    for _ in 0..4 {
        let mut done: Vec<Apply> = Vec::new();
        let mut ix = Index::new(model);
        ix.modified.clone_from(modified);
        left.retain(|j| {
            let mut unread = Report::default();
            let apply = reader.read_job(&ix, &mut unread, j).filter(|_| !unread.has_errors());
            let is_read = apply.is_some();
            done.extend(apply);
            !is_read
        });
        drop(ix);
        if done.is_empty() {
            return;
        }
        done.into_iter().for_each(|apply| apply(model));
    }
}

impl<'t> Declarer<'t> {
    /// Reads all bodies that wait.
    pub fn read_bodies(&mut self) {
        self.read_pictures();
        self.read_ways();
        self.declare_in_play();
        let patches = self.declare_patches();
        let jobs = std::mem::take(&mut self.jobs);
        self.declare_ordered(&jobs);
        // `discards to` is asked for by statements read earlier than its own body.
        let discards =
            jobs.iter().filter_map(|j| if let Job::Discards(k, ..) = j { Some(*k) } else { None }).collect();
        let costs = super::menu_costs::list_costs(&jobs);
        let reader = Reader { families: &self.families, discards: &discards, costs };
        let mut face_reads = Vec::new();
        let modified = list_modified(&jobs);
        for pass in 0..=6 {
            let mut done: Vec<Apply> = Vec::new();
            if pass == 2 {
                read_values_ahead(&mut self.model, &reader, &jobs, &modified);
            }
            if pass == 4 {
                // What layers in one action's effect attach to another binds its parameters.
                let (mut ix, mut unread) = (Index::new(&self.model), Report::default());
                ix.modified.clone_from(&modified);
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
                let mut ix = Index::new(&self.model);
                ix.modified.clone_from(&modified);
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
            if pass == 2 {
                super::growing::fill_in_play(&mut self.model, &mut self.report);
            }
        }
        super::test_scenarios::join_unknown_scenarios(&jobs, &mut self.report);
        // The game's own signs first, so that a scenario's hold over them.
        for map in &mut self.model.maps {
            map.legend.sort_by_key(|r| r.scope);
        }
        map_pictures::report_without_spaces(&self.model, &mut self.report);
        map_pictures::report_unexplained(&self.model, &mut self.report);
        body::turn_events::link_turn_events(&mut self.model);
        body::ordering::link_order(&mut self.model, &mut self.report);
        let left = body::leaving::link_leaving(&mut self.model, &mut self.report);
        body::phase_state::keep_outer_state(&mut self.model, &left);
        self.mark_assigned();
        body::unique::report_face_reads(&self.model, &face_reads, &mut self.report);
        body::out::link_out(&mut self.model, &mut self.report);
        body::lying::mark_face_down(&mut self.model);
        self.check_required();
        self.check_prints(&patches);
        self.check_component_options();
        if !self.report.has_errors() && !body::depth::check_depth(&self.model, &mut self.report) {
            self.read_images();
            body::acting::check_acting(&self.model, &mut self.report);
            body::supplies::check_supplies(&self.model, &mut self.report);
            body::unpayable::check_payable(&self.model, &mut self.report);
            body::phase_state::check_running(&self.model, &mut self.report);
            body::guards::check_secrets(&self.model, &mut self.report);
            body::must_leave::check_tried(&self.model, &mut self.report);
            body::unused::warn_unused(&self.model, &mut self.report);
            body::play_warnings::check_course(&self.model, &mut self.report);
            body::conflicts::warn_unordered(&self.model, &mut self.report);
        }
    }

    /// Which attributes anything assigns.
    fn mark_assigned(&mut self) {
        let mut found = rustc_hash::FxHashSet::default();
        {
            let m = &self.model;
            body::walk::visit_blocks(m, &mut |b| {
                body::walk::visit_stmts(b, &mut |s| {
                    if let StmtKind::Assign(Lhs::Attr(_, a) | Lhs::TableAttr(a), ..) = &s.kind {
                        found.insert(*a);
                    }
                });
            });
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
                    || attr.is_part
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
    pub(super) families: &'r rustc_hash::FxHashMap<MemberId, (String, Span)>,
    discards: &'r rustc_hash::FxHashSet<KindId>,
    /// What the actions of menus cost.
    pub(super) costs: rustc_hash::FxHashMap<MenuId, &'r ast::Cost>,
}

impl Reader<'_> {
    pub(super) fn new_cx<'a>(&self, ix: &'a Index<'a>, out: &'a mut Report, mode: Mode) -> Cx<'a> {
        let mut cx = Cx::new(ix, out, mode);
        cx.discards = self.discards.clone();
        cx
    }

    /// A body that looks at a thing of a kind and its owner: locals 0 and 1.
    pub(super) fn cx_of_thing<'a>(
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

    pub(super) fn member_cx<'a>(
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
                let (span, body) = (e.span, close_body(cx, 1, Some(e)));
                Some(Box::new(move |m| {
                    let out = ValueId(m.values.len() as u32);
                    let (name, ty, role) = ("out when".into(), Ty::Bool, ValueRole::Out);
                    m.values.push(Value { name, of: None, body, ty, role, span, doc: None, scope });
                    m.kinds[k.index()].out_when.push((scope, out));
                }))
            }
            Job::KindCopies(k, e) => {
                let k = *k;
                let mut cx = self.new_cx(ix, out, Mode::Pure("a number of copies"));
                let e = cx.read_number_of(e, "how many there are");
                Some(Box::new(move |m| m.kinds[k.index()].copies = Some(e)))
            }
            Job::MapSize(map, shape) => self.read_map_size(ix, out, *map, shape),
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
            Job::MemberBack(id, a, e) => self.read_member_value(ix, out, *id, *a, e),
            Job::Marks(id, column, marks) => self.read_marks(ix, out, *id, *column, marks),
            Job::Again(j) => self.read_job(ix, &mut Report::default(), j),
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
                if let (Some(Verdict::Win), Some(help)) = (ending.verdict, what_decides(model)) {
                    let message =
                        "`win when` at the top makes all players win, but in this game only one can win";
                    cx.push(Diagnostic::error(codes::WIN_OF_ALL, span, message).help(help));
                }
                let b = close_body(cx, 0, ending);
                Some(Box::new(move |m| m.endings.push((scope, b))))
            }
            Job::OrderBy(e) => self.read_order(ix, out, e),
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
                let (id, e) = legacy::read_option(ix, out, s)?;
                Some(Box::new(move |m| m.scopes[scope.index()].options.push((id, e))))
            }
            Job::Legacy(scope, rows) => {
                let rows = legacy::read_legacy(ix, out, *scope, rows);
                Some(Box::new(move |m| m.legacy.extend(rows)))
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
                    if let Some(place) = place {
                        let message = format!("a look has no place `{}`", place.text);
                        let d = Diagnostic::error(codes::UNKNOWN_LOOK, place.span, message);
                        out.push(d.help(format!("write `{}: …`", slot.text)));
                    }
                    let mut cx = self.cx_of_thing(ix, out, Some(k), "a look", *span);
                    let e = cx.read_expr(value, None);
                    let expr = close_body(cx, 2, e);
                    rows.push(LookRow { back, slot: slot.text.as_str().into(), expr });
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
pub(super) fn set_parts(id: MemberId, parts: Vec<(AttrId, Expr)>, locals: Body<()>) -> Apply {
    Box::new(move |m| {
        let sets = &mut m.members[id.index()].sets;
        for (part, body) in parts {
            let Body { locals, params, .. } = locals.clone();
            sets.retain(|(x, _)| *x != part);
            sets.push((part, Body { locals, params, body }));
        }
    })
}

pub(super) fn close_body<T>(cx: Cx<'_>, params: usize, body: T) -> Body<T> {
    Body { params: params.min(cx.locals.len()), locals: cx.locals, body }
}

pub(super) fn report_unknown(
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
