//! The tree of a generated program: texts and, between them, parts that have a type or may be left out. Printing joins them, shrinking cuts them.

/// What an expression gives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ty {
    /// A number.
    Int,
    /// Yes or no.
    Bool,
    /// A player.
    Player,
    /// A space of the map.
    Space,
    /// A direction.
    Way,
    /// A word of the enum of that number.
    Word(usize),
    /// A component of the kind of that number.
    Thing(usize),
    /// Something of it, or none.
    Maybe(Box<Ty>),
    /// A set of it.
    Set(Box<Ty>),
    /// A list of it: its order counts.
    List(Box<Ty>),
}

impl Ty {
    /// It, or none.
    pub fn maybe(self) -> Ty {
        Ty::Maybe(Box::new(self))
    }

    /// A set of it.
    pub fn set(self) -> Ty {
        Ty::Set(Box::new(self))
    }

    /// A list of it.
    pub fn list(self) -> Ty {
        Ty::List(Box::new(self))
    }
}

/// What may be done to a node when a program is made smaller.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NodeSort {
    /// An expression: replaced by a part of the same type, or by a constant.
    Expr(Ty),
    /// A declaration, guard or the like: left out.
    Item,
    /// A statement: left out, or replaced by the statements inside it.
    Stmt,
    /// Stays as it is.
    Fixed,
}

/// A part of a node.
#[derive(Clone, Debug)]
pub enum Part {
    /// Stands as it is.
    Text(String),
    /// A part of its own.
    Node(Node),
    /// Several, with a text between them; at least so many stay.
    Row(&'static str, usize, Vec<Node>),
    /// A number that may become smaller, down to the second.
    Number(u32, u32),
}

/// A piece of a program.
#[derive(Clone, Debug)]
pub struct Node {
    /// What may be done to it.
    pub sort: NodeSort,
    /// What it is made of.
    pub parts: Vec<Part>,
}

impl Node {
    /// A node from a pattern: each `%` is the next child.
    pub fn new(sort: NodeSort, pattern: &str, kids: Vec<Node>) -> Node {
        let mut parts = Vec::new();
        let mut kids = kids.into_iter();
        for (i, text) in pattern.split('%').enumerate() {
            if i > 0 {
                parts.extend(kids.next().map(Part::Node));
            }
            if !text.is_empty() {
                parts.push(Part::Text(text.to_string()));
            }
        }
        debug_assert!(kids.next().is_none(), "a child too many: {pattern}");
        Node { sort, parts }
    }

    /// An expression from a pattern.
    pub fn expr(ty: Ty, pattern: &str, kids: Vec<Node>) -> Node {
        Node::new(NodeSort::Expr(ty), pattern, kids)
    }

    /// A node that holds several, one a line.
    pub fn rows(sort: NodeSort, before: &str, nodes: Vec<Node>, after: &str) -> Node {
        Node {
            sort,
            parts: vec![
                Part::Text(before.to_string()),
                Part::Row("\n", 0, nodes),
                Part::Text(after.to_string()),
            ],
        }
    }

    /// The statements of a block, in braces.
    pub fn block(stmts: Vec<Node>) -> Node {
        let row = Part::Row("; ", 0, stmts);
        Node { sort: NodeSort::Fixed, parts: vec![Part::Text("{ ".into()), row, Part::Text(" }".into())] }
    }

    /// Adds its text.
    pub fn print_to(&self, out: &mut String) {
        for part in &self.parts {
            match part {
                Part::Text(t) => out.push_str(t),
                Part::Node(n) => n.print_to(out),
                Part::Row(between, _, nodes) => {
                    for (i, n) in nodes.iter().enumerate() {
                        if i > 0 {
                            out.push_str(between);
                        }
                        n.print_to(out);
                    }
                }
                Part::Number(n, _) => out.push_str(&n.to_string()),
            }
        }
    }

    /// Its text.
    pub fn to_text(&self) -> String {
        let mut out = String::new();
        self.print_to(&mut out);
        out
    }

    /// How many nodes there are in it, itself among them.
    pub fn count_nodes(&self) -> usize {
        let of = |p: &Part| match p {
            Part::Node(n) => n.count_nodes(),
            Part::Row(_, _, nodes) => nodes.iter().map(Node::count_nodes).sum(),
            Part::Text(_) => 0,
            Part::Number(n, _) => *n as usize,
        };
        1 + self.parts.iter().map(of).sum::<usize>()
    }
}

/// A whole program.
#[derive(Clone, Debug)]
pub struct Program {
    /// All of it.
    pub root: Node,
    /// A plain expression of each type that has one.
    pub constants: Vec<(Ty, String)>,
}

impl Program {
    /// As rules are written.
    pub fn to_text(&self) -> String {
        let mut out = self.root.to_text();
        out.push('\n');
        out
    }
}
