//! Tests of the checker on whole games: valid ones have no findings, invalid ones have each finding once, with its code.
use crate::check;
use houserule_text::{File, Files};
use std::path::Path;

/// Findings of these files, one a line: `code line:col message`.
fn findings(files: Files) -> Vec<String> {
    show_findings(&check(&files))
}

fn show_findings(checked: &crate::Checked) -> Vec<String> {
    let show = |d: &houserule_text::Diagnostic| {
        let fix = d.fix.as_ref().map(|f| format!(" -> {f}")).unwrap_or_default();
        format!("{} {} {}{fix}", d.code.0, checked.files.place(d.at.span), d.message)
    };
    checked.report.findings.iter().map(show).collect()
}

fn folder(path: &Path, into: &mut Files) {
    let mut names: Vec<_> = std::fs::read_dir(path).unwrap().map(|e| e.unwrap().path()).collect();
    names.sort();
    for p in names {
        if p.is_dir() {
            folder(&p, into);
        } else if p.extension().is_some_and(|e| e == "rules" || e == "rhai" || e == "scenario") {
            let name = p.file_name().unwrap().to_string_lossy().to_string();
            into.add(File::new(name, std::fs::read_to_string(&p).unwrap()));
        }
    }
}

#[test]
fn shipped_games_have_no_findings() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rules");
    let mut bad = Vec::new();
    for game in std::fs::read_dir(root.join("classics")).unwrap() {
        let game = game.unwrap();
        let mut files = Files::new();
        folder(&game.path(), &mut files);
        let scenarios = root.with_file_name("scenarios").join(game.file_name());
        if scenarios.is_dir() {
            folder(&scenarios, &mut files);
        }
        // Whether the scripts are there and sound is judged where scripts are run.
        bad.extend(findings(files).into_iter().filter(|f| !f.starts_with("E0901")));
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

/// The book's examples, each with its prelude.
fn examples(folder: &Path, root: &Path, out: &mut Vec<(String, Files)>) {
    let mut entries: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            examples(&path, root, out);
            continue;
        }
        if path.extension().is_none_or(|e| e != "md") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let mut open: Option<(usize, Option<String>, String)> = None;
        for (i, line) in text.lines().enumerate() {
            match (&mut open, line.strip_prefix("```")) {
                (Some((at, prelude, body)), Some("")) => {
                    let mut files = Files::new();
                    if let Some(p) = prelude {
                        let text = std::fs::read_to_string(root.join(format!("preludes/{p}.rules"))).unwrap();
                        files.add(File::new(format!("{p}.rules"), text));
                    }
                    files.add(File::new("example.rules", body.clone()));
                    let page = path.file_name().unwrap().to_string_lossy().to_string();
                    out.push((format!("{page}:{at}"), files));
                    open = None;
                }
                (Some((_, _, body)), _) => {
                    body.push_str(line);
                    body.push('\n');
                }
                (None, Some(info)) if info.split(' ').next() == Some("rules") => {
                    open = Some((i + 1, info.split(' ').nth(1).map(String::from), String::new()));
                }
                _ => {}
            }
        }
    }
}

#[test]
fn the_books_examples_have_no_errors() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/book");
    let mut all = Vec::new();
    examples(&root, &root, &mut all);
    assert!(all.len() >= 40, "{} examples", all.len());
    let mut bad = Vec::new();
    for (place, files) in all {
        bad.extend(
            findings(files).into_iter().filter(|f| f.starts_with('E')).map(|f| format!("{place}: {f}")),
        );
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

#[test]
fn shipped_mods_have_no_findings() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rules");
    let mut bad = Vec::new();
    let mut seen = 0;
    for m in std::fs::read_dir(root.join("mods")).unwrap() {
        let path = m.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        for game in std::fs::read_dir(root.join("classics")).unwrap() {
            let mut files = Files::new();
            folder(&game.unwrap().path(), &mut files);
            let named = |f: &File| {
                let at = f.text.find("\ngame ").map(|i| i + 6);
                at.and_then(|i| f.text[i..].split_whitespace().next().map(str::to_string))
            };
            let name = files.iter().find_map(|(_, f)| named(f));
            if name.is_some_and(|n| text.contains(&format!("for {n} {{"))) {
                files.add(File::new("mod.rules", text.clone()));
                seen += 1;
                bad.extend(findings(files).into_iter().map(|f| format!("{}: {f}", path.display())));
            }
        }
    }
    assert!(seen > 1, "only {seen} mods were checked");
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

/// One case of `tests/suite/check`.
struct Case {
    prelude: Option<String>,
    text: String,
    findings: String,
}

/// The cases of a page.
fn cases(page: &str) -> Vec<Case> {
    let mut out: Vec<Case> = Vec::new();
    let mut block: Option<(bool, String)> = None;
    for line in page.lines() {
        match (&mut block, line.strip_prefix("```")) {
            (Some((rules, text)), Some("")) => {
                if let Some(c) = out.last_mut() {
                    if *rules { c.text = text.clone() } else { c.findings = text.clone() }
                }
                block = None;
            }
            (Some((_, text)), _) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, Some(info)) => {
                let rules = info.split(' ').next() == Some("rules");
                if rules {
                    let prelude = info.split(' ').nth(1).map(String::from);
                    out.push(Case { prelude, text: String::new(), findings: String::new() });
                }
                block = Some((rules, String::new()));
            }
            (None, None) => {}
        }
    }
    out
}

