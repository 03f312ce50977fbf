//! The doors between rooms, what may be used where, and that the engine knows no game.
//!
//! The tests read source text with a small lexer (`architecture/lexer.rs`) that knows comments, texts, characters and `#[cfg(test)]`. The last tests show that the checks bite: each
//! is given a seeded bad snippet and must find it.
#[path = "architecture/lexer.rs"]
mod lexer;

use lexer::{bare_pest, code, heads, inner_modules, line_of, paths, places, words};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

// ── What is held ───────────────────────────────────────────────────────────────────────────────────────────────────

/// Which rooms a room may use. A room that is not here is a fault, too: a new one is added with its doors.
const DOORS: &[(&str, &[&str])] = &[
    ("text", &[]),
    // What is built in is bytes: whoever wants to read it does.
    ("shipped", &[]),
    ("syntax", &["text"]),
    ("model", &["text", "syntax"]),
    ("program", &["text", "model"]),
    // The machine knows neither text's tree nor names: spans are all that it shares with the rooms before.
    ("engine", &["text", "program"]),
    // Of program and engine only tables and states: what code means is not looked at.
    ("reference", &["text", "model", "program", "engine"]),
    ("hooks", &["text", "program", "engine"]),
    ("play", &["text", "syntax", "model", "program", "engine", "hooks"]),
    ("bots", &["text", "program", "engine", "play"]),
    ("lab", &["text", "syntax", "model", "program", "engine", "reference", "hooks", "play", "bots"]),
    ("ide", &["text", "syntax", "model"]),
    // How many components there are is handed in: sheets know no program.
    ("sheets", &["model", "ide"]),
    (
        "cli",
        &[
            "text", "syntax", "model", "program", "engine", "hooks", "play", "bots", "lab", "ide", "sheets",
            "shipped",
        ],
    ),
];

/// Folders, each with those that it may use.
type Layers = &'static [(&'static str, &'static [&'static str])];

/// The folders of a room that has layers, each with the folders of that room that it may use.
const LAYERS: &[(&str, Layers)] = &[
    (
        "program",
        &[
            ("ir", &[]),
            ("passes", &["ir"]),
            ("codes", &[]),
            ("setup", &["passes"]),
            ("fn_builder", &["ir"]),
            ("facts", &[]),
            ("layout", &["codes", "facts", "ir", "setup"]),
            ("analysis", &["fn_builder", "ir", "layout"]),
            ("index", &["analysis", "fn_builder", "ir", "layout"]),
            (
                "lower",
                &["analysis", "codes", "facts", "fn_builder", "index", "ir", "layout", "passes", "setup"],
            ),
        ],
    ),
    (
        "engine",
        &[
            ("base", &[]),
            ("data", &["base"]),
            ("world", &["base", "data"]),
            ("context", &["base", "data", "world"]),
            ("eval", &["base", "data", "world", "context"]),
            ("interp", &["base", "data", "world", "context", "eval"]),
            ("scheduler", &["base", "data", "world", "context", "eval", "interp"]),
            ("machine", &["base", "data", "world", "context", "eval", "interp", "scheduler"]),
            ("views", &["base", "data", "world", "context", "eval", "interp", "scheduler", "machine"]),
        ],
    ),
];

/// Crates that these rooms only may name.
const OWNERS: &[(&str, &[&str])] = &[
    ("pest", &["syntax"]),
    ("pest_derive", &["syntax"]),
    ("rhai", &["hooks"]),
    ("clap", &["cli"]),
    ("clap_complete", &["cli"]),
    ("clap_mangen", &["cli"]),
    ("lsp_server", &["cli"]),
    ("lsp_types", &["cli"]),
    ("miette", &["cli"]),
    ("indicatif", &["cli"]),
    ("ctrlc", &["cli"]),
    ("tempfile", &["cli"]),
    ("ansi_to_html", &["cli"]),
    ("regex-lite", &["ide"]),
    ("deunicode", &["ide"]),
    // Maps of other programs, and images beside rules.
    ("roxmltree", &["ide", "model", "sheets"]),
    ("base64", &["ide", "sheets", "text"]),
    ("csv", &["ide"]),
    ("miniz_oxide", &["ide"]),
    // Paper: reading SVG, writing PDF, fonts.
    ("usvg", &["sheets"]),
    ("krilla", &["sheets"]),
    ("krilla-svg", &["sheets"]),
    ("ttf-parser", &["sheets"]),
    ("epaint_default_fonts", &["sheets"]),
];

/// What reaches out of the program; only the edge does.
const OUTSIDE: &[&str] =
    &["std::fs", "std::env", "std::time", "std::thread", "std::io", "std::process", "std::net"];

/// Macros that print.
const PRINTS: &[&str] = &["print!", "println!", "eprint!", "eprintln!", "dbg!"];

/// What ends the program. Whatever a user writes is a finding or an error, so code that ships has none of it.
const PANICS: &[&str] = &["panic!(", "unreachable!(", "todo!(", "unimplemented!("];

