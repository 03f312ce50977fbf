//! Matches that begin in a given state: saved, loaded, and refused with the place of what is wrong.
use crate::cli::{cli, cli_in, lines};
use crate::support::{game, source};
use houserule::cli::Exit;
use houserule::lab::given;
use houserule::play::{LoadError, Match, Save, Setup};

const BLOCK: &str = "# \"\"# a raw fence within\ngiven with Ann, Bo {\n  Ann.score = 3\n}\n";

const POSITION: &str = "given {\n  A1.mark = noughts  # a corner\n  B1.mark = noughts\n}\n";

fn begun(text: &str) -> Match {
    given::begin_match(&source("tic-tac-toe"), text, &Setup::with_seed(7))
        .unwrap_or_else(|w| panic!("{:?}", w.report))
}

#[test]
fn a_given_match_is_saved_and_loaded() {
    let mut m = begun(POSITION);
    for words in ["place(C3)", "place(B2)"] {
        let seat = m.questions()[0].seats.trailing_zeros() as usize;
        m.choose_in_words(seat, words).expect("an answer");
    }
    let text = m.save();
    assert!(text.contains("format: 2") && text.contains("\n  A1.mark = noughts  # a corner\n"), "{text}");
    let own = game("tic-tac-toe");
    let loaded = given::load_match(&own, &source("tic-tac-toe"), &text).expect("it loads");
    assert!(loaded.parted.is_none() && !loaded.other_rules, "{loaded:?}");
    let mut again = loaded.game;
    assert!(again.state() == m.state() && again.given_text() == Some(POSITION));
    assert_eq!(again.save(), text);
    // Every prefix, and all that stands in a file of blanks and fences.
    assert!(again.at(0) && again.machine().questions().len() == 1);
    let plain = begun("given { A1.mark = noughts }").save();
    assert!(given::load_match(&own, &source("tic-tac-toe"), &plain).expect("it loads").parted.is_none());
    // The text is under the check sums.
    let edited = text.replace("B1.mark", "B3.mark");
    let parted =
        given::load_match(&own, &source("tic-tac-toe"), &edited).expect("it loads").parted.expect("it parts");
    assert_eq!(
        (parted.step, parted.line),
        (0, text.lines().position(|l| l.contains("(seat:")).map(|i| i + 1))
    );
    // A save that is cut off keeps the beginning and the whole choices.
    let cut = text.find("place(B2)").expect("a choice");
    let short = given::load_match(&own, &source("tic-tac-toe"), &text[..cut]).expect("it loads");
    assert_eq!((short.game.step(), short.parted.is_some()), (1, true));
    // Who loads without the means to make the state says so.
    assert!(matches!(Match::load(&own, &text), Err(LoadError::Foreign(_))));
}

#[test]
fn any_text_survives_the_file() {
    for text in [BLOCK, "given { }", "a\nb\r\n\"##\"###\n", "\"\\\n", "choices: [\n(seat: 0),\n"] {
        let save = Save { given: Some(text.to_string()), ..begun_save() };
        let read = Save::read(&save.to_text()).unwrap_or_else(|e| panic!("{e}: {}", save.to_text()));
        assert_eq!((read.save, read.broken), (save, None));
    }
}

fn begun_save() -> Save {
    let mut m = begun(POSITION);
    m.choose_in_words(0, "place(C3)").expect("an answer");
    m.to_save()
}

