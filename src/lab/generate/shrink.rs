//! Shrinks a failing program: leaves out declarations and statements, and replaces expressions by their parts and by constants, as long as it
//! still fails in the same way.
use super::tree::{Node, NodeSort, Part, Program, Ty};

/// Where a node stands: the number of the part, and in a row the number in the row.
type Path = Vec<(usize, usize)>;

/// The smallest program that was found for which `fails` still says yes; at most so many are tried.
pub fn shrink_program(program: &Program, tries: usize, fails: &mut dyn FnMut(&Program) -> bool) -> Program {
    let mut s = Shrink { best: program.clone(), left: tries, fails };
    loop {
        let before = s.best.root.count_nodes();
        s.cut_rows();
        s.replace_parts();
        s.lower_numbers();
        if s.left == 0 || s.best.root.count_nodes() >= before {
            return s.best;
        }
    }
}

struct Shrink<'a> {
    best: Program,
    left: usize,
    fails: &'a mut dyn FnMut(&Program) -> bool,
}

impl Shrink<'_> {
    /// Keeps the changed program if it fails, too.
    fn try_it(&mut self, root: Node) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        let tried = Program { root, constants: self.best.constants.clone() };
        let fails = (self.fails)(&tried);
        if fails {
            self.best = tried;
        }
        fails
    }

    /// Leaves out runs of what stands in rows: halves first, single ones last; from the end, since what stands later needs what stands before.
    fn cut_rows(&mut self) {
        let mut paths = Vec::new();
        list_rows(&self.best.root, &mut Vec::new(), &mut paths);
        for (path, part) in paths {
            let Some((n, least)) = row_at(&self.best.root, &path, part).map(|(n, least)| (n.len(), least))
            else {
                continue;
            };
            let mut run = (n - least.min(n)).max(1);
            while run > 0 {
                let mut end = row_at(&self.best.root, &path, part).map_or(0, |(n, _)| n.len());
                while end > 0 && self.left > 0 {
                    let from = end.saturating_sub(run);
                    let mut root = self.best.root.clone();
                    if let Some((nodes, least)) = row_at_mut(&mut root, &path, part)
                        && end <= nodes.len()
                        && nodes.len() - (end - from) >= least
                        && nodes[from..end]
                            .iter()
                            .all(|n| matches!(n.sort, NodeSort::Item | NodeSort::Stmt | NodeSort::Expr(_)))
                    {
                        nodes.drain(from..end);
                        self.try_it(root);
                    }
                    end = from;
                }
                run /= 2;
            }
        }
    }

    /// Replaces expressions by constants and by parts of their type, statements by those inside; the largest first.
    fn replace_parts(&mut self) {
        let mut paths = Vec::new();
        list_nodes(&self.best.root, &mut Vec::new(), &mut paths);
        for path in paths {
            while self.replace_at(&path) {}
        }
    }

    fn replace_at(&mut self, path: &Path) -> bool {
        let Some(node) = node_at(&self.best.root, path) else { return false };
        let mut found: Vec<Node> = Vec::new();
        match &node.sort {
            NodeSort::Expr(ty) => {
                let constant = |(t, text): &(Ty, String)| {
                    (t == ty && node.count_nodes() + node.to_text().len() > 1 + text.len())
                        .then(|| Node::expr(ty.clone(), text, Vec::new()))
                };
                found.extend(self.best.constants.iter().filter_map(constant));
                visit_inner_nodes(node, &mut |n| {
                    if n.sort == node.sort {
                        found.push(n.clone());
                    }
                });
            }
            NodeSort::Stmt => visit_inner_nodes(node, &mut |n| {
                if n.sort == NodeSort::Stmt {
                    found.push(n.clone());
                }
            }),
            _ => return false,
        }
        // A part that is no smaller would be replaced for ever.
        let size = node.to_text().len();
        found.retain(|n| n.to_text().len() < size);
        found.sort_by_key(Node::count_nodes);
        for n in found {
            let mut root = self.best.root.clone();
            if let Some(slot) = node_at_mut(&mut root, path) {
                *slot = n;
                if self.try_it(root) {
                    return true;
                }
            }
        }
        false
    }

    /// Lowers numbers to their least, or by one.
    fn lower_numbers(&mut self) {
        let mut paths = Vec::new();
        list_nodes(&self.best.root, &mut Vec::new(), &mut paths);
        for path in paths {
            let Some(parts) = node_at(&self.best.root, &path).map(|n| n.parts.len()) else { continue };
            for i in 0..parts {
                for straight in [true, false] {
                    let mut root = self.best.root.clone();
                    if let Some(Part::Number(n, least)) =
                        node_at_mut(&mut root, &path).and_then(|n| n.parts.get_mut(i))
                        && *n > *least
                    {
                        *n = if straight { *least } else { *n - 1 };
                        self.try_it(root);
                    }
                }
            }
        }
    }
}

