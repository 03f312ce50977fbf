//! Generates random programs without errors, holds the laws on them, and makes a failing program as small as possible.
//!
//! | file | story |
//! |---|---|
//! | `draw` | chance, from one seed |
//! | `tree` | the tree of a program, and how it is printed |
//! | `world` | what a program declares |
//! | `exprs` | expressions of a wanted type |
//! | `declarations` | declarations of what the world holds |
//! | `stmts` | statements |
//! | `game` | a whole game |
//! | `more` | constructs that are drawn apart |
//! | `seldom` | constructs that few programs hold |
//! | `things` | words for things: unique things, hosts, stays, refills, bags |
//! | `shrink` | smaller programs that still fail |
//! | `run` | programs are checked, and held to the laws |
mod additions;
mod declarations;
mod draw;
mod exprs;
mod game;
mod rare;
mod regressions;
mod run;
mod sets;
mod shrink;
mod stmts;
mod things;
mod tree;
mod world;

pub use game::make_program;
pub use run::{Done, ProgramFault, ProgramPlan, compute_digest, run, run_laws};
pub use tree::Program;

/// Parts of the language of which a fault is known: tests and, where `known` is said, the command leave them out. Who mends a fault takes its line out.
pub const KNOWN: &[Feature] = &[];

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
    /// What asks for the order of a list that is written out, reversed, cut, or kept by a value or name.
    ListOrder,
    /// Attributes that are a space of a line from the start.
    DefaultOnALine,
    /// Things that lie face down where all may look, and that are turned over.
    FaceDown,
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
    /// `can` of a menu, a rule or a cost.
    Can,
    /// A phase, and what is attached while it runs.
    Phases,
    /// A variant with attachments of its own.
    Variants,
    /// `pay`.
    Costs,
    /// `must leave`.
    MustLeave,
    /// `sees`.
    Sees,
    /// `everyone freely`.
    Freely,
    /// Rows and columns as things.
    Ranks,
    /// Values of a kind that members fill.
    OwnValues,
}

impl Feature {
    /// All of them, each with its name on the command line.
    pub const ALL: [(&'static str, Feature); 23] = [
        ("guards-in-loops", Feature::GuardsInLoops),
        ("none-assigned", Feature::NoneAssigned),
        ("unused-arguments", Feature::UnusedArguments),
        ("beyond-the-end", Feature::BeyondTheEnd),
        ("list-order", Feature::ListOrder),
        ("default-on-a-line", Feature::DefaultOnALine),
        ("face-down", Feature::FaceDown),
        ("union-of-lines", Feature::UnionOfLines),
        ("becomes", Feature::Becomes),
        ("shuffled-kinds", Feature::ShuffledKinds),
        ("modify", Feature::Modify),
        ("around", Feature::Around),
        ("layers", Feature::Layers),
        ("secrets", Feature::Secrets),
        ("can", Feature::Can),
        ("phases", Feature::Phases),
        ("variants", Feature::Variants),
        ("costs", Feature::Costs),
        ("must-leave", Feature::MustLeave),
        ("sees", Feature::Sees),
        ("freely", Feature::Freely),
        ("ranks", Feature::Ranks),
        ("own-values", Feature::OwnValues),
    ];

    /// The features of that name; `known` are those of which a fault is known.
    ///
    /// # Errors
    /// The names that there are.
    pub fn from_name(name: &str) -> Result<Vec<Feature>, String> {
        if name == "known" {
            return Ok(KNOWN.to_vec());
        }
        let found = Feature::ALL.iter().find(|(n, _)| *n == name).map(|(_, f)| vec![*f]);
        let names: Vec<&str> = Feature::ALL.iter().map(|(n, _)| *n).collect();
        found.ok_or_else(|| format!("there is no feature {name}; the features are {}", names.join(", ")))
    }
}
