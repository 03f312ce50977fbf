//! Lowers the conditions that end a game: `win when`, `lose when` and `tie when` are evaluated after each change; `ends when` and `round until` when a turn
//! begins and when a round ends.
use crate::fn_builder::{FnBuild, Label};
use crate::ir::*;
use crate::layout::tables::{Layout, Tables};
use crate::lower::{Job, Lower};
use houserule_model::body::{types, walk};
use houserule_model::hir::*;

/// Emits code for an expression that has names of its own, in an environment of its own.
fn with_own_names<T>(f: &mut FnBuild, make: impl FnOnce(&mut FnBuild) -> T) -> T {
    let outer = f.env;
    f.envs.push(rustc_hash::FxHashMap::default());
    f.env = f.envs.len() - 1;
    let out = make(f);
    f.env = outer;
    out
}

impl Layout<'_> {
    /// Whether a condition may read whose turn it is, itself or through a value.
    fn reads_turn(&self, c: &Expr) -> bool {
        let turn = |e: &Expr| matches!(&*e.kind, ExprKind::Builtin(Builtin::Turn, _));
        let mut direct = false;
        let mut values = false;
        walk::visit_exprs(c, &mut |e| {
            direct |= turn(e);
            values |= matches!(&*e.kind, ExprKind::Value(..));
        });
        direct || values && self.game_facts.turn_in_values
    }
}

impl Tables<'_> {
    /// In games where players always stand on a space: jumps to `to` if a player has not been put on one yet. Endings and invariants are not evaluated before.
    pub fn jump_unless_standing(&mut self, f: &mut FnBuild, to: Label) {
        let declared = types::standing(self.m).and_then(|a| self.m.attrs.get(a.index()));
        let (Some(attr), Some(declared)) = (self.p.standing, declared) else { return };
        if types::is_maybe(&declared.ty) || declared.default.is_some() {
            return;
        }
        let base = f.next;
        let (e, d) = (f.alloc(1), f.alloc(1));
        for p in 0..self.set.players {
            if self.p.answered.get(p as usize).is_some_and(|seats| *seats != 0) {
                f.emit(Ins::Li { d: e, k: p as i32 });
                f.emit(Ins::LdAttr { d, e, attr });
                f.jnone(d, to);
            }
        }
        f.next = base;
    }
}

