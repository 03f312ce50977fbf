//! The possible values of an option of a set-up: words, with the numbers that stand for them in registers.
use houserule_model::body::types;
use houserule_model::hir::*;
use houserule_model::suggest::closest;
use houserule_program::ir::NONE;
use houserule_program::setup::{COMPASS, Resolved};
use std::sync::Arc;

/// The values of a type in one set-up.
pub struct Values {
    /// Numbers from one to another.
    numbers: Option<(i32, i32)>,
    /// Words and what they stand for.
    words: Vec<(Arc<str>, i64)>,
    /// Other words for some of these, not listed.
    also: &'static [(&'static str, i64)],
}

/// So many words are listed in a line.
const LISTED: usize = 20;

impl Values {
    /// The values of a type; `None` for types whose values are no words (the checker refuses options of them).
    pub fn from_type(m: &Model, r: &Resolved, ty: &Ty) -> Option<Values> {
        let words = |words| Some(Values { numbers: None, words, also: &[] });
        match ty {
            Ty::Bool => Some(Values {
                numbers: None,
                words: vec![("yes".into(), 1), ("no".into(), 0)],
                also: &[("true", 1), ("on", 1), ("1", 1), ("false", 0), ("off", 0), ("0", 0)],
            }),
            Ty::Int(lo, hi) => Some(Values { numbers: Some((*lo, *hi)), words: Vec::new(), also: &[] }),
            // A component is named by its face: the checker has seen to it that there is one of each.
            Ty::Of(k) if types::is_component(m, *k) => words(list_faces(m, r, *k)),
            Ty::Of(k) => words(list_things(m, r, *k)?),
            Ty::Face(k) => words(list_faces(m, r, *k)),
            Ty::Maybe(inner) => {
                let mut all = Values::from_type(m, r, inner)?;
                all.words.push(("none".into(), NONE));
                Some(all)
            }
            _ => None,
        }
    }

    /// One of the values, drawn by a number: its word. None if there is no value.
    pub fn draw(&self, number: u64) -> Option<String> {
        let numbers = self.numbers.map_or(0, |(lo, hi)| (i64::from(hi) - i64::from(lo) + 1).max(0) as u64);
        let k = number.checked_rem(numbers + self.words.len() as u64)?;
        match self.numbers {
            Some((lo, _)) if k < numbers => Some((i64::from(lo) + k as i64).to_string()),
            _ => self.words.get((k - numbers) as usize).map(|(w, _)| w.to_string()),
        }
    }

    /// The word that stands for a value.
    pub fn word_of(&self, value: i64) -> Option<String> {
        let listed = self.words.iter().find(|(_, v)| *v == value).map(|(w, _)| w.to_string());
        let number = || {
            let (lo, hi) = self.numbers?;
            (i64::from(lo)..=i64::from(hi)).contains(&value).then(|| value.to_string())
        };
        listed.or_else(number)
    }

    /// What a text stands for; else why it stands for nothing, and what may have been meant.
    pub fn value_of(&self, text: &str) -> Result<i64, (String, Option<String>)> {
        let listed = self.words.iter().find(|(w, _)| **w == *text).map(|(_, v)| *v);
        let known = listed.or_else(|| self.also.iter().find(|(w, _)| *w == text).map(|(_, v)| *v));
        if let Some(v) = known {
            return Ok(v);
        }
        if let (Some((lo, hi)), Ok(n)) = (self.numbers, text.parse::<i32>())
            && (lo..=hi).contains(&n)
        {
            return Ok(i64::from(n));
        }
        let words = || self.words.iter().map(|(w, _)| &**w);
        let other_case = words().find(|w| w.to_lowercase() == text.to_lowercase());
        let near = other_case.or_else(|| closest(text, words())).map(String::from);
        Err((format!("it is {}", self.describe()), near))
    }

    /// All the words, numbers first; none if there are more than so many.
    pub fn list_all(&self, most: usize) -> Vec<String> {
        let many = self.numbers.map_or(0, |(lo, hi)| (i64::from(hi) - i64::from(lo) + 1).max(0) as usize);
        if many.saturating_add(self.words.len()) > most {
            return Vec::new();
        }
        let numbers = self.numbers.into_iter().flat_map(|(lo, hi)| lo..=hi);
        numbers.map(|n| n.to_string()).chain(self.words.iter().map(|(w, _)| w.to_string())).collect()
    }

    /// Some of the words: all, or, of more than so many, the least and the greatest number and the first of the others.
    pub fn list_some(&self, most: usize) -> Vec<String> {
        let all = self.list_all(most);
        if !all.is_empty() {
            return all;
        }
        let numbers = self.numbers.into_iter().flat_map(|(lo, hi)| [lo, hi]).map(|n| n.to_string());
        numbers.chain(self.words.iter().map(|(w, _)| w.to_string())).take(most).collect()
    }

