//! What a seat may see.
pub(crate) mod view;
