//! Reads `--seats`: which people and bots answer for which seat.
use super::io::Failure;
use houserule_bots::{self as bots, Bot, Policy};
use houserule_model::suggest::closest;
use houserule_play::{Illegal, Match, seat_list};

/// Who answers for a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sitter {
    /// A person at this terminal, or the program at the other end.
    You,
    /// A bot.
    Bot(Bot),
}

/// The word for people.
const YOU: &str = "you";

impl Sitter {
    /// The word that `--seats` knows it by.
    pub fn to_word(self) -> String {
        match self {
            Sitter::You => String::from(YOU),
            Sitter::Bot(bot) => bot.to_word(),
        }
    }
}

/// Reads `--seats`.
pub fn parse_seats(words: &[String]) -> Result<Vec<Sitter>, Failure> {
    words
        .iter()
        .map(|word| {
            let word = word.trim();
            if word == YOU {
                return Ok(Sitter::You);
            }
            if let Some(bot) = Bot::from_word(word) {
                return Ok(Sitter::Bot(bot));
            }
            if word.starts_with("beam:") {
                let text = "write a beam bot as beam:WIDTH:TURNS:NODES, with numbers from 1; the last ones can be left out";
                return Err(Failure::Usage(format!("--seats: {word}: {text}")));
            }
            let all: Vec<&str> = std::iter::once(YOU).chain(bots::NAMES).collect();
            let near = closest(word, all.iter().copied());
            let hint = near
                .map_or_else(|| format!("there are {}", all.join(", ")), |n| format!("did you mean {n}?"));
            Err(Failure::Usage(format!("--seats: there is no {word}; {hint}")))
        })
        .collect()
}

/// Reads `--seats` where nobody is at the terminal.
pub fn parse_bots(words: &[String]) -> Result<Vec<Bot>, Failure> {
    let only_bots = |who: Sitter| match who {
        Sitter::Bot(bot) => Ok(bot),
        Sitter::You => Err(Failure::Usage(String::from("only bots can play here: --seats random,greedy"))),
    };
    parse_seats(words)?.into_iter().map(only_bots).collect()
}

/// How many players a list of seats stands for, `least` being the fewest of the game: that many, also if they are too many; fewer only begin the list.
pub fn player_count<T>(seats: &[T], least: u32) -> Option<u32> {
    let n = u32::try_from(seats.len()).ok()?;
    (n > 1 && n >= least).then_some(n)
}

/// A sitter for every seat: those given, the rest as `rest` says. More than there are seats is an error.
pub fn fill_seats<T: Clone>(mut given: Vec<T>, seats: usize, rest: T) -> Result<Vec<T>, Failure> {
    if given.len() > seats {
        let s = if seats == 1 { "" } else { "s" };
        let text = format!("--seats names {}, but there are {seats} seat{s}", given.len());
        return Err(Failure::Usage(text));
    }
    given.resize(seats, rest);
    Ok(given)
}

/// The bots of a match.
pub struct Bots {
    sitters: Vec<Sitter>,
    policies: Vec<Option<Box<dyn Policy>>>,
}

impl Bots {
    /// Bots for the seats that have them.
    pub fn new(sitters: &[Sitter], seed: u64) -> Bots {
        let policy = |(i, who): (usize, &Sitter)| match who {
            Sitter::You => None,
            Sitter::Bot(bot) => Some(bot.make_policy(bots::seed_of(seed, i))),
        };
        Bots { sitters: sitters.to_vec(), policies: sitters.iter().enumerate().map(policy).collect() }
    }

    /// Whether a person sits there.
    pub fn is_person(&self, seat: usize) -> bool {
        self.sitters.get(seat) == Some(&Sitter::You)
    }

    /// How many people there are.
    pub fn count_people(&self) -> usize {
        self.sitters.iter().filter(|s| **s == Sitter::You).count()
    }

    /// Lets bots answer until a person is asked or the match is over; questions that a person may answer are left to him.
    pub fn run(&mut self, m: &mut Match) -> Result<(), Illegal> {
        while !m.is_over() {
            let asked: Vec<(u32, Vec<usize>)> =
                m.questions().iter().map(|q| (q.id, seat_list(q.seats))).collect();
            let for_bots = asked.into_iter().find(|(_, seats)| !seats.iter().any(|s| self.is_person(*s)));
            let Some((question, seats)) = for_bots else { break };
            let Some(seat) = seats.first().copied() else { break };
            let Some(policy) = self.policies.get_mut(seat).and_then(Option::as_mut) else { break };
            bots::answer_question(m, seat, question, policy.as_mut())?;
        }
        Ok(())
    }
}
