//! Writes the declarations of a generated program from the lists of its generator: enums, map, kinds with their members, table and players.
use super::additions::make_item;
use super::exprs::Scope;
use super::tree::{Node, NodeSort, Part, Ty};
use super::world::{Attr, Generator, Holder, MapShape, PLACES, SeenBy};

impl Generator {
    /// A map of patches: pairs of spaces, blocks of four, rhombi of hexes, or tiles of one space that print on their sides.
    pub fn declare_patches(&mut self, out: &mut Vec<Node>) {
        let item = |text: String| make_item(&text, vec![]);
        let signs = ["  a a b b\n  a a b b\n  . c c .\n  . c c .", "  a a b b c c\n  d d . e e ."];
        let hues = self.enums.first().map(|e| e.1.clone()).unwrap_or_default();
        let (rule, lay, turn) = (self.make_name("r"), self.make_name("a"), self.make_name("a"));
        let sort = self.draw.draw_below(4);
        let (size, shape) = [(4, "squares"), (2, "squares"), (4, "hexes"), (1, "squares 3 by 2")]
            .get(sort)
            .copied()
            .unwrap_or((1, "hexes 2 by 2"));
        let side = if size == 1 { "; rim: 0..3 = 0 per direction; open: Hue? per direction" } else { "" };
        let prints = format!("prints {{ peat: 0..4 = 1; dry: bool = no; shade: Hue?{side} }}");
        out.push(item(format!("patch Turf of {size} {{ {prints} }}")));
        out.push(item(match signs.get(sort % 2).filter(|_| size > 1) {
            Some(signs) => format!("map Quilt {shape} of Turf \"\"\"\n{signs}\n\"\"\""),
            None => format!("map Quilt {shape} of Turf"),
        }));
        let slot = if size == 1 { "slot turf: Turf; " } else { "" };
        out.push(item(format!("space Plot on Quilt {{ {slot}dug: bool = no }}")));
        let (bed, of) = if size == 1 { ("Plot", "it") } else { ("Bed", "it.slot") };
        if size > 1 {
            out.push(item("space Bed for Turf { slot turf: Turf }".into()));
        }
        let mut rows = Vec::new();
        for name in ["moss x2", "fern", "reed x2"] {
            let mut cells = Vec::new();
            for _ in 0..size {
                let hue = self.draw.draw_one(&hues).unwrap_or("red");
                let peat = self.draw.draw_between(0, 4);
                let cell =
                    [format!("{hue}, {peat}"), "dry".into(), format!("peat: {peat}, dry"), String::new()];
                cells.push(self.draw.draw_one(&cell).unwrap_or_default());
            }
            if size == 1 {
                let mut print = || {
                    format!(
                        "{}, {}",
                        self.draw.draw_between(0, 3),
                        self.draw.draw_one(&hues).unwrap_or("red")
                    )
                };
                cells.extend([print(), print(), String::new(), print()]);
            }
            rows.push(format!("  {name} | {}", cells.join(" | ")));
        }
        let numbers: Vec<String> = (1..=size).map(|n| format!("| {n}")).collect();
        let sides = if size == 1 { " | north | east | south | west" } else { "" };
        out.push(item(format!("list Turf {}{sides} {{\n{}\n}}", numbers.join(" "), rows.join("\n"))));
        let down = self.draw.draw_one(&["face down", "face up"]).unwrap_or("face up");
        out.push(item(format!(
            "rule {rule}() {{ for s in {bed} where it.turf is none {{ move first of Turf where it.at is none and it.holder is none to s.turf {down} }} }}"
        )));
        let guard = Scope { me: true, folds: 1, ..Scope::default() };
        let (k, c) = (self.draw.draw_between(0, 3), self.make_expr(&Ty::Bool, &guard, 1));
        let rim = if size == 1 { "and it.rim(north) <= it.rim(east)" } else { "" };
        out.push(make_item(
            &format!("action {lay}(p: Plot where (it.peat > {k} or it.shade is none) {rim}) in main {{ needs %; {rule}(); my.coins += p.peat; if p.dry and p.shade is some {{ p.dug = yes }} }}"),
            vec![c],
        ));
        let way = self.draw.draw_one(&["up", "up", "down"]).unwrap_or("up");
        let say = match size {
            1 => "{count(Plot where it.rim(west) > 1)} {s.open(south)}",
            _ => "{count(s.spaces where it.peat > 1)} {sum(x in Plot: x.peat)}",
        };
        out.push(item(format!(
            "action {turn}(s: {bed} where it.turf is some) in main {{ s.turf.turned = 1 - s.turf.turned mod 2; flip s.turf {way}; say \"turf {say} {{count(Plot where {of} == s and it.patch is some and it.dug)}}\" }}"
        )));
    }

