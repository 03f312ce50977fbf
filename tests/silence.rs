//! Questions that are not asked tell something, too: that there was nothing to choose. Where that is a secret, they are asked all the same.
use houserule::lab::laws::{self, LawLimits};
use houserule::play::{Game, Match, Setup};
use houserule::text::{File, Files};

/// Each in turn may give a high card away; cards come back into one deck.
fn game(choice: &str) -> Game {
    let rules = format!(
        "game Give \"Give\" {{ players 2; outcome highest score }}
card Card {{ rank: 1..9 = 1; discards to pile }}
Card low x8 {{ rank: 2 }}
Card high x4 {{ rank: 8 }}
Card top x4 {{ rank: 9 }}
table {{ zone deck: Card seen by nobody; zone pile: Card seen by nobody }}
player {{ zone hand: Card seen by owner; given: 0..99 = 0 }}
value score(p: player): int = p.given
setup {{ move Card to deck; shuffle deck; for p in players {{ move first 3 of deck to p.hand }} }}
round 4 times {{ everyone in turn {{ offer go }} }}
menu go
action give_away() in go {{
  {choice}
  move first of deck to my.hand
}}
"
    );
    let mut files = Files::new();
    files.add(File::new("give/give.rules", rules));
    Game::load(&files).unwrap_or_else(|r| panic!("{:?}", r.findings))
}

const ONE: &str = "let c = choose one of my.hand where it.rank > 5 \"Which?\"; if c is some { move c to pile; my.given += 1 }";
const SOME: &str = "let s = choose 2 of my.hand where it.rank > 5 \"Which?\"; move s to pile";
const NAMED: &str = "let all = my.hand where it.rank > 5; let c = choose one of all \"Which?\"; if c is some { move c to pile }";
const ANY: &str = "let c = choose one of my.hand \"Which?\"; if c is some { move c to pile }";

/// What the asked seat is offered after its action, for some seed in which it has no high card, if `none`; else some.
fn offered(game: &Game, none: bool) -> Vec<String> {
    for seed in 0..50 {
        let mut m: Match = game.start(&Setup::with_seed(seed)).expect("a match");
        m.choose_in_words(0, "give_away").expect("an action");
        let q = m.questions().first().copied().expect("a question");
        let words: Vec<String> =
            m.list_options(q.id, 0, 9).expect("options").into_iter().map(|o| o.words).collect();
        let empty = !words.iter().any(|w| w.contains("high") || w.contains("top"));
        if empty == none && q.player == 0 {
            return words;
        }
        assert!(q.player == 0, "seed {seed}: nobody else is asked before");
    }
    panic!("no such deal");
}

#[test]
fn nothing_to_choose_is_asked_where_that_is_a_secret() {
    for (choice, nothing) in [(ONE, "none"), (SOME, "{}"), (NAMED, "none")] {
        let game = game(choice);
        assert_eq!(offered(&game, true), [nothing], "{choice}");
        assert!(offered(&game, false).iter().any(|w| w.contains("high") || w.contains("top")), "{choice}");
        // The other seat sees the same bytes, whatever the cards are.
        let mut cases = 0;
        for seed in 1..=20 {
            match laws::check_worlds(&game, &Setup::default(), LawLimits { seed, choices: 40, tuples: 0 }) {
                Ok(c) => cases += c.cases,
                Err(b) => panic!("{choice}: {b}"),
            }
        }
        assert!(cases > 20, "{cases}");
        // The law sees what silence would tell.
        let leak = Some(houserule::engine::SeededFault::SilentAnswer);
        let told = (1..=20).any(|seed| {
            let limits = LawLimits { seed, choices: 40, tuples: 0 };
            laws::check_worlds_with(&game, &Setup::default(), limits, leak).is_err()
        });
        assert!(told, "{choice}: the law does not see it");
        let mut m = game.start(&Setup::with_seed(1)).expect("a match");
        m.choose_in_words(0, "give_away").expect("an action");
        let q = m.questions()[0].id;
        let words = m.list_options(q, 0, 1).expect("options")[0].words.clone();
        m.choose_in_words(0, &words).expect("the words of the answer are read");
        let text = m.save();
        assert!(Match::load(&game, &text).expect("it loads").parted.is_none());
    }
}

/// How many cards lie in a hidden zone is open to all: that it is empty is no secret, and then nobody is asked.
#[test]
fn an_empty_hand_is_passed_over() {
    let game = game(ANY);
    let mut m = game.start(&Setup::with_seed(1)).expect("a match");
    let mut asked = 0;
    while let Some(q) = m.questions().first().copied() {
        let words = m.list_options(q.id, 0, 1).expect("options")[0].words.clone();
        assert_ne!(words, "none");
        asked += 1;
        m.choose_in_words(q.player as usize, &words).expect("an answer");
    }
    assert!(m.is_over() && asked >= 12);
}

/// However deep the value lies that looks at the hand.
#[test]
fn a_value_of_values_of_values_looks_at_what_is_hidden() {
    let mut values = String::from("value v0(p: player, n: int): bool = any(c in p.hand: c.rank == n)\n");
    for i in 1..=12 {
        values += &format!("value v{i}(p: player, n: int): bool = v{}(p, n)\n", i - 1);
    }
    let rules = format!(
        "game Deep \"Deep\" {{ players 2; outcome highest score }}
card Card {{ rank: 1..9 }}
Card number(n: 1..9) {{ rank: n }}
table {{ zone deck: Card seen by nobody }}
player {{ zone hand: Card seen by owner; score: 0..99 = 0 }}
setup {{ move Card to deck; shuffle deck; for p in players {{ move first 3 of deck to p.hand }} }}
round 4 times {{ everyone in turn {{ let n = choose one of 7..9 where v12(me, it) \"Which?\"; my.score += 1 }} }}
{values}"
    );
    let mut files = Files::new();
    files.add(File::new("deep/deep.rules", rules));
    let game = Game::load(&files).unwrap_or_else(|r| panic!("{:?}", r.findings));
    for seed in 1..=40 {
        let limits = LawLimits { seed, choices: 20, tuples: 0 };
        laws::check_worlds(&game, &Setup::default(), limits).unwrap_or_else(|b| panic!("{b}"));
    }
}
