//! How various the cards of Discover are: at most three do the same, up to names and numbers. Read off the trees of its files.
use crate::support::{files_in, game, root};
use houserule::syntax::{self, Child, NodeId, NodeKind, Tree};
use houserule::text::FileId;
use std::collections::{BTreeMap, BTreeSet};

/// What a card does, with its title, texts, numbers and the words of cards and enums taken out.
struct Effects<'t> {
    text: &'t str,
    tree: &'t Tree,
    words: &'t BTreeSet<String>,
    found: Vec<(String, String)>,
}

impl Effects<'_> {
    fn visit(&mut self, id: NodeId) {
        let nodes: Vec<NodeId> = self.tree.children(id).into_iter().filter_map(node).collect();
        match self.tree.kind(id) {
            NodeKind::Member => {
                let mut effect = String::new();
                self.collect(id, false, &mut effect);
                let range = self.tree.range(id);
                let line = self.text[range].lines().next().unwrap_or("").to_string();
                if !effect.is_empty() {
                    self.found.push((effect, line));
                }
            }
            NodeKind::Test => {}
            _ => nodes.into_iter().for_each(|n| self.visit(n)),
        }
    }

    /// Adds what stands in the parts of a card that act.
    fn collect(&self, id: NodeId, acts: bool, out: &mut String) {
        let kind = self.tree.kind(id);
        if kind == NodeKind::Text {
            return;
        }
        let acts = acts || matches!(kind, NodeKind::Fill | NodeKind::Attachment | NodeKind::Action);
        for kid in self.tree.children(id) {
            match kid {
                Child::Node(n) => self.collect(n, acts, out),
                Child::Token(t) if acts => {
                    let Some(token) = self.tree.tokens().get(t) else { continue };
                    let word = self.text[token.start as usize..token.end as usize].trim();
                    let named = word.starts_with(|c: char| c.is_ascii_digit()) || self.words.contains(word);
                    out.push_str(if named { "_" } else { word });
                    out.push(' ');
                }
                Child::Token(_) => {}
            }
        }
    }
}

fn node(kid: Child) -> Option<NodeId> {
    match kid {
        Child::Node(n) => Some(n),
        Child::Token(_) => None,
    }
}

#[test]
fn at_most_three_cards_do_the_same() {
    let game = game("discover");
    let words: BTreeSet<String> = game.model().members.iter().map(|m| m.name.to_string()).collect();
    let mut alike: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for folder in ["rules/discover", "scenarios/discover"] {
        for path in files_in(&root().join(folder)) {
            let text = std::fs::read_to_string(&path).expect("a file");
            let parsed = syntax::parse(FileId(0), &text);
            let mut effects = Effects { text: &text, tree: &parsed.tree, words: &words, found: Vec::new() };
            effects.visit(parsed.tree.root());
            for (effect, line) in effects.found {
                alike.entry(effect).or_default().push(line);
            }
        }
    }
    let cards: usize = alike.values().map(Vec::len).sum();
    assert!(cards > 150, "only {cards} cards that do something were found");
    let many: Vec<_> = alike.iter().filter(|(_, all)| all.len() > 3).collect();
    assert!(many.is_empty(), "{many:#?}");
}
