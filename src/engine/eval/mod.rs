//! Runs pure code in the middle of something else, and tries effects.
pub(crate) mod chance;
pub(crate) mod lookahead;
pub(crate) mod offers;
pub(crate) mod onlookers;
pub(crate) mod pure;
pub(crate) mod speculation;
