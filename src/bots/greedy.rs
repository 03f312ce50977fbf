//! One-ply search: the greedy bot tries every option in a few worlds that the seat cannot tell from the real one, and takes what stands best on average by the rules' own
//! `heuristic`. Among equals it draws. After each world it goes on with the better half of the options: sequential halving (Karnin, Koren and Somekh, 2013).
//!
//! In a menu it does not do the same thing twice in the same position, and after many choices of one turn it is done if it can be: what costs nothing and can be undone would
//! else go round in circles, alone or with another who looks one step ahead.
//!
//! Where players act freely, it compares its answers to one menu of a turn in the same worlds (common random numbers), and once it has answered there, it is done unless another
//! answer is better. So it answers again only when somebody else has changed something that matters.
use super::sight::Answer;
use super::{Policy, Sight, World};
use houserule_engine::{Choice, Fault, QuestionKind, Stream, mix};
use std::cmp::Ordering;
use std::collections::VecDeque;

/// Worlds that an option is tried in.
const WORLDS: usize = 4;
/// Options that are tried in all worlds, at least.
const KEPT: usize = 2;
/// Options that are tried; of more it draws so many.
const TRIED: u64 = 200;
/// Choices in menus that it makes in a turn; with more it is done if it can be.
const IN_A_TURN: usize = 128;

/// One step ahead over the heuristics.
pub struct Greedy {
    seed: u64,
    stream: Stream,
    /// Its choices in menus of this turn, the newest last.
    chosen: VecDeque<Chosen>,
    /// The turn and the round of these.
    turn: (i32, i32),
    /// Where worlds are made up.
    spare: Option<World>,
}

/// A choice in a menu.
struct Chosen {
    /// The number of the question.
    question: u32,
    /// The menu.
    kind: QuestionKind,
    /// A hash of what the bot knew then.
    known: u64,
    /// What it chose.
    choice: Choice,
}

impl Greedy {
    /// One whose draws depend on nothing but the seed and what it was asked before.
    pub fn new(seed: u64) -> Greedy {
        Greedy {
            seed,
            stream: Stream::new(seed, super::STREAM + 1),
            chosen: VecDeque::new(),
            turn: (0, 0),
            spare: None,
        }
    }

    /// Forgets its choices in menus of another turn or game.
    fn forget_old(&mut self, sight: &Sight<'_>) {
        let (id, turn) = (sight.question().id, sight.turns());
        if self.turn != turn {
            self.chosen.clear();
            self.turn = turn;
        }
        // Another game, or one that was taken back.
        if self.chosen.back().is_some_and(|last| last.question >= id) {
            self.chosen.retain(|c| c.question < id);
        }
    }

    fn list_candidates(&mut self, sight: &mut Sight<'_>) -> Result<Vec<Choice>, Fault> {
        let options = sight.options()?;
        if let Some(all) = options.list(TRIED) {
            return Ok(all);
        }
        let mut out: Vec<Choice> = Vec::new();
        for _ in 0..TRIED {
            out.extend(options.draw(&mut self.stream).filter(|c| !out.contains(c)));
        }
        Ok(out)
    }

    /// The option that stands best on average. After each world the worse half of the options is left aside.
    /// `rest` is an option that stays, and that is taken unless another one is better.
    fn find_best(
        stream: &mut Stream,
        world: &mut World,
        all: &[Choice],
        rest: Option<usize>,
    ) -> Result<Option<Choice>, Fault> {
        let begin = |option| Tried { option, sum: 0, worlds: 0, lot: 0 };
        let mut left: Vec<Tried> = (0..all.len()).map(begin).collect();
        for n in 0..WORLDS {
            if n > 0 {
                let kept = left.len().div_ceil(2).max(KEPT);
                let resting = left.iter().skip(kept).find(|t| Some(t.option) == rest).copied();
                left.truncate(kept);
                left.extend(resting);
            }
            world.imagine_again(stream);
            // What may be answered there is worked out once.
            let answer = |tried: &Tried| world.find_answer(all.get(tried.option)?).ok()?;
            let answers: Vec<Option<Answer>> = left.iter().map(answer).collect();
            for (tried, answer) in left.iter_mut().zip(&answers) {
                tried.lot = stream.draw();
                let Some(answer) = answer else { continue };
                world.reset();
                // Rules that fail in a world that is only imagined say nothing about the option; a heuristic that fails judges nothing.
                if world.give_answer(answer).is_ok() {
                    tried.sum += i128::from(world.standing()?);
                    tried.worlds += 1;
                }
            }
            left.sort_unstable_by(Tried::compare);
        }
        let rest = left.iter().find(|t| Some(t.option) == rest);
        let best = left.first().map(|best| match rest {
            Some(rest) if best.compare_standing(rest) != Ordering::Less => rest,
            _ => best,
        });
        Ok(best.and_then(|best| all.get(best.option)).cloned())
    }

