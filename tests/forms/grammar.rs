//! Reads `grammar/*.pest` and matches texts with it, noting where each part of the grammar stands: a small PEG interpreter.
//!
//! The parser in the library is generated from the same files, but tells of rules alone; here every optional part and alternative counts.
use crate::support::{files_in, root};
use std::collections::BTreeMap;

/// The number of a node of the grammar.
pub type NodeId = usize;

/// An expression of the grammar.
#[derive(Clone, Debug)]
pub enum Node {
    Text(String),
    Range(char, char),
    /// A rule or a built-in, by name.
    Call(String),
    Sequence(Vec<NodeId>),
    Choice(Vec<NodeId>),
    Optional(NodeId),
    /// With the fewest rounds.
    Repeat(NodeId, usize),
    Ahead(NodeId),
    NotAhead(NodeId),
}

/// How a rule treats white space between its parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Spacing {
    /// As its caller does.
    AsCaller,
    /// None is skipped, in what it calls neither.
    Atomic,
    /// It is skipped.
    Skipped,
}

#[derive(Clone, Debug)]
struct Rule {
    body: NodeId,
    spacing: Spacing,
    /// Whether nothing is skipped between its own parts, whoever calls it.
    atomic: bool,
}

/// The whole grammar.
pub struct Grammar {
    nodes: Vec<Node>,
    rules: BTreeMap<String, Rule>,
    /// The file of each rule.
    files: BTreeMap<String, String>,
}

/// A place where a node matched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Matched {
    pub node: NodeId,
    pub start: usize,
    pub end: usize,
    /// Whether this is one round of a repetition.
    pub round: bool,
}

impl Grammar {
    /// Reads all files of the folder `grammar`.
    pub fn read() -> Grammar {
        let mut g = Grammar { nodes: Vec::new(), rules: BTreeMap::new(), files: BTreeMap::new() };
        for path in files_in(&root().join("grammar")) {
            let text = std::fs::read_to_string(&path).expect("a file of the grammar");
            let file = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
            Reader { text: &text, at: 0, grammar: &mut g }.rules(&file);
        }
        assert!(g.rules.len() > 300, "only {} rules were read", g.rules.len());
        g
    }

    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id]
    }

    /// Each rule's name, body and file.
    pub fn rules(&self) -> impl Iterator<Item = (&str, NodeId, &str)> {
        self.rules.iter().map(|(name, r)| (name.as_str(), r.body, self.files[name].as_str()))
    }

    /// The rule's body.
    pub fn body(&self, rule: &str) -> Option<NodeId> {
        self.rules.get(rule).map(|r| r.body)
    }

    /// Where each node matched in a whole text, inner ones before outer ones. `None`: the text cannot be read.
    pub fn matches(&self, text: &str) -> Option<Vec<Matched>> {
        let mut m = Matcher { grammar: self, text, trace: Vec::new() };
        m.call("file", 0, false).filter(|end| *end == text.len())?;
        let recovers = |n: &str| n.starts_with("bad_") || n == "stray";
        let bad: Vec<NodeId> = self.rules().filter(|(n, ..)| recovers(n)).map(|(_, body, _)| body).collect();
        (!m.trace.iter().any(|t| bad.contains(&t.node))).then_some(m.trace)
    }
}

