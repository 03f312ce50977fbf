//! Faults: what can fail while rules run. A fault is a value with the call stack of the rules, never a panic.
use houserule_program::ir::{ActionIx, AttrIx, DeclIx, NONE, OfferIx, Program, ZoneIx};
use houserule_text::Span;
use std::fmt;
use std::sync::Arc;

/// The most sets of which guards are asked for one choice of an action's other parameters.
pub(crate) const MOST_SETS: u64 = 20_000;

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// One stretch without a question took more steps than the budget.
    OutOfBudget,
    /// The run was paused in front of a coverage mark.
    Paused,
    /// Too many steps, while a menu was skipped again and again because it had no available action.
    RanDry(OfferIx),
    /// Calls are nested too deeply.
    TooDeep,
    /// A number left the range of numbers.
    Overflow,
    /// Division by zero.
    DivideByZero,
    /// A number or thing was needed, but the value was none.
    NoneValue,
    /// An attribute would leave its range.
    OutOfRange {
        /// The attribute.
        attr: AttrIx,
        /// The value that does not fit.
        value: i64,
    },
    /// A parameter or result would leave the range with which it is declared.
    Outside {
        /// The number that does not fit.
        value: i64,
        /// The least that fits.
        lo: i32,
        /// The greatest that fits.
        hi: i32,
    },
    /// A thing's number outside its universe.
    NoSuchThing,
    /// A zone would hold more than its capacity.
    ZoneFull(ZoneIx),
    /// A list has no room left.
    ListFull,
    /// A static table has no such entry.
    OutsideTable,
    /// A test orders faces, and the die that is rolled has none of them.
    NoSuchFace,
    /// A test orders what is drawn, and none of it is among what is drawn from.
    NoSuchDraw,
    /// A test orders components to the top of a shuffled place, and they do not lie there.
    NotShuffled,
    /// A random number of an empty range.
    EmptyRange,
    /// A statement of the rules raised it, with this text.
    Rule(String),
    /// A hook's script failed.
    Hook(String),
    /// More paths over a map than are enumerated, or more different ones than are offered.
    TooManyWays,
    /// More lines of a menu than are searched, or longer ones.
    TooManyLines,
    /// More sets than guards of an action are asked about.
    TooManySets(ActionIx),
    /// More options than may be offered.
    TooManyOptions,
    /// All fibers wait, and no question is open.
    Stuck,
    /// A test's statement asked a question where none can be asked.
    Asked,
    /// The program is invalid: a defect of the compiler, not of the rules.
    BadProgram(&'static str),
}

/// A fault on its way out of the run loop: one word, so that a result is returned in a register.
#[derive(Debug)]
pub(crate) struct Stop(Box<FaultKind>);

const _: () = assert!(size_of::<Result<(), Stop>>() == size_of::<usize>());

impl Stop {
    /// The fault for a number that is no thing's: none, or one outside the universe.
    #[cold]
    pub fn no_thing(x: i64) -> Stop {
        Stop::none_or(x, FaultKind::NoSuchThing)
    }

    /// The fault for a value that is none, or else another fault.
    #[cold]
    pub fn none_or(x: i64, other: FaultKind) -> Stop {
        Stop::from(if x == NONE { FaultKind::NoneValue } else { other })
    }

    /// What went wrong.
    pub fn kind(self) -> FaultKind {
        *self.0
    }
}

impl From<FaultKind> for Stop {
    #[cold]
    fn from(kind: FaultKind) -> Stop {
        Stop(Box::new(kind))
    }
}

/// A call that was running.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The declaration that the function was made from.
    pub decl: DeclIx,
    /// The function's name.
    pub name: Arc<str>,
    /// The place in the rules that it had reached.
    pub span: Span,
    /// Its argument registers at the time of the fault; effect functions have `me` first.
    pub args: Vec<i64>,
}

/// A rule error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What went wrong.
    pub kind: FaultKind,
    /// Where.
    pub span: Span,
    /// The calls that were running, innermost first.
    pub frames: Vec<Frame>,
}

