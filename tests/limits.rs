//! Absurd input: what is deep, wide or long is played, or refused with a finding that says the limit; what comes from a file cannot steer a terminal, fill the memory
//! or write where it should not.
use crate::cli::{cli, cli_in, lines};
use crate::support::game;
use houserule::cli::Exit;
use houserule::play::{Game, Match, Setup};
use houserule::program::{LowerOptions, PassSet};
use houserule::text::{File, Files};
use std::fmt::Write;
use std::path::{Path, PathBuf};

const GAME: &str = "game G \"G\" { players 2; outcome win }\n";

/// A folder with a game in it.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new(rules: &str) -> Folder {
        let folder = Folder(tempfile::tempdir().expect("a folder"));
        folder.put("g.rules", rules.as_bytes());
        folder
    }

    fn put(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, bytes).expect("a file");
        path
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn check(&self) -> String {
        cli(&format!("check {}", self.path("g.rules").display())).out
    }
}

fn shown(path: &Path) -> std::path::Display<'_> {
    path.display()
}

#[test]
fn long_chains_of_branches_are_refused() {
    let arms = " else if yes { }".repeat(300);
    let said = Folder::new(&format!("{GAME}rule r() {{ if yes {{ }}{arms} }}\n")).check();
    assert!(said.contains("an `if` may have 256 branches"), "{said}");
    let rows = "1: 1, ".repeat(300);
    let said = Folder::new(&format!("{GAME}value x: int = case 1 {{ {rows} }}\n")).check();
    assert!(said.contains("a `case` may have 256 rows"), "{said}");
    // As many as there may be are no trouble.
    let rows: String = (0..255).map(|i| format!("{i}: {i}, ")).collect();
    let said = Folder::new(&format!(
        "{GAME}table {{ n: 0..255 = 0 }}\nvalue x: int = case n {{ {rows} else: 0 }}\nround once {{ n = x }}\n"
    ))
    .check();
    assert!(said.contains("no findings"), "{said}");
}

#[test]
fn a_finding_far_to_the_right_shows_what_is_around_it() {
    for gap in [" ", "\t", "é"] {
        let before = if gap == "é" {
            format!("#{}\nvalue x: int = ", gap.repeat(70_000))
        } else {
            format!("value x: int ={}", gap.repeat(70_000))
        };
        let said = Folder::new(&format!("{GAME}{before}zzz\n")).check();
        assert!(said.contains("there is no `zzz` here") && said.len() < 3_000, "{said}");
    }
    let said =
        Folder::new(&format!("{GAME}value x: int = {}zzz # {}\n", " ".repeat(70_000), "é".repeat(70_000)))
            .check();
    assert!(said.contains("g.rules:2:70016]"), "{said}");
}

#[test]
fn findings_show_two_lines_that_lie_apart_and_not_all_between() {
    let said = Folder::new(&format!(
        "{GAME}value twice: int = 1\n{}value twice: int = 2\n",
        "# between\n".repeat(50)
    ))
    .check();
    assert!(said.matches("twice: int").count() >= 2 && said.matches("between").count() <= 4, "{said}");
}

#[test]
fn calls_of_calls_are_shared_and_not_copied() {
    let game = |body: &dyn Fn(usize) -> String, head: &str, last: &str| {
        let mut text = format!("game G \"G\" {{ players 2; outcome win }}\ntable {{ a: 0..9 = 1 }}\n{head}");
        for i in 1..=60 {
            let _ = writeln!(text, "{}", body(i));
        }
        text + last
    };
    let last =
        "menu m { pass }\naction z() in m { needs WHAT }\nround 3 times { everyone in turn { offer m } }\n";
    for (head, body, what) in [
        (
            "value v0(n: int): int = a + n\n",
            &(|i: usize| format!("value v{i}(n: int): int = v{}(n) + v{}(n + 1)", i - 1, i - 1))
                as &dyn Fn(usize) -> String,
            "v60(1) == 0",
        ),
        // An argument that is looked at twice.
        (
            "map M squares 4 by 4\nspace Cell on M { lit: bool = no }\nvalue v0(s: set of Cell): set of Cell = s + (s where it.lit)\n",
            &|i: usize| format!("value v{i}(s: set of Cell): set of Cell = v{}(v{}(s))", i - 1, i - 1),
            "v60(Cell where it.lit) is empty",
        ),
        // Of each thing.
        (
            "map M squares 4 by 4\nspace Cell on M { lit: bool = no }\nvalue v0(c: Cell): bool = c.lit\n",
            &|i: usize| format!("value v{i}(c: Cell): bool = v{}(c) or not v{}(c)", i - 1, i - 1),
            "any(c in Cell: v60(c))",
        ),
    ] {
        let text = game(body, head, &last.replace("WHAT", what));
        let mut files = Files::new();
        files.add(File::new("g.rules", text));
        let g = Game::load(&files).unwrap_or_else(|r| panic!("{:?}", r.findings));
        let p = g.lower_setup(&Setup::default()).unwrap_or_else(|r| panic!("{:?}", r.findings));
        assert!(p.code.len() < 100_000, "{what}: {} instructions", p.code.len());
    }
}

