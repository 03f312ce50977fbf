//! The built-ins: one row each. The enum, the words that are called, their arguments and what passes ask of a built-in are made from this table.
//!
//! A row names the variant, how it is called (with the arguments that may be left out behind a semicolon), and then what holds of it, in the order of [`BuiltinFacts`]. Its comment is the line that an
//! editor shows. What it takes and gives is checked in `body/calls.rs`; the code is in `program/lower/builtins.rs`, the definition in `reference/builtins.rs` and `reference/maps.rs`.

/// What a built-in looks at beside its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reads {
    /// Nothing, or what never changes in a game: maps, seats.
    Fixed,
    /// Where components lie.
    Places,
    /// How far the game has come.
    Clock,
    /// Attributes, faces, or who knows what.
    State,
}

/// When it is a rule error although its arguments can be evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Faults {
    /// Never, also if an argument is none.
    Never,
    /// If an argument is none.
    OfNone,
    /// If an argument is none that the checker took for something.
    OfSurprise,
    /// If a number on the way is too large.
    TooLarge,
    /// If an argument names what is not on the map.
    OffMap,
    /// If the result lies outside of its type.
    OutOfRange,
    /// For reasons of its own.
    Other,
}

/// When it gives none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gives {
    /// As its type says.
    ByType,
    /// Of the empty set alone.
    SomeOfMany,
    /// Depends on the arguments.
    Perhaps,
}

/// How far a number that it gives reaches; of a set, each number in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    /// As its type says.
    ByType,
    /// From 0 to the size of the first argument.
    Size,
    /// From 1 to the size of the first argument.
    Place,
    /// As the numbers in the first argument.
    Members,
}

/// What it makes known of components that lie face down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shows {
    /// Nothing.
    Nothing,
    /// What is printed on its arguments, in words for a finding.
    Printed(&'static str),
    /// Nothing by itself: it gives components of its arguments.
    Components,
}

/// Whether the order of its first argument and of its result counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// Neither.
    Free,
    /// That of the argument.
    Asked,
    /// That of the result: a list.
    Given,
    /// Both.
    Both,
}

/// What holds of a built-in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BuiltinFacts {
    /// What it looks at beside its arguments.
    pub reads: Reads,
    /// When it is a rule error although its arguments can be evaluated.
    pub faults: Faults,
    /// When it gives none.
    pub gives: Gives,
    /// How far its numbers reach.
    pub reach: Reach,
    /// What it makes known of hidden components.
    pub shows: Shows,
    /// Whether order counts.
    pub order: Order,
}

/// Rarer traits: a row lists those that it has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trait {
    /// It gives the same if its first two arguments are exchanged.
    Symmetric,
    /// It searches the map step by step: worth keeping its result.
    Search,
    /// Of a list of numbers, each counts, also if it stands there twice.
    Repeats,
}

macro_rules! builtins {
    ($(
        $(#[doc = $about:literal])+
        $name:ident $(($payload:ty))? $( = $word:literal ($($arg:ident),* $(; $($more:ident),+)?) )?:
        $reads:ident, $faults:ident, $gives:ident, $reach:ident, $shows:ident $(($printed:literal))?, $order:ident, [$($trait:ident),*];
    )+) => {
        /// Built-in values. Arguments in the order of the row; optional ones absent are [`super::ExprKind::None`].
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Builtin {
            $( $(#[doc = $about])+ $name $(($payload))?, )+
        }

        impl Builtin {
            /// Those that are called by a word of their own, with it.
            pub const CALLED: &'static [(Builtin, &'static str)] = &[$( $((Builtin::$name, $word),)? )+];

            /// The names of its arguments, if it is called.
            pub fn args(self) -> &'static [&'static str] {
                match self {
                    $( Builtin::$name { .. } => &[$( $(stringify!($arg),)* $($(stringify!($more)),+)? )?], )+
                }
            }

            /// How many of its arguments must be there.
            pub fn needed(self) -> usize {
                match self {
                    $( Builtin::$name { .. } => <[&str]>::len(&[$( $(stringify!($arg)),* )?]), )+
                }
            }

            /// One line on it.
            pub fn about(self) -> &'static str {
                match self {
                    $( Builtin::$name { .. } => concat!($($about),+).trim_ascii(), )+
                }
            }

            /// What holds of it.
            pub fn facts(self) -> BuiltinFacts {
                match self {
                    $( Builtin::$name { .. } => BuiltinFacts {
                        reads: Reads::$reads,
                        faults: Faults::$faults,
                        gives: Gives::$gives,
                        reach: Reach::$reach,
                        shows: Shows::$shows $(($printed))?,
                        order: Order::$order,
                    }, )+
                }
            }

            /// Whether it has a trait.
            pub fn has(self, is: Trait) -> bool {
                let traits: &[Trait] = match self {
                    $( Builtin::$name { .. } => &[$(Trait::$trait),*], )+
                };
                traits.contains(&is)
            }
        }
    };
}