/// Every case finds exactly what it says. `HOUSERULE_BLESS=1` writes what is found into the pages instead.
#[test]
fn the_suite_finds_what_it_says() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let bless = std::env::var_os("HOUSERULE_BLESS").is_some();
    let mut wrong = Vec::new();
    let mut codes = std::collections::BTreeSet::new();
    let mut helpless = Vec::new();
    let mut pages: Vec<_> =
        std::fs::read_dir(root.join("tests/suite/check")).unwrap().map(|e| e.unwrap().path()).collect();
    pages.sort();
    for path in pages {
        let page = std::fs::read_to_string(&path).unwrap();
        let mut blessed = page.clone();
        for case in cases(&page) {
            let mut files = Files::new();
            if let Some(p) = &case.prelude {
                let text =
                    std::fs::read_to_string(root.join(format!("docs/book/preludes/{p}.rules"))).unwrap();
                files.add(File::new("a.rules", text));
            }
            files.add(File::new("it.rules", case.text.clone()));
            files.add(File::new("likely.rhai", "fn likely(n) { n }"));
            // Short cases use little of what they declare: that is told only where it is the point.
            let unused = case.text.contains("nothing uses");
            let idle = |f: &str| f.get(..5).is_some_and(|code| ("W0001".."W0008").contains(&code));
            // Few of them have an end.
            let endless = |f: &str| f.starts_with("W0013") && !case.text.contains("nothing ends");
            let told = |f: &&String| unused && f.contains("it.rules") || !idle(f) && !endless(f);
            let checked = check(&files);
            helpless
                .extend(checked.report.findings.iter().filter(|d| d.is_error() && d.help.is_none()).cloned());
            let found: String =
                show_findings(&checked).iter().filter(told).map(|f| format!("{f}\n")).collect();
            codes.extend(found.lines().filter_map(|l| l.split(' ').next()).map(String::from));
            if found != case.findings {
                wrong.push(format!(
                    "{}:\n{}  says\n{}  finds\n{found}",
                    path.display(),
                    case.text,
                    case.findings
                ));
            }
            let info = case.prelude.as_ref().map(|p| format!(" {p}")).unwrap_or_default();
            let head = format!("```rules{info}\n{}```\n\n```findings\n", case.text);
            let (old, new) = (format!("{head}{}```", case.findings), format!("{head}{found}```"));
            blessed = blessed.replace(&old, &new);
        }
        if bless && blessed != page {
            std::fs::write(&path, blessed).unwrap();
        }
    }
    assert!(bless || wrong.is_empty(), "{}", wrong.join("\n"));
    // Every error says what to write instead.
    let helpless: Vec<_> = helpless.iter().map(|d| format!("{} {}", d.code.0, d.message)).collect();
    assert!(helpless.is_empty(), "without help:\n{}", helpless.join("\n"));
    // Every code has a case that shows it.
    let silent: Vec<_> =
        super::codes::TABLE.iter().map(|c| c.code.0).filter(|c| !codes.contains(*c)).collect();
    assert!(silent.is_empty(), "no case shows {}", silent.join(", "));
}

