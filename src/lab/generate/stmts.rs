//! Random statements: changes, moves, branches, loops, questions, calls, layers. None of them breaks a range or fills what is full.
use super::Feature;
use super::exprs::Cx;
use super::tree::{Node, Part, Sort, Ty};
use super::world::{Of, Seen, World, Zone};

fn stmt(pattern: &str, kids: Vec<Node>) -> Node {
    Node::new(Sort::Stmt, pattern, kids)
}

impl World {
    /// Some statements, one after the other.
    pub fn stmts(&mut self, cx: &Cx, deep: usize, most: usize) -> Vec<Node> {
        let mut cx = cx.clone();
        let n = 1 + self.draw.below(most);
        (0..n).filter_map(|_| self.stmt(&mut cx, deep)).collect()
    }

    fn block(&mut self, cx: &Cx, deep: usize) -> Node {
        let stmts = self.stmts(cx, deep, 2);
        Node::block(stmts)
    }

    /// A statement; a name that it binds is added to what can be spoken of.
    fn stmt(&mut self, cx: &mut Cx, deep: usize) -> Option<Node> {
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
        match self.draw.weighted(&sorts) {
            0 => self.assign(cx, false),
            1 => {
                let c = self.expr(&Ty::Bool, cx, 2);
                let a = self.block(cx, d);
                if self.draw.chance(40) {
                    let b = self.block(cx, d);
                    return Some(stmt("if % % else %", vec![c, a, b]));
                }
                Some(stmt("if % %", vec![c, a]))
            }
            2 => {
                let (over, name, elem) = self.over(cx, 2);
                let body = self.block(&cx.with(&name, elem), d);
                Some(stmt(&format!("for {name} in % %"), vec![over, body]))
            }
            3 => {
                let body = self.block(cx, d);
                let n = self.draw.between(1, 3) as u32;
                let parts = vec![
                    Part::Text("repeat ".into()),
                    Part::Number(n, 1),
                    Part::Text(" times ".into()),
                    Part::Node(body),
                ];
                Some(Node { sort: Sort::Stmt, parts })
            }
            4 => self.move_things(cx),
            5 => self.swap(cx),
            6 => {
                let zone = self.zone_path(cx, &|_| true)?.0;
                Some(stmt(&format!("shuffle {zone}"), vec![]))
            }
            7 => {
                let (zone, z) = self.zone_path(cx, &|_| true)?;
                if self.kinds.get(z.kind).is_some_and(|k| k.die) {
                    return Some(stmt(&format!("roll {zone}"), vec![]));
                }
                let n = self.draw.between(1, 2);
                match self.draw.below(3) {
                    0 | 1 if !z.dark => Some(stmt(&format!("show first {n} of {zone}"), vec![])),
                    0 => Some(stmt(&format!("for t in first {n} of {zone} {{ flip t }}"), vec![])),
                    1 => Some(stmt(&format!("for t in first {n} of {zone} {{ flip t down }}"), vec![])),
                    _ => Some(stmt(&format!("show first {n} of {zone}"), vec![])),
                }
            }
            8 => {
                let e = self.expr(&Ty::Int, cx, 3);
                Some(stmt("say \"it is {%}\"", vec![e]))
            }
            9 => {
                let tys = [Ty::Int, Ty::Player.set(), Ty::Player.maybe(), Ty::Player];
                let mut ty = self.draw.one(&tys)?;
                if self.map.is_some() && self.draw.chance(60) {
                    ty = self.draw.one(&[Ty::Space.set(), Ty::Space.maybe(), Ty::Space])?;
                }
                let e = self.expr(&ty, cx, 2);
                let name = self.name("x");
                *cx = cx.with(&name, ty);
                Some(stmt(&format!("let {name} = %"), vec![e]))
            }
            10 => {
                let body = self.block(cx, d);
                Some(stmt("may \"Really?\" %", vec![body]))
            }
            11 => {
                let mut chooser = cx.clone();
                chooser.alone = true;
                let (set, _, elem) = self.over(&chooser, 1);
                let name = self.name("x");
                let by_chance = self.draw.chance(30);
                let how = if by_chance { "by chance" } else { "\"Which?\"" };
                if !by_chance && self.draw.chance(30) && !matches!(elem, Ty::Int) {
                    let body = self.block(&cx.with(&name, elem), d);
                    return Some(stmt(
                        &format!("for {name} in choose up to 2 of % \"Which ones?\" %"),
                        vec![set, body],
                    ));
                }
                *cx = cx.with(&name, elem.maybe());
                Some(stmt(&format!("let {name} = choose one of % {how}"), vec![set]))
            }
            12 => {
                let fits: Vec<_> = self
                    .rules
                    .iter()
                    .filter(|r| r.params.iter().all(|p| self.can_make(p, cx)))
                    .cloned()
                    .collect();
                let r = self.draw.one(&fits)?;
                let args: Vec<Node> = r.params.iter().map(|p| self.expr(p, cx, 1)).collect();
                let holes = vec!["%"; args.len()].join(", ");
                Some(stmt(&format!("{}({holes})", r.name), args))
            }
            13 => self.layer(cx),
            14 => {
                let paths = self.paths(cx, &Ty::Player.maybe());
                let p = self.draw.one(&paths)?;
                // One statement alone: what it changes could be what was asked.
                let mut inner = cx.with(&p, Ty::Player);
                let a = self.stmt(&mut inner, 0)?;
                Some(stmt(&format!("if {p} is some %"), vec![Node::block(vec![a])]))
            }
            15 => self.becomes(cx),
            16 => {
                let p = self.expr(&Ty::Player, cx, 1);
                let a = self.block(cx, 0);
                Some(stmt("as % %", vec![p, a]))
            }
            _ => self.turn_die(cx),
        }
    }