builtins! {
    /// `neighbours(c[, dirs])`: the spaces beside a space or a set of spaces; `neighbours(p)`: the players beside a player
    Neighbours = "neighbours"(of; dirs): Fixed, OfSurprise, ByType, ByType, Nothing, Free, [];
    /// `neighbours(p)`: the players beside a player
    NeighbourPlayers: Fixed, OfNone, ByType, ByType, Nothing, Free, [];
    /// `direction(a, b)`: the direction from one space to another, or none
    DirectionOf = "direction"(a, b): Fixed, OfNone, ByType, ByType, Nothing, Free, [];
    /// `angle(d, e)`: the steps of rotation between two directions
    Angle = "angle"(d, e): Fixed, OfNone, ByType, ByType, Nothing, Free, [Symmetric];
    /// `turn(d, n)`: the direction d turned by n directions of the map clockwise
    TurnOf = "turn"(d, n): Fixed, OfNone, ByType, ByType, Nothing, Free, [];
    /// `opposite(d)`: the direction that leads back
    Opposite = "opposite"(d): Fixed, OfNone, ByType, ByType, Nothing, Free, [];
    /// `.row` of a space: its number, from 1 in the south
    RowNumber: Fixed, OfNone, ByType, ByType, Nothing, Free, [];
    /// `.column` of a space: its number, from 1 in the west
    ColumnNumber: Fixed, OfNone, ByType, ByType, Nothing, Free, [];
    /// `distance(a, b[, through: P][, cost: e])`: the steps from one space to another, or what they cost, or none
    Distance = "distance"(a, b; through, cost): Fixed, OfNone, ByType, ByType, Nothing, Free, [Symmetric, Search];
    /// `reachable(from: a[, steps: n][, through: P][, cost: e])`: the spaces to which a walk leads
    Reachable = "reachable"(from; steps, through, cost): Fixed, OfNone, ByType, ByType, Nothing, Free, [Search];
    /// `distance` with `cost:`: behind both spaces stand the sets of the spaces that may be entered for 1, 2, 3 …
    CostDistance: Fixed, OfNone, ByType, ByType, Nothing, Free, [Search];
    /// `reachable` with `cost:`: behind the beginning and the greatest cost stand the sets of the spaces that may be entered for 1, 2, 3 …
    CostReachable: Fixed, OfNone, ByType, ByType, Nothing, Free, [Search];
    /// `choose one of paths(from: a, to: b[, steps: n][, through: P][, over: Q][, cost: e])`: what some walk passes. Behind `over` stand the sets of the spaces that cost 1, 2, 3 …
    Paths = "paths"(from, to; steps, through, over, cost): Fixed, Other, ByType, ByType, Nothing, Free, [];
    /// `between(a, b)`: the spaces between two that stand in one line
    Between = "between"(a, b): Fixed, OfSurprise, ByType, ByType, Nothing, Free, [Symmetric];
    /// `mirror(c)`: the space with column and row exchanged
    Mirror = "mirror"(c): Fixed, OfNone, ByType, ByType, Nothing, Free, [];
    /// `ray(c, d[, through: P][, most: n])`: the spaces from c on in a direction, in order, without c
    Ray = "ray"(c, d; through, most): Fixed, OfSurprise, ByType, ByType, Nothing, Given, [];
    /// `rays(c)`: the rays from a space in all directions
    Rays = "rays"(c): Fixed, OfNone, ByType, ByType, Nothing, Free, [];
    /// `run(r, P, until: Q)`: the beginning of a list that passes P, if what comes behind passes Q
    Run = "run"(r, P, until): Fixed, OfNone, ByType, ByType, Nothing, Both, [];
    /// `lines(n)`: the straight lines of n spaces
    Lines = "lines"(n): Fixed, OfNone, ByType, ByType, Nothing, Free, [];
    /// `row(n)`, `row(a..b)`: the spaces of rows of a board
    RowOf = "row"(n): Fixed, OffMap, ByType, ByType, Nothing, Free, [];
    /// `column(n)`, `column(a..b)`: the spaces of columns of a board
    ColumnOf = "column"(n): Fixed, OffMap, ByType, ByType, Nothing, Free, [];
    /// `joined(A, B, through: P)`: whether a walk over spaces that pass leads from one set to the other
    Joined = "joined"(A, B, through): Fixed, OfNone, ByType, ByType, Nothing, Free, [];
    /// `fan(c, d)`: the space ahead and those to either side of it
    Fan = "fan"(c, d): Fixed, OfSurprise, ByType, ByType, Nothing, Free, [];
    /// `slides(c, dirs[, through: P])`: the spaces to which something slides, up to and with the first that is in the way
    Slides = "slides"(c, dirs; through): Places, OfSurprise, ByType, ByType, Nothing, Free, [];
    /// `leaps(c, a, b)`: the spaces that lie a steps ahead and b aside
    Leaps = "leaps"(c, a, b): Fixed, OfSurprise, ByType, ByType, Nothing, Free, [];
    /// `straight`, `slant`, `all`: directions
    DirectionSet(u8): Fixed, OfNone, ByType, ByType, Nothing, Free, [];
    /// `count(S)`: how many
    Count = "count"(S): Fixed, Never, ByType, Size, Nothing, Free, [Repeats];
    /// `only(S)`: the one element of a set; none if there are none or several
    Only = "only"(S): Fixed, Never, Perhaps, Members, Components, Free, [];
    /// `sum(S)`: numbers added up
    SumOf = "sum"(S): Fixed, TooLarge, ByType, ByType, Nothing, Free, [Repeats];
    /// `min(S)`: the least number, or none of none
    MinOf = "min"(S): Fixed, Never, SomeOfMany, Members, Nothing, Free, [];
    /// `max(S)`: the greatest number, or none of none
    MaxOf = "max"(S): Fixed, Never, SomeOfMany, Members, Nothing, Free, [];
    /// `median(S)`: the number in the middle, of an even count the lower of two; none of none
    Median = "median"(S): Fixed, TooLarge, SomeOfMany, Members, Nothing, Free, [Repeats];
    /// `reversed(L)`: a list from its end
    Reversed = "reversed"(L): Fixed, Never, ByType, Members, Components, Both, [];
    /// `index(L, x)`: the place of x in a list, from 1, or none
    Index = "index"(L, x): Fixed, Never, Perhaps, Place, Nothing, Asked, [];
    /// `clockwise(S, from: p)`: players in the order of their seats
    Clockwise = "clockwise"(S, from): Fixed, OfNone, ByType, ByType, Nothing, Given, [];
    /// `left(p[, among: S])`: the player to the left
    Left = "left"(p; among): Fixed, OfNone, ByType, ByType, Nothing, Free, [];
    /// `face(c)`: the face of a component
    FaceOf = "face"(c): State, OfNone, ByType, ByType, Printed("the face"), Free, [];
    /// `seats`: the players' seats; only counted in conditions of a set-up
    Seats: Fixed, OfNone, ByType, ByType, Nothing, Free, [];
    /// `players`: those for whom somebody answers
    Players: Fixed, OfNone, ByType, ByType, Nothing, Free, [];
    /// `others`: all players but the one who acts, which is the argument
    Others: Fixed, OfNone, ByType, ByType, Nothing, Free, [];
    /// `opponent`, `opponent(p)`: the other of two players
    Opponent = "opponent"(p): Fixed, OfNone, ByType, ByType, Nothing, Free, [];
    /// `team(p)`, as long as no rule says otherwise: of players for whom one seat alone answers, that seat's; else its own
    TeamOf: State, OfNone, ByType, ByType, Nothing, Free, [];
    /// A team by its number, from 1
    Team(u8): Fixed, OfNone, ByType, ByType, Nothing, Free, [];
    /// `sees(p, x)`: whether a player knows the face of a component
    Sees = "sees"(p, x): State, OfNone, ByType, ByType, Nothing, Free, [];
    /// `.at`: the space where a thing lies, or none
    At: State, OfNone, ByType, ByType, Nothing, Free, [];
    /// `.holder`: the player in whose zone it lies, or none
    Holder: State, OfNone, ByType, ByType, Nothing, Free, [];
    /// `.host`: the component in whose zone it lies, or none
    Host: State, OfNone, ByType, ByType, Nothing, Free, [];
    /// `.owner`: of a per-player kind the player it belongs to; else the holder
    OwnerOf: State, OfNone, ByType, ByType, Nothing, Free, [];
    /// `.value` of a die or of a side
    DieValue: State, OfNone, ByType, ByType, Printed("`value`"), Free, [];
    /// `.faces` of a die: the set of its sides
    Sides: State, OfNone, ByType, ByType, Printed("the face"), Free, [];
    /// `.up`: whether it lies face up
    Up: State, OfNone, ByType, ByType, Nothing, Free, [];
    /// `.name` as a text
    NameOf: State, Other, ByType, ByType, Printed("`name`"), Free, [];
    /// `.key` of a family's member
    KeyOf: State, OfNone, ByType, ByType, Printed("`key`"), Free, [];
    /// Whether a thing lies in some zone of that declaration, whoever's
    InZone: State, OfNone, ByType, ByType, Nothing, Free, [];
    /// `round`: number from 1; 0 in set-up
    Round: Clock, OfNone, ByType, ByType, Nothing, Free, [];
    /// `turns`: turns begun so far
    Turns: Clock, OfNone, ByType, ByType, Nothing, Free, [];
    /// `turn`: whose turn it is, or none
    Turn: Clock, OfNone, ByType, ByType, Nothing, Free, [];
    /// A set or list as its set
    AsSet: Fixed, Never, ByType, Members, Components, Free, [];
    /// The same numbers, for a place that is declared with a wider range
    Widened: Fixed, Never, ByType, Members, Components, Free, [];
    /// A line as the list of its spaces
    LineSpaces: Fixed, OfNone, ByType, ByType, Nothing, Given, [];
    /// `odd(n)`: whether a number is odd
    Odd = "odd"(n): Fixed, OfNone, ByType, ByType, Nothing, Free, [];
    /// `even(n)`: whether a number is even
    Even = "even"(n): Fixed, OfNone, ByType, ByType, Nothing, Free, [];
    /// A number that must lie within the range of its type, or none: a parameter, or a result, that is declared with a range
    Held: Fixed, OutOfRange, ByType, ByType, Nothing, Free, [];
    /// What all of a set have in an attribute, gathered (`S.attr` is [`super::FoldOp::Collect`]); kept for zones
    Gather: State, Other, ByType, ByType, Components, Free, [];
}

impl Builtin {
    /// The built-in of a word that is called.
    pub fn called(word: &str) -> Option<Builtin> {
        Builtin::CALLED.iter().find(|(_, w)| *w == word).map(|(b, _)| *b)
    }

    /// Whether the order of its first argument counts.
    pub fn asks_order(self) -> bool {
        matches!(self.facts().order, Order::Asked | Order::Both)
    }

    /// Whether it gives a list with an order of its own.
    pub fn gives_order(self) -> bool {
        matches!(self.facts().order, Order::Given | Order::Both)
    }
}

/// Words that are called and are folds alone, or ask for a kind, which is no value: `faces(K)`, `roll(D)`.
pub const OTHER_CALLS: &[&str] =
    &["faces", "slots", "any", "every", "no", "union", "collect", "least", "most", "roll"];

/// All words that are called.
pub fn called_words() -> impl Iterator<Item = &'static str> {
    Builtin::CALLED.iter().map(|(_, w)| *w).chain(OTHER_CALLS.iter().copied())
}
