//! The engine's side: the same games from their rules, whose recorded choices the hand-written rivals replay to the same ends.
use crate::by_hand::{Final, PASS, Rival, chess, connect_four, othello, replay, tic_tac_toe};
use crate::measure;
use crate::shared::{Rng, Row, time};
use houserule::engine::{Choice, Machine, State, Verdict};
use houserule::play::{Game, Setup};
use houserule::program::ir::AttrIx;
use houserule::text::Files;
use std::hint::black_box;
use std::path::Path;

/// A shipped game's files.
fn source(name: &str) -> Files {
    crate::shared::source("rules/classics", name)
}

fn load(name: &str) -> Game {
    Game::load(&source(name)).unwrap_or_else(|r| panic!("{name}: {:?}", r.findings))
}

/// How a game is set up to be measured: chess without threefold repetition, which the rivals do not know.
fn setup(name: &str) -> Setup {
    let mut setup = Setup::default();
    if name == "chess" {
        setup.options.insert("threefold".into(), "no".into());
    }
    setup
}

/// A machine at the game's first question, and that state.
fn started(name: &str) -> (Machine, State) {
    let game = load(name);
    let program = game.program(&setup(name)).unwrap_or_else(|r| panic!("{name}: {:?}", r.findings));
    let mut machine = game.machine(program, 1);
    machine.start().expect("a first question");
    let state = machine.state().clone();
    (machine, state)
}

fn winner(machine: &mut Machine) -> u8 {
    let won = machine.outcome().and_then(|o| o.verdicts.iter().position(|v| *v == Verdict::Won));
    won.map_or(0, |p| p as u8 + 1)
}

/// How a game stands, as the rivals tell it.
fn stand(machine: &mut Machine, plies: u32) -> Final {
    let p = machine.program().clone();
    let (at, attr) = p
        .attrs
        .iter()
        .enumerate()
        .find(|(_, a)| ["disc", "mark"].contains(&&*a.name))
        .expect("what lies on the board");
    let cells = attr.of.map_or(0, |u| p.universes[u.index()].n as usize);
    let owner = |c: usize| machine.look().attr(AttrIx(at as u16), c).map_or(0, |p| p as u8 + 1);
    let cells = (0..cells).map(owner).collect();
    Final { cells, winner: winner(machine), over: machine.is_over(), plies }
}

/// Random games of the engine, choice by choice, replayed by both rivals.
fn agree<A: Rival, B: Rival>(machine: &mut Machine, start: &State) {
    let mut rng = Rng::new(11);
    for _ in 0..200 {
        machine.set_state(start);
        let mut choices = Vec::new();
        while !machine.is_over() {
            let choice = machine.draw(0, &mut rng).expect("options").expect("an option");
            choices.push(match &choice {
                Choice::Action { params, .. } => params[0] as u8,
                Choice::Pass => PASS,
                other => panic!("{}: {other:?}", A::GAME),
            });
            machine.choose(0, &choice).expect("an option that is taken");
        }
        let end = stand(machine, choices.len() as u32);
        for (kind, there) in [(A::KIND, replay::<A>(&choices)), (B::KIND, replay::<B>(&choices))] {
            assert_eq!(there.as_ref(), Ok(&end), "{} by {kind}: {choices:?}", A::GAME);
        }
    }
}

/// How a game of chess stands, as the rival tells it.
fn chess_stand(machine: &mut Machine, plies: u32) -> chess::Stand {
    let p = machine.program().clone();
    let find = |name: &str| {
        let at = p.attrs.iter().position(|a| &*a.name == name).unwrap_or_else(|| panic!("no {name}"));
        AttrIx(at as u16)
    };
    let look = machine.look();
    let (man, side) = (find("man"), find("side"));
    let cell = |c: usize| match (look.attr(man, c), look.attr(side, c)) {
        (Some(m), Some(0)) => m as i8 + 1,
        (Some(m), Some(_)) => -(m as i8 + 1),
        _ => 0,
    };
    let cells = (0..64).map(cell).collect();
    let passed = look.attr(find("passed"), 0).map(|c| c as u8);
    let quiet = look.attr(find("quiet"), 0).unwrap_or(0) as u32;
    chess::Stand { cells, passed, quiet, winner: winner(machine), over: machine.is_over(), plies }
}

