//! Generates constructs that few programs contain: declarations added to a finished program, and statements that `say` the value of a construct.
use super::Feature;
use super::additions::{is_open, make_item, make_stmt};
use super::exprs::Scope;
use super::tree::{Node, Part, Ty};
use super::world::{Generator, Holder, MapShape};

/// How a declaration begins.
pub fn first_words(node: &Node) -> &str {
    if let Some(Part::Text(text)) = node.parts.first() { text } else { "" }
}

/// Says a number.
fn make_say(what: &str, number: Node) -> Node {
    make_stmt(&format!("say \"{what} {{%}}\""), vec![number])
}

impl Generator {
    /// Declarations that go into those that are there: how the game ends for each, who is out, where players stand, zones with numbers, clocks, drawn maps. `root` is the program
    /// so far, `actions` its menus and actions.
    pub fn declare_seldom(&mut self, root: &mut [Node], actions: &mut [Node], out: &mut Vec<Node>) {
        if self.draw.draw_percent(10)
            && let Some(Part::Text(text)) = root.first_mut().and_then(|n| n.parts.get_mut(2))
        {
            *text = text.replace("outcome highest coins", "outcome each");
            let c = self.make_expr(&Ty::Bool, &Scope { me: true, folds: 1, ..Scope::default() }, 1);
            let (word, action) = (self.draw.draw_one(&["win", "lose"]).unwrap_or("win"), self.make_name("a"));
            out.push(make_item(&format!("action {action}() in main {{ needs %; {word} me }}"), vec![c]));
        }
        if self.draw.draw_percent(8) {
            let n = self.draw.draw_between(0, 1);
            out.push(make_item(&format!("player {{ out when coins <= {n} }}"), vec![]));
        }
        if self.draw.draw_percent(8)
            && let Some(Part::Text(side)) = actions.get_mut(1).and_then(|n| n.parts.first_mut())
        {
            let n = self.draw.draw_between(1, 2);
            *side = side.replace("{ done", &format!("{{ done; clock {n} choices"));
        }
        if self.draw.draw_percent(8) && self.map.is_some() {
            self.declare_standing_players(out);
        }
        if self.draw.draw_percent(10) && self.kinds.iter().any(|k| k.name == "Chip") {
            self.declare_shelves(out);
        }
        if self.draw.draw_percent(10) {
            let a = self.players.first().copied().unwrap_or("ann");
            out.push(make_item(&format!("modify team(p) = if p == {a} then 1 else 2"), vec![]));
        }
        if self.draw.draw_percent(12) {
            // It belongs to what `must leave` tries, too.
            let cx = Scope { me: true, tame: true, folds: 1, ..Scope::default() };
            let (c, body) = (self.make_expr(&Ty::Bool, &cx, 1), self.make_stmts(&cx, 0, 1));
            out.push(make_item("after main when % %", vec![c, Node::block(body)]));
        }
        if self.draw.draw_percent(12) {
            self.declare_judged_lines(out);
        }
        if self.draw.draw_percent(15) && self.map.is_some() {
            self.declare_printed_lists(root, out);
        }
        if self.draw.draw_percent(15) {
            self.declare_giving_rules(out);
        }
        if self.draw.draw_percent(15) {
            self.declare_number_ranges(out);
        }
        if self.draw.draw_percent(20)
            && self.map.is_some_and(|m| matches!(m.0, MapShape::Squares | MapShape::Diagonal))
        {
            self.draw_map(root, out);
        }
    }

