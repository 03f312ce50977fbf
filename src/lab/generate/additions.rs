//! Generates constructs with a random stream of their own and adds them to a program. So a new construct does not change the rest of the program of a seed.
use super::Feature;
use super::draw::Draw;
use super::exprs::{Can, Scope};
use super::tree::{Node, NodeSort, Part, Ty};
use super::world::{Generator, Holder, LEDGE, MapShape, SeenBy, Zone};

/// A declaration of this text; its holes are filled with the nodes.
pub fn make_item(pattern: &str, kids: Vec<Node>) -> Node {
    Node::new(NodeSort::Item, pattern, kids)
}

/// A statement, likewise.
pub fn make_stmt(pattern: &str, kids: Vec<Node>) -> Node {
    Node::new(NodeSort::Stmt, pattern, kids)
}

/// Whether everybody sees the zone, nothing lies face down in it, and it does not matter how what comes there lay before.
pub fn is_open(z: &Zone) -> bool {
    !z.dark && z.seen == SeenBy::All && z.name != LEDGE
}

impl Generator {
    /// Makes a map so large that sets of its spaces take two words, and so many counters that sets of them take two or five, in a few programs.
    pub fn enlarge_world(&mut self, apart: &mut Draw) {
        if apart.draw_percent(2)
            && self.map.is_some_and(|m| matches!(m.0, MapShape::Squares | MapShape::Hexes))
        {
            self.map = self.map.map(|m| (m.0, 9, 8));
        }
        self.counters = match apart.draw_below(100) {
            0 | 1 => Some(70),
            2 => Some(300),
            _ => None,
        };
    }

    /// What is added, drawn from a stream of its own. `root` is the program so far, `actions` its menus, `main` first, and its actions.
    pub fn make_additions(&mut self, apart: Draw, root: &mut [Node], actions: &mut [Node]) -> Vec<Node> {
        let outer = std::mem::replace(&mut self.draw, apart);
        let mut out = Vec::new();
        for _ in 0..self.draw.draw_below(4) {
            self.add_rule(&mut out);
        }
        if self.draw.draw_percent(25) {
            self.declare_moves(&mut out);
        }
        if self.draw.draw_percent(12) && self.has_feature(Feature::MustLeave) {
            self.declare_must_leave_behind_rules(&mut out);
        }
        self.declare_seldom(root, actions, &mut out);
        self.declare_once_wrong(root, &mut out);
        if self.draw.draw_percent(6) {
            let words = ["lose me", "tie", "win me", "ends"];
            let word = self.draw.draw_one(&words).unwrap_or("tie");
            let guard = Scope { me: true, folds: 1, ..Scope::default() };
            let c = self.make_expr(&Ty::Bool, &guard, 1);
            let when = self.draw.draw_one(&["no action", "no action and %", "%"]).unwrap_or("no action");
            let kids = if when.contains('%') { vec![c] } else { Vec::new() };
            let end = make_item(&format!("{word} when {when} \"at an end\""), kids);
            if let Some(Part::Row(_, _, entries)) = actions.first_mut().and_then(|menu| menu.parts.get_mut(1))
            {
                entries.push(end);
            }
        }
        // Drawn last, so that the rest of the program is as without.
        if self.draw.draw_percent(8) && self.kinds.iter().any(|k| k.name == "Man") {
            self.declare_chosen_twice(&mut out);
        }
        self.declare_things(root, actions, &mut out);
        if self.draw.draw_percent(8) {
            self.declare_narrowing(&mut out);
        }
        // Words about maps name no map, so there is one map only.
        if self.map.is_none() && self.draw.draw_percent(60) {
            self.declare_patches(&mut out);
        }
        if self.draw.draw_percent(20) {
            self.declare_legacy(root, &mut out);
        }
        if self.draw.draw_percent(12) {
            self.declare_forms(&mut out);
        }
        self.draw = outer;
        out
    }

