//! Answers *why not?* for anything on the board: every action that could concern it, and the rules that forbid each.
use houserule::engine::{Choice, Look, Question, QuestionKind, Reason, Words, thing_title};
use houserule::play::points::Spot;
use houserule::play::{Match, REFUSED, Spots};
use houserule::program::ir::{ActionIx, Domain, NONE, Program, UniverseId, UniverseSort};
use std::ops::Range;

/// What is against something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Against {
    /// In the rules' words, or the condition as it is written.
    pub text: String,
    /// Where it stands: file and bytes.
    pub place: Option<(String, Range<usize>)>,
}

/// An action and what is against it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct About {
    /// What would be done: `place marker D5`.
    pub what: String,
    /// As it can be typed: `place_marker(D5)`; empty where there is nothing to type.
    pub words: String,
    /// What is against it; empty if it may be done.
    pub against: Vec<Against>,
}

/// The answer to *why not?*.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Why {
    /// What it is about.
    pub about: String,
    /// Action by action.
    pub actions: Vec<About>,
    /// What is to be said where no action can concern it.
    pub note: Option<String>,
}

/// Tuples of parameters that are tried for an action.
const TRIED: usize = 200;

/// So many actions are told of.
const ACTIONS: usize = 40;

/// Explains why a seat cannot choose something on the board. For a space, it also explains the components on it that the seat knows.
pub fn explain_refusal(m: &mut Match, seat: usize, spot: Spot) -> Why {
    let view = m.view(seat);
    let program = m.program().clone();
    let points = {
        let index = Spots::new(&view);
        things_at(&program, m.machine().look(), &index, seat, spot)
    };
    let mut out = Why { about: String::from("This"), actions: Vec::new(), note: None };
    let Some((u, value)) = points.first().copied() else {
        out.note = Some(String::from(
            "Its face is hidden from this seat, so this cannot say what may be done with it.",
        ));
        return out;
    };
    out.about = point_title(m, seat, u, value);
    let questions = m.questions().to_vec();
    let mine: Vec<Question> =
        questions.iter().filter(|q| seat < 32 && q.seats >> seat & 1 == 1).copied().collect();
    if mine.is_empty() {
        out.note = Some(match m.is_over() {
            true => String::from("The game is over."),
            false => String::from("This seat is not asked now."),
        });
        return out;
    }
    // Leave out things that no action uses.
    let mut titles = Vec::new();
    for (u, value) in points {
        let before = out.actions.len();
        explain_thing(m, seat, &mine, (u, value), &mut out.actions);
        if out.actions.len() > before {
            titles.push(point_title(m, seat, u, value));
        }
    }
    if !titles.is_empty() {
        out.about = titles.join(", ");
    }
    // What may be done comes first.
    out.actions.sort_by_key(|a| a.against.len().min(1));
    if out.actions.is_empty() {
        out.note = Some(String::from("No action of this game uses it."));
    }
    out
}

