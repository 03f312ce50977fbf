//! Lowers `out when`: players who are out take no turns and are asked nothing. In games where each wins or loses alone, players who have won or lost are out, too.
use crate::fn_builder::{Bind, FnBuild, Label};
use crate::ir::*;
use crate::lower::Lower;
use houserule_model::hir::*;

impl Lower<'_> {
    /// Whether any player can be out in this set-up.
    pub fn has_out_rule(&mut self) -> bool {
        matches!(self.m.outcome, Outcome::Each) || self.out_func().is_some()
    }

    /// Whether a choice of one thing may be put to nobody in this set-up, so that its result is none.
    pub fn may_ask_nobody(&mut self, e: &Expr) -> bool {
        let ExprKind::Choose(c) = &*e.kind else { return false };
        matches!((&c.many, &c.by), (Many::One, Chooser::Player(_)))
            && (self.has_out_rule() || self.set.answered.contains(&0))
    }

    /// `out when` as a function of a player, if the rules of this set-up have it.
    pub fn out_func(&mut self) -> Option<FuncId> {
        if let Some(known) = self.out_func {
            return known;
        }
        let m = self.m;
        let kind = m.kinds.get(builtin_kinds::PLAYER.index())?;
        let in_set = kind.out_when.iter().filter(|(s, _)| self.set.has(*s));
        let bodies: Vec<&Expr> =
            in_set.filter_map(|(_, v)| m.values.get(v.index())?.body.body.as_ref()).collect();
        let func = bodies.first().map(|first| {
            let decl = self.add_decl("out when", &kind.name, first.span);
            let func = self.new_func("out", true, 1, 1, decl);
            let mut f = FnBuild::new(false);
            let me = f.alloc(1);
            let (d, end) = (f.alloc(1), f.new_label());
            for b in &bodies {
                f.envs.push([(LocalId(0), Bind::Reg(me))].into_iter().collect());
                f.env = f.envs.len() - 1;
                self.store(&mut f, b, d);
                f.jnz(d, end);
            }
            f.place_label(end);
            f.emit(Ins::Mov { d: 0, a: d });
            self.finish_func(func, f);
            func
        });
        self.out_func = Some(func);
        func
    }

    /// Jumps to the label if a player is out.
    pub fn jump_if_out(&mut self, f: &mut FnBuild, who: R, to: Label) {
        let base = f.next;
        if matches!(self.m.outcome, Outcome::Each) {
            let (s, t) = (f.alloc(1), f.alloc(1));
            f.emit(Ins::LdClock { d: s, what: Clock::Decided });
            f.emit(Ins::STest { d: t, s, i: who, w: 1 });
            f.jnz(t, to);
        }
        if let Some(func) = self.out_func() {
            let at = f.emit_new(1, |d| Ins::Mov { d, a: who });
            f.emit(Ins::Call { at, f: func });
            f.jnz(at, to);
        }
        f.next = base;
    }

    /// Removes the players who are out from a set.
    pub fn remove_out(&mut self, f: &mut FnBuild, s: R) -> R {
        if !self.has_out_rule() {
            return s;
        }
        let left = f.emit_new(1, |d| Ins::Mov { d, a: s });
        let base = f.next;
        if matches!(self.m.outcome, Outcome::Each) {
            let gone = f.emit_new(1, |d| Ins::LdClock { d, what: Clock::Decided });
            f.emit(Ins::SAndNot { d: left, a: left, b: gone, w: 1 });
        }
        if let Some(func) = self.out_func() {
            let all = f.emit_new(1, |d| Ins::Mov { d, a: left });
            let (i, top, end) = f.begin_loop(all, 1);
            let at = f.emit_new(1, |d| Ins::Mov { d, a: i });
            f.emit(Ins::Call { at, f: func });
            f.jz(at, top);
            f.emit(Ins::SDel { d: left, i, w: 1 });
            f.jmp(top);
            f.place_label(end);
        }
        f.next = base;
        left
    }

    /// The players to ask, without those who are out: a set, or one player. Jumps to the label if nobody is left.
    pub fn players_to_ask(&mut self, f: &mut FnBuild, who: R, several: bool, nobody: Label) -> R {
        if !self.has_out_rule() {
            return who;
        }
        if several {
            return self.remove_out(f, who);
        }
        self.jump_if_out(f, who, nobody);
        who
    }
}
