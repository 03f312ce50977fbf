//! Generates the enum of instructions and all properties of an instruction from the rows of `ins.rs`. A property is a column: a row that lacks one does not compile, and no
//! list of instructions is written by hand.
use super::*;

/// The kind of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InsKind {
    /// Computes a value from registers and the state, and writes only registers.
    Value,
    /// Jumps, and changes at most registers.
    Jump,
    /// Caches a value, or jumps if it is cached.
    Cache,
    /// Adds options to the present list.
    Option,
    /// Changes the state, the log or the way the game ends.
    Effect,
    /// Draws a random number.
    Chance,
    /// Runs a function, or a script.
    Call,
    /// Waits for answers.
    Question,
}

/// The type of an operand, by its role.
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

/// The width of an operand in words; `None` if the entry of a table does not exist.
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

/// Adds an operand to the registers that an instruction reads.
macro_rules! operand_read {
    ($u:ident $p:ident $f:ident use [$($w:tt)*]) => { $u.reads.push(($f, operand_width!($p $($w)*)?)); };
    ($u:ident $p:ident $f:ident upd [$($w:tt)*]) => { $u.reads.push(($f, operand_width!($p $($w)*)?)); };
    ($($other:tt)*) => {};
}

/// Adds an operand to the registers that it writes.
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

/// Passes an operand that is only read, with its width, to a function. `$reads` are the runs that are read, in the order of the operands.
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

/// Whether the entry that an operand names exists. Registers and jumps are checked in `verify.rs`.
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

/// An operand for the disassembler: registers are marked, other operands show themselves.
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

/// Marks of instructions: whether an optimisation pays, or is possible.
#[allow(non_camel_case_types)]
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    invariant,
    reusable,
    fast,
}

/// An operand for the disassembler.
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

/// What of the state an instruction reads: its read set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sees {
    /// Registers and what never changes.
    Nothing,
    /// An attribute.
    Attr(AttrIx),
    /// Which faces and sides components of a universe show, and which way up they lie.
    Faces(u8),
    /// Where components of a universe lie.
    Places(u8),
    /// Faces and places of a universe.
    FacesAndPlaces(u8),
    /// The contents of a zone.
    Zone(ZoneIx),
    /// The contents of a zone, and the places of components of a universe.
    PlacesAndZone(u8, ZoneIx),
    /// The contents of any place.
    AnyPlace,
    /// Words of planes: the number of words, and the first.
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

/// What of the state an instruction changes: its write set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Changes {
    /// Registers, or what no rule reads.
    Nothing,
    /// An attribute.
    Attr(AttrIx),
    /// Which faces and sides of a universe are shown, or who knows them.
    Faces(u8),
    /// The place of a component of a universe.
    Moved(u8),
    /// Turns, rounds and phases.
    Turns,
    /// Attachments of layers in force.
    Force,
    /// Anything.
    Anything,
}

/// Adds the registers that are named in tables to those that an instruction reads and writes.
macro_rules! more_registers {
    (plain $p:ident $ins:ident $u:ident) => {};
    (opaque $p:ident $ins:ident $u:ident) => {
        return None
    };
    ($more:ident $p:ident $ins:ident $u:ident) => {
        super::def_use::$more($p, $ins, &mut $u)?
    };
}

/// Sorts the instructions by their home and makes one pattern for each home. A `match` of the interpreter has arms for one home and these patterns for the others, without `_`: a kind without
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

/// Makes a pattern of the instructions without the mark `fast`, as `by_home` does.
macro_rules! by_speed {
    ([$($s:ident)*] [$(invariant $(reusable)?)? fast] $K:ident $($rest:tt)*) => {
        by_speed! { [$($s)*] $($rest)* }
    };
    ([$($s:ident)*] [$($mark:ident)*] $K:ident $($rest:tt)*) => {
        by_speed! { [$($s)* $K] $($rest)* }
    };
    ([$($s:ident)*]) => {
        /// Matches the instructions that only the run loop and what it calls can run.
        #[macro_export]
        macro_rules! slow_instructions {
            () => { $($crate::ir::Ins::$s { .. })|* };
        }
    };
}

