//! The engine's side of The FOG: the game from its rules, and its recorded games replayed by hand choice by choice.
use crate::fog::{Choice, Fog, HEXES, ISLANDERS, NONE, PLAYERS, Stand};
use crate::shared::rival::{Sizes, measure_state};
use crate::shared::{Rng, source};
use houserule::engine::{Choice as Answer, Look, Machine, Options as Answers, State, Verdict};
use houserule::play::{Game, Setup};
use houserule::program::ir::{AttrIx, AttrSlot, Components, Program};
use std::collections::BTreeMap;
use std::sync::Arc;

/// So many set-ups are played from, in turn by chance.
const POOL: u64 = 64;

/// The engine at The FOG, at the first choice of the draft behind some set-ups.
pub struct Engine {
    machine: Machine,
    begin: Vec<State>,
}

impl Engine {
    /// The base game for four.
    pub fn new() -> Engine {
        let game = Game::load(&source("rules", "fog")).unwrap_or_else(|r| panic!("{:?}", r.findings));
        let mut setup = Setup::with_seed(1).with_players(PLAYERS as u32);
        setup.scenario = Some(String::from("xappalo"));
        let program = game.lower_setup(&setup).unwrap_or_else(|r| panic!("{:?}", r.findings));
        let mut machine = game.make_machine(program, 1);
        let blank = machine.state().clone();
        let mut laid_out = |seed| {
            machine.set_state(&blank);
            machine.reseed(seed);
            machine.start().expect("a first question");
            machine.state().clone()
        };
        let begin = (1..=POOL).map(&mut laid_out).collect();
        Engine { machine, begin }
    }

    /// The same set-ups by hand.
    pub fn by_hand(&mut self) -> Vec<Fog> {
        let names = Names::new(&self.machine.program().clone());
        let Engine { machine, begin } = self;
        let one = |s: &State| {
            machine.set_state(s);
            Fog::begin(&names.stand(machine))
        };
        begin.iter().map(one).collect()
    }

    /// One random game: 1 if the first player has won alone, and choices made.
    pub fn playout(&mut self, rng: &mut Rng) -> (u8, u32) {
        let k = rng.below(self.begin.len() as u32) as usize;
        self.machine.set_state(&self.begin[k]);
        let made = self.machine.playout(rng, u64::MAX).expect("no rule error");
        let won = self.machine.outcome().is_some_and(|o| o.verdicts.first() == Some(&Verdict::Won));
        (u8::from(won), made as u32)
    }
}

/// What a state in the middle of a game takes.
pub fn sizes(engine: &mut Engine) -> Sizes {
    engine.machine.set_state(&engine.begin[0]);
    engine.machine.playout(&mut Rng::new(5), 150).expect("no rule error");
    measure_state(engine.machine.state())
}

/// Directions as they are written by hand, of the engine's eight.
const DIRECTION: [u8; 8] = [NONE, 0, 1, 2, NONE, 3, 4, 5];

/// Where in the engine's program things are.
struct Names {
    program: Arc<Program>,
    islanders: usize,
    obstacles: usize,
    bonuses: usize,
    dice: usize,
}

impl Names {
    fn new(program: &Arc<Program>) -> Names {
        let comps = |name: &str| {
            let is = |c: &Components| *program.universes[c.universe.index()].name == *name;
            program.comps.iter().position(is).expect("a kind of components")
        };
        Names {
            islanders: comps("Islander"),
            obstacles: comps("Obstacle"),
            bonuses: comps("Bonus"),
            dice: comps("Scoring"),
            program: program.clone(),
        }
    }

    /// An attribute; [`NONE`] for none.
    fn number(&self, look: Look<'_>, of: &str, name: &str, thing: usize) -> u8 {
        let p = &self.program;
        let is = |a: &AttrSlot| &*a.name == name && a.of.map_or("", |u| &*p.universes[u.index()].name) == of;
        let at = p.attrs.iter().position(is).unwrap_or_else(|| panic!("no attribute {name} of {of:?}"));
        look.attr(AttrIx(at as u16), thing).map_or(NONE, |x| x as u8)
    }

    /// How many there are of a kind of components.
    fn n(&self, comps: usize) -> usize {
        self.program.universes[self.program.comps[comps].universe.index()].n as usize
    }

    /// The name of a place's zone; of the box none.
    fn zone(&self, at: usize) -> &str {
        self.program.zones.get(self.program.places[at].zone as usize).map_or("", |z| &z.name)
    }

    /// The holder of the zone or slot of that name in which a component lies.
    fn holder(&self, look: Look<'_>, comps: usize, c: usize, zone: &str) -> u8 {
        let place = look.place(comps, c).filter(|at| self.zone(*at) == zone);
        place.map_or(NONE, |at| self.program.places[at].owner as u8)
    }

