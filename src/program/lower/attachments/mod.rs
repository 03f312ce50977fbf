//! Aspect weaving: which attachments values and events have, who carries them, when they apply, and since when they are in force.
//!
//! The carriers of an attachment are a set expression that is made here, and whether it applies is a condition. Both are ordinary expressions in the names of the attachment,
//! so guards can lift them, and effects evaluate them once, on entering. [`crate::lower::attachments::values`] weaves them into values, [`crate::lower::attachments::events`] into events.
pub mod events;
pub mod values;

use crate::analysis::attached::Attached;
use crate::fn_builder::{Bind, FnBuild, Label};
use crate::ir::*;
use crate::layout::tables::{Layered, Layout, Tables};
use crate::lower::{Event, Lower};
use houserule_model::body::{build, types, walk};
use houserule_model::hir::*;
use houserule_text::Span;
use rustc_hash::FxHashMap as HashMap;
use std::rc::Rc;

/// The name of the candidate in these expressions; no rule uses it.
const CANDIDATE: LocalId = LocalId(1_000_000);

/// The condition that a name is not none.
pub fn is_somebody(owner: LocalId, span: Span) -> Expr {
    let owner = build::expr(types::maybe(types::player()), span, ExprKind::Local(owner));
    build::cond(span, ExprKind::IsSome(owner))
}

/// Whether an expression needs a name that is not none: it does more with it than compare it.
pub fn needs_name(e: &Expr, name: LocalId) -> bool {
    let is = |x: &Expr| matches!(&*x.kind, ExprKind::Local(l) if *l == name);
    let compares = matches!(&*e.kind, ExprKind::Compare(..) | ExprKind::In(..) | ExprKind::IsSome(_));
    is(e) && !types::is_maybe(&e.ty)
        || walk::subexprs(e).into_iter().any(|p| if compares && is(p) { false } else { needs_name(p, name) })
}

/// The name of the candidate among the carriers of an action.
const BEARER: LocalId = LocalId(999_999);

/// The name of the condition under which a zone is active; one name for each zone.
fn active_name(zone: usize) -> LocalId {
    LocalId(CANDIDATE.0 + 1 + zone as u32)
}

/// When an attachment came into force, in two registers: the clock of layers, then its place among those of the same time.
#[derive(Clone, Copy)]
pub struct Age {
    /// Clock.
    pub age: R,
    /// Place among equals.
    pub place: R,
}

/// The attachment that a search by age has found, in registers.
pub struct FoundByAge {
    /// Its age.
    pub age: Age,
    /// Its place among those that were searched, or none.
    pub which: R,
    /// Its carrier or layer.
    pub thing: R,
    /// The environment of each that was searched.
    pub envs: Vec<usize>,
}

impl Age {
    /// Allocates an age that is older than all, or younger than all.
    pub fn new(f: &mut FnBuild, youngest: bool) -> Age {
        let k = if youngest { i64::from(i32::MAX) } else { -1 };
        Age { age: f.load_number(k), place: f.load_number(k) }
    }

    /// Copies another age.
    pub fn copy_from(self, f: &mut FnBuild, from: Age) {
        f.emit(Ins::Mov { d: self.age, a: from.age });
        f.emit(Ins::Mov { d: self.place, a: from.place });
    }

    /// Jumps to `no` unless this age is before that.
    pub fn jump_unless_before(self, f: &mut FnBuild, that: Age, no: Label) {
        let base = f.next;
        let (t, u, v) = (f.alloc(1), f.alloc(1), f.alloc(1));
        f.emit(Ins::Lt { d: t, a: self.age, b: that.age });
        f.emit(Ins::Eq { d: u, a: self.age, b: that.age });
        f.emit(Ins::Lt { d: v, a: self.place, b: that.place });
        f.emit(Ins::And { d: u, a: u, b: v });
        f.emit(Ins::Or { d: t, a: t, b: u });
        f.jz(t, no);
        f.next = base;
    }
}

fn and(a: Option<Expr>, b: Expr) -> Option<Expr> {
    Some(match a {
        None => b,
        Some(a) => build::cond(b.span, ExprKind::And(a, b)),
    })
}

