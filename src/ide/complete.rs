//! Completion: lists what could be written at a cursor.
//!
//! A word that means nothing is put there and the game is checked again: wherever the checker would say *did you mean*, it knows every name that could
//! stand there, names bound in the body and parts of a thing behind its dot among them. The grammar tells which of its own words fit.
use super::{Analysis, Class, hover};
use houserule_model::Def;
use houserule_syntax::{self as syntax, Inside, NodeId, NodeKind, TokenKind, Tree, ast};
use houserule_text::{FileId, Span};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// One thing that could be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// The word.
    pub text: String,
    /// What it is.
    pub class: Class,
    /// What it is, in words, with its type.
    pub detail: String,
    /// The bytes that it replaces: the word at the cursor.
    pub range: Range<usize>,
}

/// What is put behind the unknown word, until the text around it can be read.
const BEHIND: &[&str] =
    &["", ")", " { }", ") { }", " = 1", ": 1", "]", "()", ": int", " for Nobody { }", " in nothing_at_all"];

/// What could be written at a cursor of a text, which may be newer than the analysis. Best first; only what goes with the beginning of the word before
/// the cursor.
pub fn complete(a: &Analysis, file: &str, text: &str, offset: usize) -> Vec<Item> {
    let Some((id, _)) = a.file(file) else { return Vec::new() };
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let Some((left, right)) = text.get(..offset).zip(text.get(offset..)) else { return Vec::new() };
    let start = offset - (left.len() - left.trim_end_matches(is_word).len());
    let end = offset + (right.len() - right.trim_start_matches(is_word).len());
    let typed = text.get(start..offset).unwrap_or("");
    if typed.starts_with(|c: char| c.is_ascii_digit()) {
        return Vec::new();
    }
    let word = if typed.starts_with(|c: char| c.is_ascii_uppercase()) { "Zz_here" } else { "zz_here" };
    let (before, behind) = (text.get(..start).unwrap_or(""), text.get(end..).unwrap_or(""));
    let Some((probe, tree)) = make_readable(id, before, word, behind, start) else { return Vec::new() };
    let kind = tree.token_at(start).and_then(|i| tree.tokens().get(i)).map(|t| t.kind);
    if !matches!(kind, Some(TokenKind::Word | TokenKind::Kind)) {
        return if kind == Some(TokenKind::Cell) { list_signs(a, start..end, typed) } else { Vec::new() };
    }
    let dotted = before.ends_with('.') && !before.ends_with("..");
    let texts: BTreeMap<Arc<str>, String> = [(Arc::from(file), probe)].into();
    let b = a.with_texts(&texts);
    let at = Span::new(id, start, start + word.len());
    let mut found: Vec<(u8, Item)> = Vec::new();
    let mut add = |rank: u8, text: &str, class: Class, detail: String| {
        let fits = |t: &str, p: &str| t.get(..p.len()).is_some_and(|h| h.eq_ignore_ascii_case(p));
        let near = match (fits(text, typed), text.to_lowercase().contains(&typed.to_lowercase())) {
            (true, _) => 0,
            (_, true) => 100,
            _ => return,
        };
        if text.starts_with(word) || found.iter().any(|(_, i)| i.text == text) {
            return;
        }
        let item = Item { text: text.to_string(), class, detail, range: start..end };
        found.push((rank + near, item));
    };
    let names = Names::new(&b, id, start);
    let could = b.uses.candidates_at(at);
    for name in could.unwrap_or_default() {
        match names.find_name(name, dotted) {
            Some(def) => {
                let (class, detail) = describe_declaration(&b, def);
                add(if class == Class::Local { 0 } else { 1 }, name, class, detail);
            }
            None => add(2, name, Class::Builtin, String::from("built in")),
        }
    }
    if !dotted {
        let (inside, from) = entry_around(&tree, start);
        let ahead = syntax::expected_behind(inside, before.get(from..).unwrap_or(""));
        if could.is_none() && (ahead.expression || ahead.ty) {
            for (name, def) in names.all() {
                let (class, detail) = describe_declaration(&b, def);
                if !ahead.ty || class == Class::Kind {
                    add(3, name, class, detail);
                }
            }
        }
        let rank = if ahead.entry { 0 } else { 4 };
        for w in &ahead.words {
            add(rank, w, Class::Keyword, super::words::describe_word(w).unwrap_or("").to_string());
        }
    }
    found.sort_by(|(r, x), (s, y)| (r, &x.text).cmp(&(s, &y.text)));
    found.into_iter().map(|(_, i)| i).collect()
}

