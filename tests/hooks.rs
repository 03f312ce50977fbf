//! The scripts that ship with games, called as the engine calls them.
use houserule::hooks::{Kinds, LIMITS, Reads, Scripts};
use houserule::play::{Game, Match, Setup};
use houserule::program::ir::{AttrIx, DeclIx, HookSlot, NONE, Show, Universe, UniverseId, UniverseSort};
use houserule::text::{File, Files, Report};
use std::collections::HashSet;
use std::sync::Arc;

const PATTERN: &str = include_str!("../rules/classics/othello/hooks/pattern.rhai");
const STANDING: &str = include_str!("../rules/classics/othello/hooks/standing.rhai");

/// Cells with discs of players 0 and 1.
#[derive(Clone)]
struct Board([i64; 64]);

impl Board {
    fn start() -> Board {
        let mut b = Board([NONE; 64]);
        for (cell, p) in [("D5", 0), ("E4", 0), ("D4", 1), ("E5", 1)] {
            b.put(cell, p);
        }
        b
    }

    fn put(&mut self, cell: &str, p: i64) {
        let c = cell.as_bytes();
        self.0[usize::from(c[0] - b'A') + 8 * usize::from(c[1] - b'1')] = p;
    }
}

impl Reads for Board {
    fn players(&self) -> i64 {
        2
    }
    fn round(&self) -> i64 {
        0
    }
    fn turn(&self) -> Option<i64> {
        None
    }
    fn count(&self, kind: &str) -> Option<i64> {
        (kind == "Cell").then_some(64)
    }
    fn number(&self, _: &str, _: &str) -> Option<Option<i64>> {
        None
    }
    fn attr(&self, name: &str, thing: Option<i64>) -> Option<Option<i64>> {
        let thing = usize::try_from(thing?).ok()?;
        (name == "disc").then(|| self.0.get(thing).copied().filter(|v| *v != NONE))
    }
    fn face(&self, _: &str, _: i64) -> Option<Option<i64>> {
        None
    }
    fn place(&self, _: &str, _: i64) -> Option<Option<i64>> {
        None
    }
    fn zone(&self, _: &str, _: Option<i64>) -> Option<Option<i64>> {
        None
    }
    fn lying_at(&self, _: i64) -> Vec<i64> {
        Vec::new()
    }
    fn step(&self, _: &str, _: i64, _: i64) -> Option<Option<i64>> {
        None
    }
}

fn scripts() -> Scripts {
    compile(PATTERN, STANDING)
}

fn compile(pattern: &str, standing: &str) -> Scripts {
    let universe = |name: &str, n: u32| Universe {
        name: name.into(),
        n,
        w: 1,
        sort: UniverseSort::Words,
        things: Vec::new(),
    };
    let universes = [universe("player", 2), universe("Cell", 64)];
    let hook = |name: &str, script: &str, param, gives| HookSlot {
        name: name.into(),
        script: script.into(),
        file: format!("{name}.rhai").into(),
        params: vec![param],
        gives,
        decl: DeclIx(0),
    };
    let hooks = [
        hook("pattern", pattern, Show::Number, Show::Set(UniverseId(1))),
        hook("standing", standing, Show::Thing(UniverseId(0)), Show::Number),
    ];
    Scripts::compile(&hooks, &Kinds { universes: &universes, places: 0, phases: 0 }).unwrap()
}

#[test]
fn a_pattern_of_holes_is_the_same_for_both_players_and_leaves_the_opening_alone() {
    let s = scripts();
    assert!(!s.is_reading_game(0), "a pattern comes from its number alone");
    let mut out = Vec::new();
    let mut seen = HashSet::new();
    for n in 0..1000 {
        s.call(0, &[n], || Arc::new(Board::start()), &mut out).unwrap();
        let holes = out[0];
        assert_eq!(holes, holes.reverse_bits(), "pattern {n}");
        assert!((6..=12).contains(&holes.count_ones()), "pattern {n}: {}", holes.count_ones());
        assert_eq!(holes & 0x8100_0000_0000_0081, 0, "pattern {n} blocks a corner");
        assert_eq!(holes & 0x0000_3c3c_3c3c_0000, 0, "pattern {n} blocks the middle");
        seen.insert(holes);
    }
    assert!(seen.len() > 950, "{} patterns", seen.len());
}