impl Lower<'_> {
    /// Repeats [`Lower::judge_ends`] after the next player is known, if a condition reads whose turn it is.
    pub fn judge_ends_again(&mut self, f: &mut FnBuild, turn: R, out: Option<Label>) {
        if self.m.ends_between().any(|c| self.reads_turn(c)) {
            self.judge_ends(f, Some(turn), out);
        }
    }

    /// Evaluates `round until` and `ends when`: ends the game, or jumps to `out` if that is given. `turn` is the player whose turn is to begin. Not evaluated during the set-up.
    pub fn judge_ends(&mut self, f: &mut FnBuild, turn: Option<R>, out: Option<Label>) {
        let all: Vec<&Expr> = self.m.ends_between().collect();
        if all.is_empty() {
            return;
        }
        let (base, go, end) = (f.next, f.new_label(), f.new_label());
        if out.is_none() {
            let round = f.emit_new(1, |d| Ins::LdClock { d, what: Clock::Round });
            f.jz(round, go);
        }
        let outer = turn.filter(|_| all.iter().any(|c| self.reads_turn(c))).map(|p| {
            let outer = f.emit_new(1, |d| Ins::LdClock { d, what: Clock::Turn });
            f.emit(Ins::TurnIs { p });
            outer
        });
        let skip = f.none_label.take();
        for c in all {
            let kept = f.next;
            let r = with_own_names(f, |f| self.expr_reg(f, c));
            f.jnz(r, out.unwrap_or(end));
            f.next = kept;
        }
        f.none_label = skip;
        if let Some(outer) = outer {
            f.emit(Ins::TurnIs { p: outer });
        }
        f.jmp(go);
        f.place_label(end);
        if out.is_none() {
            f.emit(Ins::End);
        }
        f.place_label(go);
        f.next = base;
    }

    /// Runs [`Lower::watch_endings`] when a turn, a round or a phase begins or ends, if an ending may read the time, an attribute that is reset then, or a layer.
    pub fn watch_endings_by_time(&mut self, f: &mut FnBuild) {
        if self.game_facts.ends_by_time {
            self.watch_endings(f);
        }
    }

    /// Evaluates `win when`, `lose when` and `tie when`, after a statement that changes something. During the set-up they do not end the game.
    pub fn watch_endings(&mut self, f: &mut FnBuild) {
        self.judge_endings(f, false);
    }

    /// Like [`Lower::watch_endings`], between the set-up and the first round.
    pub fn watch_endings_after_setup(&mut self, f: &mut FnBuild) {
        self.judge_endings(f, true);
    }

    fn judge_endings(&mut self, f: &mut FnBuild, after_setup: bool) {
        let again = self.opts.dry && std::mem::replace(&mut self.judged_endings, true);
        if again || !self.m.endings.iter().any(|(s, _)| self.set.has(*s)) {
            return;
        }
        if self.calls_endings {
            let span = self.m.endings.first().map(|(_, e)| e.body.when.span).unwrap_or_default();
            let decl = self.add_decl("ending", &"ends".into(), span);
            let key = format!("endings {after_setup}");
            let func = self.func(key, "endings", false, 1, 0, decl, Job::Endings { after_setup });
            let base = f.next;
            let at = f.load_number(NONE);
            f.emit(Ins::Call { at, f: func });
            f.next = base;
        } else {
            self.emit_endings(f, after_setup);
        }
    }

    /// The endings as a function, for plain code.
    pub fn make_endings(&mut self, after_setup: bool) -> FnBuild {
        let mut f = FnBuild::new(true);
        f.alloc(1);
        self.emit_endings(&mut f, after_setup);
        f
    }

    fn emit_endings(&mut self, f: &mut FnBuild, after_setup: bool) {
        let m = self.m;
        let (base, all) = (f.next, f.new_label());
        // Asked first where a condition may fail: during the set-up it must not be evaluated. Elsewhere only where one holds.
        let mut asks_first = self.calls_endings;
        for (scope, e) in m.endings.iter().filter(|_| !after_setup) {
            asks_first = asks_first
                || self.set.has(*scope) && !with_own_names(f, |f| self.cannot_fault(f, &e.body.when));
        }
        asks_first &= !after_setup;
        if asks_first {
            let setting_up = f.emit_new(1, |d| Ins::LdClock { d, what: Clock::SetUp });
            f.jnz(setting_up, all);
            f.next = base;
        }
        if let Some(k) = self.endings_kept_number() {
            // In most cases nothing that an ending reads has changed: recalls the memoised answer.
            let (d, who) = (f.alloc(1), f.load_number(0));
            self.recall_or_keep(f, k, who, d, false);
            f.jz(d, all);
            f.next = base;
        }
        self.jump_unless_standing(f, all);
        for (scope, e) in &m.endings {
            if !self.set.has(*scope) {
                continue;
            }
            let go = f.new_label();
            let skip = f.none_label.replace(go);
            with_own_names(f, |f| {
                let r = self.expr_reg(f, &e.body.when);
                f.jz(r, go);
                if !after_setup && !asks_first {
                    let setting_up = f.emit_new(1, |d| Ins::LdClock { d, what: Clock::SetUp });
                    f.jnz(setting_up, go);
                }
                self.emit_end(f, &e.body);
            });
            f.place_label(go);
            f.none_label = skip;
        }
        f.place_label(all);
        f.next = base;
    }

    /// The number of the memoised value "any ending holds", in games that memoise values.
    fn endings_kept_number(&mut self) -> Option<u8> {
        if !self.game_facts.has_free_play || !self.opts.lift || self.opts.cover {
            return None;
        }
        if let Some(known) = self.kept_endings {
            return known;
        }
        let m = self.m;
        let span = m.endings.first().map(|(_, e)| e.body.when.span).unwrap_or_default();
        let decl = self.add_decl("ending", &"ends".into(), span);
        let func = self.new_func("ends", true, 0, 1, decl);
        let mut f = FnBuild::new(false);
        let (d, no) = (f.alloc(1), f.new_label());
        f.emit(Ins::Li { d, k: 0 });
        self.jump_unless_standing(&mut f, no);
        let yes = f.new_label();
        for (scope, e) in &m.endings {
            if self.set.has(*scope) {
                let go = f.new_label();
                f.none_label = Some(go);
                let base = f.next;
                with_own_names(&mut f, |f| {
                    let r = self.expr_reg(f, &e.body.when);
                    f.jnz(r, yes);
                });
                f.next = base;
                f.place_label(go);
            }
        }
        f.jmp(no);
        f.place_label(yes);
        f.emit(Ins::Li { d, k: 1 });
        f.place_label(no);
        self.finish_func(func, f);
        let k = self.add_kept(func, 1);
        self.kept_endings = Some(k);
        k
    }
}
