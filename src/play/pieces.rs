//! Builds a choice piece by piece: first the action, then each parameter in order. So a question with very many options need not be listed.
use super::matches::Match;
use super::points::{Point, add_members};
use super::refused::Illegal;
use super::words::{Wording, group_things, least_value, set_bits};
use houserule_engine::{Choice, Last, QuestionKind, Segment, Subsets, What, Words};
use houserule_program::ir::{ActionIx, Domain, NONE, UniverseId};

/// A piece of a choice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Piece {
    /// The whole of it.
    Whole(Choice),
    /// Which action.
    Action(ActionIx),
    /// What the action's next parameter is: a thing or a number.
    Value(i64),
    /// What the action's next parameter is: a set.
    Set(Words),
    /// One more element of the set that is being picked.
    Element(i64),
}

/// A piece that may come next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PieceOffer {
    /// The piece.
    pub piece: Piece,
    /// In words, as it stands in the choice's words.
    pub words: String,
    /// For people.
    pub title: String,
    /// What it names.
    pub points: Vec<Point>,
    /// How many choices go on so, `u64::MAX` for that many or more; of an element that may be picked always 1.
    pub ways: u64,
}

/// What may come after some pieces.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pieces {
    /// What may come next, in the order of the options.
    pub offers: Vec<PieceOffer>,
    /// The choice that the pieces make, if they are one already.
    pub complete: Option<Choice>,
    /// Of a set that is being picked: how many elements it may have at least and at most.
    pub picking: Option<(u32, u32)>,
}

/// A range of numbers lists at most so many.
const NUMBERS: i64 = 1000;

impl Match {
    /// What may come after the pieces of a choice, in the words of a seat if one is given; nothing at all if they fit no option.
    ///
    /// # Errors
    /// No such question, or what went wrong in the rules.
    pub fn list_pieces(
        &mut self,
        seat: Option<usize>,
        question: u32,
        path: &[Piece],
    ) -> Result<Pieces, Illegal> {
        let (i, q, options) = self.find_question(question)?;
        let w = Wording { seat, ..Wording::new(self.look(), &q, &options) };
        let mut out = pieces_after(&w, path);
        for o in &mut out.offers {
            if let Piece::Whole(choice) = &o.piece
                && let Some(title) = self.machine().way_title(i, choice)
            {
                o.title = title;
            }
        }
        Ok(out)
    }
}

fn pieces_after(w: &Wording<'_>, path: &[Piece]) -> Pieces {
    match (path.first(), w.question.kind) {
        (Some(Piece::Whole(choice)), _) => {
            let complete = (path.len() == 1 && w.options.index_of(choice).is_some()).then(|| choice.clone());
            Pieces { complete, ..Pieces::default() }
        }
        (Some(Piece::Action(ix)), QuestionKind::Menu(_)) => {
            action_pieces(w, *ix, path.get(1..).unwrap_or(&[]))
        }
        (_, QuestionKind::Subset(_, u)) => {
            let ways = w.options.segments.iter().filter(|s| s.what == What::Subset);
            let ways: Vec<&Segment> = ways.collect();
            last_pieces(w, &ways, Domain::Subset(u), path, &w.list_answers(), &|set| {
                Choice::Subset(set.into())
            })
        }
        (None, _) => first_pieces(w),
        _ => Pieces::default(),
    }
}

