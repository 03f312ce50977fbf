//! What Measure shows, as plain data: made of the figures of a run, and of the run kept for comparison, when one of them has changed.
use houserule::lab::compare::{Change, Comparison, Difference, compare_runs};
use houserule::lab::figures::{ENOUGH, Figures, Lot, Sample};
use houserule::lab::stats::{Share, Spread};

/// A number with the games that it counts.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Cell {
    /// The number in words: `52.0 % (42.3 to 61.5)`.
    pub text: String,
    /// What its games are: `a game that Ann won`.
    pub told: String,
    /// The first of its games; empty if there is none to show.
    pub games: Vec<u64>,
    /// What has changed since the run kept for comparison.
    pub change: Option<ChangeText>,
}

/// A difference in words.
#[derive(Clone, PartialEq, Debug)]
pub struct ChangeText {
    /// `+3.1 (-0.2 to +6.4)`
    pub text: String,
    /// What it says.
    pub change: Change,
}

impl ChangeText {
    /// A difference times `by`.
    fn new(d: &Difference, by: f64) -> ChangeText {
        let text = format!("{:+.1} ({:+.1} to {:+.1})", d.value * by, d.low * by, d.high * by);
        ChangeText { text, change: d.change() }
    }

    /// What it says, in words.
    pub fn words(&self) -> &'static str {
        change_words(self.change)
    }
}

/// What a difference says, in words.
pub fn change_words(change: Change) -> &'static str {
    match change {
        Change::TooFew => "not enough games",
        Change::More => "more for sure",
        Change::Less => "less for sure",
        Change::Unsure => "may be chance",
    }
}

/// A bar with its interval.
#[derive(Clone, PartialEq, Debug)]
pub struct Bar {
    /// The player's number.
    pub player: usize,
    /// Share and interval, from 0 to 1.
    pub share: (f64, f64, f64),
    /// The same of the run kept for comparison.
    pub before: Option<(f64, f64, f64)>,
}

/// A player's row.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayerRow {
    /// Name.
    pub name: String,
    /// Who played for the player.
    pub policy: String,
    /// By lot, in the order of [`Lot::ALL`]; none where no player has ever had it.
    pub lots: Vec<Option<Cell>>,
    /// The deciding number.
    pub score: Option<Cell>,
    /// How often the player won.
    pub bar: Bar,
}

/// A row of what was used.
#[derive(Clone, PartialEq, Debug)]
pub struct UseRow {
    /// Its kind and name: `card guard`.
    pub name: String,
    /// In how many games.
    pub games: Cell,
    /// How often a game.
    pub times: Cell,
    /// How often those who used it won.
    pub won: Cell,
    /// What that says, compared with all players.
    pub says: &'static str,
    /// The numbers to sort by: games, times, won.
    pub keys: [f64; 3],
}

/// By what the rows of uses are sorted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SortBy {
    /// By name.
    #[default]
    Name,
    /// By the share of games, the greatest first.
    Games,
    /// By times a game.
    Times,
    /// By the win rate of those who used it.
    Won,
}

/// Everything that is shown.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Data {
    /// How many games the figures are of.
    pub games: u64,
    /// Whether there are enough of them to say anything.
    pub enough: bool,
    /// How the two runs were compared; none without a run to compare with.
    pub compared: Option<String>,
    /// Lots that occur.
    pub lots: Vec<Lot>,
    /// The players who play.
    pub players: Vec<PlayerRow>,
    /// How often any player wins.
    pub won: Option<f64>,
    /// Choices a game: mean, shortest, longest.
    pub lengths: Vec<(&'static str, Cell)>,
    /// Least and greatest length of a bar, and its games.
    pub bars: Vec<(u64, u64, Sample)>,
    /// The same bars of the run kept for comparison, as shares of all its games.
    pub bars_before: Vec<(u64, u64, f64)>,
    /// What was used.
    pub uses: Vec<UseRow>,
    /// Why games were not finished.
    pub unfinished: Vec<Cell>,
}

/// So many bars a histogram has at most.
const BARS: u64 = 24;

/// A share in percent with its interval, as `houserule sim` prints it.
pub fn percent_text(share: Share) -> String {
    let (low, high) = share.interval();
    format!("{:.1} % ({:.1} to {:.1})", share.value() * 100.0, low * 100.0, high * 100.0)
}

/// A mean with its interval and bounds, as `houserule sim` prints it.
pub fn spread_text(s: &Spread) -> String {
    format!("{:.2} (+- {:.2}), {} to {}", s.mean(), s.margin(), s.least(), s.greatest())
}

fn with_interval(share: Share) -> (f64, f64, f64) {
    let (low, high) = share.interval();
    (share.value(), low, high)
}

