//! Collects what a rulebook says of options, variants, scenarios and house rules.
use super::content::{Writer, upper};
use super::{Item, Part, Section};
use houserule_model::body::types;
use houserule_model::hir::*;
use houserule_model::sentences::rulebook::{describe_condition, describe_text};

/// Adds a section for each sort that the game has.
pub(super) fn add_scopes(w: &Writer<'_>, sections: &mut Vec<Section>) {
    sections.push(options(w));
    let sorts = [
        (ScopeKind::Scenario, "Scenarios"),
        (ScopeKind::Part, "Parts of scenarios"),
        (ScopeKind::Variant, "Variants"),
        (ScopeKind::Mod, "House rules"),
    ];
    for (kind, title) in sorts {
        let mut section = Section::plain(title);
        for (n, scope) in w.model.scopes.iter().enumerate().filter(|(_, s)| s.kind == kind) {
            section.inside.push(scope_section(w, ScopeId(n as u32), scope));
        }
        sections.push(section);
    }
}

/// What can be chosen before a game.
fn options(w: &Writer<'_>) -> Section {
    let mut out = Section::plain("Options");
    let row = |o: &GameOption| {
        let default = o.default.as_ref().map(|e| w.number_text(e, &[])).unwrap_or_default();
        vec![upper(&o.title), types::show(w.model, &o.ty), default, o.name.to_string()]
    };
    let rows: Vec<Vec<String>> = w.model.options.iter().map(row).collect();
    if !rows.is_empty() {
        let head = ["Option", "Values", "Unless chosen", "Its word"].map(String::from).to_vec();
        out.parts.push(Part::Table(head, rows));
    }
    out
}

/// What a scope changes and adds.
fn scope_section(w: &Writer<'_>, id: ScopeId, scope: &Scope) -> Section {
    let mut out = Section::named(upper(&scope.title));
    let mut facts = Vec::new();
    if let Some(players) = scope.players {
        facts.push(Item::Words(format!("For {}.", Writer::players_text(players))));
    }
    for (cond, text) in &scope.needs {
        let told = describe_condition(w.model, &[], None, cond);
        let reason = text.as_ref().and_then(|t| describe_text(w.model, &[], t));
        facts.push(match (told.words, reason) {
            (Some(words), Some(reason)) => Item::Words(format!("Needed: {words} (else: “{reason}”).")),
            (Some(words), None) => Item::Words(format!("Needed: {words}.")),
            (None, Some(reason)) => Item::Words(format!("Not if “{reason}”.")),
            (None, None) => Item::Rule(w.source(told.at)),
        });
    }
    for (option, value) in &scope.options {
        if let Some(option) = w.model.options.get(option.index()) {
            facts.push(Item::Words(format!("{}: {}.", upper(&option.title), w.number_text(value, &[]))));
        }
    }
    if !facts.is_empty() {
        out.parts.push(Part::List(facts));
    }
    out.parts.extend(w.attachments_of(id));
    out.parts.extend(w.set_up_of(id));
    out.parts.extend(w.endings_of(id));
    out.inside.extend(w.rules_of(id));
    for menu in w.actions(id).inside {
        out.inside.extend(menu.inside);
    }
    if let Some(cards) = added(w, id) {
        out.parts.push(cards);
    }
    out
}

/// The names of what it adds to the components; what they do stands with all cards.
fn added(w: &Writer<'_>, id: ScopeId) -> Option<Part> {
    let own = w.model.members.iter().filter(|m| m.scope == id);
    let names: Vec<String> = own.filter_map(|m| describe_text(w.model, &[], &m.title)).collect();
    (!names.is_empty()).then(|| Part::List(vec![Item::Words(format!("Adds {}.", names.join(", ")))]))
}
