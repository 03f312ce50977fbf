//! Many games at once: figures, tests, counting.
mod answers;
pub mod stats;
pub mod testing;
