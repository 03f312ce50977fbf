//! The engine that scripts run on: what it has, what it lacks, and its limits.
use super::error::{Wrong, place};
use super::{arrays, game};
use rhai::packages::{
    ArithmeticPackage, BasicIteratorPackage, BasicMapPackage, BasicMathPackage, LogicPackage, Package,
};
use rhai::{AST, ASTFlags, ASTNode, Dynamic, Engine, EvalAltResult, EvalContext, Expr, Position, Stmt};
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// How much a script may use in one call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Steps: a step is one part of an expression, statement or call that is worked out.
    pub operations: u64,
    /// Calls of the script's functions inside each other.
    pub calls: usize,
    /// Variables at once.
    pub variables: usize,
    /// Characters of a text.
    pub text: usize,
    /// Elements of an array, those of arrays in it counted.
    pub array: usize,
    /// Entries of a map, likewise.
    pub map: usize,
    /// How deep expressions may be nested, outside functions and in them.
    pub depth: usize,
    /// Functions of a script.
    pub functions: usize,
    /// Bytes of a script.
    pub bytes: usize,
}

/// The limits of every script. They are part of the language: a game that runs on one machine runs on all.
pub const LIMITS: Limits = Limits {
    operations: 200_000,
    calls: 24,
    variables: 96,
    text: 256,
    array: 1024,
    map: 128,
    depth: 24,
    functions: 128,
    bytes: 128 * 1024,
};

/// Where the call that runs in this thread stands with its steps. Calls never nest: a script cannot call the rules.
#[derive(Clone, Copy)]
struct Steps {
    /// Parts of the script that were worked out.
    taken: u64,
    /// What functions that are not the script's have charged on top.
    charged: u64,
    allowed: u64,
    /// How many times variables are looked up before the next look at how large one is.
    until: u32,
    /// How many times they were to be, since the last.
    stride: u32,
}

thread_local! {
    static STEPS: Cell<Steps> =
        const { Cell::new(Steps { taken: 0, charged: 0, allowed: 0, until: 1, stride: 1 }) };
}

/// A call begins that may take so many steps, but never more than [`LIMITS`] say.
pub(super) fn begin(allowed: u64) {
    STEPS.set(Steps { taken: 0, charged: 0, allowed: allowed.min(LIMITS.operations), until: 1, stride: 1 });
}

/// The call in this thread begins once more, with as many steps allowed.
pub(super) fn again() {
    begin(STEPS.get().allowed);
}

/// Steps that the call in this thread has taken; never more than it was allowed.
pub(super) fn used() -> u64 {
    let s = STEPS.get();
    s.taken.saturating_add(s.charged).min(s.allowed)
}

/// Takes steps for work that rhai does not count.
pub(super) fn charge(n: u64) -> Result<(), Box<EvalAltResult>> {
    let mut s = STEPS.get();
    s.charged = s.charged.saturating_add(n);
    STEPS.set(s);
    match over(s) {
        Some(token) => Err(EvalAltResult::ErrorTerminated(token, Position::NONE).into()),
        None => Ok(()),
    }
}

/// Elements of a variable that are copied for nothing where it is looked up; of more, each so many take a step.
const FREE: u64 = 128;

/// Charges for a variable that is looked up: rhai copies arrays and maps where they are assigned or handed to a function, in one step whatever their length. Which
/// look-ups copy is not known, and counting takes time: so one in about sixteen is looked at, in a fixed order that no loop keeps step with, and pays for those before.
fn charge_look_up(
    context: &EvalContext<'_, '_, '_, '_, '_, '_>,
    name: &str,
    index: usize,
) -> Result<(), Box<EvalAltResult>> {
    let mut s = STEPS.get();
    s.until -= 1;
    if s.until > 0 {
        STEPS.set(s);
        return Ok(());
    }
    let stride = u64::from(s.stride);
    s.stride = 1 + (s.stride * 13 + 7) % 31;
    s.until = s.stride;
    STEPS.set(s);
    let value = match index.checked_sub(1) {
        Some(n) => context.scope().iter_raw().nth(n).map(|(_, _, value)| value),
        None => context.scope().get(name),
    };
    match value.map_or(0, elements) / FREE {
        0 => Ok(()),
        n => charge(n * stride),
    }
}

/// How many elements a value is, all that it holds counted.
fn elements(x: &Dynamic) -> u64 {
    if let Ok(a) = x.as_array_ref() {
        a.iter().map(elements).sum::<u64>() + 1
    } else if let Ok(m) = x.as_map_ref() {
        m.values().map(elements).sum::<u64>() + 1
    } else {
        1
    }
}

/// If all steps are taken, how many there were.
fn over(s: Steps) -> Option<Dynamic> {
    let all = s.taken.saturating_add(s.charged);
    (all > s.allowed).then(|| Dynamic::from_int(i64::try_from(s.allowed).unwrap_or(i64::MAX)))
}

