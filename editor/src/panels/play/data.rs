//! What the Play pane shows, as plain data: made from the session when something has changed, not in every frame.
use super::tiles;
use crate::canvas::{Signs, Tile};
use crate::play::session::seat_name;
use crate::play::time_line::{self, LogEntry, Tick};
use crate::play::{Board, Choices, Session, Sitter};
use egui::Color32;
use houserule::play::HandedOn;
use houserule::program::ir::Program;

/// A seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seat {
    /// The players that it answers for, in words.
    pub name: String,
    /// Their numbers.
    pub players: Vec<usize>,
    /// Who sits there.
    pub sitter: Sitter,
    /// Whether it is asked something now.
    pub asked: bool,
}

/// Everything that is shown of a playtest.
#[derive(Clone, PartialEq, Debug)]
pub struct Data {
    /// What the seat sees whose view is shown.
    pub board: Board,
    /// Its maps as they are painted.
    pub tiles: Vec<Vec<Tile>>,
    /// What is drawn in the place of words.
    pub signs: Signs,
    /// What it may choose.
    pub choices: Option<Choices>,
    /// What it may know of what has happened.
    pub log: Vec<LogEntry>,
    /// The time line as it may know it.
    pub ticks: Vec<Tick>,
    /// After how many choices play stands, and how many the line has.
    pub step: (usize, usize),
    /// The name of the step where play stands.
    pub mark: Option<String>,
    /// All lines, and which is played.
    pub lines: (Vec<String>, usize),
    /// All seats.
    pub seats: Vec<Seat>,
    /// Whose view is shown.
    pub view_as: usize,
    /// Names of players, by number.
    pub players: Vec<String>,
    /// Their colours.
    pub colors: Vec<Color32>,
    /// Whether the game is over.
    pub over: bool,
    /// The number by which it can be played again, at its end: before that, whoever has it could know every secret.
    pub seed: Option<u64>,
    /// What its end hands to the next game of a campaign, or why it cannot.
    pub handed: Option<Result<HandedOn, String>>,
}

/// The players for whom a seat answers.
fn answered_by(program: &Program, seat: usize) -> Vec<usize> {
    let all = program.answered.iter().enumerate();
    all.filter(|(_, seats)| seat < 32 && **seats >> seat & 1 == 1).map(|(i, _)| i).collect()
}

impl Data {
    /// What a playtest shows now.
    pub fn from_session(s: &mut Session) -> Data {
        let view_as = s.view_as();
        let choices = s.list_choices();
        let board = Board::from_match(s.the_match_mut(), view_as, choices.as_ref());
        let handed = s.hand_on();
        let m = s.the_match();
        let program = m.program().clone();
        let asked = m.questions().iter().fold(0u32, |all, q| all | q.seats);
        let (lines, at) = s.lines();
        let players: Vec<String> = (0..m.player_count()).map(|i| m.player_name(i)).collect();
        let colors = tiles::player_colors(&board);
        let drawn = tiles::Players {
            names: &players,
            colors: &colors,
            faces: board.players.iter().map(|p| &p.face).collect(),
        };
        let signs = Signs::from_looks(&board.signs);
        let tiles = board.maps.iter().map(|map| tiles::make_tiles(map, &drawn, &signs)).collect();
        Data {
            tiles,
            signs,
            board,
            choices,
            log: time_line::list_log(m, s.files(), view_as),
            ticks: time_line::list_ticks(s, view_as),
            step: (m.step(), m.steps().len()),
            mark: s.line().marks.iter().find(|k| k.step == m.step()).map(|k| k.name.clone()),
            lines: (lines.iter().map(|l| l.name.clone()).collect(), at),
            seats: s
                .sitters()
                .iter()
                .enumerate()
                .map(|(i, sitter)| Seat {
                    name: seat_name(&program, i),
                    players: answered_by(&program, i),
                    sitter: sitter.clone(),
                    asked: i < 32 && asked >> i & 1 == 1,
                })
                .collect(),
            view_as,
            players,
            colors,
            over: m.is_over(),
            seed: m.is_over().then(|| m.setup().seed),
            handed,
        }
    }

    /// The colour of a player.
    pub fn player_color(&self, player: usize) -> Option<Color32> {
        self.colors.get(player).copied()
    }

    /// Whether a map is drawn as a grid.
    pub fn is_grid(&self, map: usize) -> bool {
        self.tiles.get(map).is_some_and(|t| !t.is_empty())
    }
}
