//! Whether every form of the grammar is played or refused: what parses and is neither would be silently left out.
use super::super::grammar::{Grammar, Rule};
use pest::Parser;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Forms of the grammar that are none of the language: what stands for a text that nothing matches, and what only lays a text out.
const LAYOUT: &[&str] = &[
    "bad_hole",
    "bad_item",
    "bad_part",
    "bad_row",
    "bad_stmt",
    "only_enum_row",
    "only_header",
    "only_hole",
    "only_item",
    "only_legend_row",
    "only_line",
    "only_list_row",
    "only_look_row",
    "only_member_part",
    "only_menu_part",
    "only_part",
    "only_stmt",
    "reserved",
    "stray",
];

/// Forms that no game uses because they are refused (E0190): a program with each, on the prelude `cards` of the book.
const REFUSED: &[(&[&str], &str)] = &[
    (&["branch_s", "either", "k_either"], "rule r() { either { my.coins += 1 } or { my.coins += 2 } }"),
    (&["end_s"], "phase market(): int { if yes { give 2 }; end market 3 }"),
    (&["from_expr"], "rule r(c: Card) { move c from deck to box }"),
    (&["given"], "card Back { back pips: 0..9 }\nBack one 3"),
    (&["h_order"], "game It \"It\" { players 2; outcome win; order by players }"),
    (&["k_bag"], "value goods(): bag of Card = []"),
    (&["k_graph"], "map Net graph"),
    (&["k_part", "part"], "part opening for Book { }"),
    (&["k_patch", "patch_d"], "patch Big of 2"),
    (&["k_pays", "pays"], "rule buy(c: Card) pays Card { }"),
    (&["k_prints", "prints"], "piece Big { prints { n: 0..1 = 0 } }"),
    (&["k_refill", "refill"], "table { zone supply: Card refill { } }"),
    (&["k_sorted", "sorted"], "table { zone supply: Card sorted by rank }"),
    (&["k_unlimited"], "table { zone supply: Card unlimited }"),
    (&["of_kind"], "map Land squares 3 by 3 of Card"),
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The names of the grammar's rules that leave something in the tree.
fn declared() -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    for file in std::fs::read_dir(root().join("grammar")).unwrap() {
        for line in std::fs::read_to_string(file.unwrap().path()).unwrap().lines() {
            let Some((name, body)) = line.split_once('=') else { continue };
            let (name, body) = (name.trim(), body.trim_start());
            let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            if is_name && body.starts_with(['{', '@', '$', '!']) {
                out.insert(name.to_string());
            }
        }
    }
    out
}

fn used(text: &str) -> BTreeSet<String> {
    match Grammar::parse(Rule::file, text) {
        Ok(pairs) => pairs.flatten().map(|p| format!("{:?}", p.as_rule())).collect(),
        Err(_) => BTreeSet::new(),
    }
}

fn files(folder: &Path, out: &mut Vec<PathBuf>) {
    let mut all: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    all.sort();
    for path in all {
        if path.is_dir() {
            files(&path, out);
        } else {
            out.push(path);
        }
    }
}

/// Texts of rules that are played: by their own tests, which other tests run, with their names.
fn played() -> Vec<(String, String)> {
    let mut all = Vec::new();
    for folder in ["tests/suite", "rules", "scenarios", "docs/book"] {
        files(&root().join(folder), &mut all);
    }
    let mut out = Vec::new();
    for path in all {
        let ending = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
        let name = path.strip_prefix(root()).unwrap().display().to_string();
        if ["suite/check", "suite/mistakes"].iter().any(|f| name.contains(f))
            || !["rules", "scenario", "md"].contains(&ending)
        {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        if ending != "md" {
            out.push((name, text));
            continue;
        }
        for block in text.split("```").skip(1).step_by(2).filter(|b| b.starts_with("rules")) {
            out.push((name.clone(), block.split_once('\n').map_or("", |(_, b)| b).to_string()));
        }
    }
    out
}

/// The codes of what the checker finds in a program, on the prelude `cards` unless it is a game of its own.
#[cfg(test)]
fn codes(text: &str) -> Vec<&'static str> {
    let prelude = std::fs::read_to_string(root().join("docs/book/preludes/cards.rules")).unwrap();
    let mut files = crate::text::Files::new();
    if !text.starts_with("game") {
        files.add(crate::text::File::new("cards.rules", prelude));
    }
    files.add(crate::text::File::new("it.rules", text.to_string()));
    crate::model::check(&files).report.findings.iter().map(|d| d.code.0).collect()
}

#[test]
fn every_form_is_played_or_refused() {
    let mut by: BTreeMap<String, String> = BTreeMap::new();
    for (name, text) in played() {
        for form in used(&text) {
            by.entry(form).or_insert_with(|| name.clone());
        }
    }
    let mut wrong = Vec::new();
    for form in declared().iter().filter(|f| !LAYOUT.contains(&f.as_str())) {
        let refused = REFUSED.iter().find(|(forms, _)| forms.contains(&form.as_str()));
        match (by.get(form), refused) {
            (None, None) => {
                wrong.push(format!("`{form}` is used by no game that is played, and is not refused"))
            }
            (Some(game), Some(_)) => {
                wrong.push(format!("`{form}` is played in {game} and is said to be refused"))
            }
            (Some(_), None) => {}
            (None, Some((_, text))) => {
                let found = codes(text);
                if !used(text).contains(form) || !found.contains(&"E0190") {
                    wrong.push(format!("`{form}` is not refused: {found:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} forms:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_word_stands_in_the_book() {
    let page = std::fs::read_to_string(root().join("docs/book/reference/words.md")).unwrap();
    let mut listed = BTreeSet::new();
    for cell in page.lines().filter_map(|l| l.strip_prefix('|')?.split('|').next()) {
        for word in cell.split('`').skip(1).step_by(2) {
            listed.extend(word.split(|c: char| !c.is_ascii_alphanumeric()).map(String::from));
        }
    }
    let grammar = std::fs::read_to_string(root().join("grammar/words.pest")).unwrap();
    let words = grammar.lines().filter(|l| l.starts_with("k_")).filter_map(|l| l.split('"').nth(1));
    let missing: Vec<&str> = words.filter(|w| !listed.contains(*w)).collect();
    assert!(missing.is_empty(), "words.md does not list {}", missing.join(", "));
}
