//! The command line: help, findings, exit codes, piped games, the JSON conversation.
use houserule::cli::{Exit, Io, run};
use serde_json::Value;
use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};

/// A stream that can be read afterwards.
#[derive(Clone, Default)]
struct Sink(Arc<Mutex<Vec<u8>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("the sink").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Sink {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().expect("the sink").clone()).expect("text")
    }
}

pub struct Done {
    pub exit: Exit,
    pub out: String,
    pub err: String,
}

/// Runs a command line with an input; words are separated by blanks.
pub fn cli_in(line: &str, input: &str) -> Done {
    run_words(line.split_whitespace(), input)
}

/// Runs a command with these arguments, which may have blanks.
pub fn cli_args(args: &[&str]) -> Done {
    run_words(args.iter().copied(), "")
}

pub fn run_words<'a>(words: impl Iterator<Item = &'a str>, input: &str) -> Done {
    let (out, err) = (Sink::default(), Sink::default());
    let mut io = Io::in_memory(input, Box::new(out.clone()), Box::new(err.clone()));
    let args = std::iter::once("houserule").chain(words).map(OsString::from);
    let exit = run(args, &mut io);
    Done { exit, out: out.text(), err: err.text() }
}

pub fn cli(line: &str) -> Done {
    cli_in(line, "")
}

pub fn lines(out: &str) -> Vec<Value> {
    out.lines().map(|l| serde_json::from_str(l).unwrap_or_else(|e| panic!("{e}: {l}"))).collect()
}

#[test]
fn without_the_editor_it_is_said_what_to_do() {
    let done = cli("edit /no/such/place");
    assert_eq!(done.exit, Exit::Unreadable);
    assert!(done.err.contains("there is no file or folder /no/such/place"), "{}", done.err);
    // These tests lie in a folder of their own, where no editor is.
    let done = cli("edit");
    assert_eq!(done.exit, Exit::Unreadable);
    assert!(done.err.contains("cargo build --release -p houserule-editor"), "{}", done.err);
}

#[test]
fn help_is_worth_reading() {
    let done = cli("--help");
    assert_eq!(done.exit, Exit::Fine);
    insta::assert_snapshot!("help", done.out);
    insta::assert_snapshot!("help_play", cli("play --help").out);
    for command in [
        "check", "fmt", "explain", "test", "mutate", "coverage", "sim", "replay", "view", "why", "perft",
        "dump", "edit", "games", "fuzz", "cards",
    ] {
        let help = cli(&format!("{command} --help"));
        assert_eq!((help.exit, help.err.as_str()), (Exit::Fine, ""), "{command}");
        assert!(help.out.contains("Usage: houserule"), "{command}: {}", help.out);
    }
}

#[test]
fn check_shows_everything_at_once() {
    let done = cli("check tests/cli/wrong");
    assert_eq!(done.exit, Exit::Findings);
    insta::assert_snapshot!("check_wrong", done.out);
    let plain = cli("--ascii check tests/cli/wrong");
    assert!(plain.out.is_ascii(), "{}", plain.out);
    let painted = cli("--color always check tests/cli/wrong");
    assert!(painted.out.contains('\u{1b}') && !done.out.contains('\u{1b}'));
}

#[test]
fn check_for_machines() {
    let done = cli("check tests/cli/wrong --format json");
    assert_eq!(done.exit, Exit::Findings);
    let all: Value = serde_json::from_str(&done.out).expect("JSON");
    assert_eq!(all["errors"], 3);
    let first = &all["findings"][0];
    assert_eq!(
        (&first["code"], &first["fix"], &first["at"]["line"]),
        (&"E0255".into(), &"move".into(), &8.into())
    );
    assert_eq!(first["at"]["file"], "tests/cli/wrong/wrong.rules");
}

#[test]
fn shipped_games_are_clean_from_both_places() {
    for name in ["tic-tac-toe", "love-letter", "rules"] {
        let done = cli(&format!("check {name} --strict"));
        assert_eq!(done.exit, Exit::Fine, "{name}: {}", done.out);
    }
    assert!(cli("games").out.contains("Love Letter, 2 to 4 players"));
}

#[test]
fn exit_codes_say_what_went_wrong() {
    let cases = [
        ("check tests/cli/wrong", Exit::Findings, 1),
        ("play tests/cli/wrong", Exit::Findings, 1),
        ("frobnicate", Exit::Usage, 2),
        ("play otello", Exit::Usage, 2),
        ("play othello --seats you,gredy", Exit::Usage, 2),
        ("play othello --seats you,random,random", Exit::Usage, 2),
        ("play othello --variant hoels", Exit::Usage, 2),
        ("play othello --option seed=5000", Exit::Usage, 2),
        ("play love-letter --players 9", Exit::Usage, 2),
        ("explain E9999", Exit::Usage, 2),
        ("sim kuhn --out games.txt", Exit::Usage, 2),
        ("check no/such/folder", Exit::Unreadable, 3),
        ("replay no-such-file", Exit::Unreadable, 3),
        ("fmt no-such-file.txt", Exit::Unreadable, 3),
    ];
    for (line, exit, code) in cases {
        let done = cli(line);
        assert_eq!(done.exit, exit, "{line}: {}{}", done.out, done.err);
        assert_eq!(done.exit.code(), code);
        assert!(!done.err.is_empty() || line.starts_with("check tests"), "{line} says nothing");
    }
    assert!(cli("play otello").err.contains("did you mean othello?"));
    assert!(cli("play othello --seats you,gredy").err.contains("did you mean greedy?"));
    assert!(cli("play othello --variant hoels").err.contains("holes"));
}

