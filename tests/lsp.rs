//! `houserule lsp`: a client talks to the program over its streams, as an editor does.
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// An editor, as far as the protocol goes.
struct Client {
    program: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    /// What was told of files meanwhile.
    told: Vec<Value>,
    next: i64,
    folder: tempfile::TempDir,
}

const GAME: &str = "game Steps \"Steps\" { players 2; outcome win }\nenum Colour { red, blue }\n\
card Card { colour: Colour = red; rank: 1..9 = 1 }\nCard fool \"Fool\" { rank: 3 }\nCard queen \"Queen\" { colour: blue }\n\
player { pace: 0..9 = 0 }\nmenu walk { }\n## One step on.\naction go(s: 1..2) in walk { my.pace += s; if my.pace == 9 { win me } }\nround { everyone in turn { offer walk } }\n";

impl Client {
    fn start() -> Client {
        let folder = tempfile::tempdir().expect("a folder");
        let mut program = Command::new(env!("CARGO_BIN_EXE_houserule"))
            .arg("lsp")
            .current_dir(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program");
        let input = program.stdin.take().expect("its input");
        let mut output = BufReader::new(program.stdout.take().expect("its output"));
        let (to, messages) = channel();
        std::thread::spawn(move || {
            while let Some(message) = read_message(&mut output) {
                if to.send(message).is_err() {
                    break;
                }
            }
        });
        Client { program, input, messages, told: Vec::new(), next: 0, folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().expect("a folder").join(name)
    }

    fn uri(&self, name: &str) -> String {
        format!("file://{}", self.path(name).display())
    }

    fn send(&mut self, message: Value) {
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("it is written");
        self.input.flush().expect("it is sent");
    }

    fn note(&mut self, method: &str, params: Value) {
        self.send(json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// The next message; what takes longer than any machine needs has failed.
    fn receive(&self) -> Value {
        self.messages.recv_timeout(Duration::from_secs(120)).expect("an answer")
    }

    fn ask_raw(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.send(json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let message = self.receive();
            if message["id"] == id {
                return message;
            }
            self.told.push(message);
        }
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        let answer = self.ask_raw(method, params);
        assert!(answer["error"].is_null(), "{method}: {answer}");
        answer["result"].clone()
    }

    fn initialize(&mut self, encodings: Value) -> Value {
        let params = json!({ "processId": null, "rootUri": null, "capabilities": { "general": { "positionEncodings": encodings } } });
        let answer = self.ask("initialize", params);
        self.note("initialized", json!({}));
        answer
    }

    fn open(&mut self, name: &str, text: &str) {
        let uri = self.uri(name);
        self.note(
            "textDocument/didOpen",
            json!({ "textDocument": { "uri": uri, "languageId": "houserule", "version": 1, "text": text } }),
        );
    }

    /// The next findings of a file.
    fn findings(&mut self, name: &str) -> Vec<Value> {
        let uri = self.uri(name);
        let is_it = |m: &Value| {
            m["method"] == "textDocument/publishDiagnostics" && m["params"]["uri"] == uri.as_str()
        };
        if let Some(at) = self.told.iter().position(is_it) {
            return self.told.remove(at)["params"]["diagnostics"].as_array().expect("a list").clone();
        }
        loop {
            let message = self.receive();
            if is_it(&message) {
                return message["params"]["diagnostics"].as_array().expect("a list").clone();
            }
            self.told.push(message);
        }
    }

    fn at(&self, name: &str, text: &str, word: &str) -> Value {
        let offset = text.find(word).unwrap_or_else(|| panic!("{word}"));
        let before = &text[..offset];
        let start = before.rfind('\n').map_or(0, |n| n + 1);
        json!({
            "textDocument": { "uri": self.uri(name) },
            "position": { "line": before.matches('\n').count(), "character": text[start..offset].encode_utf16().count() },
        })
    }

    fn end(mut self) {
        assert_eq!(self.ask("shutdown", Value::Null), Value::Null);
        self.note("exit", Value::Null);
        assert!(self.program.wait().expect("it ends").success());
    }
}

fn read_message(from: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if from.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        if let Some(n) = line.strip_prefix("Content-Length: ") {
            length = n.parse().ok()?;
        }
    }
    let mut bytes = vec![0; length];
    from.read_exact(&mut bytes).ok()?;
    serde_json::from_slice(&bytes).ok()
}

/// The text of a range of the protocol, counted in UTF-16.
fn slice<'t>(text: &'t str, range: &Value) -> &'t str {
    let offset = |p: &Value| {
        let (line, character) = (
            p["line"].as_u64().expect("a line") as usize,
            p["character"].as_u64().expect("a column") as usize,
        );
        let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
        let mut units = 0;
        let own = &text[start..];
        start
            + own
                .char_indices()
                .find(|(_, c)| {
                    let here = units >= character;
                    units += c.len_utf16();
                    here
                })
                .map_or(own.len(), |(i, _)| i)
    };
    &text[offset(&range["start"])..offset(&range["end"])]
}

#[test]
fn an_editor_is_served_from_the_first_word_to_the_last() {
    let mut c = Client::start();
    std::fs::write(c.path("steps.rules"), GAME).expect("it is written");
    let about = c.initialize(json!([]));
    assert_eq!(about["capabilities"]["positionEncoding"], "utf-16");
    assert_eq!(about["serverInfo"]["name"], "houserule");
    c.open("steps.rules", GAME);
    assert!(c.findings("steps.rules").is_empty());
    // A word is mistyped, in a line with a sign that is two units wide.
    let uri = c.uri("steps.rules");
    let line = GAME.matches('\n').count();
    let change = |version: i32, text: &str, range: Value| json!({ "textDocument": { "uri": uri, "version": version }, "contentChanges": [{ "range": range, "text": text }] });
    let end = json!({ "line": line, "character": 0 });
    c.note(
        "textDocument/didChange",
        change(2, "value twice(p: player): int = 2 * p.pacce    # 𝄞\n", json!({ "start": end, "end": end })),
    );
    let found = c.findings("steps.rules");
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((&found[0]["severity"], &found[0]["source"]), (&json!(1), &json!("houserule")));
    let text = format!("{GAME}value twice(p: player): int = 2 * p.pacce    # 𝄞\n");
    assert_eq!(slice(&text, &found[0]["range"]), "pacce");
    // Its quick fix mends it.
    let fixes = c.ask("textDocument/codeAction", json!({ "textDocument": { "uri": uri }, "range": found[0]["range"], "context": { "diagnostics": [] } }));
    let edit = &fixes[0]["edit"]["changes"][&uri][0];
    assert_eq!((slice(&text, &edit["range"]), edit["newText"].as_str()), ("pacce", Some("pace")), "{fixes}");
    c.note("textDocument/didChange", change(3, "pace", edit["range"].clone()));
    // Nobody uses the value yet: a warning.
    let found = c.findings("steps.rules");
    assert!(found.iter().all(|d| d["severity"] == 2), "{found:?}");
    let text = text.replace("p.pacce", "p.pace");

    let hover = c.ask("textDocument/hover", c.at("steps.rules", &text, "go(s"));
    let said = hover["contents"]["value"].as_str().expect("words");
    assert!(
        said.contains("One step on.") && said.contains("```houserule\naction go(s: 1..2) in walk"),
        "{said}"
    );
    let declared = c.ask("textDocument/definition", c.at("steps.rules", &text, "walk { my"));
    assert_eq!(slice(&text, &declared["range"]), "walk");
    let mut params = c.at("steps.rules", &text, "pace: 0..9");
    params["context"] = json!({ "includeDeclaration": true });
    let all = c.ask("textDocument/references", params.clone());
    assert_eq!(all.as_array().map(Vec::len), Some(4), "{all}");
    assert!(all.as_array().expect("a list").iter().all(|l| slice(&text, &l["range"]) == "pace"));
    params["context"] = json!({ "includeDeclaration": false });
    assert_eq!(c.ask("textDocument/references", params).as_array().map(Vec::len), Some(3));
    let marked = c.ask("textDocument/documentHighlight", c.at("steps.rules", &text, "pace: 0..9"));
    assert_eq!(marked.as_array().map(Vec::len), Some(4));

    // Rename: where, to what, and why not.
    let where_it_is = c.ask("textDocument/prepareRename", c.at("steps.rules", &text, "pace: 0..9"));
    assert_eq!(slice(&text, &where_it_is), "pace");
    let mut params = c.at("steps.rules", &text, "pace: 0..9");
    params["newName"] = json!("steps");
    let edits = c.ask("textDocument/rename", params.clone());
    assert_eq!(edits["changes"][&uri].as_array().map(Vec::len), Some(4), "{edits}");
    params["newName"] = json!("no name");
    let refused = c.ask_raw("textDocument/rename", params);
    assert!(refused["error"]["message"].as_str().is_some_and(|m| !m.is_empty()), "{refused}");

    // Completion behind a dot knows what a player has.
    let at = c.at("steps.rules", &text, "pace    # ");
    let items = c.ask("textDocument/completion", at);
    let labels: Vec<&str> =
        items.as_array().expect("a list").iter().filter_map(|i| i["label"].as_str()).collect();
    assert!(labels.contains(&"pace"), "{labels:?}");

    let outline = c.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": uri } }));
    let names: Vec<&str> =
        outline.as_array().expect("a list").iter().filter_map(|s| s["name"].as_str()).collect();
    assert!(names.contains(&"Card") && names.contains(&"go") && names.contains(&"twice"), "{names:?}");
    let colours = c.ask("textDocument/semanticTokens/full", json!({ "textDocument": { "uri": uri } }));
    let data = colours["data"].as_array().expect("numbers");
    assert!(data.len().is_multiple_of(5) && data.len() > 200, "{}", data.len());
    let legend =
        about["capabilities"]["semanticTokensProvider"]["legend"]["tokenTypes"].as_array().expect("a legend");
    assert!(
        data.iter().skip(3).step_by(5).all(|sort| sort.as_u64().is_some_and(|n| (n as usize) < legend.len()))
    );
    // What the cards have that is not written on them.
    let whole = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let hints = c.ask("textDocument/inlayHint", json!({ "textDocument": { "uri": uri }, "range": whole }));
    let told: Vec<&str> =
        hints.as_array().expect("a list").iter().filter_map(|h| h["label"].as_str()).collect();
    assert_eq!(told, ["(colour: red)", "(rank: 1)"]);

    // Layout and folds of another file of the game, which is nowhere on the disk yet.
    let loose = "value thrice(p: player): int =    3 * twice(p)\ntest \"three\" with Ann, Bo {\n  Ann.pace = 2\n  expect thrice(Ann) == 12\n}\n";
    c.open("more.rules", loose);
    assert!(c.findings("more.rules").is_empty());
    let more = c.uri("more.rules");
    let edits = c.ask(
        "textDocument/formatting",
        json!({ "textDocument": { "uri": more }, "options": { "tabSize": 2, "insertSpaces": true } }),
    );
    assert_eq!(edits.as_array().map(Vec::len), Some(1), "{edits}");
    assert_eq!(slice(loose, &edits[0]["range"]), "value thrice(p: player): int =    3 * twice(p)\n");
    assert_eq!(edits[0]["newText"], "value thrice(p: player): int = 3 * twice(p)\n");
    let folds = c.ask("textDocument/foldingRange", json!({ "textDocument": { "uri": more } }));
    assert_eq!(folds[0]["startLine"], 1, "{folds}");
    // What that file changes is told of the first one: the value is used now.
    assert!(c.findings("steps.rules").is_empty());

    // What it does not know, and what it cannot read.
    assert_eq!(c.ask_raw("textDocument/nonsense", json!({}))["error"]["code"], -32601);
    assert_eq!(c.ask_raw("textDocument/hover", json!({ "textDocument": 3 }))["error"]["code"], -32602);
    c.note("textDocument/didChange", json!({ "nonsense": true }));
    let nobody = json!({ "textDocument": { "uri": "untitled:Untitled-1" }, "position": { "line": 0, "character": 0 } });
    assert_eq!(c.ask("textDocument/hover", nobody), Value::Null);
    c.end();
}

/// What only set-ups find comes a moment after the last key.
#[test]
fn set_ups_are_asked_when_nobody_types() {
    let mut c = Client::start();
    c.initialize(json!(["utf-8"]));
    let text = format!("{GAME}needs count(players) == 3 else \"three\"\n");
    c.open("steps.rules", &text);
    assert!(c.findings("steps.rules").is_empty());
    let found = c.findings("steps.rules");
    assert!(found.iter().any(|d| d["message"].as_str().is_some_and(|m| m.contains("three"))), "{found:?}");
    // The text on the disk counts again when the document is closed.
    std::fs::write(c.path("steps.rules"), GAME).expect("it is written");
    let uri = c.uri("steps.rules");
    c.note("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    c.open("steps.rules", GAME);
    assert!(c.findings("steps.rules").is_empty());
    c.end();
}

/// Every shipped file opens, with the findings that `check` has: none.
#[test]
fn shipped_files_open_without_findings() {
    let mut c = Client::start();
    c.initialize(json!([]));
    let root = crate::support::root();
    let open = |c: &mut Client, path: &Path| {
        let text = std::fs::read_to_string(path).expect("a file");
        let uri = format!("file://{}", path.canonicalize().expect("a path").display());
        c.note(
            "textDocument/didOpen",
            json!({ "textDocument": { "uri": uri, "languageId": "houserule", "version": 1, "text": text } }),
        );
        let told = c.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": uri } }));
        assert!(told.as_array().is_some_and(|all| !all.is_empty()), "{uri}");
    };
    for path in [
        "rules/discover/combat.rules",
        "scenarios/fog/xappalo.scenario",
        "rules/mods/thermos.rules",
        "rules/classics/hex/hex.rules",
    ] {
        open(&mut c, &root.join(path));
    }
    c.ask("shutdown", Value::Null);
    while let Ok(message) = c.messages.recv_timeout(Duration::from_millis(200)) {
        c.told.push(message);
    }
    let found: Vec<&Value> = c
        .told
        .iter()
        .filter(|m| m["params"]["diagnostics"].as_array().is_some_and(|d| !d.is_empty()))
        .collect();
    assert!(found.is_empty(), "{found:?}");
    assert!(c.told.len() >= 4, "{:?}", c.told);
    c.note("exit", Value::Null);
    assert!(c.program.wait().expect("it ends").success());
}
