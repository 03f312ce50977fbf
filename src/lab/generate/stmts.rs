//! Generates random statements: changes, moves, branches, loops, questions, calls, layers. None of them breaks a range or overfills a zone.
use super::Feature;
use super::exprs::Scope;
use super::tree::{Node, NodeSort, Part, Ty};
use super::world::{Generator, Holder, LEDGE, SeenBy, Zone};

fn make_stmt(pattern: &str, kids: Vec<Node>) -> Node {
    Node::new(NodeSort::Stmt, pattern, kids)
}

impl Generator {
    /// Some statements, one after the other.
    pub fn make_stmts(&mut self, cx: &Scope, deep: usize, most: usize) -> Vec<Node> {
        let mut cx = cx.clone();
        let n = 1 + self.draw.draw_below(most);
        (0..n).filter_map(|_| self.make_stmt(&mut cx, deep)).collect()
    }

    fn make_block(&mut self, cx: &Scope, deep: usize) -> Node {
        let stmts = self.make_stmts(cx, deep, 2);
        Node::block(stmts)
    }

    /// A statement; a name that it binds is added to what can be spoken of.
    fn make_stmt(&mut self, cx: &mut Scope, deep: usize) -> Option<Node> {
        let d = deep.saturating_sub(1);
        let nest = if deep > 0 { 1 } else { 0 };
        let acts = if cx.tame { 0 } else { 1 };
        let asks = if cx.me && deep > 0 { acts } else { 0 };
        let sorts = [
            12,
            5 * nest,
            4 * nest,
            nest,
            12 * acts,
            2 * acts,
            2 * acts,
            2 * acts,
            5,
            2,
            2 * asks,
            3 * asks,
            3 * asks,
            2 * acts,
            3 * nest,
            acts,
            2 * asks,
            acts,
        ];
        match self.draw.draw_weighted(&sorts) {
            0 => self.make_assign(cx, false),
            1 => {
                let c = self.make_expr(&Ty::Bool, cx, 2);
                let a = self.make_block(cx, d);
                if self.draw.draw_percent(40) {
                    let b = self.make_block(cx, d);
                    return Some(make_stmt("if % % else %", vec![c, a, b]));
                }
                Some(make_stmt("if % %", vec![c, a]))
            }
            2 => {
                let (over, name, elem) = self.make_fold_source(cx, 2);
                let inner = cx.with_name(&name, elem);
                if self.draw.draw_percent(20) {
                    let key = self.make_expr(&Ty::Int, &Scope { looped: true, ..inner.clone() }, 1);
                    let body = self.make_block(&inner, d);
                    return Some(make_stmt(&format!("for {name} in % by % %"), vec![over, key, body]));
                }
                let body = self.make_block(&inner, d);
                Some(make_stmt(&format!("for {name} in % %"), vec![over, body]))
            }
            3 => {
                let body = self.make_block(cx, d);
                let n = self.draw.draw_between(1, 3) as u32;
                let parts = vec![
                    Part::Text("repeat ".into()),
                    Part::Number(n, 1),
                    Part::Text(" times ".into()),
                    Part::Node(body),
                ];
                Some(Node { sort: NodeSort::Stmt, parts })
            }
            4 => self.make_move(cx),
            5 => self.make_swap(cx),
            6 => {
                let zone = self.pick_zone_path(cx, &|_| true)?.0;
                Some(make_stmt(&format!("shuffle {zone}"), vec![]))
            }
            7 => {
                let (zone, z) = self.pick_zone_path(cx, &|_| true)?;
                if self.kinds.get(z.kind).is_some_and(|k| k.die) {
                    return Some(make_stmt(&format!("roll {zone}"), vec![]));
                }
                let n = self.draw.draw_between(1, 2);
                // What is turned over may lie anywhere: then no guard could read the ledge.
                let turns = z.dark && self.zones.iter().all(|z| z.name != LEDGE);
                match self.draw.draw_below(3) {
                    0 | 1 if !turns => Some(make_stmt(&format!("show first {n} of {zone}"), vec![])),
                    0 => Some(make_stmt(&format!("for t in first {n} of {zone} {{ flip t }}"), vec![])),
                    1 => Some(make_stmt(&format!("for t in first {n} of {zone} {{ flip t down }}"), vec![])),
                    _ => Some(make_stmt(&format!("show first {n} of {zone}"), vec![])),
                }
            }
            8 => {
                let e = self.make_expr(&Ty::Int, cx, 3);
                Some(make_stmt("say \"it is {%}\"", vec![e]))
            }
            9 => {
                let tys = [Ty::Int, Ty::Player.set(), Ty::Player.maybe(), Ty::Player];
                let mut ty = self.draw.draw_one(&tys)?;
                if self.map.is_some() && self.draw.draw_percent(60) {
                    ty = self.draw.draw_one(&[Ty::Space.set(), Ty::Space.maybe(), Ty::Space])?;
                }
                let e = self.make_expr(&ty, cx, 2);
                let name = self.make_name("x");
                *cx = cx.with_name(&name, ty);
                Some(make_stmt(&format!("let {name} = %"), vec![e]))
            }
            10 => {
                let body = self.make_block(cx, d);
                Some(make_stmt("may \"Really?\" %", vec![body]))
            }
            11 => {
                let mut chooser = cx.clone();
                chooser.alone = true;
                let (set, _, elem) = self.make_fold_source(&chooser, 1);
                let name = self.make_name("x");
                let by_chance = self.draw.draw_percent(30);
                let how = if by_chance { "by chance" } else { "\"Which?\"" };
                if !by_chance && self.draw.draw_percent(30) && !matches!(elem, Ty::Int) {
                    let body = self.make_block(&cx.with_name(&name, elem), d);
                    return Some(make_stmt(
                        &format!("for {name} in choose up to 2 of % \"Which ones?\" %"),
                        vec![set, body],
                    ));
                }
                *cx = cx.with_name(&name, elem.maybe());
                Some(make_stmt(&format!("let {name} = choose one of % {how}"), vec![set]))
            }
            12 => {
                let fits: Vec<_> = self
                    .rules
                    .iter()
                    .filter(|r| r.params.iter().all(|p| self.can_make(p, cx)))
                    .cloned()
                    .collect();
                let r = self.draw.draw_one(&fits)?;
                let args: Vec<Node> = r.params.iter().map(|p| self.make_expr(p, cx, 1)).collect();
                let holes = vec!["%"; args.len()].join(", ");
                Some(make_stmt(&format!("{}({holes})", r.name), args))
            }
            13 => self.make_layer(cx),
            14 => {
                let paths = self.list_paths(cx, &Ty::Player.maybe());
                let p = self.draw.draw_one(&paths)?;
                // One statement alone: what it changes could be what was asked.
                let mut inner = cx.with_name(&p, Ty::Player);
                let a = self.make_stmt(&mut inner, 0)?;
                Some(make_stmt(&format!("if {p} is some %"), vec![Node::block(vec![a])]))
            }
            15 => self.make_becomes(cx),
            16 => {
                let p = self.make_expr(&Ty::Player, cx, 1);
                let a = self.make_block(cx, 0);
                Some(make_stmt("as % %", vec![p, a]))
            }
            _ => self.make_turn_die(cx),
        }
    }

