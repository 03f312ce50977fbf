//! `houserule debug`: stops at statements, goes on and back, and plays the same game as without it.
use crate::cli::{Done, cli_in};
use crate::support::game;
use houserule::bots::Bot;
use houserule::cli::Exit;
use houserule::lab::debugger::{Debugger, Standing, Way};
use houserule::play::Setup;

const PURSE: &str = "\
game Purse \"Purse\" { players 2; outcome highest coins }
player { coins: 0..99 = 0 }
table { pot: 0..99 = 5 }
value rich(p: player): bool = p.coins > 2
setup { for p in players { pay(p, 1) } }
round 3 times { everyone in turn { offer go } }
menu go
action take(n: 1..2) in go {
  pay(me, n)
  check()
}
rule pay(p: player, n: int) {
  p.coins += n
  pot -= n
}
rule check() { if pot == 0 { win players \"the pot is empty\" } }
";

/// Debugs the game above with these commands.
fn debug(more: &str, commands: &[&str]) -> Done {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("purse.rules");
    std::fs::write(&file, PURSE).expect("a file");
    let done = cli_in(&format!("debug {}{more}", file.display()), &(commands.join("\n") + "\n"));
    let hide = |t: &str| t.replace(&format!("{}", folder.path().display()), "").replace("/purse.rules:", "");
    Done { exit: done.exit, out: hide(&done.out), err: hide(&done.err) }
}

/// The places at which it stopped, in order: `line:column in rule`.
fn stops(done: &Done) -> Vec<String> {
    let lines =
        done.out.lines().filter(|l| l.contains("  in ") && l.starts_with(|c: char| c.is_ascii_digit()));
    lines.map(String::from).collect()
}

#[test]
fn steps_go_into_over_out_of_and_back() {
    let done = debug("", &["s", "s", "s", "b", "b"]);
    assert_eq!(done.exit, Exit::Fine, "{}", done.err);
    assert_eq!(
        stops(&done),
        ["5:9  in setup", "5:28  in setup", "13:3  in pay", "14:3  in pay", "13:3  in pay", "5:28  in setup",],
        "{}",
        done.out
    );
    // Over a call to the next statement of the same rule, or of who has called it; back into what was passed.
    let done = debug("", &["finish", "choose take(1)", "n", "n", "b", "b", "s", "s", "o"]);
    let expected = [
        "9:3  in take",
        "10:3  in take",
        "6:36  in rounds",
        "16:16  in check",
        "10:3  in take",
        "16:16  in check",
        "6:36  in rounds",
    ];
    assert_eq!(stops(&done)[1..], expected, "{}", done.out);
    assert!(done.out.trim_end().contains("Player 2 is asked: go"), "{}", done.out);
    // Out of a rule behind its call.
    let done = debug("", &["finish", "choose take(1)", "s", "stack", "o"]);
    assert_eq!(stops(&done)[1..], ["9:3  in take", "13:3  in pay", "10:3  in take"], "{}", done.out);
    assert!(done.out.contains("  rule pay  13:3") && done.out.contains("  action take  9:"), "{}", done.out);
}

#[test]
fn a_breakpoint_stops_where_its_condition_holds() {
    let done = debug("", &["break check if pot == 0", "watch pot", "watch rich(Player 1)", "c"]);
    assert!(done.out.contains("stops at 16:16 (check if pot == 0)"), "{}", done.out);
    assert!(done.out.contains("\n16:16  in check\n"), "{}", done.out);
    assert!(done.out.contains("\n  pot = 0\n  rich(Player 1) = "), "{}", done.out);
    let never = debug("", &["break check if pot == 77", "c"]);
    assert!(!never.out.contains("in check"), "{}", never.out);
}

#[test]
fn what_cannot_be_is_told_and_ends_nothing() {
    let done = debug(
        "",
        &[
            "jump",
            "break chekc",
            "break 400",
            "delete 3",
            "print nothing",
            "watch",
            "choose take(1)",
            "print pot",
            "q",
        ],
    );
    assert_eq!(done.exit, Exit::Fine);
    for told in [
        "`jump` is no command",
        "did you mean check?",
        "no statement stands at line 400",
        "there is no breakpoint `3`",
        "there is no value, rule or action nothing",
        "name a value or an attribute",
        "nobody is asked yet",
        "  pot = 5",
    ] {
        assert!(done.out.contains(told), "{told}: {}", done.out);
    }
    let wrong = debug(" --break chekc", &[]);
    assert_eq!(wrong.exit, Exit::Usage);
    assert!(wrong.err.contains("did you mean check?"), "{}", wrong.err);
}

#[test]
fn a_rule_error_is_shown_and_can_be_gone_back_from() {
    let done =
        debug("", &["finish", "choose take(2)", "finish", "choose take(2)", "finish", "b", "print pot"]);
    assert!(done.out.contains("pot cannot be -1"), "{}", done.out);
    assert_eq!(stops(&done).last().map(String::as_str), Some("14:3  in pay"), "{}", done.out);
    assert!(done.out.trim_end().ends_with("  pot = 1"), "{}", done.out);
}

/// Whatever is looked at on the way, the game is the one that is played without a debugger.
#[test]
fn a_debugged_game_is_the_same_game() {
    for (name, choices) in [("kuhn", 3), ("love-letter", 12), ("hearts", 8), ("fuji", 6)] {
        let game = game(name);
        let setup = Setup::with_seed(5);
        let mut debugger =
            Debugger::new(&game, &setup).unwrap_or_else(|r| panic!("{name}: {:?}", r.findings));
        let mut plain = game.start(&setup).unwrap_or_else(|r| panic!("{name}: {:?}", r.findings));
        let mut stops = 0;
        for _ in 0..choices {
            // On and back and on, before each answer.
            for _ in 0..12 {
                stops += usize::from(debugger.go(Way::Into));
            }
            debugger.go(Way::Back);
            debugger.go(Way::Over);
            debugger.run_to(&|_| false, false);
            if debugger.standing() != Standing::Asked {
                break;
            }
            let seat = debugger.questions()[0].player as usize;
            let said = debugger.answer_as(Bot::Random).expect("an answer");
            plain.choose_in_words(seat, &said).unwrap_or_else(|e| panic!("{name}: {said}: {e:?}"));
            debugger.run_to(&|_| false, false);
            let (a, b) = (debugger.machine().view(0), plain.view(0));
            let json = |v| serde_json::to_string(v).expect("a view");
            assert_eq!(json(&a), json(&b), "{name}: after {said}");
        }
        assert!(stops >= choices, "{name}: {stops}");
    }
}
