//! Chance as data: the draws that a test orders, and the draws that were made.
use houserule_program::ir::*;

/// A thing as a test names it: the thing itself, or any component that shows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Said {
    /// A thing of a universe; of the universe of faces, any component that shows that face.
    Thing(UniverseId, i64),
    /// A number, or a die that shows it.
    Number(i64),
    /// A die (by its index in [`Program::comps`]) that shows one of a constant set of sides (its first word in [`Program::sets`]).
    Sides(u16, u32),
}

/// An entry of a test's orders: a head (a draw or a shuffle), or a thing that the head before it names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// A draw of that many things.
    Draw(u16),
    /// A shuffle of a place that brings that many things to its top, the first one uppermost.
    Shuffle(u16, u16),
    /// A thing.
    Said(Said),
}

/// A result of chance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Chanced {
    /// A die of this kind (index in [`Program::comps`]) shows that side, by its number in the universe of sides and as a number.
    Rolled(usize, usize, i64),
    /// A number was rolled.
    Number(i64),
    /// Things of a universe were drawn: one, or several together.
    Drawn {
        /// Of which universe.
        of: UniverseId,
        /// What was drawn.
        things: Vec<ChancedThing>,
        /// Whether it was a draw of a single thing.
        one: bool,
    },
    /// The faces at a place after it was shuffled, the top first.
    Shuffled(usize, Vec<ChancedThing>),
}

/// A thing as it was when it was drawn or rolled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChancedThing {
    /// Its value, as registers hold it.
    pub value: i64,
    /// Its face, if it is a component.
    pub face: Option<usize>,
    /// The side that it shows, if it is a die, by its number in the universe of sides.
    pub side: Option<usize>,
}

/// The heads of a test's orders: their positions, and the things that they name.
pub(crate) fn heads(orders: &[Order]) -> impl Iterator<Item = (usize, Order, &[Order])> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let head = *orders.get(at)?;
        let n = match head {
            Order::Draw(n) | Order::Shuffle(_, n) => usize::from(n),
            Order::Said(_) => 0,
        };
        let named = orders.get(at + 1..at + 1 + n).unwrap_or(&[]);
        at += 1 + n;
        Some((at - 1 - n, head, named))
    })
}
