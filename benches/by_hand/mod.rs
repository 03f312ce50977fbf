//! Three board games written by hand in plain Rust: what the engine is measured against.
//!
//! Each game is written twice, with plain arrays as most people would and with bitboards as an expert would. They know nothing of the engine. A rival plays uniform random
//! games as fast as it can, and replays a recorded list of choices, refusing what is against the rules, so that the engine's games can be checked against it.
pub mod connect_four;
pub mod othello;
pub mod tic_tac_toe;

/// A choice of no cell: a forced pass.
pub const PASS: u8 = 255;

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
    fn play(&mut self, choice: u8) -> bool;
    /// The choices there are.
    fn choices(&self) -> Vec<u8>;
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

/// Replays recorded choices. The error is the number of the first choice that the rules do not allow.
pub fn replay<R: Rival>(choices: &[u8]) -> Result<Final, usize> {
    let mut game = R::start();
    for (i, c) in choices.iter().enumerate() {
        if !game.play(*c) {
            return Err(i);
        }
    }
    Ok(game.stand())
}

/// A random game with its choices.
pub fn record<R: Rival>(rng: &mut Rng) -> (Vec<u8>, Final) {
    let mut game = R::start();
    let mut made = Vec::new();
    loop {
        let choices = game.choices();
        if choices.is_empty() {
            return (made, game.stand());
        }
        let c = choices[rng.below(choices.len() as u32) as usize];
        assert!(game.play(c), "a choice that was offered is refused");
        made.push(c);
    }
}

/// Fast random numbers: a counter, mixed by one wide product.
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Rng {
        Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491_4f6c_dd1d)
    }

    /// 64 random bits.
    #[inline(always)]
    pub fn wide(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0xa076_1d64_78bd_642f);
        let wide = u128::from(self.0) * u128::from(self.0 ^ 0xe703_7ed1_a0b4_28db);
        (wide >> 64) as u64 ^ wide as u64
    }

    /// 0..n; the bias is below n / 2^32.
    #[inline(always)]
    pub fn below(&mut self, n: u32) -> u32 {
        (((self.wide() >> 32) * u64::from(n)) >> 32) as u32
    }

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
fn bits(set: u64) -> Vec<u8> {
    (0..64).filter(|i| set >> i & 1 == 1).collect()
}
