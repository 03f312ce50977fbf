//! Measure in the window, driven by label, role and keys: many games between bots, their figures, and the games behind them.
use crate::support::{app, app_with, fills, folder, nameless, open, opened, shipped, shows, tree, window};
use egui::{Key, Modifiers, Role};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use houserule::lab::compare::Change;
use houserule::lab::figures::{Figures, Lot};
use houserule::lab::simulate::{Simulation, SimulationPlan, simulate};
use houserule::play::{Game, Setup};
use houserule::text::{File, Files};
use houserule_editor::App;
use houserule_editor::command::{self, Command, measure::Act};
use houserule_editor::dialogs::Given;
use houserule_editor::document::TextPlace;
use houserule_editor::jobs::Jobs;
use houserule_editor::panels::Pane;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::{Duration, Instant};

const LETTER: &str = "rules/classics/love-letter/love-letter.rules";
const MOD: &str = "rules/mods/no-secrets-at-court.rules";
const TOE: &str = "rules/classics/tic-tac-toe/tic-tac-toe.rules";
const COIN_FILE: &str = "rules/coin/coin.rules";

/// Who takes `good` wins. Who takes `bad` goes on, and loses at once where the variant is on.
const COIN: &str = "game Coin \"Coin\" { players red, blue; outcome win }\n\
    player { bads: 0..999 = 0 }\n\
    variant harsh \"Harsh\" { after setup { for p in players { p.bads = 0 } } }\n\
    round { everyone in turn { offer move } }\n\
    menu move\n\
    action good() in move { win me \"is good\" }\n\
    action bad() in move { my.bads += 1; if harsh { lose me \"is bad\" } }\n";

/// Whoever says `more` a fifth time goes over the edge.
const WALK: &str = "game Walk \"Walk\" { players 2; outcome highest score }\n\
    table { n: 0..9 = 0 }\n\
    player { points: 0..20 = 0 }\n\
    value score(p: player): int = p.points + n\n\
    round 6 times { everyone in turn { offer walk } }\n\
    menu walk\n\
    action more() in walk { n += 2; my.points += 1 }\n\
    action rest() in walk { }\n";

/// A game that never ends.
const ENDLESS: &str = "game Long \"Long\" { players 2; outcome win }\n\
    table { n: 0..9 = 0 }\n\
    round { everyone in turn { offer walk } }\n\
    menu walk\n\
    action on() in walk { n = 9 - n }\n";

fn measuring(texts: Vec<(Arc<str>, String)>, file: &str) -> Harness<'static, App> {
    let mut h = window(app(texts));
    open(&mut h, file);
    h.state_mut().carry_out(Command::ShowAlone(Pane::Measure));
    h.run_steps(4);
    h
}

fn texts_in(folder: &str) -> Vec<(Arc<str>, String)> {
    shipped().into_iter().filter(|(name, _)| name.starts_with(folder)).collect()
}

fn coin() -> Harness<'static, App> {
    measuring(vec![(COIN_FILE.into(), COIN.to_string())], COIN_FILE)
}

/// Writes how many games are to be played.
fn set_games(h: &mut Harness<App>, games: &str) {
    h.get_by_label("Games").focus();
    h.run_steps(1);
    h.key_press_modifiers(Modifiers::COMMAND, Key::A);
    h.run_steps(1);
    fills(h, "Games", games);
}

/// Runs the games that the form says, to their end.
fn run(h: &mut Harness<App>) {
    h.state_mut().carry_out(Command::Measure(Act::Run));
    for _ in 0..200 {
        h.run_steps(1);
        if !h.state().panes.measure.is_running() {
            break;
        }
    }
    h.run_steps(2);
    assert!(!h.state().panes.measure.is_running(), "the games come to their end");
}

fn figures<'h>(h: &'h Harness<'_, App>) -> &'h Figures {
    h.state().panes.measure.figures().expect("figures")
}

/// The labels of all links that show a game.
fn game_links(h: &Harness<App>) -> Vec<String> {
    let links = h.query_all_by_role(Role::Link);
    let labels = links.filter_map(|n| n.accesskit_node().label());
    labels.filter(|l| l.contains(": show a game")).collect()
}

