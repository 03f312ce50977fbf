//! What a bot may use to answer: one question of one seat, its view, and sampled worlds. The only file of this room that names the state.
use houserule_engine::{
    Choice, Estimates, Fault, Hidden, Hooks, Machine, Options, Outcome, Question, QuestionKind, Refusal,
    State, Stream, Verdict, View,
};
use houserule_program::ir::{OutcomeSlot, Program};
use rand::Rng;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;
use std::sync::Arc;

/// The streams of bots are apart from those of games by this number.
pub const STREAM: u64 = 0xb075;

/// A question as the asked seat sees it. The state behind it is out of reach.
pub struct Sight<'m> {
    machine: &'m mut Machine,
    hooks: Option<Arc<dyn Hooks>>,
    seat: usize,
    q: usize,
    question: Question,
}

impl<'m> Sight<'m> {
    /// The sight of a seat on question number `q` of a machine; `None` if there is no such question or it is not the seat's.
    pub fn new(
        machine: &'m mut Machine,
        hooks: Option<Arc<dyn Hooks>>,
        seat: usize,
        q: usize,
    ) -> Option<Sight<'m>> {
        let question = machine.questions().get(q).copied()?;
        (seat < 32 && question.seats >> seat & 1 == 1).then_some(Sight { machine, hooks, seat, q, question })
    }

    /// The seat that looks.
    pub fn seat(&self) -> usize {
        self.seat
    }

    /// The player that is asked.
    pub fn player(&self) -> usize {
        self.question.player as usize
    }

    /// The rules: they are no secret.
    pub fn program(&self) -> &Program {
        self.machine.program()
    }

    /// The question.
    pub fn question(&self) -> &Question {
        &self.question
    }

    /// Turns and rounds begun: they are no secret.
    pub fn turns(&self) -> (i32, i32) {
        (self.machine.state().turns(), self.machine.state().round())
    }

    /// Whether players act freely: then each may answer as often as there is something on offer.
    pub fn is_free(&self) -> bool {
        self.machine.acts_freely()
    }

    /// Its text.
    pub fn prompt(&mut self) -> String {
        self.machine.prompt(self.q)
    }

    /// What may be answered.
    ///
    /// # Errors
    /// What went wrong in the rules while it was worked out.
    pub fn options(&mut self) -> Result<&Options, Fault> {
        self.machine.options(self.q)
    }

    /// What the seat knows.
    pub fn view(&mut self) -> View {
        self.machine.view(self.seat)
    }

    /// An answer by the uniform policy.
    ///
    /// # Errors
    /// What went wrong in the rules.
    pub fn draw_choice<G: Rng + ?Sized>(&mut self, rng: &mut G) -> Result<Option<Choice>, Fault> {
        self.machine.draw(self.q, rng)
    }

    /// A world that the seat cannot tell from the real one, drawn by chance: what it does not know is dealt anew, chance to come is another.
    /// `spare` is one that is not needed any more, whose room is used if it is of the same rules.
    pub fn imagine_world<G: Rng + ?Sized>(&mut self, spare: Option<World>, rng: &mut G) -> World {
        let program = self.machine.program();
        let room = spare.filter(|w| Arc::ptr_eq(w.machine.program(), program));
        let (mut machine, mut sorted, start, estimates) = match room {
            Some(w) => (w.machine, w.sorted, w.start, w.estimates),
            None => {
                let machine = Machine::new(program.clone(), 0);
                (machine, State::default(), State::default(), Estimates::new(program))
            }
        };
        if let Some(h) = &self.hooks {
            machine.set_hooks(h.clone());
        }
        machine.set_state(self.machine.state());
        let hidden = machine.sort_hidden(self.seat);
        sorted.clone_from(machine.state());
        let player = self.question.player;
        let seat = self.seat;
        let mut world = World { machine, hidden, sorted, start, estimates, seat, player, others: 0 };
        world.deal(rng);
        world.machine.set_mark(&mut world.estimates);
        world
    }
}

/// A position of a made-up world: nothing can be done with it but to go there.
#[derive(Clone)]
pub struct Spot(State);

/// A world that might be the real one: a bot may try its answers there.
pub struct World {
    machine: Machine,
    /// What the seat does not know, and the real state with that in a fixed order.
    hidden: Hidden,
    sorted: State,
    start: State,
    /// What heuristics say of `start`.
    estimates: Estimates,
    seat: usize,
    player: u8,
    /// What the answers of others are drawn from.
    others: u64,
}

