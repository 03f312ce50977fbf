//! Random programs that have no errors, and the laws that are held on them. A failing program is made as small as it can be.
//!
//! | file | story |
//! |---|---|
//! | `draw` | chance, from one seed |
//! | `tree` | the tree of a program, and how it is printed |
//! | `world` | what a program declares |
//! | `exprs` | expressions of a wanted type |
//! | `stmts` | statements |
//! | `game` | a whole game |
//! | `shrink` | smaller programs that still fail |
//! | `run` | programs are checked, and held to the laws |
mod draw;
mod exprs;
mod game;
mod run;
mod shrink;
mod stmts;
mod tree;
mod world;

pub use game::program;
pub use run::{Done, Fault, Plan, run};
pub use tree::Program;

/// Parts of the language that can be left out of the programs, so that a fault that is known hides no other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Feature {
    /// Division behind a guard that asks for zero.
    DivisionBehindGuard,
    /// `x = e` where e may be none.
    NoneAssigned,
    /// Things that show another face from now on.
    Becomes,
    /// Shuffled zones of components of several kinds.
    ShuffledKinds,
    /// `modify`.
    Modify,
    /// `before`, `after`, `instead of` and `forbid`.
    Around,
    /// `until end of turn` and the like.
    Layers,
    /// Hidden things.
    Secrets,
}
