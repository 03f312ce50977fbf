//! What everything else stands on: streams of numbers, faults, events, windows of registers.
pub(crate) mod bitset;
pub(crate) mod event;
pub(crate) mod fault;
pub(crate) mod stream;
pub(crate) mod window;
