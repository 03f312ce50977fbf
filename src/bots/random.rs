//! The uniform policy: every option has the same chance (see [`houserule_engine::Options::draw`]).
use super::{Policy, Sight};
use houserule_engine::{Choice, Fault, Stream};

/// Draws from the options.
pub struct Random {
    stream: Stream,
}

impl Random {
    /// One whose draws depend on nothing but the seed and how often it has drawn.
    pub fn new(seed: u64) -> Random {
        Random { stream: Stream::new(seed, super::STREAM) }
    }
}

impl Policy for Random {
    fn name(&self) -> &'static str {
        "random"
    }

    fn choose(&mut self, sight: &mut Sight<'_>) -> Result<Option<Choice>, Fault> {
        sight.draw_choice(&mut self.stream)
    }
}
