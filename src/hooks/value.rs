//! Converts registers of the machine to values of scripts and back.
//!
//! | in the rules | in a script |
//! |---|---|
//! | a number, a place, a phase | an integer |
//! | yes, no | `true`, `false` |
//! | a thing (space, player, component, word of an enum) | its number, an integer from 0 |
//! | none | `()` |
//! | a set | an array of integers, lowest first |
//! | a list | an array of integers in its order |
use houserule_program::ir::{NONE, Show, Universe, UniverseId, UniverseSort};
use rhai::{Dynamic, INT};

/// What a program's values range over.
#[derive(Clone, Copy, Debug)]
pub struct Kinds<'a> {
    /// Its universes.
    pub universes: &'a [Universe],
    /// How many places.
    pub places: usize,
    /// How many phases.
    pub phases: usize,
}

/// What registers of a parameter or result mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    /// A number within `i32`, or none.
    Number,
    /// 0 or 1.
    Truth,
    /// One of `lo..lo + n`, or none.
    Thing { lo: i64, n: i64 },
    /// `w` words; bit `k` is thing `lo + k`.
    Set { lo: i64, n: i64, w: usize },
    /// A word for the length, then `u16` things, four a word; room for `cap`.
    List { lo: i64, n: i64, cap: usize },
}

impl Shape {
    /// The shape of a value that is shown so; `None` for texts, which scripts do not have.
    pub fn from_show(p: &Kinds<'_>, show: Show) -> Option<Shape> {
        let range = |u: UniverseId| {
            let u = p.universes.get(u.index())?;
            let lo = if let UniverseSort::Numbers { lo } = u.sort { i64::from(lo) } else { 0 };
            Some((lo, i64::from(u.n), usize::from(u.w.max(1))))
        };
        Some(match show {
            Show::Number => Shape::Number,
            Show::Truth => Shape::Truth,
            Show::Thing(u) => range(u).map(|(lo, n, _)| Shape::Thing { lo, n })?,
            Show::Set(u) => range(u).map(|(lo, n, w)| Shape::Set { lo, n, w })?,
            Show::List(u) => {
                let cap = p.universes.get(u.index())?.list_room() as usize;
                range(u).map(|(lo, n, _)| Shape::List { lo, n, cap })?
            }
            Show::Place => Shape::Thing { lo: 0, n: p.places as i64 },
            Show::Phase => Shape::Thing { lo: 0, n: p.phases as i64 },
            Show::Text => return None,
        })
    }

    /// Takes one value from the front of registers; gives it and the registers after it. `None`: too few registers, or a list that is longer than it can be.
    pub fn to_script(self, words: &[u64]) -> Option<(Dynamic, &[u64])> {
        match self {
            Shape::Number | Shape::Thing { .. } => {
                let (first, rest) = words.split_first()?;
                let v = *first as i64;
                Some((if v == NONE { Dynamic::UNIT } else { Dynamic::from_int(v) }, rest))
            }
            Shape::Truth => {
                let (first, rest) = words.split_first()?;
                Some((Dynamic::from_bool(*first != 0), rest))
            }
            Shape::Set { lo, n, w } => {
                let (set, rest) = words.split_at_checked(w)?;
                let mut out = rhai::Array::new();
                for (i, word) in set.iter().enumerate() {
                    let mut left = *word;
                    while left != 0 {
                        let k = i as i64 * 64 + i64::from(left.trailing_zeros());
                        if k < n {
                            out.push(Dynamic::from_int(lo + k));
                        }
                        left &= left - 1;
                    }
                }
                Some((Dynamic::from_array(out), rest))
            }
            Shape::List { lo, cap, .. } => {
                let (len, rest) = words.split_first()?;
                let len = usize::try_from(*len).ok().filter(|l| *l <= cap)?;
                let (things, rest) = rest.split_at_checked(cap.div_ceil(4))?;
                let at = |i: usize| things.get(i / 4).map(|w| (w >> (16 * (i % 4))) & 0xffff);
                let out: Option<rhai::Array> =
                    (0..len).map(|i| at(i).map(|k| Dynamic::from_int(lo + k as INT))).collect();
                Some((Dynamic::from_array(out?), rest))
            }
        }
    }

