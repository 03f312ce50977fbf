//! The editor.
