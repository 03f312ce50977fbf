//! Invariants that can break: what keeps each of them is taken out of Fuji's rules, and random games find it.
use crate::support::source;
use houserule::lab::simulate::{SimulationPlan, simulate};
use houserule::play::{Game, Setup};
use houserule::text::{File, Files};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64};

/// Fuji with one piece of its text put otherwise.
fn broken(file: &str, was: &str, is: &str) -> Game {
    let mut files = Files::new();
    let mut found = 0;
    for (_, f) in source("fuji").iter() {
        let here = f.name.ends_with(file) && f.text.contains(was);
        found += usize::from(here);
        files.add(if here { File::new(f.name.clone(), f.text.replacen(was, is, 1)) } else { f.clone() });
    }
    assert_eq!(found, 1, "{file}: {was}");
    Game::load(&files).unwrap_or_else(|r| panic!("{was}: {:?}", r.findings))
}

#[test]
fn each_invariant_of_fuji_sees_what_breaks_it() {
    // Where, what is taken out, what stands there then, which invariant says so.
    let breaks = [
        (
            "fuji.rules",
            "lose when any(p in players: lava(p.at))",
            "lose when no(p in players: p.fatigue < 25)",
            "nobody stands on lava",
        ),
        ("fuji.rules", "{ move card to discards }", "{ move card to box }", "no equipment gets lost"),
        (
            "fuji.rules",
            "needs goal not in taken(me) or",
            "needs goal is some or",
            "neighbours walk to different cards",
        ),
        (
            "fuji.rules",
            "  move card to my.gear\n",
            "  move first 9 of draw_pile to discards\n  move card to my.gear\n",
            "the draw pile lasts",
        ),
        (
            "fuji.rules",
            "crossed(my.fatigue) - crossed(was) times",
            "crossed(my.fatigue) times",
            "stamina and injuries agree",
        ),
        (
            "people.rules",
            "no(w in p.wounds: w.hurt == it.hurt)",
            "count(p.wounds) < 9",
            "nobody has an injury twice",
        ),
        (
            "equipment.rules",
            "until end of round { move d to p.dice }",
            "move d to p.dice",
            "a round begins with one's own dice",
        ),
        (
            "equipment.rules",
            "until end of round { move cut to my.aside }",
            "move cut to my.aside",
            "a round begins with one's own dice",
        ),
        (
            "equipment.rules",
            "until end of round { move cut to my.aside }",
            "move cut to box",
            "dice go back to the box for skills and legs alone",
        ),
    ];
    for (file, was, is, title) in breaks {
        let game = broken(file, was, is);
        // Level 4 tires soon: in a few rounds everything has happened.
        let options = BTreeMap::from([(String::from("level"), String::from("level_4"))]);
        let setup = Setup { scenario: Some("fuji_1".into()), options, ..Setup::with_seed(3).with_players(4) };
        let plan = SimulationPlan {
            setup,
            first: 0,
            games: 60,
            seats: Vec::new(),
            jobs: 0,
            cap: 10_000,
            uses: false,
        };
        let s = simulate(&game, &plan, &AtomicBool::new(false), &AtomicU64::new(0)).expect("games");
        let mut told: BTreeMap<&str, u32> = BTreeMap::new();
        s.faults().for_each(|(_, d)| *told.entry(&d.message).or_default() += 1);
        assert!(told.keys().any(|m| m.contains(title)), "{was} as {is}: {told:?}");
    }
}
