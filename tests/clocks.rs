//! Clocks of menus: the seconds that whoever measures time reports, and the choices that stand for them elsewhere.
use crate::cli::{cli_in, lines};
use houserule::cli::{Io, run};
use houserule::engine::EventKind;
use houserule::lab::laws::{self, LawLimits};
use houserule::lab::simulate::{SimulationPlan, simulate};
use houserule::play::{Game, Illegal, Match, Setup};
use houserule::text::{File, Files};
use std::ffi::OsString;
use std::sync::atomic::{AtomicBool, AtomicU64};

/// In a market one pays off what one owes, in ones, twos or by a roll. It may be left only with an even purse. A gift asks the other one, and the giver.
const RULES: &str = r#"game Fair "Fair" { players 2; outcome highest score }
player { coins: 0..60 = 20 }
table { visits: 0..90 = 0 }
value score(p: player): int = p.coins
value minute: int? = 60
round 4 times { everyone in turn { visits += 1; offer market; offer rest } }
menu market { clock minute seconds or 3 choices; done when my.coins is even else "an odd purse brings no luck" }
menu rest { pass }
action nap() in rest { my.coins += 2 }
action spend(n: 1..2) in market { needs n <= my.coins; my.coins -= n }
action gamble() in market { let n = choose one of [1, 3, 5] by chance; my.coins += n }
action gift() in market {
  needs my.coins > 2
  let q = choose one of others "To whom?"
  let n = choose one of [1, 2] by q "How much?"
  my.coins -= n
  if q is some { q.coins += n }
}
variant unhurried "No hurry" { modify minute = none }
"#;

fn game() -> Game {
    let mut files = Files::new();
    files.add(File::new("fair/fair.rules", RULES));
    Game::load(&files).unwrap_or_else(|r| panic!("{:?}", r.findings))
}

fn timed() -> Match {
    game().start(&Setup { timed: true, ..Setup::with_seed(3) }).expect("a match")
}

fn say(m: &mut Match, seat: usize, words: &str) {
    m.choose_in_words(seat, words).unwrap_or_else(|e| panic!("{seat} {words}: {e}"));
}

fn coins(m: &mut Match) -> String {
    serde_json::to_string(&m.view(0)).expect("JSON")
}

fn late(m: &mut Match, seat: usize) -> Result<(), Illegal> {
    let q = m.questions()[0].id;
    m.time_up(seat, q)
}

fn clock(m: &mut Match) -> Option<(u8, u32, Option<u32>)> {
    let q = m.questions()[0].id;
    m.clock(q).expect("a clock").map(|c| (c.player, c.spent, c.seconds))
}

#[test]
fn time_up_goes_back_to_where_the_menu_could_be_left() {
    let mut m = timed();
    assert_eq!(clock(&mut m), Some((0, 0, Some(60))));
    say(&mut m, 0, "spend(2)");
    let even = m.state().clone();
    say(&mut m, 0, "spend(1)");
    say(&mut m, 0, "spend(2)");
    say(&mut m, 0, "spend(2)");
    assert_eq!(clock(&mut m), Some((0, 4, Some(60))), "choices do not count where time is measured");
    assert!(m.choose_in_words(0, "done").is_err(), "an odd purse");
    let step = m.step();
    late(&mut m, 0).expect("time is up");
    assert_eq!((m.step(), m.questions()[0].player), (step + 1, 0), "the next menu, of the same turn");
    assert!(m.log(None).iter().any(|l| l.kind == EventKind::TimeUp && l.player == Some(0)));
    assert_eq!(clock(&mut m), None, "a nap has no clock");
    assert!(matches!(late(&mut m, 0), Err(Illegal::Refused(_))), "where none runs none runs out");
    // What is left is what there was behind the first choice.
    let after = m.state().clone();
    assert!(m.at(step) && m.at(1) && *m.state() == even && m.at(step + 1) && *m.state() == after);
}

