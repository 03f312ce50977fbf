//! Facts about the whole game, for all set-ups, found in one walk over its rules.
use crate::facts::distances::Distances;
use crate::facts::list_order as lists;
use crate::facts::value_sizes::InlinedSizes;
use houserule_model::body::walk;
use houserule_model::body::{liveness, sealed, types};
use houserule_model::hir::*;
use rustc_hash::FxHashSet as HashSet;
use std::cell::{Cell, RefCell};

/// Facts about all rules together.
#[derive(Clone, Default, Debug)]
pub struct Facts {
    /// Families of components that are ever turned over, or whose side up is read.
    pub can_turn: HashSet<KindId>,
    /// Zones whose order matters: rules read their first, last or n-th component, shuffle them, or put components at the bottom. In other zones only those who see into them know
    /// what lies where, as in a hand of cards. Tests do not count: a game is the same with and without its tests.
    pub order_read: HashSet<ZoneId>,
    /// Zones that keep an order: those of `order_read`, those that everybody sees into (but not on spaces and components, of which there are many), and those whose contents are swapped with one of these.
    pub keep_order: HashSet<ZoneId>,
    /// Zones that are shuffled, also by tests.
    pub shuffled: HashSet<ZoneId>,
    /// Maps that the rules build.
    pub built_by_rules: HashSet<MapId>,
    /// Whether any stored list is read in its order: lists are then stored with their order.
    pub stores_order: bool,
    /// Whether any list of numbers may hold a number twice.
    pub may_repeat: bool,
    /// Of what kind each thing is that becomes another face, and of what kind that face is.
    pub becomes: Vec<(KindId, KindId)>,
    /// Whether a value, or a modification of one, may read whose turn it is.
    pub turn_in_values: bool,
    /// Whether the value of `win when` and the like may change when a turn, a round or a phase begins or ends.
    pub ends_by_time: bool,
    /// The highest number of a team in the rules.
    pub teams: u8,
    /// Whether players ever act freely: options are then listed again and again.
    pub has_free_play: bool,
    /// Sizes of values with all calls inlined.
    pub inlined_sizes: InlinedSizes,
    /// Answers that are recorded where not everybody may read.
    pub sealed: sealed::Sealed,
    /// Names and questions that tell alike components apart.
    pub apart: liveness::Apart,
    /// Distances on maps that have been laid out.
    pub distances: Distances,
}

