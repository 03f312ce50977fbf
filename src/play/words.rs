//! Writes choices in words and parses them: `place(D3)`, `discard(red 3, blue 2)`, `{a, b}`, `done`, `yes`.
//!
//! **The words.** An action reads as its name with its arguments in brackets; a subset as its elements (in braces, unless it is an action's last argument);
//! `done`, `pass`, `yes`, `no`, `none`; a thing as the word that the rules have for it. Components read as their faces, dice as what they show; those whose face not every
//! asked seat knows as their kind, with what their backs show (`Card told=3`) and, where that tells them from others on offer, where they lie (`Monster at A1`,
//! `Card at deck 2`); in the words of one of several seats that may answer, what that seat alone knows reads as its face, too. Where several of the things on offer read alike, the first in the options' order has the bare word, the second `word#2`, and so on: the same
//! position always gives the same words, so saves can be replayed by them.
//!
//! **Reading** is generous: case and titles do not matter, braces may be left out of an answer, elements of a subset may be repeated instead of numbered.
//! What is no option but could be read (a cell that is taken) becomes a choice as well: the engine then says why not.
use super::hidden;
use houserule_engine::{
    Choice, Last, Look, Options, Question, QuestionKind, Segment, What, Words, alone, value_text,
};
use houserule_model::suggest::closest;
use houserule_program::ir::{ActionIx, Domain, NONE, Program, Show, TitlePart, UniverseId, UniverseSort};

/// The words that take a `done` back.
pub const NOT_DONE: &str = "not done";

/// The words that stand for a clock that has run out.
pub const TIME_UP: &str = "time up";

/// A text that is no choice: where and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WordError {
    /// First byte of what cannot be read.
    pub at: usize,
    /// Its length in bytes.
    pub len: usize,
    /// What is wrong.
    pub message: String,
    /// What may have been meant.
    pub near: Option<String>,
}

