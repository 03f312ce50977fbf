//! The lossless tree: every byte of a text is in exactly one token, and nodes are ranges of tokens.
//!
//! An editor asks it what stands at a place and where exactly, so that it can change one sign of a drawn map and nothing else.
use super::build::{P, is_layout, trimmed_end};
use super::grammar::Rule;
use super::lex::lex;
pub use super::lex::{Token, TokenKind};

/// The number of a node in its tree; the file itself is 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub u32);

macro_rules! node_kinds {
    ($($kind:ident $text:literal = $($rule:ident)|+),* $(,)?) => {
        /// What a node is.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum NodeKind {
            /// The whole file.
            File,
            /// What could not be read.
            Bad,
            $(#[doc = $text] $kind,)*
        }

        /// The node that a rule of the grammar makes; none for rungs and words.
        fn node_kind(rule: Rule) -> Option<NodeKind> {
            Some(match rule {
                $($(Rule::$rule)|+ => NodeKind::$kind,)*
                Rule::bad_item | Rule::bad_part | Rule::bad_row | Rule::bad_stmt | Rule::bad_hole => NodeKind::Bad,
                _ => return None,
            })
        }
    };
}

node_kinds! {
    Doc "`##` lines." = doc,
    Game "`game`" = game,
    Header "A line of the game's header." = header,
    Option "`option`" = option,
    SetOption "The value of an option." = set_option,
    Next "The next scenario." = legacy_next,
    Variant "`variant`" = variant,
    Mod "`mod`" = mods,
    ModLine "What a mod says of other mods." = mod_line,
    Part "`part`" = part,
    Scenario "`scenario`" = scenario,
    Items "Declarations in braces." = items,
    Legacy "`legacy`" = legacy,
    Invariant "`invariant`" = invariant,
    Numbered "`numbered`" = numbered,
    NotPlayed "`not played`" = not_played,
    Ending "`win`, `lose`, `tie` or `ends` with its condition." = ending | ending_of,
    Change "`change`" = change,
    Remove "`remove`" = remove,
    Test "`test`" = test,
    Enum "`enum`" = enum_d,
    Component "`card`, `token`, `piece`, `die`" = component,
    Player "`player`" = player_d | player_m,
    Table "`table`" = table_d,
    Map "`map`" = map_d | map_drawn,
    Picture "A drawn map." = picture,
    Space "`space`" = space_d,
    Patch "`patch`" = patch_d,
    Body "The body of a kind, a member, a map, a menu or a look." = kind_body | member_body | menu_body | lines | look_body | ways,
    Entry "An entry of a body." = kind_part | member_part | menu_part,
    Attribute "An attribute." = attr,
    Zone "A zone or slot." = zone,
    Member "A member." = member,
    Set "The value of an attribute." = set,
    Fill "What fills a slot." = fill_value | fill_rule,
    Has "State of its own." = has,
    Faces "The faces of a die." = faces,
    List "`list`" = list_d,
    Legend "`legend`" = legend,
    Row "A row of a table, a legend, a graph's ways, an enum, a score, a look." = list_row | legend_row | way_row | enum_row | enum_row_cells | score_line | look_row | look_group,
    Column "A cell of a table." = column,
    Mark "A mark." = mark,
    Look "`look`" = look,
    Params "Parameters in brackets." = params | names,
    Param "A parameter." = param,
    Type "A type." = r#type,
    Value "`value`" = value,
    Heuristic "`heuristic`" = heuristic,
    Hook "`hook`" = hook,
    Rule "`rule`" = rule_d,
    Phase "`phase`" = phase,
    Setup "`setup`" = setup,
    Round "`round`" = round,
    Score "`score` or `ranking`" = score | ranking,
    Action "`action`" = action,
    Menu "`menu`" = menu,
    Attachment "An attachment." = attach,
    Head "What an attachment is attached to." = head,
    Limit "A limit of an attachment." = limit,
    Block "Statements in braces." = block,
    Statement "A statement." = stmt,
    Needs "`needs`" = needs,
    Text "A text in quotes." = text,
    Hole "A hole in a text." = hole,
    Where "`S where P`" = expr,
    Or "`or`" = or_e,
    And "`and`" = and_e,
    Not "`not`" = not_e,
    Compare "A comparison." = cmp,
    Range "A range." = rng,
    Sum "`+`, `-`" = add,
    Product "`*`, `/`, `mod`" = mul,
    Negative "`-` before one thing." = neg,
    Default "`default`" = dflt,
    Step "`step`" = steps,
    Amount "`2 coins`" = amount,
    Chain "A name with calls, indices and dots." = post,
    Arguments "Arguments in brackets." = args,
    Index "An index." = index,
    Fold "`x in S: e`" = fold,
    Bracketed "An expression in brackets." = paren,
    Elements "A set or list." = set_e,
    IfExpr "`if … then … else …`" = if_e,
    Case "`case`" = case_e,
    Branch "A branch of a case." = branch,
    Choose "`choose`" = choose,
    FirstOf "`first of`, `last of`" = first_of,
    The "`the K`" = the_one,
    KindOf "`K of p`" = kind_of,
    OnMap "`row(n) of Board`" = on_map,
    Can "`can …`" = can_do,
}