/// Files of nothing but tests that are not called so.
const HELPERS: &[&str] = &["src/ide/testing.rs"];

/// Files that may reach out; a folder ends with `/`.
const EDGE: &[&str] =
    // Of the lab only what runs: testing.rs says how long each of a game's tests took.
    &["src/cli/", "src/main.rs", "src/lab/testing.rs", "src/shipped/build.rs"];

/// Files of the editor that may reach out.
const EDITOR_EDGE: &[&str] =
    &["editor/src/main.rs", "editor/src/jobs.rs", "editor/src/disk.rs", "editor/src/claim.rs"];

/// Crates of the editor, and the files and folders that may name them: what is no panel knows no window, and data is made without one.
const EDITOR_OWNERS: &[(&str, &[&str])] = &[
    ("rfd", &["editor/src/dialogs.rs"]),
    ("mundy", &["editor/src/system.rs"]),
    ("kurbo", &["editor/src/canvas/"]),
    ("lyon_tessellation", &["editor/src/canvas/"]),
    ("eframe", &["editor/src/main.rs", "editor/src/app/frame.rs"]),
    ("resvg", &["editor/src/picture.rs", "editor/src/canvas/images.rs"]),
    ("epaint_default_fonts", &["editor/src/picture.rs"]),
    ("egui_tiles", &["editor/src/app/"]),
    ("ron", &["editor/src/settings.rs", "editor/src/workspace.rs", "editor/src/tour.rs"]),
    (
        "egui",
        &[
            "editor/src/main.rs",
            "editor/src/app/",
            "editor/src/panels/",
            "editor/src/canvas/",
            "editor/src/style.rs",
            "editor/src/command/",
            "editor/src/keys.rs",
        ],
    ),
];

/// Words that belong to one game. What is also a word of the trade (guard, hex, card, die, token, map) cannot be here; neither can words of everyday English.
const WORDS: &str = "
    othello reversi disc discs noughts tictactoe connectfour connect4
    chess checkmate castling knight knights bishop bishops rook rooks pawn pawns backgammon checkers draughts mancala
    kuhn poker goofspiel loveletter handmaid countess baron princess prince priest chancellor hanabi joker spades trump
    oware morris tsuro medici dominion smithy militia
    fuji volcano lava eruption eruptions erupt rubble stamina meeple meeples tinkerer survivalist
    fog islander islanders castaway shipwreck poison exodus catan carcassonne";

/// Names of more than one word.
const PHRASES: &[&str] = &[
    "tic tac toe",
    "connect four",
    "four in a row",
    "love letter",
    "lands unknown",
    "the fog",
    "kuhn poker",
    "go fish",
];

/// Titles of games that are words of the trade or of English, so that only their longer forms can be told.
const COMMON_TITLES: &[&str] = &["hex", "discover", "breakthrough", "go", "pig"];

// ── The checks ─────────────────────────────────────────────────────────────────────────────────────────────────────

/// How many modules lie between a file and the root of its room (the room's own `mod.rs`: 0).
fn room_depth(path: &str) -> usize {
    let parts = path.trim_end_matches(".rs").split('/').count() - 2;
    parts - usize::from(path.ends_with("/mod.rs"))
}

/// What the manifest of a room may not depend on: rooms that are none of its doors, and crates of other rooms.
fn manifest_doors(room: &str, manifest: &str) -> Vec<String> {
    let Some((_, allowed)) = DOORS.iter().find(|(r, _)| *r == room) else {
        return vec![format!(
            "src/{room}/Cargo.toml: the room `{room}` has no doors; see tests/architecture.rs"
        )];
    };
    let mut out = Vec::new();
    let mut section = "";
    for line in manifest.lines().map(str::trim) {
        if line.starts_with('[') {
            section = line;
            continue;
        }
        let name = line.split(['.', '=']).next().unwrap_or("").trim().trim_matches('"');
        if !section.contains("dependencies") || name.is_empty() || name.starts_with('#') {
            continue;
        }
        if let Some(used) = name.strip_prefix("houserule-") {
            if !allowed.contains(&used) {
                out.push(format!("src/{room}/Cargo.toml: `{room}` may not use `{used}`"));
            }
        } else if let Some((_, owners)) = OWNERS.iter().find(|(krate, _)| *krate == name)
            && !owners.contains(&room)
        {
            let owners = owners.join("` and `");
            out.push(format!("src/{room}/Cargo.toml: only `{owners}` may use the crate `{name}`"));
        }
    }
    out
}

/// The layer of a room in which a file lies, if the room has layers: a folder, or a file beside them.
fn layer_of(path: &str) -> Option<(&'static str, Layers, &str)> {
    let (room, layers) = LAYERS.iter().find(|(room, _)| path.starts_with(&format!("src/{room}/")))?;
    let inside = &path["src/".len() + room.len() + 1..];
    let file = || inside.strip_suffix(".rs").filter(|f| layers.iter().any(|(l, _)| l == f));
    let layer = inside.split_once('/').map(|(folder, _)| folder).or_else(file);
    Some((room, layers, layer.unwrap_or("")))
}

