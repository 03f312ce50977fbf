//! Generates the words for things: unique things by their words, what a thing lies on, attributes of a stay, zones that are refilled, titles. They are drawn last, so that the rest of
//! a program is as without them.
use super::additions::{make_item, make_stmt};
use super::exprs::Scope;
use super::rare::first_words;
use super::tree::{Node, Part, Ty};
use super::world::{Generator, Holder};

impl Generator {
    /// Things of kinds of their own, and marks of kinds that are there.
    pub fn declare_things(&mut self, root: &mut [Node], actions: &mut [Node], out: &mut Vec<Node>) {
        if self.draw.draw_percent(12) {
            self.declare_towns(out);
        }
        if self.draw.draw_percent(12) {
            self.declare_barges(out);
        }
        if self.draw.draw_percent(15) {
            self.declare_leaves(out);
        }
        if self.draw.draw_percent(25) {
            self.set_back_attributes(root);
        }
        if self.draw.draw_percent(15) {
            self.declare_goods(out);
        }
        if self.draw.draw_percent(12) {
            self.declare_fair(out);
        }
        if self.draw.draw_percent(20) {
            self.compute_size(root, out);
        }
        if self.draw.draw_percent(15) {
            self.declare_offices(out);
        }
        if self.draw.draw_percent(12) {
            self.declare_supply(out);
        }
        if self.draw.draw_percent(15)
            && let Some(Part::Text(menu)) = actions.first_mut().and_then(|n| n.parts.first_mut())
        {
            *menu = menu.replace("menu main {", "menu main \"Your move\" {");
        }
        if self.draw.draw_percent(20) {
            self.declare_lanterns(root, out);
        }
    }

    /// Things that act after a rule in an order that a player chooses: `order by` in the header. It would hold for what other things do as well, so none of them acts after anything.
    fn declare_lanterns(&mut self, root: &mut [Node], out: &mut Vec<Node>) {
        let acts = |n: &Node| {
            let text = n.to_text();
            text.contains("after ") && !text.starts_with("after ")
        };
        if root.iter().chain(out.iter()).any(acts) {
            return;
        }
        let Some(Part::Text(head)) = root.first_mut().and_then(|n| n.parts.get_mut(2)) else { return };
        let who = self.draw.draw_one(&["turn", "host", "last of players"]).unwrap_or("turn");
        head.push_str(&format!("; order by {who}"));
        let cx = Scope { me: true, tame: true, folds: 1, ..Scope::default() };
        out.push(make_item("token Lantern { glow: 0..9 = 1 clamped }", vec![]));
        let (c, body) = (self.make_expr(&Ty::Bool, &cx, 1), self.make_stmts(&cx, 0, 1));
        let text = "Lantern torch x2 { after dusk() { my.coins += glow; if % % } }";
        out.push(make_item(text, vec![c, Node::block(body)]));
        let c = self.make_expr(&Ty::Bool, &cx, 1);
        let may = self.draw.draw_one(&["", "may \"Turn the light?\" ", "once per turn "]).unwrap_or("");
        let text = format!(
            "Lantern flare {{ after dusk(p, n) when n > 1 or % {may}{{ glow = 9 - glow; p.coins += 1 }} }}"
        );
        out.push(make_item(&text, vec![c]));
        let c = self.make_expr(&Ty::Bool, &cx, 1);
        let text = "Lantern wick { after dusk(owner, n) { for x in owner.porch { x.glow += n }; if % { move this to sill } } }";
        out.push(make_item(text, vec![c]));
        out.push(make_item("table { host: player?; zone sill: Lantern active }", vec![]));
        out.push(make_item("player { zone porch: Lantern active }", vec![]));
        out.push(make_item(
            "setup { for x in Lantern { for p in [ann, bo] where count(it.porch) < 2 { move x to p.porch } } }",
            vec![],
        ));
        let body = self.make_stmts(&cx, 0, 1);
        let c = self.make_expr(&Ty::Bool, &cx, 1);
        out.push(make_item("rule dusk(p: player, n: int) { host = p; if % % }", vec![c, Node::block(body)]));
        let (light, hang) = (self.make_name("a"), self.make_name("a"));
        out.push(make_item(
            &format!("action {light}(p: player, n: 1..3) in main {{ dusk(p, n); say \"glow {{sum(x in Lantern: x.glow)}}\" }}"),
            vec![],
        ));
        out.push(make_item(
            &format!("action {hang}(t: one of my.porch + sill, p: player) in main {{ move t to p.porch }}"),
            vec![],
        ));
    }

