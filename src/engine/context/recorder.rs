//! Writes the event log while recording is on. Each argument carries the seats that may read it, decided by what they know when the event happens.
use crate::base::bitset::bits;
use crate::base::event::{Event, EventKind, Part};
use crate::base::window::{Window, slice};
use crate::context::frames::span_at;
use crate::data::decision::{Choice, Words};
use crate::data::seats::{answering, answering_any};
use crate::data::state::{State, Wait};
use crate::world::cells::cell;
use crate::world::knowledge::known_by;
use crate::world::look::Look;
use crate::world::naming::{change_phrase, place_phrase, thing_title, value_text};
use crate::world::tables::{Rules, WorldTables, width};
use houserule_program::ir::*;

/// The most log lines of one choice; further ones are only counted.
pub const MOST_LINES: usize = 5_000;

/// Is told what happens in a game, for statistics.
pub trait Watcher: std::any::Any + Send + Sync {
    /// A player takes an action.
    fn action(&mut self, look: Look<'_>, player: usize, action: ActionIx, params: &[u64]);
    /// A player gives another answer; things in it are of that universe.
    fn answer(&mut self, look: Look<'_>, player: usize, of: Option<UniverseId>, choice: Option<&Choice>);
    /// The code of a declaration has something to log.
    fn logged(&mut self, decl: DeclIx);
}

/// Collects events.
#[derive(Default)]
pub(crate) struct Recorder {
    pub on: bool,
    /// Whether somebody is told now what happens.
    pub watched: bool,
    pub watcher: Option<Box<dyn Watcher>>,
    /// For the tests of the laws: every argument is open to all.
    pub unfiltered: bool,
    events: Vec<Event>,
    /// The number of events beyond [`MOST_LINES`].
    lost: usize,
    /// Components in logged choices, which may be disclosed when the rules have run.
    named: Vec<Named>,
    /// Which seats can tell which component was taken, for the choice that is logged next: kind, component, seats.
    traced: Vec<(usize, usize, u32)>,
    func: u16,
    pc: u32,
    me: i64,
}

/// A component in a logged choice.
struct Named {
    /// The event and the part of its text.
    event: usize,
    part: usize,
    /// Its kind (index in [`Program::comps`]), its number, and its face when it was chosen.
    kind: usize,
    component: usize,
    face: i64,
    /// Seats (bits) that can still tell that it is this component: they saw which one was taken, or saw it move, and it has not been mixed with others since.
    followed: u32,
    /// Whether all seats have seen that something happened to it.
    seen: bool,
    /// Whether it has not moved or turned since it was chosen.
    stays: bool,
}

/// An answer to be logged.
pub(crate) struct Answer<'a> {
    /// The player who answered.
    pub player: i64,
    /// The answer.
    pub choice: &'a Choice,
    /// How its value is shown.
    pub of: Show,
    /// Whether the rules store it where not all may read it: then the log shows it only to the seats that answered.
    pub sealed: bool,
    /// Of a question for a subset: the set that could be chosen from, if all know it.
    pub from: Option<&'a [u64]>,
    /// Whether all know how many are chosen.
    pub counted: bool,
    /// Whether the rules do something with a chosen component that may reveal which one it was.
    pub used: bool,
}

impl<'a> Answer<'a> {
    /// An answer to a menu.
    pub fn of(player: i64, choice: &'a Choice) -> Answer<'a> {
        Answer { player, choice, of: Show::Number, sealed: false, from: None, counted: false, used: true }
    }
}

impl Recorder {
    /// Sets the instruction, and the player `me`, that the next events come from.
    pub fn set_source(&mut self, func: u16, pc: u32, me: i64) {
        self.func = func;
        self.pc = pc;
        self.me = me;
    }

    /// Switches recording and watching off; returns what was on, for [`Recorder::resume`].
    pub fn pause(&mut self) -> (bool, bool) {
        (std::mem::take(&mut self.on), std::mem::take(&mut self.watched))
    }

    pub fn resume(&mut self, was: (bool, bool)) {
        (self.on, self.watched) = was;
    }

    /// Tells the watcher that the running declaration has something to log. Returns whether an event is to be recorded.
    #[inline]
    pub fn watch(&mut self, p: &Program) -> bool {
        if let (true, Some(watcher)) = (self.watched, &mut self.watcher) {
            watcher.logged(p.funcs.get(self.func as usize).map_or(DeclIx(0), |f| f.decl));
        }
        self.on
    }

