//! Lists the mutations of a text of rules: where it can be changed and into what.
//!
//! The lossless tree says what stands where; a change is a range of bytes and the text in its place. Nothing here knows whether what comes out still makes sense: the checker says so.
use super::symmetric::{self, Symmetry};
use houserule_syntax::{Child, NodeId, NodeKind, Parsed, Token, TokenKind};
use std::ops::Range;

/// What sort of change it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ChangeSort {
    /// A guard is left out: `needs`, `where`, `when`, `once`, `by`, `during`, `forbid`.
    Guard,
    /// A comparison lets one more or one less pass, `and` becomes `or`.
    Comparison,
    /// A number is one more.
    Number,
    /// A statement is left out.
    Effect,
    /// Another player is asked, or another one begins.
    Asked,
    /// A modification, replacement or addition is left out.
    Attachment,
    /// A layer ends elsewhere, a limit is renewed elsewhere.
    Layer,
    /// A zone is seen by others.
    Visibility,
    /// What chance chooses is the first.
    Chance,
    /// Two neighbouring signs of a drawn map change places.
    Map,
    /// First and last, most and least, or two arguments change places.
    Order,
    /// A menu is offered too many, or not.
    Offer,
}

impl ChangeSort {
    /// All of them.
    pub const ALL: [ChangeSort; 12] = [
        ChangeSort::Guard,
        ChangeSort::Comparison,
        ChangeSort::Number,
        ChangeSort::Effect,
        ChangeSort::Asked,
        ChangeSort::Attachment,
        ChangeSort::Layer,
        ChangeSort::Visibility,
        ChangeSort::Chance,
        ChangeSort::Map,
        ChangeSort::Order,
        ChangeSort::Offer,
    ];

    /// For people.
    pub fn word(self) -> &'static str {
        match self {
            ChangeSort::Guard => "guards left out",
            ChangeSort::Comparison => "comparisons changed",
            ChangeSort::Number => "numbers changed",
            ChangeSort::Effect => "effects left out",
            ChangeSort::Asked => "others asked",
            ChangeSort::Attachment => "attachments left out",
            ChangeSort::Layer => "layers' ends changed",
            ChangeSort::Visibility => "zones seen by others",
            ChangeSort::Chance => "chances taken away",
            ChangeSort::Map => "signs of maps moved",
            ChangeSort::Order => "orders changed",
            ChangeSort::Offer => "offers changed",
        }
    }

    /// For machines.
    pub fn key(self) -> &'static str {
        match self {
            ChangeSort::Guard => "guard",
            ChangeSort::Comparison => "comparison",
            ChangeSort::Number => "number",
            ChangeSort::Effect => "effect",
            ChangeSort::Asked => "asked",
            ChangeSort::Attachment => "attachment",
            ChangeSort::Layer => "layer",
            ChangeSort::Visibility => "visibility",
            ChangeSort::Chance => "chance",
            ChangeSort::Map => "map",
            ChangeSort::Order => "order",
            ChangeSort::Offer => "offer",
        }
    }
}

/// A small change of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// What it is.
    pub sort: ChangeSort,
    /// The bytes that go.
    pub range: Range<usize>,
    /// What stands there then.
    pub text: String,
    /// The declaration around it, without its `##` text.
    pub item: Range<usize>,
    /// Whether that declaration is nothing but what is done: where none of it is reached, a change of it makes no difference.
    pub done: bool,
}

/// Declarations that say nothing about play, or that only tests need; and maps (but for what is drawn on them), types and heads, whose numbers say how large things are.
fn is_left_alone(kind: NodeKind) -> bool {
    use NodeKind as K;
    matches!(
        kind,
        K::Test
            | K::Invariant
            | K::Numbered
            | K::NotPlayed
            | K::Heuristic
            | K::Hook
            | K::Look
            | K::Scenario
            | K::Legend
            | K::Map
            | K::Picture
            | K::Space
            | K::Game
            | K::Header
            | K::Option
            | K::SetOption
            | K::Type
            | K::Text
            | K::Doc
            | K::Bad
    )
}

