//! A set of things is ticked at the terminal instead of chosen from a list of all sets: what can be picked stands there with numbers, and each number ticks or unticks one.
use super::lists::{LISTED, MOST, numbered_lines};
use houserule_engine::{Choice, QuestionKind};
use houserule_play::{Decision, Match, Offered, Piece};

/// A set that is being picked: what was ticked so far, behind the action whose set it is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ticks {
    question: Option<u32>,
    base: Vec<Piece>,
    picked: Vec<i64>,
}

/// What can be ticked now.
pub struct TickList {
    /// All elements by number and title, in the order in which they are offered.
    pub elements: Vec<(i64, String)>,
    /// Those that are ticked.
    pub picked: Vec<i64>,
    /// How many there may be at least and at most.
    pub range: (u32, u32),
    /// The choice that the ticked ones make, if they are one.
    pub complete: Option<Choice>,
    /// Whether another one may be ticked.
    pub more: bool,
}

/// What a line did to a set.
pub enum Ticked {
    /// It names nothing that can be ticked.
    Nothing,
    /// Ticks have changed.
    Changed,
    /// The set is to be taken.
    Take(Choice),
    /// It cannot be done, for that reason.
    Refused(String),
}

impl Ticks {
    /// Begins with the set of an action, where the menu offers more sets of it than they have elements.
    pub fn begin_action(m: &mut Match, seat: usize, d: &Decision, name: &str) -> Option<Ticks> {
        let all = m.list_pieces(Some(seat), d.question, &[]).ok()?;
        let wanted = name.trim().to_lowercase();
        let mut named = all.offers.into_iter().filter(|o| {
            matches!(o.piece, Piece::Action(_)) && (o.words == wanted || o.words.replace('_', " ") == wanted)
        });
        let ticks = Ticks { question: Some(d.question), base: vec![named.next()?.piece], picked: Vec::new() };
        ticks.list(m, seat, d).is_some().then_some(ticks)
    }

    /// What can be ticked at a question; none if it asks for no set, or if a list of all sets is no longer than that of their elements.
    pub fn list(&self, m: &mut Match, seat: usize, d: &Decision) -> Option<TickList> {
        let own = self.question == Some(d.question);
        let base = if own { &self.base[..] } else { &[] };
        if base.is_empty() && !matches!(d.kind, QuestionKind::Subset(..)) {
            return None;
        }
        let all = m.list_pieces(Some(seat), d.question, base).ok()?;
        let range = all.picking.filter(|(_, most)| *most > 1)?;
        let element = |p: &Piece| if let Piece::Element(v) = p { Some(*v) } else { None };
        let elements: Vec<(i64, String)> =
            all.offers.iter().filter_map(|o| Some((element(&o.piece)?, o.title.clone()))).collect();
        if base.is_empty() && d.count <= elements.len() as u64 {
            return None;
        }
        let picked = if own { self.picked.clone() } else { Vec::new() };
        let path: Vec<Piece> =
            base.iter().cloned().chain(picked.iter().map(|v| Piece::Element(*v))).collect();
        let now = m.list_pieces(Some(seat), d.question, &path).ok()?;
        // Of alike ones another is offered when one is ticked.
        let new = now.offers.iter().filter_map(|o| Some((element(&o.piece)?, o.title.clone())));
        let mut elements = elements;
        for one in new {
            if !elements.iter().any(|(v, _)| *v == one.0) {
                elements.push(one);
            }
        }
        let more = now.offers.iter().any(|o| element(&o.piece).is_some_and(|v| !picked.contains(&v)));
        Some(TickList { elements, picked, range, complete: now.complete, more })
    }

    /// Reads a line as numbers or names of elements, or as `take`.
    pub fn read_line(&mut self, m: &mut Match, seat: usize, d: &Decision, line: &str) -> Ticked {
        let Some(list) = self.list(m, seat, d) else { return Ticked::Nothing };
        if line == "take" {
            return match list.complete {
                Some(choice) => Ticked::Take(choice),
                None => Ticked::Refused(format!("Not yet: {}", list.describe_range())),
            };
        }
        let named = match find_elements(&list, line) {
            Ok(named) => named,
            Err(Some(why)) => return Ticked::Refused(why),
            Err(None) => return Ticked::Nothing,
        };
        if self.question != Some(d.question) {
            *self = Ticks { question: Some(d.question), ..Ticks::default() };
        }
        let before = self.picked.clone();
        for v in named {
            match self.picked.iter().position(|p| *p == v) {
                Some(at) => drop(self.picked.remove(at)),
                None => self.picked.push(v),
            }
        }
        let now = self.list(m, seat, d);
        let fits = |l: &TickList| l.complete.is_some() || l.more || l.picked.is_empty();
        let Some(now) = now.filter(fits) else {
            self.picked = before;
            return Ticked::Refused(format!("These cannot be picked together: {}", list.describe_range()));
        };
        match now.complete {
            // When nothing can be added it is taken.
            Some(choice) if !now.more => Ticked::Take(choice),
            _ => Ticked::Changed,
        }
    }
}

