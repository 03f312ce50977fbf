//! Constants and indexes that are built before play, and conditions that are answered by them.
//!
//! | file | index |
//! |---|---|
//! | `bitmap` | for each value of an attribute, the set of things that have it |
//! | `grids` | tables of a board: fans, leaps, what lies between, mirrored spaces, angles |
//! | `pairs` | for each thing, the set of things with which a fixed condition holds |
pub mod bitmap;
pub mod grids;
pub mod pairs;