#[test]
fn many_unknown_names_take_no_longer_each() {
    let mut text = String::from(GAME);
    for i in 0..3_000 {
        let _ = writeln!(text, "value xvalue{i}: int = yvalue{i}");
    }
    let said = Folder::new(&text).check();
    assert!(
        said.contains("there is no `yvalue0` here") && said.contains("did you mean `xvalue0`?"),
        "{said}"
    );
    assert!(said.contains("3000 errors"), "{said}");
}

#[test]
fn a_line_of_json_that_is_too_long_is_refused_whole() {
    let long = format!("{{\"do\":\"why_not\",\"choice\":\"{}\"}}{{\"do\":\"quit\"}}\n", "x".repeat(1 << 20));
    let fits = format!("{{\"do\":\"why_not\",\"choice\":\"{}\",\"id\":7}}\n", "x".repeat(200_000));
    let input = format!("{long}{{\"do\":\"state\",\"id\":\"mine\"}}\n{fits}{{\"do\":\"quit\",\"id\":9}}\n");
    let said = lines(&cli_in("play tic-tac-toe --json", &input).out);
    let about = |n: usize| (said[n]["type"].as_str().unwrap_or("").to_string(), said[n]["id"].to_string());
    assert_eq!(said[2]["message"], "a line must not be longer than 1 MiB");
    assert_eq!(about(3), (String::from("state"), String::from("\"mine\"")));
    assert_eq!(said[4]["id"], 7);
    assert_eq!(about(5), (String::from("bye"), String::from("9")));
    assert_eq!(said.len(), 6);
}

#[test]
fn a_typed_line_that_is_too_long_is_refused_whole() {
    let input = format!("{}\nA1\nquit\n", "x".repeat(3 << 20));
    let done = cli_in("play tic-tac-toe", &input);
    assert!(done.err.contains("a line must not be longer than 1 MiB"), "{}", done.err);
    assert!(!done.out.contains("xxxx"), "the tail was taken for a line");
}

#[test]
fn the_log_is_bounded() {
    let text = format!(
        "{GAME}menu m\naction a() in m {{ repeat 20000 times {{ say \"{}\" }} }}\nround 2 times {{ everyone in turn {{ offer m }} }}\n",
        "x".repeat(10_000)
    );
    let mut files = Files::new();
    files.add(File::new("g.rules", text));
    let g = Game::load(&files).unwrap_or_else(|r| panic!("{:?}", r.findings));
    let mut m = g.start(&Setup::default()).unwrap_or_else(|r| panic!("{:?}", r.findings));
    let q = m.decisions().expect("a menu")[0].question;
    let choice = m.parse_choice(q, "a").expect("an action");
    m.choose(0, q, &choice).expect("it runs");
    let log = m.log(None);
    assert!(log.len() < 5_100, "{}", log.len());
    assert!(log.iter().all(|l| l.text.len() < 5_000));
    let last = log.iter().rev().find(|l| l.text.contains("more lines")).expect("it is said");
    assert!(last.text.starts_with("… and 15"), "{}", last.text);
}

#[test]
fn control_characters_reach_no_terminal() {
    let folder = Folder::new(
        "game G \"G\u{1b}[31m\" { players 2; outcome win }\nmenu m\naction a() in m { say \"A\u{1b}]0;pwn\u{7}B\u{9b}2J\u{202e}\" }\nround 2 times { everyone in turn { offer m } }\n",
    );
    let game = folder.path("g.rules");
    for line in ["play GAME", "play GAME --json", "--color always play GAME", "sim GAME -n 2", "dump GAME"] {
        let done = cli_in(&line.replace("GAME", &shown(&game).to_string()), "a\na\nlog\nquit\n");
        for text in [&done.out, &done.err] {
            let plain = strip_styles(text);
            assert!(!plain.contains(houserule::text::is_control), "{line}: {text:?}");
            assert!(!text.contains("\u{1b}[31m"), "{line}: {text:?}");
        }
    }
    let done = cli_in(&format!("play {}", shown(&game)), "a\na\nlog\nquit\n");
    assert!(done.out.contains("A\\u{1b}]0;pwn\\u{7}B\\u{9b}2J\\u{202e}"), "{}", done.out);
    // A finding shows the line.
    folder.put("g.rules", b"game G \"G\x1b[31m\" { players 2; outcome win } zzz\n");
    let said = folder.check();
    assert!(said.contains("\\u{1b}[31m") && !said.contains('\u{1b}'), "{said}");
}