    /// What the end of the game hands on: options of each sort, and scenarios. The game, a scenario and the variant say it.
    fn declare_legacy(&mut self, root: &[Node], out: &mut Vec<Node>) {
        let word = self.draw.draw_below(self.enums.len());
        let (of, first) = self
            .enums
            .get(word)
            .map_or(("", ""), |(name, words)| (*name, words.first().copied().unwrap_or("")));
        let mut options = vec![
            ("lucky", Ty::Bool, "option lucky \"Lucky\": bool = no".into()),
            ("mood", Ty::Word(word), format!("option mood \"Mood\": {of} = {first}")),
            ("lead", Ty::Player.maybe(), "option lead \"Lead\": player? = none".into()),
            ("purse", Ty::Int, "option purse \"Purse\": -20..60 = 3".into()),
        ];
        // An option names no space of a map whose size or picture a set-up says.
        let is_sized = out.iter().any(|n| n.to_text().starts_with("option "));
        let is_drawn =
            root.iter().any(|n| n.to_text().starts_with("map Board") && n.to_text().contains("\"\"\""));
        if self.map.is_some() && !is_sized && !is_drawn {
            options.push(("camp", Ty::Space.maybe(), "option camp \"Camp\": Cell? = none".into()));
        }
        out.extend(options.iter().map(|(_, _, text)| make_item(text, vec![])));
        let mut options: Vec<(&str, Ty)> = options.into_iter().map(|(name, ty, _)| (name, ty)).collect();
        options.push(("size", Ty::Int));
        let own = self.make_legacy(&options);
        let far = self.make_legacy(&options);
        out.push(own);
        out.push(make_item("scenario near \"Near\" for Made { }", vec![]));
        out.push(Node::rows(NodeSort::Item, "scenario far \"Far\" for Made {\n", vec![far], "\n}"));
        if self.draw.draw_percent(60) {
            let rich = self.make_legacy(&options);
            self.variant.iter_mut().for_each(|v| v.push(rich.clone()));
        }
    }

    fn make_legacy(&mut self, options: &[(&str, Ty)]) -> Node {
        let cx = Scope { folds: 1, ..Scope::default() };
        let mut rows = Vec::new();
        for (name, ty) in options {
            if self.draw.draw_percent(60) {
                let e = self.make_expr(ty, &cx, 2);
                let bounded = *ty != Ty::Int || self.draw.draw_percent(50);
                let row = match (ty, bounded) {
                    (Ty::Int, true) => format!("{name} = min([4, max([1, %])])"),
                    // Sometimes a value that the option cannot have.
                    (Ty::Int, false) => format!("{name} = if {name} > 1 then % else 3"),
                    _ => format!("{name} = %"),
                };
                rows.push(make_item(&row, vec![e]));
            }
        }
        for _ in 0..self.draw.draw_below(4) {
            let to = self.draw.draw_one(&["near", "far", "far", "none"]).unwrap_or("none");
            let when = [" when won", " when lost", " when tied", " when %", " when %", " when %", ""];
            let when = self.draw.draw_one(&when).unwrap_or("");
            let kids = if when.contains('%') { vec![self.make_expr(&Ty::Bool, &cx, 1)] } else { Vec::new() };
            rows.push(make_item(&format!("next {to}{when}"), kids));
        }
        Node::rows(NodeSort::Item, "legacy {\n", rows, "\n}")
    }

