//! A playtest: one or several lines of a match, who sits where, whose view is shown, and the bots.
use super::choices::{Choices, Picked, Picker};
use houserule::bots::{self, Policy, Sight};
use houserule::engine::{Choice, Machine, thing_title};
use houserule::lab::given;
use houserule::play::{
    Ending, Game, HandedOn, Illegal, LoadError, Match, Parted, Setup, Spot, UndoMode, fault_finding,
    seat_list,
};
use houserule::program::ir::Program;
use houserule::text::{Diagnostic, Files};

/// Who answers for a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sitter {
    /// Somebody at this window.
    Person,
    /// A bot of that name.
    Bot(&'static str),
}

impl Sitter {
    /// The bot of a seat for which nobody has chosen one: it looks one step ahead, answers quickly, and where players act freely it answers again only if something better is to be had.
    pub const USUAL_BOT: Sitter = Sitter::Bot("greedy");

    /// All that there are: people and every bot.
    pub fn all() -> Vec<Sitter> {
        std::iter::once(Sitter::Person).chain(bots::NAMES.map(Sitter::Bot)).collect()
    }

    /// The word that saves know it by.
    pub fn word(&self) -> &'static str {
        match self {
            Sitter::Person => "you",
            Sitter::Bot(name) => name,
        }
    }

    /// For people.
    pub fn title(&self) -> String {
        match self {
            Sitter::Person => String::from("person"),
            Sitter::Bot(name) => format!("{name} bot"),
        }
    }

    /// By its word in a save; people for words that are not known.
    pub fn from_word(word: &str) -> Sitter {
        bots::NAMES.iter().find(|n| **n == word).map_or(Sitter::Person, |n| Sitter::Bot(n))
    }
}

/// Where a match begins.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Begin {
    /// At the game's beginning.
    #[default]
    Start,
    /// Where the lines of the test of that title end.
    Test(String),
    /// In a state that a text describes: `given { … }`.
    Given(String),
    /// Where a saved match ends.
    Saved(String),
}

/// What a playtest starts with.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Start {
    /// The set-up; a test or a save brings its own.
    pub setup: Setup,
    /// Who sits where; people where nothing is said. A save brings its own if this is empty.
    pub sitters: Vec<Sitter>,
    /// Where it begins.
    pub begin: Begin,
}

/// Why a playtest does not start: what is wrong, with the files that the places are of.
#[derive(Clone, Debug)]
pub struct NoStart {
    /// In words, one finding a line; never empty.
    pub told: Vec<String>,
    /// The findings, where there are some.
    pub findings: Vec<Diagnostic>,
    /// The files that they are of.
    pub files: Files,
}

/// A place in the time line with a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedStep {
    /// After so many choices.
    pub step: usize,
    /// What it is called.
    pub name: String,
}

/// One line of play: a match with its time line, and marks in it.
pub struct Line {
    /// How it is called.
    pub name: String,
    /// The match.
    pub m: Match,
    /// Named places, by step.
    pub marks: Vec<NamedStep>,
}

/// The rows that a seat was shown.
struct Listed {
    seat: usize,
    question: u32,
    /// What had been picked.
    picker: Picker,
    /// Words and key of each.
    rows: Vec<(String, Option<char>)>,
}

/// A playtest.
pub struct Session {
    files: Files,
    lines: Vec<Line>,
    at: usize,
    sitters: Vec<Sitter>,
    policies: Vec<Option<Box<dyn Policy>>>,
    /// Whose view is shown.
    view_as: usize,
    /// What has been picked of a choice.
    pub picker: Picker,
    /// Where a save that was loaded parts from these rules.
    pub parted: Option<Parted>,
    /// Counts everything that changes where play stands: a bot's answer to an older state is not taken.
    generation: u64,
    /// The rows that were listed last.
    listed: Option<Listed>,
}

