//! Random programs (`houserule fuzz programs`): they have no errors, the laws hold of them, and mistakes put into the lowering are found by them.
//!
//! Left out is what `generate::KNOWN` names: parts of the language of which a fault is known.
use houserule::lab::generate::{self, Done, ProgramPlan};
use houserule::lab::laws::{self, Broken, Checked, Law, LawLimits};
use houserule::play::{Game, Setup};
use houserule::program::{LowerOptions, SeededFault};

fn plan(seed: u64, count: u64, choices: usize) -> ProgramPlan {
    ProgramPlan {
        seed,
        count,
        choices,
        without: generate::KNOWN.to_vec(),
        tries: 300,
        ..ProgramPlan::default()
    }
}

/// Nothing is found, and of all programs at most one in 200 has errors.
fn clean(done: &Done, cases: u64) {
    let told: Vec<String> =
        done.faults.iter().map(|f| format!("{}\nseeds {:?}\n{}", f.what, f.seeds, f.text)).collect();
    assert!(done.faults.is_empty(), "{}", told.join("\n"));
    assert!((done.programs - done.checked) * 200 <= done.programs, "{done:?}");
    assert!(done.cases >= cases, "only {} cases", done.cases);
}

#[test]
fn plain_and_optimised_code_agree_on_generated_programs() {
    clean(&generate::run_laws(&plan(1, 1600, 4), &[("lowering", laws::check_lowering)]), 10_000);
}

#[test]
fn code_gives_what_the_reference_says_on_generated_programs() {
    clean(&generate::run_laws(&plan(30_001, 200, 2), &[("reference", laws::check_reference)]), 5_000);
}

#[test]
fn matches_go_as_the_reference_says_on_generated_programs() {
    clean(&generate::run_laws(&plan(50_001, 400, 8), &[("rounds", laws::check_rounds)]), 2_000);
}

