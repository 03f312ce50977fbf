//! Analyses of expressions, on which lowering decides before it makes code. No code is made here.
//!
//! | file | question |
//! |---|---|
//! | `fault_freedom` | which expressions cannot fault in any state? |
//! | `guard_schedule` | which parameters must be known before a guard can be evaluated? |
//! | `none_value` | what is the value of a condition if one of its names is none? |
pub mod attached;
pub mod expr_forms;
pub mod fault_freedom;
pub mod guard_schedule;
pub mod names;
pub mod none_value;
pub mod plain_value;
pub mod repeated_calls;
