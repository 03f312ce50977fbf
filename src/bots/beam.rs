//! Beam search: the bot looks for its best line of choices, keeps at each stage the best few positions by the rules' `heuristic`, and continues from those.
//!
//! A line goes on as long as the seat itself is asked, through its own turns, and ends where somebody else must answer, where something was drawn by chance, at the end of
//! the game, or after so many turns. Positions are compared with those that stand after as many choices in the same turn; what a turn comes to, however many
//! choices it took, with what the others come to at the end of that turn. What is met again, by the same choices in another order, is judged and kept once. So a game that
//! one seat plays alone is planned from its first choice to its end.
//!
//! It looks into worlds that its seat cannot tell from the real one, never into the real one. Where nothing is hidden and nothing was drawn, one world is enough, and the plan is
//! kept as long as the game goes as planned; else it plans anew for each choice, in several worlds, and takes the choice that begins the best lines on average.
//!
//! Where players act freely, it looks at one menu of a turn in the same worlds each time it is asked, and once it has answered there, it is done unless another answer is
//! better: so it answers again only when somebody else has changed something that matters. It does not choose again what it chose before in a position that looks the same to it.
use super::greedy::{common_stream, is_end};
use super::sight::{END, Spot, World, hash_view};
use super::{Policy, Sight};
use houserule_engine::{Choice, Fault, QuestionKind, Stream};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// How far and how broadly it looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Breadth {
    /// Positions that are kept at a time.
    pub width: usize,
    /// Turns that are looked through; more than any game has: to the end.
    pub turns: usize,
    /// Answers that are tried for one plan at most.
    pub nodes: u64,
}

impl Default for Breadth {
    fn default() -> Self {
        Breadth { width: 20, turns: 1000, nodes: Breadth::enough_answers(20) }
    }
}

impl Breadth {
    /// Answers that are enough for long games at a width: a broader plan must come as far as a narrow one.
    pub(super) fn enough_answers(width: usize) -> u64 {
        (width as u64).saturating_mul(50_000).max(1_000_000)
    }
}

/// Worlds that are looked into where something is hidden or drawn.
const WORLDS: usize = 4;
/// Options of one question that are tried.
const TRIED: u64 = 200;
/// Choices of one turn that a line goes through.
const CHOICES: usize = 200;

/// The bot.
pub struct Beam {
    breadth: Breadth,
    seed: u64,
    stream: Stream,
    /// The turn in which players act freely, and what it has answered there.
    free: ((i32, i32), Vec<Answered>),
    /// What is still to be done, each choice with a sum of what the seat should see then.
    plan: VecDeque<(u64, Choice)>,
}

/// An answer to a menu where players act freely.
struct Answered {
    kind: QuestionKind,
    /// A hash of what the bot saw then.
    here: u64,
    choice: Choice,
}

/// A step of a line: where it came from, and what was chosen.
struct Step {
    before: usize,
    choice: Choice,
}

/// Nothing before it.
const ROOT: usize = usize::MAX;

/// A position at the end of a line, kept in the beam.
struct BeamState {
    value: i64,
    /// Its last step.
    step: usize,
    /// Which of the first choices it began with.
    first: usize,
    spot: Spot,
}

/// One that may be kept.
struct Found {
    value: i64,
    number: u64,
    parent: usize,
    choice: Choice,
}

/// What came of looking into one world.
struct Search {
    steps: Vec<Step>,
    /// The best that each first choice came to, furthest stage first, with the last step of that line.
    best: FxHashMap<usize, (usize, i64, usize)>,
    firsts: Vec<Choice>,
    /// The end of the best line, by how far it goes and what it comes to.
    end: Option<(usize, i64, usize)>,
    /// Something was drawn on the way.
    drawn: bool,
}

impl Search {
    fn line_to(&self, mut step: usize) -> VecDeque<Choice> {
        let mut out = VecDeque::new();
        while let Some(s) = self.steps.get(step) {
            out.push_front(s.choice.clone());
            step = s.before;
        }
        out
    }

    /// A line has come to an end, or to the end of a stage.
    fn note_line(&mut self, stage: usize, s: (i64, usize, usize)) {
        let (value, step, first) = s;
        let best = self.best.entry(first).or_insert((stage, value, step));
        if (stage, value) > (best.0, best.1) {
            *best = (stage, value, step);
        }
        if self.end.is_none_or(|(g, v, _)| (stage, value) > (g, v)) {
            self.end = Some((stage, value, step));
        }
    }
}

/// The stage of lines that have come to the end of the game: nothing goes further.
const OVER: usize = usize::MAX;

impl Beam {
    /// One whose draws depend on nothing but the seed and what it was asked before.
    pub fn new(seed: u64, breadth: Breadth) -> Beam {
        let stream = Stream::new(seed, super::STREAM + 2);
        Beam { breadth, seed, stream, free: ((0, 0), Vec::new()), plan: VecDeque::new() }
    }

