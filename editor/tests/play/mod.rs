//! Playtests without a window.
mod boards;
mod games;
mod made;
mod sessions;
mod starts;
mod table;
mod window;