    /// Attributes that can be written here.
    fn writable_paths(&self, cx: &Scope) -> Vec<(String, Ty)> {
        let mut out: Vec<(String, Ty)> = Vec::new();
        let mut of = |base: &str, own: Vec<super::world::Attr>| {
            for a in own.iter().filter(|a| !a.printed) {
                out.push((format!("{base}{}", a.name), a.ty.clone()));
            }
        };
        of("", self.attrs.iter().filter(|a| a.of == Holder::Table).cloned().collect());
        if cx.me {
            of("my.", self.attrs_of(&Ty::Player));
        }
        for (name, ty) in &cx.locals {
            // A path that is known to be some is no name: what it was known of would change with it.
            if !name.contains('.') {
                of(&format!("{name}."), self.attrs_of(ty));
            }
        }
        if let Some(c) = self.space_names().first() {
            of(&format!("{c}."), self.attrs_of(&Ty::Space));
        }
        // What is none ends the statement.
        if self.has_feature(Feature::NoneAssigned) {
            for base in [Ty::Player, Ty::Space] {
                for p in self.list_paths(cx, &base.clone().maybe()).into_iter().take(2) {
                    of(&format!("{p}."), self.attrs_of(&base));
                }
            }
        }
        out
    }

    fn make_assign(&mut self, cx: &Scope, layer: bool) -> Option<Node> {
        let places = self.writable_paths(cx);
        let (place, ty) = self.draw.draw_one(&places)?;
        if !self.can_make(&ty, cx) {
            return None;
        }
        match &ty {
            Ty::Int if !layer => {
                let op = self.draw.draw_one(&["=", "+=", "-="])?;
                let e = self.make_expr(&ty, cx, 2);
                Some(make_stmt(&format!("{place} {op} %"), vec![e]))
            }
            Ty::Maybe(t) => {
                if self.draw.draw_percent(20) {
                    return Some(make_stmt(&format!("{place} = none"), vec![]));
                }
                let of = if self.draw.draw_percent(60) && self.can_make(t, cx) {
                    (**t).clone()
                } else {
                    ty.clone()
                };
                let e = self.make_expr(&of, cx, 2);
                Some(make_stmt(&format!("{place} = %"), vec![e]))
            }
            _ => {
                // What is none leaves the statement out.
                if self.draw.draw_percent(10)
                    && self.has_feature(Feature::NoneAssigned)
                    && self.can_make(&ty.clone().maybe(), cx)
                {
                    let e = self.make_expr(&ty.clone().maybe(), cx, 1);
                    return Some(make_stmt(&format!("{place} = %"), vec![e]));
                }
                let e = self.make_expr(&ty, cx, 2);
                Some(make_stmt(&format!("{place} = %"), vec![e]))
            }
        }
    }

