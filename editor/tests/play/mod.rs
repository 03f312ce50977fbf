//! Playtests without a window.
mod boards;
mod edits;
mod games;
mod made;
mod sessions;
mod starts;
mod table;
mod window;
