//! Whether two blocks give the same in either order: what each reads and changes, with all that it calls (effect analysis).
//!
//! ```text
//! my.coins += 2        # and
//! my.coins += 1        # commute: both add
//! my.coins = 0         # commutes with neither
//! ```
//!
//! What is not known counts as a change of everything. Chance and the order of lines in the log do not count.
use super::{types, walk};
use crate::hir::*;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// Something that is read or changed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Cell {
    /// An attribute, of whatever has it.
    Attr(AttrId),
    /// An attribute of the player who owns what acts.
    Own(AttrId),
    /// Where components lie, how, and who knows them.
    Places,
    /// Which faces components show.
    Faces,
    /// Everything.
    All,
}

/// How often it is read or changed in which way.
#[derive(Clone, Copy, Default, Debug)]
struct Uses {
    read: bool,
    /// Something is added.
    up: bool,
    /// Something is taken away.
    down: bool,
    /// Any other change.
    set: bool,
}

impl Uses {
    fn is_change(self) -> bool {
        self.up || self.down || self.set
    }
}

/// What a block reads and changes.
#[derive(Clone, Default, Debug)]
pub struct Effects(HashMap<Cell, Uses>);

impl Effects {
    fn at(&mut self, cell: Cell) -> &mut Uses {
        self.0.entry(cell).or_default()
    }

    fn changes(&self) -> impl Iterator<Item = Cell> + '_ {
        self.0.iter().filter(|(_, u)| u.is_change()).map(|(c, _)| *c)
    }

    /// When the order of both can matter. `watched`: what is read after each change, since it ends the game.
    pub fn matter(&self, other: &Effects, m: &Model, watched: &Effects) -> Matter {
        let is_watched = |c: Cell| match c {
            Cell::Own(a) => watched.0.contains_key(&Cell::Attr(a)),
            c => watched.0.contains_key(&c),
        };
        let ends = |e: &Effects| e.changes().any(is_watched);
        let everything = |a: &Effects, b: &Effects| a.0.contains_key(&Cell::All) && !b.0.is_empty();
        if everything(self, other) || everything(other, self) || ends(self) && ends(other) {
            return Matter::Always;
        }
        let mut out = Matter::Never;
        for (x, a) in &self.0 {
            for (y, b) in &other.0 {
                let when = match (x, y) {
                    (Cell::Own(p), Cell::Own(q)) if p == q => Matter::OfOneOwner,
                    (Cell::Own(p), Cell::Attr(q)) | (Cell::Attr(p), Cell::Own(q)) if p == q => Matter::Always,
                    _ if x == y => Matter::Always,
                    _ => continue,
                };
                if !commute(*x, *a, *b, m) {
                    out = out.max(when);
                }
            }
        }
        out
    }
}

/// When the order of two blocks can matter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Matter {
    /// Never.
    Never,
    /// If one player owns both things that act.
    OfOneOwner,
    /// Whoever owns them.
    Always,
}

/// Whether two uses of the same give the same in either order.
fn commute(cell: Cell, a: Uses, b: Uses, m: &Model) -> bool {
    // A number that stays within its range is not the same if it is first too large, then too small.
    let clamped = match cell {
        Cell::Attr(x) | Cell::Own(x) => m.attrs.get(x.index()).is_none_or(|x| x.clamped),
        _ => false,
    };
    let adds = !a.set && !b.set && !a.read && !b.read;
    let one_way = !(a.up && b.down || a.down && b.up);
    !a.is_change() && !b.is_change() || adds && (one_way || !clamped)
}

/// Collects effects; rules and values that are being looked at are not looked at again.
pub struct Collector<'m> {
    m: &'m Model,
    /// The name of who owns what acts.
    owner: Option<LocalId>,
    targets: HashSet<Target>,
    found: Effects,
}

/// What a block reads and changes, in which this is the name of who owns what acts.
pub fn effects_of(m: &Model, owner: Option<LocalId>, exprs: &[&Expr], block: &[Stmt]) -> Effects {
    let mut c = Collector { m, owner, targets: HashSet::default(), found: Effects::default() };
    exprs.iter().for_each(|e| c.look_at(e));
    c.look_at_block(block);
    c.found
}

