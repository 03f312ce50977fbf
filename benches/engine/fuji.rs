//! The engine's side of Fuji: the game from its rules, and its recorded games replayed by hand choice by choice.
use crate::fuji::cards::{LANDSCAPES, SLOPE, WORTH};
use crate::fuji::{
    CELLS, Chance, Choice, DICE, Fuji, Gear, NONE, Options, SCREE, SUMMIT, Skill, Subset, bits,
};
use crate::shared::rival::{Sizes, measure_state};
use crate::shared::{Rng, source};
use houserule::engine::{
    Choice as Answer, Last, Look, Machine, Options as Answers, QuestionKind, State, Verdict,
};
use houserule::play::{Game, Setup};
use houserule::program::ir::{AttrIx, Program, UniverseId};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

/// The engine at Fuji, before anything has happened, so that a game is played from its set-up on.
pub struct Engine {
    machine: Machine,
    blank: State,
}

impl Engine {
    /// Scenario 1 at level 2, for so many players.
    pub fn new(players: u8) -> Engine {
        let game = Game::load(&source("rules", "fuji")).unwrap_or_else(|r| panic!("{:?}", r.findings));
        let mut setup = Setup::with_seed(1).with_players(u32::from(players));
        setup.scenario = Some(String::from("fuji_1"));
        setup.options.insert(String::from("level"), String::from("level_2"));
        let program = game.lower_setup(&setup).unwrap_or_else(|r| panic!("{:?}", r.findings));
        let machine = game.make_machine(program, 1);
        let blank = machine.state().clone();
        Engine { machine, blank }
    }

    fn start(&mut self, seed: u64) {
        self.machine.set_state(&self.blank);
        self.machine.reseed(seed);
        self.machine.start().expect("a first question");
    }

    fn won(&mut self) -> bool {
        self.machine.outcome().is_some_and(|o| o.verdicts.first() == Some(&Verdict::Won))
    }

    /// One random game: 1 if it was won, and choices made.
    pub fn playout(&mut self, rng: &mut Rng) -> (u8, u32) {
        self.start(rng.wide());
        let made = self.machine.playout(rng, u64::MAX).expect("no rule error");
        (u8::from(self.won()), made as u32)
    }

    /// A state after some choices.
    pub fn middle(&mut self) -> State {
        let mut rng = Rng::new(5);
        self.start(5);
        self.machine.playout(&mut rng, 60).expect("no rule error");
        self.machine.state().clone()
    }
}

/// What a state in the middle of a game takes.
pub fn sizes(engine: &mut Engine) -> Sizes {
    measure_state(&engine.middle())
}

/// What a kind of question costs: how often it is answered, seconds to work its options out, seconds to take the answer and come to the next question.
#[derive(Clone, Debug)]
pub struct Cost {
    pub what: String,
    pub n: u64,
    pub options: f64,
    pub taking: f64,
}

/// Plays random games step by step with a watch in hand: the costs by phase, menus and questions within actions apart.
pub fn costs(engine: &mut Engine, games: u64) -> Vec<Cost> {
    let mut all: Vec<Cost> = Vec::new();
    let mut rng = Rng::new(3);
    let machine = &mut engine.machine;
    for _ in 0..games {
        machine.set_state(&engine.blank);
        machine.reseed(rng.wide());
        machine.start().expect("a first question");
        while let Some(q) = machine.questions().first().copied() {
            let phase = machine.state().phases().last();
            let phase = phase.map_or("set-up", |p| &machine.program().phases[p as usize].name);
            let menu = if matches!(q.kind, QuestionKind::Menu(_)) { "menu" } else { "question" };
            let what = format!("{phase}, {menu}");
            let begun = Instant::now();
            machine.options(0).expect("options");
            let found = Instant::now();
            let answer = machine.draw(0, &mut rng).expect("options").expect("an option");
            let drawn = Instant::now();
            machine.choose_known(0, answer).expect("no rule error");
            let taken = Instant::now();
            if all.iter().all(|c| c.what != what) {
                all.push(Cost { what: what.clone(), n: 0, options: 0.0, taking: 0.0 });
            }
            for c in all.iter_mut().filter(|c| c.what == what) {
                c.n += 1;
                c.options += (found - begun).as_secs_f64();
                c.taking += (taken - drawn).as_secs_f64();
            }
        }
    }
    all
}

// ------------------------------------------------------------------ the same state

