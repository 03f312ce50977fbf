//! Finds which names may hold a component while another of its kind is chosen: a component that a name holds is offered apart from equal ones (decision 50). Backward liveness
//! of names in each body, and the names that callers hold while a body runs. The lowering of questions and actions and the reference evaluator use it.
//!
//! ```text
//! let a = choose one of my.hand
//! let b = choose one of my.hand      # names: [a], because a is used below. Two equal cards are both offered: b may be the same card as a, or the other one
//! move a to pile; move b to pile
//! ```
use super::{types, walk};
use crate::hir::*;
use houserule_text::Span;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::collections::{BTreeMap, BTreeSet};

/// Names and questions for which equal components are offered apart.
#[derive(Clone, Default, Debug)]
pub struct Apart {
    /// For each question for things, by its place: the names that are used after it and may hold one or several such things.
    pub names: HashMap<Span, Vec<(LocalId, Ty)>>,
    /// Questions that may be asked while a calling rule holds such a thing: all things are offered apart.
    pub questions: HashSet<Span>,
    /// The same of parameters of actions.
    pub params: HashSet<(ActionId, LocalId)>,
}

/// Finds them.
pub fn find(model: &Model) -> Apart {
    let mut walk = Liveness { model, out: Apart::default(), at: LiveBody::Start, bodies: BTreeMap::new() };
    for (i, r) in model.rules.iter().enumerate() {
        walk.add_body(LiveBody::Rule(i), r.body.body.as_deref());
    }
    for m in &model.members {
        for (r, b) in &m.rule_fills {
            walk.add_body(LiveBody::Rule(r.index()), Some(&b.body));
        }
    }
    for (i, a) in model.actions.iter().enumerate() {
        walk.add_body(LiveBody::Action(i), Some(&a.body));
    }
    for (_, b) in &model.setups {
        walk.add_body(LiveBody::Start, Some(&b.body));
    }
    walk.add_body(LiveBody::Start, model.round.as_ref().map(|r| r.body.body.as_slice()));
    for a in &model.attachments {
        walk.add_body(LiveBody::Event, walk::attachment_parts(a).1.first().map(|b| b.as_slice()));
    }
    walk.finish()
}

/// Whether a name of that type holds at most one thing.
pub fn is_one(ty: &Ty) -> bool {
    matches!(types::plain(ty), Ty::Of(_))
}

/// Whose code it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum LiveBody {
    /// The set-up and the rounds, which no rule calls.
    Start,
    /// A rule, by its number.
    Rule(usize),
    /// An action's effect, by its number.
    Action(usize),
    /// Whatever runs because something happens: attachments, refills.
    Event,
}

/// What is known of one body.
#[derive(Default)]
struct BodyFacts {
    /// Bodies that it may run, with the families of which its own names hold something then.
    runs: BTreeMap<LiveBody, Families>,
    /// Families of which its callers may hold something while it runs.
    held: Families,
    /// Its questions, with the family of what they ask for.
    questions: Vec<(Span, KindId)>,
}

/// Kinds of components, each the uppermost of its family.
type Families = BTreeSet<KindId>;

/// The most names that count at one question, and the most of them that hold sets. With more, all things are offered apart.
const MOST: (usize, usize) = (64, 3);

/// Names that are used later, with the families of what they stand for, and how many names of each family.
#[derive(Default)]
struct Live {
    names: BTreeMap<LocalId, (KindId, Ty)>,
    families: BTreeMap<KindId, usize>,
}

impl Live {
    fn insert(&mut self, l: LocalId, k: KindId, ty: &Ty) {
        if self.names.insert(l, (k, ty.clone())).is_none() {
            *self.families.entry(k).or_default() += 1;
        }
    }

    fn remove(&mut self, l: LocalId) {
        if let Some(n) = self.names.remove(&l).and_then(|(k, _)| self.families.get_mut(&k)) {
            *n -= 1;
        }
    }

    fn live_families(&self) -> impl Iterator<Item = KindId> + '_ {
        self.families.iter().filter(|(_, n)| **n > 0).map(|(k, _)| *k)
    }
}

struct Liveness<'m> {
    model: &'m Model,
    out: Apart,
    at: LiveBody,
    bodies: BTreeMap<LiveBody, BodyFacts>,
}

impl<'m> Liveness<'m> {
    fn add_body(&mut self, at: LiveBody, block: Option<&'m [Stmt]>) {
        self.at = at;
        if let Some(block) = block {
            self.go_through_block(block, &mut Live::default());
        }
    }

    /// The family of a type of components.
    fn family_of(&self, ty: &Ty) -> Option<KindId> {
        let plain = types::plain(ty);
        let Ty::Of(k) = types::element(self.model, &plain).unwrap_or(plain) else { return None };
        types::is_component(self.model, k).then(|| types::root_of(self.model, k))
    }

    /// Names that expressions use, but for the variables that stand for candidates in them.
    fn add_uses(&self, es: &[&Expr], live: &mut Live) {
        for e in es {
            let mut own: HashSet<LocalId> = HashSet::default();
            walk::visit_exprs(e, &mut |x| match &*x.kind {
                ExprKind::Where(_, l, _) | ExprKind::Filter(_, l, _) | ExprKind::Let(l, ..) => {
                    own.insert(*l);
                }
                ExprKind::Fold(fold) => {
                    own.insert(fold.var);
                }
                ExprKind::Local(l) if !own.contains(l) => {
                    if let Some(k) = self.family_of(&x.ty) {
                        live.insert(*l, k, &x.ty);
                    }
                }
                _ => {}
            });
        }
    }

