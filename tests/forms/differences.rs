//! Whether a change of a text makes a difference that a player, a test or the checker can see.
use super::texts::Text;
use crate::support::setups;
use houserule::bots::{Bot, answer_question};
use houserule::engine::{Stream, below};
use houserule::ide::Analysis;
use houserule::ide::draw::{Drawing, list_sheets};
use houserule::lab::testing::{self, Lot, TestLimits};
use houserule::play::{Ending, Game, Match, Setup, outcome_text};
use houserule::text::{Files, Severity};
use std::fmt::Write;
use std::sync::OnceLock;

/// How a change shows, the strongest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Shown {
    /// A test ends otherwise.
    Test,
    /// A random match, or one of a bot, goes otherwise: questions, answers, views, log, end.
    Match,
    /// The editor draws or lists something else.
    Drawing,
    /// It is refused where it stands: errors go with it.
    Refused,
    /// The rest is refused: errors come without it.
    Needed,
    /// The checker warns otherwise.
    Warning,
}

impl Shown {
    const ALL: [Shown; 6] =
        [Shown::Test, Shown::Match, Shown::Drawing, Shown::Refused, Shown::Needed, Shown::Warning];

    /// By its word in the table.
    pub fn named(word: &str) -> Option<Shown> {
        Shown::ALL.into_iter().find(|s| s.to_string() == word)
    }
}

impl std::fmt::Display for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Shown::Test => "test",
            Shown::Match => "match",
            Shown::Drawing => "drawing",
            Shown::Refused => "refused",
            Shown::Needed => "needed",
            Shown::Warning => "warning",
        })
    }
}

/// How far tests of changed rules may go: one that never ends is soon over.
const TIGHT: TestLimits = TestLimits { stretch: Some(20_000), steps: 1_000 };

/// Choices of a random match.
const CHOICES: usize = 40;

/// What is seen of a source, each thing looked at once it is asked for.
pub struct Sight {
    files: Files,
    /// Findings with their codes; those of errors begin with `E`.
    findings: Vec<String>,
    game: Option<Game>,
    tests: OnceLock<Vec<(String, bool)>>,
    matches: OnceLock<String>,
    drawing: OnceLock<String>,
}

impl Sight {
    /// `None`: the text cannot be read.
    pub fn of(text: &Text, changed: &str) -> Option<Sight> {
        let files = text.with(changed);
        let mut game = None;
        let report = match Game::load(&files) {
            Ok(g) => {
                let report = g.warnings().clone();
                game = Some(g);
                report
            }
            Err(report) => report,
        };
        let mut findings: Vec<String> =
            report.findings.iter().map(|d| format!("{} {}", d.code.0, d.message)).collect();
        if report.findings.iter().any(|d| d.severity == Severity::Error && d.code.0 < "E0190") {
            return None;
        }
        findings.sort();
        Some(Sight {
            files,
            findings,
            game,
            tests: OnceLock::new(),
            matches: OnceLock::new(),
            drawing: OnceLock::new(),
        })
    }

    fn tests(&self) -> &[(String, bool)] {
        self.tests.get_or_init(|| {
            let Some(game) = &self.game else { return Vec::new() };
            let lot = |i| testing::play_lot(game, i, &TIGHT) == Lot::Passed;
            game.model().tests.iter().enumerate().map(|(i, t)| (t.title.to_string(), lot(i))).collect()
        })
    }

    /// Whether a test ends otherwise; a test that is gone or new tells nothing.
    fn tests_differ(&self, other: &Sight) -> bool {
        self.tests().iter().any(|(title, lot)| other.tests().iter().any(|(t, l)| t == title && l != lot))
    }

    fn matches(&self) -> &str {
        self.matches.get_or_init(|| {
            let Some(game) = &self.game else { return String::new() };
            let mut out = String::new();
            let mut all = setups(game);
            if all.is_empty() {
                all.push(Setup::default());
            }
            let scenarios = game.model().scopes.iter().map(|s| s.name.to_string());
            let named = scenarios.map(|s| Setup { scenario: Some(s), ..Setup::default() });
            all.extend(named.filter(|s| game.lower_setup(s).is_ok()).collect::<Vec<_>>());
            for setup in all.into_iter().take(4) {
                for seed in 1..=2 {
                    let setup = Setup { seed, timed: true, ..setup.clone() };
                    out += &match game.start(&setup) {
                        Ok(m) => course(m, seed, seed == 2),
                        Err(r) => {
                            format!("{:?}\n", r.findings.iter().map(|d| &d.message).collect::<Vec<_>>())
                        }
                    };
                }
            }
            out
        })
    }

