//! Layer of the engine that schedules fibers: which one runs next, and which questions are open.
pub(crate) mod alike_choice;
pub(crate) mod answer_fast;
pub(crate) mod core;
pub(crate) mod enumerate;
pub(crate) mod fibers;
pub(crate) mod free_play;
pub(crate) mod log_answer;
pub(crate) mod registers;
pub(crate) mod rejection;