#[test]
fn standing_knows_what_lasts() {
    let s = scripts();
    let standing = |b: &Board, p: u64| {
        let mut out = Vec::new();
        s.call(1, &[p], || Arc::new(b.clone()), &mut out).unwrap();
        out[0] as i64
    };
    let start = Board::start();
    assert_eq!(standing(&start, 0), 0);
    assert_eq!(standing(&start, 1), 0);
    let mut corner = start.clone();
    corner.put("A1", 0);
    let mut beside = start.clone();
    beside.put("B2", 0);
    assert!(standing(&corner, 0) > 0 && standing(&beside, 0) < 0);
    for b in [&corner, &beside] {
        assert_eq!(standing(b, 0), -standing(b, 1), "what one gains the other loses");
    }
    // Nearly full: the count decides.
    let mut full = Board([1; 64]);
    full.put("A1", 0);
    full.put("H8", NONE);
    assert_eq!(standing(&full, 1), 100 * 61);
}

/// The dearest position there is has to fit into the limits: empty cells and long rows of discs all around them.
#[test]
fn standing_stays_within_the_limits_on_any_board() {
    let s = scripts();
    let mut out = Vec::new();
    let mut mix = 1u64;
    for round in 0..60u64 {
        let mut b = Board([NONE; 64]);
        for cell in &mut b.0 {
            mix = mix.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            if mix >> 60 <= round / 4 {
                *cell = i64::from((mix >> 40).is_multiple_of(8));
            }
        }
        s.call(1, &[0], || Arc::new(b), &mut out)
            .unwrap_or_else(|e| panic!("{e} (of {})", LIMITS.operations));
    }
}

/// The page about hooks: its two scripts run as they stand there, and the limits it tells are those that hold.
#[test]
fn the_page_about_hooks_is_true() {
    let page = include_str!("../docs/hooks.md");
    let scripts: Vec<&str> = page.split("```rhai\n").skip(1).filter_map(|s| s.split("```").next()).collect();
    let [pattern, standing] = scripts[..] else { panic!("{} scripts", scripts.len()) };
    let s = compile(pattern, standing);
    let mut out = Vec::new();
    s.call(0, &[9], || Arc::new(Board::start()), &mut out).unwrap();
    assert_eq!(out, [1 << 9 | 1 << 19 | 1 << 29 | 1 << 34 | 1 << 44 | 1 << 54]);
    let mut b = Board::start();
    b.put("H8", 1);
    s.call(1, &[1], || Arc::new(b), &mut out).unwrap();
    assert_eq!(out, [4]);
    let number = |n: u64| {
        let digits = n.to_string();
        if n < 1000 {
            digits
        } else {
            format!("{},{}", &digits[..digits.len() - 3], &digits[digits.len() - 3..])
        }
    };
    for (what, n) in [
        ("steps", LIMITS.operations),
        ("calls inside each other", LIMITS.calls as u64),
        ("variables at once", LIMITS.variables as u64),
        ("elements of an array, all that it holds counted", LIMITS.array as u64),
        ("entries of a map", LIMITS.map as u64),
        ("characters of a text", LIMITS.text as u64),
        ("depth of an expression", LIMITS.depth as u64),
        ("functions of a script", LIMITS.functions as u64),
    ] {
        let row = format!("| {what} | {} |", number(n));
        assert!(page.contains(&row), "the page does not say: {row}");
    }
    assert_eq!(LIMITS.bytes, 128 << 10);
}

/// The shipped scripts as the engine runs them: one in set-up, one reading a state.
#[test]
fn the_shipped_scripts_run_in_the_game() {
    let game = crate::support::game("othello");
    let s = scripts();
    let mut out = Vec::new();
    for seed in ["0", "7", "999"] {
        let setup = Setup {
            variants: vec!["holes".into()],
            options: [("seed".to_string(), seed.to_string())].into(),
            ..Setup::with_seed(1)
        };
        let mut m = game.start(&setup).unwrap_or_else(|r| panic!("{:?}", r.findings));
        let p = m.program().clone();
        let blocked = p.attrs.iter().position(|a| &*a.name == "blocked").unwrap();
        let look = m.machine().look();
        let holes = (0..64)
            .filter(|c| look.attr(AttrIx(blocked as u16), *c) == Some(1))
            .fold(0u64, |h, c| h | 1 << c);
        s.call(0, &[seed.parse().unwrap()], || Arc::new(Board::start()), &mut out).unwrap();
        assert_eq!(holes, out[0], "pattern {seed}");
    }
    let mut m = game.start(&Setup::with_seed(1)).unwrap_or_else(|r| panic!("{:?}", r.findings));
    let p = m.program().clone();
    let heuristic = p.heuristics[0].func;
    let mut b = Board::start();
    for (seat, words, cell, turned) in [(0, "place(D3)", "D3", "D4"), (1, "place(C3)", "C3", "C3")] {
        m.choose_in_words(seat, words).unwrap_or_else(|e| panic!("{e:?}"));
        for c in [cell, turned] {
            b.put(c, seat as i64);
        }
        if seat == 1 {
            b.put("D4", 1);
        }
        for player in 0..2u64 {
            let mut got = [0];
            m.machine().eval(heuristic, &[player], &mut got).unwrap();
            s.call(1, &[player], || Arc::new(b.clone()), &mut out).unwrap();
            assert_eq!(got[0] as i64, out[0] as i64, "player {player} after {words}");
        }
    }
}