#[test]
fn codes_are_explained() {
    let done = cli("explain e0204");
    assert_eq!(done.exit, Exit::Fine);
    insta::assert_snapshot!("explain", done.out);
    let all = cli("explain").out;
    let mut codes: Vec<&str> = all.lines().filter_map(|l| l.split(' ').next()).collect();
    assert!(codes.len() >= 60);
    codes.sort_unstable();
    let twice: Vec<_> = codes.windows(2).filter(|w| w[0] == w[1]).collect();
    assert!(twice.is_empty(), "a code with two meanings: {twice:?}");
    assert!(cli("explain E02004").err.contains("did you mean E0204?"));
}

#[test]
fn fmt_checks_then_mends() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.rules");
    std::fs::write(&file, "game   A \"A\" { players 2;outcome win }\n").expect("written");
    let path = folder.path().display();
    let before = cli(&format!("fmt --check {path}"));
    assert_eq!(before.exit, Exit::Findings, "{}", before.out);
    assert!(std::fs::read_to_string(&file).expect("read").contains("game   A"), "--check changes nothing");
    assert_eq!(cli(&format!("fmt {path}")).exit, Exit::Fine);
    assert_eq!(std::fs::read_to_string(&file).expect("read"), "game A \"A\" { players 2; outcome win }\n");
    assert_eq!(cli(&format!("fmt --check {path}")).exit, Exit::Fine);
    let piped = cli_in("fmt -", "game  A \"A\" { players 2 }\n");
    assert_eq!((piped.exit, piped.out.as_str()), (Exit::Fine, "game A \"A\" { players 2 }\n"));
    assert_eq!(cli_in("fmt -", "game {{{").exit, Exit::Findings);
}

#[test]
fn a_piped_game_from_start_to_end() {
    let input =
        "help\n1\nb2\nwhy not B2\nplase(C1)\nundo\nplace(C2)\n2\n5\nlist B\nplace(C1)\nplace(B1)\nlog\n";
    let done = cli_in("play tic-tac-toe --seats you,you --seed 4", input);
    assert_eq!(done.exit, Exit::Fine, "{}", done.err);
    insta::assert_snapshot!("piped_game", done.out);
    assert!(done.out.contains("The game is over."));
}

#[test]
fn a_game_stops_politely_where_the_input_ends() {
    let done = cli_in("play othello --seed 1", "1\n");
    assert_eq!(done.exit, Exit::Fine);
    assert!(done.out.ends_with("The input has ended; the game stops after 2 choices.\n"), "{}", done.out);
    assert_eq!(
        cli_in("play othello", "\u{0}\u{ffff}\nxyzzy ((((\n\n99999999999999999999\n").exit,
        Exit::Fine
    );
}

/// The blocks of these pages are pieces of the run that the page names; a line `…` stands for what is left out. docs/experiments/captures.py writes them again.
#[test]
fn the_docs_show_games_as_they_are_printed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (name, least) in [("discover", 20), ("fuji", 8), ("fog", 6)] {
        let page = std::fs::read_to_string(root.join(format!("docs/{name}.md"))).expect("the page");
        let line =
            page.lines().find_map(|l| l.strip_prefix("houserule play ")).expect("the page names no command");
        let (line, answers) = line.split_once(" < ").expect("the command reads no answers");
        let answers = std::fs::read_to_string(root.join(answers)).expect("the answers");
        let done = cli_in(&format!("play {line}"), &answers);
        assert_eq!(done.exit, Exit::Fine, "{}", done.err);
        let mut rest = done.out.as_str();
        let mut pieces = 0;
        for block in page.split("```text\n").skip(1) {
            let block = block.split("\n```").next().unwrap_or_default();
            for piece in block.split("\n…\n") {
                let found = rest.split_once(piece);
                rest =
                    found.unwrap_or_else(|| panic!("{name}: not printed, or not in this order:\n{piece}")).1;
                pieces += 1;
            }
        }
        assert!(pieces > least, "{name}: only {pieces} pieces were found");
    }
}

/// Lists are for people: an action's name stands there in separate words, and may be typed so.
#[test]
fn actions_are_listed_in_separate_words_and_may_be_typed_so() {
    let done = cli_in(
        "play fuji --scenario bench_skills --seed 7",
        "1 2\nlist\nplace marker(B3)\nlist marker\nquit\n",
    );
    assert_eq!(done.exit, Exit::Fine, "{}", done.err);
    assert!(done.out.contains("\n  Place marker:  1 B2  2 B3"), "{}", done.out);
    assert!(done.out.contains("· Player 1: Place marker B3"), "{}", done.out);
    assert!(!done.out.contains("place_marker") && !done.out.contains("say_"), "{}", done.out);
}

