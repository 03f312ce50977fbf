//! Makes the enum of instructions, and all that is asked of an instruction, from the rows of `ins.rs`. A property is a column: the compiler names every row that lacks one, and no
//! list of instructions is written by hand.
use super::*;

/// What an instruction is to the code around it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InsKind {
    /// Computes something of registers and the state, and writes registers alone.
    Value,
    /// Goes on elsewhere, and changes at most registers.
    Jump,
    /// Notes a value for later, or jumps if it is noted.
    Cache,
    /// Adds options to the list under way.
    Option,
    /// Changes the state, the log or how the game ends.
    Effect,
    /// Draws a number.
    Chance,
    /// Runs a function, or code that is none of the program's.
    Call,
    /// Waits for answers.
    Question,
}

/// The type of an operand of a role.
macro_rules! operand_type {
    (def) => {
        R
    };
    (use) => {
        R
    };
    (upd) => {
        R
    };
    (out) => {
        R
    };
    (reg) => {
        R
    };
    (to) => {
        u32
    };
    ($t:ident) => {
        $t
    };
}

/// How many words an operand has; `None` where a table that should say is not there.
macro_rules! operand_width {
    ($p:ident 1) => {
        Some(1u8)
    };
    ($p:ident of_players) => {
        width::of_players($p)
    };
    ($p:ident $field:ident) => {
        Some($field)
    };
    ($p:ident $of:ident $field:ident) => {
        width::$of($p, $field)
    };
}

/// Adds an operand to what an instruction reads.
macro_rules! operand_read {
    ($u:ident $p:ident $f:ident use [$($w:tt)*]) => { $u.reads.push(($f, operand_width!($p $($w)*)?)); };
    ($u:ident $p:ident $f:ident upd [$($w:tt)*]) => { $u.reads.push(($f, operand_width!($p $($w)*)?)); };
    ($($other:tt)*) => {};
}

/// Adds an operand to what it writes.
macro_rules! operand_written {
    ($u:ident $p:ident $f:ident def [$($w:tt)*]) => { $u.writes.push(($f, operand_width!($p $($w)*)?)); };
    ($u:ident $p:ident $f:ident upd [$($w:tt)*]) => { $u.writes.push(($f, operand_width!($p $($w)*)?)); };
    ($u:ident $p:ident $f:ident out [$($w:tt)*]) => { $u.writes.push(($f, operand_width!($p $($w)*)?)); };
    ($($other:tt)*) => {};
}

macro_rules! operand_target {
    ($t:ident $f:ident to) => {
        $t = Some($f);
    };
    ($($other:tt)*) => {};
}

macro_rules! operand_result {
    ($t:ident $f:ident def [$($w:tt)*]) => {
        $t = Some($f);
    };
    ($($other:tt)*) => {};
}

/// Hands an operand that is read alone, with its words, to a function. `$reads` are the runs that are read, in the order of the operands.
macro_rules! operand_source {
    ($visit:ident $reads:ident $f:ident use [$($w:tt)*]) => {
        if let Some((_, w)) = $reads.next() {
            $visit($f, w)
        }
    };
    ($visit:ident $reads:ident $f:ident upd [$($w:tt)*]) => {
        $reads.next();
    };
    ($($other:tt)*) => {};
}

/// Whether an operand names an entry that is there. Registers and jumps are judged by `verify.rs`.
macro_rules! operand_exists {
    ($p:ident $f:ident $role:ident [$($w:tt)*]) => {
        true
    };
    ($p:ident $f:ident reg) => {
        true
    };
    ($p:ident $f:ident to) => {
        true
    };
    ($p:ident $f:ident $t:ident) => {
        $f.exists($p)
    };
}