impl Data {
    /// What the figures say; `before` are those of the run kept for comparison.
    pub fn from_figures(now: &Figures, before: Option<&Figures>) -> Data {
        let compared = before.map(|before| compare_runs(now, before));
        let playing = || now.players.iter().enumerate().filter(|(_, p)| p.playing);
        let lots: Vec<Lot> = Lot::ALL
            .into_iter()
            .filter(|lot| *lot == Lot::Won || playing().any(|(_, p)| p.games_with(*lot).count > 0))
            .collect();
        let players = playing().map(|(i, _)| player_row(now, before, compared.as_ref(), &lots, i)).collect();
        // What the other run alone has used has a row, too.
        let names: Vec<&String> = match &compared {
            Some(c) => c.uses.keys().collect(),
            None => now.uses.keys().collect(),
        };
        let uses = names.into_iter().map(|name| use_row(now, compared.as_ref(), name)).collect();
        let bars = now.length_bars(BARS);
        let bars_before = before.map_or(Vec::new(), |before| {
            let all = before.finished.max(1) as f64;
            let of = |(low, high, games): (u64, u64, Sample)| (low, high, games.count as f64 / all);
            before.length_bars(BARS).into_iter().map(of).collect()
        });
        let unfinished = now.unfinished.iter().map(|u| Cell {
            text: format!("{} {}", count_text(u.games.count, "game"), u.why),
            told: format!("a game that was not finished: {}", u.why),
            games: u.games.games.clone(),
            change: None,
        });
        Data {
            games: now.games,
            enough: now.finished >= ENOUGH,
            compared: compared.as_ref().map(|c| match c.pairs {
                Some(1) => String::from("1 game compared with the game of the same seed; uses as a whole"),
                Some(n) => {
                    format!("{n} games, each compared with the game of the same seed; uses as a whole")
                }
                None => String::from("compared as different games: the seeds or the players differ"),
            }),
            lots,
            players,
            won: (now.share_won().of > 0).then(|| now.share_won().value()),
            lengths: length_cells(now, compared.as_ref()),
            bars,
            bars_before,
            uses,
            unfinished: unfinished.collect(),
        }
    }

    /// The rows of uses whose names have these words, sorted.
    pub fn list_uses(&self, wanted: &str, by: SortBy) -> Vec<&UseRow> {
        let words: Vec<String> = wanted.to_lowercase().split_whitespace().map(String::from).collect();
        let has = |row: &&UseRow| words.iter().all(|w| row.name.to_lowercase().contains(w));
        let mut rows: Vec<&UseRow> = self.uses.iter().filter(has).collect();
        let key = match by {
            SortBy::Name => return rows,
            SortBy::Games => 0,
            SortBy::Times => 1,
            SortBy::Won => 2,
        };
        rows.sort_by(|a, b| b.keys.get(key).unwrap_or(&0.0).total_cmp(a.keys.get(key).unwrap_or(&0.0)));
        rows
    }
}

fn player_row(
    now: &Figures,
    before: Option<&Figures>,
    compared: Option<&Comparison>,
    lots: &[Lot],
    i: usize,
) -> PlayerRow {
    let player = now.players.get(i);
    let name = player.map_or(String::new(), |p| p.name.clone());
    let change = compared.and_then(|c| c.players.get(i)?.as_ref());
    let cell = |lot: &Lot| {
        lots.contains(lot).then(|| Cell {
            text: percent_text(now.share(i, *lot)),
            told: format!("a game that {name} {}", lot.word()),
            games: player.map_or(Vec::new(), |p| p.games_with(*lot).games.clone()),
            change: change.map(|c| ChangeText::new(&c.of_lot(*lot), 100.0)),
        })
    };
    let score = player.filter(|p| p.scores.count() > 0).map(|p| Cell {
        text: spread_text(&p.scores),
        told: format!("a game with the highest score of {name}, then one with the lowest"),
        games: p.highest.game().into_iter().chain(p.lowest_game()).collect(),
        change: change.and_then(|c| c.score.as_ref()).map(|d| ChangeText::new(d, 1.0)),
    });
    let was = before.and_then(|b| Some((b, b.players.iter().position(|p| p.name == name)?)));
    PlayerRow {
        policy: player.map_or(String::new(), |p| p.policy.clone()),
        lots: Lot::ALL.iter().map(cell).collect(),
        score,
        bar: Bar {
            player: i,
            share: with_interval(now.share(i, Lot::Won)),
            before: was.map(|(b, at)| with_interval(b.share(at, Lot::Won))),
        },
        name,
    }
}

fn length_cells(now: &Figures, compared: Option<&Comparison>) -> Vec<(&'static str, Cell)> {
    let s = &now.length;
    if s.count() == 0 {
        return Vec::new();
    }
    let off = |choices: &u64| (*choices as f64 - s.mean()).abs();
    let nearest = now.lengths.iter().min_by(|a, b| off(a.0).total_cmp(&off(b.0)));
    let mean = Cell {
        text: format!("{:.2} (+- {:.2})", s.mean(), s.margin()),
        told: String::from("a game about as long as the mean"),
        games: nearest.map_or(Vec::new(), |(_, games)| games.games.clone()),
        change: compared.map(|c| ChangeText::new(&c.length, 1.0)),
    };
    let end = |entry: Option<(&u64, &Sample)>, told: &str| match entry {
        Some((choices, games)) => Cell {
            text: choices.to_string(),
            told: format!("a game with {choices} choices, the {told}"),
            games: games.games.clone(),
            change: None,
        },
        None => Cell::default(),
    };
    vec![
        ("mean", mean),
        ("shortest", end(now.lengths.first_key_value(), "fewest")),
        ("longest", end(now.lengths.last_key_value(), "most")),
    ]
}