    /// In a menu, leaves out what it has done in the same position, unless that is all; after many choices of one turn it is done if it can be.
    fn leave_out_circles(&self, here: u64, all: &mut Vec<Choice>) {
        if self.chosen.len() >= IN_A_TURN && all.iter().any(is_end) {
            all.retain(is_end);
            all.truncate(1);
        }
        let again = |c: &Choice| self.chosen.iter().any(|x| x.known == here && x.choice == *c);
        if !all.iter().all(again) {
            all.retain(|c| !again(c));
        }
    }
}

/// The stream of the worlds in which the answers to a menu of a turn are compared, where players act freely.
pub(super) fn common_stream(seed: u64, turn: (i32, i32), kind: QuestionKind) -> Stream {
    let menu = match kind {
        QuestionKind::Menu(menu) => u64::from(menu.0),
        _ => 0,
    };
    let turn = (turn.0 as u64) << 32 | u64::from(turn.1 as u32);
    Stream::new(mix(seed, turn, menu), super::STREAM + 1)
}

pub(super) fn is_end(choice: &Choice) -> bool {
    matches!(choice, Choice::Done | Choice::Pass)
}

impl Policy for Greedy {
    fn name(&self) -> &'static str {
        "greedy"
    }

    fn choose(&mut self, sight: &mut Sight<'_>) -> Result<Option<Choice>, Fault> {
        let mut all = self.list_candidates(sight)?;
        if all.len() < 2 {
            return Ok(all.into_iter().next());
        }
        let (question, kind) = (sight.question().id, sight.question().kind);
        let mut world = sight.imagine_world(self.spare.take(), &mut self.stream);
        let known = matches!(kind, QuestionKind::Menu(_)).then(|| world.hash_known());
        if let Some(known) = known {
            self.forget_old(sight);
            self.leave_out_circles(known, &mut all);
        }
        let free = known.is_some() && sight.is_free();
        let again = free && self.chosen.iter().any(|c| c.kind == kind);
        let rest = all.iter().position(is_end).filter(|_| again);
        let choice = if all.len() < 2 {
            all.into_iter().next()
        } else if free {
            Self::find_best(&mut common_stream(self.seed, self.turn, kind), &mut world, &all, rest)?
        } else {
            Self::find_best(&mut self.stream, &mut world, &all, None)?
        };
        self.spare = Some(world);
        if let (Some(known), Some(choice)) = (known, &choice) {
            if self.chosen.len() >= IN_A_TURN {
                self.chosen.pop_front();
            }
            self.chosen.push_back(Chosen { question, kind, known, choice: choice.clone() });
        }
        Ok(choice)
    }
}

/// What came of an option so far.
#[derive(Clone, Copy)]
struct Tried {
    /// The number of the option.
    option: usize,
    /// The sum of how it stood, and in how many worlds that was.
    sum: i128,
    worlds: i128,
    /// Drawn in each world anew: it decides between equals.
    lot: u64,
}

impl Tried {
    /// Which is better is first: the higher mean; what could be tried nowhere is last.
    fn compare(&self, other: &Tried) -> Ordering {
        self.compare_standing(other).then_with(|| self.lot.cmp(&other.lot))
    }

    /// [`Tried::compare`] without the draw between equals.
    fn compare_standing(&self, other: &Tried) -> Ordering {
        let mean = |a: &Tried, b: &Tried| a.sum * b.worlds.max(1);
        (other.worlds > 0).cmp(&(self.worlds > 0)).then_with(|| mean(other, self).cmp(&mean(self, other)))
    }
}