/// The text with the unknown word in it and, behind it, whatever makes its entry readable; none of that if nothing does.
///
/// What makes it readable is sought in the declaration around the cursor alone, as far as lines tell where it begins and ends: a long file is read once and not once for each.
fn make_readable(id: FileId, before: &str, word: &str, behind: &str, start: usize) -> Option<(String, Tree)> {
    let own = before.get(declaration_start(before)..).unwrap_or(before);
    let rest = behind.get(..next_declaration(behind)).unwrap_or(behind);
    let fits = |more: &&&str| {
        let tree = syntax::parse(id, &format!("{own}{word}{more}{rest}")).tree;
        is_read(&tree, own.len())
    };
    let likely = BEHIND.iter().find(fits);
    let mut first = None;
    for more in likely.into_iter().chain(BEHIND) {
        let probe = format!("{before}{word}{more}{behind}");
        let tree = syntax::parse(id, &probe).tree;
        if is_read(&tree, start) {
            return Some((probe, tree));
        }
        first.get_or_insert((probe, tree));
        // Nothing of it would make a part of the text readable: nor does it the whole.
        if likely.is_none() {
            break;
        }
    }
    first
}

/// Whether the parser read what stands at an offset as part of an entry.
fn is_read(tree: &Tree, offset: usize) -> bool {
    let mut at = Some(tree.node_at(offset));
    while let Some(n) = at {
        if tree.kind(n) == NodeKind::Bad {
            return false;
        }
        at = tree.parent(n);
    }
    true
}

/// Where the declaration begins that a text ends in.
fn declaration_start(before: &str) -> usize {
    let mut end = before.len();
    while let Some(line) = before.get(..end).and_then(|t| t.rfind('\n')) {
        if before.get(line + 1..).is_some_and(syntax::is_declaration_start) {
            return line + 1;
        }
        end = line;
    }
    0
}

/// Where the next declaration begins behind what a text begins in.
fn next_declaration(behind: &str) -> usize {
    let mut at = 0;
    for line in behind.split_inclusive('\n') {
        if at > 0 && syntax::is_declaration_start(line) {
            return at;
        }
        at += line.len();
    }
    behind.len()
}

/// The sort of entry that holds an offset, and where it begins.
fn entry_around(tree: &Tree, offset: usize) -> (Inside, usize) {
    let mut at = tree.node_at(offset);
    let mut child: Option<NodeId> = None;
    loop {
        let of = tree.parent(at).map(|p| tree.kind(p));
        let inside = match tree.kind(at) {
            NodeKind::File | NodeKind::Items => Some(Inside::Items),
            NodeKind::Game => Some(Inside::Game),
            NodeKind::Block => Some(Inside::Block),
            NodeKind::Enum => Some(Inside::Enum),
            NodeKind::List => Some(Inside::List),
            NodeKind::Legend => Some(Inside::Legend),
            NodeKind::Body => Some(match of {
                Some(NodeKind::Menu) => Inside::Menu,
                Some(NodeKind::Score) => Inside::Lines,
                Some(NodeKind::Look) => Inside::Look,
                Some(NodeKind::Member | NodeKind::Row) => Inside::Member,
                _ => Inside::Kind,
            }),
            _ => None,
        };
        // An entry that begins at the word itself is about to be begun; a list's head is not a row.
        let within = |n: NodeId| tree.range(n).start < offset || matches!(tree.kind(n), NodeKind::File);
        match inside {
            Some(i) if within(at) && (child.is_some() || matches!(i, Inside::Items | Inside::Block)) => {
                let from = child.map_or(offset, |c| tree.range(c).start.min(offset));
                return (i, from);
            }
            _ => {}
        }
        child = Some(at);
        match tree.parent(at) {
            Some(p) => at = p,
            None => return (Inside::Items, child.map_or(offset, |c| tree.range(c).start.min(offset))),
        }
    }
}