/// An operand for the dump: registers are marked, everything else shows itself.
macro_rules! operand_shown {
    ($f:ident def $($w:tt)*) => {
        Shown::Register($f)
    };
    ($f:ident use $($w:tt)*) => {
        Shown::Register($f)
    };
    ($f:ident upd $($w:tt)*) => {
        Shown::Register($f)
    };
    ($f:ident out $($w:tt)*) => {
        Shown::Register($f)
    };
    ($f:ident reg) => {
        Shown::Register($f)
    };
    ($f:ident to) => {
        Shown::from($f)
    };
    ($f:ident $t:ident) => {
        Shown::from($f)
    };
}

macro_rules! yes {
    (never) => {
        false
    };
    (may) => {
        true
    };
}

macro_rules! kind_of {
    (value) => {
        InsKind::Value
    };
    (jump) => {
        InsKind::Jump
    };
    (cache) => {
        InsKind::Cache
    };
    (option) => {
        InsKind::Option
    };
    (effect) => {
        InsKind::Effect
    };
    (chance) => {
        InsKind::Chance
    };
    (call) => {
        InsKind::Call
    };
    (question) => {
        InsKind::Question
    };
}

/// Policies: whether an optimisation pays.
#[allow(non_camel_case_types)]
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    invariant,
    reusable,
}

/// An operand for the dump.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shown {
    /// A register.
    Register(R),
    /// A number that may be none.
    Number(i32),
    /// A count, or a number of something.
    Count(i64),
    /// Yes or no.
    Truth(bool),
    /// A function.
    Func(FuncId),
    /// An attribute.
    Attr(AttrIx),
    /// A zone.
    Zone(ZoneIx),
    /// An action.
    Action(ActionIx),
    /// A table.
    Table(TableIx),
    /// A phase.
    Phase(PhaseIx),
    /// A text.
    Template(TemplateIx),
    /// A word.
    Word(String),
}

macro_rules! shown_as {
    ($($t:ty: $x:ident => $shown:expr;)*) => {
        $(impl From<$t> for Shown {
            fn from($x: $t) -> Shown {
                $shown
            }
        })*
    };
}

shown_as! {
    i32: x => Shown::Number(x);
    i16: x => Shown::Count(x.into());
    u8: x => Shown::Count(x.into());
    u16: x => Shown::Count(x.into());
    u32: x => Shown::Count(x.into());
    bool: x => Shown::Truth(x);
    FuncId: x => Shown::Func(x);
    AttrIx: x => Shown::Attr(x);
    ZoneIx: x => Shown::Zone(x);
    ActionIx: x => Shown::Action(x);
    TableIx: x => Shown::Table(x);
    PhaseIx: x => Shown::Phase(x);
    TemplateIx: x => Shown::Template(x);
    GroupIx: x => Shown::Count(x.0.into());
    MenuIx: x => Shown::Count(x.0.into());
    OfferIx: x => Shown::Count(x.0.into());
    HistoryIx: x => Shown::Count(x.0.into());
    LinesIx: x => Shown::Count(x.0.into());
    GridIx: x => Shown::Count(x.0.into());
    LeasedIx: x => Shown::Count(x.0.into());
    AskIx: x => Shown::Count(x.0.into());
    MoveHow: x => Shown::Count(x.0.into());
    Comparison: x => Shown::Word(format!("{x:?}"));
    PlaceFact: x => Shown::Word(format!("{x:?}"));
    Clock: x => Shown::Word(format!("{x:?}"));
    LeaseScope: x => Shown::Word(format!("{x:?}"));
    VerdictCode: x => Shown::Word(format!("{x:?}"));
}

/// What of the state an instruction reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sees {
    /// Registers and what never changes.
    Nothing,
    /// An attribute.
    Attr(AttrIx),
    /// Which faces and sides components of a universe show, and which way up.
    Faces(u8),
    /// Where components of a universe lie.
    Places(u8),
    /// Both.
    FacesAndPlaces(u8),
    /// What lies in a zone.
    Zone(ZoneIx),
    /// What lies in a zone, and where components of a universe lie.
    PlacesAndZone(u8, ZoneIx),
    /// What lies at some place.
    AnyPlace,
    /// Words of planes: so many from a word on.
    Planes(u8, u32),
    /// The planes of a group.
    Group(GroupIx),
    /// All by which components of a universe are told apart.
    Alike(u8),
    /// What a sum over faces ([`Program::sums`]) reads.
    Sum(u16),
    /// What a table by face reads.
    Table(TableIx),
    /// A counter.
    Clock(Clock),
    /// Which phases run.
    Phases,
    /// Attachments of layers in force.
    Force,
    /// Anything.
    Anything,
}