/// What the endings read that are watched always.
pub fn watched_effects(m: &Model) -> Effects {
    let endings = m.endings.iter().flat_map(|(_, e)| e.body.who.iter().chain([&e.body.when]));
    effects_of(m, None, &endings.collect::<Vec<_>>(), &[])
}

impl<'m> Collector<'m> {
    fn reads(&mut self, cell: Cell) {
        self.found.at(cell).read = true;
    }

    fn sets(&mut self, cell: Cell) {
        self.found.at(cell).set = true;
    }

    /// The attribute of something as a cell.
    fn cell_of(&self, of: &Expr, a: AttrId) -> Cell {
        match &*of.kind {
            ExprKind::Local(l) if Some(*l) == self.owner => Cell::Own(a),
            _ => Cell::Attr(a),
        }
    }

    fn reads_attr(&mut self, cell: Cell) {
        self.reads(cell);
        let (Cell::Attr(a) | Cell::Own(a)) = cell else { return };
        let parts = self.m.attrs.get(a.index()).map_or(&[][..], |x| &x.parts);
        parts.iter().for_each(|p| self.found.at(Cell::Attr(*p)).read = true);
    }

    fn look_at(&mut self, e: &Expr) {
        walk::visit_exprs(e, &mut |e| match &*e.kind {
            ExprKind::Attr(of, a) => {
                self.reads_attr(self.cell_of(of, *a));
                self.reads(Cell::Faces);
            }
            ExprKind::TableAttr(a) => self.reads_attr(Cell::Attr(*a)),
            ExprKind::Zone(_, z, _) | ExprKind::PlaceOf(_, z, _) => {
                self.reads(Cell::Places);
                if let Some(refill) = self.m.zones.get(z.index()).and_then(|z| z.refill) {
                    self.look_into(Target::Rule(refill));
                }
            }
            ExprKind::Box(_) => self.reads(Cell::Places),
            ExprKind::IsFace(..) | ExprKind::IsKind(..) | ExprKind::Filter(..) => self.reads(Cell::Faces),
            ExprKind::Builtin(b, _) => match b.facts().reads {
                builtins::Reads::Fixed | builtins::Reads::Clock => {}
                builtins::Reads::Places => self.reads(Cell::Places),
                builtins::Reads::State => {
                    self.reads(Cell::Places);
                    self.reads(Cell::Faces);
                    types::standing(self.m).into_iter().for_each(|a| self.reads_attr(Cell::Attr(a)));
                }
            },
            ExprKind::Value(v, _) => self.look_into(Target::Value(*v)),
            ExprKind::Rule(r, ..) => self.look_into(Target::Rule(*r)),
            ExprKind::Hook(..)
            | ExprKind::CanRule(..)
            | ExprKind::CanMenu(..)
            | ExprKind::PositionSeen(..) => self.sets(Cell::All),
            _ => {}
        });
    }

    fn look_at_block(&mut self, b: &[Stmt]) {
        for s in b {
            let (exprs, blocks) = walk::stmt_parts(s);
            exprs.iter().for_each(|e| self.look_at(e));
            blocks.iter().for_each(|b| self.look_at_block(b));
            self.look_at_stmt(s);
        }
    }

