//! The one place that names the parser library: the grammar of `grammar/*.pest`, compiled.
use pest_derive::Parser;

/// The compiled grammar.
#[derive(Parser)]
#[grammar = "../../grammar/layout.pest"]
#[grammar = "../../grammar/items.pest"]
#[grammar = "../../grammar/kinds.pest"]
#[grammar = "../../grammar/rules.pest"]
#[grammar = "../../grammar/statements.pest"]
#[grammar = "../../grammar/expressions.pest"]
#[grammar = "../../grammar/tokens.pest"]
#[grammar = "../../grammar/words.pest"]
pub(super) struct Grammar;
