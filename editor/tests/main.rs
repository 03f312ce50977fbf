//! UI tests: the whole editor without a window, asked and driven by label and role as a screen reader would.
mod beside;
mod draw;
mod draw_over;
mod faults;
mod folder;
mod keyboard;
mod panels;
mod play;
mod shell;
mod support;
mod write;
