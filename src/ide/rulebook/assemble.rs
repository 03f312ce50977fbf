//! Puts the sections of a rulebook in order.
use super::Rulebook;
use super::content::Writer;
use super::scopes::add_scopes;
use crate::analysis::Analysis;
use houserule_model::hir::ScopeId;

/// A rulebook of a game, with what its variants, scenarios and mods change.
pub fn make_rulebook(analysis: &Analysis) -> Rulebook {
    let w = Writer { analysis, model: &analysis.model };
    let mut sections = vec![w.about(), w.components(), w.set_up(), w.course(), w.actions(ScopeId(0))];
    sections.push(w.standing_rules());
    sections.push(w.cards());
    add_scopes(&w, &mut sections);
    sections.push(w.values());
    sections.push(w.glossary());
    sections.retain(|s| !s.is_empty());
    Rulebook { title: w.model.title.to_string(), sections }
}