    /// Picks the path of a zone that is in scope, slots left out.
    pub fn pick_zone_path(&mut self, cx: &Scope, fits: &dyn Fn(&Zone) -> bool) -> Option<(String, Zone)> {
        let mut all = Vec::new();
        for z in self.zones.iter().filter(|z| !z.slot && fits(z)) {
            match z.of {
                Holder::Table => all.push((z.name.to_string(), z.clone())),
                Holder::Player => {
                    let mut whose: Vec<String> = Vec::new();
                    if cx.me {
                        whose.push("my".into());
                    }
                    whose.extend(self.players.iter().map(|p| p.to_string()).take(2));
                    let locals = cx.locals.iter().filter(|(n, t)| *t == Ty::Player && !n.contains('.'));
                    whose.extend(locals.map(|(n, _)| n.clone()));
                    all.extend(whose.into_iter().map(|p| (format!("{p}.{}", z.name), z.clone())));
                }
                _ => {
                    let locals = cx.locals.iter().filter(|(n, t)| *t == Ty::Space && !n.contains('.'));
                    let mut whose: Vec<String> = locals.map(|(n, _)| n.clone()).collect();
                    whose.extend(self.space_names().into_iter().take(2));
                    all.extend(whose.into_iter().map(|c| (format!("{c}.{}", z.name), z.clone())));
                }
            }
        }
        self.draw.draw_one(&all)
    }

    fn make_move(&mut self, cx: &Scope) -> Option<Node> {
        let slots: Vec<Zone> = self.zones.iter().filter(|z| z.slot).cloned().collect();
        if let Some(z) = self.draw.draw_one(&slots).filter(|_| self.draw.draw_percent(35)) {
            // Out of a slot or the box into a slot that is free.
            let c = self.make_expr(&Ty::Space, cx, 1);
            let kind = self.kinds.get(z.kind).map_or("Man", |k| k.name);
            let from = match self.draw.draw_below(3) {
                0 => format!("first of box where {kind}"),
                1 => format!("first of ({kind} where it.at is some)"),
                _ => format!("first of {kind}"),
            };
            let x = self.make_name("x");
            let pattern =
                format!("for {x} in [%] {{ if {x}.{} is none {{ move {from} to {x}.{} }} }}", z.name, z.name);
            return Some(make_stmt(&pattern, vec![c]));
        }
        let (to, z) = self.pick_zone_path(cx, &|_| true)?;
        let kind = self.kinds.get(z.kind).map_or("Card", |k| k.name);
        let way = if self.draw.draw_percent(25) { "under" } else { "to" };
        let lying = match self.draw.draw_below(3) {
            _ if z.name == LEDGE => " face up",
            0 if z.dark => " face down",
            1 if z.dark => " face up",
            _ => "",
        };
        let things: Vec<String> = cx
            .locals
            .iter()
            .filter(|(n, t)| matches!(t, Ty::Thing(k) if self.is_a(*k, z.kind)) && !n.contains('.'))
            .map(|(n, _)| n.clone())
            .collect();
        if let Some(t) = self.draw.draw_one(&things).filter(|_| self.draw.draw_percent(50)) {
            if self.draw.draw_percent(10) {
                return Some(make_stmt(&format!("move {t} to box"), vec![]));
            }
            if kind == "Card" && self.draw.draw_percent(15) {
                return Some(make_stmt(&format!("discard {t}"), vec![]));
            }
            return Some(make_stmt(&format!("move {t} {way} {to}{lying}"), vec![]));
        }
        let k = z.kind;
        let n = self.draw.draw_between(1, 3);
        let (from, _) = self.pick_zone_path(cx, &|o| o.kind == k)?;
        let sort = [3, 3, 2, 1, 2];
        match self.draw.draw_weighted(&sort) {
            0 => Some(make_stmt(&format!("move first of {from} {way} {to}{lying}"), vec![])),
            1 => Some(make_stmt(&format!("move first {n} of {from} {way} {to}{lying}"), vec![])),
            2 => Some(make_stmt(&format!("move last of {from} {way} {to}{lying}"), vec![])),
            3 => Some(make_stmt(&format!("move first {n} of box where {kind} {way} {to}{lying}"), vec![])),
            _ if self.kinds.get(k).is_some_and(|k| k.hidden) => {
                Some(make_stmt(&format!("move {from} {way} {to}{lying}"), vec![]))
            }
            _ => {
                let s = self.make_set(&Ty::Thing(k), cx, 1);
                Some(make_stmt(&format!("move % {way} {to}{lying}"), vec![s]))
            }
        }
    }

