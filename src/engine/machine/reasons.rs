//! Reasons why a choice is not allowed, prompts, and texts with their holes filled.
use crate::base::window::slice;
use crate::context::recorder::filled_text;
use crate::data::decision::{Choice, CostPart, Last, Question, QuestionKind, Reason, Words};
use crate::eval::pure::Args;
use crate::machine::game::Machine;
use crate::scheduler::core::Core;
use crate::scheduler::registers::base_window;
use crate::world::knowledge::knows;
use crate::world::look::Look;
use crate::world::naming;
use crate::world::tables::width;
use houserule_program::ir::*;
use houserule_text::Span;

impl Machine {
    /// The choice as it is among the options of a question: itself, or one that differs only by alike components.
    pub(crate) fn canonical(&self, question: &Question, choice: &Choice) -> Option<Choice> {
        let u = if let QuestionKind::One(_, u) = question.kind { Some(u) } else { None };
        self.core.canonical(&self.program, i64::from(question.player), u, choice)
    }

    /// Why an action with these parameters (the menu's first) is no option for a player: its plain guards that say no, in source order.
    pub fn why_not(&mut self, player: usize, action: ActionIx, params: &[u64]) -> Vec<Reason> {
        let player = player as i64;
        let p = self.program.clone();
        let Some(slot) = p.actions.get(action.index()) else { return Vec::new() };
        let mut out: Vec<Reason> = Vec::new();
        let words: usize = slot.params.iter().map(|x| x.domain.words(&p) as usize).sum();
        if words != params.len() {
            let text = format!("{} takes {} parameters", slot.name, slot.params.len());
            return vec![Reason { span: decl_span(&p, slot.decl), text }];
        }
        let (plain, tried): (Vec<&GuardSlot>, Vec<&GuardSlot>) = slot.guards.iter().partition(|g| !g.tried);
        let (wary, plain): (Vec<&GuardSlot>, Vec<&GuardSlot>) = plain.into_iter().partition(|g| g.wary);
        let mut fault = None;
        let asker = std::mem::replace(&mut self.core.context.asker, player);
        for guard in plain.into_iter().chain(wary).chain(tried) {
            // If a choice is already illegal, its guards on hidden components are not evaluated: their reasons would reveal something.
            if (guard.tried || guard.wary) && !out.is_empty() || guard.wary && fault.is_some() {
                break;
            }
            let n: usize =
                slot.params.iter().take(guard.upto as usize).map(|x| x.domain.words(&p) as usize).sum();
            let args = with_player(player, params.get(..n).unwrap_or(params));
            let mut v = [0u64; 1];
            match self.eval(guard.func, &args, &mut v) {
                Ok(()) if v[0] != 0 => {}
                Ok(()) => {
                    let text = self.fill_for(player, guard.reason, &args);
                    out.push(Reason { span: guard.span, text });
                }
                // A guard may rely on earlier ones: its fault counts only if all others hold.
                Err(f) => {
                    fault.get_or_insert_with(|| Reason { span: guard.span, text: f.message(&p) });
                }
            }
        }
        self.core.context.asker = asker;
        if out.is_empty() {
            out.extend(fault);
        }
        if out.is_empty() {
            out.extend(self.no_line(&p, player, action, params));
        }
        out
    }