/// Calls `f` with each node inside.
fn visit_inner_nodes<'a>(node: &'a Node, f: &mut dyn FnMut(&'a Node)) {
    for part in &node.parts {
        let kids = match part {
            Part::Node(n) => std::slice::from_ref(n),
            Part::Row(_, _, nodes) => nodes,
            _ => &[],
        };
        for n in kids {
            f(n);
            visit_inner_nodes(n, f);
        }
    }
}

fn list_nodes(node: &Node, here: &mut Path, out: &mut Vec<Path>) {
    out.push(here.clone());
    for (i, part) in node.parts.iter().enumerate() {
        let kids = match part {
            Part::Node(n) => std::slice::from_ref(n),
            Part::Row(_, _, nodes) => nodes,
            _ => &[],
        };
        for (j, n) in kids.iter().enumerate() {
            here.push((i, j));
            list_nodes(n, here, out);
            here.pop();
        }
    }
}

fn list_rows(node: &Node, here: &mut Path, out: &mut Vec<(Path, usize)>) {
    let mut paths = Vec::new();
    list_nodes(node, here, &mut paths);
    for path in paths {
        let parts = node_at(node, &path).map_or(&[][..], |n| &n.parts);
        for (i, part) in parts.iter().enumerate() {
            if matches!(part, Part::Row(..)) {
                out.push((path.clone(), i));
            }
        }
    }
}

fn node_at<'a>(node: &'a Node, path: &[(usize, usize)]) -> Option<&'a Node> {
    let Some(((i, j), rest)) = path.split_first() else { return Some(node) };
    match node.parts.get(*i)? {
        Part::Node(n) => node_at(n, rest),
        Part::Row(_, _, nodes) => node_at(nodes.get(*j)?, rest),
        _ => None,
    }
}

fn node_at_mut<'a>(node: &'a mut Node, path: &[(usize, usize)]) -> Option<&'a mut Node> {
    let Some(((i, j), rest)) = path.split_first() else { return Some(node) };
    match node.parts.get_mut(*i)? {
        Part::Node(n) => node_at_mut(n, rest),
        Part::Row(_, _, nodes) => node_at_mut(nodes.get_mut(*j)?, rest),
        _ => None,
    }
}

fn row_at<'a>(root: &'a Node, path: &[(usize, usize)], part: usize) -> Option<(&'a [Node], usize)> {
    match node_at(root, path)?.parts.get(part)? {
        Part::Row(_, least, nodes) => Some((nodes, *least)),
        _ => None,
    }
}

fn row_at_mut<'a>(
    root: &'a mut Node,
    path: &[(usize, usize)],
    part: usize,
) -> Option<(&'a mut Vec<Node>, usize)> {
    match node_at_mut(root, path)?.parts.get_mut(part)? {
        Part::Row(_, least, nodes) => Some((nodes, *least)),
        _ => None,
    }
}
