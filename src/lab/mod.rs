//! The room `lab`.