/// A text without the styles that the command line gives it: faint, bold and the like.
fn strip_styles(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("\u{1b}[") {
        out.push_str(&rest[..at]);
        let behind = &rest[at + 2..];
        let end = behind.find(|c: char| !c.is_ascii_digit() && c != ';').unwrap_or(behind.len());
        if !behind[end..].starts_with('m') {
            out.push_str("\u{1b}[");
            rest = behind;
            continue;
        }
        rest = &behind[end + 1..];
    }
    out + rest
}

#[test]
fn a_script_must_hold_the_function_of_its_hook() {
    let rules = "game G \"G\" { players 2; outcome highest score }\nplayer { score: int = 0 }\nhook h(n: int): int from \"h.rhai\"\nsetup { for p in players { p.score = h(3) } }\nround once { }\nvalue score(p: player): int = p.score\n";
    let folder = Folder::new(rules);
    for (script, said) in [
        ("", "the script has no function `h`"),
        ("// nothing\n", "the script has no function `h`"),
        ("fn h() { 1 }", "the function `h` of the script takes 0, but the rules give 1"),
    ] {
        folder.put("h.rhai", script.as_bytes());
        let done = folder.check();
        assert!(done.contains(said) && done.contains("1 error"), "{script}: {done}");
    }
    folder.put("h.rhai", b"fn h(n) { n } // \xff\n");
    let done = folder.check();
    assert!(done.contains("h.rhai:1:18]") && done.contains("not UTF-8"), "{done}");
}

#[test]
fn a_heuristic_that_fails_is_said() {
    let rules = "game G \"G\" { players 2; outcome highest score }\nplayer { score: 0..99 = 0 }\nhook h(p: player): int from \"h.rhai\"\nheuristic x(p: player): int = h(p)\nmenu m\naction a() in m { my.score += 1 }\naction b() in m { }\nround 9 times { everyone in turn { offer m } }\nvalue score(p: player): int = p.score\n";
    let folder = Folder::new(rules);
    for (script, said) in [("fn h(p) { throw \"broken\" }", "broken"), ("fn h(p) { loop { } }", "steps")] {
        folder.put("h.rhai", script.as_bytes());
        for bot in ["greedy", "beam"] {
            let done = cli(&format!("sim {} -n 3 --seats {bot},random", shown(&folder.path("g.rules"))));
            assert_eq!(done.exit, Exit::Findings, "{script} {bot}: {} {}", done.out, done.err);
            assert!(
                format!("{}{}", done.out, done.err).contains(said),
                "{script} {bot}: {} {}",
                done.out,
                done.err
            );
        }
    }
}

#[test]
fn only_regular_files_are_read() {
    let folder = Folder::new(GAME);
    for (device, name) in [("/dev/zero", "zero.rules"), ("/dev/null", "null.rules")] {
        if !Path::new(device).exists() {
            continue;
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink(device, folder.path(name)).expect("a link");
        let done = cli(&format!("check {}", folder.0.path().display()));
        assert_eq!(done.exit, Exit::Unreadable, "{}", done.out);
        assert!(done.err.contains("it is not a regular file"), "{}", done.err);
        std::fs::remove_file(folder.path(name)).ok();
    }
    folder.put("big.rules", &vec![b' '; (16 << 20) + 1]);
    let done = cli(&format!("check {}", folder.0.path().display()));
    assert!(done.err.contains("it is larger than 16 MiB"), "{}", done.err);
}

#[cfg(unix)]
#[test]
fn writing_goes_through_links_and_spares_devices() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new("game   G \"G\" { players 2; outcome win }\n");
    let link = folder.path("link.rules");
    symlink("g.rules", &link).expect("a link");
    let done = cli(&format!("fmt {}", shown(&link)));
    assert_eq!(done.exit, Exit::Fine, "{}", done.err);
    assert!(std::fs::symlink_metadata(&link).expect("it is there").is_symlink());
    assert_eq!(std::fs::read_to_string(folder.path("g.rules")).expect("a text"), GAME);
    // To where nothing is yet.
    let save = folder.path("a.save");
    symlink("b.save", &save).expect("a link");
    let game = |file: &Path| cli_in("play tic-tac-toe", &format!("A1\nsave {}\nquit\n", shown(file)));
    game(&save);
    assert!(
        std::fs::symlink_metadata(&save).expect("it is there").is_symlink()
            && folder.path("b.save").is_file()
    );
    // What runs that were killed left is gone, what others wrote stays.
    let old = folder.put(".b.save.123-0.part", b"half");
    let other = folder.put(".b.save.mine.part", b"mine");
    let long_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
    std::fs::File::options().write(true).open(&old).and_then(|f| f.set_modified(long_ago)).expect("a time");
    game(&save);
    assert!(!old.exists() && other.exists());
    let done = game(Path::new("/dev/null"));
    assert!(
        format!("{}{}", done.out, done.err).contains("it is not a regular file"),
        "{}{}",
        done.out,
        done.err
    );
}

