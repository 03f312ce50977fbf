//! The engine's side: the same games from their rules, whose recorded choices the hand-written rivals replay to the same ends.
use crate::by_hand::{Final, Move, PASS, Rival, replay};
use crate::shared::{Rng, time};
use houserule::engine::{Choice, Machine, State, Verdict};
use houserule::lab::perft;
use houserule::lab::simulate::{SimulationPlan, simulate};
use houserule::play::{Game, Setup};
use houserule::program::ir::AttrIx;
use houserule::text::Files;
use std::hint::black_box;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64};

/// A shipped game's files.
fn source(name: &str) -> Files {
    crate::shared::source("rules/classics", name)
}

fn load(name: &str) -> Game {
    Game::load(&source(name)).unwrap_or_else(|r| panic!("{name}: {:?}", r.findings))
}

fn winner(machine: &mut Machine) -> u8 {
    let won = machine.outcome().and_then(|o| o.verdicts.iter().position(|v| *v == Verdict::Won));
    won.map_or(0, |p| p as u8 + 1)
}

/// Of what place on the board somebody has something: the attribute of its spaces that holds a player.
pub fn owners(machine: &mut Machine, attribute: &str) -> Vec<u8> {
    let p = machine.program().clone();
    let (at, attr) = p
        .attrs
        .iter()
        .enumerate()
        .find(|(_, a)| &*a.name == attribute && a.of.is_some())
        .expect("what lies on the board");
    let cells = attr.of.map_or(0, |u| p.universes[u.index()].n as usize);
    let owner = |c: usize| machine.look().attr(AttrIx(at as u16), c).map_or(0, |p| p as u8 + 1);
    (0..cells).map(owner).collect()
}

/// The men on a board with men of two sides: 1 and up for the first side's, 9 and up for the other's, in the order of their names. Behind them the space that was passed, from 1 on,
/// and how quiet it is.
pub fn men(machine: &mut Machine) -> Vec<u8> {
    let p = machine.program().clone();
    let find = |name: &str| {
        let at = p.attrs.iter().position(|a| &*a.name == name).unwrap_or_else(|| panic!("no {name}"));
        AttrIx(at as u16)
    };
    let look = machine.look();
    let (man, side) = (find("man"), find("side"));
    let n = p.attrs[man.index()].of.map_or(0, |u| p.universes[u.index()].n as usize);
    let one = |c: usize| match (look.attr(man, c), look.attr(side, c)) {
        (Some(m), Some(s)) => m as u8 + 1 + 8 * s as u8,
        _ => 0,
    };
    let mut out: Vec<u8> = (0..n).map(one).collect();
    out.push(look.attr(find("passed"), 0).map_or(0, |c| c as u8 + 1));
    out.push(look.attr(find("quiet"), 0).unwrap_or(0) as u8);
    out
}

/// A game of the engine that is measured.
pub struct Engine {
    machine: Machine,
    /// Its first question.
    first: State,
    cells: fn(&mut Machine) -> Vec<u8>,
    code: fn(&[u64]) -> Move,
}

impl Engine {
    /// `cells` tells how the board stands, `code` packs the parameters of an action, both as the rivals do.
    pub fn new(
        name: &str,
        options: &[(&str, &str)],
        cells: fn(&mut Machine) -> Vec<u8>,
        code: fn(&[u64]) -> Move,
    ) -> Engine {
        let game = load(name);
        let options = options.iter().map(|(k, v)| (String::from(*k), String::from(*v))).collect();
        let setup = Setup { options, ..Setup::default() };
        let program = game.lower_setup(&setup).unwrap_or_else(|r| panic!("{name}: {:?}", r.findings));
        let mut machine = game.make_machine(program, 1);
        machine.start().expect("a first question");
        let first = machine.state().clone();
        Engine { machine, first, cells, code }
    }

    /// Random games, choice by choice, replayed by both rivals: in each position as many choices, at the end the same board and result.
    pub fn agree<A: Rival, B: Rival>(&mut self, games: usize) {
        let mut rng = Rng::new(11);
        for _ in 0..games {
            self.machine.set_state(&self.first);
            let mut choices = Vec::new();
            while !self.machine.is_over() {
                let of = self.machine.options(0).expect("options").count();
                let choice = self.machine.draw(0, &mut rng).expect("options").expect("an option");
                let code = match &choice {
                    Choice::Action { params, .. } => (self.code)(params),
                    Choice::Pass => PASS,
                    other => panic!("{}: {other:?}", A::GAME),
                };
                choices.push((code, of));
                self.machine.choose(0, &choice).expect("an option that is taken");
            }
            let end = Final {
                cells: (self.cells)(&mut self.machine),
                winner: winner(&mut self.machine),
                over: self.machine.is_over(),
                plies: choices.len() as u32,
            };
            for (kind, there) in [(A::KIND, replay::<A>(&choices)), (B::KIND, replay::<B>(&choices))] {
                assert_eq!(there.as_ref(), Ok(&end), "{} by {kind}: {choices:?}", A::GAME);
            }
        }
    }

