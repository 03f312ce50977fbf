//! Play in the window, driven by label, role and keys as a person or a screen reader would.
use crate::support::frames::{self, Series};
use crate::support::{app, fills, open, shipped, shows, window};
use egui::{Key, Modifiers, Role};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use houserule::engine::Stream;
use houserule_editor::App;
use houserule_editor::command::Command;
use houserule_editor::document::TextPlace;
use houserule_editor::panels::{Pane, play};
use houserule_editor::play::Sitter;

/// The editor with the texts of one game, Play in front.
pub(super) fn playing(folders: &[&str], file: &str) -> Harness<'static, App> {
    let own = |name: &str| folders.iter().any(|f| name.starts_with(f));
    let texts = shipped().into_iter().filter(|(name, _)| own(name)).collect();
    let mut h = window(app(texts));
    open(&mut h, file);
    h.state_mut().carry_out(Command::Show(Pane::Play));
    h.run_steps(3);
    h
}

pub(super) fn seat(h: &mut Harness<App>, sitters: Vec<Sitter>) {
    let s = h.state_mut().panes.play.session().expect("a game is played");
    s.seat_sitters(sitters);
    h.state_mut().panes.play.refresh();
}

/// All that a screen reader could come upon, and tooltips, which are the same words.
pub(super) fn labels(h: &Harness<App>) -> Vec<String> {
    let root = h.root();
    let mut out: Vec<String> = Vec::new();
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        let n = node.accesskit_node();
        out.extend(n.label());
        out.extend(n.value());
        open.extend(node.children());
    }
    out
}

pub(super) fn start(h: &mut Harness<App>) {
    h.get_by_label("Start").click();
    h.run_steps(3);
    assert!(h.state().panes.play.data().is_some(), "{:?}", labels(h));
}

#[test]
fn a_game_is_set_up_started_and_clicked_through() {
    let mut h = playing(&["rules/classics/tic-tac-toe"], "rules/classics/tic-tac-toe/tic-tac-toe.rules");
    assert!(shows(&h, "Seed"), "the form is there");
    start(&mut h);
    seat(&mut h, vec![Sitter::Person, Sitter::Person]);
    h.run_steps(2);
    assert!(shows(&h, "offered"), "spaces say what is offered there");
    let first = labels(&h).into_iter().find(|l| l.starts_with("A1")).expect("a space");
    h.get_by_label(&first).click();
    h.run_steps(2);
    assert_eq!(h.state().panes.play.data().expect("play").step, (1, 1));
    h.key_press(Key::Num2);
    h.run_steps(2);
    assert_eq!(h.state().panes.play.data().expect("play").step, (2, 2));
    // Back, another way: the first line stays.
    h.get_by_label("One choice back").click();
    h.run_steps(2);
    assert_eq!(h.state().panes.play.data().expect("play").step, (1, 2));
    h.key_press(Key::Num4);
    h.run_steps(2);
    let data = h.state().panes.play.data().expect("play");
    assert_eq!((data.step, data.lines.0.len(), data.lines.1), ((2, 2), 2, 1));
    h.get_by_label("line 1").click();
    h.run_steps(2);
    assert_eq!(h.state().panes.play.data().expect("play").lines.1, 0);
    // A name for the step.
    fills(&mut h, "Name of this step", "a fork");
    h.get_by_label("Mark").click();
    h.run_steps(2);
    assert!(shows(&h, "◆ a fork"));
    // Nothing that was played has changed a file.
    assert!(h.state().document.dirty_files().is_empty());
}

