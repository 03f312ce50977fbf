//! Connects the engine, which calls hooks, with the room `hooks`, which runs their scripts.
use super::codes;
use houserule_engine::{Hooks, Look, State, thing_word};
use houserule_hooks::{Reads, ScriptError, Scripts, look_over};
use houserule_model::hir::Model;
use houserule_program::ir::{AttrIx, HookSlot, NONE, Program, UniverseId, UniverseSort};
use houserule_text::{Diagnostic, Span};
use std::sync::Arc;

/// A program's scripts, compiled, for the machine.
pub struct Bridge {
    program: Arc<Program>,
    scripts: Scripts,
}

impl Bridge {
    /// Compiles the scripts of a program; `None` if it has none.
    ///
    /// # Errors
    /// What is wrong with each script, at the hook's declaration.
    pub fn compile_scripts(program: &Arc<Program>) -> Result<Option<Arc<dyn Hooks>>, Vec<Diagnostic>> {
        if program.hooks.is_empty() {
            return Ok(None);
        }
        let span = |e: &ScriptError| program.decls.get(e.decl.index()).map_or(Span::default(), |d| d.span);
        let scripts = Scripts::new(program)
            .map_err(|all| all.iter().map(|e| to_finding(e, span(e))).collect::<Vec<_>>())?;
        Ok(Some(Arc::new(Bridge { program: program.clone(), scripts })))
    }
}

fn to_finding(e: &ScriptError, span: Span) -> Diagnostic {
    Diagnostic::error(codes::BAD_SCRIPT, span, e.to_string()).label("declared here")
}

/// What is wrong with the scripts of a checked game, whatever it is set up with.
pub fn find_bad_scripts(m: &Model) -> Vec<Diagnostic> {
    let found = m.hooks.iter().filter_map(|h| {
        let e = look_over(&h.name, &h.file, &h.script, h.params.len()).err()?;
        Some(to_finding(&e, h.span))
    });
    found.collect()
}

impl Hooks for Bridge {
    fn call(
        &self,
        hook: &HookSlot,
        args: &[u64],
        out: &mut [u64],
        look: Look<'_>,
        steps: &mut u64,
    ) -> Result<(), String> {
        let index = self.program.hooks.iter().position(|h| h.decl == hook.decl && h.name == hook.name);
        let Some(index) = index else { return Err(format!("this game has no hook `{}`", hook.name)) };
        // A script's steps are the rules' steps; on top, each call has its price, so that a loop of calls ends, too.
        *steps = steps.checked_sub(COST).ok_or("scripts were called too often without a question")?;
        let mut result = Vec::new();
        let snapshot = || -> Arc<dyn Reads> {
            Arc::new(Snapshot { program: self.program.clone(), state: look.copy_state() })
        };
        self.scripts.call_within(index, args, snapshot, steps, &mut result).map_err(|e| e.to_string())?;
        for (i, word) in out.iter_mut().enumerate() {
            *word = result.get(i).copied().unwrap_or(0);
        }
        Ok(())
    }
}

/// Steps of the rules' budget that a call of a script takes, beside those of the script itself.
const COST: u64 = 100;

/// A state that a script reads.
struct Snapshot {
    program: Arc<Program>,
    state: State,
}

impl Snapshot {
    fn look(&self) -> Look<'_> {
        Look::new(&self.program, &self.state)
    }

    fn universe_of(&self, kind: &str) -> Option<UniverseId> {
        self.program.universes.iter().position(|u| *u.name == *kind).map(|i| UniverseId(i as u16))
    }

    fn components_of(&self, kind: &str) -> Option<usize> {
        match self.program.universes.get(self.universe_of(kind)?.index())?.sort {
            UniverseSort::Components(ci) => Some(usize::from(ci)),
            _ => None,
        }
    }
}

fn index(n: i64) -> Option<usize> {
    usize::try_from(n).ok()
}

impl Reads for Snapshot {
    fn players(&self) -> i64 {
        i64::from(self.program.players)
    }

    fn round(&self) -> i64 {
        i64::from(self.state.round())
    }

    fn turn(&self) -> Option<i64> {
        self.state.turn().map(|t| t as i64)
    }

    fn count(&self, kind: &str) -> Option<i64> {
        self.program.universes.get(self.universe_of(kind)?.index()).map(|u| i64::from(u.n))
    }

    fn number(&self, kind: &str, word: &str) -> Option<Option<i64>> {
        let u = self.universe_of(kind)?;
        let n = self.program.universes.get(u.index())?.n;
        Some((0..i64::from(n)).find(|i| thing_word(&self.program, u, *i) == word))
    }

    fn attr(&self, name: &str, thing: Option<i64>) -> Option<Option<i64>> {
        // Several kinds can have an attribute of one name: `Kind.name` says whose, else the first is meant.
        let (kind, name) = match name.split_once('.') {
            Some((kind, name)) => (Some(self.universe_of(kind)?), name),
            None => (None, name),
        };
        let fits = |of: Option<UniverseId>| of.is_some() == thing.is_some() && (kind.is_none() || kind == of);
        let Some(found) = self.program.attrs.iter().position(|a| *a.name == *name && fits(a.of)) else {
            let printed = self.program.printed.iter().find(|a| *a.name == *name && fits(Some(a.of)))?;
            let table = self.program.tables.get(printed.table.index())?;
            let value = thing.and_then(index).and_then(|t| table.values.get(t)).map(|x| i64::from(*x));
            return Some(value.filter(|x| *x != NONE));
        };
        let at = match thing {
            Some(t) => index(t),
            None => Some(0),
        };
        Some(at.and_then(|t| self.look().attr(AttrIx(found as u16), t)))
    }

    fn face(&self, kind: &str, component: i64) -> Option<Option<i64>> {
        let ci = self.components_of(kind)?;
        Some(index(component).and_then(|c| self.look().face(ci, c)).map(|f| f as i64))
    }

    fn place(&self, kind: &str, component: i64) -> Option<Option<i64>> {
        let ci = self.components_of(kind)?;
        Some(index(component).and_then(|c| self.look().place(ci, c)).map(|p| p as i64))
    }

    fn zone(&self, name: &str, holder: Option<i64>) -> Option<Option<i64>> {
        let z = self.program.zones.iter().find(|z| *z.name == *name && z.of.is_some() == holder.is_some())?;
        Some(index(holder.unwrap_or(0)).and_then(|h| z.place(h, 0)).map(|place| place as i64))
    }

    fn lying_at(&self, place: i64) -> Vec<i64> {
        index(place)
            .filter(|p| *p < self.program.places.len())
            .map_or_else(Vec::new, |p| self.look().lying_at(p).into_iter().map(|c| c as i64).collect())
    }

    fn step(&self, map: &str, space: i64, direction: i64) -> Option<Option<i64>> {
        let m = self.program.maps.iter().find(|m| *m.name == *map)?;
        let n = m.at.len();
        let (Some(s), Some(d)) = (index(space).filter(|s| *s < n), index(direction)) else {
            return Some(None);
        };
        Some(m.succ.get(d * n + s).filter(|x| **x != u16::MAX).map(|x| i64::from(*x)))
    }
}