impl Layout<'_> {
    fn fits_kind(&self, a: &Attachment, h: &Head, k: KindId) -> bool {
        let m = self.m;
        let root = self.root(k);
        let same = |x: KindId| self.root(x) == root;
        let Some(Pattern::Test(_, e)) = h.patterns.first() else { return true };
        let mut fits = true;
        walk::visit_exprs(e, &mut |x| match &*x.kind {
            ExprKind::Local(l) if Some(*l) == a.this => {
                fits &= match &a.carrier {
                    Some(Carrier::Member(id)) => m.members.get(id.index()).is_some_and(|d| same(d.kind)),
                    Some(Carrier::Kind(k)) => same(*k),
                    None => true,
                }
            }
            ExprKind::IsFace(_, id, _) => fits &= m.members.get(id.index()).is_some_and(|d| same(d.kind)),
            ExprKind::IsKind(_, x) => fits &= same(*x),
            _ => {}
        });
        fits
    }

    /// Binds, in an environment, the conditions under which zones for things of a kind are active; each reads the candidate.
    fn zone_names(&self, f: &mut FnBuild, kind: KindId, env: usize) {
        for (i, z) in self.m.zones.iter().enumerate() {
            let Active::When(cond) = &z.active else { continue };
            if !self.set.has(z.scope) || !z.holds.iter().any(|k| self.root(*k) == self.root(kind)) {
                continue;
            }
            let it = build::expr(Ty::Of(kind), z.span, ExprKind::Local(CANDIDATE));
            let holder = ExprKind::Builtin(Builtin::Holder, vec![it.clone()]);
            let owner = build::expr(types::maybe(types::player()), z.span, holder);
            let own = [(LocalId(0), it), (LocalId(1), owner)];
            f.envs.push(own.into_iter().map(|(l, e)| (l, Bind::Alias(Rc::new(e), env))).collect());
            let at = f.envs.len() - 1;
            f.envs[env].insert(active_name(i), Bind::Alias(Rc::new(cond.body.clone()), at));
        }
    }

    /// The kind of a carrier.
    pub fn kind_of_carrier(&self, carrier: &Carrier) -> Option<KindId> {
        match carrier {
            Carrier::Kind(k) => Some(*k),
            Carrier::Member(id) => self.m.members.get(id.index()).map(|m| m.kind),
        }
    }

    /// The kind of component that carries an attachment.
    fn carried_by(&self, a: &Attachment) -> Option<KindId> {
        self.kind_of_carrier(a.carrier.as_ref()?).filter(|k| types::is_component(self.m, *k))
    }

    /// The components that show a member (or are of a kind) and lie in an active place, as a set expression.
    fn carriers_of(&self, carrier: &Carrier, span: Span) -> Option<Expr> {
        let m = self.m;
        let kind = self.kind_of_carrier(carrier)?;
        let member = match carrier {
            Carrier::Kind(_) => None,
            Carrier::Member(id) => Some(*id),
        };
        let of = Ty::Of(kind);
        let it = || build::expr(of.clone(), span, ExprKind::Local(CANDIDATE));
        let all = build::expr(types::set_of(of.clone()), span, ExprKind::All(kind));
        if !types::is_component(m, kind) {
            // Spaces and players are always active.
            return Some(all);
        }
        // `lies`: where the component must lie; `active`: the conditions under which that place is active.
        let (mut lies, mut active): (Option<Expr>, Option<Expr>) = (None, None);
        let mut always = true;
        for (i, z) in m.zones.iter().enumerate() {
            if !self.set.has(z.scope) || !z.holds.iter().any(|k| self.root(*k) == self.root(kind)) {
                continue;
            }
            if matches!(z.active, Active::Never) {
                continue;
            }
            let place = build::expr(Ty::Place, span, ExprKind::PlaceOf(None, ZoneId(i as u32), None));
            let mut here = build::cond(span, ExprKind::Builtin(Builtin::InZone, vec![it(), place]));
            lies = Some(match lies {
                None => here.clone(),
                Some(a) => build::cond(span, ExprKind::Or(a, here.clone())),
            });
            if matches!(z.active, Active::When(_)) {
                always = false;
                let cond = build::cond(span, ExprKind::Local(active_name(i)));
                here = build::cond(span, ExprKind::And(here, cond));
            }
            active = Some(match active {
                None => here,
                Some(a) => build::cond(span, ExprKind::Or(a, here)),
            });
        }
        let lies = lies.unwrap_or_else(|| build::cond(span, ExprKind::Bool(false)));
        let mut cond = match member {
            Some(id) => and(Some(lies), build::cond(span, ExprKind::IsFace(it(), id, None))),
            None => Some(lies),
        };
        // These conditions come last: few components are left then.
        if let (Some(active), false) = (active, always) {
            cond = and(cond, active);
        }
        Some(build::expr(all.ty.clone(), span, ExprKind::Where(all, CANDIDATE, cond?)))
    }

    /// The holder of a carrier, with the name that stands for it.
    pub fn owner_of(&self, a: &Attachment) -> Option<(LocalId, Expr)> {
        let (this, owner) = (a.this?, a.owner?);
        let ty = a.locals.get(this.index()).map_or(Ty::Error, |l| l.ty.clone());
        let this = build::expr(ty, a.span, ExprKind::Local(this));
        let maybe = types::maybe(types::player());
        Some((owner, build::expr(maybe, a.span, ExprKind::Builtin(Builtin::Holder, vec![this]))))
    }
}

