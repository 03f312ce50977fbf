//! The fields of a game's set-up form: what has been filled in, and how they are shown. Play and Measure have the same.
use crate::play::{Begin, Form, Sitter, Start};
use egui::{ComboBox, Ui};
use houserule::play::Setup;
use std::collections::BTreeMap;

/// What has been filled in.
#[derive(Clone, PartialEq, Debug)]
pub struct Filled {
    /// The scenario; none for the game's own choice.
    pub scenario: Option<String>,
    /// How many players; none for the fewest.
    pub players: Option<u32>,
    /// The seed as it is typed.
    pub seed: String,
    /// Variants that are on.
    pub variants: Vec<String>,
    /// Options that were set.
    pub options: BTreeMap<String, String>,
    /// Mods that are off, of those that are loaded.
    pub mods_off: Vec<String>,
    /// Who sits where; beyond, the first is a person and the rest are bots.
    pub sitters: Vec<Sitter>,
    /// The test that it starts from; none for the beginning.
    pub test: Option<String>,
    /// What the list of tests is searched for.
    pub wanted: String,
}

impl Default for Filled {
    fn default() -> Self {
        Filled {
            scenario: None,
            players: None,
            seed: String::from("1"),
            variants: Vec::new(),
            options: BTreeMap::new(),
            mods_off: Vec::new(),
            sitters: Vec::new(),
            test: None,
            wanted: String::new(),
        }
    }
}

impl Filled {
    /// The set-up that it describes.
    pub fn to_setup(&self, form: &Form) -> Setup {
        let mods = form.mods.iter().map(|m| m.word.clone()).filter(|m| !self.mods_off.contains(m));
        Setup {
            scenario: self.scenario.clone(),
            players: self.players,
            seed: self.seed.trim().parse().unwrap_or(1),
            options: self.options.clone(),
            variants: self.variants.clone(),
            mods: Some(mods.collect()),
            ..Setup::default()
        }
    }

    /// Who sits at a seat: as said, or a person first and bots behind.
    pub fn sitter_at(&self, seat: usize) -> Sitter {
        let usual = if seat == 0 { Sitter::Person } else { Sitter::USUAL_BOT };
        self.sitters.get(seat).cloned().unwrap_or(usual)
    }

    /// What a playtest starts with.
    pub fn to_start(&self, form: &Form) -> Start {
        let begin = self.test.clone().map_or(Begin::Start, Begin::Test);
        Start {
            setup: form.without_unknown(&self.to_setup(form)),
            sitters: (0..32).map(|s| self.sitter_at(s)).collect(),
            begin,
        }
    }
}

/// Shows the form's fields; at each seat one of these sitters can be chosen. `more` adds rows of a label and a field behind the seed.
pub fn show_fields(
    ui: &mut Ui,
    filled: &mut Filled,
    form: &Form,
    sitters: &[Sitter],
    more: impl FnOnce(&mut Ui),
) {
    ui.heading(&form.title);
    egui::Grid::new("set up").num_columns(2).spacing([12.0, 6.0]).show(ui, |ui| {
        if !form.scenarios.is_empty() {
            let label = ui.label("Scenario");
            let title = |w: &Option<String>| match w {
                Some(w) => {
                    form.scenarios.iter().find(|s| s.word == *w).map_or(w.clone(), |s| s.title.clone())
                }
                None => form.first_scenario.as_ref().map_or(String::from("none"), |s| s.title.clone()),
            };
            ComboBox::from_id_salt("scenario")
                .selected_text(title(&filled.scenario))
                .show_ui(ui, |ui| {
                    if form.first_scenario.is_none() {
                        ui.selectable_value(&mut filled.scenario, None, "none");
                    }
                    for s in &form.scenarios {
                        ui.selectable_value(&mut filled.scenario, Some(s.word.clone()), &s.title);
                    }
                })
                .response
                .labelled_by(label.id);
            ui.end_row();
        }
        let (least, most) = form.players;
        if least < most {
            ui.label("Players");
            ui.horizontal(|ui| {
                for n in least..=most {
                    let on = filled.players.unwrap_or(form.seats.len() as u32) == n;
                    let r = ui.selectable_label(on, n.to_string());
                    let said = format!("{n} player{}", if n == 1 { "" } else { "s" });
                    r.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, on, &said));
                    if r.clicked() {
                        filled.players = Some(n);
                    }
                }
            });
            ui.end_row();
        }
        for (i, name) in form.seats.iter().enumerate() {
            let label = ui.label(name);
            let mut sitter = filled.sitter_at(i);
            ComboBox::from_id_salt(("seat", i))
                .selected_text(sitter.title())
                .show_ui(ui, |ui| {
                    for s in sitters {
                        ui.selectable_value(&mut sitter, s.clone(), s.title());
                    }
                })
                .response
                .labelled_by(label.id);
            if sitter != filled.sitter_at(i) {
                while filled.sitters.len() <= i {
                    filled.sitters.push(filled.sitter_at(filled.sitters.len()));
                }
                if let Some(s) = filled.sitters.get_mut(i) {
                    *s = sitter;
                }
            }
            ui.end_row();
        }
        let label = ui.label("Seed");
        ui.add(egui::TextEdit::singleline(&mut filled.seed).desired_width(90.0)).labelled_by(label.id);
        ui.end_row();
        more(ui);
        for o in &form.options {
            let label = ui.label(&o.name.title).on_hover_text(&o.told);
            let now = filled.options.get(&o.name.word).or(o.default.as_ref()).cloned().unwrap_or_default();
            let mut value = now.clone();
            if o.words.is_empty() {
                ui.add(egui::TextEdit::singleline(&mut value).desired_width(120.0)).labelled_by(label.id);
            } else {
                ComboBox::from_id_salt(("option", &o.name.word))
                    .selected_text(&value)
                    .show_ui(ui, |ui| {
                        for w in &o.words {
                            ui.selectable_value(&mut value, w.clone(), w);
                        }
                    })
                    .response
                    .labelled_by(label.id);
            }
            if value != now {
                filled.options.insert(o.name.word.clone(), value);
            }
            ui.end_row();
        }
    });
    for v in &form.variants {
        let mut on = filled.variants.contains(&v.word);
        if ui.checkbox(&mut on, &v.title).changed() {
            filled.variants.retain(|w| *w != v.word);
            filled.variants.extend(on.then(|| v.word.clone()));
        }
    }
    for v in &form.mods {
        let mut on = !filled.mods_off.contains(&v.word);
        if ui.checkbox(&mut on, format!("Mod: {}", v.title)).changed() {
            filled.mods_off.retain(|w| *w != v.word);
            filled.mods_off.extend((!on).then(|| v.word.clone()));
        }
    }
    for wrong in &form.wrong {
        ui.colored_label(ui.visuals().error_fg_color, wrong);
    }
}
