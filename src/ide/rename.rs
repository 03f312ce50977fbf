//! Renames what the word at a cursor means, in all files of the game at once.
//!
//! The edits are tried before they are offered: if the game with the new name is understood otherwise than with the old one, there is none.
use super::{Analysis, Edit, EditSet, Location, Refusal};
use houserule_model::Def;
use houserule_text::Span;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Whether the word at a cursor can be renamed: its place and its name as it is.
///
/// # Errors
/// Why not.
pub fn check_rename(a: &Analysis, file: &str, offset: usize) -> Result<(Location, String), Refusal> {
    let found = a.file(file).and_then(|(id, _)| a.uses.use_at(id, offset));
    let Some((at, def)) = found else {
        return Err(Refusal::with_reason("there is no name here that the rules declare"));
    };
    let name = a.uses.name_of(def, &a.files, &a.model).to_string();
    if a.uses.place_of(def, &a.model).is_none_or(|s| a.slice(s) != name) {
        return Err(Refusal::with_reason(format!("`{name}` is built in, so it has no declaration")));
    }
    if let Def::Hook(_) = def {
        return Err(Refusal::with_reason(format!(
            "the script also uses `{name}`: rename it there and here by hand"
        )));
    }
    match a.to_place(at) {
        Some(place) => Ok((place, name)),
        None => Err(Refusal::with_reason("the file is not open")),
    }
}

/// The edits that give what the word at a cursor means another name.
///
/// # Errors
/// What stands against it: not a name, a word of the language, a name that is taken, a meaning that would change somewhere.
pub fn rename(a: &Analysis, file: &str, offset: usize, new: &str) -> Result<EditSet, Refusal> {
    let (_, old) = check_rename(a, file, offset)?;
    let new = new.trim();
    let label = format!("rename `{old}` to `{new}`");
    if new == old {
        return Ok(EditSet::new(label, Vec::new()).unwrap_or_default());
    }
    let id = a.file(file).map(|(id, _)| id).unwrap_or_default();
    let Some((_, def)) = a.uses.use_at(id, offset) else {
        return Err(Refusal::with_reason("there is no name here"));
    };
    check_form(&old, new)?;
    let mut edits = Vec::new();
    for span in a.uses.uses_of(def) {
        let Some(p) = a.to_place(span) else { continue };
        // The thing of a kind is called as the kind, in small letters.
        let text = if a.slice(span) == old { new.to_string() } else { new.to_lowercase() };
        edits.push(Edit::new(p.file, p.start..p.end, text));
    }
    let Ok(set) = EditSet::new(label, edits) else {
        return Err(Refusal::with_reason("the places of this name overlap"));
    };
    try_edits(a, &set, new)?;
    Ok(set)
}

/// Whether a word can be that name.
fn check_form(old: &str, new: &str) -> Result<(), Refusal> {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if new.is_empty() || !new.chars().all(fits) || !new.starts_with(|c: char| c.is_ascii_alphabetic()) {
        let why = format!("`{new}` is not a name: write letters, digits and `_`, beginning with a letter");
        return Err(Refusal::with_reason(why));
    }
    let capital = |s: &str| s.starts_with(|c: char| c.is_ascii_uppercase());
    if capital(old) != capital(new) {
        let which = if capital(old) { "with a capital letter" } else { "with a small letter" };
        return Err(Refusal::with_reason(format!("`{old}` begins {which}, and so must its new name")));
    }
    if houserule_syntax::is_reserved(new) {
        return Err(Refusal::with_reason(format!("`{new}` is a word of the language")));
    }
    Ok(())
}

/// Carries the edits out on a copy and looks whether all is understood as before.
fn try_edits(a: &Analysis, set: &EditSet, new: &str) -> Result<(), Refusal> {
    let mut texts: BTreeMap<Arc<str>, String> = BTreeMap::new();
    for (_, f) in a.files.iter() {
        if let Ok(text) = set.apply_to_text(&f.name, &f.text)
            && text != f.text
        {
            texts.insert(f.name.as_str().into(), text);
        }
    }
    let b = a.with_texts(&texts);
    let known =
        |d: &houserule_text::Diagnostic| (d.code, a.files.get(d.at.span.file).map(|f| f.name.clone()));
    let mut before: Vec<_> = a.report.findings.iter().map(known).collect();
    for d in &b.report.findings {
        match before.iter().position(|k| *k == known(d)) {
            Some(i) => drop(before.swap_remove(i)),
            None => {
                let why = format!("`{new}` is not possible at {}: {}", b.files.place(d.at.span), d.message);
                return Err(Refusal::with_reason(why));
            }
        }
    }
    // Each word means what it meant: the same declarations in the same order of the texts.
    let moved = SpanMap::new(a, set);
    let mut after = b.uses.all().iter();
    for (at, def) in a.uses.all() {
        let next = after.next();
        let same = next.is_some_and(|(now, meant)| {
            *now == moved.move_span(*at)
                && match (def, meant) {
                    (Def::Local(x), Def::Local(y)) => moved.move_span(*x) == *y,
                    (x, y) => x == y,
                }
        });
        if !same {
            let place = a.files.place(*at);
            return Err(Refusal::with_reason(format!(
                "`{new}` is already used: {place} would mean something else"
            )));
        }
    }
    if let Some((at, _)) = after.next() {
        let place = b.files.place(*at);
        return Err(Refusal::with_reason(format!(
            "`{new}` is already used: {place} would mean something else"
        )));
    }
    Ok(())
}

