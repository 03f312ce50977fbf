//! The editor of Houserule: write, draw and play the rules and scenarios of tabletop games, in one window over one document.
//!
//! ```text
//! disk ─▶ Document ─▶ Analyses (a job a game) ─▶ panels: Data ─▶ ui ─▶ Command ─▶ App::carry_out ─▶ Document
//! ```
//!
//! A panel changes nothing: it gives back commands, and one place carries them out. Texts change only through the document's journal, so there is one undo for all
//! panes. Deliberately absent: any word of a game; threads, clocks and files outside [`jobs`], [`disk`] and [`claim`]; a frame that waits.
pub mod analyses;
pub mod app;
pub mod book;
pub mod canvas;
pub mod claim;
pub mod command;
pub mod dialogs;
pub mod disk;
pub mod document;
pub mod jobs;
pub mod keys;
pub mod pane;
pub mod panels;
mod picture;
pub mod play;
pub mod settings;
pub mod shipped;
pub mod style;
pub mod system;
pub mod tour;
pub mod workspace;

pub use app::App;
pub use document::Document;