impl Facts {
    /// Collects the facts of a checked game.
    pub fn of(m: &Model) -> Facts {
        let facts =
            RefCell::new(Facts { sealed: sealed::find(m), apart: liveness::find(m), ..Facts::default() });
        let families = |e: &Expr| {
            let el = types::element(m, &types::plain(&e.ty)).unwrap_or_else(|| types::plain(&e.ty));
            let root = |k: &KindId| types::root_of(m, *k);
            facts.borrow_mut().can_turn.extend(types::kinds_of(&el).iter().map(root));
        };
        // Whether a stored list of numbers is summed or counted.
        let added = Cell::new(false);
        let mut turns = |e: &Expr| {
            let over = match &*e.kind {
                ExprKind::Builtin(b, a) if b.has(builtins::Trait::Repeats) => a.first(),
                ExprKind::Fold(fold) if matches!(fold.op, FoldOp::Sum | FoldOp::Count) => Some(&fold.over),
                _ => None,
            };
            if over.is_some_and(|e| is_number_list(e) && lists::asks_stored(e)) {
                added.set(true);
            }
            if is_number_list(e) && may_repeat(e) {
                facts.borrow_mut().may_repeat = true;
            }
            if lists::ordered_operand(e).is_some_and(lists::asks_stored) {
                facts.borrow_mut().stores_order = true;
            }
            if let ExprKind::Builtin(Builtin::Up, a) = &*e.kind {
                a.first().into_iter().for_each(families);
            }
        };
        let through = |e: &Expr| {
            if lists::asks_stored(e) {
                facts.borrow_mut().stores_order = true;
            }
        };
        let acts = |s: &Stmt| match &s.kind {
            StmtKind::Everyone(e) if e.mode == Mode::Freely => facts.borrow_mut().has_free_play = true,
            StmtKind::Shuffle(zones) => facts.borrow_mut().shuffled.extend(zones.iter().flat_map(zones_in)),
            StmtKind::Becomes(x, face) => {
                let Some(of) = types::kinds_of(&types::plain(&x.ty)).first().copied() else { return };
                let to = if let Ty::Face(k) = types::plain(&face.ty) { k } else { of };
                facts.borrow_mut().becomes.push((of, to));
            }
            StmtKind::Build(x) => {
                facts.borrow_mut().built_by_rules.insert(*x);
            }
            _ => {}
        };
        let mut swapped: Vec<(ZoneId, ZoneId)> = Vec::new();
        walk::visit_game(m, &mut turns, &mut |s| {
            if let StmtKind::Swap(a, b) = &s.kind {
                swapped.extend(
                    zones_in(a).into_iter().flat_map(|a| zones_in(b).into_iter().map(move |b| (a, b))),
                );
            }
            lists::ordered_statement(s).into_iter().for_each(through);
            acts(s);
            s.kind.does().turns.iter().for_each(|(x, _)| families(x));
        });
        for over in m.tests.iter().flat_map(|t| loops_of(&t.steps)) {
            through(over);
        }
        let shown = |e: &Expr| {
            if lists::may_tell_order(m, e) {
                through(e);
            }
        };
        walk::visit_texts(m, &mut |t| walk::hole_exprs(t).into_iter().for_each(shown));
        m.kinds.iter().flat_map(|k| &k.look).for_each(|r| shown(&r.expr.body));
        // Zones under a name, as lists: read by that name. The same number in another body counts as well.
        let named: RefCell<Vec<(LocalId, ZoneId)>> = RefCell::default();
        let bind = |l: LocalId, e: &Expr| {
            named.borrow_mut().retain(|(x, _)| *x != l);
            named.borrow_mut().extend(zones_in(e).into_iter().map(|z| (l, z)));
        };
        let order = |of: &Expr| {
            let mut all = zones_in(of);
            walk::visit_exprs(of, &mut |x| {
                if let (ExprKind::Local(l), Ty::List(_)) = (&*x.kind, &x.ty) {
                    all.extend(named.borrow().iter().filter(|(y, _)| y == l).map(|(_, z)| *z));
                }
            });
            facts.borrow_mut().order_read.extend(all);
        };
        let mut asks = |e: &Expr| match &*e.kind {
            ExprKind::First { of, .. } | ExprKind::Nth(of, _) => order(of),
            ExprKind::Builtin(b, a) if b.asks_order() => a.iter().take(1).for_each(order),
            ExprKind::Let(l, x, _) if matches!(x.ty, Ty::List(_)) => bind(*l, x),
            ExprKind::Builtin(Builtin::Team(n), _) => {
                let mut facts = facts.borrow_mut();
                facts.teams = facts.teams.max(*n);
            }
            // An argument that is a list is passed with its order.
            ExprKind::Value(_, args) | ExprKind::Rule(_, _, args) | ExprKind::Hook(_, args) => {
                args.iter().filter(|a| matches!(a.ty, Ty::List(_))).for_each(order);
            }
            _ => {}
        };
        let mut orders = |s: &Stmt| match &s.kind {
            StmtKind::Let(l, x) if matches!(x.ty, Ty::List(_)) => bind(*l, x),
            StmtKind::Call(_, _, args) => args.iter().filter(|a| matches!(a.ty, Ty::List(_))).for_each(order),
            StmtKind::Give(x) if matches!(x.ty, Ty::List(_)) => order(x),
            k => facts.borrow_mut().order_read.extend(k.does().orders.into_iter().flat_map(zones_in)),
        };
        walk::visit_rules(m, &mut asks, &mut orders);
        for v in m.values.iter().filter(|v| matches!(v.ty, Ty::List(_))) {
            v.body.body.iter().for_each(order);
        }
        let mut facts = facts.into_inner();
        facts.may_repeat |= m.hooks.iter().any(|h| matches!(&h.ty, Ty::List(_)));
        facts.stores_order |= facts.may_repeat && added.get();
        let mut turn =
            |e: &Expr| facts.turn_in_values |= matches!(&*e.kind, ExprKind::Builtin(Builtin::Turn, _));
        for b in m.values.iter().filter_map(|v| v.body.body.as_ref()) {
            walk::visit_exprs(b, &mut turn);
        }
        for (_, b) in m.members.iter().flat_map(|d| &d.fills) {
            walk::visit_exprs(&b.body, &mut turn);
        }
        for a in &m.attachments {
            walk::visit_attachment_exprs(a, &mut turn);
        }
        facts.ends_by_time = may_end_by_time(m);
        facts.inlined_sizes = InlinedSizes::of(m);
        // Swapped contents take their order along.
        let with_swapped = |of: &mut HashSet<ZoneId>| {
            while let Some(more) = swapped.iter().find_map(|(a, b)| match (of.contains(a), of.contains(b)) {
                (true, false) => Some(*b),
                (false, true) => Some(*a),
                _ => None,
            }) {
                of.insert(more);
            }
        };
        with_swapped(&mut facts.order_read);
        // Signs draw from the top.
        let marks = m.maps.iter().flat_map(|m| &m.legend).flat_map(|r| &r.marks);
        facts.order_read.extend(marks.filter_map(|m| if let Mark::From(z, _) = m { Some(*z) } else { None }));
        let many = |k| types::is_space(m, k) || types::is_component(m, k);
        let looked_at = |z: &Zone| matches!(z.seen, Seen::All) && !z.of.is_some_and(many);
        let open = (0..).map(ZoneId).zip(&m.zones).filter(|(_, z)| looked_at(z)).map(|(id, _)| id);
        facts.keep_order = facts.order_read.iter().copied().chain(open).collect();
        with_swapped(&mut facts.keep_order);
        facts
    }
}