    fn drawing(&self) -> &str {
        self.drawing.get_or_init(|| {
            let analysis = Analysis::from_source(&self.files);
            let mut out = String::new();
            for sheet in list_sheets(&analysis) {
                let Some(d) = Drawing::from_analysis(&analysis, &sheet.id) else { continue };
                let _ = writeln!(out, "{:?} {}", sheet.id, sheet.title);
                for b in &d.boards {
                    let _ = writeln!(out, "{} {} {:?}", b.name, b.spaces, b.lattice);
                    for c in &b.cells {
                        let _ = writeln!(
                            out,
                            "{:?} {:?} {} {:?} {:?}",
                            c.at, c.sign, c.space, c.meaning, c.colour
                        );
                    }
                }
                for f in &d.fields {
                    let _ = writeln!(out, "{:?}", without_spans(&format!("{f:?}")));
                }
                for l in &d.listed {
                    let _ = writeln!(out, "{:?}", without_spans(&format!("{l:?}")));
                }
            }
            out
        })
    }

    /// Whether another source of the same text shows itself as another in this way.
    pub fn differs_in(&self, other: &Sight, how: Shown) -> bool {
        let (played, both) = (self.game.is_some(), self.game.is_some() && other.game.is_some());
        match how {
            Shown::Test => both && self.tests_differ(other),
            Shown::Match => both && self.matches() != other.matches(),
            Shown::Drawing => both && self.drawing() != other.drawing(),
            Shown::Refused => !played && self.findings != other.findings,
            Shown::Needed => played && !both,
            Shown::Warning => both && self.findings != other.findings,
        }
    }

    /// How another source of the same text shows itself as another: in the strongest way.
    pub fn differs(&self, other: &Sight) -> Option<Shown> {
        Shown::ALL.into_iter().find(|how| self.differs_in(other, *how))
    }
}

/// A text of debugging without the places in files that it holds.
fn without_spans(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("Span {") {
        out += before;
        rest = behind.split_once('}').map_or("", |(_, r)| r);
    }
    out + rest
}

/// A match of random answers, or of a greedy bot's, as text.
fn course(mut m: Match, seed: u64, greedy: bool) -> String {
    let mut out = String::new();
    let mut chance = Stream::new(seed, 1);
    let mut bot = Bot::Greedy.make_policy(seed);
    for step in 0..CHOICES {
        let asked = match m.decisions() {
            Ok(all) => all,
            Err(e) => {
                let _ = writeln!(out, "{e}");
                break;
            }
        };
        if asked.is_empty() {
            break;
        }
        for d in &asked {
            let _ =
                writeln!(out, "{} {:?} {} {:?} {} {}", d.name, d.seats, d.prompt, d.kind, d.count, d.anybody);
            let _ = writeln!(out, "{:?}", m.clock(d.question));
            for o in m.list_options(d.question, 0, 30).unwrap_or_default() {
                let _ = writeln!(out, "  {} ({})", o.words, o.title);
            }
        }
        if step % 8 == 0 {
            views(&mut m, &mut out);
        }
        let d = &asked[below(asked.len() as u64, || chance.draw()) as usize];
        let Some(seat) = d.seats.first().copied() else { break };
        let taken = if greedy {
            answer_question(&mut m, seat, d.question, &mut *bot)
        } else {
            let k = below(d.count.clamp(1, 1 << 20), || chance.draw());
            match m.list_options(d.question, k, 1).map(|o| o.into_iter().next()) {
                Ok(Some(o)) => m.choose(seat, d.question, &o.choice),
                Ok(None) => break,
                Err(e) => Err(e),
            }
        };
        if let Err(e) = taken {
            let _ = writeln!(out, "{e}");
            break;
        }
    }
    views(&mut m, &mut out);
    out
}

/// What every seat sees, and its log.
fn views(m: &mut Match, out: &mut String) {
    for seat in 0..m.seat_count() {
        let view = m.view(seat);
        let _ = writeln!(out, "{}", serde_json::to_string(&view).unwrap_or_default());
        for line in m.log(Some(seat)) {
            let _ = writeln!(out, "{:?} {}", line.kind, line.text);
        }
        let sheets = m.sheets();
        if let Some(Ending::Over(outcome)) = m.ending() {
            for line in outcome_text::end_lines(&view, &outcome, false, &sheets) {
                let _ = writeln!(out, "{line:?}");
            }
            let _ = writeln!(out, "{sheets:?}");
        }
    }
}
