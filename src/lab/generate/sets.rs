//! Random sets, lists and filters, and the sources of folds.
use super::Feature;
use super::exprs::{Scope, make_leaf};
use super::tree::{Node, NodeSort, Part, Ty};
use super::world::{Generator, Holder, MapShape, SeenBy, Zone};

impl Generator {
    /// Zones with things of a kind in them, as they can be spoken of here.
    pub(super) fn zones_with_things(&self, k: usize, cx: &Scope) -> impl Iterator<Item = String> {
        let mut out = Vec::new();
        for z in self.zones.iter().filter(|z| self.is_a(z.kind, k) && !z.slot && !z.dark) {
            let open = z.seen == SeenBy::All;
            match z.of {
                Holder::Table if open => out.push(z.name.to_string()),
                Holder::Player => {
                    if cx.me && (open || cx.alone && z.seen == SeenBy::Owner) {
                        out.push(format!("my.{}", z.name));
                    }
                    if open {
                        out.extend(
                            self.list_paths(cx, &Ty::Player)
                                .iter()
                                .filter(|p| *p != "me")
                                .map(|p| format!("{p}.{}", z.name)),
                        );
                        out.extend(self.players.first().map(|p| format!("{p}.{}", z.name)));
                    }
                }
                Holder::Space if open => {
                    out.extend(self.list_paths(cx, &Ty::Space).iter().map(|c| format!("{c}.{}", z.name)));
                    out.extend(self.space_names().first().map(|c| format!("{c}.{}", z.name)));
                }
                _ => {}
            }
        }
        out.into_iter()
    }

    /// A list: what has an order.
    pub fn make_list(&mut self, of: &Ty, cx: &Scope, deep: usize) -> Node {
        let ty = of.clone().list();
        let d = deep.saturating_sub(1);
        let ordered = self.has_feature(Feature::ListOrder);
        let named = self.list_paths(cx, &ty);
        if let Some(name) = self.draw.draw_one(&named).filter(|_| self.draw.draw_percent(50)) {
            return make_leaf(&ty, name);
        }
        if deep > 0 && ordered && self.draw.draw_percent(20) {
            let l = self.make_list(of, cx, d);
            let n = self.draw.draw_between(1, 3);
            return match self.draw.draw_below(3) {
                0 => Node::expr(ty, "reversed(%)", vec![l]),
                1 => Node::expr(ty, &format!("(first {n} of %)"), vec![l]),
                _ => Node::expr(ty, &format!("(last {n} of %)"), vec![l]),
            };
        }
        match of {
            Ty::Player if !ordered => make_leaf(&ty, "players"),
            Ty::Player => match self.draw.draw_below(3) {
                0 => {
                    let (s, p) = (self.make_set(of, cx, d.min(1)), self.make_player(cx, d.min(1)));
                    Node::expr(ty, "clockwise(%, from: %)", vec![s, p])
                }
                1 => {
                    let (a, b) = (self.make_player(cx, d.min(1)), self.make_player(cx, d.min(1)));
                    Node::expr(ty, "[%, %]", vec![a, b])
                }
                _ => make_leaf(&ty, "players"),
            },
            Ty::Space => match self.draw.draw_below(3) {
                0 if ordered => {
                    let (a, b, c) = (
                        self.make_space(cx, d.min(1)),
                        self.make_space(cx, d.min(1)),
                        self.make_space(cx, 0),
                    );
                    Node::expr(ty, "[%, %, %]", vec![a, b, c])
                }
                _ if !self.has_directions() => {
                    let (a, b) = (self.make_space(cx, 0), self.make_space(cx, 0));
                    Node::expr(ty, "[%, %]", vec![a, b])
                }
                1 if cx.folds > 0 => {
                    let (c, way) = (self.make_space(cx, d.min(1)), self.make_expr(&Ty::Way, cx, 0));
                    let through = self.make_space_filter(cx, d);
                    Node::expr(ty, "ray(%, %, through: %)", vec![c, way, through])
                }
                _ => {
                    let (c, way) = (self.make_space(cx, d.min(1)), self.make_expr(&Ty::Way, cx, 0));
                    Node::expr(ty, "ray(%, %)", vec![c, way])
                }
            },
            Ty::Thing(k) => {
                let zones: Vec<String> = self.zones_with_things(*k, cx).collect();
                match self.draw.draw_one(&zones) {
                    Some(z) => make_leaf(&ty, z),
                    None => {
                        let kind = self.kinds.get(*k).map_or("Card", |k| k.name);
                        make_leaf(&ty, kind)
                    }
                }
            }
            Ty::Word(_) | Ty::Way => self.make_set(of, cx, d),
            _ => {
                let (a, b) = (self.draw.draw_between(1, 4), self.draw.draw_between(2, 6));
                make_leaf(&ty, format!("({a}..{b})"))
            }
        }
    }