impl<'m> Tables<'m> {
    /// The attachments in force on an event.
    pub fn attachments_around(&self, e: Event) -> Vec<Attached<'m>> {
        let m = self.m;
        let all = self.attachments(|t| match (t, e) {
            (Target::Rule(x), Event::Rule(r)) => *x == r,
            (Target::Action(x), Event::Action(a)) => *x == a,
            (Target::Menu(x), Event::Action(a)) => m.actions[a.index()].menus.contains(x),
            (Target::Setup, Event::Setup) => true,
            (Target::Effect(EffectWord::Discard), Event::Discard(_))
            | (Target::Effect(EffectWord::Roll), Event::Roll(_))
            | (Target::Effect(EffectWord::Shuffle), Event::Shuffle) => true,
            _ => false,
        });
        match e {
            // Patterns for things of other kinds cannot match.
            Event::Discard(k) | Event::Roll(k) => {
                all.into_iter().filter(|(a, h)| self.fits_kind(a, h, k)).collect()
            }
            _ => all,
        }
    }

    /// Makes an environment for an attachment: `me` and the names in its patterns.
    pub fn attachment_env(
        &mut self,
        f: &mut FnBuild,
        a: &Attachment,
        h: &Head,
        params: &[Bind],
        me: Option<R>,
    ) -> usize {
        let mut names = HashMap::default();
        for (p, b) in h.patterns.iter().zip(params) {
            match p {
                Pattern::Bind(l) | Pattern::Test(l, _) => {
                    names.insert(*l, b.clone());
                }
                Pattern::Any => {}
            }
        }
        if let (Some(l), Some(r)) = (a.me, me) {
            names.insert(l, Bind::Reg(r));
        }
        f.envs.push(names);
        let env = f.envs.len() - 1;
        if let Some(kind) = self.carried_by(a) {
            self.zone_names(f, kind, env);
        }
        env
    }

    /// The domain of the first parameter of a component's action: carriers in an active place that `me`, or nobody, holds. Binds the conditions of their zones.
    pub fn action_carriers(&mut self, f: &mut FnBuild, a: &Action) -> Option<Expr> {
        let carrier = a.carrier.as_ref()?;
        let kind = self.kind_of_carrier(carrier)?;
        let env = f.env;
        self.zone_names(f, kind, env);
        let over = self.carriers_of(carrier, a.span)?;
        let it = build::expr(Ty::Of(kind), a.span, ExprKind::Local(BEARER));
        let holder =
            build::expr(types::maybe(types::player()), a.span, ExprKind::Builtin(Builtin::Holder, vec![it]));
        let me = build::expr(types::player(), a.span, ExprKind::Local(a.me));
        let mine = build::cond(a.span, ExprKind::Compare(Comparison::Eq, holder.clone(), me));
        let some = build::cond(a.span, ExprKind::IsSome(holder));
        let free = build::cond(a.span, ExprKind::Not(some));
        let cond = build::cond(a.span, ExprKind::Or(mine, free));
        Some(build::expr(over.ty.clone(), a.span, ExprKind::Where(over, BEARER, cond)))
    }

    /// The condition under which an attachment applies, in its own names; none: always.
    pub fn applies_condition(&mut self, a: &Attachment, h: &Head) -> Option<Expr> {
        let span = a.span;
        let mut out = None;
        // An attachment that needs an owner does not apply to carriers that nobody holds.
        if let Some(owner) = a.owner {
            let tests =
                h.patterns.iter().filter_map(|p| if let Pattern::Test(_, e) = p { Some(e) } else { None });
            let changed = if let AttachKind::Modify(_, e) = &a.what { Some(e) } else { None };
            if tests.chain(&a.when).chain(changed).any(|e| needs_name(e, owner)) {
                out = Some(is_somebody(owner, span));
            }
        }
        for p in &h.patterns {
            if let Pattern::Test(_, e) = p {
                out = and(out, e.clone());
            }
        }
        if let (Some(by), Some(me)) = (&a.by, a.me) {
            let me = build::expr(types::player(), span, ExprKind::Local(me));
            let kind = if matches!(by.ty, Ty::Set(_) | Ty::List(_)) {
                ExprKind::In(me, by.clone())
            } else {
                ExprKind::Compare(Comparison::Eq, me, by.clone())
            };
            out = and(out, build::cond(span, kind));
        }
        let mut during = None;
        for r in &a.during {
            let running = build::cond(span, ExprKind::Running(*r));
            during = Some(match during {
                None => running,
                Some(d) => build::cond(span, ExprKind::Or(d, running)),
            });
        }
        if let Some(d) = during {
            out = and(out, d);
        }
        if let Some(w) = &a.when {
            out = and(out, w.clone());
        }
        out
    }

    /// The carriers of an attachment that are in force, as a set expression; none if it has no carrier.
    pub fn carriers(&mut self, a: &Attachment) -> Option<Expr> {
        self.carriers_of(a.carrier.as_ref()?, a.span)
    }

    /// The condition that an attachment does not apply, in its own names: the guard that a `forbid` adds.
    pub fn not_forbidden(&mut self, a: &Attachment, h: &Head) -> Expr {
        let span = a.span;
        let yes = || build::cond(span, ExprKind::Bool(true));
        let applies = self.applies_condition(a, h).unwrap_or_else(yes);
        let Some(over) = self.carriers(a) else {
            return build::cond(span, ExprKind::Not(applies));
        };
        let body = match self.owner_of(a) {
            Some((owner, holder)) => build::cond(span, ExprKind::Let(owner, holder, applies)),
            None => applies,
        };
        let fold =
            Fold { op: FoldOp::No, var: a.this.unwrap_or(CANDIDATE), over, cond: None, bodies: vec![body] };
        build::cond(span, ExprKind::Fold(Box::new(fold)))
    }

    /// Whether several carriers or layers can bring an attachment into force at a time.
    pub fn may_be_several(&self, a: &Attachment) -> bool {
        match &a.carrier {
            _ if self.layer_of(a).is_some() => true,
            None => false,
            Some(Carrier::Member(id)) => self.count_copies(*id) > 1,
            Some(Carrier::Kind(_)) => true,
        }
    }

    /// The age of an attachment: attachments in force from the start come first, in order of loading, then each carrier and layer in the order in which it came.
    /// `k` is the place of the attachment among those compared.
    pub fn age(&mut self, f: &mut FnBuild, a: &Attachment, thing: Option<R>, k: usize) -> Age {
        let age = match thing {
            Some(i) if self.layer_of(a).is_some() => i,
            Some(this) => match self.carried_by(a) {
                Some(kind) => {
                    let attr = self.came_attribute(kind, a.span);
                    f.emit_new(1, |d| Ins::LdAttr { d, e: this, attr })
                }
                None => f.load_number(0),
            },
            None => f.load_number(0),
        };
        let place = f.load_number(k as i64 * 1024);
        if let (Some(this), None) = (thing, self.layer_of(a)) {
            f.emit(Ins::Add { d: place, a: place, b: this });
        }
        Age { age, place }
    }

    /// The attribute that records when each component of a kind came to its place, for kinds whose age matters.
    fn came_attribute(&mut self, kind: KindId, span: Span) -> AttrIx {
        let u = self.universe_of(&Ty::Of(kind), span);
        let Some(comps) = self.comps_of.get(&self.root(kind)).map(|c| *c as usize) else { return AttrIx(0) };
        let at = self.p.comps[comps].came;
        if let Some(i) = self.p.attrs.iter().position(|x| x.cell == at && &*x.name == "came") {
            return AttrIx(i as u16);
        }
        let decl = self.add_decl("card", &"came".into(), span);
        let ix = self.add_hidden_attribute("came", Some(u), (i32::MAX, Show::Number), None, decl);
        self.p.comps[comps].came = self.p.attrs[ix.index()].cell;
        ix
    }

    /// The number of components that show a member's faces.
    pub fn count_copies(&self, id: MemberId) -> u32 {
        let Some((first, _, keys)) = self.faces_of.get(&id).copied() else { return 0 };
        let Some(kind) = self.m.members.get(id.index()).map(|m| self.root(m.kind)) else { return 0 };
        let Some(c) = self.comps_of.get(&kind) else { return 0 };
        let all = &self.p.comps[*c as usize].initial;
        // If components may become another face, any number may show it.
        if self.game_facts.may_become(self.m, self.m.members[id.index()].kind) {
            all.len() as u32
        } else {
            all.iter().filter(|f| (first..first + keys).contains(*f)).count() as u32
        }
    }

    /// The declaration of an attachment, named after its carrier or scope.
    pub fn attachment_decl(&mut self, a: &Attachment) -> DeclIx {
        let m = self.m;
        let name = match &a.carrier {
            Some(Carrier::Member(id)) => m.members[id.index()].name.clone(),
            Some(Carrier::Kind(k)) => m.kinds[k.index()].name.clone(),
            None => m.scopes.get(a.scope.index()).map_or_else(|| "game".into(), |s| s.name.clone()),
        };
        self.add_decl("attachment", &name, a.span)
    }
}

