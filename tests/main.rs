//! All integration tests in one binary: one link, one start.
mod architecture;
mod book;
mod cli;
mod hooks;
mod laws;
mod misspellings;
mod perft;
mod random_games;
mod shipped;
mod support;