    fn search_lines(&mut self, world: &mut World, options: &[Choice]) -> Result<Search, Fault> {
        let root = world.spot();
        let width = self.breadth.width.max(1);
        let mut nodes = self.breadth.nodes;
        let mut s = Search {
            steps: Vec::new(),
            best: FxHashMap::default(),
            firsts: options.to_vec(),
            end: None,
            drawn: false,
        };
        let mut here = vec![BeamState { value: 0, step: ROOT, first: 0, spot: root.clone() }];
        for stage in 1..=self.breadth.turns.max(1) {
            // Positions in which this turn is over, or in which nobody here is asked any more.
            let mut next: Vec<BeamState> = Vec::new();
            let mut level = std::mem::take(&mut here);
            let mut seen = FxHashSet::default();
            // What positions of this stage come to: most are met again, by the same choices in another order.
            let mut known: FxHashMap<u64, i64> = FxHashMap::default();
            for _ in 0..CHOICES {
                let mut on: Vec<Found> = Vec::new();
                let mut out: Vec<Found> = Vec::new();
                for (parent, stand) in level.iter().enumerate() {
                    world.go_to(&stand.spot);
                    let turns = world.turns();
                    let all = match (stand.step, options) {
                        (ROOT, given) => given.to_vec(),
                        // Rules that fail in a world that is only imagined say nothing about the line.
                        _ => world.list_options(TRIED, &mut self.stream).unwrap_or_default(),
                    };
                    for choice in all {
                        if nodes == 0 {
                            break;
                        }
                        nodes -= 1;
                        world.go_to(&stand.spot);
                        if world.take_option(&choice).is_err() {
                            continue;
                        }
                        let number = world.position_hash();
                        let value = match known.get(&number) {
                            Some(value) => *value,
                            None => {
                                let value = world.standing()?;
                                known.insert(number, value);
                                value
                            }
                        };
                        let drawn = world.has_drawn_since(&stand.spot);
                        s.drawn |= drawn;
                        let turned = drawn || world.turns() != turns || world.first_question().is_none();
                        let found = Found { value, number, parent, choice };
                        if turned { out.push(found) } else { on.push(found) }
                    }
                }
                keep_best(world, &mut s, &level, out, &mut seen, width, stage, &mut next);
                let mut further = Vec::new();
                keep_best(world, &mut s, &level, on, &mut seen, width, stage, &mut further);
                level = further;
                if level.is_empty() || nodes == 0 {
                    break;
                }
            }
            // Of lines that are cut off here, how they stand counts as well.
            for stand in &level {
                s.note_line(stage - 1, (stand.value, stand.step, stand.first));
            }
            next.sort_by_key(|stand| std::cmp::Reverse(stand.value));
            next.truncate(width);
            for stand in next {
                world.go_to(&stand.spot);
                let over = world.is_over();
                let far = match stand.value {
                    // Who loses has gone nowhere, and who plays alone has come to the end of his way.
                    x if over && x <= -END => 0,
                    x if over && (x >= END || world.is_alone()) => OVER,
                    _ => stage,
                };
                s.note_line(far, (stand.value, stand.step, stand.first));
                if !over && !world.has_drawn_since(&root) && world.first_question().is_some() {
                    here.push(stand);
                }
            }
            if here.is_empty() || nodes == 0 {
                break;
            }
        }
        Ok(s)
    }

    /// What a line's positions look like to the seat, so that it can be told whether the game goes as planned.
    fn make_plan(&mut self, world: &mut World, root: &Spot, line: VecDeque<Choice>) {
        self.plan.clear();
        world.go_to(root);
        for choice in line {
            let sum = hash_view(&world.view());
            if world.take_option(&choice).is_err() {
                break;
            }
            self.plan.push_back((sum, choice));
        }
    }
}

/// Puts the best of what was found into a list, each position once.
#[allow(clippy::too_many_arguments)]
fn keep_best(
    world: &mut World,
    s: &mut Search,
    level: &[BeamState],
    mut found: Vec<Found>,
    seen: &mut FxHashSet<u64>,
    width: usize,
    stage: usize,
    into: &mut Vec<BeamState>,
) {
    found.sort_by(|a, b| b.value.cmp(&a.value).then(a.number.cmp(&b.number)));
    let mut room = width;
    for f in found {
        if room == 0 {
            break;
        }
        if !seen.insert(f.number) {
            continue;
        }
        room -= 1;
        let Some(parent) = level.get(f.parent) else { continue };
        world.go_to(&parent.spot);
        if world.take_option(&f.choice).is_err() {
            continue;
        }
        let first = match parent.step {
            ROOT => s.firsts.iter().position(|c| *c == f.choice).unwrap_or(0),
            _ => parent.first,
        };
        let step = s.steps.len();
        if stage == 1 && parent.step == ROOT {
            s.best.entry(first).or_insert((0, f.value, step));
        }
        s.steps.push(Step { before: parent.step, choice: f.choice });
        into.push(BeamState { value: f.value, step, first, spot: world.spot() });
    }
}