/// All that lies in the open or hidden, whoever tells it.
#[derive(PartialEq, Eq, Debug)]
pub struct Stand {
    players: Vec<Person>,
    /// Of each die its face, whose it is, and where it lies (8 a player, 1 more if it is set aside; in the box), sorted: nobody can tell alike ones apart.
    dice: Vec<(u8, u8, u8)>,
    pile: Vec<u8>,
    discards: u32,
    fresh: u32,
    terrain: Vec<u8>,
    burnt: u32,
    tokens: u32,
    vents: u32,
    round: u16,
    over: bool,
    won: bool,
    points: i64,
}

#[derive(PartialEq, Eq, Debug)]
struct Person {
    skill: Option<Skill>,
    at: u8,
    marker: u8,
    fatigue: u8,
    chances: u8,
    lead: u8,
    bars: u8,
    gear: u32,
    used: u32,
    wounds: u8,
}

/// Face, owner and place of each die.
fn dice_by_hand<const PLAIN: bool>(g: &Fuji<PLAIN>) -> Vec<(u8, u8, u8)> {
    let place = |d: usize| {
        let there = |set: u32| set >> d & 1 == 1;
        let lies = |(i, p): (usize, &crate::fuji::Player)| match (there(p.dice), there(p.aside)) {
            (true, false) => Some(8 * i as u8),
            (false, true) => Some(8 * i as u8 + 1),
            _ => None,
        };
        g.players().iter().enumerate().find_map(lies).unwrap_or(NONE)
    };
    (0..DICE).map(|d| (g.face[d], g.whose[d], place(d))).collect()
}

fn by_hand<const PLAIN: bool>(g: &Fuji<PLAIN>) -> Stand {
    let person = |p: &crate::fuji::Player| Person {
        skill: g.is_dealt().then_some(p.skill),
        at: p.at,
        marker: p.marker,
        fatigue: p.fatigue,
        chances: p.chances,
        lead: p.lead,
        bars: p.bars,
        gear: p.gear,
        used: p.gear & p.used,
        wounds: p.wounds,
    };
    let mut dice = dice_by_hand(g);
    dice.retain(|(_, owner, _)| *owner != NONE);
    dice.sort_unstable();
    let gear: u32 = g.players().iter().map(|p| p.gear).sum();
    Stand {
        players: g.players().iter().map(person).collect(),
        dice,
        pile: g.pile().to_vec(),
        discards: g.discards,
        fresh: g.fresh & gear,
        terrain: g.terrain.to_vec(),
        burnt: g.burnt,
        tokens: g.tokens,
        vents: g.vents,
        round: g.round,
        over: g.is_over(),
        won: g.won,
        points: g.points(),
    }
}

/// Where in the engine's program things are.
struct Names {
    program: Arc<Program>,
    kind_of_dice: usize,
    skills: usize,
    injuries: usize,
    equipment: usize,
    terrain: usize,
    tokens: usize,
    vents: usize,
    /// Of each die of the engine the hand-written game's.
    pairs: Vec<u8>,
}

impl Names {
    fn new(program: &Arc<Program>) -> Names {
        let comps = |name: &str| {
            let is = |u: UniverseId| *program.universes[u.index()].name == *name;
            program.comps.iter().position(|c| is(c.universe)).expect("a kind of components")
        };
        Names {
            kind_of_dice: comps("FujiDie"),
            skills: comps("Skill"),
            injuries: comps("Injury"),
            equipment: comps("Equipment"),
            terrain: comps("Terrain"),
            tokens: comps("GearToken"),
            vents: comps("Vent"),
            pairs: Vec::new(),
            program: program.clone(),
        }
    }

    fn attr(&self, look: Look<'_>, of: &str, name: &str, thing: usize) -> Option<i64> {
        let p = &self.program;
        let is = |a: &houserule::program::ir::AttrSlot| {
            &*a.name == name && a.of.is_some_and(|u| &*p.universes[u.index()].name == of)
        };
        let at = p.attrs.iter().position(is).expect("an attribute");
        look.attr(AttrIx(at as u16), thing)
    }

    fn number(&self, look: Look<'_>, of: &str, name: &str, thing: usize) -> u8 {
        self.attr(look, of, name, thing).map_or(NONE, |x| x as u8)
    }

    /// Zone and holder of a place; of the box no name.
    fn place(&self, at: usize) -> (&str, i32) {
        let place = &self.program.places[at];
        (self.program.zones.get(place.zone as usize).map_or("", |z| &z.name), place.owner)
    }

