//! Absurd sizes are told, with a place; nothing panics and nothing hangs.
use houserule::play::{Game, Setup, find_unplayable};
use houserule::text::{File, Files};
use std::fmt::Write;

fn load(text: &str) -> Result<Game, String> {
    let mut files = Files::new();
    files.add(File::new("huge.rules", text));
    Game::load(&files)
        .map_err(|r| r.findings.iter().map(|d| d.message.clone()).collect::<Vec<_>>().join("\n"))
}

/// What the game is refused for: by the checker, or by the lowering.
fn refused(text: &str) -> String {
    match load(text) {
        Err(said) => said,
        Ok(g) => find_unplayable(g.model()).iter().map(|d| d.message.clone()).collect::<Vec<_>>().join("\n"),
    }
}

#[test]
fn a_huge_map() {
    let said = refused(
        "game G \"G\" { players 2; outcome win }\nmap M squares 9999 by 9999\nspace Cell on M { mark: player? }\nround once { (first of Cell).mark = first of players }\n",
    );
    assert!(!said.is_empty());
    let told = |size: &str| {
        refused(&format!(
            "game G \"G\" {{ players 2; outcome win }}\nmap M squares {size}\nspace Cell on M {{ mark: player? }}\nround once {{ A1.mark = first of players }}\n"
        ))
    };
    assert_eq!(told("46 by 46"), "a map has 1 to 100 columns and rows, and at most 2048 spaces");
    assert_eq!(told("within 41 by 50"), "a map has 1 to 100 columns and rows, and at most 2048 spaces");
    assert_eq!(told("45 by 45"), "");
    assert_eq!(told("within 45 by 45"), "");
}

#[test]
fn too_many_components() {
    let said = refused(
        "game G \"G\" { players 2; outcome win }\ntoken Cube x1000000\ntable { zone heap: Cube }\nround once { move Cube to heap }\n",
    );
    assert!(!said.is_empty());
    // As many as there may be are no trouble.
    let g = load("game G \"G\" { players 2; outcome win }\ntoken Cube x1000\ntable { zone heap: Cube }\nround once { move Cube to heap }\n")
        .expect("a thousand cubes");
    let p = g.lower_setup(&Setup::default()).unwrap_or_else(|r| panic!("{:?}", r.findings));
    let mut m = g.make_machine(p, 1);
    m.start().expect("it runs");
    assert!(m.is_over());
}

#[test]
fn too_many_names_in_one_rule() {
    let mut text =
        String::from("game G \"G\" { players 2; outcome win }\ntable { n: 0..9 = 0 }\nround once {\n");
    for i in 0..400 {
        let _ = writeln!(text, "  let a{i} = n + {i}");
    }
    text.push_str("  n = (0");
    for i in 0..400 {
        let _ = write!(text, " + a{i}");
    }
    text.push_str(") / 100000\n}\n");
    let said = refused(&text);
    assert!(said.contains("registers") || said.contains("deep"), "{said}");
}

#[test]
fn many_kinds() {
    let mut text = String::from("game G \"G\" { players 2; outcome win }\n");
    for i in 0..400 {
        let _ = writeln!(text, "enum E{i} {{ a{i}, b{i} }}");
        let _ = writeln!(text, "table {{ x{i}: E{i} = a{i} }}");
    }
    text.push_str("round once {");
    for i in 0..400 {
        let _ = write!(text, " x{i} = b{i};");
    }
    text.push_str(" }\n");
    assert!(refused(&text).contains("250"));
}

#[test]
fn endless_rules_run_out_of_budget() {
    let g = load("game G \"G\" { players 2; outcome win }\ntable { n: 0..9 = 0 }\nround once { repeat until n == 1 { n = 0 } }\n").expect("rules");
    let p = g.lower_setup(&Setup::default()).unwrap_or_else(|r| panic!("{:?}", r.findings));
    let mut m = g.make_machine(p, 1);
    let fault = m.start().expect_err("it never ends");
    assert!(fault.to_string().contains("too many steps"), "{fault}");
    // A round that never asks and never ends, too.
    let g = load("game G \"G\" { players 2; outcome win }\ntable { n: 0..9 = 0 }\nround { n = 0 }\n")
        .expect("rules");
    let p = g.lower_setup(&Setup::default()).unwrap_or_else(|r| panic!("{:?}", r.findings));
    assert!(g.make_machine(p, 1).start().is_err());
}