/// A question that a bot is asked, with a copy of the match: it can be worked on elsewhere.
pub struct BotTask {
    machine: Machine,
    game: Game,
    seat: usize,
    question: u32,
    policy: Box<dyn Policy>,
    generation: u64,
}

/// What a bot answers.
pub struct BotAnswer {
    seat: usize,
    question: u32,
    policy: Box<dyn Policy>,
    generation: u64,
    chosen: Result<Choice, Illegal>,
}

impl BotTask {
    /// Lets the bot think.
    pub fn run(mut self) -> BotAnswer {
        let q = self.machine.questions().iter().position(|q| q.id == self.question);
        let program = self.machine.program().clone();
        let hooks = self.game.make_hooks(&program);
        let (seat, policy, machine) = (self.seat, &mut self.policy, &mut self.machine);
        let chosen = q.and_then(|q| Sight::new(machine, hooks, seat, q).map(|mut s| policy.choose(&mut s)));
        let chosen = match chosen {
            Some(Ok(Some(choice))) => Ok(choice),
            Some(Ok(None)) | None => Err(Illegal::NotPending),
            Some(Err(f)) => Err(Illegal::Fault(Box::new(fault_finding(&f, &program)))),
        };
        BotAnswer { seat, question: self.question, policy: self.policy, generation: self.generation, chosen }
    }
}

/// A seat by the players that it alone answers for.
pub fn seat_name(p: &Program, seat: usize) -> String {
    let own = |seats: &u32| seat < 32 && *seats == 1 << seat;
    let answered = p.answered.iter().enumerate();
    let names: Vec<String> =
        answered.filter(|(_, s)| own(s)).map(|(i, _)| thing_title(p, p.player_universe, i as i64)).collect();
    if names.is_empty() { format!("Seat {}", seat + 1) } else { names.join(" + ") }
}

/// The text `given …` that stands for a test: its head without title and seeds, its body as it is.
pub fn given_text_of(game: &Game, title: &str) -> Option<String> {
    let t = game.model().tests.iter().find(|t| *t.title == *title)?;
    let text = game.files().slice(t.span);
    let rest = text.strip_prefix("test")?.trim_start().strip_prefix('"')?;
    // A quote in a title is written behind a backslash.
    let mut escaped = false;
    let end = rest.char_indices().find(|(_, c)| {
        let ends = *c == '"' && !escaped;
        escaped = *c == '\\' && !escaped;
        ends
    })?;
    let rest = rest.get(end.0 + 1..)?;
    let (head, body) = rest.split_once('{')?;
    // Names may hold the word, too.
    let words: Vec<&str> = head.split_whitespace().take_while(|w| *w != "seeds").collect();
    let head = words.join(" ");
    Some(format!("given {} {{{body}", head.trim()).replacen("given  {", "given {", 1))
}

impl Session {
    /// Starts a playtest of a checked game; `files` are its texts as they stand in memory. They are copied: nothing that is played changes them.
    ///
    /// # Errors
    /// Why it cannot start so.
    pub fn start(game: &Game, files: &Files, start: &Start) -> Result<Session, NoStart> {
        let wrong = |told: Vec<String>| NoStart { told, findings: Vec::new(), files: files.clone() };
        let found = |files: &Files, findings: Vec<Diagnostic>| NoStart {
            told: findings.iter().map(|d| format!("{}: {}", files.place(d.at.span), d.message)).collect(),
            findings,
            files: files.clone(),
        };
        let mut parted = None;
        let begin = |text: &str| {
            given::begin_match(files, text, &start.setup).map_err(|w| found(&w.files, w.report.findings))
        };
        let m = match &start.begin {
            Begin::Start => game.start(&start.setup).map_err(|r| found(game.files(), r.findings))?,
            Begin::Test(title) => {
                let text = given_text_of(game, title)
                    .ok_or_else(|| wrong(vec![format!("there is no test “{title}”")]))?;
                begin(&text)?
            }
            Begin::Given(text) => begin(text)?,
            Begin::Saved(text) => {
                let loaded = given::load_match(game, files, text).map_err(|e| match e {
                    LoadError::Setup(r) => found(game.files(), r.findings),
                    e => wrong(vec![e.to_string()]),
                })?;
                parted = loaded.parted;
                loaded.game
            }
        };
        let seats = m.seat_count();
        let mut sitters = start.sitters.clone();
        if sitters.is_empty() && matches!(start.begin, Begin::Saved(_)) {
            sitters = m.setup().seats.iter().map(|w| Sitter::from_word(w)).collect();
        }
        sitters.resize(seats, Sitter::Person);
        Ok(Session { parted, ..Session::from_match(m, files, sitters) })
    }

