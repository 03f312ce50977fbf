//! UI tests: the whole editor without a window, asked and driven by label and role as a screen reader would.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable, clippy::todo)] // A test ends by a panic.
mod beside;
mod book;
mod cards;
mod draw;
mod draw_maps;
mod draw_over;
mod draw_patches;
mod exchange;
mod faults;
mod folder;
mod idle;
mod keyboard;
mod measure;
mod panels;
mod play;
mod shell;
mod start;
mod style;
mod support;
mod tour;
mod try_it;
mod walks;
mod write;