    /// A menu whose whole lines are judged: pieces that move, and fuel that is spent.
    fn declare_judged_lines(&mut self, out: &mut Vec<Node>) {
        out.push(make_item("player { fuel: 0..2 = 2 clamped per turn }", vec![]));
        let best = ["must maximise my.coins", "must minimise my.fuel", "no dead ends"];
        let best = self.draw.draw_one(&best).unwrap_or("no dead ends");
        let done = self.draw.draw_one(&["", " when my.fuel < 2", " when no action"]).unwrap_or("");
        out.push(make_item(
            &format!("menu best {{ done{done}; pass when no action; {best} else \"not this way\" }}"),
            vec![],
        ));
        let cx = Scope { me: true, folds: 1, ..Scope::default() };
        let (rule, outer, spend) = (self.make_name("r"), self.make_name("a"), self.make_name("a"));
        let c = self.make_expr(&Ty::Bool, &Scope { alone: true, ..cx.clone() }, 1);
        let text = format!(
            "action {spend}(n: 1..2) in best {{ needs my.fuel >= n; needs %; my.fuel -= n; my.coins += n - 1 }}"
        );
        out.push(make_item(&text, vec![c]));
        if self.kinds.iter().any(|k| k.name == "Man") && self.map.is_some() {
            let (near, step, m, c) =
                (self.make_name("v"), self.make_name("a"), self.make_name("t"), self.make_name("c"));
            let row =
                self.draw.draw_one(&["neighbours(c)", "reachable(from: c, steps: 2)"]).unwrap_or_default();
            out.push(make_item(&format!("value {near}(c: Cell): set of Cell = {row}"), vec![]));
            let guard = Scope { alone: true, looped: true, ..cx.with_name(&c, Ty::Space) };
            let (needs, set) =
                (self.make_expr(&Ty::Bool, &guard, 1), self.make_space_set(&Scope::default(), 0));
            let some = self.draw.draw_one(&["", " and strong"]).unwrap_or("");
            let text = format!(
                "action {step}({m}: Man of me where it.at is some{some}, {c}: one of {near}({m}.at)) in best {{ needs my.fuel > 0; needs {c}.on is none; needs {m}.at is some and {m}.at in %; needs %; my.fuel -= 1; if {c}.on is none {{ move {m} to {c}.on }} }}"
            );
            out.push(make_item(&text, vec![set, needs]));
        }
        out.push(make_item(&format!("rule {rule}() {{ offer best }}"), vec![]));
        out.push(make_item(&format!("action {outer}() in main {{ {rule}() }}"), vec![]));
    }

    /// Cards with a list of spaces printed on them.
    fn declare_printed_lists(&mut self, root: &mut [Node], out: &mut Vec<Node>) {
        let Some(card) = root.iter_mut().find(|n| first_words(n).starts_with("card Card ")) else { return };
        let spaces = self.space_names();
        let mut path = || {
            let mut some: Vec<String> = (0..3).filter_map(|_| self.draw.draw_one(&spaces)).collect();
            let mut seen = Vec::new();
            some.retain(|x| {
                !seen.contains(x) && {
                    seen.push(x.clone());
                    true
                }
            });
            format!("[{}]", some.join(", "))
        };
        let (usual, own) = (path(), path());
        if let Some(Part::Row(_, _, rows)) = card.parts.get_mut(1) {
            rows.push(make_item(&format!("path: list of Cell = {usual}"), vec![]));
        }
        out.push(make_item(&format!("Card yew x2 {{ path: {own} }}"), vec![]));
        let cx = Scope { me: true, folds: 1, ..Scope::default() };
        let (c, n) = (self.make_space(&cx, 1), self.draw.draw_between(1, 3));
        let (rule, action) = (self.make_name("r"), self.make_name("a"));
        let text = format!(
            "rule {rule}() {{ for t in last 2 of deck {{ for x in reversed(t.path) {{ say \"path {{x}}\" }}; say \"there {{index(t.path, %) default 0}} {{count(first {n} of t.path)}}\" }} }}"
        );
        out.push(make_item(&text, vec![c]));
        out.push(make_item(&format!("action {action}() in main {{ {rule}() }}"), vec![]));
    }

    /// Sets and lists of numbers that stand where a wider range is wanted, and are put together with others.
    fn declare_number_ranges(&mut self, out: &mut Vec<Node>) {
        let form = self.draw.draw_one(&["list", "set"]).unwrap_or("list");
        let (lo, more) = (self.draw.draw_between(1, 3), self.draw.draw_between(1, 4));
        let (few, many) = (format!("{form} of {lo}..{}", lo + more), format!("{form} of 0..{}", 20 * more));
        let mut written = || {
            let all: Vec<String> =
                (0..3).map(|_| self.draw.draw_between(lo, lo + more).to_string()).collect();
            format!("[{}]", all.join(", "))
        };
        let (a, b) = (written(), written());
        let [low, wide, whole, last] = std::array::from_fn(|_| self.make_name("v"));
        // What calls itself is a function of its own: its result is kept in the range of its type.
        out.push(make_item(
            &format!("value {low}(k: 0..2): {few} = if k == 0 then {a} else {low}(k - 1)"),
            vec![],
        ));
        out.push(make_item(
            &format!("value {wide}(k: 0..2): {many} = if k == 0 then {b} else {wide}(k - 1)"),
            vec![],
        ));
        out.push(make_item(&format!("value {whole}(all: {many}): int = sum(all) * 10 + count(all)"), vec![]));
        let part = match form {
            "list" => format!("({low}(k) + {wide}(k))[2] default 0"),
            _ => format!("count({wide}(k) - {low}(k))"),
        };
        out.push(make_item(
            &format!("value {last}(k: 0..2): int = {whole}({low}(k)) * 100 + {part} + (if {low}(k) == {wide}(k) then 50 else 0)"),
            vec![],
        ));
        let action = self.make_name("a");
        out.push(make_item(
            &format!("action {action}(k: 0..2) in main {{ my.coins = {last}(k) mod 9; say \"row {{{low}(k)}} {{{wide}(1)}}\" }}"),
            vec![],
        ));
    }