    /// Cities of which there is one each: their words, and names that stand for them.
    fn declare_towns(&mut self, out: &mut Vec<Node>) {
        let cx = Scope { me: true, folds: 1, ..Scope::default() };
        let n = self.draw.draw_between(1, 3);
        let cheer = self.make_stmts(&cx, 0, 1);
        let text = format!(
            "token Town {{ fame: 0..9 = 1 clamped; lab: bool = no; value safe: bool = fame < {n}; rule cheer() {{ fame += 1; if yes % }} }}"
        );
        out.push(make_item(&text, vec![Node::block(cheer)]));
        out.push(make_item("Town aldea \"Aldea\" { fame: 2 }; Town brume; Town corve(n: 1..2)", vec![]));
        out.push(make_item("table { zone region: Town; seat: face of Town? }", vec![]));
        out.push(make_item("player { home: face of Town?; near: Town?; zone land: Town }", vec![]));
        out.push(make_item("setup { move [aldea, corve(1)] to region }", vec![]));
        let mut body = Vec::new();
        for _ in 0..self.draw.draw_between(2, 5) {
            let (x, k) = (self.make_name("x"), self.draw.draw_between(1, 4));
            let forms = [
                "aldea.lab = %".to_string(),
                format!("if % {{ brume.fame += {k} }}"),
                format!("for {x} in [aldea, corve(2)] where it.fame < {k} {{ {x}.fame += 1; move {x} to my.land; if % {{ {x}.lab = yes }} }}"),
                "my.home = choose one of faces(Town) \"Which town?\"; if my.home is some and % { my.near = my.home; my.near.fame += 2 }".into(),
                format!("let {x} = choose one of [aldea, brume] \"Which?\"; if % {{ {x}.lab = not {x}.lab; seat = {x} }}"),
                "if % { move aldea to region } else { swap aldea, corve(1) }".into(),
                "if not aldea.safe and % { brume.cheer() }".into(),
                "if seat is some and % { seat.fame -= 1; move seat to my.land }".into(),
            ];
            let form = self.draw.draw_one(&forms).unwrap_or_default();
            let c = self.make_expr(&Ty::Bool, &cx, 1);
            body.push(make_stmt(&form, vec![c]));
        }
        body.push(make_stmt(
            "say \"towns {sum(x in [aldea, brume]: x.fame)} {count(x in faces(Town): x.lab)} {count(Town where safe)} {count(region + my.land)}\"",
            vec![],
        ));
        let (rule, tour, visit, x) =
            (self.make_name("r"), self.make_name("a"), self.make_name("a"), self.make_name("t"));
        out.push(make_item(&format!("rule {rule}() %"), vec![Node::block(body)]));
        out.push(make_item(&format!("action {tour}() \"Tour of the towns\" in main {{ {rule}() }}"), vec![]));
        let guard = Scope { alone: true, looped: true, ..cx };
        let c = self.make_expr(&Ty::Bool, &guard, 1);
        let text = format!(
            "action {visit}({x}: one of [aldea, brume, corve(2)] where it.fame < {}) \"Visit {{{x}}}\" in main {{ needs not {x}.lab or brume.safe; needs %; {x}.fame += 2 }}",
            n + 3
        );
        out.push(make_item(&text, vec![c]));
    }