    /// Components of a kind with the names and holders of their places.
    fn all<'a>(&'a self, look: Look<'a>, comps: usize) -> impl Iterator<Item = (usize, &'a str, i32)> + 'a {
        let n = self.program.universes[self.program.comps[comps].universe.index()].n as usize;
        (0..n).filter_map(move |c| {
            let (zone, holder) = self.place(look.place(comps, c)?);
            Some((c, zone, holder))
        })
    }

    /// What lies in a table's zone, or in a player's, as a set of faces.
    fn faces(&self, look: Look<'_>, comps: usize, zone: &str, holder: i32) -> u32 {
        self.all(look, comps)
            .filter(|(_, z, h)| *z == zone && (zone == "discards" || *h == holder))
            .filter_map(|(c, _, _)| look.face(comps, c))
            .fold(0, |m, f| m | 1 << f)
    }

    /// Cells on which tokens of a kind lie.
    fn cells_with(&self, look: Look<'_>, comps: usize) -> u32 {
        self.all(look, comps).filter(|(_, z, _)| !z.is_empty()).fold(0, |m, (_, _, cell)| m | 1 << cell)
    }

    fn person(&self, look: Look<'_>, p: usize) -> Person {
        let skill = self.all(look, self.skills).find(|(_, z, h)| *z == "skill" && *h == p as i32);
        let used = |c: usize| self.number(look, "Equipment", "used", c) == 1;
        let turned = self
            .all(look, self.equipment)
            .filter(|(c, z, h)| *z == "gear" && *h == p as i32 && used(*c))
            .filter_map(|(c, _, _)| look.face(self.equipment, c))
            .fold(0, |m, f| m | 1 << f);
        let number = |name: &str| self.number(look, "player", name, p);
        let is_gatherer = |c: usize| look.face(self.skills, c) == Some(Skill::Gatherer as usize);
        Person {
            skill: skill.and_then(|(c, _, _)| Some(Skill::ALL[look.face(self.skills, c)?])),
            at: number("at"),
            marker: number("marker"),
            fatigue: number("fatigue"),
            chances: number("chances"),
            lead: number("lead"),
            bars: skill
                .filter(|(c, _, _)| is_gatherer(*c))
                .map_or(0, |(c, _, _)| self.number(look, "Skill", "bars", c)),
            gear: self.faces(look, self.equipment, "gear", p as i32),
            used: turned,
            wounds: self.faces(look, self.injuries, "wounds", p as i32) as u8,
        }
    }

    /// Face, owner and place of each die.
    fn dice(&self, look: Look<'_>) -> Vec<(u8, u8, u8)> {
        let owners = &self.program.comps[self.kind_of_dice].owners;
        let die = |(d, zone, holder): (usize, &str, i32)| {
            let place = match zone {
                "" => NONE,
                "dice" => 8 * holder as u8,
                _ => 8 * holder as u8 + 1,
            };
            (look.side(self.kind_of_dice, d).map_or(NONE, |f| f as u8), owners[d] as u8, place)
        };
        self.all(look, self.kind_of_dice).map(die).collect()
    }

    /// How the engine stands.
    fn stand(&self, machine: &mut Machine) -> Stand {
        let (over, outcome) = (machine.is_over(), machine.outcome().cloned());
        let mut points = [0];
        let (score, _) = self.program.score.expect("a score");
        machine.eval(score, &[], &mut points).expect("a number");
        let look = machine.look();
        let mut dice = self.dice(look);
        dice.sort_unstable();
        let face = |c: usize| look.face(self.equipment, c).map_or(NONE, |f| f as u8);
        let mut pile = Vec::new();
        for (at, place) in self.program.places.iter().enumerate() {
            if self.place(at).0 == "draw_pile" && place.comps as usize == self.equipment {
                pile = look.lying_at(at).into_iter().map(face).collect();
            }
        }
        let mut terrain = vec![NONE; CELLS];
        let mut burnt = 0;
        for (c, _, cell) in self.all(look, self.terrain).filter(|(_, z, _)| *z == "card") {
            // Faces as declared: summit, rubble, landscapes, villages.
            terrain[cell as usize] = match look.face(self.terrain, c) {
                Some(0) => SUMMIT,
                Some(1) => SCREE,
                f => f.map_or(NONE, |f| f as u8 - 2),
            };
            if self.number(look, "Terrain", "burnt", c) == 1 {
                burnt |= 1 << cell;
            }
        }
        let fresh = self
            .all(look, self.equipment)
            .filter(|(c, z, _)| *z == "gear" && self.number(look, "Equipment", "fresh", *c) == 1)
            .fold(0, |m, (c, _, _)| m | 1 << face(c));
        Stand {
            players: (0..self.program.players as usize).map(|p| self.person(look, p)).collect(),
            dice,
            pile,
            discards: self.faces(look, self.equipment, "discards", 0),
            fresh,
            terrain,
            burnt,
            tokens: self.cells_with(look, self.tokens),
            vents: self.cells_with(look, self.vents),
            round: look.round() as u16,
            over,
            won: outcome.as_ref().is_some_and(|o| o.verdicts.first() == Some(&Verdict::Won)),
            points: points[0] as i64,
        }
    }

    // -------------------------------------------------------------- the same options

    /// A thing of a universe as the hand-written game numbers it.
    fn thing(&self, look: Look<'_>, u: UniverseId, x: i64) -> u8 {
        let comps = self.program.comps.iter().position(|c| c.universe == u);
        match comps {
            Some(c) if c == self.equipment || c == self.injuries => {
                look.face(c, x as usize).map_or(NONE, |f| f as u8)
            }
            Some(c) if c == self.kind_of_dice => self.pairs[x as usize],
            _ => x as u8,
        }
    }

    /// Which dice are which: those that are alike (same face, owner and place) in the order of their numbers, for nobody can tell them apart.
    fn pair<const PLAIN: bool>(&mut self, look: Look<'_>, hand: &Fuji<PLAIN>) {
        let mut left: Vec<_> = dice_by_hand(hand).into_iter().enumerate().collect();
        let theirs = self.dice(look);
        self.pairs.clear();
        for die in theirs {
            let at = left.iter().position(|(_, d)| *d == die).expect("the same dice");
            self.pairs.push(left.remove(at).0 as u8);
        }
    }

    fn die_set(&self, word: u64) -> u32 {
        bits(word as u32).fold(0, |m, d| m | 1 << self.pairs[d as usize])
    }

    fn things(&self, look: Look<'_>, u: UniverseId, words: &[u64]) -> u32 {
        let word = words.first().copied().unwrap_or(0) as u32;
        bits(word).fold(0, |m, x| m | 1 << self.thing(look, u, i64::from(x)))
    }

    fn choice(&self, look: Look<'_>, kind: QuestionKind, answer: &Answer) -> Choice {
        match (kind, answer) {
            (_, Answer::Done) => Choice::Done,
            (QuestionKind::One(_, u), Answer::One(x)) => Choice::One(self.thing(look, u, *x)),
            (QuestionKind::Subset(_, u), Answer::Subset(words)) => Choice::Set(self.things(look, u, words)),
            (_, Answer::Action { action, params }) => {
                let x = |i: usize| params[i] as u8;
                let card = |i: usize| look.face(self.equipment, params[i] as usize).map_or(NONE, |f| f as u8);
                match &*self.program.actions[action.index()].name {
                    "place_marker" => Choice::Place(x(0)),
                    "use" => Choice::Use(Gear::ALL[card(0) as usize]),
                    "pass" => Choice::Pass(card(1), x(2)),
                    "say_good" => Choice::SayGood(x(0)),
                    "say_poor" => Choice::SayPoor(x(0)),
                    "say_high" => Choice::SayHigh,
                    "say_safe" => Choice::SaySafe(x(0)),
                    "say_danger" => Choice::SayDanger(x(0)),
                    "reroll" => Choice::Reroll(self.die_set(params[0])),
                    "set_aside" => Choice::SetAside(self.pairs[params[1] as usize]),
                    "eat" => Choice::Eat(x(1)),
                    other => panic!("an action that is not known by hand: {other}"),
                }
            }
            other => panic!("a question that is not known by hand: {other:?}"),
        }
    }

    /// The engine's options as the hand-written game has them.
    fn options(&self, look: Look<'_>, kind: QuestionKind, all: &Answers) -> (Vec<Choice>, Option<Subset>) {
        let mut subset = None;
        let mut list = Vec::new();
        let mut before = 0;
        for segment in &all.segments {
            if let Last::Subset(sets) = &segment.last {
                let words = sets.set(&all.words);
                let of = match kind {
                    QuestionKind::Subset(_, u) => self.things(look, u, words),
                    _ => self.die_set(words[0]),
                };
                assert!(subset.is_none(), "two subsets in one question");
                subset = Some(Subset { of, least: sets.min, most: sets.max.min(of.count_ones()) });
            } else {
                let answers = (before..before + segment.count).filter_map(|k| all.nth(k));
                list.extend(answers.map(|a| self.choice(look, kind, &a)));
            }
            before += segment.count;
        }
        assert_eq!(
            all.weight(),
            list.len() as u64 + u64::from(subset.is_some()),
            "the uniform policy counts otherwise"
        );
        list.sort_unstable();
        (list, subset)
    }
}

