//! The parser that is generated from `grammar/*.pest`: the only file that names the parser library.
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