    /// Zones on one kind of several: with backs of its own, or mixed with the others in a shuffled pile.
    pub fn declare_forms(&mut self, out: &mut Vec<Node>) {
        let (n, k) = (self.draw.draw_between(1, 3), self.draw.draw_between(1, 3));
        let (back, seen) = (self.draw.draw_percent(60), self.draw.draw_percent(60));
        let (tint, own) = if back { ("back tint: 0..1 = 0", "tint = 1; ") } else { ("", "") };
        let seen = if seen { " seen by nobody" } else { "" };
        let room = self.draw.draw_one(&["", " up to 3"]).unwrap_or("");
        out.push(make_item(
            &format!("card Sheet {{ {tint} }}; card Essay is Sheet {{ }}; Essay prose x{n}"),
            vec![],
        ));
        out.push(make_item(
            &format!("card Form is Sheet {{ {own}zone clips: Clip{room}; slot seal: Clip; zone tabs[n: 1..2]: Clip }}; Form lilac x{k}; Form mauve x2"),
            vec![],
        ));
        out.push(make_item("token Clip; Clip steel x4; Clip brass x3", vec![]));
        out.push(make_item(
            &format!("table {{ zone folder: Sheet{seen}; zone file: Form; zone tin: Clip }}"),
            vec![],
        ));
        out.push(make_item("setup { move Sheet to folder; move Form to file; move Clip to tin }", vec![]));
        let mut body = Vec::new();
        for _ in 0..self.draw.draw_between(2, 5) {
            let does = [
                format!("for c in first {n} of file where count(it.clips) < 3 {{ move first of tin to c.clips }}"),
                "for c in Form where it.seal is none { move first of tin to c.seal }".into(),
                format!("for c in Form where it.seal is some {{ move c.seal to c.tabs[{}] }}", 1 + k % 2),
                format!("move file to folder; if count(folder) > {n} {{ shuffle folder }}; move folder where Form to file"),
                "shuffle file".into(),
                "for c in Form { move c.clips to tin; move c.tabs[1] to tin }".into(),
                "for c in first 1 of file { move last of c.clips to tin }".into(),
                "say \"bare {count(Form where count(it.clips) == 0)} sealed {count(Form where it.seal is some)} of {sum(c in Form: count(c.tabs[1]) + 2 * count(c.tabs[2]))}\"".into(),
                format!("say \"brass {{count(Form where it.seal is brass)}} more {{count(Form where count(it.clips) >= {n})}} held {{count(Clip where it.host is some)}}\""),
            ];
            body.push(make_stmt(&self.draw.draw_one(&does).unwrap_or_default(), vec![]));
        }
        let (rule, seal) = (self.make_name("r"), self.make_name("a"));
        out.push(make_item(&format!("rule {rule}() %"), vec![Node::block(body)]));
        let action = self.make_name("a");
        out.push(make_item(&format!("action {action}() in main {{ {rule}() }}"), vec![]));
        let guard = Scope { me: true, folds: 1, alone: true, looped: true, ..Scope::default() };
        let c = self.make_expr(&Ty::Bool, &guard, 1);
        let text = format!(
            "action {seal}(c: one of file where it.seal is none, x: one of tin) in main {{ needs %; move x to c.seal; {rule}() }}"
        );
        out.push(make_item(&text, vec![c]));
    }