/// A set is ticked: what can be picked is listed, not every set of it.
#[test]
fn a_set_is_ticked_by_numbers_and_names() {
    let lines = "1\n2 of clubs, 9 of clubs\ntake\n99\nlist 5 of hearts\n4 5\nquit\n";
    let done = cli_in("play hearts --seed 1", lines);
    assert_eq!(done.exit, Exit::Fine, "{}", done.err);
    let mut rest = done.out.as_str();
    for piece in [
        "Which three cards do you pass to Player 2? (pick 3; 0 so far)\n   1   2 of clubs  ",
        "> 1\n",
        "(pick 3; 1 so far)\n   1 ✓ 2 of clubs  ",
        "(pick 3; 1 so far)\n   1   2 of clubs  ",
        "3 ✓ 9 of clubs",
        "> take\nNot yet: pick 3; 1 so far.\n",
        "> 99\nWhat can be picked is numbered 1 to 13.\n",
        "{club(2), club(5), heart(5)}",
        "> 4 5\n· Player 1: 9 of clubs, jack of clubs and 5 of diamonds\n",
    ] {
        rest = rest.split_once(piece).unwrap_or_else(|| panic!("{piece:?} is missing in\n{rest}")).1;
    }
    assert!(!done.out.contains("more; `list` shows them"), "{}", done.out);
}

/// An action that can be done in one way only is named without it; where there are several, it is asked which.
#[test]
fn an_action_with_one_choice_may_be_named_alone() {
    let line = "play discover --scenario cry --seats you,you --names Ann,Ben --seed 4";
    let begin = "old salt\ngalley\n";
    let one = cli_in(line, &format!("{begin}trade\nquit\n"));
    assert!(one.out.contains("> trade\n· Ann: Trade with Ben"), "{}", one.out);
    let many = cli_in(line, &format!("{begin}move_on\nquit\n"));
    assert!(many.out.contains("> move_on\n  1 Move to E5 (2 of 10 stamina)"), "{}", many.out);
}

/// The text of a card that the table does not show is read by `look` and a word of it.
#[test]
fn cards_are_read_with_look() {
    let line = "play discover --scenario cry --seats you,you --names Ann,Ben --seed 4";
    let done = cli_in(line, "old salt\ngalley\nlook caretaker\nlook wombat\nquit\n");
    assert!(done.out.contains("> look caretaker\nspecials: The caretaker"), "{}", done.out);
    assert!(
        done.out.contains("No card or pile that you see has `wombat` in its name or text."),
        "{}",
        done.out
    );
}

/// A set begins with a thing whose word has brackets, too; that is no action.
#[test]
fn sets_of_cards_are_listed_whole() {
    let done = cli_in("play hearts --seed 3", "list hearts\n2 of clubs, 3 of clubs, 6 of clubs\n");
    assert!(
        done.out.contains("{club(2), club(3), heart(2)}") && !done.out.contains("{club:"),
        "{}",
        done.out
    );
    assert!(done.out.contains("· Player 1: 2 of clubs, 3 of clubs and 6 of clubs"), "{}", done.out);
}

#[test]
fn a_terminal_that_knows_only_ascii_gets_nothing_else() {
    let input = "1\n".repeat(8) + "log\nlook\n";
    for game in ["othello", "love-letter", "goofspiel"] {
        let done = cli_in(&format!("--ascii play {game} --seed 3 --names Zoë,Bo"), &input);
        assert_eq!(done.exit, Exit::Fine, "{}", done.err);
        assert!(done.out.is_ascii(), "{game}: {}", done.out);
        assert!(done.out.contains("Round 1"), "{game}: {}", done.out);
    }
}

#[test]
fn a_curtain_hides_one_persons_hand_from_the_other() {
    let input = "1\n".repeat(60);
    let done = cli_in("play kuhn --seats you,you --seed 9", &input);
    let parts: Vec<&str> = done.out.split("----").collect();
    assert!(parts.len() >= 3, "no curtain: {}", done.out);
    // What stands between the first curtain and the second is the first player's alone.
    let (mine, theirs) = (parts[2], parts[4]);
    assert!(mine.contains("Player 1: hand number") && mine.contains("Player 2: hand (1 hidden)"), "{mine}");
    assert!(
        theirs.contains("Player 2: hand number") && theirs.contains("Player 1: hand (1 hidden)"),
        "{theirs}"
    );
    // Nobody has secrets on an open board: no curtain.
    assert!(!cli_in("play tic-tac-toe --seats you,you", "1\n1\n").out.contains("----"));
}

/// Whoever looks at the others' cards here makes the rules fail by what is on them.
const MARKS: &str = r#"
game Marks "Marks" { players 2; outcome highest points }
card Note { rank: 1..9 = 7; mark: 0..2 = 0 }
Note note x4 { }
table { zone deck: Note seen by nobody }
player { zone hand: Note seen by owner; points: 0..9 = 0 }
setup { move Note to deck; for p in players { move first 2 of deck to p.hand } }
round 3 times { everyone in turn { offer main } }
menu main { pass }
rule press(p: player) { for c in p.hand { c.mark += c.rank } }
action peek() in main { for p in players - me { press(p) } }
"#;