fn load(rules: &str) -> Game {
    let mut files = Files::new();
    files.add(File::new("it.rules", rules));
    Game::load(&files).unwrap_or_else(|r| panic!("{:?}", r.findings))
}

fn plan(games: u64) -> SimulationPlan {
    let setup = Setup::with_seed(1);
    SimulationPlan { setup, first: 0, games, seats: Vec::new(), jobs: 0, cap: 100_000, uses: true }
}

#[test]
fn a_shipped_game_is_measured_by_keyboard_alone() {
    let mut h = window(app(texts_in("rules/classics/love-letter")));
    open(&mut h, LETTER);
    h.key_press_modifiers(Modifiers::ALT, Key::Num4);
    h.run_steps(3);
    assert_eq!(h.state().front(), Pane::Measure);
    h.key_press_modifiers(Modifiers::ALT, Key::Num4);
    h.run_steps(3);
    assert!(shows(&h, "All panes"), "the key again gives the pane the window");
    h.key_press(Key::F5);
    h.run_steps(30);
    assert_eq!(figures(&h).games, 1000);
    assert!(shows(&h, "1000 games"));
    // From one thing to the next until a number has the keyboard; Enter shows a game.
    for _ in 0..300 {
        h.key_press(Key::Tab);
        h.run_steps(1);
        let root = h.root();
        let here = root.children_recursive().find(|n| n.accesskit_node().is_focused());
        if here.and_then(|n| n.accesskit_node().label()).is_some_and(|l| l.contains(": show a game")) {
            break;
        }
    }
    h.key_press(Key::Enter);
    h.run_steps(4);
    assert_eq!(h.state().front(), Pane::Play);
    let data = h.state().panes.play.data().expect("a match");
    assert!(data.over && data.step.0 == data.step.1 && data.step.1 > 0, "at its end");
    h.key_press_modifiers(Modifiers::ALT, Key::Comma);
    h.run_steps(2);
    let step = h.state().panes.play.data().expect("a match").step;
    assert_eq!(step.0 + 1, step.1, "the time line goes back");
}

#[test]
fn a_shipped_game_is_measured_by_mouse_alone() {
    let mut h = window(app(texts_in("rules/classics/tic-tac-toe")));
    open(&mut h, TOE);
    h.get_by_label("Measure (tab)").click();
    h.run_steps(3);
    h.get_by_label("Run the games").click();
    h.run_steps(30);
    assert_eq!(figures(&h).games, 1000);
    assert!(nameless(&h).is_empty(), "{:?}", nameless(&h));
    let won = game_links(&h).into_iter().find(|l| l.contains("that crosses won")).expect("a number");
    h.get_by_label(&won).click();
    h.run_steps(4);
    assert_eq!(h.state().front(), Pane::Play);
    let first = figures(&h).players[0].games_with(Lot::Won).games.clone();
    assert!(shows(&h, &format!("Game {}, a game that crosses won", first[0])));
    let ending = h.state().panes.play.data().expect("a match").board.ending.join(" ");
    assert!(ending.contains("crosses") && ending.to_lowercase().contains("won"), "{ending}");
    // The same number again shows the next of its games.
    h.state_mut().carry_out(Command::Show(Pane::Measure));
    h.run_steps(3);
    h.get_by_label(&won).click();
    h.run_steps(4);
    assert!(shows(&h, &format!("Game {}, a game that crosses won", first[1])));
    // So does a bar of a plot: games have 5 to 9 choices.
    h.state_mut().carry_out(Command::Show(Pane::Measure));
    h.run_steps(3);
    h.get_by_label_contains("Games by number of choices").click();
    h.run_steps(4);
    assert!(shows(&h, "a game with 7 choices, at its end after 7 choices"));
    assert!(h.state().document.dirty_files().is_empty());
}