    /// What lies on what: crates in barges, a barge on the mast of another.
    fn declare_barges(&mut self, out: &mut Vec<Node>) {
        let cx = Scope { me: true, folds: 1, ..Scope::default() };
        let active = self.draw.draw_one(&["", " active", " active"]).unwrap_or("");
        out.push(make_item(
            "token Crate { weight: 1..3 = 1 }; Crate flour x2; Crate coal { weight: 3 }",
            vec![],
        ));
        let (c, body) = (self.make_expr(&Ty::Bool, &Scope::default(), 1), self.make_stmts(&cx, 0, 1));
        let text = "token Buoy is Crate { modify speed(barge) -= weight when this.host == barge and %; after sail(b) when this.host == b { my.coins += 1; if yes % } }";
        out.push(make_item(text, vec![c, Node::block(body)]));
        out.push(make_item("Buoy cork; Buoy bell_buoy { weight: 2 }", vec![]));
        let n = self.draw.draw_between(2, 6);
        out.push(make_item(
            &format!("token Barge {{ zone hold: Crate up to 2{active}; slot mast: Barge; value speed: int = {n} }}; Barge brig, sloop, tug"),
            vec![],
        ));
        out.push(make_item("player { zone dock: Barge; zone quay: Crate }", vec![]));
        out.push(make_item(
            "setup { move brig to ann.dock; move [sloop, tug] to bo.dock; for c in Crate { for p in [ann, bo] where count(it.quay) < 3 { move c to p.quay } } }",
            vec![],
        ));
        let body = self.make_stmts(&cx, 0, 2);
        let c = self.make_expr(&Ty::Bool, &cx, 1);
        out.push(make_item(
            "rule sail(b: Barge) { my.coins += b.speed; if % % }",
            vec![c, Node::block(body)],
        ));
        let guard = Scope { alone: true, looped: true, ..cx.clone() };
        let (load, land, tow, go) =
            (self.make_name("a"), self.make_name("a"), self.make_name("a"), self.make_name("a"));
        let c = self.make_expr(&Ty::Bool, &guard, 1);
        let text = format!(
            "action {load}(t: one of my.quay, b: one of my.dock where count(it.hold) < 2) \"Load {{t}} on {{b}}\" in main {{ needs %; move t to b.hold }}"
        );
        out.push(make_item(&text, vec![c]));
        let c = self.make_expr(&Ty::Bool, &guard, 1);
        let text = format!(
            "action {land}(t: Crate where it.host is some and it.host.holder == me) in main {{ needs %; move t to my.quay }}"
        );
        out.push(make_item(&text, vec![c]));
        let text = format!(
            "action {tow}(t: one of my.dock, b: one of my.dock where it != t and it.mast is none) in main {{ move t to b.mast }}"
        );
        out.push(make_item(&text, vec![]));
        let says = [
            "sum(x in Crate where it.host is some: x.weight)",
            "count(Barge where it.host is some)",
            "count(collect(x in Crate where it.host is some: x.host default brig))",
            "count(x in Crate where x.host == brig or x.host is tug)",
            "if any(x in Crate: x.host is some and x.host.holder == me) then 1 else 0",
            "sum(x in Barge: x.speed)",
            "count(x in Crate where x.host is some and x.host in my.dock)",
        ];
        let (a, b) = (self.draw.draw_one(&says).unwrap_or(""), self.draw.draw_one(&says).unwrap_or(""));
        let text = format!(
            "action {go}(b: one of my.dock) in main {{ sail(b); say \"afloat {{{a}}} {{{b}}}\"; for t in b.hold where it.host == b {{ say \"{{t}} on {{t.host}}\" }} }}"
        );
        out.push(make_item(&text, vec![]));
    }