#[test]
fn a_whole_game_of_fuji_with_three_bots_by_keyboard_alone() {
    let mut h = playing(&["rules/fuji", "scenarios/fuji"], "scenarios/fuji/practice.scenario");
    start(&mut h);
    h.key_press_modifiers(Modifiers::ALT, Key::F5);
    h.run_steps(3);
    h.get_by_label("4 players").click();
    h.run_steps(3);
    start(&mut h);
    let bots = vec![Sitter::Person, Sitter::Bot("random"), Sitter::Bot("random"), Sitter::Bot("random")];
    seat(&mut h, bots);
    assert_eq!(h.state().panes.play.data().expect("play").seats.len(), 4);
    let mut pressed = 0;
    for n in 0..6000u32 {
        let data = h.state().panes.play.data().expect("play");
        if data.over {
            break;
        }
        match &data.choices {
            // What has been picked is taken; else a row by its key, now this one, now that.
            Some(c) if c.complete.is_some() && (c.rows.is_empty() || n % 3 == 0) => h.key_press(Key::Enter),
            Some(c) if !c.rows.is_empty() => {
                let keys: Vec<char> = c.rows.iter().filter_map(|r| r.key).collect();
                let key = keys[(n.wrapping_mul(2_654_435_761) >> 16) as usize % keys.len()];
                h.key_press(Key::from_name(&key.to_ascii_uppercase().to_string()).expect("a key"));
            }
            Some(_) => h.key_press(Key::Backspace),
            None => {}
        }
        pressed += 1;
        h.run_steps(1);
    }
    let data = h.state().panes.play.data().expect("play");
    assert!(data.over, "after {pressed} keys: {} {:?}", data.board.clock, data.choices);
    assert!(shows(&h, "The game is over."));
    assert!(h.state().document.dirty_files().is_empty());
}

#[test]
fn why_not_and_a_test_of_the_refusal() {
    let mut h = playing(&["rules/classics/othello"], "rules/classics/othello/othello.rules");
    start(&mut h);
    seat(&mut h, vec![Sitter::Person, Sitter::Person]);
    h.run_steps(2);
    let a1 = labels(&h).into_iter().find(|l| l.starts_with("A1")).expect("a space");
    // Nothing is offered on A1: a click tells why.
    h.get_by_label(&a1).click();
    h.run_steps(2);
    assert!(shows(&h, "Why not A1?") && shows(&h, "turns nothing over"), "{:?}", labels(&h));
    h.get_by_label("Make a test of this refusal").click();
    h.run_steps(4);
    let text = h.state().document.text("rules/classics/othello/othello.rules").expect("the text").to_string();
    assert!(text.contains("refuse black: place(A1) because"), "{}", h.state().message.text);
    assert!(h.state().message.text.contains("it passes"), "{}", h.state().message.text);
    // It is a step of the one history.
    h.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    h.run_steps(2);
    assert!(h.state().document.dirty_files().is_empty());
}

/// Two worlds that differ only in what the seat may not know: every word in the window is the same.
#[test]
fn nothing_hidden_is_in_the_accessibility_tree() {
    let games = [
        (&["rules/classics/love-letter"][..], "rules/classics/love-letter/love-letter.rules"),
        (&["rules/fuji", "scenarios/fuji"][..], "scenarios/fuji/practice.scenario"),
        (&["rules/classics/kuhn"][..], "rules/classics/kuhn/kuhn.rules"),
    ];
    for (folders, file) in games {
        let mut h = playing(folders, file);
        start(&mut h);
        let seats = h.state().panes.play.data().expect("play").seats.len();
        seat(&mut h, vec![Sitter::Bot("random"); seats]);
        let mut rng = Stream::new(3, 9);
        let mut apart = 0;
        for round in 0..8 {
            h.state_mut().carry_out(Command::Play(play::Act::Pause));
            for view in 0..seats {
                let seen = |h: &mut Harness<App>| {
                    let s = h.state_mut().panes.play.session().expect("play");
                    s.set_view_as(view);
                    h.state_mut().panes.play.refresh();
                    h.run_steps(2);
                    labels(h)
                };
                let here = seen(&mut h);
                let s = h.state_mut().panes.play.session().expect("play");
                let kept = s.the_match().state().clone();
                s.the_match_mut().machine().swap_hidden(view, &mut rng);
                apart += usize::from(*s.the_match().state() != kept);
                let there = seen(&mut h);
                h.state_mut().panes.play.session().expect("play").the_match_mut().machine().set_state(&kept);
                assert_eq!(here, there, "{file}, seat {view}, round {round}");
            }
            h.state_mut().carry_out(Command::Play(play::Act::Pause));
            h.run_steps(1);
        }
        assert!(apart > 0, "{file}: the worlds were never apart, this shows nothing");
    }
}

