//! Finds the declarations that only bots use (values that only a `heuristic` leads to). Coverage and mutation leave them out: no rule, test or random game depends on them.
//!
//! Names are looked at, not what they mean: a value whose name stands anywhere else is taken for a rule, so none is left out that is one.
use houserule_syntax::{NodeId, NodeKind, Parsed, TokenKind};
use std::collections::BTreeSet;
use std::ops::Range;

/// A declaration: its names, and whether rules can lead to it at all.
struct Item<'t> {
    file: usize,
    range: Range<usize>,
    kind: NodeKind,
    /// Its own name; none for what has none, or is no value.
    name: Option<&'t str>,
    words: BTreeSet<&'t str>,
}

/// Which declarations of some files only bots use, as ranges of bytes, file by file. What tests say does not count: a test makes no rule.
pub fn find_bot_only(files: &[(&str, &Parsed)]) -> Vec<Vec<Range<usize>>> {
    let mut items = Vec::new();
    for (file, (text, parsed)) in files.iter().enumerate() {
        items.extend(collect_items(file, text, parsed));
    }
    items.retain(|i| !matches!(i.kind, NodeKind::Test | NodeKind::Doc));
    // What is said outside heuristics and their helpers grows until nothing is added; what a heuristic leads to, too.
    let mut rules: BTreeSet<&str> = BTreeSet::new();
    let mut bots: BTreeSet<&str> = BTreeSet::new();
    loop {
        let before = (rules.len(), bots.len());
        for i in &items {
            let helper = i.name.is_some_and(|n| bots.contains(n) && !rules.contains(n));
            if i.kind == NodeKind::Heuristic || helper {
                bots.extend(i.words.iter().copied());
            }
        }
        if before.1 != bots.len() {
            continue;
        }
        for i in &items {
            let helper = i.name.is_some_and(|n| bots.contains(n) && !rules.contains(n));
            if i.kind != NodeKind::Heuristic && !helper {
                rules.extend(i.words.iter().copied());
            }
        }
        if before == (rules.len(), bots.len()) {
            break;
        }
    }
    let mut out = vec![Vec::new(); files.len()];
    for i in items {
        let helper = i.name.is_some_and(|n| bots.contains(n) && !rules.contains(n));
        if let (true, Some(all)) = (helper, out.get_mut(i.file)) {
            all.push(i.range);
        }
    }
    out
}

fn collect_items<'t>(file: usize, text: &'t str, parsed: &Parsed) -> Vec<Item<'t>> {
    let tree = &parsed.tree;
    let at_top = |id: &NodeId| tree.parent(*id).is_some_and(|p| is_holder(tree.kind(p)));
    // What a card modifies counts for itself: it may be what only bots use.
    let modifies = |id: &NodeId| {
        let first = tree.tokens_of(*id).first().and_then(|t| text.get(t.start as usize..t.end as usize));
        tree.kind(*id) == NodeKind::Attachment && first == Some("modify")
    };
    let carried: Vec<NodeId> = tree.nodes().filter(|id| !at_top(id) && modifies(id)).collect();
    let item = |id: NodeId| {
        let kind = tree.kind(id);
        let is_name = |k: TokenKind| matches!(k, TokenKind::Word | TokenKind::Kind);
        let within: Vec<Range<usize>> =
            carried.iter().filter(|x| **x != id).map(|x| tree.range(*x)).collect();
        let apart = |at: u32| within.iter().any(|r| r.contains(&(at as usize)));
        let own = !carried.contains(&id);
        let names = tree.tokens_of(id).iter().filter(|t| is_name(t.kind) && !(own && apart(t.start)));
        let mut words: Vec<&str> = names.filter_map(|t| text.get(t.start as usize..t.end as usize)).collect();
        // Its own head counts as no use of it, nor does that of what modifies it.
        let modifies = kind == NodeKind::Attachment && words.first() == Some(&"modify");
        let own = (kind == NodeKind::Value || modifies).then_some(1);
        let name = own.filter(|n| *n < words.len()).map(|n| words.remove(n));
        Item { file, range: tree.range(id), kind, name, words: words.into_iter().collect() }
    };
    // A variant holds declarations of its own: each counts for itself.
    let top = tree.nodes().filter(at_top).filter(|id| !has_items(parsed, *id));
    top.chain(carried.iter().copied()).map(item).collect()
}

fn is_holder(kind: NodeKind) -> bool {
    matches!(kind, NodeKind::File | NodeKind::Items)
}

fn has_items(parsed: &Parsed, id: NodeId) -> bool {
    use NodeKind as K;
    matches!(parsed.tree.kind(id), K::Variant | K::Mod | K::Part | K::Scenario)
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserule_text::FileId;

    fn found(texts: &[&str]) -> Vec<String> {
        let parsed: Vec<Parsed> = texts.iter().map(|t| houserule_syntax::parse(FileId(0), t)).collect();
        let files: Vec<(&str, &Parsed)> = texts.iter().copied().zip(&parsed).collect();
        let mut names = Vec::new();
        for (file, ranges) in find_bot_only(&files).iter().enumerate() {
            for r in ranges {
                let head = texts.get(file).and_then(|t| t.get(r.clone())).unwrap_or("");
                names.push(head.split([' ', '(']).nth(1).unwrap_or("").to_string());
            }
        }
        names
    }

    #[test]
    fn what_only_heuristics_lead_to_is_no_rule() {
        let bots = "heuristic h(p: player): int = far(p) + steps(p)\nvalue far(p: player): int = near(p) + 2\nvalue near(p: player): int = 3";
        let rules = "value steps(p: player): int = 3\nrule r() { say \"far\" }\naction go() in m { needs steps(me) > 2 }";
        assert_eq!(found(&[bots, rules]), ["far", "near"]);
        // A test makes no rule of it; a rule does, wherever it stands, and then of all that it leads to.
        assert_eq!(found(&[bots, rules, "test \"t\" { expect far(a) == 5 }"]), ["far", "near"]);
        assert_eq!(found(&[bots, rules, "variant v \"V\" { modify steps(p) += far(p) }"]), [""; 0]);
        // What modifies a value that only bots use is for bots, with all that it leads to.
        let scenario = "scenario s \"S\" for G { modify far(p) = wide(p)\n value wide(p: player): int = 4 }";
        assert_eq!(found(&[bots, rules, scenario]), ["far", "near", "far", "wide"]);
        assert_eq!(found(&[bots, rules, "rule s() { say \"{near(me)}\" }"]), ["far"]);
        // Also if a card does.
        let card = "card Q { }\nQ a \"A\" { modify far(p) = wide(p)\n after go() { steps(me) } }\nvalue wide(p: player): int = 4";
        assert_eq!(found(&[bots, rules, card]), ["far", "near", "wide", "far"]);
    }

    #[test]
    fn what_nobody_uses_is_looked_at_as_a_rule() {
        assert!(found(&["value idle(): int = 3", "test \"t\" { expect idle() == 3 }"]).is_empty());
    }
}