#[test]
fn the_figures_are_those_of_a_simulation_with_the_same_seed() {
    for (folder, file) in [("rules/classics/love-letter", LETTER), ("rules/classics/tic-tac-toe", TOE)] {
        let mut h = measuring(texts_in(folder), file);
        set_games(&mut h, "300");
        run(&mut h);
        let now = figures(&h);
        let mut files = Files::new();
        for (name, text) in texts_in(folder) {
            files.add(File::new(&*name, &*text));
        }
        let game = Game::load(&files).expect("the game");
        let all = simulate(&game, &plan(300), &AtomicBool::new(false), &AtomicU64::new(0)).expect("games");
        assert_eq!((now.games, now.finished), (300, all.finished()));
        assert_eq!(now.length, all.lengths());
        let lots = all.games.iter().flat_map(|g| g.verdicts.first()).filter(|v| format!("{v:?}") == "Won");
        assert_eq!(now.share(0, Lot::Won).count, lots.count() as u64);
        let uses = all.uses().0;
        assert!(!uses.is_empty() && uses.len() == now.uses.len());
        for (name, u) in uses {
            assert_eq!(now.uses[&name].games.count, u.games, "{name}");
            let mean = u.times as f64 / 300.0;
            assert!((now.uses[&name].times(300).mean() - mean).abs() < 1e-9, "{name}");
        }
        // Blocks put together are the whole.
        assert_eq!(*now, Figures::from_games(&all, 1));
    }
}

#[test]
fn who_used_a_card_is_counted_as_the_match_says() {
    let mut files = Files::new();
    for (name, text) in texts_in("rules/classics/love-letter") {
        files.add(File::new(&*name, &*text));
    }
    let game = Game::load(&files).expect("the game");
    let plan = SimulationPlan { seats: vec!["greedy".into(), "random".into()], ..plan(40) };
    let stop = AtomicBool::new(false);
    let all = simulate(&game, &plan, &stop, &AtomicU64::new(0)).expect("games");
    let mut seen = 0;
    for g in all.games.iter() {
        let one = SimulationPlan { first: g.game, games: 1, ..plan.clone() };
        let m = houserule::lab::retrace::replay_first_game(&game, &one).expect("it").game.expect("a match");
        for ((name, times), users) in g.uses.iter().zip(g.users) {
            let name = &all.use_names[*name as usize];
            let Some(action) = name.strip_prefix("action ") else { continue };
            let p = m.program();
            let is_of = |choice: &houserule::engine::Choice| matches!(choice, houserule::engine::Choice::Action { action: a, .. } if &*p.actions[a.index()].name == action);
            let count = |seat: usize| m.steps().iter().filter(|s| s.seat == seat && is_of(&s.choice)).count();
            let by: Vec<usize> = (0..2).map(count).collect();
            assert_eq!(by.iter().sum::<usize>(), *times as usize, "{name}");
            let bits = by.iter().enumerate().filter(|(_, n)| **n > 0).fold(0, |all, (i, _)| all | 1 << i);
            assert_eq!(*users, bits, "{name} in game {}: {by:?}", g.game);
            seen += 1;
        }
    }
    assert!(seen > 20, "{seen}");
}

#[test]
fn the_win_rate_is_that_of_the_player_who_used_it() {
    let mut h = coin();
    set_games(&mut h, "200");
    run(&mut h);
    let f = figures(&h);
    let (good, bad) = (&f.uses["action good"], &f.uses["action bad"]);
    assert_eq!(good.share_won().count, 200, "who is good wins, and nobody else takes it");
    assert!(bad.share_won().of > 60 && bad.share_won().value() < 0.7);
    let says = |name: &str| {
        let row = h.state().panes.measure.data().uses.iter().find(|r| r.name == name).cloned();
        row.map(|r| r.says).expect("a row")
    };
    assert_eq!((says("action good"), says("action bad")), ("wins more", "wins less"));
    h.get_by_label("Sort by won when used").click();
    fills(&mut h, "Find what was used", "action");
    let rows = game_links(&h);
    let at = |what: &str| rows.iter().position(|l| l.starts_with(what)).expect("a row");
    assert!(at("action good in games") < at("action bad in games"), "the highest first: {rows:?}");
    fills(&mut h, "Find what was used", " bad");
    assert!(game_links(&h).iter().all(|l| !l.starts_with("action good")));
}