// ------------------------------------------------------------------ who plays the recorded games

/// Steps from a cell to the nearest village over cells without lava.
fn far<const PLAIN: bool>(g: &Fuji<PLAIN>, from: u8) -> i32 {
    let over = |c: &u8| (g.terrain[*c as usize] as usize) < 30 && g.burnt >> c & 1 == 0;
    let open = (0..CELLS as u8).filter(over).fold(0u32, |m, c| m | 1 << c);
    let mut seen = 1u32 << from;
    for steps in 0..20 {
        if bits(seen).any(|c| (LANDSCAPES..30).contains(&(g.terrain[c as usize] as usize))) {
            return steps;
        }
        seen |= bits(seen).fold(0, |m, c| m | SLOPE.near[c as usize]) & open;
    }
    20
}

/// What somebody answers who wants to come home: uniform players never do, and what happens near the village would not be compared. Nothing: whatever comes.
fn homeward<const PLAIN: bool>(
    g: &Fuji<PLAIN>,
    p: u8,
    options: &Options,
    rng: &mut Rng,
    curious: bool,
) -> Option<Choice> {
    if rng.below(10) == 0 {
        return None;
    }
    if let Some(dice) = options.subset.filter(|_| options.menu) {
        let table = &WORTH[g.need(p) as usize];
        let bad =
            bits(dice.of).filter(|d| table[g.face[*d as usize] as usize] < 3).fold(0, |m, d| m | 1 << d);
        return Some(if bad == 0 { Choice::Done } else { Choice::Reroll(bad) });
    }
    let done = options.list.contains(&Choice::Done);
    let places = options.list.iter().filter(|c| matches!(c, Choice::Place(_)));
    // Where it matters over which eruption tokens one walks is rare, too.
    let fork = |g: &Fuji<PLAIN>| if curious && g.ways(p).0 > 1 { 20 } else { 0 };
    let worth = |g: &Fuji<PLAIN>, c: u8| g.edge(p).min(8) - 3 * far(g, c) + fork(g);
    let best = places
        .map(|c| {
            let Choice::Place(cell) = *c else { return (i32::MIN, *c) };
            let mut there = *g;
            there.choose(p, *c, &mut Script { numbers: Vec::new(), ranges: Vec::new() });
            (worth(&there, cell), *c)
        })
        .max_by_key(|(w, _)| *w);
    match best {
        Some((w, c)) if !done || w > worth(g, g.players()[p as usize].marker) => Some(c),
        Some(_) => Some(Choice::Done),
        None => None,
    }
}

