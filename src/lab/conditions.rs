//! What a game asks of its scenarios, judged where one begins: conditions of the set-up (`needs`), limits of seats, and what must hold between any two choices (`invariant`).
//!
//! A condition on each space of a map is told with the spaces that do not meet it.
use crate::engine::{Fault, Machine, thing_word};
use crate::play::{Game, Setup, fault_finding, resolve, setup::player_range};
use crate::program::ir::{InvariantSlot, UniverseSort};
use crate::text::Span;
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

/// What a scenario, or the game without one, does not meet where it begins, with as few players as it may have, and with more where it cannot be begun with so few.
pub fn unmet(game: &Game, scenario: Option<&str>) -> Vec<Unmet> {
    let m = game.model();
    let scope = scenario
        .and_then(|s| m.scopes.iter().position(|x| *x.name == *s))
        .map(|i| crate::model::hir::ScopeId(i as u32));
    let (few, many) = player_range(m, scope);
    let mut refused: Option<Vec<Unmet>> = None;
    for players in few..=many.min(few.saturating_add(15)) {
        let setup =
            Setup { scenario: scenario.map(String::from), players: Some(players), ..Setup::seed(SEEDS[0]) };
        match resolve(m, &setup) {
            Ok(_) => return begun(game, &setup),
            Err(report) => {
                refused.get_or_insert_with(|| {
                    let told = |d: &crate::text::Diagnostic| Unmet {
                        message: d.message.clone(),
                        span: Some(d.at.span).filter(|s| *s != Span::default()),
                        spaces: Vec::new(),
                    };
                    report.findings.iter().map(told).collect()
                });
            }
        }
    }
    refused.unwrap_or_default()
}

/// What does not hold at the first choice.
fn begun(game: &Game, setup: &Setup) -> Vec<Unmet> {
    let program = match game.program(setup) {
        Ok(p) => p,
        Err(report) => {
            let told = report.findings.iter();
            return told
                .map(|d| Unmet { message: d.message.clone(), span: Some(d.at.span), spaces: Vec::new() })
                .collect();
        }
    };
    let mut out: Vec<Unmet> = Vec::new();
    for seed in SEEDS {
        let mut machine = game.machine(program.clone(), seed);
        let judged = machine.start().map(|_| ()).and_then(|()| {
            for slot in &program.invariants {
                if let Some(u) = judge(game, &mut machine, slot)?
                    && out.iter().all(|o| o.message != u.message)
                {
                    out.push(u);
                }
            }
            Ok(())
        });
        if let Err(fault) = judged {
            let d = fault_finding(&fault, &program);
            if out.iter().all(|o| o.message != d.message) {
                out.push(Unmet { message: d.message, span: Some(d.at.span), spaces: Vec::new() });
            }
        }
    }
    out
}

fn judge(game: &Game, machine: &mut Machine, slot: &InvariantSlot) -> Result<Option<Unmet>, Fault> {
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
    use crate::text::{File, Files};

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
        let all = unmet(&game, Some("a"));
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