/// How long a frame of Play takes: Fuji, with its hidden dice, while nothing is done and while the pointer goes over its hexes. A measurement, not a test: `cargo test --release -p
/// houserule-editor frames -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn frames_while_hovering_over_fuji() {
    let mut h = playing(&["rules/fuji", "scenarios/fuji"], "scenarios/fuji/fuji_1.scenario");
    start(&mut h);
    let seats = h.state().panes.play.data().expect("play").seats.len();
    seat(&mut h, vec![Sitter::Bot("random"); seats]);
    h.run_steps(3);
    h.state_mut().carry_out(Command::Play(play::Act::Pause));
    h.run_steps(3);
    let cells: Vec<egui::Pos2> =
        h.query_all_by_role(egui::accesskit::Role::Cell).map(|n| n.rect().center()).collect();
    assert!(cells.len() > 25, "its spaces");
    for (what, hovering) in [("nothing done", false), ("hovering", true)] {
        let mut series = Series::default();
        for _ in 0..frames::TURNS {
            series.begin();
            for k in 0..60 {
                if hovering {
                    h.hover_at(cells[k * 7 % cells.len()]);
                }
                series.frame(|| h.run_steps(1));
            }
        }
        series.print(&format!("Fuji, {what}"));
    }
    let mut series = Series::default();
    for _ in 0..frames::TURNS {
        series.begin();
        for _ in 0..20 {
            series.frame(|| h.state_mut().panes.play.refresh());
        }
    }
    series.print("Fuji, what is shown worked out anew, as after a choice");
}

#[test]
fn what_is_set_in_the_form_is_what_is_played() {
    let rules = "game Small \"Small\" { players 2..3; outcome win }\noption wind \"Wind\": 0..9 = 1\n\
        variant storm \"Storm\" { }\nround 3 times { everyone in turn { offer move } }\nmenu move { pass }\n\
        action blow() in move { say \"{wind}\" }\nscenario calm \"Calm\" for Small { }\n";
    let file = "rules/small/small.rules";
    let mut h = window(app(vec![(file.into(), rules.to_string())]));
    open(&mut h, file);
    h.state_mut().carry_out(Command::Show(Pane::Play));
    h.run_steps(3);
    let choose = |h: &mut Harness<App>, list: &str, line: &str| {
        h.get_by_role_and_label(egui::accesskit::Role::ComboBox, list).click();
        h.run_steps(3);
        // The list of files has a line of that name, too; what is opened last is the list of the form.
        let lines = h.get_all_by_role_and_label(egui::accesskit::Role::Button, line);
        lines.last().expect("a line").click();
        h.run_steps(3);
    };
    choose(&mut h, "Scenario", "Calm");
    h.get_by_label("3 players").click();
    h.run_steps(2);
    fills(&mut h, "Seed", "7");
    choose(&mut h, "Wind", "4");
    h.get_by_label("Storm").click();
    h.run_steps(2);
    choose(&mut h, "Player 2", "person");
    start(&mut h);
    let s = h.state_mut().panes.play.session().expect("it is played");
    let setup = s.the_match().setup().clone();
    assert_eq!((setup.scenario.as_deref(), setup.players), (Some("calm"), Some(3)));
    assert_eq!((setup.seed, setup.variants.as_slice()), (17, ["storm".to_string()].as_slice()));
    assert_eq!(setup.options.get("wind").map(String::as_str), Some("4"));
    assert_eq!(s.sitters()[..2], [Sitter::Person, Sitter::Person]);
    assert!(matches!(s.sitters()[2], Sitter::Bot(_)));
}

/// The file of the game that [`start_small`] opens.
const SMALL: &str = "rules/small/small.rules";

/// A window in which a game of one file is played, with Play shown as the command says.
pub(super) fn start_small(rules: &str, shown: Command) -> Harness<'static, App> {
    let mut h = window(app(vec![(SMALL.into(), rules.to_string())]));
    open(&mut h, SMALL);
    h.state_mut().carry_out(shown);
    h.run_steps(3);
    start(&mut h);
    h
}

