//! Hashes of a game: of its code, and of what a random match shows to everybody. Builds with the same hashes compile and play alike (`fuzz programs --digest`).
use super::options::draw_attempts;
use super::random_match::{Broken, LawLimits, RandomMatch, count_seats, output_for, read_new_log};
use houserule_play::{Game, Setup};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// Hashes that are the same in every run and build.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Digest {
    /// Of tables and code.
    pub code: u64,
    /// Of views, prompts, options, reasons, log and chance, position after position.
    pub play: u64,
}

/// Plays a random match and hashes the code and what everybody is shown.
///
/// # Errors
/// The match cannot be played.
pub fn compute_digest(game: &Game, setup: &Setup, limits: LawLimits) -> Result<Digest, Broken> {
    let mut c = RandomMatch::new(game, setup, limits)?;
    let (mut code, mut play) = (FxHasher::default(), FxHasher::default());
    format!("{:?}", c.machine.program()).hash(&mut code);
    loop {
        for seat in 0..count_seats(c.machine.program()) {
            output_for(&mut c.machine, seat).map_err(|e| c.to_rule_error(e))?.to_text().hash(&mut play);
        }
        read_new_log(&mut c.machine, None).hash(&mut play);
        c.machine.state().draws().hash(&mut play);
        for q in 0..c.machine.questions().len() {
            hash_reasons(&mut c, q, &mut play)?;
        }
        if !c.has_next() {
            return Ok(Digest { code: code.finish(), play: play.finish() });
        }
        c.advance()?;
    }
}

/// Why actions of a menu cannot be taken, with arguments that are on offer and others.
fn hash_reasons(c: &mut RandomMatch, q: usize, hasher: &mut FxHasher) -> Result<(), Broken> {
    for (player, action, params) in draw_attempts(c, q)? {
        let reasons = c.machine.why_not(player, action, &params);
        reasons.iter().for_each(|r| r.text.hash(hasher));
        reasons.len().hash(hasher);
    }
    Ok(())
}
