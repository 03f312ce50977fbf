//! What an expression can give, and how an evaluation can end without a result. Plain data.

/// A value of any type.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Datum {
    /// Nothing there.
    None,
    /// A player with a name who does not play in this set-up: equal to no player, and not none.
    Absent,
    /// `yes` or `no`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A player, word, space, component, face or side: the number of its kind's table ([`super::Numbers`]), and its number there.
    Thing(u16, u32),
    /// A zone of somebody, or the box, by its number.
    Place(u32),
    /// A phase, by its number among the rules.
    Phase(u32),
    /// A text for people.
    Text(String),
    /// Each thing once, in the order of their numbers.
    Set(Vec<Datum>),
    /// In order; the same thing may come twice.
    List(Vec<Datum>),
}

/// What the rules did wrong. A failure is a result like any other: both evaluators must fail alike.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failure {
    /// A number or thing was needed where there is none.
    NoneValue,
    /// The same within a value or a fold, which does not end the statement that asks for it.
    NoneWithin,
    /// Division by zero.
    DivideByZero,
    /// A number beyond 32 bits.
    Overflow,
    /// `the` of none or of several.
    NotOne,
    /// An attribute would leave its range.
    OutOfRange,
    /// More in a zone than fits.
    ZoneFull,
    /// An index of a family of zones that there is not.
    NoSuchThing,
    /// A value slot that no member fills.
    Unfilled,
    /// Values that call each other without end.
    TooDeep,
}

/// Why it goes no further.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// The rules fail.
    Fails(Failure),
    /// By `stop`, `give` or a `needs` that does not hold the rule ends.
    RuleEnds,
    /// Somebody is asked.
    Asked,
    /// The game is over.
    Over,
    /// The reference does not say what this means; what it is.
    Unsupported(String),
}

/// A result, or why there is none.
pub type Result<T = Datum> = std::result::Result<T, Stop>;

/// That the rules fail.
pub fn fails<T>(f: Failure) -> Result<T> {
    Err(Stop::Fails(f))
}

/// That something is not covered.
pub fn unsupported<T>(what: impl Into<String>) -> Result<T> {
    Err(Stop::Unsupported(what.into()))
}

/// Something, unless the reference does not cover that there is none.
pub fn known<T>(x: Option<T>, what: &str) -> Result<T> {
    x.map_or_else(|| unsupported(what), Ok)
}

impl Datum {
    /// A set of these: each once, in the order of their numbers. None is in no set.
    pub fn set(mut items: Vec<Datum>) -> Datum {
        items.retain(|x| *x != Datum::None && *x != Datum::Absent);
        items.sort();
        items.dedup();
        Datum::Set(items)
    }

    /// These in their order, if this has one; else the set of them.
    pub fn like(&self, items: Vec<Datum>) -> Datum {
        if matches!(self, Datum::List(_)) { Datum::List(items) } else { Datum::set(items) }
    }

    /// What it holds: of a set or list its things, of none nothing, of anything else itself.
    pub fn items(&self) -> Vec<Datum> {
        match self {
            Datum::Set(all) | Datum::List(all) => all.clone(),
            Datum::None => Vec::new(),
            one => vec![one.clone()],
        }
    }

    /// Both together: with an order if one of them has one, first the first, then what of the other is not in it.
    pub fn with(&self, other: &Datum) -> Datum {
        let mut all = self.items();
        for x in other.items() {
            if !all.contains(&x) {
                all.push(x);
            }
        }
        if matches!(other, Datum::List(_)) { Datum::List(all) } else { self.like(all) }
    }

    /// The first without what is in the other, in its order.
    pub fn without(&self, other: &Datum) -> Datum {
        let gone = other.items();
        self.like(self.items().into_iter().filter(|x| !gone.contains(x)).collect())
    }

    /// The same as a set.
    pub fn to_set(&self) -> Datum {
        Datum::set(self.items())
    }

    fn needed<T>(&self, x: Option<T>, what: &str) -> Result<T> {
        match x {
            Some(x) => Ok(x),
            None if *self == Datum::None => fails(Failure::NoneValue),
            None => unsupported(format!("{self:?} where {what} is needed")),
        }
    }

    /// A number, which must be there.
    pub fn int(&self) -> Result<i64> {
        self.needed(if let Datum::Int(n) = self { Some(*n) } else { None }, "a number")
    }

    /// A truth value, which must be there.
    pub fn truth(&self) -> Result<bool> {
        self.needed(if let Datum::Bool(b) = self { Some(*b) } else { None }, "yes or no")
    }

    /// A thing, which must be there: its table and number.
    pub fn thing(&self) -> Result<(u16, u32)> {
        self.needed(if let Datum::Thing(u, n) = self { Some((*u, *n)) } else { None }, "a thing")
    }

    /// The number of a thing that must be there.
    pub fn number(&self) -> Result<u32> {
        self.thing().map(|(_, n)| n)
    }
}

/// A number within 32 bits.
pub fn number(n: i64) -> Result {
    // The least number of 32 bits stands for none.
    if n > i64::from(i32::MIN) && n <= i64::from(i32::MAX) {
        Ok(Datum::Int(n))
    } else {
        fails(Failure::Overflow)
    }
}

/// What a value or a fold gives. That it finds nothing where it needs something is its own failure, not a reason to leave the statement out that asks.
pub fn within<T>(r: Result<T>) -> Result<T> {
    match r {
        Err(Stop::Fails(Failure::NoneValue)) => fails(Failure::NoneWithin),
        r => r,
    }
}
