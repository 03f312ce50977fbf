//! All integration tests in one binary: one link, one start.
mod allocation;
mod architecture;
mod book;
mod cli;
mod enumerators;
mod failing_rules;
mod given;
mod hooks;
mod laws;
mod misspellings;
mod options;
mod perft;
mod playing;
mod random_games;
mod shipped;
mod sizes;
mod support;