#[test]
fn a_line_of_the_log_leads_to_its_rule_and_a_step_of_the_time_line_back_to_it() {
    let rules = "game Small \"Small\" { players 2; outcome win }\nround 3 times { everyone in turn { offer move } }\nmenu move { pass }\n\
        action blow() in move { say \"It blows.\" }\n";
    let mut h = start_small(rules, Command::Show(Pane::Play));
    seat(&mut h, vec![Sitter::Person; 2]);
    for _ in 0..2 {
        let s = h.state_mut().panes.play.session().expect("it is played");
        s.choose_in_words("blow").expect("it is offered");
        s.turn_to_asked();
        h.state_mut().panes.play.refresh();
        h.run_steps(2);
    }
    // In a narrow pane the log is closed at first.
    h.get_by_label("Open the log").click();
    h.run_steps(2);
    h.get_all_by_label("It blows.").next().expect("a line of the log").click();
    h.run_steps(3);
    let here = h.state().here().expect("somewhere").clone();
    assert_eq!(&*here.file, SMALL);
    let line = &rules[..here.range.start];
    assert_eq!(rules.lines().nth(line.matches('\n').count()), rules.lines().nth(3), "the action's line");
    // The time line has a node for each step, which leads there.
    h.state_mut().carry_out(Command::Show(Pane::Play));
    h.run_steps(2);
    h.get_by_label_contains("Step 1: ").click();
    h.run_steps(3);
    assert_eq!(h.state().panes.play.data().expect("play").step, (1, 2));
}

#[test]
fn what_was_asked_of_a_step_that_is_gone_is_told_no_longer() {
    let mut h = playing(&["rules/classics/othello"], "rules/classics/othello/othello.rules");
    start(&mut h);
    seat(&mut h, vec![Sitter::Person, Sitter::Person]);
    h.run_steps(2);
    let act = |h: &mut Harness<App>, act: play::Act| {
        h.state_mut().carry_out(Command::Play(act));
        h.run_steps(2);
    };
    let click = |h: &mut Harness<App>, is: fn(&str) -> bool| {
        let label = labels(h).into_iter().find(|l| is(l)).expect("it is shown");
        h.get_by_label(&label).click();
        h.run_steps(2);
    };
    let view = |h: &Harness<App>| h.state().panes.play.data().expect("play").view_as;
    click(&mut h, |l| l.contains(" – offered: "));
    click(&mut h, |l| l.starts_with("A1"));
    assert!(shows(&h, "Why not A1?") && view(&h) == 1);
    act(&mut h, play::Act::TakeBack);
    assert!(!shows(&h, "Why not A1?") && view(&h) == 0, "it is the other's step again");
    // Whoever looks on as somebody goes on doing so.
    click(&mut h, |l| l.contains(" – offered: "));
    act(&mut h, play::Act::NextView);
    act(&mut h, play::Act::NextView);
    act(&mut h, play::Act::TakeBack);
    assert_eq!(view(&h), 1);
    // A bot's choice ends the step, too.
    seat(&mut h, vec![Sitter::Person, Sitter::Bot("random")]);
    act(&mut h, play::Act::Pause);
    act(&mut h, play::Act::NextView);
    click(&mut h, |l| l.contains(" – offered: "));
    click(&mut h, |l| l.starts_with("A1"));
    assert!(shows(&h, "Why not A1?"));
    act(&mut h, play::Act::Pause);
    h.run_steps(4);
    assert_eq!(h.state().panes.play.data().expect("play").step, (2, 2), "the bot has chosen");
    assert!(!shows(&h, "Why not A1?"));
}

