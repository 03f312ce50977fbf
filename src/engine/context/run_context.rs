//! `Context`: what a run uses that is not part of the state. Step budget, scratch fibers for pure code, hooks, the log, scripted chance.
use crate::base::fault::{Fault, FaultKind, Frame, Stop};
use crate::context::exit::Exit;
use crate::context::frames::span_at;
use crate::context::memo::Memo;
use crate::context::notes::Notes;
use crate::context::pilot::Course;
use crate::context::recorder::Recorder;
use crate::context::search_room::SearchRoom;
use crate::context::trials::Trials;
use crate::data::decision::Options;
use crate::data::state::{Fiber, State};
use crate::world::knowledge::SeededFault;
use crate::world::look::Look;
use crate::world::tables::Rules;
use houserule_program::ir::*;
use houserule_text::Span;
use std::sync::Arc;

/// If the steps run out after so many skipped menus, the fault names the menu.
const MANY_EMPTY_MENUS: u32 = 100;

/// Where scripts of hooks are run. Set with [`crate::machine::game::Machine::set_hooks`].
pub trait Hooks: Send + Sync {
    /// Runs a hook: `args` and `out` are words as its slot's `params` and `gives` say (sets take their words), `look` is the state to read, `steps` what is left of
    /// the budget, to be lowered by what the script has used.
    ///
    /// # Errors
    /// What went wrong in the script, in words.
    fn call(
        &self,
        hook: &HookSlot,
        args: &[u64],
        out: &mut [u64],
        look: Look<'_>,
        steps: &mut u64,
    ) -> Result<(), String>;
}

/// The run loop, as the layers below it call it: evaluating code in the middle of something else runs code, and the loop evaluates code.
pub(crate) type RunLoop =
    fn(Rules<'_>, &mut State, &mut Context, &mut Fiber, u16, Option<&mut Course<'_>>) -> Result<(), Stop>;

/// The run loop; set when a machine is made.
pub(crate) struct Interpreter(pub RunLoop);

impl Default for Interpreter {
    fn default() -> Self {
        Interpreter(|_, _, _, _, _, _| {
            Err(Stop::from(FaultKind::BadProgram("a machine without an interpreter")))
        })
    }
}

/// Scratch room and outside help of a run: no part of the state.
#[derive(Default)]
pub(crate) struct Context {
    pub rec: Recorder,
    /// Which marks were reached.
    pub covered: Covered,
    pub hooks: Option<Arc<dyn Hooks>>,
    pub seeded: Option<SeededFault>,
    /// Steps that may be taken between two questions, and what is left of them.
    pub budget: u64,
    pub steps: u64,
    /// Menus skipped since the last question because they had no available action, and the last of them.
    pub empty_menus: u32,
    pub last_empty_menu: Option<OfferIx>,
    /// Draws given from outside, to go through all outcomes.
    pub script: Option<Script>,
    /// The draws that were made, if somebody asked for them.
    pub chance_log: Option<Vec<crate::data::chance_order::Chanced>>,
    /// Whether the code that runs may have effects: it is that of a fiber, or is executed speculatively. A field, so that the run loop keeps no register for it.
    pub acts: bool,
    /// Why the run loop was left last.
    pub exit: Exit,
    /// Options: those of a question ([`crate::scheduler::core::Core::options_for`]), or under construction.
    pub opts: Options,
    /// Sets that ways over a map pass, of the question at hand.
    pub ways: Vec<u64>,
    /// The question that is answered without the loop being left.
    pub asking: crate::context::exit::Asking,
    /// Effects on trial.
    pub trials: Trials,
    /// Room for looking ahead over lines of menus.
    pub search_room: SearchRoom,
    /// What was found and is still good.
    pub memo: Memo,
    /// Sets that the actions of a menu have in common, while its options are listed.
    pub notes: Notes,
    /// For whom options are looked for: alike is what he cannot tell apart.
    pub asker: i64,
    /// Fibers that pure functions run in, by depth.
    // Boxed, since one is taken out and put back for every call from outside the loop.
    #[allow(clippy::vec_box)]
    pub pool: Vec<Box<Fiber>>,
    pub spare: Vec<Options>,
    pub nested: usize,
    /// The interpreter; see [`Interpreter`].
    pub run: Interpreter,
    /// Frames of the fault under way, innermost first.
    frames: Vec<Frame>,
}

