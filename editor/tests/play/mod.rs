//! Playtests without a window.
mod boards;
mod games;
mod sessions;
