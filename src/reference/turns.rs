//! Players: who is asked, turns and offers (statements.md, menus.md), choices (statements.md, chance.md), and how a game ends (games.md).
use super::effects::{or_left_out, until_rule_ends};
use super::*;

/// Menus that are offered, with their arguments.
type Menus = [(MenuId, Vec<Expr>)];

impl Evaluator<'_> {
    /// Whether a player is out, and so asked nothing and left out by `everyone`: by what the rules say, or, where each wins or loses alone, because that is decided.
    fn is_out(&mut self, p: &Datum) -> Result<bool> {
        let alone = matches!(self.m.outcome, Outcome::Each);
        let mut out = alone && self.w.verdicts[p.number()? as usize].is_some();
        let said = &self.m.kinds[builtin_kinds::PLAYER.index()].out_when;
        for (_, v) in said.iter().filter(|(s, _)| self.n.set.has(*s)) {
            out = out || self.value(*v, vec![p.clone()], None)?.truth()?;
        }
        Ok(out)
    }

    /// Whether a player is there to be asked.
    pub(super) fn is_asked(&mut self, p: &Datum) -> Result<bool> {
        Ok(self.is_answered(p) && !self.is_out(p)?)
    }

    /// The players of a set or list who are not out.
    fn playing(&mut self, who: &Expr, f: &mut Frame) -> Result<Vec<Datum>> {
        keep(self.many(who, f)?, |p| self.is_out(p).map(|out| !out))
    }

    /// Somebody is asked. Without an answer it goes no further.
    fn ask(&mut self) -> Result<Answer> {
        self.notice()?;
        let answer = self.answers.pop_front().ok_or(Stop::Asked)?;
        self.answered.push(self.w.clone());
        Ok(answer)
    }

    /// Somebody is asked for something but an action.
    pub(super) fn ask_thing(&mut self) -> Result {
        if let Answer::Gives(d) = self.ask()? { Ok(d) } else { unsupported("an answer to another question") }
    }

    /// How many are chosen at least, and at most.
    pub(super) fn bounds(&mut self, many: &Many, there: usize, f: &mut Frame) -> Result<(i64, i64)> {
        let Many::Subset { min, max } = many else { return Ok((1, 1)) };
        Ok((self.int_or(min.as_ref(), 0, f)?, self.int_or(max.as_ref(), there as i64, f)?))
    }

    /// `choose`: by chance at once; by a player where there is something to choose.
    pub(super) fn choose(&mut self, c: &Choose, e: &Expr, f: &mut Frame) -> Result {
        self.notice()?;
        let mut from = Datum::set(self.many(&c.from, f)?).items();
        let one = matches!(c.many, Many::One);
        let (min, max) = self.bounds(&c.many, from.len(), f)?;
        let Chooser::Player(p) = &c.by else {
            let mut out = Vec::new();
            while (out.len() as i64) < min {
                let k = self.draw(&self.me.clone(), from.len() as u64) as usize;
                out.push(if k < from.len() { from.remove(k) } else { break });
            }
            return Ok(if one { out.pop().unwrap_or_default() } else { Datum::set(out) });
        };
        let answered = !keep(self.needed(p, f)?.items(), |p| self.is_asked(p))?.is_empty();
        let names = self.n.apart.names.get(&e.span).into_iter().flatten().map(|(l, _)| f.get(*l));
        let (names, mut apart): (Vec<Result>, _) = (names.collect(), BTreeSet::new());
        from.retain(|x| {
            let held = names.iter().map(|d| d.as_ref().is_ok_and(|d| d.items().contains(x)));
            let alike = (self.first_alike(x, &[]), held.collect::<Vec<bool>>());
            !one || self.n.apart.questions.contains(&e.span) || apart.insert(alike)
        });
        // Silence may tell a secret: then there is a question even for one thing, or for none.
        let slot = self.n.p.asks.iter().find(|a| a.span == e.span);
        let (always, even_none) = slot.map_or((false, false), |a| (a.always, a.even_none));
        // A way is the set of what is passed on it; where there is none, nothing is passed.
        let way = matches!(&*c.from.kind, ExprKind::Builtin(Builtin::Paths, _));
        let nothing = if one && !way { Datum::None } else { Datum::Set(Vec::new()) };
        match from.len() {
            0 if !even_none => Ok(nothing),
            _ if !answered => Ok(nothing),
            1 if one && !always => Ok(from.remove(0)),
            n if !one && max <= 0 && n > 0 => Ok(nothing),
            n if !one && min >= n as i64 && !always => Ok(Datum::set(from)),
            _ => self.ask_thing(),
        }
    }

    /// A menu is put before somebody: for one action, or, if it has a `done`, again and again up to that.
    pub(super) fn offer(&mut self, who: &Expr, menus: &Menus, s: &Stmt, f: &mut Frame) -> Result<()> {
        let who = self.needed(who, f)?;
        let given = menus.iter().map(|(menu, args)| Ok((*menu, self.each(args, f)?)));
        let all = given.collect::<Result<Vec<_>>>()?;
        let again = menus.iter().any(|(menu, _)| self.m.menus[menu.index()].done.is_some());
        while self.is_at_menu(&who, &all, s)? {
            let Answer::Takes(action, args) = self.ask()? else { break };
            self.as_player(who.clone(), |s| s.happen(Target::Action(action), args))?;
            f.acted = true;
            if !again || self.is_leaving() {
                break;
            }
            covers(menus.iter().all(|(menu, _)| self.m.menus[menu.index()].clock.is_none()), "clocks")?;
        }
        Ok(())
    }

    /// The first end that holds is it; if there is anything to do, or it may be passed, there is a question.
    fn is_at_menu(&mut self, who: &Datum, all: &[(MenuId, Vec<Datum>)], s: &Stmt) -> Result<bool> {
        if self.is_out(who)? {
            return Ok(false);
        }
        self.notice()?;
        let mut any = false;
        for (menu, given) in all {
            any |= match self.actions_of(*menu, who, given, 0) {
                Err(Stop::Fails(_) | Stop::Nothing) => return unsupported("an offer whose guards fail"),
                actions => !actions?.is_empty(),
            };
        }
        for (menu, given) in all {
            let menu = &self.m.menus[menu.index()];
            let mut own = Frame { no_action: !any, ..Frame::acting(who, &[], &menu.params, given) };
            for e in &menu.endings {
                self.end(e, &mut own)?;
            }
        }
        if self.is_out(who)? {
            return Ok(false);
        }
        // Where hidden faces decide whether there is anything to do, whoever can do nothing is asked for `done` or `pass`.
        let silent = self.n.p.offers.iter().find(|o| o.span == s.span).is_none_or(|o| o.silent);
        let asked = any || self.may_end(all, false, who, !any)?;
        let of = all.iter().collect();
        let open = keep(of, |(menu, given)| Ok(!asked && !silent && self.is_open(*menu, who, given)?))?;
        Ok((asked || !open.is_empty()) && self.is_answered(who))
    }

    fn is_leaving(&mut self) -> bool {
        self.m.leaving.is_some_and(|a| self.attribute(a, &Datum::None) != Ok(Datum::Int(0)))
    }

    pub(super) fn everyone(&mut self, e: &Everyone, s: &Stmt, f: &mut Frame) -> Result<()> {
        if !matches!(e.mode, Mode::AtOnce | Mode::Freely) {
            return self.turns(e, s, f);
        }
        covers(e.until.is_none(), "at once, until something holds")?;
        // Each goes on to a first question.
        let (mut asked, answers) = (false, std::mem::take(&mut self.answers));
        for p in Datum::set(self.playing(&e.who, f)?).items() {
            match self.acting(e.me, p, &e.body, &mut f.clone()) {
                Err(Stop::Asked) => asked = true,
                done => until_rule_ends(done)?,
            }
        }
        covers(!asked || answers.is_empty(), "answers to several questions")?;
        self.answers = answers;
        ensure(!asked, Stop::Asked)
    }

    /// One after the other: of a list in its order, else in table order. In any order, the table is asked who is next, if several are left. All else is judged before each turn.
    fn turns(&mut self, e: &Everyone, s: &Stmt, f: &mut Frame) -> Result<()> {
        let (any_order, again) = (e.mode == Mode::AnyOrder, e.until.is_some() || e.passing.is_some());
        let mut round = match self.eval(&e.who, f)? {
            Datum::List(all) if !any_order => all,
            _ => self.n.all(0),
        };
        let from = self.maybe(e.from.as_ref(), f)?;
        from.as_ref().map(Datum::thing).transpose()?;
        let begins = round.iter().position(|p| from.as_ref() == Some(p));
        round.rotate_left(begins.unwrap_or(0));
        let always = self.n.p.asks.iter().any(|a| a.span == s.span && a.always);
        let (mut left, mut passed) = (round.clone(), Vec::<Datum>::new());
        for _ in 0..1_000 {
            let over = self.is_leaving() || e.until.is_some() && self.holds(&e.until, f)?;
            let mut playing = self.playing(&e.who, f)?;
            let left_to_pass = playing.iter().filter(|p| !passed.contains(p)).count();
            let all_pass = e.passing.is_some_and(|p| left_to_pass <= usize::from(p == Passing::AllButOne));
            playing.retain(|p| e.passing != Some(Passing::AllButOne) || !passed.contains(p));
            let next: Vec<usize> = (0..left.len()).filter(|i| playing.contains(&left[*i])).collect();
            if over || all_pass || playing.is_empty() || next.is_empty() && !again {
                return Ok(());
            }
            let Some(mut at) = next.first().copied() else {
                left.clone_from(&round);
                continue;
            };
            if any_order {
                self.judge_ends(self.w.turn)?;
                self.notice()?;
                let answered = next.iter().any(|i| self.is_answered(&left[*i]));
                if answered && (next.len() > 1 || always) {
                    let chosen = self.ask_thing()?;
                    at = known(left.iter().position(|p| *p == chosen), "who is not among them")?;
                }
            }
            let p = left.remove(at);
            // Who does not play now has missed his turn.
            left.drain(..if any_order { 0 } else { at });
            let outer = std::mem::take(&mut f.acted);
            self.one_turn(e, p.clone(), f)?;
            match std::mem::replace(&mut f.acted, outer) {
                false => passed.push(p),
                true if e.passing == Some(Passing::All) => passed.clear(),
                true => {}
            }
        }
        unsupported("so many turns")
    }

    /// The whole game: the set-up, then the rounds, up to its end or to the first question without an answer.
    pub fn play(&mut self) -> Result<()> {
        self.sets_up = true;
        self.happen(Target::Setup, Vec::new())?;
        self.sets_up = false;
        let Some(round) = &self.m.round else { return Err(Stop::Over) };
        let times = match &round.until {
            RoundUntil::Times(n) => self.int(n, &mut Frame::default())?,
            RoundUntil::Once => 1,
            RoundUntil::Forever | RoundUntil::Cond(_) => i64::MAX,
        };
        self.watch()?;
        for _ in 0..times {
            self.w.round += 1;
            self.w.outer_turns.clear();
            self.w.turn = None;
            self.renew(|per| per == Per::Round, None);
            self.watch()?;
            self.block(&round.body.body, &mut Frame::default())?;
            let (round, ends) = (self.w.round as i32, [LeaseScope::Round, LeaseScope::NextRound]);
            self.end_layers(|(scope, until)| ends.contains(&scope) && until <= round)?;
            self.watch()?;
            self.judge_ends(None)?;
        }
        self.w.over = true;
        Err(Stop::Over)
    }

    fn one_turn(&mut self, e: &Everyone, p: Datum, f: &mut Frame) -> Result<()> {
        let who = p.number()?;
        if e.mode == Mode::OneByOne {
            return until_rule_ends(self.acting(e.me, p, &e.body, f));
        }
        self.judge_ends(Some(who))?;
        self.w.turns += 1;
        self.w.outer_turns.extend(self.w.turn);
        self.w.turn = Some(who);
        self.end_layers(|u| u == (LeaseScope::StartOfTurn, who as i32))?;
        self.renew(|per| per == Per::Turn, Some(&p));
        self.watch()?;
        until_rule_ends(self.acting(e.me, p.clone(), &e.body, f))?;
        self.acting(e.me, p, &e.then, f)?;
        let ends = |arg| arg == who as i32 || arg == ir::NONE as i32;
        self.end_layers(|(scope, arg)| scope == LeaseScope::Turn && ends(arg))?;
        self.w.turn = self.w.outer_turns.pop();
        self.watch()
    }

    /// Somebody, or all, win, lose or tie: against one another, the others have the opposite; together, all have the same; each alone, the others play on. Or nobody has a result yet.
    pub(super) fn verdict(&mut self, v: Option<Verdict>, who: Option<&Expr>, f: &mut Frame) -> Result<()> {
        let (each, together) =
            (matches!(self.m.outcome, Outcome::Each), matches!(self.m.outcome, Outcome::Together));
        let some = |all: Vec<Datum>| if all.is_empty() { Err(Stop::Nothing) } else { Ok(all) };
        let whom = who.map(|x| self.many(x, f).and_then(some)).transpose()?.filter(|_| !together);
        let other = match v {
            Some(Verdict::Win) => Some(Verdict::Lose),
            Some(Verdict::Lose) => Some(Verdict::Win),
            same => same,
        };
        for (i, slot) in self.w.verdicts.iter_mut().enumerate() {
            let is = whom.as_ref().is_none_or(|w| w.contains(&Datum::Thing(0, i as u32)));
            if slot.is_none() && (is || !each) {
                *slot = if is { v } else { other };
            }
        }
        let answered = self.n.set.answered.iter();
        let decided = self.w.verdicts.iter().zip(answered).all(|(v, seats)| v.is_some() || *seats == 0);
        self.w.over = !each || whom.is_none() || decided;
        ensure(!self.w.over, Stop::Over)
    }

    /// The ends that are watched always, as soon as all players stand who always do.
    pub(super) fn watch(&mut self) -> Result<()> {
        let always = |a: &Attr| !types::is_maybe(&a.ty) && a.default.is_none();
        let standing = types::standing(self.m).filter(|a| always(&self.m.attrs[a.index()]));
        let slot = standing.and_then(|a| self.n.attrs.get(&a).copied());
        let stands = |s: usize, p: &Datum| self.w.attrs.get(&(s, p.clone())) != Some(&Datum::None);
        let lacks = |s: usize| self.n.all(0).iter().any(|p| self.is_answered(p) && !stands(s, p));
        if self.sets_up || slot.is_some_and(lacks) {
            return Ok(());
        }
        for (_, e) in self.m.endings.iter().filter(|(s, _)| self.n.set.has(*s)) {
            or_left_out(self.end(&e.body, &mut Frame::default()), ())?;
        }
        Ok(())
    }

    /// `round until` and `ends when`, as somebody's turn begins; not during the set-up.
    fn judge_ends(&mut self, turn: Option<u32>) -> Result<()> {
        let outer = std::mem::replace(&mut self.w.turn, turn);
        for c in self.m.ends_between() {
            self.w.over |= self.w.round > 0 && self.truth(c, &mut Frame::default())?;
            ensure(!self.w.over, Stop::Over)?;
        }
        self.w.turn = outer;
        Ok(())
    }

    /// An end under a condition; one that needs a thing and finds none does not hold.
    fn end(&mut self, e: &MenuEnding, f: &mut Frame) -> Result<()> {
        let holds = or_left_out(self.truth(&e.when, f), false)?;
        if holds { self.verdict(e.verdict, e.who.as_ref(), f) } else { Ok(()) }
    }

    /// What the end of the game hands on (games.md): options, and under none the next scenario's number. Rows of scenarios, variants and mods come first.
    pub fn legacy(&mut self) -> Result<BTreeMap<Option<OptionId>, Datum>> {
        let mut rows: Vec<_> = self.m.legacy.iter().filter(|row| self.n.set.has(row.scope)).collect();
        rows.sort_by_key(|row| row.scope == ScopeId(0));
        let mut out = BTreeMap::new();
        for row in rows {
            match &row.kind {
                LegacyKind::Option(o, e) if !out.contains_key(&Some(*o)) => {
                    out.insert(Some(*o), self.eval(e, &mut Frame::default())?);
                }
                LegacyKind::Next(to, when) if !out.contains_key(&None) && self.is_next(when)? => {
                    out.insert(None, to.map_or(Datum::None, |s| Datum::Int(s.0.into())));
                }
                _ => {}
            }
        }
        Ok(out)
    }

    fn is_next(&mut self, when: &NextWhen) -> Result<bool> {
        let NextWhen::Outcome(v) = when else {
            return if let NextWhen::Holds(c) = when {
                self.truth(c, &mut Frame::default())
            } else {
                Ok(true)
            };
        };
        covers(!self.w.over || self.w.verdicts.iter().all(Option::is_some), "an end that numbers decide")?;
        let mut lots = self.w.verdicts.iter().zip(&self.n.set.answered);
        Ok(self.w.over && lots.all(|(lot, seats)| *seats == 0 || *lot == Some(*v)))
    }
}
