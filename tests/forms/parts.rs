//! The parts of the grammar that a writer may leave out or exchange: optional ones, repeated ones, and alternatives.
use super::grammar::{Grammar, Matched, Node, NodeId};
use std::collections::BTreeMap;

/// What can be done with a part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort {
    /// It may be absent.
    Optional,
    /// One of several, each a form of its own.
    Alternative,
    /// Two words of which one stands: they are exchanged.
    Words,
}

/// A part of the grammar.
#[derive(Clone, Debug)]
pub struct Part {
    /// `zone: seen`, `round: round_until?`, `component: card <> die`; with ` in …` where it counts apart in several declarations.
    pub name: String,
    pub sort: Sort,
    /// What matches it.
    pub nodes: Vec<NodeId>,
    /// The other alternatives.
    pub others: Vec<NodeId>,
    /// The two words.
    pub words: Option<(String, String)>,
    /// The declaration around it.
    pub inside: Option<&'static str>,
}

/// Rules that spell a single token, and one that only looks ahead: nothing of them has a meaning of its own. Neither have the rules of `layout.pest` and `words.pest`.
const TOKENS: &[&str] = &[
    "idc",
    "kind",
    "word",
    "name",
    "int",
    "text",
    "chars",
    "hole",
    "bad_hole",
    "picture",
    "eq",
    "dot",
    "dots",
    "minus",
    "l_brace",
    "r_brace",
    "l_paren",
    "r_paren",
    "l_square",
    "r_square",
    "comma",
    "colon",
    "bar",
    "sign",
    "copy_sign",
    "made_of",
    "bom",
];

/// Rules whose parts count apart in each of several declarations: what is played of a player need not be of a space.
const APART: &[(&[&str], &[&str])] = &[
    (&["good_part", "attr", "zone", "side_attr"], &["component", "player_d", "table_d", "space_d"]),
    (&["param"], &["value", "rule_d", "action", "menu"]),
    (&["good_member_part"], &["member", "player_m"]),
    (&["limit", "limit_by", "limit_during", "once"], &["modify", "around", "forbid"]),
];

fn is_layout(g: &Grammar, rule: &str) -> bool {
    let file = g.rules().find(|(n, ..)| *n == rule).map(|(_, _, file)| file);
    let says = ["kind", "word", "name", "int", "text", "picture", "dots"].contains(&rule);
    !says && (file == Some("layout.pest") || TOKENS.contains(&rule))
}

/// Whether a node says nothing: white space, brackets and commas, looks ahead, recovery.
fn is_silent(g: &Grammar, id: NodeId) -> bool {
    match g.node(id) {
        Node::Ahead(_) | Node::NotAhead(_) => true,
        Node::Call(name) => {
            is_layout(g, name)
                || name == "EOI"
                || name == "SOI"
                || name.starts_with("bad_")
                || name == "stray"
        }
        Node::Sequence(all) | Node::Choice(all) => all.iter().all(|n| is_silent(g, *n)),
        Node::Optional(n) | Node::Repeat(n, _) => is_silent(g, *n),
        Node::Text(_) | Node::Range(..) => false,
    }
}

/// A node as its part is called, without layout.
fn shown(g: &Grammar, id: NodeId) -> String {
    match g.node(id) {
        Node::Text(t) => format!("{t:?}"),
        Node::Range(a, b) => format!("{a}..{b}"),
        Node::Call(name) => name.strip_prefix("k_").unwrap_or(name).to_string(),
        Node::Sequence(all) => {
            let all: Vec<String> = all.iter().filter(|n| !is_silent(g, **n)).map(|n| shown(g, *n)).collect();
            all.join(" ")
        }
        Node::Choice(all) => {
            let all: Vec<String> = all.iter().filter(|n| !is_silent(g, **n)).map(|n| shown(g, *n)).collect();
            format!("({})", all.join("/"))
        }
        Node::Optional(n) => format!("{}?", bracketed(g, *n)),
        Node::Repeat(n, 0) => format!("{}*", bracketed(g, *n)),
        Node::Repeat(n, _) => format!("{}+", bracketed(g, *n)),
        Node::Ahead(_) | Node::NotAhead(_) => String::new(),
    }
}

fn bracketed(g: &Grammar, id: NodeId) -> String {
    let text = shown(g, id);
    if text.contains(' ') && !text.starts_with('(') { format!("({text})") } else { text }
}

/// The alternatives of a choice; those that are only found by their first letter stand in the choice within.
fn alternatives(g: &Grammar, id: NodeId, out: &mut Vec<NodeId>) {
    match g.node(id) {
        Node::Choice(all) => all.iter().for_each(|n| alternatives(g, *n, out)),
        Node::Sequence(all) => {
            let said: Vec<NodeId> = all.iter().copied().filter(|n| !is_silent(g, *n)).collect();
            match said[..] {
                [one] if matches!(g.node(one), Node::Choice(_)) => alternatives(g, one, out),
                [] => {}
                _ => out.push(id),
            }
        }
        _ if is_silent(g, id) => {}
        _ => out.push(id),
    }
}