/// Uses of other layers of its room that a file may not have.
fn layer_doors(path: &str, text: &str) -> Vec<String> {
    let Some((room, layers, layer)) = layer_of(path) else { return Vec::new() };
    // The room's own root puts the layers together.
    if layer.is_empty() || path.contains("/tests/") {
        return Vec::new();
    }
    let Some((_, allowed)) = layers.iter().find(|(l, _)| *l == layer) else {
        return vec![format!(
            "{path}: the folder `{layer}` of `{room}` is no layer; see tests/architecture.rs"
        )];
    };
    let code = code(text, false);
    let depth = room_depth(path);
    let mut used: Vec<(usize, String)> = Vec::new();
    for at in places(&code, "crate::") {
        used.extend(heads(&code, at + "crate::".len()).into_iter().map(|w| (at, w)));
    }
    // `super` that climbs to the room's root.
    for at in places(&code, "super::") {
        if code[..at].ends_with("::") {
            continue;
        }
        let mut n = 0;
        let mut end = at;
        while code[end..].starts_with("super::") {
            n += 1;
            end += "super::".len();
        }
        if n >= depth + inner_modules(&code, at) {
            used.extend(heads(&code, end).into_iter().map(|w| (at, w)));
        }
    }
    used.retain(|(_, w)| layers.iter().any(|(l, _)| l == w) && w != layer && !allowed.contains(&w.as_str()));
    used.iter()
        .map(|(at, w)| format!("{path}:{}: `{layer}` may not use `{w}`", line_of(&code, *at)))
        .collect()
}

/// Which modules of a crate each of them uses. `files`: paths from the crate's folder without `.rs`, and texts.
fn module_uses(files: &[(String, String)]) -> BTreeMap<String, BTreeSet<String>> {
    let module = |path: &str| {
        let parts: Vec<&str> = path.split('/').filter(|p| !["mod", "lib"].contains(p)).collect();
        parts.join("/")
    };
    let all: BTreeSet<String> = files.iter().map(|(path, _)| module(path)).collect();
    let mut out: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (path, text) in files {
        let own = module(path);
        let uses = out.entry(own.clone()).or_default();
        for path in paths(&code(text, false)) {
            let climbs = path.iter().take_while(|p| *p == "super").count();
            let mut at: Vec<&str> = own.split('/').filter(|p| !p.is_empty()).collect();
            match path[0].as_str() {
                "crate" => at.clear(),
                _ => at.truncate(at.len().saturating_sub(climbs)),
            }
            for part in path.iter().skip(climbs.max(1)) {
                at.push(part);
                if !all.contains(&at.join("/")) {
                    at.pop();
                    break;
                }
            }
            let used = at.join("/");
            if used != own && all.contains(&used) {
                uses.insert(used);
            }
        }
    }
    out
}