    /// How the engine stands.
    fn stand(&self, machine: &mut Machine) -> Stand {
        let over = machine.is_over();
        let ranks =
            if over { machine.outcome().map_or(Vec::new(), |o| o.scores.clone()) } else { Vec::new() };
        let total =
            self.program.sheets.iter().find(|s| &*s.name == "total").and_then(|s| s.sum).expect("a score");
        let points: Vec<i64> = (0..PLAYERS as u64)
            .map(|p| {
                let mut out = [0];
                machine.eval(total, &[p], &mut out).expect("a number");
                out[0] as i64
            })
            .collect();
        let look = machine.look();
        let flags = ["lost", "ready", "seated", "moved", "winded"];
        let mut islanders = vec![(NONE, NONE, 0); self.n(self.islanders)];
        for c in 0..islanders.len() {
            let set = |(i, name): (usize, &&str)| self.number(look, "Islander", name, c) << i;
            islanders[self.face(look, self.islanders, c) as usize] = (
                self.holder(look, self.islanders, c, "islanders"),
                self.number(look, "Islander", "disc", c),
                flags.iter().enumerate().map(set).sum(),
            );
        }
        let mut rocks: Vec<u8> =
            (0..self.n(self.obstacles)).map(|c| self.holder(look, self.obstacles, c, "obstacle")).collect();
        rocks.retain(|h| *h != NONE);
        rocks.sort_unstable();
        let mut bonuses = vec![NONE; self.n(self.bonuses)];
        for c in 0..bonuses.len() {
            bonuses[self.face(look, self.bonuses, c) as usize] =
                self.holder(look, self.bonuses, c, "bonuses");
        }
        // One zone for each area, in their order.
        let areas: Vec<usize> =
            (0..self.program.places.len()).filter(|at| self.zone(*at) == "prices").collect();
        let mut prices = vec![0; areas.len()];
        for c in 0..self.n(self.dice) {
            let area = areas.iter().position(|at| look.place(self.dice, c) == Some(*at)).expect("an area");
            prices[area] = self.price(look, c);
        }
        let player = |(p, points): (usize, i64)| {
            let mover = self.number(look, "player", "mover", p);
            let mover = if mover == NONE { NONE } else { self.face(look, self.islanders, mover as usize) };
            (self.number(look, "player", "mp", p), mover, points)
        };
        Stand {
            players: points.into_iter().enumerate().map(player).collect(),
            islanders,
            rocks,
            bonuses,
            prices,
            fog: self.number(look, "", "fog", 0),
            starter: self.number(look, "", "starter", 0),
            over,
            ranks,
        }
    }

    /// What a die of the boats' areas shows.
    fn price(&self, look: Look<'_>, c: usize) -> u8 {
        // As declared: sides of the first die, the second …
        let sides = [5, 4, 4, 3, 2, 3, 2, 1];
        look.side(self.dice, c).and_then(|s| sides.get(s)).copied().expect("a side")
    }

    fn face(&self, look: Look<'_>, comps: usize, c: usize) -> u8 {
        look.face(comps, c).map_or(NONE, |f| f as u8)
    }

    fn choice(&self, look: Look<'_>, answer: &Answer) -> Choice {
        let (action, params) = match answer {
            Answer::Done => return Choice::Done,
            Answer::Action { action, params } => (action, params),
            other => panic!("an answer that is not known by hand: {other:?}"),
        };
        let islander = |i: usize| self.face(look, self.islanders, params[i] as usize);
        let (w, hex) = (islander(0), || params[1] as u8);
        match &*self.program.actions[action.index()].name {
            "pick" => Choice::Pick(w),
            "run" => Choice::Run(w, hex()),
            "swap_places" => Choice::Swap(w, islander(1)),
            "push" => Choice::Push(w, islander(1), DIRECTION[params[2] as usize]),
            "jump" => Choice::Jump(w, hex()),
            "cross" => Choice::Cross(w, hex()),
            "squeeze" => Choice::Squeeze(w, hex()),
            "last_breath" => Choice::LastBreath(w, hex()),
            "drive_off" => Choice::DriveOff(w, hex()),
            other => panic!("an action that is not known by hand: {other}"),
        }
    }

    fn options(&self, look: Look<'_>, all: &Answers) -> Vec<Choice> {
        let mut list: Vec<Choice> = all.iter().map(|a| self.choice(look, &a)).collect();
        assert_eq!(all.weight(), list.len() as u64, "the uniform policy counts otherwise");
        list.sort_unstable();
        list
    }
}

/// What a comparison has gone through.
#[derive(Default, Debug)]
pub struct Seen {
    pub games: u64,
    pub choices: u64,
    /// Options that were compared, and moves that led to dead ends.
    pub options: u64,
    pub dead: u64,
    /// How often each kind of choice was made, and what else came about.
    pub kinds: BTreeMap<String, u64>,
}