    /// Ways that join the first `n` places: a row through most of them, then single ones.
    fn make_ways(&mut self, n: usize) -> String {
        let sign = |s: &mut Self| if s.draw.draw_percent(25) { " -> " } else { " - " };
        let long = self.draw.draw_between(2, n as i64) as usize;
        let mut row = String::new();
        for (i, place) in PLACES.iter().take(long).enumerate() {
            row.push_str(if i == 0 { "" } else { sign(self) });
            row.push_str(place);
        }
        let mut rows = vec![row];
        for place in PLACES.iter().take(n).skip(long) {
            let near = self.draw.draw_one(&PLACES[..long]).unwrap_or("inn");
            rows.push(format!("{near}{}{place}", sign(self)));
        }
        rows.join("; ")
    }

    /// The declarations of enums, map, kinds, table and players. `extra` are lines for members that hold attachments.
    pub fn make_declarations(&mut self, charms: Vec<Node>, active: Option<String>) -> Vec<Node> {
        let item = |text: String| Node::new(NodeSort::Item, &text.replace('%', ""), Vec::new());
        let mut out = Vec::new();
        for (name, words) in &self.enums {
            let words = words.iter().map(|w| item(w.to_string())).collect();
            let parts = vec![
                Part::Text(format!("enum {name} {{ ")),
                Part::Row(", ", 1, words),
                Part::Text(" }".into()),
            ];
            out.push(Node { sort: NodeSort::Item, parts });
        }
        if let Some((shape, w, h)) = self.map {
            let shape_text = match shape {
                MapShape::Squares => "squares",
                MapShape::Diagonal => "squares diagonal",
                MapShape::Hexes => "hexes",
                MapShape::Line => "line",
                MapShape::Graph => "graph",
            };
            let of_spaces = self.attrs.iter().map(|a| a.of).chain(self.zones.iter().map(|z| z.of));
            let may_grow = shape != MapShape::Graph && of_spaces.into_iter().any(|of| of == Holder::Space);
            let within = if may_grow && self.draw.draw_percent(20) { "within " } else { "" };
            let mut parts = vec![Part::Text(format!("map Board {shape_text} {within}")), Part::Number(w, 2)];
            if self.has_rows() {
                parts.extend([Part::Text(" by ".into()), Part::Number(h, 1)]);
            }
            if shape == MapShape::Graph {
                parts = vec![Part::Text(format!("map Board graph {{ {} }}", self.make_ways(w as usize)))];
            }
            out.push(Node { sort: NodeSort::Item, parts });
            let own = self.declare_parts(Holder::Space, None);
            out.push(put_in_braces("space Cell on Board", own));
            let places = if shape == MapShape::Graph { self.space_names() } else { Vec::new() };
            out.extend(places.iter().map(|p| item(format!("Cell {p}"))));
        }
        let mut charms = charms.into_iter();
        for k in 0..self.kinds.len() {
            let Some(kind) = self.kinds.get(k).cloned() else { continue };
            let sort = match kind.name {
                "Card" | "Charm" | "Note" => "card",
                "Man" => "piece",
                "Cube" => "die",
                _ => "token",
            };
            let mut head = format!("{sort} {}", kind.name);
            if kind.sets {
                head.push_str(" of player");
            }
            if let Some(p) = kind.parent.and_then(|p| self.kinds.get(p)) {
                head.push_str(&format!(" is {}", p.name));
            }
            let mut own = self.declare_parts(Holder::Kind(k), None);
            let valued = self.own_values && kind.name == "Card";
            if kind.name == "Card" {
                own.push(item("discards to deck".into()));
            }
            if valued {
                own.extend(self.make_member_values(k, true));
            }
            if kind.die {
                own.push(item(format!("faces: 1..{}", self.draw.draw_between(2, 6))));
            }
            out.push(put_in_braces(&head, own));
            let rich = matches!(kind.name, "Card" | "Charm" | "Note");
            for (i, m) in kind.members.iter().enumerate() {
                let mut own = Vec::new();
                for a in self.attrs_of(&Ty::Thing(k)) {
                    if a.printed && self.draw.draw_percent(75) {
                        let v = self.make_printed_value(&a);
                        own.push(item(format!("{}: {v}", a.name)));
                    }
                }
                if kind.name == "Charm" {
                    own.extend(charms.next());
                }
                if valued {
                    own.extend(self.make_member_values(k, false));
                }
                let copies = match kind.name {
                    "Chip" => self.draw.draw_between(2, 5),
                    "Charm" => 1,
                    _ if rich => self.draw.draw_between(1, 3),
                    _ => self.draw.draw_between(1, 2),
                };
                let mut parts = vec![Part::Text(format!("{} {m}", kind.name))];
                if copies > 1 {
                    let many = self.counters.filter(|_| kind.name == "Chip").unwrap_or(copies as u32);
                    parts.extend([Part::Text(" x".into()), Part::Number(many, 1)]);
                }
                parts.extend([Part::Text(" { ".into()), Part::Row("; ", 0, own), Part::Text(" }".into())]);
                // Of each kind one member stays: a kind without any is another game.
                out.push(Node { sort: if i == 0 { NodeSort::Fixed } else { NodeSort::Item }, parts });
            }
            // The first member goes with its kind.
            if let Some(first) = kind.members.len().checked_sub(1).and_then(|n| out.len().checked_sub(n + 2))
            {
                let of_first = out.remove(first + 1);
                if let Some(slot) = out.get_mut(first) {
                    slot.parts.extend([Part::Text("\n".into()), Part::Node(of_first)]);
                }
            }
            if kind.name == "Card" {
                out.push(item("Card numbered(n: 1..3) { rank: n }".into()));
            }
        }
        let table = self.declare_parts(Holder::Table, None);
        if !table.is_empty() {
            out.push(put_in_braces("table", table));
        }
        let own = self.declare_parts(Holder::Player, active.as_deref());
        out.push(put_in_braces("player", own));
        out
    }

