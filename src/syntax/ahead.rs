//! Lists what the grammar accepts next at a cursor. Completion in the editor asks this.
use super::build::STMT_HEADS;
use super::expected::{self, words_for};
use super::explain::{ITEM_HEADS, PART_HEADS, furthest_match};
use super::grammar::Rule;

/// What sort of entry is being written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Inside {
    /// A declaration of a file, a variant, a scenario.
    Items,
    /// A line of a game's head.
    Game,
    /// An entry of a kind, the player or the table.
    Kind,
    /// An entry of a member.
    Member,
    /// An entry of a menu.
    Menu,
    /// A row of an enum.
    Enum,
    /// A row of a list.
    List,
    /// A row of a legend.
    Legend,
    /// A line of a score.
    Lines,
    /// A row of a look.
    Look,
    /// A statement.
    Block,
}

/// What may come next.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ahead {
    /// Words of the language.
    pub words: Vec<String>,
    /// An expression may begin.
    pub expression: bool,
    /// A type may begin.
    pub ty: bool,
    /// A name of the writer's own, or one that is declared.
    pub name: bool,
    /// An entry may begin here.
    pub entry: bool,
}

/// Words that begin an expression.
const BEGIN: &[&str] = &[
    "if", "case", "choose", "first", "last", "the", "this", "me", "my", "it", "can", "no", "none", "owner",
    "yes", "any", "not", "position", "usual",
];

/// Words that stand between two expressions.
const BETWEEN: &[&str] = &["and", "or", "in", "is", "where", "default", "step", "mod"];

/// What may come behind the beginning of an entry; `before` is that beginning, without the word that is being written.
pub fn expected_behind(inside: Inside, before: &str) -> Ahead {
    let (rule, heads) = match inside {
        Inside::Items => (Rule::only_item, ITEM_HEADS),
        Inside::Game => (Rule::only_header, &ITEM_HEADS[ITEM_HEADS.len() - 5..]),
        Inside::Kind => (Rule::only_part, PART_HEADS),
        Inside::Member => (Rule::only_member_part, PART_HEADS),
        Inside::Menu => (Rule::only_menu_part, PART_HEADS),
        Inside::Enum => (Rule::only_enum_row, &[][..]),
        Inside::List => (Rule::only_list_row, &[][..]),
        Inside::Legend => (Rule::only_legend_row, &[][..]),
        Inside::Lines => (Rule::only_line, &[][..]),
        Inside::Look => (Rule::only_look_row, &[][..]),
        Inside::Block => (Rule::only_stmt, STMT_HEADS),
    };
    let mut out = Ahead::default();
    if before.trim().is_empty() {
        out.entry = true;
        out.name = true;
        // Only those with which this sort of entry can begin.
        let can = |(_, r): &&(&'static str, Rule)| match inside {
            Inside::Menu => {
                !matches!(r, Rule::zone | Rule::faces | Rule::header | Rule::prints | Rule::discards)
            }
            Inside::Kind | Inside::Member => *r != Rule::header,
            _ => true,
        };
        out.words = heads.iter().filter(can).map(|(w, _)| w.to_string()).collect();
        if inside == Inside::Game {
            out.words.push(String::from("score"));
        }
        return out;
    }
    if let Some((within, rest)) = innermost_open(inside, before) {
        return expected_behind(within, rest);
    }
    // A sign that nothing takes: what may follow is expected there even where nothing must.
    let stopped = format!("{before}\u{1}");
    let Some((pos, mut rules)) = furthest_match(rule, &stopped) else { return out };
    if pos < before.trim_end().len() {
        return out;
    }
    // The entry's own form knows more than all forms together.
    let head = before.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or("");
    if let Some((_, own)) = heads.iter().find(|(w, _)| *w == head)
        && let Some((far, more)) = furthest_match(*own, &stopped)
        && far >= pos
    {
        rules.extend(more);
    }
    for r in rules {
        let said = words_for(r);
        match said.as_str() {
            "an expression" => out.expression = true,
            "a type" => out.ty = true,
            "a name" | "a name with a capital letter" => out.name = true,
            "a statement" => {
                out.entry = true;
                out.name = true;
                out.words.extend(STMT_HEADS.iter().map(|(w, _)| w.to_string()));
            }
            "a declaration" => {
                out.entry = true;
                out.words.extend(ITEM_HEADS.iter().map(|(w, _)| w.to_string()));
            }
            "an amount" => {
                out.expression = true;
                out.words.extend(["one", "any", "some", "up to"].map(String::from));
            }
            _ if expected::is_operator(r) => out.words.extend(BETWEEN.iter().map(|w| w.to_string())),
            _ => out.words.extend(
                said.split('`')
                    .skip(1)
                    .step_by(2)
                    .filter(|w| w.starts_with(|c: char| c.is_ascii_lowercase()))
                    .map(String::from),
            ),
        }
    }
    if out.expression {
        out.words.extend(BEGIN.iter().map(|w| w.to_string()));
    }
    if out.ty {
        out.words.extend(
            ["int", "bool", "text", "player", "place", "set of", "list of", "filter of", "face of"]
                .map(String::from),
        );
    }
    out.words.sort();
    out.words.dedup();
    out
}