/// Marks that were reached ([`Ins::Mark`]), a bit each; empty for programs without marks.
#[derive(Clone, Default)]
pub(crate) struct Covered(pub Vec<u64>);

impl Covered {
    /// A mark was reached.
    pub fn reach(&mut self, n: u32) {
        let word = n as usize / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        if let Some(w) = self.0.get_mut(word) {
            *w |= 1 << (n % 64);
        }
    }
}

/// Chance laid down: numbers for the next draws, and the ranges of the draws that were made.
#[derive(Default)]
pub(crate) struct Script {
    pub numbers: Vec<u64>,
    pub ranges: Vec<u64>,
    /// Turns begun when the first of them was drawn.
    pub turns: Option<i32>,
}

impl Script {
    /// The number for a draw out of `0..n`: what was laid down for it, else 0. A draw with one outcome is none.
    pub fn next(&mut self, n: u64, turns: i32) -> u64 {
        if n <= 1 {
            return 0;
        }
        self.turns.get_or_insert(turns);
        let x = self.numbers.get(self.ranges.len()).copied().unwrap_or(0);
        self.ranges.push(n);
        x % n
    }
}

impl Context {
    /// A scratch fiber; give it back with [`Context::return_fiber`].
    pub fn take_fiber(&mut self) -> Box<Fiber> {
        self.pool.pop().unwrap_or_default()
    }

    /// Gives a scratch fiber back.
    pub fn return_fiber(&mut self, fiber: Box<Fiber>) {
        self.pool.push(fiber);
    }

    /// Adds a menu to the call stack of a fault: its lines were being searched.
    pub fn push_menu_frame(&mut self, p: &Program, menu: &MenuSlot, span: Span) {
        let name = p.decls.get(menu.decl.index()).map_or_else(|| menu.name.clone(), |d| d.name.clone());
        self.frames.push(Frame { decl: menu.decl, name, span, args: Vec::new() });
    }

    /// Gives the full step budget, behind a question.
    pub fn refill(&mut self) {
        self.steps = self.budget;
        self.empty_menus = 0;
    }

    /// A menu was skipped because it had no available action.
    pub fn note_empty_menu(&mut self, offer: OfferIx) {
        self.empty_menus = self.empty_menus.saturating_add(1);
        self.last_empty_menu = Some(offer);
    }

    /// Adds the calls of a fiber that failed to the call stack of the fault.
    pub fn push_frames(&mut self, p: &Program, fiber: &Fiber) {
        let mut at = (fiber.func, fiber.pc, fiber.base);
        for link in fiber.links.iter().rev().map(Some).chain([None]) {
            if let Some(f) = p.funcs.get(at.0 as usize) {
                let from = at.2 as usize;
                let args = fiber.stack.get(from..from + f.args as usize).unwrap_or(&[]);
                self.frames.push(Frame {
                    decl: f.decl,
                    name: f.name.clone(),
                    span: span_at(p, at.1.saturating_sub(1)),
                    args: args.iter().map(|x| *x as i64).collect(),
                });
            }
            if let Some(l) = link {
                at = (l.func, l.pc, l.base);
            }
        }
    }

    /// The fault under way, with its frames.
    pub fn fault(&mut self, stop: impl Into<Stop>) -> Fault {
        let mut kind = stop.into().kind();
        if let (FaultKind::OutOfBudget, Some(offer), MANY_EMPTY_MENUS..) =
            (&kind, self.last_empty_menu, self.empty_menus)
        {
            kind = FaultKind::RanDry(offer);
        }
        let frames = std::mem::take(&mut self.frames);
        Fault { kind, span: frames.first().map(|f| f.span).unwrap_or_default(), frames }
    }
}
