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
    assert_eq!(told("40 by 40"), "M is 40 by 40 and has 1600 spaces: a map has 1 to 1024");
    assert_eq!(told("32 by 32"), "");
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