    /// Cards in piles that are refilled, with counters that they lose with their place.
    fn declare_leaves(&mut self, out: &mut Vec<Node>) {
        let cx = Scope { me: true, folds: 1, ..Scope::default() };
        let (of, pile, waste, to) = self
            .draw
            .draw_one(&[
                ("table", "stack", "mulch", "mulch"),
                ("player", "my.stack", "my.mulch", "owner.mulch"),
                ("table", "stack[2]", "mulch", "mulch"),
            ])
            .unwrap_or(("table", "stack", "mulch", "mulch"));
        let n = self.draw.draw_between(0, 3);
        out.push(make_item(
            &format!("card Leaf {{ dew: 0..5 = {n} clamped per stay; keeper: player? per stay; kept: 0..9 = 0 clamped; discards to {to} }}"),
            vec![],
        ));
        out.push(make_item("Leaf fern x2 { dew: 4 }; Leaf moss x3; Leaf nettle", vec![]));
        let seen = self.draw.draw_one(&["", " seen by nobody"]).unwrap_or("");
        let (index, own) = if pile.ends_with(']') { ("[k: 1..2]", "stack[k]") } else { ("", "stack") };
        let mixed = self.draw.draw_one(&[format!("; shuffle {own}"), String::new()]).unwrap_or_default();
        let body = self.make_stmts(&Scope { me: false, folds: 1, ..Scope::default() }, 0, 1);
        let text = format!(
            "{of} {{ zone stack{index}: Leaf{seen} refill {{ move mulch to {own}{mixed}; fills += 1; if yes % }}; zone mulch: Leaf; fills: 0..9 = 0 clamped }}"
        );
        out.push(make_item(&text, vec![Node::block(body)]));
        let hidden = self.draw.draw_one(&["", " seen by owner"]).unwrap_or("");
        out.push(make_item(&format!("player {{ zone grip: Leaf{hidden}; zone bed: Leaf }}"), vec![]));
        let start = match of {
            "player" => {
                "for c in Leaf { for p in [ann, bo] where count(it.mulch) < 3 { move c to p.mulch } }"
            }
            _ => "move Leaf to mulch",
        };
        out.push(make_item(&format!("setup {{ {start} }}"), vec![]));
        let mut body = Vec::new();
        for _ in 0..self.draw.draw_between(1, 3) {
            let (x, k) = (self.make_name("x"), self.draw.draw_between(0, 3));
            let forms = [
                format!("move first of {pile} to my.grip"),
                format!("move first {k} of {pile} to my.bed"),
                format!(
                    "let {x} = first of {pile}; if {x} is some {{ move {x} to my.bed; {x}.dew -= 1; {x}.keeper = me; {x}.kept += {k} }}"
                ),
                format!("discard first of {pile}"),
                format!("show first of {pile}"),
                "swap my.bed, (left(me)).bed".into(),
                format!("move choose one of {pile} by chance to my.bed"),
                format!("move choose {k} of {pile} by chance to my.grip"),
                format!("let {x} = choose one of {pile} by chance; move {x} to my.bed"),
                format!("for {x} in my.bed {{ {x}.dew -= {k} }}"),
                "discard my.bed".into(),
                format!("move my.bed under {pile}"),
                format!("for {x} in first 1 of my.bed {{ for p in (left(me)).bed {{ swap {x}, p }} }}"),
                format!(
                    "until end of turn {{ for {x} in first 1 of my.bed {{ move {x} to (left(me)).bed; {x}.dew = 1 }} }}"
                ),
            ];
            let form = self.draw.draw_one(&forms).unwrap_or_default();
            body.push(make_stmt(&form, vec![]));
        }
        if of == "table" && !pile.ends_with(']') && self.draw.draw_percent(40) {
            body.push(make_stmt("deal 1 of stack to bed", vec![]));
        }
        let c = self.make_expr(&Ty::Bool, &cx, 1);
        body.push(make_stmt(
            "if % { say \"leaves {sum(x in my.bed: x.dew)} {sum(x in my.bed: x.kept)} {count(x in players.bed where x.keeper == me)}\" }",
            vec![c],
        ));
        let (rule, action, lay) = (self.make_name("r"), self.make_name("a"), self.make_name("a"));
        out.push(make_item(&format!("rule {rule}() %"), vec![Node::block(body)]));
        out.push(make_item(&format!("action {action}() \"Draw\" in main {{ {rule}() }}"), vec![]));
        let text = format!(
            "action {lay}(t: one of my.grip) \"Lay {{t}}\" in main {{ if t.dew > 1 {{ move t to my.bed; t.dew -= 1 }} else {{ move t to {waste} }} }}"
        );
        out.push(make_item(&text, vec![]));
    }

