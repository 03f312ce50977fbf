//! Things that nothing tells apart are one choice; what tells them apart makes them several.
use houserule::play::{Game, Match, Setup};
use houserule::text::{File, Files};

const RULES: &str = r#"game Alike "Alike" { players ann, bo; outcome highest coins }
card Card { power: 0..90 = 1 }
Card oak x3 { }
Card elm x2 { }
table { zone heap: Card; zone row: Card }
player { coins: 0..99 = 0; zone hand: Card; fond: Card? }
value price(c: Card): int = index(row, c) default 0
value dear(c: Card): int = 0
setup {
  for i in 1..2 { move first of box where oak to ann.hand; move first of box where elm to row }
  move first of box where oak to row
}
round 9 times { everyone in turn { offer main } }
menu main { pass }
action show(c: one of ann.hand) in main { my.coins += 1 }
action pair(a: one of ann.hand, b: one of ann.hand) in main { my.coins += (if a == b then 1 else 2) }
action twins(a: one of ann.hand, b: one of ann.hand) in main { needs a != b; my.coins += 1 }
action buy(c: one of row) in main { my.coins += price(c) }
action skim(c: one of row) in main { needs price(c) != 2; my.coins += price(c) }
action love(c: one of ann.hand) in main { my.fond = c }
action look(c: one of ann.hand) in main { my.coins += c.power }
action free(d: one of ann.hand) in main { until end of game { modify dear(d) += 1 } }
action press(c: one of ann.hand) in main { until end of game { c.power = 1 } }
"#;

fn begun() -> Match {
    let mut files = Files::new();
    files.add(File::new("alike/alike.rules", RULES));
    let game = Game::load(&files).unwrap_or_else(|r| panic!("{:?}", r.findings));
    game.start(&Setup::with_seed(1)).expect("a match")
}

/// What is offered of an action, in words.
fn offered(m: &mut Match, action: &str) -> Vec<String> {
    let q = m.questions().first().copied().expect("a question");
    let all = m.list_options(q.id, 0, 99).expect("options").into_iter().map(|o| o.words);
    let begins = format!("{action}(");
    all.filter_map(|w| Some(w.strip_prefix(&begins)?.strip_suffix(')')?.to_string())).collect()
}

#[test]
fn alike_things_are_one_choice() {
    assert_eq!(offered(&mut begun(), "show"), ["oak"]);
}

#[test]
fn what_was_picked_before_is_told_apart() {
    let mut m = begun();
    assert_eq!(offered(&mut m, "pair"), ["oak, oak", "oak, oak#2"]);
    assert_eq!(offered(&mut m, "twins").len(), 1);
    m.choose_in_words(0, "pair(oak, oak#2)").expect("it is on offer");
    let log: Vec<String> = m.log(None).into_iter().map(|l| l.text).collect();
    assert!(log.contains(&String::from("ann's coins is now 2")), "{log:?}");
}

#[test]
fn where_the_order_is_asked_things_lie_apart() {
    let mut m = begun();
    assert_eq!(offered(&mut m, "buy"), ["oak", "elm", "elm#2"]);
    assert_eq!(offered(&mut m, "skim"), ["oak", "elm"]);
}

#[test]
fn a_name_or_a_layer_tells_one_from_another() {
    for (said, apart) in
        [("love(oak)", true), ("free(oak)", true), ("press(oak)", true), ("look(oak)", false)]
    {
        let mut m = begun();
        m.choose_in_words(0, said).expect("it is on offer");
        let all = offered(&mut m, "show");
        assert_eq!(all.len(), if apart { 2 } else { 1 }, "{said}: {all:?}");
    }
}

const NAMED: &str = r#"game Pair "Pair" { players ann, bo; outcome highest coins }
card Card { rank: 1..9 = 1 }
Card oak "Oak" x3 { rank: 2 }
player { coins: 0..30 = 0; zone hand: Card; zone pile: Card }
setup { move Card to ann.hand }
round 4 times { everyone in turn { offer main } }
menu main { pass }
menu aside { done }
rule pick(): Card? { give choose one of my.hand }
action two() in main {
  let a = choose one of my.hand
  let b = choose one of my.hand
  move a to my.pile
  move b to my.pile
}
action by_rule() in main {
  let a = pick()
  let b = pick()
  move a to my.pile
  move b to my.pile
}
action within() in main {
  let s = choose 2 of my.hand
  let b = choose one of my.hand
  my.coins += if b in s then 1 else 2
}
action gone() in main {
  let a = choose one of my.hand
  move a to my.pile
  let b = choose one of my.hand
  move b to my.pile
  my.coins += a.rank
}
action done_with() in main {
  let a = choose one of my.hand
  my.coins += a.rank
  let b = choose one of my.hand
  move b to my.pile
}
action take(c: one of my.hand) in aside { move c to my.pile }
action hold() in main {
  let a = choose one of my.hand
  offer aside
  if a in my.pile { my.coins += 1 }
}
"#;

/// What is on offer after these choices, and what has changed.
fn after(choices: &[&str]) -> Vec<String> {
    let mut files = Files::new();
    files.add(File::new("pair/pair.rules", NAMED));
    let game = Game::load(&files).unwrap_or_else(|r| panic!("{:?}", r.findings));
    let mut m = game.start(&Setup::with_seed(1)).expect("a match");
    for said in choices {
        m.choose_in_words(0, said).unwrap_or_else(|e| panic!("{said} of {choices:?}: {e:?}"));
    }
    let q = m.questions().first().copied().expect("a question");
    m.list_options(q.id, 0, 99).expect("options").into_iter().map(|o| o.words).collect()
}

#[test]
fn a_thing_that_a_name_holds_is_offered_apart_while_the_name_is_used() {
    // The first card is the only choice, and nothing is asked.
    assert_eq!(after(&["two()"]), ["oak", "oak#2"]);
    assert_eq!(after(&["within()", "{oak, oak#2}"]).len(), 2);
    // What lies elsewhere, or is used no more, holds nothing apart: of one choice nothing is asked.
    assert_eq!(after(&["gone()"]), after(&["pass"]));
    assert_eq!(after(&["done_with()"]), after(&["pass"]));
}

#[test]
fn what_a_caller_holds_makes_all_of_its_kind_apart() {
    assert_eq!(after(&["by_rule()", "oak"]), ["oak", "oak#2", "oak#3"]);
    assert_eq!(after(&["hold()"]), ["take(oak)", "take(oak#2)", "take(oak#3)", "done"]);
}
