//! Indexes and constant tables that are built at compile time, and the conditions that they answer.
//!
//! | file | index |
//! |---|---|
//! | `bitmap` | for each value of an attribute, the set of things that have it |
//! | `grids` | tables of a board: fans, leaps, spaces between two, mirrored spaces, angles |
//! | `pairs` | for each thing, the set of things with which it meets a constant condition |
pub mod bitmap;
pub mod grids;
pub mod pairs;
