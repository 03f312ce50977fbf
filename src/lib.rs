//! Houserule: a language for the rules of tabletop games, and an engine that plays what is written in it.
//!
//! The modules are the stages of one pipeline; each uses only those above it.
//!
//! | module | from | to |
//! |---|---|---|
//! | [`text`] | names and contents of files | texts, places in them, findings |
//! | [`syntax`] | a text | its tree |
//! | [`model`] | trees | the checked game: every name resolved, every expression with its type |
//! | [`program`] | the checked game and one set-up | tables and bytecode |
//! | [`engine`] | a program, a seed, choices | questions, views, events, an outcome |
//! | [`hooks`] | a script | pure functions for the engine |
//! | [`play`] | a game and its choices in words | a match: log, undo, saves |
//! | [`bots`], [`lab`] | a match | choices; simulations, tests, property tests |
//! | [`ide`] | texts | completion, rename, drawing: what an editor asks |
//! | [`sheets`] | texts, numbers of copies | pages to print: SVG, PDF |
//! | [`cli`] | arguments | the command line |
//!
//! [`mod@reference`] is a second, slow definition of what rules mean; tests compare the engine with it. ARCHITECTURE.md describes each module.
//!
//! ```
//! use houserule::play::{Ending, Game, Setup};
//! use houserule::text::{File, Files};
//!
//! let rules = r#"
//! game Race "Race" { players 2; outcome highest steps }
//! player { steps: 0..9 = 0 }
//! round 3 times { everyone in turn { offer move } }
//! menu move
//! action walk(n: 1..3) in move { my.steps += n }
//! "#;
//! let mut files = Files::new();
//! files.add(File::new("race/race.rules", rules));
//! let game = Game::load(&files).map_err(|report| format!("{:?}", report.findings))?;
//! let mut match_ = game.start(&Setup::with_seed(1)).map_err(|report| format!("{:?}", report.findings))?;
//! while let Some(question) = match_.questions().first().copied() {
//!     // Whoever is asked takes the first answer that is offered.
//!     let seat = question.seats.trailing_zeros() as usize;
//!     let words = match_.list_options(question.id, 0, 1).map_err(|e| e.to_string())?[0].words.clone();
//!     match_.choose_in_words(seat, &words).map_err(|e| e.to_string())?;
//! }
//! let Some(Ending::Over(outcome)) = match_.ending() else { return Err("it is not over".into()) };
//! assert_eq!(outcome.places, [1, 1]);
//! # Ok::<(), String>(())
//! ```
pub use houserule_bots as bots;
pub use houserule_cli as cli;
pub use houserule_engine as engine;
pub use houserule_hooks as hooks;
pub use houserule_ide as ide;
pub use houserule_lab as lab;
pub use houserule_model as model;
pub use houserule_play as play;
pub use houserule_program as program;
pub use houserule_reference as reference;
pub use houserule_sheets as sheets;
pub use houserule_shipped as shipped;
pub use houserule_syntax as syntax;
pub use houserule_text as text;