#[test]
fn few_games_are_called_too_few_and_have_intervals_all_the_same() {
    let mut h = coin();
    set_games(&mut h, "1");
    run(&mut h);
    assert!(shows(&h, "Not enough games"));
    let cell = h.state().panes.measure.data().players[0].lots[0].clone().expect("won");
    let share = figures(&h).share(0, Lot::Won);
    let (low, high) = share.interval();
    assert_eq!(
        cell.text,
        format!("{:.1} % ({:.1} to {:.1})", share.value() * 100.0, low * 100.0, high * 100.0)
    );
    assert!(high - low > 0.7);
    assert!(h.state().panes.measure.data().uses.iter().all(|r| r.says == "not enough games"));
    set_games(&mut h, "30");
    run(&mut h);
    assert!(!shows(&h, "Not enough games: "));
}

#[test]
fn what_cannot_be_run_is_told() {
    let mut h = coin();
    for (games, told) in [("none", "Games: write a number"), ("0", "Games: write a number")] {
        set_games(&mut h, games);
        assert!(shows(&h, told));
        run(&mut h);
        assert!(h.state().panes.measure.figures().is_none() && shows(&h, told));
    }
    // Bots alone can be chosen.
    h.get_by_label("red").click();
    h.run_steps(3);
    for bot in ["random bot", "greedy bot", "beam bot"] {
        assert!(shows(&h, bot), "{bot}");
    }
    assert!(!shows(&h, "person"), "nobody is asked in a run");
    h.key_press(Key::Escape);
    h.run_steps(2);
    set_games(&mut h, "4");
    run(&mut h);
    assert_eq!(figures(&h).games, 4);
    // A text that is wrong is not run; the figures stay.
    let set = houserule::ide::EditSet::from_edit("break", houserule::ide::Edit::new(COIN_FILE, 0..4, "gam"));
    let app = h.state_mut();
    app.carry_out(command::apply_edits(app.document.revision(), set));
    h.run_steps(3);
    h.key_press(Key::F5);
    h.run_steps(4);
    assert!(shows(&h, "No games can be run as the texts are now"));
    assert_eq!(figures(&h).games, 4);
}

#[test]
fn a_run_beside_another_says_what_has_changed_for_sure() {
    let mut h = coin();
    set_games(&mut h, "400");
    run(&mut h);
    let before = figures(&h).clone();
    h.get_by_label("Keep for comparison").click();
    h.run_steps(2);
    h.get_by_label("Harsh").click();
    h.run_steps(2);
    run(&mut h);
    let data = h.state().panes.measure.data().clone();
    assert_eq!(
        data.compared.as_deref(),
        Some("400 games, each compared with the game of the same seed; uses as a whole")
    );
    let change = data.players[0].lots[0].as_ref().and_then(|c| c.change.clone()).expect("a difference");
    let now = figures(&h);
    let mean = (now.share(0, Lot::Won).value() - before.share(0, Lot::Won).value()) * 100.0;
    let told: f64 = change.text.split(' ').next().and_then(|n| n.parse().ok()).expect("a number");
    assert!((told - mean).abs() < 0.051, "{} {mean}", change.text);
    assert_eq!(change.change, Change::Less, "red loses where it went on before: {}", change.text);
    let bad = data.uses.iter().find(|r| r.name == "action bad").expect("a row");
    assert_eq!(bad.won.change.as_ref().map(|c| c.change), Some(Change::Less));
    let length = data.lengths[0].1.change.as_ref().expect("a difference");
    assert_eq!(length.change, Change::Less, "{}", length.text);
    assert!(shows(&h, "less for sure") && shows(&h, "Beside it: Coin"));
    // Another seed has no pairs.
    h.get_by_label("Seed").focus();
    h.run_steps(1);
    h.key_press_modifiers(Modifiers::COMMAND, Key::A);
    fills(&mut h, "Seed", "77");
    run(&mut h);
    assert!(shows(&h, "compared as different games"));
    // The same rules again have changed nothing.
    h.get_by_label("Stop comparing").click();
    h.run_steps(2);
    assert!(!shows(&h, "Beside it"));
    h.get_by_label("Keep for comparison").click();
    h.run_steps(2);
    run(&mut h);
    let data = h.state().panes.measure.data();
    let changes = data.players.iter().flat_map(|p| p.lots.iter().flatten()).filter_map(|c| c.change.as_ref());
    assert!(changes.clone().count() > 0 && changes.clone().all(|c| c.change == Change::Unsure));
}

