//! Measure's own fields of the set-up form, how many games and between whom, and the plan that the form makes.
use crate::panels::setup::{Filled, show_fields};
use crate::play::{Form, Sitter};
use egui::Ui;
use houserule::lab::simulate::SimulationPlan;

/// What is filled in beside the set-up.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Fields {
    /// How many games, as it is typed.
    pub games: String,
}

impl Default for Fields {
    fn default() -> Self {
        Fields { games: String::from("1000") }
    }
}

/// The most games of a run.
const MOST: u64 = 1_000_000;

/// Choices after which a game is left unfinished, as for `houserule sim`.
const CAP: u64 = 100_000;

/// Who can sit at a seat: bots alone.
fn list_bots() -> Vec<Sitter> {
    Sitter::all().into_iter().filter(|s| *s != Sitter::Person).collect()
}

impl Fields {
    /// Shows the form.
    pub fn show(&mut self, ui: &mut Ui, filled: &mut Filled, form: &Form) {
        seat_bots(filled, form.seats.len());
        show_fields(ui, filled, form, &list_bots(), |ui| {
            let label = ui.label("Games");
            ui.add(egui::TextEdit::singleline(&mut self.games).desired_width(90.0)).labelled_by(label.id);
            ui.end_row();
        });
        for wrong in self.list_wrong(filled) {
            ui.colored_label(ui.visuals().error_fg_color, wrong);
        }
    }

    fn games(&self) -> Option<u64> {
        self.games.trim().parse().ok().filter(|n| (1..=MOST).contains(n))
    }

    /// What is wrong with what is typed.
    fn list_wrong(&self, filled: &Filled) -> Vec<String> {
        let games = self.games().is_none().then(|| format!("Games: write a number from 1 to {MOST}."));
        let seed = filled.seed.trim().parse::<u64>().is_err();
        let seed = seed.then(|| String::from("Seed: write a whole number, such as 1."));
        games.into_iter().chain(seed).collect()
    }

    /// The plan and what it is in words, or what is wrong.
    pub fn to_plan(&self, filled: &mut Filled, form: &Form) -> Result<(SimulationPlan, String), Vec<String>> {
        seat_bots(filled, form.seats.len());
        let wrong = self.list_wrong(filled);
        let wrong: Vec<String> = form.wrong.iter().cloned().chain(wrong).collect();
        let games = match self.games() {
            Some(games) if wrong.is_empty() => games,
            _ => return Err(wrong),
        };
        let seats: Vec<String> =
            (0..form.seats.len()).map(|s| String::from(filled.sitter_at(s).word())).collect();
        let setup = form.without_unknown(&filled.to_setup(form));
        let title = describe(filled, form, &seats, setup.seed);
        Ok((SimulationPlan { setup, first: 0, games, seats, jobs: 0, cap: CAP, uses: true }, title))
    }
}

/// Puts a bot where nobody or a person sits.
fn seat_bots(filled: &mut Filled, seats: usize) {
    let first = list_bots().into_iter().next().unwrap_or(Sitter::Person);
    filled.sitters.resize(filled.sitters.len().max(seats), first.clone());
    filled.sitters.iter_mut().filter(|s| **s == Sitter::Person).for_each(|s| *s = first.clone());
}

/// What is played, in words: scenario, variants, options, mods, bots, seed.
fn describe(filled: &Filled, form: &Form, seats: &[String], seed: u64) -> String {
    let scenario = match &filled.scenario {
        Some(word) => form.scenarios.iter().find(|s| s.word == *word),
        None => form.first_scenario.as_ref(),
    };
    let mut parts: Vec<String> = vec![form.title.clone()];
    parts.extend(scenario.map(|s| s.title.clone()));
    let on = form.variants.iter().filter(|v| filled.variants.contains(&v.word));
    parts.extend(on.map(|v| v.title.clone()));
    let in_force = form.mods.iter().filter(|m| !filled.mods_off.contains(&m.word));
    parts.extend(in_force.map(|m| format!("mod {}", m.title)));
    let set = form.options.iter().filter_map(|o| Some((o, filled.options.get(&o.name.word)?)));
    parts.extend(set.map(|(o, value)| format!("{} {value}", o.name.title)));
    parts.push(seats.join(", "));
    parts.push(format!("seed {seed}"));
    parts.join(" · ")
}