#[test]
fn names_of_players_are_bounded_in_set_ups_and_saves() {
    let g = crate::support::game("tic-tac-toe");
    let named = |n: usize| Setup { names: vec!["x".repeat(n), String::from("Bo")], ..Setup::default() };
    let refused = g.start(&named(65)).map(|_| ()).expect_err("a name of 65 characters");
    assert!(refused.findings[0].message.contains("more than 64 characters"), "{:?}", refused.findings);
    let saved = g.start(&named(64)).unwrap_or_else(|r| panic!("{:?}", r.findings)).save();
    assert!(Match::load(&g, &saved).is_ok());
    let longer = saved.replace(&"x".repeat(64), &"x".repeat(65));
    assert_ne!(longer, saved);
    let refused = Match::load(&g, &longer).map(|_| ()).expect_err("a save with a name of 65 characters");
    assert!(refused.to_string().contains("64 characters"), "{refused}");
}

#[test]
fn of_a_tall_mark_the_two_ends_are_shown() {
    let rows: String = (0..30).map(|i| format!("  {i}: {i},\n")).collect();
    let text = format!("{GAME}table {{ n: 0..99 = 0 }}\nvalue x: int = case n {{\n{rows}}}\n");
    let said = Folder::new(&text).check();
    assert!(said.contains("E0315") && said.contains("case n {"), "{said}");
    assert!(said.matches(": ").count() < 16 && !said.contains("15: 15"), "{said}");
}

#[test]
fn every_set_up_is_checked_before_anybody_starts_it() {
    // What the engine cannot play stands where one number of players, one value of an option, or two variants together lead.
    let head = |more: &str| {
        format!(
            "game G \"G\" {{ players 2..4; outcome win }}\nplayer {{ n: 0..9 = 0 }}\n{more}round once {{ }}\n"
        )
    };
    let copies = |n: &str| format!("token T x({n})\ntable {{ zone z: T }}\n");
    for (what, text) in [
        ("three players", head(&copies("if count(players) == 3 then 100000 else 1"))),
        ("an option", head(&format!("option o \"O\": 1..5 = 1\n{}", copies("if o == 3 then 100000 else 1")))),
        (
            "two variants",
            head(&format!(
                "variant a \"A\" {{ }}\nvariant b \"B\" {{ }}\n{}",
                copies("if a and b then 100000 else 1")
            )),
        ),
    ] {
        let said = Folder::new(&text).check();
        assert!(said.contains("100000 components of one kind (1,024 at most"), "{what}: {said}");
    }
    let said = Folder::new(&head(&copies("if count(players) == 3 then 10 else 1"))).check();
    assert!(!said.contains("E0990"), "{said}");
}

#[test]
fn too_much_code_is_refused_at_the_largest_function() {
    // A game of a million instructions takes long to make: the limit is lowered instead.
    let text = "game G \"G\" { players 2; outcome win }\nplayer { n: 0..9 = 0 }\nrule small() { for p in players { p.n = 1 } }\n\
                rule large() { for p in players { {LONG} } }\nround once { small(); large() }\n"
        .replace("{LONG}", &"p.n = 1; ".repeat(40));
    let mut files = Files::new();
    files.add(File::new("g.rules", text));
    let game = Game::load(&files).expect("no errors");
    let limited = |most_code| {
        let game = game.with_lowering(LowerOptions { most_code, ..LowerOptions::default() });
        game.lower_setup(&Setup::default()).map(|_| ())
    };
    assert!(limited(LowerOptions::default().most_code).is_ok());
    let report = limited(40).expect_err("it has more than 40 instructions");
    let said = report.findings.iter().find(|d| d.code.0 == "E0913").expect("E0913");
    assert_eq!(said.message, "the code for a set-up has more than 40 instructions");
    assert_eq!(game.files().place(said.at.span), "g.rules:4:6");
}

