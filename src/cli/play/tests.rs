//! Tests of screens: what a person sees at each question of whole games that bots play.
use super::table;
use crate::draw::{self, Style};
use crate::io::Io;
use crate::load;
use crate::setup;
use houserule_bots::{self as bots, Bot};
use houserule_model::hir::ScopeKind;
use houserule_play::{Decision, Game, Match, Setup};
use std::io::Write;
use std::sync::{Arc, Mutex};

/// How many lines a screen may have at 100 columns.
const MOST_LINES: usize = 40;

/// After so many choices a game is left.
const MOST_CHOICES: usize = 250;

/// How the line begins that says what is folded.
const HINT: &str = "Folded, `look WORD` shows it: ";

/// A stream that can be read afterwards.
#[derive(Clone, Default)]
struct Sink(Arc<Mutex<Vec<u8>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// What a seat sees at a question.
fn screen_text(m: &mut Match, seat: usize, d: &Decision) -> String {
    let sink = Sink::default();
    let mut io = Io::in_memory("", Box::new(sink.clone()), Box::new(std::io::sink()));
    table::show_screen(m, seat, d, 1, &Default::default(), &mut io).unwrap();
    let text = String::from_utf8(sink.0.lock().unwrap().clone()).unwrap();
    text.trim_matches('\n').to_string()
}

/// A game on a scenario, with bots in all seats; `look` is called at every question.
fn play_bots(
    game: &Game,
    (scenario, players, bot): (&str, u32, Bot),
    mut look: impl FnMut(&mut Match, usize, &Decision),
) {
    let setup = Setup { scenario: Some(scenario.into()), seed: 1, ..Setup::default().with_players(players) };
    let Ok(mut m) = game.start(&setup) else { return };
    let mut policies: Vec<_> = (0..m.seat_count()).map(|i| bot.make_policy(bots::seed_of(1, i))).collect();
    while m.ending().is_none() && m.step() < MOST_CHOICES {
        let d = m.decisions().unwrap().first().cloned().unwrap();
        let seat = d.seats[0];
        look(&mut m, seat, &d);
        bots::answer_question(&mut m, seat, d.question, policies[seat].as_mut()).unwrap();
    }
}

/// The largest game that ships, with its scenarios.
fn large_game() -> (Game, Vec<String>) {
    let mut io = Io::in_memory("", Box::new(std::io::sink()), Box::new(std::io::sink()));
    let bundle = load::find_game("discover").unwrap().load_bundle().unwrap();
    let game = setup::open_bundle(bundle, &mut io).ok().unwrap().game;
    let scopes = game.model().scopes.iter().filter(|s| s.kind == ScopeKind::Scenario);
    let names = scopes.map(|s| s.name.to_string()).collect();
    (game, names)
}

/// Screens of whole games fit 40 lines at 100 columns, with the line in which the answer is typed; and whatever is folded can be read with `look` and a word of the line that says so.
#[test]
fn screens_of_whole_games_fit_and_what_is_folded_can_be_read() {
    let (game, scenarios) = large_game();
    let (mut screens, mut folded) = (0, 0);
    // The bots that play longest take the most time: they play one game.
    let random = scenarios.iter().flat_map(|s| [4, 2].map(|n| (s.as_str(), n, Bot::Random)));
    let greedy = scenarios.iter().skip(1).take(1).map(|s| (s.as_str(), 4, Bot::Greedy));
    let plans = random.chain(greedy);
    for plan in plans {
        play_bots(&game, plan, |m, seat, d| {
            let text = screen_text(m, seat, d);
            let lines = text.lines().count();
            assert!(lines < MOST_LINES, "{plan:?}: {lines} lines\n{text}");
            let narrow = text.lines().all(|line| line.chars().count() <= 100);
            assert!(narrow, "{plan:?}: a line is too long\n{text}");
            screens += 1;
            let Some(hint) = text.lines().find_map(|line| line.strip_prefix(HINT)) else { return };
            folded += 1;
            let style = Style { color: false, unicode: true, width: 100, players: [None; 8] };
            let view = m.view(seat);
            for word in hint.split(", ").filter(|w| *w != "…") {
                assert!(
                    !draw::read_cards(&view, word, style).is_empty(),
                    "`look {word}` shows nothing\n{text}"
                );
            }
            // The cards of all players and of the table can be reached, whatever the line says.
            for (i, player) in view.players.iter().enumerate() {
                let cards = player.piles.iter().any(|p| !p.cards.is_empty());
                let read = draw::read_cards(&view, &player.name.title, style);
                assert!(!cards || !read.is_empty(), "`look` shows nothing of player {i}");
            }
            assert!(!draw::read_cards(&view, "table", style).is_empty(), "`look table` shows nothing");
        });
    }
    assert!(screens > 1000 && folded > 500, "{screens} screens, {folded} folded");
}