#[test]
fn what_was_drawn_does_not_come_again() {
    let mut m = timed();
    let mut other = timed();
    say(&mut m, 0, "gamble");
    let drawn = m.state().draws().to_vec();
    // Twenty and an odd number: it could be left before.
    late(&mut m, 0).expect("time is up");
    assert_eq!(m.state().draws(), drawn, "chance goes on");
    say(&mut other, 0, "done");
    assert_ne!(m.state().draws(), other.state().draws());
    assert_eq!(coins(&mut m), coins(&mut other));
}

#[test]
fn a_question_within_an_action_is_on_the_clock_of_whom_it_is_put_to() {
    let mut m = timed();
    say(&mut m, 0, "spend(2)");
    say(&mut m, 0, "gift");
    let begun = coins(&mut m);
    if m.questions()[0].player == 0 {
        // To whom? The only other one may be taken at once.
        assert_eq!(clock(&mut m).map(|c| c.0), Some(0));
        say(&mut m, 0, "Player2");
    }
    assert_eq!((m.questions()[0].player, clock(&mut m)), (1, None), "he has all the time of the world");
    assert!(matches!(late(&mut m, 1), Err(Illegal::Refused(_))));
    say(&mut m, 1, "1");
    assert_eq!(clock(&mut m).map(|c| (c.0, c.1)), Some((0, 2)));
    // Another one has chosen since it could be left: his choice stands, and so does the clock.
    let told = late(&mut m, 0).expect_err("nowhere to go back to");
    assert!(told.to_string().contains("no point where this menu could be left"), "{told}");
    assert_ne!(coins(&mut m), begun);
    say(&mut m, 0, "spend(1)");
    late(&mut m, 0).expect("now it may be left");
}

#[test]
fn a_save_replays_it_and_any_step_is_found() {
    let mut m = timed();
    for round in 0..4 {
        for seat in 0..2 {
            say(&mut m, seat, "spend(2)");
            say(&mut m, seat, "spend(1)");
            if round % 2 == seat {
                late(&mut m, seat).expect("time is up");
            } else {
                say(&mut m, seat, "spend(1)");
                say(&mut m, seat, "done");
            }
            say(&mut m, seat, "pass");
        }
    }
    assert!(m.is_over());
    let text = m.save();
    assert!(text.contains("says: \"time up\"") && text.contains("timed: true"), "{text}");
    let loaded = Match::load(m.game(), &text).expect("it loads");
    assert!(loaded.parted.is_none() && *loaded.game.state() == *m.state(), "{loaded:?}");
    let end = m.state().clone();
    for step in (0..=m.step()).rev() {
        assert!(m.at(step), "step {step}");
    }
    let last = m.steps().len();
    assert!(m.at(last) && *m.state() == end);
    let fork = m.fork();
    assert!(*fork.state() == end);
    // Changed by hand it is found at its place.
    let broken = text.replacen("time up", "done", 1);
    assert!(Match::load(m.game(), &broken).expect("it loads").parted.is_some());
}

#[test]
fn choices_count_where_nobody_measures_time() {
    let mut m = game().start(&Setup::with_seed(3)).expect("a match");
    assert_eq!(clock(&mut m), None);
    assert!(matches!(late(&mut m, 0), Err(Illegal::Refused(_))), "nobody can say that time is up");
    for _ in 0..3 {
        say(&mut m, 0, "spend(2)");
    }
    assert!(m.choose_in_words(0, "spend(2)").is_err(), "three choices and it is left");
    say(&mut m, 0, "pass");
    say(&mut m, 1, "spend(2)");
    say(&mut m, 1, "spend(2)");
    say(&mut m, 1, "spend(1)");
    say(&mut m, 1, "spend(2)");
    assert!(m.choose_in_words(1, "nap").is_err(), "an odd purse: on it goes");
    say(&mut m, 1, "spend(1)");
    say(&mut m, 1, "nap");
    assert_eq!(m.log(None).iter().filter(|l| l.text.contains("time is up")).count(), 2);
    let text = m.save();
    let loaded = Match::load(m.game(), &text).expect("it loads");
    assert!(loaded.parted.is_none(), "{loaded:?}");
}