/// What a game declares, as far as changes must know it.
#[derive(Default)]
pub struct Declared {
    /// The menus without parameters.
    pub(super) menus: Vec<String>,
    /// Each `offer`: the menus that are named there.
    pub(super) offers: Vec<Vec<String>>,
    /// Values, and whether their two arguments may change places.
    pub(super) symmetries: Vec<Symmetry>,
}

impl Declared {
    /// Adds what one text declares.
    pub fn add_text(&mut self, text: &str, parsed: &Parsed) {
        let tree = &parsed.tree;
        let none = Declared::default();
        let finder = ChangeFinder::new(text, parsed, &none);
        for node in tree.nodes() {
            let bits = finder.list_bits(node);
            if let (Some(first), Some(last)) = (bits.first(), bits.last()) {
                let text = finder.text_at(finder.range_of(*first).start..finder.range_of(*last).end);
                self.symmetries.extend(symmetric::find_symmetry(tree.kind(node), text));
            }
            match (tree.kind(node), bits.first()) {
                (NodeKind::Menu, _) => {
                    let head = finder.text_at(tree.range(node)).split(['{', '\n']).next().unwrap_or("");
                    let name = head.split_whitespace().nth(1).filter(|_| !head.contains('('));
                    self.menus.extend(name.map(String::from));
                }
                (NodeKind::Statement, Some(Bit::Token("offer", _))) => {
                    self.offers.push(finder.menu_names(&bits, 0).map(|(_, n)| n.to_string()).collect());
                }
                _ => {}
            }
        }
    }

    /// Whether a menu is offered, and always beside one of these.
    pub(super) fn is_always_beside(&self, menu: &str, others: &[&str]) -> bool {
        let mut offers = self.offers.iter().filter(|o| o.iter().any(|m| m == menu)).peekable();
        offers.peek().is_some() && offers.all(|o| o.iter().any(|m| others.contains(&m.as_str())))
    }
}

/// All small changes of a text, in its order; `declared` is what the whole game says.
pub fn find_changes(text: &str, parsed: &Parsed, declared: &Declared) -> Vec<Change> {
    let mut finder = ChangeFinder::new(text, parsed, declared);
    finder.visit_node(parsed.tree.root());
    let mut out = finder.out;
    out.sort_by_key(|c| (c.range.start, c.sort, c.range.end));
    out.dedup_by(|a, b| a.range == b.range && a.text == b.text);
    out
}

/// Goes through a text and collects its changes.
pub(super) struct ChangeFinder<'t> {
    text: &'t str,
    pub(super) parsed: &'t Parsed,
    pub(super) declared: &'t Declared,
    out: Vec<Change>,
    pub(super) item: Range<usize>,
    done: bool,
}

/// A piece of a node: a node in it, or a token that is no blank.
#[derive(Clone, Copy)]
pub(super) enum Bit<'t> {
    Node(NodeId, NodeKind),
    Token(&'t str, Token),
}

impl<'t> ChangeFinder<'t> {
    fn new(text: &'t str, parsed: &'t Parsed, declared: &'t Declared) -> Self {
        ChangeFinder { text, parsed, declared, out: Vec::new(), item: 0..0, done: false }
    }