    /// Why no line that begins with an action ends well enough; `None` if one does, or if the menu does not look ahead.
    fn no_line(&mut self, p: &Program, player: i64, action: ActionIx, params: &[u64]) -> Option<Reason> {
        let menus = p.menus.iter().filter(|m| m.actions.contains(&action));
        let (menu, lines) = menus.filter_map(|m| Some((m, m.lines.as_ref()?))).next()?;
        let have = params.get(..menu.params as usize)?;
        let choice = Choice::Action { action, params: params.into() };
        // A dead end is the first reason; then a line that does not end well enough.
        let only_alive = LinesSlot { values: Vec::new(), ideal: Some(Vec::new()), ..lines.clone() };
        let first = lines.alive.map(|(span, reason)| (&only_alive, span, reason));
        for (judge, span, reason) in first.into_iter().chain([(lines, lines.span, lines.reason)]) {
            let judged = MenuSlot { lines: Some(judge.clone()), ..menu.clone() };
            let outer = std::mem::take(&mut self.core.context.opts);
            self.core.context.refill();
            let Core { context, world, state, .. } = &mut self.core;
            let r = context.menu_actions(world.with(p), state, &judged, Args { who: player, params: have });
            let stands = self.core.canonical(p, player, None, &choice).is_some();
            self.core.context.opts = outer;
            if let Err(k) = r {
                let f = self.core.context.fault(k);
                return Some(Reason { span, text: f.message(p) });
            }
            if !stands {
                let args = with_player(player, have);
                return Some(Reason { span, text: self.fill_for(player, reason, &args) });
            }
        }
        None
    }

    /// A text as all seats that answer for a player may read it.
    fn fill_for(&mut self, player: i64, t: TemplateIx, args: &[u64]) -> String {
        let seats = self.seats_of(player);
        self.fill(t, args, seats)
    }

    /// The seats that answer for a player: reasons contain only what all of them know.
    pub(crate) fn seats_of(&self, player: i64) -> Option<u32> {
        let seats = crate::data::seats::answering(&self.program, player);
        (seats != 0).then_some(seats)
    }

    /// Why a choice is no answer to a question; empty if it is one (or interchangeable with one).
    pub fn why_not_choice(&mut self, q: usize, choice: &Choice) -> Vec<Reason> {
        let Some(question) = self.core.questions.get(q).copied() else {
            return vec![Reason { span: Span::default(), text: "nothing is asked".into() }];
        };
        if let Err(f) = self.core.find_options(&self.program, q) {
            return vec![Reason { span: f.span, text: f.message(&self.program) }];
        }
        if self.canonical(&question, choice).is_some() {
            return Vec::new();
        }
        let p = self.program.clone();
        let player = i64::from(question.player);
        let plain = |text: &str| vec![Reason { span: question.span, text: text.into() }];
        match (question.kind, choice) {
            (QuestionKind::Menu(offer), Choice::Action { action, params }) => {
                let Some(offer) = p.offers.get(offer.index()) else { return plain("nothing is on offer") };
                let menus = self.offered(&question, offer);
                let Some((menu, have)) = menus
                    .iter()
                    .find(|(m, _)| p.menus.get(m.index()).is_some_and(|m| m.actions.contains(action)))
                else {
                    let name = p.actions.get(action.index()).map_or("that", |a| &a.title);
                    return plain(&format!("“{}” is not on offer now", name.trim()));
                };
                if let Some((f, reason)) = p.menus.get(menu.index()).and_then(|m| m.open) {
                    let args = with_player(player, have);
                    let mut v = [0u64; 1];
                    if self.eval(f, &args, &mut v).is_ok() && v[0] == 0 {
                        let text = self.fill_for(player, reason, &args);
                        return vec![Reason { span: question.span, text }];
                    }
                }
                if params.get(..have.len()) != Some(have.as_slice()) {
                    return plain("the menu is on offer for something else");
                }
                let out = self.why_not(usize::from(question.player), *action, params);
                if out.is_empty() { plain("that is not one of the options") } else { out }
            }
            (QuestionKind::Menu(offer), Choice::Done | Choice::Pass) => {
                let Some(offer) = p.offers.get(offer.index()) else { return plain("nothing is on offer") };
                let is_done = matches!(choice, Choice::Done);
                for (menu, have) in self.offered(&question, offer) {
                    let Some(m) = p.menus.get(menu.index()) else { continue };
                    let Some(end) = (if is_done { &m.done } else { &m.pass }) else { continue };
                    let args = with_player(player, &have);
                    let mut text = self.fill_for(player, end.reason, &args);
                    if text.is_empty() && end.when == EndWhen::NoAction {
                        text = "something can still be done".into();
                    }
                    return vec![Reason { span: decl_span(&p, m.decl), text }];
                }
                plain(if is_done { "there is no `done` here" } else { "there is no `pass` here" })
            }
            (QuestionKind::One(_, u), Choice::One(x)) => {
                let seats = self.seats_of(player);
                let look = Look { program: &p, state: &self.core.state };
                let text = naming::value_text(look, Show::Thing(u), &[*x as u64], seats, true);
                plain(&format!("{text} cannot be chosen here"))
            }
            (QuestionKind::Subset(..), Choice::Subset(_)) => {
                let sizes = self.core.context.opts.segments.first().map(|s| s.last);
                match sizes {
                    Some(Last::Subset(s)) if s.min == s.max => plain(&format!("choose exactly {}", s.min)),
                    Some(Last::Subset(s)) => plain(&format!("choose {} to {}", s.min, s.max)),
                    Some(Last::OneOf { .. }) => plain("no path passes exactly these spaces"),
                    _ => plain("that cannot be chosen"),
                }
            }
            _ => plain("the question needs another kind of answer"),
        }
    }

