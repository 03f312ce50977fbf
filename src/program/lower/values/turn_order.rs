//! Lowers orders of players round the table: with whom a list of players begins, and in which direction it goes.
//!
//! Membership in a list of players is a set. For `everyone … in turn` the code needs the first player and the direction as well. Most lists of players are orders round the
//! table: `players`, those from one player on (`clockwise`), the reverse (`reversed`), and one of two orders (`if`). Other lists are made before the first turn.
use crate::fn_builder::FnBuild;
use crate::ir::{Ins, R};
use crate::layout::tables::Tables;
use crate::lower::Lower;
use houserule_model::hir::{Builtin, Expr, ExprKind};

/// Whether a list may go anticlockwise.
pub fn may_go_back(e: &Expr) -> bool {
    match &*e.kind {
        ExprKind::Builtin(Builtin::Reversed, _) => true,
        ExprKind::Builtin(Builtin::AsSet, a) => a.first().is_some_and(may_go_back),
        ExprKind::If(_, a, b) => may_go_back(a) || may_go_back(b),
        _ => false,
    }
}

/// Whether a list is written as an order round the table.
pub fn is_round_the_table(e: &Expr) -> bool {
    match &*e.kind {
        ExprKind::Builtin(Builtin::Clockwise | Builtin::Players, _) => true,
        ExprKind::Builtin(Builtin::Reversed | Builtin::AsSet, a) => a.first().is_some_and(is_round_the_table),
        ExprKind::If(_, a, b) => is_round_the_table(a) && is_round_the_table(b),
        _ => false,
    }
}

/// Whether a list round the table may later be of other players.
pub fn may_grow(e: &Expr) -> bool {
    match &*e.kind {
        ExprKind::Builtin(Builtin::Clockwise, a) => {
            !matches!(a.first().map(|x| &*x.kind), Some(ExprKind::Builtin(Builtin::Players, _)))
        }
        ExprKind::Builtin(Builtin::Reversed, a) => a.first().is_some_and(may_grow),
        ExprKind::If(_, a, b) => may_grow(a) || may_grow(b),
        _ => false,
    }
}

/// A list of players who take turns: the register of the list, of its length, and of the next position.
#[derive(Clone, Copy)]
pub struct Row {
    pub list: R,
    pub len: R,
    pub at: R,
}

impl Tables<'_> {
    /// Begins the turns with a player, if the player is in the list.
    pub fn begin_row(&mut self, f: &mut FnBuild, row: Row, p: R) {
        let (x, t) = (f.alloc(1), f.alloc(1));
        let (top, away, end) = (f.new_label(), f.new_label(), f.new_label());
        f.place_label(top);
        f.emit(Ins::LGet { d: x, l: row.list, i: row.at });
        f.jnone(x, away);
        f.emit(Ins::Eq { d: t, a: x, b: p });
        f.jnz(t, end);
        f.emit(Ins::AddK { d: row.at, a: row.at, k: 1 });
        f.jmp(top);
        f.place_label(away);
        f.emit(Ins::Li { d: row.at, k: 0 });
        f.place_label(end);
    }

    /// Moves to the next player of the list; after the last comes the first.
    pub fn advance_row(&mut self, f: &mut FnBuild, row: Row) {
        let (t, end) = (f.alloc(1), f.new_label());
        f.emit(Ins::AddK { d: row.at, a: row.at, k: 1 });
        f.emit(Ins::Lt { d: t, a: row.at, b: row.len });
        f.jnz(t, end);
        f.emit(Ins::Li { d: row.at, k: 0 });
        f.place_label(end);
    }
}

impl Lower<'_> {
    /// Makes the list of those who take turns.
    pub fn make_row(&mut self, f: &mut FnBuild, who: &Expr) -> Row {
        let players = self.p.player_universe;
        let list = self.list_reg(f, who, players);
        let (len, at) = (f.alloc(1), f.load_number(0));
        f.emit(Ins::LLen { d: len, l: list });
        Row { list, len, at }
    }

    /// Puts the first player of a list into `first`, which holds 0, and reverses `way` (1 or -1) if the list goes the other way.
    pub fn find_first_player(&mut self, f: &mut FnBuild, e: &Expr, way: Option<R>, first: R) {
        let n = self.set.players as i32;
        match &*e.kind {
            ExprKind::Builtin(Builtin::AsSet, a) => {
                if let Some(of) = a.first() {
                    self.find_first_player(f, of, way, first);
                }
            }
            ExprKind::Builtin(Builtin::Clockwise, a) => {
                if let Some(from) = a.get(1) {
                    let r = self.required_reg(f, from);
                    f.emit(Ins::Mov { d: first, a: r });
                }
            }
            ExprKind::Builtin(Builtin::Reversed, a) => {
                let (Some(of), Some(way)) = (a.first(), way) else { return };
                self.find_first_player(f, of, Some(way), first);
                // A reversed list begins with the last player.
                let zero = f.load_number(0);
                f.emit(Ins::Sub { d: first, a: first, b: way });
                f.emit(Ins::AddK { d: first, a: first, k: n });
                f.emit(Ins::ModK { d: first, a: first, k: n });
                f.emit(Ins::Sub { d: way, a: zero, b: way });
            }
            ExprKind::If(c, a, b) if may_go_back(e) || !is_default_order(a) || !is_default_order(b) => {
                let (other, end) = (f.new_label(), f.new_label());
                let base = f.next;
                let r = self.expr_reg(f, c);
                f.jz(r, other);
                f.next = base;
                self.find_first_player(f, a, way, first);
                f.next = base;
                f.jmp(end);
                f.place_label(other);
                self.find_first_player(f, b, way, first);
                f.next = base;
                f.place_label(end);
            }
            _ => {}
        }
    }
}

/// Whether a list begins with the first player and goes clockwise.
fn is_default_order(e: &Expr) -> bool {
    match &*e.kind {
        ExprKind::Builtin(Builtin::Clockwise | Builtin::Reversed, _) => false,
        ExprKind::Builtin(Builtin::AsSet, a) => a.first().is_none_or(is_default_order),
        ExprKind::If(_, a, b) => is_default_order(a) && is_default_order(b),
        _ => true,
    }
}