    /// Attributes that can be written here.
    fn places(&self, cx: &Cx) -> Vec<(String, Ty)> {
        let mut out: Vec<(String, Ty)> = Vec::new();
        let mut of = |base: &str, own: Vec<super::world::Attr>| {
            for a in own.iter().filter(|a| !a.printed) {
                out.push((format!("{base}{}", a.name), a.ty.clone()));
            }
        };
        of("", self.attrs.iter().filter(|a| a.of == Of::Table).cloned().collect());
        if cx.me {
            of("my.", self.attrs_of(&Ty::Player));
        }
        for (name, ty) in &cx.locals {
            // A path that is known to be some is no name: what it was known of would change with it.
            if !name.contains('.') {
                of(&format!("{name}."), self.attrs_of(ty));
            }
        }
        if let Some(c) = self.spaces().first() {
            of(&format!("{c}."), self.attrs_of(&Ty::Space));
        }
        // What is none ends the statement.
        if self.has(Feature::NoneAssigned) {
            for base in [Ty::Player, Ty::Space] {
                for p in self.paths(cx, &base.clone().maybe()).into_iter().take(2) {
                    of(&format!("{p}."), self.attrs_of(&base));
                }
            }
        }
        out
    }

    fn assign(&mut self, cx: &Cx, layer: bool) -> Option<Node> {
        let places = self.places(cx);
        let (place, ty) = self.draw.one(&places)?;
        if !self.can_make(&ty, cx) {
            return None;
        }
        match &ty {
            Ty::Int if !layer => {
                let op = self.draw.one(&["=", "+=", "-="])?;
                let e = self.expr(&ty, cx, 2);
                Some(stmt(&format!("{place} {op} %"), vec![e]))
            }
            Ty::Maybe(t) => {
                if self.draw.chance(20) {
                    return Some(stmt(&format!("{place} = none"), vec![]));
                }
                let of =
                    if self.draw.chance(60) && self.can_make(t, cx) { (**t).clone() } else { ty.clone() };
                let e = self.expr(&of, cx, 2);
                Some(stmt(&format!("{place} = %"), vec![e]))
            }
            _ => {
                // What is none leaves the statement out.
                if self.draw.chance(10)
                    && self.has(Feature::NoneAssigned)
                    && self.can_make(&ty.clone().maybe(), cx)
                {
                    let e = self.expr(&ty.clone().maybe(), cx, 1);
                    return Some(stmt(&format!("{place} = %"), vec![e]));
                }
                let e = self.expr(&ty, cx, 2);
                Some(stmt(&format!("{place} = %"), vec![e]))
            }
        }
    }

    /// A zone that can be spoken of, slots left out.
    pub fn zone_path(&mut self, cx: &Cx, fits: &dyn Fn(&Zone) -> bool) -> Option<(String, Zone)> {
        let mut all = Vec::new();
        for z in self.zones.iter().filter(|z| !z.slot && fits(z)) {
            match z.of {
                Of::Table => all.push((z.name.to_string(), z.clone())),
                Of::Player => {
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
                    whose.extend(self.spaces().into_iter().take(2));
                    all.extend(whose.into_iter().map(|c| (format!("{c}.{}", z.name), z.clone())));
                }
            }
        }
        self.draw.one(&all)
    }