    /// A rule that gives a set, and one that asks for it.
    fn declare_giving_rules(&mut self, out: &mut Vec<Node>) {
        let (of, kind) = match self.map {
            Some(_) if self.draw.draw_percent(60) => (Ty::Space, "Cell"),
            _ => (Ty::Player, "player"),
        };
        let (gives, rule, action) = (self.make_name("r"), self.make_name("r"), self.make_name("a"));
        let cx = Scope { me: true, folds: 1, ..Scope::default() };
        let (c, body) =
            (self.make_expr(&Ty::Bool, &cx.with_name("n", Ty::Int), 1), self.make_stmts(&cx, 0, 1));
        let (a, b) = (self.make_set(&of, &cx, 1), self.make_set(&of, &cx, 1));
        let text = format!("rule {gives}(n: 1..3): set of {kind} {{ if % {{ give % }}; if yes %; give % }}");
        out.push(make_item(&text, vec![c, a, Node::block(body), b]));
        let n = self.draw.draw_between(1, 3);
        let text = format!(
            "rule {rule}() {{ for x in {gives}({n}) {{ say \"given {{x}}\" }}; let y = {gives}(2); say \"so many {{count(y)}}\" }}"
        );
        out.push(make_item(&text, vec![]));
        out.push(make_item(&format!("action {action}() in main {{ {rule}() }}"), vec![]));
    }

    /// Players who stand on spaces and go from one to the next.
    fn declare_standing_players(&mut self, out: &mut Vec<Node>) {
        let spaces = self.space_names();
        let (a, b) = (
            self.draw.draw_one(&spaces).unwrap_or_default(),
            self.draw.draw_one(&spaces).unwrap_or_default(),
        );
        out.push(make_item("player { at: Cell }", vec![]));
        out.push(make_item(&format!("setup {{ move players to {a} }}"), vec![]));
        let cx = Scope { me: true, folds: 1, ..Scope::default() };
        let (rule, action, c) = (self.make_name("r"), self.make_name("a"), self.make_name("c"));
        let when = self.make_expr(&Ty::Bool, &cx, 1);
        let text = format!("rule {rule}() {{ move me to (if % then {b} else {a}); move others to {b} }}");
        out.push(make_item(&text, vec![when]));
        let guard = Scope { folds: 1, alone: true, looped: true, ..cx }.with_name(&c, Ty::Space);
        let needs = self.make_expr(&Ty::Bool, &guard, 1);
        let text = format!(
            "action {action}({c}: one of neighbours(my.at)) in main {{ needs no(p in others: p.at == {c}); needs %; move me to {c}; if {c} == {a} {{ {rule}() }} }}"
        );
        out.push(make_item(&text, vec![needs]));
    }

    /// Zones with a number.
    fn declare_shelves(&mut self, out: &mut Vec<Node>) {
        out.push(make_item("player { zone shelf[n: 1..3]: Chip }", vec![]));
        let cx = Scope { me: true, folds: 1, ..Scope::default() };
        let (rule, action, n) = (self.make_name("r"), self.make_name("a"), self.make_name("n"));
        let (k, c) = (self.draw.draw_between(1, 3), self.make_expr(&Ty::Bool, &cx, 1));
        let text = format!(
            "rule {rule}(n: 1..3) {{ move first of my.purse to my.shelf[n]; if % {{ move last of my.shelf[{k}] to my.shelf[n] }}; say \"shelves {{sum(k in 1..3: k * count(my.shelf[k]))}}\" }}"
        );
        out.push(make_item(&text, vec![c]));
        let text =
            format!("action {action}({n}: 1..3) in main {{ needs count(my.shelf[{n}]) < 2; {rule}({n}) }}");
        out.push(make_item(&text, vec![]));
    }

