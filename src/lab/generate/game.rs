//! Generates a whole game from one seed: values, rules, menus, actions, attachments, set-up and rounds.
use super::Feature;
use super::draw::Draw;
use super::exprs::{Can, Scope};
use super::tree::{Node, NodeSort, Part, Program, Ty};
use super::world::{Callable, Generator, Holder};

/// The program of a seed.
pub fn make_program(seed: u64, without: &[Feature]) -> Program {
    let mut w = Generator::new(seed, without);
    let mut apart = Draw::with_stream_beside(seed);
    w.enlarge_world(&mut apart);
    let mut values = Vec::new();
    let mut charms = Vec::new();
    w.own_values = w.draw.draw_percent(40)
        && w.has_feature(Feature::OwnValues)
        && w.kinds.iter().any(|k| k.name == "Card");
    for _ in 0..3 + w.draw.draw_below(7) {
        w.make_value(&mut values, &mut charms);
    }
    let active = w.attrs.iter().find(|a| a.name == "awake").map(|_| "owner.awake".to_string());
    let active = active.filter(|_| w.draw.draw_percent(50));
    let mut rules = Vec::new();
    for _ in 0..w.draw.draw_below(4) {
        w.make_rule(&mut rules);
    }
    let mut actions = w.make_actions();
    let mut root = vec![w.make_head()];
    root.extend(w.make_declarations(charms, active));
    root.push(Node::new(NodeSort::Item, "option size \"Size\": 1..4 = 2", vec![]));
    if w.zones.iter().any(|z| z.name == "desk") {
        let body = w.draw.draw_one(&[
            "if round < 2 then players else [d.holder]",
            "[d.holder]",
            "players where it != d.holder",
        ]);
        let text = format!("value lookers(d: Note): set of player = {}", body.unwrap_or("players"));
        root.push(Node::new(NodeSort::Item, &text, vec![]));
    }
    root.extend(values);
    root.extend(rules);
    let probes = w.make_probes();
    root.push(probes);
    root.extend(w.make_set_up());
    root.extend(w.make_rounds());
    let names: Vec<String> = actions.iter().filter_map(name_of_action).collect();
    let added = w.make_additions(apart, &mut root, &mut actions);
    root.extend(actions);
    root.extend(added);
    w.make_advice("turn", &Scope { folds: 1, can: Can::Main, sees: true, ..Scope::default() }, &mut root);
    if let Some(mut rich) = w.variant.take() {
        // Drawn last, so that the rest of the program is as without.
        if let Some(name) = w.draw.draw_one(&names).filter(|_| w.draw.draw_percent(40)) {
            rich.push(Node::new(NodeSort::Item, &format!("remove {name}"), vec![]));
        }
        if w.kinds.iter().any(|k| k.name == "Card") && w.draw.draw_percent(50) {
            let rank = w.draw.draw_between(0, 5);
            rich.push(Node::new(NodeSort::Item, &format!("change oak {{ rank: {rank} }}"), vec![]));
        }
        root.push(Node::rows(NodeSort::Item, "variant rich \"Rich\" {\n", rich, "\n}"));
    }
    let constants = w.constants();
    Program { root: Node::rows(NodeSort::Fixed, "", root, ""), constants }
}

/// The name of an action, if that is what a declaration declares.
fn name_of_action(node: &Node) -> Option<String> {
    let text = node.to_text();
    text.strip_prefix("action ")?.split('(').next().map(String::from)
}

impl Generator {
    fn make_head(&mut self) -> Node {
        let players = self.players.iter().map(|p| Node::new(NodeSort::Item, p, vec![])).collect();
        let mut parts = vec![
            Part::Text("game Made \"Made\" { players ".into()),
            Part::Row(", ", 2, players),
            Part::Text("; outcome highest coins".into()),
        ];
        if self.draw.draw_percent(15) {
            let c = self.make_expr(&Ty::Bool, &Scope { folds: 1, ..Scope::default() }, 2);
            parts.push(Part::Row(
                "",
                0,
                vec![Node::new(NodeSort::Item, "; ends when round > 1 and %", vec![c])],
            ));
        }
        parts.push(Part::Text(" }".into()));
        Node { sort: NodeSort::Fixed, parts }
    }

