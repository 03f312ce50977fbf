//! Inlining and dead-store elimination for effects on trial (`must leave`).
//!
//! Such an effect is undone and logs nothing. So called rules are inlined, and writes to attributes that neither the rest of the effect nor the conditions read are removed. The plain
//! guards try the whole effect, and the property test that guards and options agree compares both. (A fault in a removed instruction happens when the action is taken.)
use crate::fn_builder::{Bind, FnBuild};
use crate::ir::*;
use crate::layout::tables::{Home, Tables};
use crate::lower::{Event, Job, Lower};
use houserule_model::body::walk;
use houserule_model::hir::*;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// The greatest depth of inlined rules.
const DEEP: usize = 6;

impl Tables<'_> {
    /// The attributes that the conditions of an action read; none if they read anything else.
    fn attributes_read(&mut self, id: ActionId) -> Option<HashSet<AttrIx>> {
        let mut out = HashSet::default();
        let conditions: Vec<Expr> =
            self.conditions(id).into_iter().filter(|c| c.is_behind_effect).map(|c| c.cond).collect();
        let mut seen: Vec<ValueId> = Vec::new();
        let mut left = conditions;
        while let Some(e) = left.pop() {
            let mut all = true;
            let mut values: Vec<ValueId> = Vec::new();
            walk::visit_exprs(&e, &mut |x| match &*x.kind {
                ExprKind::Attr(_, a) | ExprKind::TableAttr(a) => match self.homes.get(a) {
                    Some(Home::Cell(ix)) => {
                        out.insert(*ix);
                    }
                    Some(_) => {}
                    None => all = false,
                },
                ExprKind::Value(v, _) => values.push(*v),
                ExprKind::Builtin(b, _) => all &= b.facts().reads != builtins::Reads::State,
                ExprKind::Hook(..)
                | ExprKind::Rule(..)
                | ExprKind::CanRule(..)
                | ExprKind::CanMenu(..)
                | ExprKind::PositionSeen(..)
                | ExprKind::Choose(_) => all = false,
                _ => {}
            });
            if !all {
                return None;
            }
            for v in values {
                if !seen.contains(&v) {
                    seen.push(v);
                    left.push(self.plain_value(v)?.1.clone());
                }
            }
        }
        Some(out)
    }

    /// Removes writes to attributes that neither the conditions nor later code read.
    fn remove_dead_stores(&mut self, f: &mut FnBuild, read: &HashSet<AttrIx>) {
        let mut first: HashMap<AttrIx, usize> = HashMap::default();
        for (i, ins) in f.code.iter().enumerate() {
            match ins {
                Ins::StAttr { attr, .. } | Ins::StGlobal { attr, .. } | Ins::StMany { attr, .. }
                    if !read.contains(attr) =>
                {
                    first.entry(*attr).or_insert(i);
                }
                _ => {}
            }
        }
        let planes = |(a, i): (&AttrSlot, u16)| {
            let g = self.p.groups.get(a.planes?.index())?;
            Some((AttrIx(i), g.at, g.at + (u32::from(g.n) + 1) * u32::from(g.w)))
        };
        let groups: Vec<(AttrIx, u32, u32)> = self.p.attrs.iter().zip(0..).filter_map(planes).collect();
        for (i, ins) in f.code.iter().enumerate() {
            let reads: Vec<AttrIx> = match ins.sees() {
                Sees::Attr(attr) => vec![attr],
                Sees::Planes(_, at) => {
                    groups.iter().filter(|(_, a, b)| (*a..*b).contains(&at)).map(|g| g.0).collect()
                }
                Sees::Group(group) => {
                    let of = |a: &&(AttrIx, u32, u32)| {
                        self.p.attrs.get(a.0.index()).and_then(|a| a.planes) == Some(group)
                    };
                    groups.iter().filter(of).map(|g| g.0).collect()
                }
                _ if keeps_to_registers(&self.p, ins) => Vec::new(),
                // The instruction may read anything, or undo earlier writes.
                _ => return,
            };
            for attr in reads {
                if first.get(&attr).is_some_and(|at| *at < i) {
                    first.remove(&attr);
                }
            }
        }
        for ins in &mut f.code {
            if let Ins::StAttr { attr, .. } | Ins::StGlobal { attr, .. } | Ins::StMany { attr, .. } = ins
                && first.contains_key(attr)
            {
                *ins = Ins::Mov { d: 0, a: 0 };
            }
        }
    }
}

