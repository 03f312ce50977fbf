//! Experiments with many games: simulation, the `test` blocks of rules, property tests, perft, coverage, mutation, fuzzing and generated programs. Sits above `play` and `bots`; the command line and the editor use it.
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
pub mod tally;
pub mod testing;
