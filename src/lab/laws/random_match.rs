//! Plays the random match on which a law is checked, and collects what each seat is shown.
use houserule_engine::{Choice, Machine, Options, Question, QuestionKind, Refusal, Stream, View, below};
use houserule_play::words::Wording;
use houserule_play::{Game, Setup, fault_finding};
use houserule_program::ir::Program;
use houserule_text::Span;

/// How far a law looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LawLimits {
    /// Of the match and of all that is drawn.
    pub seed: u64,
    /// Choices of a match.
    pub choices: usize,
    /// Tuples of parameters that are tried at a position, an action.
    pub tuples: usize,
}

impl LawLimits {
    /// Middling limits with that seed.
    pub fn with_seed(seed: u64) -> LawLimits {
        LawLimits { seed, choices: 200, tuples: 300 }
    }
}

/// What a law looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Checked {
    /// Comparisons that were made.
    pub cases: u64,
    /// Pairs that were drawn again because a recorded choice had become illegal.
    pub redrawn: u64,
    /// Positions of which the law said something.
    pub states: u64,
    /// What could not be compared.
    pub unsupported: u64,
}

/// A law that does not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    /// The seed that shows it.
    pub seed: u64,
    /// After how many choices.
    pub step: usize,
    /// What differs.
    pub what: String,
    /// The kind of violation.
    pub kind: Violation,
    /// The rule that causes it, where a law can tell.
    pub at: Option<Span>,
}

/// How a law was broken.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Violation {
    /// What the law says does not hold.
    Law,
    /// Nothing could be judged: the rules failed, or nothing could be drawn.
    RuleError,
    /// A seat gets something that differs where only what it may not know differs.
    Leak(Channel),
}

/// Where a seat learns something.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Channel {
    /// Its view of the table.
    View,
    /// Who is asked for what.
    Questions,
    /// The question put to it.
    Prompt,
    /// What it may choose.
    Options,
    /// Why it may not choose something.
    Reasons,
    /// Its log.
    Log,
    /// Whether it may take a choice back, or what it gets then.
    Undo,
    /// Where and why the rules fail.
    Errors,
}

impl Channel {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Channel::View => "its view of the table",
            Channel::Questions => "who is asked",
            Channel::Prompt => "the question put to it",
            Channel::Options => "what it may choose",
            Channel::Reasons => "why it may not choose something",
            Channel::Log => "its log",
            Channel::Undo => "taking a choice back",
            Channel::Errors => "an error of the rules",
        }
    }

    /// For programs.
    pub fn word(self) -> &'static str {
        match self {
            Channel::View => "view",
            Channel::Questions => "questions",
            Channel::Prompt => "prompt",
            Channel::Options => "options",
            Channel::Reasons => "reasons",
            Channel::Log => "log",
            Channel::Undo => "undo",
            Channel::Errors => "errors",
        }
    }
}

impl Broken {
    /// A violation of a law.
    pub fn new(seed: u64, step: usize, what: impl Into<String>) -> Broken {
        Broken { seed, step, what: what.into(), kind: Violation::Law, at: None }
    }
}

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "seed {}, after {} choices: {}", self.seed, self.step, self.what)
    }
}

/// A random match on a bare machine.
pub(super) struct RandomMatch {
    pub machine: Machine,
    pub rng: Stream,
    pub limits: LawLimits,
    pub step: usize,
}

/// Streams of the laws' own chance.
const LAWS: u64 = 0x1a25;

/// Steps of a stretch without a question.
const LAWS_BUDGET: u64 = 200_000_000;

impl RandomMatch {
    pub fn new(game: &Game, setup: &Setup, limits: LawLimits) -> Result<RandomMatch, Broken> {
        let broken =
            |what: String| Broken { kind: Violation::RuleError, ..Broken::new(limits.seed, 0, what) };
        let set = Setup { seed: limits.seed, ..setup.clone() };
        let program = game.lower_setup(&set).map_err(|r| {
            broken(r.findings.first().map_or_else(|| String::from("it does not load"), |d| d.message.clone()))
        })?;
        let mut machine = game.make_machine(program, limits.seed);
        machine.record(true);
        // Plain code takes many times the steps.
        machine.set_budget(LAWS_BUDGET);
        if let Err(f) = machine.start() {
            let p = machine.program().clone();
            return Err(broken(fault_finding(&f, &p).message));
        }
        Ok(RandomMatch { machine, rng: Stream::new(limits.seed, LAWS), limits, step: 0 })
    }

    pub fn to_broken(&self, what: impl Into<String>) -> Broken {
        Broken::new(self.limits.seed, self.step, what)
    }

    /// That the rules failed, so that nothing can be judged.
    pub fn to_rule_error(&self, what: impl std::fmt::Display) -> Broken {
        Broken { kind: Violation::RuleError, ..self.to_broken(format!("the rules fail: {what}")) }
    }

    /// A leak, with the rule that causes it where that is known.
    pub fn to_leak(&self, channel: Channel, at: Option<Span>, what: impl Into<String>) -> Broken {
        let at = at.filter(|s| *s != Span::default());
        Broken { kind: Violation::Leak(channel), at, ..self.to_broken(what) }
    }