/// Signs of the legends, for a drawn map.
fn list_signs(a: &Analysis, range: Range<usize>, typed: &str) -> Vec<Item> {
    let rows = a.model.maps.iter().flat_map(|m| &m.legend);
    let mut out: Vec<Item> = Vec::new();
    for r in rows.filter(|r| r.sign.starts_with(typed) && !r.sign.contains(' ')) {
        if out.iter().all(|i| i.text != *r.sign) {
            let detail = String::from("a sign of the legend");
            out.push(Item { text: r.sign.to_string(), class: Class::Sign, detail, range: range.clone() });
        }
    }
    out
}

/// What a declaration is, for the list.
fn describe_declaration(a: &Analysis, def: Def) -> (Class, String) {
    let (title, ty, _) = hover::describe_declaration(a, def);
    let detail = match ty {
        Some(ty) => format!("{title}: {ty}"),
        None => title,
    };
    (super::highlight::class_of(def, &a.model), detail)
}

/// Declared names.
struct Names<'a> {
    all: Vec<(&'a str, Def)>,
}

impl<'a> Names<'a> {
    /// All declarations, and the names bound in the declaration around an offset.
    fn new(a: &'a Analysis, id: FileId, offset: usize) -> Self {
        let items = a.asts.get(id.0 as usize).map_or(&[][..], |f| &f.items);
        let here = |i: &&ast::Item| i.span.start as usize <= offset && offset <= i.span.end as usize;
        let around = items.iter().find(here).map(|i| i.span);
        let mut all = Vec::new();
        for (at, def) in a.uses.all() {
            let own = match def {
                Def::Local(b) => {
                    b == at
                        && around.is_some_and(|s| s.file == at.file && s.start <= at.start && at.end <= s.end)
                }
                d => a.uses.place_of(*d, &a.model) == Some(*at),
            };
            if own {
                all.push((a.slice(*at), *def));
            }
        }
        Names { all }
    }