    /// Tells the watcher of a player's action that takes effect now; `None` is no action.
    #[inline(always)]
    pub fn watch_taken(
        &mut self,
        program: &Program,
        state: &State,
        player: u8,
        action: Option<(ActionIx, &[u64])>,
    ) {
        if self.watched {
            self.tell_taken(program, state, player, action);
        }
    }

    #[inline(never)]
    fn tell_taken(
        &mut self,
        program: &Program,
        state: &State,
        player: u8,
        action: Option<(ActionIx, &[u64])>,
    ) {
        let Some(watcher) = &mut self.watcher else { return };
        let (look, player) = (Look { program, state }, usize::from(player));
        match action {
            Some((action, params)) => watcher.action(look, player, action, params),
            None => watcher.answer(look, player, None, None),
        }
        self.watch_answer(program, action.map(|(action, _)| action));
    }

    /// Tells the watcher of a player's answer to the question that a fiber waits with.
    pub fn watch_choice(
        &mut self,
        program: &Program,
        state: &State,
        wait: &Wait,
        player: u8,
        choice: &Choice,
    ) {
        let (true, Some(watcher)) = (self.watched, &mut self.watcher) else { return };
        let (look, player) = (Look { program, state }, usize::from(player));
        let ask = if let Wait::Ask { ask, .. } = wait { program.asks.get(ask.index()) } else { None };
        match choice {
            Choice::Action { action, params } => watcher.action(look, player, *action, params),
            _ => watcher.answer(look, player, ask.map(|a| a.universe), Some(choice)),
        }
    }

    /// As [`Recorder::watch`], of an answer.
    pub fn watch_answer(&mut self, p: &Program, action: Option<ActionIx>) -> bool {
        self.func = action.and_then(|a| p.actions.get(a.index())).map_or(self.func, |a| a.effect.0);
        self.watch(p)
    }

    pub fn take_events(&mut self) -> Vec<Event> {
        self.named.clear();
        let lost = std::mem::take(&mut self.lost);
        if let Some(last) = self.events.last().filter(|_| lost > 0) {
            let parts = vec![literal(&format!("… and {lost} more lines"))];
            self.events.push(Event { kind: EventKind::Said, parts, ..last.clone() });
        }
        std::mem::take(&mut self.events)
    }

    /// The number of events; a refused choice is undone with [`Recorder::truncate`].
    pub fn len(&self) -> usize {
        self.events.len()
    }

    pub fn truncate(&mut self, n: usize) {
        self.events.truncate(n);
        if n < MOST_LINES {
            self.lost = 0;
        }
        self.named.clear();
    }

    /// Called when the rules have run to a question or the end: discloses earlier choices to the seats that know the components by now.
    pub fn finish_disclosure(&mut self, p: &Program, st: &State) {
        self.disclose(p, st);
        self.named.clear();
    }

    /// A choice is logged before it takes effect. Discloses its components to the seats that know all their faces now and could follow them since the choice. The number of
    /// chosen components is disclosed when all seats have seen something happen to each.
    fn disclose(&mut self, p: &Program, st: &State) {
        let mut rest = self.named.as_slice();
        while let Some(first) = rest.first() {
            let same = |n: &&Named| (n.event, n.part) == (first.event, first.part);
            let n = rest.iter().take_while(same).count();
            let (of_part, others) = rest.split_at(n.max(1));
            let mut seats = u32::MAX;
            for x in of_part {
                let unchanged = face_of(p, st, x.kind, x.component) == x.face;
                seats &= if unchanged { x.followed & known_by(p, st, x.kind, x.component) } else { 0 };
            }
            if let Some(Part::Arg { seats: may, hidden, .. }) =
                self.events.get_mut(first.event).and_then(|e| e.parts.get_mut(first.part))
            {
                *may |= seats;
                if of_part.iter().all(|x| x.seen) {
                    *hidden = hidden_text(p, first.kind, Some(n));
                }
            }
            rest = others;
        }
    }

    /// Notes which seats can tell which component the choice takes that is logged next; without a note none can.
    pub fn note_trace(&mut self, kind: usize, component: usize, seats: u32) {
        self.traced.push((kind, component, seats));
    }

    fn tracing_seats(&self, kind: usize, component: usize) -> u32 {
        let found = self.traced.iter().find(|(k, c, _)| (*k, *c) == (kind, component));
        found.map_or(0, |(_, _, seats)| *seats)
    }

