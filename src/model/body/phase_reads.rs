//! Where conditions read what a phase remembers although nothing says that the phase is running: `fight.hits` outside of it means nothing, `fight is running and fight.hits > 2` does.
use super::walk;
use crate::hir::*;
use houserule_text::Span;
use rustc_hash::FxHashMap as HashMap;

/// Finds the reads of one phase's memory.
pub struct PhaseReads<'m> {
    m: &'m Model,
    phase: RuleId,
    /// Whether a value reads it unguarded, itself or through others; `false` while it is looked at.
    known: HashMap<ValueId, bool>,
}

impl<'m> PhaseReads<'m> {
    /// Of one phase.
    pub fn new(m: &'m Model, phase: RuleId) -> PhaseReads<'m> {
        PhaseReads { m, phase, known: HashMap::default() }
    }

    /// Whether an expression is such a memory itself, or one of the phase's zones.
    pub fn is_memory(&self, e: &Expr) -> bool {
        match &*e.kind {
            ExprKind::TableAttr(a) => {
                self.m.rules.get(self.phase.index()).is_some_and(|phase| phase.has.contains(a))
            }
            ExprKind::Zone(None, z, _) | ExprKind::PlaceOf(None, z, _) => {
                self.m.zones_of_phase(self.phase).any(|(own, _)| own == *z)
            }
            _ => false,
        }
    }

    /// Adds the places in `e` that read the phase where it may not be running.
    pub fn find(&mut self, e: &Expr, out: &mut Vec<Span>) {
        use ExprKind as E;
        let guarded = |of: &mut Self, c: &Expr, truth: bool, e: &Expr, out: &mut Vec<Span>| {
            if !of.implies(c, truth, 0) {
                of.find(e, out);
            }
        };
        match &*e.kind {
            _ if self.is_memory(e) => out.push(e.span),
            E::And(a, b) => {
                self.find(a, out);
                guarded(self, a, true, b, out);
            }
            E::Or(a, b) => {
                self.find(a, out);
                guarded(self, a, false, b, out);
            }
            E::If(c, a, b) => {
                self.find(c, out);
                guarded(self, c, true, a, out);
                guarded(self, c, false, b, out);
            }
            E::Fold(fold) => {
                self.find(&fold.over, out);
                fold.cond.iter().for_each(|c| self.find(c, out));
                let narrowed = match &*fold.over.kind {
                    E::Where(_, _, c) => self.implies(c, true, 0),
                    _ => false,
                };
                let holds = narrowed || fold.cond.as_ref().is_some_and(|c| self.implies(c, true, 0));
                if !holds {
                    fold.bodies.iter().for_each(|b| self.find(b, out));
                }
            }
            E::Value(v, args) => {
                args.iter().for_each(|a| self.find(a, out));
                if self.value_reads(*v) {
                    out.push(e.span);
                }
            }
            _ => walk::subexprs(e).into_iter().for_each(|x| self.find(x, out)),
        }
    }

    /// Whether a value reads the phase unguarded: in its body, in what members give for it, or in what modifies it.
    pub fn value_reads(&mut self, v: ValueId) -> bool {
        if let Some(known) = self.known.get(&v) {
            return *known;
        }
        self.known.insert(v, false);
        let m = self.m;
        let mut found = Vec::new();
        let own = m.values.get(v.index()).and_then(|v| v.body.body.as_ref());
        let fills = m.members.iter().flat_map(|x| &x.fills).filter(|(x, _)| *x == v);
        own.into_iter().chain(fills.map(|(_, b)| &b.body)).for_each(|e| self.find(e, &mut found));
        for a in m.attachments.iter().filter(|a| a.heads.iter().any(|h| h.target == Target::Value(v))) {
            self.find_attached(a, &mut found);
        }
        let reads = !found.is_empty();
        self.known.insert(v, reads);
        reads
    }

    /// The same for the conditions of an attachment, and for the value of a modification.
    pub fn find_attached(&mut self, a: &Attachment, out: &mut Vec<Span>) {
        if a.during.contains(&self.phase) {
            return;
        }
        a.heads.iter().flat_map(walk::pattern_conditions).for_each(|e| self.find(e, out));
        a.by.iter().chain(&a.when).for_each(|e| self.find(e, out));
        let holds = a.when.as_ref().is_some_and(|c| self.implies(c, true, 0));
        if let (AttachKind::Modify(_, e), false) = (&a.what, holds) {
            self.find(e, out);
        }
    }

    /// Whether the phase is running if a condition is `truth`.
    fn implies(&self, c: &Expr, truth: bool, depth: usize) -> bool {
        match &*c.kind {
            _ if depth > 8 => false,
            ExprKind::Running(r) => truth && *r == self.phase,
            ExprKind::Not(x) => self.implies(x, !truth, depth),
            ExprKind::And(a, b) => truth && (self.implies(a, true, depth) || self.implies(b, true, depth)),
            ExprKind::Or(a, b) => !truth && (self.implies(a, false, depth) || self.implies(b, false, depth)),
            ExprKind::Value(v, _) => {
                let is_modified =
                    self.m.attachments.iter().any(|a| a.heads.iter().any(|h| h.target == Target::Value(*v)));
                let body = self.m.values.get(v.index()).and_then(|v| v.body.body.as_ref());
                !is_modified && body.is_some_and(|b| self.implies(b, truth, depth + 1))
            }
            _ => false,
        }
    }
}