impl Lower<'_> {
    /// The function that is executed on trial for an action.
    pub fn trial_effect_func(&mut self, id: ActionId) -> FuncId {
        let e = Event::Action(id);
        if !self.opts.lift
            || self.opts.cover
            || !self.attachments_around(e).iter().all(|(a, _)| matches!(a.what, AttachKind::Forbid(_)))
        {
            return self.event_func(e, "", 0, Job::Event(e));
        }
        let f = self.event_func(e, "tried", 0, Job::Tried(id));
        self.trial_funcs.insert(f);
        f
    }

    /// Makes the code of that function.
    pub fn make_trial_effect(&mut self, id: ActionId) -> FnBuild {
        let mut f = FnBuild::new(true);
        f.is_trial = true;
        let me = f.alloc(1);
        f.me = Some(me);
        let (types, _, _, _) = self.event_signature(Event::Action(id));
        let params = self.alloc_parameters(&mut f, &types);
        self.emit_action_body(&mut f, id, &params);
        if let Some(read) = self.attributes_read(id) {
            self.remove_dead_stores(&mut f, &read);
        }
        f
    }

    /// In an effect on trial: inlines a call of a rule; returns false if it must be called.
    pub fn inline_rule(&mut self, f: &mut FnBuild, r: RuleId, by: Option<&Expr>, args: &[Expr]) -> bool {
        let m = self.m;
        let Some(rule) = m.rules.get(r.index()) else { return false };
        let Some(block) = &rule.body.body else { return false };
        if m.fills_of(r).next().is_some() {
            return false;
        }
        if !f.is_trial || rule.phase || rule.gives != Ty::Nothing || f.depth >= DEEP {
            return false;
        }
        if !self.attachments_around(Event::Rule(r)).is_empty() || rule.body.params != args.len() {
            return false;
        }
        if args.iter().any(|a| matches!(a.ty, Ty::List(_) | Ty::Filter(_) | Ty::Text | Ty::Place)) {
            return false;
        }
        let me = match (by, f.me) {
            (Some(p), _) => self.required_reg(f, p),
            (None, Some(me)) => me,
            (None, None) => return false,
        };
        let mut names = rustc_hash::FxHashMap::default();
        for (i, a) in args.iter().enumerate() {
            let w = self.width(&a.ty, a.span);
            let at = f.alloc(w);
            self.store(f, a, at);
            if !rule.body.locals.get(i).is_some_and(|l| houserule_model::body::types::is_maybe(&l.ty)) {
                self.require_into(f, a, at);
            }
            names.insert(LocalId(i as u32), Bind::Reg(at));
        }
        names.insert(rule.me, Bind::Reg(me));
        f.envs.push(names);
        let env = f.envs.len() - 1;
        let exit = f.new_label();
        let outer = (f.exit_label.replace(exit), f.me.replace(me), f.none_label.take(), f.result.take());
        self.with_env(f, env, |s, f| s.emit_block(f, block));
        f.place_label(exit);
        (f.exit_label, f.me, f.none_label, f.result) = outer;
        true
    }
}

/// Whether an instruction uses only registers, or writes an attribute.
fn keeps_to_registers(p: &Program, ins: &Ins) -> bool {
    match ins.kind() {
        InsKind::Value => ins.sees() == Sees::Nothing,
        // A jump that writes registers is a loop over a set.
        InsKind::Jump => ins.registers(p).is_some_and(|u| u.writes.is_empty()),
        InsKind::Effect => matches!(ins.changes(), Changes::Attr(_)),
        InsKind::Call => matches!(ins, Ins::Ret),
        InsKind::Cache | InsKind::Option | InsKind::Chance | InsKind::Question => false,
    }
}