    /// The text of a chosen value: its name for the seats that know it and can tell which component was taken, its kind for the others. The components are noted for
    /// [`Recorder::disclose`].
    fn describe_choice(
        &mut self,
        rules: Rules<'_>,
        st: &State,
        part: usize,
        (show, words): (Show, &[u64]),
        answer: &Answer<'_>,
    ) -> Part {
        let look = Look { program: rules.p, state: st };
        let open = value_text(look, show, words, None, true);
        let own = answering(rules.p, answer.player);
        let Some((u, things)) = components_of(rules.world, show, words) else {
            return match answer.sealed {
                true => Part::Arg { open, hidden: "?".into(), seats: own },
                false => Part::Text(open.into()),
            };
        };
        let kind = usize::from(u);
        let mut seats = rules.world.seats;
        for c in &things {
            seats &= self.tracing_seats(kind, *c) & known_by(rules.p, st, kind, *c);
        }
        let set = matches!(show, Show::Set(_));
        if set && things.is_empty() {
            // A seat that knows everything that could be taken sees that nothing was taken.
            let all: Words = match answer.from {
                Some(from) => from.into(),
                None => all_components(rules.p, kind),
            };
            seats = bits(&all).fold(seats, |m, c| m & known_by(rules.p, st, kind, c)) | own;
        }
        let event = self.events.len();
        let kept = things.iter().filter(|_| event < MOST_LINES && answer.used);
        for component in kept {
            let followed = self.tracing_seats(kind, *component);
            let face = face_of(rules.p, st, kind, *component);
            self.named.push(Named {
                event,
                part,
                kind,
                component: *component,
                face,
                followed,
                seen: false,
                stays: true,
            });
        }
        if seats == rules.world.seats {
            return Part::Text(open.into());
        }
        let count = (!set || answer.counted).then_some(things.len());
        Part::Arg { open, hidden: hidden_text(rules.p, kind, count), seats }
    }

    fn keep_event(&mut self, event: Event) {
        if self.events.len() < MOST_LINES {
            self.events.push(event);
        } else {
            self.lost += 1;
        }
    }

    fn push(&mut self, p: &Program, kind: EventKind, mut parts: Vec<Part>) {
        if self.unfiltered {
            for part in &mut parts {
                if let Part::Arg { seats, .. } = part {
                    *seats = u32::MAX;
                }
            }
        }
        let decl = p.funcs.get(self.func as usize).map_or(DeclIx(0), |f| f.decl);
        self.keep_event(Event {
            kind,
            player: u8::try_from(self.me).ok(),
            decl,
            span: span_at(p, self.pc),
            seats: u32::MAX,
            parts,
        });
    }

    /// What happens to the question of a player; `func` is the function that asks.
    pub fn log_asker(&mut self, p: &Program, player: i64, func: u16, kind: EventKind, text: &str) {
        (self.me, self.func) = (player, func);
        if self.watch(p) {
            self.push(p, kind, vec![literal(text)]);
        }
    }

    pub fn log_change(&mut self, rules: Rules<'_>, st: &State, attr: u16, thing: usize, layer: bool) {
        if !(self.on || self.watched) {
            return;
        }
        // The engine's own attributes, such as those of `once`, are not logged.
        let a = rules.p.attrs.get(attr as usize).filter(|a| !matches!(a.seen, SeenBy::Nobody));
        let Some(a) = a.filter(|_| self.watch(rules.p)) else { return };
        let (seats, mut parts) = match a.of {
            None => (holder_seats(rules.world, a.seen, 0), Vec::new()),
            Some(u) => {
                let who = thing_part(rules, st, u, thing);
                let seats = match rules.p.universes.get(u.index()).map(|u| &u.sort) {
                    // What is on a back is open.
                    Some(UniverseSort::Components(_)) if a.back => rules.world.seats,
                    Some(UniverseSort::Components(ci)) => known_by(rules.p, st, *ci as usize, thing),
                    Some(UniverseSort::Players) => {
                        holder_seats(rules.world, a.seen, answering(rules.p, thing as i64))
                    }
                    _ => holder_seats(rules.world, a.seen, 0),
                };
                (seats, vec![who, literal("'s ")])
            }
        };
        let moved = rules.p.standing == Some(AttrIx(attr));
        match parts.last_mut() {
            Some(last) if moved => *last = literal(" goes to "),
            _ => parts.push(literal(&change_phrase(&a.name))),
        }
        let value = attr_text(Look { program: rules.p, state: st }, AttrIx(attr), thing, None, true);
        parts.push(Part::Arg { open: value, hidden: "?".into(), seats });
        let kind = match (layer, moved) {
            (true, _) => EventKind::LayerEnded,
            (false, true) => EventKind::Moved,
            (false, false) => EventKind::Changed,
        };
        self.push(rules.p, kind, parts);
        // Setting the same value again logs nothing, so the line itself reveals a change: only the same seats see it.
        self.restrict_last_event(rules.world, seats);
    }