/// An answer that the player may give in a made-up world as it is when it has been dealt.
pub struct Answer {
    q: usize,
    choice: Choice,
}

/// Answers of others that are made up so that an answer held back for them comes about.
const HELD: usize = 32;

/// What the end of a game is worth beside heuristics.
pub const END: i64 = 1_000_000_000;

impl World {
    /// Makes up another world of the same question.
    pub fn imagine_again<G: Rng + ?Sized>(&mut self, rng: &mut G) {
        self.machine.set_state(&self.sorted);
        self.deal(rng);
        self.machine.move_mark(&mut self.estimates, &self.hidden);
    }

    /// A hash of what the seat knows, without what the engine counts for itself: the same wherever the seat would see the same.
    /// The world is another one afterwards.
    pub fn hash_known(&mut self) -> u64 {
        self.machine.set_state(&self.sorted);
        self.machine.deal_hidden(&self.hidden, &mut Stream::new(0, STREAM));
        self.machine.state().number_seen(self.machine.program())
    }

    fn deal<G: Rng + ?Sized>(&mut self, rng: &mut G) {
        self.machine.deal_hidden(&self.hidden, rng);
        self.start.clone_from(self.machine.state());
        self.others = rng.next_u64();
    }

    /// A choice as an answer to the player's question; none if it is no option in this world. Nothing may have been chosen there yet.
    ///
    /// # Errors
    /// What went wrong in the rules.
    pub fn find_answer(&mut self, choice: &Choice) -> Result<Option<Answer>, Fault> {
        let player = self.player;
        let q = self.machine.questions().iter().position(|q| q.player == player);
        let Some(q) = q else { return Ok(None) };
        Ok(self.machine.find_choice(q, choice)?.map(|choice| Answer { q, choice }))
    }

    /// Gives an answer. Nothing may have been chosen there yet, or the world must have been [reset](World::reset).
    ///
    /// # Errors
    /// What went wrong in the rules; only [`World::reset`] helps then.
    pub fn give_answer(&mut self, answer: &Answer) -> Result<(), Fault> {
        self.machine.choose_known(answer.q, answer.choice.clone())?;
        // `done` and `pass` have no effect that the answers of others could change.
        if matches!(answer.choice, Choice::Done | Choice::Pass) { Ok(()) } else { self.answer_for_others() }
    }

    /// Where all answer at once, an answer waits for those of others: they are done if they can be, else they answer by chance.
    fn answer_for_others(&mut self) -> Result<(), Fault> {
        let mut stream = Stream::new(self.others, STREAM);
        for _ in 0..HELD {
            let open = self.machine.questions();
            let Some(first) = open.first() else { break };
            // An answer to the player alone, or one that was taken as it came, waits for nobody.
            if open.iter().any(|q| q.player == self.player) || !self.machine.holds(self.player) {
                break;
            }
            let kind = first.kind;
            let done =
                matches!(kind, QuestionKind::Menu(..)) && self.machine.choose(0, &Choice::Done).is_ok();
            if done {
                continue;
            }
            let Some(choice) = self.machine.draw(0, &mut stream)? else { break };
            match self.machine.choose(0, &choice) {
                Ok(()) => {}
                Err(Refusal::Fault(f)) => return Err(f),
                Err(_) => break,
            }
        }
        Ok(())
    }

    /// Back to before all choices.
    pub fn reset(&mut self) {
        self.machine.set_state(&self.start);
        self.machine.note_at_mark();
    }

    /// Goes to another spot of that world.
    pub fn go_to(&mut self, spot: &Spot) {
        self.machine.set_state(&spot.0);
    }

    /// Where it is, to come back to.
    pub fn spot(&self) -> Spot {
        Spot(self.machine.state().clone())
    }

    /// A number that is the same wherever all lies and stands alike and the rules wait at the same place.
    pub fn position_hash(&self) -> u64 {
        self.machine.state().number()
    }

    /// Turns and rounds begun.
    pub fn turns(&self) -> (i32, i32) {
        (self.machine.state().turns(), self.machine.state().round())
    }

    /// Whether something has been drawn by chance since that spot.
    pub fn has_drawn_since(&self, spot: &Spot) -> bool {
        self.machine.state().draws() != spot.0.draws()
    }

    /// Whether it differs from another made-up world at most in the chance that is still to come.
    pub fn is_like(&self, spot: &Spot) -> bool {
        spot.0.same_but_chance(self.machine.state())
    }

