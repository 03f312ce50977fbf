//! What an editor or a language server asks of texts, one feature a file: names of files and byte offsets in, plain data out.
//!
//! Nothing here knows a window, a protocol or a disk, and nothing changes a text by itself: what is to be changed comes back as an [`EditSet`].
mod analysis;
pub mod draw;
mod edit;
pub mod plan;

pub use analysis::Analysis;
pub use edit::{Edit, EditSet, Misfit, Offer, Overlap, Refusal};
