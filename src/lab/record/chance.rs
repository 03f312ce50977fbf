//! Writes what chance decided as statements of a test: rolls, draws, and what lies on top of what was shuffled.
use super::words::{lot_word, place_word, side_word};
use houserule_engine::{Chanced, ChancedThing, Look};
use houserule_program::ir::Program;

/// How much of a shuffled place is said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Depth {
    /// As far down as anything was taken from it.
    Touched,
    /// All of it.
    Whole,
}

/// A shuffle.
#[derive(Clone, Debug)]
struct Shuffle {
    /// The place's number.
    place: usize,
    /// As rules write it.
    name: String,
    /// The components that lay there, from the top, each with the word for its face.
    lying: Vec<(usize, String)>,
    /// So many from the top say all that matters.
    touched: usize,
}

/// What chance brought in one stretch.
#[derive(Clone, Debug, Default)]
pub(super) struct Lots {
    rolls: Vec<String>,
    draws: Vec<String>,
    shuffles: Vec<Shuffle>,
}

impl Lots {
    /// In words.
    ///
    /// # Errors
    /// What cannot be said.
    pub(super) fn from_chance(p: &Program, lots: &[Chanced]) -> Result<Lots, String> {
        let mut out = Lots::default();
        for lot in lots {
            match lot {
                Chanced::Number(n) => out.rolls.push(n.to_string()),
                Chanced::Rolled(ci, side, n) => {
                    let word = p.comps.get(*ci).and_then(|k| side_word(p, k, *side));
                    out.rolls.push(word.unwrap_or_else(|| n.to_string()));
                }
                Chanced::Drawn { things, .. } if things.is_empty() => {}
                Chanced::Drawn { of, things, one } => {
                    let all: Option<Vec<String>> = things.iter().map(|t| lot_word(p, *of, t)).collect();
                    let all = all.ok_or("what was drawn has no name")?;
                    out.draws.push(match (all.as_slice(), one) {
                        ([only], true) => only.clone(),
                        (all, _) => format!("[{}]", all.join(", ")),
                    });
                }
                Chanced::Shuffled(place, things) => {
                    let name = place_word(p, *place).ok_or("what was shuffled has no name")?;
                    let u = p.places.get(*place).and_then(|pl| p.comps.get(usize::from(pl.comps)));
                    let u = u.ok_or("what was shuffled has no name")?.universe;
                    let word = |t: &ChancedThing| Some((usize::try_from(t.value).ok()?, lot_word(p, u, t)?));
                    let lying: Option<Vec<(usize, String)>> = things.iter().map(word).collect();
                    let lying = lying.ok_or("what was shuffled has no names")?;
                    out.shuffles.push(Shuffle { place: *place, name, lying, touched: 0 });
                }
            }
        }
        Ok(out)
    }

    /// Whether something was shuffled.
    pub(super) fn has_shuffled(&self) -> bool {
        !self.shuffles.is_empty()
    }

    /// In a later state: whatever does not lie any more where it was shuffled shows how far down matters; not where it was shuffled again since.
    pub(super) fn note_depth(&mut self, look: Look<'_>, since: &[Lots]) {
        for s in &mut self.shuffles {
            if since.iter().flat_map(|l| &l.shuffles).any(|x| x.place == s.place) {
                continue;
            }
            let ci = look.program.places.get(s.place).map_or(0, |pl| usize::from(pl.comps));
            let gone = s.lying.iter().rposition(|(c, _)| look.place(ci, *c) != Some(s.place));
            s.touched = s.touched.max(gone.map_or(0, |at| at + 1));
        }
    }

    /// As statements; `own` is a text whose statements stand behind them and order chance themselves.
    pub(super) fn to_statements(&self, depth: Depth, own: Option<&str>) -> Vec<String> {
        let orders = |word: &str| own.is_some_and(|t| t.split_whitespace().any(|w| w == word));
        let mut out = Vec::new();
        if !self.rolls.is_empty() && !orders("rolls") {
            out.push(format!("table rolls {}", self.rolls.join(", ")));
        }
        if !self.draws.is_empty() && !orders("draws") {
            out.push(format!("table draws {}", self.draws.join(", ")));
        }
        if orders("shuffles") {
            return out;
        }
        for (i, s) in self.shuffles.iter().enumerate() {
            // Shuffled twice in one stretch: nobody knows what was taken in between.
            let again = self.shuffles.iter().skip(i + 1).any(|x| x.place == s.place);
            let n = if again || depth == Depth::Whole { s.lying.len() } else { s.touched };
            if n > 0 {
                let top: Vec<&str> = s.lying.iter().take(n).map(|(_, word)| word.as_str()).collect();
                out.push(format!("table shuffles {} to {}", s.name, top.join(", ")));
            }
        }
        out
    }
}