/// What a choice may begin with.
fn first_pieces(w: &Wording<'_>) -> Pieces {
    let mut out: Vec<PieceOffer> = Vec::new();
    let whole = |choice: Choice, points: Vec<Point>| PieceOffer {
        words: w.choice_text(&choice),
        title: w.choice_title(&choice),
        piece: Piece::Whole(choice),
        points,
        ways: 1,
    };
    for seg in &w.options.segments {
        match seg.what {
            What::Done => out.push(whole(Choice::Done, Vec::new())),
            What::Pass => out.push(whole(Choice::Pass, Vec::new())),
            What::Truth => {
                out.extend([false, true].map(|yes| whole(Choice::Truth(yes), Vec::new())));
            }
            What::Action(ix) => {
                let Some(slot) = w.look.program.actions.get(ix.index()) else { continue };
                if slot.params.is_empty() {
                    out.push(whole(Choice::Action { action: ix, params: Words::new() }, Vec::new()));
                    continue;
                }
                match out.iter_mut().find(|o| o.piece == Piece::Action(ix)) {
                    Some(o) => o.ways = o.ways.saturating_add(seg.count),
                    None => out.push(PieceOffer {
                        piece: Piece::Action(ix),
                        words: slot.name.to_string(),
                        title: slot.title.to_string(),
                        points: Vec::new(),
                        ways: seg.count,
                    }),
                }
            }
            What::One => {
                let point = |v: i64| match w.question.kind {
                    QuestionKind::One(_, u) if v != NONE => vec![(u, v)],
                    _ => Vec::new(),
                };
                let all = (0..seg.count.min(NUMBERS as u64)).map(|k| w.options.pick(seg, k));
                out.extend(all.map(|c| {
                    let points = if let Choice::One(v) = c { point(v) } else { Vec::new() };
                    whole(c, points)
                }));
            }
            What::Subset => {}
        }
    }
    Pieces { offers: out, complete: None, picking: None }
}

/// What may come after an action's name and some of its parameters.
fn action_pieces(w: &Wording<'_>, ix: ActionIx, path: &[Piece]) -> Pieces {
    let p = w.look.program;
    let params = p.actions.get(ix.index()).map_or(&[][..], |a| &a.params);
    let mut have = Words::new();
    let mut given = 0;
    for piece in path {
        match piece {
            Piece::Value(v) => have.push(*v as u64),
            Piece::Set(words) => have.extend_from_slice(words),
            _ => break,
        }
        given += 1;
    }
    let rest = path.get(given..).unwrap_or(&[]);
    let fixed = |s: &Segment| w.options.words.get(s.at as usize..s.at as usize + s.n as usize).unwrap_or(&[]);
    let choice = |more: &[u64]| {
        let mut params = have.clone();
        params.extend_from_slice(more);
        Choice::Action { action: ix, params }
    };
    let Some(param) = params.get(given) else {
        // Everything is said.
        let whole = choice(&[]);
        let complete = (rest.is_empty() && w.options.index_of(&whole).is_some()).then_some(whole);
        return Pieces { complete, ..Pieces::default() };
    };
    let of_action = w.options.segments.iter().filter(|s| s.what == What::Action(ix));
    let fitting: Vec<&Segment> = of_action.filter(|s| fixed(s).starts_with(&have)).collect();
    let all = w.list_candidates(ix, given, &have);
    let size = param.domain.words(p) as usize;
    // Parameters that stand among the fixed ones of their segment.
    let (inner, ends): (Vec<&Segment>, Vec<&Segment>) =
        fitting.into_iter().partition(|s| fixed(s).len() > have.len());
    let mut out = last_pieces(w, &ends, param.domain, rest, &all, &choice);
    if rest.is_empty() {
        for seg in inner {
            let value = fixed(seg).get(have.len()..have.len() + size).unwrap_or(&[]);
            add_value(w, param.domain, value, seg.count, &all, &mut out.offers);
        }
    }
    out
}

/// Adds a value of a parameter, or more ways for it.
fn add_value(w: &Wording<'_>, d: Domain, value: &[u64], ways: u64, all: &[i64], out: &mut Vec<PieceOffer>) {
    let one = value.first().map_or(NONE, |x| *x as i64);
    let piece = match d {
        Domain::Subset(_) => Piece::Set(value.into()),
        Domain::Thing(_) | Domain::Number => Piece::Value(one),
    };
    if let Some(o) = out.iter_mut().find(|o| o.piece == piece) {
        o.ways = o.ways.saturating_add(ways);
        return;
    }
    let mut points = Vec::new();
    let text = |people: bool| match d {
        Domain::Number => one.to_string(),
        Domain::Thing(u) => w.label_thing(u, one, all, people),
        Domain::Subset(u) => group_things(&w.list_elements(u, value, all, people), people),
    };
    match d {
        Domain::Thing(u) if one != NONE => points.push((u, one)),
        Domain::Subset(u) => add_members(w.look.program, u, Some(value), &mut points),
        _ => {}
    }
    out.push(PieceOffer { piece, words: text(false), title: text(true), points, ways });
}