/// The circles of modules that use each other, each in order of names.
fn circles(uses: &BTreeMap<String, BTreeSet<String>>) -> Vec<Vec<String>> {
    let reach = |from: &String| {
        let (mut found, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(at) = open.pop() {
            for used in uses.get(at).into_iter().flatten() {
                if found.insert(used.clone()) {
                    open.push(used);
                }
            }
        }
        found
    };
    let reached: BTreeMap<&String, BTreeSet<String>> = uses.keys().map(|m| (m, reach(m))).collect();
    let mut out: Vec<Vec<String>> = Vec::new();
    for (module, found) in &reached {
        let circle: Vec<String> = found.iter().filter(|o| reached[o].contains(*module)).cloned().collect();
        if !circle.is_empty() && !out.contains(&circle) {
            out.push(circle);
        }
    }
    out
}

/// Uses of the world outside, and of what a bot may not see, that a file may not have.
fn doors(path: &str, text: &str) -> Vec<String> {
    let mut out = Vec::new();
    // Whole files of tests, and `#[cfg(test)]` items, may read what they compare with.
    let of_tests = path.ends_with("/tests.rs") || path.contains("/tests/");
    let code = code(text, false);
    let room = path.split('/').nth(1).unwrap_or("");
    let mut tell = |at: usize, what: String| out.push(format!("{path}:{}: {what}", line_of(&code, at)));
    // The one file that holds a bot's machine is the wall: behind it nobody sees a state.
    if room == "bots" && path != "src/bots/sight.rs" {
        for what in ["State", "state()"] {
            for at in places(&code, what) {
                tell(at, "a bot sees what its seat may know, never the state".to_string());
            }
        }
    }
    let edge = EDGE.iter().any(|e| path == *e || e.ends_with('/') && path.starts_with(e));
    if !edge && !of_tests {
        for what in OUTSIDE.iter().chain(PRINTS) {
            for at in places(&code, what) {
                tell(at, format!("`{what}` belongs to the edge (cli, lab's runner)"));
            }
        }
        for at in places(&code, "std::{").chain(places(&code, "use std::{")) {
            for word in heads(&code, at + code[at..].find('{').unwrap_or(0)) {
                if OUTSIDE.contains(&format!("std::{word}").as_str()) {
                    tell(at, format!("`std::{word}` belongs to the edge (cli, lab's runner)"));
                }
            }
        }
    }
    out
}

/// What a file of the editor may not have: the world outside beyond its edge, crates that are another's, rooms of the library that are not for it.
fn editor_doors(path: &str, text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let code = code(text, path.ends_with("/tests.rs"));
    let mut tell = |at: usize, what: String| out.push(format!("{path}:{}: {what}", line_of(&code, at)));
    if !EDITOR_EDGE.contains(&path) {
        for what in OUTSIDE.iter().chain(PRINTS) {
            for at in places(&code, what) {
                // A length of time is plain data; to ask what time it is, is not.
                let rest = code[at + what.len()..].strip_prefix("::");
                let plain = *what == "std::time" && rest.is_some_and(|r| heads(r, 0) == ["Duration"]);
                if !plain {
                    tell(at, format!("`{what}` belongs to the editor's edge (main, jobs, disk, claim)"));
                }
            }
        }
        for at in places(&code, "std::{") {
            for word in heads(&code, at + "std::".len()) {
                if OUTSIDE.contains(&format!("std::{word}").as_str()) {
                    tell(at, format!("`std::{word}` belongs to the editor's edge (main, jobs, disk, claim)"));
                }
            }
        }
    }
    let pure = path.ends_with("/data.rs");
    for (krate, owners) in EDITOR_OWNERS {
        let owned = owners.iter().any(|o| path == *o || o.ends_with('/') && path.starts_with(o));
        if owned && !(pure && *krate == "egui") {
            continue;
        }
        for at in places(&code, &format!("{krate}::")) {
            // A module of that name in a path of one's own is no crate, and a colour is plain data.
            let colour = pure && owned && {
                let used = heads(&code, at + krate.len() + "::".len());
                used.iter().all(|w| w == "Color32" || w == "ecolor")
            };
            if !code[..at].ends_with("::") && !colour {
                tell(at, format!("`{krate}` is not for this file; see tests/architecture.rs"));
            }
        }
    }
    for at in places(&code, "houserule::") {
        for word in heads(&code, at + "houserule::".len()) {
            // What is played is told in the engine's own data; nobody else needs to know that there is one.
            let played = path.starts_with("editor/src/play/") || path.starts_with("editor/src/panels/play/");
            if ["cli", "hooks"].contains(&word.as_str()) || word == "engine" && !played {
                tell(at, format!("the editor may not use `{word}`"));
            }
        }
    }
    out
}

/// Where code that ships may end the program.
fn panics(path: &str, text: &str) -> Vec<String> {
    if path.ends_with("/tests.rs") || path.contains("/tests/") || HELPERS.contains(&path) {
        return Vec::new();
    }
    let code = code(text, false);
    let all = PANICS.iter().flat_map(|what| places(&code, what));
    // The text of an `expect` is blanked; a method of one's own that is called so is given something else.
    let unwraps = [".unwrap()", ".unwrap_err()", ".expect( ", ".expect_err( "];
    let all = all.chain(unwraps.iter().flat_map(|what| code.match_indices(what).map(|(at, _)| at)));
    all.map(|at| format!("{path}:{}: this may end the program", line_of(text, at))).collect()
}

/// Games' words in a file: in names, comments and texts alike.
fn games_words(path: &str, text: &str, titles: &[String]) -> Vec<String> {
    let all = words(text);
    let own: Vec<&str> = WORDS.split_whitespace().collect();
    let mut out = Vec::new();
    let phrases: Vec<Vec<String>> = PHRASES
        .iter()
        .map(|p| p.to_string())
        .chain(titles.iter().cloned())
        .map(|p| words(&p).into_iter().map(|(_, w)| w).collect())
        .collect();
    for (i, (at, word)) in all.iter().enumerate() {
        if own.contains(&word.as_str()) {
            out.push(format!("{path}:{}: `{word}` is a game's word", line_of(text, *at)));
        }
        for p in &phrases {
            let here = all[i..].iter().map(|(_, w)| w);
            if !p.is_empty() && all.len() - i >= p.len() && p.iter().eq(here.take(p.len())) {
                out.push(format!("{path}:{}: `{}` is a game's word", line_of(text, *at), p.join(" ")));
            }
        }
    }
    out.sort();
    out.dedup();
    out
}

/// What of the grammar is not read, read but not there, or used by nobody.
fn grammar_gaps(files: &[(String, String)], reader: &str, syntax: &str) -> Vec<String> {
    let mut out = Vec::new();
    let named: Vec<&str> = reader
        .lines()
        .filter_map(|l| l.trim().strip_prefix("#[grammar = \"../../grammar/")?.strip_suffix("\"]"))
        .collect();
    for (name, text) in files {
        if !named.contains(&name.as_str()) {
            out.push(format!("grammar/{name} is not read by src/syntax/grammar.rs"));
        }
        if !text.starts_with("//") {
            out.push(format!("grammar/{name} does not begin with what it is about"));
        }
    }
    for name in &named {
        if !files.iter().any(|(f, _)| f == name) {
            out.push(format!("grammar/{name} is read but is not there"));
        }
    }
    // Rules that nothing uses: neither another rule nor the tree.
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut rules: Vec<(&str, String)> = Vec::new();
    let mut uses: Vec<(String, String)> = Vec::new();
    for (file, text) in files {
        let mut rule = String::new();
        for line in bare_pest(text).lines() {
            let head: &str = &line[..line.find(|c| !is_name(c)).unwrap_or(line.len())];
            let mut body = line;
            if !head.is_empty() && line[head.len()..].trim_start().starts_with('=') {
                rules.push((file, head.to_string()));
                rule = head.to_string();
                body = &line[head.len()..];
            }
            uses.extend(
                body.split(|c| !is_name(c)).filter(|w| !w.is_empty()).map(|w| (rule.clone(), w.to_string())),
            );
        }
    }
    for (file, rule) in rules {
        let by_rule = uses.iter().any(|(by, w)| *by != rule && *w == rule);
        // The parser itself uses these two.
        let built_in = rule == "WHITESPACE" || rule == "COMMENT";
        let by_tree = places(syntax, &format!("Rule::{rule}")).next().is_some();
        if !by_rule && !built_in && !by_tree && rule != "file" {
            out.push(format!("grammar/{file}: nothing uses `{rule}`"));
        }
    }
    out
}

/// The strings that stand in a script of Python, one after the other.
fn python_strings(script: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut rest = script;
    while let Some(at) = rest.find(['"', '\'', '#']) {
        let quote = &rest[at..=at];
        let long = quote.repeat(3);
        let quote = if rest[at..].starts_with(&long) { long.as_str() } else { quote };
        rest = &rest[at + quote.len()..];
        if quote.starts_with('#') {
            rest = rest.split_once('\n').map_or("", |(_, next)| next);
            continue;
        }
        let mut text = String::new();
        while !rest.is_empty() && !rest.starts_with(quote) {
            let escaped = rest.starts_with('\\');
            let mut chars = rest[usize::from(escaped)..].chars();
            text.extend(chars.next().map(|c| if escaped && c == 'n' { '\n' } else { c }));
            rest = chars.as_str();
        }
        rest = rest.get(quote.len()..).unwrap_or_default();
        out.push(text);
    }
    out
}

/// Texts that a script replaces in files of the source (a path, then the text) and that do not stand there; and how many do.
fn lost_places(name: &str, script: &str, source: &[(String, String)]) -> (Vec<String>, usize) {
    let strings = python_strings(script);
    let (mut lost, mut stand) = (Vec::new(), 0);
    for pair in strings.windows(2).filter(|pair| pair[0].starts_with("src/") && pair[0].ends_with(".rs")) {
        match source.iter().any(|(path, text)| *path == pair[0] && text.contains(&pair[1])) {
            true => stand += 1,
            false => lost.push(format!("{name}: {} does not hold: {}", pair[0], pair[1])),
        }
    }
    (lost, stand)
}

// ── The project ────────────────────────────────────────────────────────────────────────────────────────────────────

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

/// All files below a folder with that ending: paths from the project's root, with `/`, and texts.
fn files(folder: &str, ending: &str) -> Vec<(String, String)> {
    fn go(dir: &Path, out: &mut Vec<PathBuf>) {
        let Ok(entries) = std::fs::read_dir(dir) else { return };
        for path in entries.flatten().map(|e| e.path()) {
            if path.is_dir() {
                go(&path, out);
            } else {
                out.push(path);
            }
        }
    }
    let mut all = Vec::new();
    go(&root().join(folder), &mut all);
    all.sort();
    all.into_iter()
        .filter(|p| p.extension().is_some_and(|e| e == ending))
        .filter_map(|p| {
            let name = p.strip_prefix(root()).ok()?.to_string_lossy().replace('\\', "/");
            Some((name, std::fs::read_to_string(&p).ok()?))
        })
        .collect()
}

/// Titles of every game that ships and of those on paper.
fn titles() -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for (_, text) in files("rules", "rules").into_iter().chain(files("tests/sketches", "rules")) {
        for line in text.lines().filter(|l| l.trim_start().starts_with("game ")) {
            out.extend(line.split('"').nth(1).map(str::to_lowercase));
        }
    }
    out.sort();
    out.dedup();
    out.retain(|t| !COMMON_TITLES.contains(&t.as_str()));
    out
}

