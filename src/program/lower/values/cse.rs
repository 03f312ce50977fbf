//! Common-subexpression elimination over a value's body: in `if f(x) == 0 then 0 else n / f(x)`, `f` is called once. Also decides which values are memoised.
//!
//! Considers only calls of values whose arguments are names and constants, and only if the first call is evaluated on every path: so nothing is evaluated and no
//! fault occurs that would not have without it. The guards of an action share calls with `me` and the menu's parameters in the same way; lowering them once on trial finds these calls.
use crate::fn_builder::{Available, Bind, FnBuild, TrialSet};
use crate::ir::*;
use crate::layout::tables::{Layout, Tables};
use crate::lower::Lower;
use houserule_model::body::walk;
use houserule_model::body::{build, types};
use houserule_model::hir::*;
use rustc_hash::FxHashMap as HashMap;

/// Bodies with fewer expressions are evaluated at each use.
const SMALL: usize = 6;
impl Layout<'_> {
    /// The register of one of the function's own arguments, through aliases.
    fn own_argument(&self, f: &FnBuild, e: &Expr, env: usize, depth: usize) -> Option<R> {
        let ExprKind::Local(l) = &*e.kind else { return None };
        match f.envs.get(env)?.get(l)? {
            Bind::Reg(r) if *r < f.argument_words => Some(*r),
            Bind::Alias(x, env) if depth < 32 => self.own_argument(f, x, *env, depth + 1),
            _ => None,
        }
    }
}

impl Tables<'_> {
    /// The register of a call of a value with the function's own arguments, if it is available. While lowering on trial, records the call.
    pub fn find_available(&mut self, f: &mut FnBuild, v: ValueId, args: &[Expr]) -> Option<R> {
        if f.available.is_empty() && f.trial_values.is_none() {
            return None;
        }
        let of = args.iter().map(|a| self.own_argument(f, a, f.env, 0)).collect::<Option<Vec<R>>>()?;
        if let Some(x) = f.available.iter().find(|x| x.value == v && x.of == of) {
            return Some(x.at);
        }
        if let Some((_, from)) = f.trial_values {
            let straight = f.is_straight_from(from);
            if let Some((all, _)) = &mut f.trial_values {
                all.push((Available { value: v, of, at: 0 }, straight));
            }
        }
        None
    }

    /// Recalls memoised value `k` of the player in register `who`, or computes and keeps it. `who` must survive the call. `of`: whether the function takes the player.
    pub fn recall_or_keep(&mut self, f: &mut FnBuild, k: u8, who: R, d: R, of: bool) {
        let Some(KeptSlot { func, words: w }) = self.p.kept.get(k as usize).copied() else { return };
        let found = f.new_label();
        f.emit(Ins::Recall { d, who, k, to: found.0 as u32 });
        let at = f.alloc(w.max(1));
        if of {
            f.emit(Ins::Mov { d: at, a: who });
        }
        f.emit(Ins::Call { at, f: func });
        f.emit(Ins::MovN { d, a: at, n: w });
        f.emit(Ins::Keep { d, who, k });
        f.place_label(found);
    }

    /// Adds a memoised value: returns its number, or none if there is no room.
    pub fn add_kept(&mut self, func: FuncId, words: u8) -> Option<u8> {
        let k = u8::try_from(self.p.kept.len()).ok()?;
        self.p.kept.push(KeptSlot { func, words });
        Some(k)
    }
}