    /// A playtest of a match that stands somewhere already; `files` are its game's texts.
    pub fn from_match(m: Match, files: &Files, mut sitters: Vec<Sitter>) -> Session {
        sitters.resize(m.seat_count(), Sitter::Person);
        let words = sitters.iter().map(|s| String::from(s.word())).collect();
        let view_as = sitters.iter().position(|s| *s == Sitter::Person).unwrap_or(0);
        let line = Line { name: String::from("line 1"), m: m.with_seats(words), marks: Vec::new() };
        let mut out = Session {
            files: files.clone(),
            lines: vec![line],
            at: 0,
            sitters: Vec::new(),
            policies: Vec::new(),
            view_as,
            picker: Picker::default(),
            parted: None,
            generation: 0,
            listed: None,
        };
        out.seat_sitters(sitters);
        out
    }

    /// Seats other sitters; bots begin anew.
    pub fn seat_sitters(&mut self, mut sitters: Vec<Sitter>) {
        sitters.resize(self.the_match().seat_count(), Sitter::Person);
        let seed = self.the_match().setup().seed;
        let policy = |(i, s): (usize, &Sitter)| match s {
            Sitter::Person => None,
            Sitter::Bot(name) => bots::policy_by_name(name, bots::seed_of(seed, i)),
        };
        self.policies = sitters.iter().enumerate().map(policy).collect();
        self.sitters = sitters;
        self.generation += 1;
    }

    // ── Looking ──────────────────────────────────────────────────────────────────────────────────────────

    /// The game's texts as they were when it was started.
    pub fn files(&self) -> &Files {
        &self.files
    }

    /// The line that is played.
    pub fn line(&self) -> &Line {
        // There is always one, and `at` is one of them.
        &self.lines[self.at]
    }

    fn line_mut(&mut self) -> &mut Line {
        &mut self.lines[self.at]
    }

    /// All lines, and which is played.
    pub fn lines(&self) -> (&[Line], usize) {
        (&self.lines, self.at)
    }

    /// The match.
    pub fn the_match(&self) -> &Match {
        &self.line().m
    }

    /// The match, to ask what has to be worked out.
    pub fn the_match_mut(&mut self) -> &mut Match {
        &mut self.line_mut().m
    }

    /// Who sits where.
    pub fn sitters(&self) -> &[Sitter] {
        &self.sitters
    }

    /// Whose view is shown.
    pub fn view_as(&self) -> usize {
        self.view_as
    }

    /// Shows a seat's view.
    pub fn set_view_as(&mut self, seat: usize) {
        if seat < self.the_match().seat_count() {
            self.view_as = seat;
            self.picker = Picker::default();
        }
    }

    /// Counts what changes where play stands.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// What the seat whose view is shown may choose now; none if it is asked nothing. As long as it is asked the same, each row keeps its place and its key, whatever others do meanwhile.
    pub fn list_choices(&mut self) -> Option<Choices> {
        let (seat, picker) = (self.view_as, self.picker.clone());
        let mut choices = Choices::from_match(self.the_match_mut(), seat, &picker)?;
        match &self.listed {
            Some(listed)
                if listed.seat == seat && listed.question == choices.question && listed.picker == picker =>
            {
                choices.keep_rows(&listed.rows);
            }
            _ => {}
        }
        let rows = choices.rows.iter().map(|r| (r.words.clone(), r.key)).collect();
        self.listed = Some(Listed { seat, question: choices.question, picker, rows });
        Some(choices)
    }