    /// A map that is drawn, with attributes that its legend gives.
    fn draw_map(&mut self, root: &mut [Node], out: &mut Vec<Node>) {
        let Some((_, w, h)) = self.map else { return };
        let Some(map) = root.iter().position(|n| first_words(n).starts_with("map Board squares")) else {
            return;
        };
        let Some(space) = root.iter().position(|n| first_words(n).starts_with("space Cell on Board")) else {
            return;
        };
        let chips = self.zones.iter().any(|z| z.name == "heap");
        let (mut picture, mut shown) = (String::new(), 0);
        let mut signs = if chips { vec!["a", "b", "c", "d"] } else { vec!["a", "b", "c"] };
        for _ in 0..h {
            picture.push_str("\n ");
            for _ in 0..w {
                let sign = self.draw.draw_one(&signs).unwrap_or("a");
                picture.push_str(&format!(" {sign}"));
                // There are two chips at least: the map shows no more.
                shown += usize::from(sign == "d");
                signs.retain(|s| *s != "d" || shown < 2);
            }
        }
        let diagonal = if first_words(&root[map]).contains("diagonal") { " diagonal" } else { "" };
        let text = format!("map Board squares{diagonal} \"\"\"{picture}\n\"\"\"");
        if let Some(node) = root.get_mut(map) {
            node.parts = vec![Part::Text(text)];
        }
        if let Some(Part::Row(_, _, own)) = root.get_mut(space).and_then(|n| n.parts.get_mut(1)) {
            own.push(make_item("soil: 0..3 = 0", vec![]));
            own.push(make_item("rocky: bool = no", vec![]));
        }
        let n = self.draw.draw_between(1, 3);
        let chip = if shown > 0 { "; d: rocky, Chip" } else { "" };
        out.push(make_item(
            &format!("legend Board {{ a: soil: {n}; b: rocky; c: soil: 1, rocky{chip} }}"),
            vec![],
        ));
        let cx = Scope { me: true, folds: 1, ..Scope::default() };
        let (op, c) = (self.draw.draw_one(&["<", ">=", "=="]).unwrap_or("<"), self.make_space(&cx, 1));
        let count = Node::expr(
            Ty::Int,
            &format!(
                "count(neighbours(%) where rocky or soil {op} {n}) + sum(c in Cell where it.rocky: c.soil)"
            ),
            vec![c],
        );
        let (rule, action) = (self.make_name("r"), self.make_name("a"));
        out.push(make_item(&format!("rule {rule}() {{ % }}"), vec![make_say("ground", count)]));
        let head = format!("action {action}(c: Cell where soil {op} {n}) in main");
        out.push(make_item(&format!("{head} {{ needs not c.rocky; {rule}() }}"), vec![]));
    }

    /// What a charm does where it is worn: round a rule, and as an action of its own.
    pub fn declare_carried(&mut self, rule: &str, out: &mut Vec<Node>) {
        let Some(charm) = self.kinds.iter().position(|k| k.name == "Charm") else { return };
        let locals = vec![("owner".into(), Ty::Player), ("this".into(), Ty::Thing(charm))];
        let cx = Scope { locals, folds: 1, ..Scope::default() };
        let (c, d) = (self.make_expr(&Ty::Bool, &cx, 1), self.make_expr(&Ty::Bool, &cx, 1));
        let word = self.draw.draw_one(&["before", "after", "instead of", "after"]).unwrap_or("after");
        let by = if self.draw.draw_percent(60) { " by owner" } else { "" };
        let once = self.draw.draw_one(&["", "", " once per turn", " once per round"]).unwrap_or("");
        let more = if word == "instead of" { "; proceed()" } else { "" };
        let n = self.draw.draw_between(1, 2);
        let text = format!(
            "Charm {} x{n} {{ {word} {rule}(){by}{once} when % {{ owner.coins += 1{more} }}; action {}(n: 1..2) in main {{ needs %; owner.coins -= n }} }}",
            self.make_name("horn"),
            self.make_name("a")
        );
        out.push(make_item(&text, vec![c, d]));
    }

    /// An action that calls a rule, and must leave something.
    pub fn declare_must_leave_behind_rules(&mut self, out: &mut Vec<Node>) {
        let (rule, action, n) = (self.make_name("r"), self.make_name("a"), self.make_name("n"));
        let tame = Scope { me: true, tame: true, folds: 1, ..Scope::default() };
        let body = self.make_stmts(&tame, 1, 2);
        out.push(make_item(&format!("rule {rule}() %"), vec![Node::block(body)]));
        let left = Scope { tame: false, ..tame }.with_name(&n, Ty::Int);
        let c = self.make_expr(&Ty::Bool, &left, 2);
        let text = format!(
            "action {action}({n}: 1..3) in main {{ must leave % else \"left so\"; my.coins -= {n}; {rule}() }}"
        );
        out.push(make_item(&text, vec![c]));
    }