    /// Menus of an offer with the parameters that they are offered with.
    fn offered(&self, question: &Question, offer: &Offer) -> Vec<(MenuIx, Words)> {
        let fiber = self.core.state.fibers.get(question.fiber as usize);
        let Some(win) = fiber.and_then(base_window) else { return Vec::new() };
        offer
            .menus
            .iter()
            .map(|(m, at)| {
                let n = self.program.menus.get(m.index()).map_or(0, |m| m.params as usize);
                (*m, slice(win, *at, n).into())
            })
            .collect()
    }

    /// The title of `done` or `pass` of a pending question, if the rules give it one: that of the first menu on offer that can be left in this way.
    pub fn way_title(&mut self, q: usize, choice: &Choice) -> Option<String> {
        let is_done = match choice {
            Choice::Done => true,
            Choice::Pass => false,
            _ => return None,
        };
        let question = self.core.questions.get(q).copied()?;
        let QuestionKind::Menu(offer) = question.kind else { return None };
        let p = self.program.clone();
        let player = i64::from(question.player);
        for (menu, have) in self.offered(&question, p.offers.get(offer.index())?) {
            let Some(m) = p.menus.get(menu.index()) else { continue };
            let Some(end) = (if is_done { &m.done } else { &m.pass }) else { continue };
            let args = with_player(player, &have);
            let mut v = [1u64; 1];
            if let EndWhen::Func(f) = end.when
                && (self.eval(f, &args, &mut v).is_err() || v[0] == 0)
            {
                continue;
            }
            let text = self.fill_for(player, end.title, &args);
            return (!text.is_empty()).then_some(text);
        }
        None
    }

    /// What an option of a question costs, a part for each thing that it costs any of.
    pub fn list_costs(&mut self, q: usize, choice: &Choice) -> Vec<CostPart> {
        let Choice::Action { action, params } = choice else { return Vec::new() };
        let Some(player) = self.core.questions.get(q).map(|q| i64::from(q.player)) else {
            return Vec::new();
        };
        let p = self.program.clone();
        let costs = p.actions.get(action.index()).map_or(&[][..], |a| &a.costs);
        let args = with_player(player, params);
        let mut number = |t: TemplateIx| self.fill_for(player, t, &args).parse::<i64>().ok();
        let part = |c: &CostSlot| {
            let due = number(c.due).filter(|n| *n > 0)?;
            Some(CostPart { due, have: number(c.have), word: c.word.clone() })
        };
        costs.iter().filter_map(part).collect()
    }

