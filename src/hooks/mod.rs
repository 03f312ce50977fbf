//! Runs rhai scripts as pure functions for the engine, with limits on steps and memory: for a generated set-up or a bot's heuristic. The only room that uses rhai.
//!
//! A hook is a pure function: its arguments, and what it reads of the game, give its result. It has no state, files, clock or chance of its own and works on whole
//! numbers only. [`Scripts::new`] compiles every script of a program once and finds what is wrong before play; [`Scripts::call`] runs one, metered, so that no script
//! can hang or exhaust the machine. The same call gives the same result on every machine.
//!
//! * `arrays`: what they can do with arrays;
//! * `meter`: their limits, and the steps that a call takes;
//! * `sandbox`: the rhai engine that they run on;
//! * `value`: registers of the machine to values of scripts and back, checked;
//! * `game`: what a script may read;
//! * `error`: what went wrong, where.
//!
//! Deliberately absent: `eval`, `import`, `print`, floats, time, chance, texts with holes, state between calls, and writing to the game.
mod arrays;
mod error;
mod game;
mod meter;
mod sandbox;
#[cfg(test)]
mod tests;
mod value;

pub use error::{HookError, ScriptError};
pub use game::Reads;
pub use meter::{LIMITS, Limits};
pub use value::Kinds;

use houserule_program::ir::{DeclIx, HookSlot, Program};
use rhai::{AST, CallFnOptions, Dynamic, Engine, EvalAltResult, Scope};
use std::sync::Arc;
use value::Shape;

/// The scripts of a program, compiled; shared between threads and games.
pub struct Scripts {
    engine: &'static Engine,
    scripts: Vec<Script>,
}

/// One hook, ready to be called.
struct Script {
    name: Arc<str>,
    file: Arc<str>,
    ast: Arc<AST>,
    params: Vec<Shape>,
    gives: Shape,
    /// Whether the function takes the game after its parameters.
    reads: bool,
    /// Where its function begins.
    start: Option<(usize, usize)>,
    /// Whether the script has constants that must be worked out before each call.
    constants: bool,
}

impl Scripts {
    /// Compiles every script of a program; all that is wrong with any of them is told at once.
    pub fn new(program: &Program) -> Result<Scripts, Vec<ScriptError>> {
        let (places, phases) = (program.places.len(), program.phases.len());
        Scripts::compile(&program.hooks, &Kinds { universes: &program.universes, places, phases })
    }

    /// As [`Scripts::new`], for hooks without a program.
    pub fn compile(hooks: &[HookSlot], kinds: &Kinds<'_>) -> Result<Scripts, Vec<ScriptError>> {
        let engine = sandbox::shared_engine();
        let mut scripts: Vec<Script> = Vec::with_capacity(hooks.len());
        let mut errors: Vec<ScriptError> = Vec::new();
        let mut compiled: Vec<(Arc<str>, Arc<str>, Arc<AST>)> = Vec::new();
        for slot in hooks {
            // Several hooks may stand in one script: it is compiled, and told wrong, once.
            let known = compiled.iter().find(|(f, s, _)| *f == slot.file && *s == slot.script);
            let ast = match known {
                Some((_, _, ast)) => ast.clone(),
                None => match sandbox::compile_script(engine, &slot.script)
                    .map_err(|w| ScriptError::from_wrong(slot, w))
                {
                    Ok(ast) => {
                        let ast = Arc::new(ast);
                        compiled.push((slot.file.clone(), slot.script.clone(), ast.clone()));
                        ast
                    }
                    Err(e) => {
                        if !errors.contains(&e) {
                            errors.push(e);
                        }
                        continue;
                    }
                },
            };
            match make_script(kinds, slot, ast) {
                Ok(s) => scripts.push(s),
                Err(e) => errors.push(e),
            }
        }
        if errors.is_empty() { Ok(Scripts { engine, scripts }) } else { Err(errors) }
    }

    /// How many hooks there are.
    pub fn len(&self) -> usize {
        self.scripts.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.scripts.is_empty()
    }

    /// Whether that hook reads the game at all; if not, its result depends on its arguments only.
    pub fn is_reading_game(&self, index: usize) -> bool {
        self.scripts.get(index).is_some_and(|s| s.reads)
    }

    /// Calls hook number `index`. `args` are the registers of its arguments, one after the other (see [`houserule_program::ir`]); the registers of the result are put into
    /// `out`, which is emptied first. `game` is asked for only if the script takes the game.
    ///
    /// # Errors
    /// What went wrong in the script, or that its result is none that the rules can have.
    pub fn call(
        &self,
        index: usize,
        args: &[u64],
        game: impl FnOnce() -> Arc<dyn Reads>,
        out: &mut Vec<u64>,
    ) -> Result<(), HookError> {
        self.call_within(index, args, game, &mut LIMITS.operations.clone(), out)
    }

    /// As [`Scripts::call`], with at most so many steps; those that the script has taken are taken off.
    ///
    /// # Errors
    /// As there, and that there were too few steps.
    pub fn call_within(
        &self,
        index: usize,
        args: &[u64],
        game: impl FnOnce() -> Arc<dyn Reads>,
        steps: &mut u64,
        out: &mut Vec<u64>,
    ) -> Result<(), HookError> {
        out.clear();
        let Some(script) = self.scripts.get(index) else {
            return Err(HookError::unknown_hook(index));
        };
        let game = script.reads.then(game);
        let values = script.make_arguments(args, &game)?;
        meter::begin_call(*steps);
        let result = script.run(self.engine, Dynamic::UNIT, values);
        *steps = steps.saturating_sub(meter::used_steps());
        let result = result.map_err(|e| self.explain_error(script, args, &game, &e))?;
        script.gives.to_registers(&result, out).map_err(|text| HookError::without_place(script, text))
    }