    /// The values of a card: as its kind declares them, or as a member fills some.
    fn make_member_values(&mut self, k: usize, declared: bool) -> Vec<Node> {
        let cx = Scope { locals: vec![("this".into(), Ty::Thing(k))], ..Default::default() };
        let values = std::mem::take(&mut self.values);
        self.own_values = false;
        let mut out = Vec::new();
        for (name, ty) in [("bonus", Ty::Int), ("wide", Ty::Bool)] {
            if declared || self.draw.draw_percent(50) {
                let e = self.make_expr(&ty, &cx, 2);
                let head =
                    if declared { format!("value {name}: {}", self.type_name(&ty)) } else { name.into() };
                out.push(Node::new(NodeSort::Item, &format!("{head} = %"), vec![e]));
            }
        }
        (self.values, self.own_values) = (values, true);
        out
    }

    fn make_printed_value(&mut self, a: &Attr) -> String {
        match &a.ty {
            Ty::Int => self.draw.draw_between(0, 5).to_string(),
            Ty::Bool => if self.draw.draw_percent(50) { "yes" } else { "no" }.to_string(),
            Ty::Word(e) => {
                let words = self.enums.get(*e).map(|e| e.1.clone()).unwrap_or_default();
                self.draw.draw_one(&words).unwrap_or("red").to_string()
            }
            _ => "none".into(),
        }
    }

    /// Attributes and zones as they are declared.
    fn declare_parts(&mut self, of: Holder, active: Option<&str>) -> Vec<Node> {
        let mut out = Vec::new();
        for a in self.attrs.clone() {
            if a.of != of {
                continue;
            }
            let text = match &a.ty {
                Ty::Int if a.printed => format!("{}: 0..5 = {}", a.name, self.draw.draw_between(0, 3)),
                Ty::Int if a.name == "steps" => "steps: 0..9 = 1 clamped per turn".into(),
                Ty::Int => {
                    let (most, begins) = (self.draw.draw_between(3, 9), self.draw.draw_between(0, 3));
                    // What actions cost begins with more than 0: it may be that nothing gives any.
                    let begins = if a.name == "coins" { begins.max(1) } else { begins };
                    format!("{}: 0..{most} = {begins} clamped", a.name)
                }
                Ty::Maybe(_) => format!("{}: {}", a.name, self.type_name(&a.ty)),
                Ty::Player => format!("{}: player = {}", a.name, self.players.first().unwrap_or(&"ann")),
                Ty::Space => {
                    let spaces = self.space_names();
                    format!("{}: Cell = {}", a.name, self.draw.draw_one(&spaces).unwrap_or_default())
                }
                _ => format!("{}: {} = {}", a.name, self.type_name(&a.ty), self.make_printed_value(&a)),
            };
            out.push(Node::new(NodeSort::Item, &text, Vec::new()));
        }
        for z in self.zones.clone() {
            if z.of != of {
                continue;
            }
            let kind = self.kinds.get(z.kind).map_or("Card", |k| k.name);
            let mut text = format!("{} {}: {kind}", if z.slot { "slot" } else { "zone" }, z.name);
            match z.seen {
                SeenBy::All => {}
                SeenBy::Owner => text.push_str(" seen by owner"),
                SeenBy::Nobody => text.push_str(" seen by nobody"),
                SeenBy::Value if of == Holder::Player && self.draw.draw_percent(40) => {
                    text.push_str(" seen by others");
                }
                SeenBy::Value => text.push_str(" seen by lookers(it)"),
            }
            // More than there are: whoever moves looks whether there is room, and there is.
            if matches!(z.name, "hand" | "heap") && self.players.len() == 3 {
                text.push_str(" up to 400");
            }
            if z.name == "worn" {
                text.push_str(" active");
                if let Some(when) = active {
                    text.push_str(&format!(" when {when}"));
                }
            }
            out.push(Node::new(NodeSort::Item, &text, Vec::new()));
        }
        out
    }
}

/// A declaration whose parts stand in braces.
fn put_in_braces(head: &str, own: Vec<Node>) -> Node {
    let parts = vec![Part::Text(format!("{head} {{ ")), Part::Row("; ", 0, own), Part::Text(" }".into())];
    Node { sort: NodeSort::Item, parts }
}