    /// The text of a question (by place in [`Machine::questions`]), as its player may read it.
    pub fn prompt(&self, q: usize) -> String {
        let Some(question) = self.core.questions.get(q) else { return String::new() };
        let p = &self.program;
        let seats = self.seats_of(i64::from(question.player));
        let fiber = self.core.state.fibers.get(question.fiber as usize);
        let words = fiber.and_then(base_window).map_or(&[][..], |w| &w[..]);
        let t = match question.kind {
            QuestionKind::Menu(offer) => {
                let names = p.offers.get(offer.index()).map_or(&[][..], |o| &o.menus);
                let names: Vec<_> = names
                    .iter()
                    .filter_map(|(m, _)| p.menus.get(m.index()))
                    .map(|m| m.title.to_string())
                    .collect();
                return names.join(" / ");
            }
            QuestionKind::One(a, _) | QuestionKind::Subset(a, _) | QuestionKind::Truth(a) => a,
        };
        match p.asks.get(t.index()) {
            Some(slot) => filled_text(p, &self.core.state, slot.prompt, words, seats),
            None => String::new(),
        }
    }

    /// Fills a text with what its functions give for these arguments (holes that are registers are read from `args`), as a seat may read it, or with everything open.
    pub fn fill(&mut self, t: TemplateIx, args: &[u64], seats: Option<u32>) -> String {
        let mut out = String::new();
        self.fill_into(&mut out, t, args, seats, 0);
        out
    }

    fn fill_into(&mut self, out: &mut String, t: TemplateIx, args: &[u64], seats: Option<u32>, depth: usize) {
        let p = self.program.clone();
        let Some(template) = p.templates.get(t.index()) else { return };
        for piece in &template.parts {
            match piece {
                Piece::Literal(x) => out.push_str(x),
                Piece::Register(r, show) => {
                    let at = *r as usize;
                    let have = args.get(at..(at + width(&p, *show)).min(args.len())).unwrap_or(&[]);
                    out.push_str(&naming::value_text(self.look(), *show, have, seats, true));
                }
                Piece::Func(f, show) => {
                    let n = p.funcs.get(f.index()).map_or(0, |f| f.args as usize);
                    let mut v = [0u64; 64];
                    let room = v.get_mut(..width(&p, *show).min(64)).unwrap_or(&mut []);
                    match self.eval(*f, args.get(..n).unwrap_or(args), room) {
                        // A text within a text of a look is filled with the same thing.
                        Ok(()) if *show == Show::Text && depth < 8 => {
                            if let Some(t) = room.first().and_then(|t| u16::try_from(*t as i64).ok()) {
                                self.fill_into(out, TemplateIx(t), args, seats, depth + 1);
                            }
                        }
                        Ok(()) => {
                            let words = &*room;
                            out.push_str(&naming::value_text(self.look(), *show, words, seats, true));
                        }
                        Err(_) => out.push('?'),
                    }
                }
                // The reason why a rule cannot begin may contain such a reason itself; the depth is limited.
                Piece::Reason(f) if depth < 8 => {
                    let func = p.funcs.get(f.index());
                    let (n, given) = func.map_or((0, 0), |f| (f.args as usize, f.results as usize));
                    let mut v = [0u64; 256];
                    let room = v.get_mut(..given.min(256)).unwrap_or(&mut []);
                    if self.eval(*f, args.get(..n).unwrap_or(args), room).is_ok()
                        && let Some((t, args)) = room.split_first()
                        && let Ok(t) = u16::try_from(*t as i64)
                    {
                        let args = args.to_vec();
                        self.fill_into(out, TemplateIx(t), &args, seats, depth + 1);
                    }
                }
                Piece::Reason(_) => {}
            }
        }
    }

    /// Components whose face a seat does not know, of one kind.
    pub(crate) fn unknown_to(&self, seat: usize, ci: usize) -> Vec<usize> {
        let comps = self.program.comps.get(ci);
        let n = comps.and_then(|c| self.core.world.universes.get(c.universe.index())).map_or(0, |u| u.n);
        (0..n as usize).filter(|c| !knows(&self.program, &self.core.state, seat, ci, *c)).collect()
    }
}

/// The arguments of a function of (me, parameters).
fn with_player(player: i64, params: &[u64]) -> Words {
    std::iter::once(player as u64).chain(params.iter().copied()).collect()
}

/// The place of a declaration.
fn decl_span(p: &Program, d: DeclIx) -> Span {
    p.decls.get(d.index()).map(|d| d.span).unwrap_or_default()
}