#[test]
fn a_mod_is_measured_against_the_game_without_it() {
    let mut h = measuring(texts_in("rules/"), MOD);
    set_games(&mut h, "40");
    run(&mut h);
    assert!(shows(&h, "mod No secrets at court · random, random · seed 1"));
    h.get_by_label("Keep for comparison").click();
    h.run_steps(2);
    h.get_by_label("Mod: No secrets at court").click();
    h.run_steps(2);
    run(&mut h);
    assert!(shows(&h, "Love Letter · random, random · seed 1") && shows(&h, "Beside it: Love Letter · mod"));
    let compared = h.state().panes.measure.data().compared.clone().unwrap_or_default();
    assert!(compared.starts_with("40 games, each compared"), "{compared}");
    assert!(h.state().document.dirty_files().is_empty());
}

#[test]
fn a_rule_error_is_counted_and_leads_to_its_place_and_game() {
    let file = "rules/walk/walk.rules";
    let mut h = measuring(vec![(file.into(), WALK.to_string())], file);
    set_games(&mut h, "40");
    run(&mut h);
    let all = simulate(&load(WALK), &plan(40), &AtomicBool::new(false), &AtomicU64::new(0)).expect("games");
    assert_eq!((figures(&h).games, figures(&h).finished), (40, all.finished()));
    let failed = all.faults().count();
    assert!(failed > 20 && shows(&h, &format!("{failed} games n cannot be 10: it must be 0..9")));
    h.get_by_label_contains("Show a game that was not finished").click();
    h.run_steps(4);
    assert_eq!(h.state().front(), Pane::Play);
    assert!(!h.state().panes.play.data().expect("a match").over, "it stands before the choice that fails");
    assert!(shows(&h, "it fails where Player"));
    h.run_steps(5);
    let step = h.state().panes.play.data().expect("a match").step;
    assert_eq!(step.0, step.1, "no bot goes on");
    h.state_mut().carry_out(Command::Show(Pane::Measure));
    h.run_steps(3);
    h.get_by_label_contains("go to rules/walk/walk.rules:7").click();
    h.run_steps(3);
    let here = h.state().here().cloned().expect("a place");
    assert_eq!(WALK[..here.range.start].lines().count(), 7, "{here:?}");
    assert_eq!(&WALK[here.range], "2");
    // A new match goes on by itself.
    h.state_mut().carry_out(Command::GoTo(TextPlace::new(file, 0..0)));
    h.state_mut().carry_out(Command::Play(command::play::Act::Start));
    h.run_steps(4);
    assert!(h.state().panes.play.data().is_some_and(|d| d.choices.is_some()), "a person is asked");
}

#[test]
fn changed_texts_make_the_figures_stale() {
    let mut h = coin();
    set_games(&mut h, "50");
    run(&mut h);
    let all_of = |h: &Harness<App>| figures(h).uses.contains_key("action fine");
    assert!(!shows(&h, "The texts have changed") && !all_of(&h));
    let at = COIN.find("good()").expect("the action");
    let set =
        houserule::ide::EditSet::from_edit("name", houserule::ide::Edit::new(COIN_FILE, at..at + 4, "fine"));
    let app = h.state_mut();
    app.carry_out(command::apply_edits(app.document.revision(), set));
    h.run_steps(3);
    assert!(shows(&h, "The texts have changed since these games were played."));
    h.get_by_label("Run again").click();
    h.run_steps(20);
    assert!(!shows(&h, "The texts have changed") && all_of(&h));
}

#[test]
fn the_spaces_that_choices_named_are_on_the_map() {
    let mut h = measuring(texts_in("rules/classics/tic-tac-toe"), TOE);
    set_games(&mut h, "100");
    run(&mut h);
    let all: u64 = figures(&h).visits.iter().map(|v| v.times).sum();
    assert_eq!(all as f64, figures(&h).length.mean() * 100.0, "each choice is of one space");
    let b2 = &figures(&h).visits[4];
    let (games, first) = (b2.games, b2.first);
    h.get_by_label(&format!(
        "B2: chosen {:.2} times a game, in {:.1} % of the games",
        games as f64 / 100.0,
        games as f64
    ))
    .click_accesskit();
    h.run_steps(4);
    assert!(shows(&h, &format!("Game {first}, a game in which B2 was chosen")));
}