/// Reads one file of the grammar.
struct Reader<'a> {
    text: &'a str,
    at: usize,
    grammar: &'a mut Grammar,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn skip(&mut self) {
        loop {
            let rest = self.rest();
            let blank = rest.len() - rest.trim_start().len();
            self.at += blank;
            if !self.rest().starts_with("//") {
                return;
            }
            self.at += self.rest().find('\n').unwrap_or(self.rest().len());
        }
    }

    fn take(&mut self, sign: &str) -> bool {
        self.skip();
        let found = self.rest().starts_with(sign);
        if found {
            self.at += sign.len();
        }
        found
    }

    fn want(&mut self, sign: &str) {
        assert!(self.take(sign), "`{sign}` is missing before: {}", self.rest().lines().next().unwrap_or(""));
    }

    fn name(&mut self) -> Option<String> {
        self.skip();
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let len = self.rest().find(|c| !is_part(c)).unwrap_or(self.rest().len());
        let name = self.rest().get(..len).filter(|n| !n.is_empty()).map(String::from)?;
        self.at += len;
        Some(name)
    }

    fn rules(&mut self, file: &str) {
        while let Some(name) = self.name() {
            self.want("=");
            self.skip();
            let sign = self.rest().chars().next().filter(|c| "_@$!".contains(*c));
            self.at += usize::from(sign.is_some());
            self.want("{");
            let body = self.choice();
            self.want("}");
            let white = name == "WHITESPACE";
            let spacing = match sign {
                Some('@' | '$') => Spacing::Atomic,
                Some('!') => Spacing::Skipped,
                _ if white => Spacing::Atomic,
                _ => Spacing::AsCaller,
            };
            let atomic = spacing == Spacing::Atomic;
            self.grammar.files.insert(name.clone(), file.into());
            self.grammar.rules.insert(name, Rule { body, spacing, atomic });
        }
    }

    fn add(&mut self, node: Node) -> NodeId {
        self.grammar.nodes.push(node);
        self.grammar.nodes.len() - 1
    }

    fn choice(&mut self) -> NodeId {
        let mut all = vec![self.sequence()];
        while self.take("|") {
            all.push(self.sequence());
        }
        if all.len() == 1 { all[0] } else { self.add(Node::Choice(all)) }
    }

    fn sequence(&mut self) -> NodeId {
        let mut all = vec![self.term()];
        while self.take("~") {
            all.push(self.term());
        }
        if all.len() == 1 { all[0] } else { self.add(Node::Sequence(all)) }
    }

    fn term(&mut self) -> NodeId {
        if self.take("&") {
            let of = self.term();
            return self.add(Node::Ahead(of));
        }
        if self.take("!") {
            let of = self.term();
            return self.add(Node::NotAhead(of));
        }
        let mut node = self.atom();
        loop {
            node = if self.rest().starts_with('?') {
                self.add(Node::Optional(node))
            } else if self.rest().starts_with('*') {
                self.add(Node::Repeat(node, 0))
            } else if self.rest().starts_with('+') {
                self.add(Node::Repeat(node, 1))
            } else {
                return node;
            };
            self.at += 1;
        }
    }

    fn atom(&mut self) -> NodeId {
        if self.take("(") {
            let node = self.choice();
            self.want(")");
            return node;
        }
        self.skip();
        if self.rest().starts_with('"') {
            let text = self.quoted('"');
            return self.add(Node::Text(text));
        }
        if self.rest().starts_with('\'') {
            let from = self.quoted('\'').chars().next().expect("a character");
            self.want("..");
            self.skip();
            let to = self.quoted('\'').chars().next().expect("a character");
            return self.add(Node::Range(from, to));
        }
        let name = self.name().expect("a name in the grammar");
        self.add(Node::Call(name))
    }

    fn quoted(&mut self, quote: char) -> String {
        let mut out = String::new();
        let mut all = self.text[self.at + 1..].char_indices();
        while let Some((i, c)) = all.next() {
            if c == quote {
                self.at += i + 2;
                return out;
            }
            if c != '\\' {
                out.push(c);
                continue;
            }
            match all.next().map(|(_, c)| c) {
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                Some('r') => out.push('\r'),
                Some('u') => {
                    let code: String =
                        all.by_ref().map(|(_, c)| c).skip(1).take_while(|c| *c != '}').collect();
                    out.extend(u32::from_str_radix(&code, 16).ok().and_then(char::from_u32));
                }
                other => out.extend(other),
            }
        }
        panic!("a text of the grammar does not end");
    }
}

