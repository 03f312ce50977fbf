//! Actions: the enumerators that list a menu's options, their guards, and options that are tried before they are offered.
//!
//! | file | what it makes |
//! |---|---|
//! | `enumerator` | nested loops over the parameters, each guard as early as its parameters are known; the same guards for *why not?*; effects |
//! | `must_leave` | options whose effect is tried and undone |
//! | `pushdown` | predicate push-down: what guards say of a later parameter alone, found before the first is picked |
//! | `shared_domain` | what the first parameter is picked from, shared by the actions of a menu |
//! | `trial_effect` | an effect as it is tried: without stores that nobody reads |
pub mod can_begin;
pub mod condition;
pub mod enumerator;
pub mod interchangeable;
pub mod must_leave;
pub mod pushdown;
pub mod shared_domain;
pub mod trial_effect;
