//! Scripts for what no rulebook says in a sentence: a generated set-up, a bot's judgement. The only user of rhai.
//!
//! A hook is a pure function: its arguments, and what it reads of the game, give its result. It has no state, files, clock or chance of its own and works on whole
//! numbers only. [`Scripts::new`] compiles every script of a program once and finds what is wrong before play; [`Scripts::call`] runs one, metered, so that no script
//! can hang or exhaust the machine. The same call gives the same result on every machine.
//!
//! * `meter`: the engine that scripts run on, and its limits;
//! * `value`: registers of the machine to values of scripts and back, checked;
//! * `game`: what a script may read;
//! * `error`: what went wrong, where.
//!
//! Deliberately absent: `eval`, `import`, `print`, floats, time, chance, texts with holes, state between calls, and writing to the game.
mod error;
mod game;
mod meter;
#[cfg(test)]
mod tests;
mod value;

pub use error::{HookError, ScriptError};
pub use game::Reads;
pub use meter::LIMITS;

use crate::program::ir::{HookSlot, Program};
use rhai::{AST, CallFnOptions, Dynamic, Engine, Scope};
use std::sync::Arc;
use value::Shape;

/// The scripts of a program, compiled; shared between threads and games.
pub struct Scripts {
    engine: Engine,
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
    /// Whether the script has constants that must be worked out before each call.
    constants: bool,
}

impl Scripts {
    /// Compiles every script of a program; all that is wrong with any of them is told at once.
    pub fn new(program: &Program) -> Result<Scripts, Vec<ScriptError>> {
        let engine = meter::engine();
        let mut scripts: Vec<Script> = Vec::with_capacity(program.hooks.len());
        let mut errors: Vec<ScriptError> = Vec::new();
        let mut compiled: Vec<(Arc<str>, Arc<str>, Arc<AST>)> = Vec::new();
        for slot in &program.hooks {
            // Several hooks may stand in one script: it is compiled, and told wrong, once.
            let known = compiled.iter().find(|(f, s, _)| *f == slot.file && *s == slot.script);
            let ast = match known {
                Some((_, _, ast)) => ast.clone(),
                None => match meter::compile(&engine, slot) {
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
            match script(program, slot, ast) {
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
    pub fn reads_game(&self, index: usize) -> bool {
        self.scripts.get(index).is_some_and(|s| s.reads)
    }

    /// Calls hook number `index`. `args` are the registers of its arguments, one after the other (see [`crate::program::ir`]); the registers of the result are put into
    /// `out`, which is emptied first. `game` is asked for only if the script takes the game.
    pub fn call(
        &self,
        index: usize,
        args: &[u64],
        game: impl FnOnce() -> Arc<dyn Reads>,
        out: &mut Vec<u64>,
    ) -> Result<(), HookError> {
        out.clear();
        let Some(script) = self.scripts.get(index) else {
            return Err(HookError::unknown(index));
        };
        let mut values: Vec<Dynamic> = Vec::with_capacity(script.params.len() + 1);
        let mut rest = args;
        for (i, shape) in script.params.iter().enumerate() {
            let (value, more) = shape.to_script(rest).ok_or_else(|| {
                HookError::bare(script, format!("argument {} is no value of its kind", i + 1))
            })?;
            values.push(value);
            rest = more;
        }
        if script.reads {
            values.push(Dynamic::from(game::Game(game())));
        }
        let options = CallFnOptions::new().eval_ast(script.constants);
        let mut scope = Scope::new();
        let result: Dynamic = self
            .engine
            .call_fn_with_options(options, &mut scope, &script.ast, &*script.name, values)
            .map_err(|e| HookError::of(script, &e))?;
        script.gives.to_registers(&result, out).map_err(|text| HookError::bare(script, text))
    }
}

impl std::fmt::Debug for Scripts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.scripts.iter().map(|s| (&s.name, &s.file))).finish()
    }
}

/// Finds the hook's function in its compiled script.
fn script(program: &Program, slot: &HookSlot, ast: Arc<AST>) -> Result<Script, ScriptError> {
    let fail = |message: String| ScriptError::at(slot, None, message);
    let mut params = Vec::with_capacity(slot.params.len());
    for show in &slot.params {
        params.push(
            Shape::of(program, *show).ok_or_else(|| fail("texts are no parameters of hooks".to_string()))?,
        );
    }
    let gives =
        Shape::of(program, slot.gives).ok_or_else(|| fail("a hook does not give a text".to_string()))?;
    let wanted = params.len();
    let mut reads = None;
    let mut seen: Vec<usize> = Vec::new();
    for f in ast.iter_functions() {
        if *f.name != *slot.name || f.this_type.is_some() {
            continue;
        }
        seen.push(f.params.len());
        if f.params.len() == wanted {
            reads = Some(reads.unwrap_or(false));
        } else if f.params.len() == wanted + 1 && f.params.last().is_some_and(|p| *p == "game") {
            reads = Some(true);
        }
    }
    let Some(reads) = reads else {
        seen.sort_unstable();
        return Err(fail(match seen.first() {
            None => format!("there is no function `{}` in it", slot.name),
            Some(n) => format!(
                "its function `{}` takes {n}, the rules give {wanted} (after them may stand one parameter `game`)",
                slot.name
            ),
        }));
    };
    let constants = meter::has_constants(&ast);
    Ok(Script { name: slot.name.clone(), file: slot.file.clone(), ast, params, gives, reads, constants })
}
