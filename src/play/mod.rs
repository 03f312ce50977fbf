//! The room `play`.