fn none(found: Vec<String>) {
    let mut all = String::new();
    for f in &found {
        let _ = writeln!(all, "  {f}");
    }
    assert!(found.is_empty(), "{} found:\n{all}", found.len());
}

#[test]
fn every_room_keeps_its_doors() {
    let src = files("src", "rs");
    assert!(src.len() > 20, "the source was not found");
    none(src.iter().flat_map(|(path, text)| doors(path, text)).collect());
    let manifests = files("src", "toml");
    assert_eq!(manifests.len(), DOORS.len(), "each room is a crate");
    let room = |path: &str| path.split('/').nth(1).unwrap_or("").to_string();
    none(manifests.iter().flat_map(|(path, text)| manifest_doors(&room(path), text)).collect());
}

#[test]
fn the_layers_of_a_room_use_only_those_below() {
    let src = files("src", "rs");
    none(src.iter().flat_map(|(path, text)| layer_doors(path, text)).collect());
}

#[test]
fn no_two_files_use_each_other() {
    let rooms = DOORS.iter().map(|(room, _)| format!("src/{room}"));
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    for folder in rooms.chain(["editor/src".to_string()]) {
        let in_folder = |path: &str| path[folder.len() + 1..].trim_end_matches(".rs").to_string();
        let all: Vec<(String, String)> = files(&folder, "rs")
            .into_iter()
            .filter(|(path, _)| !path.contains("/tests") && !path.ends_with("/main.rs"))
            .map(|(path, text)| (in_folder(&path), text))
            .collect();
        found.extend(circles(&module_uses(&all)).into_iter().map(|circle| (folder.clone(), circle)));
    }
    none(found.iter().map(|circle| format!("files that use each other: {circle:?}")).collect());
}

