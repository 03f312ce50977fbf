//! Facts about the rules of a game, from the checked tree alone: computed once for all set-ups.
pub mod distances;
pub mod game_facts;
pub mod list_order;
pub mod unsupported;
pub mod value_sizes;
