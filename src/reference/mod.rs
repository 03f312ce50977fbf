//! The reference evaluator: what the rules of a checked game mean, worked out straight from the typed tree and a plain state.
//!
//! It is slow and has no second way to do anything, so that it can be read beside the book (docs/book/reference) and taken for its definition. It shares nothing with the
//! lowering and the engine but the tables of a set-up ([`Numbers`]) and the order in which chance is drawn; `lab::laws::tables` fills its tables and states from a program's, and
//! property tests compare the two (`lab::laws::reference`). Each file begins with what it defines and where the book says it.
//! [`Evaluator::play`] plays a whole game with given answers. What it does not cover is [`Stop::Unsupported`], never a guess.
pub mod attach;
pub mod builtins;
pub mod effects;
pub mod events;
pub mod expr;
pub mod folds;
pub mod geometry;
pub mod layers;
pub mod maps;
pub mod menus;
pub mod moving;
pub mod numbers;
pub mod turns;
pub mod value;
pub mod world;

pub use expr::{Answer, Evaluator, Frame, Said};
pub use numbers::{Face, Family, Numbers, Place};
pub use value::{Datum, Result, Stop, covers, ensure, fails, keep, known, nothing_of, number, unsupported};
pub use world::{Layer, LayerChange, Piece, Slot, World};
pub use {attach::InForce, geometry::Board};

use houserule_engine::{below, mix};
use houserule_model::body::{liveness, types, walk};
use houserule_model::hir::*;
use houserule_program::Resolved;
use houserule_program::ir::{self, LeaseScope, Per};
use houserule_text::Span;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
