//! A tour: steps of learning, each of which is done when the state of the editor says so. The steps are data, in `editor/tours`.
//!
//! ```text
//! editor state ─▶ Signs ─▶ Goal::is_met(signs at the step's beginning, signs now) ─▶ next step
//! ```
use crate::command::Command;
use crate::keys::Keys;
use crate::pane::Pane;
use serde::Deserialize;

/// A tour as it is written down.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Tour {
    /// What it is called.
    pub title: String,
    /// The file that it begins with.
    pub file: String,
    /// Its steps, in order.
    pub steps: Vec<Step>,
    /// What is said behind the last one.
    pub end: String,
}

/// A step of a tour.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Step {
    /// What is to be done, in a few words.
    pub title: String,
    /// How, and what it shows. A command's id in braces stands for its keys.
    pub text: String,
    /// When it is done.
    pub goal: Goal,
}

/// When a step is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub enum Goal {
    /// That pane is in front and shows the tour's file.
    Shown(Pane),
    /// The tour's file has another text.
    Edited,
    /// A step of the history was taken back.
    Undone,
    /// The check of the game finds an error.
    Found,
    /// The check of the game finds none.
    Sound,
    /// The game is played.
    Playing,
    /// A person has made a choice in it.
    Chosen,
    /// The reasons why something is not offered are shown.
    Asked,
    /// A run of games between bots was begun, and some are over.
    Measured,
}

/// What goals read of the editor's state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signs {
    /// The pane in front.
    pub front: Pane,
    /// Whether the tour's file is open.
    pub open: bool,
    /// A number that another text of the tour's file hardly has.
    pub text: u64,
    /// How many steps of the history are taken back.
    pub undone: usize,
    /// How many errors the check of the present texts has found; none before it is done.
    pub errors: Option<usize>,
    /// Whether the tour's game is played.
    pub playing: bool,
    /// How many choices of that match were made by people.
    pub choices: usize,
    /// Whether the reasons of a refusal are shown.
    pub asked: bool,
    /// The number of the last run of games of which some are over.
    pub run: u64,
}

impl Goal {
    /// Whether a step with this goal is done, if it began with those signs.
    pub fn is_met(self, then: &Signs, now: &Signs) -> bool {
        match self {
            Goal::Shown(pane) => now.open && now.front == pane,
            Goal::Edited => now.text != then.text,
            Goal::Undone => now.undone > then.undone,
            Goal::Found => now.errors.is_some_and(|n| n > 0),
            Goal::Sound => now.errors == Some(0),
            Goal::Playing => now.playing,
            Goal::Chosen => now.playing && now.choices > then.choices,
            Goal::Asked => now.asked,
            Goal::Measured => now.run > then.run,
        }
    }
}

/// A tour that is being made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Progress {
    /// The tour.
    pub tour: Tour,
    /// The number of the present step; as many as there are steps behind the last one.
    pub at: usize,
    /// The signs with which it began.
    then: Signs,
}

impl Progress {
    /// Begins a tour.
    pub fn new(tour: Tour, now: Signs) -> Progress {
        Progress { tour, at: 0, then: now }
    }

    /// The present step; none behind the last one.
    pub fn step(&self) -> Option<&Step> {
        self.tour.steps.get(self.at)
    }

    /// Goes on if the present step is done.
    pub fn advance(&mut self, now: Signs) {
        if self.step().is_some_and(|s| s.goal.is_met(&self.then, &now)) {
            self.skip(now);
        }
    }

    /// Goes on to the next step.
    pub fn skip(&mut self, now: Signs) {
        self.at = (self.at + 1).min(self.tour.steps.len());
        self.then = now;
    }

    /// What the strip says: where one is, what is to be done, and how.
    pub fn to_text(&self, keys: &Keys) -> (String, String) {
        let all = self.tour.steps.len();
        match self.step() {
            Some(step) => {
                (format!("{} of {all}: {}", self.at + 1, step.title), fill_in_keys(&step.text, keys))
            }
            None => (format!("{}: done", self.tour.title), fill_in_keys(&self.tour.end, keys)),
        }
    }
}