    pub(super) fn list_bits(&self, id: NodeId) -> Vec<Bit<'t>> {
        let tree = &self.parsed.tree;
        let bit = |c: Child| match c {
            Child::Node(n) => Some(Bit::Node(n, tree.kind(n))),
            Child::Token(t) => {
                let token = *tree.tokens().get(t).filter(|t| !t.kind.is_trivia())?;
                Some(Bit::Token(self.text.get(token.start as usize..token.end as usize)?, token))
            }
        };
        tree.children(id).into_iter().filter_map(bit).collect()
    }

    pub(super) fn range_of(&self, bit: Bit<'_>) -> Range<usize> {
        match bit {
            Bit::Node(n, _) => self.parsed.tree.range(n),
            Bit::Token(_, t) => t.start as usize..t.end as usize,
        }
    }

    /// What stands at a range.
    pub(super) fn text_at(&self, range: Range<usize>) -> &'t str {
        self.text.get(range).unwrap_or("")
    }

    pub(super) fn push_change(&mut self, sort: ChangeSort, range: Range<usize>, text: impl Into<String>) {
        if !range.is_empty() {
            self.out.push(Change {
                sort,
                range,
                text: text.into(),
                item: self.item.clone(),
                done: self.done,
            });
        }
    }

    /// From the piece at `at` up to the next that `ends`, or the last one.
    pub(super) fn range_until(
        &self,
        bits: &[Bit<'t>],
        at: usize,
        ends: impl Fn(&Bit<'t>) -> bool,
    ) -> Range<usize> {
        let last =
            bits.iter().skip(at + 1).position(ends).map_or(bits.len(), |n| at + 1 + n).saturating_sub(1);
        let range = |i: usize| bits.get(i).map_or(0..0, |b| self.range_of(*b));
        range(at).start..range(last.max(at)).end
    }

    fn visit_node(&mut self, id: NodeId) {
        let tree = &self.parsed.tree;
        let kind = tree.kind(id);
        if is_left_alone(kind) {
            match kind {
                NodeKind::Scenario | NodeKind::Map => self.change_pictures(id),
                NodeKind::Game => self.change_headers(id),
                _ => {}
            }
            return;
        }
        let bits = self.list_bits(id);
        let outer = tree.parent(id).map(|p| tree.kind(p));
        let at_top = matches!(outer, Some(NodeKind::File | NodeKind::Items));
        let before = (self.item.clone(), self.done);
        use NodeKind as K;
        if at_top || kind == K::Zone {
            self.item = tree.range(id);
            self.done = matches!(kind, K::Rule | K::Phase | K::Action | K::Setup | K::Round);
        }
        self.change_node(id, kind, &bits);
        for bit in &bits {
            match bit {
                Bit::Node(n, _) => self.visit_node(*n),
                Bit::Token(word, t) => self.change_token(kind, word, *t),
            }
        }
        (self.item, self.done) = before;
    }

    /// `players 2..4` in a game's head: one more, at either end.
    fn change_headers(&mut self, game: NodeId) {
        let tree = &self.parsed.tree;
        for bit in self.list_bits(game) {
            let Bit::Node(id, NodeKind::Header) = bit else { continue };
            let bits = self.list_bits(id);
            if !matches!(bits.first(), Some(Bit::Token("players" | "seats", _))) {
                continue;
            }
            let before = std::mem::replace(&mut self.item, tree.range(id));
            for token in tree.tokens_of(id) {
                let word = self.text_at(token.start as usize..token.end as usize);
                if word == "answered" {
                    break;
                }
                self.change_token(NodeKind::Header, word, *token);
            }
            self.item = before;
        }
    }

    fn change_node(&mut self, id: NodeId, kind: NodeKind, bits: &[Bit<'t>]) {
        use NodeKind as K;
        let whole = self.parsed.tree.range(id);
        let first = match bits.first() {
            Some(Bit::Token(w, _)) => *w,
            _ => "",
        };
        match kind {
            K::Needs => self.push_change(ChangeSort::Guard, whole, ""),
            K::Limit => self.push_change(ChangeSort::Guard, whole, ""),
            K::Attachment => {
                let sort = if first == "forbid" { ChangeSort::Guard } else { ChangeSort::Attachment };
                self.push_change(sort, whole, "");
            }
            K::Ending => self.push_change(ChangeSort::Effect, whole, ""),
            K::Entry if first == "open" => self.push_change(ChangeSort::Guard, whole, ""),
            K::Statement => self.change_statement(whole, first, bits),
            _ => {}
        }
        self.add_slips(kind, bits);
        let ends = |b: &Bit<'t>| match b {
            Bit::Token(w, _) => {
                matches!(*w, "else" | "once" | "cost" | "when" | "=" | "in" | "{" | "," | ")")
            }
            Bit::Node(_, k) => matches!(k, K::Block | K::Limit | K::Text),
        };
        for (i, bit) in bits.iter().enumerate() {
            let Bit::Token(word, _) = bit else { continue };
            match (*word, kind) {
                ("where", K::Where | K::Param | K::The)
                | ("when", K::Action | K::Entry)
                | ("once", K::Action) => {
                    self.push_change(ChangeSort::Guard, self.range_until(bits, i, ends), "");
                }
                ("by", K::Choose | K::Statement) | ("as", K::Statement) => {
                    let who = bits.get(i + 1).map_or(0..0, |_| self.range_until(bits, i + 1, ends));
                    let name = self.text.get(who.clone()).unwrap_or("");
                    if name != "chance" && !name.is_empty() {
                        self.push_change(ChangeSort::Asked, who, format!("left({name})"));
                    }
                }
                ("in", K::Statement) if first == "everyone" => self.change_order(bits, i),
                _ => {}
            }
        }
    }

    /// `everyone … in turn`: somebody else begins.
    fn change_order(&mut self, bits: &[Bit<'t>], at: usize) {
        let is = |b: Option<&Bit<'t>>, word: &str| matches!(b, Some(Bit::Token(w, _)) if *w == word);
        if !is(bits.get(at + 1), "turn") {
            return;
        }
        match bits.iter().position(|b| is(Some(b), "from")) {
            Some(from) => {
                let range = self.range_until(bits, from, |b| is(Some(b), "in"));
                self.push_change(ChangeSort::Asked, range, "");
            }
            None => {
                if let Some(b) = bits.get(at) {
                    let start = self.range_of(*b);
                    self.push_change(ChangeSort::Asked, start, "from (last of players) in");
                }
            }
        }
    }

    fn change_statement(&mut self, whole: Range<usize>, first: &str, bits: &[Bit<'t>]) {
        let holds_others = bits.iter().any(|b| matches!(b, Bit::Node(_, NodeKind::Block)));
        // A guard or an attachment is a change of its own; texts are not play; without a name nothing below checks.
        let other = bits.iter().any(|b| matches!(b, Bit::Node(_, NodeKind::Needs | NodeKind::Attachment)));
        if !holds_others && !other && !matches!(first, "let" | "say" | "has" | "needs" | "give") {
            self.push_change(ChangeSort::Effect, whole, "");
        }
    }

    fn change_token(&mut self, kind: NodeKind, word: &str, t: Token) {
        let range = t.start as usize..t.end as usize;
        let flipped = match (kind, word) {
            (NodeKind::Compare, "<") => "<=",
            (NodeKind::Compare, "<=") => "<",
            (NodeKind::Compare, ">") => ">=",
            (NodeKind::Compare, ">=") => ">",
            (NodeKind::Compare, "==") => "!=",
            (NodeKind::Compare, "!=") => "==",
            (NodeKind::And, "and") => "or",
            (NodeKind::Or, "or") => "and",
            _ => "",
        };
        if !flipped.is_empty() {
            self.push_change(ChangeSort::Comparison, range, flipped);
        } else if t.kind == TokenKind::Int
            && let Some(more) = word.parse::<i64>().ok().and_then(|n| n.checked_add(1))
        {
            self.push_change(ChangeSort::Number, range, more.to_string());
        } else if matches!(kind, NodeKind::Component | NodeKind::Member)
            && let Some(copies) = word.strip_prefix('x').and_then(|n| n.parse::<u32>().ok())
        {
            self.push_change(ChangeSort::Number, range, format!("x{}", copies.saturating_add(1)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserule_text::FileId;

    fn found(text: &str) -> Vec<String> {
        let parsed = houserule_syntax::parse(FileId(0), text);
        assert!(parsed.findings.is_empty(), "{:?}", parsed.findings);
        let menus = vec![String::from("m"), String::from("n")];
        let mut declared = Declared { menus, ..Declared::default() };
        declared.add_text(text, &parsed);
        find_changes(text, &parsed, &declared)
            .iter()
            .map(|c| format!("{} {}>{}", c.sort.key(), text.get(c.range.clone()).unwrap_or("?"), c.text))
            .collect()
    }

    #[test]
    fn every_sort_of_change_is_found() {
        let cases: &[(&str, &[&str])] = &[
            (
                "action go(c: Cell where it.a < 2) in m once per turn { needs x and y else \"no\"; c.a = 3 }",
                &[
                    "guard where it.a < 2>",
                    "comparison <><=",
                    "number 2>3",
                    "offer m>m, n",
                    "guard once per turn>",
                    "layer turn>round",
                    "guard needs x and y else \"no\">",
                    "comparison and>or",
                    "effect c.a = 3>",
                    "number 3>4",
                ],
            ),
            ("rule r() { let x = choose one of s by p \"Which 2?\" }", &["asked p>left(p)"]),
            ("rule r() { as p { tell() } }", &["asked p>left(p)", "effect tell()>"]),
            (
                "round once { everyone in turn { offer m } }",
                &["asked in>from (last of players) in", "effect offer m>", "offer m>m, n"],
            ),
            (
                "round once { everyone of s from p in turn { offer m } }",
                &["asked from p>", "effect offer m>", "offer m>m, n"],
            ),
            ("rule r() { offer m, n }", &["effect offer m, n>", "offer m, >", "offer , n>"]),
            // An action of `m` in `n`, too: no difference where `n` is only offered beside `m`.
            (
                "rule r() { offer m, n }\naction go() in m { go() }",
                &["effect offer m, n>", "offer m, >", "offer , n>", "effect go()>"],
            ),
            (
                "rule r() { offer n }\naction go() in m { go() }",
                &["effect offer n>", "offer n>n, m", "offer m>m, n", "effect go()>"],
            ),
            ("token Hurt\nHurt leg \"Leg\" x4, arm x2", &["number x4>x5", "number x2>x3"]),
            ("game G \"G\" { players 2..4; outcome win }", &["number 2>3", "number 4>5"]),
            (
                "value f(a: C, b: C): int = between(a, b)\nvalue g(): int = f(c, d) + distance(c, d) + h(c, d)",
                &["order c, d>d, c"],
            ),
            ("rule r() { until end of round { x = y } }", &["layer round>phase", "effect x = y>"]),
            (
                "player { zone a: Card seen by owner; zone b: Card active }",
                &["visibility seen by owner>", "visibility Card>Card seen by nobody"],
            ),
            (
                "rule r() { let c = choose one of s by chance; let d = choose n of s by chance }",
                &[
                    "chance choose one of s by chance>(first of (s))",
                    "chance choose n of s by chance>(first (n) of (s))",
                ],
            ),
            (
                "value v(): int = f(a, b) + sum(first of s) + max(c)",
                &["order a, b>b, a", "order first>last", "order max>min"],
            ),
            ("rule r() { for p in reversed(s) { go(p) } }", &["order reversed(s)>(s)", "effect go(p)>"]),
            (
                "scenario s \"S\" for G { map M \"\"\"\n    A | .  b  c  c\n    B | d  .  e  f\n  \"\"\" }",
                &["map b  c>c  b", "map e  f>f  e"],
            ),
            ("modify v += 1 when w", &["attachment modify v += 1 when w>", "number 1>2", "guard when w>"]),
            (
                "needs count(seats) > 2 else \"no\"",
                &["guard needs count(seats) > 2 else \"no\">", "comparison >>>=", "number 2>3"],
            ),
            ("forbid go by p", &["guard forbid go by p>", "guard by p>"]),
            (
                "menu m { pass when no action; win p when a >= 2 }",
                &["guard when no action>", "effect win p when a >= 2>", "comparison >=>>", "number 2>3"],
            ),
        ];
        for (text, wanted) in cases {
            assert_eq!(found(text), *wanted, "{text}");
        }
    }

    #[test]
    fn what_is_no_rule_is_left_alone() {
        for text in [
            "test \"t 1\" { x = 2; expect x < 3 }",
            "invariant \"i\" { x < 3 }",
            "heuristic h(p: player): int = 3",
            "scenario s \"S\" for G { setup { x = 2 } }",
            "numbered F1..F9",
            "not played F2: \"advice\"",
            "map M squares 3 by 3",
            "look Cell { text: a + 2 }",
            "rule r() { say \"{1 + 2}\" }",
        ] {
            assert!(found(text).is_empty(), "{text}: {:?}", found(text));
        }
    }
}