#[test]
fn a_circle_of_files_is_found() {
    let found = |files: &[(&str, &str)]| {
        let files: Vec<(String, String)> =
            files.iter().map(|(p, t)| (p.to_string(), t.to_string())).collect();
        circles(&module_uses(&files))
    };
    let circle = |all: &[&str]| vec![all.iter().map(|m| m.to_string()).collect::<Vec<_>>()];
    assert_eq!(found(&[("a", "use super::b::B;"), ("b", "fn f() { crate::a::g() }")]), circle(&["a", "b"]));
    assert_eq!(
        found(&[
            ("x/mod", ""),
            ("x/a", "use crate::{x::b::{self, C}, y};"),
            ("x/b", "use crate::y::Z;"),
            ("y", "use crate::x::a;")
        ]),
        circle(&["x/a", "x/b", "y"])
    );
    let none_of = [
        ("a", "use crate::b; // crate::c"),
        ("b", "use crate::c::D;"),
        ("c", "#[cfg(test)]\nmod t { use crate::a; }"),
    ];
    assert!(found(&none_of).is_empty());
}

#[test]
fn the_library_knows_no_game() {
    let titles = titles();
    assert!(titles.len() >= 9 && titles.iter().any(|t| t == "love letter"), "{titles:?}");
    let src = files("src", "rs").into_iter().chain(files("editor/src", "rs"));
    // The names of shapes are those of the pieces that makers of components sell.
    let src = src.filter(|(path, _)| path != "src/model/shapes.rs");
    none(src.flat_map(|(path, text)| games_words(&path, &text, &titles)).collect());
}

#[test]
fn the_editor_keeps_its_doors() {
    let src = files("editor/src", "rs");
    assert!(src.len() > 20, "the editor was not found");
    none(src.iter().flat_map(|(path, text)| editor_doors(path, text)).collect());
}

#[test]
fn nothing_that_ships_ends_the_program() {
    let src = files("src", "rs").into_iter().chain(files("editor/src", "rs"));
    none(src.flat_map(|(path, text)| panics(&path, &text)).collect());
    let bad = |text: &str| assert_eq!(panics("src/text/span.rs", text).len(), 1, "{text}");
    bad("fn f(x: Option<u8>) -> u8 { x.unwrap() }");
    bad("fn f(x: Option<u8>) -> u8 { x.expect(\"a number\") }");
    bad("fn f() { unreachable!(\"never\") }");
    none(panics(
        "src/text/span.rs",
        "fn f(x: &X) { x.expect(1); /* panic!( */ }\n#[cfg(test)]\nmod t { fn g() { panic!() } }",
    ));
}

#[test]
fn every_file_of_the_grammar_is_read_and_every_rule_used() {
    let name = |(path, text): (String, String)| (path.trim_start_matches("grammar/").to_string(), text);
    let grammar: Vec<(String, String)> = files("grammar", "pest").into_iter().map(name).collect();
    assert!(grammar.len() > 3, "the grammar was not found");
    let syntax = files("src/syntax", "rs");
    let reader = syntax.iter().find(|(p, _)| p.ends_with("/grammar.rs")).map_or("", |(_, t)| t);
    let all: String = syntax.iter().map(|(_, t)| t.as_str()).collect();
    none(grammar_gaps(&grammar, reader, &all));
}

// ── The checks bite ────────────────────────────────────────────────────────────────────────────────────────────────

