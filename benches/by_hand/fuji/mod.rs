//! Fuji written by hand in plain Rust: scenario 1 at level 2 for three or four players, skills dealt, with table talk. It knows nothing of the engine.
//!
//! It is written in two ways that differ only in `rules`, where the time goes: plainly (a walk in breadth over arrays, each die and each face held against a card's
//! requirement), as most people would write it, and with sets of bits and tables made beforehand, as an expert would.
//!
//! One flat struct without a pointer. A game stops with whatever is asked ([`Fuji::asked`], [`Fuji::options`]) and goes on with an answer
//! ([`Fuji::choose`]); where several are asked at once it holds their answers back itself. Cards, dice and cells are numbers; `cards` says what is printed on them,
//! `rules` what is so now, `offers` what may be answered, `play` what happens then.
pub mod cards;
mod offers;
mod play;
mod rules;
mod setup;

pub use cards::{CELLS, DICE, Gear, NONE, SCREE, SUMMIT, Skill};
pub use offers::{Choice, Options, Subset};

/// Where chance comes from.
pub trait Chance {
    /// Whether several dice roll in the order of their owners and of what they show, not of their numbers: the same chance, but another draw for each when draws are taken from a record.
    const SHOWN_FIRST: bool = false;

    /// A number of `0..n`, all alike likely.
    fn below(&mut self, n: u32) -> u32;
}

/// An adventurer.
#[derive(Clone, Copy, Debug)]
pub struct Player {
    pub skill: Skill,
    pub at: u8,
    /// The chosen goal, or [`NONE`].
    pub marker: u8,
    pub fatigue: u8,
    /// Rerolls left in phase 3.
    pub chances: u8,
    /// By how much the last comparison was won.
    pub lead: u8,
    /// Energy bars, the Gatherer's.
    pub bars: u8,
    /// Dice behind the screen, and set aside.
    pub dice: u32,
    pub aside: u32,
    /// Cards in hand, and those of them that the Tinkerer has turned.
    pub gear: u32,
    pub used: u32,
    /// Injuries (bits).
    pub wounds: u8,
    /// Whether the leg has cost its die.
    limped: bool,
    /// What was said in this phase (bits).
    said: u8,
    /// Whether the Buddy has set a die aside in this round.
    helped: bool,
    /// Flares and first aid of this round.
    flares: u8,
    aided: bool,
}

/// Whose answer to what is awaited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    /// Which two of four start on the grey card.
    Divide,
    Pack,
    Planning,
    Rerolling,
    Equipping,
    /// Who is next in phase 5.
    Next,
    /// Bars and cards in somebody's turn.
    Boost,
    Path,
    Injury,
    Leg,
    Over,
}

/// What is still asked while an equipment card is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Act {
    No,
    SwapFirst,
    SwapWith(u8),
    Climb,
    AskWhom,
    Lend(u8),
    RerollOne,
    GiveDie,
    GiveTo(u8),
    Tape,
    Compass,
    Machete,
    Turn,
    TurnTo(u8),
    Drink,
    Reroll { who: u8, left: u8 },
    Copy,
}

/// A game in progress. `PLAIN` says how what is so now is found out.
#[derive(Clone, Copy, Debug)]
pub struct Fuji<const PLAIN: bool> {
    /// How many play.
    pub n: u8,
    players: [Player; 4],
    /// What each die shows, whose it is, and which are out of play.
    pub face: [u8; DICE],
    pub whose: [u8; DICE],
    pub boxed: u32,
    /// Equipment cards: drawn from `top`, put back at `bottom`.
    deck: [u8; 20],
    top: u8,
    bottom: u8,
    pub discards: u32,
    /// Cards drawn in this round.
    pub fresh: u32,
    /// The card of each cell; which cells are landscapes, villages, rubble; and what lies on which cells.
    pub terrain: [u8; CELLS],
    land: u32,
    homes: u32,
    rubble: u32,
    pub burnt: u32,
    pub tokens: u32,
    pub vents: u32,
    pub round: u16,
    /// Choices made.
    pub made: u32,
    pub won: bool,
    step: Step,
    /// Who must still answer where all answer at once, and what is held back.
    waiting: u8,
    holding: u8,
    held: [Choice; 4],
    /// Who is done where all act freely.
    done: u8,
    /// Who uses which card, and what is asked meanwhile.
    actor: u8,
    card: Gear,
    act: Act,
    /// Who has not yet had a turn, whose turn it is, bars eaten in it, injuries still to be chosen.
    left: u8,
    turn: u8,
    eaten: u8,
    hurts: u8,
}

impl<const PLAIN: bool> Fuji<PLAIN> {
    /// Those who play.
    pub fn players(&self) -> &[Player] {
        &self.players[..self.n as usize]
    }

    pub fn is_over(&self) -> bool {
        self.step == Step::Over
    }

    /// What kind of question is asked, in a word.
    pub fn question(&self) -> String {
        let word = match (self.step, self.act) {
            (Step::Planning | Step::Equipping, act) if act != Act::No => format!("{act:?}"),
            (step, _) => format!("{step:?}"),
        };
        word.chars().take_while(|c| c.is_alphanumeric()).collect()
    }

    /// Whether skills and cards have been dealt.
    pub fn is_dealt(&self) -> bool {
        self.step != Step::Divide
    }

    /// The score as it is now.
    pub fn points(&self) -> i64 {
        let player =
            |p: &Player| i64::from((p.gear & !p.used).count_ones()) - i64::from(p.wounds.count_ones());
        4 * i64::from(self.n) + self.players().iter().map(player).sum::<i64>()
    }

    /// The draw pile, from the top.
    pub fn pile(&self) -> &[u8] {
        &self.deck[self.top as usize..self.bottom as usize]
    }
}

/// The members of a set, in order.
pub fn bits(mut set: u32) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let x = set.trailing_zeros() as u8;
            set &= set - 1;
            x
        })
    })
}

/// One random game from the set-up to the end: 1 if it was won, and choices made. Of several who are asked the first in seat order answers.
pub fn playout<const PLAIN: bool, C: Chance>(n: u8, chance: &mut C, options: &mut Options) -> (u8, u32) {
    let mut game = Fuji::<PLAIN>::start(n, chance);
    while !game.is_over() {
        let p = game.asked().trailing_zeros() as u8;
        game.options(p, options);
        let choice = options.draw(chance);
        game.choose(p, choice, chance);
    }
    (u8::from(game.won), game.made)
}