    /// A later guard and a later parameter that rely on what a value tests.
    fn declare_narrowing(&mut self, out: &mut Vec<Node>) {
        let (value, set, friends) = (self.make_name("known"), self.make_name("known"), self.make_name("a"));
        let mate = self.make_name("mate");
        let (first, second) = (self.make_name("a"), self.make_name("a"));
        let c = self.make_expr(&Ty::Bool, &Scope { folds: 1, ..Scope::default() }, 1);
        let n = self.draw.draw_between(0, 4);
        out.push(make_item(&format!("player {{ {mate}: player? }}"), vec![]));
        out.push(make_item(
            &format!("value {value}(p: player): bool = p.{mate} is some and (p.coins > {n} or %)"),
            vec![c],
        ));
        let all =
            format!("value {set}(): set of player = players where {value}(it) and it.{mate}.coins > {n}");
        out.push(make_item(&all, vec![]));
        out.push(make_item(&format!("action {friends}(p: player) in main {{ my.{mate} = p }}"), vec![]));
        let chain = format!("q: player where it.coins >= p.{mate}.coins");
        let first =
            format!("action {first}(p: player where {value}(it), {chain}) in main {{ q.coins += 0 }}");
        out.push(make_item(&first, vec![]));
        let second = format!(
            "action {second}(p: one of {set}()) in main {{ needs p.{mate}.coins > 0; p.{mate} = none }}"
        );
        out.push(make_item(&second, vec![]));
    }

    /// A rule, and an action that does it.
    fn add_rule(&mut self, out: &mut Vec<Node>) {
        let cx = Scope { me: true, folds: 1, can: Can::Main, sees: true, ..Scope::default() };
        let mut body = Vec::new();
        for _ in 0..=self.draw.draw_below(3) {
            let seldom = self.draw.draw_percent(50);
            body.extend(if seldom {
                self.make_seldom_statement(&cx)
            } else {
                self.make_added_statement(&cx)
            });
        }
        if body.is_empty() {
            return;
        }
        let (rule, action) = (self.make_name("r"), self.make_name("a"));
        out.push(make_item(&format!("rule {rule}() %"), vec![Node::block(body)]));
        if self.draw.draw_percent(25) && self.has_feature(Feature::Around) {
            let cx = Scope { can: Can::Nothing, sees: false, ..cx };
            let (c, body) = (self.make_expr(&Ty::Bool, &cx, 1), self.make_stmts(&cx, 0, 2));
            let once = self.draw.draw_one(&["", " once per turn", " once per round"]).unwrap_or("");
            let word = self.draw.draw_one(&["before", "after", "instead of"]).unwrap_or("after");
            let by = if self.draw.draw_percent(30) { " by ann" } else { "" };
            let may = if self.draw.draw_percent(60) { " may \"Really now?\"" } else { "" };
            let text = format!("{word} {rule}(){by}{once} when %{may} %");
            out.push(make_item(&text, vec![c, Node::block(body)]));
        }
        if self.draw.draw_percent(30) && self.has_feature(Feature::Around) {
            self.declare_carried(&rule, out);
        }
        let n = self.make_name("n");
        let param = self.draw.draw_one(&["", "%: 1..my.coins", "%: 2..(my.coins + 1)"]).unwrap_or("");
        let param = param.replace('%', &n);
        let (head, call) = (format!("action {action}({param}) in main"), format!("{rule}()"));
        out.push(Node::new(
            NodeSort::Item,
            &format!("{head} %"),
            vec![Node::block(vec![make_stmt(&call, vec![])])],
        ));
    }

