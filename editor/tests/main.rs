//! UI tests.
mod play;