    /// Parameters of a value, rule or attachment: their text, and what can be spoken of inside.
    fn make_params(&mut self, most: usize, sets: bool) -> (String, Vec<(String, Ty)>) {
        let mut out: Vec<(String, Ty)> = Vec::new();
        for _ in 0..self.draw.draw_below(most + 1) {
            let mut tys = vec![Ty::Player, Ty::Player, Ty::Int];
            if self.map.is_some() {
                tys.extend([Ty::Space, Ty::Space, Ty::Space.maybe()]);
            }
            for k in 0..self.kinds.len() {
                if self.kinds.get(k).is_some_and(|k| !k.hidden) {
                    tys.push(Ty::Thing(k));
                }
            }
            tys.push(Ty::Word(self.draw.draw_below(self.enums.len())));
            if sets && self.draw.draw_percent(15) {
                tys = vec![Ty::Player.set()];
                if self.map.is_some() {
                    tys.push(Ty::Space.set());
                }
            }
            let ty = self.draw.draw_one(&tys).unwrap_or(Ty::Int);
            let start = match &ty {
                Ty::Player => "p",
                Ty::Space | Ty::Maybe(_) => "c",
                Ty::Int => "n",
                Ty::Thing(_) => "t",
                Ty::Word(_) => "w",
                _ => "s",
            };
            let name = self.make_name(start);
            out.push((name, ty));
        }
        let all: Vec<String> = out.iter().map(|(n, t)| format!("{n}: {}", self.type_name(t))).collect();
        (all.join(", "), out)
    }

    /// A value, and sometimes what modifies it.
    fn make_value(&mut self, out: &mut Vec<Node>, charms: &mut Vec<Node>) {
        let mut tys = vec![Ty::Int, Ty::Int, Ty::Bool, Ty::Bool, Ty::Player.set(), Ty::Player.maybe()];
        if self.map.is_some() {
            tys.extend([Ty::Space.set(), Ty::Space.set(), Ty::Space.maybe(), Ty::Bool]);
            if self.has_feature(Feature::ListOrder) {
                tys.push(Ty::Space.list());
            }
        }
        let ty = self.draw.draw_one(&tys).unwrap_or(Ty::Int);
        let folds = self.draw.draw_below(3);
        let name = self.make_name("v");
        let (params, locals) = self.make_params(3, true);
        let cx = Scope { locals: locals.clone(), folds, ..Scope::default() };
        let deep = 2 + self.draw.draw_below(2);
        // What numbers come to is bounded by how deep they call each other.
        let calls = std::mem::take(&mut self.values);
        if ty != Ty::Int || self.draw.draw_percent(50) {
            self.values = calls.iter().filter(|v| v.ty != Ty::Int || v.level < 2).cloned().collect();
        }
        let body = self.make_expr(&ty, &cx, deep);
        let level = self.call_depth_of(&body);
        let shown = self.type_name(&ty);
        let mut locals = locals;
        let mut params = params;
        if !self.has_feature(Feature::UnusedArguments) {
            let text = body.to_text();
            let is_used = |name: &str| text.split(|c: char| !c.is_ascii_alphanumeric()).any(|w| w == name);
            locals.retain(|(n, _)| is_used(n));
            let all: Vec<String> =
                locals.iter().map(|(n, t)| format!("{n}: {}", self.type_name(t))).collect();
            params = all.join(", ");
        }
        let cx = Scope { locals: locals.clone(), ..cx };
        let brackets = if locals.is_empty() { String::new() } else { format!("({params})") };
        out.push(Node::new(NodeSort::Item, &format!("value {name}{brackets}: {shown} = %"), vec![body]));
        if matches!(ty, Ty::Int | Ty::Bool) && self.draw.draw_percent(35) && self.has_feature(Feature::Modify)
        {
            let names: Vec<&str> = locals.iter().map(|(n, _)| n.as_str()).collect();
            let head = if names.is_empty() { name.clone() } else { format!("{name}({})", names.join(", ")) };
            let node = self.make_modify(&head, &ty, &cx);
            match &mut self.variant {
                Some(rich) if out.len().is_multiple_of(2) => rich.extend(node),
                _ => out.extend(node),
            }
        }
        if matches!(ty, Ty::Int | Ty::Bool)
            && locals.first().is_some_and(|(_, t)| *t == Ty::Player)
            && let Some(charm) = self.kinds.iter().position(|k| k.name == "Charm")
            && self.has_feature(Feature::Modify)
        {
            let cx = Scope {
                locals: vec![("owner".into(), Ty::Player), ("this".into(), Ty::Thing(charm))],
                folds,
                ..Scope::default()
            };
            charms.extend(self.make_modify(&format!("{name}(owner)"), &ty, &cx));
        }
        self.values = calls;
        self.values.push(Callable {
            name,
            params: locals.into_iter().map(|l| l.1).collect(),
            ty,
            folds,
            level,
        });
    }