    fn make_added_statement(&mut self, cx: &Scope) -> Option<Node> {
        match self.draw.draw_between(0, 6) {
            0 if cx.me => {
                let mut ways = Vec::new();
                for _ in 0..3 {
                    let mut body = self.make_head_steps(cx);
                    body.extend(self.make_stmts(cx, 0, 2));
                    ways.push(Node::block(body));
                }
                Some(make_stmt("either % or \"Rest\" % or \"Go on\" %", ways))
            }
            1 => {
                let body = self.make_stmts(cx, 0, 2);
                let how = self.draw.draw_one(&[
                    "in turn",
                    "in any order",
                    "of reversed(players) in turn",
                    "one by one",
                ]);
                Some(make_stmt(&format!("everyone {} %", how.unwrap_or("in turn")), vec![Node::block(body)]))
            }
            2 if self.has_feature(Feature::Layers) => self.make_added_layer(cx),
            3 => {
                let (a, z) = self.pick_zone_path(cx, &is_open)?;
                let (b, _) = self.pick_zone_path(cx, &|o| o.kind == z.kind && is_open(o))?;
                let (from, _) = self.pick_zone_path(cx, &|o| o.kind == z.kind && is_open(o))?;
                let c = self.make_expr(&Ty::Bool, cx, 1);
                Some(make_stmt(&format!("move first of {from} to (if % then {a} else {b})"), vec![c]))
            }
            4 if self.has_directions() => {
                let from = if self.draw.draw_percent(50) {
                    let (over, c) = (self.make_set(&Ty::Space, cx, 1), self.make_space_filter(cx, 1));
                    Node::expr(Ty::Space.set(), "(% where %)", vec![over, c])
                } else {
                    self.make_space(cx, 1)
                };
                let (one, other) = (self.make_expr(&Ty::Way, cx, 0), self.make_expr(&Ty::Way, cx, 0));
                let first = if self.draw.draw_percent(40) {
                    Node::expr(
                        Ty::Way,
                        "(direction(%, %) default east)",
                        vec![self.make_space(cx, 0), self.make_space(cx, 0)],
                    )
                } else {
                    one
                };
                let count = Node::expr(Ty::Int, "count(neighbours(%, [%, %]))", vec![from, first, other]);
                Some(make_stmt("say \"beside {%}\"", vec![count]))
            }
            5 => {
                let base =
                    if self.map.is_some() && self.draw.draw_percent(60) { Ty::Space } else { Ty::Player };
                let zones = self.zones_of(&base);
                let z = self.draw.draw_one(&zones).filter(|z| !z.slot && is_open(z))?;
                let op = self.draw.draw_one(&["<", "<=", ">", ">=", "==", "!="]).unwrap_or("<");
                let n = self.draw.draw_between(0, 2);
                let (kind, name) = (if base == Ty::Space { "Cell" } else { "players" }, z.name);
                let inner = match self.draw.draw_below(3) {
                    0 => {
                        let filter = self.make_face_filter(z.kind);
                        format!("count(it.{name} where {filter})")
                    }
                    _ => format!("count(it.{name})"),
                };
                Some(make_stmt(&format!("say \"so many {{count({kind} where {inner} {op} {n})}}\""), vec![]))
            }
            _ => self.make_repeat(cx),
        }
    }

    /// `repeat until` that ends.
    fn make_repeat(&mut self, cx: &Scope) -> Option<Node> {
        let (p, name, n) = (self.make_player(cx, 1), self.make_name("p"), self.draw.draw_between(0, 2));
        let drained = format!("repeat until {name}.coins <= {n} {{ {name}.coins -= 1 }}");
        Some(make_stmt(&format!("for {name} in [%] {{ {drained} }}"), vec![p]))
    }

    /// Moves that are taken back, and what is attached for a time.
    fn make_added_layer(&mut self, cx: &Scope) -> Option<Node> {
        let until =
            self.draw.draw_one(&["end of turn", "end of round", "end of next round", "end of game"])?;
        let mut body = Vec::new();
        if let Some((to, z)) = self.pick_zone_path(cx, &is_open)
            && let Some((from, _)) = self.pick_zone_path(cx, &|o| o.kind == z.kind && is_open(o))
        {
            body.push(make_stmt(&format!("move first of {from} to {to}"), vec![]));
        }
        let rules: Vec<_> = self.rules.iter().filter(|r| r.params.is_empty()).cloned().collect();
        if let Some(r) = self.draw.draw_one(&rules).filter(|_| self.draw.draw_percent(70)) {
            let word = self.draw.draw_one(&["before", "after", "forbid"]).unwrap_or("after");
            let c = self.make_expr(&Ty::Bool, &Scope { can: Can::Nothing, sees: false, ..cx.clone() }, 1);
            body.push(if word == "forbid" {
                make_stmt(&format!("forbid {}() when % else \"not while this holds\"", r.name), vec![c])
            } else {
                let inner = self.make_stmts(cx, 0, 2);
                make_stmt(&format!("{word} {}() when % %", r.name), vec![c, Node::block(inner)])
            });
        }
        Some(make_stmt(&format!("until {until} %"), vec![Node::block(body)]))
    }