    /// What that seat sees.
    pub fn make_board(&mut self) -> super::Board {
        let choices = self.list_choices();
        let seat = self.view_as;
        super::Board::from_match(self.the_match_mut(), seat, choices.as_ref())
    }

    /// What the end of the match hands to the next game of a campaign, or why it cannot; none before the end, and where the rules hand nothing on.
    pub fn hand_on(&mut self) -> Option<Result<HandedOn, String>> {
        let m = self.the_match_mut();
        let ended = m.game().has_campaign() && matches!(m.ending(), Some(Ending::Over(_)));
        ended.then(|| m.hand_on().map_err(|e| e.to_string()))
    }

    /// How the next game of the campaign starts: with whoever sits here, and the number after this seed. None before the end, and where no game is next.
    pub fn next_start(&mut self) -> Option<Start> {
        let next = self.hand_on()?.ok()?.next?;
        let setup = Setup { seed: next.seed.wrapping_add(1), ..next };
        Some(Start { setup, sitters: self.sitters.clone(), begin: Begin::Start })
    }

    // ── Choosing ─────────────────────────────────────────────────────────────────────────────────────────

    /// Takes a row of the list of choices: the choice is made, or a piece of it.
    ///
    /// # Errors
    /// Why it was not taken.
    pub fn pick_row(&mut self, row: usize) -> Result<(), Illegal> {
        let Some(choices) = self.list_choices() else { return Err(Illegal::NotPending) };
        let picked = self.picker.pick_row(&choices, row);
        self.follow_pick(&choices, picked)
    }

    /// Takes something on the board. False if nothing on offer names it.
    ///
    /// # Errors
    /// Why it was not taken.
    pub fn click_spot(&mut self, spot: Spot) -> Result<bool, Illegal> {
        let Some(choices) = self.list_choices() else { return Ok(false) };
        let (seat, mut picker) = (self.view_as, self.picker.clone());
        let picked = picker.click_spot(self.the_match_mut(), seat, &choices, spot)?;
        self.picker = picker;
        if picked == Picked::Nothing {
            return Ok(false);
        }
        self.follow_pick(&choices, picked).map(|()| true)
    }

    /// Makes the choice that the pieces so far make.
    ///
    /// # Errors
    /// Why it was not taken.
    pub fn confirm(&mut self) -> Result<(), Illegal> {
        let Some(choices) = self.list_choices() else { return Err(Illegal::NotPending) };
        let Some((choice, _)) = choices.complete.clone() else { return Err(Illegal::NotPending) };
        self.choose(choices.question, &choice)
    }

    /// Takes the last piece back. False if there is none.
    pub fn unpick(&mut self) -> bool {
        self.picker.undo_pick()
    }

    /// Goes on after a pick: as long as only one thing can come, it comes.
    fn follow_pick(&mut self, choices: &Choices, picked: Picked) -> Result<(), Illegal> {
        match picked {
            Picked::Nothing => Err(Illegal::NotPending),
            Picked::Choice(choice) => self.choose(choices.question, &choice),
            Picked::Piece => {
                for _ in 0..16 {
                    let Some(next) = self.list_choices() else { return Ok(()) };
                    match next.forced_pick() {
                        Some(Picked::Choice(choice)) => return self.choose(next.question, &choice),
                        Some(Picked::Piece) => {
                            self.picker.pick_row(&next, 0);
                        }
                        _ => return Ok(()),
                    }
                }
                Ok(())
            }
        }
    }

    /// Makes a choice for the seat whose view is shown. If play stands in the middle of a line, a new line is begun there: nothing is lost.
    ///
    /// # Errors
    /// Why it was not taken; everything is as before.
    pub fn choose(&mut self, question: u32, choice: &Choice) -> Result<(), Illegal> {
        self.choose_as(self.view_as, question, choice)
    }

