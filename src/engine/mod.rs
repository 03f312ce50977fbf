//! The machine: runs a lowered program, stops at questions, takes answers. It knows neither text nor tree.
//!
//! [`Machine::start`] runs to the first question; [`Machine::questions`] says who is asked what; [`Machine::options`] what may be answered;
//! [`Machine::choose`] answers and runs on. [`Machine::view`] is what a seat may know. Everything is deterministic in program, seed and choices.
mod ahead;
mod among;
mod bulk;
mod chance;
mod clock;
mod decision;
mod drawn;
mod effects;
mod event;
mod exec;
mod fault;
mod fibers;
mod freely;
mod inside;
mod knowledge;
mod layers;
mod lines;
mod machine;
mod maps;
mod memo;
mod naming;
mod notes;
mod ops;
mod options;
mod order;
mod outcome;
mod position;
mod quick;
mod rare;
mod recorder;
mod state;
mod stream;
#[cfg(test)]
mod tests;
mod tools;
mod trial;
mod view;
mod ways;
mod why;
mod world;

pub use chance::{Chanced, ChancedThing, Said};
pub use clock::{Clock, LastWays};
pub use decision::{Choice, Last, Options, Question, QuestionKind, Reason, Refusal, Segment, What, Words};
pub use event::{Event, EventKind, Part};
pub use fault::{Fault, FaultKind, Frame};
pub use knowledge::{SeededFault, learnt};
pub use machine::{Machine, Numbers};
pub use naming::{alone, place_title, thing_title, thing_word, value_text};
pub use outcome::{Cell, Outcome, Sheet, SheetRow, Verdict};
pub use state::State;
pub use stream::{MIXER, Stream, below, mix};
pub use tools::Hooks;
pub use view::{Card, Description, Drawn, HolderView, MapView, Pile, Seen, View};
pub use world::Look;
