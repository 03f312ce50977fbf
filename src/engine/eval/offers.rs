//! Whether a menu, or one of an offer's menus, has an available action.
use crate::base::fault::{FaultKind, Stop};
use crate::base::window::{Window, slice};
use crate::context::run_context::Context;
use crate::data::state::State;
use crate::eval::pure::Args;
use crate::world::tables::Rules;
use houserule_program::ir::*;

impl Context {
    /// Whether a menu's `done` or `pass` is allowed; `some`: whether the menu has an available action.
    pub fn can_end(
        &mut self,
        rules: Rules<'_>,
        st: &mut State,
        end: &EndSlot,
        args: Args<'_>,
        some: bool,
    ) -> Result<bool, Stop> {
        let condition = match end.when {
            EndWhen::Always => return Ok(true),
            EndWhen::NoAction => return Ok(!some),
            EndWhen::Func(f) => f,
            EndWhen::ByAction(with, without) => {
                if some {
                    with
                } else {
                    without
                }
            }
        };
        self.truth(rules, st, condition, args)
    }

    /// Whether an action of a menu is on offer.
    pub fn can_menu(
        &mut self,
        rules: Rules<'_>,
        st: &mut State,
        menu: MenuIx,
        args: Args<'_>,
    ) -> Result<bool, Stop> {
        let m = rules.p.menus.get(menu.index()).ok_or(FaultKind::BadProgram("a menu that is not there"))?;
        if !self.is_open(rules, st, m, args)? {
            return Ok(false);
        }
        let fresh = self.spare.pop().unwrap_or_default();
        let outer = std::mem::replace(&mut self.opts, fresh);
        self.opts.clear();
        let mut r = Ok(false);
        if m.lines.is_some() {
            r = self.menu_actions(rules, st, m, args).map(|()| !self.opts.is_empty());
        }
        for a in m.actions.iter().filter(|_| m.lines.is_none()) {
            let Some(action) = rules.p.actions.get(a.index()) else { continue };
            r = self.enumerate(rules, st, action.enumerator, args).map(|()| !self.opts.is_empty());
            if !matches!(r, Ok(false)) {
                break;
            }
        }
        let used = std::mem::replace(&mut self.opts, outer);
        self.spare.push(used);
        r
    }

    /// Whether an action of one of an offer's menus can be taken; `win` holds the menus' parameters.
    pub fn can_offer(
        &mut self,
        rules: Rules<'_>,
        st: &mut State,
        offer: OfferIx,
        who: i64,
        win: &Window,
    ) -> Result<bool, Stop> {
        let o =
            rules.p.offers.get(offer.index()).ok_or(FaultKind::BadProgram("an offer that is not there"))?;
        for (menu, at) in &o.menus {
            let n = rules.p.menus.get(menu.index()).map_or(0, |m| m.params as usize);
            if self.can_menu(rules, st, *menu, Args { who, params: slice(win, *at, n) })? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