/// Words of rhai that scripts do not have.
const FORBIDDEN: [&str; 10] =
    ["eval", "import", "export", "print", "debug", "Fn", "call", "curry", "is_shared", "is_def_fn"];

/// The engine for scripts: one for all, as nothing in it ever changes.
pub(super) fn engine() -> &'static Engine {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    ENGINE.get_or_init(build)
}

fn build() -> Engine {
    // Names that rhai makes up come from a hash: with a fixed seed the same everywhere. That another user of the library has set it before is no harm.
    let _ = rhai::config::hashing::set_hashing_seed(Some([11, 23, 5, 8]));
    let mut engine = Engine::new_raw();
    ArithmeticPackage::new().register_into_engine(&mut engine);
    LogicPackage::new().register_into_engine(&mut engine);
    BasicMathPackage::new().register_into_engine(&mut engine);
    BasicMapPackage::new().register_into_engine(&mut engine);
    BasicIteratorPackage::new().register_into_engine(&mut engine);
    for word in FORBIDDEN {
        engine.disable_symbol(word);
    }
    engine
        .set_max_operations(LIMITS.operations)
        .set_max_call_levels(LIMITS.calls)
        .set_max_variables(LIMITS.variables)
        .set_max_functions(LIMITS.functions)
        .set_max_modules(0)
        .set_max_expr_depths(LIMITS.depth, LIMITS.depth)
        .set_max_string_size(LIMITS.text)
        .set_max_array_size(LIMITS.array)
        .set_max_map_size(LIMITS.map)
        .set_strict_variables(true)
        .set_fail_on_invalid_map_property(true)
        .set_fast_operators(true)
        // As written: what is folded away would not be looked at by `compile`.
        .set_optimization_level(rhai::OptimizationLevel::None);
    // Rhai's own count is no good: it forgets what closures have taken that a function such as `filter` calls.
    engine.on_progress(|_| {
        let mut s = STEPS.get();
        s.taken = s.taken.saturating_add(1);
        STEPS.set(s);
        over(s)
    });
    // "Not deprecated, but volatile", says rhai: a change there breaks the build, not a game.
    #[allow(deprecated)]
    engine.on_var(|name, index, context| charge_look_up(&context, name, index).map(|()| None));
    arrays::register(&mut engine);
    game::register(&mut engine);
    engine
}

/// Counts how often a script looks up a variable, and stops it at a given time.
#[derive(Clone)]
pub(super) struct Trace(Arc<(AtomicU64, u64)>);

impl Trace {
    /// `stop`: at which look-up the script ends with an error.
    pub fn new(stop: u64) -> Trace {
        Trace(Arc::new((AtomicU64::new(0), stop)))
    }

    /// Look-ups so far.
    pub fn count(&self) -> u64 {
        self.0.0.load(Ordering::Relaxed)
    }
}

/// An engine as scripts run on, that heeds the [`Trace`] in a call's tag. Looking at every variable costs time, so it serves only to find the place of an error.
pub(super) fn tracer() -> &'static Engine {
    static TRACER: OnceLock<Engine> = OnceLock::new();
    TRACER.get_or_init(|| {
        let mut engine = build();
        #[allow(deprecated)] // As above.
        engine.on_var(|name, index, context| {
            charge_look_up(&context, name, index)?;
            let Some(trace) = context.tag().read_lock::<Trace>().map(|t| t.clone()) else { return Ok(None) };
            let now = trace.0.0.fetch_add(1, Ordering::Relaxed) + 1;
            if now >= trace.0.1 { Err("stopped here".into()) } else { Ok(None) }
        });
        engine
    })
}

/// Compiles one script and looks for what no script may have.
pub(super) fn compile(engine: &Engine, script: &str) -> Result<AST, Wrong> {
    if script.len() > LIMITS.bytes {
        return Err((None, format!("the script is longer than {} bytes", LIMITS.bytes)));
    }
    let ast = engine.compile(script).map_err(|e| (place(e.position()), e.err_type().to_string()))?;
    for s in ast.statements() {
        let constant = matches!(s, Stmt::Var(_, flags, _) if flags.intersects(ASTFlags::CONSTANT));
        if !constant && !matches!(s, Stmt::Noop(_)) {
            let message = "outside functions a script has only constants (`const`)";
            return Err((place(s.position()), message.to_string()));
        }
    }
    let mut holes = None;
    ast.walk(&mut |path: &[ASTNode]| {
        if let Some(ASTNode::Expr(e @ Expr::InterpolatedString(..))) = path.last() {
            holes = Some(e.position());
            return false;
        }
        true
    });
    match holes {
        Some(at) => Err((place(at), "a text in a script has no holes".to_string())),
        None => Ok(ast),
    }
}

/// Whether something must be worked out before a function of the script can run.
pub(super) fn has_constants(ast: &AST) -> bool {
    ast.statements().iter().any(|s| matches!(s, Stmt::Var(..)))
}