/// What of the state an instruction changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Changes {
    /// Registers, or what no rule reads.
    Nothing,
    /// An attribute.
    Attr(AttrIx),
    /// Which faces and sides of a universe are shown, or who knows them.
    Faces(u8),
    /// Where a component of a universe lies.
    Moved(u8),
    /// Turns, rounds and phases.
    Turns,
    /// Attachments of layers in force.
    Force,
    /// Anything.
    Anything,
}

/// What stands in tables is added to what an instruction reads and writes.
macro_rules! more_registers {
    (plain $p:ident $ins:ident $u:ident) => {};
    (opaque $p:ident $ins:ident $u:ident) => {
        return None
    };
    ($more:ident $p:ident $ins:ident $u:ident) => {
        super::def_use::$more($p, $ins, &mut $u)?
    };
}

/// Sorts the kinds by their home, and makes one pattern for each home. A `match` of the interpreter has the arms of one home and these patterns for the others, without `_`: a kind without
/// an arm in its home does not compile.
macro_rules! by_home {
    ([$($l:ident)*] [$($r:ident)*] [$($i:ident)*] [$($e:ident)*] loop $K:ident $($rest:tt)*) => {
        by_home! { [$($l)* $K] [$($r)*] [$($i)*] [$($e)*] $($rest)* }
    };
    ([$($l:ident)*] [$($r:ident)*] [$($i:ident)*] [$($e:ident)*] rare $K:ident $($rest:tt)*) => {
        by_home! { [$($l)*] [$($r)* $K] [$($i)*] [$($e)*] $($rest)* }
    };
    ([$($l:ident)*] [$($r:ident)*] [$($i:ident)*] [$($e:ident)*] lines $K:ident $($rest:tt)*) => {
        by_home! { [$($l)*] [$($r)*] [$($i)* $K] [$($e)*] $($rest)* }
    };
    ([$($l:ident)*] [$($r:ident)*] [$($i:ident)*] [$($e:ident)*] effects $K:ident $($rest:tt)*) => {
        by_home! { [$($l)*] [$($r)*] [$($i)*] [$($e)* $K] $($rest)* }
    };
    ([$($l:ident)*] [$($r:ident)*] [$($i:ident)*] [$($e:ident)*]) => {
        /// Matches the instructions that the run loop runs itself.
        #[macro_export]
        macro_rules! loop_instructions {
            () => { $($crate::ir::Ins::$l { .. })|* };
        }
        /// Matches the instructions that `rare.rs` runs.
        #[macro_export]
        macro_rules! rare_instructions {
            () => { $($crate::ir::Ins::$r { .. })|* };
        }
        /// Matches the instructions that `lines.rs` runs.
        #[macro_export]
        macro_rules! line_instructions {
            () => { $($crate::ir::Ins::$i { .. })|* };
        }
        /// Matches the instructions that `effects.rs` runs.
        #[macro_export]
        macro_rules! effect_instructions {
            () => { $($crate::ir::Ins::$e { .. })|* };
        }
    };
}