impl Fault {
    /// One sentence for people.
    pub fn message(&self, p: &Program) -> String {
        match &self.kind {
            FaultKind::OutOfRange { attr, value } => match p.attrs.get(attr.index()) {
                Some(a) => format!("{} cannot be {value}: it must be {}..{}", a.name, a.lo, a.hi),
                None => self.kind.to_string(),
            },
            FaultKind::RanDry(o) => {
                let menus = p.offers.get(o.index()).map_or(&[][..], |o| &o.menus);
                let names: Vec<String> = menus
                    .iter()
                    .filter_map(|(m, _)| p.menus.get(m.index()))
                    .map(|m| format!("`{}`", m.name))
                    .collect();
                format!(
                    "{}: nobody could do anything in {}, again and again; write what happens then, such as `pass when no action` or `lose me when no action`",
                    self.kind,
                    names.join(", ")
                )
            }
            FaultKind::TooManySets(a) => match p.actions.get(a.index()) {
                Some(a) => format!(
                    "{} for `{}`: take them from fewer things, or write how many at most",
                    self.kind, a.name
                ),
                None => self.kind.to_string(),
            },
            FaultKind::ZoneFull(z) => match p.zones.get(z.index()) {
                Some(z) => format!("{} can hold at most {}", z.name, z.capacity),
                None => self.kind.to_string(),
            },
            k => k.to_string(),
        }
    }
}

impl FaultKind {
    /// What went wrong, without numbers and texts of scripts, which may be hidden from some seat.
    pub fn discreet(&self) -> String {
        match self {
            FaultKind::OutOfRange { .. } | FaultKind::Outside { .. } => {
                String::from("a number is outside its range")
            }
            FaultKind::Hook(_) => String::from("a script failed"),
            kind => kind.to_string(),
        }
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FaultKind::OutOfBudget | FaultKind::RanDry(_) => f.write_str("too many steps without a question"),
            FaultKind::Paused => f.write_str("paused"),
            FaultKind::TooDeep => f.write_str("rules call each other too deeply"),
            FaultKind::Overflow => f.write_str("a number grew too large"),
            FaultKind::NoSuchFace => {
                f.write_str("the die does not have any of the faces that the test wants")
            }
            FaultKind::NoSuchDraw => {
                f.write_str("the things that the test wants to be drawn are not among those that can be drawn")
            }
            FaultKind::NotShuffled => {
                f.write_str("the things that the test wants on top are not in the shuffled zone")
            }
            FaultKind::DivideByZero => f.write_str("division by zero"),
            FaultKind::NoneValue => f.write_str("a thing is needed here, but there is none"),
            FaultKind::OutOfRange { value, .. } => write!(f, "{value} is outside its range"),
            FaultKind::Outside { value, lo, hi } => write!(f, "{value} is outside {lo}..{hi}"),
            FaultKind::NoSuchThing => f.write_str("there is no such thing"),
            FaultKind::ZoneFull(_) => f.write_str("a zone is full"),
            FaultKind::ListFull => f.write_str("a list is full"),
            FaultKind::OutsideTable => f.write_str("a table has no such entry"),
            FaultKind::EmptyRange => f.write_str("a random choice from nothing"),
            FaultKind::Rule(text) => f.write_str(text),
            FaultKind::Hook(text) => write!(f, "hook: {text}"),
            FaultKind::TooManyWays => {
                f.write_str("there are too many paths over the map: write fewer `steps`, or let `through` allow fewer spaces")
            }
            FaultKind::TooManyLines => f.write_str(
                "the actions of this menu can follow one another in too many ways to compare them all",
            ),
            FaultKind::TooManySets(_) => write!(f, "there are more than {MOST_SETS} sets to try"),
            FaultKind::TooManyOptions => f.write_str("too many options"),
            FaultKind::Stuck => f.write_str("all players wait, but nobody is asked"),
            FaultKind::Asked => f.write_str("a question cannot be asked here"),
            FaultKind::BadProgram(why) => write!(f, "defect in the engine: {why}"),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)?;
        for frame in &self.frames {
            write!(f, "\n  in {}", frame.name)?;
        }
        Ok(())
    }
}

impl std::error::Error for Fault {}
