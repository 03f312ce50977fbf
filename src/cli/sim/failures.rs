//! The ways in which the rules failed in a simulation, each with the first game, or campaign, that came to it.
use super::again::replay_command;
use crate::args::SimArgs;
use crate::io::Io;
use crate::report;
use crate::setup::Loaded;
use houserule_text::{Diagnostic, Report};
use serde_json::Value;

/// Ways to fail that are drawn; the rest is counted.
pub const DRAWN: usize = 5;

/// A way in which the rules failed, once or many times.
pub struct Failed<'a, T> {
    finding: &'a Diagnostic,
    /// The first that came to it.
    pub first: T,
    /// How many came to it.
    pub times: u64,
}

impl<'a, T> Failed<'a, T> {
    /// What went wrong, with its place.
    pub fn finding(&self) -> &'a Diagnostic {
        self.finding
    }
}

/// Failures by message and place, in the order of the first ones.
pub fn group<'a, T>(all: impl Iterator<Item = (T, &'a Diagnostic)>) -> Vec<Failed<'a, T>> {
    let mut out: Vec<Failed<'a, T>> = Vec::new();
    for (first, finding) in all {
        let same = |f: &&mut Failed<'_, T>| {
            f.finding.at.span == finding.at.span && f.finding.message == finding.message
        };
        match out.iter_mut().find(same) {
            Some(known) => known.times += 1,
            None => out.push(Failed { finding, first, times: 1 }),
        }
    }
    out
}

/// Draws the failures with the rules beside them; `look` says where each was, and how to look at it.
pub fn show<T>(
    all: &[Failed<'_, T>],
    loaded: &Loaded,
    io: &mut Io,
    look: impl Fn(&Failed<'_, T>) -> Option<String>,
) {
    for f in all.iter().take(DRAWN) {
        let report = Report { findings: vec![f.finding.clone()] };
        report::show_report(&loaded.bundle, loaded.game.files(), &report, io);
        if let Some(told) = look(f) {
            io.write_remark(&told);
        }
    }
    if all.len() > DRAWN {
        io.write_remark(&format!("and {} more ways to fail\n", all.len() - DRAWN));
    }
}

/// A failure for machines: what is told of the game or campaign of that number, with the finding and the command that plays it again.
pub fn to_json<T>(f: &Failed<'_, T>, number: u64, mut own: Value, args: &SimArgs, loaded: &Loaded) -> Value {
    own["finding"] = report::finding_to_json(&loaded.bundle, loaded.game.files(), f.finding);
    own["again"] = replay_command(args, number).into();
    own
}