/// The first tour.
///
/// # Errors
/// What is wrong with its file.
pub fn read_first() -> Result<Tour, String> {
    ron::from_str(include_str!("../tours/first.ron")).map_err(|e| e.to_string())
}

/// A text with the keys of each command that it names in braces, or its name where it has none.
fn fill_in_keys(text: &str, keys: &Keys) -> String {
    let mut out = text.to_string();
    for info in Command::all().iter().filter_map(Command::info) {
        let hole = format!("{{{}}}", info.id);
        if out.contains(&hole) {
            let shown = keys.to_text(&info);
            out = out.replace(&hole, if shown.is_empty() { info.name } else { &shown });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signs() -> Signs {
        Signs {
            front: Pane::Write,
            open: true,
            text: 7,
            undone: 0,
            errors: Some(0),
            playing: false,
            choices: 0,
            asked: false,
            run: 0,
        }
    }

    #[test]
    fn the_tour_can_be_read_and_names_commands_that_there_are() {
        let tour = read_first().unwrap();
        assert!(tour.steps.len() >= 8);
        for text in tour.steps.iter().map(|s| &s.text).chain([&tour.end]) {
            let told = fill_in_keys(text, &Keys::default());
            assert!(!told.contains(['{', '}']), "{told}");
        }
        assert!(fill_in_keys("Press {edit.undo}.", &Keys::default()).contains("Ctrl+Z"));
    }

    #[test]
    fn a_step_is_done_by_its_own_sign_alone() {
        let then = Signs { text: 1, errors: None, ..signs() };
        let made: [(Goal, Signs); 9] = [
            (Goal::Shown(Pane::Draw), Signs { front: Pane::Draw, ..then }),
            (Goal::Edited, Signs { text: 2, ..then }),
            (Goal::Undone, Signs { undone: 1, ..then }),
            (Goal::Found, Signs { errors: Some(2), ..then }),
            (Goal::Sound, Signs { errors: Some(0), ..then }),
            (Goal::Playing, Signs { playing: true, ..then }),
            (Goal::Chosen, Signs { playing: true, choices: 1, ..then }),
            (Goal::Asked, Signs { asked: true, ..then }),
            (Goal::Measured, Signs { run: 1, ..then }),
        ];
        for (n, (goal, _)) in made.iter().enumerate() {
            assert!(!goal.is_met(&then, &then), "{goal:?}");
            for (k, (other, now)) in made.iter().enumerate() {
                // Who chooses also plays.
                let also = *goal == Goal::Playing && *other == Goal::Chosen;
                assert_eq!(goal.is_met(&then, now), n == k || also, "{goal:?} by {other:?}");
            }
        }
        let closed = Signs { open: false, front: Pane::Draw, ..then };
        assert!(!Goal::Shown(Pane::Draw).is_met(&then, &closed));
    }

    #[test]
    fn a_tour_goes_on_step_by_step() {
        let step = |goal| Step { title: "x".into(), text: "y".into(), goal };
        let tour = Tour {
            title: "T".into(),
            file: "f".into(),
            steps: vec![step(Goal::Edited), step(Goal::Edited), step(Goal::Playing)],
            end: "e".into(),
        };
        let mut p = Progress::new(tour, signs());
        p.advance(signs());
        assert_eq!(p.at, 0);
        let edited = Signs { text: 8, ..signs() };
        p.advance(edited);
        p.advance(edited);
        assert_eq!(p.at, 1, "the edit of the first step is not one of the second");
        p.skip(edited);
        p.skip(edited);
        p.skip(edited);
        assert_eq!((p.at, p.step()), (3, None));
        assert_eq!(p.to_text(&Keys::default()), ("T: done".into(), "e".into()));
    }
}