#[test]
fn a_rule_error_tells_a_hidden_number_only_to_who_plays_alone_with_a_seed() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("marks.rules");
    std::fs::write(&file, MARKS).expect("written");
    let path = file.display();
    let request = r#"{"do": "choose", "seat": 0, "question": 0, "choice": "peek()"}"#;
    let hows = [
        ("you,random --seed 1", true),
        ("you,random", false),
        ("you,you --seed 1", false),
        ("you,you", false),
    ];
    for (how, told) in hows {
        for (json, typed) in [("", "peek()"), (" --json", request)] {
            let said = cli_in(&format!("play {path} --seats {how}{json}"), &format!("{typed}\n"));
            let said = format!("{}{}", said.out, said.err);
            assert!(said.contains("E0659") && said.contains("this rule was running"), "{how}{json}: {said}");
            assert_eq!(said.contains("mark cannot be 7"), told, "{how}{json}: {said}");
            assert_eq!(said.contains("in action `peek`"), told, "{how}{json}: {said}");
        }
    }
}

#[test]
fn a_saved_match_is_replayed_and_an_edited_one_refused_with_the_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.save");
    let path = file.display();
    let played =
        cli_in("play connect-four --seats you,random --seed 8", &format!("4\n4\n4\nsave {path}\nquit\n"));
    assert!(played.out.contains("Saved to"), "{}{}", played.out, played.err);
    let replay = cli(&format!("replay {path}"));
    assert_eq!(replay.exit, Exit::Fine, "{}", replay.err);
    assert!(replay.out.contains("6 of 6 choices"), "{}", replay.out);
    let upto: Value =
        serde_json::from_str(&cli(&format!("replay {path} --to 3 --format json")).out).expect("JSON");
    assert_eq!((upto["steps"].as_array().map(Vec::len), &upto["of"]), (Some(3), &6.into()));
    // A seat is told neither what others have answered nor the seed.
    let own: Value =
        serde_json::from_str(&cli(&format!("replay {path} --seat 1 --format json")).out).expect("JSON");
    assert_eq!((&own["steps"][0]["says"], &own["steps"][1]["says"]), (&"drop(D)".into(), &Value::Null));
    let own = cli(&format!("replay {path} --seat 1"));
    assert!(own.out.contains("drop(D)") && !own.out.contains("seed"), "{}", own.out);
    let view: Value =
        serde_json::from_str(&cli(&format!("view {path} --seat 2 --to 0 --format json")).out).expect("JSON");
    assert_eq!((&view["seat"], &view["step"]), (&1.into(), &0.into()));
    let on = cli_in(&format!("play connect-four --load {path}"), "5\nundo\nundo\nlog\n");
    assert_eq!(on.exit, Exit::Fine, "{}", on.err);
    assert!(
        on.out.contains("red is a random bot") && on.out.contains("The match is again as it was after 4"),
        "{}",
        on.out
    );
    assert_eq!(cli(&format!("replay {path} --to 7")).exit, Exit::Usage);
    assert_eq!(cli(&format!("view {path} --seat 3")).exit, Exit::Usage);

    let text = std::fs::read_to_string(&file).expect("read");
    let third =
        text.lines().position(|l| l.contains("seat: 0") && l.contains("drop(D)")).expect("a choice") + 1;
    std::fs::write(&file, text.replacen("drop(D)", "drop(A)", 1)).expect("written");
    let edited = cli(&format!("replay {path}"));
    assert_eq!(edited.exit, Exit::Findings);
    assert!(edited.err.contains(&format!("line {third}")), "{}", edited.err);
    // Of a choice that cannot be taken again, only its own seat is told the words.
    let mut second = text.clone();
    let says = text.lines().find(|l| l.contains("seat: 1")).expect("a choice of the second seat");
    second = second.replacen(says, "(seat: 1, player: \"red\", says: \"drop(Z)\"),", 1);
    std::fs::write(&file, second).expect("written");
    for (reader, told) in [("", true), (" --seat 2", true), (" --seat 1", false)] {
        for command in ["replay", "view"].into_iter().filter(|c| *c == "replay" || !reader.is_empty()) {
            let parted = cli(&format!("{command} {path}{reader}"));
            assert!(parted.err.contains("after 1 choices"), "{command}{reader}: {}", parted.err);
            assert_eq!(parted.err.contains("drop(Z)"), told, "{command}{reader}: {}", parted.err);
        }
        let json = cli(&format!("replay {path}{reader} --format json")).out;
        assert_eq!(json.contains("drop(Z)"), told, "{json}");
    }
    let half = text.lines().take(third + 1).collect::<Vec<_>>().join("\n");
    std::fs::write(&file, half).expect("written");
    let cut = cli(&format!("replay {path}"));
    assert_eq!(cut.exit, Exit::Findings);
    assert!(cut.err.contains("incomplete"), "{}", cut.err);
    std::fs::write(&file, "what is this").expect("written");
    assert_eq!(cli(&format!("replay {path}")).exit, Exit::Unreadable);
}

