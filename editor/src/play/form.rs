//! The set-up form of a match as data: scenarios, numbers of players, variants, options and mods.
use houserule::model::hir::{Model, ScopeKind};
use houserule::play::setup::player_range;
use houserule::play::values::Values;
use houserule::play::{Game, Setup, resolve_setup};

/// A word with its title.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    /// As the rules and saves write it.
    pub word: String,
    /// For people.
    pub title: String,
}

/// An option of the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionField {
    /// How it is called.
    pub name: Named,
    /// What it can be, in words: `a number from 1 to 9`.
    pub told: String,
    /// The words that it can be, if they are few; numbers among them where they are few.
    pub words: Vec<String>,
    /// What it is unless said.
    pub default: Option<String>,
}

/// Everything that can be set.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Form {
    /// The game's title.
    pub title: String,
    /// Scenarios, in the order of the text.
    pub scenarios: Vec<Named>,
    /// The one that is played unless another is chosen; none if the game is played without.
    pub first_scenario: Option<Named>,
    /// Fewest and most players on the chosen scenario.
    pub players: (u32, u32),
    /// Seats that the set-up has now, with the players' names.
    pub seats: Vec<String>,
    /// Variants.
    pub variants: Vec<Named>,
    /// Options in force in the set-up.
    pub options: Vec<OptionField>,
    /// Mods that are loaded.
    pub mods: Vec<Named>,
    /// Tests that a match can start from.
    pub tests: Vec<String>,
    /// What is wrong with the set-up; empty if it can be played.
    pub wrong: Vec<String>,
}

/// So many words of an option are listed.
const LISTED: usize = 60;

impl Form {
    /// The form for a game, filled in as a set-up says.
    pub fn from_game(game: &Game, setup: &Setup) -> Form {
        let m = game.model();
        let scoped = |kind: ScopeKind| -> Vec<Named> {
            let of_kind = m.scopes.iter().filter(|s| s.kind == kind);
            of_kind.map(|s| Named { word: s.name.to_string(), title: s.title.to_string() }).collect()
        };
        let scenario = setup.scenario.as_deref().and_then(|word| {
            let found = m.scopes.iter().position(|s| s.kind == ScopeKind::Scenario && *s.name == *word);
            found.map(|i| houserule::model::hir::ScopeId(i as u32))
        });
        let mut out = Form {
            title: m.title.to_string(),
            scenarios: scoped(ScopeKind::Scenario),
            first_scenario: m
                .first_scenario()
                .map(|s| Named { word: s.name.to_string(), title: s.title.to_string() }),
            players: player_range(m, scenario),
            variants: [scoped(ScopeKind::Variant), scoped(ScopeKind::Part)].concat(),
            mods: scoped(ScopeKind::Mod),
            tests: m.tests.iter().filter(|t| t.refused.is_none()).map(|t| t.title.to_string()).collect(),
            ..Form::default()
        };
        // What can be set is known without what is set: so that what is wrong can be set right, and what belongs to a variant that is off again is left out.
        let bare = Setup { options: Default::default(), ..setup.clone() };
        let plain = Setup { scenario: setup.scenario.clone(), mods: setup.mods.clone(), ..Setup::default() };
        let least = [&bare, &plain].into_iter().find_map(|s| Some((s, resolve_setup(m, s).ok()?)));
        if let Some((_, r)) = &least {
            out.options = list_options(m, r);
        }
        let setup = &out.without_unknown(setup);
        match resolve_setup(m, setup) {
            Ok(r) => {
                out.options = list_options(m, &r);
                out.seats = seat_names(game, setup, r.seats);
            }
            Err(report) => {
                out.seats = least.map(|(s, r)| seat_names(game, s, r.seats)).unwrap_or_default();
                out.wrong = report.findings.iter().map(|d| d.message.clone()).collect();
            }
        }
        out
    }

    /// A set-up without the options that are not in force in it, and without the variants that there are no more.
    pub fn without_unknown(&self, setup: &Setup) -> Setup {
        let mut setup = setup.clone();
        setup.variants.retain(|word| self.variants.iter().any(|v| v.word == *word));
        setup.options.retain(|word, _| self.options.iter().any(|o| o.name.word == *word));
        setup
    }
}

fn list_options(m: &Model, r: &houserule::program::Resolved) -> Vec<OptionField> {
    let in_force = m.options.iter().filter(|o| r.has(o.scope));
    in_force
        .filter_map(|o| {
            let values = Values::from_type(m, r, &o.ty)?;
            let default = o.default.as_ref().and_then(|e| houserule::play::setup::evaluate(m, r, e));
            Some(OptionField {
                name: Named { word: o.name.to_string(), title: o.title.to_string() },
                told: values.describe(),
                words: values.list_all(LISTED),
                default: default.and_then(|v| values.word_of(v)),
            })
        })
        .collect()
}

/// The seats by those whom they answer for.
fn seat_names(game: &Game, setup: &Setup, n: u32) -> Vec<String> {
    let Ok(program) = game.lower_setup(setup) else { return (1..=n).map(|i| format!("Seat {i}")).collect() };
    (0..n as usize).map(|s| super::session::seat_name(&program, s)).collect()
}
