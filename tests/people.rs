//! Players who stand on spaces, players whom nobody or several answer for: small games as text, one a file, with tests of their own.
use crate::support::{add, root};
use houserule::play::{Game, Match, Setup};
use houserule::text::Files;

fn game(name: &str) -> Game {
    let mut files = Files::new();
    add(&mut files, [root().join(format!("tests/suite/people/{name}.rules"))]);
    Game::load(&files).unwrap_or_else(|r| panic!("{name}: {:?}", r.findings))
}

/// The lines of a save hold who answered; whoever answers for a shared player, the match goes on alike.
#[test]
fn either_seat_answers_for_a_shared_player() {
    let game = game("third");
    let setup = Setup { variants: vec!["otter".into()], seed: 5, ..Setup::default().with_players(2) };
    let mut matches = [0, 1].map(|seat| {
        let mut m = game.start(&setup).unwrap_or_else(|r| panic!("{:?}", r.findings));
        let third = m.questions().iter().find(|q| q.player == 2).copied().expect("the third is asked");
        assert_eq!(third.seats, 0b11);
        let first = m.list_options(third.id, 0, 1).expect("options").remove(0).choice;
        m.choose(seat, third.id, &first).expect("either may answer");
        assert!(m.questions().iter().all(|q| q.player != 2), "it is answered");
        m
    });
    let [a, b] = &mut matches;
    assert!(a.state() == b.state());
    assert_eq!((a.player_count(), a.seat_count()), (3, 2));
    // Nobody answers for the other players but their own seats.
    let own = a.questions().iter().find(|q| q.player == 1).copied().expect("Bo is asked");
    let choice = a.list_options(own.id, 0, 1).expect("options").remove(0).choice;
    assert!(a.choose(0, own.id, &choice).is_err() && a.choose(1, own.id, &choice).is_ok());
}

/// Who is next is one question, which any seat that answers for those left answers; saved, taken back and played again like others.
#[test]
fn any_of_those_left_says_who_is_next() {
    let game = game("anyorder");
    let start =
        || game.start(&Setup::default().with_players(3)).unwrap_or_else(|r| panic!("{:?}", r.findings));
    let mut m = start();
    let asked = m.decisions().expect("decisions");
    let [d] = asked.as_slice() else { panic!("{asked:?}") };
    assert!(d.anybody && d.seats == [0, 1, 2] && d.name == "The table" && d.prompt == "Who is next?");
    let first = m.state().clone();
    m.choose_in_words(2, "Player2").expect("the third may say");
    assert_eq!((m.steps()[0].seat, m.steps()[0].player, m.steps()[0].anybody), (2, 2, true));
    // Whoever says it, it goes on alike.
    let mut other = start();
    other.choose_in_words(0, "Player2").expect("the first may say");
    assert!(m.state() == other.state());
    for seat in 0..3 {
        m.choose_in_words(seat, "done").expect("done");
    }
    let left = m.decisions().expect("decisions").remove(0);
    assert_eq!((left.seats.as_slice(), left.player, left.count), (&[0, 2][..], 0, 2));
    assert!(m.choose_in_words(1, "Player1").is_err() && m.choose_in_words(0, "Player2").is_err());
    m.choose_in_words(2, "Player3").expect("the third names itself");
    let text = m.save();
    assert!(text.contains("(seat: 2, player: \"table\", says: \"Player2\""), "{text}");
    let again = Match::load(&game, &text).unwrap_or_else(|e| panic!("{e}"));
    assert!(again.parted.is_none() && again.game.state() == m.state());
    assert!(m.at(0) && *m.state() == first);
}