#[test]
fn a_set_up_is_refused_only_if_plain_code_is_refused() {
    // The vectorised code of this game is larger than its plain code: with room for plain code alone it is played all the same.
    let game = game("oware");
    let is_played = |lift, most_code| {
        let options = LowerOptions { lift, most_code, passes: PassSet::NONE, ..LowerOptions::default() };
        game.with_lowering(options).lower_setup(&Setup::default()).is_ok()
    };
    let sizes: Vec<usize> = (0..10_000).collect();
    let least = sizes.partition_point(|n| !is_played(false, *n));
    assert!(is_played(true, least) && !is_played(true, least - 1));
}

#[test]
fn words_that_a_guard_needs_at_once_are_bounded() {
    let text = "game G \"G\" { players 2; outcome win }\ntoken Chip x400 { hot: bool = yes }\nplayer { zone purse: Chip }\n\
                menu main { done }\naction take(t: one of Chip) in main { needs (first of (my.purse where hot or hot) where no) != t }\n\
                round once { everyone in turn { offer main } }\n";
    let mut files = Files::new();
    files.add(File::new("g.rules", text));
    let game = Game::load(&files).expect("no errors");
    let report = game
        .lower_setup(&Setup::default())
        .expect_err("a list of 400 things takes 101 words, and there are three");
    let said = report.findings.iter().find(|d| d.code.0 == "E0915").expect("E0915");
    assert_eq!(said.message, "this needs more than 250 words of memory at once");
    assert_eq!(game.files().place(said.at.span), "g.rules:5:8");
}

#[test]
fn of_more_files_than_a_game_may_have_none_is_read() {
    let folder = Folder::new(GAME);
    for i in 0..1000 {
        folder.put(&format!("f{i}.rules"), b"value value\n");
    }
    let all = folder.0.path().display().to_string();
    for line in
        [format!("check {all}"), format!("check {}", folder.path("g.rules").display()), format!("fmt {all}")]
    {
        let done = cli(&line);
        let said = format!("{}{}", done.out, done.err);
        assert_eq!(done.exit, Exit::Findings, "{line}: {said}");
        assert!(
            said.contains("E0911") && said.contains("a game may have at most 1000 files"),
            "{line}: {said}"
        );
        assert!(!said.contains("E0109"), "{line}: {said}");
    }
    std::fs::remove_file(folder.path("f0.rules")).expect("a file");
    let said = cli(&format!("check {all}")).out;
    assert!(said.contains("E0109") && !said.contains("E0911"), "{said}");
}

/// What is told of a set-up that never comes to a question: the message, then each other place, then the help.
fn endless(rules: &str, setup: &str) -> Vec<String> {
    let mut files = Files::new();
    let text = format!(
        "game G \"G\" {{ players 2; outcome win }}\ntable {{ n: 0..9 = 0 }}\n{rules}\nsetup {{ {setup} }}\n\
        menu play {{ done }}\naction wait() in play {{ n = 1; win me }}\nround {{ everyone in turn {{ offer play }} }}\n"
    );
    files.add(File::new("g.rules", text));
    let game = Game::load(&files).unwrap_or_else(|r| panic!("{:?}", r.findings));
    let found = houserule::play::find_unplayable(game.model());
    let [fault] = found.as_slice() else { panic!("one finding: {found:?}") };
    let label = |l: &houserule::text::Label| format!("{} {}", game.files().place(l.span), l.text);
    let others = fault.others.iter().map(label);
    std::iter::once(fault.message.clone()).chain(others).collect()
}

#[test]
fn rules_that_call_each_other_without_an_end_are_told_once() {
    let rules = "rule ping() { n = 1; pong() }\nrule pong() { n = 2; ping() }";
    let told = endless(rules, "ping()");
    assert_eq!(told[0], "rules call each other too deeply");
    assert!(told.len() <= 5, "{told:#?}");
    assert!(told.iter().any(|l| l.contains("in rule `ping`, ") && l.ends_with(" times")), "{told:#?}");
    assert!(told.iter().any(|l| l.contains("in rule `pong`, ") && l.ends_with(" times")), "{told:#?}");
}

#[test]
fn a_repeat_without_an_end_is_named() {
    let rules = "rule spin() {\n  repeat until n == 3 {\n    n = calm()\n  }\n}\nrule calm(): int { give if n == 3 then 3 else 1 }";
    let told = endless(rules, "spin()");
    assert_eq!(told[0], "too many steps without a question");
    assert!(told.iter().any(|l| l == "g.rules:4:3 this `repeat` goes round without an end"), "{told:#?}");
}
