//! Renames a file, together with the rules that name it.
use super::{Analysis, Edit, Refusal};
use houserule_syntax::ast::{HookDecl, Item, ItemKind};

/// The edits by which the rules of a game name a file by its new name. Only scripts are named in rules: a rule file or a scenario is found by what it says and where it lies.
///
/// # Errors
/// A script that would no longer lie where the rules look for it.
pub fn rename_file(a: &Analysis, old: &str, new: &str) -> Result<Vec<Edit>, Refusal> {
    let (from, was) = split_name(old);
    let (to, is) = split_name(new);
    if !was.ends_with(".rhai") {
        return Ok(Vec::new());
    }
    let mut edits = Vec::new();
    let mut lost = false;
    for file in &a.asts {
        visit_hooks(&file.items, &mut |h| {
            if h.from.literal().as_deref() == Some(was)
                && let Some(place) = a.to_place(h.from.span)
                && is_found_in(&place.file, from)
            {
                lost |= !is_found_in(&place.file, to);
                edits.push(Edit::new(place.file, place.start..place.end, format!("\"{is}\"")));
            }
        });
    }
    if lost {
        let why = format!(
            "{was} is a script of the rules in its folder: it must stay there or in the folder `hooks` there"
        );
        return Err(Refusal::with_reason(why));
    }
    if !edits.is_empty() && (!is.ends_with(".rhai") || is.contains(['"', '{', '}', '\\'])) {
        let why =
            format!("rules name {was}: its name ends in `.rhai` and has no quotes, braces or backslashes");
        return Err(Refusal::with_reason(why));
    }
    edits.retain(|_| was != is);
    Ok(edits)
}

/// A name's folder and what it is called there.
fn split_name(name: &str) -> (&str, &str) {
    name.rsplit_once('/').unwrap_or(("", name))
}

/// Whether rules in that file find their scripts in a folder: beside them, or in `hooks` there.
fn is_found_in(rules: &str, folder: &str) -> bool {
    let beside = split_name(rules).0;
    folder == beside || folder == super::games::join_path(beside, "hooks")
}

/// All hooks, wherever they are declared.
fn visit_hooks(items: &[Item], f: &mut impl FnMut(&HookDecl)) {
    for i in items {
        match &i.kind {
            ItemKind::Hook(h) => f(h),
            ItemKind::Scenario(s) => visit_hooks(&s.items, f),
            ItemKind::Part(p) => visit_hooks(&p.items, f),
            ItemKind::Variant(v) => visit_hooks(&v.items, f),
            ItemKind::Mod(m) => visit_hooks(&m.items, f),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EditSet;
    use crate::testing::{GAME, analyse_texts};

    #[test]
    fn rules_call_a_script_by_its_new_name() {
        let text = "hook h(): int from \"h.rhai\"\nhook g(): int from \"g.rhai\"\nvalue v: int = h() + g()\n";
        let a =
            analyse_texts(&[("r/game.rules", GAME), ("r/t.rules", text), ("r/hooks/h.rhai", "fn h() { 1 }")]);
        let edits = rename_file(&a, "r/hooks/h.rhai", "r/new.rhai").unwrap();
        let set = EditSet::new("move", edits).unwrap();
        assert_eq!(set.apply_to_text("r/t.rules", text).unwrap(), text.replace("h.rhai", "new.rhai"));
        // In another folder under its name it is found all the same; far away it would not be.
        assert_eq!(rename_file(&a, "r/hooks/h.rhai", "r/h.rhai"), Ok(Vec::new()));
        assert!(rename_file(&a, "r/hooks/h.rhai", "other/h.rhai").is_err());
        // What no rule names can go anywhere.
        assert_eq!(rename_file(&a, "r/x.rhai", "other/y.rhai"), Ok(Vec::new()));
        assert_eq!(rename_file(&a, "r/t.rules", "r/u.rules"), Ok(Vec::new()));
    }

    #[test]
    fn of_two_scripts_of_one_name_each_is_that_of_the_rules_beside_it() {
        let own = "hook h(): int from \"h.rhai\"\nvalue v: int = h()\n";
        let other = "mod \"M\" for Tiny { hook k(): int from \"h.rhai\" }\n";
        let a = analyse_texts(&[("r/game.rules", GAME), ("r/t.rules", own), ("mods/m.rules", other)]);
        let named = |old: &str, new: &str| {
            let edits = rename_file(&a, old, new).unwrap();
            edits.iter().map(|e| (e.file.to_string(), e.text.clone())).collect::<Vec<_>>()
        };
        assert_eq!(named("mods/h.rhai", "mods/n.rhai"), [("mods/m.rules".into(), "\"n.rhai\"".into())]);
        assert_eq!(named("r/hooks/h.rhai", "r/n.rhai"), [("r/t.rules".into(), "\"n.rhai\"".into())]);
        // Nobody looks there.
        assert_eq!(named("r/webhooks/h.rhai", "elsewhere/n.rhai"), []);
    }

    #[test]
    fn a_script_that_rules_name_keeps_a_name_that_they_can_say() {
        let text = "hook h(): int from \"h.rhai\"\nvalue v: int = h()\n";
        let a = analyse_texts(&[("game.rules", GAME), ("t.rules", text)]);
        for new in ["h.txt", "{h}.rhai", "\"h\".rhai", "h\\.rhai"] {
            assert!(rename_file(&a, "hooks/h.rhai", new).is_err(), "{new}");
        }
        assert!(rename_file(&a, "hooks/h.rhai", "hooks/höhe 2.rhai").is_ok());
    }
}
