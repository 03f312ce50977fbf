//! Texts and findings: files, spans, lines, diagnostics, and the trait through which files are read. All other rooms use this one.
//!
//! Everything after this room speaks of text only through [`Span`]s; line and column exist at the edge, in [`LineIndex`].
mod code_info;
mod diagnostic;
mod fnv;
mod png;
mod source;
mod span;
mod visible;

pub use code_info::CodeInfo;
pub use diagnostic::{Code, Diagnostic, Label, Report, Severity};
pub use fnv::fnv1a;
pub use png::wrap_png;
pub use source::{File, Files, INSIDE, Source};
pub use span::{FileId, LineCol, LineIndex, Span};
pub use visible::{is_control, to_visible};