/// Random games of the engine, choice by choice: the same choices there, and the same positions.
fn agree_at_chess(machine: &mut Machine, start: &State) {
    let mut rng = Rng::new(11);
    let p = machine.program().clone();
    for _ in 0..40 {
        machine.set_state(start);
        let mut there = chess::Arrays::start();
        let mut plies = 0;
        while !machine.is_over() {
            let options = machine.options(0).expect("options").count();
            assert_eq!(options, there.choices().len() as u64, "chess: as many choices after {plies}");
            let choice = machine.draw(0, &mut rng).expect("options").expect("an option");
            let Choice::Action { action, params } = &choice else { panic!("chess: {choice:?}") };
            let told = match (&*p.actions[action.index()].name, params.as_slice()) {
                ("go", [from, to]) => chess::Choice::Go(*from as u8, *to as u8),
                ("promote", [from, to, rank]) => chess::Choice::Promote(*from as u8, *to as u8, *rank as u8),
                ("castle", [way]) => chess::Choice::Castle(*way == 2),
                other => panic!("chess: {other:?}"),
            };
            assert!(there.play(told), "chess: {told:?} after {plies}");
            plies += 1;
            machine.choose(0, &choice).expect("an option that is taken");
            assert_eq!(there.stand(), chess_stand(machine, plies), "chess: {told:?}, choice {plies}");
        }
    }
}

/// Measures the engine at one game, after its games have been compared with the rivals'.
pub fn side(name: &str, seconds: f64, rounds: usize) -> Row {
    let (mut machine, start) = started(name);
    let title = match name {
        "tic-tac-toe" => {
            agree::<tic_tac_toe::Arrays, tic_tac_toe::Bits>(&mut machine, &start);
            tic_tac_toe::Arrays::GAME
        }
        "connect-four" => {
            agree::<connect_four::Arrays, connect_four::Bits>(&mut machine, &start);
            connect_four::Arrays::GAME
        }
        "chess" => {
            agree_at_chess(&mut machine, &start);
            "chess"
        }
        _ => {
            agree::<othello::Arrays, othello::Bits>(&mut machine, &start);
            othello::Arrays::GAME
        }
    };
    measure(title, "engine", seconds, rounds, |rng| {
        machine.set_state(&start);
        let plies = machine.playout(rng, u64::MAX).expect("no rule error");
        (winner(&mut machine), plies as u32)
    })
}

/// Prints what a state in the middle of a game takes, and what copying it costs.
pub fn sizes(name: &str) {
    let (mut machine, start) = started(name);
    let mut rng = Rng::new(5);
    machine.set_state(&start);
    for _ in 0..4 {
        machine.step(0, &mut rng).expect("no rule error");
    }
    let state = machine.state().clone();
    let mut other = start.clone();
    let fresh = time(5, 20_000, || drop(black_box(state.clone())));
    let into = time(5, 20_000, || other.clone_from(black_box(&state)));
    println!(
        "  a state: {} bytes; a new copy {:.0} ns, into an old one {:.0} ns",
        state.bytes(),
        fresh * 1e9,
        into * 1e9
    );
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
        // A game keeps the programs it has made: each round begins with one that has made none.
        let mut fresh: Vec<Game> = (0..9).map(|_| load()).collect();
        let start = 1e3
            * time(3, 3, || {
                let game = fresh.pop().expect("one for each call");
                assert!(game.start(&setup).is_ok(), "{name} does not start");
            });
        let again = 1e3 * time(3, 20, || assert!(black_box(game.start(&setup).is_ok())));
        println!(
            "  {name:<13} check {check:>7.2} ms{}   start {start:>6.2} ms{}   once more {again:>6.3} ms",
            verdict(check, 50.0),
            verdict(start, 5.0)
        );
    }
}
