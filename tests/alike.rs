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
    game.start(&Setup::seed(1)).expect("a match")
}

/// What is offered of an action, in words.
fn offered(m: &mut Match, action: &str) -> Vec<String> {
    let q = m.questions().first().copied().expect("a question");
    let all = m.options(q.id, 0, 99).expect("options").into_iter().map(|o| o.words);
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
    m.say(0, "pair(oak, oak#2)").expect("it is on offer");
    let log: Vec<String> = m.log(None).into_iter().map(|l| l.text).collect();
    assert!(log.contains(&String::from("ann: coins = 2")), "{log:?}");
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
        m.say(0, said).expect("it is on offer");
        let all = offered(&mut m, "show");
        assert_eq!(all.len(), if apart { 2 } else { 1 }, "{said}: {all:?}");
    }
}
