//! Begins a scenario and reports the conditions that it does not meet: `needs` of the set-up, limits of seats, `invariant`s. The editor shows them beside a drawn map.
//!
//! A condition on each space of a map is told with the spaces that do not meet it.
use houserule_engine::{Fault, Machine, thing_word};
use houserule_play::{Game, Setup, fault_finding};
use houserule_program::ir::{InvariantSlot, UniverseSort};
use houserule_text::{Diagnostic, Span};
use std::sync::Arc;

/// Seeds under which a scenario is begun: what chance lays out must hold, too.
const SEEDS: [u64; 3] = [1, 2, 3];

/// Something that a scenario does not meet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unmet {
    /// What it is, in a sentence.
    pub message: String,
    /// Where the condition stands, if it stands anywhere.
    pub span: Option<Span>,
    /// The spaces that do not meet it: the map's name and the space's.
    pub spaces: Vec<(Arc<str>, String)>,
}

/// What a scenario, or the game without one, with these variants does not meet where it begins, with as few players as its conditions allow.
pub fn find_unmet(game: &Game, scenario: Option<&str>, variants: &[String]) -> Vec<Unmet> {
    let (scenario, variants) = (scenario.map(String::from), variants.to_vec());
    let setup = Setup { scenario, variants, ..Setup::with_seed(SEEDS[0]) };
    let program = match game.lower_setup(&setup) {
        Ok(program) => program,
        Err(report) => return report.findings.iter().map(Unmet::to_unmet).collect(),
    };
    let mut out: Vec<Unmet> = Vec::new();
    for seed in SEEDS {
        let mut machine = game.make_machine(program.clone(), seed);
        if let Err(fault) = check_beginning(game, &mut machine, &mut out) {
            add_unmet(&mut out, Unmet::to_unmet(&fault_finding(&fault, &program)));
        }
    }
    out
}

/// Begins a game and adds what does not hold at the first choice.
fn check_beginning(game: &Game, machine: &mut Machine, out: &mut Vec<Unmet>) -> Result<(), Fault> {
    machine.start()?;
    let program = machine.program().clone();
    for slot in &program.invariants {
        if let Some(unmet) = judge_invariant(game, machine, slot)? {
            add_unmet(out, unmet);
        }
    }
    Ok(())
}

/// Adds a condition that is not in the list yet; of one that is, the spaces that are not.
fn add_unmet(out: &mut Vec<Unmet>, unmet: Unmet) {
    match out.iter_mut().find(|o| o.message == unmet.message) {
        None => out.push(unmet),
        Some(known) => {
            let new = unmet.spaces.into_iter().filter(|s| !known.spaces.contains(s)).collect::<Vec<_>>();
            known.spaces.extend(new);
        }
    }
}

impl Unmet {
    fn to_unmet(d: &Diagnostic) -> Unmet {
        let span = Some(d.at.span).filter(|s| *s != Span::default());
        Unmet { message: d.message.clone(), span, spaces: Vec::new() }
    }
}