    fn look_at_stmt(&mut self, s: &Stmt) {
        match &s.kind {
            StmtKind::Assign(lhs @ (Lhs::Attr(..) | Lhs::TableAttr(_)), change, e) => {
                let amount = types::bounds(&e.ty).unwrap_or((-1, 1));
                let cell = match lhs {
                    Lhs::Attr(of, a) => self.cell_of(of, *a),
                    Lhs::TableAttr(a) => Cell::Attr(*a),
                    Lhs::Local(_) | Lhs::DieValue(_) => return,
                };
                let uses = self.found.at(cell);
                match (change, amount) {
                    (Change::Add, (0.., _)) | (Change::Sub, (_, ..=0)) => uses.up = true,
                    (Change::Sub, (0.., _)) | (Change::Add, (_, ..=0)) => uses.down = true,
                    (Change::Add | Change::Sub, _) => (uses.up, uses.down) = (true, true),
                    _ => uses.set = true,
                }
            }
            StmtKind::Assign(Lhs::DieValue(_), ..) | StmtKind::Becomes(..) => self.sets(Cell::Faces),
            StmtKind::Move(_)
            | StmtKind::Swap(..)
            | StmtKind::Discard(_)
            | StmtKind::Flip(..)
            | StmtKind::Show(..)
            | StmtKind::Shuffle(_)
            | StmtKind::Roll(_) => {
                self.sets(Cell::Places);
                if matches!(s.kind, StmtKind::Shuffle(_) | StmtKind::Roll(_)) {
                    self.sets(Cell::Faces);
                }
                types::standing(self.m).into_iter().for_each(|a| self.sets(Cell::Attr(a)));
                let stays = |a: &Attr| a.per.as_deref() == Some("stay");
                let of_stays = (0..).map(AttrId).zip(&self.m.attrs).filter(|(_, a)| stays(a));
                of_stays.for_each(|(a, _)| self.sets(Cell::Attr(a)));
                if let Some(effect) = s.kind.does().event {
                    self.look_into(Target::Effect(effect));
                }
            }
            StmtKind::Call(r, ..) => self.look_into(Target::Rule(*r)),
            StmtKind::Everyone(e) if !matches!(e.mode, Mode::InTurn | Mode::AnyOrder) => {}
            StmtKind::Everyone(_)
            | StmtKind::Offer(..)
            | StmtKind::Until(..)
            | StmtKind::Attach(_)
            | StmtKind::Build(_)
            | StmtKind::MustLeave(_)
            | StmtKind::Verdict(..)
            | StmtKind::CallHook(..) => self.sets(Cell::All),
            StmtKind::Let(..)
            | StmtKind::Assign(Lhs::Local(_), ..)
            | StmtKind::If(..)
            | StmtKind::For(..)
            | StmtKind::Repeat(..)
            | StmtKind::RepeatUntil(..)
            | StmtKind::Needs(_)
            | StmtKind::As(..)
            | StmtKind::May(_)
            | StmtKind::Give(_)
            | StmtKind::Stop
            | StmtKind::Proceed(_)
            | StmtKind::Say(_) => {}
        }
    }

    /// Looks into a value, a rule or an effect, and into what is attached to it.
    fn look_into(&mut self, t: Target) {
        if !self.targets.insert(t) {
            return;
        }
        let m = self.m;
        // Other bodies have other names.
        let owner = self.owner.take();
        match t {
            Target::Value(v) => {
                m.values
                    .get(v.index())
                    .and_then(|v| v.body.body.as_ref())
                    .into_iter()
                    .for_each(|e| self.look_at(e));
                let fills = m.members.iter().flat_map(|x| &x.fills).filter(|(x, _)| *x == v);
                fills.for_each(|(_, b)| self.look_at(&b.body));
            }
            Target::Rule(r) => {
                let own = m.rules.get(r.index()).and_then(|r| r.body.body.as_ref());
                own.into_iter().chain(m.fills_of(r)).for_each(|b| self.look_at_block(b));
            }
            _ => {}
        }
        for a in m.attachments.iter().filter(|a| a.heads.iter().any(|h| h.target == t)) {
            let (exprs, blocks) = walk::attachment_parts(a);
            exprs.into_iter().for_each(|e| self.look_at(e));
            blocks.into_iter().for_each(|b| self.look_at_block(b));
            if a.carrier.is_some() {
                // Where the carrier lies decides whether it is in force.
                self.reads(Cell::Places);
                self.reads(Cell::Faces);
                for z in &m.zones {
                    if let Active::When(b) = &z.active {
                        self.look_at(&b.body);
                    }
                }
            }
        }
        self.owner = owner;
    }
}