    /// Restricts the last event to these seats.
    fn restrict_last_event(&mut self, world: &WorldTables, seats: u32) {
        if seats != world.seats
            && !self.unfiltered
            && let Some(event) = self.events.last_mut()
        {
            event.seats = seats;
        }
    }

    pub fn log_move(&mut self, rules: Rules<'_>, st: &State, ci: usize, c: usize, from: usize, to: usize) {
        if !self.watch(rules.p) {
            return;
        }
        // All see that something moves. A seat that does not know it loses track of it in a place where several lie hidden.
        let trackable = rules.p.places.get(to).is_some_and(|pl| is_trackable(rules.p, pl));
        for x in self.named.iter_mut().filter(|x| (x.kind, x.component) == (ci, c)) {
            let followed = if x.stays { u32::MAX } else { x.followed };
            x.followed = if trackable { followed } else { followed & known_by(rules.p, st, ci, c) };
            (x.seen, x.stays) = (true, false);
        }
        self.disclose(rules.p, st);
        let Some(comps) = rules.p.comps.get(ci) else { return };
        let way = format!(" goes from {} to {}", place_phrase(rules.p, from), place_phrase(rules.p, to));
        let who = thing_part(rules, st, comps.universe, c);
        self.push(rules.p, EventKind::Moved, vec![who, literal(&way)]);
    }

    pub fn log_shuffle(&mut self, p: &Program, st: &State, place: usize) {
        if self.watch(p) {
            for x in &mut self.named {
                let lies = p.comps.get(x.kind).map_or(NONE, |k| cell(st, k.place as usize + x.component));
                if usize::try_from(lies).is_ok_and(|at| at == place) {
                    (x.followed, x.stays) = (0, false);
                }
            }
            let t = format!("{} is shuffled", place_phrase(p, place));
            self.push(p, EventKind::Shuffled, vec![literal(&t)]);
        }
    }

    /// As [`Recorder::log_show`], to all players for whom these seats answer.
    pub fn log_notice(&mut self, rules: Rules<'_>, st: &State, ci: usize, set: &[u64], seats: u32) {
        if seats == 0 || !(self.on || self.watched) {
            return;
        }
        let sees = |i: &u8| answering(rules.p, i64::from(*i)) & seats != 0;
        let players = (0..rules.p.players.min(64)).filter(sees).fold(0u64, |m, i| m | 1 << i);
        self.log_show(rules, st, ci, set, players);
    }

    pub fn log_show(&mut self, rules: Rules<'_>, st: &State, ci: usize, set: &[u64], players: u64) {
        if bits(set).next().is_none() || !self.watch(rules.p) {
            return;
        }
        // If other components are shown with a chosen one, nobody learns which of them was chosen.
        let events: Vec<(usize, usize)> = self.named.iter().map(|x| (x.event, x.part)).collect();
        for i in 0..self.named.len() {
            let Some(at) = events.get(i) else { break };
            let of_part = |c: usize| {
                let same = |x: &Named| (x.event, x.part) == *at && (x.kind, x.component) == (ci, c);
                self.named.iter().any(same)
            };
            let alone = bits(set).all(of_part);
            if let Some(x) = self.named.get_mut(i)
                && x.kind == ci
                && crate::base::bitset::get_bit(set, 0, x.component)
                && alone
            {
                x.followed |= if x.stays { answering_any(rules.p, players) } else { 0 };
                x.seen = true;
            }
        }
        self.disclose(rules.p, st);
        let Some(comps) = rules.p.comps.get(ci) else { return };
        let mut parts = Vec::new();
        for c in bits(set) {
            if !parts.is_empty() {
                parts.push(literal(", "));
            }
            parts.push(thing_part(rules, st, comps.universe, c));
        }
        if parts.is_empty() {
            return;
        }
        let names: Vec<_> =
            bits(&[players]).map(|i| thing_title(rules.p, rules.p.player_universe, i as i64)).collect();
        parts.push(literal(&format!(" is shown to {}", names.join(", "))));
        self.push(rules.p, EventKind::Shown, parts);
    }

