//! Questions about expressions that lowering asks before it makes code for them. No code is made here.
//!
//! | file | question |
//! |---|---|
//! | `fault_freedom` | which expressions cannot fail, whatever the state is? |
//! | `guard_schedule` | behind which parameter can a guard first be judged? |
//! | `none_value` | what does a condition say where one of its names is none? |
pub mod attached;
pub mod expr_forms;
pub mod fault_freedom;
pub mod guard_schedule;
pub mod names;
pub mod none_value;
pub mod plain_value;
pub mod repeated_calls;