/// Rungs of the expression ladder: nodes only if they hold more than one thing.
fn is_rung(kind: NodeKind) -> bool {
    matches!(
        kind,
        NodeKind::Where
            | NodeKind::Or
            | NodeKind::And
            | NodeKind::Not
            | NodeKind::Compare
            | NodeKind::Range
            | NodeKind::Sum
            | NodeKind::Product
            | NodeKind::Negative
            | NodeKind::Default
            | NodeKind::Step
            | NodeKind::Chain
    )
}

/// One node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Node {
    kind: NodeKind,
    /// First token.
    first: u32,
    /// One past the last token.
    last: u32,
    parent: u32,
    /// One past the last node inside it: nodes stand in the order of the text, outer before inner.
    until: u32,
}

/// The tree of one text. It does not hold the text itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tree {
    tokens: Vec<Token>,
    nodes: Vec<Node>,
}

/// What a node holds directly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Child {
    /// A node.
    Node(NodeId),
    /// A token, by its number.
    Token(usize),
}

impl Tree {
    /// All tokens in order; their ranges cover the text without a gap.
    pub fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    /// The whole file.
    pub fn root(&self) -> NodeId {
        NodeId(0)
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: the file itself is a node.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    fn node(&self, id: NodeId) -> Node {
        let file = Node { kind: NodeKind::File, first: 0, last: 0, parent: 0, until: 0 };
        self.nodes.get(id.0 as usize).copied().unwrap_or(file)
    }

    /// What a node is.
    pub fn kind(&self, id: NodeId) -> NodeKind {
        self.node(id).kind
    }

    /// The node around a node; none around the file.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        (id.0 != 0).then(|| NodeId(self.node(id).parent))
    }

    /// The tokens of a node, with those of the nodes inside it.
    pub fn tokens_of(&self, id: NodeId) -> &[Token] {
        let node = self.node(id);
        self.tokens.get(node.first as usize..node.last as usize).unwrap_or_default()
    }

    /// The bytes that a node covers.
    pub fn range(&self, id: NodeId) -> std::ops::Range<usize> {
        let tokens = self.tokens_of(id);
        match (tokens.first(), tokens.last()) {
            (Some(a), Some(b)) => a.start as usize..b.end as usize,
            _ => 0..0,
        }
    }

    /// All nodes, in order of the text, outer before inner.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// What a node holds, in order: nodes, and the tokens that are in none of these.
    pub fn children(&self, id: NodeId) -> Vec<Child> {
        let node = self.node(id);
        let mut all = Vec::new();
        let mut token = node.first;
        let mut next = id.0 + 1;
        while next < node.until {
            let inner = self.node(NodeId(next));
            all.extend((token..inner.first).map(|t| Child::Token(t as usize)));
            all.push(Child::Node(NodeId(next)));
            token = inner.last.max(token);
            next = inner.until.max(next + 1);
        }
        all.extend((token..node.last).map(|t| Child::Token(t as usize)));
        all
    }

    /// The token that holds the byte at `offset`.
    pub fn token_at(&self, offset: usize) -> Option<usize> {
        let n = self.tokens.partition_point(|t| t.end as usize <= offset);
        self.tokens.get(n).filter(|t| t.start as usize <= offset).map(|_| n)
    }

    /// The innermost node that holds the byte at `offset`.
    pub fn node_at(&self, offset: usize) -> NodeId {
        let Some(token) = self.token_at(offset) else { return self.root() };
        let token = token as u32;
        let mut at = self.root();
        loop {
            let node = self.node(at);
            let mut next = at.0 + 1;
            let mut inner = None;
            while next < node.until {
                let child = self.node(NodeId(next));
                if child.first <= token && token < child.last {
                    inner = Some(NodeId(next));
                    break;
                }
                if child.first > token {
                    break;
                }
                next = child.until.max(next + 1);
            }
            match inner {
                Some(id) => at = id,
                None => return at,
            }
        }
    }