impl<'m> Lower<'m> {
    /// Finds the attachments that layers in force can bring.
    pub fn find_layers(&mut self) {
        let m = self.m;
        let mut found: Vec<&'m Attachment> = Vec::new();
        let mut blocks: Vec<&'m [Stmt]> = Vec::new();
        blocks.extend(m.setups.iter().filter(|(s, _)| self.set.has(*s)).map(|(_, b)| &b.body[..]));
        blocks.extend(m.round.iter().map(|r| &r.body.body[..]));
        for r in m.rules.iter().filter(|r| self.set.has(r.scope)) {
            blocks.extend(r.body.body.iter().map(|b| &b[..]));
        }
        for (i, d) in m.members.iter().enumerate() {
            if self.faces_of.contains_key(&MemberId(i as u32)) {
                blocks.extend(d.rule_fills.iter().map(|(_, b)| &b.body[..]));
            }
        }
        blocks.extend(m.actions.iter().filter(|a| self.set.has(a.scope)).map(|a| &a.body[..]));
        for a in self.attachments_on(|_| true) {
            blocks.extend(walk::attachment_parts(a).1.into_iter().map(|b| &b[..]));
        }
        for t in self.tests.iter().filter_map(|t| m.tests.get(*t)) {
            collect_statements(&t.steps, &mut blocks);
        }
        while let Some(b) = blocks.pop() {
            walk::visit_stmts(b, &mut |s| {
                if let StmtKind::Attach(a) = &s.kind {
                    found.push(a);
                    blocks.extend(walk::attachment_parts(a).1.into_iter().map(|b| &b[..]));
                }
            });
        }
        found.sort_by_key(|a| a.span);
        for a in found {
            let mut names: Vec<(LocalId, Ty)> = Vec::new();
            let mut seen = |x: &Expr| {
                if let ExprKind::Local(l) = &*x.kind
                    && l.0 < a.outer
                    && !names.iter().any(|(n, _)| n == l)
                {
                    names.push((*l, x.ty.clone()));
                }
            };
            walk::visit_attachment_exprs(a, &mut seen);
            if let Some(l) = a.maker.filter(|l| !names.iter().any(|(n, _)| n == l)) {
                names.push((l, types::player()));
            }
            names.sort_by_key(|(l, _)| *l);
            let (mut words, mut things) = (0u32, Vec::new());
            for (_, ty) in &names {
                if let Ty::Of(k) = types::plain(ty)
                    && types::is_component(self.m, k)
                {
                    things.push((words as u8, self.universe_of(ty, a.span)));
                }
                words += u32::from(self.width(ty, a.span));
            }
            if words > 60 {
                self.report_unsupported(
                    a.span,
                    "so many names from outside, used in an attachment of a layer",
                );
                continue;
            }
            let decl = self.attachment_decl(a);
            self.p.leased.push(Leased { decl, words: words as u8, things });
            self.layer_attachments.push(Layered { a, names });
            self.plain_values.borrow_mut().clear();
        }
    }