    /// A component was turned over, or to another side or face. Only `seats` see it happen.
    pub fn log_turn_over(&mut self, rules: Rules<'_>, st: &State, ci: usize, c: usize, seats: u32) {
        if !self.watch(rules.p) {
            return;
        }
        for x in self.named.iter_mut().filter(|x| (x.kind, x.component) == (ci, c)) {
            x.followed |= if x.stays { seats } else { 0 };
            x.seen |= seats == rules.world.seats;
        }
        self.disclose(rules.p, st);
        let Some(comps) = rules.p.comps.get(ci) else { return };
        let look = Look { program: rules.p, state: st };
        let parts = match (comps.showing, look.side(ci, c)) {
            (Some(sides), Some(side)) => {
                let kind = &*comps.title;
                let title = thing_title(rules.p, sides, side as i64);
                // A side without a name of its own is called by kind and value.
                let side = title.strip_prefix(kind).map_or(&*title, str::trim_start);
                let open = format!(" is turned to {side}");
                let seats = known_by(rules.p, st, ci, c);
                vec![literal(kind), Part::Arg { open, hidden: " is turned".into(), seats }]
            }
            _ => vec![thing_part(rules, st, comps.universe, c), literal(" is turned")],
        };
        let place = usize::try_from(cell(st, comps.place as usize + c)).ok();
        self.push(rules.p, EventKind::Turned(place), parts);
        self.restrict_last_event(rules.world, seats);
    }

    /// A roll: its value, and for the other seats the text before the question mark; of a die also its place.
    pub fn log_roll(
        &mut self,
        p: &Program,
        who: i64,
        value: String,
        (of, place): (String, Option<usize>),
        seats: u32,
    ) {
        let mut before = String::new();
        if who != NONE {
            before = format!("{} rolls ", thing_title(p, p.player_universe, who));
        }
        let parts = vec![literal(&before), Part::Arg { open: value, hidden: format!("{of}?"), seats }];
        self.push(p, EventKind::Rolled(place), parts);
    }

    pub fn log_text(&mut self, rules: Rules<'_>, st: &State, t: TemplateIx, win: &Window) {
        if self.watch(rules.p) {
            let parts = template_parts(rules, st, t, win);
            self.push(rules.p, EventKind::Said, parts);
        }
    }

    pub fn log_verdict(
        &mut self,
        rules: Rules<'_>,
        st: &State,
        players: u64,
        verdict: VerdictCode,
        t: TemplateIx,
        win: &Window,
    ) {
        if players == 0 || !self.watch(rules.p) {
            return;
        }
        let names: Vec<_> =
            bits(&[players]).map(|i| thing_title(rules.p, rules.p.player_universe, i as i64)).collect();
        let what = match verdict {
            VerdictCode::Win => "won",
            VerdictCode::Lose => "lost",
            VerdictCode::Tie => "tied",
        };
        let mut parts = vec![literal(&format!("{}: {what}", names.join(", ")))];
        let said = template_parts(rules, st, t, win);
        if !said.is_empty() {
            parts.push(literal(". "));
            parts.extend(said);
        }
        self.push(rules.p, EventKind::Verdict(verdict), parts);
    }

    /// A round or a turn begins, or the game ends; no declaration has something to log.
    pub fn log_plain(&mut self, kind: EventKind) {
        if self.on {
            let text = if let EventKind::Round(n) = kind {
                vec![literal(&format!("Round {n}"))]
            } else {
                Vec::new()
            };
            let player = u8::try_from(self.me).ok();
            let span = houserule_text::Span::default();
            self.keep_event(Event { kind, player, decl: DeclIx(0), span, seats: u32::MAX, parts: text });
        }
    }

    pub fn log_turn(&mut self, who: i64) {
        self.me = who;
        self.log_plain(EventKind::Turn);
    }

    pub fn log_phase(&mut self, p: &Program, phase: PhaseIx) {
        if self.watch(p) {
            let title = p.phases.get(phase.index()).map_or(String::new(), phase_title);
            self.push(p, EventKind::Phase(phase), vec![literal(&title)]);
        }
    }