#[test]
fn what_is_typed_is_what_is_looked_for_whoever_chooses_meanwhile() {
    let mut h = playing(
        &["rules/classics/rock-paper-scissors"],
        "rules/classics/rock-paper-scissors/rock-paper-scissors.rules",
    );
    h.state_mut().carry_out(Command::Play(play::Act::Pause));
    start(&mut h);
    let rows = |h: &Harness<App>| {
        let choices = h.state().panes.play.data().expect("play").choices.as_ref().expect("it is asked");
        choices.rows.iter().map(|r| r.words.clone()).collect::<Vec<_>>()
    };
    let field = |h: &Harness<App>| h.get_by_label("Type a choice").accesskit_node().value();
    assert_eq!(rows(&h).len(), 3);
    fills(&mut h, "Type a choice", "paper");
    assert_eq!(rows(&h).len(), 1, "{:?}", rows(&h));
    // A bot that chooses at once with the person does not take the words away, nor leave them without effect.
    h.state_mut().carry_out(Command::Play(play::Act::Pause));
    h.run_steps(4);
    assert_eq!(h.state().panes.play.data().expect("play").step, (1, 1), "the bot has chosen");
    assert_eq!((field(&h).as_deref(), rows(&h).len()), (Some("paper"), 1));
    // They are nobody else's.
    seat(&mut h, vec![Sitter::Person, Sitter::Person]);
    h.state_mut().carry_out(Command::Play(play::Act::NextView));
    h.state_mut().carry_out(Command::Play(play::Act::NextView));
    h.run_steps(2);
    assert_eq!((field(&h).unwrap_or_default().as_str(), rows(&h).len()), ("", 3));
}

const MINE: &str = r#"
game Mine "The mine" { players 1..2; outcome together; begins on upper }
option lamps "Lamps": 0..3 = 2
menu dig
action climb() "Climb" in dig { win players "out" }
action fall() "Fall" in dig { lose players "down" }
round { everyone in turn { offer dig } }
legacy { lamps = 3 }
scenario upper "The upper gallery" for Mine { legacy { next lower when won; next upper } }
scenario lower "The lower gallery" for Mine { legacy { next none } }
"#;

#[test]
fn the_end_of_a_game_leads_to_the_next_game_of_the_campaign() {
    let mut h = window(app(vec![("rules/mine/mine.rules".into(), MINE.to_string())]));
    open(&mut h, "rules/mine/mine.rules");
    h.state_mut().carry_out(Command::Show(Pane::Play));
    h.run_steps(3);
    start(&mut h);
    seat(&mut h, vec![Sitter::Person]);
    h.run_steps(2);
    let setup = |h: &mut Harness<App>| {
        h.state_mut().panes.play.session().expect("a game is played").the_match().setup().clone()
    };
    let first = setup(&mut h);
    assert!(!shows(&h, "Next game of the campaign"), "nothing is handed on before the end");
    h.get_by_role_and_label(Role::Button, "Climb").click();
    h.run_steps(2);
    assert!(shows(&h, "Handed on: lamps 3."), "{:?}", labels(&h));
    h.get_by_role_and_label(Role::Button, "Next game of the campaign").click();
    h.run_steps(4);
    let second = setup(&mut h);
    assert_eq!(second.scenario.as_deref(), Some("lower"));
    assert_eq!(second.options.get("lamps").map(String::as_str), Some("3"));
    assert_eq!(second.seed, first.seed + 1, "it is another game");
    let data = h.state().panes.play.data().expect("play");
    assert_eq!((data.step, data.over), ((0, 0), false));
    h.get_by_role_and_label(Role::Button, "Fall").click();
    h.run_steps(2);
    assert!(
        shows(&h, "The campaign is over.") && !shows(&h, "Next game of the campaign"),
        "{:?}",
        labels(&h)
    );
    // One choice back, the game goes on and hands nothing on.
    h.get_by_label("One choice back").click();
    h.run_steps(2);
    assert!(!shows(&h, "The campaign is over."));
    assert!(h.state().document.dirty_files().is_empty());
}

/// How much of the window the map has.
fn map_share(h: &Harness<App>) -> f32 {
    let map = h
        .query_all_by_role(Role::Canvas)
        .find(|n| n.accesskit_node().label().is_some_and(|l| l.starts_with("Map ")));
    map.map_or(0.0, |n| n.rect().area() / h.ctx.content_rect().area())
}

