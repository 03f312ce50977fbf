//! Layer 0 of the engine: random streams, faults, events, bitsets, register windows. It uses no other layer.
pub(crate) mod bitset;
pub(crate) mod event;
pub(crate) mod fault;
pub(crate) mod stream;
pub(crate) mod window;