/// Where spans are when the edits are done.
struct SpanMap<'a> {
    a: &'a Analysis,
    edits: BTreeMap<&'a str, Vec<&'a Edit>>,
}

impl<'a> SpanMap<'a> {
    fn new(a: &'a Analysis, set: &'a EditSet) -> Self {
        let mut edits: BTreeMap<&str, Vec<&Edit>> = BTreeMap::new();
        for e in set.edits() {
            edits.entry(&e.file).or_default().push(e);
        }
        SpanMap { a, edits }
    }

    fn move_span(&self, s: Span) -> Span {
        let name = self.a.files.get(s.file).map_or("", |f| f.name.as_str());
        let Some(edits) = self.edits.get(name) else { return s };
        let before: isize =
            edits.iter().take_while(|e| e.range.end <= s.start as usize).map(|e| e.growth()).sum();
        let own = edits.iter().find(|e| e.range == s.range()).map_or(0, |e| e.growth());
        let start = (s.start as usize).saturating_add_signed(before);
        Span::new(s.file, start, (s.end as usize).saturating_add_signed(before + own))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{GAME, analyse, analyse_texts, split_marks};

    fn check(text: &str, new: &str, want: &str) {
        let (a, at) = analyse(text);
        let (plain, ..) = split_marks(text);
        let done = rename(&a, "t.rules", at, new).map(|s| s.apply_to_text("t.rules", &plain).unwrap());
        assert_eq!(done.as_deref(), Ok(want), "{:?}", a.report.findings);
    }

    fn refused(text: &str, new: &str, why: &str) {
        let (a, at) = analyse(text);
        match rename(&a, "t.rules", at, new) {
            Ok(set) => panic!("renamed: {set:?}"),
            Err(r) => assert!(r.why.contains(why), "{}", r.why),
        }
    }

    #[test]
    fn all_uses_get_the_new_name() {
        check(
            "table { wi$0nd: 0..9 = 1 }\nvalue w: int = wind",
            "storm",
            "table { storm: 0..9 = 1 }\nvalue w: int = storm",
        );
        check(
            "enum Colour { red, blue }\ntable { a: Col$0our = red }",
            "Paint",
            "enum Paint { red, blue }\ntable { a: Paint = red }",
        );
        check(
            "piece Man of player { rule hop() { say \"hop\" } }\nbefore hop(ma$0n) { say \"{man.name}\" }",
            "Stone",
            "piece Stone of player { rule hop() { say \"hop\" } }\nbefore hop(stone) { say \"{stone.name}\" }",
        );
        check(
            "rule r(x: int) { say \"{x}\" }\ninstead of r(x) { proceed(x: $0x + 1) }\nsetup { r(1) }",
            "y",
            "rule r(y: int) { say \"{y}\" }\ninstead of r(y) { proceed(y: y + 1) }\nsetup { r(1) }",
        );
    }

    #[test]
    fn other_files_get_it_too() {
        let a = analyse_texts(&[
            ("game.rules", GAME),
            ("a.rules", "table { wind: 0..9 = 1 }\n"),
            ("b.scenario", "scenario calm \"Calm\" for Tiny { setup { wind = 0 } }\n"),
        ]);
        let set = rename(&a, "a.rules", 8, "storm").unwrap();
        assert_eq!(set.label, "rename `wind` to `storm`");
        assert_eq!(set.edits().len(), 2);
        let (_, f) = a.file("b.scenario").unwrap();
        let done = set.apply_to_text("b.scenario", &f.text).unwrap();
        assert_eq!(done, "scenario calm \"Calm\" for Tiny { setup { storm = 0 } }\n");
    }

    #[test]
    fn what_would_break_something_is_refused() {
        refused("table { wi$0nd: 0..9 = 1 }", "2nd", "not a name");
        refused("table { wi$0nd: 0..9 = 1 }", "Wind", "small letter");
        refused("table { wi$0nd: 0..9 = 1 }", "where", "word of the language");
        refused("table { wi$0nd: 0..9 = 1; rain: 0..9 = 1 }", "rain", "rain");
        refused("table { wind: 0..9 = 1 }\nvalue w(win$0dy: int): int = windy + wind", "wind", "wind");
        refused("setup { for p in play$0ers { say \"{p.name}\" } }", "folk", "no name");
        refused("hook h(): int from \"h.rhai\"\nvalue v: int = $0h()", "g", "script");
        refused("value v(p: player): int = count(t in tea$0m)", "side", "built in");
    }
}