impl Policy for Beam {
    fn name(&self) -> &'static str {
        "beam"
    }

    fn choose(&mut self, sight: &mut Sight<'_>) -> Result<Option<Choice>, Fault> {
        let here = hash_view(&sight.view());
        if let Some((there, choice)) = self.plan.pop_front() {
            if here == there && sight.options()?.index_of(&choice).is_some() {
                return Ok(Some(choice));
            }
            self.plan.clear();
        }
        let options = sight.options()?;
        let all = match options.list(TRIED) {
            Some(all) => all,
            None => {
                let mut out: Vec<Choice> = Vec::new();
                for _ in 0..TRIED {
                    out.extend(options.draw(&mut self.stream).filter(|c| !out.contains(c)));
                }
                out
            }
        };
        if all.len() < 2 {
            return Ok(all.into_iter().next());
        }
        let kind = sight.question().kind;
        if !matches!(kind, QuestionKind::Menu(_)) || !sight.is_free() {
            return self.choose_among(sight, &all, None, None);
        }
        if self.free.0 != sight.turns() {
            self.free = (sight.turns(), Vec::new());
        }
        let again = self.free.1.iter().any(|a| a.kind == kind);
        // What it chose before in a position that looks the same is left out: it would go round in circles.
        let known = |c: &Choice| self.free.1.iter().any(|a| a.here == here && a.choice == *c);
        let mut all = all;
        if !all.iter().all(known) {
            all.retain(|c| !known(c));
        }
        let common = common_stream(self.seed, self.free.0, kind);
        let rest = all.iter().position(is_end).filter(|_| again);
        let choice = self.choose_among(sight, &all, rest, Some(common))?;
        self.free.1.extend(choice.iter().map(|c| Answered { kind, here, choice: c.clone() }));
        Ok(choice)
    }
}

impl Beam {
    /// The choice that begins the best lines; `rest` unless another one begins better ones. If `worlds` is given, it draws the worlds that are looked into; else the bot's own stream does.
    fn choose_among(
        &mut self,
        sight: &mut Sight<'_>,
        all: &[Choice],
        rest: Option<usize>,
        mut worlds: Option<Stream>,
    ) -> Result<Option<Choice>, Fault> {
        let mut world = sight.imagine_world(None, worlds.as_mut().unwrap_or(&mut self.stream));
        let root = world.spot();
        let first = self.search_lines(&mut world, all)?;
        let other = sight.imagine_world(None, worlds.as_mut().unwrap_or(&mut self.stream));
        if !first.drawn && other.is_like(&root) {
            let line = first.end.map(|(_, _, step)| first.line_to(step)).unwrap_or_default();
            self.make_plan(&mut world, &root, line);
            if let Some((_, choice)) = self.plan.pop_front() {
                return Ok(Some(choice));
            }
        }
        // What each first choice comes to: how often it went furthest counts before how well it stood.
        let mut sums: Vec<(i128, i128)> = vec![(0, 0); all.len()];
        let mut searches = vec![first];
        let (mut begun, mut world) = (world, other);
        for _ in 1..WORLDS {
            searches.push(self.search_lines(&mut world, all)?);
            world.imagine_again(worlds.as_mut().unwrap_or(&mut self.stream));
        }
        for s in &searches {
            for (first, (_, value, _)) in &s.best {
                if let Some(sum) = sums.get_mut(*first) {
                    *sum = (sum.0 + i128::from(*value), sum.1 + 1);
                }
            }
        }
        let mean = |s: &(i128, i128)| if s.1 == 0 { i128::MIN } else { s.0 * 1024 / s.1 };
        let best = sums.iter().enumerate().max_by(|a, b| mean(a.1).cmp(&mean(b.1)).then(b.0.cmp(&a.0)));
        let resting = rest.and_then(|i| sums.get(i).map(|sum| (i, sum)));
        let best = match (best, resting) {
            (Some(best), Some(resting)) if mean(best.1) <= mean(resting.1) => Some(resting),
            (best, _) => best,
        };
        // Where others may act at any moment, it goes on with the line that it has begun, as long as they do not.
        let line = best.and_then(|(i, _)| searches.first()?.best.get(&i).map(|(_, _, step)| *step));
        if let (Some(step), Some(first), true) = (line, searches.first(), worlds.is_some()) {
            let line = first.line_to(step);
            self.make_plan(&mut begun, &root, line);
            self.plan.pop_front();
        }
        Ok(best.and_then(|(i, _)| all.get(i)).cloned())
    }
}