    /// Finds the place of an error. Where a limit stopped the script rhai does not tell it: the call is run again, twice, on an engine that watches variables. The first
    /// time it counts how often one is looked up, the second time it stops at the last of them. Calls are pure, so all three go the same way.
    fn explain_error(
        &self,
        script: &Script,
        args: &[u64],
        game: &Option<Arc<dyn Reads>>,
        e: &EvalAltResult,
    ) -> HookError {
        let plain = HookError::from_rhai(script, e);
        if plain.at.is_some() {
            return plain;
        }
        let again = |stop: u64| {
            let trace = sandbox::Trace::new(stop);
            let values = script.make_arguments(args, game).ok()?;
            meter::begin_again();
            let result = script.run(sandbox::tracing_engine(), Dynamic::from(trace.clone()), values);
            Some((trace.count(), result.err()?))
        };
        let stopped = again(u64::MAX)
            .and_then(|(count, _)| again(count))
            .map(|(_, e)| HookError::from_rhai(script, &e));
        match stopped.filter(|s| s.at.is_some()) {
            Some(there) => HookError { message: plain.message, ..there },
            None => HookError { at: script.start, ..plain },
        }
    }
}

impl Script {
    /// Arguments as the script gets them.
    fn make_arguments(
        &self,
        mut words: &[u64],
        game: &Option<Arc<dyn Reads>>,
    ) -> Result<Vec<Dynamic>, HookError> {
        let mut values: Vec<Dynamic> = Vec::with_capacity(self.params.len() + 1);
        for (i, shape) in self.params.iter().enumerate() {
            let (value, rest) = shape.to_script(words).ok_or_else(|| {
                HookError::without_place(self, format!("argument {} is not a value of its type", i + 1))
            })?;
            values.push(value);
            words = rest;
        }
        values.extend(game.as_ref().map(|g| Dynamic::from(game::Game(g.clone()))));
        Ok(values)
    }

    fn run(
        &self,
        engine: &Engine,
        tag: Dynamic,
        values: Vec<Dynamic>,
    ) -> Result<Dynamic, Box<EvalAltResult>> {
        let options = CallFnOptions::new().eval_ast(self.constants).with_tag(tag);
        engine.call_fn_with_options(options, &mut Scope::new(), &self.ast, &*self.name, values)
    }
}

impl std::fmt::Debug for Scripts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.scripts.iter().map(|s| (&s.name, &s.file))).finish()
    }
}

/// Finds the hook's function in its compiled script.
fn make_script(kinds: &Kinds<'_>, slot: &HookSlot, ast: Arc<AST>) -> Result<Script, ScriptError> {
    let fail = |message: String| ScriptError::at_place(slot, None, message);
    let mut params = Vec::with_capacity(slot.params.len());
    for show in &slot.params {
        params.push(
            Shape::from_show(kinds, *show)
                .ok_or_else(|| fail("a hook cannot have a text as a parameter".to_string()))?,
        );
    }
    let gives =
        Shape::from_show(kinds, slot.gives).ok_or_else(|| fail("a hook cannot give a text".to_string()))?;
    let (reads, start) = find_function(&ast, &slot.name, params.len()).map_err(fail)?;
    let constants = sandbox::has_constants(&ast);
    Ok(Script {
        name: slot.name.clone(),
        file: slot.file.clone(),
        ast,
        params,
        gives,
        reads,
        start,
        constants,
    })
}

/// The function of that name that takes so many parameters: whether it takes the game after them, and where it begins.
fn find_function(ast: &AST, name: &str, wanted: usize) -> Result<(bool, Option<(usize, usize)>), String> {
    let all = || ast.iter_fn_def().filter(|f| *f.name == *name && f.this_type.is_none());
    let exact = all().find(|f| f.params.len() == wanted);
    let reading =
        all().find(|f| f.params.len() == wanted + 1 && f.params.last().is_some_and(|p| *p == "game"));
    if let Some(f) = reading.or(exact) {
        return Ok((f.params.len() > wanted, error::to_place(f.body.start_position())));
    }
    Err(match all().map(|f| f.params.len()).min() {
        None => format!("the script has no function `{name}`"),
        Some(n) => format!(
            "the function `{name}` of the script takes {n}, but the rules give {wanted} (the script may add a last parameter `game`)"
        ),
    })
}

/// What is wrong with a script that has no program yet: its text, and whether it has the hook's function with so many parameters.
///
/// # Errors
/// The first thing that is wrong.
pub fn look_over(hook: &str, file: &str, script: &str, params: usize) -> Result<(), ScriptError> {
    let at = |at, message| ScriptError { file: file.into(), hook: hook.into(), decl: DeclIx(0), at, message };
    let ast = sandbox::compile_script(sandbox::shared_engine(), script)
        .map_err(|(place, message)| at(place, message))?;
    find_function(&ast, hook, params).map(|_| ()).map_err(|message| at(None, message))
}
