//! Who sits where: people and bots.
use super::io::Failure;
use crate::engine::Stream;
use crate::model::suggest::closest;
use crate::play::Match;

/// Who answers for a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sitter {
    /// A person at this terminal, or the program at the other end.
    You,
    /// Draws by the uniform policy.
    Random,
    /// Looks one step ahead over the rules' own heuristic.
    Greedy,
}

/// The words for them.
const WORDS: [(&str, Sitter); 3] =
    [("you", Sitter::You), ("random", Sitter::Random), ("greedy", Sitter::Greedy)];

/// Reads `--seats`.
pub fn parse(words: &[String]) -> Result<Vec<Sitter>, Failure> {
    words
        .iter()
        .map(|word| {
            let word = word.trim();
            if let Some((_, who)) = WORDS.iter().find(|(w, _)| *w == word) {
                return Ok(*who);
            }
            let near = closest(word, WORDS.iter().map(|(w, _)| *w));
            let hint =
                near.map_or(String::from("there are you, random, greedy"), |n| format!("did you mean {n}?"));
            Err(Failure::Usage(format!("--seats: nobody is called {word}; {hint}")))
        })
        .collect()
}

/// How many players a list of seats stands for: that many, if the game can be played by so many.
pub fn players(seats: &[Sitter], range: (u32, u32)) -> Option<u32> {
    let n = u32::try_from(seats.len()).ok()?;
    (n > 1 && (range.0..=range.1).contains(&n)).then_some(n)
}

/// A sitter for every seat: those given, the rest as `rest` says. More than there are seats is an error.
pub fn fill(mut given: Vec<Sitter>, seats: usize, rest: Sitter) -> Result<Vec<Sitter>, Failure> {
    if given.len() > seats {
        let s = if seats == 1 { "" } else { "s" };
        return Err(Failure::Usage(format!("--seats names {}, but there are {seats} seat{s}", given.len())));
    }
    given.resize(seats, rest);
    Ok(given)
}

/// The bots of a match.
pub struct Bots {
    sitters: Vec<Sitter>,
    chance: Vec<Stream>,
}

impl Bots {
    /// Bots for the seats that have them, their own chance drawn from the match's seed.
    pub fn new(sitters: &[Sitter], seed: u64) -> Bots {
        let chance = (0..sitters.len()).map(|i| Stream::new(seed, 0x626f_7400 + i as u64)).collect();
        Bots { sitters: sitters.to_vec(), chance }
    }

    fn answer(&mut self, m: &mut Match, seat: usize, question: u32) -> Result<(), String> {
        let Some(i) = m.questions().iter().position(|q| q.id == question) else { return Ok(()) };
        let Some(chance) = self.chance.get_mut(seat) else { return Ok(()) };
        let choice = m.machine().draw(i, chance).map_err(|f| f.to_string())?;
        let choice = choice.ok_or("nothing can be answered")?;
        m.choose(seat, question, &choice).map_err(|e| e.to_string())
    }

    /// Whether a person sits there.
    pub fn is_person(&self, seat: usize) -> bool {
        self.sitters.get(seat) == Some(&Sitter::You)
    }

    /// How many people there are.
    pub fn people(&self) -> usize {
        self.sitters.iter().filter(|s| **s == Sitter::You).count()
    }

    /// Lets bots answer until a person is asked or the match is over; questions that a person may answer are left to him.
    pub fn run(&mut self, m: &mut Match) -> Result<(), String> {
        loop {
            if m.is_over() {
                return Ok(());
            }
            let asked: Vec<(u32, Vec<usize>)> =
                m.questions().iter().map(|q| (q.id, crate::play::seat_list(q.seats))).collect();
            let for_bots = asked.into_iter().find(|(_, seats)| !seats.iter().any(|s| self.is_person(*s)));
            let Some((question, seats)) = for_bots else { return Ok(()) };
            let Some(seat) = seats.first().copied() else {
                return Err(String::from("a question is for nobody"));
            };
            self.answer(m, seat, question)?;
        }
    }
}