macro_rules! instructions {
    ($( $(#[$doc:meta])* $K:ident $({ $($f:ident : $role:ident $([$($w:tt)*])?),* })?
        : $kind:ident, $fails:ident, $sees:expr => $changes:expr, $how:ident, [$($mark:ident)*], $home:ident; )*) => {
        by_home! { [] [] [] [] $($home $K)* }

        /// One instruction: 8 bytes (asserted in a test). `d` is the destination, `w` a set's length in words, `u` the low byte of a [`UniverseId`], `to` an absolute code position.
        ///
        /// Unless said, reading a thing's attribute, place or face with none as the thing is a fault; writing to none does nothing.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Ins { $( $(#[$doc])* $K $({ $($f: operand_type!($role)),* })? ),* }

        #[allow(unused_variables, unused_mut, unused_assignments, unreachable_code, clippy::needless_return)]
        impl Ins {
            /// What it is to the code around it.
            pub const fn kind(&self) -> InsKind {
                match self { $( Ins::$K { .. } => kind_of!($kind) ),* }
            }

            /// Whether it may end in a rule error, or use up the steps.
            pub const fn may_fail(&self) -> bool {
                match self { $( Ins::$K { .. } => yes!($fails) ),* }
            }

            /// What of the state it reads.
            pub const fn sees(&self) -> Sees {
                use Sees::*;
                match *self { $( Ins::$K { $($($f),*)? } => $sees ),* }
            }

            /// What of the state it changes.
            pub const fn changes(&self) -> Changes {
                use Changes::*;
                match *self { $( Ins::$K { $($($f),*)? } => $changes ),* }
            }

            /// Whether it is worth moving out of a loop.
            pub const fn is_invariant(&self) -> bool {
                match self { $( Ins::$K { .. } => false $(|| Mark::$mark as u8 == Mark::invariant as u8)* ),* }
            }

            /// Whether its result is worth keeping for a later twin.
            pub const fn is_reusable(&self) -> bool {
                match self { $( Ins::$K { .. } => false $(|| Mark::$mark as u8 == Mark::reusable as u8)* ),* }
            }

            /// Where it jumps to, to be changed.
            pub fn target_mut(&mut self) -> Option<&mut u32> {
                match self { $( Ins::$K { $($($f),*)? } => {
                    let mut target: Option<&mut u32> = None;
                    $($( operand_target!(target $f $role); )*)?
                    target
                } )* }
            }

            /// The register that it writes as its result, to be turned elsewhere. What jumps has none: it writes on one way alone.
            pub fn result_mut(&mut self) -> Option<&mut R> {
                if self.target().is_some() {
                    return None;
                }
                match self { $( Ins::$K { $($($f),*)? } => {
                    let mut result: Option<&mut R> = None;
                    $($( operand_result!(result $f $role $([$($w)*])?); )*)?
                    result
                } )* }
            }

            /// Hands each register that it reads, and does not write, to a function, with how many words it reads from there on. Nothing where its registers are not told.
            pub fn for_each_source(&mut self, p: &Program, mut visit: impl FnMut(&mut R, u8)) {
                let Some(used) = self.registers(p) else { return };
                let mut reads = used.reads.iter().copied();
                match self { $( Ins::$K { $($($f),*)? } => {
                    $($( operand_source!(visit reads $f $role $([$($w)*])?); )*)?
                } )* }
            }

            /// What it reads and writes; `None`: not told, so that nothing around it may be rewritten.
            pub fn registers(&self, p: &Program) -> Option<Use> {
                match *self { $( Ins::$K { $($($f),*)? } => {
                    let mut used = Use::default();
                    $($( operand_read!(used p $f $role $([$($w)*])?); )*)?
                    $($( operand_written!(used p $f $role $([$($w)*])?); )*)?
                    more_registers!($how p self used);
                    Some(used)
                } )* }
            }

            /// Whether every operand that names an entry of the program's tables names one that is there.
            pub fn operands_exist(&self, p: &Program) -> bool {
                use super::verify::Operand;
                match *self { $( Ins::$K { $($($f),*)? } => true $($(&& operand_exists!(p $f $role $([$($w)*])?))*)? ),* }
            }

            /// Its name in the dump, and its operands with theirs.
            pub fn shown(&self) -> (&'static str, Vec<(&'static str, Shown)>) {
                match *self { $( Ins::$K { $($($f),*)? } => {
                    (stringify!($K), vec![$($( (stringify!($f), operand_shown!($f $role $([$($w)*])?)) ),*)?])
                } )* }
            }
        }
    };
}
