//! What an editor or a language server asks about texts, one feature a file: file names and byte offsets in, plain data and edits out. Sits on `model`, below the editor.
//!
//! Nothing here knows a window, a protocol or a disk, and nothing changes a text by itself: what is to be changed comes back as an [`EditSet`].
mod analysis;
pub mod cards;
mod complete;
mod definition;
pub mod draw;
mod edit;
pub mod exchange;
mod files;
mod fixes;
mod fold;
mod formatting;
pub mod games;
mod highlight;
mod hover;
mod insert;
mod outline;
pub mod plan;
mod references;
mod rename;
pub mod rulebook;
mod search;
pub mod template;
#[cfg(test)]
mod testing;
mod words;

pub use analysis::{Analysis, Location};
pub use complete::{Item, complete};
pub use definition::find_definition;
pub use edit::{Edit, EditSet, Misfit, Offer, Overlap, Refusal};
pub use files::rename_file;
pub use fixes::{Fix, find_fixes, fix_all};
pub use fold::{Fold, find_folds};
pub use formatting::{diff_lines, format_text};
pub use highlight::{Class, Highlight, highlight, highlight_text};
pub use hover::{Hover, hover};
pub use insert::{Insert, plan_insert};
pub use outline::{Symbol, make_outline};
pub use references::{Reference, find_references, find_references_of};
pub use rename::{check_rename, rename};
pub use search::{Finder, Query, find, find_all, replace_all};
pub use words::list_words;