impl std::fmt::Display for WordError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} (at column {})", self.message, self.at + 1)?;
        match &self.near {
            Some(n) => write!(f, "; did you mean `{n}`?"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for WordError {}

/// A set as an answer: in braces as saves write it; for people its things alone, which is read as well.
pub(crate) fn group_things(things: &[String], people: bool) -> String {
    match (people, things) {
        (false, things) => format!("{{{}}}", things.join(", ")),
        (true, []) => String::from("nothing"),
        (true, things) => things.join(", "),
    }
}

/// What is needed to read and write the choices of one question.
#[derive(Clone, Copy)]
pub struct Wording<'a> {
    /// The state, for faces.
    pub look: Look<'a>,
    /// The question.
    pub question: &'a Question,
    /// What may be answered.
    pub options: &'a Options,
    /// In whose words; none: in words that all who may answer understand, as saves write them.
    pub seat: Option<usize>,
}

impl<'a> Wording<'a> {
    /// In words that all who may answer understand.
    pub fn new(look: Look<'a>, question: &'a Question, options: &'a Options) -> Wording<'a> {
        Wording { look, question, options, seat: None }
    }

    fn program(&self) -> &'a Program {
        self.look.program
    }

    /// A choice in words, as saves write it.
    pub fn choice_text(&self, choice: &Choice) -> String {
        self.render_choice(choice, false)
    }

    /// A choice for people: titles instead of words.
    pub fn choice_title(&self, choice: &Choice) -> String {
        self.render_choice(choice, true)
    }

    fn render_choice(&self, choice: &Choice, people: bool) -> String {
        match choice {
            Choice::Done => String::from("done"),
            Choice::NotDone => String::from(NOT_DONE),
            Choice::TimeUp => String::from(TIME_UP),
            Choice::Pass => String::from("pass"),
            Choice::Truth(true) => String::from("yes"),
            Choice::Truth(false) => String::from("no"),
            Choice::One(v) => match self.asked_universe() {
                Some(u) => self.label_thing(u, *v, &self.list_answers(), people),
                None => v.to_string(),
            },
            Choice::Subset(set) => match self.asked_universe() {
                Some(u) => group_things(&self.list_elements(u, set, &self.list_answers(), people), people),
                None => group_things(&[], people),
            },
            Choice::Action { action, params } => self.action_text(*action, params, people),
        }
    }

    /// What a choice is found by, for people: the title of its action, then its things in order. Another choice is found by its title.
    pub fn choice_path(&self, choice: &Choice) -> Vec<String> {
        let Choice::Action { action, params } = choice else { return vec![self.choice_title(choice)] };
        let title = self.program().actions.get(action.index()).map(|a| a.title.trim().to_string());
        let (args, _) = self.list_args(*action, params, true);
        title.into_iter().chain(args).collect()
    }

    fn action_text(&self, ix: ActionIx, params: &[u64], people: bool) -> String {
        let Some(slot) = self.program().actions.get(ix.index()) else { return String::from("?") };
        if slot.params.is_empty() && !people {
            return slot.name.to_string();
        }
        let (args, ends) = self.list_args(ix, params, people);
        if people {
            let shown = |part: &TitlePart| match part {
                TitlePart::Text(t) => t.to_string(),
                TitlePart::Param(i) => {
                    let i = usize::from(*i);
                    let from = i.checked_sub(1).and_then(|i| ends.get(i)).copied().unwrap_or(0);
                    args.get(from..ends.get(i).copied().unwrap_or(from)).unwrap_or(&[]).join(", ")
                }
            };
            return slot.said.iter().map(shown).collect();
        }
        format!("{}({})", slot.name, args.join(", "))
    }

    /// The arguments of an action, the elements of a subset each for itself if it is the last, and for each parameter where its arguments end.
    fn list_args(&self, ix: ActionIx, params: &[u64], people: bool) -> (Vec<String>, Vec<usize>) {
        let p = self.program();
        let (mut args, mut ends) = (Vec::new(), Vec::new());
        let Some(slot) = p.actions.get(ix.index()) else { return (args, ends) };
        let mut at = 0;
        for (i, param) in slot.params.iter().enumerate() {
            let w = param.domain.words(p) as usize;
            let value = params.get(at..at + w).unwrap_or(&[]);
            let first = value.first().map_or(NONE, |x| *x as i64);
            match param.domain {
                Domain::Number => args.push(first.to_string()),
                Domain::Thing(u) => {
                    let all = self.list_candidates(ix, i, params.get(..at).unwrap_or(&[]));
                    args.push(self.label_thing(u, first, &all, people));
                }
                Domain::Subset(u) => {
                    let all = self.list_candidates(ix, i, params.get(..at).unwrap_or(&[]));
                    let parts = self.list_elements(u, value, &all, people);
                    if i + 1 == slot.params.len() {
                        args.extend(parts);
                    } else {
                        args.push(format!("{{{}}}", parts.join(", ")));
                    }
                }
            }
            at += w;
            ends.push(args.len());
        }
        (args, ends)
    }

    /// The universe that a question for things is about.
    fn asked_universe(&self) -> Option<UniverseId> {
        match self.question.kind {
            QuestionKind::One(_, u) | QuestionKind::Subset(_, u) => Some(u),
            QuestionKind::Menu(_) | QuestionKind::Truth(_) => None,
        }
    }

    /// A thing's word without a number, as all who may answer understand it.
    fn base_word(&self, u: UniverseId, value: i64, people: bool) -> String {
        value_text(self.look, Show::Thing(u), &[value as u64], Some(self.question.seats), people)
    }

    /// A thing's word as the reader knows it, where somebody else who may answer does not know the thing.
    fn own_base_word(&self, u: UniverseId, value: i64, people: bool) -> Option<String> {
        let seat = self.seat?;
        let ci = match self.program().universes.get(u.index()).map(|u| &u.sort) {
            Some(UniverseSort::Components(ci)) => usize::from(*ci),
            _ => return None,
        };
        let c = usize::try_from(value).ok()?;
        let known = |s: usize| self.look.knows(s, ci, c);
        let all = (0..32).filter(|s| self.question.seats >> s & 1 == 1).all(known);
        if all || !known(seat) {
            return None;
        }
        Some(value_text(self.look, Show::Thing(u), &[value as u64], alone(seat), people))
    }

    pub(crate) fn label_thing(&self, u: UniverseId, value: i64, all: &[i64], people: bool) -> String {
        // Only components can read alike; all other things have words of their own.
        if value == NONE || !self.is_of_components(u) {
            return self.base_word(u, value, people);
        }
        let before = all.iter().take_while(|other| **other != value);
        let (base, before) = match self.own_base_word(u, value, people) {
            None => {
                let named = self.name_thing(u, value, all, people);
                let before = before.filter(|other| self.name_thing(u, **other, all, people) == named).count();
                (named, before)
            }
            // Numbered behind what all who may answer call so.
            Some(own) => {
                let shared = all.iter().filter(|other| self.base_word(u, **other, people) == own).count();
                let is_own = |other: &&i64| self.own_base_word(u, **other, people).as_ref() == Some(&own);
                let before = before.filter(is_own).count();
                (own, shared + before)
            }
        };
        if before == 0 { base } else { format!("{base}#{}", before + 1) }
    }

    /// A thing's word; of one whose face is hidden with what its back shows, and where it lies if that tells it from others on offer.
    fn name_thing(&self, u: UniverseId, value: i64, all: &[i64], people: bool) -> String {
        let mut out = self.base_word(u, value, people);
        let Some((ci, c)) = self.find_hidden(u, value) else { return out };
        hidden::add_back(self.look, u, c, self.question.seats, people, &mut out);
        let others = all.iter().filter_map(|v| self.find_hidden(u, *v)).map(|(_, c)| c);
        hidden::add_place(self.look, usize::from(ci), c, others, people, &mut out);
        out
    }

    /// A component whose face not every asked seat knows.
    fn find_hidden(&self, u: UniverseId, value: i64) -> Option<(u16, usize)> {
        let UniverseSort::Components(ci) = self.program().universes.get(u.index())?.sort else { return None };
        let c = usize::try_from(value).ok()?;
        let mut asked = (0..32).filter(|s| self.question.seats >> s & 1 == 1);
        asked.any(|s| !self.look.knows(s, usize::from(ci), c)).then_some((ci, c))
    }

    /// The things of a set in the order in which they are offered: that of their numbers could tell which of two hidden ones has come back.
    pub(crate) fn list_elements(&self, u: UniverseId, set: &[u64], all: &[i64], people: bool) -> Vec<String> {
        let lo = least_value(self.program(), u);
        let mut things: Vec<i64> = set_bits(set).map(|i| i as i64 + lo).collect();
        things.sort_by_key(|x| all.iter().position(|y| y == x).unwrap_or(all.len()));
        things.into_iter().map(|x| self.label_thing(u, x, all, people)).collect()
    }

    fn is_of_components(&self, u: UniverseId) -> bool {
        matches!(self.program().universes.get(u.index()).map(|u| &u.sort), Some(UniverseSort::Components(_)))
    }

    fn is_of_numbers(&self, u: UniverseId) -> bool {
        matches!(self.program().universes.get(u.index()).map(|u| &u.sort), Some(UniverseSort::Numbers { .. }))
    }

    /// Everything that answers to a question for things may hold, in order.
    pub fn list_answers(&self) -> Vec<i64> {
        let mut out = Vec::new();
        for seg in &self.options.segments {
            if matches!(seg.what, What::One | What::Subset) {
                self.add_values_of(seg, &mut out);
            }
        }
        out
    }

    /// What an action's parameter can be in the options, given the words of those before it; in order, each once.
    pub fn list_candidates(&self, ix: ActionIx, param: usize, before: &[u64]) -> Vec<i64> {
        let p = self.program();
        let params = p.actions.get(ix.index()).map_or(0, |a| a.params.len());
        let mut out = Vec::new();
        for seg in &self.options.segments {
            if seg.what != What::Action(ix) {
                continue;
            }
            let from = seg.at as usize;
            let fixed = self.options.words.get(from..from + seg.n as usize).unwrap_or(&[]);
            if !fixed.starts_with(before) {
                continue;
            }
            if param + 1 == params {
                if fixed.len() == before.len() {
                    self.add_values_of(seg, &mut out);
                }
            } else if let Some(v) = fixed.get(before.len()) {
                push_new(&mut out, *v as i64);
            }
        }
        out
    }

    fn add_values_of(&self, seg: &Segment, out: &mut Vec<i64>) {
        let words = |at: u32, n: usize| self.options.words.get(at as usize..at as usize + n).unwrap_or(&[]);
        match seg.last {
            Last::Unit | Last::Range { .. } => {}
            Last::Set { at, w, lo } => {
                set_bits(words(at, w as usize)).for_each(|i| push_new(out, i as i64 + i64::from(lo)));
            }
            Last::List { at, n } => words(at, n as usize).iter().for_each(|v| push_new(out, *v as i64)),
            Last::OneOf { at, w, n } => {
                let lo = self.asked_universe().map_or(0, |u| least_value(self.program(), u));
                for set in words(at, w as usize * n as usize).chunks_exact(usize::from(w).max(1)) {
                    set_bits(set).for_each(|i| push_new(out, i as i64 + lo));
                }
            }
            Last::Subset(subsets) => {
                let u = match (self.asked_universe(), seg.what) {
                    (Some(u), _) => Some(u),
                    (None, What::Action(a)) => self.program().actions.get(a.index()).and_then(|a| {
                        a.params.last().and_then(|p| match p.domain {
                            Domain::Subset(u) => Some(u),
                            _ => None,
                        })
                    }),
                    _ => None,
                };
                let lo = u.map_or(0, |u| least_value(self.program(), u));
                let elements = subsets.elements(&self.options.words);
                elements.iter().for_each(|i| push_new(out, *i as i64 + lo));
            }
        }
    }

    // ── Reading ──────────────────────────────────────────────────────────────────────────────────────────

    /// A choice out of its words.
    ///
    /// # Errors
    /// The first word that means nothing here, with its place and what may have been meant.
    pub fn parse_choice(&self, text: &str) -> Result<Choice, WordError> {
        let whole = Piece::new(text, 0);
        if whole.text.is_empty() {
            return Err(whole.to_error("no answer is given"));
        }
        match (self.question.kind, whole.text.to_lowercase().as_str()) {
            (QuestionKind::Menu(_), NOT_DONE) => return Ok(Choice::NotDone),
            (QuestionKind::Menu(_), "done") => return Ok(Choice::Done),
            (QuestionKind::Menu(_), "pass") => return Ok(Choice::Pass),
            (QuestionKind::Truth(_), "yes" | "y") => return Ok(Choice::Truth(true)),
            (QuestionKind::Truth(_), "no" | "n") => return Ok(Choice::Truth(false)),
            (QuestionKind::Truth(_), _) => return Err(whole.to_error("the answer is yes or no")),
            _ => {}
        }
        match self.question.kind {
            QuestionKind::Menu(_) => self.parse_action(&whole),
            QuestionKind::One(_, u) => {
                if whole.text.eq_ignore_ascii_case("none") {
                    return Ok(Choice::One(NONE));
                }
                self.parse_thing(u, &whole, &self.list_answers(), &[]).map(Choice::One)
            }
            QuestionKind::Subset(_, u) => {
                let inner = whole.inside_brackets('{', '}').unwrap_or(whole);
                let pieces = if matches!(inner.text, "" | "none" | "nothing") {
                    Vec::new()
                } else {
                    inner.split_at_commas()?
                };
                self.parse_set(u, &pieces, &self.list_answers()).map(Choice::Subset)
            }
            QuestionKind::Truth(_) => Err(whole.to_error("the answer is yes or no")),
        }
    }

    fn parse_action(&self, whole: &Piece<'_>) -> Result<Choice, WordError> {
        let p = self.program();
        let (name, args) = match whole.text.find('(') {
            None => (*whole, Vec::new()),
            Some(i) => {
                let Some(name) = whole.sub_piece(0, i) else {
                    return Err(whole.to_error("this cannot be understood"));
                };
                let rest = whole.sub_piece(i, whole.text.len()).and_then(|r| r.inside_brackets('(', ')'));
                match rest {
                    Some(inner) if inner.text.is_empty() => (name, Vec::new()),
                    Some(inner) => (name, inner.split_at_commas()?),
                    None => return Err(whole.to_error("a bracket is not closed")),
                }
            }
        };
        let bare = name.text.len() == whole.text.len();
        let on_offer = self.offered_actions();
        let same = |ix: &ActionIx| {
            p.actions.get(ix.index()).is_some_and(|a| {
                a.name.eq_ignore_ascii_case(name.text) || a.title.eq_ignore_ascii_case(name.text)
            })
        };
        let mut named: Vec<ActionIx> = on_offer.iter().copied().filter(same).collect();
        let rest: Vec<ActionIx> = (0..p.actions.len())
            .map(|i| ActionIx(i as u16))
            .filter(|ix| !on_offer.contains(ix))
            .filter(same)
            .collect();
        named.extend(rest);
        let mut first: Option<Result<Choice, WordError>> = None;
        for ix in named {
            let only = if bare { self.find_only_choice(ix) } else { None };
            let read = only.map_or_else(|| self.parse_args(ix, whole, &args), Ok);
            if read.as_ref().is_ok_and(|c| self.options.index_of(c).is_some()) {
                return read;
            }
            first = match first {
                Some(Ok(c)) => Some(Ok(c)),
                Some(Err(_)) if read.is_ok() => Some(read),
                Some(e) => Some(e),
                None => Some(read),
            };
        }
        first.unwrap_or_else(|| {
            let mut words: Vec<String> = on_offer
                .iter()
                .filter_map(|ix| p.actions.get(ix.index()))
                .map(|a| a.name.to_string())
                .chain(["done", "pass"].map(String::from))
                .collect();
            words.dedup();
            Err(name.to_unknown_error("there is no action", &words))
        })
    }

    /// The choice of an action with arguments, if there is only one: its name alone says it.
    fn find_only_choice(&self, ix: ActionIx) -> Option<Choice> {
        let params = &self.program().actions.get(ix.index())?.params;
        let mut words = Words::new();
        for (i, param) in params.iter().enumerate() {
            match (param.domain, self.list_candidates(ix, i, &words).as_slice()) {
                (Domain::Number | Domain::Thing(_), [only]) => words.push(*only as u64),
                _ => return None,
            }
        }
        (!params.is_empty()).then_some(Choice::Action { action: ix, params: words })
    }

    /// Actions of the menus on offer.
    fn offered_actions(&self) -> Vec<ActionIx> {
        let QuestionKind::Menu(offer) = self.question.kind else { return Vec::new() };
        let p = self.program();
        let menus = p.offers.get(offer.index()).map_or(&[][..], |o| &o.menus);
        let mut out: Vec<ActionIx> = Vec::new();
        for (m, _) in menus {
            for a in p.menus.get(m.index()).map_or(&[][..], |m| &m.actions) {
                if !out.contains(a) {
                    out.push(*a);
                }
            }
        }
        out
    }

    fn parse_args(&self, ix: ActionIx, whole: &Piece<'_>, args: &[Piece<'_>]) -> Result<Choice, WordError> {
        let p = self.program();
        let params = p.actions.get(ix.index()).map_or(&[][..], |a| &a.params);
        let open = matches!(params.last().map(|q| q.domain), Some(Domain::Subset(_)));
        let wrong = if open { args.len() + 1 < params.len() } else { args.len() != params.len() };
        if wrong {
            let names: Vec<&str> = params.iter().map(|q| &*q.name).collect();
            let message = if names.is_empty() {
                String::from("this action takes no arguments")
            } else {
                format!("this action takes {}: {}", count_words(names.len()), names.join(", "))
            };
            return Err(whole.to_error(message));
        }
        let mut words = Words::new();
        for (i, param) in params.iter().enumerate() {
            let all = self.list_candidates(ix, i, &words);
            match param.domain {
                Domain::Number => {
                    let piece = args.get(i).unwrap_or(whole);
                    let n: i32 = piece.text.parse().map_err(|_| piece.to_error("a number is needed here"))?;
                    words.push(i64::from(n) as u64);
                }
                Domain::Thing(u) => {
                    let piece = args.get(i).unwrap_or(whole);
                    words.push(self.parse_thing(u, piece, &all, &[])? as u64);
                }
                Domain::Subset(u) => {
                    let last = i + 1 == params.len();
                    let given =
                        if last { args.get(i..).unwrap_or(&[]) } else { args.get(i..=i).unwrap_or(&[]) };
                    let inner = match given {
                        [one] => one.inside_brackets('{', '}'),
                        _ => None,
                    };
                    let set = match inner {
                        Some(inner) if inner.text.is_empty() => self.parse_set(u, &[], &all)?,
                        Some(inner) => self.parse_set(u, &inner.split_at_commas()?, &all)?,
                        None => self.parse_set(u, given, &all)?,
                    };
                    words.extend_from_slice(&set);
                }
            }
        }
        Ok(Choice::Action { action: ix, params: words })
    }

    fn parse_set(&self, u: UniverseId, pieces: &[Piece<'_>], all: &[i64]) -> Result<Words, WordError> {
        let p = self.program();
        let w = p.universes.get(u.index()).map_or(1, |u| u.w as usize);
        let lo = least_value(p, u);
        let mut set = Words::from_elem(0, w);
        let mut taken: Vec<i64> = Vec::new();
        for piece in pieces {
            let value = self.parse_thing(u, piece, all, &taken)?;
            let i = usize::try_from(value - lo).unwrap_or(usize::MAX);
            match set.get_mut(i / 64) {
                Some(word) if *word >> (i % 64) & 1 == 0 => *word |= 1 << (i % 64),
                Some(_) => return Err(piece.to_error(format!("`{}` is named twice", piece.text))),
                None => return Err(piece.to_error(format!("`{}` cannot be chosen here", piece.text))),
            }
            taken.push(value);
        }
        Ok(set)
    }

    /// A thing by its word: first of what is on offer, then of everything there is (so that it can be said why not).
    fn parse_thing(
        &self,
        u: UniverseId,
        piece: &Piece<'_>,
        all: &[i64],
        taken: &[i64],
    ) -> Result<i64, WordError> {
        let p = self.program();
        if self.is_of_numbers(u) {
            return match piece.text.parse::<i32>() {
                Ok(n) => Ok(i64::from(n)),
                Err(_) => Err(piece.to_error("a number is needed here")),
            };
        }
        let (word, number) = match piece.text.rsplit_once('#') {
            Some((w, n)) => match n.parse::<usize>() {
                Ok(n) if n > 0 => (w.trim(), Some(n)),
                _ => return Err(piece.to_error("after `#`, write which one it is, from 1")),
            },
            None => (piece.text, None),
        };
        // Words before titles, what is exact before what differs in case; last a die by its value alone, or by its member. Each first in words that all who may answer
        // understand, then in the reader's own.
        let text = |v: i64, own: bool, people: bool| match own {
            true => self.own_base_word(u, v, people),
            false => Some(self.base_word(u, v, people)),
        };
        let tests: [&dyn Fn(i64, bool) -> bool; 7] = [
            &|v, own| !own && self.name_thing(u, v, all, false) == word,
            &|v, own| !own && self.name_thing(u, v, all, true).to_lowercase() == word.to_lowercase(),
            &|v, own| text(v, own, false).is_some_and(|t| t == word),
            &|v, own| text(v, own, false).is_some_and(|t| t.eq_ignore_ascii_case(word)),
            &|v, own| text(v, own, true).is_some_and(|t| t == word),
            &|v, own| text(v, own, true).is_some_and(|t| t.to_lowercase() == word.to_lowercase()),
            &|v, own| self.is_die_showing(u, v, own, word),
        ];
        let alike = |things: &[i64], test: &dyn Fn(i64, bool) -> bool| -> Vec<i64> {
            let shared = things.iter().copied().filter(|v| test(*v, false));
            let own = things.iter().copied().filter(|v| test(*v, true) && !test(*v, false));
            if self.seat.is_some() { shared.chain(own).collect() } else { shared.collect() }
        };
        for test in tests {
            let alike = alike(all, test);
            let found = match number {
                Some(n) => alike.get(n - 1).copied(),
                None => alike.iter().copied().find(|v| !taken.contains(v)),
            };
            if let Some(v) = found {
                return Ok(v);
            }
        }
        let everything = self.list_things(u);
        for test in tests {
            if let Some(v) = alike(&everything, test).into_iter().find(|v| !taken.contains(v)) {
                return Ok(v);
            }
        }
        let what = p.universes.get(u.index()).map_or("thing", |u| &u.name);
        let mut words: Vec<String> = all.iter().map(|v| self.base_word(u, *v, false)).collect();
        words.extend(everything.iter().map(|v| self.base_word(u, *v, false)));
        Err(piece.to_unknown_error(&format!("there is no {what}"), &words))
    }

    /// Whether a die that all asked seats know, or the reader, shows that value, or is of that member.
    fn is_die_showing(&self, u: UniverseId, v: i64, own: bool, word: &str) -> bool {
        let p = self.program();
        let Some(UniverseSort::Components(ci)) = p.universes.get(u.index()).map(|u| &u.sort) else {
            return false;
        };
        let (Some(comps), Ok(c)) = (p.comps.get(usize::from(*ci)), usize::try_from(v)) else { return false };
        let knows = |s: usize| self.look.knows(s, usize::from(*ci), c);
        let known = match own {
            true => self.seat.is_some_and(knows),
            false => (0..32).filter(|s| self.question.seats >> s & 1 == 1).all(knows),
        };
        let (Some(face), true, Some(_)) = (self.look.face(usize::from(*ci), c), known, comps.showing) else {
            return false;
        };
        if let Ok(n) = word.parse::<i32>() {
            let side = self.look.side(usize::from(*ci), c).map(|s| s % comps.most_sides());
            return side.and_then(|s| comps.sides.get(face)?.get(s)).is_some_and(|x| *x == n);
        }
        let said = |people: bool| {
            let shows = Show::Thing(comps.faces);
            value_text(self.look, shows, &[face as u64], None, people).to_lowercase()
        };
        said(false) == word.to_lowercase() || said(true) == word.to_lowercase()
    }

    /// All things of a universe; of components those first that the asked player holds.
    fn list_things(&self, u: UniverseId) -> Vec<i64> {
        let p = self.program();
        let Some(uni) = p.universes.get(u.index()) else { return Vec::new() };
        let ordered = self.look.in_order_for(self.question.seats, u);
        let mut all = ordered.unwrap_or_else(|| (0..i64::from(uni.n)).collect());
        if let UniverseSort::Components(ci) = uni.sort {
            let mine = |c: i64| {
                let place = usize::try_from(c).ok().and_then(|c| self.look.place(ci as usize, c));
                let holder = place.and_then(|pl| p.places.get(pl)).map(|pl| i64::from(pl.holder));
                holder != Some(i64::from(self.question.player))
            };
            all.sort_by_key(|c| mine(*c));
        }
        all
    }
}

fn push_new(out: &mut Vec<i64>, v: i64) {
    if !out.contains(&v) {
        out.push(v);
    }
}

fn count_words(n: usize) -> String {
    if n == 1 { String::from("one argument") } else { format!("{n} arguments") }
}

/// Least register value of a universe's things.
pub fn least_value(p: &Program, u: UniverseId) -> i64 {
    match p.universes.get(u.index()).map(|u| &u.sort) {
        Some(UniverseSort::Numbers { lo }) => i64::from(*lo),
        _ => 0,
    }
}

/// Numbers of the set bits.
pub fn set_bits(set: &[u64]) -> impl Iterator<Item = usize> + '_ {
    set.iter()
        .enumerate()
        .flat_map(|(i, w)| (0..64).filter(move |b| w >> b & 1 == 1).map(move |b| i * 64 + b))
}