/// Chance that is laid down: the engine's numbers, taken again, with the ranges that they are asked for.
struct Script {
    numbers: Vec<u64>,
    ranges: Vec<u64>,
}

impl Chance for Script {
    const SHOWN_FIRST: bool = true;

    fn below(&mut self, n: u32) -> u32 {
        if n <= 1 {
            return 0;
        }
        let x = self.numbers[self.ranges.len()];
        self.ranges.push(u64::from(n));
        (x % u64::from(n)) as u32
    }
}

/// What a comparison has gone through.
#[derive(Default, Debug)]
pub struct Seen {
    pub games: u64,
    pub won: u64,
    pub choices: u64,
    /// Questions beside each other whose options were compared.
    pub questions: u64,
    pub draws: u64,
    /// How often each kind of question was answered, and each kind of answer given.
    pub kinds: BTreeMap<String, u64>,
}

/// What must have been compared before it may be said that both play the same game, beside every equipment card.
const KINDS: [&str; 40] = [
    "Pack",
    "Planning",
    "Rerolling",
    "Equipping",
    "Next",
    "Boost",
    "Path",
    "Injury",
    "Leg",
    "SwapFirst",
    "SwapWith",
    "Climb",
    "AskWhom",
    "Lend",
    "RerollOne",
    "GiveDie",
    "GiveTo",
    "Tape",
    "Compass",
    "Machete",
    "Turn",
    "TurnTo",
    "Drink",
    "Reroll",
    "Copy",
    ".Done",
    ".Place",
    ".Pass",
    ".SayGood",
    ".SayPoor",
    ".SayHigh",
    ".SaySafe",
    ".SayDanger",
    ".Reroll",
    ".SetAside",
    ".Eat",
    ".One",
    ".Set",
    "lost",
    "won",
];

