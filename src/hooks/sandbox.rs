//! Builds the rhai engine that scripts run on, decides which features it has, and compiles scripts for it.
use super::error::{Wrong, to_place};
use super::meter::{LIMITS, charge_look_up, count_step};
use super::{arrays, game};
use rhai::packages::{
    ArithmeticPackage, BasicIteratorPackage, BasicMapPackage, BasicMathPackage, LogicPackage, Package,
};
use rhai::{AST, ASTFlags, ASTNode, Engine, Expr, Stmt};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// Words of rhai that scripts do not have.
const FORBIDDEN: [&str; 10] =
    ["eval", "import", "export", "print", "debug", "Fn", "call", "curry", "is_shared", "is_def_fn"];

/// The engine for scripts: one for all, as nothing in it ever changes.
pub(super) fn shared_engine() -> &'static Engine {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    ENGINE.get_or_init(build_engine)
}

fn build_engine() -> Engine {
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
    engine.on_progress(|_| count_step());
    // "Not deprecated, but volatile", says rhai: a change there breaks the build, not a game.
    #[allow(deprecated)]
    engine.on_var(|name, index, context| charge_look_up(&context, name, index).map(|()| None));
    arrays::register_functions(&mut engine);
    game::register_game(&mut engine);
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
pub(super) fn tracing_engine() -> &'static Engine {
    static TRACER: OnceLock<Engine> = OnceLock::new();
    TRACER.get_or_init(|| {
        let mut engine = build_engine();
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
pub(super) fn compile_script(engine: &Engine, script: &str) -> Result<AST, Wrong> {
    if script.len() > LIMITS.bytes {
        return Err((None, format!("the script is longer than {} bytes", LIMITS.bytes)));
    }
    let ast = engine.compile(script).map_err(|e| (to_place(e.position()), e.err_type().to_string()))?;
    for s in ast.statements() {
        let constant = matches!(s, Stmt::Var(_, flags, _) if flags.intersects(ASTFlags::CONSTANT));
        if !constant && !matches!(s, Stmt::Noop(_)) {
            let message = "outside functions, a script can only have constants (`const`)";
            return Err((to_place(s.position()), message.to_string()));
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
        Some(at) => Err((to_place(at), "a text in a script cannot have holes".to_string())),
        None => Ok(ast),
    }
}

/// Whether something must be worked out before a function of the script can run.
pub(super) fn has_constants(ast: &AST) -> bool {
    ast.statements().iter().any(|s| matches!(s, Stmt::Var(..)))
}
