//! What a test orders of chance that cannot come: an error where it should come, in the test's words, and what does not come stays with the seed.
use houserule::lab::testing;
use houserule::play::Game;
use houserule::text::{File, Files};

/// A game with every form of chance, and tests of what can be ordered.
const ORDERED: &str = include_str!("suite/chance/ordered.rules");

/// Why a test with these statements fails, and on which of its lines, from 1; none if it passes.
fn goes(statements: &[&str]) -> Option<(usize, String)> {
    let text =
        format!("{ORDERED}\ntest \"tried\" with Ann, Bo seeds 1..4 {{\n  {}\n}}\n", statements.join("\n  "));
    let head = text.lines().position(|l| l.contains("\"tried\"")).expect("the test") + 1;
    let mut files = Files::new();
    files.add(File::new("ordered.rules", text));
    let game = Game::load(&files).unwrap_or_else(|r| panic!("{:?}", r.findings));
    let result = testing::run(&game, Some("tried")).into_iter().next().expect("the test");
    result.failure.map(|f| {
        let line = f.place.split(':').nth(1).and_then(|l| l.parse::<usize>().ok()).expect("a line");
        (line.saturating_sub(head), f.message)
    })
}

fn fails(statements: &[&str], what: &str) {
    let (_, why) = goes(statements).unwrap_or_else(|| panic!("{statements:?} pass"));
    assert!(why.contains(what), "{statements:?}: {why}");
}

const NO_DRAW: &str = "the things that the test wants to be drawn are not among those that can be drawn";
const NOT_THERE: &str = "the things that the test wants on top are not in the shuffled zone";

#[test]
fn what_is_not_drawn_from_cannot_be_drawn() {
    let hand = "move rider to Ann.hand";
    assert_eq!(goes(&[hand, "table draws rider", "steal(Ann)"]), None);
    fails(&[hand, "table draws queen", "steal(Ann)"], NO_DRAW);
    fails(&["table draws 95", "guess()"], NO_DRAW);
    // More at once than are drawn, and one of them twice.
    fails(&["table draws [B1, B2, C1]", "scatter()"], NO_DRAW);
    fails(&["table draws [queen, queen]", "twins()"], NO_DRAW);
    // Of another kind it is not about that draw, which stays with the seed.
    assert_eq!(goes(&[hand, "table draws rain", "steal(Ann)", "blow()", "expect weather == rain"]), None);
}

#[test]
fn what_does_not_lie_there_cannot_lie_on_top() {
    let all = "move Card to deck";
    assert_eq!(goes(&[all, "table shuffles deck to queen", "deal()"]), None);
    fails(&["move rider to deck", "table shuffles deck to queen", "deal()"], NOT_THERE);
    fails(&[all, "table shuffles deck to queen, queen", "deal()"], NOT_THERE);
}

#[test]
fn what_is_none_cannot_be_ordered() {
    let (line, why) = goes(&["luck = 4", "table draws starter", "begin()"]).expect("nobody is starter yet");
    assert_eq!((line, why.contains("this names nothing")), (2, true), "{why}");
}

#[test]
fn a_number_that_a_die_does_not_show_cannot_be_rolled() {
    let tray = "move first 3 of box where D6 to tray";
    assert_eq!(goes(&[tray, "table rolls 6", "tumble()"]), None);
    // It is no other face instead.
    fails(&[tray, "table rolls 7", "tumble()"], "does not have any of the faces that the test wants");
    fails(&[tray, "table rolls 0", "tumble()"], "does not have any of the faces that the test wants");
}