    /// How deep values that are numbers call each other in an expression.
    fn call_depth_of(&self, body: &Node) -> usize {
        let text = body.to_text();
        let called = self.values.iter().filter(|v| v.ty == Ty::Int && text.contains(v.name.as_str()));
        called.map(|v| v.level + 1).max().unwrap_or(0)
    }

    fn make_modify(&mut self, head: &str, ty: &Ty, cx: &Scope) -> Option<Node> {
        let when = self.draw.draw_percent(50);
        let c = self.make_expr(&Ty::Bool, cx, 2);
        let (pattern, kids) = if *ty == Ty::Bool {
            let a = self.make_expr(&Ty::Bool, cx, 1);
            let op = self.draw.draw_one(&["and", "or"]).unwrap_or("and");
            (format!("modify {head} = usual {op} %"), vec![a])
        } else {
            let e = self.make_expr(&Ty::Int, cx, 1);
            let op =
                self.draw.draw_one(&["=", "+=", "-=", "at least", "at most", "= usual +"]).unwrap_or("+=");
            (format!("modify {head} {op} %"), vec![e])
        };
        let pattern = format!("{pattern}{}", self.pick_phase());
        Some(if when {
            let kids = kids.into_iter().chain([c]).collect();
            Node::new(NodeSort::Item, &format!("{pattern} when %"), kids)
        } else {
            Node::new(NodeSort::Item, &pattern, kids)
        })
    }

