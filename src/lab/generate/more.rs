//! Constructs that are drawn apart, with chance of their own, when the rest of a program is made: what is added here changes nothing else in the program of a seed.
use super::Feature;
use super::draw::Draw;
use super::exprs::{Can, Cx};
use super::tree::{Node, Part, Sort, Ty};
use super::world::{Of, Seen, Shape, World, Zone};

/// A declaration of this text; its holes are filled with the nodes.
pub fn item(pattern: &str, kids: Vec<Node>) -> Node {
    Node::new(Sort::Item, pattern, kids)
}

/// A statement, likewise.
pub fn stmt(pattern: &str, kids: Vec<Node>) -> Node {
    Node::new(Sort::Stmt, pattern, kids)
}

/// Whether everybody sees the zone and nothing lies face down in it.
pub fn is_open(z: &Zone) -> bool {
    !z.dark && z.seen == Seen::All
}

impl World {
    /// Makes a map so large that sets of its spaces take two words, and so many counters that sets of them take two or five, in a few programs.
    pub fn enlarge(&mut self, apart: &mut Draw) {
        if apart.chance(2) && self.map.is_some_and(|m| matches!(m.0, Shape::Squares | Shape::Hexes)) {
            self.map = self.map.map(|m| (m.0, 9, 8));
        }
        self.counters = match apart.below(100) {
            0 | 1 => Some(70),
            2 => Some(300),
            _ => None,
        };
    }

    /// What is added, drawn from a stream of its own. `root` is the program so far, `actions` its menus, `main` first, and its actions.
    pub fn additions(&mut self, apart: Draw, root: &mut [Node], actions: &mut [Node]) -> Vec<Node> {
        let outer = std::mem::replace(&mut self.draw, apart);
        let mut out = Vec::new();
        for _ in 0..self.draw.below(4) {
            self.rule_added(&mut out);
        }
        if self.draw.chance(25) {
            self.moves(&mut out);
        }
        if self.draw.chance(12) && self.has(Feature::MustLeave) {
            self.must_leave_behind_rules(&mut out);
        }
        self.declare_seldom(root, actions, &mut out);
        self.declare_once_wrong(root, &mut out);
        if self.draw.chance(6) {
            let words = ["lose me", "tie", "win me"];
            let word = self.draw.one(&words).unwrap_or("tie");
            let guard = Cx { me: true, folds: 1, ..Cx::default() };
            let c = self.expr(&Ty::Bool, &guard, 1);
            let when = self.draw.one(&["no action", "no action and %", "%"]).unwrap_or("no action");
            let kids = if when.contains('%') { vec![c] } else { Vec::new() };
            let end = item(&format!("{word} when {when} \"at an end\""), kids);
            if let Some(Part::Row(_, _, entries)) = actions.first_mut().and_then(|menu| menu.parts.get_mut(1))
            {
                entries.push(end);
            }
        }
        // Drawn last, so that the rest of the program is as without.
        if self.draw.chance(8) && self.kinds.iter().any(|k| k.name == "Man") {
            self.chosen_twice(&mut out);
        }
        self.draw = outer;
        out
    }

    /// A rule, and an action that does it.
    fn rule_added(&mut self, out: &mut Vec<Node>) {
        let cx = Cx { me: true, folds: 1, can: Can::Main, sees: true, ..Cx::default() };
        let mut body = Vec::new();
        for _ in 0..=self.draw.below(3) {
            let seldom = self.draw.chance(50);
            body.extend(if seldom { self.statement_seldom(&cx) } else { self.statement_added(&cx) });
        }
        if body.is_empty() {
            return;
        }
        let (rule, action) = (self.name("r"), self.name("a"));
        out.push(item(&format!("rule {rule}() %"), vec![Node::block(body)]));
        if self.draw.chance(25) && self.has(Feature::Around) {
            let cx = Cx { can: Can::Nothing, sees: false, ..cx };
            let (c, body) = (self.expr(&Ty::Bool, &cx, 1), self.stmts(&cx, 0, 2));
            let once = self.draw.one(&["", " once per turn", " once per round"]).unwrap_or("");
            let word = self.draw.one(&["before", "after", "instead of"]).unwrap_or("after");
            let by = if self.draw.chance(30) { " by ann" } else { "" };
            let may = if self.draw.chance(60) { " may \"Really now?\"" } else { "" };
            let text = format!("{word} {rule}(){by}{once} when %{may} %");
            out.push(item(&text, vec![c, Node::block(body)]));
        }
        if self.draw.chance(30) && self.has(Feature::Around) {
            self.carried(&rule, out);
        }
        let n = self.name("n");
        let param = self.draw.one(&["", "%: 1..my.coins", "%: 2..(my.coins + 1)"]).unwrap_or("");
        let param = param.replace('%', &n);
        let (head, call) = (format!("action {action}({param}) in main"), format!("{rule}()"));
        out.push(Node::new(Sort::Item, &format!("{head} %"), vec![Node::block(vec![stmt(&call, vec![])])]));
    }