fn judge_invariant(game: &Game, machine: &mut Machine, slot: &InvariantSlot) -> Result<Option<Unmet>, Fault> {
    let p = machine.program().clone();
    let mut holds = [0];
    machine.eval(slot.func, &[], &mut holds)?;
    if holds != [0] {
        return Ok(None);
    }
    let mut spaces = Vec::new();
    if let Some((f, u)) = slot.spaces
        && let Some(universe) = p.universes.get(u.index())
        && let Some(map) = p.maps.iter().find(|m| m.spaces == u)
        && !matches!(universe.sort, UniverseSort::Numbers { .. })
    {
        let mut set = vec![0u64; universe.w as usize];
        machine.eval(f, &[], &mut set)?;
        for i in 0..i64::from(universe.n) {
            let there = set.get(i as usize / 64).is_some_and(|w| w >> (i % 64) & 1 == 1);
            if there {
                spaces.push((map.name.clone(), thing_word(&p, u, i)));
            }
        }
    }
    let found = game.model().invariants.iter().find(|i| i.title == slot.title);
    let message = format!("“{}” does not hold where it begins", slot.title);
    Ok(Some(Unmet { message, span: found.map(|i| i.span), spaces }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserule_text::{File, Files};

    const RULES: &str = "game Isle \"Isle\" { players 2..3; outcome win }\n\
        enum Ground { grass, sand, sea }\n\
        map Land squares\n\
        space Cell on Land { ground: Ground = grass }\n\
        legend Land { g: grass; s: sand; w: sea }\n\
        option wet \"Wet\": bool = no\n\
        needs count(seats) != 2 or not wet  else \"two stay dry\"\n\
        invariant \"sand lies at the sea\" { every(c in Cell where sand: any(d in neighbours(c): d.ground == sea)) }\n\
        invariant \"there is grass\" { any(c in Cell: c.ground == grass) }\n\
        round once { }\n";

    fn of(scenario: &str) -> Vec<(String, Vec<String>)> {
        let mut files = Files::new();
        files.add(File::new("isle.rules", RULES));
        files.add(File::new("a.scenario", scenario));
        let game = Game::load(&files).unwrap_or_else(|r| panic!("{:?}", r.findings));
        let all = find_unmet(&game, Some("a"), &[]);
        assert!(all.iter().all(|u| u.span.is_some()), "{all:?}");
        all.into_iter().map(|u| (u.message, u.spaces.into_iter().map(|(_, s)| s).collect())).collect()
    }

    #[test]
    fn what_a_scenario_does_not_meet_is_told_with_its_spaces() {
        let map =
            |rows: &str| format!("scenario a \"A\" for Isle {{\n  map Land \"\"\"\n{rows}  \"\"\"\n}}\n");
        assert_eq!(of(&map("    g s w\n    g g g\n")), []);
        assert_eq!(
            of(&map("    g s w\n    s g s\n")),
            [("“sand lies at the sea” does not hold where it begins".to_string(), vec!["A1".to_string()])]
        );
        assert_eq!(
            of(&map("    w s w\n")),
            [("“there is grass” does not hold where it begins".to_string(), Vec::new())]
        );
    }

    /// What does not hold, with its spaces, where the game's rules end in these.
    fn with(more: &str, scenario: &str) -> Vec<(String, Vec<String>)> {
        let mut files = Files::new();
        files.add(File::new("isle.rules", RULES.replace("round once { }\n", more)));
        files.add(File::new("a.scenario", scenario));
        let game = Game::load(&files).unwrap_or_else(|r| panic!("{:?}", r.findings));
        find_unmet(&game, Some("a"), &[])
            .into_iter()
            .map(|u| (u.message, u.spaces.into_iter().map(|(_, s)| s).collect()))
            .collect()
    }

    #[test]
    fn what_none_may_be_is_told_with_those_that_are() {
        let rules =
            "invariant \"no sea to the west\" { no(c in column(1): c.ground == sea) }\nround once { }\n";
        let map = "scenario a \"A\" for Isle {\n  map Land \"\"\"\n    w g\n    g w\n    w s\n  \"\"\"\n}\n";
        let told = [(
            "“no sea to the west” does not hold where it begins".to_string(),
            vec!["A1".into(), "A3".into()],
        )];
        assert_eq!(with(rules, map), told);
    }

    #[test]
    fn what_chance_lays_out_is_looked_at_under_several_seeds() {
        let rules = "setup { (choose one of Cell by chance).ground = sea }\n\
            invariant \"dry\" { every(c in Cell: c.ground != sea) }\nround once { }\n";
        let row = "g ".repeat(12);
        let map = format!("scenario a \"A\" for Isle {{\n  map Land \"\"\"\n    {row}\n  \"\"\"\n}}\n");
        let told = with(rules, &map);
        assert!(told.len() == 1 && told[0].1.len() > 1, "each space that is wet under any of them: {told:?}");
    }

    #[test]
    fn a_set_up_that_is_refused_with_any_number_of_players_says_why() {
        let rows = "  map Land \"\"\"\n    g s w\n  \"\"\"\n";
        let two = format!("scenario a \"A\" for Isle {{\n  seats 2\n  wet = yes\n{rows}}}\n");
        let told = of(&two);
        assert_eq!(told.len(), 1);
        assert!(told[0].0.contains("two stay dry"), "{told:?}");
        // With three it may be wet.
        assert_eq!(of(&format!("scenario a \"A\" for Isle {{\n  wet = yes\n{rows}}}\n")), []);
    }
}