    /// A list of something.
    pub(super) fn make_any_list(&mut self, cx: &Scope, d: usize) -> (Node, Ty) {
        let elem = self.pick_element_type(cx, false);
        (self.make_list(&elem, cx, d), elem)
    }

    /// What sets here can hold.
    fn pick_element_type(&mut self, cx: &Scope, numbers: bool) -> Ty {
        let mut tys = vec![Ty::Player, Ty::Player];
        if self.map.is_some() {
            tys.extend([Ty::Space, Ty::Space, Ty::Space]);
        }
        for k in 0..self.kinds.len() {
            if self.can_make(&Ty::Thing(k).set(), cx) && self.zones_with_things(k, cx).next().is_some() {
                tys.push(Ty::Thing(k));
            }
        }
        if numbers {
            tys.push(Ty::Int);
            tys.push(Ty::Word(self.draw.draw_below(self.enums.len())));
        }
        self.draw.draw_one(&tys).unwrap_or(Ty::Player)
    }

    pub(super) fn make_any_set(&mut self, cx: &Scope, d: usize) -> (Node, Ty) {
        let elem = self.pick_element_type(cx, true);
        (self.make_set(&elem, cx, d), elem)
    }

    /// What a fold goes over: a set, the name of its things and their type.
    pub fn make_fold_source(&mut self, cx: &Scope, d: usize) -> (Node, String, Ty) {
        let (set, elem) = self.make_any_set(cx, d.min(2));
        let start = match &elem {
            Ty::Player => "p",
            Ty::Space => "c",
            Ty::Int => "n",
            Ty::Word(_) => "w",
            _ => "t",
        };
        let name = self.make_name(start);
        (set, name, elem)
    }

    /// Inside a fold.
    pub(super) fn scope_of_fold(&self, cx: &Scope, name: &str, elem: &Ty) -> Scope {
        let mut out = cx.with_name(name, elem.clone());
        out.looped = true;
        out.folds = out.folds.saturating_sub(1);
        out
    }

    /// A filter of spaces, with `it`.
    pub fn make_space_filter(&mut self, cx: &Scope, d: usize) -> Node {
        let it = cx.with_candidate(&Ty::Space);
        self.make_truth(&it, d.min(2))
    }

    /// A filter of components by their faces, kinds and what is printed on them.
    pub fn make_face_filter(&mut self, k: usize) -> String {
        let mut leaves: Vec<String> = self.members_of(k).into_iter().map(String::from).collect();
        let subs = (0..self.kinds.len()).filter(|s| *s != k && self.is_a(*s, k));
        leaves.extend(subs.filter_map(|s| self.kinds.get(s)).map(|k| k.name.to_string()));
        for a in self.attrs_of(&Ty::Thing(k)) {
            match a.ty {
                Ty::Int => leaves.push(format!("{} < {}", a.name, self.draw.draw_between(1, 4))),
                Ty::Bool => leaves.push(a.name.to_string()),
                _ => {}
            }
        }
        if self.kinds.get(k).is_some_and(|k| k.name == "Card") {
            leaves.push(format!("numbered({})", self.draw.draw_between(1, 3)));
        }
        let (a, b) = (
            self.draw.draw_one(&leaves).unwrap_or_default(),
            self.draw.draw_one(&leaves).unwrap_or_default(),
        );
        match self.draw.draw_below(4) {
            0 => format!("{a} or {b}"),
            1 => format!("{a} and not {b}"),
            2 => format!("not {a}"),
            _ => a,
        }
    }

