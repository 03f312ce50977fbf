//! What a match asks, and what may be answered, for people.
use houserule_engine::{Choice, CostPart, QuestionKind};
use houserule_text::Span;

/// A pending decision, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The question's number, to answer it by.
    pub question: u32,
    /// On whose behalf; the first of those that it concerns, if it is put to all of them.
    pub player: usize,
    /// Whether it is put to the table: any of `seats` may answer, on nobody's behalf.
    pub anybody: bool,
    /// That player's name; “The table” if it is put to the table.
    pub name: String,
    /// Who may answer.
    pub seats: Vec<usize>,
    /// What is asked.
    pub prompt: String,
    /// What kind of answer.
    pub kind: QuestionKind,
    /// Answers, every subset counted; `u64::MAX` stands for that many or more.
    pub count: u64,
    /// Where it is asked.
    pub span: Span,
}

/// A `done` that may be taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    /// The number of the question that was answered so.
    pub question: u32,
    /// Who is done.
    pub player: usize,
    /// That player's name.
    pub name: String,
    /// Who may take it back.
    pub seats: Vec<usize>,
}

/// One answer on offer, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offered {
    /// The answer.
    pub choice: Choice,
    /// In words, as it can be typed and is saved.
    pub words: String,
    /// With titles.
    pub title: String,
    /// What it is found by, in order: the action, the thing, the target. One part if it is no action.
    pub path: Vec<String>,
    /// What it costs.
    pub cost: Vec<CostPart>,
}

impl Offered {
    /// What it costs, as in `2 coins, 1 apples`; empty if nothing.
    pub fn cost_text(&self) -> String {
        let parts: Vec<String> = self.cost.iter().map(|c| format!("{} {}", c.due, c.word)).collect();
        parts.join(", ")
    }

    /// What it costs, and of how much: ` (2 of 5 coins)`, to stand behind its title; empty if nothing.
    pub fn cost_note(&self) -> String {
        let part = |c: &CostPart| match c.have {
            Some(have) => format!("{} of {have} {}", c.due, c.word),
            None => format!("{} {}", c.due, c.word),
        };
        let parts: Vec<String> = self.cost.iter().map(part).collect();
        if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) }
    }
}