    /// Goods in bags: prices, stores, a market, and a rule that pays.
    fn declare_goods(&mut self, out: &mut Vec<Node>) {
        let cx = Scope { me: true, folds: 1, ..Scope::default() };
        let (k, n) = (self.draw.draw_between(0, 3), self.draw.draw_between(1, 3));
        out.push(make_item("enum Good { grain, ore, salt }", vec![]));
        out.push(make_item(
            &format!(
                "card Mill {{ price: bag of Good = {k} grain; yields: Good = grain }}; Mill wheel x2 {{ price: {n} grain + 1 ore }}; Mill forge {{ price: 3 * ore; yields: ore }}; Mill pan {{ yields: salt }}"
            ),
            vec![],
        ));
        let scope = self.draw.draw_one(&["", " per turn", " per round"]).unwrap_or("");
        out.push(make_item(
            &format!(
                "player {{ store: bag of Good = 3 grain + {n} ore clamped; eased: bag of Good clamped{scope}; zone mills: Mill }}; table {{ market: bag of Good = 4 grain + {k} ore + 2 salt clamped; zone lane: Mill }}; setup {{ move Mill to lane }}"
            ),
            vec![],
        ));
        let guard = Scope { alone: true, looped: true, ..cx.clone() };
        let (buy, take, swap, rule, call) = (
            self.make_name("a"),
            self.make_name("a"),
            self.make_name("a"),
            self.make_name("r"),
            self.make_name("a"),
        );
        let less = self.draw.draw_one(&["", " - my.eased", " - 1 grain", " + 1 salt"]).unwrap_or("");
        let c = self.make_expr(&Ty::Bool, &guard, 1);
        let text = format!(
            "action {buy}(m: one of lane) in main cost m.price{less} from my.store {{ needs %; move m to my.mills; my.eased += {n} * m.yields }}"
        );
        out.push(make_item(&text, vec![c]));
        let c = self.make_expr(&Ty::Bool, &guard, 1);
        let text = format!(
            "action {take}(g: Good) in main cost 1 * g from market {{ needs market[g] > 1 or %; my.store += {n} * g }}"
        );
        out.push(make_item(&text, vec![c]));
        let mut body = Vec::new();
        for _ in 0..self.draw.draw_between(1, 4) {
            let (x, k) = (self.make_name("x"), self.draw.draw_between(0, 3));
            let paid = k.max(1);
            let forms = [
                format!("if % {{ my.store += {k} grain + my.coins * ore }}"),
                format!("for {x} in my.mills where it.price[ore] < {k} {{ my.store += 1 * {x}.yields + {x}.price; if % {{ market -= 1 * {x}.yields }} }}"),
                format!("if can pay {paid} grain + 1 ore from my.store and % {{ pay {paid} grain from my.store; my.coins += 1 }}"),
                "my.store = my.store[ore] * grain + my.store[grain] * ore; if % { my.eased = my.store - market }".into(),
                format!("if % {{ market = {k} * market - 1 salt + my.eased }}"),
                format!("for {x} in Good {{ if my.store[{x}] > {k} and % {{ my.store -= 1 * {x}; market += 1 * {x} }} }}"),
                "if % { my.store = nothing; my.coins += 2 }".into(),
            ];
            let form = self.draw.draw_one(&forms).unwrap_or_default();
            let c = self.make_expr(&Ty::Bool, &cx, 1);
            body.push(make_stmt(&form, vec![c]));
        }
        body.push(make_stmt(
            "say \"goods {sum(g in Good: my.store[g])} {my.store[grain]} {market[salt]} {count(Mill where it.price[ore] > 1)} {my.eased[ore]}\"",
            vec![],
        ));
        out.push(make_item(&format!("rule {rule}() %"), vec![Node::block(body)]));
        out.push(make_item(&format!("action {call}() in main {{ {rule}() }}"), vec![]));
        if self.draw.draw_percent(60) {
            let (c, body) = (self.make_expr(&Ty::Bool, &cx, 1), self.make_stmts(&cx, 0, 1));
            let text = "rule spend(g: Good, n: int) pays Good { needs my.store[g] >= n; needs %; my.store -= n * g; if yes % }";
            out.push(make_item(text, vec![c, Node::block(body)]));
            // A term of 0 is refused.
            let salt = if k > 0 { format!("{k} salt + ") } else { String::new() };
            let text = format!(
                "action {swap}(g: Good) in main cost {salt}2 * g + 1 coins {{ if can pay 1 ore {{ my.coins += 3 }} }}"
            );
            out.push(make_item(&text, vec![]));
        }
    }