macro_rules! instructions {
    ($( $(#[$doc:meta])* $K:ident $({ $($f:ident : $role:ident $([$($w:tt)*])?),* })?
        : $kind:ident, $fails:ident, $sees:expr => $changes:expr, $how:ident, [$($mark:ident)*], $home:ident; )*) => {
        by_home! { [] [] [] [] $($home $K)* }
        by_speed! { [] $([$($mark)*] $K)* }

        /// One instruction: 8 bytes (asserted in a test). `d` is the destination, `w` a set's length in words, `u` the low byte of a [`UniverseId`], `to` an absolute code position.
        ///
        /// Unless a row says otherwise, reading an attribute, place or face of none is a fault; writing to none does nothing.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Ins { $( $(#[$doc])* $K $({ $($f: operand_type!($role)),* })? ),* }

        #[allow(unused_variables, unused_mut, unused_assignments, unreachable_code, clippy::needless_return)]
        impl Ins {
            /// The kind of the instruction.
            pub const fn kind(&self) -> InsKind {
                match self { $( Ins::$K { .. } => kind_of!($kind) ),* }
            }

            /// Whether it may end in a rule error, or use up the step budget.
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

            /// Whether moving it out of a loop pays.
            pub const fn is_invariant(&self) -> bool {
                match self { $( Ins::$K { .. } => false $(|| Mark::$mark as u8 == Mark::invariant as u8)* ),* }
            }

            /// Whether keeping its result for a later equal instruction pays.
            pub const fn is_reusable(&self) -> bool {
                match self { $( Ins::$K { .. } => false $(|| Mark::$mark as u8 == Mark::reusable as u8)* ),* }
            }

            /// Whether a playout can run it outside the run loop; see `ask_fast.rs` of the engine.
            pub const fn is_fast(&self) -> bool {
                match self { $( Ins::$K { .. } => false $(|| Mark::$mark as u8 == Mark::fast as u8)* ),* }
            }

            /// The target of its jump, to be changed.
            pub fn target_mut(&mut self) -> Option<&mut u32> {
                match self { $( Ins::$K { $($($f),*)? } => {
                    let mut target: Option<&mut u32> = None;
                    $($( operand_target!(target $f $role); )*)?
                    target
                } )* }
            }

            /// The register of its result, to be changed. A jump has none, because it writes on one path only.
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

            /// Passes each register that it only reads, with the width, to a function. Passes nothing if its registers are unknown.
            pub fn for_each_source(&mut self, p: &Program, mut visit: impl FnMut(&mut R, u8)) {
                let Some(used) = self.registers(p) else { return };
                let mut reads = used.reads.iter().copied();
                match self { $( Ins::$K { $($($f),*)? } => {
                    $($( operand_source!(visit reads $f $role $([$($w)*])?); )*)?
                } )* }
            }

            /// The registers that it reads and writes; `None`: unknown, so that no code around it may be rewritten.
            pub fn registers(&self, p: &Program) -> Option<Use> {
                match *self { $( Ins::$K { $($($f),*)? } => {
                    let mut used = Use::default();
                    $($( operand_read!(used p $f $role $([$($w)*])?); )*)?
                    $($( operand_written!(used p $f $role $([$($w)*])?); )*)?
                    more_registers!($how p self used);
                    Some(used)
                } )* }
            }

            /// Whether all entries of tables that it names exist.
            pub fn operands_exist(&self, p: &Program) -> bool {
                use super::verify::Operand;
                match *self { $( Ins::$K { $($($f),*)? } => true $($(&& operand_exists!(p $f $role $([$($w)*])?))*)? ),* }
            }

            /// Its name for the disassembler, and its operands with their names.
            pub fn shown(&self) -> (&'static str, Vec<(&'static str, Shown)>) {
                match *self { $( Ins::$K { $($($f),*)? } => {
                    (stringify!($K), vec![$($( (stringify!($f), operand_shown!($f $role $([$($w)*])?)) ),*)?])
                } )* }
            }
        }
    };
}