/// How wide a space of the map is drawn.
fn space_width(h: &Harness<App>) -> f32 {
    h.query_all_by_role(Role::Cell).map(|n| n.rect().width()).fold(0.0, f32::max)
}

/// Whoever opens a game to play sees its board: it has most of the window, beside it stand the choices and the players. Alt+3 gives the other panes back and takes them away.
#[test]
fn a_game_that_is_opened_to_play_has_the_window() {
    for (title, prompt) in
        [("Chess", "Your move"), ("The FOG", "Move your islanders"), ("Othello", "Place a disc")]
    {
        let mut h = window(app(shipped()));
        h.get_by_label(&format!("Play {title}")).click_accesskit();
        h.run_steps(6);
        assert!(h.state().panes.play.data().is_some(), "{title} is played");
        assert!(map_share(&h) >= 0.6, "{title}: the board has {:.2} of the window", map_share(&h));
        for told in [prompt, "Log", "All panes"] {
            assert!(shows(&h, told), "{title}: {told} is in sight: {:?}", labels(&h));
        }
        assert!(!shows(&h, "Find a file"));
        let large = space_width(&h);
        h.key_press_modifiers(Modifiers::ALT, Key::Num3);
        h.run_steps(3);
        assert!(shows(&h, "Find a file") && map_share(&h) < 0.4, "{title}: all panes are there");
        assert!(space_width(&h) < 0.8 * large, "{title}: the map fits its room");
        h.key_press_modifiers(Modifiers::ALT, Key::Num3);
        h.run_steps(3);
        assert!(map_share(&h) >= 0.6, "{title}: the board has the window again");
        assert!((space_width(&h) - large).abs() < 1.0, "{title}: the map fits its room again");
        h.get_by_label("All panes").click();
        h.run_steps(3);
        assert!(shows(&h, "Find a file"));
        // A place in the text takes the window from the board.
        h.key_press_modifiers(Modifiers::ALT, Key::Num3);
        h.run_steps(3);
        let file = h.state().open_file().expect("a file");
        h.state_mut().carry_out(Command::GoTo(TextPlace::new(file, 0..0)));
        h.run_steps(3);
        assert!(shows(&h, "Find a file"), "{title}: the place is in sight");
        h.key_press_modifiers(Modifiers::ALT, Key::Num3);
        h.run_steps(3);
        assert!(!shows(&h, "Find a file"));
        h.get_by_label("Write (tab)").click();
        h.run_steps(3);
        assert!(shows(&h, "Find a file") && h.state().front() == Pane::Write);
    }
}

/// F5 over a running match begins another game, of another seed, and keeps the match; the seed is told at the end and not before.
#[test]
fn a_match_that_is_left_is_kept_and_the_next_game_is_another() {
    let mut h = playing(&["rules/classics/tic-tac-toe"], "rules/classics/tic-tac-toe/tic-tac-toe.rules");
    start(&mut h);
    seat(&mut h, vec![Sitter::Person, Sitter::Person]);
    h.run_steps(2);
    let step = |h: &Harness<App>| h.state().panes.play.data().expect("play").step;
    let seed =
        |h: &mut Harness<App>| h.state_mut().panes.play.session().expect("play").the_match().setup().seed;
    h.key_press(Key::Num1);
    h.run_steps(2);
    assert_eq!((step(&h), seed(&mut h)), ((1, 1), 1));
    h.key_press(Key::F5);
    h.run_steps(4);
    seat(&mut h, vec![Sitter::Person, Sitter::Person]);
    h.run_steps(2);
    assert_eq!((step(&h), seed(&mut h)), ((0, 0), 2), "another game");
    assert!(shows(&h, "This is a new game; the match before is kept."));
    h.key_press(Key::Num2);
    h.run_steps(2);
    // Back and forth between the two.
    for (kept, at) in [(1, (1, 1)), (2, (1, 1))] {
        h.state_mut().carry_out(Command::Play(play::Act::Before));
        h.run_steps(3);
        assert_eq!((seed(&mut h), step(&h)), (kept, at));
    }
    // The form leads back, too.
    h.state_mut().carry_out(Command::Play(play::Act::Stop));
    h.run_steps(3);
    h.get_by_label("Back to the match before").click();
    h.run_steps(3);
    assert_eq!(seed(&mut h), 2);
    while !h.state().panes.play.data().expect("play").over {
        assert!(!labels(&h).iter().any(|l| l == "Seed 2"), "not before the end");
        h.key_press(Key::Num1);
        h.run_steps(2);
    }
    assert!(labels(&h).iter().any(|l| l == "Seed 2"), "{:?}", labels(&h));
}