    /// An answer to the question which player is next.
    pub fn log_next(&mut self, rules: Rules<'_>, st: &State, player: i64, of: UniverseId) {
        if !self.watch(rules.p) {
            return;
        }
        self.me = NONE;
        let show = Show::Thing(of);
        let parts = vec![value_part(rules, st, show, &[player as u64]), literal(" is next")];
        self.push(rules.p, EventKind::Answered, parts);
    }

    /// A player's answer. All see that something was picked; a component that only some know is named to them alone.
    pub fn log_answer(&mut self, rules: Rules<'_>, st: &State, answer: &Answer<'_>) {
        self.me = answer.player;
        let mut parts = Vec::new();
        let kind = match answer.choice {
            Choice::Action { action, params } => {
                if let Some(a) = rules.p.actions.get(action.index()) {
                    for piece in &a.said {
                        let i = match piece {
                            TitlePart::Param(i) => usize::from(*i),
                            TitlePart::Text(text) => {
                                parts.push(literal(text));
                                continue;
                            }
                        };
                        let Some(param) = a.params.get(i) else { continue };
                        let width = |x: &ParamSlot| x.domain.words(rules.p) as usize;
                        let (at, w) = (a.params.iter().take(i).map(width).sum::<usize>(), width(param));
                        let words = params.get(at..at + w).unwrap_or(&[]);
                        let show = match param.domain {
                            Domain::Thing(u) => Show::Thing(u),
                            Domain::Number => Show::Number,
                            Domain::Subset(u) => Show::Set(u),
                        };
                        let of_param = Answer { sealed: param.sealed, used: param.used, ..*answer };
                        let part = self.describe_choice(rules, st, parts.len(), (show, words), &of_param);
                        parts.push(part);
                    }
                }
                EventKind::Acted(*action)
            }
            Choice::Done | Choice::NotDone | Choice::TimeUp => EventKind::Done,
            Choice::Pass => EventKind::Passed,
            Choice::One(x) => {
                parts.push(self.describe_choice(rules, st, 0, (answer.of, &[*x as u64]), answer));
                EventKind::Answered
            }
            Choice::Subset(words) => {
                let show = if let Show::Thing(u) = answer.of { Show::Set(u) } else { answer.of };
                parts.push(self.describe_choice(rules, st, 0, (show, words), answer));
                EventKind::Answered
            }
            Choice::Truth(x) => {
                parts.push(literal(if *x { "yes" } else { "no" }));
                EventKind::Answered
            }
        };
        self.traced.clear();
        self.push(rules.p, kind, parts);
    }
}

/// Whether a component can be tracked at a place: positions there are visible, or there is only one.
pub(crate) fn is_trackable(p: &Program, place: &Place) -> bool {
    let single = |z: &ZoneSlot| z.slot || z.capacity == 1;
    place.seq != u32::MAX || p.zones.get(usize::from(place.zone)).is_some_and(single)
}

/// All components of a kind.
fn all_components(p: &Program, kind: usize) -> Words {
    let n = p.comps.get(kind).and_then(|k| p.universes.get(k.universe.index())).map_or(0, |u| u.n as usize);
    let mut out = Words::from_elem(0, n.div_ceil(64));
    (0..n).for_each(|c| crate::base::bitset::put_bit(&mut out, 0, c, true));
    out
}

/// The text of components for seats that may not know them; `count` if they may know how many.
fn hidden_text(p: &Program, kind: usize, count: Option<usize>) -> String {
    let kind = p.comps.get(kind).map_or("?", |c| &*c.title);
    match count {
        Some(1) => kind.to_string(),
        Some(n) => format!("{n} {kind}"),
        None => format!("? {kind}"),
    }
}

fn literal(t: &str) -> Part {
    Part::Text(t.into())
}

/// Seats that see an attribute in the log; `owner` are the seats of its holder.
fn holder_seats(world: &WorldTables, seen: SeenBy, owner: u32) -> u32 {
    match seen {
        SeenBy::All => world.seats,
        SeenBy::Owner => owner,
        // The log runs no function: what one might hide is hidden from all.
        SeenBy::Nobody | SeenBy::Func(_) => 0,
    }
}

/// A thing's name; a component's face only for those who know it.
fn thing_part(rules: Rules<'_>, st: &State, u: UniverseId, thing: usize) -> Part {
    let of = rules.world.universes.get(u.index());
    let lo = of.map_or(0, |u| i64::from(u.lo));
    let part = value_part(rules, st, Show::Thing(u), &[(thing as i64 + lo) as u64]);
    let comps = of.and_then(|u| rules.p.comps.get(usize::from(u.comps)));
    match (part, comps) {
        // Where it lies everybody sees its back.
        (Part::Arg { open, seats, .. }, Some(comps)) => {
            let face = usize::try_from(cell(st, comps.face as usize + thing)).ok();
            Part::Arg { open, hidden: comps.hidden_title(face).to_string(), seats }
        }
        (part, _) => part,
    }
}

/// A component's face.
fn face_of(p: &Program, st: &State, kind: usize, component: usize) -> i64 {
    p.comps.get(kind).map_or(NONE, |c| cell(st, c.face as usize + component))
}

/// The components of a value, with their kind (index in [`Program::comps`]); `None` if it is no value of components.
fn components_of(world: &WorldTables, show: Show, words: &[u64]) -> Option<(u16, Vec<usize>)> {
    let (Show::Thing(u) | Show::Set(u) | Show::List(u)) = show else { return None };
    let of = world.universes.get(u.index()).filter(|u| u.comps != u16::MAX)?;
    let things = match show {
        Show::Set(_) => bits(words).collect(),
        Show::List(_) => {
            let n = words.first().map_or(0, |n| *n as usize).min(words.len().saturating_sub(1) * 4);
            (0..n).filter_map(|i| words.get(1 + i / 4).map(|w| (w >> (i % 4 * 16)) as u16 as usize)).collect()
        }
        _ => words.first().and_then(|x| usize::try_from(*x as i64).ok()).into_iter().collect(),
    };
    Some((of.comps, things))
}

/// A value, open to those who know all components in it.
fn value_part(rules: Rules<'_>, st: &State, show: Show, words: &[u64]) -> Part {
    let look = Look { program: rules.p, state: st };
    let open = value_text(look, show, words, None, true);
    let Some((comps, things)) = components_of(rules.world, show, words) else {
        return Part::Text(open.into());
    };
    let seats =
        things.iter().fold(rules.world.seats, |m, c| m & known_by(rules.p, st, usize::from(comps), *c));
    if seats == rules.world.seats {
        return Part::Text(open.into());
    }
    // A seat that knows only some of them reads the same as one that knows none.
    let hidden = hidden_text(rules.p, usize::from(comps), Some(things.len()));
    Part::Arg { open, hidden, seats }
}

/// A text with values from registers, each open to those who know it.
fn template_parts(rules: Rules<'_>, st: &State, t: TemplateIx, win: &Window) -> Vec<Part> {
    let Some(t) = rules.p.templates.get(t.index()) else { return Vec::new() };
    t.parts
        .iter()
        .map(|piece| match piece {
            Piece::Literal(x) => Part::Text(x.clone()),
            Piece::Register(r, show) => value_part(rules, st, *show, slice(win, *r, width(rules.p, *show))),
            Piece::Func(..) | Piece::Reason(_) => literal("…"),
        })
        .collect()
}

/// A text with registers from `words`, as a seat may read it (`None`: with everything open). Functions are left out; see [`crate::machine::game::Machine::fill`].
pub(crate) fn filled_text(
    p: &Program,
    st: &State,
    t: TemplateIx,
    words: &[u64],
    seats: Option<u32>,
) -> String {
    let Some(t) = p.templates.get(t.index()) else { return String::new() };
    let look = Look { program: p, state: st };
    let mut out = String::new();
    for piece in &t.parts {
        match piece {
            Piece::Literal(x) => out.push_str(x),
            Piece::Register(r, show) => {
                let at = *r as usize;
                let have = words.get(at..(at + width(p, *show)).min(words.len())).unwrap_or(&[]);
                out.push_str(&value_text(look, *show, have, seats, true));
            }
            Piece::Func(..) | Piece::Reason(_) => out.push('…'),
        }
    }
    out
}

/// The text of an attribute's value.
pub(crate) fn attr_text(
    look: Look<'_>,
    attr: AttrIx,
    thing: usize,
    seats: Option<u32>,
    people: bool,
) -> String {
    let Some(a) = look.program.attrs.get(attr.index()) else { return String::new() };
    let x = cell(look.state, a.cell as usize + thing);
    value_text(look, a.show, &[x as u64], seats, people)
}

/// What a phase is called in the log.
#[inline(never)]
fn phase_title(f: &PhaseSlot) -> String {
    if f.title == f.name { f.name.replace('_', " ") } else { f.title.to_string() }
}