/// `houserule explain` shows a wrong and a right text: on one of the book's preludes, or on none, the wrong one has the finding, and the right one has no
/// error and not the finding.
#[test]
fn every_code_is_shown_by_its_example() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let prelude = |p| std::fs::read_to_string(root.join(format!("docs/book/preludes/{p}.rules"))).unwrap();
    let preludes = [None, Some(prelude("board")), Some(prelude("cards"))];
    let on = |prelude: &Option<String>, text: &str| {
        let mut files = Files::new();
        if let Some(p) = prelude {
            files.add(File::new("a.rules", p.clone()));
        }
        files.add(File::new("it.rules", text));
        findings(files)
    };
    let mut bad = Vec::new();
    for info in crate::codes::TABLE.iter().chain(super::codes::TABLE) {
        let (code, place) = (info.code.0, format!("{} it.rules", info.code.0));
        assert!(info.text.len() > 25, "{code}");
        let shows = |p: &&Option<String>| on(p, info.wrong).iter().any(|f| f.starts_with(&place));
        let mends = |p: &&Option<String>| {
            on(p, info.right).iter().all(|f| !f.starts_with('E') && !f.starts_with(&place))
        };
        let shown: Vec<_> = preludes.iter().filter(shows).collect();
        if !info.wrong.is_empty() && shown.is_empty() {
            let found = preludes.each_ref().map(|p| on(p, info.wrong));
            bad.push(format!("{code} is not shown by\n{}\n{found:#?}", info.wrong));
        } else if !info.right.is_empty() && !shown.iter().any(mends) {
            let found = shown.iter().map(|p| on(p, info.right)).collect::<Vec<_>>();
            bad.push(format!("{code} is not mended by\n{}\n{found:#?}", info.right));
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

/// An unknown word of a bag is answered with the words of its enum, the nearest first.
#[test]
fn advice_lists_the_words_of_a_bag_nearest_first() {
    let text = "game G \"G\" { players 2; outcome win }\nenum Good { cloth, bolt, wood, gems }\nplayer { goods: bag of Good = 2 gold }";
    let mut files = Files::new();
    files.add(File::new("it.rules", text));
    let report = check(&files).report;
    let found = report.findings.iter().find(|d| d.message == "`gold` is no word of Good").unwrap();
    assert_eq!(found.help.as_deref(), Some("write one of these: bolt, wood, gems, cloth"), "{found:?}");
}

/// The sketches use much that the engine does not play yet: the checker says so, and never panics.
#[test]
fn the_sketches_are_read_to_the_end() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/sketches");
    let all = std::fs::read_dir(&root).unwrap().map(|e| e.unwrap().path());
    let mut rules: Vec<_> = all.filter(|p| p.extension().is_some_and(|e| e == "rules")).collect();
    rules.sort();
    assert!(rules.len() >= 4);
    for path in rules {
        let game = path.file_stem().unwrap().to_string_lossy().into_owned();
        let mut files = Files::new();
        for ending in ["rules", "scenario"] {
            if let Ok(text) = std::fs::read_to_string(root.join(format!("{game}.{ending}"))) {
                files.add(File::new(format!("{game}.{ending}"), text));
            }
        }
        let found = findings(files);
        if std::env::var_os("HOUSERULE_SHOW").is_some() {
            found.iter().for_each(|f| println!("{f}"));
        }
        assert!(found.iter().any(|f| f.starts_with('E')), "{game} has more than the engine plays");
    }
}

/// Rules torn at random places are judged without a panic, whatever is left of them.
#[test]
fn torn_rules_never_panic() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let mut texts = Vec::new();
    for folder in ["tests/sketches", "rules/classics"] {
        let mut below = vec![root.join(folder)];
        while let Some(path) = below.pop() {
            if path.is_dir() {
                below.extend(std::fs::read_dir(path).unwrap().map(|e| e.unwrap().path()));
            } else if path.extension().is_some_and(|e| e == "rules") {
                texts.push((path.clone(), std::fs::read_to_string(path).unwrap()));
            }
        }
    }
    // The longest ones, always the same.
    texts.sort_by_key(|(path, text)| (std::cmp::Reverse(text.len()), path.clone()));
    texts.truncate(4);
    let mut state = 7u64;
    let mut below = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n.max(1)
    };
    for round in 0..60 {
        let text = &texts[round % texts.len()].1;
        let words: Vec<&str> = text.split_inclusive([' ', '\n', '(', ')', '.', ',']).collect();
        let mut torn = words.clone();
        for _ in 0..3 {
            let (a, b) = (below(torn.len()), below(words.len()));
            match below(3) {
                0 => drop(torn.remove(a)),
                1 => torn.insert(a, words[b]),
                _ => torn[a] = words[b],
            }
        }
        let mut files = Files::new();
        files.add(File::new("torn.rules", torn.concat()));
        let _ = findings(files);
    }
}

/// Secrets are followed through each value and rule once, however often and however deep they are called.
#[test]
fn secrets_are_followed_through_deep_calls() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let prelude = std::fs::read_to_string(root.join("docs/book/preludes/cards.rules")).unwrap();
    let mut text =
        String::from("value v0(c: Card): int = c.rank\nrule r0(c: Card) { may \"{c.rank}?\" { } }\n");
    for i in 1..100 {
        let before = i - 1;
        text.push_str(&format!("value v{i}(c: Card): int = if v{before}(c) > 3 then v{before}(c) else 1\n"));
        text.push_str(&format!("rule r{i}(c: Card) {{ r{before}(c); r{before}(c) }}\n"));
    }
    text.push_str("action peek(c: one of deck) in turn_menu { needs v99(c) > 3  else \"no\"; r99(c) }\n");
    let mut files = Files::new();
    files.add(File::new("a.rules", prelude));
    files.add(File::new("it.rules", text));
    let found = findings(files);
    let leaks: Vec<_> = found.iter().filter(|f| f.starts_with("E0502")).collect();
    assert_eq!(leaks.len(), 2, "{found:?}");
    assert!(leaks[0].contains("`v99` reads `rank`") && leaks[1].contains("`r99` reads `rank`"), "{leaks:?}");
}

#[test]
fn every_word_that_is_called_stands_in_the_list_of_words() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/book/reference/words.md");
    let text = std::fs::read_to_string(page).unwrap();
    // `slots` is kept for later.
    let missing: Vec<&str> = crate::hir::builtins::called_words()
        .filter(|w| *w != "slots")
        .filter(|w| !text.lines().any(|l| l.split('|').nth(1).is_some_and(|c| c.contains(&format!("`{w}`")))))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}