#[test]
fn broken_and_foreign_given_texts_are_refused_with_their_place() {
    let own = game("tic-tac-toe");
    let text = begun(POSITION).save();
    let line = |what: &str, of: &str| of.lines().position(|l| l.contains(what)).map_or(0, |i| i + 1);
    // From, to, the line that holds, the column there (0: any), what is said.
    let cases = [
        ("A1.mark = noughts", "A1.marc = noughts", "marc", 6, "did you mean"),
        ("A1.mark = noughts", "A1.mark = nobody_here", "nobody_here", 13, "nobody_here"),
        ("given {", "given on nowhere {", "given on nowhere", 29, "nowhere"),
        ("given {", "begin {", "begin {", 20, "is written"),
        ("\n}\n", "\n}\ntable { x: int = 0 }\n", "table {", 1, "there must be nothing after"),
        ("B1.mark = noughts", "A1.mark =", "A1.mark =", 0, ""),
        ("B1.mark = noughts", "let x = 1 / (count(Cell) - 9)", "let x", 0, "division by zero"),
    ];
    for (from, to, at, column, why) in cases {
        let edited = text.replacen(from, to, 1);
        assert_ne!(edited, text, "{from}");
        let e = given::load_match(&own, &source("tic-tac-toe"), &edited).expect_err(to);
        let LoadError::Given { line: l, column: c, message } = &e else { panic!("{to}: {e}") };
        assert!(*l == line(at, &edited) || at == "A1.mark =", "{to}: {e}\n{edited}");
        assert!(*c == column || column == 0, "{to}: {e}");
        assert!(message.contains(why) || why == "did you mean", "{to}: {e}");
    }
}

#[test]
fn the_command_line_saves_and_loads_given_matches() {
    let folder = tempfile::tempdir().expect("a folder");
    let (block, save) = (folder.path().join("position.txt"), folder.path().join("match.save"));
    std::fs::write(&block, POSITION).expect("written");
    let (block, save) = (block.display(), save.display());
    let input = [
        r#"{"do": "choose", "choice": "place(C3)"}"#.to_string(),
        format!(r#"{{"do": "save", "file": "{save}"}}"#),
        r#"{"do": "start"}"#.to_string(),
        r#"{"do": "start", "given": null}"#.to_string(),
        r#"{"do": "start", "given": "given { A1.marc = noughts }"}"#.to_string(),
    ];
    let done = cli_in(&format!("play tic-tac-toe --json --seed 4 --given {block}"), &input.join("\n"));
    let said = lines(&done.out);
    let kinds: Vec<&str> = said.iter().map(|v| v["type"].as_str().unwrap_or("?")).collect();
    assert_eq!(kinds, ["hello", "state", "state", "saved", "hello", "state", "hello", "state", "error"]);
    // Begun again as before, then at the game's own beginning.
    assert_eq!((&said[4]["given"], &said[6]["given"]), (&true.into(), &false.into()));
    let open = |i: usize| said[i]["decisions"][0]["choices"].as_array().map(Vec::len);
    assert_eq!((open(5), open(7)), (Some(7), Some(9)));
    assert_eq!(
        (&said[8]["details"][0]["at"]["line"], &said[8]["details"][0]["at"]["column"]),
        (&1.into(), &12.into())
    );
    for line in [format!("replay {save}"), format!("view {save} --seat 1")] {
        let done = cli(&line);
        assert_eq!(done.exit, Exit::Fine, "{}", done.err);
        assert!(done.out.contains("1  o o"), "{}", done.out);
    }
    let on = cli_in(&format!("play tic-tac-toe --load {save} --seats you,you --json"), "");
    let said = lines(&on.out);
    assert_eq!((&said[0]["given"], &said[1]["step"]), (&true.into(), &1.into()));
    // At the terminal, too.
    let terminal =
        cli_in(&format!("play tic-tac-toe --seats you,you --given {block}"), &format!("save {save}\n"));
    assert!(terminal.out.contains("Saved to"), "{}", terminal.out);
    let text = std::fs::read_to_string(save.to_string()).expect("a save");
    std::fs::write(save.to_string(), text.replace("B1.mark", "B1.marc")).expect("written");
    let refused = cli(&format!("replay {save}"));
    assert_eq!(refused.exit, Exit::Findings);
    let line = text.lines().position(|l| l.contains("B1.mark")).map_or(0, |i| i + 1);
    assert!(refused.err.contains(&format!("match.save:{line}:6:")), "{}", refused.err);
}
