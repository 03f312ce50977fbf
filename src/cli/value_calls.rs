//! Calls of values as people write them, `edge(Ann)`: names and arguments by their words.
use super::io::Failure;
use houserule_engine::{Fault, Look, Machine, value_text};
use houserule_model::hir::Model;
use houserule_model::suggest::closest;
use houserule_program::ir::{FuncId, Program, Show, UniverseId, UniverseSort, ValueSlot};

/// What a function of values gives now, in words.
///
/// # Errors
/// A rule error.
pub fn evaluate(m: &mut Machine, func: FuncId, words: &[u64], show: Show) -> Result<String, Fault> {
    let program = m.program().clone();
    let n = program.funcs.get(func.index()).map_or(1, |f| usize::from(f.results));
    let mut out = vec![0u64; n.max(1)];
    m.eval(func, words, &mut out)?;
    let (show, from) = program.read_result(func, show);
    Ok(value_text(m.look(), show, out.get(from..).unwrap_or(&[]), None, true))
}

/// `name(a, b)`, or a name alone.
pub fn parse_call(text: &str) -> Result<(&str, Vec<&str>), Failure> {
    let text = text.trim();
    let Some((name, rest)) = text.split_once('(') else { return Ok((text, Vec::new())) };
    let Some(inner) = rest.strip_suffix(')') else {
        return Err(Failure::Usage(format!("{text}: write a value as name(argument, argument)")));
    };
    let mut parts = Vec::new();
    let (mut depth, mut from) = (0i32, 0);
    for (i, c) in inner.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(inner.get(from..i).unwrap_or("").trim());
                from = i + 1;
            }
            _ => {}
        }
    }
    let last = inner.get(from..).unwrap_or("").trim();
    if !(last.is_empty() && parts.is_empty()) {
        parts.push(last);
    }
    Ok((name.trim(), parts))
}

pub fn find_value<'p>(p: &'p Program, name: &str, m: &Model) -> Result<&'p ValueSlot, Failure> {
    if let Some(v) = p.values.iter().find(|v| v.name.as_ref() == name) {
        return Ok(v);
    }
    let values = || p.values.iter().map(|v| v.name.as_ref());
    let rules = m.rules.iter().map(|r| r.name.as_ref());
    let all = values().chain(rules).chain(m.actions.iter().map(|a| a.name.as_ref()));
    let hint = match closest(name, all) {
        Some(near) => format!("did you mean {near}?"),
        None if p.values.is_empty() => String::from("this game has no values"),
        None => format!("there are the values {}", values().collect::<Vec<_>>().join(", ")),
    };
    Err(Failure::Usage(format!("there is no value, rule or action {name}; {hint}")))
}

/// An argument out of its word.
pub fn parse_argument(look: Look<'_>, text: &str, show: Show) -> Result<u64, Failure> {
    let p = look.program;
    let wrong = |what: &str| Failure::Usage(format!("`{text}` is not a {what}"));
    match show {
        Show::Number => text.parse::<i32>().map(|n| i64::from(n) as u64).map_err(|_| wrong("number")),
        Show::Truth => match text {
            "yes" => Ok(1),
            "no" => Ok(0),
            _ => Err(wrong("yes or no")),
        },
        Show::Thing(u) => parse_thing(look, p, u, text),
        _ => Err(Failure::Usage(format!("`{text}`: an argument here cannot be a set, list or place"))),
    }
}

pub fn parse_thing(look: Look<'_>, p: &Program, u: UniverseId, text: &str) -> Result<u64, Failure> {
    let Some(universe) = p.universes.get(u.index()) else {
        return Err(Failure::Usage(format!("`{text}` is not known here")));
    };
    if let UniverseSort::Numbers { .. } = universe.sort {
        return parse_argument(look, text, Show::Number);
    }
    if let UniverseSort::Components(c) = universe.sort {
        // A component by its number, `kind#3`, or the first one with that face.
        let digits = text.rsplit_once('#').and_then(|(_, n)| n.parse::<u32>().ok());
        if let Some(n) = digits.filter(|n| *n < universe.n) {
            return Ok(u64::from(n));
        }
        let faces = p.comps.get(usize::from(c)).and_then(|c| p.universes.get(c.faces.index()));
        let face = faces.and_then(|f| f.things.iter().position(|t| t.word.as_ref() == text));
        let found =
            (0..universe.n as usize).find(|n| face.is_some() && look.face(usize::from(c), *n) == face);
        return found.map(|n| n as u64).ok_or_else(|| {
            Failure::Usage(format!("there is no {} `{text}`; write a face, or {0}#3", universe.name))
        });
    }
    let found = universe.things.iter().position(|t| t.word.as_ref() == text || t.title.as_ref() == text);
    found.map(|n| n as u64).ok_or_else(|| {
        let near = closest(text, universe.things.iter().map(|t| t.word.as_ref()));
        let hint = near.map_or(String::new(), |n| format!("; did you mean {n}?"));
        Failure::Usage(format!("there is no {} `{text}`{hint}", universe.name))
    })
}

/// What a value with its arguments is now, or an attribute: `edge(Ann)`, `Ann.coins`, `pot`.
///
/// # Errors
/// Nothing is called so, or an argument is none; or a rule error, in words.
pub fn read_named(m: &mut Machine, model: &Model, text: &str) -> Result<String, Failure> {
    let program = m.program().clone();
    let (name, given) = parse_call(text)?;
    if let Some(shown) = read_attribute(m, name).filter(|_| given.is_empty()) {
        return Ok(shown);
    }
    let value = find_value(&program, name, model)?;
    if given.len() != value.params.len() {
        let n = value.params.len();
        let s = if n == 1 { "" } else { "s" };
        return Err(Failure::Usage(format!("{name} takes {n} argument{s}, not {}", given.len())));
    }
    let mut words = Vec::new();
    for (text, show) in given.iter().zip(&value.params) {
        words.push(parse_argument(m.look(), text, *show)?);
    }
    evaluate(m, value.func, &words, value.show).map_err(|f| Failure::Wrong(f.message(&program)))
}

/// An attribute of a thing by its words, `Ann.coins`, or of the table.
fn read_attribute(m: &Machine, text: &str) -> Option<String> {
    let p = m.program();
    let (thing, name) = text.rsplit_once('.').map_or((None, text), |(thing, name)| (Some(thing), name));
    let mut slots = p.attrs.iter().enumerate().filter(|(_, a)| a.name.as_ref() == name);
    slots.find_map(|(i, slot)| {
        let number = match (slot.of, thing) {
            (None, None) => 0,
            (Some(u), Some(thing)) => parse_thing(m.look(), p, u, thing).ok()? as usize,
            _ => return None,
        };
        let value = m.look().attr(houserule_program::ir::AttrIx(i as u16), number);
        let word = value.map_or(houserule_program::ir::NONE as u64, |v| v as u64);
        Some(value_text(m.look(), slot.show, &[word], None, true))
    })
}