    /// Pieces that move from space to space: a value gives the spaces to which each leads.
    fn declare_moves(&mut self, out: &mut Vec<Node>) {
        let Some(man) = self.kinds.iter().position(|k| k.name == "Man").filter(|_| self.map.is_some()) else {
            return;
        };
        let near = self.make_name("v");
        let (m, c) = (self.make_name("t"), self.make_name("c"));
        let squares = self.map.is_some_and(|m| matches!(m.0, MapShape::Squares | MapShape::Diagonal));
        let ways = self.directions().first().copied().unwrap_or("east");
        let mut rows = vec!["neighbours(c)".to_string(), "reachable(from: c, steps: 2)".into()];
        if self.has_directions() {
            rows.push(format!("ray(c, {ways})"));
        }
        if squares {
            rows.push("leaps(c, 1, 2)".into());
        }
        let row = self.draw.draw_one(&rows).unwrap_or_default();
        out.push(make_item(&format!("value {near}(c: Cell): set of Cell = {row}"), vec![]));
        let cx = Scope { me: true, alone: true, folds: 1, looped: true, ..Scope::default() }
            .with_name(&c, Ty::Space);
        let of = if self.draw.draw_percent(60) { " of me" } else { "" };
        let own: Vec<String> = self
            .attrs_of(&Ty::Thing(man))
            .iter()
            .filter(|a| a.ty == Ty::Bool)
            .map(|a| format!(" and {}", a.name))
            .collect();
        let own = self.draw.draw_one(&own).filter(|_| self.draw.draw_percent(40)).unwrap_or_default();
        let mut body = Vec::new();
        if self.draw.draw_percent(60) {
            body.push(make_item(&format!("needs {c}.on is none"), vec![]));
        }
        let lit: Vec<String> = self
            .attrs
            .iter()
            .filter(|a| a.of == Holder::Space && a.ty == Ty::Bool)
            .map(|a| a.name.to_string())
            .collect();
        if let Some(a) = self.draw.draw_one(&lit).filter(|_| self.draw.draw_percent(50)) {
            body.push(make_item(&format!("needs {m}.at is some and {m}.at.{a}"), vec![]));
        }
        if self.draw.draw_percent(40) {
            let set = self.make_space_set(&Scope::default(), 0);
            body.push(make_item(&format!("needs {c} in %"), vec![set]));
        }
        let sets: Vec<String> = (self.values.iter())
            .filter(|v| v.ty == Ty::Space.set() && v.params.is_empty())
            .map(|v| v.name.clone())
            .collect();
        for _ in 0..self.draw.draw_below(3) {
            if let Some(v) = self.draw.draw_one(&sets) {
                let of = self.draw.draw_one(&[format!("{m}.at"), c.clone()]).unwrap_or_default();
                body.push(make_item(&format!("needs {m}.at is some and {of} in {v}"), vec![]));
            }
        }
        if self.draw.draw_percent(50) {
            let e = self.make_expr(&Ty::Bool, &cx, 2);
            body.push(make_item("needs %", vec![e]));
        }
        body.push(make_stmt(&format!("if {c}.on is none {{ move {m} to {c}.on }}"), vec![]));
        let head = format!(
            "action {}({m}: Man{of} where it.at is some{own}, {c}: one of {near}({m}.at)) in main %",
            self.make_name("a")
        );
        out.push(make_item(&head, vec![Node::block(body)]));
    }
}
