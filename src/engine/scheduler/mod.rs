//! Fibers: which fiber of the rules runs next, and which questions are open.
pub(crate) mod alike_choice;
pub(crate) mod answer_fast;
pub(crate) mod core;
pub(crate) mod enumerate;
pub(crate) mod fibers;
pub(crate) mod free_play;
pub(crate) mod registers;
pub(crate) mod rejection;
pub(crate) mod tell_answer;
