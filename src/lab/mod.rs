//! Many games at once: figures, tests, counting.
mod advice;
mod answers;
pub mod checklist;
pub mod conditions;
pub mod coverage;
pub mod fuzz;
pub mod generate;
pub mod given;
pub mod laws;
pub mod mutate;
pub mod perft;
mod reached;
pub mod record;
pub mod retrace;
pub mod simulate;
pub mod stats;
pub mod testing;
