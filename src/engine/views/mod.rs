//! Layer of the engine that redacts a state for a seat.
pub(crate) mod view;