#[test]
fn the_json_conversation() {
    let input = [
        r#"{"do": "choose", "choice": "place(B2)", "id": 7}"#,
        r#"{"do": "choose", "choice": "place(B2)"}"#,
        r#"{"do": "why_not", "choice": "place(B2)"}"#,
        r#"{"do": "choose", "choice": "plaec(B2)"}"#,
        r#"{"do": "options", "from": 2, "most": 2}"#,
        r#"{"do": "view", "seat": 1}"#,
        r#"{"do": "view", "seat": 9}"#,
        r#"{"do": "undo"}"#,
        r#"{"do": "log"}"#,
        r#"{"do": "dance"}"#,
        "nonsense",
        r#"{"do": "start", "given": "given { A1.mark = crosses; B1.mark = crosses }"}"#,
        r#"{"do": "choose", "choice": "place(C1)"}"#,
        r#"{"do": "start", "given": "given { A1.marc = crosses }"}"#,
        r#"{"do": "quit"}"#,
        r#"{"do": "state"}"#,
    ]
    .join("\n");
    let done = cli_in("play tic-tac-toe --json --seed 2", &input);
    assert_eq!(done.exit, Exit::Fine);
    let said = lines(&done.out);
    let kinds: Vec<&str> = said.iter().map(|v| v["type"].as_str().unwrap_or("?")).collect();
    let want = [
        "hello", "state", "state", "error", "reasons", "error", "options", "view", "error", "state", "log",
        "error", "error", "hello", "state", "state", "error", "bye",
    ];
    assert_eq!(kinds, want, "{}", done.out);
    assert_eq!((&said[0]["protocol"], &said[0]["seats"][1]), (&2.into(), &"you".into()));
    assert_eq!(said[1]["decisions"][0]["choices"].as_array().map(Vec::len), Some(9));
    assert_eq!((&said[2]["id"], &said[2]["step"]), (&7.into(), &1.into()));
    assert_eq!(said[3]["kind"], "illegal");
    assert_eq!((&said[4]["legal"], &said[5]["kind"]), (&false.into(), &"words".into()));
    assert_eq!(said[5]["details"]["near"], "place");
    assert_eq!(said[6]["options"].as_array().map(Vec::len), Some(2));
    assert_eq!(said[7]["view"]["maps"][0]["spaces"].as_array().map(Vec::len), Some(9));
    assert_eq!(said[9]["step"], 0);
    assert_eq!((&said[15]["over"], &said[15]["result"]["verdicts"][0]), (&true.into(), &"won".into()));
    assert_eq!((&said[16]["kind"], &said[16]["details"][0]["code"]), (&"given".into(), &"E0251".into()));
}

#[test]
fn a_given_block_may_come_from_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("position.txt");
    std::fs::write(&file, "given {\n  A1.mark = noughts\n  B1.mark = noughts\n}\n").expect("written");
    let line = format!("play tic-tac-toe --seats you,you --given {}", file.display());
    let done = cli_in(&line, "place(C3)\nplace(C1)\n");
    assert_eq!(done.exit, Exit::Fine, "{}", done.err);
    assert!(done.out.contains("1  o o"), "{}", done.out);
    assert!(done.out.contains("noughts won"), "{}", done.out);
    std::fs::write(&file, "given { A1.mark = nobody_at_all }").expect("written");
    let wrong = cli(&line);
    assert_eq!(wrong.exit, Exit::Findings);
    assert!(wrong.err.contains("nobody_at_all"), "{}", wrong.err);
}

#[test]
fn the_example_client_plays_a_game() {
    let client = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/examples/client.py");
    let got = Command::new("python3")
        .arg(client)
        .arg(env!("CARGO_BIN_EXE_houserule"))
        .args(["love-letter", "--seats", "you,greedy", "--seed", "5"])
        .output()
        .expect("python3 is needed to test the example client");
    let text = String::from_utf8_lossy(&got.stdout);
    assert!(got.status.success(), "{text}{}", String::from_utf8_lossy(&got.stderr));
    assert!(text.starts_with("Love Letter: Player 1 ") && text.contains("choices"), "{text}");
}

/// An oracle outside the engine: it knows the worked rules alone, and talks to the program as any other program would.
#[test]
fn an_oracle_foretells_what_turns_of_fuji_bring() {
    let oracle = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle/fuji.py");
    let got = Command::new("python3")
        .arg(oracle)
        .arg(env!("CARGO_BIN_EXE_houserule"))
        .args(["fuji", "300"])
        .output()
        .expect("python3 is needed to ask the oracle");
    let text = String::from_utf8_lossy(&got.stdout);
    assert!(got.status.success(), "{text}{}", String::from_utf8_lossy(&got.stderr));
    assert!(text.starts_with("300 turns as foretold"), "{text}");
}

/// The same for The FOG: which movements are on offer, what they do, and everybody's points, line by line, in games and on boards strewn at random. An oracle that is wrong is found out.
#[test]
fn an_oracle_foretells_who_may_move_where_in_the_fog() {
    let oracle = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle/fog.py");
    let ask = |positions: &str, boards: &str, mistake: &str| {
        let got = Command::new("python3")
            .arg(&oracle)
            .arg(env!("CARGO_BIN_EXE_houserule"))
            .args(["fog", positions, "--boards", boards, "--mistake", mistake])
            .output()
            .expect("python3 is needed to ask the oracle");
        let text = String::from_utf8_lossy(&got.stdout).into_owned();
        (got.status.success(), text + &*String::from_utf8_lossy(&got.stderr))
    };
    let (fine, text) = ask("240", "12", "0");
    assert!(
        fine && text.starts_with("240 positions as foretold") && text.contains("\n12 boards strewn"),
        "{text}"
    );
    for (mistake, where_seen) in [("1", "jump("), ("2", "own_boat is")] {
        for (positions, boards) in [("500", "0"), ("0", "20")] {
            let (fine, text) = ask(positions, boards, mistake);
            assert!(!fine && text.contains(where_seen), "mistake {mistake}: {text}");
        }
    }
}

