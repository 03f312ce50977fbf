//! The checker: from syntax trees to the checked game (`hir`), with names resolved, types, and analyses of the whole game. Runs after `syntax`, before `program`.
//!
//! Declarations first ([`decl`](self) gives everything its number and type), bodies next, then what can only be judged of the whole.
pub mod body;
pub mod codes;
mod decl;
pub mod hir;
pub mod images;
mod look_parts;
pub mod meetings;
pub mod sentences;
pub mod shapes;
mod uses;

pub use body::look_rows::parse_color;
pub use body::near as suggest;
pub use body::types::show as shown;
pub use decl::map_pictures::explaining_rows;
pub use decl::{Checked, MOST_FILES, check, check_read, report_too_many_files};
pub use look_parts::{LookParts, LookSign, SCORE};
pub use uses::{Def, Uses};