#[test]
fn without_seconds_choices_count_even_where_time_is_measured() {
    let setup = Setup { timed: true, variants: vec![String::from("unhurried")], ..Setup::with_seed(3) };
    let mut m = game().start(&setup).expect("a match");
    assert_eq!(clock(&mut m), None);
    for _ in 0..9 {
        say(&mut m, 0, "spend(2)");
    }
}

#[test]
fn bots_keep_to_it_and_laws_hold() {
    let game = game();
    let plan = SimulationPlan {
        setup: Setup::with_seed(5),
        first: 0,
        games: 60,
        seats: Vec::new(),
        jobs: 1,
        cap: 5000,
        uses: false,
    };
    let all = simulate(&game, &plan, &AtomicBool::new(false), &AtomicU64::new(0)).expect("games");
    assert_eq!(all.finished(), 60, "{:?}", all.games.iter().find(|g| g.unfinished.is_some()));
    for setup in [Setup::with_seed(9), Setup { timed: true, ..Setup::with_seed(9) }] {
        for (name, law) in laws::ALL {
            let limits = LawLimits { seed: 1, choices: 60, tuples: 20 };
            law(&game, &setup, limits).unwrap_or_else(|b| panic!("{name}: {b}"));
        }
    }
}

fn folder(name: &str) -> std::path::PathBuf {
    let dir = std::env::temp_dir().join(format!("houserule-clocks-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a folder");
    std::fs::write(dir.join("fair.rules"), RULES.replace("minute: int? = 60", "minute: int? = 1"))
        .expect("rules");
    dir
}

/// Somebody who types a line, and then sits there for longer than a second.
struct Slow(Vec<&'static str>);

impl std::io::Read for Slow {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        if self.0.is_empty() {
            return Ok(0);
        }
        let line = self.0.remove(0);
        if line.starts_with("pass") {
            std::thread::sleep(std::time::Duration::from_millis(1400));
        }
        buf[..line.len()].copy_from_slice(line.as_bytes());
        Ok(line.len())
    }
}

#[derive(Clone, Default)]
struct Sink(std::sync::Arc<std::sync::Mutex<Vec<u8>>>);

impl std::io::Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("the sink").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_table_measures_time() {
    let dir = folder("table");
    let out = Sink::default();
    let mut io = Io::in_memory("", Box::new(out.clone()), Box::new(Sink::default()));
    io.input = Box::new(std::io::BufReader::new(Slow(vec!["spend(2)\n", "spend(1)\n", "pass\n", "quit\n"])));
    let line = format!("houserule play {} --timed yes --seats you,random --seed 1", dir.display());
    run(line.split(' ').map(OsString::from), &mut io);
    let text = String::from_utf8(out.0.lock().expect("the sink").clone()).expect("text");
    assert!(text.contains("1 second left") && text.contains("Time is up."), "{text}");
    // The third line came too late for the market, and is an answer to what is asked then.
    assert!(text.contains("Stopped after"), "{text}");
    let untimed = cli_in(&format!("play {} --seats you,random --seed 1", dir.display()), "spend(2)\nquit\n");
    assert!(!untimed.out.contains("second left"), "{}", untimed.out);
    std::fs::remove_dir_all(dir).ok();
}

#[test]
fn another_program_measures_time() {
    let dir = folder("json");
    let input = "{\"do\":\"choose\",\"choice\":\"spend(1)\"}\n{\"do\":\"time_up\",\"seat\":0}\n{\"do\":\"time_up\"}\n";
    let done = cli_in(&format!("play {} --json --timed yes --seed 1", dir.display()), input);
    let all = lines(&done.out);
    assert_eq!(all[1]["decisions"][0]["clock"]["seconds"], 1, "{}", done.out);
    assert_eq!(all[2]["decisions"][0]["clock"]["taken"], 1);
    assert_eq!((&all[3]["type"], &all[3]["step"]), (&"state".into(), &2.into()));
    assert_eq!((&all[4]["type"], &all[4]["kind"]), (&"error".into(), &"illegal".into()));
    std::fs::remove_dir_all(dir).ok();
}
