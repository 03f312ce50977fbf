//! The room `hooks`.
