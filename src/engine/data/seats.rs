//! Which seats answer for a player, and which seats see into a place.
use houserule_program::ir::{Program, SeenBy};

/// By place: the seats that see faces there; `None` if a function computes them.
pub(crate) fn place_seers(p: &Program, all: u32) -> Vec<Option<u32>> {
    p.places
        .iter()
        .map(|pl| match p.zones.get(pl.zone as usize).map(|z| z.seen) {
            // The box: a seat knows there what it knew before.
            None => Some(0),
            Some(SeenBy::All) => Some(all),
            Some(SeenBy::Nobody) => Some(0),
            Some(SeenBy::Owner) => Some(answering(p, i64::from(pl.holder))),
            Some(SeenBy::Func(_)) => None,
        })
        .collect()
}

/// Seats that answer for a player.
#[inline]
pub(crate) fn answering(p: &Program, player: i64) -> u32 {
    usize::try_from(player).ok().and_then(|i| p.answered.get(i)).copied().unwrap_or(0)
}

/// Whether a seat is in a mask of seats.
pub fn in_mask(seats: u32, seat: usize) -> bool {
    seat < 32 && seats >> seat & 1 == 1
}

/// Seats that answer for any of a set of players.
pub(crate) fn answering_any(p: &Program, players: u64) -> u32 {
    (0..p.players.min(64)).filter(|i| players >> i & 1 == 1).fold(0, |m, i| m | answering(p, i64::from(i)))
}
