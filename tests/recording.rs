//! Tests made of what was played, without a window: what their texts say, and where.
use crate::support::{game, source};
use houserule::lab::given;
use houserule::lab::record::{Recorded, Wish, record_test};
use houserule::play::{Match, Setup};

fn made(m: &Match, title: &str) -> Recorded {
    let wish = Wish { title: title.into(), refused: None };
    record_test(m, &source("tic-tac-toe"), &wish).unwrap_or_else(|why| panic!("{why}"))
}

fn say(m: &mut Match, words: &str) {
    let seat = m.questions()[0].seats.trailing_zeros() as usize;
    m.choose_in_words(seat, words).expect("an answer");
}

#[test]
fn its_title_is_where_it_is_said_to_be() {
    let mut m = game("tic-tac-toe").start(&Setup::with_seed(1)).expect("it starts");
    say(&mut m, "place(B2)");
    // Words that stand before it in the text, too.
    for title in ["t", "test", "a corner", "\""] {
        let made = made(&m, title);
        assert_eq!(made.text[made.title_at.clone()], made.title, "{}", made.text);
        assert!(made.text[..made.title_at.start].ends_with("test \""), "{}", made.text);
    }
}

#[test]
fn a_match_that_began_in_a_block_with_remarks() {
    let text = "given {\n  A1.mark = noughts  # a { corner\n  # start at setup\n}\n# the end }\n";
    let mut m = given::begin_match(&source("tic-tac-toe"), text, &Setup::with_seed(7))
        .unwrap_or_else(|w| panic!("{:?}", w.report));
    say(&mut m, "place(C3)");
    let made = made(&m, "the far corner");
    assert!(!made.seeded && made.text.contains("\n  A1.mark = noughts  # a { corner\n"), "{}", made.text);
    assert!(made.text.contains("\n  start at round\n"), "{}", made.text);
}

#[test]
fn alike_dice_are_named_once_each() {
    let twice = |t: &str| (1..=6).any(|n| t.contains(&format!("{n}, {n}")));
    let mut repeated = 0;
    for seed in 1..=4 {
        let mut m = game("giants").start(&Setup::with_seed(seed)).expect("it starts");
        for step in 0..5 {
            let q = m.questions()[0];
            let count = m.decisions().expect("decisions")[0].count;
            let at = (count * (step + 2) / 7).min(count - 1);
            let option = m.list_options(q.id, at, 1).expect("options").remove(0);
            m.choose(q.seats.trailing_zeros() as usize, q.id, &option.choice).expect("an answer");
        }
        let wish = Wish { title: String::from("dice"), refused: None };
        let made = record_test(&m, &source("giants"), &wish).unwrap_or_else(|why| panic!("{seed}: {why}"));
        assert!(!made.seeded, "{:?}\n{}", made.notes, made.text);
        repeated += usize::from(made.text.lines().any(|l| l.contains("reroll([") && twice(l)));
    }
    assert!(repeated > 0, "no test names alike dice");
}
