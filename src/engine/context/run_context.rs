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

/// Runs the scripts of hooks. Set with [`crate::machine::game::Machine::set_hooks`].
pub trait Hooks: Send + Sync {
    /// Runs a hook: `args` and `out` are words as its slot's `params` and `gives` say (sets take their words), `look` is the state to read, `steps` is the rest of the budget, from
    /// which it takes the steps of the script.
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

/// The run loop, as the layers below it call it: pure code that runs in the middle of other code needs the loop, which in turn calls these layers.
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

/// What a run uses that is no part of the state: scratch memory, caches, the log, hooks.
#[derive(Default)]
pub(crate) struct Context {
    pub rec: Recorder,
    /// The marks that were reached.
    pub covered: Covered,
    pub hooks: Option<Arc<dyn Hooks>>,
    pub seeded: Option<SeededFault>,
    /// Steps that may be taken between two questions, and the rest of them.
    pub budget: u64,
    pub steps: u64,
    /// Menus skipped since the last question because they had no available action, and the last of them.
    pub empty_menus: u32,
    pub last_empty_menu: Option<OfferIx>,
    /// Draws given from outside, to enumerate all outcomes.
    pub script: Option<Script>,
    /// The draws that were made, if they are logged.
    pub chance_log: Option<Vec<crate::data::chance_order::Chanced>>,
    /// Whether the code that runs may have effects: it is that of a fiber, or is executed speculatively. A field, so that the run loop keeps no register for it.
    pub acts: bool,
    /// Why the run loop was left last.
    pub exit: Exit,
    /// Options: those of a question ([`crate::scheduler::core::Core::options_for`]), or under construction.
    pub opts: Options,
    /// The sets of spaces that paths over a map pass, of the present question.
    pub ways: Vec<u64>,
    /// The question that is answered inside the run loop.
    pub asking: crate::context::exit::Asking,
    /// Speculative executions under way.
    pub trials: Trials,
    /// Buffers of the search over lines of menus.
    pub search_room: SearchRoom,
    /// Memoised results.
    pub memo: Memo,
    /// Sets that the actions of a menu have in common, while its options are listed.
    pub notes: Notes,
    /// The player whose options are listed: components are alike if this player cannot tell them apart.
    pub asker: i64,
    /// Fibers for pure functions.
    // Boxed, since one is taken out and put back for every call from outside the loop.
    #[allow(clippy::vec_box)]
    pub pool: Vec<Box<Fiber>>,
    pub spare: Vec<Options>,
    pub nested: usize,
    /// The interpreter.
    pub run: Interpreter,
    /// Frames of the fault under way, innermost first.
    frames: Vec<Frame>,
}

/// Marks that were reached ([`Ins::Mark`]); empty for programs without marks.
#[derive(Clone, Default)]
pub(crate) struct Covered {
    /// A bit for each mark.
    pub bits: Vec<u64>,
    /// The marks in the order in which they were reached, if they are traced.
    pub trace: Option<Vec<u32>>,
    /// How many marks are passed before the run is paused.
    pub pause: Option<u64>,
}

impl Covered {
    /// Notes that a mark was reached. What is executed on trial is neither traced nor paused.
    ///
    /// # Errors
    /// That the run is paused in front of this mark.
    pub fn reach(&mut self, n: u32, on_trial: bool) -> Result<(), FaultKind> {
        if !on_trial {
            match &mut self.pause {
                Some(0) => return Err(FaultKind::Paused),
                Some(left) => *left -= 1,
                None => {}
            }
            if let Some(trace) = &mut self.trace {
                trace.push(n);
            }
        }
        let word = n as usize / 64;
        if self.bits.len() <= word {
            self.bits.resize(word + 1, 0);
        }
        if let Some(w) = self.bits.get_mut(word) {
            *w |= 1 << (n % 64);
        }
        Ok(())
    }
}

/// Scripted chance: numbers for the next draws, and the ranges of the draws that were made.
#[derive(Default)]
pub(crate) struct Script {
    pub numbers: Vec<u64>,
    pub ranges: Vec<u64>,
    /// Turns begun when the first of them was drawn.
    pub turns: Option<i32>,
}

impl Script {
    /// The number for a draw out of `0..n`: the scripted one, else 0. A draw with one outcome takes no number.
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

    /// Restores the full step budget, after a question.
    pub fn refill(&mut self) {
        self.steps = self.budget;
        self.empty_menus = 0;
    }

    /// Notes that a menu was skipped because it had no available action.
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
