//! Errors of scripts: those found when a script is compiled, and those that happen while it runs.
use super::Script;
use houserule_program::ir::{DeclIx, HookSlot};
use rhai::{EvalAltResult, Position};
use std::fmt;
use std::sync::Arc;

/// Something is wrong with a script before anything runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScriptError {
    /// The script's file name, as the rules name it.
    pub file: Arc<str>,
    /// The hook's name.
    pub hook: Arc<str>,
    /// The hook's declaration in the rules.
    pub decl: DeclIx,
    /// Line and column in the script, from 1; `None`: the script as a whole.
    pub at: Option<(usize, usize)>,
    /// What is wrong, in one sentence.
    pub message: String,
}

impl ScriptError {
    pub(super) fn at_place(
        slot: &HookSlot,
        at: Option<(usize, usize)>,
        message: impl Into<String>,
    ) -> ScriptError {
        let (file, hook) = (slot.file.clone(), slot.name.clone());
        ScriptError { file, hook, decl: slot.decl, at, message: message.into() }
    }

    pub(super) fn from_wrong(slot: &HookSlot, (at, message): Wrong) -> ScriptError {
        ScriptError::at_place(slot, at, message)
    }
}

/// A place in a script, if it is of one, and what is wrong.
pub(super) type Wrong = (Option<(usize, usize)>, String);

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_place(f, &self.file, self.at)?;
        f.write_str(&self.message)
    }
}

impl std::error::Error for ScriptError {}

/// A call of a hook failed: a rule error, shown with the rules' own stack and this place in the script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HookError {
    /// The script's file name, as the rules name it.
    pub file: Arc<str>,
    /// The hook's name.
    pub hook: Arc<str>,
    /// Line and column in the script, from 1; `None`: its result, or its arguments.
    pub at: Option<(usize, usize)>,
    /// What went wrong, in one sentence.
    pub message: String,
    /// Functions of the script that were running, innermost first, with the place of each call. The hook's own function is not among them.
    pub stack: Vec<(String, Option<(usize, usize)>)>,
}

impl HookError {
    pub(super) fn unknown_hook(index: usize) -> HookError {
        HookError {
            file: "".into(),
            hook: "".into(),
            at: None,
            message: format!("there is no hook number {index}"),
            stack: Vec::new(),
        }
    }

    pub(super) fn without_place(script: &Script, message: String) -> HookError {
        HookError {
            file: script.file.clone(),
            hook: script.name.clone(),
            at: None,
            message,
            stack: Vec::new(),
        }
    }

    pub(super) fn from_rhai(script: &Script, e: &EvalAltResult) -> HookError {
        let mut stack = Vec::new();
        let mut e = e;
        while let EvalAltResult::ErrorInFunctionCall(name, _, inner, at) = e {
            // A stack of a runaway recursion tells nothing after its first calls.
            if stack.len() == 8 {
                stack.remove(0);
            }
            stack.push((name.to_string(), to_place(*at)));
            e = inner;
        }
        stack.reverse();
        if stack.last().is_some_and(|(n, _)| **n == *script.name) {
            stack.pop();
        }
        HookError {
            file: script.file.clone(),
            hook: script.name.clone(),
            at: to_place(e.position()),
            message: describe(e),
            stack,
        }
    }
}

/// In our words where rhai's would not tell a game's author what to do.
fn describe(e: &EvalAltResult) -> String {
    use EvalAltResult as E;
    let limits = super::LIMITS;
    match e {
        E::ErrorTerminated(allowed, _) if allowed.as_int().is_ok_and(|n| n as u64 == limits.operations) => {
            format!("the script was stopped: it took more than {} steps", limits.operations)
        }
        E::ErrorTooManyOperations(_) => {
            format!("the script was stopped: it took more than {} steps", limits.operations)
        }
        E::ErrorTerminated(..) => "the script was stopped: the rules had no steps left for it".to_string(),
        E::ErrorStackOverflow(_) => {
            format!("the script was stopped: its calls were nested deeper than {}", limits.calls)
        }
        E::ErrorTooManyVariables(_) => {
            format!("the script was stopped: it had more than {} variables at once", limits.variables)
        }
        E::ErrorDataTooLarge(what, _) => format!(
            "the script was stopped: {} (at most {} characters, {} elements of an array, {} of a map)",
            what.to_lowercase(),
            limits.text,
            limits.array,
            limits.map
        ),
        E::ErrorRuntime(v, _) => format!("the script says: {v}"),
        E::ErrorArithmetic(text, _) => text.clone(),
        _ => {
            let mut bare = e.to_string();
            // The place is told apart from the text.
            if let Some(i) = bare.rfind(" (line ") {
                bare.truncate(i);
            }
            bare
        }
    }
}

impl fmt::Display for HookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_place(f, &self.file, self.at)?;
        write!(f, "{} (hook `{}`)", self.message, self.hook)?;
        for (name, at) in &self.stack {
            write!(f, ", in `{name}`")?;
            if let Some((line, column)) = at {
                write!(f, " called at {line}:{column}")?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for HookError {}

fn write_place(f: &mut fmt::Formatter<'_>, file: &str, at: Option<(usize, usize)>) -> fmt::Result {
    match at {
        Some((line, column)) => write!(f, "{file}:{line}:{column}: "),
        None => write!(f, "{file}: "),
    }
}

pub(super) fn to_place(at: Position) -> Option<(usize, usize)> {
    Some((at.line()?, at.position().unwrap_or(1)))
}
