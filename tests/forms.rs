//! Whether a part of the language that can be left out makes a difference: one that parses and changes nothing would not be played.
//!
//! Such a part is taken out of a text, `seen by owner` out of `zone hand: Card seen by owner`, say. Where the rest is a game without errors, one of the game's tests must fail.
//! For each part one such place is enough.
use crate::support::{files_in, root};
use houserule::lab::testing;
use houserule::play::Game;
use houserule::syntax::forms;
use houserule::text::{File, Files};
use std::ops::Range;

/// Parts that can be left out, with the form in which they stand, by their names in the grammar.
const PARTS: &[(&str, &str)] = &[
    ("action", "costs"),
    ("action", "once"),
    ("action", "when"),
    ("attr", "k_clamped"),
    ("attr", "per"),
    ("component", "copies"),
    ("component", "is_kind"),
    ("component", "of_player"),
    ("everyone", "from_post"),
    ("everyone", "of_expr"),
    ("everyone", "round_until"),
    ("everyone", "until_all"),
    ("around", "limit"),
    ("around", "may"),
    ("forbid", "limit"),
    ("forbid", "reason"),
    ("modify", "limit"),
    ("header", "h_begins"),
    ("header", "h_ends"),
    ("kind_part", "discards"),
    ("kind_part", "out_when"),
    ("item", "ending"),
    ("menu_part", "ending_of"),
    ("menu_part", "must"),
    ("menu_part", "needs"),
    ("menu_part", "no_dead_ends"),
    ("menu_part", "open"),
    ("menu_part", "pass"),
    ("done", "reason"),
    ("done", "when"),
    ("pass", "when"),
    ("open", "reason"),
    ("once", "per"),
    ("param", "type_where"),
    ("round", "k_once"),
    ("round", "round_until"),
    ("zone", "active"),
    ("zone", "seen"),
];

/// Texts with tests of their own, small ones first: with what they stand on.
fn played() -> Vec<(Option<String>, String)> {
    let prelude =
        |name: &str| std::fs::read_to_string(root().join(format!("docs/book/preludes/{name}.rules"))).ok();
    let mut out = Vec::new();
    for path in ["tests/suite", "docs/book"].iter().flat_map(|f| files_in(&root().join(f))) {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        if path.extension().is_some_and(|e| e == "rules") {
            out.push((None, text));
        } else if path.starts_with(root().join("docs")) {
            for block in text.split("```").skip(1).step_by(2).filter(|b| b.starts_with("rules")) {
                let (head, text) = block.split_once('\n').unwrap_or((block, ""));
                out.push((head.strip_prefix("rules ").and_then(prelude), text.to_string()));
            }
        }
    }
    out.retain(|(_, t)| t.len() < 7_000 && t.contains("test \""));
    out.sort_by_key(|(_, t)| t.len());
    out
}

/// How many tests of a game hold and how many fail; none if it is no game.
fn results(head: Option<&str>, text: &str) -> Option<(usize, usize)> {
    let mut files = Files::new();
    if let Some(head) = head {
        files.add(File::new("prelude.rules", head));
    }
    files.add(File::new("it.rules", text));
    let game = Game::load(&files).ok()?;
    let all = testing::run(&game, None);
    let failed = all.iter().filter(|r| r.failure.is_some()).count();
    Some((all.len() - failed, failed))
}

#[test]
fn what_can_be_left_out_makes_a_difference() {
    let texts = played();
    let mut places: Vec<Vec<(usize, Range<usize>)>> = vec![Vec::new(); PARTS.len()];
    for (i, (_, text)) in texts.iter().enumerate() {
        for (outer, form, range) in forms(text) {
            if let Some(k) = PARTS.iter().position(|p| *p == (&*outer, &*form)) {
                places[k].push((i, range));
            }
        }
    }
    let mut without = Vec::new();
    for (part, all) in PARTS.iter().zip(&places) {
        let makes_a_difference = all.iter().any(|(i, range)| {
            let (head, text) = &texts[*i];
            let rest = format!("{}{}", &text[..range.start], &text[range.end..]);
            // Both are tried alone: another test of the text may fail of itself.
            !forms(&rest).is_empty()
                && results(head.as_deref(), &rest).is_some_and(|(_, failed)| failed > 0)
                && results(head.as_deref(), text).is_some_and(|(_, failed)| failed == 0)
        });
        if !makes_a_difference {
            without.push(format!("{} in {} ({} places)", part.1, part.0, all.len()));
        }
    }
    assert!(without.is_empty(), "left out, these are missed by no test:\n{}", without.join("\n"));
}