    fn choose_as(&mut self, seat: usize, question: u32, choice: &Choice) -> Result<(), Illegal> {
        let m = self.the_match();
        let forks = m.step() < m.steps().len();
        // The same choice again is no other line.
        if let Some(next) = m.steps().get(m.step())
            && next.seat == seat
            && next.question == question
            && next.choice == *choice
        {
            self.the_match_mut().redo();
            self.note_moved();
            return Ok(());
        }
        if forks {
            let kept = self.at;
            let name = self.next_name();
            self.fork_line(&name);
            if let Err(e) = self.the_match_mut().choose(seat, question, choice) {
                self.lines.pop();
                self.at = kept;
                return Err(e);
            }
        } else {
            self.the_match_mut().choose(seat, question, choice)?;
        }
        self.note_moved();
        Ok(())
    }

    fn note_moved(&mut self) {
        self.generation += 1;
        self.picker = Picker::default();
    }

    /// Makes a choice in words, for the seat whose view is shown.
    ///
    /// # Errors
    /// Why it was not taken.
    pub fn choose_in_words(&mut self, words: &str) -> Result<(), Illegal> {
        let seat = self.view_as;
        let asked: Vec<u32> = self.questions_of(seat);
        let mut first = None;
        for q in asked {
            let chosen =
                self.the_match_mut().parse_choice_for(Some(seat), q, words).and_then(|c| self.choose(q, &c));
            match chosen {
                Ok(()) => return Ok(()),
                Err(e) => first = first.or(Some(e)),
            }
        }
        Err(first.unwrap_or(Illegal::NotPending))
    }

    fn questions_of(&self, seat: usize) -> Vec<u32> {
        let mine = self.the_match().questions().iter().filter(|q| seat < 32 && q.seats >> seat & 1 == 1);
        mine.map(|q| q.id).collect()
    }

    /// Shows the view of the next person who is asked, if the one whose view is shown is not. Whether it has changed.
    pub fn turn_to_asked(&mut self) -> bool {
        if !self.questions_of(self.view_as).is_empty() {
            return false;
        }
        let asked = self.the_match().questions().iter().flat_map(|q| seat_list(q.seats));
        let person = asked.into_iter().find(|s| self.sitters.get(*s) == Some(&Sitter::Person));
        person.is_some_and(|s| {
            self.set_view_as(s);
            true
        })
    }

    // ── Bots ─────────────────────────────────────────────────────────────────────────────────────────────

    /// The question that a bot has to answer next: of those that no person may answer the first. None while play is looked at in the middle of a line.
    fn bots_question(&self) -> Option<(usize, u32)> {
        let m = self.the_match();
        if m.is_over() || m.step() < m.steps().len() {
            return None;
        }
        let person = |s: &usize| self.sitters.get(*s) == Some(&Sitter::Person);
        let asked = m.questions().iter().map(|q| (q.id, seat_list(q.seats)));
        let (question, seats) = asked.into_iter().find(|(_, seats)| !seats.iter().any(person))?;
        Some((*seats.first()?, question))
    }

    /// Whether a bot is to answer now.
    pub fn is_bot_asked(&self) -> bool {
        self.bots_question().is_some()
    }

    /// A bot's question, to be thought about elsewhere; `None` if none is asked or it is being thought about already.
    pub fn take_bot_task(&mut self) -> Option<BotTask> {
        let (seat, question) = self.bots_question()?;
        let policy = self.policies.get_mut(seat)?.take()?;
        // The state alone is copied: a bot looks at nothing behind it.
        let game = self.the_match().game().clone();
        let mut machine =
            game.make_machine(self.the_match().program().clone(), self.the_match().setup().seed);
        machine.set_state(self.the_match().state());
        Some(BotTask { machine, game, seat, question, policy, generation: self.generation })
    }