/// `check` looks at scripts, too, before anybody plays.
#[test]
fn a_bad_script_is_found_by_check() {
    let found = |script: &str| {
        let mut files = Files::new();
        files.add(File::new("small.rules", GAME));
        files.add(File::new("hooks/f.rhai", script));
        let game = Game::load(&files).map_err(|r| format!("{:?}", r.findings)).unwrap();
        let all = houserule::play::find_unplayable(game.model());
        all.iter().map(|d| format!("{} {}", d.code.0, d.message)).collect::<Vec<_>>()
    };
    assert!(found("fn f(n) { n }").is_empty() && found("fn f(n, game) { n }").is_empty());
    assert_eq!(found("fn g(n) { n }")[0], "E0902 f.rhai: the script has no function `f`");
    assert!(found("fn f(n) {\n  eval(\"1\")\n}")[0].starts_with("E0902 f.rhai:2:3: "));
}

const GAME: &str = "game Small \"Small\" { players a, b; outcome win }\n\
    table { level: int = 0 }\n\
    hook f(n: int): int from \"f.rhai\"\n\
    setup { level = f(2) }\n\
    round { everyone in turn { offer move } }\n\
    menu move { }\n\
    action end() in move { level = f(level); win me }\n";

fn small(script: &str) -> Result<Match, String> {
    let mut files = Files::new();
    files.add(File::new("small.rules", GAME));
    files.add(File::new("hooks/f.rhai", script));
    let game = Game::load(&files).map_err(|r| format!("{:?}", r.findings))?;
    let say = |r: Report| {
        r.findings.iter().map(|d| format!("{} {}", game.files().place(d.at.span), d.message)).collect()
    };
    game.start(&Setup::with_seed(1)).map_err(say)
}

/// A game with a bad script does not begin, or stops with the place in the script; nothing of the choice stays.
#[test]
fn a_bad_script_is_an_error_of_the_rules() {
    small("fn f(n) { n + 1 }").unwrap();
    let error = small("fn f(n) {\n  n +\n}").map(|_| ()).unwrap_err();
    assert!(error.contains("small.rules:3:6") && error.contains("f.rhai:3:1: "), "{error}");
    assert!(error.contains("small.rules:3:6"), "{error}");
    let error = small("fn f(n) {\n  let i = 0;\n  while true { i += n; }\n}").map(|_| ()).unwrap_err();
    assert!(error.contains("f.rhai:3:") && error.contains("it took more than"), "{error}");
    assert!(error.starts_with("small.rules:4:"), "{error}");
    let error = small("fn f(n) { 2147483647 * n }").map(|_| ()).unwrap_err();
    assert!(error.contains("outside the numbers of the rules"), "{error}");
    let mut m = small("fn f(n) {\n  if n == 3 { throw \"three is too many\" }\n  n + 1\n}").unwrap();
    let before = m.state().clone();
    let refused = format!("{:?}", m.choose_in_words(0, "end()").unwrap_err());
    assert!(refused.contains("f.rhai:2:15: the script says: three is too many"), "{refused}");
    assert!(*m.state() == before, "a choice that failed left something behind");
}

/// Rhai copies an array in one step whatever its length; here the copy costs more steps the longer it is.
#[test]
fn copies_of_arrays_cost_steps_by_their_length() {
    let assigned =
        |n: usize| format!("fn f(n) {{ let a = []; a.pad({n}, 1); for i in 0..25000 {{ let b = a; }} 1 }}");
    let handed_over = |n: usize| {
        let call = "for i in 0..10000 { g(a, a, a, a); }";
        format!("fn g(a, b, c, d) {{ 1 }} fn f(n) {{ let a = []; a.pad({n}, 1); {call} 1 }}")
    };
    for script in [&assigned as &dyn Fn(usize) -> String, &handed_over] {
        small(&script(10)).unwrap_or_else(|e| panic!("{}: {e}", script(10)));
        let error = small(&script(1000)).map(|_| ()).unwrap_err();
        assert!(error.contains("it took more than"), "{error}");
    }
}