/// Lists each answer and action that could use one thing, with the rules that forbid it.
fn explain_thing(
    m: &mut Match,
    seat: usize,
    mine: &[Question],
    (u, value): (UniverseId, i64),
    actions: &mut Vec<About>,
) {
    let program = m.program().clone();
    let Some(first) = mine.first().copied() else { return };
    for q in mine {
        let choice = match q.kind {
            QuestionKind::One(_, of) if of == u => Choice::One(value),
            QuestionKind::Subset(_, of) if of == u => Choice::Subset(single_set(&program, u, value)),
            _ => continue,
        };
        let words = m.choice_words(q.id, &choice).unwrap_or_default();
        let reasons = m.why_not_in_words(None, q.id, &words).unwrap_or_default();
        let against = reasons.iter().map(|r| to_against(m, r)).collect();
        let what = m.decisions().ok().and_then(|d| d.into_iter().find(|d| d.question == q.id));
        let what = what
            .map_or_else(|| words.clone(), |d| format!("{} {}", d.prompt, point_title(m, seat, u, value)));
        actions.push(About { what: what.trim().to_string(), words, against });
    }
    let player = first.player as usize;
    let offered: Vec<ActionIx> = mine.iter().flat_map(|q| offered_actions(&program, q.kind)).collect();
    for (i, slot) in program.actions.iter().enumerate() {
        let ix = ActionIx(i as u16);
        let takes = |d: Domain| matches!(d, Domain::Thing(of) | Domain::Subset(of) if of == u);
        let Some(at) = slot.params.iter().position(|p| takes(p.domain)) else { continue };
        if actions.len() >= ACTIONS {
            break;
        }
        if !offered.contains(&ix) {
            let text = format!("{} is not on offer now", slot.title);
            let place = program.decls.get(slot.decl.index()).and_then(|d| place_of(m, d.span));
            let what = format!("{} {}", slot.title, point_title(m, seat, u, value));
            actions.push(About { what, words: String::new(), against: vec![Against { text, place }] });
            continue;
        }
        let best = list_tuples(m, seat, &program, ix, at, value)
            .into_iter()
            .map(|params| {
                let reasons = m.why_not(player, ix, &params);
                (params, reasons)
            })
            .min_by_key(|(_, reasons)| reasons.len());
        let Some((params, reasons)) = best else {
            let text = String::from("there is nothing to choose for it");
            let what = format!("{} {}", slot.title, point_title(m, seat, u, value));
            actions.push(About { what, words: String::new(), against: vec![Against { text, place: None }] });
            continue;
        };
        let choice = Choice::Action { action: ix, params };
        let in_menu = mine.iter().find(|q| offered_actions(&program, q.kind).contains(&ix));
        let words = in_menu.and_then(|q| m.choice_words(q.id, &choice).ok()).unwrap_or_default();
        let against = reasons.iter().map(|r| to_against(m, r)).collect();
        let what = match words.split_once('(') {
            Some((_, args)) => format!("{} {}", slot.title, args.trim_end_matches(')')),
            None => slot.title.to_string(),
        };
        actions.push(About { what, words, against });
    }
}

fn point_title(m: &mut Match, seat: usize, u: UniverseId, v: i64) -> String {
    let program = m.program().clone();
    let look = m.machine().look();
    let show = houserule::program::ir::Show::Thing(u);
    let seats = houserule::engine::alone(seat);
    match program.universes.get(u.index()).map(|x| &x.sort) {
        Some(UniverseSort::Components(_)) => {
            houserule::engine::value_text(look, show, &[v as u64], seats, true)
        }
        _ => thing_title(&program, u, v),
    }
}

/// The things at a spot that the seat knows: a space with what lies there, a player, a component.
fn things_at(
    p: &Program,
    look: Look<'_>,
    index: &Spots<'_>,
    seat: usize,
    spot: Spot,
) -> Vec<(UniverseId, i64)> {
    let lying = |place: u16| {
        let pl = p.places.get(usize::from(place));
        let comps =
            pl.and_then(|pl| Some((usize::from(pl.comps), p.comps.get(usize::from(pl.comps))?.universe)));
        let all = if comps.is_some() { look.lying_at(usize::from(place)) } else { Vec::new() };
        all.into_iter()
            .filter_map(move |c| comps.filter(|(ci, _)| look.knows(seat, *ci, c)).map(|(_, u)| (u, c as i64)))
    };
    match spot {
        Spot::Space { map, space } => {
            let here = p.maps.get(map).zip(index.space_number(map, space));
            let own = here.map(|(map, n)| (map.spaces, i64::from(n)));
            own.into_iter().chain(index.places_of_space(map, space).flat_map(lying)).collect()
        }
        Spot::Player(n) => vec![(p.player_universe, n as i64)],
        Spot::Card { place, .. } => {
            lying(place).find(|point| index.find_spot(look, *point) == Some(spot)).into_iter().collect()
        }
        Spot::Other(_) => Vec::new(),
    }
}