/// What must have been compared before it may be said that both play the same game.
const KINDS: [&str; 14] = [
    "Done",
    "Pick",
    "Run",
    "Swap",
    "Push",
    "Jump",
    "Cross",
    "Squeeze",
    "LastBreath",
    "DriveOff",
    "cannot stay",
    "lost",
    "bonus",
    "all are gone",
];

impl Seen {
    /// What did not come up.
    pub fn missing(&self) -> Vec<&str> {
        KINDS.into_iter().filter(|k| !self.kinds.contains_key(*k)).collect()
    }

    fn count(&mut self, kind: &str) {
        *self.kinds.entry(String::from(kind)).or_default() += 1;
    }
}

/// What somebody does who wants to reach the boats: uniform players hardly do, and what happens there would not be compared. Nothing: whatever comes.
fn seaward(g: &Fog, all: &[Choice], rng: &mut Rng) -> Option<Choice> {
    if rng.below(8) == 0 {
        return None;
    }
    let gain = |c: &Choice| match *c {
        Choice::DriveOff(..) => Some(9),
        Choice::Run(w, h)
        | Choice::Jump(w, h)
        | Choice::Cross(w, h)
        | Choice::Squeeze(w, h)
        | Choice::LastBreath(w, h) => {
            let (from, to) = g.belts(w, h);
            (to > from).then(|| i32::from(to - from))
        }
        _ => None,
    };
    let best = all.iter().filter_map(gain).max()?;
    let all: Vec<_> = all.iter().filter(|c| gain(c) == Some(best)).collect();
    Some(*all[rng.below(all.len() as u32) as usize])
}

/// Random games of the engine, replayed by hand: after every choice the same state, the same player with the same options. Every other game is played by people who want to reach the boats.
pub fn agree(engine: &mut Engine, games: u64) -> Seen {
    let names = Names::new(&engine.machine.program().clone());
    assert_eq!((names.n(names.islanders), names.program.maps[0].at.len()), (ISLANDERS, HEXES));
    let hands = engine.by_hand();
    let machine = &mut engine.machine;
    let mut seen = Seen::default();
    let (mut mine, mut raw) = (Vec::new(), Vec::new());
    for game in 0..games {
        let mut rng = Rng::new(11 + game);
        let k = (game % POOL) as usize;
        machine.set_state(&engine.begin[k]);
        let mut hand = hands[k];
        let mut made = Vec::new();
        loop {
            let told = || format!("game {game} after {} choices: {made:?}", made.len());
            let asked = hand.ask(&mut mine);
            let stand = names.stand(machine);
            assert_eq!(hand.stand(), stand, "by hand, by the engine: {}", told());
            assert_eq!(asked, !machine.is_over(), "who is asked: {}", told());
            if !asked {
                let mut won = |p| machine.outcome().is_some_and(|o| o.verdicts.get(p) == Some(&Verdict::Won));
                let first = (0..PLAYERS).find(|p| won(*p)).map_or(0, |p| p as u8 + 1);
                assert_eq!(hand.winner(), first, "who has won: {}", told());
                if stand.fog > 0 {
                    seen.count("all are gone");
                }
                if stand.islanders.iter().any(|(_, _, flags)| flags & 1 == 1) {
                    seen.count("lost");
                }
                if stand.bonuses.iter().any(|p| *p != NONE) {
                    seen.count("bonus");
                }
                break;
            }
            let questions = machine.questions();
            assert_eq!(questions.len(), 1, "one is asked: {}", told());
            assert_eq!(questions[0].player, hand.me(), "who is asked: {}", told());
            let theirs = machine.options(0).expect("options").clone();
            mine.sort_unstable();
            assert_eq!(mine, names.options(machine.look(), &theirs), "options: {}", told());
            seen.options += mine.len() as u64;
            hand.perhaps(&mut raw);
            if !matches!(mine[0], Choice::Pick(_)) {
                seen.dead += (raw.len() - mine.len()) as u64;
                if !mine.contains(&Choice::Done) {
                    seen.count("cannot stay");
                }
            }
            let wanted = if game % 2 == 1 { seaward(&hand, &mine, &mut rng) } else { None };
            let answer = match wanted {
                None => machine.draw(0, &mut rng).expect("options").expect("an option"),
                Some(choice) => {
                    let look = machine.look();
                    theirs.iter().find(|a| names.choice(look, a) == choice).expect("what is wanted")
                }
            };
            let choice = names.choice(machine.look(), &answer);
            machine.choose(0, &answer).expect("an option that is taken");
            hand.choose(choice);
            made.push(choice);
            let word = format!("{choice:?}");
            seen.count(word.split('(').next().unwrap_or(""));
        }
        seen.games += 1;
        seen.choices += made.len() as u64;
        assert_eq!(u64::from(hand.made), made.len() as u64);
    }
    seen
}
