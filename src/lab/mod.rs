//! Many games at once: figures, tests, counting.
pub mod stats;