    /// Beads and dolls that lie in one zone, and are chosen in one question.
    fn declare_fair(&mut self, out: &mut Vec<Node>) {
        let cx = Scope { me: true, folds: 1, ..Scope::default() };
        let (n, k) = (self.draw.draw_between(0, 3), self.draw.draw_between(1, 4));
        out.push(make_item(
            &format!(
                "token Bead {{ worth: 0..5 = {n}; dull: bool = no }}; Bead amber x2 {{ worth: 4 }}; Bead jet"
            ),
            vec![],
        ));
        let (back, old) = self.draw.draw_one(&[("", ""), ("back age: 0..3 = 1; ", " 3")]).unwrap_or_default();
        out.push(make_item(
            &format!("piece Doll {{ {back}worth: 1..6 = {k}; size: 1..3 = 2 per stay }}; Doll rag x2{old}; Doll wax {{ worth: 6 }}"),
            vec![],
        ));
        let seen = self.draw.draw_one(&["", "", " seen by owner"]).unwrap_or("");
        out.push(make_item(
            &format!("table {{ zone fair: Bead or Doll; zone sack: Doll or Bead seen by nobody }}; player {{ zone bundle: Bead or Doll{seen}; liked: Bead or Doll? }}; setup {{ move Doll to fair; move Bead to fair }}"),
            vec![],
        ));
        let (value, rule, take, call) =
            (self.make_name("v"), self.make_name("r"), self.make_name("a"), self.make_name("a"));
        let c = self.make_expr(&Ty::Bool, &Scope { folds: 1, ..Scope::default() }, 1);
        out.push(make_item(
            &format!("value {value}(x: Bead or Doll): bool = x.worth > {n} or x is Doll and %"),
            vec![c],
        ));
        let c = self.make_expr(&Ty::Bool, &Scope { alone: true, looped: true, ..cx.clone() }, 1);
        let text = format!(
            "action {take}(t: one of fair where {value}(it)) \"Take {{t}}\" in main {{ needs t is Bead or %; my.coins += t.worth; move t to my.bundle; if t is Doll {{ t.size = 3 }} }}"
        );
        out.push(make_item(&text, vec![c]));
        let mut body = Vec::new();
        for _ in 0..self.draw.draw_between(1, 3) {
            let x = self.make_name("x");
            let forms = [
                format!("let {x} = choose one of fair \"Which do you like?\"; if % {{ my.liked = {x} }}"),
                format!(
                    "for {x} in first 2 of fair {{ if {x} is Bead and % {{ {x}.dull = yes; move {x} to my.bundle }} else {{ move {x} to sack }} }}"
                ),
                "if % { move fair to sack; shuffle sack; move first 3 of sack to fair }".into(),
                "if my.liked is some and % { move my.liked to my.bundle; my.coins += my.liked.worth }".into(),
                "if % { swap my.bundle, (left(me)).bundle }".into(),
                format!("for {x} in Doll where it in fair {{ if % {{ {x}.size = 1 }} }}"),
                "if % { move my.bundle to fair }".into(),
            ];
            let form = self.draw.draw_one(&forms).unwrap_or_default();
            let c = self.make_expr(&Ty::Bool, &cx, 1);
            body.push(make_stmt(&form, vec![c]));
        }
        body.push(make_stmt(
            "say \"fair {count(fair where Bead)} {sum(x in fair: x.worth)} {count(sack)} {count(fair + my.bundle)} {sum(x in Doll: x.size)}\"",
            vec![],
        ));
        out.push(make_item(&format!("rule {rule}() %"), vec![Node::block(body)]));
        out.push(make_item(&format!("action {call}() in main {{ {rule}() }}"), vec![]));
    }

    /// The size of the map becomes an option that is as large as the map is, and may be larger.
    fn compute_size(&mut self, root: &mut [Node], out: &mut Vec<Node>) {
        let Some(map) = root.iter_mut().find(|n| first_words(n).starts_with("map Board")) else { return };
        let mut names = ["columns", "rows"].into_iter();
        for part in &mut map.parts {
            if let (Part::Number(n, _), Some(name)) = (&*part, names.next()) {
                let most = n + self.draw.draw_between(1, 3) as u32;
                out.push(make_item(&format!("option {name} \"{name}\": {n}..{most} = {n}"), vec![]));
                *part = Part::Text(name.into());
            }
        }
    }

    /// Logs and planks of a supply that never runs out, because nobody holds many.
    fn declare_supply(&mut self, out: &mut Vec<Node>) {
        let cx = Scope { me: true, folds: 1, ..Scope::default() };
        let (n, k) = (self.draw.draw_between(1, 3), self.draw.draw_between(0, 4));
        out.push(make_item(
            "token Timber { long: 0..5 = 1 }; Timber log x40; Timber plank x30 { long: 3 }",
            vec![],
        ));
        out.push(make_item(
            "table { zone woods: Timber unlimited }; player { zone timber: Timber }; setup { move Timber to woods }",
            vec![],
        ));
        let (take, back, x) = (self.make_name("a"), self.make_name("a"), self.make_name("x"));
        let c = self.make_expr(&Ty::Bool, &cx, 1);
        let text = format!(
            "action {take}() in main {{ needs count(my.timber) < 5; let {x} = first of woods where plank; my.coins += {x}.long; if % {{ move {x} to my.timber }} else {{ move first {n} of woods to my.timber }}; move first of woods where log to my.timber }}"
        );
        out.push(make_item(&text, vec![c]));
        let c = self.make_expr(&Ty::Bool, &cx, 1);
        let text = format!(
            "action {back}() in main {{ if % {{ move my.timber to woods }} else {{ move first {k} of my.timber to woods }}; say \"timber {{sum(x in my.timber: x.long)}}\" }}"
        );
        out.push(make_item(&text, vec![c]));
    }

