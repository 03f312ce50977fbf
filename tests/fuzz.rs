//! A share of `houserule fuzz` in every run: every text of the corpora as it stands, and some changed by chance.
use crate::cli::cli_in;
use crate::support::game;
use houserule::cli::Exit;
use houserule::lab::fuzz;
use std::path::Path;

/// How many changed texts of each corpus are tried.
const COUNT: u64 = 20;

/// All texts of a folder of tests/corpus, in order.
fn corpus(folder: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(folder);
    let mut files: Vec<_> =
        std::fs::read_dir(folder).expect("a corpus").map(|f| f.expect("a file").path()).collect();
    files.sort();
    assert!(!files.is_empty());
    files.iter().map(|f| std::fs::read_to_string(f).expect("a text")).collect()
}

fn hold(folder: &str, target: fuzz::Target<'_>) {
    let corpus = corpus(folder);
    for text in &corpus {
        target(text).unwrap_or_else(|what| panic!("{what}\n\n{text}"));
    }
    let plan = fuzz::FuzzPlan { seed: 1, count: COUNT, tries: 100 };
    let found = fuzz::run(plan, &corpus, target, &mut |_| {});
    if let Some(f) = found.into_iter().next() {
        panic!("{}\nof number {}\n\n{}", f.what, f.seed, f.text);
    }
}

#[test]
fn changed_rules_are_checked() {
    hold("rules", &fuzz::check_rules);
}

#[test]
fn changed_rules_are_laid_out() {
    hold("rules", &fuzz::check_formatting);
}

#[test]
fn changed_rules_are_played() {
    hold("rules", &fuzz::play_rules);
}

#[test]
fn changed_saves_are_loaded() {
    let games = [game("tic-tac-toe"), game("love-letter")];
    hold("saves", &|text| games.iter().try_for_each(|g| fuzz::check_save(g, text)));
}

#[test]
fn changed_campaigns_are_opened() {
    let roads = game("fever-roads");
    hold("saves", &|text| fuzz::check_campaign(&roads, text));
}

#[test]
fn changed_scripts_are_called() {
    hold("hooks", &fuzz::check_hook);
}

#[test]
fn changed_lines_of_json_are_answered() {
    hold("json", &|lines| {
        // A conversation can write files; here it does not.
        if lines.contains("save") || lines.contains("\\u") {
            return Ok(());
        }
        let done = cli_in("play tic-tac-toe --json", lines);
        if let Some(line) = done.out.lines().find(|l| !is_object(l)) {
            return Err(format!("this answer is no object: {line}"));
        }
        if done.exit == Exit::Fine {
            Ok(())
        } else {
            Err(format!("the conversation ended with {:?}", done.exit))
        }
    });
}

fn is_object(line: &str) -> bool {
    matches!(serde_json::from_str(line), Ok(serde_json::Value::Object(_)))
}