/// Where a bracket is open: what stands in it, and the entry there that is being written. A bad entry would swallow it whole.
fn innermost_open(inside: Inside, before: &str) -> Option<(Inside, &str)> {
    let mut open = Vec::new();
    let (mut text, mut remark, mut escaped) = (false, false, false);
    for (i, c) in before.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\n' => (text, remark) = (false, false),
            _ if remark => {}
            '\\' if text => escaped = true,
            '"' => text = !text,
            '#' if !text => remark = true,
            '{' if !text => open.push(i + 1),
            '}' if !text => drop(open.pop()),
            _ => {}
        }
    }
    let from = *open.last()?;
    let head = before.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or("");
    let within = match (inside, head) {
        (Inside::Items, "game") => Inside::Game,
        (Inside::Items, "enum") => Inside::Enum,
        (Inside::Items, "card" | "token" | "piece" | "die" | "player" | "table" | "space" | "change")
            if open.len() == 1 =>
        {
            Inside::Kind
        }
        (Inside::Items, "menu") => Inside::Menu,
        (Inside::Items, "list") if open.len() == 1 => Inside::List,
        (Inside::Items, "legend") => Inside::Legend,
        (Inside::Items, "score" | "ranking") => Inside::Lines,
        (Inside::Items, "look") => Inside::Look,
        (Inside::Items, "variant" | "scenario" | "mod" | "part") if open.len() == 1 => Inside::Items,
        _ => Inside::Block,
    };
    let rest = before.get(from..)?;
    let entry = rest.rfind(['\n', ';', '}']).map_or(rest, |i| rest.get(i + 1..).unwrap_or(""));
    Some((within, entry.trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(inside: Inside, before: &str, has: &[&str], not: &[&str]) {
        let a = expected_behind(inside, before);
        for w in has {
            assert!(a.words.iter().any(|x| x == w), "{before}: no {w} in {a:?}");
        }
        for w in not {
            assert!(a.words.iter().all(|x| x != w), "{before}: {w} in {a:?}");
        }
    }

    #[test]
    fn words_that_fit_are_named() {
        check(Inside::Items, "", &["rule", "enum", "scenario"], &["let"]);
        check(Inside::Block, "", &["let", "move", "if"], &["enum"]);
        check(Inside::Block, "move x ", &["to", "from", "under"], &["let"]);
        check(Inside::Block, "let x = ", &["if", "choose", "first"], &["let"]);
        check(Inside::Block, "if a ", &["and", "is"], &["let"]);
        check(Inside::Block, "if a { ", &["let", "move"], &["enum"]);
        check(Inside::Items, "action go() ", &["in"], &["when"]);
        check(Inside::Items, "action go() in act ", &["when", "once", "cost"], &[]);
        check(Inside::Items, "value n: ", &["int", "bool"], &["if"]);
        check(Inside::Items, "map M ", &["squares", "hexes"], &[]);
        check(Inside::Menu, "", &["done", "pass"], &["zone"]);
        check(Inside::Kind, "", &["zone", "value"], &[]);
    }
}
