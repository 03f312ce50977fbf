//! Layer of the engine that runs pure code in the middle of other code, and executes effects speculatively. The interpreter above it is called through `Context::run`.
pub(crate) mod chance;
pub(crate) mod lookahead;
pub(crate) mod offers;
pub(crate) mod onlookers;
pub(crate) mod pure;
pub(crate) mod speculation;
