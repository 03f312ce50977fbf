//! A share of what `houserule fuzz` tries: a few texts made of each corpus. The command tries as many as it is told to.
use crate::cli::{cli, cli_in, lines};
use crate::support::{files_in, root};
use houserule::cli::Exit;
use houserule::lab::fuzz::{self, Plan, Target};
use houserule::play::Game;
use houserule::text::Files;

fn corpus(folder: &str) -> Vec<String> {
    let files = files_in(&root().join("tests").join(folder));
    let texts = files.iter().filter_map(|f| std::fs::read_to_string(f).ok()).collect::<Vec<_>>();
    assert!(!texts.is_empty(), "{folder}");
    texts
}

fn hold(count: u64, corpus: &[String], target: Target<'_>) {
    for (n, text) in corpus.iter().enumerate() {
        target(text).unwrap_or_else(|what| panic!("text {n} as it is: {what}\n{text}"));
    }
    let faults = fuzz::run(Plan { seed: 1, count, tries: 200 }, corpus, target, &mut |_| {});
    for f in &faults {
        eprintln!("{}\nof number {}\n\n{}\n", f.what, f.seed, f.text);
    }
    assert!(faults.is_empty());
}

#[test]
fn changed_rules_are_checked() {
    hold(300, &corpus("corpus/rules"), &fuzz::check);
}

#[test]
fn changed_rules_are_laid_out() {
    hold(150, &corpus("corpus/rules"), &fuzz::fmt);
}

#[test]
fn changed_rules_are_played() {
    hold(300, &corpus("corpus/rules"), &fuzz::play);
}

#[test]
fn changed_saves_are_loaded() {
    let game = |name: &str| {
        let mut files = Files::new();
        crate::support::add(&mut files, files_in(&root().join("rules/classics").join(name)));
        Game::load(&files).expect("a game without errors")
    };
    let games = [game("tic-tac-toe"), game("love-letter")];
    hold(100, &corpus("corpus/saves"), &|text| games.iter().try_for_each(|g| fuzz::saves(g, text)));
}

#[test]
fn changed_scripts_and_lines_are_taken() {
    for target in ["hooks -n 150", "json -n 60"] {
        let done = cli(&format!("fuzz {target}"));
        assert_eq!(done.exit, Exit::Fine, "{}", done.out);
    }
}

#[test]
fn the_corpora_of_lines_are_conversations() {
    for text in corpus("corpus/json") {
        let done = cli_in("play tic-tac-toe --json", &text);
        assert_eq!(done.exit, Exit::Fine);
        assert!(lines(&done.out).len() > text.lines().count());
    }
}
