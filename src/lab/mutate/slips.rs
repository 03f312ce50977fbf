//! Mutations that look like slips of the hand: a layer ends elsewhere, somebody sees more or less, nothing is left to chance, a sign of a drawn map stands one space off, an order is
//! turned round, a menu is offered too many or not.
use super::places::{Bit, ChangeFinder, ChangeSort};
use super::symmetric::is_symmetric;
use houserule_syntax::{NodeId, NodeKind, TokenKind};
use std::ops::Range;

impl<'t> ChangeFinder<'t> {
    /// The slips that one node allows.
    pub(super) fn add_slips(&mut self, kind: NodeKind, bits: &[Bit<'t>]) {
        use NodeKind as K;
        match (kind, word_of(bits.first())) {
            (K::Statement, "until") => self.change_layer_end(bits),
            (K::Statement, "offer") => self.change_menus(bits, 0),
            (K::Action, _) => {
                let at = bits.iter().position(|b| word_of(Some(b)) == "in");
                at.into_iter().for_each(|at| self.change_menus(bits, at));
            }
            (K::Zone, _) => self.change_visibility(bits),
            (K::Choose, _) => self.change_chance(bits),
            (K::FirstOf, word @ ("first" | "last")) => {
                let other = if word == "first" { "last" } else { "first" };
                self.push_at(ChangeSort::Order, bits.first(), other);
            }
            (K::Chain, word) => self.change_call(word, bits),
            _ => {}
        }
        for pair in bits.windows(2) {
            if word_of(pair.first()) == "per" {
                self.push_at(ChangeSort::Layer, pair.get(1), other_span(word_of(pair.get(1))));
            }
        }
    }

    fn push_at(&mut self, sort: ChangeSort, bit: Option<&Bit<'t>>, text: &str) {
        if let Some(bit) = bit.filter(|_| !text.is_empty()) {
            self.push_change(sort, self.range_of(*bit), text);
        }
    }

    /// `until end of round { … }`: it ends with something else.
    fn change_layer_end(&mut self, bits: &[Bit<'t>]) {
        let Some(of) = bits.iter().position(|b| word_of(Some(b)) == "of") else { return };
        let last = bits.iter().skip(of + 1).take_while(|b| matches!(b, Bit::Token(..))).last();
        self.push_at(ChangeSort::Layer, last, other_span(word_of(last)));
    }

    /// `seen by …` goes, or `seen by nobody` comes.
    fn change_visibility(&mut self, bits: &[Bit<'t>]) {
        let ends = |b: &Bit<'t>| {
            matches!(word_of(Some(b)), "active" | "up" | "sorted" | "unlimited" | "refill" | "seen")
        };
        if let Some(at) = bits.iter().position(|b| word_of(Some(b)) == "seen") {
            return self.push_change(ChangeSort::Visibility, self.range_until(bits, at, ends), "");
        }
        let of = bits.iter().find(|b| matches!(b, Bit::Node(_, NodeKind::Type)));
        let Some(range) = of.map(|b| self.range_of(*b)) else { return };
        let text = format!("{} seen by nobody", self.text_at(range.clone()));
        self.push_change(ChangeSort::Visibility, range, text);
    }

    /// `choose one of S by chance`: the first of them instead.
    fn change_chance(&mut self, bits: &[Bit<'t>]) {
        let at = |word: &str| bits.iter().position(|b| word_of(Some(b)) == word);
        let by = bits.windows(2).position(|w| word_of(w.first()) == "by" && word_of(w.get(1)) == "chance");
        let (Some(of), Some(by)) = (at("of"), by) else { return };
        let range = |from: usize, to: usize| match (bits.get(from), bits.get(to)) {
            (Some(a), Some(b)) if from <= to => self.range_of(*a).start..self.range_of(*b).end,
            _ => 0..0,
        };
        let many = match self.text_at(range(1, of.saturating_sub(1))) {
            "one" => String::new(),
            "any" | "some" => return,
            many if many.starts_with("up") || many.contains("..") => return,
            many => format!("({many}) "),
        };
        let (from, whole) = (range(of + 1, by.saturating_sub(1)), range(0, bits.len().saturating_sub(1)));
        let text = format!("(first {many}of ({}))", self.text_at(from));
        self.push_change(ChangeSort::Chance, whole, text);
    }

    /// A call: its first two arguments change places, unless it asks the same of both; what is turned round is not; the most becomes the least.
    fn change_call(&mut self, word: &str, bits: &[Bit<'t>]) {
        let Some(Bit::Node(id, NodeKind::Arguments)) = bits.get(1) else { return };
        let args = self.argument_ranges(*id);
        match (word, args.as_slice()) {
            ("reversed", [one]) => {
                let text = self.text_at(one.clone()).to_string();
                if let (Some(first), 2) = (bits.first(), bits.len()) {
                    self.push_change(
                        ChangeSort::Order,
                        self.range_of(*first).start..one.end + 1,
                        format!("({text})"),
                    );
                }
            }
            ("most", _) => self.push_at(ChangeSort::Order, bits.first(), "least"),
            ("least", _) => self.push_at(ChangeSort::Order, bits.first(), "most"),
            ("max", _) => self.push_at(ChangeSort::Order, bits.first(), "min"),
            ("min", _) => self.push_at(ChangeSort::Order, bits.first(), "max"),
            (_, [_, _]) if is_symmetric(word, &self.declared.symmetries) => {}
            (_, [a, b, ..]) => {
                let (first, second) = (self.text_at(a.clone()), self.text_at(b.clone()));
                let named = |t: &str| t.contains(':') || t.contains(" in ");
                if first != second && !named(first) && !named(second) {
                    let between = self.text_at(a.end..b.start);
                    self.push_change(ChangeSort::Order, a.start..b.end, format!("{second}{between}{first}"));
                }
            }
            _ => {}
        }
    }

    /// Where the arguments in brackets stand.
    fn argument_ranges(&self, id: NodeId) -> Vec<Range<usize>> {
        let bits = self.list_bits(id);
        let inside = bits.get(1..bits.len().saturating_sub(1)).unwrap_or(&[]);
        let parts = inside.split(|b| word_of(Some(b)) == ",");
        parts
            .filter_map(|p| Some(self.range_of(*p.first()?).start..self.range_of(*p.last()?).end))
            .filter(|r| !r.is_empty())
            .collect()
    }

    /// The menus that are named behind a word, each with the number of its bit.
    pub(super) fn menu_names(&self, bits: &[Bit<'t>], at: usize) -> impl Iterator<Item = (usize, &'t str)> {
        let is_comma = |b: &Bit<'t>| word_of(Some(b)) == ",";
        let named = bits.iter().enumerate().skip(at + 1).take_while(move |(i, b)| {
            let behind_comma = bits.get(i.saturating_sub(1)).is_some_and(is_comma);
            is_comma(b) || *i == at + 1 || behind_comma
        });
        named.filter(move |(_, b)| !is_comma(b)).map(|(i, b)| (i, self.text_at(self.range_of(*b))))
    }

    /// The menus that are named behind a word: one fewer, and one more. To an action's own menus none is added that is only offered beside one of them: that would make no difference.
    fn change_menus(&mut self, bits: &[Bit<'t>], at: usize) {
        let names: Vec<(usize, &str)> = self.menu_names(bits, at).collect();
        let own: Vec<&str> = names.iter().map(|(_, n)| *n).collect();
        let ranges: Vec<Range<usize>> = bits.iter().map(|b| self.range_of(*b)).collect();
        let range = |i: usize| ranges.get(i).cloned().unwrap_or(0..0);
        let Some((last, name)) = names.last().copied() else { return };
        let of_action = word_of(bits.get(at)) == "in";
        let all = &self.declared.menus;
        let known = all.iter().position(|m| m == name).map_or(0, |i| i + 1);
        let differs = |m: &&String| {
            !(own.contains(&m.as_str()) || of_action && self.declared.is_always_beside(m, &own))
        };
        if let Some(more) = all.iter().cycle().skip(known).take(all.len()).find(differs) {
            self.push_change(ChangeSort::Offer, range(last), format!("{name}, {more}"));
        }
        if names.len() > 1 {
            for (i, _) in &names {
                let (start, end) = match *i == at + 1 {
                    true => (range(*i).start, range(*i + 2).start),
                    false => (range(*i - 1).start, range(*i).end),
                };
                self.push_change(ChangeSort::Offer, start..end, "");
            }
        }
    }

    /// The drawn maps inside a node: each sign changes places with its right neighbour, if that is a space and another sign.
    pub(super) fn change_pictures(&mut self, id: NodeId) {
        let tree = &self.parsed.tree;
        let whole = tree.range(id);
        let before = std::mem::replace(&mut self.item, whole);
        let mut left: Option<(Range<usize>, &str)> = None;
        for token in tree.tokens_of(id) {
            let range = token.start as usize..token.end as usize;
            match token.kind {
                TokenKind::Cell => {
                    let sign = self.text_at(range.clone());
                    if let Some((at, other)) = left.take()
                        && other != sign
                        && other != "."
                        && sign != "."
                    {
                        let between = self.text_at(at.end..range.start);
                        self.push_change(
                            ChangeSort::Map,
                            at.start..range.end,
                            format!("{sign}{between}{other}"),
                        );
                    }
                    left = Some((range, sign));
                }
                TokenKind::CellBlank => {}
                _ => left = None,
            }
        }
        self.item = before;
    }
}

/// The word that a token is; empty for a node.
fn word_of<'t>(bit: Option<&Bit<'t>>) -> &'t str {
    match bit {
        Some(Bit::Token(word, _)) => word,
        _ => "",
    }
}

/// Another stretch of time than this one.
fn other_span(word: &str) -> &'static str {
    match word {
        "round" => "phase",
        "phase" | "turn" | "game" => "round",
        _ => "",
    }
}
