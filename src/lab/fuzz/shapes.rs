//! Generates rules of extreme shapes (deep, wide, long, wrong in many places) of a wanted size. `houserule fuzz shapes` measures how long they take to check.
//!
//! ```text
//! shape `sum` of 50 bytes:   game G "G" { players 2; outcome win }
//!                            value x: int = 1 + 1 + 1
//! ```
use std::fmt::Write;

/// A shape of rules.
#[derive(Clone, Copy)]
pub struct Shape {
    /// Its name.
    pub name: &'static str,
    /// The codes of the errors that it may have besides [`LIMITS`]; others are faults.
    pub errors: &'static [&'static str],
    /// Its text, of about so many bytes.
    make: fn(usize) -> String,
}

/// The codes of findings that say a limit.
pub const LIMITS: &[&str] =
    &["E0106", "E0107", "E0603", "E0910", "E0911", "E0912", "E0913", "E0914", "E0915", "E0659"];

impl Shape {
    /// Whether it may have an error of that code.
    pub fn may_have(&self, code: &str) -> bool {
        self.errors.contains(&code) || LIMITS.contains(&code)
    }

    /// The text of about so many bytes.
    pub fn make_text(&self, bytes: usize) -> String {
        (self.make)(bytes)
    }
}

/// What most shapes begin with.
const HEAD: &str = "game G \"G\" { players 2; outcome win }\n";

/// A board, for shapes that need spaces.
const BOARD: &str = "map M squares 4 by 4\nspace Cell on M { n: 0..9 = 0 }\n";

/// A menu that is offered, for shapes that need actions.
const MENU: &str = "menu m { pass }\nround 3 times { everyone in turn { offer m } }\n";

/// `before`, then pieces until the text is so long, then `behind`.
fn fill_with(bytes: usize, before: &str, piece: impl Fn(usize) -> String, behind: &str) -> String {
    let mut text = format!("{HEAD}{before}");
    let most = bytes.saturating_sub(behind.len());
    for i in 0.. {
        let next = piece(i);
        if text.len() + next.len() > most {
            break;
        }
        text.push_str(&next);
    }
    text + behind
}

/// Repeats a piece until the text is so long.
fn repeat_piece(bytes: usize, before: &str, piece: &str, behind: &str) -> String {
    fill_with(bytes, before, |_| String::from(piece), behind)
}

/// As many of `open` as of `close`, around `within`.
fn nest(bytes: usize, before: &str, (open, within, close): (&str, &str, &str), behind: &str) -> String {
    let room = bytes.saturating_sub(HEAD.len() + before.len() + behind.len());
    let n = room / (open.len() + close.len());
    format!("{HEAD}{before}{}{within}{}{behind}", open.repeat(n), close.repeat(n))
}

/// The number of the declaration before this one.
fn previous_number(i: usize) -> usize {
    i.saturating_sub(1)
}

/// `V0 = 1`, and every further declaration as `next` makes it from the number before and its own.
fn chain_declarations(
    bytes: usize,
    before: &str,
    first: &str,
    next: impl Fn(usize, usize) -> String,
) -> String {
    fill_with(bytes, before, |i| if i == 0 { String::from(first) } else { next(previous_number(i), i) }, "")
}

macro_rules! shapes {
    ($($name:literal $errors:tt $make:expr;)*) => {
        /// All shapes.
        pub const SHAPES: &[Shape] = &[$(Shape { name: $name, errors: &$errors, make: $make }),*];
    };
}

