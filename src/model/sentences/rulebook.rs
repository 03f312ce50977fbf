//! The rules of a game in words, part by part, for a rulebook that is made from them.
//!
//! A sentence that cannot be made is none, with the place of the rule: whoever prints it shows the rule itself there.
use super::effects::{HeadWords, Teller, finish, tell_action};
use super::{UNSAID, to_words};
use crate::hir::*;
use houserule_text::Span;

/// A sentence, or the rule that has none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sentence {
    /// Its words, without capital and full stop. None: the rule at this place cannot be told.
    pub words: Option<String>,
    /// The rule.
    pub at: Span,
}

impl Sentence {
    /// Its words with a capital and a full stop.
    pub fn finished(&self) -> Option<String> {
        self.words.as_deref().map(finish)
    }
}

/// A condition of an action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConditionWords {
    /// What must hold.
    pub sentence: Sentence,
    /// The reason that the rules give where it does not, with words in the place of its values.
    pub reason: Option<String>,
}

/// An action in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ActionWords {
    /// Its title, with what is chosen with it.
    pub title: String,
    /// How often, and when at all.
    pub limits: Vec<String>,
    /// What it costs.
    pub costs: Vec<String>,
    /// What must hold.
    pub conditions: Vec<ConditionWords>,
    /// What it does, a sentence for each statement.
    pub effect: Vec<Sentence>,
}

/// A sentence of a clause. One that nobody understands or reads to its end is none: the rule itself is clearer. Such are those in which "it" is two things at once, in which
/// something holds of all things with a property, and sums in words.
fn to_sentence(clause: &str, at: Span) -> Sentence {
    let unclear = clause.contains(UNSAID)
        || ["it it ", "of all ", "of its its ", "the rules allow it", " - ", "'s at'"]
            .iter()
            .any(|two| clause.contains(two))
        || clause.split(' ').count() > LONGEST;
    Sentence { words: (!unclear).then(|| clause.to_string()), at }
}

/// The most words of a sentence.
const LONGEST: usize = 70;

/// What an action costs, needs and does.
pub fn describe_action(model: &Model, a: &Action) -> ActionWords {
    let told = tell_action(model, a);
    let mut costs = Vec::new();
    let mut conditions = Vec::new();
    for part in told.head {
        match part {
            HeadWords::Cost(words) => {
                let words = if words.contains(UNSAID) { String::from("a cost that varies") } else { words };
                costs.push(words.strip_prefix("for ").map(String::from).unwrap_or(words));
            }
            HeadWords::Condition { words, reason, at } | HeadWords::Outcome { words, reason, at } => {
                conditions.push(ConditionWords {
                    sentence: to_sentence(&words, at),
                    reason: reason.filter(|r| !r.contains(UNSAID)),
                })
            }
        }
    }
    ActionWords {
        title: told.title,
        limits: told.limits.into_iter().filter(|l| !l.contains(UNSAID)).collect(),
        costs,
        conditions,
        effect: told.steps.iter().map(|(clause, at)| to_sentence(clause, *at)).collect(),
    }
}

/// What a block does, a sentence for each statement. `me`: the local that acts.
pub fn describe_block(model: &Model, locals: &[Local], me: Option<LocalId>, block: &Block) -> Vec<Sentence> {
    let mut t = Teller::new(model, locals, me);
    t.sentences(block).iter().map(|(clause, at)| to_sentence(clause, *at)).collect()
}

/// What a rule or phase does. Its parameters are called by what they are, and by their names.
pub fn describe_rule(model: &Model, rule: &Rule, block: &Block) -> Vec<Sentence> {
    let mut t = Teller::new(model, &rule.body.locals, Some(rule.me));
    for (param, local) in list_params(rule) {
        let (kind, name) = (t.kind_of(param), to_words(&local.name));
        let called = if kind == name { format!("the {name}") } else { format!("the {kind} {name}") };
        t.names.insert(param, called);
    }
    t.sentences(block).iter().map(|(clause, at)| to_sentence(clause, *at)).collect()
}

/// The title of a rule with what it is given: `knock out (player p)`.
pub fn rule_title(model: &Model, rule: &Rule) -> String {
    let t = Teller::new(model, &rule.body.locals, Some(rule.me));
    let params = list_params(rule).map(|(param, local)| {
        let (kind, name) = (t.kind_of(param), to_words(&local.name));
        if kind == name { name } else { format!("{kind} {name}") }
    });
    let params: Vec<String> = params.collect();
    let title = rule.title.as_deref().map_or_else(|| to_words(&rule.name), String::from);
    if params.is_empty() { title } else { format!("{title} ({})", params.join(", ")) }
}

fn list_params(rule: &Rule) -> impl Iterator<Item = (LocalId, &Local)> {
    (0u32..).map(LocalId).zip(&rule.body.locals).take(rule.body.params)
}

/// What a condition says.
pub fn describe_condition(model: &Model, locals: &[Local], me: Option<LocalId>, cond: &Expr) -> Sentence {
    to_sentence(&Teller::new(model, locals, me).condition(cond, true), cond.span)
}

/// A text of the rules with words in the place of its values; none if one of them has no words.
pub fn describe_text(model: &Model, locals: &[Local], text: &Text) -> Option<String> {
    let told = Teller::new(model, locals, None).text(text);
    (!told.contains(UNSAID)).then_some(told)
}

/// What a thing of a set-up is, as a noun: `4`, `the number of players`. None: it has no words.
pub fn describe_number(model: &Model, locals: &[Local], e: &Expr) -> Option<String> {
    let told = Teller::new(model, locals, None).noun(e);
    (!told.contains(UNSAID)).then_some(told)
}

/// What an attachment changes.
pub fn describe_attachment(model: &Model, a: &Attachment) -> Sentence {
    let mut t = Teller::new(model, &a.locals, a.me);
    t.names.extend(a.this.map(|l| (l, String::from("this"))));
    t.names.extend(a.owner.map(|l| (l, String::from("its owner"))));
    let told = t.attachment(a).unwrap_or_else(|| String::from(UNSAID));
    to_sentence(&told, a.span)
}

/// A name of the rules in separate words.
pub fn name_words(name: &str) -> String {
    to_words(name)
}
