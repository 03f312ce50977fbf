//! Orders of players round the table: where a list of players begins, and which way round it goes.
//!
//! A list of players is a set as far as membership goes; what `everyone … in turn` needs beside it is who comes first and the way round. All lists of players that can be written
//! are orders round the table: `players`, those from one on (`clockwise`), the same the other way round (`reversed`), and one or the other (`if`).
use super::build::FnBuild;
use super::ir::{Ins, R};
use super::lower::Lower;
use crate::model::hir::{Builtin, Expr, ExprKind};

/// Whether a list may go the other way round.
pub fn turned(e: &Expr) -> bool {
    match &*e.kind {
        ExprKind::Builtin(Builtin::Reversed, _) => true,
        ExprKind::Builtin(Builtin::AsSet, a) => a.first().is_some_and(turned),
        ExprKind::If(_, a, b) => turned(a) || turned(b),
        _ => false,
    }
}

impl Lower<'_> {
    /// Puts the player with whom a list of players begins into `first`, where 0 stands, and turns `way` (1 or -1) round where it goes the other way.
    pub fn table_order(&mut self, f: &mut FnBuild, e: &Expr, way: Option<R>, first: R) {
        let n = self.set.players as i32;
        match &*e.kind {
            ExprKind::Builtin(Builtin::AsSet, a) => {
                if let Some(of) = a.first() {
                    self.table_order(f, of, way, first);
                }
            }
            ExprKind::Builtin(Builtin::Clockwise, a) => {
                if let Some(from) = a.get(1) {
                    let r = self.needed(f, from);
                    f.emit(Ins::Mov { d: first, a: r });
                }
            }
            ExprKind::Builtin(Builtin::Reversed, a) => {
                let (Some(of), Some(way)) = (a.first(), way) else { return };
                self.table_order(f, of, Some(way), first);
                // The last of a list stands before its first.
                let zero = f.li(0);
                f.emit(Ins::Sub { d: first, a: first, b: way });
                f.emit(Ins::AddK { d: first, a: first, k: n });
                f.emit(Ins::ModK { d: first, a: first, k: n });
                f.emit(Ins::Sub { d: way, a: zero, b: way });
            }
            ExprKind::If(c, a, b) if turned(e) || !plain(a) || !plain(b) => {
                let (other, end) = (f.label(), f.label());
                let base = f.next;
                let r = self.one(f, c);
                f.jz(r, other);
                f.next = base;
                self.table_order(f, a, way, first);
                f.next = base;
                f.jmp(end);
                f.place(other);
                self.table_order(f, b, way, first);
                f.next = base;
                f.place(end);
            }
            _ => {}
        }
    }
}

/// Whether a list begins with the first player and goes on clockwise.
fn plain(e: &Expr) -> bool {
    match &*e.kind {
        ExprKind::Builtin(Builtin::Clockwise | Builtin::Reversed, _) => false,
        ExprKind::Builtin(Builtin::AsSet, a) => a.first().is_none_or(plain),
        ExprKind::If(_, a, b) => plain(a) && plain(b),
        _ => true,
    }
}