fn use_row(now: &Figures, compared: Option<&Comparison>, name: &str) -> UseRow {
    let change = compared.and_then(|c| c.uses.get(name));
    let used = now.share_used(name);
    let u = now.uses.get(name).cloned().unwrap_or_default();
    let (times, won) = (u.times(now.games), u.share_won());
    UseRow {
        games: Cell {
            text: format!("{:.1} %", used.value() * 100.0),
            told: format!("a game in which {name} was used"),
            games: u.games.games,
            change: change.map(|c| ChangeText::new(&c.games, 100.0)),
        },
        times: Cell {
            text: format!("{:.2}", times.mean()),
            told: format!("the game in which {name} was used most"),
            games: u.most.game().into_iter().collect(),
            change: None,
        },
        won: Cell {
            text: if won.of == 0 { String::from("–") } else { percent_text(won) },
            told: format!("a game won by a player who used {name}"),
            games: u.won.games,
            change: change.map(|c| ChangeText::new(&c.won, 100.0)),
        },
        says: judge_use(won, now.share_won()),
        keys: [used.value(), times.mean(), won.value()],
        name: name.to_string(),
    }
}

/// Whether players who used something win more often than players do.
fn judge_use(won: Share, all: Share) -> &'static str {
    let (low, high) = won.interval();
    match all.value() {
        _ if won.of < ENOUGH => "not enough games",
        mean if low > mean => "wins more",
        mean if high < mean => "wins less",
        _ => "like all",
    }
}

/// So many things in words: `1 game`, `3 games`.
pub fn count_text(n: u64, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

/// All figures as comma-separated values, a number a line; those of the run kept for comparison stand below.
pub fn to_csv(now: (&str, &Figures), before: Option<(&str, &Figures)>) -> String {
    let mut out = String::from("run,part,name,figure,value,low,high,count,of\n");
    for (title, f) in std::iter::once(now).chain(before) {
        add_run(&mut out, title, f);
    }
    if let Some((title, before)) = before {
        add_changes(&mut out, &format!("{} less {title}", now.0), now.1, &compare_runs(now.1, before));
    }
    out
}

fn add_run(out: &mut String, run: &str, f: &Figures) {
    let mut add = |part: &str, name: &str, figure: &str, numbers: [String; 5]| {
        let words = [run, part, name, figure].map(csv_field);
        out.push_str(&format!("{},{}\n", words.join(","), numbers.join(",")));
    };
    let of_share = |s: Share| {
        let (low, high) = s.interval();
        [s.value().to_string(), low.to_string(), high.to_string(), s.count.to_string(), s.of.to_string()]
    };
    let of_spread = |s: &Spread| {
        let (mean, margin, n) = (s.mean(), s.margin(), s.count().to_string());
        [mean.to_string(), (mean - margin).to_string(), (mean + margin).to_string(), n.clone(), n]
    };
    for (i, p) in f.players.iter().enumerate().filter(|(_, p)| p.playing) {
        for lot in Lot::ALL {
            add("player", &p.name, lot.word(), of_share(f.share(i, lot)));
        }
        if p.scores.count() > 0 {
            add("player", &p.name, "score", of_spread(&p.scores));
        }
    }
    add("length", "", "choices", of_spread(&f.length));
    for (low, high, games) in f.length_bars(BARS) {
        let share = Share { count: games.count, of: f.finished };
        add("length", &format!("{low} to {high}"), "games", of_share(share));
    }
    for (name, u) in &f.uses {
        add("use", name, "games", of_share(f.share_used(name)));
        add("use", name, "times a game", of_spread(&u.times(f.games)));
        add("use", name, "won", of_share(u.share_won()));
    }
    for u in &f.unfinished {
        add("unfinished", &u.why, "games", of_share(Share { count: u.games.count, of: f.games }));
    }
}

fn add_changes(out: &mut String, run: &str, now: &Figures, all: &Comparison) {
    let mut add = |part: &str, name: &str, figure: &str, d: &Difference| {
        let words = [run, part, name, figure].map(csv_field);
        let n = d.games;
        out.push_str(&format!("{},{},{},{},{n},{n}\n", words.join(","), d.value, d.low, d.high));
    };
    for (p, change) in now.players.iter().zip(&all.players) {
        let Some(change) = change.as_ref().filter(|_| p.playing) else { continue };
        for lot in Lot::ALL {
            add("player", &p.name, lot.word(), &change.of_lot(lot));
        }
        if let Some(score) = &change.score {
            add("player", &p.name, "score", score);
        }
    }
    add("length", "", "choices", &all.length);
    for (name, change) in &all.uses {
        add("use", name, "games", &change.games);
        add("use", name, "won", &change.won);
    }
}

/// A field of a CSV file, in quotes where it needs them.
fn csv_field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_string()
    }
}
