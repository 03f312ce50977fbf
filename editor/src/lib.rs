//! The editor.
pub mod play;
