//! The law of campaigns: what a position would hand on to the next game is in code what the reference evaluator says.
use super::random_match::RandomMatch;
use super::reference::{Compared, Position, describe_stop};
use super::tables::{decode, register_form};
use houserule_engine::Legacy;
use houserule_model::hir::{OptionId, Scope, ScopeKind};
use houserule_reference::{Datum, Evaluator, Numbers, Stop};
use std::collections::BTreeMap;

/// What is handed on, as the reference says it: options with their values, and under none the number of the next scenario.
type Handed = BTreeMap<Option<OptionId>, Datum>;

impl Position<'_> {
    /// Compares what is handed on in optimised and in plain code. Rows are worked out at each position, though a match asks for them only at its end.
    pub(super) fn compare_legacy(&self, courses: [(&mut RandomMatch, &Numbers<'_>); 2], out: &mut Compared) {
        let m = self.game.model();
        if m.legacy.is_empty() {
            return;
        }
        let there = match Evaluator::new(self.numbers, self.world.clone()).legacy() {
            Ok(handed) => Some(handed),
            Err(Stop::Fails(_) | Stop::Nothing) => None,
            Err(stop) => return out.leave_out(format!("legacy: {}", describe_stop(stop))),
        };
        for ((course, numbers), how) in courses.into_iter().zip(["optimised", "plain"]) {
            let here = match course.machine.legacy() {
                Err(_) => None,
                Ok(legacy) => match self.read_handed(numbers, legacy) {
                    Ok(handed) => Some(handed),
                    Err(stop) => {
                        out.leave_out(format!("legacy: {}", describe_stop(stop)));
                        continue;
                    }
                },
            };
            if here == there {
                out.count_comparison("legacy", "");
            } else {
                let what = format!("{here:?} is handed on in {how} code, and {there:?} in the reference");
                out.broken.push(course.to_broken(what));
            }
        }
    }

    fn read_handed(&self, numbers: &Numbers<'_>, legacy: Legacy) -> Result<Handed, Stop> {
        let m = self.game.model();
        let mut out = Handed::new();
        for (id, value) in legacy.options {
            let Some(option) = m.options.get(id.index()) else { continue };
            let (show, _) = register_form(numbers, &option.ty)?;
            out.insert(Some(id), decode(numbers, &[value as u64], show)?);
        }
        if let Some(next) = legacy.next {
            let is = |s: &Scope| s.kind == ScopeKind::Scenario && Some(&s.name) == next.as_ref();
            let number = m.scopes.iter().position(is).map(|n| Datum::Int(n as i64));
            out.insert(None, number.unwrap_or(Datum::None));
        }
        Ok(out)
    }
}