    /// Brings an attachment of a layer (`modify …` inside `until …`) into force; captures the values of its names.
    pub fn attach_layer(&mut self, f: &mut FnBuild, a: &Attachment) {
        let Some(what) = self.layer_of(a) else { return };
        let names = self.layer_attachments[what.index()].names.clone();
        let n = self.p.leased[what.index()].words;
        let at = f.alloc(n.max(1));
        let mut r = at;
        for (l, ty) in &names {
            let w = self.width(ty, a.span);
            let e = build::expr(ty.clone(), a.span, ExprKind::Local(*l));
            self.store(f, &e, r);
            r += w;
        }
        f.emit(Ins::LeaseAttach { at, n, what });
    }

    /// Emits a search among attachments that apply: for the newest one older than `bound`, or for the oldest one newer than it. `env_of` makes the environment of each.
    pub fn find_by_age(
        &mut self,
        f: &mut FnBuild,
        all: &[Attached<'m>],
        (bound, newest): (Age, bool),
        mut env_of: impl FnMut(&mut Self, &mut FnBuild, Attached<'m>, usize) -> usize,
    ) -> FoundByAge {
        let (age, which, thing) = (Age::new(f, !newest), f.load_number(NONE), f.load_number(NONE));
        let (mut envs, base) = (Vec::new(), f.next);
        for (k, (a, h)) in all.iter().enumerate() {
            let env = env_of(self, f, (a, h), k);
            envs.push(env);
            let outer = std::mem::replace(&mut f.env, env);
            let end = f.new_label();
            let again = self.begin_instances(f, a);
            let not = again.map_or(end, |(_, top, _)| top);
            let key = self.age(f, a, again.map(|(i, ..)| i), k);
            let (older, younger) = if newest { (age, bound) } else { (bound, age) };
            older.jump_unless_before(f, key, not);
            key.jump_unless_before(f, younger, not);
            if let Some(c) = self.applies_condition(a, h) {
                let c = self.expr_reg(f, &c);
                f.jz(c, not);
            }
            age.copy_from(f, key);
            f.emit(Ins::Li { d: which, k: k as i32 });
            if let Some((i, top, out)) = again {
                f.emit(Ins::Mov { d: thing, a: i });
                f.jmp(top);
                f.place_label(out);
            }
            f.place_label(end);
            f.env = outer;
            f.next = base;
        }
        FoundByAge { age, which, thing, envs }
    }

    /// Begins a loop over the carriers or layers of an attachment and binds its names inside. Returns the register of the carrier or layer and the labels of the next round and of
    /// the end; none if the attachment has neither.
    pub fn begin_instances(&mut self, f: &mut FnBuild, a: &Attachment) -> Option<(R, Label, Label)> {
        let (thing, top, out) = if let Some(what) = self.layer_of(a) {
            let i = f.load_number(NONE);
            let (top, out) = (f.new_label(), f.new_label());
            f.place_label(top);
            f.emit(Ins::LeaseNext { i, what, to: out.0 as u32 });
            (i, top, out)
        } else {
            let over = self.carriers(a)?;
            let u = self.universe_of(&over.ty, a.span);
            let w = self.set_words(u);
            let s = f.alloc(w);
            self.set_into(f, &over, u, s);
            let (i, top, out) = f.begin_loop(s, w);
            let this = f.emit_new(1, |d| Ins::Mov { d, a: i });
            (this, top, out)
        };
        self.bind_instance(f, a, thing);
        Some((thing, top, out))
    }

    /// Binds the names of an attachment whose carrier (or layer) is in a register: `this` and `owner`, or what the layer has captured.
    pub fn bind_instance(&mut self, f: &mut FnBuild, a: &Attachment, thing: R) {
        if let Some(what) = self.layer_of(a) {
            let names = self.layer_attachments[what.index()].names.clone();
            let n = self.p.leased[what.index()].words;
            let d = f.alloc(n.max(1));
            if n > 0 {
                f.emit(Ins::LeaseGet { d, i: thing, n });
            }
            let mut r = d;
            for (l, ty) in &names {
                f.bind(*l, Bind::Reg(r));
                r += self.width(ty, a.span);
                if a.owner == Some(*l) {
                    f.maybe_players.push(*l);
                }
            }
            return;
        }
        if let Some(l) = a.this {
            f.bind(l, Bind::Reg(thing));
        }
        if let Some((l, holder)) = self.owner_of(a) {
            let o = f.alloc(1);
            self.expr_into(f, &holder, o);
            f.bind(l, Bind::Reg(o));
            f.maybe_players.push(l);
        }
    }
}

/// Collects the statements of a test.
fn collect_statements<'m>(steps: &'m [TestStep], out: &mut Vec<&'m [Stmt]>) {
    for s in steps {
        match &s.kind {
            TestStepKind::Do(s) => out.push(std::slice::from_ref(s)),
            TestStepKind::For(_, _, b) | TestStepKind::Repeat(_, b) => collect_statements(b, out),
            TestStepKind::If(_, a, b) => {
                collect_statements(a, out);
                collect_statements(b, out);
            }
            _ => {}
        }
    }
}