    /// Takes a bot's answer, if play still stands where it was asked. Whether it was taken.
    ///
    /// # Errors
    /// What went wrong in the rules.
    pub fn take_bot_answer(&mut self, answer: BotAnswer) -> Result<bool, Illegal> {
        if let Some(place) = self.policies.get_mut(answer.seat).filter(|p| p.is_none())
            && self.sitters.get(answer.seat) == Some(&Sitter::Bot(answer.policy.name()))
        {
            *place = Some(answer.policy);
        }
        if answer.generation != self.generation {
            return Ok(false);
        }
        // What a person has picked so far stays, if it can still be picked.
        let picker = self.picker.clone();
        let asked = picker.question.or(self.questions_of(self.view_as).first().copied());
        self.choose_as(answer.seat, answer.question, &answer.chosen?)?;
        let seat = self.view_as;
        if let Some(question) = asked.filter(|q| self.questions_of(seat).contains(q))
            && self.the_match_mut().list_pieces(Some(seat), question, &picker.path).is_ok()
        {
            self.picker = picker;
        }
        Ok(true)
    }

    /// Lets one bot answer here and now. False if none is asked.
    ///
    /// # Errors
    /// What went wrong in the rules.
    pub fn step_bot(&mut self) -> Result<bool, Illegal> {
        match self.take_bot_task() {
            Some(task) => self.take_bot_answer(task.run()),
            None => Ok(false),
        }
    }

    // ── Time line ────────────────────────────────────────────────────────────────────────────────────────

    /// Goes to a step of the line. False if there is no such step.
    pub fn go_to_step(&mut self, step: usize) -> bool {
        let there = self.the_match_mut().at(step);
        if there {
            self.note_moved();
        }
        there
    }

    /// Takes the last choice of a person back, with the bots' choices since. False if there is none.
    pub fn undo(&mut self) -> bool {
        let m = self.the_match();
        let person = |seat: usize| self.sitters.get(seat) == Some(&Sitter::Person);
        let Some(last) = m.steps().iter().take(m.step()).rposition(|s| person(s.seat)) else { return false };
        let before = m.step();
        while self.the_match().step() > last && self.the_match_mut().undo(UndoMode::Free).is_ok() {}
        self.note_moved();
        self.the_match().step() < before
    }

    /// A name for another line.
    fn next_name(&self) -> String {
        let taken = |name: &str| self.lines.iter().any(|l| l.name == name);
        (1..).map(|n| format!("line {n}")).find(|n| !taken(n)).unwrap_or_default()
    }

    /// Begins another line here, which is then played; the old one stays.
    pub fn fork_line(&mut self, name: &str) {
        let name = if name.trim().is_empty() { self.next_name() } else { name.trim().to_string() };
        let line = self.line();
        let m = line.m.fork();
        let step = m.step();
        let marks = line.marks.iter().filter(|k| k.step <= step).cloned().collect();
        self.lines.push(Line { name, m, marks });
        self.at = self.lines.len() - 1;
        self.note_moved();
    }

    /// Goes on with another line. False if there is no such line.
    pub fn go_to_line(&mut self, line: usize) -> bool {
        if line >= self.lines.len() {
            return false;
        }
        self.at = line;
        self.note_moved();
        true
    }

    /// Names places of the line that is played.
    pub fn set_marks(&mut self, marks: Vec<NamedStep>) {
        self.line_mut().marks = marks;
    }

    /// Gives the present step a name; an empty one takes its name away.
    pub fn mark_step(&mut self, name: &str) {
        let step = self.the_match().step();
        let marks = &mut self.line_mut().marks;
        marks.retain(|k| k.step != step);
        if !name.trim().is_empty() {
            marks.push(NamedStep { step, name: name.trim().to_string() });
            marks.sort_by_key(|k| k.step);
        }
    }

    /// The match up to the present step, as the command line writes and reads it.
    pub fn to_save(&mut self) -> String {
        // Others may sit there now than at the start.
        let words = self.sitters.iter().map(|s| String::from(s.word())).collect();
        self.the_match().fork().with_seats(words).save()
    }
}