    /// From the names that are live behind a block to those before it. Where ways part, what is live on one counts as live on the other.
    fn go_through_block(&mut self, block: &'m [Stmt], live: &mut Live) {
        for s in block.iter().rev() {
            self.go_through_stmt(s, live);
        }
    }

    fn go_through_stmt(&mut self, s: &'m Stmt, live: &mut Live) {
        let (es, bs) = walk::stmt_parts(s);
        let own = match &s.kind {
            StmtKind::Let(l, _) | StmtKind::For(l, ..) => Some(*l),
            _ => None,
        };
        if matches!(
            &s.kind,
            StmtKind::For(..) | StmtKind::Repeat(..) | StmtKind::RepeatUntil(..) | StmtKind::Everyone(_)
        ) {
            self.go_round(&es, &bs, own, live);
        }
        for b in bs.into_iter().rev() {
            self.go_through_block(b, live);
        }
        if let Some(l) = own {
            live.remove(l);
        } else {
            // While the statement is carried out, what it uses may still be needed.
            self.add_uses(&es, live);
        }
        self.note_questions(s, &es, live);
        self.add_uses(&es, live);
    }

    /// What is used anywhere in a loop, and not named in it, is live at its end.
    fn go_round(&self, es: &[&Expr], bs: &[&'m Block], own: Option<LocalId>, live: &mut Live) {
        let (mut inner, mut named) = (Live::default(), own.into_iter().collect::<HashSet<_>>());
        for b in bs {
            walk::visit_stmts(b, &mut |s| {
                self.add_uses(&walk::stmt_parts(s).0, &mut inner);
                if let StmtKind::Let(l, _) | StmtKind::For(l, ..) = &s.kind {
                    named.insert(*l);
                }
            });
        }
        self.add_uses(es, &mut inner);
        let round = inner.names.into_iter().filter(|(l, _)| !named.contains(l));
        round.for_each(|(l, (k, ty))| live.insert(l, k, &ty));
    }

    /// Notes the questions in a statement, and the bodies that it may run.
    fn note_questions(&mut self, s: &'m Stmt, es: &[&'m Expr], live: &Live) {
        let known = self.bodies.entry(self.at).or_default();
        let mut questions = Vec::new();
        for e in es {
            walk::visit_exprs(e, &mut |x| {
                if let ExprKind::Choose(c) = &*x.kind
                    && let Chooser::Player(_) = &c.by
                {
                    questions.push(x);
                }
            });
        }
        let mut runs: Vec<LiveBody> =
            walk::rule_calls(s).iter().map(|(r, _)| LiveBody::Rule(r.index())).collect();
        if let StmtKind::Offer(_, menus) = &s.kind {
            let menus = menus.iter().filter_map(|(m, _)| self.model.menus.get(m.index()));
            runs.extend(menus.flat_map(|m| &m.actions).map(|a| LiveBody::Action(a.index())));
        }
        runs.push(LiveBody::Event);
        for body in runs {
            known.runs.entry(body).or_default().extend(live.live_families());
        }
        for x in questions {
            let Some(k) = self.family_of(&x.ty) else { continue };
            self.bodies.entry(self.at).or_default().questions.push((x.span, k));
            let names = live.names.iter().filter(|(_, (of, _))| *of == k);
            let some: Vec<(LocalId, Ty)> =
                names.map(|(l, (_, ty))| (*l, ty.clone())).take(MOST.0 + 1).collect();
            let sets = some.iter().filter(|(_, ty)| !is_one(ty)).count();
            if some.len() > MOST.0 || sets > MOST.1 {
                self.out.questions.insert(x.span);
            } else if !some.is_empty() {
                self.out.names.insert(x.span, some);
            }
        }
    }

    /// What callers hold is held in whatever is called.
    fn finish(mut self) -> Apart {
        loop {
            let mut found: Vec<(LiveBody, Families)> = Vec::new();
            for known in self.bodies.values() {
                for (body, own) in &known.runs {
                    let all: Families = own.union(&known.held).copied().collect();
                    let has = self.bodies.get(body).map(|k| &k.held);
                    if has.map_or(!all.is_empty(), |has| !all.is_subset(has)) {
                        found.push((*body, all));
                    }
                }
            }
            if found.is_empty() {
                break;
            }
            for (body, all) in found {
                self.bodies.entry(body).or_default().held.extend(all);
            }
        }
        for (body, known) in &self.bodies {
            let apart = known.questions.iter().filter(|(_, k)| known.held.contains(k));
            self.out.questions.extend(apart.map(|(span, _)| *span));
            let LiveBody::Action(i) = body else { continue };
            let Some(a) = self.model.actions.get(*i) else { continue };
            for p in &a.params {
                let ty = a.locals.get(p.local.index()).map(|l| &l.ty);
                if ty.and_then(|ty| self.family_of(ty)).is_some_and(|k| known.held.contains(&k)) {
                    self.out.params.insert((ActionId(*i as u32), p.local));
                }
            }
        }
        self.out
    }
}