/// The same for Discover: combats and what survivors carry, on random land. An oracle that is wrong is found out.
#[test]
fn an_oracle_foretells_combats_and_loads_of_discover() {
    let oracle = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle/discover.py");
    let ask = |positions: &str, mistake: &str| {
        let got = Command::new("python3")
            .arg(&oracle)
            .arg(env!("CARGO_BIN_EXE_houserule"))
            .args(["discover", positions, "200", "--mistake", mistake])
            .output()
            .expect("python3 is needed to ask the oracle");
        let text = String::from_utf8_lossy(&got.stdout).into_owned();
        (got.status.success(), text + &*String::from_utf8_lossy(&got.stderr))
    };
    let (fine, text) = ask("16", "0");
    assert!(fine && text.starts_with("16 positions as foretold"), "{text}");
    for mistake in ["2", "3", "4"] {
        let (fine, text) = ask("16", mistake);
        assert!(!fine && text.starts_with("position 2"), "mistake {mistake}: {text}");
    }
}

#[test]
fn simulations_do_not_depend_on_jobs() {
    let folder = tempfile::tempdir().expect("a folder");
    let (a, b) = (folder.path().join("a.csv"), folder.path().join("b.csv"));
    let run = |jobs: u32, out: &Path| {
        let line =
            format!("sim love-letter --games 60 --seats greedy,random --jobs {jobs} --out {}", out.display());
        let done = cli(&line);
        assert_eq!(done.exit, Exit::Fine, "{}", done.err);
        done.out
    };
    let (one, three) = (run(1, &a), run(3, &b));
    assert_eq!(one, three);
    let (a, b) = (std::fs::read(a).expect("read"), std::fs::read(b).expect("read"));
    assert_eq!(a, b);
    assert_eq!(String::from_utf8_lossy(&a).lines().count(), 61);
    let all: Value = serde_json::from_str(&cli("sim kuhn --games 40 --format json").out).expect("JSON");
    assert_eq!((&all["games"], &all["finished"]), (&40.into(), &40.into()));
}

#[test]
fn figures_and_code() {
    insta::assert_snapshot!("perft", cli("perft tic-tac-toe --depth 5").out);
    let stats = cli("dump othello --stats");
    assert_eq!(stats.exit, Exit::Fine, "{}", stats.err);
    let (whole, slow) = (cli("dump othello"), cli("dump othello --no-lift --after none"));
    assert!(whole.out.len() > 10 * stats.out.len() / 10 && whole.out != slow.out);
    insta::assert_snapshot!("why", cli("why othello score(black)").out);
    assert!(cli("why othello scoer(black)").err.contains("did you mean score?"));
    assert!(cli("why othello score(blakc)").err.contains("did you mean black?"));
}

/// Cards that forbid a walk, stand in its place, and act around it.
const WALKS: &str = r#"game Walks "Walks" { players 2; outcome win }
player { coins: 0..9 = 5; zone hand: Charm active }
token Charm { }
Charm boots "Boots" { instead of walk(owner, n) when n > 2 { proceed(n: n + 1) } }
Charm chain "Chain" { forbid walk(owner) else "chained" }
Charm bell "Bell" { before walk(p) by owner when p != owner { say "ding" } }
Charm lamp "Lamp" { after walk(owner) once per turn { owner.coins += 1 } }
Charm coat "Coat" { after walk(p) during storm { p.coins += 1 } }
after walk(p, n) when n == 1 { say "short" }
rule walk(p: player, n: 0..9) { p.coins -= n }
phase storm() { as first of players { offer act } }
setup { for c in [boots, bell, lamp, coat] { move c to (first of players).hand } }
round { everyone in turn { offer act } }
menu act { pass }
action go(n: 1..3) in act { walk(me, n) }
action blow() in act { storm() }
"#;

#[test]
fn why_tells_what_stands_around_a_rule() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("walks.rules");
    std::fs::write(&file, WALKS).expect("write");
    let why = |call: &str| {
        let done = cli(&format!("why {} {call} --names Ann,Bo", file.display()));
        // Where the folder lies does not matter.
        format!("{}{}", done.out, done.err).replace(&format!("{}/", folder.path().display()), "")
    };
    let all = ["walk(Ann,2)", "walk(Ann,1) --by Bo", "walk(Bo,5)", "go(3) --format json"];
    let wrong = ["walk(Ann)", "walk(Cy,2)", "walk(Ann,2) --by Cy", "wlk(Ann,2)"];
    let told: Vec<String> = all.iter().chain(&wrong).map(|call| format!("> {call}\n{}", why(call))).collect();
    insta::assert_snapshot!("why_rules", told.join("\n"));
}

/// The second `either` is never asked; its ways have the same numbers as those of the first.
const WAYS: &str = r#"
game Ways "Ways" { players 2; outcome win }
player { coins: 0..9 = 5 }
round { everyone in turn { offer act } }
menu act { pass }
action tap() in act { either "Tap it" { my.coins += 1 } or "Cut it" { my.coins += 2 } }
action rest() in act { either "Sit" { my.coins += 1 } or "Sleep" { my.coins += 2 } }
test "a word of another question" with Ann, Bo { start at round; Ann: tap(); Ann: sit }
"#;

