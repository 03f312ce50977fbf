//! What the rules of a game say as a whole, found from the checked tree alone: once for all set-ups.
pub mod game_facts;
pub mod list_order;
pub mod unsupported;
pub mod value_sizes;
