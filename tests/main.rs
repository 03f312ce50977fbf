//! All integration tests in one binary: one link, one start.
mod allocation;
mod architecture;
mod attachments;
mod book;
mod cli;
mod enumerators;
mod hooks;
mod laws;
mod misspellings;
mod perft;
mod playing;
mod random_games;
mod shipped;
mod sizes;
mod support;
