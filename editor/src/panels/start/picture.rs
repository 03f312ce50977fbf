//! Makes the picture of a game, as plain data: its board where a match begins, else some of its cards, else its dice. Done by a job, not in a frame.
use crate::analyses::make_game;
use crate::canvas::{Grid, Signs, Tile, Way};
use crate::panels::cards::data::{face_lines, name_of};
use crate::panels::play::tiles::{Players, make_tiles, player_colors};
use crate::play::session::{Begin, Start};
use crate::play::{Board, Session, Sitter};
use houserule::ide::Analysis;
use houserule::ide::cards::{Card, list_cards};
use houserule::play::Setup;
use std::collections::BTreeSet;

/// What is painted of a game.
#[derive(Clone, Debug)]
pub enum Picture {
    /// The first map with something to be seen.
    Board {
        /// How its places lie.
        grid: Grid,
        /// Its spaces.
        tiles: Vec<Tile>,
        /// The ways of a graph.
        ways: Vec<Way>,
    },
    /// Cards or tokens: unlike ones.
    Cards(Vec<Card>, Signs),
    /// Sides of a die.
    Dice(Vec<String>),
    /// There is neither.
    Nothing,
    /// So many errors are in its rules.
    Broken(usize),
}

/// On a board that is bare at the beginning, so many choices of bots are played first.
const CHOICES: usize = 12;

/// So many cards are shown at most.
const SHOWN: usize = 3;

impl Picture {
    /// The picture of a game that is played on a scenario, or without one.
    pub fn from_analysis(analysis: &Analysis, scenario: Option<&str>) -> Picture {
        let Some(game) = make_game(analysis) else {
            let errors = analysis.report.findings.iter().filter(|d| d.is_error()).count();
            return Picture::Broken(errors.max(1));
        };
        let setup = Setup { scenario: scenario.map(String::from), ..Setup::default() };
        let random = Sitter::from_word("random");
        let start = Start { setup, sitters: vec![random; 16], begin: Begin::Start };
        // A game that fails where it begins has cards all the same.
        let board = Session::start(&game, &analysis.files, &start).ok().and_then(|mut s| {
            let mut board = find_board(&mut s)?;
            if board.is_bare() {
                for _ in 0..CHOICES {
                    if !s.step_bot().unwrap_or(false) {
                        break;
                    }
                }
                board = find_board(&mut s)?;
            }
            Some(board)
        });
        board.or_else(|| find_cards(analysis)).or_else(|| find_dice(analysis)).unwrap_or(Picture::Nothing)
    }

    /// Whether nothing but ground is seen.
    fn is_bare(&self) -> bool {
        let bare = |t: &Tile| t.tokens.is_empty() && t.text.is_empty() && t.figure.is_none();
        matches!(self, Picture::Board { tiles, .. } if tiles.iter().all(bare))
    }
}

/// The first map that is a grid, as the first seat sees it.
fn find_board(s: &mut Session) -> Option<Picture> {
    let board = Board::from_match(s.the_match_mut(), 0, None);
    let colors = player_colors(&board);
    let names: Vec<String> = board.players.iter().map(|p| p.title.clone()).collect();
    let faces = board.players.iter().map(|p| &p.face).collect();
    let players = Players { names: &names, colors: &colors, faces };
    let signs = Signs::from_looks(&board.signs);
    board.maps.iter().find_map(|map| {
        let mut tiles = make_tiles(map, &players, &signs);
        tiles.retain(|t| t.space);
        let grid = Grid { hexes: map.hexes, slanted: map.slanted, columns: map.size.0, rows: map.size.1 };
        (!tiles.is_empty()).then(|| Picture::Board { grid, tiles, ways: map.ways.clone() })
    })
}

/// Cards that look unlike each other, those with the most on their faces first.
fn find_cards(analysis: &Analysis) -> Option<Picture> {
    let set = list_cards(analysis);
    let dice = |kind: &str| analysis.model.kinds.iter().any(|k| *k.name == *kind && !k.sides.is_empty());
    let groups = set.groups.iter().filter(|g| !dice(&g.kind));
    let mut all: Vec<&Card> = groups.flat_map(|g| &g.cards).collect();
    all.sort_by_key(|c| std::cmp::Reverse(face_lines(c).iter().map(|t| t.len()).sum::<usize>().min(60)));
    let mut seen = BTreeSet::new();
    all.retain(|c| seen.insert(name_of(c)));
    let cards: Vec<Card> = all.into_iter().take(SHOWN).cloned().collect();
    (!cards.is_empty()).then(|| Picture::Cards(cards, Signs::from_looks(&set.signs)))
}

/// The highest sides of the first kind of dice.
fn find_dice(analysis: &Analysis) -> Option<Picture> {
    let sides = analysis.model.kinds.iter().map(|k| &k.sides).find(|sides| !sides.is_empty())?;
    let shown = sides.iter().rev().take(SHOWN).map(|side| side.value.to_string());
    Some(Picture::Dice(shown.collect()))
}
