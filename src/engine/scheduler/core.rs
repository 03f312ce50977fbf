//! `Core`: everything of a machine but its program. The files of this folder are its methods.
use crate::context::run_context::Context;
use crate::data::decision::Question;
use crate::data::outcome::Outcome;
use crate::data::state::State;
use crate::world::tables::WorldTables;

/// All of a machine but its program, which its methods borrow: many machines on many threads share one program, and counting its references would slow them down.
pub(crate) struct Core {
    pub world: WorldTables,
    pub state: State,
    pub context: Context,
    /// The questions that are asked now.
    pub questions: Vec<Question>,
    /// The question whose options `context` holds; they are valid until something runs.
    pub options_for: Option<u32>,
    /// The question whose answer was just found among the options; nothing has run since.
    pub fresh: Option<u32>,
    /// How the game ended, if `settled`.
    pub outcome: Outcome,
    pub settled: bool,
    pub results: Vec<u64>,
    /// Whether it is known that the menu that is put next can be left.
    pub may_leave: bool,
}