    fn statement_added(&mut self, cx: &Cx) -> Option<Node> {
        match self.draw.between(1, 6) {
            1 => {
                let body = self.stmts(cx, 0, 2);
                let how = self.draw.one(&["in turn", "in any order", "of reversed(players) in turn"]);
                Some(stmt(&format!("everyone {} %", how.unwrap_or("in turn")), vec![Node::block(body)]))
            }
            2 if self.has(Feature::Layers) => self.layer_added(cx),
            3 => {
                let (a, z) = self.zone_path(cx, &is_open)?;
                let (b, _) = self.zone_path(cx, &|o| o.kind == z.kind && is_open(o))?;
                let (from, _) = self.zone_path(cx, &|o| o.kind == z.kind && is_open(o))?;
                let c = self.expr(&Ty::Bool, cx, 1);
                Some(stmt(&format!("move first of {from} to (if % then {a} else {b})"), vec![c]))
            }
            4 if self.map.is_some() => {
                let from = if self.draw.chance(50) {
                    let (over, c) = (self.set(&Ty::Space, cx, 1), self.space_filter(cx, 1));
                    Node::expr(Ty::Space.set(), "(% where %)", vec![over, c])
                } else {
                    self.space(cx, 1)
                };
                let (one, other) = (self.expr(&Ty::Way, cx, 0), self.expr(&Ty::Way, cx, 0));
                let first = if self.draw.chance(40) {
                    Node::expr(
                        Ty::Way,
                        "(direction(%, %) default east)",
                        vec![self.space(cx, 0), self.space(cx, 0)],
                    )
                } else {
                    one
                };
                let count = Node::expr(Ty::Int, "count(neighbours(%, [%, %]))", vec![from, first, other]);
                Some(stmt("say \"beside {%}\"", vec![count]))
            }
            5 => {
                let base = if self.map.is_some() && self.draw.chance(60) { Ty::Space } else { Ty::Player };
                let zones = self.zones_of(&base);
                let z = self.draw.one(&zones).filter(|z| !z.slot && is_open(z))?;
                let op = self.draw.one(&["<", "<=", ">", ">=", "==", "!="]).unwrap_or("<");
                let n = self.draw.between(0, 2);
                let (kind, name) = (if base == Ty::Space { "Cell" } else { "players" }, z.name);
                let inner = match self.draw.below(3) {
                    0 => {
                        let filter = self.face_filter(z.kind);
                        format!("count(it.{name} where {filter})")
                    }
                    _ => format!("count(it.{name})"),
                };
                Some(stmt(&format!("say \"so many {{count({kind} where {inner} {op} {n})}}\""), vec![]))
            }
            _ => self.drain(cx),
        }
    }

    /// `repeat until` that ends.
    fn drain(&mut self, cx: &Cx) -> Option<Node> {
        let (p, name, n) = (self.player(cx, 1), self.name("p"), self.draw.between(0, 2));
        let drained = format!("repeat until {name}.coins <= {n} {{ {name}.coins -= 1 }}");
        Some(stmt(&format!("for {name} in [%] {{ {drained} }}"), vec![p]))
    }