#[test]
fn a_wrong_door_is_found_however_it_is_written() {
    let bad = |path: &str, text: &str, what: &str| {
        let found = doors(path, text);
        assert!(found.iter().any(|f| f.contains(what)), "{path}: {text}\n{found:?}");
    };
    bad("src/bots/greedy.rs", "use houserule_engine::State;", "never the state");
    bad("src/bots/greedy.rs", "fn f(m: &mut Match) { m.state() }", "never the state");
    let bad = |room: &str, line: &str, what: &str| {
        let found = manifest_doors(room, &format!("[package]\nname = \"x\"\n\n[dependencies]\n{line}\n"));
        assert!(found.iter().any(|f| f.contains(what)), "{room}: {line}\n{found:?}");
    };
    bad("engine", "houserule-syntax.workspace = true", "`engine` may not use `syntax`");
    bad("text", "houserule-cli = { path = \"../cli\" }", "`text` may not use `cli`");
    bad("model", "serde.workspace = true\npest.workspace = true", "only `syntax` may use the crate `pest`");
    bad("play", "[dev-dependencies]\nrhai = \"1\"", "only `hooks` may use the crate `rhai`");
    bad("cellar", "", "has no doors");
    none(manifest_doors(
        "engine",
        "[dependencies]\nhouserule-program.workspace = true\nserde.workspace = true\n",
    ));
}

#[test]
fn a_layer_that_uses_one_above_is_found() {
    let bad = |path: &str, text: &str, what: &str| {
        let found = layer_doors(path, text);
        assert!(found.iter().any(|f| f.contains(what)), "{path}: {text}\n{found:?}");
    };
    bad(
        "src/program/ir/ins.rs",
        "\nuse crate::lower::Lower;",
        "src/program/ir/ins.rs:2: `ir` may not use `lower`",
    );
    bad("src/program/ir/ins.rs", "use super::super::passes;", "`ir` may not use `passes`");
    bad("src/program/ir/mod.rs", "use super::{lower::Lower, setup};", "`ir` may not use `lower`");
    bad("src/program/passes/licm.rs", "fn f() { crate::lower::lower() }", "`passes` may not use `lower`");
    bad("src/program/attic/mod.rs", "", "the folder `attic` of `program` is no layer");
    none(layer_doors("src/program/ir/ins.rs", "use super::Func; use super::super::ir::R; // crate::lower"));
    none(layer_doors("src/program/passes/licm.rs", "use super::liveness::alive; use crate::ir::Ins;"));
    none(layer_doors("src/program/mod.rs", "use lower::Lower;"));
}

#[test]
fn a_wrong_door_of_the_editor_is_found() {
    let bad = |path: &str, text: &str, what: &str| {
        let found = editor_doors(path, text);
        assert!(found.iter().any(|f| f.contains(what)), "{path}: {text}\n{found:?}");
    };
    bad("editor/src/app/mod.rs", "use std::fs;", "std::fs");
    bad("editor/src/panels/x/ui.rs", "let t = std::time::Instant::now();", "std::time");
    bad("editor/src/panels/x/ui.rs", "use std::time::{Duration, Instant};", "std::time");
    bad("editor/src/workspace.rs", "use std::{thread, sync::Arc};", "std::thread");
    bad("editor/src/document/mod.rs", "fn f(ui: &mut egui::Ui) {}", "`egui` is not for this file");
    bad("editor/src/panels/x/data.rs", "use egui::{Color32, Ui};", "`egui` is not for this file");
    bad("editor/src/app/mod.rs", "rfd::FileDialog::new()", "`rfd` is not for this file");
    bad("editor/src/panels/x/ui.rs", "eframe::run_native()", "`eframe` is not for this file");
    bad("editor/src/app/mod.rs", "use houserule::cli::Io;", "may not use `cli`");
    bad("editor/src/app/mod.rs", "use houserule::engine::State;", "may not use `engine`");
    bad("editor/src/app/mod.rs", "println!()", "println!");
    none(editor_doors("editor/src/app/mod.rs", "use std::time::Duration; use crate::egui::x; // std::fs"));
    none(editor_doors("editor/src/jobs.rs", "use std::time::Instant; use std::thread;"));
    none(editor_doors("editor/src/disk.rs", "use std::fs;"));
}

#[test]
fn reaching_out_is_found() {
    let bad = |text: &str, what: &str| {
        let found = doors("src/engine/data/state.rs", text);
        assert!(found.iter().any(|f| f.contains(what)), "{text}\n{found:?}");
    };
    bad("let t = std::time::Instant::now();", "std::time");
    bad("use std::fs;", "std::fs");
    bad("use std::{collections::HashMap, env, sync::Arc};", "std::env");
    bad("fn f() { println!(\"x\"); }", "println!");
    bad("fn f() { dbg!(1); }", "dbg!");
    bad("fn f<'a>(x: &'a str) { std::thread::spawn(|| ()); }", "std::thread");
    bad("const C: char = '\"'; fn f() { std::process::exit(1) }", "std::process");
    bad("const S: &str = r#\"a \" b\"#; use std::fs;", "std::fs");
    assert!(!doors("src/lab/stats.rs", "use std::time::Instant;").is_empty());
}

