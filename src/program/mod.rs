//! The room `program`.