#[test]
fn the_figures_are_saved_as_a_table() {
    let mut h = coin();
    set_games(&mut h, "60");
    run(&mut h);
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("coin.csv");
    h.state_mut().dialogs = Box::new(Given(vec![path.clone()]));
    h.get_by_label("Save the figures …").click();
    h.run_steps(4);
    let text = std::fs::read_to_string(&path).expect("the file");
    assert!(text.starts_with("run,part,name,figure,value,low,high,count,of\n"));
    let share = figures(&h).share(0, Lot::Won);
    let row = text.lines().find(|l| l.contains(",player,red,won,")).expect("a row");
    assert!(row.ends_with(&format!(",{},60", share.count)), "{row}");
    assert!(text.contains(",use,action bad,won,") && text.contains(",length,,choices,"));
    assert!(text.lines().all(|l| l.split(',').count() >= 9));
    assert!(shows(&h, "Saved to "));
}

#[test]
fn opening_and_measuring_a_folder_changes_no_byte() {
    let texts = texts_in("rules/classics/love-letter");
    let files: Vec<(&str, &str)> = texts.iter().map(|(n, t)| (&**n, &**t)).collect();
    let dir = folder(&files);
    let before = tree(dir.path());
    let mut h = window(opened(dir.path()));
    open(&mut h, LETTER);
    h.state_mut().carry_out(Command::ShowAlone(Pane::Measure));
    h.run_steps(3);
    set_games(&mut h, "20");
    run(&mut h);
    let link = game_links(&h).remove(0);
    h.get_by_label(&link).click();
    h.run_steps(4);
    assert_eq!(figures(&h).games, 20);
    assert_eq!(tree(dir.path()), before);
    assert!(h.state().document.dirty_files().is_empty());
}

#[test]
fn a_run_stops_at_once_and_keeps_what_is_played() {
    let texts = vec![(COIN_FILE.into(), COIN.to_string())];
    let mut h = window(app_with(texts, Jobs::on_threads(|| ())));
    open(&mut h, COIN_FILE);
    h.state_mut().carry_out(Command::ShowAlone(Pane::Measure));
    let wait = |h: &mut Harness<App>, what: &dyn Fn(&Harness<App>) -> bool| {
        let began = Instant::now();
        while !what(h) {
            assert!(began.elapsed() < Duration::from_secs(60), "it takes too long");
            std::thread::sleep(Duration::from_millis(5));
            h.run_steps(1);
        }
    };
    wait(&mut h, &|h| shows(h, "Games"));
    set_games(&mut h, "1000000");
    h.get_by_label("Run the games").click();
    wait(&mut h, &|h| h.state().panes.measure.figures().is_some_and(|f| f.games > 100));
    assert!(shows(&h, "of 1000000 games") && shows(&h, "Who wins"), "figures are shown while it runs");
    let began = Instant::now();
    h.state_mut().carry_out(Command::Measure(Act::Stop));
    assert!(!h.state().panes.measure.is_running() && began.elapsed() < Duration::from_millis(100));
    let games = figures(&h).games;
    std::thread::sleep(Duration::from_millis(300));
    h.run_steps(3);
    assert_eq!(figures(&h).games, games, "nothing comes behind it");
    assert!(shows(&h, &format!("Stopped after {games} of 1000000 games")));
}

#[test]
fn a_game_that_never_ends_is_left_when_it_is_stopped() {
    let simulation =
        Simulation::new(&load(ENDLESS), &SimulationPlan { cap: u64::MAX, ..plan(1) }).expect("it");
    // A busy machine may take long to wake a thread: the quickest of three counts.
    let times = (0..3).map(|_| {
        let stop = AtomicBool::new(false);
        std::thread::scope(|s| {
            let run = s.spawn(|| simulation.play(0..1, &stop, &AtomicU64::new(0)));
            std::thread::sleep(Duration::from_millis(100));
            assert!(!run.is_finished());
            let began = Instant::now();
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
            assert!(run.join().expect("it ends").is_empty(), "an abandoned game is not counted");
            began.elapsed()
        })
    });
    let took = times.min().expect("three");
    assert!(took < Duration::from_millis(100), "{took:?}");
}
