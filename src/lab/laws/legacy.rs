//! Laws of campaigns: what a position would hand on to the next game is in code what the reference evaluator says, and the next game gets it.
use super::random_match::RandomMatch;
use super::reference::{Compared, Position, describe_stop};
use super::tables::{decode, register_form};
use houserule_engine::Legacy;
use houserule_model::hir::{OptionId, Scope, ScopeKind};
use houserule_play::campaign::begins_alike;
use houserule_play::{Campaign, Game, Match, Opened, codes, resolve_setup};
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

/// Checks that the campaign with a match that has ended opens as it was, and that options get in the next set-up the values that the end hands on.
///
/// # Errors
/// What differs.
pub(super) fn check_campaign(game: &Game, m: &mut Match) -> Result<(), String> {
    let mut all = Opened::default();
    if !game.has_campaign() || all.add(m).is_err() {
        return Ok(());
    }
    match Campaign::read(&all.campaign.to_text()).and_then(|c| c.open(game)) {
        Ok(again) if is_same(&again, &all) => {}
        Ok(_) => return Err(String::from("the campaign is another after loading")),
        Err(e) => return Err(format!("the campaign is refused: {e}")),
    }
    let Some(next) = all.handed.and_then(|h| h.next) else { return Ok(()) };
    // A set-up that the rules do not allow is no mistake of what is handed on.
    let set = match resolve_setup(game.model(), &next) {
        Err(r) if r.findings.iter().all(|d| d.code == codes::NEEDS) => return Ok(()),
        Err(r) => return Err(format!("the next set-up is refused: {:?}", r.findings)),
        Ok(set) => set,
    };
    let legacy = m.machine().legacy().map_err(|f| f.to_string())?;
    match legacy.options.into_iter().find(|row| !set.options.contains(row)) {
        Some((id, value)) => Err(format!("option {} gets another value than {value}", id.0)),
        None => Ok(()),
    }
}

/// A save names the players and mods that a set-up may leave open.
fn is_same(a: &Opened, b: &Opened) -> bool {
    let options = |x: &Opened| x.handed.as_ref().map(|h| h.options.clone());
    let next = |x: &Opened| x.handed.as_ref().and_then(|h| h.next.clone());
    let begin_alike = match (next(a), next(b)) {
        (Some(a), Some(b)) => begins_alike(&a, &b),
        (a, b) => a.is_none() && b.is_none(),
    };
    (&a.campaign, &a.told, options(a)) == (&b.campaign, &b.told, options(b)) && begin_alike
}
