//! Enumeration of options: for each action of a menu, the code that lists its options, its guards, and effects on trial.
//!
//! | file | what it makes |
//! |---|---|
//! | `enumerator` | nested loops over the parameters, with each guard as early as its parameters are known; plain guards for *why not?*; effects |
//! | `must_leave` | options whose effect is executed on trial and undone |
//! | `pushdown` | predicate push-down: filters a later parameter before the first one is picked |
//! | `shared_domain` | the domain of the first parameter, shared by the actions of a menu |
//! | `subsets` | guards that read the whole set which an action takes |
//! | `trial_effect` | an effect on trial: inlined, without dead stores |
pub mod can_begin;
pub mod condition;
pub mod enumerator;
pub mod interchangeable;
pub mod must_leave;
pub mod pushdown;
pub mod shared_domain;
pub mod slots;
pub mod subsets;
pub mod trial_effect;
