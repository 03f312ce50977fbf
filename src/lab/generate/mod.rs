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
pub use run::{Done, Fault, Plan, run, run_laws};
pub use tree::Program;

/// Parts of the language that can be left out of the programs, so that a fault that is known hides no other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Feature {
    /// Guards before what they guard, where it is worked out for each of several things.
    GuardsInLoops,
    /// `x = e` where e may be none, and changes of what may be none.
    NoneAssigned,
    /// Values that do not use an argument.
    UnusedArguments,
    /// `L[n]` where n may be more than there are.
    BeyondTheEnd,
    /// Attributes that are a space of a line from the start.
    DefaultOnALine,
    /// Unions over `lines(n)`.
    UnionOfLines,
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

impl Feature {
    /// All of them, each with its name on the command line.
    pub const ALL: [(&'static str, Feature); 12] = [
        ("guards-in-loops", Feature::GuardsInLoops),
        ("none-assigned", Feature::NoneAssigned),
        ("unused-arguments", Feature::UnusedArguments),
        ("beyond-the-end", Feature::BeyondTheEnd),
        ("default-on-a-line", Feature::DefaultOnALine),
        ("union-of-lines", Feature::UnionOfLines),
        ("becomes", Feature::Becomes),
        ("shuffled-kinds", Feature::ShuffledKinds),
        ("modify", Feature::Modify),
        ("around", Feature::Around),
        ("layers", Feature::Layers),
        ("secrets", Feature::Secrets),
    ];

    /// The feature of that name.
    ///
    /// # Errors
    /// The names that there are.
    pub fn named(name: &str) -> Result<Feature, String> {
        let found = Feature::ALL.iter().find(|(n, _)| *n == name).map(|(_, f)| *f);
        let names: Vec<&str> = Feature::ALL.iter().map(|(n, _)| *n).collect();
        found.ok_or_else(|| format!("there is no feature {name}; the features are {}", names.join(", ")))
    }
}