/// What the last parameter, or the answer itself where a set is asked for, may be, after some elements of it.
fn last_pieces(
    w: &Wording<'_>,
    segments: &[&Segment],
    d: Domain,
    path: &[Piece],
    all: &[i64],
    choice: &dyn Fn(&[u64]) -> Choice,
) -> Pieces {
    let words = |at: u32, n: usize| w.options.words.get(at as usize..at as usize + n).unwrap_or(&[]);
    let mut out = Pieces::default();
    let picked: Vec<i64> =
        path.iter().filter_map(|p| if let Piece::Element(v) = p { Some(*v) } else { None }).collect();
    for seg in segments {
        match seg.last {
            Last::Unit => {
                if d == Domain::Number {
                    continue;
                }
                add_value(w, d, &[NONE as u64], 1, all, &mut out.offers);
            }
            Last::Set { at, w: n, lo } => {
                for i in set_bits(words(at, n as usize)) {
                    add_value(w, d, &[(i as i64 + i64::from(lo)) as u64], 1, all, &mut out.offers);
                }
            }
            Last::List { at, n } => {
                for v in words(at, n as usize) {
                    add_value(w, d, &[*v], 1, all, &mut out.offers);
                }
            }
            Last::Range { lo, hi } => {
                for v in lo..=hi.min(lo.saturating_add(NUMBERS)) {
                    add_value(w, d, &[v as u64], 1, all, &mut out.offers);
                }
            }
            Last::OneOf { at, w: n, n: sets } => {
                for set in words(at, n as usize * sets as usize).chunks_exact(usize::from(n).max(1)) {
                    add_value(w, d, set, 1, all, &mut out.offers);
                }
            }
            Last::Subset(subsets) => {
                let Domain::Subset(u) = d else { continue };
                add_subset(w, u, &subsets, &picked, all, choice, &mut out);
            }
        }
    }
    if !matches!(w.question.kind, QuestionKind::Menu(_)) {
        // Where sets are asked for as they are, each is an answer.
        for o in &mut out.offers {
            if let Piece::Set(set) = &o.piece {
                o.piece = Piece::Whole(Choice::Subset(set.clone()));
            }
        }
    }
    out
}

fn add_subset(
    w: &Wording<'_>,
    u: UniverseId,
    subsets: &Subsets,
    picked: &[i64],
    all: &[i64],
    choice: &dyn Fn(&[u64]) -> Choice,
    out: &mut Pieces,
) {
    let lo = least_value(w.look.program, u);
    let set = subsets.set(&w.options.words);
    let within: Vec<i64> = subsets.elements(&w.options.words).iter().map(|i| *i as i64 + lo).collect();
    let (min, max) = (subsets.min, subsets.max.min(within.len() as u32));
    if !picked.iter().all(|v| within.contains(v)) {
        return;
    }
    let so_far = picked.len() as u32;
    out.picking = Some(out.picking.map_or((min, max), |(a, b)| (a.min(min), b.max(max))));
    if so_far < max {
        let mut open: Vec<i64> = within.iter().copied().filter(|v| !picked.contains(v)).collect();
        // One of several alike things stands for all.
        if let classes @ [_, ..] = subsets.classes_of(&w.options.words) {
            let class = |v: &i64| within.iter().position(|x| x == v).and_then(|i| classes.get(i));
            let mut seen = Vec::new();
            open.retain(|v| {
                class(v).is_none_or(|c| {
                    !seen.contains(c) && {
                        seen.push(*c);
                        true
                    }
                })
            });
        }
        open.sort_by_key(|v| all.iter().position(|x| x == v).unwrap_or(usize::MAX));
        for v in open {
            let piece = Piece::Element(v);
            if out.offers.iter().any(|o| o.piece == piece) {
                continue;
            }
            let (words, title) = (w.label_thing(u, v, all, false), w.label_thing(u, v, all, true));
            out.offers.push(PieceOffer { piece, words, title, points: vec![(u, v)], ways: 1 });
        }
    }
    if (min..=max).contains(&so_far) {
        let mut chosen = vec![0u64; set.len()];
        for v in picked {
            let i = usize::try_from(v - lo).unwrap_or(usize::MAX);
            if let Some(word) = chosen.get_mut(i / 64) {
                *word |= 1 << (i % 64);
            }
        }
        let choice = choice(&chosen);
        if w.options.index_of(&choice).is_some() {
            out.complete = Some(choice);
        }
    }
}