    /// Sometimes the phase while which an attachment is in force.
    fn pick_phase(&mut self) -> &'static str {
        if self.phased && self.draw.draw_percent(30) { " during early" } else { "" }
    }

    fn make_rule(&mut self, out: &mut Vec<Node>) {
        let name = self.make_name("r");
        let (params, locals) = self.make_params(2, false);
        let locals: Vec<_> = locals;
        let cx = Scope { locals: locals.clone(), me: true, folds: 2, ..Scope::default() };
        let mut body = self.make_head_steps(&cx);
        body.extend(self.make_stmts(&Scope { can: Can::Main, sees: true, ..cx.clone() }, 2, 3));
        out.push(Node::new(NodeSort::Item, &format!("rule {name}({params}) %"), vec![Node::block(body)]));
        let names: Vec<&str> = locals.iter().map(|(n, _)| n.as_str()).collect();
        let head = format!("{name}({})", names.join(", "));
        self.make_advice(&head, &cx, out);
        if self.draw.draw_percent(15) && self.has_feature(Feature::Around) {
            let c = self.make_expr(&Ty::Bool, &cx, 1);
            out.push(Node::new(NodeSort::Item, &format!("forbid {head} when % else \"never\""), vec![c]));
        }
        let params = locals.into_iter().map(|l| l.1).collect();
        self.rules.push(Callable { name, params, ty: Ty::Bool, folds: 2, level: 0 });
    }

    /// What a rule needs, and what it costs.
    pub(super) fn make_head_steps(&mut self, cx: &Scope) -> Vec<Node> {
        let mut out = Vec::new();
        if self.draw.draw_percent(20) {
            let c = self.make_expr(&Ty::Bool, cx, 1);
            out.push(Node::new(NodeSort::Item, "needs %", vec![c]));
        }
        if self.draw.draw_percent(15) && self.has_feature(Feature::Costs) {
            let n = self.draw.draw_between(1, 2);
            let steps = self.attrs.iter().any(|a| a.name == "steps") && self.draw.draw_percent(40);
            let more = if steps { " + 1 steps" } else { "" };
            out.push(Node::new(NodeSort::Item, &format!("pay {n} coins{more}"), vec![]));
        }
        out
    }

    /// What is attached round a rule or an action.
    fn make_advice(&mut self, head: &str, cx: &Scope, out: &mut Vec<Node>) {
        if !self.has_feature(Feature::Around) || !self.draw.draw_percent(30) {
            return;
        }
        let word = self.draw.draw_one(&["before", "after", "instead of", "after"]).unwrap_or("after");
        let cx = Scope { me: true, ..cx.clone() };
        let when = self.make_expr(&Ty::Bool, &cx, 2);
        let mut body = self.make_stmts(&cx, 1, 2);
        if word == "instead of" {
            body.push(Node::new(NodeSort::Stmt, "proceed()", vec![]));
        }
        let pattern = format!("{word} {head}{} when % %", self.pick_phase());
        let node = Node::new(NodeSort::Item, &pattern, vec![when, Node::block(body)]);
        match &mut self.variant {
            Some(rich) if out.len().is_multiple_of(3) => rich.push(node),
            _ => out.push(node),
        }
    }

    /// Rules that say what values and expressions come to.
    fn make_probes(&mut self) -> Node {
        let mut out = Vec::new();
        let cx = Scope { me: true, folds: 2, can: Can::Main, sees: true, ..Scope::default() };
        let say = |what: &str, e: Node| Node::new(NodeSort::Stmt, &format!("say \"{what} {{%}}\""), vec![e]);
        for v in self.values.clone() {
            let mut loops: Vec<(String, String)> = Vec::new();
            let mut here = cx.clone();
            let mut args = Vec::new();
            for p in &v.params {
                let kind = self.type_name(p);
                let over = match p {
                    Ty::Thing(_) | Ty::Space => Some(kind),
                    Ty::Player => Some("players".into()),
                    _ => None,
                };
                match over {
                    // One loop only, so that little is said.
                    Some(over) if loops.is_empty() => {
                        let name = self.make_name("x");
                        loops.push((name.clone(), format!("first 3 of {over}")));
                        here = here.with_name(&name, p.clone());
                        args.push(Node::expr(p.clone(), &name, vec![]));
                    }
                    Some(over) if matches!(p, Ty::Thing(_)) => {
                        let name = self.make_name("x");
                        loops.push((name.clone(), format!("first 2 of {over}")));
                        here = here.with_name(&name, p.clone());
                        args.push(Node::expr(p.clone(), &name, vec![]));
                    }
                    _ => {
                        let deep = self.draw.draw_below(2);
                        args.push(self.make_expr(p, &here, deep));
                    }
                }
            }
            let holes = vec!["%"; args.len()].join(", ");
            let call = if args.is_empty() { v.name.clone() } else { format!("{}({holes})", v.name) };
            let shown = match &v.ty {
                Ty::Int | Ty::Set(_) => call.clone(),
                Ty::Maybe(t) => format!(
                    "count({} where it == {call})",
                    if **t == Ty::Player { "players" } else { "Cell" }
                ),
                _ => format!("if {call} then 1 else 0"),
            };
            let mut s = if let Ty::List(_) = v.ty {
                Node::new(NodeSort::Stmt, &format!("for x in {call} {{ say \"{} {{x}}\" }}", v.name), args)
            } else {
                say(&v.name, Node::expr(Ty::Int, &shown, args))
            };
            for (name, over) in loops.into_iter().rev() {
                s = Node::new(NodeSort::Stmt, &format!("for {name} in {over} {{ % }}"), vec![s]);
            }
            out.push(s);
        }
        for _ in 0..3 {
            let e = self.make_expr(&Ty::Int, &cx, 3);
            out.push(say("number", e));
            let e = self.make_expr(&Ty::Bool, &cx, 3);
            out.push(say("truth", Node::expr(Ty::Int, "if % then 1 else 0", vec![e])));
        }
        for zone in ["vault", "nook"] {
            if self.has_feature(Feature::Sees) && self.zones.iter().any(|z| z.name == zone) {
                let p = self.make_expr(&Ty::Player, &cx, 1);
                let pattern = format!(
                    "for t in first 2 of {zone} {{ say \"{zone} {{if sees(%, t) then 1 else 0}}\" }}"
                );
                out.push(Node::new(NodeSort::Stmt, &pattern, vec![p]));
            }
        }
        Node::new(NodeSort::Item, "rule probe() %", vec![Node::block(out)])
    }

    fn make_set_up(&mut self) -> Vec<Node> {
        let mut out = Vec::new();
        let stmt = |text: String| Node::new(NodeSort::Stmt, &text, vec![]);
        for z in self.zones.clone() {
            let kind = self.kinds.get(z.kind).map_or("Card", |k| k.name);
            match z.name {
                "deck" | "tray" | "vault" => {
                    let filter = if z.name == "deck" && self.draw.draw_percent(50) { "" } else { kind };
                    let filter = if filter.is_empty() || self.draw.draw_percent(70) { kind } else { filter };
                    out.push(stmt(format!("move {filter} to {}", z.name)));
                    if self.kinds.get(z.kind).is_some_and(|k| k.die) {
                        out.push(stmt(format!("roll {}", z.name)));
                    } else if z.name == "vault"
                        || self.draw.draw_percent(60) && self.has_feature(Feature::ShuffledKinds)
                    {
                        out.push(stmt(format!("shuffle {}", z.name)));
                    }
                }
                "hand" => out.push(stmt("for p in players { move first 2 of deck to p.hand }".into())),
                "letters" => out.push(stmt("for p in players { move first of vault to p.letters }".into())),
                "worn" => {
                    out.push(stmt("for p in players { move first of deck where Charm to p.worn }".into()))
                }
                "purse" => {
                    out.push(stmt("for p in players { move first of box where Chip to p.purse }".into()))
                }
                "on" => out.push(stmt(
                    "for m in Man { for c in first 1 of (Cell where on is none) { move m to c.on } }".into(),
                )),
                "camp" => out.push(stmt("move Man to camp".into())),
                "nook" => out.push(stmt("move first of vault to nook face down".into())),
                super::world::LEDGE => {
                    out.push(stmt(format!(
                        "move first {} of vault to ledge face up",
                        self.draw.draw_between(1, 2)
                    )));
                }
                "heap" => out
                    .push(stmt("for c in first 2 of Cell { move first of box where Chip to c.heap }".into())),
                _ => {}
            }
        }
        for a in self.attrs.clone() {
            if a.printed || !self.draw.draw_percent(70) {
                continue;
            }
            let value = match &a.ty {
                Ty::Int => "choose one of 0..3 by chance".to_string(),
                Ty::Player => "choose one of players by chance".into(),
                Ty::Space => "choose one of Cell by chance".into(),
                Ty::Maybe(t) => format!(
                    "choose one of {} by chance",
                    if **t == Ty::Player { "players".into() } else { self.type_name(t) }
                ),
                Ty::Word(_) => format!("choose one of {} by chance", self.type_name(&a.ty)),
                _ => "yes".into(),
            };
            let some = self.draw.draw_percent(60) || a.ty == Ty::Bool;
            out.push(stmt(match a.of {
                Holder::Table => format!("{} = {value}", a.name),
                Holder::Player => format!("for p in players {{ p.{} = {value} }}", a.name),
                Holder::Space if some => {
                    format!(
                        "for c in Cell {{ if (choose one of 0..1 by chance) == 1 {{ c.{} = {value} }} }}",
                        a.name
                    )
                }
                Holder::Space => format!("for c in Cell {{ c.{} = {value} }}", a.name),
                Holder::Kind(k) => {
                    let kind = self.kinds.get(k).map_or("Card", |k| k.name);
                    format!(
                        "for t in {kind} {{ if (choose one of 0..1 by chance) == 1 {{ t.{} = {value} }} }}",
                        a.name
                    )
                }
            }));
        }
        vec![Node::new(NodeSort::Item, "setup %", vec![Node::block(out)])]
    }

    fn make_rounds(&mut self) -> Vec<Node> {
        let effect = Scope { can: Can::Main, sees: true, ..Scope::default() };
        let menus = self.draw.draw_one(&["main", "main", "main, side"]).unwrap_or("main");
        let leaves = self.phased && self.draw.draw_percent(40);
        let flee = if leaves { "flee(); " } else { "" };
        let turns = format!("everyone in turn {{ probe(); {flee}offer {menus} }}");
        let mut inner = vec![Node::new(NodeSort::Stmt, &turns, vec![])];
        let mut out = Vec::new();
        if self.phased {
            let mut body = std::mem::take(&mut inner);
            let remembers = self.draw.draw_percent(30);
            if remembers {
                let n = self.draw.draw_between(0, 3);
                body.insert(0, Node::new(NodeSort::Fixed, &format!("has kept: 0..9 = {n} clamped"), vec![]));
                body.push(Node::new(NodeSort::Fixed, "early.kept += 2", vec![]));
                body.push(Node::new(NodeSort::Fixed, "say \"kept {early.kept}\"", vec![]));
            }
            let lies = self.draw.draw_one(&["Charm", "Chip"]).unwrap_or("Chip");
            if self.draw.draw_percent(40) && self.kinds.iter().any(|k| k.name == lies) {
                let active = if lies == "Charm" { " active" } else { "" };
                let zone = format!("has zone lot: {lies}{active}");
                let fill = format!("move first 2 of box where {lies} to early.lot");
                body.insert(usize::from(remembers), Node::new(NodeSort::Fixed, &fill, vec![]));
                body.insert(0, Node::new(NodeSort::Fixed, &zone, vec![]));
                body.push(Node::new(NodeSort::Fixed, "say \"{count(early.lot)} lie there\"", vec![]));
            }
            if self.draw.draw_percent(40) {
                body.extend(self.make_stmts(&Scope { folds: 1, ..effect.clone() }, 1, 2));
            }
            out.push(Node::new(NodeSort::Fixed, "phase early() \"Early\" %", vec![Node::block(body)]));
            if leaves {
                let c = self.make_expr(&Ty::Bool, &Scope { me: true, folds: 1, ..effect.clone() }, 2);
                out.push(Node::new(NodeSort::Fixed, "rule flee() { if % { end early } }", vec![c]));
            }
            inner.push(Node::new(NodeSort::Stmt, "early()", vec![]));
        }
        if self.draw.draw_percent(20) && self.has_feature(Feature::Freely) {
            inner.push(Node::new(NodeSort::Stmt, "everyone freely { offer side }", vec![]));
        }
        if self.draw.draw_percent(25) {
            let cx = Scope { me: true, folds: 1, ..effect.clone() };
            let (set, name, elem) =
                self.make_fold_source(&Scope { can: Can::Nothing, sees: false, ..cx.clone() }, 1);
            let body = self.make_stmts(&cx.with_name(&name, elem.maybe()), 0, 2);
            inner.push(Node::new(
                NodeSort::Stmt,
                &format!("everyone at once {{ let {name} = choose one of % \"Which?\"; % }}"),
                vec![set, Node { sort: NodeSort::Fixed, parts: vec![Part::Row("; ", 0, body)] }],
            ));
        }
        if self.draw.draw_percent(20) {
            let cx = Scope { folds: 1, ..effect.clone() };
            let l = self.make_list(&Ty::Player, &cx, 2);
            let body = self.make_stmts(&Scope { me: true, ..cx }, 1, 2);
            inner.push(Node::new(NodeSort::Stmt, "everyone of % in turn %", vec![l, Node::block(body)]));
        }
        if self.draw.draw_percent(15) {
            let cx = Scope { me: true, folds: 1, ..effect.clone() };
            let body = self.make_stmts(&cx, 1, 2);
            let how = self.draw.draw_one(&["in any order", "in turn", "one by one"]).unwrap_or("in turn");
            inner.push(Node::new(NodeSort::Stmt, &format!("everyone {how} %"), vec![Node::block(body)]));
        }
        if self.draw.draw_percent(40) {
            inner.extend(self.make_stmts(&Scope { folds: 2, ..effect }, 1, 2));
        }
        if self.draw.draw_percent(15) {
            let all = self.draw.draw_one(&["all", "all but one"]).unwrap_or("all");
            let how = self.draw.draw_one(&["one by one", "in turn", "in any order"]).unwrap_or("in turn");
            let text = format!("everyone {how} until {all} pass {{ offer {menus} }}");
            inner.push(Node::new(NodeSort::Stmt, &text, vec![]));
        }
        let n = self.draw.draw_between(2, 5);
        out.push(Node::new(NodeSort::Fixed, &format!("round {n} times %"), vec![Node::block(inner)]));
        out
    }

    fn make_actions(&mut self) -> Vec<Node> {
        let guard = Scope { me: true, alone: true, folds: 2, can: Can::Side, ..Scope::default() };
        let mut entries = vec![Node::new(
            NodeSort::Item,
            self.draw.draw_one(&["pass", "pass", "done", "pass when no action"]).unwrap_or("pass"),
            vec![],
        )];
        if self.draw.draw_percent(15) {
            let c = self.make_expr(&Ty::Bool, &Scope { alone: false, ..guard.clone() }, 2);
            entries.push(Node::new(NodeSort::Item, "open when %", vec![c]));
        }
        if self.draw.draw_percent(15) {
            let c = self.make_expr(&Ty::Bool, &guard, 2);
            entries.push(Node::new(NodeSort::Item, "needs % else \"not now\"", vec![c]));
        }
        let menu =
            vec![Part::Text("menu main { ".into()), Part::Row("; ", 0, entries), Part::Text(" }".into())];
        // No draw of its own: what is drawn behind it stays as it is.
        let side =
            if self.attrs.len() % 3 == 1 { "menu side { done; cost 1 coins }" } else { "menu side { done }" };
        let side = Node::new(NodeSort::Fixed, side, vec![]);
        let mut out = vec![Node { sort: NodeSort::Fixed, parts: menu }, side];
        for _ in 0..2 + self.draw.draw_below(3) {
            self.make_action("main", &guard, &mut out);
        }
        for _ in 0..self.draw.draw_below(3) {
            self.make_action("side", &Scope { alone: false, can: Can::Nothing, ..guard.clone() }, &mut out);
        }
        out
    }

    fn make_action(&mut self, menu: &str, guard: &Scope, out: &mut Vec<Node>) {
        let name = self.make_name("a");
        let mut cx = guard.clone();
        let mut params = Vec::new();
        let mut names = Vec::new();
        let mut subset = None;
        let n = self.draw.draw_weighted(&[1, 5, 4, 2]);
        for i in 0..n {
            let last = i + 1 == n;
            if let Some((node, name, ty, whole)) = self.make_param(&cx, last) {
                params.push(node);
                if whole {
                    subset = Some((name, ty));
                } else {
                    // A row is spoken of as the set of its spaces.
                    let rank = format!("({name} where it in {name})");
                    cx = cx.with_name(if matches!(ty, Ty::Set(_)) { &rank } else { &name }, ty);
                    cx.looped = true;
                    names.push(name);
                }
            }
        }
        let mut body = Vec::new();
        if self.draw.draw_percent(25) {
            let (x, ty) =
                (self.make_name("x"), self.draw.draw_one(&[Ty::Int, Ty::Player.maybe()]).unwrap_or(Ty::Int));
            let e = self.make_expr(&ty, &cx, 2);
            body.push(Node::new(NodeSort::Item, &format!("let {x} = %"), vec![e]));
            cx = cx.with_name(&x, ty);
        }
        // Guards of a whole set, where there are not too many sets to ask about.
        let few = params
            .last()
            .map(Node::to_text)
            .filter(|p| p.contains(": up to 2 of ") || p.contains(": 1..2 of "));
        let judged = subset.clone().filter(|_| few.is_some() && self.draw.draw_percent(70));
        let guards = judged.map_or_else(|| cx.clone(), |(name, ty)| cx.with_name(&name, ty));
        for _ in 0..self.draw.draw_below(4) {
            let c = self.make_expr(&Ty::Bool, &guards, 3);
            let els = if self.draw.draw_percent(30) { " else \"no\"" } else { "" };
            body.push(Node::new(NodeSort::Item, &format!("needs %{els}"), vec![c]));
        }
        if subset.is_none() && menu == "main" {
            body.extend(self.make_head_steps(&cx).into_iter().filter(|n| n.to_text().starts_with("pay")));
        }
        cx.tame = subset.is_none() && self.draw.draw_percent(8) && self.has_feature(Feature::MustLeave);
        if cx.tame {
            let locals = cx.locals.iter().filter(|(n, _)| !n.contains('.')).cloned().collect();
            let left = Scope { locals, can: Can::Nothing, alone: false, looped: false, ..cx.clone() };
            let c = self.make_expr(&Ty::Bool, &left, 2);
            body.push(Node::new(NodeSort::Item, "must leave % else \"left so\"", vec![c]));
        }
        cx.can = if cx.tame { Can::Nothing } else { Can::Main };
        cx.sees = !cx.tame;
        cx.alone = false;
        cx.looped = false;
        cx.locals.retain(|(_, t)| !matches!(t, Ty::Thing(k) if self.kinds.get(*k).is_some_and(|k| k.hidden)));
        let around = Scope {
            locals: cx.locals.iter().filter(|(n, _)| !n.starts_with('x')).cloned().collect(),
            ..cx.clone()
        };
        if let Some((name, ty)) = subset.clone() {
            cx = cx.with_name(&name, ty);
        }
        body.extend(self.make_stmts(&cx, 2, 3));
        if self.draw.draw_percent(4) {
            body.push(Node::new(NodeSort::Stmt, "if my.coins > 4 { win me \"rich\" }", vec![]));
        }
        let mut extra = Vec::new();
        match self.draw.draw_below(20) {
            0 => extra.push(Node::new(NodeSort::Item, "once per turn ", vec![])),
            1 => extra.push(Node::new(NodeSort::Item, "once per round ", vec![])),
            2 => extra.push(Node::new(NodeSort::Item, "cost 1 coins ", vec![])),
            3 => {
                let n = cx.locals.iter().find(|(n, _)| n.starts_with('n')).map_or("1", |(n, _)| n.as_str());
                let cost = if n == "1" { "cost 1 coins ".into() } else { format!("cost {n} * coins ") };
                extra.push(Node::new(NodeSort::Item, &cost, vec![]));
            }
            4 | 5 => {
                let c = self.make_expr(&Ty::Bool, guard, 2);
                extra.push(Node::new(NodeSort::Item, "when % ", vec![c]));
            }
            _ => {}
        }
        let parts = vec![
            Part::Text(format!("action {name}(")),
            Part::Row(", ", 0, params),
            Part::Text(format!(") in {menu} ")),
            Part::Row("", 0, extra),
            Part::Node(Node::block(body)),
        ];
        out.push(Node { sort: NodeSort::Item, parts });
        if subset.is_none() && !cx.tame {
            self.make_advice(&format!("{name}({})", names.join(", ")), &around, out);
        }
        if self.draw.draw_percent(12) && self.has_feature(Feature::Around) && subset.is_none() {
            let c = self.make_expr(&Ty::Bool, &Scope { can: Can::Nothing, sees: false, ..around }, 2);
            let head = format!("{name}({})", names.join(", "));
            out.push(Node::new(NodeSort::Item, &format!("forbid {head} when % else \"forbidden\""), vec![c]));
        }
    }

    /// A parameter of an action, its name and type, and whether it is a subset.
    fn make_param(&mut self, cx: &Scope, last: bool) -> Option<(Node, String, Ty, bool)> {
        let once = Scope { folds: 1, looped: true, ..cx.clone() };
        let item = |pattern: String, kids| Node::new(NodeSort::Item, &pattern, kids);
        if self.draw.draw_percent(15) {
            let name = self.make_name("n");
            let most = self.draw.draw_between(2, 5);
            let node = match self.draw.draw_below(3) {
                0 => item(format!("{name}: 0..my.coins"), vec![]),
                _ => item(format!("{name}: 1..{most}"), vec![]),
            };
            return Some((node, name, Ty::Int, false));
        }
        if self.has_ranks() && self.draw.draw_percent(8) {
            let (name, kind) = (self.make_name("k"), self.pick_rank());
            return Some((item(format!("{name}: {kind}"), vec![]), name, Ty::Space.set(), false));
        }
        let (set, name, elem) = self.make_fold_source(&once, 2);
        let kind = self.type_name(&elem);
        if last && self.draw.draw_percent(15) && !matches!(elem, Ty::Int | Ty::Word(_)) {
            let many = self.draw.draw_one(&["up to 2", "some", "any", "1..2"]).unwrap_or("some");
            return Some((item(format!("{name}: {many} of %"), vec![set]), name, elem.set(), true));
        }
        let whole = matches!(elem, Ty::Space | Ty::Player);
        if whole && self.draw.draw_percent(50) {
            let mut it = once.clone();
            it = it.with_candidate(&elem);
            let p = self.make_expr(&Ty::Bool, &it, 2);
            return Some((item(format!("{name}: {kind} where %"), vec![p]), name, elem, false));
        }
        if let Ty::Thing(k) = elem
            && self.kinds.get(k).is_some_and(|k| k.sets)
            && self.draw.draw_percent(40)
        {
            return Some((item(format!("{name}: {kind} of me"), vec![]), name, elem, false));
        }
        Some((item(format!("{name}: one of %"), vec![set]), name, elem, false))
    }
}