    fn make_swap(&mut self, cx: &Scope) -> Option<Node> {
        let fits = |z: &Zone| !z.dark && z.name != LEDGE;
        let (a, z) = self.pick_zone_path(cx, &fits)?;
        let (b, _) = self.pick_zone_path(cx, &|o| o.kind == z.kind && fits(o))?;
        (a != b).then(|| make_stmt(&format!("swap {a}, {b}"), vec![]))
    }

    fn make_becomes(&mut self, cx: &Scope) -> Option<Node> {
        if !self.has_feature(Feature::Becomes) {
            return None;
        }
        let (zone, z) = self.pick_zone_path(cx, &|z| z.seen == SeenBy::All && !z.dark)?;
        let kind = self.kinds.get(z.kind)?;
        if kind.die {
            return None;
        }
        let members = kind.members.clone();
        let m = self.draw.draw_one(&members)?;
        Some(make_stmt(&format!("for t in first 1 of {zone} {{ t becomes {m} }}"), vec![]))
    }

    fn make_turn_die(&mut self, cx: &Scope) -> Option<Node> {
        let k = self.kinds.iter().position(|k| k.die)?;
        let (zone, _) = self.pick_zone_path(cx, &|z| z.kind == k)?;
        Some(make_stmt(&format!("for t in first 1 of {zone} {{ t.value = 1 }}"), vec![]))
    }

    /// Changes that are taken back.
    fn make_layer(&mut self, cx: &Scope) -> Option<Node> {
        if !self.has_feature(Feature::Layers) {
            return None;
        }
        let mut ends = vec!["end of turn", "end of round", "end of next round", "end of game"];
        if self.phased {
            ends.push("end of early");
        }
        let until = self.draw.draw_one(&ends)?;
        let mut inner = Vec::new();
        // What is known of a path ends with the first statement inside.
        let mut cx = cx.clone();
        let tables = |n: &str| self.attrs.iter().any(|a| a.of == Holder::Table && a.name == n);
        cx.locals.retain(|(n, _)| !n.contains('.') && n != "turn" && !tables(n));
        for _ in 0..=self.draw.draw_below(2) {
            let ints: Vec<_> =
                self.values.iter().filter(|v| v.ty == Ty::Int && v.folds == 0).cloned().collect();
            if let Some(v) = self.draw.draw_one(&ints).filter(|_| self.draw.draw_percent(50)) {
                let op = self.draw.draw_one(&["+=", "-=", "=", "at most"])?;
                let n = self.draw.draw_between(0, 4);
                inner.push(make_stmt(&format!("modify {} {op} {n}", v.name), vec![]));
            } else {
                inner.extend(self.make_assign(&cx, true));
            }
        }
        let body = Node::block(inner);
        Some(make_stmt(&format!("until {until} %"), vec![body]))
    }
}
