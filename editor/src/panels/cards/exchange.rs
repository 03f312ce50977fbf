//! Shows what a table of cards would change, before it is imported as one step; or what is wrong with the table.
use super::State;
use super::data::{Data, count_text};
use crate::command::Command;
use crate::document::Revision;
use crate::panels::Context;
use egui::{RichText, Ui};
use houserule::ide::cards::{CardKey, CardTable, TableFault, write_table};
use houserule::ide::plan::{Intent, TableDiff, compare_table};
use std::sync::Arc;

/// So many cards and findings of a table are listed.
const LISTED: usize = 300;

/// A table that is not imported yet.
#[derive(Debug)]
pub(super) struct Import {
    /// The file's name.
    file: String,
    table: Result<CardTable, Vec<TableFault>>,
    /// The kind whose cards the table has.
    kind: Arc<str>,
    diff: Option<(Revision, Arc<str>, TableDiff)>,
}

impl State {
    /// Shows what a table of cards would change.
    pub fn begin_import(
        &mut self,
        file: String,
        table: Result<CardTable, Vec<TableFault>>,
        cx: &Context<'_>,
    ) -> Vec<Command> {
        self.refresh(cx);
        let Some(data) = self.data.clone() else {
            return vec![Command::Say(format!("{file} is not imported: no game is open"))];
        };
        let Some(kind) = guess_kind(&data, &table, self.kind_here()) else {
            return vec![Command::Say(format!("{file} is not imported: this game has no cards"))];
        };
        let said = match &table {
            Ok(_) => format!("Read what {file} would change, then Import"),
            Err(faults) => {
                format!("{file} cannot be imported: {}", count_text(faults.len(), "finding", "findings"))
            }
        };
        self.import = Some(Import { file, table, kind, diff: None });
        vec![Command::Say(said)]
    }

    /// The kind that is meant: the one that is shown alone, else that of the open card.
    fn kind_here(&self) -> Option<Arc<str>> {
        self.kind.clone().or_else(|| self.open.as_ref().map(|id| id.kind.clone()))
    }

    /// A table of the cards of a kind, to be saved.
    pub(super) fn export_cards(&self) -> Command {
        let say = |text: String| Command::Say(text);
        let Some(data) = &self.data else {
            return say(String::from("No cards are shown: first open a game"));
        };
        let only = || match data.set.groups.as_slice() {
            [one] => Some(one.kind.clone()),
            _ => None,
        };
        let Some(kind) = self.kind_here().or_else(only) else {
            return say(String::from(
                "There are cards of several kinds: first choose a kind, or open a card of it",
            ));
        };
        match write_table(&data.analysis, &kind) {
            Some(table) if table.cards > 0 => {
                Command::SaveCards { name: format!("{}.csv", kind.to_lowercase()), text: table.text }
            }
            _ => say(format!(
                "No card of {kind} can be written into a table: families and rows without a name cannot"
            )),
        }
    }
}

/// The kind most of whose cards a table names; else the one that is shown; else the first.
fn guess_kind(
    data: &Data,
    table: &Result<CardTable, Vec<TableFault>>,
    here: Option<Arc<str>>,
) -> Option<Arc<str>> {
    let rows = table.as_ref().map_or(&[][..], |t| &t.rows);
    let named = |g: &&houserule::ide::cards::CardGroup| {
        rows.iter().filter(|r| g.cards.iter().any(|c| *c.id.name == *r.name)).count()
    };
    let best = data.set.groups.iter().filter(|g| named(g) > 0).max_by_key(named);
    best.map(|g| g.kind.clone()).or(here).or_else(|| data.set.groups.first().map(|g| g.kind.clone()))
}