/// The word or sign that a node is, if it is one.
fn word(g: &Grammar, id: NodeId) -> Option<String> {
    match g.node(id) {
        Node::Text(t) => Some(t.clone()),
        Node::Call(name) if name.starts_with("k_") => {
            let Node::Sequence(all) = g.node(g.body(name)?) else { return None };
            word(g, all[0])
        }
        _ => None,
    }
}

/// All parts, in the order of the rules' names.
pub fn parts(g: &Grammar) -> Vec<Part> {
    let mut out = Vec::new();
    for (rule, body, file) in g.rules() {
        if matches!(file, "layout.pest" | "words.pest") || TOKENS.contains(&rule) {
            continue;
        }
        collect(g, rule, body, &mut out);
    }
    // Several parts of a rule with one name are numbered.
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for p in &mut out {
        let n = seen.entry(p.name.clone()).or_default();
        *n += 1;
        if *n > 1 {
            p.name = format!("{} #{n}", p.name);
        }
    }
    let mut apart = Vec::new();
    for p in out {
        let rule = p.name.split(':').next().unwrap_or_default();
        match APART.iter().find(|(rules, _)| rules.contains(&rule)) {
            Some((_, places)) => apart.extend(places.iter().map(|i| Part {
                name: format!("{} in {i}", p.name),
                inside: Some(i),
                ..p.clone()
            })),
            None => apart.push(p),
        }
    }
    apart
}

fn collect(g: &Grammar, rule: &str, id: NodeId, out: &mut Vec<Part>) {
    let part = |name: String, sort, nodes, others, words| Part {
        name: format!("{rule}: {name}"),
        sort,
        nodes,
        others,
        words,
        inside: None,
    };
    match g.node(id) {
        Node::Optional(n) => {
            if !is_silent(g, id) {
                out.push(part(shown(g, id), Sort::Optional, vec![id], Vec::new(), None));
            }
            collect(g, rule, *n, out);
        }
        Node::Repeat(n, _) => {
            if !is_silent(g, id) {
                out.push(part(shown(g, id), Sort::Optional, vec![id], Vec::new(), None));
            }
            collect(g, rule, *n, out);
        }
        Node::Sequence(all) => all.iter().for_each(|n| collect(g, rule, *n, out)),
        Node::Choice(_) => {
            let mut alone = Vec::new();
            alternatives(g, id, &mut alone);
            let words: Vec<(NodeId, String)> =
                alone.iter().filter_map(|n| Some((*n, word(g, *n)?))).collect();
            for (i, (a, x)) in words.iter().enumerate().filter(|_| words.len() > 1) {
                for (b, y) in &words[i + 1..] {
                    let name = format!("{} <> {}", shown(g, *a), shown(g, *b));
                    let both = Some((x.clone(), y.clone()));
                    out.push(part(name, Sort::Words, vec![*a, *b], Vec::new(), both));
                }
            }
            let is_word = |n: &NodeId| words.len() > 1 && words.iter().any(|(w, _)| w == n);
            // What is found by several first letters is one form.
            let mut forms: BTreeMap<String, Vec<NodeId>> = BTreeMap::new();
            for n in alone.iter().filter(|n| alone.len() > 1 && !is_word(n)) {
                forms.entry(shown(g, *n)).or_default().push(*n);
            }
            for (name, nodes) in forms {
                let others = alone.iter().copied().filter(|o| !nodes.contains(o)).collect();
                out.push(part(format!("= {name}"), Sort::Alternative, nodes, others, None));
            }
            alone.iter().for_each(|n| collect(g, rule, *n, out));
        }
        Node::Ahead(_) | Node::NotAhead(_) | Node::Text(_) | Node::Range(..) | Node::Call(_) => {}
    }
}

/// The places of a part in a text.
pub fn places(g: &Grammar, part: &Part, all: &[Matched]) -> Vec<Matched> {
    let inside = |m: &Matched| {
        let Some(rule) = part.inside else { return true };
        let apart = APART.iter().find(|(_, i)| i.contains(&rule)).map_or(&[][..], |(_, i)| *i);
        let around = |body: NodeId| {
            all.iter()
                .filter(|o| o.node == body && o.start <= m.start && m.end <= o.end)
                .map(|o| o.end - o.start)
                .min()
        };
        let size = |r: &str| g.body(r).and_then(around);
        size(rule).is_some_and(|own| apart.iter().all(|r| size(r).is_none_or(|s| own <= s)))
    };
    let mut out: Vec<Matched> = all
        .iter()
        .filter(|m| part.nodes.contains(&m.node) && m.start < m.end)
        .filter(|m| inside(m))
        .copied()
        .collect();
    out.sort_by_key(|m| (m.start, m.end));
    out.dedup_by_key(|m| (m.start, m.end));
    out
}
