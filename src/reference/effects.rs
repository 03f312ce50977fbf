//! Statements (statements.md).
