//! What an expression can give, and how an evaluation can end without a result. Plain data.
use houserule_model::hir::Ty;
use std::collections::BTreeSet;

/// A value of any type.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Datum {
    #[default]
    None, // Nothing there.
    Absent, // A player with a name who does not play in this set-up: equal to no player, and not none.
    Bool(bool), // `yes` or `no`.
    Int(i64), // A whole number.
    Thing(u16, u32), // A player, word, space, component, face or side: its table, its number there.
    Place(u32), // A zone of somebody, or the box, by its number.
    Phase(u32), // A phase, by its number among the rules.
    Set(Vec<Datum>), // Each thing once, in the order of their numbers.
    List(Vec<Datum>), // In order; the same thing may come twice.
}

/// Why it goes no further. Whether the rules fail is compared with the engine, not why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    Nothing,                   // A thing is needed where there is none: the statement is left out.
    Fails(&'static str),       // The rules fail; what is wrong.
    RuleEnds,                  // By `stop`, `give` or a `needs` that does not hold the rule ends.
    Asked,                     // Somebody is asked.
    Over,                      // The game is over.
    Unsupported(&'static str), // The reference does not say what this means; what it is.
}

/// A result, or why there is none.
pub type Result<T = Datum> = std::result::Result<T, Stop>;

/// That the rules fail.
pub fn fails<T>(what: &'static str) -> Result<T> {
    Err(Stop::Fails(what))
}

/// That something is not covered.
pub fn unsupported<T>(what: &'static str) -> Result<T> {
    Err(Stop::Unsupported(what))
}

/// Something, unless the reference does not cover that there is none.
pub fn known<T>(x: Option<T>, what: &'static str) -> Result<T> {
    x.ok_or(Stop::Unsupported(what))
}

/// Goes no further unless something holds.
pub fn ensure(holds: bool, otherwise: Stop) -> Result<()> {
    if holds { Ok(()) } else { Err(otherwise) }
}

/// Goes no further where the reference does not cover what is the case.
pub fn covers(holds: bool, what: &'static str) -> Result<()> {
    ensure(holds, Stop::Unsupported(what))
}

/// A number within 32 bits, of which the least stands for none.
pub fn number(n: i64) -> Result {
    if n > i64::from(i32::MIN) && n <= i64::from(i32::MAX) { Ok(Datum::Int(n)) } else { fails("an overflow") }
}

/// Those for which something holds.
pub fn keep<T>(all: Vec<T>, mut holds: impl FnMut(&mut T) -> Result<bool>) -> Result<Vec<T>> {
    all.into_iter().filter_map(|mut x| holds(&mut x).map(|is| is.then_some(x)).transpose()).collect()
}

/// What is there of a type where there is nothing.
pub fn nothing_of(ty: &Ty) -> Datum {
    if matches!(ty, Ty::Set(_) | Ty::List(_)) { Datum::Set(Vec::new()) } else { Datum::None }
}

impl Datum {
    /// A set of these: each once, in the order of their numbers. None is in no set.
    pub fn set(items: impl IntoIterator<Item = Datum>) -> Datum {
        let there = items.into_iter().filter(|x| !matches!(x, Datum::None | Datum::Absent));
        Datum::Set(there.collect::<BTreeSet<Datum>>().into_iter().collect())
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

    /// The same, which must be there.
    pub fn there(&self) -> Result<&Datum> {
        if *self == Datum::None { Err(Stop::Nothing) } else { Ok(self) }
    }

    /// A number, which must be there.
    pub fn int(&self) -> Result<i64> {
        if let Datum::Int(n) = self.there()? { Ok(*n) } else { unsupported("what is no number") }
    }

    /// A truth value, which must be there.
    pub fn truth(&self) -> Result<bool> {
        if let Datum::Bool(b) = self.there()? { Ok(*b) } else { unsupported("what is neither yes nor no") }
    }

    /// A thing, which must be there: its table and number.
    pub fn thing(&self) -> Result<(u16, u32)> {
        if let Datum::Thing(u, n) = self.there()? { Ok((*u, *n)) } else { unsupported("what is no thing") }
    }

    /// The number of a thing that must be there.
    pub fn number(&self) -> Result<u32> {
        self.thing().map(|(_, n)| n)
    }
}
