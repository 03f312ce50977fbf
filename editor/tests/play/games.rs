//! The shipped games, from their files, as the library's tests read them.
#[allow(dead_code)]
#[path = "../../../tests/support.rs"]
mod shared;

use houserule::play::Game;
use houserule::text::Files;
pub use shared::{games as names, setups, source as texts};

/// A game with its texts.
pub fn game(name: &str) -> (Game, Files) {
    (shared::game(name), texts(name))
}
