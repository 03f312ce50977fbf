//! Small games as text, `tests/suite/{attachments,boards,chance,dice,ends,forms,guards,kinds,laws,lists,members,people,trying}/*.rules`, one a file: each with tests of its own for what the book says. All laws
//! hold of each in every set-up that it allows, but for those of `chance` and `forms`. To add one, write a file there.
use crate::support::{findings, setups, small};
use houserule::lab::laws::{self, LawLimits};
use houserule::lab::testing;

fn mean_what_the_book_says(folder: &str, least: usize) {
    let (mut ran, mut wrong) = (0, Vec::new());
    for (name, game) in small(folder) {
        for result in testing::run(&game, None) {
            ran += 1;
            if let Some(f) = result.failure {
                wrong.push(format!("{name}: \"{}\": {} ({})", result.title, f.message, f.place));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {ran} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(ran >= least, "only {ran} tests were run");
}

fn laws_hold(folder: &str) {
    let all: [(&str, laws::Law); 7] = [
        ("reasons", laws::check_reasons),
        ("lowering", laws::check_lowering),
        ("clones", laws::check_clones),
        ("saves", laws::check_saves),
        ("undo", laws::check_undo),
        ("worlds", laws::check_worlds),
        ("simultaneous", laws::check_simultaneous),
    ];
    let mut cases = 0;
    for (name, game) in small(folder) {
        let all_setups = setups(&game);
        assert!(
            !all_setups.is_empty(),
            "{name} can be set up: {}",
            findings(&game.lower_setup(&Default::default()))
        );
        for setup in all_setups {
            for (law, holds) in all {
                for seed in 1..=2 {
                    match holds(&game, &setup, LawLimits { seed, choices: 40, tuples: 40 }) {
                        Ok(c) => cases += c.cases,
                        Err(b) => panic!("{name}, {law}, {setup:?}, seed {seed}: {b}"),
                    }
                }
            }
        }
    }
    assert!(cases > 1_000, "only {cases} cases");
}

#[test]
fn guards_mean_what_the_book_says() {
    mean_what_the_book_says("guards", 48);
}

#[test]
fn laws_hold_of_guards() {
    laws_hold("guards");
}

#[test]
fn attachments_mean_what_the_book_says() {
    mean_what_the_book_says("attachments", 100);
}

#[test]
fn boards_mean_what_the_book_says() {
    mean_what_the_book_says("boards", 17);
}

#[test]
fn what_tests_say_of_chance_means_what_the_book_says() {
    mean_what_the_book_says("chance", 8);
}

#[test]
fn dice_mean_what_the_book_says() {
    mean_what_the_book_says("dice", 8);
}

#[test]
fn ends_are_as_the_book_says() {
    mean_what_the_book_says("ends", 24);
}

#[test]
fn the_laws_hold_of_scores_teams_and_seats() {
    laws_hold("ends");
}

#[test]
fn what_members_have_means_what_the_book_says() {
    mean_what_the_book_says("members", 20);
}

#[test]
fn lists_come_in_their_order() {
    mean_what_the_book_says("lists", 28);
}

#[test]
fn the_laws_hold_of_lists() {
    laws_hold("lists");
}

#[test]
fn what_a_component_is_goes_by_its_face() {
    mean_what_the_book_says("kinds", 11);
}

#[test]
fn the_laws_hold_of_mixed_decks() {
    laws_hold("kinds");
}

#[test]
fn words_that_few_games_need_mean_what_the_book_says() {
    mean_what_the_book_says("forms", 20);
}

#[test]
fn people_are_as_the_book_says() {
    mean_what_the_book_says("people", 15);
}

#[test]
fn secrets_are_as_the_book_says() {
    mean_what_the_book_says("laws", 2);
}

#[test]
fn what_must_be_left_is_tried_as_the_book_says() {
    mean_what_the_book_says("trying", 6);
}

#[test]
fn the_laws_hold_of_what_is_tried() {
    laws_hold("trying");
}

#[test]
fn the_laws_hold_where_cards_attach() {
    laws_hold("attachments");
}

#[test]
fn the_laws_hold_on_boards() {
    laws_hold("boards");
}

#[test]
fn the_laws_hold_with_dice() {
    laws_hold("dice");
}

#[test]
fn the_laws_hold_where_members_have_their_own() {
    laws_hold("members");
}

#[test]
fn the_laws_hold_of_people() {
    laws_hold("people");
}

#[test]
fn the_laws_hold_of_games_made_for_them() {
    laws_hold("laws");
}