#[test]
fn endless_recursion_is_told() {
    let g = load("game G \"G\" { players 2; outcome win }\ntable { n: 0..9 = 0 }\nround once { again() }\nrule again() { n = 1; again() }\n")
        .expect("rules");
    let p = g.lower_setup(&Setup::default()).unwrap_or_else(|r| panic!("{:?}", r.findings));
    let fault = g.make_machine(p, 1).start().expect_err("it never ends");
    assert!(fault.to_string().contains("deeply"), "{fault}");
    assert!(fault.frames.len() > 10 && &*fault.frames[0].name == "again");
}

/// A game with `all` cards, 18 of which have a zone, and 120 things for it; the bytes of a state. With backs of their own the 18 are never mixed with the others.
fn state_with_loads(all: usize, own_backs: bool, zone: &str, taken: &str) -> usize {
    let text = format!(
        "game G \"G\" {{ players 2; outcome highest n }}
card Page {{ {back} }}
card Item is Page {{ {craft} {zone} }}
Item bow(n: 1..9) x2
card Tale is Page {{ }}
Tale tale(n: 1..{tales}) x2
token Chit
Chit wood x120
player {{ n: 0..99 = 0; zone items: Item }}
table {{ zone deck: {held} seen by nobody; zone store: Item seen by nobody; zone bank: Chit }}
setup {{ move {held} to deck; move Item to {own}; move Chit to bank; shuffle deck; shuffle {own} }}
round 2 times {{ everyone in turn {{ move first of {own} where Item to my.items; {taken} }} }}
",
        back = if own_backs { "back craft: bool = no" } else { "" },
        craft = if own_backs { "craft = yes;" } else { "" },
        tales = (all - 18) / 2,
        held = if own_backs { "Tale" } else { "Page" },
        own = if own_backs { "store" } else { "deck" },
    );
    let g = load(&text).unwrap_or_else(|e| panic!("{e}"));
    let p = g.lower_setup(&Setup::default()).unwrap_or_else(|r| panic!("{:?}", r.findings));
    let mut m = g.make_machine(p, 1);
    m.start().expect("it runs");
    m.state().bytes()
}

const PUT: &str = "for c in my.items { move first of bank to c.load }";
const PUT_IN_ORDER: &str = "for c in my.items { move first of bank to c.load; move last of c.load to bank }";

#[test]
fn zones_of_a_few_cards_make_a_state_little_larger() {
    let state = |zone, taken| state_with_loads(218, false, zone, taken);
    let without = state("", "my.n += 1");
    let any = state("zone load: Chit", PUT);
    let ordered = state("zone load: Chit", PUT_IN_ORDER);
    assert!(any < without * 2, "{without} and {any}");
    assert_eq!(any, state("zone load: Chit up to 3", PUT));
    assert!(ordered < without * 2, "{without} and {ordered}");
    assert_eq!(ordered, state("zone load: Chit up to 3", PUT_IN_ORDER));
    // Of 60 cards.
    let without = state_with_loads(60, false, "", "my.n += 1");
    let ordered = state_with_loads(60, false, "zone load: Chit", PUT_IN_ORDER);
    assert!(ordered * 2 <= without * 3, "{without} and {ordered}");
}

#[test]
fn only_cards_that_may_show_a_face_of_the_kind_have_places() {
    for all in [60, 218] {
        let state = |zone, taken| state_with_loads(all, true, zone, taken);
        let without = state("", "");
        let any = state("zone load: Chit", PUT);
        let ordered = state("zone load: Chit", PUT_IN_ORDER);
        // A place takes two words for the set of what lies there, and a cell where its order begins.
        assert_eq!(any - without, 18 * 16, "of {all} cards");
        assert_eq!(ordered - any, 18 * 4, "of {all} cards");
        assert!(ordered * 5 <= without * 6, "{without} and {ordered}");
    }
}