#[test]
fn a_test_answers_with_words_of_the_question_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("ways.rules");
    std::fs::write(&file, WAYS).expect("write");
    let done = cli(&format!("test {}", file.display()));
    assert!(
        format!("{}{}", done.out, done.err).contains("`sit` is no answer to this question"),
        "{}",
        done.out
    );
}

#[test]
fn why_tells_each_modification_with_its_place() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(
        folder.path().join("a.rules"),
        "game A \"A\" { players 2; outcome win }\nmap Board squares 2 by 2\nspace Cell on Board { mark: player? }\n\
         value worth(c: Cell): int = 2\nmodify worth(c) = usual + 3 when c.mark is none\n\
         variant more \"More\" { modify worth(c) = usual * 2 }\n\
         round { everyone in turn { offer move } }\nmenu move { tie when no action }\n\
         action place(c: Cell where it.mark is none) in move { c.mark = me; if worth(c) > 100 { win me } }\n",
    )
    .expect("written");
    let path = folder.path().display();
    let values = |line: &str| -> Vec<String> {
        let done = cli(line);
        let all: Value =
            serde_json::from_str(&done.out).unwrap_or_else(|e| panic!("{e}: {}{}", done.out, done.err));
        let chain = all["chain"].as_array().expect("a chain");
        chain.iter().map(|c| c["value"].as_str().unwrap_or("?").to_string()).collect()
    };
    assert_eq!(values(&format!("why {path} worth(A1) --variant more --format json")), ["2", "5", "10"]);
    let save = folder.path().join("m.save");
    let save = save.display();
    let played =
        cli_in(&format!("play {path} --seats you,you --variant more"), &format!("A1\nsave {save}\n"));
    assert!(played.out.contains("Saved to"), "{}", played.out);
    assert_eq!(values(&format!("why {path} worth(A1) --at {save} --format json")), ["2", "2", "4"]);
    assert_eq!(values(&format!("why {path} worth(A1) --at {save}:0 --format json")), ["2", "5", "10"]);
    assert!(cli(&format!("why {path} worth(A1) --variant more")).out.contains("a.rules:6:"));
}

#[test]
fn tests_in_rules_are_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let junit = folder.path().join("junit.xml");
    let done = cli(&format!("test kuhn --junit {}", junit.display()));
    assert_eq!(done.exit, Exit::Fine, "{}{}", done.out, done.err);
    assert!(std::fs::read_to_string(junit).expect("read").contains("<testsuites"));
    std::fs::write(
        folder.path().join("a.rules"),
        "game A \"A\" { players 2; outcome win }\nmap Board squares 2 by 2\nspace Cell on Board { mark: player? }\n\
         round { everyone in turn { offer move } }\nmenu move { tie when no action }\n\
         action place(c: Cell where it.mark is none) in move { c.mark = me }\n\
         test \"right\" { expect A1.mark is none }\ntest \"wrong\" { expect A1.mark is some }\n",
    )
    .expect("written");
    let both = cli(&format!("test {}", folder.path().display()));
    assert_eq!(both.exit, Exit::Findings);
    assert!(both.out.contains("2 tests, 1 passed, 1 failed"), "{}", both.out);
    let one = cli(&format!("test {} --filter right", folder.path().display()));
    assert_eq!(one.exit, Exit::Fine, "{}", one.out);
}

#[test]
fn a_broken_pipe_ends_quietly() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_houserule"))
        .args(["dump", "othello"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    drop(child.stdout.take());
    let got = child.wait_with_output().expect("it ends");
    assert_eq!(got.status.code(), Some(0), "{}", String::from_utf8_lossy(&got.stderr));
    assert!(got.stderr.is_empty(), "{}", String::from_utf8_lossy(&got.stderr));
}

/// What could not be read is drawn first, whatever follows from it; the rest is cut short and said to be.
#[test]
fn what_could_not_be_read_comes_first() {
    let folder = tempfile::tempdir().expect("a folder");
    let members: String = (0..30)
        .map(|i| format!("Gem gem{i} x2 {{ faces: 1..6 }}\ntest \"t{i}\" {{ roll gem{i} }}\n"))
        .collect();
    let text = format!(
        "game Broken \"Broken\" {{ players 2; outcome win }}\nvalue a(): int = b()\ndie Gem \"Gem\" of player {{ }}\n{members}"
    );
    let file = folder.path().join("broken.rules");
    std::fs::write(&file, text).expect("written");
    let done = cli(&format!("check {}", file.display()));
    assert_eq!(done.exit, Exit::Findings);
    let said = format!("{}{}", done.out, done.err);
    let first = said.lines().find(|l| l.starts_with('E')).unwrap_or_default().to_string();
    assert!(
        first.starts_with("E0109") && said.contains("they may only follow from what could not be read"),
        "{said}"
    );
    assert!(said.matches("\nE0").count() < 20, "{said}");
}

/// What stands in the brackets is enough to name a choice; where it fits several, they are told with their numbers.
#[test]
fn half_a_choice_that_fits_several_is_asked_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("two.rules");
    let text = "game Two \"Two\" { players 2; outcome win }\nmap Board squares 2 by 2\nspace Cell on Board { mark: 0..9 = 5 }\n\
        round 3 times { everyone in turn { offer move } }\nmenu move { pass }\n\
        action up(c: Cell) in move { c.mark += 1 }\naction down(c: Cell) in move { c.mark -= 1 }\n";
    std::fs::write(&file, text).expect("written");
    let done = cli_in(&format!("play {} --seats you,random", file.display()), "b2\n4\n");
    assert!(done.out.contains("> b2\n  4 Up B2     8 Down B2\n"), "{}{}", done.out, done.err);
    assert!(done.out.contains("Player 1: Up B2"), "{}", done.out);
}