    /// Moves that are taken back, and what is attached for a time.
    fn layer_added(&mut self, cx: &Cx) -> Option<Node> {
        let until = self.draw.one(&["end of turn", "end of round", "end of next round", "end of game"])?;
        let mut body = Vec::new();
        if let Some((to, z)) = self.zone_path(cx, &is_open)
            && let Some((from, _)) = self.zone_path(cx, &|o| o.kind == z.kind && is_open(o))
        {
            body.push(stmt(&format!("move first of {from} to {to}"), vec![]));
        }
        let rules: Vec<_> = self.rules.iter().filter(|r| r.params.is_empty()).cloned().collect();
        if let Some(r) = self.draw.one(&rules).filter(|_| self.draw.chance(70)) {
            let word = self.draw.one(&["before", "after", "forbid"]).unwrap_or("after");
            let c = self.expr(&Ty::Bool, &Cx { can: Can::Nothing, sees: false, ..cx.clone() }, 1);
            body.push(if word == "forbid" {
                stmt(&format!("forbid {}() when % else \"not while this holds\"", r.name), vec![c])
            } else {
                let inner = self.stmts(cx, 0, 2);
                stmt(&format!("{word} {}() when % %", r.name), vec![c, Node::block(inner)])
            });
        }
        Some(stmt(&format!("until {until} %"), vec![Node::block(body)]))
    }

    /// Pieces that move from space to space: a value gives the spaces to which each leads.
    fn moves(&mut self, out: &mut Vec<Node>) {
        let Some(man) = self.kinds.iter().position(|k| k.name == "Man").filter(|_| self.map.is_some()) else {
            return;
        };
        let near = self.name("v");
        let (m, c) = (self.name("t"), self.name("c"));
        let squares = self.map.is_some_and(|m| matches!(m.0, Shape::Squares | Shape::Diagonal));
        let ways = self.ways().first().copied().unwrap_or("east");
        let mut rows = vec![
            "neighbours(c)".to_string(),
            "reachable(from: c, steps: 2)".into(),
            format!("ray(c, {ways})"),
        ];
        if squares {
            rows.push("leaps(c, 1, 2)".into());
        }
        let row = self.draw.one(&rows).unwrap_or_default();
        out.push(item(&format!("value {near}(c: Cell): set of Cell = {row}"), vec![]));
        let cx = Cx { me: true, alone: true, folds: 1, looped: true, ..Cx::default() }.with(&c, Ty::Space);
        let of = if self.draw.chance(60) { " of me" } else { "" };
        let own: Vec<String> = self
            .attrs_of(&Ty::Thing(man))
            .iter()
            .filter(|a| a.ty == Ty::Bool)
            .map(|a| format!(" and {}", a.name))
            .collect();
        let own = self.draw.one(&own).filter(|_| self.draw.chance(40)).unwrap_or_default();
        let mut body = Vec::new();
        if self.draw.chance(60) {
            body.push(item(&format!("needs {c}.on is none"), vec![]));
        }
        let lit: Vec<String> = self
            .attrs
            .iter()
            .filter(|a| a.of == Of::Space && a.ty == Ty::Bool)
            .map(|a| a.name.to_string())
            .collect();
        if let Some(a) = self.draw.one(&lit).filter(|_| self.draw.chance(50)) {
            body.push(item(&format!("needs {m}.at is some and {m}.at.{a}"), vec![]));
        }
        if self.draw.chance(40) {
            let set = self.spaces_set(&Cx::default(), 0);
            body.push(item(&format!("needs {c} in %"), vec![set]));
        }
        let sets: Vec<String> = (self.values.iter())
            .filter(|v| v.ty == Ty::Space.set() && v.params.is_empty())
            .map(|v| v.name.clone())
            .collect();
        for _ in 0..self.draw.below(3) {
            if let Some(v) = self.draw.one(&sets) {
                let of = self.draw.one(&[format!("{m}.at"), c.clone()]).unwrap_or_default();
                body.push(item(&format!("needs {m}.at is some and {of} in {v}"), vec![]));
            }
        }
        if self.draw.chance(50) {
            let e = self.expr(&Ty::Bool, &cx, 2);
            body.push(item("needs %", vec![e]));
        }
        body.push(stmt(&format!("if {c}.on is none {{ move {m} to {c}.on }}"), vec![]));
        let head = format!(
            "action {}({m}: Man{of} where it.at is some{own}, {c}: one of {near}({m}.at)) in main %",
            self.name("a")
        );
        out.push(item(&head, vec![Node::block(body)]));
    }
}