    /// Offices of a kind above and two below it, which fill for their members what the first has.
    fn declare_offices(&mut self, out: &mut Vec<Node>) {
        let cx = Scope { me: true, folds: 1, ..Scope::default() };
        let (n, k) = (self.draw.draw_between(0, 3), self.draw.draw_between(1, 4));
        let c = self.make_expr(&Ty::Bool, &Scope { folds: 1, ..Scope::default() }, 1);
        let text = "card Office { dues: 0..9; rank: 1..3; value fee(n: int): int; value open(p: player): bool = %; rule serve(n: int); rule bow(n: int) { my.coins += n } }";
        out.push(make_item(text, vec![c]));
        let (own, c) = (
            self.make_stmts(&cx, 0, 1),
            self.make_expr(&Ty::Bool, &Scope { folds: 1, ..Scope::default() }, 1),
        );
        let text = format!(
            "card Guild is Office {{ dues = {n}; fee(n) = n + dues; open(p) = %; bow(n) {{ needs my.coins > 0; my.coins -= 1 }}; serve(n) {{ my.coins += fee(n); if yes % }} }}"
        );
        out.push(make_item(&text, vec![c, Node::block(own)]));
        let own = self.make_stmts(&cx, 0, 1);
        let text = format!(
            "card Court is Guild {{ dues = {k}; fee(n) = {k} * n; rank = 3; serve(n) {{ if n > {n} % else {{ my.coins += dues }} }} }}"
        );
        out.push(make_item(&text, vec![Node::block(own)]));
        let text = format!(
            "Guild smith x2 {{ rank: 1 }}; Guild baker {{ rank: 2; fee(n) = {k} - n }}; Court judge; Court clerk {{ rank: 1; serve(n) {{ my.coins += 1 }} }}; Office idle {{ dues: 1; rank: 2; fee(n) = 0 }}"
        );
        out.push(make_item(&text, vec![]));
        out.push(make_item("table { zone street: Office }; setup { move Office to street }", vec![]));
        let (serve, all, x) = (self.make_name("a"), self.make_name("a"), self.make_name("x"));
        let c = self.make_expr(&Ty::Bool, &Scope { alone: true, looped: true, ..cx.clone() }, 1);
        let text = format!(
            "action {serve}(o: one of street where it.open(me)) in main {{ needs o.fee({k}) > 1 or %; o.serve({n}); if can o.bow(1) {{ o.bow({k}) }} }}"
        );
        out.push(make_item(&text, vec![c]));
        let c = self.make_expr(&Ty::Bool, &cx, 1);
        let text = format!(
            "action {all}() in main {{ for {x} in street where it.rank > 1 {{ if % {{ {x}.serve({x}.dues) }} }}; say \"offices {{sum(x in street: x.fee(2))}} {{count(street where it is Guild and it.open(me))}}\" }}"
        );
        out.push(make_item(&text, vec![c]));
    }

    /// Attributes of kinds that are there become `per stay`.
    fn set_back_attributes(&mut self, root: &mut [Node]) {
        let some: Vec<_> = (self.attrs.iter())
            .filter_map(|a| match a.of {
                Holder::Kind(k) if !a.printed => Some((self.kinds.get(k)?.name, a.name)),
                _ => None,
            })
            .collect();
        for (kind, attr) in some {
            let of_kind = format!(" {kind} ");
            let declares = |n: &&mut Node| {
                first_words(n)
                    .split_once(' ')
                    .is_some_and(|(_, rest)| format!(" {rest}").starts_with(&of_kind))
            };
            let Some(Part::Row(_, _, rows)) = root.iter_mut().find(declares).and_then(|n| n.parts.get_mut(1))
            else {
                continue;
            };
            for row in rows.iter_mut().filter(|r| first_words(r).starts_with(&format!("{attr}: "))) {
                if self.draw.draw_percent(70)
                    && let Some(Part::Text(text)) = row.parts.first_mut()
                {
                    text.push_str(" per stay");
                }
            }
        }
    }
}