    /// One random game: who has won, and how many choices were made.
    pub fn playout(&mut self, rng: &mut Rng) -> (u8, u32) {
        self.machine.set_state(&self.first);
        let plies = self.machine.playout(rng, u64::MAX).expect("no rule error");
        (winner(&mut self.machine), plies as u32)
    }

    /// Bytes of a state in the middle of a game, seconds of a new copy, seconds of a copy into an old one.
    pub fn sizes(&mut self) -> (usize, f64, f64) {
        let mut rng = Rng::new(5);
        self.machine.set_state(&self.first);
        for _ in 0..4 {
            self.machine.step(0, &mut rng).expect("no rule error");
        }
        let state = self.machine.state().clone();
        let mut other = self.first.clone();
        let fresh = time(5, 20_000, || drop(black_box(state.clone())));
        let into = time(5, 20_000, || other.clone_from(black_box(&state)));
        (state.bytes(), fresh, into)
    }
}

/// Prints how fast positions of chess are counted, and how much faster two threads play than one. Both by the clock on the wall, so on a busy machine they say less.
pub fn rates() {
    let never = AtomicBool::new(false);
    let game = load("chess");
    let options = [("threefold".to_string(), "no".to_string())].into();
    let program = game.lower_setup(&Setup { options, ..Setup::default() }).expect("a program");
    let mut all = Vec::new();
    let seconds = time(3, 1, || {
        let mut machine = game.make_machine(program.clone(), 1);
        all = perft::count_nodes(&mut machine, 4, &never).unwrap_or_else(|e| panic!("{e:?}"));
    });
    let nodes = all.last().copied().unwrap_or(0);
    assert_eq!(nodes, 197_281, "chess, four plies");
    println!(
        "counting chess to 4 plies, {nodes} positions, the last ply by its options: {:.2} million a second (to be 1)",
        nodes as f64 / seconds / 1e6
    );
    let game = load("othello");
    let plan = |jobs| SimulationPlan {
        setup: Setup::with_seed(3),
        first: 0,
        games: 20_000,
        seats: Vec::new(),
        jobs,
        cap: 10_000,
        uses: false,
    };
    let mut lengths = [(0.0, 0.0); 2];
    let [one, two] = [1, 2].map(|jobs| {
        time(3, 1, || {
            let s = simulate(&game, &plan(jobs), &never, &AtomicU64::new(0)).expect("games");
            lengths[jobs - 1] = (s.lengths().mean(), s.lengths().margin());
        })
    });
    assert_eq!(lengths[0], lengths[1], "the same games whatever the number of threads");
    println!("simulating with two threads is {:.2} times as fast as with one (to be 1.8)", one / two);
}

/// Prints how long checking and starting every shipped game takes.
pub fn times() {
    let folders = |of: &str| -> Vec<String> {
        let all = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(of));
        let mut names: Vec<String> = all
            .into_iter()
            .flatten()
            .flatten()
            .map(|e| e.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    };
    let classics = folders("rules/classics").into_iter().map(|name| ("rules/classics", name));
    // Folders of games; mods and groups of games are none.
    let others =
        folders("rules").into_iter().filter(|n| n != "classics" && n != "mods").map(|name| ("rules", name));
    let verdict = |ms: f64, most: f64| if ms < most { "" } else { "  TOO SLOW" };
    println!(
        "checking a game (to be under 50 ms), lowering it, starting it from the checked rules (together under 5 ms):"
    );
    for (group, name) in classics.chain(others) {
        let files = crate::shared::source(group, &name);
        let check = 1e3 * time(7, 1, || assert!(black_box(Game::load(&files).is_ok())));
        let load = || Game::load(&files).unwrap_or_else(|r| panic!("{name}: {:?}", r.findings));
        let game = load();
        let setup = Setup::default();
        // A game keeps the programs it has made: each time it is another that has made none, started as soon as it has been read.
        let start = (0..9)
            .map(|_| {
                let game = load();
                let begun = std::time::Instant::now();
                assert!(game.start(&setup).is_ok(), "{name} does not start");
                1e3 * begun.elapsed().as_secs_f64()
            })
            .fold(f64::INFINITY, f64::min);
        let again = 1e3 * time(3, 20, || assert!(black_box(game.start(&setup).is_ok())));
        println!(
            "  {name:<13} check {check:>7.2} ms{}   start {start:>6.2} ms{}   once more {again:>6.3} ms",
            verdict(check, 50.0),
            verdict(start, 5.0)
        );
    }
}
