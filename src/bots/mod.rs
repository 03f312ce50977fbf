//! The room `bots`.