fn offered_actions(p: &Program, kind: QuestionKind) -> Vec<ActionIx> {
    let QuestionKind::Menu(offer) = kind else { return Vec::new() };
    let menus = p.offers.get(offer.index()).map_or(&[][..], |o| &o.menus);
    menus.iter().filter_map(|(m, _)| p.menus.get(m.index())).flat_map(|m| m.actions.clone()).collect()
}

fn single_set(p: &Program, u: UniverseId, value: i64) -> Words {
    let universe = p.universes.get(u.index());
    let lo = match universe.map(|u| &u.sort) {
        Some(UniverseSort::Numbers { lo }) => i64::from(*lo),
        _ => 0,
    };
    let mut out = Words::from_elem(0, universe.map_or(1, |u| usize::from(u.w).max(1)));
    let i = usize::try_from(value - lo).unwrap_or(usize::MAX);
    if let Some(word) = out.get_mut(i / 64) {
        *word |= 1 << (i % 64);
    }
    out
}

/// Parameters of an action with a value in its place; the others are whatever the seat knows, up to a bound.
fn list_tuples(m: &mut Match, seat: usize, p: &Program, ix: ActionIx, at: usize, value: i64) -> Vec<Words> {
    let Some(slot) = p.actions.get(ix.index()) else { return Vec::new() };
    let mut out: Vec<Words> = vec![Words::new()];
    for (i, param) in slot.params.iter().enumerate() {
        let values: Vec<Words> = match param.domain {
            Domain::Thing(_) if i == at => vec![Words::from_slice(&[value as u64])],
            Domain::Subset(u) if i == at => vec![single_set(p, u, value)],
            Domain::Number => (0..=9).map(|n| Words::from_slice(&[n])).collect(),
            Domain::Thing(u) => {
                list_known(m, seat, p, u).into_iter().map(|v| Words::from_slice(&[v as u64])).collect()
            }
            Domain::Subset(u) => {
                let none =
                    Words::from_elem(0, p.universes.get(u.index()).map_or(1, |u| usize::from(u.w).max(1)));
                let ones = list_known(m, seat, p, u).into_iter().map(|v| single_set(p, u, v));
                std::iter::once(none).chain(ones).collect()
            }
        };
        let mut next = Vec::new();
        'all: for have in &out {
            for v in &values {
                if next.len() >= TRIED {
                    break 'all;
                }
                let mut more = have.clone();
                more.extend_from_slice(v);
                next.push(more);
            }
        }
        out = next;
    }
    out
}

/// Things of a universe that a seat may speak of: of components those whose faces it knows.
fn list_known(m: &mut Match, seat: usize, p: &Program, u: UniverseId) -> Vec<i64> {
    let Some(universe) = p.universes.get(u.index()) else { return vec![NONE] };
    let look = m.machine().look();
    let n = i64::from(universe.n);
    match universe.sort {
        UniverseSort::Numbers { lo } => (0..n).map(|i| i + i64::from(lo)).collect(),
        UniverseSort::Components(ci) => {
            let boxed = p.comps.get(usize::from(ci)).map(|c| usize::from(c.boxed));
            let open = |c: &i64| {
                let c = *c as usize;
                look.knows(seat, usize::from(ci), c) && look.place(usize::from(ci), c) != boxed
            };
            (0..n).filter(open).collect()
        }
        _ => (0..n).collect(),
    }
}

/// A reason in words, with its place.
pub fn to_against(m: &Match, r: &Reason) -> Against {
    let text = if r.text.is_empty() { REFUSED } else { &r.text };
    Against { text: text.to_string(), place: place_of(m, r.span) }
}

fn place_of(m: &Match, span: houserule::text::Span) -> Option<(String, Range<usize>)> {
    let file = m.game().files().get(span.file)?;
    (!span.range().is_empty()).then(|| (file.name.clone(), span.range()))
}
