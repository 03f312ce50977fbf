//! Pure lowering: expressions become code that changes only registers.
pub mod aggregates;
pub mod bitset;
pub mod branch;
pub mod builtins;
pub mod calls;
pub mod costs;
pub mod cse;
pub mod dice;
pub mod expr;
pub mod grids;
pub mod lists;
pub mod number_sets;
pub mod scores;
pub mod sets;
pub mod turn_order;
