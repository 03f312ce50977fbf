//! Bodies: expressions, statements, attachments and tests, from the tree to their typed form.
pub mod acting;
pub mod apart;
pub mod assign;
pub mod attach;
pub mod build;
pub mod calls;
pub mod codes;
pub mod compare;
pub mod cost;
pub mod course;
pub mod cx;
pub mod depth;
pub mod expr;
pub mod filters;
pub mod flow;
pub mod folds;
pub mod guards;
pub mod hints;
pub mod index;
pub mod look;
pub mod near;
pub mod own;
pub mod pick;
pub mod resolve;
pub mod sealed;
pub mod secrets;
pub mod seen;
pub mod stmt;
pub mod taint;
pub mod test;
pub mod tried;
pub mod types;
pub mod unused;
pub mod walk;

#[cfg(test)]
mod tests;