/// A part of what was said, without blanks around it, and where it begins.
#[derive(Clone, Copy, Debug)]
struct Piece<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Piece<'t> {
    fn new(text: &'t str, at: usize) -> Self {
        let start = text.len() - text.trim_start().len();
        Piece { text: text.trim(), at: at + start }
    }

    fn sub_piece(&self, from: usize, to: usize) -> Option<Piece<'t>> {
        self.text.get(from..to).map(|t| Piece::new(t, self.at + from))
    }

    /// What stands between a bracket at the very beginning and its partner at the very end.
    fn inside_brackets(&self, open: char, close: char) -> Option<Piece<'t>> {
        let inner = self.text.strip_prefix(open)?.strip_suffix(close)?;
        Some(Piece::new(inner, self.at + 1))
    }

    /// Parts between commas that stand in no bracket.
    fn split_at_commas(&self) -> Result<Vec<Piece<'t>>, WordError> {
        let mut out = Vec::new();
        let (mut depth, mut from) = (0i32, 0);
        for (i, c) in self.text.char_indices() {
            match c {
                '(' | '{' => depth += 1,
                ')' | '}' => depth -= 1,
                ',' if depth == 0 => {
                    out.extend(self.sub_piece(from, i));
                    from = i + 1;
                }
                _ => {}
            }
            if depth < 0 {
                return Err(WordError {
                    at: self.at + i,
                    len: 1,
                    message: String::from("there is one bracket too many"),
                    near: None,
                });
            }
        }
        if depth > 0 {
            return Err(self.to_error("a bracket is not closed"));
        }
        out.extend(self.sub_piece(from, self.text.len()));
        match out.iter().find(|p| p.text.is_empty()) {
            Some(p) => Err(p.to_error("something is missing here")),
            None => Ok(out),
        }
    }

    fn to_error(self, message: impl Into<String>) -> WordError {
        WordError { at: self.at, len: self.text.len(), message: message.into(), near: None }
    }

    fn to_unknown_error(self, what: &str, words: &[String]) -> WordError {
        let low: Vec<String> = words.iter().map(|w| w.to_lowercase()).collect();
        let near = closest(&self.text.to_lowercase(), low.iter().map(String::as_str))
            .and_then(|n| low.iter().position(|w| w == n))
            .and_then(|i| words.get(i).cloned());
        WordError { near, ..self.to_error(format!("{what} `{}`", self.text)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_know_where_they_stand() {
        let p = Piece::new("  a(b, c) , {d, e},f ", 0);
        let all: Vec<_> = p.split_at_commas().unwrap().iter().map(|p| (p.text, p.at)).collect();
        assert_eq!(all, [("a(b, c)", 2), ("{d, e}", 12), ("f", 19)]);
        assert_eq!(Piece::new("(a, b", 3).split_at_commas().unwrap_err().message, "a bracket is not closed");
        assert_eq!(Piece::new("a,, b", 3).split_at_commas().unwrap_err().at, 5);
        let too_many = Piece::new("a), b", 3).split_at_commas().unwrap_err();
        assert_eq!((too_many.at, too_many.message.as_str()), (4, "there is one bracket too many"));
    }
}