impl Lower<'_> {
    /// Emits a memoised value of one player; returns false if the value is not memoised.
    ///
    /// Only games in which several players act freely memoise values: there the options are listed again and again, while most of the state stays as it was.
    pub fn kept_into(&mut self, f: &mut FnBuild, v: ValueId, args: &[Expr], d: R) -> bool {
        let Some(k) = self.kept_number(v, args) else { return false };
        if f.below.is_some_and(|(of, _)| of == v) {
            return false;
        }
        let Some(arg) = args.first() else { return false };
        // The player must survive the call.
        let who = f.alloc(1);
        self.store(f, arg, who);
        self.require_argument(f, arg, who, v, 0);
        self.recall_or_keep(f, k, who, d, true);
        true
    }

    /// The number of a memoised value, if it is a value of one player that is modified or searches a map.
    pub fn kept_number(&mut self, v: ValueId, args: &[Expr]) -> Option<u8> {
        if !self.game_facts.has_free_play || !self.opts.lift {
            return None;
        }
        let value = self.m.values.get(v.index())?;
        let [arg] = args else { return None };
        let player = |ty: &Ty| *ty == types::player();
        if !player(&types::plain(&arg.ty))
            || value.body.params != 1
            || !value.body.locals.first().is_some_and(|l| player(&l.ty))
            || matches!(types::plain(&value.ty), Ty::List(_) | Ty::Text)
            || self.ignores_param(v, 0)
        {
            return None;
        }
        let known = self.kept_values.get(&v).copied();
        if let Some(known) = known {
            return known;
        }
        let pays = match self.plain_value(v) {
            Some(plain) => walk::any_expr(
                &plain.1,
                &mut |e| matches!(&*e.kind, ExprKind::Builtin(b, _) if b.has(builtins::Trait::Search)),
            ),
            None => !self.game_facts.inlined_sizes.is_recursive(v) && !self.is_filled(v),
        };
        let words = self.width(&value.ty, value.span);
        let k = if pays && words <= 16 {
            let func = self.value_func(v);
            self.add_kept(func, words)
        } else {
            None
        };
        self.kept_values.insert(v, k);
        k
    }

    /// Computes the values that the trial needed more than once, and at least once on every path.
    pub fn compute_common_values(&mut self, f: &mut FnBuild, asked: &[(Available, bool)]) {
        let mut seen: Vec<&Available> = Vec::new();
        for (x, _) in asked {
            let times = asked.iter().filter(|(y, _)| y == x).count();
            if seen.contains(&x) || times < 2 || !asked.iter().any(|(y, straight)| y == x && *straight) {
                continue;
            }
            seen.push(x);
            let value = &self.m.values[x.value.index()];
            let locals = &value.body.locals;
            let mut names = HashMap::default();
            let mut args = Vec::new();
            for (i, r) in x.of.iter().enumerate() {
                let Some(l) = locals.get(i) else { return };
                names.insert(LocalId(i as u32), Bind::Reg(*r));
                args.push(build::expr(l.ty.clone(), value.span, ExprKind::Local(LocalId(i as u32))));
            }
            let call = build::expr(value.ty.clone(), value.span, ExprKind::Value(x.value, args));
            f.envs.push(names);
            let env = f.envs.len() - 1;
            let w = self.width(&call.ty, call.span);
            let at = f.alloc(w);
            // A value of the asked player is the same for all actions.
            let noted = if f.is_noting && x.of == [0] { self.noted_number(x.value, None, w) } else { None };
            self.compute_unless_noted(f, noted, at, |s, f| s.with_env(f, env, |s, f| s.store(f, &call, at)));
            f.available.push(Available { at, ..(*x).clone() });
        }
    }

    /// Computes the sets that conditions need before any parameter is picked, once for each list of options. Sets that only other such sets need are computed with them.
    pub fn compute_common_sets(&mut self, f: &mut FnBuild, asked: &[TrialSet]) {
        for (i, x) in asked.iter().enumerate() {
            let again = asked[..i].iter().any(|y| y.directly && (y.value, y.of) == (x.value, x.of));
            if x.directly && !again {
                self.compute_common_set(f, asked, x, 0);
            }
        }
    }

    /// Computes the sets that one condition needs; returns whether there are any.
    pub fn compute_sets_for(&mut self, f: &mut FnBuild, asked: &[TrialSet], c: &Expr) -> bool {
        let before = f.available_sets.len();
        for x in asked.iter().filter(|x| x.directly && calls_value(c, x.value)) {
            self.compute_common_set(f, asked, x, 0);
        }
        f.available_sets.len() > before
    }

    fn compute_common_set(&mut self, f: &mut FnBuild, asked: &[TrialSet], x: &TrialSet, depth: u32) {
        let (v, u) = (x.value, x.of);
        if f.next > 120 || depth > 8 || f.available_sets.iter().any(|(y, _)| *y == (v, u)) {
            return;
        }
        let w = self.set_words(u);
        let (Some(plain), Some(k)) = (self.plain_value(v), self.noted_number(v, Some(u), w)) else { return };
        let d = f.alloc(w);
        let (code, spans, ready) = (f.code.len(), f.spans.len(), f.available_sets.len());
        f.envs.push([(LocalId(0), Bind::Lifted)].into_iter().collect());
        let env = f.envs.len() - 1;
        let mut made = false;
        self.compute_unless_noted(f, Some(k), d, |s, f| {
            for y in asked.iter().filter(|y| y.value != v && calls_value(&plain.1, y.value)) {
                s.compute_common_set(f, asked, y, depth + 1);
            }
            if let Some(r) = s.with_env(f, env, |s, f| s.try_emit(f, |s, f| s.lift_condition(f, &plain.1, u)))
            {
                f.emit(Ins::MovN { d, a: r, n: w });
                made = true;
            }
        });
        // Sets that were computed for it are available only inside.
        f.available_sets.truncate(ready);
        if made {
            f.available_sets.push(((v, u), d));
        } else {
            f.code.truncate(code);
            f.spans.truncate(spans);
        }
    }

    /// Tests whether a thing is in an available set: returns the register of the truth value. While lowering on trial, records the set if another action needs it.
    pub fn test_available_set(&mut self, f: &mut FnBuild, v: ValueId, args: &[Expr]) -> Option<R> {
        let [arg] = args else { return None };
        let of = types::plain(&arg.ty);
        if !f.is_noting || !matches!(of, Ty::Of(_)) {
            return None;
        }
        // A test of one or two instructions is not worth a set.
        let mut size = 0;
        walk::visit_exprs(&self.plain_value(v)?.1, &mut |_| size += 1);
        if size < SMALL {
            return None;
        }
        let u = self.universe_of(&of, arg.span);
        if f.trial_values.is_some() {
            if self.noted_sets.contains_key(&(v, Some(u))) {
                f.trial_sets.push(TrialSet { value: v, of: u, directly: true });
                return Some(f.alloc(1));
            }
            return None;
        }
        let (_, s) = f.available_sets.iter().find(|(x, _)| *x == (v, u)).copied()?;
        let r = self.required_reg(f, arg);
        let i = self.value_to_element(f, u, r);
        Some(f.emit_new(1, |d| Ins::STest { d, s, i, w: self.set_words(u) }))
    }

    /// The number of a cached set or value in [`Program::noted`], or none if there is no room.
    fn noted_number(&mut self, v: ValueId, u: Option<UniverseId>, words: u8) -> Option<u8> {
        if let Some(k) = self.noted_sets.get(&(v, u)) {
            return Some(*k);
        }
        let k = u8::try_from(self.p.noted.len()).ok()?;
        self.p.noted.push(words);
        self.noted_sets.insert((v, u), k);
        Some(k)
    }

    /// Emits code that loads a cached value into `d`, or computes and caches it.
    pub fn compute_unless_noted(
        &mut self,
        f: &mut FnBuild,
        k: Option<u8>,
        d: R,
        make: impl FnOnce(&mut Self, &mut FnBuild),
    ) {
        let found = f.new_label();
        if let Some(k) = k {
            f.emit(Ins::Noted { d, k, to: found.0 as u32 });
        }
        let base = f.next;
        make(self, f);
        f.next = base;
        if let Some(k) = k {
            f.emit(Ins::Note { d, k });
        }
        f.place_label(found);
    }
}

/// Whether a body calls a value.
fn calls_value(body: &Expr, v: ValueId) -> bool {
    walk::any_expr(body, &mut |e| matches!(&*e.kind, ExprKind::Value(x, _) if *x == v))
}