/// Every secret can be made from the seed.
#[test]
fn the_seed_is_told_at_the_end_unless_one_person_chose_it() {
    let moves = "place(A1)\nplace(A2)\nplace(B1)\nplace(B2)\nplace(C1)\n";
    let two = cli_in("play tic-tac-toe --seats you,you --seed 4", moves).out;
    assert!(two.starts_with("Tic-tac-toe\n"), "{two}");
    let (before, after) = two.split_once("The game is over.").expect("an end");
    assert!(!before.contains("seed") && after.contains("The seed was 4."), "{two}");
    assert!(cli_in("play kuhn --seats you,random --seed 9", "").out.contains(", seed 9\n"));
    assert!(!cli_in("play kuhn --seats you,random", "").out.contains("seed"));
    let input = moves
        .lines()
        .map(|words| format!("{{\"do\": \"choose\", \"choice\": \"{words}\"}}\n"))
        .collect::<String>();
    let said = lines(&cli_in("play tic-tac-toe --json --seed 2", &input).out);
    assert!(said[0]["seed"].is_null() && said[1]["seed"].is_null());
    assert_eq!((&said[6]["over"], &said[6]["seed"]), (&true.into(), &2.into()));
    let said = lines(&cli_in("play tic-tac-toe --json --seats you,random --seed 2", "").out);
    assert_eq!(said[0]["seed"], 2);
    // A save holds the seed and what everybody chose: it is not a seat's.
    let said =
        lines(&cli_in("play kuhn --json", "{\"do\": \"save\", \"seat\": 0, \"file\": \"x.save\"}\n").out);
    assert_eq!((&said[2]["kind"], std::path::Path::new("x.save").exists()), (&"request".into(), false));
}

/// A slip of the keyboard is a usage error with the bounds, not a run that fills the memory.
#[test]
fn absurd_numbers_are_refused() {
    for line in [
        "perft pig --depth 18446744073709551615",
        "sim pig --games 2 --jobs 4294967296",
        "mutate pig --limit 1 --jobs 4294967296",
        "fuzz shapes --bytes 18446744073709551615",
    ] {
        let done = cli(line);
        assert_eq!(done.exit, Exit::Usage, "{line}");
        assert!(done.err.contains("is not in 0..="), "{line}: {}", done.err);
    }
}

/// Each choice of perft is a call within the one before it; a turn without an end must not use up the stack.
#[test]
fn perft_stops_in_a_turn_without_an_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("endless.rules");
    let text = "game Endless \"Endless\" { players 2; outcome win }\n\
        round { everyone in turn { repeat until no { offer move } } }\n\
        menu move\naction go() in move { say \"on\" }\n";
    std::fs::write(&file, text).expect("written");
    let done = cli(&format!("perft {} --depth 2", file.display()));
    assert_eq!(done.exit, Exit::Findings);
    assert!(done.err.contains("a game goes on for more than 500 choices"), "{}", done.err);
}

/// Each shell is told each command, and there is a page of the manual for each.
#[test]
fn shells_and_the_manual_know_each_command() {
    let help = cli("--help").out;
    let listed = help.split("Commands:\n").nth(1).and_then(|rest| rest.split("\n\n").next()).expect("a list");
    let words = |line: &str| line.strip_prefix("  ").filter(|l| !l.starts_with(' ')).map(String::from);
    let commands: Vec<String> = listed
        .lines()
        .filter_map(words)
        .filter_map(|line| line.split_whitespace().next().map(String::from))
        .filter(|command| command != "help")
        .collect();
    assert!(commands.len() > 15, "{commands:?}");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = cli(&format!("completions {shell}"));
        assert_eq!(script.exit, Exit::Fine);
        for command in &commands {
            assert!(script.out.contains(command.as_str()), "{shell}: {command}");
        }
    }
    assert_eq!(cli("completions fishy").exit, Exit::Usage);
    let made = tempfile::tempdir().expect("a folder");
    let folder = made.path().join("man1");
    let done = cli(&format!("man {}", folder.display()));
    assert_eq!(done.exit, Exit::Fine, "{}", done.err);
    for command in &commands {
        let page = folder.join(format!("houserule-{command}.1"));
        let text = std::fs::read_to_string(&page).unwrap_or_else(|e| panic!("{}: {e}", page.display()));
        assert!(text.contains(".TH ") && text.contains(".SH SYNOPSIS"), "{command}: {text}");
    }
    assert!(std::fs::read_to_string(folder.join("houserule.1")).expect("the page").contains("ci"));
    // A file is no folder.
    let file = made.path().join("taken");
    std::fs::write(&file, "x").expect("a file");
    assert_eq!(cli(&format!("man {}", file.display())).exit, Exit::Unreadable);
}