/// F5 starts the game of the open file from where its text is written, whatever game is played just now; the other match is kept.
#[test]
fn the_game_of_the_open_file_is_started_from_its_text() {
    let (tic, pig) = ("rules/classics/tic-tac-toe/tic-tac-toe.rules", "rules/classics/pig/pig.rules");
    let mut h = playing(&["rules/classics/tic-tac-toe", "rules/classics/pig"], tic);
    start(&mut h);
    seat(&mut h, vec![Sitter::Person, Sitter::Person]);
    h.run_steps(2);
    h.key_press(Key::Num1);
    h.run_steps(2);
    let game = |h: &mut Harness<App>| {
        let session = h.state_mut().panes.play.session().expect("play");
        (session.the_match().game().name().to_string(), session.the_match().step())
    };
    assert_eq!(game(&mut h), ("TicTacToe".into(), 1));
    open(&mut h, pig);
    h.state_mut().carry_out(Command::Show(Pane::Write));
    h.run_steps(3);
    assert_eq!(h.state().front(), Pane::Write);
    h.key_press(Key::F5);
    h.run_steps(6);
    assert_eq!((game(&mut h), h.state().front()), (("Pig".into(), 0), Pane::Play));
    h.state_mut().carry_out(Command::Play(play::Act::Before));
    h.run_steps(3);
    assert_eq!(game(&mut h), ("TicTacToe".into(), 1));
    // Where figures are in front, the key runs games.
    h.state_mut().carry_out(Command::Show(Pane::Measure));
    h.run_steps(3);
    h.key_press(Key::F5);
    h.run_steps(3);
    assert_eq!((h.state().front(), game(&mut h).1), (Pane::Measure, 1));
}

#[test]
fn a_game_that_cannot_be_played_leads_to_what_is_wrong() {
    let rules = "game Odd \"Odd\" { players 2; outcome win }\n\nvalue one: int = nonesuch\nround once { }\n";
    let mut h = window(app(vec![("rules/odd/odd.rules".into(), rules.to_string())]));
    open(&mut h, "rules/odd/odd.rules");
    h.state_mut().carry_out(Command::Show(Pane::Play));
    h.run_steps(3);
    assert!(shows(&h, "This game cannot be played yet"));
    h.get_by_role_and_label(Role::Link, "E0250 there is no `nonesuch` here").click();
    h.run_steps(3);
    let place = h.state().here().expect("the place").clone();
    assert_eq!(rules.get(place.range), Some("nonesuch"));
}

#[test]
fn a_row_lights_what_it_names_and_the_board_its_rows() {
    let mut h = playing(&["rules/classics/tic-tac-toe"], "rules/classics/tic-tac-toe/tic-tac-toe.rules");
    start(&mut h);
    seat(&mut h, vec![Sitter::Person, Sitter::Person]);
    h.run_steps(2);
    assert_eq!(h.state().panes.play.pointed().0, []);
    h.get_by_label("Mark B2").hover();
    h.run_steps(2);
    let middle = houserule::play::Spot::Space { map: 0, space: 4 };
    assert_eq!(h.state().panes.play.pointed().0, [middle]);
    let space = labels(&h).into_iter().find(|l| l.starts_with("C3")).expect("a space");
    h.get_by_label(&space).hover();
    h.run_steps(3);
    let corner = houserule::play::Spot::Space { map: 0, space: 8 };
    assert_eq!(h.state().panes.play.pointed(), (&[][..], Some(corner)));
}
