//! Questions about the checked rules that lowering asks. No code is made here.
//!
//! | file | question |
//! |---|---|
//! | `const_eval` | what is constant in one set-up? |
//! | `fault_freedom` | which expressions cannot fail, whatever the state is? |
//! | `game_facts` | what do all rules together say, whatever the set-up? |
//! | `guard_schedule` | behind which parameter can a guard first be judged? |
//! | `none_value` | what does a condition say where one of its names is none? |
//! | `unsupported` | what is to be written instead of what is not lowered (E0990)? |
//! | `value_sizes` | how large are values with the calls in them inlined? |
pub mod const_eval;
pub mod fault_freedom;
pub mod game_facts;
pub mod guard_schedule;
pub mod none_value;
pub mod unsupported;
pub mod value_sizes;
