//! Another name for a file: what the rules call it is changed with it.
use super::{Analysis, Edit, Refusal};
use crate::syntax::ast::{HookDecl, Item, ItemKind};

/// The edits by which the rules of a game name a file by its new name. Only scripts are named in rules: a rule file or a scenario is found by what it says and where it lies.
///
/// # Errors
/// A script that would no longer lie where the rules look for it.
pub fn moved(a: &Analysis, old: &str, new: &str) -> Result<Vec<Edit>, Refusal> {
    let (from, was) = old.rsplit_once('/').unwrap_or(("", old));
    let (to, is) = new.rsplit_once('/').unwrap_or(("", new));
    if !old.ends_with(".rhai") {
        return Ok(Vec::new());
    }
    let mut edits = Vec::new();
    for file in &a.asts {
        hooks(&file.items, &mut |h| {
            if h.from.literal().as_deref() == Some(was)
                && let Some(place) = a.place(h.from.span)
            {
                edits.push(Edit::new(place.file, place.start..place.end, format!("\"{is}\"")));
            }
        });
    }
    let home =
        |folder: &str| folder.strip_suffix("hooks").map_or(folder, |f| f.trim_end_matches('/')).to_string();
    if !edits.is_empty() && home(from) != home(to) {
        let why = format!("{was} is a script of the rules beside it: it lies with them or in `hooks` there");
        return Err(Refusal::because(why));
    }
    edits.retain(|_| was != is);
    Ok(edits)
}

/// All hooks, wherever they are declared.
fn hooks(items: &[Item], f: &mut impl FnMut(&HookDecl)) {
    for i in items {
        match &i.kind {
            ItemKind::Hook(h) => f(h),
            ItemKind::Scenario(s) => hooks(&s.items, f),
            ItemKind::Part(p) => hooks(&p.items, f),
            ItemKind::Variant(v) => hooks(&v.items, f),
            ItemKind::Mod(m) => hooks(&m.items, f),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ide::EditSet;
    use crate::ide::testing::{GAME, of};

    #[test]
    fn rules_call_a_script_by_its_new_name() {
        let text = "hook h(): int from \"h.rhai\"\nhook g(): int from \"g.rhai\"\nvalue v: int = h() + g()\n";
        let a = of(&[("r/game.rules", GAME), ("r/t.rules", text), ("r/hooks/h.rhai", "fn h() { 1 }")]);
        let edits = moved(&a, "r/hooks/h.rhai", "r/new.rhai").unwrap();
        let set = EditSet::new("move", edits).unwrap();
        assert_eq!(set.applied("r/t.rules", text).unwrap(), text.replace("h.rhai", "new.rhai"));
        // In another folder under its name it is found all the same; far away it would not be.
        assert_eq!(moved(&a, "r/hooks/h.rhai", "r/h.rhai"), Ok(Vec::new()));
        assert!(moved(&a, "r/hooks/h.rhai", "other/h.rhai").is_err());
        // What no rule names can go anywhere.
        assert_eq!(moved(&a, "r/x.rhai", "other/y.rhai"), Ok(Vec::new()));
        assert_eq!(moved(&a, "r/t.rules", "r/u.rules"), Ok(Vec::new()));
    }
}