    /// Checks a script's result and adds its registers to `out`; the error says what is wrong with it.
    pub fn to_registers(self, value: &Dynamic, out: &mut Vec<u64>) -> Result<(), String> {
        match self {
            Shape::Number => {
                let v = self.read_one(value)?;
                out.push(v.unwrap_or(NONE) as u64);
            }
            Shape::Truth => match value.as_bool() {
                Ok(b) => out.push(u64::from(b)),
                Err(t) => {
                    return Err(format!("the script gives {}, but the rules need yes or no", type_word(t)));
                }
            },
            Shape::Thing { .. } => {
                let v = self.read_one(value)?;
                out.push(v.unwrap_or(NONE) as u64);
            }
            Shape::Set { lo, n, w } => {
                let at = out.len();
                out.resize(at + w, 0);
                for v in self.read_many(value)? {
                    let k = element_index(v, lo, n)?;
                    if let Some(word) = out.get_mut(at + k / 64) {
                        *word |= 1 << (k % 64);
                    }
                }
            }
            Shape::List { lo, n, cap } => {
                let many = self.read_many(value)?;
                if many.len() > cap {
                    return Err(format!("the script gives a list of {}, but at most {cap} fit", many.len()));
                }
                let at = out.len();
                out.push(many.len() as u64);
                out.resize(at + 1 + cap.div_ceil(4), 0);
                for (i, v) in many.into_iter().enumerate() {
                    let k = element_index(v, lo, n)?;
                    if let Some(word) = out.get_mut(at + 1 + i / 4) {
                        *word |= (k as u64) << (16 * (i % 4));
                    }
                }
            }
        }
        Ok(())
    }

    /// A single value, or none.
    fn read_one(self, value: &Dynamic) -> Result<Option<i64>, String> {
        if value.is_unit() {
            return Ok(None);
        }
        let v = match value.as_int() {
            Ok(v) => v,
            Err(t) => {
                return Err(format!(
                    "the script gives {}, but the rules need {}",
                    type_word(t),
                    self.wanted_text()
                ));
            }
        };
        match self {
            Shape::Thing { lo, n } => element_index(v, lo, n).map(|_| Some(v)),
            _ if v > NONE && v <= i64::from(i32::MAX) => Ok(Some(v)),
            _ => Err(format!("the script gives {v}, which is outside the numbers of the rules")),
        }
    }

    fn read_many(self, value: &Dynamic) -> Result<Vec<i64>, String> {
        let Ok(array) = value.as_array_ref() else {
            return Err(format!(
                "the script gives {}, but the rules need {}",
                type_word(value.type_name()),
                self.wanted_text()
            ));
        };
        array
            .iter()
            .map(|v| v.as_int().map_err(|t| format!("the script gives an array with {} in it", type_word(t))))
            .collect()
    }

    fn wanted_text(self) -> &'static str {
        match self {
            Shape::Number => "a number",
            Shape::Truth => "yes or no",
            Shape::Thing { .. } => "a thing's number",
            Shape::Set { .. } => "an array of numbers (a set)",
            Shape::List { .. } => "an array of numbers (a list)",
        }
    }
}

/// The place of a value in its universe.
fn element_index(v: i64, lo: i64, n: i64) -> Result<usize, String> {
    v.checked_sub(lo)
        .filter(|k| (0..n).contains(k))
        .and_then(|k| usize::try_from(k).ok())
        .ok_or_else(|| format!("the script gives {v}, which is not one of {lo} to {}", lo + n - 1))
}

/// A type of rhai in words.
fn type_word(name: &str) -> &str {
    match name {
        "()" => "nothing",
        "bool" => "a truth value",
        "i64" | "INT" => "a number",
        "array" | "rhai::Array" => "an array",
        "map" | "rhai::Map" => "a map",
        "string" | "&str" => "a text",
        "char" => "a character",
        _ if name.contains("Array") || name.contains("Vec<") => "an array",
        _ if name.contains("Map") => "a map",
        _ if name.contains("String") => "a text",
        _ => "something else",
    }
}