#[test]
fn what_is_allowed_is_left_alone() {
    let fine = |path: &str, text: &str| none(doors(path, text));
    fine(
        "src/engine/data/state.rs",
        "use houserule_program::ir; use super::world; use houserule_text::Span;",
    );
    fine("src/engine/data/state.rs", "// use std::env;\n/* std::fs /* println! */ */ /// [`std::env`]");
    fine(
        "src/engine/data/state.rs",
        "const S: &str = \"use std::env; \\\" println!\"; const T: &str = r\"std::fs\";",
    );
    fine("src/engine/data/state.rs", "const C: char = '\\''; const D: char = '\"'; fn f<'a>() {} // \"");
    fine("src/engine/data/state.rs", "#[cfg(test)]\nmod tests { fn f() { println!(\"{}\", 1); } }\n");
    fine("src/engine/tests.rs", "use std::fs;");
    fine("src/cli/play.rs", "use houserule_play::Game; use std::fs; fn f() { println!(\"\"); }");
    fine("src/lab/testing.rs", "use std::time::Instant;");
    fine("src/main.rs", "fn main() { houserule::cli::main() }");
    fine("src/program/lower/mod.rs", "let times = my_std::fsx;");
}

#[test]
fn a_games_word_is_found_wherever_it_stands() {
    let titles = vec!["crowns".to_string(), "goofspiel".to_string()];
    let bad = |text: &str| {
        let found = games_words("src/engine/x.rs", text, &titles);
        assert_eq!(found.len(), 1, "{text}: {found:?}");
    };
    bad("// as in Othello");
    bad("const S: &str = \"tic-tac-toe\";");
    bad("struct TicTacToe;");
    bad("fn connect_four() {}");
    bad("fn lay_disc() {}");
    bad("struct DiscColour;");
    bad("//! Handmaid.");
    bad("let lava = 1;");
    bad("\"Lands\nUnknown\"");
    bad("fn crowns_won() {}");
    bad("\"Love\nLetter\"");
    bad("mod goof { const GOOFSPIEL: u8 = 1; }");
    none(games_words(
        "src/engine/x.rs",
        "// A guard discards what it does not discover; hexes, discrete; a letter of love; four tokens connect; kingdom",
        &titles,
    ));
}

#[test]
fn gaps_of_the_grammar_are_found() {
    let file = |n: &str, t: &str| (n.to_string(), t.to_string());
    let good = [file(
        "a.pest",
        "// A.\nfile = { item }\nitem = { \"\\\"\" ~ name ~ \"spare\" }\nname = { 'a'..'z' }\n",
    )];
    none(grammar_gaps(&good, "#[grammar = \"../../grammar/a.pest\"]", ""));
    let bad = [
        file(
            "a.pest",
            "// A.\nfile = { item }\nitem = { \"spare\" ~ item? }\nspare = { \"x\" }\nkept = { \"y\" }\n",
        ),
        file("b.pest", "other = { \"z\" }\n"),
    ];
    let found = grammar_gaps(
        &bad,
        "#[grammar = \"../../grammar/a.pest\"]\n#[grammar = \"../../grammar/c.pest\"]",
        "Rule::kept => 1",
    );
    let told = |what: &str| assert!(found.iter().any(|f| f.contains(what)), "{what}: {found:?}");
    told("grammar/b.pest is not read");
    told("grammar/b.pest does not begin");
    told("grammar/c.pest is read but is not there");
    told("nothing uses `spare`");
    told("nothing uses `other`");
    assert_eq!(found.len(), 5, "{found:?}");
}

/// The scripts that plant faults in a copy of the source find the places for them.
#[test]
fn planted_faults_have_their_places() {
    let source = files("src", "rs");
    let scripts = files("docs/experiments", "py");
    for (script, least) in [("old-faults.py", 20), ("secret-mutants.py", 35)] {
        let (name, text) = scripts.iter().find(|(name, _)| name.ends_with(script)).unwrap();
        let (lost, stand) = lost_places(name, text, &source);
        none(lost);
        assert!(stand >= least, "{name} plants {stand} faults");
    }
}

#[test]
fn a_planted_fault_without_a_place_is_found() {
    let script = "\"\"\"Plants \"faults\".\"\"\"\n# It's one.\nALL = [('a \"b\"', \"src/a.rs\", 'f(\"x\\n\")', \"\")]\n";
    let source = |text: &str| [("src/a.rs".to_string(), text.to_string())];
    assert_eq!(lost_places("s.py", script, &source("f(\"x\n\")")), (Vec::new(), 1));
    let (lost, stand) = lost_places("s.py", script, &source("f(\"y\n\")"));
    assert_eq!((lost.len(), stand), (1, 0), "{lost:?}");
}
