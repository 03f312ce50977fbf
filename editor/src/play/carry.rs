//! Plays a match again under rules that have changed meanwhile. Choices are found again by what they are called, whatever else is on offer now; the first step at which a seat sees something
//! else is shown as it was and as it is.
use super::Board;
use super::session::{NamedStep, Session, Sitter};
use super::time_line::list_log;
use houserule::lab::given::load_match;
use houserule::play::{Game, LoadError, Match};
use houserule::text::Files;

/// So many places that differ are told of one side.
const TOLD: usize = 8;

/// A line of play that is to be played again, with who sits where and what is shown.
pub struct OldLine {
    /// The whole line; it stands at its end.
    pub m: Match,
    /// The texts of its game.
    pub files: Files,
    /// Where play stood in it.
    pub step: usize,
    /// Named places.
    pub marks: Vec<NamedStep>,
    /// Who sits where.
    pub sitters: Vec<Sitter>,
    /// Whose view is shown.
    pub view_as: usize,
}

/// A match that was played again.
pub struct Carried {
    /// It, as far as it goes.
    pub session: Session,
    /// Where it parts from what was, if it does.
    pub parting: Option<Parting>,
}

/// The first step at which a match is not as it was, as one seat may know it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parting {
    /// After so many choices.
    pub step: usize,
    /// Of so many.
    pub all: usize,
    /// What was chosen there; none at the beginning.
    pub choice: Option<String>,
    /// Why that cannot be chosen now; none if something else came of it.
    pub refused: Option<String>,
    /// What happened and what stood where, under the old rules.
    pub old: Vec<String>,
    /// The same under the new ones.
    pub new: Vec<String>,
}

impl OldLine {
    /// The whole line that is played.
    pub fn from_session(session: &Session) -> OldLine {
        let mut m = session.the_match().fork();
        let step = m.step();
        m.at(m.steps().len());
        OldLine {
            m,
            files: session.files().clone(),
            step,
            marks: session.line().marks.clone(),
            sitters: session.sitters().to_vec(),
            view_as: session.view_as(),
        }
    }

    /// Plays it again with another game.
    ///
    /// # Errors
    /// Why nothing of it can be played, in sentences.
    pub fn carry(mut self, game: &Game, files: &Files) -> Result<Carried, Vec<String>> {
        let all = self.m.step();
        let loaded = load_match(game, files, &self.m.save()).map_err(|e| match e {
            LoadError::Setup(r) => r.findings.iter().map(|d| d.message.clone()).collect(),
            e => vec![e.to_string()],
        })?;
        let mut new = loaded.game;
        let taken = new.step();
        let parting = match self.find_difference(&mut new, files, taken) {
            Some(found) => Some(found),
            None => loaded.parted.filter(|p| p.seat.is_some()).map(|p| {
                let refused = Some(p.redact_for(Some(self.view_as)).why);
                self.describe_parting(&mut new, files, taken, refused)
            }),
        };
        let to = parting.as_ref().map_or(self.step, |p| p.step.saturating_sub(1).min(self.step));
        new.at(taken);
        let mut session = Session::from_match(new, files, self.sitters);
        session.set_view_as(self.view_as);
        self.marks.retain(|k| k.step <= taken);
        session.set_marks(self.marks);
        session.go_to_step(to.min(taken));
        Ok(Carried { session, parting: parting.map(|p| Parting { all, ..p }) })
    }

    /// The first step up to `taken` at which the seat sees something else.
    fn find_difference(&mut self, new: &mut Match, files: &Files, taken: usize) -> Option<Parting> {
        let seat = self.view_as;
        let step = (0..=taken).find(|step| {
            self.m.at(*step) && new.at(*step) && {
                list_news(&self.m, &self.files, seat, *step) != list_news(new, files, seat, *step)
                    || list_places(&mut self.m, seat) != list_places(new, seat)
            }
        })?;
        Some(self.describe_parting(new, files, step, None))
    }

    /// Tells what a step was and is; one that cannot be taken any more comes behind the last that was taken.
    fn describe_parting(
        &mut self,
        new: &mut Match,
        files: &Files,
        step: usize,
        refused: Option<String>,
    ) -> Parting {
        let seat = self.view_as;
        let of = step + usize::from(refused.is_some());
        self.m.at(of);
        new.at(step);
        let own = of.checked_sub(1).and_then(|i| self.m.steps().get(i)).filter(|s| s.seat == seat);
        let own = own.map(|s| s.words.clone());
        // The words of a save stand before the reason.
        let refused = refused.map(|why| match &own {
            Some(words) => why.strip_prefix(&format!("`{words}`: ")).map_or(why.clone(), String::from),
            None => why,
        });
        let acts = list_log(&self.m, &self.files, seat).into_iter();
        let told = acts
            .filter(|l| l.step == of && l.player.is_some())
            .map(|l| l.text)
            .reduce(|a, b| format!("{a}; {b}"));
        let choice = told.or(own);
        let mut old = list_news(&self.m, &self.files, seat, of);
        let mut now = match refused {
            Some(_) => Vec::new(),
            None => list_news(new, files, seat, step),
        };
        if refused.is_none() {
            let (before, after) = (list_places(&mut self.m, seat), list_places(new, seat));
            add_differences(&mut old, &before, &after);
            add_differences(&mut now, &after, &before);
        }
        Parting { step: of, all: 0, choice, refused, old, new: now }
    }
}

/// What a step told a seat.
fn list_news(m: &Match, files: &Files, seat: usize, step: usize) -> Vec<String> {
    let log = list_log(m, files, seat).into_iter();
    log.filter(|l| l.step == step && !l.detail).map(|l| l.text).collect()
}

/// What a seat sees, place by place: what it is called, and everything there.
fn list_places(m: &mut Match, seat: usize) -> Vec<(String, String)> {
    let board = Board::from_match(m, seat, None);
    let mut out = vec![(String::from("now"), board.clock.clone())];
    for map in &board.maps {
        out.extend(map.cells.iter().map(|c| (format!("{} {}", map.name, c.place), c.said.clone())));
    }
    for h in board.table.iter().chain(&board.players).chain(&board.others) {
        out.push((h.title.clone(), h.describe()));
        let piles = h.piles.iter();
        out.extend(
            piles.map(|p| (format!("{} {}", h.title, p.zone), format!("{}, {}", h.title, p.describe()))),
        );
    }
    out.extend(board.ending.iter().map(|line| (format!("end {line}"), line.clone())));
    out
}

/// Adds the places of `these` that `others` have not, or have otherwise.
fn add_differences(lines: &mut Vec<String>, these: &[(String, String)], others: &[(String, String)]) {
    let mut more = 0;
    for (place, said) in these {
        let same = others.iter().any(|(p, s)| p == place && s == said);
        if !same && lines.len() < TOLD {
            lines.push(said.clone());
        } else if !same {
            more += 1;
        }
    }
    if more > 0 {
        lines.push(format!("and {more} more places"));
    }
}