    fn all(&self) -> impl Iterator<Item = (&'a str, Def)> + '_ {
        self.all.iter().copied()
    }

    /// What a name that could stand there is; behind a dot, rather a part of something.
    fn find_name(&self, name: &str, dotted: bool) -> Option<Def> {
        let rank = |d: &Def| match d {
            Def::Attr(_) | Def::Zone(_) => u8::from(!dotted),
            Def::Value(_) | Def::Rule(_) => 2,
            Def::Local(_) => {
                if dotted {
                    9
                } else {
                    0
                }
            }
            _ => 3,
        };
        self.all.iter().filter(|(n, _)| *n == name).map(|(_, d)| *d).min_by_key(rank)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{analyse, split_marks};

    fn found(text: &str) -> Vec<Item> {
        let (a, at) = analyse(text);
        let (plain, ..) = split_marks(text);
        complete(&a, "t.rules", &plain, at)
    }

    /// The first items are these.
    fn check(text: &str, want: &[&str]) {
        let all = found(text);
        let first: Vec<&str> = all.iter().map(|i| i.text.as_str()).take(want.len()).collect();
        assert_eq!(first, want, "{text}: {:?}", all.iter().map(|i| &i.text).collect::<Vec<_>>());
    }

    fn none(text: &str) {
        assert_eq!(found(text), [], "{text}");
    }

    fn has(text: &str, want: &[&str], not: &[&str]) {
        let all = found(text);
        let is = |w: &&&str| all.iter().any(|i| i.text == ***w);
        assert!(want.iter().all(|w| is(&w)), "{text}: {:?}", all.iter().map(|i| &i.text).collect::<Vec<_>>());
        assert!(!not.iter().any(|w| is(&w)), "{text}: {:?}", all.iter().map(|i| &i.text).collect::<Vec<_>>());
    }

    const PLAYER: &str = "player { coins: 0..9 = 0; zone hand: Card }\ncard Card { cost: 0..9 = 0 }\ntable { wind: 0..9 = 1 }\n";

    #[test]
    fn names_in_scope() {
        check(&format!("{PLAYER}value w: int = wi$0"), &["wind"]);
        check(&format!("{PLAYER}value w(windy: int): int = wi$0"), &["windy", "wind"]);
        check(&format!("{PLAYER}rule r(p: player) {{ let cost_of = 3\n if co$0 }}"), &["cost_of"]);
        has(&format!("{PLAYER}rule r(p: player) {{ $0 }}"), &["let", "move", "if"], &["enum"]);
    }

    #[test]
    fn parts_behind_a_dot() {
        check(&format!("{PLAYER}value w(p: player): int = p.$0"), &["coins", "hand"]);
        check(&format!("{PLAYER}value w(p: player): int = p.co$0"), &["coins"]);
        has(
            &format!("{PLAYER}rule r(p: player) {{ for c in p.hand {{ if c.$0 }} }}"),
            &["cost", "holder"],
            &["coins", "wind"],
        );
        has(&format!("{PLAYER}rule r(p: player) {{ say \"{{p.$0}}\" }}"), &["coins"], &["wind"]);
        let all = found(&format!("{PLAYER}value w(p: player): int = p.co$0"));
        assert_eq!(all[0].detail, "attribute of player: a number 0..9");
        assert_eq!(all[0].class, Class::Attribute);
    }

    #[test]
    fn places_that_have_their_own_names() {
        check("menu act { done }\naction rest() in a$0 { }", &["act"]);
        has(
            "option long \"Long\": bool = no\nscenario s \"S\" for Tiny { lo$0 }",
            &["long", "look"],
            &["let"],
        );
        check("scenario calm \"C\" for Tiny { }\ntest \"t\" on ca$0 { }", &["calm"]);
        check("enum Colour { red }\ntable { c: Co$0 }", &["Colour"]);
        check("enum Colour { red, rose }\ntable { c: Colour = r$0 }", &["red", "rose"]);
        has("rule go() { stop }\nsetup { g$0 }", &["go", "give"], &["game"]);
        has("rule going() { stop }\nsetup { go$0 }", &["going"], &[]);
        has("phase night() { stop }\nsetup { end ni$0 }", &["night"], &[]);
        has(
            "card Card x3\nphase night() { has zone fallen: Card; has toll: 0..3 = 0; shuffle night.$0 }",
            &["fallen", "toll"],
            &[],
        );
    }

    #[test]
    fn where_lines_do_not_tell_what_they_are_part_of() {
        // Nothing is set in.
        check(
            &format!("{PLAYER}rule r(p: player) {{\nlet cost_of = 3\nif co$0\nsay \"so\"\n}}\n"),
            &["cost_of"],
        );
        check(&format!("{PLAYER}value w(windy: int): int =\nmin(wi$0\nrule s() {{ }}\n"), &["windy"]);
    }

    #[test]
    fn words_of_the_language() {
        has("ru$0", &["rule"], &["let"]);
        has("action go() in act wh$0 { }\nmenu act { done }", &["when"], &[]);
        has("enum A { b }\nmap M squ$0", &["squares"], &[]);
        has("menu act { do$0 }", &["done"], &[]);
        has("menu act { en$0 }", &["ends"], &[]);
    }

    #[test]
    fn nowhere_in_comments_texts_and_numbers() {
        none("# wi$0");
        none("setup { say \"wi$0\" }");
        none("value w: int = 12$0");
    }

    #[test]
    fn signs_in_drawn_maps() {
        check(
            "map B squares\nspace C on B { deep: bool = no }\nlegend { ~~: deep }\nscenario s \"S\" for Tiny { map B \"\"\"\n~$0\n\"\"\" }",
            &[],
        );
    }
}
