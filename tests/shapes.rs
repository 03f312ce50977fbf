//! Texts of every shape that grows without bound: deep, wide and long. Each is checked in time and memory that grow with its length alone, or is refused with a finding
//! that says a limit.
//!
//! In CI each shape is checked twice, once four times as long, and what is allocated is counted. At the full size of a file, 4 MiB, each takes less than two seconds of
//! processor time and 500 MB, in a release build:
//!
//! ```sh
//! cargo test --release --test suite shapes::at_full_size -- --ignored --nocapture
//! ```
use crate::allocation::allocations;
use houserule::play::{Game, Setup};
use houserule::text::{File, Files};
use std::process::Command;

const GAME: &str = "game G \"G\" { players 2; outcome win }\n";
const END: &str = "round once { win players \"x\" }\n";

/// A shape: its name, and a text of about so many bytes.
type Shape = (&'static str, fn(usize) -> String);

/// Rows in the game's file, between its head and a round, until it is long enough. `@` in a row is its number, `~` that of the row before.
fn rows(bytes: usize, before: &str, row: &str, after: &str) -> String {
    let mut text = format!("{GAME}{before}");
    for i in 1.. {
        if text.len() + after.len() >= bytes {
            break;
        }
        text += &row.replace('@', &i.to_string()).replace('~', &(i - 1).to_string());
    }
    text + after + "\n" + END
}

const SHAPES: &[Shape] = &[
    ("comments", |n| rows(n, "", "# a line that says nothing\n", "")),
    ("one long comment", |n| rows(n, "# ", "long ", "")),
    ("blank lines", |n| rows(n, "", "\n", "")),
    ("one long line of blanks", |n| rows(n, "value x: int =", " ", "1")),
    ("a finding far to the right", |n| rows(n, "value x: int =", "\t", "zzz")),
    ("values", |n| rows(n, "", "value v@: int = 1\n", "")),
    ("values that call the one before", |n| {
        rows(n, "value v0(n: int): int = n\n", "value v@(n: int): int = v~(n)\n", "")
    }),
    ("values that call the one before twice", |n| {
        let head = "value v0(n: int): int = n\n";
        let tail = "menu m { pass }\naction z() in m { needs v9(1) == 0 }";
        rows(n, head, "value v@(n: int): int = v~(n) + v~(n + 1)\n", tail)
    }),
    ("values that call each other in a circle", |n| {
        rows(n, "value v0(n: int): int = v9(n)\n", "value v@(n: int): int = v~(n)\n", "")
    }),
    ("unknown names", |n| rows(n, "", "value xvalue@: int = yvalue@\n", "")),
    ("unknown names on one line", |n| rows(n, "value x: set of int = [", "y@, ", "1]")),
    ("unknown kinds", |n| rows(n, "table {\n", "a@: Knd@ = 1\n", "}")),
    ("unknown kinds beside kinds", |n| rows(n, "", "enum Knd@ { a@ }\nvalue v@(x: Kid@): int = 1\n", "")),
    ("unknown parts", |n| rows(n, "player { a: int = 0 }\nrule r(p: player) {\n", "p.b@ = 1\n", "}")),
    ("unknown rules", |n| rows(n, "rule r() {\n", "s@()\n", "}")),
    ("unknown variants in tests", |n| rows(n, "", "test \"t@\" with v@ { }\n", "")),
    ("scenarios with unknown parts", |n| rows(n, "", "scenario s@ \"S\" for G with q@ { }\n", "")),
    ("scenarios in a chain", |n| {
        let head = "scenario s0 \"S\" for G { }\n";
        rows(n, head, "scenario s@ \"S\" for G with s~ { }\n", "")
    }),
    ("parts of one scenario", |n| rows(n, "scenario s \"S\" for G with a", " or b@", " { }")),
    ("branches of an if", |n| rows(n, "rule r() { if yes { }", " else if yes { }", " }")),
    ("rows of a case", |n| rows(n, "value x: int = case 1 { ", "@: 1, ", "else: 1 }")),
    ("sums", |n| rows(n, "value x: int = 1", " + 1", "")),
    ("conditions", |n| rows(n, "value x: bool = yes", "\n  and yes", "")),
    ("brackets", |n| rows(n, "value x: int = ", "(", "1")),
    ("closing brackets", |n| rows(n, "", ")", "")),
    ("brackets that are never closed, line by line", |n| rows(n, "", "value v@: int = (\n", "")),
    ("blocks", |n| rows(n, "rule r() ", "{ if yes ", "")),
    ("conditional values", |n| rows(n, "value x: int = ", "if yes then 1 else ", "1")),
    ("negations", |n| rows(n, "value x: bool = ", "not ", "yes")),
    ("dots", |n| rows(n, "value x: int = a", ".b", "")),
    ("calls", |n| rows(n, "value x: int = ", "f(", "1")),
    ("a set", |n| rows(n, "value x: set of 0..9 = [", "1, ", "1]")),
    ("arguments", |n| rows(n, "value f(n: int): int = n\nvalue x: int = f(", "1, ", "1)")),
    ("parameters", |n| rows(n, "value f(a: int", ", a@: int", "): int = 1")),
    ("statements", |n| rows(n, "table { n: 0..9 = 0 }\nrule r() {\n", "n = 1\n", "}")),
    ("names in a rule", |n| rows(n, "table { n: 0..9 = 0 }\nrule r() {\n", "let a@ = n\n", "}")),
    ("conditions of an action", |n| rows(n, "menu m { pass }\naction z() in m {\n", "needs yes\n", "}")),
    ("actions of a menu", |n| rows(n, "menu m { pass }\n", "action z@() in m { }\n", "")),
    ("menus", |n| rows(n, "", "menu m@\n", "")),
    ("words of an enum", |n| rows(n, "enum E { a", ", a@", " }")),
    ("enums", |n| rows(n, "", "enum E@ { a@ }\n", "")),
    ("cards", |n| rows(n, "card Card { }\n", "Card c@ { }\n", "")),
    ("kinds of cards", |n| rows(n, "", "card Card@ { }\n", "")),
    ("attributes", |n| rows(n, "player {\n", "a@: 0..9 = 0\n", "}")),
    ("attributes of the table", |n| rows(n, "table {\n", "a@: 0..9 = 0\n", "}")),
    ("options", |n| rows(n, "", "option o@ \"O\": 0..9 = 0\n", "")),
    ("variants", |n| rows(n, "", "variant v@ \"V\" { }\n", "")),
    ("tests", |n| rows(n, "", "test \"t@\" { expect 1 == 1 }\n", "")),
    ("attachments", |n| rows(n, "rule r() { }\n", "after r: say \"x\"\n", "")),
    ("modifications", |n| rows(n, "value v: int = 1\n", "modify v: usual + 1\n", "")),
    ("rules", |n| rows(n, "", "rule r@() { }\n", "")),
    ("the same name again and again", |n| rows(n, "", "value v: int = 1\n", "")),
    ("games", |n| rows(n, "", "game G \"G\" { players 2; outcome win }\n", "")),
    ("a long text", |n| rows(n, "rule r() { say \"", "x", "\" }")),
    ("holes", |n| rows(n, "rule r() { say \"", "{1}", "\" }")),
    ("texts without an end", |n| rows(n, "", "rule r@() { say \"x }\n", "")),
    ("a wide picture", |n| rows(n, "map M \"\"\"\n", ". ", "\n\"\"\"")),
    ("a tall picture", |n| rows(n, "map M \"\"\"\n", ".\n", "\"\"\"")),
    ("rows of a legend", |n| rows(n, "map M squares 4 by 4\nlegend M {\n", "x@: y\n", "}")),
    ("a long name", |n| rows(n, "value ", "x", ": int = 1")),
    ("a long number", |n| rows(n, "value x: int = ", "9", "")),
    ("what is nothing", |n| rows(n, "", "? ! § $\n", "")),
    ("what is nothing, on one line", |n| rows(n, "", "; zz zz ", "")),
    ("bytes that are no words", |n| rows(n, "", "\u{1}\u{7f}\u{feff}", "")),
    ("scores", |n| rows(n, "score s {\n", "l@: 1\n", "}")),
    ("layers", |n| rows(n, "rule r() ", "{ until end of game ", "")),
];

/// Checks a text as the command line does, up to its program; gives how much was allocated.
fn work(text: &str) -> u64 {
    let mut files = Files::new();
    files.add(File::new("g.rules", text));
    allocations(|| {
        if let Ok(game) = Game::load(&files) {
            drop(game.program(&Setup::default()));
        }
    })
}

#[test]
fn work_grows_with_the_length() {
    let mut bad = Vec::new();
    for (name, shape) in SHAPES {
        let (short, long) = (work(&shape(8 << 10)), work(&shape(32 << 10)));
        // Four times as long; a little more where a table has grown.
        if long > short * 6 + 5_000 {
            bad.push(format!("{name}: {short} allocations, four times as long {long}"));
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

/// The whole check of each shape, in a process of its own that the system stops when it takes too much.
#[test]
#[ignore = "takes minutes; for a release build"]
fn at_full_size() {
    let kib: usize = std::env::var("SHAPES_KIB").ok().and_then(|v| v.parse().ok()).unwrap_or(4 << 10);
    let only = std::env::var("SHAPES_ONLY").unwrap_or_default();
    let folder = tempfile::tempdir().expect("a folder");
    let mut bad = Vec::new();
    for (name, shape) in SHAPES.iter().filter(|(name, _)| name.contains(&only)) {
        let file = folder.path().join("g.rules");
        std::fs::write(&file, shape(kib << 10)).expect("a file");
        let begun = std::time::Instant::now();
        let limits = format!(
            "ulimit -v 500000; ulimit -t {}; exec \"$0\" check \"$1\"",
            if kib < 4096 { 20 } else { 2 }
        );
        let done = Command::new("sh")
            .args(["-c", &limits, env!("CARGO_BIN_EXE_houserule")])
            .arg(&file)
            .output()
            .expect("a process");
        println!("{:6.2} s  {}  {name}", begun.elapsed().as_secs_f64(), done.status);
        if !matches!(done.status.code(), Some(0 | 1)) {
            bad.push(*name);
        }
    }
    assert!(bad.is_empty(), "{bad:?}");
}