shapes! {
    // Names that nothing has.
    "unknown-names" ["E0250"] |n| fill_with(n, "", |i| format!("value x{i}: int = y{i}\n"), "");
    "unknown-names-alike" ["E0250"] |n| fill_with(n, "", |i| format!("value xvalue{i}: int = yvalue{i}\n"), "");
    "unknown-kinds" ["E0204"] |n| fill_with(n, "", |i| format!("value x{i}: Kind{i}? = none\n"), "");
    "unknown-members" ["E0250"] |n| fill_with(n, "enum Hue { red }\n", |i| format!("value x{i}: Hue = re{i}\n"), "");
    "unknown-fields" ["E0251"] |n| fill_with(n, BOARD, |i| format!("value x{i}(c: Cell): int = c.n{i}\n"), "");
    "unknown-rules" ["E0253"] |n| fill_with(n, "setup {\n", |i| format!("call{i}()\n"), "}\n");
    "unknown-heads" ["E0701"] |n| fill_with(n, "", |i| format!("before call{i}() {{ stop }}\n"), "");
    "unknown-menus" ["E0255", "E0259"] |n| fill_with(n, "setup {\n", |i| format!("offer menu{i}\n"), "}\n");
    "unknown-variants" ["E0250"] |n| fill_with(n, "", |i| format!("test \"t{i}\" with v{i} {{ expect yes }}\n"), "");
    "unknown-scenarios" ["E0214"] |n| fill_with(n, "", |i| format!("test \"t{i}\" on s{i} {{ expect yes }}\n"), "");
    "unknown-parts" ["E0250"] |n| fill_with(n, "scenario s \"S\" for G with p", |i| format!(" or p{i}"), " { }\n");
    "unknown-options" ["E0208"] |n| fill_with(n, "scenario s \"S\" for G {\n", |i| format!("o{i} = 1\n"), "}\n");
    "unknown-removed" ["E0210"] |n| fill_with(n, "variant v \"V\" { remove a", |i| format!(", r{i}"), " }\n");
    "unknown-scripts" ["E0901"] |n| fill_with(n, "", |i| format!("hook h{i}(n: int): int from \"h{i}.rhai\"\n"), "");
    // Many errors.
    "errors-on-a-line" ["E0250"] |n| repeat_piece(n, "value x: int = sum([zzz", ", zzz", "])\n");
    "statements-on-a-line" ["E0253"] |n| repeat_piece(n, "rule r() { ", "zzz(); ", "}\n");
    "wrong-types" ["E0301"] |n| fill_with(n, "", |i| format!("value x{i}: int = yes\n"), "");
    "wrong-types-on-a-line" ["E0303"] |n| repeat_piece(n, "rule r() { ", "let a = 1 + yes; ", "}\n");
    "twice-the-same" ["E0202"] |n| repeat_piece(n, "", "value x: int = 1\n", "");
    "unreadable-items" ["E0109"] |n| repeat_piece(n, "", "value value\n", "");
    "unreadable-statements" ["E0112"] |n| repeat_piece(n, "rule r() {\n", "let let\n", "}\n");
    "unreadable-parts" ["E0111"] |n| repeat_piece(n, "player {\n", "a b c d\n", "}\n");
    "unreadable-on-a-line" ["E0112"] |n| repeat_piece(n, "rule r() { ", "let let; ", "}\n");
    "wrong-escapes" ["E0104"] |n| repeat_piece(n, "rule r() { say \"", "\\q", "\" }\n");
    "empty-holes" ["E0105"] |n| repeat_piece(n, "rule r() { say \"", "{}", "\" }\n");
    "zeros" ["E0108"] |n| repeat_piece(n, "", "\0", "\n");
    "signs-of-other-languages" ["E0114"] |n| repeat_piece(n, "", "value x: bool = a && b\n", "");
    // Brackets.
    "blocks-never-closed" ["E0101"] |n| fill_with(n, "", |i| format!("rule r{i}() {{\n"), "");
    "blocks-never-closed-inside" ["E0101"] |n| fill_with(n, "", |i| format!("rule r{i}() {{ if yes {{ stop }}\n"), "");
    "brackets-never-closed" ["E0101", "E0109"] |n| fill_with(n, "", |i| format!("value x{i}: int = (1\n"), "");
    "texts-never-closed" ["E0103"] |n| fill_with(n, "", |i| format!("value x{i}: text = \"abc\n"), "");
    "pictures-never-closed" ["E0109", "E0116", "E0604", "E0610"] |n| fill_with(n, "", |i| format!("map M{i} squares \"\"\"\n.\n"), "");
    "holes-never-closed" ["E0101", "E0103"] |n| fill_with(n, "", |i| format!("value x{i}: text = \"{{abc\n"), "");
    "closing-brackets" ["E0102"] |n| repeat_piece(n, "", "}", "\n");
    "open-braces" [] |n| repeat_piece(n, "rule r() ", "{", "\n");
    "open-brackets" [] |n| repeat_piece(n, "value x: int = ", "(", "\n");
    "nested-brackets" [] |n| nest(n, "value x: int = ", ("(", "1", ")"), "\n");
    "nested-lists" [] |n| nest(n, "value x: int = ", ("[", "1", "]"), "\n");
    "nested-blocks" [] |n| nest(n, "rule r() ", ("{ if yes ", "{ }", " }"), "\n");
    "nested-calls" [] |n| nest(n, "value a(n: int): int = n\nvalue x: int = ", ("a(", "1", ")"), "\n");
    "nested-holes" [] |n| nest(n, "rule r() { say ", ("\"{", "1", "}\""), " }\n");
    "nested-ifs" [] |n| nest(n, "value x: int = ", ("if yes then ", "1", " else 2"), "\n");
    // Rows of operators.
    "sum" [] |n| repeat_piece(n, "value x: int = 1", " + 1", "\n");
    "sum-over-lines" [] |n| repeat_piece(n, "value x: int = 1", "\n  + 1", "\n");
    "conjunction" [] |n| repeat_piece(n, "value x: bool = yes", " and yes", "\n");
    "negation" [] |n| repeat_piece(n, "value x: bool = ", "not ", "yes\n");
    "minus" [] |n| repeat_piece(n, "value x: int = ", "- ", "1\n");
    "defaults" [] |n| repeat_piece(n, "value x: int = 1", " default 1", "\n");
    "steps" [] |n| repeat_piece(n, "value x: int = 1", " step 1", "\n");
    "indexes" [] |n| repeat_piece(n, "value x: int = [1]", "[1]", "\n");
    "fields" [] |n| repeat_piece(n, "value x: int = a", ".a", "\n");
    "sets-of-sets" [] |n| repeat_piece(n, "value x: ", "set of ", "int = []\n");
    "branches" [] |n| repeat_piece(n, "rule r() { if yes { }", " else if yes { }", " }\n");
    "rows-of-a-case" ["E0315"] |n| fill_with(n, "value x(n: int): int = case n { ", |i| format!("{i}: 1, "), "else: 0 }\n");
    // Long.
    "list" [] |n| repeat_piece(n, "value x: int = sum([1", ", 1", "])\n");
    "list-of-names" [] |n| repeat_piece(n, "enum Hue { red, blue }\nvalue x: int = count([red", ", blue", "])\n");
    "text" [] |n| repeat_piece(n, "rule r() { say \"", "x", "\" }\n");
    "text-with-holes" [] |n| repeat_piece(n, "rule r() { say \"", "{1}", "\" }\n");
    "name" [] |n| repeat_piece(n, "value x", "x", ": int = 1\n");
    "names" [] |n| fill_with(n, "", |i| format!("value x{}{i}: int = 1\n", "y".repeat(1000)), "");
    "names-unknown" ["E0250"] |n| fill_with(n, "", |i| format!("value x{i}: int = x{}{i}\n", "y".repeat(1000)), "");
    "number" ["E0113", "E0404"] |n| repeat_piece(n, "value x: int = ", "9", "\n");
    "remark" [] |n| repeat_piece(n, "#", "x", "\n");
    "remarks" [] |n| repeat_piece(n, "", "# x\n", "");
    "documentation" [] |n| repeat_piece(n, "", "## x\n", "value x: int = 1\n");
    "documentation-of-nothing" ["E0117"] |n| repeat_piece(n, "", "## x\n\n", "");
    "empty-lines" [] |n| repeat_piece(n, "", "\n", "");
    "blanks" [] |n| repeat_piece(n, "", " ", "\n");
    "semicolons" [] |n| repeat_piece(n, "", ";", "\n");
    "carriage-returns" [] |n| repeat_piece(n, "", "\r\n", "");
    "letters-of-two-bytes" [] |n| repeat_piece(n, "# ", "é", "\n");
    "picture" ["E0207"] |n| repeat_piece(n, "map M squares \"\"\"\n", "................................\n", "\"\"\"\nspace Cell on M { }\nlegend Cell { . : }\n");
    "signs-without-meaning" ["E0207"] |n| repeat_piece(n, "map M squares \"\"\"\n", "abcdefghijklmnop\n", "\"\"\"\nspace Cell on M { }\nlegend Cell { . : }\n");
    // Many of every sort.
    "kinds" ["E0990"] |n| fill_with(n, "", |i| format!("card K{i}\n"), "");
    "kinds-of-kinds" ["E0990"] |n| chain_declarations(n, "", "card K0\n", |a, i| format!("card K{i} is K{a}\n"));
    "members" ["E0990"] |n| fill_with(n, "card K\n", |i| format!("K k{i}\n"), "");
    "copies" ["E0990"] |n| fill_with(n, "card K\n", |i| format!("K k{i} x1000000\n"), "");
    "rows-of-a-list" ["E0990"] |n| fill_with(n, "card K { a: 0..9 = 0 }\nlist K | a {\n", |i| format!("k{i} | 1\n"), "}\n");
    "enums" ["E0990"] |n| fill_with(n, "", |i| format!("enum E{i} {{ a{i} }}\n"), "");
    "rows-of-an-enum" [] |n| fill_with(n, "enum E {\n", |i| format!("a{i}\n"), "}\n");
    "attributes" ["E0990"] |n| fill_with(n, "player {\n", |i| format!("a{i}: 0..9 = 0\n"), "}\n");
    "attributes-of-attributes" [] |n| chain_declarations(n, "player {\n", "a0: 0..9 = 0\n", |a, i| format!("a{i}: 0..9 = a{a}\n")) + "}\n";
    "zones" ["E0990"] |n| fill_with(n, "card K\ntable {\n", |i| format!("zone z{i}: K\n"), "}\n");
    "maps" ["E0990"] |n| fill_with(n, "", |i| format!("map M{i} squares 4 by 4\nspace C{i} on M{i} {{ }}\n"), "");
    "cells" ["E0990"] |n| format!("{HEAD}map M squares {0} by {0}\nspace Cell on M {{ n: 0..9 = 0 }}\n", n / 64);
    "legend" ["E0207"] |n| fill_with(n, &format!("{BOARD}legend Cell {{\n"), |i| format!("{} : n: 1\n", char::from_u32(0x4e00 + i as u32 % 20_000).unwrap_or('x')), "}\n");
    "values" [] |n| fill_with(n, "", |i| format!("value x{i}: int = {i}\n"), "");
    "values-of-values" [] |n| chain_declarations(n, "", "value x0: int = 1\n", |a, i| format!("value x{i}: int = x{a} + 1\n"));
    "values-twice" [] |n| chain_declarations(n, "table { a: 0..9 = 1 }\n", "value x0(n: int): int = a + n\n", |a, i| format!("value x{i}(n: int): int = x{a}(n) + x{a}(n + 1)\n")) + "setup { a = x59(1) }\n";
    "values-thrice" [] |n| chain_declarations(n, "table { a: 0..9 = 1 }\n", "value x0(n: int): int = a + n\n", |a, i| format!("value x{i}(n: int): int = x{a}(n) + x{a}(n + 1) + x{a}(n + a)\n")) + "setup { a = x59(1) }\n";
    "values-before-they-are" ["E0250"] |n| fill_with(n, "", |i| format!("value x{i}: int = x{} default 1\n", i + 1), "") + "value end_of_all: int = 1\n";
    "values-in-a-circle" [] |n| fill_with(n, "", |i| format!("value x{i}: int = x{} + 1\n", i ^ 1), "");
    "parameters" ["E0990"] |n| fill_with(n, "value x(a: int", |i| format!(", a{i}: int"), "): int = 1\n");
    "arguments" ["E0312"] |n| repeat_piece(n, "value x(a: int): int = a\nvalue y: int = x(1", ", 1", ")\n");
    "rules" [] |n| fill_with(n, "", |i| format!("rule r{i}() {{ stop }}\n"), "");
    "rules-of-rules" [] |n| chain_declarations(n, "table { a: 0..9 = 1 }\n", "rule r0() { a = 2 }\n", |a, i| format!("rule r{i}() {{ r{a}() }}\n")) + "setup { r59() }\n";
    "rules-twice" [] |n| chain_declarations(n, "table { a: 0..9 = 1 }\n", "rule r0() { a = 2 }\n", |a, i| format!("rule r{i}() {{ r{a}(); r{a}() }}\n")) + "setup { r59() }\n";
    "phases" [] |n| fill_with(n, "", |i| format!("phase p{i}() \"P\" {{ stop }}\n"), "");
    "menus" [] |n| fill_with(n, "", |i| format!("menu m{i} {{ pass }}\n"), "");
    "actions" [] |n| fill_with(n, MENU, |i| format!("action a{i}() in m {{ }}\n"), "");
    "needs" [] |n| repeat_piece(n, &format!("{MENU}table {{ a: 0..9 = 1 }}\naction x() in m {{\n"), "needs a == 1\n", "}\n");
    "statements" [] |n| repeat_piece(n, "table { a: 0..9 = 1 }\nsetup {\n", "a = 1\n", "}\n");
    "lets" ["E0990"] |n| fill_with(n, "setup {\n", |i| format!("let x{i} = {i}\n"), "}\n");
    "lets-of-lets" ["E0990"] |n| chain_declarations(n, "table { a: 0..9 = 1 }\nsetup {\n", "let x0 = a\n", |a, i| format!("let x{i} = x{a} + x{a}\n")) + "}\n";
    "loops" [] |n| repeat_piece(n, "table { a: 0..9 = 1 }\nsetup {\n", "for i in 1..9 { a = i }\n", "}\n");
    "sayings" [] |n| fill_with(n, "setup {\n", |i| format!("say \"line {i}\"\n"), "}\n");
    "options" [] |n| fill_with(n, "", |i| format!("option o{i} \"O\": 0..9 = 1\n"), "");
    "variants" [] |n| fill_with(n, "", |i| format!("variant v{i} \"V\" {{ }}\n"), "");
    "scenarios" [] |n| fill_with(n, "", |i| format!("scenario s{i} \"S\" for G {{ }}\n"), "");
    "parts" ["E0190"] |n| fill_with(n, "", |i| format!("part p{i} for G {{ }}\n"), "");
    "mods" [] |n| fill_with(n, "", |i| format!("mod \"M{i}\" for G {{ }}\n"), "");
    "setups" [] |n| repeat_piece(n, "table { a: 0..9 = 1 }\n", "setup { a = 1 }\n", "");
    "conditions-on-the-set-up" [] |n| repeat_piece(n, "", "needs count(players) == 2\n", "");
    "tests" [] |n| fill_with(n, "", |i| format!("test \"t{i}\" with Ann, Bo {{ expect yes }}\n"), "");
    "expectations" [] |n| repeat_piece(n, "test \"t\" with Ann, Bo {\n", "expect yes\n", "}\n");
    "invariants" [] |n| fill_with(n, "table { a: 0..9 = 1 }\n", |i| format!("invariant \"i{i}\" {{ a < 10 }}\n"), "");
    "endings" [] |n| repeat_piece(n, "table { a: 0..9 = 1 }\n", "lose when a == 9\n", "");
    "modifications" [] |n| repeat_piece(n, "value x: int = 1\nvariant v \"V\" {\n", "modify x += 1\n", "}\n");
    "modifications-of-all" [] |n| repeat_piece(n, "table { a: 0..9 = 1 }\nvalue x: int = a\nsetup { a = x }\nvariant v \"V\" {\n", "modify x += 1\n", "}\n");
    "before" [] |n| repeat_piece(n, "rule r() { }\nsetup { r() }\nvariant v \"V\" {\n", "before r() { say \"x\" }\n", "}\n");
    "forbidding" [] |n| repeat_piece(n, &format!("{MENU}action a() in m {{ }}\nvariant v \"V\" {{\n"), "forbid a()\n", "}\n");
    "lines-of-a-score" ["E0990"] |n| fill_with(n, "player { a: 0..9 = 1 }\nscore total(p: player) {\n", |i| format!("l{i} \"L\": p.a\n"), "}\n");
    "looks" ["E0204"] |n| fill_with(n, "", |i| format!("look K{i} {{ fill: red }}\n"), "");
    "heuristics" [] |n| fill_with(n, "", |i| format!("heuristic h{i}(p: player): int = 1\n"), "");
    // Large numbers.
    "many-players" ["E0602"] |n| format!("game G \"G\" {{ players 2..{n}; outcome win }}\nplayer {{ a: 0..9 = 0 }}\n");
    "large-ranges" ["E0990"] |n| fill_with(n, "", |i| format!("option o{i} \"O\": 0..2000000000 = 1\n"), "");
    "large-loops" ["E0990"] |_| format!("{HEAD}{MENU}action a(n: 0..2000000000) in m {{ needs n == 1 }}\n");
}

/// The files of a game of many files: all together of about so many bytes.
pub fn make_files(bytes: usize) -> Vec<(String, String)> {
    let mut all = vec![(String::from("g.rules"), String::from(HEAD))];
    let mut left = bytes;
    for i in 0.. {
        let text = format!("value x{i}: int = {i}\n");
        if text.len() > left {
            break;
        }
        left -= text.len();
        let mut name = String::new();
        let _ = write!(name, "f{i}.rules");
        all.push((name, text));
    }
    all
}