impl TickList {
    /// How many may be picked, and how many are: `pick 3; 1 so far`.
    pub fn describe_range(&self) -> String {
        let (least, most) = self.range;
        let n = if least == most { most.to_string() } else { format!("{least} to {most}") };
        format!("pick {n}; {} so far", self.picked.len())
    }

    /// The elements with their numbers and ticks, in columns, and how they are picked.
    pub fn lines(&self, style: crate::draw::Style) -> Vec<String> {
        let tick = if style.unicode { "✓" } else { "x" };
        let titled = |(v, title): &(i64, String)| match self.picked.contains(v) {
            true => style.paint_text("1", &format!("{tick} {title}")),
            false => format!("  {title}"),
        };
        let texts: Vec<Offered> = self.elements.iter().map(|e| plain_offer(titled(e))).collect();
        let numbered: Vec<(u64, &Offered)> = (1..).zip(&texts).collect();
        let mut out = numbered_lines(&numbered, false, style);
        let take = if self.complete.is_some() { "; `take` takes the set" } else { "" };
        out.push(style.paint_text("2", &format!("  numbers tick and untick, several at once: `1 3`{take}")));
        out
    }
}

/// An element as a row of the list.
fn plain_offer(title: String) -> Offered {
    Offered { choice: Choice::Done, words: title.clone(), title, path: Vec::new(), cost: Vec::new() }
}

/// The elements that a line names by numbers, or by titles between commas. An error without a text: it names none.
fn find_elements(list: &TickList, line: &str) -> Result<Vec<i64>, Option<String>> {
    let n = list.elements.len();
    let numbers: Vec<&str> = line.split([' ', ',']).filter(|w| !w.is_empty()).collect();
    if !numbers.is_empty() && numbers.iter().all(|w| w.bytes().all(|b| b.is_ascii_digit())) {
        let at = |w: &&str| w.parse::<usize>().ok().and_then(|k| list.elements.get(k.checked_sub(1)?));
        let found: Option<Vec<i64>> = numbers.iter().map(|w| at(w).map(|(v, _)| *v)).collect();
        return found.ok_or_else(|| Some(format!("What can be picked is numbered 1 to {n}")));
    }
    let names = line.split(',').map(|name| name.trim().to_lowercase());
    let mut out = Vec::new();
    for name in names {
        let free = list.elements.iter().filter(|(v, _)| !out.contains(v));
        let same: Vec<i64> = free.filter(|(_, t)| t.to_lowercase() == name).map(|(v, _)| *v).collect();
        // Of alike ones any is meant, those first that are not ticked yet.
        let one = same.iter().find(|v| !list.picked.contains(v)).or(same.first());
        out.push(*one.ok_or(None)?);
    }
    Ok(out)
}

/// Choices without the sets of which there are more than elements, each action of these once with what it can pick: `Reroll any of 1 blue, 3 yellow`.
pub fn fold_sets(
    m: &mut Match,
    seat: usize,
    d: &Decision,
    offered: Vec<Offered>,
) -> (Vec<(u64, Offered)>, Vec<String>) {
    let numbered = |all: Vec<Offered>| (1..).zip(all).collect::<Vec<_>>();
    let heads = m.list_pieces(Some(seat), d.question, &[]).map_or_else(|_| Vec::new(), |p| p.offers);
    let mut folded = Vec::new();
    for head in
        heads.into_iter().filter(|o| matches!(o.piece, Piece::Action(_)) && o.ways > LISTED as u64 / 3)
    {
        let inner = m.list_pieces(Some(seat), d.question, &[head.piece]).unwrap_or_default();
        let elements: Vec<String> = inner
            .offers
            .iter()
            .filter(|o| matches!(o.piece, Piece::Element(_)))
            .map(|o| o.title.clone())
            .collect();
        if inner.picking.is_some_and(|(_, most)| most > 1) && (elements.len() as u64) < head.ways {
            folded.push((head.words, elements));
        }
    }
    if folded.is_empty() {
        return (numbered(offered), Vec::new());
    }
    let all = m.list_options_for(Some(seat), d.question, 0, MOST).unwrap_or(offered);
    let is_of =
        |o: &Offered, name: &str| o.words.strip_prefix(name).is_some_and(|rest| rest.starts_with("({"));
    let rest = numbered(all).into_iter().filter(|(_, o)| !folded.iter().any(|(name, _)| is_of(o, name)));
    let lines = folded.iter().map(|(name, elements)| {
        format!("  `{}` picks any of: {}", name.replace('_', " "), elements.join(", "))
    });
    (rest.collect(), lines.collect())
}
