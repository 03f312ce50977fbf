//! Why the run loop returned (`Exit`), and the question that a playout answers inside the loop (`Asking`).
use houserule_program::ir::*;

/// Why the loop was left.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum Exit {
    /// The outermost function has returned; its registers hold the results.
    #[default]
    Done,
    /// The game is over.
    Over,
    Menu {
        d: R,
        at: R,
        who: R,
        offer: OfferIx,
    },
    Ask {
        d: R,
        s: R,
        who: R,
        ask: AskIx,
    },
    Fork {
        l: R,
        at: R,
        n: u8,
        f: FuncId,
        freely: bool,
    },
    /// The fiber waits with a menu whose options are those of the context; it may hold the answer already. See `interp/ask_inline.rs`.
    Asked,
}

/// The question under way.
#[derive(Clone, Copy)]
pub(crate) struct Asking {
    pub d: R,
    pub at: R,
    pub offer: OfferIx,
    pub player: u8,
    /// Actions of the menu that have been enumerated.
    pub done: u16,
    /// The value of [`crate::context::run_context::Context::asker`] before.
    pub asker: i64,
}

impl Default for Asking {
    fn default() -> Self {
        Asking { d: 0, at: 0, offer: OfferIx(u16::MAX), player: 0, done: 0, asker: NONE }
    }
}