/// Matches one text. Positions are in bytes.
struct Matcher<'a> {
    grammar: &'a Grammar,
    text: &'a str,
    trace: Vec<Matched>,
}

impl Matcher<'_> {
    fn call(&mut self, name: &str, at: usize, atomic: bool) -> Option<usize> {
        let rest = &self.text[at..];
        let one =
            |fits: fn(char) -> bool| rest.chars().next().filter(|c| fits(*c)).map(|c| at + c.len_utf8());
        match name {
            "SOI" => return (at == 0).then_some(at),
            "EOI" => return rest.is_empty().then_some(at),
            "ANY" => return one(|_| true),
            "ASCII_DIGIT" => return one(|c| c.is_ascii_digit()),
            "ASCII_ALPHA_LOWER" => return one(|c| c.is_ascii_lowercase()),
            "ASCII_ALPHA_UPPER" => return one(|c| c.is_ascii_uppercase()),
            "ASCII_ALPHANUMERIC" => return one(|c| c.is_ascii_alphanumeric()),
            _ => {}
        }
        let g = self.grammar;
        let rule = g.rules.get(name).unwrap_or_else(|| panic!("the grammar has no rule `{name}`"));
        let atomic = match rule.spacing {
            Spacing::AsCaller => atomic,
            Spacing::Atomic => true,
            Spacing::Skipped => false,
        };
        self.node(rule.body, at, atomic, rule.atomic)
    }

    /// `own` says whether the rule itself skips nothing between its parts.
    fn node(&mut self, id: NodeId, at: usize, atomic: bool, own: bool) -> Option<usize> {
        let before = self.trace.len();
        let end = self.matched(id, at, atomic, own);
        match end {
            Some(end) => self.trace.push(Matched { node: id, start: at, end, round: false }),
            None => self.trace.truncate(before),
        }
        end
    }

    fn matched(&mut self, id: NodeId, at: usize, atomic: bool, own: bool) -> Option<usize> {
        let g = self.grammar;
        match &g.nodes[id] {
            Node::Text(t) => self.text[at..].starts_with(t.as_str()).then_some(at + t.len()),
            Node::Range(a, b) => {
                let c = self.text[at..].chars().next().filter(|c| a <= c && c <= b)?;
                Some(at + c.len_utf8())
            }
            Node::Call(name) => self.call(name, at, atomic),
            Node::Sequence(all) => {
                let mut at = at;
                for (i, n) in all.iter().enumerate() {
                    if i > 0 {
                        at = self.white(at, atomic || own);
                    }
                    at = self.node(*n, at, atomic, own)?;
                }
                Some(at)
            }
            Node::Choice(all) => all.iter().find_map(|n| self.node(*n, at, atomic, own)),
            Node::Optional(n) => Some(self.node(*n, at, atomic, own).unwrap_or(at)),
            Node::Repeat(n, least) => {
                let (mut at, mut rounds) = (at, 0);
                loop {
                    let from = if rounds > 0 { self.white(at, atomic || own) } else { at };
                    let Some(end) = self.node(*n, from, atomic, own) else { break };
                    self.trace.push(Matched { node: id, start: from, end, round: true });
                    (at, rounds) = (end, rounds + 1);
                }
                (rounds >= *least).then_some(at)
            }
            Node::Ahead(n) => {
                let before = self.trace.len();
                let found = self.node(*n, at, atomic, own).is_some();
                self.trace.truncate(before);
                found.then_some(at)
            }
            Node::NotAhead(n) => {
                let before = self.trace.len();
                let found = self.node(*n, at, atomic, own).is_some();
                self.trace.truncate(before);
                (!found).then_some(at)
            }
        }
    }

    fn white(&mut self, at: usize, none: bool) -> usize {
        let mut at = at;
        if !none {
            let before = self.trace.len();
            while let Some(end) = self.call("WHITESPACE", at, true) {
                at = end;
            }
            self.trace.truncate(before);
        }
        at
    }
}