    /// A statement that says what a seldom construct comes to.
    pub fn make_seldom_statement(&mut self, cx: &Scope) -> Option<Node> {
        let int = |pattern: &str, kids: Vec<Node>| Node::expr(Ty::Int, pattern, kids);
        let op = self.draw.draw_one(&["<", "<=", ">", ">=", "==", "!="]).unwrap_or("<");
        let n = self.draw.draw_between(0, 3);
        match self.draw.draw_below(14) {
            0 if self.map.is_some() => {
                let name = self.make_name("c");
                let inner = Scope { looped: true, ..cx.with_name(&name, Ty::Space) };
                let (to, through) = (self.make_space(&inner, 1), self.make_space_filter(&inner, 2));
                let text = format!("count({name} in Cell where joined([{name}], [%], through: %))");
                Some(make_say("joined", int(&text, vec![to, through])))
            }
            1 if self.kinds.iter().any(|k| k.die) => {
                let text = format!(
                    "sum(t in tray: t.value) + 10 * sum(t in tray where it.value > {n}: t.value) + 100 * count(t in tray where it.value {op} {n})"
                );
                Some(make_say("pips", int(&text, vec![])))
            }
            2 => {
                let (kind, zone) =
                    self.draw.draw_one(&[("Man", "heap"), ("Man", "pile"), ("Man", "heap")])?;
                let there = |name: &str| self.zones.iter().any(|z| z.name == name);
                if !there("on") || !there(zone) {
                    return None;
                }
                let text = format!("count({kind} where it.at is some and count(it.at.{zone}) {op} {n})");
                Some(make_say("crowded", int(&text, vec![])))
            }
            3 if self.has_rows() && self.map.is_some_and(|m| m.1 > 1 && m.2 > 1) => {
                let word = self.draw.draw_one(&["row", "column"])?;
                let those = self.draw.draw_one(&["1..2", "[1, 2]", "[2, 2]", "[1]"])?;
                let c = self.make_space_filter(cx, 1);
                Some(make_say("rows", int(&format!("count({word}({those}) where %)"), vec![c])))
            }
            4 if self.has_directions() => {
                let (f, g) = (self.make_space_filter(cx, 1), self.make_space_filter(cx, 1));
                let text = "count(c in Cell where union(r in rays(c): run(r, %, until: %)) is not empty)";
                Some(make_say("runs", int(text, vec![f, g])))
            }
            5 if self.has_feature(Feature::ListOrder) => {
                let of =
                    if self.map.is_some() && self.draw.draw_percent(60) { Ty::Space } else { Ty::Player };
                let name = self.make_name("x");
                let list = self.make_list(&of, cx, 1);
                let (a, b) = (self.make_expr(&of, cx, 0), self.make_expr(&of, cx, 0));
                let x = self.make_name("x");
                let text = format!(
                    "let {name} = %; {name} -= [%]; {name} += [%]; for {x} in {name} {{ say \"{{{x}}}\" }}"
                );
                Some(make_stmt(&text, vec![list, a, b]))
            }
            6 => {
                let k = self.draw.draw_between(1, 4);
                let forms = [
                    format!("count(n in 1..4 where n {op} {k})"),
                    format!("sum(n in 0..3 where n * 2 {op} {k}: n * n)"),
                    format!("count(n in [my.coins, 2] where n {op} {k})"),
                    "sum(n in 0..my.coins: n)".into(),
                    format!("(min(n in [my.coins, {k}]: n) default 0)"),
                    format!("(max(n in ([1, {k}] + [my.coins]): n) default 0)"),
                    format!("if my.coins in [{k}, size, 2] then 1 else 0"),
                    format!("if any(n in [1, my.coins]: n {op} {k}) then 1 else 0"),
                    format!("if every(n in 1..{k}: n {op} 2) then 1 else 0"),
                    format!("if no(n in [1, {k}]: n {op} size) then 1 else 0"),
                    format!("if (2 {op} {k} and 1 < 2) then 1 else 0"),
                    format!("count([my.coins, {k}, size])"),
                    format!("median([my.coins, {k}, size])"),
                    format!("(median(players.coins) default {k})"),
                    format!("(median(collect(p in players: p.coins + {k})) default 0)"),
                    format!("(if 1 {op} {k} then my.coins else size) * {k}"),
                ];
                let text = self.draw.draw_one(&forms)?;
                Some(make_say("numbers", int(&text, vec![])))
            }
            7 | 8 => {
                let (to, z) = self.pick_zone_path(cx, &is_open)?;
                let (from, _) = self.pick_zone_path(cx, &|o| o.kind == z.kind && is_open(o))?;
                let (other, _) = self.pick_zone_path(cx, &|o| o.kind == z.kind && is_open(o))?;
                let k = self.draw.draw_between(1, 2);
                if let Some(zone) = to.strip_prefix("my.").filter(|z| !z.contains(['[', '.']))
                    && self.draw.draw_percent(50)
                {
                    let whom = self.draw.draw_one(&["", " of others", " of [me]"])?;
                    return Some(make_stmt(&format!("deal {k} of {from} to {zone}{whom}"), vec![]));
                }
                let text = format!(
                    "move first {k} of {from} under {to}; move last of {to} to {other}; move first of {other} under {to}"
                );
                Some(make_stmt(&text, vec![]))
            }
            9 if self.attrs.iter().any(|a| a.name == "steps") => {
                let body = self.make_stmts(cx, 0, 1);
                let how = self.draw.draw_one(&["in turn", "at once"]).unwrap_or("in turn");
                let text = format!("for p in players {{ p.steps += 2 }}; everyone {how} %");
                Some(make_stmt(&text, vec![Node::block(body)]))
            }
            10 if self.map.is_some() => {
                let level =
                    self.attrs.iter().find(|a| a.of == Holder::Space && a.ty == Ty::Int).map(|a| a.name);
                let mark =
                    self.attrs.iter().find(|a| a.of == Holder::Space && a.ty != Ty::Int).map(|a| a.name);
                let mut forms = vec![
                    format!("(distance(c, d) default 9) {op} {n}"),
                    "c in neighbours(d)".to_string(),
                    "(direction(c, d) default east) == east".into(),
                ];
                forms.extend(level.map(|a| format!("c.{a} + {n} {op} d.{a}")));
                forms.extend(level.map(|a| format!("c.{a} {op} d.{a}")));
                forms.extend(mark.map(|a| format!("c.{a} == d.{a}")));
                forms.retain(|f| self.has_directions() || !f.contains("direction("));
                let form = self.draw.draw_one(&forms)?;
                let (word, over) = (
                    self.draw.draw_one(&["any", "every", "no"])?,
                    self.draw.draw_one(&["Cell", "neighbours(c)"])?,
                );
                let c = self.make_space_filter(cx, 1);
                let text = format!("count(c in Cell where {word}(d in ({over} where %): {form}))");
                Some(make_say("pairs", int(&text, vec![c])))
            }
            11 => {
                let (zone, z) = self.pick_zone_path(cx, &is_open)?;
                let (other, _) = self.pick_zone_path(cx, &|o| o.kind == z.kind && is_open(o))?;
                let kind = self.kinds.get(z.kind)?.name;
                let forms = [
                    format!("if any(t in first 2 of {other}: t in {zone}) then 1 else 0"),
                    format!("count({kind} where it in {zone})"),
                    format!("count(t in {kind} where t in {zone} or t in {other})"),
                    format!("if any(t in first 1 of {other}: t in {zone} or t in {other}) then 1 else 0"),
                    format!("if (first of {other}) in {zone} then 1 else 0"),
                    format!("count((first 2 of {zone}) + (last 2 of {other}))"),
                    format!("sum(t in first 2 of {zone}: count((first 3 of {other}) where it == t))"),
                ];
                let text = self.draw.draw_one(&forms)?;
                Some(make_say("inside", int(&text, vec![])))
            }
            12 if self.has_feature(Feature::Layers) => {
                let p = self.make_player(cx, 0);
                let text = "until start of my turn { my.coins += 1 }; for p in [%] { p.coins -= 1 }";
                Some(make_stmt(text, vec![p]))
            }
            _ => {
                let (c, d) = (self.make_expr(&Ty::Bool, cx, 1), self.make_expr(&Ty::Bool, cx, 1));
                let text = "(if (yes and %) then 1 else 0) + (if (% or no) then 2 else 0) + (if (1 < 2 and size > 0) then 4 else 0)";
                Some(make_say("constant", int(text, vec![c, d])))
            }
        }
    }
}