/// Whether an ending may become true when a turn, a round or a phase begins or ends: it reads the time, an attribute that is reset then, or what a layer takes back.
fn may_end_by_time(m: &Model) -> bool {
    if m.endings.is_empty() {
        return false;
    }
    let found = Cell::new(
        m.attrs.iter().any(|a| a.per.is_some()) || m.attachments.iter().any(|a| !a.during.is_empty()),
    );
    walk::visit_game(
        m,
        &mut |e| {
            let time = match &*e.kind {
                ExprKind::Builtin(b, _) => b.facts().reads == builtins::Reads::Clock,
                ExprKind::PhaseNow | ExprKind::Running(_) => true,
                _ => false,
            };
            if time {
                found.set(true);
            }
        },
        &mut |s| {
            if matches!(s.kind, StmtKind::Until(..)) {
                found.set(true);
            }
        },
    );
    found.get()
}

fn is_number_list(e: &Expr) -> bool {
    matches!(&e.ty, Ty::List(t) if matches!(**t, Ty::Int(..)))
}

/// Whether a written list may hold a number twice.
fn may_repeat(e: &Expr) -> bool {
    let ExprKind::List(all) = &*e.kind else { return false };
    let mut seen = HashSet::default();
    !all.iter().all(|x| matches!(&*x.kind, ExprKind::Int(n) if seen.insert(*n))) && all.len() > 1
}

impl Facts {
    /// Whether a thing may become one that shows a face of a kind.
    pub fn may_become(&self, m: &Model, kind: KindId) -> bool {
        self.becomes.iter().any(|(_, to)| types::is_a(m, kind, *to) || types::is_a(m, *to, kind))
    }
}

/// The zones whose order an expression reads.
fn zones_in(e: &Expr) -> Vec<ZoneId> {
    match &*e.kind {
        ExprKind::Zone(_, z, _) | ExprKind::PlaceOf(_, z, _) => vec![*z],
        ExprKind::Where(e, ..) | ExprKind::Without(e, _) | ExprKind::First { n: Some(_), of: e, .. } => {
            zones_in(e)
        }
        ExprKind::Union(a, b) | ExprKind::If(_, a, b) => [zones_in(a), zones_in(b)].concat(),
        ExprKind::Let(_, _, e) => zones_in(e),
        ExprKind::Builtin(Builtin::AsSet | Builtin::Reversed | Builtin::Widened, a) => {
            a.first().map(zones_in).unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

/// The sets and lists over which a test loops.
fn loops_of(steps: &[TestStep]) -> Vec<&Expr> {
    steps
        .iter()
        .flat_map(|s| match &s.kind {
            TestStepKind::For(_, over, body) => [vec![over], loops_of(body)].concat(),
            TestStepKind::Repeat(_, body) => loops_of(body),
            TestStepKind::If(_, a, b) => [loops_of(a), loops_of(b)].concat(),
            _ => Vec::new(),
        })
        .collect()
}
