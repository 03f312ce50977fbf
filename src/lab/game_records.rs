//! What came of each game of a simulation, in columns: the memory of a million short games is one block a column, and adding a game allocates nothing of its own.
use houserule_engine::Verdict;
use houserule_text::Diagnostic;

/// One game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameRecord<'a> {
    /// Its number, from 0.
    pub game: u64,
    /// The seed of its chance.
    pub seed: u64,
    /// Choices that were made; of a game that failed, those before the one that brought the failure.
    pub choices: u64,
    /// Turns begun.
    pub turns: i32,
    /// Each player's lot; empty if it was not finished.
    pub verdicts: &'a [Verdict],
    /// Each player's deciding number, where numbers decide.
    pub scores: &'a [i64],
    /// Why it was not finished.
    pub unfinished: Option<&'a str>,
    /// The rule error, with its place and the rules' stack, if the rules failed in it; `unfinished` is then its message.
    pub fault: Option<&'a Diagnostic>,
    /// What was used, by place in [`super::simulate::Summary::use_names`], in order, and how often.
    pub uses: &'a [(u32, u32)],
    /// For each of them, the players who used it, as bits.
    pub users: &'a [u32],
}

/// Why a game was not finished.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Unfinished {
    pub why: String,
    /// The rule error, if the rules failed.
    pub fault: Option<Box<Diagnostic>>,
}

/// Games in order of number.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GameRecords {
    rows: Vec<Row>,
    verdicts: Vec<Verdict>,
    scores: Vec<i64>,
    uses: Vec<(u32, u32)>,
    users: Vec<u32>,
    unfinished: Vec<Unfinished>,
    visits: Vec<Visits>,
}

/// How often choices named a space, over all games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Visits {
    /// Times in all.
    pub times: u64,
    /// Games with at least one.
    pub games: u64,
    /// The first of these games, by its number.
    pub first: u64,
}

impl Visits {
    /// Adds those of other games.
    pub fn merge(&mut self, other: Visits) {
        let first = if self.games == 0 { other.first } else { self.first.min(other.first) };
        self.first = if other.games == 0 { self.first } else { first };
        self.times += other.times;
        self.games += other.games;
    }
}

/// What each game has one of, and how many entries of the columns are its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Row {
    game: u64,
    seed: u64,
    choices: u64,
    turns: i32,
    uses: u32,
    verdicts: u8,
    scores: u8,
    unfinished: bool,
}

/// A game that is being added: what it has one of.
pub(super) struct NewGame {
    pub game: u64,
    pub seed: u64,
    pub choices: u64,
    pub turns: i32,
    pub unfinished: Option<Unfinished>,
}

impl GameRecords {
    /// Adds a game. `uses` writes what was used, and by whom, at the end of their columns; `spaces` says how often each space was chosen, map after map.
    pub(super) fn push<'v>(
        &mut self,
        new: NewGame,
        verdicts: impl Iterator<Item = &'v Verdict>,
        scores: impl Iterator<Item = i64>,
        uses: impl FnOnce(&mut Vec<(u32, u32)>, &mut Vec<u32>),
        spaces: &[u32],
    ) {
        let before = (self.verdicts.len(), self.scores.len(), self.uses.len());
        self.verdicts.extend(verdicts);
        self.scores.extend(scores);
        uses(&mut self.uses, &mut self.users);
        if self.visits.len() < spaces.len() {
            self.visits.resize(spaces.len(), Visits::default());
        }
        for (visits, times) in self.visits.iter_mut().zip(spaces).filter(|(_, times)| **times > 0) {
            visits.merge(Visits { times: u64::from(*times), games: 1, first: new.game });
        }
        self.rows.push(Row {
            game: new.game,
            seed: new.seed,
            choices: new.choices,
            turns: new.turns,
            uses: (self.uses.len() - before.2) as u32,
            verdicts: (self.verdicts.len() - before.0) as u8,
            scores: (self.scores.len() - before.1) as u8,
            unfinished: new.unfinished.is_some(),
        });
        self.unfinished.extend(new.unfinished);
    }

    /// Adds the games of another behind these.
    pub(super) fn append(&mut self, mut other: GameRecords) {
        self.rows.append(&mut other.rows);
        self.verdicts.append(&mut other.verdicts);
        self.scores.append(&mut other.scores);
        self.uses.append(&mut other.uses);
        self.users.append(&mut other.users);
        if self.visits.len() < other.visits.len() {
            self.visits.resize(other.visits.len(), Visits::default());
        }
        self.visits.iter_mut().zip(other.visits).for_each(|(own, new)| own.merge(new));
        self.unfinished.append(&mut other.unfinished);
    }

    /// How many games.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no games.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// How many games were not finished.
    pub fn unfinished(&self) -> usize {
        self.unfinished.len()
    }

    /// How often each space was chosen, map after map; empty where uses were not counted.
    pub fn visits(&self) -> &[Visits] {
        &self.visits
    }

    /// The first game.
    pub fn first(&self) -> Option<GameRecord<'_>> {
        self.iter().next()
    }

    /// The games in order.
    pub fn iter(&self) -> impl Iterator<Item = GameRecord<'_>> {
        let (mut verdicts, mut scores) = (self.verdicts.as_slice(), self.scores.as_slice());
        let (mut uses, mut users) = (self.uses.as_slice(), self.users.as_slice());
        let mut unfinished = self.unfinished.iter();
        self.rows.iter().map(move |row| {
            let open = if row.unfinished { unfinished.next() } else { None };
            GameRecord {
                game: row.game,
                seed: row.seed,
                choices: row.choices,
                turns: row.turns,
                verdicts: take(&mut verdicts, usize::from(row.verdicts)),
                scores: take(&mut scores, usize::from(row.scores)),
                unfinished: open.map(|u| u.why.as_str()),
                fault: open.and_then(|u| u.fault.as_deref()),
                uses: take(&mut uses, row.uses as usize),
                users: take(&mut users, row.uses as usize),
            }
        })
    }
}

/// Takes the first entries of a column.
fn take<'a, T>(column: &mut &'a [T], n: usize) -> &'a [T] {
    let (first, rest) = column.split_at(n.min(column.len()));
    *column = rest;
    first
}