    /// Whether there is another position to look at.
    pub fn has_next(&self) -> bool {
        !self.machine.is_over() && self.step < self.limits.choices && !self.machine.questions().is_empty()
    }

    /// One of the pending questions.
    pub fn pick_question(&mut self) -> usize {
        let n = self.machine.questions().len() as u64;
        below(n, || self.rng.draw()) as usize
    }

    /// An answer to a question by the uniform policy.
    pub fn draw_choice(&mut self, q: usize) -> Result<Choice, Broken> {
        let drawn = self.machine.draw(q, &mut self.rng);
        match drawn {
            Ok(Some(c)) => Ok(c),
            Ok(None) => Err(self.to_rule_error("a question has no answer")),
            Err(f) => Err(self.to_rule_error(f)),
        }
    }

    /// Answers a question, which must be possible.
    pub fn take_choice(&mut self, q: usize, choice: &Choice) -> Result<(), Broken> {
        match self.machine.choose(q, choice) {
            Ok(()) => {
                self.step += 1;
                Ok(())
            }
            Err(Refusal::Fault(f)) => Err(self.to_rule_error(f)),
            Err(e) => {
                Err(self.to_broken(format!("{choice:?} was drawn from the options and is refused: {e:?}")))
            }
        }
    }

    /// Goes a step on.
    pub fn advance(&mut self) -> Result<(), Broken> {
        let q = self.pick_question();
        let choice = self.draw_choice(q)?;
        self.take_choice(q, &choice)
    }
}

/// Everything that a seat gets to see: its view, who is asked, and of its own questions the prompts and the options in words.
pub(super) fn output_for(m: &mut Machine, seat: usize) -> Result<Got, String> {
    let mut out = String::new();
    let mut parts = Vec::new();
    for (i, q) in m.questions().to_vec().iter().enumerate() {
        parts.push((out.len(), Channel::Questions, i));
        out.push_str(&format!("\nasked {} {:b}", q.player, q.seats));
        if seat < 32 && q.seats >> seat & 1 == 1 {
            out.push_str(&format!(" {}", kind_word(q.kind)));
            parts.push((out.len(), Channel::Prompt, i));
            out.push_str(&format!(" {}", m.prompt(i)));
            let options = m.options(i).cloned().map_err(|f| f.to_string())?;
            parts.push((out.len(), Channel::Options, i));
            out.push_str(&format!(" ({})", options.count()));
            for choice in options.iter().take(300) {
                out.push_str(&format!(" {}", choice_text(m, q, &options, &choice)));
            }
        }
    }
    Ok(Got { view: m.view(seat), asked: out, parts })
}

/// What is to be chosen, without the numbers that the code gives to it.
fn kind_word(kind: QuestionKind) -> &'static str {
    match kind {
        QuestionKind::Menu(_) => "action",
        QuestionKind::One(..) => "one",
        QuestionKind::Subset(..) => "subset",
        QuestionKind::Truth(_) => "truth",
    }
}

/// What a seat gets. Two are equal exactly if their bytes are, and quicker to compare.
pub(super) struct Got {
    view: View,
    asked: String,
    /// Where in `asked` each part begins, and of which question it is.
    parts: Vec<(usize, Channel, usize)>,
}

impl PartialEq for Got {
    fn eq(&self, other: &Got) -> bool {
        self.view == other.view && self.asked == other.asked
    }
}

impl Got {
    /// As it goes out to programs: plain text, so that a difference can be read.
    pub fn to_text(&self) -> String {
        let view = serde_json::to_string(&self.view).unwrap_or_else(|e| e.to_string());
        format!("{view}{}", self.asked)
    }

    /// Where it differs first from another: in the view, or in a part of a question.
    pub fn find_difference(&self, other: &Got) -> (Channel, Option<usize>) {
        let at = position_of_difference(&self.asked, &other.asked);
        let part = |got: &Got| got.parts.iter().rfind(|p| p.0 <= at).map(|p| (p.1, p.2));
        match part(self).or_else(|| part(other)) {
            Some((channel, question)) if self.view == other.view => (channel, Some(question)),
            _ => (Channel::View, None),
        }
    }
}

fn position_of_difference(a: &str, b: &str) -> usize {
    a.bytes().zip(b.bytes()).position(|(x, y)| x != y).unwrap_or(a.len().min(b.len()))
}

/// A choice in words.
pub(super) fn choice_text(m: &Machine, question: &Question, options: &Options, choice: &Choice) -> String {
    Wording::new(m.look(), question, options).choice_text(choice)
}

/// What the log says to a seat since the last call.
pub(super) fn read_new_log(m: &mut Machine, seat: Option<usize>) -> Vec<String> {
    m.take_events().iter().filter_map(|e| e.text(seat)).collect()
}

/// The first line in which two texts differ, shortened round the difference.
pub(super) fn first_difference(a: &str, b: &str) -> String {
    let at = position_of_difference(a, b);
    let part = |t: &str| -> String {
        let from = at.saturating_sub(60);
        let bytes = t.as_bytes().get(from..(at + 60).min(t.len())).unwrap_or(&[]);
        String::from_utf8_lossy(bytes).into_owned()
    };
    format!("…{}… against …{}…", part(a), part(b))
}

/// Seats of a program.
pub(super) fn count_seats(p: &Program) -> usize {
    p.seats as usize
}