impl Seen {
    /// Kinds of questions and answers, equipment and ends that did not come up.
    pub fn missing(&self) -> Vec<String> {
        let cards = Gear::ALL.iter().map(|g| format!(".Use({g:?})"));
        KINDS.iter().map(|k| (*k).to_string()).chain(cards).filter(|k| !self.kinds.contains_key(k)).collect()
    }

    fn count(&mut self, kind: String) {
        *self.kinds.entry(kind).or_default() += 1;
    }
}

/// Random games of the engine, replayed by hand: after every choice the same state, the same questions with the same options, and the same chance. Of several who are asked any one
/// answers. Every other game is played by people who want to come home.
pub fn agree<const PLAIN: bool>(engine: &mut Engine, games: u64, seed: u64) -> Seen {
    let mut names = Names::new(&engine.machine.program().clone());
    let n = engine.machine.program().players;
    let mut seen = Seen::default();
    let mut mine = Options::default();
    for game in 0..games {
        let mut rng = Rng::new(seed.wrapping_add(game));
        let numbers: Vec<u64> = (0..20_000).map(|_| rng.wide() >> 8).collect();
        engine.machine.lay_down(&numbers);
        engine.start(1);
        let mut script = Script { numbers, ranges: Vec::new() };
        let mut hand = Fuji::<PLAIN>::start(n, &mut script);
        let mut made = Vec::new();
        loop {
            let told = || format!("game {game} for {n} players after {} choices: {made:?}", made.len());
            assert_eq!(
                by_hand(&hand),
                names.stand(&mut engine.machine),
                "by hand, by the engine: {}",
                told()
            );
            if engine.machine.is_over() {
                break;
            }
            names.pair(engine.machine.look(), &hand);
            let questions = engine.machine.questions().to_vec();
            let asked = questions.iter().fold(0u8, |m, q| m | 1 << q.player);
            assert_eq!(hand.asked(), asked, "who is asked: {}", told());
            for (i, q) in questions.iter().enumerate() {
                hand.options(q.player, &mut mine);
                mine.list.sort_unstable();
                let theirs = engine.machine.options(i).expect("options").clone();
                let theirs = names.options(engine.machine.look(), q.kind, &theirs);
                assert_eq!(
                    (&mine.list, mine.subset),
                    (&theirs.0, theirs.1),
                    "options of {}: {}",
                    q.player,
                    told()
                );
                seen.questions += 1;
            }
            let q = rng.below(questions.len() as u32) as usize;
            let (p, kind) = (questions[q].player, questions[q].kind);
            hand.options(p, &mut mine);
            seen.count(hand.question());
            let wanted =
                if game % 2 == 1 { homeward(&hand, p, &mine, &mut rng, game % 4 == 3) } else { None };
            let answer = match wanted {
                None => engine.machine.draw(q, &mut rng).expect("options").expect("an option"),
                Some(choice) => {
                    let all = engine.machine.options(q).expect("options").clone();
                    let look = engine.machine.look();
                    let is = |a: &Answer| names.choice(look, kind, a) == choice;
                    all.iter().find(is).expect("what is wanted is an option")
                }
            };
            let choice = names.choice(engine.machine.look(), kind, &answer);
            engine.machine.choose(q, &answer).expect("an option that is taken");
            hand.choose(p, choice, &mut script);
            made.push((p, choice));
            let word = format!(".{choice:?}");
            let long = word.starts_with(".Use");
            seen.count(word.chars().take_while(|c| long || *c != '(').collect());
        }
        assert_eq!(script.ranges, engine.machine.take_draws().0, "chance of game {game}");
        seen.games += 1;
        seen.won += u64::from(hand.won);
        seen.count(String::from(if hand.won { "won" } else { "lost" }));
        seen.choices += made.len() as u64;
        seen.draws += script.ranges.len() as u64;
        assert_eq!(u64::from(hand.made), made.len() as u64);
    }
    seen
}