    /// The text again, byte for byte, out of the text it was made from.
    pub fn write(&self, text: &str) -> String {
        self.tokens.iter().map(|t| text.get(t.start as usize..t.end as usize).unwrap_or("")).collect()
    }

    /// The signs of a drawn map, row by row from the top, as token numbers: labels are left out, empty lines at either end are no rows.
    pub fn picture_cells(&self, picture: NodeId) -> Vec<Vec<usize>> {
        let node = self.node(picture);
        let mut rows: Vec<Vec<usize>> = vec![Vec::new()];
        for n in node.first as usize..node.last as usize {
            let Some(token) = self.tokens.get(n) else { continue };
            match (token.kind, rows.last_mut()) {
                (TokenKind::CellNewline, _) => rows.push(Vec::new()),
                (TokenKind::Cell, Some(row)) => row.push(n),
                (TokenKind::CellBar, Some(row)) => row.clear(),
                _ => {}
            }
        }
        let first = rows.iter().position(|r| !r.is_empty()).unwrap_or(rows.len());
        let last = rows.iter().rposition(|r| !r.is_empty()).map_or(first, |n| n + 1);
        rows.drain(..first);
        rows.truncate(last - first);
        rows
    }
}

/// Makes a tree: tokens first, then the nodes of one chunk after the other.
pub(super) struct TreeBuilder {
    tokens: Vec<Token>,
    nodes: Vec<Node>,
}

impl TreeBuilder {
    pub(super) fn new(text: &str) -> Self {
        let tokens = lex(text);
        let last = tokens.len() as u32;
        TreeBuilder {
            tokens,
            nodes: vec![Node { kind: NodeKind::File, first: 0, last, parent: 0, until: 1 }],
        }
    }

    /// Adds what a chunk was matched as; it lies from `base` to `end` in the text.
    pub(super) fn add_chunk(&mut self, pair: P<'_>, base: usize, end: usize) {
        for kid in pair.into_inner() {
            self.add_pair(kid, 0, base, end);
        }
    }

    fn token_index(&self, offset: usize) -> u32 {
        self.tokens.partition_point(|t| (t.start as usize) < offset) as u32
    }

    fn add_pair(&mut self, pair: P<'_>, parent: u32, base: usize, end: usize) {
        let rule = pair.as_rule();
        if is_layout(rule) {
            return;
        }
        let start = base + pair.as_span().start();
        match rule {
            Rule::minus => self.mark_token(start, TokenKind::Prefix),
            Rule::plus | Rule::times | Rule::compare | Rule::change_by | Rule::eq | Rule::bar => {
                self.mark_token(start, TokenKind::Operator);
                return;
            }
            _ => {}
        }
        let kind = node_kind(rule).filter(|k| !is_rung(*k) || pair.clone().into_inner().nth(1).is_some());
        let Some(kind) = kind else {
            for kid in pair.into_inner() {
                self.add_pair(kid, parent, base, end);
            }
            return;
        };
        let first = self.token_index(start.min(end));
        let last = self.token_index((base + trimmed_end(&pair)).min(end));
        let id = self.nodes.len() as u32;
        self.nodes.push(Node { kind, first, last: last.max(first), parent, until: id + 1 });
        for kid in pair.into_inner() {
            self.add_pair(kid, id, base, end);
        }
        let until = self.nodes.len() as u32;
        if let Some(node) = self.nodes.get_mut(id as usize) {
            node.until = until;
        }
    }

    /// What a token turned out to be.
    fn mark_token(&mut self, start: usize, kind: TokenKind) {
        let n = self.token_index(start) as usize;
        if let Some(token) = self.tokens.get_mut(n)
            && token.start as usize == start
        {
            token.kind = kind;
        }
    }

    pub(super) fn finish_tree(mut self, text: &str) -> Tree {
        let until = self.nodes.len() as u32;
        if let Some(file) = self.nodes.first_mut() {
            file.until = until;
        }
        debug_assert_eq!(self.tokens.iter().map(|t| (t.end - t.start) as usize).sum::<usize>(), text.len());
        Tree { tokens: self.tokens, nodes: self.nodes }
    }
}
