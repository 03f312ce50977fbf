//! Begins a scenario and reports the conditions that it does not meet: `needs` of the set-up, limits of seats, `invariant`s. The editor shows them beside a drawn map.
//!
//! A condition on each space of a map is told with the spaces that do not meet it.
use houserule_model::hir::{ScopeId, ScopeKind};
pub use houserule_play::judge::Unmet;
use houserule_play::judge::judge_start;
use houserule_play::setup::player_range;
use houserule_play::{Game, Setup, resolve_setup};

/// Seeds under which a scenario is begun: what chance lays out must hold, too.
const SEEDS: [u64; 3] = [1, 2, 3];

/// What a scenario, or the game without one, with these variants does not meet where it begins, with each number of players that its conditions allow.
pub fn find_unmet(game: &Game, scenario: Option<&str>, variants: &[String]) -> Vec<Unmet> {
    let m = game.model();
    let id = m.scopes.iter().position(|s| s.kind == ScopeKind::Scenario && Some(&*s.name) == scenario);
    let (least, most) = player_range(m, id.map(|i| ScopeId(i as u32)));
    let mut out: Vec<Unmet> = Vec::new();
    let mut refused = Vec::new();
    let mut begun = false;
    for n in least..=most {
        let setup =
            Setup { scenario: scenario.map(String::from), variants: variants.to_vec(), ..Setup::default() };
        match resolve_setup(m, &setup.with_players(n)).and_then(|set| game.lower_and_judge(&set)) {
            Err(report) => refused.push(report.findings),
            Ok((program, unmet)) => {
                begun = true;
                let hooks = game.make_hooks(&program);
                let ready = unmet.is_empty();
                unmet.into_iter().for_each(|u| add_unmet(&mut out, u));
                for seed in SEEDS.into_iter().filter(|_| ready) {
                    judge_start(&program, hooks.as_ref(), seed, true)
                        .into_iter()
                        .for_each(|u| add_unmet(&mut out, u));
                }
            }
        }
    }
    if !begun && let Some(first) = refused.into_iter().next() {
        out.extend(first.into_iter().map(Unmet::from_finding));
    }
    out
}

/// Adds a condition that is not in the list yet; of one that is, the spaces that are not.
fn add_unmet(out: &mut Vec<Unmet>, unmet: Unmet) {
    match out.iter_mut().find(|o| o.finding.message == unmet.finding.message) {
        None => out.push(unmet),
        Some(known) => {
            let new = unmet.spaces.into_iter().filter(|s| !known.spaces.contains(s)).collect::<Vec<_>>();
            known.spaces.extend(new);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserule_text::{File, Files, Span};

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
        assert!(all.iter().all(|u| u.finding.at.span != Span::default()), "{all:?}");
        all.into_iter().map(|u| (u.finding.message, u.spaces.into_iter().map(|(_, s)| s).collect())).collect()
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
            .map(|u| (u.finding.message, u.spaces.into_iter().map(|(_, s)| s).collect()))
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
