//! Which offers a playout answers inside the run loop ([`InlineOffer`]), and which of these without running an enumerator ([`FastOffer`]). Computed once for a program.
use crate::world::domains::PackedAction;
use houserule_program::ir::*;

/// An offer of one menu that is always open and has no `done`.
pub(crate) struct InlineOffer {
    /// Its actions' enumerators, each with where its code begins.
    pub enumerators: Vec<(FuncId, u32)>,
    /// The register of the menu's first parameter, and how many words they are.
    pub params: R,
    pub words: u8,
    /// Whether `pass` may be taken, without and with an available action.
    pub pass: [bool; 2],
}

impl InlineOffer {
    /// By offer of a program: the offer, if it is of this kind.
    pub fn all(p: &Program) -> Vec<Option<InlineOffer>> {
        // A speculative effect stops where it would ask; here its fiber could not be distinguished from the one that asks.
        let tries = p.code.iter().any(|ins| matches!(ins, Ins::Try { .. }));
        let one = |offer: &Offer| {
            let [(ix, params)] = offer.menus.as_slice() else { return None };
            let menu = p.menus.get(ix.index())?;
            let pass = match menu.pass.as_ref().map(|e| e.when) {
                None => [!offer.silent, false],
                Some(EndWhen::NoAction) => [true, false],
                Some(EndWhen::Always) => [true, true],
                Some(EndWhen::Func(_) | EndWhen::ByAction(..)) => return None,
            };
            let simple = menu.open.is_none()
                && menu.done.is_none()
                && menu.lines.is_none()
                && !menu.actions.is_empty();
            let starts = menu.actions.iter().map(|a| {
                let f = p.actions.get(a.index())?.enumerator;
                Some((f, p.funcs.get(f.index())?.start))
            });
            let enumerators = starts.collect::<Option<Vec<_>>>()?;
            simple.then_some(InlineOffer { enumerators, params: *params, words: menu.params, pass })
        };
        p.offers.iter().map(|o| one(o).filter(|_| !tries)).collect()
    }
}

/// An inline offer of one action with one parameter, whose domain a few fast instructions ([`Ins::is_fast`]) compute.
pub(crate) struct FastOffer {
    /// The code that computes the domain, in registers behind the frame of the function that asks.
    pub code: Vec<Ins>,
    /// The word of the state's planes that is the domain, if it is one.
    pub plane: Option<u32>,
    /// The register that holds the domain afterwards, and its words.
    pub last: R,
    pub w: u8,
    /// Added to an element's number to give the parameter.
    pub lo: i32,
    pub action: ActionIx,
    /// The action's effect, where its code begins, and the registers that it has (at least its two arguments).
    pub effect: FuncId,
    pub start: u32,
    pub frame: usize,
}

impl FastOffer {
    /// By offer of a program: the offer, if it is of this kind.
    pub fn all(
        p: &Program,
        actions: &[PackedAction],
        inline: &[Option<InlineOffer>],
    ) -> Vec<Option<FastOffer>> {
        let one = |(offer, inline): (&Offer, &Option<InlineOffer>)| {
            let (inline, [(menu, _)]) = (inline.as_ref()?, offer.menus.as_slice()) else { return None };
            let [action] = p.menus.get(menu.index())?.actions.as_slice() else { return None };
            // With a pass beside the options there would be more than the set to draw from.
            if inline.words == 0 && !inline.pass[1] { FastOffer::of(p, actions, *action) } else { None }
        };
        p.offers.iter().zip(inline).map(one).collect()
    }

    /// The offer of a menu's only action, if it is of this kind.
    fn of(p: &Program, actions: &[PackedAction], action: ActionIx) -> Option<FastOffer> {
        let slot = p.actions.get(action.index())?;
        let facts = actions.get(action.index())?;
        let start = p.funcs.get(slot.enumerator.index())?.start as usize;
        let rest = p.code.get(start..)?;
        let n = rest.iter().position(|ins| !can_run_fast(p, ins))?;
        let (Some(Ins::Options { last, action: of, .. }), Some(Ins::Ret)) = (rest.get(n), rest.get(n + 1))
        else {
            return None;
        };
        let one = facts.fixed == 0 && matches!(facts.last, Some(Domain::Thing(_))) && *of == action;
        let effect = p.funcs.get(slot.effect.index())?;
        let one = one && effect.args == 2 && !effect.pure_;
        one.then(|| FastOffer {
            code: rest.get(..n).unwrap_or(&[]).to_vec(),
            plane: match rest.first() {
                Some(Ins::Plane { d, w: 1, at }) if n == 1 && d == last && facts.w == 1 => Some(*at),
                _ => None,
            },
            last: *last,
            w: facts.w,
            lo: facts.lo,
            action,
            effect: slot.effect,
            start: effect.start,
            frame: (effect.frame as usize).clamp(2, 256),
        })
    }
}

/// Whether `ask_fast.rs` can run an instruction: some only on sets of one word.
fn can_run_fast(p: &Program, ins: &Ins) -> bool {
    match ins {
        Ins::PlaneI { group, .. } => p.groups.get(group.index()).is_some_and(|g| g.w == 1),
        Ins::LinesMeeting { t, .. } => p.line_tables.get(t.index()).is_some_and(|t| {
            let words = |u: UniverseId| p.universes.get(u.index()).map_or(2, |u| u.w);
            words(t.universe) <= 1 && t.ranges.len() <= 64 && t.lists.is_none_or(|u| words(u) <= 1)
        }),
        ins => ins.is_fast(),
    }
}
