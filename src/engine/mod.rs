//! The virtual machine: runs a compiled program, stops at questions, takes answers. It uses neither texts nor syntax trees.
//!
//! [`Machine::start`] runs to the first question; [`Machine::questions`] lists the questions, [`Machine::options`] the answers to one; [`Machine::choose`] answers and runs on.
//! [`Machine::view`] is what a seat may know. Everything is determined by program, seed and choices.
mod base;
mod context;
mod data;
mod eval;
mod interp;
mod machine;
mod scheduler;
#[cfg(test)]
mod tests;
mod views;
mod world;

pub use base::event::{Event, EventKind, Part};
pub use base::fault::{Fault, FaultKind, Frame};
pub use base::stream::{MIXER, Stream, below, mix};
pub use context::recorder::Watcher;
pub use context::run_context::Hooks;
pub use data::chance_order::{Chanced, ChancedThing, Said};
pub use data::decision::{
    Choice, CostPart, Last, Options, Question, QuestionKind, Reason, Refusal, Segment, What, Words,
};
pub use data::outcome::{Cell, Outcome, Sheet, SheetRow, Verdict};
pub use data::seats::in_mask;
pub use data::state::{LayerOp, State};
pub use data::subsets::{NOWHERE, Subsets};
pub use eval::onlookers::chosen_things;
pub use machine::clock::{Clock, LastWays};
pub use machine::determinize::Hidden;
pub use machine::estimates::Estimates;
pub use machine::game::{Machine, Numbers};
pub use machine::legacy::Legacy;
pub use views::view::{Card, Description, Drawn, HolderView, MapView, Pile, Seen, View, WordSign};
pub use world::knowledge::{SeededFault, learnt};
pub use world::look::Look;
pub use world::naming::{
    alone, change_phrase, place_phrase, place_title, place_word, thing_title, thing_word, value_text,
};
