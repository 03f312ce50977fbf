//! Digests of a game: of its code, and of what a random match shows to everybody. `fuzz programs --digest` prints them: builds that print the same compile and play alike.
use super::course::{Broken, Course, Limits, got_by, seats, told};
use super::options::tried;
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

/// Works both out.
///
/// # Errors
/// The match cannot be played.
pub fn digest(game: &Game, setup: &Setup, limits: Limits) -> Result<Digest, Broken> {
    let mut c = Course::new(game, setup, limits)?;
    let (mut code, mut play) = (FxHasher::default(), FxHasher::default());
    format!("{:?}", c.machine.program()).hash(&mut code);
    loop {
        for seat in 0..seats(c.machine.program()) {
            got_by(&mut c.machine, seat).map_err(|e| c.broken(e))?.bytes().hash(&mut play);
        }
        told(&mut c.machine, None).hash(&mut play);
        c.machine.state().draws().hash(&mut play);
        for q in 0..c.machine.questions().len() {
            hash_reasons(&mut c, q, &mut play)?;
        }
        if !c.goes_on() {
            return Ok(Digest { code: code.finish(), play: play.finish() });
        }
        c.go()?;
    }
}

/// Why actions of a menu cannot be taken, with arguments that are on offer and others.
fn hash_reasons(c: &mut Course, q: usize, hasher: &mut FxHasher) -> Result<(), Broken> {
    for (player, action, params) in tried(c, q)? {
        let reasons = c.machine.why_not(player, action, &params);
        reasons.iter().for_each(|r| r.text.hash(hasher));
        reasons.len().hash(hasher);
    }
    Ok(())
}