    /// What there is, in words: `a number from 1 to 9, or none`.
    pub fn describe(&self) -> String {
        let mut out = self.numbers.map(|(lo, hi)| format!("a number from {lo} to {hi}"));
        let (all, n) = (&self.words, self.words.len());
        let some = |k: usize| all.iter().take(k).map(|(w, _)| &**w).collect::<Vec<_>>().join(", ");
        let words = match n {
            0 => None,
            1 => Some(some(1)),
            2 => Some(some(2).replace(", ", " or ")),
            _ if n <= LISTED => Some(format!("one of {}", some(n))),
            _ => {
                let last = all.last().map_or("", |(w, _)| w);
                Some(format!("one of {n}: {}, … {last}", some(3)))
            }
        };
        match (&mut out, words) {
            (Some(numbers), Some(words)) => numbers.push_str(&format!(", or {words}")),
            (None, words) => out = words,
            _ => {}
        }
        out.unwrap_or_else(|| String::from("a word, but there is none in this set-up"))
    }
}

fn number_words(words: impl Iterator<Item = Arc<str>>) -> Vec<(Arc<str>, i64)> {
    words.zip(0..).collect()
}

/// The things of a kind that is no component's, in order.
fn list_things(m: &Model, r: &Resolved, k: KindId) -> Option<Vec<(Arc<str>, i64)>> {
    let kind = m.kinds.get(k.index())?;
    let members = || {
        let ids = kind.members.iter().filter_map(|id| m.members.get(id.index()));
        ids.filter(|x| r.has(x.scope)).map(|x| x.name.clone())
    };
    Some(match &kind.sort {
        KindSort::Player => {
            let word =
                |id: MemberId| m.members.get(id.index()).filter(|x| r.has(x.scope)).map(|x| x.name.clone());
            let mut own = m.named_players().filter_map(word);
            let mut more = m.extra_players().filter_map(word);
            number_words((0..r.players).map(|i| {
                let declared = if i < r.own { own.next() } else { more.next() };
                declared
                    .or_else(|| r.names.get(i as usize).cloned())
                    .unwrap_or_else(|| format!("Player{}", i + 1).into())
            }))
        }
        KindSort::Team => number_words((1..=r.players).map(|i| format!("team{i}").into())),
        KindSort::Direction => number_words(COMPASS.iter().map(|w| Arc::from(*w))),
        KindSort::Enum | KindSort::Space(None) => number_words(members()),
        KindSort::Space(Some(map)) => {
            let (columns, rows) = m.maps.get(map.index())?.size?;
            number_words((0..columns.checked_mul(rows)?).map(|s| space_word(s % columns, s / columns)))
        }
        KindSort::Lines(map, sort) => {
            let (columns, rows) = m.maps.get(map.index())?.size?;
            match sort {
                LineSort::Column => number_words((0..columns).map(|c| column_word(c).into())),
                LineSort::Row => number_words((1..=rows).map(|n| n.to_string().into())),
            }
        }
        KindSort::Component(_) => return None,
    })
}

/// The faces of a kind of components, by the numbers that they have among all faces of its family.
fn list_faces(m: &Model, r: &Resolved, k: KindId) -> Vec<(Arc<str>, i64)> {
    let root = |k: KindId| types::root_of(m, k);
    let mut out = Vec::new();
    let mut number = 0;
    let family = (0..m.kinds.len()).map(|i| KindId(i as u32)).filter(|x| root(*x) == root(k));
    for of in family {
        let Some(kind) = m.kinds.get(of.index()).filter(|x| r.has(x.scope)) else { continue };
        let wanted = types::is_a(m, of, k);
        let mut add = |word: String| {
            if wanted {
                out.push((Arc::from(word), number));
            }
            number += 1;
        };
        for id in &kind.members {
            let in_force = |d: &&Member| r.has(d.scope) && !r.removes(m, Removed::Member(*id));
            let Some(d) = m.members.get(id.index()).filter(in_force) else { continue };
            match &d.family {
                Some((_, lo, hi)) => (*lo..=*hi).for_each(|key| add(format!("{}({key})", d.name))),
                None => add(d.name.to_string()),
            }
        }
        if kind.copies.is_some() {
            add(kind.name.to_lowercase());
        }
    }
    out
}

/// The number of a member's face.
pub fn face_number(m: &Model, r: &Resolved, id: MemberId, key: Option<i64>) -> Option<i64> {
    let d = m.members.get(id.index())?;
    let word = key.map_or_else(|| d.name.to_string(), |key| format!("{}({key})", d.name));
    list_faces(m, r, d.kind).into_iter().find(|(w, _)| **w == *word).map(|(_, n)| n)
}

/// The number of a space of a map, by its column and row from the south-west.
pub fn space_number(m: &Model, map: MapId, column: u32, row: u32) -> Option<i64> {
    let (columns, rows) = m.maps.get(map.index())?.size?;
    (column < columns && row < rows).then(|| i64::from(row) * i64::from(columns) + i64::from(column))
}

fn space_word(c: u32, row: u32) -> Arc<str> {
    format!("{}{}", column_word(c), row + 1).into()
}

/// A column's letters: A … Z, AA …
fn column_word(mut n: u32) -> String {
    let mut out = String::new();
    loop {
        out.insert(0, char::from(b'A' + (n % 26) as u8));
        match (n / 26).checked_sub(1) {
            Some(rest) => n = rest,
            None => return out,
        }
    }
}