/// The table that is being imported; false if there is none.
pub(super) fn show_import(state: &mut State, ui: &mut Ui, out: &mut Vec<Command>) -> bool {
    let (Some(data), Some(mut import)) = (state.data.clone(), state.import.take()) else { return false };
    let (mut over, mut done) = (false, false);
    ui.horizontal_wrapped(|ui| {
        ui.heading(format!("Import {}", import.file));
        if import.table.is_ok() && data.set.groups.len() > 1 {
            let label = ui.label("as cards of the kind");
            egui::ComboBox::from_id_salt("import kind")
                .selected_text(&*import.kind)
                .show_ui(ui, |ui| {
                    for g in &data.set.groups {
                        ui.selectable_value(&mut import.kind, g.kind.clone(), &*g.kind);
                    }
                })
                .response
                .labelled_by(label.id);
        }
    });
    match import.table.clone() {
        Err(faults) => {
            ui.label("Nothing of it can be taken. Mend this in the file, then choose it again:");
            over = ui.button("Close").clicked();
            ui.separator();
            egui::ScrollArea::vertical().id_salt("faults").auto_shrink(false).show(ui, |ui| {
                show_faults(ui, &faults);
            });
        }
        Ok(table) => {
            let fresh =
                |(r, k, _): &&(Revision, Arc<str>, TableDiff)| *r == data.revision && *k == import.kind;
            if import.diff.as_ref().filter(fresh).is_none() {
                let diff = compare_table(&data.analysis, &import.kind, &table);
                import.diff = Some((data.revision, import.kind.clone(), diff));
            }
            let diff = import.diff.as_ref().map(|(_, _, d)| d.clone()).unwrap_or_default();
            ui.horizontal(|ui| {
                done = ui.add_enabled(!diff.is_empty(), crate::style::primary_button("Import")).clicked();
                over = ui.button("Cancel").clicked();
                ui.label(describe_diff(&diff));
            });
            ui.separator();
            egui::ScrollArea::vertical()
                .id_salt("diff")
                .auto_shrink(false)
                .show(ui, |ui| show_diff(ui, &diff));
            if done {
                let what = format!("import {}", import.file);
                let intent = Intent::ImportCards { kind: import.kind.clone(), table, what };
                let commands = state.plan_intent(&intent);
                // A refusal leaves the table open.
                over = !commands.iter().any(|c| matches!(c, Command::Refuse { .. }));
                out.extend(commands);
            }
        }
    }
    if over {
        state.take = true;
    } else {
        state.import = Some(import);
    }
    true
}

/// What an import would do, in a line.
fn describe_diff(diff: &TableDiff) -> String {
    format!(
        "{} new, {} changed, {} as in the file, {} not in the file",
        diff.added.len(),
        diff.changed.len(),
        diff.same,
        diff.absent.len()
    )
}

fn show_faults(ui: &mut Ui, faults: &[TableFault]) {
    for fault in faults.iter().take(LISTED) {
        ui.label(format!("• {fault}"));
    }
}

/// What a field is called in a diff.
fn key_text(key: &CardKey) -> String {
    match key {
        CardKey::Title => String::from("title"),
        CardKey::Copies => String::from("copies"),
        CardKey::Value(name) => name.replace('_', " "),
    }
}

fn show_diff(ui: &mut Ui, diff: &TableDiff) {
    let left = diff.unknown_columns.len() + diff.left_out.len();
    if left > 0 {
        ui.strong(format!("Left out: {}", count_text(left, "thing", "things")));
        for column in &diff.unknown_columns {
            ui.label(format!("• The column {column} is no attribute of the kind."));
        }
        show_faults(ui, &diff.left_out);
        ui.add_space(8.0);
    }
    if !diff.added.is_empty() {
        ui.strong(format!("New: {}", count_text(diff.added.len(), "card", "cards")));
        for card in diff.added.iter().take(LISTED) {
            let values: Vec<String> =
                card.values.iter().map(|(k, v)| format!("{} {v}", key_text(k))).collect();
            ui.label(format!("+ {}: {}", card.name, values.join(", ")));
        }
        ui.add_space(8.0);
    }
    if !diff.changed.is_empty() {
        ui.strong(format!("Changed: {}", count_text(diff.changed.len(), "card", "cards")));
        for card in diff.changed.iter().take(LISTED) {
            for v in &card.values {
                let old = if v.old.is_empty() { "nothing" } else { &v.old };
                ui.label(format!("{}: {} {old} → {}", card.id, v.label.to_lowercase(), v.new));
            }
        }
        ui.add_space(8.0);
    }
    if !diff.absent.is_empty() {
        ui.strong(format!("Not in the file, left as they are: {}", diff.absent.len()));
        let names: Vec<&str> = diff.absent.iter().map(|n| &**n).collect();
        ui.label(RichText::new(names.join(", ")));
    }
}
