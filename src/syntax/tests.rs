//! Every sketch of the language is read whole; shapes, recovery and bounds one by one.
use super::ast::*;
use super::*;
use crate::text::FileId;

/// Name and text of every sketch.
pub(super) fn sketches() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sketches");
    let mut all: Vec<(String, String)> = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .map(|p| (p.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read_to_string(p).unwrap()))
        .collect();
    all.sort();
    assert_eq!(all.len(), 7);
    all
}

fn read(text: &str) -> Parsed {
    let parsed = parse(FileId(0), text);
    assert_eq!(parsed.tree.write(text), text, "not lossless");
    parsed
}

fn show(text: &str, parsed: &Parsed) -> Vec<String> {
    parsed
        .findings
        .iter()
        .map(|d| {
            let line = text[..d.at.span.start as usize].matches('\n').count() + 1;
            format!("{}:{line} {:?} {}", d.code.0, &text[d.at.span.range()], d.message)
        })
        .collect()
}

/// A text that must be sound.
fn sound(text: &str) -> File {
    let parsed = read(text);
    assert_eq!(show(text, &parsed), Vec::<String>::new(), "{text}");
    parsed.ast
}

fn findings(text: &str) -> Vec<String> {
    let parsed = read(text);
    show(text, &parsed)
}

#[test]
fn sketches_are_sound() {
    for (name, text) in sketches() {
        let parsed = read(&text);
        assert_eq!(show(&text, &parsed), Vec::<String>::new(), "{name}");
        assert!(parsed.ast.items.len() > 1);
        assert!(!format!("{:?}", parsed.ast).contains("Bad"), "{name}");
    }
}

#[test]
fn look_at() {
    for text in [
        "rule a( { stop }\nrule b() { let x 3 }\n",
        "rule a() {\n  if x {\n    foo()\n}\n\nrule b() { bar( }\nrule c() { let = 4 }\n",
        "rule a() {\n  say \"hello\n  foo(\n  bar()\n}\nvalue b: int = 3 3\n",
        "rule a() { stop }\n}\nvalue x: int = )\nvalue y: = 3\n",
        "rule a() { while x { stop } }\nrule b() { if a = b { stop }; return 4; let first = 3; draw 3 cards }\n",
        "rule a() {\n  ## hm\n  if a && b { stop }\n  if a { } elif b { }\n  x = y ? 1 : 2\n}\n",
        "table { zone deck Letter; a: in; b: int = }\nenum A { a, B c; d }\nlegend M { a b }\nlist K | a { x | | 3 3 }\n",
        "value s: text = \"a {1 +} b \\q\"\nvalue t: text = \"{x\"\n",
        "map M squares \"\"\"\n a b\n\nrule a() { stop }\n foo\n",
        "action a(c: Cell wher x) in menu { }\naction b(c: ) in menu\naction c() { }\nscore t(p: player) { a: 3; b \"B\": 4 }\n",
        "## hello\n# c\n\n## doc\nvalue a: int = 3\n## end",
        "value a: int = 99999999999999999999\nLetter guard \"x\" x5 { rank 1; play { stop } }\nLetter\n",
        "rule a() { for x of y { stop }; repeat 3 { stop }; everyone { stop }; move a b; offer }\n",
        "game A \"A\" { players; outcome winn; seats 3; foo }\n\\u{0}",
    ] {
        eprintln!("--- {text}");
        for f in findings(text) {
            eprintln!("    {f}");
        }
    }
}

/// Every rule file that is shipped, and every example of the book.
fn shipped() -> Vec<(String, String)> {
    fn walk(folder: &std::path::Path, all: &mut Vec<(String, String)>) {
        let Ok(entries) = std::fs::read_dir(folder) else { return };
        for path in entries.map(|e| e.unwrap().path()) {
            let name = path.display().to_string();
            if path.is_dir() {
                walk(&path, all);
            } else if name.ends_with(".rules") || name.ends_with(".scenario") {
                all.push((name, std::fs::read_to_string(path).unwrap()));
            } else if name.ends_with(".md") {
                let page = std::fs::read_to_string(path).unwrap();
                for (n, block) in page.split("```").enumerate().filter(|(n, _)| n % 2 == 1) {
                    if let Some(("rules", text)) =
                        block.split_once('\n').map(|(h, t)| (h.split(' ').next().unwrap(), t))
                    {
                        all.push((format!("{name}#{n}"), text.to_string()));
                    }
                }
            }
        }
    }
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = Vec::new();
    for folder in ["rules", "scenarios", "docs/book", "tests/sketches"] {
        walk(&root.join(folder), &mut all);
    }
    all.sort();
    all
}

#[test]
fn shipped_rules_are_sound() {
    let mut bad = Vec::new();
    for (name, text) in shipped() {
        bad.extend(findings(&text).into_iter().map(|f| format!("{name}: {f}")));
    }
    assert_eq!(bad, Vec::<String>::new());
}

#[test]
fn show_formatted() {
    std::fs::create_dir_all("target/fmt").unwrap();
    for (name, text) in shipped() {
        let done = format(&text).unwrap();
        let base = name.replace(['/', '#'], "_");
        std::fs::write(format!("target/fmt/{base}.a"), &text).unwrap();
        std::fs::write(format!("target/fmt/{base}.b"), &done).unwrap();
        assert_eq!(format(&done).unwrap(), done, "{name}");
    }
}