    /// A set.
    pub fn make_set(&mut self, of: &Ty, cx: &Scope, deep: usize) -> Node {
        let ty = of.clone().set();
        let d = deep.saturating_sub(1);
        let deeper = deep > 0 && !matches!(of, Ty::Int | Ty::Word(_) | Ty::Way);
        let mut named = self.list_paths(cx, &ty);
        named.extend(self.list_paths(cx, &of.clone().list()));
        if let Some(name) = self.draw.draw_one(&named).filter(|_| self.draw.draw_percent(35)) {
            return make_leaf(&ty, name);
        }
        if let Ty::Thing(k) = of
            && deep > 0
            && self.draw.draw_percent(20)
            && !self.kinds.get(*k).is_some_and(|k| k.die)
        {
            let s = self.make_set(of, cx, d);
            let filter = self.make_face_filter(*k);
            return Node::expr(ty, &format!("(% where {filter})"), vec![s]);
        }
        if deeper
            && self.draw.draw_percent(10)
            && let Some(e) = self.make_gathered(of, cx, d)
        {
            return e;
        }
        if deeper && cx.folds > 0 && self.draw.draw_percent(30) {
            let s = self.make_set(of, cx, d);
            let it = cx.with_candidate(of);
            let p = self.make_truth(&it, d);
            return Node::expr(ty, "(% where %)", vec![s, p]);
        }
        if deeper && self.draw.draw_percent(20) {
            let (a, b) = (self.make_set(of, cx, d), self.make_set(of, cx, d));
            let op = self.draw.draw_one(&["+", "-"]).unwrap_or("+");
            return Node::expr(ty, &format!("(% {op} %)"), vec![a, b]);
        }
        if deeper && cx.folds > 0 && self.draw.draw_percent(20) {
            let (over, name, elem) = self.make_fold_source(cx, d);
            let inner = self.scope_of_fold(cx, &name, &elem);
            if self.draw.draw_percent(35) && !matches!(of, Ty::Thing(_)) {
                let x = self.make_expr(of, &inner, d);
                return Node::expr(ty, &format!("collect({name} in %: %)"), vec![over, x]);
            }
            if self.draw.draw_percent(40) {
                let s = self.make_set(of, &inner, d);
                return Node::expr(ty, &format!("union({name} in %: %)"), vec![over, s]);
            }
            if elem == *of {
                let n = self.make_expr(&Ty::Int, &inner, d);
                let word = self.draw.draw_one(&["most", "least"]).unwrap_or("most");
                return Node::expr(ty, &format!("{word}({name} in %: %)"), vec![over, n]);
            }
        }
        if deeper && self.draw.draw_percent(15) {
            let l = self.make_list(of, cx, d);
            return Node::expr(ty, "%", vec![l]);
        }
        match of {
            Ty::Player => match self.draw.draw_below(4) {
                0 if cx.me => make_leaf(&ty, "others"),
                1 => {
                    let p = self.make_player(cx, 0);
                    Node::expr(ty, "[%]", vec![p])
                }
                2 if deep > 0 => {
                    let p = self.make_player(cx, d);
                    Node::expr(ty, "neighbours(%)", vec![p])
                }
                _ => make_leaf(&ty, "players"),
            },
            Ty::Space => self.make_space_set(cx, deep),
            Ty::Thing(k) => {
                let zones: Vec<String> = self.zones_with_things(*k, cx).collect();
                let kind = self.kinds.get(*k).cloned();
                match self.draw.draw_one(&zones) {
                    Some(z) if self.is_hidden(*k) || self.draw.draw_percent(60) => make_leaf(&ty, z),
                    _ if kind.as_ref().is_some_and(|k| k.sets) && self.draw.draw_percent(50) => {
                        let p = self.make_player(cx, 0);
                        Node::expr(ty, &format!("({} of %)", kind.map_or("Man", |k| k.name)), vec![p])
                    }
                    _ => make_leaf(&ty, kind.map_or("Card", |k| k.name)),
                }
            }
            Ty::Word(e) => {
                let (name, words) = self.enums.get(*e).cloned().unwrap_or(("Hue", vec!["red"]));
                if self.draw.draw_percent(50) {
                    return make_leaf(&ty, name);
                }
                let (a, b) = (self.draw.draw_one(&words).unwrap_or("red"), self.make_expr(of, cx, 0));
                Node::expr(ty, &format!("[{a}, %]"), vec![b])
            }
            Ty::Way => {
                let ways = self.directions();
                let (a, b) =
                    (self.draw.draw_one(ways).unwrap_or("east"), self.draw.draw_one(ways).unwrap_or("west"));
                make_leaf(&ty, format!("[{a}, {b}]"))
            }
            _ => {
                let (a, b) = (self.draw.draw_between(0, 3), self.draw.draw_between(2, 6));
                if self.draw.draw_percent(50) {
                    make_leaf(&ty, format!("({a}..{b})"))
                } else {
                    make_leaf(&ty, format!("[{a}, {b}]"))
                }
            }
        }
    }

    /// What all of a set have.
    fn make_gathered(&mut self, of: &Ty, cx: &Scope, d: usize) -> Option<Node> {
        let mut all: Vec<(Ty, &str)> = Vec::new();
        for base in [Ty::Player, Ty::Space] {
            if self.can_make(&base, cx) {
                all.extend(
                    self.attrs_of(&base).iter().filter(|a| a.ty == *of).map(|a| (base.clone(), a.name)),
                );
                let open = |z: &&Zone| z.seen == SeenBy::All && !z.dark && *of == Ty::Thing(z.kind);
                all.extend(self.zones_of(&base).iter().filter(open).map(|z| (base.clone(), z.name)));
            }
        }
        let (base, name) = self.draw.draw_one(&all)?;
        let s = self.make_set(&base, cx, d);
        Some(Node::expr(of.clone().set(), &format!("(%).{name}"), vec![s]))
    }