    fn move_things(&mut self, cx: &Cx) -> Option<Node> {
        let slots: Vec<Zone> = self.zones.iter().filter(|z| z.slot).cloned().collect();
        if let Some(z) = self.draw.one(&slots).filter(|_| self.draw.chance(35)) {
            // Out of a slot or the box into a slot that is free.
            let c = self.expr(&Ty::Space, cx, 1);
            let kind = self.kinds.get(z.kind).map_or("Man", |k| k.name);
            let from = match self.draw.below(3) {
                0 => format!("first of box where {kind}"),
                1 => format!("first of ({kind} where it.at is some)"),
                _ => format!("first of {kind}"),
            };
            let x = self.name("x");
            let pattern =
                format!("for {x} in [%] {{ if {x}.{} is none {{ move {from} to {x}.{} }} }}", z.name, z.name);
            return Some(stmt(&pattern, vec![c]));
        }
        let (to, z) = self.zone_path(cx, &|_| true)?;
        let kind = self.kinds.get(z.kind).map_or("Card", |k| k.name);
        let way = if self.draw.chance(25) { "under" } else { "to" };
        let lying = match self.draw.below(3) {
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
        if let Some(t) = self.draw.one(&things).filter(|_| self.draw.chance(50)) {
            if self.draw.chance(10) {
                return Some(stmt(&format!("move {t} to box"), vec![]));
            }
            if kind == "Card" && self.draw.chance(15) {
                return Some(stmt(&format!("discard {t}"), vec![]));
            }
            return Some(stmt(&format!("move {t} {way} {to}{lying}"), vec![]));
        }
        let k = z.kind;
        let n = self.draw.between(1, 3);
        let (from, _) = self.zone_path(cx, &|o| o.kind == k)?;
        let sort = [3, 3, 2, 1, 2];
        match self.draw.weighted(&sort) {
            0 => Some(stmt(&format!("move first of {from} {way} {to}{lying}"), vec![])),
            1 => Some(stmt(&format!("move first {n} of {from} {way} {to}{lying}"), vec![])),
            2 => Some(stmt(&format!("move last of {from} {way} {to}{lying}"), vec![])),
            3 => Some(stmt(&format!("move first {n} of box where {kind} {way} {to}{lying}"), vec![])),
            _ if self.kinds.get(k).is_some_and(|k| k.hidden) => {
                Some(stmt(&format!("move {from} {way} {to}{lying}"), vec![]))
            }
            _ => {
                let s = self.set(&Ty::Thing(k), cx, 1);
                Some(stmt(&format!("move % {way} {to}{lying}"), vec![s]))
            }
        }
    }

    fn swap(&mut self, cx: &Cx) -> Option<Node> {
        let (a, z) = self.zone_path(cx, &|z| !z.dark)?;
        let (b, _) = self.zone_path(cx, &|o| o.kind == z.kind && !o.dark)?;
        (a != b).then(|| stmt(&format!("swap {a}, {b}"), vec![]))
    }

    fn becomes(&mut self, cx: &Cx) -> Option<Node> {
        if !self.has(Feature::Becomes) {
            return None;
        }
        let (zone, z) = self.zone_path(cx, &|z| z.seen == Seen::All && !z.dark)?;
        let kind = self.kinds.get(z.kind)?;
        if kind.die {
            return None;
        }
        let members = kind.members.clone();
        let m = self.draw.one(&members)?;
        Some(stmt(&format!("for t in first 1 of {zone} {{ t becomes {m} }}"), vec![]))
    }

    fn turn_die(&mut self, cx: &Cx) -> Option<Node> {
        let k = self.kinds.iter().position(|k| k.die)?;
        let (zone, _) = self.zone_path(cx, &|z| z.kind == k)?;
        Some(stmt(&format!("for t in first 1 of {zone} {{ t.value = 1 }}"), vec![]))
    }

    /// Changes that are taken back.
    fn layer(&mut self, cx: &Cx) -> Option<Node> {
        if !self.has(Feature::Layers) {
            return None;
        }
        let mut ends = vec!["end of turn", "end of round", "end of next round", "end of game"];
        if self.phased {
            ends.push("end of early");
        }
        let until = self.draw.one(&ends)?;
        let mut inner = Vec::new();
        // What is known of a path ends with the first statement inside.
        let mut cx = cx.clone();
        let tables = |n: &str| self.attrs.iter().any(|a| a.of == Of::Table && a.name == n);
        cx.locals.retain(|(n, _)| !n.contains('.') && n != "turn" && !tables(n));
        for _ in 0..=self.draw.below(2) {
            let ints: Vec<_> =
                self.values.iter().filter(|v| v.ty == Ty::Int && v.folds == 0).cloned().collect();
            if let Some(v) = self.draw.one(&ints).filter(|_| self.draw.chance(50)) {
                let op = self.draw.one(&["+=", "-=", "=", "at most"])?;
                let n = self.draw.between(0, 4);
                inner.push(stmt(&format!("modify {} {op} {n}", v.name), vec![]));
            } else {
                inner.extend(self.assign(&cx, true));
            }
        }
        let body = Node::block(inner);
        Some(stmt(&format!("until {until} %"), vec![body]))
    }
}