    /// The first question there that the seat may answer, with its number among all.
    pub fn first_question(&self) -> Option<(usize, Question)> {
        let mine = |q: &&Question| self.seat < 32 && q.seats >> self.seat & 1 == 1;
        let found = self.machine.questions().iter().position(|q| mine(&q))?;
        Some((found, self.machine.questions().get(found).copied()?))
    }

    /// Its options: all of them, or as many as are wanted, drawn by chance.
    ///
    /// # Errors
    /// What went wrong in the rules while they were worked out.
    pub fn list_options<G: Rng + ?Sized>(&mut self, most: u64, rng: &mut G) -> Result<Vec<Choice>, Fault> {
        let Some((q, _)) = self.first_question() else { return Ok(Vec::new()) };
        let options = self.machine.options(q)?;
        if let Some(all) = options.list(most) {
            return Ok(all);
        }
        let mut out: Vec<Choice> = Vec::new();
        for _ in 0..most {
            out.extend(options.draw(rng).filter(|c| !out.contains(c)));
        }
        Ok(out)
    }

    /// Answers that question with one of its options in this very state.
    ///
    /// # Errors
    /// What went wrong in the rules; go somewhere else then.
    pub fn take_option(&mut self, choice: &Choice) -> Result<(), Fault> {
        match self.first_question() {
            Some((q, _)) => self.machine.choose_known(q, choice.clone()),
            None => Ok(()),
        }
    }

    /// What a seat sees of it.
    pub fn view(&mut self) -> View {
        self.machine.view(self.seat)
    }

    /// Whether the game is over there.
    pub fn is_over(&self) -> bool {
        self.machine.is_over()
    }

    /// Whether nobody else has a seat.
    pub fn is_alone(&self) -> bool {
        self.machine.program().seats == 1
    }

    /// How the game ended there, if it has.
    pub fn outcome(&mut self) -> Option<&Outcome> {
        self.machine.outcome()
    }

    /// How the player, with those of the same seat, stands by the rules' own heuristics, against the mean of the others or, where all win together, with them; the end of the game counts more than all of them.
    /// Numbers are multiplied by the number of other players, so that they stay whole.
    ///
    /// # Errors
    /// What went wrong in a heuristic.
    pub fn standing(&mut self) -> Result<i64, Fault> {
        let me = self.player as usize;
        if self.machine.is_over() {
            let sign = if matches!(self.machine.program().outcome, OutcomeSlot::Lowest(_)) { -1 } else { 1 };
            let outcome = self.machine.outcome();
            // Whoever is alone has the first place whatever he does: there the numbers say how well.
            if let Some(o) = outcome.filter(|o| !o.places.is_empty() && o.places.iter().all(|p| *p <= 1))
                && o.verdicts.get(me) == Some(&Verdict::Won)
                && let Some(score) = o.scores.get(me).and_then(|s| s.first())
            {
                return Ok((*score).clamp(-END, END) * sign);
            }
            let verdict = self.machine.outcome().and_then(|o| o.verdicts.get(me).copied());
            return Ok(match verdict {
                Some(Verdict::Won) => END,
                Some(Verdict::Lost) => -END,
                _ => 0,
            });
        }
        let program = self.machine.program().clone();
        let players = usize::from(program.players);
        // Players of one seat alone are in it together.
        let own = program.answered.get(me).copied().unwrap_or(0);
        let mate = |p: usize| {
            p == me || own.is_power_of_two() && program.answered.get(p).is_some_and(|seats| *seats == own)
        };
        let mates = (0..players).filter(|p| mate(*p)).count();
        let others = players.saturating_sub(mates).max(1) as i64;
        let mates = mates as i64;
        // Where all win or lose together, what is good for one is good for all.
        let together = matches!(program.outcome, OutcomeSlot::Together);
        let mut total = 0i64;
        for player in 0..players {
            for heuristic in 0..program.heuristics.len() {
                let value = self.machine.estimate(&mut self.estimates, heuristic, player)?;
                total = if together {
                    total.saturating_add(value)
                } else if mate(player) {
                    total.saturating_add(value.saturating_mul(others))
                } else {
                    total.saturating_sub(value.saturating_mul(mates))
                };
            }
        }
        Ok(total)
    }
}

/// A hash of what a seat sees, by which a bot knows a position again.
pub(super) fn hash_view(view: &View) -> u64 {
    FxBuildHasher.hash_one(view)
}