    pub fn make_space_set(&mut self, cx: &Scope, deep: usize) -> Node {
        let ty = Ty::Space.set();
        let d = deep.saturating_sub(1);
        if deep == 0 {
            return if self.draw.draw_percent(60) {
                make_leaf(&ty, "Cell")
            } else {
                let c = self.make_space(cx, 0);
                Node::expr(ty, "neighbours(%)", vec![c])
            };
        }
        let grid = self.map.is_some_and(|m| m.0 != MapShape::Line);
        let squares = self.map.is_some_and(|m| matches!(m.0, MapShape::Squares | MapShape::Diagonal));
        let sort = match self.draw.draw_below(15) {
            4..=8 | 10 | 13 if !self.has_directions() => 0,
            sort => sort,
        };
        match sort {
            12 if squares => {
                let s = self.draw.draw_one(&["slant", "straight", "[north, east]"]).unwrap_or("slant");
                let c = self.make_space(cx, d);
                Node::expr(ty, &format!("neighbours(%, {s})"), vec![c])
            }
            13 if cx.folds > 0 && self.has_directions() => {
                let name = self.make_name("r");
                let (c, p, q) =
                    (self.make_space(cx, d), self.make_space_filter(cx, d), self.make_space_filter(cx, d));
                Node::expr(ty, &format!("union({name} in rays(%): run({name}, %, until: %))"), vec![c, p, q])
            }
            14 if grid && cx.folds > 0 && self.has_feature(Feature::UnionOfLines) => {
                let (name, x) = (self.make_name("l"), self.make_name("c"));
                let mut inner = cx.with_name(&x, Ty::Space);
                // There `it` is the line.
                inner.locals.retain(|(text, _)| text != "it" && !text.starts_with("it."));
                let c = self.make_truth(&Scope { folds: 0, looped: true, it: None, ..inner }, d);
                Node::expr(
                    ty,
                    &format!("union({name} in lines(2) where any({x} in {name}: %): {name})"),
                    vec![c],
                )
            }
            0 => {
                let c = self.make_space(cx, d);
                Node::expr(ty, "neighbours(%)", vec![c])
            }
            1 => {
                let s = self.make_set(&Ty::Space, cx, d);
                Node::expr(ty, "neighbours(%)", vec![s])
            }
            2 if cx.folds > 0 => {
                let (c, p) = (self.make_space(cx, d), self.make_space_filter(cx, d));
                let n = self.draw.draw_between(1, 3);
                Node::expr(ty, &format!("reachable(from: %, steps: {n}, through: %)"), vec![c, p])
            }
            3 => {
                let c = self.make_set(&Ty::Space, cx, d.min(1));
                let n = self.draw.draw_between(1, 2);
                Node::expr(ty, &format!("reachable(from: %, steps: {n})"), vec![c])
            }
            4 if grid => {
                let n = self.draw.draw_between(1, 2);
                let word = self.draw.draw_one(&["row", "column"]).unwrap_or("row");
                let most = self.map.map_or(1, |m| if word == "row" { m.2 } else { m.1 });
                make_leaf(&ty, format!("{word}({})", n.min(i64::from(most))))
            }
            5 if cx.folds > 0 => {
                let (c, p) = (self.make_space(cx, d), self.make_space_filter(cx, d));
                let ways = self.make_set(&Ty::Way, cx, 0);
                Node::expr(ty, "slides(%, %, through: %)", vec![c, ways, p])
            }
            6 => {
                let (a, b) = (self.make_space(cx, d), self.make_space(cx, d));
                Node::expr(ty, "between(%, %)", vec![a, b])
            }
            7 if squares => {
                let c = self.make_space(cx, d);
                Node::expr(ty, "leaps(%, 1, 2)", vec![c])
            }
            8 if grid => {
                let (c, way) = (self.make_space(cx, d), self.make_expr(&Ty::Way, cx, 0));
                Node::expr(ty, "fan(%, %)", vec![c, way])
            }
            9 => {
                let (a, b) = (self.make_space(cx, d), self.make_space(cx, 0));
                let parts =
                    vec![Part::Text("[".into()), Part::Row(", ", 1, vec![a, b]), Part::Text("]".into())];
                Node { sort: NodeSort::Expr(ty), parts }
            }
            10 => {
                let (c, way) = (self.make_space(cx, d), self.make_expr(&Ty::Way, cx, 0));
                let n = self.draw.draw_between(1, 3);
                Node::expr(ty, &format!("ray(%, %, most: {n})"), vec![c, way])
            }
            _ => make_leaf(&ty, "Cell"),
        }
    }
}
