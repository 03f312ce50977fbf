//! What seats see: snapshots, and that nothing hidden is in it.
use super::games;
use houserule::engine::{Stream, below};
use houserule::play::{Setup, Spot};
use houserule_editor::play::{Begin, Board, Choices, Picker, Session, Sitter, Start, time_line, why};

fn started(name: &str, setup: Setup) -> Session {
    let (game, files) = games::game(name);
    let start = Start { setup, sitters: vec![Sitter::Bot("random"); 8], begin: Begin::Start };
    Session::start(&game, &files, &start).unwrap_or_else(|e| panic!("{name}: {:?}", e.told))
}

/// The board of a seat with what it may choose, after so many choices of bots.
fn seen(name: &str, setup: Setup, seat: usize, choices: usize) -> String {
    let mut s = started(name, setup);
    for _ in 0..choices {
        s.step_bot().expect("the rules do not fail");
    }
    s.set_view_as(seat);
    let mut out = s.make_board().to_text();
    if let Some(c) = s.list_choices() {
        out.push_str(&format!("{}: {}\n", c.name, c.prompt));
        for row in &c.rows {
            out.push_str(&format!("  {} {}\n", row.key.unwrap_or(' '), row.title));
        }
    }
    for told in time_line::list_log(s.the_match(), s.files(), seat).iter().rev().take(8).rev() {
        out.push_str(&format!("| {} [{}]\n", told.text, told.rule));
    }
    out
}

#[test]
fn fuji_as_one_of_three_sees_it() {
    insta::assert_snapshot!(seen("fuji", Setup::with_seed(7).with_players(3), 1, 9));
}

#[test]
fn the_fog_as_one_of_two_sees_it() {
    insta::assert_snapshot!(seen("fog", Setup::with_seed(3).with_players(2), 0, 40));
}

#[test]
fn chess_as_black_sees_it() {
    insta::assert_snapshot!(seen("chess", Setup::with_seed(1), 1, 3));
}

#[test]
fn love_letter_as_one_of_three_sees_it() {
    insta::assert_snapshot!(seen("love-letter", Setup::with_seed(5).with_players(3), 0, 4));
}

/// Everything that a seat gets from this layer.
fn got(s: &mut Session, seat: usize, spots: &[Spot]) -> String {
    let choices = Choices::from_match(s.the_match_mut(), seat, &Picker::default());
    let mut out = Board::from_match(s.the_match_mut(), seat, choices.as_ref()).to_text();
    let board = Board::from_match(s.the_match_mut(), seat, choices.as_ref());
    // Everything that may be drawn, not its text alone.
    out.push_str(&format!("{board:?}\n"));
    out.push_str(&format!("{:?}\n", choices.map(|c| (c.rows, c.lit, c.total, c.prompt))));
    for spot in spots {
        out.push_str(&format!("{:?}\n", why::explain_refusal(s.the_match_mut(), seat, *spot)));
    }
    out
}

/// Two worlds that differ only in what a seat may not know give it the same board, choices and reasons.
#[test]
fn nothing_hidden_is_in_a_board() {
    for name in games::names() {
        let (game, _) = games::game(&name);
        for setup in games::setups(&game) {
            let mut s = started(&name, Setup { seed: 11, ..setup });
            let mut rng = Stream::new(11, 77);
            for step in 0..24 {
                let seats = s.the_match().seat_count();
                let seat = below(seats as u64, || rng.draw()) as usize;
                let spots = if step % 8 == 0 { some_spots(&mut s, seat, &mut rng) } else { Vec::new() };
                let here = got(&mut s, seat, &spots);
                let kept = s.the_match().state().clone();
                s.the_match_mut().machine().swap_hidden(seat, &mut rng);
                let there = got(&mut s, seat, &spots);
                s.the_match_mut().machine().set_state(&kept);
                assert_eq!(here, there, "{name}, seat {seat}, after {step} choices");
                if !s.step_bot().expect("the rules do not fail") {
                    break;
                }
            }
        }
    }
}

fn some_spots(s: &mut Session, seat: usize, rng: &mut Stream) -> Vec<Spot> {
    let board = Board::from_match(s.the_match_mut(), seat, None);
    let cells = board
        .maps
        .iter()
        .enumerate()
        .flat_map(|(map, m)| (0..m.cells.len()).map(move |space| Spot::Space { map, space }));
    let holders = board.table.iter().chain(&board.players).chain(&board.others);
    let pieces = holders.flat_map(|h| &h.piles).flat_map(|p| &p.pieces).map(|p| p.spot);
    let all: Vec<Spot> = cells.chain(pieces).chain([Spot::Player(0)]).collect();
    (0..3).filter_map(|_| all.get(below(all.len() as u64, || rng.draw()) as usize).copied()).collect()
}
