//! Board games written by hand in plain Rust: what the engine is measured against.
//!
//! Each game is written twice, with plain arrays as most people would and with bitboards as an expert would. They know nothing of the engine. A rival plays uniform random
//! games as fast as it can, and replays a recorded list of choices, refusing what is against the rules, so that the engine's games can be checked against it.
pub mod breakthrough;
pub mod chess;
pub mod connect_four;
pub mod hex;
pub mod othello;
pub mod tic_tac_toe;

use crate::shared::Rng;

/// A choice, packed: a cell, or where a man stands and 64 times where it goes.
pub type Move = u16;

/// A choice of no cell: a forced pass.
pub const PASS: Move = Move::MAX;

/// How a game stands or ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Final {
    /// Row by row from the south-west: 0 empty, 1 the first player's, 2 the second's.
    pub cells: Vec<u8>,
    /// 0: nobody has won (yet), 1, 2.
    pub winner: u8,
    /// Whether the game is over.
    pub over: bool,
    /// Choices made, forced passes counted.
    pub plies: u32,
}

/// A game as one person would write it.
pub trait Rival: Sized {
    /// The game's title.
    const GAME: &'static str;
    /// What it is made of.
    const KIND: &'static str;
    /// The first position.
    fn start() -> Self;
    /// Plays one uniformly random choice; false if the game is over and there was none.
    fn step(&mut self, rng: &mut Rng) -> bool;
    /// Plays that choice; false if the rules do not allow it.
    fn play(&mut self, choice: Move) -> bool;
    /// The choices there are.
    fn choices(&self) -> Vec<Move>;
    /// How it stands.
    fn stand(&self) -> Final;
    /// Winner and plies, cheaply.
    fn result(&self) -> (u8, u32);
}

/// One random game: winner and plies.
#[inline(always)]
pub fn playout<R: Rival>(rng: &mut Rng) -> (u8, u32) {
    let mut game = R::start();
    while game.step(rng) {}
    game.result()
}

/// Replays recorded choices, each with how many there were. The error is the number of the first choice that the rules do not allow, or where another number is allowed.
pub fn replay<R: Rival>(choices: &[(Move, u64)]) -> Result<Final, usize> {
    let mut game = R::start();
    for (i, (choice, of)) in choices.iter().enumerate() {
        if game.choices().len() as u64 != *of || !game.play(*choice) {
            return Err(i);
        }
    }
    Ok(game.stand())
}

/// A random game with its choices.
pub fn record<R: Rival>(rng: &mut Rng) -> (Vec<(Move, u64)>, Final) {
    let mut game = R::start();
    let mut made = Vec::new();
    loop {
        let choices = game.choices();
        if choices.is_empty() {
            return (made, game.stand());
        }
        let c = choices[rng.below(choices.len() as u32) as usize];
        assert!(game.play(c), "a choice that was offered is refused");
        made.push((c, choices.len() as u64));
    }
}

impl Rng {
    /// A random bit of a set that is not empty.
    #[inline(always)]
    pub fn bit(&mut self, set: u64) -> u64 {
        let mut left = set;
        for _ in 0..self.below(set.count_ones()) {
            left &= left - 1;
        }
        left & left.wrapping_neg()
    }
}

/// The numbers of a set's bits.
fn bits(set: u64) -> Vec<Move> {
    (0..64).filter(|i| set >> i & 1 == 1).collect()
}