#[test]
fn the_other_laws_hold_of_generated_programs() {
    let all: [(&'static str, Law); 6] = [
        ("reasons", laws::check_reasons),
        ("clones", laws::check_clones),
        ("saves", laws::check_saves),
        ("undo", laws::check_undo),
        ("worlds", laws::check_worlds),
        ("simultaneous", laws::check_simultaneous),
    ];
    clean(&generate::run_laws(&plan(10_001, 200, 4), &all), 10_000);
}

/// The first program that shows a mistake of the lowering, made smaller in so many tries.
fn found(tries: usize, law: Law) -> Option<String> {
    let of_seed = |seed| {
        let plan = ProgramPlan { tries, ..plan(seed, 1, 6) };
        generate::run_laws(&plan, &[("mistake", law)]).faults.into_iter().next()
    };
    (20_001..20_081).find_map(of_seed).map(|f| f.text)
}

fn with_fault(fault: SeededFault, game: &Game, setup: &Setup, limits: LawLimits) -> Result<Checked, Broken> {
    let wrong = game.with_lowering(LowerOptions { fault: Some(fault), ..LowerOptions::default() });
    laws::check_reasons(&wrong, setup, limits)?;
    laws::check_lowering(&wrong, setup, limits)
}

#[test]
fn a_mistake_of_the_lowering_is_found_and_shown_by_a_small_program() {
    let dropped: Law = |g, s, l| with_fault(SeededFault::GuardDropped, g, s, l);
    let text = found(1_000, dropped).expect("a dropped guard is found");
    assert!(text.lines().count() <= 25, "{text}");
    let turned: Law = |g, s, l| with_fault(SeededFault::SomeIsNone, g, s, l);
    assert!(found(0, turned).is_some(), "a question for none that is turned round is found");
}

#[test]
fn a_seed_makes_the_same_program_again() {
    let text = |seed| generate::make_program(seed, &[]).to_text();
    assert_eq!(text(7), text(7));
    assert_ne!(text(7), text(8));
}

/// What random programs hold, as it is written, and in how many of 2,000 it stands at least.
const OCCURS: [(&str, usize); 150] = [
    (" to ledge face up", 100),
    ("in ledge", 40),
    ("show choose one of Man to choose one of players", 20),
    ("patch Turf of ", 60),
    (" per direction; ", 10),
    (" flip s.turf up", 30),
    ("map Board squares ", 400),
    (" diagonal ", 100),
    ("map Board hexes ", 200),
    ("map Board line ", 100),
    ("map Board graph ", 100),
    (" within ", 100),
    (" -> ", 50),
    (", cost: if it == ", 100),
    ("card Charm is Card", 300),
    (" of player {", 300),
    ("die Cube", 300),
    (" seen by owner", 300),
    (" seen by nobody", 300),
    (" seen by lookers", 100),
    (" face down", 150),
    (" flip t down", 10),
    ("shuffle ", 500),
    ("roll ", 300),
    (" becomes ", 150),
    ("slot on: Man", 300),
    ("modify ", 500),
    ("= usual", 300),
    (" at most ", 80),
    ("before ", 200),
    ("after ", 200),
    ("; order by ", 20),
    ("instead of ", 200),
    ("forbid ", 300),
    ("until end of ", 300),
    (" end early ", 100),
    ("has zone lot: Ch", 50),
    ("ends when no action", 5),
    (": bool = p.mate", 100),
    (" by chance", 500),
    ("choose one of ", 500),
    ("choose up to ", 80),
    ("may \"", 200),
    ("everyone at once ", 150),
    ("everyone of ", 100),
    ("in any order ", 50),
    ("everyone freely ", 150),
    ("swap ", 200),
    ("discard ", 8),
    ("deal ", 20),
    ("once per ", 200),
    ("cost ", 200),
    ("pay ", 300),
    (" * coins", 50),
    ("must leave ", 150),
    (" can side", 300),
    (" can main", 150),
    ("(can r", 300),
    ("(can pay ", 300),
    ("sees(", 300),
    ("phase early()", 200),
    ("early is running", 150),
    (" during early", 150),
    ("variant rich", 200),
    ("(rich)", 150),
    ("\nremove a", 150),
    ("\nchange oak ", 150),
    (" up to 400", 300),
    (" in Row", 150),
    (": Column", 100),
    (".bonus", 100),
    ("value wide", 150),
    ("case (", 400),
    ("most(", 80),
    ("union(", 400),
    ("lines(2)", 150),
    ("reversed(", 100),
    ("clockwise(", 200),
    ("index(", 200),
    ("reachable(", 200),
    (": some of ", 40),
    (": any of ", 40),
    ("ends when ", 80),
    (" active when ", 50),
    (" to (if ", 150),
    ("repeat until ", 200),
    ("at an end\"", 50),
    (" 9 by 8", 10),
    ("so many {", 150),
    ("beside {", 100),
    ("may \"Really now?\"", 100),
    ("outcome each", 150),
    ("out when ", 100),
    ("{ done; clock ", 100),
    ("player { at: Cell }", 80),
    ("zone shelf[n: 1..3]", 60),
    ("soil: 0..3", 120),
    ("Charm horn", 250),
    ("joined {", 120),
    ("pips {", 50),
    ("crowded {", 15),
    ("rows {", 90),
    ("runs {", 110),
    ("numbers {", 130),
    ("inside {", 120),
    ("median(", 20),
    (" mod ", 100),
    (" seen by others", 20),
    (" one by one ", 30),
    (".row", 20),
    (".column", 20),
    ("opposite(", 40),
    ("turn(", 40),
    ("pairs {", 110),
    ("constant {", 300),
    (" -= [", 110),
    ("p.steps += 2", 30),
    ("start of my turn", 120),
    ("counter x70", 10),
    ("counter x300", 4),
    ("modify team(p)", 60),
    ("after main when", 90),
    ("path: list of Cell", 60),
    ("Card yew ", 60),
    ("{ give ", 110),
    ("menu best {", 120),
    ("Town aldea", 180),
    ("seat.fame", 60),
    ("token Barge", 180),
    ("card Form is Sheet", 150),
    (".host", 180),
    (" per stay", 400),
    (" refill {", 220),
    ("by chance to my.", 60),
    ("menu main \"Your move\"", 200),
    ("bag of Good", 220),
    (" from my.store", 220),
    ("cost 1 * g from market", 220),
    (" pays Good", 120),
    ("swap my.bed", 30),
    ("zone fair: Bead or Doll", 180),
    ("(x: Bead or Doll)", 180),
    ("Doll rag x2 3", 80),
    ("; cost 1 coins }", 150),
    ("legacy {", 300),
    ("scenario far", 300),
    ("lead = ", 200),
    ("camp = ", 120),
    ("next none", 120),
    (" when tied", 80),
];

#[test]
fn generated_programs_hold_every_construct() {
    let texts: Vec<String> = (1..=2000).map(|seed| generate::make_program(seed, &[]).to_text()).collect();
    let rare: Vec<String> = OCCURS
        .iter()
        .map(|(what, least)| (what, least, texts.iter().filter(|t| t.contains(what)).count()))
        .filter(|(_, least, n)| n < least)
        .map(|(what, least, n)| format!("`{what}` stands in {n} programs, not in {least}"))
        .collect();
    assert!(rare.is_empty(), "{}", rare.join("\n"));
}
